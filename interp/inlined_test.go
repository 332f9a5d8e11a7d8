package interp_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Short rules stand where they are called in code that tells nothing, and are called in code
// that tells what happens. So the same text run both ways shows whether that makes a difference.

// rulesOf is a system of some rules.
func rulesOf(rules string) fstest.MapFS {
	return fstest.MapFS{"short/short.rules": {Data: []byte("system short \"Short rules\"\n" + rules)}}
}

// endOf runs texts in a session of a system, with or without somebody who listens, and gives
// the error that the last of them ends with.
func endOf(t *testing.T, mods fs.FS, listened bool, texts ...string) *interp.RunError {
	t.Helper()
	cfg := interp.Config{Modules: mods}
	if listened {
		cfg.Events = func(*interp.Event) {}
	}
	s := interp.NewSession(cfg)
	var err error
	for i, x := range texts {
		if err = s.Exec(t.Context(), lang.NewSource(fmt.Sprint(i), x)); err != nil && i < len(texts)-1 {
			t.Fatalf("%s\n%v", x, err)
		}
	}
	var re *interp.RunError
	if !errors.As(err, &re) {
		t.Fatalf("%q end with %v", texts, err)
	}
	return re
}

// errorText is what an error tells: its message and place, the rule, and the calls.
func errorText(e *interp.RunError) string {
	var b strings.Builder
	place := func(at lang.Span) {
		if at.Src != nil {
			fmt.Fprintf(&b, " %s %d..%d %q", at.Src.Name, at.Start, at.End, at.Src.Text[at.Start:at.End])
		}
	}
	fmt.Fprintf(&b, "%s: %s (%v, %s)", e.Diag.Message, e.Rule, e.Kind, e.Bound)
	place(e.Diag.Span)
	for _, n := range e.Diag.Notes {
		b.WriteString("\n  " + n.Message)
		place(n.Span)
	}
	for _, f := range e.Stack {
		b.WriteString("\n  in " + f.Name)
		place(f.At)
	}
	return b.String()
}

// Random rules that call one another give the same values, and fail in the same places.
func TestRandomShortRules(t *testing.T) {
	values, failures := 0, map[string]bool{}
	for seed := range longtest.Many(4000, 400) {
		w := &ruleWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 23))}
		mods := rulesOf(w.system())
		for _, args := range []string{"0, [2], no", "3, [1, 2], yes", "2, [], no", "yes, none, 2", "Nova, Fang, no"} {
			text := "use short\nrefuse \"{main(" + args + ")}\""
			quiet, loud := errorText(endOf(t, mods, false, text)), errorText(endOf(t, mods, true, text))
			if quiet != loud {
				t.Fatalf("seed %d, main(%s): %s\n\nand with somebody who listens: %s\n\n%s", seed, args, quiet, loud, mods["short/short.rules"].Data)
			}
			if message, _, _ := strings.Cut(quiet, ":"); strings.HasPrefix(message, "=") {
				values++
			} else {
				failures[message] = true
			}
		}
	}
	if runs := 5 * longtest.Many(4000, 400); values < runs/4 || len(failures) < 20 {
		t.Errorf("%d of %d runs have values, and there are %d failures: that tests little", values, runs, len(failures))
	}
}

// ruleWriter writes random rules. By their numbers they give a truth, a number or a list, and
// take a number, a list and a truth. Now and then one says something else.
type ruleWriter struct {
	*rand.Rand
	rules int // that can be called
	vars  []variable
}

type variable struct {
	name string
	kind int
}

// The kinds of what a ruleWriter writes.
const (
	aTruth = iota
	aNumber
	aList
	kinds
)

