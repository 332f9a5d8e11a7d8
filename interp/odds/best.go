package odds

import (
	"context"
	"fmt"
	"math"
	"slices"

	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// BestGoal gives the goal that somebody decides for: the one that was named, or else the
// one that rules declare for the first of them, who may be a foe. It is an error if nobody has
// one of their names.
func BestGoal(ctx context.Context, s *core.Run, src *lang.Source, best []string, goal string) (string, error) {
	if w, _, _, err := s.Compile(ctx, src, false); err == nil && len(best) > 0 {
		if err := known(w, best); err != nil {
			return "", err
		}
	}
	if goal != "" {
		return goals.AimOf(ctx, s, src, goal)
	}
	if len(best) > 0 && best[0] != Everybody {
		return goals.AimFor(ctx, s, src, best[0]), nil
	}
	if list, usual, _, err := goals.Scenes(ctx, s, src); err == nil && len(list) > 0 && usual != "" {
		return goals.AimOf(ctx, s, src, usual)
	}
	return "", nil
}

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

// like says whether two decisions are the same for whoever makes them.
func (d Decision) like(e Decision) bool {
	return d.Who == e.Who && d.Prompt == e.Prompt && d.Cost == e.Cost && d.When == e.When && d.Taken == e.Taken &&
		slices.Equal(d.Options, e.Options) &&
		slices.EqualFunc(d.Values, e.Values, almost) && slices.EqualFunc(d.Stops, e.Stops, almost)
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

func almost(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// goalAt is the goal at an end: the value it reported last.
func goalAt(r *odds.Checkpoint) value.V {
	if reps, _ := Seen(r); len(reps) > 0 {
		return reps[len(reps)-1].Value
	}
	return value.None
}

// yesOrNo says whether the goal is a truth at an end.
func yesOrNo(s *core.Run, r *odds.Checkpoint) bool {
	_, truth := dist.NumberOf(s.Heap, goalAt(r))
	return truth
}

// YesOrNo says whether the goal is a truth at all ends. It is an error if it counts for nothing at one of them.
func YesOrNo(s *core.Run, g *odds.Graph) (bool, error) {
	all := true
	for _, r := range g.Checkpoints {
		if r.Kind != odds.Terminal || yesOrNo(s, r) {
			continue
		}
		all = false
		if v := goalAt(r); v != value.None && !v.IsNumber() {
			return false, fmt.Errorf("a goal is yes or no, or a number, and this one can be %s", s.M.Show(v))
		}
	}
	return all, nil
}

// WorthOf says what an end is worth.
func WorthOf(s *core.Run) func(*odds.Checkpoint) float64 {
	return func(r *odds.Checkpoint) float64 {
		x, _ := dist.NumberOf(s.Heap, goalAt(r))
		return x
	}
}

// unreported leaves out of a text what it reports, where reporting does nothing else.
func unreported(ctx context.Context, s *core.Run, src *lang.Source) *lang.Source {
	w, _, _, err := s.Compile(ctx, src, false)
	if err != nil {
		return src // it will be told
	}
	reports, _ := goals.ReportsOf(ctx, src)
	var edits []lang.Edit
	for _, r := range reports {
		if !slices.ContainsFunc(r.Values, func(v *lang.Reported) bool { return !resolve.Pure(w, v.Value) }) {
			edits = append(edits, lang.Edit{Span: r.Span})
		}
	}
	return src.Edited(edits...)
}
