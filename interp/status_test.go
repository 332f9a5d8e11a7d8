package interp_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// duelRules is a system whose sheets say what matters of somebody.
const duelRules = `system duel
spans scene
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
}
sheet thing { size number }
rule word_for(x) = if x.wounds == 4 then "at death's door" else none
hook hit(x)
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
	want := "A1: the summary fails: a summary can neither throw dice nor ask\nBob: the summary fails: division by zero"
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
