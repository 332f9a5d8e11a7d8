package assist

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Modules gives the names of the modules and variants in use, in order.
func Modules(s *interp.Session) []string { return modulesOf(core.Of(s)) }

func modulesOf(s *core.Run) []string {
	var names []string
	for _, m := range s.World.Modules {
		names = append(names, m.Name)
	}
	return names
}

// Rules lists the catalogue of a module, in the order of its text; with "" of
// everything in use. A module that is not in use yet is read for the purpose.
func Rules(s *interp.Session, module string) ([]RuleInfo, error) {
	w, err := knowing(core.Of(s), module)
	if err != nil {
		return nil, err
	}
	var out []RuleInfo
	for _, r := range w.IDs {
		if module == "" || r.Module == module {
			out = append(out, RuleInfo{ID: r.ID, Doc: r.Doc, Recorded: r.Recorded, At: r.At()})
		}
	}
	return out, nil
}

// with gives the world as it would be with one more module, nil when there is
// no such module. A second system cannot join one in use: it gets a world of its own.
func with(s *core.Run, module string) *decl.World {
	if s.Besides.Of != s.World {
		s.Besides.Of, s.Besides.Worlds = s.World, map[string]*decl.World{}
	}
	w, known := s.Besides.Worlds[module]
	if !known {
		w = readWith(s, module)
		s.Besides.Worlds[module] = w
	}
	return w
}

func readWith(s *core.Run, module string) *decl.World {
	tree, diags := lang.Parse(lang.NewSource("", "use "+module))
	if core.Failed(diags) {
		return nil
	}
	store := slices.Clone(s.M.Store)
	w := s.World.Clone()
	_, diags = compile.Compile(w, tree)
	s.M.Store = store
	if !core.Failed(diags) {
		return w
	}
	if len(modulesOf(s)) > 0 {
		return with(core.Of(interp.NewSession(interp.Config{Modules: s.World.FS, Folder: s.World.Folder, Systems: s.World.Systems, Versions: s.World.Versions, Program: s.World.Program})), module)
	}
	return nil
}

// Explain gives what is known of a catalogue id; its module's name may be left
// out. When there is none it gives the nearest instead, with an error. A module
// that is not in use is read for the purpose.
func Explain(s *interp.Session, id string) (RuleInfo, []string, error) {
	w := core.Of(s).World
	if module, _, ok := strings.Cut(id, "."); ok && !slices.Contains(Modules(s), module) {
		if more := with(core.Of(s), module); more != nil {
			w = more
		}
	}
	var ids []string
	var found []RuleInfo
	for _, r := range w.IDs {
		if r.ID == id || strings.HasSuffix(r.ID, "."+id) && strings.Count(r.ID, ".") == strings.Count(id, ".")+1 {
			found = append(found, RuleInfo{ID: r.ID, Doc: r.Doc, Recorded: r.Recorded, At: r.At()})
		}
		ids = append(ids, r.ID)
	}
	if len(found) > 0 {
		return found[0], nil, nil
	}
	d := &lang.Diagnostic{Code: "SP0421", Message: "there is no rule " + id}
	var nearest []string
	if near, ok := lang.Nearest(id, ids); ok {
		d.Help = "did you mean " + near + "?"
		nearest = append(nearest, near)
	}
	return RuleInfo{}, nearest, lang.Diagnostics{d}
}

// OptionInfo describes an option.
type OptionInfo struct {
	ID, Name, Doc string
	Value         string
	Choices       []string // one only: any value of its kind
	Docs          []string // what each of them does, "" where nothing says it
}

// Options lists the options of the modules in use.
func Options(s *interp.Session) []OptionInfo {
	var out []OptionInfo
	for _, o := range core.Of(s).World.Options() {
		info := OptionInfo{Docs: o.Docs, ID: o.Module + ".opt." + o.Name, Name: o.Name, Doc: o.Doc, Value: core.Of(s).Heap.Show(o.Value, nil)}
		for _, v := range o.Values {
			info.Choices = append(info.Choices, core.Of(s).Heap.Show(v, nil))
		}
		out = append(out, info)
	}
	return out
}

