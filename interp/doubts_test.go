package interp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/verify"
	"setpiece/lang"
)

// raceRules are rules that warn of what is allowed and hardly meant.
const raceRules = `system brawl
sheet runner "somebody" { pace whole = 2; tired truth }
option slow_start = no | yes
verb race (course one of (hill, road)) {
  warns not lead and slow_start == no "nobody leads {course}: say  lead 3"
  clause lead: lead (n whole 0..)
    needs n < 5 "nobody leads by {n}"
    warns n == 0 "a lead of {n} is none" at n
  clause shoes: shoes [(old word)]
    warns who.tired "{who.name} is tired, and shoes do not help"
  do { who.pace += 1 }
}
verb stroll { do { if who.pace > 4 { warn "{who.name} has run far" } } }
`

// check warns of what the script alone decides, and of nothing else; nothing is refused.
func TestDoubts(t *testing.T) {
	const ann = "runner Ann { }\n"
	for _, c := range []struct {
		script string
		want   []string
	}{
		{"Ann: race hill", []string{"race: nobody leads hill: say  lead 3"}},
		{"Ann: race hill lead 2", nil},
		{"Ann: race hill lead 0", []string{"0: a lead of 0 is none"}},
		{"let n = (throw d2).face - 1\nAnn: race hill lead n", nil},
		{"if yes { Ann: race road }", []string{"race: nobody leads road: say  lead 3"}},
		{"Ann: race hill lead 2 shoes old", nil},
		{"tactics Ann { when Ann.tired: race hill; otherwise: race road lead 1 }", []string{"race: nobody leads hill: say  lead 3"}},
		{"warns \"nobody leads\" { Ann: race hill }", nil},
	} {
		if got := warnings(t, raceRules, ann+c.script); !slices.Equal(got, c.want) {
			t.Errorf("%s: check reports %q, want %q", c.script, got, c.want)
		}
	}
}

// A run warns before anything of the command has happened, and not of a command that is refused.
func TestDoubtsOfARun(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"Ann: race hill", "nobody leads hill: say  lead 3; pace 2 -> 3"},
		{"let n = 0\nAnn: race hill lead n", "a lead of 0 is none; pace 2 -> 3"},
		{"let n = 7\nrefused \"by 7\" { Ann: race hill lead n }", ""},
		{"Ann.tired = yes\nAnn: race hill lead 1 shoes old", "tired no -> yes; Ann is tired, and shoes do not help; pace 2 -> 3"},
		{"warns \"nobody leads road\" { Ann: race road }", "nobody leads road: say  lead 3; pace 2 -> 3"},
	} {
		var got []string
		s := interp.NewSession(interp.Config{
			Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(raceRules)}},
			Events: func(e *interp.Event) {
				switch e.Kind {
				case interp.EventWarn:
					got = append(got, e.Text)
				case interp.EventChange:
					got = append(got, e.Field+" "+e.From+" -> "+e.To)
				}
			},
		})
		if err := s.Exec(context.Background(), lang.NewSource("", "use brawl\nrunner Ann { }\n"+c.script)); err != nil {
			t.Errorf("%s: %v", c.script, err)
		} else if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.script, got, c.want)
		}
	}
}

// An option may make what is warned of usual.
func TestDoubtsOfAnOption(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(raceRules)}}})
	ds := s.Check(lang.NewSource("", "use brawl with slow_start = yes\nrunner Ann { }\nAnn: race hill"))
	if len(ds) != 0 {
		t.Errorf("check reports %v", ds)
	}
}

// A strict check warns of what trials are warned of, once for each line that led to it, and of
// what the script alone decides no second time.
func TestStrictOnDoubts(t *testing.T) {
	cfg := interp.Config{Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(raceRules)}}}
	text := "use brawl\nrunner Ann { }\nAnn: race hill\nrepeat 3 { Ann: race hill lead 1 }\nAnn: stroll\nif (throw d6).face > 0 { Ann: stroll }\n"
	ds, err := verify.Strict(t.Context(), cfg, lang.NewSource("", text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range ds {
		got = append(got, d.Src.Text[d.Start:d.End]+": "+d.Message)
	}
	want := []string{"race: nobody leads hill: say  lead 3", "Ann: stroll: Ann has run far", "Ann: stroll: Ann has run far"}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// warnings is what a check of a script warns of, each with the text that it is about.
func warnings(t *testing.T, rules, script string) (out []string) {
	t.Helper()
	for _, d := range checked(t, rules, script) {
		if d.Severity != lang.Warning {
			t.Errorf("%s: %s is no warning", script, d)
		}
		out = append(out, d.Src.Text[d.Start:d.End]+": "+d.Message)
	}
	return out
}
