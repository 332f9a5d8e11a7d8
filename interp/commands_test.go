package interp_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// seen is what somebody can do in their first turn; then the run ends.
type seen struct {
	Commands []string
	likely   int
}

func (x *seen) Command(_ context.Context, t interp.Turn) (string, error) {
	x.Commands, x.likely = assist.Commands(t)
	for _, c := range x.Commands {
		if err := t.Check(c); err != nil {
			return "", err
		}
	}
	return "", errSeen
}

var errSeen = errors.New("seen")

// A command that is proposed is one that somebody would give: nobody who holds nobody is broken free of, weapons are added to
// no die, words are said to whoever stands there, friends are healed before foes.
func TestCommandsThatFit(t *testing.T) {
	const people = `use unisystem
cast Ann { STRENGTH 4, DEXTERITY 4, INTELLIGENCE 2, WILLPOWER 2, INFLUENCE 1, DOCTOR 1, KUNG_FU 4; weapon STAKE 12; base 8; life 40 }
cast Ben { STRENGTH 2; life 30; damage 5 }
guest "Old Pike" { brains 10; life 20; damage 2 }
adversary Count { STRENGTH 6, DEXTERITY 4; fighting 4; base 5; life 45; damage 3 }
`
	all := func(play string) (list []string) {
		x := &seen{}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: x, Ask: []string{"heroes"}})
		if err := s.Exec(t.Context(), lang.NewSource("", people+play)); !errors.Is(err, errSeen) {
			t.Fatal(err)
		}
		return x.Commands
	}
	for play, want := range map[string]struct{ some, none []string }{
		"heroes Ann, Ben\nvillains Count\norder Ann, Ben, Count\nturn": {[]string{"attack Count", "heal Ben", "roll"}, []string{"break_free", "fear", "+ STAKE", "heal Count", `heal "Old Pike"`}},
		"heroes Ann\nvillains Count\nCount: grapple Ann\nturn":         {[]string{"break_free"}, nil},
		"heroes Ann\nvillains Count\nCount.damage = 45\nturn":          {nil, []string{"attempt persuade", "attempt lie", "attempt intimidate", "fear"}},
		"heroes Ann\nbystanders \"Old Pike\"\nturn":                    {[]string{`attempt persuade vs "Old Pike"`}, nil},
		"heroes Ann, Ben\nvillains Count\nchase Ann from Count lead 2": {[]string{"race"}, []string{"break_free", "+ STAKE"}},
	} {
		dice := ""
		if strings.Contains(play, "grapple") {
			dice = "dice 1 1 1\n"
		}
		list := all(dice + play)
		for _, x := range want.some {
			if !slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(c, x) }) {
				t.Errorf("%q: no %s in %q", play, x, list)
			}
		}
		for _, x := range want.none {
			if slices.ContainsFunc(list, func(c string) bool { return strings.Contains(c, x) }) {
				t.Errorf("%q: %s in %q", play, x, list)
			}
		}
		if slices.Contains(list, "attempt persuade") {
			t.Errorf("%q: nobody is persuaded in %q", play, list)
		}
	}
}

