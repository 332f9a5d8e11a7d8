package lang

import (
	"maps"
	"slices"
	"testing"
)

// Every word that means something to the language is explained, with how it is
// written and an example that parses.
func TestGlossary(t *testing.T) {
	for _, w := range slices.Concat(linkWords, statementWords, slices.Sorted(maps.Keys(reserved)), slices.Sorted(maps.Keys(listReaders)), slices.Sorted(maps.Keys(heads))) {
		if len(Lookup(w)) == 0 {
			t.Errorf("there is no help on %s", w)
		}
	}
	for _, e := range Glossary() {
		if e.Kind == "" || e.Form == "" || e.Doc == "" || e.Example == "" {
			t.Errorf("help on %s lacks something: %+v", e.Name, e)
		}
		if _, ds := Parse(NewSource("", e.Example)); len(ds) > 0 {
			t.Errorf("the example of %s: %v", e.Name, ds)
		}
	}
}
