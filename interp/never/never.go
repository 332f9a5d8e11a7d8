// Package never finds what cannot happen in a script: branches, lines and answers of tactics, and
// characters who are never out.
//
// Each such place gets a mark, a variable of the script that is set there. Trials show which marks
// are set at all. For each of the others the odds of its mark alone are worked out exactly: then
// the place is never come to, or it is only rare. Where that is too much it stays with what the
// trials show: of n trials without any, 3/n is the most that it may have (Hanley and
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
}

// DefaultTrials is how many trials are made where nobody says it.
const DefaultTrials = 20_000

// mark is a place, with how it is noted that a run comes to it.
type mark struct {
	at       lang.Span
	what, is string // "this branch", "taken"
	edits    []lang.Edit
}

// Find gives a warning for each place that no run of a script comes to, as far as can be seen.
func Find(ctx context.Context, cfg interp.Config, src *lang.Source, c Config) (lang.Diagnostics, error) {
	if c.Trials == 0 {
		c.Trials = DefaultTrials
	}
	f := &finder{ctx: ctx, cfg: cfg, src: src, Config: c}
	if err := f.find(); err != nil {
		return nil, err
	}
	all, err := f.trials()
	if err != nil {
		return nil, err
	}
	var out lang.Diagnostics
	for i := range f.marks {
		if all[i] {
			continue
		}
		most, some, err := f.odds(i)
		m := f.marks[i]
		switch {
		case err != nil:
			return nil, err
		case some:
		case most == 0:
			out = append(out, decl.WarnAt(m.at, "SP0140", "%s is never %s", m.what, m.is))
		case most < 1/float64(c.Trials):
			out = append(out, decl.WarnAt(m.at, "SP0141", "%s is %s in at most 1 of %s runs", m.what, m.is, roughly(1/most)))
		default:
			out = append(out, decl.WarnAt(m.at, "SP0142", "%s is %s in none of %s trials, so in at most 1 of %s runs", m.what, m.is, roughly(float64(c.Trials)), roughly(1/(3/float64(c.Trials)+f.stops))))
		}
	}
	out = out.Allowed(src, false)
	core.SortDiagnostics(out, src)
	return out, nil
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
	first int32       // where variables can be declared
	stops float64     // the share of the trials that stop with an error
	ends  []int32     // of the scenes, and of the script
	bare  []lang.Edit // leave out what the script reports
	mark  string      // begins the names of the marks
	Config
}

func (f *finder) variable(i int) string { return fmt.Sprintf("%s%d", f.mark, i+1) }

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
	f.world = w
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
	f.ends = append(f.ends, int32(len(f.src.Text)))
	f.defeats()
	return nil
}

// names says whether the script, or anything that it uses, has a name with this beginning.
func (f *finder) names(prefix string) bool {
	all := slices.Concat(decl.KeysOf(f.world.Rules), decl.KeysOf(f.world.Cells))
	return strings.Contains(f.src.Text, prefix) || slices.ContainsFunc(all, func(n string) bool { return strings.HasPrefix(n, prefix) })
}

// add notes a place where a run comes to the text put in.
func (f *finder) add(at lang.Span, what, is string, edit func(name string) lang.Edit) {
	f.marks = append(f.marks, mark{at, what, is, []lang.Edit{edit(f.variable(len(f.marks)))}})
}

// visit looks at a statement. What rules and tests do is theirs.
func (f *finder) visit(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Test, *lang.Sheet, *lang.Goal, *lang.Check, *lang.Table:
		return false
	case *lang.Command:
		if n.Block != nil && f.plays(n) {
			f.ends = append(f.ends, n.Block.End-1)
		}
	case *lang.If:
		f.branch(n.Then, n.Cond.Range(), "this branch", "taken")
		if b, ok := n.Else.(*lang.Block); ok {
			f.branch(b, opening(b), "this branch", "taken")
		}
	case *lang.Offer:
		f.branch(n.Body, n.Name.Span, n.Name.Name, "accepted")
		if n.Else != nil {
			f.branch(n.Else, opening(n.Else), "this branch", "taken")
		}
	case *lang.Tactics:
		for i := range n.Entries {
			f.entry(&n.Entries[i])
		}
	}
	return true
}

