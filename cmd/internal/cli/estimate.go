package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// Exact odds are bounded in time and memory. What is too large is simulated instead,
// and the reader is told so, with the limit and the flag that changes it.

// effort is how much work goes into one answer.
type effort struct {
	time   time.Duration
	memory sizeFlag
	trials string
	slow   lang.Diagnostics // what odds were slow for
}

// usualTime is how long odds may take where nobody says it.
const usualTime = 10 * time.Second

// longer is a time six times as long, as a flag takes it.
func longer(d time.Duration) string { return fmt.Sprintf("%.0fs", 6*d.Seconds()) }

func (e *effort) flags(cmd *cobra.Command) {
	e.memory, e.time = odds.DefaultStateMemory, usualTime
	f := cmd.Flags()
	f.Var((*timeFlag)(&e.time), "time", "how long odds may take, as 30s: what is not exact soon enough is estimated")
	f.Var(&e.memory, "memory", "how much memory the process may take for exact odds, as 1GiB; the rest is estimated")
	f.StringVar(&e.trials, "trials", "20000", "how many trials a simulation makes then: `N`, as 1e5")
}

// count gives how many trials are asked for.
func (e *effort) count() (int64, error) {
	n, err := count(e.trials)
	if err != nil {
		return 0, wrong(e.trials, "--trials: "+err.Error(), "a whole number, as 20000 or 1e5")
	}
	return n, nil
}

// hold keeps the process within the memory that odds may take, or that values may take
// where that is more.
func (e *effort) hold(l *limits) { holdMemory(max(int64(e.memory), l.Memory)) }

// sizeFlag is the value of a flag for an amount of memory, in bytes.
type sizeFlag int

var sizeUnits = []struct {
	name  string
	bytes int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"GB", 1e9}, {"MB", 1e6}, {"G", 1 << 30}, {"M", 1 << 20}}

func (s *sizeFlag) String() string { return byteSize(int(*s)) }

func byteSize(n int) string {
	if n >= 1<<30 && n%(1<<30) == 0 {
		return strconv.Itoa(n>>30) + "GiB"
	}
	return strconv.Itoa(n>>20) + "MiB"
}

// Set takes a number with a unit.
func (s *sizeFlag) Set(arg string) error {
	for _, u := range sizeUnits {
		if text, ok := strings.CutSuffix(arg, u.name); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if size := n * float64(u.bytes); err != nil || !(1<<20 <= size && size <= 1<<40) { // nor NaN
				break
			}
			*s = sizeFlag(n * float64(u.bytes))
			return nil
		}
	}
	return fmt.Errorf("%s is not an amount of memory from 1MiB to 1024GiB; write 512MiB or 2GiB", arg)
}

// above says whether a value of the flag is more than a number of bytes.
func (s *sizeFlag) above(arg string, bytes int) bool { return s.Set(arg) == nil && int(*s) > bytes }

func (s *sizeFlag) Type() string { return "SIZE" }

// timeFlag is the value of a flag for a time.
type timeFlag time.Duration

const (
	leastTime = time.Millisecond
	mostTime  = 24 * time.Hour
)

func (t *timeFlag) String() string { return time.Duration(*t).String() }

// Set takes a time with a unit.
func (t *timeFlag) Set(arg string) error {
	d, err := time.ParseDuration(arg)
	if err != nil || d < leastTime || d > mostTime {
		return fmt.Errorf("%s is not a time from 1ms to 24h; write 30s or 2m", arg)
	}
	*t = timeFlag(d)
	return nil
}

func (t *timeFlag) Type() string { return "TIME" }

// law works out what a script can lead to: exactly, or as much of it as is not too much, or by
// trials.
func (a *app) law(ctx context.Context, p *playing, s script, cfg odds.Config, e *effort) (*odds.Law, error) {
	working := a.working("odds")
	defer working.stop()
	var err error
	if cfg.Trials, err = e.count(); err != nil {
		return nil, err
	}
	return a.lawOr(ctx, p, s, cfg, e, func(spent time.Duration) (*sim.Sim, error) {
		return a.estimate(ctx, p, s, sim.Config{}, e, max(e.time/20*19-spent, e.time/4, time.Second), working.set)
	})
}

// lawOr works out what a script can lead to, or has trials made. The trials of cfg share out what is left behind
// a bound.
func (a *app) lawOr(ctx context.Context, p *playing, s script, cfg odds.Config, e *effort, trials func(spent time.Duration) (*sim.Sim, error)) (*odds.Law, error) {
	e.hold(p.limits)
	cfg.Time, cfg.Memory = cmp.Or(cfg.Time, e.time), int(e.memory)
	l, err := odds.LawOf(ctx, interp.NewSession(p.config(s)), s.src, cfg, trials)
	e.slow = append(e.slow, l.Slow...)
	return l, err
}

