package evening

import (
	"slices"
	"strings"

	"setpiece/interp"
)

// Decided is a decision that came up in the evening, for somebody.
type Decided struct {
	Name, Who string
	Options   []string // that there were, in the order in which they came up
	Given     []Given
	Told      string // see interp.Event
}

// Given is an answer that it was given, so many times.
type Given struct {
	Answer string
	By     string // as in interp.Event
	Usual  bool   // a person was not asked, as this is the usual one
	Times  int
}

// Decided lists the decisions that came up, by name.
func (v *Evening) Decided() (list []Decided) {
	for _, told := range v.story {
		list = decidedIn(told.Event, list)
	}
	slices.SortStableFunc(list, func(a, b Decided) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// decidedIn adds the decisions in what happened, the innermost, too.
func decidedIn(e *interp.Event, list []Decided) []Decided {
	if e == nil {
		return list
	}
	if e.Kind == interp.EventDecision {
		list = addDecided(e, list)
	}
	for _, in := range e.Events {
		list = decidedIn(in, list)
	}
	return list
}

func addDecided(e *interp.Event, list []Decided) []Decided {
	at := slices.IndexFunc(list, func(d Decided) bool { return d.Name == e.Decision && d.Who == e.Who })
	if at < 0 {
		at, list = len(list), append(list, Decided{Name: e.Decision, Who: e.Who, Told: e.Told})
	}
	d := &list[at]
	for _, o := range e.Options {
		if !slices.Contains(d.Options, o) {
			d.Options = append(d.Options, o)
		}
	}
	given := Given{Answer: e.Answer, By: e.By, Usual: e.Usual}
	n := slices.IndexFunc(d.Given, func(g Given) bool { g.Times = 0; return g == given })
	if n < 0 {
		n, d.Given = len(d.Given), append(d.Given, given)
	}
	d.Given[n].Times++
	return list
}