// plays says whether a command is that of a verb, and declares nobody.
func (f *finder) plays(c *lang.Command) bool {
	head, ok := c.Head.(*lang.Word)
	return ok && f.world.Verbs[head.Name] != nil
}

// opening is the brace with which a block begins.
func opening(b *lang.Block) lang.Span {
	return lang.Span{Src: b.Src, Start: b.Start, End: b.Start + 1}
}

func (f *finder) branch(b *lang.Block, at lang.Span, what, is string) {
	f.add(at, what, is, func(name string) lang.Edit {
		return lang.Edit{Span: lang.Span{Src: b.Src, Start: b.Start + 1, End: b.Start + 1}, New: " " + name + " = yes; "}
	})
}

// entry marks a line of tactics by a condition that holds always and sets the mark.
func (f *finder) entry(e *lang.Tactic) {
	what, is := "this line", "used"
	if e.On != nil {
		what, is = "this answer", "given"
	}
	f.add(e.Span, what, is, func(name string) lang.Edit {
		set := name + "_set()"
		switch {
		case e.When != nil:
			at := e.When.Range()
			return lang.Edit{Span: at, New: "(" + decl.Text(at) + ") and " + set}
		case e.On != nil:
			at := e.Answer.Range()
			return lang.Edit{Span: lang.Span{Src: at.Src, Start: at.End, End: at.End}, New: " when " + set}
		}
		at := lang.Span{Src: e.Span.Src, Start: e.Span.Start, End: e.Span.Start + int32(len("otherwise"))}
		return lang.Edit{Span: at, New: "when " + set}
	})
}

// defeats marks those who can be out, by what their sheets ask.
func (f *finder) defeats() {
	for _, e := range f.world.Order {
		if !e.Script || e.Owner != nil || e.At.Src != f.src {
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
		note := "\nif " + text + " { " + f.variable(len(f.marks)) + " = yes }\n"
		m := mark{at: e.At, what: e.Name, is: "out at the end of a scene"}
		for _, off := range f.ends {
			m.edits = append(m.edits, lang.Edit{Span: lang.Span{Src: f.src, Start: off, End: off}, New: note})
		}
		f.marks = append(f.marks, m)
	}
}

// marked is the script with some places marked, and nothing reported but these.
func (f *finder) marked(which []int) *lang.Source {
	var head, reports strings.Builder
	edits := append([]lang.Edit(nil), f.bare...)
	for _, i := range which {
		v := f.variable(i)
		fmt.Fprintf(&head, "\nlet %s = no\nrule %s_set { %s = yes; return yes }", v, v, v)
		edits = append(edits, f.marks[i].edits...)
		fmt.Fprintf(&reports, "\nreport %s as \"%d\"", v, i)
	}
	end := int32(len(f.src.Text))
	at := func(off int32) lang.Span { return lang.Span{Src: f.src, Start: off, End: off} }
	return f.src.Edited(append(edits, lang.Edit{Span: at(f.first), New: head.String() + "\n"}, lang.Edit{Span: at(end), New: "\n" + reports.String() + "\n"})...)
}

// trials says of each place whether trials come to it.
func (f *finder) trials() ([]bool, error) {
	seen, all := make([]bool, len(f.marks)), make([]int, len(f.marks))
	for i := range all {
		all[i] = i
	}
	if len(all) == 0 {
		return nil, nil
	}
	o, err := sim.Simulate(f.ctx, f.cfg, f.marked(all), sim.Config{Trials: f.Trials})
	if err != nil {
		return nil, err
	}
	f.stops, _ = o.Stops()
	for i := range seen {
		for _, p := range o.Distribution(i).Points {
			seen[i] = seen[i] || p.Shown == "yes"
		}
	}
	return seen, nil
}

// odds says whether a run can come to a place, and if none was found what chance it has at most.
func (f *finder) odds(i int) (most float64, some bool, err error) {
	o, err := odds.Of(f.ctx, interp.NewSession(f.cfg), f.marked([]int{i}), odds.Config{States: f.States, Time: f.Time})
	if interp.OverOf(err) != "" {
		return 1, false, nil
	}
	if err != nil {
		return 1, false, err
	}
	stops, _ := o.Stops()
	for _, p := range o.Distribution(0).Points {
		some = some || p.Shown == "yes"
	}
	return o.Remainder + stops, some, nil
}
