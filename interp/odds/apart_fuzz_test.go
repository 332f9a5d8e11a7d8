package odds

import (
	"context"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// FuzzOddsApart: odds that merge equal states and remember what they have
// followed are those of odds that do neither, whatever the text.
func FuzzOddsApart(f *testing.F) {
	rules, err := os.ReadFile("../../testdata/cli/tiny.rules")
	if err != nil {
		f.Fatal(err)
	}
	folder := fstest.MapFS{"tiny.rules": {Data: rules}}
	for _, text := range []string{
		"report (throw 2d6).sum",
		"use tiny\nroll\nroll twice\nreport Hero.n > 12",
		"use tiny\nrepeat 2 { roll }\nif Hero.n > 9 { double }\nreport Hero.n",
		"let n = 0\nrepeat 3 { n += (throw d4).face }\nreport n, n > 6",
		"let p = throw 3d6\nlet q = throw d8\nreport p.keep(2).sum > q.face",
		"let x = throw d6\nwhile x.face < 3 { x = throw d6 }\nreport x.face",
		"let l = [throw d4, throw d4]\nreport l.sorted, l.size",
	} {
		f.Add(text)
	}
	limits := interp.Limits{Steps: 3_000, Depth: 40, Size: 300, Dice: 100, Output: 1 << 13, Time: 2 * time.Second, Memory: 1 << 20}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 600 {
			return
		}
		s := interp.NewSession(interp.Config{Folder: folder, Limits: limits})
		p, err := core.Of(s).Prepare(context.Background(), lang.NewSource("", text))
		if err != nil {
			return
		}
		sameDistributions(t, text, p, 300)
	})
}
