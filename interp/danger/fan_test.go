package danger

import (
	"math"
	"testing"
)

// Estimates from ten trials each differ more than the chances they estimate: where all of
// them are the same chance, the fan closes.
func TestFanLeavesOutNoise(t *testing.T) {
	var same, apart []float64
	for i := range 100 {
		// as often as ten coins give 3, 5 and 7 heads or so: noise and nothing else
		same = append(same, []float64{0.4, 0.5, 0.6, 0.4, 0.6}[i%5])
		apart = append(apart, []float64{0, 1}[i%2])
	}
	mean, at := fan(same)
	if math.Abs(mean-0.5) > 1e-9 || at[0] != at[4] {
		t.Errorf("one chance: mean %v, %v", mean, at)
	}
	if _, at := fan(apart); at != [5]float64{0, 0, 1, 1, 1} {
		t.Errorf("decided: %v", at)
	}
}
