package interp

import (
	"os"
	"runtime/debug"
	"testing"

	"setpiece/interp/internal/code"
	"setpiece/stdlib"
)

// RulesFolder has the tests read the rules of the systems from a folder, not from the
// binary; interp/internal/mutants changes them there.
var RulesFolder = os.Getenv("SETPIECE_STDLIB")

// The tests load the rules of the systems many hundred times, each time into a new
// session: a quarter of their time went into collecting garbage. So it is collected seldom; were it
// never, the time would go into asking for ever more memory.
func TestMain(m *testing.M) {
	debug.SetGCPercent(300)
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
