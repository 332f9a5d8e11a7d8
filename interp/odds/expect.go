package odds

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// `expect odds(CONDITION) in 40%..60%`, in a script.

// ExpectOdds holds an expectation of a test about odds against the odds.
func ExpectOdds(ctx context.Context, s *core.Run, x decl.OddsTest) error {
	text := func(at lang.Span) string { return at.Src.Text[at.Start:at.End] }
	var script strings.Builder
	for _, at := range x.Before {
		script.WriteString(text(at) + "\n")
	}
	of := text(x.Of)
	if x.Outcome {
		of = "last.outcome == " + of
	}
	script.WriteString("report " + of + "\n")
	src := lang.NewSource(x.At.Src.Name, script.String())
	chance, slack, err := chanceOf(ctx, s, src, false)
	if err != nil {
		return err
	}
	held, err := compares(ctx, s, x, chance)
	if err == nil && slack.Sign() > 0 {
		// It is not known as a fraction: that matters only on the edge.
		low, err1 := compares(ctx, s, x, new(big.Rat).Sub(chance, slack))
		high, err2 := compares(ctx, s, x, new(big.Rat).Add(chance, slack))
		if err1 == nil && err2 == nil && (low != held || high != held || mayEqual(ctx, s, x, chance, slack)) {
			if exact, _, err := chanceOf(ctx, s, src, true); err == nil {
				chance = exact
				held, _ = compares(ctx, s, x, exact)
			}
		}
	}
	if err != nil || held {
		return err
	}
	f, _ := chance.Float64()
	help, digits := "", 2
	if n, ok := rounded(text(x.Than)); ok && x.Op == "==" && strconv.FormatFloat(100*f, 'f', n, 64)+"%" == strings.ReplaceAll(text(x.Than), " ", "") {
		of := "odds(" + text(x.Of) + ")"
		digits = n + 2
		help = fmt.Sprintf("that is rounded: write  %s in %.1f%%..%.1f%%", of, math.Floor(1000*f)/10, math.Ceil(1000*f)/10)
		if slack.Sign() == 0 {
			help += fmt.Sprintf("  or  %s == %s", of, chance.RatString())
		}
	}
	said := fmt.Sprintf("%.*f %%", digits, 100*f)
	if slack.Sign() == 0 {
		said = chance.RatString() + ", " + said
	}
	return &interp.RunError{Kind: interp.Expected, Diag: &lang.Diagnostic{
		Span: x.At, Message: fmt.Sprintf("expected %s, but the chance is %s", strings.Join(strings.Fields(text(x.At)), " "), said), Help: help,
	}}
}

// rounded gives how many digits a percentage has behind the point, as it is written.
func rounded(text string) (digits int, ok bool) {
	number, ok := strings.CutSuffix(text, "%")
	if _, err := strconv.ParseFloat(strings.TrimSpace(number), 64); !ok || err != nil {
		return 0, false
	}
	_, behind, _ := strings.Cut(strings.TrimSpace(number), ".")
	return len(behind), true
}

// chanceOf gives the chance that what a text reports is yes, and how far it may be off:
// 0 where it is known as a fraction.
func chanceOf(ctx context.Context, s *core.Run, src *lang.Source, exact bool) (chance, slack *big.Rat, err error) {
	start := s.Keep()
	o, err := oddsOf(ctx, s, src, Config{Exact: exact})
	s.Restore(start)
	if err != nil {
		return nil, nil, err
	}
	chance, slack = new(big.Rat), new(big.Rat)
	if o.Remainder > 0 {
		slack.Add(edge, new(big.Rat).SetFloat64(o.Remainder))
	}
	for _, e := range o.Ends {
		switch {
		case e.Fault != nil:
			return nil, nil, e.Fault
		case e.Values[len(e.Values)-1] != value.Yes:
		case e.Exact != nil:
			chance.Add(chance, e.Exact)
		default:
			chance.Add(chance, new(big.Rat).SetFloat64(e.P))
			slack.Add(slack, edge)
		}
	}
	return chance, slack, nil
}

// compares says whether a chance is as a test expects.
func compares(ctx context.Context, s *core.Run, x decl.OddsTest, chance *big.Rat) (bool, error) {
	start := s.Keep()
	than := x.Than.Src.Text[x.Than.Start:x.Than.End]
	err := s.Host.Exec(ctx, lang.NewSource("", fmt.Sprintf("expect (%s / %s) %s %s", chance.Num(), chance.Denom(), x.Op, than)))
	s.Restore(start)
	var re *interp.RunError
	if errors.As(err, &re) && re.Kind == interp.Expected {
		return false, nil
	}
	return err == nil, err
}

// mayEqual says whether a test for equality is about a chance that is no farther off than slack.
func mayEqual(ctx context.Context, s *core.Run, x decl.OddsTest, chance, slack *big.Rat) bool {
	if x.Op != "==" && x.Op != "!=" {
		return false
	}
	x.Op = "<="
	below, err1 := compares(ctx, s, x, new(big.Rat).Sub(chance, slack))
	x.Op = ">="
	above, err2 := compares(ctx, s, x, new(big.Rat).Add(chance, slack))
	return err1 == nil && err2 == nil && below && above
}

// edge is how far a chance that is not known as a fraction may be off.
var edge = big.NewRat(1, 1e9)
