package interp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// At a table people say what they do. A friend is helped or mended, not attacked; a thing is met by the doom
// pool; a bystander is asked with what fits a talk; and what somebody has no point for is not proposed.
func TestWhatATableSays(t *testing.T) {
	script := `use marvel
hero Tempest { solo d8; buddy d6; team d6; distinction "Storm Chaser"; power_set "Front" { LIGHTNING d10, FLIGHT d8 }; MENACE_EXPERT d8; pp 0 }
hero Ember { solo d8; distinction "Reformed Arsonist"; distinction "Big Sister"; power_set "Coal" { FIRE_BLAST d10, FIRE_JETS d6 }; COMBAT_EXPERT d8; pp 1 }
watcher Prism { solo d8 }
watcher Imp { solo d8 }
hero Anvil { team d10; pp 1 }
hero Whisper { team d6; pp 1 }
watcher Keeper { side bystanders; solo d6 }
Anvil.stress["physical"] = d6
`
	for _, c := range []struct{ scene, said, want string }{
		{"heroes Tempest, Anvil, Whisper", "I patch up Anvil", `recover stress physical of Anvil with team + "Storm Chaser" + LIGHTNING + MENACE_EXPERT`},
		{"heroes Tempest, Anvil, Whisper", "I patch up Whisper", ""}, // who has no stress
		{"heroes Tempest, Anvil, Whisper", "I hold the door so that Whisper can slip through", `support Whisper as HELP with team + "Storm Chaser" + LIGHTNING + MENACE_EXPERT`},
		{"heroes Tempest, Anvil, Whisper", "I blast the sluice motor with lightning", `roll team + "Storm Chaser" + LIGHTNING + MENACE_EXPERT vs doom`},
		{"heroes Tempest, Anvil, Whisper", "I kick Anvil", ""},
		{"heroes Tempest, Anvil; bystanders Keeper", "I question the keeper about the lamp", `roll buddy + "Storm Chaser" + MENACE_EXPERT vs Keeper`},
		{"heroes Tempest, Anvil; bystanders Keeper", "I blast the keeper with front lightning", `roll buddy + "Storm Chaser" + LIGHTNING + MENACE_EXPERT vs Keeper`},
		{"heroes Tempest, Anvil; bystanders Keeper", "I blast the keeper with lightning in flight", `roll buddy + "Storm Chaser" + LIGHTNING + MENACE_EXPERT vs Keeper`}, // a second power of a set costs a point
		{"heroes Ember", "I use my fire blast on the brakes", `roll solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT vs doom`},
		{"heroes Ember", "I use my fire jets on the brakes", `roll solo + "Reformed Arsonist" + FIRE_JETS + COMBAT_EXPERT vs doom`},
		{"heroes Ember; villains Prism, Imp", "I trap Prism in a ring of fire", `attack Prism with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT for complication TRAPPED`},
		{"heroes Ember; villains Prism, Imp", "I wrap Prism in chains so she cannot move", `attack Prism for complication TRAPPED`},
		{"heroes Ember; villains Prism, Imp", "I threaten Prism", `attack Prism for stress mental`},
		{"heroes Ember; villains Prism, Imp", "I hit Prism", `attack Prism`},
		{"heroes Ember, Anvil; villains Prism", "I protect Anvil", `support Anvil as HELP`},
		{"heroes Ember; bystanders Keeper", "I threaten the keeper", `roll solo + "Reformed Arsonist" vs Keeper`},
		{"heroes Ember", "I try to stop the train", `roll solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT vs doom`},
		{"heroes Ember; villains Prism", "I shoot the big one", `attack Prism`},
		{"heroes Ember; villains Prism, Imp", "I blast the big one", `attack Prism with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT or attack Imp with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT`},
		{"heroes Ember; villains Prism, Imp", "I shoot the villain in the chest", `attack Prism or attack Imp`},
		{"heroes Ember; villains Prism, Imp", "I shoot the villain called Imp", `attack Imp`},
		{"heroes Ember; villains Prism", "I shoot the villain", `attack Prism`},
		{"heroes Ember, Anvil; villains Prism", "I shield Anvil", `support Anvil as HELP`},
		{"heroes Ember; villains Prism, Imp", "I grab that one", `attack Prism for complication TRAPPED or attack Imp for complication TRAPPED`},
		{"heroes Ember", "I draw a ring of fire", `roll solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT vs doom`},
		{"heroes Ember", "I blast it with fire jets", `roll solo + "Reformed Arsonist" + FIRE_JETS + COMBAT_EXPERT vs doom`},
		{"heroes Ember; villains Prism, Imp", "I blast all of them", `attack all with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT`},
		{"heroes Ember; villains Prism", "I blast the big one", `attack Prism with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT`},
		{"heroes Ember, Anvil; bystanders Keeper; Ember.assets[\"HELP\"] = d12", "I frighten the keeper with Anvil's help", `roll solo + "Reformed Arsonist" use asset HELP vs Keeper`},
		{"heroes Ember, Anvil; bystanders Keeper; Ember.assets[\"HELP\"] = d12", "I burn the lock with fire jets", `roll solo + "Reformed Arsonist" + FIRE_JETS + COMBAT_EXPERT use asset HELP vs doom`},
		{"heroes Ember; villains Prism; Prism.assets[\"ESCAPING\"] = d10", "I stop her escape", `target ESCAPING of Prism vs Prism`},
		{"heroes Ember; villains Prism; Prism.assets[\"ESCAPING\"] = d12", "I stop her escape", `attack Prism`}, // her d10 cannot touch it
		{"heroes Ember; villains Prism", "I fly after her and grab her", `attack Prism for complication TRAPPED`},
		{"heroes Ember; villains Prism", "I trip her", `attack Prism for complication DOWN`},
		{"heroes Ember; villains Prism", "I blast her as her big sister", `attack Prism with solo + "Big Sister" + FIRE_BLAST + COMBAT_EXPERT`},
		{"heroes Ember; villains Prism, Imp; Prism.stress[\"physical\"] = d12", "I blast Prism", `attack Prism with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT opening`},
		{"heroes Ember; villains Prism, Imp; Prism.stress[\"physical\"] = d12", "I blast Imp", `attack Imp with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT`},
		{"heroes Ember; villains Prism; Prism.complications[\"DOWN\"] = d6", "I trap Prism in a ring of fire", `attack Prism with solo + "Reformed Arsonist" + FIRE_BLAST + COMBAT_EXPERT opening for complication TRAPPED`},
		{"heroes Ember; villains Prism; Prism.stress[\"physical\"] = d12; Ember.assets[\"HELP\"] = d6", "I roll fire jets vs Prism", `roll solo + "Reformed Arsonist" + FIRE_JETS + COMBAT_EXPERT use asset HELP opening vs Prism`},
		{"heroes Ember; villains Prism; Prism.stress[\"mental\"] = d8; Prism.assets[\"ESCAPING\"] = d10", "I stop her escape", `target ESCAPING of Prism opening vs Prism`},
		{"heroes Ember; bystanders Keeper; Keeper.stress[\"mental\"] = d8", "I threaten the keeper", `roll solo + "Reformed Arsonist" opening vs Keeper`},
	} {
		p := player(func(turn interp.Turn) string {
			commands, _, _ := interp.Meant(&turn, c.said)
			if got := strings.Join(commands, " or "); got != c.want {
				t.Errorf("%s: %s, want %s", c.said, got, c.want)
			}
			return interp.Pass
		})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p})
		if err := s.Exec(context.Background(), lang.NewSource("", script+"scene \"S\" { "+c.scene+"; turn "+strings.Trim(strings.Fields(c.scene)[1], ",;")+" }")); err != nil {
			t.Fatal(err)
		}
	}
}

