package odds

import (
	"fmt"
	"math/big"
	"slices"

	"setpiece/interp"
	"setpiece/interp/goals"
	"setpiece/lang"
)

// given leaves out the ends that do not meet the condition, and its column.
func (o *Odds) given() (*Odds, error) {
	at := slices.Index(o.Columns, goals.Condition)
	if at < 0 {
		return o, nil // everything stops before
	}
	p, exact := 0.0, new(big.Rat)
	var kept []End
	for _, e := range o.Ends {
		if e.Fault == nil && e.Shown[at] != "yes" {
			continue
		}
		e.Shown, e.Values = slices.Delete(slices.Clone(e.Shown), at, at+1), slices.Delete(slices.Clone(e.Values), at, at+1)
		kept = append(kept, e)
		if p += e.P; exact != nil && e.Exact != nil {
			exact.Add(exact, e.Exact)
		} else {
			exact = nil
		}
	}
	if p == 0 {
		return nil, &interp.RunError{Kind: interp.Failed, Diag: &lang.Diagnostic{Message: "what is given never happens"}}
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
