package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/vary"
	"setpiece/lang"
	"setpiece/lang/late"
)

// axis is a parameter of a script with the values to try.
type axis struct {
	vary.Parameter
	values []string
}

// label says a value of an axis: "dn 8", "Sludge Lord.star 4", "Ooze Men x3".
func (x *axis) label(i int) string { return x.Name + " " + x.values[i] }

// maxTried bounds how many values are tried, and with two parameters how many pairs.
const maxTried = 200

// maxTuned bounds the numbers that are tried.
const maxTuned = 1_000_000_000

// parametersOf lists what may be changed in a script. Of one with mistakes there is
// nothing to change.
func parametersOf(ctx context.Context, s script) ([]vary.Parameter, error) {
	return vary.Parameters(ctx, interp.NewSession(library(unwatched(s.folder), s.systems)), s.src)
}

// varied reads --vary: NAME=VALUES of a parameter of the script.
func varied(list []vary.Parameter, arg string) (*axis, error) {
	name, text, ok := cutOutside(arg, '=')
	if name, text = strings.TrimSpace(name), strings.TrimSpace(text); !ok || name == "" || text == "" {
		return nil, wrong(arg, "--vary takes NAME=VALUES", "such as dn=5..15, Boss.PUNCH=2..6, boss=d6..d12 or Wolves=x2..x6")
	}
	p, near := vary.FindParameter(list, name)
	if p == nil {
		return nil, noParameter(name, near, list)
	}
	values, err := spread(text)
	if err == nil && len(values) > maxTried {
		err = fmt.Errorf("%s is more than %d values", text, maxTried)
	}
	if err != nil {
		return nil, wrong(text, "--vary: "+err.Error(), "such as 5..15, d6..d12, x2..x6, or a,b,c")
	}
	for i, v := range values {
		if values[i], err = asValue(p, v); err != nil {
			return nil, wrong(text, "--vary: "+err.Error(), "such as x2..x6")
		}
	}
	return &axis{*p, values}, nil
}

// asValue gives a value as the script writes it: how many there are as x3.
func asValue(p *vary.Parameter, value string) (string, error) {
	if p.Kind != vary.CountParameter {
		return value, nil
	}
	n := strings.TrimPrefix(value, "x")
	if _, err := strconv.ParseUint(n, 10, 32); err != nil {
		return "", fmt.Errorf("how many %s there are is a whole number, not %s", p.Name, value)
	}
	return "x" + n, nil
}

// noParameter tells that a script has no such value.
func noParameter(name, near string, list []vary.Parameter) error {
	help := ""
	var names []string
	for _, p := range list {
		if p.Kind == vary.VariableParameter {
			names = append(names, p.Name)
		}
	}
	switch {
	case near != "":
		help = "did you mean " + near + "?"
	case len(names) > 0:
		help = "the script sets " + strings.Join(names, ", ")
	default:
		set := name
		if !strings.Contains(name, ".") {
			set = "let " + name
		}
		help = "write  " + set + " = …  in the script, or name what a sheet says, as Nova.PUNCH"
	}
	return wrong(name, "the script has no value "+name, help)
}

// cutOutside cuts a text at a letter outside of quotes.
func cutOutside(s string, at byte) (before, after string, found bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == at && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// polyhedra are the dice that a shop sells.
var polyhedra = []int{4, 6, 8, 10, 12, 20}

var rangeOf = late.Regexp(`^(d|x|)(-?\d+)\.\.(d|x|)(-?\d+)$`)

// poolRange is so many of one die, as 1d6..4d6.
var poolRange = late.Regexp(`^(\d+)(d\d+)\.\.(\d+)(d\d+)$`)

// spread reads values: FIRST..LAST of numbers, dice, pools of one die or counts, and others with commas
// between them.
func spread(text string) ([]string, error) {
	var out []string
	for rest, more := text, true; more; {
		var v string
		v, rest, more = cutOutside(rest, ',')
		if v = strings.TrimSpace(v); v == "" {
			return nil, fmt.Errorf("a value is missing in %s", text)
		}
		of := ""
		if m := poolRange().FindStringSubmatch(v); m != nil && m[2] == m[4] {
			v, of = m[1]+".."+m[3], m[2]
		}
		m := rangeOf().FindStringSubmatch(v)
		if m == nil {
			if strings.Contains(v, "..") {
				return nil, fmt.Errorf("%s is not a range of whole numbers or dice", v)
			}
			if _, diags := lang.ParseExpr(lang.NewSource("", v)); len(diags) > 0 {
				return nil, fmt.Errorf("%s is not a value: %s", v, diags[0].Message)
			}
			out = append(out, v)
			continue
		}
		first, err := whole(m[2])
		last, err2 := whole(m[4])
		switch {
		case err != nil:
			return nil, err
		case err2 != nil:
			return nil, err2
		case m[1] != m[3] && m[3] != "":
			return nil, fmt.Errorf("%s mixes two kinds of value", v)
		case first > last:
			return nil, fmt.Errorf("%s runs backwards", v)
		case last-first >= 1000:
			return nil, fmt.Errorf("%s is more than %d values", v, maxTried)
		}
		dice := m[1] == "d" && slices.Contains(polyhedra, int(first)) && slices.Contains(polyhedra, int(last))
		for n := int(first); n <= int(last); n++ {
			if !dice || slices.Contains(polyhedra, n) {
				out = append(out, m[1]+strconv.Itoa(n)+of)
			}
		}
	}
	return out, nil
}

// with gives a script another value of a parameter, as from gave it. Parameters are places in a text, so
// they are found anew for each change.
func with(ctx context.Context, s script, name, value, from string) script {
	list, err := parametersOf(ctx, s)
	if err != nil {
		return s
	}
	if p, _ := vary.FindParameter(list, name); p != nil {
		edits := p.Edits(value)
		for i := range edits {
			edits[i].From = from
		}
		s.src = s.src.Edited(edits...)
	}
	return s
}
