//go:build !js

package render

import "github.com/spf13/pflag"

// Flags adds what sets a choice.
func (c *Choice) Flags(f *pflag.FlagSet) {
	f.StringSliceVar(&c.Columns, "columns", nil, "only these `COLUMNS`, such as outcome,margin")
	f.BoolVar(&c.All, "all", false, "all columns, where else only the outcome is shown")
	f.BoolVar(&c.AtLeast, "at-least", false, "for numbers, the chance of each number or more")
	f.BoolVar(&c.AtMost, "at-most", false, "for numbers, the chance of each number or less")
	f.BoolVar(&c.Transposed, "transposed", false, "several columns in one table, with a row for each value")
}
