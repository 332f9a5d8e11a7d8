package danger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// watch plays trials in which it listens: to the spans that begin and end, so that it
// knows scenes and rounds, and at the end of each scene it asks the sheets, before what lasts
// for a scene is put back.

// watchedTrial is what was seen of one trial.
type watchedTrial struct {
	number int64
	stops  bool
	begun  bool             // a scene has begun
	limit  *interp.RunError // that it stopped at
	goal   float64          // the first of them
	goals  []float64        // kept of pairs
	scenes []sceneSeen
	steps  []stepSeen
	log    machine.Log // kept of some trials
}

// stepSeen is the end of a round or of a scene.
type stepSeen struct {
	scene, round int // round 0 is the end of the scene
	logged       int // how much was in the log by then
}

// sceneSeen is what was seen of a scene.
type sceneSeen struct {
	scene   int
	outcome string
	rounds  int
	people  []personSeen
}

// personSeen is somebody who took part in a scene, at its end.
type personSeen struct {
	who      int // among the names
	out      bool
	reserves []shownValue // by name of the reserve
}

type shownValue struct {
	name, shown string
	number      *big.Rat // nil where it is none
}

// sceneName is a scene of the script, or the whole of one without.
type sceneName struct {
	title string
	round string // what the rules call a round of it
}

// watch is a session that plays trials and listens.
type watch struct {
	s      *interp.Session
	p      *core.Prepared
	plain  *code.Program // that tells nothing
	goals  int           // reports at the end that are goals
	scenes []sceneName   // as they came up first
	order  []int         // of the scenes: as they follow one another
	names  []string      // of people, in the order of their declaration
	offs   []int
	group  string // those whose goal it is, as a word of the rules; ""
	ours   map[int]bool
	tally  *trials.Worker
	paired bool // the dice are those of the same trial of another script, see Beside

	trials int64
	spoken []int64      // by rule: in how many trials it had something to say
	latest []int64      // by rule: the last trial + 1 in which it had
	before []personSeen // how everybody stands as the scenes begin
	now    watchedTrial
	log    machine.Log
	open   []openSpan
	marks  []watchMark
}

type openSpan struct {
	name    string
	titled  bool
	number  bool // its title is a number: it is a round
	inner   bool // there was another with a title that is none
	scene   int
	rounds  int
	outcome string
}

type watchMark struct {
	scenes, steps int
	open          []openSpan
}

func newWatch(ctx context.Context, r *reporter) (*watch, error) {
	s := interp.NewSession(r.cfg)
	p, err := core.Of(s).Prepare(ctx, r.text)
	if err != nil {
		return nil, err
	}
	plain := p.World.Prog
	p.World, p.Plain = language.Traced(p.World, true), true
	w := &watch{s: s, p: p, plain: plain, goals: len(r.goals), ours: map[int]bool{}}
	w.tally = trials.Of(p, machine.NoteTurns)
	for _, g := range r.words {
		if _, _, ok := language.Covers(p.World, g); ok && w.group == "" {
			w.group = g
		}
	}
	for _, e := range language.Instances(p.World) {
		if !e.Part {
			w.names, w.offs = append(w.names, e.Name), append(w.offs, e.Off)
		}
	}
	return w, nil
}

