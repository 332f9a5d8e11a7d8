package sheetfile

import (
	"errors"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// A page in a browser has no files beside its script, so what reads them is not loaded there.

func readYAML(*lang.Source) ([]*Node, lang.Diagnostics) { return nil, nil }

func readTables(*decl.World, *lang.Source) ([]*Node, lang.Diagnostics) { return nil, nil }

// YAML is not for pages in a browser.
func (n *Node) YAML() ([]byte, error) { return nil, errors.ErrUnsupported }
