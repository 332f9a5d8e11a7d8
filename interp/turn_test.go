package interp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// fencers is a system in which everybody has one action a turn and may do small things
// besides. A stroke throws a d6 and must be above the guard; each stroke costs breath.
const fencers = `
spans round > turn
sheet fighter "who fights" out when life <= 0 {
  life number = 3
  breath number 0.. = 4
  guard number = 3
  team symbol = blue
  done truth per turn as hidden
  arms arm many as CAPS
}
sheet arm "what one fights with" { rating number = 1 }
rule standing(x) = x.life > 0
rule fighters = [x for x in instances(fighter) where standing(x)]
rule foes(self) = [x for x in fighters() where x.team != self.team]
rule foe(self) = foes(self)
rule pick_weakest(self, list) = lowest x in list by x.life
rule pick_any(self, list) = choose target by self from list "Whom?"
rule pick_best(self, list) = highest a in list by a.rating
rule weapon(self) = self.arms
rule reds(self) = [x for x in fighters() where x.team == red]

verb strike (whom fighter) "a stroke: strike Fang" {
  clause arm "with what": with (a arm)
  clause lunge "two breaths for one more": lunge
  do {
    if who.done { refuse "{who.name} has struck already" }
    if who.breath == 0 { refuse "{who.name} is out of breath" }
    who.breath -= 1
    show check "strike" by who {
      let d = throw d6 for "the stroke"
      let bonus = if arm then a.rating else 0
      offer press to who "Press on?" costs 1 breath when d.face + bonus <= whom.guard { bonus += 2 }
      if lunge and who.breath == 0 { refuse "{who.name} has no breath left to lunge" at lunge }
      if d.face + bonus > whom.guard { whom.life -= 1 }
      outcome (if d.face + bonus > whom.guard then hit else miss) total d.face + bonus, against whom.guard
    }
    who.done = yes
  }
}
verb rest "gets the breath back" { do { who.breath = 4; who.done = yes } }
verb taunt (whom fighter) "a small thing besides" { do { whom.guard = 2 } }
verb look "shows what is on the sheet" { do { print "{who.name}: life {who.life}" } }
table words(x) { hit => 1; miss => 2; red => 3 }

verb bout (rounds number) "everybody acts, round by round" {
  do {
    let n = 0
    while n < rounds and fighters().size > 1 {
      n += 1
      begin round as "{n}"
      for x in instances(fighter) where standing(x) {
        begin turn
        act x until x.done
        end turn
      }
      end round
    }
    outcome (if Nova.life > 0 then hit else miss) rounds n
  }
}
tactics default {
  when breath == 0: rest
  otherwise: strike weakest foe with best weapon
}
fighter Nova { life 5; BLADE 2; KICK 0 }
fighter Fang { team red; CLAW 1 }
fighter "Old Grey" { team red; life 1; TOOTH 0 }
`

// scripted is a Player who says what it is told to say, and notes what it is asked.
type scripted struct {
	t     *testing.T
	says  []string
	turns []interp.Turn
	then  func(n int, t interp.Turn) // called at the nth question

	s       *interp.Session
	breaths []string // that Nova had at each question
}

func (p *scripted) Command(_ context.Context, t interp.Turn) (string, error) {
	p.turns = append(p.turns, t)
	lines, err := assist.State(p.s, "Nova")
	if err != nil {
		p.t.Error(err)
	}
	for _, l := range lines {
		if l.Field == "breath" {
			p.breaths = append(p.breaths, l.Value)
		}
	}
	if p.then != nil {
		p.then(len(p.turns), t)
	}
	if len(p.says) == 0 {
		return "", errors.New("nothing more to say")
	}
	text := p.says[0]
	p.says = p.says[1:]
	return text, nil
}

// fencing gives a session with the fencers, in which p is asked.
func fencing(t *testing.T, p interp.Player, cfg interp.Config, more string) (*interp.Session, *[]*interp.Event) {
	t.Helper()
	var events []*interp.Event
	cfg.Player, cfg.Events = p, func(e *interp.Event) { events = append(events, e) }
	s := interp.NewSession(cfg)
	if p, ok := p.(*scripted); ok {
		p.s = s
	}
	if err := run(s, fencers+more); err != nil {
		t.Fatal(failed(err))
	}
	events = nil
	return s, &events
}

