//go:build race

package repl

// slowed says whether the tests run under the race detector, which is slow and looks for
// something else.
const slowed = true
