package repl

import (
	"os"
	"runtime/debug"
	"testing"
)

// longTests has the tests run in their long form: with all scenes, and each journal cut off
// both behind and within each of its records.
var longTests = os.Getenv("SETPIECE_LONG") != ""

// part is of how many scenes one is tried.
var part = 5

// The tests read the rules of the systems again and again; with the usual setting much of
// their time goes into collecting garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	switch {
	case slowed:
		part = 8
	case longTests:
		part = 1
	}
	os.Exit(m.Run())
}
