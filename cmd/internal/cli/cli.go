// Package cli is the command line: it reads flags and files, calls package interp,
// prints the results and returns an exit status.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/pager"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Version is the version of the program. A release sets it when it is linked (.ci/release).
var Version = "0.1"

// The exit statuses, from good to bad.
const (
	statusDone   = 0
	statusFailed = 1 // the script failed: an expect, a refusal, a fault
	statusWrong  = 2 // the script or the call is wrong
)

// app is the program during one call: its streams, and what it found.
type app struct {
	ctx     context.Context // ends when the call is interrupted
	seen    files.Seen      // what was read
	args    []string
	in      io.Reader
	out     *bufio.Writer
	outTo   *style.Writer // what out writes to
	errTo   io.Writer
	color   style.When
	limits  limits
	systems []string         // the folders of --systems
	found   []interp.Place   // where systems are looked for, nil before somebody asks
	whole   bool             // output is not shown a screen at a time
	page    *notes.Folder    // the note in which the call stands, nil for none
	dir     string           // the folder of that note: names of files begin there
	calm    bool             // time is no limit of odds: they are the same on every machine
	json    *transcript.JSON // of --json; nil without
	status  int
}

// Main runs the program with the arguments after its name and returns its exit
// status.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	holdMemory(softMemory)
	ctx, stop := signalContext(context.Background())
	defer stop()
	return new(app).main(ctx, args, in, out, errs)
}

func (a *app) main(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	outTo, errTo := style.NewWriter(out), style.NewWriter(errs)
	a.args, a.in, a.out, a.outTo, a.errTo = args, in, bufio.NewWriter(outTo), outTo, errTo
	root := a.root()
	root.SetArgs(spaced(args))
	root.SetIn(in)
	root.SetOut(a.out)
	root.SetErr(errTo)
	a.ctx = ctx
	err := root.ExecuteContext(ctx)
	if errors.Is(err, errLeft) {
		fmt.Fprintln(errs, "\nsetpiece: stopped")
		return statusFailed
	}
	a.out.Flush()
	outTo.Flush()
	if unwritten := outTo.Err(); unwritten != nil {
		err = fmt.Errorf("not everything was written to standard output: %w", files.Inner(unwritten))
	}
	if err != nil {
		a.wrongCall(root, err)
	}
	errTo.Flush()
	return a.status
}

// worse raises the exit status.
func (a *app) worse(status int) { a.status = max(a.status, status) }

// palette is the palette of standard output, errPalette that of standard error.
func (a *app) palette() style.Palette { return style.New(style.Enabled(a.outTo, a.color, os.Getenv)) }
func (a *app) errPalette() style.Palette {
	return style.New(style.Enabled(a.errTo, a.color, os.Getenv))
}

// fail shows an error of a script on standard error, in JSON on standard
// output as well, and sets the status that goes with it.
func (a *app) fail(err error) {
	a.out.Flush()
	if err == context.Canceled {
		err = errors.New("setpiece: stopped")
	}
	if a.json != nil {
		a.json.Error(err)
		a.out.Flush()
	}
	render.Error(a.errTo, a.errPalette(), err)
	a.worse(statusOf(err))
}

// statusOf tells a script that is wrong from one that failed. A warning is
// neither.
func statusOf(err error) int {
	var ds lang.Diagnostics
	if !errors.As(err, &ds) {
		return statusFailed
	}
	for _, d := range ds {
		if d.Severity == lang.Error {
			return statusWrong
		}
	}
	return statusDone
}

// modules is a session for questions about modules, those that ship and those of the
// folder at hand; nothing runs in it.
func (a *app) modules() *interp.Session {
	return interp.NewSession(library(a.folder("."), a.places()))
}

