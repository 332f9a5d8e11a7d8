package interp_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/interp/transcript/transcripttest"
	"setpiece/lang"
)

// strikeRules is a system in which everything can be asked about: a fight in which the
// one attacked parries in a check of its own, and both may throw again.
const strikeRules = `
sheet hero { luck number = 2; hurt number }
sheet side { who hero; skill number; total number; foe side; label text }
hero Ann {}
hero Bo {}
rule throw_for(s) {
  let d = throw d12 for s.label
  s.total = d.face
  s.total += s.skill as "skill"
}
rule again(s) {
  offer again to s.who "Throw again?" costs 1 luck of s.who default no {
    let d = throw d12 for "second try"
    if d.face + s.skill > s.total { s.total += d.face + s.skill - s.total as "second try" note "1 luck, {s.who.luck} left" }
  }
}
verb strike (whom hero) {
  do {
    show check "strike" by who {
      let me = new side(who: who, skill: 4, label: "strike")
      let it = new side(who: whom, skill: 3, label: "parry")
      stands none note "against {whom.name}"
      show check "parry" by whom {
        throw_for(it)
        stands none total it.total
        again(it)
        outcome set total it.total
      }
      throw_for(me)
      stands (if me.total >= it.total then success else failure) total me.total, versus "{whom.name} {it.total}", margin me.total - it.total
      again(me)
      if me.total >= it.total { whom.hurt += 1 }
      outcome (if me.total >= it.total then success else failure) total me.total, versus "{whom.name} {it.total}", margin me.total - it.total
    }
  }
}
table words(x) { success => 1; failure => 0; set => 2 }
`

// atTable answers each question and each throw with the next of its words, and notes
// what a transcript had shown by then.
type atTable struct {
	shown   *strings.Builder
	answers []int
	seen    []string
	open    []string
}

func (a *atTable) next(q string, open []*interp.Event) (int, error) {
	a.seen = append(a.seen, a.shown.String()+q)
	a.shown.Reset()
	names := ""
	for _, e := range open {
		names += "/" + e.Verb
	}
	a.open = append(a.open, names)
	if len(a.answers) == 0 {
		return 0, errors.New("nobody there")
	}
	n := a.answers[0]
	a.answers = a.answers[1:]
	return n, nil
}

func (a *atTable) Throw(_ context.Context, r interp.Request) ([]int, error) {
	n, err := a.next("[throw for "+r.For+"]", r.Open)
	return []int{n}, err
}

func (a *atTable) Choose(_ context.Context, q interp.Question) (int, error) {
	return a.next("["+q.Who+" "+q.Prompt+" "+q.Cost+", "+q.Left+" left]", q.Open)
}

// strikes has Ann strike once, with somebody at the table for everything.
func strikes(t *testing.T, line string, answers ...int) (*atTable, string, error) {
	t.Helper()
	a := &atTable{shown: &strings.Builder{}, answers: answers}
	text := transcript.NewText(a.shown, transcript.Options{})
	s := interp.NewSession(interp.Config{Chance: a, Choice: a, Events: text.Event})
	if err := s.Exec(t.Context(), lang.NewSource("", strikeRules)); err != nil {
		t.Fatal(failed(err))
	}
	err := s.Exec(t.Context(), lang.NewSource("", line))
	if err := text.Flush(); err != nil {
		t.Fatal(err)
	}
	return a, a.shown.String(), err
}

// Before each question and each throw everything that led to it has been shown, with
// how it stands, and no line is shown twice.
func TestNobodyDecidesBlind(t *testing.T) {
	a, rest, err := strikes(t, "Ann: strike Bo", 7, 1, 9, 2, 0)
	if err != nil {
		t.Fatal(failed(err))
	}
	want := []string{
		`
Ann: strike
  against Bo
  Bo: parry
[throw for parry]`, `
    d12 parry              7
    skill                 +3
    so far                10
[Bo Throw again? 1 luck, 1 left]`, `
    Bo: Throw again? yes
    Bo: luck 2 -> 1
[throw for second try]`, `
    d12 second try         9
    second try            +2   1 luck, 1 left
    total                 12   set
[throw for strike]`, `
  d12 strike               2
  skill                   +4
  so far                   6   vs Bo 12   failure by 6
[Ann Throw again? 1 luck, 1 left]`,
	}
	for i, w := range want {
		if i >= len(a.seen) {
			t.Fatalf("only %d questions", len(a.seen))
		}
		if diff := cmp.Diff(strings.TrimPrefix(w, "\n"), a.seen[i]); diff != "" {
			t.Errorf("question %d: -want +got\n%s", i+1, diff)
		}
	}
	if want := "  total                    6   vs Bo 12   failure by 6\n"; rest != want {
		t.Errorf("after the last question:\n%swant\n%s", rest, want)
	}
	if diff := cmp.Diff([]string{"/strike/parry", "/strike/parry", "/strike/parry", "/strike", "/strike"}, a.open); diff != "" {
		t.Errorf("groups that are open: -want +got\n%s", diff)
	}
}

