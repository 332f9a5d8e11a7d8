package transition

import (
	"cmp"
	"testing"

	"setpiece/interp/internal/symbolic"
	"setpiece/interp/internal/value"
)

// blow says what becomes of somebody with wounds and tokens who is hit for some damage, and what it
// asked of the three words to find that out.
func blow(now []V) (string, *symbolic.PathCondition) {
	path := &symbolic.PathCondition{}
	ask := func(of symbolic.Linear, is symbolic.Predicate) bool {
		yes := is.Holds(&of, now)
		path.Add(symbolic.Constraint{Of: of, Is: is, Yes: yes})
		return yes
	}
	wounds, tokens, damage := symbolic.WordOf(0), symbolic.WordOf(1), symbolic.WordOf(2)
	ask(tokens, symbolic.IsWhole)
	if ask(tokens, symbolic.IsZero) {
		sum, _ := wounds.Plus(damage, 1)
		sum, _ = sum.Plus(symbolic.Constant(5), -1)
		if ask(sum, symbolic.NotNegative) {
			return "out", path
		}
		path.AddWord(2)
		return "hurt by " + string(rune('0'+now[2].Int())), path
	}
	if left, _ := tokens.Plus(symbolic.Constant(2), -1); ask(left, symbolic.NotNegative) {
		return "safe", path
	}
	all, _ := wounds.Plus(damage, 2)
	path.Add(symbolic.Constraint{Of: all, Is: symbolic.Exactly})
	return "last token, " + string(rune('0'+all.Of(now).Int())), path
}

// TestCache adds what becomes of some states and asks about all: what is found is what becomes
// of them, and where each state has been added, each is found.
func TestCache(t *testing.T) {
	var states [][]V
	for wounds := range int64(5) {
		for tokens := range int64(4) {
			for damage := range int64(4) {
				states = append(states, []V{value.OfInt(wounds), value.OfInt(tokens), value.OfInt(damage)})
			}
		}
	}
	for step := 1; step < len(states); step += 2 { // odd: all states come up in time
		var c Cache[string]
		for i := range states {
			now := states[(i*step)%len(states)]
			want, path := blow(now)
			if c.Find(now) == nil {
				c.Add(now, path, &want)
			}
			if x := c.Find(now); x == nil || *x != want {
				t.Fatalf("what has just been added of %v is not found", now)
			}
			for _, other := range states {
				if x := c.Find(other); x != nil {
					if want, _ := blow(other); *x != want {
						t.Fatalf("of %v it finds %q, not %q", other, *x, want)
					}
				}
			}
		}
	}
	// each way through the rule needs one state: no token and out; hurt by 0 to 3; two or more
	// tokens; one token with wounds + 2 × damage from 0 to 10
	var c Cache[string]
	added := 0
	for _, now := range states {
		if c.Find(now) == nil {
			want, path := blow(now)
			c.Add(now, path, &want)
			added++
		}
	}
	if added != 1+4+1+11 {
		t.Errorf("%d states had to be added, not 17", added)
	}
}

// A way that asks something else than before, since more is known to differ, replaces what was
// there.
func TestCacheAsksOtherwise(t *testing.T) {
	var c Cache[string]
	now := []V{value.OfInt(1), value.OfInt(2)}
	old, new := "old", "new"
	first, then := &symbolic.PathCondition{}, &symbolic.PathCondition{}
	first.AddWord(0)
	then.AddWord(1)
	c.Add(now, first, &old)
	c.Add(now, then, &new)
	if x := c.Find(now); x == nil || *x != new {
		t.Error("the later one is not found")
	}
	if x := c.Find([]V{value.OfInt(1), value.OfInt(3)}); x != nil {
		t.Errorf("%q is found where the second word is another", *x)
	}
}

