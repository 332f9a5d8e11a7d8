package compile

import (
	"fmt"
	"slices"

	"setpiece/lang"
)

// reportName names one value of a report: as the script says, else as it is written.
func (f *fn) reportName(e *lang.Reported) string {
	switch as := e.As.(type) {
	case nil:
		return text(e.Value.Range())
	case *lang.Word:
		return as.Name
	case *lang.Name:
		return as.Name
	case *lang.Text:
		name := plain(as)
		if name != "" && !slices.ContainsFunc(as.Parts, func(e lang.Expr) bool { _, ok := e.(*lang.Lit); return !ok }) {
			return name
		}
	}
	f.err(errAt(e.As.Range(), "the name of a column must be a word or a plain text, as in: report winner as \"who wins\""))
	return ""
}

// reportAt is one place at which a script reports something.
type reportAt struct {
	at    int32
	scene string // the title of what it stands in: a scene
}

// Reported is a value that a script reports.
type Reported struct {
	Column string
	At     lang.Span
}

// columnAt names what is reported at a place, and remembers it.
func (c *Script) columnAt(name string, at lang.Span) string {
	name = c.column(name, at)
	if c != nil && c.isScript && !slices.Contains(c.columns, Reported{name, at}) {
		c.columns = append(c.columns, Reported{name, at})
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
	here := reportAt{at.Start, c.titleAround(at)}
	k := slices.Index(c.reports[name], here)
	if k < 0 { // in a file that the script includes
		k = len(c.reports[name])
		c.reports[name] = append(c.reports[name], here)
	}
	all := c.reports[name]
	if len(all) == 1 {
		return name
	}
	if n := slices.IndexFunc(all, func(r reportAt) bool { return r.at != here.at && r.scene == here.scene }); here.scene != "" && n < 0 {
		return fmt.Sprintf("%s (%s)", name, here.scene)
	}
	if k == 0 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, k+1)
}

// findReports notes what a script reports where, so that the columns can be told apart.
func (c *collector) findReports(file *lang.File) {
	c.reports = map[string][]reportAt{}
	c.titled = nil
	f := &fn{}
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Test:
			return false
		case *lang.Command:
			if n.Block == nil {
				break
			}
			for _, a := range n.Args {
				if t, ok := a.Expr.(*lang.Text); ok {
					c.titled = append(c.titled, titled{n.Block.Span, plain(t)})
					break
				}
			}
		case *lang.Reported:
			name := f.reportName(n)
			c.reports[name] = append(c.reports[name], reportAt{n.Start, c.titleAround(n.Span)})
		}
		return true
	})
}

// titled is a block of a command that has a title.
type titled struct {
	block lang.Span
	title string
}

// titleAround gives the title of the innermost block with one around a place.
func (c *Script) titleAround(at lang.Span) string {
	title := ""
	for _, t := range c.titled { // outer blocks come before inner ones
		if t.block.Start <= at.Start && at.End <= t.block.End {
			title = t.title
		}
	}
	return title
}
