package editor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/report"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/interp/transcript"
	"setpiece/interp/verify"
)

// runTime is how long what somebody has run may take.
const runTime = 30 * time.Second

// pageWidth is how wide the text of a report is.
const pageWidth = 100

// Run prepares what a Lens offers to do with the script at a place: "run" it with the dice of seed
// 0, "test" it, or make a "report" of it, which "page" gives as JSON: a report.Page, or what is wrong. The
// function that is returned does it, in any goroutine, and gives what is to be shown.
func (w *Workspace) Run(name string, off int, what string) func(context.Context) string {
	d := w.Open(name)
	if d == nil {
		return func(context.Context) string { return "there is no file " + name }
	}
	s := d.at(off)
	if s == nil {
		return func(context.Context) string { return "there is no script here" }
	}
	src, config := s.src, s.frozen(w)
	config.Limits.Time = runTime
	return func(ctx context.Context) string {
		var b strings.Builder
		fail := func(err error) {
			if err != nil {
				render.Error(&b, style.Palette{}, err)
			}
		}
		switch what {
		case "run":
			out := transcript.NewText(&b, transcript.Options{})
			config.Events = out.Event
			err := interp.NewSession(config).Exec(ctx, src)
			out.Flush()
			fail(err)
		case "test":
			results, err := verify.Tests(ctx, interp.NewSession(config), src)
			fail(err)
			for _, r := range results {
				if r.Err == nil {
					fmt.Fprintf(&b, "ok    %s\n", r.Name)
					continue
				}
				fmt.Fprintf(&b, "FAIL  %s\n", r.Name)
				fail(r.Err)
			}
		case "report", "page":
			config.Limits.Time = 0
			r, err := danger.MakeReport(ctx, config, src, danger.Config{Time: runTime / 3})
			fail(err)
			var page *report.Page
			if err == nil {
				page = report.Make([]report.Part{{Name: src.Name, Run: src.Name, Report: r}}, nil)
			}
			if what == "page" {
				return data(page, b.String())
			}
			if page != nil {
				report.Text(&b, page, pageWidth, style.Palette{})
			}
		}
		return b.String()
	}
}

// data gives a report as JSON, or what is wrong.
func data(page *report.Page, wrong string) string {
	text, err := json.Marshal(page)
	if page == nil || err != nil {
		text, _ = json.Marshal(map[string]string{"wrong": cmp.Or(wrong, fmt.Sprint(err))})
	}
	return string(text)
}
