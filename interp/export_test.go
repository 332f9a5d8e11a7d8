package interp

import (
	"hash/fnv"
	"math/big"
	"os"
	"runtime/debug"
	"testing"

	"setpiece/interp/internal/code"
	"setpiece/stdlib"
)

// LongTests has the tests run in their long form, as the continuous integration does:
// with all scenes and more random scripts, and the same checks.
var LongTests = os.Getenv("SETPIECE_LONG") != ""

// RulesFolder has the tests read the rules of the systems from a folder, not from the
// binary; interp/internal/mutants changes them there.
var RulesFolder = os.Getenv("SETPIECE_STDLIB")

// Some gives all of a list in the long form, and one of n in the short form. Which
// these are depends on their names alone.
func Some(list []string, n uint32) []string {
	if LongTests {
		return list
	}
	var out []string
	for _, s := range list {
		h := fnv.New32a()
		h.Write([]byte(s))
		if h.Sum32()%n == 0 {
			out = append(out, s)
		}
	}
	return out
}

// Many is how many of something a test makes in its long and in its short form.
func Many(long, short int) int {
	if LongTests {
		return long
	}
	return short
}

// The tests load the rules of the systems many hundred times, each time into a new
// session: a quarter of their time went into collecting garbage. So it is collected when a
// gigabyte is in use, and not before.
func TestMain(m *testing.M) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	if RulesFolder != "" {
		stdlib.FS = os.DirFS(RulesFolder)
	}
	os.Exit(m.Run())
}

// ReleaseAlways has every Restore give back what values took, however little.
func (s *Session) ReleaseAlways() { s.run.ReleaseFrom = 0 }

// HeapUsed is how many bytes the values of the session take.
func (s *Session) HeapUsed() int64 { return s.run.Heap.Used }

// Observe has f called with the sheet and the name of each field that is read while odds
// are worked out, if it has another value than it begins with; nil ends it.
func (s *Session) Observe(f func(sheet, field string)) {
	s.run.M.Observe = nil
	if f != nil {
		s.run.M.Observe = func(t *code.Type, field int) { f(t.Name, s.run.M.Prog.FieldName(field)) }
	}
}

// EndsKept has a simulation keep so many ends until it is called back.
func EndsKept(n int) (back func()) {
	old := maxEnds
	maxEnds = n
	return func() { maxEnds = old }
}

// Total gives the weight of all ends, which with the remainder makes one; exact is
// nil where the weights are not.
func (o *Odds) Total() (p float64, exact *big.Rat) {
	exact = new(big.Rat)
	for _, e := range o.Ends {
		p += e.P
		if e.Exact == nil {
			exact = nil
		}
		if exact != nil {
			exact.Add(exact, e.Exact)
		}
	}
	return p, exact
}

// Certain says whether the bounds alone tell which option is the best.
func (w *Worth) Certain() bool {
	for k := range w.Least {
		others := 0.0
		for i := range w.Most {
			if i != k {
				others = max(others, w.Most[i])
			}
		}
		if w.Least[k] > others+1e-9 {
			return true
		}
	}
	return false
}
