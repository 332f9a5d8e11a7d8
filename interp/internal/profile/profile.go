// Package profile counts what runs execute, by the rules at work.
//
// A Profiler takes the place of the machine's loop, executes one instruction at a time, and
// counts it where the machine stands: in a tree of calls (Graham, Kessler and McKusick, gprof: a
// call graph execution profiler, 1982; Ammons, Ball and Larus, Exploiting hardware performance
// counters with flow and context sensitive profiling, 1997). Instructions are counted and not
// time, so that the same trials give the same profile on each machine.
package profile

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// Profiler counts the instructions that a machine executes.
type Profiler struct {
	m    *machine.Machine
	root context
	at   []*context // of the functions at work
}

// context is a function as it is called along one way.
type context struct {
	fn    *code.Func
	count []int64 // by instruction
	calls map[call]*context
	order []call // in the order in which they came first
}

// call is a function that the instruction at pc calls.
type call struct {
	pc int32
	fn *code.Func
}

// New makes a Profiler for a machine. It counts while it is the Executor of the machine.
func New(m *machine.Machine) *Profiler { return &Profiler{m: m} }

// Execute executes a run until dice or a decision are needed. See machine.Executor.
func (p *Profiler) Execute() machine.Status {
	for {
		c := p.current()
		c.count[p.m.Frames[len(p.m.Frames)-1].PC]++
		if s := p.m.Exec(1); s != machine.Stepped {
			return s
		}
	}
}

// current gives the context of the function that is executed next.
func (p *Profiler) current() *context {
	frames := p.m.Frames
	n := len(frames)
	if n == len(p.at) && p.at[n-1].fn == frames[n-1].Fn {
		return p.at[n-1]
	}
	k := 0
	for k < min(n, len(p.at)) && p.at[k].fn == frames[k].Fn {
		k++
	}
	p.at = p.at[:k]
	for ; k < n; k++ {
		from, pc := &p.root, int32(0)
		if k > 0 {
			from, pc = p.at[k-1], max(0, frames[k-1].PC-1)
		}
		p.at = append(p.at, from.call(call{pc, frames[k].Fn}))
	}
	return p.at[n-1]
}

func (c *context) call(to call) *context {
	if x := c.calls[to]; x != nil {
		return x
	}
	if c.calls == nil {
		c.calls = map[call]*context{}
	}
	x := &context{fn: to.fn, count: make([]int64, len(to.fn.Code))}
	c.calls[to] = x
	c.order = append(c.order, to)
	return x
}

// Place is a function at work and where in it.
type Place struct {
	Name string
	At   lang.Span
}

// Each visits what was counted: how often an instruction was executed, and the functions at work
// there, the innermost first. The places hold until the next visit.
func (p *Profiler) Each(visit func(count int64, places []Place)) { p.root.each(nil, visit) }

// each visits a context; callers are the places that led to it, the innermost first.
func (c *context) each(callers []Place, visit func(count int64, places []Place)) {
	at := func(pc int) []Place {
		var here []Place
		c.fn.Working(pc, func(name string, at lang.Span) { here = append(here, Place{name, at}) })
		return here
	}
	for pc, n := range c.count {
		if n > 0 {
			visit(n, append(at(pc), callers...))
		}
	}
	for _, to := range c.order {
		from := callers
		if c.fn != nil {
			from = append(at(int(to.pc)), callers...)
		}
		c.calls[to].each(from, visit)
	}
}
