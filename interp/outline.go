package interp

import (
	"context"

	"setpiece/lang"
)

// Outline says which statements of a script are played, and what it reports where. Programs
// that show results beside a script need both.
type Outline struct {
	Played   []lang.Span // at the top of the script, in order
	Reported []Reported
	set      []lang.Span
}

// Reported is a value that a script reports.
type Reported struct {
	Column string // what odds and simulations call it
	At     lang.Span
}

// Outline reads a script without running it. The session is not changed. A script with
// mistakes gives lang.Diagnostics.
func (s *Session) Outline(ctx context.Context, src *lang.Source) (*Outline, error) {
	_, out, _, err := s.compile(ctx, src, false)
	if err != nil {
		return nil, err
	}
	o := &Outline{Played: out.Played, set: out.Set}
	for _, r := range out.Reported {
		o.Reported = append(o.Reported, Reported{r.Column, r.At})
	}
	return o, nil
}

// Until gives a script as it is at a place: what begins there or later and is played, or
// sets something, is left out; what is declared there stays, since what is above may name it.
func (s *Session) Until(ctx context.Context, src *lang.Source, place int) (*lang.Source, error) {
	o, err := s.Outline(ctx, src)
	if err != nil {
		return nil, err
	}
	var cut []lang.Edit
	file, _ := lang.Parse(src)
	for _, st := range file.Stmts {
		if _, ok := st.(*lang.Test); ok {
			o.set = append(o.set, st.Range())
		}
	}
	for _, at := range append(o.set, o.Played...) {
		if int(at.Start) >= place {
			cut = append(cut, lang.Edit{Span: at})
		}
	}
	if len(cut) == 0 {
		return src, nil
	}
	return src.Edited(cut...), nil
}
