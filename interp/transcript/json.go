package transcript

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/lang"
)

// Version is the version of the JSON records. It stands in the first of them.
const Version = 2

// Schema is the JSON Schema (draft 2020-12) of the records, of one each.
//
//go:embed schema.json
var Schema []byte

// JSON writes records, one a line: the events of a run, and what commands have to say.
type JSON struct {
	w     io.Writer
	quiet bool
	brief bool
	begun bool
	err   error
}

// NewJSON returns a JSON that writes to w; quiet as in Options.
func NewJSON(w io.Writer, quiet bool) *JSON { return &JSON{w: w, quiet: quiet} }

// Quiet says whether only what a script says itself is written from now on.
func (j *JSON) Quiet(quiet bool) { j.quiet = quiet }

// Briefs has groups say in a few words what happened, as the rules do.
func (j *JSON) Briefs() { j.brief = true }

// Flush returns the first error of writing.
func (j *JSON) Flush() error { return j.err }

// Event writes one event, those inside of a group as they happen.
func (j *JSON) Event(e *interp.Event) {
	switch e.Kind {
	case interp.EventExpect, interp.EventQuestion, interp.EventThrow:
	default:
		if j.quiet && !spoken(e.Kind) {
			return
		}
	}
	x := object(e, e.Depth)
	if g, ok := x.(jsonGroup); ok && j.brief {
		g.Brief = e.Brief
		x = g
	}
	j.Write(x)
}

// Whole writes an event as it was written when it happened: what is inside a group first.
func (j *JSON) Whole(e *interp.Event) {
	for _, in := range e.Events {
		j.Whole(in)
	}
	j.Event(e)
}

// Script says what the records that follow are about: a file or, with what is
// different, a variation of it.
func (j *JSON) Script(s ScriptRecord) {
	s.Event = "script"
	j.Write(s)
}

// Again says that an answer was taken back: what was written since the script or the
// entry began does not hold, and comes again as far as it does.
func (j *JSON) Again() { j.Write(Record{Event: "again"}) }

// Advice writes what the options of a question are worth to whoever is asked, or, with
// no options, the commands that are worth most.
func (j *JSON) Advice(who string, options []interp.Value, a *advice.Advice) {
	if options == nil {
		for _, c := range a.Commands {
			options = append(options, interp.Value{Is: c})
		}
	}
	x := jsonAdvice{Record{Event: "advice"}, who, a.For, options, []jsonWorth{}, a.Refused, a.Trials, a.Tried}
	for _, w := range a.Goals {
		g := jsonWorth{Name: w.Goal, Doc: w.Doc, After: w.After, Chance: w.Chance, Exact: w.Exact(), Best: w.Top}
		for k, v := range w.Values {
			g.Values = append(g.Values, number(v))
			if !w.Exact() {
				g.Half = append(g.Half, number(w.Half[k]))
			}
		}
		g.Least, g.Most = w.Least, w.Most
		x.Goals = append(x.Goals, g)
	}
	j.Write(x)
}

// Reply writes what was said to a line that was typed and is no answer or entry: a command of the
// prompt, or an answer that does not fit.
func (j *JSON) Reply(line, text string) {
	j.Write(struct {
		Record
		Typed string `json:"typed"`
		Text  string `json:"text"`
	}{Record{Event: "reply"}, line, text})
}

// number is a number, or null for what is none.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// Begin writes the first record, unless it stands there already.
func (j *JSON) Begin() {
	if !j.begun {
		j.begun = true
		j.Write(struct {
			Record
			Version int `json:"version"`
		}{Record{Event: "begin"}, Version})
	}
}

// Write writes a record: something with a Record as its head.
func (j *JSON) Write(v any) {
	j.Begin()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if err == nil {
		_, err = j.w.Write(EscapeJSON(b.Bytes()))
	}
	if err != nil && j.err == nil {
		j.err = err
	}
}