func (w *ruleWriter) system() string {
	var b strings.Builder
	b.WriteString("sheet one { n number = 2; ok truth = yes; l list = [1, 2] }\nsheet other { n number = 5; far truth = no }\none Nova { }\nother Fang { }\n")
	b.WriteString("rule far(x) = x.n > 3\nrule near(x) = not x.far\n")
	for w.rules < 9 {
		w.vars = []variable{{"a", aNumber}, {"b", aList}, {"c", aTruth}}
		k := w.rules % kinds
		if w.IntN(4) == 0 {
			fmt.Fprintf(&b, "table r%d(a, b, c) { [%s, any, no] => %s; [any, %s, any] => %s; else => %s }\n", w.rules, w.number(0), w.write(k, 2), w.list(0), w.write(k, 2), w.write(k, 2))
		} else {
			fmt.Fprintf(&b, "rule r%d(a, b, c) = %s\n", w.rules, w.write(k, 3))
		}
		w.rules++
	}
	fmt.Fprintf(&b, "rule main(a, b, c) {\n  let x = 1\n  let y = %s\n  let z = yes\n", w.call(aList, 1))
	w.vars = append(w.vars, variable{"x", aNumber}, variable{"y", aList}, variable{"z", aTruth})
	for range 6 {
		w.statement(&b)
	}
	fmt.Fprintf(&b, "  return \"= {x} {y} {z} {%s}\"\n}\n", w.number(2))
	return b.String()
}

func (w *ruleWriter) statement(b *strings.Builder) {
	v := w.vars[2+w.IntN(3)]
	set := func(depth int) string { return v.name + " = " + w.write(v.kind, depth) }
	switch w.IntN(5) {
	case 0:
		fmt.Fprintf(b, "  %s\n", set(3))
	case 1:
		fmt.Fprintf(b, "  %s = r%d(x, y, z)\n", v.name, w.rule(v.kind))
	case 2:
		fmt.Fprintf(b, "  if %s { %s } else { %s }\n", w.truth(3), set(2), set(2))
	case 3:
		fmt.Fprintf(b, "  if %s { x = 4 }\n", w.call(aTruth, 2))
	case 4:
		w.vars = append(w.vars, variable{"i", aNumber})
		fmt.Fprintf(b, "  for i in 1..3 where %s { if %s { next }\n    %s }\n", w.truth(2), w.truth(2), set(2))
		w.vars = w.vars[:len(w.vars)-1]
	}
}

func (w *ruleWriter) oneOf(list ...string) string { return list[w.IntN(len(list))] }

// write writes an expression of a kind that is more or less deep.
func (w *ruleWriter) write(kind, depth int) string {
	if w.IntN(100) == 0 {
		return w.oneOf("none", "yes", "3", "[]", "Nova", "Fang", w.vars[w.IntN(len(w.vars))].name)
	}
	switch kind {
	case aTruth:
		return w.truth(depth)
	case aNumber:
		return w.number(depth)
	}
	return w.list(depth)
}

// variable gives a variable of a kind, or else something.
func (w *ruleWriter) variable(kind int, other string) string {
	if v := w.vars[w.IntN(len(w.vars))]; v.kind == kind {
		return v.name
	}
	return other
}

func (w *ruleWriter) call(kind, depth int) string {
	if w.rules <= kind {
		return w.write(kind, 0)
	}
	d := max(0, depth-1)
	x, y, z := w.write(aNumber, d), w.write(aList, d), w.write(aTruth, d)
	if w.IntN(3) == 0 {
		return fmt.Sprintf("(%s).r%d(%s, %s)", x, w.rule(kind), y, z)
	}
	return fmt.Sprintf("r%d(%s, %s, %s)", w.rule(kind), x, y, z)
}

// rule gives the number of a rule of a kind.
func (w *ruleWriter) rule(kind int) int {
	return w.IntN((w.rules-kind+kinds-1)/kinds)*kinds + kind
}

