package interp

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// eventSink turns what a machine does into Events. A group is sent when it
// closes, everything else at once; inside a guarded part nothing is sent before it
// is certain that nothing of it will be taken back. Whoever has to decide or to
// throw meanwhile gets what is not sent yet with the question, see unfinished.
type eventSink struct {
	s     *Session
	out   func(*Event)
	open  []*Event
	held  []*Event
	mark  []marked
	sent  int  // events of groups still open that have been sent
	asked bool // somebody is being asked, and it was told

	reset     *ir.ResetInfo // the boundary of a span that changes fields at the moment
	standings []Standing    // how everybody stood when it was told last

	loose *Event // how it stands where no group is open

	names []dieName // of the dice that are thrown next
}

// marked is how far the telling had come.
type marked struct {
	open      []*Event
	lens      []groupLen
	held      int
	standings []Standing
	on        []core.Span
}

type groupLen struct {
	dice, parts, events  int
	outcome, said, brief string
	hushed               bool
	fields               []FieldValue
	soFar                bool
	stood                int
}

// told says who may know of what is done now: what is done within a command of a verb that is secret is
// so, and within one that is open too, unless a secret one is at work.
func (t *eventSink) told() (told code.Told) {
	w, m := t.s.run.World, t.s.run.M
	if !w.Tells {
		return ""
	}
	for _, v := range w.Verbs {
		if v.Decl.As == nil || told == code.ToMaster {
			continue
		}
		if slices.ContainsFunc(m.Frames, func(f machine.Frame) bool { return f.Fn == m.Prog.Slots[v.Slot] }) {
			told = code.Told(v.Decl.As.Name)
		}
	}
	return told
}

// as says who may know of an event that a word of the rules is about, or none.
func (t *eventSink) as(word code.Told) string {
	if now := t.told(); word == "" || now == code.ToMaster {
		return string(now)
	}
	return string(word)
}

func (t *eventSink) emit(e *Event) {
	if e.Told == "" {
		e.Told = t.as("")
	}
	if t.s.run.Room -= len(e.Text) + len(e.Value) + 1; t.s.run.Room < 0 {
		t.s.run.M.MaxSteps = 0 // have the run looked at
	}
	e.Depth = len(t.open)
	if len(t.open) > 0 {
		g := t.open[len(t.open)-1]
		e.After = len(g.Dice)
		g.Events = append(g.Events, e)
	}
	if len(t.mark) > 0 {
		t.held = append(t.held, e)
		return
	}
	t.send(e)
}

func (t *eventSink) send(e *Event) {
	if t.sent++; e.Depth == 0 {
		t.sent = 0
	}
	t.out(e)
}

// abandon forgets groups that are still open because the statement failed.
func (t *eventSink) abandon() {
	t.open, t.held, t.mark, t.reset = nil, nil, nil, nil
	t.loose = nil
	if t.sent > 0 {
		t.send(&Event{Kind: EventVoid})
	}
}

// unfinished gives what has happened and is not sent yet: events that are held
// back, and the groups that are still open, outermost first.
func (t *eventSink) unfinished() []*Event {
	var list []*Event
	for _, e := range t.held {
		if e.Depth == 0 {
			list = append(list, e)
		}
	}
	if len(t.open) == 0 && t.loose != nil {
		return append(list, t.loose)
	}
	return append(list, t.open...)
}

// question sends that somebody is asked, throwing that somebody is to throw.
func (t *eventSink) question(q *Question, at lang.Span, rule int32) {
	q.Open, t.asked = t.unfinished(), true
	t.out(&Event{Kind: EventQuestion, Question: q, Who: q.Who, Depth: len(t.open), At: at, Rule: t.id(rule)})
}

func (t *eventSink) throwing(r *Request) {
	r.Open, t.asked = t.unfinished(), true
	t.out(&Event{Kind: EventThrow, Request: r, Who: r.Who, Depth: len(t.open)})
}

// stand notes how everybody stands before a statement begins.
func (t *eventSink) stand() {
	if t.s.cfg.Standings {
		t.standings = t.s.stands(false)
	}
}

// standNew notes how those stand who have come since it was told last.
func (t *eventSink) standNew() {
	if !t.s.cfg.Standings {
		return
	}
	standings := slices.Clip(t.standings)
	for _, now := range t.s.stands(false) {
		if !slices.ContainsFunc(standings, func(was Standing) bool { return was.Who == now.Who }) {
			standings = append(standings, now)
		}
	}
	t.standings = standings
}

// moved gives who stands otherwise than when it was told last.
func (t *eventSink) moved() []Standing {
	if !t.s.cfg.Standings {
		return nil
	}
	was := t.standings
	t.standings = t.s.stands(false)
	return moved(was, t.standings)
}

