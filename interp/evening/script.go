package evening

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// ScriptMark begins a script that an evening was written as.
const ScriptMark = "# A session of setpiece. Running it gives the saved state.\n"

// given is what statements before an entry give it.
type given struct {
	dice, answers, picks []int // an answer below 0: nobody decided
	commands             []string
}

// givenBy parts a record by the statements that give it. Decisions that no person is asked take
// none of them.
func givenBy(r interp.Record) (g given) {
	for _, a := range r {
		switch {
		case a.Command != nil:
			g.commands = append(g.commands, *a.Command)
		case a.Faces != nil:
			g.dice = append(g.dice, a.Faces...)
		case a.Picked():
			g.picks = append(g.picks, *a.Option)
		case a.By == interp.ByNobody:
		case a.Option == nil || a.By == interp.ByDefault || a.By == interp.ByHanded:
			g.answers = append(g.answers, -1)
		default:
			g.answers = append(g.answers, *a.Option)
		}
	}
	return g
}

// write writes the statements. Chosen are the answers in words, if they are known: yes and no
// stand as such, a choice as its number with what was chosen in a comment.
func (g given) write(b *strings.Builder, chosen []string) {
	numbers(b, "dice", g.dice, 0)
	for len(g.answers) > 0 && g.answers[len(g.answers)-1] < 0 {
		g.answers = g.answers[:len(g.answers)-1] // nobody decides as it is
	}
	said := slices.DeleteFunc(slices.Clone(g.answers), func(n int) bool { return n < 0 })
	known := len(said) == len(chosen)
	if known && len(chosen) > 0 {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(strings.Join(chosen, ", "), "\n", " "))
	}
	words := make([]string, len(g.answers))
	for i, n := range g.answers {
		words[i] = "none"
		if n < 0 {
			continue
		}
		words[i] = strconv.Itoa(n + 1)
		if known {
			if _, what, _ := strings.Cut(chosen[0], " "); what == "yes" || what == "no" {
				words[i] = what
			}
			chosen = chosen[1:]
		}
	}
	listed(b, "answers", words)
	numbers(b, "picks", g.picks, 1)
	for _, c := range g.commands {
		fmt.Fprintf(b, "commands \"%s\"\n", quoted.Replace(c))
	}
}

// answered notes what a person answered to a decision, in words.
func (v *Evening) answered(e *interp.Event) {
	if e.By == string(interp.ByPerson) || e.By == string(interp.ByLog) {
		v.answers = append(v.answers, e.Decision+" "+e.Answer)
	}
}

// quoted writes a text as it stands between quotes.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `{`, `\{`, "\n", `\n`)

// mixes says whether a step gives something of its own, and had more of the same besides.
func mixes(s step) bool {
	own := givenBy(slices.DeleteFunc(slices.Clone(s.fell), func(a interp.Answer) bool { return !a.Own }))
	more := givenBy(s.fell.Besides())
	both := func(a, b []int) bool { return len(a) > 0 && len(b) > 0 }
	return s.again == nil && (both(own.dice, more.dice) || both(own.answers, more.answers) || both(own.picks, more.picks) ||
		len(own.commands) > 0 && len(more.commands) > 0)
}

// inOrder gives what was answered in a step in its order, and the text of the step without the
// statements in it that give some of it: what these give comes first wherever they stand, so that
// what came between cannot be given otherwise.
func inOrder(s step) (given, string) {
	waiting, all, left := givenBy(s.before.Waiting()), givenBy(s.fell), givenBy(s.after.Waiting())
	own := givenBy(slices.DeleteFunc(slices.Clone(s.fell), func(a interp.Answer) bool { return !a.Own }))
	return given{
		dice:     behind(waiting.dice, all.dice, len(own.dice), left.dice),
		answers:  behind(waiting.answers, all.answers, len(own.answers), left.answers),
		picks:    behind(waiting.picks, all.picks, len(own.picks), left.picks),
		commands: behind(waiting.commands, all.commands, len(own.commands), left.commands),
	}, withoutGiven(s.Text)
}

