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
	if len(texts) > 1 {
		err = l.beside(ctx, texts, &f)
	} else {
		err = l.alone(ctx, text, &f)
	}
	if err != nil {
		l.tellError(err)
	}
}

// exact works out the odds of a text, or gives no odds where that would take too much.
func (l *Loop) exact(ctx context.Context, text string, f *flags) (*odds.Odds, error) {
	before := l.evening.Session().Snapshot()
	defer l.evening.Session().Restore(before)
	f.cfg.Time, f.cfg.Trials = longest, estimate
	law, err := odds.LawOf(ctx, l.evening.Session(), lang.NewSource("", text), f.cfg, nil)
	if len(law.Slow) > 0 {
		l.show(law.Slow)
	}
	if err != nil {
		return nil, err
	}
	return law.Odds, nil
}

// alone shows what one text can lead to.
func (l *Loop) alone(ctx context.Context, text string, f *flags) error {
	o, err := l.exact(ctx, text, f)
	switch {
	case err != nil:
		return err
	case o == nil:
		return l.estimate(ctx, text, f)
	}
	l.tellOdds(o, f)
	return nil
}

// beside shows what several texts can lead to, side by side: exactly, or, where that is too much for one of
// them, by pairs of trials with the same dice, of the first and each other one.
func (l *Loop) beside(ctx context.Context, texts []string, f *flags) error {
	var dists []*dist.Distribution
	for _, t := range texts {
		o, err := l.exact(ctx, t, f)
		switch {
		case err != nil:
			return err
		case o == nil || o.Estimated():
			return l.pairs(ctx, texts, f)
		case len(o.Columns) == 0:
			l.tellOdds(o, f)
			return nil
		}
		shown, err := f.Distributions(o.Columns, o.Distribution)
		if err != nil {
			return err
		}
		dists = append(dists, shown[0])
	}
	render.Beside(l.cfg.Out, l.cfg.Palette, texts, dists, !f.Transposed)
	return nil
}

// each shows one text below the other, where they cannot be compared.
func (l *Loop) each(ctx context.Context, texts []string, f *flags) error {
	for _, t := range texts {
		l.printf("%s\n", t)
		if err := l.alone(ctx, t, f); err != nil {
			return err
		}
	}
	return nil
}

// pairs compares a text with each of the others by trials.
func (l *Loop) pairs(ctx context.Context, texts []string, f *flags) error {
	limited, done := context.WithTimeout(ctx, longest)
	defer done()
	s := l.evening.Session()
	for _, t := range texts[1:] {
		o, err := sim.CompareFrom(limited, s, lang.NewSource("", texts[0]), lang.NewSource("", t), sim.CompareConfig{Goal: f.cfg.Goal, Trials: estimate})
		switch {
		case errors.Is(err, sim.ErrApart):
			return l.each(ctx, texts, f)
		case err != nil:
			return err
		}
		l.faint(fmt.Sprintf("too many possibilities for exact odds: estimated from %d trials", o.Trials))
		render.Comparison(l.cfg.Out, l.cfg.Palette, []string{texts[0], t}, o)
	}
	return nil
}

// Exact odds at the prompt take no longer than this; what is larger is estimated from
// so many trials, or as many as there is time for.
const (
	longest  = 10 * time.Second
	estimate = 2000
)

// estimate shows what trials say where exact odds would take too much.
func (l *Loop) estimate(ctx context.Context, text string, f *flags) error {
	limited, done := context.WithTimeout(ctx, longest)
	defer done()
	o, err := sim.From(limited, l.evening.Session(), lang.NewSource("", text), sim.Config{Trials: estimate})
	if err != nil {
		return err
	}
	l.faint(fmt.Sprintf("too many possibilities for exact odds: estimated from %d trials", o.Trials))
	if o.Trials == 0 || len(o.Columns) == 0 {
		return nil
	}
	dists, err := f.Distributions(o.Columns, o.Distribution)
	if err != nil {
		return err
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
			return err
		}
		render.Policy(l.cfg.Out, l.cfg.Palette, best)
	}
	return nil
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
	render.Stops(l.cfg.Out, l.cfg.Palette, o.Ends, func(e odds.End) string { return e.Fault.Diag.Message })
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
	if values := lang.Beside(text); len(values) > 1 {
		return values
	}
	var verbs, out []string
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
	from := 0
	for _, at := range begins.FindAllStringIndex(text, -1) {
		out = append(out, strings.TrimSpace(text[from:at[0]]))
		from = at[0] + 1
	}
	return append(out, strings.TrimSpace(text[from:]))
}
