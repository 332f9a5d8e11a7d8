package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
	"setpiece/cmd/internal/notes"
	"setpiece/lang"
)

// pages are the texts for users. Each is a document of its own: its blocks share a
// folder, from the first to the last.
var pages = []string{"README.md", "stdlib/GUIDE.md", "stdlib/EDITOR.md", "stdlib/AUTHORS.md", "lang/LANGUAGE.md", "interp/FIGURES.md"}

// page is a text that is being tried.
type page struct {
	*testing.T
	name string
	dir  string // for the files of its fences
}

// README.md and the guides are notes. Their scripts have no mistake but those on purpose,
// and pass their tests; weave finds that every command prints what the page says. What people
// type, and other programs, is done here. With -update the pages are woven anew.
//
// The short form leaves out those of the guide's commands that take longest, and builds neither setpiece nor
// the program of the README, which go vet reads.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	for _, name := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			p := &page{t, name, t.TempDir()}
			p.call("test", name)
			if *update {
				p.call("weave", "--fresh", name)
			} else {
				p.call("weave", "--fresh", "-d", p.quick())
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			n, _ := notes.Parse(name, text)
			woven, ds := n.Weave(&notes.Weaver{Fill: map[string]func(*notes.Note, *notes.Fence) (string, error){
				"terminal": p.terminal, "shell": p.shell, "note": p.note, "sh": p.setUp, "go": p.program,
			}})
			for _, d := range append(woven.Stale, ds...) {
				if !*update || ds.Errors() {
					t.Error(d.Format(lang.Palette{}))
				}
			}
			for _, f := range n.Fences {
				if !slices.Contains([]string{"setpiece", "console", "terminal", "shell", "note", "sh", "go", "text"}, f.Kind) {
					t.Errorf("%s: nobody executes a block of kind %q", name, f.Kind)
				}
			}
			if *update && woven.Text != text {
				if err := os.WriteFile(name, []byte(woven.Text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// takesLong are commands that make ten thousand trials and more, or hundreds of odds.
var takesLong = regexp.MustCompile("(?m)^```console\n\\$ setpiece (sim --vs|sim -n 20000|why|report|tune --want) ")

// quick is the page, or, in the short form, a copy in which commands that take long are text.
func (p *page) quick() string {
	p.Helper()
	text, err := os.ReadFile(p.name)
	if err != nil {
		p.Fatal(err)
	}
	if longTests || !takesLong.Match(text) {
		return p.name
	}
	short := filepath.Join(p.TempDir(), filepath.Base(p.name))
	text = takesLong.ReplaceAll(text, []byte("```text\n$$ setpiece $1 "))
	if err := os.WriteFile(short, text, 0o600); err != nil {
		p.Fatal(err)
	}
	return short
}

// call calls setpiece, which has to be content.
func (p *page) call(args ...string) {
	p.Helper()
	var out bytes.Buffer
	if status := cli.Main(args, strings.NewReader(""), &out, &out); status != 0 {
		p.Errorf("setpiece %s: exit status %d\n%s", strings.Join(args, " "), status, out.String())
	}
}

// files writes the files of the fences above one into the page's folder.
func (p *page) files(n *notes.Note, f *notes.Fence) {
	p.Helper()
	above := n.Upto(f)
	folder := above.Over(nil).Plain()
	for _, s := range above.Scripts() {
		text, err := folder.ReadFile(s.Name)
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, s.Name), text, 0o600)
		}
		if err != nil && s.File {
			p.Fatal(err)
		}
	}
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

// terminal has somebody type the given lines, with ~ for a blank, at a real terminal, and
// gives the screen.
func (p *page) terminal(n *notes.Note, f *notes.Fence) (string, error) {
	p.files(n, f)
	call, _, _ := strings.Cut(n.Inside(f), "\n")
	args, ok := strings.CutPrefix(call, "$ setpiece ")
	if !ok {
		return "", fmt.Errorf("%s is not a call of setpiece", call)
	}
	who := sitIn(p.T, p.dir, []string{"NO_COLOR=1"}, strings.Fields(args)...)
	row := -1
	for typed := range strings.SplitSeq(strings.ReplaceAll(f.Value("typed"), "~", " "), "|") {
		who.prompted(row)
		row = who.row()
		who.press(typed + "\r")
	}
	if err := who.leaves(); err != nil {
		return "", err
	}
	return call + "\n" + strings.TrimRight(who.shown(), "\n") + "\n", nil
}

// shell runs commands that need a shell.
func (p *page) shell(n *notes.Note, f *notes.Fence) (string, error) {
	p.files(n, f)
	return notes.Console(n.Inside(f), func(call string) (string, int, error) {
		out, status := execute(p.dir, call)
		return out, status, nil
	})
}

// note writes a note that a page shows, for the commands below it.
func (p *page) note(n *notes.Note, f *notes.Fence) (string, error) {
	return n.Inside(f), os.WriteFile(filepath.Join(p.dir, f.Value("file")), []byte(n.Inside(f)), 0o600)
}

// setUp runs the commands that set up, from the top folder. The one that runs the tests is
// running now.
func (p *page) setUp(n *notes.Note, f *notes.Fence) (string, error) {
	text := n.Inside(f)
	call := strings.TrimSpace(text)
	switch {
	case call == "go test ./...":
		return text, nil
	case strings.HasPrefix(call, "go run ./cmd/setpiece "):
		return text, p.begins(n, f, call)
	}
	return "", fmt.Errorf("%s is not a command that sets up", call)
}

// begins calls setpiece as somebody without it does, and looks whether the output is as long, and
// begins, as the text below says. The short form builds nothing.
func (p *page) begins(n *notes.Note, f *notes.Fence, call string) error {
	if !longTests {
		call = strings.TrimPrefix(call, "go run ./cmd/")
	}
	below := n.Fences[slices.Index(n.Fences, f)+1]
	out, status := execute(".", call)
	length := fmt.Sprintf("prints %d lines", strings.Count(out, "\n"))
	if status != 0 || !strings.HasPrefix(out, n.Inside(below)) || !strings.Contains(n.Text[f.Close.End:below.Open.Start], length) {
		return fmt.Errorf("exit status %d, and it prints\n%s", status, out)
	}
	return nil
}

// program compiles and runs a Go program.
func (p *page) program(n *notes.Note, f *notes.Fence) (string, error) {
	dir, err := os.MkdirTemp(".", ".readme-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(n.Inside(f)), 0o600); err != nil {
		return "", err
	}
	if !longTests {
		if out, status := execute(dir, "go vet main.go"); status != 0 {
			return "", fmt.Errorf("exit status %d\n%s", status, out)
		}
		return n.Inside(f), nil
	}
	if out, status := execute(dir, "go run main.go"); status != 0 || !strings.Contains(out, "success") {
		return "", fmt.Errorf("exit status %d\n%s", status, out)
	}
	return n.Inside(f), nil
}

// execute runs a shell command and gives what it prints, errors included.
func execute(dir, call string) (string, int) {
	cmd := exec.Command("sh", "-c", call)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GORACE="+raceOptions, "XDG_STATE_HOME="+os.TempDir(), "XDG_DATA_HOME=", "SETPIECE_SYSTEMS=")
	if filepath.IsAbs(dir) { // a folder of the page's own; elsewhere Go builds, and keeps its cache
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+dir, "XDG_DATA_HOME="+dir+"/.data")
	}
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
