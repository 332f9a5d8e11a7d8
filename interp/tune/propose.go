package tune

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/interp/odds"
	"setpiece/interp/vary"
	"setpiece/lang"
)

// Which small change of a script gives a goal the chance that is wanted? This file
// looks for one: it takes the parameters of the script one at a time (see interp/vary/parameter.go),
// goes from the value that the script says outwards, a step at a time, and stops where
// the goal is as wanted, or has gone past it. Where no single change does it, two that
// pull the right way are made at once.
//
// A script small enough is calculated exactly with each change. Of others each change is
// tried with the same dice as the script as it is (common random numbers: Law and
// Kelton, Simulation Modeling and Analysis, chapter 11): what a change does to the goal
// is then known from far fewer trials than the goal itself. The search goes by the mean
// of many trials of the script as it is and the difference that a few show. Most changes
// do nothing, or far too little, and that shows soon: so each begins with some two dozen
// trials, and only those of which it is still open whether they do go on to twice as many,
// again and again (a race; Maron and Moore, "Hoeffding races", 1994). What is left is tried
// at length with other dice, since the best of many is often best by luck, and dropped where that
// shows something else. What does not win a bet there that pays for all that were tried at length
// (see proven) is proposed last, as what may be luck. With more time all of these are more trials.

// Config says what Propose looks for.
type Config struct {
	Goal    string  // see odds.Config.Goal; "": what the script is about, see goals.SceneGoals
	Lo, Hi  float64 // the mean that the goal should have
	Players bool    // change what players write on their sheets as well
	Most    int     // how many proposals are wanted; 0: five

	Trials   int           // made with each proposal where exact odds are too much; 0: DefaultProposeTrials
	Time     time.Duration // bound on the search, and then on the trials of what it found; 0: none
	Memory   int           // see odds.Config
	Progress func(done, all int64)
}

// DefaultProposeTrials is how many trials are made with each proposal where ProposeConfig
// says nothing.
const DefaultProposeTrials = 4000

// Change is one parameter with its new value.
type Change struct {
	vary.Parameter
	To string
}

// String says a change as in  Ooze Men x4 instead of x2.
func (c *Change) String() string { return c.Name + " " + c.To + " instead of " + c.Value }

// Proposal is a script with one or two changes.
type Proposal struct {
	Changes []Change
	Takes   []Take // of FromStock: who is taken
	Steps   int    // how many steps from value to value it takes
	dist.Figure
	Source *lang.Source // the script with the changes
	Luck   bool         // that the goal differs from what it is without the changes may be luck
}

// String says its changes.
func (p *Proposal) String() string {
	var out []string
	for _, t := range p.Takes {
		out = append(out, t.String())
	}
	for i := range p.Changes {
		out = append(out, p.Changes[i].String())
	}
	return strings.Join(out, ", ")
}

// Range is what was tried of one parameter.
type Range struct {
	vary.Parameter
	Values  []string       // that were tried, in the order of their size
	Refused []RefusedValue // that the rules do not allow
}

// RefusedValue is a value that cannot be.
type RefusedValue struct{ Value, Why string }

// Proposals is what came of a search.
type Proposals struct {
	Goal    string
	Doc     string      // what the goal is, in words, where the rules declare it
	Now     dist.Figure // of the script as it is
	Chance  bool        // the goal is a chance
	Fits    bool        // the script is as wanted already; nothing was searched
	List    []Proposal  // that are as wanted, the smallest first
	Nearest *Proposal   // where none is: the nearest that was found
	Ranges  []Range     // what was tried, in the order of the script
	Tried   int         // how many scripts were tried
	Over    interp.Over // what exact odds had too much of, "" where they are exact
	Late    bool        // not all was tried, since the time was up
	Alone   bool        // each number alone was tried to its end: what is left are pairs
	Pairs   int         // how many pairs of changes were tried
	Stock   []string    // who is in stock, of a search there
	Open    []string    // of which numbers there was no time to try a single value
	Stopped bool        // or since the context had ended
}

