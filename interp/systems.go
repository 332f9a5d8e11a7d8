package interp

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
)

// Place is a folder in which use looks for systems: NAME.rules, NAME/NAME.rules or
// NAME/VERSION/NAME.rules, each with its variants beside it. Name is for people: messages and
// System.Place say it.
type Place = decl.Place

// Here and BuiltIn are System.Place of what is in Config.Folder and in Config.Modules.
const (
	Here    = decl.Here
	BuiltIn = decl.BuiltIn
)

// System is a system, or with Base a variant.
type System struct {
	Name, Base, Title    string
	Version, By, Licence string   // "" where its file says nothing
	Place                string   // where it was found
	File                 string   // its first file there
	Hash                 string   // of the files that it was read from; "" for one that is not in use
	Files                []string // these, by their names in the folder of the first; nil likewise
}

// Available lists the systems and variants there are, by name, each once.
func (s *Session) Available() []string { return compile.ModuleNames(s.run.World) }

// SystemNames lists the systems there are, by name, each once: those with a title, since the others
// are there for systems to include.
func (s *Session) SystemNames() []string {
	var names []string
	for _, l := range compile.List(s.run.World) {
		if l.Base == "" && l.Title != "" && !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// Installed lists the systems and variants there are, all versions, in the order in which use
// looks for them, without their authors.
func (s *Session) Installed() []System {
	var out []System
	for _, l := range compile.List(s.run.World) {
		out = append(out, System{Name: l.Name, Base: l.Base, Title: l.Title, Version: l.Version, Place: l.Place, File: l.File})
	}
	return out
}

// InUse lists the systems and variants in use, in order, with the hash of their rules.
func (s *Session) InUse() []System { return systemsIn(s.run.World) }

func systemsIn(w *decl.World) []System {
	var out []System
	for _, m := range w.Modules {
		x := System{
			Name: m.Name, Base: m.Base, Title: m.Title, Version: m.Version, By: m.By, Licence: m.Licence,
			Place: m.Place, File: path.Join(m.Folder.Name, m.Name+".rules"),
		}
		texts := map[string]string{}
		for i, f := range m.Files {
			name := m.Name + ".rules"
			if i > 0 {
				name = strings.TrimPrefix(path.Clean(filepath.ToSlash(f.Name)), path.Clean(m.Folder.Name)+"/")
			}
			x.Files = append(x.Files, name)
			texts[name] = f.Text
		}
		x.Hash = Hash(texts)
		out = append(out, x)
	}
	return out
}

// Hash is the hash of texts by the names of their files: that of Go modules (h1, as package
// golang.org/x/mod/sumdb/dirhash has it, which needs a reader of archives).
func Hash(texts map[string]string) string {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256([]byte(texts[name])), name)
	}
	sum := sha256.Sum256([]byte(list.String()))
	return "h1:" + base64.StdEncoding.EncodeToString(sum[:])
}

// ReadBeside reads a file that lies beside the first file of a system in use: its pages, its cases.
func (s *Session) ReadBeside(system, file string) ([]byte, error) {
	m := s.run.World.Module(system)
	if m == nil {
		return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
	}
	return fs.ReadFile(m.Folder.FS, path.Join(m.Folder.Name, file))
}

// Later says whether a version comes after another.
func Later(a, b string) bool { return decl.Later(a, b) > 0 }
