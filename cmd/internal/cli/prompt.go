package cli

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/repl"
	"setpiece/cmd/internal/style"
	"setpiece/interp/evening"
)

// prompt is the session of a person at a terminal.
func (a *app) prompt(cmd *cobra.Command, p *playing, resume bool) error {
	for _, name := range []string{"seed", "dice", "set"} {
		if resume && cmd.Flags().Changed(name) {
			return wrong("--"+name, "a resumed session keeps its settings: leave out --"+name, "")
		}
	}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // only an evaluation is interrupted
	palette := a.palette()
	dir, err := journal.StateDir()
	if err != nil {
		fmt.Fprintln(a.errTo, style.On(palette.Warn, "warning: this session is not saved: "+err.Error()))
		dir = ""
	}
	cfg, err := a.begin(p, dir, resume)
	if err != nil {
		return err
	}
	history := ""
	if dir != "" {
		history = filepath.Join(dir, "history")
		if err := journal.History(history); err != nil {
			fmt.Fprintln(a.errTo, style.On(palette.Warn, "warning: the history is not saved: "+err.Error()))
			history = ""
		}
	}
	term, err := repl.NewTerminal(history, palette)
	if err != nil {
		return err
	}
	if history != "" {
		journal.History(history) // a history that was shortened is a new file
	}
	defer term.Close()
	term.RestoreOnSignal()
	cfg.Lines, cfg.Out, cfg.Palette, cfg.Version = term, a.outTo, palette, Version
	cfg.View, cfg.Edit, cfg.Pages = p.view, editor(os.Getenv), !a.whole
	loop := repl.New(cfg)
	term.Edit(repl.Editor{Complete: loop.Complete, Hint: loop.Hint, Kind: loop.WordKind})
	return loop.Run()
}

// piped is the prompt with its lines from a file or a program: everything works as
// it does for a person, a question takes its answer from the next line, and nothing
// is kept. It fails if anything did.
func (a *app) piped(p *playing) error {
	cfg, err := a.begin(p, "", false)
	if err != nil {
		return err
	}
	cfg.Lines, cfg.Out, cfg.Palette, cfg.Version = &pipe{r: bufio.NewReader(a.in)}, a.outTo, a.palette(), Version
	cfg.View, cfg.Edit, cfg.Quiet = p.view, editor(os.Getenv), true
	if p.view.JSON {
		cfg.Records, cfg.Questions, cfg.Flush = a.records(p.view.Quiet), a.errTo, func() { a.out.Flush() }
	}
	loop := repl.New(cfg)
	err = loop.Run()
	if errors.Is(err, errLeft) {
		a.out.Flush()
	}
	if loop.Failed() {
		a.worse(statusFailed)
	}
	return err
}

// pipe is the Lines of nobody in particular.
type pipe struct {
	r    *bufio.Reader
	left bool // it was interrupted while it waited, and somebody is still reading
}

// ReadLine implements repl.Lines. Nobody sees the prompt. An interrupt while it waits ends
// the program; there is no line that it could drop instead.
func (p *pipe) ReadLine(string) (string, error) {
	if p.left {
		return "", errLeft
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	type read struct {
		line string
		err  error
	}
	came := make(chan read, 1)
	go func() {
		line, err := p.r.ReadString('\n')
		came <- read{line, err}
	}()
	select {
	case <-interrupted:
		p.left = true
		return "", errLeft
	case x := <-came:
		if x.line != "" {
			x.err = nil
		}
		return strings.TrimRight(x.line, "\r\n"), x.err
	}
}

// Remember implements repl.Lines.
func (*pipe) Remember(string) {}

// editor lets a person edit a text with the program that VISUAL or EDITOR names;
// nil if neither does.
func editor(env func(string) string) func(string) (string, error) {
	command := strings.Fields(env("VISUAL"))
	if len(command) == 0 {
		command = strings.Fields(env("EDITOR"))
	}
	if len(command) == 0 {
		return nil
	}
	return func(text string) (string, error) {
		f, err := os.CreateTemp("", "setpiece-*.scene")
		if err != nil {
			return "", err
		}
		defer os.Remove(f.Name())
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		cmd := exec.Command(command[0], append(slices.Clone(command[1:]), f.Name())...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return "", err
		}
		edited, err := fs.ReadFile(files.Folder(filepath.Dir(f.Name()), nil), filepath.Base(f.Name()))
		return string(edited), files.Error(err)
	}
}

// begin starts a session, or takes the last one up.
func (a *app) begin(p *playing, dir string, resume bool) (repl.Config, error) {
	if !p.seeded {
		p.seed = anySeed()
	}
	script := a.inline("", "")
	cfg := repl.Config{Session: p.config(script), Ask: p.dice.ask, Forms: true, Topics: a.more, Shell: commandNames(a.root())}
	if dir == "" {
		return cfg, nil
	}
	last, found := journal.Last(dir)
	if resume {
		a.passed(last.Passed)
		return cfg, a.takeUp(&cfg, p, script, last, found)
	}
	if found && last.Killed {
		cfg.Hint = fmt.Sprintf("The last session was cut off. To continue it: setpiece --resume (%d lines)", last.Inputs)
	}
	here, _ := os.Getwd()
	journal, err := journal.Create(journal.NewPath(dir, time.Now()), p.head(journal.Prompt, here))
	if err != nil {
		fmt.Fprintln(a.errTo, "warning: a killed session will be lost:", err)
		return cfg, nil
	}
	cfg.Journal = journal
	return cfg, nil
}

// takeUp makes cfg that of a past session: its seed, options and dice.
func (a *app) takeUp(cfg *repl.Config, p *playing, s script, last journal.Past, found bool) error {
	if !found {
		return wrong("--resume", "there is no session to continue", "")
	}
	journal, past, err := journal.Reopen(last.Path)
	if err != nil {
		return err
	}
	a.resumed(p, &s, past.Head)
	cfg.Session, cfg.Journal, cfg.Resume, cfg.Ask = p.config(s), journal, past, p.dice.ask
	return nil
}

// head is the first record of the journal of what is begun.
func (p *playing) head(kind journal.Kind, folder string) journal.Head {
	return journal.Head{
		Kind: kind, Program: Version, Seed: p.seed, Set: p.set, Dice: p.dice.faces, Ask: p.dice.ask, Folder: folder, ByAuto: p.auto, ByHand: p.byHand, Asks: p.asks,
	}
}

// resumed makes p and the folder of s what they were when a journal was begun.
func (a *app) resumed(p *playing, s *script, h journal.Head) {
	p.seed, p.set, p.dice = h.Seed, h.Set, diceFlag{faces: h.Dice, ask: h.Ask}
	p.auto, p.byHand, p.asks, p.versions = h.ByAuto, h.ByHand, h.Asks, evening.Versions(h.Systems)
	if f := a.folder(h.Folder); f != nil {
		s.folder = f
	}
}

// anySeed is a seed nobody has chosen: a session at the prompt is played, not
// repeated. :seed tells it. It is short, so that it can be passed on.
func anySeed() uint64 {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	return binary.LittleEndian.Uint64(b[:]) % 1_000_000_000
}
