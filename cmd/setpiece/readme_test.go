package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const readme = "../../README.md"

// block is a fenced block of the README.
type block struct {
	kind string            // setpiece, console, sh, go, text
	opts map[string]string // file=NAME; check, module: there, but empty
	line int
	text string
}

// Every block of the README does what the README says. With -update what commands
// print is written anew.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	now := string(text)
	dir := t.TempDir()
	for _, b := range blocks(t, string(text)) {
		switch b.kind {
		case "setpiece":
			script(t, dir, b)
		case "console":
			now = strings.Replace(now, b.text, console(t, dir, b), 1)
		case "sh":
			shell(t, b)
		case "go":
			program(t, b)
		case "text":
		default:
			t.Errorf("README.md:%d: nobody executes a block of kind %q", b.line, b.kind)
		}
	}
	if *update && now != string(text) {
		if err := os.WriteFile(readme, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func blocks(t *testing.T, text string) []block {
	t.Helper()
	var out []block
	var cur *block
	n := 0
	for line := range strings.Lines(text) {
		n++
		info, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case fence && cur == nil:
			words := strings.Fields(info)
			if len(words) == 0 {
				t.Fatalf("README.md:%d: a block of no kind", n)
			}
			cur = &block{kind: words[0], opts: map[string]string{}, line: n}
			for _, w := range words[1:] {
				k, v, _ := strings.Cut(w, "=")
				cur.opts[k] = v
			}
		case fence:
			out = append(out, *cur)
			cur = nil
		case cur != nil:
			cur.text += line
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d blocks were found", len(out))
	}
	return out
}

// script writes a script; one that is no module and not wrong on purpose has
// to run.
func script(t *testing.T, dir string, b block) {
	t.Helper()
	name := b.opts["file"]
	if name == "" {
		name = "example.scene"
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, module := b.opts["module"]
	_, wrong := b.opts["check"]
	if module || wrong {
		return
	}
	if out, status := execute(dir, "setpiece run "+name); status != 0 {
		t.Errorf("README.md:%d: exit status %d\n%s", b.line, status, out)
	}
}

// console runs the commands behind "$ " and compares what they print. It gives the
// block as it should be.
func console(t *testing.T, dir string, b block) string {
	t.Helper()
	now := b.text
	for part := range strings.SplitSeq("\n"+b.text, "\n$ ") {
		call, want, _ := strings.Cut(part, "\n")
		if call == "" {
			continue
		}
		got, status := execute(dir, call)
		if status != 0 {
			got += "[exit status " + string(rune('0'+status)) + "]\n"
		}
		want, got = strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")
		if *update {
			now = strings.Replace(now, call+"\n"+want, call+"\n"+got, 1)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("README.md:%d: $ %s (-README +printed)\n%s", b.line, call, d)
		}
	}
	return now
}

// shell runs the set-up commands from the top folder. The one that runs the
// tests is running now.
func shell(t *testing.T, b block) {
	t.Helper()
	call := strings.TrimSpace(b.text)
	if call == "go test ./..." {
		return
	}
	args, ok := strings.CutPrefix(call, "go run ./cmd/setpiece ")
	if !ok {
		t.Errorf("README.md:%d: %s is not a command that sets up", b.line, call)
		return
	}
	if out, status := execute("../..", "setpiece "+args); status != 0 {
		t.Errorf("README.md:%d: exit status %d\n%s", b.line, status, out)
	}
}

// program compiles and runs a Go program.
func program(t *testing.T, b block) {
	t.Helper()
	dir, err := os.MkdirTemp("../..", ".readme-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, status := execute(dir, "go run main.go"); status != 0 || !strings.Contains(out, "success") {
		t.Errorf("README.md:%d: exit status %d\n%s", b.line, status, out)
	}
}

// execute runs a shell command and gives what it prints, errors included.
func execute(dir, call string) (string, int) {
	cmd := exec.Command("sh", "-c", call)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GORACE="+raceOptions, "XDG_STATE_HOME="+os.TempDir())
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		return err.Error(), 99
	}
	return string(out), 0
}
