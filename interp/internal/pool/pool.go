// Package pool gives what can be read of a pool, with the number of throws for each answer,
// without going through the throws: a dynamic programme over faces. Let two
// d6 and a d8 be thrown and the two highest be added up. A sweep goes from face 8
// down to face 1 and asks at each how many of the dice that are still open show
// it; the others show less. After each face it is enough to know how many dice
// are open and what has been read so far:
//
//	face 8   open 2d6 d8, sum 0  -1-> open 2d6, sum 8     the d8 shows 8
//	                             -1-> open 2d6 d8, sum 0  it shows less
//	face 6   open 2d6, sum 8     -1-> open -, sum 14      both show 6
//	                             -2-> open d6, sum 14     one of them does
//	                             -1-> open 2d6, sum 8     …
//
// Throws are counted, k of n dice in as many ways as k can be chosen of n, and
// states that are the same are one. A state in which nothing that is asked can
// change any more (two dice have been added up) is done with, in as many ways as
// the open dice can fall at all.
//
// Pools that are read together are swept one by one, and their distributions multiplied,
// unless their dice are compared in pairs: then one sweep takes both, at each face the
// pool that is compared with before the one that is compared.
//
// Counting a pool face by face is due to icepool (Liu, Icepool:
// efficient computation of dice pool probabilities, 2022); the pools and what is asked of
// them come from package query.
package pool

