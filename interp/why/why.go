package why

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	graph "setpiece/interp/internal/odds"
	"setpiece/interp/internal/query"
	"setpiece/interp/internal/value"
	"setpiece/interp/odds"
	"setpiece/interp/vary"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Config says what is asked about a chance. The zero value is usable.
type Config struct {
	Goal  string // see odds.Config.Goal
	Paths int    // how many paths are told; 0: five
	Moves int    // how many moves are told; 0: eight

	Memory int // see odds.Config
	States int // bound on the states met, all changes together; 0: four million

	Time   time.Duration // bound on the time that it all takes; 0: none
	Trials int           // at most made for each figure where exact odds are too much; 0: DefaultWhyTrials, or as many as Time allows
}

// DefaultWhyTrials is how many trials are made for each figure where Config says
// nothing, MaxWhyTrials how many may be. They have the same dice for each change, so
// that differences are true.
const (
	DefaultWhyTrials = 500
	MaxWhyTrials     = 1_000_000
)

// Why says what a chance is made of and what would move it.
type Why struct {
	Value   float64 // the mean of the goal; of one that is yes or no its chance
	Chance  bool    // the goal is yes or no
	Stops   float64 // the share of what stops with an error, which Value leaves out
	StopsAt string  // the likeliest of these errors
	Paths   []Path  // the heaviest ways to the goal, where it is yes or no
	Moves   []Move  // what would change the mean, the most first
	Tried   int     // how many changes were tried
	Untried int     // how many were not, since that would take too long
	Stopped bool    // the context ended before all changes were tried

	// Where exact odds are too much the figures are estimated, and only those moves are told that
	// luck does not explain: in at most 5 of 100 calls one of them does nothing. There are no paths
	// then, unless a part is exact.
	Trials  int           // made of the text as it is; 0: Value is exact
	Half    float64       // half of the 95 % interval of Value
	Over    interp.Over   // what exact odds had too much of
	Sampled *dist.Sampled // where a part of Value is exact; Trials are then those of the moves
	Least   float64       // see Odds.Least
	Most    float64
	Fewest  int     // how many trials any change had
	Within  float64 // the greatest of the half intervals of all changes
}

// Path is one way to the goal: what falls at each throw.
type Path struct {
	P     float64
	Falls []string // as "d12 7..12 action"
}

// Move is a change with what the mean of the goal is then.
type Move struct {
	What  string // as "Nova.PUNCH 5 instead of 4"
	Value float64
	Stops float64 // see Why.Stops
	Half  float64 // of an estimate: half of the 95 % interval of how far it moves

	Trials int // that it was estimated from
}

// maxWhyStates bounds the states that are met while changes are tried.
const maxWhyStates = 4_000_000

// Of tells of what a text leads to, from the session as it is, which ways lead
// to a goal and what would move its chance: every number and die that the text says
// or that the rules looked at one up and one down, one more and one fewer of each
// kind, each clause of its commands left out, and the decisions made for the best. The session is not changed.
func Of(ctx context.Context, s *interp.Session, src *lang.Source, cfg Config) (*Why, error) {
	if s.Running() {
		return nil, interp.ErrRunning
	}
	if cfg.Goal == "" {
		goal, err := goals.Of(ctx, s, src, "")
		if err != nil {
			return nil, err
		}
		cfg.Goal = goal.Name
	}
	var err error
	if cfg.Goal, err = goals.AimOf(ctx, core.Of(s), src, cfg.Goal); err != nil {
		return nil, err
	}
	start := core.Of(s).Keep()
	defer core.Of(s).Restore(start)
	began := time.Now()
	text, err := goals.WithGoal(ctx, goals.Reporting(ctx, nil, src), cfg.Goal)
	if err != nil {
		return nil, err
	}
	p, err := core.Of(s).Prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	w := &Why{}
	t := &tryer{s: core.Of(s), session: s, ctx: ctx, changes: ctx, whole: ctx, done: func() {}, cfg: cfg, left: core.Or(cfg.States, maxWhyStates), w: w, prepared: time.Since(began)}
	if cfg.Time > 0 {
		t.until = time.Now().Add(cfg.Time)
	}
	g, err := t.graph(p)
	if err != nil {
		return nil, err
	}
	read := g.Read()
	if w.Over == "" {
		g.Within(ctx)
		means := g.Best(odds.WorthOf(core.Of(s)))
		w.Value, w.Stops = means.Of[0], means.Stops(0)
		if w.Chance, err = odds.YesOrNo(core.Of(s), g); err != nil {
			return nil, err
		}
		if w.Stops > 0 {
			w.StopsAt = likeliestFault(core.Of(s), g)
		}
		w.Paths = ways(core.Of(s), g.Paths(func(r *graph.Checkpoint) bool { return odds.WorthOf(core.Of(s))(r) > 0 }), w.Stops, cfg)
		if err := g.Err(); err != nil {
			return nil, err
		}
		t.cost(g)
		w.Least, w.Most = w.Value, w.Value
	} else if err := t.estimate(p); err != nil {
		return nil, err
	}
	g = nil
	if cfg.Time > 0 {
		var done context.CancelFunc
		t.changes, done = context.WithDeadline(ctx, t.until)
		defer done()
		defer func() { t.done() }()
	}
	said, _ := vary.Parameters(ctx, s, src)
	t.fields(p, read, said)
	core.Of(s).Restore(start)
	t.texts(goals.Reporting(ctx, nil, src), start)
	if t.base != nil {
		t.race(t.budget())
		t.tell()
		t.part()
	}
	if t.err != nil && ctx.Err() == nil {
		return nil, t.err
	}
	w.Stopped = t.err != nil
	slices.SortStableFunc(w.Moves, func(a, b Move) int {
		return cmp.Compare(math.Abs(b.Value-w.Value), math.Abs(a.Value-w.Value))
	})
	w.Moves = w.Moves[:min(len(w.Moves), max(core.Or(cfg.Moves, 8), 0))]
	return w, nil
}

