package transcript

import "setpiece/interp"

// Nobody decides blind: before somebody is asked, what has happened in the groups
// that are still open is written, and how they stand. When they close, only what is
// new since then follows, and the outcome. So no line stands twice, and the lines of
// a group read as if they had been written at once.

// progress is what was written of groups before they closed.
type progress map[*interp.Event]*written

// written is how much of a group was written.
type written struct {
	title               bool
	dice, parts, events int
	stands              string // the row that told how it stands
	outcome             bool   // which is the outcome: what is asked comes of it
	closed              bool   // all of it: it was only held back
}

// of gives what was written of a group; nothing is no progress.
func (p progress) of(e *interp.Event) written {
	if w := p[e]; w != nil {
		return *w
	}
	return written{}
}

// all says whether an event was written as a whole.
func (p progress) all(e *interp.Event) bool { return p.of(e).closed }

// Forget lets everything of the groups that are open be written again with the next
// question: what was written of them is no longer to be seen, or no longer true.
func (t *Text) Forget() { t.shown = nil }

// soFar writes what has led to a question and is not written yet.
func (t *Text) soFar(open []*interp.Event) {
	t.Release()
	if t.shown == nil {
		t.shown = progress{}
	}
	depth, who := 0, ""
	for _, e := range open {
		switch {
		case e.Open:
			t.headings = true
			t.part(e, depth, !t.opts.Brief || e.Who != who)
			depth, who = depth+1, e.Who
		case !t.shown.all(e):
			if t.opts.Brief {
				t.brief(e)
			} else {
				t.tell(e)
			}
			t.shown[e] = &written{closed: true}
		}
	}
}

// part writes what is new in an open group, with its heading or without.
func (t *Text) part(e *interp.Event, depth int, heading bool) {
	g := group{opts: t.opts, shown: t.shown}
	stands := group{opts: t.opts}
	stands.outcome(e, depth)
	row := layout(stands.lines, Palette{})
	if row != t.shown.of(e).stands {
		g.row = stands.lines
	}
	g.group(e, depth, heading)
	t.shown[e] = &written{title: true, dice: len(e.Dice), parts: len(e.Parts), events: len(e.Events), stands: row, outcome: row != "" && !e.SoFar}
	t.write(layout(g.lines, t.opts.Palette))
}
