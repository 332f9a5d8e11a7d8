package advice

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"setpiece/interp/dist"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	graph "setpiece/interp/internal/odds"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// Before a command there are no options to compare: what somebody could do has to be
// found. The verbs, whom they can be aimed at, the traits of the sheet and the clauses
// span more commands than can be played out, so that they are searched with a beam
// (Lowerre, The Harpy Speech Recognition System, 1976):
//
//   - Each verb with each target and each trait is tried: a command that the rules
//     refuse, that changes nothing, or behind which the turn is not over is dropped. A few
//     throws of the command alone say what it comes to, and for each verb and target
//     the best few go on.
//     Whom the default tactics do not choose from is a friend, or nobody's foe: a command
//     at one of those has to be shown to be better than what is done unasked.
//   - Those are played out to the end of the fight, all with the same dice. After some
//     trials the worse half is dropped, and the others get twice as many (sequential
//     halving: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed
//     Bandits, 2013).
//   - Then the best are tried with pools of traits and with single clauses as well. What
//     makes no difference is dropped again.
//
// Who wins a fight counts more than a single blow, but it takes many trials to see that a
// blow has changed it. So the commands that may be the best by the goal that is worked out
// last, as far as the trials tell, come first; among them those that change something of
// whom they are aimed at, the verb that would be used unasked, and then the order is that of what the command itself comes to. That is worked out exactly where it does not take long.

const (
	maxTried    = 240 // commands that are tried in one search
	screened    = 16  // throws of a command alone, to see what it comes to
	perTarget   = 3   // commands with one verb and target that go on
	beam        = 4   // commands that are tried with more
	poolBeam    = 2   // commands that are tried with pools
	maxPool     = 4   // traits in a pool
	maxWider    = 80  // pools that are made of one
	suggested   = 5   // commands that are shown
	firstRound  = 8   // trials before anything is dropped for being worse
	sameTrials  = 32  // trials after which two commands that came to the same in each are the same
	shownSooner = 300 * time.Millisecond
)

// candidate is a command that could be given.
type candidate struct {
	move   *language.Move
	head   language.Head
	tool   language.Choice
	extras []language.Choice
	text   string
	fn     *code.Func
	soon   [][]float64  // by goal of the command itself: what it came to when it was screened
	all    [][]float64  // by goal: what it came to in each trial
	exact  []float64    // by goal of the command itself; nil where that takes too long
	aside  bool         // it is aimed at somebody who is no foe
	moved  map[int]bool // where it changed something of somebody in some throw
	toward []float64    // what it did to the numbers of whom it is aimed at, summed over the throws
	effect effect
	tier   int // see rank
}

// searcher advises on a command.
type searcher struct {
	adviser
	off     int
	usual   string // the command that would be done unasked
	near    int    // so many of the goals are those of the command itself
	goals   int
	tried   int
	known   map[string]bool
	pools   map[string]bool // commands with pools, their traits in alphabetical order
	left    []*candidate
	first   *candidate  // what would be done unasked; nil when that is nothing
	base    *decl.World // that the commands are compiled in
	foes    []int       // where their sheets are
	terms   language.Terms
	found   int    // commands to try, as long as not all were
	unaimed bool   // what would be done unasked is not aimed at anybody, so that it is no merit to be
	chance  []bool // by goal: every value was a truth

	progress func(*Advice) bool // see Config
	next     time.Time          // when to show something
}

