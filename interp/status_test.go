package interp_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// duelRules is a system whose sheets say what matters of somebody.
const duelRules = `system duel
spans scene > round
standin hero Nobody
option harsh = no | yes
sheet fighter "anyone" out when life <= wounds {
  summary shaken, life (life - wounds), state word_for(self), has gear, burden burdens when not away
  life number = 5
  wounds number
  shaken truth
  away truth
  gear list
  burdens map
}
sheet hero is fighter "a player's" {
  summary life (life - wounds), luck
  luck number = 2
  zeal number = 1 per scene
}
sheet thing { size number }
rule word_for(x) = if x.wounds == 4 then "at death's door" else none
hook hit(x)
verb hit2 (x fighter) (y fighter) { do {
  show blow "sweep" by who {
    for t in [x, y] {
      show part "against {t.name}" by who {
        t.wounds += 2
        brief "knocks {t.name} about"
        outcome struck total 2, against 1, versus "{t.name} 1", margin 1
      }
    }
    who.luck -= 1
    outcome struck
  }
} }
verb ready "nothing to tell in brief" { do { show stance "stance" by who { brief ""; note "ready" } } }
verb check2 "no words of its own" { do {
  show check "look" by who {
    show check "inner" by who { outcome set total 3 }
    note "not told"
    warn "dark in here"
    print "a door creaks"
    outcome failure total 3, against 5, versus "dark 5", margin -2, note "barely"
  }
} }
verb strike (x fighter) { do {
  show blow "blow" by who {
    brief (if x.wounds > 3 then "finishes {x.name}" else "hits {x.name}")
    x.wounds += 3
    who.luck -= 1
    outcome struck total 7, against 4, versus "{x.name} 4", margin 3
  }
} }
verb collide (x fighter) { do {
  show blow "blow" by who {
    brief "runs into {x.name}"
    who.wounds += 1
    x.wounds += 1
    outcome struck
  }
} }
verb throwing { do { show toss "toss" by who { let d = throw 2d6 } } }
verb rest (x fighter) { do { x.wounds = 0 } }
verb round (n number) { block; do { begin round as n; run block; end round } }
verb scene (t text) { block; do { begin scene as t; run block; end scene } }
verb hit (x fighter) (n number) { do {
  show blow "blow" by x {
    x.wounds += n
    offer brace to x "brace?" default no { x.wounds -= 1 }
    outcome struck total n
  }
} }
`

func duelSession(t *testing.T, choice interp.Choice, events func(*interp.Event)) *interp.Session {
	t.Helper()
	s := interp.NewSession(interp.Config{
		Modules: fstest.MapFS{"duel/duel.rules": {Data: []byte(duelRules)}},
		Choice:  choice, Events: events,
	})
	must(t, s, "use duel\nhero Ann\nfighter Bo\nfighter Rat\nfighter \"Old Tom\"\nthing Rock { size 3 }\n")
	return s
}

func must(t *testing.T, s *interp.Session, text string) {
	t.Helper()
	if err := s.Exec(context.Background(), lang.NewSource("test", text)); err != nil {
		t.Fatal(err)
	}
}

func status(s *interp.Session) string { return transcript.Status(s.Status(), transcript.Palette{}, 0) }

// What is at hand stands behind the summary, is inherited, and is no news in brief; whoever a player
// plays stands before the others, even if they come late.
func TestAtHand(t *testing.T) {
	var brief []interp.Standing
	s := interp.NewSession(interp.Config{Standings: true, Events: func(e *interp.Event) { brief = append(brief, e.Moved...) }})
	must(t, s, `sheet fighter "anyone" { pool dice; life number = 5; summary life; at_hand dice [d.face for d in pool] when life > 0 }
sheet hero is fighter "a player's" of players { luck number = 2; summary life, luck }
fighter Rat
hero Ann
dice 6 4
Ann.pool = throw 2d6
Rat.life = 3`)
	if want := "Ann: life 5, luck 2, dice 6 4 · Rat: life 3"; status(s) != want {
		t.Errorf("%s, not %s", status(s), want)
	}
	if len(brief) != 1 || brief[0].Who != "Rat" {
		t.Errorf("news in brief: %v", brief)
	}
	must(t, s, "Ann.life = 0")
	if want := "Ann: life 0, luck 2 · Rat: life 3"; status(s) != want {
		t.Errorf("%s, not %s", status(s), want)
	}
}

