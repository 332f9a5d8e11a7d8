package player

import "strings"

// TypedAhead gives the lines that somebody has typed while nothing was asked. A single key
// is none: it was to end what was being shown. Ctrl-C drops all of it, Ctrl-U the line, and
// a backspace the last letter.
func TypedAhead(keys string) []string {
	var lines []string
	var line []rune
	ended := false
	end := func() {
		if text := strings.TrimSpace(string(line)); text != "" {
			lines = append(lines, text)
		}
		line = nil
	}
	for keys != "" {
		rest := []rune(keys)
		skip := 1
		switch r := rest[0]; {
		case r == 0x03:
			return nil
		case r == '\r' || r == '\n':
			ended = true
			end()
		case r == 0x15:
			line = nil
		case r == 0x7f || r == '\b':
			line = line[:max(len(line)-1, 0)]
		case r == 0x1b:
			skip = sequence(rest)
		case r >= ' ':
			line = append(line, r)
		}
		keys = string(rest[skip:])
	}
	if len(line) == 1 && !ended {
		return lines
	}
	end()
	return lines
}

// sequence is how long the escape sequence is that keys begin with.
func sequence(keys []rune) int {
	if len(keys) < 2 || keys[1] != '[' && keys[1] != 'O' {
		return min(len(keys), 2)
	}
	for i := 2; i < len(keys); i++ {
		if keys[i] >= '@' && keys[i] <= '~' {
			return i + 1
		}
	}
	return len(keys)
}
