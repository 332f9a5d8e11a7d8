package interp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// asks asks for advice at the nth question, and takes every default.
type asks struct {
	nth    int
	cfg    advice.Config
	asked  int
	advice *advice.Advice
	err    error
}

func (a *asks) Choose(ctx context.Context, q interp.Question) (int, error) {
	if a.asked++; a.asked == a.nth {
		a.advice, a.err = advice.OfQuestion(ctx, q, a.cfg)
	}
	return q.Default, nil
}

// adviceOn runs a text and asks for advice at its nth question.
func adviceOn(t *testing.T, nth int, cfg advice.Config, text string) (*advice.Advice, error) {
	t.Helper()
	a := &asks{nth: nth, cfg: cfg}
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Choice: a})
	if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
		t.Fatal(err)
	}
	if a.asked < nth {
		t.Fatalf("%d questions, not %d", a.asked, nth)
	}
	return a.advice, a.err
}

// Fewer trials bound what is exact as well: 3d10 in their order are 1,110 states for each answer,
// which is little for a person who waits and much for a program with many tables.
func TestAdviceTrialsBoundWhatIsExact(t *testing.T) {
	text := strings.NewReplacer("repeat 6", "repeat 3", "d20", "d10").Replace(endlessly) + "gamble"
	for trials, want := range map[int]int{0: 0, 16: 16} {
		a, err := adviceOn(t, 1, advice.Config{Trials: trials}, text)
		if err != nil || a.Trials != want {
			t.Errorf("with %d trials: %+v, %v", trials, a, err)
		}
	}
}

// brawl is a duel: whoever is hit is out. Who is hit may duck, which needs one more.
const brawl = `
sheet fighter out when out { side one of (ours, theirs) = ours; out truth }
verb hit (whom fighter) { do {
  let need = 4
  let d = throw d6
  offer duck to whom "Duck?" default no { need += 1 }
  offer lunge to who "Lunge?" default no { need -= 1 }
  if d.face >= need { whom.out = yes }
  outcome (if d.face >= need then success else failure) margin d.face - need
} }
verb brawl (a fighter) with (b fighter) { do {
  let second = yes
  offer begin_it to a "Strike first?" default no { second = no }
  while not a.out and not b.out {
    if second { (b): hit a } else { (a): hit b }
    second = not second
  }
  outcome over winner (if a.out then b.side else a.side)
} }
goal roll(who, actor) "it goes your way" = (last.outcome == success) == (who.side == actor.side)
goal margin(who, actor) "by how much" = if who.side == actor.side then last.margin else -last.margin
goal win(who) "your side wins" after brawl = last.winner == who.side
fighter Ann { side ours }
fighter Bob { side theirs }
`

// Whoever is hit wants it to fail, whoever hits wants it to succeed, and a bigger margin
// is better for whoever hits.
func TestAdviceTakesSides(t *testing.T) {
	for _, c := range []struct {
		nth  int
		want []advice.Worth
		best int
	}{
		// a 4 needs a 4: Bob is hit unless he ducks; Ann lunges, since that is best for
		// the margin, when he does not decide: she takes the default, no
		{1, []advice.Worth{
			{Goal: "roll", Chance: true, Values: []float64{0, 1}, Top: []bool{false, true}},
			{Goal: "margin", Values: []float64{0, 1}, Top: []bool{false, true}},
		}, 1},
		// he has not ducked: she hits either way, and by 1 more with a lunge
		{2, []advice.Worth{
			{Goal: "roll", Chance: true, Values: []float64{1, 1}, Top: []bool{true, true}},
			{Goal: "margin", Values: []float64{0, 1}, Top: []bool{false, true}},
		}, 1},
	} {
		a, err := adviceOn(t, c.nth, advice.Config{}, brawl+"dice 4\nAnn: hit Bob")
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Goals {
			a.Goals[i].Doc, a.Goals[i].After = "", ""
		}
		if diff := cmp.Diff(c.want, a.Goals); diff != "" || a.Best != c.best {
			t.Errorf("question %d: best %d, -want +got\n%s", c.nth, a.Best, diff)
		}
	}
}

