package sim

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Which of two scripts is harder, and by how much? Compare makes trials of both in pairs:
// the two of a pair have the same dice for the same throws (machine/streams.go says which
// those are), so that the difference is known from far fewer trials than if each had dice
// of its own.

// Side is one of two scripts that are compared.
type Side struct {
	Config interp.Config
	Source *lang.Source
}

// CompareConfig says how two scripts are compared.
type CompareConfig struct {
	Goal     string // see odds.Config.Goal; "": what the first script is about
	Trials   int64  // of each; 0: DefaultComparison
	Until    float64
	Seed     uint64
	Workers  int // see Config
	Progress func(done, all int64)
}

// DefaultComparison is how many pairs of trials are made where nothing is said.
const DefaultComparison = 10_000

// Comparison is what came of pairs of trials.
type Comparison struct {
	Goal, Doc string // "" where nothing says what the first script is about
	Seed      uint64
	Trials    int64 // of each side that were made
	Stops     [2]float64
	Rows      []Difference // the goal first, if there is one, then what both report
	Stopped   bool         // the context ended before all were made
}

// Difference is how one figure of the second script differs from that of the first.
type Difference struct {
	What        string     // the goal, or a column, or a column with one of its values
	Chance      bool       // it is a chance, else a mean
	Value       [2]float64 // of each side
	By          float64    // the second less the first
	Half        float64    // half of the 95 % interval of By
	Independent float64    // what Half would be if each side had dice of its own
}

// Sure says whether a difference is more than luck does.
func (d *Difference) Sure() bool { return math.Abs(d.By) > d.Half }

// pairBlock is how many pairs a worker makes at a time, firstPairs how many are made
// before Until is looked at.
const (
	pairBlock  = 64
	firstPairs = 1024
)

// mostValues bounds of how many different words of a column the shares are compared.
const mostValues = 12

// Compare makes pairs of trials of two scripts. Pairs of which one stops with an error
// count for neither figure. The result is the same on any number of workers.
func Compare(ctx context.Context, a, b Side, cc CompareConfig) (*Comparison, error) {
	o, err := comparison(ctx, interp.NewSession(a.Config), a.Source, cc)
	if err != nil {
		return nil, err
	}
	all := cc.all()
	workers := min(max(core.Or(cc.Workers, runtime.GOMAXPROCS(0)), 1), maxWorkers, int((all+pairBlock-1)/pairBlock))
	var pairs []*paired
	for range workers {
		w := &paired{seed: cc.Seed, aimed: o.Goal != ""}
		for i, x := range []Side{a, b} {
			cfg := x.Config
			cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
			if w.sides[i], err = prepare(ctx, core.Of(interp.NewSession(cfg)), x.Source, o.Goal); err != nil {
				return nil, err
			}
		}
		pairs = append(pairs, w)
	}
	return o, o.run(ctx, pairs, cc)
}

// CompareFrom is Compare for two texts that are run from the session as it is, which is not
// changed, with its seed. One worker makes the trials.
func CompareFrom(ctx context.Context, s *interp.Session, a, b *lang.Source, cc CompareConfig) (*Comparison, error) {
	r := core.Of(s)
	before, again := r.Keep(), r.Host.Instead(nil)
	defer func(back func()) {
		back()
		again()
		r.M.Reports = nil
		r.Back(before)
	}(r.M.Switch(r.M.Mode, r.M.Prog))
	cc.Seed = before.Seed
	o, err := comparison(ctx, s, a, cc)
	if err != nil {
		return nil, err
	}
	w := &paired{seed: cc.Seed, aimed: o.Goal != ""}
	for i, text := range []*lang.Source{a, b} {
		r.Back(before)
		if w.sides[i], err = prepare(ctx, r, text, o.Goal); err != nil {
			return nil, err
		}
	}
	return o, o.run(ctx, []*paired{w}, cc)
}

// ErrApart is that scripts have no goal and report nothing that can be compared.
var ErrApart = errors.New("nothing says what the scripts are about, and they report nothing that can be compared")

// comparison begins a comparison with the goal that it is about, if there is one.
func comparison(ctx context.Context, s *interp.Session, src *lang.Source, cc CompareConfig) (*Comparison, error) {
	_, usual, err := goals.SceneGoals(ctx, s, src)
	if err != nil {
		return nil, err
	}
	if cc.Goal+usual == "" {
		return &Comparison{Seed: cc.Seed}, nil
	}
	goal, err := goals.Of(ctx, s, src, cc.Goal)
	return &Comparison{Goal: goal.Name, Doc: goal.Doc, Seed: cc.Seed}, err
}

func (cc *CompareConfig) all() int64 { return int64(core.Or(int(cc.Trials), DefaultComparison)) }

