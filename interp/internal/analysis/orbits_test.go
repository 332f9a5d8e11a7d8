package analysis

import (
	"slices"
	"testing"

	"setpiece/interp/internal/value"
)

// A list in which one stands twice, and in that one another twice, 60 deep, has two instances in it.
func TestReferences(t *testing.T) {
	h := value.NewHeap()
	v := h.OfList([]V{value.OfRef(3), value.OfRef(9)})
	for range 60 {
		v = h.OfList([]V{v, v})
	}
	var found []int
	References(h, v, func(at V) {
		if !slices.Contains(found, at.Off()) {
			found = append(found, at.Off())
		}
	})
	if !slices.Equal(found, []int{3, 9}) {
		t.Errorf("found %v", found)
	}
}
