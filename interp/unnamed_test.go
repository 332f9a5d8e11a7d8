package interp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// The law of reactions: an answer that nobody named refuses nobody else's command. Whoever is attacked may
// have nothing that fits, nothing left to pay with, features, a vehicle, companions, and tactics that answer
// whatever they are asked: an attack that is allowed against somebody plain is allowed against them.

// scenery is what random scenes of a system are made of.
type scenery struct {
	system   string
	before   string   // rules and people that are always there
	plain    string   // somebody who has whatever an attack could ask for
	kinds    []string // what the target may be: a declaration up to its fields
	fields   []string // lines of its sheet; what does not fit the kind is left out
	traits   []string // names of traits
	ratings  []string
	features []string // of traits
	state    []string // how everybody stands; what cannot be is left out
	enter    string   // the scene
	attack   string   // around an attack: %s
	attacks  []string // without a word about the target's side
	fight    string   // everybody acts by tactics
	small    string   // an attack with few dice; "" for the first of attacks
	no       []string // refusals that say that the target is none
}

var sceneries = []scenery{{
	system: "cah",
	before: `villain Fang { star 3; BITE 5; CLAW 4 [area]; FANG 3 [devastating] }
hero Brick { star 2; oomph 1; FIST 3; JEEP 4 [vehicle minor] { WHEELS 2; GUN 6 [oomph_powered]; HORN 1 } }
`,
	plain: "hero Nova { star 3; oomph 4; DEF 3; DODGE 2 }",
	kinds: []string{"hero Nova", "hero Nova", "ally Nova", "villain Nova", "goons Nova"},
	fields: []string{"star 1", "star 4", "oomph 0", "oomph 1", "setbacks 1", `quality "Bold"`, `quality "Calm"`, `signature "Pilot"`, "master yes",
		"VAN 4 [vehicle minor] { WHEELS 2; GUN 6 [oomph_powered] }", "VAN 4 [vehicle] { WHEELS 2 [fickle] }", "VAN 3 [vehicle, accessory]", "DOG 4 [companion]",
		"rating 1", "rules [hard_to_defeat]", "rules [dependent]", "rules [specialist \"locks\"]", "rules [special_attack]", "rules [easily_led]", "FREE 2 [versatile]"},
	traits: []string{"DEF", "DODGE", "HIDE", "WIT"}, ratings: []string{"1", "2", "3", "6"},
	features: []string{"accessory", "action_feature", `advantage "water"`, "area", "big_attack", "devastating", `disadvantage "fire"`, "fickle", "one_shot", "oomph_powered",
		"oomph_powered 2", `situational_boost "dark"`, `situational_setback "wet"`, "multiple_forms", "transform", "versatile", "comedically_versatile", "lead"},
	state: []string{"series expanded_vehicles", "sidekick Dog { bond Nova.DOG; COMBAT 2 }", "sidekick Dog { bond Nova.DOG; oomph 0 }", "Nova: board VAN", "Nova: board Brick.JEEP", "Brick: board JEEP", "Brick: board Nova.VAN",
		"Nova.DEF.off = scene", "Nova.DODGE.off = episode", "Nova.VAN.off = scene", "Nova.oomph = 0", "Nova.boxes = 2", "Brick.oomph = 0", "Nova.setbacks = 2"},
	enter: "scene \"x\" action", fight: "fight rounds 2", attack: "%s",
	attacks: []string{"Fang: attack Nova with BITE", "Fang: attack Nova, Brick with CLAW", "Fang: attack Nova with FANG", "Fang: roll BITE crucial vs Nova", "turn Fang"},
	no:      []string{"Nova is Defeated"},
}, {
	system: "firefly",
	before: "gmc Foe { MENTAL d8; FIGHT d8 }\ncrew Mara { MENTAL d8; PHYSICAL d8; FIGHT d6; pp 0 }\nship Serenity { ENGINES d8; HULL d6; SYSTEMS d8 }\n",
	plain:  "crew Cass { MENTAL d8; PHYSICAL d8; FIGHT d8; pp 3 }",
	kinds:  []string{"crew Cass", "crew Cass", "gmc Cass", "minor Cass", "extra Cass"},
	fields: []string{"pp 0", "pp 1", `distinction "Ace"`, `signature "Gun" d8`, "bdh [d8]", "level d10", "rating d6", `past ["The Train"]`, "complications {HURT: d6}", "complications {HURT: d12}", "complications {SICK: d12+}",
		"assets {ROPE: d8}", "aboard Serenity"},
	traits: []string{"MENTAL", "PHYSICAL", "SOCIAL", "FIGHT", "SHOOT"}, ratings: []string{"d4", "d6", "d10"},
	state:   []string{"bank 0", "bank 2", "Cass.pp = 0", "Cass.aboard = Serenity", `Foe.complications["LATE"] = d6`, `Cass.complications["TIRED"] = d12`, `Serenity.complications["HOLED"] = d10`, "Mara.pp = 0", `Cass.lasting["MAP"] = d8`},
	enter:   "scene \"x\" action",
	fight:   "fight rounds 2",
	attack:  "%s",
	attacks: []string{"Foe: roll MENTAL + FIGHT vs Cass", "Foe: roll MENTAL + FIGHT vs Cass high_stakes", "Foe: roll vs Cass", "Foe: roll PHYSICAL vs Cass", "turn Foe"},
	no:      []string{"Taken Out of this conflict"},
}, {
	system: "unisystem",
	before: "adversary Vamp { STRENGTH 4; DEXTERITY 4; base 5; muscle 14; combat 14; brains 12; life 60; drama 1 }\ncast Tess { STRENGTH 2; DEXTERITY 2; WILLPOWER 2; life 30 }\n",
	plain:  "cast Ann { STRENGTH 3; DEXTERITY 3; CONSTITUTION 3; INTELLIGENCE 3; PERCEPTION 3; WILLPOWER 3; KUNG_FU 3; drama 4; life 40; base 6 }",
	kinds:  []string{"cast Ann", "cast Ann", "guest Ann", "adversary Ann"},
	fields: []string{"drama 0", "drama 1", "life 0", "life 20", "base 4", "weapon \"Axe\" 9", "weapon \"Gun\"", "visage yes", "attractiveness -2", "gore 3", "muscle 10", "combat 9", "brains 8", "fighting 2", "rolls no", "rolls yes", "nerves 2", "damage 5"},
	traits: []string{"STRENGTH", "DEXTERITY", "CONSTITUTION", "INTELLIGENCE", "PERCEPTION", "WILLPOWER", "KUNG_FU", "GUN_FU", "GETTING_MEDIEVAL", "DOCTOR"}, ratings: []string{"0", "1", "3"},
	state: []string{"Ann.drama = 0", "Ann.held_by = Vamp", "Ann.held_by = Tess", "Tess.held_by = Ann", "Ann.no_attack = yes", "Ann.defence_only = yes", "Ann.helpless = yes", "Ann.fleeing = yes", "Ann.panic = run", "Ann.initiative_lost = yes",
		"Ann.no_full_defense = yes", "Ann.cornered = yes", "Ann.acted = yes", "Ann.breed = \"Ghoul\""},
	enter: "scene \"x\"", fight: "fight turns 2", attack: "%s",
	attacks: []string{"Vamp: attack Ann", "Vamp: grapple Ann", "Vamp: roll DEXTERITY vs Ann", "Vamp: roll STRENGTH vs Ann", "turn { Vamp: attack Ann }", "fight turns 1"},
}, {
	system: "clichenimatic",
	before: "hero Ann { essence 60; resolve 9; RA +5; RB +4 [rapid]; RC +3 [haywire]; RD +2 [persistent] }\nvillain Vox { resolve 2; essence 30; WA +1 }\nmooks Mob { mooks 6; equipment Pike adder 2 limited 1 }\ncrew Rope { }\ntask Wall { }\n",
	plain:  "villain Vex { essence 60; resolve 9; VA +3; VB +2; VC +1 }",
	kinds:  []string{"villain Vex", "villain Vex", "mooks Vex", "craft Vex", "task Vex"},
	fields: []string{"resolve 0", "resolve 2", "resolve 5", "essence 8", "essence 40", "scale huge", "scale small", "mooks 1", "mooks 20", `cliche "Bard"`, `cliche "Thief" applies no`, `flaw "Proud"`, `dark_secret "Heir"`, `pip "Quick"`, `pip "Lucky" item "Hat"`, `catch_phrase "Ha"`,
		"equipment Hat { }", "equipment Coat { essence 4 }", "equipment Jet vehicle", `GUNS +2 item "Jet"`, "BOLT +3 limited 1 pool \"q\"", "DART +1 pool \"q\"", "BOW +2 recharge 2", "BOW +2 limited 1 recharge 1", "challenge taxing", "attacks yes"},
	traits: []string{"VA", "VB", "VC", "VD"}, ratings: []string{"+1", "+2", "+4", "0"},
	features: []string{"rapid", "area", "haywire", "persistent", "massive(1)", "anti(1)", `effect "fire"`},
	state: []string{"Vex.resolve = 0", "Vex.jam = yes", "Vex.burning = [4]", "team_up Rope with Vex, Vox", "Vex.BOLT.left = 0", "Vex.BOW.owed = 2", "Vex.Hat.lost = yes", "Vex.Jet.lost = yes", "Vex.improvised = [\"here\"]", "Vex: seize",
		"Vex: plan BOLT, DART", "Vex: plan", "Vex.phrases.first.used = yes", "Vox.resolve = 0", "Vex.changed = yes"},
	enter: "scene \"x\" action", fight: "fight rounds 1",
	attack: `round {
  Ann: pool RA, RB, RC, RD
  roll
  %s
}`,
	small:   "exit Mob, Vox\nround {\n  Ann: pool RD\n  roll\n  Ann: attack Vex\n}",
	attacks: []string{"Ann: attack Vex", "Ann: attack Vex on RA", "Ann: attack Vex on RB", "Ann: attack Vex on RC", "Ann: attack Vex on RD", "turn Ann"},
	no:      []string{"Vex is defeated", "Vex is gone"},
}, {
	system: "marvel",
	before: "watcher Fang { solo d8; team d6; distinction \"Cruel\"; power_set \"Claws\" { CLAWS d8; LEAP d6 } }\nhero Brick { solo d6; pp 0 }\ndoom 2d6\n",
	plain:  `hero Nova { solo d8; buddy d6; team d6; distinction "Star"; power_set "Suit" { BLAST d8; FLIGHT d6 }; pp 5 }`,
	kinds:  []string{"hero Nova", "hero Nova", "watcher Nova", "mob Nova"},
	fields: []string{"solo d6", "solo d10", "buddy d8", "team d4", "team d6 times 3", "pp 0", "pp 2", `distinction "Calm"`, `power_set "Skin" { STRONG d8; TOUGH d10 }`, `power_set "Wings" { FLY d6; limit "Wet" }`, "gear NET d6", "gear LAMP d8", `limit "Afraid"`,
		"stress {physical: d6}", "stress {mental: d12}", "trauma {emotional: d8}", "grouping \"team\"", "grouping \"solo\"", "affiliation \"Crowd\" d8"},
	traits: []string{"COMBAT", "COVERT"}, ratings: []string{"d8", "d10"},
	state: []string{"doom 0", "doom 3d12", "Nova.pp = 0", `Nova.stress["physical"] = d12`, `Nova.stress["mental"] = d10`, `Nova.complications["SLOW"] = d12`, `Nova.assets["COVER"] = d6`, `Nova.resources["ROPE"] = d6`, "Nova.promised = [d6]", "Nova.lent = [d8]",
		"Nova.power_sets.first.off = yes", "Nova.gear.first.lost = yes", "Nova.limits.first.active = yes", `Fang.complications["MUD"] = d8`},
	enter: "scene \"x\" action", fight: "fight rounds 2", attack: "%s",
	attacks: []string{"Fang: attack Nova with solo + CLAWS for stress physical", "Fang: attack Nova, Brick with solo + CLAWS for stress mental", "Fang: roll solo + CLAWS vs Nova for complication MUD on Nova", "Fang: attack Nova", "turn Fang"},
}}

