package editor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Definition gives where what stands at a place is declared.
func (w *Workspace) Definition(name string, off int) []Place {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	s := d.at(off)
	if s == nil {
		return nil
	}
	at := int32(off - s.shift)
	var out []Place
	add := func(at lang.Span, called string) {
		if p, ok := w.place(d, s, named(at, called)); ok && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, r := range s.orSomebody(at) {
		switch called := r.Name; {
		case called == "":
			add(r.Declared, s.src.Text[r.At.Start:r.At.End])
		case r.Kind == "system" || r.Kind == "variant":
			out = append(out, w.module(d, called)...)
		default:
			for _, t := range assist.Help(s.session(), called) {
				if slices.Contains(t.Meanings(), assist.MeaningOf(r)) {
					add(t.At, called)
				}
			}
		}
		if len(out) > 0 {
			break // the shortest
		}
	}
	if len(out) == 0 {
		out = w.included(d, s, at)
	}
	if word, ok := s.wordAt(at); ok && len(out) == 0 {
		if old, _ := s.replaced(word); old.Src != nil {
			add(old, word.Text)
		}
	}
	return out
}

// orSomebody is refsAt; in a command that cannot be read, a name is whoever has it.
func (s *script) orSomebody(at int32) []assist.Reference {
	if list := s.refsAt(at); len(list) > 0 {
		return list
	}
	word, ok := s.wordAt(at)
	if !ok || word.Kind != lang.NameToken && word.Kind != lang.TextToken {
		return nil
	}
	for _, r := range s.refs {
		if r.Declared == r.At && r.At.Src == s.src && sameName(s.src.Text[r.At.Start:r.At.End], word.Text) {
			return []assist.Reference{{Declared: r.Declared, At: word.Span}}
		}
	}
	return nil
}

// module gives the file of a system or variant.
func (w *Workspace) module(d *Document, name string) []Place {
	tries := []string{path.Join(path.Dir(d.Name), name+".rules"), Shipped + name + "/" + name + ".rules"}
	if list, err := fs.ReadDir(stdlib.FS, "."); err == nil {
		for _, dir := range list {
			tries = append(tries, Shipped+dir.Name()+"/"+name+".rules")
		}
	}
	for _, file := range tries {
		if w.Open(file) != nil {
			return []Place{{File: file}}
		}
	}
	return nil
}

// included gives the file that an include at a place names.
func (w *Workspace) included(d *Document, s *script, at int32) []Place {
	word, ok := s.wordAt(at)
	if !ok || word.Kind != lang.TextToken {
		return nil
	}
	file := path.Join(path.Dir(d.Name), strings.Trim(word.Text, `"`))
	if w.Open(file) == nil {
		return nil
	}
	return []Place{{File: file}}
}

// named is where the name stands in a declaration.
func named(at lang.Span, name string) lang.Span {
	if at.Src == nil {
		return at
	}
	text := at.Src.Text[at.Start:at.End]
	for from := 0; from < len(text); {
		i := strings.Index(text[from:], name)
		if i < 0 {
			break
		}
		i += from
		if end := i + len(name); (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return lang.Span{Src: at.Src, Start: at.Start + int32(i), End: at.Start + int32(end)}
		}
		from = i + 1
	}
	return at
}

func wordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// meaning is what stands at a place, as what the rest of the workspace may mean as well.
type meaning struct {
	assist.Meaning
	file string // that declares it, as a document; "" for what is known by its name
	name string // as it is written there
}

func (w *Workspace) meaningAt(d *Document, s *script, at int32) (meaning, bool) {
	word, ok := s.wordAt(at)
	if !ok {
		return meaning{}, false
	}
	for _, r := range s.refsAt(at) {
		if r.At.Start == word.Start && r.At.End == word.End {
			return w.meaningOf(d, s, r, word.Text), true
		}
	}
	// the name in a declaration, which nothing refers to by itself
	for _, r := range s.refs {
		if r.Declared.Src == s.src && named(r.Declared, word.Text) == word.Span {
			return w.meaningOf(d, s, r, word.Text), true
		}
	}
	return meaning{}, false
}

func (w *Workspace) meaningOf(d *Document, s *script, r assist.Reference, name string) meaning {
	m := meaning{Meaning: assist.MeaningOf(r), name: name}
	if at, ok := w.place(d, s, r.Declared); ok {
		m.file, m.Start = at.File, int32(at.Start)
	}
	m.File = ""
	return m
}

// References gives the places where what stands at a place is named, its declaration among them,
// in the document and in the files beside it.
func (w *Workspace) References(name string, off int) []Place {
	d := w.Open(name)
	if d == nil {
		return nil
	}
	s := d.at(off)
	if s == nil {
		return nil
	}
	m, ok := w.meaningAt(d, s, int32(off-s.shift))
	if !ok {
		return nil
	}
	return w.uses(name, m)
}

func (w *Workspace) uses(of string, m meaning) []Place {
	var out []Place
	for _, file := range w.files(of) {
		d := w.Open(file)
		if d == nil || file != of && m.file == of && !w.mayName(d, m) {
			continue
		}
		if m.Kind == "" && m.file == "" {
			continue
		}
		for _, s := range d.scripts {
			s.check()
			for _, r := range s.refs {
				if w.meaningOf(d, s, r, m.name).Meaning != m.Meaning || m.Kind == "" && w.meaningOf(d, s, r, m.name).file != m.file {
					continue
				}
				if at, ok := w.place(d, s, r.At); ok && at.File == file {
					out = append(out, at)
				}
				if at, ok := w.place(d, s, named(r.Declared, m.name)); ok && r.Declared.Src != nil {
					out = append(out, at)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Place) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Start - b.Start
	})
	return slices.Compact(out)
}

// mayName says whether a file could name what another one declares.
func (w *Workspace) mayName(d *Document, m meaning) bool {
	return strings.Contains(d.Text, strings.TrimSuffix(path.Base(m.file), path.Ext(m.file))) || strings.Contains(d.Text, m.name)
}

// Rename gives the changes that give what stands at a place another name, in all files that name
// it. It is refused where a name would mean something else then, or nothing.
func (w *Workspace) Rename(name string, off int, to string) ([]Change, error) {
	d := w.Open(name)
	if d == nil {
		return nil, fmt.Errorf("there is no file %s", name)
	}
	at, old, err := w.renamed(d, off)
	if err != nil {
		return nil, err
	}
	to = asWritten(old, to)
	if err := sameShape(old, to); err != nil {
		return nil, err
	}
	var changes []Change
	for _, p := range at {
		changes = append(changes, Change{p, to})
	}
	word, err := w.CanRename(name, off)
	if err == nil {
		err = w.tryRename(changes, word.Start, name, old, to)
	}
	if err != nil {
		return nil, err
	}
	return changes, nil
}

// CanRename gives the word that Rename would change at a place.
func (w *Workspace) CanRename(name string, off int) (Place, error) {
	d := w.Open(name)
	if d == nil {
		return Place{}, fmt.Errorf("there is no file %s", name)
	}
	if _, _, err := w.renamed(d, off); err != nil {
		return Place{}, err
	}
	s := d.at(off)
	word, _ := s.wordAt(int32(off - s.shift))
	return Place{name, int(word.Start) + s.shift, int(word.End) + s.shift}, nil
}

// renamed gives the places that name what stands at a place, and how it is called.
func (w *Workspace) renamed(d *Document, off int) ([]Place, string, error) {
	s := d.at(off)
	if s == nil {
		return nil, "", fmt.Errorf("there is no script here")
	}
	word, ok := s.wordAt(int32(off - s.shift))
	if !ok {
		return nil, "", fmt.Errorf("there is no name here")
	}
	m, ok := w.meaningAt(d, s, int32(off-s.shift))
	if !ok {
		return nil, "", fmt.Errorf("%s is no name that a script or a file of rules declares", word.Text)
	}
	if strings.HasPrefix(m.file, Shipped) || m.file == "" {
		return nil, "", fmt.Errorf("%s is declared by the rules that come with setpiece", word.Text)
	}
	var at []Place
	for _, p := range w.uses(d.Name, m) {
		if sameName(w.Open(p.File).Text[p.Start:p.End], word.Text) {
			at = append(at, p)
		}
	}
	return at, word.Text, nil
}

// sameName says whether two texts write the same name: Old_Bob and "Old Bob" do.
func sameName(a, b string) bool {
	plain := func(s string) string { return strings.ReplaceAll(strings.Trim(s, `"`), "_", " ") }
	return plain(a) == plain(b)
}

// asWritten is a new name in quotes if the old one has them and the new one needs them.
func asWritten(old, to string) string {
	bare := strings.Trim(to, `"`)
	switch {
	case strings.HasPrefix(old, `"`) || strings.ContainsAny(bare, " -'."):
		return `"` + bare + `"`
	}
	return bare
}

// sameShape refuses a name of another kind: those of people are Capitalised, traits in capitals,
// others in small letters.
func sameShape(old, to string) error {
	kind := func(s string) (lang.TokenKind, bool) {
		list, _ := lang.Tokens(lang.NewSource("", s))
		return list[0].Kind, len(list) == 2 && list[0].Text == s
	}
	was, _ := kind(old)
	now, whole := kind(to)
	if now == lang.TextToken && was == lang.NameToken || now == lang.NameToken && was == lang.TextToken {
		now = was
	}
	if !whole || now != was {
		return fmt.Errorf("%s cannot be called %s: words are lower_case, traits ALL_CAPS, names Capitalised or in quotes", old, to)
	}
	if lang.IsKeyword(to) {
		return fmt.Errorf("%s is a word of the language", to)
	}
	return nil
}

// tryRename makes the changes in a copy of the workspace and binds all names again.
func (w *Workspace) tryRename(changes []Change, off int, name, old, to string) error {
	after := New(w.base)
	for file, d := range w.docs {
		after.docs[file] = after.document(file, d.Text, nil)
	}
	files := map[string]string{}
	for _, c := range changes {
		files[c.File] = w.Open(c.File).Text
	}
	for file, text := range files {
		after.docs[file] = after.document(file, Apply(text, changes, file), nil)
	}
	before, now := 0, 0
	for file := range files {
		before += len(w.Problems(file, false))
		for _, p := range after.Problems(file, false) {
			if now++; now > before {
				return fmt.Errorf("%s cannot be called %s: %s", old, to, p.Message)
			}
		}
	}
	d := after.Open(name)
	for _, c := range changes {
		if c.File == name && c.Start < off {
			off += len(c.New) - (c.End - c.Start)
		}
	}
	s := d.at(off)
	if s == nil {
		return fmt.Errorf("%s cannot be called %s: the script would be another", old, to)
	}
	m, ok := after.meaningAt(d, s, int32(off-s.shift))
	if !ok {
		return fmt.Errorf("%s cannot be called %s: the name would mean nothing", old, to)
	}
	n := 0
	for _, p := range after.uses(name, m) {
		if sameName(after.Open(p.File).Text[p.Start:p.End], to) {
			n++
		}
	}
	if n != len(changes) {
		return fmt.Errorf("%s cannot be called %s: something is called that already", old, to)
	}
	return nil
}

// Apply makes those of some changes that concern a file.
func Apply(text string, changes []Change, file string) string {
	var mine []Change
	for _, c := range changes {
		if c.File == file {
			mine = append(mine, c)
		}
	}
	slices.SortFunc(mine, func(a, b Change) int { return b.Start - a.Start })
	for _, c := range mine {
		text = text[:c.Start] + c.New + text[c.End:]
	}
	return text
}
