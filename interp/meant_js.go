package interp

import (
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
)

// Meant finds no sentence: a page in a browser is small.
func Meant(*Turn, string) (command string, verbs []string) { return "", nil }

// WhatCan lists the verbs of whoever has the turn.
func WhatCan(t *Turn) (c Can) {
	t.Session.run.Aside(func(m *machine.Machine) {
		for _, mv := range language.Moves(t.Session.run.World, m, t.who.Off(), t.Default, language.Terms{}) {
			c.Verbs = append(c.Verbs, mv.Verb)
		}
	})
	return c
}
