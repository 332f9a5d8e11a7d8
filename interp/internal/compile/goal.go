package compile

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Goals say what somebody who has to decide wants. Which goals a decision is about
// is found on the stack of the run: the commands at work, from the innermost out. A
// goal that names verbs is worked out when one of these is done; one that names none
// when the innermost command is done that is neither named by another goal nor only
// holds a block of others, as a scene does.

func goalNames(w *World) []string {
	var names []string
	for _, g := range w.goals {
		names = append(names, g.name)
	}
	return names
}

func (c *collector) declareGoal(s *lang.Goal) {
	if len(s.Params) > 2 {
		c.err(errAt(s.Params[2].Span, "a goal has at most two parameters: who decides, and whose command it is"))
		return
	}
	c.afters = append(c.afters, s.After...)
	g := goal{name: s.Name.Name, doc: plain(s.Doc), module: c.module, script: c.isScript, params: len(s.Params), after: s.After, value: s.Value.Range(), tree: s.Value, at: s.Span}
	for _, p := range s.Params {
		g.asks = append(g.asks, p.Name)
	}
	cite := int32(c.cite)
	g.slot = c.w.addFunc("goal "+g.name, g.params, &fnSource{module: c.module, region: true, body: func(f *fn) *node {
		f.cite = cite
		for _, p := range s.Params {
			f.declare(p.Name)
		}
		return f.mk(nReturn, s.Value.Range(), f.expr(s.Value))
	}})
	if at := slices.IndexFunc(c.w.goals, func(o goal) bool { return o.name == g.name }); at >= 0 {
		if old := c.w.goals[at]; old.module == c.module && !c.isScript {
			c.err(errTwice("the goal "+g.name, s.Name.Span, lang.Span{}))
			return
		}
		c.w.goals[at] = g
	} else {
		c.w.goals = append(c.w.goals, g)
	}
	c.resolveCondition(g.slot, "a goal")
}

