package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Watcher is an Asker at a terminal that can tell whether a key has been pressed while
// no question is open; it calls interrupt, on a goroutine of its own, when one is Ctrl-C.
// A single key between Watch and stop is no answer; what is more than that counts as it was
// typed, see TypedAhead. Both are nil where keys cannot be seen.
type Watcher interface {
	Watch(interrupt func()) (pressed func() bool, stop func())
}

// watched is how long figures get better while somebody watches; short is for figures
// that nobody asked for, and where no key can stop them.
const (
	watched = 30 * time.Second
	short   = 900 * time.Millisecond
)

// fine is the half width of the 95 % interval that is good enough.
const fine = 0.005

// advise shows what each option is worth: for the goals that the rules declare, for
// the one that Goal says, or for the goal that was asked about. On a terminal the
// figures get better in place until a key is pressed; elsewhere a fixed number of
// trials is made, so that equal questions have equal answers. Without asked they are there after a moment.
func (t *Table) advise(ctx context.Context, q *evening.Query, goal string, asked bool) {
	if goal == "" {
		goal = t.Goal
	}
	a, err := t.figures(ctx, q.Advise, q.Options, goal, asked)
	if err != nil {
		fmt.Fprintf(t.Out, "  %v\n", plain(err))
		return
	}
	t.advised(q.Who, q.Data, a)
	for _, w := range a.Goals {
		t.explained = append(t.explained, w.Goal)
	}
	if goal == "" || slices.ContainsFunc(a.Goals, func(w advice.Worth) bool { return !w.Same() }) {
		return
	}
	if usual, err := q.Advise(ctx, advice.Config{Trials: fewTrials}); err == nil && usual.Differ() {
		fmt.Fprintln(t.Out, "  the answers differ in this:")
		t.print(fit(render.Advice(q.Options, usual, t.room()), t.room()))
	}
}

// worth shows what somebody asked for: the worth of each answer, of a form that of each row in a few
// moments, or of the row whose number or letter stands behind the question mark.
func (t *Table) worth(ctx context.Context, q *evening.Query, goal string) {
	t.explained = nil
	if row, ok := q.Row(goal); ok {
		t.advise(ctx, row, "", true)
		return
	}
	if len(q.Also) == 0 {
		t.advise(ctx, q, goal, true)
		return
	}
	labels := q.Labels()
	for i, row := range q.Rows() {
		fmt.Fprintf(t.Out, "  %s  %s\n", labels[i], titleIn(q, row))
		t.advise(ctx, row, goal, false)
	}
}

// table is advice as lines. Of several in a row each explains only the goals that are new in it.
func (t *Table) table(options []string, a *advice.Advice, width int) []string {
	short := *a
	short.Goals = slices.Clone(a.Goals)
	for i, w := range short.Goals {
		if slices.Contains(t.explained, w.Goal) {
			short.Goals[i].Doc = ""
		}
	}
	return render.Advice(options, &short, width)
}

// plain is an error of what somebody typed, without its place in that, or that an interrupt
// came before the first figures.
func plain(err error) string {
	if errors.Is(err, context.Canceled) {
		return "stopped"
	}
	var ds lang.Diagnostics
	if !errors.As(err, &ds) || len(ds) == 0 {
		return err.Error()
	}
	if ds[0].Help != "" {
		return ds[0].Message + ": " + ds[0].Help
	}
	return ds[0].Message
}

// fewTrials are made to see what tells options apart.
const fewTrials = 64

// figures works out the values and shows them. Before a command there are no options;
// the advice says which commands it is about.
func (t *Table) figures(ctx context.Context, advise func(context.Context, advice.Config) (*advice.Advice, error), options []string, goal string, asked bool) (*advice.Advice, error) {
	if t.Begin != nil {
		var stop context.CancelFunc
		ctx, stop = t.Begin()
		defer stop()
	}
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	cfg := advice.Config{Goal: goal}
	if !style.IsTerminal(t.Out) {
		a, err := advise(ctx, cfg)
		if err == nil {
			t.print(t.table(options, a, 0))
		}
		return a, err
	}
	pressed, until := func() bool { return false }, time.Now().Add(short)
	if w, ok := t.Asker.(Watcher); ok {
		if seen, stop := w.Watch(interrupt); seen != nil {
			defer stop()
			pressed = seen
			if asked {
				until = time.Now().Add(watched)
			}
		}
	}
	shown := 0
	show := func(a *advice.Advice, more bool) {
		if shown > 0 {
			fmt.Fprintf(style.Raw(t.Out), "\x1b[%dA\r\x1b[J", shown)
		}
		lines := t.table(options, a, t.room())
		if more && time.Until(until) > short {
			lines = append(lines, "any key stops")
		}
		shown = t.print(fit(lines, t.room()))
	}
	cfg.Progress = func(a *advice.Advice) bool {
		show(a, true)
		return !pressed() && time.Now().Before(until) && !settled(a)
	}
	a, err := advise(ctx, cfg)
	if err == nil {
		show(a, false)
	}
	return a, err
}

// suggest shows the commands that are worth most to whoever acts.
func (t *Table) suggest(ctx context.Context, x *evening.Query, goal string) {
	if goal == "" {
		goal = t.Goal
	}
	a, err := t.figures(ctx, x.Advise, nil, goal, true)
	if err != nil {
		fmt.Fprintf(t.Out, "  %v\n", plain(err))
		return
	}
	t.advised(x.Who, nil, a)
}

func (t *Table) advised(who string, options []interp.Value, a *advice.Advice) {
	if t.Advised != nil {
		t.Advised(who, options, a)
	}
}

// settled says whether the figures are good enough.
func settled(a *advice.Advice) bool {
	return a.Trials > 0 && !slices.ContainsFunc(a.Goals, func(w advice.Worth) bool {
		return w.Chance && !w.Exact() && slices.Max(w.Half) > fine
	})
}

// print writes lines, also on a terminal that does not go back to the left by itself,
// and says how many.
func (t *Table) print(lines []string) int {
	for _, l := range lines {
		io.WriteString(style.Raw(t.Out), "  "+transcript.Visible(l)+newline(t.Out))
	}
	return len(lines)
}

// room is how wide lines may be on a terminal, 0 for as wide as they are.
func (t *Table) room() int {
	if !style.IsTerminal(t.Out) {
		return 0
	}
	return max(style.Width(t.Out)-3, 20)
}

func newline(out io.Writer) string {
	if style.IsTerminal(out) {
		return "\r\n"
	}
	return "\n"
}

// fit makes lines fit the width of a terminal: what is a sentence goes on in the next line,
// a row of the table is cut.
func fit(lines []string, width int) []string {
	if width == 0 {
		return lines
	}
	var out []string
	for _, l := range lines {
		if strings.Contains(strings.TrimLeft(l, " "), "   ") {
			out = append(out, runewidth.Truncate(l, width, "…"))
			continue
		}
		out = append(out, wrapped(l, width)...)
	}
	return out
}

// wrapped breaks a line between words.
func wrapped(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case runewidth.StringWidth(line)+1+runewidth.StringWidth(word) <= width:
			line += " " + word
		default:
			out, line = append(out, line), word
		}
	}
	return append(out, runewidth.Truncate(line, width, "…"))
}
