package evening

import (
	"fmt"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// A form is answered in one line. Its rows are numbered, the question itself is the first; what the
// line does not name takes its default. A row of yes or no is turned over by its number, another is
// given its answer behind an equals sign: "1", "1 3=4", "2=Ann the Bold, 4".

// Rows are the decisions of a form, the question itself first.
func (q *Query) Rows() []*Query { return append([]*Query{q}, q.Also...) }

// readForm takes a line for all rows, or none of it.
func (q *Query) readForm(line string) (interp.Answer, error) {
	if first, err := readOption(line, q.Options, q.Default); err == nil && strings.Trim(line, "0123456789 ") != "" {
		return option(first), nil // yes, no or a name: of the question itself
	}
	rows := q.Rows()
	said := make([]*interp.Answer, len(rows))
	parts := strings.FieldsFunc(line, func(r rune) bool { return r == ',' })
	if len(parts) == 1 {
		parts = strings.Fields(line)
	}
	for _, part := range parts {
		number, word, given := strings.Cut(part, "=")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 1 || n > len(rows) {
			return interp.Answer{}, fmt.Errorf("type the numbers of what changes, from 1 to %d", len(rows))
		}
		row := rows[n-1]
		a := option(1 - row.Default)
		switch {
		case given:
			i, err := readOption(word, row.Options, row.Default)
			if err != nil {
				return interp.Answer{}, fmt.Errorf("%d: %w", n, err)
			}
			a = option(i)
		case row.Form() != Offer:
			return interp.Answer{}, fmt.Errorf("%d takes an answer, as in  %d=%s", n, n, lang.Visible(row.Options[len(row.Options)-1]))
		}
		if said[n-1] != nil {
			return interp.Answer{}, fmt.Errorf("%d is there twice", n)
		}
		said[n-1] = &a
	}
	for i, row := range q.Also {
		row.Said = said[i+1]
	}
	if said[0] == nil {
		return option(q.Default), nil
	}
	return *said[0], nil
}
