package interp_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A Score follows what it is summed of when a script sets that: Combat is Dexterity, the average of the fighting Skills
// and 6, Muscle twice Strength and 6. A Score that the sheet gives stays, and that is said. A trait that the rules know
// and a sheet lacks comes onto it.
func TestScoresFollow(t *testing.T) {
	const sheets = `use unisystem
cast Hank { DEXTERITY 4 }
adversary Foe { DEXTERITY 3, STRENGTH 4; fighting 4 }
adversary Boss { DEXTERITY 3; KUNG_FU 4; combat 15 }
`
	for _, c := range []struct{ text, want string }{
		{"Foe.fighting = 2", "Foe fighting 2, Foe combat 11"},
		{"Foe.fighting -= 1", "Foe fighting 3, Foe combat 12"},
		{"Foe.DEXTERITY = 5", "Foe.DEXTERITY rating 5, Foe combat 15"},
		{"Foe.STRENGTH.rating = 6", "Foe.STRENGTH rating 6, Foe muscle 18"},
		{"Foe.limbs = 2", "Foe limbs 2, Foe muscle 16"},
		{"Foe.combat = 20\nFoe.fighting = 2", "Foe combat 20, Foe fighting 2, combat stays: it was set"},
		{"Boss.KUNG_FU = 6", "Boss.KUNG_FU rating 6, Boss fighting 6, combat stays: it was set"},
		{"Foe.life = 9", "Foe life 9"},
		{"Hank.KUNG_FU = 4\nHank.KUNG_FU += 1", "Hank traits [DEXTERITY, KUNG_FU], Hank.KUNG_FU rating 4, Hank.KUNG_FU rating 5"},
		{"for x in [Hank, Foe, Boss] { x.fighting = 2 }", "5:30: Hank (cast) has no fighting"},
		{"for x in [Foe, Boss] { x.fighting -= 1 }", "Foe fighting 3, Foe combat 12, Boss fighting 3, combat stays: it was set"},
		{"for x in [Foe.STRENGTH, Boss.KUNG_FU, Hank.DEXTERITY] { x.rating = 5 }", "Foe.STRENGTH rating 5, Foe muscle 16, Boss.KUNG_FU rating 5, Boss fighting 5, combat stays: it was set, Hank.DEXTERITY rating 5"},
		{"for x in [Hank, Foe] { x.DEXTERITY.rating = 5 }", "Hank.DEXTERITY rating 5, Foe.DEXTERITY rating 5, Foe combat 15"},
		{"for x in [Hank, Foe] { x.DEXTERITY = 5 }", "Hank.DEXTERITY rating 5, Foe.DEXTERITY rating 5, Foe combat 15"},
		{"for x in [Foe, Hank] { x.STRENGTH = 5 }", "Foe.STRENGTH rating 5, Foe muscle 16, 5:26: Hank has no STRENGTH"},
		{"let x = Foe\nx.limbs = 2", "Foe limbs 2, Foe muscle 16"},
		{"for x in [Foe] { x.life = 9 }", "Foe life 9"},
		{"Hank.KUNGFU = 4", "there is no field KUNGFU"},
	} {
		var got []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			switch e.Kind {
			case interp.EventChange:
				got = append(got, e.Who+" "+e.Field+" "+e.To)
			case interp.EventNote, interp.EventPrint:
				got = append(got, e.Text)
			}
		}})
		if err := s.Exec(context.Background(), lang.NewSource("", sheets+c.text)); err != nil {
			got = append(got, strings.Split(err.Error(), "\n")[0])
		}
		if text := strings.Join(got, ", "); !strings.HasSuffix(text, c.want) || !slices.Contains([]string{"", "5:6: "}, strings.TrimSuffix(text, c.want)) {
			t.Errorf("%s: %q, want %q", c.text, text, c.want)
		}
	}
}

// Who has a weapon may parry with the Skill that goes with it, and does where that is the best; without one the Skill is of no use.
func TestParry(t *testing.T) {
	for sheet, total := range map[string]string{ // 5 and Dexterity 3
		"GETTING_MEDIEVAL 4; weapon AXE 12":                 "12",
		"GETTING_MEDIEVAL 4":                                "8",
		"GETTING_MEDIEVAL 4; ACROBATICS 5; weapon AXE 12":   "13",
		"GETTING_MEDIEVAL 0; KUNG_FU 2; weapon PITCHFORK 9": "10",
	} {
		got := ""
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			if e.Kind == interp.EventNote {
				got = e.Text
			}
		}})
		text := "use unisystem\ncast Hank { DEXTERITY 3; " + sheet + "; life 30 }\nadversary Foe { combat 30; life 9; base 2 }\ndice 5\nFoe: attack Hank\nnote \"{last.against}\""
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil || got != total {
			t.Errorf("%s: %s, want %s; %v", sheet, got, total, err)
		}
	}
}