// EscapeJSON writes what would steer a terminal, or not be seen on it, as \u
// and four digits. In JSON such a letter only stands inside of strings, and
// means the same there.
func EscapeJSON(text []byte) []byte {
	var out []byte
	from := 0
	for i, r := range string(text) {
		if r < utf8.RuneSelf && r != 0x7F || lang.Visible(string(r)) == string(r) {
			continue
		}
		out = append(out, text[from:i]...)
		for _, u := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, "\\u%04x", u)
		}
		from = i + utf8.RuneLen(r)
	}
	return append(out, text[from:]...)
}

// Record begins every record.
type Record struct {
	Event string `json:"event"`
	Depth int    `json:"depth,omitempty"`
	Told  string `json:"told,omitempty"` // of what happens: who may know of it, see interp.Event
}

// ScriptRecord says what the records behind it are about.
type ScriptRecord struct {
	Record
	File    string `json:"file"`
	With    string `json:"with,omitempty"`    // a variant that it is run with
	Tactics string `json:"tactics,omitempty"` // other tactics
	Line    string `json:"line,omitempty"`    // another last line
}

type (
	jsonGroup struct {
		Record
		Kind    string        `json:"kind"`
		Who     string        `json:"who,omitempty"`
		Label   string        `json:"label"`
		Dice    []jsonDie     `json:"dice"`
		Parts   []jsonPart    `json:"parts"`
		Total   *interp.Value `json:"total,omitempty"`
		Against *interp.Value `json:"against,omitempty"`
		Outcome string        `json:"outcome,omitempty"`
		Said    string        `json:"said,omitempty"`
		Margin  *interp.Value `json:"margin,omitempty"`
		Fields  fieldValues   `json:"fields,omitempty"`
		Open    bool          `json:"open,omitempty"`
		SoFar   bool          `json:"so_far,omitempty"`
		Brief   string        `json:"brief,omitempty"`
		Rule    string        `json:"rule,omitempty"`
	}
	jsonDie struct {
		Die   int    `json:"die"`
		Face  int    `json:"face"`
		Kept  bool   `json:"kept"`
		For   string `json:"for,omitempty"`
		Name  string `json:"name,omitempty"`
		Who   string `json:"who,omitempty"`
		By    string `json:"by"`
		Throw int    `json:"throw"`
		Rule  string `json:"rule,omitempty"`
	}
	jsonPart struct {
		Value interp.Value `json:"value"`
		Label string       `json:"label"`
		Note  string       `json:"note,omitempty"`
		Rule  string       `json:"rule,omitempty"`
	}
	jsonChange struct {
		Record
		Who   string       `json:"who"`
		Field string       `json:"field"`
		From  interp.Value `json:"from"`
		To    interp.Value `json:"to"`
		Span  string       `json:"span,omitempty"`
		Rule  string       `json:"rule,omitempty"`
	}
	jsonDecision struct {
		Record
		Who     string         `json:"who,omitempty"`
		Name    string         `json:"name"`
		Prompt  string         `json:"prompt,omitempty"`
		Options []interp.Value `json:"options,omitempty"`
		Answer  interp.Value   `json:"answer"`
		By      string         `json:"by"`
		Rule    string         `json:"rule,omitempty"`
	}
	jsonQuestion struct {
		Record
		Who     string       `json:"who,omitempty"`
		Name    string       `json:"name"`
		Prompt  string       `json:"prompt,omitempty"`
		Options []jsonOption `json:"options"`
		Default interp.Value `json:"default"`
		Open    []any        `json:"open"`
		Rule    string       `json:"rule,omitempty"`
	}
	jsonOption struct {
		Value interp.Value  `json:"value"`
		Note  string        `json:"note,omitempty"`
		Cost  string        `json:"cost,omitempty"`
		Left  *interp.Value `json:"left,omitempty"`
	}
	jsonThrow struct {
		Record
		Who  string         `json:"who,omitempty"`
		Dice []interp.Value `json:"dice"`
		For  string         `json:"for,omitempty"`
		Open []any          `json:"open"`
	}
	jsonAdvice struct {
		Record
		Who     string         `json:"who,omitempty"`
		For     string         `json:"for,omitempty"` // whose goals these are, where it is not whoever decides
		Options []interp.Value `json:"options"`       // the commands, before a command
		Goals   []jsonWorth    `json:"goals"`
		Refused []string       `json:"refused,omitempty"` // by option
		Trials  int            `json:"trials,omitempty"`
		Tried   int            `json:"tried,omitempty"` // commands
	}
	jsonWorth struct {
		Name   string     `json:"name"`
		Doc    string     `json:"doc,omitempty"`
		After  string     `json:"after,omitempty"`
		Chance bool       `json:"chance"`
		Exact  bool       `json:"exact"`
		Values []*float64 `json:"values"`          // by option; null where there is nothing to measure
		Half   []*float64 `json:"half,omitempty"`  // of the 95 % interval
		Least  []float64  `json:"least,omitempty"` // see advice.Worth
		Most   []float64  `json:"most,omitempty"`
		Best   []bool     `json:"best"` // nothing says that another option is better
	}
	jsonTactics struct {
		Record
		Who     string `json:"who"`
		Command string `json:"command"`
		Refused string `json:"refused"`
		Rule    string `json:"rule,omitempty"`
		Place
	}
	jsonTurn struct {
		Record
		Who     string   `json:"who"`
		On      []string `json:"on"`
		Default string   `json:"default,omitempty"`
		Done    []string `json:"done"`
		Refused *Problem `json:"refused,omitempty"`
		Tried   string   `json:"tried,omitempty"`
		Open    []any    `json:"open"`
	}
	jsonCommand struct {
		Record
		Who  string `json:"who"`
		Text string `json:"text"`
		By   string `json:"by"`
	}
	jsonText struct {
		Record
		Text string `json:"text"`
		Rule string `json:"rule,omitempty"`
	}
	jsonPrint struct {
		Record
		Value interp.Value `json:"value"`
		Text  string       `json:"text,omitempty"`
		Rule  string       `json:"rule,omitempty"`
	}
	jsonExpect struct {
		Record
		Text string `json:"text"`
		Place
	}
	jsonReport struct {
		Record
		Name  string       `json:"name"`
		Value interp.Value `json:"value"`
	}
	jsonValue struct {
		Record
		Value interp.Value `json:"value"`
	}
	jsonDice struct {
		Record
		Dice []jsonDie `json:"dice"`
		Who  string    `json:"who,omitempty"`
		Verb string    `json:"verb,omitempty"`
		Rule string    `json:"rule,omitempty"`
	}
	jsonModule struct {
		Record
		Name    string `json:"name"`
		Title   string `json:"title,omitempty"`
		Rules   int    `json:"rules"`
		Verbs   int    `json:"verbs"`
		Options int    `json:"options"`
	}
	jsonSpan struct {
		Record
		Name string `json:"name"`
		Text string `json:"text,omitempty"`
		End  bool   `json:"end"`
	}
)

