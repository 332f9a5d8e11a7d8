package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp/dist"
	"setpiece/interp/tune"
	"setpiece/interp/why"
)

// tune without --vary looks for changes by itself and numbers them, so that --write can
// take one of them.

// propose prints the smallest changes that give what is wanted.
func (a *app) propose(ctx context.Context, p *playing, s script, t *tuning, goal string, want band) error {
	n, err := count(t.trials)
	if err != nil || n > why.MaxWhyTrials {
		return wrong(t.trials, fmt.Sprintf("--trials: %s is not a number of trials up to %d", t.trials, why.MaxWhyTrials), "a whole number, as 4000")
	}
	working := a.working("tune")
	propose := tune.Propose
	if t.from != "" {
		propose = tune.FromStock
	}
	o, err := propose(ctx, p.config(s), s.src, tune.Config{
		Goal: goal, Lo: want.lo, Hi: want.hi, Players: t.players,
		Trials: int(n), Time: t.time, Memory: int(t.memory), Progress: working.set,
	})
	working.stop()
	if err != nil {
		return a.failed(err)
	}
	switch {
	case a.json != nil:
		a.proposalObjects(o, want)
	case t.from != "":
		a.fromStock(t, o, want)
	default:
		a.proposals(t, o, want)
	}
	switch {
	case t.write == 0:
	case t.write <= len(o.List):
		s2 := s
		s2.src = o.List[t.write-1].Source
		return a.writeTuned(s, s2)
	default:
		a.worse(statusFailed)
		a.note(s.src.Name + " is as it was: there is no proposal " + strconv.Itoa(t.write))
	}
	return nil
}

// fromStock prints who in stock makes such a fight.
func (a *app) fromStock(t *tuning, o *tune.Proposals, want band) {
	wish := "about " + strings.ReplaceAll(want.text, "%", " %")
	list := o.List
	switch {
	case len(list) > 0:
		fmt.Fprintln(a.out, "from stock, for "+wish)
	case o.Nearest != nil:
		fmt.Fprintln(a.out, "nothing in stock gives "+wish+"; the nearest is")
		list = []tune.Proposal{*o.Nearest}
	case o.Late:
		fmt.Fprintln(a.out, "nothing was found in time; --time "+longer(t.time)+" tries more")
	case len(o.Stock) == 0:
		fmt.Fprintln(a.out, "nobody is in stock")
	default:
		fmt.Fprintf(a.out, "nobody in stock changes the chance: the scene says who is in it. Write  stock Foes as %q  above it, and Foes where it names the opponents\n", o.Stock[0])
	}
	var rows [][]string
	for i := range list {
		x := &list[i]
		rows = append(rows, append([]string{strconv.Itoa(i + 1), style.On(a.palette().Good, x.String())}, a.proposalCells(x, want)...))
	}
	render.Table(a.out, rows)
	if o.Stopped {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %d scripts", o.Tried))
	}
}

