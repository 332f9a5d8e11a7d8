package odds

import (
	"cmp"
	"container/heap"
	"slices"
)

// Within a strongly connected component two kinds of linear systems are solved. How often each
// state is visited is x = b + xP, where b is what flows in and P the weights inside; what each
// state is worth is v = c + Pv, where c is what comes of leaving it at once.
//
// States are eliminated one after the other: who leads to k leads from then on to where k leads,
//
//	p(i,j) <- p(i,j) + p(i,k) p(k,j) / (1 - p(k,k))
//
// which is the chain watched only while it is not at k. In place of 1 - p(k,k) stands the sum of the
// other weights of k, so that nothing is ever subtracted: a loop that ends once in a million rounds
// loses no digits (Grassmann, Taksar and Heyman, Regenerative analysis and steady state
// distributions for Markov chains, 1985). The state with the fewest neighbours goes first, which keeps
// the system sparse (Markowitz, The elimination form of the inverse, 1957). A system of floats that
// becomes dense all the same is then iterated, which costs little where rounds end soon;
// where it has cost as much as elimination would, that goes on.

// block is the linear system of some states, which are numbered from 0. Rows do not hold what
// leads from a state to itself: it is what the weights of a row and away do not make up to one.
type block[W any] struct {
	g      *Graph
	w      arithmetic[W]
	rows   [][]edge[W] // where each state leads, in order
	away   []W         // how much of each leads outside
	from   [][]int32   // which states lead to it; those that are gone, too
	degree []int32     // how many of these are not gone
	gone   []bool
	left   int        // how many are not
	pivots []pivot[W] // those that are gone, in order
	open   candidates
	bytes  int // taken by all of it

	patient bool // what is left is iterated, whatever that costs
}

// pivot is a state as it was when it was eliminated.
type pivot[W any] struct {
	at    int32
	out   []edge[W] // where it led, in shares of what left it
	in    []edge[W] // which states led to it
	total W         // how much of it left it; zero: nothing did, and what comes there stays
}

// newBlock makes the system of states that lead to one another as rows says, and outside as away does,
// and eliminates what is to be eliminated at once.
func newBlock[W any](g *Graph, rows [][]edge[W], away []W, w arithmetic[W]) *block[W] {
	n := len(rows)
	s := &block[W]{g: g, w: w, rows: rows, away: away, from: make([][]int32, n), degree: make([]int32, n), gone: make([]bool, n), left: n}
	for i, row := range rows {
		slices.SortFunc(row, func(a, b edge[W]) int { return cmp.Compare(a.to, b.to) })
		rows[i] = slices.DeleteFunc(row, func(e edge[W]) bool { return int(e.to) == i })
		s.bytes += s.bytesOf(rows[i])
		for _, e := range rows[i] {
			s.from[e.to] = append(s.from[e.to], int32(i))
		}
	}
	for i := range rows {
		s.degree[i] = int32(len(s.from[i]))
		s.offer(int32(i))
	}
	s.eliminateSome()
	return s
}

func (s *block[W]) bytesOf(row []edge[W]) int {
	n := 64
	for i := range row {
		n += s.w.bytes(row[i].p)
	}
	return n
}

func (s *block[W]) offer(i int32) {
	heap.Push(&s.open, candidate{int(s.degree[i]) * len(s.rows[i]), i})
}

// cheapest takes the state with the fewest pairs of neighbours.
func (s *block[W]) cheapest() (c candidate, ok bool) {
	for len(s.open) > 0 {
		c := s.open[0]
		if !s.gone[c.at] && c.pairs == int(s.degree[c.at])*len(s.rows[c.at]) {
			return c, true
		}
		heap.Pop(&s.open)
	}
	return candidate{}, false
}

// eliminate eliminates states, the cheapest first, until the cheapest has more than so many pairs of
// neighbours. It says whether there was memory for that.
func (s *block[W]) eliminate(maxPairs int) bool {
	for {
		c, ok := s.cheapest()
		if !ok || c.pairs > maxPairs || s.g.err != nil {
			return true
		}
		if s.g.bytesTaken()+s.bytes > s.g.Bound()/4*3 {
			return false
		}
		s.remove(c.at)
	}
}

