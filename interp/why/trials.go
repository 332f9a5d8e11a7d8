package why

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/trials"
	"setpiece/interp/vary"
	"setpiece/lang"
	"setpiece/lang/late"
)

// What would move a chance that is too much for exact odds? Each change is compared with the text
// as it is by trials in pairs, which have the same dice (common random numbers: Law and Kelton,
// Simulation Modeling and Analysis, chapter 11). All changes begin with a few trials; the half that
// does the most goes on to twice as many, again and again (successive halving: Karnin, Koren and
// Somekh, Almost optimal exploration in multi-armed bandits, 2013). The best of many changes is
// often best by luck, so a change is only told if it wins a bet that pays for all that
// were tried, both ways (see proven).

// entrant is a change in the race.
type entrant struct {
	what string
	rank int // of what is tried first, see precedence
	make func() (p *core.Prepared, undo func(), err error)
	xs   []float64 // what its trials came to
	by   float64   // how far they moved the goal
	half float64   // half of the 95 % interval of by
}

// Bounds of a race.
const (
	baseTenths  = 1  // of the time, for the text as it is
	leastTrials = 60 // that are made of it
	raceRounds  = 3  // what screening costs and what the rounds behind it cost, in screenings
)

// enter puts a change at the end of those that are to be tried.
func (t *tryer) enter(e *entrant) { t.entrants = append(t.entrants, e) }

// estimate works the mean out by trials.
func (t *tryer) estimate(p *core.Prepared) error {
	p.Paired = true
	t.now, t.ready = p, t.s.Keep()
	all := core.Or(t.cfg.Trials, DefaultWhyTrials)
	if t.cfg.Time > 0 {
		start := time.Now()
		if err := t.atLeast(min(all, trials.Pilot/2)); err != nil {
			return err
		}
		t.each = max(time.Since(start)/time.Duration(len(t.base)), 1)
		all = min(all, max(int(t.cfg.Time/10*baseTenths/t.each), leastTrials))
	}
	start := time.Now()
	made := len(t.base)
	if err := t.atLeast(all); err != nil {
		return err
	}
	if more := len(t.base) - made; more > 0 {
		t.each = max(time.Since(start)/time.Duration(more), 1)
	}
	if len(dist.Finite(t.base)) == 0 {
		return errors.New("every trial stopped with an error; setpiece sim shows where")
	}
	return nil
}

// atLeast goes on to so many trials of the text as it is.
func (t *tryer) atLeast(n int) error {
	xs, chance, err := trials.Figures(t.whole, t.now, len(t.base), n, t.s.Seed, t.until, nil)
	if len(xs) > 0 {
		t.w.Chance = chance && (t.base == nil || t.w.Chance)
	}
	t.base = append(t.base, xs...)
	return err
}

// budget is how many trials there is time for, 0 where there is no bound.
func (t *tryer) budget() int {
	if t.cfg.Time <= 0 {
		return 0
	}
	t.begins = int(t.prepared / t.each)
	return max(int(time.Until(t.until)/t.each), 1)
}

// race tries the changes with so many trials in all, 0 for no bound. A greater budget is shared by
// more changes, and gives each of them more trials.
func (t *tryer) race(budget int) {
	slices.SortStableFunc(t.entrants, func(a, b *entrant) int { return cmp.Compare(a.rank, b.rank) })
	n, most, shown := trials.Pilot, core.Or(t.cfg.Trials, DefaultWhyTrials), max(core.Or(t.cfg.Moves, 8), 1)
	if budget > 0 {
		most = core.Or(t.cfg.Trials, MaxWhyTrials)
		n = max(n, t.begins/2)
		few := min(len(t.entrants), max(min(int(math.Sqrt(float64(budget)/4)), budget/raceRounds/(n+t.begins)), 1))
		t.w.Untried += len(t.entrants) - few
		t.entrants = t.entrants[:few]
		n, shown = max(n, budget/raceRounds/max(few, 1)-t.begins), 1
	}
	left := slices.Clone(t.entrants)
	for n = min(n, most); len(left) > 0; n = min(2*n, most) {
		if t.err = t.atLeast(n); t.err != nil {
			return
		}
		left = slices.DeleteFunc(left, func(e *entrant) bool { return !t.extend(e, min(n, len(t.base))) })
		if n >= most || n > len(t.base) || budget > 0 && t.made() >= budget || t.spent() || t.err != nil {
			return
		}
		slices.SortStableFunc(left, func(a, b *entrant) int { return cmp.Compare(math.Abs(b.by), math.Abs(a.by)) })
		left = left[:min(len(left), max((len(left)+1)/2, shown))]
		if budget > 0 && len(left) > 0 {
			most = min(most, n+max(budget-t.made(), 0)/len(left))
		}
	}
}

// made is how many trials the changes have had.
func (t *tryer) made() (sum int) {
	for _, e := range t.entrants {
		sum += len(e.xs)
	}
	return sum
}

// extend goes on to n trials of a change, and says whether it stays in the race. One that cannot be
// is no change.
func (t *tryer) extend(e *entrant, n int) bool {
	if t.err != nil || t.cfg.Time > 0 && t.changes.Err() != nil {
		return false
	}
	p, undo, err := e.make()
	defer undo()
	if err != nil {
		return false
	}
	p.Paired = true
	xs, _, err := trials.Figures(t.changes, p, len(e.xs), n, t.s.Seed, time.Time{}, nil)
	if err != nil {
		if t.whole.Err() != nil {
			t.err = err
		}
		return false
	}
	e.xs = append(e.xs, xs...)
	e.by, e.half = dist.Ahead(e.xs, t.base[:len(e.xs)])
	return !math.IsNaN(e.by)
}

// prepare prepares another text.
func (t *tryer) prepare(src *lang.Source) (*core.Prepared, error) {
	text, err := goals.WithGoal(t.changes, src, t.cfg.Goal)
	if err != nil {
		return nil, err
	}
	return t.s.Prepare(t.changes, text)
}

// tell tells what came of the race: the chance, and the changes that luck does not explain.
func (t *tryer) tell() {
	w, ends := t.w, dist.Finite(t.base)
	f := dist.FigureOf(t.base, w.Chance)
	w.Value, w.Half, w.Stops, w.Trials = f.Value, f.Half, f.Stops, len(t.base)
	if w.Stops > 0 {
		w.StopsAt = "setpiece sim shows where"
	}
	if len(ends) == 0 {
		return
	}
	for _, e := range t.entrants {
		if len(e.xs) == 0 {
			w.Untried++
			continue
		}
		w.Tried++
	}
	for _, e := range t.entrants {
		n := len(e.xs)
		if n == 0 || math.IsNaN(e.by) {
			continue
		}
		if w.Fewest == 0 || n < w.Fewest {
			w.Fewest = n
		}
		w.Within = max(w.Within, e.half)
		base := t.base[:n]
		sure := dist.Differ(e.xs, base, w.Tried)
		if v := w.Value + e.by; sure && !t.triedAlready(e.what, v) {
			w.Moves = append(w.Moves, Move{e.what, v, dist.Stopped(e.xs), e.half, n})
		}
	}
}

// numbered is the name of one of several creatures of a kind, as far as the kind's begins.
var numbered = late.Regexp(` \d+\.`)

// said says whether the text sets a field: then it is changed there, for all of a kind.
func (t *tryer) said(list []vary.Parameter, field string) bool {
	kind := numbered().ReplaceAllString(field, ".")
	return slices.ContainsFunc(list, func(p vary.Parameter) bool {
		return p.Kind == vary.FieldParameter && p.Value != "" && (p.Name == field || p.Name == kind)
	})
}