// In a fight both the blow at hand and the fight are told. With a blow that hits on 4
// or more whoever strikes first wins with 2/3: 1/2 at once, and again after two misses.
func TestAdviceOnAFight(t *testing.T) {
	a, err := adviceOn(t, 1, advice.Config{Goal: "win"}, strings.ReplaceAll(brawl, "offer lunge to who \"Lunge?\" default no { need -= 1 }", "")+"Ann: brawl Ann with Bob")
	if err != nil {
		t.Fatal(err)
	}
	// "Strike first?" is asked with the answer no standing for Ann striking second; she
	// ducks whenever it is asked of her, so that Bob hits on 5 or more.
	// Let x be her chance when she strikes: 1/2 + 1/2 y, and y when he does: 2/3 x.
	x := 0.5 / (1 - 0.5*2/3)
	if got := a.Goals[0].Values; len(got) != 2 || math.Abs(got[0]-2*x/3) > 1e-12 || math.Abs(got[1]-x) > 1e-12 || a.Best != 1 {
		t.Errorf("%+v, want %v and %v", a.Goals[0], 2*x/3, x)
	}
	a, err = adviceOn(t, 2, advice.Config{}, brawl+"Ann: brawl Ann with Bob")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range a.Goals {
		names = append(names, w.Goal+" after "+w.After)
	}
	if diff := cmp.Diff([]string{"roll after hit", "margin after hit", "win after brawl"}, names); diff != "" {
		t.Error(diff)
	}
}

// endlessly is too long to be followed: whatever fell is remembered.
const endlessly = `
verb gamble { do {
  let bonus = 0
  let noise = 0
  offer more to Ann "Five more?" default no { bonus = 5 }
  let fell = []
  repeat 6 { fell = fell.with((throw d20).face) }
  outcome (if fell.sum + bonus >= 64 then success else failure) fell fell
} }
sheet somebody { }
somebody Ann
goal roll "64 or more" = last.outcome == success
goal fell "what fell" = last.fell.sum
`

// What is too large is estimated, with the same dice for each option: the chance of 64
// or more on 6d20, with and without 5 more, lies within the interval that is told, and
// what the answer does not touch comes to the very same.
func TestAdviceByTrials(t *testing.T) {
	sums := map[int]float64{0: 1}
	for range 6 {
		next := map[int]float64{}
		for n, p := range sums {
			for f := 1; f <= 20; f++ {
				next[n+f] += p / 20
			}
		}
		sums = next
	}
	var want [2]float64
	for n, p := range sums {
		if n >= 64 {
			want[0] += p
		}
		if n+5 >= 64 {
			want[1] += p
		}
	}
	a, err := adviceOn(t, 1, advice.Config{Trials: 2000}, endlessly+"gamble")
	if err != nil {
		t.Fatal(err)
	}
	roll, fell := a.Goals[0], a.Goals[1]
	if a.Trials != 2000 || roll.Exact() || !roll.Chance || !roll.Differ() || a.Best != 1 {
		t.Fatalf("%+v", a)
	}
	for k, p := range want {
		if math.Abs(roll.Values[k]-p) > 2*roll.Half[k] || roll.Half[k] > 0.03 {
			t.Errorf("option %d: %v ±%v, want %v", k, roll.Values[k], roll.Half[k], p)
		}
	}
	if fell.Chance || !fell.Same() || math.Abs(fell.Values[0]-63) > 2*fell.Half[0] {
		t.Errorf("what fell: %+v", fell)
	}
	again, err := adviceOn(t, 1, advice.Config{Trials: 2000}, endlessly+"gamble")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, again); diff != "" {
		t.Error("asked again it says something else:", diff)
	}
}

// Figures come soon and get better, until enough has been seen, or for good; the run
// goes on as if nobody had asked.
func TestAdviceAsItComes(t *testing.T) {
	var trials []int
	text := endlessly + "gamble\nreport last.fell"
	end := func(c interp.Choice) string {
		said := ""
		s := interp.NewSession(interp.Config{Seed: 9, Choice: c, Events: func(e *interp.Event) { said += fmt.Sprintln(e.Kind, e.Text, e.Value) }})
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
		return said
	}
	a := &asks{nth: 1, cfg: advice.Config{Trials: 50_000, Progress: func(a *advice.Advice) bool {
		trials = append(trials, a.Trials)
		return len(trials) < 3
	}}}
	with := end(a)
	if a.err != nil || len(trials) != 3 || trials[0] == 0 || trials[2] > 50_000 || a.advice.Trials != trials[2] {
		t.Errorf("%v %v %+v", a.err, trials, a.advice)
	}
	if without := end(&asks{}); with != without {
		t.Errorf("with advice it is told\n%s\nwithout\n%s", with, without)
	}

	// when the context ends what is known is given
	ctx, stop := context.WithCancel(context.Background())
	b := &asks{nth: 1, cfg: advice.Config{Progress: func(*advice.Advice) bool { stop(); return true }}}
	s := interp.NewSession(interp.Config{Choice: b})
	s.Exec(ctx, lang.NewSource("", text))
	if b.err != nil || b.advice == nil || b.advice.Trials == 0 {
		t.Errorf("%v %+v", b.err, b.advice)
	}
}

