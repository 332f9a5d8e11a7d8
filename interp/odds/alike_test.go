package odds

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// crowd is where those live of whom random scripts about equals tell.
const crowd = `spans scene > round
sheet orc out when down { hp number = 2; down truth = no per scene; mark number = 0; friend any = none; tag text }
sheet game { line list; n number = 0; last any = none; tag text }
orc Grub
orc Gash
orc Gore
game Table
rule hit(x, n) {
  x.hp -= n
  if x.hp <= 0 { x.down = yes }
}
rule orcs = [x for x in instances(orc) where not x.down]
rule left = count x in instances(orc) where not x.down
`

// equals writes scripts about three who differ in their names only: they are gone
// through, hit, counted, kept in lists, and now and then told apart.
type equals struct{ random }

func (r *equals) one() string {
	return r.pick("first x in instances(orc) where not x.down", "(lowest x in orcs() by x.hp)", "(highest x in orcs() by x.hp)",
		"orcs().last", "orcs().first", "Gash", "(first x in Table.line where not x.down)", "(highest x in orcs() by x.mark)",
		"(choose target by none from orcs() \"Whom?\")", "(choose target by none from instances(orc) \"Whom?\")", "(highest x in instances(orc) by x.hp + Table.n)")
}

func (r *equals) filter() string {
	return r.pick(" where not x.down", " where not x.down", " where not x.down", " where not x.down and left() > 1", " where x.hp > 0", "", "", " where x.down", " where Table.n > 2", " where not x.down or Table.n < 0")
}

func (r *equals) list() string {
	return r.pick("instances(orc)", "instances(orc)", "orcs()", "Table.line", "Table.line.reversed")
}

func (r *equals) die() string {
	return r.pick("(throw d2).face", "(throw d3).face - 1", "(throw 2d2).sum - 2", "(throw d3).face - 1", "(throw 3d2).take(1).sum - 1")
}

func (r *equals) does(x string) string {
	switch r.IntN(17) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("hit(%s, %s)", x, r.die())
	case 4:
		return fmt.Sprintf("Table.n += %s", r.die())
	case 6:
		return fmt.Sprintf("Table.n += %s.hp", x)
	case 7:
		return fmt.Sprintf("%s.mark = %s", x, r.pick("1", "Table.n", r.die()))
	case 8:
		return fmt.Sprintf("Table.last = %s", x)
	case 9:
		return fmt.Sprintf("if (throw d2).face == 1 { hit(%s, 1) } else { Table.n += 1 }", x)
	case 10, 11:
		return fmt.Sprintf("Table.n = 2 * Table.n + %s.hp + 1", x)
	case 12:
		return fmt.Sprintf("Table.n = %s.hp - Table.n", x)
	case 13:
		return fmt.Sprintf("%s.hp = max(-2, min(3, %s.hp - Table.n))", x, x)
	case 15:
		return fmt.Sprintf("repeat 2 { hit(%s, %s) }", x, r.die())
	case 14:
		return fmt.Sprintf("if %s.hp < 0 { Table.n = 3 } else { Table.n = max(0, Table.n - 1) }", x)
	}
	return fmt.Sprintf("if left() > %d { hit(%s, 1) }", r.IntN(3), x)
}

