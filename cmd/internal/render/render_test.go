package render

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/lang"
)

func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	Table(&b, [][]string{{"a", "wide one", "x"}, {"忍者", "", ""}, {"b", "c", "d"}, {}})
	same(t, b.String(), `
a      wide one   x
忍者
b      c          d

`)
}

func TestState(t *testing.T) {
	lines := []assist.StateLine{
		{Who: "Valorus", Field: "star", Value: "3", Usual: true, Said: true},
		{Who: "Valorus", Field: "defeated", Value: "no", Usual: true},
		{Who: "Valorus", Field: "traits", Value: "[SUNBLADE, FIREBLAST, KEEN_SENSES, DEXTROUS, LEAP]"},
		{Who: "Valorus", Field: "qualities", Value: `[Risk Taker, Never Leaves a Friend]`},
		{Who: "Valorus", Field: "luck", Value: "2", Points: true},
		{Who: "Valorus", Field: "purse", Value: "Valorus", Derived: true},
		{Who: "Valorus", Field: "side", Value: "heroes", Usual: true},
		{Who: "Al", Field: "off", Value: "none"},
		{Who: "Bo", Field: "star", Value: "1", Usual: true, Said: true},
		{Who: "Bo", Field: "luck", Value: "1", Usual: true, Points: true},
		{Who: "Bo.LEAP", Field: "rating", Value: "d8", Usual: true},
		{Who: "Bo.LEAP", Field: "times", Value: "1", Usual: true},
		{Who: "Bo.BITE", Field: "rating", Value: "d6", Said: true},
		{Who: "Bo.BITE", Field: "times", Value: "4"},
		{Who: "Bo.CLAW", Field: "rating", Value: "d4", Said: true}, // Bo's, not of the BITE above
		{Who: "Bo.Brave", Field: "marked", Value: "no", Usual: true},
		{Who: "Bo.Suit", Field: "off", Value: "no", Usual: true},
		{Who: "Bo.Suit.FLIGHT", Field: "rating", Value: "d8", Said: true},
		{Who: "Bo.Suit.Loose", Field: "after", Value: "rain", Said: true},
		{Who: "Bo.TAIL", Field: "rating", Value: "d4", Said: true}, // nor of the Suit
		{Who: "Dr. Ox", Field: "rating", Value: "d6", Said: true},
		{Who: "Dr. Ox.TECH", Field: "rating", Value: "d10"},
	}
	var b strings.Builder
	State(&b, style.Palette{}, lines, false)
	same(t, b.String(), `
  Valorus   star 3 · traits [SUNBLADE, FIREBLAST, KEEN_SENSES, DEXTROUS, LEAP]
            qualities [Risk Taker, Never Leaves a Friend]
            luck 2
  Al
  Bo        star 1
            LEAP d8 · CLAW d4 · Brave · TAIL d4
            luck 1
  Bo.BITE   rating d6 · times 4
  Bo.Suit   FLIGHT d8 · Loose after rain
  Dr. Ox    rating d6
            TECH d10
`)
	b.Reset()
	State(&b, style.New(true), lines, true)
	if got := style.Plain(b.String()); !strings.Contains(got, "star 3 · defeated no · traits") || got == b.String() {
		t.Errorf("all, in colour: %q", b.String())
	}
}

func TestRule(t *testing.T) {
	src := lang.NewSource("x/check.rules", "rule a = 1\n  @link.tier \"doc\"\n  rule b {\n\n    return 2\n  }\n")
	at := lang.Span{Src: src, Start: 13, End: int32(strings.LastIndexByte(src.Text, '}') + 1)}
	var b strings.Builder
	Rule(&b, style.Palette{}, assist.RuleInfo{ID: "x.link.tier", Doc: "A tier.", At: at})
	Rule(&b, style.Palette{}, assist.RuleInfo{ID: "x.talk", Doc: "Talk.", Recorded: true})
	same(t, b.String(), `
x.link.tier   computed
  A tier.

x/check.rules:2
  @link.tier "doc"
  rule b {
  
    return 2
  }
x.talk   recorded
  Talk.
`)
}

