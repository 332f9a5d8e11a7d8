package evening_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
	"setpiece/stdlib"
)

// typist types a line at each question, as at the prompt, and leaves where there is none any more.
type typist struct {
	v      *evening.Evening
	lines  []string
	told   []string // what happened and is new
	asked  []string // the titles of the questions
	faults []string
	pause  bool
}

func (h *typist) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	h.asked = append(h.asked, q.Title)
	if len(h.lines) == 0 {
		h.pause = true
		return interp.Answer{}, evening.ErrLeft
	}
	line := h.lines[0]
	h.lines = h.lines[1:]
	who, own := strings.CutPrefix(line, ":dice ask ")
	ahead, said := strings.CutPrefix(line, ":ahead ")
	var err error
	switch {
	case line == ":undo":
		err = h.v.TakeBack(1)
	case line == ":redo":
		err = h.v.GiveAgain(1)
	case own, said:
		if own {
			ahead = interp.OwnDice(who)
		}
		if err = h.v.Hand(ahead, own); err == nil {
			return h.Ask(context.Background(), q)
		}
	case h.v.Declares(line):
		err = h.v.Declare(line)
	case h.v.OfTable(line) && q.Kind != evening.Command:
		err = h.v.Meanwhile(line)
	default:
		a, err := q.Read(line)
		if err != nil {
			h.faults = append(h.faults, err.Error())
			return h.Ask(context.Background(), q)
		}
		return a, nil
	}
	if !errors.Is(err, evening.ErrMoved) {
		h.faults = append(h.faults, fmt.Sprint(line, ": ", err))
		return h.Ask(context.Background(), q)
	}
	return interp.Answer{}, err
}

func (h *typist) Event(e *interp.Event, again bool) {
	if !again && e.Depth == 0 {
		h.told = append(h.told, fmt.Sprint(e.Kind, " ", e.Verb, " ", e.Text, e.Value))
	}
}

func (h *typist) Tell(n evening.Notice) {
	switch n := n.(type) {
	case evening.NotDone:
		h.faults = append(h.faults, n.Why.Error())
	case evening.TakenBack:
		for _, x := range n.Said {
			h.told = append(h.told, "back "+x.Answer+strings.TrimPrefix(fmt.Sprint(x.Entry.Hand), "<nil>"))
		}
	}
}
func (h *typist) Settle() error { return nil }

