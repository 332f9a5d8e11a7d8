package render

import (
	"math/big"
	"strings"
	"testing"

	"setpiece/interp/dist"
)

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		p       float64
		certain bool
		want    string
	}{
		{0.5, false, "50.00 %"},
		{1, true, "100.00 %"},
		{0, false, "0.00 %"},
		{0.99996, false, "99.996 %"},
		{0.999999, false, "99.9999 %"},
		{0.00001, false, "0.001 %"},
	} {
		if got := Percent(tt.p, tt.certain); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.p, got, tt.want)
		}
	}
}

func TestOneIn(t *testing.T) {
	for p, want := range map[float64]string{0: "", 0.75: "", 0.5: "1 in 2", 1.0 / 12: "1 in 12", 1.0 / 3.6: "1 in 3.6", 1e-7: "1 in 1e+07"} {
		if got := OneIn(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

func TestBar(t *testing.T) {
	for p, want := range map[float64]string{0: "", 1: "████", 0.5: "██", 1.0 / 32: "▏", 0.28125: "█▏"} {
		if got := bar(p, 4); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

// A long law is shown in few rows, and none of its weight is lost.
func TestJoined(t *testing.T) {
	l := &dist.Distribution{Name: "n", Numbers: true}
	for n := range int64(100) {
		p := 0.01
		if n < 5 {
			p = 0.00001
		}
		l.Points = append(l.Points, dist.Point{Shown: big.NewInt(n).String(), Number: big.NewRat(n, 1), P: p})
	}
	rows := joined(l)
	if len(rows) > maxRows+2 {
		t.Errorf("%d rows", len(rows))
	}
	if rows[0].Shown != "4 or less" {
		t.Errorf("the first row is %q", rows[0].Shown)
	}
	sum, all := 0.0, 0.0
	for _, p := range rows {
		sum += p.P
	}
	for _, p := range l.Points {
		all += p.P
	}
	if d := sum - all; d > 1e-12 || d < -1e-12 {
		t.Errorf("%v of %v is shown", sum, all)
	}
}

// A spreadsheet computes no text of a script, and numbers stay numbers.
func TestCSVIsInert(t *testing.T) {
	text := func(s string) dist.Point { return dist.Point{Shown: s, P: 0.25} }
	var b strings.Builder
	if err := CSV(&b, "", true, []*dist.Distribution{{Name: "@name", Points: []dist.Point{
		text("=cmd|' /C calc'!A0"), text("+1"), text("a-b"), {Shown: "-2", Number: big.NewRat(-2, 1), P: 0.25},
	}}}); err != nil {
		t.Fatal(err)
	}
	want := "column,value,p,exact,half\n'@name,'=cmd|' /C calc'!A0,0.25,,\n'@name,'+1,0.25,,\n'@name,a-b,0.25,,\n'@name,-2,0.25,,\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
