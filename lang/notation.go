package lang

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// People know other ways to write dice: 4d6kh3 and 3d6! from the bots of chat rooms, [highest 3 of 4d6] from
// AnyDice. A line in one of them is read as the same in this language, and whoever typed it is told how that
// is written.

// Reading is a piece of a line in another notation, and what it is in this language.
type Reading struct{ Typed, Ours string }

// Notation gives a line with what is written in another notation in the words of this language. Texts and
// comments stay as they are.
func Notation(line string) (ours string, read []Reading) {
	const unequal = "\x00"
	line = anydiceNamed.ReplaceAllString(line, "$1")
	if strings.ContainsAny(line, "\"#"+unequal) {
		return line, nil
	}
	line = strings.ReplaceAll(line, "!=", unequal)
	swap := func(re *regexp.Regexp, by func(m []string) string) {
		line = re.ReplaceAllStringFunc(line, func(typed string) string {
			m := re.FindStringSubmatch(typed)
			ours := by(m)
			if ours == "" {
				return typed
			}
			read = append(read, Reading{strings.TrimSpace(typed), strings.TrimSpace(ours)})
			return ours
		})
	}
	swap(anydiceOutput, func(m []string) string { return m[1] })
	for range 4 { // inside one another
		swap(anydiceFunction, func(m []string) string { return anydice(m[1]) })
	}
	swap(counting, func(m []string) string { return m[1] + m[2] + ".count(" + faceRange(m[3], m[4]) + ")" })
	swap(suffixed, func(m []string) string { return suffixes(m[1], m[2]) })
	return strings.ReplaceAll(line, unequal, "!="), read
}

var (
	anydiceNamed    = regexp.MustCompile(`^(\s*output\s.*\S)\s+named\s+"[^"]*"\s*$`)
	anydiceOutput   = regexp.MustCompile(`^\s*output\s+(.*)$`)
	anydiceFunction = regexp.MustCompile(`\[\s*((?:highest|lowest|middle|count|explode|absolute|maximum)\s[^\[\]]*)\]`)
	anydiceOf       = regexp.MustCompile(`^(highest|lowest|middle)\s+(\d+)\s+of\s+(.+)$`)
	anydiceCount    = regexp.MustCompile(`^count\s+(?:\{([^}]*)\}|(\S+))\s+in\s+(.+)$`)
	anydiceOne      = regexp.MustCompile(`^(explode|absolute|maximum\s+of)\s+(.+)$`)
	anydiceTwo      = regexp.MustCompile(`^(highest|lowest)\s+of\s+(.+)\s+and\s+(.+)$`)

	counting = regexp.MustCompile(`^(\s*(?:odds|report|print)?\s*)(\d*[2-9]\d*d\d+|1\d+d\d+)(>=|>|<=|<)(\d+)\s*$`)
	suffixed = regexp.MustCompile(`\b(\d*d(?:\d+|%|F))((?:k[hl]?\d+|d[hl]\d+|k[hl]|d[hl]|!(?:(?:>=?|<=?)?\d+)?|ro?(?:<=?|>=?)?\d+)+)`)
	suffix   = regexp.MustCompile(`^(?:(kl|kh?|dh|dl)(\d*)|(!)(?:(>=?|<=?)?(\d+))?|(ro?)(<=?|>=?)?(\d+))`)
)

// anydice gives a function of AnyDice, without its brackets, in our words; "" where it is another.
func anydice(f string) string {
	f = strings.TrimSpace(f)
	if m := anydiceOf.FindStringSubmatch(f); m != nil {
		return fmt.Sprintf("%s.%s(%s)", bracketed(m[3]), m[1], m[2])
	}
	if m := anydiceCount.FindStringSubmatch(f); m != nil {
		which := m[2]
		if m[1] != "" {
			which = "[" + m[1] + "]"
			if lo, hi, ok := strings.Cut(m[1], ".."); ok {
				which = lo + ".." + hi
			}
		}
		return fmt.Sprintf("%s.count(%s)", bracketed(m[3]), which)
	}
	if m := anydiceTwo.FindStringSubmatch(f); m != nil {
		name := map[string]string{"highest": "max", "lowest": "min"}[m[1]]
		return fmt.Sprintf("%s(%s, %s)", name, m[2], m[3])
	}
	if m := anydiceOne.FindStringSubmatch(f); m != nil {
		switch m[1] {
		case "explode":
			return bracketed(m[2]) + ".explode"
		case "absolute":
			return "abs(" + m[2] + ")"
		}
		return bracketed(m[2]) + ".sides"
	}
	return ""
}

// bracketed puts what a function is about in brackets, if it is more than dice.
func bracketed(x string) string {
	if x = strings.TrimSpace(x); strings.ContainsAny(x, " +-*/") && !strings.HasPrefix(x, "(") {
		return "(" + x + ")"
	}
	return x
}

// faceRange gives the faces that a comparison means.
func faceRange(op, n string) string {
	k, err := strconv.Atoi(n)
	if err != nil {
		return n
	}
	switch op {
	case ">=":
		return fmt.Sprintf("%d..", k)
	case ">":
		return fmt.Sprintf("%d..", k+1)
	case "<=":
		return fmt.Sprintf("..%d", k)
	case "<":
		return fmt.Sprintf("..%d", k-1)
	}
	return n
}

// suffixes gives dice with what bots write behind them in our words: first what the dice do, then what is read.
func suffixes(dice, rest string) string {
	does, reads := "", ""
	for rest != "" {
		m := suffix.FindStringSubmatch(rest)
		if m == nil {
			return ""
		}
		rest = rest[len(m[0]):]
		switch {
		case m[1] != "":
			name := map[string]string{"k": "highest", "kh": "highest", "kl": "lowest", "dh": "drop_highest", "dl": "drop_lowest"}[m[1]]
			reads += "." + name
			if m[2] != "" && m[2] != "1" {
				reads += "(" + m[2] + ")"
			}
		case m[3] != "" && m[5] == "":
			does += ".explode"
		case m[3] != "":
			does += ".explode(" + faceRange(m[4], m[5]) + ")"
		case m[6] == "ro":
			does += ".reroll(" + faceRange(m[7], m[8]) + ", 1)"
		default:
			does += ".reroll(" + faceRange(m[7], m[8]) + ")"
		}
	}
	return dice + does + reads
}