// run makes the trials.
func (o *Comparison) run(ctx context.Context, pairs []*paired, cc CompareConfig) error {
	all := cc.all()
	sum := newTotals()
	for from := int64(0); from < all; {
		to := all
		if cc.Until > 0 || o.Goal == "" {
			to = min(all, max(firstPairs, 2*from))
		}
		made, err := together(ctx, pairs, sum, from, to, func(done int64) {
			if cc.Progress != nil {
				cc.Progress(done, all)
			}
		})
		switch {
		case err != nil:
			return err
		case o.Goal == "" && made > 0 && len(sum.rows("")) == 0:
			return ErrApart
		}
		if from += made; ctx.Err() != nil {
			o.Stopped = true
			break
		}
		if cc.Until > 0 && o.Goal != "" && sum.goal.Half() <= cc.Until {
			break
		}
	}
	o.Trials = sum.made
	if sum.made == 0 {
		return nil
	}
	for i := range o.Stops {
		o.Stops[i] = float64(sum.stopped[i]) / float64(sum.made)
	}
	if sum.goal.N == 0 {
		return errors.New("every pair of trials stopped with an error; setpiece sim shows where")
	}
	o.Rows = sum.rows(o.Goal)
	return nil
}

// prepare compiles a side, with the goal, if there is one, as its last report.
func prepare(ctx context.Context, r *core.Run, src *lang.Source, goal string) (*core.Prepared, error) {
	text, err := Aimed(ctx, r, src, goal)
	if err != nil {
		return nil, err
	}
	p, err := r.Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	p.Paired = true
	p.Run.M.Mode = machine.Trial(machine.NoteNothing, true)
	return p, nil
}

// paired is one worker.
type paired struct {
	sides [2]*core.Prepared
	seed  uint64
	aimed bool // both report a goal last
}

