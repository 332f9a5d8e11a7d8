package odds

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/transition"
	"setpiece/interp/internal/value"
)

// Transition is a piece of plain computation: from a checkpoint, or from a throw with its
// outcome or a choice with its answer, to the next throw, choice or checkpoint.
type Transition struct {
	target          target
	terminal        int32                  // the number of the ending
	seen            []symbolic.WordForm    // what of it is worked out from words
	point                                  // of what comes then
	pool            bool                   // several dice are thrown there
	dependsOnDraw   bool                   // what it leads to is worked out from the draw
	forThisDraw     bool                   // it is taken for this very outcome
	drawConstraints []int32                // of its path, that are about the draw
	condition       symbolic.PathCondition // why it is taken
	written         []int32                // words of the store
	writes          []word                 // those that count, as they are in the end
	unchanged       []word                 // words of records that it leaves as they are, where that differs
	notes           []int32                // what is noted on it, see machine.Note
	asymmetry                              // whom it treats unlike others
}

type target uint8

const (
	toDraw target = iota // or to a choice that is open
	toCheckpoint
	toTerminal // or to a fault
)

// Pending is what a throw or a choice waits for.
type Pending struct {
	Sizes  []int
	made   bool   // some of the dice are made of others, or what they come to is
	For    string // what the dice are for, "" when that is not said
	choice *Choice
}

// outcome is what happens where something is waited for: the face of a die or the
// number of an option, or what is read of a pool.
type outcome struct {
	x      int
	die    bool
	values []V
	of     *poolRead
}

// noOutcome is that nothing is drawn: a transition begins at a checkpoint.
var noOutcome = outcome{x: -1}

// pendingAt gives what a state waits for.
func (g *Graph) pendingAt(n *stepState) (*Pending, error) {
	if n.at.pending != nil {
		return n.at.pending, nil
	}
	m := g.m
	g.load(n)
	m.MaxSteps = m.StepLimit
	w := &Pending{}
	switch st := m.Run(); st {
	case machine.NeedChance:
		sizes, what := m.Pending()
		w.Sizes, w.For, w.made = slices.Clone(sizes), what, m.MadePool != nil || query.DrawsAt(g.codec) != nil
	case machine.NeedChoice:
		q := m.Asked()
		w.choice = &Choice{Who: q.Who, Name: q.Info.Name, Prompt: m.Show(q.Prompt), Cost: m.CostOf(q), Options: optionsOf(m, q)}
	default:
		return nil, fmt.Errorf("a state that waited does not any more (%v, %v)", st, m.Err)
	}
	n.at.pending = w
	return w, nil
}

func optionsOf(m *machine.Machine, q *machine.Question) []string {
	if q.Info.Offer {
		return []string{"no", "yes"}
	}
	var out []string
	for _, v := range m.Heap.Elems(q.Options) {
		out = append(out, m.Show(v))
	}
	return out
}

// cacheAt gives what is known of the transitions from a control state on an outcome.
func (g *Graph) cacheAt(c *control, f outcome) *transition.Cache[Transition] {
	if f.die && !g.Unmerged {
		return &c.byFace
	}
	if f.of == nil {
		for len(c.byAnswer) <= f.x+1 {
			c.byAnswer = append(c.byAnswer, transition.Cache[Transition]{})
		}
		return &c.byAnswer[f.x+1]
	}
	key := append(g.key[:0], byte(f.of.query.Far), byte(f.of.query.Far>>8))
	if g.Unmerged || !f.of.query.Fits(g.m) {
		key = append(key, asBytes(f.values)...)
	}
	g.key = key
	cache := c.byPool[string(key)]
	if cache == nil {
		cache = &transition.Cache[Transition]{}
		if c.byPool == nil {
			c.byPool = map[string]*transition.Cache[Transition]{}
		}
		c.byPool[string(key)] = cache
	}
	return cache
}

// transition gives the transition from a state, whose words are in now, on which something
// falls.
func (g *Graph) transition(ctx context.Context, from *stepState, f outcome) (*Transition, error) {
	cache := g.cacheAt(from.at, f)
	if x := cache.Find(g.store); x != nil && !g.Unmerged {
		return x, nil
	}
	g.executed++
	if err := g.full(); err != nil {
		return nil, err
	}
	x, err := g.execute(from, f)
	if err != nil {
		return nil, err
	}
	x.ifOut, x.always = g.codec.Watched()
	x.always |= g.shownBy(x)
	x.dependsOnDraw = g.Unmerged || slices.ContainsFunc(x.writes, func(d word) bool { return d.form != nil && g.fromDraw(d.form) }) ||
		slices.ContainsFunc(x.seen, func(f symbolic.WordForm) bool { return g.fromDraw(&f.Of) })
	if !g.Unmerged {
		g.bytes += cache.Add(g.store, &x.condition, x)
	}
	for _, at := range x.condition.Order {
		if at >= 0 {
			g.read[at] = true
			x.forThisDraw = x.forThisDraw || int(at) >= g.m.Prog.DrawWords[0] && int(at) < g.m.Prog.DrawWords[1]
		}
	}
	for i := range x.condition.Constraints {
		f := &x.condition.Constraints[i]
		for _, at := range f.Of.At[:f.Of.N] {
			g.read[at] = true
		}
		if g.fromDraw(&f.Of) {
			x.drawConstraints = append(x.drawConstraints, int32(i))
			x.forThisDraw = x.forThisDraw || f.Is == symbolic.Exactly
		}
	}
	g.bytes += 4*len(x.condition.Order) + bytesOfConstraint*len(x.condition.Constraints) + 4*len(x.written) + bytesOfWord*(len(x.writes)+len(x.unchanged)) + 400
	return x, nil
}