// Of the time, in tenths, so much may go by before what was not followed by then is sampled, and so
// much with that. The rest is for the changes: where the graph alone takes longer, few of them
// could be followed.
const (
	followingTenths = 4
	samplingTenths  = 1
)

// graph follows what the text leads to, within the bounds that are set. Where that is
// too much, what was followed shows at least what the rules look at.
func (t *tryer) graph(p *core.Prepared) (*graph.Graph, error) {
	ctx := t.ctx
	if t.cfg.Time > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, t.cfg.Time/10*followingTenths)
		defer done()
	}
	g, err := meanGraph(ctx, t.s, p, min(t.left, odds.DefaultStates), t.cfg.Memory, t.note, t.sample)
	switch over := interp.OverOf(err); {
	case over != "":
		t.w.Over = over
	case errors.Is(err, context.DeadlineExceeded) && t.ctx.Err() == nil:
		t.w.Over = interp.OverTime
	case err != nil:
		return nil, err
	}
	return g, nil
}

// sample works the mean out of a graph that has met a bound, unless too little of it is solved. The
// heaviest ways to the goal are those among what was solved.
func (t *tryer) sample(g *graph.Graph, over interp.Over) error {
	f := g.Frontier()
	if f.Weight > 1-odds.LeastSolved {
		return nil
	}
	ctx, s := t.ctx, t.s
	if t.cfg.Time > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, t.cfg.Time/10*samplingTenths)
		defer done()
	}
	o, err := odds.Sampled(ctx, s, g, odds.Config{Goal: t.cfg.Goal, Trials: int64(core.Or(t.cfg.Trials, DefaultWhyTrials))}, f, over)
	if err != nil || o == nil || o.Sampled == nil {
		return err
	}
	g.Within(t.ctx)
	t.solved = o
	stops, _ := o.Stops()
	t.ways = ways(s, g.Paths(func(r *graph.Checkpoint) bool { return r.Kind == graph.Terminal && odds.WorthOf(s)(r) > 0 }), stops, t.cfg)
	return g.Err()
}

// part tells what was sampled of a graph instead of what was estimated, if it is surer.
func (t *tryer) part() {
	o, w := t.solved, t.w
	if o == nil || o.Half > w.Half {
		return
	}
	w.Value, w.Half, w.Least, w.Most, w.Sampled, w.Paths = o.Value, o.Half, o.Least, o.Most, o.Sampled, t.ways
	w.Stops, w.StopsAt = o.Stops()
}

// likeliestFault shows the error in which the most of a graph ends.
func likeliestFault(s *core.Run, g *graph.Graph) string {
	var most *graph.Checkpoint
	weight := 0.0
	for i, p := range g.Floats() {
		if r := g.Checkpoints[i]; r.Kind == graph.Broken && p > weight {
			most, weight = r, p
		}
	}
	if most == nil {
		return ""
	}
	return s.Host.Broken(most.Fault).(*interp.RunError).At()
}

