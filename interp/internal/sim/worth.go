package sim

import (
	"cmp"
	"math"
)

// What runs come to is remembered twice: the transitions that were executed, and the states they
// led through. Whether that pays is looked at from time to time, by what happened since the
// last look.
//
// Transitions pay where few have to be executed. States pay where runs come to them again: the
// next step is then a look into a table, while a transition has to be found by its conditions and
// changes words one by one. But a state that is new takes time and memory, and in an encounter
// of many creatures most are. How many of them runs will still come to is estimated as one
// estimates how many words of a long text are new (Heaps, Information retrieval, 1978): n runs
// come to a number of states that grows like a power of n, so a look at now and at long ago
// gives the power. If states will not pay over all runs that are planned, no more are kept, and
// runs go on by transitions alone (stateless.go).
type worth struct {
	runs, executed         int       // runs made, and transitions that were executed
	runsThen, executedThen int       // when that was looked at last
	followed, taken        int       // since then: steps to a place that was known, and by a transition
	look                   int       // how many runs there are when it is looked at next
	earlier                []float64 // by look: how many transitions a run took
	grown                  bool      // something has been remembered since Pays was asked
	useless                bool      // it does not pay to remember transitions
	stateless              bool      // it does not pay to keep states
}

// The transitions that a run has executed become fewer like the root of the number of runs made, about. So
// a run pays that has fewer than paying executed, divided by that root: less than a step in ten is executed
// after some hundred runs. Where few runs are planned most of them are among the first, in which
// everything is new: n runs have about twice as many executed, divided by the root of n, and that pays up to
// twice payingEach. It is looked at from firstLook runs on, with more patience in the first of them, and
// again after half as many more as were made by then.
const (
	firstLook  = 4
	paying     = 120
	payingEach = 4.5
)

// Keeping states is looked at from keepingRuns runs on, by what was so keepingLooks looks before. A
// step to a state that is new takes about 1 / newState times as long as one by a transition alone.
const (
	keepingRuns  = 900
	keepingLooks = 3
	newState     = 0.4
)

// manyRuns are planned where nobody knows better.
const manyRuns = 100_000

// Pays says whether what runs come to has mostly been met before. In an encounter of many
// creatures it hardly ever has.
func (a *Automaton) Pays() bool {
	return a.runs < a.look && !a.grown || a.review()
}

// review finds out whether it pays.
func (a *Automaton) review() bool {
	a.grown = false
	switch {
	case a.useless || a.Patient:
		return !a.useless
	case a.runs <= 2 && a.executed > fewRuns(cmp.Or(a.Planned, manyRuns)): // too much is new for so few runs
		a.useless = true
		return false
	case a.words > 2*a.Room || a.m.Heap.Used-a.used > maxValues: // places or values without end
		a.useless = true
		return false
	case a.runs < a.look:
		return true
	}
	runs := float64(a.runs - a.runsThen)
	each := float64(a.executed-a.executedThen) / runs
	a.useless = a.runsThen > 0 && each*math.Sqrt(float64(a.runs)) > paysUpTo(a.runs, cmp.Or(a.Planned, manyRuns))
	a.stateless = a.stateless || a.willBeStateless(float64(a.taken)/runs, float64(a.followed+a.taken)/runs, cmp.Or(a.Planned, manyRuns))
	a.runsThen, a.executedThen, a.followed, a.taken, a.look = a.runs, a.executed, 0, 0, a.runs+a.runs/2
	return !a.useless
}

// fewRuns gives how many transitions the first two runs may execute if so many are planned: to execute one with
// unknown numbers takes so much longer than without that more of them do not come in again.
func fewRuns(planned int) int { return planned / 4 }

// paysUpTo gives how many transitions a run may have executed, times the root of the runs made, if so many are
// planned.
func paysUpTo(runs, planned int) float64 {
	return min(paying, payingEach*math.Sqrt(float64(planned))) * (1 + firstLook/float64(runs))
}

// willBeStateless says whether runs that make so many steps, so many of them to a state that is new, had
// better keep no states.
func (w *worth) willBeStateless(taken, steps float64, planned int) bool {
	w.earlier = append(w.earlier, taken)
	then := len(w.earlier) - 1 - keepingLooks
	if w.runs < keepingRuns || then < 0 || taken == 0 || planned < w.runs {
		return false
	}
	apart := math.Pow(1.5, keepingLooks) // a look comes after half as many more runs
	power := min(0.9, max(0, math.Log(w.earlier[then]/taken)/math.Log(apart)))
	still := taken * math.Pow(float64(planned)/float64(w.runs), -power) / (1 - power)
	return still > newState*steps
}
