package interp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// TestWhileTyping plants mistakes and then breaks one statement in the ways in which a text is
// broken while somebody types: half a line, a bracket or a quote too few or too many. What
// stands outside of that statement must still be told: the planted mistakes, and what names
// stand for.
func TestWhileTyping(t *testing.T) {
	rules, err := filepath.Glob("../stdlib/*/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	files := append(corpus(t), rules...)
	if !longtest.Tests {
		files = slices.DeleteFunc(files, func(f string) bool { return len(f)%23 != 0 })
	}
	r := rand.New(rand.NewPCG(1, 2))
	var mistakes, names share
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			tryBroken(r, file, string(text), &mistakes, &names)
		}
	}
	t.Logf("mistakes %v, names %v", mistakes, names)
	for what, s := range map[string]share{"mistakes": mistakes, "names": names} {
		if s.all < 200 || s.kept*100 < s.all*95 {
			t.Errorf("of the %s outside of the broken statement %v are told, wanted 95 %% of 200 or more", what, s)
		}
	}
}

type share struct{ kept, all int }

func (s share) String() string { return fmt.Sprintf("%d of %d", s.kept, s.all) }

// tryBroken counts what is told of a text before and after one of its statements was broken.
func tryBroken(r *rand.Rand, file, text string, mistakes, names *share) {
	text = planted(r, text, filepath.Ext(file))
	src := lang.NewSource(filepath.Base(file), text)
	tree, diags := lang.Parse(src)
	if len(diags) > 0 || len(tree.Stmts) == 0 {
		return
	}
	at := tree.Stmts[r.IntN(len(tree.Stmts))].Range()
	if strings.HasPrefix(text[at.Start:], "use") || strings.HasPrefix(text[at.Start:], "include") {
		return
	}
	whole := text[at.Start:at.End]
	broken := lang.NewSource(src.Name, text[:at.Start]+breakOne(r, whole)+text[at.End:])
	shift := len(broken.Text) - len(text)
	moved := func(s lang.Span) (int, bool) {
		switch {
		case s.Src == nil || s.Src.Name != src.Name:
			return 0, false
		case s.End <= at.Start:
			return int(s.Start), true
		case s.Start >= at.End:
			return int(s.Start) + shift, true
		}
		return 0, false
	}
	session := func() *interp.Session {
		return interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))})
	}
	told := map[string]bool{}
	for _, d := range session().Check(broken) {
		told[fmt.Sprint(d.Start, d.Message)] = true
	}
	for _, d := range session().Check(src) {
		if to, ok := moved(d.Span); ok && strings.Contains(d.Message, "planted") {
			mistakes.count(told[fmt.Sprint(to, d.Message)])
		}
	}
	known := map[int]bool{}
	for _, x := range assist.References(session(), broken) {
		if x.At.Src == broken {
			known[int(x.At.Start)] = true
		}
	}
	seen := map[int]bool{}
	for _, x := range assist.References(session(), src) {
		if to, ok := moved(x.At); ok && !seen[to] && !(x.Declared.Src == src && at.Start <= x.Declared.Start && x.Declared.Start < at.End) {
			seen[to] = true
			names.count(known[to])
		}
	}
}

func (s *share) count(kept bool) {
	s.all++
	if kept {
		s.kept++
	}
}

// planted puts statements with mistakes between those of a text.
func planted(r *rand.Rand, text, ext string) string {
	form := "%s\nlet wrong_%d = planted_%d + 1"
	if ext == ".rules" {
		form = "%s\nrule wrong_%d(x) = planted_%d + x"
	}
	tree, diags := lang.Parse(lang.NewSource("", text))
	if len(diags) > 0 {
		return text
	}
	var b strings.Builder
	at := int32(0)
	for i, s := range tree.Stmts {
		if end := s.Range().End; r.IntN(3) == 0 && strings.HasPrefix(text[end:], "\n") {
			fmt.Fprintf(&b, form, text[at:end], i, i)
			at = end
		}
	}
	return b.String() + text[at:]
}

// breakOne is a statement as it is while somebody types in it.
func breakOne(r *rand.Rand, s string) string {
	at := r.IntN(len(s))
	line := strings.IndexByte(s[at:]+"\n", '\n') + at
	switch r.IntN(4) {
	case 0:
		return s[:at] + s[line:] // half a line
	case 1:
		return s[:at] + s[at+1:]
	case 2:
		if i := strings.IndexAny(s[at:], "{}()\""); i >= 0 {
			return s[:at+i] + s[at+i+1:]
		}
	}
	signs := "{}([\""
	return s[:at] + signs[at%len(signs):at%len(signs)+1] + s[at:]
}
