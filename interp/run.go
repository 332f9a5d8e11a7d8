package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"weak"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// The limits that hold where Limits says nothing.
const (
	DefaultSteps  = 200_000_000
	DefaultDepth  = 1000
	DefaultSize   = 100_000
	DefaultDice   = 10_000_000
	DefaultOutput = 16 << 20
	DefaultTime   = 10 * time.Minute
	DefaultMemory = 512 << 20
	DefaultSource = 4 << 20
)

func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// NewSession makes an empty session: no module in use, nothing declared.
func NewSession(cfg Config) *Session {
	s := &Session{cfg: cfg, heap: value.NewHeap(), hands: handsOf(cfg), releaseFrom: releaseFrom}
	s.m = &machine.Machine{Heap: s.heap}
	s.world = compile.New(s.heap, &s.m.Store)
	s.world.FS, s.world.Folder, s.world.Set, s.world.Prompt = cfg.Modules, cfg.Folder, cfg.Options, cfg.Prompt
	s.m.Prog = s.world.Prog
	s.m.MaxDepth = or(cfg.Limits.Depth, DefaultDepth)
	s.m.MaxSize = or(cfg.Limits.Size, DefaultSize)
	s.Give(Record{{Faces: cfg.Dice, By: ByGiven}})
	s.m.Seeded = cfg.Chance == nil
	s.m.Attended = true
	s.Seed(cfg.Seed)
	s.SetEvents(cfg.Events)
	return s
}

// Seed starts the generator anew.
func (s *Session) Seed(seed uint64) {
	s.cfg.Seed = seed
	s.m.Seed(seed)
}

// SetChance says who throws the dice from now on; nil: the seeded generator.
func (s *Session) SetChance(c Chance) {
	s.cfg.Chance = c
	s.m.Seeded = c == nil
}

// SetChoice says who decides from now on; nil: every decision's default.
func (s *Session) SetChoice(c Choice) { s.cfg.Choice = c }

// SetEvents says who listens from now on; nil: nobody.
func (s *Session) SetEvents(f func(*Event)) {
	s.cfg.Events = f
	s.tell, s.m.Out = nil, nil
	if f != nil {
		s.tell = &eventSink{s: s, out: f}
		s.m.Out = s.tell
	}
	s.world = language.Traced(s.world, f != nil)
	s.m.Prog = s.world.Prog
}

// SetStandings says whether events say how everybody stands, see Config.
func (s *Session) SetStandings(on bool) { s.cfg.Standings = on }

func facesOf(given []machine.GivenFace) []int {
	var out []int
	for _, g := range given {
		out = append(out, g.Face)
	}
	return out
}

// DropDice forgets the faces that were given from outside and have not fallen yet; with
// script also those of dice statements.
func (s *Session) DropDice(script bool) {
	s.m.Faces = nil
	if script {
		s.m.OwnFaces = nil
	}
}

// LeftDice gives the faces that were given and have not fallen yet.
func (s *Session) LeftDice() []int { return slices.Concat(s.m.OwnFaces, facesOf(s.m.Faces)) }

// GivenDice gives the faces of LeftDice apart: those of dice statements, which fall first,
// and those given from outside.
func (s *Session) GivenDice() (script, outside []int) {
	return slices.Clone(s.m.OwnFaces), facesOf(s.m.Faces)
}

// Faults says how many rules were broken and expectations not met so far.
func (s *Session) Faults() int { return s.faults }

// Snapshot is a session at one moment.
type Snapshot struct {
	world                          *decl.World
	store                          []value.V
	rng                            machine.Generator
	faces                          []machine.GivenFace
	ownFaces, ownAnswers, ownPicks []int
	answers                        []machine.GivenAnswer
	faults, refusals               int
	commands                       []machine.GivenCommand
	ownCommands                    []string
	picks                          []int
	on                             []span
	hands                          []hand
	seed                           uint64
	heap                           value.Mark
	used                           int64
}

// Snapshot notes everything a session is: what was declared, its state, the
// generator and what was given ahead.
func (s *Session) Snapshot() *Snapshot {
	p := s.snapshot()
	if n := len(s.snapshots); n > 0 {
		if last := s.snapshots[n-1].Value(); last != nil && slices.Equal(last.store, p.store) {
			p.store = last.store // what a step of the prompt begins with is what the one before ended with
		}
	}
	s.snapshots = append(s.snapshots, weak.Make(p))
	return p
}