// turn sends that somebody is asked for a command. How everybody stands comes with the
// turn, so what a rule said of it for a question is left out.
func (t *eventSink) turn(x *Turn) {
	loose := t.loose
	t.loose = nil
	x.Open = t.unfinished()
	t.loose = loose
	t.out(&Event{Kind: EventTurn, Turn: x, Who: x.Who, Depth: len(t.open)})
}

// who gives the name of whoever the innermost group is about.
func (t *eventSink) who() string {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i].Who != "" {
			return t.open[i].Who
		}
	}
	return ""
}

// Mark implements machine.Observer.
func (t *eventSink) Mark() int {
	m := marked{open: append([]*Event(nil), t.open...), held: len(t.held), standings: t.standings, on: t.s.run.On}
	for _, g := range t.open {
		m.lens = append(m.lens, groupLen{len(g.Dice), len(g.Parts), len(g.Events), g.Outcome, g.Said, g.Brief, g.Hushed, g.Fields, g.SoFar, g.Stood})
	}
	t.mark = append(t.mark, m)
	return len(t.mark) - 1
}

// Rollback implements machine.Observer.
func (t *eventSink) Rollback(n int) {
	m := t.mark[n]
	t.mark = t.mark[:n]
	t.open, t.s.run.On = m.open, m.on
	for i, g := range t.open {
		l := m.lens[i]
		g.Dice, g.Parts, g.Events = g.Dice[:l.dice], g.Parts[:l.parts], g.Events[:l.events]
		g.Outcome, g.Said, g.Fields, g.SoFar, g.Stood, g.Brief, g.Hushed = l.outcome, l.said, l.fields, l.soFar, l.stood, l.brief, l.hushed
	}
	t.standings, t.reset = m.standings, nil
	t.held = t.held[:m.held]
}

// Release implements machine.Observer.
func (t *eventSink) Release() {
	t.mark = t.mark[:len(t.mark)-1]
	if len(t.mark) > 0 {
		return
	}
	for _, e := range t.held {
		t.send(e)
	}
	t.held = nil
}

func (t *eventSink) id(rule int32) string { return language.IDOf(t.s.run.World, int(rule)) }

// Event implements machine.Observer.
func (t *eventSink) Event(m *machine.Machine, info any, r []value.V, at lang.Span, rule int32) {
	switch x := info.(type) {
	case *ir.ReachedInfo:
		t.s.run.Idling++
	case *ir.ShowInfo:
		t.s.run.Idling = 0
		e := &Event{Kind: EventKind(x.Kind), Verb: m.Show(r[0]), At: at, Rule: t.id(rule), Open: true, Depth: len(t.open), Told: t.as("")}
		if r[1] != value.None {
			e.Who = m.Show(r[1])
		}
		if len(t.open) == 0 {
			t.standNew()
		}
		t.open, t.loose = append(t.open, e), nil
	case *ir.ShowEnd:
		e := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		e.Open, e.Stood = false, 0
		if e.SoFar {
			e.Outcome, e.Said, e.Fields, e.SoFar = "", "", nil, false
		}
		if len(t.open) == 0 || e.Brief != "" {
			e.Moved = t.moved()
			e.Whom = t.named(e)
		}
		t.emit(e)
	case *ir.PartInfo:
		t.part(m, r, rule)
	case *ir.DiceInfo:
		t.name(m, r[0])
	case *ir.SayInfo:
		kind := EventKind(x.Kind)
		switch {
		case (x.Kind == "brief" || kind == EventNote) && r[0] == value.None:
			return // nothing to say
		case x.Kind == "brief":
			t.brief(m.Show(r[0]))
			return
		}
		e := &Event{Kind: kind, Text: m.Say(r[0]), At: at, Rule: t.id(rule), Told: string(x.Told)}
		if kind == EventPrint {
			e.Text, e.Value, e.Data = "", e.Text, t.s.data(r[0])
		}
		t.emit(e)
	case *ir.OutcomeInfo:
		t.outcome(m, x, r, at, rule)
	case *ir.ReportInfo:
		v := machine.Shown(r[0]) // as odds and trials count it
		t.emit(&Event{Kind: EventReport, Text: x.Text, Value: m.Show(v), Data: t.s.data(v), At: at})
	case *ir.ValueInfo:
		if r[0] != value.None {
			t.emit(&Event{Kind: EventValue, Value: m.Show(r[0]), Data: t.s.data(r[0]), At: at})
		}
	case *ir.DecidedInfo:
		e := &Event{Kind: EventDecision, Decision: x.Ask.Name, By: x.From, Answer: m.Show(r[2]), Data: t.s.data(r[2]), At: at, Rule: t.id(rule)}
		if r[0].Kind() == value.Ref {
			e.Who = m.NameOf(r[0])
		}
		if r[1] != value.None {
			e.Prompt = m.Show(r[1])
		}
		if x.From == "default" {
			e.Options, e.OptionData = t.s.options(r[3])
		}
		t.emit(e)
	case *code.Declined:
		if m.Nobody() {
			return
		}
		e := &Event{Kind: EventTactics, Text: x.Text, Why: m.Show(r[1]), At: x.At, Rule: t.id(m.RefusedBy())}
		if r[0].Kind() == value.Ref {
			e.Who = m.NameOf(r[0])
		}
		t.emit(e)
	case *ir.SpanInfo:
		t.loose = nil
		e := &Event{Kind: EventSpan, Verb: x.Name, End: x.End, At: at, Rule: t.id(rule)}
		if r[0] != value.None {
			e.Text = m.Show(r[0])
		}
		if !x.End && r[1] == value.Yes {
			e.Told = string(code.ToMaster)
		}
		if x.End && t.s.cfg.Standings {
			t.standings = t.s.stands(false)
			e.Standings = t.standings
		}
		t.s.span(x, e.Text)
		t.emit(e)
	case *ir.ResetInfo:
		t.reset = x
		if x.Span == "" {
			t.moved() // that fields are put back is no news
		}
	case *ir.MustFailInfo:
		t.emit(&Event{Kind: EventExpect, Text: t.s.expectation(x, r[1], r[2]), At: at})
	case *ir.ExpectInfo:
		t.emit(&Event{Kind: EventExpect, Text: t.s.expectation(x, r[1], r[2]), At: at})
	}
}

