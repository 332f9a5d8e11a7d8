package language

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Goals say what somebody who has to decide wants. Which goals a decision is about
// is found on the stack of the run: the commands at work, from the innermost out. A
// goal that names verbs is worked out when one of these is done; one that names none
// when the innermost command is done that is neither named by another goal nor only
// holds a block of others, as a scene does.

// Goal is a goal of somebody who is asked.
type Goal struct {
	Name, Doc string
	Scene     bool       // it asks for nobody: whoever decides does not want it for themselves
	Report    *code.Func // reports its value
}

// Moment is the end of a command at work: goals are worked out there.
type Moment struct {
	Verb  string
	Frame int    // of the machine: that of the command
	Goals []Goal // that are declared for it
}

// Moments gives the moments that the goals of who are worked out at, in a run that
// stands at a question, the first to come first.
func Moments(w *decl.World, m *machine.Machine, who ir.V) []Moment {
	var out []Moment
	for _, at := range commands(w, m) {
		if !at.inner && !named(w, at.verb) {
			continue
		}
		x := Moment{Verb: at.verb.Name, Frame: at.frame}
		for _, g := range w.Goals {
			if len(g.After) == 0 && at.inner || names(g, at.verb) {
				x.Goals = append(x.Goals, Goal{g.Name, g.Doc, ofScene(g), code.Reporting(g.Slot, []ir.V{who, at.actor}[:g.Params])})
			}
		}
		out = append(out, x)
	}
	return out
}

// Concerns gives whom a decision is about, for whoever has no part in it: somebody who
// decides for a command of a sheet of another kind, as a game master says how hard it is,
// wants nothing for themselves. It is whoever gives the innermost command; who, where that
// is somebody like them.
func Concerns(w *decl.World, m *machine.Machine, who ir.V) ir.V {
	for _, at := range commands(w, m) {
		if !at.inner {
			continue
		}
		if who.Kind() == value.Ref && at.actor != value.None && root(m.TypeOf(who.Off())) != root(m.TypeOf(at.actor.Off())) {
			return at.actor
		}
		break
	}
	return who
}

// root is the kind of sheet that a kind is one of.
func root(t *code.Type) *code.Type {
	for t.Base != nil {
		t = t.Base
	}
	return t
}

// Around gives the end of the innermost command at work with a block, for questions that
// come up before the command is at work that a goal is worked out behind: what that
// command leaves behind stands there. Goals is empty where there is none.
func Around(w *decl.World, m *machine.Machine, who ir.V) Moment {
	for _, at := range commands(w, m) {
		if !at.verb.Block {
			continue
		}
		x := Moment{Verb: at.verb.Name, Frame: at.frame}
		for _, g := range w.Goals {
			if len(g.After) > 0 && !ofScene(g) {
				x.Goals = append(x.Goals, Goal{g.Name, g.Doc, false, code.Reporting(g.Slot, []ir.V{who, at.actor}[:g.Params])})
			}
		}
		return x
	}
	return Moment{}
}