// Place is where something stands in a file.
type Place struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// PlaceOf gives the place of a part of a text.
func PlaceOf(at lang.Span) Place {
	if at = at.Shown(); at.Src == nil {
		return Place{}
	}
	return Place{at.Src.Name, at.Src.Position(int(at.Start)).Line}
}

func object(e *interp.Event, depth int) any {
	head := Record{string(e.Kind), depth, e.Told}
	switch e.Kind {
	case interp.EventChange:
		return jsonChange{head, e.Who, e.Field, e.FromData, e.ToData, e.Reset, e.Rule}
	case interp.EventDice:
		return jsonDice{head, fallen(e.Dice), e.Who, e.Verb, e.Rule}
	case interp.EventDecision:
		return jsonDecision{head, e.Who, e.Decision, e.Prompt, e.OptionData, e.Data, e.By, e.Rule}
	case interp.EventQuestion:
		return question(e, head)
	case interp.EventThrow:
		return throw(e.Request, head)
	case interp.EventTurn:
		return turn(e.Turn, head)
	case interp.EventVoid:
		return head
	case interp.EventCommand:
		return jsonCommand{head, e.Who, e.Text, e.By}
	case interp.EventReport:
		return jsonReport{head, e.Text, e.Data}
	case interp.EventValue:
		return jsonValue{head, e.Data}
	case interp.EventModule:
		return jsonModule{head, e.Name, e.Text, e.Rules, e.Verbs, e.OptionsN}
	case interp.EventSpan:
		return jsonSpan{head, e.Verb, e.Text, e.End}
	case interp.EventPrint:
		x := jsonPrint{head, e.Data, printed(e), e.Rule}
		if x.Text == e.Data.Is {
			x.Text = ""
		}
		return x
	case interp.EventNote, interp.EventWarn, interp.EventFault:
		return jsonText{head, e.Text, e.Rule}
	case interp.EventTactics:
		return jsonTactics{head, e.Who, e.Text, e.Why, e.Rule, PlaceOf(e.At)}
	case interp.EventExpect:
		return jsonExpect{head, e.Text, PlaceOf(e.At)}
	case interp.EventCheck:
	}
	return groupRecord(e, head)
}

