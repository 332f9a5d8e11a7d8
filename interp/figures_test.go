package interp_test

import (
	"math"
	"math/big"

	"setpiece/interp/advice"
	"setpiece/interp/danger"
	"setpiece/interp/odds"
)

// weightOf gives the weight of all ends, which with the remainder makes one; exact is
// nil where the weights are not.
func weightOf(o *odds.Odds) (p float64, exact *big.Rat) {
	exact = new(big.Rat)
	for _, e := range o.Ends {
		p += e.P
		if e.Exact == nil {
			exact = nil
		}
		if exact != nil {
			exact.Add(exact, e.Exact)
		}
	}
	return p, exact
}

// certain says whether the bounds alone tell which option is the best.
func certain(w *advice.Worth) bool {
	for k := range w.Least {
		others := 0.0
		for i := range w.Most {
			if i != k {
				others = max(others, w.Most[i])
			}
		}
		if w.Least[k] > others+1e-9 {
			return true
		}
	}
	return false
}

// sure says whether a move is more than luck does.
func sure(m *danger.ReportMove) bool { return math.Abs(m.By) > m.Half }
