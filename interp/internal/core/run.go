package core

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"weak"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pause"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Run is a world and the machine that runs in it: what a session is beneath what it tells and whom it
// asks.
type Run struct {
	Heap     *value.Heap
	M        *machine.Machine
	World    *decl.World
	Log      machine.Log
	Host     Host
	Most     Limits
	Seed     uint64 // of the generator
	Traced   bool   // somebody listens
	Room     int    // bytes of text that may still be told
	Idling   int    // entries of tactics that turns have come to since something was last done
	Faults   int
	Hands    []Hand // who acts for whom; the last that covers somebody counts
	Quiet    string // which decisions people are asked
	On       []Span // that have begun and not ended, the outermost first; never changed in place
	Deadline time.Time
	asked    map[string]*asked // see again
	Besides  besides           // worlds with one module more

	snapshots   []weak.Pointer[Snapshot] // that somebody may put the session back to
	ReleaseFrom int64                    // see release
	declared    value.Mark               // the values that what was declared holds, beside the state; see Compact
	compactFrom int64                    // how much values may take until Compact looks for those that nobody needs
}

// besides are worlds as they would be with one module more. Help reads them again and
// again while nothing changes.
type besides struct {
	Of     *decl.World
	Worlds map[string]*decl.World
}

// Host is whoever a run asks and tells.
type Host interface {
	// Answer does what a machine waits for: dice, a decision, a command, or what follows one.
	Answer(ctx context.Context, st machine.Status) error
	// Decides says whether somebody decides what no clause and no tactics decide.
	Decides() bool
	// Begin is called before a statement, Abandon when one has failed.
	Begin()
	Abandon()
	// Loaded is told of a module that was taken into use.
	Loaded(l compile.Loaded)
	// Broken makes an error of a failure, Stopped of what stopped a run from outside, Uncompiled of why
	// a source was not compiled to its end.
	Broken(e *machine.Error) error
	Stopped(err error) error
	Uncompiled(src *lang.Source, err error) error
	// Unmet gives the expectations that were not met since it was last called.
	Unmet() []error
	// Silence has nobody listen until back is called.
	Silence() (back func())
	// Exec runs a text as a session does.
	Exec(ctx context.Context, src *lang.Source) error
	// Instead has a Choice of a session decide instead of whoever does, nil for nobody, and the
	// generator throw, until back is called.
	Instead(choice any) (back func())
	// Systems gives the systems that a world uses, as others see them.
	Systems(w *decl.World) any
	// Recorded gives a log as the Record that others see.
	Recorded(log machine.Log) any
	// Value gives a value as others see it.
	Value(v value.V) any
}

// Limits bound what may be used. None is 0.
type Limits struct {
	Steps, Dice, Memory int64
	Output, Source      int
	Time                time.Duration
}

// Of gives what a session of package interp is beneath.
func Of(s interface{ Core(**Run) }) (r *Run) {
	s.Core(&r)
	return r
}

// NewRun makes an empty run: nothing is declared.
func NewRun(h Host, most Limits) *Run {
	r := &Run{Heap: value.NewHeap(), Host: h, Most: most, ReleaseFrom: releaseFrom}
	r.M = &machine.Machine{Heap: r.Heap}
	r.World = compile.New(r.Heap, &r.M.Store)
	r.M.Prog = r.World.Prog
	r.Declares(r.Heap.Mark()) // the empty list stays whatever is forgotten
	return r
}

// Hand is who acts for whom: a person or tactics.
type Hand struct {
	Who   string
	Asked bool
}

// Span is something that is on: a scene, a round.
type Span struct{ Name, Title string }

// Begin sets the limits of one Exec.
func (r *Run) Begin() {
	r.Count()
	r.M.Log = &r.Log
	r.Room = r.Most.Output
}

// Count starts the counting of steps, dice and time anew.
func (r *Run) Count() {
	l := r.Most
	r.M.Steps, r.M.StepLimit = 0, l.Steps
	r.M.Thrown, r.M.MaxDice = 0, l.Dice
	r.M.Printed, r.M.MaxOutput = 0, int64(l.Output)
	r.M.LimitHeap(l.Memory)
	r.Idling = 0
	r.timed()
}

// timed gives what runs from now on the time of one run.
func (r *Run) timed() { r.Deadline = time.Now().Add(r.Most.Time) }

// Started runs what newly used modules declare.
func (r *Run) Started(ctx context.Context, old *decl.World, out *compile.Compiled) error {
	for _, f := range r.World.Start[min(len(old.Start), len(r.World.Start)):] {
		if err := r.Statement(ctx, f); err != nil {
			return err
		}
	}
	for _, l := range out.Loaded {
		r.Host.Loaded(l)
	}
	return nil
}