// Names gives the names of what has been declared, in order.
func Names(s *interp.Session) []string {
	var names []string
	for _, e := range language.Instances(core.Of(s).World) {
		if !e.Part {
			names = append(names, e.Name)
		}
	}
	return names
}

// State shows the fields of a sheet and of its parts: first what the sheet says and what is not
// as usual, then the points that its summary and reserves name, then the rest.
// With "" it shows, of all sheets, what differs from what the sheet's kind begins with.
func State(s *interp.Session, who string) ([]StateLine, error) {
	var out []StateLine
	found := who == ""
	for _, e := range language.Instances(core.Of(s).World) {
		if who != "" && !belongs(e.Path, who) {
			continue
		}
		found = true
		t := core.Of(s).M.TypeOf(e.Off)
		aside := core.Of(s).M.Aside()
		points := points(aside, e.Off)
		from := len(out)
		for i := range t.Fields {
			f, v := &t.Fields[i], core.Of(s).M.Store[e.Off+code.Header+i]
			if who == "" && (f.Hidden || v == t.Template[code.Header+i] || v.Kind() == value.List) {
				continue
			}
			l := StateLine{Who: e.Path, Field: f.Name, Value: core.Of(s).M.Show(v), Hidden: f.Hidden || f.Many, Told: string(aside.Told(e.Off, f)), Usual: v == t.Template[code.Header+i]}
			l.Said, l.Points = language.Said(core.Of(s).World, e.Off, f), slices.Contains(points, f.Name)
			l.Derived = !f.Const && !l.Said
			out = append(out, l)
		}
		if who == "" {
			continue
		}
		if list := features(core.Of(s), e.Off); list != "" {
			out = append(out, StateLine{Who: e.Path, Field: "special rules", Value: list, Said: true})
		}
		slices.SortStableFunc(out[from:], func(a, b StateLine) int {
			return cmp.Or(a.rank()-b.rank(), placeIn(points, a.Field)-placeIn(points, b.Field))
		})
	}
	if found {
		return out, nil
	}
	d := &lang.Diagnostic{Code: "SP0309", Message: "nobody is called " + who}
	if near, ok := lang.Nearest(who, Names(s)); ok {
		d.Help = "did you mean " + near + "?"
	}
	return nil, lang.Diagnostics{d}
}

// rank says how soon a reader of a sheet wants to see a field.
func (l *StateLine) rank() int {
	switch {
	case l.Hidden:
		return 4
	case l.Points:
		return 2
	case l.Said:
		return 0
	case !l.Usual && !l.Derived:
		return 1
	}
	return 3
}

// features names the special rules of an instance, each with what it was given.
func features(s *core.Run, off int) string {
	var list []string
	for _, v := range s.Heap.Elems(s.M.Store[off+code.AtFeatures]) {
		sh := s.World.Features[s.M.TypeOf(v.Off()).Name]
		said := sh.Name
		for _, p := range sh.Params {
			if x := s.M.Store[v.Off()+code.Header+p.Index]; x != value.None {
				said += " " + s.M.Show(x)
			}
		}
		list = append(list, said)
	}
	return strings.Join(list, ", ")
}

// points names the fields of an instance of which its summary or its reserves speak.
func points(aside *machine.Machine, off int) []string {
	var names []string
	for _, of := range []func(int) (machine.Summarised, bool, *machine.Error){aside.Summary, aside.Reserves, aside.AtHand} {
		if sum, ok, err := of(off); ok && err == nil {
			names = append(names, sum.Names...)
		}
	}
	return names
}

// placeIn gives where a name stands in a list, behind it where it does not.
func placeIn(names []string, name string) int {
	if at := slices.Index(names, name); at >= 0 {
		return at
	}
	return len(names)
}