func (s *Session) snapshot() *Snapshot {
	return &Snapshot{
		heap: s.heap.Mark(), used: s.heap.Used,
		world: s.world, store: slices.Clone(s.m.Store), rng: s.m.Generator(),
		faces: s.m.Faces, ownFaces: s.m.OwnFaces, answers: s.m.Answers, ownAnswers: s.m.OwnAnswers, ownPicks: s.m.OwnPicks,
		commands: s.m.Commands, ownCommands: s.m.OwnCommands, picks: s.m.Picks, on: s.on, hands: s.hands,
		faults: s.faults, refusals: s.m.Refusals, seed: s.cfg.Seed,
	}
}

// Restore puts the session back to a moment. The memory that values took which
// were made since is given back, unless a later Snapshot is still in use.
func (s *Session) Restore(p *Snapshot) {
	s.restore(p)
	s.release(p)
}

// Bytes is how much memory the values of the session took at that moment, roughly.
func (p *Snapshot) Bytes() int64 { return p.used }

// Waiting gives what statements of the script have given that has not been taken yet.
func (p *Snapshot) Waiting() Record {
	var log machine.Log
	for _, f := range p.ownFaces {
		log = append(log, machine.Answer{Kind: machine.Fell, N: f, By: ByScript, Own: true})
	}
	for _, n := range p.ownAnswers {
		log = append(log, machine.Answer{Kind: machine.Decided, N: n, By: ByScript, Own: true})
	}
	for _, n := range p.ownPicks {
		log = append(log, machine.Answer{Kind: machine.Decided, N: n, By: BySeed, Own: true})
	}
	for _, c := range p.ownCommands {
		log = append(log, machine.Answer{Kind: machine.Commanded, Text: c, By: ByScript, Own: true})
	}
	return recordOf(log)
}

// GivenDice is that of the session at that moment.
func (p *Snapshot) GivenDice() (script, outside []int) { return p.ownFaces, facesOf(p.faces) }

// releaseFrom is from how many bytes of values on a Restore gives them back.
const releaseFrom = 16 << 20

// release forgets the values made since a snapshot that the session has been put
// back to. Caches hold values too, and so may what is prepared and every later
// snapshot; those that nobody has any more are only known after a collection.
func (s *Session) release(p *Snapshot) {
	if s.heap.Used-p.used < s.releaseFrom {
		return
	}
	s.asked = nil
	runtime.GC()
	live := s.snapshots[:0]
	free := true
	for _, w := range s.snapshots {
		if x := w.Value(); x != nil {
			live = append(live, w)
			free = free && (!x.heap.Holds(p.heap) || p.heap.Holds(x.heap))
		}
	}
	s.snapshots = live
	if !free {
		return
	}
	s.m.Forget()
	s.heap.Release(p.heap)
	if s.declared.Holds(p.heap) {
		s.declares(p.heap)
	}
	debug.FreeOSMemory()
}

// Compact gives the memory back of values that were made and are not needed any more, if
// they may take much. It is for those who run many texts in one session, between two of
// them: then the state and the snapshots hold values, and what was declared, and nobody else.
func (s *Session) Compact() {
	made := s.heap.Used - s.declared.Bytes()
	if made < s.compactFrom {
		return
	}
	s.asked = nil
	roots := [][]value.V{s.m.Store}
	var held []*Snapshot // some that nobody has any more may be among them
	s.snapshots = slices.DeleteFunc(s.snapshots, func(w weak.Pointer[Snapshot]) bool {
		x := w.Value()
		if x != nil && !s.declared.Holds(x.heap) {
			if held = append(held, x); len(x.store) > 0 && &x.store[0] != &roots[len(roots)-1][0] { // two may share one
				roots = append(roots, x.store)
			}
		}
		return x == nil
	})
	s.m.Forget()
	s.heap.Compact(s.declared, roots...)
	for _, x := range held {
		x.heap, x.used = s.heap.Mark(), s.heap.Used
	}
	stays := s.heap.Used - s.declared.Bytes()
	s.compactFrom = stays + max(leastCompact, stays/4) // what stays is copied each time
	if made-stays > releaseFrom {
		debug.FreeOSMemory()
	}
}