// A scene in which Ann was asked for a command is over; in the next one a roll of the script asks how hard it is. What is
// typed there counts from there: it is done in this scene, the same question comes again, and nothing of the scene
// before is told again. :undo takes back what was typed last, whatever it was. The evening is the same when it is taken up again.
func TestByHandAtARollOfTheScript(t *testing.T) {
	const cast = "cast %s { STRENGTH 2, DEXTERITY 3, PERCEPTION 2; NOTICE 2; life 30; drama 1 }\n"
	script := "use unisystem\n" + fmt.Sprintf(cast, "Ann") + fmt.Sprintf(cast, "Cid") + `
scene "One" { heroes Ann; turn }
scene "Two" {
  heroes Ann
  repeat 2 { Ann: roll PERCEPTION + NOTICE }
  report Ann.drama
  report Cid.present
}
`
	const hard = "Game Master: How hard is it?"
	for _, c := range []struct {
		lines       string // at Ann's turn, and behind it; a roll is how hard it is, and a Drama Point
		drama, here string // at the end
		asked       int    // so often how hard it is
	}{
		{"pass roll roll", "1", "no", 2},
		{"pass / give 2 drama to Ann / roll roll", "3", "no", 3},
		{"pass / Ann.drama = 3 / roll roll", "3", "no", 3},
		{"pass / average / Ann.drama = 3 / 0 / roll", "3", "no", 2}, // average is said again
		{"pass / heroes Cid / roll roll", "1", "yes", 3},
		{"pass roll heroes Cid / roll", "1", "yes", 3},
		{"pass / average / heroes Cid / 0 / roll", "1", "yes", 2},
		{"pass / heroes Cid / give 2 drama to Ann / :undo / roll roll", "1", "yes", 5}, // not: heroes Cid
		{"pass / give 2 drama to Ann / heroes Cid / :undo / :undo / roll roll", "1", "no", 6},
		{"pass / average / give 2 drama to Ann / :undo / :undo / roll roll", "1", "no", 3}, // average is typed before it
		{"pass / give 2 drama to Ann / :undo / :redo / roll roll", "3", "no", 5},
		{"pass / :dice ask Ann / give 2 drama to Ann / roll 5 / roll 5", "3", "no", 4},
		{"pass / :dice ask Ann / give 2 drama to Ann / :undo / :undo / roll roll", "1", "no", 6},
		{"pass / :ahead difficulty: challenging / give 2 drama to Ann / roll 0", "3", "no", 3}, // in advance for the next roll
		{"pass / cast Bob { STRENGTH 2; life 30; drama 1 } / heroes Bob / give 2 drama to Ann / :undo / :undo / :undo / roll roll", "1", "no", 8},
		{"pass / exit Cid / roll roll", "1", "no", 3}, // refused
	} {
		lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(c.lines, "roll", "/ average / 0 /"), "/ /", "/"), "/")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		var kept evening.Memory
		h := &typist{lines: lines}
		cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 4, Quiet: interp.QuietUsual}}
		h.v = evening.Begin(cfg)
		if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil || h.pause || len(h.lines) > 0 || len(h.faults) != strings.Count(c.lines, "exit") {
			t.Errorf("%s: %v; left %t, lines %q, %q, asked %q", c.lines, err, h.pause, h.lines, h.faults, h.asked)
			continue
		}
		if n := strings.Count(strings.Join(h.asked, "\n"), hard); n != c.asked {
			t.Errorf("%s: asked %d times how hard it is: %q", c.lines, n, h.asked)
		}
		if told := strings.Join(h.told, "\n"); strings.Count(told, "span scene One") != 1 || strings.Count(told, "span scene Two") != 1 || strings.Count(told, "turn 1") != 1 {
			t.Errorf("%s: told %q", c.lines, h.told)
		}
		if got := fmt.Sprint(h.told[len(h.told)-3 : len(h.told)-1]); got != fmt.Sprintf("[report  Ann.drama%s report  Cid.present%s]", c.drama, c.here) {
			t.Errorf("%s: ends with %s", c.lines, got)
		}
		again := &typist{}
		cfg.Host, cfg.Store = again, nil
		again.v, _ = evening.Resume(context.Background(), cfg, kept)
		if err := again.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil || fmt.Sprint(state(again.v)) != fmt.Sprint(state(h.v)) {
			t.Errorf("%s: taken up again: %v %v\nnot %v", c.lines, err, state(again.v), state(h.v))
		}
	}
}

// What is done by hand in the middle of an entry stands in the script that the evening is saved as, at its moment: before
// a roll, and where it cuts the scene; in a turn it is one of its commands. The moments of the first entry are the scene's
// command, its begin, heroes, and the rolls. That script gives the same state, and tells the same.
func TestSavedWithWhatIsDoneByHand(t *testing.T) {
	const cast = "use unisystem\ncast Ann { STRENGTH 2, PERCEPTION 2; NOTICE 2; life 30; drama 1; base 3 }\ncast Cid { PERCEPTION 2; life 30; drama 1; base 3 }\n"
	const rolls = "scene \"One\" { heroes Ann; repeat 2 { Ann: roll PERCEPTION + NOTICE }; print \"kept\" }\n"
	const turns = "scene \"Two\" { heroes Ann; turn; turn; print \"kept\" }\n"
	for _, c := range []struct{ entry, lines, by string }{
		{rolls, "average / give 2 drama to Ann / 0 / average / 0", "commands at 4 \"give 2 drama to Ann\""},
		{rolls, "average / 0 / give 2 drama to Ann / average / 0", "commands at 5 \"give 2 drama to Ann\""},
		{rolls, "give 1 drama to Ann / give 2 damage to Ann / average / 0 / average / 0", "commands at 4 \"give 1 drama to Ann\"\ncommands at 5 \"give 2 damage to Ann\""},
		{rolls, "average / 0 / cut", "commands at 5 \"cut\""},
		{turns, "pass / heroes Cid / pass", "commands \"heroes Cid\""},
		{turns, "give 2 drama to Ann / pass / Ann.drama = 5 / pass", "commands \"Ann.drama = 5\""},
		{turns, "cut", "commands \"cut\""},
	} {
		h := &typist{lines: strings.Split(c.lines, " / ")}
		h.v = evening.Begin(evening.Config{Host: h, Session: interp.Config{Modules: stdlib.FS, Seed: 4}})
		ctx := context.Background()
		for _, text := range []string{cast, c.entry, "print Ann.drama"} {
			if err := h.v.Enter(ctx, text); err != nil || h.pause || len(h.faults) > 0 {
				t.Fatalf("%s: %v %v %q", c.lines, err, h.pause, h.faults)
			}
		}
		script := h.v.Script(false)
		if d, err := h.v.Differs(ctx, "saved.scene", script); d != nil || err != nil || !strings.Contains(script, c.by) || len(h.lines) > 0 {
			t.Errorf("%s: %v %v, left %q\n%s", c.lines, d, err, h.lines, script)
		}
	}
}