// Bounds of a search.
const (
	fewestTrials = 48      // made while searching with a change that may do
	searchTrials = 320     // and at the most
	leastFinal   = 400     // made with what is proposed
	SearchStates = 2000    // of a script that is small enough for exact odds throughout
	finalStates  = 200_000 // and of one whose proposals are exact
	mostPairs    = 24      // of changes made at once

	usualTime = 10 * time.Second // for which these are meant
)

// Propose looks for the smallest changes of a script with which the mean of a goal is
// within Lo to Hi. First come those that whoever prepares a scene would make: how many
// foes there are, and what their sheets say; then the numbers of commands and variables.
func Propose(ctx context.Context, cfg interp.Config, src *lang.Source, pc Config) (*Proposals, error) {
	return propose(ctx, cfg, src, pc, finalStates)
}

// propose calculates exact odds of up to so many states.
func propose(ctx context.Context, cfg interp.Config, src *lang.Source, pc Config, states int) (*Proposals, error) {
	cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
	s := interp.NewSession(cfg)
	goal, err := goals.Of(ctx, s, src, pc.Goal)
	if err != nil {
		return nil, err
	}
	o := &Proposals{Goal: goal.Name, Doc: goal.Doc}
	list, err := vary.Parameters(ctx, s, src)
	if err != nil {
		return nil, err
	}
	aim, err := goals.AimOf(ctx, core.Of(s), src, o.Goal)
	if err != nil {
		return nil, err
	}
	t := &tuner{ctx: ctx, cfg: cfg, pc: pc, src: src, o: o, states: states, goal: aim}
	end := time.Now().Add(pc.Time)
	if pc.Time > 0 {
		t.until = time.Now().Add(pc.Time * 5 / 8)
	}
	if err := t.base(); err != nil {
		return nil, err
	}
	if o.Fits = t.off(o.Now.Value) == 0; o.Fits {
		return o, nil
	}
	for _, p := range list {
		if l := LaddersOf(p, pc.Players); l != nil {
			t.lines = append(t.lines, l)
		}
	}
	t.search()
	o.Alone = !t.late()
	// Most of the time that is left goes into pairs, if no change alone will do.
	t.by(end, 4)
	if t.final(t.singles()); len(o.List) == 0 && o.Alone {
		t.by(end, 2)
		t.pairs()
		t.by(end, 1)
		t.final(t.both)
	}
	if t.by(end, 1); len(o.List) == 0 {
		t.nearest()
	}
	for _, l := range t.lines {
		r := l.tried()
		if o.Ranges = append(o.Ranges, r); len(r.Values)+len(r.Refused) == 0 {
			o.Open = append(o.Open, l.Name)
		}
	}
	o.Tried = int(t.count.Load())
	o.Stopped = ctx.Err() != nil
	if t.err != nil && !o.Stopped {
		return nil, t.err
	}
	return o, nil
}

// tuner is a search.
type tuner struct {
	ctx  context.Context
	cfg  interp.Config
	pc   Config
	src  *lang.Source
	goal string
	o    *Proposals

	states int
	exact  bool      // all figures are exact
	sure   bool      // that of the script as it is is exact
	few    int       // trials of each change while searching
	fresh  []float64 // of the script as it is, with the dice of what is tried at length
	length int       // how many are tried at length, at most
	xs     []float64 // what the trials of the script as it is came to
	width  float64   // from the least to the greatest of them
	until  time.Time // when this part of the search ends
	each   time.Duration

	lines []*ladder
	both  []*found // two changes at once
	count atomic.Int64
	done  atomic.Int64
	all   int64
	talk  sync.Mutex

	mu  sync.Mutex
	err error
}

// off says how far a mean lies outside of what is wanted, less than 0 below it.
func (t *tuner) off(x float64) float64 {
	switch {
	case x < t.pc.Lo-1e-12:
		return x - t.pc.Lo
	case x > t.pc.Hi+1e-12:
		return x - t.pc.Hi
	}
	return 0
}

