package interp_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/why"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A session that tells what happens is asked why, as at the prompt. On DN 12 with
// +4 five faces of twelve succeed; on 13 four, on 11 six. The best play is that of
// TestOddsOfBestPlay.
func TestWhyAtThePrompt(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(*interp.Event) {}})
	for _, line := range []string{"use cah", "hero Nova { star 3; oomph 3; PUNCH 4 [action_feature] }"} {
		if err := s.Exec(context.Background(), lang.NewSource("", line)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		w, err := why.Of(context.Background(), s, lang.NewSource("", "Nova: roll PUNCH vs DN 12"), why.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Value-5./12) > 1e-15 || len(w.Paths) != 1 || strings.Join(w.Paths[0].Falls, ", ") != "d12 8..12 action" {
			t.Errorf("%v by %v", w.Value, w.Paths)
		}
		want := map[string]float64{
			"DN 13 instead of 12": 4. / 12, "DN 11 instead of 12": 6. / 12,
			"Nova.PUNCH 5 instead of 4": 6. / 12, "Nova.PUNCH 3 instead of 4": 4. / 12,
			"the best decisions of Nova for their own side": (128 + 15*8./9) / 144,
		}
		for _, m := range w.Moves {
			if math.Abs(m.Value-want[m.What]) > 1e-12 {
				t.Errorf("%s: %v, want %v", m.What, m.Value, want[m.What])
			}
			delete(want, m.What)
		}
		for what := range want {
			t.Errorf("%s is not told", what)
		}
	}
}

// Of n pups with a die each, Ann's d6 must beat or match all: 7/12 against a d6, 91/216
// against two, 3/4 against a d4, 7/16 against a d8; (1+2+...+8)/64... of her own d8
// against a d6: 33/48.
func TestWhyTriesDiceAndNumbers(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	w, err := why.Of(context.Background(), s, lang.NewSource("", `
sheet person { might die = d6 }
person Ann
person Pups x2 { might d6 }
let ahead = yes
let mine = (throw Ann.might).face
for p in instances(person) { if p != Ann and (throw p.might).face > mine { ahead = no } }
`), why.Config{Goal: "ahead == yes", Moves: 30})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"Pups x3 instead of x2": 441. / 1296, "Pups x1 instead of x2": 7. / 12,
		"Pups 1.might d4 instead of d6": (1./6*1/4 + 2./6*2/4 + 3./6*3/4 + 4./6 + 5./6 + 1) / 6,
		"Pups 1.might d8 instead of d6": 91. / 288,
		"Ann.might d8 instead of d6":    (91./36 + 2) / 8,
		"Ann.might d4 instead of d6":    30. / 144,
	}
	for _, m := range w.Moves {
		if p, ok := want[m.What]; ok && math.Abs(m.Value-p) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.What, m.Value, p)
		}
		delete(want, m.What)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v of %+v", want, w.Moves)
	}
}

// stuck is a roll of which a quarter cannot go on.
const stuck = `
rule roll() {
  let f = (throw d4).face
  if f == 1 { refuse "stuck" }
  return f
}
sheet person { luck number = 1 }
person Ann
let won = roll() + Ann.luck >= 4
`

// What stops is told and neither won nor lost: of the faces 2, 3 and 4 those from 3 on win
// with one luck, all with two, and only the 4 without.
func TestWhyLeavesOutWhatStops(t *testing.T) {
	for _, x := range []struct {
		what string
		cfg  why.Config
		off  float64
	}{
		{"exact", why.Config{}, 1e-12},
		{"estimated", why.Config{Trials: 4000, Memory: 1}, 0.04},
	} {
		x.cfg.Goal, x.cfg.Moves = "won == yes", 30
		w, err := why.Of(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("", stuck), x.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Value-2./3) > x.off || math.Abs(w.Stops-1./4) > x.off || w.StopsAt == "" {
			t.Errorf("%s: %v, %v stops: %s", x.what, w.Value, w.Stops, w.StopsAt)
		}
		want := map[string]float64{"Ann.luck 2 instead of 1": 1, "Ann.luck 0 instead of 1": 1. / 3}
		for _, m := range w.Moves {
			if p, ok := want[m.What]; ok && (math.Abs(m.Value-p) > x.off || math.Abs(m.Stops-1./4) > x.off) {
				t.Errorf("%s: %s: %v, %v stops", x.what, m.What, m.Value, m.Stops)
			}
			delete(want, m.What)
		}
		if len(want) > 0 && x.off < 0.01 {
			t.Errorf("%s: not told: %v of %+v", x.what, want, w.Moves)
		}
	}
}

// What a pool shows is said in words, all throws that lead to one place together. The
// changes are named as tune names them, and the dice of a command are among them.
func TestWhySpeaksOfPools(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	w, err := why.Of(context.Background(), s, lang.NewSource("", `
sheet trait { rating die = d6 }
sheet person { traits trait many as CAPS; needed number = 9 }
verb reach (pool dice) for (whom person) [bonus (more number = 0)] {
  do { outcome if (throw pool for "the leap").take(2).sum + more >= whom.needed then success else failure }
}
person Ann { LEAP d8 }
reach 3d6 for Ann bonus 0
`), why.Config{Moves: 30})
	if err != nil {
		t.Fatal(err)
	}
	// The two highest of three dice total 12 in 16 of 216 throws, 11 in 27, 10 in 34, 9 in 36.
	if math.Abs(w.Value-113./216) > 1e-12 || len(w.Paths) != 1 || strings.Join(w.Paths[0].Falls, ", ") != "3d6 the leap: the two highest total 9..12" {
		t.Errorf("%v by %v", w.Value, w.Paths)
	}
	want := map[string]bool{"reach 4d6 instead of 3d6": true, "reach 2d6 instead of 3d6": true, "bonus 1 instead of 0": true, "Ann.needed 10 instead of 9": true, "Ann.needed 8 instead of 9": true}
	for _, m := range w.Moves {
		delete(want, m.What)
	}
	if len(want) > 0 {
		t.Errorf("not told: %v of %+v", want, w.Moves)
	}
}

// Changes with which the script never ends take no more than the time that there is for all,
// and none of them takes it from the others.
func TestWhyTriesNoChangeForEver(t *testing.T) {
	ctx, done := context.WithTimeout(context.Background(), 20*time.Second)
	defer done()
	s := interp.NewSession(interp.Config{})
	text := "let d = (throw d6).face\n"
	for _, name := range []string{"a", "b", "c", "e", "f", "g", "h", "i"} {
		text += strings.ReplaceAll("let k = 1\nwhile k != 1 { d = d }\n", "k", name)
	}
	w, err := why.Of(ctx, s, lang.NewSource("", text+"report d > 3"), why.Config{Goal: "d > 3", Time: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	moved := false
	for _, m := range w.Moves {
		moved = moved || m.What == "throw d8 instead of d6" && math.Abs(m.Value-5.0/8) < 1e-12
	}
	if !moved || w.Untried == 0 || w.Stopped {
		t.Errorf("%d not tried, stopped: %t; %v", w.Untried, w.Stopped, w.Moves)
	}
}
