package interp_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
)

// darts is a small system in which a die says whom somebody hits, unless somebody decides.
var darts = fstest.MapFS{"darts/darts.rules": {Data: []byte(`
system darts "Darts"
spans scene > turn
sheet player "somebody who throws" { hits number 0.. = 0 }
rule foe(self) "the others" = [x for x in instances(player) where x != self]
rule pick_any(self, list) = choose target by self from list "Whom?" default random
verb hit (whom player) "hit any foe" { do { whom.hits += 1 } }
`)}}

const three = "use darts\nplayer Ann { }\nplayer Bo x3 { }\n"

func TestRandomChoiceInOdds(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: darts})
	o, err := odds.Of(context.Background(), s, lang.NewSource("", three+`Ann: hit any foe
Ann: hit any foe
report "Bo 1".hits`), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range o.Ends {
		got[e.Shown[0]] = e.Exact.RatString()
	}
	// two throws at three: (2/3)², 2 * 1/3 * 2/3, (1/3)²
	for hits, want := range map[string]string{"0": "4/9", "1": "4/9", "2": "1/9"} {
		if got[hits] != want {
			t.Errorf("%s hits: %s, want %s", hits, got[hits], want)
		}
	}
}

func TestRandomChoiceInSimulations(t *testing.T) {
	src := lang.NewSource("", three+"Ann: hit any foe\nreport \"Bo 1\".hits")
	sim, err := sim.Simulate(context.Background(), interp.Config{Modules: darts, Seed: 5}, src, sim.Config{Trials: 30_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range sim.Ends {
		// five deviations of 30,000 trials of 1/3
		if p := float64(e.Count) / 30_000; e.Shown[0] == "1" && math.Abs(p-1./3) > 0.0136 {
			t.Errorf("one of three is hit in %v of the trials", p)
		}
	}
}

// bo gives the number of the one that was hit.
func bo(t *testing.T, s *interp.Session) int {
	t.Helper()
	for i := range 3 {
		if got := fields(t, s, fmt.Sprintf("Bo %d.hits", i+1)); len(got) == 1 && strings.HasSuffix(got[0], " 1") {
			return i + 1
		}
	}
	return 0
}

// TestRandomChoiceIsReplayed: what a die has chosen is in the record as an answer.
func TestRandomChoiceIsReplayed(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(20) {
		play := func(cfg interp.Config, answers ...int) (*interp.Session, int) {
			cfg.Modules = darts
			s := interp.NewSession(cfg)
			s.GiveAnswers(answers...)
			if err := s.Exec(context.Background(), lang.NewSource("", three+"Ann: hit any foe")); err != nil {
				t.Fatal(err)
			}
			return s, bo(t, s)
		}
		s, hit := play(interp.Config{Seed: seed})
		seen[hit] = true
		r := s.Record()
		if len(r.Faces()) != 0 || !slices.Equal(r.Options(), []int{hit - 1}) {
			t.Errorf("seed %d: %d was hit, the record is %+v", seed, hit, r)
		}
		if _, again := play(interp.Config{Seed: seed + 1000}, r.Options()...); again != hit {
			t.Errorf("seed %d: %d was hit, in the replay %d", seed, hit, again)
		}
	}
	if len(seen) != 3 || seen[0] {
		t.Errorf("in twenty runs these were hit: %v", seen)
	}
}

// TestRandomChoiceLeavesGivenDiceAlone: the dice on the table are for the rules.
func TestRandomChoiceLeavesGivenDiceAlone(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: darts})
	if err := s.Exec(context.Background(), lang.NewSource("", three+"dice 6\nAnn: hit any foe\nexpect (throw d6).face == 6")); err != nil {
		t.Error(err)
	}
	if bo(t, s) == 0 {
		t.Error("nobody was hit")
	}
}

