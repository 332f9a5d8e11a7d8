package handbook

import (
	"context"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// quickCast are those whom the examples of verbs name and the page does not; who acts where an
// example does not say it comes first.
var quickCast = map[string][2]string{
	"cah": {"Nova", `hero Brick { star 3; quality "Risk Taker"; DEMOLITIONS 4; STEADY_HANDS 2; PUNCH 3 }`},
	"clichenimatic": {"Zara", `hero Brick { }
task Wall { importance trivial }`},
	"firefly":   {"Mara", `crew Cass { MENTAL d8; TREAT d6; complications { SCALDED: d6 } }; ship Serenity { }; gmc Badger { }`},
	"marvel":    {"Nova", `hero Brick { stress { physical: d6 } }; watcher Goon { solo d6; gear CANNON d8 }`},
	"unisystem": {"Robin", `cast Mina { }; cast Tess { }; cast Willow { }; cast Doc { }; cast Malcolm { }`},
}

// Every system has a quick reference; its scripts run, and what its verbs give as examples is
// right.
func TestQuickReferences(t *testing.T) {
	for _, system := range interp.NewSession(interp.Config{Modules: stdlib.FS}).Available() {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if rules, _ := assist.Rules(s, system); len(rules) == 0 {
			continue
		}
		t.Run(system, func(t *testing.T) {
			if _, err := stdlib.FS.Open(system + "/quick.md"); err != nil {
				t.Fatal(err)
			}
			q, err := NewQuick(context.Background(), interp.Config{Modules: stdlib.FS}, system, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			if err := s.Exec(context.Background(), lang.NewSource("quick.scene", q.Script()+quickCast[system][1])); err != nil {
				t.Fatal(err)
			}
			for _, sec := range q.Sections {
				for _, p := range sec.Parts {
					for _, r := range p.Rows {
						if r.Example != "" {
							if strings.HasPrefix(r.Form, "WHO: ") && strings.HasPrefix(r.Example, strings.Fields(r.Form)[1]) {
								r.Example = quickCast[system][0] + ": " + r.Example
							}
							for _, d := range s.Check(lang.NewSource("", r.Example)) {
								t.Errorf("%s\n%s", r.Example, d.Message)
							}
						}
					}
				}
			}
		})
	}
}
