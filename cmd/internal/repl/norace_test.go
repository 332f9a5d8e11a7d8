//go:build !race

package repl

// every: each scene is tested.
const every = 1
