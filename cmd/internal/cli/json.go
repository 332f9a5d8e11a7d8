package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/interp/tune"
	"setpiece/interp/verify"
	"setpiece/interp/why"
)

// With --json standard output is records, one a line, of all commands alike: package
// transcript writes them, and its schema.json says what they look like. These are the
// records that are no events of a run.

// verbatim are the commands that print what is for a file or another program.
var verbatim = []string{"complete", "completion", "editor", "fmt", "graph", "hover", "schema", "weave"}

// beginJSON begins the records of a call that asks for them, so that whoever reads them
// finds the first one whatever comes. What is no text for a person keeps its lines.
func (a *app) beginJSON(cmd *cobra.Command, _ []string) {
	csv, _ := cmd.Flags().GetBool("csv")
	if csv || slices.Contains(verbatim, cmd.Name()) {
		style.Whole(a.outTo)
	}
	if on, _ := cmd.Flags().GetBool("json"); on {
		style.Whole(a.outTo)
		quiet, _ := cmd.Flags().GetBool("quiet")
		a.records(quiet).Begin()
	}
}

// records is where records are written.
func (a *app) records(quiet bool) *transcript.JSON {
	if a.json == nil {
		a.json = transcript.NewJSON(a.out, quiet)
	}
	a.json.Quiet(quiet)
	return a.json
}

// object writes a record.
func (a *app) object(v any) { a.records(false).Write(v) }

// about writes which script the records are about that come next, if there are records.
func (a *app) about(s transcript.ScriptRecord) {
	if a.json != nil {
		a.json.Script(s)
	}
}

func (a *app) aboutFile(s script) { a.about(transcript.ScriptRecord{File: s.name()}) }

// wrongCallObject is what is wrong with the call of the program.
func wrongCallObject(err error) any {
	p := transcript.Problem{Severity: "error", Kind: "call", Message: err.Error()}
	var call *callError
	if errors.As(err, &call) {
		p.Help = call.help
	}
	return struct {
		transcript.Record
		transcript.Problem
	}{transcript.Record{Event: "error"}, p}
}

