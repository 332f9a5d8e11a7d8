package editor

import (
	"path"
	"slices"
	"strings"

	"setpiece/interp/assist"
	"setpiece/lang"
)

// Complete lists what may be typed at a place of a document, and where the word begins that it
// would replace. It reads what stands above; nothing of that is played.
func (w *Workspace) Complete(name string, off int) (from int, list []assist.Completion) {
	d := w.Open(name)
	if d == nil {
		return off, nil
	}
	s := d.at(off)
	if s == nil || off-s.shift > len(s.src.Text) || off < s.shift {
		return off, nil
	}
	at := off - s.shift
	from, list = assist.Complete(s.session(), s.src.Text, at)
	above := func(t lang.Token) bool { return t.Kind != lang.LineToken && int(t.Start) < from }
	if path.Ext(name) == ".rules" && !slices.ContainsFunc(s.words(), above) {
		list = assist.RulesBegin(s.src.Text[from:at])
	}
	for _, x := range s.own(from, s.src.Text[from:at]) {
		if !slices.ContainsFunc(list, func(c assist.Completion) bool { return strings.HasPrefix(c.Text, x.Text+"(") }) {
			list = append(list, x)
		}
	}
	return from + s.shift, ranked(list)
}

// own lists what the script itself declares for its expressions, and begins like a word.
func (s *script) own(at int, begun string) []assist.Completion {
	line := s.src.Text[strings.LastIndexByte(s.src.Text[:at], '\n')+1 : at]
	if begun == "" || strings.TrimSpace(line) == "" {
		return nil
	}
	var out []assist.Completion
	tree, _ := lang.Parse(s.src)
	for _, x := range s.symbols("", tree.Stmts) {
		if kind := x.Kind; (kind == "rule" || kind == "table" || kind == "variable") && strings.HasPrefix(x.Name, begun) && x.Name != begun {
			out = append(out, assist.Completion{Text: x.Name, Doc: "of this script", Kind: kind})
		}
	}
	return out
}

// ranks are the kinds of completions that come before the others, first what is most of this script and
// this place.
var ranks = []string{"field", "trait", "character", "variable", "clause", "decision", "value", "sheet", "verb", "option"}

// ranked sorts completions by what they are, and leaves each word once.
func ranked(list []assist.Completion) []assist.Completion {
	slices.SortStableFunc(list, func(a, b assist.Completion) int { return strings.Compare(a.Text, b.Text) })
	list = slices.CompactFunc(list, func(a, b assist.Completion) bool { return a.Text == b.Text })
	rank := func(c assist.Completion) int {
		if i := slices.Index(ranks, c.Kind); i >= 0 {
			return i
		}
		return len(ranks)
	}
	slices.SortStableFunc(list, func(a, b assist.Completion) int { return rank(a) - rank(b) })
	return list
}

// Signature says how the verb or rule is written whose command or call stands at a place.
func (w *Workspace) Signature(name string, off int) (assist.Signature, bool) {
	d := w.Open(name)
	if d == nil {
		return assist.Signature{}, false
	}
	s := d.at(off)
	if s == nil || off < s.shift {
		return assist.Signature{}, false
	}
	return assist.SignatureAt(s.session(), s.src.Text, off-s.shift)
}
