package evening_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"setpiece/interp"
	"setpiece/interp/evening"
)

const luck = `sheet person { luck number 0.. = 2 }
person Ann {}
verb try { do {
  let d = throw d6 for "a try"
  repeat 2 { offer again to Ann "Throw the {d.face} again?" costs 1 luck { d = throw d6 for "another" } }
  print "a {d.face}, luck {Ann.luck}"
} }`

// guest answers from a list, and leaves when that is used up.
type guest struct {
	e     *evening.Evening
	lines []string
}

func (g *guest) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	if len(g.lines) == 0 {
		fmt.Println("open:", q.ID, q.Title)
		return interp.Answer{}, evening.ErrLeft
	}
	line := g.lines[0]
	g.lines = g.lines[1:]
	if line == "undo" {
		return interp.Answer{}, g.e.TakeBack(1)
	}
	return q.Read(line)
}

func (g *guest) Event(e *interp.Event, again bool) {
	if e.Kind == interp.EventPrint && !again {
		fmt.Println(e.Data.Is)
	}
}

func (g *guest) Tell(n evening.Notice) {
	if c, ok := n.(*evening.Courses); ok {
		last := func(s evening.Side) any { return s.Events[len(s.Events)-1].Data.Is }
		fmt.Printf("%s %s: was %v, would be %v\n", c.Reply.Title, c.Line, last(c.Was), last(c.Would))
	}
}

func (g *guest) Settle() error { return nil }

// An evening without a terminal: an answer is taken back, another tried, an entry undone, and the
// question that is open is left, and taken up by another process.
func ExampleBegin() {
	ctx := context.Background()
	var kept evening.Memory
	g := &guest{lines: []string{"yes", "undo", "no", "no"}}
	g.e = evening.Begin(evening.Config{Session: interp.Config{Seed: 5}, Store: &kept, Host: g})
	err := errors.Join(
		g.e.Enter(ctx, luck),
		g.e.Enter(ctx, "try"), // yes, taken back: no, no
		g.e.WhatIf(ctx, evening.Change{Back: 1, Answer: 2, Line: "yes"}), g.e.Drop(),
		g.e.Undo(1),
		g.e.Enter(ctx, "try")) // the same dice; nobody answers
	fmt.Println(err)
	data, _ := json.Marshal(kept)

	var loaded evening.Memory
	err = json.Unmarshal(data, &loaded)
	h := &guest{lines: []string{"yes", "no"}}
	h.e, _ = evening.Resume(ctx, evening.Config{Session: interp.Config{Seed: 5}, Store: &loaded, Host: h}, loaded)
	fmt.Println(errors.Join(err, h.e.Continue(ctx)), len(h.e.Steps()), "steps")
	// Output:
	// a 4, luck 2
	// Ann: Throw the 4 again? 1 luck, 1 left after it. yes: was a 4, luck 2, would be a 1, luck 1
	// open: 12 Ann: Throw the 4 again? 1 luck, 1 left after it.
	// the question is left open
	// a 3, luck 1
	// <nil> 2 steps
}
