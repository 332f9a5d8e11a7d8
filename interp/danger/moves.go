package danger

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/trials"
	"setpiece/interp/odds"
	"setpiece/interp/tune"
	"setpiece/interp/vary"
	"setpiece/lang"
)

// What moves the goal: every number and die that the script says, one step up and one
// down, as tune would step. Each changed script has the same dice as the script as it is, by
// who acts, turn and purpose (see Compare), so that few trials show what a change does. Most
// changes do little. So a few trials of each find those that do the most, and these
// are tried again, with more trials and other dice: a difference that was large by luck is not
// large twice (screening and selection: Boesel, Nelson and Kim, Using ranking and selection
// to clean up after simulation optimization, 2003).

// Moves says how changes of single numbers move the goal.
type Moves struct {
	Trials int64   // that each difference is from; 0: they are exact
	Few    int64   // that each change was tried with at first
	Tried  int     // how many changes
	Within float64 // how far the worst of the differences may be off, at 95 %
	List   []ReportMove
}

// ReportMove is one number with another value.
type ReportMove struct {
	What, From, To string
	Value          float64 // the mean of the goal then
	By             float64 // how far that is from what it is
	Half           float64 // half of the 95 % interval of By; 0 where it is exact
}

// shownMoves is how many numbers are tried at length.
const shownMoves = 8

// movable lists what of a script can be a little more or less.
func movable(ctx context.Context, cfg interp.Config, src *lang.Source) ([]vary.Parameter, error) {
	list, err := vary.Parameters(ctx, interp.NewSession(cfg), src)
	return slices.DeleteFunc(list, func(p vary.Parameter) bool { return tune.LaddersOf(p, true) == nil }), err
}

// altered is a script with one number changed.
type altered struct {
	number   int // of the parameter
	from, to string
	text     *lang.Source
	by, half float64
	sure     bool // it is not by luck that the goal moves
	ok       bool // there can be such a script
}

// moves finds out what moves the goal: exactly where the odds are a matter of few states,
// else by trials.
func (r *reporter) moves(ctx context.Context) error {
	var list []*altered
	for i, p := range r.numbers {
		l := tune.LaddersOf(p, true)
		for _, to := range slices.Concat(l.Up[:min(1, len(l.Up))], l.Down[:min(1, len(l.Down))]) {
			list = append(list, &altered{number: i, from: p.Value, to: to, text: r.src.Edited(p.Edits(to)...)})
		}
	}
	out := &Moves{}
	r.report.Moves = out
	base := cmp.Or(r.odds[0], r.odds[1])
	if base != nil && base.States <= tune.SearchStates {
		aim := func(src *lang.Source) (float64, error) {
			o, err := odds.Of(ctx, interp.NewSession(r.changed), src, odds.Config{Goal: r.aim})
			if err == nil && (o.Stopped || o.Certain() != nil || o.Remainder > 1e-9) {
				err = cmp.Or(ctx.Err(), errors.New("there are no odds"))
			}
			if err != nil {
				return 0, err
			}
			return o.Value, nil
		}
		now, err := aim(r.src)
		if err == nil {
			each(ctx, len(list), func(i int) {
				if x, err := aim(list[i].text); err == nil {
					list[i].by, list[i].sure, list[i].ok = x-now, math.Abs(x-now) > 1e-9, true
				}
			})
			r.sumUpMoves(list)
			return ctx.Err()
		}
	}
	out.Few, out.Trials = screenTrials(r.report.Trials), changeTrials(r.report.Trials)
	if err := r.try(ctx, list, out.Few, 1); err != nil {
		return err
	}
	most := make([]float64, len(r.numbers))
	for _, c := range list {
		if c.ok {
			most[c.number] = max(most[c.number], math.Abs(c.by))
			out.Tried++
		}
	}
	order := make([]int, len(r.numbers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	order = order[:min(len(order), shownMoves)]
	list = slices.DeleteFunc(list, func(c *altered) bool {
		return !c.ok || most[c.number] == 0 || !slices.Contains(order, c.number)
	})
	if err := r.try(ctx, list, out.Trials, 2); err != nil {
		return err
	}
	tried := out.Tried
	r.sumUpMoves(list)
	out.Tried = tried
	return nil
}

// try makes trials of scripts and of the one as it is. Other dice have another number.
func (r *reporter) try(ctx context.Context, list []*altered, n int64, dice uint64) error {
	seed := trials.Seed(r.cfg.Seed^0x6d6f766573, int64(dice))
	base, err := r.figuresOf(ctx, r.src, n, seed)
	if err != nil {
		return err
	}
	each(ctx, len(list), func(i int) {
		c := list[i]
		xs, err := r.figuresOf(ctx, c.text, n, seed)
		if c.ok = err == nil; c.ok {
			c.by, c.half = dist.Ahead(xs, base)
			c.sure = dist.Differ(xs, base, len(list))
			c.ok = !math.IsNaN(c.by)
		}
	})
	return ctx.Err()
}

// sumUpMoves puts the numbers that do the most first, each with what it does one step up and one
// down. A number that does no more than luck is left out.
func (r *reporter) sumUpMoves(list []*altered) {
	most := make([]float64, len(r.numbers))
	for _, c := range list {
		if c.ok && c.sure {
			most[c.number] = max(most[c.number], math.Abs(c.by))
		}
	}
	slices.SortStableFunc(list, func(a, b *altered) int {
		return cmp.Or(cmp.Compare(most[b.number], most[a.number]), cmp.Compare(a.number, b.number))
	})
	out, numbers := r.report.Moves, map[int]bool{}
	for _, c := range list {
		if !c.ok {
			continue
		}
		out.Tried++
		out.Within = max(out.Within, c.half)
		if most[c.number] == 0 || len(numbers) == shownMoves && !numbers[c.number] {
			continue
		}
		numbers[c.number] = true
		out.List = append(out.List, ReportMove{What: r.numbers[c.number].Name, From: c.from, To: c.to, By: c.by, Half: c.half})
	}
}

// figuresOf makes trials of a text, each with the dice of the same trial of any other that has
// the same seed.
func (r *reporter) figuresOf(ctx context.Context, src *lang.Source, n int64, seed uint64) ([]float64, error) {
	s, err := trials.NewSeries(ctx, core.Of(interp.NewSession(r.changed)), src, r.aim, seed)
	if err != nil {
		return nil, err
	}
	err = s.Continue(ctx, int(n), time.Time{})
	if err == nil && len(dist.Finite(s.Xs)) == 0 {
		err = errors.New("every trial stopped with an error")
	}
	return s.Xs, err
}

// each does work 0 to n-1 on all processors, until the context ends.
func each(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}
