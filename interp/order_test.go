package interp_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Where neither a book nor the script says who comes first, a die does. So the chance of an
// encounter is the same in whatever order those who take part are declared and enter, and
// more of the opposition do not make it easier.

// people are the words that declare those who take part.
var people = strings.Fields("hero villain mastermind henchman goons crew gmc extra watcher mob cast guest adversary mooks")

// reorder puts the declarations of people in a script, and the names behind heroes and
// villains, in another order.
func reorder(t *testing.T, text string, order func([]string) []string) string {
	t.Helper()
	f, diags := lang.Parse(lang.NewSource("", text))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	of := func(s lang.Span) string { return text[s.Start:s.End] }
	var named []string // whoever belongs to somebody is declared after him
	for _, s := range f.Stmts {
		if c, ok := s.(*lang.Command); ok && len(c.Args) > 0 && of(c.Head.Range()) == "sidekick" {
			named = append(named, of(c.Span))
		}
	}
	var places []lang.Span
	var texts []string
	for _, s := range f.Stmts {
		c, ok := s.(*lang.Command)
		if !ok || !slices.Contains(people, of(c.Head.Range())) ||
			slices.ContainsFunc(named, func(s string) bool { return strings.Contains(s, of(c.Args[0].Expr.Range())) }) {
			continue
		}
		places = append(places, c.Span)
		texts = append(texts, of(c.Span))
	}
	if len(texts) < 3 {
		t.Fatalf("there are %d declarations to put in another order", len(texts))
	}
	texts = order(texts)
	for i, at := range slices.Backward(places) {
		text = text[:at.Start] + texts[i] + text[at.End:]
	}
	return sides.ReplaceAllStringFunc(text, func(line string) string {
		m := sides.FindStringSubmatch(line)
		return m[1] + strings.Join(order(strings.Split(m[2], ", ")), ", ")
	})
}

var sides = regexp.MustCompile(`(?m)^(\s*(?:heroes|villains) )(.*)$`)

// orders are other orders of declaration.
var orders = []struct {
	name string
	of   func([]string) []string
}{
	{"reversed", func(l []string) []string { l = slices.Clone(l); slices.Reverse(l); return l }},
	{"the last first", func(l []string) []string { return append(slices.Clone(l[len(l)-1:]), l[:len(l)-1]...) }},
	{"every other first", func(l []string) []string {
		var a, b []string
		for i, s := range l {
			if i%2 == 1 {
				a = append(a, s)
			} else {
				b = append(b, s)
			}
		}
		return append(a, b...)
	}},
}

// duels are small fights of several who differ, in which there are ties from the first blow
// on: their odds are exact.
var duels = map[string]string{
	"cah": `use cah
hero Ann { star 1; PUNCH 2 }
hero Bo { star 1; KICK 5 }
villain Cy { star 1; CLAW 4 }
villain Di { star 1; BITE 1 }
tactics Ann { otherwise: attack weakest foe with PUNCH }
tactics Bo { otherwise: attack strongest foe with KICK }
tactics villains { otherwise: attack wounded hero with best trait }
scene "A yard" action {
  heroes Ann, Bo
  villains Cy, Di
  fight rounds 1
  report [x.setbacks for x in [Ann, Bo, Cy, Di]], [x.defeated for x in [Ann, Bo, Cy, Di]]
}`,
	"firefly": `use firefly
crew Ann { MENTAL d6, PHYSICAL d6, SOCIAL d6; FIGHT d4 }
crew Bo { MENTAL d6, PHYSICAL d10, SOCIAL d6; FIGHT d8 }
gmc Cy { MENTAL d6, PHYSICAL d8, SOCIAL d6; FIGHT d6 }
gmc Di { MENTAL d6, PHYSICAL d6, SOCIAL d6; FIGHT d6 }
tactics Ann, Bo { otherwise: roll PHYSICAL + FIGHT vs wounded foe PHYSICAL + FIGHT }
tactics Cy, Di { otherwise: roll PHYSICAL + FIGHT vs wounded foe PHYSICAL + FIGHT }
scene "A yard" action {
  heroes Ann, Bo
  villains Cy, Di
  fight rounds 1
  report [x.complications for x in [Ann, Bo, Cy, Di]]
}`,
	"marvel": `use marvel
hero Ann { solo d6 }
hero Bo { solo d10 }
watcher Cy { solo d8 }
watcher Di { solo d4 }
tactics Ann, Bo { otherwise: attack weakest foe with solo for stress physical }
tactics Cy, Di { otherwise: attack wounded hero with solo for stress physical }
scene "A yard" action {
  heroes Ann, Bo
  villains Cy, Di
  fight rounds 1
  report [x.stress for x in [Ann, Bo, Cy, Di]]
}`,
	"unisystem": `use unisystem
cast Ann { DEXTERITY 1; KUNG_FU 1; base 2; life 4 }
cast Bo { DEXTERITY 4; KUNG_FU 3; base 6; life 4 }
adversary Cy { DEXTERITY 2; fighting 3; base 6; life 4 }
tactics Ann, Bo { otherwise: attack weakest foe }
tactics Cy { otherwise: attack wounded hero }
scene "A yard" {
  heroes Ann, Bo
  villains Cy
  fight turns 1
  report [x.damage for x in [Ann, Bo, Cy]]
}`,
	"clichenimatic": `use clichenimatic
hero Ann { essence 4; FIST +1 }
hero Bo { essence 4; BOOT +3 }
villain Cy { essence 4; CLAW +4 }
tactics Ann, Bo { otherwise: attack weakest foe }
tactics Cy { otherwise: attack strongest foe }
scene "A yard" action {
  heroes Ann, Bo
  villains Cy
  fight rounds 1
  report [x.essence for x in [Ann, Bo, Cy]]
}`,
}