// parts are lines of a sheet, drawn from what there is, with some special rules among its traits.
func (c *scenery) parts(r mvDraw, wanted []string) []string {
	var parts []string
	of := map[string][]string{}
	for _, f := range wanted {
		name := r.of(c.traits)
		of[name] = append(of[name], f)
	}
	for _, f := range c.fields {
		if r.one(5) {
			parts = append(parts, f)
		}
	}
	for _, name := range c.traits {
		rules := of[name]
		if len(rules) == 0 {
			if !r.one(3) {
				continue
			}
			for range min(r.count(3), len(c.features)) {
				rules = append(rules, r.of(c.features))
			}
		}
		part := name + " " + r.of(c.ratings)
		if len(rules) > 0 {
			part += " [" + strings.Join(slices.Compact(slices.Sorted(slices.Values(rules))), ", ") + "]"
		}
		parts = append(parts, part)
	}
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return parts
}

// stage is a session in which scenes of one system and its options are put up.
type stage struct {
	*scenery
	r      mvDraw
	s      *interp.Session
	empty  *interp.Snapshot
	asked  []assist.DecisionInfo
	use    string
	text   []string // what stands on it
	wanted []string // special rules that its traits share, besides those that are drawn
}

func newStage(t *testing.T, c *scenery, r mvDraw, use string) *stage {
	t.Helper()
	g := &stage{scenery: c, r: r, s: interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: r.Uint64()}), use: use}
	if err := g.s.Exec(t.Context(), lang.NewSource("", use+"\n"+c.before)); err != nil {
		t.Fatalf("%s\n%s", use, failed(err))
	}
	g.empty = g.s.Snapshot()
	var err error
	if g.asked, err = assist.Decisions(g.s, c.system); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *stage) clear() { g.s.Restore(g.empty); g.text = nil }

