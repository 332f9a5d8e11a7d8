//go:build ablate

package ablate

// What is switched off.
var Automaton, States, Queries, Conditions, Symmetry, MacroSteps bool