func (a *app) root() *cobra.Command {
	p := playing{limits: &a.limits}
	var resume, prompt, version bool
	cmd := &cobra.Command{
		Use:   "setpiece",
		Short: "prepare, play and test tabletop encounters",
		Long: `setpiece prepares, plays and tests tabletop encounters.

Without a command it is a prompt on a terminal; otherwise it runs the script on
standard input.

Exit status: 0 done, 1 the script failed (an expect, a refusal, a fault),
2 the script or the call is wrong.

Limits of a script, which --limit NAME=VALUE changes:
` + strings.TrimRight(limitsHelp(), "\n"),
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			a.beginJSON(cmd, args)
			return a.checkSystems()
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				a.printVersion()
				return nil
			}
			if err := p.check(cmd); err != nil {
				return err
			}
			if style.IsTerminal(a.in) && style.IsTerminal(a.outTo) {
				if len(p.let) > 0 {
					return wrong("--let", "--let is for a script, and there is none at the prompt", "type  let NAME = VALUE  there")
				}
				return a.prompt(cmd, &p, resume)
			}
			if resume {
				return wrong("--resume", "--resume needs a terminal", "")
			}
			if prompt {
				return a.piped(&p)
			}
			return a.run(cmd.Context(), &p, []string{"-"})
		},
	}
	cmd.PersistentFlags().Var(&a.color, "color", "colour: auto, always or never")
	cmd.PersistentFlags().Var(&a.limits, "limit", "change a limit of scripts, as steps=1e9 or memory=2GiB; may be repeated")
	cmd.PersistentFlags().StringArrayVar(&a.systems, "systems", a.systems, "look for rule systems in `FOLDER` first, but for the script's folder; may be repeated")
	cmd.PersistentFlags().BoolVar(&a.whole, "no-pager", false, "do not show long output a screen at a time")
	cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(style.Whens(), cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(a.graphCommand())
	p.flags(cmd)
	cmd.Flags().BoolVar(&prompt, "prompt", false, "read standard input as the prompt does, with its : commands, where it is no terminal")
	p.turnFlags(cmd)
	cmd.Flags().BoolVar(&version, "version", false, "print the version")
	cmd.Flags().BoolVar(&resume, "resume", false, "continue the last session at the prompt")
	cmd.SetFlagErrorFunc(flagError)
	cmd.AddCommand(
		a.runCommand(), a.playCommand(), a.oddsCommand(), a.whyCommand(), a.simCommand(), a.mergeCommand(), a.tuneCommand(), a.checkCommand(), a.weaveCommand(), a.fmtCommand(), a.testCommand(),
		a.rulesCommand(), a.explainCommand(), a.docCommand(), a.replayCommand(), a.systemCommand(), a.sheetCommand(), a.completionCommand(), a.versionCommand(), a.schemaCommand(),
		a.reportCommand(), a.lspCommand(), a.editorCommand(), a.completeCommand(), a.hoverCommand(), a.serveCommand(), a.playgroundCommand(), a.shareCommand(),
	)
	for _, c := range cmd.Commands() {
		run := c.RunE
		switch {
		case slices.Contains(read, c.Name()):
			c.RunE = func(cmd *cobra.Command, args []string) error {
				return a.paged(func() error {
					return a.promptly(cmd.Context(), func() error { return run(cmd, args) })
				})
			}
		case c.Name() == "check":
			c.RunE = func(cmd *cobra.Command, args []string) error {
				return a.promptly(cmd.Context(), func() error { return run(cmd, args) })
			}
		}
	}
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		a.paged(func() error { help(cmd, args); return nil })
	})
	for _, c := range cmd.Commands() {
		if f := c.Flags().Lookup("time"); f != nil && a.calm {
			f.Value.Set("24h")
		}
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetHelpCommand(a.helpCommand())
	return cmd
}

// leadingMinus is how a question about dice begins that could be taken for a flag: -d6+3.
var leadingMinus = late.Regexp(`^-[\d(]*d[\dF%{]`)

// spaced puts a blank before such a question, so that it is none.
func spaced(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if leadingMinus().MatchString(arg) {
			args[i] = " " + arg
		}
	}
	return args
}

// read are the commands whose output is read when they are done.
var read = []string{"odds", "why", "sim", "merge", "tune", "report", "rules", "explain"}

// paged does what writes to standard output, and shows that a screen at a time where
// it is a terminal.
func (a *app) paged(do func() error) error {
	if a.whole || !pager.Wanted(a.in, a.outTo) {
		return do()
	}
	if err := a.out.Flush(); err != nil {
		return err
	}
	var text strings.Builder
	a.out.Reset(&text)
	err := do()
	if errors.Is(err, errLeft) {
		return err
	}
	a.out.Flush()
	a.out.Reset(a.outTo)
	if text.Len() == 0 {
		return err
	}
	if shown := pager.Show(a.outTo, text.String()); err == nil {
		err = shown
	}
	return err
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		Run:   func(*cobra.Command, []string) { a.printVersion() },
	}
}

func (a *app) printVersion() {
	fmt.Fprintf(a.out, "setpiece %s, %s %s/%s\n", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