// brief takes what the rules say of the innermost group in a few words.
func (t *eventSink) brief(words string) {
	if len(t.open) == 0 {
		return
	}
	g := t.open[len(t.open)-1]
	g.Brief, g.Hushed = words, words == ""
}

// named gives whom the few words said of a group name, besides whoever it is about; of
// several the longest name.
func (t *eventSink) named(e *Event) string {
	whom := ""
	for _, s := range t.standings {
		if s.Who != e.Who && len(s.Who) > len(whom) && strings.Contains(e.Brief, s.Who) {
			whom = s.Who
		}
	}
	return whom
}

func (t *eventSink) part(m *machine.Machine, r []value.V, rule int32) {
	p := PartEvent{Value: m.Show(r[0]), Data: t.s.data(r[0]), Label: m.Show(r[1]), Rule: t.id(rule)}
	if r[2] != value.None {
		p.Note = m.Show(r[2])
	}
	if len(t.open) == 0 {
		return
	}
	g := t.open[len(t.open)-1]
	g.Parts, g.Stood = append(g.Parts, p), -1
}

func (t *eventSink) outcome(m *machine.Machine, x *ir.OutcomeInfo, r []value.V, at lang.Span, rule int32) {
	var g *Event
	alone := len(t.open) == 0
	if alone {
		g = &Event{Kind: EventCheck, At: at, Open: x.SoFar}
	} else {
		g = t.open[len(t.open)-1]
	}
	g.Outcome, g.Said, g.Rule, g.SoFar, g.Stood = "", "", t.id(rule), x.SoFar, len(g.Events)
	if r[0] != value.None || !x.SoFar {
		g.Outcome = m.Show(r[0])
		if said := m.Say(r[0]); said != g.Outcome {
			g.Said = said
		}
	}
	g.Fields = nil
	for i, name := range x.Names[1:] {
		if v := r[i+1]; v != value.None {
			g.Fields = append(g.Fields, FieldValue{name, m.Show(v), t.s.data(v)})
		}
	}
	switch {
	case alone && x.SoFar:
		t.loose = g
	case alone:
		t.emit(g)
	}
}

// Changed implements machine.Observer.
func (t *eventSink) Changed(m *machine.Machine, off int, f *code.Field, from, to value.V, at lang.Span, rule int32) {
	told := f.Told
	if f.Known >= 0 {
		told = m.Aside().Told(off, f)
	}
	e := &Event{Kind: EventChange, Who: m.PathOf(off), Field: f.Name, From: m.Show(from), To: m.Show(to), FromData: t.s.data(from), ToData: t.s.data(to), At: at, Rule: t.id(rule), Told: t.as(told)}
	switch {
	case t.reset != nil && t.reset.Span != "":
		e.Reset, e.End = t.reset.Span, t.reset.End
	case len(t.open) == 0:
		e.Moved = t.moved()
	}
	t.emit(e)
}

