//go:build !js

package style

import (
	"strings"

	"github.com/fatih/color"

	"setpiece/interp/transcript"
)

// New returns the palette for a Writer with colour, or the plain one.
func New(on bool) Palette {
	if !on {
		return Palette{}
	}
	return Palette{
		Palette: transcript.Palette{
			Title: style(color.Bold),
			Value: style(color.Bold),
			Good:  style(color.FgGreen),
			Bad:   style(color.FgRed),
			Warn:  style(color.FgYellow),
			Faint: style(color.Faint),
		},
		Error:  style(color.FgRed, color.Bold),
		Caret:  style(color.FgCyan),
		Prompt: style(color.FgCyan, color.Bold),
		Verb:   style(color.Bold),
		Word:   style(color.FgBlue),
		Name:   style(color.FgYellow),
		Text:   style(color.FgGreen),
		Number: style(color.FgMagenta),
		Match:  style(color.Bold, color.Underline),
	}
}

// style gives a colour that is on whatever fatih/color has decided for
// standard output or read from NO_COLOR: whether to colour is decided here.
func style(attrs ...color.Attribute) func(string) string {
	c := color.New(attrs...)
	c.EnableColor()
	before, after, _ := strings.Cut(strings.ReplaceAll(c.Sprint("|"), "\x1b[", "\x1b["+mark+";"), "|")
	return func(s string) string { return before + s + after }
}
