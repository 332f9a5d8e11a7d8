package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// checkSet looks whether the options of --set are there to be chosen in one of
// the scripts, before any of them runs.
// It gives the scripts the values of --let first.
func (p *playing) checkSet(ctx context.Context, list []script) error {
	if err := p.let.apply(ctx, list); err != nil {
		return err
	}
	if len(p.set) == 0 {
		return nil
	}
	known := map[string]assist.OptionInfo{}
	for _, s := range list {
		options, err := optionsOf(ctx, s)
		if err != nil {
			return nil // the script is wrong, which is then told at length
		}
		for _, o := range options {
			known[o.Name] = o
		}
	}
	names := slices.Sorted(maps.Keys(known))
	for _, name := range slices.Sorted(maps.Keys(p.set)) {
		o, ok := known[name]
		value := p.set[name]
		switch {
		case !ok && len(names) == 0:
			return wrong(name+"="+value, "there is no option "+name, "the script uses no system that has options")
		case !ok:
			return wrong(name+"="+value, "there is no option "+name, didYouMean(name, names))
		case len(o.Choices) > 1 && !slices.Contains(o.Choices, value):
			message := fmt.Sprintf("%s cannot be %s; choose %s", name, value, lang.OneOf(o.Choices))
			return wrong(name+"="+value, message, didYouMean(value, o.Choices))
		}
	}
	return nil
}

// optionsOf finds the options in force in a script: those of the modules it
// uses and its own.
func optionsOf(ctx context.Context, s script) ([]assist.OptionInfo, error) {
	probe := interp.NewSession(library(unwatched(s.folder), s.systems))
	file, _, err := lang.ParseContext(ctx, s.src)
	if err != nil {
		return nil, err
	}
	for _, stmt := range file.Stmts {
		switch stmt.(type) {
		case *lang.Use, *lang.Include, *lang.Option:
			at := stmt.Range()
			err := probe.Exec(ctx, lang.NewSource(s.src.Name, s.src.Text[at.Start:at.End]+"\n"))
			if err != nil {
				return nil, err
			}
		}
	}
	return assist.Options(probe), nil
}