func (s *block[W]) remove(k int32) {
	w, row := s.w, s.rows[k]
	p := pivot[W]{at: k, total: s.total(k)}
	s.gone[k], s.rows[k] = true, nil
	s.left--
	stuck := w.zero(p.total)
	var away W
	if !stuck {
		p.out = make([]edge[W], len(row))
		for i, e := range row {
			p.out[i] = edge[W]{e.to, w.div(e.p, p.total)}
		}
		away = w.div(s.away[k], p.total)
	}
	for _, i := range s.from[k] {
		if s.gone[i] {
			continue
		}
		at, _ := slices.BinarySearchFunc(s.rows[i], k, func(e edge[W], k int32) int { return cmp.Compare(e.to, k) })
		f := s.rows[i][at].p
		p.in = append(p.in, edge[W]{i, f})
		s.bytes -= s.bytesOf(s.rows[i])
		if stuck {
			s.rows[i] = slices.Delete(s.rows[i], at, at+1)
			s.away[i] = w.add(s.away[i], f)
		} else {
			s.rows[i] = s.bypass(i, k, f, p.out)
			s.away[i] = w.add(s.away[i], w.mul(f, away))
		}
		size := s.bytesOf(s.rows[i])
		s.bytes += size
		if s.g.ended(size / 32) {
			return
		}
	}
	s.from[k] = nil
	for _, e := range row {
		s.degree[e.to]--
		s.offer(e.to)
	}
	for _, e := range p.in {
		s.offer(e.to)
	}
	s.bytes += s.bytesOf(p.in)
	s.pivots = append(s.pivots, p)
}

// total gives how much of a state leads to others.
func (s *block[W]) total(k int32) W {
	sum := s.away[k]
	for _, e := range s.rows[k] {
		sum = s.w.add(sum, e.p)
	}
	return sum
}

// bypass gives the row of i where what led to k, so much of it, goes where k leads.
func (s *block[W]) bypass(i, k int32, f W, out []edge[W]) []edge[W] {
	row := s.rows[i]
	to := make([]edge[W], 0, len(row)+len(out))
	for len(row) > 0 || len(out) > 0 {
		switch {
		case len(out) == 0 || len(row) > 0 && row[0].to < out[0].to:
			if row[0].to != k {
				to = append(to, row[0])
			}
			row = row[1:]
		case out[0].to == i:
			out = out[1:]
		case len(row) > 0 && row[0].to == out[0].to:
			to = append(to, edge[W]{row[0].to, s.w.add(row[0].p, s.w.mul(f, out[0].p))})
			row, out = row[1:], out[1:]
		default:
			j := out[0].to
			to = append(to, edge[W]{j, s.w.mul(f, out[0].p)})
			s.from[j] = append(s.from[j], i)
			s.degree[j]++
			out = out[1:]
		}
	}
	return to
}

// visits solves x = b + xP, and gives what stays where nothing leads on.
func (s *block[W]) visits(b []W) (x, stay []W) {
	for {
		x, stay, done := s.visitsOnce(slices.Clone(b))
		if done || s.g.err != nil {
			return x, stay
		}
		s.eliminateRest()
	}
}

// visitsOnce does so, unless the states that are not eliminated are too many to be iterated.
func (s *block[W]) visitsOnce(b []W) (x, stay []W, done bool) {
	w := s.w
	stay = make([]W, len(b))
	for _, p := range s.pivots {
		if s.g.ended(len(p.out)) {
			return b, stay, false
		}
		for _, e := range p.out {
			b[e.to] = w.add(b[e.to], w.mul(b[p.at], e.p))
		}
	}
	if !s.core().flow(any(b)) {
		return b, stay, false
	}
	for _, p := range slices.Backward(s.pivots) {
		v := b[p.at]
		if s.g.ended(len(p.in)) {
			return b, stay, false
		}
		for _, e := range p.in {
			v = w.add(v, w.mul(b[e.to], e.p))
		}
		b[p.at] = v
		if w.zero(p.total) {
			stay[p.at] = v
		} else {
			b[p.at] = w.div(v, p.total)
		}
	}
	return b, stay, true
}

// worths solves v = c + Pv; where nothing leads on v is 0.
func (s *block[W]) worths(c []W) []W {
	for {
		v, done := s.worthsOnce(slices.Clone(c))
		if done || s.g.err != nil {
			return v
		}
		s.eliminateRest()
	}
}

