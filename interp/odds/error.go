package odds

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/odds"
	"setpiece/lang"
)

// Why there are no odds, in words that say what to change.

// known looks whether there is everybody who is to make the best decisions.
func known(w *decl.World, names []string) error {
	var all []string
	for _, i := range language.Instances(w) {
		all = append(all, i.Name)
	}
	var diags lang.Diagnostics
	for _, n := range names {
		if n == Everybody || slices.Contains(all, n) {
			continue
		}
		d := &lang.Diagnostic{Message: "--best: nobody is called " + n}
		if near, ok := lang.Nearest(n, all); ok {
			d.Help = "did you mean " + near + "?"
		}
		diags = append(diags, d)
	}
	if len(diags) > 0 {
		return diags
	}
	return nil
}

// OddsError tells of a graph that grew too large what made it so: the fields and
// variables with the most values.
func OddsError(s *core.Run, g *odds.Graph, err error) error {
	d := &lang.Diagnostic{}
	over := interp.OverStates
	switch {
	case errors.Is(err, odds.ErrStates):
		d.Message = fmt.Sprintf("the odds have more than %d possible states", g.Limit)
	case errors.Is(err, odds.ErrMemory):
		over = interp.OverMemory
		d.Message = fmt.Sprintf("the possible states of the odds take more than %d MiB", g.Bound()>>20)
	case errors.Is(err, odds.ErrEndless):
		d.Message = "the exact odds are not finite: some dice may be thrown again for ever"
		d.Help = "leave out --exact: setpiece then skips results less likely than 1e-16 and prints their total chance"
		return &interp.RunError{Kind: interp.Limit, Diag: d}
	case errors.Is(err, odds.ErrFractions):
		d.Message = fmt.Sprintf("the odds as fractions take more than %d MiB", g.Bound()>>20)
		d.Help = "leave out --exact: setpiece then prints the same odds as decimals"
		return &interp.RunError{Kind: interp.Limit, Over: interp.OverMemory, Diag: d}
	default:
		return err
	}
	var most []string
	for _, x := range g.Variety() {
		if len(most) < 3 && x.Values > 2 {
			name := NameOfWord(s, x.At)
			if x.Field != nil {
				name = x.Field.Of + "." + x.Field.Name
			}
			most = append(most, fmt.Sprintf("%s has %d values", name, x.Values))
		}
	}
	if g.Inside > g.Limit/20 {
		most = append(most, fmt.Sprintf("one command has %d throws of dice whose results all matter later", g.Inside))
	}
	if len(most) > 0 {
		d.Notes = append(d.Notes, lang.Note{Message: strings.Join(most, ", ")})
		d.Help = "report fewer values, or use sim"
	}
	endless(g, d)
	return &interp.RunError{Kind: interp.Limit, Over: over, Diag: d}
}

// endless says of exact odds that were not finished what kept them: dice that may be
// thrown again for ever.
func endless(g *odds.Graph, d *lang.Diagnostic) {
	if g.Endless() {
		d.Help = "some dice may be thrown again for ever: leave out --exact, and setpiece skips the least likely results and prints their total chance"
	}
}

// NameOfWord names a word of the store: a field of an instance, or a variable.
func NameOfWord(s *core.Run, at int) string {
	m := s.M
	for _, off := range slices.Backward(m.Prog.Live) {
		if t := m.TypeOf(off); at >= off+code.Header && at < off+len(t.Template) {
			return m.PathOf(off) + "." + t.Fields[at-off-code.Header].Name
		}
	}
	if at >= m.Prog.RegisterWords[0] && at < m.Prog.RegisterWords[1] {
		return "an intermediate number"
	}
	if name := language.VariableAt(s.World, at); name != "" {
		return name
	}
	return "the last outcome"
}
