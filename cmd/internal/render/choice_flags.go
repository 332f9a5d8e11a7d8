//go:build !js

package render

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"
)

// Flags adds what sets a choice.
func (c *Choice) Flags(f *pflag.FlagSet) {
	f.Var((*columnNames)(&c.Columns), "columns", "only these `COLUMNS`, such as outcome,margin")
	f.BoolVar(&c.All, "all", false, "all columns, where else only the outcome is shown")
	f.BoolVar(&c.AtLeast, "at-least", false, "for numbers, the chance of each number or more")
	f.BoolVar(&c.AtMost, "at-most", false, "for numbers, the chance of each number or less")
	f.BoolVar(&c.Transposed, "transposed", false, "several columns in one table, with a row for each value")
}

// columnNames are names with commas between them: quoted as in CSV, or as a table shows them,
// "Sludge Lord".star.
type columnNames []string

func (n *columnNames) Set(text string) error {
	list, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		quoted := false
		list = strings.FieldsFunc(text, func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ',' && !quoted
		})
	}
	*n = append(*n, list...)
	return nil
}

func (n *columnNames) String() string { return "" }
func (n *columnNames) Type() string   { return "strings" }
