package value

import (
	"math/big"
	"slices"
)

// Compact forgets all values made since m but those that the roots hold, and puts the
// words that these have now into the roots. No other word made since may be used again.
//
// A heap grows at its end and is released from its end, so a value that stays keeps all
// the temporary ones that were made before it. Compacting copies what stays behind m, in
// the order in which it was made: the elements of a list come before the list (a copying
// collector, as in Fenichel and Yochelson, A LISP garbage-collector for virtual-memory
// computer systems, 1969).
func (h *Heap) Compact(m Mark, roots ...[]V) {
	c := compactor{h: h, from: m, kept: map[V]V{}}
	for _, root := range roots {
		for _, v := range root {
			c.keep(v)
		}
	}
	c.copyOut()
	h.Release(m)
	c.copyIn()
	for _, root := range roots {
		for i, v := range root {
			if c.made(v) {
				root[i] = c.kept[v]
			}
		}
	}
}

// compactor is one Compact.
type compactor struct {
	h    *Heap
	from Mark
	kept map[V]V // what stays, by the word that it had

	order []V // the same from the first that was made to the last
	texts []string
	rats  []*big.Rat
	seqs  []seq
}

// made says whether a value was made since the mark.
func (c *compactor) made(v V) bool {
	switch n := int(v.Payload()); v.Kind() {
	case Text, Symbol:
		return n >= c.from.texts
	case Rat:
		return n >= c.from.rats
	case List, Map, Range, Made:
		return n >= c.from.seqs
	}
	return false
}

// keep notes a value, and those inside it, as one that stays.
func (c *compactor) keep(v V) {
	if !c.made(v) {
		return
	}
	if _, ok := c.kept[v]; ok {
		return
	}
	c.kept[v] = None
	switch v.Kind() {
	case List, Map, Range, Made:
		for _, e := range c.h.elems(uint32(v.Payload())) {
			c.keep(e)
		}
	}
	c.order = append(c.order, v)
}

// copyOut takes what stays out of the heap.
func (c *compactor) copyOut() {
	slices.SortFunc(c.order, func(a, b V) int { return int(a.Payload()) - int(b.Payload()) })
	for _, v := range c.order {
		switch n := v.Payload(); v.Kind() {
		case Text, Symbol:
			c.texts = append(c.texts, c.h.texts[n])
		case Rat:
			c.rats = append(c.rats, c.h.rats[n])
		default:
			c.seqs = append(c.seqs, c.h.seqs[n])
		}
	}
}

// copyIn puts it back: texts and numbers first, of which lists are made.
func (c *compactor) copyIn() {
	for _, v := range c.order {
		switch v.Kind() {
		case Text:
			c.kept[v], c.texts = c.h.OfText(c.texts[0]), c.texts[1:]
		case Symbol:
			c.kept[v], c.texts = c.h.OfSymbol(c.texts[0]), c.texts[1:]
		case Rat:
			c.kept[v], c.rats = c.h.OfRat(c.rats[0]), c.rats[1:]
		}
	}
	var elem []V
	for _, v := range c.order {
		switch v.Kind() {
		case List, Map, Range, Made:
			elem = elem[:0]
			for _, e := range c.seqs[0].elem {
				if c.made(e) {
					e = c.kept[e]
				}
				elem = append(elem, e)
			}
			c.kept[v], c.seqs = of(v.Kind(), uint64(c.h.seq(v.Kind(), elem))), c.seqs[1:]
		}
	}
}

// Bytes is how many bytes were used at a mark, roughly.
func (m Mark) Bytes() int64 { return m.used }
