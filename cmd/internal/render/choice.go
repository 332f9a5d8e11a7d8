package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp/dist"
)

// Choice says which distributions of several are shown, and how those of numbers are.
type Choice struct {
	Columns         []string // by name; none: the outcome where there is one, else all
	All             bool     // all columns
	AtLeast, AtMost bool
	Transposed      bool // in one table
}

// NoColumn is that a column is wished that there is not.
type NoColumn struct {
	Name    string
	Columns []string // that there are
}

func (e *NoColumn) Error() string {
	return fmt.Sprintf("there is no column %s; there is: %s", e.Name, strings.Join(e.Columns, ", "))
}

// outcome is the name of the column that the others of a check only add to.
const outcome = "outcome"

// Lead parts the distributions chosen into those to show and the names of the others: of
// a check it shows whether it succeeds, unless more was asked for.
func (c *Choice) Lead(dists []*dist.Distribution) (lead []*dist.Distribution, others []string) {
	i := slices.IndexFunc(dists, func(d *dist.Distribution) bool { return d.Name == outcome })
	if c.All || len(c.Columns) > 0 || c.AtLeast || c.AtMost || i < 0 || len(dists[i].Points) < 2 {
		return dists, nil
	}
	for _, d := range dists {
		if d.Name != outcome && len(d.Points) > 1 {
			others = append(others, d.Name)
		}
	}
	return dists[i : i+1], others
}

// Others tells how to see the columns that are not shown.
func Others(w io.Writer, p style.Palette, names []string) {
	if len(names) == 0 {
		return
	}
	fmt.Fprintln(w, style.On(p.Faint, fmt.Sprintf("also: %s   (--columns %s, or --all)", strings.Join(names, ", "), names[0])))
}

// wanted says whether a column is among those that are wished by name. A name stands
// for all columns of that name, where scenes tell them apart: winner for "winner (At the
// dam)". What is reported of the last check has the name of its column in odds of a check:
// winner for last.winner.
func wanted(wished []string, column string) bool {
	return slices.ContainsFunc(wished, func(name string) bool { return named(name, column) })
}

func named(name, column string) bool {
	column = strings.TrimPrefix(column, "last.")
	name = strings.TrimPrefix(name, "last.")
	return column == name || strings.HasPrefix(column, name+" (")
}

// Check looks whether the columns that are wished are among those there are; the error is a *NoColumn.
func (c *Choice) Check(columns []string) error {
	for _, name := range c.Columns {
		if !slices.ContainsFunc(columns, func(column string) bool { return named(name, column) }) {
			return &NoColumn{name, columns}
		}
	}
	return nil
}

// Distributions gives the distributions chosen from those of all columns; the error is a *NoColumn.
func (c *Choice) Distributions(columns []string, of func(int) *dist.Distribution) ([]*dist.Distribution, error) {
	if err := c.Check(columns); err != nil {
		return nil, err
	}
	var out []*dist.Distribution
	for i, name := range columns {
		if len(c.Columns) > 0 && !wanted(c.Columns, name) {
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
