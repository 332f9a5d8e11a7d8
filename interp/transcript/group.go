package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"setpiece/interp"
)

// group collects the lines of one event and of all that happened inside it.
type group struct {
	opts  Options
	lines []line
	shown progress // what stands above already
	stood string   // how the group stood when it was told last
	row   []line   // how an open group stands, if that is not above already
}

func (g *group) text(depth int, s string, color func(string) string, rule string) {
	if g.opts.Brief {
		rule = ""
	}
	g.lines = append(g.lines, line{depth: depth, label: cell{s, color}, rule: rule})
}

func (g *group) add(e *interp.Event, depth int, heading bool) {
	p := g.opts.Palette
	if isGroup(e) {
		g.group(e, depth, heading)
		return
	}
	switch e.Kind {
	case interp.EventChange:
		from, to := e.From, e.To
		if listsDice().MatchString(from) && listsDice().MatchString(to) {
			from, to = pool(from), pool(to)
		}
		g.text(depth, fmt.Sprintf("%s: %s %s -> %s", e.Who, e.Field, from, to), nil, e.Rule)
	case interp.EventDecision:
		g.decision(e, depth)
	case interp.EventDice:
		if g.opts.Trace || e.Verb != "" { // a script that throws by itself says what came of it
			g.dice(e, 0, depth)
		}
	case interp.EventNote:
		g.note(e, depth)
	case interp.EventWarn:
		g.text(depth, "warning: "+e.Text, p.Warn, e.Rule)
	case interp.EventTactics:
		g.text(depth, fmt.Sprintf("%s: tactics: %s refused: %s", e.Who, e.Text, e.Why), p.Warn, "")
	case interp.EventFault:
		g.text(depth, "fault: "+e.Text, p.Bad, e.Rule)
	case interp.EventReport:
		g.lines = append(g.lines, line{depth: depth, label: cell{text: e.Text}, value: []cell{{e.Value, p.Value}}})
	case interp.EventPrint:
		g.text(depth, printed(e), nil, "")
	case interp.EventSpan:
		if e.Text != "" && !e.End || g.opts.Trace {
			g.text(depth, strings.TrimSpace(endWord(e.End)+e.Verb+"  "+e.Text), p.Title, "")
		}
	case interp.EventCommand:
		if g.opts.Trace {
			g.text(depth, cmp.Or(e.Who, "Game Master")+" does: "+e.Text, p.Title, "")
		}
	case interp.EventExpect, interp.EventModule, interp.EventValue:
		// What was expected is told with its place by whoever shows errors; the
		// others do not happen inside a group.
	case interp.EventCheck, interp.EventQuestion, interp.EventThrow, interp.EventTurn, interp.EventVoid: // see isGroup
	}
}

// note writes table talk; in brief only what is new in it.
func (g *group) note(e *interp.Event, depth int) {
	switch {
	case !g.opts.Brief:
		g.text(depth, "note: "+e.Text, nil, e.Rule)
	case !strings.Contains(g.stood, e.Text):
		g.text(depth, e.Text, nil, e.Rule)
	}
}

// isGroup tells groups from the other events: a check, or whatever else the rules show as a group.
func isGroup(e *interp.Event) bool {
	switch e.Kind {
	case interp.EventChange, interp.EventDecision, interp.EventNote, interp.EventWarn, interp.EventFault,
		interp.EventPrint, interp.EventReport, interp.EventExpect, interp.EventModule, interp.EventValue, interp.EventSpan, interp.EventTactics,
		interp.EventCommand, interp.EventDice:
		return false
	case interp.EventCheck, interp.EventQuestion, interp.EventThrow, interp.EventTurn, interp.EventVoid:
	}
	return true
}

func endWord(end bool) string {
	if end {
		return "end of "
	}
	return ""
}

