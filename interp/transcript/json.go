package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"unicode/utf16"
	"unicode/utf8"

	"setpiece/interp"
	"setpiece/lang"
)

// Version is the version of the JSON objects: the "v" that each begins with.
const Version = 1

// JSON writes events as objects, one a line.
type JSON struct {
	w     io.Writer
	quiet bool
	err   error
}

// NewJSON returns a JSON that writes to w; quiet as in Options.
func NewJSON(w io.Writer, quiet bool) *JSON { return &JSON{w: w, quiet: quiet} }

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
	j.write(object(e, e.Depth))
}

// Again says that an answer was taken back: what was written since the script or the
// entry began does not hold, and comes again as far as it does.
func (j *JSON) Again() { j.write(jsonHead{V: Version, Event: "again"}) }

// Advice writes what the options of a question are worth to whoever is asked, or, with
// no options, the commands that are worth most.
func (j *JSON) Advice(who string, options []string, a *interp.Advice) {
	if options == nil {
		options = a.Commands
	}
	x := jsonAdvice{jsonHead{V: Version, Event: "advice"}, who, options, []jsonWorth{}, a.Trials, a.Tried}
	for _, w := range a.Goals {
		g := jsonWorth{Name: w.Goal, Doc: w.Doc, After: w.After, Chance: w.Chance, Exact: w.Exact(), Best: w.Top}
		for k, v := range w.Values {
			g.Values = append(g.Values, number(v))
			if !w.Exact() {
				g.Half = append(g.Half, number(w.Half[k]))
			}
		}
		x.Goals = append(x.Goals, g)
	}
	j.write(x)
}

// number is a number, or null for what is none.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

