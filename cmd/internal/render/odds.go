package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/lang/late"
)

// maxRows is how many rows the distribution of a number may have; neighbours are put
// together where it has more values.
const maxRows = 24

// Percent shows a chance as a percentage. What is not certain is never shown as
// 0 or 100 %.
func Percent(p float64, certain bool) string {
	for digits := 2; digits < 15; digits++ {
		s := strconv.FormatFloat(100*p, 'f', digits, 64)
		f, _ := strconv.ParseFloat(s, 64)
		if p == 0 || certain || f > 0 && f < 100 {
			return s + " %"
		}
	}
	return strconv.FormatFloat(100*p, 'g', 3, 64) + " %"
}

// OneIn shows a chance of at most a half as one in so many.
func OneIn(p float64) string {
	switch n := 1 / p; {
	case p <= 0 || p > 0.5:
		return ""
	case n < 10:
		return "1 in " + strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
	case n < 1e6:
		return "1 in " + strconv.FormatFloat(math.Round(n), 'f', 0, 64)
	default:
		return "1 in " + strconv.FormatFloat(n, 'g', 3, 64)
	}
}

// Rest shows a weight that was not followed: a percentage, or, where that is next
// to nothing, a power of ten.
func Rest(p float64) string {
	if p >= 0.0001 {
		return Percent(p, false)
	}
	return fmt.Sprintf("%.1e", p)
}

// Fraction shows an exact chance, "" when it is not known or long.
func Fraction(r *big.Rat) string {
	if r == nil {
		return ""
	}
	if s := r.RatString(); len(s) <= 15 {
		return s
	}
	return ""
}

// bar draws a chance as a bar of blocks, in eighths.
func bar(p float64, width int) string {
	eighths := int(math.Round(p * float64(width) * 8))
	s := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[r-1])
	}
	return s
}

// Odds shows distributions one below the other; of what was sampled also how wide the interval
// of each chance is.
type Odds struct {
	Distributions []*dist.Distribution
	Width         int // of the terminal
	Palette       style.Palette
	Transposed    bool // several in one table, with a row for each value
}

// Write writes the distributions.
func (v *Odds) Write(w io.Writer) {
	width := v.Width
	if width <= 0 {
		width = 80
	}
	if v.Transposed && len(v.Distributions) > 1 {
		Beside(w, v.Palette, Titles(v.Distributions), v.Distributions, false)
		return
	}
	name := 0
	for _, l := range v.Distributions {
		name = max(name, runewidth.StringWidth(oneLine(l.Name)))
	}
	for _, l := range v.Distributions {
		if len(l.Points) == 1 {
			fmt.Fprintf(w, "%s  %s  %s\n", style.On(v.Palette.Title, runewidth.FillRight(oneLine(l.Name), name)), shown(l.Points[0].Shown), always(l))
			if unthrown(l.Points[0].Data) {
				fmt.Fprintf(w, "dice that are not thrown; their odds:  odds (throw %s).sum\n", l.Name)
			}
		}
	}
	for _, l := range v.Distributions {
		switch {
		case len(l.Points) > 1 && len(v.Distributions) > 1 && yesOrNo(l):
			v.line(w, l, name)
		case len(l.Points) > 1:
			v.law(w, l, width)
		}
	}
}

// unthrown says whether a value is dice that have not been thrown.
func unthrown(v interp.Value) bool {
	switch x := v.Is.(type) {
	case interp.Die:
		return x.Face == 0
	case interp.MadeDie:
		return true
	case []interp.Value:
		return len(x) > 0 && unthrown(x[0])
	}
	return false
}

// Titles gives the names of distributions, each in one line.
func Titles(dists []*dist.Distribution) (titles []string) {
	for _, l := range dists {
		titles = append(titles, oneLine(l.Name))
	}
	return titles
}

// always says of a column with one value how sure that is.
func always(l *dist.Distribution) string {
	switch least, _ := l.Bounds(l.Points[0]); {
	case l.Sampled == nil && least > 1-1e-9:
		return "always"
	case l.Sampled == nil:
		return "in at least " + Percent(least, false)
	case least > 0:
		return "in all trials, and surely in " + Percent(least, false)
	}
	return "in all trials"
}