// listener hears what sentences mean at the first turn.
type listener struct{ meant map[string]string }

func (l *listener) Command(_ context.Context, t interp.Turn) (string, error) {
	for said, command := range l.meant {
		if command == "?" {
			commands, _, _ := interp.Meant(&t, said)
			l.meant[said] = strings.Join(commands, " or ")
		}
	}
	return "pass", nil
}

// What people say in a talk is the usual action that the rules give for it; a word that is only like another means nothing.
func TestTalkIsMeant(t *testing.T) {
	want := map[string]string{
		"I look at what is in the ledger":    "attempt spot",
		"I flirt with Mrs Oddy":              `attempt persuade vs "Mrs Oddy"`,
		"I hide behind the lifeboat":         "attempt hide",
		"I lean over Mrs Oddy and scare her": `attempt intimidate vs "Mrs Oddy"`,
		"I ask Mrs Oddy about the ledger":    `attempt enquire vs "Mrs Oddy"`,
		"I lean over her":                    "",
		"I shoot Mrs Oddy with my flare gun": `attack "Mrs Oddy" using FLARE_GUN`,
		"I tell her of the flares":           `attempt persuade vs "Mrs Oddy"`,
		"I light two of the flares":          "",
		"I try to calm old Mrs Oddy":         `attempt persuade vs "Mrs Oddy"`,
		"I talk Mrs Oddy into telling us":    `attempt persuade vs "Mrs Oddy"`,
		"I tell Mrs Oddy a sad story":        `attempt persuade vs "Mrs Oddy"`,
		"I tell Mrs Oddy that I lie":         `attempt lie vs "Mrs Oddy"`,
	}
	l := &listener{map[string]string{}}
	for said := range want {
		l.meant[said] = "?"
	}
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: l, Ask: []string{"heroes"}})
	err := s.Exec(context.Background(), lang.NewSource("", `use unisystem
cast Nell { STRENGTH 2, DEXTERITY 3, INTELLIGENCE 2, PERCEPTION 3, WILLPOWER 3; NOTICE 3, INFLUENCE 2, KNOWLEDGE 1; life 26; base 4; weapon FLARE_GUN 15 }
guest "Mrs Oddy" { INTELLIGENCE 3, PERCEPTION 3, WILLPOWER 2; INFLUENCE 2 }
scene "office" { turn }`))
	if err != nil {
		t.Fatal(err)
	}
	for said, command := range want {
		if l.meant[said] != command {
			t.Errorf("%s: %q, want %q", said, l.meant[said], command)
		}
	}
}

// In a fight an article names nobody, and whoever is out is not meant while somebody stands; the weakest is who the rules call so.
// A friend who is named by the way is not looked at, and who is hurt is bandaged.
func TestFightIsMeant(t *testing.T) {
	want := map[string]string{
		"I hit the monster with my crowbar":          `attack "Rat 1" using CROWBAR`,
		"I shoot the closest singer":                 `attack "Rat 1"`,
		"I hit the Cantor again":                     `attack "Rat 1"`,
		"I hit the big one":                          `attack "Rat 1" or attack "Rat 2"`,
		"I hit the one in the back with the crowbar": `attack "Rat 1" using CROWBAR or attack "Rat 2" using CROWBAR`,
		"I hit rat 2, the ugly one":                  `attack "Rat 2"`,
		"I hit one of them":                          `attack "Rat 1"`,
		"I scare that one":                           `attempt intimidate vs "Rat 1" or attempt intimidate vs "Rat 2"`,
		"I hit a monster":                            `attack "Rat 1"`,
		"I hit rat 2":                                `attack "Rat 2"`,
		"I smash the weakest one with the crowbar":   `attack weakest foe using CROWBAR`,
		"I shoot the wounded one":                    `attack wounded foe`,
		"I shove a pew in front of the door":         "",
		"I shove him off the gallery":                `attempt tackle vs "Rat 1"`,
		"I throw myself between Nell and the rubble": "",
		"I search the floor":                         "attempt spot",
		"I bribe rat 2":                              `attempt persuade vs "Rat 2"`,
		"I run away":                                 "move",
		"I bandage Nell":                             "heal Nell",
		"I jump over the crates":                     "attempt leap",
	}
	const sheets = `use unisystem
cast Al { STRENGTH 4, DEXTERITY 3, INTELLIGENCE 3, PERCEPTION 3, WILLPOWER 3; KUNG_FU 4, DOCTOR 2, ACROBATICS 2; base 6; life 30; weapon CROWBAR 9 }
cast Nell { DEXTERITY 1; life 30; damage 5 }
adversary "The Cantor" { DEXTERITY 1; base 7; life 12; damage 12 }
adversary Rat x2 { DEXTERITY 1; INTELLIGENCE 1, WILLPOWER 1; base 2; life 30 }
tactics Al { otherwise: attack "Rat 1" }
`
	said := func(want map[string]string, scene string) {
		l := &listener{map[string]string{}}
		for said := range want {
			l.meant[said] = "?"
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: l, Ask: []string{"heroes"}})
		if err := s.Exec(context.Background(), lang.NewSource("", sheets+"scene { heroes Al, Nell; villains Rat, \"The Cantor\"; order Al; "+scene+" }")); err != nil {
			t.Fatal(err)
		}
		for said, command := range want {
			if l.meant[said] != command {
				t.Errorf("%s: %q, want %q", said, l.meant[said], command)
			}
		}
	}
	said(want, "turn")
	said(map[string]string{
		"I shoot the wounded rat with my crowbar": `attack "Rat 2" using CROWBAR`,
		"I hit the rat who is hurt":               `attack "Rat 2"`,
		"I hit the strongest rat":                 `attack "Rat 1"`, // 30 of 30, the other has 4
		"I hit rat 1, not the wounded one":        `attack "Rat 1"`,
		"I chop the rat that Nell hit":            `attack "Rat 1" or attack "Rat 2"`,
		"I shoot the wounded one":                 `attack wounded foe`,
	}, `give 26 damage to "Rat 2"; turn`)
	said(map[string]string{"I search his desk while he is talking to Nell": "attempt spot", "I calm Nell": "attempt persuade vs Nell"}, `exit Rat, "The Cantor"; turn`)
	said(map[string]string{"I jump over the crates": "roll DEXTERITY + ACROBATICS", "I climb over the tomb": "roll DEXTERITY + ACROBATICS", "I run away": "race", "I dodge": ""}, `chase Al from "Rat 1" lead 1 turns 1`)
}

