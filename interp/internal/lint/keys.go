package lint

import (
	"slices"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// This file finds keys that nothing stands under: a call of a table with a value that
// none of its rows has, and a name in another spelling than the entry of a map that it
// is meant for. Both would give none without a word.

// ---- rows of tables --------------------------------------------------------

// ---- entries of maps -------------------------------------------------------

// ---- traits ----------------------------------------------------------------

// Namesakes warns of a trait that a sheet of the script invents and that has, in another
// spelling, a name of the system's own: ICEPICK beside ICE_PICK.
func Namesakes(c *resolve.Script) lang.Diagnostics {
	var out lang.Diagnostics
	var parts, known []string
	nearest := map[string]string{} // of names that several have
	for _, e := range c.W.Order {
		if !e.Script || e.Owner != nil || e.At.Src == nil {
			continue
		}
		for _, p := range e.Parts {
			if p.Adhoc || p.Name != strings.ToUpper(p.Name) {
				continue
			}
			if known == nil {
				parts, known = resolve.TraitNames(c.W)
			}
			if word := resolve.EntryCalled(c.W, p); word != "" {
				d := decl.WarnAt(p.At, "SP0118", "%s is a new trait; %s has an entry of that name in small letters", p.Name, decl.AOrAn(e.Sheet.Name))
				d.Help = "did you mean " + word + "?"
				out = append(out, d)
				continue
			}
			near, again := nearest[p.Name]
			if !again {
				near = resolve.Namesake(p.Name, parts, known)
				nearest[p.Name] = near
			}
			if near == "" || e.Part(near) != nil || slices.ContainsFunc(out, func(d *lang.Diagnostic) bool { return d.Span == p.At }) {
				continue
			}
			d := decl.WarnAt(p.At, "SP0119", "%s is a new trait; the rules know %s", p.Name, near)
			d.Help = "did you mean " + near + "?"
			out = append(out, d)
		}
	}
	return out
}

// Misspelt warns of a word in small letters that a script puts into a map and that is nearly
// one of a list of the rules: physicl, where the rules have ["physical", "mental"].
func Misspelt(c *resolve.Script) lang.Diagnostics {
	var out lang.Diagnostics
	var known []string
	for _, name := range decl.KeysOf(c.W.KeyNames) {
		if len(name) < 5 || name != strings.ToLower(name) {
			continue
		}
		if known == nil {
			known = resolve.WordLists(c.W)
		}
		if near, ok := lang.Nearest(name, known); ok && !slices.Contains(known, name) {
			d := decl.WarnAt(c.W.KeyNames[name], "SP0120", "%s is a new name; the rules know %s", name, near)
			d.Help = "did you mean " + near + "?"
			out = append(out, d)
		}
	}
	return out
}