// rule gives what a turn is, and what is done in rules goes through rules' variables.
func (r *equals) turn() string {
	switch r.IntN(13) {
	case 12:
		return fmt.Sprintf("  let k%d = 0\n  for x in %s%s { k%d = 2 * k%d + x.hp }\n  Table.n += k%d\n", r.locals, r.list(), r.filter(), r.locals, r.locals, r.locals)
	case 0, 1, 2:
		return fmt.Sprintf("  for x in %s%s { %s }\n", r.list(), r.filter(), r.does("x"))
	case 4:
		return fmt.Sprintf("  let t%d = %s\n  if t%d != none { repeat 2 { hit(t%d, %s); for x in orcs() where x != t%d { %s } } }\n", r.locals, r.one(), r.locals, r.locals, r.die(), r.locals, r.does("x"))
	case 3:
		return fmt.Sprintf("  let t%d = %s\n  if t%d != none { %s }\n", r.locals, r.one(), r.locals, r.does(fmt.Sprintf("t%d", r.locals)))
	case 5:
		return fmt.Sprintf("  let t%d = %s\n  if t%d != none { hit(t%d, %s) }\n", r.locals, r.one(), r.locals, r.locals, r.die())
	case 6:
		if r.IntN(2) == 0 {
			return fmt.Sprintf("  if Table.line.size > 1 { Table.n += 3 * Table.line%s.hp }\n", r.pick(".first", ".last", "[2]", ".take(2).last", ".drop(1).first"))
		}
		return "  if Table.last != none { Table.last.hp = min(3, Table.last.hp + 1) }\n"
	case 7:
		return fmt.Sprintf("  Table.line = %s\n", r.pick("orcs()", "instances(orc)", "[x for x in Table.line where not x.down]", "Table.line.reversed"))
	case 8:
		return fmt.Sprintf("  Table.n += %s\n", r.pick("left()", "orcs().size", "(sum x.hp for x in instances(orc) where not x.down)", "Table.line.size"))
	case 9:
		return r.pick("  if Table.last != none and (throw d2).face == 1 { Table.last.down = no; Table.last.hp = 1 }\n",
			"  if (throw d2).face == 1 { end scene }\n",
			"  let d = first x in instances(orc) where x.down\n  if d != none and (throw d2).face == 1 { d.down = no; d.hp = 1 }\n",
			"  if Table.last != none { Table.tag = Table.last.name }\n",
			"  for x in orcs() { x.friend = first y in orcs() where y != x }\n",
			"  for x in orcs() where x.friend != none { hit(x.friend, 1) }\n",
			"  if Table.line.size > 1 and not Table.line[2].down { hit(Table.line[2], 1) }\n",
			"  for x in orcs() { x.tag = \"{x.name} {x.hp}\" }\n")
	}
	return fmt.Sprintf("  Table.n += %s\n", r.die())
}

func (r *equals) script() string {
	text := "rule turn() {\n"
	for range 2 + r.IntN(4) {
		r.locals++
		text += r.turn()
	}
	text += "  Table.n = max(-7, min(7, Table.n))\n}\n"
	return text
}

func (r *equals) ask() string {
	text := r.pick("", "Table.line = instances(orc)\n", "Table.line = instances(orc)\n", "Grub.hp = 1\n", "Gash.down = yes\n")
	if r.IntN(5) == 0 {
		text += "refused \"no\" { turn(); refuse \"no\" }\n"
	}
	last := ""
	if r.IntN(2) == 0 {
		text += fmt.Sprintf("repeat 2 {\nfor x in %s%s { %s }\n}\n", r.list(), r.filter(), r.does("x"))
		last = r.pick("", "", "", ", x", ", (if x == Gash then 1 else 0)")
	}
	text += fmt.Sprintf("repeat %d { turn() }\n", 2+r.IntN(2)-min(1, len(last)))
	return text + "report " + r.pick("left()", "Table.n", "Table.n", "(sum x.hp for x in instances(orc))", "left() == 0") + r.pick("", "", "", ", Table.n", ", Gash.hp", ", Table.last", ", Table.tag", ", (count y in Table.line where y.hp > 0)") + last + "\n"
}