// leastChange is how long a change may take however little time there is for all.
const leastChange = 250 * time.Millisecond

// meanGraph follows what a text leads to and gives the machine back; decides is
// told of each decision. Where it is too much the graph is what was followed, of which over is told
// before the machine is given back, unless that is nil.
func meanGraph(ctx context.Context, s *core.Run, p *core.Prepared, states, memory int, decides func(*machine.Question), over func(*graph.Graph, interp.Over) error) (*graph.Graph, error) {
	g, done := odds.Graph(p, nil)
	defer done()
	g.Limit, g.MaxBytes, g.Least, g.KeepSpans = states, core.Or(memory, odds.DefaultStateMemory), odds.Least, true
	g.Decide = func(q *machine.Question) (int, bool) {
		decides(q)
		return q.Default, true
	}
	err := g.Build(ctx)
	if err == nil {
		return g, nil
	}
	if x := odds.OverOf(err); x != "" && over != nil {
		if err := over(g, x); err != nil {
			return g, err
		}
	}
	return g, odds.OddsError(s, g, err)
}

// ways tells the heaviest paths, as shares of what does not stop. Those of which the same is told are one.
func ways(s *core.Run, paths []graph.Path, stops float64, cfg Config) []Path {
	var out []Path
	at := map[string]int{}
	for _, p := range paths {
		falls := falls(s, p)
		key := strings.Join(falls, "\x00")
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key], out = k, append(out, Path{Falls: falls})
		}
		out[k].P += p.Weight / (1 - stops)
	}
	slices.SortStableFunc(out, func(a, b Path) int { return cmp.Compare(b.P, a.P) })
	return out[:min(len(out), max(core.Or(cfg.Paths, 5), 0))]
}