// TurnMoments gives the moments that the goals of who are worked out at when it is
// their turn and they are to give a command: its end, which is that of a function yet to
// be called, and then those of commands at work that a goal names.
func TurnMoments(w *decl.World, m *machine.Machine, who ir.V) []Moment {
	near := Moment{Frame: m.Depth()}
	for _, g := range w.Goals {
		if len(g.After) == 0 || compile.LetsAct(w, g) {
			near.Goals = append(near.Goals, Goal{g.Name, g.Doc, ofScene(g), code.Reporting(g.Slot, []ir.V{who, who}[:g.Params])})
		}
	}
	out := []Moment{near}
	for _, x := range Moments(w, m, who) {
		x.Goals = slices.DeleteFunc(x.Goals, func(g Goal) bool {
			return slices.ContainsFunc(near.Goals, func(n Goal) bool { return n.Name == g.Name })
		})
		if len(x.Goals) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// GoalNames lists the goals that are declared.
func GoalNames(w *decl.World) []string { return compile.GoalNames(w) }

// SceneGoal is a goal that is about a scene as a whole.
type SceneGoal struct {
	Name, Doc string
	Script    bool     // a script declares it: it is what the script is about
	After     []string // the verbs that it is about
	Text      string   // its value, as it is written
}

// ofScene says whether a goal is about a scene as a whole: it asks for nobody and says
// behind which verbs it is worked out.
func ofScene(g decl.Goal) bool { return g.Params == 0 && len(g.After) > 0 }

// SceneGoals lists the goals of whole scenes, those of the script first. Of a script, one that names no
// verb is about what comes of all of it.
func SceneGoals(w *decl.World) []SceneGoal {
	var out []SceneGoal
	goals := slices.Clone(w.Goals)
	slices.SortStableFunc(goals, func(a, b decl.Goal) int {
		switch {
		case a.Script == b.Script:
			return 0
		case a.Script:
			return -1
		}
		return 1
	})
	for _, g := range goals {
		if !ofScene(g) && !(g.Script && g.Params == 0) {
			continue
		}
		x := SceneGoal{Name: g.Name, Doc: g.Doc, Script: g.Script, Text: g.Value.Src.Text[g.Value.Start:g.Value.End]}
		for _, v := range g.After {
			x.After = append(x.After, v.Name)
		}
		out = append(out, x)
	}
	return out
}

// TextOf gives what a goal of somebody is in a script, as they would write it: the first
// that is worked out behind one of its verbs, or else the first that is about one command,
// that of actor. "" where there is none.
func TextOf(w *decl.World, who, actor string, verb func(name string) bool) string {
	for _, g := range w.Goals {
		if g.Params == 1 && slices.ContainsFunc(g.After, func(n lang.Ident) bool { return verb(n.Name) }) {
			return text(g, decl.QuoteName(who))
		}
	}
	for _, g := range w.Goals {
		if g.Params == 2 && len(g.After) == 0 && actor != "" {
			return text(g, decl.QuoteName(who), actor)
		}
	}
	return ""
}

// text is the value of a goal with these in place of its parameters.
func text(g decl.Goal, args ...string) string {
	out := strings.Builder{}
	at := g.Value.Start
	lang.Walk(g.Tree, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		if !ok {
			return true
		}
		for i, name := range g.Asks {
			if name == w.Name {
				out.WriteString(g.Value.Src.Text[at:w.Start] + args[i])
				at = w.End
			}
		}
		return true
	})
	return out.String() + g.Value.Src.Text[at:g.Value.End]
}

// atWork is a command at work in a run.
type atWork struct {
	verb  *decl.Verb
	frame int
	actor ir.V
	inner bool // the one that brought the decision up
}

// AtWork gives the verb of the innermost command at work and who does it, "" for none.
func AtWork(w *decl.World, m *machine.Machine) (verb, who string) {
	for _, f := range slices.Backward(m.Frames) {
		for _, v := range w.Verbs {
			if m.Prog.Slots[v.Slot] != f.Fn {
				continue
			}
			if actor := m.Stack[f.Base]; v.Who && actor.Kind() == value.Ref {
				who = m.Show(actor)
			}
			return v.Name, who
		}
	}
	return "", ""
}

// commands gives the commands at work, the innermost first.
func commands(w *decl.World, m *machine.Machine) []atWork {
	bySlot := map[int]*decl.Verb{}
	for _, v := range w.Verbs {
		bySlot[v.Slot] = v
	}
	var out []atWork
	inner := false
	for _, c := range m.Working() {
		v := bySlot[c.Slot]
		if v == nil {
			continue
		}
		x := atWork{verb: v, frame: c.Frame, actor: c.First}
		if !longLived(w, x.actor) {
			x.actor = value.None
		}
		if !inner && !v.Block && !named(w, v) {
			x.inner, inner = true, true
		}
		out = append(out, x)
	}
	return out
}

func longLived(w *decl.World, v ir.V) bool { return v.Kind() == value.Ref && w.ByOff[v.Off()] != nil }

// named says whether a goal is worked out behind a verb.
func named(w *decl.World, v *decl.Verb) bool {
	return slices.ContainsFunc(w.Goals, func(g decl.Goal) bool { return names(g, v) })
}

func names(g decl.Goal, v *decl.Verb) bool {
	return slices.ContainsFunc(g.After, func(n lang.Ident) bool { return n.Name == v.Name })
}