// bytesOfConstraint is what a constraint takes in a path condition that is kept.
const bytesOfConstraint = int(unsafe.Sizeof(symbolic.Constraint{}))

// holdsFor says whether a transition is taken once more where nothing but the face drawn is
// another.
func (x *Transition) holdsFor(now []V) bool {
	for _, i := range x.drawConstraints {
		if f := &x.condition.Constraints[i]; f.Is.Holds(&f.Of, now) != f.Yes {
			return false
		}
	}
	return !x.forThisDraw
}

// slice is how many steps are run between two looks at the context and the memory.
const slice = 1 << 16

// execute runs the machine along a transition.
func (g *Graph) execute(from *stepState, f outcome) (*Transition, error) {
	m := g.m
	varied := g.varied
	if g.Unmerged {
		varied = nil
	}
	if f.of != nil {
		g.codec.Return(f.of.mark, varied)
	} else {
		g.load(from)
		g.codec.Track(varied)
	}
	switch {
	case f.of != nil:
		f.of.query.Answer(g.codec, f.values)
	case f.x >= 0:
		m.MaxSteps = m.StepLimit
		if m.Run(); f.die {
			g.codec.DrawFace(f.x)
		} else {
			m.GiveAnswer(f.x, "choice")
		}
	case m.Idle():
		if err := m.Start(g.funcs[from.at.stmt]); err != nil {
			return nil, err
		}
	}
	x := &Transition{}
	m.Noted = m.Noted[:0]
	defer func() { x.notes = slices.Clone(m.Noted) }()
	stmt := from.at.stmt
	if f.of != nil {
		stmt += f.of.query.Ahead
	}
	g.codec.SetPosition(stmt)
	looked := m.Steps
	for {
		if m.Steps-looked > slice {
			looked = m.Steps
			if err := g.checkBounds(); err != nil {
				return nil, err
			}
		}
		m.MaxSteps = min(m.Steps+slice, m.StepLimit)
		st := m.Run()
		switch st {
		case machine.Yield:
			continue
		case machine.NeedChoice:
			if g.Decide == nil {
				m.GiveAnswer(m.Asked().Default, "default")
				continue
			}
			if n, ok := g.Decide(m.Asked()); ok {
				m.GiveAnswer(n, "default")
				continue
			}
		case machine.Broken:
			x.target = toTerminal
			x.terminal = g.addTerminal(terminal{g.control([]V{value.OfInt(-1)}), []V{m.Heap.OfText(m.Err.Msg)}, Broken, m.Err})
			x.condition = g.codec.Path()
			return x, nil
		case machine.Done:
			if stmt++; stmt >= len(g.funcs) {
				x.target = toTerminal
				seen, forms := g.codec.Results([]V{value.OfInt(int64(stmt))})
				x.terminal, x.seen = g.addTerminal(terminal{g.control(seen[:1]), seen[1:], Terminal, nil}), forms
				x.condition = g.codec.Path()
				return x, nil
			}
			x.target = toCheckpoint
		case machine.Checkpoint:
			x.target = toCheckpoint
		}
		g.codec.SetPosition(stmt)
		if st == machine.NeedChance {
			sizes, _ := m.Pending()
			x.pool = len(sizes) > 1 || m.MadePool != nil
		}
		state, words, err := g.codec.Save(append(g.buf[:0], value.OfInt(int64(stmt))), st)
		if err != nil {
			return nil, err
		}
		g.buf = state
		x.point = point{g.control(state[:words]), g.codec.LastLive, g.codec.Uses}
		g.learn(x.at)
		x.written = make([]int32, 0, 32)
		slots := g.codec.Slots()
		for i := range slots {
			x.written = append(x.written, slots[i].At)
		}
		for _, at := range g.codec.Written() {
			if !g.dead(&x.point, at) || slices.Contains(x.at.linked, at) {
				x.written = append(x.written, at)
			}
		}
		slices.Sort(x.written)
		x.writes = make([]word, 0, len(x.written))
		var forms []symbolic.Linear
		for _, f := range slots {
			x.writes = append(x.writes, word{at: f.At, form: &f.Of})
		}
		for _, at := range x.written[len(slots):] {
			if g.dead(&x.point, at) {
				continue
			}
			if form, ok := g.codec.Form(int(at)); ok {
				if len(forms) == cap(forms) {
					forms = make([]symbolic.Linear, 0, 8)
				}
				forms = append(forms, form)
				x.writes = append(x.writes, word{at: at, form: &forms[len(forms)-1]})
			} else if v := m.Store[at]; !g.isInitial(from.at, x.at, at, v) {
				x.writes = append(x.writes, g.word(&x.point, at, v))
			}
		}
		x.condition = g.codec.Path()
		x.unchanged = g.unchangedIn(from.at, &x.point, x.writes)
		return x, nil
	}
}
