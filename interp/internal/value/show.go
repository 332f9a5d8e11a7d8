package value

import (
	"fmt"
	"math/big"
	"strings"
)

// Namer names what a Heap does not know: sheet instances and rules.
type Namer func(V) string

// Show gives v as a script's reader would write it. Texts are shown without
// quotes at the top and with quotes inside lists.
func (h *Heap) Show(v V, name Namer) string {
	if v.Kind() == Text {
		return h.TextOf(v)
	}
	return h.show(v, name)
}

func (h *Heap) show(v V, name Namer) string {
	switch v.Kind() {
	case Int:
		return fmt.Sprint(v.Int())
	case Rat:
		return ShowRat(h.RatOf(v))
	case Special:
		switch v {
		case Yes:
			return "yes"
		case No:
			return "no"
		}
		return "none"
	case Text:
		return fmt.Sprintf("%q", h.TextOf(v))
	case Symbol:
		return h.TextOf(v)
	case Die:
		size := fmt.Sprintf("d%d", v.DieSize())
		if v.DieSize() == 100 {
			size = "d%"
		}
		if v.DieFace() == 0 {
			return size
		}
		return fmt.Sprintf("%s:%d", size, v.DieFace())
	case List:
		return "[" + h.join(h.Elems(v), name) + "]"
	case Map:
		var b strings.Builder
		p := h.Pairs(v)
		for i := 0; i < len(p); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(h.show(p[i], name) + ": " + h.show(p[i+1], name))
		}
		return "{" + b.String() + "}"
	case Range:
		lo, hi := h.Ends(v)
		return h.end(lo, name) + ".." + h.end(hi, name)
	}
	if name == nil {
		return v.Kind().String()
	}
	return name(v)
}

func (h *Heap) end(v V, name Namer) string {
	if v == None {
		return ""
	}
	return h.show(v, name)
}

func (h *Heap) join(vs []V, name Namer) string {
	var b strings.Builder
	for i, v := range vs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(h.show(v, name))
	}
	return b.String()
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
