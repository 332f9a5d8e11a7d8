package handbook

import (
	"html"
	"html/template"
	"strings"

	"setpiece/lang/late"
)

// token finds what is told apart in a script: comments, texts, numbers and dice,
// words. Ids of rules are one word.
var token = late.Regexp(`#[^\n]*|"(?:[^"\\\n]|\\.)*"|\d+d\d+|\bd\d+\b|\b\d+(?:\.\d+)?\b|@?[A-Za-z_]\w*(?:\.[a-z_][\w]*)*`)

// page is where a page stands, so that it can link to others.
type page struct {
	b    *Book
	up   string // the way to the first page: "" or "../"
	here string // its file
	// system is preferred where a word means several things.
	system string
}

// code writes a script as HTML, with a link at each word that has a page.
func (p page) code(text string) template.HTML {
	var out strings.Builder
	last := 0
	for _, at := range token().FindAllStringIndex(text, -1) {
		out.WriteString(html.EscapeString(text[last:at[0]]))
		last = at[1]
		word := text[at[0]:at[1]]
		switch c := word[0]; {
		case c == '#':
			out.WriteString(`<span class="c">` + html.EscapeString(word) + `</span>`)
		case c == '"':
			out.WriteString(`<span class="s">` + html.EscapeString(word) + `</span>`)
		case c >= '0' && c <= '9' || c == 'd' && len(word) > 1 && word[1] >= '0' && word[1] <= '9':
			out.WriteString(`<span class="n">` + html.EscapeString(word) + `</span>`)
		default:
			out.WriteString(p.word(word))
		}
	}
	out.WriteString(html.EscapeString(text[last:]))
	return template.HTML(out.String())
}

// word writes a word of a script: an id of a rule, or words with dots between them.
func (p page) word(word string) string {
	if to := p.rule(strings.TrimPrefix(word, "@")); to != "" {
		return link(to, word)
	}
	parts := strings.Split(word, ".")
	for i, w := range parts {
		if to := p.name(w); to != "" && strings.ToLower(w) == w {
			parts[i] = link(to, w)
		} else {
			parts[i] = html.EscapeString(w)
		}
	}
	return strings.Join(parts, ".")
}

func link(to, text string) string {
	return `<a href="` + html.EscapeString(to) + `">` + html.EscapeString(text) + `</a>`
}

// name gives the page of a name as a link from this page; "" if there is none, or if
// this is it.
func (p page) name(word string) string {
	n := p.b.Names[word]
	if n == nil || p.b.names[word] == p.here {
		return ""
	}
	to := p.up + p.b.names[word]
	for _, t := range n.Topics {
		if t.Module == p.system && p.system != "" && len(n.Topics) > 1 {
			return to + "#" + p.system
		}
	}
	return to
}

// rulePage is the file of the page of a rule.
func rulePage(id string) string { return "rule/" + id + ".html" }

// rule gives the page of a rule, whose system may be left out.
func (p page) rule(id string) string {
	for _, id := range []string{id, p.system + "." + id} {
		if file := p.b.rules[id]; file != "" && file != p.here {
			return p.up + file
		}
	}
	return ""
}

// ids finds the ids of rules in a text.
var ids = late.Regexp(`\b[a-z]+(?:\.[a-z_][a-z0-9_]*)+\b`)

// text writes a description as HTML, with a link at each id of a rule.
func (p page) text(text string) template.HTML {
	var out strings.Builder
	last := 0
	for _, at := range ids().FindAllStringIndex(text, -1) {
		if to := p.rule(text[at[0]:at[1]]); to != "" {
			out.WriteString(html.EscapeString(text[last:at[0]]) + link(to, text[at[0]:at[1]]))
			last = at[1]
		}
	}
	out.WriteString(html.EscapeString(text[last:]))
	return template.HTML(out.String())
}
