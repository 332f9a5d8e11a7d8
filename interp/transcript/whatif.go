package transcript

import "setpiece/interp"

// WhatIf is a course that was tried out, beside the one that was.
type WhatIf struct {
	Instead, Line string // in what they differ: what was typed, and what is tried
	Was, Would    Course
	State         []StateDifference
	Refused       []RefusedLine // lines that the rules refuse in the other course
	Again         int           // dice that fell as they had fallen
	Anew          []string      // what was thrown anew
}

// Course is what happened in one of them, and the question at which it stands.
type Course struct {
	Events, Open []*interp.Event
	Asks         string
}

// StateDifference is a field that has another value in the other course; nil: it is not
// there.
type StateDifference struct {
	Who   string  `json:"who"`
	Field string  `json:"field"`
	Was   *string `json:"was"`
	Would *string `json:"would"`
}

// RefusedLine is a line with the reason why it is refused.
type RefusedLine struct {
	Line string `json:"line"`
	Why  string `json:"why"`
}

type (
	jsonWhatIf struct {
		Record
		Instead string            `json:"instead"`
		Line    string            `json:"line"`
		Was     jsonCourse        `json:"was"`
		Would   jsonCourse        `json:"would"`
		State   []StateDifference `json:"state"`
		Refused []RefusedLine     `json:"refused,omitempty"`
		Again   int               `json:"again"`
		Anew    []string          `json:"anew"`
	}
	jsonCourse struct {
		Events []any  `json:"events"`
		Open   []any  `json:"open,omitempty"`
		Asks   string `json:"asks,omitempty"`
	}
)

// WhatIf writes in what a course that was tried out differs from the one that was.
func (j *JSON) WhatIf(w WhatIf) {
	x := jsonWhatIf{
		Record{Event: "what_if"}, w.Instead, w.Line, course(w.Was), course(w.Would), w.State, w.Refused, w.Again, w.Anew,
	}
	if x.State == nil {
		x.State = []StateDifference{}
	}
	if x.Anew == nil {
		x.Anew = []string{}
	}
	j.Write(x)
}

func course(c Course) jsonCourse {
	x := jsonCourse{Events: soFar(c.Events), Asks: c.Asks}
	if len(c.Open) > 0 {
		x.Open = soFar(c.Open)
	}
	return x
}
