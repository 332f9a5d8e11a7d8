package repl

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/why"
	"setpiece/lang"
)

// asks says whether an entry begins with a word that asks about the rules, as
// odds and why do, and about what.
func asks(word, entry string) (text string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(entry, " \t"), word)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], " \t\n") {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// odds works out what a text can lead to from here. Several commands with commas
// between them are shown side by side. The session stays as it is.
func (l *Loop) odds(text string) {
	var f flags
	text, err := f.take(text)
	if err != nil {
		l.complain("%v", err)
		return
	}
	if text == "" {
		l.complain("odds needs a command or an expression, such as  odds (throw 3d6).sum")
		return
	}
	ctx, stop := l.interrupt()
	defer stop()
	texts := l.alternatives(text)
	var dists []*dist.Distribution
	for _, t := range texts {
		before := l.evening.Session().Snapshot()
		f.cfg.Time, f.cfg.Trials = longest, estimate
		o, err := odds.Of(ctx, l.evening.Session(), lang.NewSource("", t), f.cfg)
		l.evening.Session().Restore(before)
		var re *interp.RunError
		if errors.As(err, &re) && re.Over != "" {
			shown, err := l.estimate(ctx, t, &f, len(texts) == 1)
			if err != nil {
				l.tellError(err)
				return
			}
			dists = append(dists, shown...)
			continue
		}
		switch {
		case err != nil:
			l.tellError(err)
			return
		case len(texts) > 1 && len(o.Columns) > 0:
			shown, err := f.Distributions(o.Columns, o.Distribution)
			if err != nil {
				l.complain("%v", err)
				return
			}
			dists = append(dists, shown[0])
			continue
		}
		l.tellOdds(o, &f)
	}
	if len(dists) == len(texts) && len(dists) > 1 {
		render.Beside(l.cfg.Out, l.cfg.Palette, texts, dists, !f.Transposed)
	}
}

// Exact odds at the prompt take no longer than this; what is larger is estimated from
// so many trials, or as many as there is time for.
const (
	longest  = 10 * time.Second
	estimate = 2000
)

// estimate shows what trials say where exact odds would take too much, or, where they
// are to stand beside others, gives the first column of that.
func (l *Loop) estimate(ctx context.Context, text string, f *flags, alone bool) ([]*dist.Distribution, error) {
	limited, done := context.WithTimeout(ctx, longest)
	defer done()
	o, err := sim.From(limited, l.evening.Session(), lang.NewSource("", text), sim.Config{Trials: estimate})
	if err != nil {
		return nil, err
	}
	l.faint(fmt.Sprintf("too many possibilities for exact odds: estimated from %d trials", o.Trials))
	if o.Trials == 0 || len(o.Columns) == 0 {
		return nil, nil
	}
	dists, err := f.Distributions(o.Columns, o.Distribution)
	if err != nil || !alone {
		return dists[:min(len(dists), 1)], err
	}
	v := render.Odds{Width: style.Width(l.cfg.Out), Palette: l.cfg.Palette, Distributions: dists, Transposed: f.Transposed}
	v.Write(l.cfg.Out)
	for _, e := range o.Ends {
		if e.Stops != "" {
			l.printf("stops  %s   %s\n", render.Percent(float64(e.Count)/float64(o.Trials), e.Count == o.Trials), e.Stops)
		}
	}
	render.Refused(l.cfg.Out, l.cfg.Palette, o.Refused())
	if len(f.cfg.Best) > 0 {
		best, err := advice.PolicyOf(ctx, l.evening.Session(), lang.NewSource("", text), advice.PolicyConfig{Best: f.cfg.Best, Goal: f.cfg.Goal, Time: longest})
		if err != nil {
			return nil, err
		}
		render.Policy(l.cfg.Out, l.cfg.Palette, best)
	}
	return nil, nil
}

// why tells what makes the chance that a text succeeds, from here.
func (l *Loop) why(text string) {
	if text == "" {
		l.complain("why needs a command or an expression")
		return
	}
	ctx, stop := l.interrupt()
	defer stop()
	w, err := why.Of(ctx, l.evening.Session(), lang.NewSource("", text), why.Config{Time: longest})
	if err != nil {
		l.tellError(err)
		return
	}
	if w.Over != "" {
		l.faint(fmt.Sprintf("too many possibilities for exact odds: estimated from %d trials, with the same dice for each change", w.Trials))
	}
	render.Why(l.cfg.Out, l.cfg.Palette, w)
}

func (l *Loop) tellOdds(o *odds.Odds, f *flags) {
	if f := o.Certain(); f != nil {
		l.tellError(f)
		return
	}
	dists, err := f.Distributions(o.Columns, o.Distribution)
	if err != nil {
		l.complain("%v", err)
		return
	}
	dists, others := f.Lead(dists)
	v := render.Odds{Width: style.Width(l.cfg.Out), Palette: l.cfg.Palette, Distributions: dists, Transposed: f.Transposed}
	v.Write(l.cfg.Out)
	render.Others(l.cfg.Out, l.cfg.Palette, others)
	render.Decisions(l.cfg.Out, l.cfg.Palette, o)
	for _, e := range o.Ends {
		if e.Fault != nil {
			l.printf("stops  %s   %s\n", render.Percent(e.P, e.P == 1), e.Fault.Diag.Message)
		}
	}
	if !o.Stopped {
		render.Remainder(l.cfg.Out, l.cfg.Palette, o.Remainder)
		render.Sampled(l.cfg.Out, l.cfg.Palette, o, dists)
	}
	render.Refused(l.cfg.Out, l.cfg.Palette, o.Refused)
	if o.Stopped {
		l.complain("stopped early: each chance is at least the figure shown")
	}
}

// alternatives parts a text at the commas behind which another command begins:
// a verb, with or without somebody before it; and values at those between them.
func (l *Loop) alternatives(text string) []string {
	const open = "["
	src := lang.NewSource("", open+text+"]")
	if x, ds := lang.ParseExpr(src); len(ds) == 0 {
		var out []string
		for _, e := range x.(*lang.List).Elems {
			out = append(out, src.Text[e.Range().Start:e.Range().End])
		}
		if len(out) > 1 {
			return out
		}
	}
	var verbs []string
	_, words := assist.Complete(l.evening.Session(), "", 0)
	for _, c := range words {
		if c.Kind == "verb" {
			verbs = append(verbs, regexp.QuoteMeta(c.Text))
		}
	}
	if len(verbs) == 0 {
		return []string{text}
	}
	begins := regexp.MustCompile(`,\s*((?:[\pL_]+|"[^"]*")\s*:\s*)?(` + strings.Join(verbs, "|") + `)\b`)
	var out []string
	from := 0
	for _, at := range begins.FindAllStringIndex(text, -1) {
		out = append(out, strings.TrimSpace(text[from:at[0]]))
		from = at[0] + 1
	}
	return append(out, strings.TrimSpace(text[from:]))
}
