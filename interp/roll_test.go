package interp_test

import (
	"context"
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
)

// handsOver throws once, and then leaves the dice to the generator.
type handsOver struct{ asked int }

func (c *handsOver) Throw(_ context.Context, r interp.Request) ([]int, error) {
	if c.asked++; c.asked > 1 {
		return nil, interp.ErrRoll
	}
	return slices.Repeat([]int{1}, len(r.Sizes)), nil
}

// Whoever throws can leave a throw to the generator, which throws what is being asked for.
func TestErrRoll(t *testing.T) {
	c := &handsOver{}
	s := interp.NewSession(interp.Config{Chance: c, Seed: 1})
	src := lang.NewSource("", "let a = throw 2d6\nlet b = throw 2d100\nlet c = throw 2d100\n")
	if err := s.Exec(context.Background(), src); err != nil {
		t.Fatal(err)
	}
	faces := s.Record().Faces()
	s = interp.NewSession(interp.Config{Seed: 1})
	if err := s.Exec(context.Background(), lang.NewSource("", "let b = throw 2d100\nlet c = throw 2d100\n")); err != nil {
		t.Fatal(err)
	}
	if want := append([]int{1, 1}, s.Record().Faces()...); c.asked != 3 || !slices.Equal(faces, want) {
		t.Errorf("asked %d times, %v fell, not %v", c.asked, faces, want)
	}
}
