package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp/why"
)

// Why shows what a chance is made of and what would move it.
func Why(w io.Writer, pal style.Palette, y *why.Why) {
	number := Decimal
	if y.Chance {
		number = func(x float64) string { return Percent(x, math.Abs(x-1) < 1e-12 || x == 0) }
	}
	half := func(x float64) string {
		switch {
		case y.Trials == 0:
			return ""
		case y.Chance:
			return fmt.Sprintf(" ±%.2f", 100*x)
		}
		return fmt.Sprintf(" ±%.4g", x)
	}
	fmt.Fprintf(w, "%s  %s%s\n", style.On(pal.Title, "goal"), number(y.Value), half(y.Half))
	if y.Stops > 0 {
		fmt.Fprintf(w, "%s: %s\n", style.On(pal.Bad, leftOut(y.Stops)), y.StopsAt)
	}
	how, likeliest := "how", "the likeliest"
	if y.Sampled != nil {
		how, likeliest = "how, as far as it is exact", "the likeliest of the exact ones"
	}
	switch {
	case len(y.Paths) > 0 && y.Chance && y.Paths[0].P < 0.0001:
		fmt.Fprintln(w, style.On(pal.Faint, "many ways lead to it; "+likeliest+" has less than 0.01 %"))
	case len(y.Paths) > 0 && y.Chance && y.Paths[0].P < 0.01*y.Value:
		fmt.Fprintln(w, style.On(pal.Faint, "many ways lead to it; "+likeliest+" has "+Percent(y.Paths[0].P, false)))
	case len(y.Paths) > 0 && y.Chance:
		fmt.Fprintln(w, style.On(pal.Title, how))
		var rows [][]string
		told := 0.0
		for _, p := range y.Paths {
			told += p.P
			falls := strings.Join(p.Falls, ", ")
			if falls == "" {
				falls = "without dice"
			}
			rows = append(rows, []string{"", Percent(p.P, p.P == 1), falls})
		}
		Table(w, rows)
		if rest := y.Value - told; rest > 1e-12 {
			fmt.Fprintln(w, style.On(pal.Faint, "  and "+Percent(rest, false)+" in other ways"))
		}
	}
	if len(y.Moves) == 0 {
		said := fmt.Sprintf("none of the %d changes tried moves it", y.Tried)
		switch {
		case y.Tried == 0 && y.Untried > 0:
			said = fmt.Sprintf("there was no time to try any of %d changes", y.Untried)
		case y.Trials > 0:
			said = fmt.Sprintf("nothing found that luck does not explain: %d changes were tried, with %d trials or more each, which leaves up to%s", y.Tried, y.Fewest, half(y.Within))
			if y.Untried > 0 {
				said += fmt.Sprintf("; %d were not tried", y.Untried)
			}
		case y.Untried > 0:
			said += fmt.Sprintf("; %d were not tried", y.Untried)
		}
		fmt.Fprintln(w, style.On(pal.Faint, said))
		return
	}
	fmt.Fprintln(w, style.On(pal.Title, "what would move it"))
	var rows [][]string
	for _, m := range y.Moves {
		by := fmt.Sprintf("%+.4g", m.Value-y.Value)
		if y.Chance {
			by = fmt.Sprintf("%+.2f %%", 100*(m.Value-y.Value))
		}
		rows = append(rows, []string{"", by + half(m.Half), number(m.Value), beside(pal, m.What, m.Stops)})
	}
	Table(w, rows)
	if y.Untried > 0 {
		fmt.Fprintln(w, style.On(pal.Faint, fmt.Sprintf("  tried: %d of %d changes", y.Tried, y.Tried+y.Untried)))
	}
}
