package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"setpiece/interp"
)

// Choice says which distributions of several are shown, and how those of numbers are.
type Choice struct {
	Columns         []string // by name; none: all
	AtLeast, AtMost bool
}

// Flags adds what sets a choice.
func (c *Choice) Flags(f *pflag.FlagSet) {
	f.StringSliceVar(&c.Columns, "columns", nil, "only these `COLUMNS`, as outcome,margin")
	f.BoolVar(&c.AtLeast, "at-least", false, "of numbers the chance of each or more")
	f.BoolVar(&c.AtMost, "at-most", false, "of numbers the chance of each or less")
}

// NoColumn is that a column is wished that there is not.
type NoColumn struct {
	Name    string
	Columns []string // that there are
}

func (e *NoColumn) Error() string {
	return fmt.Sprintf("there is no column %s; there is: %s", e.Name, strings.Join(e.Columns, ", "))
}

// Distributions gives the distributions chosen from those of all columns; the error is a *NoColumn.
func (c *Choice) Distributions(columns []string, of func(int) *interp.Distribution) ([]*interp.Distribution, error) {
	for _, name := range c.Columns {
		if !slices.Contains(columns, name) {
			return nil, &NoColumn{name, columns}
		}
	}
	var out []*interp.Distribution
	for i, name := range columns {
		if len(c.Columns) > 0 && !slices.Contains(c.Columns, name) {
			continue
		}
		l := of(i)
		switch {
		case l.Numbers && c.AtLeast:
			l = l.AtLeast()
		case l.Numbers && c.AtMost:
			l = l.AtMost()
		}
		out = append(out, l)
	}
	return out, nil
}
