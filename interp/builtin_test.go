package interp_test

import (
	"context"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/code"
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

// What examples do not show: lists of even size, equal elements, nothing, and numbers below zero.
func TestEdgesOfFunctions(t *testing.T) {
	for _, x := range [][2]string{
		{"[4, 2, 9, 7].middle", "4"}, {"[4, 2, 9, 7].middle(2)", "[7, 4]"}, {"[].middle", "none"},
		{"[4, 2, 4].highest(2)", "[4, 4]"}, {"[4, 2, 4].lowest(2)", "[2, 4]"}, {"[].highest", "none"}, {"[].max", "none"},
		{"[4, 2, 4].drop_highest", "[2, 4]"}, {"[4, 2, 4].drop_lowest", "[4, 4]"},
		{"[4, 2, 4].index(4)", "1"}, {"[2, 4, 2].distinct", "[2, 4]"}, {"[[4], []].flat", "[4]"},
		{"[].largest_set", "0"}, {"[4, 4, 9, 4].pairs", "1"}, {"[5, 3, 4, 4, 7].straight", "3"}, {"[7, 2].straight", "1"},
		{"[4, 2, 4].count(4)", "2"}, {"[4, 2, 9].count(2..4)", "2"}, {"[6, 5, 3].exceeding([6, 4])", "1"},
		{"[4, 2].take(0)", "[]"}, {"[4, 2].drop(2)", "[]"}, {"[].sum", "0"}, {"[].first", "none"}, {"copies(0, d6)", "[]"},
		{"floor(-7 / 2)", "-4"}, {"ceil(-7 / 2)", "-3"}, {"round(-5 / 2)", "-2"},
	} {
		if got, err := reports(x[0]); err != nil || len(got) != 1 || got[0] != x[1] {
			t.Errorf("%s gives %s, %v, not %s", x[0], got, err, x[1])
		}
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
