package repl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang/late"
)

// :what-if, :keep and :drop in the words of the prompt. What they do is told in package evening.

// back is how a line says which entry it takes the place of, or which of its answers.
var back = late.Regexp(`^(\d+)(?:\.(\d+))?(?:\s+|$)`)

// change reads what stands behind :what-if.
func change(arg string) evening.Change {
	w := evening.Change{Back: 1, Line: arg}
	m := back().FindStringSubmatch(arg)
	if m == nil || len(m[0]) == len(arg) {
		return w
	}
	w.Back, _ = strconv.Atoi(m[1])
	if m[2] != "" {
		if w.Answer, _ = strconv.Atoi(m[2]); w.Answer == 0 {
			w.Answer = -1
		}
	}
	w.Line = arg[len(m[0]):]
	return w
}

const howWhatIf = "type what you would have typed instead: :what-if LINE, or :what-if 3 LINE for the third line from the end"

// whatIf tries an entry, or an answer that was given during one, in the place of another.
func (l *Loop) whatIf(arg string) {
	w := change(arg)
	switch {
	case arg == "" && len(l.evening.Steps()) > 0:
		l.complain("%s", howWhatIf)
	case player.IsCommand(w.Line):
		l.complain("only a line of the game can be another one, not %s", strings.Fields(w.Line)[0])
	default:
		l.refused(l.evening.WhatIf(l.entry, w), countSteps)
	}
}

// whatIfAnswer tries another answer in the place of one that was given during this
// evaluation.
func (l *Loop) whatIfAnswer(arg string) {
	w, n := change(arg), len(l.evening.Replies())
	_, answers := l.evening.Answering(arg)
	switch {
	case n == 0 && l.playing:
		l.complain("this is the first question: there is no answer to change")
	case n == 0:
		l.complain("there is no answer to change; Ctrl-C drops the command, and :what-if then changes an entry before it")
	case arg == "":
		l.complain("type what you would have answered instead: :what-if ANSWER, or :what-if 3 ANSWER for the third answer from the end")
	case answers, w.Line == arg: // 3 4 may be two dice
		l.refused(l.evening.WhatIf(l.entry, evening.Change{Line: arg}), countAnswers)
	case w.Back == 0:
		l.refused(&evening.Refused{Why: evening.TooFar, Have: n}, countAnswers)
	case w.Answer != 0:
		l.complain("count the answers alone here: :what-if %d %s", w.Answer, w.Line)
	default:
		l.refused(l.evening.WhatIf(l.entry, w), countAnswers)
	}
}

// refused says why nothing was done, and remembers that the evening has moved on from a question.
// count tells how many things there are of which one was asked for.
func (l *Loop) refused(err error, count func(int) string) {
	var r *evening.Refused
	switch {
	case errors.Is(err, evening.ErrMoved):
		l.moved = err
	case !errors.As(err, &r):
	case r.Why == evening.TooFar:
		is := "are"
		if r.Have == 1 {
			is = "is"
		}
		l.complain("there %s %s to change, so there is none with the number %d from the end", is, count(r.Have), r.Asked)
	case r.Why == evening.NoSuchAnswer:
		l.complain("%s", noAnswer(r))
	case r.Why == evening.SameLine:
		l.complain("%v: %s", r, title(*r.Step))
	case r.Why == evening.NoCourse:
		l.complain("no other course is open: :what-if LINE tries one")
	default:
		l.complain("%v", r)
	}
}

func noAnswer(r *evening.Refused) string {
	switch r.Have {
	case 0:
		return "nothing was asked in that entry: " + title(*r.Step)
	case 1:
		return "there was 1 answer in that entry: " + title(*r.Step)
	}
	return fmt.Sprintf("there were %d answers in that entry, so there is none with the number %d from the end: %s", r.Have, r.Asked, title(*r.Step))
}

// notTried tells why a course could not be tried.
func (l *Loop) notTried(n evening.NotTried) {
	l.transcript.Flush()
	err := n.Err
	var run *interp.RunError
	var gone *evening.Gone
	switch {
	case errors.Is(err, evening.ErrDropped):
		l.faint("dropped; the evening is as it was")
		return
	case errors.As(err, &run) && run.Kind == interp.Cancelled:
		l.complain("stopped; the evening is as it was")
		return
	case errors.As(err, &gone) && gone.Step != nil:
		err = fmt.Errorf("%s: %w", title(*gone.Step), err)
	}
	if n.Asked {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
	} else {
		l.tellError(err)
		l.flush()
	}
	l.faint("the evening is as it was")
}

// showCourses shows in what two courses differ.
func (l *Loop) showCourses(c *evening.Courses) {
	w := c.Record(title)
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.WhatIf(w)
		return
	}
	render.Difference{WhatIf: w, Was: l.lines(c.Was), Would: l.lines(c.Would)}.Show(l.cfg.Questions, l.cfg.Palette)
	l.faint("nothing has changed yet: :keep takes this course, :drop leaves the evening as it was")
}

// lines is what happened on one side, line by line.
func (l *Loop) lines(s evening.Side) []string {
	var b strings.Builder
	t := transcript.NewText(&b, transcript.Options{Trace: l.trace})
	for i, e := range s.Events {
		if i+1 == s.Parted {
			b.WriteString(parted)
		}
		t.Event(e)
	}
	if len(s.Events) < s.Parted {
		b.WriteString(parted)
	}
	if len(s.Open) > 0 {
		t.Event(&interp.Event{Kind: interp.EventThrow, Request: &interp.Request{Open: s.Open}})
	}
	t.Flush()
	if s.Asks != "" {
		fmt.Fprintf(&b, "now asks: %s\n", s.Asks)
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

// parted stands where a course needs dice that had not fallen.
const parted = "from here on, new dice are thrown\n"

func (l *Loop) keepCourse(string) { l.refused(l.evening.Keep(), nil) }

func (l *Loop) dropCourse(string) {
	err := l.evening.Drop()
	if err == nil {
		l.faint("dropped; the evening is as it was")
	}
	l.refused(err, nil)
}

// whileOpen says whether a command can be used while another course is open: it changes
// nothing, or ends that.
func whileOpen(name string) bool {
	return slices.Contains([]string{
		"help", "explain", "state", "decisions", "brief", "options", "trace", "log", "save", "time", "quit", "pause", "what-if", "keep", "drop",
	}, name)
}

const openCourse = "another course is open: :keep takes it, :drop leaves the evening as it was"
