package style

import (
	"strings"
	"testing"
)

// What a stranger's text holds is seen and not obeyed; this program's own colours
// pass, however the bytes are dealt out to writes.
func TestWriter(t *testing.T) {
	p := New(true)
	stolen := strings.ReplaceAll(p.Good("x"), mark, "1234567890")
	for _, c := range []struct{ text, want string }{
		{"plain\n\ttext", "plain\n\ttext"},
		{p.Good("x") + p.Title("é"), "\x1b[32mx\x1b[0m\x1b[1mé\x1b[22m"},
		{p.Bad("a\x1b[2Jb"), "\x1b[31ma�[2Jb\x1b[0m"},
		{"\x1b[32mx\x1b[0m", "�[32mx�[0m"},
		{stolen, "�[1234567890;32mx�[1234567890;0m"},
		{"\x1b]0;title\a", "�]0;title�"},
		{"a\rb\u009b1mc\u202e", "a�b�1mc�"},
		{"\x1b", "�"},
		{"中🎲é", "中🎲é"},
		{"\xe4\xb8", "��"},
	} {
		for size := 1; size <= len(c.text); size++ {
			var b strings.Builder
			w := NewWriter(&b)
			for rest := c.text; rest != ""; {
				n := min(size, len(rest))
				if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
					t.Fatal(k, err)
				}
				rest = rest[n:]
			}
			if w.Write([]byte("|")); b.String() != c.want+"|" {
				t.Errorf("%q, %d at a time: %q, not %q", c.text, size, b.String(), c.want)
			}
		}
		if got := Clean(c.text); got != c.want {
			t.Errorf("%q is clean as %q, not %q", c.text, got, c.want)
		}
	}
	if got := Plain(p.Good("x") + "y"); got != "xy" {
		t.Errorf("plain: %q", got)
	}
	var b strings.Builder
	if w := NewWriter(&b); NewWriter(w) != w || Raw(w) != &b || Raw(&b) != &b {
		t.Error("a Writer of a Writer")
	}
}
