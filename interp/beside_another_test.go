package interp_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
)

// idle are special rules that do nothing, for everybody and everything that has special rules in a system.
var idle = map[string]string{
	"cah":           `feature idle "does nothing" on every trait { }; feature calm "does nothing" on every character { }; feature dull "does nothing" on every goons { }`,
	"unisystem":     `feature idle "does nothing" on every character { }`,
	"clichenimatic": `feature idle "does nothing" on every runoff { }; feature calm "does nothing" on every character { }`,
}

// priced tells of a case that counts or shows what somebody has.
var (
	firstUse = regexp.MustCompile(`(?m)^use (?:.*,\n)*.*$`)
	priced   = regexp.MustCompile(`\b(audit|costs?|cost_of|shown|shared_rules|card|creative|print)\b|as [A-Z_]+ \[`)
)

// A special rule answers as it does alone where another that does nothing stands beside it: each case reads the
// same, but for those in which what somebody has is counted or shown.
func TestSpecialRuleBesideAnother(t *testing.T) {
	if *update {
		t.Skip("the cases are written by TestCorpus")
	}
	for system, rules := range idle {
		files, err := filepath.Glob("../testdata/" + system + "/*.scene")
		if err != nil {
			t.Fatal(err)
		}
		if interp.RulesFolder == "" {
			files = longtest.Some(files, 4)
		}
		t.Run(system, func(t *testing.T) {
			for _, file := range files {
				src := scene(t, file)
				if priced.MatchString(src.Text) {
					continue
				}
				t.Run(filepath.Base(file), func(t *testing.T) {
					text := firstUse.ReplaceAllString(src.Text, "$0; "+rules)
					p := playSource(t, filepath.Dir(file), lang.NewSource(src.Name, text), corpusSeed, nil)
					if p.err != nil {
						t.Fatal(failed(p.err))
					}
					golden(t, strings.TrimSuffix(file, ".scene")+".out", p.text)
				})
			}
		})
	}
}