// A scene of the script is cut at a question: a roll that nobody has thrown for is not made, one that is thrown is
// finished, and nothing else of the scene happens. The next one goes on; the evening is the same when it is taken up
// again there.
func TestCutInASceneOfTheScript(t *testing.T) {
	for _, c := range []struct{ system, cast, roll string }{
		{"cah", "hero Ann { star 3; FIST 3 }", "Ann: roll FIST vs DN 30"},
		{"firefly", "crew Ann { MENTAL d8; FIGHT d6; pp 1 }", "Ann: roll MENTAL + FIGHT vs easy + d8"},
		{"marvel", "hero Ann { solo d8; pp 1 }", "Ann: roll solo vs doom"},
		{"unisystem", "cast Ann { PERCEPTION 2; NOTICE 2; life 30; drama 1 }", "Ann: roll PERCEPTION + NOTICE"},
		{"clichenimatic", "hero Ann { FIST +3; KICK +2; resolve 3 }\ntask Wall { essence 20; challenge none }", "trial Wall"},
	} {
		script := "use " + c.system + "\n" + c.cast + "\nscene \"One\" {\n  heroes Ann\n  repeat 2 { " + c.roll + " }\n  print \"lost\"\n}\nscene \"Two\" {\n  heroes Ann\n  print \"kept\"\n  " + c.roll + "\n}\n"
		for _, first := range []bool{true, false} {
			var kept evening.Memory
			h := &cuts{first: first}
			cfg := evening.Config{Host: h, Store: &kept, Dice: true, Session: interp.Config{Modules: stdlib.FS, Seed: 4}}
			h.v = evening.Begin(cfg)
			if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); !errors.Is(err, evening.ErrLeft) {
				t.Errorf("%s: %v", c.system, err)
			}
			told := strings.Join(h.told, "\n")
			if strings.Contains(told, "lost") || !strings.Contains(told, "kept") || !strings.Contains(told, "note  the scene ends here") {
				t.Errorf("%s: threw %d times, told %q", c.system, h.threw, h.told)
			}
			before, _, _ := strings.Cut(told, "note  the scene")
			rolls, want := strings.Count(before, "\ncheck "), 1
			if first && c.system != "firefly" { // there the first question is behind dice
				want = 0
			}
			if c.system != "clichenimatic" && rolls != want {
				t.Errorf("%s: cut first %t: %d rolls, %q", c.system, first, rolls, h.told)
			}
			again := &typist{}
			cfg.Host, cfg.Store = again, nil
			again.v, _ = evening.Resume(context.Background(), cfg, kept)
			if err := again.v.Play(context.Background(), lang.NewSource("x.scene", script)); !again.pause || fmt.Sprint(state(again.v)) != fmt.Sprint(state(h.v)) {
				t.Errorf("%s: taken up again: %v %v\nnot %v", c.system, err, state(again.v), state(h.v))
			}
		}
	}
}

// cuts cuts the first scene at its first question, or at the first one behind its dice, and leaves in the second.
type cuts struct {
	typist
	first bool
	cut   bool
	threw int
}

func (h *cuts) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	switch {
	case slices.ContainsFunc(h.told, func(s string) bool { return strings.HasSuffix(s, "kept") }):
		return interp.Answer{}, evening.ErrLeft
	case !h.cut && (h.first || h.threw > 0):
		h.cut = true
		return interp.Answer{}, h.v.Meanwhile("cut")
	case q.Kind == evening.Dice:
		h.threw++
		return q.Read(strings.Repeat("3 ", len(q.Sizes)))
	}
	return q.Read("")
}

