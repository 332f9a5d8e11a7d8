package repl

import (
	"slices"
	"strings"

	"setpiece/cmd/internal/player"
	"setpiece/interp/assist"
)

// Complete tells what may stand at a place in a line: completions of the word
// that begins at from. At a question these are its options and the commands that
// are understood there.
func (l *Loop) Complete(line string, at int) (from int, list []assist.Completion) {
	before := line[:at]
	commands, asked := commands(), l.evening.Open() != nil
	if asked {
		commands = questionCommands()
	}
	if !player.IsCommand(before) {
		pending := l.pending + before
		from, list = l.evening.Complete(pending+line[at:], len(pending))
		return max(from-len(l.pending), 0), merge(list)
	}
	start := strings.Index(before, ":") + 1
	name, arg, spaced := strings.Cut(before[start:], " ")
	if !spaced {
		return start - 1, completeCommand(commands, name)
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if c, ok := lookCommand(name); i < 0 && ok && !asked { // a short form
		i = slices.IndexFunc(commands, func(o command) bool { return o.name == c.name })
	}
	if i < 0 || commands[i].words == nil {
		return at, nil
	}
	c := commands[i]
	arg = strings.TrimLeft(arg, " ")
	for _, w := range c.words(l, arg) {
		if strings.HasPrefix(w, arg) {
			list = append(list, assist.Completion{Text: w, Kind: "word"})
		}
	}
	return at - len(arg), list
}

// Hint says what may come next at the end of a line: the rest of the word that is
// being typed, which can be taken over, or else a clause, an operand, an argument.
func (l *Loop) Hint(line string) (text string, take bool) {
	if l.evening.Open() != nil {
		return "", false
	}
	if player.IsCommand(line) {
		name, arg, spaced := strings.Cut(strings.TrimLeft(line, " ")[1:], " ")
		if c, ok := lookCommand(name); ok && spaced && arg == "" {
			return c.args, false
		}
	} else if h := assist.Hint(l.evening.Session(), l.pending+line); h != "" {
		return h, false
	}
	if line == "" || strings.HasSuffix(line, " ") {
		return "", false
	}
	from, list := l.Complete(line, len(line))
	if len(list) == 0 || from == len(line) {
		return "", false
	}
	text, take = strings.CutPrefix(list[0].Text, line[from:])
	if !take {
		return "", false
	}
	return text, true
}

// WordKind tells what a word is, for its colour.
func (l *Loop) WordKind(word string) string { return assist.WordKind(l.evening.Session(), word) }

func completeCommand(commands []command, start string) []assist.Completion {
	var list []assist.Completion
	for _, c := range commands {
		if strings.HasPrefix(c.name, start) {
			list = append(list, assist.Completion{Text: ":" + c.name, Doc: c.doc, Kind: "word"})
		}
	}
	return list
}

// merge makes one completion of those with the same word, with all that it may
// mean.
func merge(list []assist.Completion) []assist.Completion {
	at := map[string]int{}
	var merged []assist.Completion
	for _, c := range list {
		i, known := at[c.Text]
		if !known {
			at[c.Text] = len(merged)
			merged = append(merged, c)
			continue
		}
		if m := &merged[i]; c.Doc != "" && !slices.Contains(strings.Split(m.Doc, "; "), c.Doc) {
			m.Doc = strings.TrimPrefix(m.Doc+"; "+c.Doc, "; ")
		}
	}
	return merged
}

// shared is the longest beginning of all completions.
func shared(list []assist.Completion) string {
	if len(list) == 0 {
		return ""
	}
	s := []rune(list[0].Text)
	for _, c := range list[1:] {
		n := 0
		for _, r := range c.Text {
			if n == len(s) || s[n] != r {
				break
			}
			n++
		}
		s = s[:n]
	}
	return string(s)
}
