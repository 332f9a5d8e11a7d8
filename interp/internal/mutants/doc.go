// Package mutants asks how much the tests of a rule system would notice. It changes one thing of the
// rules at a time (a number, a comparison, `and` or `or`, a sign, a condition, a
// statement) and runs the tests that touch the system: its scenes of the corpus, the table of
// the clauses it refuses (testdata/clauses), what is on the screen at each decision and in brief
// (testdata/questions, testdata/brief), the dice reported as those that count, turns that people
// play by hand, its scenes again with a special rule beside each other one that does nothing, and the tests in
// interp/*_test.go whose file is named for it. A changed rule set
// that passes all of them is a survivor: either the change means nothing, or a case is missing.
//
//	go test ./interp/internal/mutants -run Mutants -timeout 0 -systems cah,marvel [-draw 100] [-seed 1] [-v]
//
// With -interplay it changes how rules meet instead: handlers in another order, or one that answers
// only alone; another value of an option as the usual one; what a span would take back, kept; a
// default that falls on something else; tactics that are never taken, change places, or meet somebody else.
//
// A survivor is printed with its place, the rule, and the line before and after. One that
// changes nothing is listed with the reason in testdata/mutants/SYSTEM.txt, three lines each:
//
//	checks.rules: rule perform
//	- if s.bought != 0 { add_bought(s) }
//	+ if s.bought >= 0 { add_bought(s) }
//	nothing is added where nothing was bought
//
// The idea is old: R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection: Help
// for the Practicing Programmer", IEEE Computer, 1978.
//
// The test binary is built once and reads the rules from a folder (SETPIECE_STDLIB), so a
// mutant costs a second or two; the scenes that caught the last changes of a file are tried
// first. What does not compile is no mutant; another is drawn in its place. Tests that do not end
// in time get four times as much; if they still do not end, the mutant counts as caught, and the
// last line says how many of these there were.
package mutants
