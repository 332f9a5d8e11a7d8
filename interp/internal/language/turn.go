package language

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file holds what a turn needs of the compiler: the code of a command that
// somebody types when it is their turn, and what tactics would do, as a command that
// could be typed.

// Acts says whether a text has a command in it: one that only shows or sets values is
// not what a turn is for.
func Acts(w *decl.World, file *lang.File) bool {
	acts := false
	for _, s := range file.Stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if cmd, ok := n.(*lang.Command); ok {
				head, ok := cmd.Head.(*lang.Word)
				acts = acts || ok && w.Verbs[head.Name] != nil
			}
			return !acts
		})
	}
	return acts
}

// Declares says whether a text declares instances, or their tactics, and does nothing else.
func Declares(w *decl.World, file *lang.File) bool {
	for _, s := range file.Stmts {
		switch s := lang.Bare(s).(type) {
		case *lang.Tactics:
		case *lang.Command:
			head, ok := s.Head.(*lang.Word)
			if !ok || s.Who != nil || w.Verbs[head.Name] != nil || w.Sheets[head.Name] == nil && head.Name != decl.TakesStock {
				return false
			}
		default:
			return false
		}
	}
	return len(file.Stmts) > 0
}

// OfTable says whether a text has only commands in it that nobody acts in, which come to one moment, or sets fields of
// somebody: what a game master does by hand.
func OfTable(w *decl.World, file *lang.File) bool {
	for _, s := range file.Stmts {
		if set, ok := lang.Bare(s).(*lang.Assign); ok {
			if _, field := set.Target.(*lang.Dot); field {
				continue
			}
		}
		cmd, ok := lang.Bare(s).(*lang.Command)
		if !ok || cmd.Who != nil || cmd.Block != nil {
			return false
		}
		head, ok := cmd.Head.(*lang.Word)
		if !ok || w.Verbs[head.Name] == nil || !w.Verbs[head.Name].Decl.NoActor {
			return false
		}
	}
	return len(file.Stmts) > 0
}

// BetweenTurns says whether a text has a command in it that waits, where it is given at a question, until
// somebody has their turn.
func BetweenTurns(w *decl.World, file *lang.File) bool {
	return slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool {
		cmd, ok := lang.Bare(s).(*lang.Command)
		if !ok {
			return false
		}
		head, ok := cmd.Head.(*lang.Word)
		return ok && w.Verbs[head.Name] != nil && w.Verbs[head.Name].Decl.BetweenTurns
	})
}

// Told says who may know of a command, by its verb.
func Told(w *decl.World, text string) code.Told {
	if !w.Tells {
		return ""
	}
	file, _ := lang.Parse(lang.NewSource("", text))
	for _, s := range file.Stmts {
		if cmd, ok := lang.Bare(s).(*lang.Command); ok {
			if head, ok := cmd.Head.(*lang.Word); ok && w.Verbs[head.Name] != nil && w.Verbs[head.Name].Decl.As != nil {
				return code.Told(w.Verbs[head.Name].Decl.As.Name)
			}
		}
	}
	return ""
}

// HasVerb says whether there is a verb of that name.
func HasVerb(w *decl.World, name string) bool { return w.Verbs[name] != nil }

// Written gives the name of an instance as it is written in a command.
func Written(w *decl.World, off int) (string, bool) {
	e := w.ByOff[off]
	switch {
	case e == nil:
		return "", false
	case e.Owner == nil:
		return decl.QuoteName(e.Name), true
	case decl.IsName(e.Name) && strings.ToUpper(e.Name) == e.Name:
		return e.Name, true
	}
	return `"` + e.Name + `"`, true
}

// Covers gives the rule of one parameter that lists whom a word such as heroes stands
// for, or the instances that a name stands for.
func Covers(w *decl.World, who string) (list *code.Func, offs []int, ok bool) {
	name := decl.Display(strings.Trim(who, `"`))
	if e := w.Entities[name]; e != nil {
		return nil, []int{e.Off}, true
	}
	if g := w.Groups[name]; g != nil {
		for _, e := range g {
			offs = append(offs, e.Off)
		}
		return nil, offs, true
	}
	if r := (&resolve.Fn{W: w}).Noun(who); r != nil {
		return w.Prog.Slots[r.Slot], nil, true
	}
	return nil, nil, false
}

// WhoWords lists what Covers knows.
func WhoWords(w *decl.World) []string {
	var out []string
	for _, x := range w.Names() {
		out = append(out, x.Text)
	}
	for _, n := range decl.RuleNames(w) {
		if (&resolve.Fn{W: w}).Noun(n) != nil {
			out = append(out, n)
		}
	}
	return out
}
