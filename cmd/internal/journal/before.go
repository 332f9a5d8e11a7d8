package journal

import (
	"setpiece/interp"
	"setpiece/interp/evening"
)

// lists are what a log of before has in the place of a record.
type lists struct{ evening.Lists }

// thrown is the record of a log, which says who threw its dice: the first so many were given from
// outside, all where some of those were left over, and the others a person threw, or the generator.
func (l lists) thrown(given int, left []int, threw bool) (r interp.Record) {
	if len(left) > 0 {
		given = len(l.Faces)
	}
	by := interp.BySeed
	if threw {
		by = interp.ByTable
	}
	if given > 0 {
		r = append(r, interp.Answer{Faces: l.Faces[:given], By: interp.ByGiven})
	}
	if given < len(l.Faces) {
		r = append(r, interp.Answer{Faces: l.Faces[given:], By: by})
	}
	l.Faces = nil
	return append(r, l.Record()...)
}
