package evening

import (
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
)

// Courses are the evening as it was and as it would have been.
type Courses struct {
	Step  *Step  // that was changed, and Reply the answer of it that was; nil at a question
	Reply *Reply // nil: the whole entry
	Line  string // what took its place

	Was, Would Side
	Anew       []string // dice that were thrown anew: "d12 for re-roll (Ann)"
	Again      int      // dice that fell as they had fallen
}

// Side is how one of two courses went: what happened, what is going on where it stands, and the
// question at which it does.
type Side struct {
	transcript.Course
	State   []assist.StateLine // there
	Refused []RefusedEntry     // entries that the rules refuse in it, which are left out
	Parted  int                // before which of the events dice fell that had not fallen, from 1; 0: none did
}

// RefusedEntry is an entry that the rules refuse in a course.
type RefusedEntry struct {
	Step Step
	Why  string
}

// State lists the fields that the courses leave with other values, in the order of the first.
func (c *Courses) State() (out []transcript.StateDifference) {
	type key struct{ who, field string }
	other := make(map[key]*string, len(c.Would.State))
	for _, x := range c.Would.State {
		other[key{x.Who, x.Field}] = &x.Value
	}
	for _, x := range c.Was.State {
		k := key{x.Who, x.Field}
		if v := other[k]; v == nil || *v != x.Value {
			out = append(out, transcript.StateDifference{Who: x.Who, Field: x.Field, Was: orNil(&x.Value), Would: orNil(v)})
		}
		delete(other, k)
	}
	for _, x := range c.Would.State {
		if v := other[key{x.Who, x.Field}]; v != nil {
			out = append(out, transcript.StateDifference{Who: x.Who, Field: x.Field, Would: orNil(v)})
		}
	}
	return out
}

func orNil(value *string) *string {
	if value != nil && *value == "" {
		return nil
	}
	return value
}

// Record is the courses as a record; title says a step in words.
func (c *Courses) Record(title func(Step) string) transcript.WhatIf {
	w := transcript.WhatIf{Line: c.Line, Again: c.Again, Anew: c.Anew, Was: c.Was.Course, Would: c.Would.Course, State: c.State()}
	if c.Reply != nil {
		w.Instead = c.Reply.Title + "  " + c.Reply.Answer
	} else {
		w.Instead = title(*c.Step)
	}
	for _, x := range c.Would.Refused {
		w.Refused = append(w.Refused, transcript.RefusedLine{Line: title(x.Step), Why: x.Why})
	}
	return w
}
