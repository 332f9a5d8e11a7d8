package goals

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// Info describes a goal of a whole scene: one that rules declare, that asks for nobody
// and says after which verbs, as  goal heroes "the heroes win" after fight = …, or one that
// the script declares, as  goal home "they get home" = home
type Info struct {
	Name, Doc string
	After     []string // the verbs that it is about; none: what comes of the whole script
}

// SceneGoals lists the goals of whole scenes, and names the one that a script is about: the
// first that it declares itself, else the first of the rules for which it has a command,
// else "success", and "" where no outcome has that name.
// The session is not changed.
func SceneGoals(ctx context.Context, s *interp.Session, src *lang.Source) (list []Info, usual string, err error) {
	list, usual, _, err = Scenes(ctx, core.Of(s), src)
	return list, usual, err
}

// Of gives the goal of a script that has a name, or without one the goal that the script
// is about. Where nothing says what that is, the error tells how the script can say it. A
// name may be an expression.
func Of(ctx context.Context, s *interp.Session, src *lang.Source, name string) (Info, error) {
	list, usual, outcomes, err := Scenes(ctx, core.Of(s), src)
	if err != nil {
		return Info{}, err
	}
	name = cmp.Or(name, usual)
	if name == "" {
		return Info{}, lang.Diagnostics{NoGoal(src, outcomes)}
	}
	for _, g := range list {
		if g.Name == name {
			return g, nil
		}
	}
	return Info{Name: name}, nil
}

// NoGoal tells that nobody knows what a script is about.
func NoGoal(src *lang.Source, outcomes []string) *lang.Diagnostic {
	d := &lang.Diagnostic{Code: "SP0907", Message: "this script has no goal: nothing in it ends with  success"}
	outcome, verb := "NAME", ""
	if len(outcomes) > 0 {
		outcome = outcomes[0]
		d.Message = "this script has no goal: its outcomes are " + strings.Join(outcomes, ", ") + ", and none is  success"
	}
	file, _ := lang.Parse(src)
	last := lastCommand(file)
	if last == nil {
		d.Span = lang.Span{Src: src, End: int32(len(src.Text))}
		d.Help = "say --goal and what you want, such as --goal 'x >= 3'"
		return d
	}
	d.Span = last.Head.Range()
	verb = d.Src.Text[d.Start:d.End]
	d.Help = "add a line  goal won \"what this is, in words\" after " + verb + " = last.outcome == " + outcome + "  or say --goal 'last.outcome == " + outcome + "'"
	return d
}

// lastCommand gives the last command with a verb, those of tests left out; nil for none.
func lastCommand(file *lang.File) (last *lang.Command) {
	eachCommand(file, func(c *lang.Command, verb string) {
		if c.Block == nil {
			last = c
		}
	})
	return last
}

// eachCommand calls f for each command with a verb, those of tests left out.
func eachCommand(file *lang.File, f func(c *lang.Command, verb string)) {
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Command:
				if w, ok := n.Head.(*lang.Word); ok {
					f(n, w.Name)
				}
			}
			return true
		})
	}
}

// Scenes is SceneGoals, with the words that outcomes are.
func Scenes(ctx context.Context, s *core.Run, src *lang.Source) (list []Info, usual string, outcomes []string, err error) {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, "", nil, s.Host.Uncompiled(src, err)
	}
	if core.Failed(diags) {
		return nil, "", nil, diags
	}
	w, _, _, err := s.Compile(ctx, src, false)
	if err != nil {
		return nil, "", nil, err
	}
	outcomes = resolve.Outcomes(w)
	heads := HeadsOf(file)
	for _, g := range language.SceneGoals(w) {
		list = append(list, Info{g.Name, g.Doc, g.After})
		if g.Script && usual == "" {
			usual = g.Name
		}
		for _, verb := range g.After {
			if heads[verb] && usual == "" {
				usual = g.Name
			}
		}
	}
	if usual == "" && slices.Contains(outcomes, "success") {
		usual = "success"
	}
	return list, usual, outcomes, nil
}

