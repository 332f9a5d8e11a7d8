package odds

import (
	"slices"

	"setpiece/interp/internal/code"
)

// Which words of the store tell checkpoints apart, and which of them anything depended on:
// for messages about graphs that grow too large, and for what a change of the script may alter.

// markVarying notes which words of the store differ from the base.
func (g *Graph) markVarying(words []V) {
	for i := 0; i < len(words); i += 2 {
		g.vary(int(words[i].Int()))
	}
}

// Variety is how many values a word of the store has among all checkpoints.
type Variety struct {
	At, Values int
	Field      *code.Field // that it is in some record; nil of a word of the base
}

// Variety tells which words of the store tell the checkpoints apart, those with the
// most values first.
func (g *Graph) Variety() []Variety {
	values := map[int]map[V]bool{}
	fields := map[int]*code.Field{}
	for i := range g.Checkpoints {
		r := g.Checkpoints[i]
		if r.Kind != Transient {
			continue
		}
		for k := 0; k < len(r.Words); k += 2 {
			at := int(r.Words[k].Int())
			if values[at] == nil {
				values[at] = map[V]bool{g.baseValue(r.at, at): true}
				fields[at] = r.at.field(g, at)
			}
			values[at][r.Words[k+1]] = true
		}
	}
	var out []Variety
	for at, vs := range values {
		out = append(out, Variety{at, len(vs), fields[at]})
	}
	slices.SortFunc(out, func(a, b Variety) int {
		if a.Values != b.Values {
			return b.Values - a.Values
		}
		return a.At - b.At
	})
	return out
}

// Read gives the words of the base that something depended on.
func (g *Graph) Read() []int {
	var out []int
	for at, yes := range g.read[:len(g.codec.Base())] {
		if yes {
			out = append(out, at)
		}
	}
	return out
}
