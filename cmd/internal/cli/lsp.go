package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	service "setpiece/cmd/internal/editor"
	"setpiece/cmd/internal/lsp"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/style"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

func (a *app) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: mistakes, completion, odds beside the lines",
		Long: `Serve an editor that speaks the Language Server Protocol (3.17), on standard input and
output. Editors start this command themselves: setpiece editor prints how to tell yours.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := lsp.Serve(cmd.Context(), stdio{a.in, style.Raw(a.outTo)}, library(nil, a.places()), Version, a.errTo)
			if err != nil {
				a.worse(statusFailed)
			}
			return nil
		},
	}
}

// stdio is standard input and output as one stream.
type stdio struct {
	io.Reader
	io.Writer
}

func (s stdio) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// completeCommand and hoverCommand answer for one place, for editors that speak no protocol.
func (a *app) completeCommand() *cobra.Command {
	return a.placeCommand("complete", "List what may be typed at a place of a script", func(w *service.Workspace, name string, off int, asJSON bool) {
		_, list := w.Complete(name, off)
		for _, c := range list {
			if asJSON {
				a.object(jsonCompletion{transcript.Record{Event: "completion"}, c.Text, c.Kind, c.Doc})
			} else {
				fmt.Fprintf(a.out, "%s\t%s\t%s\n", c.Text, c.Kind, c.Doc)
			}
		}
	})
}

func (a *app) hoverCommand() *cobra.Command {
	return a.placeCommand("hover", "Explain what stands at a place of a script", func(w *service.Workspace, name string, off int, asJSON bool) {
		text, _ := w.Hover(name, off)
		switch {
		case asJSON:
			a.object(jsonHover{transcript.Record{Event: "hover"}, text})
		case text != "":
			fmt.Fprintln(a.out, text)
		}
	})
}

type jsonCompletion struct {
	transcript.Record
	Text string `json:"text"`
	Kind string `json:"kind"`
	Doc  string `json:"doc"`
}

type jsonHover struct {
	transcript.Record
	Text string `json:"text"`
}

func (a *app) placeCommand(use, short string, do func(w *service.Workspace, name string, off int, asJSON bool)) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   use + " FILE:LINE:COLUMN",
		Short: short,
		Long: short + `, for editors that do not speak the protocol of setpiece lsp.
Lines and columns count from 1; columns are characters. With - as FILE the text is
read from standard input.`,
		Example:           "  setpiece " + use + " bog.scene:12:20",
		Args:              needs("a FILE:LINE:COLUMN", 1, 1),
		ValidArgsFunction: scripts,
		RunE: func(_ *cobra.Command, args []string) error {
			w := service.New(library(nil, a.places()))
			name, off, err := a.place(w, args[0])
			if err == nil {
				do(w, name, off, asJSON)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, usageJSON)
	return cmd
}

// place opens the file of FILE:LINE:COLUMN and gives the byte that is meant.
func (a *app) place(w *service.Workspace, arg string) (name string, off int, err error) {
	parts := strings.Split(arg, ":")
	bad := wrong(arg, arg+" is no place in a file", "such as bog.scene:12:20")
	if len(parts) < 3 {
		return "", 0, bad
	}
	n := len(parts)
	line, err1 := strconv.Atoi(parts[n-2])
	column, err2 := strconv.Atoi(parts[n-1])
	if err1 != nil || err2 != nil || line < 1 || column < 1 {
		return "", 0, bad
	}
	file := strings.Join(parts[:n-2], ":")
	s, text := file, ""
	if notes.Is(file) {
		data, err := a.readFile(file)
		if err != nil {
			return "", 0, badFile(file, err)
		}
		text = string(data)
	} else {
		read, err := a.read(file)
		if err != nil {
			return "", 0, err
		}
		text = read.src.Text
	}
	if file == "-" {
		s = "stdin.scene"
	}
	abs, err := filepath.Abs(s)
	if err != nil {
		return "", 0, err
	}
	name = filepath.ToSlash(abs)
	w.Set(name, text)
	src := lang.NewSource(file, text)
	if line > src.Lines()+1 {
		return "", 0, wrong(arg, fmt.Sprintf("%s has %d lines", file, src.Lines()), "")
	}
	for i := 1; i < line; i++ {
		if k := strings.IndexByte(text[off:], '\n'); k >= 0 {
			off += k + 1
		}
	}
	rest, _, _ := strings.Cut(text[off:], "\n")
	n = 1
	for i := range rest {
		if n == column {
			return name, off + i, nil
		}
		n++
	}
	return name, off + len(strings.TrimRight(rest, "\r")), nil
}
