package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// WhyConfig says what is asked about a chance. The zero value is usable.
type WhyConfig struct {
	Goal  string // see OddsConfig.Goal
	Paths int    // how many paths are told; 0: five
	Moves int    // how many moves are told; 0: eight
}

// Why says what a chance is made of and what would move it.
type Why struct {
	Value   float64 // the mean of the goal; of one that is yes or no its chance
	Paths   []Path  // the heaviest ways to the goal, where it is yes or no
	Moves   []Move  // what would change the mean, the most first
	Tried   int     // how many changes were tried
	Untried int     // how many were not, since that would take too long
}

// Path is one way to the goal: what falls at each throw.
type Path struct {
	P     float64
	Falls []string // as "d12 7..12 action"
}

// Move is a change with what the mean of the goal is then.
type Move struct {
	What  string // as "Nova.PUNCH.rating 5 instead of 4"
	Value float64
}

// maxWhyStates bounds the states that are met while changes are tried.
const maxWhyStates = 4_000_000

// Why tells of what a text leads to, from the session as it is, which ways lead
// to a goal and what would move its chance: every number that the text says or
// that the rules looked at one up and one down, each clause of its commands left
// out, and the decisions made for the best. The session is not changed.
func (s *Session) Why(ctx context.Context, src *lang.Source, cfg WhyConfig) (*Why, error) {
	if cfg.Goal == "" {
		cfg.Goal = "success"
	}
	start := s.Snapshot()
	defer s.restore(start)
	text, err := withGoal(reporting(src), cfg.Goal)
	if err != nil {
		return nil, err
	}
	p, err := s.Prepare(text)
	if err != nil {
		return nil, err
	}
	t := &tryer{s: s, ctx: ctx, cfg: cfg, left: maxWhyStates}
	g, err := s.meanGraph(ctx, p, t.note)
	if err != nil {
		return nil, err
	}
	w := &Why{Value: g.Best(s.goal)[0]}
	for _, path := range g.Paths(func(r *odds.Rest) bool { return s.goal(r) > 0 }, max(or(cfg.Paths, 5), 0)) {
		w.Paths = append(w.Paths, Path{path.Weight, s.falls(path)})
	}
	t.w = w
	t.cost(g)
	read := g.Read()
	t.fields(p, read)
	s.restore(start)
	t.texts(reporting(src), start)
	if t.err != nil {
		return nil, t.err
	}
	slices.SortStableFunc(w.Moves, func(a, b Move) int {
		return cmp.Compare(math.Abs(b.Value-w.Value), math.Abs(a.Value-w.Value))
	})
	w.Moves = w.Moves[:min(len(w.Moves), max(or(cfg.Moves, 8), 0))]
	return w, nil
}

// meanGraph follows what a text leads to and gives the machine back; decides is
// told of each decision.
func (s *Session) meanGraph(ctx context.Context, p *Prepared, decides func(*machine.Question)) (*odds.Graph, error) {
	g, done := p.graph(nil)
	defer done()
	g.Limit, g.Least = DefaultStates, least
	g.Decide = func(q *machine.Question) (int, bool) {
		decides(q)
		return q.Default, true
	}
	if err := g.Build(ctx); err != nil {
		return nil, s.oddsError(g, err)
	}
	return g, nil
}

// falls shows what fell on a path.
func (s *Session) falls(p odds.Path) []string {
	var out []string
	for _, f := range p.Falls {
		shows := ""
		if f.Size > 0 {
			shows = fmt.Sprintf("d%d %s", f.Size, ranges(f.Faces))
		} else {
			var vs []string
			for _, v := range f.Pool {
				vs = append(vs, s.m.Show(v))
			}
			shows = strings.TrimSpace(fmt.Sprintf("%d dice %s", len(f.Waits.Sizes), strings.Join(vs, " ")))
		}
		if f.Waits.For != "" {
			shows += " " + f.Waits.For
		}
		out = append(out, shows)
	}
	return out
}

// ranges shows numbers that go up, as 1, 4..6.
func ranges(ns []int) string {
	var out []string
	for i := 0; i < len(ns); {
		k := i
		for k+1 < len(ns) && ns[k+1] == ns[k]+1 {
			k++
		}
		if k > i {
			out = append(out, fmt.Sprintf("%d..%d", ns[i], ns[k]))
		} else {
			out = append(out, strconv.Itoa(ns[i]))
		}
		i = k + 1
	}
	return strings.Join(out, ",")
}

// tryer tries changes.
type tryer struct {
	s    *Session
	ctx  context.Context
	w    *Why
	cfg  WhyConfig
	left int // states that may still be met
	err  error

	deciding []string // who decides something
}

// note notes who decides.
func (t *tryer) note(q *machine.Question) {
	if q.Who.Kind() != value.Ref {
		return
	}
	if name := t.s.m.NameOf(q.Who); !slices.Contains(t.deciding, name) {
		t.deciding = append(t.deciding, name)
	}
}

func (t *tryer) cost(g *odds.Graph) { t.left -= len(g.Rests) + g.Steps }

