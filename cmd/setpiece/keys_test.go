package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C drops the line, stops an evaluation, stops a question; the session
// stays. Ctrl-D leaves.
func TestCtrlC(t *testing.T) {
	p := sit(t, home(t))
	p.say("use tiny", "dice 7", "roll")

	p.press("roll twi")
	p.waitFor("> roll twi")
	row := p.row()
	p.press(ctrlC)
	p.prompted(row)

	row = p.row()
	p.enter(`print "here"; let i = 0; while yes { i += 1 }`)
	p.waitFor("\nhere\n")
	p.press(ctrlC)
	p.prompted(row)
	p.waitFor("^C\nstopped; this entry changed nothing\n>\n")
	p.say("Hero.n")
	p.waitFor("> Hero.n\n7\n>\n")

	p.say(":dice ask", "roll")
	p.press("5")
	p.waitFor("d12 for count (Hero): 5")
	row = p.row()
	p.press(ctrlC)
	p.prompted(row)
	p.say("Hero.n")
	p.waitFor("this entry changed nothing\n> Hero.n\n7\n>\n")

	p.press(ctrlD)
	if err := p.leaves(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// A block is one entry of the history, which stays from session to session.
func TestHistory(t *testing.T) {
	dir := home(t)
	p := sit(t, dir)
	p.prompted(-1)
	p.press(ctrlR) // with no history at all
	p.press(ctrlC)
	p.press("\b\b\b")
	p.say("use tiny", "if yes {", `print "a block"`, "}", "1 + 1", "2 + 2")
	p.press(ctrlD)
	p.leaves()

	p = sit(t, dir)
	p.prompted(-1)
	for range 3 {
		p.press(up)
	}
	p.waitFor(`> if yes {⏎print "a block"⏎}`)
	row := p.row()
	p.press("\r")
	p.prompted(row)
	p.waitFor("a block\n>\n")
	p.press(ctrlR)
	p.press("1 +")
	p.waitFor("bck-i-search: 1 +")
	row = p.row()
	p.press("\r")
	p.prompted(row)
	p.waitFor("> 1 + 1\n2\n>\n")

	// What was looked up does not take the place of what is typed next.
	p.press(up)
	p.waitFor("> 1 + 1\n2\n> 1 + 1")
	p.press(ctrlC)
	p.say("3 + 3")
	p.press(up)
	p.wait("the newest entry", func(s *screen) bool { return s.line() == "> 3 + 3" })
	p.press(ctrlC)
	p.press(ctrlD)
	p.leaves()
}

func TestTab(t *testing.T) {
	p := sit(t, home(t))
	p.say("use tiny")
	p.press("dou" + tab)
	p.wait("the verb", func(s *screen) bool { return s.line() == "> double " })
	p.press("\x15:" + tab)
	p.waitFor("  :redo        redo what was undone, with the same dice, or go on with what was stopped\n")
	p.wait("the line once more", func(s *screen) bool { return s.line() == "> :" })
	p.press("un" + tab)
	p.wait("the command", func(s *screen) bool { return s.line() == "> :undo " })
	p.press("\x15" + tab + tab + "1")
	p.wait("indentation", func(s *screen) bool { return s.line() == ">     1" })
	p.press("\x15roll tw" + tab)
	p.wait("the clause", func(s *screen) bool { return s.line() == "> roll twice " })
}

// Ctrl-Z stops the prompt, and the shell continues it, at once or later: then the line that
// was being typed is there again and can be finished.
func TestCtrlZ(t *testing.T) {
	dir := home(t)
	p := sitAt(t, dir, nil, exec.Command("sh", "-m", "-c", `setpiece; echo "stopped ($?)"; fg >/dev/null; echo "stopped again"; read x; fg >/dev/null; echo "left ($?)"`))
	p.say("use tiny", "let x = 4")
	p.press("x + 1")
	p.waitFor("> x + 1")
	p.press(ctrlZ)
	p.wait("the line after the stop", func(s *screen) bool {
		_, after, ok := strings.Cut(s.String(), "stopped (")
		return ok && strings.Contains(after, "> x + 1") && s.line() == "> x + 1"
	})
	row := p.row()
	p.press("0\r")
	p.prompted(row)
	p.waitFor("> x + 10\n14\n>\n")

	// A pasted line, the cursor within it, and a stop that lasts.
	pasted := `print "` + strings.Repeat("0123456789", 8) + `"`
	p.press(pasted)
	p.wait("the whole line", func(s *screen) bool { return s.line() == "> "+pasted })
	p.press("\x1b[D") // left
	p.wait("the cursor", func(s *screen) bool { return s.line()+`"` == "> "+pasted })
	p.press(ctrlZ)
	p.waitFor("stopped again")
	time.Sleep(300 * time.Millisecond)
	p.press("\n")
	p.wait("the line after the stop", func(s *screen) bool {
		_, after, ok := strings.Cut(s.String(), "stopped again")
		return ok && strings.Contains(after, "> "+pasted) && s.line()+`"` == "> "+pasted
	})
	row = p.row()
	p.press("!\r")
	p.prompted(row)
	p.waitFor("\n" + strings.Repeat("0123456789", 8) + "!\n>\n")
	p.press(ctrlD)
	p.waitFor("left (0)")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
}

// Where no shell could continue the prompt, Ctrl-Z does nothing.
func TestCtrlZWithoutAShell(t *testing.T) {
	p := sit(t, home(t))
	p.prompted(-1)
	p.press("1 +")
	p.waitFor("> 1 +")
	p.press(ctrlZ)
	p.press(" 2\r")
	p.waitFor("\n3\n>\n")
	p.press(ctrlD)
	p.leaves()
}

// A killed session is taken up with nothing lost, even in the middle of a
// question.
func TestKilled(t *testing.T) {
	dir := home(t)
	p := sit(t, dir)
	p.say("use tiny", "dice 7", "roll", "dice 8", "roll", ":undo 2", ":dice ask", "if yes {", "roll", "roll", "}", "4")
	p.cmd.Process.Signal(syscall.SIGKILL)
	p.leaves()

	p = sit(t, dir)
	p.waitFor("The last session was cut off. To continue it: setpiece --resume")
	p.prompted(-1)
	p.press(ctrlD)
	p.leaves()

	p = sit(t, dir, "--resume")
	p.waitFor("continued: 3 entries, the last: roll\nand what was going on: if yes { …\n")
	p.waitFor("\nd12 for count (Hero):\n")
	p.say("2", "Hero.n")
	p.waitFor("> Hero.n\n13\n>\n")

	// While it goes on nobody else takes it up.
	other := sit(t, dir, "--resume")
	if err := other.leaves(); err == nil {
		t.Error("a session was taken up twice")
	}
	other.waitFor("there is no session to continue")

	p.cmd.Process.Signal(syscall.SIGKILL)
	p.leaves()
	p = sit(t, dir, "--resume")
	p.waitFor("continued: 4 entries, the last: if yes { …\n>\n")
	p.say("Hero.n")
	p.waitFor("> Hero.n\n13\n>\n")
	p.press(ctrlD)
	if err := p.leaves(); err != nil {
		t.Error(err)
	}

	p = sit(t, dir)
	p.prompted(-1)
	if strings.Contains(p.shown(), "cut off") {
		t.Error("a session that was left is no session cut off")
	}
}

// Colour is for terminals, and only where it is wanted.
func TestColor(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  string
		want bool
	}{
		{nil, "NO_COLOR=", true},
		{[]string{"--color", "never"}, "NO_COLOR=", false},
		{nil, "NO_COLOR=1", false},
		{[]string{"--color", "always"}, "NO_COLOR=1", true},
		{nil, "TERM=dumb", false},
	} {
		p := sitIn(t, home(t), []string{c.env}, c.args...)
		p.prompted(-1)
		p.press(ctrlD)
		p.leaves()
		if p.colors != c.want {
			t.Errorf("%v with %s: colour is %v", c.args, c.env, p.colors)
		}
	}
}

// Told to end, the program gives the terminal back; the journal stays.
func TestTerminated(t *testing.T) {
	dir := home(t)
	p := sit(t, dir)
	p.say("1 + 1", "let x = 1")
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.leaves()
	p = sit(t, dir, "--resume")
	p.say("x")
	p.waitFor("> x\n1\n>\n")
}

// The prompt without a terminal ends by Ctrl-C, too, while it waits for a line or for the
// answer to a question.
func TestCtrlCInAPipe(t *testing.T) {
	dir := home(t)
	for _, lines := range []string{"print \"here\"\n", "use tiny\nprint \"here\"; roll; double\n"} {
		cmd := exec.Command("setpiece", "--prompt")
		cmd.Dir = dir
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, lines)
		said := bufio.NewReader(out)
		for line := ""; line != "here\n"; {
			if line, err = said.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(300 * time.Millisecond) // until it waits
		cmd.Process.Signal(os.Interrupt)
		overdue := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		io.Copy(io.Discard, said)
		cmd.Wait()
		overdue.Stop()
		in.Close()
		if cmd.ProcessState.ExitCode() != 1 || !strings.HasSuffix(errs.String(), "setpiece: stopped\n") {
			t.Errorf("%q: %v, %q", lines, cmd.ProcessState, errs.String())
		}
	}
}

// Every line is on disk before its answer is shown.
func TestJournalFirst(t *testing.T) {
	dir := home(t)
	p := sit(t, dir)
	p.prompted(-1)
	row := p.row()
	p.enter(`print "shown"`)
	p.wait("the answer", func(s *screen) bool { return s.row > row+1 })
	paths, _ := filepath.Glob(filepath.Join(dir, ".local", "state", "setpiece", "session-*.jsonl"))
	if len(paths) != 1 {
		t.Fatalf("journals: %v", paths)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil || !strings.Contains(string(data), `{"input":"print \"shown\"",`) {
		t.Errorf("%s, %v", data, err)
	}
}

// A run is stopped by Ctrl-C, and that is a failure.
func TestCtrlCInRun(t *testing.T) {
	dir := home(t)
	script := "print \"here\"\nlet i = 0\nwhile yes { i += 1 }\n"
	if err := os.WriteFile(filepath.Join(dir, "endless.scene"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, "run", "endless.scene")
	p.waitFor("here\n") // at once, not when the run is over
	p.press(ctrlC)
	err := p.leaves()
	if p.cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
	p.waitFor("^C\nendless.scene:")
	p.waitFor(": cancelled\n")
}

// On a terminal a run asks there.
func TestRunAsks(t *testing.T) {
	dir := home(t)
	if err := os.WriteFile(filepath.Join(dir, "a.scene"), []byte("use tiny\nroll\ndouble\nreport Hero.n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, dir, "run", "--dice", "ask", "--ask", "a.scene")
	p.prompted(-1)
	row := p.row()
	p.enter("6")
	p.prompted(row)
	p.enter("y")
	if err := p.leaves(); err != nil {
		t.Error(err)
	}
	p.waitFor("  Hero.n                  12\n")
}

// gamble is a system with a question whose answers take long to be valued, exactly or by trials.
const gamble = `system gamble "A gamble"
sheet somebody { }
somebody Ann
verb gamble { do {
  let bonus = 0
  offer more to Ann "Five more?" default no { bonus = 5 }
  let fell = []
  repeat 60 { fell = fell.with((throw d20).face) }
  outcome (if fell.sum + bonus >= 640 then success else failure) bonus bonus, fell fell
} }
goal roll "640 or more" = last.outcome == success
`

// gambling gives a home with rules that gamble.
func gambling(t *testing.T) string {
	t.Helper()
	dir := home(t)
	if err := os.WriteFile(filepath.Join(dir, "gamble.rules"), []byte(gamble), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// While what an answer is worth gets better, any key ends it, and is no answer: not even
// the y that would be one.
func TestAdviceEndsWithAKey(t *testing.T) {
	dir := gambling(t)
	p := sit(t, dir)
	p.say("use gamble")
	p.prompted(-1)
	row := p.row()
	p.enter("gamble")
	p.prompted(row)
	p.enter("?")
	p.waitFor("any key stops")
	p.waitFor("± estimated from")
	row = p.row()
	p.press("y")
	p.wait("the prompt", func(s *screen) bool {
		return !strings.Contains(s.String(), "any key stops") && strings.Contains(s.line(), "[y/N]")
	})
	if shown := p.shown(); strings.Count(shown, "± estimated from") != 1 || strings.HasSuffix(strings.TrimRight(shown, " \n"), "y") {
		t.Errorf("the screen is\n%s", shown)
	}
	// A whole line counts as it was typed.
	p.enter("?")
	p.wait("other figures", func(s *screen) bool {
		return strings.Count(s.String(), "± estimated from") == 2 && strings.Contains(s.String(), "any key stops")
	})
	p.press("yes\rlast.bonus\r")
	p.waitFor("[y/N] yes\n")
	p.prompted(row)
	p.waitFor("> last.bonus\n5\n")
}

// What was pasted with a line that asks is no answer, and is not lost; the line ends of a
// text from elsewhere answer nothing.
func TestPastedLines(t *testing.T) {
	dir := gambling(t)
	p := sit(t, dir)
	p.say("use gamble")
	p.prompted(-1)
	p.press("Ann: gamble\r\nAnn: gamble\r\nlet x = 1\r\n")
	p.waitFor("  type yes or no")
	p.waitFor("not used: Ann: gamble   the up key brings it back")
	p.prompted(-1)
	row := p.row()
	p.enter("y")
	p.prompted(row)
	p.press(up)
	p.wait("the line again", func(s *screen) bool { return s.line() == "> let x = 1" })
	if shown := p.shown(); strings.Count(shown, "type yes or no") != 2 || strings.Count(shown, "[y/N]") != 3 {
		t.Errorf("the screen is\n%s", shown)
	}
}
