package report

import (
	"context"
	"strings"

	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Transcripts plays the ends of a report again, in brief.
func Transcripts(ctx context.Context, cfg interp.Config, src *lang.Source, r *danger.Report) []string {
	var out []string
	for _, e := range r.Ends {
		var b strings.Builder
		t := transcript.NewText(&b, transcript.Options{Brief: true})
		cfg := cfg
		cfg.Seed, cfg.Standings, cfg.Events = e.Seed, true, t.Event
		err := interp.NewSession(cfg).Exec(ctx, src)
		t.Flush()
		if err != nil && ctx.Err() == nil {
			b.WriteString(err.Error() + "\n")
		}
		out = append(out, b.String())
	}
	return out
}
