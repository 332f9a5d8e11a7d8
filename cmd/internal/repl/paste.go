package repl

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Readline takes one letter at a time and draws the whole line anew after each,
// so a pasted line of many thousand letters would take minutes. What is pasted
// arrives in one read, though, and nobody types that fast: such a run of letters
// is put aside, readline gets one rune in its place, and the Terminal then puts
// the letters there in one go.

const (
	pasteMark rune = 0xF8FE // stands for letters put aside
	backTab   rune = 0xF8FD // Shift-Tab, which readline does not know
)

// minPaste is the shortest run of letters that counts as pasted.
const minPaste = 12

// longRead is so much in one read that what was pasted may go on in the next.
const longRead = 1 << 10

// pasteReader reads the keys of a terminal.
type pasteReader struct {
	r   io.Reader
	buf [16 << 10]byte
	cut []byte // the beginning of a letter that the last read cut
	out []byte // keys not handed out yet
	ret bool   // the last key was a CR, and what comes next was pasted with it

	mu    sync.Mutex
	runs  []string // put aside, first in first out
	early []byte   // keys that were pressed while nobody read
}

// Read implements io.Reader.
func (p *pasteReader) Read(b []byte) (int, error) {
	for len(p.out) == 0 {
		if early := p.earlier(); len(early) > 0 {
			p.take(early)
			continue
		}
		n := copy(p.buf[:], p.cut)
		more, err := p.r.Read(p.buf[n:])
		n += more
		p.cut = nil
		if more == 0 && err != nil {
			return 0, err
		}
		p.take(p.buf[:n])
		p.ret = p.ret && n >= longRead
	}
	n := copy(b, p.out)
	p.out = p.out[n:]
	return n, nil
}

// ahead has keys read that somebody has pressed while nobody read here.
func (p *pasteReader) ahead(keys string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.early = append(p.early, keys...)
}

// earlier gives these keys, once.
func (p *pasteReader) earlier() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	keys := p.early
	p.early = nil
	return keys
}

// take sorts keys into those that readline gets and those put aside.
func (p *pasteReader) take(keys []byte) {
	if end := completeRunes(keys); end < len(keys) && end > 0 {
		p.cut = append([]byte(nil), keys[end:]...)
		keys = keys[:end]
	}
	for len(keys) > 0 {
		n := letters(keys)
		p.ret = p.ret && n == 0
		if n >= minPaste {
			p.mu.Lock()
			p.runs = append(p.runs, strings.ReplaceAll(string(keys[:n]), "\t", "  "))
			p.mu.Unlock()
			p.out = utf8.AppendRune(p.out, pasteMark)
			keys = keys[n:]
			continue
		}
		if n > 0 {
			p.out = append(p.out, keys[:n]...)
			keys = keys[n:]
			continue
		}
		n = 1
		if keys[0] == '\n' && p.ret { // a pasted line ended by CR LF
			p.ret, keys = false, keys[1:]
			continue
		}
		p.ret = keys[0] == '\r'
		if strings.HasPrefix(string(keys), "\x1b[Z") {
			p.out = utf8.AppendRune(p.out, backTab)
			n = 3
		} else {
			p.out = append(p.out, escape(keys)...)
			n = len(escape(keys))
		}
		keys = keys[n:]
	}
}

// next gives the letters that the next mark stands for.
func (p *pasteReader) next() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.runs) == 0 {
		return ""
	}
	s := p.runs[0]
	p.runs = p.runs[1:]
	return s
}

// letters is how many bytes of letters keys begin with; a tab inside is one of
// them, one at the beginning is a key.
func letters(keys []byte) int {
	n := 0
	for n < len(keys) && (keys[n] >= ' ' && keys[n] != 0x7f || keys[n] == '\t' && n > 0) {
		n++
	}
	return n
}

// escape is the key that keys begin with: a control letter, or an escape
// sequence as a whole, so that its end is not taken for letters.
func escape(keys []byte) []byte {
	if keys[0] != 0x1b || len(keys) < 2 {
		return keys[:1]
	}
	n := 2
	if keys[1] == '[' || keys[1] == 'O' {
		for n < len(keys) && (keys[n] < '@' || keys[n] > '~') {
			n++
		}
		n = min(n+1, len(keys))
	}
	return keys[:n]
}

// completeRunes is how many bytes of b are whole letters.
func completeRunes(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}
