package evening

import (
	"cmp"
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
	dice, picks []int
	answers     []answer
	commands    []interp.Answer
}

// answer is an option, below 0 where nobody decided, to the decision over that tactics did not make.
type answer struct {
	option int
	over   string
	after  int // how often tactics made it before
}

// givenBy parts a record by the statements that give it. Decisions that no person is asked take
// none of them.
func givenBy(r interp.Record) (g given) {
	for _, a := range r {
		switch {
		case a.Command != nil:
			g.commands = append(g.commands, a)
		case a.Faces != nil:
			g.dice = append(g.dice, a.Faces...)
		case a.Picked():
			g.picks = append(g.picks, *a.Option)
		case a.By == interp.ByNobody:
		case a.Option == nil || a.By == interp.ByDefault || a.By == interp.ByHanded:
			g.answers = append(g.answers, answer{-1, a.Over, a.After})
		default:
			g.answers = append(g.answers, answer{*a.Option, a.Over, a.After})
		}
	}
	return g
}

// write writes the statements, each with how behind its verb: " once" or "". Chosen are the answers
// in words, if they are known: yes and no stand as such, a choice as its number with what was chosen
// in a comment.
func (g given) write(b *strings.Builder, how string, chosen []string) {
	numbers(b, "dice"+how, g.dice, 0)
	for len(g.answers) > 0 && g.answers[len(g.answers)-1].option < 0 && (how == "" || g.answers[len(g.answers)-1].over == "") {
		g.answers = g.answers[:len(g.answers)-1] // nobody decides as it is
	}
	said := slices.DeleteFunc(slices.Clone(g.answers), func(a answer) bool { return a.option < 0 })
	known := len(said) == len(chosen)
	if known && len(chosen) > 0 {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(strings.Join(chosen, ", "), "\n", " "))
	}
	words := make([]string, len(g.answers))
	for i, a := range g.answers {
		words[i] = "none"
		if a.option < 0 {
			continue
		}
		words[i] = strconv.Itoa(a.option + 1)
		if known {
			if _, what, _ := strings.Cut(chosen[0], " "); what == "yes" || what == "no" {
				words[i] = what
			}
			chosen = chosen[1:]
		}
	}
	for from, to := 0, 0; from < len(words); from = to {
		verb := "answers" + how
		for to = from + 1; to < len(words) && (how == "" || g.answers[to].over == g.answers[from].over && g.answers[to].after == g.answers[from].after); to++ {
		}
		if over := g.answers[from].over; how != "" && over != "" {
			if verb += " over " + over; g.answers[from].after > 0 {
				verb += fmt.Sprintf(" after %d", g.answers[from].after)
			}
		}
		listed(b, verb, words[from:to])
	}
	numbers(b, "picks"+how, g.picks, 1)
	for _, c := range g.commands {
		at := ""
		if c.At > 0 {
			at = fmt.Sprintf(" at %d", c.At)
		}
		fmt.Fprintf(b, "commands%s%s \"%s\"\n", how, at, quoted.Replace(*c.Command))
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

// Script writes the evening as a script: before each entry, as statements, the faces that fell and
// the answers that were given. Once is for an evening that Differs from it: an entry gives some of
// them itself, or something was refused after dice had fallen.
func (v *Evening) Script(once bool) string {
	var b strings.Builder
	b.WriteString(ScriptMark)
	for _, s := range v.sess.InUse() {
		if s.Place != interp.BuiltIn {
			fmt.Fprintf(&b, "# It was played with %s.\n", System{s.Name, s.Version, s.Hash})
		}
	}
	set, how := v.cfg.Session.Options, ""
	if once {
		how = " once"
	}
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
		givenBy(s.fell.Besides()).write(&b, how, s.answers)
		text := strings.TrimRight(s.Text, "\n")
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

// firstDifference says in what states differ, in whatever order things were declared.
func firstDifference(want, got []assist.StateLine) string {
	for _, lines := range [][]assist.StateLine{want, got} {
		slices.SortStableFunc(lines, func(a, b assist.StateLine) int {
			return cmp.Or(strings.Compare(a.Who, b.Who), strings.Compare(a.Field, b.Field))
		})
	}
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
