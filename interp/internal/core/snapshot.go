package core

import (
	"runtime"
	"runtime/debug"
	"slices"
	"weak"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Snapshot is a run at one moment.
type Snapshot struct {
	world            *decl.World
	Store            []value.V
	Rng              machine.Generator
	Faces            []machine.GivenFace
	Own              machine.Own
	Answers          []machine.GivenAnswer
	faults, Refusals int
	Commands         []machine.GivenCommand
	Picks            []int
	on               []Span
	hands            []Hand
	quiet            string
	Seed             uint64
	heap             value.Mark
	Used             int64
}

// Keep is snapshot of a moment that somebody may put the session back to: what it holds is not
// released meanwhile.
func (r *Run) Keep() *Snapshot {
	p := r.Snapshot()
	if n := len(r.snapshots); n > 0 {
		if last := r.snapshots[n-1].Value(); last != nil && slices.Equal(last.Store, p.Store) {
			p.Store = last.Store // what a step of the prompt begins with is what the one before ended with
		}
	}
	r.snapshots = append(r.snapshots, weak.Make(p))
	return p
}

// Snapshot notes everything that a run is.
func (r *Run) Snapshot() *Snapshot {
	return &Snapshot{
		heap: r.Heap.Mark(), Used: r.Heap.Used,
		world: r.World, Store: slices.Clone(r.M.Store), Rng: r.M.Generator(),
		Own: r.M.Own, Faces: r.M.Faces, Answers: r.M.Answers,
		Commands: r.M.Commands, Picks: r.M.Picks, on: r.On, hands: r.Hands, quiet: r.Quiet,
		faults: r.Faults, Refusals: r.M.Refusals, Seed: r.Seed,
	}
}

// Back is restore that gives the memory back which values took that were made since, unless a later
// snapshot is still in use.
func (r *Run) Back(p *Snapshot) {
	r.Restore(p)
	r.release(p)
}

// releaseFrom is from how many bytes of values on a Restore gives them back.
const releaseFrom = 16 << 20

// release forgets the values made since a snapshot that the session has been put
// back to. Caches hold values too, and so may what is prepared and every later
// snapshot; those that nobody has any more are only known after a collection.
func (r *Run) release(p *Snapshot) {
	if r.Heap.Used-p.Used < r.ReleaseFrom {
		return
	}
	r.asked = nil
	runtime.GC()
	live := r.snapshots[:0]
	free := true
	for _, w := range r.snapshots {
		if x := w.Value(); x != nil {
			live = append(live, w)
			free = free && (!x.heap.Holds(p.heap) || p.heap.Holds(x.heap))
		}
	}
	r.snapshots = live
	if !free {
		return
	}
	r.M.Forget()
	r.Heap.Release(p.heap)
	if r.declared.Holds(p.heap) {
		r.Declares(p.heap)
	}
	debug.FreeOSMemory()
}

// Compact gives the memory back of values that were made and are not needed any more, if
// they may take much. It is for those who run many texts in one session, between two of
// them: then the state and the snapshots hold values, and what was declared, and nobody else.
func (r *Run) Compact() {
	made := r.Heap.Used - r.declared.Bytes()
	if made < r.compactFrom {
		return
	}
	r.asked = nil
	roots := [][]value.V{r.M.Store}
	var held []*Snapshot // some that nobody has any more may be among them
	r.snapshots = slices.DeleteFunc(r.snapshots, func(w weak.Pointer[Snapshot]) bool {
		x := w.Value()
		if x != nil && !r.declared.Holds(x.heap) {
			if held = append(held, x); len(x.Store) > 0 && &x.Store[0] != &roots[len(roots)-1][0] { // two may share one
				roots = append(roots, x.Store)
			}
		}
		return x == nil
	})
	r.M.Forget()
	r.Heap.Compact(r.declared, roots...)
	for _, x := range held {
		x.heap, x.Used = r.Heap.Mark(), r.Heap.Used
	}
	stays := r.Heap.Used - r.declared.Bytes()
	r.compactFrom = stays + max(leastCompact, stays/4) // what stays is copied each time
	if made-stays > releaseFrom {
		debug.FreeOSMemory()
	}
}

// leastCompact is from how many bytes of values on Compact looks for those that nobody needs.
// What is declared later holds for good what was there before it, so these are few.
const leastCompact = 64 << 10

// Declares notes that the values made so far stay, as what is being declared may hold them.
func (r *Run) Declares(at value.Mark) { r.declared, r.compactFrom = at, leastCompact }

func (r *Run) Restore(p *Snapshot) {
	r.M.Leave() // a run that failed stands where it failed
	w := language.Traced(p.world, r.Traced)
	r.World.Unlink(w)
	r.World, r.M.Prog = w, w.Prog
	r.M.Store = append(r.M.Store[:0], p.Store...)
	r.M.SetGenerator(p.Rng)
	r.M.Own, r.M.Faces, r.M.Answers, r.M.Picks = p.Own, p.Faces, p.Answers, p.Picks
	r.M.Commands, r.On, r.Hands, r.Quiet = p.Commands, p.on, p.hands, p.quiet
	r.Faults, r.M.Refusals, r.Seed = p.faults, p.Refusals, p.Seed
}

func FacesOf(given []machine.GivenFace) []int {
	var out []int
	for _, g := range given {
		out = append(out, g.Face)
	}
	return out
}
