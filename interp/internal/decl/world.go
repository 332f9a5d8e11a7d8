package decl

import (
	"io/fs"
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Spends is how clauses begin that are paid for.
const Spends = "spend"

// GivenOutcome is an outcome with the declaration that it stands in.
type GivenOutcome struct {
	Value lang.Expr
	In    lang.Stmt
}

// World is what has been declared. Compile works on a Clone, so that a source
// with mistakes leaves no trace.
type World struct {
	ir.Unit

	Modules []*Module
	IDs     []RuleID

	FS       fs.FS                   // of the modules
	Folder   fs.FS                   // of the script
	Systems  []Place                 // between the two: where else systems are looked for
	Versions map[string]string       // of systems that a script names without one
	Program  string                  // its version, "" for any
	Set      map[string]string       // options set from outside
	Prompt   bool                    // lines are typed at a prompt: the last value shown is kept as _
	Checked  map[string]*lang.Source // files that are being checked, by their names in the folder: they are not looked for
	Unrun    bool                    // what is compiled is only looked at: it gets no code
	Strict   bool                    // what a script declares and does not use is reported

	References *[]Reference // what names are resolved to, nil where nobody asks
	RefersAll  bool         // in the files of shipped rules, too
	Varies     bool         // what may be changed in a script is listed
	Entries    *[]Entry     // what the sheets of scripts say, nil where nobody asks
	Added      []*Added     // by linking

	Fresh  bool                           // nothing has been compiled in it yet
	System shared                         // whose code rules have, nil where they may have other code
	linker func(*World, *code.Func) error // links a function when it is first called
	Reader any                            // a Commands: how commands are read
	Watch  any                            // a watch: what is looked at, nil where nobody asks

	Rules        map[string]*Rule
	OptionNamed  map[string]*Option
	Sheets       map[string]*Sheet
	Players      bool // some of them are of players
	Tells        bool // some verb says who may know what it does
	Verbs        map[string]*Verb
	Sets         map[string]*ClauseSet
	Features     map[string]*Sheet
	Every        []*Sheet // features on every instance of a sheet
	Hooks        map[string]*Hook
	FieldSyms    map[string]int
	FieldOf      map[string][]*Sheet // who has a field of that name
	Entities     map[string]*Entity
	ByOff        map[int]*Entity
	Groups       map[string][]*Entity
	Order        []*Entity
	WordSets     map[string]*lang.Words // words that are values, by the name of their type
	Cells        map[string]int         // variables of the script
	LastKeys     map[string]int         // values of the last outcome
	LastOf       map[string][]string    // what declares the outcomes that have them
	SpansOf      *Module                // that says what spans there are
	SpansAt      lang.Span              // where
	LastModules  map[string]*Module     // the first whose outcomes have a value
	Symbols      map[string]bool
	WordDice     bool                 // dice have words on their faces
	KeyNames     map[string]lang.Span // under which a script puts something into a map, see resolve/keys.go
	Outcomes     []GivenOutcome       // in the order of their declaration
	Ids          map[string]int       // catalogue id → index into IDs
	Goals        []Goal
	Checks       []Check
	StandIn      *StandIn
	Stock        []*Stock // that the script declares
	Stores       []*Store // where else there is stock, what the script names first
	Tests        []*Test
	Spans        map[SpanKey]map[string]lang.Span // of bound commands: clause → place
	Records      map[*lang.Clause]*Sheet          // of clause groups
	Initial      map[FieldAt]ir.V                 // constants that declarations put into fields
	Spoilt       bool                             // a module could not be read
	Loading      []string                         // modules being read
	Scopes       int                              // how many blocks had tactics of their own
	Declared     []Declared                       // by modules and scripts
	DecisionSet  map[string]bool                  // names of the decisions in declared, nil where they have not been looked for
	Boundaries   map[string]bool                  // names of fields that rules set when spans begin or end, likewise
	PartKinds    map[string]bool                  // names of the sheets that are parts of others, likewise
	Decided      map[string]*lang.Decision        // in the words of the table
	DecisionList []Decision                       // those decisions, nil where they have not been asked for
	Laid         map[*lang.Command]*ir.Node       // instances of the script being compiled
	Start        []*code.Func                     // sets the values of what modules declare; run once

	GivenBy  map[string][]lang.Stmt // the declarations whose outcomes have a value, by its name
	Warnings []warning              // of what has been read since Compile began

	Lets map[string]lang.Span // where the script being compiled sets a variable first
}

// SpanKey is the place of a command.
type SpanKey struct {
	Src   *lang.Source
	Start int32
}

// Module is a module or variant in use.
type Module struct {
	Name, Base, Title    string
	Version, By, Licence string // "" where its file says nothing

	Place  string         // where it was found: the name of a Place, Here or BuiltIn
	Folder Place          // in which its first file is
	Files  []*lang.Source // that it was read from, the first file first

	Script bool // what a script declares itself
}

// RuleID is one id of a catalogue.
type RuleID struct {
	ID, Doc  string
	Recorded bool
	Module   string

	Span, IdSpan lang.Span   // of the annotation and of the id in it
	In           *lang.Block // the unread body it stands in
}

// At gives the place of the annotation with what it explains.
func (r *RuleID) At() lang.Span {
	if r.In == nil {
		return r.Span
	}
	body, _ := r.In.Read()
	at := r.Span
	lang.Walk(body, func(n lang.Node) bool {
		if a, ok := n.(*lang.Annotated); ok && a.IDSpan == r.IdSpan {
			at = a.Span
		}
		return true
	})
	return at
}

// Option is an open question of a rule book, with the answer that the table has chosen.
type Option struct {
	Name, Module, Doc string
	Values            []ir.V
	Docs              []string // what each value does, "" where nothing says it
	Value             ir.V
	At                lang.Span
}

// Test is a test block.
type Test struct {
	Name string
	At   lang.Span
	Slot int
	Odds []OddsTest

	After string // the scene behind which it begins, "" for the declarations
	Mark  int    // the number of the mark there, see machine.Machine.Marks
}

// OddsTest is an expectation of a test about the odds of a condition: the chance
// that it holds behind the statements before it.
type OddsTest struct {
	At, Of, Than lang.Span // the whole, the condition, and what it is compared with
	Op           string
	Outcome      bool // the condition is a word: the outcome that is meant
	Before       []lang.Span
}

// Rule is a rule or a table.
type Rule struct {
	Name   string
	Module *Module
	Params []lang.Param
	Slot   int
	Doc    string
	At     lang.Span
	Base   *Rule       // what it replaces
	Self   bool        // its first parameter is self
	Asks   bool        // it is a value, with nothing done on the way
	Value  lang.Expr   // that value; nil for a table
	Body   *lang.Block // what is done instead of a value
	Table  *lang.Table
}

// Hook is a moment at which handlers are called.
type Hook struct {
	Id     int
	Name   string
	Module *Module
	Params int
	Form   string // with its parameters
	Doc    string
	At     lang.Span
	Old    *Hook // that it replaces, or nil
}

// Goal is what somebody who decides wants, see compile/goal.go.
type Goal struct {
	Name   string
	Doc    string
	Module *Module
	Script bool // declared by a script
	At     lang.Span
	Slot   int
	Params int
	Asks   []string // the names of its parameters
	After  []lang.Ident
	Value  lang.Span
	Tree   lang.Expr
}

// Check looks at a sheet.
type Check struct {
	Sheet  *Sheet
	Slot   int
	Name   string
	Module *Module
	Doc    string
	Always bool // scripts are checked for it before they run
	At     lang.Span
}

// StandIn is who acts where nobody has been declared.
type StandIn struct {
	Sheet lang.Ident
	Name  string
	Ent   *Entity
}

// shared is a system that sessions have in common, with what it knows of its own names.
type shared interface {
	// Link gives a function the code that it has in all worlds which know no more than the
	// system. It says no where that is not so.
	Link(w *World, mf *code.Func) bool
	// TraitNames gives the names of traits that the system speaks of.
	TraitNames() (parts, known []string)
}

// NewWorld makes an empty world for a machine's store.
func NewWorld(h *value.Heap, store *[]ir.V, linker func(*World, *code.Func) error) *World {
	w := &World{
		Unit:        ir.Unit{Heap: h, Store: store, Prog: &code.Program{Stated: map[int]ir.V{}}, KeptKeys: map[string]int{}, Texts: map[string]ir.Use{}},
		Rules:       map[string]*Rule{},
		OptionNamed: map[string]*Option{},
		WordSets:    map[string]*lang.Words{},
		Sheets:      map[string]*Sheet{},
		Verbs:       map[string]*Verb{},
		Sets:        map[string]*ClauseSet{},
		Features:    map[string]*Sheet{},
		Hooks:       map[string]*Hook{},
		FieldSyms:   map[string]int{},
		FieldOf:     map[string][]*Sheet{},
		Entities:    map[string]*Entity{},
		ByOff:       map[int]*Entity{},
		Groups:      map[string][]*Entity{},
		Cells:       map[string]int{},
		LastKeys:    map[string]int{},
		LastOf:      map[string][]string{},
		Decided:     map[string]*lang.Decision{},
		LastModules: map[string]*Module{},
		KeyNames:    map[string]lang.Span{},
		GivenBy:     map[string][]lang.Stmt{},
		Symbols:     map[string]bool{},
		Ids:         map[string]int{},
		Spans:       map[SpanKey]map[string]lang.Span{},
		Records:     map[*lang.Clause]*Sheet{},
		Laid:        map[*lang.Command]*ir.Node{},
		Initial:     map[FieldAt]ir.V{},
		Fresh:       true,
	}
	w.Prog.Link, w.Prog.Attended = w.Link, true
	w.linker = linker
	draw := w.Reserve(drawRoom)
	w.Prog.DrawWords = [2]int{draw, draw + drawRoom}
	slots := w.Reserve(slotRoom)
	w.Prog.RegisterWords = [2]int{slots, slots + slotRoom}
	reports := w.Reserve(reportRoom)
	w.Prog.ReportWords = [2]int{reports, reports + reportRoom}
	first := w.Reserve(LastRoom)
	w.Prog.Last = [2]int{first, first + 1}
	w.LastKeys["outcome"] = first
	w.DeclareHook(nil, &lang.Hook{Name: lang.Ident{Name: "begins"}, Params: []lang.Ident{{Name: "span"}}})
	w.DeclareHook(nil, &lang.Hook{Name: lang.Ident{Name: "ends"}, Params: []lang.Ident{{Name: "span"}}})
	w.Hooks["begins"].Doc = "a span of time begins"
	w.Hooks["ends"].Doc = "a span of time ends; what lasts that long is not cleared yet"
	return w
}

// LastRoom is how many different values outcomes may have, all told.
const LastRoom = 64

// drawRoom is how many words of the store stand for the values of a draw.
const drawRoom = 8

// slotRoom is how many numbers at hand words of the store can hold.
const slotRoom = 16

// reportRoom is how many values that were reported words of the store can hold.
const reportRoom = 32

// Ask notes that something reads a value of the last outcome. Where it is a text, the rules that
// give it are made anew.
func (w *World) Ask(name string) {
	if use := w.Texts[name]; use&ir.Asked == 0 {
		w.Texts[name] |= ir.Asked
		if use == ir.Given {
			w.Renew()
		}
	}
}

// Kept gives the cell of a value that outcomes have, as the latest outcome that had it
// left it: winner is that of the last fight, whatever was rolled since. Rules write it
// only where somebody reads it, so whoever asks first makes them anew.
func (w *World) Kept(name string) int {
	last := w.LastKeys[name]
	if name == "outcome" {
		return last // which every outcome has
	}
	at, ok := w.KeptKeys[name]
	if !ok {
		at = w.Reserve(1)
		(*w.Store)[at] = (*w.Store)[last]
		w.KeptKeys[name] = at
		w.Renew()
	}
	return at
}

// Reserve adds n words to the store, all none.
func (w *World) Reserve(n int) int {
	at := len(*w.Store)
	for range n {
		*w.Store = append(*w.Store, value.None)
	}
	return at
}

// Clone gives a world that can grow without changing w.
func (w *World) Clone() *World {
	c := *w
	c.Room, c.Nodes, c.Leaves = ir.CodeRoom{}, nil, nil
	p := *w.Prog
	p.Symbols = slices.Clip(p.Symbols)
	p.Slots = slices.Clone(p.Slots)
	p.Types = slices.Clone(p.Types)
	p.Hooks = slices.Clone(p.Hooks)
	p.Tactics = slices.Clone(p.Tactics)
	p.Live = slices.Clone(p.Live)
	p.Groups = slices.Clone(p.Groups)
	p.Stated = maps.Clone(p.Stated)
	p.Holders = slices.Clip(p.Holders)
	c.Prog = &p
	c.Prog.Link = c.Link
	c.Modules = slices.Clone(w.Modules)
	c.IDs = slices.Clip(w.IDs)
	c.Rules = maps.Clone(w.Rules)
	c.OptionNamed = maps.Clone(w.OptionNamed)
	c.WordSets = maps.Clone(w.WordSets)
	c.Sheets = maps.Clone(w.Sheets)
	c.Verbs = maps.Clone(w.Verbs)
	c.Sets = maps.Clone(w.Sets)
	c.Features = maps.Clone(w.Features)
	c.Every = slices.Clone(w.Every)
	c.Hooks = maps.Clone(w.Hooks)
	c.FieldSyms = maps.Clone(w.FieldSyms)
	c.FieldOf = maps.Clone(w.FieldOf)
	c.Cells = maps.Clone(w.Cells)
	c.LastKeys = maps.Clone(w.LastKeys)
	c.KeptKeys = maps.Clone(w.KeptKeys)
	c.Texts = maps.Clone(w.Texts)
	c.LastOf = maps.Clone(w.LastOf)
	c.Decided = maps.Clone(w.Decided)
	c.LastModules = maps.Clone(w.LastModules)
	c.GivenBy = maps.Clone(w.GivenBy)
	c.Symbols = maps.Clone(w.Symbols)
	c.KeyNames = maps.Clone(w.KeyNames)
	c.Outcomes = slices.Clip(w.Outcomes)
	c.Loading = slices.Clip(w.Loading)
	c.Ids = maps.Clone(w.Ids)
	c.Goals = slices.Clone(w.Goals)
	c.Checks = slices.Clone(w.Checks)
	c.Tests = slices.Clone(w.Tests)
	c.Added = slices.Clip(w.Added)
	c.Stock, c.Stores = slices.Clip(w.Stock), slices.Clip(w.Stores)
	c.Spans = maps.Clone(w.Spans)
	c.Records = maps.Clone(w.Records)
	c.Initial = maps.Clone(w.Initial)
	c.cloneEntities(w)
	return &c
}

// cloneEntities copies the instances, which change when parts are added.
func (c *World) cloneEntities(w *World) {
	of := make(map[*Entity]*Entity, len(w.ByOff))
	for _, e := range w.ByOff {
		n := *e
		of[e] = &n
	}
	c.ByOff = make(map[int]*Entity, len(w.ByOff))
	for off, e := range w.ByOff {
		n := of[e]
		n.Owner = of[e.Owner]
		n.Parts = make([]*Entity, len(e.Parts))
		for i, p := range e.Parts {
			n.Parts[i] = of[p]
		}
		c.ByOff[off] = n
	}
	c.Entities = make(map[string]*Entity, len(w.Entities))
	for name, e := range w.Entities {
		c.Entities[name] = of[e]
	}
	c.Groups = make(map[string][]*Entity, len(w.Groups))
	for name, g := range w.Groups {
		l := make([]*Entity, len(g))
		for i, e := range g {
			l[i] = of[e]
		}
		c.Groups[name] = l
	}
	c.Order = make([]*Entity, len(w.Order))
	for i, e := range w.Order {
		c.Order[i] = of[e]
	}
	if w.StandIn != nil {
		s := *w.StandIn
		s.Ent = of[s.Ent]
		c.StandIn = &s
	}
}

// DeclaredValue gives the value that a field of an instance has now, none
// when the line that sets it has not been reached.
func (w *World) DeclaredValue(e *Entity, fd *Field) ir.V {
	if n, ok := w.Initial[FieldAt{e.Off, fd.Sym}]; ok {
		return n
	}
	return value.None
}

// FieldAt is a field of an instance.
type FieldAt struct{ Off, Sym int }

// Refresh forgets all code, because something it was compiled from has changed.
func (w *World) Refresh() {
	w.System = nil
	w.Renew()
}

// Renew has all functions linked again.
func (w *World) Renew() {
	w.Leaves, w.Inlined = nil, 0
	fs := make([]code.Func, len(w.Prog.Slots)) // in one piece, since there are many
	for i, f := range w.Prog.Slots {
		fs[i] = code.Func{Name: f.Name, Params: f.Params, Region: f.Region, Source: f.Source}
		w.Prog.Slots[i] = &fs[i]
	}
}

// Added is a function that has brought more into the world when it was linked: rules for conditions, variables.
type Added struct{ Fn *code.Func }

// Unlink has functions linked again whose code speaks of what is in w and not in another world, which comes in its place.
func (w *World) Unlink(other *World) {
	for i, x := range w.Added {
		if i >= len(other.Added) || other.Added[i] != x {
			x.Fn.Code = nil
		}
	}
}

// Link links a function when it is first called.
func (w *World) Link(mf *code.Func) error { return w.linker(w, mf) }

// Catalogue gives the index of a catalogue id as cited in module m, -1 when
// there is none.
func (w *World) Catalogue(m *Module, id string) int {
	for ; m != nil; m = w.Module(m.Base) {
		if i, ok := w.Ids[m.Name+"."+id]; ok {
			return i
		}
	}
	if i, ok := w.Ids[id]; ok {
		return i
	}
	return -1
}

// Module gives a module in use by its name, nil if it is not in use.
func (w *World) Module(name string) *Module {
	for _, m := range w.Modules {
		if m.Name == name {
			return m
		}
	}
	return nil
}
