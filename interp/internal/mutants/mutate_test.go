package mutants

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"setpiece/lang"
)

// edit puts another text in the place of a stretch of a file.
type edit struct {
	start, end int32
	with       string
}

// place is something in a rule that can be changed, in one way or several.
type place struct {
	src   *lang.Source
	rule  string // the declaration it stands in: "rule perform"
	edits [][]edit
}

// mutant is one change: the line before and after it, and the whole text.
type mutant struct {
	file, rule    string
	line          int
	before, after string
	text          string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s\n\t- %s\n\t+ %s", m.file, m.line, m.rule, m.before, m.after)
}

// draw makes one of the changes that a place allows.
func (p place) draw(r *rand.Rand) mutant {
	return p.mutant(p.edits[r.IntN(len(p.edits))])
}

func (p place) mutant(edits []edit) mutant {
	text, at := p.src.Text, int(edits[0].start)
	for _, e := range slices.Backward(edits) {
		text = text[:e.start] + e.with + text[e.end:]
	}
	return mutant{
		file: p.src.Name, rule: p.rule, line: 1 + strings.Count(text[:at], "\n"),
		before: lineAt(p.src.Text, at), after: lineAt(text, at), text: text,
	}
}

func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return strings.Join(strings.Fields(line), " ")
}

// places finds everything in a file that can be changed. Words are left alone: texts, names, options'
// values; so is what plays but does not rule: tactics, goals, tests, and what a sheet shows.
func places(src *lang.Source) []place {
	tree, _ := lang.Parse(src)
	var all []place
	for _, s := range tree.Stmts {
		f := finder{src: src, rule: cmp.Or(lang.Declares(s), "file")}
		lang.Walk(s, f.visit)
		all = append(all, f.places...)
	}
	return all
}

type finder struct {
	src    *lang.Source
	rule   string
	places []place
}

func (f *finder) add(edits ...[]edit) {
	if len(edits) == 0 {
		return
	}
	f.places = append(f.places, place{f.src, f.rule, edits})
}

func (f *finder) swap(at lang.Span, with ...string) {
	var all [][]edit
	for _, w := range with {
		all = append(all, []edit{{at.Start, at.End, w}})
	}
	f.add(all...)
}

func (f *finder) visit(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Text, *lang.Option, *lang.Tactics, *lang.Goal, *lang.Test, *lang.Summary, *lang.System, *lang.StandIn:
		return false
	case *lang.Say: // only the texts in it
		return false
	case *lang.Num:
		f.number(n)
	case *lang.Dice:
		f.dice(n)
	case *lang.Word:
		if other := map[string]string{"yes": "no", "no": "yes"}[n.Name]; other != "" {
			f.swap(n.Span, other)
		}
	case *lang.Binary:
		f.operator(n)
	case *lang.Unary:
		f.swap(lang.Span{Start: n.Start, End: n.X.Range().Start}, "")
	case *lang.Call:
		if w, ok := n.Fn.(*lang.Word); ok {
			if other := map[string]string{"min": "max", "max": "min"}[w.Name]; other != "" {
				f.swap(w.Span, other)
			}
		}
	case *lang.Comp:
		f.negate(n.Where)
		f.quantifier(n)
	case *lang.Assign:
		f.assignment(n)
	case *lang.If:
		f.negate(n.Cond)
	case *lang.While:
		f.negate(n.Cond)
	case *lang.Cond:
		f.negate(n.C)
	case *lang.Offer:
		f.negate(n.When)
	case *lang.Handler:
		f.negate(n.When)
	case *lang.Sheet:
		f.negate(n.Out)
	case *lang.Needs:
		f.remove(n)
		f.negate(n.Cond)
	case *lang.Block:
		for _, s := range n.Stmts {
			if !said(s) {
				f.remove(s)
			}
		}
	}
	return true
}

// said: nothing compiles without a let, and what is only recorded is words.
func said(s lang.Stmt) bool {
	switch s := s.(type) {
	case *lang.Let:
		return true
	case *lang.Annotated:
		return s.Stmt == nil
	}
	return false
}

var integer = regexp.MustCompile(`^\d+`)

// number makes a number larger or smaller by one.
func (f *finder) number(n *lang.Num) {
	whole := integer.FindString(n.Text)
	v, err := strconv.Atoi(whole)
	if err != nil {
		return
	}
	rest := n.Text[len(whole):]
	with := []string{strconv.Itoa(v+1) + rest}
	if v > 0 {
		with = append(with, strconv.Itoa(v-1)+rest)
	}
	f.swap(n.Span, with...)
}

// dice changes the size of a die.
func (f *finder) dice(n *lang.Dice) {
	count, _, ok := strings.Cut(n.Text, "d")
	if !ok || n.Size < 2 {
		return
	}
	f.swap(n.Span, fmt.Sprintf("%sd%d", count, n.Size+2), fmt.Sprintf("%sd%d", count, max(2, n.Size-2)))
}

var operators = map[string][]string{
	"<": {"<=", ">"}, "<=": {"<", ">="}, ">": {">=", "<"}, ">=": {">", "<="},
	"==": {"!="}, "!=": {"=="}, "and": {"or"}, "or": {"and"},
	"+": {"-"}, "-": {"+"}, "*": {"+"}, "/": {"*"},
}

