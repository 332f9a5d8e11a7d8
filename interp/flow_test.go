package interp_test

import (
	"context"
	"fmt"
	"testing"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// flowOf gives the steps from scene to scene, each with its exact chance.
func flowOf(t *testing.T, script string) (*odds.Flow, []string) {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	scenes, src, err := odds.FlowScript(context.Background(), s, lang.NewSource("s", "use cah\n"+script))
	if err != nil {
		t.Fatal(err)
	}
	o, err := odds.Of(context.Background(), s, src, odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f := odds.FlowOf(scenes, o.Distribution(0), 0, 0)
	var steps []string
	for _, x := range f.Steps {
		title := func(i int) string {
			if i < 0 {
				return map[int]string{odds.FlowStart: "start", odds.FlowEnd: "end"}[i]
			}
			return scenes[i].Title
		}
		p := fmt.Sprintf("%.4f", x.P)
		if x.Exact != nil {
			p = x.Exact.RatString()
		}
		steps = append(steps, fmt.Sprintf("%s > %s %s", title(x.From), title(x.To), p))
	}
	return f, steps
}

// The chance of each step from scene to scene, by hand: a d6 shows 1 in a sixth of all cases.
func TestFlow(t *testing.T) {
	tests := map[string]struct {
		script string
		want   []string
	}{
		"in order": {
			`scene "A" { }
			 scene "B" { report 1 }`,
			[]string{"start > A 1", "A > B 1", "B > end 1"},
		},
		"a fork": {
			`scene "A" { }
			 if (throw d6).face == 1 { scene "B" { } } else { scene "C" { } }
			 scene "D" { }`,
			[]string{"start > A 1", "A > B 1/6", "A > C 5/6", "B > D 1", "C > D 1", "D > end 1"},
		},
		// C is as likely from A (1/2) as from B, where it takes one of three: of all ways
		// through B, half of a half, a third goes on to C.
		"two ways in": {
			`scene "A" { }
			 let n = (throw d4).face
			 if n <= 2 { scene "B" { }; if (throw d3).face == 1 { scene "C" { } } } else { scene "C" { } }`,
			[]string{"start > A 1", "A > B 1/2", "A > C 1/2", "B > C 1/3", "B > end 2/3", "C > end 1", "C > end 1"},
		},
		// Two tries at a door that opens on 1 or 2 of 6: a first try is always made, a second one
		// in 2/3; so of 5/3 tries 2/3 are followed by another.
		"again": {
			`let open = no
			 repeat 2 { if not open { scene "The door" { open = (throw d6).face <= 2 } } }`,
			[]string{"start > The door 1", "The door > The door 2/5", "The door > end 3/5"},
		},
		"an episode holds scenes": {
			`hero Nova { star 3 }
			 episode "E" { scene "A" { }; scene "B" { } }
			 test "t" { scene "no" { } }`,
			[]string{"start > A 1", "A > B 1", "B > end 1"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, steps := flowOf(t, tt.script)
			if fmt.Sprint(steps) != fmt.Sprint(tt.want) {
				t.Errorf("got  %q\nwant %q", steps, tt.want)
			}
		})
	}
	f, _ := flowOf(t, `scene "A" { }
		if (throw d6).face == 1 { scene "B" { } }`)
	if fmt.Sprintf("%.4f", f.Comes) != "[1.0000 0.1667]" {
		t.Errorf("scenes come up in %v", f.Comes)
	}
}