// together makes the pairs from..to. They are summed up in the order of their numbers.
func together(ctx context.Context, pairs []*paired, sum *totals, from, to int64, told func(done int64)) (made int64, err error) {
	blocks := (to - from + pairBlock - 1) / pairBlock
	done := make([]*totals, blocks)
	errs := make([]error, len(pairs))
	var next, count atomic.Int64
	var group sync.WaitGroup
	var talk sync.Mutex
	for i, w := range pairs {
		group.Go(func() {
			for ctx.Err() == nil {
				n := next.Add(1) - 1
				if n >= blocks {
					return
				}
				t, first := newTotals(), from+n*pairBlock
				if errs[i] = w.block(ctx, first, min(first+pairBlock, to), t); errs[i] != nil {
					next.Store(blocks)
					return
				}
				done[n] = t
				all := from + count.Add(t.made)
				talk.Lock()
				told(all)
				talk.Unlock()
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil && ctx.Err() == nil {
		return 0, err
	}
	for _, t := range done {
		if t == nil {
			break // the context has ended
		}
		sum.add(t)
		made += t.made
	}
	return made, nil
}

// block makes the trials from..to of both sides: of the one, then of the other, which may run on the
// same machine.
func (w *paired) block(ctx context.Context, from, to int64, t *totals) error {
	var ends [2][]end
	for i, p := range w.sides {
		p.Run.M.Prog = p.World.Prog
		for k := from; k < to; k++ {
			reports, err := trials.Once(ctx, p, trials.Seed(w.seed, k), nil)
			if err := ctx.Err(); err != nil {
				return err
			}
			ends[i] = append(ends[i], w.end(p, reports, err))
		}
	}
	for k := range ends[0] {
		t.pair(&ends[0][k], &ends[1][k])
	}
	return nil
}

// end is what a trial came to.
type end struct {
	stopped bool
	goal    float64
	truth   bool // the goal is yes or no
	first   string
	reports map[string]figure
}

// end takes what a trial has reported: the goal last, if there is one.
func (w *paired) end(p *core.Prepared, reports []machine.Report, err error) end {
	if err != nil || w.aimed && len(reports) == 0 {
		return end{stopped: true}
	}
	e := end{truth: true}
	if n := len(reports) - 1; w.aimed {
		e.goal, e.truth = dist.NumberOf(p.Run.Heap, reports[n].Value)
		e.truth = e.truth || reports[n].Value == value.None
		reports = reports[:n]
	}
	e.first, e.reports = endsOf(p, reports)
	return e
}

// pair counts a trial of both sides. What they report first is compared whatever they call it.
func (t *totals) pair(x, y *end) {
	t.made++
	for i, e := range []*end{x, y} {
		if e.stopped {
			t.stopped[i]++
		}
	}
	if x.stopped || y.stopped {
		return
	}
	t.goal.Count(x.goal, y.goal, x.truth && y.truth)
	_, same := y.reports[x.first]
	_, other := x.reports[y.first]
	if f, ok := y.reports[y.first]; ok && !same && !other {
		y.reports[x.first] = f
	}
	for name, f := range x.reports {
		if g, ok := y.reports[name]; ok {
			t.column(name, f, g)
		}
	}
}

// figure is what a report came to: a number, or a word.
type figure struct {
	number float64
	word   string // "" of a number
	order  int
}

// endsOf gives what was reported by column, and the first of them. Of columns of one name only the last counts.
func endsOf(p *core.Prepared, reports []machine.Report) (first string, out map[string]figure) {
	out = map[string]figure{}
	for i, r := range reports {
		m := p.Run.M
		name := m.Reported[r.Info].(*ir.ReportInfo).Column
		x := figure{order: i}
		if r.Value.IsNumber() {
			x.number, _ = p.Run.Heap.RatOf(r.Value).Float64()
		} else if x.word = m.Show(r.Value); x.word == "" {
			x.word = "none"
		}
		if out[name] = x; i == 0 {
			first = name
		}
	}
	return first, out
}

// totals are the sums over pairs.
type totals struct {
	made    int64
	stopped [2]int64
	goal    trials.Sums
	columns map[string]*column
}

// column sums up what both sides report under one name.
type column struct {
	order   int
	words   map[string]*trials.Sums // the share of each word
	all     int64
	numbers trials.Sums
}

func newTotals() *totals {
	return &totals{goal: trials.Sums{Truth: true}, columns: map[string]*column{}}
}

// row is the difference that sums show.
func row(what string, s *trials.Sums) Difference {
	x, y := s.Means()
	return Difference{What: what, Chance: s.Truth, Value: [2]float64{x, y}, By: s.By(), Half: s.Half(), Independent: s.Independent()}
}

func (t *totals) get(name string, order int) *column {
	c := t.columns[name]
	if c == nil {
		c = &column{order: order, words: map[string]*trials.Sums{}}
		t.columns[name] = c
	}
	return c
}

// column counts a pair of reports.
func (t *totals) column(name string, x, y figure) {
	c := t.get(name, x.order)
	c.all++
	if x.word == "" && y.word == "" {
		c.numbers.Count(x.number, y.number, false)
		return
	}
	for i, f := range []figure{x, y} {
		if f.word == "" || i == 1 && f.word == x.word {
			continue
		}
		s := c.words[f.word]
		if s == nil {
			s = &trials.Sums{Truth: true}
			c.words[f.word] = s
		}
		is := func(f figure, word string) float64 {
			if f.word == word {
				return 1
			}
			return 0
		}
		s.Count(is(x, f.word), is(y, f.word), true)
	}
}

func (t *totals) add(o *totals) {
	t.made += o.made
	t.stopped[0], t.stopped[1] = t.stopped[0]+o.stopped[0], t.stopped[1]+o.stopped[1]
	t.goal.Add(&o.goal)
	for name, c := range o.columns {
		to := t.get(name, c.order)
		to.all += c.all
		to.numbers.Add(&c.numbers)
		for word, s := range c.words {
			if to.words[word] == nil {
				to.words[word] = &trials.Sums{Truth: true}
			}
			to.words[word].Add(s)
		}
	}
}

// frequent gives the words that are reported most.
func (c *column) frequent() []string {
	count := func(w string) float64 { x, y := c.words[w].Totals(); return x + y }
	words := slices.SortedFunc(maps.Keys(c.words), func(a, b string) int {
		return cmp.Or(cmp.Compare(count(b), count(a)), strings.Compare(a, b))
	})
	return words[:min(len(words), mostValues)]
}

// rows gives the differences, in the order in which the scripts report. A column of which
// some trials report a word and others a number is left out, and, beside a goal, one of many words.
func (t *totals) rows(goal string) []Difference {
	var out []Difference
	if goal != "" {
		out = append(out, row(goal, &t.goal))
	}
	names := make([]string, 0, len(t.columns))
	for name := range t.columns {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := t.columns[a].order - t.columns[b].order; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		c := t.columns[name]
		switch {
		case len(c.words) == 0:
			out = append(out, row(name, &c.numbers))
		case c.numbers.N == 0 && (len(c.words) <= mostValues || goal == ""):
			words := c.frequent()
			slices.Sort(words)
			if slices.Equal(words, []string{"no", "yes"}) {
				words = words[1:]
			}
			for _, w := range words {
				s := *c.words[w]
				s.N = c.all // in the others neither side reports it
				out = append(out, row(name+" "+w, &s))
			}
		}
	}
	return out
}
