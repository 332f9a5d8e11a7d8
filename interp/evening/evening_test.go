package evening_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/evening"
)

// table is a host that does at each question what a list of lines says: an answer, or after a "!"
// what changes the course of the evening. Behind the last line it leaves.
type table struct {
	e     *evening.Evening
	lines []string
	asked []*evening.Query
	told  []string
	says  []string // of the events that are new
}

func (h *table) Ask(_ context.Context, q *evening.Query) (a interp.Answer, err error) {
	h.asked = append(h.asked, q)
	for {
		if len(h.lines) == 0 {
			return a, evening.ErrLeft
		}
		line := h.lines[0]
		h.lines = h.lines[1:]
		do, isCommand := strings.CutPrefix(line, "!")
		if !isCommand {
			return q.Read(line)
		}
		word, rest, _ := strings.Cut(do, " ")
		if word == "misfit" {
			return interp.Answer{Faces: []int{1}}, nil
		}
		err = map[string]func() error{
			"back":  func() error { return h.e.TakeBack(1) },
			"forth": func() error { return h.e.GiveAgain(1) },
			"if":    func() error { return h.e.WhatIf(context.Background(), evening.Change{Line: rest}) },
			"keep":  h.e.Keep,
			"drop":  h.e.Drop,
			"roll":  func() error { return h.e.Dice(false) },
			"auto":  func() error { return h.e.Hand(rest, false) },
			"enter": func() error { return h.e.Enter(context.Background(), rest) },
			"fail":  func() error { return errors.New(rest) },
		}[word]()
		var refused *evening.Refused
		if errors.As(err, &refused) {
			h.told = append(h.told, "refused: "+refused.Error())
		} else if err != nil {
			return a, err
		}
	}
}

func (h *table) Event(e *interp.Event, again bool) {
	if e.Kind == interp.EventPrint && !again {
		h.says = append(h.says, fmt.Sprint(e.Data.Is))
	}
}

func (h *table) Tell(n evening.Notice) {
	h.told = append(h.told, strings.TrimPrefix(fmt.Sprintf("%T", n), "evening."))
}

func (h *table) Settle() error { return nil }

// at begins an evening with some entries; the lines answer what they ask.
func at(t *testing.T, cfg evening.Config, lines []string, entries ...string) (*table, error) {
	t.Helper()
	h := &table{lines: lines}
	cfg.Host, cfg.Session.Seed = h, 5
	h.e = evening.Begin(cfg)
	var err error
	for _, text := range entries {
		err = errors.Join(err, h.e.Enter(t.Context(), text))
	}
	return h, err
}

// What can be done at a question, and what cannot.
func TestAtAQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		says  string
		told  string
	}{
		"answers":                      {[]string{"no", "no"}, "a 4, luck 2", ""},
		"taken back":                   {[]string{"no", "!back", "!back", "no", "no"}, "a 4, luck 2", "TakenBack refused: no question was answered yet"},
		"given again":                  {[]string{"no", "!back", "!forth", "!forth", "no"}, "a 4, luck 2", "TakenBack refused: no answer was taken back, or you have given another since"},
		"another answer":               {[]string{"no", "!if no", "!if yes", "!drop", "no"}, "a 4, luck 2", "refused: Ann: Throw the 4 again? 1 luck, 1 left after it.   that is what was answered: no *evening.Courses"},
		"an answer drops the course":   {[]string{"no", "!if yes", "no"}, "a 4, luck 2", "*evening.Courses"},
		"no answer to change":          {[]string{"!if yes", "!keep", "!drop", "no", "no"}, "a 4, luck 2", "refused: no question was answered yet refused: no other course is open refused: no other course is open"},
		"tactics from here on":         {[]string{"!auto Ann"}, "a 4, luck 2", ""},
		"nothing is entered meanwhile": {[]string{"!enter print 1", "no", "no"}, "a 4, luck 2", "refused: this cannot be done while a question is open"},
	} {
		h, err := at(t, evening.Config{}, c.lines, luck, "try")
		if err != nil || strings.Join(h.says, "; ") != c.says || strings.Join(h.told, " ") != c.told {
			t.Errorf("%s: %v %q, not %q; told %q, not %q", name, err, h.says, c.says, h.told, c.told)
		}
	}
}

