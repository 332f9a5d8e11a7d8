// Package notes reads scripts out of notes in Markdown, and writes results into them.
//
// A game master keeps an evening as a page of prose with scenes in it. Each scene stands in
// a fenced block whose first word is setpiece:
//
//	```setpiece
//	use cah
//	hero Nova { star 3; AIM 4 }
//	```
//
// The fences of a note are one script, in order. A fence with file=NAME is a file that
// others include, one with alone a script of its own. The rest of the note is prose.
//
// Three ideas hold the package together:
//
//   - goldmark finds the fences, as it would for a web page: in lists, in quotes, with
//     tildes. Only its block parser runs; nothing is rendered.
//   - A script is an excerpt of the note (lang.NewExcerpt): all else is blanked, so lines and
//     columns are those of the note.
//   - Whatever writes into a note (fmt, tune, weave) replaces stretches of bytes, each
//     within a fence or between two marks. What lies outside of them is copied.
package notes