// base finds out about the script as it is: exactly, if that is quick, and if it is very
// quick all that is tried will be exact. Else what is proposed at last may be.
func (t *tuner) base() error {
	start := time.Now()
	now, err := t.odds(t.src, t.states, t.pc.Time/16)
	took := time.Since(start)
	switch over := interp.OverOf(err); {
	case over != "":
		t.o.Over = over
	case err != nil:
		return err
	default:
		t.o.Now, t.o.Chance, t.sure = Figure(now), chance(now), true
		t.exact = now.States <= SearchStates || t.pc.Time > 0 && took < t.pc.Time/200
		if t.exact || t.off(t.o.Now.Value) == 0 {
			return nil
		}
	}
	return t.sample()
}

// odds calculates what a text leads to.
func (t *tuner) odds(src *lang.Source, states int, within time.Duration) (*odds.Odds, error) {
	cfg := odds.Config{Goal: t.goal, States: states, Memory: t.pc.Memory, Time: within}
	o, err := odds.Of(t.ctx, interp.NewSession(t.cfg), src, cfg)
	if err == nil && o.Stopped {
		err = t.ctx.Err()
	}
	return o, err
}

// chance says whether the goal of odds is yes or no.
func chance(o *odds.Odds) bool {
	return slices.ContainsFunc(o.Ends, func(e odds.End) bool {
		n := len(e.Values)
		return n > 0 && (e.Values[n-1] == value.Yes || e.Values[n-1] == value.No)
	})
}

// Figure gives the mean of the goal, where there is one.
func Figure(o *odds.Odds) dist.Figure {
	f := dist.Figure{Value: math.Round(1e12*o.Value) / 1e12}
	f.Stops, f.Stopped = o.Stops()
	return f
}

// sample makes trials of the script as it is, and finds out how many there is time for.
func (t *tuner) sample() error {
	t.few = t.most()
	n := core.Or(t.pc.Trials, DefaultProposeTrials)
	start := time.Now()
	all, err := t.series(t.src)
	if err != nil {
		return err
	}
	if _, err = t.trials(all, min(n, fewestTrials)); err != nil {
		return err
	}
	t.each = time.Since(start) / time.Duration(len(all.Xs))
	if t.pc.Time > 0 {
		n = min(n, max(leastFinal, int(t.pc.Time/8/max(t.each, 1))))
	}
	now, err := t.trials(all, n)
	if err != nil {
		return err
	}
	xs := all.Xs
	if ends := dist.Finite(xs); len(ends) > 0 {
		t.width = slices.Max(ends) - slices.Min(ends)
	}
	if t.xs = xs; t.sure {
		return nil
	}
	t.o.Now = now
	t.o.Chance = !slices.ContainsFunc(xs, func(x float64) bool { return x != 0 && x != 1 && !math.IsNaN(x) })
	if now.Stops == 1 {
		return errors.New("every trial stopped with an error; setpiece sim shows where")
	}
	return nil
}

// most is how many trials a change has at the most while searching.
func (t *tuner) most() int { return searchTrials * max(1, int(t.pc.Time/usualTime)) }

// series prepares a text for trials.
func (t *tuner) series(src *lang.Source) (*trials.Series, error) {
	return trials.NewSeries(t.ctx, core.Of(interp.NewSession(t.cfg)), src, t.goal, t.cfg.Seed)
}

// trials goes on to n trials in all.
func (t *tuner) trials(s *trials.Series, n int) (dist.Figure, error) {
	if err := s.Continue(t.ctx, n, time.Time{}); err != nil {
		return dist.Figure{}, err
	}
	return s.Mean(), nil
}

// by sets when the next part of a search ends: after one of n parts of the time that is
// left of all.
func (t *tuner) by(end time.Time, n int) {
	if t.pc.Time > 0 {
		t.until = time.Now().Add(time.Until(end) / time.Duration(n))
	}
}

