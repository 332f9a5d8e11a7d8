package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

// table is an evening with its queue of calls, and its host.
type table struct {
	server *server
	conn   *jsonrpc2.Conn
	id     string
	ctx    context.Context // ends when it is closed
	leave  context.CancelFunc
	calls  chan *call
	begin  func(context.Context) error // what the call does that begins it

	evening *evening.Evening
	seed    uint64 // it began with
	forms   bool   // questions have what comes next with them
	saved   *memory
	records *transcript.JSON
	text    *transcript.Text   // nil: nobody wants it
	entry   context.CancelFunc // ends the entry that is evaluated
	moving  *call              // is answered when the evening stands still again
	release func() bool        // the entry from that call
	opening bool               // that is still the call that began it
	said    *interp.Answer     // what a call has answered
	failed  error              // why another course could not be tried
}

// memory is the journal of an evening.
type memory struct{ bytes.Buffer }

func (m *memory) Sync() error               { return nil }
func (m *memory) Close() error              { return nil }
func (m *memory) Truncate(size int64) error { m.Buffer.Truncate(int(size)); return nil }

// run is the goroutine of an evening.
func (t *table) run(first *call) {
	first.do = func(t *table, c *call) (any, error) {
		return nil, t.enter(func(ctx context.Context) error { return t.begin(ctx) })
	}
	t.takeCalls(first)
	t.server.remove(t)
	for {
		select {
		case c := <-t.calls:
			t.server.reply(c, nil, &jsonrpc2.Error{Code: CodeNoEvening, Message: "this evening is closed"})
		default:
			return
		}
	}
}

// takeCalls does one call after the other until the evening is closed. A fault of the program closes it, and
// no other.
func (t *table) takeCalls(first *call) {
	defer func() {
		if fault := recover(); fault != nil {
			t.notify("notice", Notice{t.id, fmt.Sprintf("a fault of setpiece has closed this evening: %v", fault)})
			t.settle(nil, &jsonrpc2.Error{Code: CodeFault, Message: fmt.Sprintf("a fault of setpiece: %v", fault)})
		}
	}()
	for c, open := first, true; c != nil; c = t.next(nil) {
		t.opening = open
		t.take(c)
		result, err := c.do(t, c)
		if err != nil && t.opening && open && t.moving == c {
			t.server.remove(t) // it has not begun
		}
		t.settle(result, err)
		open = false
	}
}

// next waits for a call; nil: the evening is closed, or its entry has been ended.
func (t *table) next(entry <-chan struct{}) *call {
	for {
		select {
		case <-t.ctx.Done():
			return nil
		case <-entry:
			return nil
		case c := <-t.calls:
			if c.ctx.Err() == nil {
				return c
			}
			t.server.reply(c, nil, context.Canceled)
		}
	}
}

// looks are the calls that leave the evening where it stands, whatever becomes of them.
var looks = []string{"advise", "outlook", "state", "complete", "can", "asked", "rule", "save", "say", "pauses"}

// take makes a call the one that moves the evening: if it is cancelled, so is the entry, unless it only looks.
func (t *table) take(c *call) {
	t.moving, t.failed = c, nil
	t.follow()
}

func (t *table) follow() {
	if entry := t.entry; entry != nil && t.moving != nil && !slices.Contains(looks, t.moving.req.Method) {
		t.release = context.AfterFunc(t.moving.ctx, entry)
	}
}

// settle answers the call that has moved the evening: it stands still. An error that is
// nobody's is told.
func (t *table) settle(result any, err error) {
	if t.release != nil {
		t.release()
		t.release = nil
	}
	if t.text != nil && (t.evening == nil || t.evening.Open() == nil) {
		t.text.Flush()
	}
	c := t.moving
	t.moving = nil
	if err == nil {
		err = t.failed
	}
	switch {
	case c == nil && err != nil && !errors.Is(err, evening.ErrLeft):
		t.notify("notice", Notice{t.id, asError(err).Message})
	case c == nil:
	case errors.Is(err, evening.ErrLeft):
		t.server.reply(c, nil, &jsonrpc2.Error{Code: CodeNoEvening, Message: "this evening is closed"})
	case err == nil && result == nil && t.opening:
		t.server.reply(c, Opened{Version, transcript.Version, t.seed, t.where()}, nil)
	case err == nil && result == nil:
		t.server.reply(c, t.where(), nil)
	default:
		t.server.reply(c, result, err)
	}
	t.opening = false
}

// enter runs an entry. It ends with the evening, or if the call is cancelled that moves it.
func (t *table) enter(run func(context.Context) error) error {
	if t.evening != nil && t.evening.Busy() {
		return &evening.Refused{Why: evening.QuestionOpen}
	}
	ctx, cancel := context.WithCancel(t.ctx)
	t.entry = cancel
	t.follow()
	defer func() { cancel(); t.entry = nil }()
	return run(ctx)
}

func (t *table) notify(method string, params any) { t.conn.Notify(t.ctx, method, params) }

