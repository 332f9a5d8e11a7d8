package assist

import (
	"context"

	"setpiece/interp"
	"setpiece/interp/goals"
	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// Outline says which statements of a script are played, what it reports where, and what it uses. Programs
// that show results beside a script need both.
type Outline struct {
	Played   []lang.Span // at the top of the script, in order
	Reported []Reported
	Systems  []interp.System // in use once it has run
	set      []lang.Span
}

// Reported is a value that a script reports.
type Reported struct {
	Column string // what odds and simulations call it
	At     lang.Span
}

// OutlineOf reads a script without running it. The session is not changed. A script with
// mistakes gives lang.Diagnostics.
func OutlineOf(ctx context.Context, s *interp.Session, src *lang.Source) (*Outline, error) {
	w, out, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil, err
	}
	o := &Outline{Played: out.Played, Systems: core.Of(s).Host.Systems(w).([]interp.System), set: out.Set}
	for _, r := range out.Reported {
		o.Reported = append(o.Reported, Reported{r.Column, r.At})
	}
	return o, nil
}

// Columns gives the columns that the odds of a text have, as far as it says so: those of what it
// reports. nil is that this depends on how it ends.
func Columns(ctx context.Context, s *interp.Session, src *lang.Source) ([]string, error) {
	src = goals.Reporting(ctx, nil, src)
	o, err := OutlineOf(ctx, s, src)
	if err != nil || len(o.Reported) == 0 || !alwaysReports(ctx, src) {
		return nil, err
	}
	var out []string
	for _, r := range o.Reported {
		out = append(out, r.Column)
	}
	return out, nil
}

// alwaysReports says whether a text comes to a report for certain, unless an error stops it.
func alwaysReports(ctx context.Context, src *lang.Source) bool {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil || core.Failed(diags) {
		return false
	}
	reports, returns := false, false
	lang.Walk(file, func(n lang.Node) bool {
		_, is := n.(*lang.Return)
		returns = returns || is
		return true
	})
	lang.Walk(file, func(n lang.Node) bool {
		switch n.(type) {
		case *lang.Report:
			reports = true
		case *lang.File, *lang.Block, *lang.Command: // the blocks of scenes are those of commands
			return true
		}
		return false
	})
	return reports && !returns
}

// RulesIn gives the system or variant that a file of rules is, or is a part of, and the base of a
// variant; "" for a script.
func RulesIn(s *interp.Session, src *lang.Source) (name, base string) {
	tree, _ := lang.Parse(src)
	return core.HomeOf(core.Of(s), src, tree)
}

// Replaces gives the declaration that a rule of that name takes the place of, and the system that
// declares it; a span without a source where it takes the place of none.
func Replaces(s *interp.Session, name string) (at lang.Span, of string) {
	r := core.Of(s).World.Rules[name]
	if r == nil || r.Module == nil {
		return at, ""
	}
	if r.Base != nil {
		r = r.Base
	}
	return r.At, r.Module.Name
}

// Until gives a script as it is at a place: what begins there or later and is played, or
// sets something, is left out; what is declared there stays, since what is above may name it.
func Until(ctx context.Context, s *interp.Session, src *lang.Source, place int) (*lang.Source, error) {
	o, err := OutlineOf(ctx, s, src)
	if err != nil {
		return nil, err
	}
	var cut []lang.Edit
	file, _ := lang.Parse(src)
	for _, st := range file.Stmts {
		if _, ok := st.(*lang.Test); ok {
			o.set = append(o.set, st.Range())
		}
	}
	for _, at := range append(o.set, o.Played...) {
		if int(at.Start) >= place {
			cut = append(cut, lang.Edit{Span: at})
		}
	}
	if len(cut) == 0 {
		return src, nil
	}
	return src.Edited(cut...), nil
}
