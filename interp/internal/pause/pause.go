// Package pause lets whatever else is to be done be done, where somebody works for long. In a page of
// a browser there is one thread, which nobody takes away from who works: without a pause no timer
// would ever end what has a bound on its time.
package pause

import "context"

// Err is why a context has ended, nil while it has not. Whoever works for long asks it again and again.
func Err(ctx context.Context) error {
	pause()
	return ctx.Err()
}
