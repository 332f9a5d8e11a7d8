package interp_test

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// counsel is a Player who asks for advice before the first command, gives the command
// that is said to be the best, and then what tactics would do.
type counsel struct {
	cfg    advice.Config
	turns  []interp.Turn
	advice *advice.Advice
	err    error
}

func (p *counsel) Command(ctx context.Context, t interp.Turn) (string, error) {
	p.turns = append(p.turns, t)
	if len(p.turns) > 1 {
		return "", nil
	}
	if p.advice, p.err = advice.OfTurn(ctx, t, p.cfg); p.err != nil || len(p.advice.Commands) == 0 {
		return "", p.err
	}
	return p.advice.Commands[0], nil
}

// worthOf gives what a command was said to be worth for a goal.
func worthOf(t *testing.T, a *advice.Advice, command, goal string) (value, half float64) {
	t.Helper()
	at := slices.Index(a.Commands, command)
	for _, w := range a.Goals {
		if w.Goal == goal && at >= 0 {
			if w.Exact() {
				return w.Values[at], 0
			}
			return w.Values[at], w.Half[at]
		}
	}
	t.Fatalf("%q is not worth anything for %s: %q %+v", command, goal, a.Commands, a.Goals)
	return 0, 0
}

const fencersGoal = `
goal roll(who) "it hits" = last.outcome == hit
`

// Everything that the verbs, the foes, the arms and the clauses of the sheet allow is
// tried. A blade adds 2 to a d6 that has to be above 3: 5 times in 6; a kick adds nothing,
// as having no arm does: 3 in 6. What is no turn (a taunt, a look at the sheet) is not
// among them, and neither is what the rules refuse: out of breath nobody strikes.
func TestAdviceBeforeACommand(t *testing.T) {
	p := &counsel{}
	s, _ := fencing(t, p, interp.Config{Dice: []int{6}}, fencersGoal)
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if p.turns[0].Who != "Nova" || p.err != nil || p.turns[1].Refused != nil {
		t.Fatal(p.turns, p.err)
	}
	if !strings.HasPrefix(p.advice.Commands[0], "strike ") || !strings.Contains(p.advice.Commands[0], " with BLADE") {
		t.Errorf("the best is %q", p.advice.Commands[0])
	}
	seen := 0
	for i, c := range p.advice.Commands {
		want := 3.0 / 6
		switch {
		case strings.Contains(c, "BLADE"):
			want = 5.0 / 6
		case c == "rest", strings.HasPrefix(c, "taunt"), c == "look", strings.Contains(c, "Nova"):
			t.Errorf("%q is no way to hit a foe in a turn", c)
		}
		w := p.advice.Goals[0]
		if seen++; !w.Exact() || math.Abs(w.Values[i]-want) > 1e-9 {
			t.Errorf("%q is worth %v, want %v", c, w.Values[i], want)
		}
	}
	if seen < 2 || p.advice.Trials != 0 {
		t.Errorf("%+v", p.advice)
	}

	p = &counsel{}
	s, _ = fencing(t, p, interp.Config{}, fencersGoal+"Nova.breath = 0\n")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if diff := cmp.Diff([]string{"rest"}, p.advice.Commands); diff != "" {
		t.Error("out of breath:", diff)
	}
}

// curse is a duel in which one can strike, which ends it half of the time, or curse, which
// always succeeds and does nothing. Who strikes first wins: whoever is struck is out.
const curse = `
sheet mage out when out { side one of (ours, theirs) = ours; out truth; cursed number = 0; arts art many as CAPS }
sheet art { edge number = 0 }
rule foes(self) = [x for x in instances(mage) where not x.out and x.side != self.side]
rule foe(self) = foes(self)
rule pick_any(self, list) = list.first
verb strike (whom mage) { clause with_art: with (a art)
  do {
    let need = if a == none then 4 else 4 - a.edge
    let d = throw d6
    if d.face >= need { whom.out = yes }
    outcome (if d.face >= need then success else failure)
} }
verb curse (whom mage) { do {
  let d = throw d6
  whom.cursed += d.face
  outcome success
} }
verb duel { do {
  repeat 3 {
    for x in instances(mage) { if not Ann.out and not Bob.out { act x } }
  }
  outcome over winner (if Bob.out and not Ann.out then ours else theirs)
} }
table words(x) { ours => 1; theirs => 2; success => 3; failure => 4; over => 5 }
goal roll(who) "it succeeds" = last.outcome == success
goal win(who) "your side wins" after duel = last.winner == who.side
tactics default { otherwise: strike any foe }
mage Ann { side ours; SWORD { edge 1 }; SPOON { edge -1 } }
mage Bob { side theirs }
`

