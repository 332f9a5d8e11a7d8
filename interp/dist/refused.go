package dist

import (
	"cmp"
	"fmt"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/lang"
)

// RefusedTactic is a command of tactics that the rules refuse, at one place in them: a
// warning, since whoever's tactics these are does something else then, or nothing.
type RefusedTactic struct {
	Who     string    // whose tactics, as the script says it
	Command string    // as it is written
	At      lang.Span // and where
	Why     string    // the first reason that was given
	Rule    string    // of the book that gave it, its full id, or ""
	Share   float64   // of the turns taken by these tactics
}

// Refused lists what was refused, given how often each note was made. The largest
// share comes first.
func Refused(s *core.Run, notes []machine.Note, counts []float64) []RefusedTactic {
	turns := map[*code.Tactics]float64{}
	for i, n := range notes[:len(counts)] {
		if n.Refused == nil {
			turns[n.Tactics] += counts[i]
		}
	}
	var out []RefusedTactic
	for i, n := range notes[:len(counts)] {
		if n.Refused != nil && counts[i] > 0 {
			out = append(out, RefusedTactic{n.Tactics.Who, n.Refused.Text, n.Refused.At, n.Why, language.IDOf(s.World, int(n.Rule)), Share(counts[i], turns[n.Tactics])})
		}
	}
	slices.SortStableFunc(out, func(a, b RefusedTactic) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.At.Start, b.At.Start))
	})
	return out
}

// WorstRefused gives, of lists made of several variants of a text, each command once,
// with its largest share.
func WorstRefused(list []RefusedTactic) []RefusedTactic {
	var out []RefusedTactic
	for _, r := range list {
		i := slices.IndexFunc(out, func(o RefusedTactic) bool { return o.Who == r.Who && o.Command == r.Command && o.Why == r.Why })
		if i < 0 {
			out = append(out, r)
		} else if r.Share > out[i].Share {
			out[i] = r
		}
	}
	return out
}

func Share(count, of float64) float64 {
	if of == 0 {
		return 1
	}
	return min(1, count/of)
}

// RefusedCount is a command of tactics that was refused in trials of a simulation, or,
// without a command, the turns that were taken by some tactics.
type RefusedCount struct {
	Who     string `json:"who"`
	Tactics string `json:"tactics"` // where they are: file and line
	Command string `json:"command,omitempty"`
	Place   string `json:"place,omitempty"` // of the command: file and line
	Why     string `json:"why,omitempty"`
	Rule    string `json:"rule,omitempty"`  // of the book that refused it, its full id
	Where   string `json:"where,omitempty"` // it was refused: file and line
	Count   int64  `json:"count"`
	First   int64  `json:"first"` // the first trial, from which Why is
	At      lang.Span
}

func (c *RefusedCount) key() [5]string {
	return [5]string{c.Who, c.Tactics, c.Command, c.Place, c.Where}
}

func placeOf(at lang.Span) string {
	if at = at.Shown(); at.Src == nil {
		return ""
	}
	p := at.Src.Position(int(at.Start))
	return fmt.Sprintf("%s:%d:%d", at.Src.Name, p.Line, p.Column)
}

// Counted makes counts of notes.
func Counted(s *core.Run, notes []machine.Note, counts, first []int64) []RefusedCount {
	var out []RefusedCount
	for i, n := range notes {
		if i >= len(counts) || counts[i] == 0 {
			continue
		}
		c := RefusedCount{Who: n.Tactics.Who, Tactics: fmt.Sprint(n.Tactics.ID), Count: counts[i], First: first[i]}
		if n.Refused != nil {
			c.Command, c.Place, c.Why, c.Where, c.At = n.Refused.Text, placeOf(n.Refused.At), n.Why, placeOf(n.At), n.Refused.At
			c.Rule = language.IDOf(s.World, int(n.Rule))
		}
		out = append(out, c)
	}
	return out
}

// MergeRefused adds up equal counts, in an order that does not depend on who counted.
func MergeRefused(all []RefusedCount) []RefusedCount {
	slices.SortStableFunc(all, func(a, b RefusedCount) int {
		x, y := a.key(), b.key()
		return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a.First, b.First))
	})
	var out []RefusedCount
	for _, c := range all {
		if n := len(out); n > 0 && out[n-1].key() == c.key() {
			out[n-1].Count += c.Count
			continue
		}
		out = append(out, c)
	}
	return out
}