// left is the time that is left, 0 where there is no bound.
func (t *tuner) left() time.Duration {
	if t.until.IsZero() {
		return 0
	}
	return max(time.Until(t.until), time.Millisecond)
}

// late says whether nothing more is tried.
func (t *tuner) late() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil || t.ctx.Err() != nil {
		return true
	}
	if !t.until.IsZero() && time.Now().After(t.until) {
		t.o.Late = true
		return true
	}
	return false
}

// try finds out about a changed script while searching. Why is that there can be none.
func (t *tuner) try(src *lang.Source) (f dist.Figure, why string, err error) {
	t.count.Add(1)
	if t.exact {
		o, err := t.odds(src, odds.DefaultStates, t.left())
		if err != nil {
			return f, refusal(err), err
		}
		return Figure(o), "", nil
	}
	s, err := t.series(src)
	for n := trials.Pilot; err == nil; n *= 2 {
		n = min(n, t.few)
		if f, err = t.trials(s, n); err != nil || f.Stops == 1 {
			break
		}
		if value, half, ok := controlled(s.Xs, t.xs[:n], t.o.Now.Value); ok {
			if f.Value, f.Half = value, half; t.o.Chance {
				f.Value = min(max(f.Value, 0), 1)
			}
		}
		if n == t.few || t.misses(&f) {
			break
		}
	}
	if err != nil {
		return f, refusal(err), err
	}
	return f, "", nil
}

// controlled gives the mean of trials and half of its 95 % interval from what they and their
// twins of another script, whose mean is known, came to. Where the twins did better than they
// do on the average, luck was with both of them, as far as they go together; that much is
// taken off (control variates: Law and Kelton, chapter 11). Equal trials give exactly the
// known mean.
func controlled(xs, twins []float64, mean float64) (value, half float64, ok bool) {
	var n, sx, sy, sxx, syy, sxy float64
	for i, x := range xs {
		y := twins[i]
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		n, sx, sy = n+1, sx+x, sy+y
		sxx, syy, sxy = sxx+x*x, syy+y*y, sxy+x*y
	}
	if n < 3 || n < float64(len(xs))/2 {
		return 0, 0, false
	}
	vx, vy, cov := sxx-sx*sx/n, syy-sy*sy/n, sxy-sx*sy/n
	slope := 1.0
	if vy > 0 {
		slope = cov / vy
	}
	value = mean + (sx-sy)/n + (1-slope)*(sy/n-mean)
	rest := max(vx-2*slope*cov+slope*slope*vy, 0) // squares of what luck does not explain
	return value, dist.Deviations * math.Sqrt(rest/(n-2)/n), true
}

// misses says whether a figure is so far from what is wanted that more trials will hardly
// change that. It is asked several times, so it wants more than one interval.
func (t *tuner) misses(f *dist.Figure) bool {
	return math.Abs(t.off(f.Value)) > 1.5*t.doubt(f)
}

// doubt says how far off a figure may be: where no trial in n differed from its twin there
// may yet be three in n that do.
func (t *tuner) doubt(f *dist.Figure) float64 {
	if f.Trials == 0 {
		return 0
	}
	return max(f.Half, 3*t.width/float64(f.Trials))
}

// refusal says why a script cannot be, "" where an error is something else.
func refusal(err error) string {
	var ds lang.Diagnostics
	var re *interp.RunError
	switch {
	case errors.As(err, &re) && re.Kind == interp.Limit:
		return ""
	case errors.As(err, &re):
		return re.Diag.Message
	case errors.As(err, &ds) && len(ds) > 0:
		return ds[0].Message
	}
	return ""
}

