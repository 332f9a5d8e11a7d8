package main

import (
	"io/fs"
	"strings"
	"testing"

	"setpiece/lang"
	"setpiece/stdlib"
)

// Every change that is listed as one that means nothing is one that can still be made: a rule
// that was written anew takes its entries with it.
func TestListedChangesExist(t *testing.T) {
	for _, system := range folders() {
		listed, err := equivalents("../../..", system)
		if err != nil {
			t.Fatal(err)
		}
		inRule := map[string]bool{}
		for key := range listed {
			head, _, _ := strings.Cut(key, "\n")
			inRule[head] = true
		}
		files, _ := fs.Glob(stdlib.FS, system+"/*.rules")
		for _, file := range files {
			text, err := fs.ReadFile(stdlib.FS, file)
			if err != nil {
				t.Fatal(err)
			}
			src := lang.NewSource(file, string(text))
			for _, p := range append(places(src), meetings(src)...) {
				if !inRule[file+": "+p.rule] {
					continue
				}
				for _, e := range p.edits {
					delete(listed, p.mutant(e).key())
				}
			}
		}
		for key := range listed {
			t.Errorf("testdata/mutants/%s.txt lists a change that cannot be made any more:\n%s", system, key)
		}
	}
}
