package why

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/vary"
	"setpiece/lang"
)

// raced gives the race of a text with so many trials in all, and the entrants in their order.
func raced(t *testing.T, text string, seed uint64, budget int) (*tryer, *Why) {
	t.Helper()
	ctx := context.Background()
	s := interp.NewSession(interp.Config{Seed: seed})
	src := lang.NewSource("", text)
	start := core.Of(s).Keep()
	goal, err := goals.WithGoal(ctx, src, "won == yes")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Of(s).Prepare(ctx, goal)
	if err != nil {
		t.Fatal(err)
	}
	r := &tryer{s: core.Of(s), session: s, ctx: ctx, changes: ctx, whole: ctx, done: func() {}, cfg: Config{Goal: "won == yes"}, left: maxWhyStates, w: &Why{}}
	if err := r.estimate(p); err != nil {
		t.Fatal(err)
	}
	said, _ := vary.Parameters(ctx, s, src)
	r.fields(p, nil, said)
	core.Of(s).Restore(start)
	r.texts(src, start)
	r.race(budget)
	r.tell()
	return r, r.w
}

// nothings is a script of n numbers that say how often a coin is thrown before the throw that counts:
// each of them changes how a trial ends, and none of them the chance.
func nothings(n int) string {
	var b strings.Builder
	b.WriteString("let side = 0\n")
	for i := range n {
		fmt.Fprintf(&b, "let n%d = 3\nfor i in 1..n%d { side = (throw d2).face }\n", i, i)
	}
	return b.String() + "let won = side == 1\n"
}

// A change that does much is found among many that do nothing.
func TestWhyFindsThePlantedChange(t *testing.T) {
	_, w := raced(t, strings.Replace(nothings(10), "let won = side == 1", "let dn = 5\nlet won = (throw d8).face >= dn", 1), 1, 0)
	found := slices.ContainsFunc(w.Moves, func(m Move) bool { return strings.HasPrefix(m.What, "dn ") || strings.HasPrefix(m.What, "throw d") })
	if !found {
		t.Errorf("%+v", w)
	}
}

// Of calls in which no change does anything at most 5 in 100 tell of one. Of 1,000 calls, 50 plus
// three deviations of 7 are 71; of 100, 5 plus three of 2.2 are 11.
func TestWhyTellsNoLuck(t *testing.T) {
	calls, most := 1000, 71
	if testing.Short() {
		calls, most = 100, 11
	}
	told, differ := 0, 0
	for seed := range calls {
		r, w := raced(t, nothings(4), uint64(seed), 0)
		if slices.ContainsFunc(w.Moves, func(m Move) bool { return strings.HasPrefix(m.What, "n") }) {
			told++
		}
		if slices.ContainsFunc(r.entrants, func(e *entrant) bool { return strings.HasPrefix(e.what, "n") && max(e.by, -e.by) > e.half }) {
			differ++
		}
	}
	if told > most {
		t.Errorf("%d of %d calls tell of a change that does nothing, want %d at most", told, calls, most)
	}
	if differ < calls/10 {
		t.Errorf("only in %d of %d calls the 95 %% interval alone would have told of one", differ, calls)
	}
}

// The foes come first, then their ratings, then the numbers of the script, and the players' sheets last. What
// takes something away comes after ratings.
func TestWhyTriesInOrder(t *testing.T) {
	r, _ := raced(t, `
sheet foe { looks number = 0; might number = 1 }
let dn = 5
foe Rats x2 { looks -1; might 3 }
let won = (throw d8).face + (sum x.might + x.looks for x in instances(foe)) >= dn
`, 1, 0)
	var got []string
	for _, e := range r.entrants {
		got = append(got, e.what)
	}
	at := func(what string) int {
		return slices.IndexFunc(got, func(x string) bool { return strings.HasPrefix(x, what) })
	}
	for _, x := range [][2]string{{"Rats x3", "Rats.might 4"}, {"Rats.might 2", "dn 6"}, {"dn 4", "Rats.looks"}} {
		if a, b := at(x[0]), at(x[1]); a < 0 || b < 0 || a > b {
			t.Errorf("%s does not come before %s: %s", x[0], x[1], got)
		}
	}
}

// A greater budget tries more changes, and each of them more often.
func TestWhyUsesItsBudget(t *testing.T) {
	changes, most, made := 0, 0, 0
	for _, budget := range []int{400, 4000, 40_000} {
		r, w := raced(t, nothings(40), 1, budget)
		sum, longest := 0, 0
		for _, e := range r.entrants {
			sum, longest = sum+len(e.xs), max(longest, len(e.xs))
		}
		if w.Tried <= changes || longest <= most || sum <= made || sum > budget+budget/2 {
			t.Errorf("with %d trials: %d changes, up to %d each, %d in all; before %d, %d, %d", budget, w.Tried, longest, sum, changes, most, made)
		}
		changes, most, made = w.Tried, longest, sum
	}
}
