package editor

import (
	"context"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"setpiece/cmd/internal/notes"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// script is one of the scripts of a document, with what is known of it.
type script struct {
	src    *lang.Source
	folder fs.FS
	base   interp.Config
	wrong  bool           // it has mistakes on purpose
	fences []*notes.Fence // of a note
	shift  int            // how far it has moved since src was read
	body   string         // the text without what stands before it in a note

	checked  bool
	diags    lang.Diagnostics
	refs     []assist.Reference
	strict   lang.Diagnostics // nil until it is asked for
	declared *interp.Session  // see session
	known    *sessions        // of the workspace
	tokens   []lang.Token
	comments []lang.Comment
}

// declareTime bounds what is done while somebody waits for the next key.
const declareTime = 300 * time.Millisecond

// checkTime bounds a check. A page in a browser waits for none, and may have a slow machine.
func checkTime() time.Duration {
	if runtime.GOOS == "js" {
		return time.Minute
	}
	return 3 * time.Second
}

// inherit takes over what is known of the same script in an older text of the note.
func (s *script) inherit(old []*script) {
	for _, o := range old {
		if o.body != s.body || s.body == "" || o.wrong != s.wrong {
			continue
		}
		now := *o
		now.fences, now.shift = s.fences, len(s.src.Text)-len(o.src.Text)
		*s = now
		if i := slices.Index(s.known.of, o); i >= 0 {
			s.known.of[i] = s
		}
		return
	}
}

func (s *script) config() interp.Config {
	config := s.base
	config.Folder, config.Limits = s.folder, interp.Limits{Time: declareTime, Steps: 5_000_000, Memory: 64 << 20}
	return config
}

// check finds the mistakes of a script, and what its names stand for.
func (s *script) check() {
	if s.checked {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTime())
	defer cancel()
	var refs []assist.Reference
	s.diags, refs, _ = assist.CheckReferences(ctx, interp.NewSession(s.config()), s.src)
	s.refs = inOrder(refs)
	s.checked = true
}

// inOrder sorts references by their places. It sorts their numbers: they are long.
func inOrder(refs []assist.Reference) []assist.Reference {
	order, out := make([]int, len(refs)), make([]assist.Reference, len(refs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(refs[i].At.Start - refs[j].At.Start) })
	for k, i := range order {
		out[k] = refs[i]
	}
	return out
}

// refsAt gives what the names at a place of the script were resolved to, the shortest first.
func (s *script) refsAt(at int32) []assist.Reference {
	s.check()
	var out []assist.Reference
	for _, r := range s.refs {
		if r.At.Src == s.src && r.At.Start <= at && at <= r.At.End {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b assist.Reference) int {
		return int((a.At.End - a.At.Start) - (b.At.End - b.At.Start))
	})
	return out
}

// words gives the tokens of a script.
func (s *script) words() []lang.Token {
	if s.tokens == nil {
		s.tokens, s.comments = lang.Tokens(s.src)
	}
	return s.tokens
}

// sessions are the scripts that have one. Each takes half a megabyte, and the one that somebody types in
// is asked again and again: so there are few.
type sessions struct{ of []*script }

const mostSessions = 16

// add notes that a script gets a session, and takes it from the one that got it first.
func (k *sessions) add(s *script) {
	if len(k.of) == mostSessions {
		k.of[0].declared = nil
		k.of = slices.Delete(k.of, 0, 1)
	}
	k.of = append(k.of, s)
}

// session gives a session in which everything is declared that the script declares and that can
// be read. Nothing is played. Rules are in use, those of the base where a variant cannot be read.
func (s *script) session() *interp.Session {
	if s.declared != nil {
		return s.declared
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTime())
	defer cancel()
	s.known.add(s)
	s.declared = interp.NewSession(s.config())
	name, base := assist.RulesIn(s.declared, s.src)
	for _, use := range []string{name, base} {
		if use != "" && s.declared.Exec(ctx, lang.NewSource("", "use "+use+"\n")) == nil {
			return s.declared
		}
	}
	src := s.declarations(ctx)
	if src == nil {
		return s.declared
	}
	if err := s.declared.Exec(ctx, src); err != nil {
		s.declared = interp.NewSession(s.config())
		if _, err := s.declared.Prepare(src); err != nil {
			s.declared = interp.NewSession(s.config())
		}
	}
	return s.declared
}

// declarations blanks what is played, and what has mistakes, until the rest compiles. nil is
// that nothing can be read.
func (s *script) declarations(ctx context.Context) *lang.Source {
	const tries = 12
	cut := map[lang.Extent]bool{}
	src := s.src
	for range tries {
		tree, diags := lang.Parse(src)
		if !diags.Errors() {
			o, err := assist.Until(ctx, interp.NewSession(s.config()), src, 0)
			if err == nil {
				return o
			}
			diags, _ = err.(lang.Diagnostics)
		}
		more := false
		for _, d := range diags {
			if d.Severity == lang.Error && d.Src != nil && d.Src.Name == src.Name {
				more = s.cut(cut, tree, d) || more
			}
		}
		if !more {
			return nil
		}
		src = blanked(s.src, cut)
	}
	return nil
}

// cut adds the smallest statement around a mistake that is not cut yet.
func (s *script) cut(cut map[lang.Extent]bool, tree *lang.File, d *lang.Diagnostic) bool {
	var around []lang.Extent
	lang.Walk(tree, func(n lang.Node) bool {
		at := n.Range()
		if at.Start > d.Start || d.Start > at.End || at.End == at.Start {
			_, whole := n.(*lang.File)
			return whole
		}
		if _, ok := n.(lang.Stmt); ok {
			around = append(around, lang.Extent{Start: int(at.Start), End: int(at.End)})
		}
		return true
	})
	for _, e := range slices.Backward(around) {
		if !cut[e] {
			cut[e] = true
			return true
		}
	}
	line := s.src.Position(int(d.Start)).Line
	start := strings.LastIndexByte(s.src.Text[:d.Start], '\n') + 1
	e := lang.Extent{Start: start, End: min(start+len(s.src.Line(line)), len(s.src.Text))}
	was := cut[e]
	cut[e] = true
	return !was
}

// blanked is a source without some stretches, at the same places.
func blanked(src *lang.Source, cut map[lang.Extent]bool) *lang.Source {
	text := []byte(src.Text)
	for e := range cut {
		for i := e.Start; i < e.End; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	return lang.NewSource(src.Name, string(text))
}
