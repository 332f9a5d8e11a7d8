package machine

import (
	"fmt"

	"setpiece/lang"
)

// Dump writes code for a reader who hunts a bug in it.
func (f *Func) Dump(show func(V) string) string {
	s := ""
	for i, in := range f.Code {
		k := ""
		if in.Op == LoadK {
			k = show(V(uint64(uint32(in.B)) | uint64(uint32(in.C))<<32))
		}
		s += fmt.Sprintf("%4d %3d %4d %4d %4d  %s  %.30q\n", i, in.Op, in.A, in.B, in.C, k, sourceText(f.At[i]))
	}
	return s
}

func sourceText(s lang.Span) string {
	if s.Src == nil {
		return ""
	}
	return s.Src.Text[s.Start:s.End]
}