// leastCompact is from how many bytes of values on Compact looks for those that nobody needs.
// What is declared later holds for good what was there before it, so these are few.
const leastCompact = 64 << 10

// declares notes that the values made so far stay, as what is being declared may hold them.
func (s *Session) declares(at value.Mark) { s.declared, s.compactFrom = at, leastCompact }

func (s *Session) restore(p *Snapshot) {
	s.m.Leave() // a run that failed stands where it failed
	s.world = language.Traced(p.world, s.cfg.Events != nil)
	s.m.Prog = s.world.Prog
	s.m.Store = append(s.m.Store[:0], p.store...)
	s.m.SetGenerator(p.rng)
	s.m.Faces, s.m.OwnFaces, s.m.Answers, s.m.OwnAnswers = p.faces, p.ownFaces, p.answers, p.ownAnswers
	s.m.Commands, s.m.OwnCommands, s.on, s.hands = p.commands, p.ownCommands, p.on, p.hands
	s.m.Picks, s.m.OwnPicks = p.picks, p.ownPicks
	s.faults, s.m.Refusals, s.cfg.Seed = p.faults, p.refusals, p.seed
}

// Check parses a source and finds its mistakes, without running it; the
// session is unchanged.
func (s *Session) Check(src *lang.Source) lang.Diagnostics {
	diags, _ := s.CheckContext(context.Background(), src)
	return diags
}

// CheckContext is Check that ends with a context. The error is a *RunError where the
// context has ended, or where the source and what it includes are too long.
func (s *Session) CheckContext(ctx context.Context, src *lang.Source) (lang.Diagnostics, error) {
	stopped := func(err error) (lang.Diagnostics, error) {
		return lang.Diagnostics{err.(*RunError).Diag}, err
	}
	tree, diags, err := s.parse(ctx, src)
	if err != nil {
		return stopped(err)
	}
	if check := s.asRules(src, tree); check != nil {
		return readPast(tree, diags, func() lang.Diagnostics { return check(false) }), nil
	}
	if !failed(diags) {
		diags = append(diags, s.headless(src, tree)...)
	}
	_, out, diags, err := s.compileTree(ctx, tree, diags, false)
	if re := (*RunError)(nil); errors.As(err, &re) {
		return stopped(re)
	}
	if out != nil {
		diags = append(diags, out.Lacking...)
		sortDiagnostics(diags, src)
	}
	return diags, nil
}

// parse reads a source; the error is a *RunError where the context has ended or the source
// is too long.
func (s *Session) parse(ctx context.Context, src *lang.Source) (*lang.File, lang.Diagnostics, error) {
	if most := or(s.cfg.Limits.Source, DefaultSource); src.Size() > most {
		return nil, nil, compileError(src, &ir.TooLong{At: lang.Span{Src: src}, Most: most})
	}
	tree, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, nil, compileError(src, err)
	}
	return tree, diags, nil
}

// compile gives the world as the source makes it, and what to run. The store
// has grown by what the source declares, unless keep is false. Mistakes are the error as
// well; it is a *RunError where the context has ended or the source is too long.
func (s *Session) compile(ctx context.Context, src *lang.Source, keep bool) (*decl.World, *compile.Compiled, lang.Diagnostics, error) {
	tree, diags, err := s.parse(ctx, src)
	if err != nil {
		return nil, nil, nil, err
	}
	return s.compileTree(ctx, tree, diags, keep)
}

// compileTree is compile of what parse gave.
func (s *Session) compileTree(ctx context.Context, tree *lang.File, diags lang.Diagnostics, keep bool) (*decl.World, *compile.Compiled, lang.Diagnostics, error) {
	src, most := tree.Src, or(s.cfg.Limits.Source, DefaultSource)
	saved := slices.Clone(s.m.Store)
	w := s.world.Clone()
	if failed(diags) {
		if u := unreadIn(tree, diags); u != nil {
			_, more, err := compile.CompileWithin(w, ctx, tree, most)
			s.m.Store = saved
			if err != nil {
				return nil, nil, nil, compileError(src, err)
			}
			w.SettleFields(diags)
			diags = append(diags, u.without(more)...)
			sortDiagnostics(diags, src)
		}
		return nil, nil, diags, diags
	}
	out, more, err := compile.CompileWithin(w, ctx, tree, most)
	diags = append(diags, more...)
	if !keep || err != nil || failed(diags) {
		s.m.Store = saved
	}
	if err != nil {
		return nil, nil, nil, compileError(src, err)
	}
	sortDiagnostics(diags, src)
	if failed(diags) {
		return w, out, diags, diags
	}
	return w, out, diags, nil
}

