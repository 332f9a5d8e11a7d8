package odds

import (
	"context"
	"errors"
	"setpiece/interp/internal/pause"
	"slices"
)

// A graph may be too large to be followed to its end. Here is what stops it: a bound on
// checkpoints, a bound on memory, the context of the call, and dice that are thrown again without end.
// Whatever works for long calls poll while the graph is built, and ended while something is
// calculated from it.

// ErrStates is that more states were met than Limit allows, ErrMemory that they
// take more memory than they may, ErrEndless that there is no end of them, ErrFractions that to
// work out their weights as fractions takes more memory than that.
var (
	ErrStates  = errors.New("too many states")
	ErrMemory  = errors.New("too large states")
	ErrEndless = errors.New("states without end")

	ErrFractions = errors.New("too large fractions")
)

// MaxBytes is what Graph.MaxBytes is where nobody says anything else.
const MaxBytes = 512 << 20

// unending is a weight so small that dice which may be thrown again for ever must have led
// there. A die that is thrown again on one of ten faces gets there in 250 throws.
const unending = 1e-250

// Endless says whether some checkpoint is so unlikely that dice which are thrown again and
// again must have led there: following all of them has no end.
func (g *Graph) Endless() bool {
	return g.Least == 0 && slices.ContainsFunc(g.Checkpoints, func(r *Checkpoint) bool { return r.Kind == Transient && r.weight > 0 && r.weight < 1e-30 })
}

// facesOfState is how many faces of a die count as one state: a face that leads where another did
// takes little time, but a die may have a hundred million.
const facesOfState = 1 << 10

// full says whether there is too much of anything.
func (g *Graph) full() error {
	switch {
	case g.executed+g.faces/facesOfState+len(g.Checkpoints) > g.Limit:
		return ErrStates
	case g.bytesTaken() > g.Bound()/4*3: // the rest is for the garbage collector
		return ErrMemory
	}
	return nil
}

// bytesTaken is how many bytes are taken, roughly: by what is kept, by all lists and
// texts of the session, and by the macro step that is being followed. The faces of a huge die are
// in a list that is there twice for a moment as it grows.
func (g *Graph) bytesTaken() int {
	w := &g.expansion
	return g.bytes + int(g.m.Heap.Used) + 8*cap(w.words) + 200*len(w.nodes) + 170*len(w.effects) + 64*len(w.leaves) + 9*w.kids + g.m.Taken() + g.sweeping
}

// Bound is how many bytes may be taken.
func (g *Graph) Bound() int {
	if g.MaxBytes > 0 {
		return g.MaxBytes
	}
	return MaxBytes
}

// poll is called wherever a graph works for long: it says, from time to time,
// whether the context has ended and whether there is too much of anything.
func (g *Graph) poll() error {
	if g.polled++; g.polled&255 != 0 {
		return nil
	}
	return g.checkBounds()
}

func (g *Graph) checkBounds() error {
	if err := pause.Err(g.ctx); err != nil {
		return err
	}
	return g.full()
}

// Err is why the latest calculation from the graph, such as Floats or Best, was not
// finished: the context of Build has ended. What it gave is then of no use.
func (g *Graph) Err() error { return g.err }

// ended is called wherever something is calculated from the graph for long, with how many
// numbers have been added or multiplied since: it says, from time to time, whether the
// context has ended. What is calculated then ends at once, and Err says why.
func (g *Graph) ended(work int) bool {
	if g.work += work; g.work > 1<<11 && g.err == nil {
		g.left -= g.work
		g.work, g.err = 0, pause.Err(g.ctx)
		if g.left < 0 && g.err == nil {
			g.err = ErrFractions
		}
	}
	return g.err != nil
}

// Within has what is calculated from now on end with another context than that of Build.
func (g *Graph) Within(ctx context.Context) { g.ctx, g.err, g.left = ctx, nil, unbounded }

// unbounded is more work than is ever done.
const unbounded = 1 << 62