func (s *block[W]) worthsOnce(c []W) (v []W, done bool) {
	w := s.w
	for _, p := range s.pivots {
		if s.g.ended(len(p.in)) {
			return c, false
		}
		if w.zero(p.total) {
			continue
		}
		c[p.at] = w.div(c[p.at], p.total)
		for _, e := range p.in {
			c[e.to] = w.add(c[e.to], w.mul(e.p, c[p.at]))
		}
	}
	if !s.core().approach(any(c)) {
		return c, false
	}
	for _, p := range slices.Backward(s.pivots) {
		if s.g.ended(len(p.out)) {
			return c, false
		}
		for _, e := range p.out {
			c[p.at] = w.add(c[p.at], w.mul(e.p, c[e.to]))
		}
	}
	return c, true
}

// cheap is how many pairs of neighbours a state may have for its elimination to cost no more than
// some rounds of iteration, and small how many states are eliminated however dense their
// system is.
const (
	cheap = 256
	small = 600
	all   = int(^uint(0) >> 1)
)

// eliminateSome eliminates the states of which that is sure to pay: of fractions all.
func (s *block[W]) eliminateSome() {
	if _, ok := any(s).(*block[float64]); !ok {
		if !s.eliminate(all) {
			s.g.err = ErrFractions
		}
	} else if s.eliminate(cheap); s.left <= small {
		s.eliminate(all)
	}
}

// eliminateRest eliminates what has turned out to be dear to iterate. If there is no memory for that
// it is iterated all the same.
func (s *block[W]) eliminateRest() {
	s.patient = !s.eliminate(all)
}

// core is what elimination has left of a system of floats.
type core struct {
	*block[float64]
	states []int32
	total  []float64 // how much of each leads to others, by number
	budget int       // how much iteration may cost
}

// core gives what is left; nil where nothing is.
func (s *block[W]) core() *core {
	f, ok := any(s).(*block[float64])
	if !ok || s.left == 0 {
		return nil
	}
	c := &core{block: f, total: make([]float64, len(s.rows)), budget: all}
	for i := range f.rows {
		if !f.gone[i] {
			c.states = append(c.states, int32(i))
			c.total[i] = f.total(int32(i))
		}
	}
	if n := s.left; !s.patient && n < 1<<20 && s.g.bytesTaken()+s.bytes+24*n*n <= s.g.Bound()/4*3 {
		c.budget = n * n * n / 3
	}
	return c
}

// flow solves x = b + xP, with x in the place of b: it lets what flows in flow round until what is
// under way, which is all that is missing from what flows out, is nothing. It says whether
// that was so within the budget.
func (c *core) flow(floats any) bool {
	if c == nil {
		return true
	}
	b := floats.([]float64)
	x := make([]float64, len(b))
	for cost := 0; cost <= c.budget; {
		under := 0.0
		for _, i := range c.states {
			if b[i] == 0 {
				continue
			}
			row := c.rows[i]
			if c.g.ended(1 + len(row)) {
				return false
			}
			cost += 1 + len(row)
			v := b[i] / c.total[i]
			b[i] = 0
			x[i] += v
			for _, e := range row {
				b[e.to] += v * e.p
				under += v * e.p
			}
		}
		if under < 1e-18 {
			for _, i := range c.states {
				b[i] = x[i]
			}
			return true
		}
	}
	return false
}

// approach solves v = c + Pv, with v in the place of c, by Gauss and Seidel's iteration. Beside it it
// works out how likely each state has not been left after so many rounds: no more of v is missing.
func (c *core) approach(floats any) bool {
	if c == nil {
		return true
	}
	b := floats.([]float64)
	v, stays := make([]float64, len(b)), make([]float64, len(b))
	for _, i := range c.states {
		stays[i] = 1
	}
	for cost := 0; cost <= c.budget; {
		most := 0.0
		for _, i := range c.states {
			row := c.rows[i]
			if c.g.ended(1 + len(row)) {
				return false
			}
			cost += 1 + len(row)
			x, left := b[i], 0.0
			for _, e := range row {
				x, left = x+e.p*v[e.to], left+e.p*stays[e.to]
			}
			v[i], stays[i] = x/c.total[i], left/c.total[i]
			most = max(most, stays[i])
		}
		if most < 1e-17 {
			for _, i := range c.states {
				b[i] = v[i]
			}
			return true
		}
	}
	return false
}

// candidates are states that may be eliminated, the one with the fewest pairs of neighbours first.
// Those whose number has changed since are passed over.
type candidates []candidate

type candidate struct {
	pairs int
	at    int32
}

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(c[i].pairs, c[k].pairs), cmp.Compare(c[i].at, c[k].at)) < 0
}
func (c candidates) Swap(i, k int) { c[i], c[k] = c[k], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	old := *c
	x := old[len(old)-1]
	*c = old[:len(old)-1]
	return x
}
