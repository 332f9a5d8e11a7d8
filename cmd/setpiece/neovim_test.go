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
	environment := configured(t, dir)
	script := inFolder(t, dir, "yard.scene", "use cah\n\nhero Nova { star 3;   AIM 4; STRONG 2 }\nvillain \"Sludge Lord\" { star 4; OOZE 4 }\n\nNova: atack \"Sludge Lord\" with AIM\nNova: roll AIM vs DN 10\n")
	tour, err := filepath.Abs("../../testdata/neovim/tour.lua")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", filepath.Join(dir, "init.lua"), "-i", "NONE", script, "-c", "luafile "+tour)
	cmd.Dir = dir
	cmd.Env = environment
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
declared: setpiece://rules/cah/verbs.rules | verb attack | false
`
	if diff := cmp.Diff(want, said.String()); diff != "" {
		t.Error(diff)
	}
}

// configured prepares a folder as a home in which neovim is configured by what setpiece editor neovim
// prints, and gives the environment for it.
func configured(t *testing.T, dir string) []string {
	t.Helper()
	lines, err := exec.Command(program(t, dir), "editor", "neovim").Output()
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, dir, "init.lua", string(lines))
	environment := append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, home := range []string{"STATE", "DATA", "CACHE", "CONFIG"} {
		environment = append(environment, "XDG_"+home+"_HOME="+dir)
	}
	return environment
}

func inFolder(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// editorPage is the page whose pictures TestPicturesOfNeovim makes.
const editorPage = "stdlib/EDITOR.md"

// picture is what stands in a terminal after some keys, once it has what is looked for.
type picture struct {
	name, has string
	keys      []string // as tmux names them
}

// pictures follow one another in one editor. Neovim shows odds when nothing has been typed for four
// seconds.
var pictures = []picture{
	{"mistake", "did you mean attack?", []string{}},
	{"fix", "Type number", []string{"6G", "\\a"}},
	{"odds", " %", []string{"1", "Enter", "gg", "j"}},
	{"hover", "Nova · hero", []string{"7G0", "K"}},
	{"completion", "STEALTH", []string{"j", "7G", "oNova: roll ", "C-x", "C-o"}},
	{"rules", "verb attack", []string{"C-e", "Escape", "6G0", "w", "w", "gd"}},
}

// TestPicturesOfNeovim makes the pictures of the page anew, with -update, or holds them against what
// neovim shows. Other releases of it may draw otherwise.
func TestPicturesOfNeovim(t *testing.T) {
	for _, needed := range []string{"nvim", "tmux"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("no picture is made: %v", err)
		}
	}
	if version, err := exec.Command("nvim", "--version").Output(); err != nil || !strings.HasPrefix(string(version), "NVIM v0.7") {
		t.Skipf("the pictures are of neovim 0.7, not of %.12s", version)
	}
	dir := t.TempDir()
	environment := append(configured(t, dir), "LC_ALL=C.UTF-8", "TERM=xterm")
	inFolder(t, dir, "yard.scene", `use cah

hero Nova { star 3; AIM 4; STRONG 2 }
villain Sludge { star 2; OOZE 3 }

Nova: atack Sludge with AIM
Nova: roll AIM vs DN 10

scene "The yard" action {
  heroes Nova
  villains Sludge
  fight
}
`)
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-S", filepath.Join(dir, "socket"), "-f", "/dev/null"}, args...)...)
		cmd.Env, cmd.Dir = environment, dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", "84", "-y", "17", "nvim -u init.lua -i NONE -n yard.scene")
	defer tmux("kill-server")
	page := read(t, editorPage)
	for _, p := range pictures {
		for _, keys := range p.keys {
			tmux("send-keys", keys)
		}
		begin := "```text picture=" + p.name + "\n"
		before, rest, found := strings.Cut(page, begin)
		old, after, ended := strings.Cut(rest, "```\n")
		if !found || !ended {
			t.Fatalf("%s has no picture %s", editorPage, p.name)
		}
		asked := func(screen string) bool {
			if *update {
				return strings.Contains(screen, p.has)
			}
			return screen == old
		}
		screen := ""
		for range 300 {
			if screen = drawn(tmux("capture-pane", "-p")); asked(screen) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if *update {
			time.Sleep(time.Second)
			page = before + begin + drawn(tmux("capture-pane", "-p")) + "```\n" + after
		} else if diff := cmp.Diff(old, screen); diff != "" {
			t.Errorf("picture %s: %s", p.name, diff)
		}
	}
	if *update {
		inFolder(t, "../..", editorPage, page)
	}
}

// drawn is what stands on a screen, without blanks at the ends of lines and empty lines at its end.
func drawn(screen string) string {
	lines := strings.Split(screen, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}