// suggest compares the commands that somebody could give now. The run is as it was
// afterwards.
func suggest(ctx context.Context, s *core.Run, who value.V, usual string, cfg Config) (*Advice, error) {
	m := s.M
	x := &searcher{adviser: adviser{s: s, ctx: ctx, who: who, wants: who}, off: who.Off(), usual: usual, known: map[string]bool{}, pools: map[string]bool{}}
	for _, at := range language.TurnMoments(s.World, m, who) {
		x.moments = append(x.moments, moment{Moment: at})
	}
	first := x.moments[0].Frame
	if err := x.aims(cfg.Goal); err != nil {
		return nil, err
	}
	if len(language.Aims(s.World)) > 0 && len(s.Foes(who)) == 0 && cfg.Goal == "" && (len(x.moments) == 0 || x.moments[len(x.moments)-1].Frame == first) {
		return nil, ErrNoFoe
	}
	if x.moments[0].Frame != first { // the command itself has no goal
		x.moments = slices.Insert(x.moments, 0, moment{Moment: language.Moment{Frame: first}})
	}
	world, size := s.World, len(m.Store)
	was := m.Suspend()
	defer func() {
		m.Resume(was)
		m.Store, s.World = m.Store[:size], world
	}()
	x.foes, x.terms = s.Foes(who), s.Terms(who)
	x.prepare()
	x.base = language.Unattended(s.World)
	m.Prog = x.base.Prog
	for i := range m.Prog.Last[1] - m.Prog.Last[0] {
		m.Store[m.Prog.Last[0]+i] = value.None // a command without an outcome has none
	}
	x.was = m.Suspend()
	x.near = len(x.moments[0].Goals)
	for _, at := range x.moments {
		x.goals += len(at.Goals)
	}
	x.chance = make([]bool, x.goals)
	for i := range x.chance {
		x.chance[i] = true
	}
	if cfg.Progress != nil {
		x.watched = time.Now
	}
	return x.search(cfg)
}

// ErrNoFoe says that there is no advice on a command, because nobody is against whoever has the turn
// and nothing that the rules declare a goal for is on.
var ErrNoFoe = errors.New("nobody here is a foe, so no command is better than another: it depends on what is tried")

// search runs the search to its end, or as long as somebody watches.
func (x *searcher) search(cfg Config) (*Advice, error) {
	trials := cfg.Trials
	if trials == 0 {
		trials = DefaultAdviceTrials
		if cfg.Progress != nil {
			trials = maxAdviceTrials
		}
	}
	if x.progress = cfg.Progress; x.progress != nil {
		x.next = x.watched().Add(shownSooner)
	}
	err := x.rounds(trials)
	if _, ok := err.(seenEnough); ok {
		err = x.exactly()
	}
	if err != nil && (x.ctx.Err() == nil || !x.shown()) {
		return nil, err
	}
	return x.suggestions(), nil
}

// shown says whether there is something to show.
func (x *searcher) shown() bool { return len(x.left) > 0 && len(x.left[0].all) > 0 }

// seenEnough ends a search that has been watched long enough.
type seenEnough struct{}

func (seenEnough) Error() string { return "seen enough" }

// watch shows whoever watches what is known, when it is time to or at once.
func (x *searcher) watch(now bool) error {
	if x.progress == nil || !x.shown() || !now && x.watched().Before(x.next) {
		return nil
	}
	if !x.progress(x.suggestions()) {
		return seenEnough{}
	}
	x.next = x.watched().Add(patience)
	return nil
}

// early shows whoever watches something before the other commands are tried: what is most likely good, the
// verb that would be used unasked at each foe and with each tool.
func (x *searcher) early(lists [][]*candidate) error {
	verb, _, _ := strings.Cut(x.usual, " ")
	if x.progress == nil || verb == "" {
		return nil
	}
	var list []*candidate
	for _, of := range lists {
		if of[0].move.Verb == verb {
			list = slices.DeleteFunc(slices.Clone(of), func(k *candidate) bool { return k.aside || len(k.extras) > 0 })
		}
	}
	plain := func(k *candidate) int { return len(k.tool.Text) }
	slices.SortStableFunc(list, func(a, b *candidate) int { return min(plain(a), 1) - min(plain(b), 1) })
	for _, k := range list {
		if len(x.left) < 2*suggested {
			if err := x.add(k); err != nil {
				return err
			}
		}
	}
	for n := 2; n <= firstRound; n *= 2 {
		if err := x.play(x.left, n); err != nil {
			return err
		}
		if err := x.watch(true); err != nil {
			return err
		}
	}
	return nil
}

