package odds

import (
	"context"
	"errors"
	"math"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pause"
	"setpiece/interp/internal/value"
)

// A graph that has grown too large is not thrown away. The weight that has come to an
// ending is known for good: it is a lower bound of that ending's probability. The rest of the
// weight lies at checkpoints that were not followed, the frontier; it bounds from above how
// much more likely any ending can be. Sample shares that rest out: it takes a checkpoint of the
// frontier by its weight, and plays from there to an ending with dice. With a weight W at the
// frontier the variance of an estimate is W² times that of a simulation of as many trials from
// the beginning (conditional Monte Carlo: Hammersley and Handscomb, Monte Carlo Methods, 1964).

// Frontier is the weight of a graph that has not come to an ending.
type Frontier struct {
	Weight      float64
	checkpoints []int32
	sums        []float64 // of the weights up to each checkpoint
	before      *predecessors
}

// ErrSample is that a frontier cannot be sampled: states that were taken for one lead to different
// places, or to find out takes too much memory.
var ErrSample = errors.New("the rest cannot be sampled")

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
	f, lumped := &Frontier{}, false
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if w := r.weight - r.passedOn; r.Kind == Transient && w > 0 {
			f.Weight += w
			f.checkpoints = append(f.checkpoints, int32(i))
			f.sums = append(f.sums, f.Weight)
			lumped = lumped || r.lumped()
		}
	}
	if lumped {
		f.before = g.predecessors()
	}
	return f
}

// FrontierWhere gives the frontier where the options are taken that Best took last, by the weights
// of Floats. It is nil where a checkpoint of it stands for several states.
func (g *Graph) FrontierWhere(weights []float64) *Frontier {
	f := &Frontier{}
	for i, w := range weights {
		r := g.Checkpoints[i]
		if r.Kind != Transient || w <= 0 {
			continue
		}
		if r.lumped() {
			return nil
		}
		f.Weight += w
		f.checkpoints = append(f.checkpoints, int32(i))
		f.sums = append(f.sums, f.Weight)
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
	m := g.m
	g.Within(ctx)
	defer func(merged, limit, most int, rand machine.Generator) {
		g.Merged, g.Limit, g.MaxBytes = merged, limit, most
		m.SetGenerator(rand)
	}(g.Merged, g.Limit, g.MaxBytes, m.Generator())
	// the bounds have been met, and little is followed from now on: it may take what was kept free
	g.Limit, g.MaxBytes = math.MaxInt, g.Bound()/4*5

	s := &Samples{}
	kept, bytes, links := m.Heap.Mark(), g.bytes, m.Links
	for s.Trials < n {
		m.Seed(seed(s.Trials))
		from, err := g.member(ctx, f.before, f.at(unit(&m.Rand)), &m.Rand)
		end := int32(0)
		if err == nil {
			m.Noted = append(m.Noted[:0], from.noted...)
			end, err = g.trial(ctx, from)
		}
		if pause.Err(ctx) != nil {
			break
		}
		switch {
		case errors.Is(err, errNotLumped), errors.Is(err, ErrMemory):
			return nil, ErrSample
		case err != nil:
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
		case g.bytes > bytes, m.Links > links:
			// something is remembered that may need the values of this trial
			kept, bytes, links = m.Heap.Mark(), g.bytes, m.Links
		case m.Heap.Used-kept.Used() > maxTrialValues:
			m.Heap.Release(kept)
		}
	}
	for i := range s.Noted {
		s.Noted[i] /= float64(max(s.Trials, 1))
	}
	return s, nil
}

// trial plays from a state to an ending, and gives that.
func (g *Graph) trial(ctx context.Context, from *companion) (int32, error) {
	if from.end >= 0 {
		return from.end, nil
	}
	m := g.m
	defer func(was machine.Mode) { m.Mode = was }(m.Mode)
	m.Checkpoints, m.Seeded, m.Follows, m.Whole = false, true, false, false
	defer g.codec.Untrack()()
	stmt := from.at.stmt
	g.load(&from.stepState)
	if m.Idle() {
		if err := m.Start(g.funcs[stmt]); err != nil {
			return 0, err
		}
	}
	for {
		m.MaxSteps = min(m.Steps+slice, m.StepLimit)
		switch m.Run() {
		case machine.Yield:
			if err := pause.Err(ctx); err != nil {
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
