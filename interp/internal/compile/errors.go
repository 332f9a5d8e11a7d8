package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// One constructor for each mistake that the compiler finds.

func errAt(at lang.Span, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: at, Message: fmt.Sprintf(format, args...)}
}

// errTogether says that two systems have the same names for different things.
func errTogether(id lang.Ident, others []*Module, clashes lang.Diagnostics) *lang.Diagnostic {
	var names []string
	for _, m := range others {
		names = append(names, m.Name)
	}
	d := errAt(id.Span, "a script uses one system, and this one uses %s already", strings.Join(names, ", "))
	d.Notes = append(d.Notes, lang.Note{Span: clashes[0].Span, Message: "both have rules of the same name: " + clashes[0].Message})
	return d
}

// errUnknown says that there is no such thing and which comes nearest.
func errUnknown(what string, id lang.Ident, names []string) *lang.Diagnostic {
	d := errAt(id.Span, "there is no %s %s", what, id.Name)
	suggest(d, id.Name, names)
	return d
}

// errNoHook says that there is no hook of a name, and which there are.
func (w *World) errNoHook(id lang.Ident) *lang.Diagnostic {
	d := errUnknown("hook", id, hookNames(w))
	if names := hookNames(w); d.Help == "" && len(names) > 0 {
		slices.Sort(names)
		if d.Help = "there are " + strings.Join(names, ", "); len(names) > mostListed {
			d.Help = "there are " + strings.Join(names[:mostListed], ", ") + " …; setpiece help hooks lists all"
		}
	}
	return d
}

// mostListed is how many names a message lists.
const mostListed = 24

// errNoOption says that there is no option of a name, and what else has it.
func (w *World) errNoOption(id lang.Ident) *lang.Diagnostic {
	d := errUnknown("option", id, w.optionNames())
	switch r := w.rules[id.Name]; {
	case r == nil || r.module == nil:
	case r.table != nil:
		d.Help = id.Name + " is a table of " + r.module.Name + ":  table " + signature(r) + " { … }"
	default:
		d.Help = id.Name + " is a rule of " + r.module.Name + ":  rule " + signature(r) + " = …"
	}
	return d
}

func suggest(d *lang.Diagnostic, word string, names []string) {
	if near, ok := lang.Nearest(word, names); ok {
		d.Help = "did you mean " + near + "?"
	}
}

// suggestName is suggest for names of characters and things, as a script writes them: BIG_FOE and
// big foe are "Big Foe", and so is foe where nobody else is called that.
func suggestName(d *lang.Diagnostic, name string, names []string) {
	same := func(s string) string { return strings.ToLower(strings.ReplaceAll(strings.Trim(s, `"`), "_", " ")) }
	mean := func(i int) { d.Help = "did you mean " + names[i] + "?" }
	bare := make([]string, len(names))
	for i, n := range names {
		if bare[i] = strings.Trim(n, `"`); same(n) == same(name) {
			mean(i)
			return
		}
	}
	if near, ok := lang.Nearest(name, bare); ok {
		mean(slices.Index(bare, near))
		return
	}
	words := strings.Fields(same(name))
	found := -1
	for i, n := range names {
		of := strings.Fields(same(n))
		if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(of, w) }) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	if found >= 0 && len(words) > 0 {
		mean(found)
	}
}

func errTwice(what string, at, before lang.Span) *lang.Diagnostic {
	d := errAt(at, "%s is declared twice", what)
	if before.Src != nil {
		d.Notes = append(d.Notes, lang.Note{Span: before, Message: "first here"})
	}
	return d
}

func errParams(name lang.Ident, n int, old *rule) *lang.Diagnostic {
	d := errAt(name.Span, "%s takes %s, and the rule it replaces takes %s", name.Name, things(n), things(len(old.params)))
	d.Notes = append(d.Notes, lang.Note{Span: old.at, Message: "the rule it replaces"})
	return d
}

func things(n int) string {
	switch n {
	case 0:
		return "no value"
	case 1:
		return "one value"
	}
	return fmt.Sprintf("%d values", n)
}

func errChoice(w *World, o *Option, v V, at lang.Span) *lang.Diagnostic {
	var names []string
	for _, x := range o.Values {
		names = append(names, w.Heap.Show(x, nil))
	}
	shown := w.Heap.Show(v, nil)
	d := errAt(at, "%s cannot be %s; choose %s", o.Name, shown, lang.OneOf(names))
	suggest(d, shown, names)
	return d
}