// rounds makes trials of the commands, more and more of ever fewer.
func (x *searcher) rounds(trials int) error {
	moves := slices.DeleteFunc(language.Moves(x.s.World, x.was, x.off, x.usual, x.terms), func(mv *language.Move) bool {
		return slices.Contains(x.terms.Unfit, mv.Verb)
	})
	if err := x.begin(moves); err != nil || len(x.left) == 0 {
		return err
	}
	x.found = 0
	n := min(firstRound, trials)
	if x.far() == 0 {
		n = min(sameTrials, trials) // the command alone takes little time
	}
	for grown := false; ; n = min(2*n, trials) {
		before := len(x.left)
		if err := x.round(n, !grown); err != nil {
			return err
		}
		few := len(x.left) <= suggested+1
		if few {
			if err := x.exactly(); err != nil {
				return err
			}
		}
		if err := x.watch(true); err != nil {
			return err
		}
		if grown && n == trials && (few || len(x.left) == before) || x.far() == 0 && x.allExact() {
			return nil
		}
		grown = true
	}
}

// round plays the commands that are left n times each and drops the worse half. In the
// first round it grows others out of the best.
func (x *searcher) round(n int, grow bool) error {
	if err := x.play(x.left, n); err != nil {
		return err
	}
	x.drop(n)
	if !grow {
		return nil
	}
	more, err := x.grow()
	if err == nil {
		err = x.play(more, n)
	}
	if err != nil {
		return err
	}
	x.left = append(x.left, more...)
	x.drop(n)
	return nil
}

// far is how many goals are worked out behind the command.
func (x *searcher) far() int { return x.goals - x.near }

func (x *searcher) allExact() bool {
	return len(x.left) <= suggested+1 && !slices.ContainsFunc(x.left, func(k *candidate) bool { return k.exact == nil })
}

// begin finds the commands to begin with.
func (x *searcher) begin(moves []*language.Move) error {
	var lists [][]*candidate // a list for each verb, so that none crowds out the others
	for _, mv := range moves {
		var list []*candidate
		for _, h := range mv.Heads {
			var said []language.Choice
			for _, e := range mv.Extras {
				if e.Said {
					said = append(said, e)
				}
			}
			aside := h.Who != 0 && !slices.Contains(x.foes, h.Who)
			if aside {
				if x.far() > 0 {
					list = append(list, &candidate{move: mv, head: h, aside: true})
				}
				continue
			}
			for _, tool := range append([]language.Choice{{}}, mv.Tools...) {
				list = append(list, &candidate{move: mv, head: h, tool: tool})
				if len(said) > 0 {
					list = append(list, &candidate{move: mv, head: h, tool: tool, extras: said})
				}
			}
		}
		if x.found += len(list); len(list) > 0 {
			lists = append(lists, list)
		}
	}
	if err := x.unasked(lists); err != nil {
		return err
	}
	if err := x.early(lists); err != nil {
		return err
	}
	for turn := 0; x.tried < maxTried; turn++ {
		some := false
		for _, list := range lists {
			if turn < len(list) && x.tried < maxTried {
				some = true
				if err := x.add(list[turn]); err != nil {
					return err
				}
			}
		}
		if !some {
			break
		}
	}
	x.screen()
	return nil
}

// unasked begins with the command that would be done unasked, as one of the lists has it,
// or else as it is.
func (x *searcher) unasked(lists [][]*candidate) error {
	if x.usual == "" {
		return nil
	}
	first := &candidate{text: x.usual}
	for _, list := range lists {
		for _, k := range list {
			if k.command() == x.usual {
				first = k
			}
		}
	}
	if err := x.add(first); err != nil || len(x.left) == 0 {
		return err
	}
	if x.first = first; first.move == nil {
		first.effect = effective
	}
	x.unaimed = first.head.Who == 0
	return nil
}

