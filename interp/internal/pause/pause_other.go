//go:build !js

package pause

func pause() {}
