package render

import (
	"fmt"
	"io"

	"setpiece/cmd/internal/style"
	"setpiece/interp/dist"
)

// Refused warns of commands of tactics that the rules refuse: whose, in what share of
// their turns, and why.
func Refused(w io.Writer, p style.Palette, list []dist.RefusedTactic) {
	for _, r := range list {
		where := ""
		if r.At.Src != nil {
			where = fmt.Sprintf("   %s:%d", r.At.Src.Name, r.At.Src.Position(int(r.At.Start)).Line)
		}
		turns := "in every turn"
		if r.Share < 1-1e-9 {
			turns = "in " + Percent(r.Share, false) + " of their turns"
		}
		fmt.Fprintln(w, style.On(p.Warn, fmt.Sprintf("warning: tactics of %s: %s is refused %s", r.Who, r.Command, turns)))
		fmt.Fprintln(w, "  "+r.Why+style.On(p.Faint, where))
	}
}
