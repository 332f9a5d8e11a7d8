// Package never finds what cannot happen in a script: branches, loops, clauses with a condition,
// offers and answers, lines of tactics, and characters who are never out.
//
// Each such place gets a mark, a variable of the script that is set there. Trials show which marks
// are set at all. The odds of the others are worked out exactly, of all together, which costs no
// more than the script does where none of them is set, or, where that is too much, of each alone:
// then the place is never come to, or it is only rare. Where that is too much as well it stays with
// what the trials show: of n trials without any, 3/n is the most that it may have (Hanley and
// Lippman-Hand, If nothing goes wrong, is everything all right?, 1983).
package never

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// Config says how much may be done.
type Config struct {
	Trials int64         // that are made first; 0: DefaultTrials
	States int           // of the exact odds of each place; 0: as many as package odds takes
	Time   time.Duration // of the exact odds of each place; 0: no bound

	// Certain leaves out what is not known to be impossible once the odds were worked out, who is
	// never out where nobody is, and all but tactics where people alone decide something in the script.
	Certain bool
	People  bool // people alone decide something that the script itself does not show
}

// DefaultTrials is how many trials are made where nobody says it.
const DefaultTrials = 20_000

// mark is a place, with how it is noted that a run comes to it.
type mark struct {
	at       lang.Span
	what, is string // "this branch", "taken"
	name     string // of its variable
	edits    []lang.Edit
	holds    []lang.Span // what happens only where this does
	defeat   bool
	tactics  bool // is about tactics, which no person's answer is
}

// chance is what is known of a mark: whether some run sets it, and the most that it may have.
type chance struct {
	some bool
	most float64
}

// Find gives a warning for each place that no run of a script comes to, as far as can be seen. Of
// what happens only where something else does, it is left out if that never does.
func Find(ctx context.Context, cfg interp.Config, src *lang.Source, c Config) (lang.Diagnostics, error) {
	if c.Trials == 0 {
		c.Trials = DefaultTrials
	}
	f := &finder{ctx: ctx, cfg: cfg, src: src, people: c.People, Config: c}
	if err := f.find(); err != nil {
		return nil, err
	}
	all, err := f.chances()
	if err != nil {
		return nil, err
	}
	var out lang.Diagnostics
	for i, m := range f.marks {
		if !all[i].some && !f.told(i, all) {
			out = append(out, f.warning(m, all[i].most))
		}
	}
	out = slices.DeleteFunc(out, func(d *lang.Diagnostic) bool { return c.Certain && d.Code != "SP0140" }).Allowed(src, false)
	core.SortDiagnostics(out, src)
	return out, nil
}

// told says whether a mark need not be told of, because something around it never happens, or, where
// only what is certain is asked for, because nobody can be out, or because people decide.
func (f *finder) told(i int, all []chance) bool {
	m, out := f.marks[i], false
	for j, x := range f.marks {
		out = out || x.defeat && all[j].some
		if j != i && !all[j].some && slices.ContainsFunc(x.holds, m.at.In) {
			return true
		}
	}
	return f.Certain && (m.defeat && !out || f.people && !m.tactics)
}

func (f *finder) warning(m mark, most float64) *lang.Diagnostic {
	switch {
	case most == 0:
		return decl.WarnAt(m.at, "SP0140", "%s is never %s", m.what, m.is)
	case most < 1/float64(f.Trials):
		return decl.WarnAt(m.at, "SP0141", "%s is %s in at most 1 of %s runs", m.what, m.is, roughly(1/most))
	}
	return decl.WarnAt(m.at, "SP0142", "%s is %s in none of %s trials, so in at most 1 of %s runs", m.what, m.is, roughly(float64(f.Trials)), roughly(1/(3/float64(f.Trials)+f.stops)))
}

// roughly writes a number with two figures that count: 6,700 for 6,666.
func roughly(x float64) string {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(x))-1))
	s := strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

type finder struct {
	ctx   context.Context
	cfg   interp.Config
	src   *lang.Source
	marks []mark
	world *decl.World
	first int32   // where variables can be declared
	stops float64 // the share of the trials that stop with an error
	ends  []int32 // of the scenes, and of the script
	tests []lang.Span
	words []lang.Expr // that are only shown

	tree   *lang.File
	people bool        // decide something that nothing in the script decides
	bare   []lang.Edit // leave out what the script reports
	mark   string      // begins the names of the marks
	Config
}

