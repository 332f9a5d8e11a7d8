package lang

import (
	"hash/fnv"
	"os"
)

// longTests has the tests run in their long form, as the continuous integration does.
var longTests = os.Getenv("SETPIECE_LONG") != ""

// some is true of every name in the long form, and of one in n in the short form. Which
// these are depends on their names alone.
func some(name string, n uint32) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return longTests || h.Sum32()%n == 0
}
