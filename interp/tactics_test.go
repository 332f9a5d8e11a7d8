package interp_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// ring is a small system: fighters strike or rest, and shout when they are asked to.
var ring = fstest.MapFS{"ring/ring.rules": {Data: []byte(`
system ring "Ring"
spans scene > turn

sheet fighter "somebody in the ring" {
  strength number 0..9 = 1
  hp number 0.. = 9
  tired truth
  guard one of (high, low) = low
  loud number 0.. = 0
}
rule foes(self) "the others" = [x for x in instances(fighter) where x != self]

verb strike (whom fighter) "strike somebody: strike Bo" {
  do {
    if who.tired { refuse "{who.name} is tired" }
    @shout "Whoever strikes may shout."
    offer shout to who "Shout?" { who.loud += 1 }
    let how = choose how by who from [high, low] "Where?"
    whom.hp -= if how == high then 2 * who.strength else who.strength
    who.tired = yes
  }
}
verb rest "get your breath back" {
  do {
    if not who.tired { refuse "{who.name} is fresh" }
    who.tired = no
  }
}
verb scene [(title text)] {
  block
  do { begin scene as title; run block; end scene }
}
verb bout "everybody acts once" { do { for x in instances(fighter) { act x } } }
`)}}

// inRing runs a script with the system ring and gives what was told.
func inRing(t *testing.T, text string) (*interp.Session, []*interp.Event, error) {
	t.Helper()
	var told []*interp.Event
	s := interp.NewSession(interp.Config{Modules: ring, Events: func(e *interp.Event) { told = append(told, e) }})
	err := s.Exec(context.Background(), lang.NewSource("ring.scene", "use ring\n"+text))
	return s, told, err
}

// fields gives "Name.field value" of what is asked for.
func fields(t *testing.T, s *interp.Session, names ...string) []string {
	t.Helper()
	var out []string
	for _, name := range names {
		who, field, _ := strings.Cut(name, ".")
		lines, err := assist.State(s, who)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if l.Field == field {
				out = append(out, name+" "+l.Value)
			}
		}
	}
	return out
}

func refusals(told []*interp.Event) []string {
	var out []string
	for _, e := range told {
		if e.Kind == interp.EventTactics {
			out = append(out, e.Who+": "+e.Text+": "+e.Why)
		}
	}
	return out
}

func TestRefusedTacticIsToldAndTheNextEntryTried(t *testing.T) {
	s, told, err := inRing(t, `
fighter Ann { }
fighter Bo { }
tactics Ann { when hp == 9: rest; otherwise: strike  Bo; otherwise: rest }
tactics Bo { otherwise: strike Ann }
bout
bout
`)
	if err != nil {
		t.Fatal(err)
	}
	// First bout: Ann is fresh and strikes instead. Bo strikes her; hp is 7, so that
	// in the second bout she is not told to rest first, is too tired to strike, and rests.
	want := []string{"Ann: rest: Ann is fresh", "Ann: strike Bo: Ann is tired", "Bo: strike Ann: Bo is tired"}
	if got := refusals(told); !slices.Equal(got, want) {
		t.Errorf("refused: %q, want %q", got, want)
	}
	if got := fields(t, s, "Ann.hp", "Bo.hp", "Ann.tired", "Bo.tired"); !slices.Equal(got, []string{"Ann.hp 7", "Bo.hp 7", "Ann.tired no", "Bo.tired yes"}) {
		t.Errorf("state: %v", got)
	}
}

func TestExpectNoRefusedTactics(t *testing.T) {
	const who = "fighter Ann { }\nfighter Bo { }\ntactics Bo { otherwise: strike Ann }\ntactics Ann { otherwise: rest }\n"
	if _, _, err := inRing(t, "fighter Ann { }\nfighter Bo { }\ntactics Ann, Bo { when not tired: strike Bo }\nbout\nexpect no refused tactics"); err != nil {
		t.Errorf("nothing was refused, but: %v", err)
	}
	_, _, err := inRing(t, who+"bout\nexpect no refused tactics")
	var re *interp.RunError
	if !errors.As(err, &re) || re.Kind != interp.Expected || re.Diag.Message != "expected no refused tactics, but there are 1, the first rest: Ann is fresh" {
		t.Errorf("got %v", err)
	}
	if _, _, err := inRing(t, who+"expect no refused tactics\nbout"); err != nil {
		t.Errorf("nothing had been refused yet, but: %v", err)
	}
}