// behind gives what has to be given besides what waited before a step: the rest of all that came
// in it, of which so much was the script's own, and what it has left over.
func behind[T any](waiting, all []T, own int, left []T) []T {
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
			if head, ok := n.Head.(*lang.Word); ok && slices.Contains([]string{"dice", "answers", "picks", "commands"}, head.Name) {
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

// Script writes the evening as a script: before each entry, as statements, the faces that fell and
// the answers that were given. Ordered is for an evening that Differs from it: with all dice and
// answers of an entry before it where some of them are given in it and others are not.
func (v *Evening) Script(ordered bool) string {
	var b strings.Builder
	b.WriteString(ScriptMark)
	for _, s := range v.sess.InUse() {
		if s.Place != interp.BuiltIn {
			fmt.Fprintf(&b, "# It was played with %s.\n", System{s.Name, s.Version, s.Hash})
		}
	}
	set := v.cfg.Session.Options
	steps := v.flat()
	for i, s := range steps {
		if s.Text == "" {
			continue // a seed: the faces that fell say more
		}
		b.WriteString("\n")
		if s.Name != "" {
			fmt.Fprintf(&b, "# from %s\n", s.Name)
		}
		if s.again != nil && s.again.First {
			waiting, _ := s.before.GivenDice()
			spend(&b, waiting)
		}
		text := s.Text
		if ordered && mixes(s) {
			var all given
			all, text = inOrder(s)
			all.write(&b, nil)
		} else {
			givenBy(s.fell.Besides()).write(&b, s.answers)
		}
		text = strings.TrimRight(text, "\n")
		if i+1 < len(steps) && UsesLast(steps[i+1].Text) {
			if kept, ok := asVariable(text); ok {
				text = kept
			}
		}
		b.WriteString(text + "\n")
		if len(set) > 0 && uses(s.Text) {
			for _, name := range slices.Sorted(maps.Keys(set)) {
				fmt.Fprintf(&b, "option %s = %s\n", name, set[name])
			}
			set = nil
		}
	}
	if slices.ContainsFunc(steps, func(s step) bool { return s.again != nil }) {
		_, left := v.sess.GivenDice()
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
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = strconv.Itoa(n + add)
	}
	listed(b, verb, words)
}

func listed(b *strings.Builder, verb string, words []string) {
	const perLine = 20
	for i, w := range words {
		switch {
		case i == 0:
			b.WriteString(verb)
		case i%perLine == 0:
			b.WriteString(",\n    ")
		default:
			b.WriteString(",")
		}
		b.WriteString(" " + w)
	}
	if len(words) > 0 {
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

// Difference is in what a script differs from the evening that it was written from.
type Difference struct {
	Text string // in words
	Step *Step  // "something else happens in" it
}

// Differs runs a script of the evening in a session of its own and tells how the state
// it ends in differs from the present one, nil if it does not. Name is that of its file.
func (v *Evening) Differs(ctx context.Context, name, script string) (*Difference, error) {
	cfg := v.cfg.Session
	cfg = interp.Config{Modules: cfg.Modules, Folder: cfg.Folder, Systems: cfg.Systems, Versions: cfg.Versions, Program: cfg.Program, Limits: cfg.Limits}
	var told []uint64
	cfg.Events = func(e *interp.Event) {
		if e.Depth == 0 {
			told = append(told, fingerprint(e)...)
		}
	}
	again := interp.NewSession(cfg)
	if err := again.Exec(ctx, lang.NewSource(name, script)); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil && !Stays(err) {
		return &Difference{Text: err.Error()}, nil
	}
	if left := again.LeftDice(); len(left) > len(v.sess.LeftDice()) {
		return &Difference{Text: fmt.Sprintf("dice are left over: %v", left)}, nil
	}
	want, err := assist.State(v.sess, "")
	if err != nil {
		return &Difference{Text: err.Error()}, nil
	}
	got, err := assist.State(again, "")
	if err != nil {
		return &Difference{Text: err.Error()}, nil
	}
	if diff := firstDifference(want, got); diff != "" {
		return &Difference{Text: diff}, nil
	}
	for _, s := range v.flat() {
		if n := len(s.told); n > len(told) || !slices.Equal(told[:n], s.told) {
			return &Difference{Step: &s.Step}, nil
		}
		told = told[len(s.told):]
	}
	return nil, nil
}

// fingerprint is short for what an event tells, and what is inside it, whoever answered. What the
// prompt shows alone, and loose dice, tell nothing.
func fingerprint(e *interp.Event) (out []uint64) {
	switch e.Kind {
	case interp.EventValue, interp.EventDice, interp.EventModule, interp.EventQuestion, interp.EventThrow, interp.EventTurn:
		return nil
	}
	for _, in := range e.Events {
		out = append(out, fingerprint(in)...)
	}
	h := fnv.New64a()
	fmt.Fprint(h, e.Kind, e.Who, e.Verb, e.Text, e.Value, e.Outcome, e.Field, e.From, e.To, e.Decision, e.Answer, e.Brief, e.Parts)
	for _, d := range e.Dice {
		fmt.Fprint(h, d.Size, d.Face, d.Kept, d.For)
	}
	return append(out, h.Sum64())
}

func firstDifference(want, got []assist.StateLine) string {
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
