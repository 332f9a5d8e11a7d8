package repl

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/interp"
	"setpiece/lang"
)

// savedMark begins a saved session; only such a file is written over.
const savedMark = "# A session of setpiece. Running it gives the saved state.\n"

// save writes the session as a script: before each entry, as statements, the
// faces that fell and the answers that were given. It then runs what it wrote
// to see that the state is the same.
func (l *Loop) save(path string) {
	if err := files.Free(nil, path); err != nil {
		l.complain("%v", files.Error(err))
		return
	}
	if path != l.saved && !l.mayReplace(path) {
		return
	}
	write := func(script string) bool {
		err := files.Write(path, nil, func(o *files.Output) error {
			_, err := o.WriteString(script)
			return err
		})
		if err != nil {
			l.complain("%v", files.Error(err))
		}
		return err == nil
	}
	script := l.script(false)
	if !write(script) {
		return
	}
	l.saved = path
	diff := l.differs(path, script)
	if diff != "" && diff != stoppedCheck {
		// perhaps an entry gives dice or answers of its own, and others came between them
		if ordered := l.script(true); ordered != script && l.differs(path, ordered) == "" {
			if !write(ordered) {
				return
			}
			diff = ""
		}
	}
	l.faint(fmt.Sprintf("saved: %s, %s", path, countSteps(len(l.flat()))))
	switch diff {
	case "":
	case stoppedCheck:
		l.complain("stopped: whether running it gives this state was not checked to the end")
	default:
		l.complain("warning: running it does not give this state: %s", diff)
	}
}

func countSteps(n int) string { return countOf(n, "entry", "entries") }

// mayReplace says whether a file may be written: there is none of that name, or
// the person says so.
func (l *Loop) mayReplace(path string) bool {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return true
	}
	line, err := l.cfg.Lines.ReadLine(path + " is there already. Replace it? [y/N] ")
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		if err == nil {
			return true
		}
	}
	l.complain("%s is left as it was", path)
	return false
}

// answers writes the answers of a step: yes and no in words, choices by their
// number with what was chosen behind it.
func answers(b *strings.Builder, s step) {
	if len(s.answers) != len(s.fell.Answers) {
		numbers(b, "answers", s.fell.Answers, 1)
		return
	}
	if len(s.answers) == 0 {
		return
	}
	var words, chosen []string
	for i, a := range s.answers {
		_, what, _ := strings.Cut(a, " ")
		if what == "yes" || what == "no" {
			words = append(words, what)
		} else {
			words = append(words, strconv.Itoa(s.fell.Answers[i]+1))
		}
		chosen = append(chosen, a)
	}
	fmt.Fprintf(b, "# %s\nanswers %s\n", strings.ReplaceAll(strings.Join(chosen, ", "), "\n", " "), strings.Join(words, " "))
}

// answered notes what a decision was given, if the record of the session has it.
func (l *Loop) answered(e *interp.Event) {
	switch e.By {
	case "clause", "tactics", "script":
	default:
		l.answers = append(l.answers, e.Decision+" "+e.Answer)
	}
}

// quoted writes a text as it stands between quotes.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `{`, `\{`, "\n", `\n`)

// mixes says whether a step gives dice or answers of its own, and had others besides.
func mixes(s step) bool {
	return s.again == nil && (s.fell.Own > 0 && len(s.fell.Faces) > 0 || s.fell.OwnDecided > 0 && len(s.fell.Answers) > 0)
}

// inOrder gives the dice and answers of a step in the order in which they fell and were given,
// and its text without the statements in it that give some: what these give comes first
// wherever they stand, so that what came between cannot be given otherwise.
func inOrder(s step) (faces, answers []int, text string) {
	dice, _ := s.before.GivenDice() // by statements before this step
	left, _ := s.after.GivenDice()
	return behind(dice, s.fell.Thrown, s.fell.Own, left),
		behind(s.before.GivenAnswers(), s.fell.Decided, s.fell.OwnDecided, s.after.GivenAnswers()),
		withoutGiven(s.text)
}

// behind gives what has to be given besides what waited before a step: the rest of all that came
// in it, of which so much was the script's own, and what it has left over.
func behind(waiting, all []int, own int, left []int) []int {
	spent := min(len(waiting), own)
	return slices.Concat(all[spent:], left[min(len(left), len(waiting)-spent):])
}

// withoutGiven makes comments of the statements in a text that give dice and answers, but for
// those of tests.
func withoutGiven(text string) string {
	file, _ := lang.Parse(lang.NewSource("", text))
	var found []lang.Span
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Test:
			return false
		case *lang.Command:
			if head, ok := n.Head.(*lang.Word); ok && (head.Name == "dice" || head.Name == "answers") {
				found = append(found, n.Range())
			}
		}
		return true
	})
	for _, at := range slices.Backward(found) {
		end := text[at.End:]
		if line, _, _ := strings.Cut(end, "\n"); strings.TrimSpace(line) == "" && !strings.Contains(text[at.Start:at.End], "\n") {
			text = text[:at.Start] + "# " + text[at.Start:]
		} else {
			text = text[:at.Start] + "let _ = none" + end
		}
	}
	return text
}

