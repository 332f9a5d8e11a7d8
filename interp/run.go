package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
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
	DefaultSource = 1 << 20
)

// NewSession makes an empty session: no module in use, nothing declared.
func NewSession(cfg Config) *Session {
	s := &Session{cfg: cfg}
	s.run = core.NewRun(host{s}, cfg.Limits.bounds())
	hands, quiet := handsOf(cfg)
	s.run.Hands, s.run.Quiet, s.run.M.Silences = hands, string(quiet), s.silences
	s.run.World.FS, s.run.World.Folder, s.run.World.Set, s.run.World.Prompt = cfg.Modules, cfg.Folder, cfg.Options, cfg.Prompt
	s.run.World.Systems, s.run.World.Versions, s.run.World.Program = cfg.Systems, cfg.Versions, cfg.Program
	s.run.M.MaxDepth = core.Or(cfg.Limits.Depth, DefaultDepth)
	s.run.M.MaxSize = core.Or(cfg.Limits.Size, DefaultSize)
	s.Give(Record{{Faces: cfg.Dice, By: ByGiven}})
	s.seeds()
	s.run.M.Attended, s.run.M.Hand = true, s.comesByHand
	s.Seed(cfg.Seed)
	s.SetEvents(cfg.Events)
	return s
}

// bounds gives the limits with the defaults.
func (l Limits) bounds() core.Limits {
	return core.Limits{
		Steps: core.Or(l.Steps, DefaultSteps), Dice: core.Or(l.Dice, DefaultDice), Memory: core.Or(l.Memory, DefaultMemory),
		Output: core.Or(l.Output, DefaultOutput), Source: core.Or(l.Source, DefaultSource), Time: core.Or(l.Time, DefaultTime),
	}
}

// Seed starts the generator anew.
func (s *Session) Seed(seed uint64) {
	s.run.Seed = seed
	s.run.M.Seed(seed)
}

// SetChance says who throws the dice from now on; nil: the seeded generator.
func (s *Session) SetChance(c Chance) {
	s.cfg.Chance = c
	s.seeds()
}

// SetOwn says who throws for those whom Hand gives their own dice, while nobody throws for all.
func (s *Session) SetOwn(c Chance) {
	s.own = c
	s.seeds()
}

// seeds has the generator throw at once where nobody is asked for any dice.
func (s *Session) seeds() {
	s.run.M.Seeded = s.cfg.Chance == nil && (s.own == nil || !slices.ContainsFunc(s.run.Hands, func(h core.Hand) bool {
		_, dice := diceOf(h.Who)
		return dice && h.Asked
	}))
}

// thrower says who throws the dice of somebody; nil: the generator.
func (s *Session) thrower(who string) Chance {
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		switch whose, dice := diceOf(h.Who); {
		case !dice || !s.meant(whose, s.called(who)):
		case h.Asked && s.cfg.Chance == nil:
			return s.own
		case h.Asked:
			return s.cfg.Chance
		default:
			return nil
		}
	}
	return s.cfg.Chance
}

// called gives whom a name of the events stands for, None for nobody.
func (s *Session) called(name string) value.V {
	for _, e := range language.Instances(s.run.World) {
		if v := value.OfRef(e.Off); s.run.M.NameOf(v) == name {
			return v
		}
	}
	return value.None
}

// SetChoice says who decides from now on; nil: every decision's default.
func (s *Session) SetChoice(c Choice) { s.cfg.Choice = c }

// SetEvents says who listens from now on; nil: nobody.
func (s *Session) SetEvents(f func(*Event)) {
	s.cfg.Events, s.run.Traced = f, f != nil
	s.tell, s.run.M.Out = nil, nil
	if f != nil {
		s.tell = &eventSink{s: s, out: f}
		s.run.M.Out = s.tell
	}
	s.run.World = language.Traced(s.run.World, f != nil)
	s.run.M.Prog = s.run.World.Prog
}

// SetStandings says whether events say how everybody stands, see Config.
func (s *Session) SetStandings(on bool) { s.cfg.Standings = on }

// DropDice forgets the faces that were given from outside and have not fallen yet; with
// script also those of dice statements.
func (s *Session) DropDice(script bool) {
	s.run.M.Faces = nil
	if script {
		s.run.M.Own.Faces = nil
	}
}

