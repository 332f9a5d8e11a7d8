package interp_test

import (
	"slices"
	"testing"

	"setpiece/lang"
)

// overwriteRules are rules in which an episode gives everybody one point of luck, and grit
// only to those who have none.
const overwriteRules = `system brawl
spans turn > episode
hook begins(span)
sheet person "anybody" {
  luck whole = 1
  grit whole = 1
}
verb episode without actor { block; do { begin episode; run block; end episode } }
verb talk (whom person) { do { print whom.luck } }
on begins(span) when span == episode {
  for x in instances(person) {
    @luck.start "Everybody begins with one point."
    x.luck = 1
    if x.grit < 1 { x.grit = 1 }
  }
}
`

// check warns of what a sheet says and the rules set when the first span begins.
func TestOverwritten(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         []string
	}{
		{"lost", "person Ann { luck 3 }\nepisode { talk Ann }\n", []string{"3: set it in the episode:  Ann.luck = 3"}},
		{"each of several is reported once", "person Rat x3 { luck 3 }\nepisode { }\n", []string{`3: set it in the episode:  "Rat 1".luck = 3`}},
		{"what the field has anyway", "person Ann { luck 1 }\nepisode { talk Ann }\n", nil},
		{"set for some only", "person Ann { grit 3 }\nepisode { talk Ann }\n", nil},
		{"set later", "person Ann { luck 3 }\nepisode { Ann.luck = 3 }\n", nil},
		{"used before", "person Ann { luck 3 }\ntalk Ann\nepisode { talk Ann }\n", nil},
		{"no episode", "person Ann { luck 3 }\ntalk Ann\n", nil},
		{"in a test only", "person Ann { luck 3 }\ntest \"x\" { episode { talk Ann } }\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range checked(t, overwriteRules, c.script) {
				if d.Severity != lang.Warning {
					t.Errorf("%s is no warning", d)
				}
				got = append(got, d.Src.Text[d.Start:d.End]+": "+d.Help)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("check reports %q, want %q", got, c.want)
			}
		})
	}
}
