package render

import (
	"fmt"
	"io"

	"setpiece/cmd/internal/style"
	"setpiece/interp/assist"
)

// DecisionList writes a list of decisions: the name that tactics answer, who is asked and
// what, and below that the answers, the default and when it is offered. All of it
// is in words; what only the script says is left to it.
func DecisionList(w io.Writer, p style.Palette, list []assist.DecisionInfo) {
	for _, d := range list {
		fmt.Fprintf(w, "%s", style.On(p.Title, d.Name))
		said := d.Words
		if said.Prompt != "" {
			fmt.Fprintf(w, "   %s", said.Prompt)
		}
		if d.Rule != "" {
			fmt.Fprintf(w, "   %s", style.On(p.Faint, d.Rule))
		}
		who := said.Who
		if d.Unasked {
			who += " (no person is asked: answer in a clause or in tactics)"
		}
		if said.Options == "" {
			said.Options = "what the rules allow then"
		}
		fmt.Fprintf(w, "\n  asks     %s\n  answers  %s\n  default  %s\n", who, said.Options, said.Default)
		if d.Cost != "" {
			fmt.Fprintf(w, "  costs    %s\n", d.Cost)
		}
		if said.When != "" {
			fmt.Fprintf(w, "  when     %s\n", said.When)
		}
		if said.Usual != "" {
			fmt.Fprintf(w, "  as usual %s\n", said.Usual)
		}
		if d.Doc != "" {
			fmt.Fprintf(w, "  rule     %s\n", style.On(p.Faint, d.Doc))
		}
	}
}
