package transcript

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/interp"
	"setpiece/lang"
)

// statusWidth is how wide a line of Status may get.
const statusWidth = 100

// Status writes how everybody stands: names with what matters, those who stand alike
// together.
//
//	Ann: luck 2, life 7 · Goblin 1, Goblin 2: life 3 · Ogre: out
//
// What does not fit on a line goes on in the next, below column.
func Status(list []interp.Standing, p Palette, column int) string {
	var words []string
	var widths []int
	for _, s := range together(list) {
		color := p.Value
		if s.out {
			color = p.Faint
		}
		words = append(words, s.who+lang.Paint(color, s.how))
		widths = append(widths, runewidth.StringWidth(s.who+s.how))
	}
	return flow(words, widths, column, column)
}

// flow writes words one after the other with a dot between them, from a column on;
// what does not fit goes on in the next line, below another.
func flow(words []string, widths []int, at, column int) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case at+3+widths[i] > statusWidth:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteString(" · ")
			at += 3
		}
		b.WriteString(w)
		at += widths[i]
	}
	return b.String()
}

type standing struct {
	who, how string
	out      bool
}

// together puts those next to each other who stand alike into one.
func together(list []interp.Standing) []standing {
	var out []standing
	for _, s := range list {
		one := standing{oneLine(s.Who), how(s), s.Out}
		if n := len(out); n > 0 && out[n-1].how == one.how && out[n-1].out == one.out {
			out[n-1].who += ", " + one.who
			continue
		}
		out = append(out, one)
	}
	for i := range out {
		if out[i].how != "" {
			out[i].who += ": "
		}
	}
	return out
}

// how says how somebody stands. Of those who are out only that is said, not what
// they have left. Entries of one map share its name.
func how(s interp.Standing) string {
	var words []string
	name := ""
	for _, f := range s.Facts {
		if s.Out && f.Name != "" && f.Value != "" {
			continue
		}
		of := f.Name
		if f.Key != "" && of == name {
			of = ""
		}
		name = ""
		if f.Key != "" {
			name = f.Name
		}
		words = append(words, oneLine(strings.Join(strings.Fields(of+" "+f.Key+" "+f.Value), " ")))
	}
	if s.Out && len(words) == 0 {
		return "out"
	}
	return strings.Join(words, ", ")
}