func (j *JSON) write(v any) {
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

// head begins every object.
type jsonHead struct {
	V     int    `json:"v"`
	Event string `json:"event"`
	Depth int    `json:"depth,omitempty"`
}

type (
	jsonCheck struct {
		jsonHead
		Who     string      `json:"who"`
		Verb    string      `json:"verb"`
		Dice    []jsonDie   `json:"dice"`
		Parts   []jsonPart  `json:"parts"`
		Total   value       `json:"total,omitempty"`
		Against value       `json:"against,omitempty"`
		Outcome string      `json:"outcome,omitempty"`
		Margin  value       `json:"margin,omitempty"`
		Fields  fieldValues `json:"fields,omitempty"`
		Open    bool        `json:"open,omitempty"`
		SoFar   bool        `json:"so_far,omitempty"`
		Rule    string      `json:"rule,omitempty"`
	}
	jsonDie struct {
		Size int    `json:"size"`
		Face int    `json:"face"`
		Kept bool   `json:"kept"`
		For  string `json:"for"`
	}
	jsonPart struct {
		Value value  `json:"value"`
		Label string `json:"label"`
		Note  string `json:"note,omitempty"`
		Rule  string `json:"rule"`
	}
	jsonChange struct {
		jsonHead
		Who   string `json:"who"`
		Field string `json:"field"`
		From  value  `json:"from"`
		To    value  `json:"to"`
		Rule  string `json:"rule"`
	}
	jsonDecision struct {
		jsonHead
		Who     string   `json:"who"`
		Name    string   `json:"name"`
		Prompt  string   `json:"prompt,omitempty"`
		Options []string `json:"options,omitempty"`
		Answer  string   `json:"answer"`
		By      string   `json:"by"`
		Rule    string   `json:"rule"`
	}
	jsonQuestion struct {
		jsonHead
		Who     string       `json:"who"`
		Name    string       `json:"name"`
		Prompt  string       `json:"prompt,omitempty"`
		Options []jsonOption `json:"options"`
		Default string       `json:"default"`
		Open    []any        `json:"open"`
		Rule    string       `json:"rule"`
	}
	jsonOption struct {
		Value string `json:"value"`
		Cost  string `json:"cost,omitempty"`
		Left  value  `json:"left,omitempty"`
	}
	jsonThrow struct {
		jsonHead
		Who   string `json:"who"`
		Sizes []int  `json:"sizes"`
		For   string `json:"for"`
		Open  []any  `json:"open"`
	}
	jsonAdvice struct {
		jsonHead
		Who     string      `json:"who"`
		Options []string    `json:"options"` // the commands, before a command
		Goals   []jsonWorth `json:"goals"`
		Trials  int         `json:"trials,omitempty"`
		Tried   int         `json:"tried,omitempty"` // commands
	}
	jsonWorth struct {
		Name   string     `json:"name"`
		Doc    string     `json:"doc,omitempty"`
		After  string     `json:"after,omitempty"`
		Chance bool       `json:"chance"`
		Exact  bool       `json:"exact"`
		Values []*float64 `json:"values"`         // by option; null where there is nothing to measure
		Half   []*float64 `json:"half,omitempty"` // of the 95 % interval
		Best   []bool     `json:"best"`           // nothing says that another option is better
	}
	jsonTactics struct {
		jsonHead
		Who     string `json:"who"`
		Command string `json:"command"`
		Refused string `json:"refused"`
		File    string `json:"file"`
		Line    int    `json:"line"`
	}
	jsonTurn struct {
		jsonHead
		Who     string   `json:"who"`
		On      []string `json:"on"`
		Default string   `json:"default"`
		Done    []string `json:"done"`
		Refused string   `json:"refused,omitempty"`
		Open    []any    `json:"open"`
	}
	jsonCommand struct {
		jsonHead
		Who  string `json:"who"`
		Text string `json:"text"`
		By   string `json:"by"`
	}
	jsonText struct {
		jsonHead
		Text string `json:"text"`
		Rule string `json:"rule,omitempty"`
	}
	jsonExpect struct {
		jsonHead
		Text string `json:"text"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	jsonReport struct {
		jsonHead
		Name  string `json:"name"`
		Value value  `json:"value"`
	}
	jsonValue struct {
		jsonHead
		Value value `json:"value"`
	}
	jsonModule struct {
		jsonHead
		Name    string `json:"name"`
		Title   string `json:"title"`
		Rules   int    `json:"rules"`
		Verbs   int    `json:"verbs"`
		Options int    `json:"options"`
	}
	jsonSpan struct {
		jsonHead
		Name string `json:"name"`
		Text string `json:"text,omitempty"`
		End  bool   `json:"end"`
	}
)

func object(e *interp.Event, depth int) any {
	head := jsonHead{Version, string(e.Kind), depth}
	switch e.Kind {
	case interp.EventChange:
		return jsonChange{head, e.Who, e.Field, value(e.From), value(e.To), e.Rule}
	case interp.EventDecision:
		return jsonDecision{head, e.Who, e.Decision, e.Prompt, e.Options, e.Answer, e.By, e.Rule}
	case interp.EventQuestion:
		return question(e, head)
	case interp.EventThrow:
		r := e.Request
		return jsonThrow{head, r.Who, r.Sizes, r.For, soFar(r.Open)}
	case interp.EventTurn:
		return turn(e.Turn, head)
	case interp.EventVoid:
		return head
	case interp.EventCommand:
		return jsonCommand{head, e.Who, e.Text, e.By}
	case interp.EventReport:
		return jsonReport{head, e.Text, value(e.Value)}
	case interp.EventValue:
		return jsonValue{head, value(e.Value)}
	case interp.EventModule:
		return jsonModule{head, e.Name, e.Text, e.Rules, e.Verbs, e.OptionsN}
	case interp.EventSpan:
		return jsonSpan{head, e.Verb, e.Text, e.End}
	case interp.EventPrint:
		return jsonText{head, printed(e), e.Rule}
	case interp.EventNote, interp.EventWarn, interp.EventFault:
		return jsonText{head, e.Text, e.Rule}
	case interp.EventTactics:
		x := jsonTactics{jsonHead: head, Who: e.Who, Command: e.Text, Refused: e.Why}
		if e.At.Src != nil {
			x.File, x.Line = e.At.Src.Name, e.At.Src.Position(int(e.At.Start)).Line
		}
		return x
	case interp.EventExpect:
		x := jsonExpect{jsonHead: head, Text: e.Text}
		if e.At.Src != nil {
			x.File, x.Line = e.At.Src.Name, e.At.Src.Position(int(e.At.Start)).Line
		}
		return x
	}
	return check(e, head)
}

func question(e *interp.Event, head jsonHead) jsonQuestion {
	q := e.Question
	j := jsonQuestion{head, q.Who, q.Name, q.Prompt, nil, q.Options[q.Default], soFar(q.Open), e.Rule}
	for _, o := range q.Options {
		j.Options = append(j.Options, jsonOption{Value: o})
	}
	last := &j.Options[len(j.Options)-1]
	last.Cost, last.Left = q.Cost, value(q.Left) // only an offer has a price, that of its "yes"
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

func turn(t *interp.Turn, head jsonHead) jsonTurn {
	j := jsonTurn{jsonHead: head, Who: t.Who, On: t.On, Default: t.Default, Done: t.Done, Open: soFar(t.Open)}
	if t.Refused != nil {
		j.Refused = t.Refused.Error()
	}
	for _, list := range []*[]string{&j.On, &j.Done} {
		if *list == nil {
			*list = []string{}
		}
	}
	return j
}

func check(e *interp.Event, head jsonHead) jsonCheck {
	c := jsonCheck{jsonHead: head, Who: e.Who, Verb: e.Verb, Outcome: e.Outcome, Rule: e.Rule, Open: e.Open, SoFar: e.SoFar}
	c.Dice = make([]jsonDie, len(e.Dice))
	for i, d := range e.Dice {
		c.Dice[i] = jsonDie{d.Size, d.Face, d.Kept, d.For}
	}
	c.Parts = make([]jsonPart, len(e.Parts))
	for i, p := range e.Parts {
		c.Parts[i] = jsonPart{value(p.Value), p.Label, p.Note, p.Rule}
	}
	for _, f := range e.Fields {
		switch f.Name {
		case "total":
			c.Total = value(f.Value)
		case "against":
			c.Against = value(f.Value)
		case "margin":
			c.Margin = value(f.Value)
		default:
			c.Fields = append(c.Fields, f)
		}
	}
	return c
}

// value is a value as shown. In JSON it is a number where JSON can write it as
// one without loss, else text: "1/3" stays text.
type value string

var plainNumber = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func (v value) MarshalJSON() ([]byte, error) {
	if !plainNumber.MatchString(string(v)) {
		return marshal(string(v))
	}
	if v[0] == '+' {
		v = v[1:]
	}
	return []byte(v), nil
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
		name, err := marshal(f.Name)
		if err != nil {
			return nil, err
		}
		val, err := value(f.Value).MarshalJSON()
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

// marshal is json.Marshal that leaves <, > and & as they are.
func marshal(s string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
