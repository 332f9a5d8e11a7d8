package player

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/evening"
)

func (t *Table) faces(r interp.Request) ([]int, error) {
	a, err := t.Put(context.Background(), evening.DiceQuery(r))
	return a.Faces, err
}

func (t *Table) option(ctx context.Context, q interp.Question) (int, error) {
	a, err := t.Put(ctx, evening.DecisionQuery(q))
	if err != nil {
		return 0, err
	}
	return *a.Option, nil
}

func TestThrow(t *testing.T) {
	for _, c := range []struct {
		name  string
		req   interp.Request
		typed string
		want  []int
		shown string
	}{
		{"one die", interp.Request{Sizes: []int{12}, For: "reaction"}, "7\n", []int{7}, "d12 for reaction: "},
		{"who throws", interp.Request{Sizes: []int{12}, For: "reaction", Who: "Valorus"}, "7\n", []int{7}, "d12 for reaction (Valorus): "},
		{"several, by commas or blanks", interp.Request{Sizes: []int{6, 6, 8}}, "5, 3 8\n", []int{5, 3, 8}, "2d6 d8: "},
		{"zeros as dice show them", interp.Request{Sizes: []int{10, 100}}, "0 00\n", []int{10, 100}, "d10 d%: "},
		{
			"nonsense is asked again", interp.Request{Sizes: []int{12}}, "\n13\n0\nseven\n1 2\n 12 \n", []int{12},
			"d12:   type the face of the d12 (1 to 12)\n" +
				"d12:   a d12 shows 1 to 12, not 13\n" +
				"d12:   a d12 shows 1 to 12, not 0\n" +
				"d12:   \"seven\" is not a face of a d12; type what it shows, 1 to 12; :help what else you can type\n" +
				"d12:   d12: type one face, not 2\n" +
				"d12: ",
		},
		{"too few of several", interp.Request{Sizes: []int{6, 6}}, "3\n3 4\n", []int{3, 4}, "2d6:   2d6: type 2 faces, not 1\n2d6: "},
		{"none of several", interp.Request{Sizes: []int{6, 6, 8}}, "\n3 4 8\n", []int{3, 4, 8}, "2d6 d8:   type the 3 faces of 2d6 d8, as in  3 3 4\n2d6 d8: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			table := &Table{Asker: NewLines(strings.NewReader(c.typed), &out, false), Out: &out}
			got, err := table.faces(c.req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := cmp.Diff(c.shown, out.String()); diff != "" {
				t.Errorf("shown: -want +got\n%s", diff)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	offer := interp.Question{Name: "reroll", Who: "Valorus", Prompt: "Roll again?", Options: []string{"no", "yes"}, Cost: "1 oomph", Left: "2"}
	which := interp.Question{Name: "keep_die", Options: []string{"the 3", "the 8", "both"}, Default: 1}
	points := interp.Question{Who: "Dex", Prompt: "How much?", Options: []string{"0", "1", "2", "3", "4", "5"}}
	steps := interp.Question{Prompt: "How far?", Options: []string{"5", "1", "0.5"}}
	tool := interp.Question{Prompt: "With what?", Options: []string{"none", "2", "12"}}
	const menu = "keep_die?\n  1  the 3\n  2  the 8   (Enter)\n  3  both\n1-3: "
	const row = "  type a number from 1 to 3 or an option's name; ? shows what each is worth\n1-3: "
	for _, c := range []struct {
		name  string
		q     interp.Question
		typed string
		want  int
		shown string
	}{
		{"yes", offer, "y\n", 1, "Valorus: Roll again? 1 oomph, 2 left after it. [y/N] "},
		{"nothing is the default", offer, "\n", 0, "Valorus: Roll again? 1 oomph, 2 left after it. [y/N] "},
		{
			"an offer knows no number but 1", offer, "2\nYES\n", 1,
			"Valorus: Roll again? 1 oomph, 2 left after it. [y/N]   type yes or no; ? shows what each is worth\n" +
				"Valorus: Roll again? 1 oomph, 2 left after it. [y/N] ",
		},
		{"a row", which, "3\n", 2, menu},
		{"a name", which, "the 3\n", 0, menu},
		{"the beginning of one name", which, "b\n", 2, menu},
		{"the beginning of two", which, "the\n4\n1.5\n\n", 1, menu + row + row + row},
		{"a number is no row", points, "5\n", 5, "Dex: How much? (0 to 5; Enter: 0) "},
		{"nor the number of a row a number", points, "6\n1\n", 1,
			"Dex: How much? (0 to 5; Enter: 0)   type a number: 0 to 5; ? shows what each is worth\nDex: How much? (0 to 5; Enter: 0) "},
		{"numbers in any order", steps, ".5\n", 2, "How far? (5, 1 or 0.5; Enter: 5) "},
		{"where some are numbers rows have none", tool, "1\n2\n", 1,
			"With what?\n  none   (Enter)\n  2\n  12\nwhich:   type one of the options; ? shows what each is worth\nwhich: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			table := &Table{Asker: NewLines(strings.NewReader(c.typed), &out, false), Out: &out}
			got, err := table.option(context.Background(), c.q)
			if err != nil || got != c.want {
				t.Errorf("got %d, %v; want %d", got, err, c.want)
			}
			if diff := cmp.Diff(c.shown, out.String()); diff != "" {
				t.Errorf("shown: -want +got\n%s", diff)
			}
		})
	}
}

// A line with a colon in front is a command; the question is then put again, unless
// the command ends it.
func TestCommands(t *testing.T) {
	var out strings.Builder
	leave := errors.New("leave")
	table := &Table{Asker: NewLines(strings.NewReader(":state Nova\n5\n :pause\n"), &out, false), Out: &out}
	table.Command = func(line string) error {
		if line == ":pause" {
			return leave
		}
		out.WriteString("<" + line + ">\n")
		return nil
	}
	faces, err := table.faces(interp.Request{Sizes: []int{6}})
	if err != nil || faces[0] != 5 {
		t.Fatal(faces, err)
	}
	if _, err := table.option(context.Background(), interp.Question{Options: []string{"a", "b"}}); err != leave {
		t.Errorf("the command did not end the question: %v", err)
	}
	if want := "d6: <:state Nova>\nd6: ?\n  1  a   (Enter)\n  2  b\n1-2: "; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

func TestNobodyThere(t *testing.T) {
	table := &Table{Asker: NewLines(strings.NewReader(""), io.Discard, false), Out: io.Discard}
	if _, err := table.faces(interp.Request{Sizes: []int{6}}); !errors.Is(err, ErrGone) {
		t.Errorf("end of input: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, w := io.Pipe()
	defer w.Close()
	table = &Table{Asker: NewLines(r, io.Discard, false), Out: io.Discard}
	if _, err := table.option(ctx, interp.Question{Options: []string{"a", "b"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Where no terminal shows what is typed, the answers are written.
func TestEcho(t *testing.T) {
	var out strings.Builder
	table := &Table{Asker: NewLines(strings.NewReader("13\n7\n"), &out, true), Out: &out}
	if _, err := table.faces(interp.Request{Sizes: []int{12}}); err != nil {
		t.Fatal(err)
	}
	if want := "d12: 13\n  a d12 shows 1 to 12, not 13\nd12: 7\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

// What led to a question is shown before it is asked.
func TestBefore(t *testing.T) {
	var out strings.Builder
	table := &Table{
		Asker:  NewLines(strings.NewReader("7\n"), &out, false),
		Out:    &out,
		Before: func() { out.WriteString("the story so far\n") },
	}
	if _, err := table.faces(interp.Request{Sizes: []int{12}}); err != nil {
		t.Fatal(err)
	}
	if out.String() != "the story so far\nd12: " {
		t.Errorf("%q", out.String())
	}
}

// Answers typed ahead to a question that was not asked are no commands, and the turn is
// still open; "no" is one where the rules have a verb of that name.
func TestAnswersAtATurn(t *testing.T) {
	asks := func(verbs ...string) (string, string) {
		var out strings.Builder
		table := &Table{Asker: NewLines(strings.NewReader("n\n3, 4\nno\nstrike Fang\n"), &out, false), Out: &out}
		got, err := table.Put(context.Background(), evening.CommandQuery(interp.Turn{Who: "Nova", Default: "rest", Check: func(line string) error {
			if strings.HasPrefix(line, "strike") || slices.Contains(verbs, line) {
				return nil
			}
			return errors.New("there is no verb " + line)
		}}))
		if err != nil {
			t.Fatal(err)
		}
		return *got.Command, out.String()
	}
	got, shown := asks()
	for _, line := range []string{"n", "3, 4", "no"} {
		want := "  no question is open that " + line + " could answer; it is the turn of Nova: type a command, or press Enter for  rest, or type  pass  to do nothing\n"
		if !strings.Contains(shown, want) {
			t.Errorf("%s: %s", line, shown)
		}
	}
	if got != "strike Fang" || strings.Contains(shown, "no verb") {
		t.Errorf("%s\n%s", got, shown)
	}
	if got, _ := asks("no"); got != "no" {
		t.Errorf("the verb no: %s", got)
	}
}
