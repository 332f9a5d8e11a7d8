package editor

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/cmd/internal/cases"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// Hover explains what stands at a place of a document, as Markdown. at is what it is about; ""
// is that there is nothing to say.
func (w *Workspace) Hover(name string, off int) (text string, at Place) {
	d := w.Open(name)
	if d == nil {
		return "", Place{}
	}
	s := d.at(off)
	if s == nil {
		return "", Place{}
	}
	word, ok := s.wordAt(int32(off - s.shift))
	if !ok {
		return "", Place{}
	}
	at = Place{name, int(word.Start) + s.shift, int(word.End) + s.shift}
	if doc := s.somebody(word); doc != "" {
		return doc, at
	}
	var parts []string
	if of := s.takes(word); of != "" {
		return fmt.Sprintf("**%s** · what %s takes", word.Text, of), at
	}
	if old, of := s.replaced(word); old.Src != nil {
		parts = append(parts, fmt.Sprintf("**%s** · takes the place of that of %s\n\n```setpiece\n%s\n```", word.Text, of, head(old)))
	}
	for _, t := range s.topics(word) {
		parts = append(parts, topicText(t))
	}
	if len(parts) == 0 {
		if r, ok := s.declaredHere(word); ok {
			parts = append(parts, "```setpiece\n"+strings.TrimSpace(s.src.Line(s.src.Position(int(r.Start)).Line))+"\n```")
		}
	}
	return strings.Join(parts, "\n\n---\n\n"), at
}

// head is the first lines of a declaration.
func head(at lang.Span) string {
	const most = 16
	lines := strings.SplitN(at.Src.Text[at.Start:at.End], "\n", most+1)
	if len(lines) > most {
		lines[most] = "…"
	}
	return strings.Join(lines, "\n")
}

// takes names the rule, table or moment around a word that has it for a parameter; "" for none.
func (s *script) takes(word lang.Token) (of string) {
	tree, _ := lang.Parse(s.src)
	lang.Walk(tree, func(n lang.Node) bool {
		var names []lang.Ident
		name := lang.Ident{}
		switch n := n.(type) {
		case *lang.Rule:
			name = n.Name
			for _, p := range n.Params {
				names = append(names, p.Name)
			}
		case *lang.Table:
			name, names = n.Name, n.Params
		case *lang.Handler:
			name, names = n.Hook, n.Params
		}
		if at := n.Range(); at.Start <= word.Start && word.End <= at.End && slices.ContainsFunc(names, func(id lang.Ident) bool { return id.Name == word.Text }) {
			of = name.Name
		}
		return true
	})
	return of
}

// replaced gives the rule that is declared anew at a word, and whose it is.
func (s *script) replaced(word lang.Token) (at lang.Span, of string) {
	list := s.words()
	i := slices.IndexFunc(list, func(t lang.Token) bool { return t.Start == word.Start })
	if i < 1 || list[i-1].Text != "rule" && list[i-1].Text != "table" {
		return at, ""
	}
	if at, of = assist.Replaces(s.session(), word.Text); at.Src != nil && at.Src.Name == s.src.Name {
		return lang.Span{}, ""
	}
	return at, of
}

// wordAt gives the word at a place.
func (s *script) wordAt(at int32) (lang.Token, bool) {
	var found lang.Token
	ok := false
	for _, t := range s.words() {
		if t.Start > at {
			break
		}
		if at <= t.End && t.Kind != lang.LineToken && (t.Kind != lang.SignToken || at < t.End) && (!ok || found.Kind == lang.SignToken) {
			found, ok = t, true
		}
	}
	return found, ok
}

// topics are what help says of a word: of all its meanings that which it has here, if that is
// known.
func (s *script) topics(word lang.Token) []assist.Topic {
	const most = 3
	text := word.Text
	if word.Kind == lang.NumberToken || word.Kind == lang.SignToken {
		return nil
	}
	all := assist.Help(s.session(), text)
	for _, r := range s.refsAt(word.Start) {
		if r.At.Start > word.Start || r.At.End < word.End {
			continue
		}
		if len(all) == 0 && word.Kind == lang.TraitToken {
			all = assist.Help(s.session(), "trait")
		}
		for _, t := range all {
			if slices.Contains(t.Meanings(), assist.MeaningOf(r)) {
				return []assist.Topic{t}
			}
		}
	}
	if _, local := s.declaredHere(word); local {
		return nil
	}
	all = slices.DeleteFunc(all, func(t assist.Topic) bool { return !t.InUse })
	return all[:min(len(all), most)]
}

