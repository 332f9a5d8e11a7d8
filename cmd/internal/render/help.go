package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
)

// Help explains a word to a person: all it means in a session, or else the word
// that comes nearest. It says whether it knew the word.
//
// A word of several systems that are not in use takes one line for each of them;
// "SYSTEM WORD" then shows all that system means by it. If a system is in use, its
// word is explained and one line names the other systems that have it.
func Help(w io.Writer, p style.Palette, s *interp.Session, word string, width int) bool {
	return help(w, p, s, word, width, false)
}

// FullHelp is Help with all systems and rules at length.
func FullHelp(w io.Writer, p style.Palette, s *interp.Session, word string, width int) bool {
	return help(w, p, s, word, width, true)
}

func help(w io.Writer, p style.Palette, s *interp.Session, word string, width int, full bool) bool {
	topics := assist.Help(s, word)
	slices.SortStableFunc(topics, func(a, b assist.Topic) int { return standIn(a) - standIn(b) })
	if !full && len(topics) > 2 && !topics[0].InUse && !strings.Contains(word, " ") {
		systems(w, p, topics, word, width)
		var near []string
		for _, t := range assist.SearchHelp(s, word, nil) {
			if t.InUse && t.Module != "" {
				near = append(near, t.Name)
			}
		}
		if len(near) > 0 {
			fmt.Fprintln(w, style.On(p.Faint, "in the system that is in use see "+strings.Join(near[:min(len(near), mostRules)], ", ")))
		}
		return true
	}
	for i, t := range topics {
		if i > 0 {
			fmt.Fprintln(w)
		}
		topic(w, p, t, width, full)
	}
	if len(topics) > 0 {
		ids := slices.DeleteFunc(assist.RulesCalled(s, word, topics), func(id string) bool { return id == topics[0].Name })
		if len(ids) > 0 {
			fmt.Fprintln(w, style.On(p.Faint, "rules of that name: "+strings.Join(ids[:min(len(ids), mostRules)], ", ")))
		}
		if verbs := assist.VerbsCalled(s, word); len(verbs) > 0 {
			fmt.Fprintln(w, style.On(p.Faint, "verbs with that word: "+strings.Join(verbs[:min(len(verbs), mostRules)], ", ")))
		}
		if others := assist.HelpElsewhere(s, word); len(others) > 0 && topics[0].InUse {
			fmt.Fprintln(w, style.On(p.Faint, "also in "+strings.Join(others, ", ")+": help "+others[0]+" "+word))
		}
		return true
	}
	message := "no help on " + word
	if near := assist.NearestHelp(s, word); len(near) > 0 {
		message += "   did you mean " + strings.Join(near, ", ") + "?"
	}
	fmt.Fprintln(w, style.On(p.Error, transcript.Visible(message)))
	return false
}

// standIn says of a word that stands for somebody in a command that it comes after the sheet,
// or the verb, of that name.
func standIn(t assist.Topic) int {
	if t.InUse && t.Kind != "word for somebody" {
		return 0
	}
	return 1
}

// mostRules is how many rules or verbs of a name are listed.
const mostRules = 6

// mostFound is how many topics a search lists.
const mostFound = 20

// FindHelp is Help for a person who looks for something: it also knows the topics in
// more, and lists the topics in whose texts the words occur if none has that name.
func FindHelp(w io.Writer, p style.Palette, s *interp.Session, text string, more []assist.Topic, width int) bool {
	known := len(assist.Help(s, text)) > 0
	if known {
		Help(w, p, s, text, width)
	}
	for _, t := range more {
		if t.Name == text && (!known || t.Kind == "limit" || t.Kind == "term") {
			if known {
				fmt.Fprintln(w)
			}
			known = true
			topic(w, p, t, width, false)
		}
	}
	return known || search(w, p, s, text, more, width)
}

func search(w io.Writer, p style.Palette, s *interp.Session, text string, more []assist.Topic, width int) bool {
	list := assist.SearchHelp(s, text, more)
	if len(list) == 0 {
		return false
	}
	line := transcript.Visible(text) + " is in the help on"
	if near := assist.NearestHelp(s, text); len(near) > 0 {
		line += "   did you mean " + near[0] + "?"
	}
	fmt.Fprintln(w, style.On(p.Faint, line))
	shown := list[:min(len(list), mostFound)]
	column := 0
	for _, t := range shown {
		column = max(column, runewidth.StringWidth(transcript.Visible(t.Name)))
	}
	for _, t := range shown {
		lead := "  " + runewidth.FillRight(transcript.Visible(t.Name), column) + "   "
		kind := t.Kind
		if t.Module != "" {
			kind += ", " + t.Module
		}
		room := max(width-runewidth.StringWidth(lead), 12)
		fmt.Fprintln(w, lead+runewidth.Truncate(transcript.Visible(kind+": "+t.Doc), room, "…"))
	}
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintln(w, style.On(p.Faint, fmt.Sprintf("  and %d more; add a word to find fewer", n)))
	}
	return true
}

