package odds

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// way is a piece of plain computation: from a rest, or from a throw with what
// fell or a choice with its answer, to the next throw, choice or rest.
type way struct {
	to      target
	end     int32 // the number of the ending
	at      *control
	pool    bool    // several dice have to fall there
	reads   []int32 // words of the store that it read before it wrote them
	written []int32
	writes  []word        // the words written, by place, as they are in the end
	last    bool          // the values of the last outcome are kept there
	uses    []machine.Use // of the words there; nil: all are live
}

type target uint8

const (
	toThrow target = iota // or to a choice that is open
	toRest
	toEnd // or to a fault
)

// Waits is what a throw or a choice waits for.
type Waits struct {
	Sizes  []int
	For    string // what the dice are for, "" when that is not said
	choice *Choice
}

// fell is what happens where something is waited for: the face of a die or the
// number of an option, or what is read of a pool.
type fell struct {
	x      int
	values []V
}

// nothing is that a way begins at a rest.
var nothing = fell{x: -1}

// load puts the machine into a state.
func (g *Graph) load(n *met) {
	g.buf = append(append(g.buf[:0], n.at.words[1:]...), n.words...)
	g.saver.Load(g.buf)
}

// waiting gives what a state waits for.
func (g *Graph) waiting(n *met) (*Waits, error) {
	if n.at.waits != nil {
		return n.at.waits, nil
	}
	m := g.m
	g.load(n)
	m.MaxSteps = m.StepLimit
	w := &Waits{}
	switch st := m.Run(); st {
	case machine.NeedChance:
		sizes, what := m.Pending()
		w.Sizes, w.For = slices.Clone(sizes), what
	case machine.NeedChoice:
		q := m.Asked()
		w.choice = &Choice{Who: q.Who, Name: q.Info.Name, Prompt: m.Show(q.Prompt), Cost: m.CostOf(q), Options: optionsOf(m, q)}
	default:
		return nil, fmt.Errorf("a state that waited does not any more (%v, %v)", st, m.Err)
	}
	n.at.waits = w
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

// outcome is what may be read of a pool, with the number of throws that show it.
type outcome struct {
	values []V
	ways   *big.Int
}

// readings gives all that may be read of the pool that a state waits for.
func (g *Graph) readings(n *met) ([]outcome, *big.Int, error) {
	g.load(n)
	r := g.readingOf(n)
	l, err := g.law(r)
	if err != nil {
		return nil, nil, err
	}
	var out []outcome
	place := map[string]int{}
	for i, answers := range l.answers {
		values := g.saver.Values(r, answers)
		key := string(asBytes(values))
		k, ok := place[key]
		if !ok {
			k = len(out)
			place[key] = k
			out = append(out, outcome{values, new(big.Int)})
		}
		out[k].ways.Add(out[k].ways, l.ways[i])
	}
	return out, l.total, nil
}

// readingOf finds what is read of the pool that a loaded state waits for.
func (g *Graph) readingOf(n *met) *machine.Reading {
	g.m.MaxSteps = g.m.StepLimit
	g.m.Run()
	r := g.saver.Read(g.Apart)
	if r.Mixed {
		g.load(n)
		g.m.MaxSteps = g.m.StepLimit
		g.m.Run()
		r = g.saver.Read(true)
	}
	return r
}

// way gives the way from a state, whose words are in now, on which something
// falls.
func (g *Graph) way(ctx context.Context, from *met, f fell) (*way, error) {
	key := append(g.key[:0], byte(f.x), byte(f.x>>8), byte(f.x>>16))
	key = append(key, asBytes(f.values)...)
	g.key = key
	known := from.at.ways[string(key)]
	if known == nil {
		known = &groups[*way]{}
		from.at.ways[string(key)] = known
	}
	if x, ok := known.find(g); ok && !g.Apart {
		return x, nil
	}
	g.ways++
	if err := g.full(); err != nil {
		return nil, err
	}
	x, err := g.execute(ctx, from, f)
	if err != nil {
		return nil, err
	}
	known.add(g, x.reads, x)
	for _, at := range x.reads {
		g.read[at] = true
	}
	g.bytes += 12*len(x.reads) + 20*len(x.written) + 300
	return x, nil
}

// execute runs the machine along a way.
func (g *Graph) execute(ctx context.Context, from *met, f fell) (*way, error) {
	m := g.m
	g.load(from)
	g.saver.Track()
	switch {
	case f.x >= 0:
		if f.values != nil {
			g.saver.Answer(g.readingOf(from), f.values)
			break
		}
		m.MaxSteps = m.StepLimit
		if st := m.Run(); st == machine.NeedChoice {
			m.GiveAnswer(f.x, "choice")
		} else {
			m.GiveFaces([]int{f.x})
		}
	case m.Idle():
		if err := m.Start(g.funcs[from.at.stmt]); err != nil {
			return nil, err
		}
	}
	x := &way{}
	stmt := from.at.stmt
	for {
		m.MaxSteps = min(m.Steps+1<<18, m.StepLimit)
		st := m.Run()
		switch st {
		case machine.Yield:
			if err := ctx.Err(); err != nil {
				return nil, err
			}
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
			x.to = toEnd
			x.end = g.ending(ending{g.control([]V{value.OfInt(-1)}), []V{m.Heap.OfText(m.Err.Msg)}, Broken, m.Err})
			x.reads = sorted(g.saver.Reads())
			return x, nil
		case machine.Done:
			if stmt++; stmt >= len(g.funcs) {
				if len(m.Reports) == 0 {
					g.saver.DependLast()
				}
				x.to = toEnd
				seen := g.saver.Seen([]V{value.OfInt(int64(stmt))})
				x.end = g.ending(ending{g.control(seen[:1]), seen[1:], End, nil})
				x.reads = sorted(g.saver.Reads())
				return x, nil
			}
			x.to = toRest
		case machine.Rest:
			x.to = toRest
		}
		g.saver.At(stmt)
		if st == machine.NeedChance {
			sizes, _ := m.Pending()
			x.pool = len(sizes) > 1
		}
		state, words, err := g.saver.Save(append(g.buf[:0], value.OfInt(int64(stmt))), st)
		if err != nil {
			return nil, err
		}
		g.buf = state
		x.at = g.place(state[:words])
		x.reads, x.written = sorted(g.saver.Reads()), sorted(g.saver.Written())
		base := len(g.saver.Base())
		x.written = slices.DeleteFunc(x.written, func(at int32) bool {
			return int(at) >= base && x.at.field(g, int(at)) == nil
		})
		x.last, x.uses = g.saver.LastLive, g.saver.Uses
		for _, at := range x.written {
			x.writes = append(x.writes, word{at, m.Store[at]})
		}
		return x, nil
	}
}

func sorted(places []int32) []int32 {
	out := slices.Clone(places)
	slices.Sort(out)
	return out
}

// apply gives the words of the state to which a way leads from one with other
// words. They are good until the next call.
func (g *Graph) apply(words []V, x *way) []V {
	g.out = g.changed(g.out[:0], words, x.writes, x.at, x.last, x.uses)
	return g.out
}

// changed appends words with some of them written anew, as far as they are kept
// in a place.
func (g *Graph) changed(buf, words []V, ws []word, to *control, last bool, uses []machine.Use) []V {
	base := g.saver.Base()
	lo, hi := g.m.Prog.Last[0], g.m.Prog.Last[1]
	put := func(at int32, v V) {
		if int(at) >= len(base) {
			if v != value.None && to.field(g, int(at)) != nil {
				buf = append(buf, value.OfInt(int64(at)), v)
			}
			return
		}
		kept := v != base[at] && (to.apart == nil || !slices.Contains(to.apart, at))
		if kept && uses != nil {
			v, kept = uses[at].Keep(v, base[at])
		}
		if kept && (last || int(at) < lo || int(at) >= hi) {
			buf = append(buf, value.OfInt(int64(at)), v)
		}
	}
	for i := 0; i < len(words) || len(ws) > 0; {
		switch {
		case len(ws) == 0 || i < len(words) && int32(words[i].Int()) < ws[0].at:
			put(int32(words[i].Int()), words[i+1])
			i += 2
		default:
			if i < len(words) && int32(words[i].Int()) == ws[0].at {
				i += 2
			}
			put(ws[0].at, ws[0].v)
			ws = ws[1:]
		}
	}
	return buf
}

// field gives the field that a word of the store behind the base is; nil where
// the states in that place have no such word.
func (c *control) field(g *Graph, at int) *machine.Field {
	if at -= len(g.saver.Base()); at >= 0 && at < len(c.held) {
		return c.held[at]
	}
	return nil
}