// find lists the places of a script.
func (f *finder) find() error {
	s := core.Of(interp.NewSession(f.cfg))
	tree, diags, err := s.Parse(f.ctx, f.src)
	if err != nil {
		return err
	}
	w, _, diags, err := s.CompileTree(f.ctx, tree, diags, false)
	if err != nil && !core.Failed(diags) {
		return err
	}
	if core.Failed(diags) {
		return diags
	}
	f.world, f.tree = w, tree
	f.mark = "never_"
	for f.names(f.mark) {
		f.mark += "x_"
	}
	reports, _ := goals.ReportsOf(f.ctx, f.src)
	for _, r := range reports {
		f.bare = append(f.bare, lang.Edit{Span: r.Span})
	}
	for _, st := range tree.Stmts {
		switch lang.Bare(st).(type) {
		case *lang.Use, *lang.Include:
			f.first = st.Range().End
			continue
		}
		break
	}
	lang.Walk(tree, f.visit)
	if len(f.ends) > 0 || len(f.tests) == 0 { // what is only there for tests is never played
		f.ends = append(f.ends, int32(len(f.src.Text)))
		f.defeats()
	}
	f.marks = f.fitting(f.marks)
	return f.ctx.Err()
}

// fitting leaves out the marks that the script cannot have: what only calculates sets nothing.
func (f *finder) fitting(marks []mark) []mark {
	ds, err := interp.NewSession(f.cfg).CheckContext(f.ctx, f.marked(marks))
	half := len(marks) / 2
	switch {
	case err == nil && !core.Failed(ds):
		return marks
	case half == 0 || f.ctx.Err() != nil:
		return nil
	}
	return append(f.fitting(marks[:half:half]), f.fitting(marks[half:])...)
}

// names says whether the script, or anything that it uses, has a name with this beginning.
func (f *finder) names(prefix string) bool {
	all := slices.Concat(decl.KeysOf(f.world.Rules), decl.KeysOf(f.world.Cells))
	return strings.Contains(f.src.Text, prefix) || slices.ContainsFunc(all, func(n string) bool { return strings.HasPrefix(n, prefix) })
}

// add notes a place. The edits get the name of its mark.
func (f *finder) add(at lang.Span, what, is string, holds []lang.Span, edits func(name string) []lang.Edit) {
	m := mark{at: at, what: what, is: is, holds: holds, name: fmt.Sprintf("%s%d", f.mark, len(f.marks)+1)}
	m.edits = edits(m.name)
	f.marks = append(f.marks, m)
}

// visit looks at a node of the script. What rules, goals, checks and tests do is theirs, and what
// is only shown is not worked out where nobody looks.
func (f *finder) visit(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Test:
		f.tests = append(f.tests, n.Span)
		return false
	case *lang.Rule, *lang.Sheet, *lang.Goal, *lang.Check, *lang.Table, *lang.ClauseSet, *lang.Report, *lang.Expect, *lang.Say, *lang.Text:
		return false
	case *lang.Assign:
		f.shown(n.As, n.Note)
	case *lang.Show:
		f.shown(n.Label)
	case *lang.Boundary:
		f.shown(n.Title)
	case *lang.Command:
		if n.Block != nil && f.plays(n) {
			f.ends = append(f.ends, n.Block.End-1)
		}
		f.clauses(n)
	case *lang.If:
		f.block(n.Then, n.Cond.Range(), "this branch", "taken")
		if b, ok := n.Else.(*lang.Block); ok {
			f.block(b, opening(b), "this branch", "taken")
		}
	case *lang.Cond:
		if slices.Contains(f.words, lang.Expr(n)) {
			return false
		}
		f.holds(n.C, "this condition", "true", n.A)
		f.add(opening(n.B), "this value", "taken", []lang.Span{n.B.Range()}, func(name string) []lang.Edit {
			return around(n.C.Range(), "((", ") or not "+name+"_set())")
		})
	case *lang.For:
		f.block(n.Body, n.In.Range(), "this loop", "run")
	case *lang.While:
		f.block(n.Body, n.Cond.Range(), "this loop", "run")
	case *lang.Repeat:
		f.block(n.Body, n.Count.Range(), "this loop", "run")
	case *lang.Offer:
		f.offer(n)
	case *lang.Choose:
		f.choices(n)
	case *lang.Tactics:
		f.tactics(n)
	}
	return true
}

// plays says whether a command is that of a verb, and declares nobody.
func (f *finder) plays(c *lang.Command) bool {
	head, ok := c.Head.(*lang.Word)
	return ok && f.world.Verbs[head.Name] != nil
}

// opening is the first letter of something: of a block its brace.
func opening(n lang.Node) lang.Span { return place(n.Range(), 0, 1) }

// place is a part of a span, from its beginning.
func place(at lang.Span, from, to int32) lang.Span {
	return lang.Span{Src: at.Src, Start: at.Start + from, End: at.Start + to}
}

// around puts texts before and behind a span.
func around(at lang.Span, before, behind string) []lang.Edit {
	n := at.End - at.Start
	return []lang.Edit{{Span: place(at, 0, 0), New: before}, {Span: place(at, n, n), New: behind}}
}

