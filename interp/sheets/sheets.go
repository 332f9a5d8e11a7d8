// Package sheets gives the sheets of a script as data that other programs read and write, as YAML
// and as JSON, and a schema of that data, made of what the systems in use declare. A script reads
// such a file with cast from.
package sheets

import (
	"context"
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/sheetfile"
	"setpiece/lang"
)

// Sheets are the sheets of a script.
type Sheets struct {
	file   *sheetfile.Node
	played string // the verb that first begins something
	late   []string
}

// Of gives the sheets that a script declares, in its scenes, too, with what their declarations say. The
// script is not run, and the session is not changed. A script with mistakes gives lang.Diagnostics.
func Of(ctx context.Context, s *interp.Session, src *lang.Source) (*Sheets, error) {
	run := core.Of(s)
	entries := []decl.Entry{}
	run.World.Entries = &entries
	w, _, _, err := run.Compile(ctx, src, false)
	run.World.Entries = nil
	if err != nil {
		return nil, err
	}
	file, diags := sheetfile.Sheets(w, entries)
	if len(diags) > 0 {
		return nil, diags
	}
	x := &Sheets{file: file}
	begins := lang.Span{}
	tree, _ := lang.Parse(src)
	for _, s := range tree.Stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if c, ok := n.(*lang.Command); ok && begins.Src == nil && compile.Titles(w, decl.WordOf(c.Head)) {
				begins, x.played = c.Span, decl.WordOf(c.Head)
			}
			_, test := n.(*lang.Test)
			return !test
		})
	}
	for _, e := range entries {
		if e.By != nil && begins.Src != nil && e.Who.At.Src == src && e.Who.At.Start > begins.Start {
			x.late = append(x.late, sheetfile.NameOf(e))
		}
	}
	return x, nil
}

// Late gives whose sheets are declared when something has begun, and the verb that begins it: with a file that is
// read at the top they are there from the start.
func (s *Sheets) Late() (verb string, names []string) {
	here := s.Names()
	return s.played, slices.DeleteFunc(slices.Clone(s.late), func(name string) bool { return !slices.Contains(here, name) })
}

// Names gives whose sheets they are, in order.
func (s *Sheets) Names() []string { return s.file.Names() }

// Only leaves the sheets of some. It gives a name of which there is no sheet, or "".
func (s *Sheets) Only(names ...string) string { return s.file.Only(names) }

// YAML writes the sheets as YAML.
func (s *Sheets) YAML() ([]byte, error) { return s.file.YAML() }

// JSON writes the sheets as JSON.
func (s *Sheets) JSON() ([]byte, error) { return s.file.JSON() }

// Schema gives the JSON schema of files of sheets for what a text declares and takes into use.
func Schema(ctx context.Context, s *interp.Session, src *lang.Source) ([]byte, error) {
	w, _, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil, err
	}
	return sheetfile.Schema(w).JSON()
}

// System gives the system that a file of sheets names, with its version, or "".
func System(src *lang.Source) string { return sheetfile.System(src) }

// Script gives the sheets of a file as a script for the systems in use in a session.
func Script(ctx context.Context, s *interp.Session, src *lang.Source) ([]byte, error) {
	run := core.Of(s)
	commands, _, diags := sheetfile.Commands(run.World, src)
	if core.Failed(diags) {
		return nil, diags
	}
	file := &lang.File{Span: lang.Span{Src: src}}
	for _, c := range commands {
		file.Stmts = append(file.Stmts, c)
	}
	if _, _, _, err := run.CompileTree(ctx, file, nil, false); err != nil {
		return nil, err
	}
	return []byte(sheetfile.Script(commands)), nil
}