// trial plays one trial. With a start, what is given there falls first, and the generator has
// another seed, see swing.
func (w *watch) trial(ctx context.Context, k int64, from *prefix) (*watchedTrial, error) {
	p := w.p
	s, m := p.Run, p.Run.M
	m.Mode, m.Prog = machine.Trial(machine.NoteNothing, false), p.World.Prog
	m.Faces, m.Answers, m.Picks = nil, nil, nil
	m.Out, m.Log = machine.Observer(w), &w.log
	m.Noted = m.Noted[:0]
	switch {
	case w.paired:
		m.Seed(trials.Seed(s.Seed, k))
		m.Pair(trials.Seed(s.Seed, k))
	case from == nil:
		m.Noting = machine.NoteTurns
		m.Seed(trials.Seed(s.Seed, k))
	default:
		m.Out, m.Log = nil, nil
		m.Prog = w.plain
		m.Seed(from.seed)
		w.s.Give(from.past)
	}
	s.Count()
	p.Rewind()
	m.Reports = m.Reports[:0]
	mark, links := s.Heap.Mark(), m.Links
	w.log = w.log[:0]
	w.now = watchedTrial{number: k}
	w.open, w.marks = nil, nil
	err := p.Execute(ctx, 1)
	if e := ctx.Err(); e != nil {
		return nil, e
	}
	if from == nil && !w.paired {
		if err := w.tally.Note(m.Noted, k); err != nil {
			return nil, err
		}
		w.tally.Count(w.tally.EndOf(err), 1, k)
	}
	t := w.now
	var re *interp.RunError
	switch {
	case errors.As(err, &re):
		if t.stops = true; re.Kind == interp.Limit {
			t.limit = re
		}
	case err != nil:
		return nil, err
	case len(m.Reports) < w.goals:
		t.stops = true
	default:
		for _, r := range m.Reports[len(m.Reports)-w.goals:] {
			x, _ := dist.NumberOf(s.Heap, r.Value)
			t.goals = append(t.goals, x)
		}
		t.goal = t.goals[0]
		if from == nil && len(t.scenes) == 0 && !t.stops {
			w.now.scenes = nil
			at := w.scene("", "")
			w.closeScene(at, w.roundsOf(at)-1, w.lastOutcome())
			t.scenes, t.steps = w.now.scenes, w.now.steps
		}
	}
	if from == nil {
		w.trials++
		t.log = w.log
	}
	p.Rewind()
	m.Out, m.Log, m.Faces, m.Answers, m.Picks, m.Reporting = nil, &s.Log, nil, nil, nil, false
	if m.Links == links {
		s.Heap.Release(mark)
	}
	return &t, nil
}

// lastOutcome shows what the last command came to.
func (w *watch) lastOutcome() string {
	m := w.p.Run.M
	if m.Prog.Last[0] >= len(m.Store) || m.Store[m.Prog.Last[0]] == value.None {
		return ""
	}
	return m.Show(m.Store[m.Prog.Last[0]])
}

// scene gives the number of a scene.
func (w *watch) scene(title, round string) int {
	i := slices.IndexFunc(w.scenes, func(s sceneName) bool { return s.title == title })
	if i < 0 {
		i = len(w.scenes)
		w.scenes = append(w.scenes, sceneName{title: title})
	}
	if round != "" {
		w.scenes[i].round = round
	}
	return i
}

// begin and end follow the spans. A scene is one with a title that has no other with a title
// inside it, a round one whose title is a number.
func (w *watch) begin(name, title string) {
	_, err := strconv.Atoi(title)
	x := openSpan{name: name, titled: title != "", number: title != "" && err == nil, scene: -1}
	if x.titled {
		for i := range w.open {
			o := &w.open[i]
			if x.number {
				o.rounds++
			} else {
				o.inner = true
			}
		}
	}
	switch {
	case x.number:
		x.scene = w.scene(w.inScene(), name)
	case x.titled:
		x.scene = w.scene(title, "")
		w.beginScenes()
	}
	w.open = append(slices.Clip(w.open), x)
	if x.number {
		w.askOurs()
	}
}

// inScene gives the title of the innermost scene that is on.
func (w *watch) inScene() string {
	for _, o := range slices.Backward(w.open) {
		if o.titled && !o.number {
			return w.scenes[o.scene].title
		}
	}
	return ""
}

func (w *watch) end(name string) {
	for i := len(w.open) - 1; i >= 0; i-- {
		x := w.open[i]
		if x.name != name {
			continue
		}
		if x.titled && !x.number {
			for _, o := range slices.Backward(w.open[i+1:]) { // a scene ends the round that is on
				if o.number {
					w.step(o.scene, w.roundsOf(o.scene))
				}
			}
			w.open = w.open[:i:i]
		} else {
			w.open = slices.Delete(slices.Clone(w.open), i, i+1) // a round may begin in a turn
		}
		switch {
		case x.number:
			w.step(x.scene, w.roundsOf(x.scene))
		case x.titled && !x.inner:
			w.closeScene(x.scene, x.rounds, x.outcome)
		}
		return
	}
}

