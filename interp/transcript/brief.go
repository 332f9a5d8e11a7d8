package transcript

import (
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// This file tells a run in brief, a line for an exchange:
//
//	Ogre hits Ann, 12 vs 10 (+2): life 3
//
// The words behind the name are what the rules say of the group with brief; where they
// say nothing these are its label and its outcome. The numbers are those of the
// outcome. Behind the colon stands who stands otherwise now: whoever the line is about
// without a name, unless the same is new of both sides, everybody else with it. At the end of a round a line says how
// everybody stands, unless the last one has said the same.

// brief writes one event in brief.
func (t *Text) brief(e *interp.Event) {
	switch {
	case t.opts.Quiet && !spoken(e.Kind), t.shown.all(e):
	case e.Kind == interp.EventSpan:
		t.briefSpan(e)
	case e.Kind == interp.EventChange:
		if len(e.Moved) > 0 {
			t.line(Status(e.Moved, t.opts.Palette, indent))
		}
	case e.Kind == interp.EventNote:
		t.line(oneLine("note: " + e.Text))
	case e.Kind == interp.EventDecision, e.Kind == interp.EventDice:
	case isGroup(e):
		lines, _ := t.lines(e, true)
		if e.Who == "" && e.Verb == "" { // an outcome by itself: that of a fight, which was told
			t.write(strings.Repeat(" ", indent) + strings.Join(lines, "\n") + "\n")
			return
		}
		for _, l := range lines {
			t.line(l)
		}
	default:
		t.tell(e)
	}
}

// line writes one line, unless there is nothing to write.
func (t *Text) line(s string) {
	if s == "" {
		return
	}
	t.exchange = true
	t.write(strings.Repeat(" ", indent) + s + "\n")
}

// briefSpan writes the heading of a span that has one, and how everybody stands at the
// end of the innermost in which something has happened.
func (t *Text) briefSpan(e *interp.Event) {
	if !e.End {
		if e.Text == "" {
			return
		}
		t.titled = append(t.titled, e.Verb)
		if !counts(e.Text) {
			t.stands = ""
		}
		title := lang.Paint(t.opts.Palette.Title, oneLine(e.Verb+" "+e.Text)) + "\n"
		if t.wrote && !counts(e.Text) {
			title = "\n" + title
		}
		t.write(title)
		return
	}
	i := slices.Index(t.titled, e.Verb)
	if i < 0 {
		return
	}
	t.titled = t.titled[:i]
	if t.exchange && len(e.Standings) > 0 {
		t.exchange = false
		lead := strings.Repeat(" ", indent) + "= "
		if stands := lead + Status(e.Standings, t.opts.Palette, len(lead)) + "\n"; stands != t.stands {
			t.write(stands)
			t.stands = stands
		}
	}
}

// counts says that a title is a number: that of a round.
func counts(title string) bool {
	_, err := strconv.Atoi(title)
	return err == nil
}

// lines tells a group and what happened inside. A group for which the rules have words
// has a line, one at the top, too, unless one inside has, or the rules hush it. What a
// script prints, and what is doubtful or wrong, is told wherever it stands.
func (t *Text) lines(e *interp.Event, top bool) (lines []string, said bool) {
	for _, in := range e.Events {
		switch {
		case isGroup(in):
			more, has := t.lines(in, false)
			lines, said = append(lines, more...), said || has
		case in.Kind == interp.EventWarn:
			lines = append(lines, lang.Paint(t.opts.Palette.Warn, oneLine("warning: "+in.Text)))
		case in.Kind == interp.EventFault:
			lines = append(lines, lang.Paint(t.opts.Palette.Bad, oneLine("fault: "+in.Text)))
		case in.Kind == interp.EventPrint:
			lines = append(lines, oneLine(printed(in)))
		case in.Kind == interp.EventReport:
			lines = append(lines, oneLine(in.Text+" "+in.Value))
		}
	}
	if e.Brief != "" || top && !said && !e.Hushed {
		return append(lines, t.summed(e)), true
	}
	if len(e.Moved) > 0 {
		lines = append(lines, Status(e.Moved, t.opts.Palette, indent))
	}
	return lines, said
}

// summed is the line of one group.
func (t *Text) summed(e *interp.Event) string {
	about, line := e.Who, oneLine(strings.TrimSpace(e.Who+" "+e.Brief))
	switch {
	case e.Brief == "":
		line = oneLine(head(e))
	case e.Whom != "":
		about = e.Whom
	}
	if line == "" {
		line = "outcome"
	}
	if nums := t.numbers(e); nums != "" {
		line += ", " + nums
	}
	if e.Brief == "" && e.Outcome != "" {
		gap := ", "
		if line == "outcome" {
			gap = ": "
		}
		line += gap + t.colored(e, oneLine(verdict(e)))
	}
	if note, ok := field(e, "note"); ok {
		line += ", " + oneLine(note)
	}
	if about != e.Who && alike(e.Moved, about, e.Who) {
		about = "" // without a name it could be either of the two whom the line names
	}
	if moved := standingWords(e.Moved, about); moved != "" {
		line += ": " + moved
	}
	return line
}

// numbers are the total of a group, what it was measured against and by how much, or,
// of a group without an outcome, the faces of its dice.
func (t *Text) numbers(e *interp.Event) string {
	total, ok := field(e, "total")
	if !ok {
		if e.Outcome != "" || e.Brief != "" {
			return ""
		}
		var faces []string
		for _, d := range e.Dice {
			faces = append(faces, strconv.Itoa(d.Face))
		}
		return strings.Join(faces, " ")
	}
	s := total
	against, ok := field(e, "against")
	if versus, has := field(e, "versus"); has && (e.Brief == "" || !ok) {
		against, ok = versus, true
	}
	if !ok {
		return oneLine(s)
	}
	s += " vs " + against
	if margin, ok := field(e, "margin"); ok && margin == "0" && e.Outcome == "failure" {
		s += " (tie)" // nobody was better, and the other side has it
	} else if ok {
		s += " (" + signed(margin) + ")"
	}
	return t.colored(e, oneLine(s))
}

// colored paints what succeeded and what failed, as far as a margin says so.
func (t *Text) colored(e *interp.Event, s string) string {
	margin, ok := field(e, "margin")
	if !ok {
		return s
	}
	if bad, _ := judged(e, margin); bad {
		return lang.Paint(t.opts.Palette.Bad, s)
	}
	return lang.Paint(t.opts.Palette.Good, s)
}

// alike says whether the same is new of two.
func alike(list []interp.Standing, one, other string) bool {
	names := map[string]bool{}
	for _, s := range list {
		for _, f := range s.Facts {
			if s.Who == one {
				names[f.Name] = true
			}
		}
	}
	return slices.ContainsFunc(list, func(s interp.Standing) bool {
		return s.Who == other && slices.ContainsFunc(s.Facts, func(f interp.Fact) bool { return names[f.Name] })
	})
}

// standingWords says who stands otherwise, whoever the line is about without a name
// and before the others.
func standingWords(list []interp.Standing, about string) string {
	var words []string
	var others []interp.Standing
	for _, s := range list {
		if s.Who == about {
			words = append(words, how(s))
		} else {
			others = append(others, s)
		}
	}
	for _, s := range together(others) {
		words = append(words, strings.TrimSuffix(s.who, ": ")+" "+s.how)
	}
	return strings.Join(words, "; ")
}