// falls shows what fell on a path.
func falls(s *core.Run, p graph.Path) []string {
	var out []string
	for _, f := range p.Draws {
		if f.Size > 0 {
			out = append(out, strings.TrimSpace(fmt.Sprintf("d%d %s %s", f.Size, ranges(f.Faces), f.Pending.For)))
			continue
		}
		shows := strings.TrimSpace(query.Dice(f.Pending.Sizes) + " " + f.Pending.For)
		if read := f.Read.Words(s.Heap, f.Pool); read != "" {
			shows += ": " + read
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
	s       *core.Run
	session *interp.Session
	ctx     context.Context // ends when there is no more time for a change
	done    context.CancelFunc
	changes context.Context // and this one for any
	whole   context.Context // that of the caller
	w       *Why
	cfg     Config
	left    int // states that may still be met
	err     error

	base     []float64      // what each trial came to, where the mean is estimated
	now      *core.Prepared // the text as it is
	ready    *core.Snapshot // the session when that was prepared
	entrants []*entrant
	each     time.Duration // that a trial takes
	prepared time.Duration // that it took to compile the text
	begins   int           // how many trials take as long as that
	solved   *odds.Odds    // what was solved of it, and sampled
	ways     []Path        // to the goal, of what was solved
	until    time.Time     // when no more changes are tried

	deciding []string // who decides something
}

// note notes who decides.
func (t *tryer) note(q *machine.Question) {
	if q.Who.Kind() != value.Ref {
		return
	}
	if name := t.s.M.NameOf(q.Who); !slices.Contains(t.deciding, name) {
		t.deciding = append(t.deciding, name)
	}
}

func (t *tryer) cost(g *graph.Graph) { t.left -= len(g.Checkpoints) + g.Steps }

// move notes what came of a change: the mean, and the share of what stops.
func (t *tryer) move(what string, v, stops float64, err error) {
	var re *interp.RunError
	var ds lang.Diagnostics
	switch {
	case err != nil && t.late():
		t.w.Untried++
	case err == nil:
		t.w.Tried++
		if stops < 1 && math.Abs(v-t.w.Value) > 1e-12 && !t.triedAlready(what, v) {
			t.w.Moves = append(t.w.Moves, Move{What: what, Value: v, Stops: stops})
		}
	case errors.As(err, &re) && re.Kind == interp.Limit:
		t.w.Untried++
	case errors.As(err, &re) || errors.As(err, &ds):
		// such a scene cannot be
	default:
		t.err = err
	}
}

// triedAlready says whether a change is that of a sheet's number which has been tried
// already: the text says the same number.
func (t *tryer) triedAlready(what string, v float64) bool {
	name, change, ok := strings.Cut(what, " ")
	return ok && slices.ContainsFunc(t.w.Moves, func(m Move) bool {
		return m.Value == v && strings.Contains(m.What, "."+name) && strings.HasSuffix(m.What, " "+change)
	})
}

// late says whether there is no more time for the change at hand, though nobody has stopped it
// all.
func (t *tryer) late() bool { return t.cfg.Time > 0 && t.ctx.Err() != nil && t.whole.Err() == nil }

// spent says whether nothing more is tried. Otherwise the time of the next change begins.
func (t *tryer) spent() bool {
	if t.err == nil && (t.left <= 0 || t.cfg.Time > 0 && t.changes.Err() != nil && t.whole.Err() == nil) {
		t.w.Untried++
		return true
	}
	if t.cfg.Time > 0 {
		t.done()
		t.ctx, t.done = context.WithTimeout(t.changes, max(t.cfg.Time/4, leastChange))
	}
	return t.err != nil
}

// fields tries the numbers of sheets that were looked at.
func (t *tryer) fields(p *core.Prepared, read []int, said []vary.Parameter) {
	s := t.s
	for _, at := range t.inTurn(t.scripted(read)) {
		f := odds.FieldAt(s, at)
		v := p.State.Store[at]
		if f == nil || f.Hidden || t.base != nil && t.said(said, parameterAt(s, at)) {
			continue
		}
		for _, next := range besideOf(v) {
			if s.M.Misfit(f, next) != "" || t.base == nil && t.spent() {
				continue
			}
			what := fmt.Sprintf("%s %s instead of %s", parameterAt(s, at), s.M.Show(next), s.M.Show(v))
			if t.base != nil {
				t.enter(&entrant{what: what, rank: vary.Unsaid, make: func() (*core.Prepared, func(), error) {
					p.State.Store[at] = next
					return p, func() { p.State.Store[at] = v }, nil
				}})
				continue
			}
			p.State.Store[at] = next
			g, err := meanGraph(t.ctx, s, p, odds.DefaultStates, t.cfg.Memory, func(*machine.Question) {}, nil)
			p.State.Store[at] = v
			mean, stops := 0.0, 0.0
			if err == nil {
				means := g.Best(odds.WorthOf(s))
				mean, stops = means.Of[0], means.Stops(0)
				err = g.Err()
				t.cost(g)
			}
			t.move(what, mean, stops, err)
		}
	}
}

// parameterAt names a word of a sheet as tune does: the rating of a trait by the trait.
func parameterAt(s *core.Run, at int) string {
	name := odds.NameOfWord(s, at)
	if short, ok := strings.CutSuffix(name, ".rating"); ok && strings.Contains(short, ".") {
		return short
	}
	return name
}

// scripted leaves out the fields of what the rules declare for themselves, and details.
func (t *tryer) scripted(read []int) []int {
	ours := map[string]bool{}
	for _, e := range language.Instances(t.s.World) {
		if e.Script {
			ours[e.Path] = true
		}
	}
	return slices.DeleteFunc(read, func(at int) bool {
		who, _, _ := strings.Cut(odds.NameOfWord(t.s, at), ".")
		return len(ours) > 0 && !ours[who] || detail(t.s, at)
	})
}

// detail says whether a word is a field of a part of a sheet, such as a trait, which has what it has
// where nobody says anything: what nobody thought of saying is nothing to change.
func detail(s *core.Run, at int) bool {
	for _, off := range slices.Backward(s.M.Prog.Live) {
		if t := s.M.TypeOf(off); at >= off+code.Header && at < off+len(t.Template) {
			return strings.Contains(s.M.PathOf(off), ".") && s.M.Store[at] == t.Template[at-off]
		}
	}
	return false
}

// inTurn puts fields in an order in which each character has their turn, so that where
// there is not time for all something is known of everybody.
func (t *tryer) inTurn(read []int) []int {
	round := map[string]int{}
	type turn struct{ at, round int }
	var turns []turn
	for _, at := range read {
		who, _, _ := strings.Cut(odds.NameOfWord(t.s, at), ".")
		turns = append(turns, turn{at, round[who]})
		round[who]++
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.round, b.round) })
	out := make([]int, len(turns))
	for i, x := range turns {
		out[i] = x.at
	}
	return out
}