// roundsOf says how many rounds of a scene there have been.
func (w *watch) roundsOf(scene int) int {
	n := 1
	for _, s := range slices.Backward(w.now.steps) {
		if s.scene == scene && s.round > 0 {
			return s.round + 1
		}
	}
	return n
}

func (w *watch) step(scene, round int) {
	w.now.steps = append(w.now.steps, stepSeen{scene, round, len(w.log)})
}

// closeScene notes how everybody stands.
func (w *watch) closeScene(scene, rounds int, outcome string) {
	w.askOurs()
	x := sceneSeen{scene: scene, outcome: outcome, rounds: rounds, people: w.people(true)}
	w.now.scenes = append(w.now.scenes, x)
	w.step(scene, 0)
}

// beginScenes notes how everybody stands as the first scene of a trial begins, behind what the
// script does above it. What is not the same in each trial is not shown.
func (w *watch) beginScenes() {
	if w.now.begun || w.before == nil {
		return
	}
	w.now.begun = true
	for i, p := range w.people(false) {
		for k, v := range p.reserves {
			if b := w.before[i].reserves; k < len(b) && w.trials == 0 {
				b[k] = v
			} else if k < len(b) && b[k].shown != v.shown {
				b[k].shown = ""
			}
		}
	}
}

// people asks the sheets how everybody stands who takes part.
func (w *watch) people(listed bool) []personSeen {
	m := w.p.Run.M
	aside := m.Aside()
	var out []personSeen
	for i, off := range w.offs {
		sum, ok, err := aside.Summary(off)
		if listed && (!ok || err != nil) {
			continue
		}
		x := personSeen{who: i, out: sum.Out}
		if r, ok, err := aside.Reserves(off); ok && err == nil {
			for k, v := range r.Values {
				s := shownValue{name: strings.ReplaceAll(r.Names[k], "_", " "), shown: m.Show(v)}
				if v.IsNumber() {
					s.number = m.Heap.RatOf(v)
				}
				x.reserves = append(x.reserves, s)
			}
		}
		out = append(out, x)
	}
	return out
}

// askOurs asks the rules, in the first trials, who they are whose goal it is.
func (w *watch) askOurs() {
	if w.group == "" || w.trials >= 20 {
		return
	}
	list, offs, ok := language.Covers(w.p.World, w.group)
	if ok && list != nil {
		if v, err := w.p.Run.M.Aside().Ask(list, value.None); err == nil && v.Kind() == value.List {
			for _, e := range w.p.Run.Heap.Elems(v) {
				if e.Kind() == value.Ref {
					offs = append(offs, e.Off())
				}
			}
		}
	}
	for _, off := range offs {
		w.ours[slices.Index(w.offs, off)] = true
	}
}

func (w *watch) spoke(rule int32) {
	if rule < 0 {
		return
	}
	for int(rule) >= len(w.spoken) {
		w.spoken, w.latest = append(w.spoken, 0), append(w.latest, 0)
	}
	if w.latest[rule] != w.trials+1 {
		w.latest[rule] = w.trials + 1
		w.spoken[rule]++
	}
}

// Event implements machine.Observer.
func (w *watch) Event(m *machine.Machine, info any, r []value.V, _ lang.Span, rule int32) {
	switch x := info.(type) {
	case *ir.SpanInfo:
		if x.End {
			w.end(x.Name)
			return
		}
		title := ""
		if r[0] != value.None {
			title = m.Show(r[0])
		}
		w.begin(x.Name, title)
	case *ir.OutcomeInfo:
		w.spoke(rule)
		if x.SoFar {
			return
		}
		for i := range w.open {
			w.open[i].outcome = m.Show(r[0])
		}
	case *ir.ReachedInfo, *ir.PassedInfo, *ir.ReportInfo, *code.Declined:
	default:
		w.spoke(rule)
	}
}

