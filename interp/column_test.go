package interp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// What a script reports has a name: its own, or else what is written there. Scenes
// tell apart what is reported under the same name.
func TestReportColumns(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"as it is written", "let a = 1\nreport a, a + 1", []string{"a", "a + 1"}},
		{"under a name", "let a = 1\nreport a as turns, a + 1 as \"the next\", a as Total", []string{"turns", "the next", "Total"}},
		{"in scenes", "use duel\nscene \"At the dam\" { report 1 as n, 2 }\nscene \"The street\" { report 3 as n }",
			[]string{"n (At the dam)", "2", "n (The street)"}},
		{"in a scene and outside", "use duel\nscene \"At the dam\" { report 1 as n }\nreport 3 as n", []string{"n (At the dam)", "n (2)"}},
		{"twice in a scene", "use duel\nscene \"A\" { report 1 as n; report 2 as n }", []string{"n", "n (2)"}},
		{"in a round of a scene", "use duel\nscene \"A\" { round 1 { report 1 as n } }\nscene \"B\" { report 2 as n }", []string{"n (A)", "n (B)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := duelSession(t, nil, nil)
			o, err := odds.Of(context.Background(), s, lang.NewSource("test", strings.TrimPrefix(tt.text, "use duel\n")+"\n"), odds.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, o.Columns); d != "" {
				t.Error("-want +got\n", d)
			}
		})
	}
	s := interp.NewSession(interp.Config{})
	err := s.Exec(context.Background(), lang.NewSource("test", "report 1 as 2\n"))
	if err == nil || !strings.Contains(err.Error(), "the name of a column must be a word or a plain text") {
		t.Error(err)
	}
}

// Where something was not followed no weight is a fraction: the rest may end so, too.
func TestFractionsOnlyWhereExact(t *testing.T) {
	for _, tt := range []struct {
		text  string
		exact bool
	}{
		{"report (throw 2d6).sum", true},
		{"let d = 6\nlet n = 0\nwhile d == 6 { d = (throw d6).face; n += 1 }\nreport n", false},
	} {
		o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("test", tt.text+"\n"), odds.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range o.Distribution(0).Points {
			if (p.Exact != nil) != tt.exact {
				t.Errorf("%s: the weight of %s is %v", tt.text, p.Shown, p.Exact)
			}
		}
	}
}
