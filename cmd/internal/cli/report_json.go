package cli

import (
	"math"
	"slices"

	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/report"
	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/interp/dist"
	"setpiece/interp/transcript"
	"setpiece/interp/tune"
)

// The danger report as records: one for each script, with the figures of the text, and one that puts
// several beside each other.
type (
	jsonDanger struct {
		transcript.Record
		Name      string            `json:"name"`
		Seed      uint64            `json:"seed,string"`
		Trials    int64             `json:"trials"`
		Looked    int64             `json:"looked"`
		Goals     []jsonGoal        `json:"goals"`
		Help      string            `json:"help,omitempty"`
		Scenes    []jsonScene       `json:"scenes"`
		Falls     []jsonFall        `json:"falls"`
		Never     []string          `json:"never,omitempty"`
		Reserves  []jsonReserve     `json:"reserves"`
		Swing     *jsonSwing        `json:"swing,omitempty"`
		Moves     *jsonMoves        `json:"moves,omitempty"`
		Changes   *jsonChanges      `json:"changes,omitempty"`
		Decisions []jsonDecision    `json:"decisions"`
		Ends      []jsonDone        `json:"ends"`
		Tactics   []records.Refused `json:"tactics,omitempty"`
		Stops     *jsonFigure       `json:"stops,omitempty"`
		StopsAt   string            `json:"stops_at,omitempty"`
		Columns   []jsonColumn      `json:"columns"`
		Options   []jsonSetting     `json:"options,omitempty"`
		Rules     []jsonSpoke       `json:"rules,omitempty"`
	}
	// jsonFigure is a chance or a mean: exact, or from trials and off by half in 95 of 100 cases.
	jsonFigure struct {
		Value  float64       `json:"value"`
		Half   float64       `json:"half,omitempty"`
		Trials int64         `json:"trials,omitempty"`
		Exact  *interp.Value `json:"exact,omitempty"`
	}
	jsonGoal struct {
		Name   string          `json:"name"`
		Doc    string          `json:"doc,omitempty"`
		Chance *jsonFigure     `json:"chance,omitempty"`
		Mean   *jsonFigure     `json:"mean,omitempty"`
		Values []records.Point `json:"values,omitempty"`
	}
	jsonScene struct {
		Scene   string          `json:"scene"`
		Reached jsonFigure      `json:"reached"`
		Outcome []records.Point `json:"outcome,omitempty"`
		Round   string          `json:"round,omitempty"`
		Rounds  []records.Point `json:"rounds,omitempty"`
		Mean    *jsonFigure     `json:"mean,omitempty"`
	}
	jsonFall struct {
		Who    string     `json:"who"`
		Scene  string     `json:"scene"`
		Ours   bool       `json:"ours,omitempty"`
		Chance jsonFigure `json:"chance"`
	}
	jsonReserve struct {
		Who    string          `json:"who"`
		Name   string          `json:"name"`
		Before string          `json:"before,omitempty"`
		After  []records.Point `json:"after"`
		Mean   *jsonFigure     `json:"mean,omitempty"`
	}
	jsonSwing struct {
		Trials int        `json:"trials"`
		Again  int        `json:"again"`
		Steps  []jsonStep `json:"steps"`
	}
	jsonStep struct {
		Scene   string     `json:"scene"`
		Round   int        `json:"round,omitempty"`
		Reached jsonFigure `json:"reached"`
		Open    jsonFigure `json:"open"`
		At      [5]float64 `json:"at"`
		Half    [5]float64 `json:"half"`
	}
	jsonMoves struct {
		Trials int64         `json:"trials,omitempty"`
		Tried  int           `json:"tried"`
		Within float64       `json:"within,omitempty"`
		List   []jsonChanged `json:"list"`
	}
	jsonChanged struct {
		What  string  `json:"what"`
		From  string  `json:"from"`
		To    string  `json:"to"`
		Value float64 `json:"value"`
		By    float64 `json:"by"`
		Half  float64 `json:"half,omitempty"`
	}
	jsonChanges struct {
		Fits  bool           `json:"fits"`
		Tried int            `json:"tried"`
		List  []jsonProposal `json:"list"`
	}
	jsonProposal struct {
		Changes map[string]string `json:"changes"`
		Fits    bool              `json:"fits"`
		Luck    bool              `json:"luck,omitempty"`
		Figure  jsonFigure        `json:"figure"`
	}
	jsonDecision struct {
		Who     string      `json:"who,omitempty"`
		What    string      `json:"what"`
		Usual   string      `json:"usual,omitempty"`
		Instead string      `json:"instead,omitempty"`
		Better  *bool       `json:"better,omitempty"`
		ComesUp *jsonFigure `json:"comes_up,omitempty"`
		Worth   jsonFigure  `json:"worth"`
	}
	jsonDone struct {
		What  string     `json:"what"`
		Words string     `json:"words"`
		Share jsonFigure `json:"share"`
		Seed  uint64     `json:"seed,string"`
	}
	jsonColumn struct {
		Column string          `json:"column"`
		Points []records.Point `json:"points"`
		Mean   *jsonFigure     `json:"mean,omitempty"`
	}
	jsonSetting struct {
		Name   string `json:"name"`
		Value  string `json:"value"`
		Chosen bool   `json:"chosen,omitempty"`
	}
	jsonSpoke struct {
		ID    string  `json:"id"`
		Share float64 `json:"share"`
	}
	jsonBeside struct {
		transcript.Record
		Columns []string        `json:"columns"`
		Rows    []jsonBesideRow `json:"rows"`
	}
	jsonBesideRow struct {
		What    string        `json:"what"`
		Figures []*jsonFigure `json:"figures"`
	}
)

