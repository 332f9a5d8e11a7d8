package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pages are the texts for users. Each is a document of its own: its blocks share a
// folder, from the first to the last.
var pages = []string{"README.md", "stdlib/GUIDE.md", "stdlib/AUTHORS.md", "lang/LANGUAGE.md", "interp/FIGURES.md"}

// page is a text that is being tried.
type page struct {
	*testing.T
	name string
	dir  string // its scripts
}

func (p *page) fails(b block, format string, args ...any) {
	p.Helper()
	p.Errorf("%s:%d: %s", p.name, b.line, fmt.Sprintf(format, args...))
}

// block is a fenced block of a page.
type block struct {
	kind string            // setpiece, console, terminal, sh, go, text
	opts map[string]string // file=NAME, typed=LINE|LINE; more, check, module: there, but empty
	line int
	text string
}

// Every block of README.md and the guides does what the page says. With -update what
// commands print is written anew.
func TestReadme(t *testing.T) {
	for _, name := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("../..", name))
			if err != nil {
				t.Fatal(err)
			}
			p := &page{t, name, t.TempDir()}
			now := p.try(string(text))
			if *update && now != string(text) {
				if err := os.WriteFile(filepath.Join("../..", name), []byte(now), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// try runs the blocks of a page and gives the page as it should be.
func (p *page) try(text string) string {
	var now strings.Builder
	rest := text
	for _, b := range p.blocks(text) {
		is := b.text
		switch b.kind {
		case "setpiece":
			p.script(b)
		case "console":
			is = p.console(b)
		case "terminal":
			is = p.terminal(b)
		case "sh":
			p.shell(b)
		case "go":
			p.program(b)
		case "text":
		default:
			p.fails(b, "nobody executes a block of kind %q", b.kind)
		}
		before, after, _ := strings.Cut(rest, b.text)
		now.WriteString(before + is)
		rest = after
	}
	return now.String() + rest
}

// Links lead to files that are there, and to headings that are there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range pages {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			to := name
			if file != "" {
				to = filepath.Join(filepath.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join("../..", to)); err != nil {
				t.Errorf("%s: %s: there is no %s", name, m[1], to)
			} else if heading != "" && !slices.Contains(headings(read(t, to)), heading) {
				t.Errorf("%s: %s: %s has no such heading", name, m[1], to)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// headings gives the anchors of a page's headings.
func headings(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if marks := strings.TrimLeft(line, "#"); marks != line {
			words := strings.ToLower(strings.TrimSpace(marks))
			out = append(out, strings.NewReplacer(" ", "-", "'", "", ",", "", "?", "").Replace(words))
		}
	}
	return out
}

func (p *page) blocks(text string) []block {
	p.Helper()
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
				p.Fatalf("%s:%d: a block of no kind", p.name, n)
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
	if cur != nil {
		p.Fatalf("%s:%d: a block without an end", p.name, cur.line)
	}
	return out
}

// script writes a script, or adds to one. If it is no module and not wrong on
// purpose it has to run.
func (p *page) script(b block) {
	p.Helper()
	name := b.opts["file"]
	if name == "" {
		name = "example.scene"
	}
	text := b.text
	if _, more := b.opts["more"]; more {
		before, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			p.fails(b, "there is nothing yet to add to: %v", err)
		}
		text = string(before) + text
	}
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	_, module := b.opts["module"]
	_, wrong := b.opts["check"]
	if module || wrong {
		return
	}
	if out, status := execute(p.dir, "setpiece run "+name); status != 0 {
		p.fails(b, "exit status %d\n%s", status, out)
	}
}

// console runs the commands behind "$ " and compares what they print. It gives the
// block as it should be.
func (p *page) console(b block) string {
	p.Helper()
	var now strings.Builder
	for part := range strings.SplitSeq("\n"+b.text, "\n$ ") {
		call, want, _ := strings.Cut(part, "\n")
		if call == "" {
			continue
		}
		got, status := execute(p.dir, call)
		if status != 0 {
			got += "[exit status " + string(rune('0'+status)) + "]\n"
		}
		want, got = strings.Trim(want, "\n"), strings.Trim(got, "\n")
		if d := cmp.Diff(want, got); d != "" && !*update {
			p.fails(b, "$ %s (-page +printed)\n%s", call, d)
		}
		now.WriteString("$ " + call + "\n" + got + "\n")
	}
	if !*update {
		return b.text
	}
	return now.String()
}

// terminal has somebody type the given lines at a real terminal, and compares the
// screen.
func (p *page) terminal(b block) string {
	p.Helper()
	call, want, _ := strings.Cut(b.text, "\n")
	args, ok := strings.CutPrefix(call, "$ setpiece ")
	if !ok {
		p.fails(b, "%s is not a call of setpiece", call)
		return b.text
	}
	who := sitIn(p.T, p.dir, []string{"NO_COLOR=1"}, strings.Fields(args)...)
	row := -1
	for typed := range strings.SplitSeq(b.opts["typed"], "|") {
		who.prompted(row)
		row = who.row()
		who.press(typed + "\r")
	}
	if err := who.leaves(); err != nil {
		p.fails(b, "it ended with %v", err)
	}
	got := strings.TrimRight(who.shown(), "\n") + "\n"
	if *update {
		return call + "\n" + got
	}
	if d := cmp.Diff(want, got); d != "" {
		p.fails(b, "%s (-page +screen)\n%s", call, d)
	}
	return b.text
}

// shell runs the set-up commands from the top folder. The one that runs the
// tests is running now.
func (p *page) shell(b block) {
	p.Helper()
	call := strings.TrimSpace(b.text)
	switch {
	case call == "go test ./...":
		return
	case strings.HasPrefix(call, "go install "):
		call = "GOBIN='" + p.TempDir() + "' " + call
	case strings.HasPrefix(call, "setpiece run "):
	default:
		p.fails(b, "%s is not a command that sets up", call)
		return
	}
	if out, status := execute("../..", call); status != 0 {
		p.fails(b, "exit status %d\n%s", status, out)
	}
}

// program compiles and runs a Go program.
func (p *page) program(b block) {
	p.Helper()
	dir, err := os.MkdirTemp("../..", ".readme-")
	if err != nil {
		p.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.text), 0o600); err != nil {
		p.Fatal(err)
	}
	if out, status := execute(dir, "go run main.go"); status != 0 || !strings.Contains(out, "success") {
		p.fails(b, "exit status %d\n%s", status, out)
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
