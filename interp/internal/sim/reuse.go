package sim

import (
	"slices"
	"unsafe"

	"setpiece/interp/internal/analysis"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// A simulation executes the same rules over and over, and between two dice most of
// what they do has been done before: who is still standing, which rules ask to be heard,
// what a trait is worth. So the machine reuses traces (González, Tubella and Molina,
// Trace-level reuse, 1999; Sodani and Sohi, Dynamic instruction reuse, 1997). A trace is
// a run of some hundred instructions, without a throw or a decision. What it reads before
// it writes are its inputs, what it leaves behind are its outputs:
//
//	at     the third line of rule "standing", called from … called from the fight
//	reads  register 4 = the villain, villain.defeated = no, villain.present = yes
//	leaves register 3 = yes, and goes on behind the call
//
// Wherever the machine comes to that place and finds the inputs as they were, it writes
// the outputs and goes on behind the trace. The traces of a place are a decision tree:
// what is read first is always the same, what it holds decides what is read next. Dice
// are thrown, decisions asked for and errors made by the instructions themselves, so that a
// run is the same with traces and without.
//
// Words of the store that always hold the same are not inputs: when one of them is
// written after all, every trace is forgotten. So nothing is asked that is known when a
// run begins: what somebody's traits are, who has which features, which options hold.
//
// A trace ends where rules begin, return or go round, so that runs which part come
// together again at the same places. For the same reason records that nothing leads to any
// more are taken away wherever a loop that throws begins anew (sweep). A trace is long where it is met again, and short where
// it is not: a site whose traces are seldom met again gets shorter ones, which depend on
// less, and new sites at the same place in the program begin with those. To record a trace
// takes several times as long as to execute it, so that it has to be met again several
// times to pay: where that is less often, only some of the misses are recorded (records).
type Reuse struct {
	m        *machine.Machine
	a        *analysis.Analysis
	base     []V // the store between two runs
	sites    map[uint64][]*site
	spans    map[place]int32 // of the site there that has changed it last; new sites begin with it
	varies   []bool          // by word of base: it has held something else
	varied   []int           // those words
	assumed  []bool          // by word of base: a trace goes by what it holds
	flushed  int             // how often all has been forgotten
	size     int             // of all traces, in words
	filled   int             // how often that was too much
	off      bool            // no traces are reused any more
	runs     int             // how many have been made
	track    symbolic.Tracker
	reads    []input
	roots    []int
	regRead  []uint32 // by register: the trace that read it
	regWrote []uint32 // or wrote it
	written  []int32  // the registers written
}

// site is where a run stands: the functions at work, each with its place, and how long
// the store is.
type site struct {
	frames []machine.Frame
	store  int
	need   int // how long the stack has to be
	in     *code.Ins
	at     int // in the stack: the register A of the instruction
	base   int
	sweeps bool // records that nobody knows any more are taken away here
	cut    bool // the instruction is executed by itself
	tree   *tree
	after  []*site // where that has led
	hits   int32
	misses int32
	span   int32 // how many instructions a trace has at least; 0: none is looked for
	wait   int32 // so many misses are executed plainly between two that are recorded
	skip   int32 // so many are before the next
	live   code.Registers
}

// place is where a function is, whoever has called it.
type place struct {
	fn *code.Func
	pc int32
}

func (s *site) place() place {
	top := &s.frames[len(s.frames)-1]
	return place{top.Fn, top.PC}
}

// input is a word that is read: of the store, or, as ^i, register i.
type input struct {
	at int32
	v  V
}

// tree is what is known of a place: words that hold something, and then a trace or
// another word, which decides how it goes on.
type tree struct {
	chain []input
	trace *trace
	at    int32
	next  []treeBranch
	index map[V]*tree // of next, where it is long
}

type treeBranch struct {
	v  V
	to *tree
}

// trace is what a run of instructions leaves behind.
type trace struct {
	regs  []input // registers
	words []input // words of the store
	steps int64
	work  int64 // what counts beside the steps, see Machine.MaxSteps
	to    *site
}

const (
	// watchedRuns is how many runs are made first, to see which words of the store vary.
	watchedRuns = 8

	// A trace has at least so many instructions at first, and when it has grown short.
	firstSpan, leastSpan = 256, 16

	// plainSpan is how many instructions are executed where no traces are looked for.
	plainSpan = 32

	// lookAfter is how many misses a site has before it is asked whether its traces are met
	// again. Below fewHits for each miss they become shorter; from manyHits on each miss is
	// recorded, and below that they become fewer, up to one in maxWait + 1.
	lookAfter         = 24
	fewHits, manyHits = 2, 8
	maxWait           = 15

	maxTraces = 8 << 20 // words of all traces; then all are forgotten
	maxFilled = 4       // times, and then no more are looked for
	maxInputs = 1 << 12 // of a trace
	maxDepth  = 200     // functions at work
)

// NewReuse makes a Reuse for runs that begin with the store as it is.
func NewReuse(m *machine.Machine) *Reuse {
	u := &Reuse{m: m, a: m.Analysis(), base: slices.Clone(m.Store), sites: map[uint64][]*site{}, spans: map[place]int32{}}
	u.varies, u.assumed = make([]bool, len(u.base)), make([]bool, len(u.base))
	u.track.M = m
	u.track.Grow(len(u.base))
	return u
}

// Reusing has a machine reuse traces from now on, or, with nil, no more. The machine
// must be idle, with the store with which u was made. While it does, Journal must be on.
func Reusing(m *machine.Machine, u *Reuse) {
	if u == nil {
		m.Executor, m.Writes = nil, nil
		return
	}
	m.Executor, m.Writes = u, u
	u.runs++
	if u.size > maxTraces {
		u.forget()
		u.filled++
	}
	if u.filled >= maxFilled || !u.a.IsOf(m.Prog) && m.Analysis() != u.a {
		u.off = true
	}
}

// Execute runs on, by traces where that is possible. See machine.Executor.
func (u *Reuse) Execute() machine.Status {
	if u.reusable() {
		return u.run()
	}
	return u.m.Exec(-1)
}

// Reused says how many places have traces that were reused.
func (u *Reuse) Reused() int {
	n := 0
	for _, list := range u.sites {
		for _, s := range list {
			if s.hits > 0 {
				n++
			}
		}
	}
	return n
}

// forget forgets all traces.
func (u *Reuse) forget() {
	u.sites = map[uint64][]*site{}
	clear(u.assumed)
	u.size = 0
	u.flushed++
}

// vary notes that a word of the base is not always the same.
func (u *Reuse) vary(at int) {
	u.varies[at] = true
	u.varied = append(u.varied, at)
	if u.assumed[at] {
		u.forget()
	}
}

// Header is told that the header of an instance is written: traces go by it.
func (u *Reuse) Header(off int) {
	if off < len(u.base) {
		u.off = true
	}
}

// Word is told what is about to be written.
func (u *Reuse) Word(at int, v V) {
	if at < len(u.varies) && !u.varies[at] && v != u.base[at] {
		u.vary(at)
	}
}

// reusable says whether traces may be reused now.
func (u *Reuse) reusable() bool {
	m := u.m
	return u.runs > watchedRuns && !u.off && m.Out == nil && m.Tracer == nil && m.Journaled && !m.Checkpoints && m.Floor == 0 && len(m.Captured) == 0
}

// cutsTrace says whether an instruction is executed by itself: it throws, asks, refuses or
// changes more than registers and words of the store.
func cutsTrace(op code.Op) bool {
	switch op {
	case code.Throw, code.Ask, code.Fail, code.Given, code.SetHeader, code.Unmet, code.Fault, code.Capture, code.CaptureEnd, code.CheckRefusal, code.SetTactics, code.EndTactics, code.Decline, code.Refusal,
		code.CheckTactics, code.KeepMark, code.Try, code.EndTry, code.Act, code.EndAct, code.Reported, code.TurnOf:
		return true
	}
	return false
}

// currentSite gives the site at which the machine stands.
func (u *Reuse) currentSite() *site {
	m := u.m
	h := uint64(len(m.Store))
	for i := range m.Frames {
		f := &m.Frames[i]
		h = (h ^ uint64(uintptr(unsafe.Pointer(f.Fn)))<<8 ^ uint64(uint32(f.PC)) ^ uint64(uint32(f.Keep))<<48) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, s := range u.sites[h] {
		if s.store == len(m.Store) && slices.Equal(s.frames, m.Frames) {
			return s
		}
	}
	top := &m.Frames[len(m.Frames)-1]
	s := &site{frames: slices.Clone(m.Frames), store: len(m.Store), in: &top.Fn.Code[top.PC], base: int(top.Base), span: firstSpan}
	s.at = s.base + int(s.in.A)
	if n, ok := u.spans[s.place()]; ok {
		s.span = n
	}
	u.a.Liveness(top.Fn) // marks its loops that throw
	s.sweeps = s.in.Op == code.Head && s.in.B == 1 && top.Keep >= 0 && len(m.Store) > int(top.Keep)
	s.cut = cutsTrace(s.in.Op) || s.in.Op.Returns() && len(m.Frames) == 1
	for i := range s.frames {
		f := &s.frames[i]
		s.need = max(s.need, int(f.Base)+f.Fn.Regs)
	}
	u.size += 16 + 6*len(s.frames)
	u.sites[h] = append(u.sites[h], s)
	return s
}

// storeHeld is how long the store has to stay: a function that returns, or a savepoint, cuts it
// back to there.
func (u *Reuse) storeHeld() int {
	m := u.m
	n := 0
	for i := range m.Frames {
		n = max(n, int(m.Frames[i].Keep))
	}
	for i := range m.Savepoints {
		n = max(n, m.Savepoints[i].Store)
	}
	return n
}

// dropRecords takes the records at the end of the store away that nothing leads to any more,
// and says whether there were some. A fight makes records in each round, and is at the same
// place again only when they are gone.
func (u *Reuse) dropRecords(at *site) bool {
	m := u.m
	end := max(len(u.base), u.storeHeld())
	if end >= len(m.Store) {
		return false
	}
	u.roots = u.roots[:0]
	see := func(v V) { u.roots = u.leadsTo(u.roots, v, len(u.base)) }
	u.liveAt(at).Each(func(r int) { see(m.Stack[r]) })
	for _, w := range u.varied {
		see(m.Store[w])
	}
	if len(m.Savepoints) > 0 {
		for _, w := range m.UndoLog[m.Savepoints[0].Log:] {
			see(w.Old)
		}
	}
	for _, r := range m.Reports {
		see(r.Value)
	}
	for i := 0; i < len(u.roots); i++ {
		off := u.roots[i]
		n := off + len(m.TypeOf(off).Template)
		end = max(end, n)
		for _, v := range m.Store[off+1 : n] {
			see(v)
		}
	}
	if end >= len(m.Store) {
		return false
	}
	m.Store = m.Store[:end]
	return true
}

// leadsTo adds the records from a place in the store on that a value leads to, those that are not
// in the list.
func (u *Reuse) leadsTo(list []int, v V, from int) []int {
	m := u.m
	switch v.Kind() {
	case value.Ref:
		if off := v.Off(); off >= from && !slices.Contains(list, off) {
			list = append(list, off)
		}
	case value.List:
		for _, e := range m.Heap.Elems(v) {
			list = u.leadsTo(list, e, from)
		}
	case value.Map:
		for _, e := range m.Heap.Pairs(v) {
			list = u.leadsTo(list, e, from)
		}
	}
	return list
}

// liveAt gives the registers, by their place in the stack, that are live at a site.
func (u *Reuse) liveAt(s *site) code.Registers {
	if s.live == nil {
		s.live = make(code.Registers, (s.need+2)/64+2)
		for i := range s.frames {
			f := &s.frames[i]
			ret := -1
			if i+1 < len(s.frames) {
				ret = int(s.frames[i+1].Ret) // it holds nothing yet
			}
			u.a.Before(f.Fn)[f.PC].Each(func(r int) {
				if r != ret {
					s.live.Add(int(f.Base) + r)
				}
			})
		}
	}
	return s.live
}

// moveTo puts the machine where a site is.
func (u *Reuse) moveTo(s *site) {
	m := u.m
	m.Frames = append(m.Frames[:0], s.frames...)
	if s.need > len(m.Stack) {
		m.Stack = machine.GrowStack(m.Stack, s.need)
	}
}

// run executes instructions, as Exec does, and reuses traces.
func (u *Reuse) run() machine.Status {
	m := u.m
	if len(m.Frames) >= maxDepth {
		return m.Exec(-1)
	}
	at := u.currentSite()
	for {
		at = u.reuseFrom(at)
		// nothing is known of this place, or it is one instruction by itself
		if at.sweeps {
			if u.moveTo(at); u.dropRecords(at) {
				at = u.currentSite()
				continue
			}
		}
		switch {
		case at.cut:
			if at.in.Op == code.Throw && at.in.C == 0 && m.Seeded && m.Log == nil && len(m.Faces)+len(m.OwnFaces) == 0 && len(at.after) > 0 {
				d := m.Stack[at.at]
				if d.Kind() == value.Die && d.DieSize() > 0 && m.Thrown < m.MaxDice && at.after[0].frames != nil {
					m.Thrown++
					m.Stack[at.at] = value.OfDie(d.DieSize(), m.Rand.Face(d.DieSize()))
					at = at.after[0]
					continue
				}
			}
			u.moveTo(at)
			flushed := u.flushed
			if s := m.Exec(1); s != machine.Stepped {
				return s
			}
			if u.off {
				return m.Exec(-1)
			}
			if u.flushed != flushed {
				at = u.currentSite()
			} else {
				at = u.siteAfter(at)
			}
		case u.size > maxTraces:
			u.moveTo(at)
			return m.Exec(-1)
		case at.span == 0 || m.Steps+1024 > m.MaxSteps || !u.records(at):
			u.moveTo(at)
			if s := u.runUntraced(); s != machine.Stepped {
				return s
			}
			at = u.currentSite()
		default:
			u.moveTo(at)
			s := u.record(at)
			if s != machine.Stepped {
				return s
			}
			at = u.currentSite()
		}
	}
}

// siteAfter gives the site behind the one instruction that was executed at a site.
func (u *Reuse) siteAfter(from *site) *site {
	m := u.m
	if len(m.Frames) == len(from.frames) {
		pc := m.Frames[len(m.Frames)-1].PC
		for _, s := range from.after {
			if s.frames[len(s.frames)-1].PC == pc && s.store == len(m.Store) {
				return s
			}
		}
		s := u.currentSite()
		from.after = append(from.after, s)
		return s
	}
	return u.currentSite()
}

// runUntraced executes until the next place where a trace may begin.
func (u *Reuse) runUntraced() machine.Status {
	m := u.m
	if s := m.Exec(plainSpan); s != machine.Stepped {
		return s
	}
	for !u.atBoundary() {
		if s := m.Exec(1); s != machine.Stepped {
			return s
		}
	}
	return machine.Stepped
}

// atBoundary says whether a trace may end before the next instruction.
func (u *Reuse) atBoundary() bool {
	m := u.m
	top := &m.Frames[len(m.Frames)-1]
	op := top.Fn.Code[top.PC].Op
	return top.PC == 0 || op == code.Head || op.Returns() || cutsTrace(op)
}

// reuseFrom applies the traces that are known, one after the other, and gives the site
// where none is.
func (u *Reuse) reuseFrom(at *site) *site {
	m := u.m
	for at.tree != nil {
		x := at.tree.find(m.Stack, m.Store)
		if x == nil || m.Steps+x.steps > m.MaxSteps-x.work {
			return at
		}
		at.hits++
		m.Steps += x.steps
		m.MaxSteps -= x.work
		to := x.to
		if to.need > len(m.Stack) {
			m.Stack = machine.GrowStack(m.Stack, to.need)
		}
		for i := range x.regs {
			m.Stack[x.regs[i].at] = x.regs[i].v
		}
		old := len(m.Store)
		if to.store > old {
			m.Store = slices.Grow(m.Store, to.store-old)
		}
		m.Store = m.Store[:to.store]
		for i := range x.words {
			w := &x.words[i]
			if int(w.at) < old {
				if was := m.Store[w.at]; was != w.v {
					m.UndoLog = append(m.UndoLog, machine.OldWord{At: int(w.at), Old: was})
				}
			}
			m.Store[w.at] = w.v
		}
		m.TidyLog()
		at = to
	}
	return at
}

// records says whether what is done from a site, where no trace fits, is to be recorded.
func (u *Reuse) records(at *site) bool {
	if at.misses++; at.misses >= lookAfter {
		switch {
		case at.hits < fewHits*at.misses:
			// it depends on too much: a shorter one depends on less
			at.tree = nil
			if at.span /= 2; at.span < leastSpan {
				at.span = 0
			}
			u.spans[at.place()] = at.span
		case at.hits < manyHits*at.misses:
			at.wait = min(2*at.wait+1, maxWait)
		default:
			at.wait /= 2
		}
		at.misses, at.hits = 0, 0
	}
	if at.skip--; at.skip >= 0 {
		return false
	}
	at.skip = at.wait
	return at.span > 0
}

// record executes from a site until a trace may end, and remembers what that did.
func (u *Reuse) record(at *site) machine.Status {
	m := u.m
	flushed, steps, most := u.flushed, m.Steps, m.MaxSteps
	t := &u.track
	t.Epoch++
	t.Path.Order, t.Path.Constraints, t.Written = t.Path.Order[:0], t.Path.Constraints[:0], t.Written[:0]
	u.reads, u.written = u.reads[:0], u.written[:0]
	m.Tracer = t
	s := machine.Stepped
	for n := int32(0); ; n++ {
		top := &m.Frames[len(m.Frames)-1]
		in := &top.Fn.Code[top.PC]
		if cutsTrace(in.Op) || in.Op.Returns() && len(m.Frames) == 1 || n > 0 && in.Op == code.Head && in.B == 1 || n >= at.span && u.atBoundary() || len(u.reads) > maxInputs {
			break
		}
		if s = u.step(top, in); s != machine.Stepped {
			break
		}
	}
	m.Tracer = nil
	if s != machine.Stepped || flushed != u.flushed {
		return s
	}
	u.add(at, m.Steps-steps, most-m.MaxSteps)
	return s
}

// step executes one instruction and notes what it reads and writes.
func (u *Reuse) step(top *machine.Frame, in *code.Ins) machine.Status {
	m, t := u.m, &u.track
	base := int(top.Base)
	o := in.Operands(m.Prog, top.Fn)
	for _, r := range o.Uses {
		if r >= 0 {
			u.readRegister(base + int(r))
		}
	}
	for r := range o.N {
		u.readRegister(base + int(o.From+r))
	}
	asked, journal := len(t.Path.Order), len(m.UndoLog)
	depth := len(m.Frames)
	back := -1
	if in.Op.Returns() {
		back = int(m.Frames[depth-2].Base + top.Ret)
	}
	s := m.Exec(1)
	if s != machine.Stepped {
		return s
	}
	for _, at := range t.Path.Order[asked:] {
		u.readWord(int(at), journal)
	}
	switch in.Op {
	case code.Call, code.CallV:
	case code.Ret, code.RetK:
		u.writeRegister(back)
	case code.Iter:
		u.writeRegister(base + int(in.A))
		u.writeRegister(base + int(in.A) + 1)
		if m.Frames[depth-1].PC != in.C {
			u.writeRegister(base + int(in.B))
		}
	case code.Truth:
		u.writeRegister(base + int(in.A))
	default:
		if o.Sets >= 0 {
			u.writeRegister(base + int(o.Sets))
		}
	}
	return s
}

// readRegister notes that a register is read.
func (u *Reuse) readRegister(at int) {
	m := u.m
	if n := at + 1 - len(u.regRead); n > 0 {
		u.regRead = append(u.regRead, make([]uint32, n+64)...)
		u.regWrote = append(u.regWrote, make([]uint32, n+64)...)
	}
	now := u.track.Epoch
	v := m.Stack[at]
	if u.regRead[at] != now && u.regWrote[at] != now {
		u.regRead[at] = now
		u.reads = append(u.reads, input{^int32(at), v})
	}
	u.dependOnRecords(v)
}

// writeRegister notes that a register has been written.
func (u *Reuse) writeRegister(at int) {
	if n := at + 1 - len(u.regRead); n > 0 {
		u.regRead = append(u.regRead, make([]uint32, n+64)...)
		u.regWrote = append(u.regWrote, make([]uint32, n+64)...)
	}
	if now := u.track.Epoch; u.regWrote[at] != now {
		u.regWrote[at] = now
		u.written = append(u.written, int32(at))
	}
}

// dependOnRecords notes what an instruction may ask of the records to which a value leads: what
// their headers say. (Those of the base never change.)
func (u *Reuse) dependOnRecords(v V) {
	m := u.m
	switch v.Kind() {
	case value.Ref:
		off := v.Off()
		if off < len(u.base) || off+code.Header > len(m.Store) {
			return
		}
		for at := off; at < off+code.Header; at++ {
			asked := len(u.track.Path.Order)
			if u.track.Depend(at); len(u.track.Path.Order) > asked && u.track.Wrote[at] != u.track.Epoch {
				u.reads = append(u.reads, input{int32(at), m.Store[at]})
			}
		}
		if o := m.Store[off+code.AtOwner]; o.Kind() == value.Ref && o.Off() != off {
			u.dependOnRecords(o)
		}
	case value.List:
		for _, e := range m.Heap.Elems(v) {
			if k := e.Kind(); k == value.Ref && e.Off() >= len(u.base) || k == value.List || k == value.Map {
				u.dependOnRecords(e)
			}
		}
	case value.Map:
		for _, e := range m.Heap.Pairs(v) {
			u.dependOnRecords(e)
		}
	}
}

// readWord notes that a word of the store has been read by an instruction, at which the
// journal was so long.
func (u *Reuse) readWord(at, journal int) {
	m := u.m
	v := m.Store[at]
	for _, w := range m.UndoLog[min(journal, len(m.UndoLog)):] {
		if w.At == at {
			v = w.Old
			break
		}
	}
	if at < len(u.base) && !u.varies[at] {
		u.assumed[at] = true
		return
	}
	u.reads = append(u.reads, input{int32(at), v})
}

// add remembers the trace that has been executed from a site.
func (u *Reuse) add(from *site, steps, work int64) {
	m, t := u.m, &u.track
	to := u.currentSite()
	x := &trace{steps: steps, work: work, to: to}
	live := u.liveAt(to)
	slices.Sort(u.written)
	for _, r := range u.written {
		if int(r) < to.need && live.Has(int(r)) {
			x.regs = append(x.regs, input{r, m.Stack[r]})
		}
	}
	for _, at := range t.Written {
		if int(at) < len(m.Store) {
			x.words = append(x.words, input{at, m.Store[at]})
		}
	}
	x.regs, x.words = slices.Clip(x.regs), slices.Clip(x.words)
	u.size += 2*len(u.reads) + 2*len(x.regs) + 2*len(x.words) + 24
	if from.tree == nil {
		from.tree = &tree{}
	}
	from.tree.add(u.reads, x)
}

// find gives the trace whose inputs are as the registers and the store have them, or nil.
func (t *tree) find(stack, store []V) *trace {
	for {
		for i := range t.chain {
			c := &t.chain[i]
			if c.at >= 0 {
				if int(c.at) >= len(store) || store[c.at] != c.v {
					return nil
				}
			} else if stack[^c.at] != c.v {
				return nil
			}
		}
		if t.trace != nil {
			return t.trace
		}
		var v V
		if t.at >= 0 {
			if int(t.at) >= len(store) {
				return nil
			}
			v = store[t.at]
		} else {
			v = stack[^t.at]
		}
		if t = t.branch(v); t == nil {
			return nil
		}
	}
}

func (t *tree) branch(v V) *tree {
	if t.index != nil {
		return t.index[v]
	}
	for i := range t.next {
		if t.next[i].v == v {
			return t.next[i].to
		}
	}
	return nil
}

// maxBranches is how many branches are gone through one after the other.
const maxBranches = 8

func (t *tree) grow(v V, to *tree) {
	if t.index != nil {
		t.index[v] = to
		return
	}
	if t.next = append(t.next, treeBranch{v, to}); len(t.next) > maxBranches {
		t.index = map[V]*tree{}
		for _, b := range t.next {
			t.index[b.v] = b.to
		}
		t.next = nil
	}
}

// add remembers a trace by its inputs, in the order in which they were read.
func (t *tree) add(reads []input, x *trace) {
	for {
		if t.chain == nil && t.trace == nil && t.next == nil && t.index == nil {
			t.chain, t.trace = slices.Clone(reads), x
			return
		}
		i := 0
		for i < len(t.chain) && i < len(reads) && t.chain[i] == reads[i] {
			i++
		}
		reads = reads[i:]
		if i < len(t.chain) {
			c := t.chain[i]
			if len(reads) == 0 || reads[0].at != c.at {
				// less was known to vary then
				*t = tree{chain: append(t.chain[:i:i], reads...), trace: x}
				return
			}
			rest := *t
			rest.chain = t.chain[i+1:]
			*t = tree{chain: t.chain[:i:i], at: c.at}
			t.grow(c.v, &rest)
		}
		if len(reads) == 0 || t.trace != nil || t.at != reads[0].at {
			*t = tree{chain: append(t.chain[:len(t.chain):len(t.chain)], reads...), trace: x}
			return
		}
		to := t.branch(reads[0].v)
		if to == nil {
			t.grow(reads[0].v, &tree{chain: slices.Clone(reads[1:]), trace: x})
			return
		}
		t, reads = to, reads[1:]
	}
}
