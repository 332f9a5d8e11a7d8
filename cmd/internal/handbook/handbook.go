// Package handbook makes pages out of what the program knows: of each name that can
// be typed, of each rule, of each system, and of the guides.
//
// The texts are not its own. What a word means comes from assist.Help, which
// reads the declarations; examples and cases come from package cases; the guides are
// Markdown beside what they describe. Build collects all of that once; WriteHTML makes
// a folder of static pages, each of which can be read without a network or a script.
package handbook

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// Source is what a handbook is made of.
type Source struct {
	Modules fs.FS          // the rule systems
	Cases   *cases.Library // scenes that show the rules
	Guides  []Guide
	Topics  []assist.Topic // what the program itself knows: commands, limits
	Own     []Own          // systems and variants of somebody's own
	Play    bool           // show what happens in each case

	// Try gives the address of a page on which a script can be tried, from the first page of the
	// handbook; "" for none. nil: there is none.
	Try func(text string) string
}

// Own is a system, or a variant of Base, in a folder.
type Own struct {
	Name, Base string
	Folder     fs.FS
}

// Guide is a page that somebody wrote, in Markdown.
type Guide struct {
	Name  string // of its page, such as "guide"
	File  string // by which other guides link to it, such as "GUIDE.md"
	Title string
	About string // in a line
	Text  string
}

// Book is a handbook before it becomes pages.
type Book struct {
	src     Source
	shipped []interp.System
	Systems []*System
	Names   map[string]*Name
	Rules   map[string]*Rule

	names, rules, shown map[string]string // the pages of names, rules and cases
}

// System is a rule system, or a variant of one, with what it declares.
type System struct {
	Name, Title string
	Base        string // of a variant
	Topics      []*Topic
	Sheets      []*Sheet
	Decisions   []assist.DecisionInfo
	Overrides   []assist.Override // of a variant
	Rules       []*Rule
}

// Sheet is a kind of character or thing with the fields that it adds to those of the
// sheet it is based on.
type Sheet struct {
	*Topic
	Base     string
	Own      []assist.FieldInfo // that a script sets, or reads
	Kept     []assist.FieldInfo // that the rules keep
	Internal bool               // no script writes one: the rules make it
}

// Topic is one meaning of a word.
type Topic struct {
	assist.Topic
	Sample cases.Example
}

// Name is a word with all that it means.
type Name struct {
	Word   string
	Topics []*Topic
}

// Rule is a rule of a book.
type Rule struct {
	assist.RuleInfo
	System string
	Script []string // the lines of the rules that it is about
	Place  string
	Cases  []cases.Case
}

// Build reads everything.
func Build(ctx context.Context, src Source) (*Book, error) {
	b := &Book{src: src, Names: map[string]*Name{}, Rules: map[string]*Rule{}}
	for _, t := range general(src.Topics) {
		b.add(&Topic{Topic: t})
	}
	b.shipped = interp.NewSession(interp.Config{Modules: src.Modules}).Installed()
	for _, x := range b.shipped {
		if x.Base != "" {
			continue
		}
		if err := b.system(ctx, Own{Name: x.Name}); err != nil {
			return nil, err
		}
	}
	for _, own := range src.Own {
		if err := b.system(ctx, own); err != nil {
			return nil, err
		}
	}
	b.paths()
	return b, nil
}

// system adds a system with its variants; what comes with setpiece and has no rules of its own
// is there for others to include.
func (b *Book) system(ctx context.Context, of Own) error {
	name, base, use := of.Name, of.Base, of.Name
	if base != "" {
		use = base + " with " + name
	}
	s := interp.NewSession(interp.Config{Modules: b.src.Modules, Folder: of.Folder})
	if err := s.Exec(ctx, lang.NewSource("", "use "+use)); err != nil {
		return err
	}
	rules, err := assist.Rules(s, name)
	if err != nil || len(rules) == 0 && base == "" && of.Folder == nil {
		return err
	}
	sys := &System{Name: name, Base: base}
	if base != "" {
		sys.Overrides = assist.Overrides(s, name)
	}
	if sys.Decisions, err = assist.Decisions(s, name); err != nil {
		return err
	}
	sys.Decisions = slices.CompactFunc(sys.Decisions, func(a, b assist.DecisionInfo) bool {
		return a.Name == b.Name && a.Words.Who == b.Words.Who && a.Words.Prompt == b.Words.Prompt && a.Words.Default == b.Words.Default && a.Cost == b.Cost
	})
	for _, word := range assist.HelpWords(s) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, t := range assist.Help(s, word) {
			if (t.Kind == "system" || t.Kind == "variant") && t.Name == name {
				sys.Title = t.Doc
			}
			if b.foreign(t, name, base) {
				continue
			}
			sample, ok := b.src.Cases.Example(t)
			t.Now, t.Module = "", name
			if !ok {
				sample, _ = b.src.Cases.Example(t)
			}
			topic := &Topic{Topic: t, Sample: sample}
			sys.Topics = append(sys.Topics, topic)
			if t.Kind == "sheet" {
				sh := newSheet(topic, assist.Fields(s, t.Name))
				sh.Internal = sh.Internal && of.Folder == nil // no case shows what is somebody's own
				sys.Sheets = append(sys.Sheets, sh)
			}
			b.add(topic)
		}
	}
	for _, r := range rules {
		rule := &Rule{RuleInfo: r, System: name, Script: render.Excerpt(r.At), Place: render.Place(r.At), Cases: b.src.Cases.Of(r.ID)}
		sys.Rules = append(sys.Rules, rule)
		b.Rules[r.ID] = rule
	}
	forScripts(sys.Sheets)
	b.Systems = append(b.Systems, sys)
	if base != "" || of.Folder != nil {
		return nil
	}
	for _, x := range b.shipped {
		if x.Base != name {
			continue
		}
		if err := b.system(ctx, Own{Name: x.Name, Base: name}); err != nil {
			return err
		}
	}
	return nil
}