// Ask implements evening.Host: while a question is open, calls are done here.
func (t *table) Ask(ctx context.Context, q *evening.Query) (interp.Answer, error) {
	t.notify("question", Asked{t.id, *t.question(q)})
	t.settle(nil, nil)
	for id := q.ID; ; {
		c := t.next(ctx.Done())
		switch {
		case t.ctx.Err() != nil:
			return interp.Answer{}, evening.ErrLeft
		case c == nil:
			return interp.Answer{}, context.Canceled
		}
		t.take(c)
		result, err := c.do(t, c)
		if a := t.said; a != nil {
			t.said = nil
			return *a, nil
		}
		if errors.Is(err, evening.ErrMoved) {
			return interp.Answer{}, err
		}
		if id != q.ID {
			id = q.ID
			t.notify("question", Asked{t.id, *t.question(q)})
		}
		t.settle(result, err)
	}
}

// Event implements evening.Host.
func (t *table) Event(e *interp.Event, again bool) {
	if again {
		return
	}
	t.records.Event(e)
	t.moved(e)
	if t.text != nil {
		t.text.Event(e)
	}
}

// moved tells pages who stands otherwise than before, as the rules sum it up.
func (t *table) moved(e *interp.Event) {
	for _, s := range e.Moved {
		m := Moved{Event: "moved", Depth: e.Depth, Who: s.Who, Out: s.Out}
		for _, f := range s.Facts {
			m.Facts = append(m.Facts, Fact(f))
		}
		line, _ := json.Marshal(m)
		t.notify("event", Event{t.id, line})
	}
}

// whole tells an event as it was told when it happened.
func (t *table) whole(e *interp.Event) {
	for _, in := range e.Events {
		t.whole(in)
	}
	t.records.Event(e)
	t.moved(e)
}

// telling has what happens told as text from here on.
func (t *table) telling() { t.text = transcript.NewText(told{t}, transcript.Options{}) }

// told is where the text of an evening goes.
type told struct{ t *table }

// Write takes a piece of it.
func (w told) Write(text []byte) (int, error) {
	w.t.notify("transcript", Told{w.t.id, string(text)})
	return len(text), nil
}

// again says that what was told of the entry that goes on does not hold.
func (t *table) again() {
	t.records.Again()
	if t.text != nil {
		t.telling()
	}
}

// Settle implements evening.Host.
func (t *table) Settle() error { return nil }

// Tell implements evening.Host.
func (t *table) Tell(n evening.Notice) {
	switch n := n.(type) {
	case evening.Retold:
		t.again()
	case *evening.Courses:
		t.records.WhatIf(n.Record(title))
	case evening.NotTried:
		t.failed = n.Err
	case evening.NotDone:
		t.failed = n.Why
	case evening.Misfit:
		t.notify("notice", Notice{t.id, "the answers do not fit the questions from here on, as the rules have changed: they are asked again"})
	}
}

// Write takes a record of the evening.
func (t *table) Write(record []byte) (int, error) {
	t.notify("event", Event{t.id, bytes.Clone(record)})
	return len(record), nil
}

// title tells a step in a few words.
func title(s evening.Step) string {
	switch {
	case s.Hand != nil:
		return s.Hand.String()
	case s.Name != "":
		return "open " + s.Name
	}
	first, _, more := strings.Cut(s.Text, "\n")
	if more {
		first += " …"
	}
	return first
}

// recorded gives what is written as records.
func recorded(write func(*transcript.JSON)) (list []json.RawMessage) {
	var b bytes.Buffer
	j := transcript.NewJSON(&b, false)
	j.Begin()
	b.Reset()
	write(j)
	for line := range bytes.Lines(b.Bytes()) {
		list = append(list, bytes.Clone(line))
	}
	return list
}

func (t *table) question(q *evening.Query) *Question {
	x := &Question{
		ID: q.ID, Kind: q.Kind, Who: q.Who, Title: q.Title, Options: q.Options, Notes: q.Notes, Usual: q.Usual, Dice: q.Sizes, Aside: q.Aside != nil,
		Cost: q.Cost, Left: q.Left, Manner: q.Manner, On: q.On,
		Record: recorded(func(j *transcript.JSON) { j.Event(q.Event) })[0],
	}
	switch {
	case q.Kind == evening.Decision && !q.Must:
		x.Default = &q.Default
	case q.Name == evening.Stop:
		x.Record = recorded(func(j *transcript.JSON) { j.Error(q.Refused) })[0]
		x.Line = lineOf(q.Refused)
	}
	for _, r := range q.Also {
		x.Also = append(x.Also, Row{r.Name, r.Title, r.Options, r.Notes, r.Default, r.Cost, r.Left, r.Manner})
	}
	return x
}

// lineOf is the line of a script that an error is about.
func lineOf(err error) string {
	var run *interp.RunError
	if !errors.As(err, &run) || run.Diag == nil || run.Diag.Span.Shown().Src == nil {
		return ""
	}
	s := run.Diag.Span.Shown()
	return strings.TrimSpace(s.Src.Line(s.Src.Position(int(s.Start)).Line))
}

func (t *table) where() Where {
	w := Where{Evening: t.id, Steps: len(t.evening.Steps()), Course: t.evening.Courses() != nil}
	if q := t.evening.Open(); q != nil {
		w.Question = t.question(q)
	}
	return w
}

// journal begins what is saved of an evening, with what was before.
func (t *table) journal(h journal.Head, before []evening.Entry) (*journal.Journal, error) {
	t.saved, t.seed = &memory{}, h.Seed
	j, err := journal.Begin(t.saved, h)
	for _, e := range before {
		if err == nil {
			err = j.Append(e)
		}
	}
	return j, err
}