// yesOrNo says that a distribution is not worth a table.
func yesOrNo(l *dist.Distribution) bool {
	return !slices.ContainsFunc(l.Points, func(p dist.Point) bool { return p.Shown != "yes" && p.Shown != "no" })
}

// half shows how far a chance that was sampled may be off.
func half(l *dist.Distribution, p dist.Point) string { return Percent(l.Half(p), true) }

// line shows a distribution in one line.
func (v *Odds) line(w io.Writer, l *dist.Distribution, name int) {
	var words []string
	for _, p := range l.Points {
		word := p.Shown + " " + Percent(p.P, false)
		if l.Sampled != nil {
			word += " ± " + half(l, p)
		} else if f := Fraction(p.Exact); f != "" {
			word += " (" + f + ")"
		}
		words = append(words, word)
	}
	fmt.Fprintf(w, "%s  %s\n", style.On(v.Palette.Title, runewidth.FillRight(l.Name, name)), strings.Join(words, ", "))
}

// worthSaying is the widest bound of a chance that says something about it.
const worthSaying = 0.25

// Sampled says in sentences how much of odds is exact where the rest was sampled, of all columns
// or of each of those that were solved on their own.
func Sampled(w io.Writer, p style.Palette, o *odds.Odds, dists []*dist.Distribution) {
	say := func(of string, x *dist.Sampled) {
		if x == nil {
			return
		}
		said := fmt.Sprintf("%sexact for %s of all cases; ± of the rest holds in 95 of 100 cases, estimated from %s",
			of, Percent(1-x.Weight, false), transcript.Count(int(x.Trials), "trial"))
		if x.Weight <= worthSaying {
			said += "; no chance can be off by more than " + Percent(x.Weight, false)
		}
		if x.Weight == 1 {
			said = fmt.Sprintf("%sestimated from %s; ± holds in 95 of 100 cases", of, transcript.Count(int(x.Trials), "trial"))
		}
		fmt.Fprintln(w, style.On(p.Faint, said))
	}
	if say("", o.Sampled); !o.ByColumn() {
		return
	}
	fmt.Fprintln(w, style.On(p.Faint, "each column was calculated on its own, since all of them together are too much"))
	for _, l := range dists {
		say(oneLine(l.Column)+": ", l.Sampled)
	}
}

// Remainder says in a sentence what was not followed, unless that is next to nothing.
func Remainder(w io.Writer, p style.Palette, rest float64) {
	if rest >= negligible {
		fmt.Fprintln(w, style.On(p.Faint, "the odds leave out "+Rest(rest)+" of all cases: each chance may be higher by that much"))
	}
}

// negligible is a weight that no figure shown would change for.
const negligible = 1e-6

func shown(s string) string {
	if s == "" {
		return "–"
	}
	return manyDice(oneLine(s))
}

var equalDice = late.Regexp(`\bd\d+(, d\d+){3,}`)

// manyDice counts equal dice of a list where they are four or more: [28d6].
func manyDice(s string) string {
	return equalDice().ReplaceAllStringFunc(s, func(list string) string {
		var out []string
		dice := strings.Split(list, ", ")
		for i := 0; i < len(dice); {
			n := 1
			for i+n < len(dice) && dice[i+n] == dice[i] {
				n++
			}
			if n < 4 {
				out = append(out, dice[i:i+n]...)
			} else {
				out = append(out, strconv.Itoa(n)+dice[i])
			}
			i += n
		}
		return strings.Join(out, ", ")
	})
}

// oneLine is a text of a script where one line is meant.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(lang.Visible(s), isBreak), " ") }

func isBreak(r rune) bool { return r == '\n' || r == '\t' }