// Whoever forgets what was shown is shown all of what is open with the next question.
func TestShownAgain(t *testing.T) {
	var out strings.Builder
	text := transcript.NewText(&out, transcript.Options{})
	first := true
	s := interp.NewSession(interp.Config{Dice: []int{7, 2}, Events: func(e *interp.Event) {
		if e.Kind == interp.EventQuestion && e.Who == "Ann" && first {
			first = false
			text.Forget()
			out.Reset()
		}
		text.Event(e)
	}, Choice: &atTable{shown: &strings.Builder{}, answers: []int{0, 0}}})
	if err := s.Exec(t.Context(), lang.NewSource("", strikeRules+"Ann: strike Bo")); err != nil {
		t.Fatal(failed(err))
	}
	want := `
Ann: strike
  Bo: parry
    d12                    7   by hand
    skill                 +3
    total                 10   set
  d12 strike               2   by hand
  skill                   +4
  so far                   6   vs Bo 10   failure by 4
  total                    6   vs Bo 10   failure by 4
`
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// In JSON a question is an object with all that is open, what happens inside a group
// comes at once, and what is refused after that is said not to have happened.
func TestQuestionsInJSON(t *testing.T) {
	var out bytes.Buffer
	j := transcript.NewJSON(&out, false)
	s := interp.NewSession(interp.Config{Dice: []int{7, 2}, Events: j.Event, Choice: &atTable{shown: &strings.Builder{}, answers: []int{1}}})
	if err := s.Exec(t.Context(), lang.NewSource("", strikeRules)); err != nil {
		t.Fatal(failed(err))
	}
	if err := s.Exec(t.Context(), lang.NewSource("", "Ann: strike Bo")); err == nil {
		t.Fatal("nobody is there to answer the second question")
	}
	want := `
{"event":"begin","version":2}
{"event":"question","depth":2,"who":"Bo","name":"again","prompt":"Throw again?","options":[{"value":false},{"value":true,"cost":"1 luck","left":1}],"default":false,"open":[{"event":"group","kind":"check","who":"Ann","label":"strike","dice":[],"parts":[],"fields":{"note":"against Bo"},"open":true,"so_far":true},{"event":"group","depth":1,"kind":"check","who":"Bo","label":"parry","dice":[{"die":12,"face":7,"kept":false,"for":"parry","who":"Bo","by":"given","throw":0}],"parts":[{"value":3,"label":"skill"}],"total":10,"open":true,"so_far":true}]}
{"event":"decision","depth":2,"who":"Bo","name":"again","prompt":"Throw again?","options":[false,true],"answer":true,"by":"person"}
{"event":"change","depth":2,"who":"Bo","field":"luck","from":2,"to":1}
{"event":"group","depth":1,"kind":"check","who":"Bo","label":"parry","dice":[{"die":12,"face":7,"kept":false,"for":"parry","who":"Bo","by":"given","throw":0},{"die":12,"face":2,"kept":false,"for":"second try","who":"Bo","by":"given","throw":1}],"parts":[{"value":3,"label":"skill"}],"total":10,"outcome":"set"}
`
	got := out.String()
	if !strings.HasPrefix(got, want[1:]) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	transcripttest.Records(t, got, true)
	if end := `{"event":"void"}` + "\n"; !strings.HasSuffix(got, end) {
		t.Errorf("what was sent of the group is not said to be void:\n%s", got)
	}
}

// What is set with a name tells by how much that changes the total, as what is added does.
func TestNamedParts(t *testing.T) {
	var out strings.Builder
	s := interp.NewSession(interp.Config{Dice: []int{9}, Events: transcript.NewText(&out, transcript.Options{}).Event})
	script := `let score = 0
show check "a try" {
  score += (throw d20 for action).face
  score += 5 as "skill"
  score = min(10, score) as "at most 10"
  outcome success total score
}`
	if err := s.Exec(t.Context(), lang.NewSource("", script)); err != nil {
		t.Fatal(failed(err))
	}
	want := `a try
  d20                      9   by hand
  skill                   +5
  at most 10              -4
  total                   10   success
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
