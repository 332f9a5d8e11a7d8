package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A result is given back as it was kept, and only for what it was made of. What is damaged
// counts as nothing, and what nobody asked for in a long time goes.
func TestWovenCache(t *testing.T) {
	c := &wovenCache{dir: t.TempDir()}
	c.put("roll 1", "| 1 |\n")
	c.put("roll 2", "")
	check := func(of, want string, found bool) {
		t.Helper()
		if got, ok := c.get(of); ok != found || ok && got != want {
			t.Errorf("of %q it gives %q, %t", of, got, ok)
		}
	}
	check("roll 1", "| 1 |\n", true)
	check("roll 2", "", true)
	check("roll 3", "", false)

	if err := os.WriteFile(c.path("roll 1"), []byte("| 9 |\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("roll 1", "", false)
	c.put("roll 1", "| 1 |\n")
	check("roll 1", "| 1 |\n", true)

	// what is no file is not read: a link may lead to a device that never ends
	elsewhere := filepath.Join(t.TempDir(), "kept")
	if err := errors.Join(os.Rename(c.path("roll 1"), elsewhere), os.Symlink(elsewhere, c.path("roll 1"))); err != nil {
		t.Fatal(err)
	}
	check("roll 1", "", false)
	if err := os.Remove(c.path("roll 1")); err != nil {
		t.Fatal(err)
	}
	c.put("roll 1", "| 1 |\n")
	check("roll 1", "| 1 |\n", true)

	long := time.Unix(0, 0)
	if err := os.Chtimes(c.path("roll 2"), long, long); err != nil {
		t.Fatal(err)
	}
	again := &wovenCache{dir: c.dir}
	again.put("roll 4", "| 4 |\n")
	check("roll 1", "| 1 |\n", true)
	check("roll 2", "", false)

	nowhere := &wovenCache{dir: filepath.Join(c.dir, "is", "not", "there")}
	nowhere.put("roll 1", "| 1 |\n")
	if _, ok := nowhere.get("roll 1"); ok {
		t.Error("a folder that is not there keeps something")
	}
}