func TestStatus(t *testing.T) {
	s := duelSession(t, nil, nil)
	for _, tt := range []struct{ do, want string }{
		// equal neighbours are said together, a sheet without a summary is left out
		{"print 1", `Ann: life 5, luck 2 · Bo, Rat, Old Tom: life 5`},
		{"Bo.shaken = yes", `Ann: life 5, luck 2 · Bo: shaken, life 5 · Rat, Old Tom: life 5`},
		{"Bo.gear = [\"rope\", d8]\nAnn.luck = 0", `Ann: life 5, luck 0 · Bo: shaken, life 5, has rope d8 · Rat, Old Tom: life 5`},
		{"Bo.gear = []\nBo.burdens = map().put(\"HEAVY_PACK\", d6)", `Ann: life 5, luck 0 · Bo: shaken, life 5, burden HEAVY PACK d6 · Rat, Old Tom: life 5`},
		// out of the fight: what is left of them is not worth a word
		{"Bo.wounds = 5\n\"Old Tom\".wounds = 7", `Ann: life 5, luck 0 · Bo: shaken · Rat: life 5 · Old Tom: out`},
		{"\"Old Tom\".away = yes\nBo.away = yes\nAnn.wounds = 4", `Ann: life 1, luck 0 · Rat: life 5`},
	} {
		must(t, s, tt.do)
		if got := status(s); got != tt.want {
			t.Errorf("after %s\n got %s\nwant %s", tt.do, got, tt.want)
		}
	}
}

// chooser notes how everybody stands whenever something is asked.
type chooser struct {
	s   *interp.Session
	saw []string
}

func (c *chooser) Choose(_ context.Context, q interp.Question) (int, error) {
	c.saw = append(c.saw, status(c.s))
	return 1, nil
}

func TestStatusAtAQuestion(t *testing.T) {
	c := &chooser{}
	c.s = duelSession(t, c, func(*interp.Event) {})
	must(t, c.s, "Ann.luck = 1")
	must(t, c.s, "hit Ann 2")
	want := "Ann: life 3, luck 1 · Bo, Rat, Old Tom: life 5"
	if got := strings.Join(c.saw, "\n"); got != want {
		t.Errorf("at the question\n got %s\nwant %s", got, want)
	}
	want = "Ann: life 4, luck 1 · Bo, Rat, Old Tom: life 5"
	if got := status(c.s); got != want {
		t.Errorf("behind it, as the run went on\n got %s\nwant %s", got, want)
	}
}

func TestStatusThatFails(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"bad/bad.rules": {Data: []byte(`system bad
spans scene
sheet one { summary luck (throw d6), x; x number }
sheet two { summary y (1 / x); x number }
`)}}})
	must(t, s, "use bad\none A1\ntwo Bob { x 0 }\n")
	want := "A1: the summary fails: a summary cannot throw dice or ask for a decision\nBob: the summary fails: division by zero"
	if got := status(s); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestSummaryMistakes(t *testing.T) {
	for _, tt := range []struct{ sheet, want string }{
		{"sheet one { summary lifee\nlife number }", "there is no field lifee"},
		{"sheet one { summary life nowhere\nlife number }", "nothing here is called nowhere"},
		{"sheet one { summary life\nsummary life\nlife number }", "a summary is given twice"},
	} {
		s := interp.NewSession(interp.Config{})
		err := s.Exec(context.Background(), lang.NewSource("test", tt.sheet+"\n"))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\n got %v\nwant %s", tt.sheet, err, tt.want)
		}
	}
}

// brief runs a text and gives what is told of it in brief.
func brief(t *testing.T, text string, dice ...int) string {
	t.Helper()
	var b strings.Builder
	out := transcript.NewText(&b, transcript.Options{Brief: true})
	s := interp.NewSession(interp.Config{
		Modules: fstest.MapFS{"duel/duel.rules": {Data: []byte(duelRules)}},
		Events:  out.Event, Standings: true, Dice: dice,
	})
	must(t, s, "use duel\nhero Ann\nfighter Bo\nfighter \"Old Tom\"\n"+text)
	out.Flush()
	return b.String()
}