// goalVerbs finds goals and fields that name a verb that does not exist.
func (c *collector) goalVerbs() {
	for _, v := range c.afters {
		if c.w.verbs[v.Name] == nil {
			c.err(errUnknown("verb", v, verbNames(c.w)))
		}
	}
	c.afters = nil
}

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
func (w *World) Moments(m *machine.Machine, who V) []Moment {
	var out []Moment
	for _, at := range w.commands(m) {
		if !at.inner && !w.named(at.verb) {
			continue
		}
		x := Moment{Verb: at.verb.name, Frame: at.frame}
		for _, g := range w.goals {
			if len(g.after) == 0 && at.inner || g.names(at.verb) {
				x.Goals = append(x.Goals, Goal{g.name, g.doc, g.ofScene(), code.Reporting(g.slot, []V{who, at.actor}[:g.params])})
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
func (w *World) Concerns(m *machine.Machine, who V) V {
	for _, at := range w.commands(m) {
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
func (w *World) Around(m *machine.Machine, who V) Moment {
	for _, at := range w.commands(m) {
		if !at.verb.block {
			continue
		}
		x := Moment{Verb: at.verb.name, Frame: at.frame}
		for _, g := range w.goals {
			if len(g.after) > 0 && !g.ofScene() {
				x.Goals = append(x.Goals, Goal{g.name, g.doc, false, code.Reporting(g.slot, []V{who, at.actor}[:g.params])})
			}
		}
		return x
	}
	return Moment{}
}

// TurnMoments gives the moments that the goals of who are worked out at when it is
// their turn and they are to give a command: its end, which is that of a function yet to
// be called, and then those of commands at work that a goal names.
func (w *World) TurnMoments(m *machine.Machine, who V) []Moment {
	near := Moment{Frame: m.Depth()}
	for _, g := range w.goals {
		if len(g.after) == 0 || w.letsAct(g) {
			near.Goals = append(near.Goals, Goal{g.name, g.doc, g.ofScene(), code.Reporting(g.slot, []V{who, who}[:g.params])})
		}
	}
	out := []Moment{near}
	for _, x := range w.Moments(m, who) {
		x.Goals = slices.DeleteFunc(x.Goals, func(g Goal) bool {
			return slices.ContainsFunc(near.Goals, func(n Goal) bool { return n.Name == g.Name })
		})
		if len(x.Goals) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// letsAct says whether a goal names a verb that is done in a turn.
func (w *World) letsAct(g goal) bool {
	return slices.ContainsFunc(g.after, func(n lang.Ident) bool {
		v := w.verbs[n.Name]
		return v != nil && v.who && !v.block
	})
}

// GoalNames lists the goals that are declared.
func (w *World) GoalNames() []string { return goalNames(w) }

// SceneGoal is a goal that is about a scene as a whole.
type SceneGoal struct {
	Name, Doc string
	Script    bool     // a script declares it: it is what the script is about
	After     []string // the verbs that it is about
	Text      string   // its value, as it is written
}

// ofScene says whether a goal is about a scene as a whole: it asks for nobody and says
// behind which verbs it is worked out.
func (g goal) ofScene() bool { return g.params == 0 && len(g.after) > 0 }

// SceneGoals lists the goals of whole scenes, those of the script first.
func (w *World) SceneGoals() []SceneGoal {
	var out []SceneGoal
	goals := slices.Clone(w.goals)
	slices.SortStableFunc(goals, func(a, b goal) int {
		switch {
		case a.script == b.script:
			return 0
		case a.script:
			return -1
		}
		return 1
	})
	for _, g := range goals {
		if !g.ofScene() {
			continue
		}
		x := SceneGoal{Name: g.name, Doc: g.doc, Script: g.script, Text: g.value.Src.Text[g.value.Start:g.value.End]}
		for _, v := range g.after {
			x.After = append(x.After, v.Name)
		}
		out = append(out, x)
	}
	return out
}

// TextOf gives what a goal of somebody is in a script, as they would write it: the first
// that is worked out behind one of its verbs, or else the first that is about one command,
// that of actor. "" where there is none.
func (w *World) TextOf(who, actor string, verb func(name string) bool) string {
	for _, g := range w.goals {
		if g.params == 1 && slices.ContainsFunc(g.after, func(n lang.Ident) bool { return verb(n.Name) }) {
			return g.text(quoteName(who))
		}
	}
	for _, g := range w.goals {
		if g.params == 2 && len(g.after) == 0 && actor != "" {
			return g.text(quoteName(who), actor)
		}
	}
	return ""
}

// text is the value of a goal with these in place of its parameters.
func (g goal) text(args ...string) string {
	out := strings.Builder{}
	at := g.value.Start
	lang.Walk(g.tree, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		if !ok {
			return true
		}
		for i, name := range g.asks {
			if name == w.Name {
				out.WriteString(g.value.Src.Text[at:w.Start] + args[i])
				at = w.End
			}
		}
		return true
	})
	return out.String() + g.value.Src.Text[at:g.value.End]
}

// atWork is a command at work in a run.
type atWork struct {
	verb  *verb
	frame int
	actor V
	inner bool // the one that brought the decision up
}

// AtWork gives the verb of the innermost command at work and who does it, "" for none.
func (w *World) AtWork(m *machine.Machine) (verb, who string) {
	for _, f := range slices.Backward(m.Frames) {
		for _, v := range w.verbs {
			if m.Prog.Slots[v.slot] != f.Fn {
				continue
			}
			if actor := m.Stack[f.Base]; v.who && actor.Kind() == value.Ref {
				who = m.Show(actor)
			}
			return v.name, who
		}
	}
	return "", ""
}

// commands gives the commands at work, the innermost first.
func (w *World) commands(m *machine.Machine) []atWork {
	bySlot := map[int]*verb{}
	for _, v := range w.verbs {
		bySlot[v.slot] = v
	}
	var out []atWork
	inner := false
	for _, c := range m.Working() {
		v := bySlot[c.Slot]
		if v == nil {
			continue
		}
		x := atWork{verb: v, frame: c.Frame, actor: c.First}
		if !w.longLived(x.actor) {
			x.actor = value.None
		}
		if !inner && !v.block && !w.named(v) {
			x.inner, inner = true, true
		}
		out = append(out, x)
	}
	return out
}

func (w *World) longLived(v V) bool { return v.Kind() == value.Ref && w.byOff[v.Off()] != nil }

// named says whether a goal is worked out behind a verb.
func (w *World) named(v *verb) bool {
	return slices.ContainsFunc(w.goals, func(g goal) bool { return g.names(v) })
}

func (g goal) names(v *verb) bool {
	return slices.ContainsFunc(g.after, func(n lang.Ident) bool { return n.Name == v.name })
}