// xmlText is a text of a script inside of XML, which knows no control characters
// and not every code point.
func xmlText(s string) string {
	return escaped.Replace(strings.Map(func(r rune) rune {
		if r == 0xFFFE || r == 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, oneLine(s)))
}

func (v *Odds) law(w io.Writer, l *dist.Distribution, width int) {
	fmt.Fprintln(w, style.On(v.Palette.Title, oneLine(l.Name)))
	points := joined(l)
	var rows [][]string
	most := 0.0
	for _, p := range points {
		row := []string{shown(p.Shown), Percent(p.P, false), Fraction(p.Exact), OneIn(p.P)}
		if l.Sampled != nil {
			row[2] = "± " + half(l, p.Point)
		}
		rows = append(rows, row)
		most = max(most, p.each())
	}
	wide := make([]int, 4)
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], runewidth.StringWidth(cell))
		}
	}
	room := width - 2
	for _, n := range wide {
		if n > 0 {
			room -= n + 3
		}
	}
	room = max(8, min(room, 40))
	for i, row := range rows {
		var b strings.Builder
		b.WriteString("  ")
		for k, cell := range row {
			switch {
			case wide[k] == 0:
				continue
			case k == 0 && !l.Numbers:
				b.WriteString(runewidth.FillRight(cell, wide[k]))
			default:
				b.WriteString(runewidth.FillLeft(cell, wide[k]))
			}
			b.WriteString("   ")
		}
		b.WriteString(style.On(v.Palette.Good, bar(points[i].each()/most, room)))
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	switch {
	case l.Numbers && l.Beyond == "":
		said := Summary(l)
		if runewidth.StringWidth(said)+2 > width {
			said = strings.Replace(said, "; ", "\n  ", 1)
		}
		fmt.Fprintln(w, style.On(v.Palette.Faint, "  "+said))
	case !l.Numbers && len(l.Points) > maxValues:
		fmt.Fprintln(w, style.On(v.Palette.Faint, "  "+tooMany(l)))
	}
}

// tooMany says how to ask for less than a distribution of many values that are no numbers.
func tooMany(l *dist.Distribution) string {
	said := Thousands(int64(len(l.Points))) + " results: the likeliest are shown"
	if list, ok := l.Points[0].Data.Is.([]interp.Value); ok && len(list) > 0 {
		said += fmt.Sprintf("; one of them:  odds %s[1]", oneLine(l.Name))
	}
	return said + "; all:  setpiece odds --csv"
}

// Summary tells mean, deviation and quantiles of a law of numbers.
func Summary(l *dist.Distribution) string {
	mean := Decimal(l.Mean())
	if f := Fraction(l.ExactMean()); strings.Contains(f, "/") {
		mean += " (" + f + ")"
	}
	s := "mean " + mean + ", deviation " + Decimal(l.Deviation())
	var shares, values []string
	for _, share := range dist.Shares {
		shares, values = append(shares, percentile(share)), append(values, l.Quantile(share).Shown)
	}
	return s + "; " + strings.Join(shares, " ") + ": " + strings.Join(values, " ")
}

// percentile names a quantile.
func percentile(share float64) string { return Decimal(100*share) + " %" }

// summaries gives rows with what is told of distributions of numbers besides their chances: the mean, the deviation and
// quantiles. There are none where one of them is of something else.
func summaries(dists []*dist.Distribution) (rows [][]string) {
	if slices.ContainsFunc(dists, func(l *dist.Distribution) bool { return !l.Numbers || l.Beyond != "" }) {
		return nil
	}
	add := func(name string, of func(*dist.Distribution) string) {
		row := []string{name}
		for _, l := range dists {
			row = append(row, of(l))
		}
		rows = append(rows, row)
	}
	add("mean", func(l *dist.Distribution) string { return Decimal(l.Mean()) })
	add("deviation", func(l *dist.Distribution) string { return Decimal(l.Deviation()) })
	for _, share := range dist.Shares {
		add(percentile(share), func(l *dist.Distribution) string { return l.Quantile(share).Shown })
	}
	return rows
}

// Decimal shows a number with four decimals at most.
func Decimal(f float64) string {
	s := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 4, 64), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// rare is the weight up to which the ends of a long law are shown as one row.
const rare = 0.0005

// maxValues is how many values that are no numbers are all shown.
const maxValues = 200

// row is a point as it is shown: several neighbours together.
type row struct {
	dist.Point
	many int
}

// each is how likely one of the neighbours is: bars show that, so that a row of fewer looks like the others.
func (r row) each() float64 { return r.P / float64(r.many) }

