package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"setpiece/lang"
)

// TestTextMate holds the grammar of the extension for VS Code against the lexer, in all scripts
// and rules that there are.
func TestTextMate(t *testing.T) {
	needBrowser(t)
	dir := t.TempDir()
	if out, err := exec.Command(program(t, dir), "editor", "vscode", "-o", filepath.Join(dir, "extension")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	enc, n := json.NewEncoder(&in), 0
	for _, root := range []string{"../../stdlib", "../../scripts", "../../testdata"} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || ext != ".scene" && ext != ".rules" || strings.Contains(path, "errors") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			return enc.Encode(spelt(path, string(text)))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if n < 50 {
		t.Fatalf("%d files are too few", n)
	}
	cmd := exec.Command("node", "../../testdata/browser/grammar.mjs", filepath.Join(dir, "extension", "syntaxes", "setpiece.tmLanguage.json"))
	cmd.Stdin = &in
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out[:min(len(out), 4000)])
	}
}

type (
	spelling struct {
		File   string    `json:"file"`
		Text   string    `json:"text"`
		Tokens []spelled `json:"tokens"`
	}
	spelled struct {
		Kind   string `json:"kind"`
		Word   string `json:"word"`
		Line   int    `json:"line"`
		Column int    `json:"column"` // in UTF-16, as TextMate counts
	}
)

var tokenNames = map[lang.TokenKind]string{
	lang.WordToken: "word", lang.TraitToken: "trait", lang.NameToken: "name", lang.TextToken: "text",
	lang.NumberToken: "number", lang.DiceToken: "dice", lang.SignToken: "sign",
}

// spelt gives a text with its tokens and comments.
func spelt(file, text string) spelling {
	src := lang.NewSource(file, text)
	s := spelling{File: file, Text: src.Text}
	add := func(kind string, at lang.Span) {
		pos := src.Position(int(at.Start))
		line := strings.LastIndexByte(src.Text[:at.Start], '\n') + 1
		s.Tokens = append(s.Tokens, spelled{kind, src.Text[at.Start:at.End], pos.Line - 1, len(utf16.Encode([]rune(src.Text[line:at.Start])))})
	}
	tokens, comments := lang.Tokens(src)
	for _, k := range tokens {
		name := tokenNames[k.Kind]
		if k.Kind == lang.TraitToken && len(strings.Trim(k.Text, "0123456789_")) == 1 {
			name = "" // a trait of one letter looks like a name
		}
		if name != "" {
			add(name, k.Span)
		}
	}
	for _, c := range comments {
		add("comment", c.Span)
	}
	return s
}

// TestProtocolLibrary: what VS Code speaks the protocol with understands setpiece lsp.
func TestProtocolLibrary(t *testing.T) {
	needBrowser(t)
	cmd := exec.Command("node", "../../testdata/browser/protocol.mjs", program(t, t.TempDir()))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := `offered: true
mistake: 6:6 | there is no verb atack / did you mean attack? | true
fix: write attack | attack
completed: AIM,STRONG
hover: **Nova** · hero
declared: setpiece://rules/cah/verbs.rules
rules: verb attack "a crucial check to harm somebody: attack Fang with PUNCH against AGILE" {
places: 3
outline: Nova,Sludge
renamed: 3
formatted: true
coloured: 0
lens: 6 | run
lens: 6 | success 43/72
lens: 7 | success 7/12
refused: Nova cannot be called Sludge: Sludge is declared twice
exit: 0
`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
}
