package playground

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
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
		if got, err := textOf(strings.TrimSpace(string(link))); err != nil || got != string(want) {
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
		if got, err := textOf(link); err != nil || got != text {
			t.Errorf("%.40q comes back as %.40q, %v", text, got, err)
		}
	}
	if _, err := Link(strings.Repeat("x", mostText+1)); err == nil {
		t.Error("a text of more than 1 MiB has a link")
	}
	bomb, _ := Link(strings.Repeat("x", mostText))
	for _, bad := range []string{"", "#", "#1", "#2.AAAA", "#1.*", "#1.AA", bomb[:len(bomb)/2], "#1." + strings.Repeat("A", mostLetters)} {
		if text, err := textOf(bad); err == nil {
			t.Errorf("%.40q gives %.40q", bad, text)
		}
	}
}

// textOf gives the script of a link, as the page reads it.
func textOf(link string) (string, error) {
	rest, ok := strings.CutPrefix(link, "#1.")
	if !ok || len(link) > mostLetters {
		return "", errors.New("this is no link of version 1")
	}
	data, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostText+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > mostText:
		return "", errors.New("the script of this link is longer than 1 MiB")
	case !utf8.Valid(text):
		return "", errors.New("the script of this link is no text")
	}
	return string(text), nil
}
