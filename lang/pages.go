//go:build !js

package lang

import _ "embed"

// Guide describes the language, in Markdown.
//
//go:embed LANGUAGE.md
var Guide string

// Codes has a page for each code that a Diagnostic may have, in Markdown.
//
//go:embed CODES.md
var Codes string

// dicePage asks questions of dice in three notations.
//
//go:embed DICE.md
var dicePage string
