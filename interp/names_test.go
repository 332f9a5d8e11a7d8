package interp_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// printed runs a script and gives what it prints, a line each.
func printed(t *testing.T, text string) string {
	t.Helper()
	var out []string
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: func(e *interp.Event) {
		if e.Kind == interp.EventPrint {
			out = append(out, e.Value)
		}
	}})
	if err := s.Exec(context.Background(), lang.NewSource("x", text)); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// A quoted name is the character wherever a value may stand, as a Capitalised one is; a
// text it stays in a field for a text and beside a name.
func TestQuotedNames(t *testing.T) {
	const before = `use cah
hero Nova { star 3; AIM 4 }
hero "Doctor Anvil" { star 2; AIM 4; signature "Bold" }
rule doubled(x) = x.star * 2
let boss = "Doctor Anvil"
let m = map()
`
	for _, c := range []struct{ line, want string }{
		{`for c in [Nova, "Doctor Anvil"] { print c.star }`, "3\n2"},
		{`print boss.star`, "2"},
		{`print boss == "Doctor Anvil"`, "yes"},
		{`print boss != "Nova"`, "yes"},
		{`print boss.name == "Doctor Anvil"`, "yes"},
		{`let n = boss.name
print n == "Doctor Anvil"`, "yes"},
		{`print boss in [Nova, "Doctor Anvil"]`, "yes"},
		{`m["Doctor Anvil"] = 3
print m[boss]`, "3"},
		{`print doubled("Doctor Anvil")`, "4"},
		{`print (if boss == Nova then Nova else "Doctor Anvil").star`, "2"},
		{`boss.signature = "Nova"
print boss.signature == "Nova"`, "yes"},
		{`print "Doctor Anvil"`, "Doctor Anvil"},
		{`print [c.name for c in [Nova, boss]] == ["Nova", "Doctor Anvil"]`, "yes"},
		{`print boss.name in ["Nova", "Doctor Anvil"]`, "yes"},
		{`print "Nova" in [c.name for c in [Nova, boss]]`, "yes"},
		{`print "Nova" in [Nova, boss]`, "yes"},
		{`print ["Nobody"].first == "Nobody"`, "yes"},
	} {
		if got := printed(t, before+c.line+"\n"); got != c.want {
			t.Errorf("%s\n  prints %q, want %q", c.line, got, c.want)
		}
	}
}

// How many there are may be a variable, also of one: names do not depend on the count.
func TestCountedByVariable(t *testing.T) {
	for _, c := range []struct{ n, want string }{
		{"3", "Clowns 1, Clowns 2, Clowns 3\n4"},
		{"1", "Clowns 1\n2"},
	} {
		got := printed(t, "use cah\nlet many = "+c.n+`
goons Clowns x(many) { rating 1 }
goons More x(many + 1) { rating 1 }
print [c.name for c in Clowns].join(", ")
print More.size
`)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.n, got, c.want)
		}
	}
}

// A word alone is what the latest outcome said that had one, last.WORD only the last.
func TestWinnerAfterACheck(t *testing.T) {
	const script = `use cah
hero Nova { star 3; AIM 4 }
villain Fang { star 1; BITE 1 }
scene "Here" action {
  heroes Nova
  villains Fang
  fight rounds 1
  print winner == last.winner
  print rounds
}
Nova: roll AIM vs DN 5
print last.winner
print rounds
print winner == nobody or winner == heroes
`
	if got, want := printed(t, script), "yes\n1\nnone\n1\nyes"; got != want {
		t.Errorf("prints %q, want %q", got, want)
	}
	// in odds and trials, too
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	o, err := odds.Of(context.Background(), s, lang.NewSource("x", script+"report rounds\n"), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if d := o.Distribution(0); len(d.Points) != 1 || d.Points[0].Shown != "1" {
		t.Errorf("rounds: %v", d.Points)
	}
	sim, err := sim.Simulate(context.Background(), interp.Config{Modules: stdlib.FS}, lang.NewSource("x", script+"report rounds\n"), sim.Config{Trials: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if d := sim.Distribution(0); len(d.Points) != 1 || d.Points[0].Shown != "1" {
		t.Errorf("rounds in trials: %v", d.Points)
	}
}

// A name is the same however its letters were put together: an accent of its own behind a letter is that letter.
func TestComposedNames(t *testing.T) {
	got := printed(t, "let zoe\u0308 = 4\nrule twice(e\u0301cu) = \u00e9cu * 2\nuse cah\nhero Nova { star 3; MU\u0308T 5 }\nprint zo\u00eb + 1\nprint twice(zo\u00eb)\nprint Nova.M\u00dcT")
	if want := "5\n8\nM\u00dcT"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A system that is written in several files declares each rule once; a variant declares it again.
func TestRulesOfSeveralFiles(t *testing.T) {
	files := fstest.MapFS{
		"toll/toll.rules":  {Data: []byte("system toll \"The toll\"\ninclude \"more.rules\"\nrule due(n) = n\nhook paid(n)\n")},
		"toll/more.rules":  {Data: []byte("rule due(n) = n + 1\nhook paid(n)\n")},
		"late/late.rules":  {Data: []byte("system late \"Late\"\nrule due(n) = n\n")},
		"late/night.rules": {Data: []byte("variant night of late \"At night\"\nrule due(n) = n + 9\n")},
	}
	run := func(text string) string {
		s := interp.NewSession(interp.Config{Modules: files})
		if err := s.Exec(context.Background(), lang.NewSource("x", text)); err != nil {
			return err.Error()
		}
		return ""
	}
	for _, want := range []string{"the rule due is declared twice", "the hook paid is declared twice"} {
		if got := run("use toll"); !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if got := run("use late with night\nexpect due(1) == 10"); got != "" {
		t.Error(got)
	}
}
