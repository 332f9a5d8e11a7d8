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

// Draw is the outcome of one throw of a Path.
type Draw struct {
	Pending *Pending
	Size    int          // of the die, 0 of a pool
	Faces   []int        // of the die, all those that go on in the same way
	Pool    []Span       // what was read of the pool
	Read    *query.Query // what Pool answers
}

// Span is an answer to what is read of a pool, from its least to its greatest value.
type Span = query.Span

// widen makes spans contain the answers of another throw.
func (g *Graph) widen(spans []Span, answers []V) []Span {
	if len(spans) == 0 {
		for _, v := range answers {
			spans = append(spans, query.SpanOf(g.m.Heap, v))
		}
		return spans
	}
	for i, v := range answers {
		spans[i].Widen(g.m.Heap, v)
	}
	return spans
}

// Paths gives the heaviest ways to ends that are good, the heaviest first, as far as its search goes. Ways that differ in what one die shows are one way. It is an A* search: the greatest product of
// weights on a path from each state to a good end is worked out beforehand, from the ends
// backwards. It is the bound by which the open list is ordered, so that only states on such paths
// are expanded (Hart,
// Nilsson and Raphael, A formal basis for the heuristic determination of minimum
// cost paths, 1968).
func (g *Graph) Paths(good func(*Checkpoint) bool) []Path {
	best := g.bestFrom(good)
	q := &openList{}
	if best[0] > 0 {
		heap.Push(q, &searchNode{checkpoint: 0, node: -1, weight: 1, bound: best[0]})
	}
	var out []Path
	for q.Len() > 0 && len(out) < maxPaths && q.popped < maxPopped && g.err == nil {
		l := heap.Pop(q).(*searchNode)
		q.popped++
		r := g.Checkpoints[l.checkpoint]
		if r.Step == nil {
			out = append(out, Path{l.weight, l.draws(), r})
			continue
		}
		val := g.bestInside(r, best)
		node := max(l.node, 0)
		for _, k := range branches(r, int32(node)) {
			if g.ended(1) {
				return nil
			}
			next := &searchNode{before: l, of: r, at: int32(node), kid: k.kid, weight: l.weight * k.p}
			if k.kid < 0 {
				next.checkpoint, next.node = r.To[^k.kid], -1
				next.bound = next.weight * best[next.checkpoint]
			} else {
				next.checkpoint, next.node = l.checkpoint, int(k.kid)
				next.bound = next.weight * val[k.kid]
			}
			if next.bound > 0 {
				heap.Push(q, next)
			}
		}
	}
	return mergeFaces(out)
}

// maxPopped and maxPaths bound how far Paths searches.
const (
	maxPopped = 200_000
	maxPaths  = 500
)

// mergeFaces makes one of paths that differ in what one die shows.
func mergeFaces(paths []Path) []Path {
	for again := true; again; {
		again = false
		for i := 0; i < len(paths); i++ {
			for j := len(paths) - 1; j > i; j-- {
				k, ok := onlyDifference(paths[i], paths[j])
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

// onlyDifference gives the only throw in which two paths to the same end differ, if it is
// of one die.
func onlyDifference(a, b Path) (at int, ok bool) {
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

// searchNode is a state on a path: a checkpoint, or within its macro step a node.
type searchNode struct {
	before     *searchNode
	of         *Checkpoint // where the throw was
	at         int32       // its node
	kid        int32       // where it led
	checkpoint int32
	node       int // -1: the checkpoint itself
	weight     float64
	bound      float64 // what it can come to at best
}

func (l *searchNode) draws() []Draw {
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

type branch struct {
	kid int32
	p   float64
}

// branches gives the kids of a node, each once.
func branches(r *Checkpoint, node int32) []branch {
	n := &r.Step.Nodes[node]
	if n.Choice != nil {
		taken := int32(0)
		if r.Taken != nil {
			taken = r.Taken[node]
		}
		return []branch{{n.Kids[taken], 1}}
	}
	var out []branch
	at := make(map[int32]int, min(len(n.Kids), 16)) // in out, by kid
	for k, kid := range n.Kids {
		if i, ok := at[kid]; ok {
			out[i].p += n.p(k)
			continue
		}
		at[kid] = len(out)
		out = append(out, branch{kid, n.p(k)})
	}
	return out
}

// bestFrom gives for each checkpoint the weight of the heaviest way from it to a good end.
func (g *Graph) bestFrom(good func(*Checkpoint) bool) []float64 {
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
					w = g.bestInside(r, best)[0]
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

// bestInside gives the same for the nodes of a macro step.
func (g *Graph) bestInside(r *Checkpoint, best []float64) []float64 {
	val := make([]float64, len(r.Step.Nodes))
	for i := len(val) - 1; i >= 0; i-- {
		if g.ended(len(r.Step.Nodes[i].Kids)) {
			return val
		}
		for _, k := range branches(r, int32(i)) {
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

type openList struct {
	nodes  []*searchNode
	popped int
}

func (q *openList) Len() int           { return len(q.nodes) }
func (q *openList) Less(i, j int) bool { return q.nodes[i].bound > q.nodes[j].bound }
func (q *openList) Swap(i, j int)      { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] }
func (q *openList) Push(x any)         { q.nodes = append(q.nodes, x.(*searchNode)) }
func (q *openList) Pop() any {
	l := q.nodes[len(q.nodes)-1]
	q.nodes = q.nodes[:len(q.nodes)-1]
	return l
}
