// Package style decides, for one writer at a time, whether it gets colour, and
// holds the answer as a palette. Nothing else in the program knows an escape
// sequence, and no other one reaches a terminal: see Writer.
package style

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"setpiece/interp/transcript"
)

// When is what the person asked for.
type When int

const (
	Auto When = iota
	Always
	Never
)

var whens = [...]string{Auto: "auto", Always: "always", Never: "never"}

// Whens are the words of --color.
func Whens() []string { return whens[:] }

func (w When) String() string { return whens[w] }

// Set makes When the value of a flag.
func (w *When) Set(s string) error {
	for i, word := range whens {
		if s == word {
			*w = When(i)
			return nil
		}
	}
	return fmt.Errorf("%q must be auto, always or never", s)
}

// Type names the value of the flag in its help.
func (w *When) Type() string { return "WHEN" }

// Enabled says whether out gets colour: by the flag, else NO_COLOR, else TERM,
// else by whether out is a terminal.
func Enabled(out io.Writer, w When, env func(string) string) bool {
	switch {
	case w != Auto:
		return w == Always
	case env("NO_COLOR") != "" || env("TERM") == "dumb":
		return false
	}
	return IsTerminal(out)
}

// IsTerminal says whether a reader or writer is a terminal.
func IsTerminal(f any) bool {
	if w, ok := f.(*Writer); ok {
		f = w.to
	}
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Width gives how many letters fit in a line of a terminal, 80 where that cannot
// be told.
func Width(f any) int {
	w, _ := size(f)
	return w
}

// Height gives how many lines a terminal has, 24 where that cannot be told.
func Height(f any) int {
	_, h := size(f)
	return h
}

func size(f any) (width, height int) {
	if w, ok := f.(*Writer); ok {
		f = w.to
	}
	if file, ok := f.(*os.File); ok {
		if w, h, err := term.GetSize(int(file.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Palette is what the program can colour. The zero Palette is plain.
type Palette struct {
	transcript.Palette
	Error  func(string) string // the first line of an error
	Caret  func(string) string // carets and the help behind them
	Prompt func(string) string

	// Of a line that is being typed.
	Verb, Word, Name, Text, Number func(string) string
	Match                          func(string) string // brackets that belong together
}

// On applies a colour of a palette, which may be nil.
func On(f func(string) string, s string) string {
	if f == nil || s == "" {
		return s
	}
	return f(s)
}
