package playground

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link that was ever given out can be read: testdata/links holds links of each version beside
// their texts.
func TestStoredLinks(t *testing.T) {
	links, err := filepath.Glob("testdata/links/*.link")
	if err != nil || len(links) == 0 {
		t.Fatal(links, err)
	}
	for _, name := range links {
		link, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".link") + ".scene")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Text(strings.TrimSpace(string(link))); err != nil || got != string(want) {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

// What a stranger may send is bounded, and a link comes back as the text it was made of.
func TestLinks(t *testing.T) {
	for _, text := range []string{"", "use cah\n", "hero \"Zoë 🎲\" { star 3 }\n", strings.Repeat("x", mostText)} {
		link, err := Link(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Text(link); err != nil || got != text {
			t.Errorf("%.40q comes back as %.40q, %v", text, got, err)
		}
	}
	if _, err := Link(strings.Repeat("x", mostText+1)); err == nil {
		t.Error("a text of more than 1 MiB has a link")
	}
	bomb, _ := Link(strings.Repeat("x", mostText))
	for _, bad := range []string{"", "#", "#1", "#2.AAAA", "#1.*", "#1.AA", bomb[:len(bomb)/2], "#1." + strings.Repeat("A", mostLetters)} {
		if text, err := Text(bad); err == nil {
			t.Errorf("%.40q gives %.40q", bad, text)
		}
	}
}
