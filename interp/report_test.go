package interp_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/lang"
)

// coins is a system in which two people toss for each round: who has lost two rounds is out.
var coins = sync.OnceValue(func() string {
	text, err := os.ReadFile("../testdata/report/coins.rules")
	if err != nil {
		panic(err)
	}
	return string(text)
})

const coinsScene = `use coins
player Ann { }
player Bob { }
let won = no
goal won "Ann has won" after toss = won
scene "The toss" {
  toss
  won = last.outcome == success
  report Ann.lost
}
`

// What a script does above its scenes comes before the encounter; what dice decide there is not
// the same each time, so no figure is named.
func TestReportOfReservesBeforeScenes(t *testing.T) {
	cfg := interp.Config{Modules: fstest.MapFS{"coins/coins.rules": {Data: []byte(coins())}}}
	text := strings.Replace(coinsScene, "scene ", "Ann.lost = 1\nif (throw d2).face == 1 { Bob.lost = 1 }\nscene ", 1)
	r, err := danger.MakeReport(context.Background(), cfg, lang.NewSource("coins.scene", text), danger.Config{Trials: 200})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Reserves) != 2 || r.Reserves[0].Before != "1" || r.Reserves[1].Before != "" {
		t.Errorf("reserves: %+v", r.Reserves)
	}
}

// Ann wins one of two games. Half of them end in the second round, since the second coin is
// as the first. After the first round it is 3 to 1 for whoever won it.
func TestReportOfTosses(t *testing.T) {
	cfg := interp.Config{Modules: fstest.MapFS{"coins/coins.rules": {Data: []byte(coins())}}}
	r, err := danger.MakeReport(context.Background(), cfg, lang.NewSource("coins.scene", coinsScene), danger.Config{Trials: 4000})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %.4f, not %.4f", what, got, want)
		}
	}
	if g := r.Goals[0]; g.Name != "won" || g.Doc != "Ann has won" || g.Over != 0 || g.Exact == nil || g.Exact.RatString() != "1/2" {
		t.Errorf("the goal of the script: %+v", g)
	}
	if len(r.Goals) != 2 || r.Goals[1].Name != "heroes" {
		t.Errorf("goals: %+v", r.Goals)
	}
	if len(r.Scenes) != 1 || r.Scenes[0].Title != "The toss" || r.Scenes[0].Reached.P != 1 {
		t.Fatalf("scenes: %+v", r.Scenes)
	}
	s := r.Scenes[0]
	if len(s.Rounds.Points) != 2 || s.Rounds.Points[0].Shown != "2" || s.Rounds.Points[1].Shown != "3" || s.Round != "round" {
		t.Fatalf("rounds: %+v", s.Rounds)
	}
	near("two rounds", s.Rounds.Points[0].P, 0.5, 0.06)
	if len(r.Falls) != 2 || r.Falls[0].Who != "Ann" || !r.Falls[0].Ours || r.Falls[1].Who != "Bob" || r.Falls[1].Ours {
		t.Fatalf("falls: %+v", r.Falls)
	}
	near("Ann is out", r.Falls[0].P, 0.5, 0.06)
	near("one of them is out", r.Falls[0].P+r.Falls[1].P, 1, 1e-9)

	// Of Ann's lives two are left with 1/4, one with 1/4 (she won 2 to 1), none with 1/2.
	if len(r.Reserves) != 2 || r.Reserves[0].Name != "lives" || r.Reserves[0].Before != "2" || len(r.Reserves[0].After.Points) != 3 {
		t.Fatalf("reserves: %+v", r.Reserves)
	}
	near("no life is left", r.Reserves[0].After.Points[0].P, 0.5, 0.06)
	near("both are left", r.Reserves[0].After.Points[2].P, 0.25, 0.06)

	// What the sheets say at the end of the scene is from before it is put back.
	if len(r.Columns) != 1 || !r.Exact {
		t.Fatalf("columns: %+v", r.Columns)
	}
	first := r.Swing.Steps[0]
	if first.Round != 1 || first.Share.P != 1 || first.Share.Over != r.Looked {
		t.Errorf("after a round: %+v", first)
	}
	near("open after a round", first.Open.P, 1, 0.2) // ten times 3 to 1 all go one way in 6 of 100
	near("the mean after a round", first.Mean, 0.5, 0.17)
	near("behind after a round", first.At[1], 0.25, 0.12)
	near("ahead after a round", first.At[3], 0.75, 0.12)
	if h := first.Half[1]; h <= 0 || h > 0.15 {
		t.Errorf("the ± of the chance behind after a round: %v", h)
	}
	second := r.Swing.Steps[1]
	near("open after two rounds", second.Open.P, 0.5, 0.3)
	if second.At[0] != 0 || second.At[4] != 1 {
		t.Errorf("after two rounds: %+v", second)
	}

	if len(r.Ends) != 3 {
		t.Fatalf("ends: %+v", r.Ends)
	}
	for _, e := range r.Ends {
		var seen []string
		cfg.Seed = e.Seed
		cfg.Events = func(e *interp.Event) {
			if e.Kind == interp.EventReport {
				seen = append(seen, e.Value)
			}
		}
		if err := interp.NewSession(cfg).Exec(context.Background(), lang.NewSource("", coinsScene)); err != nil {
			t.Fatal(err)
		}
		if out := slices.Contains(seen, "2"); out != strings.Contains(e.Words, "Ann is out") {
			t.Errorf("%s, %s: a run with its seed says that Ann lost %v", e.What, e.Words, seen)
		}
	}
	if worst := r.Ends[2]; !strings.HasPrefix(worst.Words, "failure") {
		t.Errorf("the worst: %+v", worst)
	}
}