// LeftDice gives the faces that were given and have not fallen yet.
func (s *Session) LeftDice() []int {
	return slices.Concat(s.run.M.Own.FacesAhead(), core.FacesOf(s.run.M.Faces))
}

// GivenDice gives the faces of LeftDice apart: those of dice statements, which fall first,
// and those given from outside.
func (s *Session) GivenDice() (script, outside []int) {
	return s.run.M.Own.FacesAhead(), core.FacesOf(s.run.M.Faces)
}

// Faults says how many rules were broken and expectations not met so far.
func (s *Session) Faults() int { return s.run.Faults }

// Check parses a source and finds its mistakes, without running it; the
// session is unchanged.
func (s *Session) Check(src *lang.Source) lang.Diagnostics {
	diags, _ := s.CheckContext(context.Background(), src)
	return diags
}

// CheckContext is Check that ends with a context. Warnings that the source allows are left out. The error is a *RunError where the
// context has ended, or where the source and what it includes are too long.
func (s *Session) CheckContext(ctx context.Context, src *lang.Source) (lang.Diagnostics, error) {
	diags, err := s.check(ctx, src)
	if err == nil {
		diags = diags.Allowed(src, false)
		core.SortDiagnostics(diags, src)
	}
	return diags, err
}

func (s *Session) check(ctx context.Context, src *lang.Source) (lang.Diagnostics, error) {
	stopped := func(err error) (lang.Diagnostics, error) {
		return lang.Diagnostics{err.(*RunError).Diag}, err
	}
	tree, diags, err := s.run.Parse(ctx, src)
	if err != nil {
		return stopped(err)
	}
	if check := core.AsRules(s.run, src, tree); check != nil {
		return core.ReadPast(tree, diags, func() lang.Diagnostics { return check(false) }), nil
	}
	if !core.Failed(diags) {
		diags = append(diags, core.Headless(s.run, src, tree)...)
	}
	s.run.World.Unrun = true
	defer func() { s.run.World.Unrun = false }()
	_, out, diags, err := s.run.CompileTree(ctx, tree, diags, false)
	if re := (*RunError)(nil); errors.As(err, &re) {
		return stopped(re)
	}
	if out != nil {
		diags = append(diags, out.Lacking...)
	}
	return diags, nil
}