// A scene that is cut at somebody's turn asks nobody else.
func TestCutAtATurn(t *testing.T) {
	const turns = "for h in heroes { turn h }"
	for _, c := range []struct{ system, sheet, turn string }{
		{"cah", "hero %s { star 3; FIST 3 }", turns}, {"firefly", "crew %s { MENTAL d8; pp 1 }", turns},
		{"marvel", "hero %s { solo d8; pp 1 }", turns}, {"unisystem", "cast %s { PERCEPTION 2; life 30; base 5 }", "turn"},
	} {
		h := &cutOnce{}
		h.v = evening.Begin(evening.Config{Host: h, Session: interp.Config{Modules: stdlib.FS, Seed: 4}})
		script := fmt.Sprintf("use %s\n"+c.sheet+"\n"+c.sheet+"\nscene \"One\" { heroes Ann, Bob; %s; print \"lost\" }\nprint \"kept\"\n", c.system, "Ann", "Bob", c.turn)
		if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil {
			t.Errorf("%s: %v", c.system, err)
		}
		if told := strings.Join(h.told, "\n"); h.asked != 1 || strings.Contains(told, "lost") || !strings.Contains(told, "kept") {
			t.Errorf("%s: asked %d times, told %q", c.system, h.asked, h.told)
		}
	}
}

// cutOnce cuts the scene at the first question.
type cutOnce struct {
	typist
	asked int
}

func (h *cutOnce) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	if h.asked++; h.asked == 1 {
		return interp.Answer{}, h.v.Meanwhile("cut")
	}
	return interp.Answer{Command: new(string)}, nil
}

// Where somebody is asked who acts next, the turn before is over: what is done by hand comes behind it.
func TestByHandBetweenTurns(t *testing.T) {
	const script = `use marvel
hero Ann { solo d6 }
hero Ben { solo d12 }
watcher V { solo d6 }
watcher W { solo d6 }
scene "S" action { heroes Ann, Ben; villains V, W; order Ben; dice 11 1; fight }
print "{V.stress}"
`
	for lines, want := range map[string]string{
		"attack V/cut":                   `{"physical": d8}`, // d4, and 11 ahead is two steps up
		"attack V/clear stress of V/cut": "{}",
		"attack V/hero Cay { solo d6 }/heroes Cay/step back stress physical of V/cut": `{"physical": d6}`,
	} {
		h := &typist{lines: strings.Split(lines, "/")}
		h.v = evening.Begin(evening.Config{Host: h, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Quiet: interp.QuietUsual, Ask: []string{"heroes"}}})
		if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil || h.pause || len(h.lines) > 0 || len(h.faults) > 0 {
			t.Errorf("%s: %v; left %t, lines %q, %q, asked %q", lines, err, h.pause, h.lines, h.faults, h.asked)
		} else if got := h.told[len(h.told)-1]; got != "print  "+want {
			t.Errorf("%s: %q, want %q: %q", lines, got, want, h.told)
		}
	}
}

// A trait that the rules know comes onto a sheet that lacks it, at a turn and at a question, where what was said before
// stays; taken back, it is not on the sheet.
func TestTraitByHand(t *testing.T) {
	const script = `use unisystem
cast Hank { DEXTERITY 3; drama 1; life 30; base 5 }
adversary Foe { combat 12; life 30; base 20 }
scene "pier" { fight turns 1 }
print "{[t.rating for t in Hank.traits]}"
`
	for lines, want := range map[string]string{
		"attack Foe/Hank.KUNG_FU = 4/0/0":                   "print  [3, 4]",
		"Hank.KUNG_FU = 4/attack Foe/0/0":                   "print  [3, 4]",
		"attack Foe/0/Hank.KUNG_FU = 4/0":                   "print  [3, 4]",
		"Hank.KUNG_FU = 4/:undo/attack Foe/0/0":             "print  [3]",
		"attack Foe/Hank.KUNG_FU = 4/:undo/:undo/:redo/0/0": "print  [3]",
	} {
		h := &typist{lines: strings.Split(lines, "/")}
		h.v = evening.Begin(evening.Config{Host: h, Session: interp.Config{Modules: stdlib.FS, Seed: 4, Quiet: interp.QuietUsual, Ask: []string{"heroes"}}})
		if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil || h.pause || len(h.lines) > 0 || len(h.faults) > 0 {
			t.Errorf("%s: %v; left %t, lines %q, %q, asked %q", lines, err, h.pause, h.lines, h.faults, h.asked)
		} else if got := h.told[len(h.told)-1]; got != want {
			t.Errorf("%s: %q, want %q: %q", lines, got, want, h.told)
		}
	}
}

