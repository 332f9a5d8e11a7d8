package evening

import (
	"slices"
	"strings"

	"setpiece/lang"
)

// At the prompt one wants to roll dice and to go on with what came of it. So dice
// alone are thrown (2d6 + 1), and _ is the value that was shown last. A script
// knows neither: what is typed is written out for it when it is kept.

// Spelled writes an entry as a script would say it: dice alone are thrown and
// added up, and "last" alone, which is "last." in a script, is _.
func Spelled(entry string) string {
	file, ds := lang.Parse(lang.NewSource("", entry))
	if len(ds) > 0 {
		return entry
	}
	var cuts []cut
	if x := onlyExpr(file); x != nil && isDiceOnly(x) {
		lang.Walk(x, func(n lang.Node) bool {
			if d, ok := n.(*lang.Dice); ok {
				if d.Faces == nil || d.Text[len(d.Text)-1] == 'F' {
					cuts = append(cuts, cut{d.Span, "(throw " + d.Text + ").sum"})
				}
			}
			return true
		})
	}
	for _, w := range lastWords(file) {
		if w.Name == "last" {
			cuts = append(cuts, cut{w.Span, "_   "}) // what stands behind it keeps its column
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return int(b.at.Start - a.at.Start) })
	for _, c := range cuts {
		entry = entry[:c.at.Start] + c.text + entry[c.at.End:]
	}
	return strings.TrimRight(entry, " ")
}

type cut struct {
	at   lang.Span
	text string
}

// onlyExpr gives the expression that is all of a text, nil if there is more or less.
func onlyExpr(file *lang.File) lang.Expr {
	if len(file.Stmts) != 1 {
		return nil
	}
	switch s := file.Stmts[0].(type) {
	case *lang.ExprStmt:
		return s.X
	case *lang.Command:
		if s.Who == nil && len(s.Args) == 0 && s.Block == nil {
			return s.Head
		}
	}
	return nil
}

// isDiceOnly says that an expression is made of dice and numbers, with dice in it.
func isDiceOnly(x lang.Expr) bool {
	dice, only := false, true
	lang.Walk(x, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Dice:
			dice = true
		case *lang.Num, *lang.Paren:
		case *lang.Unary:
			only = only && n.Op != "not"
		case *lang.Binary:
			only = only && strings.Contains("+-*", n.Op)
		default:
			only = false
		}
		return true
	})
	return dice && only
}

// lastWords finds the words that mean the value shown last: _, and last with no
// dot behind it.
func lastWords(file *lang.File) []*lang.Word {
	var out []*lang.Word
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Dot:
			if w, ok := n.X.(*lang.Word); ok && w.Name == "last" {
				return false
			}
		case *lang.Word:
			if n.Name == "_" || n.Name == "last" {
				out = append(out, n)
			}
		}
		return true
	})
	return out
}

// UsesLast says whether an entry asks for the value shown last.
func UsesLast(text string) bool {
	file, _ := lang.Parse(lang.NewSource("", text))
	return len(lastWords(file)) > 0
}

// looked remembers an entry that only showed a value. It is no step, unless a
// later one goes on with the value: then the state depends on it.
func (v *Evening) looked(s step) {
	if !UsesLast(s.Text) {
		v.looks = nil
	}
	v.looks = append(v.looks, s)
}

// keepLooks makes steps of the entries whose value an entry goes on with.
func (v *Evening) keepLooks(entry string) {
	if len(v.looks) == 0 || !UsesLast(entry) || v.justLooks(entry) {
		return
	}
	for _, s := range v.looks {
		v.note(Entry{Input: s.Text})
		v.push(s)
		v.note(Entry{Done: v.done(s.fell)})
	}
	v.looks = nil
}

// justLooks says that an entry is an expression.
func (v *Evening) justLooks(entry string) bool {
	file, ds := lang.Parse(lang.NewSource("", entry))
	return len(ds) == 0 && onlyExpr(file) != nil
}

// asVariable writes an entry that is an expression as a script that keeps its value
// for the next, false if it is none.
func asVariable(entry string) (string, bool) {
	file, ds := lang.Parse(lang.NewSource("", entry))
	if len(ds) > 0 {
		return "", false
	}
	x := onlyExpr(file)
	if x == nil {
		return "", false
	}
	return "let _ = " + strings.TrimSpace(entry[x.Range().Start:x.Range().End]), true
}
