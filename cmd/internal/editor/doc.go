// Package editor answers what an editor asks about scripts that somebody is writing: what is
// wrong, what may be typed at a place, what a name means and where it is declared, what odds a
// command has. It speaks no protocol; package lsp and the commands complete and hover do.
//
// A Workspace holds the documents that are open. A document is a script, a file of rules or a
// note in Markdown, whose fences are scripts. Every place is a byte of a document's text: the
// scripts of a note are excerpts of it, so their places are those of the note.
//
//   - What is known of a script is worked out when somebody asks for it, and kept until its
//     text, or that of a file beside it, changes. In a note a fence that stands on its own and
//     only moved is not checked again.
//   - A script in an editor is a stranger's. It is compiled, and what it declares is
//     executed, within narrow limits. Nothing else of it runs but for odds, which compute.
//   - Text that is being typed has mistakes. What can be read of it counts: for completion
//     and the like, statements with mistakes are left out until the rest compiles.
package editor