// In each system words of a table lead to the verbs that are for them: to defend oneself, to push, to ask.
func TestWordsOfEachSystem(t *testing.T) {
	for sheets, want := range map[string]map[string]string{
		`use unisystem
cast Ann { STRENGTH 2, DEXTERITY 3, INTELLIGENCE 3, WILLPOWER 3; KUNG_FU 2, OCCULTISM 2; life 30 }
adversary Quill { combat 9; life 40; base 1 }
adversary Bear { combat 9; life 40; base 1 }
heroes Ann
villains Quill, Bear`: {
			"I defend myself and dodge":                      "full_defense",
			"I dodge":                                        "full_defense",
			"I push the big one off the tower":               "attempt tackle vs Quill or attempt tackle vs Bear",
			"I read from the book of bells to banish him":    "ritual",
			"I look Bear in the eye and ask who paid him":    "attempt enquire vs Bear",
			"I dance the hornpipe":                           "",
			"I look around and then question Quill about it": "attempt enquire vs Quill",
		},
		`use marvel
hero Ann { solo d8; distinction "Storm Chaser"; power_set "Front" { GUST d10 }; MENACE_EXPERT d8; pp 1 }
watcher Quill { solo d8 }
doom 2d6
heroes Ann
villains Quill`: {
			"I duck":             "roll vs doom for asset GUARD",
			"I shield the crowd": "roll vs doom for asset COVER",
			"I stand between the bike and the people":    "roll vs doom for asset COVER",
			"I hide behind the crates":                   "roll vs doom for asset COVER",
			"I block the road":                           "roll vs doom for asset BARRIER",
			"I freeze the road under his wheels":         "roll vs doom for asset ICE",
			"I fly up":                                   "roll vs doom for asset HIGH_GROUND",
			"I free the hostages":                        "roll vs doom for asset RESCUE",
			"I use the crane to lift a car":              "roll vs doom for asset ADVANTAGE",
			"I look for a way out":                       "roll vs doom for asset ADVANTAGE",
			"I wait for the storm to pass":               "",
			"I shield the crowd with a gust":             `roll solo + "Storm Chaser" + GUST + MENACE_EXPERT vs doom for asset COVER`,
			"I distract him":                             "attack Quill for complication DISTRACTED",
			"I fly up and hit him":                       "attack Quill",
			"I blow the bike off the road":               "attack Quill",
			"I shove him":                                "attack Quill for complication DOWN",
			"I look him in the eye and ask who paid him": `attack Quill for stress mental`,
		},
		`use marvel
hero Ann { solo d8; distinction "Storm Chaser"; MENACE_EXPERT d8; pp 1 }
watcher Quill { solo d8 }
watcher Moth { solo d8 }
doom 2d6
heroes Ann
bystanders Quill, Moth`: {
			"I look him in the eye and ask who paid him": `roll solo + "Storm Chaser" + MENACE_EXPERT vs Quill or roll solo + "Storm Chaser" + MENACE_EXPERT vs Moth`,
		},
		`use firefly
crew Ann { MENTAL d8, PHYSICAL d6, SOCIAL d8; FIGHT d8, INFLUENCE d6; distinction "Loyal"; pp 1 }
crew Bo { MENTAL d8 }
gmc Quill { MENTAL d8, PHYSICAL d8, SOCIAL d6 }
Bo.complications["SPRAIN"] = d6
heroes Ann, Bo
villains Quill`: {
			"I parry":            "asset COVER",
			"I push him":         "roll vs Quill high_stakes",
			"I ask who paid him": "roll SOCIAL + INFLUENCE vs Quill",
		},
		`use cah
hero Ann { star 3; QUICK 3 }
villain Quill { star 3; AGILE 2 }
heroes Ann
villains Quill`: {
			"I push him":          "attack Quill with QUICK",
			"I fool him":          "trick Quill with QUICK",
			"I run and catch him": "capture Quill with QUICK",
		},
		`use clichenimatic
hero Ann { cliche "Duelist"; flaw "Proud"; BLADE +3 }
villain Quill { cliche "Thug"; FIST +2 }
heroes Ann
villains Quill`: {
			"I push him": "attack Quill",
		},
	} {
		l := &listener{map[string]string{}}
		for said := range want {
			l.meant[said] = "?"
		}
		lines := strings.Split(sheets, "\n")
		turn := map[bool]string{true: "turn Ann", false: "turn"}[strings.Contains(sheets, "marvel") || strings.Contains(sheets, "cah") || strings.Contains(sheets, "firefly")]
		if strings.Contains(sheets, "clichenimatic") {
			turn = "order Ann; round"
		}
		who := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "heroes") })
		text := strings.Join(lines[:who], "\n") + "\nscene {\n" + strings.Join(lines[who:], "\n") + "\n" + turn + "\n}"
		if err := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: l, Ask: []string{"heroes"}}).Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Fatal(err, text)
		}
		for said, command := range want {
			if l.meant[said] != command {
				t.Errorf("%s %s: %q, want %q", lines[0], said, l.meant[said], command)
			}
		}
	}
}