func (k *candidate) command() string { return k.move.Command(k.head, k.tool, k.extras...) }

// add takes a command up when the rules allow it.
func (x *searcher) add(k *candidate) error {
	if k.text == "" {
		k.text = k.command()
	}
	if x.known[k.text] {
		return nil
	}
	x.known[k.text] = true
	if !x.compile(k) {
		return nil
	}
	ok, err := x.fits(k)
	if err != nil || !ok {
		return err
	}
	x.tried++
	k.soon, k.moved = make([][]float64, x.near), map[int]bool{}
	if k.effect = none; k.head.Who != 0 {
		k.effect = idle
	}
	for n := range screened {
		if ok, err = x.trial(k, n, 0, k.soon); err != nil || !ok {
			return err
		}
	}
	x.left = append(x.left, k)
	return x.watch(false)
}

// compile compiles a command; no when it means nothing.
func (x *searcher) compile(k *candidate) bool {
	s := x.s
	file, diags := lang.Parse(lang.NewSource("", k.text))
	if core.Failed(diags) {
		return false
	}
	s.M.Resume(x.was.Suspend())
	size := len(s.M.Store)
	w := x.base.Clone()
	fn, diags := compile.CompileCommand(w, file, x.off)
	s.M.Store = s.M.Store[:size]
	if core.Failed(diags) {
		return false
	}
	k.fn, x.base = fn, w
	x.heap = s.Heap.Mark() // its constants stay
	return true
}

// start begins a command, with the dice of a trial.
func (x *searcher) start(k *candidate, n int) error {
	s, m := x.s, x.s.M
	m.Resume(x.was.Suspend())
	s.Count()
	m.Prog, m.Seeded, m.MaxSteps = x.base.Prog, true, core.Slice
	m.Seed(trials.Seed(0, int64(n)))
	return m.Command(k.fn)
}

// fits tries a command out: the rules do not refuse it, it does something, and the turn
// is over behind it.
func (x *searcher) fits(k *candidate) (bool, error) {
	m := x.s.M
	if x.start(k, 0) != nil {
		return false, nil
	}
	m.Attended = true
	reached, _, err := x.runToReturn(x.moments[0].Frame)
	if err != nil || !reached {
		return false, err
	}
	if m.Run() != machine.Acted || m.Unmoved() {
		return false, nil
	}
	depth := x.moments[0].Frame
	m.MaxSteps = m.Steps + core.Slice
	again := m.Run() == machine.NeedCommand && m.Depth() == depth
	if again {
		who, done := m.Acting()
		again = who == x.who && done > 0
	}
	x.forget()
	return !again, nil
}

// forget gives back what values took, all but those of code that has been linked.
func (x *searcher) forget() {
	if m := x.s.M; m.Links > x.links {
		x.heap, x.links = x.s.Heap.Mark(), m.Links
	}
	x.s.Heap.Release(x.heap)
}

// trial plays a command with the dice of trial n, up to a moment. No when the rules
// refuse it then.
func (x *searcher) trial(k *candidate, n, last int, figures [][]float64) (bool, error) {
	s, m := x.s, x.s.M
	if x.start(k, n) != nil {
		return false, nil
	}
	goal, over := 0, false
	for i := range x.moments[:last+1] {
		at := &x.moments[i]
		reached := false
		if !over {
			var err error
			if reached, over, err = x.runToReturn(at.Frame); err != nil {
				return false, err
			}
		}
		if i == 0 && !reached {
			x.forget()
			return false, nil
		}
		if i == 0 && last == 0 {
			x.compare(k)
		}
		for _, g := range at.Goals {
			v, truth := 0.0, true
			if reached {
				said, broken := m.Answer(g.Report)
				if broken != nil && i > 0 {
					return false, s.Host.Broken(broken)
				}
				if broken != nil || said == value.None {
					v = math.NaN() // a command without an outcome
				} else {
					v, truth = dist.NumberOf(s.Heap, said)
				}
			}
			x.chance[goal] = x.chance[goal] && truth
			figures[goal] = append(figures[goal], v)
			goal++
		}
	}
	x.forget()
	return true, nil
}

