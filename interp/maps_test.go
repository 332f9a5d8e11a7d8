package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A map is written as it is shown: in a script, over lines, on a sheet, and as what a field
// is set to. What is shown reads back as the same map.
func TestMapsAreWrittenAsTheyAreShown(t *testing.T) {
	const sheets = "sheet person { marks map; luck number }\nperson Ann { marks {HURT: d8, \"sore head\": d6}; luck 2 }\n"
	for _, x := range []struct{ script, want string }{
		{"report ({})", "{}"},
		{"let m = {}\nreport m", "{}"},
		{sheets + "Ann.marks = {}\nreport Ann.marks", "{}"},
		{"report {a: 1, \"b\": [d6, d8], 3: {c: yes}}", `{3: {c: yes}, "b": [d6, d8], a: 1}`},
		{"report {3: {c: yes}, \"b\": [d6, d8], a: 1}", `{3: {c: yes}, "b": [d6, d8], a: 1}`},
		{"report {\n  a: 1,\n  b: 2,\n}", "{a: 1, b: 2}"},
		{"let m = {a: 1, \"b\": 1 + 2}\nreport m[\"b\"]", "3"},
		{sheets + "report Ann.marks", `{"HURT": d8, "sore head": d6}`},
		{sheets + "Ann.marks = {HURT: d10}\nreport Ann.marks", `{"HURT": d10}`},
		{sheets + "let m = {Ann: 1}\nreport m[Ann]", "1"},
		{"if {a: 1} == {\"a\": 1} { report 1 } else { report 2 }", "2"},
	} {
		got := ""
		s := interp.NewSession(interp.Config{Events: func(e *interp.Event) {
			if e.Kind == interp.EventReport && got == "" {
				got = e.Value
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("", x.script)); err != nil {
			t.Errorf("%s: %s", x.script, failed(err))
		} else if got != x.want {
			t.Errorf("%s: %s, want %s", x.script, got, x.want)
		}
	}
	for script, want := range map[string]string{
		"report {a: 1, a: 2}": "the map has the key a twice",
		"report {a: 1":        "",
		"report {a 1}":        "",
	} {
		err := interp.NewSession(interp.Config{}).Exec(context.Background(), lang.NewSource("", script))
		var ds lang.Diagnostics
		if !errors.As(err, &ds) || !strings.Contains(ds[0].Message, want) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// What a sheet says of a field with a lifetime is true in the first span of that kind, for
// odds as well, and over at its end.
func TestSheetsOutlastTheBeginning(t *testing.T) {
	const fight = `
dice 6
scene "One" action { heroes Nova; villains Fang; %s; Fang: attack Nova with BITE against AGILE; report Nova.setbacks, Nova.defeated }
scene "Two" action { report Nova.setbacks, Nova.defeated }
`
	const sheets = "use cah\nhero Nova { star 3; AGILE 2; oomph 0%s }\nvillain Fang { star 3; BITE 3 }\n"
	said := chances(t, fmt.Sprintf(sheets, "; setbacks 3")+fmt.Sprintf(fight, "print 1"))
	set := chances(t, fmt.Sprintf(sheets, "")+fmt.Sprintf(fight, "Nova.setbacks = 3"))
	if diff := cmp.Diff(set, said); diff != "" || len(said) < 2 {
		t.Errorf("said on the sheet and set in the scene (-set +said):\n%s\n%v", diff, said)
	}
}

// A scene may begin with somebody stressed, hindered, or with a thing at hand: the sheet
// says so.
func TestStateOnSheets(t *testing.T) {
	for _, x := range []struct{ script, want string }{
		{"use marvel\nhero Nova { SOLO d8; pp 1; stress {physical: d8}; complications {STUCK: d6} }\nreport Nova.stress, Nova.complications", `{"physical": d8} {"STUCK": d6}`},
		{"use firefly\ncrew Kay { MENTAL d8; SHOOT d8; pp 1; complications {SHAKEN: d8}; lasting {PLAN: d6} }\nreport Kay.complications, Kay.lasting", `{"SHAKEN": d8} {"PLAN": d6}`},
		{"use cah\nhero Nova { star 3; oomph 3; setbacks 2; PUNCH 4 }\nreport Nova.setbacks", "2"},
		{"use unisystem\ncast Priya { life 30; damage 12 }\nreport Priya.damage", "12"},
	} {
		var got []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			if e.Kind == interp.EventReport {
				got = append(got, e.Value)
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("", x.script)); err != nil {
			t.Errorf("%s: %s", x.script, failed(err))
		} else if all := strings.Join(got, " "); all != x.want {
			t.Errorf("%s: %s, want %s", x.script, all, x.want)
		}
	}
}
