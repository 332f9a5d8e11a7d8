package interp_test

import (
	"context"
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/interp/sim"
	"setpiece/lang"
)

// Of two rules one goes round fifty times: it takes most. A rule that only calls it takes next to
// nothing itself, and as much with what it calls; one that calls itself is counted once. The trials
// end as they do without a profile.
func TestProfile(t *testing.T) {
	src := lang.NewSource("toil.scene", `rule toil(n) { let total_toil = 0
  for i in 1..n { total_toil += i }
  return total_toil
}
rule foreman(n) {
  return toil(n) + 1
}
rule down(n) { if n == 0 { return 0 }; return down(n - 1) }
report foreman(50) + down(3) + (throw d6).face
`)
	o, p, err := sim.MakeProfile(context.Background(), interp.Config{Seed: 4}, src, sim.Config{Trials: 20})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := sim.Simulate(context.Background(), interp.Config{Seed: 4}, src, sim.Config{Trials: 20})
	if err != nil || !slices.EqualFunc(o.Ends, plain.Ends, func(a, b sim.End) bool { return a.Shown[0] == b.Shown[0] && a.Count == b.Count }) {
		t.Errorf("the trials end with %v, and without a profile with %v, %v", o.Ends, plain.Ends, err)
	}
	rules := p.Rules()
	of := func(name string) sim.RuleCost {
		n := slices.IndexFunc(rules, func(r sim.RuleCost) bool { return r.Rule == name })
		if n < 0 {
			t.Fatalf("no rule %s among %v", name, rules)
		}
		return rules[n]
	}
	toil, foreman, down := of("toil"), of("foreman"), of("down")
	if rules[0] != toil || toil.File != "toil.scene" || toil.Line != 1 || foreman.Line != 6 {
		t.Errorf("the dearest are %v", rules)
	}
	if per := toil.Own / p.Trials; per < 100 || per > 300 { // an addition and a step of the loop, fifty times
		t.Errorf("toil takes %d instructions a trial", per)
	}
	if foreman.Own > 10*p.Trials || foreman.All != foreman.Own+toil.All || down.All != down.Own {
		t.Errorf("foreman takes %+v, toil %+v, down %+v", foreman, toil, down)
	}
	sum := int64(0)
	for _, r := range rules {
		sum += r.Own
	}
	if sum != p.Instructions || p.Trials != 20 {
		t.Errorf("%d instructions of %d trials, %d of the rules", p.Instructions, p.Trials, sum)
	}
}
