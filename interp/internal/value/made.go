package value

import "strconv"

// A die may be made of another one, and may have faces of its own. It is a thing as other dice are: what it
// shows is known when it is thrown (package machine, made.go).

// MadeBy says how a die is made.
type MadeBy uint8

const (
	WithFaces MadeBy = iota // it shows one of a list
	Exploding               // the base is thrown again and added as long as it shows one of On
	Rerolled                // the base is thrown again instead
)

// MadeDie are the parts of a die that is made.
type MadeDie struct {
	By    MadeBy
	Base  V // the die, or the list of faces
	On    V // a number, a list or a range
	Times V // how often at most, None where nothing bounds it
}

// OfMade makes a die.
func (h *Heap) OfMade(d MadeDie) V {
	return of(Made, uint64(h.seq(Made, []V{OfInt(int64(d.By)), d.Base, d.On, d.Times})))
}

// PartsOf gives the parts of a Made.
func (h *Heap) PartsOf(v V) MadeDie {
	p := h.elems(uint32(v.Payload()))
	return MadeDie{MadeBy(p[0].Int()), p[1], p[2], p[3]}
}

// IsDie says whether v is a die of any kind.
func (v V) IsDie() bool { return v.Kind() == Die || v.Kind() == Made }

// made shows a die as it is written.
func (s *shower) made(d MadeDie) {
	if d.By == WithFaces {
		s.add("d{")
		for i, face := range s.h.Elems(d.Base) {
			if i > 0 {
				s.add(", ")
			}
			s.show(face)
		}
		s.add("}")
		return
	}
	s.show(d.Base)
	s.add([...]string{Exploding: ".explode(", Rerolled: ".reroll("}[d.By])
	s.show(d.On)
	if d.Times != None {
		s.add(", " + strconv.FormatInt(d.Times.Int(), 10))
	}
	s.add(")")
}
