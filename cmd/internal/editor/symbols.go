package editor

import (
	"slices"
	"strings"

	"setpiece/cmd/internal/notes"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// Symbol is something that a document declares or plays.
type Symbol struct {
	Name, Kind string
	Place            // all of it
	At         Place // its name
	Inner      []Symbol
}

// Symbols lists what a document declares and plays, in order.
func (w *Workspace) Symbols(name string) []Symbol {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	var out []Symbol
	for _, s := range d.scripts {
		tree, _ := lang.Parse(s.src)
		out = append(out, s.symbols(name, tree.Stmts)...)
	}
	slices.SortStableFunc(out, func(a, b Symbol) int { return a.Start - b.Start })
	return out
}

// Find lists the symbols of the documents beside one, and of all that are open, whose names
// hold a text.
func (w *Workspace) Find(beside, text string) []Symbol {
	const most = 200
	var out []Symbol
	for _, file := range w.files(beside) {
		for _, s := range w.Symbols(file) {
			if strings.Contains(strings.ToLower(s.Name), strings.ToLower(text)) && len(out) < most {
				out = append(out, s)
			}
		}
	}
	return out
}

func (s *script) symbols(file string, stmts []lang.Stmt) []Symbol {
	var out []Symbol
	for _, st := range stmts {
		kind, name, inner := described(st)
		if name.Src == nil {
			continue
		}
		whole, at := st.Range(), name
		x := Symbol{
			Name: strings.Trim(s.src.Text[at.Start:at.End], `"`), Kind: kind,
			Place: Place{file, int(whole.Start) + s.shift, int(whole.End) + s.shift},
			At:    Place{file, int(at.Start) + s.shift, int(at.End) + s.shift},
		}
		if inner != nil {
			x.Inner = s.symbols(file, inner.Stmts)
		}
		out = append(out, x)
	}
	return out
}

// described gives the kind of a statement that a reader of an outline wants to see, and its name;
// no place for others. inner may hold more of them.
func described(st lang.Stmt) (kind string, name lang.Span, inner *lang.Block) {
	switch st := st.(type) {
	case *lang.Annotated:
		if st.Stmt != nil {
			return described(st.Stmt)
		}
		return "rule of the book", st.IDSpan, nil
	case *lang.System:
		return "system", st.Name.Span, nil
	case *lang.Option:
		return "option", st.Name.Span, nil
	case *lang.Words:
		return "words", st.Name.Span, nil
	case *lang.Table:
		return "table", st.Name.Span, nil
	case *lang.Sheet:
		return "sheet", st.Name.Span, nil
	case *lang.Rule:
		return "rule", st.Name.Span, nil
	case *lang.Verb:
		return "verb", st.Name.Span, nil
	case *lang.ClauseSet:
		return "clauses", st.Name.Span, nil
	case *lang.Feature:
		return "special rule", st.Name.Span, nil
	case *lang.Hook:
		return "moment", st.Name.Span, nil
	case *lang.Decision:
		return "decision", st.Name.Span, nil
	case *lang.Goal:
		return "goal", st.Name.Span, nil
	case *lang.Check:
		return "check", st.Name.Span, nil
	case *lang.Let:
		return "variable", st.Name.Span, nil
	case *lang.Test:
		return "test", st.Name.Range(), nil
	case *lang.Tactics:
		if len(st.Who) > 0 {
			return "tactics", st.Who[0].Range(), nil
		}
	case *lang.Command:
		if head, ok := st.Head.(*lang.Word); ok && st.Who == nil && st.Block != nil && len(st.Args) > 0 {
			switch x := st.Args[0].Expr.(type) {
			case *lang.Name, *lang.Text:
				return head.Name, x.Range(), st.Block
			}
		}
	}
	return "", lang.Span{}, nil
}

// Folds gives the stretches of a document that can be folded: blocks, fences, and comments of
// several lines.
func (w *Workspace) Folds(name string) []Place {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	var out []Place
	add := func(start, end int) {
		if strings.Contains(d.Text[start:end], "\n") {
			out = append(out, Place{name, start, end})
		}
	}
	for _, s := range d.scripts {
		var open []int
		for _, t := range s.words() {
			switch {
			case t.Kind != lang.SignToken:
			case t.Text == "{":
				open = append(open, int(t.Start)+s.shift)
			case t.Text == "}" && len(open) > 0:
				add(open[len(open)-1], int(t.Start)+s.shift)
				open = open[:len(open)-1]
			}
		}
		for i := 0; i < len(s.comments); {
			j := i + 1
			for j < len(s.comments) && strings.TrimSpace(s.src.Text[s.comments[j-1].End:s.comments[j].Start]) == "" && d.note == nil {
				j++
			}
			add(int(s.comments[i].Start)+s.shift, int(s.comments[j-1].End)+s.shift)
			i = j
		}
		for _, f := range s.fences {
			add(f.Open.Start, f.Close.Start)
		}
	}
	slices.SortFunc(out, func(a, b Place) int { return a.Start - b.Start })
	return out
}

// Format gives the changes that format a document; none where it has mistakes or is formatted.
func (w *Workspace) Format(name string) []Change {
	d := w.Open(name)
	if d == nil || strings.HasPrefix(name, Shipped) {
		return nil
	}
	text := ""
	if d.note != nil {
		n, ds := notes.Parse(d.Name, d.Text)
		if ds.Errors() {
			return nil
		}
		if text, ds = n.Format(); ds.Errors() {
			return nil
		}
	} else {
		tree, ds := lang.Parse(lang.NewSource(d.Name, d.Text))
		if ds.Errors() {
			return nil
		}
		text = lang.Print(tree)
	}
	return lineChanges(name, d.Text, text)
}

// lineChanges gives what changes one text into another, in whole lines: what is the same at the
// beginning and at the end stays.
func lineChanges(name, old, text string) []Change {
	if old == text {
		return nil
	}
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(text, "\n")
	start, from := 0, 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		from += len(a[start])
		start++
	}
	end, to := 0, len(old)
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		to -= len(a[len(a)-1-end])
		end++
	}
	return []Change{{Place{name, from, to}, strings.Join(b[start:len(b)-end], "")}}
}