// Whoever is asked says in each Turn of a chase what they do: Enter is the usual roll, another roll takes its place. The
// game master changes the lead, or what a roll adds, for this Turn. A cut before a die has fallen makes no roll.
func TestChaseAsks(t *testing.T) {
	const script = `use unisystem
cast Nell { STRENGTH 2, DEXTERITY 3; SPORTS 3; drama 1 }
adversary Foe { combat 30 }
scene "quay" { chase Nell from Foe lead 2 }
print "{Table.lead}"
`
	for lines, want := range map[string]string{
		"race/0/race/0":                             "1 Nell runs, 0 Nell runs", // nobody is faster than 30
		"roll STRENGTH + SPORTS/0/race/0":           "1 Nell roll, 0 Nell runs",
		"lead 4/race/0/race/0/race/0/race/0":        "3 Nell runs, 2 Nell runs, 1 Nell runs, 0 Nell runs",
		"Foe.combat = 8/race/0/race/0/race/0":       "3 Nell runs, 4 Nell runs, 5 Nell runs",
		"Nell.pace = -30/Foe.combat = 8/race/0/cut": "2 Nell runs, ", // both fail
		"cut":      "",
		"race/cut": "",
	} {
		h := &typist{lines: strings.Split(lines, "/")}
		var got []string
		h.v = evening.Begin(evening.Config{Host: h, Session: interp.Config{Modules: stdlib.FS, Seed: 4, Quiet: interp.QuietUsual, Ask: []string{"heroes"}}})
		if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil || h.pause || len(h.lines) > 0 || len(h.faults) > 0 {
			t.Errorf("%s: %v; left %t, lines %q, %q, asked %q", lines, err, h.pause, h.lines, h.faults, h.asked)
			continue
		}
		rolled := ""
		for _, x := range h.told {
			switch {
			case x == "check runs ", x == "check roll ":
				rolled = "Nell " + strings.Fields(x)[1]
			case strings.HasPrefix(x, "note  lead ") && strings.Contains(x, ","): // not by hand
				lead, _, _ := strings.Cut(strings.TrimPrefix(x, "note  lead "), ",")
				got = append(got, lead+" "+rolled)
			}
		}
		if text := strings.Join(got, ", "); text != strings.TrimSuffix(want, ", ") {
			t.Errorf("%s: %q, want %q: %q", lines, text, want, h.told)
		}
	}
}

// A question that is open when something is done by hand is asked again, also where the answer is usual by then, and where the
// evening is taken up. The next one is not.
func TestOpenQuestionStays(t *testing.T) {
	const script = `use unisystem
cast Nell { STRENGTH 2, DEXTERITY 3; SPORTS 3; drama 2 }
adversary Foe { combat 8 }
scene "quay" { chase Nell from Foe lead 2 }
`
	cfg := evening.Config{Session: interp.Config{Modules: stdlib.FS, Seed: 4, Quiet: interp.QuietUsual, Ask: []string{"heroes"}}}
	var kept evening.Memory
	h := &typist{lines: []string{"race", "Nell.pace = 2"}}
	cfg.Host, cfg.Store = h, &kept
	h.v = evening.Begin(cfg)
	h.v.Play(context.Background(), lang.NewSource("x.scene", script))
	asked := func(h *typist) (n int) {
		for _, title := range h.asked {
			if strings.Contains(title, "Drama Point") {
				n++
			}
		}
		return n
	}
	if !h.pause || len(h.faults) > 0 || asked(h) != 2 || !strings.Contains(h.asked[len(h.asked)-1], "Drama Point") {
		t.Fatalf("left %t, %q, asked %q", h.pause, h.faults, h.asked)
	}
	for _, answer := range []string{"0", "10"} {
		again := &typist{lines: []string{answer, "Nell.pace = 2", "race", "cut"}}
		cfg.Host, cfg.Store = again, nil
		again.v, _ = evening.Resume(context.Background(), cfg, kept)
		err := again.v.Play(context.Background(), nil)
		if err != nil || again.pause || len(again.faults) > 0 || asked(again) != 1 || !strings.Contains(again.asked[0], "Drama Point") {
			t.Errorf("%s: %v, left %t, %q, asked %q", answer, err, again.pause, again.faults, again.asked)
		}
	}
}