// joined gives the points of a law as they are shown: where there are many numbers, those that hardly ever come
// at both ends are put together, and then neighbours; of sums those are left out that are nearly sure or nearly
// nothing, but for the nearest.
func joined(l *dist.Distribution) (rows []row) {
	add := func(p dist.Point, n int) { rows = append(rows, row{p, n}) }
	all := l.Points
	lo, hi := 0, len(all)
	switch {
	case !l.Numbers && len(all) > maxValues:
		for _, p := range all[:maxRows] {
			add(p, 1)
		}
		rest := together(all[maxRows:])
		rest.Shown = Thousands(int64(len(all)-maxRows)) + " others"
		add(rest, len(all)-maxRows)
		return rows
	case !l.Numbers || len(all) <= 12:
	case l.Beyond != "":
		sure := func(p dist.Point) bool { return p.P < rare || p.P > 1-rare }
		for lo+1 < hi && sure(all[lo+1]) {
			lo++
		}
		for hi-1 > lo && sure(all[hi-2]) {
			hi--
		}
	default:
		for sum := all[lo].P; sum < rare && lo < hi-2; sum += all[lo].P {
			lo++
		}
		for sum := all[hi-1].P; sum < rare && hi > lo+2; sum += all[hi-1].P {
			hi--
		}
		if lo > 0 {
			p := together(all[:lo])
			p.Shown = all[lo-1].Shown + " or less"
			add(p, lo)
		}
		for _, part := range intoRows(all[lo:hi]) {
			add(together(part), len(part))
		}
		if hi < len(all) {
			p := together(all[hi:])
			p.Shown = all[hi].Shown + " or more"
			add(p, len(all)-hi)
		}
		return rows
	}
	for _, p := range all[lo:hi] {
		add(p, 1)
	}
	return rows
}

// intoRows parts the numbers of a long distribution into rows. Zero has a row of its own
// where there are numbers on both sides: a margin of 0 is a tie.
func intoRows(points []dist.Point) [][]dist.Point {
	size := (len(points) + maxRows - 1) / maxRows
	for more := size; more < 2*size && size > 1; more++ {
		if len(points)%more == 0 {
			size = more
			break
		}
	}
	zero := slices.IndexFunc(points, func(p dist.Point) bool { return p.Number.Sign() >= 0 })
	if zero <= 0 || points[zero].Number.Sign() > 0 || zero == len(points)-1 {
		return slices.Collect(slices.Chunk(points, size))
	}
	rows := slices.Collect(slices.Chunk(points[:zero], size))
	rows = append(rows, points[zero:zero+1])
	return slices.AppendSeq(rows, slices.Chunk(points[zero+1:], size))
}

// together makes one row of neighbours.
func together(part []dist.Point) dist.Point {
	p := dist.Point{Shown: part[0].Shown, Exact: new(big.Rat)}
	if len(part) > 1 {
		p.Shown += ".." + part[len(part)-1].Shown
	}
	for _, q := range part {
		p.P += q.P
		p.Solved += q.Solved
		p.Trials += q.Trials
		if q.Exact == nil {
			p.Exact = nil
		} else if p.Exact != nil {
			p.Exact.Add(p.Exact, q.Exact)
		}
	}
	return p
}

// maxDiffer is how many laws are shown with how each differs from the first.
const maxDiffer = 4

// Beside shows laws side by side, with a row for each value, and, where they are to be compared, how each differs
// from the first.
func Beside(w io.Writer, pal style.Palette, titles []string, dists []*dist.Distribution, differ bool) {
	differ = differ && len(dists) <= maxDiffer
	heads := titles
	if differ || wider(titles, 10) {
		heads = lettered(w, pal, titles)
	}
	var rows [][]string
	head := []string{""}
	if differ {
		head[0] = dists[0].Name
	}
	for i, h := range heads {
		if head = append(head, h); i > 0 && differ {
			head = append(head, h+" - A")
		}
	}
	rows = append(rows, head)
	for _, v := range valuesOf(dists) {
		row := []string{shown(v.Shown)}
		first, off := 0.0, 0.0
		for i, l := range dists {
			point := l.At(v)
			p, half := point.P, l.Half(point)
			if i == 0 {
				first, off = p, half
			}
			cell := runewidth.FillLeft(Percent(p, (p == 0 || p == 1) && half == 0), 8)
			if half > 0 {
				cell += " ± " + Percent(half, true)
			}
			if row = append(row, cell); i > 0 && differ {
				row = append(row, signed(pal, p-first, math.Hypot(half, off)))
			}
		}
		rows = append(rows, row)
	}
	if !differ {
		rows = append(rows, summaries(dists)...)
	}
	Table(w, rows)
}