func TestError(t *testing.T) {
	src := lang.NewSource("a.scene", "use x\nrol\n")
	at := lang.Span{Src: src, Start: 6, End: 9}
	prompt := lang.Span{Src: lang.NewSource("", "rol"), Start: 0, End: 3}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("out of paper"), "out of paper\n"},
		{
			lang.Diagnostics{{Span: at, Message: "no rol", Help: "did you mean roll?"}},
			"a.scene:2:1: no rol\n   2 | rol\n     | ^^^ did you mean roll?\n",
		},
		{
			&interp.RunError{Kind: interp.Refused, Diag: &lang.Diagnostic{Span: at, Message: "no"}, Stack: []interp.Frame{{Name: "a", At: at}, {Name: "b", At: at}}},
			"a.scene:2:1: no\n   2 | rol\n     | ^^^\n",
		},
		{
			&interp.RunError{Kind: interp.Failed, Diag: &lang.Diagnostic{Span: at, Message: "no"}, Stack: []interp.Frame{{Name: "a", At: at}, {Name: "b", At: prompt}}},
			"a.scene:2:1: no\n   2 | rol\n     | ^^^\n   in a, a.scene:2\n   in b, line 1\n",
		},
		{
			&interp.RunError{Kind: interp.Limit, Diag: &lang.Diagnostic{Message: "too deep"}, Stack: []interp.Frame{{Name: "a", At: at}, {Name: "a", At: at}, {Name: "b", At: at}}},
			"too deep\n   in a, a.scene:2, 2 times\n   in b, a.scene:2\n",
		},
	} {
		var b strings.Builder
		Error(&b, style.Palette{}, c.err)
		same(t, b.String(), c.want)
	}
}

func TestUnmet(t *testing.T) {
	e := &interp.Event{Kind: interp.EventCheck, Events: []*interp.Event{
		{Kind: interp.EventExpect, Text: "expected 1 == 2"},
		{Kind: interp.EventChange},
	}}
	if ds := Unmet(e); len(ds) != 1 || ds[0].Message != "expected 1 == 2" {
		t.Errorf("%v", ds)
	}
	if !IsUnmet(&interp.RunError{Kind: interp.Expected}) || IsUnmet(&interp.RunError{Kind: interp.Refused}) || IsUnmet(nil) {
		t.Error("IsUnmet")
	}
}

// A tie is never put together with its neighbours, however many numbers there are.
func TestATieHasARowOfItsOwn(t *testing.T) {
	for _, from := range []int64{-40, -7, -1, 0, 3} {
		d := &dist.Distribution{Name: "margin", Numbers: true}
		for i := range int64(60) {
			n := big.NewRat(from+i, 1)
			d.Points = append(d.Points, dist.Point{Shown: n.RatString(), Number: n, P: 1.0 / 60})
		}
		var rows []string
		sum := 0.0
		for _, p := range joined(d) {
			rows = append(rows, p.Shown)
			sum += p.P
		}
		if from < 0 && !slices.Contains(rows, "0") {
			t.Errorf("from %d: no row of 0 in %v", from, rows)
		}
		if len(rows) > maxRows+2 || math.Abs(sum-1) > 1e-12 {
			t.Errorf("from %d: %d rows of weight %v", from, len(rows), sum)
		}
	}
}

// Of a check the outcome is shown first; what else there is has to be asked for.
func TestLead(t *testing.T) {
	point := func(names ...string) (ps []dist.Point) {
		for _, n := range names {
			ps = append(ps, dist.Point{Shown: n, P: 1 / float64(len(names))})
		}
		return ps
	}
	all := []*dist.Distribution{{Name: "outcome", Points: point("success", "failure")}, {Name: "total", Points: point("3", "4")}, {Name: "against", Points: point("8")}}
	for _, tt := range []struct {
		name   string
		choice Choice
		dists  []*dist.Distribution
		lead   int
		others string
	}{
		{"a check", Choice{}, all, 1, "total"},
		{"all of it", Choice{All: true}, all, 3, ""},
		{"what was asked for", Choice{Columns: []string{"total"}}, all[1:2], 1, ""},
		{"each or more", Choice{AtLeast: true}, all, 3, ""},
		{"reports", Choice{}, all[1:], 2, ""},
		{"an outcome that is certain", Choice{}, []*dist.Distribution{{Name: "outcome", Points: point("running")}, all[1]}, 2, ""},
	} {
		lead, others := tt.choice.Lead(tt.dists)
		if len(lead) != tt.lead || strings.Join(others, ",") != tt.others {
			t.Errorf("%s: %d shown, others %v", tt.name, len(lead), others)
		}
	}
}