// Whoever is taken for another, odds say what they say when all are told apart.
func TestOddsOfEquals(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	compared, exchanged := 0, 0
	for seed := range uint64(randomEquals) {
		r := &equals{random{Rand: rand.New(rand.NewPCG(seed, 9))}}
		rules := crowd + r.script()
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Steps: 20000}})
		if err := s.Exec(ctx, lang.NewSource("", rules)); err != nil {
			t.Fatalf("%s\n%v", rules, err)
		}
		text, moves := r.ask(), ""
		for again := range 4 {
			if again == 2 {
				text = r.ask()
			}
			move := "Table.line = instances(orc)\n" + r.pick("", "", "Gash.hp = 1\n", "Grub.down = yes\n", "Table.last = Gash\n", "Gash.friend = Gore\nTable.last = Grub\n")
			moves += move
			if err := s.Exec(ctx, lang.NewSource("", move)); err != nil {
				t.Fatal(err)
			}
			p, err := core.Of(s).Again(context.Background(), lang.NewSource("", text))
			if err != nil {
				t.Fatalf("%s%s\n%v", rules, text, err)
			}
			o, err := Of(ctx, s, lang.NewSource("", text), Config{States: 2000})
			remembered := p.Memory
			if sameDistributions(t, rules+moves+text, p, 4000) {
				compared++
			}
			p.Memory = remembered
			if err == nil {
				asInNewSession(t, o, rules+moves, text, 20000)
			}
			g, done := Graph(p, nil)
			g.Limit = 4000
			if g.Build(ctx) == nil && g.Exchanged() > 0 {
				exchanged++
			}
			done()
		}
		if t.Failed() {
			t.Fatalf("script %d", seed)
		}
	}
	t.Logf("%d dists were compared, in %d somebody was exchanged", compared, exchanged)
	if compared < randomEquals || exchanged < randomEquals/10 {
		t.Errorf("only %d dists were compared, and in %d somebody was exchanged", compared, exchanged)
	}
}

// randomEquals is how many scripts there are.
var randomEquals = longtest.Many(60, 8)

// Six guards are put to flight, each by a 4 or more of a d6; whoever still stands at the
// end of a round runs from his post on a 6. Only how many are left matters for that, and
// it is worked out from nothing else.
func TestEqualsAreOneState(t *testing.T) {
	const guards, rounds = 6, 3
	const rules = `sheet guard out when gone { gone truth = no }
guard Guard x6
rule left = count x in instances(guard) where not x.gone
rule watch {
  for x in instances(guard) where not x.gone { if (throw d6).face >= 4 { x.gone = yes } }
  for x in instances(guard) where not x.gone { if (throw d6).face == 6 { x.gone = yes } }
}
`
	text := fmt.Sprintf("let n = 0\nwhile n < %d and left() > 0 { n += 1; watch() }\nreport left()", rounds)
	// by the number that is left: of n each stays with 1/2 and then with 5/6
	stay := big.NewRat(5, 12)
	law := []*big.Rat{guards: big.NewRat(1, 1)}
	for n := range guards {
		law[n] = new(big.Rat)
	}
	for range rounds {
		next := make([]*big.Rat, guards+1)
		for k := range next {
			next[k] = new(big.Rat)
		}
		for n, p := range law {
			for k := 0; k <= n; k++ {
				q := new(big.Rat).Mul(p, new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k))))
				for range k {
					q.Mul(q, stay)
				}
				for range n - k {
					q.Mul(q, new(big.Rat).Sub(big.NewRat(1, 1), stay))
				}
				next[k].Add(next[k], q)
			}
		}
		law = next
	}
	var states [2]int
	all := ""
	for i := range guards {
		all += fmt.Sprintf(", \"Guard %d\".gone", i+1)
	}
	for i, rest := range []string{"", all} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := s.Exec(context.Background(), lang.NewSource("", rules)); err != nil {
			t.Fatal(err)
		}
		o, err := Of(context.Background(), s, lang.NewSource("", text+rest), Config{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]*big.Rat, guards+1)
		for _, e := range o.Ends {
			n, _ := strconv.Atoi(e.Shown[0])
			if got[n] == nil {
				got[n] = new(big.Rat)
			}
			got[n].Add(got[n], e.Exact)
		}
		for n := range law {
			if got[n] == nil || got[n].Cmp(law[n]) != 0 {
				t.Errorf("%d left%s: %v, by hand %v", n, rest, got[n], law[n])
			}
		}
		states[i] = o.States
	}
	// between rounds there are 2^6 sets of those who are gone, but seven numbers
	if states[0] > states[1]/4 {
		t.Errorf("%d states, and %d when each of them is told from the others", states[0], states[1])
	}
	t.Logf("%d states, and %d when each of them is told from the others", states[0], states[1])
}

