package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/trials"
	"setpiece/interp/internal/value"
	"setpiece/interp/never"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// This file checks a script more strictly than it needs to run: what it declares and does
// not use, and, by a short simulation, tactics that the rules refuse, entries of tactics
// that no turn ever comes to, and where the script stops.

// StrictTrials is how many trials CheckStrict makes at most. It makes fewer of a script
// that takes long: the number of steps is bounded, and not the time, so that the result
// is the same on every machine.
const StrictTrials = 100

// slowStates is in how many states loops are looked for that odds are slow for.
const slowStates = 100

// quickStates is in how many states it is looked at whether something can happen at all.
const quickStates = 5_000

// strictSteps is after how many steps no further trial is begun.
const strictSteps = 20_000_000

// Strict finds mistakes as Check does, in a session of its own with that Config. A script without
// any is looked at more closely, and what is found is reported as warnings. A file of rules is
// not played. Comments that allow warnings and silence none are reported, too.
func Strict(ctx context.Context, cfg interp.Config, src *lang.Source) (lang.Diagnostics, error) {
	diags, played, err := strictly(ctx, interp.NewSession(cfg), src)
	if err != nil || core.Failed(diags) {
		return diags, err
	}
	if played != nil && played.trials == StrictTrials && len(played.stops) == 0 { // it does not take long
		found, err := never.Find(ctx, cfg, src, never.Config{Trials: StrictTrials, States: quickStates, Certain: true, People: played.passed})
		if err != nil {
			return nil, err
		}
		diags = both(diags, found)
	}
	slow, err := odds.Slow(ctx, core.Of(interp.NewSession(cfg)), src, slowStates)
	if err == nil { // a file of rules has no odds
		diags = append(diags, slow...)
	}
	diags = append(diags, faults(ctx, cfg, src)...).Allowed(src, true)
	core.SortDiagnostics(diags, src)
	return diags, nil
}

// both puts together what trials and what odds say. Of a place of which trials say something nothing is
// added, but what no turn uses in them is in no run where the odds say so.
func both(diags, never lang.Diagnostics) lang.Diagnostics {
	about := func(d *lang.Diagnostic) func(*lang.Diagnostic) bool {
		return func(o *lang.Diagnostic) bool {
			return d.In(o.Span) || o.In(d.Span) || slices.ContainsFunc(o.Notes, func(n lang.Note) bool { return n.Span == d.Span })
		}
	}
	for _, d := range diags {
		if (d.Code == "SP0130" || d.Code == "SP0131") && slices.ContainsFunc(never, about(d)) {
			d.Message = strings.Replace(d.Message, fmt.Sprintf(" in %d trials", StrictTrials), " in any run", 1)
		}
	}
	return append(diags, slices.DeleteFunc(never, func(d *lang.Diagnostic) bool { return slices.ContainsFunc(diags, about(d)) })...)
}

// strictly looks at a script alone, and gives how it was played, nil if it was not.
func strictly(ctx context.Context, s *interp.Session, src *lang.Source) (lang.Diagnostics, *rehearsal, error) {
	tree, diags, err := core.Of(s).Parse(ctx, src)
	if err != nil {
		return nil, nil, err
	}
	if check := core.AsRules(core.Of(s), src, tree); check != nil && !core.Failed(diags) {
		return check(true), nil, nil
	}
	before, again := core.Of(s).Keep(), core.Of(s).Host.Instead(nil)
	defer func() {
		again()
		core.Of(s).Back(before)
		core.Of(s).World.Strict = false
	}()
	core.Of(s).World = language.Traced(core.Of(s).World, true) // what is only printed may be wrong, too
	core.Of(s).M.Prog = core.Of(s).World.Prog
	core.Of(s).World.Strict = true
	w, out, diags, err := core.Of(s).CompileTree(ctx, tree, diags, true)
	if err != nil && diags == nil {
		return nil, nil, err
	}
	if len(diags) > 0 {
		return diags, nil, nil
	}
	t := &rehearsal{
		s: core.Of(s), seed: before.Seed,
		reached: map[core.Spot]int{}, refused: map[core.Spot]*refusals{}, stops: map[core.Spot]*stop{}, warned: map[doubt]*doubts{},
	}
	if err := t.prepare(ctx, w, out); err != nil {
		return nil, nil, err
	}
	if err := t.play(ctx); err != nil {
		return nil, nil, err
	}
	return slices.Concat(core.Headless(core.Of(s), src, tree), out.Lacking, out.Unused, t.warnings(out.Tactics)), t, nil
}

