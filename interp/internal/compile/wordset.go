package compile

import (
	"maps"
	"slices"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// wordSets enters the words that are values, which sheets and verbs may name before they are
// declared. It gives the statements with  one of (…)  for the names of words in the patterns of
// verbs and clauses.
func (c *collector) wordSets(stmts []lang.Stmt) []lang.Stmt {
	for _, s := range stmts {
		if set, ok := lang.Bare(s).(*lang.Words); ok && c.fitsWords(set) {
			c.W.WordSets[set.Name.Name] = set
			c.changed = true
			for i, v := range set.Values {
				c.W.Symbols[decl.WordOf(v)] = true
				c.sayWord(set, i)
			}
		}
	}
	if len(c.W.WordSets) == 0 {
		return stmts
	}
	out := slices.Clone(stmts)
	for i, s := range out {
		out[i] = c.worded(s)
	}
	return out
}

// fitsWords reports what is wrong with a set of words.
func (c *collector) fitsWords(set *lang.Words) bool {
	name, before := set.Name.Name, len(c.Diags)
	if slices.Contains(decl.FieldKinds, name) || slices.Contains(decl.SlotKinds, name) {
		c.Err(decl.ErrAt(set.Name.Span, "SP0739", "%s is a type already; words need another name", name))
	}
	if len(set.Values) == 0 {
		d := decl.ErrAt(set.Name.Span, "SP0740", "no words are declared here")
		d.Help = "write them in braces:  words " + name + " { one; another }"
		c.Err(d)
	}
	given := map[string]lang.Span{}
	for _, v := range set.Values {
		w := decl.WordOf(v)
		if w == "" || slices.Contains([]string{"yes", "no", "none", "self"}, w) {
			c.Err(decl.ErrAt(v.Range(), "SP0741", "expected a word in lower_case here"))
			continue
		}
		if at, twice := given[w]; twice {
			c.Err(decl.ErrTwice("the word "+w, v.Range(), at))
		}
		given[w] = v.Range()
	}
	switch old := c.W.WordSets[name]; {
	case old == nil || old == set || len(c.Diags) > before:
	case old.Src == set.Src && !c.IsScript:
		c.slip(decl.ErrTwice("words "+name, set.Name.Span, old.Name.Span))
	case !slices.Equal(wordsIn(old), wordsIn(set)):
		d := decl.ErrAt(set.Name.Span, "SP0742", "the words %s are %s already; what they mean can be said again, but none added or left out", name, strings.Join(wordsIn(old), ", "))
		d.Help = "declare words of another name, and declare again what uses them"
		c.Err(d)
	}
	return len(c.Diags) == before
}

// sayWord enters how people read a word. Two sets may share a word, if they say the same of it.
func (c *collector) sayWord(set *lang.Words, i int) {
	if set.Docs[i] == nil {
		return
	}
	word, text := c.W.Heap.OfSymbol(decl.WordOf(set.Values[i])), c.W.Heap.OfText(decl.Plain(set.Docs[i]))
	if old, said := c.W.Prog.Said[word]; said && old != text {
		for _, other := range decl.KeysOf(c.W.WordSets) {
			o := c.W.WordSets[other]
			if at := slices.Index(wordsIn(o), decl.WordOf(set.Values[i])); o != set && at >= 0 && o.Docs[at] != nil {
				c.slip(decl.ErrTwice("what the word "+decl.WordOf(set.Values[i])+" means", set.Docs[i].Span, o.Docs[at].Span))
				return
			}
		}
	}
	c.W.Prog.Said = maps.Clone(c.W.Prog.Said)
	if c.W.Prog.Said == nil {
		c.W.Prog.Said = map[value.V]value.V{}
	}
	c.W.Prog.Said[word] = text
}

func wordsIn(set *lang.Words) []string {
	var out []string
	for _, v := range set.Values {
		out = append(out, decl.WordOf(v))
	}
	return out
}

// typeNames lists the types that a field or operand may have: sheets, words and those of the language.
func (c *collector) typeNames(kinds []string) []string {
	return slices.Concat(decl.SheetNames(c.W), decl.KeysOf(c.W.WordSets), kinds)
}

// wordType gives  one of (…)  for a type that is the name of words, and every other as it is.
func (c *collector) wordType(t lang.TypeRef) lang.TypeRef {
	set := c.W.WordSets[t.Name.Name]
	if set == nil {
		return t
	}
	t.Name.Name = "one"
	for _, v := range set.Values {
		t.OneOf = append(t.OneOf, lang.Ident{Span: v.Range(), Name: decl.WordOf(v)})
	}
	return t
}

// worded gives a statement with wordType of each operand; the same where there is none of them,
// since sessions share trees.
func (c *collector) worded(s lang.Stmt) lang.Stmt {
	switch s := s.(type) {
	case *lang.Annotated:
		if s.Stmt == nil {
			return s
		}
		if in := c.worded(s.Stmt); in != s.Stmt {
			n := *s
			n.Stmt = in
			return &n
		}
	case *lang.Verb:
		pattern, a := changed(s.Pattern, c.wordedPat)
		clauses, b := changed(s.Clauses, c.wordedClause)
		if a || b {
			n := *s
			n.Pattern, n.Clauses = pattern, clauses
			return &n
		}
	case *lang.ClauseSet:
		if clauses, ok := changed(s.Clauses, c.wordedClause); ok {
			n := *s
			n.Clauses = clauses
			return &n
		}
	}
	return s
}

func (c *collector) wordedPat(p lang.Pat) lang.Pat {
	switch p := p.(type) {
	case *lang.PatSlot:
		if c.W.WordSets[p.Type.Name.Name] != nil {
			n := *p
			n.Type = c.wordType(p.Type)
			return &n
		}
	case *lang.PatOpt:
		if pattern, ok := changed(p.Pattern, c.wordedPat); ok {
			n := *p
			n.Pattern = pattern
			return &n
		}
	}
	return p
}

func (c *collector) wordedClause(it lang.ClauseItem) lang.ClauseItem {
	cl, ok := it.(*lang.Clause)
	if !ok {
		return it
	}
	pattern, a := changed(cl.Pattern, c.wordedPat)
	nested, b := changed(cl.Nested, c.wordedClause)
	if !a && !b {
		return it
	}
	n := *cl
	n.Pattern, n.Nested = pattern, nested
	return &n
}

// changed gives a list with what f makes of each element, and whether any is another.
func changed[T comparable](list []T, f func(T) T) ([]T, bool) {
	out := slices.Clone(list)
	for i, x := range list {
		out[i] = f(x)
	}
	return out, !slices.Equal(out, list)
}
