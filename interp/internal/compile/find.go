package compile

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"setpiece/lang/late"
)

// A system is looked for in several places, one after the other: the script's folder, the list of
// Systems, and what is built in. The first that has a version that fits gives it. Of several versions
// in one place a script that names none gets the latest, and one that names the least it needs the
// lowest that fits. So what a script gets does not change when a later version is added, and no file
// needs to note what was chosen (Cox, "Minimal Version Selection", 2018).

// Found is the first file of a system or variant.
type Found struct {
	Src     *lang.Source
	FS      fs.FS
	File    string // in FS
	Place   string
	Version string // of the folder, or as the file says; looked up only where somebody asks for one
	Beside  bool   // it is in the script's folder
	Shipped bool   // it is built in
}

// Find looks for a system or variant of which the version want is needed, "" for any. It gives nil
// if there is none.
func Find(w *decl.World, name, want string) (*Found, error) {
	if src := w.Checked[name+".rules"]; src != nil {
		return &Found{Src: src, FS: w.Folder, File: path.Base(src.Name), Place: decl.Here, Beside: true}, nil
	}
	if v := w.Versions[name]; want == "" && v != "" {
		if f, err := find(w, name, func(x string) bool { return x == v }); f != nil || err != nil {
			return f, err
		}
	}
	if want == "" {
		return find(w, name, nil)
	}
	return find(w, name, func(v string) bool { return decl.Fits(v, want) })
}

