package render

import (
	"fmt"
	"io"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
)

// DecisionList writes a list of decisions: the name that tactics answer, who is asked and
// what, and below that the answers, the default and when it is offered, as the rules
// write them.
func DecisionList(w io.Writer, p style.Palette, list []interp.DecisionInfo) {
	for _, d := range list {
		fmt.Fprintf(w, "%s", style.On(p.Title, d.Name))
		if d.Prompt != "" {
			fmt.Fprintf(w, "   %s", d.Prompt)
		}
		if d.Rule != "" {
			fmt.Fprintf(w, "   %s", style.On(p.Faint, d.Rule))
		}
		who := d.Who
		if d.Unasked {
			who += " (no person is asked: answer in a clause or in tactics)"
		}
		fmt.Fprintf(w, "\n  asks     %s\n  answers  %s\n  default  %s\n", who, d.Options, d.Default)
		if d.Cost != "" {
			fmt.Fprintf(w, "  costs    %s\n", d.Cost)
		}
		if d.When != "" {
			fmt.Fprintf(w, "  when     %s\n", d.When)
		}
		if d.Doc != "" {
			fmt.Fprintf(w, "  rule     %s\n", style.On(p.Faint, d.Doc))
		}
	}
}
