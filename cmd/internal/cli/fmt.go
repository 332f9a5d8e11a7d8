package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/lang"
)

func (a *app) fmtCommand() *cobra.Command {
	var write, show bool
	cmd := &cobra.Command{
		Use:   "fmt FILE…",
		Short: "Format scripts",
		Long: `Format scripts: print them formatted, or with -w write them back. Of notes
in Markdown only the scripts change.
With -d, show the differences; the exit status is 1 if there are any.`,
		Args:              needs("a FILE", 1, -1),
		ValidArgsFunction: scripts,
		RunE: func(_ *cobra.Command, args []string) error {
			if write && show {
				return wrong("-d", "-w and -d do not go together", "")
			}
			for _, path := range args {
				err := a.format(path, write, show)
				if ds := (lang.Diagnostics)(nil); errors.As(err, &ds) {
					a.fail(ds)
				} else if err != nil {
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
	old, text, err := a.formatted(path)
	if err != nil {
		return err
	}
	switch {
	case show && text != old:
		a.worse(statusFailed)
		a.exactly(diff.Diff(path+" (as it is)", []byte(old), path+" (formatted)", []byte(text)))
	case write && text != old:
		return a.rewrite(path, text)
	case !show && !write:
		a.exactly([]byte(text))
	}
	return nil
}

// formatted gives a file as it is, and as it would be.
func (a *app) formatted(path string) (old, text string, err error) {
	type result struct {
		text string
		err  error
	}
	var print func() result
	name, part, inNote := partOf(path)
	if part != "" {
		return "", "", wrong(path, "fmt formats all scripts of a note", "setpiece fmt "+shellWord(name))
	}
	if inNote {
		page, err := a.readFile(path)
		if err != nil {
			return "", "", badFile(path, err)
		}
		old = string(page)
		print = func() result {
			n, ds := notes.Parse(path, old)
			if ds.Errors() {
				return result{err: ds}
			}
			text, ds := n.Format()
			return result{text, wrongText(ds)}
		}
	} else {
		s, err := a.read(path)
		if err != nil {
			return "", "", err
		}
		old = s.src.Text
		print = func() result {
			file, ds, err := lang.ParseContext(a.ctx, s.src)
			if err == nil {
				err = wrongText(ds)
			}
			if err != nil {
				return result{err: err}
			}
			return result{lang.Print(file), nil}
		}
	}
	if most := cmp.Or(a.limits.Source, interp.DefaultSource); len(old) > most {
		return "", "", wrong(path, fmt.Sprintf("%s is longer than %s bytes", path, render.Thousands(int64(most))), "--limit source=VALUE changes this limit")
	}
	printed := make(chan result, 1)
	go func() { printed <- print() }()
	select {
	case r := <-printed:
		return old, r.text, r.err
	case <-a.ctx.Done():
		return "", "", a.ctx.Err() // the program ends, and the printer with it
	}
}

// wrongText is diagnostics as an error, nil where they do no more than warn.
func wrongText(ds lang.Diagnostics) error {
	if ds.Errors() {
		return ds
	}
	return nil
}

// exactly writes a script behind what has been written.
func (a *app) exactly(text []byte) {
	a.out.Flush()
	a.outTo.Exactly(text)
}

// rewrite replaces a file in one go: whatever happens, it is the old one or
// the new one. It keeps its mode.
func (a *app) rewrite(path, text string) error {
	err := a.seen.Writing(func() error {
		return files.Write(path, nil, func(o *files.Output) error {
			_, err := o.WriteString(text)
			return err
		})
	})
	if err != nil {
		return badFile(path, err)
	}
	return nil
}
