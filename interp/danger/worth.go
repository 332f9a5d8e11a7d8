package danger

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/dist"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/trials"
	"setpiece/interp/odds"
	"setpiece/interp/tune"
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
	pc := tune.Config{Goal: r.aim, Lo: r.rc.Want[0], Hi: r.rc.Want[1], Trials: int(min(r.report.Trials, 1_000_000))}
	if r.rc.Trials == 0 {
		pc.Time = r.within() / 5
	}
	p, err := tune.Propose(ctx, r.changed, r.src, pc)
	if err != nil {
		return err
	}
	r.report.Proposals = p
	return nil
}

// worth finds out what decisions are worth: those that clauses and tactics make by leaving
// these out, the others by trying each answer.
func (r *reporter) worth(ctx context.Context) error {
	out, s := r.report, interp.NewSession(r.changed)
	n := worthTrials(out.Trials)
	seed := trials.Seed(r.cfg.Seed^0x776f727468, 1)
	base, err := r.figuresOf(ctx, r.src, n, seed)
	if err != nil {
		return err
	}
	list := r.made(ctx, s)
	worth, sure := make([]DecisionWorth, len(list)), make([]bool, len(list))
	each(ctx, len(list), func(i int) {
		d := list[i]
		xs, err := r.figuresOf(ctx, d.without, n, seed)
		// The script may need it. Where some trials stop without it, it is not a matter of worth.
		if err != nil || len(dist.Finite(xs)) < len(dist.Finite(base)) {
			return
		}
		worth[i] = DecisionWorth{Who: d.who, What: d.what}
		worth[i].Value, worth[i].Half = dist.Ahead(base, xs)
		sure[i] = dist.Differ(base, xs, len(list))
	})
	for i, d := range worth {
		if sure[i] {
			out.Worth = append(out.Worth, d)
		}
	}
	slices.SortStableFunc(out.Worth, func(a, b DecisionWorth) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	out.WorthOver = n
	open, err := trials.NewSeries(ctx, core.Of(s), r.src, r.aim, seed)
	if err != nil {
		return err
	}
	policy, err := advice.PolicyFrom(ctx, open.Prepared, advice.PolicyConfig{Best: []string{odds.Everybody}, Goal: r.aim, Trials: int(n), Answers: triedAnswers})
	if e := ctx.Err(); e != nil {
		return e
	}
	if err == nil {
		out.Open = r.open(policy)
	}
	return nil
}

// OpenDecision is a decision that the script leaves open, with another answer than the one that the
// rules give if nobody decides.
type OpenDecision struct {
	Who, Prompt  string
	Usual, Other string
	ComesUp      Estimate // in how many of the trials
	Value        float64  // how much the other answer adds to the mean of the goal
	Half         float64
	Better       bool // for whoever decides
}

// open lists the decisions that matter, each with the best of the other answers for whoever decides.
// Those which the usual answer does not serve come first.
func (r *reporter) open(p *advice.Policy) []OpenDecision {
	var out []OpenDecision
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if !d.Tried {
			continue
		}
		ours := r.report.Ours == nil || slices.Contains(r.report.Ours, d.Who)
		best := -1
		for k := range d.Options {
			if k == d.Default || math.IsNaN(d.Values[k]) {
				continue
			}
			if best < 0 || (d.Values[k] > d.Values[best]) == ours {
				best = k
			}
		}
		if best < 0 {
			continue
		}
		x := OpenDecision{Who: d.Who, Prompt: d.Prompt, Usual: d.Options[d.Default], Other: d.Options[best], Value: d.Values[best] - d.Values[d.Default], Half: d.Half[best]}
		x.ComesUp = chanceIn(int64(d.Weight*float64(p.Trials)+0.5), int64(p.Trials))
		if x.Better = (x.Value > 0) == ours; d.Sure[best] {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b OpenDecision) int {
		if a.Better != b.Better {
			if a.Better {
				return -1
			}
			return 1
		}
		return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
	})
	return out
}

// triedAnswers is how many answers to decisions that are left open are tried.
const triedAnswers = 30

// decisionMade is a decision that the script makes, and the script without it.
type decisionMade struct {
	who, what string
	without   *lang.Source
}

// made finds the clauses of commands that can be left out, and the answers of tactics.
func (r *reporter) made(ctx context.Context, s *interp.Session) []decisionMade {
	src := r.src
	file, _ := lang.Parse(src)
	_, out, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil
	}
	var list []decisionMade
	add := func(who, what, without string) {
		list = append(list, decisionMade{who, strings.Join(strings.Fields(what), " "), lang.NewSource(src.Name, without)})
	}
	said := func(n lang.Node) string { at := n.Range(); return strings.Trim(src.Text[at.Start:at.End], `"`) }
	clausesIn := func(who string, cmd *lang.Command) {
		for _, c := range out.Clauses {
			if c.Src != src || c.Start < cmd.Start || c.End > cmd.End {
				continue
			}
			// the comma before it goes, too
			without := strings.TrimRight(src.Text[:c.Start], " ,") + " " + src.Text[c.End:]
			add(who, said(cmd.Head)+" … "+src.Text[c.Start:c.End], without)
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
						answer := strings.TrimSpace(src.Text[e.Answer.Range().Start:e.End])
						add(who, "on "+e.On.Name+": "+answer, src.Text[:e.Start]+src.Text[e.End:])
					} else if e.Do != nil {
						clausesIn(who, e.Do)
					}
				}
				return false
			case *lang.Command:
				if n.Block == nil {
					who := ""
					if n.Who != nil {
						who = strings.ReplaceAll(said(n.Who), "_", " ")
					}
					clausesIn(who, n)
					return false
				}
			}
			return true
		})
	}
	return list
}
