package style

import (
	"bytes"
	"os"
	"testing"

	"github.com/creack/pty"
)

func TestEnabled(t *testing.T) {
	_, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	defer tty.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		name string
		out  any
		when When
		env  map[string]string
		want bool
	}{
		{"a terminal", tty, Auto, nil, true},
		{"a file", null, Auto, nil, false},
		{"a buffer", &bytes.Buffer{}, Auto, nil, false},
		{"a buffer, always", &bytes.Buffer{}, Always, nil, true},
		{"a terminal, never", tty, Never, nil, false},
		{"NO_COLOR", tty, Auto, map[string]string{"NO_COLOR": "1"}, false},
		{"NO_COLOR, empty", tty, Auto, map[string]string{"NO_COLOR": ""}, true},
		{"the flag beats NO_COLOR", tty, Always, map[string]string{"NO_COLOR": "1"}, true},
		{"a dumb terminal", tty, Auto, map[string]string{"TERM": "dumb"}, false},
	} {
		got := Enabled(c.out.(interface{ Write([]byte) (int, error) }), c.when, func(k string) string { return c.env[k] })
		if got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// NO_COLOR is already settled when a palette is asked for: what is on is on.
func TestPaletteIgnoresEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	if got := Clean(New(true).Good("x")); got != "\x1b[32mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if New(false).Good != nil {
		t.Error("the plain palette has a colour")
	}
}

func TestWhen(t *testing.T) {
	var w When
	for _, s := range Whens() {
		if err := w.Set(s); err != nil || w.String() != s {
			t.Errorf("%s: %v, %v", s, w, err)
		}
	}
	if w.Set("sometimes") == nil {
		t.Error("sometimes is no answer")
	}
}
