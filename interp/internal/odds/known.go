package odds

// known remembers the ways from one place in the program. Plain computation that
// begins there always reads the same word of the store first; what it finds
// decides which it reads next. So the words read and their values, in the order
// of reading, are found as letters are in a trie.
type known struct {
	chain []word // words that are read one after the other, with what they have to be
	way   *way   // that was taken then
	at    int32  // or the word that is read then, to which there are several answers
	next  []branch
	index map[V]*known // of next, where it is long
}

type branch struct {
	v  V
	to *known
}

// maxBranches is how many branches are gone through one after the other.
const maxBranches = 8

// find gives the way that is known for the words in now, or nil.
func (t *known) find(now []V) *way {
	for t != nil {
		for i := range t.chain {
			if w := &t.chain[i]; now[w.at] != w.v {
				return nil
			}
		}
		if t.way != nil || len(t.next) == 0 {
			return t.way
		}
		t = t.branch(now[t.at])
	}
	return nil
}

func (t *known) branch(v V) *known {
	if t.index != nil {
		return t.index[v]
	}
	for i := range t.next {
		if t.next[i].v == v {
			return t.next[i].to
		}
	}
	return nil
}

func (t *known) grow(v V, to *known) {
	t.next = append(t.next, branch{v, to})
	if t.index != nil {
		t.index[v] = to
	} else if len(t.next) > maxBranches {
		t.index = map[V]*known{}
		for _, b := range t.next {
			t.index[b.v] = b.to
		}
	}
}

// add remembers a way, with the words that it read in order, whose values are in
// now. Find has not found any for them.
func (t *known) add(now []V, reads []int32, x *way) {
	for t.way != nil || len(t.next) > 0 {
		i := 0
		for i < len(t.chain) && i < len(reads) && reads[i] == t.chain[i].at && now[reads[i]] == t.chain[i].v {
			i++
		}
		reads = reads[i:]
		switch {
		case len(reads) == 0:
			// it read less than those before it: it is found first
			*t = known{chain: t.chain[:i], way: x}
			return
		case i < len(t.chain):
			w := t.chain[i]
			if reads[0] != w.at {
				return
			}
			rest := &known{chain: t.chain[i+1:], way: t.way, at: t.at, next: t.next, index: t.index}
			*t = known{chain: t.chain[:i:i], at: w.at}
			t.grow(w.v, rest)
		case t.way != nil || reads[0] != t.at:
			return
		}
		v := now[t.at]
		reads = reads[1:]
		if to := t.branch(v); to != nil {
			t = to
			continue
		}
		to := &known{}
		t.grow(v, to)
		t = to
	}
	t.chain = make([]word, len(reads))
	for i, at := range reads {
		t.chain[i] = word{at: at, v: now[at]}
	}
	t.way = x
}
