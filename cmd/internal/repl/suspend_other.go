//go:build !unix

package repl

// suspend does nothing where there are no jobs that a shell could continue.
func suspend() {}

// onContinue does nothing, likewise.
func onContinue(func()) {}