// reportOn makes a report of a script of coin tosses.
func reportOn(t *testing.T, rules, script string, trials int64) *danger.Report {
	t.Helper()
	cfg := interp.Config{Modules: fstest.MapFS{"coins/coins.rules": {Data: []byte(rules)}}}
	r, err := danger.MakeReport(context.Background(), cfg, lang.NewSource("coins.scene", script), danger.Config{Trials: trials})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Who has lost one of two games wins if both of the next two are won: 1/4 instead of 1/2.
func TestWhatMovesTossesIsExact(t *testing.T) {
	r := reportOn(t, coins(), "use coins\nplayer Ann { lost 0 }\nplayer Bob { lost 0 }\ntoss\n", 200)
	if len(r.Moves.List) != 2 || r.Moves.Trials != 0 {
		t.Fatalf("moves: %+v", r.Moves)
	}
	for i, want := range []danger.ReportMove{{What: "Ann.lost", From: "0", To: "1", Value: 0.25, By: -0.25}, {What: "Bob.lost", From: "0", To: "1", Value: 0.75, By: 0.25}} {
		if got := r.Moves.List[i]; got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
}

// In a match for 60 lost games that is too long for exact odds, who has lost one game
// more than the other wins with the chance of at most 58 tails in 118 tosses: 46.34 %.
func TestWhatMovesManyTosses(t *testing.T) {
	long := strings.NewReplacer("lost == 2", "lost == 60", "lost < 2", "lost < 60", "0..2", "0..60", "(2 - lost)", "(60 - lost)").Replace(coins())
	r := reportOn(t, long, "use coins\nplayer Ann { lost 0 }\nplayer Bob { lost 0 }\nlet unused = 3\ntoss\n", 2400)
	if r.Moves.Trials != 400 || r.Moves.Tried != 4 {
		t.Fatalf("moves: %+v", r.Moves)
	}
	if n := len(r.Swing.Steps); n < 7 || n > 10 || r.Swing.Steps[1].Round < 5 {
		t.Errorf("some hundred rounds: %d steps are shown: %+v", n, r.Swing.Steps)
	}
	if len(r.Moves.List) != 2 {
		t.Fatalf("what does nothing is left out: %+v", r.Moves.List)
	}
	for _, m := range r.Moves.List {
		want := -0.0366
		if m.What == "Bob.lost" {
			want = -want
		}
		if math.Abs(m.By-want) > m.Half || !sure(&m) || m.Half > 0.04 { // with dice of its own it were ± 6.9
			t.Errorf("%s: %.4f ± %.4f, and it is %.4f", m.What, m.By, m.Half, want)
		}
	}
}

// Two scripts with the same dice: Ann, who has lost a game already, is out in 3 of 4 trials instead
// of 2 of 4, and that shows far better than with dice of their own.
func TestPairsOfReports(t *testing.T) {
	a := reportOn(t, coins(), "use coins\nplayer Ann { }\nplayer Bob { }\ntoss\n", 1000)
	b := reportOn(t, coins(), "use coins\nplayer Ann { lost 1 }\nplayer Bob { }\ntoss\n", 1000)
	pairs, err := danger.PairReports(context.Background(), []*danger.Report{a, b})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, key danger.BesideKey, want float64) {
		t.Helper()
		by, half, ok := pairs.Difference(1, key)
		x, _ := pairs.Figure(0, key)
		y, _ := pairs.Figure(1, key)
		if !ok || math.Abs(by-want) > half || math.Abs(y.P-x.P-by) > 1e-9 {
			t.Errorf("%s: %.3f ± %.3f and %+v, %+v; it is %.3f", what, by, half, x, y, want)
		}
		if apart := math.Hypot(x.Half, y.Half); half >= apart && key.Kind != danger.BesideRounds {
			t.Errorf("%s: ± %.3f in pairs, ± %.3f with dice of their own", what, half, apart)
		}
	}
	near("the chance", danger.BesideKey{Kind: danger.BesideGoal, Name: "heroes"}, -0.25)
	near("Ann is out", danger.BesideKey{Kind: danger.BesideOut, Who: "Ann"}, 0.25)
	near("rounds", danger.BesideKey{Kind: danger.BesideRounds}, -1) // 2.5, and 1/2 + 2/4 + 2/4
	// Ann's lives: 2 in 1/4 and 1 in 1/4, or 1 in 1/4.
	near("lives left", danger.BesideKey{Kind: danger.BesideReserve, Who: "Ann", Name: "lives"}, -0.5)
	if _, _, ok := pairs.Difference(1, danger.BesideKey{Kind: danger.BesideOut, Who: "Cid"}); ok {
		t.Error("nobody is called Cid")
	}
}

// The same trials give the same report.
func TestReportAgain(t *testing.T) {
	cfg := interp.Config{Modules: fstest.MapFS{"coins/coins.rules": {Data: []byte(coins())}}, Seed: 7}
	make := func() *danger.Report {
		r, err := danger.MakeReport(context.Background(), cfg, lang.NewSource("coins.scene", coinsScene), danger.Config{Trials: 100})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := make(), make()
	for i := range a.Ends {
		if a.Ends[i] != b.Ends[i] {
			t.Errorf("%+v and %+v", a.Ends[i], b.Ends[i])
		}
	}
	if !slices.Equal(a.Swing.Steps, b.Swing.Steps) {
		t.Errorf("%+v and %+v", a.Swing.Steps, b.Swing.Steps)
	}
}

// A goal that nobody has declared is a mistake, as a script with mistakes is.
func TestReportOfMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"print 1 +\n":           "expected",
		"let x = 1\nreport y\n": "y",
	} {
		_, err := danger.MakeReport(context.Background(), interp.Config{}, lang.NewSource("x", text), danger.Config{Trials: 10})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Before the first toss Ann and Bob may each say 1 to 6. Whoever says 6 makes the other lose a
// game, which is worth 1/4 of the match; 1 is what they say if nobody decides. Of the five other
// answers three are tried: 2, 4 and 6.
func TestOpenDecisions(t *testing.T) {
	rules := strings.Replace(coins(), "let n = 0", `let n = 0
    let x = choose bid by a() from [1, 2, 3, 4, 5, 6] "Ann says?" default 1
    if x == 6 { b().lost += 1 }
    let y = choose bid by b() from [1, 2, 3, 4, 5, 6] "Bob says?" default 1
    if y == 6 { a().lost += 1 }`, 1)
	r := reportOn(t, rules, "use coins\nplayer Ann { }\nplayer Bob { }\ntoss\n", 2400)
	if len(r.Open) != 2 || !slices.Equal(r.Ours, []string{"Ann"}) {
		t.Fatalf("open decisions: %+v, for %v", r.Open, r.Ours)
	}
	for _, d := range r.Open {
		want := 0.25
		if d.Who == "Bob" {
			want = -want
		}
		if d.Usual != "1" || d.Other != "6" || !d.Better || math.Abs(d.Value-want) > d.Half || d.ComesUp.P != 1 || d.ComesUp.Over != r.WorthOver {
			t.Errorf("%+v, and it is worth %.2f", d, want)
		}
	}
}
