package symbolic

// A refused action leaves the state as it was: the machine puts back what each word held
// when the savepoint was set. What the word was worked out from then is put back in the
// same way, by a log that stands beside the machine's. So a rule that tries something and is
// refused depends on what made it refuse, and on nothing else; a word that was first written
// behind the savepoint counts as not written at all. Registers are not put back, neither
// what they hold nor what that is worked out from: nobody reads them behind a refusal.

// savepoint is how long the logs were when a savepoint was set.
type savepoint struct {
	n       int // which of the machine's it is
	written int
	log     int
}

// replaced is a word that was written, with what it was worked out from before.
type replaced struct{ at, cell int32 }

// SetSavepoint notes that the machine sets a savepoint.
func (t *Tracker) SetSavepoint() {
	n := len(t.M.Savepoints)
	t.dropSavepoints(n)
	t.savepoints = append(t.savepoints, savepoint{n, len(t.Written), len(t.replaced)})
}

// dropSavepoints forgets those from the nth of the machine on, which have been released.
func (t *Tracker) dropSavepoints(n int) {
	for k := len(t.savepoints); k > 0 && t.savepoints[k-1].n >= n; k-- {
		t.savepoints = t.savepoints[:k-1]
	}
}

// Rollback goes back to what words were worked out from at the nth savepoint. With no it
// was set before Track.
func (t *Tracker) Rollback(n int) bool {
	t.dropSavepoints(n + 1)
	k := len(t.savepoints) - 1
	if k < 0 || t.savepoints[k].n != n {
		return false
	}
	g := t.savepoints[k]
	t.savepoints = t.savepoints[:k]
	for i := len(t.replaced) - 1; i >= g.log; i-- {
		x := t.replaced[i]
		t.Cell[x.at] = x.cell
	}
	for _, at := range t.Written[g.written:] {
		t.Wrote[at] = 0
	}
	t.replaced, t.Written = t.replaced[:g.log], t.Written[:g.written]
	return true
}

// DependSaved notes that what is done depends on the value that a word had at the nth
// savepoint, behind which it was written.
func (t *Tracker) DependSaved(n, at int) {
	for k := range t.savepoints {
		g := &t.savepoints[k]
		if g.n != n {
			continue
		}
		for _, x := range t.replaced[g.log:] {
			if int(x.at) == at {
				if !t.writtenBy(at, g.written) {
					break
				}
				t.ConcretiseExpr(x.cell)
				return
			}
		}
	}
	t.Depend(at)
}

// writtenBy says whether a word is among the first n that were written.
func (t *Tracker) writtenBy(at, n int) bool {
	for _, w := range t.Written[:n] {
		if int(w) == at {
			return true
		}
	}
	return false
}

// ForgetSavepoints forgets all of them.
func (t *Tracker) ForgetSavepoints() {
	t.savepoints, t.replaced = t.savepoints[:0], t.replaced[:0]
}
