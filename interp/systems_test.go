package interp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/lang"
	"setpiece/stdlib"
)

// rules is a file of rules that says who it is.
func rules(head, says string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(head + "\nrule says = \"" + says + "\"\n")}
}

// Where use looks, and which version it takes: the first place that has one that fits; in it the
// lowest that fits what the script asks for, the latest where it asks for none.
func TestWhereUseLooks(t *testing.T) {
	mine := fstest.MapFS{
		"tiny.rules":        rules(`system tiny "T" version 1.0`, "beside"),
		"big/big.rules":     rules(`system big "B" version 2.1`, "folder"),
		"big/huge.rules":    rules(`variant huge of big "H"`, "huge"),
		"loose.rules":       rules(`system loose`, "loose"),
		"cah/notcah.rules":  rules(`variant notcah of cah`, "not beside cah.rules"),
		"deep/er/big.rules": rules(`system big "B" version 9.9`, "deeper"),
	}
	home := fstest.MapFS{
		"tiny/1.1/tiny.rules":    rules(`system tiny "T" version 1.1`, "1.1"),
		"tiny/1.2/tiny.rules":    rules(`system tiny "T" version 1.2`, "1.2"),
		"tiny/1.10/tiny.rules":   rules(`system tiny "T" version 1.10`, "1.10"),
		"tiny/2.0/tiny.rules":    rules(`system tiny "T" version 2.0`, "2.0"),
		"tiny/2.0/grand.rules":   rules(`variant grand of tiny "G"`, "grand 2.0"),
		"tiny/1.2/grand.rules":   rules(`variant grand of tiny "G"`, "grand 1.2"),
		"other/1.0/other.rules":  rules(`system other "O" version 1.0`, "other"),
		"needy/1.0/needy.rules":  rules(`system needy "N" version 1.0 needs setpiece 0.4`, "needy"),
		"needs/1.0/needs.rules":  rules(`variant needs of tiny 1.2 "N" version 1.0`, "needs"),
		"zero/1.02/zero.rules":   rules(`system zero "Z" version 1.02`, "a version with a zero in front"),
		"tiny/latest/tiny.rules": rules(`system tiny "T" version 3.0`, "a folder that is no version"),
	}
	for _, c := range []struct{ uses, want string }{
		{"use tiny", "beside"},
		{"use tiny 1", "beside"},
		{"use tiny 1.0", "beside"},
		{"use tiny 1.1", "1.1"},
		{"use tiny 1.1.5", "1.2"},
		{"use tiny 1.3", "1.10"},
		{"use tiny 2", "2.0"},
		{"use tiny 1.11", "there is no system tiny 1.11 or later"},
		{"use tiny 3", "there is no system tiny 3 or later"},
		{"use tiny 1.02", "1.02 is not a version"},
		{"use big", "folder"},
		{"use big with huge", "huge"},
		{"use huge", "huge"},
		{"use huge 2.1", "huge"},
		{"use tiny 1.2 with grand", "grand 1.2"},
		{"use grand", "grand 2.0"},
		{"use other", "other"},
		{"use loose", "loose"},
		{"use loose 1", "there is no system loose 1 or later"},
		{"use nothing", "there is no system nothing"},
		{"use notcah", "there is no system notcah"},
		{"use needy", "needy needs setpiece 0.4 or later, and this is setpiece 0.1"},
		{"use needs", "needs"},
		{"use tiny 1.1\nuse needs", "tiny 1.1 is in use here, which is not 1.2 or later"},
		{"use tiny 1.2\nuse tiny 1.1", "1.2"},
		{"use tiny 2\nuse tiny 1.2", "tiny 2.0 is in use here, which is not 1.2 or later"},
		{"use zero", "there is no system zero"},
	} {
		cfg := interp.Config{Folder: mine, Systems: []interp.Place{{Name: "home", FS: home}}, Modules: stdlib.FS, Program: "0.1"}
		s := interp.NewSession(cfg)
		text := ""
		s.SetEvents(func(e *interp.Event) {
			if e.Kind == interp.EventPrint {
				text = e.Value
			}
		})
		if err := s.Exec(context.Background(), lang.NewSource("x", c.uses+"\nprint says\n")); err != nil {
			text = err.Error()
		}
		if !strings.HasSuffix(strings.Split(text, "\n")[0], c.want) {
			t.Errorf("%q: %s; want %s", c.uses, text, c.want)
		}
	}
}