// compileError tells why a source was not compiled to its end.
func compileError(src *lang.Source, err error) error {
	re := &RunError{Kind: Cancelled, Diag: &lang.Diagnostic{Span: lang.Span{Src: src}, Message: "cancelled"}, cause: err}
	var long *ir.TooLong
	switch {
	case errors.As(err, &long):
		re.Kind, re.Bound = Limit, "source"
		re.Diag.Message = fmt.Sprintf("the script and what it includes are longer than %s together", size(long.Most))
		if long.At.Src != nil && long.At.End > long.At.Start && long.At.End-long.At.Start < 1000 {
			re.Diag.Span = long.At
		}
	case errors.Is(err, context.DeadlineExceeded):
		re.Kind, re.Diag.Message = Limit, "the script takes too long to compile"
	}
	return re
}

// size writes a number of bytes.
func size(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// sortDiagnostics brings messages about src into source order; those about
// modules and other files come after them, by name.
func sortDiagnostics(diags lang.Diagnostics, src *lang.Source) {
	slices.SortStableFunc(diags, func(a, b *lang.Diagnostic) int {
		if (a.Src == src) != (b.Src == src) {
			if a.Src == src {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(spotOf(a.Span).name(), spotOf(b.Span).name()), cmp.Compare(a.Start, b.Start))
	})
}

func failed(d lang.Diagnostics) bool {
	return slices.ContainsFunc(d, func(d *lang.Diagnostic) bool { return d.Severity == lang.Error })
}

// Exec parses, checks and runs a text. With mistakes in the text the error is
// lang.Diagnostics, and nothing has run. When a statement fails the error is a
// *RunError; what ran before it stays, and the statement that failed changed
// nothing. An expectation that is not met does not stop the run, but makes it
// fail.
func (s *Session) Exec(ctx context.Context, src *lang.Source) error {
	s.log, s.turns, s.repeats = nil, nil, false
	before := s.snapshot()
	w, out, _, err := s.compile(ctx, src, true)
	if err != nil {
		return err
	}
	old, declared := s.world, s.heap.Mark()
	s.world, s.m.Prog = w, w.Prog
	defer func() {
		if language.Same(s.world, old) { // what has been worked out holds on
			s.world, s.m.Prog = old, old.Prog
		} else {
			s.declares(declared)
		}
	}()
	s.begin()
	if err := s.checkHands(); err != nil {
		s.restore(before)
		return err
	}
	if err := s.started(ctx, old, out); err != nil {
		return err
	}
	var unmet *RunError
	for _, st := range out.Statements {
		if s.cfg.Statement != nil && !st.Init {
			s.cfg.Statement(st.At)
		}
		if err := s.statement(ctx, st.Func); err != nil {
			return err
		}
		if list := s.unmet(); len(list) > 0 && unmet == nil {
			unmet = list[0]
		}
	}
	if unmet != nil {
		return unmet
	}
	return nil
}

// begin sets the limits of one Exec.
func (s *Session) begin() {
	s.limits()
	s.m.Log = &s.log
	if s.tell != nil {
		s.tell.room = or(s.cfg.Limits.Output, DefaultOutput)
	}
}

// limits starts the counting of steps, dice and time anew.
func (s *Session) limits() {
	l := s.cfg.Limits
	s.m.Steps, s.m.StepLimit = 0, or(l.Steps, DefaultSteps)
	s.m.Thrown, s.m.MaxDice = 0, or(l.Dice, DefaultDice)
	s.m.Printed, s.m.MaxOutput = 0, int64(or(l.Output, DefaultOutput))
	s.m.LimitHeap(or(l.Memory, DefaultMemory))
	if s.tell != nil {
		s.tell.idle = 0
	}
	s.timed()
}

// timed gives what runs from now on the time of one run.
func (s *Session) timed() { s.deadline = time.Now().Add(or(s.cfg.Limits.Time, DefaultTime)) }

// started runs what newly used modules declare.
func (s *Session) started(ctx context.Context, old *decl.World, out *compile.Compiled) error {
	for _, f := range s.world.Start[min(len(old.Start), len(s.world.Start)):] {
		if err := s.statement(ctx, f); err != nil {
			return err
		}
	}
	if s.tell == nil {
		return nil
	}
	for _, l := range out.Loaded {
		rules, verbs, options := language.Size(s.world, l.Module.Name)
		s.tell.emit(&Event{Kind: EventModule, Name: l.Module.Name, Text: l.Module.Title, Rules: rules, Verbs: verbs, OptionsN: options, At: l.At})
	}
	return nil
}

// statement runs one function; when it fails the state is as it was.
func (s *Session) statement(ctx context.Context, fn *code.Func) error {
	before := s.snapshot()
	if s.tell != nil {
		s.tell.stand()
	}
	err := s.call(ctx, fn)
	if err == nil {
		return nil
	}
	faces, answers, commands, picks, hands := s.m.Faces, s.m.Answers, s.m.Commands, s.m.Picks, s.hands
	s.restore(before)
	s.m.Failures, s.m.Faults = nil, 0
	s.hands = hands
	s.m.Faces, s.m.Answers, s.m.Commands, s.m.Picks = faces, answers, commands, picks // what fell has fallen, and is in the record
	if s.tell != nil {
		s.tell.abandon()
	}
	return err
}

// looksAfter is how many steps are run between two looks at the clock and the context.
// They take some 70 ms at most where each makes a value.
const looksAfter = 1 << 16

// slice is how many steps are made at once of what is tried out.
const slice = 1 << 18

func (s *Session) call(ctx context.Context, fn *code.Func, args ...value.V) error {
	m := s.m
	if err := m.Start(fn, args...); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return s.stopped(err)
	}
	m.MaxSteps = min(m.Steps+looksAfter, m.StepLimit)
	return s.carryOn(ctx, m.Run())
}

// carryOn brings a run that returned with a status to its end.
func (s *Session) carryOn(ctx context.Context, st machine.Status) error {
	m := s.m
	for ; ; st = m.Run() {
		m.MaxSteps = min(m.Steps+looksAfter, m.StepLimit)
		var err error
		switch st {
		case machine.Done:
			return nil
		case machine.NeedChance:
			err = s.throw(ctx)
		case machine.NeedChoice:
			err = s.decide(ctx)
		case machine.NeedCommand:
			err = s.command(ctx)
		case machine.Acted:
			s.acted()
		case machine.Broken:
			return s.runError(m.Err)
		case machine.Yield:
			if time.Now().After(s.deadline) {
				err = errTime
			}
		}
		if errors.Is(err, ErrTakeBack) && m.TakeBack("taken back") {
			err = nil
		}
		if err != nil {
			return s.stopped(err)
		}
		if err := ctx.Err(); err != nil {
			return s.stopped(err)
		}
		if s.tell != nil && s.tell.room < 0 {
			return s.stopped(errOutput)
		}
	}
}

var (
	errTime   = errors.New("the time is up")
	errOutput = errors.New("the script prints too much")
)

// throw has the pending dice thrown by whoever answers for chance.
func (s *Session) throw(ctx context.Context) error {
	sizes, what := s.m.Pending()
	r := Request{Sizes: sizes, For: what}
	if s.course != nil {
		r.Place = s.course.at.place
	}
	if s.tell != nil {
		r.Who = s.tell.who()
		s.tell.throwing(&r)
	}
	defer s.thinking(time.Now())
	faces, err := s.cfg.Chance.Throw(ctx, r)
	if errors.Is(err, ErrRoll) {
		s.SetChance(nil)
		s.m.RollFaces()
		return nil
	}
	if err != nil {
		return err
	}
	if len(faces) != len(sizes) {
		return &badDie{fmt.Sprintf("expected %d faces, got %d", len(sizes), len(faces))}
	}
	for i, f := range faces {
		if f < 1 || f > sizes[i] {
			return &badDie{fmt.Sprintf("a d%d cannot show %d", sizes[i], f)}
		}
	}
	s.m.GiveFaces(faces)
	return nil
}

// thinking leaves the time that somebody took to answer out of what a run may take.
func (s *Session) thinking(since time.Time) { s.deadline = s.deadline.Add(time.Since(since)) }

type badDie struct{ msg string }

func (e *badDie) Error() string { return e.msg }

// decide has the pending question answered by whoever answers for choice, or
// by its default, as it is where tactics act for whoever has to decide.
func (s *Session) decide(ctx context.Context) error {
	q := s.m.Asked()
	if s.cfg.Choice == nil || q.Info.Unasked || s.handedOver(q.Who) {
		s.m.GiveAnswer(q.Default, "default")
		return nil
	}
	ask := s.question(q)
	ask.Place = s.course.place(s.m, ask.Name, ask.Who)
	if s.tell != nil {
		s.tell.question(&ask, q.At, q.Rule)
	}
	defer s.thinking(time.Now())
	n, err := s.cfg.Choice.Choose(ctx, ask)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(ask.Options) {
		return fmt.Errorf("there is no option %d of %d", n+1, len(ask.Options))
	}
	by := ByPerson
	if n == q.Default && s.handedOver(q.Who) { // when they were asked
		by = ByHanded
	}
	s.m.GiveAnswer(n, by)
	return nil
}

func (s *Session) question(q *machine.Question) Question {
	ask := Question{Name: q.Info.Name, Default: q.Default, Cost: s.m.CostOf(q), Left: s.m.LeftOf(q), LeftData: s.data(q.Left), Advise: s.advise}
	who := q.Who
	ask.Asked = func() bool { return !s.handedOver(who) }
	if q.Who.Kind() == value.Ref {
		ask.Who = s.m.NameOf(q.Who)
	}
	if q.Prompt != value.None {
		ask.Prompt = s.m.Show(q.Prompt)
	}
	if q.Info.Offer {
		ask.Options, ask.Data = []string{"no", "yes"}, []Value{{false}, {true}}
		return ask
	}
	ask.Options, ask.Data = s.options(q.Options)
	return ask
}

// options gives the elements of a list, as they are shown and as data.
func (s *Session) options(list value.V) (shown []string, data []Value) {
	for _, v := range s.heap.Elems(list) {
		shown, data = append(shown, s.m.Show(v)), append(data, s.data(v))
	}
	return shown, data
}

// stopped makes a RunError of what stopped the run from outside.
func (s *Session) stopped(err error) error {
	kind, cause := Failed, err
	var die *badDie
	var run *RunError
	var diags lang.Diagnostics
	switch {
	case errors.As(err, &run), errors.As(err, &diags): // of a command that was given ahead
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, ErrTakeBack):
		kind, err = Cancelled, errors.New("cancelled")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, errTime), errors.Is(err, errOutput):
		kind = Limit
	case errors.As(err, &die):
		kind = BadDie
	}
	message, bound := err.Error(), ""
	switch {
	case errors.Is(err, errTime):
		message, bound = fmt.Sprintf("the script has run for more than %v", or(s.cfg.Limits.Time, DefaultTime)), "time"
	case errors.Is(err, errOutput):
		message, bound = fmt.Sprintf("the script prints more than %s bytes", machine.Grouped(int64(or(s.cfg.Limits.Output, DefaultOutput)))), "output"
	}
	e := s.m.Stop(message)
	re := s.runError(e).(*RunError)
	re.Kind, re.Bound, re.cause = kind, bound, cause
	s.sayIdle(re)
	return re
}

