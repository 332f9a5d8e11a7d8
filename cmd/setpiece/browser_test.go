package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// looked is what testdata/browser/look.mjs saw of a page.
type looked struct {
	File       string
	Violations []string            // of the rules for accessible pages, by axe
	Asked      []string            // of the network
	Wide       map[int]int         // on screens of so many pixels
	Found      map[string][]string // by the search: links, the best first
	Text       string
	Paper      string // of the page when it is printed
	Sheets     int    // of that paper
}

// needBrowser skips a test where no page can be opened, and says why. .ci/browser makes the
// folder that SETPIECE_BROWSER names.
func needBrowser(t *testing.T) (chromium string) {
	t.Helper()
	folder := os.Getenv("SETPIECE_BROWSER")
	if folder == "" {
		t.Skip("no page is opened: SETPIECE_BROWSER names no folder that .ci/browser made")
	}
	if why, err := os.ReadFile(filepath.Join(folder, "missing")); err == nil {
		t.Skipf("no page is opened: %s", bytes.TrimSpace(why))
	}
	for _, name := range []string{"puppeteer-core", "axe-core"} {
		if _, err := os.Stat(filepath.Join(folder, "node_modules", name)); err != nil {
			t.Skipf("no page is opened: %v", err)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skipf("no page is opened: %v", err)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no page is opened: there is no chromium")
	return ""
}

// look opens pages in a browser.
func look(t *testing.T, args ...string) []looked {
	t.Helper()
	cmd := exec.Command("node", append([]string{"../../testdata/browser/look.mjs"}, args...)...)
	cmd.Env = append(os.Environ(), "SETPIECE_CHROMIUM="+needBrowser(t))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var list []looked
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var l looked
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// fine holds a page against what every page must be.
func (l looked) fine(t *testing.T) {
	t.Helper()
	for _, v := range l.Violations {
		t.Errorf("%s: %s", l.File, v)
	}
	if len(l.Asked) > 0 {
		t.Errorf("%s asks the network for %s", l.File, l.Asked)
	}
	for screen, wide := range l.Wide {
		if wide > screen {
			t.Errorf("%s is %d pixels wide on a screen of %d", l.File, wide, screen)
		}
	}
}

// The quick reference of each system is printed on two sheets of A4.
func TestQuickInABrowser(t *testing.T) {
	needBrowser(t)
	dir := t.TempDir()
	files, err := filepath.Glob("../../stdlib/*/quick.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s, %v", files, err)
	}
	args := []string{"--pdf"}
	for _, f := range files {
		system := filepath.Base(filepath.Dir(f))
		page := filepath.Join(dir, system+".html")
		if out, err := exec.Command(program(t, dir), "doc", "quick", system, "-o", page).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		args = append(args, page)
	}
	for _, l := range look(t, args...) {
		l.fine(t)
		if l.Sheets < 1 || l.Sheets > 2 {
			t.Errorf("%s takes %d sheets", l.File, l.Sheets)
		}
		if !strings.HasPrefix(l.Paper, "0 0 594.9") && !strings.HasPrefix(l.Paper, "0 0 595") {
			t.Errorf("it is printed on %s points, and A4 has 595 by 842", l.Paper)
		}
	}
}

// The report of an encounter in a browser: it can be read by all, it asks nothing of the
// network, it is printed on A4, and its figures are those of odds and sim.
func TestReportInABrowser(t *testing.T) {
	needBrowser(t)
	dir := t.TempDir()
	scene := filepath.Join(dir, "duel.scene")
	if err := os.WriteFile(scene, []byte(`use cah
hero Nova { star 1; PUNCH 3 }
villain Fang { star 1; CLAW 4 }
tactics Nova { otherwise: attack any foe with PUNCH }
tactics Fang { otherwise: attack any foe with CLAW }
scene "The roof" action {
  heroes Nova
  villains Fang
  fight
}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	setpiece := func(args ...string) []byte {
		cmd := exec.Command(program(t, dir), args...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		return out
	}
	page := filepath.Join(dir, "danger.html")
	setpiece("report", "--trials", "400", "-o", page, scene)
	var wins float64
	for line := range bytes.Lines(setpiece("odds", "--json", "--columns", "winner", scene)) {
		var d struct {
			Points []struct {
				Value any     `json:"value"`
				P     float64 `json:"p"`
			} `json:"points"`
		}
		if json.Unmarshal(line, &d) == nil {
			for _, p := range d.Points {
				if fmt.Sprint(p.Value) == "heroes" {
					wins = p.P
				}
			}
		}
	}
	if wins == 0 {
		t.Fatal("odds do not say how likely the heroes are to win")
	}
	for _, l := range look(t, "--pdf", page) {
		l.fine(t)
		if want := fmt.Sprintf("%.2f %%", 100*wins); !strings.Contains(l.Text, want) {
			t.Errorf("odds say %s, and the page does not", want)
		}
		if !strings.HasPrefix(l.Paper, "0 0 594.9") && !strings.HasPrefix(l.Paper, "0 0 595") {
			t.Errorf("it is printed on %s points, and A4 has 595 by 842", l.Paper)
		}
	}
}

// program is this test binary under the name of the program.
func program(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(dir, "setpiece")
	if err := os.Symlink(self, path); err != nil && !os.IsExist(err) {
		t.Skip(err)
	}
	return path
}
