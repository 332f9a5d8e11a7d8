// Setpiece prepares, plays and tests tabletop encounters. All it does is in
// package cli.
package main

import (
	"os"
	"runtime/debug"

	"setpiece/cmd/internal/cli"
)

func main() {
	// Reading a module allocates a lot at once and keeps most of it: collect
	// garbage later than usual, which makes a cold start a third faster.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(3 << 29) // but not where there is much
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