// TestDraw: an element of a list, each with the same chance, and nobody is asked. Of those
// who were declared together apart leaves one.
func TestDraw(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"report draw([4, 5, 5])":                                  {"4": "1/3", "5": "2/3"},
		"report draw([4])":                                        {"4": "1"},
		"report [].draw":                                          {"": "1"},
		"report draw([Grey, Snow].flat.apart)":                    {"Grey 1": "1/2", "Snow": "1/2"},
		"report draw([x for x in Grey].drop(1).apart)":            {"Grey 2": "1"},
		"report [[Snow, Grey].flat.reversed.apart, [3, 3].apart]": {"[[Grey 3, Snow], [3, 3]]": "1"},
	} {
		o, err := odds.Of(t.Context(), interp.NewSession(interp.Config{}), lang.NewSource("", "sheet wolf { n number = 0 }\nwolf Grey x3\nwolf Snow\n"+text), odds.Config{})
		if err != nil {
			t.Fatal(text, err)
		}
		got := map[string]string{}
		for _, e := range o.Ends {
			got[e.Shown[0]] = e.Exact.RatString()
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestDrawIsNobodysAnswer: what a die draws is replayed, and takes no dice and no answers
// that are meant for the table.
func TestDrawIsNobodysAnswer(t *testing.T) {
	const text = "use darts\nplayer Ann { }\nplayer Bo x3 { }\ndice 6\nanswers 3\nlet n = draw([1, 2, 3])\nAnn: hit any foe\nexpect \"Bo 3\".hits == 1\nexpect (throw d6).face == 6\nAnn.hits = n"
	seen := map[string]bool{}
	for seed := range uint64(20) {
		c := &lastOption{}
		s := interp.NewSession(interp.Config{Modules: darts, Seed: seed, Choice: c})
		if err := s.Exec(t.Context(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
		if len(c.asked) > 0 {
			t.Fatalf("asked %q", c.asked)
		}
		drawn := fields(t, s, "Ann.hits")
		again := interp.NewSession(interp.Config{Modules: darts, Seed: seed + 1000})
		again.Give(s.Record())
		if err := again.Exec(t.Context(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
		if got := fields(t, again, "Ann.hits"); !slices.Equal(got, drawn) {
			t.Errorf("seed %d: drew %v, in the replay %v", seed, drawn, got)
		}
		seen[strings.Join(drawn, "")] = true
	}
	if len(seen) != 3 {
		t.Errorf("in twenty runs these were drawn: %v", seen)
	}
}

type lastOption struct{ asked []string }

func (c *lastOption) Choose(_ context.Context, q interp.Question) (int, error) {
	c.asked = append(c.asked, q.Prompt)
	return len(q.Options) - 1, nil
}

func TestPersonMakesARandomChoice(t *testing.T) {
	c := &lastOption{}
	s := interp.NewSession(interp.Config{Modules: darts, Choice: c})
	if err := s.Exec(context.Background(), lang.NewSource("", three+"Ann: hit any foe")); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.asked, []string{"Whom?"}) || bo(t, s) != 3 {
		t.Errorf("asked %q, %d was hit", c.asked, bo(t, s))
	}
}

// TestAnyFoeDoesNotDependOnTheOrderOfDeclaration: whoever of three is declared first, each
// is attacked first with the same chance in every system.
func TestAnyFoeDoesNotDependOnTheOrderOfDeclaration(t *testing.T) {
	foes := map[string]string{"cah": "villain %s { star 1; BITE 1 }", "firefly": "gmc %s { MENTAL d6, PHYSICAL d6, SOCIAL d6 }", "marvel": "watcher %s { }", "unisystem": "cast %s { life 10 }", "clichenimatic": "villain %s { cliche \"A\"; flaw \"B\"; catch_phrase \"C\"; FIST +1 }"}
	heroes := map[string]string{"cah": "hero Ann { star 3; PUNCH 4 }", "firefly": "crew Ann { MENTAL d8, PHYSICAL d8, SOCIAL d6 }", "marvel": "hero Ann { }", "unisystem": "cast Ann { life 10 }", "clichenimatic": "hero Ann { cliche \"A\"; flaw \"B\"; catch_phrase \"C\"; FIST +1 }"}
	for module, hero := range heroes {
		for _, order := range [][]string{{"Bo", "Cy", "Di"}, {"Di", "Cy", "Bo"}} {
			text := "use " + module + "\n" + hero + "\n"
			for _, name := range order {
				text += fmt.Sprintf(foes[module], name) + "\n"
			}
			text += "scene \"A yard\"\nheroes Ann\nvillains " + strings.Join(order, ", ") + "\nreport pick_any(Ann, foe(Ann)).name"
			s := interp.NewSession(interp.Config{Modules: stdlib.FS})
			o, err := odds.Of(context.Background(), s, lang.NewSource("", text), odds.Config{})
			if err != nil {
				t.Errorf("%s: %v", module, err)
				continue
			}
			for _, e := range o.Ends {
				if e.Fault != nil || e.Exact == nil || e.Exact.RatString() != "1/3" {
					t.Errorf("%s: %q with %v (%v), want a third each", module, e.Shown, e.P, e.Fault)
				}
			}
		}
	}
}

func TestTestsBeginFromTheDeclarations(t *testing.T) {
	const script = `use ring
fighter Ann { }
let bonus = 2
Ann.strength = bonus
scene "The yard" {
  Ann.hp -= 4
  scene "A corner of it" { Ann.hp -= 1 }
  Ann.hp -= 1
}
Ann.hp -= 0
scene "The hall" { Ann.hp = 0 }
test "no scene has been played" { expect Ann.hp == 9; expect Ann.strength == 2 }
test "the yard has" after "The yard" { expect Ann.hp == 3 }
test "behind an inner scene" after "A corner of it" { expect Ann.hp == 4 }
test "one test does not see another's" { Ann.hp = 5 }
test "as here" { expect Ann.hp == 9 }
test "odds begin there, too" { Ann.hp -= (throw d4).face; expect odds(Ann.hp >= 7) == 50% }
test "also behind a scene" after "The yard" { Ann.hp -= (throw d2).face; expect odds(Ann.hp >= 2) == 50% }
test "this fails" { expect Ann.hp == 0 }`
	s := interp.NewSession(interp.Config{Modules: ring})
	results, err := verify.Tests(context.Background(), s, lang.NewSource("", script))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if (r.Err == nil) != (r.Name != "this fails") {
			t.Errorf("%s: %v", r.Name, r.Err)
		}
	}
	if got := fields(t, s, "Ann.hp"); !slices.Equal(got, []string{"Ann.hp 0"}) {
		t.Errorf("behind the tests: %v, want the state behind the script", got)
	}
	_, err = verify.Tests(context.Background(), interp.NewSession(interp.Config{Modules: ring}), lang.NewSource("", "use ring\nscene \"The yard\" { }\ntest \"x\" after \"The yrad\" { }"))
	if err == nil || !strings.Contains(err.Error(), `there is no scene "The yrad" with braces in this script`) {
		t.Errorf("got %v", err)
	}
	results, err = verify.Tests(context.Background(), interp.NewSession(interp.Config{Modules: ring}), lang.NewSource("", "use ring\nif no { scene \"The yard\" { } }\ntest \"x\" after \"The yard\" { }"))
	if err != nil || len(results) != 1 || results[0].Err == nil || !strings.Contains(results[0].Err.Error(), "has not played the scene") {
		t.Errorf("got %v, %v", results, err)
	}
}

// TestOddsInATestOfOpenEndedDice: the chance is not a fraction with an end, and costs no
// more than the odds of the same lines.
func TestOddsInATestOfOpenEndedDice(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	results, err := verify.Tests(context.Background(), s, lang.NewSource("", `use unisystem
cast Priya { life 30; WILLPOWER 3; INFLUENCE 2 }
test "fair" { Priya: roll WILLPOWER + INFLUENCE; expect odds(success) in 20%..90% }
test "sure" { Priya: roll WILLPOWER + INFLUENCE; expect odds(success) > 99% }`))
	if err != nil || len(results) != 2 {
		t.Fatalf("%v, %v", results, err)
	}
	if results[0].Err != nil || results[1].Err == nil || !strings.Contains(results[1].Err.Error(), "but the chance is") {
		t.Errorf("got %v and %v", results[0].Err, results[1].Err)
	}
}
