package player

import (
	"context"
	"fmt"
	"strings"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// choose asks which option is taken.
func (t *Table) choose(ctx context.Context, q *evening.Query) (none interp.Answer, err error) {
	if t.Advise {
		t.advise(ctx, q, "", false)
	}
	prompt := t.menu(q)
	for {
		line, done, err := t.read(ctx, prompt)
		if err != nil {
			return none, err
		}
		if done {
			continue
		}
		if goal, ok := strings.CutPrefix(line, "?"); ok {
			t.worth(ctx, q, strings.TrimSpace(goal))
			continue
		}
		a, err := q.Read(line)
		if err == nil {
			return a, nil
		}
		if evening.Asks(line) {
			t.about(q)
			continue
		}
		what := ""
		if t.Turns && isSentence(line) {
			what = "this is a question: "
		}
		fmt.Fprintf(t.Out, "  %s%v; ? shows what each is worth%s\n", what, err, t.more())
		t.unused(line)
	}
}

// about says what a decision is about, and where more is told.
func (t *Table) about(q *evening.Query) {
	told := ""
	for _, row := range q.Rows() {
		rule, otherwise := row.About()
		fmt.Fprintf(t.Out, "  %s", titleIn(q, row))
		if rule+otherwise == told {
			rule, otherwise = "", ""
		} else {
			told = rule + otherwise
		}
		if rule != "" {
			fmt.Fprintf(t.Out, "  %s", lang.Visible(rule))
		}
		if otherwise != "" {
			fmt.Fprintf(t.Out, "  If nobody says anything: %s.", lang.Visible(otherwise))
		}
		fmt.Fprintln(t.Out)
	}
	fmt.Fprintf(t.Out, "  ? shows what each answer is worth")
	if t.Command != nil {
		fmt.Fprintf(t.Out, ", :help %s tells more, :state how everybody stands", q.Name)
	}
	fmt.Fprintln(t.Out)
}

// isSentence says whether a line looks like what somebody does: it has words, and is no list of answers.
func isSentence(line string) bool {
	words := strings.Fields(line)
	return len(words) > 1 && !strings.ContainsAny(line, "=,;") && strings.Trim(words[0], "0123456789") != ""
}

// more tells of the commands, where there are some.
func (t *Table) more() string {
	if t.Command == nil {
		return ""
	}
	return ", :help what else you can type"
}

// menu writes what has to stand above the question and returns the prompt.
func (t *Table) menu(q *evening.Query) string {
	if len(q.Also) > 0 {
		return t.form(q)
	}
	form := q.Form()
	switch form {
	case evening.Offer:
		if q.Default == 1 {
			return q.Title + " [Y/n] "
		}
		return q.Title + " [y/N] "
	case evening.Number:
		t.noted(q)
		if most, ok := q.Other(); ok {
			return fmt.Sprintf("%s [y/N, or %s] ", q.Title, lang.Visible(evening.Range(q.Options[1:most])))
		}
		if q.Must {
			return fmt.Sprintf("%s (%s) ", q.Title, lang.Visible(evening.Range(q.Options)))
		}
		return fmt.Sprintf("%s (%s; Enter: %s) ", q.Title, lang.Visible(evening.Range(q.Options)), lang.Visible(q.Options[q.Default]))
	}
	fmt.Fprintln(t.Out, q.Title)
	for i, o := range q.Options {
		row := ""
		if form == evening.Menu {
			row = fmt.Sprintf("%d  ", i+1)
		}
		mark := ""
		if i == q.Default && !q.Must {
			mark = "   (Enter)"
		}
		fmt.Fprintf(t.Out, "  %s%s%s%s\n", row, lang.Visible(o), note(q, i), mark)
	}
	if form == evening.Menu {
		return fmt.Sprintf("1-%d: ", len(q.Options))
	}
	return "which: "
}

// noted writes what each number is worth, above the question that takes one.
func (t *Table) noted(q *evening.Query) {
	for i := range q.Notes {
		fmt.Fprintf(t.Out, "  %s%s\n", lang.Visible(q.Options[i]), note(q, i))
	}
}

// note is what the rules say of an option, behind it.
func note(q *evening.Query, i int) string {
	if q.Notes == nil || q.Notes[i] == "" {
		return ""
	}
	return "   " + lang.Visible(q.Notes[i])
}

// titleIn is the title of a row of a form, whose prompt says who is asked.
func titleIn(q, row *evening.Query) string {
	return strings.TrimPrefix(row.Title, lang.Visible(q.Who)+": ")
}

// form writes the rows of a form, with what each comes to if nothing is typed, and returns the
// prompt.
func (t *Table) form(q *evening.Query) string {
	labels := q.Labels()
	for i, row := range q.Rows() {
		takes, notes := "", []string(nil)
		switch row.Form() {
		case evening.Offer:
		case evening.Number:
			takes = " (" + evening.Range(row.Options) + ")"
		default:
			takes = " (" + strings.Join(row.Options, ", ") + ")"
		}
		for i := range row.Notes {
			notes = append(notes, "     "+lang.Visible(row.Options[i])+note(row, i))
		}
		fmt.Fprintf(t.Out, "  %s  %s%s  %s\n", labels[i], titleIn(q, row), lang.Visible(takes), t.faint("["+lang.Visible(row.Options[row.Default])+"]"))
		for _, n := range notes {
			fmt.Fprintln(t.Out, n)
		}
	}
	who := ""
	if q.Who != "" {
		who = lang.Visible(q.Who) + ": "
	}
	return fmt.Sprintf("%sEnter takes what is in brackets, or type what changes, %s: ", who, q.Changes())
}