// block notes that a block is run.
func (f *finder) block(b *lang.Block, at lang.Span, what, is string) {
	f.add(at, what, is, []lang.Span{b.Range()}, func(name string) []lang.Edit {
		return []lang.Edit{{Span: place(b.Range(), 1, 1), New: " " + name + " = yes; "}}
	})
}

// holds notes that a condition holds, and that others are come to only then.
func (f *finder) holds(c lang.Expr, what, is string, others ...lang.Node) {
	var all []lang.Span
	for _, n := range others {
		all = append(all, n.Range())
	}
	f.add(c.Range(), what, is, all, func(name string) []lang.Edit { return around(c.Range(), "((", ") and "+name+"_set())") })
}

// clauses notes the conditions of clauses:  CLAUSE if CONDITION.
func (f *finder) clauses(c *lang.Command) {
	for i, a := range c.Args {
		if w, ok := a.Expr.(*lang.Word); ok && w.Name == "if" && i > 0 && i+1 < len(c.Args) {
			f.holds(c.Args[i+1].Expr, "this condition", "true")
		}
	}
}

// shown notes what says something to people.
func (f *finder) shown(words ...lang.Expr) { f.words = append(f.words, words...) }

// decides says whether tactics or a die decide, or else people alone.
func (f *finder) decides(name lang.Ident, standard lang.Expr) bool {
	w, _ := standard.(*lang.Word)
	yes := w != nil && w.Name == "random"
	lang.Walk(f.tree, func(n lang.Node) bool {
		t, ok := n.(*lang.Tactics)
		yes = yes || ok && slices.ContainsFunc(t.Entries, func(e lang.Tactic) bool { return e.On != nil && e.On.Name == name.Name })
		return !yes
	})
	f.people = f.people || !yes
	return yes
}

func (f *finder) offer(o *lang.Offer) {
	f.shown(o.Prompt)
	if o.Answer == nil && !f.decides(o.Name, o.Default) {
		return
	}
	if o.When != nil {
		f.holds(o.When, o.Name.Name, "asked", o)
	}
	f.block(o.Body, o.Name.Span, o.Name.Name, "accepted")
	if o.Else != nil {
		f.block(o.Else, opening(o.Else), "this branch", "taken")
	}
}

// choices notes the answers of a choice that stand there one by one.
func (f *finder) choices(c *lang.Choose) {
	f.shown(c.Prompt, c.Notes)
	list, ok := c.From.(*lang.List)
	if c.Answer == nil && !f.decides(c.Name, c.Default) || !ok {
		return
	}
	for _, x := range list.Elems {
		text := decl.Text(x.Range())
		f.add(x.Range(), text, "chosen", nil, func(name string) []lang.Edit {
			return around(c.Range(), name+"_took("+text+", ", ")")
		})
	}
}

// tactics notes which lines and answers are used, and which decisions are asked.
func (f *finder) tactics(t *lang.Tactics) {
	if len(t.Entries) == 0 {
		return
	}
	answers := map[string][]*lang.Tactic{}
	var all []lang.Span
	for i := range t.Entries {
		e := &t.Entries[i]
		all = append(all, e.Span)
		if e.On != nil {
			answers[e.On.Name] = append(answers[e.On.Name], e)
		}
	}
	at := t.Who[0].Range()
	at.End = t.Who[len(t.Who)-1].Range().End
	f.add(at, "this block of tactics", "used", all, func(name string) (edits []lang.Edit) {
		for i := range t.Entries {
			edits = append(edits, used(&t.Entries[i], name)...)
		}
		return edits
	})
	from := len(f.marks) - 1
	for i := range t.Entries {
		e := &t.Entries[i]
		what, is := "this line", "used"
		if e.On != nil {
			what, is = "this answer", "given"
			f.asked(answers[e.On.Name], e)
		}
		f.add(e.Span, what, is, nil, func(name string) []lang.Edit { return used(e, name) })
	}
	for i := range f.marks[from:] {
		f.marks[from+i].tactics = true
	}
}

// asked notes that a decision is asked, by the first of its answers. Where that has no condition, it
// is given whenever it is.
func (f *finder) asked(answers []*lang.Tactic, e *lang.Tactic) {
	if answers[0] != e {
		return
	}
	var all []lang.Span
	for _, x := range answers {
		all = append(all, x.Span)
	}
	f.add(e.On.Span, e.On.Name, "asked here", all, func(name string) []lang.Edit {
		if e.When == nil {
			return used(e, name)
		}
		return around(e.When.Range(), "("+name+"_set() and (", "))")
	})
}