// endsSoon is a context that ends when it is asked for the nth time whether it has.
type endsSoon struct {
	context.Context
	left int
}

func (c *endsSoon) Err() error {
	if c.left--; c.left > 0 {
		return nil
	}
	return context.Canceled
}

// Trials that nobody waits for any more are not made, however short one is.
func TestAdviceEndsBetweenTrials(t *testing.T) {
	a := &asks{nth: 1, cfg: advice.Config{Trials: 50_000}}
	left := 1
	for ; a.advice == nil; left *= 2 {
		if left > 50_000 {
			t.Fatal("no trials before the context has ended")
		}
		ctx := &endsSoon{context.Background(), left}
		a.asked = 0
		c := interruptible{a, ctx}
		s := interp.NewSession(interp.Config{Choice: c})
		if err := s.Exec(context.Background(), lang.NewSource("", endlessly+"gamble")); err != nil {
			t.Fatal(err)
		}
	}
	if n := a.advice.Trials; n == 0 || n > left {
		t.Errorf("%d trials", n)
	}
}

// interruptible asks for advice in a context of its own.
type interruptible struct {
	*asks
	ctx context.Context
}

func (c interruptible) Choose(_ context.Context, q interp.Question) (int, error) {
	return c.asks.Choose(c.ctx, q)
}

// A refusal that leads out of the command at hand is no end of the fight.
func TestAdvicePastARefusal(t *testing.T) {
	a, err := adviceOn(t, 1, advice.Config{Trials: 40}, `
sheet somebody { tries number }
verb dare { do {
  offer dare to who "Dare it?" default no { who.tries += 1; refuse "that is not done" }
  outcome success
} }
verb fight { do { for x in instances(somebody) { act x }; outcome over tries sum x.tries for x in instances(somebody) } }
goal roll = last.outcome == success
goal tries(who) after fight = last.tries
somebody Ann
tactics Ann { otherwise: dare }
fight`)
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Goals[0]; w.Values[0] != 1 || !math.IsNaN(w.Values[1]) || !slices.Equal(a.Refused, []string{"", "the rules refuse it"}) {
		t.Errorf("%+v, refused: %q", w, a.Refused)
	}
	if w := a.Goals[1]; w.Values[0] != 0 || w.Values[1] != 0 {
		t.Errorf("what is refused is undone: %+v", w)
	}
}

// A goal that somebody types may be an outcome, a goal of the rules or an expression.
func TestAdviceGoals(t *testing.T) {
	values := func(goal string) []float64 {
		a, err := adviceOn(t, 1, advice.Config{Goal: goal}, brawl+"dice 4\nAnn: hit Bob")
		if err != nil {
			t.Fatalf("%s: %v", goal, err)
		}
		return a.Goals[0].Values
	}
	for goal, want := range map[string][]float64{
		"failure": {0, 1}, "success": {1, 0}, "roll": {0, 1}, "last.margin": {0, -1}, "last.margin >= 0": {1, 0}, "Bob.out": {1, 0},
	} {
		if diff := cmp.Diff(want, values(goal)); diff != "" {
			t.Errorf("%s: %s", goal, diff)
		}
	}
	for goal, want := range map[string]string{
		"rol":     "there is no goal or outcome rol",
		"nothing": "there is no goal or outcome nothing",
		"win":     "the goal win has nothing to do with this question",
		"1 +":     "expected a value after +, found the end",
	} {
		_, err := adviceOn(t, 1, advice.Config{Goal: goal}, brawl+"Ann: hit Bob")
		var ds lang.Diagnostics
		if !errors.As(err, &ds) || ds[0].Message != want {
			t.Errorf("%s: %v, want %s", goal, err, want)
		}
	}
	// rules that declare no goal are about success
	a, err := adviceOn(t, 1, advice.Config{}, strings.ReplaceAll(brawl, "\ngoal", "\n#")+"dice 4\nAnn: hit Bob")
	if err != nil || a.Goals[0].Goal != "success" || a.Goals[0].Values[0] != 1 {
		t.Errorf("%v %+v", err, a)
	}
}

