package evening_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// rows answers forms with the lines it has, and notes what it was asked.
type rows struct {
	lines  []string
	asked  []string
	values []string
	t      *testing.T
	v      *evening.Evening
}

func (h *rows) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	var names []string
	for _, row := range q.Rows() {
		names = append(names, row.Name)
	}
	h.asked = append(h.asked, strings.Join(names, " "))
	line := h.lines[0]
	h.lines = h.lines[1:]
	if line == ":undo" {
		return interp.Answer{}, h.v.TakeBack(1)
	}
	a, err := q.Read(line)
	if err != nil {
		h.asked[len(h.asked)-1] += ": " + err.Error()
		return h.Ask(context.Background(), q)
	}
	return a, nil
}

func (h *rows) Event(e *interp.Event, _ bool) {
	if e.Kind == interp.EventReport {
		h.values = append(h.values, e.Value)
	}
}
func (h *rows) Tell(evening.Notice) {}
func (h *rows) Settle() error       { return nil }

const threeOffers = `system small "Three decisions, the second of which depends on the first"
sheet hero "a hero" of players { a whole 0.. = 0 "a"; b whole 0.. = 0 "b"; c whole 0.. = 0 "c"; d text = "" "d" }
verb go "goes" {
  do {
    offer first to who "First?" { who.a = 1 }
    if who.a == 0 { offer second to who "Second?" { who.b = 1 } }
    who.c = choose third by who from [0, 2, 4] "How many?"
  }
}
verb pay "the first brings a decision that its form has not foreseen" {
  do {
    offer first to who "First?" { who.a = 1 }
    if who.a == 1 { offer more to who "More?" { who.b = 1 } }
    who.c = choose third by who from [0, 2, 4] "How many?"
  }
}
verb twice "the same after a throw, which ends a form" {
  do {
    repeat 2 {
      who.a = 0
      offer first to who "First?" { who.a = 1 }
      if who.a == 0 { offer second to who "Second?" { who.b += 1 } }
      who.c = (throw d6).face
    }
  }
}
verb name "names" {
  do {
    offer first to who "First?" { who.a = 1 }
    who.d = choose whom by who from ["Bo", "Ann the Bold", "Rook 1"] "Whom?"
  }
}
`

// TestForms: what one person decides at one moment is one form. Rows are turned over by their
// letters, or by numbers where no answer is one, and have their answers behind it; what an answer makes needless does not come, and what
// a line has wrong changes nothing.
func TestForms(t *testing.T) {
	for _, c := range []struct{ lines, asked, values string }{
		{"|", "first second third", "0 0 0"},
		{"b c=4|", "first second third", "0 1 4"},
		{"c=2, a|", "first second third", "1 0 2"}, // the second does not come, the third has its answer
		{"yes|", "first second third", "1 0 0"},
		{"a-c|b|", "first second third: c takes an answer, as in  c 4;first second third", "0 1 0"},
		{"d|c 5|b b|a|", "first second third: type the letters of what changes, as in  c 4, a;first second third: c: type a number: 0, 2 or 4;first second third: b is there twice;first second third", "1 0 0"},
		{"2|", "first second third", "0 0 2"}, // a number is never a row that takes none
		{"1|a-b c 2|", "first second third: type the letters of what changes, as in  c 4, a;first second third", "1 0 2"}, // the second does not come,
	} {
		h := playForms(t, c.lines, "go", "Ann.a, Ann.b, Ann.c")
		if got := strings.Join(h.asked, ";"); got != c.asked {
			t.Errorf("%q: asked %q, not %q", c.lines, got, c.asked)
		}
		if got := strings.Join(h.values, " "); got != c.values {
			t.Errorf("%q: got %s, not %s", c.lines, got, c.values)
		}
	}
}

// A row that has its answer is not asked again when another row brings a question before it.
func TestRowsKeepTheirAnswers(t *testing.T) {
	h := playForms(t, "a b=4|1|", "pay", "Ann.a, Ann.b, Ann.c")
	if got := strings.Join(h.asked, ";") + ":" + strings.Join(h.values, " "); got != "first third;more:1 1 4" {
		t.Error(got)
	}
}

