package advice

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	graph "setpiece/interp/internal/odds"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// Advice compares the options of a decision in the middle of a run. It is about the
// goals that the rules declare for whoever decides: the roll in hand, and the fight
// that it is part of. Each goal is worked out at a moment of its own, where the
// command ends that it belongs to; nothing that comes behind is looked at, so that a
// roll costs what a roll costs, however long the evening.
//
// Where there is little enough, every way is followed from the question to the
// moment, and the values are exact. Whoever decides then goes on to decide for the
// best, by the first goal of the moment; everybody else takes the defaults.
//
// Else the values are estimated: the run is played from the question to the moments,
// again and again, once with each option, and all decisions that follow take their
// defaults. The options are tried with the same dice (common random numbers: Kahn and
// Marshall, Methods of Reducing Sample Size in Monte Carlo Computations, 1953): what
// luck alone does is the same for all of them, so that far fewer trials tell which is
// better than tell how good it is.
//
// What comes first is there soon: a few trials, then what is exact, then more trials.

// Config says what advice is about. The zero value is usable.
type Config struct {
	// Goal is a goal that the rules declare, by its name; or an expression, of which
	// a single word is an outcome that is wished for. Empty: all that are declared
	// for what is at hand or, where there is none, the outcome success.
	Goal string
	// Trials is how many are made with each option where exact values would take too
	// long; 0: DefaultAdviceTrials, or, with Progress, as many as it takes. Fewer than
	// DefaultAdviceTrials bound what is exact by as much: with a tenth of them, values are exact
	// where a tenth of the states is enough.
	Trials int
	// Progress is given the first figures, and better ones as they come; with no it
	// has seen enough. The last are returned.
	Progress func(*Advice) (more bool)
}

// DefaultAdviceTrials is how many trials are made with each option where
// Config says nothing.
const DefaultAdviceTrials = 256

// maxAdviceTrials bounds them while they are watched.
const maxAdviceTrials = 1 << 16

// An attempt is one to follow everything exactly: within so many states and ways
// between them, and, while somebody watches, within a time.
type attempt struct {
	states int
	within time.Duration
}

var (
	quickly = attempt{500, 100 * time.Millisecond}
	soon    = attempt{3_000, 500 * time.Millisecond}
	later   = attempt{12_000, 2 * time.Second}
)

// Advice is what the options of a decision are worth at the moment it is made.
type Advice struct {
	For    string  // whose goals these are, where it is not whoever decides: they want nothing for themselves
	Goals  []Worth // the nearest first
	Best   int     // the best option: see Equal, and of equals the default
	By     string  // the goal that says so first, "" where none does
	Equal  []int   // all that nothing says Best is better than, Best among them; nil: no goal says so of one
	Trials int     // made with each option; 0: every figure is exact

	// Refused says by option why the rules refuse it at once, "" where they do not; nil: they
	// refuse none. What it is worth for the goals of the refused command is not a number; a
	// fight may go on without that command.
	Refused []string

	// Before a command the options are commands, the best first: those of Tried that
	// were found to be worth most.
	Commands []string
	Tried    int
	Found    int // there were to try when the search was stopped; 0: it was not
}

// Worth is what the options are worth for one goal.
type Worth struct {
	Goal   string // its name, or the expression
	Doc    string
	After  string    // the command at whose end it is worked out, "" of a whole statement
	Chance bool      // the values are chances; else means
	Values []float64 // by option; not a number where there is nothing to measure: no outcome
	Half   []float64 // half of the 95 % interval of each; nil: they are exact
	Top    []bool    // by option: nothing says that another is better

	// By option, what a chance cannot be below or above however the trials went, where whoever
	// decides goes on to decide for the best; nil: it is exact, or too little is known.
	Least, Most []float64
}

// Exact says whether the values are exact.
func (w *Worth) Exact() bool { return w.Half == nil }

// Differ says whether some option is shown to be worse than another.
func (w *Worth) Differ() bool { return slices.Contains(w.Top, false) }

// Same says whether all options have come to the same.
func (w *Worth) Same() bool {
	return !slices.ContainsFunc(w.Values, func(x float64) bool {
		return math.Abs(x-w.Values[0]) >= 1e-9 || math.IsNaN(x) != math.IsNaN(w.Values[0])
	})
}

// Differ says whether some option is shown to be worse than another.
func (a *Advice) Differ() bool {
	return slices.ContainsFunc(a.Goals, func(w Worth) bool { return w.Differ() })
}