// Statement runs one function; when it fails the state is as it was.
func (r *Run) Statement(ctx context.Context, fn *code.Func) error {
	before := r.Snapshot()
	r.Host.Begin()
	err := r.Call(ctx, fn)
	if err == nil {
		return nil
	}
	faces, answers, commands, picks, hands, quiet := r.M.Faces, r.M.Answers, r.M.Commands, r.M.Picks, r.Hands, r.Quiet
	r.Restore(before)
	r.M.Failures, r.M.Faults = nil, 0
	r.Hands, r.Quiet = hands, quiet
	r.M.Faces, r.M.Answers, r.M.Commands, r.M.Picks = faces, answers, commands, picks // what fell has fallen, and is in the record
	r.Host.Abandon()
	return err
}

// LooksAfter is how many steps are run between two looks at the clock and the context.
// They take some 70 ms at most where each makes a value.
const LooksAfter = 1 << 16

// Slice is how many steps are made at once of what is tried out.
const Slice = 1 << 18

func (r *Run) Call(ctx context.Context, fn *code.Func, args ...value.V) error {
	m := r.M
	if err := m.Start(fn, args...); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return r.Host.Stopped(err)
	}
	m.MaxSteps = min(m.Steps+LooksAfter, m.StepLimit)
	return r.carryOn(ctx, m.Run())
}

// carryOn brings a run that returned with a status to its end.
func (r *Run) carryOn(ctx context.Context, st machine.Status) error {
	m := r.M
	for ; ; st = m.Run() {
		m.MaxSteps = min(m.Steps+LooksAfter, m.StepLimit)
		var err error
		switch st {
		case machine.Done:
			return nil
		case machine.Broken:
			return r.Host.Broken(m.Err)
		case machine.Yield:
			if time.Now().After(r.Deadline) {
				err = ErrTime
			}
		default:
			err = r.Host.Answer(ctx, st)
		}
		if err != nil {
			return r.Host.Stopped(err)
		}
		if err := pause.Err(ctx); err != nil {
			return r.Host.Stopped(err)
		}
		if r.Room < 0 {
			return r.Host.Stopped(ErrOutput)
		}
	}
}

var (
	ErrTime   = errors.New("the time is up")
	ErrOutput = errors.New("the script prints too much")
)

// Aside runs something on the machine where it stands, with nobody listening and
// every decision at its default, and puts everything back.
func (r *Run) Aside(f func(m *machine.Machine)) {
	m, world := r.M, r.World
	was := m.Suspend()
	size := len(m.Store)
	m.Mode = m.Unheard()
	m.Seeded = true
	m.Own, m.Faces, m.Answers, m.Commands, m.Picks = machine.Own{}, nil, nil, nil, nil
	f(m)
	m.Resume(was)
	m.Store = m.Store[:size]
	r.World.Unlink(world)
	r.World = world
}

// Foes lists whom the default tactics of somebody choose from: where their sheets are.
func (r *Run) Foes(who value.V) (offs []int) {
	for _, rule := range language.Aims(r.World) {
		offs = append(offs, r.listed(rule, who)...)
	}
	return offs
}

// Terms gives what language.Moves takes.
func (r *Run) Terms(who value.V) (t language.Terms) {
	if rule := language.TermsRule(r.World, "usual_terms", 1); rule != nil {
		t.At = map[int]string{}
		list, _ := r.Pure(rule, who)
		for _, v := range r.elems(list) {
			switch at := r.elems(v); {
			case v.Kind() == value.Ref:
				t.Usual = append(t.Usual, v.Off())
			case len(at) == 2: // somebody, and what joins a pool against them
				t.At[at[0].Off()] += " " + r.M.Show(at[1])
			default:
				t.Joins += " " + r.M.Show(v)
			}
		}
	}
	if rule := language.TermsRule(r.World, "fitting_terms", 2); rule != nil {
		t.Fitting = map[string][][]int{}
		for _, v := range decl.SortedVerbs(r.World) {
			list, ok := r.Pure(rule, who, r.Heap.OfText(v.Name))
			switch {
			case ok && list == value.No:
				t.Unfit = append(t.Unfit, v.Name)
			case ok && list == value.Yes:
				t.Late = append(t.Late, v.Name)
			case ok && list.Kind() == value.List:
				t.Fitting[v.Name] = [][]int{}
			}
			if t.Fitting[v.Name] == nil {
				continue
			}
			for _, way := range r.Heap.Elems(list) {
				var offs []int
				for _, e := range r.Heap.Elems(way) {
					offs = append(offs, e.Off())
				}
				t.Fitting[v.Name] = append(t.Fitting[v.Name], offs)
			}
		}
	}
	return t
}

// Listed gives where those are that a rule of some name lists for somebody, such as foe.
func (r *Run) Listed(name string, who value.V) []int {
	if rule := language.TermsRule(r.World, name, 1); rule != nil {
		return r.listed(rule, who)
	}
	return nil
}