// systems writes what a word means in each system that knows it: the verb, or else
// the first meaning.
func systems(w io.Writer, p style.Palette, topics []assist.Topic, word string, width int) {
	var names []string
	kinds, docs := map[string]string{}, map[string]string{}
	column := 0
	for _, t := range topics {
		for m := range strings.SplitSeq(t.Module, ", ") {
			if m == "" {
				continue
			}
			if kinds[m] == "" {
				names = append(names, m)
				column = max(column, len(m))
			}
			if kinds[m] == "" || kinds[m] != "verb" && t.Kind == "verb" {
				kinds[m], docs[m] = t.Kind, t.Kind+": "+t.Doc
			}
		}
	}
	slices.Sort(names)
	fmt.Fprintln(w, style.On(p.Title, transcript.Visible(word)))
	for _, m := range names {
		fmt.Fprintf(w, "  %-*s   ", column, m)
		hang(w, docs[m], column+5, width)
	}
	fmt.Fprintln(w, style.On(p.Faint, "use "+names[0]+" selects a system; help "+names[0]+" "+word+" shows more"))
}

// maxRules is how many ids are listed with a topic. The first ones say most; a
// special rule is nothing but its rules, and has them all.
const maxRules = 4

func topic(w io.Writer, p style.Palette, t assist.Topic, width int, full bool) {
	kind := t.Kind
	if len(t.Of) > 0 {
		kind += belongs(t)
	}
	if t.Module != "" {
		kind += "   " + t.Module
		if !t.InUse {
			kind += ", not in use"
		}
	}
	fmt.Fprintf(w, "%s   %s\n", style.On(p.Title, transcript.Visible(t.Name)), style.On(p.Faint, kind))
	if t.Form != "" && t.Form != t.Name {
		paragraph(w, t.Form, 2, width)
	}
	if t.Doc != "" {
		paragraph(w, t.Doc, 2, width)
	}
	if t.Now != "" {
		fmt.Fprintf(w, "  now: %s\n", style.On(p.Value, transcript.Visible(t.Now)))
	}
	if x, ok := cases.Shipped.Example(t); ok {
		lead := "as in "
		for line := range strings.Lines(x.Text) {
			fmt.Fprintf(w, "  %s%s\n", style.On(p.Faint, lead), transcript.Visible(strings.TrimRight(line, "\n")))
			lead = strings.Repeat(" ", len(lead))
		}
	}
	parts(w, p, t.Parts, width)
	rules := t.Rules
	if t.Kind == "special rule" || t.Kind == "variant" {
		rules = nil
		parts(w, p, ruleParts(t.Rules), width)
	}
	if len(rules) > 0 && !(len(rules) == 1 && rules[0].Doc == t.Doc) {
		shown := rules
		if !full {
			shown = rules[:min(len(rules), maxRules)]
		}
		parts(w, p, ruleParts(shown), width)
		if n := len(rules) - len(shown); n > 0 {
			fmt.Fprintln(w, style.On(p.Faint, fmt.Sprintf("    and %d more; explain prints a rule by its id", n)))
		}
	}
}

// belongs says what a topic belongs to, in a few words.
func belongs(t assist.Topic) string {
	const most = 6
	of := t.Of
	more := ""
	if len(of) > most {
		more = fmt.Sprintf(" and %d more", len(of)-most)
		of = of[:most]
	}
	switch t.Kind {
	case "sheet":
		return ", also a " + of[0]
	case "special rule":
		return " for a " + of[0]
	case "in stock":
		return ": " + of[0]
	case "value of the last outcome":
		return ", from " + strings.Join(of, ", ") + more
	}
	return " of " + strings.Join(of, ", ") + more
}

func ruleParts(rules []assist.RuleInfo) []assist.TopicPart {
	var out []assist.TopicPart
	for _, r := range rules {
		out = append(out, assist.TopicPart{Group: "what the book says", Text: r.ID, Doc: r.Doc})
	}
	return out
}

// widest is how much of a line the names of parts may take.
const widest = 32

// parts writes the parts of a topic, each on lines of its own, those of a group under its name.
func parts(w io.Writer, p style.Palette, list []assist.TopicPart, width int) {
	column := 0
	var groups []string
	for _, q := range list {
		if n := runewidth.StringWidth(q.Text); n <= widest {
			column = max(column, n)
		}
		if !slices.Contains(groups, q.Group) {
			groups = append(groups, q.Group)
		}
	}
	column += 4 + 3
	slices.SortStableFunc(groups, func(a, b string) int { return min(len(a), 1) - min(len(b), 1) }) // what has no group comes first
	for _, g := range groups {
		if g != "" {
			fmt.Fprintf(w, "  %s\n", style.On(p.Faint, g))
		}
		for _, q := range list {
			if q.Group != g {
				continue
			}
			lead := "    " + transcript.Visible(q.Text)
			if q.Doc != "" {
				lead += strings.Repeat(" ", max(column-runewidth.StringWidth(lead), 3))
			}
			io.WriteString(w, lead)
			hangFrom(w, q.Doc, max(runewidth.StringWidth(lead), column), column, width)
		}
	}
}

// paragraph writes a text in lines that begin at a column.
func paragraph(w io.Writer, text string, column, width int) {
	io.WriteString(w, strings.Repeat(" ", column))
	hang(w, text, column, width)
}

// hang writes a text whose first line begins at a column already; the others
// are put there.
func hang(w io.Writer, text string, column, width int) { hangFrom(w, text, column, column, width) }

// hangFrom is hang for a first line that begins further to the right.
func hangFrom(w io.Writer, text string, at, column, width int) {
	for i, word := range strings.Fields(transcript.Visible(text)) {
		n := runewidth.StringWidth(word)
		switch {
		case i == 0:
		case at+1+n > max(width, column+20):
			fmt.Fprintf(w, "\n%s", strings.Repeat(" ", column))
			at = column
		default:
			io.WriteString(w, " ")
			at++
		}
		io.WriteString(w, word)
		at += n
	}
	io.WriteString(w, "\n")
}