// Who wins counts more than whether a command succeeds: a curse always does, and gives Bob
// the next blow. With the sword Ann strikes on 3 or more, 2/3. Afterwards both strike on 4
// or more: Bob first, three times each at most. Let b be the chance that she wins when he
// is to strike with two strokes of hers to come: 1/2 (1/2 + 1/2 b'), b' = 1/2 · 1/2 with
// one, and no win at the end: b = 3/8 · … worked out below.
func TestAdviceBeforeACommandWins(t *testing.T) {
	after := 0.0 // her chance when he is to strike, and she has no stroke left
	for range 2 {
		after = 0.5 * (0.5 + 0.5*after)
	}
	p := &counsel{cfg: advice.Config{Trials: 512}}
	s := interp.NewSession(interp.Config{Player: p, Auto: []string{"Bob"}})
	if err := run(s, curse+"duel"); err != nil {
		t.Fatal(failed(err))
	}
	if p.err != nil {
		t.Fatal(failed(p.err))
	}
	best := "strike Bob with SWORD"
	if p.advice.Commands[0] != best {
		t.Fatalf("the best is %q", p.advice.Commands)
	}
	if v, _ := worthOf(t, p.advice, best, "roll"); v != 2.0/3 {
		t.Errorf("it hits with %v", v)
	}
	for command, want := range map[string]float64{best: 2.0/3 + after/3, "strike Bob": 1.0/2 + after/2} {
		if v, half := worthOf(t, p.advice, command, "win"); math.Abs(v-want) > 1.6*half || half == 0 || half > 0.05 {
			t.Errorf("%s wins with %v ±%v, want %v", command, v, half, want)
		}
	}
	win := p.advice.Goals[len(p.advice.Goals)-1]
	if at := slices.Index(p.advice.Commands, "curse Bob"); at >= 0 && (at == 0 || win.Top[at]) {
		t.Errorf("a curse is as good as a blow: %+v", p.advice)
	}
	if !win.Top[0] {
		t.Errorf("%+v", win)
	}
	again := &counsel{cfg: p.cfg}
	s = interp.NewSession(interp.Config{Player: again, Auto: []string{"Bob"}, Seed: 5})
	if err := run(s, curse+"duel"); err != nil {
		t.Fatal(failed(err))
	}
	if diff := cmp.Diff(p.advice, again.advice); diff != "" {
		t.Error("asked with another seed it says something else:", diff)
	}
}

// inTurn is somebody's turn in each of the systems that ship, with the turn written by
// hand around a command.
var inTurn = map[string]struct{ text, turn, hand, who string }{
	"cah": {`use cah
hero Nova { star 3; PUNCH 4; WITS 2 }
villain Fang { star 2; CLAWS 4; GUILE 5 }
hero Brick { star 2; SMASH 5 }
scene "A" action
heroes Nova, Brick
villains Fang`, "turn Nova", "turn Nova { Nova: %s }", "Nova"},
	"firefly": {`use firefly
crew Mara { MENTAL d8; PHYSICAL d10; SOCIAL d6; FIGHT d8; SHOOT d6 }
gmc Fang { MENTAL d6; PHYSICAL d8; SOCIAL d6; FIGHT d6 }
scene "A" action
heroes Mara
villains Fang`, "turn Mara", "turn Mara { Mara: %s }", "Mara"},
	"marvel": {`use marvel
hero Nova { solo d8; buddy d6; team d6; distinction "Bright"; power_set Light { BLAST d10; FLIGHT d8 }; COMBAT d6 }
watcher Fang { solo d8; buddy d6; team d6; distinction "Wild"; power_set Beast { CLAWS d8 } }
scene "A" action
heroes Nova
villains Fang`, "turn Nova", "turn Nova { Nova: %s }", "Nova"},
	"unisystem": {`use unisystem
cast Robin { STRENGTH 4, DEXTERITY 3, CONSTITUTION 3, INTELLIGENCE 2, PERCEPTION 2, WILLPOWER 2; KUNG_FU 5; base 10; life 35 }
adversary Vampire { STRENGTH 5, DEXTERITY 4, CONSTITUTION 4, INTELLIGENCE 2, PERCEPTION 2, WILLPOWER 2; fighting 2; thinking 2; base 8; life 40 }
heroes Robin
villains Vampire
order Robin, Vampire`, "turn", "turn { Robin: %s }", "Robin"},
}

