package interp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// This file checks a script more strictly than it needs to run: what it declares and does
// not use, and, by a short simulation, tactics that the rules refuse, entries of tactics
// that no turn ever comes to, and where the script stops.

// StrictTrials is how many trials CheckStrict makes at most. It makes fewer of a script
// that takes long: the number of steps is bounded, and not the time, so that the result
// is the same on every machine.
const StrictTrials = 100

// strictSteps is after how many steps no further trial is begun.
const strictSteps = 20_000_000

// CheckStrict finds mistakes as Check does. A script without any is looked at more
// closely, and what is found is reported as warnings. A file of rules is not played.
func (s *Session) CheckStrict(ctx context.Context, src *lang.Source) (lang.Diagnostics, error) {
	tree, diags, err := s.parse(ctx, src)
	if err != nil {
		return nil, err
	}
	if check := s.asRules(src, tree); check != nil && !failed(diags) {
		return check(true), nil
	}
	before, chance, choice := s.Snapshot(), s.cfg.Chance, s.cfg.Choice
	defer func() {
		s.SetChance(chance)
		s.cfg.Choice = choice
		s.Restore(before)
		s.world.Strict = false
	}()
	s.SetChance(nil)
	s.cfg.Choice = nil
	s.world = language.Traced(s.world, true) // what is only printed may be wrong, too
	s.m.Prog = s.world.Prog
	s.world.Strict = true
	w, out, diags, err := s.compileTree(ctx, tree, diags, true)
	if err != nil && diags == nil {
		return nil, err
	}
	if len(diags) > 0 {
		return diags, nil
	}
	t := &rehearsal{
		s: s, seed: before.seed,
		reached: map[spot]bool{}, refused: map[spot]*refusals{}, stops: map[spot]*stop{}, warned: map[doubt]*doubts{},
	}
	if err := t.prepare(ctx, w, out); err != nil {
		return nil, err
	}
	if err := t.play(ctx); err != nil {
		return nil, err
	}
	diags = slices.Concat(s.headless(src, tree), out.Lacking, out.Unused, t.warnings(out.Tactics))
	sortDiagnostics(diags, src)
	return diags, nil
}

// rehearsal is a script that is played several times by nobody, and what was seen of its
// tactics.
type rehearsal struct {
	s      *Session
	seed   uint64
	funcs  []*code.Func
	trials int

	reached map[spot]bool
	refused map[spot]*refusals
	stops   map[spot]*stop
	warned  map[doubt]*doubts

	idle int    // entries that turns have come to since something was last done
	end  func() // ends the trial
}

// maxIdle is after how many entries of tactics of which none did anything a trial is given up:
// nobody will ever do anything again.
const maxIdle = 20_000

// doubt is what the rules warn of, and the line of the script that led to it.
type doubt struct {
	at   lang.Span
	text string
}

// doubts counts the trials in which the rules warned of something.
type doubts struct{ first, last, count int }

type spot struct {
	src *lang.Source
	at  int32
}

func (s spot) name() string {
	if s.src == nil {
		return ""
	}
	return s.src.Name
}

func spotOf(at lang.Span) spot { return spot{at.Src, at.Start} }

// refusals counts how often the rules refused an entry of tactics.
type refusals struct {
	entry *code.Tactic
	why   string
	count int
}

// stop counts the trials that stopped at a place.
type stop struct {
	diag  *lang.Diagnostic
	trial int // the first
	count int
}

// prepare sets up what the script declares.
func (t *rehearsal) prepare(ctx context.Context, w *decl.World, out *compile.Compiled) error {
	s, old := t.s, t.s.world
	s.world, s.m.Prog = w, w.Prog
	s.SetEvents(nil)
	s.begin()
	if err := s.started(ctx, old, out); err != nil {
		return err
	}
	for _, st := range out.Statements {
		if !st.Init {
			t.funcs = append(t.funcs, st.Func)
		} else if err := s.statement(ctx, st.Func); err != nil {
			return err
		}
	}
	s.world = language.Traced(language.Unattended(s.world), true)
	s.m.Prog = s.world.Prog
	return nil
}

// play makes the trials.
func (t *rehearsal) play(ctx context.Context) error {
	s := t.s
	start := s.snapshot()
	out, log, attended, tell := s.m.Out, s.m.Log, s.m.Attended, s.tell
	defer func() { s.m.Out, s.m.Log, s.m.Attended, s.tell = out, log, attended, tell }()
	s.tell, s.m.Out, s.m.Log, s.m.Attended = nil, t, nil, false
	steps := int64(0)
	for t.trials < StrictTrials && steps < strictSteps {
		s.m.Seed(TrialSeed(t.seed, int64(t.trials)))
		s.limits()
		err := t.trial(ctx)
		if e := ctx.Err(); e != nil {
			return s.stopped(e)
		}
		t.stopped(err)
		t.trials++
		steps += s.m.Steps
		rng := s.m.Generator()
		s.m.Store = append(s.m.Store[:0], start.store...)
		s.m.SetGenerator(rng)
		s.m.Faces, s.m.OwnFaces, s.m.Answers, s.m.OwnAnswers = start.faces, start.ownFaces, start.answers, start.ownAnswers
		s.m.Picks, s.m.OwnPicks = start.picks, start.ownPicks
		s.m.Commands, s.m.OwnCommands, s.m.Refusals = start.commands, start.ownCommands, start.refusals
		s.m.Failures, s.m.Faults = nil, 0
	}
	return nil
}