func figureObject(f danger.Estimate) jsonFigure {
	if f.Over == 0 {
		return jsonFigure{Value: f.P, Exact: records.Fraction(f.Exact)}
	}
	return jsonFigure{Value: f.P, Half: f.Half, Trials: f.Over}
}

// pointObjects are the shares of a distribution, from so many trials; from none they are exact.
func pointObjects(l *dist.Distribution, trials int64) []records.Point {
	if l == nil {
		return nil
	}
	out := []records.Point{}
	for _, p := range l.Points {
		x := records.Point{Value: dataOf(p), P: p.P, Exact: records.Fraction(p.Exact)}
		if trials > 0 {
			half := dist.Half(int64(math.Round(p.P*float64(trials))), trials)
			x.Exact, x.Half = nil, &half
		}
		out = append(out, x)
	}
	return out
}

// dataOf is the value of a point; what trials were listened to for is known as it is shown.
func dataOf(p dist.Point) interp.Value {
	switch {
	case p.Data.Is != nil || p.Shown == "" || p.Shown == "none":
		return p.Data
	case p.Number != nil:
		return interp.Value{Is: interp.NumberOf(p.Number)}
	}
	return interp.Value{Is: p.Shown}
}

// meanObject is the mean of a distribution, nil where it is none of numbers.
func meanObject(l *dist.Distribution, trials int64) *jsonFigure {
	if l == nil || !l.Numbers || len(l.Points) == 0 {
		return nil
	}
	if trials == 0 {
		return &jsonFigure{Value: l.Mean(), Exact: records.Fraction(l.ExactMean())}
	}
	return &jsonFigure{Value: l.Mean(), Half: l.MeanHalf(trials), Trials: trials}
}

// reportObjects writes the report of each part, and what they have in common.
func (a *app) reportObjects(page *report.Page, parts []report.Part) {
	for _, p := range parts {
		a.object(dangerObject(p.Name, p.Report))
	}
	if page.Beside == nil {
		return
	}
	b := page.Beside.Blocks[0]
	j := jsonBeside{Record: transcript.Record{Event: "beside"}, Columns: b.Head[1:], Rows: []jsonBesideRow{}}
	for _, r := range b.Rows {
		row := jsonBesideRow{What: r.Cells[0]}
		for _, f := range r.Figures {
			var x *jsonFigure
			if f != nil {
				figure := figureObject(*f)
				x = &figure
			}
			row.Figures = append(row.Figures, x)
		}
		j.Rows = append(j.Rows, row)
	}
	a.object(j)
}