// listed gives where those are that a rule lists for somebody.
func (r *Run) listed(rule *code.Func, who value.V) (offs []int) {
	if v, ok := r.Pure(rule, who); ok && v.Kind() == value.List {
		for _, e := range r.Heap.Elems(v) {
			offs = append(offs, e.Off())
		}
	}
	return offs
}

// Friends says whether neither of two is a foe of the other.
func (r *Run) Friends(a, b value.V) bool {
	return !slices.Contains(r.Foes(a), b.Off()) && !slices.Contains(r.Foes(b), a.Off())
}

// Pure gives the value of a rule; no when it fails.
func (r *Run) Pure(fn *code.Func, args ...value.V) (v value.V, ok bool) {
	r.Aside(func(m *machine.Machine) {
		if m.Start(fn, args...) != nil {
			return
		}
		for {
			m.MaxSteps = min(m.Steps+LooksAfter, m.StepLimit)
			switch m.Run() {
			case machine.Done:
				v, ok = m.Result, true
				return
			case machine.NeedChoice:
				m.GiveAnswer(m.Asked().Default, "default")
			case machine.Yield:
			default:
				return
			}
		}
	})
	return v, ok
}

func Or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Sayings are what a table says for commands, as the rules list it: [words, before the pool, behind it].
func (r *Run) Sayings(who value.V) (list []language.Saying) {
	rule := language.TermsRule(r.World, "sayings", 1)
	if rule == nil {
		return nil
	}
	all, _ := r.Pure(rule, who)
	for _, v := range r.elems(all) {
		x := r.elems(v)
		before, behind, whom := r.elems(x[1]), r.elems(x[2]), 0
		for _, piece := range slices.Concat(before, behind) {
			if e := r.World.ByOff[piece.Off()]; piece.Kind() == value.Ref && e != nil && e.Owner == nil {
				whom = e.Off
			}
		}
		head, ok := r.Written(before)
		target, known := r.Written(behind)
		verb, operands, _ := strings.Cut(head, " ")
		if ok && known {
			list = append(list, language.Saying{Words: strings.Fields(r.M.Show(x[0])), Verb: verb, Operands: operands, Target: target, Who: whom})
		}
	}
	return list
}

// Remedies are what can be done by hand where a script stops, about somebody or, with none, anyway: commands, each with what it does.
func (r *Run) Remedies(who value.V) (commands, does []string) {
	if rule := language.TermsRule(r.World, "remedies", 1); rule != nil {
		all, _ := r.Pure(rule, who)
		for _, v := range r.elems(all) {
			x := r.elems(v)
			if text, ok := r.Written(r.elems(x[1])); ok {
				commands, does = append(commands, text), append(does, r.M.Show(x[0]))
			}
		}
	}
	return commands, does
}

// Upcoming is who acts behind somebody, as the rules list it: [in order, still to act, words where there is no order].
func (r *Run) Upcoming(rule *code.Func, who value.V) (then, left []string, says string) {
	v, ok := r.Pure(rule, who)
	if all := r.elems(v); ok && len(all) == 3 {
		for i, to := range []*[]string{&then, &left} {
			for _, x := range r.elems(all[i]) {
				*to = append(*to, r.M.NameOf(x))
			}
		}
		says = r.M.Show(all[2])
	}
	return then, left, says
}

func (r *Run) elems(v value.V) []value.V {
	if v.Kind() != value.List {
		return nil
	}
	return r.Heap.Elems(v)
}

// Written joins pieces of a command. Where nothing is picked, the word before it is left out, too: of
// attack Fang with none  that is  attack Fang.
func (r *Run) Written(pieces []value.V) (string, bool) {
	var words []string
	for _, p := range pieces {
		if last := len(words) - 1; p == value.None && last > 0 && !strings.Contains(words[last], " ") {
			words = words[:last]
			continue
		}
		switch p.Kind() {
		case value.Ref:
			name, ok := language.Written(r.World, p.Off())
			if !ok {
				return "", false
			}
			words = append(words, name)
		case value.List:
			var names []string
			for _, e := range r.Heap.Elems(p) {
				if e.Kind() != value.Ref {
					return "", false
				}
				name, ok := language.Written(r.World, e.Off())
				if !ok {
					return "", false
				}
				names = append(names, name)
			}
			if len(names) == 0 {
				return "", false
			}
			words = append(words, strings.Join(names, ", "))
		default:
			words = append(words, r.M.Show(p))
		}
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.Join(words, " ")), " "), " ,", ","), true
}

// Strangers lists who is there and no friend of somebody.
func (r *Run) Strangers(who value.V) map[int]bool {
	out := map[int]bool{}
	aside := r.M.Aside()
	for _, e := range language.Instances(r.World) {
		if _, there, err := aside.Summary(e.Off); !e.Part && there && err == nil && e.Off != who.Off() {
			out[e.Off] = !r.Friends(who, value.OfRef(e.Off))
		}
	}
	return out
}
