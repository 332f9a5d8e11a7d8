package trials

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// Run makes the trials from..to on all workers, and says how many were made when the
// context ended.
func Run(ctx context.Context, all []*Worker, from, to int64, seed uint64, told func(int64)) (made int64, err error) {
	var next, done atomic.Int64
	next.Store(from)
	errs := make([]error, len(all))
	var group sync.WaitGroup
	var talk sync.Mutex
	for i, t := range all {
		t.Plans = cmp.Or(t.Plans, (to-from)/int64(len(all)))
		t.Made = func(n int64) {
			done.Add(n)
			if talk.TryLock() {
				told(done.Load())
				talk.Unlock()
			}
		}
		group.Go(func() {
			for ctx.Err() == nil {
				at := next.Add(Block) - Block
				if at >= to {
					return
				}
				if errs[i] = t.Make(ctx, at, min(at+Block, to), seed); errs[i] != nil {
					next.Store(to)
					return
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil && ctx.Err() == nil {
		return 0, err
	}
	told(done.Load())
	return done.Load(), nil
}

// Block is how many trials a worker takes at a time.
const Block = 1024