// adviser advises on one question.
type adviser struct {
	s       *core.Run
	ctx     context.Context
	was     *machine.Machine
	who     value.V
	wants   value.V // whose goals it is about
	around  bool    // what is worked out is what stands at the end of a block: it may not come to it
	options int
	usual   int              // the default
	watched func() time.Time // the clock of somebody who is shown figures as they come; nil: nobody is
	moments []moment
	trials  int
	refused []string // see Advice
	heap    value.Mark
	links   int

	// begin goes on from the question, or the turn, as is usual, where that is all there is to compare;
	// nil: the options are those of the question.
	begin func()
}

// moment is a language.Moment with what is known of its goals.
type moment struct {
	language.Moment
	worth   []Worth       // where they are exact
	figures [][][]float64 // by goal and option: what it came to in each trial
	chance  []bool        // by goal: all of these are truths
	least   []float64     // by option: of the first goal, where the graph of the moment met a bound
	most    []float64
}

// advise compares the options of the question at hand. The run is as it was afterwards.
func advise(ctx context.Context, s *core.Run, cfg Config) (*Advice, error) {
	m := s.M
	q := m.Asked()
	a := &adviser{s: s, ctx: ctx, who: q.Who, wants: q.Who, options: q.Count, usual: q.Default}
	if q.Info.Cost == "" {
		a.wants = language.Concerns(s.World, m, a.who)
	}
	for _, m := range language.Moments(s.World, m, a.wants) {
		a.moments = append(a.moments, moment{Moment: m})
	}
	if err := a.aims(cfg.Goal); err != nil {
		return nil, err
	}
	defer m.Resume(m.Suspend())
	a.prepare()
	a.was = m.Suspend()
	a.refuse()
	if show := cfg.Progress; a.around && show != nil {
		cfg.Progress = func(x *Advice) bool { return x.reached() == nil && show(x) }
	}
	out, err := a.run(cfg)
	if err == nil && a.around {
		err = out.reached()
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// reached says that no answer leads to what the goals are about.
func (a *Advice) reached() error {
	for _, w := range a.Goals {
		if !w.Same() || w.Values[0] != 0 {
			return nil
		}
	}
	return lang.Diagnostics{{
		Message: "the answer is a matter of taste: nothing in this scene that the rules have a goal for follows from it",
		Help:    "? EXPRESSION tells what it means for something else",
	}}
}

// refuse finds out which options the rules refuse before dice fall or anybody else is asked.
func (a *adviser) refuse() {
	m := a.s.M
	why := make([]string, a.options)
	for option := range why {
		m.Resume(a.was.Suspend())
		a.s.Count()
		m.Seeded, m.MaxSteps = false, core.Slice
		m.GiveAnswer(option, "")
		st, gone := m.RunTo(a.moments[0].Frame)
		if !gone || st == machine.Done {
			continue
		}
		err := m.Err // nobody comes back from it, or whoever gave the command is asked again,
		if err == nil {
			err = m.Refused()
		}
		switch {
		case err == nil: // or tactics do something else
			why[option], a.refused = "the rules refuse it", why
		case err.Kind == code.Refused:
			why[option], a.refused = err.Msg, why
		}
	}
}

// aims finds out which goals there are, among those of the moments.
func (a *adviser) aims(goal string) error {
	var scene *language.Goal // one of nobody in particular that this is about, too
	for i := range a.moments {
		m := &a.moments[i]
		m.Goals = slices.DeleteFunc(m.Goals, func(g language.Goal) bool {
			if g.Scene && g.Name != goal && scene == nil {
				scene = &g
			}
			return g.Scene && g.Name != goal
		})
	}
	declared := language.GoalNames(a.s.World)
	if (goal == "" || slices.Contains(declared, goal)) && !a.wanted(goal) {
		if around := language.Around(a.s.World, a.s.M, a.wants); len(around.Goals) > 0 {
			a.moments, a.around = []moment{{Moment: around}}, true
		}
	}
	if goal != "" && slices.Contains(declared, goal) {
		for i := range a.moments {
			m := &a.moments[i]
			m.Goals = slices.DeleteFunc(m.Goals, func(g language.Goal) bool { return g.Name != goal })
		}
		a.drop()
		if len(a.moments) == 0 {
			return errNoGoal(goal)
		}
		return nil
	}
	if goal == "" {
		all := a.moments
		if a.drop(); len(a.moments) > 0 {
			return nil
		}
		if scene != nil {
			return lang.Diagnostics{{
				Message: "the rules say what the scene is about, " + scene.Name + ", and not what whoever is asked wants",
				Help:    "type  ? " + scene.Name + "  or add to the rules  goal win(who) \"…\" after VERB = VALUE",
			}}
		}
		if len(declared) > 0 {
			return lang.Diagnostics{{Message: "no goal of the rules is about this question", Help: "name one: ? EXPRESSION"}}
		}
		goal, a.moments = "success", all
		if len(all) > 1 {
			a.moments = all[:1]
		}
	}
	name, report := strings.TrimSpace(goal), "report "
	x, diags := lang.ParseExpr(lang.NewSource("goal", goal))
	if core.Failed(diags) {
		return diags
	}
	_, word := x.(*lang.Word)
	if word {
		report += "last.outcome == "
	}
	fn, diags := compileAside(a.s, lang.NewSource("", "").Given(0, report, name, "", "goal"))
	if core.Failed(diags) && word {
		return a.unknownGoal(name)
	}
	if core.Failed(diags) {
		return diags
	}
	if len(a.moments) == 0 {
		a.moments = []moment{{}}
	}
	for i := range a.moments {
		a.moments[i].Goals = []language.Goal{{Name: name, Report: fn}}
	}
	return nil
}

// wanted says whether some moment has a goal, or one of that name.
func (a *adviser) wanted(name string) bool {
	return slices.ContainsFunc(a.moments, func(m moment) bool {
		return slices.ContainsFunc(m.Goals, func(g language.Goal) bool { return name == "" || g.Name == name })
	})
}

// unknownGoal tells of a word that is no goal.
func (a *adviser) unknownGoal(name string) error {
	d := &lang.Diagnostic{Code: "SP0908", Message: "there is no goal or outcome " + name, Help: "a goal is an outcome, such as success, or an expression, such as last.total >= 12"}
	if names := language.GoalNames(a.s.World); len(names) > 0 {
		d.Help = "the rules declare " + strings.Join(names, ", ") + "; else " + d.Help
		if near, ok := lang.Nearest(name, names); ok {
			d.Help = "did you mean " + near + "?"
		}
	}
	return lang.Diagnostics{d}
}

// drop drops the moments without a goal.
func (a *adviser) drop() {
	a.moments = slices.DeleteFunc(slices.Clone(a.moments), func(m moment) bool { return len(m.Goals) == 0 })
}

// errNoGoal tells that a goal has nothing to do with the question at hand.
func errNoGoal(goal string) error {
	return lang.Diagnostics{{Message: "the goal " + goal + " has nothing to do with this question"}}
}

// prepare makes the machine one that nobody listens to. What is given beforehand is
// not known to whoever decides.
func (a *adviser) prepare() {
	m := a.s.M
	m.Mode = machine.Mode{Unasked: m.Unasked}
	m.Prog = language.Unattended(a.s.World).Prog // nobody listens: what only tells is left out
	m.Own.Faces, m.Faces, m.Own.Answers, m.Answers, m.Own.Picks, m.Picks = nil, nil, nil, nil, nil, nil
	m.Reports = nil
	a.heap, a.links = a.s.Heap.Mark(), m.Links
	for i := range a.moments {
		at := &a.moments[i]
		at.figures, at.chance = make([][][]float64, len(at.Goals)), make([]bool, len(at.Goals))
		for g := range at.figures {
			at.figures[g], at.chance[g] = make([][]float64, a.options), true
		}
	}
}

// run works the values out: first what is quick, then what is better.
func (a *adviser) run(cfg Config) (*Advice, error) {
	trials := cfg.Trials
	if trials == 0 {
		trials = DefaultAdviceTrials
		if cfg.Progress != nil {
			trials = maxAdviceTrials
		}
	}
	more := func() bool { return cfg.Progress == nil || cfg.Progress(a.advice()) }
	follow := func(within attempt) func() error { return func() error { return a.follow(within) } }
	steps := []func() error{follow(soon), follow(later)}
	if cfg.Progress == nil && trials < DefaultAdviceTrials {
		steps = []func() error{follow(attempt{states: later.states * trials / DefaultAdviceTrials})}
	}
	if cfg.Progress != nil {
		a.watched = time.Now
		some := func() error { return a.try(trials) }
		steps = []func() error{follow(quickly), some, follow(soon), follow(later)}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return a.ended(err)
		}
		if a.exact() || a.trials > 0 && !more() {
			return a.advice(), nil
		}
	}
	for a.trials < trials {
		if err := a.try(trials); err != nil {
			return a.ended(err)
		}
		if !more() {
			break
		}
	}
	return a.advice(), nil
}

// ended gives what is known when the context has ended.
func (a *adviser) ended(err error) (*Advice, error) {
	if a.ctx.Err() != nil && (a.trials > 0 || a.exact()) {
		return a.advice(), nil
	}
	return nil, err
}

// exact says whether all moments are exact.
func (a *adviser) exact() bool {
	return !slices.ContainsFunc(a.moments, func(m moment) bool { return m.worth == nil })
}

// follow tries to work moments out exactly.
func (a *adviser) follow(within attempt) error {
	for i := range a.moments {
		m := &a.moments[i]
		if m.worth != nil || i > 0 && a.moments[i-1].worth == nil {
			continue // what is nearer is smaller
		}
		if err := a.graph(m, within); err != nil {
			return err
		}
	}
	return nil
}

// graph follows everything up to a moment, unless that is too much.
func (a *adviser) graph(at *moment, within attempt) error {
	s, m := a.s, a.s.M
	m.Resume(a.was.Suspend())
	s.Count()
	st := machine.NeedChoice
	if a.begin != nil {
		m.Seeded, m.MaxSteps = false, core.Slice
		a.begin()
		if st = m.Run(); st != machine.NeedChoice && st != machine.NeedChance || m.Depth() <= at.Frame {
			return nil
		}
	}
	m.Within(at.Frame)
	funcs := []*code.Func{nil}
	for _, g := range at.Goals {
		funcs = append(funcs, g.Report)
	}
	g := graph.New(m, funcs, nil)
	g.Limit, g.Least = within.states, odds.Least
	first := a.begin == nil
	g.Decide = func(q *machine.Question) (int, bool) {
		if first || a.begin == nil && q.Who == a.who {
			first = false
			return 0, false
		}
		return q.Default, true
	}
	ctx := a.ctx
	if a.watched != nil {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, within.within)
		defer done()
	}
	chance := make([]bool, len(at.Goals))
	value := func(goal int) func(*graph.Checkpoint) float64 {
		info := at.Goals[goal].Report.Reports()
		return func(r *graph.Checkpoint) float64 {
			reps, _ := odds.Seen(r)
			for _, rep := range reps {
				if m.Reported[rep.Info] == info {
					v, truth := dist.NumberOf(s.Heap, rep.Value)
					chance[goal] = chance[goal] || truth
					return v
				}
			}
			return 0
		}
	}
	err := g.BuildFrom(ctx, st)
	defer func() { a.heap, a.links = s.Heap.Mark(), m.Links }()
	if err != nil {
		if e := a.ctx.Err(); e != nil {
			return e
		}
		if odds.OverOf(err) != "" {
			g.Within(a.ctx)
			if at.bound(g, value(0)); !chance[0] || g.Err() != nil {
				at.least, at.most = nil, nil
			}
		}
		return a.ctx.Err() // too much, or of a kind that cannot be followed
	}
	var worth []Worth
	for k, goal := range at.Goals {
		var v graph.Means
		if k == 0 {
			v = g.Best(value(k))
		} else {
			v = g.Mean(value(k))
		}
		if g.Err() != nil {
			return a.ctx.Err()
		}
		values := g.First(v)
		if a.begin != nil {
			values = []float64{v.Of[0] * (1 - v.Stops(0))}
		}
		if values == nil {
			return nil
		}
		w := Worth{Goal: goal.Name, Doc: goal.Doc, After: at.Verb, Values: values, Chance: chance[k]}
		w.top()
		worth = append(worth, w)
	}
	at.worth = worth
	return nil
}

