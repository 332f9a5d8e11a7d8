package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"
	"golang.org/x/tools/txtar"
)

// person sits at a real pseudo-terminal with setpiece running in it.
type person struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	done chan error

	lines term.State // the terminal as it is while no program edits a line

	mu     sync.Mutex
	screen screen
	colors bool // an escape sequence for colour was seen
	asked  bool // it was told to quit and to say where it stood
	stacks strings.Builder
}

// sit starts setpiece at a terminal, with its home folder home.
func sit(t *testing.T, home string, args ...string) *person {
	t.Helper()
	return sitIn(t, home, nil, args...)
}

// sitIn is sit with more of an environment.
func sitIn(t *testing.T, home string, env []string, args ...string) *person {
	t.Helper()
	return sitAt(t, home, env, exec.Command("setpiece", args...))
}

// sitAt starts a command at a terminal.
func sitAt(t *testing.T, home string, env []string, cmd *exec.Cmd) *person {
	t.Helper()
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_DATA_HOME=", "SETPIECE_SYSTEMS=", "TERM=xterm", "NO_COLOR=", "GORACE="+raceOptions)
	cmd.Env = append(cmd.Env, env...)
	f, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	lines := state(t, f)
	pty.Setsize(f, &pty.Winsize{Rows: 50, Cols: 120})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	tty.Close()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, cmd: cmd, pty: f, done: make(chan error, 1), lines: lines}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.watch()
	}()
	go func() {
		err := cmd.Wait()
		<-read
		p.done <- err
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		f.Close()
	})
	return p
}

func (p *person) watch() {
	buf := make([]byte, 4096)
	for {
		n, err := p.pty.Read(buf)
		p.mu.Lock()
		p.screen.Write(buf[:n])
		if p.asked {
			p.stacks.Write(buf[:n])
		}
		p.colors = p.colors || strings.Contains(string(buf[:n]), "\x1b[1m")
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *person) see(look func(*screen) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return look(&p.screen)
}

// patience is how long a screen may take that a machine at work on other things draws.
const patience = time.Minute

// wait looks at the screen until it is as wanted.
func (p *person) wait(what string, look func(*screen) bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if p.see(look) {
			return
		}
	}
	p.t.Fatalf("never saw %s; the screen is\n%s", what, p.shown())
}

func (p *person) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// waitFor waits for a text anywhere on the screen.
func (p *person) waitFor(text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%q", text), func(s *screen) bool { return strings.Contains(s.String(), text) })
}

// asking is the line of a prompt with nothing typed yet.
var asking = regexp.MustCompile(`^(> |\. |.*: |.*\[y/N\] |.*\[Y/n\] )$`)

// prompted waits until the program waits for a line, below row. What is typed before it has
// taken the terminal would be shown twice: by the terminal, and by the program that reads it.
func (p *person) prompted(row int) {
	p.t.Helper()
	p.wait("a prompt", func(s *screen) bool {
		return s.row > row && asking.MatchString(s.line()) && state(p.t, p.pty) != p.lines
	})
}

// state is how the terminal treats keys.
func state(t *testing.T, f *os.File) (s term.State) {
	conn, err := f.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) {
			now, e := term.GetState(int(fd))
			if err = e; e == nil {
				s = *now
			}
		})
	}
	if err != nil {
		t.Error(err)
	}
	return s
}

func (p *person) row() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.row
}

// press presses keys.
func (p *person) press(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.pty, keys); err != nil {
		p.t.Fatal(err)
	}
}

// enter types a line, looks whether it is there, and presses Enter.
func (p *person) enter(line string) {
	p.t.Helper()
	p.wait("the program to take the terminal", func(*screen) bool { return state(p.t, p.pty) != p.lines })
	p.press(line)
	tail := line
	if len(tail) > 20 {
		tail = tail[len(tail)-20:]
	}
	p.wait(fmt.Sprintf("%q", tail), func(s *screen) bool { return strings.HasSuffix(s.line(), tail) })
	p.press("\r")
}

// leaves waits for the end of the program, and presses Enter where an evening is over.
func (p *person) leaves() error {
	p.t.Helper()
	go func() {
		over := func(s *screen) bool {
			return strings.HasPrefix(s.line(), "Enter leaves, ") && state(p.t, p.pty) != p.lines
		}
		for range patience / (10 * time.Millisecond) {
			if p.see(over) {
				p.press("\r")
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	select {
	case err := <-p.done:
		return err
	case <-time.After(patience):
		p.mu.Lock()
		p.asked = true
		p.mu.Unlock()
		p.cmd.Process.Signal(syscall.SIGQUIT) // the runtime tells what waits for what
		time.Sleep(time.Second)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.t.Fatalf("it never ended; the screen is\n%s\nasked to quit it says\n%s", p.screen.String(), p.stacks.String())
		return nil
	}
}

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
	ctrlR = "\x12"
	ctrlZ = "\x1a"
	tab   = "\t"
	up    = "\x1b[A"
)

// home is a person's home folder, with the rules the tests play by.
func home(t *testing.T) string {
	t.Helper()
	rules, err := os.ReadFile("../../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tiny.rules"), rules, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// say enters lines, each at a prompt, and waits for the next prompt.
func (p *person) say(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		p.prompted(-1)
		row := p.row()
		p.enter(line)
		p.prompted(row)
	}
}

// Sessions at the prompt, from archives: the lines typed, and what is then on
// the screen.
func TestSessions(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/repl/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions:", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { session(t, path) })
	}
}

// counts are of a module that grows.
var counts = regexp.MustCompile(`\d+ rules? · \d+ verbs? · \d+ options?`)

func session(t *testing.T, path string) {
	archive(t, path, home(t), []string{"--seed", "1"}, func(dir string, args []string, typed string) string {
		return counts.ReplaceAllString(converse(t, dir, args, typed), "N rules · N verbs · N options")
	})
}

// archive lays the files of an archive out in dir, has its lines typed, and holds what play
// gives against its screen.
func archive(t *testing.T, path, dir string, args []string, play func(dir string, args []string, typed string) string) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var typed string
	var screen *txtar.File
	for i, f := range a.Files {
		switch f.Name {
		case "args":
			args = strings.Fields(string(f.Data))
		case "typed":
			typed = string(f.Data)
		case "screen":
			screen = &a.Files[i]
		default:
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := play(dir, args, typed)
	if *update {
		screen.Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(screen.Data), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// converse types lines, each at a prompt, the last of which leaves.
func converse(t *testing.T, dir string, args []string, typed string) string {
	t.Helper()
	p := sit(t, dir, args...)
	row := -1
	for line := range strings.Lines(typed) {
		p.prompted(row)
		row = p.row()
		p.enter(strings.TrimSuffix(line, "\n"))
	}
	if err := p.leaves(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	return p.shown()
}