// Before a blow or a grip at somebody who is out all hear it, and so does who is asked for a Drama Point.
func TestBlowAtWhoIsOut(t *testing.T) {
	for verb, out := range map[string]bool{"attack": true, "grapple": true, "roll STRENGTH + DEXTERITY vs": false} {
		for _, damage := range []string{"40", "39"} {
			var told string
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
				if e.Kind == interp.EventNote && strings.Contains(e.Text, "is out of") {
					told += e.Told + " " + e.Text
				}
			}})
			text := "use unisystem\ncast Hank { STRENGTH 2, DEXTERITY 3; KUNG_FU 2; life 30 }\nadversary Foe { combat 13; muscle 14; life 40; base 10; damage " + damage + " }\ndice 1 5\nHank: " + verb + " Foe"
			want := ""
			if out && damage == "40" {
				want = "open Foe is out of the fight already"
			}
			if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil || told != want {
				t.Errorf("%s at damage %s: told %q, want %q; %v", verb, damage, told, want, err)
			}
		}
	}
}

// What makes no roll at once has no chance of one.
func TestWorthWithoutARoll(t *testing.T) {
	for command, scene := range map[string]string{
		"race":         "chase Foe from Hank lead 2 turns 1",
		"full_defense": "order Hank; fight turns 1",
	} {
		c := &counsel{cfg: advice.Config{Trials: 50}}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: c, Ask: []string{"heroes"}})
		err := s.Exec(context.Background(), lang.NewSource("", "use unisystem\ncast Hank { DEXTERITY 3; life 30 }\nadversary Foe { combat 9; life 40; base 1 }\nscene { heroes Hank; villains Foe; "+scene+" }"))
		if err == nil {
			err = c.err
		}
		if err != nil {
			t.Fatal(err)
		}
		if x, _ := worthOf(t, c.advice, command, "roll"); !math.IsNaN(x) {
			t.Errorf("%s: the roll is worth %v", command, x)
		}
		for _, other := range c.advice.Commands {
			if x, _ := worthOf(t, c.advice, other, "roll"); strings.HasPrefix(other, "roll ") && math.IsNaN(x) {
				t.Errorf("%s: the roll is worth nothing", other)
			}
		}
	}
}

// drama counts who is asked for a Drama Point.
type drama struct{ asked *[]string }

func (d drama) Choose(_ context.Context, q interp.Question) (int, error) {
	if q.Name == "drama" {
		*d.asked = append(*d.asked, q.Who)
	}
	return q.Default, nil
}