import (
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
	"slices"

	"setpiece/interp/internal/query"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// ErrTooMany is that what is read of a pool has too many answers.
var ErrTooMany = errors.New("the pool has too many outcomes to go through one by one")

// maxAnswers bounds the states of a sweep, and so its answers.
const maxAnswers = 1 << 21

// Distribution is what can be read of a pool, each with its number of throws.
type Distribution struct {
	Outcomes [][]V // for each outcome, one for each of Query.Asked
	Ways     []*big.Int
	Total    *big.Int
}

// Of gives what can be read of pools, with the number of throws for each. Pools that are
// compared are swept together; what is read of the others is multiplied. poll is called
// from time to time with the bytes that are taken: it says whether to go on.
func Of(r *query.Query, h *value.Heap, poll func(bytes int) error) (*Distribution, error) {
	var all *Distribution
	var places []int // in r.Asked, of the answers of all
	taken := 0
	for _, pools := range compared(r) {
		s := newSweep(r, pools)
		s.poll = func(more int) error { return poll(taken + more) }
		l, err := s.distribution(h)
		if err == nil && all != nil {
			if len(all.Outcomes)*len(l.Outcomes) > maxAnswers {
				err = ErrTooMany
			} else {
				all, err = all.times(l, s.poll)
			}
		} else {
			all = l
		}
		if err != nil {
			return nil, err
		}
		taken = all.Bytes()
		places = append(places, s.places...)
	}
	all.put(places)
	return all, nil
}

// Key tells readings apart.
func Key(r *query.Query) string {
	var key []byte
	num := func(ns ...int) {
		for _, n := range ns {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	for _, p := range r.Pools {
		num(len(p.Sizes))
		num(p.Sizes...)
		num(len(p.Given))
		if d := p.Made; d != nil {
			for i, s := range d.Shapes {
				if i == 0 || d.Dice[i] != d.Dice[i-1] {
					num(i, len(s.Key))
					key = append(key, s.Key...)
				}
			}
		}
		for _, d := range p.Given {
			num(d.DieSize(), d.DieFace())
		}
	}
	num(-1)
	for _, s := range r.Stages {
		num(s.From, int(s.Op), s.N)
	}
	num(-1)
	if r.Spare {
		num(1)
	}
	for _, a := range r.Asked {
		num(a.Stage, int(a.What), a.Other)
	}
	for _, f := range r.Folds {
		num(len(f.Of))
		num(f.Of...)
		num(len(f.Key))
		key = append(key, f.Key...)
	}
	return string(key)
}

// compared gives the pools of a reading, those that are compared with each other in one
// group. A pool that is compared comes behind the one that it is compared with.
func compared(r *query.Query) [][]int {
	behind := make([][]int, len(r.Pools))
	for _, a := range r.Asked {
		if a.What == query.Exceeding {
			of, than := r.Pool(a.Stage), r.Pool(a.Other)
			behind[of] = append(behind[of], than)
		}
		if a.What == query.Folded {
			of := r.Folds[a.Other].Of
			for i, stage := range of[1:] {
				if p, q := r.Pool(stage), r.Pool(of[i]); p != q {
					behind[p] = append(behind[p], q)
				}
			}
		}
	}
	var order []int
	seen := make([]bool, len(r.Pools))
	var visit func(int)
	visit = func(p int) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, q := range behind[p] {
			visit(q)
		}
		order = append(order, p)
	}
	group := make([]int, len(r.Pools))
	for p := range r.Pools {
		visit(p)
		group[p] = p
	}
	for range r.Pools { // until nothing is joined any more
		for p, than := range behind {
			for _, q := range than {
				n := min(group[p], group[q])
				group[p], group[q] = n, n
			}
		}
	}
	var out [][]int
	for n := range r.Pools {
		var pools []int
		for _, p := range order {
			if group[p] == n {
				pools = append(pools, p)
			}
		}
		if pools != nil {
			out = append(out, pools)
		}
	}
	return out
}

func (l *Distribution) Bytes() int {
	if len(l.Outcomes) == 0 {
		return 0
	}
	return len(l.Outcomes) * (100 + 8*len(l.Outcomes[0]))
}

// times gives the law of two things that do not depend on each other.
func (l *Distribution) times(by *Distribution, poll func(int) error) (*Distribution, error) {
	out := &Distribution{Total: new(big.Int).Mul(l.Total, by.Total)}
	for i, a := range l.Outcomes {
		if err := poll(out.Bytes()); err != nil {
			return nil, err
		}
		for j, b := range by.Outcomes {
			out.Outcomes = append(out.Outcomes, slices.Concat(a, b))
			out.Ways = append(out.Ways, new(big.Int).Mul(l.Ways[i], by.Ways[j]))
		}
	}
	return out, nil
}

// put puts each answer in its place.
func (l *Distribution) put(places []int) {
	if slices.IsSorted(places) {
		return
	}
	for i, a := range l.Outcomes {
		sorted := make([]V, len(a))
		for n, at := range places {
			sorted[at] = a[n]
		}
		l.Outcomes[i] = sorted
	}
}

// sweep works out a law.
type sweep struct {
	r      *query.Query
	asked  []query.Asked // of the pools that are swept
	places []int         // of these in the reading
	groups []sizeGroup   // in the order in which dice of equal faces come
	used   []bool        // the stages that are asked about
	least  []int         // by stage: how far its dice have to be counted
	fields []field       // of a state: open dice by group, dice by stage that counts, answers
	count  []int         // by stage: its field, -1
	shown  map[int]int   // by stage of which one of each face is taken: the field of the latest
	bias   []int32       // by answer: how much more than it a sum is in a state
	words  int           // of a packed state
	limbs  int           // of a number of ways
	lists  trie
	sizes  []int   // of the groups, for answers that name one
	rising []int   // the same, the smallest first
	rank   []int32 // of the groups: 1 of the smallest size
	binom  [][][]uint64
	tails  map[int][][][]uint64 // see choices: by b, n and k

	cur  []int32 // the state at hand
	pass []bool
	tmp  [][]uint64 // three numbers of ways
	err  error
	poll func(bytes int) error // from time to time: whether to go on, with so much taken
}

// sizeGroup is the dice of one size in a pool.
type sizeGroup struct {
	pool, size int
	dice       int
	given      map[int]int // by face: how many of this size have been given
	weigh      *weights    // of what a die shows that is made of others, nil of others
}

type field struct {
	word  int
	shift uint
	mask  uint64
}

func newSweep(r *query.Query, pools []int) *sweep {
	s := &sweep{r: r}
	for i, a := range r.Asked {
		if slices.Contains(pools, r.Pool(a.Stage)) {
			s.asked, s.places = append(s.asked, a), append(s.places, i)
		}
	}
	total := big.NewInt(1)
	dice := make([]int, len(r.Pools))
	for _, p := range pools {
		from := len(s.groups)
		group := func(size int) *sizeGroup {
			for i := from; i < len(s.groups); i++ {
				if s.groups[i].size == size {
					return &s.groups[i]
				}
			}
			s.groups = append(s.groups, sizeGroup{pool: p, size: size, given: map[int]int{}})
			return &s.groups[len(s.groups)-1]
		}
		if d := r.Pools[p].Made; d != nil {
			s.groups = append(s.groups, madeGroups(p, d, total)...)
		} else {
			for _, size := range r.Pools[p].Sizes {
				group(size).dice++
				total.Mul(total, big.NewInt(int64(size)))
			}
		}
		for _, d := range r.Pools[p].Given {
			group(d.DieSize()).given[d.DieFace()]++
		}
		dice[p] = len(r.Pools[p].Sizes) + len(r.Pools[p].Given)
		slices.SortFunc(s.groups[from:], func(a, b sizeGroup) int {
			if r.Spare {
				return a.size - b.size
			}
			return b.size - a.size
		})
	}
	for _, g := range s.groups {
		s.sizes = append(s.sizes, g.size)
	}
	s.rising = slices.Sorted(slices.Values(s.sizes))
	for _, size := range s.sizes {
		s.rank = append(s.rank, int32(slices.Index(s.rising, size)+1))
	}
	top := slices.Max(s.sizes)
	s.limbs = total.BitLen()/64 + 1
	for range 3 {
		s.tmp = append(s.tmp, make([]uint64, s.limbs))
	}
	s.used, s.least, s.count = make([]bool, len(r.Stages)), make([]int, len(r.Stages)), make([]int, len(r.Stages))
	use := func(stage int) {
		for i := stage; !s.used[i]; i = r.Stages[i].From {
			s.used[i] = true
		}
	}
	for _, a := range s.asked {
		for _, stage := range s.stages(a) {
			use(stage)
		}
		if a.What == query.Exceeding {
			use(a.Other)
			for _, i := range []int{a.Stage, a.Other} {
				s.least[i] = max(s.least[i], r.Stages[i].Size)
			}
		}
	}
	for _, g := range s.groups {
		s.field(g.dice)
	}
	for i := range r.Stages {
		s.count[i] = -1
	}
	for i, st := range r.Stages {
		if s.used[i] && (st.Op == query.First || st.Op == query.Behind) {
			s.least[st.From] = max(s.least[st.From], st.N)
		}
	}
	for i, n := range s.least {
		if n > 0 {
			s.count[i] = len(s.fields)
			s.field(min(n, dice[r.Pool(i)]))
		}
	}
	s.shown = map[int]int{}
	for i, st := range r.Stages {
		if s.used[i] && st.Op == query.OneEach {
			s.shown[i] = len(s.fields)
			s.field(top)
		}
	}
	s.bias = make([]int32, len(s.asked))
	for i, a := range s.asked {
		n := dice[r.Pool(a.Stage)]
		if size := r.Stages[a.Stage].Size; size >= 0 {
			n = min(n, size)
		}
		switch a.What {
		case query.Sum:
			least, most := s.spread(a)
			s.bias[i] = int32(n * max(0, -least))
			s.field(n * (max(0, -least) + max(0, most)))
		case query.Count, query.Exceeding:
			s.field(n)
		case query.TopFace, query.LowFace:
			s.field(top)
		case query.TopDie, query.LowDie:
			s.field((top + 1) * len(s.sizes))
		case query.Largest:
			s.field(len(s.sizes))
		case query.AllDice, query.AllFaces, query.AllSizes, query.Folded:
			s.field(2 * maxAnswers)
		}
	}
	s.cur = make([]int32, len(s.fields))
	s.pass = make([]bool, len(r.Stages))
	return s
}

// stages gives those of which dice change an answer.
func (s *sweep) stages(a query.Asked) []int {
	if a.What == query.Folded {
		return s.r.Folds[a.Other].Of
	}
	return []int{a.Stage}
}

// field adds a field that holds up to n.
func (s *sweep) field(n int) {
	width := uint(bits.Len(uint(n)))
	f := field{mask: 1<<width - 1}
	if k := len(s.fields); k > 0 {
		last := s.fields[k-1]
		f.word, f.shift = last.word, last.shift+uint(bits.Len64(last.mask))
		if f.shift+width > 64 {
			f.word, f.shift = f.word+1, 0
		}
	}
	s.fields = append(s.fields, f)
	s.words = f.word + 1
}

// maxKey is how many words a packed state may have.
const maxKey = 3

type packed [maxKey]uint64

func (s *sweep) pack() packed {
	var k packed
	for i, f := range s.fields {
		k[f.word] |= uint64(s.cur[i]) << f.shift
	}
	return k
}

func (s *sweep) unpack(k *packed) {
	for i, f := range s.fields {
		s.cur[i] = int32(k[f.word] >> f.shift & f.mask)
	}
}

// distribution makes the sweep.
func (s *sweep) distribution(h *value.Heap) (*Distribution, error) {
	if s.onlySum() {
		return s.sums()
	}
	if s.words > maxKey {
		return nil, ErrTooMany
	}
	now, next, done := newTally(s.limbs), newTally(s.limbs), newTally(s.limbs)
	for i, g := range s.groups {
		s.cur[i] = int32(g.dice)
	}
	copy(s.cur[len(s.fields)-len(s.asked):], s.bias)
	top := slices.Max(s.sizes)
	if s.closed(top) {
		s.finish(done, top, 0, s.one())
	} else {
		now.add(s.pack(), s.one())
	}
	for face := top; face >= 1; face-- {
		for i := range s.groups {
			if s.groups[i].size < face {
				continue
			}
			next.clear()
			for n := range now.keys {
				if err := s.poll(now.taken() + next.taken() + done.taken() + s.lists.taken()); err != nil {
					return nil, err
				}
				s.unpack(&now.keys[n])
				s.fall(next, done, face, i, now.ways[n*s.limbs:(n+1)*s.limbs])
			}
			if s.err != nil || len(next.keys)+len(done.keys) > maxAnswers {
				return nil, ErrTooMany
			}
			now, next = next, now
		}
	}
	return s.read(h, done, now)
}

func (s *sweep) one() []uint64 {
	one := make([]uint64, s.limbs)
	one[0] = 1
	return one
}

// fall goes on from the state at hand: any number of the open dice of a group
// show a face.
func (s *sweep) fall(next, done *tally, face, i int, ways []uint64) {
	g := &s.groups[i]
	for range g.given[face] {
		s.feed(face, i)
	}
	open := int(s.cur[i])
	from := 0
	if face == 1 {
		from = open // the last face is shown by all that are open
	}
	for k := 0; ; k++ {
		if k >= from {
			times := s.tmp[0]
			clear(times)
			if s.closed(face) {
				multiply(times, ways, s.atLeast(g, open, k, face))
				s.cur[i] = 0
				s.finish(done, face, i+1, times)
				return
			}
			if multiply(times, ways, s.choose(open, k)); g.weigh != nil && k > 0 {
				weighed := s.tmp[1]
				clear(weighed)
				multiply(weighed, times, g.weigh.power(face, k))
				times = weighed
			}
			next.add(s.pack(), times)
		}
		if k == open {
			return
		}
		s.cur[i]--
		s.feed(face, i)
	}
}

// finish is done with the state at hand, in which the groups before i can show
// less than a face and the others no more than it.
func (s *sweep) finish(done *tally, face, i int, ways []uint64) {
	x, spare := ways, s.tmp[1:]
	for j := range s.groups {
		below := min(face, s.groups[j].size)
		if j < i {
			below = min(face-1, s.groups[j].size)
		}
		if s.cur[j] > 0 {
			y := spare[0]
			clear(y)
			multiply(y, x, s.atLeast(&s.groups[j], int(s.cur[j]), 0, below))
			s.cur[j] = 0
			x, spare[0], spare[1] = y, spare[1], y
		}
	}
	done.add(s.pack(), x)
}

// feed has a die of group i show a face.
func (s *sweep) feed(face, i int) {
	for n, st := range s.r.Stages {
		if !s.used[n] {
			continue
		}
		p := s.pass[st.From]
		if st.Op == query.Whole {
			p = st.N == s.groups[i].pool
		} else if p {
			switch st.Op {
			case query.Above:
				p = face > st.N
			case query.Below:
				p = face < st.N
			case query.Showing:
				p = face == st.N
			case query.First:
				p = int(s.before(st.From)) < st.N
			case query.Behind:
				p = int(s.before(st.From)) >= st.N
			case query.OneEach:
				p = s.cur[s.shown[n]] != int32(face)
			case query.Whole, query.Spared:
			}
		}
		s.pass[n] = p
	}
	for n, at := range s.shown {
		if s.pass[n] {
			s.cur[at] = int32(face)
		}
	}
	// counted only now, since stages look at how many came before this die
	for n, at := range s.count {
		if at >= 0 && s.pass[n] && int(s.cur[at]) < s.least[n] && s.used[n] {
			s.cur[at]++
		}
	}
	at := len(s.fields) - len(s.asked)
	for n, a := range s.asked {
		switch {
		case a.What == query.Folded:
			f := s.r.Folds[a.Other]
			for list, stage := range f.Of {
				if s.pass[stage] {
					s.cur[at+n] = f.Next(s.cur[at+n], list, value.OfDie(s.groups[i].size, face))
				}
			}
		case !s.pass[a.Stage]:
		case a.What == query.Exceeding:
			// the dice that show this face of the pool it is compared with have been counted
			if place := s.before(a.Stage); int(place) <= s.r.Stages[a.Other].Size && place > s.before(a.Other) {
				s.cur[at+n]++
			}
		default:
			s.answer(&s.cur[at+n], a.What, face, i)
		}
	}
}

// before is how many dice a stage has had so far, as far as that is counted.
func (s *sweep) before(stage int) int32 {
	if s.count[stage] < 0 {
		return 0
	}
	return s.cur[s.count[stage]]
}

func (s *sweep) answer(x *int32, what query.What, face, i int) {
	switch what {
	case query.Sum:
		*x += s.worth(i, face)
	case query.Count:
		*x++
	case query.TopFace:
		if *x == 0 {
			*x = int32(face)
		}
	case query.LowFace:
		*x = int32(face)
	case query.TopDie:
		if *x == 0 {
			*x = int32(face*len(s.sizes) + i)
		}
	case query.LowDie:
		*x = int32(face*len(s.sizes) + i)
	case query.Largest:
		*x = max(*x, s.rank[i])
	case query.AllFaces:
		*x = s.lists.push(*x, int32(face))
	case query.AllSizes:
		*x = s.lists.insert(*x, s.rank[i])
	case query.AllDice:
		*x = s.lists.push(*x, int32(face*len(s.sizes)+i))
	case query.Exceeding, query.Folded:
	}
	if len(s.lists.nodes) > maxAnswers {
		s.err = ErrTooMany
	}
}

// closed says whether no die that shows a face or less can change an answer.
func (s *sweep) closed(face int) bool {
	at := len(s.fields) - len(s.asked)
	for n, a := range s.asked {
		switch a.What {
		case query.TopFace, query.TopDie:
			if s.cur[at+n] != 0 {
				continue
			}
		case query.Largest:
			if !s.larger(s.cur[at+n]) {
				continue
			}
		}
		for _, stage := range s.stages(a) {
			if !s.shut(stage, face) {
				return false
			}
		}
	}
	return true
}

// larger says whether a die is open of a larger size than the nth.
func (s *sweep) larger(n int32) bool {
	for i, rank := range s.rank {
		if rank > n && (s.cur[i] > 0 || len(s.groups[i].given) > 0) {
			return true
		}
	}
	return false
}

// shut says whether no die that shows a face or less gets into a stage.
func (s *sweep) shut(stage, face int) bool {
	for ; s.r.Stages[stage].Op != query.Whole; stage = s.r.Stages[stage].From {
		switch st := &s.r.Stages[stage]; st.Op {
		case query.First:
			if int(s.before(st.From)) >= st.N {
				return true
			}
		case query.Above:
			if face <= st.N {
				return true
			}
		case query.Showing:
			if face < st.N {
				return true
			}
		}
	}
	return false
}

// read makes the law of the states in which the sweep ended.
func (s *sweep) read(h *value.Heap, ends ...*tally) (*Distribution, error) {
	l := &Distribution{Total: new(big.Int)}
	from := len(s.fields) - len(s.asked)
	for _, t := range ends {
		for n := range t.keys {
			if err := s.poll(ends[0].taken() + ends[1].taken() + s.lists.taken() + len(l.Outcomes)*(120+8*(len(s.asked)+s.limbs))); err != nil {
				return nil, err
			}
			s.unpack(&t.keys[n])
			out := make([]V, len(s.asked))
			for i, a := range s.asked {
				out[i] = s.value(h, a, s.cur[from+i]-s.bias[i])
			}
			ways := fromLimbs(t.ways[n*s.limbs : (n+1)*s.limbs])
			if ways.Sign() == 0 {
				continue
			}
			l.Outcomes, l.Ways = append(l.Outcomes, out), append(l.Ways, ways)
			l.Total.Add(l.Total, ways)
		}
	}
	return l, nil
}

func (s *sweep) value(h *value.Heap, a query.Asked, x int32) V {
	what := a.What
	die := func(x int32) V { return value.OfDie(s.sizes[int(x)%len(s.sizes)], int(x)/len(s.sizes)) }
	size := func(x int32) V { return value.OfDie(s.rising[x-1], 0) }
	list := func(f func(int32) V) V {
		var vs []V
		for ; x != 0; x = s.lists.nodes[x].before {
			vs = append(vs, f(s.lists.nodes[x].last))
		}
		slices.Reverse(vs)
		return h.OfList(vs)
	}
	number := func(x int32) V { return value.OfInt(int64(x)) }
	switch what {
	case query.Sum, query.Count, query.Exceeding, query.Folded:
		return number(x)
	}
	if d := s.r.Pools[s.r.Pool(a.Stage)].Made; d != nil {
		number = func(x int32) V { return d.Shows[x-1] }
	}
	switch what {
	case query.AllFaces:
		return list(number)
	case query.AllDice:
		return list(die)
	case query.AllSizes:
		return list(size)
	}
	if x == 0 {
		return value.None
	}
	switch what {
	case query.TopDie, query.LowDie:
		return die(x)
	case query.Largest:
		return size(x)
	}
	return number(x)
}

// choose gives the ways to choose k of n, by Pascal's triangle.
func (s *sweep) choose(n, k int) []uint64 {
	for len(s.binom) <= n {
		row := make([][]uint64, len(s.binom)+1)
		for i := range row {
			if i == 0 || i == len(s.binom) {
				row[i] = []uint64{1}
				continue
			}
			above := s.binom[len(s.binom)-1]
			row[i] = multiplied(above[i], 1, above[i-1])
		}
		s.binom = append(s.binom, row)
	}
	return s.binom[n][k]
}

// choices gives the ways in which at least k of n dice show a face and the others
// one of b that are less. The first of them shows one of the b, and at least k of
// the rest show it, or it shows it itself.
func (s *sweep) choices(n, k, b int) []uint64 {
	if k > n {
		return nil
	}
	k = max(k, 0)
	rows := s.tails[b]
	if len(rows) <= n {
		for len(rows) <= n {
			rows = append(rows, make([][]uint64, len(rows)+1))
		}
		if s.tails == nil {
			s.tails = map[int][][][]uint64{} // most of the faces of a huge die are never asked for
		}
		s.tails[b] = rows
	}
	x := rows[n][k]
	if x == nil {
		switch {
		case n == 0:
			x = []uint64{1}
		case k == 0:
			x = multiplied(s.choices(n-1, 0, b), uint64(b+1), nil)
		default:
			x = multiplied(s.choices(n-1, k, b), uint64(b), s.choices(n-1, k-1, b))
		}
		rows[n][k] = x
	}
	return x
}

// multiplied gives x times m and y, as words, the least significant first.
func multiplied(x []uint64, m uint64, y []uint64) []uint64 {
	out := make([]uint64, 0, max(len(x), len(y))+1)
	carry := uint64(0)
	for i := 0; i < max(len(x), len(y)) || carry > 0; i++ {
		hi, lo, c := uint64(0), uint64(0), uint64(0)
		if i < len(x) {
			hi, lo = bits.Mul64(x[i], m)
		}
		if i < len(y) {
			lo, c = bits.Add64(lo, y[i], 0)
			hi += c
		}
		lo, c = bits.Add64(lo, carry, 0)
		out = append(out, lo)
		carry = hi + c
	}
	return out
}

// fromLimbs gives a number of which these are the words.
func fromLimbs(limbs []uint64) *big.Int {
	x := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(limbs[i]))
	}
	return x
}

