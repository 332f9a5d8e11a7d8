package odds

// Containers that are filled and emptied often, without work for the garbage collector.

// slab keeps many short lists in few pieces of memory.
type slab[T any] []T

// list gives room for n elements.
func (s *slab[T]) list(n int) []T {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, 32, min(2*cap(*s), 1024)))
	}
	from := len(*s)
	*s = (*s)[:from+n]
	return (*s)[from : from+n : from+n]
}

func (s *slab[T]) clone(list []T) []T {
	out := s.list(len(list))
	copy(out, list)
	return out
}

// marks is a set of words that is quickly emptied.
type marks struct {
	on  []uint32
	now uint32
}

func (m *marks) clear() { m.now++ }

func (m *marks) has(at int32) bool { return m.on[at] == m.now }

// set puts a word into the set, and says whether it was not there before.
func (m *marks) set(at int32) bool {
	if m.on[at] == m.now {
		return false
	}
	m.on[at] = m.now
	return true
}

// emptied gives an empty map: the same unless it has been large.
func emptied[K comparable, T any](m map[K]T) map[K]T {
	if m == nil || len(m) > 256 {
		return map[K]T{}
	}
	clear(m)
	return m
}
