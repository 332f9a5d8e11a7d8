package interp

import _ "embed"

// Figures says how fast the program is and how that was measured, in Markdown.
//
//go:embed FIGURES.md
var Figures string
