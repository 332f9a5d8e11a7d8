package evening

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
)

// A journal of before is read: what fell was three lists, and what a die had picked a fourth.
func TestJournalOfBefore(t *testing.T) {
	var f Fell
	if err := f.UnmarshalJSON([]byte(`{"faces":[7,8],"answers":[1],"commands":[""]}`)); err != nil {
		t.Fatal(err)
	}
	one, none := 1, ""
	want := interp.Record{{Faces: []int{7, 8}, By: interp.ByUnknown}, {Option: &one, By: interp.ByUnknown}, {Command: &none, By: interp.ByUnknown}}
	if d := cmp.Diff(want, f.Record); d != "" {
		t.Error(d)
	}
	var a Again
	if err := a.UnmarshalJSON([]byte(`{"input":"roll","said":[{"answer":1}],"fell":{"faces":[7],"answers":[1,0]},"picks":[0]}`)); err != nil {
		t.Fatal(err)
	}
	zero := 0
	drawn := interp.Record{{Faces: []int{7}, By: interp.ByUnknown}, {Option: &zero, By: interp.BySeed}}
	if d := cmp.Diff(drawn, a.Drawn()); d != "" {
		t.Error(d)
	}
	if len(a.Said) != 1 || a.Said[0].Option == nil || *a.Said[0].Option != 1 {
		t.Errorf("%+v", a.Said)
	}
}