// Where something tells equals apart it is noticed, also when they have been taken for
// one another before. Two turns may follow after one or two have fallen: the first of
// them or the last.
func TestEqualsThatAreNot(t *testing.T) {
	const head = `spans scene > round
sheet orc out when down { hp number 0..3 = 2; down truth = no per scene }
sheet game { n number = 0; last any = none; line list; who map }
orc Orc x3
game Table
rule fall(x) { x.down = yes; x.hp = 0; Table.last = x }
`
	const fall = `for x in instances(orc) { Table.who = Table.who.put(x, 1) }
if (throw d6).face > 4 { fall((first x in instances(orc) where not x.down)) } else { fall(instances(orc).last) }
repeat 2 { if (throw d3).face == 1 { fall((first x in instances(orc) where not x.down)) } }
Table.line = [x for x in instances(orc) where not x.down]
`
	const turns = "let i = 0\nwhile i < 2 { i += 1; if (throw d2).face == 1 { turn() } }\nreport Table.n"
	const late = `if (throw d6).face <= 4 { fall(instances(orc).last) } else {
  repeat 3 { Table.n += (throw d2).face }
  Table.n = 0
  fall(instances(orc).first)
}
let i = 0
while i < 3 { i += 1; if (throw d2).face == 1 and i == 3 { turn() } }
report Table.n`
	for _, c := range []struct {
		name, rules, text string
		alike             bool
	}{
		{"nobody asks", `rule turn { for x in instances(orc) where not x.down { Table.n = 2 * Table.n + x.hp } }`, fall + turns, true},
		{"who has fallen is spoken of", `rule turn { if Table.last != none { Table.last.hp = 3 - Table.last.hp; Table.n = 10 * Table.n + Table.last.hp } }`, fall + turns, true},
		{"who stands is spoken of", `rule turn {
  Table.n = 10 * Table.n + Table.last.hp
  Table.last = first x in instances(orc) where not x.down
  if Table.last != none { Table.last.hp = 1 }
}`, fall + turns, true},
		{"those who stand are listed", `rule turn { if not Table.line.empty { Table.n = 10 * Table.n + Table.line.first.hp; Table.line[1].hp = 1 } }`, fall + turns, true},
		{"one who stands is listed", `rule turn { Table.n = 10 * Table.n + Table.line.first.hp }`, `Table.line = [instances(orc)[2]]
Table.line.first.hp = 1
if (throw d2).face == 1 { fall(instances(orc).first) } else { fall(instances(orc).last) }
` + turns, true},
		{"one was listed before", `Table.line = [instances(orc)[2]]
Table.line.first.hp = 1
rule turn { Table.n = 10 * Table.n + Table.line.first.hp }`, "if (throw d2).face == 1 { fall(instances(orc).first) } else { fall(instances(orc).last) }\n" + turns, true},
		{"one of them counts who is out", `rule turn { for x in instances(orc) { Table.n = 2 * Table.n + x.hp } }`, fall + turns, false},
		{"he counts where he would stand last", `rule turn {
  let k = 0
  for x in instances(orc).reversed { if not x.down { k += x.hp } else if k > 2 { k = 0 } }
  Table.n += k
}`, fall + turns, false},
		{"he changes what is only at hand", `rule turn {
  let k = 0
  for x in instances(orc) { k = 2 * k + x.hp + 1 }
  Table.n = k
}`, fall + turns, false},
		{"he gets up for a moment", `rule turn {
  Table.last.down = no
  for x in instances(orc) where not x.down { Table.n = 2 * Table.n + x.hp }
  Table.last.down = yes
}`, fall + turns, false},
		{"all get up", "rule turn { end scene; for x in instances(orc) where not x.down { Table.n = 2 * Table.n + x.hp } }", fall + turns, false},
		{"where somebody stands is asked for", `rule turn {
  let x = first x in instances(orc) where not x.down
  if x != none { Table.n = instances(orc).index(x) }
}`, fall + turns, false},
		{"who is the second is asked for", `rule turn { if instances(orc)[2].down { Table.n = 1 } }`, fall + turns, false},
		{"a name is asked for", `rule turn { let x = first x in instances(orc) where not x.down; if x != none and x.name == "Orc 2" { Table.n = 1 } }`, fall + turns, false},
		{"of those declared together one is drawn", `rule turn {
  let x = draw([x for x in instances(orc) where not x.down].apart)
  if x != none { Table.n = 2 * Table.n + x.hp; x.hp = 1 }
}`, fall + turns, true},
		{"one is drawn from all, whoever is down", `rule turn { let x = draw(instances(orc).apart); if x.down { Table.n += 1 } }`, fall + turns, false},
		{"he might be chosen", `rule turn { let x = choose target by none from instances(orc) "Whom?"; if x.down { Table.n = 1 } }`, fall + turns, false},
		{"he might be the last", `rule turn { if Table.last == instances(orc).last { Table.n = 1 } }`, fall + turns, false},
		{"he is in a map", `rule turn { for x in Table.who { Table.n = 2 * Table.n + x.hp } }`, fall + turns, false},
		{"who it was is told", "rule turn { }", fall + strings.Replace(turns, "Table.n", "Table.last", 1), false},
		{"who it was is told in a list", "rule turn { }", fall + strings.Replace(turns, "Table.n", "Table.line", 1), false},
		{"who it was is in a message", "rule turn { Table.last.hp = 9 }", fall + turns, false},
		{"a loop of the script", "", fall + "repeat 2 { for x in instances(orc) where not x.down { Table.n = 2 * Table.n + x.hp; if (throw d2).face == 1 { fall(x) } } }\nreport Table.n", true},
		{"the variable of a loop is asked for", "", fall + "repeat 2 { for x in instances(orc) { if not x.down { Table.n = 2 * Table.n + x.hp; if (throw d2).face == 1 { fall(x) } } } }\nreport Table.n, x.hp", false},
		{"the variable of a loop is asked for in it", "let x = none", fall + "repeat 2 { if x != none and x.down { Table.n += 1 }; for x in instances(orc) { if not x.down and (throw d2).face == 1 { fall(x) } } }\nreport Table.n", false},
		{"it turns out late", `rule turn { for x in instances(orc) { Table.n = 2 * Table.n + x.hp } }`, late, false},
	} {
		p := preparedFor(t, head+c.rules, c.text)
		if !sameDistributions(t, c.name, p, 0) {
			t.Errorf("%s: too much to be followed apart", c.name)
		}
		g, done := Graph(p, nil)
		if err := g.Build(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := g.Exchanged() > 0; got != c.alike {
			t.Errorf("%s: somebody was taken for another: %v", c.name, got)
		}
		done()
	}
}

// Two who were declared together and one who was declared alone are equal in everything
// but what apart makes of them.
func TestApartTellsWhoWasDeclaredTogether(t *testing.T) {
	p := preparedFor(t, `sheet orc out when down { hp number 0..3 = 2; down truth = no }
sheet game { n number = 0 }
orc Orc x2
orc Grub
game Table
`, `for x in instances(orc) { if (throw d2).face == 1 { x.down = yes; x.hp = 0 } }
repeat 2 { Table.n = 4 * Table.n + [x for x in instances(orc) where not x.down].apart.size }
report Table.n`)
	if !sameDistributions(t, "apart", p, 0) {
		t.Error("too much to be followed apart")
	}
}

// Whoever was not equal when it was asked first may be later, and the other way round.
func TestEqualsLater(t *testing.T) {
	const rules = `sheet orc out when down { rank number = 0; down truth = no }
sheet blow { n number; by any }
orc Grub
orc Gash
rule strike(x) {
  let b = new blow(n: (throw d6).face, by: x)
  for i in 1..(throw d3).face { b.n += (throw d2).face }
  if b.n > 4 { x.down = yes }
}
`
	const text = "repeat 2 { for x in instances(orc) where not x.down { strike(x) } }\nreport (count x in instances(orc) where x.down)"
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := s.Exec(context.Background(), lang.NewSource("", rules)); err != nil {
		t.Fatal(err)
	}
	var dists []string
	for _, rank := range []int{2, 2, 0, 2, 0} {
		if err := s.Exec(context.Background(), lang.NewSource("", fmt.Sprintf("Gash.rank = %d", rank))); err != nil {
			t.Fatal(err)
		}
		o, err := Of(context.Background(), s, lang.NewSource("", text), Config{})
		if err != nil {
			t.Fatal(err)
		}
		dists = append(dists, lawOf(o))
	}
	for _, l := range dists[1:] {
		if l != dists[0] {
			t.Errorf("%s, but first %s", l, dists[0])
		}
	}
}
