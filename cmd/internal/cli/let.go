package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/interp/vary"
	"setpiece/lang"
)

// letFlag is the value of --let: other values for what a script says, by name. The script
// is changed before it is read, so that every command sees the same.
type letFlag map[string]string

func (l *letFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(l, "let", "another value for a variable of the script, a field of a sheet, or how many there are, as dn=8, Nova.PUNCH=5, Wolves=x4; may be repeated")
}

func (l *letFlag) String() string { return (*setFlag)(l).String() }

// Set takes NAME=VALUE.
func (l *letFlag) Set(arg string) error {
	name, value, ok := strings.Cut(arg, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return errors.New("write NAME=VALUE, as dn=8")
	}
	if _, diags := lang.ParseExpr(lang.NewSource("", value)); len(diags) > 0 {
		return errors.New(value + " is not a value: " + diags[0].Message)
	}
	if *l == nil {
		*l = letFlag{}
	}
	(*l)[name] = value
	return nil
}

func (l *letFlag) Type() string { return "NAME=VALUE" }

// apply gives the scripts the values. A name that none of them has is an error; of a
// script with mistakes nobody knows, and those come first.
func (l letFlag) apply(ctx context.Context, list []script) error {
	if len(l) == 0 {
		return nil
	}
	missing := map[string]int{}
	var all []vary.Parameter
	for i, s := range list {
		params, err := parametersOf(ctx, s)
		if err != nil {
			return nil
		}
		all = append(all, params...)
		for _, name := range slices.Sorted(maps.Keys(l)) {
			p, _ := vary.FindParameter(params, name)
			if p == nil {
				missing[name]++
				continue
			}
			value, err := asValue(p, l[name])
			if err != nil {
				return wrong(name+"="+l[name], "--let: "+err.Error(), "write  --let '"+name+"=x4'")
			}
			list[i] = with(ctx, list[i], name, value, "--let "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if missing[name] == len(list) {
			_, near := vary.FindParameter(all, name)
			return noParameter(name, near, all)
		}
	}
	return nil
}
