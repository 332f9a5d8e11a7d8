package repl

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// flags are what stands before a command that odds are asked of, as on the command
// line: odds --best Nova --columns last.margin roll …
type flags struct {
	cfg             interp.OddsConfig
	columns         []string
	atLeast, atMost bool
}

var flagNames = []string{"--best", "--goal", "--columns", "--at-least", "--at-most"}

// take takes the flags off the beginning of a text.
func (f *flags) take(text string) (rest string, err error) {
	for strings.HasPrefix(text, "--") {
		var name, value string
		name, text = word(text)
		if i := strings.IndexByte(name, '='); i >= 0 {
			name, value = name[:i], strings.Trim(name[i+1:], `"'`)
		} else if name == "--best" || name == "--goal" || name == "--columns" {
			value, text = word(text)
		}
		switch name {
		case "--best":
			f.cfg.Best = strings.Split(value, ",")
		case "--goal":
			f.cfg.Goal = value
		case "--columns":
			f.columns = strings.Split(value, ",")
		case "--at-least":
			f.atLeast = true
		case "--at-most":
			f.atMost = true
		default:
			near, ok := lang.Nearest(name, flagNames)
			if !ok {
				near = strings.Join(flagNames, ", ")
			}
			return "", fmt.Errorf("odds take no %s here; they take %s", name, near)
		}
	}
	return text, nil
}

// word cuts off the first word of a text, which may stand in quotes.
func word(text string) (first, rest string) {
	end := strings.IndexAny(text, " \t")
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if i := strings.IndexByte(text[1:], text[0]); i >= 0 {
			return text[1 : i+1], strings.TrimSpace(text[i+2:])
		}
	}
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// laws gives what is to be shown of odds.
func (f *flags) laws(o *interp.Odds) (laws []*interp.Law, err error) {
	for _, c := range f.columns {
		if !slices.Contains(o.Columns, c) {
			return nil, fmt.Errorf("there is no column %s; there is %s", c, strings.Join(o.Columns, ", "))
		}
	}
	for i, c := range o.Columns {
		if len(f.columns) > 0 && !slices.Contains(f.columns, c) {
			continue
		}
		l := o.Law(i)
		switch {
		case l.Numbers && f.atLeast:
			l = l.AtLeast()
		case l.Numbers && f.atMost:
			l = l.AtMost()
		}
		laws = append(laws, l)
	}
	return laws, nil
}
