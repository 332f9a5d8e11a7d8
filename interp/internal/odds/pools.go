package odds

import (
	"math/big"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pool"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/state"
)

// Dice that are thrown at once are one draw. What the script reads of them is known before they
// fall (package query), and package pool counts the throws for each answer.

// poolRead is a pool that has been read.
type poolRead struct {
	query *query.Query
	mark  *state.Mark // where the values are missed
}

// poolOutcome is what may be read of a pool, with the number of throws that show it.
type poolOutcome struct {
	values []V
	ways   *big.Int
}

// queryAt finds what is read of the pool that a state waits for.
func (g *Graph) queryAt(n *stepState) *poolRead {
	read := func(reach query.Reach) *query.Query {
		g.stand(n)
		return query.Find(g.codec, reach)
	}
	if g.Unmerged {
		return &poolRead{read(query.NotAtAll), g.codec.Mark()}
	}
	if r := g.draws(n); r != nil {
		return &poolRead{r, g.codec.Mark()}
	}
	r := read(query.AllThrows)
	if r == nil {
		return nil
	}
	if l := r.Loop; l != nil && !slices.ContainsFunc(g.Loops, func(k *query.Loop) bool { return k.At == l.At }) {
		g.Loops = append(g.Loops, l)
	}
	if len(r.Pools) > 1 && (r.Faces() || r.Mixed) {
		r = read(query.ThisThrow) // throws that are read whole are better followed one by one
	}
	if r.Mixed {
		r = read(query.NotAtAll)
	}
	return &poolRead{r, g.codec.Mark()}
}

// stand has the machine stand where a state waits for a throw.
func (g *Graph) stand(n *stepState) {
	g.load(n)
	g.codec.SetPosition(n.at.stmt)
	g.codec.Track(nil)
	g.m.MaxSteps = g.m.StepLimit
	g.m.Run()
}

// draws finds what is read of a list of results that have nothing to do with one another, of which the first is
// thrown; nil where that is none.
func (g *Graph) draws(n *stepState) *query.Query {
	g.stand(n)
	d := query.DrawsAt(g.codec)
	if d == nil {
		return nil
	}
	shape, reads := g.shapeOf(d)
	if shape == nil {
		return nil
	}
	g.stand(n)
	for _, at := range reads {
		g.codec.Tracker.Depend(int(at))
	}
	return query.FindIn(g.codec, d, shape)
}

// maxTurns bounds in how many ways the throws of an element of such a list are followed.
const maxTurns = 1 << 12

// shapeOf gives what one of the results may be, and which words of the store that depends on.
func (g *Graph) shapeOf(d *query.Draws) (shape *machine.Shape, reads []int32) {
	type way struct {
		at     *poolRead
		values []V
		weight *big.Rat
	}
	defer func(on bool) { g.m.Checkpoints = on }(g.m.Checkpoints)
	g.m.Checkpoints = false
	d.Begin(g.m)
	todo, results := []way{{at: &poolRead{mark: g.codec.Mark()}, weight: big.NewRat(1, 1)}}, map[V]*big.Rat{}
	for n := 0; len(todo) > 0; n++ {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if g.codec.Return(x.at.mark, nil); x.at.query != nil {
			x.at.query.Answer(g.codec, x.values)
		}
		v, done, ok := d.Run(g.m)
		reads = append(reads, g.codec.Tracker.Path.Order...)
		if !ok || n > maxTurns {
			return nil, nil
		}
		if done {
			if results[v] == nil {
				results[v] = new(big.Rat)
			}
			results[v].Add(results[v], x.weight)
			continue
		}
		r := query.Find(g.codec, query.ThisThrow)
		if r == nil || r.Mixed || !d.Turns(g.m) {
			return nil, nil
		}
		l, err := g.poolDistribution(r)
		if err != nil {
			return nil, nil
		}
		at := &poolRead{r, g.codec.Mark()}
		for i, answers := range l.Outcomes {
			p := new(big.Rat).SetFrac(l.Ways[i], l.Total)
			todo = append(todo, way{at, r.AppendValues(nil, g.m, answers), p.Mul(p, x.weight)})
		}
	}
	return machine.NewShape(g.m.Heap, results), reads
}

// poolOutcomes gives all that may be read of the pool that a state waits for: the answers to what is
// asked of it, what comes of these, and by number of an answer which that is.
func (g *Graph) poolOutcomes(n *stepState) (*poolRead, *pool.Distribution, []poolOutcome, []int32, error) {
	p := g.queryAt(n)
	if p == nil || p.query == nil {
		return nil, nil, nil, nil, pool.ErrTooMany
	}
	r := p.query
	l, err := g.poolDistribution(r)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	numbers := make([]int32, len(l.Outcomes))
	out := make([]poolOutcome, 0, len(l.Outcomes))
	var kept slab[V]
	var values []V
	g.numberOf = emptied(g.numberOf)
	index := g.numberOf
	for i, answers := range l.Outcomes {
		if err := g.poll(); err != nil {
			return nil, nil, nil, nil, err
		}
		values = r.AppendValues(values[:0], g.m, answers)
		k, ok := index[string(asBytes(values))]
		if !ok {
			k = len(out)
			index[string(asBytes(values))] = k
			out = append(out, poolOutcome{kept.clone(values), l.Ways[i]})
		} else {
			out[k].ways = new(big.Int).Add(out[k].ways, l.Ways[i])
		}
		numbers[i] = int32(k)
	}
	return p, l, out, numbers, nil
}

// poolDistribution gives what can be read of a pool, with the number of throws for each; it is worked
// out once.
func (g *Graph) poolDistribution(r *query.Query) (*pool.Distribution, error) {
	key := pool.Key(r)
	if l := g.pools[key]; l != nil {
		return l, nil
	}
	l, err := pool.Of(r, g.m.Heap, func(bytes int) error {
		g.sweeping = bytes
		return g.poll()
	})
	g.sweeping = 0
	if err != nil {
		return nil, err
	}
	g.pools[key] = l
	g.bytes += l.Bytes()
	return l, nil
}