// compare notes what a command has changed.
func (x *searcher) compare(k *candidate) {
	m := x.s.M
	for _, e := range language.Instances(x.s.World) {
		for at := e.Off; at < e.Off+len(m.TypeOf(e.Off).Template); at++ {
			if m.Store[at] != x.was.Store[at] {
				k.moved[at] = true
			}
		}
	}
	if k.head.Who == 0 {
		return
	}
	from := k.head.Who
	if k.toward == nil {
		k.toward = make([]float64, len(m.TypeOf(from).Template))
	}
	for i := range k.toward {
		now, was := m.Store[from+i], x.was.Store[from+i]
		if now == was {
			continue
		}
		k.effect = min(k.effect, effective)
		k.toward[i] += number(now) - number(was)
	}
}

// number is what counts of a value: the sides of a die, and of what is no number nothing.
func number(v value.V) float64 {
	switch v.Kind() {
	case value.Int:
		return float64(v.Int())
	case value.Die:
		return float64(v.DieSize())
	}
	return 0
}

// pointless takes out what cannot be meant where there are foes: what does the opposite to one of them of
// what would be done unasked, as healing does, and what only throws dice, which changes nothing but what
// every command does.
func (x *searcher) pointless() {
	if len(x.foes) == 0 || x.usual == "" {
		return
	}
	verb, _, _ := strings.Cut(x.usual, " ")
	harm := map[int][]float64{}
	for _, k := range x.left {
		if k.has(verb) == 1 && k.effect == effective && k.toward != nil && harm[k.head.Who] == nil {
			harm[k.head.Who] = k.toward
		}
	}
	always := func(at int) bool {
		return !slices.ContainsFunc(x.left, func(k *candidate) bool { return !k.moved[at] })
	}
	left := slices.DeleteFunc(slices.Clone(x.left), func(k *candidate) bool {
		if k == x.first || k.move == nil {
			return false
		}
		along := 0.0
		for i, d := range harm[k.head.Who] {
			along += d * k.toward[i]
		}
		only := k.head.Who == 0
		for at := range k.moved {
			only = only && always(at)
		}
		return along < 0 || only
	})
	if len(left) > 0 {
		x.left = left
	}
}

// effect is what a command has done to whom it is aimed at.
type effect int

const (
	effective effect = iota
	none             // it is not aimed at anybody
	idle             // nothing, in any trial
)

// screen keeps what is best by what the command itself comes to, for each verb and
// target. Where nothing behind the command counts, what is aimed at somebody comes
// before what is not.
func (x *searcher) screen() {
	x.pointless()
	if x.far() == 0 && slices.ContainsFunc(x.left, func(k *candidate) bool { return k.head.Who != 0 }) {
		x.left = slices.DeleteFunc(x.left, func(k *candidate) bool { return k.head.Who == 0 && k.move != nil })
	}
	order := slices.Clone(x.left)
	x.rank(order, 0)
	type kind struct {
		move             *language.Move
		operands, target string
		extras           int
	}
	count := map[kind]int{}
	keep := map[*candidate]bool{}
	for _, k := range order {
		of := kind{k.move, k.head.Operands, k.head.Target, len(k.extras)}
		if count[of]++; count[of] <= perTarget {
			keep[k] = true
		}
	}
	x.left = slices.DeleteFunc(x.left, func(k *candidate) bool { return !keep[k] })
}

// mean gives the mean of figures; there is none of a command without an outcome.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, v := range xs {
		sum += v
	}
	return sum / float64(len(xs))
}

