package goals

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// What somebody wants who decides: a goal is reported like any other column, and its mean is what
// an option is worth.

// WithGoal has a text report a goal, which AimOf gave, at its end, and the outcome before that if
// it reports nothing itself.
func WithGoal(ctx context.Context, src *lang.Source, goal string) (*lang.Source, error) {
	return ReportGoal(ctx, src, goal, true)
}

// ReportGoal has a text report a goal at its end, with the outcome or without it.
func ReportGoal(ctx context.Context, src *lang.Source, goal string, outcome bool) (*lang.Source, error) {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, interp.Uncompiled(src, err)
	}
	if core.Failed(diags) {
		return nil, diags
	}
	before := "report "
	if outcome && !slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool { _, ok := s.(*lang.Report); return ok }) {
		before = "report last.outcome as outcome\nreport "
	}
	return withLine(src, before, cmp.Or(goal, "last.outcome == success")), nil
}

// AlsoReporting has a text report a goal at its end.
func AlsoReporting(src *lang.Source, goal string) *lang.Source { return withLine(src, "report ", goal) }

// withLine puts a line that ends with a goal behind a text.
func withLine(src *lang.Source, before, goal string) *lang.Source {
	return src.Given(len(strings.TrimRight(src.Text, " \t\r\n")), "\n"+before, goal, "\n", FromGoal)
}

// FromGoal is what messages call the goal that a caller gives.
const FromGoal = "--goal"

// ReportsOf finds where a text itself reports something, and how many values.
func ReportsOf(ctx context.Context, src *lang.Source) (reports []*lang.Report, values int) {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil || core.Failed(diags) {
		return nil, 0
	}
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Test:
			return false
		case *lang.Report:
			reports = append(reports, n)
			values += len(n.Values)
		}
		return true
	})
	return reports, values
}

// Reporting makes a report of the expressions that a text ends with, if it does. A word alone is one if it names
// a variable of the text, or of the run in which it stands (nil where it stands in none).
func Reporting(ctx context.Context, run *core.Run, src *lang.Source) *lang.Source {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil || core.Failed(diags) || len(file.Stmts) == 0 {
		return src
	}
	var edits []lang.Edit
	for _, s := range slices.Backward(file.Stmts) {
		if _, ok := s.(*lang.ExprStmt); !ok && !variable(file, run, s) {
			break
		}
		start := s.Range().Start
		edits = append(edits, lang.Edit{Span: lang.Span{Src: src, Start: start, End: start}, New: "report "})
	}
	if len(edits) == 0 {
		return src
	}
	return src.Unseen(edits...)
}

// variable says whether a statement is the name of a variable.
func variable(file *lang.File, run *core.Run, s lang.Stmt) bool {
	c, ok := s.(*lang.Command)
	if !ok || c.Who != nil || len(c.Args) > 0 || c.Block != nil {
		return false
	}
	w, ok := c.Head.(*lang.Word)
	if !ok {
		return false
	}
	if run != nil {
		if _, ok := run.World.Cells[w.Name]; ok {
			return true
		}
	}
	return lets(file, w.Name)
}

// lets says whether a text itself has a variable of that name.
func lets(file *lang.File, name string) bool {
	return slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool {
		let, ok := s.(*lang.Let)
		return ok && let.Name.Name == name
	})
}
