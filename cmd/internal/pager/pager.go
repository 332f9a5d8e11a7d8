// Package pager shows long output on a terminal a screen at a time, with the program
// that $PAGER names or else with less. Output that fits, and output that goes anywhere
// but to a terminal, is written as it is.
package pager

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/style"
)

// Wanted says whether Show may start a pager: what is shown goes to a terminal, and
// there is one to turn the pages from.
func Wanted(in io.Reader, out io.Writer) bool {
	return style.IsTerminal(in) && style.IsTerminal(out)
}

// Show writes a text, by way of a pager where it does not fit on the terminal.
func Show(out io.Writer, text string) error {
	screen, ok := style.Raw(out).(*os.File)
	cmd := program(os.Getenv)
	if !ok || cmd == nil || fits(style.Plain(style.Wrap(style.Clean(text), style.Width(out))), style.Width(out), style.Height(out)) {
		_, err := io.WriteString(out, text)
		return err
	}
	// The pager gets what the terminal would: colours, and nothing else that steers it.
	cmd.Stdin = strings.NewReader(style.Wrap(style.Clean(text), style.Width(out)))
	cmd.Stdout, cmd.Stderr = screen, screen
	// Ctrl-C is the pager's while it runs. It is taken and dropped, not ignored: what is ignored
	// stays so for the pager, and cannot be undone here for those that are notified.
	dropped := make(chan os.Signal, 1)
	signal.Notify(dropped, os.Interrupt)
	defer signal.Stop(dropped)
	if err := cmd.Start(); err != nil {
		_, err := io.WriteString(out, text)
		return err
	}
	cmd.Wait() // whatever it says: it was looked at
	return nil
}

// leaves stands where less would put a colon, which looks like a prompt of ours.
const leaves = "-- Space shows more, q leaves --"

// program is the pager: $PAGER, else less, which leaves at the end of a short text,
// shows colours and leaves the text on the screen; nil where there is none.
func program(env func(string) string) *exec.Cmd {
	if words := strings.Fields(env("PAGER")); len(words) > 0 {
		cmd := exec.Command(words[0], words[1:]...)
		if env("LESS") == "" {
			cmd.Env = append(os.Environ(), "LESS=FRXPs"+leaves)
		}
		return cmd
	}
	path, err := exec.LookPath("less")
	if err != nil {
		return nil
	}
	cmd := exec.Command(path, "-FRX", "-Ps"+leaves)
	cmd.Env = append(os.Environ(), "LESSSECURE=1")
	return cmd
}

// fits says whether a text leaves room for a prompt below it.
func fits(text string, width, height int) bool {
	rows := 1
	for line := range strings.Lines(text) {
		rows += 1 + max(0, runewidth.StringWidth(strings.TrimRight(line, "\n"))-1)/max(width, 1)
	}
	return rows <= height
}
