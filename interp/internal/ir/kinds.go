package ir

import (
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Kinds is a set of kinds of values.
type Kinds uint16

const (
	IsNumber Kinds = 1 << iota
	IsText
	IsTruth
	IsWordKind
	IsDie
	IsList
	IsMap
	IsRange
	IsSheet
	isRule
	IsNone
	Anything = 1<<iota - 1
)

var kindNames = []string{"a number", "a text", "yes or no", "a word", "a die", "a list", "a map", "a range", "somebody or something", "a rule", "none"}

// String lists the kinds as messages do. None is left out beside others.
func (k Kinds) String() string {
	if k != IsNone {
		k &^= IsNone
	}
	var names []string
	for i, n := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return lang.OneOf(names)
}

// KindOfValue gives the kind of a value.
func KindOfValue(v V) Kinds {
	switch v.Kind() {
	case value.Int, value.Rat:
		return IsNumber
	case value.Text:
		return IsText
	case value.Symbol:
		return IsWordKind
	case value.Die, value.Made:
		return IsDie
	case value.List:
		return IsList
	case value.Map:
		return IsMap
	case value.Range:
		return IsRange
	case value.Ref:
		return IsSheet
	case value.Rule:
		return isRule
	case value.Special:
	}
	if v == value.None {
		return IsNone
	}
	return IsTruth
}
