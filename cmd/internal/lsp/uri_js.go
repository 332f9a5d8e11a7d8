package lsp

import "strings"

// nameOf is the name of a document for package editor, uriOf the opposite. A page has one document,
// whose name needs no escapes.
func nameOf(uri string) string { return strings.TrimPrefix(uri, "file://") }

func uriOf(name string) string {
	if strings.HasPrefix(name, "/") {
		return "file://" + name
	}
	return name
}
