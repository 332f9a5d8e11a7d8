package evening

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// A form is answered in one line. Its rows are numbered, the question itself is the first; what the line
// does not name takes its default. A row of yes or no is turned over by its number, another has its answer
// behind it: "1", "1-3", "1 3=Bo", "2=Ann the Bold, 4". Where an answer can be a number the rows have letters,
// so that a number is always what it says: "a 2", "b", and "2" where one row alone takes it.

// Rows are the decisions of a form, the question itself first.
func (q *Query) Rows() []*Query { return append([]*Query{q}, q.Also...) }

// Row is the decision of a form behind a number or a letter.
func (q *Query) Row(label string) (row *Query, ok bool) {
	i := slices.Index(q.Labels(), strings.ToLower(label))
	if i < 0 || len(q.Also) == 0 {
		return nil, false
	}
	return q.Rows()[i], true
}

// letters stand before rows; n and y are answers.
const letters = "abcdefghijklmopqrstuvwxz"

// Labels are what stands before the rows of a form.
func (q *Query) Labels() (labels []string) {
	rows := q.Rows()
	lettered := slices.ContainsFunc(rows, (*Query).takesNumbers)
	for i := range rows {
		label := strconv.Itoa(i + 1)
		if lettered {
			label = strings.Repeat(letters[i%len(letters):][:1], 1+i/len(letters))
		}
		labels = append(labels, label)
	}
	return labels
}

// takesNumbers says that some answers are numbers.
func (q *Query) takesNumbers() bool { return q.Form() == Number || q.Form() == Mixed }

// Changes says which rows of a form can be named in a line: "1-3", or an example where they have letters.
func (q *Query) Changes() string {
	labels := q.Labels()
	i := slices.IndexFunc(q.Rows(), (*Query).takesNumbers)
	if i < 0 {
		return "1-" + labels[len(labels)-1]
	}
	example := formExample(labels[i], q.Rows()[i])
	for j, row := range q.Rows() {
		if _, turns := row.Other(); turns && j != i {
			return "as in  " + example + ", " + labels[j]
		}
	}
	return "as in  " + example
}

func formExample(label string, row *Query) string {
	return label + " " + lang.Visible(row.Options[len(row.Options)-1])
}

// rowsOf reads what stands before a row, or before the first and the last of several: "2-4".
func rowsOf(word string, labels []string) (first, last int, ok bool) {
	from, to, several := strings.Cut(strings.ToLower(word), "-")
	if !several {
		to = from
	}
	first, last = slices.Index(labels, from), slices.Index(labels, to)
	return first, last, first >= 0 && first <= last
}

// partsOf parts a line at its commas, or else before each word that begins with the label of a row: an answer
// may have several words, as a name in quotes or one of the options has.
func partsOf(line string, rows []*Query, labels []string) (parts []string) {
	if strings.Contains(line, ",") {
		return strings.FieldsFunc(line, func(r rune) bool { return r == ',' })
	}
	for _, word := range strings.Fields(line) {
		label, _ := labelled(word)
		_, _, ok := rowsOf(label, labels)
		if last := len(parts) - 1; last >= 0 && (!ok || goesOn(parts[last], word, rows, labels)) {
			parts[last] += " " + word
		} else {
			parts = append(parts, word)
		}
	}
	return parts
}

// labelled parts a row from its answer: "2=Rooks 1", "a 2".
func labelled(part string) (label, answer string) {
	part = strings.TrimSpace(part)
	if i := strings.IndexAny(part, "= "); i >= 0 {
		return part[:i], strings.TrimLeft(part[i:], "= ")
	}
	return part, ""
}

// goesOn says whether a word belongs to the answer that a part ends with: the 1 of  2=Rooks 1.
func goesOn(part, word string, rows []*Query, labels []string) bool {
	label, answer := labelled(part)
	i, _, ok := rowsOf(label, labels)
	longer := strings.ToLower(strings.Trim(answer, `"`) + " " + strings.Trim(word, `"`))
	return strings.Count(answer, `"`) == 1 || ok && answer != "" && slices.ContainsFunc(rows[i].Options, func(o string) bool {
		return strings.HasPrefix(strings.ToLower(o), longer)
	})
}

// readForm takes a line for all rows, or none of it.
func (q *Query) readForm(line string) (interp.Answer, error) {
	rows, labels := q.Rows(), q.Labels()
	if _, _, ok := rowsOf(strings.TrimSpace(line), labels); !ok {
		if i := onlyRow(line, rows); i >= 0 {
			line = labels[i] + "=" + line
		}
	}
	said := make([]*interp.Answer, len(rows))
	for _, part := range partsOf(line, rows, labels) {
		label, answer := labelled(part)
		first, last, ok := rowsOf(label, labels)
		if !ok {
			return interp.Answer{}, q.unread()
		}
		for i := first; i <= last; i++ {
			a, err := rows[i].readRow(labels[i], answer)
			switch {
			case err != nil:
				return a, err
			case said[i] != nil:
				return a, fmt.Errorf("%s is there twice", labels[i])
			}
			said[i] = &a
		}
	}
	for i, row := range q.Also {
		row.Said = said[i+1]
	}
	if said[0] == nil {
		return option(q.Default), nil
	}
	return *said[0], nil
}

// readRow reads what a line says of one row: its answer, or nothing, which turns it over.
func (q *Query) readRow(label, answer string) (interp.Answer, error) {
	if answer != "" {
		i, err := q.readOption(answer)
		if err != nil {
			err = fmt.Errorf("%s: %w", label, err)
		}
		return option(i), err
	}
	other, turns := q.Other()
	if !turns {
		return interp.Answer{}, fmt.Errorf("%s takes an answer, as in  %s", label, formExample(label, q))
	}
	return option(other), nil
}

// onlyRow is the row that a line without a label is about: the question itself for yes, no or a name of its own,
// otherwise the only one that has this answer; -1 for none.
func onlyRow(line string, rows []*Query) int {
	_, isNumber := parseNumber(line)
	found := -1
	for i, row := range rows {
		_, err := row.readOption(line)
		switch {
		case strings.TrimSpace(line) == "" || err != nil || isNumber && !row.takesNumbers():
		case i == 0 && !isNumber:
			return 0
		case found >= 0 || row.Form() == Offer:
			return -1
		default:
			found = i
		}
	}
	return found
}

// unread says what can be typed at a form.
func (q *Query) unread() error {
	if slices.ContainsFunc(q.Rows(), (*Query).takesNumbers) {
		return errors.New("type the letters of what changes, " + q.Changes())
	}
	return fmt.Errorf("type the numbers of what changes, from 1 to %d", 1+len(q.Also))
}