// rehearsal is a script that is played several times by nobody, and what was seen of its
// tactics.
type rehearsal struct {
	s      *core.Run
	seed   uint64
	funcs  []*code.Func
	trials int

	reached map[core.Spot]int
	refused map[core.Spot]*refusals
	stops   map[core.Spot]*stop
	warned  map[doubt]*doubts

	passed bool   // in some turn nobody but a person could have said what to do
	idle   int    // entries that turns have come to since something was last done
	end    func() // ends the trial
}

// doubt is what the rules warn of, and the line of the script that led to it.
type doubt struct {
	at   lang.Span
	text string
}

// doubts counts the trials in which the rules warned of something.
type doubts struct{ first, last, count int }

// refusals counts how often the rules refused an entry of tactics.
type refusals struct {
	entry  *code.Tactic
	why    string
	count  int
	nobody bool // each time because there was nobody whom it could be about
}

// stop counts the trials that stopped at a place.
type stop struct {
	diag  *lang.Diagnostic
	trial int // the first
	count int
}

// prepare sets up what the script declares.
func (t *rehearsal) prepare(ctx context.Context, w *decl.World, out *compile.Compiled) error {
	s, old := t.s, t.s.World
	s.World, s.M.Prog = w, w.Prog
	s.Host.Silence()
	s.Begin()
	if err := s.Started(ctx, old, out); err != nil {
		return err
	}
	for _, st := range out.Statements {
		if !st.Init {
			t.funcs = append(t.funcs, st.Func)
		} else if err := s.Statement(ctx, st.Func); err != nil {
			return err
		}
	}
	s.World = language.Traced(language.Unattended(s.World), true)
	s.M.Prog = s.World.Prog
	return nil
}

// play makes the trials.
func (t *rehearsal) play(ctx context.Context) error {
	s := t.s
	start := s.Snapshot()
	defer s.M.Switch(s.M.Unheard(), s.M.Prog)()
	s.M.Out = t
	steps := int64(0)
	for t.trials < StrictTrials && steps < strictSteps {
		s.M.Seed(trials.Seed(t.seed, int64(t.trials)))
		s.Count()
		err := t.trial(ctx)
		if e := ctx.Err(); e != nil {
			return s.Host.Stopped(e)
		}
		t.stopped(err)
		t.trials++
		steps += s.M.Steps
		rng := s.M.Generator()
		s.M.Store = append(s.M.Store[:0], start.Store...)
		s.M.SetGenerator(rng)
		s.M.Own, s.M.Faces, s.M.Answers = start.Own, start.Faces, start.Answers
		s.M.Picks, s.M.Commands, s.M.Refusals = start.Picks, start.Commands, start.Refusals
		s.M.Failures, s.M.Faults = nil, 0
	}
	return nil
}