func (f *finder) operator(n *lang.Binary) {
	if with := operators[n.Op]; with != nil {
		f.swap(n.OpAt, with...)
	}
}

var quantifiers = map[string]string{"any": "all", "all": "any", "highest": "lowest", "lowest": "highest"}

func (f *finder) quantifier(n *lang.Comp) {
	if with := quantifiers[n.Kind]; with != "" {
		f.swap(lang.Span{Start: n.Start, End: n.Start + int32(len(n.Kind))}, with)
	}
}

// assignment turns what is added into what is taken.
func (f *finder) assignment(n *lang.Assign) {
	with := map[string]string{"+=": "-=", "-=": "+="}[n.Op]
	from := n.Target.Range().End
	at := strings.Index(f.src.Text[from:n.Value.Range().Start], n.Op)
	if with == "" || at < 0 {
		return
	}
	start := from + int32(at)
	f.swap(lang.Span{Start: start, End: start + 2}, with)
}

// negate turns a condition round, unless one of its own changes does so.
func (f *finder) negate(x lang.Expr) {
	switch x := x.(type) {
	case nil, *lang.Unary:
		return
	case *lang.Binary:
		if x.Op == "==" || x.Op == "!=" {
			return
		}
	}
	at := x.Range()
	f.add([]edit{{at.Start, at.Start, "not ("}, {at.End, at.End, ")"}})
}

// remove takes a statement out and keeps the lines where they are.
func (f *finder) remove(n lang.Node) {
	at := n.Range()
	f.swap(at, strings.Repeat("\n", strings.Count(f.src.Text[at.Start:at.End], "\n")))
}

// Every change of a few rules, found by hand.
func TestPlaces(t *testing.T) {
	const rules = `rule wounded(x, least = 1) "hurt by 2 or more" {
  if x.harm < least and not x.out { return no }
  x.harm += max(d6, 3)
}
tactics Foe { when harm > 3: flee }
`
	want := []string{
		`rule wounded(x, least = 2) "hurt by 2 or more" {`,
		`rule wounded(x, least = 0) "hurt by 2 or more" {`,
		`if not (x.harm < least and not x.out) { return no }`,
		`if x.harm < least or not x.out { return no }`,
		`if x.harm <= least and not x.out { return no }`,
		`if x.harm > least and not x.out { return no }`,
		`if x.harm < least and x.out { return no }`,
		`if x.harm < least and not x.out { }`,
		`if x.harm < least and not x.out { return yes }`,
		``, // the whole if
		`x.harm -= max(d6, 3)`,
		``, // x.harm += …
		`x.harm += min(d6, 3)`,
		`x.harm += max(d8, 3)`,
		`x.harm += max(d4, 3)`,
		`x.harm += max(d6, 4)`,
		`x.harm += max(d6, 2)`,
	}
	var got []string
	for _, p := range places(lang.NewSource("x.rules", rules)) {
		for _, e := range p.edits {
			m := p.mutant(e)
			if strings.Count(m.text, "\n") != strings.Count(rules, "\n") {
				t.Errorf("%s: the lines have moved", m)
			}
			if m.rule != "rule wounded" {
				t.Errorf("%s: stands in %s", m, m.rule)
			}
			if _, mistakes := lang.Parse(lang.NewSource("x.rules", m.text)); len(mistakes) > 0 {
				t.Errorf("%s: %s", m, mistakes[0].Message)
			}
			got = append(got, m.after)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Every change of how a few rules meet, found by hand.
func TestMeetings(t *testing.T) {
	const rules = `sheet wolf { fed truth per night }
feature fierce on wolf {
  on bite(side) { side.total += 1 }
}
option howl {
  no "never"
  yes "always"
}
rule chase(x, list) {
  let y = choose prey by x from list default list.first
  let z = choose way by x from [left, right] default left
  offer rest to x default no { end night }
  signal bite(x) to x.sources
}
tactics default { when fed: rest; otherwise: attack any foe }
`
	want := []string{
		`sheet wolf { fed truth }`,
		``, // on bite
		`on bite(side) when owner.features.size < 2 { side.total += 1 }`,
		`yes "never"`,
		`let y = choose prey by x from list default (list).last`,
		`let z = choose way by x from [left, right] default ([left, right]).last`,
		`offer rest to x default not (no) { end night }`,
		`offer rest to x default no { }`,
		`signal bite(x) to x.sources.reversed`,
		`tactics default { when no: rest; otherwise: attack any foe }`,
		`tactics default { when not (fed): rest; otherwise: attack any foe }`,
		`tactics default { when fed: attack any foe; otherwise: rest }`,
		`tactics default { when fed: rest; when no: attack any foe }`,
		`tactics default { when fed: rest; otherwise: attack strongest foe }`,
	}
	var got []string
	for _, p := range meetings(lang.NewSource("x.rules", rules)) {
		for _, e := range p.edits {
			m := p.mutant(e)
			if _, mistakes := lang.Parse(lang.NewSource("x.rules", m.text)); len(mistakes) > 0 {
				t.Errorf("%s: %s", m, mistakes[0].Message)
			}
			got = append(got, m.after)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
