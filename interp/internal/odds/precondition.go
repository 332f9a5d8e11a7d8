package odds

import (
	"math"
	"slices"

	"setpiece/interp/internal/symbolic"
)

// A transition knows the comparisons that led along it, over the words of the state where it
// begins. A macro step is many transitions one behind the other; its condition is to be over the
// words of the state where the macro step begins. So each comparison is rewritten: for a word that
// was written on the way, what it was worked out from is put in its place (the weakest
// precondition of an assignment: Dijkstra, Guarded commands, nondeterminacy and formal derivation of
// programs, 1975). What has become a constant then holds whatever the macro step begins with.
//
//	tokens <- tokens - 1; a die falls; tokens >= 2 ?     asked of the second state
//	                                   tokens >= 3       asked of the first
//
// Where two ways through the macro step meet in one state, it has to be the same state whenever
// the macro step is used again: what they worked out differently is fixed (mergeForms, mergeWritten).

// derivation is how a state is come to within a macro step.
type derivation struct {
	written []int32             // by place
	sum     uint64              // of written
	forms   []symbolic.WordForm // those of the words, by place, that are worked out from words the macro step began with
}

// addCondition notes why a transition is taken from a state, and says whether it is the latest.
func (w *expansion) addCondition(from *stepState, x *Transition) (again bool) {
	if x == w.latest.transition {
		// only the draw is another; its words come first
		for _, i := range x.drawConstraints {
			w.addOf(from, &x.condition.Constraints[i])
		}
		return true
	}
	asked, facts := x.condition.Order, x.condition.Constraints
	if l := w.latest.transition; l != nil {
		// they are noted as far as the transition before has asked the same
		n := 0
		for n < len(asked) && n < len(l.condition.Order) && asked[n] == l.condition.Order[n] && (asked[n] >= 0 || facts[^asked[n]] == l.condition.Constraints[^asked[n]] && !w.g.fromDraw(&facts[^asked[n]].Of)) {
			n++
		}
		asked = asked[n:]
	}
	for _, at := range asked {
		if at >= 0 {
			w.addWord(from, at)
		} else {
			w.addOf(from, &facts[^at])
		}
	}
	w.latest = lastTaken{transition: x, sum: from.sum}
	for _, at := range x.written {
		if !w.g.writtenOnPath.has(at) {
			w.latest.sum += mixed(at)
		}
	}
	return false
}

// written gives the words that have been written behind the latest transition.
func (w *expansion) written(from *stepState) []int32 {
	l := &w.latest
	written, ok := w.sets[l.sum]
	if !ok {
		written = make([]int32, len(from.written), len(from.written)+len(l.transition.written))
		copy(written, from.written)
		for _, at := range l.transition.written {
			if !w.g.writtenOnPath.has(at) {
				written = append(written, at)
			}
		}
		slices.Sort(written)
		w.sets[l.sum] = written
	}
	return written
}

// dependOnWord notes that the macro step depends on what a word held when it began.
func (w *expansion) dependOnWord(at int32) {
	w.g.depends.set(at)
	if w.g.fixed.set(at) {
		w.condition.AddWord(at)
	}
}

// addConstraint notes that the macro step depends on the answer to a question.
func (w *expansion) addConstraint(f *symbolic.Constraint) {
	if f.Is == symbolic.Exactly && f.Of.N == 1 && f.Of.By == 1 {
		w.dependOnWord(f.Of.At[0])
		return
	}
	if f.Of.N == 0 {
		return
	}
	key := f.Key()
	if i, ok := w.constraints[key]; ok && w.condition.Constraints[i] == *f {
		return
	}
	w.constraints[key] = int32(len(w.condition.Constraints))
	w.condition.Add(*f)
	for _, at := range f.Of.At[:f.Of.N] {
		w.g.depends.set(at)
	}
}

// addWord notes that a transition from a state depends on what a word holds there.
func (w *expansion) addWord(from *stepState, at int32) {
	if !w.g.writtenOnPath.has(at) {
		w.dependOnWord(at)
	} else if k, ok := slices.BinarySearchFunc(from.forms, at, byWord); ok {
		w.dependOnNumber(&from.forms[k].Of)
	}
}

// addOf notes what was the case on a transition from a state, as far as it depends on what
// there was when the macro step began.
func (w *expansion) addOf(from *stepState, f *symbolic.Constraint) {
	before, formed := 0, false // how many of its words are those that the macro step began with
	for _, at := range f.Of.At[:f.Of.N] {
		if !w.g.writtenOnPath.has(at) {
			before++
		} else if len(from.forms) > 0 {
			_, ok := slices.BinarySearchFunc(from.forms, at, byWord)
			formed = formed || ok
		}
	}
	switch {
	case before == int(f.Of.N):
		w.addConstraint(f)
	case before == 0 && !formed, f.Is == symbolic.IsWhole:
		// it is so whatever the macro step began with
	default:
		if of, ok := w.atStart(from, &f.Of); ok {
			w.addConstraint(&symbolic.Constraint{Is: f.Is, Of: of, Yes: f.Yes})
		}
	}
}

