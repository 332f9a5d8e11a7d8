package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNeovim opens a script with mistakes in neovim, configured by what setpiece editor neovim
// prints and nothing else.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skipf("no editor is opened: %v", err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	self := program(t, dir)
	lines, err := exec.Command(self, "editor", "neovim").Output()
	if err != nil {
		t.Fatal(err)
	}
	write("init.lua", string(lines))
	script := write("yard.scene", "use cah\n\nhero Nova { star 3;   AIM 4; STRONG 2 }\nvillain \"Sludge Lord\" { star 4; OOZE 4 }\n\nNova: atack \"Sludge Lord\" with AIM\nNova: roll AIM vs DN 10\n")
	tour, err := filepath.Abs("../../testdata/neovim/tour.lua")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", filepath.Join(dir, "init.lua"), "-i", "NONE", script, "-c", "luafile "+tour)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	var said strings.Builder
	cmd.Stdout = &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	want := `mistake: 6 | 7 | there is no verb atack / did you mean attack?
completed: true | true | nil
hover: **Nova** · hero
fix: write attack
line: Nova: attack "Sludge Lord" with AIM
lens: 6 | run
lens: 6 | success 19/36
lens: 7 | success 7/12
renamed: hero Vega { star 3;   AIM 4; STRONG 2 } | Vega: attack "Sludge Lord" with AIM
formatted: hero Vega { star 3; AIM 4; STRONG 2 }
declared: setpiece:/cah/verbs.rules | verb attack | false
`
	if diff := cmp.Diff(want, said.String()); diff != "" {
		t.Error(diff)
	}
}
