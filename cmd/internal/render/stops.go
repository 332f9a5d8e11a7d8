package render

import (
	"fmt"
	"io"

	"setpiece/cmd/internal/style"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// alikeShown is how many errors of one place are shown one by one.
const alikeShown = 3

// Stops shows what stops with an error, and how often: of many that stop at one place the likeliest. said words an
// error.
func Stops(w io.Writer, pal style.Palette, ends []odds.End, said func(odds.End) string) {
	type group struct {
		first odds.End
		more  int
	}
	var groups []*group
	at := map[lang.Span]int{}
	for _, e := range ends {
		if e.Fault != nil {
			at[e.Fault.Diag.Span]++
		}
	}
	of := map[lang.Span]*group{}
	for _, e := range ends {
		if e.Fault == nil {
			continue
		}
		where := e.Fault.Diag.Span
		if g := of[where]; g != nil && at[where] > alikeShown {
			g.first.P, g.more = g.first.P+e.P, g.more+1
			continue
		}
		of[where] = &group{first: e}
		groups = append(groups, of[where])
	}
	for _, g := range groups {
		text := said(g.first)
		if g.more > 0 {
			text += fmt.Sprintf(", and %d more like it", g.more)
		}
		Stop(w, pal, g.first.P, g.first.P > 1-1e-12, text)
	}
}

// Stop shows what stops with an error, with its share.
func Stop(w io.Writer, pal style.Palette, share float64, all bool, what string) {
	fmt.Fprintf(w, "%s  %s   %s\n", style.On(pal.Bad, "stops"), Percent(share, all), what)
}
