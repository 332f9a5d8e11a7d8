package cli

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/lang"
)

// editorLines are what has to be added to the configuration of editors, a file for each.
//
//go:embed editors
var editorLines embed.FS

func (a *app) editorCommand() *cobra.Command {
	names := editors()
	return &cobra.Command{
		Use:   "editor EDITOR",
		Short: "Print how an editor starts setpiece lsp",
		Long: `Print the lines that have to be added to the configuration of an editor: ` + lang.OneOf(names) + `.
With them it marks mistakes, completes words and shows odds in scripts, files of
rules and notes.`,
		Example:           "  setpiece editor neovim >> ~/.config/nvim/init.lua",
		Args:              needs("an EDITOR", 1, 1),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return wrong(args[0], "there are no lines for "+args[0], "there are: "+strings.Join(names, ", "))
			}
			text, err := fs.ReadFile(editorLines, "editors/"+args[0])
			if err == nil {
				_, err = a.out.Write(text)
			}
			return err
		},
	}
}

func editors() []string {
	list, _ := editorLines.ReadDir("editors")
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
