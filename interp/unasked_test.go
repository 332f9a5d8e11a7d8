package interp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// lender has an offer and a choice that are not put to anybody, and sizes of dice that a rule lists.
var lender = fstest.MapFS{"lender/lender.rules": {Data: []byte(`
system lender "Lender"
rule ladder = [d6, d8]
sheet hand "somebody" { lent number; best die of ladder = d6; spare dice of ladder; things map of ladder }
verb help {
  clause gladly
  do {
    offer lend to who "Lend a die?" answer (if gladly then yes else none) default no unasked { who.lent += 1 }
    offer push to who "Push?" default no { who.lent += 10 }
  }
}
verb share {
  clause much
  do { who.lent += choose how_much by who from [1, 2, 3] "How much?" answer (if much then 3 else none) default 2 unasked }
}
`)}}

func lentBy(t *testing.T, cfg interp.Config, text string) string {
	t.Helper()
	cfg.Modules = lender
	s := interp.NewSession(cfg)
	if err := s.Exec(context.Background(), lang.NewSource("", "use lender\nhand Ann { }\n"+text)); err != nil {
		t.Fatal(err)
	}
	got := fields(t, s, "Ann.lent")
	if len(got) != 1 {
		t.Fatalf("lent is %q", got)
	}
	return got[0][strings.LastIndex(got[0], " ")+1:]
}

// A person, and the answers of a script, are for the questions that are asked; a clause
// and tactics answer the other.
func TestUnaskedOffers(t *testing.T) {
	c := &lastOption{}
	for _, test := range []struct {
		text, want string
		cfg        interp.Config
	}{
		{"Ann: help", "10", interp.Config{Choice: c}},
		{"answers yes\nAnn: help", "10", interp.Config{}},
		{"Ann: help gladly", "1", interp.Config{}},
		{"tactics Ann { on lend: yes }\nAnn: help", "1", interp.Config{}},
		{"Ann: share", "2", interp.Config{Choice: c}},
		{"answers 1\nAnn: share", "2", interp.Config{}},
		{"Ann: share much", "3", interp.Config{}},
		{"tactics Ann { on how_much: 1 }\nAnn: share", "1", interp.Config{}},
	} {
		if got := lentBy(t, test.cfg, test.text); got != test.want {
			t.Errorf("%s: lent %s, want %s", test.text, got, test.want)
		}
	}
	if len(c.asked) != 1 || c.asked[0] != "Push?" {
		t.Errorf("asked %q", c.asked)
	}
}

