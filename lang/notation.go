package lang

import (
	"slices"
	"strings"

	"setpiece/lang/anydice"
)

// People know other ways to write dice: 4d6kh3 and 3d6! from the bots of chat rooms, [highest 3 of 4d6] from
// AnyDice, and plain English. A line in one of them is read as the same in this language, and whoever typed it is
// told how that is written.

// Reading is a line in another notation, and what it is in this language; Or is what else may have been meant,
// with its words.
type Reading struct{ Typed, Ours, Or string }

func (r Reading) String() string { return r.Typed + " is read as  " + r.Ours + r.Or }

// Notation gives a text with what is written in another notation in the words of this language. Texts and
// comments stay as they are. Of a program of AnyDice that cannot be read it says why.
func Notation(text string) (ours string, read []Reading, wrong *anydice.Unread) {
	if anydice.IsProgram(text) {
		return program(text)
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		typed, _, _ := strings.Cut(line, " #")
		typed = strings.TrimSpace(typed)
		if ours, a := ask(typed); ours != typed {
			read = append(read, Reading{strings.TrimPrefix(typed, a.head), strings.TrimPrefix(ours, a.head), a.or})
			lines[i] = strings.Replace(line, typed, ours, 1)
		}
	}
	return strings.Join(lines, ""), read, nil
}

// program is Notation of a program of AnyDice. What it puts out may be in another notation, too.
func program(text string) (ours string, read []Reading, wrong *anydice.Unread) {
	text = strings.TrimSpace(text)
	out, wrong := anydice.Read(strings.TrimPrefix(text, "odds "))
	if wrong == nil {
		ours = strings.Join(out, "; ")
		return ours, []Reading{{Typed: strings.Join(strings.Fields(text), " "), Ours: ours}}, nil
	}
	rest, puts := strings.CutPrefix(text, "output ")
	rest, _, _ = strings.Cut(rest, " named ")
	rest = strings.TrimSpace(rest)
	ours, a := ask(rest)
	if calls := slices.ContainsFunc(a.in, func(x piece) bool { return x.text == "." }); !puts || strings.HasPrefix(rest, "[") || ours == rest && !calls {
		return text, nil, wrong
	}
	return ours, []Reading{{Typed: text, Ours: ours, Or: a.or}}, nil
}

// AsksOdds says whether a text asks for odds without the word: chance of 3d6 >= 10.
func AsksOdds(text string) bool {
	_, a := ask(text)
	return AsksSeveral(text) || a.chance
}

// Beside gives the values that stand in a text with commas between them; none where it is anything else.
func Beside(text string) (values []string) {
	src := NewSource("", "["+strings.TrimSpace(text)+"]")
	x, ds := ParseExpr(src)
	if list, ok := x.(*List); ok && len(ds) == 0 && !strings.Contains(src.Text, "\n") {
		for _, e := range list.Elems {
			values = append(values, src.Text[e.Range().Start:e.Range().End])
		}
	}
	return values
}

// AsksSeveral says whether a text asks for the odds of several dice beside one another: a program of AnyDice, or
// compare 2d6 3d4.
func AsksSeveral(text string) bool {
	return anydice.IsProgram(text) || strings.HasPrefix(strings.TrimSpace(text), "compare ")
}
