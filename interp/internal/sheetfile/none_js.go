package sheetfile

import (
	"errors"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// A page in a browser has no files beside its script, so what reads them is not loaded there.

func readYAML(src *lang.Source) ([]*Node, lang.Diagnostics) {
	return nil, lang.Diagnostics{decl.ErrAt(lang.Span{Src: src}, "SP0547", "in a browser no sheets are read from files")}
}

func readTables(_ *decl.World, src *lang.Source) ([]*Node, lang.Diagnostics) { return readYAML(src) }

// YAML is not for pages in a browser.
func (n *Node) YAML() ([]byte, error) { return nil, errors.ErrUnsupported }
