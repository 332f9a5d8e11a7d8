package evening

import (
	"bytes"
	"encoding/json"

	"setpiece/interp"
)

// What was answered was kept as three lists once, in journals and logs, without who answered. They
// are read as records that do not say it, either.

// Lists are a record as it was kept.
type Lists struct {
	Faces    []int    `json:"faces,omitempty"`
	Answers  []int    `json:"answers,omitempty"`
	Commands []string `json:"commands,omitempty"`
}

// Record gives them as a record is kept now.
func (l Lists) Record() (r interp.Record) {
	if len(l.Faces) > 0 {
		r = append(r, interp.Answer{Faces: l.Faces, By: interp.ByUnknown})
	}
	for _, n := range l.Answers {
		r = append(r, interp.Answer{Option: &n, By: interp.ByUnknown})
	}
	for _, c := range l.Commands {
		r = append(r, interp.Answer{Command: &c, By: interp.ByUnknown})
	}
	return r
}

// UnmarshalJSON reads a Fell as it is kept now, or was before.
func (f *Fell) UnmarshalJSON(data []byte) error {
	var x struct {
		Lists
		Record interp.Record `json:"record"`
	}
	if err := strictly(data, &x); err != nil {
		return err
	}
	if f.Record = x.Record; f.Record == nil {
		f.Record = x.Lists.Record()
	}
	return nil
}

// UnmarshalJSON reads a step as it is kept now, or was before: with what a die had picked apart.
func (a *Again) UnmarshalJSON(data []byte) error {
	type plain Again
	var x struct {
		plain
		Picks []int `json:"picks"`
	}
	if err := strictly(data, &x); err != nil {
		return err
	}
	*a = Again(x.plain)
	a.picks = x.Picks
	return nil
}

// Drawn gives what fell in a step and what a die picked. Decisions are made again.
func (a *Again) Drawn() (r interp.Record) {
	for _, x := range a.Fell.Record.Besides() {
		if x.Faces != nil || x.Picked() {
			r = append(r, x)
		}
	}
	for _, n := range a.picks {
		r = append(r, interp.Answer{Option: &n, By: interp.BySeed})
	}
	return r
}

// strictly decodes into v, which has to have a field for each member.
func strictly(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
