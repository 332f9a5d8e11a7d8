package interp_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/lang"
)

// lackRules are rules in which fights go by `life`, and only theirs: sailors need none.
const lackRules = `system brawl
sheet person "anybody" {
  life whole 0.. = 0 needed by fight, chase "what it can lose; 0: no end of it"
  wits whole = 2
}
sheet sailor is person { life whole 0.. = 0 }
verb fight { do { print "they fight" } }
verb chase { do { print "they run" } }
verb talk { do { print "they talk" } }
`

// check warns of a sheet that leaves out what a verb of the script needs, and of nothing else.
func TestLacking(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         []string
	}{
		{"nothing on the sheet", "person Ann\nfight\n", []string{"Ann: Ann has no life, and fight needs it"}},
		{"left out", "person Ann { wits 3 }\nfight\n", []string{"Ann: Ann has no life, and fight needs it"}},
		{"each of several is reported once", "person Rat x3\nperson Ann\nchase\n", []string{"Rat: Rat has no life, and chase needs it", "Ann: Ann has no life, and chase needs it"}},
		{"in a block", "person Ann\nif yes { chase }\n", []string{"Ann: Ann has no life, and chase needs it"}},
		{"given", "person Ann { life 3 }\nfight\n", nil},
		{"the default is meant", "person Ann { life 0 }\nfight\n", nil},
		{"set later", "person Ann\nAnn.life = 4\nfight\n", nil},
		{"a sheet that needs none", "sailor Ann\nfight\n", nil},
		{"no verb needs it", "person Ann\ntalk\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range checked(t, lackRules, c.script) {
				if d.Severity != lang.Warning {
					t.Errorf("%s is no warning", d)
				}
				got = append(got, d.Src.Text[d.Start:d.End]+": "+d.Message)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("check reports %q, want %q", got, c.want)
			}
		})
	}
}

// A field that is needed by a verb that does not exist is a mistake.
func TestNeededByNoVerb(t *testing.T) {
	const rules = "system brawl\nsheet person { life whole needed by figth }\nverb fight { do { } }\n"
	ds := checked(t, rules, "person Ann\n")
	if len(ds) != 1 || ds[0].Severity != lang.Error || ds[0].Src.Text[ds[0].Start:ds[0].End] != "figth" {
		t.Errorf("check reports %v, want a mistake at figth", ds)
	}
}

func checked(t *testing.T, rules, script string) lang.Diagnostics {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"brawl/brawl.rules": {Data: []byte(rules)}}})
	return s.Check(lang.NewSource("brawl.scene", "use brawl\n"+script))
}
