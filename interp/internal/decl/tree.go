package decl

import (
	"strings"
	"sync"

	"setpiece/lang"
)

// WordOf gives the clause word an item could be.
func WordOf(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Word:
		return e.Name
	case *lang.Caps:
		return e.Name
	case *lang.Rated:
		if c, ok := e.X.(*lang.Caps); ok {
			return c.Name
		}
	case *lang.Binary:
		if r := Leftmost(e); r != nil {
			return WordOf(r)
		}
	}
	return ""
}

// Leftmost gives the rated word that an operand such as  DN 8 + 2  begins with.
func Leftmost(e lang.Expr) *lang.Rated {
	for {
		switch x := e.(type) {
		case *lang.Binary:
			e = x.X
		case *lang.Rated:
			return x
		default:
			return nil
		}
	}
}

// FirstWord gives the word that a clause begins with, "" if it begins with an operand.
func FirstWord(cl *lang.Clause) string {
	if len(cl.Pattern) == 0 {
		return cl.Name.Name
	}
	if p, ok := cl.Pattern[0].(*lang.PatWord); ok {
		return p.Word
	}
	return ""
}

// Option finds an option by its name or its id.
func (w *World) Option(name string) *Option {
	if o := w.OptionNamed[name]; o != nil {
		return o
	}
	module, name, _ := strings.Cut(name, ".opt.")
	if o := w.OptionNamed[name]; o != nil && o.Module == module {
		return o
	}
	return nil
}

// OptionName gives the short name of an option that was named by its id.
func (w *World) OptionName(name string) string {
	if o := w.Option(name); o != nil {
		return o.Name
	}
	return name
}

// outlines are files of modules that have been parsed. Programs that open many
// sessions use the same few again and again; trees are not changed.
var outlines struct {
	sync.Mutex
	files    map[outlineKey]*lang.File
	notables map[*lang.Source]map[lang.Stmt][]lang.Node
}

type outlineKey struct{ name, text, page string }

// maxOutlines is how many files are kept.
const maxOutlines = 256

// Outline is lang.Outline of a file that may have been parsed before.
func Outline(src *lang.Source) (*lang.File, lang.Diagnostics) {
	key := outlineKey{src.Name, src.Text, src.Page()}
	outlines.Lock()
	defer outlines.Unlock()
	if f := outlines.files[key]; f != nil {
		return f, nil
	}
	f, diags := lang.Outline(src)
	if len(diags) > 0 {
		return f, diags
	}
	if outlines.files == nil || len(outlines.files) >= maxOutlines {
		outlines.files = map[outlineKey]*lang.File{}
		outlines.notables = map[*lang.Source]map[lang.Stmt][]lang.Node{}
	}
	outlines.files[key] = f
	notables := map[lang.Stmt][]lang.Node{}
	for _, s := range f.Stmts {
		notables[lang.Bare(s)] = findNotable(lang.Bare(s))
	}
	outlines.notables[f.Src] = notables
	return f, nil
}

// Notable lists the nodes in a statement, without its annotation, that say which outcomes,
// annotations and decisions its bodies have, and what they ask of the last outcome.
func Notable(s lang.Stmt) []lang.Node {
	s = lang.Bare(s)
	outlines.Lock()
	list, ok := outlines.notables[s.Range().Src][s]
	outlines.Unlock()
	if !ok {
		list = findNotable(s)
	}
	return list
}

func findNotable(s lang.Stmt) []lang.Node {
	var list []lang.Node
	lang.Walk(s, func(n lang.Node) bool {
		switch b := n.(type) {
		case *lang.Outcome, *lang.Annotated, *lang.Offer, *lang.Choose:
			list = append(list, n)
		case *lang.Dot:
			if IsWord(b.X, "last") {
				list = append(list, n)
			}
		case *lang.Dice:
			if b.Faces != nil {
				list = append(list, n)
			}
		case *lang.Block:
			if len(b.Annotations()) > 0 || len(b.Decisions()) > 0 {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// Text gives what stands at a place.
func Text(s lang.Span) string { return s.Src.Text[s.Start:s.End] }

// IsNumeral says whether an operand is a number as it is written, perhaps with a sign.
func IsNumeral(e lang.Expr) bool {
	switch e := e.(type) {
	case *lang.Num:
		return true
	case *lang.Unary:
		return IsNumeral(e.X)
	}
	return false
}

// TakesCaps says whether a kind is that of parts which sheets have in capitals.
func (w *World) TakesCaps(kind string) bool {
	for _, sh := range w.Sheets {
		if f := sh.CapsField(); f != nil && f.Sheet == kind {
			return true
		}
	}
	return false
}

// AsWord gives a name as it stands in a place for words: a rope, Rope and ROPE are ROPE or
// A_ROPE, however they were written. What is lower-case and one word stays as it is.
func AsWord(name string) string {
	if name == strings.ToLower(name) && !strings.Contains(name, " ") {
		return name
	}
	return strings.ToUpper(strings.ReplaceAll(name, " ", "_"))
}