// base gives the system of a variant if it lies beside it and fits.
func (f *Found) base(name, want string) (*Found, error) {
	if f == nil || f.Shipped || f.FS == nil {
		return nil, nil
	}
	b := *f
	b.File = path.Join(path.Dir(f.File), name+".rules")
	src, err := readSource(f.FS, b.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if b.Src = src; err != nil || !decl.Fits(headOf(src.Text).version, want) {
		return nil, err
	}
	return &b, nil
}

func find(w *decl.World, name string, fits func(version string) bool) (*Found, error) {
	for _, p := range places(w) {
		var all []*Found
		for _, file := range p.files(w, name) {
			src, err := readSource(p.FS, file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, err
			}
			f := &Found{Src: src, FS: p.FS, File: file, Place: p.Name, Beside: p.Name == decl.Here, Shipped: p.Name == decl.BuiltIn}
			if fits == nil {
				return f, nil
			}
			if f.Version = versionOf(f); fits(f.Version) {
				all = append(all, f)
			}
		}
		if len(all) > 0 {
			return slices.MinFunc(all, func(a, b *Found) int { return decl.Later(a.Version, b.Version) }), nil
		}
	}
	return nil, nil
}

// versionOf gives the version that a file is of; a variant that says none has that of the system
// beside it.
func versionOf(f *Found) string {
	head := headOf(f.Src.Text)
	if head.version == "" && head.base != "" {
		if src, err := readSource(f.FS, path.Join(path.Dir(f.File), head.base+".rules")); err == nil {
			return headOf(src.Text).version
		}
	}
	return head.version
}

// searched is a place with how systems lie in it.
type searched struct {
	decl.Place
	flat bool // NAME.rules at its top counts
}

// places gives where systems are looked for, in order.
func places(w *decl.World) []searched {
	var out []searched
	if w.Folder != nil {
		out = append(out, searched{decl.Place{Name: decl.Here, FS: w.Folder}, true})
	}
	for _, p := range w.Systems {
		out = append(out, searched{p, true})
	}
	if w.FS != nil {
		out = append(out, searched{decl.Place{Name: decl.BuiltIn, FS: w.FS}, false})
	}
	return out
}

// files gives where the first file of a system or variant may be, what is to be taken first first.
func (p searched) files(w *decl.World, name string) []string {
	file := name + ".rules"
	var out []string
	if p.flat {
		out = append(out, file)
	}
	for _, m := range w.Modules {
		if m.Place == p.Name {
			out = append(out, path.Join(m.Folder.Name, file)) // a variant beside its system
		}
	}
	for _, dir := range p.versions(name) {
		out = append(out, path.Join(dir, file))
	}
	for _, base := range p.dirs() {
		if base == name {
			continue
		}
		for _, dir := range p.versions(base) {
			if f := path.Join(dir, file); p.Name == decl.BuiltIn || isFile(p.FS, path.Join(dir, base+".rules")) {
				out = append(out, f)
			}
		}
	}
	return out
}

// versions gives the folders in which a system may lie: that of its name, then those of its
// versions in there, the latest first.
func (p searched) versions(name string) []string {
	out := []string{name}
	if p.Name == decl.BuiltIn {
		return out
	}
	for _, v := range FilesIn(p.FS, name) {
		if decl.IsVersion(v) {
			out = append(out, path.Join(name, v))
		}
	}
	slices.SortFunc(out[1:], func(a, b string) int { return decl.Later(path.Base(b), path.Base(a)) })
	return out
}

// dirs gives the folders of a place that may hold a system.
func (p searched) dirs() []string {
	var names []string
	list, _ := fs.ReadDir(p.FS, ".")
	for _, e := range list {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func isFile(fsys fs.FS, file string) bool {
	info, err := fs.Stat(fsys, file)
	return err == nil && !info.IsDir()
}

// Listed is a system or variant that there is.
type Listed struct {
	Name, Base, Title, Version string
	Place, File                string
	FS                         fs.FS
}

// List gives all systems and variants there are, in the order in which they are looked for. What
// another place has under the same name is not found unless a version is asked for.
func List(w *decl.World) []Listed {
	var out []Listed
	for _, p := range places(w) {
		out = append(out, p.list()...)
	}
	return out
}

func (p searched) list() []Listed {
	var out []Listed
	if p.flat {
		out = p.heads(".")
	}
	for _, name := range p.dirs() {
		for _, dir := range p.versions(name) {
			if p.Name == decl.BuiltIn || isFile(p.FS, path.Join(dir, name+".rules")) {
				out = append(out, p.heads(dir)...)
			}
		}
	}
	return out
}

// heads lists the systems and variants that begin in a folder, the system of its name first.
func (p searched) heads(dir string) []Listed {
	var out []Listed
	for _, file := range FilesIn(p.FS, dir) {
		name, rules := strings.CutSuffix(file, ".rules")
		if !rules {
			continue
		}
		text, err := fs.ReadFile(p.FS, path.Join(dir, file))
		if h := headOf(string(text)); err == nil && h.kind != "" {
			out = append(out, Listed{Name: name, Base: h.base, Title: h.title, Version: h.version, Place: p.Name, File: path.Join(dir, file), FS: p.FS})
		}
	}
	slices.SortStableFunc(out, func(a, b Listed) int {
		return cmp.Compare(min(len(a.Base), 1), min(len(b.Base), 1))
	})
	for i := range out {
		for _, base := range out {
			if out[i].Version == "" && base.Name == out[i].Base {
				out[i].Version = base.Version
			}
		}
	}
	return out
}

// ModuleNames lists the systems and variants there are by name.
func ModuleNames(w *decl.World) []string {
	var names []string
	for _, l := range List(w) {
		if !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// head is what the line says with which a file of rules begins.
type head struct{ kind, base, title, version string }

var saysHead = late.Regexp(`^[ \t]*(system|variant)[ \t]+\w+(?:[ \t]+of[ \t]+(\w+)(?:[ \t]+[\d.]+)?)?(?:[ \t]+"([^"\n]*)")?([^\n]*)$`)

var saysVersion = late.Regexp(`^(?:[^"]|"[^"]*")*?\bversion[ \t]+([\d.]+)`)

// headOf reads it without the rest, which is much.
func headOf(text string) head {
	for line := range strings.Lines(text) {
		begins := strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(begins, "system") && !strings.HasPrefix(begins, "variant") {
			continue
		}
		if m := saysHead().FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			h := head{kind: m[1], base: m[2], title: m[3]}
			if v := saysVersion().FindStringSubmatch(m[4]); v != nil {
				h.version = v[1]
			}
			return h
		}
	}
	return head{}
}

// heads says whether a file is a system or a variant, not a part of one.
func heads(fsys fs.FS, file string) bool {
	text, err := fs.ReadFile(fsys, file)
	return err == nil && headOf(string(text)).kind != ""
}

// notFound says that there is no such system, what there is instead, and where was looked.
func notFound(w *decl.World, name, want lang.Ident) *lang.Diagnostic {
	var versions, where []string
	for _, l := range List(w) {
		if l.Name == name.Name {
			versions = append(versions, cmp.Or(l.Version, "one without a version"))
		}
	}
	for _, p := range places(w) {
		where = append(where, p.Name)
	}
	what := name.Name
	if want.Name != "" {
		what += " " + decl.OrLater(want.Name)
	}
	d := decl.ErrAt(name.Span, "SP0705", "there is no system %s", what)
	names := ModuleNames(w)
	decl.Suggest(d, name.Name, names)
	switch {
	case len(versions) > 0:
		d.Help = "there is " + strings.Join(versions, ", ")
	case d.Help != "":
		return d
	case len(names) > 0:
		d.Help = "there are " + strings.Join(names, ", ")
	}
	if len(where) > 0 {
		d.Notes = append(d.Notes, lang.Note{Message: "looked in: " + strings.Join(where, "; ") + ". setpiece system add FILE adds a system, --systems FOLDER names another folder"})
	}
	return d
}
