//go:build !race

package repl

// slowed says whether the tests run under the race detector.
const slowed = false