// used sets a mark where an entry of tactics is used: its condition ends with a call that holds.
func used(e *lang.Tactic, name string) []lang.Edit {
	and := " and " + name + "_set()"
	switch {
	case e.When != nil:
		return around(e.When.Range(), "((", ")"+and+")")
	case e.On != nil:
		at := e.Answer.Range()
		end := place(at, at.End-at.Start, at.End-at.Start)
		return []lang.Edit{{Span: end, New: " when yes"}, {Span: end, New: and}}
	}
	word := place(e.Span, 0, int32(len("otherwise")))
	return []lang.Edit{{Span: word, New: "when yes"}, {Span: place(word, word.End-word.Start, word.End-word.Start), New: and}}
}

// defeats marks those who can be out, by what their sheets ask.
func (f *finder) defeats() {
	for _, e := range f.world.Order {
		tried := slices.ContainsFunc(f.tests, e.At.In)
		if !e.Script || e.Owner != nil || e.At.Src != f.src || tried {
			continue
		}
		sh := e.Sheet
		for sh != nil && sh.Out == nil {
			sh = sh.Base
		}
		if sh == nil {
			continue
		}
		at := sh.Out.Range()
		var own []lang.Edit
		lang.Walk(sh.Out, func(n lang.Node) bool {
			if x, ok := n.(*lang.Word); ok && x.Name == "self" {
				own = append(own, lang.Edit{Span: x.Span, New: decl.QuoteName(e.Name)})
				own[len(own)-1].Start, own[len(own)-1].End = x.Start-at.Start, x.End-at.Start
			}
			return true
		})
		text := lang.NewSource("", decl.Text(at)).Edited(own...).Text
		f.add(e.At, e.Name, "out at the end of a scene", nil, func(name string) (edits []lang.Edit) {
			for _, off := range slices.DeleteFunc(slices.Clone(f.ends), func(off int32) bool { return off < e.At.End }) {
				edits = append(edits, lang.Edit{Span: lang.Span{Src: f.src, Start: off, End: off}, New: "\nif " + text + " { " + name + " = yes }\n"})
			}
			return edits
		})
		f.marks[len(f.marks)-1].defeat = true
	}
}

// marked is the script with some places marked, and nothing reported but these.
func (f *finder) marked(marks []mark) *lang.Source {
	var head, reports strings.Builder
	edits := append([]lang.Edit{{}}, f.bare...)
	for _, m := range marks {
		fmt.Fprintf(&head, "\nlet %[1]s = no\nrule %[1]s_set { %[1]s = yes; return yes }\nrule %[1]s_took(x, v) { if v == x { %[1]s = yes }; return v }", m.name)
		fmt.Fprintf(&reports, "\nreport %[1]s as \"%[1]s\"", m.name)
		for _, e := range m.edits {
			if !strings.HasPrefix(strings.TrimSpace(e.New), "when yes") || !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	at := func(off int32) lang.Span { return lang.Span{Src: f.src, Start: off, End: off} }
	head.WriteString("\n")
	reports.WriteString("\n")
	edits[0] = lang.Edit{Span: at(f.first), New: head.String()}
	return f.src.Edited(append(edits, lang.Edit{Span: at(int32(len(f.src.Text))), New: reports.String()})...)
}

// chances says of each mark whether runs set it: those that trials set, and of the others by odds.
func (f *finder) chances() ([]chance, error) {
	out := make([]chance, len(f.marks))
	if len(out) == 0 {
		return nil, nil
	}
	o, err := sim.Simulate(f.ctx, f.cfg, f.marked(f.marks), sim.Config{Trials: f.Trials})
	if err != nil {
		return nil, err
	}
	f.stops, _ = o.Stops()
	var rest []int
	for i, m := range f.marks {
		out[i] = chance{some: has(o.Columns, m, o.Distribution), most: 1}
		if !out[i].some {
			rest = append(rest, i)
		}
	}
	err = f.odds(rest, out)
	for _, i := range rest {
		if err == nil && out[i].most == 1 {
			err = f.odds([]int{i}, out)
		}
	}
	return out, err
}

// has says whether a mark is set in some run of those that the columns tell of.
func has(columns []string, m mark, law func(int) *dist.Distribution) bool {
	i := slices.Index(columns, m.name)
	return i >= 0 && slices.ContainsFunc(law(i).Points, func(p dist.Point) bool { return p.Shown == "yes" })
}

// odds works out the exact odds of some marks together, where that is not too much.
func (f *finder) odds(which []int, out []chance) error {
	if len(which) == 0 {
		return nil
	}
	var marks []mark
	for _, i := range which {
		marks = append(marks, f.marks[i])
	}
	o, err := odds.Of(f.ctx, interp.NewSession(f.cfg), f.marked(marks), odds.Config{States: f.States, Time: f.Time})
	if interp.OverOf(err) != "" {
		return nil
	}
	if err != nil {
		return err
	}
	stops, _ := o.Stops()
	for _, i := range which {
		out[i] = chance{has(o.Columns, f.marks[i], o.Distribution), o.Remainder + stops}
	}
	return nil
}
