package interp_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// The people whom the examples of functions speak of.
const novaAndFang = `
spans turn
sheet trait { rating number = 0 }
sheet hero { traits trait many as CAPS }
feature lucky(times = 1) on trait {}
hero Nova { CLAWS 3 [lucky 2] }
hero Fang { CLAWS 2 }
`

// Each function has an example that gives what it says.
func TestExamplesOfFunctions(t *testing.T) {
	for _, b := range code.Functions {
		expr, want, _ := strings.Cut(b.Example, "#")
		if strings.TrimSpace(expr) == "" || strings.TrimSpace(want) == "" {
			t.Errorf("the example of %s is %q", b.Name, b.Example)
			continue
		}
		got, err := reports(expr)
		if err != nil {
			t.Errorf("%s: %v", b.Example, err)
			continue
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%s gives %s", b.Example, got)
		}
	}
}

// reports gives what expressions come to.
func reports(list string) (got []string, err error) {
	s := interp.NewSession(interp.Config{Events: func(e *interp.Event) {
		if e.Kind == interp.EventReport {
			got = append(got, e.Value)
		}
	}})
	err = s.Exec(context.Background(), lang.NewSource("", novaAndFang+"report "+list))
	return got, err
}

// What examples do not show: lists of even size, equal elements, nothing, and numbers below zero. Each function
// of a list is here with equal elements.
func TestEdgesOfFunctions(t *testing.T) {
	edges := [][2]string{
		{"[4, 2, 9, 7].middle", "4"}, {"[4, 2, 9, 7].middle(2)", "[7, 4]"}, {"[].middle", "none"},
		{"[4, 2, 4].highest(2)", "[4, 4]"}, {"[4, 2, 4].lowest(2)", "[2, 4]"}, {"[].highest", "none"}, {"[].max", "none"},
		{"[4, 2, 4].drop_highest", "[2, 4]"}, {"[4, 2, 4].drop_lowest", "[4, 4]"},
		{"[4, 2, 4].index(4)", "1"}, {"[2, 4, 2].distinct", "[2, 4]"}, {"[2, 4, 4, 2].named_twice", "2"}, {"[4, 2].named_twice", "none"}, {"[[4], []].flat", "[4]"},
		{"[].largest_set", "0"}, {"[4, 4, 9, 4].pairs", "1"}, {"[5, 3, 4, 4, 7].straight", "3"}, {"[7, 2].straight", "1"},
		{"[4, 2, 4].count(4)", "2"}, {"[4, 2, 9].count(2..4)", "2"}, {"[6, 5, 3].exceeding([6, 4])", "1"},
		{"[4, 2].take(0)", "[]"}, {"[4, 2].drop(2)", "[]"}, {"[].sum", "0"}, {"[].first", "none"}, {"copies(0, d6)", "[]"},
		{"floor(-7 / 2)", "-4"}, {"ceil(-7 / 2)", "-3"}, {"round(-5 / 2)", "-2"},
		{"[4, 2, 2].min", "2"}, {"[4, 9, 9].max", "9"}, {"[4, 4].size", "2"}, {"[4, 4].empty", "no"}, {"[4, 4, 2].first", "4"}, {"[2, 4, 4].last", "4"},
		{"[4, 4, 2].sum", "10"}, {"[4, 2, 4].sorted", "[2, 4, 4]"}, {"[4, 4, 2].reversed", "[2, 4, 4]"}, {"[Nova, Fang, Nova].apart", "[Nova, Fang, Nova]"},
		{"[4, 4].with(4)", "[4, 4, 4]"}, {"[4, 2, 4, 4].without(4)", "[2, 4, 4]"}, {"[6, 5, 5].exceeding([5, 5, 4])", "2"},
		{"[4, 4, 2].take(2)", "[4, 4]"}, {"[4, 4, 2].drop(1)", "[4, 2]"}, {`["a", "a"].join("-")`, "a-a"}, {"[[4], [4]].flat", "[4, 4]"}, {"[7, 7, 7].draw", "7"},
		{"[die(8, 5), die(6, 5)].faces", "[5, 5]"}, {"[die(6, 2), die(6, 2)].sizes", "[d6, d6]"}, {"[die(8, 5), die(6, 5), die(6, 5)].sparing.sizes", "[d8, d6, d6]"},
		{"[die(8, 5), die(6, 5)].above(4).size", "2"}, {"[die(8, 5), die(6, 5)].below(5).size", "0"}, {"[die(8, 5), die(6, 5), die(6, 4)].showing(5).sizes", "[d8, d6]"},
		{"[4, 2, 4, 2].largest_set", "2"}, {"keep([die(8, 5), die(8, 5)]).size", "2"},
		{"[d6, d6].explode(6, 1).size", "2"}, {"[d6, d6].reroll(1, 1).size", "2"},
	}
	for _, b := range code.Functions {
		called := regexp.MustCompile(`\b` + regexp.QuoteMeta(b.Name) + `\b`)
		if b.On != code.OnAll && b.On&code.OnList != 0 && !slices.ContainsFunc(edges, func(x [2]string) bool { return called.MatchString(x[0]) }) {
			t.Errorf("no case of %s: what does it make of equal elements?", b.Name)
		}
	}
	for _, x := range edges {
		if got, err := reports(x[0]); err != nil || len(got) != 1 || got[0] != x[1] {
			t.Errorf("%s gives %s, %v, not %s", x[0], got, err, x[1])
		}
	}
}