func TestTacticsOfASceneLieOverThoseOfTheScript(t *testing.T) {
	const who = `
fighter Ann { strength 1 }
fighter Bo { strength 1 }
tactics Ann { on shout: yes; on how: low; when tired: rest; otherwise: strike Bo }
tactics Bo { when hp < 0: rest }
`
	cases := []struct{ name, script, want string }{
		{"an answer replaces only that answer", `
scene "s" { tactics Ann { on how: high }
bout }`, "Bo.hp 7 Ann.loud 1 Ann.tired yes"},
		{"the scene's otherwise replaces the script's, whose when stays", `
scene "s" { tactics Ann { otherwise: strike Ann }
bout
bout }`, "Bo.hp 9 Ann.loud 1 Ann.tired no"},
		{"the scene's when comes first", `
scene "s" { tactics Ann { when loud == 0: strike Ann }
bout
bout
bout }`, "Bo.hp 8 Ann.loud 2 Ann.tired yes"},
		{"they end with the scene", `
scene "s" { tactics Ann { on how: high; otherwise: strike Ann }
bout }
Ann.tired = no
bout`, "Bo.hp 8 Ann.loud 2 Ann.tired yes"},
		{"a scene in a scene lies over both", `
scene "s" { tactics Ann { on how: high }
scene "in it" { tactics Ann { on shout: no }
bout }
Ann.tired = no
bout }
Ann.tired = no
bout`, "Bo.hp 4 Ann.loud 2 Ann.tired yes"},
		{"within a scene the later tactics replace the earlier", `
scene "s" { tactics Ann { on how: high }
tactics Ann { on shout: no }
bout }`, "Bo.hp 8 Ann.loud 0 Ann.tired yes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, _, err := inRing(t, who+c.script)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(fields(t, s, "Bo.hp", "Ann.loud", "Ann.tired"), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestAnswerOfSeveralIsNoFieldOfOthers: tactics of several know the fields of those they
// name, and a word that only other sheets have is the answer that it says.
func TestAnswerOfSeveralIsNoFieldOfOthers(t *testing.T) {
	for _, who := range []string{"Ann", "Ann, Bo", "fighter"} {
		if _, _, err := inRing(t, `
fighter Ann { }
fighter Bo { }
sheet stance { crouch number = 1; usual one of (upright, crouch) = upright }
rule stand(x) = choose pose by x from [upright, crouch] "How?" default upright
tactics `+who+` { on pose: crouch when loud == 0 }
expect stand(Ann) == crouch
Ann.loud = 1
expect stand(Ann) == upright`); err != nil {
			t.Errorf("tactics of %s: %v", who, err)
		}
	}
}

func TestUnknownDecisionInTactics(t *testing.T) {
	_, _, err := inRing(t, "fighter Ann { }\ntactics Ann { on shoutt: yes }")
	var d lang.Diagnostics
	if !errors.As(err, &d) || d[0].Message != "there is no decision shoutt" || d[0].Help != "did you mean shout?" {
		t.Errorf("got %v", err)
	}
	// a decision of the script's own rules is one, too
	if _, _, err := inRing(t, `
fighter Ann { }
rule wink(x) { offer wink to x "Wink?" { x.loud += 1 } }
tactics Ann { on wink: yes }
wink(Ann)
expect Ann.loud == 1`); err != nil {
		t.Error(err)
	}
}

func TestDecisions(t *testing.T) {
	s, _, err := inRing(t, "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := assist.Decisions(s, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, strings.Join([]string{d.Name, d.Who, d.Prompt, d.Options, d.Default, d.Rule}, "|"))
	}
	want := []string{"how|who|Where?|[high, low]|the first|", "shout|who|Shout?|no, yes|no|ring.shout"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEveryDecisionOfTheSystemsIsListed holds the list against the text of the modules.
func TestEveryDecisionOfTheSystemsIsListed(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	for _, module := range []string{"cah", "firefly", "marvel", "unisystem", "clichenimatic"} {
		list, err := assist.Decisions(s, module)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) < 10 {
			t.Errorf("%s has %d decisions", module, len(list))
		}
		for _, d := range list {
			if d.Module != module || d.Who == "" || d.Options == "" || d.Default == "" {
				t.Errorf("%s: %+v is not all there", module, d)
			}
		}
	}
	if _, err := assist.Decisions(s, "ca"); err == nil || !strings.Contains(err.Error(), "there is no system ca") {
		t.Errorf("got %v", err)
	}
}

func TestVariableInASheet(t *testing.T) {
	s, _, err := inRing(t, `
let might = 2 + 1
fighter Ann { strength might }
fighter Bo x2 { strength might - 1; hp 5 }
tactics Ann { when strength == might: strike "Bo 1" }
bout
might = 4
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fields(t, s, "Ann.strength", "Bo 1.strength", "Bo 2.hp"); !slices.Equal(got, []string{"Ann.strength 3", "Bo 1.strength 2", "Bo 2.hp 5"}) {
		t.Errorf("got %v", got)
	}
	_, _, err = inRing(t, "fighter Ann { strength might }\nlet might = 2")
	if err == nil || !strings.Contains(err.Error(), "might is set only further down, in line 3") {
		t.Errorf("a variable that is set further down: %v", err)
	}
	_, _, err = inRing(t, "let might = 12\nfighter Ann { strength might }")
	if err == nil || !strings.Contains(err.Error(), "strength of Ann: 12 is above 9") {
		t.Errorf("got %v", err)
	}
}

// TestVariableInASheetInEveryMode: a variable is worked out anew in each trial, and in
// each state that odds follow.
func TestVariableInASheetInEveryMode(t *testing.T) {
	src := lang.NewSource("", "use ring\nlet might = (throw d4).face\nfighter Ann { strength might }\nreport Ann.strength")
	o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{Modules: ring}), src, odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Ends) != 4 || o.Ends[0].P != 0.25 {
		t.Errorf("odds: %+v", o.Ends)
	}
	sim, err := sim.Simulate(context.Background(), interp.Config{Modules: ring}, src, sim.Config{Trials: 400, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(sim.Ends) != 4 {
		t.Errorf("sim: %+v", sim.Ends)
	}
}

// tired is a script of which the refused commands can be counted by hand: Ann, who has
// struck or is tired one time out of four, is told to strike all the same.
const tired = `use ring
fighter Ann { }
fighter Bo { hp 50 }
tactics Ann { when hp > 8: strike Bo; otherwise: rest }
tactics Bo { otherwise: rest }
Bo.tired = yes
repeat 3 {
  if (throw d4).face == 1 { Ann.tired = yes }
  act Ann
}
act Bo
report Bo.hp`

// tiredShare is how often Ann's first entry is refused, worked out by hand. She acts
// three times. In the first turn she is tired with 1/4, and rests; else she strikes and
// is tired, so that the next turn is a rest. Before the second turn: with 1/4 she has
// rested, and is tired again with 1/4; with 3/4 she is tired. That makes 1/16 + 3/4 =
// 13/16. Before the third: whoever was tired before has rested, so that it is 1/4 of
// 13/16 and all of 3/16, 25/64.
const tiredShare = (1./4 + 13./16 + 25./64) / 3

func TestOddsCountRefusedTactics(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: ring})
	o, err := odds.Of(context.Background(), s, lang.NewSource("", tired), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Refused) != 1 {
		t.Fatalf("refused: %+v", o.Refused)
	}
	r := o.Refused[0]
	if r.Who != "Ann" || r.Command != "strike Bo" || r.Why != "Ann is tired" || math.Abs(r.Share-tiredShare) > 1e-12 {
		t.Errorf("got %+v, want a share of %v", r, tiredShare)
	}
}

// TestCountingRefusalsTellsNoStatesApart: what was refused is no part of a state.
func TestCountingRefusalsTellsNoStatesApart(t *testing.T) {
	states := func(tactics string) int {
		s := interp.NewSession(interp.Config{Modules: ring})
		o, err := odds.Of(context.Background(), s, lang.NewSource("", strings.Replace(tired, "when hp > 8: strike Bo; otherwise: rest", tactics, 1)), odds.Config{})
		if err != nil {
			t.Fatal(err)
		}
		return o.States
	}
	refused, asked := states("otherwise: strike Bo; otherwise: rest"), states("when tired: rest; otherwise: strike Bo")
	if refused != asked {
		t.Errorf("%d states with a command that is refused, %d with one that is not given", refused, asked)
	}
}

func TestSimCountsRefusedTactics(t *testing.T) {
	src := lang.NewSource("ring.scene", tired)
	simulated := func(sc sim.Config) *sim.Sim {
		sc.Trials = 20_000
		o, err := sim.Simulate(context.Background(), interp.Config{Modules: ring, Seed: 3}, src, sc)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	one := simulated(sim.Config{Workers: 1})
	r := one.Refused()
	// 20,000 trials of three turns each: three deviations are less than 0.01
	if len(r) != 1 || r[0].Who != "Ann" || r[0].Why != "Ann is tired" || math.Abs(r[0].Share-tiredShare) > 0.01 {
		t.Fatalf("got %+v, want a share of about %v", r, tiredShare)
	}
	same := cmpopts.IgnoreFields(dist.RefusedTactic{}, "At")
	if diff := cmp.Diff(r, simulated(sim.Config{Workers: 3}).Refused(), same); diff != "" {
		t.Errorf("several workers count differently: %s", diff)
	}
	var parts []*sim.Sim
	for i := range int64(3) {
		parts = append(parts, simulated(sim.Config{Shard: i, Shards: 3}))
	}
	whole, err := sim.Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, whole.Refused(), same); diff != "" {
		t.Errorf("three parts count differently: %s", diff)
	}
}

// TestNothingRefusedNothingTold: tactics that fit are not warned of.
func TestNothingRefusedNothingTold(t *testing.T) {
	src := lang.NewSource("", strings.Replace(tired, "when hp > 8: strike Bo; otherwise: rest", "when tired: rest; otherwise: strike Bo", 1))
	o, err := odds.Of(context.Background(), interp.NewSession(interp.Config{Modules: ring}), src, odds.Config{})
	if err != nil || len(o.Refused) != 0 {
		t.Errorf("odds: %+v, %v", o.Refused, err)
	}
	sim, err := sim.Simulate(context.Background(), interp.Config{Modules: ring}, src, sim.Config{Trials: 500})
	if err != nil || len(sim.Refused()) != 0 || sim.Tactics != nil {
		t.Errorf("sim: %+v, %v", sim.Tactics, err)
	}
}

// A list of decisions shows none of the script to people at the table.
func TestDecisionsShowNoScript(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	for _, module := range []string{"cah", "firefly", "marvel", "unisystem", "clichenimatic"} {
		list, err := assist.Decisions(s, module)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			w := d.Words
			if words := w.Who + w.Options + w.Default + w.When; strings.ContainsAny(words, "()[]{}=") || (d.When == "") != (w.When == "") {
				t.Errorf("%s: %s shows a script, or not when it is offered: %+v", module, d.Name, w)
			}
		}
	}
}

// A declaration of a decision says in the words of the table what the rules that ask for
// it say in script; one that no rule asks for is a mistake.
func TestDeclaredDecisions(t *testing.T) {
	const rules = `system tiny
sheet person "somebody" { luck whole 0.. = 1 "points" }
decision flee "Run away?" by "whoever is hurt" default "no: they stay"
decision whom from "all who are near"
verb hit(victim person) {
  do {
    offer flee to victim "Run from {victim.name}?" when victim.luck > 0 default victim.luck > 3 { note "off" }
    let x = choose whom by victim from [victim] default victim
  }
}
`
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"tiny/tiny.rules": {Data: []byte(rules)}}})
	if err := s.Exec(t.Context(), lang.NewSource("", "use tiny")); err != nil {
		t.Fatal(err)
	}
	got, err := assist.Decisions(s, "tiny")
	if err != nil {
		t.Fatal(err)
	}
	want := []assist.DecisionWords{
		{Who: "whoever is hurt", Prompt: "Run away?", Options: "yes or no", Default: "no: they stay", When: "only where the rules allow it"},
		{Who: "the one it is about", Options: "all who are near", Default: "as the rules say"},
	}
	for i, d := range got {
		if d.Words != want[i] {
			t.Errorf("%s: %+v, want %+v", d.Name, d.Words, want[i])
		}
	}
	wrong := strings.Replace(rules, "decision flee", "decision fle", 1)
	diags := interp.NewSession(interp.Config{}).Check(lang.NewSource("tiny.rules", wrong))
	if len(diags) != 1 || !strings.Contains(diags[0].Error(), "there is no decision fle") || !strings.Contains(diags[0].Help, "flee") {
		t.Errorf("%v", diags)
	}
}

// What tactics say with a condition holds when a state comes again in which they had not acted: Ann misses, and has her
// re-roll both times.
func TestTacticsActAgain(t *testing.T) {
	var told []string
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
		if e.Kind == interp.EventChange {
			told = append(told, e.Who+" "+e.Field+" "+e.To)
		}
	}})
	exec := func(text string) {
		t.Helper()
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
	}
	exec("use cah\nhero Ann { star 3; AIM 3 }\nvillain Rex { star 3; CLAW 3 }")
	exec("tactics Ann { otherwise: attack Rex with AIM, spend oomph reroll if failed }")
	before := s.Snapshot()
	for range 2 {
		s.Restore(before)
		told = nil
		exec("scene \"The yard\" { heroes Ann; villains Rex; dice 9 2; fight rounds 1 }")
		if text := strings.Join(told, ", "); !strings.Contains(text, "Ann oomph 2") {
			t.Errorf("Ann does not roll again: %s", text)
		}
	}
}