// Whoever defends is asked for a Drama Point where the blow would do a third of what is left of their Life Points, or a grip threatens:
// Combat 13 hits for 3 levels, so base 10 does 13.
func TestDramaWhereItMatters(t *testing.T) {
	for c, want := range map[string]int{
		"life 30; damage 0|Foe: attack Hank":          1, // 13 of 30
		"life 44; damage 4|Foe: attack Hank":          0, // 13 of 40
		"life 44; damage 5|Foe: attack Hank":          1, // 13 of 39
		"life 30; damage 20|Foe: attack Hank":         1,
		"life 30; damage 17|Foe: attack Hank base 1":  0, // 4 of 13
		"life 30; damage 0|Foe: attack Hank mod -5":   0, // 8 hits nobody
		"life 30; damage 28|Foe: attack Hank mod -5":  0,
		"life 30; damage 0|Foe: grapple Hank":         1,
		"life 30; damage 0|Hank: attack Foe":          1,
		"life 30; damage 0|Hank: roll DEXTERITY once": 1,
	} {
		sheet, line, _ := strings.Cut(c, "|")
		var asked []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Choice: drama{&asked}, Ask: []string{"heroes"}, Quiet: interp.QuietUsual})
		text := "use unisystem\ncast Hank { STRENGTH 2, DEXTERITY 3; KUNG_FU 2; drama 2; " + sheet + " }\nadversary Foe { combat 13; muscle 14; life 40; base 10 }\ndice 5 5\n" + line
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil || len(asked) != want {
			t.Errorf("%s: asked %q, want %d; %v", c, asked, want, err)
		}
	}
}

// Of two Skills that are as good who has a weapon strikes with the one for it, without one with the bare hands.
func TestBlows(t *testing.T) {
	for who, want := range map[string]string{"Hank": "KUNG_FU", "Axel": "GETTING_MEDIEVAL"} {
		var parts []string
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
			for _, p := range e.Parts {
				parts = append(parts, p.Label)
			}
		}})
		err := s.Exec(context.Background(), lang.NewSource("", `use unisystem
cast Hank { DEXTERITY 3; KUNG_FU 2, GETTING_MEDIEVAL 2; life 30; base 4 }
cast Axel { DEXTERITY 3; KUNG_FU 2, GETTING_MEDIEVAL 2; life 30; base 4; weapon AXE 9 }
adversary Foe { combat 12; life 40; base 2 }
`+who+": attack Foe"))
		if !slices.Contains(parts, want) || err != nil {
			t.Errorf("%s strikes with %q, not %s; %v", who, parts, want, err)
		}
	}
}

// A blow with a Skill that takes a weapon does the damage of one, with bare hands that of the sheet: 4 or 10, and 1 for
// the levels of 10 against Combat 9.
func TestDamageOfASkill(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	err := s.Exec(context.Background(), lang.NewSource("", `use unisystem
cast Ann { DEXTERITY 3; GUN_FU 2, KUNG_FU 2; base 4; life 30; weapon FLARE_GUN 10 }
adversary Foe { combat 9; life 40 }
dice 5 5 5
Ann: attack Foe with DEXTERITY + KUNG_FU
expect Foe.damage == 5
Ann: attack Foe with DEXTERITY + GUN_FU
expect Foe.damage == 16
Ann: attack Foe with DEXTERITY + GUN_FU base 1
expect Foe.damage == 18`))
	if err != nil {
		t.Error(err)
	}
}

// Whoever loses control in their own Turn is asked no more in it; a sentence is refused for the reason that the rules have.
func TestNotInControl(t *testing.T) {
	for first, want := range map[string]string{
		"dice 2; fear of Rat sudden": "",                                // 2 + 2 - 1 - 2 = 1, Total Terror
		"dice 4; fear of Rat sudden": "",                                // 3, flight: a whole Turn of running
		"dice 6; fear of Rat sudden": "",                                // 5, a freak-out
		"dice 8; fear of Rat sudden": "attack Rat",                      // 7, startled
		"Al.no_attack = yes":         "1:1: Al cannot attack this Turn", // what is meant, and why it is refused
	} {
		got, asked := "", 0
		p := player(func(turn interp.Turn) string {
			if turn.Who == "Rat" {
				return interp.Pass
			}
			if asked++; asked == 1 {
				return first
			}
			commands, _, why := interp.Meant(&turn, "I hit the rat")
			if got = strings.Join(commands, " or "); why != nil {
				got = strings.TrimSpace(why.Error())
			}
			return interp.Pass
		})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p, Ask: []string{"heroes"}})
		script := `use unisystem
cast Al { STRENGTH 4, DEXTERITY 3, WILLPOWER 1; life 30 }
adversary Rat { combat 9; life 30; visage yes }
scene { heroes Al; villains Rat; turn }`
		if err := s.Exec(context.Background(), lang.NewSource("", script)); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", first, got, want)
		}
	}
}
