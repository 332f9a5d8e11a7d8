package cli

import (
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/style"
	"setpiece/lang"
)

func (a *app) fmtCommand() *cobra.Command {
	var write, show bool
	cmd := &cobra.Command{
		Use:   "fmt FILE…",
		Short: "Format scripts",
		Long: `Format scripts: print them formatted, or with -w write them back.
With -d, show the differences; the exit status is 1 if there are any.`,
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(_ *cobra.Command, args []string) error {
			if write && show {
				return wrong("-d", "-w and -d do not go together", "")
			}
			for _, path := range args {
				if err := a.format(path, write, show); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the result back to the file")
	cmd.Flags().BoolVarP(&show, "diff", "d", false, "show what would change")
	return cmd
}

func (a *app) format(path string, write, show bool) error {
	if path == "-" && write {
		return wrong("-", "standard input cannot be written back", "")
	}
	s, err := a.read(path)
	if err != nil {
		return err
	}
	file, ds, err := lang.ParseContext(a.ctx, s.src)
	if err != nil {
		return err
	}
	if statusOf(ds) == statusWrong {
		a.fail(ds, nil)
		return nil
	}
	printed := make(chan string, 1)
	go func() { printed <- lang.Print(file) }()
	old, text := s.src.Text, ""
	select {
	case text = <-printed:
	case <-a.ctx.Done():
		return a.ctx.Err() // the program ends, and the printer with it
	}
	switch {
	case show && text != old:
		a.worse(statusFailed)
		a.exactly(diff.Diff(path+" (as it is)", []byte(old), path+" (formatted)", []byte(text)))
	case write && text != old:
		return rewrite(path, text)
	case !show && !write:
		a.exactly([]byte(text))
	}
	return nil
}

// exactly writes a script as it is, but for a terminal: there what is no letter
// is made visible.
func (a *app) exactly(text []byte) {
	if style.IsTerminal(a.outTo) {
		a.out.Write(text)
		return
	}
	a.out.Flush()
	style.Raw(a.outTo).Write(text)
}

// rewrite replaces a file in one go: whatever happens, it is the old one or
// the new one. It keeps its mode.
func rewrite(path, text string) error {
	err := files.Write(path, nil, func(o *files.Output) error {
		_, err := o.WriteString(text)
		return err
	})
	if err != nil {
		return badFile(path, err)
	}
	return nil
}
