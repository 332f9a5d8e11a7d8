package decl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
	"setpiece/lang/late"
)

// ErrAt makes a mistake at a place. The code is that of the form of its message, interp/CODES.md.
func ErrAt(at lang.Span, code, format string, args ...any) *lang.Diagnostic {
	return &lang.Diagnostic{Span: at, Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrTogether says that two systems have the same names for different things.
func ErrTogether(id lang.Ident, others []*Module, clashes lang.Diagnostics) *lang.Diagnostic {
	var names []string
	for _, m := range others {
		names = append(names, m.Name)
	}
	d := ErrAt(id.Span, "SP0601", "a script uses one system, and this one uses %s already", strings.Join(names, ", "))
	d.Notes = append(d.Notes, lang.Note{Span: clashes[0].Span, Message: "both have rules of the same name: " + clashes[0].Message})
	return d
}

// ErrUnknown says that there is no such thing and which comes nearest.
func ErrUnknown(what string, id lang.Ident, names []string) *lang.Diagnostic {
	d := ErrAt(id.Span, "SP0316", "there is no %s %s", what, id.Name)
	Suggest(d, id.Name, names)
	return d
}

// ErrNoHook says that there is no hook of a name, and which there are.
func (w *World) ErrNoHook(id lang.Ident) *lang.Diagnostic {
	d := ErrUnknown("hook", id, hookNames(w))
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

// ErrNoOption says that there is no option of a name, and what else has it.
func (w *World) ErrNoOption(id lang.Ident) *lang.Diagnostic {
	d := ErrUnknown("option", id, w.OptionNames())
	switch r := w.Rules[id.Name]; {
	case r == nil || r.Module == nil:
	case r.Table != nil:
		d.Help = id.Name + " is a table of " + r.Module.Name + ":  table " + Signature(r) + " { … }"
	default:
		d.Help = id.Name + " is a rule of " + r.Module.Name + ":  rule " + Signature(r) + " = …"
	}
	return d
}

// Suggest adds the nearest of some names to a mistake.
func Suggest(d *lang.Diagnostic, word string, names []string) {
	if near, ok := lang.Nearest(word, names); ok {
		d.Help = "did you mean " + near + "?"
	}
}

// SuggestName is suggest for names of characters and things, as a script writes them: BIG_FOE and
// big foe are "Big Foe", and so is foe where nobody else is called that.
func SuggestName(d *lang.Diagnostic, name string, names []string) {
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

// ErrTwice says that something is declared twice.
func ErrTwice(what string, at, before lang.Span) *lang.Diagnostic {
	d := ErrAt(at, "SP0602", "%s is declared twice", what)
	if before.Src != nil {
		d.Notes = append(d.Notes, lang.Note{Span: before, Message: "first here"})
	}
	return d
}

// ErrParams says that a rule takes other values than the one it replaces.
func ErrParams(name lang.Ident, n int, old *Rule) *lang.Diagnostic {
	d := ErrAt(name.Span, "SP0603", "%s takes %s, and the rule it replaces takes %s", name.Name, Things(n), Things(len(old.Params)))
	d.Notes = append(d.Notes, lang.Note{Span: old.At, Message: "the rule it replaces"})
	return d
}

// Things counts values.
func Things(n int) string {
	switch n {
	case 0:
		return "no value"
	case 1:
		return "one value"
	}
	return fmt.Sprintf("%d values", n)
}

// ErrChoice says that an option cannot have a value.
func ErrChoice(w *World, o *Option, v ir.V, at lang.Span) *lang.Diagnostic {
	var names []string
	for _, x := range o.Values {
		names = append(names, w.Heap.Show(x, nil))
	}
	shown := w.Heap.Show(v, nil)
	d := ErrAt(at, "SP0604", "%s cannot be %s; choose %s", o.Name, shown, lang.OneOf(names))
	Suggest(d, shown, names)
	return d
}

// errNoChoice: an option is named, and none of its values.
func ErrNoChoice(w *World, o *Option, id lang.Ident) *lang.Diagnostic {
	var ways []string
	for _, x := range o.Values {
		ways = append(ways, o.Name+" = "+w.Heap.Show(x, nil))
	}
	d := ErrAt(id.Span, "SP0605", "%s is an option and needs a value", o.Name)
	d.Help = "write  " + strings.Join(ways, ",  ")
	return d
}

// ErrName says that nothing has a name.
func ErrName(at lang.Span, name string, known []string) *lang.Diagnostic {
	d := ErrAt(at, "SP0606", "nothing here is called %s", name)
	if name == "last" {
		d.Help = "say which value of the last outcome:  last.outcome"
		return d
	}
	if small := SmallDie(name); small != "" {
		d.Help = "dice are written small:  " + small
		return d
	}
	Suggest(d, name, known)
	if d.Help == "" && strings.HasSuffix(at.Src.Name, ".rules") && strings.ToLower(name) == name {
		d.Help = "a word that stands for itself is declared:  words results { " + name + " \"what it means\" }"
	}
	return d
}

var diceBehind = late.Regexp(`^[^\n;]*?\b(\d*d(?:\d+|%|F))\b`)

// ErrVerb says that there is no such verb.
func ErrVerb(w *World, at lang.Span, name string) *lang.Diagnostic {
	names := VerbNames(w)
	d := ErrAt(at, "SP0607", "there is no verb %s", name)
	if question, ours := lang.DiceQuestion(name); ours != "" && w.Verbs[name] == nil {
		d.Help = question + ":  odds " + ours
		return d
	}
	if len(names) == 0 && len(w.Modules) == 0 {
		d.Help = "no system is in use; begin with  use NAME"
		if dice := diceBehind().FindStringSubmatch(at.Src.Text[at.Start:]); dice != nil {
			d.Help = "dice are thrown as they are written:  " + dice[1] + "   their chances:  odds " + dice[1]
		}
		return d
	}
	if beginsClause(w, name) {
		d.Help = "it belongs to the command before: write it on the same line"
		return d
	}
	for _, who := range w.InstanceNames() {
		if strings.EqualFold(who, name) {
			d.Help = "whoever acts is named as declared, with a colon:  " + who + ": …"
			return d
		}
	}
	names = append(names, SheetNames(w)...)
	names = append(names, "dice", "answers", "picks", "commands", "expect", "report", "print", "let", "use", "include", "cast", "tactics", "stock")
	if Suggest(d, name, names); d.Help == "" {
		d.Help = w.verbsAbout(name)
	}
	return d
}

// stem is how many letters a word and a part of a verb's name have in common at least where both are of one stem.
const stem = 5

// verbsAbout names the verbs whose description speaks of a word that is no verb itself, or whose name has
// a part that begins like it.
func (w *World) verbsAbout(word string) string {
	if len(word) < 4 {
		return ""
	}
	about := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `s?\b`)
	var ways []string
	for _, name := range VerbNames(w) {
		v := w.Verbs[name]
		if v.Decl == nil || v.Module == nil || v.Module.Script {
			continue
		}
		akin := len(word) >= stem && strings.Contains("_"+name, "_"+word[:stem])
		if does, _, _ := strings.Cut(Plain(v.Decl.Doc), ":"); akin || about.MatchString(does) { // an example follows
			ways = append(ways, name+" ("+does+")")
		}
	}
	if len(ways) == 0 || len(ways) > 2 {
		return ""
	}
	return "there is  " + strings.Join(ways, "  and  ")
}

// Declares says whether a command has the form of a declaration:  hero Ann { }.
func Declares(cmd *lang.Command) bool {
	return cmd.Block != nil && cmd.Who == nil && len(cmd.Args) > 0
}

// Instead gives what could stand in place of a verb that does not exist: the sheets, where
// somebody is declared, and what characters can do, where somebody is named before it, or
// acts without being named: in a turn, and in tactics.
func (w *World) Instead(cmd *lang.Command, acts bool) string {
	var names []string
	switch {
	case Declares(cmd):
		if ways := w.Declarers(); len(ways) > 0 {
			return "to say who takes part write " + lang.OneOf(ways)
		}
	case cmd.Who != nil || acts:
		for _, v := range w.Verbs {
			if v.Who && v.Module != nil && !v.Module.Script {
				names = append(names, v.Name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			return "what characters can do here: " + strings.Join(names, ", ")
		}
	default:
		for _, v := range w.Verbs {
			if !v.Who && v.Module != nil && !v.Module.Script {
				names = append(names, v.Name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			return "what the game master can do here: " + strings.Join(names, ", ")
		}
	}
	return ""
}

// Declarers lists the sheets of those who take part, with what they are for: a player's
// first. The rest of a ladder of sheets, such as traits, is not among them; nor is what
// cannot be out, if others can.
func (w *World) Declarers() []string {
	derived := map[*Sheet]bool{}
	for _, sh := range w.Sheets {
		derived[sh.Base] = true
	}
	var all []*Sheet
	for _, sh := range w.Sheets {
		common := derived[sh] && (sh.Base == nil || sh.Base.CapsField() == nil)
		if sh.CapsField() != nil && !common && !sh.Record && sh.On == "" && !w.IsPart(sh.Name) {
			all = append(all, sh)
		}
	}
	if slices.ContainsFunc(all, (*Sheet).canBeOut) {
		all = slices.DeleteFunc(all, func(sh *Sheet) bool { return !sh.canBeOut() })
	}
	slices.SortFunc(all, func(a, b *Sheet) int {
		if a.Players != b.Players {
			if a.Players {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	var ways []string
	for _, sh := range all {
		if sh.Doc != "" {
			ways = append(ways, sh.Name+" ("+sh.Doc+")")
		} else {
			ways = append(ways, sh.Name)
		}
	}
	return ways
}

// canBeOut says whether rules say of a sheet when somebody is out.
func (sh *Sheet) canBeOut() bool {
	return sh.Typ.Out >= 0 || sh.Base != nil && sh.Base.canBeOut()
}

// beginsClause says whether a clause of some verb begins with a word.
func beginsClause(w *World, word string) bool {
	var in func([]lang.ClauseItem) bool
	in = func(items []lang.ClauseItem) bool {
		return slices.ContainsFunc(items, func(it lang.ClauseItem) bool {
			cl, ok := it.(*lang.Clause)
			return ok && (FirstWord(cl) == word || in(cl.Nested))
		})
	}
	for _, v := range w.Verbs {
		if v.Decl != nil && in(v.Decl.Clauses) {
			return true
		}
	}
	for _, s := range w.Sets {
		if s.Decl != nil && in(s.Decl.Clauses) {
			return true
		}
	}
	return false
}

// ErrEntry says that a sheet has no such entry. behind is what stands after its name.
func ErrEntry(sh *Sheet, head *lang.Word, behind []lang.Expr) *lang.Diagnostic {
	d := ErrAt(head.Span, "SP0608", "%s has no %s", AOrAn(sh.Name), head.Name)
	var names []string
	for _, f := range sh.Fields {
		names = append(names, f.Name)
		if f.As != "" && f.As != "CAPS" {
			names = append(names, f.As)
		}
	}
	Suggest(d, head.Name, names)
	if f := sh.CapsField(); f != nil && d.Help == "did you mean "+f.Name+"?" {
		d.Help = "" // those have no word before them
	}
	if help := sh.otherEntry(head, behind); help != "" {
		d.Help = help
	}
	if d.Help == "" && sh.CapsField() != nil && len(behind) == 1 && IsRating(behind[0]) {
		d.Help = "a trait is written in capitals:  " + strings.ToUpper(head.Name) + " " + Text(behind[0].Range())
	}
	if d.Help == "" && sh.CapsField() != nil && len(behind) == 1 {
		if r, ok := behind[0].(*lang.Rated); ok {
			d.Help = "a trait has no word before it:  " + strings.ToUpper(strings.ReplaceAll(NameOf(r.X), " ", "_")) + " " + Text(r.Rating.Range())
		}
	}
	if d.Help == "" {
		d.Help = "it has " + sh.EntryWords()
	}
	return d
}

// otherEntry says how a sheet writes what was meant by the words of an entry it does not
// have, "" if nothing says so: an entry that stands behind a word of its own, a field whose
// description has those words, or an entry of a field that is a map.
func (sh *Sheet) otherEntry(head *lang.Word, behind []lang.Expr) string {
	if len(behind) > 0 {
		if word := WordOf(behind[0]); word != "" && (sh.ByName[word] != nil || sh.AsField(word) != nil) {
			all := lang.Span{Src: head.Src, Start: behind[0].Range().Start, End: behind[len(behind)-1].Range().End}
			return "leave " + head.Name + " out:  " + Text(all)
		}
	}
	words, values := Display(head.Name), behind
	for len(values) > 0 && WordOf(values[0]) != "" {
		if _, ok := values[0].(*lang.Word); !ok {
			break
		}
		words, values = words+" "+WordOf(values[0]), values[1:]
	}
	if f := sh.Described(words); f != nil && len(values) == 1 {
		return "write  " + f.Name + " " + Text(values[0].Range())
	}
	var ways []string
	for _, f := range sh.Fields {
		if f.As != "" && f.As != "CAPS" && f.Decl != nil && f.Decl.Doc != nil && len(values) > 0 && slices.Contains(strings.Fields(Plain(f.Decl.Doc)), head.Name+"s") {
			ways = slices.Insert(ways, 0, f.As+" "+Text(lang.Span{Src: head.Src, Start: values[0].Range().Start, End: values[len(values)-1].Range().End}))
		}
		if near, ok := lang.Nearest(head.Name, []string{f.Name}); ok && near != "" {
			if way := f.InMap(behind); way != "" {
				ways = append(ways, way)
			}
		}
	}
	if len(ways) > 0 {
		return "write  " + strings.Join(ways, "  or  ")
	}
	return ""
}

// Described gives the field whose description is a name, nil if there is none.
func (sh *Sheet) Described(name string) *Field {
	for _, f := range sh.Fields {
		if f.Decl != nil && f.Decl.Doc != nil && strings.EqualFold(Plain(f.Decl.Doc), Display(name)) {
			return f
		}
	}
	return nil
}

// InMap says how a field that is a map takes a name and a value behind it, "" for any other:
// of  load left d8  it is  load {left: d8}.
func (f *Field) InMap(vals []lang.Expr) string {
	if f.Typ.Name.Name != "map" || len(vals) == 0 {
		return ""
	}
	name, rating := NameOf(vals[0]), lang.Expr(nil)
	if r, ok := vals[0].(*lang.Rated); ok && len(vals) == 1 {
		rating = r.Rating
	} else if len(vals) == 2 && IsRating(vals[1]) {
		rating = vals[1]
	}
	if name == "" || rating == nil {
		return ""
	}
	key := AsWord(name)
	if !IsName(key) {
		key = QuoteName(name)
	}
	return f.Name + " {" + key + ": " + Text(rating.Range()) + "}"
}

// AOrAn puts the article before a word.
func AOrAn(word string) string {
	if word != "" && strings.ContainsRune("aeio", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// IsRating says whether an expression is a number or dice as they are written.
func IsRating(e lang.Expr) bool {
	_, dice := e.(*lang.Dice)
	return dice || IsNumeral(e)
}

// InSmallLetters gives who is meant by a name, or by the first word of one, whose capitals somebody
// left out; "" where that is nobody, or more than one.
func (w *World) InSmallLetters(word string) string {
	found := ""
	for _, x := range w.Names() {
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

// IsSomebody says whether a character, thing or group has this name.
func (w *World) IsSomebody(name string) bool { return w.Entities[name] != nil || w.Groups[name] != nil }

// IsPartName says whether somebody has a part of this name.
func (w *World) IsPartName(name string) bool {
	return slices.ContainsFunc(w.Order, func(e *Entity) bool { return e.Owner != nil && e.Name == name })
}

// PartBegun gives the name of the part that begins with some letters, as DEXTERITY does with DEX, "" if there is
// none or parts of several names do.
func (w *World) PartBegun(letters string) (name string) {
	for _, e := range w.Order {
		switch {
		case len(letters) < 3 || e.Owner == nil || e.Name == name || !strings.HasPrefix(e.Name, letters):
		case name != "":
			return ""
		default:
			name = e.Name
		}
	}
	return name
}

// ErrWho says that nobody is named and several could be meant.
func ErrWho(at lang.Span, all []*Entity) *lang.Diagnostic {
	d := ErrAt(at, "SP0609", "who does this? several characters could")
	names := make([]string, 0, 3)
	for _, e := range all[:min(3, len(all))] {
		names = append(names, QuoteName(e.Name)+": …")
	}
	d.Help = "write  " + strings.Join(names, "  or  ")
	return d
}

// QuoteName writes a name as a script would.
func QuoteName(name string) string {
	if name == "" {
		return `""`
	}
	if first := []rune(name)[0]; strings.ToUpper(string(first)) == string(first) && !strings.ContainsAny(name, `"'-.,:;!?()[]{}`) {
		if u := strings.ReplaceAll(name, " ", "_"); !strings.Contains(name, " ") || IsName(u) && !strings.Contains(name, " ") {
			return u
		}
	}
	return `"` + name + `"`
}

// IsName says whether a name can be written without quotes.
func IsName(s string) bool {
	return !slices.ContainsFunc([]rune(s), func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
}

// playerWith gives the only one of those whom players play whose sheet has such a part, nil where nobody has
// or several have.
func (w *World) playerWith(sh *Sheet, name string) (owner *Entity) {
	for _, e := range w.Order {
		if e.Owner == nil || !e.Root().Sheet.Players || !e.Sheet.Is(sh.Name) || !code.SameName(e.Name, name) || e.Root() == owner {
			continue
		}
		if owner != nil {
			return nil
		}
		owner = e.Root()
	}
	return owner
}

// ErrPart says that an instance has no such part.
func ErrPart(w *World, owner *Entity, sh *Sheet, name string, at lang.Span) *lang.Diagnostic {
	d := ErrAt(at, "SP0610", "%s has no %s %s", QuoteName(owner.Name), sh.Name, name)
	if owner.Adhoc {
		d.Help = fmt.Sprintf("give its rating: %s 4", name)
		return d
	}
	if small := SmallDie(name); small != "" {
		d.Help = "dice are written small:  " + small
		return d
	}
	if all := w.Groups[strings.ReplaceAll(name, "_", " ")]; len(all) > 0 {
		d.Help = fmt.Sprintf("there are %d %s; name one of them:  %s", len(all), name, QuoteName(all[0].Name))
		return d
	}
	var names []string
	byName := map[string]*Entity{}
	for _, p := range owner.Parts {
		if p.Sheet.Is(sh.Name) {
			names = append(names, p.Name)
			byName[p.Name] = p
		}
		for _, q := range p.Parts {
			if q.Sheet.Is(sh.Name) {
				names = append(names, q.Name)
			}
		}
	}
	if near, ok := lang.Nearest(name, names); ok {
		d.Help = "did you mean " + near + w.ratingOf(byName[near]) + "?"
	}
	if e := w.Entities[strings.ReplaceAll(name, "_", " ")]; d.Help == "" && e != nil {
		d.Help = QuoteName(name) + " is " + AOrAn(Display(e.Sheet.Name))
	}
	if has := w.playerWith(sh, name); owner.Root().Sheet.Players && d.Help == "" && has != nil {
		d.Help = QuoteName(has.Name) + " has it; a command of theirs begins with  " + QuoteName(has.Name) + ":"
	}
	if d.Help == "" && name != strings.ToUpper(name) && !slices.ContainsFunc(owner.Parts, func(p *Entity) bool { return code.SameName(p.Name, name) }) {
		SuggestName(d, name, w.InstanceNames()) // somebody could have been meant
	}
	same := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", " ")) }
	for _, p := range owner.Parts {
		if d.Help == "" && same(p.Name) == same(name) && (p.Sheet.Is(sh.Name) || w.TakesCaps(sh.Name)) {
			d.Help = "did you mean " + QuoteName(p.Name) + "?"
		}
	}
	if longer := withWord(name, names); d.Help == "" && longer != "" {
		d.Help = "did you mean " + longer + w.ratingOf(byName[longer]) + "?"
	}
	if d.Help == "" && len(names) > 0 {
		d.Help = "it has " + strings.Join(names[:min(6, len(names))], ", ")
	}
	for _, p := range owner.Parts {
		if code.SameName(p.Name, name) && !p.Sheet.Is(sh.Name) {
			d.Help = strings.TrimSuffix(QuoteName(p.Name)+" is "+AOrAn(Display(p.Sheet.Name))+"; "+d.Help, "; ")
		}
	}
	return d
}

// ratingOf gives the rating that a part was declared with, with a space before.
func (w *World) ratingOf(p *Entity) string {
	if p == nil || p.Sheet.ByName["rating"] == nil {
		return ""
	}
	if v := w.DeclaredValue(p, p.Sheet.ByName["rating"]); v != value.None {
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
		for _, name := range KeysOf(w.Sheets) {
			sh := w.Sheets[name]
			if sh.ByName[d.Field] != nil || sh.AsField(d.Field) != nil {
				d.Help = d.HelpIf
			} else if f := sh.Described(d.Field); f != nil && d.Help == d.HelpElse {
				d.Help = strings.ReplaceAll(d.HelpIf, d.Field, f.Name)
			}
		}
	}
}

// SmallDie gives dice that were written in capitals as they are written: D8 is d8. "" for
// anything else.
func SmallDie(name string) string {
	if capitalDie().MatchString(name) {
		return strings.ToLower(name)
	}
	return ""
}

var capitalDie = late.Regexp(`^D[1-9][0-9]*$`)

// withWord gives the only one of some names that has all words of a name among its own:
// HIGH_SPEED for SPEED, or begins with it, as DEXTERITY does with DEX. "" if there are none or several.
func withWord(name string, names []string) string {
	found := ""
	for _, n := range names {
		of := strings.Split(n, "_")
		if slices.ContainsFunc(strings.Split(name, "_"), func(w string) bool { return !slices.Contains(of, w) }) && (len(name) < 3 || !strings.HasPrefix(n, name)) {
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

// NamePieces gives the name that expressions begin with, which stands there without quotes,
// and how many of them it takes, 0 if there is none:  Old Bob,  Dr. Grimm,  Wolves 2.
func NamePieces(es []lang.Expr) (name string, n int) {
	for _, e := range es {
		switch e := e.(type) {
		case *lang.Name:
			name += " " + Display(e.Name)
		case *lang.Dot:
			if _, ok := e.X.(*lang.Name); !ok {
				return strings.TrimSpace(name), n
			}
			name += " " + Display(Text(e.Range()))
		case *lang.Num:
			if n == 1 {
				return strings.TrimSpace(name + " " + Text(e.Span)), 2
			}
			return strings.TrimSpace(name), n
		case *lang.Rated:
			x, ok := e.X.(*lang.Name)
			if !ok || !IsNumeral(e.Rating) {
				return strings.TrimSpace(name), n
			}
			return strings.TrimSpace(name + " " + Display(x.Name) + " " + Text(e.Rating.Range())), n + 1
		default:
			return strings.TrimSpace(name), n
		}
		n++
	}
	return strings.TrimSpace(name), n
}

// Unquoted gives the name of somebody that expressions begin with and that should have
// stood in quotes; "" if nobody is called so.
func (w *World) Unquoted(es []lang.Expr) string {
	for n := len(es); n > 0; n-- {
		name, k := NamePieces(es[:n])
		if k != n {
			continue
		}
		for _, known := range append(KeysOf(w.Entities), KeysOf(w.Groups)...) {
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

// InQuotes is the hint for a name that has to stand in quotes.
func InQuotes(name string) string { return `write this name in quotes:  "` + name + `"` }
