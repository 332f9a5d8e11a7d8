package odds

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// random writes scripts in which numbers are worked out, compared, kept in fields and
// variables, handed to rules and taken back, between throws.
type random struct {
	*rand.Rand
	b      strings.Builder
	depth  int
	locals int
}

const beings = `sheet being { hp number = 3; luck number -40..40 = 1; mark any = none; log list }
sheet blow { n number = 0; m any = none }
being Ada { hp 3 }
being Bob { hp 2 }
rule strike(x, y) {
  let r = new blow(n: (throw d3).face)
  r.m = r.n + y
  if r.m > 2 { x.hp -= r.m } else { x.mark = r.m }
  if x.hp < -9 { x.hp = -9 }
  return r.n
}
rule twice(n) = n + n
let a = 0
let b = 0
`

func (r *random) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r *random) number() string {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 3 {
		return r.pick("a", "b", "1", "2", "Ada.hp", "Bob.luck")
	}
	n := r.number
	switch r.IntN(17) {
	case 16:
		return r.pick("(Bob.log + [1]).first", "Bob.log.size", "(Ada.log + [0]).max", "Ada.log.take(2).sum")
	case 0:
		return fmt.Sprint(r.IntN(8) - 2)
	case 1, 2:
		return r.pick("a", "b")
	case 3, 4:
		return r.pick("Ada", "Bob") + "." + r.pick("hp", "luck")
	case 5, 6:
		return r.pick("(throw d2).face", "(throw d3).face", "(throw 2d2).sum", "(throw 3d3).take(2).sum", "(throw 3d2).last.face")
	case 7, 8:
		return "(" + n() + " + " + n() + ")"
	case 9:
		return "(" + n() + " - " + n() + ")"
	case 10:
		return "floor(" + n() + " / " + r.pick("2", "3") + ")"
	case 11:
		return r.pick("max", "min") + "(" + n() + ", " + n() + ")"
	case 12:
		return "(" + r.pick("2", "-1", "3") + " * " + n() + ")"
	case 13:
		return "(if " + r.truth() + " then " + n() + " else " + n() + ")"
	case 14:
		return r.pick("twice("+n()+")", "strike("+r.pick("Ada", "Bob")+", "+n()+")")
	}
	return "[" + n() + ", " + n() + "].max"
}

func (r *random) truth() string {
	r.depth++
	defer func() { r.depth-- }()
	switch r.IntN(6) {
	case 0:
		return r.number() + " in " + r.pick("0..2", "[1, 3]", "-1..1")
	case 1:
		if r.depth < 3 {
			return "(" + r.truth() + r.pick(" and ", " or ") + r.truth() + ")"
		}
	case 2:
		return "Ada.mark " + r.pick("== none", "!= none", "== "+r.number())
	}
	return r.number() + r.pick(" < ", " <= ", " > ", " >= ", " == ", " != ") + r.number()
}

func (r *random) block() {
	r.depth++
	for range 1 + r.IntN(2) {
		r.statement()
	}
	r.depth--
}

func (r *random) statement() {
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format, args...) }
	if r.depth > 2 {
		w("%s = %s\n", r.pick("a", "b"), r.number())
		return
	}
	switch r.IntN(11) {
	case 10:
		who := r.pick("Ada", "Bob")
		w("%s.log = %s.log.with(%s)\n", who, who, r.number())
	case 0, 1:
		w("%s %s %s\n", r.pick("a", "b", "Ada.hp", "Bob.hp"), r.pick("=", "+=", "-="), r.number())
	case 2:
		w("Bob.luck = max(-9, min(9, %s))\n", r.number())
	case 3, 4:
		w("if %s {\n", r.truth())
		r.block()
		if r.IntN(2) == 0 {
			w("} else {\n")
			r.block()
		}
		w("}\n")
	case 5:
		w("repeat %s {\n", r.pick("2", "max(0, min(2, a))"))
		r.block()
		w("}\n")
	case 6:
		w("while a in -3..3 {\na += %s\n", r.pick("1", "(throw d2).face", "-(throw d2).face"))
		r.block()
		w("if a < 9 { a += 2 }\n}\n")
	case 7:
		w("refused \"no\" {\n")
		r.block()
		w("refuse \"no\"\n}\n")
	case 8:
		r.locals++
		w("let t%d = %s\n", r.locals, r.number())
		w("b = t%d + a\n", r.locals)
	default:
		w("Ada.mark = %s\n", r.pick("none", r.number(), "\"{a}\""))
	}
}

