// Package state makes one list of words of the state of a run, so that equal states are
// equal words.
//
// Odds follow a run to each draw, keep the state there, and go on from it once for each
// outcome. Two states that go on in the same way should be one, so a state is brought into
// a canonical form: dead registers are left out, and so are records that nothing refers to
// any more, and values of the last outcome that are overwritten before anybody reads them
// (package analysis says which). What was written into the long-lived part of the store is
// kept as differences to a base; behind it stand the records that the run has made.
//
// A saved state is
//
//	function, pc, base, ret and keep of each frame    the control
//	the live registers of each frame
//	what records there are, with their headers
//	the words of the store that refer to records
//	what its savepoints would undo
//	the dice and answers that the script has given
//	what was reported, without the values, and the faults
//	the other words of the store                      place and value, by place
//
// So the control alone says which records there are and who knows of them, and what is
// done with the values in them can be used again where others stand there. The values of
// reports are put into words of the store for the same reason: nobody reads them until all
// is done, and a scene goes on in the same way whatever the one before it reported.
//
//	codec.go      saves and loads
//	future.go     what may still be read from where the machine is
//	unknowns.go   states whose numbers are worked out from unknown words (package symbolic)
//	symmetry.go   states that are equal but for the names of creatures
//	watch.go      whether the rules treat those creatures alike
package state

