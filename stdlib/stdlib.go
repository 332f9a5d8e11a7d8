// Package stdlib holds the rule modules that ship with setpiece. They are
// scripts in the language itself: NAME/NAME.rules is the head of a module, the
// files it includes lie beside it, and so do its variants and quick.md, which says what
// stands on the two pages that are printed for the table.
package stdlib

import (
	_ "embed"
	"io/fs"
)

// FS is the modules, to be given to interp.Config.Modules.
var FS fs.FS = files

// Guide is for game masters, Editor for whoever writes in an editor, Authors for those who write rules, Glossary says what
// their words mean; all in Markdown.
var (
	//go:embed GUIDE.md
	Guide string
	//go:embed EDITOR.md
	Editor string
	//go:embed AUTHORS.md
	Authors string
	//go:embed GLOSSARY.md
	Glossary string
)
