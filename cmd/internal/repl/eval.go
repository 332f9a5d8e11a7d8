package repl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// step is something that changed the session: an entry, a loaded file, a new seed.
type step struct {
	name, text    string        // what was evaluated, "" for a new seed
	seed          uint64        // of the generator, from this step on
	hand          *journal.Hand // somebody who was handed over, instead of a text
	fell          interp.Record
	answers       []string        // in words, if they are known
	said          []journal.Entry // of the person, in order
	replies       []reply         // to what
	again         *journal.Again  // of a course that was kept: what makes it happen again
	before, after *interp.Snapshot
	told          []uint64 // what happened, see fingerprint

	// A course that was kept is one step, and text the line in which it differs.
	kept            bool
	course, instead []step

	// An entry that stopped with answers given changed nothing; doing it again goes on behind
	// the answers in said. It is only ever among the undone.
	dropped bool
}

// title tells a step in a few words.
func (s step) title() string {
	switch {
	case s.kept:
		s.text = ":what-if " + s.text
	case s.hand != nil:
		return handTitle(*s.hand)
	case s.text == "":
		return ":seed"
	case s.name != "":
		return ":load " + s.name
	}
	first, _, more := strings.Cut(s.text, "\n")
	if more {
		first += " …"
	}
	return runewidth.Truncate(first, 60, "…")
}

// seed is the seed in force.
func (l *Loop) seed() uint64 {
	if len(l.steps) > 0 {
		return l.steps[len(l.steps)-1].seed
	}
	return l.cfg.Session.Seed
}

// eval evaluates a text and tells what happened. It is a step if it changed
// anything; if it failed, the session is as before.
func (l *Loop) eval(name, text string) {
	l.noteInput(name, text)
	l.evalNoted(name, text)
}

func (l *Loop) noteInput(name, text string) { l.note(journal.Entry{Input: text, Name: name}) }

func (l *Loop) noteDone(fell interp.Record) {
	l.note(journal.Entry{Done: &journal.Fell{Record: fell}})
}

func (l *Loop) evalNoted(name, text string) {
	before, happened := l.sess.Snapshot(), len(l.story)
	src := lang.NewSource(name, text)
	err := l.exec(src)
	if l.paused {
		l.sess.Restore(before)
		return // the journal has it, with its answers
	}
	if !stays(err) {
		l.sess.Restore(before)
		l.desk.sameDice()
		back := l.drop(step{name: name, text: text, seed: l.seed(), before: before, after: before})
		if len(l.story) > happened {
			l.mark("stopped, and changed nothing: " + step{name: name, text: text}.title())
		}
		if word, ok := asksHelp(err, text); ok {
			l.command(":help " + word)
			return
		}
		l.fail(err, text, back)
		return
	}
	l.sess.Compact()
	fell := l.sess.Record()
	if err == nil && !l.changed && len(fell.Besides()) == 0 && l.onlyLooks(src) {
		l.note(journal.Entry{Nothing: true})
		l.looked(step{text: text, seed: l.seed(), fell: fell, before: before, after: l.sess.Snapshot()})
		return
	}
	l.looks = nil
	l.push(step{
		name: name, text: text, seed: l.seed(), fell: fell, answers: l.answers, said: l.desk.said, replies: l.desk.replies, told: l.told,
		before: before, after: l.sess.Snapshot(),
	})
	l.noteDone(fell)
	if l.used {
		l.checkSet()
	}
}

