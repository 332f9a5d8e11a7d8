// Package lsp speaks the Language Server Protocol, version 3.17, for package editor.
//
// A message is read, answered from a Workspace, and written; nothing is decided here but how
// the protocol says it. Three things are the protocol's own:
//
//   - Positions are lines and UTF-16 units. They become bytes when a message comes in, and
//     lines again when one goes out (position.go); nothing else knows of them.
//   - Files are named by URIs. Those that begin with setpiece: are the rules that come with the
//     program; an editor reads their texts with workspace/textDocumentContent.
//   - What takes long (odds, running, tuning) is worked out in goroutines of its own, which the
//     next change of a text ends. Mistakes are told when nobody has typed for a moment.
//
// The server writes no file. A panic in it is an error of the one request.
package lsp
