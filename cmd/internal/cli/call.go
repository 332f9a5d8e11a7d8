package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/style"
	"setpiece/lang"
	"setpiece/lang/late"
)

// callError says what is wrong with the call of the program. It is shown as an
// error of a script is: the line, carets under the word, and what was meant.
type callError struct {
	word    string // the argument at fault, or "" when something is missing
	message string
	help    string
}

func (e *callError) Error() string { return e.message }

func wrong(word, message, help string) *callError { return &callError{word, message, help} }

// didYouMean is the help for a word that is near one of the candidates.
func didYouMean(word string, candidates []string) string {
	if near, ok := lang.Nearest(word, candidates); ok {
		return "did you mean " + near + "?"
	}
	return ""
}

// wrongCall shows what is wrong with the call and sets the status for it.
func (a *app) wrongCall(root *cobra.Command, err error) {
	p := a.errPalette()
	if a.json == nil && a.asksRecords() {
		a.records(false).Begin()
	}
	if a.json != nil {
		a.json.Write(wrongCallObject(err))
		a.out.Flush()
	}
	if errors.Is(err, context.Canceled) {
		a.worse(statusFailed)
		fmt.Fprintln(a.errTo, style.On(p.Error, "setpiece: stopped"))
		return
	}
	if ds := (lang.Diagnostics)(nil); errors.As(err, &ds) {
		a.fail(ds)
		return
	}
	a.worse(statusWrong)
	fmt.Fprintln(a.errTo, style.On(p.Error, "setpiece: "+err.Error()))
	var call *callError
	if !errors.As(err, &call) {
		return
	}
	line, at, width := a.underline(root.Name(), call.word)
	switch {
	case width > 0:
		carets := strings.TrimRight(strings.Repeat("^", width)+" "+call.help, " ")
		fmt.Fprintf(a.errTo, "   %s\n   %s%s\n", line, strings.Repeat(" ", at), style.On(p.Caret, carets))
	case call.help != "":
		fmt.Fprintf(a.errTo, "   %s\n", style.On(p.Caret, call.help))
	}
}

// asksRecords says whether a call asks for records whose flags could not be read. It looks for
// this one alone: all other flags are unknown here, and passed over.
func (a *app) asksRecords() bool {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	json := flags.Bool("json", false, usageJSON)
	_ = flags.Parse(a.args) // a mistake in it is reported with the others
	return *json
}

// underline writes the call as it would be typed and tells where in it word
// stands: as an argument, as a flag with a value, or as the value of a flag.
func (a *app) underline(name, word string) (line string, at, width int) {
	line = name
	for _, arg := range a.args {
		line += " "
		start := -1
		flag, value, _ := strings.Cut(arg, "=")
		switch {
		case word == "" || width > 0:
		case arg == word || flag == word:
			start = 0
		case value == word:
			start = len(flag) + 1
		}
		shown := quote(arg)
		if start >= 0 {
			at, width = runewidth.StringWidth(line)+start, runewidth.StringWidth(quote(word))
		}
		line += shown
	}
	return line, at, width
}

var plainWord = late.Regexp(`^[\pL\pN_.,:/=+%@^-]+$`)

// quote writes an argument as a shell would take it, a long one shortened.
func quote(arg string) string {
	return shellWord(runewidth.Truncate(strings.Join(strings.Fields(arg), " "), 40, "…"))
}

// shellWord writes an argument as a shell would take it.
func shellWord(arg string) string {
	if plainWord().MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// flagError puts the errors of pflag into our words.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		return wrong(dashes(missing.GetSpecifiedName()), dashes(missing.GetSpecifiedName())+" needs a value", usage(missing.GetFlag()))
	case errors.As(err, &invalid):
		return wrong(invalid.GetValue(), fmt.Sprintf("--%s: %v", invalid.GetFlag().Name, reason(invalid)), "")
	}
	return err
}

// reason is why a value was refused, without strconv's own words.
func reason(e *pflag.InvalidValueError) string {
	if t := e.GetFlag().Value.Type(); t == "uint64" {
		return fmt.Sprintf("%s is not a whole number from 0 to %d", e.GetValue(), uint64(math.MaxUint64))
	}
	return e.Unwrap().Error()
}

func usage(f *pflag.Flag) string {
	if f == nil {
		return ""
	}
	name, text := pflag.UnquoteUsage(f)
	return fmt.Sprintf("--%s %s: %s", f.Name, name, text)
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	name := e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" {
		return wrong("-"+short, "unknown flag -"+name, flagHelp(cmd, short))
	}
	return wrong("--"+name, "unknown flag --"+name, flagHelp(cmd, name))
}

func flagHelp(cmd *cobra.Command, name string) string {
	if help := didYouMean("--"+name, flagNames(cmd)); help != "" {
		return help
	}
	return "setpiece help" + strings.TrimPrefix(cmd.CommandPath(), "setpiece") + " lists the flags"
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, "--"+f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

func dashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// noCommand is for the program without a command: what stands there is then a
// command misspelt, or a script without "run".
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if _, err := os.Stat(word); err == nil {
		return wrong(word, fmt.Sprintf("there is no command %s", word), "did you mean setpiece run "+quote(word)+"?")
	}
	return unknownCommand(cmd, word)
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrong(args[0], fmt.Sprintf("%s takes nothing more", cmd.Name()), "")
	}
	return nil
}

// needs checks how many arguments a command has.
func needs(what string, least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return wrong("", fmt.Sprintf("%s needs %s", cmd.Name(), what), called(cmd))
		}
		if most >= 0 && len(args) > most {
			return wrong(args[most], fmt.Sprintf("%s takes one %s", cmd.Name(), strings.TrimPrefix(what, "a ")), "")
		}
		return nil
	}
}

// called gives a command as it is typed, with what it needs in capitals.
func called(cmd *cobra.Command) string {
	return cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
}

// badFile says why a file cannot be used, and which one may have been meant.
func badFile(path string, err error) error {
	help := ""
	if errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, os.ErrNotExist) {
		help = nearFile(path)
	}
	return wrong(path, files.Error(err).Error(), help)
}

func nearFile(path string) string {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	for _, ending := range []string{".scene", ".rules", ".md"} {
		if slices.Contains(names, base+ending) {
			return "did you mean " + shellWord(dir+base+ending) + "?"
		}
	}
	if near, ok := lang.Nearest(base, names); ok {
		return "did you mean " + shellWord(dir+near) + "?"
	}
	return ""
}
