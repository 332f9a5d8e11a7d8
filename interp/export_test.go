package interp

// ReleaseAlways has every Restore give back what values took, however little.
func (s *Session) ReleaseAlways() { s.releaseFrom = 0 }

// HeapUsed is how many bytes the values of the session take.
func (s *Session) HeapUsed() int64 { return s.heap.Used }
