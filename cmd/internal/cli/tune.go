package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
)

func (a *app) tuneCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var texts []string
	var vary, want, goal string
	var e effort
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Find the value that gives the chance you want",
		Long: `Find the value of a variable that gives a goal the chance you want: a difficulty,
a rating, a number of foes. The script sets the variable with let; setpiece tries
each value and calculates the odds. Where
exact odds are too much for one value, all are simulated, with the same dice.`,
		Example: `  setpiece tune --vary dn=5..15 --want 60% bog.scene
  setpiece tune --vary rating=1..6 --want 40%..50% --goal 'last.winner == heroes' bog.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := a.given(cmd.Context(), &p, texts, args, "tune")
			if err != nil {
				return err
			}
			if len(list) > 1 {
				return wrong("", "tune takes one script", "")
			}
			return a.tune(cmd.Context(), &p, list[0], vary, want, goal, &e)
		},
	}
	f := cmd.Flags()
	p.set.flag(cmd)
	e.flags(cmd)
	p.let.flag(cmd)
	f.StringArrayVarP(&texts, "expr", "e", nil, "use `TEXT` as the script; repeat for more lines")
	f.StringVar(&vary, "vary", "", "which values to try: `NAME=FIRST..LAST` of a variable set with let")
	f.StringVar(&want, "want", "", "the chance you want: `PERCENT`, or 40%..50%; or a number")
	f.StringVar(&goal, "goal", "success", "the goal: an outcome, or an `EXPR` that is yes or no, or a number whose mean counts")
	return cmd
}

// span reads FIRST..LAST or one value.
func span(s string, read func(string) (float64, error)) (lo, hi float64, err error) {
	first, last, ok := strings.Cut(s, "..")
	if !ok {
		last = first
	}
	if lo, err = read(first); err == nil {
		hi, err = read(last)
	}
	if err == nil && lo > hi {
		err = fmt.Errorf("%s runs backwards", s)
	}
	return lo, hi, err
}

func percent(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a chance", s)
	}
	if strings.HasSuffix(s, "%") {
		f /= 100
	}
	return f, nil
}

func whole(s string) (float64, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < -maxTuned || n > maxTuned {
		return 0, fmt.Errorf("%s is not a whole number from %d to %d", s, -maxTuned, maxTuned)
	}
	return float64(n), nil
}

// maxTuned bounds the values that are tried.
const maxTuned = 1_000_000_000

// maxTried is how many values are tried.
const maxTried = 200

func (a *app) tune(ctx context.Context, p *playing, s script, vary, want, goal string, e *effort) error {
	name, values, ok := strings.Cut(vary, "=")
	if !ok {
		return wrong(vary, "tune needs --vary", "such as dn=5..15")
	}
	first, last, err := span(values, whole)
	if err != nil || last-first >= maxTried {
		if err == nil {
			err = fmt.Errorf("%s is more than %d values", values, maxTried)
		}
		return wrong(vary, "--vary: "+err.Error(), "such as dn=5..15")
	}
	if want == "" {
		return wrong("", "tune needs --want", "the chance you want, such as 60% or 40%..50%")
	}
	lo, hi, err := span(want, percent)
	if err != nil {
		return wrong(want, "--want: "+err.Error(), "such as 60% or 40%..50%")
	}
	if _, found, names := withLet(s, name, "0"); !found {
		return noVariable(name, names)
	}
	var list []script
	for n := int(first); n <= int(last); n++ {
		x, _, _ := withLet(s, name, strconv.Itoa(n))
		list = append(list, x)
	}
	rows, over, err := a.tried(ctx, p, list, goal, e)
	if err != nil {
		var call *callError
		if errors.As(err, &call) {
			return err
		}
		a.fail(err, nil)
		return nil
	}
	a.tellTuned(rows, name, int(first), lo, hi, want)
	var warn []interp.RefusedTactic
	for _, x := range rows {
		warn = append(warn, x.refused...)
	}
	render.Refused(a.out, a.palette(), interp.WorstRefused(warn))
	if over != "" {
		a.note(e.tooMuch(over, rows[0].trials, s.src.Name) + "; each value has the same dice, so differences are surer than each figure")
	}
	if len(rows) < len(list) {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %d of %d values", len(rows), len(list)))
	}
	return nil
}

// tuned is what came of one value.
type tuned struct {
	value, half float64 // half of the 95 % interval; 0 where value is exact
	trials      int64   // 0 where it is exact
	stops       float64 // the share of what stopped
	stopped     string  // and what most of that was
	refused     []interp.RefusedTactic
}

// tried works out the mean of a goal for one script after the other: exactly, or, as
// soon as that is too much for one of them, by trials for all, so that they compare. It
// gives those that it came to.
func (a *app) tried(ctx context.Context, p *playing, list []script, goal string, e *effort) (rows []tuned, over interp.Over, err error) {
	w := a.working("tune")
	defer w.stop()
	for i, s := range list {
		w.set(int64(i), int64(len(list)))
		o, err := interp.NewSession(p.config(s)).Odds(ctx, s.src, interp.OddsConfig{Goal: goal, Time: e.time, Memory: int(e.memory)})
		if over = overOf(err); over != "" {
			break
		}
		if err != nil {
			return nil, "", err
		}
		if o.Stopped {
			return rows, "", stoppedBefore(rows)
		}
		x := tuned{value: o.Value, refused: o.Refused}
		for _, end := range o.Ends {
			if end.Fault != nil {
				x.stops, x.stopped = x.stops+end.P, end.Fault.At()
			}
		}
		if x.stops < 1 {
			x.value /= 1 - x.stops // what stops neither reaches the goal nor misses it
		}
		x.value = math.Round(1e12*x.value) / 1e12
		rows = append(rows, x)
	}
	if over == "" {
		return rows, "", nil
	}
	rows = nil
	for i, s := range list {
		w.say(fmt.Sprintf("value %d of %d", i+1, len(list)))
		o, err := a.estimate(ctx, p, s, interp.SimConfig{Goal: goal}, e, max(time.Second, 3*e.time/time.Duration(len(list))), w)
		if err != nil {
			return nil, "", err
		}
		if o.Stopped || o.Trials == 0 {
			return rows, over, stoppedBefore(rows)
		}
		x := tuned{trials: o.Trials, refused: o.Refused()}
		x.stops, x.stopped = o.Stops()
		if len(o.Columns) > 0 {
			x.value, x.half = o.Mean(len(o.Columns) - 1)
		}
		rows = append(rows, x)
	}
	return rows, over, nil
}

// stoppedBefore is an error where the call was stopped before anything was known.
func stoppedBefore(rows []tuned) error {
	if len(rows) > 0 {
		return nil
	}
	return errors.New("setpiece: stopped before the first value was done")
}

// tellTuned shows the values that were tried, those that are as wished marked; else the
// nearest.
func (a *app) tellTuned(tried []tuned, name string, first int, lo, hi float64, want string) {
	best, nearest := 0, math.Inf(1)
	for i, x := range tried {
		if off := max(lo-x.value, x.value-hi, 0); off < nearest {
			best, nearest = i, off
		}
	}
	pal, percent := a.palette(), strings.Contains(want, "%")
	var rows [][]string
	for i, x := range tried {
		row := []string{"", name + " " + strconv.Itoa(first+i)}
		switch {
		case percent && x.trials > 0:
			row = append(row, fmt.Sprintf("%.1f %% ±%.1f", 100*x.value, 100*x.half))
		case percent:
			row = append(row, render.Percent(x.value, x.value == 0 || x.value == 1))
		case x.trials > 0:
			row = append(row, fmt.Sprintf("%s ±%s", render.Decimal(x.value), render.Decimal(x.half)))
		default:
			row = append(row, render.Decimal(x.value))
		}
		if x.stops > 0 {
			row = append(row, style.On(pal.Bad, fmt.Sprintf("%s stops: %s", render.Percent(x.stops, x.stops == 1), x.stopped)))
		}
		if i == best || x.value >= lo && x.value <= hi {
			row[0], row[1] = ">", style.On(pal.Good, row[1])
		}
		rows = append(rows, row)
	}
	render.Table(a.out, rows)
	if nearest > 0 {
		fmt.Fprintln(a.out, style.On(pal.Faint, "no value gives "+strings.ReplaceAll(want, "%", " %")+"; the nearest is marked"))
	}
}
