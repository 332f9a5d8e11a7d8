package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
)

// tiny is a module given as text; a real one is a file.
const tiny = `
sheet person { luck number 0.. = 2; skills skill many as CAPS }
sheet skill { rating number }
standin person You
verb try (s skill) {
  clause against: vs (dn number)
  do {
    show check "try" by who {
      let d = throw d6 for "luck of the draw"
      let total = d.face
      total += s.rating as s.name
      offer again to who "Throw again?" costs 1 luck when total < dn { total = (throw d6 for "again").face + s.rating }
      outcome (if total >= dn then success else failure) total total, against dn, margin total - dn
    }
  }
}
table kinds(x) { success => 1; failure => 0 }
`

func run(s *interp.Session, text string) error {
	return s.Exec(context.Background(), lang.NewSource("", text))
}

// A session takes a module into use and runs scripts; what happens is told as
// events.
func ExampleSession_Exec() {
	s := interp.NewSession(interp.Config{
		Modules: stdlib.FS,
		Dice:    []int{7},
		Events: func(e *interp.Event) {
			if e.Kind == interp.EventCheck {
				fmt.Print(e.Outcome)
				for _, f := range e.Fields {
					fmt.Print(", ", f.Name, " ", f.Value)
				}
				fmt.Println()
			}
		},
	})
	err := run(s, `use cah
roll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8`)
	fmt.Println(err)
	// Output:
	// success, total 12, against 8, versus DN 8, margin 4, hits 1
	// <nil>
}

// Mistakes are found before anything runs, all of them together.
func ExampleSession_Check() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := run(s, "use cah"); err != nil {
		fmt.Println(err)
	}
	for _, d := range s.Check(lang.NewSource("", "rol DEMOLITIONS 4 vs DN 8\nroll DEMOLITIONS 4 lnik STEADY_HANDS 2 vs DN 8")) {
		fmt.Println(d.Message)
	}
	// Output:
	// there is no verb rol
	// roll (cah) has no clause "lnik"
}

// loaded answers for chance: every die shows its highest face.
type loaded struct{}

func (loaded) Throw(_ context.Context, r interp.Request) ([]int, error) {
	fmt.Printf("%v for %s\n", r.Sizes, r.For)
	return r.Sizes, nil
}

// eager answers for choice: it says yes to everything.
type eager struct{}

func (eager) Choose(_ context.Context, q interp.Question) (int, error) {
	fmt.Printf("%s: %s (%s) %v\n", q.Who, q.Prompt, q.Cost, q.Options)
	return len(q.Options) - 1, nil
}

// Who answers for chance and choice is the embedder's affair.
func ExampleConfig() {
	s := interp.NewSession(interp.Config{Chance: loaded{}, Choice: eager{}})
	if err := run(s, tiny); err != nil {
		fmt.Println(err)
	}
	fmt.Println(run(s, "try JUGGLING 1 vs 9"))
	fmt.Println(run(s, "expect last.total == 7"))
	// Output:
	// [6] for luck of the draw
	// You: Throw again? (1 luck) [no yes]
	// [6] for again
	// <nil>
	// <nil>
}

// bold is a Player who does what is worth most.
type bold struct{}

func (bold) Command(ctx context.Context, t interp.Turn) (string, error) {
	a, err := advice.OfTurn(ctx, t, advice.Config{})
	if err != nil || len(a.Commands) == 0 {
		return "", err
	}
	for i, command := range a.Commands {
		fmt.Printf("%-22s %.2f\n", command, a.Goals[0].Values[i])
	}
	return a.Commands[0], nil
}

// When the rules give somebody a turn, whoever has no tactics is given to the Player, who
// can ask which commands are worth most.
func ExampleConfig_player() {
	s := interp.NewSession(interp.Config{Player: bold{}, Dice: []int{5}})
	err := run(s, `
sheet cook { dishes dish many as CAPS }
sheet dish { ease number }
verb serve (d dish) { do {
  let fell = throw d6
  outcome (if fell.face + d.ease >= 6 then success else failure)
} }
verb evening { do { for x in instances(cook) { act x } } }
goal meal(who) "the guests are happy" = last.outcome == success
cook Pia { SOUP { ease 3 }; SOUFFLE { ease 0 } }
evening`)
	fmt.Println(err)
	// Output:
	// serve SOUP             0.67
	// serve SOUFFLE          0.17
	// <nil>
}

