package lang

import _ "embed"

// Guide describes the language, in Markdown.
//
//go:embed LANGUAGE.md
var Guide string
