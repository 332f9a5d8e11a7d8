package interp

import (
	"context"
	"math"
	"slices"
	"strings"

	"setpiece/interp/internal/core"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// What somebody wants who decides: a goal is reported like any other column, and its mean is what
// an option is worth.

// Decision is a decision made for the best.
type Decision struct {
	Who, Prompt, Cost string
	Options           []string
	Values            []float64 // the mean of the goal with each option, over what does not stop
	Stops             []float64 // how likely each option comes to an error; nil: none does
	Taken             int
	Weight            float64 // how likely it is to come to it
	When              string  // what has changed by then, as name and value
}

// withGoal has a text report a goal at its end, and the outcome before that if
// it reports nothing itself.
func withGoal(ctx context.Context, src *lang.Source, goal string) (*lang.Source, error) {
	return reportGoal(ctx, src, goal, true)
}

// reportGoal has a text report a goal at its end, with the outcome or without it.
func reportGoal(ctx context.Context, src *lang.Source, goal string, outcome bool) (*lang.Source, error) {
	if goal == "" {
		goal = "success"
	}
	x, diags := lang.ParseExpr(lang.NewSource(fromGoal, goal))
	if core.Failed(diags) {
		return nil, diags
	}
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, compileError(src, err)
	}
	if core.Failed(diags) {
		return nil, diags
	}
	before := reportOf(file, x)
	text := "\n"
	if outcome && !slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool { _, ok := s.(*lang.Report); return ok }) {
		text += "report last.outcome as outcome\n"
	}
	end := len(strings.TrimRight(src.Text, " \t\r\n"))
	return src.Given(end, text+before, goal, "\n", fromGoal), nil
}

// reportOf begins the report of a goal: a word that is no variable of the script is an outcome.
func reportOf(file *lang.File, goal lang.Expr) string {
	w, ok := goal.(*lang.Word)
	if !ok || slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool {
		let, ok := s.(*lang.Let)
		return ok && let.Name.Name == w.Name
	}) {
		return "report "
	}
	return "report last.outcome == "
}

// fromGoal is what messages call the goal that a caller gives.
const fromGoal = "--goal"

// unreported leaves out of a text what it reports, where reporting does nothing else.
func unreported(ctx context.Context, s *core.Run, src *lang.Source) *lang.Source {
	w, _, _, err := s.Compile(ctx, src, false)
	if err != nil {
		return src // it will be told
	}
	reports, _ := reportsOf(ctx, src)
	var edits []lang.Edit
	for _, r := range reports {
		if !slices.ContainsFunc(r.Values, func(v *lang.Reported) bool { return !resolve.Pure(w, v.Value) }) {
			edits = append(edits, lang.Edit{Span: r.Span})
		}
	}
	return src.Edited(edits...)
}

// goalOf says what an end is worth: the value it reported last.
func goalOf(s *core.Run) func(*odds.Checkpoint) float64 {
	return func(r *odds.Checkpoint) float64 {
		reps, _ := seen(r)
		if len(reps) == 0 {
			return 0
		}
		x, _ := numberOf(s.Heap, reps[len(reps)-1].Value)
		return x
	}
}

// yesOrNo says whether the goal is a truth at an end.
func yesOrNo(s *core.Run, r *odds.Checkpoint) bool {
	reps, _ := seen(r)
	if len(reps) == 0 {
		return false
	}
	_, truth := numberOf(s.Heap, reps[len(reps)-1].Value)
	return truth
}

func decisions(s *core.Run, g *odds.Graph, v odds.Means) []Decision {
	var out []Decision
	for _, d := range g.Decisions(v) {
		x := Decision{
			Prompt: d.Choice.Prompt, Cost: d.Choice.Cost, Options: d.Choice.Options,
			Values: d.Values, Stops: d.Stops, Taken: d.Taken, Weight: d.Weight, When: when(s, d.Checkpoint),
		}
		if d.Choice.Who.Kind() == value.Ref {
			x.Who = s.M.NameOf(d.Choice.Who)
		}
		if i := slices.IndexFunc(out, x.like); i >= 0 {
			out[i].Weight += x.Weight
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Decision) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return out
}

// like says whether two decisions are the same for whoever makes them.
func (d Decision) like(e Decision) bool {
	return d.Who == e.Who && d.Prompt == e.Prompt && d.Cost == e.Cost && d.When == e.When && d.Taken == e.Taken &&
		slices.Equal(d.Options, e.Options) &&
		slices.EqualFunc(d.Values, e.Values, almost) && slices.EqualFunc(d.Stops, e.Stops, almost)
}

func almost(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
