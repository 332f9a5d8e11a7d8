package editor

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Completion is what may stand at a place.
type Completion struct {
	Text, Doc, Kind string
}

// Complete lists what may be typed at a place of a document, and where the word begins that it
// would replace. It reads what stands above; nothing of that is played.
func (w *Workspace) Complete(name string, off int) (from int, list []Completion) {
	d := w.Open(name)
	if d == nil {
		return off, nil
	}
	s := d.at(off)
	if s == nil || off-s.shift > len(s.src.Text) || off < s.shift {
		return off, nil
	}
	at := off - s.shift
	from = wordStart(s.src.Text, at)
	c := s.contextAt(from)
	if c.inText && s.src.Text[from] != '"' {
		return off, nil
	}
	list = s.candidates(c)
	if list == nil {
		line := c.line(s.src.Text, at)
		n, words := assist.Complete(s.session(), line, len(line))
		from = at - (len(line) - n)
		for _, x := range words {
			list = append(list, Completion(x))
		}
		if len(c.item) > 0 {
			list = append(list, s.own(s.src.Text[from:at])...)
		}
		return from + s.shift, distinct(list)
	}
	begun := strings.ToLower(strings.Trim(s.src.Text[from:at], `"`))
	list = slices.DeleteFunc(list, func(x Completion) bool {
		return !strings.HasPrefix(strings.ToLower(strings.Trim(x.Text, `"`)), begun)
	})
	return from + s.shift, list
}

// own lists what the script itself declares for its expressions, and begins like a word.
func (s *script) own(begun string) []Completion {
	var out []Completion
	tree, _ := lang.Parse(s.src)
	for _, x := range s.symbols("", tree.Stmts) {
		if kind := x.Kind; (kind == "rule" || kind == "table" || kind == "variable") && begun != "" && strings.HasPrefix(x.Name, begun) && x.Name != begun {
			out = append(out, Completion{x.Name, "of this script", kind})
		}
	}
	return out
}

// wordStart is where the word begins that ends at a place.
func wordStart(text string, at int) int {
	from := strings.LastIndexAny(text[:at], " \t\n,:;([{}=+-*/.<>|") + 1
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	if strings.Count(line, `"`)%2 == 1 {
		from = at - len(line) + strings.LastIndexByte(line, '"')
	}
	return from
}

// before is what stands before a place, as far as it says what may stand there.
type before struct {
	open   [][]lang.Token // what stands before each brace that is open, the outermost first
	item   []lang.Token   // the line, entry or command that is being typed
	start  int32          // where that begins
	inText bool
}

// contextAt reads the tokens before a place.
func (s *script) contextAt(at int) before {
	c := before{}
	item := 0
	list := s.words()
	end, _ := slices.BinarySearchFunc(list, int32(at), func(t lang.Token, at int32) int { return cmp.Compare(t.Start, at) })
	if end > 0 && list[end-1].End > int32(at) {
		c.inText = true
	}
	commas := false
	for i, t := range list[:end] {
		switch {
		case t.Text == "{" && t.Kind == lang.SignToken:
			c.open = append(c.open, list[item:i])
			item = i + 1
			commas = len(c.open[len(c.open)-1]) > 1 && c.open[len(c.open)-1][0].Kind == lang.WordToken
		case t.Text == "}" && t.Kind == lang.SignToken:
			if n := len(c.open); n > 0 {
				c.open = c.open[:n-1]
			}
			item, commas = i+1, false
		case t.Kind == lang.LineToken, commas && t.Text == "," && s.isSheet(c.open):
			item = i + 1
		}
	}
	c.item = list[item:end]
	if item > 0 {
		c.start = list[item-1].End
	}
	return c
}

// line is the command that is being typed, for assist.Complete, which wants to know who
// acts.
func (c *before) line(text string, at int) string {
	line := text[min(int(c.start), at):at]
	if c.opener() != "tactics" {
		return line
	}
	if _, command, ok := strings.Cut(line, ":"); ok {
		if who := c.open[len(c.open)-1][1:]; len(who) == 1 && (who[0].Kind == lang.NameToken || who[0].Kind == lang.TextToken) {
			return who[0].Text + ":" + command
		}
		return command
	}
	return line
}

// opener is the first word of what stands before the innermost open brace.
func (c *before) opener() string {
	if n := len(c.open); n > 0 && len(c.open[n-1]) > 0 {
		return c.open[n-1][0].Text
	}
	return ""
}

func (s *script) isSheet(open [][]lang.Token) bool {
	if len(open) == 0 || len(open[len(open)-1]) == 0 {
		return false
	}
	return assist.WordKind(s.session(), open[len(open)-1][0].Text) == "sheet"
}

