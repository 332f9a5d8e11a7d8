package cli

import (
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/records"
	"setpiece/cmd/internal/serve"
	"setpiece/cmd/internal/style"
)

func (a *app) serveCommand() *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:   "serve --stdio",
		Short: "Let another program play: JSON-RPC on standard input and output",
		Long: `Let another program play: a page, a bot, or a virtual tabletop. It calls setpiece by
JSON-RPC 2.0, one object a line: open a script, answer questions, take answers
back, ask what each is worth, save the evening and load it again. A question is
data with a number; it stays open until it is answered, in another process if
need be. PROTOCOL.md in cmd/internal/serve shows each message.

Only files within the folder where setpiece was started can be opened.`,
		Example: `  setpiece serve --stdio`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !stdio {
				return wrong("", "serve needs --stdio", "setpiece serve --stdio")
			}
			style.Whole(a.outTo)
			session := library(nil, a.places())
			session.Limits = a.limits.Limits
			serve.Serve(cmd.Context(), a.in, a.outTo, serve.Config{Dir: ".", Session: session, Odds: records.All})
			return nil
		},
	}
	cmd.Flags().BoolVar(&stdio, "stdio", false, "speak on standard input and output")
	return cmd
}
