package compile

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file finds keys that nothing stands under: a call of a table with a value that
// none of its rows has, and a name in another spelling than the entry of a map that it
// is meant for. Both would give none without a word.

// ---- rows of tables --------------------------------------------------------

// tableOf gives the table whose function is in a slot, if a table is.
func (in *inference) tableOf(slot int) *rule {
	if in.tables == nil {
		in.tables = map[int]*rule{}
		for _, r := range in.of.rules {
			if r.table != nil {
				in.tables[r.slot] = r
			}
		}
	}
	return in.tables[slot]
}

// rowKeys gives what the rows of a table have for parameter i; ok is false where some row
// takes anything, or where what it takes is not known before play.
func (in *inference) rowKeys(r *rule, i int) (keys []V, ok bool) {
	f := newFn(in.scratch(), r.module)
	for _, row := range r.table.Rows {
		if row.Patterns == nil {
			return nil, false
		}
		for _, p := range row.Patterns {
			if l, isList := p.(*lang.List); isList && len(r.params) > 1 {
				if i >= len(l.Elems) || isWord(l.Elems[i], "any") {
					return nil, false
				}
				p = l.Elems[i]
			} else if i > 0 {
				return nil, false
			}
			n := f.tableWord(p)
			if n.op != nConst || n.info != nil || len(f.diags) > 0 {
				return nil, false
			}
			keys = append(keys, n.v)
		}
	}
	return keys, len(keys) > 0
}

// row reports a value that no row of a table has.
func (in *inference) row(f *fn, n *node) *lang.Diagnostic {
	r := in.tableOf(n.a)
	if r == nil {
		return nil
	}
	for i, x := range n.kids {
		if i >= len(r.params) || x.at.Src == nil {
			continue
		}
		keys, ok := in.rowKeys(r, i)
		if !ok {
			continue
		}
		if d := in.noRow(f, r, i, x, keys); d != nil {
			return d
		}
	}
	return nil
}

func (in *inference) noRow(f *fn, r *rule, i int, x *node, keys []V) *lang.Diagnostic {
	var names []string
	taken := kinds(0)
	for _, k := range keys {
		if x.op == nConst && (k == x.v || in.within(x.v, k)) {
			return nil
		}
		names = append(names, in.of.Heap.Show(k, nil))
		if taken |= kindOfValue(k); k.Kind() == value.Range {
			taken |= isNumber
		}
	}
	k := in.kinds(f, x)
	var d *lang.Diagnostic
	switch what := "the table " + r.name + " has no row for "; {
	case k&^isNone == 0:
		return nil // none is what a table gives for none
	case k&taken == 0:
		d = errAt(x.at, "%s%s: that is %s, and its rows are for %s", what, brief(x), k, taken)
	case x.op == nConst && x.info == nil:
		d = errAt(x.at, "%s%s", what, brief(x))
	default:
		return nil
	}
	if suggest(d, in.of.Heap.Show(x.v, nil), names); d.Help == "" || x.op != nConst {
		d.Help = "it has  " + wordList(names)
	}
	return d
}