func (t *rehearsal) trial(ctx context.Context) error {
	ctx, t.end = context.WithCancel(ctx)
	defer t.end()
	t.idle = 0
	for _, f := range t.funcs {
		if err := t.s.Call(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// stopped counts a trial that ended with a mistake.
func (t *rehearsal) stopped(err error) {
	var re *interp.RunError
	if !errors.As(err, &re) {
		return
	}
	at := core.SpotOf(re.Diag.Span)
	if t.stops[at] == nil {
		if t.idle > core.MaxIdle {
			re.Diag.Message = "it never ends, because nobody does anything"
			re.Diag.Help = core.IdleHelp
		}
		t.stops[at] = &stop{diag: re.Diag, trial: t.trials}
	}
	t.stops[at].count++
}

// warnings says what was seen of the tactics of a script.
func (t *rehearsal) warnings(all []*lang.Tactics) lang.Diagnostics {
	var out lang.Diagnostics
	tried := fmt.Sprintf("%d trials", t.trials)
	stops := 0
	for _, x := range t.stops {
		stops += x.count
	}
	if stops == t.trials {
		all = nil // nobody knows what turns there would be
	}
	for _, x := range all {
		used := slices.ContainsFunc(x.Entries, func(e lang.Tactic) bool { return e.Do == nil || t.reached[core.SpotOf(e.Do.Span)] > 0 })
		if !used && len(x.Entries) > 0 {
			at := x.Who[0].Range()
			at.End = x.Who[len(x.Who)-1].Range().End
			out = append(out, decl.WarnAt(at, "SP0130", "no turn uses these tactics in %s", tried))
			continue
		}
		for _, e := range x.Entries {
			if e.Do != nil && t.reached[core.SpotOf(e.Do.Span)] == 0 {
				out = append(out, decl.WarnAt(e.Do.Span, "SP0131", "no turn uses this entry in %s: another one always comes first", tried))
			}
		}
	}
	for _, at := range spotsOf(t.refused) {
		r := t.refused[at]
		if r.nobody && r.count < t.reached[at] {
			continue
		}
		times := "once"
		if r.count > 1 {
			times = fmt.Sprintf("%d times", r.count)
		}
		at := r.entry.At
		if word, ok := lang.Mentioned(at, r.why); ok {
			at = word
		}
		out = append(out, decl.WarnAt(at, "SP0132", "the rules refuse this %s in %s: %s", times, tried, r.why))
	}
	for _, x := range slices.SortedFunc(maps.Keys(t.warned), func(a, b doubt) int {
		return cmp.Or(cmp.Compare(core.SpotOf(a.at).Name(), core.SpotOf(b.at).Name()), cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.text, b.text))
	}) {
		n := t.warned[x]
		d := decl.WarnAt(x.at, "SP0133", "%s", x.text)
		d.Notes = append(d.Notes, lang.Note{Message: fmt.Sprintf("in %d of %s; setpiece run --seed %d shows the first of them", n.count, tried, trials.Seed(t.seed, int64(n.first)))})
		out = append(out, d)
	}
	for _, at := range spotsOf(t.stops) {
		x := t.stops[at]
		d := decl.WarnAt(x.diag.Span, "SP0134", "the script stops here in %d of %s: %s", x.count, tried, x.diag.Message)
		if x.diag.Help == core.IdleHelp {
			d.Help = core.IdleHelp
		}
		d.Notes = append(d.Notes, lang.Note{Message: fmt.Sprintf("setpiece run --seed %d shows the first of them", trials.Seed(t.seed, int64(x.trial)))})
		out = append(out, d)
	}
	return out
}

// spotsOf gives the spots of a map by file and place.
func spotsOf[T any](m map[core.Spot]T) []core.Spot {
	return slices.SortedFunc(maps.Keys(m), func(a, b core.Spot) int {
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.At, b.At))
	})
}

// Event implements machine.Observer.
func (t *rehearsal) Event(m *machine.Machine, info any, r []value.V, _ lang.Span, _ int32) {
	switch x := info.(type) {
	case *ir.ReachedInfo:
		t.reached[core.SpotOf(x.At)]++
		if t.idle++; t.idle > core.MaxIdle {
			t.end()
			m.MaxSteps = 0 // have the run looked at
		}
	case *ir.PassedInfo:
		t.passed = t.passed || x.Tactics == m.Prog.Default
	case *ir.ShowInfo:
		t.idle = 0
	case *code.Declined:
		t.passed = t.passed || m.Nobody()
		at := core.SpotOf(x.At)
		if t.refused[at] == nil {
			t.refused[at] = &refusals{entry: x.Tactic, why: m.Show(r[1]), nobody: true}
		}
		t.refused[at].count++
		t.refused[at].nobody = t.refused[at].nobody && m.Nobody()
	case *ir.SayInfo:
		if x.Kind == string(interp.EventWarn) && !x.Stated {
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
		if at.Src != nil && !language.InModule(at.Src) {
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
