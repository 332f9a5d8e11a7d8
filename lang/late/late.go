// Package late puts off what few runs of a program need: it starts the sooner.
package late

import (
	"regexp"
	"sync"
)

// Regexp gives a regular expression that is compiled when it is first asked for. One that cannot be compiled
// panics then.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
