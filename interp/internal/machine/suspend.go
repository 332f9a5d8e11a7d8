package machine

import "slices"

// Suspend gives a copy of the machine as it stands in the middle of a run, for
// Resume. What runs meanwhile leaves nothing behind but values in the heap.
func (m *Machine) Suspend() *Machine {
	c := *m
	c.Store = slices.Clone(m.Store)
	c.stack = slices.Clone(m.stack)
	c.frames = slices.Clone(m.frames)
	c.guards = slices.Clone(m.guards)
	c.captured = slices.Clone(m.captured)
	c.journal = slices.Clone(m.journal)
	c.Reports = slices.Clone(m.Reports)
	c.Failures = slices.Clone(m.Failures)
	c.landed, c.sizes = slices.Clone(m.landed), slices.Clone(m.sizes)
	return &c
}

// Resume puts the machine back to where Suspend found it.
func (m *Machine) Resume(c *Machine) {
	links := m.Links
	*m = *c
	m.Links = links
}

// Kept is how long the store was when what runs began: what stands behind are
// records that are gone when it is done.
func (m *Machine) Kept() int {
	if len(m.frames) == 0 || m.frames[0].keep < 0 {
		return len(m.Store)
	}
	return int(m.frames[0].keep)
}