func (t *rehearsal) trial(ctx context.Context) error {
	ctx, t.end = context.WithCancel(ctx)
	defer t.end()
	t.idle = 0
	for _, f := range t.funcs {
		if err := t.s.call(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// stopped counts a trial that ended with a mistake.
func (t *rehearsal) stopped(err error) {
	var re *RunError
	if !errors.As(err, &re) {
		return
	}
	at := spotOf(re.Diag.Span)
	if t.stops[at] == nil {
		if t.idle > maxIdle {
			re.Diag.Message = "it never ends, because nobody does anything"
			re.Diag.Help = idleHelp
		}
		t.stops[at] = &stop{diag: re.Diag, trial: t.trials}
	}
	t.stops[at].count++
}

// warnings says what was seen of the tactics of a script.
func (t *rehearsal) warnings(all []*lang.Tactics) lang.Diagnostics {
	var out lang.Diagnostics
	trials := fmt.Sprintf("%d trials", t.trials)
	stops := 0
	for _, x := range t.stops {
		stops += x.count
	}
	if stops == t.trials {
		all = nil // nobody knows what turns there would be
	}
	for _, x := range all {
		used := slices.ContainsFunc(x.Entries, func(e lang.Tactic) bool { return e.Do == nil || t.reached[spotOf(e.Do.Span)] })
		if !used && len(x.Entries) > 0 {
			at := x.Who[0].Range()
			at.End = x.Who[len(x.Who)-1].Range().End
			out = append(out, warning(at, "no turn uses these tactics in "+trials))
			continue
		}
		for _, e := range x.Entries {
			if e.Do != nil && !t.reached[spotOf(e.Do.Span)] {
				out = append(out, warning(e.Do.Span, "no turn uses this entry in "+trials+": another one always comes first"))
			}
		}
	}
	for _, at := range spotsOf(t.refused) {
		r := t.refused[at]
		times := "once"
		if r.count > 1 {
			times = fmt.Sprintf("%d times", r.count)
		}
		at := r.entry.At
		if word, ok := lang.Mentioned(at, r.why); ok {
			at = word
		}
		out = append(out, warning(at, fmt.Sprintf("the rules refuse this %s in %s: %s", times, trials, r.why)))
	}
	for _, x := range slices.SortedFunc(maps.Keys(t.warned), func(a, b doubt) int {
		return cmp.Or(cmp.Compare(spotOf(a.at).name(), spotOf(b.at).name()), cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.text, b.text))
	}) {
		n := t.warned[x]
		d := warning(x.at, x.text)
		d.Notes = append(d.Notes, lang.Note{Message: fmt.Sprintf("in %d of %s; setpiece run --seed %d shows the first of them", n.count, trials, TrialSeed(t.seed, int64(n.first)))})
		out = append(out, d)
	}
	for _, at := range spotsOf(t.stops) {
		x := t.stops[at]
		d := warning(x.diag.Span, fmt.Sprintf("the script stops here in %d of %s: %s", x.count, trials, x.diag.Message))
		if x.diag.Help == idleHelp {
			d.Help = idleHelp
		}
		d.Notes = append(d.Notes, lang.Note{Message: fmt.Sprintf("setpiece run --seed %d shows the first of them", TrialSeed(t.seed, int64(x.trial)))})
		out = append(out, d)
	}
	return out
}

// spotsOf gives the spots of a map by file and place.
func spotsOf[T any](m map[spot]T) []spot {
	return slices.SortedFunc(maps.Keys(m), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.at, b.at))
	})
}

// idleHelp is what to do where nobody does anything.
const idleHelp = "no line of their tactics works; end them with  otherwise: COMMAND"

func warning(at lang.Span, message string) *lang.Diagnostic {
	return &lang.Diagnostic{Span: at, Severity: lang.Warning, Message: message}
}

// Event implements machine.Observer.
func (t *rehearsal) Event(m *machine.Machine, info any, r []value.V, _ lang.Span, _ int32) {
	switch x := info.(type) {
	case *ir.ReachedInfo:
		t.reached[spotOf(x.At)] = true
		if t.idle++; t.idle > maxIdle {
			t.end()
			m.MaxSteps = 0 // have the run looked at
		}
	case *ir.ShowInfo:
		t.idle = 0
	case *code.Declined:
		at := spotOf(x.At)
		if t.refused[at] == nil {
			t.refused[at] = &refusals{entry: x.Tactic, why: m.Show(r[1])}
		}
		t.refused[at].count++
	case *ir.SayInfo:
		if x.Kind == string(EventWarn) && !x.Stated {
			t.warns(m, m.Show(r[0]))
		}
	}
}

// warns counts the trials in which the rules warn of something, at the line of the script
// that led to it.
func (t *rehearsal) warns(m *machine.Machine, text string) {
	var at lang.Span
	for _, f := range slices.Backward(m.Frames) {
		at = f.Fn.At[max(0, f.PC-1)]
		if at.Src != nil && !language.InModule(t.s.world, at.Src) {
			break
		}
	}
	x := doubt{at, text}
	n := t.warned[x]
	if n == nil {
		n = &doubts{first: t.trials, last: -1}
		t.warned[x] = n
	}
	if n.last != t.trials {
		n.last, n.count = t.trials, n.count+1
	}
}

// The rest of what happens is nothing to a rehearsal.

func (t *rehearsal) Changed(*machine.Machine, int, *code.Field, value.V, value.V, lang.Span, int32) {
}
func (t *rehearsal) Thrown(*machine.Machine, any, []value.V, []machine.Source, lang.Span, int32) {
	t.idle = 0
}
func (t *rehearsal) Answered(*machine.Machine, *machine.Question, int, string) { t.idle = 0 }
func (t *rehearsal) Kept(*machine.Machine, value.V)                            {}
func (t *rehearsal) Mark() int                                                 { return 0 }
func (t *rehearsal) Rollback(int)                                              {}
func (t *rehearsal) Release()                                                  {}
