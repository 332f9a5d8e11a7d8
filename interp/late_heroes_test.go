package interp_test

import (
	"context"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Who was brought into a scene and is not named by the next is told to the game master there, with the line that brings them in.
func TestLateHeroOfTheNextScene(t *testing.T) {
	for system, sheet := range map[string]string{"cah": "hero", "clichenimatic": "hero", "firefly": "crew", "marvel": "hero", "unisystem": "cast"} {
		var told []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			if e.Kind == interp.EventNote && strings.Contains(e.Text, "not in this scene") {
				told = append(told, e.Text)
			}
		}})
		text := "use " + system + "\n" + sheet + " Ann { }\n" + sheet + " Bo { }\n" +
			"scene \"A\" { heroes Ann }\nscene \"B\" { heroes Ann; heroes Bo }\nscene \"C\" { heroes Ann }\nscene \"D\" { heroes Ann, Bo }"
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Errorf("%s: %v", system, err)
		}
		if got := strings.Join(told, "; "); got != `Bo is not in this scene; write  heroes "Bo"  to bring them in` {
			t.Errorf("%s: told %q", system, got)
		}
	}
}

// Where those who were there stand in another group than as many as they are now, the game master reads the line that changes it.
func TestLateHeroIsGrouped(t *testing.T) {
	for script, want := range map[string]string{
		"heroes Ann, Bo\ngroup Ann, Bo as buddy\nheroes Cy":          `Ann buddy, Bo buddy, Cy team; all together, write  group "Ann", "Bo", "Cy" as team`,
		"heroes Ann\ngroup Ann as solo\nheroes Bo":                   `Ann solo, Bo buddy; all together, write  group "Ann", "Bo" as buddy`,
		"heroes Ann, Bo\nheroes Cy":                                  "", // nobody said how
		"heroes Ann, Bo\ngroup Ann, Bo as team\nheroes Cy":           "",
		"heroes Ann, Bo\ngroup Ann, Bo as buddy\nvillains Imp":       "",
		"heroes Ann, Bo, Dee\ngroup Ann, Bo as buddy\nheroes Cy":     "", // Dee has no such die
		"heroes Ann, Bo, Cy\ngroup Ann, Bo, Cy as team\nexit Bo, Cy": "",
	} {
		var told []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			if e.Kind == interp.EventNote && strings.Contains(e.Text, "group") {
				told = append(told, e.Text)
			}
		}})
		text := "use marvel\nhero Ann { solo d8; buddy d6; team d10 }\nhero Bo { solo d8; buddy d6; team d10 }\nhero Cy { solo d8; buddy d6; team d10 }\nhero Dee { solo d6 }\nwatcher Imp { solo d6 }\nscene \"A\" action {\n" + script + "\n}"
		err := s.Exec(context.Background(), lang.NewSource("", text))
		if got := strings.Join(told, "; "); err != nil || got != want {
			t.Errorf("%s: told %q (%v), want %q", script, got, err, want)
		}
		if _, line, ok := strings.Cut(want, "write  "); ok {
			if err := s.Exec(context.Background(), lang.NewSource("", line)); err != nil {
				t.Error(err)
			}
		}
	}
}
