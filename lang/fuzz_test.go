package lang

import (
	"strings"
	"testing"
)

func seed(f *testing.F) {
	f.Helper()
	for _, text := range corpus(f) {
		f.Add(text)
		for _, part := range strings.Split(text, "\n\n") {
			f.Add(part)
		}
	}
	for _, text := range mistakeCorpus(f) {
		f.Add(text)
	}
}

// FuzzParse wants an answer for every text: a tree whose parts lie in the text, messages that
// can be shown, and the same tree with participle as without.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, diags := Parse(NewSource("fuzz", text))
		if file == nil {
			t.Fatal("no file")
		}
		Walk(file, func(n Node) bool {
			s := n.Range()
			if s.Src == nil || s.Start < 0 || s.End < s.Start || int(s.End) > len(text) {
				t.Fatalf("%T stands at %d to %d of %d", n, s.Start, s.End, len(text))
			}
			return true
		})
		for _, d := range diags {
			if d.Message == "" || !strings.HasSuffix(d.Format(Palette{}), "\n") {
				t.Fatalf("bad message %+v", d)
			}
		}
		Print(file)
		readersAgree(t, text)
	})
}

// FuzzFormat wants the laws of Print for every text that parses.
func FuzzFormat(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) { printLaws(t, text) })
}
