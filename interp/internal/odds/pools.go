package odds

import (
	"setpiece/interp/internal/pool"
	"setpiece/interp/internal/query"
)

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
