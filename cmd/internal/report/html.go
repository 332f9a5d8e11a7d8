//go:build !js

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"setpiece/interp/danger"
	"setpiece/lang"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"safe":    safe,
	"visible": lang.Visible,
	"bar":     barSVG,
	"swing":   fanSVG,
	"tornado": func(b Block, r Row) template.HTML { return tornadoSVG(&b, r) },
	"gauge":   gaugeSVG,
	"class":   func(b Block, i int) string { return columnClass(&b, i) },
	"drawn":   func(b Block) bool { return b.Tornado || len(b.Rows) > 0 && b.Rows[0].Bar >= 0 },
	"value":   func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
	"last":    func(i int, s []string) bool { return i == len(s)-1 },
}).Parse(pageText))

// HTML writes a page as one file that needs nothing else.
func HTML(w io.Writer, p *Page) error { return pageTemplate.Execute(w, p) }

// safe is a text of a script in one line. Package template escapes what HTML would read;
// what would turn or hide the letters around it goes here.
func safe(s string) string { return strings.Join(strings.Fields(lang.Visible(s)), " ") }

// shortCell is how many letters the cells of a column have at most that is never broken.
const shortCell = 9

// columnClass says whether a column holds figures.
func columnClass(b *Block, i int) string {
	rows := [][]string{b.Head}
	for _, r := range b.Rows {
		cells := make([]string, len(b.Head))
		copy(cells, r.Cells)
		rows = append(rows, cells)
	}
	if numeric(rows, i) {
		return "n"
	}
	for _, r := range rows {
		if len([]rune(r[i])) > shortCell {
			return ""
		}
	}
	return "k" // in one line
}

// The charts are drawn here. They hold numbers and words of ours only, and the names of
// rounds and scenes, which are escaped; what they show stands in a table as well.

func svgf(b *strings.Builder, format string, args ...any) { fmt.Fprintf(b, format, args...) }

// barSVG is a bar as wide as its share of the column.
func barSVG(p float64) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="8"/><rect class="fill" width="%.2f" height="8"/></svg>`, 100*min(max(p, 0), 1)))
}

// gaugeSVG is the chance at the top, with its interval.
func gaugeSVG(l Lead) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="6"/><rect class="fill" width="%.2f" height="6"/><rect class="band" x="%.2f" width="%.2f" height="6"/></svg>`,
		100*l.P, 100*l.Low, 100*(l.High-l.Low)))
}

// tornadoSVG is a bar to one side of the middle.
func tornadoSVG(b *Block, r Row) template.HTML {
	lo, hi := b.span()
	at := func(x float64) float64 { return 100 * (x - lo) / (hi - lo) }
	from, to, class := at(r.From), at(r.Bar), "up"
	if to < from {
		from, to, class = to, from, "down"
	}
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="8"/><rect class="%s" x="%.2f" width="%.2f" height="8"/><rect class="middle" x="%.2f" width="0.6" height="8"/></svg>`,
		class, from, to-from, at(b.Middle)-0.3))
}

// fanSVG draws how open the encounter is: the middle as a line, half of the trials and nine of
// ten of them as bands.
func fanSVG(id string, steps []danger.SwingStep) template.HTML {
	const width, height, left, right, top, bottom = 640.0, 240.0, 46.0, 14.0, 12.0, 44.0
	var b strings.Builder
	svgf(&b, `<svg class="fan" viewBox="0 0 %g %g" role="img" aria-labelledby="%s-t %s-d">`, width, height, id, id)
	svgf(&b, `<title id="%s-t">The chance after each step</title><desc id="%s-d">A fan of the chance: the middle as a line, half of the trials and nine of ten as bands. The table below has the figures.</desc>`, id, id)
	n := len(steps)
	x := func(i int) float64 {
		if n == 1 {
			return (left + width - right) / 2
		}
		return left + float64(i)*(width-left-right)/float64(n-1)
	}
	y := func(p float64) float64 { return top + (1-p)*(height-top-bottom) }
	for _, p := range []float64{0, 0.25, 0.5, 0.75, 1} {
		svgf(&b, `<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text class="axis" x="%g" y="%.1f" text-anchor="end">%g %%</text>`, left, width-right, y(p), y(p), left-6, y(p)+4, 100*p)
	}
	band := func(class string, lo, hi int) {
		if n == 1 {
			svgf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="40" height="%.1f"/>`, class, x(0)-20, y(steps[0].At[hi]), y(steps[0].At[lo])-y(steps[0].At[hi]))
			return
		}
		var points []string
		for i := range steps {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y(steps[i].At[hi])))
		}
		for i := n - 1; i >= 0; i-- {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y(steps[i].At[lo])))
		}
		svgf(&b, `<polygon class="%s" points="%s"/>`, class, strings.Join(points, " "))
	}
	band("wide", 0, 4)
	band("half", 1, 3)
	var line []string
	for i, s := range steps {
		line = append(line, fmt.Sprintf("%.1f,%.1f", x(i), y(s.At[2])))
	}
	svgf(&b, `<polyline class="mid" points="%s"/>`, strings.Join(line, " "))
	every := int(math.Ceil(float64(n) / 14))
	scene := ""
	for i, s := range steps {
		svgf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="3"/>`, x(i), y(s.At[2]))
		if i%every == 0 {
			label := strconv.Itoa(s.Round)
			if s.Round == 0 {
				label = "end"
			}
			svgf(&b, `<text class="axis" x="%.1f" y="%g" text-anchor="middle">%s</text>`, x(i), height-bottom+18, label)
		}
		if s.Scene != scene {
			scene = s.Scene
			svgf(&b, `<text class="axis scene" x="%.1f" y="%g" text-anchor="%s">%s</text>`, max(left, x(i)-8), height-bottom+36, "start", template.HTMLEscapeString(shorten(safe(scene), n, steps, i)))
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// shorten cuts the name of a scene where the next one begins.
func shorten(name string, n int, steps []danger.SwingStep, i int) string {
	span := 0
	for k := i; k < n && steps[k].Scene == steps[i].Scene; k++ {
		span++
	}
	room := int(float64(span) * 85 / float64(max(n, 1)))
	if room < 8 {
		return "" // the table has it
	}
	if r := []rune(name); len(r) > room {
		return string(r[:room-1]) + "…"
	}
	return name
}