// sayIdle says of a run that was too long that nobody did anything in the end.
func (s *Session) sayIdle(re *RunError) {
	if re.Kind == Limit && s.tell != nil && s.tell.idle > maxIdle && re.Diag.Help == "" {
		re.Diag.Help = "nobody does anything any more: " + idleHelp
	}
}

// runError tells of a failure in the user's own words: at the command that
// was given, with the rule that said no as a note.
func (s *Session) runError(e *machine.Error) error {
	d := &lang.Diagnostic{Span: e.At, Message: e.Msg, Help: e.Help}
	re := &RunError{Diag: d, Rule: language.IDOf(s.world, int(e.Rule))}
	switch e.Kind {
	case code.Refused:
		re.Kind = Refused
	case code.Limit:
		re.Kind, re.Bound = Limit, e.Bound
	case code.BadDie:
		re.Kind = BadDie
	default:
		re.Kind = Failed
	}
	for _, p := range e.Stack {
		re.Stack = append(re.Stack, Frame{p.Name, p.At})
	}
	if st := re.Stack; e.Bound == "depth" && len(st) > 1 && st[0].Name == st[1].Name && s.world.RuleReplaced(st[0].Name) {
		d.Help = "did you mean base." + st[0].Name + " in the rule " + st[0].Name + "?"
	}
	s.blame(re, e)
	s.sayIdle(re)
	return re
}

