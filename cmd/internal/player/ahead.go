package player

import (
	"strings"
	"unicode/utf8"
)

// TypedAhead gives the keys that count of those that somebody has pressed while nothing was
// asked. A single key does not, nor an Enter at the beginning: they were to end what was being
// shown. Ctrl-C drops all of it.
func TypedAhead(keys string) string {
	if strings.ContainsRune(keys, 0x03) {
		return ""
	}
	keys = strings.TrimLeft(keys, "\r\n")
	if len(keys) == oneKey(keys) {
		return ""
	}
	return keys
}

// oneKey is how long the key is that keys begin with: a letter or an escape sequence.
func oneKey(keys string) int {
	if !strings.HasPrefix(keys, "\x1b") {
		_, n := utf8.DecodeRuneInString(keys)
		return n
	}
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
