package notes

import (
	"fmt"
	"strings"

	"setpiece/lang"
)

// Format formats the scripts of a note and gives the note with them. What a list or a quote
// puts before a line, and how lines end, stays.
//
// A script may go on over several fences in the middle of a block, with prose between. Then
// no fence can be parsed alone: the whole script is printed, with a comment where each
// fence begins, and taken apart at these comments.
func (n *Note) Format() (string, lang.Diagnostics) {
	printed := map[*Fence]string{}
	var diags lang.Diagnostics
	for _, s := range n.Scripts() {
		if s.Wrong {
			continue
		}
		whole := n.Excerpt(s)
		if _, ds := lang.Parse(whole); ds.Errors() {
			diags = append(diags, ds...)
			continue
		}
		if !n.printEach(s, printed) && !n.printWhole(s, printed) {
			diags = append(diags, n.wrong(s.Fences[0].at, "SP0818", "", "fmt cannot format this script: a statement of it goes on in another fence"))
		}
	}
	if len(diags) > 0 {
		diags.Sort()
		return "", diags
	}
	var b strings.Builder
	at := 0
	for _, f := range n.Fences {
		text, ok := printed[f]
		if !ok {
			continue
		}
		b.WriteString(n.Text[at:f.Open.End])
		for line := range strings.Lines(text) {
			b.WriteString(strings.TrimRight(f.prefix+strings.TrimRight(line, "\n"), " \t") + f.eol)
		}
		at = f.Close.Start
	}
	return b.String() + n.Text[at:], nil
}

// printEach prints each fence of a script by itself, if each can be parsed so.
func (n *Note) printEach(s *Script, printed map[*Fence]string) bool {
	texts := map[*Fence]string{}
	for _, f := range s.Fences {
		file, ds := lang.Parse(lang.NewExcerpt(n.Name, n.Text, f.Lines))
		if ds.Errors() {
			return false
		}
		texts[f] = strings.Trim(lang.Print(file), "\n")
		if texts[f] != "" {
			texts[f] += "\n"
		}
	}
	for f, text := range texts {
		printed[f] = text
	}
	return true
}

// printWhole prints a script in one piece and takes it apart.
func (n *Note) printWhole(s *Script, printed map[*Fence]string) bool {
	mark := func(i int) string { return fmt.Sprintf("# fence %d of %d", i, len(s.Fences)) }
	if strings.Contains(n.Text, "# fence ") {
		return false
	}
	var b strings.Builder
	for i, f := range s.Fences {
		b.WriteString(mark(i) + "\n" + n.Inside(f))
	}
	file, ds := lang.Parse(lang.NewSource(n.Name, strings.ReplaceAll(b.String(), "\r\n", "\n")))
	if ds.Errors() {
		return false
	}
	rest := lang.Print(file)
	for i := range s.Fences {
		before, after, ok := strings.Cut(rest, mark(i)+"\n")
		if !ok || i == 0 && strings.TrimSpace(before) != "" {
			return false
		}
		if i > 0 {
			printed[s.Fences[i-1]] = tidy(before)
		}
		rest = after
	}
	printed[s.Fences[len(s.Fences)-1]] = tidy(rest)
	return true
}

// tidy takes away empty lines around a text, and what was written before a mark.
func tidy(text string) string {
	text = strings.TrimRight(strings.TrimLeft(text, "\n"), " \n")
	if text == "" {
		return ""
	}
	return text + "\n"
}
