package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/trials"
	"setpiece/lang"
)

// How many of whom in stock make a fight? Of each kind as many are tried as it takes: 1, 2, 4 and so on
// until the goal has gone past what is wanted, and then what lies between, by halves. Each number begins
// with some two dozen trials and has twice as many, again and again, only while it is open on which
// side it lies. From where that ends for each kind alone follows which two kinds may do together: one
// that alone would be a third of what is wanted leaves room for two thirds of another. What comes
// nearest is tried at length with other dice.

// Bounds of a search in stock.
const (
	mostTaken  = 12   // of a kind
	mostMixed  = 10   // pairs of kinds that are tried at length
	aboutTrial = 0.05 // a chance that is wanted without a range may be off by this
)

// Take is how many of what is in stock.
type Take struct {
	Name string
	Many int
}

// String says it as a script does.
func (t Take) String() string {
	if t.Many == 1 {
		return "stock " + decl.QuoteName(t.Name)
	}
	return fmt.Sprintf("stock %s x%d", decl.QuoteName(t.Name), t.Many)
}

// FromStock looks for how many of whom in stock give a goal the mean that is wanted. Where a script says
//
//	stock Foes as "Street Thug" x3
//
// others take their place under the same name; else they are put in above what is played.
func FromStock(ctx context.Context, cfg interp.Config, src *lang.Source, pc Config) (*Proposals, error) {
	cfg.Chance, cfg.Choice, cfg.Events = nil, nil, nil
	s := interp.NewSession(cfg)
	goal, err := goals.Of(ctx, s, src, pc.Goal)
	if err != nil {
		return nil, err
	}
	w, out, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil, err
	}
	o := &Proposals{Goal: goal.Name, Doc: goal.Doc, Chance: true}
	if pc.Lo == pc.Hi {
		pc.Lo, pc.Hi = pc.Lo-aboutTrial, pc.Hi+aboutTrial
	}
	aim, err := goals.AimOf(ctx, core.Of(s), src, goal.Name)
	if err != nil {
		return nil, err
	}
	t := &tuner{ctx: ctx, cfg: cfg, pc: pc, src: src, o: o, goal: aim, width: 1, few: 2 * fewestTrials}
	end := time.Now().Add(pc.Time)
	t.by(end, 2)
	f := &shelf{tuner: t, place: placeIn(src, out.Played)}
	for _, k := range w.Stocked() {
		f.kinds = append(f.kinds, &kind{name: k.Name})
		o.Stock = append(o.Stock, k.Name)
	}
	t.all = int64(len(f.kinds))
	t.parallel(len(f.kinds), func(i int) { f.explore(f.kinds[i]) })
	t.by(end, 1)
	f.atLength(f.mixed())
	o.Tried, o.Stopped = int(t.count.Load()), ctx.Err() != nil
	if t.err != nil && !o.Stopped {
		return nil, t.err
	}
	return o, nil
}

// shelf is a search in stock.
type shelf struct {
	*tuner
	place place
	kinds []*kind
}

// kind is somebody in stock, with what is known of so many.
type kind struct {
	name  string
	found [mostTaken + 1]*dist.Figure
	whole float64 // how many of them alone would do, 0 where that is not known
}

// place is where a script takes from stock, or may.
type place struct {
	at         lang.Span
	name       string // that of those who are taken, "" for their own
	put, after string // around what is put there
}

// placeIn finds the first line that takes somebody under another name, else the place above what is played.
func placeIn(src *lang.Source, played []lang.Span) place {
	file, _ := lang.Parse(src)
	var found *place
	lang.Walk(file, func(n lang.Node) bool {
		cmd, ok := n.(*lang.Command)
		if ok && found == nil && decl.IsWord(cmd.Head, decl.TakesStock) && len(cmd.Args) > 2 && decl.IsWord(cmd.Args[1].Expr, "as") {
			found = &place{at: cmd.Span, name: decl.Text(cmd.Args[0].Expr.Range())}
		}
		return found == nil
	})
	if found != nil {
		return *found
	}
	at := lang.Span{Src: src, Start: int32(len(src.Text)), End: int32(len(src.Text))}
	if len(played) > 0 {
		at.Start, at.End = played[0].Start, played[0].Start
		return place{at: at, after: "\n"}
	}
	return place{at: at, put: "\n"}
}

// with is the script with somebody taken.
func (f *shelf) with(takes []Take) *lang.Source {
	var lines []string
	for _, k := range takes {
		line := k.String()
		if f.place.name != "" {
			line = strings.Replace(line, "stock ", "stock "+f.place.name+" as ", 1)
		}
		lines = append(lines, line)
	}
	return f.src.Edited(lang.Edit{Span: f.place.at, New: f.place.put + strings.Join(lines, "\n") + f.place.after})
}

// figure finds out on which side of what is wanted so many of a kind lie, nil where the rules refuse them.
func (f *shelf) figure(k *kind, n int) *dist.Figure {
	if k.found[n] != nil || f.late() {
		return k.found[n]
	}
	f.count.Add(1)
	s, err := f.series(f.with([]Take{{k.name, n}}))
	var x dist.Figure
	for m := trials.Pilot; err == nil; m *= 2 {
		if x, err = f.trials(s, min(m, f.few)); err == nil && (m >= f.few || x.Stops == 1 || f.misses(&x)) {
			break
		}
	}
	if err != nil && refusal(err) == "" {
		f.fail(err)
	}
	if err != nil || x.Stops == 1 {
		return nil
	}
	k.found[n] = &x
	return &x
}

