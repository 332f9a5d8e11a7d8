package odds

import (
	"cmp"
	"container/heap"
	"slices"

	"setpiece/interp/internal/query"
)

// Path is one way from the beginning to an end.
type Path struct {
	Weight float64
	Draws  []Draw
	End    *Checkpoint
}

// Draw is what fell at one throw of a Path.
type Draw struct {
	Pending *Pending
	Size    int          // of the die, 0 of a pool
	Faces   []int        // of the die, all those that go on in the same way
	Pool    []Span       // what was read of the pool
	Read    *query.Query // what Pool answers
}

// Span is an answer to what is read of a pool, from its least to its greatest value.
type Span = query.Span

// widen makes spans contain what was read of another throw.
func (g *Graph) widen(spans []Span, values []V) []Span {
	if len(spans) == 0 {
		for _, v := range values {
			spans = append(spans, Span{Least: v, Most: v})
		}
		return spans
	}
	for i, v := range values {
		if x := &spans[i]; g.m.Heap.Compare(v, x.Least) < 0 {
			x.Least = v
		} else if g.m.Heap.Compare(v, x.Most) > 0 {
			x.Most = v
		}
	}
	return spans
}

// Paths gives the heaviest ways to ends that are good, at most n of them, the
// heaviest first. Ways that differ in what one die shows are one way. It is an A* search: what a state can still come to at best, the
// greatest product of weights on a way to a good end, is worked out beforehand
// from the ends backwards, so that only states on such ways are gone into (Hart,
// Nilsson and Raphael, A formal basis for the heuristic determination of minimum
// cost paths, 1968).
func (g *Graph) Paths(good func(*Checkpoint) bool, n int) []Path {
	best := g.atBest(good)
	q := &queue{}
	if best[0] > 0 {
		heap.Push(q, &leg{checkpoint: 0, node: -1, weight: 1, hope: best[0]})
	}
	var out []Path
	for q.Len() > 0 && len(out) < maxPaths && q.popped < maxLegs && g.err == nil {
		l := heap.Pop(q).(*leg)
		q.popped++
		r := g.Checkpoints[l.checkpoint]
		if r.Step == nil {
			out = append(out, Path{l.weight, l.draws(), r})
			continue
		}
		val := g.atBestInside(r, best)
		node := max(l.node, 0)
		for _, k := range ways(r, int32(node)) {
			if g.ended(1) {
				return nil
			}
			next := &leg{before: l, of: r, at: int32(node), kid: k.kid, weight: l.weight * k.p}
			if k.kid < 0 {
				next.checkpoint, next.node = r.To[^k.kid], -1
				next.hope = next.weight * best[next.checkpoint]
			} else {
				next.checkpoint, next.node = l.checkpoint, int(k.kid)
				next.hope = next.weight * val[k.kid]
			}
			if next.hope > 0 {
				heap.Push(q, next)
			}
		}
	}
	out = together(out)
	return out[:min(n, len(out))]
}

// maxLegs and maxPaths bound how far Paths searches.
const (
	maxLegs  = 200_000
	maxPaths = 500
)