// proposals prints what came of a search.
func (a *app) proposals(t *tuning, o *tune.Proposals, want band) {
	wish := strings.ReplaceAll(want.text, "%", " %")
	faint := func(text string) { fmt.Fprintln(a.out, style.On(a.palette().Faint, text)) }
	fmt.Fprintln(a.out, "now  "+strings.Join(a.figureCells(&o.Now, want), "  "))
	if o.Over != "" {
		a.note(fmt.Sprintf("exact odds are too much for a search: estimated from up to %s trials of each change, with the same dice; more --time makes it surer", render.Thousands(int64(o.Now.Trials))))
	}
	switch {
	case o.Fits:
		fmt.Fprintln(a.out, "that is "+wish+" already")
		return
	case len(o.List) > 0 && o.List[0].Luck:
		half := fmt.Sprintf("%.1f", 100*o.List[0].Half)
		if !want.percent {
			half = render.Decimal(o.List[0].Half)
		}
		fmt.Fprintf(a.out, "nothing found that luck does not explain, ±%s; --time %s makes more trials. These gave %s\n", half, longer(t.time), wish)
	case len(o.List) > 0:
		fmt.Fprintln(a.out, "changes that give "+wish+", the smallest first")
	case o.Nearest != nil:
		nearest := "; the nearest is"
		if want.off(o.Nearest.Value) <= o.Nearest.Half {
			nearest = " for certain; the nearest, whose ± reaches it, is"
		}
		fmt.Fprintln(a.out, "no change that was tried gives "+wish+nearest)
	default:
		fmt.Fprintln(a.out, "no change that was tried comes nearer to "+wish)
	}
	var rows [][]string
	for i := range o.List {
		x := &o.List[i]
		rows = append(rows, append([]string{strconv.Itoa(i + 1), style.On(a.palette().Good, x.String())}, a.proposalCells(x, want)...))
	}
	if len(o.List) == 0 && o.Nearest != nil {
		rows = append(rows, append([]string{"", o.Nearest.String()}, a.proposalCells(o.Nearest, want)...))
	}
	render.Table(a.out, rows)
	var tried, refused []string
	for _, r := range o.Ranges {
		if len(r.Values) > 0 {
			tried = append(tried, r.Name+" "+extent(r.Values))
		}
		for _, x := range r.Refused {
			refused = append(refused, fmt.Sprintf("%s %s: %s", r.Name, x.Value, x.Why))
		}
	}
	if len(tried) > 0 && (len(o.List) == 0 || t.verbose) {
		faint("tried: " + strings.Join(tried, ", "))
	}
	if len(refused) > 0 && (len(o.List) == 0 || t.verbose) {
		faint("refused")
		for _, text := range refused {
			faint("  " + text)
		}
	}
	if !o.Stopped {
		complete, open := howFar(o, t.players)
		if complete != "" && len(tried) > 0 {
			faint(complete)
		}
		if open != "" {
			a.note(open)
		}
	}
	if o.Stopped {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %d scripts", o.Tried))
	}
}

// howFar says what a search has settled, and what there was no time for.
func howFar(o *tune.Proposals, players bool) (complete, open string) {
	others := "; --players tries those of the players as well"
	if players {
		others = ""
	}
	found := len(o.List) > 0
	alone := found && len(o.List[0].Changes) == 1
	switch {
	case o.Late && !o.Alone:
		open = fmt.Sprintf("%d scripts were tried, and there was no time for more (--time)", o.Tried)
		switch {
		case len(o.Open) > 0:
			open += "; not tried yet: " + some(o.Open, 6)
		case found:
			open += "; a smaller change may do as well"
		}
	case alone:
	case found || o.Late:
		complete = "no number alone does it" + others
	default:
		complete = "nothing is left to try: each number was followed up and down until it led away, did nothing more, or was refused"
		if o.Pairs > 0 {
			complete += fmt.Sprintf("; the likeliest pairs of changes (%d) do not do it either", o.Pairs)
		}
		complete += others
	}
	if o.Late && o.Alone && !alone {
		open = fmt.Sprintf("%d scripts were tried; for more pairs of changes there was no time (--time)", o.Tried)
	}
	return complete, open
}

// some lists the first of several names.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}

// extent says which values were tried, the least and the greatest of several.
func extent(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return values[0] + ".." + values[len(values)-1]
}

// figureCells shows a figure.
func (a *app) figureCells(f *dist.Figure, want band) []string {
	return a.tunedCells(&tuned{value: f.Value, half: f.Half, trials: int64(f.Trials), stops: f.Stops, stopped: f.Stopped}, want)
}

// proposalCells shows the figure of a proposal.
func (a *app) proposalCells(x *tune.Proposal, want band) []string {
	cells := a.figureCells(&x.Figure, want)
	if x.Luck {
		cells = append(cells, style.On(a.palette().Faint, "may be luck"))
	}
	return cells
}

// whichOf reads --write: the number of a proposal, alone the first. The number may stand
// behind it, as in  --write 2 FILE.
func whichOf(text string, args []string) (n int, rest []string, err error) {
	if text == "" {
		return 0, args, nil
	}
	if text == "1" && len(args) == 2 {
		for i, arg := range args {
			if k, err := strconv.Atoi(arg); err == nil {
				return whichOf(strconv.Itoa(k), append(args[:i:i], args[i+1:]...))
			}
		}
	}
	if n, err = strconv.Atoi(text); err != nil || n < 1 {
		return 0, nil, errors.New(text + " is not the number of a proposal")
	}
	return n, args, nil
}
