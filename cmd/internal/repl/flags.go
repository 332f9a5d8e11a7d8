package repl

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"setpiece/cmd/internal/render"
	"setpiece/interp/odds"
)

// flags are what stands before a command that odds are asked of, as on the command
// line: odds --best Nova --columns last.margin roll …
type flags struct {
	render.Choice
	cfg odds.Config
}

// take takes the flags off the beginning of a text.
func (f *flags) take(text string) (rest string, err error) {
	set := pflag.NewFlagSet("odds", pflag.ContinueOnError)
	set.Usage = func() {}
	f.Flags(set)
	set.StringSliceVar(&f.cfg.Best, "best", nil, "`WHO` makes the best decisions")
	set.StringVar(&f.cfg.Goal, "goal", "", "the goal of --best")
	states := set.Uint32("states", 0, "simulate after `N` states")
	var args []string
	for strings.HasPrefix(text, "--") {
		var arg string
		arg, text = word(text)
		args = append(args, arg)
		if flag := set.Lookup(arg[2:]); flag != nil && flag.NoOptDefVal == "" {
			arg, text = word(text)
			args = append(args, arg)
		}
	}
	err = set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		err = errors.New("put these flags of odds before a command:\n" + strings.TrimRight(set.FlagUsages(), "\n"))
	}
	f.cfg.States = int(*states)
	return text, err
}

// word cuts off the first word of a text, which may stand in quotes.
func word(text string) (first, rest string) {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if i := strings.IndexByte(text[1:], text[0]); i >= 0 {
			return text[1 : i+1], strings.TrimSpace(text[i+2:])
		}
	}
	if end := strings.IndexAny(text, " \t"); end >= 0 {
		return text[:end], strings.TrimSpace(text[end:])
	}
	return text, ""
}