// group lists a check in the order in which it is read: what had to be known
// first, dice, parts, total, and then what came of it.
func (g *group) group(e *interp.Event, depth int, heading bool) {
	above := g.shown.of(e)
	if title := head(e); heading && title != "" && !above.title {
		g.text(depth-1, title, g.opts.Palette.Title, g.traced(e.Rule))
	}
	first := first
	if e.Open { // what has happened is told in its order, so that a pool stands above its dice
		first = func(in *interp.Event) bool { return in.After <= above.dice }
	}
	g.stood = above.stands
	g.inside(e, above.events, len(e.Events), depth, first)
	g.dice(e, above.dice, depth)
	for _, part := range e.Parts[min(above.parts, len(e.Parts)):] {
		g.part(part, depth)
	}
	rest := func(in *interp.Event) bool { return !first(in) }
	if e.Open { // what came of it since stands below how it stood
		stood := len(e.Events)
		if e.Stood >= 0 {
			stood = min(e.Stood, stood)
		}
		g.inside(e, above.events, stood, depth, rest)
		g.lines, g.row = append(g.lines, g.row...), nil
		g.inside(e, max(above.events, stood), len(e.Events), depth, rest)
		return
	}
	if end := (&group{opts: g.opts}).ending(e, depth); !above.outcome || layout(end, Palette{}) != above.stands {
		g.lines = append(g.lines, end...)
	}
	g.inside(e, above.events, len(e.Events), depth, rest)
}

// inside lists what happened inside a group, from one event to another.
func (g *group) inside(e *interp.Event, from, to, depth int, which func(*interp.Event) bool) {
	for _, in := range e.Events[min(from, to):to] {
		switch {
		case !which(in) || g.inNote(e, in):
		case isGroup(in):
			g.add(in, depth+1, true)
		default:
			g.add(in, depth, true)
		}
	}
}

// first says that something inside a check stands above its dice: a group that
// was over before they fell, such as a reaction that had to be rolled first.
func first(in *interp.Event) bool { return isGroup(in) && in.After == 0 }

func head(e *interp.Event) string {
	if e.Who == "" {
		return e.Verb
	}
	return strings.TrimSpace(e.Who + ": " + e.Verb)
}

