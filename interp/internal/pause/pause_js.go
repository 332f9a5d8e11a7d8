package pause

import "runtime"

func pause() { runtime.Gosched() }