// A record replays what chance and choice answered.
func ExampleSession_Record() {
	first := interp.NewSession(interp.Config{Seed: 4})
	_ = run(first, tiny)
	_ = run(first, "try JUGGLING 1 vs 4\nlet n = last.total")
	r := first.Record()

	again := interp.NewSession(interp.Config{Seed: 99})
	_ = run(again, tiny)
	again.Give(r)
	_ = run(again, "try JUGGLING 1 vs 4\nlet n = last.total")
	fmt.Println(len(r.Faces()), same(first, again, "n"))
	// Output: 1 true
}

// same compares what two sessions show for an expression.
func same(a, b *interp.Session, text string) bool {
	show := func(s *interp.Session) (v string) {
		s.SetEvents(func(e *interp.Event) { v = e.Value })
		_ = run(s, text)
		return v
	}
	return show(a) == show(b)
}

// A snapshot is cheap, and undoes everything that was done since.
func ExampleSession_Snapshot() {
	s := interp.NewSession(interp.Config{Events: func(e *interp.Event) { fmt.Println(e.Value) }})
	_ = run(s, "let gold = 10")
	before := s.Snapshot()
	_ = run(s, "gold = 3\ngold")
	s.Restore(before)
	_ = run(s, "gold")
	// Output:
	// 3
	// 10
}

// A refused command leaves the state as it was and says why.
func ExampleRunError() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	_ = run(s, "use cah\nhero Nova { oomph 0; AIM 3 }")
	err := run(s, "Nova: roll AIM vs DN 8 spend oomph extra_effort")
	var re *interp.RunError
	fmt.Println(errors.As(err, &re) && re.Kind == interp.Refused)
	fmt.Println(re.Diag.Message)
	// Output:
	// true
	// Nova: Extra Effort costs 1 Oomph, and only 0 is left
}

// Every rule of a module has an id and a line of words.
func ExampleSession_explain() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	r, _, err := assist.Explain(s, "cah.flub.auto_fail")
	fmt.Println(r.ID, r.Doc, err)
	_, nearest, err := assist.Explain(s, "cah.flub.auto_fial")
	fmt.Println(nearest, err != nil)
	// Output:
	// cah.flub.auto_fail A flubbed check fails whatever its total, with Area against every target. Marked boxes stay marked, and paid points are gone. <nil>
	// [cah.flub.auto_fail] true
}

func ExampleSession_rules() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	rules, err := assist.Rules(s, "cah")
	recorded := 0
	for _, r := range rules {
		if r.Recorded {
			recorded++
		}
	}
	fmt.Println(len(rules) > 200, recorded > 10, err)
	// Output: true true <nil>
}

// Complete lists what is legal at the cursor.
func ExampleSession_complete() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	_ = run(s, "use cah\nhero Nova { AIM 3; ACROBATICS 2 }")
	line := "Nova: roll A"
	_, list := assist.Complete(s, line, len(line))
	for _, c := range list {
		if c.Kind == "trait" {
			fmt.Println(c.Text)
		}
	}
	// Output:
	// ACROBATICS
	// AIM
}

// Tests runs the test blocks of a script, each from the state after it.
func ExampleSession_tests() {
	s := interp.NewSession(interp.Config{})
	results, err := verify.Tests(context.Background(), s, lang.NewSource("", `
let gold = 10
test "spending" { gold -= 3; expect gold == 7 }
test "untouched" { expect gold == 7 }`))
	fmt.Println(err)
	for _, r := range results {
		fmt.Println(r.Name, r.Err == nil)
	}
	// Output:
	// <nil>
	// spending true
	// untouched false
}

// A prepared text is compiled once, for what is known beforehand, and run many
// times from one state.
func ExampleSession_Prepare() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1})
	_ = run(s, "use cah")
	p, err := s.Prepare(lang.NewSource("", "roll DEMOLITIONS 4 link STEADY_HANDS 2 vs DN 8"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Run(context.Background(), 10_000))
	// Output: <nil>
}

// Options lists the open rulings of the modules in use.
func ExampleSession_options() {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Options: map[string]string{"natural": "any"}})
	_ = run(s, "use cah")
	for _, o := range assist.Options(s) {
		if o.Name == "natural" {
			fmt.Println(o.ID, o.Value, strings.Join(o.Choices, "|"))
		}
	}
	// Output: cah.opt.natural any kept|any|regular
}
