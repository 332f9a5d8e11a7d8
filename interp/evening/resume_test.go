package evening_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// whim answers each question by its number alone, so that whoever is asked again answers the same;
// now and then it leaves instead, or takes its last answer back.
type whim struct {
	e       *evening.Evening
	seed    uint64
	restive bool // it leaves, and takes back
	left    map[int]bool
}

func (w *whim) Ask(_ context.Context, q *evening.Query) (a interp.Answer, err error) {
	n := len(w.e.Replies())
	r := rand.New(rand.NewPCG(w.seed, uint64(n)))
	if w.restive && !w.left[n] {
		w.left[n] = true
		switch {
		case n%11 == 10:
			return a, evening.ErrLeft
		case n%5 == 4:
			return a, w.e.TakeBack(1 + n%3)
		}
	}
	switch q.Kind {
	case evening.Dice:
		for _, size := range q.Sizes {
			a.Faces = append(a.Faces, 1+r.IntN(size))
		}
		return a, nil
	case evening.Decision:
		i := r.IntN(len(q.Options))
		if r.IntN(3) > 0 {
			i = q.Default
		}
		return interp.Answer{Option: &i}, nil
	}
	if q.Usual == "" || q.Refused != nil {
		return q.Read("pass")
	}
	return q.Read(q.Usual)
}

func (w *whim) Event(*interp.Event, bool) {}

func (w *whim) Tell(evening.Notice) {}

func (w *whim) Settle() error { return nil }

// An evening whose host leaves at questions, comes back from what was stored as bytes, and takes
// answers back went as one that nobody left, to the letter.
func TestLeftAndTakenUp(t *testing.T) {
	scenes, err := filepath.Glob("../../testdata/evenings/*.scene")
	if err != nil || len(scenes) == 0 {
		t.Fatal("no scenes", err)
	}
	for i, path := range scenes {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".scene"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src := lang.NewSource(filepath.Base(path), string(text))
			want, _ := spent(t, src, &whim{seed: uint64(i)})
			got, leaves := spent(t, src, &whim{seed: uint64(i), restive: true, left: map[int]bool{}})
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			t.Logf("left %d times", leaves)
		})
	}
}

// spent plays a script to its end, each time taken up by another evening, and gives what was told.
func spent(t *testing.T, src *lang.Source, w *whim) (told string, leaves int) {
	t.Helper()
	var kept evening.Memory
	cfg := evening.Config{Session: interp.Config{Modules: stdlib.FS, Seed: 3}, Store: &kept, Host: w, Dice: w.seed%2 == 0}
	w.e = evening.Begin(cfg)
	err := w.e.Load(t.Context(), src)
	for ; errors.Is(err, evening.ErrLeft); leaves++ {
		data, err1 := json.Marshal(kept)
		kept = nil
		if err := errors.Join(err1, json.Unmarshal(data, &kept)); err != nil {
			t.Fatal(err)
		}
		w.e, _ = evening.Resume(t.Context(), cfg, kept)
		err = w.e.Continue(t.Context())
	}
	var run *interp.RunError
	if err != nil && !errors.As(err, &run) {
		t.Fatal(err)
	}
	var out strings.Builder
	text := transcript.NewText(&out, transcript.Options{Trace: true})
	for _, x := range w.e.Story() {
		if x.Event != nil {
			text.Event(x.Event)
		}
	}
	if len(kept) < 3 || leaves == 0 && w.restive {
		t.Errorf("left %d times; %d entries", leaves, len(kept))
	}
	return out.String(), leaves
}