// play brings commands to n trials each. What is refused then is dropped.
func (x *searcher) play(list []*candidate, n int) error {
	last := len(x.moments) - 1
	for _, k := range list {
		if k.all == nil {
			k.all = make([][]float64, x.goals)
		}
		for len(k.all[0]) < n {
			ok, err := x.trial(k, len(k.all[0]), last, k.all)
			if err != nil {
				return err
			}
			if !ok {
				k.all = nil
				break
			}
			if err := x.watch(false); err != nil {
				return err
			}
		}
	}
	return nil
}

// rank puts commands in order, the best first, by n trials; with none by what they came
// to when they were screened.
func (x *searcher) rank(list []*candidate, n int) {
	x.sort(list, n)
	slices.SortStableFunc(list, func(a, b *candidate) int {
		if c := cmp.Or(cmp.Compare(a.tier, b.tier), x.byEffect(a, b)); c != 0 {
			return c
		}
		for g := range x.near {
			if c := cmp.Compare(x.worth(b, g, n), x.worth(a, g, n)); c != 0 {
				return c
			}
		}
		if n > 0 && x.far() > 0 {
			return cmp.Compare(mean(b.all[x.goals-1][:n]), mean(a.all[x.goals-1][:n]))
		}
		return 0
	})
}

func (x *searcher) byEffect(a, b *candidate) int {
	if x.unaimed {
		return 0
	}
	return cmp.Compare(a.effect, b.effect)
}

// The tiers of commands, the best first.
const (
	leading = iota // nothing says that another is better by the goal that is worked out last
	trailing
	aside // at a friend, and not shown to be better than what is done unasked
)

// sort finds the tiers of commands by n trials.
func (x *searcher) sort(list []*candidate, n int) {
	last := x.goals - 1
	var best *candidate
	for _, k := range list {
		k.tier = leading
		if n == 0 || x.far() == 0 {
			continue
		}
		if k.aside && (x.first == nil || len(x.first.all) == 0 || len(x.first.all[last]) < n || !surely(k.all[last][:n], x.first.all[last][:n])) {
			k.tier = aside
			continue
		}
		if best == nil || mean(k.all[last][:n]) > mean(best.all[last][:n]) {
			best = k
		}
	}
	for _, k := range list {
		if best != nil && k.tier == leading && surely(best.all[last][:n], k.all[last][:n]) {
			k.tier = trailing
		}
	}
}

// has says whether a command is one of a verb: 1, else 0.
func (k *candidate) has(verb string) int {
	if v, _, _ := strings.Cut(k.text, " "); v == verb {
		return 1
	}
	return 0
}

// surely says whether trials show that one command is better than another.
func surely(a, b []float64) bool {
	more, half := dist.MeanOf(a, b)
	return more > half
}

// worth is what a command comes to for a goal of its own.
func (x *searcher) worth(k *candidate, goal, n int) float64 {
	switch {
	case k.exact != nil:
		return k.exact[goal]
	case n < screened:
		return mean(k.soon[goal])
	}
	return mean(k.all[goal][:n])
}

// drop keeps the better half, after n trials each. Of those that come to the same the
// first is kept.
func (x *searcher) drop(n int) {
	x.left = slices.DeleteFunc(x.left, func(k *candidate) bool { return k.all == nil })
	var kept []*candidate
	for _, k := range x.left {
		if !slices.ContainsFunc(kept, func(o *candidate) bool { return k.sameAs(o, n) }) {
			kept = append(kept, k)
		}
	}
	x.left = kept
	x.rank(x.left, n)
	few := suggested
	if n < sameTrials {
		few *= 2 // some may turn out to come to the same
	}
	few = max(few, (len(x.left)+1)/2)
	x.left = slices.DeleteFunc(x.left, func(k *candidate) bool {
		few--
		// It takes more trials to see what is done for a friend.
		return few < 0 && !(k.aside && n < sameTrials) && k != x.first
	})
}