// put adds a line, where it can be.
func (g *stage) put(line string) error {
	before := g.s.Snapshot()
	err := g.s.Exec(context.Background(), lang.NewSource("", line))
	if err != nil {
		g.s.Restore(before)
		return err
	}
	g.text = append(g.text, line)
	return nil
}

// target puts somebody up who has some of what there is, and stands in some way.
func (g *stage) target() {
	kind, parts, fit := g.r.of(g.kinds), g.parts(g.r, g.wanted), []string(nil)
	declare := func(parts []string) bool {
		g.clear()
		return g.put(kind+" { "+strings.Join(parts, "; ")+" }") == nil
	}
	if !declare(parts) {
		for _, p := range parts {
			if declare(append(fit, p)) {
				fit = append(fit, p)
			}
		}
		declare(fit)
	}
	for _, line := range g.tactics() {
		_ = g.put(line)
	}
}

// tactics answer whatever somebody may be asked.
func (g *stage) tactics() []string {
	name := strings.Fields(g.plain)[1]
	var lines []string
	for _, d := range g.asked {
		if g.r.one(3) {
			lines = append(lines, fmt.Sprintf("tactics %s { on %s: %s }", name, d.Name, g.r.of([]string{"yes", "yes", "no", "1", "3", "99", name})))
		}
	}
	return lines
}