// fail notes an error that ends the search.
func (t *tuner) fail(err error) {
	if interp.OverOf(err) != "" {
		t.mu.Lock()
		t.o.Late = true // exact odds with this change take too long
		t.mu.Unlock()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = cmp.Or(t.err, err)
}

// search tries the first step of all ladders, both ways, and then walks on along those
// that promise most.
func (t *tuner) search() {
	if t.pc.Time > 0 && !t.exact {
		share := time.Duration(max(1, 6*len(t.lines)))
		workers := time.Duration(runtime.GOMAXPROCS(0))
		t.few = min(max(int(t.left()*workers/share/max(t.each, 1)), fewestTrials), t.most())
	}
	t.few = min(t.few, len(t.xs))
	order := slices.Clone(t.lines)
	slices.SortStableFunc(order, func(a, b *ladder) int { return cmp.Compare(vary.Precedence(a.Parameter), vary.Precedence(b.Parameter)) })
	ways := make([]*way, 2*len(order))
	for i, l := range order {
		ways[2*i] = &way{ladder: l, values: l.Up, to: &l.rungs[0]}
		ways[2*i+1] = &way{ladder: l, values: l.Down, to: &l.rungs[1]}
	}
	t.all = int64(len(order) + len(ways))
	t.parallel(len(order), func(i int) {
		up, down := ways[2*i], ways[2*i+1]
		if t.walk(up, 1); t.helps(up) {
			down.over = true
			return
		}
		if t.walk(down, 1); t.helps(down) {
			up.over = true
		}
	})
	slices.SortStableFunc(ways, func(a, b *way) int {
		return cmp.Or(cmp.Compare(t.promise(a), t.promise(b)), cmp.Compare(a.rank, b.rank))
	})
	t.parallel(len(ways), func(i int) { t.walk(ways[i], len(ways[i].values)) })
}

// helps says whether the first step of a way led towards what is wanted, and not by luck.
func (t *tuner) helps(w *way) bool {
	if len(*w.to) == 0 || (*w.to)[0].why != "" {
		return false
	}
	first := (*w.to)[0]
	return math.Abs(t.off(t.o.Now.Value))-math.Abs(t.off(first.Value)) > first.Half
}

// promise says how many steps of a way it takes to what is wanted, as its first one goes.
func (t *tuner) promise(w *way) float64 {
	if len(*w.to) == 0 || (*w.to)[0].why != "" {
		return math.Inf(1)
	}
	first := (*w.to)[0]
	now := math.Abs(t.off(t.o.Now.Value))
	by := now - math.Abs(t.off(first.Value))
	if by <= 0 {
		return math.MaxFloat64
	}
	return math.Ceil(now / by)
}

// parallel does work 0 to n-1, in this order, on all processors.
func (t *tuner) parallel(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || t.late() {
					return
				}
				do(i)
				t.progress(t.done.Add(1))
			}
		})
	}
	group.Wait()
}

func (t *tuner) progress(done int64) {
	if t.pc.Progress == nil {
		return
	}
	t.talk.Lock()
	defer t.talk.Unlock()
	t.pc.Progress(done, t.all)
}

// rung is a value that was tried.
type rung struct {
	to   string
	step int
	why  string // it was refused
	idle bool   // it changes nothing
	text *lang.Source
	dist.Figure
}

// way is one way along a ladder, up or down.
type way struct {
	*ladder
	values []string
	to     *[]*rung // what was tried
	over   bool     // there is no more to try

	refused, away, idle int // steps in a row that were refused, all that led away, all that did nothing
	fits                bool
}

// walk goes on along a way for so many steps, until the goal is as wanted, has gone past
// that, or goes away from it. Where two steps in a row do no more than luck does, it leaps.
func (t *tuner) walk(w *way, steps int) {
	now := t.off(t.o.Now.Value)
	for ; steps > 0 && !w.over && !t.late(); steps-- {
		n := 1
		if tried := *w.to; len(tried) > 0 {
			n = tried[len(tried)-1].step + 1
		}
		if w.idle == 2 {
			t.leap(w, n)
			return
		}
		if n > len(w.values) {
			w.over = true
			return
		}
		r := t.step(w.ladder, w.values[n-1], n)
		if r == nil {
			return
		}
		*w.to = append(*w.to, r)
		if r.why != "" {
			w.refused++
			w.over = w.refused == 2
			continue
		}
		w.refused = 0
		then := t.off(r.Value)
		if now*then < 0 && math.Abs(then) > r.Half || then == 0 && (t.exact || w.fits) {
			w.over = true
			return
		}
		w.fits = then == 0 // as far as few trials tell, so the next is looked at, too
		if r.idle || math.Abs(r.Value-t.o.Now.Value) <= r.Half {
			w.idle++
		} else {
			w.idle = 0
		}
		if by := math.Abs(then) - math.Abs(now); by > r.Half {
			w.away++
			w.over = w.away == 2 || by > 2*r.Half
		}
	}
}