// Commands that can be given as they stand: what is done unasked at each foe in turn, then other verbs, with the usual pool;
// in a talk first what is said, to whoever is there. None harms a friend, and none that is likely a bystander.
func TestCommands(t *testing.T) {
	const marvel = `use marvel
hero Ann { solo d8, buddy d10; distinction "Calm"; power_set "Coat" { FLIGHT d8 } }
hero Ben { solo d8; distinction "Loud" }
watcher Fang { solo d6 }
watcher "Old Pike" { solo d6 }
`
	const unisystem = `use unisystem
cast Ann { STRENGTH 2, DEXTERITY 3, WILLPOWER 3, INFLUENCE 2, KUNG_FU 2; life 30 }
guest "Old Pike" { brains 10; life 20 }
`
	for scene, want := range map[string][]string{
		marvel + "heroes Ann, Ben\nvillains Fang, \"Old Pike\"\ntactics Ann { otherwise: attack Fang with buddy + FLIGHT for stress physical }": {
			`attack Fang with buddy + FLIGHT for stress physical`, `attack "Old Pike" with buddy + FLIGHT for stress physical`,
		},
		marvel + "heroes Ann, Ben\nvillains Fang\nbystanders \"Old Pike\"":                               {`attack Fang`, `attack Fang for complication TRAPPED`},
		marvel + "heroes Ann, Ben\nbystanders \"Old Pike\"":                                              {`roll buddy + "Calm" vs "Old Pike"`, `roll buddy + "Calm" + FLIGHT vs doom`, `support Ben as HELP`},
		marvel + "heroes Ann, Ben\nvillains Fang\nbystanders \"Old Pike\"\nFang.passed = [\"physical\"]": {`roll buddy + "Calm" vs "Old Pike"`, `roll buddy + "Calm" + FLIGHT vs doom`, `support Ben as HELP`},
		marvel + "heroes Ann, Ben\nbystanders \"Old Pike\"\nAnn.assets[\"HELP\"] = d12": {
			`roll buddy + "Calm" use asset HELP vs "Old Pike"`, `roll buddy + "Calm" + FLIGHT use asset HELP vs doom`, `support Ben as HELP`,
		},
		marvel + "heroes Ann, Ben\nvillains Fang, \"Old Pike\"\nFang.assets[\"ESCAPING\"] = d8": { // a pursuer does not flee
			`attack Fang`, `attack "Old Pike"`, `attack all`, `attack Fang for complication TRAPPED`,
			`roll buddy + "Calm" + FLIGHT vs Fang`, `roll buddy + "Calm" + FLIGHT vs "Old Pike"`, `roll vs doom for asset GUARD`, `support Ben as HELP`, `target ESCAPING of Fang vs Fang`,
			`escape with buddy + "Calm" + FLIGHT vs Fang`,
		},
		marvel + "heroes Ann, Ben\nvillains Fang\nbystanders \"Old Pike\"\nFang.stress[\"mental\"] = d10": {
			`attack Fang`, `attack Fang for complication TRAPPED`, `roll buddy + "Calm" vs "Old Pike"`, `roll buddy + "Calm" + FLIGHT opening vs Fang`, `roll vs doom for asset GUARD`, `support Ben as HELP`,
		},
		marvel + "heroes Ann\nbystanders \"Old Pike\"":                                               {`roll solo + "Calm" vs "Old Pike"`},
		"use cah\nhero Ann { star 3; STRONG 3 }\nhero Ben { star 3; STRONG 3 }\nheroes Ann, Ben":     {`employ STRONG`},
		"use firefly\ncrew Ann { PHYSICAL d8; FIGHT d8 }\ncrew Ben { PHYSICAL d8 }\nheroes Ann, Ben": {},
		unisystem + "heroes Ann\nbystanders \"Old Pike\"": {
			`attempt persuade vs "Old Pike"`, `attempt lie vs "Old Pike"`, `attempt intimidate vs "Old Pike"`,
		},
		unisystem + "heroes Ann\nvillains \"Old Pike\"": { // whoever fights lifts nothing, and asks nobody
			`attack "Old Pike"`, `grapple "Old Pike" with STRENGTH + KUNG_FU`, `climb`, `full_defense`, `leap high`, `move`, `ritual`,
		},
	} {
		x := &seen{}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: x, Ask: []string{"heroes"}})
		err := s.Exec(t.Context(), lang.NewSource("", scene+"\nturn"+map[bool]string{true: " Ann"}[!strings.HasPrefix(scene, unisystem)]))
		if !errors.Is(err, errSeen) {
			t.Fatal(err)
		}
		if len(x.Commands) < len(want) || !slices.Equal(x.Commands[:len(want)], want) || slices.ContainsFunc(x.Commands, func(c string) bool {
			return strings.Contains(c, " Ben") && !strings.HasPrefix(c, "support") || strings.HasSuffix(c, "vs Ben") || strings.Contains(scene, "passed") && strings.HasSuffix(c, "Fang")
		}) {
			t.Errorf("%q", x.Commands)
		}
		at := slices.IndexFunc(x.Commands, func(c string) bool { return strings.HasPrefix(c, `attack "Old Pike"`) })
		if bystander := strings.Contains(scene, "bystanders"); at >= 0 && bystander != (at >= x.likely) || at < 0 && strings.HasPrefix(scene, marvel) {
			t.Errorf("%q, likely are %d", x.Commands, x.likely)
		}
	}
}