func TestBrief(t *testing.T) {
	for _, tt := range []struct{ name, do, want string }{
		{"whom the words name is whom the line is about", "Ann: strike Bo",
			"  Ann hits Bo, 7 vs 4 (+3): life 2; Ann luck 1\n"},
		{"who is out is out", "Ann: strike Bo\nAnn: strike Bo",
			"  Ann hits Bo, 7 vs 4 (+3): life 2; Ann luck 1\n  Ann hits Bo, 7 vs 4 (+3): out; Ann luck 0\n"},
		{"without words of the rules: label, numbers, outcome, remark", "Ann: check2",
			"  warning: dark in here\n  a door creaks\n  Ann: look, 3 vs dark 5 (-2), failure, barely\n"},
		{"each part that has words has a line, the whole has none", "Ann: hit2 Bo \"Old Tom\"",
			"  Ann knocks Bo about, 2 vs 1 (+1): life 3\n  Ann knocks Old Tom about, 2 vs 1 (+1): life 3\n  Ann: luck 1\n"},
		{"what is not worth a line has none", "Ann: ready", ""},
		{"dice without an outcome", "Ann: throwing", "  Ann: toss, 4 5\n"},
		{"a change by itself", "Ann: rest Bo\nBo.wounds = 2\nAnn: rest Bo\nBo.shaken = yes\nBo.shaken = no",
			"  Bo: life 3\n  Bo: life 5\n  Bo: shaken\n  Bo: no longer shaken\n"},
		{"the same is new of both: neither goes without a name", "Ann: collide Bo\nAnn.wounds = 3\nAnn: collide Bo",
			"  Ann runs into Bo: Ann, Bo life 4\n  Ann: life 2\n  Ann runs into Bo: Ann life 1; Bo life 3\n"},
		{"a burden is put down", "Bo.burdens = map().put(\"PACK\", d6)\nBo.burdens = map()",
			"  Bo: burden PACK d6\n  Bo: no burden PACK\n"},
		{"a declaration is no news", "hero Cy { luck 5 }\nAnn: ready\nBo.wounds = 1", "  Bo: life 4\n"},
		{"rounds end with how everybody stands, once", `scene "At the gate" {
			round 1 { Ann: strike Bo }
			round 2 { Ann: ready }
			round 3 { Ann: strike Bo }
		}`, `scene At the gate
round 1
  Ann hits Bo, 7 vs 4 (+3): life 2; Ann luck 1
  = Ann: life 5, luck 1 · Bo: life 2 · Old Tom: life 5
round 2
round 3
  Ann hits Bo, 7 vs 4 (+3): out; Ann luck 0
  = Ann: life 5, luck 0 · Bo: out · Old Tom: life 5
`},
		{"a scene without rounds ends so, too; what it puts back is no news", `scene "A" { Ann.zeal = 3; Ann: strike Bo }
			scene "B" { note "nobody there" }`, `scene A
  Ann hits Bo, 7 vs 4 (+3): life 2; Ann luck 1
  = Ann: life 5, luck 1 · Bo: life 2 · Old Tom: life 5

scene B
  note: nobody there
  = Ann: life 5, luck 1 · Bo: life 2 · Old Tom: life 5
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := brief(t, tt.do, 4, 5); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The whole of a sheet begins with what it says and what has changed, then what its summary
// names; what is worked out and bookkeeping are marked.
func TestStateOfASheet(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	if err := run(s, `
sheet diver { summary depth, air; marked truth as hidden; gear symbol = suit; crew list = [self]; air number = 9; depth number = 3; hurt number; age number = 20; size number = 2 }
diver Io { size 3; age 20 }
Io.hurt = 1`); err != nil {
		t.Fatal(failed(err))
	}
	lines, err := assist.State(s, "Io")
	if err != nil {
		t.Fatal(err)
	}
	want := []assist.StateLine{
		{Who: "Io", Field: "age", Value: "20", Usual: true, Said: true},
		{Who: "Io", Field: "size", Value: "3", Said: true},
		{Who: "Io", Field: "hurt", Value: "1"},
		{Who: "Io", Field: "depth", Value: "3", Usual: true, Points: true},
		{Who: "Io", Field: "air", Value: "9", Usual: true, Points: true},
		{Who: "Io", Field: "gear", Value: "suit", Usual: true},
		{Who: "Io", Field: "crew", Value: "[Io]", Derived: true},
		{Who: "Io", Field: "marked", Value: "no", Hidden: true, Usual: true},
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// A sheet says which special rules stand in its brackets, and with what.
func TestSpecialRulesOnSheet(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	must(t, s, "use unisystem\ncast Ben [nerves_of_steel 2, weight_training] { WILLPOWER 2 }\ncast Ann { WILLPOWER 2 }")
	for who, want := range map[string]string{"Ben": "nerves_of_steel 2, weight_training", "Ann": ""} {
		lines, err := assist.State(s, who)
		got := ""
		for _, l := range lines {
			if l.Field == "special rules" && !l.Usual && !l.Hidden {
				got += l.Value
			}
		}
		if err != nil || got != want {
			t.Errorf("%s has %q, %v, not %q", who, got, err, want)
		}
	}
}
