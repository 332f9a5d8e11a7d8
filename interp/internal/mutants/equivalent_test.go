package mutants

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/lang"
	"setpiece/stdlib"
)

// equivalents gives the changes of a system that are known to mean nothing, with the reason.
// They are found by what they say, not by the number of a line.
func equivalents(root, system string) (map[string]string, error) {
	file := filepath.Join(root, "testdata", "mutants", system+".txt")
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, entry := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.SplitN(strings.TrimSpace(entry), "\n", 4)
		if len(lines) < 4 || !strings.HasPrefix(lines[1], "- ") || !strings.HasPrefix(lines[2], "+") {
			return nil, fmt.Errorf("%s: an entry has a place, a line with -, one with + and a reason; this has not:\n%s", file, entry)
		}
		all[strings.Join(lines[:3], "\n")] = lines[3]
	}
	return all, nil
}

// key is how a mutant is listed.
func (m mutant) key() string {
	return strings.TrimRight(fmt.Sprintf("%s: %s\n- %s\n+ %s", m.file, m.rule, m.before, m.after), " ")
}

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
