package interp

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

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

// propose looks for the smallest changes with which the goal is as wanted.
func (r *reporter) propose(ctx context.Context) error {
	if r.rc.Want == nil {
		return nil
	}
	pc := ProposeConfig{Goal: r.aim, Lo: r.rc.Want[0], Hi: r.rc.Want[1], Trials: int(min(r.report.Trials, 1_000_000))}
	if r.rc.Trials == 0 {
		pc.Time = r.within() / 5
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
	out, s := r.report, NewSession(r.changed)
	n := worthTrials(out.Trials)
	seed := TrialSeed(r.cfg.Seed^0x776f727468, 1)
	base, err := r.figuresOf(ctx, r.src, n, seed)
	if err != nil {
		return err
	}
	list := r.made(ctx, s)
	worth := make([]DecisionWorth, len(list))
	each(ctx, len(list), func(i int) {
		d := list[i]
		xs, err := r.figuresOf(ctx, d.without, n, seed)
		// The script may need it. Where some trials stop without it, it is not a matter of worth.
		if err != nil || len(finite(xs)) < len(finite(base)) {
			return
		}
		worth[i] = DecisionWorth{Who: d.who, What: d.what}
		worth[i].Value, worth[i].Half = ahead(base, xs)
	})
	for _, d := range worth {
		if math.Abs(d.Value) > d.Half {
			out.Worth = append(out.Worth, d)
		}
	}
	slices.SortStableFunc(out.Worth, func(a, b DecisionWorth) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	out.WorthOver = n
	text, err := withGoal(ctx, reporting(ctx, r.src), r.aim)
	if err != nil {
		return err
	}
	p, err := s.prepare(ctx, text)
	if err != nil {
		return err
	}
	p.paired = true
	policy, err := p.policy(ctx, PolicyConfig{Best: []string{Everybody}, Goal: r.aim, Trials: int(n)})
	if e := ctx.Err(); e != nil {
		return e
	}
	if err == nil && len(policy.Decisions) > 0 {
		out.Policy = policy
	}
	return nil
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
