package interp_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// What the guide says that each variant does to the chance of the heroes in an encounter is so, as
// far as some trials can tell.
func TestFiguresOfVariants(t *testing.T) {
	guide, err := os.ReadFile("../stdlib/GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(\\w+)` \\| .* \\| ([a-z ]+) \\| (\\d+) → (\\d+) % \\|$").FindAllStringSubmatch(string(guide), -1)
	if len(rows) != 7 {
		t.Fatalf("the guide has %d variants", len(rows))
	}
	for _, row := range rows {
		file := "../scripts/" + row[2] + "/" + strings.ReplaceAll(row[3], " ", "_") + ".scene"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		side := func(text string) sim.Side {
			return sim.Side{Config: interp.Config{Modules: stdlib.FS}, Source: lang.NewSource(file, text)}
		}
		use := "use " + row[2]
		n := int64(longtest.Many(2000, 200))
		o, err := sim.Compare(t.Context(), side(string(text)), side(strings.Replace(string(text), use, use+" with "+row[1], 1)), sim.CompareConfig{Trials: n, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		d := o.Rows[0]
		was, _ := strconv.ParseFloat(row[4], 64)
		will, _ := strconv.ParseFloat(row[5], 64)
		luck := 3 * math.Sqrt(d.Value[0]*(1-d.Value[0])/float64(n))
		if !d.Chance || math.Abs(d.Value[0]-was/100) > luck+0.01 || math.Abs(d.By-(will-was)/100) > 1.6*d.Half+0.015 {
			t.Errorf("%s: the guide says %s -> %s %%, but %s is %+v", row[1], row[4], row[5], d.What, d)
		}
	}
}