// together makes one of paths that differ in what one die shows.
func together(paths []Path) []Path {
	for again := true; again; {
		again = false
		for i := 0; i < len(paths); i++ {
			for j := len(paths) - 1; j > i; j-- {
				k, ok := differ(paths[i], paths[j])
				if !ok {
					continue
				}
				f := &paths[i].Draws[k]
				f.Faces = slices.Concat(f.Faces, paths[j].Draws[k].Faces)
				slices.Sort(f.Faces)
				paths[i].Weight += paths[j].Weight
				paths = slices.Delete(paths, j, j+1)
				again = true
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b Path) int { return cmp.Compare(b.Weight, a.Weight) })
	return paths
}

// differ gives the only throw in which two paths to the same end differ, if it is
// of one die.
func differ(a, b Path) (at int, ok bool) {
	if a.End != b.End || len(a.Draws) != len(b.Draws) {
		return 0, false
	}
	at = -1
	for i := range a.Draws {
		x, y := &a.Draws[i], &b.Draws[i]
		switch {
		case x.Size != y.Size || x.Pending.For != y.Pending.For || !slices.Equal(x.Pool, y.Pool):
			return 0, false
		case slices.Equal(x.Faces, y.Faces):
		case at >= 0 || x.Size == 0:
			return 0, false
		default:
			at = i
		}
	}
	return at, at >= 0
}

// leg is a state on a path: a checkpoint, or within its macro step a node.
type leg struct {
	before     *leg
	of         *Checkpoint // where the throw was
	at         int32       // its node
	kid        int32       // where it led
	checkpoint int32
	node       int // -1: the checkpoint itself
	weight     float64
	hope       float64 // what it can come to at best
}

func (l *leg) draws() []Draw {
	var out []Draw
	for ; l.before != nil; l = l.before {
		n := &l.of.Step.Nodes[l.at]
		if n.Choice != nil || len(n.Kids) < 2 {
			continue
		}
		f := Draw{Pending: n.Pending, Size: n.Size, Read: n.Read}
		for k, kid := range n.Kids {
			if kid != l.kid {
				continue
			}
			if n.Size > 0 {
				f.Faces = append(f.Faces, k+1)
			} else if n.Spans != nil {
				f.Pool = n.Spans[k] // a pool has one kid for each place it leads to
			}
		}
		out = append(out, f)
	}
	slices.Reverse(out)
	return out
}

type kidWay struct {
	kid int32
	p   float64
}

// ways gives the kids of a node, each once.
func ways(r *Checkpoint, node int32) []kidWay {
	n := &r.Step.Nodes[node]
	if n.Choice != nil {
		taken := int32(0)
		if r.Taken != nil {
			taken = r.Taken[node]
		}
		return []kidWay{{n.Kids[taken], 1}}
	}
	var out []kidWay
	at := make(map[int32]int, min(len(n.Kids), 16)) // in out, by kid
	for k, kid := range n.Kids {
		if i, ok := at[kid]; ok {
			out[i].p += n.p(k)
			continue
		}
		at[kid] = len(out)
		out = append(out, kidWay{kid, n.p(k)})
	}
	return out
}

// atBest gives for each checkpoint the weight of the heaviest way from it to a good end.
func (g *Graph) atBest(good func(*Checkpoint) bool) []float64 {
	best := make([]float64, len(g.Checkpoints))
	comps := g.components()
	for _, comp := range slices.Backward(comps) {
		for again := true; again; {
			again = false
			for _, i := range comp {
				if g.ended(1) {
					return best
				}
				r := g.Checkpoints[i]
				w := 0.0
				switch {
				case r.Step != nil:
					w = g.atBestInside(r, best)[0]
				case r.Kind == Terminal && good(r):
					w = 1
				}
				if w > best[i] {
					best[i], again = w, len(comp) > 1
				}
			}
		}
	}
	return best
}

// atBestInside gives the same for the nodes of a macro step.
func (g *Graph) atBestInside(r *Checkpoint, best []float64) []float64 {
	val := make([]float64, len(r.Step.Nodes))
	for i := len(val) - 1; i >= 0; i-- {
		if g.ended(len(r.Step.Nodes[i].Kids)) {
			return val
		}
		for _, k := range ways(r, int32(i)) {
			from := 0.0
			if k.kid < 0 {
				from = best[r.To[^k.kid]]
			} else {
				from = val[k.kid]
			}
			val[i] = max(val[i], k.p*from)
		}
	}
	return val
}

type queue struct {
	legs   []*leg
	popped int
}

func (q *queue) Len() int           { return len(q.legs) }
func (q *queue) Less(i, j int) bool { return q.legs[i].hope > q.legs[j].hope }
func (q *queue) Swap(i, j int)      { q.legs[i], q.legs[j] = q.legs[j], q.legs[i] }
func (q *queue) Push(x any)         { q.legs = append(q.legs, x.(*leg)) }
func (q *queue) Pop() any {
	l := q.legs[len(q.legs)-1]
	q.legs = q.legs[:len(q.legs)-1]
	return l
}