// leap looks at the last value of a way on which two steps did nothing. If that goes past what is
// wanted, or is refused, the place where it does is found by halves.
func (t *tuner) leap(w *way, from int) {
	w.over = true
	now := t.off(t.o.Now.Value)
	at := func(n int) (r *rung, past bool) {
		if t.late() {
			return nil, false
		}
		if r = t.step(w.ladder, w.values[n-1], n); r == nil {
			return nil, false
		}
		*w.to = append(*w.to, r)
		return r, r.why != "" || now*t.off(r.Value) <= 0
	}
	lo, hi := from-1, len(w.values)
	if hi <= lo {
		return
	}
	r, past := at(hi)
	for r != nil && past && hi-lo > 1 {
		mid := (lo + hi) / 2
		var beyond bool
		if r, beyond = at(mid); beyond {
			hi = mid
		} else {
			lo = mid
		}
	}
	slices.SortStableFunc(*w.to, func(a, b *rung) int { return cmp.Compare(a.step, b.step) })
}

// step tries one value of a ladder, nil where that cannot be done.
func (t *tuner) step(l *ladder, to string, n int) *rung {
	r := &rung{to: to, step: n, text: t.src.Edited(l.Edits(to)...)}
	var err error
	if r.Figure, r.why, err = t.try(r.text); err != nil && r.why == "" {
		t.fail(err)
		return nil
	}
	if r.why == "" && r.Stops == 1 {
		r.why = r.Stopped
	}
	r.idle = r.why == "" && r.Half == 0 && r.Value == t.o.Now.Value
	return r
}

// tried says what was tried of a ladder.
func (l *ladder) tried() Range {
	r := Range{Parameter: l.Parameter}
	add := func(x *rung) {
		if x.why != "" {
			r.Refused = append(r.Refused, RefusedValue{x.to, x.why})
		} else {
			r.Values = append(r.Values, x.to)
		}
	}
	for _, x := range slices.Backward(l.rungs[1]) {
		add(x)
	}
	for _, x := range l.rungs[0] {
		add(x)
	}
	return r
}

// better compares two proposals: the one with fewer changes, then the one of a rank that
// comes first, then the smaller one.
func better(a, b *found) int {
	return cmp.Or(cmp.Compare(len(a.Changes), len(b.Changes)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Steps, b.Steps),
		cmp.Compare(a.counts(), b.counts()), cmp.Compare(a.order, b.order))
}

// found is a proposal with its place among others.
type found struct {
	Proposal
	rank, order int
}

// counts is 0 for a change of how many there are, 1 for any other.
func (f *found) counts() int {
	if f.Changes[0].Kind == vary.CountParameter {
		return 0
	}
	return 1
}