// Changed implements machine.Observer.
func (w *watch) Changed(_ *machine.Machine, _ int, f *code.Field, _, _ value.V, _ lang.Span, rule int32) {
	if !f.Hidden {
		w.spoke(rule)
	}
}

// Thrown implements machine.Observer.
func (w *watch) Thrown(_ *machine.Machine, _ any, _ []value.V, _ []machine.Source, _ lang.Span, rule int32) {
	w.spoke(rule)
}

// Answered implements machine.Observer.
func (w *watch) Answered(_ *machine.Machine, _ *machine.Question, _ int, by string) {}

// Kept implements machine.Observer.
func (w *watch) Kept(*machine.Machine, value.V) {}

// Mark implements machine.Observer.
func (w *watch) Mark() int {
	w.marks = append(w.marks, watchMark{len(w.now.scenes), len(w.now.steps), slices.Clone(w.open)})
	return len(w.marks) - 1
}

// Rollback implements machine.Observer.
func (w *watch) Rollback(n int) {
	m := w.marks[n]
	w.marks = w.marks[:n]
	w.now.scenes, w.now.steps, w.open = w.now.scenes[:m.scenes], w.now.steps[:m.steps], m.open
}

// Release implements machine.Observer.
func (w *watch) Release() { w.marks = w.marks[:len(w.marks)-1] }

// listen plays trials and sums up what was seen, and what takes others that go on from there.
func (r *reporter) listen(ctx context.Context) error {
	out := r.report
	w, err := newWatch(ctx, r)
	if err != nil {
		return err
	}
	kept := followed(out.Trials)
	candidates := min(4*kept, out.Looked) // of those to be followed
	w.before = w.people(false)
	r.heard = w.tally
	r.rc.Say("trials")
	var all []*watchedTrial
	for k := range out.Looked {
		t, err := w.trial(ctx, k, nil)
		if err != nil {
			return err
		}
		if t.goals = nil; k < candidates {
			t.log = slices.Clone(t.log)
		} else {
			t.log = nil
			for i := range t.steps {
				t.steps[i].logged = 0
			}
		}
		all = append(all, t)
	}
	w.order = sceneOrder(all)
	out.Modules, out.Options = assist.Modules(w.s), assist.Options(w.s)
	out.Chosen = r.chosen(ctx, out.Modules, out.Options)
	out.Scenes = w.sceneFigures(all)
	out.Falls, out.Never = w.falls(all)
	out.Reserves = w.reserves(all)
	out.Ends = w.ends(all, r.cfg.Seed, out.NoGoal == nil)
	out.Rules = w.rules()
	for who := range w.names {
		if w.ours[who] {
			out.Ours = append(out.Ours, w.names[who])
		}
	}
	r.rc.Say("rounds")
	if out.Swing, err = w.swing(ctx, all, representative(all, int(kept), int(candidates)), r.cfg.Seed); err != nil {
		return err
	}
	r.rc.Say("decisions")
	if err := r.worth(ctx); err != nil {
		return err
	}
	r.rc.Say("changes")
	return r.propose(ctx)
}

// sceneOrder puts scenes in the order in which trials come to them. A scene that others do not
// come to stands behind the one before it.
func sceneOrder(all []*watchedTrial) (order []int) {
	for _, t := range all {
		at := 0
		for _, s := range t.scenes {
			if i := slices.Index(order, s.scene); i >= 0 {
				at = i + 1
			} else {
				order = slices.Insert(order, at, s.scene)
				at++
			}
		}
	}
	return order
}

