package resolve

import (
	"fmt"
	"slices"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// ReportName names one value of a report: as the script says, else as it is written.
func (f *Fn) ReportName(e *lang.Reported) string {
	switch as := e.As.(type) {
	case nil:
		return decl.Text(e.Value.Range())
	case *lang.Word:
		return as.Name
	case *lang.Name:
		return as.Name
	case *lang.Text:
		name := decl.Plain(as)
		if name != "" && !slices.ContainsFunc(as.Parts, func(e lang.Expr) bool { _, ok := e.(*lang.Lit); return !ok }) {
			return name
		}
	}
	f.Err(decl.ErrAt(e.As.Range(), "SP0403", "the name of a column must be a word or a plain text, as in: report winner as \"who wins\""))
	return ""
}

// ReportAt is one place at which a script reports something.
type ReportAt struct {
	At    int32
	Scene string // the title of what it stands in: a scene
}

// Reported is a value that a script reports.
type Reported struct {
	Column string
	At     lang.Span
}

// columnAt names what is reported at a place, and remembers it.
func (c *Script) columnAt(name string, at lang.Span) string {
	name = c.column(name, at)
	if c != nil && c.IsScript && !slices.Contains(c.Columns, Reported{name, at}) {
		c.Columns = append(c.Columns, Reported{name, at})
	}
	return name
}

// column names what is reported at a place. What a script reports at several places
// under the same name is told apart by the title of the scene it stands in, and where
// that does not do, by a number.
func (c *Script) column(name string, at lang.Span) string {
	if c == nil {
		return name
	}
	here := ReportAt{at.Start, c.TitleAround(at)}
	k := slices.Index(c.Reports[name], here)
	if k < 0 { // in a file that the script includes
		k = len(c.Reports[name])
		c.Reports[name] = append(c.Reports[name], here)
	}
	all := c.Reports[name]
	if len(all) == 1 {
		return name
	}
	if n := slices.IndexFunc(all, func(r ReportAt) bool { return r.At != here.At && r.Scene == here.Scene }); here.Scene != "" && n < 0 {
		return fmt.Sprintf("%s (%s)", name, here.Scene)
	}
	if k == 0 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, k+1)
}

// Titled is a block of a command that has a title.
type Titled struct {
	Block lang.Span
	Title string
}

// TitleAround gives the title of the innermost block with one around a place.
func (c *Script) TitleAround(at lang.Span) string {
	title := ""
	for _, t := range c.Titled { // outer blocks come before inner ones
		if t.Block.Start <= at.Start && at.End <= t.Block.End {
			title = t.Title
		}
	}
	return title
}
