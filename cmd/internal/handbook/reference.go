package handbook

import (
	"fmt"
	"strings"

	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/lang/late"
)

// The reference has every word, sign, type and function of the language, and what the
// program adds: limits and commands. It is made of the tables that help reads.

// kindsOfWords are the kinds of words that the language and the program have, with their
// headings, in the order of the reference.
var kindsOfWords = [][2]string{
	{"declaration", "Declarations"}, {"word", "Parts of declarations and statements"}, {"statement", "Statements"},
	{"expression", "Expressions"}, {"operator", "Operators"}, {"value", "Values"}, {"type", "Types"}, {"function", "Functions"},
	{"limit", "Limits"}, {"command of the program", "Commands of the program"}, {"command of the prompt", "Commands of the prompt"},
}

// general lists what the language, its functions and the program have names for.
func general(program []assist.Topic) []assist.Topic {
	var out []assist.Topic
	for _, e := range lang.Glossary() {
		out = append(out, assist.Topic{Name: e.Name, Kind: e.Kind, InUse: true, Form: e.Form, Doc: e.Doc, Example: e.Example})
	}
	return append(append(out, assist.Functions()...), program...)
}

// Reference is the guide that lists all of it, with an example each.
func Reference(program []assist.Topic) Guide {
	var s strings.Builder
	s.WriteString("# The language, word by word\n\nEvery word of the language with an example, the limits of scripts, and the commands.\n")
	topics := general(program)
	for _, k := range kindsOfWords {
		fmt.Fprintf(&s, "\n## %s\n", k[1])
		if k[0] == "function" {
			s.WriteString("\nA function is called in two ways, after its first value or around it.\n")
		}
		for _, t := range topics {
			if t.Kind == k[0] {
				fmt.Fprintf(&s, "\n### `%s`\n\n", t.Name)
				if t.Form != "" && t.Form != t.Name {
					fmt.Fprintf(&s, "`%s`\n\n", t.Form)
				}
				fmt.Fprintf(&s, "%s\n\n```setpiece\n%s\n```\n", t.Doc, t.Example)
			}
		}
	}
	return Guide{Name: "reference", File: "reference.md", Title: "The language, word by word", About: "each word, function, limit and command with an example", Text: s.String()}
}

// codeFolder has a page for each code.
const codeFolder = "code/"

// Codes is the guide that lists the messages by their codes.
func Codes() Guide {
	var s strings.Builder
	before, _, _ := strings.Cut(lang.Codes, "\n## ")
	s.WriteString(before + "\n")
	for _, p := range lang.CodePages() {
		fmt.Fprintf(&s, "- [%s](%s%s.html) %s\n", p.Code, codeFolder, p.Code, p.Title)
	}
	return Guide{Name: "codes", File: "CODES.md", Title: "Messages by their codes", About: "what a mistake or warning means, and what to write instead", Text: s.String()}
}

var term = late.Regexp(`(?m)^- \*\*([^*]+)\*\*: (.+)$`)

// Terms are the entries of a glossary: "- **word**: what it means".
func Terms(glossary string) []assist.Topic {
	var out []assist.Topic
	for _, m := range term().FindAllStringSubmatch(glossary, -1) {
		out = append(out, assist.Topic{Name: m[1], Kind: "term", InUse: true, Doc: strings.ReplaceAll(m[2], "`", "")})
	}
	return out
}
