package resolve

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// tableOf gives the table whose function is in a slot, if a table is.
func (in *Inference) tableOf(slot int) *decl.Rule {
	if in.tables == nil {
		in.tables = map[int]*decl.Rule{}
		for _, r := range in.Of.Rules {
			if r.Table != nil {
				in.tables[r.Slot] = r
			}
		}
	}
	return in.tables[slot]
}

// rowKeys gives what the rows of a table have for parameter i; ok is false where some row
// takes anything, or where what it takes is not known before play.
func (in *Inference) rowKeys(r *decl.Rule, i int) (keys []ir.V, ok bool) {
	f := NewFn(in.scratch(), r.Module)
	for _, row := range r.Table.Rows {
		if row.Patterns == nil {
			return nil, false
		}
		for _, p := range row.Patterns {
			if l, isList := p.(*lang.List); isList && len(r.Params) > 1 {
				if i >= len(l.Elems) || decl.IsWord(l.Elems[i], "any") {
					return nil, false
				}
				p = l.Elems[i]
			} else if i > 0 {
				return nil, false
			}
			n := f.tableWord(p)
			if n.Op != ir.NConst || n.Info != nil || len(f.Diags) > 0 {
				return nil, false
			}
			keys = append(keys, n.V)
		}
	}
	return keys, len(keys) > 0
}

// row reports a value that no row of a table has.
func (in *Inference) row(f *Fn, n *ir.Node) *lang.Diagnostic {
	r := in.tableOf(n.A)
	if r == nil {
		return nil
	}
	for i, x := range n.Kids {
		if i >= len(r.Params) || x.At.Src == nil {
			continue
		}
		keys, ok := in.rowKeys(r, i)
		if !ok {
			continue
		}
		if d := in.noRow(f, r, x, keys); d != nil {
			return d
		}
	}
	return nil
}

func (in *Inference) noRow(f *Fn, r *decl.Rule, x *ir.Node, keys []ir.V) *lang.Diagnostic {
	var names []string
	taken := ir.Kinds(0)
	for _, k := range keys {
		if x.Op == ir.NConst && (k == x.V || in.within(x.V, k)) {
			return nil
		}
		names = append(names, in.Of.Heap.Show(k, nil))
		if taken |= ir.KindOfValue(k); k.Kind() == value.Range {
			taken |= ir.IsNumber
		}
	}
	k := in.kinds(f, x)
	var d *lang.Diagnostic
	switch what := "the table " + r.Name + " has no row for "; {
	case k&^ir.IsNone == 0:
		return nil // none is what a table gives for none
	case k&taken == 0:
		d = decl.ErrAt(x.At, "SP0431", "%s%s: that is %s, and its rows are for %s", what, decl.Brief(x), k, taken)
	case x.Op == ir.NConst && x.Info == nil:
		d = decl.ErrAt(x.At, "SP0432", "%s%s", what, decl.Brief(x))
	default:
		return nil
	}
	if decl.Suggest(d, in.Of.Heap.Show(x.V, nil), names); d.Help == "" || x.Op != ir.NConst {
		d.Help = "it has  " + wordList(names)
	}
	return d
}

// within says whether a range holds a value.
func (in *Inference) within(v, r ir.V) bool {
	if r.Kind() != value.Range {
		return false
	}
	yes, ok := in.Of.Heap.In(v, r)
	return ok && yes
}

// wordList is a list of words for a line of help.
func wordList(names []string) string {
	names = slices.Compact(names)
	if len(names) > 12 {
		names = append(slices.Clip(names[:12]), "…")
	}
	return strings.Join(names, ", ")
}

