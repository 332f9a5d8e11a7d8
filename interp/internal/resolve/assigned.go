package resolve

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file finds values that can never go where a script puts them: into a field, into a
// map of dice, into an answer of tactics. The machine would refuse them when it comes to
// the line; here they are mistakes before anything runs.

// setsField checks a constant that a script puts into a field of somebody.
func (f *Fn) setsField(obj *ir.Node, name lang.Ident, v *ir.Node) {
	f.misfits(obj, name, v, func(sh *decl.Sheet, fd *decl.Field) string {
		if why := f.W.Misfit(sh, fd, v.V); why != "" || !fd.OfWords() {
			return why
		}
		return noWord(f.W, v.V)
	})
}

// noWord says which element of a list for words or texts is none, "" where all are.
func noWord(w *decl.World, list ir.V) string {
	all := []ir.V{list} // a single value goes into a list as one of it
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
func (f *Fn) setsEntry(obj *ir.Node, name lang.Ident, v *ir.Node) {
	f.misfits(obj, name, v, func(sh *decl.Sheet, fd *decl.Field) string {
		if mf := f.W.TypeField(sh, fd); mf.Check != code.IsMap || mf.Dice == nil || v.V == value.None || slices.Contains(mf.Dice, v.V) {
			return ""
		}
		return misfitDie(f.W, sh, fd, v.V)
	})
}

// misfits reports a constant if no sheet that obj could have takes it in that field.
func (f *Fn) misfits(obj *ir.Node, name lang.Ident, v *ir.Node, why func(*decl.Sheet, *decl.Field) string) {
	if !f.Script || f.Refusable > 0 || v.Op != ir.NConst {
		return
	}
	sheets := f.W.FieldOf[name.Name]
	who := ""
	if e := f.EntityOf(obj); e != nil {
		sheets, who = []*decl.Sheet{e.Sheet}, " of "+e.Name
	}
	said := ""
	for _, sh := range sheets {
		fd := sh.ByName[name.Name]
		if fd == nil {
			return
		}
		if said = why(sh, fd); said == "" {
			return
		}
	}
	if said != "" {
		f.Err(decl.ErrAt(v.At, "SP0401", "%s%s: %s", name.Name, who, said))
	}
}

// misfitDie says why a value is no die of a field that takes some dice only.
func misfitDie(w *decl.World, sh *decl.Sheet, fd *decl.Field, v ir.V) string {
	mf := w.TypeField(sh, fd)
	mf.Check = code.IsDie
	m := machine.Machine{Prog: w.Prog, Heap: w.Heap, Store: *w.Store, MaxSize: 1 << 20}
	return m.Misfit(&mf, v)
}

// KnowAnswer reports an answer of tactics that the decision cannot take: anything but yes
// and no for an offer, a word that a choice among words does not have.
func (f *Fn) KnowAnswer(decision lang.Ident, answer *ir.Node) {
	if answer.Op != ir.NConst || answer.V == value.None || answer.V == value.Yes || answer.V == value.No {
		return
	}
	words, offers, other := answersOf(f.W, decision.Name)
	switch {
	case other:
	case offers && len(words) == 0:
		f.Err(decl.ErrAt(answer.At, "SP0402", "%s is answered with yes or no, not %s", decision.Name, f.W.Heap.Show(answer.V, nil)))
	case !offers && len(words) > 0 && answer.V.Kind() == value.Symbol && !slices.Contains(words, f.W.Heap.TextOf(answer.V)):
		said := f.W.Heap.TextOf(answer.V)
		d := decl.ErrAt(answer.At, "SP0312", "%s must be %s, not %s", decision.Name, lang.OneOf(words), said)
		decl.Suggest(d, said, words)
		f.Err(d)
	}
}

// answersOf gives the words from which a decision is chosen, and whether it is offered, for
// yes or no. other says that it is chosen from something else somewhere.
func answersOf(w *decl.World, decision string) (words []string, offers, other bool) {
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
	for _, d := range w.Declared {
		for _, s := range d.Stmts {
			for _, n := range decl.Notable(s) {
				visit(n)
			}
		}
	}
	return words, offers, other
}