func shownOf(t *testing.T, s *interp.Session, expr string) string {
	t.Helper()
	o := oddsIn(t, s, "report "+expr, odds.Config{})
	return o.Ends[0].Shown[0]
}

// Whoever has no tactics of their own is asked; who has them is not.
func TestTurnsAreAsked(t *testing.T) {
	p := &scripted{t: t, says: []string{"strike Fang with BLADE", "rest"}}
	s, events := fencing(t, p, interp.Config{Dice: []int{2, 1}}, "tactics Fang { otherwise: strike Nova }\n")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if len(p.turns) != 2 || p.turns[0].Who != "Nova" || p.turns[1].Who != `"Old Grey"` {
		t.Fatalf("asked for %v", p.turns)
	}
	first := p.turns[0]
	if want := `strike "Old Grey" with BLADE`; first.Default != want {
		t.Errorf("the default is %q, want %q", first.Default, want)
	}
	if want := []string{"round 1"}; !slices.Equal(first.On, want) {
		t.Errorf("on is %q, want %q", first.On, want)
	}
	// 2 and 2 for the BLADE are above Fang's 3; Fang's 1 is not above Nova's.
	if got := shownOf(t, s, `[Nova.life, Fang.life, Nova.breath]`); got != "[5, 2, 3]" {
		t.Errorf("in the end %s", got)
	}
	var told []string
	for _, e := range *events {
		if e.Kind == interp.EventCommand {
			told = append(told, e.Who+": "+e.Text+" ("+e.By+")")
		}
	}
	if want := []string{"Nova: strike Fang with BLADE (person)", "Old Grey: rest (person)"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if got := s.Record().Commands(); !slices.Equal(got, []string{"strike Fang with BLADE", "", "rest"}) {
		t.Errorf("recorded %q", got)
	}
}

// A command that is refused, or makes no sense, changes nothing and is asked for again
// with the reason; the dice that fell for it fall again.
func TestTurnRefused(t *testing.T) {
	p := &scripted{t: t, says: []string{
		"strike Fnag", "strike Fang with CLAW", "strike Fang lunge", "strike Nova.life", "hero X { }", "let y = 1", "print 1 / 0", "fighter Bo { }",
		"strike Fang", "rest", "rest",
	}}
	s, events := fencing(t, p, interp.Config{Dice: []int{6, 6}}, "Nova.breath = 1\n")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	want := []string{
		"there is no fighter Fnag", "Nova has no arm CLAW", "Nova has no breath left to lunge",
		"5 has no guard", "there is no verb hero", "a turn cannot make something new", "division by zero", "cannot be declared",
	}
	for i, w := range want {
		got := p.turns[i+1]
		if got.Who != "Nova" || got.Refused == nil || !strings.Contains(failed(got.Refused), w) {
			t.Errorf("after command %d: %v %v, want %q", i+1, got.Who, got.Refused, w)
		}
		if p.breaths[i+1] != "1" {
			t.Errorf("after command %d Nova has breath %s", i+1, p.breaths[i+1])
		}
	}
	if got := s.LeftDice(); !slices.Equal(got, []int{6}) {
		t.Errorf("the dice left are %v: the refused stroke threw one for good", got)
	}
	for _, e := range *events {
		if e.Kind == interp.EventCommand && strings.Contains(e.Text, "lunge") {
			t.Error("the refused command was told")
		}
	}
	if got := s.Record(); !slices.Equal(got.Commands(), []string{"strike Fang", "rest", "rest"}) || !slices.Equal(got.Faces(), []int{6}) {
		t.Errorf("recorded %+v", got)
	}
}

// Several commands may be given until the turn is over; what only looks never counts;
// nothing typed is the default; pass ends the turn.
func TestTurnOfSeveralCommands(t *testing.T) {
	p := &scripted{t: t, says: []string{"taunt Fang", "look", "Fang.guard", "Fang.guard + 1", "", "taunt Nova", "pass", "pass"}}
	s, events := fencing(t, p, interp.Config{Dice: []int{1}}, "")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if got := p.turns[4].Done; !slices.Equal(got, []string{"taunt Fang"}) {
		t.Errorf("done before the stroke: %q", got)
	}
	if got := s.Record().Commands(); !slices.Equal(got, []string{"taunt Fang", "look", "Fang.guard", "Fang.guard + 1", `strike "Old Grey" with BLADE`, "taunt Nova", "pass", "pass"}) {
		t.Errorf("recorded %q", got)
	}
	var values []string
	for _, e := range *events {
		if e.Kind == interp.EventValue || e.Kind == interp.EventPrint {
			values = append(values, e.Value)
		}
	}
	if !slices.Equal(values, []string{"Nova: life 5", "2", "3"}) {
		t.Errorf("shown %q", values)
	}
	if got := shownOf(t, s, "[Fang.guard, Nova.guard, Nova.breath]"); got != "[2, 2, 3]" {
		t.Errorf("in the end %s", got)
	}
}

// What was answered once gives the same evening again, without anybody to ask.
func TestTurnsReplay(t *testing.T) {
	for _, says := range [][]string{
		{"strike Fang lunge", "taunt Fang", "rest", "", "", "", "strike Fang", "pass", "pass"},
		{"pass", "pass", "pass", "", "", ""},
	} {
		p := &scripted{t: t, says: slices.Clone(says)}
		s, events := fencing(t, p, interp.Config{Seed: 8}, "")
		if err := run(s, "bout 2"); err != nil {
			t.Fatal(failed(err))
		}
		r := s.Record()
		again, events2 := fencing(t, nil, interp.Config{Seed: 99}, "")
		again.Give(r)
		if err := run(again, "bout 2"); err != nil {
			t.Fatal(failed(err))
		}
		if a, b := heard(*events), heard(*events2); a != b {
			t.Errorf("the same commands told\n%s\nand then\n%s", a, b)
		}
		if got := again.Record(); !cmp.Equal(got, r) {
			t.Errorf("recorded %v and then %v", r, got)
		}
	}
}

// heard shows events, but for who gave the commands.
func heard(events []*interp.Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.Kind == interp.EventTurn {
			continue // nobody is asked in a replay
		}
		dice := slices.Clone(e.Dice)
		for i := range dice {
			dice[i].By = "" // a replay is given what was thrown
		}
		fmt.Fprintln(&b, e.Kind, e.Who, e.Text, e.Field, e.From, e.To, e.Outcome, e.Fields, dice)
	}
	return b.String()
}

