package repl

import "setpiece/cmd/internal/player"

// Watch implements player.Watcher for whoever asks at the prompt.
func (d *desk) Watch(interrupt func()) (pressed func() bool, stop func()) {
	if w, ok := d.loop.cfg.Lines.(player.Watcher); ok {
		return w.Watch(interrupt)
	}
	return nil, nil
}
