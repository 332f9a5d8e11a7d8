package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/vscode"
	"setpiece/lang"
)

// editorLines are what has to be added to the configuration of editors, a file for each.
//
//go:embed editors
var editorLines embed.FS

// extended is the editor that takes an extension instead of lines.
const extended = "vscode"

func (a *app) editorCommand() *cobra.Command {
	names := editors()
	var out string
	cmd := &cobra.Command{
		Use:   "editor EDITOR",
		Short: "Print how an editor starts setpiece lsp",
		Long: `Print the lines that have to be added to the configuration of an editor: ` + lang.OneOf(names) + `.
With them it marks mistakes, completes words and shows odds in scripts, files of
rules and notes. For ` + extended + `, write an extension into a folder (-o); the README there
says how it is installed.`,
		Example:           "  setpiece editor neovim >> ~/.config/nvim/init.lua\n  setpiece editor " + extended + " -o extension",
		Args:              needs("an EDITOR", 1, 1),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case !slices.Contains(names, args[0]):
				return wrong(args[0], "there are no lines for "+args[0], "there are: "+strings.Join(names, ", "))
			case args[0] == extended && out == "":
				return wrong(args[0], "an extension needs a folder", "setpiece editor "+extended+" -o FOLDER")
			case args[0] == extended:
				return a.writeExtension(out)
			case out != "":
				return wrong(out, "the lines of "+args[0]+" go to standard output", "setpiece editor "+args[0])
			}
			text, err := fs.ReadFile(editorLines, "editors/"+args[0])
			if err == nil {
				_, err = a.out.Write(text)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the extension into `FOLDER`")
	return cmd
}

func editors() []string {
	list, _ := editorLines.ReadDir("editors")
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return append(names, extended)
}

// writeExtension writes the extension of an editor. A folder that holds something else is left alone.
func (a *app) writeExtension(folder string) error {
	if err := mayHold(folder, "language-configuration.json", "setpiece editor"); err != nil {
		return err
	}
	if err := vscode.Write(Version, a.into(folder)); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s: the extension; README.md there says how it is installed\n", folder)
	return nil
}

// into writes files below a folder.
func (a *app) into(folder string) func(file string, data []byte) error {
	return func(file string, data []byte) error {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return badFile(path, err)
		}
		if err := files.WriteAgain(path, &a.seen, data); err != nil {
			return badFile(path, err)
		}
		return nil
	}
}