// bound finds out between what the options of a moment must lie, for its first goal, where the graph
// was not followed to its end: the rest does not reach the goal, or all of it does. Where something
// stops with an error that says nothing.
func (at *moment) bound(g *graph.Graph, value func(*graph.Checkpoint) float64) {
	at.least, at.most = nil, nil
	v := g.Best(value)
	if v.Ends != nil {
		return
	}
	at.least = g.First(v)
	g.Unknown = 1
	at.most = g.First(g.Best(value))
}

// patience is how long somebody who watches waits for the next figures.
const patience = 250 * time.Millisecond

// try makes trials until there are so many with each option, or somebody who watches
// should be shown something.
func (a *adviser) try(trials int) error {
	last := 0
	for i := range a.moments {
		if a.moments[i].worth == nil {
			last = i
		}
	}
	var shown time.Time
	if a.watched != nil {
		shown = a.watched().Add(patience)
	}
	for a.trials < trials {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		for option := range a.options {
			if err := a.trial(option, last); err != nil {
				return err
			}
		}
		a.trials++
		if a.watched != nil && a.trials >= leastAdviceTrials && a.watched().After(shown) {
			break
		}
	}
	return nil
}

// leastAdviceTrials are made before anything is shown.
const leastAdviceTrials = 4

// trial plays on with an option to the last moment, with the dice of this trial.
func (a *adviser) trial(option, last int) error {
	s, m := a.s, a.s.M
	m.Resume(a.was.Suspend())
	s.Count()
	m.Seeded, m.MaxSteps = true, core.Slice
	m.Seed(trials.Seed(0, int64(a.trials)))
	if a.begin != nil {
		a.begin()
	} else {
		m.GiveAnswer(option, "")
	}
	over := false // nothing comes any more
	for i := range a.moments[:last+1] {
		at := &a.moments[i]
		reached := false
		if !over {
			var err error
			if reached, over, err = a.runToReturn(at.Frame); err != nil {
				return err
			}
		}
		for g, goal := range at.Goals {
			x := 0.0 // a goal that is not come to is not reached
			if reached {
				v, broken := m.Answer(goal.Report)
				if broken != nil {
					return s.Host.Broken(broken)
				}
				var truth bool
				x, truth = dist.NumberOf(s.Heap, v)
				at.chance[g] = at.chance[g] && (truth || v == value.None)
			}
			all := &at.figures[g][option]
			*all = append((*all)[:a.trials], x)
		}
	}
	if m.Links > a.links {
		a.heap, a.links = s.Heap.Mark(), m.Links
	}
	s.Heap.Release(a.heap)
	return nil
}