// What somebody can do names whom they can help, and the doom pool where nobody opposes; nobody attacks a friend.
func TestCanAmongFriends(t *testing.T) {
	script := `use marvel
hero Tempest { buddy d6; pp 0 }
hero Anvil { buddy d10; pp 1 }
Anvil.stress["physical"] = d6
scene "S" { heroes Tempest, Anvil; turn Tempest }`
	p := player(func(turn interp.Turn) string {
		c := interp.WhatCan(&turn)
		slices.Sort(c.Verbs)
		if got := strings.Join(c.Verbs, " "); got != "recover roll support" || strings.Join(c.Models, "") != "roll buddy vs doom" {
			t.Errorf("Tempest can %s, as in %v", got, c.Models)
		}
		return interp.Pass
	})
	if err := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p}).Exec(context.Background(), lang.NewSource("", script)); err != nil {
		t.Fatal(err)
	}
}

type player func(interp.Turn) string

func (p player) Command(_ context.Context, t interp.Turn) (string, error) { return p(t), nil }

// Who acts behind whoever has the turn: in order where there is one, else who has still to act, else that there is none.
func TestUpcoming(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"use cah\nhero Ann { star 1; PUNCH 3 }\nhero Bo { star 2; PUNCH 3 }\nvillain Fang { star 4; BITE 2 }\nscene action { heroes Ann, Bo; villains Fang; fight }", "{Fang [Bo Ann] [] }"},
		{"use marvel\nhero Ann { solo d8 }\nhero Bo { solo d8 }\nwatcher Moth { solo d8 }\ndoom 2d6\nscene action { heroes Ann, Bo; villains Moth; order Ann, Moth; fight }", "{Ann [Moth] [Bo] }"},
		{"use firefly\ncrew Ann { MENTAL d8 }\ncrew Bo { MENTAL d8 }\ngmc Quill { MENTAL d8 }\nscene action { heroes Ann, Bo; villains Quill; order Bo; fight }", "{Bo [] [Ann Quill] }"},
		{"use clichenimatic\nhero Ann { cliche \"Duelist\"; flaw \"Proud\"; BLADE +3 }\nhero Bo { cliche \"Thief\"; flaw \"Shy\"; KNIFE +3 }\nvillain Quill { cliche \"Thug\"; FIST +2 }\nscene { heroes Ann, Bo; villains Quill; order Ann, Bo; fight }", "{Ann [] [Bo] then the GM}"},
		{"use unisystem\ncast Ann { life 30 }\ncast Bo { life 30 }\nadversary Moth { life 30 }\nscene { heroes Ann, Bo; villains Moth; order Bo, Moth; fight }", "{Bo [Moth] [] then who is not named}"},
		{"use unisystem\ncast Ann { life 30 }\nadversary Moth { life 30 }\nscene { heroes Ann; villains Moth; fight }", "{Ann [] [] no fixed order: heroes act before the others}"},
		{"use unisystem\ncast Ann { life 30 }\nscene { heroes Ann; turn }", "none"},
	} {
		got := ""
		p := player(func(turn interp.Turn) string {
			if got != "" {
				return interp.Pass
			}
			if got = "none"; turn.Session.Order() != nil {
				got = fmt.Sprint(*turn.Session.Order())
			}
			return interp.Pass
		})
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p, Ask: []string{"heroes"}, Limits: interp.Limits{Steps: 100000}})
		err := s.Exec(context.Background(), lang.NewSource("", c.script))
		if got != c.want {
			t.Errorf("%s: %s, want %s (%v)", strings.Fields(c.script)[1], got, c.want, err)
		}
	}
}