func question(e *interp.Event, head Record) jsonQuestion {
	q := e.Question
	j := jsonQuestion{head, q.Who, q.Name, q.Prompt, nil, q.Data[q.Default], soFar(q.Open), e.Rule}
	priced := slices.Equal(q.Options, []string{"no", "yes"}) // of an offer only the "yes" costs something
	for i, v := range q.Data {
		o := jsonOption{Value: v}
		if q.Notes != nil {
			o.Note = q.Notes[i]
		}
		if priced && i == 1 || !priced && i != q.Default {
			if o.Cost = q.Cost; q.LeftData.Is != nil {
				o.Left = &q.LeftData
			}
		}
		j.Options = append(j.Options, o)
	}
	return j
}

func throw(r *interp.Request, head Record) jsonThrow {
	j := jsonThrow{head, r.Who, nil, r.For, soFar(r.Open)}
	for _, size := range r.Sizes {
		j.Dice = append(j.Dice, interp.Value{Is: interp.Die{Size: size}})
	}
	return j
}

// soFar gives what has led to a question: each event that may still be taken back
// and each open group, behind what happened inside it.
func soFar(open []*interp.Event) []any {
	list := []any{}
	var add func(e *interp.Event)
	add = func(e *interp.Event) {
		for _, in := range e.Events {
			add(in)
		}
		list = append(list, object(e, e.Depth))
	}
	for _, e := range open {
		add(e)
	}
	return list
}

func turn(t *interp.Turn, head Record) jsonTurn {
	j := jsonTurn{Record: head, Who: t.Who, On: t.On, Default: t.Default, Done: t.Done, Open: soFar(t.Open)}
	if t.Refused != nil {
		j.Refused, j.Tried = &Problems(t.Refused)[0], t.Tried
	}
	for _, list := range []*[]string{&j.On, &j.Done} {
		if *list == nil {
			*list = []string{}
		}
	}
	return j
}

// fallen is dice as they fell.
func fallen(dice []interp.DieEvent) []jsonDie {
	out := make([]jsonDie, len(dice))
	for i, d := range dice {
		out[i] = jsonDie{d.Size, d.Face, d.Kept, d.For, d.Name, d.Who, d.By, d.Throw, d.Rule}
	}
	return out
}

// groupRecord is a group. The rules show groups of any kind; a check is the most common.
func groupRecord(e *interp.Event, head Record) jsonGroup {
	head.Event = "group"
	g := jsonGroup{
		Record: head, Kind: string(e.Kind), Who: e.Who, Label: e.Verb, Dice: fallen(e.Dice), Parts: make([]jsonPart, len(e.Parts)),
		Outcome: e.Outcome, Said: e.Said, Rule: e.Rule, Open: e.Open, SoFar: e.SoFar,
	}
	for i, p := range e.Parts {
		g.Parts[i] = jsonPart{p.Data, p.Label, p.Note, p.Rule}
	}
	for _, f := range e.Fields {
		switch f.Name {
		case "total":
			g.Total = &f.Data
		case "against":
			g.Against = &f.Data
		case "margin":
			g.Margin = &f.Data
		default:
			g.Fields = append(g.Fields, f)
		}
	}
	return g
}

// fieldValues is an object whose keys stay in the order the rules gave them.
type fieldValues []interp.FieldValue

func (fs fieldValues) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fs {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := interp.Value{Is: f.Name}.MarshalJSON()
		if err != nil {
			return nil, err
		}
		val, err := f.Data.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(val)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