// runToReturn runs to where the function of a frame returns, with over to the end of the
// run. A refusal may lead past both.
func (a *adviser) runToReturn(frame int) (reached, over bool, err error) {
	m := a.s.M
	for {
		st, gone := m.RunTo(frame)
		switch {
		case gone:
			return false, st != machine.Yield, nil
		case st == machine.Done:
			return true, false, nil
		case st == machine.NeedChoice:
			m.GiveAnswer(m.Asked().Default, "default")
		case st == machine.Yield && m.Steps < m.StepLimit:
			m.MaxSteps = min(m.Steps+core.Slice, m.StepLimit)
		default:
			return false, true, nil
		}
		if err := a.ctx.Err(); err != nil {
			return false, true, err
		}
	}
}

// advice gives what is known.
func (a *adviser) advice() *Advice {
	out := &Advice{Trials: a.trials}
	for i := range a.moments {
		m := &a.moments[i]
		if m.worth != nil {
			out.Goals = append(out.Goals, m.worth...)
			continue
		}
		for g, goal := range m.Goals {
			w := Worth{Goal: goal.Name, Doc: goal.Doc, After: m.Verb, Chance: m.chance[g]}
			w.Estimate(m.figures[g], a.trials)
			if g == 0 && m.least != nil {
				w.bound(m.least, m.most)
			}
			out.Goals = append(out.Goals, w)
		}
	}
	if a.exact() {
		out.Trials = 0
	}
	out.Refused = a.refused
	for i := range a.moments[0].Goals { // what comes later goes on without the command
		out.Goals[i].refuse(a.refused)
	}
	if a.wants != a.who {
		out.For = a.s.M.NameOf(a.wants)
	}
	a.judge(out)
	return out
}

