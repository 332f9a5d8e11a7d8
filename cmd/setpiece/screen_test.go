package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// screen is what a person sees: a terminal that knows as much of its escape
// sequences as readline uses, and never forgets a line.
type screen struct {
	rows     [][]rune
	row, col int
	rest     []byte // the beginning of a sequence
}

func (s *screen) Write(p []byte) (int, error) {
	data := append(s.rest, p...)
	s.rest = nil
	for len(data) > 0 {
		n := s.next(data)
		if n == 0 {
			s.rest = append([]byte(nil), data...)
			break
		}
		data = data[n:]
	}
	return len(p), nil
}

// next takes one character or sequence and returns its length, 0 if it is cut off.
func (s *screen) next(data []byte) int {
	switch data[0] {
	case '\r':
		s.col = 0
	case '\n':
		s.row++
	case '\b':
		s.col = max(s.col-1, 0)
	case '\a':
	case 0x1b:
		return s.escape(data)
	default:
		if !utf8.FullRune(data) {
			return 0
		}
		r, n := utf8.DecodeRune(data)
		s.put(r)
		return n
	}
	return 1
}

func (s *screen) escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	if data[1] != '[' {
		return 2
	}
	for i := 2; i < len(data); i++ {
		if data[i] >= '@' && data[i] <= '~' {
			s.control(data[i], string(data[2:i]))
			return i + 1
		}
	}
	return 0
}

func (s *screen) control(final byte, arg string) {
	n, err := strconv.Atoi(arg)
	times := max(n, 1)
	switch final {
	case 'A':
		s.row = max(s.row-times, 0)
	case 'B':
		s.row += times
	case 'C':
		s.col += times
	case 'D':
		s.col = max(s.col-times, 0)
	case 'J':
		s.cut(s.col)
		if s.row < len(s.rows) {
			s.rows = s.rows[:s.row+1]
		}
	case 'K':
		if err == nil && n == 2 {
			s.cut(0)
		} else {
			s.cut(s.col)
		}
	}
}

func (s *screen) cut(col int) {
	if s.row < len(s.rows) && col < len(s.rows[s.row]) {
		s.rows[s.row] = s.rows[s.row][:col]
	}
}

func (s *screen) put(r rune) {
	for len(s.rows) <= s.row {
		s.rows = append(s.rows, nil)
	}
	line := s.rows[s.row]
	for len(line) <= s.col {
		line = append(line, ' ')
	}
	line[s.col] = r
	s.rows[s.row] = line
	s.col += max(runewidth.RuneWidth(r), 1)
}

// line is the line with the cursor, up to the cursor.
func (s *screen) line() string {
	if s.row >= len(s.rows) {
		return ""
	}
	return string(s.rows[s.row][:min(s.col, len(s.rows[s.row]))])
}

// String is all that has been shown, without blanks at the ends of lines.
func (s *screen) String() string {
	var b strings.Builder
	for _, r := range s.rows {
		b.WriteString(strings.TrimRight(string(r), " ") + "\n")
	}
	return b.String()
}
