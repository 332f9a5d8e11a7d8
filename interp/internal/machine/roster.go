package machine

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// roster is what rules ask of all long-lived instances: who is of a kind, who hears a hook, what
// a span ends. That hangs on their types alone, so it is found once for a program and not in each
// blow.
type roster struct {
	prog     *code.Program
	live     int // how many there were
	heap     *value.Heap
	kinds    map[string][]V
	lists    []kindList
	handlers map[int][]V // by hook
	computed map[int][]V // by span: who has a rule that resets fields
	cleared  map[spanEdge][]cleared
}

// kindList is the list of all of a kind, by the word for that.
type kindList struct{ kind, all V }

// spanEdge is the beginning or the end of a span.
type spanEdge struct {
	span int
	end  bool
}

// cleared is a field that goes back to its default.
type cleared struct {
	off, at int
	field   *code.Field
}

// roster gives that of the program as it is.
func (m *Machine) roster() *roster {
	if r := m.listed; r == nil || r.prog != m.Prog || r.live != len(m.Prog.Live) || r.heap != m.Heap {
		m.listed = &roster{prog: m.Prog, live: len(m.Prog.Live), heap: m.Heap, kinds: map[string][]V{}, handlers: map[int][]V{}, computed: map[int][]V{}, cleared: map[spanEdge][]cleared{}}
	}
	return m.listed
}

// instances is the list of those of a kind, made once for as long as the heap has it.
func instances(m *Machine, a []V) (V, error) {
	r := m.roster()
	for _, l := range r.lists {
		if l.kind == a[0] {
			return l.all, nil
		}
	}
	all := m.Heap.OfList(m.ofKind(m.wordOf(a[0])))
	m.Heap.Refer(func() { r.lists = nil })
	r.lists = append(r.lists, kindList{a[0], all})
	return all, nil
}

// ofKind lists the instances whose sheet is of a kind, or of one that is made from it.
func (m *Machine) ofKind(kind string) []V {
	return listed(m, m.roster().kinds, kind, func(t *code.Type) bool {
		for ; t != nil; t = t.Base {
			if t.Name == kind {
				return true
			}
		}
		return false
	})
}

// handling lists the features that handle a hook, whoever has them.
func (m *Machine) handling(hook int) []V {
	return listed(m, m.roster().handlers, hook, func(t *code.Type) bool { _, ok := t.Handlers[hook]; return ok })
}

// computing lists the instances that have a rule for a span which resets computed fields.
func (m *Machine) computing(span int) []V {
	return listed(m, m.roster().computed, span, func(t *code.Type) bool { return span < len(t.Resets) && t.Resets[span] >= 0 })
}

// listed gives the instances of the types that are meant, as they were found for a key before.
func listed[K comparable](m *Machine, known map[K][]V, key K, meant func(t *code.Type) bool) []V {
	list, ok := known[key]
	if ok {
		return list
	}
	for _, off := range m.Prog.Live {
		if meant(m.TypeOf(off)) {
			list = append(list, value.OfRef(off))
		}
	}
	known[key] = list
	return list
}

// clearing lists the fields whose span ends with a span, and whose default is a constant; at an
// end also those that may last until then.
func (m *Machine) clearing(at spanEdge) []cleared {
	r := m.roster()
	list, ok := r.cleared[at]
	if ok {
		return list
	}
	for _, off := range m.Prog.Live {
		fields := m.TypeOf(off).Fields
		for i := range fields {
			if f := &fields[i]; f.Per >= at.span && f.Const || f.Until && at.end {
				list = append(list, cleared{off, off + code.Header + i, f})
			}
		}
	}
	r.cleared[at] = list
	return list
}
