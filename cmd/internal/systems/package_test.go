package systems

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/cmd/internal/files"
	"setpiece/interp"
	"setpiece/interp/verify"
	"setpiece/lang"
)

const head = `system tiny "Tiny" version 1.0 licence "CC0-1.0"` + "\n"

// entry is a file of a zip that somebody made by hand.
type entry struct {
	name, text string
	mode       fs.FileMode
}

func zipOf(t testing.TB, method uint16, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: method}
		h.SetMode(e.mode)
		if e.mode == 0 {
			h.SetMode(0o644)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Whatever is wrong with a package, it is refused in a sentence, and nothing of it is written.
func TestBadPackages(t *testing.T) {
	ok := entry{name: "tiny/tiny.rules", text: head}
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", home)
	many := []entry{ok}
	for i := range maxFiles {
		many = append(many, entry{name: fmt.Sprintf("tiny/f%d.txt", i)})
	}
	big := []entry{ok}
	for i := range 5 {
		big = append(big, entry{name: fmt.Sprintf("tiny/f%d.txt", i), text: strings.Repeat("\n", maxFile-1)})
	}
	for want, data := range map[string][]byte{
		"it is no zip file, or it is damaged":                         []byte("PK\x03\x04 not really"),
		`"../evil.rules" cannot be the name`:                          zipOf(t, zip.Store, entry{name: "../evil.rules", text: head}),
		`"tiny/../../evil.rules" cannot be the name`:                  zipOf(t, zip.Store, ok, entry{name: "tiny/../../evil.rules", text: head}),
		`"/etc/tiny.rules" cannot be the name`:                        zipOf(t, zip.Store, entry{name: "/etc/tiny.rules", text: head}),
		`"C:/tiny.rules" cannot be the name`:                          zipOf(t, zip.Store, entry{name: "C:/tiny.rules", text: head}),
		`"tiny\\..\\..\\evil.rules" cannot be the name`:               zipOf(t, zip.Store, ok, entry{name: `tiny\..\..\evil.rules`}),
		`"tiny/con.rules" cannot be the name`:                         zipOf(t, zip.Store, ok, entry{name: "tiny/con.rules"}),
		`"tiny/a.rules." cannot be the name`:                          zipOf(t, zip.Store, ok, entry{name: "tiny/a.rules."}),
		`"tiny/a\x1b[2J.rules" cannot be the name`:                    zipOf(t, zip.Store, ok, entry{name: "tiny/a\x1b[2J.rules"}),
		`"tiny//a.rules" cannot be the name`:                          zipOf(t, zip.Store, ok, entry{name: "tiny//a.rules"}),
		`"passwd.txt" is a link`:                                      zipOf(t, zip.Store, ok, entry{"tiny/passwd.txt", "/etc/passwd", fs.ModeSymlink | 0o777}),
		`"pipe.txt" is not a regular file`:                            zipOf(t, zip.Store, ok, entry{"tiny/pipe.txt", "", fs.ModeNamedPipe | 0o644}),
		`"device.txt" is not a regular file`:                          zipOf(t, zip.Store, ok, entry{"tiny/device.txt", "", fs.ModeDevice | 0o644}),
		`"tiny.rules" and "Tiny.rules" have the same name`:            zipOf(t, zip.Store, ok, entry{name: "tiny/Tiny.rules", text: head}),
		`"tiny.rules" and "tiny.rules" have the same name`:            zipOf(t, zip.Store, ok, ok),
		`"parts.md" and "Parts.md/" have the same name`:               zipOf(t, zip.Store, ok, entry{name: "tiny/parts.md"}, entry{name: "tiny/Parts.md/a.md"}),
		`"a.md/" and "a.md" have the same name`:                       zipOf(t, zip.Store, ok, entry{name: "tiny/a.md/b.md"}, entry{name: "tiny/a.md"}),
		`"parts/" and "Parts/" have the same name`:                    zipOf(t, zip.Store, ok, entry{name: "tiny/parts/a.md"}, entry{name: "tiny/Parts/b.md"}),
		"it has more than 500 files":                                  zipOf(t, zip.Store, many...),
		`"bomb.txt" is longer than 2 MiB`:                             zipOf(t, zip.Deflate, ok, entry{name: "tiny/bomb.txt", text: strings.Repeat("\n", 50<<20)}),
		"its files are longer than 8 MiB together":                    zipOf(t, zip.Deflate, big...),
		"it is longer than 9 MiB":                                     make([]byte, maxZip+1),
		"there is no system in it":                                    zipOf(t, zip.Store, entry{name: "tiny/readme.txt"}),
		"it has more than one system: other and tiny":                 zipOf(t, zip.Store, ok, entry{name: "tiny/other.rules", text: "system other \"O\"\n"}),
		"its package.json cannot be read":                             zipOf(t, zip.Store, ok, entry{name: "tiny/package.json", text: "{"}),
		"its files are not those that it was packed with":             zipOf(t, zip.Store, ok, entry{name: "tiny/package.json", text: "{}"}),
		"there is no file gone.rules":                                 zipOf(t, zip.Store, entry{name: "tiny/tiny.rules", text: head + "include \"gone.rules\"\n"}),
		"include takes only files in the folder of the script":        zipOf(t, zip.Store, entry{name: "tiny/tiny.rules", text: head + "include \"../../secret.rules\"\n"}),
		"nothing here is called nobody":                               zipOf(t, zip.Store, entry{name: "tiny/tiny.rules", text: head + "rule r = nobody\n"}),
		"tiny needs setpiece 99.0 or later, and this is setpiece 0.1": zipOf(t, zip.Store, entry{name: "tiny/tiny.rules", text: strings.TrimSpace(head) + " needs setpiece 99.0\n"}),
	} {
		p, err := FromZip(data, interp.Config{Program: "0.1"})
		if err == nil {
			t.Errorf("%s: it was taken: %+v", want, p.System)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
		var refused *Refused
		var ds lang.Diagnostics
		if !errors.As(err, &refused) && !errors.As(err, &ds) {
			t.Errorf("%T: %v", err, err)
		}
	}
	if left, _ := os.ReadDir(home); len(left) > 0 {
		t.Error(left)
	}
}

// A folder is as careful as a zip file: what leads out of it is refused.
func TestBadFolders(t *testing.T) {
	for want, link := range map[string]string{`"out.txt" is a link`: "/etc/passwd", `"in.txt" is a link`: "tiny.rules", `"folder.txt" is a link`: ".."} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "tiny.rules"), []byte(head), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(link, filepath.Join(dir, strings.Split(want, `"`)[1])); err != nil {
			t.Skip(err)
		}
		if _, err := FromFolder(files.Folder(dir, nil), interp.Config{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func tiny() fstest.MapFS {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"tiny.rules": text(head + "include \"parts/rolls.rules\"\n"), "parts/rolls.rules": text("rule roll = (throw d6).face\n"),
		"harsh.rules": text("variant harsh of tiny \"Harsh\"\nrule roll = (throw d4).face\n"), "tests.scene": text("use tiny\nexpect roll() > 0\n"),
		"LICENCE": text("CC0"), "picture.png": text("x"), ".git/config": text("x"), ".hidden.rules": text("x"),
	}
}

// The same files make the same bytes; what is packed and added is what was in the folder, and
// what a byte changes is noticed.
func TestPackAndAdd(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	p, err := FromFolder(tiny(), interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Zip()
	if err != nil || p.Ready() != nil || p.FileName() != "tiny-1.0.zip" {
		t.Fatal(err, p.Ready(), p.FileName())
	}
	again, _ := FromFolder(tiny(), interp.Config{})
	if twice, _ := again.Zip(); !bytes.Equal(data, twice) {
		t.Error("packed twice, it is not the same")
	}
	got, err := FromZip(data, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash != p.Hash || len(got.Files) != 5 || strings.Join(p.Left, " ") != ".hidden.rules picture.png" {
		t.Error(got.Hash, len(got.Files), p.Left)
	}
	if third, _ := got.Zip(); !bytes.Equal(data, third) {
		t.Error("packed from a package, it is not the same")
	}
	for n := range data {
		if _, err := FromZip(data[:n], interp.Config{}); err == nil {
			t.Fatalf("cut after %d bytes it is taken", n)
		}
	}
	taken := 0
	for at := range data {
		bad := bytes.Clone(data)
		bad[at] ^= 1
		if p, err := FromZip(bad, interp.Config{}); err == nil {
			taken++
			for name, f := range got.Files { // one byte can only hide package.json, or be read by nobody
				if p.Files[name] == nil || !bytes.Equal(p.Files[name].Data, f.Data) {
					t.Errorf("byte %d is another one, and nobody noticed", at)
				}
			}
		}
	}
	t.Logf("of %d changed bytes %d change nothing that is read", len(data), taken)
	folder, err := got.Add()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got.Add(); !errors.Is(err, ErrThere) {
		t.Error(err)
	}
	changed := tiny()
	changed["parts/rolls.rules"] = &fstest.MapFile{Data: []byte("rule roll = (throw d8).face\n")}
	other, _ := FromFolder(changed, interp.Config{})
	if _, err := other.Add(); err == nil || !strings.Contains(err.Error(), "another tiny 1.0 is there already") {
		t.Error(err)
	}
	if there, err := FromFolder(os.DirFS(folder), interp.Config{}); err != nil || there.Hash != p.Hash || len(there.Files) != 5 {
		t.Error(err)
	}
	if v, err := Added("tiny"); err != nil || len(v) != 1 || v[0] != "1.0" {
		t.Error(v, err)
	}
	if err := Remove("tiny", "1.0"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(folder)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, name := range []string{"..", "../..", "tiny/../../x"} {
		if err := Remove(name, "."); err == nil {
			t.Errorf("%s was removed", name)
		}
	}
}

// A variant alone is a package, too; it needs its system when it is added.
func TestPackageOfAVariant(t *testing.T) {
	files := fstest.MapFS{"harsh.rules": {Data: []byte("variant harsh of tiny 1.0 \"Harsh\" version 2.0 licence \"CC0-1.0\"\nrule roll = (throw d4).face\n")}}
	if _, err := FromFolder(files, interp.Config{}); err == nil || !strings.Contains(err.Error(), "there is no system tiny 1.0 or later") {
		t.Error(err)
	}
	p, err := FromFolder(files, interp.Config{Systems: []interp.Place{{Name: "here", FS: tiny()}}})
	if err != nil || p.Base != "tiny" || p.Version != "2.0" || p.Called() != "harsh 2.0" {
		t.Error(err, p)
	}
}

// A new system is free of warnings, and its tests hold.
func TestNew(t *testing.T) {
	made, err := New("night_watch")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range made {
		files[f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	p, err := FromFolder(files, interp.Config{})
	if err != nil || p.Title != "Night watch: 2d6 and a skill; 8 or more succeeds" || p.Called() != "night_watch 0.1" {
		t.Fatal(err, p)
	}
	for name, f := range files {
		if strings.HasSuffix(name, ".md") {
			continue
		}
		src := lang.NewSource(name, string(f.Data))
		if ds, err := verify.Strict(t.Context(), interp.Config{Folder: files}, src); err != nil || len(ds) > 0 {
			t.Error(name, err, ds)
		}
		if tree, _ := lang.Parse(src); lang.Print(tree) != src.Text {
			t.Errorf("%s is not formatted", name)
		}
		if !strings.HasSuffix(name, ".scene") {
			continue
		}
		results, err := verify.Tests(t.Context(), interp.NewSession(interp.Config{Folder: files}), src)
		if err != nil || name == "tests.scene" && len(results) != 3 {
			t.Error(name, err, results)
		}
		for _, r := range results {
			if r.Err != nil {
				t.Error(name, r.Name, r.Err)
			}
		}
	}
	for _, bad := range []string{"", "Tiny", "../x", "a b", "1a", "é"} {
		if _, err := New(bad); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
}

func FuzzFromZip(f *testing.F) {
	p, err := FromFolder(tiny(), interp.Config{})
	if err != nil {
		f.Fatal(err)
	}
	data, _ := p.Zip()
	f.Add(data)
	f.Add(zipOf(f, zip.Deflate, entry{name: "tiny/tiny.rules", text: head}))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := FromZip(data, interp.Config{Limits: interp.Limits{Steps: 1000}})
		if err != nil {
			return
		}
		for name := range p.Files {
			if !fs.ValidPath(name) || strings.ContainsAny(name, "\\:") {
				t.Errorf("%q", name)
			}
		}
	})
}