// HeadsOf gives the verbs of a script's commands, those of its tests left out.
func HeadsOf(file *lang.File) map[string]bool {
	heads := map[string]bool{}
	eachCommand(file, func(_ *lang.Command, verb string) { heads[verb] = true })
	return heads
}

// AimOf gives a goal as an expression: of a word what rules declare under that name, else the variable or
// the part of the last outcome, else that the outcome is that word. It is an error if it is nothing of these.
func AimOf(ctx context.Context, s *core.Run, src *lang.Source, goal string) (string, error) {
	x, diags := lang.ParseExpr(lang.NewSource(FromGoal, goal))
	if core.Failed(diags) {
		return "", diags
	}
	name, ok := x.(*lang.Word)
	if !ok {
		return goal, nil
	}
	w, _, _, err := s.Compile(ctx, src, false)
	if err != nil {
		return "", err
	}
	for _, g := range language.SceneGoals(w) {
		if g.Name == name.Name {
			return "(" + g.Text + ")", nil
		}
	}
	_, variable := w.Cells[name.Name]
	_, part := w.LastKeys[name.Name]
	outcomes := resolve.Outcomes(w)
	outcome := slices.Contains(outcomes, name.Name)
	switch {
	case variable, part && !outcome:
		return goal, nil
	case !outcome && len(outcomes) > 0:
		d := decl.ErrUnknown("goal", lang.Ident(*name), slices.Concat(compile.GoalNames(w), outcomes))
		d.Help = cmp.Or(d.Help, "a word alone is a goal of the rules, a variable, a part of  last  or an outcome: "+strings.Join(outcomes, ", "))
		return "", lang.Diagnostics{d}
	}
	return "last.outcome == " + name.Name, nil
}

// AimFor gives what somebody wants of a script, as an expression that rules declare: of
// its fight that their side wins, of a roll that it goes their way. "" where rules declare
// nothing of the kind.
func AimFor(ctx context.Context, s *core.Run, src *lang.Source, who string) string {
	file, diags := lang.Parse(src)
	if core.Failed(diags) {
		return ""
	}
	actor := ""
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			c, ok := n.(*lang.Command)
			if ok && c.Who != nil {
				at := c.Who.Range()
				actor = at.Src.Text[at.Start:at.End]
			}
			return true
		})
	}
	heads := HeadsOf(file)
	w := s.World
	if c, _, _, err := s.Compile(ctx, src, false); err == nil {
		w = c
	}
	if text := language.TextOf(w, who, actor, func(verb string) bool { return heads[verb] }); text != "" {
		return "(" + text + ")"
	}
	return ""
}

// Undecided gives the variable that a goal of a script hangs on and that no statement of the
// script sets again once it has begun, "" where something may decide the goal. What comes of such a
// goal says nothing: what decides it is not written yet, or stands in a later part of a note.
func Undecided(src *lang.Source, goal string) string {
	file, _ := lang.Parse(src)
	begun, set := map[string]bool{}, map[string]bool{}
	var value lang.Expr
	for _, s := range file.Stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Goal:
				if n.Name.Name == goal {
					value = n.Value
				}
			case *lang.Let:
				set[n.Name.Name] = set[n.Name.Name] || begun[n.Name.Name]
				begun[n.Name.Name] = true
			case *lang.Assign:
				if w, ok := n.Target.(*lang.Word); ok {
					set[w.Name] = true
				}
			}
			return true
		})
	}
	if value == nil {
		return ""
	}
	name, fixed := "", true
	lang.Walk(value, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Word:
			if begun[n.Name] {
				name = n.Name
			}
			fixed = fixed && !set[n.Name]
		case *lang.Dot, *lang.Call, *lang.Index, *lang.Throw:
			fixed = false
		}
		return true
	})
	if !fixed {
		return ""
	}
	return name
}