// candidates are what may stand at a place that assist.Complete, which sees one line,
// does not know about; nil where it does.
func (s *script) candidates(c before) []Completion {
	switch {
	case s.isSheet(c.open):
		return s.entries(c)
	case c.opener() == "tactics" && len(c.item) == 0:
		return words("when", "on", "otherwise")
	case c.opener() == "tactics" && len(c.item) == 1 && c.item[0].Text == "on":
		return s.decisions()
	case c.opener() == "verb" && len(c.item) == 0, c.opener() == "clauses" && len(c.item) == 0:
		return words("clause", "needs", "excludes", "warns", "uses", "block", "do")
	case len(c.item) > 2 && c.item[0].Text == "use" && slices.ContainsFunc(c.item, func(t lang.Token) bool { return t.Text == "with" }):
		return s.settings(c.item)
	case len(c.item) == 2 && c.item[0].Text == "use":
		return words("with")
	case len(c.item) == 1 && (c.item[0].Text == "run" || c.item[0].Text == "remove"):
		return words("block", "rule", "clause", "feature", "handler", "verb", "check", "option")
	}
	return nil
}

// words are words of the language.
func words(list ...string) []Completion {
	var out []Completion
	for _, word := range list {
		doc := ""
		if e := lang.Lookup(word); len(e) > 0 {
			doc = e[0].Doc
		}
		out = append(out, Completion{word, doc, "word"})
	}
	return out
}

// entries are what may stand in a sheet: its fields, the special rules and traits that others
// have, and, behind a field, what it may be.
func (s *script) entries(c before) []Completion {
	sheet := c.opener()
	fields := assist.Fields(s.session(), sheet)
	out := []Completion{}
	if len(c.item) > 0 {
		for _, f := range fields {
			if f.Name != c.item[0].Text || len(c.item) > 1 {
				continue
			}
			if alternatives().MatchString(f.Takes) {
				for v := range strings.SplitSeq(strings.ReplaceAll(f.Takes, " or ", ", "), ", ") {
					out = append(out, Completion{v, f.Doc, "value"})
				}
			}
		}
		return distinct(out)
	}
	for _, f := range fields {
		if !f.Hidden && f.Entry == f.Name {
			out = append(out, Completion{f.Name, joined(f.Takes, f.Doc), "field"})
		}
	}
	for _, t := range s.words() {
		if t.Kind == lang.TraitToken {
			out = append(out, Completion{t.Text, "a trait that this script uses", "trait"})
		}
	}
	return distinct(out)
}

// alternatives is how a field takes one of some words.
var alternatives = late.Regexp(`^[a-z_]+((, | or )[a-z_]+)+$`)

func distinct(list []Completion) []Completion {
	slices.SortStableFunc(list, func(a, b Completion) int { return strings.Compare(a.Text, b.Text) })
	return slices.CompactFunc(list, func(a, b Completion) bool { return a.Text == b.Text })
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

func (s *script) decisions() []Completion {
	out := []Completion{}
	list, _ := assist.Decisions(s.session(), "")
	for _, d := range list {
		out = append(out, Completion{d.Name, d.Prompt, "decision"})
	}
	return distinct(out)
}

// settings are what may stand behind with: variants and options of the system, and the values
// of an option.
func (s *script) settings(item []lang.Token) []Completion {
	use := interp.NewSession(s.config())
	_, _ = use.Prepare(lang.NewSource("", "use "+item[1].Text))
	out := []Completion{}
	if last := item[len(item)-1]; last.Text == "=" {
		for _, o := range assist.Options(use) {
			if o.Name != item[len(item)-2].Text {
				continue
			}
			for i, v := range o.Choices {
				out = append(out, Completion{v, o.Docs[i], "value"})
			}
		}
		return out
	}
	for _, o := range assist.Options(use) {
		out = append(out, Completion{o.Name, o.Doc, "option"})
	}
	for _, m := range use.Available() {
		if t := assist.Help(use, m); len(t) > 0 && t[0].Kind == "variant" && strings.HasPrefix(t[0].Form, "use "+item[1].Text+" ") {
			out = append(out, Completion{m, t[0].Doc, "variant"})
		}
	}
	return distinct(out)
}

// Signature is how a command is written, and which of its parts is being typed.
type Signature struct {
	Form, Doc string
}

// Signature says how the verb or rule is written whose command or call stands at a place.
func (w *Workspace) Signature(name string, off int) (Signature, bool) {
	d := w.Open(name)
	if d == nil {
		return Signature{}, false
	}
	s := d.at(off)
	if s == nil {
		return Signature{}, false
	}
	c := s.contextAt(off - s.shift)
	word := ""
	depth := 0
	for i := len(c.item) - 1; i > 0; i-- { // an open call
		switch t := c.item[i]; {
		case t.Text == ")":
			depth++
		case t.Text == "(" && depth > 0:
			depth--
		case t.Text == "(" && c.item[i-1].Kind == lang.WordToken && c.item[i-1].End == t.Start && word == "":
			word = c.item[i-1].Text
		}
	}
	for _, t := range c.item {
		if kind := assist.WordKind(s.session(), t.Text); word == "" && t.Kind == lang.WordToken && (kind == "verb" || kind == "sheet") {
			word = t.Text
		}
	}
	if word == "" && len(c.item) > 0 {
		word = c.item[0].Text
	}
	for _, t := range assist.Help(s.session(), word) {
		if t.Form != "" && t.Form != t.Name && t.InUse {
			return Signature{t.Form, t.Doc}, true
		}
	}
	return Signature{}, false
}
