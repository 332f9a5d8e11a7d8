package odds

import (
	"context"
	"errors"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// A graph that has grown too large is not thrown away. The weight that has come to an
// ending is known for good: it is a lower bound of that ending's probability. The rest of the
// weight lies at checkpoints that were not followed, the frontier; it bounds from above how
// much more likely any ending can be. Sample shares that rest out: it takes a checkpoint of the
// frontier by its weight, and plays from there to an ending with dice. With a weight W at the
// frontier the variance of an estimate is W² times that of a simulation of as many trials from
// the beginning (conditional Monte Carlo: Hammersley and Handscomb, Monte Carlo Methods, 1964).

// ErrExchanged is that a frontier cannot be sampled: in some of its states equal creatures
// were taken for one another, and only what follows says whether that is right.
var ErrExchanged = errors.New("states in which creatures were exchanged")

// Frontier is the weight of a graph that has not come to an ending.
type Frontier struct {
	Weight      float64
	checkpoints []int32
	sums        []float64 // of the weights up to each checkpoint
}

// maxPasses is how often Frontier goes through the graph. Nearly all edges lead to checkpoints
// that were met later, so that few passes bring nearly all weight to where it has to go.
const maxPasses = 16

// Frontier passes on what weight is known, and gives what lies at checkpoints that lead nowhere
// yet. Decisions must not be open. Afterwards Reached has the weights of the endings.
func (g *Graph) Frontier() *Frontier {
	for range maxPasses {
		moved := 0.0
		for i := range g.Checkpoints {
			r := g.Checkpoints[i]
			if more := r.weight - r.passedOn; r.Step != nil && more > 0 {
				r.passedOn = r.weight
				moved += more
				for k, p := range r.Step.weights {
					g.Checkpoints[r.To[k]].weight += more * p
				}
			}
		}
		if moved < 1e-9 {
			break
		}
	}
	f := &Frontier{}
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if w := r.weight - r.passedOn; r.Kind == Transient && w > 0 {
			f.Weight += w
			f.checkpoints = append(f.checkpoints, int32(i))
			f.sums = append(f.sums, f.Weight)
		}
	}
	return f
}

// at gives the checkpoint in whose part of the weight a number from 0 to 1 falls.
func (f *Frontier) at(u float64) int32 {
	i, _ := slices.BinarySearch(f.sums, u*f.Weight)
	return f.checkpoints[min(i, len(f.checkpoints)-1)]
}

// Samples says how often trials from a frontier have come to each checkpoint, which is an ending.
type Samples struct {
	Trials int64
	Ends   []int64   // by checkpoint; shorter than the list of checkpoints where the last were not met
	Noted  []float64 // how often each note was made in a trial, in the mean
}

// Sample plays n trials from a frontier, or as many as the context leaves time for. Trial k has a
// generator of its own, with the seed that seed gives for it.
func (g *Graph) Sample(ctx context.Context, f *Frontier, n int64, seed func(k int64) uint64) (*Samples, error) {
	for _, i := range f.checkpoints {
		if g.Checkpoints[i].exchanged != 0 {
			return nil, ErrExchanged
		}
	}
	m := g.m
	g.codec.Untrack()
	defer func(merged int, checkpoints, seeded, follows bool, rand machine.Generator) {
		g.Merged, m.Checkpoints, m.Seeded, m.Follows = merged, checkpoints, seeded, follows
		m.SetGenerator(rand)
	}(g.Merged, m.Checkpoints, m.Seeded, m.Follows, m.Generator())
	m.Checkpoints, m.Seeded, m.Follows = false, true, false

	s := &Samples{}
	kept, links := m.Heap.Mark(), m.Links
	for s.Trials < n {
		met := len(g.Checkpoints)
		m.Seed(seed(s.Trials))
		end, err := g.trial(ctx, f.at(unit(&m.Rand)))
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		for int(end) >= len(s.Ends) {
			s.Ends = append(s.Ends, 0)
		}
		s.Ends[end]++
		s.Trials++
		for _, note := range m.Noted {
			for int(note) >= len(s.Noted) {
				s.Noted = append(s.Noted, 0)
			}
			s.Noted[note]++
		}
		switch {
		case len(g.Checkpoints) > met, m.Links > links:
			kept, links = m.Heap.Mark(), m.Links
		case m.Heap.Used-kept.Used() > maxTrialValues:
			m.Heap.Release(kept)
		}
	}
	for i := range s.Noted {
		s.Noted[i] /= float64(max(s.Trials, 1))
	}
	return s, nil
}

// trial plays from a checkpoint to an ending, and gives that.
func (g *Graph) trial(ctx context.Context, from int32) (int32, error) {
	m := g.m
	r := g.Checkpoints[from]
	stmt := r.at.stmt
	g.load(&stepState{at: r.at, words: r.Words})
	m.Noted = m.Noted[:0]
	if m.Idle() {
		if err := m.Start(g.funcs[stmt]); err != nil {
			return 0, err
		}
	}
	for {
		m.MaxSteps = min(m.Steps+slice, m.StepLimit)
		switch m.Run() {
		case machine.Yield:
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		case machine.NeedChoice:
			n := m.Asked().Default
			if g.Decide != nil {
				if k, ok := g.Decide(m.Asked()); ok {
					n = k
				}
			}
			m.GiveAnswer(n, "default")
		case machine.Broken:
			return g.intern(g.control([]V{value.OfInt(-1)}), []V{m.Heap.OfText(m.Err.Msg)}, Broken, m.Err), nil
		case machine.Done:
			if stmt++; stmt < len(g.funcs) {
				if err := m.Start(g.funcs[stmt]); err != nil {
					return 0, err
				}
				continue
			}
			seen, _ := g.codec.Results([]V{value.OfInt(int64(stmt))})
			return g.intern(g.control(seen[:1]), seen[1:], Terminal, nil), nil
		}
	}
}

// unit gives a number from 0 to less than 1.
func unit(dice *machine.Generator) float64 {
	return float64((uint64(dice.Next())<<32|uint64(dice.Next()))>>11) / (1 << 53)
}

// maxTrialValues is how many bytes the values of trials may take before they are given back.
const maxTrialValues = 32 << 20

// NotedSoFar gives how often each note was made, in the mean, on the way to the endings and the
// frontier of a graph that is not complete, after Frontier.
func (g *Graph) NotedSoFar() []float64 {
	out := make([]float64, len(g.Notes.List))
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if r.Step == nil || !r.Step.counts || r.passedOn == 0 {
			continue
		}
		g.addNotes(out, r, r.passedOn)
	}
	return out
}