func (w *ruleWriter) truth(depth int) string {
	if depth == 0 {
		return w.variable(aTruth, w.oneOf("yes", "no"))
	}
	d := depth - 1
	switch w.IntN(10) {
	case 8:
		return w.cond(aTruth, d)
	case 0:
		return fmt.Sprintf("(%s and %s)", w.write(aTruth, d), w.write(aTruth, d))
	case 1:
		return fmt.Sprintf("(%s or %s)", w.write(aTruth, d), w.write(aTruth, d))
	case 2:
		return fmt.Sprintf("(not %s)", w.write(aTruth, d))
	case 3:
		return fmt.Sprintf("(%s %s %s)", w.write(aNumber, d), w.oneOf("==", "!="), w.write(w.IntN(kinds), d))
	case 4:
		return fmt.Sprintf("(%s %s %s)", w.write(aNumber, d), w.oneOf("<", "<=", ">", ">="), w.write(aNumber, d))
	case 5:
		return fmt.Sprintf("(%s in %s)", w.write(w.IntN(kinds), d), w.write(aList, d))
	case 6:
		list := w.list(d)
		return fmt.Sprintf("(%s e in %s where %s)", w.oneOf("any", "all"), list, w.of("e", aTruth, d))
	case 7:
		return w.oneOf("Nova", "Fang", "Nova", "Fang", w.variable(aNumber, "Fang")) + w.oneOf(".far", ".near", ".is(one)", ".is(other)")
	}
	return w.call(aTruth, depth)
}

func (w *ruleWriter) cond(kind, depth int) string {
	return fmt.Sprintf("(if %s then %s else %s)", w.write(aTruth, depth), w.write(kind, depth), w.write(kind, depth))
}

// of writes an expression in which there is one more number.
func (w *ruleWriter) of(name string, kind, depth int) string {
	w.vars = append(w.vars, variable{name, aNumber})
	defer func() { w.vars = w.vars[:len(w.vars)-1] }()
	return w.write(kind, depth)
}

func (w *ruleWriter) number(depth int) string {
	if depth == 0 {
		return w.variable(aNumber, w.oneOf("0", "1", "2", "7"))
	}
	d := depth - 1
	switch w.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", w.write(aNumber, d), w.oneOf("+", "-", "*", "+", "-", "/"), w.write(aNumber, d))
	case 1:
		return fmt.Sprintf("(-%s)", w.write(aNumber, d))
	case 2:
		return fmt.Sprintf("(%s).size", w.write(aList, d))
	case 3:
		list := w.list(d)
		return fmt.Sprintf("(count e in %s where %s)", list, w.of("e", aTruth, d))
	case 4:
		return w.cond(aNumber, d)
	case 5:
		return w.oneOf("Nova", "Fang") + ".n"
	}
	return w.call(aNumber, depth)
}

func (w *ruleWriter) list(depth int) string {
	if depth == 0 {
		return w.variable(aList, w.oneOf("[1, 2]", "[]", "[3]", "Nova.l"))
	}
	d := depth - 1
	switch w.IntN(5) {
	case 3:
		return w.cond(aList, d)
	case 0:
		return fmt.Sprintf("[%s, %s]", w.write(aNumber, d), w.write(aNumber, d))
	case 1:
		list := w.list(d)
		return fmt.Sprintf("[%s for e in %s where %s]", w.of("e", aNumber, d), list, w.of("e", aTruth, d))
	case 2:
		return fmt.Sprintf("(%s + %s)", w.write(aList, d), w.write(aList, d))
	}
	return w.call(aList, depth)
}