// checkSet tells of options chosen on the command line that the rules in use do
// not have.
func (l *Loop) checkSet() {
	var names []string
	for _, o := range l.sess.Options() {
		names = append(names, o.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(l.cfg.Session.Options)) {
		if slices.Contains(names, name) {
			continue
		}
		help := ""
		if near, ok := lang.Nearest(name, names); ok {
			help = "   did you mean " + near + "?"
		}
		l.complain("--set: there is no option %s%s", name, help)
	}
}

func (l *Loop) push(s step) {
	l.steps = append(l.steps, s)
	l.undone = nil
}

// exec runs a text, and again when answers are taken back.
func (l *Loop) exec(src *lang.Source) error {
	l.changed, l.valued, l.used, l.busy, l.answers = false, false, false, true, nil
	l.desk.first, l.desk.switched = l.desk.ask, false
	l.desk.back, l.desk.undone, l.desk.forth, l.desk.trying, l.desk.keeping, l.desk.left = 0, nil, 0, nil, nil, false
	err := l.answering(src)
	l.busy, l.silent = false, audible
	l.desk.unused = l.desk.before[l.desk.kept:]
	l.desk.before, l.desk.open, l.desk.retry = nil, nil, nil
	l.trial, l.tried = nil, 0
	return errors.Join(err, l.transcript.Flush())
}

// run runs a text with an interrupt cancelling it.
func (l *Loop) run(src *lang.Source) error {
	ctx, stop := l.interrupt()
	defer stop()
	l.answers = nil
	err := l.sess.Exec(ctx, src)
	if ctx.Err() != nil {
		l.printf("\n") // behind the ^C that the terminal shows
	}
	return err
}

// stays says whether what ran stays. An expectation that did not hold is a
// finding about the state, which one then wants to look at.
func stays(err error) bool {
	return err == nil || render.IsUnmet(err)
}

// onlyLooks says that a text asks for values and does nothing else. A lone word
// may be a verb or a variable; it was one to look at if its value was shown.
func (l *Loop) onlyLooks(src *lang.Source) bool {
	file, _ := lang.Parse(src)
	for _, s := range file.Stmts {
		if throws(s) {
			return false // of dice that the script gave there is no record
		}
		switch s := s.(type) {
		case *lang.ExprStmt, *lang.Report, *lang.Say:
		case *lang.Command:
			if s.Who != nil || len(s.Args) > 0 || s.Block != nil || !l.valued {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// throws says whether dice are thrown in a statement itself.
func throws(s lang.Stmt) bool {
	found := false
	lang.Walk(s, func(n lang.Node) bool {
		_, throw := n.(*lang.Throw)
		found = found || throw
		return !found
	})
	return found
}

// drop ends an entry that stopped. One in which the person answered waits for :redo: left at a
// question it comes back to that, otherwise to the last one that was answered. back says so,
// "" where there is nothing to come back to.
func (l *Loop) drop(s step) (back string) {
	d := l.desk
	s.dropped, s.said = true, slices.Concat(d.said, d.unused)
	if len(s.said) == 0 {
		l.note(journal.Entry{Nothing: true})
		return ""
	}
	back, n := ":redo comes back to this question", 0
	if !d.left && len(d.unused) == 0 {
		back = ":redo comes back to your last answer"
		n = withLast(s.said)
	}
	s.said = journal.Without(s.said, n)
	l.note(journal.Entry{Dropped: true, Back: n})
	l.undone = append(l.undone, s)
	return back
}

// withLast is how many things that the person said end with their last answer: who was handed
// over behind it comes on top.
func withLast(said []journal.Entry) int {
	n := 1
	for n < len(said) && said[len(said)-n].Turns() {
		n++
	}
	return n
}

func (l *Loop) fail(err error, text, back string) {
	var run *interp.RunError
	if errors.As(err, &run) && run.Kind == interp.Cancelled {
		l.complain("%s", strings.TrimSpace("stopped; this entry changed nothing   "+back))
		return
	}
	l.tellError(err)
	if back != "" {
		l.faint("this entry changed nothing   " + back)
		return
	}
	var ds lang.Diagnostics
	if errors.As(err, &ds) {
		l.suggestColon(text)
		return
	}
	if strings.Contains(strings.TrimSpace(text), "\n") || strings.Contains(text, ";") {
		l.faint("this entry changed nothing")
	}
}

func (l *Loop) tellError(err error) {
	l.failed = true
	if j, ok := l.transcript.(*transcript.JSON); ok {
		j.Error(err)
		return
	}
	render.Error(l.cfg.Out, l.cfg.Palette, err)
}

// undo takes back the last n steps, or as many as there are.
func (l *Loop) undo(n int) {
	n = min(n, len(l.steps))
	if n == 0 {
		l.complain("there is nothing to undo")
		return
	}
	l.note(journal.Entry{Undo: n})
	l.looks = nil
	for range n {
		last := l.takeOff()
		title, took := last.title(), last.after.Bytes()-last.before.Bytes()
		if took < redoBytes {
			l.undone = append(l.undone, last)
		} else {
			title += fmt.Sprintf("   its %d MiB are given back, so :redo cannot bring it back", took>>20)
			l.undone = nil
		}
		before := last.stoodBefore()
		last = step{} // nobody keeps the state after it, unless it can be redone
		l.sess.Restore(before)
		l.faint("undone: " + title)
		l.mark("undone: " + title)
	}
}

// takeOff takes the last step off, and puts those back that it took the place of. The
// session is to be restored to what stood before it.
func (l *Loop) takeOff() step {
	last := l.steps[len(l.steps)-1]
	l.steps[len(l.steps)-1] = step{}
	l.steps = append(l.steps[:len(l.steps)-1], last.instead...)
	return last
}

// stoodBefore is the state that undoing a step goes back to.
func (s step) stoodBefore() *interp.Snapshot {
	if n := len(s.instead); n > 0 {
		return s.instead[n-1].after
	}
	return s.before
}

// redoBytes is how much memory the values of an entry may take that can be redone. What
// is kept for :redo cannot be given back when other entries have been made meanwhile.
const redoBytes = 16 << 20

// redo does the next n undone steps again, with the dice and answers they had. An entry that was
// dropped is the last of them: it goes on.
func (l *Loop) redo(n int) {
	n = min(n, len(l.undone))
	if n == 0 {
		l.complain("there is nothing to redo")
		return
	}
	for k := 1; k < n; k++ {
		if l.undone[len(l.undone)-k].dropped {
			n = k
		}
	}
	l.note(journal.Entry{Redo: n})
	l.looks = nil
	for range n {
		next := l.undone[len(l.undone)-1]
		l.undone = l.undone[:len(l.undone)-1]
		if next.dropped {
			l.comeBack(next)
			return
		}
		l.steps = append(l.steps[:len(l.steps)-len(next.instead)], next)
		l.sess.Restore(next.after)
		l.faint("redone: " + next.title())
		l.mark("redone: " + next.title())
	}
}

// comeBack evaluates an entry that was dropped, behind the answers that it had.
func (l *Loop) comeBack(s step) {
	after := ""
	if n := journal.Answers(journal.Flat(s.said)); n > 0 {
		l.silent = untilNew
		after = ", after " + countAnswers(n)
	}
	l.faint("goes on: " + s.title() + after)
	l.desk.before = s.said
	l.recall(l.included, false)
	l.evalNoted(s.name, s.text)
	l.forget()
}

// reseed gives the generator a new seed, as a step.
func (l *Loop) reseed(n uint64) {
	l.note(journal.Entry{Seed: &n})
	before := l.sess.Snapshot()
	l.sess.Seed(n)
	l.push(step{seed: n, before: before, after: l.sess.Snapshot()})
}
