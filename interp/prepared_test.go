package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"setpiece/interp/internal/value"
	"setpiece/lang"
	"setpiece/stdlib"
)

const duelSetup = `use cah
hero Nova { star 3; quality "Brave"; signature "Star Child"; BLAST 5 [area]; PUNCH 4 [action_feature]; AGILE 3; LUCKY 2 [fickle]; WAND 3 [oomph_powered]; HELM 2 [accessory] }
hero Brick { star 2; FISTS 3; TOUGH 4 }
villain Fang { star 3; BITE 4; HIDE 3 }
villain "Ooze Lord" { star 4; SLAP 5 [big_attack]; MUCK 2 }
goons Drones x2 { rating 1; rules [easily_led, special_attack, vicious_assault] }
scene "Here" action
heroes Nova, Brick
villains Fang, "Ooze Lord", Drones
`

// What is remembered does exactly what the rules do: the same dice, the same
// state.
func TestRememberedEqualsPlain(t *testing.T) {
	for _, cmd := range []string{
		`Nova: roll PUNCH vs DN 9`,
		`Nova: roll PUNCH link AGILE vs DN 9 spend oomph extra_effort`,
		`Nova: roll PUNCH vs DN 9 benefit`,
		`Nova: roll PUNCH vs DN 9 benefit signature 1 spend oomph reroll if failed`,
		`Nova: roll PUNCH vs DN 12 spend oomph reroll if failed`,
		`Nova: roll PUNCH vs DN 9 quality "Brave"`,
		`Nova: roll PUNCH vs DN 9 hindered by "Brave"`,
		`Nova: roll LUCKY vs difficulty 2`,
		`Nova: roll WAND link HELM vs hard`,
		`Nova: roll AGILE crucial vs DN 8`,
		`Nova: roll AGILE vs Fang with HIDE`,
		`Nova: attack Fang with PUNCH against HIDE`,
		`Nova: attack Fang with PUNCH benefit against HIDE spend oomph extra_effort`,
		`Nova: attack Fang flat with PUNCH`,
		`Nova: attack Fang against HIDE, "Ooze Lord" against MUCK with BLAST`,
		`Nova: attack all with BLAST`,
		`Nova: attack strongest foe with BLAST`,
		`Nova: attack any foe with PUNCH spend oomph reroll if failed`,
		`"Ooze Lord": attack Nova with SLAP against AGILE spend oomph reroll spend oomph avoid_insta`,
		`Fang: attack Brick with BITE against TOUGH spend oomph reroll if failed`,
		`"Drones 1": attack Nova against AGILE`,
		`"Drones 1": attack Nova against AGILE spend oomph lousy_shooting`,
		`fight rounds 2`,
		`throw 3d6 + 2d8`,
	} {
		t.Run(cmd, func(t *testing.T) {
			fast, slow := both(t, cmd)
			for i := range 80 {
				e1, e2 := fast.Run(context.Background(), 1), slow.Run(context.Background(), 1)
				if message(e1) != message(e2) {
					t.Fatalf("run %d: %v, but plainly %v", i, e1, e2)
				}
				if e1 != nil {
					t.Logf("refused: %v", e1)
					return
				}
				if d := differences(fast.s, slow.s); d != "" {
					t.Fatalf("run %d: the state differs\n%s", i, d)
				}
				if fast.s.m.Generator() != slow.s.m.Generator() {
					t.Fatalf("run %d: other dice were thrown", i)
				}
			}
		})
	}
}

// message gives what a refusal says, without its place.
func message(err error) string {
	var re *RunError
	if errors.As(err, &re) {
		return re.Diag.Message
	}
	return fmt.Sprint(err)
}

func prepared(t testing.TB, cmd string) *Prepared {
	t.Helper()
	return preparedFor(t, duelSetup, cmd)
}

func preparedFor(t testing.TB, setup, cmd string) *Prepared {
	t.Helper()
	s := NewSession(Config{Modules: stdlib.FS, Seed: 5})
	if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
		t.Fatal(err)
	}
	p, err := s.Prepare(lang.NewSource("", cmd))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func both(t *testing.T, cmd string) (fast, slow *Prepared) {
	t.Helper()
	fast, slow = prepared(t, cmd), prepared(t, cmd)
	slow.plain = true
	return fast, slow
}

