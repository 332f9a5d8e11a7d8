package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/playground"
	"setpiece/interp"
	"setpiece/lang"
)

func (a *app) playgroundCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "playground -o FOLDER",
		Short: "Write a page with setpiece inside: editor, odds, play, in any browser",
		Long: `Write a page for a browser that has setpiece inside: an editor, runs, odds, play and the
encounters that come with setpiece. Nothing is computed on a server.

-o FOLDER writes files for any web server. A name that ends in .html makes one file of them,
which a browser opens from the disk. The engine is taken from the folder playground beside the
program, as in a release; in the sources of setpiece it is built, with Go and without a network.`,
		Example: "  setpiece playground -o FOLDER\n  setpiece playground -o page.html",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return wrong("", "playground needs -o", "setpiece playground -o FOLDER")
			}
			return a.writePlayground(cmd.Context(), out)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write into `FOLDER`, or into one file if it ends in .html")
	return cmd
}

func (a *app) writePlayground(ctx context.Context, out string) error {
	working := a.working("playground")
	defer working.stop()
	found, err := a.findPlayground(ctx)
	if err != nil {
		return err
	}
	if strings.HasSuffix(out, ".html") {
		if err = a.writePage(out, found.Page()); err == nil {
			fmt.Fprintf(a.out, "%s: open it in a browser\n", out)
		}
		return err
	}
	for name, data := range found {
		if err := a.writePage(filepath.Join(out, name), data); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.out, "%s: %d files for a web server; open index.html through it\n", out, len(found))
	return nil
}

// findPlayground finds what pages with setpiece inside are made of.
func (a *app) findPlayground(ctx context.Context) (playground.Files, error) {
	found, err := playground.Find(ctx, ".")
	if errors.Is(err, playground.ErrNoEngine) {
		return nil, wrong("", err.Error(), "call it in the folder of the sources, or take the program of a release")
	}
	return found, err
}

// siteVariable names the address of the playground that links lead to.
const siteVariable = "SETPIECE_PLAYGROUND"

func (a *app) shareCommand() *cobra.Command {
	site := ""
	cmd := &cobra.Command{
		Use:   "share FILE",
		Short: "Print a link that is the script: it opens in a playground",
		Long: `Print a link that has the script in it. Whoever opens it sees the script in a playground; nothing
of it runs before they press a button. No server sees the script: browsers do not send that part of an address.

--at says where your playground is, and so does the variable ` + siteVariable + `. Without one, share
prints the end of the link: put the address of a playground before it.`,
		Example:           "  setpiece share bog.scene\n  setpiece share --at ADDRESS bog.scene",
		Args:              needs("a FILE", 1, 1),
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.read(args[0])
			if err != nil {
				return err
			}
			if err := a.alone(s); err != nil {
				return err
			}
			link, err := playground.Link(s.src.Text)
			if err != nil {
				return wrong(args[0], args[0]+" cannot be shared: "+err.Error(), "")
			}
			if site == "" {
				site = os.Getenv(siteVariable)
			}
			address, _, _ := strings.Cut(site, "#")
			fmt.Fprintln(a.out, address+link)
			return nil
		},
	}
	cmd.Flags().StringVar(&site, "at", "", "the `ADDRESS` of your playground")
	return cmd
}

// alone refuses a script that needs other files: a link has one text.
func (a *app) alone(s script) error {
	tree, ds := lang.Parse(s.src)
	if ds.Errors() {
		return ds
	}
	shipped := interp.NewSession(library(nil, nil)).Available()
	for _, st := range tree.Stmts {
		switch st := st.(type) {
		case *lang.Include:
			return wrong("", s.name()+" includes another file, and a link has one text", "put the text of "+st.Path.Src.Text[st.Path.Start:st.Path.End]+" in its place")
		case *lang.Use:
			if !slices.Contains(shipped, st.Name.Name) {
				return wrong("", s.name()+" uses "+st.Name.Name+", which is no system that comes with setpiece", "a link has one text")
			}
		}
	}
	return nil
}