// newSheet sorts the fields of a sheet: its own, and those that the rules keep.
func newSheet(t *Topic, fields []assist.FieldInfo) *Sheet {
	sh := &Sheet{Topic: t, Internal: !t.Sample.Played}
	if len(t.Of) > 0 {
		sh.Base = t.Of[0]
	}
	for _, f := range fields {
		switch {
		case f.Sheet != t.Name:
		case f.Hidden:
			sh.Kept = append(sh.Kept, f)
		default:
			sh.Own = append(sh.Own, f)
		}
	}
	return sh
}

// forScripts finds the sheets that scripts write: those that a case writes, what these
// are based on, and what stands in their fields.
func forScripts(sheets []*Sheet) {
	for changed := true; changed; {
		changed = false
		for _, sh := range sheets {
			if sh.Internal {
				continue
			}
			for _, other := range sheets {
				in := sh.Base == other.Name || slices.ContainsFunc(sh.Own, func(f assist.FieldInfo) bool {
					of, _, several := strings.Cut(f.Takes, ", several")
					return several && of == other.Name
				})
				if other.Internal && in {
					other.Internal, changed = false, true
				}
			}
		}
	}
	// Those that a scene names come first, then what they are based on.
	order := func(sh *Sheet) int {
		switch {
		case sh.Internal:
			return 2
		case !sh.Sample.Played:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(sheets, func(a, b *Sheet) int { return order(a) - order(b) })
}

// foreign says that a topic is not the system's: it is the language's, or that of the
// system that a variant changes.
func (b *Book) foreign(t assist.Topic, name, base string) bool {
	switch t.Kind {
	case "rule of the book", "variable", "group", "list":
		return true
	case "span", "value of the last outcome", "moment":
		return base != "" && t.Module != name
	case "system", "variant":
		return t.Name != name
	}
	if t.Module == "" {
		return true // the language's, or somebody whom the rules themselves declare
	}
	return base != "" && t.Module != name
}

// add files a topic under its name, once.
func (b *Book) add(t *Topic) {
	n := b.Names[t.Name]
	if n == nil {
		n = &Name{Word: t.Name}
		b.Names[t.Name] = n
	}
	same := func(o *Topic) bool {
		return o.Kind == t.Kind && o.Module == t.Module && o.Form == t.Form && o.Doc == t.Doc
	}
	if !slices.ContainsFunc(n.Topics, same) {
		n.Topics = append(n.Topics, t)
	}
}

// paths gives each page its file. File systems that take big and small letters as the
// same must not lose any.
func (b *Book) paths() {
	b.names, b.rules, b.shown = map[string]string{}, map[string]string{}, map[string]string{}
	taken := map[string]bool{}
	for _, word := range slices.Sorted(maps.Keys(b.Names)) {
		file := slug(word)
		for n := 2; taken[file]; n++ {
			file = fmt.Sprintf("%s-%d", slug(word), n)
		}
		taken[file] = true
		b.names[word] = "name/" + file + ".html"
	}
	for id := range b.Rules {
		b.rules[id] = rulePage(id)
	}
	for _, c := range b.src.Cases.All() {
		b.shown[c.System+"/"+c.Name] = "case/" + slug(c.System) + "-" + slug(c.Name) + ".html"
	}
}

func slug(word string) string {
	var s strings.Builder
	for _, r := range strings.ToLower(word) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '-':
			s.WriteRune(r)
		case r == ' ':
			s.WriteByte('-')
		default:
			fmt.Fprintf(&s, "x%x", r)
		}
	}
	return s.String()
}

// play runs a case and gives its transcript.
func (b *Book) play(ctx context.Context, c cases.Case) string {
	if !b.src.Play {
		return ""
	}
	var out bytes.Buffer
	text := transcript.NewText(&out, transcript.Options{})
	s := interp.NewSession(interp.Config{Modules: b.src.Modules, Seed: caseSeed, Events: text.Event})
	if err := s.Exec(ctx, lang.NewSource(c.Name+".scene", c.Text)); err != nil {
		fmt.Fprintln(&out, err)
	}
	return strings.TrimRight(out.String(), "\n")
}

// caseSeed is the seed that the tests play cases with.
const caseSeed = 7