// errNoChoice: an option is named, and none of its values.
func errNoChoice(w *World, o *Option, id lang.Ident) *lang.Diagnostic {
	var ways []string
	for _, x := range o.Values {
		ways = append(ways, o.Name+" = "+w.Heap.Show(x, nil))
	}
	d := errAt(id.Span, "%s is an option and needs a value", o.Name)
	d.Help = "write  " + strings.Join(ways, ",  ")
	return d
}

func errName(at lang.Span, name string, known []string) *lang.Diagnostic {
	d := errAt(at, "nothing here is called %s", name)
	if name == "last" {
		d.Help = "say which value of the last outcome:  last.outcome"
		return d
	}
	if small := smallDie(name); small != "" {
		d.Help = "dice are written small:  " + small
		return d
	}
	suggest(d, name, known)
	return d
}

func errVerb(w *World, at lang.Span, name string) *lang.Diagnostic {
	names := verbNames(w)
	d := errAt(at, "there is no verb %s", name)
	if len(names) == 0 && len(w.Modules) == 0 {
		d.Help = "no system is in use; begin with  use NAME"
		return d
	}
	if beginsClause(w, name) {
		d.Help = "it belongs to the command before: write it on the same line"
		return d
	}
	names = append(names, sheetNames(w)...)
	names = append(names, "dice", "answers", "commands", "expect", "report", "print", "let", "use", "include", "tactics")
	if suggest(d, name, names); d.Help == "" {
		d.Help = w.verbsAbout(name)
	}
	return d
}

// verbsAbout names the verbs whose description speaks of a word that is no verb itself.
func (w *World) verbsAbout(word string) string {
	if len(word) < 4 {
		return ""
	}
	about := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `s?\b`)
	var ways []string
	for _, name := range verbNames(w) {
		v := w.verbs[name]
		if v.decl == nil || v.module == nil || v.module.script {
			continue
		}
		if does, _, _ := strings.Cut(plain(v.decl.Doc), ":"); about.MatchString(does) { // an example follows
			ways = append(ways, name+" ("+does+")")
		}
	}
	if len(ways) == 0 || len(ways) > 2 {
		return ""
	}
	return "there is  " + strings.Join(ways, "  and  ")
}

// declares says whether a command has the form of a declaration:  hero Ann { }.
func declares(cmd *lang.Command) bool {
	return cmd.Block != nil && cmd.Who == nil && len(cmd.Args) > 0
}

// undeclared notes the name that a refused declaration would have declared: that it is
// unknown needs no second message.
func (c *Script) undeclared(cmd *lang.Command) {
	if c == nil {
		return
	}
	if c.unnamed == nil {
		c.unnamed = map[string]bool{}
	}
	all := exprsOf(cmd.Args)
	if name, n := namePieces(all); n > 1 || n == 1 && nameOf(all[0]) == "" {
		c.unnamed[name] = true
		all = all[n:]
	}
	for _, e := range all {
		if name := nameOf(e); name != "" {
			c.unnamed[name] = true
		}
	}
}

func (c *Script) isUndeclared(name string) bool { return c != nil && c.unnamed[name] }