// Shade is a word of a document with what it is, for its colour.
type Shade struct {
	Place
	Kind string
}

// ShadeKinds are the kinds of Shades, by the names that editors have for them.
var ShadeKinds = []string{"keyword", "function", "class", "property", "variable", "string", "number", "comment", "enumMember"}

// Shades gives what the words of a document are, in order.
func (w *Workspace) Shades(name string) []Shade {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	var out []Shade
	for _, s := range d.scripts {
		for _, t := range s.words() {
			if kind := s.shade(t); kind != "" {
				out = append(out, Shade{Place{name, int(t.Start) + s.shift, int(t.End) + s.shift}, kind})
			}
		}
		for _, c := range s.comments {
			out = append(out, Shade{Place{name, int(c.Start) + s.shift, int(c.End) + s.shift}, "comment"})
		}
	}
	slices.SortFunc(out, func(a, b Shade) int { return a.Start - b.Start })
	return slices.CompactFunc(out, func(a, b Shade) bool { return a.Start == b.Start })
}

func (s *script) shade(t lang.Token) string {
	switch t.Kind {
	case lang.TextToken:
		return "string"
	case lang.NumberToken, lang.DiceToken:
		return "number"
	case lang.NameToken:
		return "variable"
	case lang.TraitToken:
		return "property"
	case lang.WordToken:
		switch assist.WordKind(s.session(), t.Text) {
		case "verb", "rule":
			return "function"
		case "sheet":
			return "class"
		case "variable":
			return "variable"
		case "value":
			return "enumMember"
		}
		if lang.IsKeyword(t.Text) {
			return "keyword"
		}
	case lang.SignToken, lang.LineToken, lang.BadToken:
	}
	return ""
}