// What odds say of a function of thrown dice is what runs say of each throw of them, also where dice show the same.
func TestFunctionsInOddsAndInRuns(t *testing.T) {
	dice, compared := [...]string{"4d3", "2d4 + 2d3"}, 0
	for _, b := range code.Functions {
		if b.On != code.OnList|code.OnDie && b.On != code.OnList {
			continue
		}
		for _, args := range []string{"", "2", "1..2", "[3, 2]"} {
			if n := len(args); n == 0 != (b.Min == 1) || b.Name == code.Draw || b.Name == "explode" || b.Name == "reroll" {
				continue
			}
			for k, pool := range dice {
				expr := "(throw " + pool + ")." + b.Name
				if args != "" {
					expr += "(" + args + ")"
				}
				o, err := odds.Of(t.Context(), session(t, ""), lang.NewSource("", "report "+expr), odds.Config{Exact: true})
				if err != nil || o.Certain() != nil {
					continue // it takes something else
				}
				want := map[string]*big.Rat{}
				each := big.NewRat(1, []int64{81, 144}[k])
				top := []int{3, 4}[k]
				for i := range top * top * 9 {
					faces := fmt.Sprint(i/9%top+1, " ", i/9/top+1, " ", i%3+1, " ", i/3%3+1)
					got, err := reports(fmt.Sprintf("0\ndice %s\nreport %s", faces, expr))
					if err != nil || len(got) != 2 {
						t.Fatalf("%s of %s: %q, %v", expr, faces, got, err)
					}
					if want[got[1]] == nil {
						want[got[1]] = new(big.Rat)
					}
					want[got[1]].Add(want[got[1]], each)
				}
				compared++
				for _, e := range o.Ends {
					shown := cmp.Or(e.Shown[0], "none")
					if want[shown] == nil || want[shown].Cmp(e.Exact) != 0 {
						t.Errorf("%s: %s has %v, and by runs %v", expr, shown, e.Exact, want[shown])
					}
					delete(want, shown)
				}
				if len(want) > 0 {
					t.Errorf("%s: odds know nothing of %v", expr, want)
				}
			}
		}
	}
	if compared < 60 {
		t.Errorf("only %d calls were compared", compared)
	}
}

// A list is a list already, and to say so leaves nothing behind that a later mistake is taken for.
func TestListOfAList(t *testing.T) {
	const rules = `
sheet frog { }
rule weights = [1, 2]
verb leap {
  needs weights().list.size == 2 "it leaps twice"
  clause by: by (n whole 1..)
  do { }
}
frog Pad { }
let n = 0
Pad: leap by n
`
	err := interp.NewSession(interp.Config{}).Exec(t.Context(), lang.NewSource("", rules))
	if want := "expected 1 or more, got 0"; err == nil || messageOf(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
