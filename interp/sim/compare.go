package sim

import (
	"context"
	"errors"
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
	Goal, Doc string
	Trials    int64 // of each side that were made
	Stops     [2]float64
	Rows      []Difference // the goal first, then what both report
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
	goal, err := goals.Of(ctx, interp.NewSession(a.Config), a.Source, cc.Goal)
	if err != nil {
		return nil, err
	}
	o := &Comparison{Goal: goal.Name, Doc: goal.Doc}
	all := int64(core.Or(int(cc.Trials), DefaultComparison))
	workers := min(max(core.Or(cc.Workers, runtime.GOMAXPROCS(0)), 1), maxWorkers, int((all+pairBlock-1)/pairBlock))
	var pairs []*paired
	for range workers {
		w := &paired{seed: cc.Seed}
		for i, x := range []Side{a, b} {
			if w.sides[i], err = x.prepare(ctx, o.Goal); err != nil {
				return nil, err
			}
		}
		pairs = append(pairs, w)
	}
	sum := newTotals()
	for from := int64(0); from < all; {
		to := all
		if cc.Until > 0 {
			to = min(all, max(firstPairs, 2*from))
		}
		made, err := together(ctx, pairs, sum, from, to, func(done int64) {
			if cc.Progress != nil {
				cc.Progress(done, all)
			}
		})
		if err != nil {
			return nil, err
		}
		if from += made; ctx.Err() != nil {
			o.Stopped = true
			break
		}
		if cc.Until > 0 && sum.goal.Half() <= cc.Until {
			break
		}
	}
	o.Trials = sum.made
	if sum.made == 0 {
		return o, nil
	}
	for i := range o.Stops {
		o.Stops[i] = float64(sum.stopped[i]) / float64(sum.made)
	}
	if sum.goal.N == 0 {
		return nil, errors.New("every pair of trials stopped with an error; setpiece sim shows where")
	}
	o.Rows = sum.rows(o.Goal)
	return o, nil
}

// prepare compiles a side, with the goal as its last report.
func (x Side) prepare(ctx context.Context, goal string) (*core.Prepared, error) {
	cfg := x.Config
	cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
	s := interp.NewSession(cfg)
	text, err := Aimed(ctx, x.Source, goals.AimOf(ctx, core.Of(s), x.Source, goal))
	if err != nil {
		return nil, err
	}
	p, err := core.Of(s).Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	p.Paired = true
	p.Run.M.Mode, p.Run.M.Prog = machine.Trial(machine.NoteNothing, true), p.World.Prog
	return p, nil
}

// paired is one worker.
type paired struct {
	sides [2]*core.Prepared
	seed  uint64
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
				t := newTotals()
				for k := from + n*pairBlock; k < min(from+(n+1)*pairBlock, to); k++ {
					if errs[i] = w.pair(ctx, k, t); errs[i] != nil {
						next.Store(blocks)
						return
					}
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

// pair makes trial k of both sides.
func (w *paired) pair(ctx context.Context, k int64, t *totals) error {
	var ends [2]map[string]figure
	var goals [2]float64
	truth, broken := true, false
	for i, p := range w.sides {
		reports, err := trials.Once(ctx, p, trials.Seed(w.seed, k), nil)
		if e := ctx.Err(); e != nil {
			return e
		}
		if err != nil || len(reports) == 0 {
			t.stopped[i]++
			broken = true
			continue
		}
		n := len(reports) - 1
		var yes bool
		goals[i], yes = dist.NumberOf(p.Run.Heap, reports[n].Value)
		truth = truth && (yes || reports[n].Value == value.None)
		ends[i] = endsOf(p, reports[:n])
	}
	if t.made++; broken {
		return nil
	}
	t.goal.Count(goals[0], goals[1], truth)
	for name, x := range ends[0] {
		if y, ok := ends[1][name]; ok {
			t.column(name, x, y)
		}
	}
	return nil
}

// figure is what a report came to: a number, or a word.
type figure struct {
	number float64
	word   string // "" of a number
	order  int
}

// endsOf gives what was reported by column. Of columns of one name only the last counts.
func endsOf(p *core.Prepared, reports []machine.Report) map[string]figure {
	out := map[string]figure{}
	for i, r := range reports {
		m := p.Run.M
		name := m.Reported[r.Info].(*ir.ReportInfo).Column
		x := figure{order: i}
		if r.Value.IsNumber() {
			x.number, _ = p.Run.Heap.RatOf(r.Value).Float64()
		} else if x.word = m.Show(r.Value); x.word == "" {
			x.word = "none"
		}
		out[name] = x
	}
	return out
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

// rows gives the differences, in the order in which the scripts report. A column of which
// some trials report a word and others a number is left out.
func (t *totals) rows(goal string) []Difference {
	out := []Difference{row(goal, &t.goal)}
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
		case c.numbers.N == 0 && len(c.words) <= mostValues:
			words := make([]string, 0, len(c.words))
			for w := range c.words {
				words = append(words, w)
			}
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