// multiply adds x times y to dst, which is long enough for what comes of it.
func multiply(dst, x, y []uint64) {
	for j, m := range y {
		if m == 0 {
			continue
		}
		carry := uint64(0)
		for i := 0; i+j < len(dst); i++ {
			d := uint64(0)
			if i < len(x) {
				d = x[i]
			} else if carry == 0 {
				break
			}
			hi, lo := bits.Mul64(d, m)
			lo, c := bits.Add64(lo, carry, 0)
			hi += c
			dst[i+j], c = bits.Add64(dst[i+j], lo, 0)
			carry = hi + c
		}
	}
}

// tally counts the ways to packed states, in the order in which they are met.
type tally struct {
	limbs int
	keys  []packed
	ways  []uint64
	index []int32 // open addressing: 1 + place in keys, 0 where there is none
}

func newTally(limbs int) *tally { return &tally{limbs: limbs, index: make([]int32, 64)} }

func (t *tally) clear() {
	t.keys, t.ways = t.keys[:0], t.ways[:0]
	clear(t.index)
}

// taken is how many bytes a tally takes.
func (t *tally) taken() int { return 24*cap(t.keys) + 8*cap(t.ways) + 4*len(t.index) }

func (k *packed) hash() uint64 {
	h := (k[0] ^ k[1]*0x9e3779b97f4a7c15 ^ k[2]*0xc2b2ae3d27d4eb4f) * 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

func (t *tally) add(k packed, ways []uint64) {
	mask := uint64(len(t.index) - 1)
	at := k.hash() & mask
	for ; t.index[at] != 0; at = (at + 1) & mask {
		if n := int(t.index[at]) - 1; t.keys[n] == k {
			w := t.ways[n*t.limbs : (n+1)*t.limbs]
			carry := uint64(0)
			for i := range w {
				w[i], carry = bits.Add64(w[i], ways[i], carry)
			}
			return
		}
	}
	t.keys = append(t.keys, k)
	t.ways = append(t.ways, ways...)
	t.index[at] = int32(len(t.keys))
	if 2*len(t.keys) > len(t.index) {
		t.index = make([]int32, 2*len(t.index))
		mask = uint64(len(t.index) - 1)
		for n := range t.keys {
			at := t.keys[n].hash() & mask
			for t.index[at] != 0 {
				at = (at + 1) & mask
			}
			t.index[at] = int32(n + 1)
		}
	}
}

// trie holds lists, each by the number of its last node; 0 is the empty list.
type trie struct {
	nodes []link
	by    map[link]int32
}

type link struct{ before, last int32 }

func (t *trie) push(list, x int32) int32 {
	if t.by == nil {
		t.by, t.nodes = map[link]int32{}, []link{{}}
	}
	l := link{list, x}
	n, ok := t.by[l]
	if !ok {
		n = int32(len(t.nodes))
		t.nodes = append(t.nodes, l)
		t.by[l] = n
	}
	return n
}

// taken is how many bytes the lists take, roughly.
func (t *trie) taken() int { return 8*cap(t.nodes) + 40*len(t.by) }

// insert puts x into a list that goes down.
func (t *trie) insert(list, x int32) int32 {
	if list == 0 || t.nodes[list].last >= x {
		return t.push(list, x)
	}
	l := t.nodes[list]
	return t.push(t.insert(l.before, x), l.last)
}