// declaredHere gives where the script itself declares what stands at a word.
func (s *script) declaredHere(word lang.Token) (lang.Span, bool) {
	for _, r := range s.refsAt(word.Start) {
		if r.At.Start == word.Start && r.At.End == word.End && r.Declared.Src == s.src {
			return r.Declared, true
		}
	}
	return lang.Span{}, false
}

// somebody shows the sheet of a character.
func (s *script) somebody(word lang.Token) string {
	if word.Kind != lang.NameToken && word.Kind != lang.TextToken {
		return ""
	}
	name := strings.ReplaceAll(strings.Trim(word.Text, `"`), "_", " ")
	if !slices.Contains(assist.Names(s.session()), name) {
		return ""
	}
	lines, err := assist.State(s.session(), name)
	if err != nil {
		return ""
	}
	var b strings.Builder
	kind := ""
	if t := assist.Help(s.session(), word.Text); len(t) > 0 {
		kind = " · " + t[0].Kind
	}
	fmt.Fprintf(&b, "**%s**%s\n", name, kind)
	const most = 24
	n := 0
	for _, l := range lines {
		if l.Hidden || !l.Said && !l.Points || n == most {
			continue
		}
		who := strings.TrimPrefix(strings.TrimPrefix(l.Who, name), ".")
		fmt.Fprintf(&b, "- %s `%s`\n", strings.TrimSpace(who+" "+l.Field), l.Value)
		n++
	}
	return strings.TrimRight(b.String(), "\n")
}

// topicText is a topic of help as Markdown.
func topicText(t assist.Topic) string {
	const mostParts, mostRules = 16, 6
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s", t.Name, t.Kind)
	if len(t.Of) > 0 {
		fmt.Fprintf(&b, " of %s", strings.Join(t.Of[:min(len(t.Of), 6)], ", "))
	}
	if t.Module != "" {
		fmt.Fprintf(&b, " · %s", t.Module)
	}
	b.WriteString("\n")
	if t.Form != "" && t.Form != t.Name {
		fmt.Fprintf(&b, "\n```setpiece\n%s\n```\n", t.Form)
	}
	if t.Doc != "" {
		fmt.Fprintf(&b, "\n%s\n", t.Doc)
	}
	if t.Now != "" {
		fmt.Fprintf(&b, "\nnow: `%s`\n", t.Now)
	}
	group := "\x00"
	for _, p := range t.Parts[:min(len(t.Parts), mostParts)] {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(group))
		}
		fmt.Fprintf(&b, "- `%s` %s\n", p.Text, p.Doc)
	}
	if n := len(t.Parts) - mostParts; n > 0 {
		fmt.Fprintf(&b, "- and %d more\n", n)
	}
	for i, r := range t.Rules {
		if i == 0 {
			b.WriteString("\nwhat the book says\n")
		}
		if i < mostRules {
			fmt.Fprintf(&b, "- `%s` %s\n", r.ID, r.Doc)
		}
	}
	if t.Example != "" {
		fmt.Fprintf(&b, "\n```setpiece\n%s\n```\n", t.Example)
	} else if x, ok := example(t); ok {
		fmt.Fprintf(&b, "\nas in\n```setpiece\n%s\n```\n", strings.TrimRight(x, "\n"))
	}
	return strings.TrimRight(b.String(), "\n")
}

// example is the shortest case that shows a rule of a topic.
func example(t assist.Topic) (string, bool) {
	for _, r := range t.Rules {
		if of := cases.Shipped.Of(r.ID); len(of) > 0 && len(of[0].Text) < 600 {
			return "# " + of[0].Title + "\n" + of[0].Text, true
		}
	}
	return "", false
}
