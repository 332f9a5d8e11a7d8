package transcript

import (
	"fmt"
	"io"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// Options say how much Text tells.
type Options struct {
	Palette Palette
	// Trace tells everything: the rule of each part, dice of each throw by
	// purpose, decisions that went by default, the ends of scenes.
	Trace bool
	// Brief tells an exchange in a line and, at the end of a round, how everybody
	// stands. It needs interp.Config.Standings.
	Brief bool
	// Quiet tells only what a script says itself: print, report, warnings, faults.
	Quiet bool
	// Prompt is set where a person has just typed what is now told. A single
	// check then needs no heading; modules taken into use introduce themselves.
	Prompt bool
	// Seen is set where a person's answers stand on the same screen already.
	Seen bool
}

// Text writes events as text.
type Text struct {
	w    io.Writer
	opts Options
	err  error

	wrote    bool            // something stands above
	headings bool            // each check has a heading
	held     []*interp.Event // what came with the first check, until that is known
	changes  []*interp.Event // made by the beginning or the end of a span, not written yet
	shown    progress        // what was written of groups before they closed
	exchange bool            // an exchange was told in brief since it was last told how everybody stands
	titled   []string        // the spans with a heading that are open
	stands   string          // how everybody stands, as it was told last in this scene
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, o Options) *Text {
	return &Text{w: w, opts: o, headings: !o.Prompt}
}

// SetTrace changes how much is told from the next event on.
func (t *Text) SetTrace(on bool) { t.opts.Trace = on }

// SetBrief says whether an exchange is told in a line from the next event on.
func (t *Text) SetBrief(on bool) { t.opts.Brief = on }

// Event writes one event. Events inside a group are written with the group.
func (t *Text) Event(e *interp.Event) {
	if e.Kind == interp.EventChange && e.Depth == 0 && e.Reset != "" && !t.opts.Trace {
		t.boundary(e)
		return
	}
	t.tellBoundary()
	switch e.Kind {
	case interp.EventQuestion:
		t.soFar(e.Question.Open)
		return
	case interp.EventThrow:
		t.soFar(e.Request.Open)
		return
	case interp.EventTurn:
		t.soFar(e.Turn.Open)
		return
	}
	switch {
	case e.Depth > 0:
		return
	case t.opts.Brief:
		t.tellHeld()
		t.brief(e)
		return
	case t.headings || t.held == nil && !isGroup(e):
		t.tell(e)
		return
	case t.held != nil && (isGroup(e) || e.Kind == interp.EventSpan):
		t.Release()
		t.tell(e)
		return
	}
	t.held = append(t.held, e)
}

// boundary takes a change that the beginning or the end of a span has made. All of
// them are one line.
func (t *Text) boundary(e *interp.Event) {
	if n := len(t.changes); n > 0 && (t.changes[0].Reset != e.Reset || t.changes[0].End != e.End) {
		t.tellBoundary()
	}
	t.changes = append(t.changes, e)
}

func (t *Text) tellBoundary() {
	list := t.changes
	t.changes = nil
	words := boundaryWords
	if t.opts.Brief {
		words = lossWords
	}
	if s := words(list); s != "" && !t.opts.Quiet {
		t.tellHeld()
		t.write(strings.Repeat(" ", indent) + s + "\n")
	}
}

// Release writes what is held back to see whether a heading is needed, with
// its heading. It has to be called before a person is asked something.
func (t *Text) Release() {
	if len(t.held) > 0 {
		t.headings = true
	}
	t.tellHeld()
}

func (t *Text) tellHeld() {
	for _, e := range t.held {
		t.tell(e)
	}
	t.held = nil
}

// Flush ends the entry. After it the next one at a prompt begins.
func (t *Text) Flush() error {
	t.tellBoundary()
	t.tellHeld()
	if t.opts.Prompt {
		t.headings, t.wrote = false, false
	}
	t.shown = nil
	return t.err
}

func (t *Text) write(s string) {
	if s == "" {
		return
	}
	t.wrote = true
	if _, err := io.WriteString(t.w, s); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *Text) tell(e *interp.Event) {
	if t.opts.Quiet && !spoken(e.Kind) {
		return
	}
	switch e.Kind {
	case interp.EventPrint:
		t.write(Visible(printed(e)) + "\n")
	case interp.EventValue:
		text := Visible(e.Value)
		if e.Text != "" {
			text += lang.Paint(t.opts.Palette.Faint, "   "+oneLine(e.Text))
		}
		t.write(text + "\n")
	case interp.EventSpan:
		t.write(t.span(e))
	case interp.EventModule:
		t.write(t.module(e))
	default:
		if t.shown.all(e) {
			return
		}
		g := group{opts: t.opts, shown: t.shown}
		g.add(e, 0, t.headings)
		t.write(layout(g.lines, t.opts.Palette))
	}
}

// spoken tells what the script itself wants to be heard, even when quiet.
func spoken(k interp.EventKind) bool {
	switch k {
	case interp.EventPrint, interp.EventReport, interp.EventValue, interp.EventWarn, interp.EventFault:
		return true
	}
	return false
}

// printed is what print printed.
func printed(e *interp.Event) string {
	if e.Text == "" {
		return e.Value
	}
	return e.Text
}

func (t *Text) span(e *interp.Event) string {
	if e.End && !t.opts.Trace || e.Text == "" && !t.opts.Trace {
		return ""
	}
	title := e.Verb
	if e.End {
		title = "end of " + title
	}
	if e.Text != "" {
		title += "  " + e.Text
	}
	s := lang.Paint(t.opts.Palette.Title, oneLine(title)) + "\n"
	if t.wrote && !e.End {
		s = "\n" + s
	}
	return s
}

func (t *Text) module(e *interp.Event) string {
	if !t.opts.Prompt && !t.opts.Trace {
		return ""
	}
	parts := []string{
		e.Text,
		Count(e.Rules, "rule"), Count(e.Verbs, "verb"), Count(e.OptionsN, "option"),
	}
	if e.Text == "" {
		parts = parts[1:]
	}
	return lang.Paint(t.opts.Palette.Title, e.Name) + "  " + oneLine(strings.Join(parts, " · ")) + "\n"
}

// Count says how many there are of something: "1 rule", "3 rules".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
