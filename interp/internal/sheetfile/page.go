// Package sheetfile reads sheets from files of data, and writes them. Such a file is YAML (and so
// JSON), or a page of Markdown with tables. What is read becomes commands as a script declares sheets
// with, whose places are those in the file: whatever is wrong with a sheet is said by the same code,
// in the same words, at the line of the file.
//
// A key is what an entry of a sheet begins with, and its value what stands behind it. What a field
// of texts holds is taken as it stands; any other value that is no number, list or yes and no is read
// as a script reads it: d8, weak, Nova.HOUND, (star + 2).
package sheetfile

import (
	"path"
	"strings"

	"setpiece/lang"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Scalar
	List
	Map
)

// Node is a value in a file of data.
type Node struct {
	lang.Span
	Kind Kind
	Text string  // of a scalar
	Bare bool    // of a scalar: without quotes
	Bool bool    // of a scalar: true or false
	Cell bool    // of a scalar: in a table, where commas may part values
	Keys []*Node // of a map
	Kids []*Node // of a list, or the values of a map

	script lang.Span // where the text stands and can be read as script; without a source where it does not
}

// maxFile bounds a file of sheets, maxDepth how deep values are nested in it.
const (
	maxFile  = 256 << 10
	maxDepth = 16
)

// Is says whether a file can hold sheets, by its name.
func Is(file string) bool { return IsData(file) || isPage(file) }

// IsData says whether a file is YAML or JSON, by its name.
func IsData(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

func isPage(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return ext == ".md" || ext == ".markdown"
}

// get gives the value of a key of a map, nil where it has none.
func (n *Node) get(key string) *Node {
	for i, k := range n.Keys {
		if k.Text == key {
			return n.Kids[i]
		}
	}
	return nil
}