// explore finds how many of a kind alone would do.
func (f *shelf) explore(k *kind) {
	first := f.figure(k, 1)
	if first == nil {
		return
	}
	start := f.off(first.Value)
	past := func(x *dist.Figure) bool { return f.off(x.Value)*start <= 0 }
	lo, hi := 1, 1
	for hi < mostTaken && !past(first) {
		lo, hi = hi, min(2*hi, mostTaken)
		x := f.figure(k, hi)
		if x == nil {
			return
		}
		if past(x) {
			break
		}
		if hi == mostTaken || x.Value == first.Value && hi > 4 {
			return // they do nothing, or too little
		}
	}
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		x := f.figure(k, mid)
		if x == nil {
			return
		}
		if past(x) {
			hi = mid
		} else {
			lo = mid
		}
	}
	k.whole = f.between(k, lo, hi)
}

// between says at which number of a kind the goal would be as wanted, of two that lie on both sides.
func (f *shelf) between(k *kind, lo, hi int) float64 {
	want := (f.pc.Lo + f.pc.Hi) / 2
	a, b := k.found[lo].Value, k.found[hi].Value
	if lo == hi || a == b {
		if a > want == (f.off(a) == 0) || f.off(a) == 0 {
			return float64(lo)
		}
		return float64(lo) * max(0.1, min(1, (1-want)/max(1-a, 0.01))) // one is too much
	}
	return float64(lo) + float64(hi-lo)*min(1, max(0, (a-want)/(a-b)))
}

// mixed gives what may do: each kind alone, and one of a kind with some of another.
func (f *shelf) mixed() [][]Take {
	type guess struct {
		takes []Take
		off   float64
	}
	var alone, pairs []guess
	for _, a := range f.kinds {
		if a.whole == 0 {
			continue
		}
		n := max(1, int(math.Round(a.whole)))
		alone = append(alone, guess{[]Take{{a.name, n}}, math.Abs(float64(n)/a.whole - 1)})
		for _, b := range f.kinds {
			many := int(math.Round((1 - 1/a.whole) * b.whole))
			if f.place.name != "" || a == b || b.whole == 0 || a.whole > b.whole && many == 1 || many < 1 || many > mostTaken {
				continue
			}
			pairs = append(pairs, guess{[]Take{{a.name, 1}, {b.name, many}}, math.Abs(1/a.whole + float64(many)/b.whole - 1)})
		}
	}
	nearer := func(a, b guess) int { return cmp.Compare(a.off, b.off) }
	slices.SortStableFunc(alone, nearer)
	slices.SortStableFunc(pairs, nearer)
	var out [][]Take
	for _, g := range alone {
		out = append(out, g.takes)
	}
	seen := map[string]int{}
	for _, g := range pairs {
		a, b := g.takes[0].Name, g.takes[1].Name
		if seen[a] < 2 && seen[b] < 2 && len(out) < len(alone)+mostMixed {
			seen[a], seen[b] = seen[a]+1, seen[b]+1
			out = append(out, g.takes)
		}
	}
	return out
}

// trial is what may do, being tried.
type trial struct {
	*trials.Series
	Proposal
}

// atLength tries what may do with other dice, all of them twice as often each time, and lists what
// comes nearest; what misses is dropped on the way, and then the worse half of many.
func (f *shelf) atLength(all [][]Take) {
	live := make([]*trial, len(all))
	for i, takes := range all {
		text := f.with(takes)
		s, err := f.series(text)
		if err != nil && refusal(err) == "" {
			f.fail(err)
		}
		if err == nil {
			s.Seed = f.otherDice()
			live[i] = &trial{s, Proposal{Takes: takes, Source: text}}
		}
	}
	f.count.Add(int64(len(all)))
	live = slices.DeleteFunc(live, func(x *trial) bool { return x == nil })
	most := core.Or(f.pc.Most, 8)
	var nearest *trial
	for n := leastFinal / 8; len(live) > 0 && !f.late() && n/2 < core.Or(f.pc.Trials, DefaultProposeTrials); n *= 2 {
		f.parallel(len(live), func(i int) { live[i].more(f, n) })
		slices.SortStableFunc(live, func(a, b *trial) int { return cmp.Compare(f.away(a), f.away(b)) })
		nearest = live[0]
		live = slices.DeleteFunc(live, func(x *trial) bool { return x.Trials == 0 || x.Stops == 1 || f.misses(&x.Figure) })
		live = live[:min(len(live), max(most, len(live)/2))]
	}
	for _, x := range live {
		if f.off(x.Value) == 0 {
			f.o.List = append(f.o.List, x.Proposal)
		}
	}
	if len(f.o.List) == 0 && nearest != nil && nearest.Trials > 0 {
		f.o.Nearest = &nearest.Proposal
	}
}

// more goes on to n trials.
func (x *trial) more(f *shelf, n int) {
	fig, err := f.trials(x.Series, n)
	if err != nil {
		f.fail(err)
		return
	}
	x.Figure = fig
}

// away is how far something lies from the middle of what is wanted.
func (f *shelf) away(x *trial) float64 {
	if x.Trials == 0 {
		return math.Inf(1)
	}
	return math.Abs(x.Value - (f.pc.Lo+f.pc.Hi)/2)
}
