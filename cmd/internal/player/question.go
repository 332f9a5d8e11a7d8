package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// A question is put in one of three ways, by its options, so that what is typed can
// mean one thing only:
//
//   - yes or no, with what a yes costs and what is left after it;
//   - where all options are numbers, a number, with the range there is;
//   - a menu, of which the number of a row is typed, or the name of an option. Where
//     some options are numbers the rows have none.

// Choose asks which option is taken.
func (t *Table) Choose(ctx context.Context, q interp.Question) (int, error) {
	t.before()
	if t.Advise {
		t.advise(ctx, q, "")
	}
	form := formOf(q)
	prompt := t.put(q, form)
	for {
		line, err := t.Asker.Ask(ctx, prompt)
		if err != nil {
			return 0, err
		}
		if IsCommand(line) {
			if err := t.command(line); err != nil {
				return 0, err
			}
			if q.Asked != nil && !q.Asked() {
				return q.Default, nil
			}
			continue
		}
		if goal, ok := strings.CutPrefix(strings.TrimSpace(line), "?"); ok {
			t.advise(ctx, q, strings.TrimSpace(goal))
			continue
		}
		i, err := parseOption(line, q, form)
		if err == nil {
			return i, nil
		}
		if t.Turns && isTurn(line) {
			if t.meant(line) {
				continue
			}
			fmt.Fprintf(t.Out, "  this is a question: %v. Commands are taken at a prompt such as  %s>\n", err, transcript.Visible(cmp.Or(q.Who, "Ann")))
			continue
		}
		fmt.Fprintf(t.Out, "  %v; ? shows what each is worth%s\n", err, t.more())
		if !t.meant(line) {
			t.unused(line)
		}
	}
}

// isTurn says whether a line looks like a command of a turn: it has two words, and is one.
func isTurn(line string) bool {
	file, ds := lang.Parse(lang.NewSource("", line))
	if ds.Errors() || len(file.Stmts) != 1 {
		return false
	}
	cmd, ok := file.Stmts[0].(*lang.Command)
	return ok && len(cmd.Args) > 0
}

// more tells of the commands, where there are some.
func (t *Table) more() string {
	if t.Command == nil {
		return ""
	}
	return ", :help what else you can type"
}

type form int

const (
	offer  form = iota // yes or no
	number             // a number of a range
	menu               // a row by its number, or a name
	mixed              // a name; some of the names are numbers
)

func formOf(q interp.Question) form {
	if isOffer(q) {
		return offer
	}
	n := 0
	for _, o := range q.Options {
		if _, ok := parseNumber(o); ok {
			n++
		}
	}
	switch n {
	case 0:
		return menu
	case len(q.Options):
		return number
	}
	return mixed
}

func isOffer(q interp.Question) bool {
	return len(q.Options) == 2 && q.Options[0] == "no" && q.Options[1] == "yes"
}

func parseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// put writes what has to stand above the question and returns the prompt.
func (t *Table) put(q interp.Question, f form) string {
	what := title(q)
	switch f {
	case offer:
		if q.Default == 1 {
			return what + " [Y/n] "
		}
		return what + " [y/N] "
	case number:
		return fmt.Sprintf("%s (%s; Enter: %s) ", what, transcript.Visible(choices(q.Options)), transcript.Visible(q.Options[q.Default]))
	}
	fmt.Fprintln(t.Out, what)
	for i, o := range q.Options {
		row := ""
		if f == menu {
			row = fmt.Sprintf("%d  ", i+1)
		}
		mark := ""
		if i == q.Default {
			mark = "   (Enter)"
		}
		fmt.Fprintf(t.Out, "  %s%s%s\n", row, transcript.Visible(o), mark)
	}
	if f == menu {
		return fmt.Sprintf("1-%d: ", len(q.Options))
	}
	return "which: "
}

// choices tells numbers in a few words: "0 to 10", "1, 2 or 5".
func choices(options []string) string {
	last := len(options) - 1
	if last > 1 && inARow(options) {
		return options[0] + " to " + options[last]
	}
	return strings.Join(options[:last], ", ") + " or " + options[last]
}

// inARow says that numbers go up by one.
func inARow(options []string) bool {
	for i := 1; i < len(options); i++ {
		a, _ := parseNumber(options[i-1])
		if b, _ := parseNumber(options[i]); b != a+1 {
			return false
		}
	}
	return true
}

// title is the question itself: "Nova: Re-roll? 1 luck, 2 left after it."
func title(q interp.Question) string {
	what := q.Prompt
	if what == "" {
		what = q.Name + "?"
	}
	if q.Who != "" {
		what = q.Who + ": " + what
	}
	if q.Cost != "" {
		what += " " + q.Cost
		if q.Left != "" {
			what += ", " + q.Left + " left after it"
		}
		what += "."
	}
	return transcript.Visible(what)
}

// parseOption finds the option that was typed; nothing is the default.
func parseOption(line string, q interp.Question, f form) (int, error) {
	word := strings.ToLower(strings.TrimSpace(line))
	if word == "" {
		return q.Default, nil
	}
	x, isNumber := parseNumber(word)
	switch {
	case f == menu && isNumber:
		if i := int(x); float64(i) == x && i >= 1 && i <= len(q.Options) {
			return i - 1, nil
		}
	case isNumber:
		for i, o := range q.Options {
			if y, ok := parseNumber(o); ok && x == y {
				return i, nil
			}
		}
	default:
		if i := named(word, q.Options); i >= 0 {
			return i, nil
		}
	}
	return 0, errors.New(expected(q, f))
}

// named gives the option of a name, or of the beginning of a name if only one
// begins so; -1 for none.
func named(word string, options []string) int {
	found := -1
	for i, o := range options {
		o = strings.ToLower(o)
		switch {
		case o == word:
			return i
		case strings.HasPrefix(o, word) && found >= 0:
			found = len(options)
		case strings.HasPrefix(o, word):
			found = i
		}
	}
	if found == len(options) {
		return -1
	}
	return found
}

// expected tells what can be typed.
func expected(q interp.Question, f form) string {
	what := ""
	switch f {
	case offer:
		what = "type yes or no"
	case number:
		what = "type a number: " + choices(q.Options)
	case menu:
		what = fmt.Sprintf("type a number from 1 to %d or an option's name", len(q.Options))
	case mixed:
		what = "type one of the options"
	}
	return what
}

// Title is the question itself, with its cost.
func Title(q interp.Question) string { return title(q) }

// Read finds the option that a line names, and says what could be typed if it names none.
func Read(line string, q interp.Question) (int, error) {
	return parseOption(line, q, formOf(q))
}