// besideOf gives the values next to one on a sheet: a number one up and one down, a die
// that has not fallen of the next sizes.
func besideOf(v value.V) (next []value.V) {
	switch {
	case v.IsInt():
		return []value.V{value.OfInt(v.Int() + 1), value.OfInt(v.Int() - 1)}
	case v.Kind() == value.Die && v.DieFace() == 0:
		for _, size := range vary.BesideDie(v.DieSize()) {
			next = append(next, value.OfDie(size, 0))
		}
	}
	return next
}

// texts tries the text with other numbers and without each clause, and the best
// play.
func (t *tryer) texts(src *lang.Source, start *core.Snapshot) {
	s := t.s
	try := func(rank int, what, text string) {
		if t.base != nil {
			t.enter(&entrant{what: what, rank: rank, make: func() (*core.Prepared, func(), error) {
				p, err := t.prepare(lang.NewSource(src.Name, text))
				return p, func() { s.Back(t.ready); s.Restore(start) }, err
			}})
			return
		}
		if t.spent() {
			return
		}
		o, err := odds.Of(t.ctx, t.session, lang.NewSource(src.Name, text), odds.Config{Goal: t.cfg.Goal, States: core.Or(t.cfg.States, maxWhyStates) / 40})
		s.Restore(start)
		mean, stops := 0.0, 0.0
		if err == nil {
			mean = o.Value
			stops, _ = o.Stops()
			t.left -= o.States
			if o.Stopped {
				err = t.ctx.Err()
			}
		}
		if mean != 0 || !strings.HasPrefix(what, "without") {
			t.move(what, mean, stops, err) // what comes to nothing without a clause needs it
		}
	}
	around := func(at lang.Span) (before, after string) { return src.Text[:at.Start], src.Text[at.End:] }
	for _, p := range t.parameters(src, vary.CountParameter) {
		n, _ := strconv.Atoi(strings.TrimPrefix(p.Value, "x"))
		for _, d := range []int{1, -1} {
			if n+d > 0 {
				count := "x" + strconv.Itoa(n+d)
				try(vary.Precedence(p), p.Name+" "+count+" instead of "+p.Value, src.Edited(p.Edits(count)...).Text)
			}
		}
	}
	if t.base != nil {
		for _, p := range t.parameters(src, vary.FieldParameter) {
			up, down := vary.StepsFrom(p.Value)
			for _, next := range slices.Concat(up[:min(1, len(up))], down[:min(1, len(down))]) {
				try(vary.Precedence(p), p.Name+" "+next+" instead of "+p.Value, src.Edited(p.Edits(next)...).Text)
			}
		}
	}
	operands, said := t.operands(src), map[int32]bool{}
	for _, p := range operands {
		said[p.P.At().Start] = true
		up, down := vary.StepsFrom(p.Value)
		for _, next := range slices.Concat(up[:min(1, len(up))], down[:min(1, len(down))]) {
			try(vary.Precedence(p), p.Name+" "+next+" instead of "+p.Value, src.Edited(p.Edits(next)...).Text)
		}
	}
	statements, clauses := t.parts(src)
	names := namer{src: src, of: map[int32]string{}}
	for _, st := range statements {
		lang.Walk(st, func(n lang.Node) bool {
			at := n.Range()
			if names.see(n); said[at.Start] {
				return false
			}
			switch n.(type) {
			case *lang.Num, *lang.Dice, *lang.Unary:
			default:
				return true
			}
			now := src.Text[at.Start:at.End]
			up, down := vary.StepsFrom(now)
			before, after := around(at)
			for _, next := range slices.Concat(up[:min(1, len(up))], down[:min(1, len(down))]) {
				try(vary.Spoken, names.name(at)+next+" instead of "+now, before+next+after)
			}
			return up == nil
		})
	}
	for _, at := range clauses {
		if at.Src != src {
			continue
		}
		before, after := around(at)
		try(vary.Spoken, "without the clause: "+strings.Join(strings.Fields(src.Text[at.Start:at.End]), " "), strings.TrimRight(before, " ,")+" "+after)
	}
	for _, name := range t.deciding {
		if t.base != nil || t.spent() {
			break
		}
		mean, stops, err := t.bestOf(name, src)
		s.Restore(start)
		t.move("the best decisions of "+name+" for their own side", mean, stops, err)
	}
}

