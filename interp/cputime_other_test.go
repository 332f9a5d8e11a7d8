//go:build !unix

package interp_test

import "time"

var began = time.Now()

// processorTime is the time of a clock where that of the processors is not known.
func processorTime() time.Duration { return time.Since(began) }