func dangerObject(name string, r *danger.Report) jsonDanger {
	j := jsonDanger{
		Record: transcript.Record{Event: "danger"}, Name: name, Seed: r.Seed, Trials: r.Trials, Looked: r.Looked,
		Goals: []jsonGoal{}, Scenes: []jsonScene{}, Falls: []jsonFall{}, Never: r.Never, Reserves: []jsonReserve{},
		Decisions: decisionObjects(r), Ends: []jsonDone{}, Tactics: records.RefusedOf(r.Refused), StopsAt: r.StopWhat, Columns: []jsonColumn{},
		Swing: swingObject(r), Moves: movesObject(r.Moves), Changes: changesObject(r.Proposals),
	}
	if r.NoGoal != nil {
		j.Help = r.NoGoal.Help
	}
	for _, g := range r.Goals {
		j.Goals = append(j.Goals, goalObject(g))
	}
	for _, s := range r.Scenes {
		x := jsonScene{Scene: s.Title, Reached: figureObject(s.Reached), Outcome: pointObjects(s.Outcome, s.Over)}
		if s.Rounds != nil {
			x.Round, x.Rounds, x.Mean = s.Round, pointObjects(s.Rounds, s.Over), meanObject(s.Rounds, s.Over)
		}
		j.Scenes = append(j.Scenes, x)
	}
	for _, f := range r.Falls {
		j.Falls = append(j.Falls, jsonFall{f.Who, f.Scene, f.Ours, figureObject(f.Estimate)})
	}
	for _, x := range r.Reserves {
		j.Reserves = append(j.Reserves, jsonReserve{x.Who, x.Name, x.Before, pointObjects(x.After, x.Over), meanObject(x.After, x.Over)})
	}
	for _, e := range r.Ends {
		j.Ends = append(j.Ends, jsonDone{e.What, e.Words, figureObject(e.Share), e.Seed})
	}
	over := r.Trials
	if r.Exact {
		over = 0
	}
	if r.StopShare > 0 {
		stops := jsonFigure{Value: r.StopShare, Half: dist.Half(int64(math.Round(r.StopShare*float64(r.Trials))), r.Trials), Trials: r.Trials}
		j.Stops = &stops
	}
	for _, l := range r.Columns {
		j.Columns = append(j.Columns, jsonColumn{l.Name, pointObjects(l, over), meanObject(l, over)})
	}
	for _, o := range r.Options {
		j.Options = append(j.Options, jsonSetting{o.Name, o.Value, slices.Contains(r.Chosen, o.Name)})
	}
	for _, x := range r.Rules {
		j.Rules = append(j.Rules, jsonSpoke{x.ID, x.Share})
	}
	return j
}

func goalObject(g danger.ReportGoal) jsonGoal {
	x, figure := jsonGoal{Name: g.Name, Doc: g.Doc}, figureObject(g.Estimate)
	switch {
	case g.By != nil:
		x.Values = pointObjects(&dist.Distribution{Points: g.By}, g.Over)
	case g.Number:
		x.Mean = &figure
	default:
		x.Chance = &figure
	}
	return x
}

func swingObject(r *danger.Report) *jsonSwing {
	if r.Swing == nil || len(r.Swing.Steps) == 0 {
		return nil
	}
	out := &jsonSwing{Trials: r.Swing.Trials, Again: r.Swing.Again}
	for _, x := range r.Swing.Steps {
		out.Steps = append(out.Steps, jsonStep{x.Scene, x.Round, figureObject(x.Share), figureObject(x.Open), x.At, x.Half})
	}
	return out
}

func movesObject(w *danger.Moves) *jsonMoves {
	if w == nil {
		return nil
	}
	out := &jsonMoves{Trials: w.Trials, Tried: w.Tried, Within: w.Within, List: []jsonChanged{}}
	for _, m := range w.List {
		out.List = append(out.List, jsonChanged{m.What, m.From, m.To, m.Value, m.By, m.Half})
	}
	return out
}

// changesObject is what to change, or what comes nearest.
func changesObject(p *tune.Proposals) *jsonChanges {
	if p == nil {
		return nil
	}
	out, list := &jsonChanges{Fits: p.Fits, Tried: p.Tried, List: []jsonProposal{}}, p.List
	if len(list) == 0 && p.Nearest != nil {
		list = []tune.Proposal{*p.Nearest}
	}
	for _, x := range list {
		c := jsonProposal{map[string]string{}, len(p.List) > 0, x.Luck, jsonFigure{Value: x.Value, Half: x.Half, Trials: int64(x.Trials)}}
		for _, change := range x.Changes {
			c.Changes[change.Name] = change.To
		}
		out.List = append(out.List, c)
	}
	return out
}

// decisionObjects are the decisions that the script makes, and behind them those that it leaves open.
func decisionObjects(r *danger.Report) []jsonDecision {
	out := []jsonDecision{}
	for _, x := range r.Worth {
		out = append(out, jsonDecision{Who: x.Who, What: x.What, Worth: jsonFigure{Value: x.Value, Half: x.Half, Trials: r.WorthOver}})
	}
	for _, d := range r.Open {
		up := figureObject(d.ComesUp)
		out = append(out, jsonDecision{Who: d.Who, What: d.Prompt, Usual: d.Usual, Instead: d.Other, Better: &d.Better, ComesUp: &up, Worth: jsonFigure{Value: d.Value, Half: d.Half, Trials: r.WorthOver}})
	}
	return out
}
