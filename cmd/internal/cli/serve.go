package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/repl"
	"setpiece/cmd/internal/serve"
	"setpiece/cmd/internal/style"
	"setpiece/interp/evening"
)

func (a *app) serveCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var stdio bool
	var t tables
	cmd := &cobra.Command{
		Use:   "serve [FILE]",
		Short: "Play a script on pages: a browser for the game master, phones for the players",
		Long: `Play a script on pages in a browser: one for the game master, one for each
player, and one that all may see. setpiece prints the links; with --lan also a
code to point a phone's camera at. Only this computer is served unless you say
--lan: then everybody in your network who has a link. Without FILE it lists the
encounters that come with setpiece.

Players see their own sheets, what everybody may see, and what they are asked.
What is in the script stays with the game master: see the guide.

The evening waits for the game master before it begins, where a scene begins, and
at its end. Heroes are asked though they have tactics; --auto NAME leaves one to
them, and so do buttons on the page. There the game master also types what is
nobody's turn, as beside a question at the terminal: give, cut, hero, odds, :help.

Everything is saved as with "setpiece play". Whatever ends the program,
"setpiece serve --resume" goes on where the evening was, on the same pages; so
does "setpiece play --resume" at the terminal.

--stdio lets another program play: a bot, or a virtual tabletop. It calls setpiece
by JSON-RPC 2.0, one object a line: open a script, answer questions, take answers
back, ask what each is worth, save the evening and load it again. A question is
data with a number; it stays open until it is answered, in another process if
need be. PROTOCOL.md in cmd/internal/serve shows each message. Only files within
the folder where setpiece was started can be opened.`,
		Example: `  setpiece serve bog.scene
  setpiece serve --lan --dice ask bog.scene
  setpiece serve --resume
  setpiece serve --stdio`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case stdio && len(args) > 0:
				return wrong(args[0], "serve --stdio takes no script: the other program opens it", "")
			case stdio:
				return a.serveStdio(cmd)
			}
			p.seeded = cmd.Flags().Changed("seed")
			return a.serveTable(cmd, &p, args, t)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&stdio, "stdio", false, "let another program play, on standard input and output")
	f.Uint64Var(&p.seed, "seed", 0, "seed of the dice, `N` from 0 (default a random one)")
	f.Var(&p.dice, "dice", usageDice+usageAsk)
	p.set.flag(cmd)
	p.let.flag(cmd)
	p.turnFlags(cmd)
	t.flags(cmd)
	f.BoolVar(&t.resume, "resume", false, "go on with the evening you left last, or with that of FILE")
	return cmd
}

// serveStdio lets another program play.
func (a *app) serveStdio(cmd *cobra.Command) error {
	style.Whole(a.outTo)
	serve.Serve(cmd.Context(), a.in, a.outTo, a.serving())
	return nil
}

// serving is what evenings for other programs and for pages need.
func (a *app) serving() serve.Config {
	session := library(nil, a.places())
	session.Limits = a.limits.Limits
	say := func(ctx context.Context, v *evening.Evening, line string, out io.Writer) (bool, error) {
		return repl.Say(ctx, v, line, out, a.more)
	}
	return serve.Config{Dir: ".", Session: session, Odds: records.All, Say: say}
}