func belongs(path, who string) bool {
	who = strings.ReplaceAll(strings.Trim(who, `"`), "_", " ")
	path = strings.ReplaceAll(path, "_", " ")
	return strings.EqualFold(path, who) || len(path) > len(who) && strings.EqualFold(path[:len(who)], who) && path[len(who)] == '.'
}

// idleAfter finds out which clauses could not count if they came next in a line, as things
// stand. A clause that can be given in two places is idle where it is in both.
func idleAfter(s *core.Run, line string) func(*lang.Clause) bool {
	counts := map[*lang.Clause]bool{}
	file, diags := lang.Parse(lang.NewSource("", language.Unfinished(line)))
	if !core.Failed(diags) {
		w, size := s.World.Clone(), len(s.M.Store)
		found := compile.Candidates(w, file)
		aside := s.M.Aside()
		s.M.Store = s.M.Store[:size]
		aside.Prog = w.Prog
		for _, c := range found {
			counts[c.Clause] = counts[c.Clause] || c.Counts && (c.Ask == nil || aside.Holds(c.Ask))
		}
	}
	return func(cl *lang.Clause) bool {
		yes, known := counts[cl]
		return known && !yes
	}
}

// Hint says in a few words what may come next at the end of a line that is being
// typed, "" where nothing is known.
func Hint(s *interp.Session, line string) string {
	return language.Hint(core.Of(s).World, line, idleAfter(core.Of(s), line))
}

// WordKind tells what a word is in this session: "verb", "sheet", "word" of the
// language, "character", "rule", "value" or "variable"; "" if nobody knows it.
func WordKind(s *interp.Session, word string) string {
	return language.KindOfWord(core.Of(s).World, word)
}

// CompleteTurn lists what may stand at byte at of a command that is being typed in a turn.
func CompleteTurn(t interp.Turn, line string, at int) (from int, list []Completion) {
	before := t.Who + ": "
	from, list = Complete(t.Session, before+line, len(before)+min(at, len(line)))
	run := core.Of(t.Session)
	who, _ := run.M.Acting()
	unfit := run.Terms(who).Unfit
	list = slices.DeleteFunc(list, func(c Completion) bool { return c.Kind == "verb" && slices.Contains(unfit, c.Text) })
	return max(from-len(before), 0), list
}

// Masters is the part of a command in a turn that decides what the rules have the game master decide, such as how hard it
// is, and who that is; "" for none, and in what is done unasked.
func Masters(t interp.Turn, text string) (part, who string) {
	w := core.Of(t.Session).World
	file, ds := lang.Parse(lang.NewSource("", t.Who+": "+text))
	if core.Failed(ds) || text == t.Default {
		return "", ""
	}
	place := compile.Places(w.Clone(), file)
	if place == nil {
		return "", ""
	}
	for _, name := range slices.Sorted(maps.Keys(w.Decided)) {
		by := decl.Plain(w.Decided[name].By) + ","
		for _, e := range w.Order {
			who := "the " + decl.Display(e.Name)
			if e.Script || e.Owner != nil || e.Sheet.Players || !strings.HasPrefix(by, who+",") {
				continue
			}
			if at, ok := place(name); ok {
				return at.Src.Text[at.Start:at.End], who
			}
		}
	}
	return "", ""
}

// RuleInfo describes one catalogue id.
type RuleInfo struct {
	ID       string
	Doc      string
	Recorded bool
	At       lang.Span // the annotation with what it annotates
}

// StateLine is one field of a sheet as :state shows it.
type StateLine struct {
	Who, Field, Value string
	Hidden            bool   // the field is bookkeeping of the rules, or a list of parts that have lines of their own
	Usual             bool   // it is as the sheet has it where nobody says anything
	Said              bool   // whoever wrote the sheet has set it
	Points            bool   // the summary or the reserves of the sheet name it
	Told              string // see interp.Event
	Derived           bool   // the rules work it out from other fields where nobody says anything
}