// blame moves the message to the script's own line when it arose in a module.
func (s *Session) blame(re *RunError, e *machine.Error) {
	d := re.Diag
	for _, p := range e.Stack {
		if e.Clause != "" {
			if at, ok := language.ClausePlace(s.world, p.At, e.Clause); ok {
				d.Span = at
				break
			}
		}
		if p.At.Src != nil && !language.InModule(s.world, p.At.Src) {
			d.Span = p.At
			if at, ok := lang.Mentioned(p.At, e.Msg); ok && e.Kind == code.Refused {
				d.Span = at
			}
			break
		}
	}
	if d.Span == e.At && d.Span.Src != nil && language.InModule(s.world, d.Span.Src) && len(s.m.Frames) > 0 {
		// what a sheet says of itself is worked out where somebody is declared
		for _, at := range s.m.Frames[0].Fn.At {
			if at.Src != nil && !language.InModule(s.world, at.Src) && (d.Span == e.At || at.Start < d.Start) {
				d.Span = at
			}
		}
	}
	if d.Span == e.At {
		return
	}
	if id := language.IDOf(s.world, int(e.Rule)); id != "" {
		d.Notes = append(d.Notes, lang.Note{Message: "rule " + id})
	}
	if re.Kind == Failed || re.Kind == Limit {
		d.Notes = append(d.Notes, lang.Note{Span: e.At, Message: "it happened here"})
	}
}

