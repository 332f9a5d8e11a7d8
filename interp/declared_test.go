package interp_test

import (
	"testing"
	"testing/fstest"

	"setpiece/interp"
)

// Whose line has not run is not worked out when a span begins, whatever works the field out: the next span does it.
func TestDeclaredBehindASpan(t *testing.T) {
	rules := `system yard "Yard"
spans scene > turn
sheet person "somebody" {
  n whole = 3
  ready truth = fit(self) per scene "is ready"
  twice whole = n * 2 per scene
}
rule fit(x) {
  let k = x.n
  if k > 2 { return yes }
  return no
}
verb scene "a scene" without actor { block; do { begin scene; run block; end scene } }
`
	s := interp.NewSession(interp.Config{Modules: fstest.MapFS{"yard/yard.rules": {Data: []byte(rules)}}})
	if err := run(s, `use yard
person Ann { n 4 }
scene { expect [Ann.ready, Ann.twice, Bob.ready, Bob.twice] == [yes, 8, none, none] }
person Bob { n 2 }
scene { expect [Ann.ready, Bob.ready, Bob.twice] == [yes, no, 4] }
`); err != nil {
		t.Fatal(failed(err))
	}
}
