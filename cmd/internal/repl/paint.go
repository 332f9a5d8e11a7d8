package repl

import (
	"strings"
	"unicode"

	"setpiece/cmd/internal/style"
)

// Paint colours a line that is being typed. kind tells what a word is, as
// interp.Session.WordKind does; pos is where the cursor stands, and the bracket
// there is shown with its partner. Without the colours the line is the same.
func Paint(p style.Palette, kind func(word string) string, line string, pos int) string {
	if p.Verb == nil {
		return line
	}
	in := painter{p: p, kind: kind, runes: []rune(line)}
	in.a, in.b = partners(in.runes, pos)
	in.paint()
	return in.out.String()
}

type painter struct {
	p     style.Palette
	kind  func(string) string
	runes []rune
	out   strings.Builder
	a, b  int  // the bracket at the cursor and its partner, or -1
	head  bool // a command or statement begins here
}

func (in *painter) paint() {
	in.head = true
	for i := 0; i < len(in.runes); {
		switch r := in.runes[i]; {
		case r == '#':
			i = in.put(i, len(in.runes), in.p.Faint)
		case r == '"':
			i = in.put(i, textEnd(in.runes, i), in.p.Text)
			in.head = false
		case unicode.IsDigit(r):
			i = in.put(i, wordEnd(in.runes, i), in.p.Number)
			in.head = false
		case unicode.IsLetter(r) || r == '_' || r == ':' && in.head && i+1 < len(in.runes) && unicode.IsLetter(in.runes[i+1]):
			i = in.word(i, wordEnd(in.runes, i+1))
		case i == in.a || i == in.b:
			i = in.put(i, i+1, in.p.Match)
			in.head = r == '{'
		default:
			in.out.WriteRune(r)
			in.head = strings.ContainsRune("{};:\n⏎", r) || in.head && unicode.IsSpace(r)
			i++
		}
	}
}

// put writes runes with a colour.
func (in *painter) put(from, to int, colour func(string) string) int {
	in.out.WriteString(style.On(colour, string(in.runes[from:to])))
	return to
}

// word writes a word in the colour of what it is. A word that should be a verb
// and is none is wrong, once something stands behind it.
func (in *painter) word(from, to int) int {
	w := string(in.runes[from:to])
	head := in.head
	in.head = false
	switch {
	case w[0] == ':':
		if _, ok := findCommand(w[1:]); ok {
			return in.put(from, to, in.p.Verb)
		}
		return in.put(from, to, nil)
	case isDie(w):
		return in.put(from, to, in.p.Number)
	case !unicode.IsLower(in.runes[from]):
		return in.put(from, to, in.p.Name)
	}
	switch kind := in.kind(w); {
	case head && (kind == "verb" || kind == "sheet" || w == "odds" || w == "why"):
		return in.put(from, to, in.p.Verb)
	case kind == "word":
		return in.put(from, to, in.p.Word)
	case head && kind == "" && to < len(in.runes) && in.runes[to] == ' ' && !assigned(in.runes[to:]):
		return in.put(from, to, in.p.Bad)
	}
	return in.put(from, to, nil)
}

// assigned says whether what follows a word sets it.
func assigned(rest []rune) bool {
	s := strings.TrimLeft(string(rest), " ")
	return strings.HasPrefix(s, "=") || strings.HasPrefix(s, "+=") || strings.HasPrefix(s, "-=") || strings.HasPrefix(s, ":")
}

func isDie(w string) bool {
	return len(w) > 1 && w[0] == 'd' && strings.Trim(w[1:], "0123456789%") == ""
}

func wordEnd(line []rune, i int) int {
	for i < len(line) && (unicode.IsLetter(line[i]) || unicode.IsDigit(line[i]) || line[i] == '_') {
		i++
	}
	return i
}

// textEnd is where a text that begins at i ends.
func textEnd(line []rune, i int) int {
	for i++; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// partners finds the bracket right before the cursor, or under it, and the one
// that belongs to it; -1 and -1 if there is none.
func partners(line []rune, pos int) (int, int) {
	pair := bracketPairs(line)
	for _, i := range []int{pos - 1, pos} {
		if j, ok := pair[i]; ok {
			return i, j
		}
	}
	return -1, -1
}

// bracketPairs gives the partner of each bracket that has one; those in texts
// and comments are none.
func bracketPairs(line []rune) map[int]int {
	pair := map[int]int{}
	var open []int
	for i := 0; i < len(line); i++ {
		switch r := line[i]; r {
		case '#':
			return pair
		case '"':
			i = textEnd(line, i) - 1
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if n := len(open) - 1; n >= 0 && strings.ContainsRune("(){}[]", r) && closes(line[open[n]], r) {
				pair[i], pair[open[n]] = open[n], i
				open = open[:n]
			}
		}
	}
	return pair
}

func closes(open, shut rune) bool {
	return open == '(' && shut == ')' || open == '[' && shut == ']' || open == '{' && shut == '}'
}