// unmet makes RunErrors of the expectations that were not met, at each place of the first
// one, and counts them and the faults.
func (s *Session) unmet() []*RunError {
	s.faults += s.m.Faults + len(s.m.Failures)
	var list []*RunError
	seen := map[lang.Span]bool{}
	for _, f := range s.m.Failures {
		if !seen[f.At] {
			seen[f.At] = true
			list = append(list, &RunError{Kind: Expected, Diag: &lang.Diagnostic{Span: f.At, Message: s.expectation(f.Info, f.Left, f.Right)}})
		}
	}
	s.m.Faults, s.m.Failures = 0, nil
	return list
}

func (s *Session) expectation(info any, left, right value.V) string {
	if must, ok := info.(*ir.MustFailInfo); ok {
		return s.failing(must, s.m.Show(left))
	}
	x := info.(*ir.ExpectInfo)
	if x.Refused {
		return fmt.Sprintf("expected no refused tactics, but there are %s, the first %s", s.m.Show(left), s.m.Show(right))
	}
	msg := "expected " + strings.Join(strings.Fields(x.Text), " ")
	if x.Compare {
		msg += ", got " + s.m.Show(left)
		if r := s.m.Show(right); !strings.HasSuffix(x.Text, " "+r) && right.Kind() != value.List && right.Kind() != value.Range {
			msg += "; the other side is " + r
		}
	}
	return msg
}

// failing tells that a block did not fail as it should have.
func (s *Session) failing(x *ir.MustFailInfo, said string) string {
	msg := map[string]string{"refused": "expected a refusal", "faults": "expected a broken rule", "warns": "expected a warning"}[x.Word]
	if x.Part != "" {
		msg += fmt.Sprintf(" with %q", x.Part)
	}
	if said != "" {
		return msg + fmt.Sprintf(", but this says %q", said)
	}
	return msg + ", and there was none"
}

// At gives the message with the line that it is about, in short.
func (e *RunError) At() string {
	at := e.Diag.Span.Shown()
	if at.Src == nil || at.Src.Name == "" {
		return e.Diag.Message
	}
	return fmt.Sprintf("%s (%s:%d)", e.Diag.Message, at.Src.Name, at.Src.Position(int(at.Start)).Line)
}

// Error gives the message with its place.
func (e *RunError) Error() string { return lang.Diagnostics{e.Diag}.Error() }

// Unwrap gives what ended the run from outside, such as the error of its context; nil where the
// script did.
func (e *RunError) Unwrap() error { return e.cause }