type (
	jsonChecked struct {
		transcript.Record
		Agrees bool      `json:"agrees"`
		Off    []jsonOff `json:"off,omitempty"`
	}
	jsonOff struct {
		Column    string       `json:"column"`
		Value     interp.Value `json:"value"`
		Simulated float64      `json:"simulated"`
		P         float64      `json:"p"`

		shown string
	}
	jsonWhy struct {
		transcript.Record
		Value   float64          `json:"value"`
		Half    float64          `json:"half,omitempty"`
		Stops   float64          `json:"stops,omitempty"`
		StopsAt string           `json:"stops_at,omitempty"`
		Paths   []jsonPath       `json:"paths"`
		Moves   []jsonMove       `json:"moves"`
		Trials  int              `json:"trials,omitempty"`
		Over    interp.Over      `json:"over,omitempty"`
		Sampled *records.Sampled `json:"sampled,omitempty"`
		Least   *float64         `json:"least,omitempty"`
		Most    *float64         `json:"most,omitempty"`
		Tried   int              `json:"tried"`
		Untried int              `json:"untried"`
		Stopped bool             `json:"stopped,omitempty"`
	}
	jsonPath struct {
		P     float64  `json:"p"`
		Falls []string `json:"falls"`
	}
	jsonMove struct {
		What  string  `json:"what"`
		Value float64 `json:"value"`
		Half  float64 `json:"half,omitempty"`
		Stops float64 `json:"stops,omitempty"`
	}
	jsonTuned struct {
		transcript.Record
		Values  map[string]string `json:"values"`
		Fits    bool              `json:"fits"`
		Nearest bool              `json:"nearest"`
		Value   *float64          `json:"value,omitempty"`
		Half    float64           `json:"half,omitempty"`
		Trials  int64             `json:"trials,omitempty"`
		Sampled *records.Sampled  `json:"sampled,omitempty"`
		Stops   float64           `json:"stops,omitempty"`
		StopsAt string            `json:"stops_at,omitempty"`
		Refused string            `json:"refused,omitempty"`
		Luck    bool              `json:"luck,omitempty"`
	}
	jsonTest struct {
		transcript.Record
		File   string               `json:"file"`
		Name   string               `json:"name"`
		OK     bool                 `json:"ok"`
		Errors []transcript.Problem `json:"errors,omitempty"`
	}
	jsonRule struct {
		transcript.Record
		ID   string `json:"id"`
		Doc  string `json:"doc"`
		Kind string `json:"kind"`
		transcript.Place
	}
	jsonCode struct {
		transcript.Record
		Code  string `json:"code"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	jsonSystem struct {
		transcript.Record
		Name     string   `json:"name"`
		Title    string   `json:"title"`
		Variants []string `json:"variants"`
		Rules    int      `json:"rules"`
		Version  string   `json:"version,omitempty"`
		Place    string   `json:"place"`
	}
	jsonDecisionKind struct {
		transcript.Record
		Name    string `json:"name"`
		Who     string `json:"who"`
		Prompt  string `json:"prompt,omitempty"`
		Options string `json:"options"`
		Default string `json:"default"`
		Cost    string `json:"cost,omitempty"`
		When    string `json:"when,omitempty"`
		Unasked bool   `json:"unasked,omitempty"`
		Rule    string `json:"rule,omitempty"`
		Doc     string `json:"doc,omitempty"`
		transcript.Place
	}
)

func (a *app) whyObject(w *why.Why) {
	j := jsonWhy{
		Record: transcript.Record{Event: "why"}, Value: w.Value, Half: w.Half, Stops: w.Stops, StopsAt: w.StopsAt, Paths: []jsonPath{}, Moves: []jsonMove{},
		Trials: w.Trials, Over: w.Over, Tried: w.Tried, Untried: w.Untried, Stopped: w.Stopped,
	}
	if j.Sampled = records.SampledOf(w.Sampled); j.Sampled != nil && w.Chance {
		j.Least, j.Most = &w.Least, &w.Most
	}
	for _, x := range w.Paths {
		p := jsonPath{x.P, x.Falls}
		if p.Falls == nil {
			p.Falls = []string{}
		}
		j.Paths = append(j.Paths, p)
	}
	for _, x := range w.Moves {
		j.Moves = append(j.Moves, jsonMove{x.What, x.Value, x.Half, x.Stops})
	}
	a.object(j)
}

// tunedObject writes what came of the ith value, or of the ith pair of values.
func (a *app) tunedObject(x *tuned, axes []*axis, i int, fits, nearest bool) {
	j := jsonTuned{Record: transcript.Record{Event: "tune"}, Values: map[string]string{}, Fits: fits, Nearest: nearest, Refused: x.refused, Trials: x.trials, Sampled: records.SampledOf(x.sampled), Stops: x.stops, StopsAt: x.stopped}
	for k := len(axes) - 1; k >= 0; k-- {
		n := len(axes[k].values)
		j.Values[axes[k].Name] = axes[k].values[i%n]
		i /= n
	}
	if x.refused == "" && x.stops < 1 {
		j.Value, j.Half = &x.value, x.half
	}
	a.object(j)
}

// proposalObjects writes the script as it is, which changes nothing, and what is proposed.
func (a *app) proposalObjects(o *tune.Proposals, want band) {
	list := o.List
	if len(list) == 0 && o.Nearest != nil {
		list = []tune.Proposal{*o.Nearest}
	}
	for i, x := range append([]tune.Proposal{{Figure: o.Now}}, list...) {
		if i == 0 && len(list) > 0 && list[0].Takes != nil {
			continue // nobody is there yet
		}
		j := jsonTuned{Record: transcript.Record{Event: "tune"}, Values: map[string]string{}, Trials: int64(x.Trials), Half: x.Half, Stops: x.Stops, StopsAt: x.Stopped, Luck: x.Luck}
		for _, c := range x.Changes {
			j.Values[c.Name] = c.To
		}
		for _, t := range x.Takes {
			j.Values["stock "+t.Name] = strconv.Itoa(t.Many)
		}
		if x.Stops < 1 {
			j.Value = &x.Value
			j.Fits = i > 0 && len(o.List) > 0 || want.off(x.Value) == 0 // the list has what fits as far as its trials tell
		}
		j.Nearest = i == 1
		a.object(j)
	}
}

func testObject(file string, r verify.TestResult) jsonTest {
	return jsonTest{transcript.Record{Event: "test"}, file, r.Name, r.Err == nil, transcript.Problems(r.Err)}
}

func ruleObject(r assist.RuleInfo) jsonRule {
	return jsonRule{transcript.Record{Event: "rule"}, r.ID, r.Doc, render.Kind(r), transcript.PlaceOf(r.At)}
}

type jsonTopic struct {
	transcript.Record
	Name    string          `json:"name"`
	Kind    string          `json:"kind"`
	System  string          `json:"system,omitempty"`
	Form    string          `json:"form"`
	Doc     string          `json:"doc"`
	Example string          `json:"example,omitempty"`
	Of      []string        `json:"of,omitempty"`
	Parts   []jsonTopicPart `json:"parts,omitempty"`
	Rules   []string        `json:"rules,omitempty"`
	transcript.Place
}

type jsonTopicPart struct {
	Group string `json:"group,omitempty"`
	Text  string `json:"text"`
	Doc   string `json:"doc,omitempty"`
}

func topicObject(t assist.Topic) jsonTopic {
	j := jsonTopic{Record: transcript.Record{Event: "topic"}, Name: t.Name, Kind: t.Kind, System: t.Module, Form: t.Form, Doc: t.Doc, Example: t.Example, Of: t.Of, Place: transcript.PlaceOf(t.At)}
	for _, p := range t.Parts {
		j.Parts = append(j.Parts, jsonTopicPart(p))
	}
	for _, r := range t.Rules {
		j.Rules = append(j.Rules, r.ID)
	}
	return j
}

func decisionKindObject(d assist.DecisionInfo) jsonDecisionKind {
	return jsonDecisionKind{transcript.Record{Event: "decision_kind"}, d.Name, d.Who, d.Prompt, d.Options, d.Default, d.Cost, d.When, d.Unasked, d.Rule, d.Doc, transcript.PlaceOf(d.At)}
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of what --json prints",
		Long: `Print the JSON Schema (draft 2020-12) of the records that --json prints, one a line. It
describes one record. The first has the version of the format.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "%s", transcript.Schema)
			return err
		},
	}
}