// key names what a proposal changes.
func (f *found) key() string {
	var names []string
	for _, c := range f.Changes {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// singles lists the changes of one parameter that were tried.
func (t *tuner) singles() []*found {
	var out []*found
	for _, l := range t.lines {
		for _, way := range l.rungs {
			for _, r := range way {
				if r.why == "" && r.Stops < 1 {
					p := Proposal{Changes: []Change{{l.Parameter, r.to}}, Steps: r.step, Figure: r.Figure, Source: r.text}
					out = append(out, &found{p, l.rank, len(out)})
				}
			}
		}
	}
	return out
}

// near says whether a figure that is known roughly may be as wanted.
func (t *tuner) near(f *dist.Figure) bool {
	if t.exact {
		return t.off(f.Value) == 0
	}
	return math.Abs(t.off(f.Value)) <= f.Half
}

// together guesses what two changes come to at once that come to a and b alone, as if neither
// touched the other: their effects add up, those on a chance on the scale of log odds, which
// never leaves 0 to 1.
func (t *tuner) together(now, a, b float64) float64 {
	if !t.o.Chance {
		return a + b - now
	}
	logOdds := func(p float64) float64 {
		p = min(max(p, 0.005), 0.995)
		return math.Log(p / (1 - p))
	}
	return 1 / (1 + math.Exp(logOdds(now)-logOdds(a)-logOdds(b)))
}

// pairs tries two changes at once: those which, if neither touched the other, would come
// nearest to what is wanted.
func (t *tuner) pairs() {
	now := t.o.Now.Value
	var pulls []*found
	for _, f := range t.singles() {
		if by := math.Abs(t.off(now)) - math.Abs(t.off(f.Value)); by+t.doubt(&f.Figure) > 0 {
			pulls = append(pulls, f)
		}
	}
	var two []*found
	for i, a := range pulls {
		for _, b := range pulls[i+1:] {
			if a.Changes[0].Name == b.Changes[0].Name {
				continue
			}
			p := Proposal{Changes: slices.Concat(a.Changes, b.Changes), Steps: a.Steps + b.Steps}
			p.Value = t.together(now, a.Value, b.Value)
			two = append(two, &found{p, max(a.rank, b.rank), len(two)})
		}
	}
	slices.SortStableFunc(two, func(a, b *found) int {
		return cmp.Or(cmp.Compare(math.Abs(t.off(a.Value)), math.Abs(t.off(b.Value))), better(a, b))
	})
	two = two[:min(len(two), mostPairs)]
	t.all += int64(len(two))
	good := make([]bool, len(two))
	t.parallel(len(two), func(i int) {
		f := two[i]
		text := t.src
		edits := append(f.Changes[0].Edits(f.Changes[0].To), f.Changes[1].Edits(f.Changes[1].To)...)
		text = text.Edited(edits...)
		fig, why, err := t.try(text)
		if err != nil && why == "" {
			t.fail(err)
			return
		}
		f.Figure, f.Source = fig, text
		good[i] = why == "" && fig.Stops < 1
	})
	for i, f := range two {
		if f.Source != nil {
			t.o.Pairs++
		}
		if good[i] {
			t.both = append(t.both, f)
		}
	}
}

// final tries what was found at length, and keeps what is as wanted.
func (t *tuner) final(all []*found) {
	most := core.Or(t.pc.Most, 5)
	var maybe []*found
	for _, f := range all {
		if t.near(&f.Figure) {
			maybe = append(maybe, f)
		}
	}
	slices.SortStableFunc(maybe, better)
	var good []*found
	given := map[string]bool{}
	n := len(t.xs)
	if !t.exact && t.pc.Time > 0 && t.each > 0 {
		n = min(n, max(leastFinal, int(time.Until(t.until)/time.Duration(most+1)/t.each)))
	}
	if t.length = len(maybe); t.length == 0 || !t.again(n) {
		return
	}
	for len(maybe) > 0 && len(good) < most && !t.late() {
		var now, later []*found // the smallest change of each parameter first
		seen := map[string]bool{}
		for _, f := range maybe {
			switch key := f.key(); {
			case given[key]:
			case seen[key] || len(now) == most-len(good):
				later = append(later, f)
			default:
				now, seen[key] = append(now, f), true
			}
		}
		maybe = later
		t.all += int64(len(now))
		t.parallel(len(now), func(i int) { t.atLength(now[i], n) })
		for _, f := range now {
			if t.off(f.Value) == 0 && (f.Half == 0 || f.Trials >= n) {
				good = append(good, f)
				given[f.key()] = true
			}
		}
	}
	slices.SortStableFunc(good, better)
	slices.SortStableFunc(good, func(a, b *found) int { return cmp.Compare(luck(a), luck(b)) })
	for _, f := range good {
		t.o.List = append(t.o.List, f.Proposal)
	}
}

// luck is 1 where a difference may be luck.
func luck(f *found) int {
	if f.Luck {
		return 1
	}
	return 0
}

// again makes n trials of the script as it is, with other dice than while searching.
func (t *tuner) again(n int) bool {
	if t.exact || len(t.fresh) >= n {
		return true
	}
	s, err := t.series(t.src)
	if err == nil {
		s.Seed, s.Xs = t.otherDice(), t.fresh
		_, err = t.trials(s, n)
		t.fresh = s.Xs
	}
	if err != nil {
		t.fail(err)
	}
	return err == nil
}

func (t *tuner) otherDice() uint64 { return trials.Seed(t.cfg.Seed^0x74756e65, 1) }

// nearest finds out what comes nearest where nothing does.
func (t *tuner) nearest() {
	all := append(t.singles(), t.both...)
	slices.SortStableFunc(all, func(a, b *found) int {
		return cmp.Compare(math.Abs(t.off(a.Value)), math.Abs(t.off(b.Value)))
	})
	all = all[:min(len(all), 3)] // few trials may have misled about the first
	if len(all) == 0 {
		return
	}
	n := len(t.xs)
	if t.pc.Time > 0 && t.each > 0 {
		n = min(n, max(leastFinal/2, int(time.Until(t.until)/time.Duration(len(all))/t.each)))
	}
	if t.length = len(all); !t.again(n) {
		return
	}
	var group sync.WaitGroup
	for _, f := range all {
		group.Go(func() { t.atLength(f, n) })
	}
	group.Wait()
	first := slices.MinFunc(all, func(a, b *found) int {
		return cmp.Compare(math.Abs(t.off(a.Value)), math.Abs(t.off(b.Value)))
	})
	switch off := math.Abs(t.off(first.Value)); {
	case off == 0:
		t.o.List = []Proposal{first.Proposal} // few trials had shown less
	case off < math.Abs(t.off(t.o.Now.Value)):
		t.o.Nearest = &first.Proposal
	}
}

// atLength finds out about a proposal with n trials.
func (t *tuner) atLength(f *found, n int) {
	if t.exact || t.ctx.Err() != nil {
		return
	}
	if t.sure {
		if o, err := t.odds(f.Source, t.states, t.pc.Time/8); err == nil {
			f.Figure = Figure(o)
			return
		}
	}
	s, err := t.series(f.Source)
	if err == nil {
		s.Seed = t.otherDice()
	}
	for k := leastFinal / 4; err == nil; k *= 2 {
		k = min(k, n)
		if f.Figure, err = t.trials(s, k); k == n || t.misses(&f.Figure) {
			break
		}
	}
	if err != nil {
		t.fail(err)
		return
	}
	twins := t.fresh[:min(len(s.Xs), len(t.fresh))]
	f.Luck = len(twins) < len(s.Xs) || !dist.Differ(s.Xs, twins, t.length)
}

// LaddersOf gives the values to try in place of what a parameter says, nil where it is
// nothing that can be a little more or less.
func LaddersOf(p vary.Parameter, players bool) *ladder {
	if p.Value == "" || p.Own && !players {
		return nil
	}
	l := &ladder{Parameter: p}
	switch p.Kind {
	case vary.CountParameter:
		l.rank = 0
	case vary.FieldParameter:
		l.rank = 0
	case vary.VariableParameter, vary.OperandParameter:
		l.rank = 1
	default:
		return nil // how the group reads the rules is for the group to say
	}
	if p.Own {
		l.rank = 2
	}
	l.Up, l.Down = vary.StepsFrom(p.Value)
	if l.Up == nil && l.Down == nil {
		return nil
	}
	return l
}

// ladder is a parameter with the values to try, from its own one on up and down.
type ladder struct {
	vary.Parameter
	rank  int        // which parameters come first
	Up    []string   // by step
	Down  []string   //
	rungs [2][]*rung // that were tried, up and down
}
