package interp_test

import (
	"slices"
	"testing"
)

// sideRules are rules in which both sides of a blow may put in the same.
const sideRules = `system brawl
sheet fighter "somebody" { luck whole = 2; bold truth = no; traits trait many as CAPS }
sheet hero is fighter of players { bold truth = yes }
sheet trait { rating whole = 0 }
clauses effort(acting = no) {
  clause push: spend luck push
  clause duck: spend luck duck
    needs not acting "only who resists can duck"
  clause roar: spend luck roar
    needs who.bold "{who.name} is not bold"
  clause steady
  clause link: link (linked trait of who)
}
verb hit (foe fighter) {
  clause against: against (guard trait of foe) { uses effort as theirs }
  clause using: with (arm trait)
  uses effort(acting: yes) as mine
  do { foe.luck -= if theirs.push then 1 else 0 }
}
`

// A clause after that of the other side is theirs, comma or not; check warns where it could
// be meant for whoever acts and the rules allow it.
func TestWhoseClauseItIs(t *testing.T) {
	const people = "hero Pip { FAST 3 }\nfighter Ox { HORN 3, HIDE 1 }\n"
	const pip = "this is for Pip, because it stands after  against: if Ox is meant, write it before  against"
	const ox = "this is for Ox, because it stands after  against: if Pip is meant, write it before  against, else leave out the comma"
	for _, c := range []struct {
		script string
		want   []string
	}{
		{"Ox: hit Pip against FAST, spend luck push", []string{"spend luck push: " + pip}},
		{"Ox: hit Pip against FAST spend luck push", []string{"spend luck push: " + pip}},
		{"Ox: hit Pip against FAST, steady", []string{"steady: " + pip + ", else leave out the comma"}},
		{"Ox: hit Pip against FAST steady", nil},
		{"Ox: hit Pip spend luck push against FAST", nil},
		{"Ox: hit Pip spend luck push against FAST, spend luck push", nil},
		{"Ox: hit Pip against FAST, spend luck duck", nil},
		{"Ox: hit Pip against FAST spend luck roar", nil},
		{"Ox: hit Pip against FAST, link FAST", nil},
		{"Ox: hit Pip against FAST with HORN, spend luck push", nil},
		{"Pip: hit Ox against HIDE, spend luck push", []string{"spend luck push: " + ox}},
		{"Pip: hit Ox against HIDE spend luck push", nil},
		{"tactics Ox { otherwise: hit Pip against FAST, spend luck push }", []string{"spend luck push: " + pip}},
		{"refused { Ox: hit Pip against FAST, spend luck push }", nil},
	} {
		if got := warnings(t, sideRules, people+c.script); !slices.Equal(got, c.want) {
			t.Errorf("%s: check reports %q, want %q", c.script, got, c.want)
		}
	}
}
