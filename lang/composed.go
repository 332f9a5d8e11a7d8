//go:build !js

package lang

import "golang.org/x/text/unicode/norm"

// composed gives a text in which a letter and the accent behind it are one character (Unicode's form NFC), as
// most keyboards type them: a name is the same however its letters were put together.
func composed(text string) string { return norm.NFC.String(text) }