// move notes what came of a change.
func (t *tryer) move(what string, v float64, err error) {
	var re *RunError
	var ds lang.Diagnostics
	switch {
	case err == nil:
		t.w.Tried++
		if math.Abs(v-t.w.Value) > 1e-12 && !t.told(what, v) {
			t.w.Moves = append(t.w.Moves, Move{what, v})
		}
	case errors.As(err, &re) && re.Kind == Limit:
		t.w.Untried++
	case errors.As(err, &re) || errors.As(err, &ds):
		// such a scene cannot be
	default:
		t.err = err
	}
}

// told says whether a change is that of a sheet's number which has been tried
// already: the text says the same number.
func (t *tryer) told(what string, v float64) bool {
	name, change, ok := strings.Cut(what, " ")
	return ok && slices.ContainsFunc(t.w.Moves, func(m Move) bool {
		return m.Value == v && strings.Contains(m.What, "."+name) && strings.HasSuffix(m.What, " "+change)
	})
}

// spent says whether nothing more is tried.
func (t *tryer) spent() bool {
	if t.err == nil && t.left <= 0 {
		t.w.Untried++
		return true
	}
	return t.err != nil
}

// fields tries the numbers of sheets that were looked at.
func (t *tryer) fields(p *Prepared, read []int) {
	s := t.s
	for _, at := range read {
		f := s.fieldAt(at)
		v := p.state.store[at]
		if f == nil || f.Hidden || !v.IsInt() {
			continue
		}
		for _, d := range []int64{1, -1} {
			next := value.OfInt(v.Int() + d)
			if s.m.Misfit(f, next) != "" || t.spent() {
				continue
			}
			p.state.store[at] = next
			g, err := s.meanGraph(t.ctx, p, func(*machine.Question) {})
			p.state.store[at] = v
			mean := 0.0
			if err == nil {
				mean = g.Best(s.goal)[0]
				t.cost(g)
			}
			t.move(fmt.Sprintf("%s %s instead of %s", s.nameOfWord(at), s.m.Show(next), s.m.Show(v)), mean, err)
		}
	}
}

var wordBefore = regexp.MustCompile(`(\S+)[ \t]*$`)

// texts tries the text with other numbers and without each clause, and the best
// play.
func (t *tryer) texts(src *lang.Source, start *Snapshot) {
	s := t.s
	try := func(what, text string, best []string) {
		if t.spent() {
			return
		}
		o, err := s.Odds(t.ctx, lang.NewSource(src.Name, text), OddsConfig{Goal: t.cfg.Goal, Best: best, States: maxWhyStates / 40})
		s.restore(start)
		mean := 0.0
		if err == nil {
			mean = o.Value
			t.left -= o.States
			if o.Stopped {
				err = t.ctx.Err()
			}
		}
		if mean != 0 || best != nil || !strings.HasPrefix(what, "without") {
			t.move(what, mean, err) // what comes to nothing without a clause needs it
		}
	}
	around := func(at lang.Span) (before, after string) { return src.Text[:at.Start], src.Text[at.End:] }
	statements, clauses := t.parts(src)
	for _, st := range statements {
		lang.Walk(st, func(n lang.Node) bool {
			num, ok := n.(*lang.Num)
			if !ok {
				return true
			}
			v, err := strconv.Atoi(src.Text[num.Start:num.End])
			if err != nil {
				return true
			}
			before, after := around(num.Span)
			name := ""
			if m := wordBefore.FindStringSubmatch(before); m != nil {
				name = m[1] + " "
			}
			for _, d := range []int{1, -1} {
				if v+d >= 0 {
					try(fmt.Sprintf("%s%d instead of %d", name, v+d, v), before+strconv.Itoa(v+d)+after, nil)
				}
			}
			return true
		})
	}
	for _, at := range clauses {
		if at.Src != src {
			continue
		}
		before, after := around(at)
		try("without "+strings.Join(strings.Fields(src.Text[at.Start:at.End]), " "), strings.TrimRight(before, " ,")+" "+after, nil)
	}
	for _, name := range t.deciding {
		try("the best play of "+name, src.Text, []string{name})
	}
}

// parts gives the commands of a text that are no declarations, and the clauses of
// those.
func (t *tryer) parts(src *lang.Source) (statements []lang.Stmt, clauses []lang.Span) {
	file, diags := lang.Parse(src)
	if failed(diags) {
		return nil, nil
	}
	w := t.s.world.Clone()
	n := len(t.s.m.Store)
	out, diags := w.Compile(file)
	t.s.m.Store = t.s.m.Store[:n]
	if failed(diags) {
		return nil, nil
	}
	var runs []lang.Span
	for _, st := range out.Statements {
		if !st.Init {
			runs = append(runs, st.At)
		}
	}
	for _, st := range file.Stmts {
		at := st.Range()
		if slices.ContainsFunc(runs, func(r lang.Span) bool { return r.Start >= at.Start && r.End <= at.End }) {
			statements = append(statements, st)
		}
	}
	return statements, out.Clauses
}