// chosen names the options that are not as the system has them.
func (r *reporter) chosen(ctx context.Context, modules []string, options []assist.OptionInfo) []string {
	if len(modules) == 0 {
		return nil
	}
	cfg := r.cfg
	cfg.Options = nil
	s := interp.NewSession(cfg)
	if s.Exec(ctx, lang.NewSource("", "use "+modules[0]+"\n")) != nil {
		return nil
	}
	var out []string
	usual := assist.Options(s)
	for _, o := range options {
		if !slices.ContainsFunc(usual, func(u assist.OptionInfo) bool { return u.Name == o.Name && u.Value == o.Value }) {
			out = append(out, o.Name)
		}
	}
	return out
}

// sceneFigures sums up each scene.
func (w *watch) sceneFigures(all []*watchedTrial) []ReportScene {
	var out []ReportScene
	for _, i := range w.order {
		s := w.scenes[i]
		outcome, rounds := dist.NewCollector("outcome"), dist.NewCollector(cmp.Or(s.round, "round"))
		n, had, ended := int64(0), int64(0), int64(0)
		count := map[int]int64{}
		words := map[string]int64{}
		for _, t := range all {
			at := slices.IndexFunc(t.scenes, func(x sceneSeen) bool { return x.scene == i })
			if at < 0 {
				continue
			}
			n++
			x := t.scenes[at]
			if x.rounds > 0 {
				had++
				count[x.rounds]++
			}
			if x.outcome != "" {
				ended++
				words[x.outcome]++
			}
		}
		if n == 0 {
			continue // only what holds others
		}
		x := ReportScene{Title: s.title, Reached: chanceIn(n, int64(len(all))), Round: s.round, Over: n}
		for k, c := range count {
			rounds.Add(dist.Point{Shown: strconv.Itoa(k), Number: big.NewRat(int64(k), 1), P: float64(c) / float64(had)})
		}
		for word, c := range words {
			outcome.Add(dist.Point{Shown: word, P: float64(c) / float64(ended)})
		}
		if had > 0 {
			x.Rounds = rounds.Law()
		}
		if ended > 0 {
			outcome.L.Numbers = false
			x.Outcome = outcome.Law()
		}
		out = append(out, x)
	}
	return out
}

// falls says who is out at the end of which scene, and who never is.
func (w *watch) falls(all []*watchedTrial) (out []Fall, never []string) {
	type key struct{ scene, who int }
	there, fell := map[key]int64{}, map[key]int64{}
	once := map[int]bool{}
	for _, t := range all {
		for _, s := range t.scenes {
			for _, p := range s.people {
				k := key{s.scene, p.who}
				there[k]++
				if p.out {
					fell[k]++
					once[p.who] = true
				}
			}
		}
	}
	for _, i := range w.order {
		for who, name := range w.names {
			k := key{i, who}
			if fell[k] > 0 {
				out = append(out, Fall{name, w.scenes[i].title, w.ours[who], chanceIn(fell[k], there[k])})
			}
		}
	}
	for who, name := range w.names {
		present := false
		for i := range w.scenes {
			present = present || there[key{i, who}] > 0
		}
		if present && !once[who] && w.p.Run.M.Prog.Out(w.p.Run.M.TypeOf(w.offs[who])) != nil {
			never = append(never, name)
		}
	}
	return out, never
}

// reserves says what is left at the end of the last scene in which somebody took part.
func (w *watch) reserves(all []*watchedTrial) []Reserve {
	type count struct {
		v shownValue
		n int64
	}
	type key struct {
		who  int
		name string
	}
	byValue := map[key]map[string]*count{}
	total := map[key]int64{}
	for _, t := range all {
		last := map[int]personSeen{}
		for _, s := range t.scenes {
			for _, p := range s.people {
				last[p.who] = p
			}
		}
		for who := range w.names {
			for _, v := range last[who].reserves {
				k := key{who, v.name}
				if byValue[k] == nil {
					byValue[k] = map[string]*count{}
				}
				if byValue[k][v.shown] == nil {
					byValue[k][v.shown] = &count{v: v}
				}
				byValue[k][v.shown].n++
				total[k]++
			}
		}
	}
	var out []Reserve
	for who, name := range w.names {
		for _, b := range w.before[who].reserves {
			k := key{who, b.name}
			if total[k] == 0 {
				continue
			}
			c := dist.NewCollector(b.name)
			for _, x := range byValue[k] {
				c.Add(dist.Point{Shown: x.v.shown, Number: x.v.number, P: float64(x.n) / float64(total[k])})
			}
			l := c.Law()
			if len(l.Points) == 1 && (l.Points[0].Shown == "none" || l.Points[0].Shown == b.shown && l.Points[0].Shown == "0") {
				continue // there is no such thing here
			}
			out = append(out, Reserve{Who: name, Name: b.name, Before: b.shown, After: l, Over: total[k]})
		}
	}
	return out
}

