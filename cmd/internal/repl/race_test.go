//go:build race

package repl

// every: under the race detector, which is slow and looks for something else,
// one scene in so many stands for all.
const every = 8
