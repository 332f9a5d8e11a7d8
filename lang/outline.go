package lang

import (
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
)

// A module of rules is long and a scene uses little of it, so the bodies of
// rules can be left for later. The lexer is some twenty times as fast as the
// parser: an outline is made by lexing everything and putting one Body token in
// the place of each body. Its text is lexed and parsed when it is read.

// Outline parses a source like Parse, but leaves the bodies of rules, handlers,
// checks, tests and verbs to Block.Read. Mistakes in them are found there. A
// source with mistakes outside of them is parsed as a whole.
func Outline(src *Source) (*File, Diagnostics) {
	p := borrow()
	defer p.giveBack()
	p.outline = true
	f, diags := p.file(src)
	p.outline = false
	if len(diags) > 0 {
		return p.file(src)
	}
	return f, nil
}

// unread is the body of an Outline.
type unread struct {
	once   sync.Once
	hidden hiddenPart
	read   *Block
	diags  Diagnostics
}

// Read gives a block with its statements, and the mistakes in it: one that
// Outline left unread is parsed for it, once. Every other block is given as it
// is. Several may read a block at the same time.
func (b *Block) Read() (*Block, Diagnostics) {
	u := b.unread
	if u == nil {
		return b, nil
	}
	u.once.Do(func() {
		p := borrow()
		defer p.giveBack()
		lex := p.begin(b.Src, p.scan(b.Src.Text, int(b.Start), int(b.End), false))
		u.read = &Block{Span: b.Span}
		p.twice(lex, func() error {
			read, err := p.parseBlock(lex)
			if err == nil {
				u.read = read.block()
			}
			return err
		})
		u.diags = p.finish()
	})
	return u.read, u.diags
}

// Annotations gives the annotations that stand in a block that Outline left
// unread, without what they explain.
func (b *Block) Annotations() []*Annotated {
	if b.unread == nil {
		return nil
	}
	return b.unread.hidden.annotations
}

// Decisions gives the names of the decisions that are offered in a block that Outline
// left unread.
func (b *Block) Decisions() []string {
	if b.unread == nil {
		return nil
	}
	return b.unread.hidden.decisions
}

// hidden is what is known of the bodies of an outline, by where these begin.
type hidden map[int]hiddenPart

type hiddenPart struct {
	annotations []*Annotated
	decisions   []string
}

// fold puts Body tokens in place of bodies.
func (p *parser) fold(toks *tokens) {
	p.hidden = hidden{}
	list := toks.list
	out := list[:0]
	for i := 0; i < len(list); i++ {
		out = append(out, list[i])
		open := bodyAfter(list, i)
		if open < 0 {
			continue
		}
		shut := foldable(list, open)
		if shut < 0 {
			continue
		}
		at := list[open].Pos
		p.hidden[at.Offset] = hiddenPart{p.annotationsIn(list[open : shut+1]), decisionsIn(list[open : shut+1])}
		out = append(out, list[i+1:open]...)
		out = append(out, lexer.Token{Type: kindBody, Value: p.src.Text[at.Offset:tokEnd(&list[shut])], Pos: at})
		i = shut
	}
	toks.list = out
}

// bodyAfter gives the index of the brace that opens the body of the declaration
// that begins with token i, -1 where there is none.
func bodyAfter(list []lexer.Token, i int) int {
	t := &list[i]
	if t.Type != kindWord || i > 0 && list[i-1].Type != kindEOL && !is(&list[i-1], "{") && !is(&list[i-1], "}") {
		return -1
	}
	switch t.Value {
	case "rule", "on", "check", "test", "do":
	default:
		return -1
	}
	depth := 0
	for j := i + 1; j < len(list); j++ {
		switch t := &list[j]; {
		case t.Type == kindEOL, t.Type == kindEOF, is(t, "}"), depth == 0 && (is(t, ":") || is(t, "=")):
			return -1
		case is(t, "("), is(t, "["):
			depth++
		case is(t, ")"), is(t, "]"):
			depth--
		case is(t, "{"):
			return j
		}
	}
	return -1
}

// foldable gives the index of the brace that closes the one at open. Outcomes
// name values that others may ask for: where there is one, the body is not left
// for later.
func foldable(list []lexer.Token, open int) int {
	depth := 0
	for j := open; j < len(list); j++ {
		switch t := &list[j]; {
		case is(t, "{"):
			depth++
		case is(t, "}"):
			if depth--; depth == 0 {
				return j
			}
		case isWord(t, "outcome"), isWord(t, "stands"):
			return -1
		}
	}
	return -1
}

// annotationsIn collects the annotations of a body from its tokens.
func (p *parser) annotationsIn(list []lexer.Token) []*Annotated {
	var all []*Annotated
	for i := 0; i < len(list); i++ {
		if !is(&list[i], "@") {
			continue
		}
		if i > 0 && isWord(&list[i-1], "recorded") {
			i--
		}
		a, n, err := p.annotationIn(list[i:])
		if err == nil {
			all = append(all, a)
		}
		i += n - 1
	}
	return all
}

// decisionsIn collects the names of the decisions that a body offers from its tokens.
func decisionsIn(list []lexer.Token) []string {
	var names []string
	for i := range len(list) - 2 {
		offer := isWord(&list[i], "offer") && isWord(&list[i+2], "to")
		choose := isWord(&list[i], "choose") && isWord(&list[i+2], "by")
		if (offer || choose) && list[i+1].Type == kindWord {
			names = append(names, list[i+1].Value)
		}
	}
	return names
}