import (
	"errors"
	"slices"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// V is a value.
type V = value.V

// Codec saves the states of a machine as flat words and puts it back into them.
type Codec struct {
	M        *machine.Machine
	Analysis *analysis.Analysis
	Tracker  *symbolic.Tracker // what a run depends on; nil when nobody asks
	Symmetry *Watch            // whether it matters which member of an orbit is which; nil when nobody asks
	base     []V
	dirty    []int // places of the base that may differ now
	mark     []bool

	Defaults bool              // every question is answered by its default
	Outside  func(at int) bool // whether what is read of a pool has nothing to do with a word of the store

	funcs    []*code.Func // see Schedule
	changed  []bool       // the words of the base that they may change
	behind   []bool       // whether the last outcome is live before each of them, and in the end
	last     bool         // whether it is where the function at work returns, or, when none is, where the machine is
	Upcoming []*code.Func // what is run behind the function at work; nil: anything
	futures  map[string]*analysis.Future
	key      []byte
	Uses     []analysis.Use // of the words, by the state saved last; nil: all are live
	LastLive bool           // whether the state saved last has the values of the last outcome
	records  []int          // that are in the state saved last
	linked   []int          // places in it of words that refer to records
	next     *analysis.Future
	filled   []filled            // registers of the state loaded last that were in words of the store
	slots    []symbolic.WordForm // see Slots
	reported int                 // how many reports were in words of the state loaded last
}

// filled is a register that is kept in a word of the store.
type filled struct{ reg, word int }

// NewCodec makes a Codec whose base is the store as it is, without the records of
// a run that is under way. Without Schedule all that has been written is saved.
func NewCodec(m *machine.Machine) *Codec {
	s := &Codec{M: m, Analysis: m.Analysis(), base: slices.Clone(m.Store[:m.Kept()]), last: true}
	s.mark = make([]bool, len(s.base))
	s.futures = map[string]*analysis.Future{}
	m.Journaled, m.Logging = true, true
	return s
}

// Open takes the machine, with the base in its store.
func (s *Codec) Open() { s.M.Journal(true) }

// Release gives the machine back as it is.
func (s *Codec) Release() {
	s.Tracker, s.Symmetry = nil, nil
	s.M.Tracer, s.M.Executor = nil, nil
	s.M.Journal(false)
	s.M.Savepoints, s.M.Frames = s.M.Savepoints[:0], s.M.Frames[:0]
	s.M.Reports, s.M.Failures = nil, nil
}

// Close gives the machine back in the base state.
func (s *Codec) Close() {
	s.Reset()
	s.Release()
}

// Reset makes the store that of the base.
func (s *Codec) Reset() {
	s.collect()
	m := s.M
	m.Store = m.Store[:len(s.base)]
	for _, at := range s.dirty {
		m.Store[at] = s.base[at]
		s.mark[at] = false
	}
	s.dirty = s.dirty[:0]
	m.UndoLog = m.UndoLog[:0]
	s.reported = 0
}

// collect notes which places of the base have been written.
func (s *Codec) collect() {
	note := func(at int) {
		if at < len(s.base) && !s.mark[at] {
			s.mark[at] = true
			s.dirty = append(s.dirty, at)
		}
	}
	for _, u := range s.M.UndoLog {
		note(u.At)
	}
	for _, at := range s.M.PutBack {
		note(at)
	}
	s.M.PutBack = s.M.PutBack[:0]
	if len(s.M.Savepoints) == 0 {
		s.M.UndoLog = s.M.UndoLog[:0]
	}
}

var errUnsaved = errors.New("odds cannot look inside a block of refused, faults or warns")

// Save appends the state in which Run returned with status st. Where chance or
// choice is needed it is the state before the dice are thrown or the question
// is asked, so that Run returns for them again. The words of the store are
// behind the first control words.
func (s *Codec) Save(to []V, st machine.Status) (state []V, control int, err error) {
	m := s.M
	if len(m.Captured) > 0 {
		return nil, 0, errUnsaved
	}
	s.collect()
	if n := len(m.Frames); n > 0 && (st == machine.NeedChance || st == machine.NeedChoice) {
		m.Frames[n-1].PC--
		defer func() { m.Frames[n-1].PC++ }()
	}
	var next *analysis.Future
	if s.Upcoming != nil {
		next = s.Future()
	}
	s.next = next
	s.slots = s.slots[:0]
	s.putReports()
	to = append(to, IntV(len(m.Frames)))
	for i := range m.Frames {
		f := &m.Frames[i]
		to = append(to, IntV(s.Analysis.Liveness(f.Fn).Id), IntV(int(f.PC)), IntV(int(f.Base)), IntV(int(f.Ret)), IntV(int(f.Keep)))
	}
	from := len(to)
	lastLive, back := s.last, false // back: a refusal further in gives the last outcome back
	for i := range m.Frames {
		f := &m.Frames[i]
		l := s.Analysis.Liveness(f.Fn)
		if lastLive {
			lastLive = l.LastOn[f.PC]
		} else {
			lastLive = l.LastIf[f.PC]
		}
		back = back || lastLive && slices.ContainsFunc(m.Savepoints, func(g machine.Savepoint) bool { return g.Frames == i+1 })
		s.LiveRegisters(i).Each(func(r int) {
			v := s.register(int(f.Base) + r)
			to = append(to, v)
			for _, rule := range s.Analysis.RulesIn(m.Heap, v, nil) {
				lastLive = lastLive || s.Analysis.Effects(rule).ReadsLast
			}
		})
	}
	lastLive = lastLive || back
	to = s.saveRecords(to, to[from:], next)
	for i := range m.Frames {
		keep := &to[from-5*(len(m.Frames)-i)+4]
		if k := int(keep.Int()); k > len(m.Store) {
			*keep = IntV(len(m.Store))
		}
	}
	to = s.saveSavepoints(to)
	own := m.Own
	if st == machine.NeedChance && len(m.Fallen) > 0 {
		// what the script gave to this throw will be given to it again
		own.Faces = nil
		for _, d := range m.Fallen {
			own.Faces = append(own.Faces, machine.Ahead{N: d.DieFace()})
		}
	}
	to = append(s.saveOwn(to, own), IntV(m.Faults), IntV(len(m.Failures)), IntV(len(m.Reports)))
	for i, r := range m.Reports {
		to = append(to, IntV(r.Info))
		if s.reportWord(i) >= 0 {
			continue
		}
		if s.Tracker != nil {
			s.Tracker.ConcretiseExpr(s.Tracker.OfReport(i))
		}
		to = append(to, r.Value)
	}
	control = len(to)
	s.LastLive = lastLive
	slices.Sort(s.dirty)
	var uses []analysis.Use
	if next != nil {
		uses = next.Words
	}
	s.Uses = uses
	lo, hi := m.Prog.Last[0], m.Prog.Last[1]
	kept := s.dirty[:0]
	for _, at := range s.dirty {
		if m.Store[at] == s.base[at] {
			s.mark[at] = false
			continue
		}
		kept = append(kept, at)
		if at >= lo && at < hi && !lastLive || s.refers(m.Store[at]) {
			continue
		}
		v, keep := m.Store[at], true
		if uses != nil {
			v, keep = uses[at].Keep(v, s.base[at])
		}
		if keep {
			to = append(to, IntV(at), v)
		}
	}
	s.dirty = kept
	for _, off := range s.records {
		for at := off + code.Header; at < off+s.length(off); at++ {
			if v := m.Store[at]; v != value.None && !s.refers(v) {
				to = append(to, IntV(at), v)
			}
		}
	}
	return to, control, nil
}

// reportWord gives the word of the store that the value of a report is kept in, -1 for none.
func (s *Codec) reportWord(i int) int {
	if at := s.M.Prog.ReportWords[0] + i; at < s.M.Prog.ReportWords[1] {
		return at
	}
	return -1
}

// putReports puts the values that were reported since the state was loaded into words of the
// store.
func (s *Codec) putReports() {
	m := s.M
	for i := s.reported; i < len(m.Reports); i++ {
		at := s.reportWord(i)
		if at < 0 {
			return
		}
		if s.Tracker != nil {
			s.Tracker.Write(at)
			s.Tracker.Cell[at] = s.Tracker.OfReport(i)
		}
		s.load(at, m.Reports[i].Value)
	}
}

// register gives what a live register is saved as. A number that is worked out from
// unknown words is kept in a word of the store instead.
func (s *Codec) register(at int) V {
	m := s.M
	v := m.Stack[at]
	if s.Tracker == nil || s.Tracker.Of(at) == 0 {
		return v
	}
	if of, ok := s.Tracker.LinearForm(s.Tracker.Of(at)); ok && len(s.slots) < m.Prog.RegisterWords[1]-m.Prog.RegisterWords[0] {
		v = value.OfSlot(len(s.slots))
		s.slots = append(s.slots, symbolic.WordForm{At: int32(m.Prog.RegisterWords[0] + len(s.slots)), Of: of})
		return v
	}
	s.Tracker.Concretise(at)
	return v
}

// Slots gives the linear forms of the numbers in registers that the state saved last
// has in words of the store.
func (s *Codec) Slots() []symbolic.WordForm { return s.slots }

// refers says whether a value leads to a record.
func (s *Codec) refers(v V) bool {
	if len(s.records) == 0 {
		return false
	}
	switch v.Kind() {
	case value.Ref:
		return v.Off() >= len(s.base)
	case value.List:
		return slices.ContainsFunc(s.M.Heap.Elems(v), s.refers)
	case value.Map:
		return slices.ContainsFunc(s.M.Heap.Pairs(v), s.refers)
	}
	return false
}

// RecordFields tells of the store, from the base on, which words the state saved last
// has of its records: by place, the field; nil where it has none, or the control
// says what stands there.
func (s *Codec) RecordFields() []*code.Field {
	if len(s.records) == 0 {
		return nil
	}
	held := make([]*code.Field, len(s.M.Store)-len(s.base))
	for _, off := range s.records {
		t := s.M.TypeOf(off)
		for i := range t.Fields {
			if f := &t.Fields[i]; !s.next.Misses(f) {
				held[off+code.Header+i-len(s.base)] = f
			}
		}
	}
	for _, at := range s.linked {
		if at >= len(s.base) {
			held[at-len(s.base)] = nil
		}
	}
	return held
}

// Linked gives the places of the base whose words are in the control of the state
// saved last, since they refer to records.
func (s *Codec) Linked() []int32 {
	var out []int32
	for _, at := range s.linked {
		if at < len(s.base) {
			out = append(out, int32(at))
		}
	}
	return out
}

// Program identifies what is known of the program: as long as it is the same, so
// is what states of the program mean.
func (s *Codec) Program() any { return s.Analysis }

// Base gives the words of the base. They must not be changed.
func (s *Codec) Base() []V { return s.base }

// Schedule says which functions are run, one after the other, and that nothing is
// asked behind them but what they report or, where they report nothing, the last
// outcome: only what bears on that is saved then. A function that is nil is at
// work, the first. It comes before any Save, with At.
func (s *Codec) Schedule(funcs []*code.Func) {
	s.funcs = funcs
	s.behind = make([]bool, len(funcs)+1)
	all := !slices.ContainsFunc(funcs, func(f *code.Func) bool { return f != nil && f.HasReport() })
	s.behind[len(funcs)] = all
	s.Analysis.AsksAtEnd(funcs, all)
	s.changed = s.Analysis.Changes(funcs, len(s.base))
	for at := s.M.Prog.ReportWords[0]; at < min(s.M.Prog.ReportWords[1], len(s.changed)); at++ {
		s.changed[at] = true
	}
	for i := len(funcs) - 1; i >= 0 && funcs[i] != nil; i-- {
		s.behind[i] = s.Analysis.LastBefore(funcs[i], s.behind[i+1])
	}
}

// Scheduled says whether Schedule has been called.
func (s *Codec) Scheduled() bool { return s.behind != nil }

// Changes says whether a word of the base may be changed by what Schedule said is run.
func (s *Codec) Changes(at int) bool { return at < len(s.changed) && s.changed[at] }

// SetPosition says that the nth function of Schedule is at work, or, when nothing is, to come.
func (s *Codec) SetPosition(n int) {
	if !s.M.Idle() {
		n++
	}
	s.last, s.Upcoming = s.behind[n], s.funcs[n:]
}

// Advance goes on from the end of one function of Schedule to the next, with no where there is none or
// what has been done can still be undone.
func (s *Codec) Advance() bool {
	m := s.M
	if len(s.Upcoming) == 0 || len(m.Frames) != 1 || len(m.Savepoints)+len(m.Captured) > 0 || m.Start(s.Upcoming[0]) != nil {
		return false
	}
	s.Upcoming = s.Upcoming[1:]
	s.last = s.behind[len(s.funcs)-len(s.Upcoming)]
	return true
}

// Results appends what can be seen of a run that is done: how many reports there
// are, each with its number and value, or, when there are none, the values of
// the last outcome. Forms are those of the values, by their place, that are worked
// out from unknown words.
func (s *Codec) Results(to []V) (seen []V, forms []symbolic.WordForm) {
	m := s.M
	s.collect()
	to = append(to, IntV(len(m.Reports)))
	see := func(v V, id int32) {
		if s.Tracker != nil {
			if of, ok := s.Tracker.LinearForm(id); ok {
				forms = append(forms, symbolic.WordForm{At: int32(len(to)), Of: of})
			}
		}
		to = append(to, v)
	}
	read := func(at int) (id int32) {
		if s.Tracker != nil {
			if id = s.Tracker.Unknown(at); id == 0 {
				s.Tracker.Look(at)
			}
		}
		return id
	}
	for i, r := range m.Reports {
		id := s.Tracker.OfReport(i)
		if i < s.reported {
			id = read(s.reportWord(i))
		}
		to = append(to, IntV(r.Info))
		see(r.Value, id)
	}
	if len(m.Reports) > 0 {
		return to, forms
	}
	for at := m.Prog.Last[0]; at < m.Prog.Last[1]; at++ {
		id := read(at)
		see(m.Store[at], id)
	}
	return to, forms
}

func IntV(n int) V { return value.OfInt(int64(n)) }

// saveOwn saves what the script has given; nobody takes commands while states are saved.
func (s *Codec) saveOwn(to []V, own machine.Own) []V {
	for _, given := range [][]machine.Ahead{own.Faces, own.Answers, own.Picks} {
		to = append(to, IntV(len(given)))
		for _, x := range given {
			to = append(to, IntV(x.N), value.OfBool(x.Once), s.M.Heap.OfText(x.Text))
		}
	}
	return to
}

func (s *Codec) loadOwn(r *reader) (own machine.Own) {
	for _, given := range []*[]machine.Ahead{&own.Faces, &own.Answers, &own.Picks} {
		for range r.int() {
			*given = append(*given, machine.Ahead{N: r.int(), Once: r.next() == value.Yes, Text: s.M.Heap.TextOf(r.next())})
		}
	}
	return own
}

// saveRecords saves what records stand behind the base in the store, with the words
// that refer to them. A record that nothing refers to is saved as None and its
// length; a field that nobody will read becomes None.
func (s *Codec) saveRecords(to []V, roots []V, next *analysis.Future) []V {
	m := s.M
	base := len(s.base)
	s.records, s.linked = s.records[:0], s.linked[:0]
	to = append(to, IntV(max(0, len(m.Store)-base)))
	if len(m.Store) <= base {
		return append(to, IntV(0))
	}
	found := map[int]bool{}
	var todo []int
	var see func(v V)
	see = func(v V) {
		switch v.Kind() {
		case value.Ref:
			if off := v.Off(); off >= base && !found[off] {
				found[off] = true
				todo = append(todo, off)
			}
		case value.List:
			for _, e := range m.Heap.Elems(v) {
				see(e)
			}
		case value.Map:
			for _, e := range m.Heap.Pairs(v) {
				see(e)
			}
		}
	}
	for _, v := range roots {
		see(v)
	}
	for _, at := range s.dirty {
		see(m.Store[at])
	}
	for _, u := range m.UndoLog {
		see(u.Old)
	}
	for _, r := range m.Reports {
		see(r.Value)
	}
	for len(todo) > 0 {
		off := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t := m.TypeOf(off)
		for i := range t.Fields {
			if at := off + code.Header + i; next.Misses(&t.Fields[i]) {
				m.Store[at] = value.None
			} else if m.Store[at].Kind() == value.List && next.OnlyItself(&t.Fields[i]) {
				m.Store[at] = value.EmptyList
				if s.Tracker != nil {
					s.Tracker.Drop(at)
				}
			}
		}
		for _, v := range m.Store[off+1 : off+s.length(off)] {
			see(v)
		}
	}
	size := len(to) - 1
	dead := 0                  // words of dead records that stand together
	last, end := len(to), base // behind the last that is alive
	for at := base; at < len(m.Store); {
		n := s.length(at)
		if dead > 0 && (found[at] || m.EndsRecordsAt(at)) {
			to = append(to, value.None, IntV(dead))
			dead = 0
		}
		if found[at] {
			to = append(to, m.Store[at:at+code.Header]...)
			s.records = append(s.records, at)
			last, end = len(to), at+n
		} else {
			dead += n
		}
		at += n
	}
	// those at the end are not missed
	to, m.Store = to[:last], m.Store[:end]
	to[size] = IntV(end - base)
	count := len(to)
	to = append(to, IntV(0))
	link := func(at int) {
		if s.refers(m.Store[at]) {
			s.linked = append(s.linked, at)
			to = append(to, IntV(at), m.Store[at])
		}
	}
	slices.Sort(s.dirty)
	for _, at := range s.dirty {
		link(at)
	}
	for _, off := range s.records {
		for at := off + code.Header; at < off+s.length(off); at++ {
			link(at)
		}
	}
	to[count] = IntV(len(s.linked))
	return to
}

// length gives the length of the record at a place.
func (s *Codec) length(at int) int {
	if s.M.Store[at] == value.None {
		return int(s.M.Store[at+1].Int())
	}
	return len(s.M.TypeOf(at).Template)
}

// saveSavepoints saves what each savepoint comes back to: of each word written since, the
// value it had first.
func (s *Codec) saveSavepoints(to []V) []V {
	m := s.M
	to = append(to, IntV(len(m.Savepoints)))
	for i, g := range m.Savepoints {
		end := len(m.UndoLog)
		if i+1 < len(m.Savepoints) {
			end = m.Savepoints[i+1].Log
		}
		var first []machine.OldWord
		for k, u := range m.UndoLog[g.Log:end] {
			if u.At >= g.Store {
				continue // a record that is gone when it comes back
			}
			if slices.ContainsFunc(first, func(v machine.OldWord) bool { return v.At == u.At }) {
				continue
			}
			first = append(first, u)
			if s.Tracker != nil && g.Log+k >= m.LogLoaded {
				s.Tracker.DependSaved(i, u.At)
			}
		}
		slices.SortFunc(first, func(a, b machine.OldWord) int { return a.At - b.At })
		to = append(to, IntV(g.Frames), IntV(int(g.PC)), IntV(min(g.Store, len(m.Store))), IntV(g.Failures), IntV(g.Faults), IntV(len(first)))
		for _, u := range first {
			to = append(to, IntV(u.At), u.Old)
		}
		to = s.saveOwn(to, g.Own)
	}
	return to
}

// reader reads a saved state.
type reader []V

func (r *reader) next() V {
	v := (*r)[0]
	*r = (*r)[1:]
	return v
}

func (r *reader) int() int { return int(r.next().Int()) }

// Load puts the machine into a saved state.
func (s *Codec) Load(state []V) {
	m := s.M
	s.Reset()
	r := reader(state)
	m.Frames = m.Frames[:0]
	s.filled = s.filled[:0]
	for range r.int() {
		fn := s.Analysis.Func(r.int())
		m.Frames = append(m.Frames, machine.Frame{Fn: fn, PC: int32(r.int()), Base: int32(r.int()), Ret: int32(r.int()), Keep: int32(r.int())})
	}
	for i := range m.Frames {
		f := &m.Frames[i]
		m.Stack = machine.GrowStack(m.Stack, max(len(m.Stack), int(f.Base)+f.Fn.Regs))
		s.LiveRegisters(i).Each(func(reg int) {
			at, v := int(f.Base)+reg, r.next()
			if k, ok := v.Slot(); ok {
				s.filled = append(s.filled, filled{at, m.Prog.RegisterWords[0] + k})
			}
			m.Stack[at] = v
		})
	}
	for n := r.int(); n > 0; {
		size := 0
		if r[0] == value.None {
			size = int(r[1].Int())
			m.Store = append(m.Store, r[:2]...)
			m.Store = slices.Grow(m.Store, size)[:len(m.Store)+size-2]
			r = r[2:]
		} else {
			size = len(m.Prog.Types[r[0].Int()].Template)
			m.Store = append(m.Store, r[:code.Header]...)
			r = r[code.Header:]
			for range size - code.Header {
				m.Store = append(m.Store, value.None)
			}
		}
		n -= size
	}
	for range r.int() {
		s.load(r.int(), r.next())
	}
	m.Savepoints, m.Captured = m.Savepoints[:0], m.Captured[:0]
	for range r.int() {
		g := machine.Savepoint{Frames: r.int(), PC: int32(r.int()), Store: r.int(), Failures: r.int(), Faults: r.int(), Log: len(m.UndoLog)}
		for range r.int() {
			m.UndoLog = append(m.UndoLog, machine.OldWord{At: r.int(), Old: r.next()})
		}
		g.Own = s.loadOwn(&r)
		m.Savepoints = append(m.Savepoints, g)
	}
	m.LogLoaded = len(m.UndoLog)
	m.Own = s.loadOwn(&r)
	m.Faults = r.int()
	m.Failures = m.Failures[:min(len(m.Failures), r.int())]
	n := r.int()
	m.Reports = m.Reports[:0]
	for i := range n {
		x := machine.Report{Info: r.int()}
		if s.reportWord(i) >= 0 {
			s.reported++
		} else {
			x.Value = r.next()
		}
		m.Reports = append(m.Reports, x)
	}
	for len(r) > 0 {
		s.load(r.int(), r.next())
	}
	for i := range s.reported {
		m.Reports[i].Value = m.Store[s.reportWord(i)]
	}
	for _, f := range s.filled {
		m.Stack[f.reg] = m.Store[f.word]
	}
	m.Steps, m.Thrown, m.Printed, m.Err, m.PoolDrawn = 0, 0, 0, nil, false
	m.Drawn, m.NothingDrawn, m.RestedAt, m.RestedDepth = len(m.Frames) > 0, true, nil, len(m.Frames)
	if m.Drawn {
		top := &m.Frames[len(m.Frames)-1]
		if head := &top.Fn.Code[max(0, top.PC-1)]; head.Op == code.Head {
			m.RestedAt = head
		}
	}
}

func (s *Codec) load(at int, v V) {
	s.M.Store[at] = v
	if at < len(s.base) {
		s.mark[at] = true
		s.dirty = append(s.dirty, at)
	}
}

// Mark is where a machine stood, for Return.
type Mark struct {
	stack, records   []V
	frames           []machine.Frame
	words, journal   []machine.OldWord
	loaded           int
	guards           []machine.Savepoint
	own              machine.Own
	failures, faults int
	pooled           bool
	reports          []machine.Report
	reported         int
	reads, written   []int32
}

// Mark notes where the machine stands, with what has been read and written since
// Track.
func (s *Codec) Mark() *Mark {
	m := s.M
	s.collect()
	k := &Mark{
		stack: slices.Clone(m.Stack), frames: slices.Clone(m.Frames), records: slices.Clone(m.Store[len(s.base):]),
		journal: slices.Clone(m.UndoLog), loaded: m.LogLoaded, guards: slices.Clone(m.Savepoints), own: m.Own,
		failures: len(m.Failures), faults: m.Faults, pooled: m.PoolDrawn, reports: slices.Clone(m.Reports), reported: s.reported,
		reads: slices.Clone(s.Tracker.Path.Order), written: slices.Clone(s.Tracker.Written),
	}
	for _, at := range s.dirty {
		k.words = append(k.words, machine.OldWord{At: at, Old: m.Store[at]})
	}
	return k
}

// Return puts the machine back to a mark behind which a pool has been read, and
// goes on to note what is read and written, see Track.
func (s *Codec) Return(k *Mark, varied func(at int) bool) {
	m := s.M
	s.Reset()
	for _, u := range k.words {
		s.load(u.At, u.Old)
	}
	m.Store = append(m.Store, k.records...)
	m.Stack = append(m.Stack[:0], k.stack...)
	m.Frames = append(m.Frames[:0], k.frames...)
	m.UndoLog = append(m.UndoLog, k.journal...)
	m.LogLoaded = k.loaded
	m.Savepoints, m.Captured = append(m.Savepoints[:0], k.guards...), m.Captured[:0]
	m.Own = k.own
	m.Failures, m.Faults = m.Failures[:min(len(m.Failures), k.failures)], k.faults
	m.Reports, s.reported = append(m.Reports[:0], k.reports...), k.reported
	m.Steps, m.Thrown, m.Printed, m.Err, m.Drawn, m.NothingDrawn, m.PoolDrawn = 0, 0, 0, nil, true, false, k.pooled
	s.filled = s.filled[:0]
	s.Track(varied)
	for _, at := range k.reads {
		s.Tracker.Depend(int(at))
	}
	for _, at := range k.written {
		s.Tracker.Write(int(at))
	}
}