// A variant may want something else, and a goal may be removed.
func TestGoalsOfVariants(t *testing.T) {
	for extra, want := range map[string]string{
		"":                                 "roll margin",
		"goal roll = yes":                  "roll margin",
		"remove goal margin":               "roll",
		"goal also = last.margin":          "roll margin also",
		"goal roll(who) after brawl = yes": "margin",
	} {
		a, err := adviceOn(t, 1, advice.Config{}, brawl+extra+"\nAnn: hit Bob")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, w := range a.Goals {
			names = append(names, w.Goal)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", extra, got, want)
		}
	}
	for text, want := range map[string]string{
		"goal x(a, b, c) = yes":     "a goal has at most two parameters: who decides, and whose command it is",
		"goal x after brawwl = yes": "there is no verb brawwl",
		"goal x = nobody_knows":     "nothing here is called nobody_knows",
		"remove goal wim":           "there is no goal wim",
	} {
		ds := interp.NewSession(interp.Config{}).Check(lang.NewSource("", brawl+text))
		if len(ds) != 1 || ds[0].Message != want {
			t.Errorf("%s: %v", text, ds)
		}
	}
}

// At the first questions of the encounters that ship there is advice at once, about
// goals that the rules declare, and none of them breaks.
func TestAdviceOnEncounters(t *testing.T) {
	files, err := filepath.Glob("../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("no encounters", err)
	}
	for _, file := range longtest.Some(files, 2) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := &asks{nth: 2, cfg: advice.Config{Progress: func(*advice.Advice) bool { return false }}}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 7, Choice: a})
		if err := s.Exec(context.Background(), lang.NewSource(file, string(text))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if a.asked > 1 && (a.err != nil || len(a.advice.Goals) == 0) {
			t.Errorf("%s: %v %+v", file, a.err, a.advice)
		}
	}
}

// A question before a fight is about the fight as well: who goes first wins on 3 or more,
// else on 5 or more. It is never about whether some roll succeeds.
func TestAdviceBeforeAFight(t *testing.T) {
	const stage = `
sheet fighter { side one of (ours, theirs) = ours; ahead truth }
verb stage {
  block
  do { run block }
}
verb line_up { do { offer begin_it to Ann "Go first?" default no { Ann.ahead = yes } } }
verb fight { do {
  let d = throw d6
  outcome over winner (if d.face >= (if Ann.ahead then 3 else 5) then ours else theirs)
} }
goal win(who) "your side wins" after fight = last.winner == who.side
fighter Ann
`
	for _, goal := range []string{"", "win"} {
		a, err := adviceOn(t, 1, advice.Config{Goal: goal}, stage+"stage { line_up\n fight }")
		if err != nil {
			t.Fatal(failed(err))
		}
		want := []advice.Worth{{Goal: "win", Doc: "your side wins", After: "stage", Chance: true, Values: []float64{1. / 3, 2. / 3}, Top: []bool{false, true}}}
		approx := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
		if diff := cmp.Diff(want, a.Goals, approx); diff != "" || a.Best != 1 {
			t.Errorf("for %q: best %d, -want +got\n%s", goal, a.Best, diff)
		}
	}
	if _, err := adviceOn(t, 1, advice.Config{}, stage+"line_up"); err == nil || !strings.Contains(failed(err), "no goal of the rules is about this question") {
		t.Errorf("with no fight to come: %v", err)
	}
}

// bout is a blow and what comes of it: who pushes hits on 3 or more instead of 4, and is
// tired.
const bout = `
sheet fighter { side one of (ours, theirs) = ours; tired truth; hits number }
sheet judge { n number }
verb blow { do {
  let need = 4
  offer push to who "Push?" default no { need -= 1; who.tired = yes }
  let d = throw d6
  if d.face >= need { who.hits += 1 }
  outcome (if d.face >= need then success else failure)
} }
verb bout (a fighter) { do {
  (a): blow
  let d = throw d1000
  outcome over winner (if WINS then a.side else theirs)
} }
goal roll(who, actor) "it goes your way" = (last.outcome == success) == (who == actor)
goal win(who) "your side wins" after bout = last.winner == (if who.is(fighter) then who.side else theirs)
fighter Ann {}
judge Jo {}
`