// sameAs says whether a command comes to the same as another, by n trials. It takes more
// of them to believe that of two traits than of two verbs.
func (k *candidate) sameAs(o *candidate, n int) bool {
	alike := k.move != nil && o.move != nil && k.move != o.move && k.operands() == o.operands()
	return (alike || n >= sameTrials) && k.comesTo(o, n)
}

// comesTo says whether nothing tells a command from another so far.
func (k *candidate) comesTo(o *candidate, n int) bool {
	if k.exact != nil && o.exact != nil && !slices.Equal(k.exact, o.exact) {
		return false
	}
	return same(k.soon, o.soon, screened) && same(k.all, o.all, n)
}

// operands is a command without its verb.
func (k *candidate) operands() string { return strings.TrimPrefix(k.text, k.move.Verb) }

// same says whether the first n figures for each goal are the same.
func same(a, b [][]float64, n int) bool {
	for g := range a {
		for i := range n {
			if a[g][i] != b[g][i] && !(math.IsNaN(a[g][i]) && math.IsNaN(b[g][i])) {
				return false
			}
		}
	}
	return true
}

// grow gives the best commands with pools of traits, and with clauses.
func (x *searcher) grow() ([]*candidate, error) {
	kept := x.left
	x.left = nil
	defer func() { x.left = kept }()
	var heads []*candidate
	for _, k := range kept {
		if k.move != nil && !k.aside && len(heads) < beam {
			heads = append(heads, k)
		}
	}
	for _, k := range heads[:min(len(heads), poolBeam)] {
		for _, p := range k.move.Pools {
			if err := x.pool(k, p); err != nil {
				return nil, err
			}
		}
	}
	for _, k := range heads {
		for _, e := range k.move.Extras {
			if slices.Contains(k.extras, e) {
				continue
			}
			more := &candidate{move: k.move, head: k.head, tool: k.tool, extras: append(slices.Clip(k.extras), e)}
			if err := x.add(more); err != nil {
				return nil, err
			}
		}
	}
	return x.left, nil
}

// pool tries a command with pools of two traits, and then the best of these with one
// more, as long as that is better.
func (x *searcher) pool(k *candidate, p language.Pool) error {
	before := x.left
	best := [][]string{nil}
	var found []*candidate
	for size := 2; size <= maxPool && len(best) > 0; size++ {
		x.left = nil
		parts := map[*candidate][]string{}
		for _, from := range best {
			for _, some := range wider(from, p.Parts, size) {
				c := &candidate{move: k.move, head: k.head, tool: p.Of(some), extras: k.extras}
				if x.pooled(k, p, some) {
					continue
				}
				if err := x.add(c); err != nil {
					return err
				}
				parts[c] = some
			}
		}
		x.rank(x.left, 0)
		best = nil
		for _, c := range x.left[:min(len(x.left), perTarget)] {
			best, found = append(best, parts[c]), append(found, c)
		}
	}
	x.rank(found, 0)
	x.left = append(before, found[:min(len(found), perTarget)]...)
	return nil
}

// pooled says whether a command with these traits was tried already, in whatever order they
// stand, and notes that it is tried now.
func (x *searcher) pooled(k *candidate, p language.Pool, some []string) bool {
	c := &candidate{move: k.move, head: k.head, tool: p.Of(slices.Sorted(slices.Values(some))), extras: k.extras}
	text := c.command()
	had := x.pools[text]
	x.pools[text] = true
	return had
}

// wider gives the sets of so many parts that are made by adding to one.
func wider(from, parts []string, size int) [][]string {
	var out [][]string
	for i, a := range parts {
		if slices.Contains(from, a) {
			continue
		}
		if len(from) == size-1 {
			out = append(out, append(slices.Clip(from), a))
			continue
		}
		for _, b := range parts[i+1:] {
			out = append(out, append(slices.Clip(from), a, b))
		}
	}
	return out[:min(len(out), maxWider)]
}