// wider says whether some title is too wide for the head of a column.
func wider(titles []string, most int) bool {
	return slices.ContainsFunc(titles, func(t string) bool { return runewidth.StringWidth(t) > most })
}

// lettered writes which letter stands for which title, and gives the letters.
func lettered(w io.Writer, pal style.Palette, titles []string) []string {
	var heads []string
	for i, t := range titles {
		heads = append(heads, letter(i))
		fmt.Fprintf(w, "%s  %s\n", style.On(pal.Title, letter(i)), t)
	}
	return heads
}

// valuesOf gives all values of distributions, numbers in order.
func valuesOf(dists []*dist.Distribution) (points []dist.Point) {
	seen := map[string]bool{}
	for _, l := range dists {
		for _, p := range l.Points {
			if !seen[p.Shown] {
				seen[p.Shown] = true
				points = append(points, p)
			}
		}
	}
	if dists[0].Numbers {
		slices.SortStableFunc(points, func(a, b dist.Point) int {
			if a.Number == nil || b.Number == nil {
				return strings.Compare(a.Shown, b.Shown)
			}
			return a.Number.Cmp(b.Number)
		})
	}
	return points
}

// letter names the columns of a table: A to Z, then A1, B1, …
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letter(i%26) + strconv.Itoa(i/26)
}

// signed shows a difference that may be off by half, each side having dice of its own.
func signed(pal style.Palette, d, half float64) string {
	switch {
	case half == 0 && math.Abs(d) < 5e-15:
		return "="
	case half == 0:
		return fmt.Sprintf("%+.2f %%", 100*d)
	}
	cell := fmt.Sprintf("%+.2f %% ±%.2f", 100*d, 100*half)
	if math.Abs(d) <= half {
		return style.On(pal.Faint, cell+" may be luck")
	}
	return cell
}

// CSV writes distributions as rows of column, value, chance and exact chance. Of several scripts a
// column in front says which one it is, of A; first says that nothing was written before. A spreadsheet would
// compute a text that begins as a formula does, so an apostrophe stands before it, as OWASP
// advises (CSV Injection).
func CSV(w io.Writer, of string, first bool, dists []*dist.Distribution) error {
	c := csv.NewWriter(w)
	var script []string
	if of != "" {
		script = []string{inert(of)}
	}
	switch {
	case first && of != "":
		c.Write([]string{"script", "column", "value", "p", "exact", "half"})
	case first:
		c.Write([]string{"column", "value", "p", "exact", "half"})
	}
	for _, l := range dists {
		for _, p := range l.Points {
			exact := ""
			if p.Exact != nil {
				exact = p.Exact.RatString()
			}
			within := ""
			if l.Sampled != nil {
				within = strconv.FormatFloat(l.Half(p), 'g', 6, 64)
			}
			value := p.Shown
			if p.Number == nil {
				value = inert(value)
			}
			c.Write(append(slices.Clip(script), inert(l.Name), value, strconv.FormatFloat(p.P, 'g', -1, 64), exact, within))
		}
	}
	c.Flush()
	return c.Error()
}

// CSVBeside writes distributions as one table, with a row for each value and for each of their figures.
func CSVBeside(w io.Writer, titles []string, dists []*dist.Distribution) error {
	c := csv.NewWriter(w)
	head := []string{"value"}
	for _, t := range titles {
		head = append(head, inert(t))
	}
	c.Write(head)
	for _, v := range valuesOf(dists) {
		row := []string{v.Shown}
		if v.Number == nil {
			row[0] = inert(v.Shown)
		}
		for _, l := range dists {
			row = append(row, strconv.FormatFloat(l.At(v).P, 'g', -1, 64))
		}
		c.Write(row)
	}
	c.WriteAll(summaries(dists))
	return c.Error()
}