// spelling is what is left of a name without case, spaces, hyphens and underscores.
func spelling(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// entry reports a name as a key that is written otherwise where the map is filled: in a
// map { … }, in an assignment, or as a word of a command.
func (in *Inference) entry(f *Fn, m, key *ir.Node) *lang.Diagnostic {
	if m == nil || key == nil || key.Op != ir.NConst || key.V.Kind() != value.Text || key.At.Src == nil || in.kinds(f, m)&ir.IsMap == 0 {
		return nil
	}
	name := in.Of.Heap.TextOf(key.V)
	if _, ok := in.Of.KeyNames[name]; ok {
		return nil
	}
	near := ""
	for _, k := range decl.KeysOf(in.Of.KeyNames) {
		if spelling(k) == spelling(name) {
			near = k
			break
		}
	}
	if near == "" {
		return nil
	}
	d := decl.ErrAt(key.At, "SP0433", "no map has the key %s: another spelling is another key", decl.Brief(key))
	d.Help = `did you mean "` + near + `"?`
	return d
}

// Keyed notes a name under which a script puts something into a map.
func (f *Fn) Keyed(k *ir.Node) *ir.Node {
	if f.Module != nil && f.Module.Script && k.Op == ir.NConst && k.V.Kind() == value.Text {
		if name := f.W.Heap.TextOf(k.V); f.W.KeyNames[name].Src == nil {
			f.W.KeyNames[name] = k.At
		}
	}
	return k
}

// EntryCalled is the word of an entry of a sheet that a trait in capitals has the name of,
// where the entry could take its rating: star for STAR 4. "" if there is none.
func EntryCalled(w *decl.World, p *decl.Entity) string {
	s, word := p.Owner.Sheet, strings.ToLower(p.Name)
	if s.AsField(word) != nil {
		return word
	}
	f, rating := s.ByName[word], p.Sheet.ByName["rating"]
	if f == nil || f.As != "" || rating == nil || s.Typ.Fields[f.Index].Hidden {
		return ""
	}
	if v := w.DeclaredValue(p, rating); v == value.None || w.Misfit(s, f, v) != "" {
		return ""
	}
	return word
}

// WordLists lists the texts in small letters of all rules that are a list of texts.
func WordLists(w *decl.World) []string {
	seen := map[string]bool{}
	for _, r := range w.Rules {
		list, ok := r.Value.(*lang.List)
		if !ok || r.Module == nil || r.Module.Script {
			continue
		}
		for _, e := range list.Elems {
			if t, ok := e.(*lang.Text); ok && decl.Plain(t) == strings.ToLower(decl.Plain(t)) {
				seen[decl.Plain(t)] = true
			}
		}
	}
	return decl.KeysOf(seen)
}

// Namesake gives the name that is nearly name, "" if it is there itself or none is near.
// Short names are near to many; they are compared with the traits that all have only, and
// have to have the same letters.
func Namesake(name string, parts, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	for _, k := range known {
		if spelling(k) == spelling(name) {
			return k
		}
	}
	if len(name) >= 6 {
		parts = known
	}
	near, _ := lang.Nearest(name, parts)
	if len(name) < 6 && !slices.Equal(slices.Sorted(maps.Keys(lettersOf(name))), slices.Sorted(maps.Keys(lettersOf(near)))) {
		near = "" // HOUND is no SOUND, but FIHGT is FIGHT
	}
	if near != "" || len(name) < 4 {
		return near
	}
	for _, k := range parts { // FITGH is FIGHT, and OCCULT OCCULTISM
		if len(k) == len(name) && k[0] == name[0] && lang.SameLetters(k, name) || len(name) > 4 && strings.HasPrefix(k, name) {
			return k
		}
	}
	return ""
}

func lettersOf(s string) map[rune]bool {
	set := map[rune]bool{}
	for _, r := range s {
		set[r] = true
	}
	return set
}

// TraitNames lists the names of traits that the modules speak of: first of the parts of
// what they declare, then those and the names in capitals in their tables and lists.
func TraitNames(w *decl.World) (parts, known []string) {
	if w.System != nil {
		return w.System.TraitNames()
	}
	seen := map[string]bool{}
	for _, e := range w.Order {
		if e.Owner != nil && !e.Owner.Script && !e.Owner.Adhoc && !e.Adhoc {
			seen[e.Name] = true
		}
	}
	parts = capitals(seen)
	add := func(e lang.Expr) {
		if e == nil {
			return
		}
		lang.Walk(e, func(n lang.Node) bool {
			if t, ok := n.(*lang.Text); ok {
				seen[decl.Plain(t)] = true
			}
			return true
		})
	}
	for _, r := range w.Rules {
		switch {
		case r.Module == nil || r.Module.Script:
		case r.Table != nil:
			for _, row := range r.Table.Rows {
				for _, p := range row.Patterns {
					add(p)
				}
				add(row.Value)
			}
		default:
			add(r.Value)
		}
	}
	return parts, capitals(seen)
}

// capitals lists what names a trait among some texts.
func capitals(texts map[string]bool) []string {
	return slices.DeleteFunc(decl.KeysOf(texts), func(s string) bool {
		return len(s) < 3 || s[0] == '_' || strings.ContainsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsUpper(r) })
	})
}