// exactly works out what the commands themselves come to, where that is not too much.
func (x *searcher) exactly() error {
	for _, k := range x.left[:min(suggested, len(x.left))] {
		if k.exact != nil || x.near == 0 {
			continue
		}
		if err := x.follow(k); err != nil {
			return err
		}
	}
	return nil
}

// follow follows everything that a command can lead to, unless that is too much.
func (x *searcher) follow(k *candidate) error {
	s, m := x.s, x.s.M
	m.Resume(x.was.Suspend())
	s.Count()
	m.Leave()
	m.Prog = x.base.Prog
	funcs := []*code.Func{k.fn}
	for _, g := range x.moments[0].Goals {
		funcs = append(funcs, g.Report)
	}
	g := graph.New(m, funcs, nil)
	defer g.Close()
	g.Limit, g.Least = soon.states, odds.Least
	ctx := x.ctx
	if x.watched != nil {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, quickly.within)
		defer done()
	}
	err := g.Build(ctx)
	defer func() { x.heap, x.links = s.Heap.Mark(), m.Links }()
	if err != nil {
		return x.ctx.Err()
	}
	var out []float64
	weights := g.Floats()
	if g.Err() != nil {
		return x.ctx.Err()
	}
	for _, goal := range x.moments[0].Goals {
		info := goal.Report.Reports()
		sum := 0.0
		for i := range g.Checkpoints {
			r := g.Checkpoints[i]
			if r.Kind != graph.Terminal || weights[i] == 0 {
				continue
			}
			v := math.NaN()
			reports, _ := odds.Seen(r)
			for _, rep := range reports {
				if m.Reported[rep.Info] == info && rep.Value != value.None {
					v, _ = dist.NumberOf(s.Heap, rep.Value)
				}
			}
			sum += weights[i] * v
		}
		out = append(out, sum)
	}
	k.exact = out
	return nil
}

// suggestions gives the best commands that have been played out so far, all with the
// same number of trials.
func (x *searcher) suggestions() *Advice {
	out := &Advice{Tried: x.tried, Found: x.found}
	var list []*candidate
	n, least := math.MaxInt, 2
	if x.found > 0 {
		out.Tried = len(x.known)
	}
	if slices.ContainsFunc(x.left, func(k *candidate) bool { return len(k.all) > 0 && len(k.all[0]) >= firstRound }) {
		least = firstRound
	}
	for _, k := range x.left {
		if len(k.all) > 0 && len(k.all[0]) >= min(least, n) {
			list, n = append(list, k), min(n, len(k.all[0]))
		}
	}
	if len(list) == 0 {
		return out
	}
	x.rank(list, n)
	if x.far() > 0 {
		verb, _, _ := strings.Cut(x.usual, " ")
		slices.SortStableFunc(list, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(a.tier, b.tier), x.byEffect(a, b), cmp.Compare(b.has(verb), a.has(verb)))
		})
	}
	found := list
	list = nil
	some := slices.ContainsFunc(found, func(k *candidate) bool { return k.effect == effective && k.tier != aside })
	for _, k := range found {
		alike := func(o *candidate) bool { return k.comesTo(o, n) }
		if some && k.effect == idle {
			continue
		}
		if k.tier != aside && len(list) < suggested && !slices.ContainsFunc(list, alike) {
			list = append(list, k)
			out.Commands = append(out.Commands, k.text)
		}
	}
	goal := 0
	for i, at := range x.moments {
		for _, g := range at.Goals {
			w := Worth{Goal: g.Name, Doc: g.Doc, After: at.Verb, Chance: x.chance[goal]}
			var figures [][]float64
			exact := i == 0
			for _, k := range list {
				figures = append(figures, k.all[goal][:n])
				exact = exact && k.exact != nil
			}
			if exact {
				for _, k := range list {
					w.Values = append(w.Values, k.exact[goal])
				}
				w.top()
			} else {
				w.Estimate(figures, n)
				out.Trials = n
			}
			out.Goals = append(out.Goals, w)
			goal++
		}
	}
	return out
}
