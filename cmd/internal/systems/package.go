package systems

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"golang.org/x/mod/module"

	"setpiece/cmd/internal/files"
	"setpiece/interp"
)

// A package is one system, or variants of one, in a zip file: a folder of its name with the files
// of rules, scenes that show and test them, sheets and pages. manifestFile says what it is, and a hash
// of all others. Nothing is compressed and no file has a time, so that the same files are the
// same bytes whoever packs them. What is read of a package is bounded before it is looked at.

const (
	maxZip   = 9 << 20 // of a package as a file
	maxAll   = 8 << 20 // of all its files together
	maxFile  = 2 << 20
	maxFiles = 500

	manifestFile = "package.json"
)

// kinds are the endings of the files that a package holds; others stay behind.
var kinds = []string{".rules", ".scene", ".md", ".txt", ".yaml", ".yml", ".json"}

// Package is a system or variant with all that belongs to it.
type Package struct {
	interp.System
	Files fstest.MapFS
	Left  []string // files that are not part of it
}

// manifest is what a package says of itself.
type manifest struct {
	Name    string `json:"name"`
	Base    string `json:"base,omitempty"`
	Title   string `json:"title"`
	Version string `json:"version"`
	By      string `json:"by,omitempty"`
	Licence string `json:"licence"`
	Rules   string `json:"rules"` // the hash of its rules, as logs have it
	Files   string `json:"files"` // the hash of all its files
}

// Refused says what is wrong with a package.
type Refused struct{ What, Help string }

func (e *Refused) Error() string { return e.What }

func refuse(help, format string, args ...any) error {
	return &Refused{fmt.Sprintf(format, args...), help}
}

// gather collects the files of a package, and refuses what none may hold.
type gather struct {
	files fstest.MapFS
	names map[string]string // by name in small letters; those of folders end with a slash
	left  []string
	size  int
}

func newGather() *gather { return &gather{files: fstest.MapFS{}, names: map[string]string{}} }

func checkName(name string) error {
	if module.CheckFilePath(name) != nil {
		return refuse("a name has letters, digits and spaces, and leads nowhere else", "%q cannot be the name of a file in a package", name)
	}
	return nil
}

// add takes a file in.
func (g *gather) add(name string, mode fs.FileMode, open func() (io.ReadCloser, error)) error {
	switch {
	case mode&fs.ModeSymlink != 0:
		return refuse("put the file itself in its place", "%q is a link", name)
	case !mode.IsRegular():
		return refuse("", "%q is not a regular file", name)
	}
	if err := checkName(name); err != nil {
		return err
	}
	for at, called := name, name; at != "."; at = path.Dir(at) {
		small := strings.ToLower(at)
		if before, in := g.names[small]; in && (at == name || before != called) {
			return refuse("some computers cannot tell them apart", "%q and %q have the same name", before, called)
		}
		g.names[small] = called
		called = path.Dir(at) + "/"
	}
	if !belongs(name) {
		g.left = append(g.left, name)
		return nil
	}
	if len(g.files) == maxFiles {
		return refuse("", "it has more than %d files", maxFiles)
	}
	data, err := readAtMost(open, maxFile)
	if err != nil {
		return refuse("", "%q cannot be read: %v", name, files.Inner(err))
	}
	if len(data) > maxFile {
		return refuse("", "%q is longer than %d MiB", name, maxFile>>20)
	}
	if g.size += len(data); g.size > maxAll {
		return refuse("", "its files are longer than %d MiB together", maxAll>>20)
	}
	g.files[name] = &fstest.MapFile{Data: data, Mode: 0o644}
	return nil
}

func belongs(name string) bool {
	base := path.Base(name)
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	return slices.Contains(kinds, path.Ext(base)) || strings.HasPrefix(base, "LICEN") && path.Ext(base) == ""
}

// readAtMost reads so many bytes of a file, and one more if it has more.
func readAtMost(open func() (io.ReadCloser, error), limit int64) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// FromFolder reads a package from a folder of files.
func FromFolder(fsys fs.FS, library interp.Config) (*Package, error) {
	g, err := gatherIn(fsys)
	if err != nil {
		return nil, err
	}
	return g.pack(library)
}

func gatherIn(fsys fs.FS) (*gather, error) {
	g := newGather()
	seen := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch seen++; {
		case err != nil:
			return err
		case seen > 20*maxFiles:
			return refuse("name the folder of one system", "there are too many files in it")
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case d.Type().IsRegular() && !belongs(name):
			g.left = append(g.left, name)
			return nil
		}
		return g.add(name, d.Type(), func() (io.ReadCloser, error) { return fsys.Open(name) })
	})
	delete(g.files, manifestFile)
	return g, err
}

