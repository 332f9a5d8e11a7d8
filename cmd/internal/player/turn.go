package player

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// maxDefault is how wide a default may be to stand in the prompt.
const maxDefault = 60

// turn asks what somebody does. It shows what is on and how everybody stands, and
// then takes a command: nothing for what the tactics would do, "pass" for nothing. A
// command that the rules refuse at once is explained and asked for again.
func (t *Table) turn(ctx context.Context, x *evening.Query) (none interp.Answer, err error) {
	switch {
	case x.Refused != nil:
		t.fail(x.Refused)
	case len(x.Done) == 0:
		t.standing(x)
	}
	prompt, proposed := t.turnPrompt(x), ""
	for {
		line, done, err := t.read(ctx, prompt)
		if err != nil {
			return none, err
		}
		idle := line == "" && x.Usual == "" && x.Idle()
		if proposed != "" && (idle || slices.Contains([]string{"y", "yes"}, strings.ToLower(line))) {
			line, idle = proposed, false
		}
		switch goal, ask := strings.CutPrefix(line, "?"); {
		case done:
			continue
		case ask:
			t.suggest(ctx, x, strings.TrimSpace(goal))
			continue
		case idle:
			t.can(x)
			continue
		}
		a, err := x.Read(line)
		switch {
		case err == nil:
			return a, nil
		case evening.IsAnswer(line):
			fmt.Fprintf(t.Out, "  %s\n", noQuestion(line, x))
		default:
			proposed = t.meant(line, x, err)
		}
	}
}

// can says what somebody can do, where that is nothing in particular.
func (t *Table) can(x *evening.Query) {
	c := x.Can()
	fmt.Fprintf(t.Out, "  %s can: %s", lang.Visible(x.Who), strings.Join(append(slices.DeleteFunc(c.Verbs, func(v string) bool { return v == "pass" }), "pass"), ", "))
	if len(c.Models) == 0 {
		fmt.Fprintln(t.Out, "; ? shows what is worth most")
		return
	}
	fmt.Fprintf(t.Out, "\n  as in  %s\n  odds COMMAND  shows the chance of a command\n", lang.Visible(strings.Join(c.Models, "   or  ")))
}

// standing shows what is on, and how everybody stands.
func (t *Table) standing(x *evening.Query) {
	text := ""
	switch n := len(x.On); {
	case t.Brief != nil && t.Brief():
		t.standingOnce(x)
		return
	case n > 0:
		text = lang.Visible(x.On[n-1]) + "   "
	}
	text += transcript.Status(x.Standing, t.Palette.Palette, runewidth.StringWidth(text))
	text = strings.TrimRight(text, " \n")
	if text != "" {
		text += "\n"
	}
	if key := x.Who + "\n" + text; key != t.stood {
		t.stood = key
		fmt.Fprint(t.Out, text)
	}
}

// standingOnce shows how everybody stands where a scene begins: what changes in it is told as it does.
func (t *Table) standingOnce(x *evening.Query) {
	scene := strings.Join(slices.DeleteFunc(slices.Clone(x.On), func(on string) bool {
		return strings.Trim(on[strings.LastIndexByte(on, ' ')+1:], "0123456789") == "" // a round
	}), "\n")
	const lead = "  = "
	if text := transcript.Status(x.Standing, t.Palette.Palette, len(lead)); text != "" && scene != t.stood {
		fmt.Fprint(t.Out, lead+text+"\n")
	}
	t.stood = scene
}

// turnPrompt is the prompt of a turn: who acts, and what Enter takes.
func (t *Table) turnPrompt(x *evening.Query) string {
	who := lang.Visible(x.Who) + "> "
	def := lang.Visible(x.Usual)
	switch {
	case def == "":
		return who
	case runewidth.StringWidth(def) > maxDefault:
		fmt.Fprintln(t.Out, t.faint("Enter: "+def))
		return who
	}
	return who + t.faint("["+def+"]") + " "
}

// meant explains what is wrong with a line that is no command, and says what to type instead; proposed is a command that is meant.
func (t *Table) meant(line string, x *evening.Query, err error) (proposed string) {
	h := x.Hear(line, err)
	if h.Wrong {
		t.fail(err)
	}
	switch {
	case h.Command != "" && h.Mended:
		fmt.Fprintf(t.Out, "  y takes  %s\n", lang.Visible(h.Command))
	case h.Command != "":
		fmt.Fprintf(t.Out, "  did you mean  %s   (y takes it)\n", lang.Visible(h.Command))
	case len(h.Which) > 0:
		fmt.Fprintf(t.Out, "  which one:  %s\n", lang.Visible(strings.Join(h.Which, "   or  ")))
	case h.Refused != nil:
		t.fail(h.Refused)
	case !h.Wrong:
		t.can(x)
		if h.Asks && t.Command != nil {
			fmt.Fprintln(t.Out, "  :state shows how everybody stands, :help WORD what a word means")
		}
	}
	return h.Command
}

func (t *Table) faint(s string) string {
	if t.Palette.Faint == nil {
		return s
	}
	return t.Palette.Faint(s)
}

// fail explains what is wrong with a command.
func (t *Table) fail(err error) {
	if t.Fail != nil {
		t.Fail(err)
		return
	}
	fmt.Fprintf(t.Out, "  %v\n", err)
}

// Unfinished says that more lines could make sense of what was typed.
func Unfinished(text string) bool {
	if IsCommand(text) || strings.HasPrefix(strings.TrimSpace(text), "?") {
		return false
	}
	_, ds := lang.Parse(lang.NewSource("", text))
	for _, d := range ds {
		if d.Incomplete {
			return true
		}
	}
	return false
}

// noQuestion says what to type instead of an answer to a question that was not asked.
func noQuestion(line string, x *evening.Query) string {
	says := fmt.Sprintf("no question is open that %s could answer; it is the turn of %s: type a command", line, lang.Visible(x.Who))
	if x.Usual != "" {
		says += fmt.Sprintf(", or press Enter for  %s", lang.Visible(x.Usual))
	}
	return says + ", or type  pass  to do nothing"
}
