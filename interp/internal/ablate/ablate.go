//go:build !ablate

// Package ablate names the parts of the engine that can be switched off to measure what they buy
// (interp/ablation_test.go). They are on, and the compiler leaves the question out, unless a binary is
// built with -tags ablate.
package ablate

// What is switched off.
const (
	Automaton  = false // trials follow what earlier trials have done
	States     = false // and keep the states that they come to
	Queries    = false // of a pool only what is read of it counts
	Conditions = false // and of that what an answered condition leaves
	Symmetry   = false // creatures that differ in their names only are one
	MacroSteps = false // a macro step is reused where it would go the same way
)