// script gives a random script.
func (r *random) script() string {
	r.b.Reset()
	block := r.IntN(2) == 0
	if block {
		r.b.WriteString("{\n")
	}
	for range 2 + r.IntN(3) {
		r.statement()
	}
	if block {
		r.b.WriteString("}\n")
	}
	return r.b.String()
}

// Whatever a script does, what is remembered of it does the same, with the same dice.
func TestRememberedRandomScripts(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(randomScripts / 3) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 8))}
		text := r.script()
		var of [2]*core.Prepared
		for i := range of {
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Seed: 5, Limits: interp.Limits{Steps: 5000}})
			if err := s.Exec(ctx, lang.NewSource("", beings)); err != nil {
				t.Fatal(err)
			}
			p, err := core.Of(s).Prepare(context.Background(), lang.NewSource("", text))
			if err != nil {
				t.Fatal(err)
			}
			of[i] = p
		}
		fast, slow := of[0], of[1]
		slow.Plain = true
		for i := range 60 {
			e1, e2 := fast.Times(ctx, 1), slow.Times(ctx, 1)
			if message(e1) != message(e2) {
				t.Fatalf("script %d, run %d: %v, but plainly %v\n%s", seed, i, e1, e2, text)
			}
			if e1 != nil {
				break
			}
			if d := differences(fast.Run, slow.Run); d != "" {
				t.Fatalf("script %d, run %d: the state differs\n%s%s", seed, i, d, text)
			}
			if fast.Run.M.Generator() != slow.Run.M.Generator() {
				t.Fatalf("script %d, run %d: other dice were thrown\n%s", seed, i, text)
			}
		}
	}
}

// Whatever a script works out, odds say of it what they say when nothing is merged or
// remembered, and what they remember of some numbers holds for others.
func TestOddsOfRandomScripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	compared := 0
	for seed := range uint64(randomScripts) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 7))}
		text := r.script() + "report " + r.pick("a", "Ada.hp", "a - b", "b") + ", " + r.pick("Bob.hp > 0", "b", "Ada.mark")
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: 5000}})
		if err := s.Exec(ctx, lang.NewSource("", beings)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prepare(lang.NewSource("", text)); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		for range 3 {
			moves := fmt.Sprintf("a = %d\nb = %d\nAda.hp = %d\nBob.luck = %d\n", r.IntN(6)-2, r.IntN(6)-2, r.IntN(5), r.IntN(5)-1)
			if err := s.Exec(ctx, lang.NewSource("", moves)); err != nil {
				t.Fatal(err)
			}
			p, err := core.Of(s).Again(context.Background(), lang.NewSource("", text))
			if err != nil {
				t.Fatal(err)
			}
			o, err := Of(ctx, s, lang.NewSource("", text), Config{States: 1000})
			if err != nil {
				continue
			}
			remembered := p.Memory
			same := sameDistributions(t, beings+moves+text, p, 3000)
			p.Memory = remembered
			if !same {
				continue
			}
			compared++
			asInNewSession(t, o, beings+moves, text, 5000)
		}
		if t.Failed() {
			t.Fatalf("script %d", seed)
		}
	}
	t.Logf("%d dists were compared", compared)
	if compared < randomScripts {
		t.Errorf("only %d dists were compared", compared)
	}
}

// randomScripts is how many there are.
var randomScripts = longtest.Many(150, 40)

// asInNewSession compares the distribution of a text, in a session that knows the odds in other
// states, with that in a new one in which nothing has run but setup.
func asInNewSession(t *testing.T, o *Odds, setup, text string, steps int64) {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: steps}})
	if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
		t.Fatal(err)
	}
	fresh, err := Of(context.Background(), s, lang.NewSource("", text), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if x, y := lawOf(o), lawOf(fresh); x != y {
		t.Errorf("%s%s\nin a session that knows other states:\n%s\nin a new one:\n%s", setup, text, x, y)
	}
}

// lawOf writes down a law.
func lawOf(o *Odds) string {
	law := map[string]float64{}
	for _, e := range o.Ends {
		shown := strings.Join(strings.Fields(strings.Join(e.Shown, " ")), " ") // one may know of columns that another never met
		if e.Fault != nil {
			shown = e.Fault.Diag.Message
		}
		law[shown] += e.P
	}
	var out []string
	for k, p := range law {
		out = append(out, fmt.Sprintf("%s: %.9f", k, p+1e-12)) // what lies between two is always rounded up
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
