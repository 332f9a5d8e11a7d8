package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"setpiece/cmd/internal/style"
	"setpiece/interp/sim"
)

// Comparison writes how two scripts differ by pairs of trials, a row for each figure.
func Comparison(w io.Writer, pal style.Palette, titles []string, o *sim.Comparison) {
	heads := titles
	if wider(titles, 32) {
		heads = lettered(w, pal, titles)
	}
	rows := [][]string{{"", heads[0], heads[1], "difference"}}
	for i := range o.Rows {
		d := &o.Rows[i]
		rows = append(rows, []string{d.What, valueOf(d, d.Value[0]), valueOf(d, d.Value[1]), difference(pal, d)})
	}
	Table(w, rows)
	for i, share := range o.Stops {
		if share > 0 {
			fmt.Fprintf(w, "%s  %s   %s\n", style.On(pal.Bad, "stops"), Percent(share, share == 1), titles[i])
		}
	}
	text := "%s trials of each with the same dice, seed %d; ± of the difference holds in 95 of 100 cases"
	fmt.Fprintln(w, style.On(pal.Faint, fmt.Sprintf(text, Thousands(o.Trials), o.Seed)))
}

// CSVDifferences writes the same as rows below those of the odds of two scripts.
func CSVDifferences(w io.Writer, titles []string, o *sim.Comparison) error {
	c := csv.NewWriter(w)
	for _, d := range o.Rows {
		c.Write([]string{inert(titles[1] + " - " + titles[0]), inert(d.What), "", strconv.FormatFloat(d.By, 'g', -1, 64), "", strconv.FormatFloat(d.Half, 'g', 6, 64)})
	}
	c.Flush()
	return c.Error()
}

func valueOf(d *sim.Difference, x float64) string {
	if d.Chance {
		return fmt.Sprintf("%.2f %%", 100*x)
	}
	return Decimal(x)
}

// difference shows by how much a figure differs, and whether that may be luck.
func difference(pal style.Palette, d *sim.Difference) string {
	cell := fmt.Sprintf("%+.4g ±%.2g", d.By, d.Half)
	if d.Chance {
		cell = fmt.Sprintf("%+.2f %% ±%.2f", 100*d.By, 100*d.Half)
	}
	if d.By == 0 && d.Half == 0 {
		return "=" // in every pair
	}
	if d.Sure() {
		return style.On(pal.Good, cell)
	}
	return style.On(pal.Faint, cell+" may be luck")
}