// using draws values of a third of the options.
func (c *scenery) using(r mvDraw, options []assist.OptionInfo) string {
	use := "use " + c.system
	var with []string
	for _, o := range options {
		if r.one(3) {
			with = append(with, o.Name+" = "+r.of(o.Choices))
		}
	}
	if len(with) > 0 {
		use += " with " + strings.Join(with, ", ")
	}
	return use
}

// optionsOf gives the options of a system that have a list of values.
func optionsOf(t *testing.T, system string) []assist.OptionInfo {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := s.Exec(t.Context(), lang.NewSource("", "use "+system)); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(assist.Options(s), func(o assist.OptionInfo) bool { return len(o.Choices) < 2 })
}

// situation opens the scene, in which everybody stands in some way.
func (g *stage) situation() {
	if err := g.put(g.enter); err != nil {
		panic(err)
	}
	for _, line := range g.state {
		if g.r.one(8) {
			_ = g.put(line)
		}
	}
}

// attacked puts an attack on somebody up, and says why it was refused, "" if it was not.
func (g *stage) attacked(attack string) string {
	g.situation()
	if err := g.put(fmt.Sprintf(g.attack, attack)); err != nil {
		return failed(err)
	}
	return ""
}

func TestUnnamedAnswersRefuseNothing(t *testing.T) {
	for i := range sceneries {
		c := &sceneries[i]
		t.Run(c.system, func(t *testing.T) {
			t.Parallel()
			r := mvDraw{rand.New(rand.NewPCG(uint64(i), 23))}
			options := optionsOf(t, c.system)
			played, wrong := 0, 0
			for range longtest.Many(50, 3) {
				g := newStage(t, c, r, c.using(r, options))
				for range longtest.Many(40, 12) {
					attack := r.of(c.attacks)
					g.clear()
					if g.put(c.plain) != nil || g.attackedPlainly(attack) != nil {
						continue // not allowed under these options
					}
					g.target()
					no := g.attacked(attack)
					played++
					if no == "" || slices.ContainsFunc(c.no, func(s string) bool { return strings.Contains(no, s) }) {
						continue
					}
					t.Errorf("%s\n%s\n%s\n%s", g.use, c.before+strings.Join(g.text, "\n"), attack, no)
					if wrong++; wrong == 5 {
						t.FailNow()
					}
				}
			}
			t.Logf("%d attacks", played)
		})
	}
}

// attackedPlainly says whether an attack is allowed at all.
func (g *stage) attackedPlainly(attack string) error {
	if err := g.put(g.enter); err != nil {
		return err
	}
	return g.put(fmt.Sprintf(g.attack, attack))
}
