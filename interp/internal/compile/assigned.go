package compile

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file finds values that can never go where a script puts them: into a field, into a
// map of dice, into an answer of tactics. The machine would refuse them when it comes to
// the line; here they are mistakes before anything runs.

// setsField checks a constant that a script puts into a field of somebody.
func (f *fn) setsField(obj *node, name lang.Ident, v *node) {
	f.misfits(obj, name, v, func(sh *sheet, fd *field) string {
		if why := f.w.misfit(sh, fd, v.v); why != "" || !fd.ofWords() {
			return why
		}
		return f.w.noWord(v.v)
	})
}

// noWord says which element of a list for words or texts is none, "" where all are.
func (w *World) noWord(list V) string {
	all := []V{list} // a single value goes into a list as one of it
	if list.Kind() == value.List {
		all = w.Heap.Elems(list)
	}
	for _, v := range all {
		if k := v.Kind(); k != value.Text && k != value.Symbol {
			return w.Heap.Show(v, nil) + " is no word; words stand there, as in  [one, two]"
		}
	}
	return ""
}

// setsEntry checks a constant that a script puts into a map in a field of somebody.
func (f *fn) setsEntry(obj *node, name lang.Ident, v *node) {
	f.misfits(obj, name, v, func(sh *sheet, fd *field) string {
		if mf := f.w.typeField(sh, fd); mf.Check != code.IsMap || mf.Dice == nil || v.v == value.None || slices.Contains(mf.Dice, v.v) {
			return ""
		}
		return f.w.misfitDie(sh, fd, v.v)
	})
}

// misfits reports a constant if no sheet that obj could have takes it in that field.
func (f *fn) misfits(obj *node, name lang.Ident, v *node, why func(*sheet, *field) string) {
	if !f.script || f.refusable > 0 || v.op != nConst {
		return
	}
	sheets := f.w.fieldOf[name.Name]
	who := ""
	if e := f.entityOf(obj); e != nil {
		sheets, who = []*sheet{e.sheet}, " of "+e.name
	}
	said := ""
	for _, sh := range sheets {
		fd := sh.byName[name.Name]
		if fd == nil {
			return
		}
		if said = why(sh, fd); said == "" {
			return
		}
	}
	if said != "" {
		f.err(errAt(v.at, "%s%s: %s", name.Name, who, said))
	}
}

// misfitDie says why a value is no die of a field that takes some dice only.
func (w *World) misfitDie(sh *sheet, fd *field, v V) string {
	mf := w.typeField(sh, fd)
	mf.Check = code.IsDie
	m := machine.Machine{Prog: w.Prog, Heap: w.Heap, Store: *w.store, MaxSize: 1 << 20}
	return m.Misfit(&mf, v)
}

// knowAnswer reports an answer of tactics that the decision cannot take: anything but yes
// and no for an offer, a word that a choice among words does not have.
func (f *fn) knowAnswer(decision lang.Ident, answer *node) {
	if answer.op != nConst || answer.v == value.None || answer.v == value.Yes || answer.v == value.No {
		return
	}
	words, offers, other := f.w.answersOf(decision.Name)
	switch {
	case other:
	case offers && len(words) == 0:
		f.err(errAt(answer.at, "%s is answered with yes or no, not %s", decision.Name, f.w.Heap.Show(answer.v, nil)))
	case !offers && len(words) > 0 && answer.v.Kind() == value.Symbol && !slices.Contains(words, f.w.Heap.TextOf(answer.v)):
		said := f.w.Heap.TextOf(answer.v)
		d := errAt(answer.at, "%s must be %s, not %s", decision.Name, lang.OneOf(words), said)
		suggest(d, said, words)
		f.err(d)
	}
}

// answersOf gives the words from which a decision is chosen, and whether it is offered, for
// yes or no. other says that it is chosen from something else somewhere.
func (w *World) answersOf(decision string) (words []string, offers, other bool) {
	var visit func(n lang.Node) bool
	visit = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Offer:
			offers = offers || n.Name.Name == decision
		case *lang.Choose:
			if n.Name.Name != decision {
				return true
			}
			list, ok := n.From.(*lang.List)
			if !ok {
				other = true
				return true
			}
			for _, e := range list.Elems {
				word, ok := e.(*lang.Word)
				if !ok {
					other = true
					return true
				}
				if !slices.Contains(words, word.Name) {
					words = append(words, word.Name)
				}
			}
		case *lang.Block:
			if slices.Contains(n.Decisions(), decision) {
				read, _ := n.Read()
				lang.Walk(read, visit)
				return false
			}
		}
		return true
	}
	for _, d := range w.declared {
		for _, s := range d.stmts {
			for _, n := range notable(s) {
				visit(n)
			}
		}
	}
	return words, offers, other
}
