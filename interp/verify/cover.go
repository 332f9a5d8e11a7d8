package verify

import (
	"context"
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// Cover says which rules of the systems in use are played while scripts are tested: coverage of
// statements (Myers, The Art of Software Testing, 1979), and of the rules that a catalogue names. It
// counts what is played; what only the odds in a test go through is not. The zero Cover is empty.
type Cover struct {
	Systems []*SystemCover // in the order in which scripts use them
}

// SystemCover is what is played of a system, or of a variant.
type SystemCover struct {
	System string
	Rules  []*RuleCover // with code that works by them, in the order of their text
	Files  []*FileCover
}

// CoverSum counts what is played of a system.
type CoverSum struct {
	Rules, AllRules int
	Lines, AllLines int // those that have code; what is played in part counts
}

// Sum counts what is played.
func (s *SystemCover) Sum() CoverSum {
	sum := CoverSum{AllRules: len(s.Rules)}
	for _, r := range s.Rules {
		if len(r.By) > 0 {
			sum.Rules++
		}
	}
	for _, f := range s.Files {
		for _, played := range f.Lines() {
			sum.AllLines++
			if played != Never {
				sum.Lines++
			}
		}
	}
	return sum
}

// RuleCover is a rule of the catalogue, and what plays it.
type RuleCover struct {
	ID, Doc string
	At      lang.Span
	By      []string // scripts, in the order in which they were tested
}

// FileCover is what is played of a file of rules.
type FileCover struct {
	Source *lang.Source
	parts  map[part]bool
}

// part is a piece of a text that has code of its own.
type part struct{ start, end int32 }

// Played says how much of a line is played.
type Played int

// What is played of a line.
const (
	Never Played = iota
	Partly
	Wholly
)

// Lines gives the lines that have code, counted from 1, with what is played of them.
func (f *FileCover) Lines() map[int]Played {
	played := map[int][2]bool{} // that something is not, that something is
	for p, yes := range f.parts {
		line := f.Source.Position(int(p.start)).Line
		l := played[line]
		l[0], l[1] = l[0] || !yes, l[1] || yes
		played[line] = l
	}
	lines := map[int]Played{}
	for line, l := range played {
		switch {
		case !l[1]:
			lines[line] = Never
		case l[0]:
			lines[line] = Partly
		default:
			lines[line] = Wholly
		}
	}
	return lines
}

// Which gives the lines of which so much is played, in their order.
func (f *FileCover) Which(how Played) []int {
	out := []int{}
	for line, played := range f.Lines() {
		if played == how {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// Tests is as the function of that name, for a new session, and counts what is played.
func (c *Cover) Tests(ctx context.Context, s *interp.Session, src *lang.Source) ([]TestResult, error) {
	s.SetEvents(func(*interp.Event) {}) // where somebody listens, no rule stands in the place of a call
	r := core.Of(s)
	k := &marker{m: r.M, of: map[*code.Ins]*marked{}}
	results, err := tests(ctx, s, src, k)
	r.M.Executor = nil
	c.add(r.World, k, src.Name)
	return results, err
}

// marker marks the instructions that a machine executes.
type marker struct {
	m  *machine.Machine
	of map[*code.Ins]*marked // by the first instruction of a function
}

// marked is the code of a function, and of each instruction whether it has been executed.
type marked struct {
	code   []code.Ins
	at     []lang.Span
	rule   []int32
	played []bool
}

// Execute executes a run until dice or a decision are needed. See machine.Executor.
func (k *marker) Execute() machine.Status {
	for {
		top := k.m.Frames[len(k.m.Frames)-1]
		k.function(top.Fn).played[top.PC] = true
		if s := k.m.Exec(1); s != machine.Stepped {
			return s
		}
	}
}

func (k *marker) function(fn *code.Func) *marked {
	f := k.of[&fn.Code[0]]
	if f == nil {
		f = &marked{fn.Code, fn.At, fn.Rule, make([]bool, len(fn.Code))}
		k.of[&fn.Code[0]] = f
	}
	return f
}

// places are those of the code of rules, each with whether it was played.
type places struct {
	parts map[lang.Span]bool // of lines
	rules map[int32]bool     // ids of the catalogue
}

// linkAll has all rules of a world known, also those that nobody has called.
func (k *marker) linkAll(w *decl.World) {
	for i := 0; i < len(w.Prog.Slots); i++ { // what is linked may need more
		fn := w.Prog.Slots[i]
		if fn.Code == nil && fn.Source != nil && w.Link(fn) != nil {
			continue
		}
		if len(fn.Code) > 0 {
			k.function(fn)
		}
	}
}

// places gives those of the functions that are known.
func (k *marker) places() places {
	all := places{map[lang.Span]bool{}, map[int32]bool{}}
	for _, f := range k.of {
		for pc, played := range f.played {
			if f.code[pc].Op != code.Nop { // in the place of what an option rules out
				all.parts[f.at[pc]] = all.parts[f.at[pc]] || played
				all.rules[f.rule[pc]] = all.rules[f.rule[pc]] || played
			}
		}
	}
	return all
}

// add counts what a script played of the systems in its world.
func (c *Cover) add(w *decl.World, k *marker, script string) {
	modules := slices.DeleteFunc(slices.Clone(w.Modules), func(m *decl.Module) bool { return m.Script })
	if slices.ContainsFunc(modules, func(m *decl.Module) bool { return c.system(m.Name) == nil }) {
		k.linkAll(w)
	}
	seen := k.places()
	for _, m := range modules {
		s := c.system(m.Name)
		if s == nil {
			s = &SystemCover{System: m.Name}
			c.Systems = append(c.Systems, s)
		}
		for i, r := range w.IDs {
			if played, coded := seen.rules[int32(i)]; coded && r.Module == m.Name {
				s.rule(r).add(script, played)
			}
		}
		for _, src := range m.Files {
			s.file(src).add(src, seen.parts)
		}
	}
}

// system gives what is known of a system, nil where it is new.
func (c *Cover) system(name string) *SystemCover {
	for _, s := range c.Systems {
		if s.System == name {
			return s
		}
	}
	return nil
}

func (s *SystemCover) rule(r decl.RuleID) *RuleCover {
	for _, x := range s.Rules {
		if x.ID == r.ID {
			return x
		}
	}
	x := &RuleCover{ID: r.ID, Doc: r.Doc, At: r.At()}
	s.Rules = append(s.Rules, x)
	return x
}

func (r *RuleCover) add(script string, played bool) {
	if played && !slices.Contains(r.By, script) {
		r.By = append(r.By, script)
	}
}

// file gives what is known of a file; each session may have read it anew.
func (s *SystemCover) file(src *lang.Source) *FileCover {
	for _, f := range s.Files {
		if f.Source.Name == src.Name {
			return f
		}
	}
	f := &FileCover{Source: src, parts: map[part]bool{}}
	s.Files = append(s.Files, f)
	return f
}

func (f *FileCover) add(src *lang.Source, parts map[lang.Span]bool) {
	for at, played := range parts {
		if at.Src != nil && at.Src.Name == src.Name { // tests begin from a world that has read it again
			p := part{at.Start, at.End}
			f.parts[p] = f.parts[p] || played
		}
	}
}
