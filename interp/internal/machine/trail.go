package machine

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Trail is an observer of a run that records each throw, and may say what dice show. With it two
// scripts are compared on common random numbers. What is tried out in between (Suspend) has
// none.
type Trail interface {
	// Recall gives the faces of a throw, one for each size, 0 where it knows none. Dice
	// that the script itself gives fall all the same. The answer of a pick is a face.
	Recall(m *Machine, what string, sizes []int, pick bool) []int
	// Record says what was thrown in the throw that Recall was asked about last.
	Record(dice []V, from []Source)
}

// askTrail asks the trail about the throw at hand. Dice that it knows come first, since
// those that it does not know may have to be asked for together.
func (m *Machine) askTrail(in *code.Ins) {
	m.trailFaces = m.trailFaces[:0]
	if m.Trail == nil {
		return
	}
	what := ""
	if in.B >= 0 {
		what = m.ThrowLabel(m.Frames[len(m.Frames)-1].Fn.Infos[in.B])
	}
	faces := m.Trail.Recall(m, what, m.Sizes, m.Picking())
	var rest []int
	sizes := slices.Clone(m.Sizes)
	m.Sizes = m.Sizes[:0]
	for i, size := range sizes {
		if faces[i] == 0 {
			rest = append(rest, size)
			continue
		}
		m.Sizes, m.trailFaces = append(m.Sizes, size), append(m.trailFaces, faces[i])
	}
	m.Sizes = append(m.Sizes, rest...)
}

// Site tells where in the script a run stands: the places of its statements from the
// outermost in, up to the first that is done by or to somebody, and who that is; None
// where nobody is.
func (m *Machine) Site() (at string, who V) {
	var b strings.Builder
	for i := range m.Frames {
		f := &m.Frames[i]
		if i > 0 && f.Fn.Params > 0 {
			if v := m.Stack[f.Base]; v.Kind() == value.Ref {
				return b.String(), v
			}
		}
		fmt.Fprintf(&b, "%d ", f.Fn.At[max(0, f.PC-1)].Start)
	}
	return b.String(), value.None
}

// IndependentSeed gives a seed whose dice have nothing to do with those that the generator will
// throw.
func (m *Machine) IndependentSeed() uint64 {
	return mixed(mixed(m.Rand.state+uint64(m.Rand.picked)) ^ 0x94d049bb133111eb)
}
