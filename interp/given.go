package interp

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"setpiece/lang"
)

// A text that ends with  VALUE given CONDITION  asks for a conditional chance: of all that may happen, only what
// meets the condition counts. The condition is reported beside the values; what does not meet it is left out, and
// the rest is divided by its weight (Bayes).

// condition is the column of the condition.
const condition = "given"

var givenWord = regexp.MustCompile(`\sgiven\s`)

// conditional gives a text in which the condition is reported, with no where it has none.
func conditional(ctx context.Context, src *lang.Source) (*lang.Source, bool) {
	text := strings.TrimRight(src.Text, " \t\r\n")
	at := givenWord.FindAllStringIndex(text, -1)
	if len(at) == 0 {
		return src, false
	}
	split := at[len(at)-1]
	if _, wrong := lang.Parse(src); len(wrong) == 0 || strings.Contains(text[split[1]:], "\n") {
		return src, false // it is a word of the script
	}
	changed := reporting(ctx, lang.NewSource(src.Name, text[:split[0]]))
	changed = changed.Inserted(len(changed.Text), "\nreport ("+text[split[1]:]+") as "+condition+"\n")
	_, wrong := lang.Parse(changed)
	return changed, len(wrong) == 0
}

// given leaves out the ends that do not meet the condition, and its column.
func (o *Odds) given() (*Odds, error) {
	at := slices.Index(o.Columns, condition)
	p, exact := 0.0, new(big.Rat)
	var kept []End
	for _, e := range o.Ends {
		if e.Fault == nil && e.Shown[at] != "yes" {
			continue
		}
		e.Shown, e.values = slices.Delete(slices.Clone(e.Shown), at, at+1), slices.Delete(slices.Clone(e.values), at, at+1)
		kept = append(kept, e)
		if p += e.P; exact != nil && e.Exact != nil {
			exact.Add(exact, e.Exact)
		} else {
			exact = nil
		}
	}
	if p == 0 {
		return nil, &RunError{Kind: Failed, Diag: &lang.Diagnostic{Message: "what is given never happens"}}
	}
	byWhole := map[string]int{}
	o.Ends, o.Columns = nil, slices.Delete(slices.Clone(o.Columns), at, at+1)
	for _, e := range kept {
		e.P, e.Solved, e.Exact = e.P/p, e.Solved/p, quotient(e.Exact, exact)
		key := fmt.Sprintf("%q", e.Shown)
		if i, ok := byWhole[key]; ok && e.Fault == nil {
			same := &o.Ends[i]
			same.P, same.Solved = same.P+e.P, same.Solved+e.Solved
			if same.Exact != nil {
				same.Exact = new(big.Rat).Add(same.Exact, e.Exact)
			}
			continue
		}
		byWhole[key] = len(o.Ends)
		o.Ends = append(o.Ends, e)
	}
	return o, nil
}

func quotient(x, y *big.Rat) *big.Rat {
	if x == nil || y == nil {
		return nil
	}
	return new(big.Rat).Quo(x, y)
}

// given does the same for trials.
func (o *Sim) given() *Sim {
	at := slices.Index(o.Columns, condition)
	if at < 0 {
		return o
	}
	var kept []SimEnd
	o.Trials = 0
	for _, e := range o.Ends {
		if e.Stops == "" && e.Shown[at] != "yes" {
			continue
		}
		if e.Stops == "" {
			e.Shown, e.Data = slices.Delete(slices.Clone(e.Shown), at, at+1), slices.Delete(slices.Clone(e.Data), at, at+1)
		}
		o.Trials += e.Count
		kept = append(kept, e)
	}
	o.Ends, o.Columns = kept, slices.Delete(slices.Clone(o.Columns), at, at+1)
	return o
}
