package verify_test

import (
	"io/fs"
	"path"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
	"setpiece/testdata"
)

// TestCasesPlayEveryRule: each rule of a system that has an id and code is played by one of the
// short scenes beside it. The short form looks at one system.
func TestCasesPlayEveryRule(t *testing.T) {
	systems := []string{"firefly", "cah", "clichenimatic", "marvel", "unisystem"}
	for _, system := range systems[:longtest.Many(len(systems), 1)] {
		names, err := fs.Glob(testdata.Cases, system+"/*.scene")
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no cases, %v", system, err)
		}
		var c verify.Cover
		for _, name := range names {
			text, err := fs.ReadFile(testdata.Cases, name)
			if err != nil {
				t.Fatal(err)
			}
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			_, _ = c.Tests(t.Context(), s, lang.NewSource(path.Base(name), string(text))) // some end as they should, in a mistake
		}
		for _, s := range c.Systems {
			if sum := s.Sum(); s.System == system && (sum.AllRules < 50 || sum.AllLines < 500 || sum.Lines > sum.AllLines) {
				t.Errorf("%s: %+v", system, sum)
			}
			for _, r := range s.Rules {
				if len(r.By) == 0 {
					t.Errorf("no case plays %s: %s", r.ID, r.Doc)
				}
			}
		}
	}
}
