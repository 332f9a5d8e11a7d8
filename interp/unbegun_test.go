package interp_test

import "testing"

// check warns of a field whose value ends with a span that nothing begins or ends.
func TestUnbegun(t *testing.T) {
	const rules = "system brawl\nspans scene > check\nsheet person \"anybody\" { luck whole per scene }\nverb scene without actor { block; do { begin scene; run block; end scene } }\n"
	for _, c := range []struct{ name, rules, script, want string }{
		{"of the script", rules, "feature keen on person { hits whole per check; runs whole per scene }\nscene { }\n", "nothing begins or ends a check, so hits never loses its value"},
		{"the script begins it", rules, "feature keen on person { hits whole per check }\nbegin check\nend check\n", ""},
		{"in a block of a verb", rules, "feature keen on person { hits whole per check }\nverb roll { do { if yes { begin check } } }\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, d := range checked(t, c.rules, c.script) {
				got += d.Message
			}
			if got != c.want {
				t.Errorf("check reports %q, want %q", got, c.want)
			}
		})
	}
}
