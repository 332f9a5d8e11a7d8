package cli

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/lang"
)

func (a *app) tuneCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var texts []string
	var vary, want, goal string
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Find the value for which the chance is as wished",
		Long: `Find the value of a variable of a script for which the chance of a goal is as
wished: the difficulty, the rating, the number of foes. The variable is one that
the script sets with let; each value is put there and the odds worked out.`,
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
			return a.tune(cmd.Context(), &p, list[0], vary, want, goal)
		},
	}
	f := cmd.Flags()
	p.set.flag(cmd)
	f.StringArrayVarP(&texts, "expr", "e", nil, "tune `TEXT`; given again, its next line")
	f.StringVar(&vary, "vary", "", "what is tried: `NAME=FIRST..LAST` of a variable set with let")
	f.StringVar(&want, "want", "", "what is wished: `PERCENT`, or 40%..50%; or numbers")
	f.StringVar(&goal, "goal", "success", "the goal: an outcome, or an `EXPR` that is yes or no, or a number of which the mean counts")
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
		err = fmt.Errorf("%s goes down", s)
	}
	return lo, hi, err
}

func percent(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is no chance", s)
	}
	if strings.HasSuffix(s, "%") {
		f /= 100
	}
	return f, nil
}

func whole(s string) (float64, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < -maxTuned || n > maxTuned {
		return 0, fmt.Errorf("%s is no whole number from %d to %d", s, -maxTuned, maxTuned)
	}
	return float64(n), nil
}

// maxTuned bounds the values that are tried.
const maxTuned = 1_000_000_000

// maxTried is how many values are tried.
const maxTried = 200

func (a *app) tune(ctx context.Context, p *playing, s script, vary, want, goal string) error {
	name, values, ok := strings.Cut(vary, "=")
	if !ok {
		return wrong(vary, "--vary says what is tried", "as dn=5..15")
	}
	first, last, err := span(values, whole)
	if err != nil || last-first >= maxTried {
		if err == nil {
			err = fmt.Errorf("%s are more than %d values", values, maxTried)
		}
		return wrong(vary, "--vary: "+err.Error(), "as dn=5..15")
	}
	if want == "" {
		return wrong("", "tune needs --want", "the chance that is wished, as 60% or 40%..50%")
	}
	lo, hi, err := span(want, percent)
	if err != nil {
		return wrong(want, "--want: "+err.Error(), "as 60% or 40%..50%")
	}
	at, names := setOf(s, name)
	if at == nil {
		help := didYouMean(name, names)
		if help == "" {
			help = "let " + name + " = … sets it"
		}
		return wrong(vary, "the script sets no variable "+name, help)
	}
	var rows [][]string
	best, nearest := 0, math.Inf(1)
	var marks []bool
	var warn []interp.RefusedTactic
	for n := int(first); n <= int(last); n++ {
		text := s.src.Text[:at.Start] + strconv.Itoa(n) + s.src.Text[at.End:]
		o, err := interp.NewSession(p.config(s)).Odds(ctx, lang.NewSource(s.src.Name, text), interp.OddsConfig{Goal: goal})
		if err == nil && o.Stopped {
			err = ctx.Err()
		}
		if err != nil {
			a.fail(err, nil)
			return nil
		}
		warn = append(warn, o.Refused...)
		off := max(lo-o.Value, o.Value-hi, 0)
		if off < nearest {
			best, nearest = len(rows), off
		}
		marks = append(marks, off == 0)
		value := render.Decimal(o.Value)
		if strings.Contains(want, "%") {
			value = render.Percent(o.Value, o.Value == 0 || o.Value == 1)
		}
		rows = append(rows, []string{"", name + " " + strconv.Itoa(n), value})
	}
	pal := a.palette()
	for i := range rows {
		if marks[i] || i == best {
			rows[i][0] = ">"
			rows[i][1] = style.On(pal.Good, rows[i][1])
		}
	}
	render.Table(a.out, rows)
	render.Refused(a.out, pal, interp.WorstRefused(warn))
	if nearest > 0 {
		fmt.Fprintln(a.out, style.On(pal.Faint, "none is as wished; the nearest is marked"))
	}
	return nil
}

// setOf gives the place of the value that a script gives a variable first, and
// the names of all its variables.
func setOf(s script, name string) (at *lang.Span, names []string) {
	file, _ := lang.Parse(s.src)
	lang.Walk(file, func(n lang.Node) bool {
		if l, ok := n.(*lang.Let); ok {
			names = append(names, l.Name.Name)
			if l.Name.Name == name && at == nil {
				r := l.Value.Range()
				at = &r
			}
		}
		return true
	})
	return at, names
}
