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