// inNote says that a part's note already tells of a change inside its check: it
// names the field and, as its last number, what is left, "1 luck, 2 left". Of several
// changes to that number the note tells of the last: those before it, such as a
// gift from somebody who has as much left, stand in lines of their own.
func (g *group) inNote(check, in *interp.Event) bool {
	if g.opts.Trace || in.Kind != interp.EventChange {
		return false
	}
	for _, p := range check.Parts {
		words := strings.FieldsFunc(p.Note, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		left := ""
		for _, w := range words {
			if unicode.IsDigit(rune(w[0])) {
				left = w
			}
		}
		if in.To == left && slices.Contains(words, in.Field) && in == lastChange(check, in.Field, left) {
			return true
		}
	}
	return false
}

// lastChange finds the last change of a field to a value inside a check.
func lastChange(check *interp.Event, field, to string) *interp.Event {
	for _, e := range slices.Backward(check.Events) {
		if e.Kind == interp.EventChange && e.Field == field && e.To == to {
			return e
		}
	}
	return nil
}

func (g *group) traced(rule string) string {
	if g.opts.Trace {
		return rule
	}
	return ""
}

func (g *group) part(p interp.PartEvent, depth int) {
	rule := p.Rule
	if p.Note == "" {
		rule = g.traced(rule)
	}
	l := line{depth: depth, label: cell{text: p.Label}, value: []cell{{signed(p.Value), g.opts.Palette.Value}}, rule: rule}
	if p.Note != "" {
		l.note = []cell{{text: p.Note}}
	}
	g.lines = append(g.lines, l)
}

// signed gives a number its sign: a part is added.
func signed(value string) string {
	if value != "" && value[0] >= '0' && value[0] <= '9' {
		return "+" + value
	}
	return value
}

func (g *group) decision(e *interp.Event, depth int) {
	known := e.By == "default" || e.By == "clause" || e.Answer == "no" || e.By == "person" && (g.opts.Prompt || g.opts.Seen)
	if known && !g.opts.Trace {
		return
	}
	what := e.Prompt
	if what == "" {
		what = e.Decision + "?"
	}
	s := what + " " + e.Answer
	if e.Who != "" {
		s = e.Who + ": " + s
	}
	if e.By != "" && (e.By != "person" || g.opts.Trace) {
		s += ", by " + e.By
	}
	g.text(depth, s, nil, e.Rule)
}

// ending gives the row that sums a check up.
func (g *group) ending(e *interp.Event, depth int) []line {
	g.outcome(e, depth)
	return g.lines
}

// outcome writes the row that sums a check up.
func (g *group) outcome(e *interp.Event, depth int) {
	if e.Outcome == "" && len(e.Fields) == 0 {
		return
	}
	l := line{depth: depth, rule: g.traced(e.Rule)}
	rest := g.remarks(e)
	if total, ok := field(e, "total"); ok {
		l.label, l.value = cell{text: totalWord(e)}, []cell{{total, g.opts.Palette.Value}}
		rest = append(opposition(e), append(g.verdict(e), rest...)...)
	} else if v := g.verdict(e); v != nil {
		l.label, l.value = cell{text: "outcome"}, v
		rest = append(opposition(e), rest...)
	}
	for i, c := range rest {
		if i > 0 {
			l.note = append(l.note, cell{text: strings.Repeat(" ", gap)})
		}
		l.note = append(l.note, c)
	}
	if !l.isRow() {
		l.label = cell{text: "outcome"}
		if e.SoFar {
			l.label, l.note = cell{text: cellText(l.note)}, nil
		}
	}
	g.lines = append(g.lines, l)
}

func totalWord(e *interp.Event) string {
	if e.SoFar {
		return "so far"
	}
	return "total"
}

func cellText(cs []cell) string {
	var b strings.Builder
	for _, c := range cs {
		b.WriteString(c.text)
	}
	return b.String()
}

func opposition(e *interp.Event) []cell {
	against, ok := field(e, "versus")
	if !ok {
		against, ok = field(e, "against")
	}
	if !ok {
		return nil
	}
	return []cell{{text: "vs " + against}}
}

// remarks are what the rules tell besides: the note of the outcome, and where
// everything is told, the fields that have no meaning here.
func (g *group) remarks(e *interp.Event) []cell {
	var cs []cell
	for _, f := range e.Fields {
		switch f.Name {
		case "total", "against", "versus", "margin":
		case "note":
			cs = append(cs, cell{text: f.Value})
		default:
			if g.opts.Trace {
				cs = append(cs, cell{text: f.Name + " " + f.Value})
			}
		}
	}
	return cs
}

func (g *group) verdict(e *interp.Event) []cell {
	if e.Outcome == "" {
		return nil
	}
	margin, ok := field(e, "margin")
	if !ok {
		return []cell{{text: verdict(e)}}
	}
	color := g.opts.Palette.Good
	bad, fits := judged(e, margin)
	if bad {
		color = g.opts.Palette.Bad
	}
	if !fits {
		return []cell{{verdict(e), color}}
	}
	return []cell{{verdict(e) + " by " + strings.TrimPrefix(margin, "-"), color}}
}

// judged says whether an outcome by a margin is bad, and whether the margin fits it: where
// something else decides, as a mishap does, a total can fail that is above what it had to reach.
func judged(e *interp.Event, margin string) (bad, fits bool) {
	short := strings.HasPrefix(margin, "-")
	switch {
	case short:
		return e.Outcome != "success", e.Outcome != "success"
	case e.Outcome == "failure":
		return true, margin == "0"
	}
	return false, true
}

// verdict is the outcome of a group as people read it.
func verdict(e *interp.Event) string { return cmp.Or(e.Said, e.Outcome) }

func field(e *interp.Event, name string) (string, bool) {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}