// Uncompiled tells why a source was not compiled to its end.
func Uncompiled(src *lang.Source, err error) error {
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

// Exec parses, checks and runs a text. With mistakes in the text the error is
// lang.Diagnostics, and nothing has run. When a statement fails the error is a
// *RunError; what ran before it stays, and the statement that failed changed
// nothing. An expectation that is not met does not stop the run, but makes it
// fail.
func (s *Session) Exec(ctx context.Context, src *lang.Source) error {
	if s.running {
		return ErrRunning
	}
	s.running, s.runs = true, s.runs+1
	defer func() { s.running = false }()
	s.run.Log, s.run.M.Tactical, s.failed = nil, nil, nil
	s.run.M.Moment, s.turns, s.repeats, s.hands, s.places = 0, nil, false, byHand{}, &Course{s: s, counts: map[string]int{}}
	before := s.run.Snapshot()
	w, out, _, err := s.run.Compile(ctx, src, true)
	if err != nil {
		return err
	}
	old, declared := s.run.World, s.run.Heap.Mark()
	s.run.World, s.run.M.Prog = w, w.Prog
	defer func() {
		if language.Same(s.run.World, old) { // what has been worked out holds on
			s.run.World.Unlink(old)
			s.run.World, s.run.M.Prog = old, old.Prog
		} else {
			s.run.Declares(declared)
		}
	}()
	s.run.Begin()
	if err := s.checkHands(); err != nil {
		s.run.Restore(before)
		return err
	}
	if err := s.run.Started(ctx, old, out); err != nil {
		return err
	}
	var unmet *RunError
	for _, st := range out.Statements {
		if s.cfg.Statement != nil && !st.Init {
			since := time.Now()
			if err := s.cfg.Statement(st.At); err != nil {
				return err
			}
			s.thinking(since)
		}
		s.last = st.Last && src.Name != "" // more may be typed behind a line
		if err := s.run.Statement(ctx, st.Func); err != nil {
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

// throw has the pending dice thrown by whoever answers for chance.
func (s *Session) throw(ctx context.Context) error {
	sizes, what := s.run.M.Pending()
	r := Request{Sizes: sizes, For: what}
	if s.course != nil {
		r.Place = s.course.at.place
	}
	if s.tell != nil {
		r.Who = s.tell.who()
	}
	thrower := s.thrower(r.Who)
	if thrower == nil {
		s.run.M.RollFaces()
		return nil
	}
	r.Asked = func() bool { return s.thrower(r.Who) != nil }
	if s.tell != nil {
		s.tell.throwing(&r)
	}
	defer s.thinking(time.Now())
	faces, err := thrower.Throw(ctx, r)
	if errors.Is(err, ErrRoll) {
		s.run.M.RollFaces()
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
	s.run.M.GiveFaces(faces)
	return nil
}

// thinking leaves the time that somebody took to answer out of what a run may take.
func (s *Session) thinking(since time.Time) { s.run.Deadline = s.run.Deadline.Add(time.Since(since)) }

type badDie struct{ msg string }

func (e *badDie) Error() string { return e.msg }

// decide has the pending question answered by whoever answers for choice, or
// by its default, as it is where tactics act for whoever has to decide.
func (s *Session) decide(ctx context.Context) error {
	q := s.run.M.Asked()
	switch said, ok := s.saidAhead(q); {
	case ok && s.cfg.Choice != nil:
		s.run.M.GiveAnswer(said, ByPerson)
		return nil
	case s.cfg.Choice == nil || q.Info.Unasked || s.handedOver(q.Who) || s.over(q):
		s.run.M.GiveAnswer(q.Default, ByDefault)
		return nil
	case !s.put(q):
		s.run.M.GiveAnswer(q.Default, s.unheard(q.Who))
		return nil
	}
	ask := s.placed(q)
	if s.cfg.Ahead && !ask.Must && s.Quiet() != QuietOff {
		ask.Ahead = s.ahead(q)
	}
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
	s.run.M.GiveAnswer(n, by)
	return nil
}

// placed is question with its place.
func (s *Session) placed(q *machine.Question) Question {
	ask := s.question(q)
	ask.Place = s.along().place(s.run.M, ask.Name, ask.Who)
	return ask
}

func (s *Session) question(q *machine.Question) Question {
	ask := Question{Name: q.Info.Name, Manner: s.mannerOf(q), Default: q.Default, Must: q.Must, Cost: s.run.M.CostOf(q), Left: s.run.M.LeftOf(q), LeftData: s.data(q.Left), Session: s}
	who := q.Who
	ask.Asked = func() bool { return !s.handedOver(who) }
	if q.Who.Kind() == value.Ref {
		ask.Who = s.run.M.NameOf(q.Who)
	}
	if q.Prompt != value.None {
		ask.Prompt = s.run.M.Show(q.Prompt)
	}
	if q.Info.Offer {
		ask.Options, ask.Data = []string{"no", "yes"}, []Value{{false}, {true}}
		return ask
	}
	ask.Options, ask.Data = s.options(q.Options)
	if q.Notes != value.None {
		ask.Notes, _ = s.options(q.Notes)
	}
	return ask
}

// options gives the elements of a list, as they are shown and as data.
func (s *Session) options(list value.V) (shown []string, data []Value) {
	for _, v := range s.run.Heap.Elems(list) {
		shown, data = append(shown, s.run.M.Show(v)), append(data, s.data(v))
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
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, core.ErrTime), errors.Is(err, core.ErrOutput):
		kind = Limit
	case errors.As(err, &die):
		kind = BadDie
	}
	message, bound := err.Error(), ""
	switch {
	case errors.Is(err, core.ErrTime):
		message, bound = fmt.Sprintf("the script has run for more than %v", core.Or(s.cfg.Limits.Time, DefaultTime)), "time"
	case errors.Is(err, core.ErrOutput):
		message, bound = fmt.Sprintf("the script prints more than %s bytes", machine.Grouped(int64(core.Or(s.cfg.Limits.Output, DefaultOutput)))), "output"
	}
	e := s.run.M.Stop(message)
	re := s.runError(e).(*RunError)
	re.Kind, re.Bound, re.cause = kind, bound, cause
	s.sayIdle(re)
	return re
}

// sayIdle says of a run that was too long that nobody did anything in the end.
func (s *Session) sayIdle(re *RunError) {
	if re.Kind == Limit && s.tell != nil && s.run.Idling > core.MaxIdle && re.Diag.Help == "" {
		re.Diag.Help = "nobody does anything any more: " + core.IdleHelp
	}
}

// runError tells of a failure in the user's own words: at the command that
// was given, with the rule that said no as a note.
func (s *Session) runError(e *machine.Error) error {
	d := &lang.Diagnostic{Span: e.At, Message: e.Msg, Help: e.Help}
	re := &RunError{Diag: d, Rule: language.IDOf(s.run.World, int(e.Rule))}
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
	if st := re.Stack; e.Bound == "depth" && len(st) > 1 && st[0].Name == st[1].Name && s.run.World.RuleReplaced(st[0].Name) {
		d.Help = "did you mean base." + st[0].Name + " in the rule " + st[0].Name + "?"
	}
	s.blame(re, e)
	if n := slices.IndexFunc(re.Stack, func(f Frame) bool { return f.At.Src != nil && language.InModule(f.At.Src) }); n > 0 {
		re.Stack = re.Stack[:n] // a command failed that somebody typed: the rules that asked for it are not at fault
	}
	if re.Kind == BadDie && d.Span != e.At {
		re.Stack = nil // it was given on that line, and no rule is at fault
	}
	s.sayIdle(re)
	return re
}

// blame moves the message to the script's own line when it arose in a module.
func (s *Session) blame(re *RunError, e *machine.Error) {
	d := re.Diag
	for _, p := range e.Stack {
		if e.Clause != "" {
			if at, ok := language.ClausePlace(s.run.World, p.At, e.Clause); ok {
				d.Span = at
				break
			}
		}
		if p.At.Src != nil && !language.InModule(p.At.Src) {
			d.Span = p.At
			if at, ok := lang.Mentioned(p.At, e.Msg); ok && e.Kind == code.Refused {
				d.Span = at
			}
			break
		}
	}
	if d.Span == e.At && d.Span.Src != nil && language.InModule(d.Span.Src) && len(s.run.M.Frames) > 0 {
		// what a sheet says of itself is worked out where somebody is declared
		for _, at := range s.run.M.Frames[0].Fn.At {
			if at.Src != nil && !language.InModule(at.Src) && (d.Span == e.At || at.Start < d.Start) {
				d.Span = at
			}
		}
	}
	if d.Span == e.At {
		return
	}
	if id := language.IDOf(s.run.World, int(e.Rule)); id != "" {
		d.Notes = append(d.Notes, lang.Note{Message: "rule " + id})
	}
	if re.Kind == Failed || re.Kind == Limit {
		d.Notes = append(d.Notes, lang.Note{Span: e.At, Message: "it happened here"})
	}
}

// unmet makes RunErrors of the expectations that were not met, at each place of the first
// one, and counts them and the faults.
func (s *Session) unmet() []*RunError {
	s.run.Faults += s.run.M.Faults + len(s.run.M.Failures)
	var list []*RunError
	seen := map[lang.Span]bool{}
	for _, f := range s.run.M.Failures {
		if !seen[f.At] {
			seen[f.At] = true
			list = append(list, &RunError{Kind: Expected, Diag: &lang.Diagnostic{Span: f.At, Message: s.expectation(f.Info, f.Left, f.Right)}})
		}
	}
	s.run.M.Faults, s.run.M.Failures = 0, nil
	return list
}

func (s *Session) expectation(info any, left, right value.V) string {
	if must, ok := info.(*ir.MustFailInfo); ok {
		return s.failing(must, s.run.M.Show(left))
	}
	x := info.(*ir.ExpectInfo)
	if x.Refused {
		return fmt.Sprintf("expected no refused tactics, but there are %s, the first %s", s.run.M.Show(left), s.run.M.Show(right))
	}
	msg := "expected " + strings.Join(strings.Fields(x.Text), " ")
	if x.Compare {
		msg += ", got " + s.run.M.Show(left)
		if r := s.run.M.Show(right); !strings.HasSuffix(x.Text, " "+r) && right.Kind() != value.List && right.Kind() != value.Range {
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
