//go:build !unix

package player

import "os"

// WatchKeys cannot tell here whether keys are pressed.
func WatchKeys(*os.File, func()) (pressed func() bool, stop func() string) { return nil, nil }