// In each system the first command is one that the rules allow, and what it comes to is
// what odds say of the same command typed by hand.
func TestAdviceBeforeACommandIsOdds(t *testing.T) {
	for system, c := range inTurn {
		t.Run(system, func(t *testing.T) {
			p := &counsel{cfg: advice.Config{Goal: "roll", Trials: 128}}
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p})
			if err := run(s, c.text); err != nil {
				t.Fatal(failed(err))
			}
			if err := run(s, c.turn); err != nil {
				t.Fatal(failed(err))
			}
			if p.err != nil {
				t.Fatal(failed(p.err))
			}
			if len(p.advice.Commands) < 2 || p.turns[0].Who != c.who {
				t.Fatalf("%s: %q", p.turns[0].Who, p.advice.Commands)
			}
			if len(p.turns) > 1 && p.turns[1].Refused != nil {
				t.Errorf("%s is refused: %v", p.advice.Commands[0], failed(p.turns[1].Refused))
			}
			for _, command := range p.advice.Commands {
				s := interp.NewSession(interp.Config{Modules: stdlib.FS})
				if err := run(s, c.text); err != nil {
					t.Fatal(failed(err))
				}
				o, err := odds.Of(context.Background(), s, lang.NewSource("", strings.ReplaceAll(c.hand, "%s", command)+"\nreport last.outcome == success"), odds.Config{})
				if err != nil {
					t.Fatal(command, failed(err))
				}
				want := 0.0
				for _, e := range o.Ends {
					if e.Fault != nil {
						t.Errorf("%s: %v", command, failed(e.Fault))
					} else if e.Shown[0] == "yes" {
						want += e.P
					}
				}
				got, half := worthOf(t, p.advice, command, "roll")
				if math.Abs(got-want) > 1.6*half+1e-9 {
					t.Errorf("%s: %v ±%v, odds say %v", command, got, half, want)
				}
			}
		})
	}
}

// In clichenimatic the dice of a Round lie on the table when somebody acts, so that what a
// command comes to is certain: it does what it was said to do.
func TestAdviceBeforeACommandWithDiceThatLie(t *testing.T) {
	p := &counsel{cfg: advice.Config{Trials: 32}}
	lost := 0
	var find func(e *interp.Event)
	find = func(e *interp.Event) {
		if lost == 0 && e.Kind == interp.EventChange && e.Who == "Vex" && e.Field == "essence" {
			from, _ := strconv.Atoi(e.From)
			to, _ := strconv.Atoi(e.To)
			lost = from - to
		}
		for _, in := range e.Events {
			find(in)
		}
	}
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p, Seed: 3, Events: find})
	if err := run(s, `use clichenimatic
hero Zara { BLADE +3, DODGE +2 }
villain Vex { CLAW +2 }
scene "A" action
heroes Zara
villains Vex
fight rounds 1`); err != nil {
		t.Fatal(failed(err))
	}
	if p.err != nil || len(p.advice.Commands) == 0 || len(p.turns) > 1 && p.turns[1].Refused != nil {
		t.Fatal(p.err, p.advice)
	}
	v, half := worthOf(t, p.advice, p.advice.Commands[0], "damage")
	if half != 0 || lost == 0 || v != float64(lost) {
		t.Errorf("%s: %v ±%v, and it did %d", p.advice.Commands[0], v, half, lost)
	}
}

// Somebody who watches sees figures after a few trials of what is most likely good: the usual verb at each foe, with what a
// person has. Traits are tried that the rules give for a verb and no others, and in a chase what runs.
func TestAdviceIsThereSoon(t *testing.T) {
	const deck = `use unisystem
cast Fay { STRENGTH 2, DEXTERITY 3, CONSTITUTION 2, INTELLIGENCE 4, WILLPOWER 4; GUN_FU 2, KUNG_FU 1; drama 3; life 30; base 4; weapon FLARE_GUN 15 }
adversary Sailor x3 { combat 10; muscle 12; life 25; base 6 }
guest Pitt { combat 8; muscle 10; brains 10; life 25; base 4 }
`
	for scene, want := range map[string]string{
		"fight":                            `attack "Sailor \d"( with DEXTERITY \+ (GUN_FU|KUNG_FU)| using FLARE_GUN)?`,
		`chase Fay from "Sailor 1" lead 3`: `race|roll DEXTERITY( \+ [A-Z]+)?( vs .*)?`,
	} {
		var first *advice.Advice
		p := &counsel{cfg: advice.Config{Progress: func(a *advice.Advice) bool { first = a; return false }}}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p, Ask: []string{"heroes"}})
		if err := run(s, deck+scene); err != nil || p.err != nil {
			t.Fatal(scene, failed(err), p.err)
		}
		fits := regexp.MustCompile("^(" + want + ")$")
		if first == nil || len(first.Commands) == 0 || first.Tried >= first.Found || first.Tried > 12 {
			t.Errorf("%s: %+v", scene, first)
			continue
		}
		for _, c := range first.Commands {
			if !fits.MatchString(c) {
				t.Errorf("%s: %s", scene, c)
			}
		}
		all := &counsel{cfg: advice.Config{Trials: 8}}
		s = interp.NewSession(interp.Config{Modules: stdlib.FS, Player: all, Ask: []string{"heroes"}})
		if err := run(s, deck+scene); err != nil || all.err != nil {
			t.Fatal(scene, failed(err), all.err)
		}
		for _, c := range all.advice.Commands {
			if strings.Contains(c, "CONSTITUTION") || strings.Contains(c, "+ FLARE_GUN") || scene != "fight" && !fits.MatchString(c) {
				t.Errorf("%s: %s of %d", scene, c, all.advice.Tried)
			}
		}
	}
}
