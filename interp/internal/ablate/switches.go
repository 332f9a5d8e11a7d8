//go:build ablate

package ablate

// What is switched off.
var Automaton, States, Spans, Queries, Conditions, Symmetry, MacroSteps bool
