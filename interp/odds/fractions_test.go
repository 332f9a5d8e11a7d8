package odds

import (
	"context"
	"math"
	"math/big"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
)

// Fractions stay where a way is rarer than 1e-16 and where a state comes round again.
func TestFractionsUnasked(t *testing.T) {
	power := func(of *big.Rat, n int) *big.Rat {
		out := big.NewRat(1, 1)
		for range n {
			out.Mul(out, of)
		}
		return out
	}
	for _, c := range []struct {
		text string
		ends map[string]*big.Rat // some of them
	}{
		{"let m = 0; repeat 6 { m = max(m, 4d6.highest(3)) }; m", map[string]*big.Rat{"3": power(big.NewRat(1, 1296), 6)}},
		{"[4d6.highest(3) for i in 1..6].max", map[string]*big.Rat{"3": power(big.NewRat(1, 1296), 6)}},
		{"max([4d6.highest(3) for i in 1..6])", map[string]*big.Rat{"3": power(big.NewRat(1, 1296), 6)}},
		{"let n = 0; while n < 80 and (throw d6) > 1 { n += 1 }; n", map[string]*big.Rat{"80": power(big.NewRat(5, 6), 80), "1": big.NewRat(5, 36)}},
		{"rule more(n) = if n < 80 and (throw d6) > 1 then more(n + 1) else n\nmore(0)", map[string]*big.Rat{"80": power(big.NewRat(5, 6), 80)}},
		// whoever is ruined or has 80 when half of the throws add one: after an odd number of throws
		{"let n = 1; let c = 0\nwhile n > 0 and n < 80 { if (throw d6) > 3 { n += 1 } else { n -= 1 }; c = 1 - c }\nn + c", map[string]*big.Rat{"1": big.NewRat(79, 80), "81": big.NewRat(1, 80)}},
		{"let n = 0; while (throw d6) > 5 { n += 1 }; n", map[string]*big.Rat{"0": nil}}, // without end
	} {
		o, err := Of(context.Background(), interp.NewSession(interp.Config{}), lang.NewSource("", c.text), Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range o.Ends {
			want, ok := c.ends[e.Shown[0]]
			switch {
			case !ok:
			case want == nil && (e.Exact != nil || o.Remainder == 0 || math.Abs(e.P-5.0/6) > 1e-15):
				t.Errorf("%s: %s in %v, %v; %g is left", c.text, e.Shown, e.P, e.Exact, o.Remainder)
			case want != nil && (e.Exact == nil || e.Exact.Cmp(want) != 0):
				t.Errorf("%s: %s in %v, not %v", c.text, e.Shown, e.Exact, want)
			}
			delete(c.ends, e.Shown[0])
		}
		if len(c.ends) > 0 {
			t.Errorf("%s: does not come to %v", c.text, c.ends)
		}
	}
}