// within says whether a range holds a value.
func (in *inference) within(v, r V) bool {
	if r.Kind() != value.Range {
		return false
	}
	yes, ok := in.of.Heap.In(v, r)
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

// ---- entries of maps -------------------------------------------------------

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
func (in *inference) entry(f *fn, m, key *node) *lang.Diagnostic {
	if m == nil || key == nil || key.op != nConst || key.v.Kind() != value.Text || key.at.Src == nil || in.kinds(f, m)&isMap == 0 {
		return nil
	}
	name := in.of.Heap.TextOf(key.v)
	if _, ok := in.of.keyNames[name]; ok {
		return nil
	}
	near := ""
	for _, k := range keysOf(in.of.keyNames) {
		if spelling(k) == spelling(name) {
			near = k
			break
		}
	}
	if near == "" {
		return nil
	}
	d := errAt(key.at, "no map has the key %s: another spelling is another key", brief(key))
	d.Help = `did you mean "` + near + `"?`
	return d
}

// keyed notes a name under which a script puts something into a map.
func (f *fn) keyed(k *node) *node {
	if f.module != nil && f.module.script && k.op == nConst && k.v.Kind() == value.Text {
		if name := f.w.Heap.TextOf(k.v); f.w.keyNames[name].Src == nil {
			f.w.keyNames[name] = k.at
		}
	}
	return k
}

// ---- traits ----------------------------------------------------------------

// namesakes warns of a trait that a sheet of the script invents and that has, in another
// spelling, a name of the system's own: ICEPICK beside ICE_PICK.
func (c *Script) namesakes() lang.Diagnostics {
	var out lang.Diagnostics
	var parts, known []string
	for _, e := range c.w.order {
		if !e.script || e.owner != nil || e.at.Src == nil {
			continue
		}
		for _, p := range e.parts {
			if p.adhoc || p.name != strings.ToUpper(p.name) {
				continue
			}
			if known == nil {
				parts, known = c.w.traitNames()
			}
			if word := c.w.entryCalled(p); word != "" {
				d := warnAt(p.at, "%s is a new trait; %s has an entry of that name in small letters", p.name, aOrAn(e.sheet.name))
				d.Help = "did you mean " + word + "?"
				out = append(out, d)
				continue
			}
			near := namesake(p.name, parts, known)
			if near == "" || e.part(near) != nil || slices.ContainsFunc(out, func(d *lang.Diagnostic) bool { return d.Span == p.at }) {
				continue
			}
			d := warnAt(p.at, "%s is a new trait; the rules know %s", p.name, near)
			d.Help = "did you mean " + near + "?"
			out = append(out, d)
		}
	}
	return out
}

// entryCalled is the word of an entry of a sheet that a trait in capitals has the name of,
// where the entry could take its rating: star for STAR 4. "" if there is none.
func (w *World) entryCalled(p *entity) string {
	s, word := p.owner.sheet, strings.ToLower(p.name)
	if s.asField(word) != nil {
		return word
	}
	f, rating := s.byName[word], p.sheet.byName["rating"]
	if f == nil || f.as != "" || rating == nil || s.typ.Fields[f.index].Hidden {
		return ""
	}
	if v := w.declaredValue(p, rating); v == value.None || w.misfit(s, f, v) != "" {
		return ""
	}
	return word
}

// misspelt warns of a word in small letters that a script puts into a map and that is nearly
// one of a list of the rules: physicl, where the rules have ["physical", "mental"].
func (c *Script) misspelt() lang.Diagnostics {
	var out lang.Diagnostics
	var known []string
	for _, name := range keysOf(c.w.keyNames) {
		if len(name) < 5 || name != strings.ToLower(name) {
			continue
		}
		if known == nil {
			known = c.w.wordLists()
		}
		if near, ok := lang.Nearest(name, known); ok && !slices.Contains(known, name) {
			d := warnAt(c.w.keyNames[name], "%s is a new name; the rules know %s", name, near)
			d.Help = "did you mean " + near + "?"
			out = append(out, d)
		}
	}
	return out
}

// wordLists lists the texts in small letters of all rules that are a list of texts.
func (w *World) wordLists() []string {
	seen := map[string]bool{}
	for _, r := range w.rules {
		list, ok := r.value.(*lang.List)
		if !ok || r.module == nil || r.module.script {
			continue
		}
		for _, e := range list.Elems {
			if t, ok := e.(*lang.Text); ok && plain(t) == strings.ToLower(plain(t)) {
				seen[plain(t)] = true
			}
		}
	}
	return keysOf(seen)
}

// namesake gives the name that is nearly name, "" if it is there itself or none is near.
// Short names are near to many; they are compared with the traits that all have only, and
// have to have the same letters.
func namesake(name string, parts, known []string) string {
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
		if len(k) == len(name) && k[0] == name[0] && sameLetters(k, name) || len(name) > 4 && strings.HasPrefix(k, name) {
			return k
		}
	}
	return ""
}

// sameLetters says whether two names differ in the order of their letters only.
func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func lettersOf(s string) map[rune]bool {
	set := map[rune]bool{}
	for _, r := range s {
		set[r] = true
	}
	return set
}

// traitNames lists the names of traits that the modules speak of: first of the parts of
// what they declare, then those and the names in capitals in their tables and lists.
func (w *World) traitNames() (parts, known []string) {
	if w.system != nil {
		return w.system.TraitNames()
	}
	seen := map[string]bool{}
	for _, e := range w.order {
		if e.owner != nil && !e.owner.script && !e.owner.adhoc && !e.adhoc {
			seen[e.name] = true
		}
	}
	parts = capitals(seen)
	add := func(e lang.Expr) {
		if e == nil {
			return
		}
		lang.Walk(e, func(n lang.Node) bool {
			if t, ok := n.(*lang.Text); ok {
				seen[plain(t)] = true
			}
			return true
		})
	}
	for _, r := range w.rules {
		switch {
		case r.module == nil || r.module.script:
		case r.table != nil:
			for _, row := range r.table.Rows {
				for _, p := range row.Patterns {
					add(p)
				}
				add(row.Value)
			}
		default:
			add(r.value)
		}
	}
	return parts, capitals(seen)
}

// capitals lists what names a trait among some texts.
func capitals(texts map[string]bool) []string {
	return slices.DeleteFunc(keysOf(texts), func(s string) bool {
		return len(s) < 3 || strings.ContainsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsUpper(r) })
	})
}
