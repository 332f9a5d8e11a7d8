package value

import (
	"math/big"
	"strconv"
	"strings"
)

// Namer names what a Heap does not know: sheet instances and rules.
type Namer func(V) string

// MaxShown is how many bytes of a value are shown. Lists of lists that are made
// of the same few lists can be longer than any memory.
const MaxShown = 1 << 20

// Show gives v as a script's reader would write it. Texts are shown without
// quotes at the top and with quotes inside lists. What is longer than MaxShown
// ends with "…".
func (h *Heap) Show(v V, name Namer) string {
	switch v.Kind() {
	case Text:
		return h.TextOf(v)
	case Int:
		return strconv.FormatInt(v.Int(), 10)
	}
	s := shower{h: h, name: name}
	s.show(v)
	return s.String()
}

// shower writes values, however deep, into one text.
type shower struct {
	strings.Builder
	h    *Heap
	name Namer
	full bool
}

// add writes a piece of text, as long as there is room.
func (s *shower) add(text string) {
	switch {
	case s.full:
	case s.Len()+len(text) > MaxShown && s.Len() > 0:
		s.WriteString("…")
		s.full = true
	default:
		s.WriteString(text)
	}
}

func (s *shower) show(v V) {
	if s.full {
		return
	}
	h := s.h
	switch v.Kind() {
	case Int:
		s.add(strconv.FormatInt(v.Int(), 10))
	case Rat:
		s.add(ShowRat(h.RatOf(v)))
	case Special:
		switch v {
		case Yes:
			s.add("yes")
		case No:
			s.add("no")
		default:
			s.add("none")
		}
	case Text:
		s.add(strconv.Quote(h.TextOf(v)))
	case Symbol:
		s.add(h.TextOf(v))
	case Die:
		s.die(v)
	case Made:
		s.made(h.PartsOf(v))
	case List:
		s.add("[")
		for i, x := range h.Elems(v) {
			if i > 0 {
				s.add(", ")
			}
			s.show(x)
		}
		s.add("]")
	case Map:
		s.add("{")
		p := h.Pairs(v)
		for i := 0; i < len(p); i += 2 {
			if i > 0 {
				s.add(", ")
			}
			s.show(p[i])
			s.add(": ")
			s.show(p[i+1])
		}
		s.add("}")
	case Range:
		lo, hi := h.Ends(v)
		s.end(lo)
		s.add("..")
		s.end(hi)
	case Ref, Rule:
		if s.name == nil {
			s.add(v.Kind().String())
		} else {
			s.add(s.name(v))
		}
	}
}

func (s *shower) die(v V) {
	if v.DieSize() == 100 {
		s.add("d%")
	} else {
		s.add("d" + strconv.Itoa(v.DieSize()))
	}
	s.add(strings.Repeat("+", v.Pluses()))
	if v.DieFace() != 0 {
		s.add(":" + strconv.Itoa(v.DieFace()))
	}
}

func (s *shower) end(v V) {
	if v != None {
		s.show(v)
	}
}

// ShowRat writes an exact number: as a whole number, as a decimal when it ends
// within six places, else as a fraction.
func ShowRat(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if places, exact := r.FloatPrec(); exact && places <= 6 {
		return r.FloatString(places)
	}
	return r.RatString()
}
