package transcript_test

import (
	"bytes"
	"errors"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/interp/transcript/transcripttest"
	"setpiece/lang"
)

// demolitions is the check of the user's own example.
func demolitions() *interp.Event {
	return &interp.Event{
		Kind: interp.EventCheck, Who: "Hero", Verb: "roll", Rule: "cah.check.trait",
		Dice: []interp.DieEvent{{Size: 12, Face: 7, Kept: true, For: "check", Rule: "cah.check.die"}},
		Parts: []interp.PartEvent{
			{Value: "4", Label: "DEMOLITIONS", Rule: "cah.check.rating"},
			{Value: "+1", Label: "link STEADY_HANDS", Note: "human tier", Rule: "cah.link.tier_bonus"},
			{Value: "+3", Label: "extra effort", Note: "1 oomph, 2 left", Rule: "cah.oomph.extra_effort"},
		},
		Outcome: "success",
		Fields: []interp.FieldValue{
			{Name: "total", Value: "15"}, {Name: "against", Value: "8"},
			{Name: "versus", Value: "DN 8"}, {Name: "margin", Value: "7"},
		},
		Events: []*interp.Event{{
			Kind: interp.EventChange, Depth: 1, Who: "Hero", Field: "oomph", From: "3", To: "2", Rule: "cah.oomph.spend",
		}},
	}
}

// duel is an opposed check: the reaction is a check inside.
func duel() *interp.Event {
	return &interp.Event{
		Kind: interp.EventCheck, Who: "Sludge Lord", Verb: "attack",
		Dice:    []interp.DieEvent{{Size: 12, Face: 3}, {Size: 12, Face: 8, Kept: true, Throw: 1}},
		Parts:   []interp.PartEvent{{Value: "+4", Label: "OOZING_PUNCH"}},
		Outcome: "success",
		Fields: []interp.FieldValue{
			{Name: "total", Value: "12"}, {Name: "against", Value: "10"}, {Name: "margin", Value: "2"},
		},
		Events: []*interp.Event{
			{
				Kind: interp.EventCheck, Depth: 1, Who: "Valorus", Verb: "reaction",
				Dice:   []interp.DieEvent{{Size: 12, Face: 7, Kept: true}},
				Parts:  []interp.PartEvent{{Value: "+3", Label: "DEXTROUS"}},
				Fields: []interp.FieldValue{{Name: "total", Value: "10"}},
			},
			{Kind: interp.EventDecision, Depth: 1, Who: "Sludge Lord", Decision: "reroll", Prompt: "Roll again?", Answer: "yes", By: "tactics", Rule: "cah.oomph.reroll"},
			{Kind: interp.EventChange, Depth: 1, Who: "Valorus", Field: "setbacks", From: "0", To: "1", Rule: "cah.crucial.opposed.success"},
		},
	}
}