// A row that another has made needless is no answer to the same question after a throw.
func TestRowsEndWithAThrow(t *testing.T) {
	h := playForms(t, "1-2||", "twice", "Ann.a, Ann.b")
	if got := strings.Join(h.asked, ";") + ":" + strings.Join(h.values, " "); got != "first second;first second:0 0" {
		t.Error(got)
	}
}

// playForms plays a verb by the lines that are typed at its forms.
func playForms(t *testing.T, lines, verb, reports string) *rows {
	t.Helper()
	h := &rows{t: t, lines: strings.Split(lines, "|")}
	h.v = evening.Begin(evening.Config{Host: h, Forms: true, Session: interp.Config{Quiet: interp.QuietUsual, Folder: fstest.MapFS{"small.rules": {Data: []byte(threeOffers)}}}})
	if err := h.v.Play(context.Background(), lang.NewSource("x.scene", "use small\nhero Ann { }\nAnn: "+verb+"\nreport "+reports+"\n")); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestFormsOfNames: an answer may have several words, alone in its line or not; what is taken back
// at a form is the whole one before it.
func TestFormsOfNames(t *testing.T) {
	for lines, want := range map[string]string{
		"2=Ann the Bold|":        "0 Ann the Bold",
		"1 2=ann the|":           "1 Ann the Bold",
		"1-2|2 bo 1|":            "1 Bo",
		"rook|":                  "0 Rook 1",
		"2=Ann the Bold 1|":      "1 Ann the Bold",
		"2=Ann the Bold, 1=yes|": "1 Ann the Bold",
		"1 2=Rook 1|":            "1 Rook 1",
		`2="Rook 1" 1|`:          "1 Rook 1",
		"2=rook 1 1|":            "1 Rook 1",
	} {
		if got := strings.Join(playForms(t, lines, "name", "Ann.a, Ann.d").values, " "); got != want {
			t.Errorf("%q: %s, not %s", lines, got, want)
		}
	}
	h := playForms(t, "b c=4|:undo|a||", "go\nAnn: go", "Ann.a, Ann.b, Ann.c")
	if got := strings.Join(h.asked, ";") + ":" + strings.Join(h.values, " "); got != "first second third;first second third;first second third;first third:1 0 0" {
		t.Error(got)
	}
}

// Where a number is asked for, no is nothing of it; and 1 turns an offer over, as it turns a row of a form.
func TestShortAnswers(t *testing.T) {
	q := &evening.Query{Kind: evening.Decision, Options: []string{"0", "1", "2"}, Default: 1}
	if a, err := q.Read("no"); err != nil || a.Option == nil || *a.Option != 0 {
		t.Errorf("no: %+v, %v", a, err)
	}
	for usual := range 2 {
		offer := &evening.Query{Kind: evening.Decision, Options: []string{"no", "yes"}, Default: usual}
		if a, err := offer.Read("1"); err != nil || a.Option == nil || *a.Option != 1-usual {
			t.Errorf("1 where Enter is %s: %+v, %v", offer.Options[usual], a, err)
		}
		for said, want := range map[string]int{"no thanks": 0, "No, not for a bicycle": 0, "yes please": 1, "y, of course": 1} {
			if a, err := offer.Read(said); err != nil || *a.Option != want {
				t.Errorf("%s: %+v, %v", said, a, err)
			}
		}
		for _, asked := range []string{"no idea", "no, what is it?", "maybe"} {
			if a, err := offer.Read(asked); err == nil {
				t.Errorf("%s is %+v", asked, a)
			}
		}
	}
	priced := &evening.Query{Kind: evening.Decision, Options: []string{"0", "1", "2"}, Cost: "1 luck"}
	if a, err := priced.Read("yes"); err != nil || *a.Option != 2 {
		t.Errorf("yes, where each number costs the same: %+v, %v", a, err)
	}
	if a, err := (&evening.Query{Kind: evening.Decision, Options: priced.Options}).Read("yes"); err == nil {
		t.Errorf("yes is %+v of 0 to 2 that cost nothing", a)
	}
	q.Options = []string{"1", "2", "3"}
	if a, err := q.Read("no"); err == nil {
		t.Errorf("no is %+v of 1 to 3", a)
	}
}