// Thrown implements machine.Observer.
func (t *eventSink) Thrown(m *machine.Machine, info any, dice []value.V, from []machine.Source, at lang.Span, rule int32) {
	if n := countBy(from, machine.ByTable); n > 0 && !t.asked && t.s.thrower(t.who()) != nil {
		r := Request{For: m.ThrowLabel(info), Who: t.who()}
		for _, d := range dice[len(dice)-n:] {
			r.Sizes = append(r.Sizes, d.DieSize())
		}
		t.throwing(&r) // as when they were asked
	}
	t.asked = false
	names := t.names
	t.names, t.s.run.Idling = nil, 0
	g := &Event{Kind: EventDice, At: at, Rule: t.id(rule)}
	who := ""
	if len(t.open) > 0 {
		g, who = t.open[len(t.open)-1], t.who()
	} else {
		g.Verb, who = language.AtWork(t.s.run.World, m)
		g.Who = who
		defer func() { t.emit(g) }()
	}
	label := m.ThrowLabel(info)
	throw := 0
	if n := len(g.Dice); n > 0 {
		throw = g.Dice[n-1].Throw + 1
	}
	for i, d := range dice {
		e := DieEvent{Size: d.DieSize(), Face: d.DieFace(), Throw: throw, For: label, Who: who, By: string(from[i]), Rule: t.id(rule)}
		if n := slices.IndexFunc(names, func(n dieName) bool { return n.size == e.Size }); n >= 0 {
			if e.Name = names[n].name; names[n].who != "" {
				e.Who = names[n].who
			}
			names = slices.Delete(names, n, n+1)
		}
		g.Dice, g.Stood = append(g.Dice, e), -1
	}
}

// dieName is what a die of the next throw stands for.
type dieName struct {
	size      int
	name, who string
}

// name takes the names of the dice that are thrown next: lists of a die, a name and
// perhaps whose it is. Of dice of one size the first gets the first name; nobody could
// tell them apart.
func (t *eventSink) name(m *machine.Machine, list value.V) {
	t.names = nil
	if list.Kind() != value.List {
		return
	}
	for _, e := range m.Heap.Elems(list) {
		if e.Kind() != value.List {
			continue
		}
		x := m.Heap.Elems(e)
		if len(x) < 2 || x[0].Kind() != value.Die {
			continue
		}
		n := dieName{size: x[0].DieSize(), name: m.Show(x[1])}
		if len(x) > 2 && x[2] != value.None {
			n.who = m.Show(x[2])
		}
		t.names = append(t.names, n)
	}
}

// Kept implements machine.Observer.
func (t *eventSink) Kept(m *machine.Machine, dice value.V) {
	if len(t.open) == 0 {
		return
	}
	all := []value.V{dice}
	if dice.Kind() == value.List {
		all = m.Heap.Elems(dice)
	}
	g := t.open[len(t.open)-1]
	if len(all) == 0 {
		for i := range g.Dice {
			g.Dice[i].Kept = false
		}
	}
	for _, d := range all {
		for i := len(g.Dice) - 1; i >= 0; i-- {
			if e := &g.Dice[i]; !e.Kept && e.Size == d.DieSize() && e.Face == d.DieFace() {
				e.Kept = true
				break
			}
		}
	}
}

// Answered implements machine.Observer.
func (t *eventSink) Answered(m *machine.Machine, q *machine.Question, n int, by string) {
	t.s.run.Idling = 0
	ask := t.s.question(q)
	person := t.s.cfg.Choice != nil && !q.Info.Unasked
	usual := by == string(ByUsual)
	asked := by == string(ByPerson) || by == string(ByHanded) || by == string(ByUnknown)
	switch {
	case by == string(ByNobody), by == string(ByHanded), by == string(ByUsual), by == string(ByUnknown) && !person:
		by = string(ByDefault)
	case by == string(ByUnknown):
		by = string(ByPerson)
	}
	if asked && person && !t.asked {
		t.question(&ask, q.At, q.Rule) // as when they were asked
	}
	t.asked = false
	t.emit(&Event{Kind: EventDecision, Decision: ask.Name, Who: ask.Who, Prompt: ask.Prompt, Options: ask.Options, OptionData: ask.Data, Answer: ask.Options[n], Data: ask.Data[n], By: by, Usual: usual, At: q.At, Rule: t.id(q.Rule)})
}

func countBy(from []machine.Source, by machine.Source) int {
	n := 0
	for _, s := range from {
		if s == by {
			n++
		}
	}
	return n
}