// dependOnNumber notes that the macro step depends on which number a linear form is.
func (w *expansion) dependOnNumber(of *symbolic.Linear) {
	w.addConstraint(&symbolic.Constraint{Is: symbolic.Exactly, Of: *of})
}

// atStart gives a linear form over the words of a state as one over those that the macro step
// began with. With no there is none, and the macro step is noted to depend on all of it.
func (w *expansion) atStart(from *stepState, of *symbolic.Linear) (symbolic.Linear, bool) {
	g := w.g
	out := symbolic.Constant(of.K)
	ok := true
	for i, at := range of.At[:of.N] {
		part := symbolic.WordOf(at)
		if g.writtenOnPath.has(at) {
			if k, found := slices.BinarySearchFunc(from.forms, at, byWord); found {
				part = from.forms[k].Of
			} else {
				part = symbolic.Constant(g.store[at].Int())
			}
		}
		if ok {
			out, ok = out.Plus(part, int64(of.Factor[i]))
		}
	}
	if ok = ok && out.By == 1; ok {
		if out.N > 0 {
			out.By = of.By
		}
		return out, true
	}
	for _, at := range of.At[:of.N] {
		if !g.writtenOnPath.has(at) {
			w.dependOnWord(at)
		} else if k, found := slices.BinarySearchFunc(from.forms, at, byWord); found {
			w.dependOnNumber(&from.forms[k].Of)
		}
	}
	return out, false
}

// forms gives the linear forms of the words where a transition from a state leads, or of what
// is seen of an end.
func (w *expansion) forms(from *stepState, x *Transition) []symbolic.WordForm {
	var out []symbolic.WordForm
	add := func(at int32, of *symbolic.Linear) {
		if of, ok := w.atStart(from, of); ok && of.N > 0 {
			out = append(out, symbolic.WordForm{At: at, Of: of})
		}
	}
	if x.target == toTerminal {
		for i := range x.seen {
			f := &x.seen[i]
			if add(f.At, &f.Of); len(out) == i {
				out = append(out, symbolic.WordForm{At: f.At, Of: symbolic.Constant(f.Of.Of(w.g.store).Int())})
			}
		}
		return out
	}
	before := from.forms
	keep := func(to int32) {
		for ; len(before) > 0 && before[0].At < to; before = before[1:] {
			if _, written := slices.BinarySearch(x.written, before[0].At); !written && !w.g.dead(&x.point, before[0].At) {
				out = append(out, before[0])
			}
		}
	}
	for i := range x.writes {
		if d := &x.writes[i]; d.form != nil {
			keep(d.at)
			add(d.at, d.form)
		}
	}
	keep(math.MaxInt32)
	return out
}

func byWord(f symbolic.WordForm, at int32) int { return int(f.At - at) }

// mergeForms notes that the macro step depends on two transitions that led to the same state having done
// so: where they worked it out differently, on what they worked out.
func (w *expansion) mergeForms(a, b []symbolic.WordForm) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].At < b[0].At:
			w.dependOnNumber(&a[0].Of)
			a = a[1:]
		case len(a) == 0 || b[0].At < a[0].At:
			w.dependOnNumber(&b[0].Of)
			b = b[1:]
		default:
			if a[0].Of != b[0].Of {
				w.dependOnNumber(&a[0].Of)
				w.dependOnNumber(&b[0].Of)
			}
			a, b = a[1:], b[1:]
		}
	}
}

// mergeWritten notes that the macro step depends on the words that only one of two transitions has
// written: the one that is followed, from a state and with more written, or the
// other.
func (w *expansion) mergeWritten(other []int32, from *stepState, more []int32) {
	g := w.g
	g.writtenHere.clear()
	for _, at := range more {
		g.writtenHere.set(at)
	}
	g.writtenThere.clear()
	for _, at := range other {
		g.writtenThere.set(at)
		if !g.writtenOnPath.has(at) && !g.writtenHere.has(at) {
			w.dependOnWord(at)
		}
	}
	for _, list := range [][]int32{from.written, more} {
		for _, at := range list {
			if !g.writtenThere.has(at) {
				w.dependOnWord(at)
			}
		}
	}
}

// mixed is a number to sum up sets of words by.
func mixed(at int32) uint64 {
	x := (uint64(at) + 1) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}
