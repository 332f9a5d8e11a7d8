package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, "there is no file x"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "you may not open x"},
		{&fs.PathError{Op: "read", Path: "x", Err: errors.New("is a directory")}, "x: is a directory"},
		{errors.New("other"), "other"},
	} {
		if got := Error(c.err).Error(); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// endless gives bytes for ever; silent gives none, for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type silent struct{ never chan struct{} }

func (s silent) Read([]byte) (int, error) { <-s.never; return 0, io.EOF }

func TestReadAll(t *testing.T) {
	ctx := context.Background()
	if data, err := ReadAll(ctx, strings.NewReader("abc"), 3); err != nil || string(data) != "abc" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadAll(ctx, endless{}, 2<<20); err == nil || err.Error() != "it is longer than 2 MiB" {
		t.Errorf("something endless: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := ReadAll(ctx, silent{}, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("something that never comes: %v", err)
	}
}

// A file that is longer than anything may be is refused before it is read.
func TestFilesThatAreTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	put(t, filepath.Dir(path), map[string]string{"sparse": ""})
	if err := os.Truncate(path, MaxData+1); err != nil {
		t.Skip(err)
	}
	var long TooLong
	if _, err := ReadFile(context.Background(), path, MaxData, &Seen{}); !errors.As(err, &long) || long != MaxData {
		t.Errorf("%v", err)
	}
	if err := os.Truncate(path, 3); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(context.Background(), path, 3, &Seen{}); err != nil || len(data) != 3 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// put writes files, and links where the text begins with "-> ".
func put(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		err := os.WriteFile(path, []byte(text), 0o600)
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			os.Remove(path)
			err = os.Symlink(to, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A folder gives its own regular files of a bearable size, and says what is
// wrong with the others.
func TestFolder(t *testing.T) {
	top := t.TempDir()
	put(t, top, map[string]string{
		"secret.rules":     "secret",
		"game/a.rules":     "a",
		"game/sub/b.rules": "b",
		"game/inside":      "-> sub/b.rules",
		"game/outside":     "-> ../secret.rules",
		"game/absolute":    "-> " + filepath.Join(top, "secret.rules"),
		"game/away":        "-> ..",
		"game/nowhere":     "-> nothing",
		"game/circle":      "-> circle",
		"game/device":      "-> /dev/zero",
	})
	big, err := os.Create(filepath.Join(top, "game", "big"))
	if err != nil {
		t.Fatal(err)
	}
	big.Truncate(6 << 30) // takes no room
	big.Close()
	var seen Seen
	game := Folder(filepath.Join(top, "game"), &seen)
	for _, c := range []struct{ name, text, want string }{
		{"a.rules", "a", ""},
		{"sub/b.rules", "b", ""},
		{"inside", "b", ""},
		{"outside", "", "it leads out of the script's folder"},
		{"absolute", "", "it leads out of the script's folder"},
		{"away/secret.rules", "", "it leads out of the script's folder"},
		{"device", "", "it leads out of the script's folder"},
		{"../secret.rules", "", "invalid argument"},
		{"nowhere", "", "no such file or directory"},
		{"circle", "", "too many levels of symbolic links"},
		{"sub", "", "it is a folder"},
		{"big", "", "it is longer than 16 MiB"},
	} {
		data, err := fs.ReadFile(game, c.name)
		var pe *fs.PathError
		switch {
		case c.want == "" && (err != nil || string(data) != c.text):
			t.Errorf("%s: %q, %v", c.name, data, err)
		case c.want != "" && (!errors.As(err, &pe) || !strings.Contains(pe.Err.Error(), c.want)):
			t.Errorf("%s: %q, %v; want %s", c.name, data, err, c.want)
		}
	}
	if Folder(filepath.Join(top, "none"), nil) != nil {
		t.Error("a folder that is not there")
	}
	for name, want := range map[string]bool{"a.rules": true, "sub/b.rules": true, "big": false} {
		if err := Free(&seen, filepath.Join(top, "game", name)); errors.Is(err, ErrRead) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two results of a call do not go into one file, whatever it is called.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a": "old", "link": "-> a", "sub/x": ""})
	at := func(name string) string {
		if name == "" {
			return ""
		}
		return dir + "/" + name
	}
	for _, c := range []struct {
		one, other string
		twice      bool
	}{
		{"a", "b", false}, {"", "", false}, {"", "a", false}, {"a", "a", true}, {"a", "link", true}, {"b", "./b", true}, {"b", "sub/../b", true},
	} {
		if err := Free(nil, at(c.one), at(c.other)); errors.Is(err, ErrTwice) != c.twice || err != nil && !c.twice {
			t.Errorf("%q and %q: %v", c.one, c.other, err)
		}
	}
}

// What is written is there whole or not at all, and not in the place of what is
// read, by whatever name.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"read.scene": "print 1\n", "other": "old", "sub/x": "",
		"link": "-> other", "again": "-> read.scene", "dangling": "-> nothing",
	})
	os.Link(filepath.Join(dir, "read.scene"), filepath.Join(dir, "hard"))
	var seen Seen
	at := func(name string) string { return filepath.Join(dir, name) }
	if _, err := ReadFile(context.Background(), at("read.scene"), MaxScript, &seen); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"read.scene": ErrRead.Error(), "again": ErrRead.Error(), "hard": ErrRead.Error(), "sub/../read.scene": ErrRead.Error(),
		"sub": "it is a folder", "dangling": "it is a link to nothing", "none/x": "there is no folder",
	} {
		o, err := Create(at(name), &seen)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", name, err, want)
			if err == nil {
				o.Abort()
			}
		}
	}
	if _, err := Create(os.DevNull, &seen); err == nil || !strings.Contains(err.Error(), "it is not a regular file") {
		t.Errorf("a device: %v", err)
	}
	failed := errors.New("no")
	for _, name := range []string{"other", "new"} {
		if err := Write(at(name), &seen, func(o *Output) error { o.WriteString("half"); return failed }); !errors.Is(err, failed) {
			t.Error(err)
		}
	}
	if data, _ := os.ReadFile(at("other")); string(data) != "old" {
		t.Errorf("a write that failed left %q", data)
	}
	os.Chmod(at("other"), 0o640)
	for _, name := range []string{"link", "new"} {
		if err := Write(at(name), &seen, func(o *Output) error { o.WriteString("all"); return nil }); err != nil {
			t.Error(err)
		}
	}
	info, err := os.Lstat(at("other"))
	if data, _ := os.ReadFile(at("other")); err != nil || string(data) != "all" || info.Mode() != 0o640 {
		t.Errorf("through a link: %q, %v", data, info.Mode())
	}
	if info, err := os.Lstat(at("link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	// What is read while it is written counts, too.
	o, err := Create(at("sub/x"), &seen)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(Folder(dir, &seen), "sub/x"); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); !errors.Is(err, ErrRead) {
		t.Errorf("read in between: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".setpiece-*"))
	more, _ := filepath.Glob(filepath.Join(dir, "sub", ".setpiece-*"))
	if len(left)+len(more) > 0 {
		t.Errorf("left over: %v %v", left, more)
	}
}

// A file that is protected against writing stays as it is, and what can be made again is
// written like any other.
func TestProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.scene")
	put(t, dir, map[string]string{"a.scene": "old"})
	if err := os.Chmod(path, 0o444); err != nil {
		t.Skip(err)
	}
	write := func(o *Output) error { _, err := o.WriteString("new"); return err }
	err := Write(path, nil, write)
	if text, _ := os.ReadFile(path); err == nil || Error(err).Error() != "you may not write "+path || string(text) != "old" {
		t.Errorf("%v, and the file holds %q", err, text)
	}
	if err := Free(nil, path); err == nil {
		t.Error("the file is free to be written")
	}
	os.Chmod(path, 0o600)
	if err := WriteAgain(path, nil, []byte("again")); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "again" {
		t.Errorf("the file holds %q", text)
	}
	if os.Geteuid() == 0 {
		return // who may write in every folder
	}
	os.Chmod(dir, 0o500)
	defer os.Chmod(dir, 0o700)
	if err := Write(path, nil, write); err == nil || Error(err).Error() != path+": you may not write in the folder "+dir {
		t.Error(err)
	}
}

// Where nothing may be written nothing is, neither by Write nor by who writes in a way of their own.
func TestSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new")
	seen := &Seen{Sealed: errors.New("no command writes here")}
	write := func(o *Output) error { _, err := o.Write([]byte("x")); return err }
	for what, err := range map[string]error{
		"Write":   Write(path, seen, write),
		"Writing": seen.Writing(func() error { return Write(path, nil, write) }),
		"Free":    Free(seen, path),
	} {
		if !errors.Is(err, seen.Sealed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}
