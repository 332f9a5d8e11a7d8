package evening

import (
	"fmt"
	"slices"
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

// Row is the decision of a form that has this number.
func (q *Query) Row(number string) (row *Query, ok bool) {
	rows := q.Rows()
	n, ok := rowOf(number, len(rows))
	if !ok || len(rows) == 1 {
		return nil, false
	}
	return rows[n-1], true
}

// rowOf reads the number of a row.
func rowOf(word string, rows int) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(word))
	return n, err == nil && n >= 1 && n <= rows
}

// partsOf parts a line at its commas, or else before each word that begins with the number of a row:
// what follows an equals sign may have several words, as a name in quotes or one of the options has.
func partsOf(line string, rows []*Query) (parts []string) {
	if strings.Contains(line, ",") {
		return strings.FieldsFunc(line, func(r rune) bool { return r == ',' })
	}
	for _, word := range strings.Fields(line) {
		number, _, _ := strings.Cut(word, "=")
		last := len(parts) - 1
		_, ok := rowOf(number, len(rows))
		if open := last >= 0 && strings.Contains(parts[last], "="); open && (!ok || goesOn(parts[last], word, rows)) {
			parts[last] += " " + word
		} else {
			parts = append(parts, word)
		}
	}
	return parts
}

// goesOn says whether a word belongs to the answer that a part ends with: the 1 of  2=Rooks 1.
func goesOn(part, word string, rows []*Query) bool {
	number, answer, _ := strings.Cut(part, "=")
	n, ok := rowOf(number, len(rows))
	longer := strings.ToLower(strings.Trim(answer, `"`) + " " + strings.Trim(word, `"`))
	return strings.Count(answer, `"`) == 1 || ok && slices.ContainsFunc(rows[n-1].Options, func(o string) bool {
		return strings.HasPrefix(strings.ToLower(o), longer)
	})
}

// readForm takes a line for all rows, or none of it.
func (q *Query) readForm(line string) (interp.Answer, error) {
	if first, err := q.readOption(line); err == nil && strings.Trim(line, "0123456789 ") != "" {
		return option(first), nil // yes, no or a name: of the question itself
	}
	rows := q.Rows()
	said := make([]*interp.Answer, len(rows))
	for _, part := range partsOf(line, rows) {
		number, word, given := strings.Cut(part, "=")
		n, ok := rowOf(number, len(rows))
		if !ok {
			return interp.Answer{}, fmt.Errorf("type the numbers of what changes, from 1 to %d", len(rows))
		}
		row := rows[n-1]
		other, turns := row.Other()
		a := option(other)
		switch {
		case given:
			i, err := row.readOption(word)
			if err != nil {
				return interp.Answer{}, fmt.Errorf("%d: %w", n, err)
			}
			a = option(i)
		case !turns:
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
