package main

import (
	"slices"
	"strings"
	"testing"

	"setpiece/lang"
)

// Every change of a few rules, found by hand.
func TestPlaces(t *testing.T) {
	const rules = `rule wounded(x, least = 1) "hurt by 2 or more" {
  if x.harm < least and not x.out { return no }
  x.harm += max(d6, 3)
}
tactics Foe { when harm > 3: flee }
`
	want := []string{
		`rule wounded(x, least = 2) "hurt by 2 or more" {`,
		`rule wounded(x, least = 0) "hurt by 2 or more" {`,
		`if not (x.harm < least and not x.out) { return no }`,
		`if x.harm < least or not x.out { return no }`,
		`if x.harm <= least and not x.out { return no }`,
		`if x.harm > least and not x.out { return no }`,
		`if x.harm < least and x.out { return no }`,
		`if x.harm < least and not x.out { }`,
		`if x.harm < least and not x.out { return yes }`,
		``, // the whole if
		`x.harm -= max(d6, 3)`,
		``, // x.harm += …
		`x.harm += min(d6, 3)`,
		`x.harm += max(d8, 3)`,
		`x.harm += max(d4, 3)`,
		`x.harm += max(d6, 4)`,
		`x.harm += max(d6, 2)`,
	}
	var got []string
	for _, p := range places(lang.NewSource("x.rules", rules)) {
		for _, e := range p.edits {
			m := p.mutant(e)
			if strings.Count(m.text, "\n") != strings.Count(rules, "\n") {
				t.Errorf("%s: the lines have moved", m)
			}
			if m.rule != "rule wounded" {
				t.Errorf("%s: stands in %s", m, m.rule)
			}
			if _, mistakes := lang.Parse(lang.NewSource("x.rules", m.text)); len(mistakes) > 0 {
				t.Errorf("%s: %s", m, mistakes[0].Message)
			}
			got = append(got, m.after)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
