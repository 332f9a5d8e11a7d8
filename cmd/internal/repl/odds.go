package repl

import (
	"regexp"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
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
		l.complain("odds of what? as in: odds (throw 3d6).sum, or odds and a command")
		return
	}
	ctx, stop := l.cfg.Interrupt()
	defer stop()
	texts := l.alternatives(text)
	var dists []*interp.Distribution
	for _, t := range texts {
		before := l.sess.Snapshot()
		o, err := l.sess.Odds(ctx, lang.NewSource("", t), f.cfg)
		l.sess.Restore(before)
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
		render.Beside(l.cfg.Out, l.cfg.Palette, texts, dists)
	}
}

// why tells what makes the chance that a text succeeds, from here.
func (l *Loop) why(text string) {
	if text == "" {
		l.complain("why what? as in: why, and a command")
		return
	}
	ctx, stop := l.cfg.Interrupt()
	defer stop()
	w, err := l.sess.Why(ctx, lang.NewSource("", text), interp.WhyConfig{})
	if err != nil {
		l.tellError(err)
		return
	}
	render.Why(l.cfg.Out, l.cfg.Palette, w)
}

func (l *Loop) tellOdds(o *interp.Odds, f *flags) {
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
	v := render.Odds{Width: style.Width(l.cfg.Out), Palette: l.cfg.Palette, Distributions: dists}
	v.Write(l.cfg.Out)
	render.Others(l.cfg.Out, l.cfg.Palette, others)
	render.Decisions(l.cfg.Out, l.cfg.Palette, o)
	for _, e := range o.Ends {
		if e.Fault != nil {
			l.printf("stops  %s   %s\n", render.Percent(e.P, e.P == 1), e.Fault.Diag.Message)
		}
	}
	if !o.Stopped {
		render.Remainder(l.cfg.Out, l.cfg.Palette, o.Residue)
	}
	render.Refused(l.cfg.Out, l.cfg.Palette, o.Refused)
	if o.Stopped {
		l.complain("stopped: each chance is at least what it says")
	}
}

// alternatives parts a text at the commas behind which another command begins:
// a verb, with or without somebody before it.
func (l *Loop) alternatives(text string) []string {
	var verbs []string
	_, words := l.sess.Complete("", 0)
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
