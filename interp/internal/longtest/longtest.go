// Package longtest says how much of a long test is run: all of it, or a part that is quick.
package longtest

import (
	"hash/fnv"
	"os"
)

// Tests has the tests run in their long form, as the continuous integration does:
// with all scenes and more random scripts, and the same checks.
var Tests = os.Getenv("SETPIECE_LONG") != ""

// Some gives all of a list in the long form, and one of n in the short form. Which
// these are depends on their names alone.
func Some(list []string, n uint32) []string {
	if Tests {
		return list
	}
	var out []string
	for _, s := range list {
		h := fnv.New32a()
		h.Write([]byte(s))
		if h.Sum32()%n == 0 {
			out = append(out, s)
		}
	}
	return out
}

// Many is how many of something a test makes in its long and in its short form.
func Many(long, short int) int {
	if Tests {
		return long
	}
	return short
}
