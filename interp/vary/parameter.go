package vary

import (
	"context"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// ParameterKind says what a Parameter is.
type ParameterKind int

const (
	FieldParameter    = ParameterKind(resolve.FieldParameter)    // a value on a sheet
	CountParameter    = ParameterKind(resolve.CountParameter)    // how many there are, as x3
	VariableParameter = ParameterKind(resolve.VariableParameter) // what let sets
	OptionParameter   = ParameterKind(resolve.OptionParameter)   // an option of the system in use
	VariantParameter  = ParameterKind(resolve.VariantParameter)  // a variant of it, or none
	OperandParameter  = ParameterKind(resolve.OperandParameter)  // a number, a die or a pool in a command
)

// Parameter is a value in a script that whoever prepares it may change: what a sheet
// says, how many there are, what a variable is set to, an option. A change is one of the
// text, so that defaults and checks follow.
type Parameter struct {
	Kind  ParameterKind
	Name  string // "Sludge Lord.star", "Ooze Men", "dn", "fight rounds", "natural"
	Sheet string // of a field or a count: of which kind they are
	Who   string // whose field it is, who gives the command; "" for nobody's
	Own   bool   // players fill that sheet in, or pay for that operand
	Value string // as the script writes it, "" where it leaves it to the rules

	P resolve.Parameter
}

// Edits gives the changes of the script that put another value there, written as the
// script would write it: 4, d8, small, x3. It is not checked.
func (p *Parameter) Edits(value string) []lang.Edit { return p.P.Edits(value) }

// Parameters lists what may be changed in a script, in the order in which it says it.
// The session is not changed. A script with mistakes gives lang.Diagnostics.
func Parameters(ctx context.Context, s *interp.Session, src *lang.Source) ([]Parameter, error) {
	world := core.Of(s).World
	world.Varies = true
	defer func() { world.Varies = false }()
	_, out, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil, err
	}
	var list []Parameter
	for _, p := range out.Parameters {
		list = append(list, Parameter{ParameterKind(p.Kind), p.Name, p.Sheet, p.Who, p.Own, p.Text(), p})
	}
	return list, nil
}

// FindParameter finds the parameter that somebody calls name, in any of the ways in which
// a script could: Sludge_Lord.star, "Sludge Lord".star, goons Ooze_Men. Where there is
// none it gives nil and the nearest name, "" where none is near.
func FindParameter(list []Parameter, name string) (p *Parameter, near string) {
	want := parameterKey(name)
	var names []string
	if i := slices.IndexFunc(list, func(p Parameter) bool { return p.Name == name }); i >= 0 {
		return &list[i], ""
	}
	for i, p := range list {
		k := parameterKey(p.Name)
		if sheet := parameterKey(p.Sheet); want == k || sheet != "" && want == sheet+" "+k {
			return &list[i], ""
		} else if rest, ok := strings.CutPrefix(want, sheet+" "); ok && sheet != "" {
			want, name = rest, rest // "goons Ooze": what is near to Ooze?
		}
		names = append(names, p.Name)
	}
	// A trait has one value that counts: Nell.ROPES is Nell.ROPES.adder.
	for i, p := range list {
		k := parameterKey(p.Name)
		if part, ok := strings.CutPrefix(k, want+"."); ok && p.Value != "" && strings.Contains(want, ".") && !strings.Contains(part, ".") {
			return &list[i], ""
		}
	}
	// Nor need a script name what holds the trait, if there is one such trait:
	// Nova.BLAST is Nova.Armour.BLAST.
	if who, part, ok := strings.Cut(want, "."); ok {
		found := -1
		for i, p := range list {
			k := parameterKey(p.Name)
			if strings.HasPrefix(k, who+".") && strings.HasSuffix(k, "."+part) {
				if found >= 0 {
					return nil, p.Name
				}
				found = i
			}
		}
		if found >= 0 {
			return &list[found], ""
		}
	}
	// Nor need it say all of a command: threshold or trial threshold is  trial Wall threshold.
	for _, same := range []func(name, want string) bool{
		func(name, want string) bool { return strings.HasSuffix(" "+name, " "+want) },
		leavesOut,
	} {
		var found []int
		for i, p := range list {
			if p.Kind == OperandParameter && same(parameterKey(p.Name), want) {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			return &list[found[0]], ""
		}
	}
	near, _ = lang.Nearest(strings.NewReplacer(`"`, "", "_", " ").Replace(name), names)
	if near == "" {
		for _, n := range names {
			if strings.HasPrefix(parameterKey(n), want) && (near == "" || len(n) < len(near)) {
				near = n
			}
		}
	}
	return nil, near
}

// leavesOut says whether want has only words of a name, in their order, its last one among them.
func leavesOut(name, want string) bool {
	words := strings.Fields(want)
	all := strings.Fields(name)
	if len(words) == 0 || words[len(words)-1] != all[len(all)-1] {
		return false
	}
	for _, w := range all {
		if len(words) > 0 && w == words[0] {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// parameterKey makes the spellings of a name alike.
func parameterKey(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "_", " ").Replace(s)), " "))
}