// bestOf gives the mean of the goal where somebody decides for the best. What is best is
// what the rules say that they want, which for a foe is not the goal that was asked about.
func (t *tryer) bestOf(name string, src *lang.Source) (mean, stops float64, err error) {
	aim := goals.AimFor(t.ctx, t.s, src, name)
	if aim == "" {
		aim = t.cfg.Goal
	}
	text, err := goals.WithGoal(t.ctx, src, t.cfg.Goal)
	if err != nil {
		return 0, 0, err
	}
	o, err := odds.Of(t.ctx, t.session, text, odds.Config{Goal: aim, Best: []string{name}, States: core.Or(t.cfg.States, maxWhyStates) / 40})
	if err != nil {
		return 0, 0, err
	}
	t.left -= o.States
	if o.Stopped {
		return 0, 0, t.ctx.Err()
	}
	ends := 0.0
	for _, e := range o.Ends {
		if e.Fault == nil {
			x, _ := dist.NumberOf(t.s.Heap, e.Values[len(e.Values)-1])
			mean, ends = mean+e.P*x, ends+e.P
		}
	}
	if stops, _ = o.Stops(); ends > 0 {
		mean /= ends
	}
	return mean, stops, nil
}

// operands gives the numbers and dice of the commands of a text. They have the name that
// they have for tune, or only its last word where that is enough.
func (t *tryer) operands(src *lang.Source) []vary.Parameter {
	list := t.parameters(src, vary.OperandParameter)
	last := func(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }
	ends := map[string]int{}
	for _, p := range list {
		ends[last(p.Name)]++
	}
	for i := range list {
		if short := last(list[i].Name); ends[short] == 1 && !strings.HasSuffix(short, ")") {
			list[i].Name = short
		}
	}
	return list
}

// namer finds names for the numbers and dice that stand in a text.
type namer struct {
	src *lang.Source
	of  map[int32]string // by where the number begins
}

func (x *namer) text(n lang.Node) string {
	at := n.Range()
	return x.src.Text[at.Start:at.End]
}

// see notes what a node says of the numbers in it.
func (x *namer) see(n lang.Node) {
	name := func(of lang.Node, text string) {
		if of != nil {
			x.of[of.Range().Start] = strings.Join(strings.Fields(text), " ") + " "
		}
	}
	switch n := n.(type) {
	case *lang.Rated:
		name(n.Rating, strings.Trim(x.text(n.X), `"`))
	case *lang.Let:
		name(n.Value, n.Name.Name)
	case *lang.Assign:
		name(n.Value, x.text(n.Target))
		if n.Op != "=" {
			name(n.Value, x.text(n.Target)+" "+n.Op)
		}
	case *lang.Binary:
		if x.of[n.Start] == "" && (n.Op == "+" || n.Op == "-") {
			break // a sum: the word before says more
		}
		name(n.Y, x.text(n.X)+" "+n.Op)
	}
}

var wordBefore = late.Regexp(`([\p{L}_][\p{L}\p{N}_]*)[ \t]*[-+]?$`)

// name names a number, with a space behind; where nothing else does, by the word before it
// or by its line.
func (x *namer) name(at lang.Span) string {
	if n := x.of[at.Start]; n != "" {
		return n
	}
	if m := wordBefore().FindStringSubmatch(x.src.Text[:at.Start]); m != nil {
		return m[1] + " "
	}
	return fmt.Sprintf("line %d: ", 1+strings.Count(x.src.Text[:at.Start], "\n"))
}

// parameters gives those of one kind that a text says.
func (t *tryer) parameters(src *lang.Source, kind vary.ParameterKind) []vary.Parameter {
	list, err := vary.Parameters(t.whole, t.session, src)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(p vary.Parameter) bool { return p.Kind != kind || p.Value == "" })
}

// parts gives the commands of a text that are no declarations, and the clauses of
// those.
func (t *tryer) parts(src *lang.Source) (statements []lang.Stmt, clauses []lang.Span) {
	file, diags := lang.Parse(src)
	if core.Failed(diags) {
		return nil, nil
	}
	w := t.s.World.Clone()
	n := len(t.s.M.Store)
	out, diags := compile.Compile(w, file)
	t.s.M.Store = t.s.M.Store[:n]
	if core.Failed(diags) {
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