var textCases = []struct {
	name   string
	opts   transcript.Options
	events []*interp.Event
	want   string
}{
	{"one check at the prompt has no heading", transcript.Options{Prompt: true}, []*interp.Event{demolitions()}, `
  d12                      7
  DEMOLITIONS             +4
  link STEADY_HANDS       +1   human tier                cah.link.tier_bonus
  extra effort            +3   1 oomph, 2 left           cah.oomph.extra_effort
  total                   15   vs DN 8   success by 7
`},
	{"two checks at the prompt have", transcript.Options{Prompt: true}, []*interp.Event{duel(), demolitions()}, `
Sludge Lord: attack
  Valorus: reaction
    d12                    7
    DEXTROUS              +3
    total                 10
  d12                  3, 8*
  OOZING_PUNCH            +4
  total                   12   vs 10   success by 2
  Sludge Lord: Roll again? yes, by tactics   cah.oomph.reroll
  Valorus: setbacks 0 -> 1   cah.crucial.opposed.success
Hero: roll
  d12                      7
  DEMOLITIONS             +4
  link STEADY_HANDS       +1   human tier                cah.link.tier_bonus
  extra effort            +3   1 oomph, 2 left           cah.oomph.extra_effort
  total                   15   vs DN 8   success by 7
`},
	{"trace tells all", transcript.Options{Trace: true}, []*interp.Event{demolitions()}, `
Hero: roll   cah.check.trait
  d12 check                7                             cah.check.die
  DEMOLITIONS             +4                             cah.check.rating
  link STEADY_HANDS       +1   human tier                cah.link.tier_bonus
  extra effort            +3   1 oomph, 2 left           cah.oomph.extra_effort
  total                   15   vs DN 8   success by 7    cah.check.trait
  Hero: oomph 3 -> 2   cah.oomph.spend
`},
	{"wide labels and values push the columns", transcript.Options{}, []*interp.Event{{
		Kind: interp.EventCheck, Who: "忍者", Verb: "roll",
		Dice: []interp.DieEvent{{Size: 10, Face: 9, Kept: true}, {Size: 8, Face: 8, Kept: true}, {Size: 8, Face: 1}, {Size: 100, Face: 42}},
		Parts: []interp.PartEvent{
			{Value: "+1", Label: "忍者の手裏剣の術と影分身の術", Note: "wide"},
			{Value: "+1000000", Label: "a label of thirty characters !"},
		},
	}}, `
忍者: roll
  d10 2d8 d%                 9*, 8*, 1, 42
  忍者の手裏剣の術と影分身の術          +1   wide
  a label of thirty characters !  +1000000
`},
	{"dice that fall together are so many, one thrown again is one", transcript.Options{}, []*interp.Event{{
		Kind: interp.EventCheck, Who: "Ann", Verb: "roll",
		Dice: []interp.DieEvent{{Size: 8, Face: 1, For: "two"}, {Size: 8, Face: 5, For: "two", Kept: true}, {Size: 12, Face: 7, For: "one", Throw: 1, Kept: true}, {Size: 12, Face: 5, For: "one", Throw: 2}},
	}}, `
Ann: roll
  2d8 two              1, 5*
  d12 one              7*, 5
`},
	{"what the end of a scene changes is one line", transcript.Options{}, []*interp.Event{
		{Kind: interp.EventSpan, Verb: "scene", Text: "A"},
		{Kind: interp.EventSpan, Verb: "scene", End: true},
		{Kind: interp.EventChange, Who: "Ann", Field: "luck", From: "3", To: "0", Reset: "scene", End: true},
		{Kind: interp.EventChange, Who: "Ann", Field: "hurt", From: "yes", To: "no", Reset: "scene", End: true},
		{Kind: interp.EventChange, Who: "Bo 1", Field: "down", From: "yes", To: "no", Reset: "scene", End: true},
		{Kind: interp.EventChange, Who: "Bo 2", Field: "down", From: "yes", To: "no", Reset: "scene", End: true},
		{Kind: interp.EventChange, Who: "Ann", Field: "luck", From: "0", To: "3", Reset: "scene", End: true},
		{Kind: interp.EventChange, Who: "Ann", Field: "zeal", From: "0", To: "2", Reset: "scene"},
		{Kind: interp.EventChange, Who: "Ann", Field: "zeal", From: "2", To: "1", Rule: "tiny.zeal"},
	}, `
scene  A
  end of scene: Ann hurt yes -> no · Bo 1, Bo 2 down yes -> no
  new scene: Ann zeal 0 -> 2
  Ann: zeal 2 -> 1   tiny.zeal
`},
	{"with trace each by itself", transcript.Options{Trace: true}, []*interp.Event{
		{Kind: interp.EventChange, Who: "Ann", Field: "luck", From: "3", To: "0", Reset: "scene", End: true, Rule: "tiny.luck"},
		{Kind: interp.EventChange, Who: "Ann", Field: "luck", From: "0", To: "3", Reset: "scene", End: true},
	}, `
  Ann: luck 3 -> 0   tiny.luck
  Ann: luck 0 -> 3
`},
	{"an outcome without a total", transcript.Options{}, []*interp.Event{{
		Kind: interp.EventCheck, Verb: "save", Outcome: "saved", Fields: []interp.FieldValue{{Name: "left", Value: "3"}, {Name: "note", Value: "3 left"}},
	}}, `
save
  outcome              saved   3 left
`},
	{"scenes, talk and reports", transcript.Options{}, []*interp.Event{
		{Kind: interp.EventModule, Name: "cah", Text: "Cartoon", Rules: 1},
		{Kind: interp.EventSpan, Verb: "scene", Text: "At the dam"},
		{Kind: interp.EventPrint, Text: "It rains."},
		{Kind: interp.EventNote, Text: "a door opens", Rule: "cah.talk.door"},
		{Kind: interp.EventSpan, Verb: "turn"},
		{Kind: interp.EventSpan, Verb: "scene", End: true},
		{Kind: interp.EventSpan, Verb: "scene", Text: "At the inn"},
		{Kind: interp.EventDecision, Decision: "reroll", Answer: "no", By: "default"},
		{Kind: interp.EventReport, Text: "winner", Value: "heroes"},
		{Kind: interp.EventReport, Text: "rounds", Value: "4"},
		{Kind: interp.EventFault, Text: "2 points too many", Rule: "cah.creation.points"},
		{Kind: interp.EventWarn, Text: "no signature", Rule: "cah.creation.signature"},
	}, `
scene  At the dam
It rains.
  note: a door opens   cah.talk.door

scene  At the inn
  winner              heroes
  rounds                   4
  fault: 2 points too many   cah.creation.points
  warning: no signature   cah.creation.signature
`},
	{"quiet", transcript.Options{Quiet: true}, []*interp.Event{
		duel(),
		{Kind: interp.EventSpan, Verb: "scene", Text: "At the dam"},
		{Kind: interp.EventReport, Text: "rounds", Value: "4"},
	}, `
  rounds                   4
`},
	{"a module introduces itself at the prompt", transcript.Options{Prompt: true}, []*interp.Event{
		{Kind: interp.EventModule, Name: "cah", Text: "Cartoon Action Hour", Rules: 214, Verbs: 1, OptionsN: 46},
		{Kind: interp.EventValue, Value: "15"},
	}, `
cah  Cartoon Action Hour · 214 rules · 1 verb · 46 options
15
`},
}