// What is best goes by the fight, and by the roll only where the fight hardly differs. A
// push makes a hit of 2 in 3 out of one of 1 in 2.
func TestAdviceGoesByTheFight(t *testing.T) {
	for _, c := range []struct {
		name, wins string
		win        []float64
		best       int
		by         string
	}{
		{"a tired winner is rare", "a.hits == 1 and d.face > (if a.tired then 800 else 200)", []float64{1. / 2 * 4 / 5, 2. / 3 * 1 / 5}, 0, "win"},
		{"a hit wins", "a.hits == 1", []float64{1. / 2, 2. / 3}, 1, "win"},
		{"half a point", "d.face > (if a.tired then 505 else 500)", []float64{0.5, 0.495}, 1, "roll"},
		{"no difference", "d.face > 500", []float64{0.5, 0.5}, 1, "roll"},
		{"just more than a point", "d.face > (if a.tired then 511 else 500)", []float64{0.5, 0.489}, 0, "win"},
	} {
		a, err := adviceOn(t, 1, advice.Config{}, strings.ReplaceAll(bout, "WINS", c.wins)+"Ann: bout Ann")
		if err != nil {
			t.Fatal(err)
		}
		approx := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
		if diff := cmp.Diff([][]float64{{1. / 2, 2. / 3}, c.win}, [][]float64{a.Goals[0].Values, a.Goals[1].Values}, approx); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
		if a.Best != c.best || a.By != c.by || len(a.Equal) != 1 {
			t.Errorf("%s: best %d by %q of %v, not %d by %q", c.name, a.Best, a.By, a.Equal, c.best, c.by)
		}
	}
}

// Who says how hard something is wants nothing for themselves: the figures are those of
// whoever has to do it. With a price they have a stake in it, and the figures are theirs.
func TestAdviceForWhoeverActs(t *testing.T) {
	const climb = `
verb climb { do {
  let need = choose how_hard by Jo from [2, 4, 6] "How hard?" default 4
  let d = throw d6
  outcome (if d.face >= need then success else failure)
} }
`
	rules := strings.ReplaceAll(bout, "WINS", "yes")
	a, err := adviceOn(t, 1, advice.Config{}, rules+climb+"Ann: climb")
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Goals[0]; a.For != "Ann" || !allNear(w.Values, 5./6, 1./2, 1./6) || a.Best != 0 {
		t.Errorf("for %q: %v, best %d", a.For, w.Values, a.Best)
	}
	priced := strings.ReplaceAll(climb, `let need = choose how_hard by Jo from [2, 4, 6] "How hard?" default 4`, `let need = 2
  offer slip to Jo "Does it slip?" costs 1 n { need = 6 }`)
	a, err = adviceOn(t, 1, advice.Config{}, rules+priced+"Jo.n = 1\nAnn: climb")
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Goals[0]; a.For != "" || !allNear(w.Values, 1./6, 5./6) || a.Best != 1 {
		t.Errorf("for %q: %v, best %d", a.For, w.Values, a.Best)
	}
	// Among those who act nobody speaks for another.
	a, err = adviceOn(t, 1, advice.Config{}, rules+strings.ReplaceAll(climb, "by Jo", "by Bob")+"fighter Bob { side theirs }\nAnn: climb")
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Goals[0]; a.For != "" || !allNear(w.Values, 1./6, 1./2, 5./6) {
		t.Errorf("for %q: %v", a.For, w.Values)
	}
}

