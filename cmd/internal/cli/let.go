package cli

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/lang"
)

// letFlag is the value of --let: other values for what a script sets with let, by name.
// The script is changed before it is read, so that every command sees the same.
type letFlag map[string]string

func (l *letFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(l, "let", "another value for a variable that the script sets with let; may be repeated")
}

func (l *letFlag) String() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(*l)) {
		words = append(words, name+"="+(*l)[name])
	}
	return strings.Join(words, ",")
}

// Set takes NAME=VALUE.
func (l *letFlag) Set(arg string) error {
	name, value, ok := strings.Cut(arg, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return errors.New("write NAME=VALUE, as dn=8")
	}
	if _, diags := lang.ParseExpr(lang.NewSource("", value)); len(diags) > 0 {
		return errors.New(value + " is no value: " + diags[0].Message)
	}
	if *l == nil {
		*l = letFlag{}
	}
	(*l)[name] = value
	return nil
}

func (l *letFlag) Type() string { return "NAME=VALUE" }

// apply gives the scripts the values. A name that none of them sets is an error.
func (l letFlag) apply(list []script) error {
	for _, name := range slices.Sorted(maps.Keys(l)) {
		found := false
		var names []string
		for i, s := range list {
			changed, set, all := withLet(s, name, l[name])
			list[i], found, names = changed, found || set, append(names, all...)
		}
		if !found {
			return noVariable(name, names)
		}
	}
	return nil
}

// noVariable tells that no script sets a variable; names are those that are set.
func noVariable(name string, names []string) error {
	help := didYouMean(name, names)
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case help != "":
	case len(names) > 0:
		help = "the script sets " + strings.Join(names, ", ")
	default:
		help = "write  let " + name + " = …  in the script"
	}
	return wrong(name, "the script sets no variable "+name, help)
}

// withLet gives a script with another value wherever it sets a variable at its top
// level or, where it does not, in its scenes; and the names of all its variables.
func withLet(s script, name, value string) (changed script, found bool, names []string) {
	file, _ := lang.Parse(s.src)
	var top, inner []lang.Span
	for _, st := range file.Stmts {
		if l, ok := st.(*lang.Let); ok {
			names = append(names, l.Name.Name)
			if l.Name.Name == name {
				top = append(top, l.Value.Range())
			}
			continue
		}
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Check, *lang.Test:
				return false // what a rule sets is its own
			case *lang.Let:
				names = append(names, n.Name.Name)
				if n.Name.Name == name {
					inner = append(inner, n.Value.Range())
				}
			}
			return true
		})
	}
	at := top
	if len(at) == 0 {
		at = inner
	}
	text := s.src.Text
	for _, v := range slices.Backward(at) {
		text = text[:v.Start] + value + text[v.End:]
	}
	if len(at) == 0 {
		return s, false, names
	}
	return script{lang.NewSource(s.src.Name, text), s.folder}, true, names
}