// A script may give the commands itself; a refused one is its mistake.
func TestTurnsOfAScript(t *testing.T) {
	s, _ := fencing(t, nil, interp.Config{Dice: []int{5}}, "")
	if err := run(s, `commands "strike Fang" "" "pass"`+"\ndice 5 1\nbout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if got := shownOf(t, s, "[Fang.life, Fang.breath, \"Old Grey\".breath]"); got != "[2, 3, 4]" {
		t.Errorf("in the end %s", got)
	}
	err := run(s, `commands "strike Nobody"`+"\nbout 1")
	var ds lang.Diagnostics
	if !errors.As(err, &ds) || !strings.Contains(failed(err), "there is no fighter Nobody") {
		t.Errorf("%v", err)
	}
}

// wary says no to everything, and hands Nova over at the nth question that it is asked.
type wary struct {
	s     *interp.Session
	nth   int
	asked []string
	still bool
}

func (w *wary) Choose(_ context.Context, q interp.Question) (int, error) {
	if w.asked = append(w.asked, q.Who); len(w.asked) == w.nth {
		if err := w.s.Hand("Nova", false); err != nil {
			return 0, err
		}
		w.still = q.Asked()
	}
	return q.Default, nil
}

// Whoever is handed over decides by tactics too, from that question on: their decisions
// take the defaults, are told as that, and are recorded like others, so that a replay
// needs to know nothing of who was asked.
func TestHandDecides(t *testing.T) {
	const more = "tactics Nova { otherwise: strike Fang }\ntactics Fang { otherwise: strike Nova }\ntactics Old_Grey { otherwise: rest }\n"
	for nth, want := range map[int]string{9: "Nova Fang Nova Fang", 1: "Nova Fang Fang", 3: "Nova Fang Nova Fang"} {
		w := &wary{nth: nth}
		s, events := fencing(t, nil, interp.Config{Dice: []int{1, 1, 1, 1}, Choice: w}, more)
		w.s = s
		if err := run(s, "bout 2"); err != nil {
			t.Fatal(failed(err))
		}
		if got := strings.Join(w.asked, " "); got != want || w.still {
			t.Errorf("handed over at question %d: %s asked, want %s", nth, got, want)
		}
		by := map[string]string{}
		for _, e := range *events {
			if e.Kind == interp.EventDecision && e.Who == "Nova" {
				by[e.Decision] += e.By + " "
			}
		}
		wantBy := map[int]string{9: "person person ", 1: "default default ", 3: "person default "}[nth]
		if by["press"] != wantBy {
			t.Errorf("handed over at question %d: decided by %v, want %s", nth, by, wantBy)
		}
		if got := s.Record().Options(); !slices.Equal(got, []int{0, 0, 0, 0}) {
			t.Errorf("recorded %v", got)
		}
	}
}

// People can be handed to their tactics, or the other way round, at any time, by name,
// by a word of the rules, or all of them.
func TestHand(t *testing.T) {
	own := "tactics Fang { otherwise: rest }\n"
	for _, c := range []struct {
		cfg  interp.Config
		want string
	}{
		{interp.Config{}, "Nova Old"},
		{interp.Config{Auto: []string{"Nova"}}, "Old"},
		{interp.Config{Auto: []string{"reds"}}, "Nova"},
		{interp.Config{Ask: []string{"Fang"}}, "Nova Fang Old"},
		{interp.Config{Auto: []string{"all"}, Ask: []string{"Old_Grey"}}, "Old"},
	} {
		p := &scripted{t: t, says: slices.Repeat([]string{"pass"}, 3)}
		c.cfg.Dice = []int{1, 1} // nobody falls
		s, _ := fencing(t, p, c.cfg, own)
		if err := run(s, "bout 1"); err != nil {
			t.Fatal(failed(err))
		}
		var who []string
		for _, turn := range p.turns {
			name, _, _ := strings.Cut(strings.Trim(turn.Who, `"`), " ")
			who = append(who, name)
		}
		if got := strings.Join(who, " "); got != c.want {
			t.Errorf("%v %v: asked %q, want %q", c.cfg.Auto, c.cfg.Ask, got, c.want)
		}
	}
	p := &scripted{t: t, says: []string{"pass", "pass"}}
	s, _ := fencing(t, p, interp.Config{}, "")
	p.then = func(n int, _ interp.Turn) {
		if err := s.Hand("Fang", false); err != nil {
			t.Error(err)
		}
	}
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if len(p.turns) != 2 {
		t.Errorf("asked %d times", len(p.turns))
	}
	if err := s.Hand("Fnag", true); err == nil || !strings.Contains(failed(err), "did you mean Fang?") {
		t.Errorf("%v", err)
	}
	p = &scripted{t: t, says: slices.Repeat([]string{"pass"}, 2)}
	s = interp.NewSession(interp.Config{Player: p, Auto: []string{"Nova", "Old_Grey"}, Ask: []string{"Fang"}})
	p.s = s
	start := s.Snapshot()
	for n := range 2 { // whoever begins again is asked for the same
		if err := run(s, fencers+own+"dice 1 1\nbout 1"); err != nil {
			t.Fatal(failed(err))
		}
		if len(p.turns) != n+1 {
			t.Errorf("asked %d times in %d runs", len(p.turns), n+1)
		}
		s.Restore(start)
	}
	bad := interp.NewSession(interp.Config{Auto: []string{"Fnag"}})
	if err := run(bad, fencers); err == nil || !strings.Contains(err.Error(), "nobody is called Fnag") {
		t.Errorf("%v", err)
	}
}

// A command can be checked, and completed, before it is given.
func TestTurnCheck(t *testing.T) {
	p := &scripted{t: t, says: []string{"strike Fang", "pass", "pass"}}
	s, _ := fencing(t, p, interp.Config{Seed: 1}, "Nova.breath = 1\n")
	p.then = func(n int, turn interp.Turn) {
		if n != 1 {
			return
		}
		for text, want := range map[string]string{
			"strike Fang": "", "": "", "pass": "", "rest": "", "strike Fnag": "there is no fighter Fnag", "strike": "expected a fighter",
		} {
			got := turn.Check(text)
			if want == "" && got != nil || want != "" && (got == nil || !strings.Contains(failed(got), want)) {
				t.Errorf("check %q: %v", text, got)
			}
		}
		from, list := assist.CompleteTurn(turn, "strike Fang with B", 18)
		if from != 17 || len(list) == 0 || list[0].Text != "BLADE" {
			t.Errorf("completed from %d: %v", from, list)
		}
	}
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if got := shownOf(t, s, "Nova.breath"); got != "0" {
		t.Errorf("Nova has breath %s: checking did something", got)
	}
}

// backing takes back the first commands that ask it something.
type backing struct{ times int }

func (b *backing) Choose(context.Context, interp.Question) (int, error) {
	if b.times--; b.times >= 0 {
		return 0, interp.ErrTakeBack
	}
	return 1, nil
}

// Whoever is asked for a decision can take the command back that asks.
func TestTakeBack(t *testing.T) {
	p := &scripted{t: t, says: []string{"strike Fang", "strike Fang with KICK", "pass", "pass"}}
	s, _ := fencing(t, p, interp.Config{Dice: []int{2, 6}, Choice: &backing{times: 1}}, "")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if len(p.turns) != 4 || p.turns[1].Refused == nil || p.breaths[1] != "4" {
		t.Fatalf("asked for %+v", p.turns)
	}
	// the 2 that had fallen falls again, and pressing on makes it a hit
	if got := shownOf(t, s, "[Fang.life, Nova.breath]"); got != "[2, 2]" {
		t.Errorf("in the end %s", got)
	}
	alone := interp.NewSession(interp.Config{Choice: &backing{times: 1}})
	if err := run(alone, fencers); err != nil {
		t.Fatal(failed(err))
	}
	var re *interp.RunError
	if err := run(alone, "dice 1\nNova: strike Fang"); !errors.As(err, &re) || re.Kind != interp.Cancelled {
		t.Errorf("%v", err)
	}
}

// Odds and simulations have tactics act, also where a person gave commands before.
func TestOddsWithAPlayer(t *testing.T) {
	p := &scripted{t: t, says: []string{"rest", "rest", "rest"}}
	s, _ := fencing(t, p, interp.Config{}, "")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	asked := len(p.turns)
	plain, _ := fencing(t, nil, interp.Config{}, "")
	a := oddsIn(t, s, "bout 2\nreport Fang.life, \"Old Grey\".life", odds.Config{})
	b := oddsIn(t, plain, "bout 2\nreport Fang.life, \"Old Grey\".life", odds.Config{})
	if len(p.turns) != asked {
		t.Error("odds asked somebody")
	}
	if len(a.Ends) != len(b.Ends) || len(a.Ends) < 3 {
		t.Fatalf("%v and %v", a.Ends, b.Ends)
	}
	for i := range a.Ends {
		if a.Ends[i].Exact.Cmp(b.Ends[i].Exact) != 0 {
			t.Errorf("%v and %v", a.Ends[i], b.Ends[i])
		}
	}
}

// Advice at a decision in the middle of a person's command leaves the run as it was.
func TestAdviceInATurn(t *testing.T) {
	p := &scripted{t: t, says: []string{"strike Fang", "pass", "pass"}}
	var values []float64
	choice := choosing(func(q interp.Question) int {
		a, err := advice.OfQuestion(context.Background(), q, advice.Config{Goal: "hit"})
		if err != nil {
			t.Error(err)
			return 0
		}
		values = a.Goals[0].Values
		return 1
	})
	s, _ := fencing(t, p, interp.Config{Dice: []int{2}, Choice: choice}, "")
	if err := run(s, "bout 1"); err != nil {
		t.Fatal(failed(err))
	}
	if got := shownOf(t, s, "Fang.life"); got != "2" || len(values) != 2 {
		t.Errorf("Fang has %s, the answers are worth %v", got, values)
	}
}

type choosing func(interp.Question) int

func (c choosing) Choose(_ context.Context, q interp.Question) (int, error) { return c(q), nil }

// willing is a Player who always does what they would have done unasked.
type willing struct{ turns, unsaid int }

func (w *willing) Command(_ context.Context, t interp.Turn) (string, error) {
	if w.turns++; w.endless() {
		return "", errors.New("this turn is never over")
	}
	if t.Default == "" {
		w.unsaid++
	}
	if t.Refused != nil {
		return "", fmt.Errorf("%s: %q was refused: %w", t.Who, t.Default, t.Refused)
	}
	return "", nil
}

// endless says whether it goes on and on: tactics give a command that ends no turn once, and
// who is asked as often as they are asked.
func (w *willing) endless() bool { return w.turns > 1000 }

// withoutTargets leaves out the lines that tell whom tactics have picked, since a command names them, and what of
// tactics is refused to whoever is asked once more in a turn.
func withoutTargets(text string) string {
	return regexp.MustCompile(`(?m)^ *[^\n]*: ((Whom|Which target)\?|tactics: .* refused:) .*\n`).ReplaceAllString(text, "")
}

// Asking everybody, who then do what their tactics would have done, changes nothing in
// any scene: what a turn shows as the default is what tactics do.
func TestDefaultsAreTactics(t *testing.T) {
	t.Parallel()
	turns, same := 0, 0
	for _, file := range longtest.Some(corpus(t), 8) {
		src := scene(t, file)
		if strings.Contains(src.Text, "picks ") {
			continue // the scene says which target a die picks, which a command names
		}
		plain := play(t, file, corpusSeed, nil)
		var out strings.Builder
		text := transcript.NewText(&out, transcript.Options{})
		w := &willing{}
		s := interp.NewSession(interp.Config{
			Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: corpusSeed, Events: text.Event,
			Player: w, Ask: []string{interp.Everyone},
		})
		err := s.Exec(context.Background(), src)
		if w.endless() {
			continue
		}
		if err != nil {
			t.Errorf("%s: %s", file, failed(err))
			continue
		}
		if err := text.Flush(); err != nil {
			t.Error(err)
		}
		turns += w.turns
		if w.unsaid > 0 {
			t.Logf("%s: %d of %d turns have no command that can be written", file, w.unsaid, w.turns)
		}
		if len(plain.session.Record().Faces()) != len(s.Record().Faces()) {
			continue // a die has picked a target, which a command names
		}
		same++
		if diff := cmp.Diff(withoutTargets(plain.text), withoutTargets(out.String())); diff != "" {
			t.Errorf("%s: -by tactics +asked\n%s", file, diff)
		}
	}
	if turns < longtest.Many(200, 20) || same < longtest.Many(200, 20) {
		t.Errorf("only %d turns were asked for, and %d scenes compared", turns, same)
	}
}

// What a command in a verb's block makes for itself has its fields before the block begins.
func TestNewInABlock(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	for _, text := range []string{"use cah\nhero Nova { star 3; WAND 4 [versatile] }", "turn Nova { Nova: roll WAND as RAIN vs DN 1 }"} {
		if err := s.Exec(t.Context(), lang.NewSource("", text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Whoever has nothing that could be picked is not told to use that.
func TestDefaultWithoutATrait(t *testing.T) {
	p := &scripted{t: t, says: []string{""}}
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Player: p, Dice: []int{5, 7}})
	p.s = s
	if err := run(s, "use cah\nhero Nova { star 3 }\nvillain Fang { BITE 3 }\nscene \"Y\" { heroes Nova; villains Fang; turn Nova }\n"); err != nil {
		t.Fatal(failed(err))
	}
	if want := "attack Fang"; p.turns[0].Default != want {
		t.Errorf("the default is %q, want %q", p.turns[0].Default, want)
	}
}
