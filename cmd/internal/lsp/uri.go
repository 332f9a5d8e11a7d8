//go:build !js

package lsp

import (
	"net/url"
	"strings"
)

// nameOf is the name of a document for package editor, uriOf the opposite.
func nameOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // of Windows
		path = path[1:]
	}
	return path
}

func uriOf(name string) string {
	switch {
	case strings.HasPrefix(name, "/"):
		return (&url.URL{Scheme: "file", Path: name}).String()
	case len(name) > 1 && name[1] == ':':
		return (&url.URL{Scheme: "file", Path: "/" + name}).String()
	}
	return name
}
