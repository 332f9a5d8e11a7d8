package evening_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
	"setpiece/stdlib"
)

// waiting is a host that thinks until it is told to leave.
type waiting struct {
	guest
	asked sync.WaitGroup
	leave chan struct{}
}

func (w *waiting) Ask(context.Context, *evening.Query) (interp.Answer, error) {
	w.asked.Done()
	<-w.leave
	return interp.Answer{}, evening.ErrLeft
}

// A thousand evenings with a question open take less than a GiB; a tenth of them a tenth.
func TestOpenEvenings(t *testing.T) {
	n := 100
	if os.Getenv("SETPIECE_LONG") != "" {
		n = 1000
	}
	scenes, err := filepath.Glob("../../testdata/evenings/*.scene")
	if err != nil || len(scenes) == 0 {
		t.Fatal("no scenes", err)
	}
	w := &waiting{leave: make(chan struct{})}
	var ended sync.WaitGroup
	before := memory()
	for i := range n {
		w.asked.Add(1)
		ended.Go(func() {
			text, err := os.ReadFile(scenes[i%len(scenes)])
			if err != nil {
				t.Error(err)
			}
			e := evening.Begin(evening.Config{Session: interp.Config{Modules: stdlib.FS, Seed: uint64(i)}, Host: w, Dice: true})
			if err := e.Play(context.Background(), lang.NewSource("a.scene", string(text))); !errors.Is(err, evening.ErrLeft) {
				t.Error(scenes[i%len(scenes)], err)
				w.asked.Done()
			}
		})
		w.asked.Wait() // one after the other
	}
	if kib := (memory() - before) >> 10; kib > uint64(n)<<10 {
		t.Errorf("%d evenings take %d KiB", n, kib)
	} else {
		t.Logf("%d evenings take %d KiB", n, kib)
	}
	close(w.leave)
	ended.Wait()
}

func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
