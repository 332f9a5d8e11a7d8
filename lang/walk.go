package lang

import (
	"cmp"
	"slices"
	"sync"
)

// Walk visits n and everything in it, from left to right. When visit returns
// false for a node, what is in that node is left out. Names that are an Ident
// are visited as *Ident, and parts such as the rows of a table as pointers into
// the tree.
func Walk(n Node, visit func(Node) bool) {
	w := walkers.Get().(*walker)
	w.visit = visit
	w.node(n)
	w.visit = nil
	clear(w.parts[:w.most])
	w.most = 0
	walkers.Put(w)
}

// walkers are kept: many walks are short.
var walkers = sync.Pool{New: func() any { return &walker{parts: make([]Node, 0, 32)} }}

// walker visits nodes. What each kind of node has in it is read off tree.go: parts.go.
type walker struct {
	visit func(Node) bool
	parts []Node // of the nodes that are being visited
	most  int    // how many there were at once
}

// node visits n unless it is nil.
func (w *walker) node(n Node) {
	if n == nil || !w.visit(n) {
		return
	}
	from := len(w.parts)
	n.within(w)
	to := len(w.parts)
	w.most = max(w.most, to)
	if !slices.IsSortedFunc(w.parts[from:], leftOf) {
		slices.SortStableFunc(w.parts[from:], leftOf)
	}
	for i := from; i < to; i++ {
		w.node(w.parts[i])
	}
	w.parts = w.parts[:from]
}

func leftOf(a, b Node) int { return cmp.Compare(a.Range().Start, b.Range().Start) }

// pointer is a pointer to a T that is a node.
type pointer[T any] interface {
	*T
	Node
}

// one notes a part that may be nil.
func one[T any, P pointer[T]](w *walker, n P) {
	if n != nil {
		w.parts = append(w.parts, n)
	}
}

// any notes a part of several kinds, which may be nil.
func (w *walker) any(n Node) {
	if n != nil {
		w.parts = append(w.parts, n)
	}
}

// each notes the parts in a list.
func each[T any, P pointer[T]](w *walker, list []T) {
	for i := range list {
		w.parts = append(w.parts, P(&list[i]))
	}
}
