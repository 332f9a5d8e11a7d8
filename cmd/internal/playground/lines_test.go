package playground

import (
	"strings"
	"testing"
)

func TestNoProgramWithoutLines(t *testing.T) {
	for text, want := range map[string]string{
		"\x00asm\x01\x00\x00\x00":                         "no tables of lines",
		"\x00asm\x01\x00\x00\x00\x0b\x09\x01\x00\x41\x10": "no program for WebAssembly",
	} {
		if err := withoutLines([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("withoutLines(%q): %v; want an error with %q", text, err, want)
		}
	}
}
