package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
