package evening

import (
	"cmp"
	"slices"
)

// flatSaid gives the answers of an Input one by one, those of a course that was kept, too.
func flatSaid(said []Entry) []Entry {
	if len(said) > 0 && said[0].Keep != nil {
		return slices.Concat(said[0].Keep.Steps[0].Said, said[1:])
	}
	return slices.Clone(said)
}

// without gives answers without the last n. A course that was kept is one of them; without
// it they are those that it took the place of.
func without(said []Entry, n int) []Entry {
	n = min(n, len(said))
	if n > 0 && n == len(said) && said[0].Keep != nil {
		return slices.Clone(said[0].Keep.Old)
	}
	return said[: len(said)-n : len(said)-n]
}

// keeps gives the course that takes the place of answers, as what is said instead.
func (k Course) keeps(said []Entry) []Entry {
	k.Old = said
	if len(k.Steps) == 0 {
		k.Steps = []Again{{}} // a journal that nobody wrote so
	}
	return []Entry{{Keep: &k}}
}

// turns says whether an entry among answers is none itself: somebody, or dice, were handed over, somebody was
// declared, or it went on behind a pause.
func (e Entry) turns() bool { return e.Hand != nil || e.Dice != nil || e.Late != nil || e.Go }

// Answers counts answers; that somebody was handed over, or something done by hand, is none.
func Answers(said []Entry) int {
	n := 0
	for _, e := range said {
		if !e.turns() && e.At == 0 {
			n++
		}
	}
	return n
}

// inForms is how many things were said with the last n, of which a form is one.
func inForms(said []Entry, n int) (things int) {
	for ; n > 0 && things < len(said); n-- {
		for things++; things < len(said) && said[len(said)-things].With; {
			things++
		}
	}
	return things
}

// formsAhead is how many of what was taken back there are in the first n answers, of which a form is one, and
// what was done by hand none.
func formsAhead(undone []Entry, n int) int {
	for i, e := range undone {
		switch {
		case e.At > 0 || e.Keep != nil || e.Late != nil || !e.turns() && !e.With && n == 0:
			return i
		case !e.turns() && !e.With:
			n--
		}
	}
	return len(undone)
}

// lastTyped parts what was said from the first of the n things on that were typed last, of which a form is one:
// into these, and what stays of it.
func lastTyped(said []Entry, n int) (gone, stay []Entry) {
	typed := slices.Clone(said)
	slices.SortStableFunc(typed, func(a, b Entry) int { return cmp.Compare(a.Typed, b.Typed) })
	from := typed[len(typed)-inForms(typed, n)].Typed
	for _, e := range said {
		switch {
		case e.Typed >= from:
			gone = append(gone, e)
		case len(gone) > 0:
			stay = append(stay, e)
		}
	}
	return gone, stay
}

// latest is what was typed last among what was said, as Entry.Typed.
func latest(said []Entry) (typed int) {
	for _, e := range said {
		typed = max(typed, e.Typed)
	}
	return typed
}

// firstAnswer is the first of what was said that is an answer, or was done by hand; nil for none.
func firstAnswer(said []Entry) *Entry {
	at := slices.IndexFunc(said, func(e Entry) bool { return !e.turns() })
	if at < 0 {
		return nil
	}
	return &said[at]
}

// isSaid says whether an entry is something that a person says during an Input.
func (e Entry) isSaid() bool {
	return e.Faces != nil || e.Option != nil || e.Command != nil || e.turns()
}

// Said gives what was said in the input that entries end with, one answer after the other.
func Said(entries []Entry) (said []Entry) {
	for _, e := range entries {
		switch {
		case e.Input != "":
			said = nil
		case e.isSaid():
			said = append(said, e)
		case e.Keep != nil:
			said = e.Keep.keeps(said)
		case e.Back > 0:
			said = without(said, e.Back)
		}
	}
	return flatSaid(said)
}