// inert is a text that a spreadsheet does not compute.
func inert(text string) string {
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}

// svgStyle is how a picture looks, by day and by night.
const svgStyle = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; font-variant-numeric: tabular-nums }
.title { font-size: 15px; font-weight: 600 }
.value { text-anchor: end }
.chance, .summary { fill: #656d76 }
.bar { fill: #4a7fb5 }
.page { fill: #fff }
.axis { fill: #d0d7de }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .chance, .summary { fill: #9198a1 } .bar { fill: #5f9bd8 } .page { fill: #0d1117 } .axis { fill: #3d444d }
}
</style>
`

// SVG writes distributions as bar charts, one below the other, with the summary of numbers.
func SVG(w io.Writer, dists []*dist.Distribution) error {
	const line, left, barWidth, right, gap = 20, 160, 360, 120, 24
	var b strings.Builder
	y := gap
	for _, l := range dists {
		fmt.Fprintf(&b, `<text class="title" x="16" y="%d">%s</text>`+"\n", y+10, xmlText(l.Name))
		y += line
		most := 0.0
		points := joined(l)
		for _, p := range points {
			most = max(most, p.each())
		}
		fmt.Fprintf(&b, `<rect class="axis" x="%d" y="%d" width="1" height="%d"/>`+"\n", left-1, y, line*len(points))
		for _, p := range points {
			long := max(1, float64(barWidth)*p.each()/most)
			fmt.Fprintf(&b, `<text class="value" x="%d" y="%d">%s</text>`, left-8, y+14, xmlText(runewidth.Truncate(shown(p.Shown), 20, "…")))
			fmt.Fprintf(&b, `<rect class="bar" x="%d" y="%d" width="%.2f" height="%d" rx="2"/>`, left, y+2, long, line-4)
			fmt.Fprintf(&b, `<text class="chance" x="%.2f" y="%d">%s</text>`+"\n", left+long+6, y+14, Percent(p.P, p.P == 1))
			y += line
		}
		if l.Numbers && l.Beyond == "" {
			fmt.Fprintf(&b, `<text class="summary" x="16" y="%d">%s</text>`+"\n", y+18, xmlText(Summary(l)))
			y += line
		}
		y += gap
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d">`+"\n"+
		`%[3]s<rect class="page" width="100%%" height="100%%"/>`+"\n%[4]s</svg>\n", left+barWidth+right, y, svgStyle, b.String())
	return err
}

// maxDecisions is how many decisions are shown.
const maxDecisions = 12

// Decisions shows the decisions made for the best: each option with what the goal
// comes to with it, the one that is taken marked.
func Decisions(w io.Writer, pal style.Palette, o *odds.Odds) {
	if o.Decisions == nil {
		return
	}
	goal := Decimal(o.Value)
	if o.Sampled != nil {
		goal += " ± " + Decimal(o.Half) + " with the best answers as far as the odds are exact, and the defaults after that"
		if o.Least < o.Most {
			goal += "; no answers can give more than " + Decimal(o.Most)
		}
	}
	fmt.Fprintf(w, "%s  %s\n", style.On(pal.Title, "goal"), goal)
	if stops, _ := o.Stops(); stops > 0 && stops < 1 {
		fmt.Fprintln(w, style.On(pal.Bad, "  "+leftOut(stops)))
	}
	matters := slices.DeleteFunc(slices.Clone(o.Decisions), func(d odds.Decision) bool {
		return slices.Max(d.Values)-slices.Min(d.Values) < 1e-9
	})
	defer func() {
		lessOften(w, pal, len(matters))
		moreDecisions(w, pal, len(o.Decisions)-len(matters), "in which every answer is worth the same", "in which every answer is worth the same")
	}()
	for _, d := range matters[:min(len(matters), maxDecisions)] {
		decisionHead(w, pal, d.Who, d.Prompt, d.Cost, d.Weight)
		if d.When != "" {
			fmt.Fprintln(w, style.On(pal.Faint, "    with "+runewidth.Truncate(d.When, 90, "…")))
		}
		for k, option := range d.Options {
			stops := 0.0
			if d.Stops != nil {
				stops = d.Stops[k]
			}
			decisionOption(w, pal, option, beside(pal, Decimal(d.Values[k]), stops), k == d.Taken)
		}
	}
}

// lessOften counts the decisions that are not listed because others come up more often.
func lessOften(w io.Writer, pal style.Palette, n int) {
	moreDecisions(w, pal, n-maxDecisions, "that comes up less often", "that come up less often")
}

func moreDecisions(w io.Writer, pal style.Palette, n int, one, several string) {
	switch {
	case n == 1:
		fmt.Fprintln(w, style.On(pal.Faint, "  and one decision "+one))
	case n > 1:
		fmt.Fprintln(w, style.On(pal.Faint, fmt.Sprintf("  and %d decisions %s", n, several)))
	}
}

// decisionHead writes who decides what, and how often that comes up.
func decisionHead(w io.Writer, pal style.Palette, who, prompt, cost string, weight float64) {
	if who != "" {
		prompt = who + ": " + prompt
	}
	if cost != "" {
		prompt += " (" + cost + ")"
	}
	fmt.Fprintf(w, "  %s   %s\n", prompt, style.On(pal.Faint, "comes up in "+Percent(weight, weight >= 1)))
}

// beside writes what an answer or a change is worth, and how much of it stops with an
// error, which that figure leaves out.
func beside(pal style.Palette, worth string, stops float64) string {
	switch {
	case stops == 0:
		return worth
	case stops > 1-1e-12:
		return style.On(pal.Bad, "always stops with an error")
	}
	return worth + style.On(pal.Bad, "   "+Percent(stops, false)+" stops with an error")
}

func decisionOption(w io.Writer, pal style.Palette, option, worth string, taken bool) {
	mark, line := "  ", fmt.Sprintf("%s   %s", runewidth.FillRight(option, 12), worth)
	if taken {
		mark, line = "> ", style.On(pal.Good, line)
	}
	fmt.Fprintln(w, "    "+mark+line)
}

// leftOut says that a figure leaves out what stops.
func leftOut(share float64) string {
	return Percent(share, false) + " stops with an error; the figures are about the rest"
}

// Policy writes the answers that trials find best, and what each is worth, as Decisions
// does with exact odds.
func Policy(w io.Writer, pal style.Palette, o *advice.Policy) {
	worth := func(v, half float64) string { return fmt.Sprintf("%s ± %s", Decimal(v), Decimal(half)) }
	fmt.Fprintf(w, "%s  %s with the best answers found, %s with the defaults\n", style.On(pal.Title, "goal"),
		worth(o.Value, o.Half), worth(o.Default, o.Within))
	if o.Stops > 0 {
		fmt.Fprintln(w, style.On(pal.Bad, "  "+leftOut(o.Stops)))
	}
	if len(o.Decisions) == 0 {
		fmt.Fprintln(w, style.On(pal.Faint, "  clauses and tactics make every decision"))
		return
	}
	untried := 0
	for _, d := range o.Decisions[:min(len(o.Decisions), maxDecisions)] {
		decisionHead(w, pal, d.Who, d.Prompt, d.Cost, d.Weight)
		for k, option := range d.Options {
			said := Decimal(d.Values[k])
			switch {
			case k == d.Default:
				said += "   default"
			case !d.Tried:
				said = "not tried"
			default:
				said = worth(d.Values[k], d.Half[k])
			}
			if d.Tried || k == d.Default {
				said = beside(pal, said, d.Stops[k])
			}
			decisionOption(w, pal, option, said, k == d.Taken)
		}
		if !d.Tried {
			untried++
		}
	}
	lessOften(w, pal, len(o.Decisions))
	said := fmt.Sprintf("%d trials for each answer, the same dice for all; each decision is answered the same way whenever it comes up", o.Trials)
	if untried > 0 {
		said += "; there was no time for the rest (--time)"
	}
	fmt.Fprintln(w, style.On(pal.Faint, said))
	fmt.Fprintln(w, style.On(pal.Faint, "the best answer to one decision depends on how things stand: type ? at it in setpiece play"))
}