// FromZip reads a package from the bytes of a zip file. If it says what its files were when it
// was packed, they have to be that.
func FromZip(data []byte, library interp.Config) (*Package, error) {
	if len(data) > maxZip {
		return nil, refuse("", "it is longer than %d MiB", maxZip>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, refuse("setpiece system pack FOLDER makes one", "it is no zip file, or it is damaged")
	case len(z.File) > 4*maxFiles:
		return nil, refuse("", "it has more than %d files", maxFiles)
	}
	g, top := newGather(), topOf(z)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.Mode().IsDir() {
			continue // a folder is made where a file is in it
		}
		if err := checkName(f.Name); err != nil {
			return nil, err
		}
		if err := g.add(strings.TrimPrefix(f.Name, top), f.Mode(), f.Open); err != nil {
			return nil, err
		}
	}
	said, err := g.manifest()
	if err != nil {
		return nil, err
	}
	p, err := g.pack(library)
	if err == nil && said != nil && *said != p.manifest() {
		err = refuse("fetch it again; if it stays so, it is not what its author packed", "its files are not those that it was packed with")
	}
	return p, err
}

// topOf gives the folder in which all files of a zip are, with its slash, "" for none.
func topOf(z *zip.Reader) string {
	top := ""
	for i, f := range z.File {
		first, _, in := strings.Cut(f.Name, "/")
		if first += "/"; !in || i > 0 && first != top {
			return ""
		}
		top = first
	}
	return top
}

// manifest takes what the package says of itself from the files, nil if it says nothing.
func (g *gather) manifest() (*manifest, error) {
	f := g.files[manifestFile]
	if f == nil {
		return nil, nil
	}
	delete(g.files, manifestFile)
	var m manifest
	if err := json.Unmarshal(f.Data, &m); err != nil {
		return nil, refuse("", "its %s cannot be read: %v", manifestFile, err)
	}
	return &m, nil
}

// pack makes a package of files: it finds the system, and has it read.
func (g *gather) pack(library interp.Config) (*Package, error) {
	library.Folder = g.files
	var heads []interp.System
	s := interp.NewSession(library)
	for _, x := range s.Installed() {
		if x.Place == interp.Here && path.Dir(x.File) == "." {
			heads = append(heads, x)
		}
	}
	if systems := slices.DeleteFunc(slices.Clone(heads), func(x interp.System) bool { return x.Base != "" }); len(systems) > 0 {
		heads = systems
	}
	switch {
	case len(heads) == 0:
		return nil, refuse("a package has a file NAME.rules that begins with  system NAME  or  variant NAME of BASE", "there is no system in it")
	case len(heads) > 1:
		return nil, refuse("put each into a folder of its own", "it has more than one system: %s and %s", heads[0].Name, heads[1].Name)
	}
	used, err := Load(library, heads[0].Name)
	return &Package{System: used, Files: g.files, Left: g.left}, err
}

// manifest says what the package is.
func (p *Package) manifest() manifest {
	return manifest{p.Name, p.Base, p.Title, p.Version, p.By, p.Licence, p.Hash, hashOf(p.Files)}
}

func hashOf(files fstest.MapFS) string {
	texts := map[string]string{}
	for name, f := range files {
		texts[name] = string(f.Data)
	}
	return interp.Hash(texts)
}

// FromFile reads a package of the files of rules of one system that a library has in its folder.
func FromFile(library interp.Config, name string) (*Package, error) {
	used, err := Load(library, name)
	if err != nil {
		return nil, err
	}
	g := newGather()
	for _, file := range used.Files {
		if err := g.add(file, 0, func() (io.ReadCloser, error) { return library.Folder.Open(file) }); err != nil {
			return nil, err
		}
	}
	return &Package{System: used, Files: g.files}, nil
}

// Called is the name of the package with its version.
func (p *Package) Called() string { return strings.TrimSpace(p.Name + " " + p.Version) }

// Ready says what a package needs before it can be given to somebody.
func (p *Package) Ready() error {
	head := p.File
	switch {
	case p.Version == "":
		return refuse(fmt.Sprintf("write  version 1.0  after the title of %s in its first line", p.Name), "%s does not say which version it is", head)
	case p.Licence == "":
		return refuse(`write in its first line what others may do with it, such as  licence "CC-BY-4.0"`, "%s does not say under which licence it is", head)
	}
	return nil
}

// Zip gives the package as the bytes of a zip file.
func (p *Package) Zip() ([]byte, error) {
	said, err := json.MarshalIndent(p.manifest(), "", "  ")
	if err != nil {
		return nil, err
	}
	files := maps.Clone(p.Files)
	files[manifestFile] = &fstest.MapFile{Data: append(said, '\n')}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.Name + "/" + name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(files[name].Data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// FileName is what the zip file of a package is called.
func (p *Package) FileName() string { return p.Name + "-" + p.Version + ".zip" }
