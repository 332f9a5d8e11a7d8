package repl

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/lang"
)

// A roll of two dice in the place of one: 5 falls for its first die as it fell, 7 is the
// die that was given and had not fallen, and for the roll behind it 6 falls as it fell.
// 5 + 6 is 11; 5 + 7 + 6 is 18. While the course is open the evening cannot go on.
func TestWhatIf(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 5 6 7", "roll", "roll", ":what-if 2 roll twice", "roll", ":undo", ":state Hero", ":keep", "Hero.n", ":undo", "Hero.n", ":redo", "Hero.n", ":undo", "roll")
	said(t, got[strings.Index(got, "> :what-if"):], `
> :what-if 2 roll twice
instead of: roll
if   from here on, new dice are thrown
     Hero: roll
was    d12                      5
was    d12                     +5
was    total                    5   counted
was    Hero: n 0 -> 5   tiny.count.face
if     2d12                  5, 7
if     d12                     +7
if     d12                     +5
if     total                   12   counted
if     Hero: n 0 -> 7   tiny.count.face
if     Hero: n 7 -> 12   tiny.count.face
     Hero: roll
was    total                   11   counted
was    Hero: n 5 -> 11   tiny.count.face
if     total                   18   counted
if     Hero: n 12 -> 18   tiny.count.face
  how it stands   was   if
  Hero n          11    18
2 dice as before; new dice: d12 for count (Hero)
nothing has changed yet: :keep takes this course, :drop leaves the evening as it was
> roll
another course is open: :keep takes it, :drop leaves the evening as it was
> :undo
another course is open: :keep takes it, :drop leaves the evening as it was
> :state Hero
  Hero   n 11 · luck 2
> :keep
kept: roll twice; :undo takes that back
Hero: roll
  2d12                  5, 7
  d12                     +7
  d12                     +5
  total                   12   counted
  Hero: n 0 -> 7   tiny.count.face
  Hero: n 7 -> 12   tiny.count.face
Hero: roll
  d12                      6
  d12                     +6
  total                   18   counted
  Hero: n 12 -> 18   tiny.count.face
> Hero.n
18
> :undo
undone: :what-if roll twice
> Hero.n
11
> :redo
redone: :what-if roll twice
> Hero.n
18
> :undo
undone: :what-if roll twice
> roll
  d12                      7
  d12                     +7
  total                   18   counted
  Hero: n 11 -> 18   tiny.count.face
> 
`)
}

// An answer is another one: 4 is doubled, and the die behind it falls as it fell. 4 + 9 is
// 13, 8 + 9 is 17, and the doubling costs one of two points of luck.
func TestWhatIfAnswered(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 4 9", "roll", "double", "n", "roll", ":what-if 2 yes", ":drop", ":what-if 2.1 y", ":keep", "Hero.n", "Hero.luck", ":save "+filepath.Join(t.TempDir(), "s.scene"))
	differs := `
  how it stands   was   if
  Hero n          13    17
  Hero luck       2     1
1 die as before
`
	if strings.Count(got, differs[1:]) != 2 || !strings.Contains(got, "instead of: Hero: Double it? 1 luck, 1 left after it.  no\n") {
		t.Error(got)
	}
	if !strings.Contains(got, "> Hero.n\n17\n> Hero.luck\n1\n") || strings.Contains(got, "warning") {
		t.Error(got)
	}
}