// rules lists the rules that had something to say.
func (w *watch) rules() []SpokenRule {
	known := map[string]assist.RuleInfo{}
	list, err := assist.Rules(w.s, "")
	if err != nil {
		return nil
	}
	for _, r := range list {
		known[r.ID] = r
	}
	var out []SpokenRule
	for i, n := range w.spoken {
		if r, ok := known[language.IDOf(w.p.World, i)]; ok && n > 0 {
			out = append(out, SpokenRule{r, float64(n) / float64(w.trials)})
		}
	}
	slices.SortStableFunc(out, func(a, b SpokenRule) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.ID, b.ID))
	})
	return out
}

// ends picks the trials worth reading. What is better for those whose goal it is comes first:
// the goal, then fewer of them out, then more of the others, then fewer rounds. Where nothing
// says what is better the commonest are picked.
func (w *watch) ends(all []*watchedTrial, seed uint64, better bool) []ReportEnd {
	type ranked struct {
		t            *watchedTrial
		ours, others int
		rounds       int
		words        string
	}
	var list []ranked
	count := map[string]int64{}
	for _, t := range all {
		if t.stops {
			continue
		}
		x := ranked{t: t}
		last := map[int]bool{}
		for _, s := range t.scenes {
			x.rounds += s.rounds
			for _, p := range s.people {
				last[p.who] = p.out
			}
		}
		var out []string
		for who, name := range w.names {
			switch {
			case !last[who]:
				continue
			case w.ours[who]:
				x.ours++
			default:
				x.others++
			}
			out = append(out, name)
		}
		words := "nobody is out"
		switch n := len(out); {
		case n == 1:
			words = out[0] + " is out"
		case n > 1:
			words = lang.AllOf(out) + " are out"
		}
		if n := len(t.scenes); n > 0 && t.scenes[n-1].outcome != "" {
			words = t.scenes[n-1].outcome + ", and " + words
		}
		x.words = fmt.Sprint(t.goal) + "\x00" + words
		count[x.words]++
		list = append(list, x)
	}
	if len(list) == 0 {
		return nil
	}
	n := int64(len(list))
	end := func(what string, x ranked) ReportEnd {
		_, words, _ := strings.Cut(x.words, "\x00")
		return ReportEnd{What: what, Words: words, Goal: x.t.goal, Share: chanceIn(count[x.words], n), Seed: trials.Seed(seed, x.t.number)}
	}
	if !better {
		seen := map[string]bool{}
		first := slices.Clone(list)
		first = slices.DeleteFunc(first, func(x ranked) bool {
			again := seen[x.words]
			seen[x.words] = true
			return again
		})
		slices.SortStableFunc(first, func(a, b ranked) int { return cmp.Compare(count[b.words], count[a.words]) })
		var out []ReportEnd
		for i, what := range []string{"the commonest", "the next", "the one after that"} {
			if i < len(first) {
				out = append(out, end(what, first[i]))
			}
		}
		return out
	}
	common := list[0]
	for _, x := range list {
		if count[x.words] > count[common.words] {
			common = x
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.t.goal, a.t.goal), cmp.Compare(a.ours, b.ours), cmp.Compare(b.others, a.others), cmp.Compare(a.rounds, b.rounds))
	})
	return []ReportEnd{end("the commonest", common), end("in the middle", list[len(list)/2]), end("the worst", list[len(list)-1])}
}
