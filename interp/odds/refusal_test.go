package odds

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/lang"
)

// pond is a system whose verbs change their caller before they find out that they are refused:
// before a throw, behind one, and in a try within a try.
var pond = fstest.MapFS{"pond/pond.rules": {Data: []byte(`
system pond "Pond"

sheet frog "somebody at the pond" {
  n number = 0
  m number = 0
  wet truth
  seen list
}
verb leap (by number) "far: leap 2" {
  do {
    who.m = who.n + by
    who.n = who.m + by
    who.wet = who.n > 4
    if who.n > 7 { refuse "{who.name} leaps too far" }
    who.m -= 1
  }
}
verb dive "as far as the die says" {
  do {
    who.m = who.n + 1
    let d = throw d4
    who.n += d.face
    who.seen = who.seen.with(d.face)
    if who.n > 6 { refuse "{who.name} dives too deep" }
    if who.m == 3 { who.m = 0 }
  }
}
verb croak "and try something" {
  do {
    who.m += 2
    let was = who.m
    act Other
    who.n -= 1
    if who.m != was or who.n < -2 { refuse "nobody croaks here" }
  }
}
verb pass "nothing" { do { who.wet = no } }
verb splash (whom frog) "as hard as the die says" {
  do {
    let d = throw d4
    whom.n -= d.face
    who.m = whom.n
  }
}
verb boast "which nobody likes" {
  do {
    who.m += 1
    if who.n < 1000 { refuse "{who.name} boasts" }
  }
}
verb evening "everybody acts" { do { for x in instances(frog) { act x } } }
`)}}

const frogs = `frog Ann { n %d }
frog Bo { n 1 }
tactics Ann { when wet: dive; when n > 3: leap 2; otherwise: dive; otherwise: leap 3 }
tactics Bo { when m > 1: croak; when n < 5: dive; otherwise: croak }
tactics Other { when n > 2: leap 1; when m > 3: dive; otherwise: leap 2 }
`

// What a refusal takes back is as it was, for odds and trials that remember what they have
// done as for those that do everything anew.
func TestRefusalsAreRemembered(t *testing.T) {
	for _, n := range []int{-1, 0, 3, 5} {
		text := fmt.Sprintf("use pond\nfrog Other { }\n"+frogs, n)
		equalTrials(t, interp.Config{Modules: pond}, text+"{ repeat 3 { evening }\nreport Ann.n, Ann.m, Ann.wet, Ann.seen, Bo.n, Bo.m, Other.n, Other.m }", 60)
		const evenings = "{ repeat 2 { evening }\nreport Ann.n, Ann.m, Ann.wet, Bo.n, Bo.m, Other.n }"
		s := interp.NewSession(interp.Config{Modules: pond})
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
		p, err := core.Of(s).Prepare(context.Background(), lang.NewSource("", evenings))
		if err != nil {
			t.Fatal(err)
		}
		if !sameDistributions(t, evenings, p, 50_000) {
			t.Error("too many states")
		}
	}
}

// A tactic that is tried and refused costs no steps: what was worked out before it holds
// for any number behind it, too.
func TestStepsBehindARefusal(t *testing.T) {
	steps := map[int]int{}
	for _, n := range []int{20, 60} {
		s := interp.NewSession(interp.Config{Modules: pond})
		text := fmt.Sprintf("use pond\nfrog Ann { n %d }\nfrog Bo { n %d }\ntactics Ann { when n > 0: boast; otherwise: splash Bo }\ntactics Bo { when n > 0: boast; otherwise: splash Ann }\n", n, n)
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Fatal(err)
		}
		p, err := core.Of(s).Prepare(context.Background(), lang.NewSource("", "while Ann.n > 0 and Bo.n > 0 { evening }\nreport Ann.n > 0"))
		if err != nil {
			t.Fatal(err)
		}
		g, done := Graph(p, nil)
		if err := g.Build(context.Background()); err != nil {
			t.Fatal(err)
		}
		done()
		if len(g.Checkpoints) < n*n/4 {
			t.Errorf("only %d states with %d", len(g.Checkpoints), n)
		}
		steps[n] = g.Steps
	}
	if steps[20] != steps[60] {
		t.Errorf("%v steps", steps)
	}
}
