package notes

import (
	"maps"
	"slices"
	"strings"

	"setpiece/lang"
)

// kind says what may stand behind a word of a fence.
type kind int

const (
	bare   kind = iota // nothing
	valued             // =VALUE
	either
)

// What the words of a fence mean. The first say which script the fence belongs to;
// the others are for weave: what to write under it, and how.
var known = map[string]kind{
	"file": valued, "alone": either, "wrong": bare, "again": bare,

	"run": bare, "odds": bare, "sim": bare, "danger": bare, "test": bare, "graph": bare,
	"seed": valued, "dice": valued, "brief": bare, "trace": bare, "quiet": bare, "columns": valued, "trials": valued,
}

// Results are the words for what weave writes under a fence, in the order in which it does.
var Results = []string{"run", "test", "odds", "sim", "danger", "graph"}

// takes says which results a word is for.
var takes = map[string][]string{
	"seed": {"run", "sim"}, "dice": {"run"}, "brief": {"run"}, "trace": {"run"}, "quiet": {"run"},
	"columns": {"odds", "sim"}, "trials": {"odds", "sim", "danger", "graph"},
}

// optionsOf lists the words that say how a result is made.
func optionsOf(what string) (keys []string) {
	for key, results := range takes {
		if slices.Contains(results, what) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// words checks the words of all fences.
func (p *reader) words() {
	files := map[string]bool{}
	for _, f := range p.note.Fences {
		if f.Kind != language {
			continue
		}
		p.check(f.Words, f)
		if w := f.find("file"); w != nil {
			name := w.Value
			if name != "" && (strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || slices.Contains(strings.Split(name, "/"), "..")) {
				p.wrong(w.At, "SP0805", "a name such as party.scene", "the file of a fence lies beside the note")
			}
			files[name] = true
			if a := f.find("alone"); a != nil {
				p.wrong(a.At, "SP0806", "", "file= and alone do not go together: a fence with file= is a script of its own already")
			}
		}
	}
	for _, f := range p.note.Fences {
		if w := f.find("alone"); f.Kind == language && w != nil && files[w.Value] {
			p.wrong(w.At, "SP0807", "", "another fence has the name %s already", w.Value)
		}
	}
}

// check checks words, those of a fence or, without one, of the front matter.
func (p *reader) check(words []Word, f *Fence) {
	seen := map[string]bool{}
	for _, w := range words {
		kind, ok := known[w.Key]
		value := strings.Contains(p.note.Text[w.At.Start:w.At.End], "=")
		switch {
		case !ok:
			help := "the words are " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
			if near, ok := lang.Nearest(w.Key, slices.Sorted(maps.Keys(known))); ok {
				help = "did you mean " + near + "?"
			}
			p.wrong(w.At, "SP0808", help, "a fence has no word %s", w.Key)
		case seen[w.Key]:
			p.wrong(w.At, "SP0809", "", "%s stands here twice", w.Key)
		case f == nil && (w.Key == "file" || w.Key == "alone" || w.Key == "wrong" || w.Key == "again"):
			p.wrong(w.At, "SP0810", "", "%s is a word of a fence", w.Key)
		case kind == valued && w.Value == "":
			p.wrong(w.At, "SP0811", "write "+w.Key+"="+example[w.Key], "%s needs a value", w.Key)
		case kind == bare && value:
			p.wrong(w.At, "SP0812", "write "+w.Key, "%s takes no value", w.Key)
		}
		seen[w.Key] = true
	}
	if f != nil && f.Has("again") && !f.Has("file") {
		p.wrong(f.find("again").At, "SP0813", "", "again needs file= beside it: the file starts again")
	}
	for _, w := range words {
		if results := takes[w.Key]; results != nil && !slices.ContainsFunc(results, func(r string) bool { return seen[r] || p.note.Front.Has(r) }) {
			p.wrong(w.At, "SP0814", "", "%s needs %s beside it", w.Key, strings.Join(results, " or "))
		}
	}
}

var example = map[string]string{"file": "party.scene", "seed": "7", "dice": "7,8", "columns": "winner", "trials": "20000"}
