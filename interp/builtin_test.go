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
		var got []string
		s := interp.NewSession(interp.Config{Events: func(e *interp.Event) {
			if e.Kind == interp.EventReport {
				got = append(got, e.Value)
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("", novaAndFang+"report "+expr)); err != nil {
			t.Errorf("%s: %v", b.Example, err)
			continue
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%s gives %s", b.Example, got)
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