func TestOrderOfDeclarationChangesNoChance(t *testing.T) {
	for system, text := range duels {
		t.Run(system, func(t *testing.T) {
			want := chances(t, text)
			for _, o := range orders[1 : 1+longtest.Many(len(orders)-1, 1)] {
				got := chances(t, reorder(t, text, o.of))
				for end, p := range want {
					if math.Abs(got[end]-p) > 1e-9 {
						t.Errorf("declared %s: %s has the chance %v, as written %v", o.name, end, got[end], p)
					}
				}
			}
		})
	}
}

// chances gives the chance of each end of a script, exactly.
func chances(t *testing.T, text string) map[string]float64 {
	t.Helper()
	o, err := odds.Of(t.Context(), interp.NewSession(interp.Config{Modules: stdlib.FS}), lang.NewSource("", text), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := map[string]float64{}
	for _, e := range o.Ends {
		if e.Fault != nil {
			t.Fatal(e.Fault)
		}
		p[strings.Join(e.Shown, " ")] += e.P
	}
	if len(p) < 2 {
		t.Fatalf("only one thing can happen: %v", p)
	}
	return p
}

// encounters are of a size that only trials can answer; the winner is one of their columns.
var encounters = []string{
	"../testdata/evenings/kite_festival.scene", "../testdata/evenings/ore_barge.scene", "../testdata/evenings/smoke_on_the_bridge.scene",
	"../testdata/evenings/hollow_orchard.scene", "../testdata/evenings/river_queen.scene",
	"../scripts/cah/the_stolen_crown.scene", "../scripts/firefly/the_lassiter.scene", "../scripts/marvel/breakout.scene",
	"../scripts/clichenimatic/dogfight.scene",
}

// heroesWin gives the share of trials in which the heroes win the last fight of a script.
func heroesWin(t *testing.T, file, text string, seed uint64, trials int64) float64 {
	t.Helper()
	o, err := sim.Simulate(t.Context(), interp.Config{Modules: stdlib.FS, Seed: seed, Folder: os.DirFS(filepath.Dir(file))},
		lang.NewSource(file, text), sim.Config{Trials: trials})
	if err != nil {
		t.Fatal(err)
	}
	col := -1
	for i, c := range o.Columns {
		if strings.Contains(c, "winner") {
			col = i
		}
	}
	if col < 0 {
		t.Fatalf("%s reports no winner: %v", file, o.Columns)
	}
	won := int64(0)
	for _, e := range o.Ends {
		switch {
		case e.Stops != "":
			t.Errorf("%s stops: %s", file, e.Stops)
		case e.Shown[col] == "heroes":
			won += e.Count
		}
	}
	return float64(won) / float64(trials)
}

// trialsEach gives how many trials tell chances apart, and five deviations of the difference
// between two that are the same.
func trialsEach() (int64, float64) {
	n := int64(120)
	if longtest.Tests {
		n = 6000
	}
	return n, 5 * math.Sqrt(2*0.25/float64(n))
}

func TestOrderOfDeclarationInEncounters(t *testing.T) {
	n, most := trialsEach()
	list := encounters
	if !longtest.Tests { // of two systems
		list = []string{encounters[0], encounters[1]}
	}
	for _, file := range list {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text := readScript(t, file)
			want := heroesWin(t, file, text, 1, n)
			for i, o := range orders {
				if i > 0 && !longtest.Tests {
					break
				}
				if got := heroesWin(t, file, reorder(t, text, o.of), uint64(i+2), n); math.Abs(got-want) > most {
					t.Errorf("declared %s the heroes win %.3f, as written %.3f", o.name, got, want)
				}
			}
		})
	}
}

func readScript(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// more are ways to add to the opposition, one by one.
var more = []struct {
	file, old string
	new       []string
}{
	{"kite_festival", "Whirligigs x2", []string{"Whirligigs x2", "Whirligigs x3", "Whirligigs x4", "Whirligigs x5"}},
	{"ore_barge", "extra Guards", []string{"extra Guards", "extra Guards x2", "extra Guards x3"}},
	{"river_queen", "mooks 4", []string{"mooks 1", "mooks 2", "mooks 3", "mooks 4", "mooks 5", "mooks 6", "mooks 8"}},
	{"hollow_orchard", "Scarecrows x2", []string{"Scarecrows x2", "Scarecrows x3", "Scarecrows x4"}},
	{"smoke_on_the_bridge", "mob Ashlings", []string{"mob Ashlings", "mob Ashlings x2", "mob Ashlings x3"}},
}

func TestMoreFoesAreNotEasier(t *testing.T) {
	n, most := trialsEach()
	for i, m := range more {
		if i%4 != 0 && !longtest.Tests {
			continue
		}
		t.Run(m.file, func(t *testing.T) {
			t.Parallel()
			file := "../testdata/evenings/" + m.file + ".scene"
			text := readScript(t, file)
			if !strings.Contains(text, m.old) {
				t.Fatalf("there is no %s", m.old)
			}
			steps := m.new
			if !longtest.Tests {
				steps = []string{m.new[0], m.new[len(m.new)-1]}
			}
			least, at := 1.0, ""
			for i, s := range steps {
				p := heroesWin(t, file, strings.Replace(text, m.old, s, 1), uint64(i), n)
				if p > least+most {
					t.Errorf("with %s the heroes win %.3f, with %s %.3f", s, p, at, least)
				}
				if p < least {
					least, at = p, s
				}
			}
			if least > 0.9 {
				t.Errorf("the heroes win %.3f with all of them: it tells nothing", least)
			}
		})
	}
}
