// Package player lets somebody at the table answer for chance and choice: they
// type what the dice show and which option they take.
package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Asker puts a question to a person and returns the line they answer with. It
// returns an error when there will be no answer: the context has ended, or
// nobody is there any more.
type Asker interface {
	Ask(ctx context.Context, prompt string) (string, error)
}

// ErrGone says that nobody is there to answer.
var ErrGone = errors.New("nobody answered: the input has ended")

// Table is a person as interp.Chance and interp.Choice. An answer that does
// not fit is explained and asked for again.
type Table struct {
	Asker  Asker
	Out    io.Writer // where menus and explanations go
	Before func()    // called before each question, to show what led to it; may be nil

	Turns bool // commands are asked for, too: see Turn

	Advise bool   // show what each option is worth without being asked
	Goal   string // for which goal, where none is named; see interp.OddsConfig.Goal

	// Begin gives the context in which advice is worked out; nil: that of the question.
	Begin func() (context.Context, context.CancelFunc)

	Palette style.Palette
	stood   string      // how it was said to stand before the last turn
	Fail    func(error) // explains what is wrong with a command; nil: in one line

	// Advised is given the advice that has been shown, and the options that it is about;
	// nil of advice before a command. It may be nil itself.
	Advised func(who string, options []interp.Value, a *interp.Advice)

	// Unused is given a line that is no answer and could stand in a script, pasted perhaps with
	// the one that asks; it may be nil.
	Unused func(line string)

	// Command does what a line with a colon in front asks for; an error of it ends the
	// question. Nil: there are no such commands.
	Command func(line string) error
	// Meant says what to type instead of a line that is refused and begins with the name of such
	// a command, "" for another line; it may be nil.
	Meant func(line string) string
}

var (
	_ interp.Chance = (*Table)(nil)
	_ interp.Choice = (*Table)(nil)
)

func (t *Table) before() {
	if t.Before != nil {
		t.Before()
	}
}

// Throw asks for the faces that the table's dice show.
func (t *Table) Throw(ctx context.Context, r interp.Request) ([]int, error) {
	t.before()
	prompt := dicePrompt(r)
	for {
		line, err := t.Asker.Ask(ctx, prompt)
		if err != nil {
			return nil, err
		}
		if IsCommand(line) {
			if err := t.command(line); err != nil {
				return nil, err
			}
			continue
		}
		faces, err := parseFaces(line, r.Sizes)
		if err == nil {
			return faces, nil
		}
		fmt.Fprintf(t.Out, "  %v\n", err)
		if !t.meant(line) {
			t.unused(line)
		}
	}
}

// meant says what to type instead of a line that somebody may take for a command, and whether it
// is one.
func (t *Table) meant(line string) bool {
	says := ""
	if t.Meant != nil {
		says = t.Meant(strings.TrimSpace(line))
	}
	if says != "" {
		fmt.Fprintln(t.Out, "  "+t.faint(says))
	}
	return says != ""
}

// unused hands on a line that is no answer.
func (t *Table) unused(line string) {
	if t.Unused == nil {
		return
	}
	file, ds := lang.Parse(lang.NewSource("", line))
	if len(ds) > 0 || len(file.Stmts) == 0 {
		return
	}
	switch s := file.Stmts[0].(type) {
	case *lang.ExprStmt:
		return
	case *lang.Command:
		if s.Who == nil && len(s.Args) == 0 {
			return
		}
	}
	t.Unused(strings.TrimSpace(line))
}

// IsCommand says whether a line is a command of the prompt, which begins with a colon.
func IsCommand(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), ":") }

func (t *Table) command(line string) error {
	if t.Command == nil {
		fmt.Fprintln(t.Out, "  there are no commands here")
		return nil
	}
	return t.Command(strings.TrimSpace(line))
}

func dicePrompt(r interp.Request) string {
	var b strings.Builder
	b.WriteString(diceNames(r.Sizes))
	if r.For != "" {
		b.WriteString(" for " + r.For)
	}
	if r.Who != "" {
		b.WriteString(" (" + r.Who + ")")
	}
	b.WriteString(": ")
	return transcript.Visible(b.String())
}

func diceNames(sizes []int) string {
	var words []string
	for i := 0; i < len(sizes); {
		n := 1
		for i+n < len(sizes) && sizes[i+n] == sizes[i] {
			n++
		}
		words = append(words, transcript.Die(n, sizes[i]))
		i += n
	}
	return strings.Join(words, " ")
}

// DiceTitle says which dice somebody throws and what for.
func DiceTitle(r interp.Request) string { return strings.TrimSuffix(dicePrompt(r), ": ") }

// ReadFaces reads the faces that dice of these sizes show.
func ReadFaces(line string, sizes []int) ([]int, error) { return parseFaces(line, sizes) }

func parseFaces(line string, sizes []int) ([]int, error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(words) == 0 {
		return nil, errors.New(wantedFaces(sizes))
	}
	faces := make([]int, 0, len(sizes))
	for i, w := range words {
		if i == len(sizes) {
			break
		}
		f, err := parseFace(w, sizes[i])
		if err != nil {
			return nil, err
		}
		faces = append(faces, f)
	}
	if len(words) != len(sizes) {
		return nil, fmt.Errorf("%s: %s, not %d", diceNames(sizes), countFaces(len(sizes)), len(words))
	}
	return faces, nil
}

// wantedFaces says what to type: "type the face of the d8 (1 to 8)".
func wantedFaces(sizes []int) string {
	if len(sizes) == 1 {
		return fmt.Sprintf("type the face of the %s (1 to %d)", transcript.Die(1, sizes[0]), sizes[0])
	}
	example := make([]string, len(sizes))
	for i, size := range sizes {
		example[i] = strconv.Itoa((size + 1) / 2)
	}
	return fmt.Sprintf("type the %d faces of %s, as in  %s", len(sizes), diceNames(sizes), strings.Join(example, " "))
}

func countFaces(n int) string {
	if n == 1 {
		return "type one face"
	}
	return fmt.Sprintf("type %d faces", n)
}

// parseFace reads a face as dice show it: a d10 may show 0 for 10, percentile
// dice 00 for 100.
func parseFace(word string, size int) (int, error) {
	if word == "0" && size == 10 || word == "00" && size == 100 {
		return size, nil
	}
	f, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is not a face of a %s", word, transcript.Die(1, size))
	}
	if f < 1 || f > size {
		return 0, fmt.Errorf("a %s shows 1 to %d, not %d", transcript.Die(1, size), size, f)
	}
	return f, nil
}
