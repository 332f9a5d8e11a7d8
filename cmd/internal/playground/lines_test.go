package playground

import (
	"strings"
	"testing"
)

// A program that says no bound of its memory gets one, and keeps what stands around it.
func TestBounded(t *testing.T) {
	const head, tail = "\x00asm\x01\x00\x00\x00\x01\x00", "\x06\x00"
	for memory, want := range map[string]string{
		"\x05\x03\x01\x00\x20":     "\x05\x06\x01\x01\x20\x80\x80\x01", // from 2 MiB to 1 GiB
		"\x05\x04\x01\x01\x20\x40": "\x05\x04\x01\x01\x20\x40",
		"":                         "",
	} {
		if got := string(bounded([]byte(head+memory+tail), mostPages)); got != head+want+tail {
			t.Errorf("bounded(%q): %q", memory, got)
		}
	}
}

// The memory that a program begins with is the same in few segments: only long ways of zeros are left out.
func TestLean(t *testing.T) {
	const empty = "\x00asm\x01\x00\x00\x00"
	const behind = "\x00\x02\x01x" // a part of another kind
	far := "\x00\x41\x80\x08\x0b\x01c"
	for text, want := range map[string]string{
		empty: empty,
		empty + "\x0b\x0d\x02\x00\x41\x10\x0b\x01a\x00\x41\x12\x0b\x01b" + behind: empty + "\x0b\x09\x01\x00\x41\x10\x0b\x03a\x00b" + behind,
		empty + "\x0b\x14\x03\x00\x41\x10\x0b\x01a\x00\x41\x12\x0b\x01b" + far:    empty + "\x0b\x10\x02\x00\x41\x10\x0b\x03a\x00b" + far,
		empty + "\x0b\x0f\x02\x00\x41\x10\x0b\x01a\x00\x41\xc0\x00\x0b\x02bc":     empty + "\x0b\x38\x01\x00\x41\x10\x0b\x32a" + strings.Repeat("\x00", 47) + "bc",
	} {
		if got, err := lean([]byte(text)); err != nil || string(got) != want {
			t.Errorf("lean(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := lean([]byte(empty + "\x0b\x09\x01\x00\x41\x10")); err == nil || !strings.Contains(err.Error(), "no program for WebAssembly") {
		t.Errorf("what ends too early: %v", err)
	}
}