// instead gives what could stand in place of a verb that does not exist: the sheets, where
// somebody is declared, and what characters can do, where somebody is named before it, or
// acts without being named: in a turn, and in tactics.
func (w *World) instead(cmd *lang.Command, acts bool) string {
	var names []string
	switch {
	case declares(cmd):
		if ways := w.declarers(); len(ways) > 0 {
			return "to say who takes part write " + lang.OneOf(ways)
		}
	case cmd.Who != nil || acts:
		for _, v := range w.verbs {
			if v.who && v.module != nil && !v.module.script {
				names = append(names, v.name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			return "what characters can do here: " + strings.Join(names, ", ")
		}
	default:
		for _, v := range w.verbs {
			if !v.who && v.module != nil && !v.module.script {
				names = append(names, v.name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			return "what the game master can do here: " + strings.Join(names, ", ")
		}
	}
	return ""
}

// declarers lists the sheets of those who take part, with what they are for: a player's
// first. The rest of a ladder of sheets, such as traits, is not among them; nor is what
// cannot be out, if others can.
func (w *World) declarers() []string {
	derived := map[*sheet]bool{}
	for _, sh := range w.sheets {
		derived[sh.base] = true
	}
	var all []*sheet
	for _, sh := range w.sheets {
		common := derived[sh] && (sh.base == nil || sh.base.capsField() == nil)
		if sh.capsField() != nil && !common && !sh.record && sh.on == "" && !w.isPart(sh.name) {
			all = append(all, sh)
		}
	}
	if slices.ContainsFunc(all, (*sheet).canBeOut) {
		all = slices.DeleteFunc(all, func(sh *sheet) bool { return !sh.canBeOut() })
	}
	slices.SortFunc(all, func(a, b *sheet) int {
		if a.players != b.players {
			if a.players {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	var ways []string
	for _, sh := range all {
		if sh.doc != "" {
			ways = append(ways, sh.name+" ("+sh.doc+")")
		} else {
			ways = append(ways, sh.name)
		}
	}
	return ways
}

// canBeOut says whether rules say of a sheet when somebody is out.
func (sh *sheet) canBeOut() bool {
	return sh.typ.Out >= 0 || sh.base != nil && sh.base.canBeOut()
}

// beginsClause says whether a clause of some verb begins with a word.
func beginsClause(w *World, word string) bool {
	var in func([]lang.ClauseItem) bool
	in = func(items []lang.ClauseItem) bool {
		return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
			cl, ok := it.(*lang.Clause)
			return ok && (firstWord(cl) == word || in(cl.Nested))
		})
	}
	for _, v := range w.verbs {
		if v.decl != nil && in(v.decl.Clauses) {
			return true
		}
	}
	for _, s := range w.sets {
		if s.decl != nil && in(s.decl.Clauses) {
			return true
		}
	}
	return false
}

// errEntry says that a sheet has no such entry. behind is what stands after its name.
func errEntry(sh *sheet, head *lang.Word, behind []lang.Expr) *lang.Diagnostic {
	d := errAt(head.Span, "%s has no %s", aOrAn(sh.name), head.Name)
	var names []string
	for _, f := range sh.fields {
		names = append(names, f.name)
		if f.as != "" && f.as != "CAPS" {
			names = append(names, f.as)
		}
	}
	suggest(d, head.Name, names)
	if help := sh.otherEntry(head, behind); help != "" {
		d.Help = help
	}
	if d.Help == "" && sh.capsField() != nil && len(behind) == 1 && isRating(behind[0]) {
		d.Help = "a trait is written in capitals:  " + strings.ToUpper(head.Name) + " " + text(behind[0].Range())
	}
	if d.Help == "" && sh.capsField() != nil && len(behind) == 1 {
		if r, ok := behind[0].(*lang.Rated); ok {
			d.Help = "a trait has no word before it:  " + strings.ToUpper(strings.ReplaceAll(nameOf(r.X), " ", "_")) + " " + text(r.Rating.Range())
		}
	}
	if d.Help == "" {
		d.Help = "it has " + sh.entryWords()
	}
	return d
}

// otherEntry says how a sheet writes what was meant by the words of an entry it does not
// have, "" if nothing says so: an entry that stands behind a word of its own, a field whose
// description has those words, or an entry of a field that is a map.
func (sh *sheet) otherEntry(head *lang.Word, behind []lang.Expr) string {
	if len(behind) > 0 {
		if word := wordOf(behind[0]); word != "" && (sh.byName[word] != nil || sh.asField(word) != nil) {
			all := lang.Span{Src: head.Src, Start: behind[0].Range().Start, End: behind[len(behind)-1].Range().End}
			return "leave " + head.Name + " out:  " + text(all)
		}
	}
	words, values := display(head.Name), behind
	for len(values) > 0 && wordOf(values[0]) != "" {
		if _, ok := values[0].(*lang.Word); !ok {
			break
		}
		words, values = words+" "+wordOf(values[0]), values[1:]
	}
	if f := sh.described(words); f != nil && len(values) == 1 {
		return "write  " + f.name + " " + text(values[0].Range())
	}
	for _, f := range sh.fields {
		if near, ok := lang.Nearest(head.Name, []string{f.name}); ok && near != "" {
			if help := f.inMap(behind); help != "" {
				return help
			}
		}
	}
	return ""
}

// described gives the field whose description is a name, nil if there is none.
func (sh *sheet) described(name string) *field {
	for _, f := range sh.fields {
		if f.decl != nil && f.decl.Doc != nil && strings.EqualFold(plain(f.decl.Doc), display(name)) {
			return f
		}
	}
	return nil
}

// inMap says how a field that is a map takes a name and a value behind it, "" for any other:
// of  load left d8  it is  load {left: d8}.
func (f *field) inMap(vals []lang.Expr) string {
	if f.typ.Name.Name != "map" || len(vals) == 0 {
		return ""
	}
	name, rating := nameOf(vals[0]), lang.Expr(nil)
	if r, ok := vals[0].(*lang.Rated); ok && len(vals) == 1 {
		rating = r.Rating
	} else if len(vals) == 2 && isRating(vals[1]) {
		rating = vals[1]
	}
	if name == "" || rating == nil {
		return ""
	}
	return "write  " + f.name + " {" + asWord(name) + ": " + text(rating.Range()) + "}"
}

// aOrAn puts the article before a word.
func aOrAn(word string) string {
	if word != "" && strings.ContainsRune("aeio", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// isRating says whether an expression is a number or dice as they are written.
func isRating(e lang.Expr) bool {
	_, dice := e.(*lang.Dice)
	return dice || isNumeral(e)
}

// inCapitals gives the text of an expression with words that nobody knows in capitals, if one
// of them names a trait so; otherwise "".
func (f *fn) inCapitals(e lang.Expr) string {
	at := e.Range()
	s := []byte(text(at))
	found := false
	lang.Walk(e, func(x lang.Node) bool {
		if x, ok := x.(*lang.Word); ok && f.knownWord(x) == nil && !f.w.isEntry(x.Name) {
			copy(s[x.Start-at.Start:], strings.ToUpper(x.Name))
			found = found || f.w.isPartName(strings.ToUpper(x.Name))
		}
		return true
	})
	if !found {
		return ""
	}
	return string(s)
}

// inSmallLetters gives who is meant by a name, or by the first word of one, whose capitals somebody
// left out; "" where that is nobody, or more than one.
func (w *World) inSmallLetters(word string) string {
	found := ""
	for _, x := range w.names() {
		name := strings.Trim(x.Text, `"`)
		first, _, _ := strings.Cut(name, " ")
		if !strings.EqualFold(name, word) && (!strings.EqualFold(first, word) || len(word) < 3) {
			continue
		}
		if found != "" {
			return ""
		}
		found = x.Text
	}
	return found
}

// isSomebody says whether a character, thing or group has this name.
func (w *World) isSomebody(name string) bool { return w.entities[name] != nil || w.groups[name] != nil }

// isPartName says whether somebody has a part of this name.
func (w *World) isPartName(name string) bool {
	return slices.ContainsFunc(w.order, func(e *entity) bool { return e.owner != nil && e.name == name })
}

func errWho(at lang.Span, all []*entity) *lang.Diagnostic {
	d := errAt(at, "who does this? several characters could")
	names := make([]string, 0, 3)
	for _, e := range all[:min(3, len(all))] {
		names = append(names, quoteName(e.name)+": …")
	}
	d.Help = "write  " + strings.Join(names, "  or  ")
	return d
}

// quoteName writes a name as a script would.
func quoteName(name string) string {
	if name == "" {
		return `""`
	}
	if first := []rune(name)[0]; strings.ToUpper(string(first)) == string(first) && !strings.ContainsAny(name, `"'-.,:;!?()[]{}`) {
		if u := strings.ReplaceAll(name, " ", "_"); !strings.Contains(name, " ") || isName(u) && !strings.Contains(name, " ") {
			return u
		}
	}
	return `"` + name + `"`
}

func isName(s string) bool {
	return !slices.ContainsFunc([]rune(s), func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// errPart says that an instance has no such part.
func errPart(w *World, owner *entity, sh *sheet, name string, at lang.Span) *lang.Diagnostic {
	d := errAt(at, "%s has no %s %s", quoteName(owner.name), sh.name, name)
	if owner.adhoc {
		d.Help = fmt.Sprintf("give its rating: %s 4", name)
		return d
	}
	if small := smallDie(name); small != "" {
		d.Help = "dice are written small:  " + small
		return d
	}
	var names []string
	byName := map[string]*entity{}
	for _, p := range owner.parts {
		if p.sheet.is(sh.name) {
			names = append(names, p.name)
			byName[p.name] = p
		}
		for _, q := range p.parts {
			if q.sheet.is(sh.name) {
				names = append(names, q.name)
			}
		}
	}
	if near, ok := lang.Nearest(name, names); ok {
		d.Help = "did you mean " + near + w.ratingOf(byName[near]) + "?"
	}
	if d.Help == "" && name != strings.ToUpper(name) && !slices.ContainsFunc(owner.parts, func(p *entity) bool { return code.SameName(p.name, name) }) {
		suggestName(d, name, w.instanceNames()) // somebody could have been meant
	}
	same := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", " ")) }
	for _, p := range owner.parts {
		if d.Help == "" && same(p.name) == same(name) && (p.sheet.is(sh.name) || w.takesCaps(sh.name)) {
			d.Help = "did you mean " + quoteName(p.name) + "?"
		}
	}
	if longer := withWord(name, names); d.Help == "" && longer != "" {
		d.Help = "did you mean " + longer + w.ratingOf(byName[longer]) + "?"
	}
	if d.Help == "" && len(names) > 0 {
		d.Help = "it has " + strings.Join(names[:min(6, len(names))], ", ")
	}
	for _, p := range owner.parts {
		if code.SameName(p.name, name) && !p.sheet.is(sh.name) {
			d.Help = strings.TrimSuffix(quoteName(p.name)+" is "+aOrAn(display(p.sheet.name))+"; "+d.Help, "; ")
		}
	}
	return d
}

// ratingOf gives the rating that a part was declared with, with a space before.
func (w *World) ratingOf(p *entity) string {
	if p == nil || p.sheet.byName["rating"] == nil {
		return ""
	}
	if v := w.declaredValue(p, p.sheet.byName["rating"]); v != value.None {
		return " " + w.Heap.Show(v, nil)
	}
	return ""
}

// SettleFields decides the hints of mistakes in the text that depend on whether sheets have
// a field: star for Star 4.
func (w *World) SettleFields(diags lang.Diagnostics) {
	if len(w.Modules) == 0 {
		return
	}
	for _, d := range diags {
		if d.Field == "" {
			continue
		}
		d.Help = d.HelpElse
		for _, name := range keysOf(w.sheets) {
			sh := w.sheets[name]
			if sh.byName[d.Field] != nil || sh.asField(d.Field) != nil {
				d.Help = d.HelpIf
			} else if f := sh.described(d.Field); f != nil && d.Help == d.HelpElse {
				d.Help = strings.ReplaceAll(d.HelpIf, d.Field, f.name)
			}
		}
	}
}

// smallDie gives dice that were written in capitals as they are written: D8 is d8. "" for
// anything else.
func smallDie(name string) string {
	if capitalDie.MatchString(name) {
		return strings.ToLower(name)
	}
	return ""
}

var capitalDie = regexp.MustCompile(`^D[1-9][0-9]*$`)

// withWord gives the only one of some names that has all words of a name among its own:
// HIGH_SPEED for SPEED. "" if there are none or several.
func withWord(name string, names []string) string {
	found := ""
	for _, n := range names {
		of := strings.Split(n, "_")
		if slices.ContainsFunc(strings.Split(name, "_"), func(w string) bool { return !slices.Contains(of, w) }) {
			continue
		}
		if found != "" {
			return ""
		}
		found = n
	}
	return found
}

// bareName is what is left of a name without dots, spaces and underscores.
func bareName(name string) string {
	return strings.NewReplacer(".", "", " ", "", "_", "", `"`, "").Replace(strings.ToLower(name))
}

// namePieces gives the name that expressions begin with, which stands there without quotes,
// and how many of them it takes, 0 if there is none:  Old Bob,  Dr. Grimm,  Wolves 2.
func namePieces(es []lang.Expr) (name string, n int) {
	for _, e := range es {
		switch e := e.(type) {
		case *lang.Name:
			name += " " + display(e.Name)
		case *lang.Dot:
			if _, ok := e.X.(*lang.Name); !ok {
				return strings.TrimSpace(name), n
			}
			name += " " + display(text(e.Range()))
		case *lang.Num:
			if n == 1 {
				return strings.TrimSpace(name + " " + text(e.Span)), 2
			}
			return strings.TrimSpace(name), n
		case *lang.Rated:
			x, ok := e.X.(*lang.Name)
			if !ok || !isNumeral(e.Rating) {
				return strings.TrimSpace(name), n
			}
			return strings.TrimSpace(name + " " + display(x.Name) + " " + text(e.Rating.Range())), n + 1
		default:
			return strings.TrimSpace(name), n
		}
		n++
	}
	return strings.TrimSpace(name), n
}

// unquoted gives the name of somebody that expressions begin with and that should have
// stood in quotes; "" if nobody is called so.
func (w *World) unquoted(es []lang.Expr) string {
	for n := len(es); n > 0; n-- {
		name, k := namePieces(es[:n])
		if k != n {
			continue
		}
		for _, known := range append(keysOf(w.entities), keysOf(w.groups)...) {
			if _, plain := es[0].(*lang.Name); n == 1 && plain && known == name {
				continue // it needs no quotes
			}
			if bareName(known) == bareName(name) {
				return known
			}
		}
	}
	return ""
}

// inQuotes is the hint for a name that has to stand in quotes.
func inQuotes(name string) string { return `write this name in quotes:  "` + name + `"` }