// A course that is kept costs what it costs: the die is thrown again.
func TestKeepAtAQuestion(t *testing.T) {
	h, err := at(t, evening.Config{}, []string{"no", "!if yes", "!keep", "no"}, luck, "try")
	if err != nil || len(h.says) != 1 || !strings.HasSuffix(h.says[0], "luck 1") {
		t.Error(err, h.says, h.told)
	}
	if err := errors.Join(h.e.Undo(1), h.e.Redo(t.Context(), 1)); err != nil || len(h.e.Steps()) != 2 {
		t.Error(err, h.e.Steps())
	}
}

// Dice that the table throws, until it has the generator throw.
func TestDiceOfTheTable(t *testing.T) {
	h, err := at(t, evening.Config{Dice: true}, []string{"3", "yes", "!roll", "no"}, luck, "try")
	if err != nil || h.e.AsksDice() || h.asked[0].Kind != evening.Dice || !slices.Equal(h.asked[0].Sizes, []int{6}) {
		t.Fatal(err, h.asked)
	}
	if want := []evening.Reply{{Kind: evening.Dice, Title: "d6 for a try (Ann)", Answer: "3"}}; h.e.Replies()[0].Answer != want[0].Answer {
		t.Error(h.e.Replies())
	}
}

// An answer that does not fit, and an error of the host, fail the entry; Redo comes back to the
// question.
func TestFailed(t *testing.T) {
	h, err := at(t, evening.Config{}, []string{"no", "!fail the host is gone"}, luck, "try")
	var failed *evening.Failed
	if !errors.As(err, &failed) || failed.Redo != evening.ToQuestion || len(h.e.Steps()) != 1 {
		t.Fatal(err)
	}
	h.lines = []string{"no"}
	if err := h.e.Redo(t.Context(), 1); err != nil || strings.Join(h.says, "") != "a 4, luck 2" {
		t.Error(err, h.says)
	}
	h, err = at(t, evening.Config{}, []string{"no", "!misfit"}, luck, "try")
	if !errors.As(err, &failed) || failed.Redo != evening.ToQuestion {
		t.Error(err)
	}
	five := 5
	if err := h.asked[0].Takes(interp.Answer{Option: &five}); err == nil {
		t.Error("an option that is not there")
	}
}

// A question has the same number wherever the evening is taken up, and another as soon as anything
// has been said; whoever answers an old one can be told so.
func TestQuestionsTakenUp(t *testing.T) {
	var kept evening.Memory
	h, err := at(t, evening.Config{Store: &kept}, []string{"no", "!back", "no"}, luck, "try")
	if !errors.Is(err, evening.ErrLeft) {
		t.Fatal(err)
	}
	var ids []int
	for _, q := range h.asked {
		ids = append(ids, q.ID)
	}
	if want := slices.Compact(slices.Sorted(slices.Values(ids))); len(want) != len(ids) {
		t.Errorf("questions %v: one came twice", ids)
	}
	last := h.asked[len(h.asked)-1]
	for cut := range kept {
		data, err := json.Marshal(kept[:cut+1])
		if err != nil {
			t.Fatal(err)
		}
		var again evening.Memory
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]evening.Entry(kept[:cut+1]), []evening.Entry(again), cmp.AllowUnexported(evening.Again{})); d != "" {
			t.Fatal(d)
		}
		g := &table{}
		cfg := evening.Config{Session: interp.Config{Seed: 5}, Store: &again, Host: g}
		var r evening.Resumed
		g.e, r = evening.Resume(t.Context(), cfg, again)
		var refused *evening.Refused
		if err := g.e.Reseed(1); r.Open != nil && !errors.As(err, &refused) {
			t.Error("entered before what is open", err)
		}
		err = g.e.Continue(t.Context())
		if asks := kept[cut].Input == "" && kept[cut].Done == nil; asks && (!errors.Is(err, evening.ErrLeft) || r.Open == nil || len(g.asked) != 1) {
			t.Errorf("%d: %v, %+v, %d questions", cut, err, r, len(g.asked))
		}
		if cut == len(kept)-1 && (g.asked[0].ID != last.ID || g.asked[0].Title != last.Title || len(again) != len(kept)) {
			t.Errorf("%+v, not %+v", g.asked[0], last)
		}
	}
}

// An evening that is cancelled while it asks nobody is as it was.
func TestCancelled(t *testing.T) {
	h, err := at(t, evening.Config{}, nil, "let n = 0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = h.e.Enter(ctx, "n = 1")
	var run *interp.RunError
	if !errors.As(err, &run) || run.Kind != interp.Cancelled || len(h.e.Steps()) != 1 {
		t.Error(err)
	}
}