// judge finds the best options. A roll is a means: what is best for the fight that it is
// part of counts first, then the roll, where the fight hardly differs. Of equals by one
// goal the next decides.
func (a *adviser) judge(out *Advice) {
	left := make([]bool, a.options)
	for i := range left {
		left[i] = a.refused == nil || a.refused[i] == ""
	}
	end := len(out.Goals)
	for i := len(a.moments) - 1; i >= 0; i-- {
		goals := out.Goals[end-len(a.moments[i].Goals) : end]
		end -= len(goals)
		for _, w := range goals {
			next := slices.Clone(left)
			for k := range next {
				next[k] = left[k] && (w.Top[k] || i > 0 && w.hardly(k))
			}
			if !slices.Contains(next, true) {
				a.best(out, left)
				return
			}
			if out.By == "" && slices.Contains(next, false) {
				out.By = w.Goal
			}
			left = next
		}
	}
	a.best(out, left)
}

// best notes which options are left.
func (a *adviser) best(out *Advice, left []bool) {
	for k, one := range left {
		if one {
			out.Equal = append(out.Equal, k)
		}
	}
	if out.Best = max(slices.Index(left, true), 0); left[a.usual] {
		out.Best = a.usual
	}
}

// LittleChance is how far two chances may lie apart that hardly differ.
const LittleChance = 0.01