// Fields of dice take the dice that a rule lists, which a variant may replace.
func TestDiceOfARule(t *testing.T) {
	modules := fstest.MapFS{"wide/wide.rules": {Data: []byte("variant wide of lender \"Wide\"\nrule ladder = [d6, d8, d10]\n")}}
	for name, f := range lender {
		modules[name] = f
	}
	for _, test := range []struct{ use, text, want string }{
		{"lender", "hand Ann { best d8; spare [d6, d8] }\nAnn.things[\"A\"] = d6", ""},
		{"lender", "hand Ann { best d10 }", "best of Ann: d10 must be one of these dice: d6, d8"},
		{"lender", "hand Ann { spare [d6, 6] }", "spare of Ann: 6 must be one of these dice: d6, d8"},
		{"lender", "hand Ann { }\nAnn.things[\"A\"] = d4", "things of Ann: d4 must be one of these dice: d6, d8"},
		{"lender with wide", "hand Ann { best d10 }", ""},
		{"lender", "sheet odd { x die of lader }", "there is no rule lader"},
		{"lender", "sheet odd { x number of ladder }", "only die, dice, map and list take  of ladder"},
		{"lender", "rule three = 3\nsheet odd { x die of three }", "three is not a list of dice, as in  rule three = [d6, d8]"},
	} {
		s := interp.NewSession(interp.Config{Modules: modules})
		err := s.Exec(context.Background(), lang.NewSource("", "use "+test.use+"\n"+test.text))
		got := ""
		if err != nil {
			got = messageOf(err)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
}

func messageOf(err error) string {
	switch e := err.(type) {
	case *interp.RunError:
		return e.Diag.Message
	case lang.Diagnostics:
		return e[0].Message
	}
	return err.Error()
}

// The list of decisions says which of them are put to nobody.
func TestUnaskedIsListed(t *testing.T) {
	list, err := assist.Decisions(interp.NewSession(interp.Config{Modules: lender}), "lender")
	if err != nil {
		t.Fatal(err)
	}
	unasked := map[string]bool{}
	for _, d := range list {
		unasked[d.Name] = d.Unasked
	}
	if len(unasked) != 3 || !unasked["lend"] || !unasked["how_much"] || unasked["push"] {
		t.Errorf("unasked are %v", unasked)
	}
}

// Where nobody decides, odds leave out the condition of an offer that is declined by default.
// What a condition does besides is done all the same, and tactics and answers are heard.
func TestOddsOfOffersThatNobodyDecides(t *testing.T) {
	modules := fstest.MapFS{"market/market.rules": {Data: []byte(`
system market "Market"
sheet buyer "somebody" { coins number = 3; looks number; bought number }
rule looks_at(x) { x.looks += 1; return yes }
rule rich(x) = x.coins > 2
verb haggle {
  do {
    offer touch to who "Touch it?" when looks_at(who) default no { who.bought += 10 }
    offer buy to who "Buy it?" when rich(who) default no { who.bought += 1 }
  }
}
`)}}
	const ann = "use market\nbuyer Ann { }\n"
	for _, test := range []struct{ text, looks, bought string }{
		{"Ann: haggle", "1", "0"},
		{"tactics Ann { on buy: yes }\nAnn: haggle", "1", "1"},
		{"tactics Ann { on buy: yes }\nAnn.coins = 2\nAnn: haggle", "1", "0"},
		{"answers yes no\nAnn: haggle", "1", "10"},
		{"answers no yes\nAnn: haggle", "1", "1"},
	} {
		s := interp.NewSession(interp.Config{Modules: modules})
		if err := s.Exec(t.Context(), lang.NewSource("", ann)); err != nil {
			t.Fatal(err)
		}
		o := oddsIn(t, s, test.text+"\nreport Ann.looks, Ann.bought", odds.Config{})
		for name, want := range map[string]string{"Ann.looks": test.looks, "Ann.bought": test.bought} {
			d := o.Distribution(slices.Index(o.Columns, name))
			if len(d.Points) != 1 || d.Points[0].Shown != want {
				t.Errorf("%s: %s is %v, want %s", test.text, name, d.Points, want)
			}
		}
	}
}

// What the condition and the text of an offer call is worked out only where somebody is asked, be it an expression
// or a body that only works something out; a body that does something is executed.
func TestTrialsLeaveOutWhatNobodyIsAsked(t *testing.T) {
	modules := fstest.MapFS{"market/market.rules": {Data: []byte(`
system market "Market"
sheet buyer "somebody" { coins number = 3; looks number; price number; bought number }
rule price(x, n) {
  let made = 0
  for k in (1..n).list {
    if k == x.coins { next }
    made += k
  }
  return made
}
rule spoken(x) { let s = "{price(x, 3)} coins"; return s }
rule looked(x) { let y = x; y.looks += 1; return y.looks }
verb haggle {
  do { offer buy to who "Buy it for {spoken(who)}?" when price(who, 2) < 9 and who.price == 0 default no { who.bought += 1 } }
}
verb gape {
  do { offer buy to who "Buy it?" when looked(who) > 9 default no { who.bought += 1 } }
}
`)}}
	for _, test := range []struct{ text, want string }{
		{"Ann: haggle", ""},
		{"Ann: gape", "looked"},
		{"tactics Ann { on buy: yes }\nAnn: haggle", "price"},
	} {
		_, p, err := sim.MakeProfile(t.Context(), interp.Config{Modules: modules}, lang.NewSource("", "use market\nbuyer Ann { }\n"+test.text+"\nreport Ann.bought"), sim.Config{Trials: 2})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range p.Rules() {
			if r.Rule == "price" || r.Rule == "spoken" || r.Rule == "looked" {
				got = append(got, r.Rule)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: executed were %q, want %q", test.text, got, test.want)
		}
	}
}

// Where the tactics of whoever an offer is made to have no answer, it is declined before its condition, but
// nothing is worked out ahead that the condition makes sure of.
func TestOddsOfOffersToSomebodyWithoutTactics(t *testing.T) {
	modules := fstest.MapFS{"market/market.rules": {Data: []byte(`
system market "Market"
sheet buyer "somebody" { coins number = 3; friend buyer; bought number }
rule chief(x) = if x.friend == none then x else x.friend
verb haggle {
  do {
    let d = throw d6
    let f = who.friend
    offer buy to who "Buy it?" when who.coins + d.face > 4 default no { who.bought += 1 }
    offer gift to f.friend "Give it to {f.friend.name}?" when f != none and f.friend != none default no { who.bought += 10 }
    offer lend to chief(f) "Lend it to {f.name}?" when f != none default no { who.bought += 100 }
    offer sell to chief(who) "Sell it?" costs 2 coins of who default no { who.bought += 1000 }
  }
}
`)}}
	const people = "use market\nbuyer Ann { }\nbuyer Bob { friend Ann }\nbuyer Cid { friend Bob }\n"
	for _, test := range []struct{ text, want string }{
		{"Cid: haggle", "0"},
		{"tactics Ann { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nCid: haggle", "110"},
		{"tactics Bob { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nCid: haggle", "1000"},
		{"tactics Bob { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nAnn: haggle", "0"},
		{"tactics Cid { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nCid: haggle", "0 or 1"},
		{"tactics Ann { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nBob: haggle", "1100"},
		{"tactics Ann { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nBob.coins = 1\nBob: haggle", "100"},
		{"tactics Ann { on buy: yes; on gift: yes; on lend: yes; on sell: yes }\nAnn: haggle", "1000 or 1001"},
	} {
		s := interp.NewSession(interp.Config{Modules: modules})
		if err := s.Exec(t.Context(), lang.NewSource("", people)); err != nil {
			t.Fatal(err)
		}
		who := test.text[strings.LastIndex(test.text, "\n")+1:][:3]
		o := oddsIn(t, s, test.text+"\nreport "+who+".bought", odds.Config{})
		var got []string
		for _, p := range o.Distribution(0).Points {
			got = append(got, p.Shown)
		}
		if strings.Join(got, " or ") != test.want {
			t.Errorf("%s: %s, want %s", test.text, strings.Join(got, " or "), test.want)
		}
	}
}
