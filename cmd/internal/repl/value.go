package repl

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// At the prompt one wants to roll dice and to go on with what came of it. So dice
// alone are thrown (2d6 + 1), and _ is the value that was shown last. A script
// knows neither: what is typed is written out for it when it is kept.

// spelled writes an entry as a script would say it: dice alone are thrown and
// added up, and "last" alone, which is "last." in a script, is _.
func spelled(entry string) string {
	file, ds := lang.Parse(lang.NewSource("", entry))
	if len(ds) > 0 {
		return entry
	}
	var cuts []cut
	if x := onlyExpr(file); x != nil && isDiceOnly(x) {
		lang.Walk(x, func(n lang.Node) bool {
			if d, ok := n.(*lang.Dice); ok {
				cuts = append(cuts, cut{d.Span, "(throw " + d.Text + ").sum"})
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

// usesLast says whether an entry asks for the value shown last.
func usesLast(text string) bool {
	file, _ := lang.Parse(lang.NewSource("", text))
	return len(lastWords(file)) > 0
}

// looked remembers an entry that only showed a value. It is no step, unless a
// later one goes on with the value: then the state depends on it.
func (l *Loop) looked(s step) {
	if !usesLast(s.text) {
		l.looks = nil
	}
	l.looks = append(l.looks, s)
}

// keepLooks makes steps of the entries whose value an entry goes on with.
func (l *Loop) keepLooks(entry string) {
	if len(l.looks) == 0 || !usesLast(entry) || l.justLooks(entry) {
		return
	}
	for _, s := range l.looks {
		l.noteInput("", s.text)
		l.push(s)
		l.noteDone(s.fell)
	}
	l.looks = nil
}

// justLooks says that an entry is an expression.
func (l *Loop) justLooks(entry string) bool {
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

var fallenDie = regexp.MustCompile(`^d\d+:(\d+)$`)

// shownDice tells dice that fell: their faces and, of several, the sum. What are no dice
// stay as they are.
func shownDice(value string) (faces, sum string) {
	list, isList := strings.CutPrefix(value, "[")
	list = strings.TrimSuffix(list, "]")
	var fell []string
	total := 0
	for _, d := range strings.Split(list, ", ") {
		m := fallenDie.FindStringSubmatch(d)
		if m == nil {
			return value, ""
		}
		n, _ := strconv.Atoi(m[1])
		total += n
		fell = append(fell, m[1])
	}
	if !isList {
		return fell[0], ""
	}
	return strings.Join(fell, ", "), fmt.Sprintf("sum %d", total)
}

// showValue is an event of a value as the prompt shows it.
func (l *Loop) showValue(e *interp.Event) *interp.Event {
	if l.cfg.View.JSON {
		return e
	}
	shown := *e
	shown.Value, shown.Text = shownDice(e.Value)
	if faces := l.sess.Record().Besides().Faces(); l.rolling && len(faces) > 0 {
		words := make([]string, len(faces))
		for i, f := range faces {
			words[i] = strconv.Itoa(f)
		}
		if text := strings.Join(words, ", "); text != e.Value {
			shown.Text = text
		}
	}
	return &shown
}
