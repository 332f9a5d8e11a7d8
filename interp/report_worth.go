package interp

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"setpiece/lang"
)

// DecisionWorth says what a decision that the script makes in advance is worth: by how much the
// mean of the goal falls where the clause, or the answer of tactics, is left out.
type DecisionWorth struct {
	Who   string // who decides so, "" where that is not said
	What  string // the clause or the answer, as the script says it
	Value float64
	Half  float64 // half of its 95 % interval
}

// worthTrials is how many trials there are for each change.
func (r *reporter) worthTrials() int { return int(changeTrials(r.report.Trials)) }

// smallGraph is how much memory exact odds of the text may take for its changes to be worked
// out exactly, too.
const smallGraph = 1 << 20

// moves finds out what moves the goal: exactly if that is a matter of few states, else by
// trials.
func (r *reporter) moves(ctx context.Context) error {
	cfg := WhyConfig{Goal: r.aim, Moves: 1000, Paths: 1, Memory: smallGraph, States: int(20 * r.report.Trials), Trials: r.worthTrials()}
	w, err := NewSession(r.changed).Why(ctx, r.src, cfg)
	if err == nil && w.Untried > 0 {
		cfg.Estimated = true
		w, err = NewSession(r.changed).Why(ctx, r.src, cfg)
	}
	if err != nil {
		return err
	}
	r.report.Why = w
	return nil
}

// propose looks for the smallest changes with which the goal is as wanted.
func (r *reporter) propose(ctx context.Context) error {
	if r.rc.Want == nil {
		return nil
	}
	pc := ProposeConfig{Goal: r.aim, Lo: r.rc.Want[0], Hi: r.rc.Want[1], Trials: int(min(r.report.Trials, 1_000_000))}
	if r.rc.Trials == 0 {
		pc.Time = or(r.rc.Time, 10*time.Second) / 4
	}
	p, err := Propose(ctx, r.changed, r.src, pc)
	if err != nil {
		return err
	}
	r.report.Proposals = p
	return nil
}

// worth finds out what decisions are worth: those that clauses and tactics make by leaving
// these out, the others by trying each answer.
func (r *reporter) worth(ctx context.Context) error {
	s := NewSession(r.changed)
	start := s.Snapshot()
	base, err := r.figuresOf(ctx, s, r.src)
	if err != nil {
		return err
	}
	s.Restore(start)
	for _, d := range r.made(ctx, s) {
		s.Restore(start)
		xs, err := r.figuresOf(ctx, s, d.without)
		if e := ctx.Err(); e != nil {
			return e
		}
		if err != nil {
			continue // the script needs it
		}
		if len(finite(xs)) < len(finite(base)) {
			continue // where some trials stop without it, it is not a matter of worth
		}
		if by, half := ahead(base, xs); math.Abs(by) > half {
			r.report.Worth = append(r.report.Worth, DecisionWorth{d.who, d.what, by, half})
		}
	}
	slices.SortStableFunc(r.report.Worth, func(a, b DecisionWorth) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	s.Restore(start)
	p, err := s.Policy(ctx, r.src, PolicyConfig{Best: []string{Everybody}, Goal: r.aim, Trials: r.worthTrials()})
	if e := ctx.Err(); e != nil {
		return e
	}
	if err == nil && len(p.Decisions) > 0 {
		r.report.Policy = p
	}
	return nil
}

// figuresOf makes trials of a text, each with the dice of the same trial of any other.
func (r *reporter) figuresOf(ctx context.Context, s *Session, src *lang.Source) ([]float64, error) {
	text, err := withGoal(ctx, reporting(ctx, src), r.aim)
	if err != nil {
		return nil, err
	}
	p, err := s.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	xs, _, err := p.figures(ctx, r.worthTrials(), r.cfg.Seed, time.Time{}, nil)
	if err == nil && len(finite(xs)) == 0 {
		err = errors.New("every trial stopped with an error")
	}
	return xs, err
}

// decisionMade is a decision that the script makes, and the script without it.
type decisionMade struct {
	who, what string
	without   *lang.Source
}

// made finds the clauses of commands that can be left out, and the answers of tactics.
func (r *reporter) made(ctx context.Context, s *Session) []decisionMade {
	src := r.src
	file, _ := lang.Parse(src)
	_, out, _, err := s.compile(ctx, src, false)
	if err != nil {
		return nil
	}
	var list []decisionMade
	add := func(who string, at lang.Span, what string) {
		text := src.Text[:at.Start] + src.Text[at.End:]
		if src.Text[at.Start:at.End] == what { // a clause: the comma before it goes, too
			text = strings.TrimRight(src.Text[:at.Start], " ,") + " " + src.Text[at.End:]
		}
		list = append(list, decisionMade{who, strings.Join(strings.Fields(what), " "), lang.NewSource(src.Name, text)})
	}
	said := func(n lang.Node) string { at := n.Range(); return strings.Trim(src.Text[at.Start:at.End], `"`) }
	clausesIn := func(who string, at lang.Span) {
		for _, c := range out.Clauses {
			if c.Src == src && c.Start >= at.Start && c.End <= at.End {
				add(who, c, src.Text[c.Start:c.End])
			}
		}
	}
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Tactics:
				var names []string
				for _, w := range n.Who {
					names = append(names, strings.ReplaceAll(said(w), "_", " "))
				}
				who := strings.Join(names, ", ")
				for _, e := range n.Entries {
					if e.On != nil {
						add(who, e.Span, "on "+e.On.Name+": "+strings.TrimSpace(src.Text[e.Answer.Range().Start:e.End]))
					} else if e.Do != nil {
						clausesIn(who, e.Do.Span)
					}
				}
				return false
			case *lang.Command:
				if n.Block == nil {
					who := ""
					if n.Who != nil {
						who = strings.ReplaceAll(said(n.Who), "_", " ")
					}
					clausesIn(who, n.Span)
					return false
				}
			}
			return true
		})
	}
	return list
}
