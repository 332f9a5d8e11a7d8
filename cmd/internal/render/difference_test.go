package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/cmd/internal/style"
	"setpiece/interp/transcript"
)

// Lines on one side only are marked, and stand below the line that they belong to; rows of
// one table stay together.
func TestDifference(t *testing.T) {
	const was = `Ann: strike
  d6                       2
  BLADE                   +1
  total                    3   vs 4   failure
Bob: rest`
	const would = `Ann: strike
  d6                       4
  BLADE                   +1
  total                    5   vs 4   success
  Cog: life 3 -> 2
Bob: rest`
	two, three, yes := "2", "3", "yes"
	d := Difference{Was: strings.Split(was, "\n"), Would: strings.Split(would, "\n"), WhatIf: transcript.WhatIf{
		Instead: "Ann: sulk", Again: 1, Anew: []string{"d6 (Ann)"},
		State: []transcript.StateDifference{{Who: "Cog", Field: "life", Was: &three, Would: &two}, {Who: "Cog", Field: "torn_coat", Would: &yes}},
	}}
	var b strings.Builder
	d.Show(&b, style.Palette{})
	want := `instead of: Ann: sulk
     Ann: strike
was    d6                       2
was    BLADE                   +1
was    total                    3   vs 4   failure
if     d6                       4
if     BLADE                   +1
if     total                    5   vs 4   success
if     Cog: life 3 -> 2
  how it stands   was   if
  Cog life        3     2
  Cog torn coat   -     yes
1 die as before; new dice: d6 (Ann)
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What is left beside the hunks is the same on both sides, for any two texts of few lines.
func TestHunks(t *testing.T) {
	texts := [][]string{nil}
	for range 4 {
		for _, x := range texts[:len(texts):len(texts)] {
			for _, line := range []string{"a", "b"} {
				texts = append(texts, append(slices.Clone(x), line))
			}
		}
	}
	for _, a := range texts {
		for _, b := range texts {
			list := hunks(a, b)
			i, j := 0, 0
			for _, h := range append(list, hunk{len(a), len(a), len(b), len(b)}) {
				if !slices.Equal(a[i:h.was], b[j:h.would]) {
					t.Fatalf("%q and %q: %v", a, b, list)
				}
				i, j = h.wasEnd, h.wouldEnd
			}
			if slices.Equal(a, b) != (len(list) == 0) {
				t.Fatalf("%q and %q: %v", a, b, list)
			}
		}
	}
}
