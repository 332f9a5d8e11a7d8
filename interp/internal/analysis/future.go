package analysis

import (
	"maps"

	"setpiece/interp/internal/code"
)

// Future is what may still be read from a moment on.
type Future struct {
	fields bitset // see fieldRead
	Words  []Use
}

// Point is an instruction of a function.
type Point struct {
	Fn *code.Func
	PC int
}

// Future gives what may still be read of the first n words of the store, and of fields,
// from where the functions at work stand, in them and in functions that come then.
func (a *Analysis) Future(at []Point, then []*code.Func, n int) *Future {
	may := a.noReads()
	x := &Future{fields: may.fields, Words: make([]Use, n)}
	all := false
	for _, p := range at {
		x.fields.join(a.fieldsOf(p.Fn)[p.PC])
		all = a.ahead(p.Fn, p.PC, may.Words) || all
	}
	for _, f := range then {
		r := a.Reads(f)
		may.join(&r.ReadSet)
		all = all || r.Anything
	}
	for at := range x.Words {
		use, sym := may.Words.Used(at), a.Symbol[at]
		switch {
		case all || sym == header || a.lastAll && a.isLast(at):
			use = Live
		case sym >= 0 && x.fields.has(readForMore(sym)):
			use = Live
		case sym >= 0 && x.fields.has(readAtAll(sym)):
			use = max(use, Faint)
		}
		x.Words[at] = use
	}
	return x
}

// Misses says whether nobody will read a field of any record.
func (f *Future) Misses(of *code.Field) bool {
	return f != nil && !f.fields.has(readAtAll(int32(of.Sym))) && !(of.Many && of.Check == code.IsList) && !of.Until
}

// OnlyItself says whether everybody who reads a field of a record does so to write it
// anew.
func (f *Future) OnlyItself(of *code.Field) bool {
	return f != nil && !f.fields.has(readForMore(int32(of.Sym))) && !of.Many && !of.Until
}

// ReadsField says whether a field may be read.
func (f *Future) ReadsField(sym int32) bool { return f.fields.has(readAtAll(sym)) }

// AsksAtEnd says what is asked of the last outcome when all functions are done: with
// all everything, else only what they read themselves.
func (a *Analysis) AsksAtEnd(funcs []*code.Func, all bool) {
	read := map[int]bool{}
	for _, f := range funcs {
		for _, l := range a.Bodies(f) {
			for _, at := range l.asked {
				read[at] = true
			}
		}
	}
	if a.lastAll == all && maps.Equal(a.lastRead, read) {
		return
	}
	a.lastAll, a.lastRead = all, read
	// what is known to be read took other values to be asked for
	for _, r := range a.components {
		r.known = false
	}
	for _, l := range a.fns {
		l.fields = nil
	}
}

// LastBefore says whether the values of the last outcome are live before a
// function is run, behind which they are or are not.
func (a *Analysis) LastBefore(fn *code.Func, behind bool) bool {
	if !a.Linked(fn) {
		return true
	}
	l := a.Liveness(fn)
	if behind {
		return l.LastOn[0]
	}
	return l.LastIf[0]
}

// Changes says of each of the first n words of the store whether functions may change it.
func (a *Analysis) Changes(funcs []*code.Func, n int) []bool {
	fields := map[int32]bool{}
	words := make([]bool, n)
	for _, f := range funcs {
		if f == nil {
			continue
		}
		for _, l := range a.Bodies(f) {
			for _, sym := range l.sets {
				fields[sym] = true
			}
			for _, at := range l.puts {
				words[at] = true
			}
		}
	}
	for at, sym := range a.Symbol[:len(words)] {
		words[at] = words[at] || fields[sym]
	}
	return words
}
