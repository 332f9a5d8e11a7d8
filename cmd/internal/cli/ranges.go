package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// ranged is the value of a flag that takes whole numbers of a range.
type ranged struct {
	n      *int
	lo, hi int
}

// intVar defines a flag for a whole number from lo to hi. Every flag for a number
// is one of these or, as a seed, takes any.
func intVar(f *pflag.FlagSet, n *int, name string, value, lo, hi int, usage string) {
	*n = value
	f.Var(&ranged{n, lo, hi}, name, usage)
}

func (r *ranged) String() string {
	if r.n == nil {
		return ""
	}
	return strconv.Itoa(*r.n)
}

func (r *ranged) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < r.lo || n > r.hi {
		return fmt.Errorf("%s is not a whole number from %d to %d", s, r.lo, r.hi)
	}
	*r.n = n
	return nil
}

func (r *ranged) Type() string { return "int" }

// maybe is a flag that may have a value behind "=": without one it has the usual one.
type maybe struct {
	to    *string
	usual string
}

func optional(f *pflag.FlagSet, to *string, name, usual, usage string) {
	f.Var(&maybe{to, usual}, name, usage)
	f.Lookup(name).NoOptDefVal = "true"
}

func (m *maybe) String() string { return "" }

// Type is that of a flag without a value, so that help does not show what stands for none.
func (m *maybe) Type() string { return "bool" }

func (m *maybe) Set(s string) error {
	if *m.to = s; s == "true" {
		*m.to = m.usual
	}
	return nil
}
