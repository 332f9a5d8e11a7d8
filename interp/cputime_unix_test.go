//go:build unix

package interp_test

import (
	"syscall"
	"time"
)

// processorTime is how much time the processors have spent on this process. Other work on
// the machine lengthens it less than what a clock shows.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