func allNear(got []float64, want ...float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// What the rules refuse at once is worth nothing that could be counted, and is never the best,
// also where all else is worse than what a failed roll comes to; so it is in a command of
// tactics, which is taken back. What is refused only when the dice fall so is a chance.
func TestAdviceOnARefusal(t *testing.T) {
	const rules = `
spans turn
sheet guest { done truth per turn as hidden }
verb try { do {
  let how = choose how by who from [1, 2, 3, 4] "How loud?" default 1
  polite(how)
  let d = (throw d6).face
  if how == 3 and d < 4 { refuse "it is too late" }
  who.done = yes
  outcome if d >= 4 and how != 4 then success else failure
} }
rule polite(how) { if how == 2 { refuse "not so loud" } }
verb party (g guest) { do {
  begin turn
  act g until g.done
  end turn
} }
guest Ann {}
tactics Ann { otherwise: try }
`
	for _, c := range []struct{ name, command, why string }{
		{"a command", "Ann: try", "not so loud"}, {"a command of tactics", "party Ann", "the rules refuse it"},
	} {
		a, err := adviceOn(t, 1, advice.Config{}, rules+c.command)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"", c.why, "", ""}, a.Refused); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
		w := a.Goals[0]
		if !math.IsNaN(w.Values[1]) || w.Top[1] || slices.Contains(a.Equal, 1) || w.Values[0] != 0.5 || w.Values[3] != 0 {
			t.Errorf("%s: %+v %v", c.name, w, a.Equal)
		}
	}
}

// A question with more behind it than can be followed: on a 1 or 2 of a d8 so much is thrown that it
// is not, and a coin decides; on the others whoever leaps wins at once, and nobody else does. What was
// followed bounds both answers, and shows which is better without a trial.
func TestAdviceHasBounds(t *testing.T) {
	const leap = `sheet fighter { side one of (ours, theirs) = ours }
verb dare (a fighter) { do {
  let plus = 0
  offer leap to a "Leap?" default no { plus = 6 }
  let noise = 0
  let won = no
  if (throw d8).face > 2 { won = plus > 0 } else {
    repeat 30 { noise = 2 * noise + (throw d2).face }
    won = (throw d2).face == 1 and noise > 0
  }
  outcome (if won then success else failure)
} }
goal roll(who, actor) "it goes your way" = last.outcome == success
fighter Ann
dare Ann
`
	a, err := adviceOn(t, 1, advice.Config{Trials: 200}, leap)
	if err != nil {
		t.Fatal(err)
	}
	w := a.Goals[0]
	if w.Exact() || a.Trials != 200 || math.Abs(w.Values[0]-1./8) > 0.1 || math.Abs(w.Values[1]-7./8) > 0.1 {
		t.Errorf("%+v", a)
	}
	if !allNear(w.Least, 0, 3./4) || !allNear(w.Most, 1./4, 1) || !certain(&w) || !slices.Equal(w.Top, []bool{false, true}) {
		t.Errorf("%+v", w)
	}
}

// Few trials bound what is exact, too: a bot that asks for little gets it soon.
func TestFewTrialsBoundWhatIsExact(t *testing.T) {
	const walk = `
sheet hero { steps number 0.. }
rule walk(h) { repeat 15 { h.steps += (throw d6).face + (throw d20).face } }
verb go "a walk" { do { offer run to who "Run?" { who.steps += 1 }; walk(who); outcome (if who.steps > 210 then success else failure) steps who.steps } }
hero Ann
`
	for trials, exact := range map[int]bool{0: true, 20: false} {
		a, err := adviceOn(t, 1, advice.Config{Trials: trials}, walk+"Ann: go")
		if err != nil {
			t.Fatal(err)
		}
		if (a.Trials == 0) != exact || !exact && a.Trials != 20 {
			t.Errorf("asked for %d trials: %d were made", trials, a.Trials)
		}
	}
}

// The effect of an action against somebody is the die that is made in the end: with a margin of 7 a d10 goes up
// a step, which the other side's d12 does not step back, and each step that is held back makes it smaller. It is
// the same where nobody reacts, without the step, and against several what is made of each counts.
func TestAdviceOnAnEffectDie(t *testing.T) {
	for command, want := range map[string][]float64{
		"Fang against 2d8 + d12":                {12, 10, 8, 6, 4},
		"Fang helpless":                         {10, 8, 6, 4},
		"Fang against 2d8 + d12, Wolf helpless": {22, 20, 18, 16, 14},
	} {
		questions, dice := 2, "7 5 3 2 3 2"
		if command == "Fang helpless" {
			questions, dice = 1, "7 5 3"
		}
		text := "use marvel\nhero Nova { }\nwatcher Fang { }\nwatcher Wolf { }\ndice " + dice + "\nNova: attack " + command + " with 2d8 + d10 take 7, 5\n"
		a, err := adviceOn(t, questions, advice.Config{Goal: "effect"}, text)
		if err != nil {
			t.Fatal(failed(err))
		}
		if got := a.Goals[0].Values; !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", command, got, want)
		}
	}
}