// differences compares two stores word by word, as a reader would see them; the
// texts of the last outcome are made for listeners only.
func differences(a, b *Session) string {
	if len(a.m.Store) != len(b.m.Store) {
		return "one store is longer"
	}
	out := ""
	for i := range a.m.Store {
		x, y := a.m.Store[i], b.m.Store[i]
		if x == y && x.Kind() == value.Int {
			continue
		}
		last := i >= a.m.Prog.Last[0] && i < a.m.Prog.Last[1]
		if last && (x.Kind() == value.Text || y.Kind() == value.Text) {
			continue
		}
		if p, q := a.m.Show(x), b.m.Show(y); p != q {
			out += fmt.Sprintf("word %d: remembered %s, plain %s\n", i, p, q)
		}
	}
	return out
}

// Odds do not depend on what is merged and remembered.
func TestOddsApart(t *testing.T) {
	for _, text := range []string{
		"use marvel\nhero Nova { pp 1 }\nwatcher Fang { }\nNova: roll 2d6 vs Fang d8+d4 for stress physical\nFang: roll d6 vs Nova d6 for stress physical\nreport Nova.stress, Fang.stress",
		"use firefly\ncrew Cass { MENTAL d6, PHYSICAL d6, SOCIAL d6; FIX d4; pp 1 }\nCass: roll MENTAL + FIX vs easy + RUST d4\nreport last.outcome, Cass.complications.keys.size, Cass.pp",
		"use clichenimatic\nhero Ada { cliche \"Duelist\"; flaw \"Proud\"; catch_phrase \"En garde\"; BLADE +4; essence 3 }\nmooks Guards { mooks 1 }\nscene \"Bridge\" action\nheroes Ada\nvillains Guards\nfight rounds 1\nreport last.winner, Ada.essence",
	} {
		setup, cmd, _ := strings.Cut(text, "\n")
		apart(t, text, preparedFor(t, setup, cmd))
	}
	for _, cmd := range []string{
		`Nova: roll PUNCH link AGILE vs DN 9 spend oomph reroll if failed`,
		`Nova: roll LUCKY vs difficulty 2`,
		`Nova: attack Fang with PUNCH benefit against HIDE`,
		`"Ooze Lord": attack Nova with SLAP against AGILE spend oomph reroll`,
		`Nova: attack Fang flat with PUNCH; Fang: attack Nova flat with BITE`,
		"let n = 0\nrepeat 3 { n = max(n, (throw 2d4).sum) }\nreport n",
	} {
		apart(t, cmd, prepared(t, cmd))
	}
}

func apart(t *testing.T, text string, p *Prepared) {
	t.Helper()
	var laws [2]map[string]float64
	for i := range laws {
		p.memory = nil
		g, done := p.graph(nil)
		g.Apart = i == 1
		if err := g.Build(context.Background()); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		o, err := p.s.law(g, OddsConfig{})
		done()
		if err != nil {
			t.Fatal(err)
		}
		laws[i] = map[string]float64{}
		for _, e := range o.Ends {
			laws[i][fmt.Sprint(e.Shown, e.Fault)] += e.P
		}
	}
	if len(laws[0]) != len(laws[1]) {
		t.Errorf("%s: %d ends merged, %d apart", text, len(laws[0]), len(laws[1]))
	}
	for k, p := range laws[0] {
		if q := laws[1][k]; p-q > 1e-12 || q-p > 1e-12 {
			t.Errorf("%s: %s has %v merged, %v apart", text, k, p, q)
		}
	}
}

// BenchmarkStrikeExecuted executes the rules each time.
func BenchmarkStrikeExecuted(b *testing.B) {
	p := prepared(b, "Nova: attack Fang with PUNCH against HIDE")
	p.plain = true
	b.ReportAllocs()
	b.ResetTimer()
	if err := p.Run(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
}
