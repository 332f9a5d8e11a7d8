package style

import (
	"bytes"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"Snowmen 3 attack the donated sledge\nnext\n", "Snowmen 3 attack the\n  donated sledge\nnext\n"},
		{"  :log    show again what happened\n", "  :log    show again\n          what\n          happened\n"},
		{"exactly twenty cells\n", "exactly twenty cells\n"},
		{"Dr. Müller-Lüdenscheidt acts\n", "Dr. Müller-Lüdenscheidt acts\n"},
		{"see averylongwordthatfitsnowhere, or not\n", "see averylongwordthatfitsnowhere, or not\n"},
		{"忍者忍者 忍者忍者忍者 忍\n", "忍者忍者\n  忍者忍者忍者 忍\n"},
		{"a question, y or n? [y/N] ", "a question, y or n?\n  [y/N] "},
		{"\x1b[1ma bold word and\x1b[22m some more", "\x1b[1ma bold word and\x1b[22m some\n  more"},
	} {
		if got := Wrap(c.text, 20); got != c.want {
			t.Errorf("%q becomes\n%q, not\n%q", c.text, got, c.want)
		}
	}
	if long := strings.Repeat("word ", 20); Wrap(long, 5) != long {
		t.Error("a narrow terminal")
	}
}

// A Writer wraps for a terminal, also what comes in several writes; not what is to stay whole.
func TestWriterWraps(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	defer master.Close()
	defer tty.Close()
	pty.Setsize(tty, &pty.Winsize{Rows: 10, Cols: 20})
	shown := func(w *Writer, texts ...string) string {
		for _, text := range texts {
			w.Write([]byte(text))
		}
		var out []byte // a terminal hands on what was written in pieces of its own
		buf := make([]byte, 1000)
		for !bytes.HasSuffix(out, []byte("sledge?\r\n")) {
			n, err := master.Read(buf)
			if err != nil {
				t.Fatalf("%v, after %q", err, out)
			}
			out = append(out, buf[:n]...)
		}
		return strings.ReplaceAll(string(out), "\r\n", "\n")
	}
	if got, want := shown(NewWriter(tty), "Lola: donate ", "a new sledge?\n"), "Lola: donate a new\n  sledge?\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	whole := NewWriter(tty)
	Whole(whole)
	if got, want := shown(whole, "Lola: donate a new sledge?\n"), "Lola: donate a new sledge?\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