// estimate simulates as many trials as are asked for, or as there is time for.
func (a *app) estimate(ctx context.Context, p *playing, s script, sc sim.Config, e *effort, within time.Duration, progress func(done, all int64)) (*sim.Sim, error) {
	n, err := e.count()
	if err != nil {
		return nil, err
	}
	sc.Trials, sc.Progress = n, progress
	limited, done := context.WithTimeout(ctx, within)
	defer done()
	o, err := sim.Simulate(limited, p.config(s), s.src, sc)
	if err == nil && o.Stopped && ctx.Err() == nil {
		if o.Trials == 0 {
			return nil, &interp.RunError{Kind: interp.Limit, Diag: &lang.Diagnostic{
				Message: fmt.Sprintf("one trial of this script takes longer than %v (--time), so setpiece cannot calculate or estimate its odds", within.Round(10*time.Millisecond)),
				Help:    "run the script to see whether it ends",
			}}
		}
		o.Stopped = false // that many there was time for
	}
	return o, err
}

// part says how much of odds is exact, and how sure the rest is.
func part(x *dist.Sampled) string {
	return fmt.Sprintf("exact for %s of all cases; ± of the rest holds in 95 of 100 cases, estimated from %s trials",
		render.Percent(1-x.Weight, false), render.Thousands(x.Trials))
}

// limit says which bound exact odds have met.
func (e *effort) limit(over interp.Over) string {
	switch over {
	case interp.OverMemory:
		return fmt.Sprintf("this encounter has too many possibilities for exact odds (limit: %s, --memory)", byteSize(int(e.memory)))
	case interp.OverTime:
		return fmt.Sprintf("exact odds take too long (limit: %v, --time)", e.time)
	}
	return "this encounter has too many possibilities for exact odds (limit: --states)"
}

// again is what stands behind a command that is about a script in the same way.
func (p *playing) again(s script) string {
	var words []string
	for _, x := range []struct {
		flag   string
		values map[string]string
	}{{"--set", p.set}, {"--let", p.let}} {
		for _, name := range slices.Sorted(maps.Keys(x.values)) {
			words = append(words, x.flag, shellWord(name+"="+x.values[name]))
		}
	}
	if s.name() != "-e" {
		return strings.Join(append(words, shellWord(s.name())), " ")
	}
	for _, t := range p.texts {
		words = append(words, "-e", shellWord(t))
	}
	return strings.Join(words, " ")
}

// tooMuch says why there are no exact odds, and what to do about it; again is what stands behind another command. took is how long the trials took, 0
// where that is not known.
func (e *effort) tooMuch(over interp.Over, trials int64, took time.Duration, again string) string {
	few := ""
	if n, err := count(e.trials); err == nil && trials < n {
		few = fmt.Sprintf(", as many as --time %v leaves time for", e.time)
	}
	return fmt.Sprintf("%s; estimated from %s trials instead%s; %s", e.limit(over), render.Thousands(trials), few, surer(trials, took, again))
}

// surer says how many trials make a chance as sure as most people want it, and how long that takes here:
// of 10,000 it is at most 1 point off, of a hundred times as many a tenth of that.
func surer(trials int64, took time.Duration, again string) string {
	n, off := int64(10_000), "± 1"
	if trials >= n {
		n, off = 1_000_000, "± 0.1"
	}
	text := fmt.Sprintf("for %s:  setpiece sim -n %d %s", off, n, again)
	switch all := time.Duration(float64(took) / float64(max(trials, 1)) * float64(n)); {
	case all >= 90*time.Second:
		text += fmt.Sprintf("   (about %.0f minutes)", all.Minutes())
	case all >= 5*time.Second: // less need not be said
		text += fmt.Sprintf("   (about %.0f s)", all.Seconds())
	}
	return text
}

// working shows on a terminal, from the first second on, that the program works and how
// far it is. Elsewhere it shows nothing.
type working struct {
	bar  *progressbar.ProgressBar
	done chan struct{}
	left chan struct{}
}

func (a *app) working(what string) *working {
	if !style.IsTerminal(a.errTo) {
		return &working{}
	}
	w := &working{done: make(chan struct{}), left: make(chan struct{})}
	w.bar = progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(style.Raw(a.errTo)), progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(max(10, style.Width(a.errTo)-50)), progressbar.OptionSpinnerType(14),
		progressbar.OptionShowElapsedTimeOnFinish(), progressbar.OptionSetElapsedTime(true), progressbar.OptionSetPredictTime(false),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	go func() {
		defer close(w.left)
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-w.done:
				return
			case <-tick.C:
				w.bar.RenderBlank() // Add draws only what has come on
			}
		}
	}()
	return w
}

// set says how much of the work is done.
func (w *working) set(done, all int64) {
	if w.bar != nil {
		w.bar.ChangeMax64(all)
		w.bar.Set64(done)
	}
}

// say says what is being worked on.
func (w *working) say(what string) {
	if w.bar != nil {
		w.bar.Describe(what)
	}
}

// stop takes the bar away.
func (w *working) stop() {
	if w.bar != nil {
		close(w.done)
		<-w.left
		w.bar.Clear()
		w.bar = nil
	}
}