func TestText(t *testing.T) {
	for _, c := range textCases {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			w := transcript.NewText(&b, c.opts)
			for _, e := range c.events {
				w.Event(e)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), b.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// Colour may add marks around words; it never moves a column.
func TestPaletteKeepsColumns(t *testing.T) {
	mark := func(open, end string) func(string) string {
		return func(s string) string { return open + s + end }
	}
	p := transcript.Palette{
		Title: mark("\x01", "\x02"), Value: mark("\x01", "\x02"), Good: mark("\x01", "\x02"),
		Bad: mark("\x01", "\x02"), Warn: mark("\x01", "\x02"), Faint: mark("\x01", "\x02"),
	}
	for _, c := range textCases {
		var b strings.Builder
		c.opts.Palette = p
		w := transcript.NewText(&b, c.opts)
		for _, e := range c.events {
			w.Event(e)
		}
		w.Flush()
		got := strings.NewReplacer("\x01", "", "\x02", "").Replace(b.String())
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// A stranger's scene cannot steer the terminal.
func TestControlCharacters(t *testing.T) {
	var b strings.Builder
	w := transcript.NewText(&b, transcript.Options{})
	w.Event(&interp.Event{Kind: interp.EventPrint, Text: "a\x1b[2Jb\n\tc"})
	w.Event(&interp.Event{Kind: interp.EventChange, Who: "V\x1b]0;x\a", Field: "f", From: "0\n", To: "\u009b1"})
	w.Flush()
	want := "a\ufffd[2Jb\n\tc\n  V\ufffd]0;x\ufffd: f 0  -> \ufffd1\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Before a person is asked, nothing may be held back; and what comes after
// has its heading at once.
func TestRelease(t *testing.T) {
	var b strings.Builder
	w := transcript.NewText(&b, transcript.Options{Prompt: true})
	w.Event(demolitions())
	if b.Len() > 0 {
		t.Fatalf("written at once: %q", b.String())
	}
	w.Release()
	if !strings.HasPrefix(b.String(), "Hero: roll\n") {
		t.Errorf("after Release: %q", b.String())
	}
	w.Event(duel())
	if !strings.Contains(b.String(), "\nSludge Lord: attack\n") {
		t.Errorf("the next check has no heading: %q", b.String())
	}
}

func TestJSON(t *testing.T) {
	events := []*interp.Event{
		demolitions(), duel(),
		{Kind: interp.EventReport, Text: "cost", Value: "0.25"},
		{Kind: interp.EventReport, Text: "share", Value: "1/3"},
		{Kind: interp.EventValue, Value: "<&>"},
		{Kind: interp.EventNote, Text: "n", Rule: "cah.talk.n"},
		{Kind: interp.EventModule, Name: "cah", Text: "Cartoon", Rules: 3},
		{Kind: interp.EventSpan, Verb: "scene", Text: "dam", End: true},
	}
	values(events)
	var b bytes.Buffer
	w := transcript.NewJSON(&b, false)
	for _, e := range events {
		for _, in := range e.Events {
			w.Event(in) // a session sends it first, when it happens
		}
		w.Event(e)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `
{"event":"begin","version":2}
{"event":"change","depth":1,"who":"Hero","field":"oomph","from":3,"to":2,"rule":"cah.oomph.spend"}
{"event":"group","kind":"check","who":"Hero","label":"roll","dice":[{"die":12,"face":7,"kept":true,"for":"check","by":"seed","throw":0,"rule":"cah.check.die"}],"parts":[{"value":4,"label":"DEMOLITIONS","rule":"cah.check.rating"},{"value":1,"label":"link STEADY_HANDS","note":"human tier","rule":"cah.link.tier_bonus"},{"value":3,"label":"extra effort","note":"1 oomph, 2 left","rule":"cah.oomph.extra_effort"}],"total":15,"against":8,"outcome":"success","margin":7,"fields":{"versus":"DN 8"},"rule":"cah.check.trait"}
{"event":"group","depth":1,"kind":"check","who":"Valorus","label":"reaction","dice":[{"die":12,"face":7,"kept":true,"by":"seed","throw":0}],"parts":[{"value":3,"label":"DEXTROUS"}],"total":10}
{"event":"decision","depth":1,"who":"Sludge Lord","name":"reroll","prompt":"Roll again?","answer":"yes","by":"tactics","rule":"cah.oomph.reroll"}
{"event":"change","depth":1,"who":"Valorus","field":"setbacks","from":0,"to":1,"rule":"cah.crucial.opposed.success"}
{"event":"group","kind":"check","who":"Sludge Lord","label":"attack","dice":[{"die":12,"face":3,"kept":false,"by":"seed","throw":0},{"die":12,"face":8,"kept":true,"by":"seed","throw":1}],"parts":[{"value":4,"label":"OOZING_PUNCH"}],"total":12,"against":10,"outcome":"success","margin":2}
{"event":"report","name":"cost","value":0.25}
{"event":"report","name":"share","value":{"fraction":"1/3"}}
{"event":"value","value":"<&>"}
{"event":"note","text":"n","rule":"cah.talk.n"}
{"event":"module","name":"cah","title":"Cartoon","rules":3,"verbs":0,"options":0}
{"event":"span","name":"scene","text":"dam","end":true}
`[1:]
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	transcripttest.Records(t, b.String(), true)
}

// values fills in the values of events that say them as texts, and who threw the dice.
func values(events []*interp.Event) {
	of := func(shown string) interp.Value {
		if _, ok := new(big.Rat).SetString(shown); ok {
			return interp.Value{Is: interp.Number(strings.TrimPrefix(shown, "+"))}
		}
		return interp.Value{Is: shown}
	}
	for _, e := range events {
		e.Data, e.FromData, e.ToData = of(e.Value+e.Answer), of(e.From), of(e.To)
		for i := range e.Dice {
			e.Dice[i].By = "seed"
		}
		for i := range e.Parts {
			e.Parts[i].Data = of(e.Parts[i].Value)
		}
		for i := range e.Fields {
			e.Fields[i].Data = of(e.Fields[i].Value)
		}
		values(e.Events)
	}
}

// A turn says why the command before it was taken back, and by which rule; what was refused
// of an open group is void.
func TestJSONTurn(t *testing.T) {
	var b bytes.Buffer
	w := transcript.NewJSON(&b, false)
	refused := &interp.RunError{Kind: interp.Refused, Rule: "odd.rest.never", Diag: &lang.Diagnostic{Message: "Ann never rests"}}
	w.Event(&interp.Event{Kind: interp.EventVoid})
	w.Event(&interp.Event{Kind: interp.EventTurn, Turn: &interp.Turn{Who: "Ann", On: []string{"round 2"}, Refused: refused}})
	want := `
{"event":"begin","version":2}
{"event":"void"}
{"event":"turn","who":"Ann","on":["round 2"],"done":[],"refused":{"severity":"error","kind":"refused","code":"SP0901","message":"Ann never rests","rule":"odd.rest.never"},"open":[]}
`[1:]
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	transcripttest.Records(t, b.String(), true)
}

// The schema is no rubber stamp: a member too many, one that is missing, a value of another
// shape and a kind that it does not know are mistakes.
func TestSchemaRefuses(t *testing.T) {
	for _, line := range []string{
		`{"event":"note","text":"n","v":1}`,
		`{"event":"note"}`,
		`{"event":"report","name":"x","value":{"size":6}}`,
		`{"event":"report","name":"x","value":[{"die":0}]}`,
		`{"event":"check"}`,
		`{"event":"begin","version":1}`,
	} {
		if _, err := transcripttest.Check(line+"\n", false); err == nil {
			t.Errorf("accepted: %s", line)
		}
	}
}

func TestJSONErrors(t *testing.T) {
	src := lang.NewSource("bog.scene", "use cah\n  rool X\n")
	at := lang.Span{Src: src, Start: 10, End: 14}
	var b bytes.Buffer
	w := transcript.NewJSON(&b, false)
	w.Error(lang.Diagnostics{
		{Span: at, Message: `no verb "rool"`, Help: "did you mean roll?"},
		{Span: at, Severity: lang.Warning, Message: "doubtful"},
	})
	w.Error(&interp.RunError{Kind: interp.Refused, Rule: "cah.talk.no", Diag: &lang.Diagnostic{Span: at, Message: "no"}})
	w.Error(errors.New("out of luck"))
	want := `
{"event":"begin","version":2}
{"event":"error","severity":"error","kind":"script","file":"bog.scene","line":2,"column":3,"end_line":2,"end_column":7,"message":"no verb \"rool\"","help":"did you mean roll?","fix":{"line":2,"column":3,"end_line":2,"end_column":7,"text":"roll"}}
{"event":"error","severity":"warning","kind":"script","file":"bog.scene","line":2,"column":3,"end_line":2,"end_column":7,"message":"doubtful"}
{"event":"error","severity":"error","kind":"refused","file":"bog.scene","line":2,"column":3,"end_line":2,"end_column":7,"code":"SP0901","message":"no","rule":"cah.talk.no"}
{"event":"error","severity":"error","kind":"failed","message":"out of luck"}
`[1:]
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A transcript passes the first error of its writer on.
func TestWriteErrors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	for _, tr := range []transcript.Writer{transcript.NewText(w, transcript.Options{}), transcript.NewJSON(w, false)} {
		tr.Event(&interp.Event{Kind: interp.EventPrint, Text: "x"})
		if tr.Flush() == nil {
			t.Errorf("%T: no error", tr)
		}
	}
}

func ExampleText() {
	w := transcript.NewText(os.Stdout, transcript.Options{})
	w.Event(&interp.Event{
		Kind: interp.EventCheck, Who: "Hero", Verb: "roll",
		Dice:    []interp.DieEvent{{Size: 12, Face: 7, Kept: true}},
		Parts:   []interp.PartEvent{{Value: "+4", Label: "DEMOLITIONS"}},
		Outcome: "success",
		Fields:  []interp.FieldValue{{Name: "total", Value: "11"}, {Name: "against", Value: "8"}, {Name: "margin", Value: "3"}},
	})
	w.Flush()
	// Output:
	// Hero: roll
	//   d12                      7
	//   DEMOLITIONS             +4
	//   total                   11   vs 8   success by 3
}

func ExampleJSON() {
	w := transcript.NewJSON(os.Stdout, false)
	number := func(n interp.Number) interp.Value { return interp.Value{Is: n} }
	w.Event(&interp.Event{Kind: interp.EventChange, Who: "Valorus", Field: "setbacks", FromData: number("0"), ToData: number("1"), Rule: "cah.setback"})
	w.Flush()
	// Output:
	// {"event":"begin","version":2}
	// {"event":"change","who":"Valorus","field":"setbacks","from":0,"to":1,"rule":"cah.setback"}
}

// Dice that somebody has set are marked: all of a row behind it, some of it each. The script's own are not.
func TestDiceByHand(t *testing.T) {
	dice := func(by ...string) string {
		var b strings.Builder
		var dice []interp.DieEvent
		for i, by := range by {
			dice = append(dice, interp.DieEvent{Size: 12, Face: 7 - 4*i, By: by, Kept: true})
		}
		transcript.NewText(&b, transcript.Options{}).Event(&interp.Event{Kind: interp.EventDice, Verb: "roll", Dice: dice})
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for want, got := range map[string]string{
		"2d12 7, 3 by hand": dice("given", "given"), "2d12 7 by hand, 3": dice("given", "seed"), "2d12 7, 3": dice("script", "seed"),
	} {
		if !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