// A second :what-if is compared with the evening, not with the first, and a line may be
// one that there is no entry for any more.
func TestWhatIfAgain(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 5 6", "roll", "roll", ":what-if roll twice", ":what-if Hero.n = 40", ":keep", "Hero.n", ":what-if Hero.n = 41", ":keep", "Hero.n", ":undo", "Hero.n", ":undo", "Hero.n")
	for _, want := range []string{
		"> :what-if Hero.n = 40\ninstead of: roll\n",
		"  Hero n          11    40\n",
		"instead of: Hero.n = 40\n",
		"  Hero n          40    41\n",
		"> Hero.n\n41\n> :undo\nundone: :what-if Hero.n = 41\n> Hero.n\n40\n> :undo\nundone: :what-if Hero.n = 40\n> Hero.n\n11\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// What the rules refuse in the other course is left out of it, and said.
func TestWhatIfRefused(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 5 1", "roll", "roll", `if Hero.n > 6 { refuse "too many" }`, "Hero.luck = 1", ":what-if 3 Hero.n = 9", ":keep", "Hero.n", "Hero.luck", ":undo", "Hero.n")
	for _, want := range []string{
		"left out, as the rules refuse it then: if Hero.n > 6 { refuse \"too many\" } (too many)\n",
		"> Hero.n\n9\n> Hero.luck\n1\n> :undo\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// What cannot be tried is said in plain words, and the evening is as it was.
func TestWhatIfMistakes(t *testing.T) {
	got, _ := talk(t, nil, ":what-if roll", ":keep", ":drop", "use tiny", "dice 5", "roll", ":what-if", ":what-if 7 roll", ":what-if 0 roll", ":what-if rol twice", ":what-if sulk", ":what-if roll", ":what-if :undo", ":what-if 1.1 yes",
		"double", "n", ":what-if maybe", ":what-if 1.2 yes", ":what-if 1.1 maybe", ":what-if n", "Hero.n")
	for _, want := range []string{
		"> :what-if roll\nthere is nothing to change: no entry has changed anything yet\n",
		"> :keep\nno other course is open: :what-if LINE tries one\n> :drop\nno other course is open: :what-if LINE tries one\n",
		"> :what-if\ntype what you would have typed instead: :what-if LINE, or :what-if 3 LINE for the third line from the end\n",
		"> :what-if 7 roll\nthere are 3 entries to change, so there is none with the number 7 from the end\n",
		"> :what-if 0 roll\nthere are 3 entries to change, so there is none with the number 0 from the end\n",
		"there is no verb rol\n   1 | rol twice\n     | ^^^ did you mean roll?\nthe evening is as it was\n",
		"nobody sulks here",
		"> :what-if roll\nthat is the line as it was: roll\n",
		"> :what-if :undo\nonly a line of the game can be another one, not :undo\n",
		"> :what-if 1.1 yes\nnothing was asked in that entry: roll\n",
		"there is no verb maybe\n",
		"> :what-if 1.2 yes\nthere was 1 answer in that entry: double\n",
		"> :what-if 1.1 maybe\nHero: Double it? 1 luck, 1 left after it.   type yes or no\n",
		"> :what-if n\nHero: Double it? 1 luck, 1 left after it.   that is what was answered: no\n",
		"> Hero.n\n5\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// Where the other course asks what was not asked, the person is asked; :drop and Ctrl-C
// end it, and the evening is as it was.
func TestWhatIfAsks(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 4 9", "roll", "roll", ":what-if 2 double", ":drop", "Hero.n", ":what-if 2 double", "^C", "Hero.n", ":what-if 2 roll; double", ":undo", "y", ":keep", "Hero.n")
	for _, want := range []string{
		"Hero: Double it? 1 luck, 1 left after it. [y/N] :drop\ndropped; the evening is as it was\n> Hero.n\n13\n",
		"[y/N] ^C\nstopped; the evening is as it was\n> Hero.n\n13\n",
		"[y/N] :undo\n:undo cannot be used in a course that is only tried out: answer, or type :drop\n",
		"  Hero n          13    17\n",
		"> Hero.n\n17\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// Dice that the person typed stay what they were, one of them may be another, and what is
// new is asked for. 7 + 3 is 10; 9 + 3 is 12; 7 + 2 + 3 is 12.
func TestWhatIfDiceOfTheTable(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", ":dice ask", "roll", "7", "roll", "3", ":what-if 2 9", ":drop", ":what-if 2 13", ":what-if 2 roll twice", "2", ":keep", "Hero.n", "roll", "1", "Hero.n")
	for _, want := range []string{
		"instead of: d12 for count (Hero)  7\n",
		"  Hero n          10    12\n1 die as before\n",
		"what if:\nHero: roll\nd12 for count (Hero): 2\n",
		"  Hero n          10    12\n2 dice as before; new dice: d12 for count (Hero)\n",
		"> Hero.n\n12\n> roll\nHero: roll\nd12 for count (Hero): 1\n",
		"> Hero.n\n13\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// three is a script that asks three times. Each round a die falls, and another for who
// jumps.
const three = `sheet guest { n number }
guest Ann {}
for k in 1..3 {
  let way = choose way by Ann from ["stay", "jump"] "Round {k}:" default "stay"
  let d = (throw d6 for "luck").face
  if way == "jump" { d += (throw d6 for "the jump").face }
  Ann.n += d
  print "round {k}: {Ann.n}"
}
`

// played plays three with dice given ahead, and gives what was shown.
func played(j *journal.Journal, c *journal.Content, lines ...string) string {
	return playedTo(func() {}, j, c, lines...)
}

// playedTo calls something when the lines are used up.
func playedTo(end func(), j *journal.Journal, c *journal.Content, lines ...string) string {
	var out strings.Builder
	in := &typing{lines: lines, out: &out, onEnd: func() error {
		end()
		return io.ErrUnexpectedEOF // killed
	}}
	cfg := Config{Lines: in, Out: &out, Journal: j, Resume: c, Script: true, Session: interp.Config{Seed: 1, Dice: []int{1, 2, 3, 4}}}
	New(cfg).Play(lang.NewSource("three.scene", three))
	return out.String()
}

// The first answer of two is another one: 1 falls as it fell, the jump takes the next of
// the dice given ahead, 3, and 2 falls as it fell. 1 + 2 is 3, 1 + 3 + 2 is 6. Behind :keep
// 4 is the die that is left; without it 3 is.
func TestWhatIfInPlay(t *testing.T) {
	const asks = "Round 3:\n  1  stay   (Enter)\n  2  jump\n1-2: "
	differs := `
instead of: Ann: Round 1:  stay
was    Ann: Round 1: stay
was    Ann: n 0 -> 1
was  round 1: 1
if     Ann: Round 1: jump
if   from here on, new dice are thrown
if     Ann: n 0 -> 4
if   round 1: 4
was    Ann: n 1 -> 3
was  round 2: 3
if     Ann: n 4 -> 6
if   round 2: 6
  how it stands   was   if
  Ann n           3     6
2 dice as before; new dice: d6 for the jump
nothing has changed yet: :keep takes this course, :drop leaves the evening as it was
Ann: ` + asks
	for _, c := range []struct {
		name  string
		typed []string
		shown []string
	}{
		{"dropped", []string{"1", "1", ":what-if 2 jump", "1", ":drop", "1"}, []string{
			differs, "1\n  another course is open: :keep takes it, :drop leaves the evening as it was\n1-2: :drop\ndropped; the evening is as it was\n1-2: 1\n  Ann: Round 3: stay\n  Ann: n 3 -> 6\nround 3: 6\n",
		}},
		{"kept", []string{"1", "1", ":what-if 2 jump", ":keep", "1"}, []string{
			differs, ":keep\nkept: jump; :undo takes that back\n  Ann: Round 1: jump\n  Ann: n 0 -> 4\nround 1: 4\n  Ann: Round 2: stay\n  Ann: n 4 -> 6\nround 2: 6\nAnn: " + asks + "1\n  Ann: Round 3: stay\n  Ann: n 6 -> 10\nround 3: 10\n",
		}},
		{"taken back", []string{"1", "1", ":what-if 2 jump", ":keep", ":undo", "1"}, []string{":undo\ntaken back: 1 answer: :what-if jump\nAnn: " + asks + "1\n  Ann: Round 3: stay\n  Ann: n 3 -> 6\nround 3: 6\n"}},
		{"given again", []string{"1", "1", ":what-if 2 jump", ":keep", ":undo", ":redo", "1"}, []string{":redo\nAnn: " + asks + "1\n  Ann: Round 3: stay\n  Ann: n 6 -> 10\nround 3: 10\n"}},
		{"an answer behind it taken back", []string{"1", ":what-if jump", ":keep", "1", ":undo", "2"}, []string{"round 2: 10\n"}}, // 1 + 2, then 3 + 4
		{"twice", []string{"1", "1", ":what-if 2 jump", ":keep", ":what-if jump", ":keep", ":undo", ":undo", "1"}, []string{
			"was  round 2: 6\n", "if   round 2: 10\n", "round 3: 6\n",
		}},
		{"none yet", []string{":what-if jump"}, []string{"this is the first question: there is no answer to change\n"}},
		{"what is none", []string{"1", ":what-if", ":what-if walk", ":what-if 2 jump", ":what-if stay", ":what-if 1.1 jump"}, []string{
			":what-if\ntype what you would have answered instead: :what-if ANSWER, or :what-if 3 ANSWER for the third answer from the end\n",
			"Ann: Round 1:   type a number from 1 to 2 or an option's name\n",
			"there is 1 answer to change, so there is none with the number 2 from the end\n",
			"Ann: Round 1:   that is what was answered: stay\n",
			"count the answers alone here: :what-if 1 jump\n",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := played(nil, nil, c.typed...)
			for _, want := range c.shown {
				if !strings.Contains(got, strings.TrimPrefix(want, "\n")) {
					t.Errorf("never saw %q in\n%s", want, got)
				}
			}
		})
	}
}

// Wherever an evening is cut off, at any record of its journal or in the middle of one,
// with another course open or behind :keep, what goes on ends as the whole evening did.
func TestResumeWhatIf(t *testing.T) {
	for _, lines := range [][]string{
		{"1", "1", ":what-if 2 jump", ":keep", "1"},
		{"1", "1", ":what-if 2 jump", ":drop", ":what-if 1 jump", ":keep", ":undo", ":what-if 2 jump", "2", ":what-if 1 jump", ":keep", "2"},
		{"1", ":what-if 1 jump", ":keep", "1", ":undo", ":undo", "2", ":what-if 2 jump", ":keep", ":what-if 1 stay", ":keep", ":undo", "1"},
	} {
		path := filepath.Join(t.TempDir(), "whole.jsonl")
		j, err := journal.Create(path, journal.Head{Kind: journal.Play, Seed: 1, Dice: []int{1, 2, 3, 4}})
		if err != nil {
			t.Fatal(err)
		}
		want := lastLine(played(j, nil, lines...))
		if !strings.HasPrefix(want, "round 3: ") {
			t.Fatal(want)
		}
		// The script is over and its journal gone: it is written once more, and kept as it is
		// before the last answer.
		kept := path + "l"
		j, _ = journal.Create(path, journal.Head{Kind: journal.Play, Seed: 1, Dice: []int{1, 2, 3, 4}})
		onEnd := func() {
			if err := os.Link(path, kept); err != nil {
				t.Error(err)
			}
		}
		playedTo(onEnd, j, nil, lines[:len(lines)-1]...)
		cutEverywhere(t, kept, func(cut string, typed int) {
			j, past, err := journal.Reopen(cut)
			if err != nil {
				t.Fatal(err)
			}
			if got := lastLine(played(j, past, lines[typed:]...)); got != want {
				t.Errorf("%q, gone on with %q: %s, not %s", lines, lines[typed:], got, want)
			}
		}, "input")
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// cutEverywhere cuts a journal off behind each record, and in the middle of the next, and
// says for how many lines typed it stands. Records of the kinds in free stand for none. The
// short form does one of the two at each record.
func cutEverywhere(t *testing.T, path string, do func(cut string, typed int), free ...string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	typed := 0
	for n := 1; n <= len(records); n++ {
		for _, torn := range []bool{false, true} {
			text := strings.Join(records[:n], "")
			switch {
			case torn && n == len(records):
				continue
			case torn != (n%2 == 1) && n < len(records) && !longTests:
				continue
			case torn:
				text += records[n][:len(records[n])/2]
			case n == len(records):
				text += "\n"
			}
			cut := filepath.Join(t.TempDir(), fmt.Sprintf("cut%d.jsonl", n))
			if err := os.WriteFile(cut, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			do(cut, typed)
		}
		if n == len(records) {
			break
		}
		typed++
		for _, kind := range free {
			if strings.HasPrefix(records[n], `{"`+kind+`"`) {
				typed--
			}
		}
	}
}

// The same at the prompt: a course open, with an answer that was typed for it, kept, taken
// back and given again.
func TestResumeWhatIfAtThePrompt(t *testing.T) {
	lines := []string{
		"use tiny", "dice 4 9 2", "roll", "roll", ":what-if 2 roll; double", "y", ":keep", "roll", ":undo 2", ":redo", ":what-if 1 double", "n", ":drop", ":what-if 2 roll twice", ":keep", "double", "y",
	}
	final := []string{"Hero.n", "roll", "Hero.n", ":undo 3", "Hero.n", ":redo 2", "Hero.n"}
	path := filepath.Join(t.TempDir(), "whole.jsonl")
	j, err := journal.Create(path, journal.Head{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := talk(t, func(c *Config) { c.Journal = j }, append(lines[:len(lines):len(lines)], final...)...)
	want := whole[strings.LastIndex(whole, "> :undo 3\n"):]
	j, _ = journal.Create(path+"l", journal.Head{Seed: 1})
	talk(t, func(c *Config) { c.Journal = j }, lines...)
	cutEverywhere(t, path+"l", func(cut string, typed int) {
		if typed > len(lines) {
			return // the person left
		}
		got := takeUp(t, cut, nil, append(lines[typed:len(lines):len(lines)], final...)...)
		if i := strings.LastIndex(got, "> :undo 3\n"); i < 0 || got[i:] != want {
			t.Errorf("gone on with %q:\n%s\nnot\n%s", lines[typed:], got, want)
		}
	}, "done", "nothing", "file")
}
