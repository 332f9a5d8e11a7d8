package trials

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/pause"
	"setpiece/interp/internal/sim"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Worker makes trials of a text, and counts how they end.
type Worker struct {
	P      *core.Prepared
	Ends   []Tally
	places []arrived // by end of the automaton
	byKey  map[string]int
	Made   func(n int64) // told of trials that have been made
	Plans  int64         // how many trials it makes, about; 0: nobody knows

	Limited int64            // how many ended at a limit
	Limit   *interp.RunError // the latest of them

	Noting       machine.Noting
	noted, first []int64             // by number of the note: how often, and in which trial first
	Tactics      []dist.RefusedCount // that were counted elsewhere
}

// arrived counts the trials that came to an end.
type arrived struct {
	count, first int64
	end          int32 // 1 + the number of the end it is, 0 where that is not known yet
}

// Tally is an end with the columns that tell it.
type Tally struct {
	Columns []string
	End
}

// New prepares a text in a session of its own.
func New(ctx context.Context, cfg interp.Config, src *lang.Source, noting machine.Noting) (*Worker, error) {
	s := interp.NewSession(cfg)
	p, err := core.Of(s).Prepare(ctx, src)
	if err != nil {
		return nil, err
	}
	return Of(p, noting), nil
}

// Of is a Worker for a text that is prepared, with notes of its own.
func Of(p *core.Prepared, noting machine.Noting) *Worker {
	p.Run.M.Notes = &machine.Notes{}
	return &Worker{P: p, byKey: map[string]int{}, Noting: noting}
}

// Make makes the trials from..to.
func (t *Worker) Make(ctx context.Context, from, to int64, seed uint64) error {
	p := t.P
	s, m := p.Run, p.Run.M
	m.Mode, m.Prog = machine.Trial(t.Noting, !s.Host.Decides()), p.World.Prog
	s.Count()
	p.Rewind()
	remembers := p.Remembers()
	if remembers && p.Auto == nil {
		p.Auto = sim.NewAutomaton(m, p.Funcs, true)
		p.Auto.Planned = int(t.Plans)
	}
	if remembers {
		p.Auto.Ended = func() bool { return pause.Err(ctx) != nil }
		p.Auto.Open()
		defer func() {
			if p.Auto != nil {
				p.Auto.Close()
			}
		}()
	}
	quick := int64(0)
	defer func() {
		for i := range t.places {
			if x := &t.places[i]; x.count > 0 {
				t.Count(int(x.end)-1, x.count, x.first)
				x.count = 0
			}
		}
		t.Made(quick)
	}()
	for k := from; k < to; k++ {
		m.Seed(Seed(seed, k))
		if remembers && !p.Auto.Pays() {
			p.Auto.Close()
			p.Auto, p.Apart, remembers = nil, true, false
		}
		if remembers && p.Auto.Run() {
			if err := t.Note(p.Auto.Noted(), k); err != nil {
				return err
			}
			t.arrive(p.Auto.End(), k)
			if quick++; len(t.Ends) > MaxEnds {
				return t.tooMany()
			}
			if quick%64 == 0 && pause.Err(ctx) != nil {
				return ctx.Err() // the first trials are slow: they find the states
			}
			continue
		}
		if remembers {
			p.Auto.Close()
		}
		p.Rewind()
		m.Reports, m.Noted = m.Reports[:0], m.Noted[:0]
		err := p.Execute(ctx, 1)
		if err := t.Note(m.Noted, k); err != nil {
			return err
		}
		if e := pause.Err(ctx); e != nil {
			return e
		}
		var re *interp.RunError
		if errors.As(err, &re) && re.Kind == interp.Limit {
			t.Limited++
			t.Limit = re
			if m.Thrown == 0 && to-from > 1 {
				return ErrNoDice
			}
		}
		t.Count(t.EndOf(err), 1, k)
		t.Made(1)
		if len(t.Ends) > MaxEnds {
			return t.tooMany()
		}
		p.Rewind()
		if remembers {
			p.Auto.Open()
		}
	}
	return nil
}

// arrive counts a trial that came to an end of the automaton.
func (t *Worker) arrive(at int, trial int64) {
	if at >= len(t.places) {
		t.places = append(t.places, make([]arrived, at+1-len(t.places))...)
	}
	x := &t.places[at]
	if x.count++; x.count == 1 {
		x.first = trial
		if x.end == 0 {
			t.P.Auto.Settle()
			x.end = int32(t.EndOf(nil) + 1)
		}
	}
}