// An error inside a rule that stands in the place of a call tells of the calls.
func TestErrorInShortRule(t *testing.T) {
	mods := rulesOf(`
@deep "It is deep."
rule deep(x) = x / 0
rule middle(x) = deep(x) + 1
rule main(x) { return 2 + middle(x) }
rule truth(x) = x
rule asks(x) { if truth(x) { return 1 } }
rule also(x) = truth(x) and yes
rule asks_also(x) { if also(x) { return 1 } }
rule endless(x) = short(x)
rule short(x) = endless(x)
`)
	for _, c := range []struct {
		text string
		in   []string // the calls, with what stands there
	}{
		{"main(3)", []string{`deep "x / 0"`, `middle "deep(x)"`, `main "middle(x)"`, `script "main(3)"`}},
		{"asks_also(3)", []string{`also "truth(x) and yes"`, `asks_also "also(x)"`, `script "asks_also(3)"`}},
		{"asks(3)", []string{`asks "truth(x)"`, `script "asks(3)"`}},
	} {
		quiet, loud := endOf(t, mods, false, "use short\n"+c.text), endOf(t, mods, true, "use short\n"+c.text)
		var got []string
		for _, f := range quiet.Stack {
			got = append(got, fmt.Sprintf("%s %q", f.Name, f.At.Src.Text[f.At.Start:f.At.End]))
		}
		if !reflect.DeepEqual(got, c.in) || errorText(quiet) != errorText(loud) {
			t.Errorf("%s: %q\n%s\n%s", c.text, got, errorText(quiet), errorText(loud))
		}
	}
	// Sessions that share a system know the calls, too.
	const paid = "use marvel\npay(3, 1, \"it\")"
	own := errorText(endOf(t, notEmbedded{stdlib.FS}, true, paid))
	for range 2 {
		if got := errorText(endOf(t, stdlib.FS, false, paid)); got != own || !strings.Contains(got, "in is_players") {
			t.Errorf("%s\n%s", got, own)
		}
	}
	if e := endOf(t, mods, false, "use short\nendless(1)"); e.Bound != "depth" {
		t.Errorf("rules that call one another end with %s", errorText(e))
	}
}

// A variable that a rule is given keeps its value until the rule has given its own.
func TestShortRuleOfTheVariableItSets(t *testing.T) {
	mods := rulesOf(`
rule both(p, q) = p and q
rule either(p, q) = p or q
rule above(list, n) = count e in list where e > n
rule any_above(n) = any e in [1, 2, 3] where e > n
rule after(n) = [n + 1, n][1]
rule main(a) {
  let x = no
  x = both(yes, x)
  let y = yes
  y = either(no, y)
  let n = 1
  n = above([1, 2, 3], n)
  let m = 2
  m = any_above(m)
  let k = 1
  k = after(after(k))
  return "{x} {y} {n} {m} {k}"
}
`)
	for _, listened := range []bool{false, true} {
		if got := endOf(t, mods, listened, "use short\nrefuse \"{main(1)}\"").Diag.Message; got != "no yes 2 yes 3" {
			t.Error(got)
		}
	}
}

// A rule may be replaced when it already stands in the place of calls.
func TestShortRuleIsReplaced(t *testing.T) {
	mods := rulesOf(`
option more = 1 | 10
rule deep(x) = x + more
rule middle(x) = deep(x) * 2
rule main(x) { return middle(x) }
`)
	for _, c := range []struct {
		change []string
		want   string
	}{
		{nil, "8"},
		{[]string{"rule deep(x) = x"}, "6"},
		{[]string{"rule middle(x) = base.middle(x) + 1"}, "9"},
		{[]string{"rule deep(x) = x", "rule deep(x) = base.deep(x) + 2"}, "10"},
		{[]string{"option more = 10"}, "26"},
		{[]string{"rule deep(x) { return 0 }"}, "0"},
		{[]string{"table deep(x) { 3 => 4; else => 5 }"}, "8"},
		{[]string{"remove rule deep", "rule deep(x) = 7"}, "14"},
	} {
		texts := append([]string{"use short\nlet x = main(3)\nexpect x == 8"}, c.change...)
		texts = append(texts, "refuse \"{main(3)}\"")
		for _, listened := range []bool{false, true} {
			if got := endOf(t, mods, listened, texts...); got.Diag.Message != c.want {
				t.Errorf("%q: %s, want %s", c.change, got.Diag.Message, c.want)
			}
		}
	}
}
