package interp_test

import (
	"context"
	"encoding/json"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
)

// Each kind of value has one shape in JSON, and reads back as what it was.
func TestValuesAsJSON(t *testing.T) {
	for _, x := range []struct{ script, want string }{
		{"report 3", `3`},
		{"report -5 / 2", `-2.5`},
		{"report 1 / 3", `{"fraction":"1/3"}`},
		{"report 2 > 1", `true`},
		{"report no", `false`},
		{"report none", `null`},
		{`report "a <b> \"c\""`, `"a <b> \"c\""`},
		{"sheet person { mood one of (calm, wild) = wild }\nperson Ann\nreport Ann.mood", `"wild"`},
		{"let d = d6\nreport d", `{"die":6}`},
		{"let d = d12+\nreport d", `{"die":12,"pluses":1}`},
		{"dice 4\nreport throw d6", `4`},
		{"dice 4\nreport [throw d6]", `[{"die":6,"face":4}]`},
		{"report 1..", `{"range":[1,null]}`},
		{"report [1, [yes, d%]]", `[1,[true,{"die":100}]]`},
		{"report []", `[]`},
		{"report map()", `{"map":{}}`},
		{"report map().put(\"physical\", d10).put(2, none)", `{"map":{"2":null,"physical":{"die":10}}}`},
		{"report map().put(1, 5).put(\"1\", 6)", `{"map":{"1":5,"\"1\"":6}}`},
		{"sheet person { luck number }\nperson Ann { luck 2 }\nreport Ann", `"Ann"`},
	} {
		var got string
		s := interp.NewSession(interp.Config{Events: func(e *interp.Event) {
			if e.Kind == interp.EventReport {
				b, err := json.Marshal(e.Data)
				if err != nil {
					t.Error(err)
				}
				b2, _ := e.Data.MarshalJSON()
				if got = string(b2); len(b) < len(b2) {
					t.Errorf("%s: %s", x.script, b)
				}
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("", x.script)); err != nil {
			t.Errorf("%s: %v", x.script, err)
			continue
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.script, got, x.want)
		}
		var back interp.Value
		if err := json.Unmarshal([]byte(got), &back); err != nil {
			t.Errorf("%s: %v", got, err)
			continue
		}
		if again, _ := back.MarshalJSON(); string(again) != got {
			t.Errorf("%s reads as %s", got, again)
		}
	}
	for _, bad := range []string{`{}`, `{"die":0}`, `{"die":6,"face":7}`, `{"die":12,"pluses":0}`, `{"die":12,"pluses":16}`, `{"fraction":"2/4"}`, `{"range":[1]}`, `{"map":3}`, `1e400`, `{"die":6,"more":1}`} {
		var v interp.Value
		if err := json.Unmarshal([]byte(bad), &v); err == nil {
			t.Errorf("%s reads as %v", bad, v)
		}
	}
}