// script writes the session as a script; ordered: with all dice and answers of an entry before it
// where some of them are given in it and others are not.
func (l *Loop) script(ordered bool) string {
	var b strings.Builder
	b.WriteString(savedMark)
	set := l.cfg.Session.Options
	steps := l.flat()
	for i, s := range steps {
		if s.text == "" {
			continue // a seed: the faces that fell say more
		}
		b.WriteString("\n")
		if s.name != "" {
			fmt.Fprintf(&b, "# from %s\n", s.name)
		}
		if s.again != nil && s.again.First {
			waiting, _ := s.before.GivenDice()
			spend(&b, waiting)
		}
		text := s.text
		if ordered && mixes(s) {
			var faces, given []int
			faces, given, text = inOrder(s)
			numbers(&b, "dice", faces, 0)
			numbers(&b, "answers", given, 1)
		} else {
			numbers(&b, "dice", s.fell.Faces, 0)
			answers(&b, s)
		}
		for _, c := range s.fell.Commands {
			fmt.Fprintf(&b, "commands \"%s\"\n", quoted.Replace(c))
		}
		text = strings.TrimRight(text, "\n")
		if i+1 < len(steps) && usesLast(steps[i+1].text) {
			if kept, ok := asVariable(text); ok {
				text = kept
			}
		}
		b.WriteString(text + "\n")
		if len(set) > 0 && uses(s.text) {
			for _, name := range slices.Sorted(maps.Keys(set)) {
				fmt.Fprintf(&b, "option %s = %s\n", name, set[name])
			}
			set = nil
		}
	}
	if slices.ContainsFunc(steps, func(s step) bool { return s.again != nil }) {
		_, left := l.sess.GivenDice()
		numbers(&b, "\ndice", left, 0)
	}
	return b.String()
}

// spend throws dice that a dice statement has given: in a course that was kept they fall
// where they fell before, which is written behind it.
func spend(b *strings.Builder, waiting []int) {
	for _, face := range waiting {
		fmt.Fprintf(b, "let _ = throw d%d\n", max(face, 2))
	}
}

// numbers writes a statement of numbers, each raised by add, in lines that one
// can read: a newline after a comma does not end a statement.
func numbers(b *strings.Builder, verb string, ns []int, add int) {
	const perLine = 20
	for i, n := range ns {
		switch {
		case i == 0:
			b.WriteString(verb)
		case i%perLine == 0:
			b.WriteString(",\n    ")
		default:
			b.WriteString(",")
		}
		fmt.Fprintf(b, " %d", n+add)
	}
	if len(ns) > 0 {
		b.WriteString("\n")
	}
}

// uses says that a text takes a module into use.
func uses(text string) bool {
	file, _ := lang.Parse(lang.NewSource("", text))
	return slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool {
		_, ok := s.(*lang.Use)
		return ok
	})
}

// stoppedCheck says that nobody knows in what a saved script differs.
const stoppedCheck = "stopped"

// differs runs a saved script in a session of its own and tells how the state
// it ends in differs from the present one, "" if it does not.
func (l *Loop) differs(path, script string) string {
	cfg := interp.Config{Modules: l.cfg.Session.Modules, Folder: l.cfg.Session.Folder, Limits: l.cfg.Session.Limits}
	again := interp.NewSession(cfg)
	ctx, stop := l.interrupt()
	defer stop()
	if err := again.Exec(ctx, lang.NewSource(path, script)); ctx.Err() != nil {
		l.printf("\n") // behind the ^C that the terminal shows
		return stoppedCheck
	} else if err != nil && !stays(err) {
		return err.Error()
	}
	if left := again.LeftDice(); len(left) > len(l.sess.LeftDice()) {
		return fmt.Sprintf("dice are left over: %v", left)
	}
	want, err := l.sess.State("")
	if err != nil {
		return err.Error()
	}
	got, err := again.State("")
	if err != nil {
		return err.Error()
	}
	return firstDifference(want, got)
}

func firstDifference(want, got []interp.StateLine) string {
	for i, w := range want {
		if i == len(got) || got[i] != w {
			return fmt.Sprintf("%s.%s is %s here", w.Who, w.Field, w.Value)
		}
	}
	if len(got) > len(want) {
		g := got[len(want)]
		return fmt.Sprintf("%s.%s is %s there", g.Who, g.Field, g.Value)
	}
	return ""
}