// TestFindAmong asks about states that agree in all words but one, and then in all but two: what
// is found is what becomes of them, also after the second word has come to differ.
func TestFindAmong(t *testing.T) {
	state := func(wounds, damage int64) []V {
		return []V{value.OfInt(wounds), value.OfInt(0), value.OfInt(damage)}
	}
	var c Cache[string]
	vary := &Varying{Is: make([]bool, 3)}
	check := func(now []V, must bool) {
		t.Helper()
		want, _ := blow(now)
		switch x := c.FindAmong(now, vary); {
		case x != nil && *x != want:
			t.Errorf("of %v it finds %q, not %q", now, *x, want)
		case x == nil && must:
			t.Errorf("what has been added of %v is not found", now)
		}
	}
	vary.Add(0)
	for wounds := range int64(6) {
		now := state(wounds, 2)
		if c.FindAmong(now, vary) == nil {
			x, path := blow(now)
			c.Add(now, path, &x)
		}
	}
	for wounds := range int64(6) {
		check(state(wounds, 2), true)
	}
	vary.Add(2)
	for wounds := range int64(6) {
		check(state(wounds, 2), true)
		for damage := range int64(6) {
			check(state(wounds, damage), false)
		}
	}
}

// TestFindAlike asks about a number with which a word is one side of a question: the range that is
// left holds the numbers on the same side.
func TestFindAlike(t *testing.T) {
	const most = 12
	vary := &Varying{Is: make([]bool, 2)}
	vary.Add(0)
	vary.Add(1)
	for _, factor := range []int64{-3, -1, 1, 2} {
		for _, by := range []int64{1, 3} {
			for k := int64(-14); k <= 14; k++ {
				sum, _ := symbolic.WordOf(1).Plus(symbolic.Constant(k), 1)
				sum, _ = sum.Plus(symbolic.WordOf(0), factor)
				of, ok := sum.Over(by)
				if !ok {
					t.Fatal("the form is too large")
				}
				for _, is := range []symbolic.Predicate{symbolic.NotNegative, symbolic.IsZero, symbolic.Exactly} {
					checkAlike(t, vary, of, is, most)
				}
				alone, _ := symbolic.WordOf(0).Plus(symbolic.Constant(k), 1)
				checkAlike(t, vary, alone, symbolic.NotNegative, most)
				checkAlike(t, vary, alone, symbolic.IsWhole, most)
			}
		}
	}
}

func checkAlike(t *testing.T, vary *Varying, of symbolic.Linear, is symbolic.Predicate, most int64) {
	var c Cache[string]
	answer := func(here int64) V {
		now := []V{value.OfInt(here), value.OfInt(2)}
		switch n := of.Of(now); {
		case is == symbolic.Exactly:
			return n
		case is == symbolic.IsZero: // above and below are not side by side
			return value.OfInt(int64(cmp.Compare(n.Int(), 0)))
		}
		return value.OfBool(is.Holds(&of, now))
	}
	for twice := range 2 { // at first what is passed, then what forks
		for here := int64(1); here <= most; here++ {
			now := []V{value.OfInt(here), value.OfInt(2)}
			if c.Find(now) == nil {
				if twice == 0 && here > 1 {
					continue
				}
				x, path := "", &symbolic.PathCondition{}
				path.Add(symbolic.Constraint{Of: of, Is: is, Yes: is != symbolic.Exactly && is.Holds(&of, now)})
				c.Add(now, path, &x)
			}
			r := Range{At: 0, Lo: 1, Hi: most}
			if x := c.FindAlike(now, vary, &r); x != c.Find(now) {
				t.Fatalf("%v %v: with %d something else is found", of, is, here)
			}
			lo, hi := here, here
			for is != symbolic.Exactly && lo > 1 && answer(lo-1) == answer(here) {
				lo--
			}
			for is != symbolic.Exactly && hi < most && answer(hi+1) == answer(here) {
				hi++
			}
			if r.Lo != lo || r.Hi != hi {
				t.Fatalf("%v %v: with %d it is %d to %d, not %d to %d", of, is, here, r.Lo, r.Hi, lo, hi)
			}
		}
	}
}
