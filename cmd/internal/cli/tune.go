package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/goals"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/vary"
	"setpiece/interp/why"
	"setpiece/lang"
)

// tuning says what tune is asked.
type tuning struct {
	vary    []string
	want    string
	goal    string
	write   int // which proposal to write, 0 for none
	players bool
	from    string // "stock": propose who is taken from it
	verbose bool
	json    bool
	counted bool // the number of trials is given
	effort
}

func (a *app) tuneCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var t tuning
	var write string
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Find the value that gives the chance you want",
		Long: `Find the value that gives a goal the chance you want. Without --vary setpiece looks for
the smallest changes by itself: numbers of foes, what their sheets say, numbers and dice
of commands. It leaves the players' sheets alone unless you say --players. With --vary
you say what to change: a variable that the script sets with let, a field on a sheet, a
die, how many there are, a number or dice of a command, or an option. With --from stock
it proposes how many of those whom the system has in stock make such a fight: in the place
of a line  stock Foes as "NAME" x3,  else above the first scene.

setpiece calculates the odds with each value. Past a limit (--time, --memory) what it
has solved by then stays exact, and trials share out the rest. Where that is nearly
all, it simulates all values with the same dice.

` + goalOfScript + ` --goal, or
a name in --want, chooses another.`,
		Example: `  setpiece tune --want 60..70% bog.scene
  setpiece tune --want 60..70% --write 2 bog.scene
  setpiece tune --want 70% --from stock bog.scene
  setpiece tune --vary dn=5..15 --want 60% bog.scene
  setpiece tune --vary 'Sludge Lord.star=1..6' --want heroes=60..70% bog.scene
  setpiece tune --vary 'Ooze Men=x1..x4' --vary 'Ooze Men.rating=0..3' --want 60..70% bog.scene
  setpiece tune --vary 'Overseer.SHOOT=d6..d12' --want 50% --write vault.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if t.write, args, err = whichOf(write, args); err != nil {
				return wrong(write, "--write: "+err.Error(), "--write takes the first proposal, --write 2 the second")
			}
			if t.from != "" && (t.from != "stock" || len(t.vary) > 0) {
				return wrong("--from", "--from takes stock, and no --vary", "write  --from stock")
			}
			t.counted = cmd.Flags().Changed("trials")
			if len(t.vary) > 0 && t.write > 1 {
				return wrong("--write", "with --vary, --write takes no number: it writes the value that fits best", "")
			}
			s, err := a.givenOne(cmd.Context(), &p, args, "tune")
			if err != nil {
				return err
			}
			if t.write > 0 && (len(args) == 0 || args[0] == "-") {
				return wrong("--write", "--write changes a FILE", "")
			}
			return a.tune(cmd.Context(), &p, s, &t)
		},
	}
	f := cmd.Flags()
	p.scriptFlags(cmd)
	t.flags(cmd)
	f.StringArrayVar(&t.vary, "vary", nil, "which values to try: `NAME=FIRST..LAST` or NAME=A,B,C; twice for pairs of values")
	f.StringVar(&t.want, "want", "", "the chance you want: `PERCENT`, 40..50%, or GOAL=40..50%; or a number")
	f.StringVar(&t.goal, "goal", "", usageGoal)
	f.StringVar(&t.from, "from", "", "propose how many of whom: `stock` for what the system has ready")
	f.BoolVar(&t.players, "players", false, "also propose changes of the players' sheets")
	f.BoolVarP(&t.verbose, "verbose", "v", false, "without --vary, also print what was tried")
	f.BoolVar(&t.json, "json", false, usageJSON)
	optional(f, &write, "write", "1", "write the value that fits best, or with `[=N]` proposal N, into the FILE, and show the difference")
	return cmd
}

// band is what is wanted of a mean.
type band struct {
	lo, hi  float64
	percent bool
	text    string
}

// off says how far a value lies outside; what is printed as the value that is wanted is not.
func (b band) off(x float64) float64 {
	if off := max(b.lo-x, x-b.hi); off > 0.00005 {
		return off
	}
	return 0
}

// wanted reads --want: a chance or a number, or a range, perhaps of a goal that it names.
func wanted(text string) (goal string, b band, err error) {
	if text == "" {
		return "", b, wrong("", "tune needs --want", "the chance you want, such as 60%, 40..50% or heroes=60..70%")
	}
	if name, rest, ok := cutOutside(text, '='); ok {
		goal, text = strings.TrimSpace(name), rest
	}
	text = strings.ReplaceAll(text, " %", "%")
	b = band{percent: strings.Contains(text, "%"), text: text}
	b.lo, b.hi, err = span(text, func(s string) (float64, error) {
		f, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%")), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || b.percent && (f < 0 || f > 100) {
			return 0, fmt.Errorf("%s is not a chance", s)
		}
		if b.percent {
			f /= 100
		}
		return f, nil
	})
	if err != nil {
		return "", b, wrong(text, "--want: "+err.Error(), "such as 60%, 40..50% or heroes=60..70%")
	}
	return goal, b, nil
}

// fits looks whether what is wanted can be of a goal: a chance is a number up to 1, so who writes
// 50 means 50%.
func (b band) fits(goal string) error {
	if b.percent || b.hi <= 1 || !isChance(goal) {
		return nil
	}
	return wrong(b.text, "--want: "+b.text+" is not a chance", "write  --want "+strings.TrimSpace(b.text)+"%")
}

// isChance says whether a goal is yes or no, as far as its text shows it.
func isChance(goal string) bool {
	x, _ := lang.ParseExpr(lang.NewSource("", goal))
	for {
		p, ok := x.(*lang.Paren)
		if !ok {
			break
		}
		x = p.X
	}
	switch x := x.(type) {
	case *lang.Word:
		return true
	case *lang.Unary:
		return x.Op == "not"
	case *lang.Binary:
		return slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "in", "and", "or"}, x.Op)
	}
	return false
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

func whole(s string) (float64, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < -maxTuned || n > maxTuned {
		return 0, fmt.Errorf("%s is not a whole number from %d to %d", s, -maxTuned, maxTuned)
	}
	return float64(n), nil
}

func (a *app) tune(ctx context.Context, p *playing, s script, t *tuning) error {
	t.effort.hold(p.limits)
	if n, err := t.count(); err == nil && !t.counted && t.time > usualTime { // more time, more trials
		t.trials = strconv.FormatInt(min(n*int64(t.time/usualTime), why.MaxWhyTrials), 10)
	}
	goal, want, err := wanted(t.want)
	if err != nil {
		return err
	}
	if goal == "" {
		goal = t.goal
	}
	if len(t.vary) > 2 {
		return wrong(t.vary[2], "tune varies one or two values", "")
	}
	params, err := vary.Parameters(a.ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil {
		return a.failed(err)
	}
	var axes []*axis
	pairs := 1
	for _, arg := range t.vary {
		x, err := varied(params, arg)
		if err != nil {
			return err
		}
		axes, pairs = append(axes, x), pairs*len(x.values)
	}
	if len(axes) == 2 && axes[0].Name == axes[1].Name {
		return wrong(t.vary[1], "--vary names "+axes[0].Name+" twice", "")
	}
	if pairs > maxTried {
		return wrong(t.vary[1], fmt.Sprintf("--vary: that makes %d pairs, and tune tries up to %d", pairs, maxTried), "")
	}
	if goal, err = a.goalOf(p, s, goal); err != nil {
		return a.failed(err)
	}
	if err := want.fits(goal); err != nil {
		return err
	}
	a.aboutFile(s)
	if len(t.vary) == 0 {
		return a.propose(ctx, p, s, t, goal, want)
	}
	list := variations(a.ctx, s, axes)
	rows, over, err := a.tried(ctx, p, list, goal, &t.effort)
	if err != nil {
		return a.failed(err)
	}
	best, fits := a.showTuned(rows, axes, want)
	var warn []dist.RefusedTactic
	for _, x := range rows {
		warn = append(warn, x.tactics...)
	}
	if a.json == nil {
		render.Refused(a.out, a.palette(), dist.WorstRefused(warn))
	}
	switch least, all := exactly(rows); {
	case over != "" && all:
		a.note(t.limit(over) + "; " + least)
	case over != "":
		a.note(t.tooMuch(over, most(rows), 0, p.again(s)) + "; each value has the same dice, so differences are surer than each figure")
	}
	if len(rows) < len(list) {
		a.worse(statusFailed)
		a.note(fmt.Sprintf("stopped after %d of %d values", len(rows), len(list)))
	}
	switch {
	case t.write > 0 && fits:
		return a.writeTuned(s, list[best])
	case t.write > 0:
		a.worse(statusFailed)
		a.note(s.src.Name + " is as it was: no value fits")
	}
	return nil
}

// goalOf gives the goal that is asked for, or the one that a script is about, and tells what that is.
func (a *app) goalOf(p *playing, s script, asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	goal, about, err := a.usualGoal(p, s)
	if err != nil {
		return "", err
	}
	if about != "" {
		a.note("the goal is " + goal + ": " + about + "; --goal chooses another")
	}
	a.undecided(s, goal)
	return goal, nil
}

// usualGoal gives the goal that a script is about, and what it says of itself.
func (a *app) usualGoal(p *playing, s script) (name, about string, err error) {
	g, err := goals.Of(a.ctx, interp.NewSession(p.config(s)), s.src, "")
	return g.Name, g.Doc, err
}

// undecided notes that nothing in a script decides its goal: what is worked out for it says nothing.
func (a *app) undecided(s script, goal string) {
	if name := goals.Undecided(s.src, goal); name != "" {
		a.note(fmt.Sprintf("nothing in %s decides the goal %s: %s is set only where it begins; set it where the goal is reached, as  %s = yes", s.name(), goal, name, name))
	}
}

// variations gives a script with each value of an axis, or each pair of two.
func variations(ctx context.Context, s script, axes []*axis) []script {
	list := []script{s}
	for _, x := range axes {
		var next []script
		for _, s := range list {
			for _, v := range x.values {
				next = append(next, with(ctx, s, x.Name, v, "--vary "+x.Name))
			}
		}
		list = next
	}
	return list
}

// tuned is what came of one value.
type tuned struct {
	refused     string        // why there can be no such script
	value, half float64       // half of the 95 % interval; 0 where value is exact
	trials      int64         // 0 where it is exact
	sampled     *dist.Sampled // of what these are, where a part is exact; nil: of all
	stops       float64       // the share of what stopped
	stopped     string        // and what most of that was
	tactics     []dist.RefusedTactic
}

// exactly says how much of values is exact at least, where a part of some was sampled, and whether
// none was by trials alone.
func exactly(rows []tuned) (said string, all bool) {
	var worst *dist.Sampled
	for _, x := range rows {
		if x.sampled == nil && x.trials > 0 {
			return "", false
		}
		if x.sampled != nil && (worst == nil || x.sampled.Weight > worst.Weight) {
			worst = x.sampled
		}
	}
	if worst == nil {
		return "", false
	}
	return fmt.Sprintf("each figure with a ± is exact for %s of all cases or more, and the rest is estimated from trials", render.Percent(1-worst.Weight, false)), true
}

// most gives the largest number of trials.
func most(rows []tuned) (n int64) {
	for _, x := range rows {
		n = max(n, x.trials)
	}
	return n
}

// tried works out the mean of a goal for one script after the other: exactly, or as much of it as is
// not too much. Where that is next to nothing for one of them it is done by trials for all, so that
// they compare. It gives those that it came to. A script that the rules refuse is a row of its own, unless
// they refuse all for the same reason: that is an error.
func (a *app) tried(ctx context.Context, p *playing, list []script, goal string, e *effort) (rows []tuned, over interp.Over, err error) {
	w := a.working("tune")
	defer w.stop()
	var first error
	refused, byTrials := 0, false
	refuse := func(err error) bool {
		why := refusal(err)
		if why == "" {
			return false
		}
		if first == nil {
			first = err
		}
		rows, refused = append(rows, tuned{refused: why}), refused+1
		return true
	}
	done := func() ([]tuned, interp.Over, error) {
		if refused == len(list) {
			return nil, "", first
		}
		return rows, over, nil
	}
	for i, s := range list {
		w.set(int64(i), int64(len(list)))
		cfg := odds.Config{Goal: goal, GoalOnly: true, Proportional: true}
		if cfg.Trials, err = e.count(); err != nil {
			return nil, "", err
		}
		if over != "" { // all that are not exact together take not much longer than the first of them
			cfg.Time = max(time.Second, e.time/time.Duration(len(list)))
		}
		l, err := a.lawOr(ctx, p, s, cfg, e, nil)
		if refuse(err) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if l.Over != "" {
			over, byTrials = l.Over, true
			break
		}
		o := l.Odds
		if o.Stopped {
			return rows, "", stoppedBefore(rows)
		}
		x := tuned{value: o.Value, tactics: o.Refused}
		x.stops, x.stopped = o.Stops()
		x.value = math.Round(1e12*x.value) / 1e12
		if o.Sampled != nil {
			over = o.Sampled.Over
			x.sampled, x.half, x.trials = o.Sampled, o.Half, o.Sampled.Trials
		}
		rows = append(rows, x)
	}
	if !byTrials {
		return done()
	}
	rows, refused, first = nil, 0, nil
	for i, s := range list {
		part := func(done, all int64) { w.set(int64(i)*all+done, int64(len(list))*all) }
		o, err := a.estimate(ctx, p, s, sim.Config{Goal: goal}, e, max(time.Second, e.time/time.Duration(len(list))), part)
		if refuse(err) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if o.Stopped || o.Trials == 0 {
			return rows, over, stoppedBefore(rows)
		}
		x := tuned{trials: o.Trials, tactics: o.Refused()}
		x.stops, x.stopped = o.Stops()
		if len(o.Columns) > 0 {
			x.value, x.half = o.Mean(len(o.Columns) - 1)
		}
		rows = append(rows, x)
	}
	return done()
}

// refusal says why there can be no such script, "" where err is something else.
func refusal(err error) string {
	var ds lang.Diagnostics
	var re *interp.RunError
	switch {
	case errors.As(err, &ds):
		for _, d := range ds {
			if d.Severity == lang.Error {
				return d.Message
			}
		}
	case errors.As(err, &re) && re.Kind == interp.Refused:
		return re.Diag.Message
	}
	return ""
}

// stoppedBefore is an error where the call was stopped before anything was known.
func stoppedBefore(rows []tuned) error {
	if len(rows) > 0 {
		return nil
	}
	return errors.New("setpiece: stopped before the first value was done")
}

// showTuned shows what came of each value, those that fit marked; where none does, the
// nearest. It gives the one that is nearest, -1 where all are refused, and whether it fits.
func (a *app) showTuned(tried []tuned, axes []*axis, want band) (best int, fit bool) {
	best = -1
	nearest, reaches := math.Inf(1), false
	for i, x := range tried {
		if x.refused != "" || x.stops == 1 {
			continue
		}
		off, middle := want.off(x.value), math.Abs(x.value-(want.lo+want.hi)/2)
		if best < 0 || off < nearest || off == nearest && middle < math.Abs(tried[best].value-(want.lo+want.hi)/2) {
			best, nearest = i, off
		}
		reaches = reaches || off > 0 && off <= x.half
	}
	fits := func(i int) bool {
		x := tried[i]
		return i == best || x.refused == "" && x.stops < 1 && want.off(x.value) == 0
	}
	if a.json != nil {
		for i := range tried {
			a.tunedObject(&tried[i], axes, i, fits(i) && nearest == 0, i == best)
		}
		return best, best >= 0 && nearest == 0
	}
	var rows [][]string
	if len(axes) == 1 {
		for i := range tried {
			row := append([]string{"", axes[0].label(i)}, a.tunedCells(&tried[i], want)...)
			if fits(i) {
				row[0], row[1] = ">", style.On(a.palette().Good, row[1])
			}
			rows = append(rows, row)
		}
	} else {
		across := len(axes[1].values)
		head := []string{axes[0].Name + ", " + axes[1].Name}
		rows = append(rows, append(head, axes[1].values...))
		for i := 0; i < len(tried); i += across {
			row := []string{axes[0].values[i/across]}
			for k := i; k < min(i+across, len(tried)); k++ {
				cell := strings.Join(a.tunedCells(&tried[k], want), " ")
				if fits(k) {
					cell = style.On(a.palette().Good, "> "+cell)
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
		}
	}
	render.Table(a.out, rows)
	if len(tried) > 1 && !slices.ContainsFunc(tried, func(x tuned) bool {
		return x.refused != "" || x.stops > 0 || x.trials > 0 || x.value != tried[0].value
	}) {
		text := "every value of " + axes[0].Name + " gives the same chance"
		if len(axes) > 1 {
			text = "every pair of values gives the same chance"
		}
		fmt.Fprintln(a.out, style.On(a.palette().Faint, text))
		return best, nearest == 0
	}
	if nearest > 0 && best >= 0 {
		text := "no value gives " + strings.ReplaceAll(want.text, "%", " %") + "; the nearest is marked"
		if reaches {
			text += ", and may give it, within its ±: more --trials would tell"
		}
		fmt.Fprintln(a.out, style.On(a.palette().Faint, text))
	}
	return best, best >= 0 && nearest == 0
}

// tunedCells shows what came of one value.
func (a *app) tunedCells(x *tuned, want band) []string {
	bad := func(text string) string { return style.On(a.palette().Bad, text) }
	cell := ""
	switch {
	case x.refused != "":
		return []string{bad("refused: " + x.refused)}
	case x.stops == 1:
		return []string{bad("always stops: " + x.stopped)}
	case want.percent && x.trials > 0:
		cell = fmt.Sprintf("%.1f %% ±%.1f", 100*x.value, 100*x.half)
	case want.percent:
		cell = render.Percent(x.value, x.value == 0 || x.value == 1)
	case x.trials > 0:
		cell = fmt.Sprintf("%s ±%s", render.Decimal(x.value), render.Decimal(x.half))
	default:
		cell = render.Decimal(x.value)
	}
	if x.stops > 0 {
		return []string{cell, bad(fmt.Sprintf("%s stops: %s", render.Percent(x.stops, false), x.stopped))}
	}
	return []string{cell}
}

// writeTuned writes the script with its new value, and shows what changed.
func (a *app) writeTuned(s, changed script) error {
	if changed.src.Text == s.src.Text {
		a.note(s.src.Name + " says so already")
		return nil
	}
	if a.json == nil {
		a.exactly(diff.Diff(s.src.Name+" (as it was)", []byte(s.src.Page()), s.src.Name, []byte(changed.src.Page())))
	}
	return a.rewrite(s.src.Name, changed.src.Page())
}