// A message about a system that is not there says where was looked, and what there is.
func TestSystemThatIsNotThere(t *testing.T) {
	home := fstest.MapFS{"tiny/1.1/tiny.rules": rules(`system tiny "T" version 1.1`, "1.1")}
	s := interp.NewSession(interp.Config{Folder: fstest.MapFS{}, Systems: []interp.Place{{Name: "home", FS: home}}})
	ds := s.Check(lang.NewSource("x", "use tiny 2\n"))
	if len(ds) != 1 || ds[0].Help != "there is 1.1" || !strings.Contains(ds[0].Notes[0].Message, "looked in: the script's folder; home.") {
		t.Errorf("%+v", ds)
	}
	if ds = s.Check(lang.NewSource("x", "use tini\n")); ds[0].Help != "did you mean tiny?" {
		t.Error(ds)
	}
	if ds = s.Check(lang.NewSource("x", "use quite_another\n")); ds[0].Help != "there are tiny" {
		t.Error(ds)
	}
}

// Two sessions of one process use two versions, at the same time; each says which, and with what hash.
func TestTwoVersionsSideBySide(t *testing.T) {
	dice := func(version, die string) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, "system tiny \"T\" version %s by \"A\" licence \"CC0-1.0\"\nrule roll = (throw %s).face\n", version, die)}
	}
	home := fstest.MapFS{"tiny/1.0/tiny.rules": dice("1.0", "d6"), "tiny/1.1/tiny.rules": dice("1.1", "d4")}
	var group sync.WaitGroup
	hashes := make([]string, 2)
	for i, version := range []string{"1.0", "1.1"} {
		group.Go(func() {
			cfg := interp.Config{Systems: []interp.Place{{Name: "home", FS: home}}, Versions: map[string]string{"tiny": version}}
			s := interp.NewSession(cfg)
			o, err := odds.Of(context.Background(), s, lang.NewSource("x", "use tiny\nreport roll() == 1 as one\n"), odds.Config{})
			if err != nil {
				t.Error(err)
				return
			}
			yes := o.Distribution(0).Points
			want := []string{"1/6", "1/4"}[i]
			for _, p := range yes {
				if p.Shown == "yes" && p.Exact.RatString() != want {
					t.Errorf("%s: %s", version, p.Exact)
				}
			}
			s = interp.NewSession(cfg)
			if err := s.Exec(context.Background(), lang.NewSource("x", "use tiny\n")); err != nil {
				t.Error(err)
				return
			}
			used := s.InUse()[0]
			if used.Version != version || used.By != "A" || used.Licence != "CC0-1.0" || used.Place != "home" || used.File != "tiny/"+version+"/tiny.rules" {
				t.Errorf("%+v", used)
			}
			hashes[i] = used.Hash
		})
	}
	group.Wait()
	if hashes[0] == hashes[1] || !strings.HasPrefix(hashes[0], "h1:") {
		t.Error(hashes)
	}
}

// The hash of a system is that of its texts, wherever they are.
func TestHashOfASystem(t *testing.T) {
	head := &fstest.MapFile{Data: []byte("system tiny \"T\" version 1.0\ninclude \"more/rolls.rules\"\n")}
	hash := func(fsys fstest.MapFS) string {
		s := interp.NewSession(interp.Config{Folder: fsys})
		if err := s.Exec(context.Background(), lang.NewSource("x", "use tiny\n")); err != nil {
			t.Fatal(err)
		}
		return s.InUse()[0].Hash
	}
	beside := hash(fstest.MapFS{"tiny.rules": head, "more/rolls.rules": rules("", "a"), "unread.rules": rules("", "c")})
	within := hash(fstest.MapFS{"tiny/tiny.rules": head, "tiny/more/rolls.rules": rules("", "a")})
	changed := hash(fstest.MapFS{"tiny.rules": head, "more/rolls.rules": rules("", "b")})
	if beside != within || beside == changed {
		t.Error(beside, within, changed)
	}
}