// Note counts what was noted in a trial.
func (t *Worker) Note(notes []int32, trial int64) error {
	for _, n := range notes {
		for int(n) >= len(t.noted) {
			t.noted, t.first = append(t.noted, 0), append(t.first, trial)
		}
		if t.noted[n]++; t.noted[n] == 1 {
			t.first[n] = trial
		}
	}
	if t.Noting == machine.NoteRefusals && len(notes) > 0 {
		return ErrRefused
	}
	return nil
}

// Count counts n trials, of which the first is given, to an end.
func (t *Worker) Count(i int, n, first int64) {
	e := &t.Ends[i]
	if e.Count == 0 || first < e.First {
		e.First = first
	}
	e.Count += n
}

// EndOf gives the number of the end that the machine is in.
func (t *Worker) EndOf(err error) int {
	s := t.P.Run
	var columns []string
	var e End
	if err != nil {
		e.Stops = err.Error()
		var re *interp.RunError
		if errors.As(err, &re) {
			e.Stops = re.At()
		}
	} else {
		columns, e.Shown = shownEnd(s)
	}
	key := strings.Join(columns, "\x00") + "\x01" + strings.Join(e.Shown, "\x00") + "\x01" + e.Stops
	if i, ok := t.byKey[key]; ok {
		return i
	}
	if err == nil {
		e.Data = seenData(s)
	}
	i := len(t.Ends)
	t.byKey[key] = i
	t.Ends = append(t.Ends, Tally{columns, e})
	return i
}

// MaxEnds bounds in how many ways the trials of a worker may end: all of them are kept.
var MaxEnds = 1 << 18 // a variable for tests

// tooMany is the error of trials that end in more ways, and names the column that differs most.
func (t *Worker) tooMany() error {
	values := map[string]map[string]bool{}
	most := ""
	for _, e := range t.Ends {
		for i, c := range e.Columns {
			if values[c] == nil {
				values[c] = map[string]bool{}
			}
			values[c][e.Shown[i]] = true
			if len(values[c]) > len(values[most]) {
				most = c
			}
		}
	}
	return fmt.Errorf("the trials end in more than %s ways, which is more than can be kept: %s alone has %s values. Report less of it, such as whether it is above a number",
		machine.Grouped(int64(MaxEnds)), most, machine.Grouped(int64(len(values[most]))))
}

// shownEnd gives what was reported, or the last outcome with its values.
func shownEnd(s *core.Run) (columns, shown []string) {
	m := s.M
	if len(m.Reports) > 0 {
		for _, r := range m.Reports {
			columns = append(columns, m.Reported[r.Info].(*ir.ReportInfo).Column)
			shown = append(shown, m.Show(r.Value))
		}
		return columns, shown
	}
	for i, name := range language.LastNames(s.World) {
		if v := m.Store[m.Prog.Last[0]+i]; v != value.None {
			columns = append(columns, name)
			shown = append(shown, m.Show(v))
		}
	}
	return columns, shown
}

// seenData gives what seen shows as values.
func seenData(s *core.Run) (data []interp.Value) {
	m := s.M
	for _, r := range m.Reports {
		data = append(data, s.Host.Value(r.Value).(interp.Value))
	}
	if len(data) > 0 {
		return data
	}
	for i := range language.LastNames(s.World) {
		if v := m.Store[m.Prog.Last[0]+i]; v != value.None {
			data = append(data, s.Host.Value(v).(interp.Value))
		}
	}
	return data
}

// First is how many trials are made before the others. Where each of them reaches
// a limit, the others would most likely take long to do the same, and their figures
// would be about nothing.
const First = 3

// FirstAllEnded is why no more trials are made where the first end at a limit.
var FirstAllEnded = fmt.Sprintf("each of the first %d trials ended at a limit, so the others were not made", First)

// ErrNoDice is that a trial reached a limit in which nothing was left to chance.
var ErrNoDice = errors.New("a trial without dice reached a limit")

// TooLong is the error of a simulation that does not make the trials which would reach a
// limit, too.
func TooLong(limit *interp.RunError, why string) error {
	e, d := *limit, *limit.Diag
	d.Notes = append(slices.Clip(d.Notes), lang.Note{Message: why})
	e.Diag = &d
	return &e
}

// ErrRefused is that a command of tactics was refused where turns are not counted.
var ErrRefused = errors.New("a command of tactics was refused")