// refuse takes out what options are worth that the rules refuse.
func (w *Worth) refuse(why []string) {
	if why == nil {
		return
	}
	w.Values = slices.Clone(w.Values)
	for k, text := range why {
		if text != "" {
			w.Values[k] = math.NaN()
		}
	}
	top := w.highest()
	w.Top = slices.Clone(w.Top)
	for k := range why {
		switch {
		case math.IsNaN(w.Values[k]):
			w.Top[k] = false
		case w.Half == nil:
			w.Top[k] = w.Values[k] >= top-1e-9
		}
	}
}

// hardly says whether an option is hardly worse than the best.
func (w *Worth) hardly(option int) bool {
	return w.Chance && w.highest()-w.Values[option] < LittleChance
}

// highest gives the highest value; one that is not a number does not count.
func (w *Worth) highest() float64 {
	top := math.Inf(-1)
	for _, x := range w.Values {
		if x > top {
			top = x
		}
	}
	return top
}

// top finds the best of exact values.
func (w *Worth) top() {
	top := w.highest()
	for _, x := range w.Values {
		w.Top = append(w.Top, x >= top-1e-9)
	}
}

// Estimate says what n trials tell of the options, by what each came to.
func (w *Worth) Estimate(figures [][]float64, n int) {
	for _, all := range figures {
		mean, half := dist.MeanOf(all[:n], nil)
		if w.Chance {
			half = dist.Half(int64(math.Round(mean*float64(n))), int64(n))
		}
		w.Values, w.Half = append(w.Values, mean), append(w.Half, half)
	}
	best := max(slices.Index(w.Values, w.highest()), 0)
	for k := range figures {
		w.Top = append(w.Top, k == best || !dist.Proven(figures[best][:n], figures[k][:n], len(figures)-1))
	}
	// Of two that have come to less than the best, the one that varies with it can be proven worse
	// although the other has come to even less: that is no reason to prefer the other.
	least := math.Inf(1)
	for k, x := range w.Values {
		if w.Top[k] {
			least = min(least, x)
		}
	}
	for k, x := range w.Values {
		w.Top[k] = w.Top[k] || x >= least
	}
}

// bound takes in what is certain: an option whose most is below the least of another is worse.
func (w *Worth) bound(least, most []float64) {
	w.Least, w.Most = least, most
	w.Top = slices.Clone(w.Top)
	best := 0
	for k := range least {
		if least[k] > least[best] {
			best = k
		}
	}
	for k := range most {
		if most[k] < least[best]-1e-9 {
			w.Top[k] = false
		}
	}
	if !slices.Contains(w.Top, true) {
		w.Top[best] = true
	}
}

// compileAside compiles the report of a goal against the session, without keeping
// anything it declares.
func compileAside(s *core.Run, src *lang.Source) (*code.Func, lang.Diagnostics) {
	tree, diags := lang.Parse(src)
	if core.Failed(diags) {
		return nil, diags
	}
	w := s.World.Clone()
	store, slots := len(s.M.Store), len(w.Prog.Slots)
	out, diags := compile.Compile(w, tree)
	if core.Failed(diags) {
		return nil, diags
	}
	if len(s.M.Store) != store || len(w.Prog.Slots) != slots || len(out.Statements) != 1 {
		return nil, lang.Diagnostics{{Message: "a goal is an expression, and declares nothing"}}
	}
	return out.Statements[0].Func, nil
}

// OfQuestion works out what each option of a question is worth. It may be called before the answer is
// given, not later.
func OfQuestion(ctx context.Context, q interp.Question, cfg Config) (a *Advice, err error) {
	q.At(func() { a, err = advise(ctx, core.Of(q.Session), cfg) })
	return a, err
}

// OfTurn finds the commands that are worth most for the goals of whoever acts. It may be called before
// the command is given, not later.
func OfTurn(ctx context.Context, t interp.Turn, cfg Config) (*Advice, error) {
	s := core.Of(t.Session)
	who, _ := s.M.Acting()
	return suggest(ctx, s, who, t.Default, cfg)
}
