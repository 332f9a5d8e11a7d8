package odds

import (
	"math/big"
	"slices"

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
		g.load(n)
		g.codec.SetPosition(n.at.stmt)
		g.codec.Track(nil)
		g.m.MaxSteps = g.m.StepLimit
		g.m.Run()
		return query.Find(g.codec, reach)
	}
	if g.Unmerged {
		return &poolRead{read(query.NotAtAll), g.codec.Mark()}
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
