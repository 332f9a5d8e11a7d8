package interp_test

import (
	"context"
	"strings"
	"testing"

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
