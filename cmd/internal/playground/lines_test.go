package playground

import (
	"strings"
	"testing"
)

// What is no program of Go is told, and one without tables stays as it is. That a program without its lines
// runs is seen where a page is opened (TestPlaygroundInABrowser).
func TestWithoutLines(t *testing.T) {
	const empty = "\x00asm\x01\x00\x00\x00"
	for text, want := range map[string]string{empty: "", empty + "\x0b\x09\x01\x00\x41\x10": "no program for WebAssembly"} {
		wasm := []byte(text)
		err := withoutLines(wasm)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) || string(wasm) != text {
			t.Errorf("withoutLines(%q): %v; want an error with %q", text, err, want)
		}
	}
}
