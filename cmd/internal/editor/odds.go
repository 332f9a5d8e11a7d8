package editor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/goals"
	"setpiece/interp/odds"
	"setpiece/lang"
)

// Lens is something that can be known or done about a line of a document.
type Lens struct {
	Place
	Command string // "odds", "run", "test" or "report"
	Title   string // "" for odds, which Odds works out
}

// Lenses lists what can be known and done about the lines of a document: the odds of each command
// that is played, running the script, its tests, and the report of a fight.
func (w *Workspace) Lenses(name string) []Lens {
	d := w.Open(name)
	if d == nil || strings.HasPrefix(name, Shipped) {
		return nil
	}
	var out []Lens
	for _, s := range d.scripts {
		s.check()
		if s.wrong || s.diags.Errors() {
			continue
		}
		tree, _ := lang.Parse(s.src)
		ctx, cancel := context.WithTimeout(context.Background(), checkTime())
		o, err := assist.OutlineOf(ctx, interp.NewSession(s.config()), s.src)
		cancel()
		if err != nil {
			continue
		}
		played := map[lang.Span]bool{}
		for i, at := range o.Played {
			if i == 0 {
				out = append(out, Lens{d.first(s, at), "run", "run"})
			}
			played[at] = true
		}
		for _, st := range tree.Stmts {
			switch st := lang.Bare(st).(type) {
			case *lang.Test:
				out = append(out, Lens{d.first(s, st.Span), "test", "test"})
			case *lang.Command:
				if !played[st.Span] {
					continue
				}
				out = append(out, Lens{Place: d.first(s, st.Span), Command: "odds"})
				if st.Block != nil {
					out = append(out, Lens{d.first(s, st.Span), "report", "report"})
				}
			}
		}
	}
	return out
}

// first is the first line of a stretch of a script.
func (d *Document) first(s *script, at lang.Span) Place {
	start, end := int(at.Start)+s.shift, int(at.End)+s.shift
	if i := strings.IndexByte(d.Text[start:end], '\n'); i >= 0 {
		end = start + i
	}
	return Place{d.Name, start, end}
}

// Odds prepares what Lens does not say of the odds of the command at a place. The function that
// is returned works them out, in any goroutine; it gives "" where there are none.
func (w *Workspace) Odds(name string, off int) func(context.Context) string {
	none := func(context.Context) string { return "" }
	d := w.Open(name)
	if d == nil {
		return none
	}
	s := d.at(off)
	if s == nil || s.wrong {
		return none
	}
	src, config, at := s.src, s.frozen(w), off-s.shift
	return func(ctx context.Context) string {
		o := oddsAt(ctx, config, src, at)
		if o == nil {
			return ""
		}
		return o.String()
	}
}

// oddsTime is how long the odds of a line may take.
const oddsTime = time.Second

// oddsTrials share out what is not followed in that time.
const oddsTrials = 2000

// chance is what a goal comes to.
type chance struct {
	goal string
	*odds.Odds
	slow string // the code of why it took long for no need
}

func oddsAt(ctx context.Context, config interp.Config, src *lang.Source, at int) *chance {
	session := interp.NewSession(config)
	o, err := assist.OutlineOf(ctx, session, src)
	if err != nil {
		return nil
	}
	end, heads := -1, map[string]bool{}
	for _, p := range o.Played {
		if int(p.Start) <= at && at <= int(p.End) {
			end = int(p.End)
			tree, _ := lang.Parse(lang.NewSource(src.Name, src.Text[p.Start:p.End]))
			heads = goals.HeadsOf(tree)
		}
	}
	if end < 0 {
		return nil
	}
	upTo, err := assist.Until(ctx, session, src, end)
	if err != nil {
		return nil
	}
	list, goal, err := goals.SceneGoals(ctx, session, upTo)
	if err != nil || goal == "" || slices.ContainsFunc(list, func(g goals.Info) bool { return g.Name == goal && elsewhere(g, heads) }) {
		return nil
	}
	lawOf := func(goal string) *odds.Law {
		law, err := odds.LawOf(ctx, interp.NewSession(config), upTo, odds.Config{Goal: goal, GoalOnly: true, Time: oddsTime, Trials: oddsTrials, Memory: 256 << 20}, nil)
		if err != nil || ctx.Err() != nil || law.Odds == nil || law.Odds.Stopped {
			return nil
		}
		return law
	}
	law := lawOf(goal)
	if law == nil {
		return nil
	}
	declared := slices.ContainsFunc(list, func(g goals.Info) bool { return g.Name == goal })
	if law.Odds.Value == 0 && !declared {
		if ends := lawOf("last.outcome != none"); ends == nil || ends.Odds.Value == 0 {
			return nil // what has no outcome does not fail either
		}
	}
	c := &chance{goal: goal, Odds: law.Odds}
	if len(law.Slow) > 0 {
		c.slow = " · slow: " + law.Slow[0].Code
	}
	return c
}

// elsewhere says that a goal is about other verbs than those of a command.
func elsewhere(g goals.Info, heads map[string]bool) bool {
	return len(g.After) > 0 && !slices.ContainsFunc(g.After, func(verb string) bool { return heads[verb] })
}

func (c *chance) String() string {
	if c.Sampled != nil || c.Half > 0 {
		return fmt.Sprintf("%s %s ± %s%s", c.goal, render.Percent(c.Value, false), strconv.FormatFloat(100*c.Half, 'g', 2, 64), c.slow)
	}
	if num, den, ok := fraction(c.Value); ok {
		return fmt.Sprintf("%s %d/%d", c.goal, num, den)
	}
	return c.goal + " " + render.Percent(c.Value, true) + c.slow
}

// fraction finds the fraction that an exact chance is, if people can make something of it.
func fraction(x float64) (num, den int, ok bool) {
	const largest = 1296
	for den := 2; den <= largest; den++ {
		if n := math.Round(x * float64(den)); math.Abs(x*float64(den)-n) < 1e-9 && n > 0 && n < float64(den) {
			return int(n), den, true
		}
	}
	return 0, 0, false
}

// frozen is what a script is read with, with the texts of the documents as they are now.
func (s *script) frozen(w *Workspace) interp.Config {
	config := s.config()
	config.Limits.Time = 0
	now := New(w.base)
	for name, d := range w.docs {
		now.docs[name] = &Document{Name: name, Text: d.Text}
	}
	config.Folder = refolded(s.folder, now)
	return config
}
