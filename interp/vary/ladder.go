package vary

import (
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/core"
	"setpiece/interp/internal/query"
	"setpiece/lang"
)

// What is a little more or less than what a script says? This file gives the values that
// Propose tries in place of a parameter, from the nearest on.

// Of all changes those come first that whoever prepares a scene thinks of first: how many foes there
// are, then their ratings, then the numbers that the script itself says. A rating of 0 or
// less takes something away, or says that nothing is special about somebody: it comes later. Players' sheets
// are for the players, and what the script leaves to the rules comes last.
const (
	howMany = iota
	rating
	Spoken
	special
	players
	Unsaid
)

// stepsOfNumber is how many values are tried from the one that the script says.
const stepsOfNumber = 8

// Precedence says when a parameter has its turn.
func Precedence(p Parameter) int {
	switch {
	case p.Own:
		return players
	case p.Kind == CountParameter:
		return howMany
	case p.Kind != FieldParameter:
		return Spoken
	case p.Value == "0" || strings.HasPrefix(p.Value, "-"):
		return special
	}
	return rating
}

// StepsFrom gives the values above and below one, the nearest first: a number one more
// and one less, and so on, the dice that a shop sells, as many of a kind, a pool with
// more dice and with fewer.
func StepsFrom(text string) (up, down []string) {
	lead, rest := "", text
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "x") {
		lead, rest = text[:1], text[1:]
	}
	if n, err := strconv.Atoi(rest); err == nil && n > -1000 && n < 1000 {
		least := 0
		switch {
		case lead == "x":
			least = 1
		case n < 0:
			least = n - stepsOfNumber
		}
		// A large number goes in larger steps, and not to next to nothing.
		by := max(1, abs(n)/stepsOfNumber)
		if by > 1 && n > 0 {
			least = n / 4
		}
		for k := 1; k <= stepsOfNumber; k++ {
			up = append(up, lead+strconv.Itoa(n+k*by))
			if n-k*by >= least {
				down = append(down, lead+strconv.Itoa(n-k*by))
			}
		}
		return up, down
	}
	x, diags := lang.ParseExpr(lang.NewSource("", text))
	if core.Failed(diags) || lead != "" {
		return nil, nil
	}
	pool, counted := diceOf(x)
	if len(pool) == 0 || len(pool) > stepsOfNumber {
		return nil, nil
	}
	if len(pool) == 1 && !counted {
		for size := pool[0]; ; {
			next := BesideDie(size)
			if len(next) == 0 || next[0] <= size || next[0] > max(12, pool[0]) {
				break
			}
			size = next[0]
			up = append(up, "d"+strconv.Itoa(size))
		}
		for size := pool[0]; ; {
			next := BesideDie(size)
			if len(next) == 0 || next[len(next)-1] >= size {
				return up, down
			}
			size = next[len(next)-1]
			down = append(down, "d"+strconv.Itoa(size))
		}
	}
	least := slices.Min(pool)
	for k := 1; k <= stepsOfNumber/2; k++ {
		up = append(up, query.Dice(append(slices.Clone(pool), slices.Repeat([]int{least}, k)...)))
	}
	slices.Sort(pool)
	for k := 1; k < len(pool); k++ {
		down = append(down, query.Dice(pool[k:]))
	}
	return up, down
}

func abs(n int) int { return max(n, -n) }

// diceOf gives the sizes of dice that are written, and whether they are a pool.
func diceOf(x lang.Expr) (sizes []int, pool bool) {
	switch x := x.(type) {
	case *lang.Dice:
		if x.Count < 1 || x.Count > 100 || x.Size < 1 {
			return nil, false
		}
		return slices.Repeat([]int{int(x.Size)}, int(x.Count)), x.Counted
	case *lang.Binary:
		a, _ := diceOf(x.X)
		b, _ := diceOf(x.Y)
		if x.Op != "+" || a == nil || b == nil {
			return nil, false
		}
		return append(a, b...), true
	}
	return nil, false
}

// BesideDie gives the next larger and the next smaller of the dice that are commonly
// thrown.
func BesideDie(size int) (next []int) {
	sizes := []int{4, 6, 8, 10, 12, 20}
	up, there := slices.BinarySearch(sizes, size)
	down := up - 1
	if there {
		up++
	}
	if up < len(sizes) {
		next = append(next, sizes[up])
	}
	if down >= 0 {
		next = append(next, sizes[down])
	}
	return next
}
