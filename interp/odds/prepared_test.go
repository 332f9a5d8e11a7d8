package odds

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/internal/odds"
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

const duel = `use cah
hero Valorus { star 3; DEXTROUS 3; SUNBLADE 4 }
villain "Sludge Lord" { star 4; OOZING_PUNCH 4; THICK_HIDE 3 }
scene "The bog" action
heroes Valorus
villains "Sludge Lord"
tactics Valorus { otherwise: attack any foe with SUNBLADE }
tactics "Sludge Lord" { otherwise: attack any foe with OOZING_PUNCH }
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
			for i := range longtest.Many(80, 30) {
				e1, e2 := fast.Times(context.Background(), 1), slow.Times(context.Background(), 1)
				if message(e1) != message(e2) {
					t.Fatalf("run %d: %v, but plainly %v", i, e1, e2)
				}
				if e1 != nil {
					t.Logf("refused: %v", e1)
					return
				}
				if d := differences(fast.Run, slow.Run); d != "" {
					t.Fatalf("run %d: the state differs\n%s", i, d)
				}
				if fast.Run.M.Generator() != slow.Run.M.Generator() {
					t.Fatalf("run %d: other dice were thrown", i)
				}
			}
		})
	}
}

// message gives what a refusal says, without its place.
func message(err error) string {
	var re *interp.RunError
	if errors.As(err, &re) {
		return re.Diag.Message
	}
	return fmt.Sprint(err)
}

func preparedDuel(t testing.TB, cmd string) *core.Prepared {
	t.Helper()
	return preparedFor(t, duelSetup, cmd)
}

func preparedFor(t testing.TB, setup, cmd string) *core.Prepared {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 5})
	if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
		t.Fatal(err)
	}
	p, err := core.Of(s).Prepare(context.Background(), lang.NewSource("", cmd))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func both(t *testing.T, cmd string) (fast, slow *core.Prepared) {
	t.Helper()
	fast, slow = preparedDuel(t, cmd), preparedDuel(t, cmd)
	slow.Plain = true
	return fast, slow
}

// differences compares two stores word by word, as a reader would see them; the
// texts of the last outcome are made for listeners only.
func differences(a, b *core.Run) string {
	if len(a.M.Store) != len(b.M.Store) {
		return "one store is longer"
	}
	out := ""
	for i := range a.M.Store {
		x, y := a.M.Store[i], b.M.Store[i]
		if x == y && x.Kind() == value.Int {
			continue
		}
		last := i >= a.M.Prog.Last[0] && i < a.M.Prog.Last[1]
		if last && (x.Kind() == value.Text || y.Kind() == value.Text) {
			continue
		}
		if p, q := a.M.Show(x), b.M.Show(y); p != q {
			out += fmt.Sprintf("word %d: remembered %s, plain %s\n", i, p, q)
		}
	}
	return out
}

// Odds do not depend on what is merged and remembered.
func TestOddsApart(t *testing.T) {
	t.Parallel()
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
		apart(t, cmd, preparedDuel(t, cmd))
	}
}

func apart(t *testing.T, text string, p *core.Prepared) {
	t.Helper()
	if !sameDistributions(t, text, p, 0) {
		t.Errorf("%s: too much to be followed apart", text)
	}
}

// sameDistributions compares the distribution of a text as it is found at first, when it is asked for
// again, and with all states kept apart and nothing remembered. With no that is more
// than limit states, where there is a limit.
func sameDistributions(t *testing.T, text string, p *core.Prepared, limit int) bool {
	t.Helper()
	var dists [3]map[string]float64
	p.Memory = nil
	for i, how := range []string{"at first", "again", "apart"} {
		g, done := Graph(p, nil)
		g.Unmerged = how == "apart"
		g.Limit = core.Or(limit, g.Limit)
		g.Least = 1e-9
		err := g.Build(context.Background())
		if limit > 0 && errors.Is(err, odds.ErrStates) || err != nil && strings.Contains(err.Error(), "odds cannot look into") {
			done()
			return false
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		o, err := solved(context.Background(), p.Run, g, Config{}, false)
		done()
		if err != nil {
			t.Fatal(err)
		}
		dists[i] = map[string]float64{"given up": o.Remainder}
		for _, e := range o.Ends {
			fault := ""
			if e.Fault != nil {
				fault = e.Fault.Diag.Message
			}
			dists[i][fmt.Sprint(e.Shown, fault)] += e.P
		}
		for k, p := range dists[0] {
			if _, ok := dists[i][k]; !ok && p > 1e-7 {
				t.Errorf("%s: %s is not among the ends %s", text, k, how)
			}
		}
		total := 0.0
		for k, p := range dists[i] {
			total += p
			if math.Abs(p-dists[0][k]) > 1e-7 {
				t.Errorf("%s: %s has %v %s, but %v at first", text, k, p, how, dists[0][k])
			}
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("%s: %v in all %s", text, total, how)
		}
	}
	return true
}

// A blow is followed for what it asks, not for every number of hit points: however
// many there are, there are as many steps. A d8 tells nine numbers apart on each side.
func TestStepsForAnyNumber(t *testing.T) {
	steps := map[int]int{}
	for _, points := range []int{20, 60} {
		p := preparedFor(t, fmt.Sprintf("let a = %d\nlet b = %d\n", points, points), `while a > 0 and b > 0 {
  if (throw d2).face == 1 { b -= (throw d8).face }
  if b > 0 and (throw d2).face == 1 { a -= (throw d8).face }
}
report a > 0`)
		g, done := Graph(p, nil)
		if err := g.Build(context.Background()); err != nil {
			t.Fatal(err)
		}
		done()
		if len(g.Checkpoints) < points*points {
			t.Errorf("only %d states with %d points", len(g.Checkpoints), points)
		}
		steps[points] = g.Steps
	}
	if steps[20] != steps[60] || steps[20] > 9*9 {
		t.Errorf("%v steps", steps)
	}
}

// What odds keep when they reach the bound on memory is no more than they say that it is.
func TestOddsCountMemory(t *testing.T) {
	live := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	const bound = 24 << 20
	for _, text := range []string{
		"let x = 0\nlet y = 0\nwhile yes { x = x + (throw d6).face; y = y + x }", // small states
		"let l = []\nwhile yes { l = [throw d6, l] }",                            // lists
		"let t = \"\"\nwhile yes { t = \"{t}{(throw d6).face}\" }",               // texts
		"let x = 0\nwhile yes { x = x + 1 }",                                     // one endless step
		"let x = (throw d3000000).face\nreport x",                                // many ways out of one throw
		"rule r(n) { return r(n + (throw d6).face) }\nr(1)",                      // deep states
		"sheet hero { n number; m number }\nhero A {}\nhero B {}\nwhile yes { A.n += (throw d4).face; B.m += A.n; if B.m > 9 { B.n += 1 } }",
	} {
		p := preparedFor(t, "let none_before = 0", text)
		before := live()
		g, done := Graph(p, nil)
		g.Limit, g.MaxBytes, g.Least = 1<<30, bound, 1e-300
		if err := g.Build(context.Background()); !errors.Is(err, odds.ErrMemory) {
			t.Errorf("%s\nends with %v", text, err)
		} else if now := live() - before; now > bound {
			t.Errorf("%s\ntakes %d MiB where %d MiB are allowed", text, now>>20, bound>>20)
		} else {
			t.Logf("%2d of %d MiB: %.40q", now>>20, bound>>20, text)
		}
		runtime.KeepAlive(g)
		done()
	}
}

// Neither does it for the scenes of the corpus.
func TestCorpusApart(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/*/*.scene")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range longtest.Some(files, 20) {
		if strings.Contains(file, "/errors/") || strings.Contains(file, "/lang/") || strings.Contains(file, "/questions/") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file)), Seed: 1})
		p, err := core.Of(s).Again(context.Background(), lang.NewSource(file, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if sameDistributions(t, file, p, 2000) {
			compared++
		}
	}
	t.Logf("%d scenes", compared)
	if compared < longtest.Many(250, 10) {
		t.Errorf("only %d scenes were compared", compared)
	}
}

// What is asked in a session in which numbers change is what a new session says that
// begins with them: what is remembered of other numbers holds for these.
func TestOddsOfOtherNumbers(t *testing.T) {
	ctx := context.Background()
	const ab = "let a = 0\nlet b = 0\n"
	both := []string{"a", "b"}
	for _, x := range []struct {
		setup, text string
		numbers     []string
		from, to    int
		first       []int // what they are when it is asked first
	}{
		{duel, "fight\nreport last.winner, Valorus.setbacks", []string{"Valorus.setbacks", `"Sludge Lord".setbacks`}, 0, 4, nil},
		{duel, "Valorus: attack \"Sludge Lord\" with SUNBLADE\nreport last.outcome, last.margin, \"Sludge Lord\".setbacks", []string{`"Sludge Lord".setbacks`, "Valorus.oomph"}, 0, 3, nil},
		{"use marvel\nhero Nova { pp 1 }\nwatcher Fang { }\n", "Nova: roll d8+2d6 vs Fang d8+d6 for stress physical\nreport last.outcome, Nova.pp, Fang.stress", []string{"Nova.pp"}, 0, 3, nil},
		{ab, "let n = (throw d6).face + a\nlet m = max(n, floor(b * (throw d4).face / 3)) - 2 * a\nif m > b { b += n } else { a = m }\nif a in 2..5 or b == 4 { report \"near {a}\", n - b } else { report \"far\", m * m, floor((a - b) / 2) }", both, -3, 6, nil},
		{ab, "while a < 9 and b > -9 { let d = (throw d4).face; if d + b > a { a += d } else { b -= 1 + floor(d / 2) } }\nreport a, b", both, -2, 8, nil},
		// two ways to the same numbers, within a step and at its end
		{ab, "{ if (throw d2).face == 1 { a += 1 } else { a = 5 }; if (throw d2).face == 1 { b = a } else { b = a + 1 } }\nreport a, b", both, 3, 6, []int{4, 3}},
		{ab, "{ if (throw d2).face == 1 { a = b } else { b = a } }\nreport a + (throw d2).face, b", both, 3, 5, []int{4, 4}},
		{ab, "{ if (throw d2).face == 1 { a = b + 1 } else { a = a + 2 }; let d = (throw d2).face; b = a + d }\nreport a, b", both, 3, 6, []int{3, 4}},
		{ab, "if (throw d2).face == 1 { a += 1 } else { a = 5 }\nreport a, b", both, 3, 6, []int{4, 3}},
		{ab, "if (throw d2).face == 1 { a = b + 1 } else { a = a + 2 }\nreport a, b", both, 3, 6, []int{3, 4}},
		{ab, "{ if (throw d2).face == 1 { a = 5 }; let d = (throw d2).face; b = a + d }\nreport a, b", both, 3, 6, []int{5, 3}},
		{ab, "if (throw d2).face == 1 { a = 5 }\nreport a, b", both, 3, 6, []int{5, 3}},
		// numbers that wait while something falls
		{ab, "{ b -= (throw 3d6).take(2).sum; a += (throw d4).face; b += a - (throw d4).face }\nreport a, b", both, 0, 3, nil},
		{ab, "repeat 2 { b = a + b - (throw 3d4).take(1).sum; a -= (throw d2).face }\nreport a, b", both, 0, 3, nil},
		// what is refused is as it was
		{ab, "{ a += (throw d2).face; refused \"no\" { a += b; b = a; if a > -99 { refuse \"no\" } }; b += a }\nreport a, b", both, 0, 3, nil},
		{ab, "{ refused \"no\" { a = 7; b += (throw d2).face; if b > -99 { refuse \"no\" } }; b += a }\nreport a, b", both, 0, 3, nil},
		{ab, "{ repeat max(0, a) { b += (throw d2).face }; a = 0 }\nreport b", both, 0, 4, nil},
		{ab, "report a + (throw d3).face, [a, b].max, \"{b}\", a * b, a / 2, floor((a - 5) / 2), -a, b in 0..2, a in [1, b]", both, -3, 3, nil},
	} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1})
		if err := s.Exec(ctx, lang.NewSource("", x.setup)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prepare(lang.NewSource("", x.text)); err != nil { // names that are new then are known
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range longtest.Many(8, 4) {
			moves := ""
			for i, n := range x.numbers {
				v := x.from + r.IntN(x.to-x.from+1)
				if i < len(x.first) {
					v = x.first[i]
				}
				moves += fmt.Sprintf("%s = %d\n", n, v)
			}
			x.first = nil
			fresh := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 1})
			if err := fresh.Exec(ctx, lang.NewSource("", x.setup+moves)); err != nil {
				t.Fatal(err)
			}
			if err := s.Exec(ctx, lang.NewSource("", moves)); err != nil {
				t.Fatal(err)
			}
			var dists [2]string
			for i, s := range []*interp.Session{s, fresh} {
				o, err := Of(ctx, s, lang.NewSource("", x.text), Config{})
				if err != nil {
					t.Fatal(err)
				}
				var ends []string
				for _, e := range o.Ends {
					shown := strings.Fields(strings.Join(e.Shown, " ")) // one may know of columns that the other never met
					ends = append(ends, fmt.Sprintf("%v %.9f", shown, e.P))
				}
				slices.Sort(ends)
				dists[i] = strings.Join(ends, "\n")
			}
			p, err := core.Of(fresh).Again(context.Background(), lang.NewSource("", x.text))
			if err != nil {
				t.Fatal(err)
			}
			sameDistributions(t, x.text+" with "+moves, p, 3000)
			if dists[0] != dists[1] {
				t.Fatalf("%s\nwith %s in a session that knows other numbers:\n%s\nin a new one:\n%s", x.text, moves, dists[0], dists[1])
			}
		}
	}
}

// BenchmarkStrikeExecuted executes the rules each time.
func BenchmarkStrikeExecuted(b *testing.B) {
	p := preparedDuel(b, "Nova: attack Fang with PUNCH against HIDE")
	p.Plain = true
	b.ReportAllocs()
	b.ResetTimer()
	if err := p.Times(context.Background(), b.N); err != nil {
		b.Fatal(err)
	}
}
