package assist

import (
	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/lang"
)

// FieldInfo describes a field of a sheet or special rule for people: how an entry of a
// sheet sets it, what it takes, what it holds if nobody says, and the span after which it
// gets that back, or in words how long it lasts.
type FieldInfo struct {
	Name, Entry, Takes, Default, Lasts, Doc string
	Sheet                                   string // that declares it
	Hidden                                  bool   // the rules keep it
}

// Fields lists the fields of a sheet or special rule in use, with those it has from the
// sheets it is based on.
func Fields(s *interp.Session, name string) []FieldInfo {
	var out []FieldInfo
	for _, f := range language.Fields(core.Of(s).World, name) {
		out = append(out, FieldInfo(f))
	}
	return out
}

// Override is something that a variant changes in its base: "replaces the rule", its name,
// and what it says.
type Override struct {
	What, Name, Doc string
	At              lang.Span
}

// Overrides lists what a variant in use changes, in the order of its text.
func Overrides(s *interp.Session, variant string) []Override {
	var out []Override
	for _, c := range language.Overrides(core.Of(s).World, variant) {
		out = append(out, Override(c))
	}
	return out
}
