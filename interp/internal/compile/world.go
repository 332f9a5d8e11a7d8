// Package compile turns syntax trees into code for a machine.
//
// A World is everything that has been declared so far: the systems in use, sheets and
// their instances, rules, verbs, options. The compiler makes four passes, each over the
// whole source, so that it reports all mistakes before anything runs:
//
//	World.Compile                                             load.go
//	  |
//	  |-- 1 declare: enter names
//	  |     collector.declare                                 declare.go
//	  |       first    what others refer to: use (load.go; of an embedded system
//	  |                once for all sessions, shared.go), sheets, features
//	  |                (sheet.go), hooks, options, spans, rules, clauses, words
//	  |       second   what refers to it: verbs (verb.go), handlers, checks,
//	  |                goals (goal.go), what a variant removes
//	  |
//	  |-- 2 lay out: give instances their place in the store
//	  |     collector.layOutAll                               load.go
//	  |       fn.instances -> builder.fill                    instance.go
//	  |
//	  |-- 3 resolve: turn trees into nodes in which each name is a place
//	  |     collector.statement, of each statement            load.go
//	  |       fn.stmt -> fn.expr                              resolve.go, expr.go
//	  |       fn.command -> fn.bind: a command of a verb      bind.go
//	  |         binder.read -> clause -> pattern: its clauses
//	  |           binder.slot -> operand: one operand         slot.go
//	  |             fn.expr, fn.fresh: a value, a stand-in    expr.go, instance.go
//	  |       fn.resolvedBody, checkKinds: what is what       kinds.go
//	  |
//	  |-- 4 generate: emit instructions
//	        Compiled.add -> generate -> gen.stmt -> gen.expr  gen.go
//	          gen.inline: short rules in the place of calls   inline.go
//
// The body of a rule that a script declares is resolved with the script. That of a rule of a
// system goes through 3 and 4 at its first call (World.link, which the machine calls), so
// that a script pays only for the rules it uses; sessions that declare nothing it may refer to
// share the result (shared.go). The same tables answer the questions of help, completion and check (topics.go, complete.go, inspect.go).
package compile

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// World is what has been declared. Compile works on a Clone, so that a source
// with mistakes leaves no trace.
type World struct {
	Unit

	Modules []*Module
	IDs     []RuleID

	FS      fs.FS                   // of the modules
	Folder  fs.FS                   // of the script
	Set     map[string]string       // options set from outside
	Prompt  bool                    // lines are typed at a prompt: the last value shown is kept as _
	Checked map[string]*lang.Source // files that are being checked, by their names in the folder: they are not looked for
	Strict  bool                    // what a script declares and does not use is reported

	References *[]Reference // what names are resolved to, nil where nobody asks

	fresh  bool                           // nothing has been compiled in it yet
	system shared                         // whose code rules have, nil where they may have other code
	linker func(*World, *code.Func) error // links a function when it is first called
	reader any                            // a Commands: how commands are read
	watch  any                            // a watch: what is looked at, nil where nobody asks

	rules        map[string]*rule
	optionNamed  map[string]*Option
	sheets       map[string]*sheet
	verbs        map[string]*verb
	sets         map[string]*clauseSet
	features     map[string]*sheet
	every        []*sheet // features on every instance of a sheet
	hooks        map[string]*hook
	fieldSyms    map[string]int
	fieldOf      map[string][]*sheet // who has a field of that name
	entities     map[string]*entity
	byOff        map[int]*entity
	groups       map[string][]*entity
	order        []*entity
	cells        map[string]int      // variables of the script
	lastKeys     map[string]int      // values of the last outcome
	lastOf       map[string][]string // what declares the outcomes that have them
	spansOf      *Module             // that says what spans there are
	spansAt      lang.Span           // where
	lastModules  map[string]*Module  // the first whose outcomes have a value
	symbols      map[string]bool
	keyNames     map[string]lang.Span // under which a script puts something into a map, see keys.go
	outcomes     []givenOutcome       // in the order of their declaration
	ids          map[string]int       // catalogue id → index into IDs
	goals        []goal
	checks       []check
	standIn      *standIn
	tests        []*Test
	spans        map[spanKey]map[string]lang.Span // of bound commands: clause → place
	records      map[*lang.Clause]*sheet          // of clause groups
	initial      map[fieldAt]V                    // constants that declarations put into fields
	spoilt       bool                             // a module could not be read
	loading      []string                         // modules being read
	scopes       int                              // how many blocks had tactics of their own
	declared     []declared                       // by modules and scripts
	decisionSet  map[string]bool                  // names of the decisions in declared, nil where they have not been looked for
	boundaries   map[string]bool                  // names of fields that rules set when spans begin or end, likewise
	partKinds    map[string]bool                  // names of the sheets that are parts of others, likewise
	decided      map[string]*lang.Decision        // in the words of the table
	decisionList []Decision                       // those decisions, nil where they have not been asked for
	laid         map[*lang.Command]*node          // instances of the script being compiled
	Start        []*code.Func                     // sets the values of what modules declare; run once

	givenBy  map[string][]lang.Stmt // the declarations whose outcomes have a value, by its name
	warnings []warning              // of what has been read since Compile began

	lets map[string]lang.Span // where the script being compiled sets a variable first
}

type spanKey struct {
	src   *lang.Source
	start int32
}

// Module is a module or variant in use.
type Module struct {
	Name, Base, Title string

	script bool // what a script declares itself
}

// RuleID is one id of a catalogue.
type RuleID struct {
	ID, Doc  string
	Recorded bool
	Module   string

	span, idSpan lang.Span   // of the annotation and of the id in it
	in           *lang.Block // the unread body it stands in
}

// At gives the place of the annotation with what it explains.
func (r *RuleID) At() lang.Span {
	if r.in == nil {
		return r.span
	}
	body, _ := r.in.Read()
	at := r.span
	lang.Walk(body, func(n lang.Node) bool {
		if a, ok := n.(*lang.Annotated); ok && a.IDSpan == r.idSpan {
			at = a.Span
		}
		return true
	})
	return at
}

// Option is an open question of a rule book, with the answer that the table has chosen.
type Option struct {
	Name, Module, Doc string
	Values            []V
	Docs              []string // what each value does, "" where nothing says it
	Value             V
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

type rule struct {
	name   string
	module *Module
	params []lang.Param
	slot   int
	doc    string
	at     lang.Span
	base   *rule     // what it replaces
	self   bool      // its first parameter is self
	asks   bool      // it is a value, with nothing done on the way
	value  lang.Expr // that value; nil for a table
	table  *lang.Table
}

type hook struct {
	id     int
	name   string
	module *Module
	params int
	form   string // with its parameters
	doc    string
	at     lang.Span
}

// goal is what somebody who decides wants, see goal.go.
type goal struct {
	name   string
	doc    string
	module *Module
	script bool // declared by a script
	at     lang.Span
	slot   int
	params int
	asks   []string // the names of its parameters
	after  []lang.Ident
	value  lang.Span
	tree   lang.Expr
}

type check struct {
	sheet  *sheet
	slot   int
	name   string
	module *Module
	doc    string
	at     lang.Span
}

type standIn struct {
	sheet lang.Ident
	name  string
	ent   *entity
}

// shared is a system that sessions have in common, with what it knows of its own names.
type shared interface {
	// Link gives a function the code that it has in all worlds which know no more than the
	// system. It says no where that is not so.
	Link(w *World, mf *code.Func) bool
	// TraitNames gives the names of traits that the system speaks of.
	TraitNames() (parts, known []string)
}

// newWorld makes an empty world for a machine's store.
func newWorld(h *value.Heap, store *[]V, linker func(*World, *code.Func) error) *World {
	w := &World{
		Unit:        Unit{Heap: h, store: store, Prog: &code.Program{Stated: map[int]V{}}, keptKeys: map[string]int{}},
		rules:       map[string]*rule{},
		optionNamed: map[string]*Option{},
		sheets:      map[string]*sheet{},
		verbs:       map[string]*verb{},
		sets:        map[string]*clauseSet{},
		features:    map[string]*sheet{},
		hooks:       map[string]*hook{},
		fieldSyms:   map[string]int{},
		fieldOf:     map[string][]*sheet{},
		entities:    map[string]*entity{},
		byOff:       map[int]*entity{},
		groups:      map[string][]*entity{},
		cells:       map[string]int{},
		lastKeys:    map[string]int{},
		lastOf:      map[string][]string{},
		decided:     map[string]*lang.Decision{},
		lastModules: map[string]*Module{},
		keyNames:    map[string]lang.Span{},
		givenBy:     map[string][]lang.Stmt{},
		symbols:     map[string]bool{},
		ids:         map[string]int{},
		spans:       map[spanKey]map[string]lang.Span{},
		records:     map[*lang.Clause]*sheet{},
		laid:        map[*lang.Command]*node{},
		initial:     map[fieldAt]V{},
		fresh:       true,
	}
	w.Prog.Link, w.Prog.Attended = w.link, true
	w.linker = linker
	draw := w.reserve(drawRoom)
	w.Prog.DrawWords = [2]int{draw, draw + drawRoom}
	slots := w.reserve(slotRoom)
	w.Prog.RegisterWords = [2]int{slots, slots + slotRoom}
	reports := w.reserve(reportRoom)
	w.Prog.ReportWords = [2]int{reports, reports + reportRoom}
	first := w.reserve(lastRoom)
	w.Prog.Last = [2]int{first, first + 1}
	w.lastKeys["outcome"] = first
	w.declareHook(nil, &lang.Hook{Name: lang.Ident{Name: "begins"}, Params: []lang.Ident{{Name: "span"}}})
	w.declareHook(nil, &lang.Hook{Name: lang.Ident{Name: "ends"}, Params: []lang.Ident{{Name: "span"}}})
	w.hooks["begins"].doc = "a span of time begins"
	w.hooks["ends"].doc = "a span of time ends; what lasts that long is not cleared yet"
	return w
}

// lastRoom is how many different values outcomes may have, all told.
const lastRoom = 64

// drawRoom is how many words of the store stand for the values of a draw.
const drawRoom = 8

// slotRoom is how many numbers at hand words of the store can hold.
const slotRoom = 16

// reportRoom is how many values that were reported words of the store can hold.
const reportRoom = 32

// kept gives the cell of a value that outcomes have, as the latest outcome that had it
// left it: winner is that of the last fight, whatever was rolled since. Rules write it
// only where somebody reads it, so whoever asks first makes them anew.
func (w *World) kept(name string) int {
	last := w.lastKeys[name]
	if name == "outcome" {
		return last // which every outcome has
	}
	at, ok := w.keptKeys[name]
	if !ok {
		at = w.reserve(1)
		(*w.store)[at] = (*w.store)[last]
		w.keptKeys[name] = at
		w.renew()
	}
	return at
}

// reserve adds n words to the store, all none.
func (w *World) reserve(n int) int {
	at := len(*w.store)
	for range n {
		*w.store = append(*w.store, value.None)
	}
	return at
}

// Clone gives a world that can grow without changing w.
func (w *World) Clone() *World {
	c := *w
	c.room, c.nodes, c.leaves = codeRoom{}, nil, nil
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
	c.Prog.Link = c.link
	c.Modules = slices.Clone(w.Modules)
	c.IDs = slices.Clip(w.IDs)
	c.rules = maps.Clone(w.rules)
	c.optionNamed = maps.Clone(w.optionNamed)
	c.sheets = maps.Clone(w.sheets)
	c.verbs = maps.Clone(w.verbs)
	c.sets = maps.Clone(w.sets)
	c.features = maps.Clone(w.features)
	c.every = slices.Clone(w.every)
	c.hooks = maps.Clone(w.hooks)
	c.fieldSyms = maps.Clone(w.fieldSyms)
	c.fieldOf = maps.Clone(w.fieldOf)
	c.cells = maps.Clone(w.cells)
	c.lastKeys = maps.Clone(w.lastKeys)
	c.keptKeys = maps.Clone(w.keptKeys)
	c.lastOf = maps.Clone(w.lastOf)
	c.decided = maps.Clone(w.decided)
	c.lastModules = maps.Clone(w.lastModules)
	c.givenBy = maps.Clone(w.givenBy)
	c.symbols = maps.Clone(w.symbols)
	c.keyNames = maps.Clone(w.keyNames)
	c.outcomes = slices.Clip(w.outcomes)
	c.loading = slices.Clip(w.loading)
	c.ids = maps.Clone(w.ids)
	c.goals = slices.Clone(w.goals)
	c.checks = slices.Clone(w.checks)
	c.tests = slices.Clone(w.tests)
	c.spans = maps.Clone(w.spans)
	c.records = maps.Clone(w.records)
	c.initial = maps.Clone(w.initial)
	c.cloneEntities(w)
	return &c
}

// cloneEntities copies the instances, which change when parts are added.
func (c *World) cloneEntities(w *World) {
	of := make(map[*entity]*entity, len(w.byOff))
	for _, e := range w.byOff {
		n := *e
		of[e] = &n
	}
	c.byOff = make(map[int]*entity, len(w.byOff))
	for off, e := range w.byOff {
		n := of[e]
		n.owner = of[e.owner]
		n.parts = make([]*entity, len(e.parts))
		for i, p := range e.parts {
			n.parts[i] = of[p]
		}
		c.byOff[off] = n
	}
	c.entities = make(map[string]*entity, len(w.entities))
	for name, e := range w.entities {
		c.entities[name] = of[e]
	}
	c.groups = make(map[string][]*entity, len(w.groups))
	for name, g := range w.groups {
		l := make([]*entity, len(g))
		for i, e := range g {
			l[i] = of[e]
		}
		c.groups[name] = l
	}
	c.order = make([]*entity, len(w.order))
	for i, e := range w.order {
		c.order[i] = of[e]
	}
	if w.standIn != nil {
		s := *w.standIn
		s.ent = of[s.ent]
		c.standIn = &s
	}
}

// declaredValue gives the value that a field of an instance has now, none
// when the line that sets it has not been reached.
func (w *World) declaredValue(e *entity, fd *field) V {
	if n, ok := w.initial[fieldAt{e.off, fd.sym}]; ok {
		return n
	}
	return value.None
}

type fieldAt struct{ off, sym int }

// fnSource is what a function is made of when it is first called.
type fnSource struct {
	module *Module
	body   func(f *fn) *node
	tree   lang.Stmt // of a rule or a table, else nil
	region bool
	slot   int // the rule number under which it was entered
}

// addFunc enters a function and gives its rule number.
func (w *World) addFunc(name string, params int, src *fnSource) int {
	src.slot = len(w.Prog.Slots)
	w.Prog.Slots = append(w.Prog.Slots, &code.Func{Name: name, Params: params, Region: src.region, Source: src})
	return len(w.Prog.Slots) - 1
}

// setFunc replaces the function of a rule number.
func (w *World) setFunc(slot int, name string, params int, src *fnSource) {
	src.slot = slot
	w.Prog.Slots[slot] = &code.Func{Name: name, Params: params, Region: src.region, Source: src}
}

// refresh forgets all code, because something it was compiled from has changed.
func (w *World) refresh() {
	w.system = nil
	w.renew()
}

// renew has all functions linked again.
func (w *World) renew() {
	w.leaves, w.inlined = nil, 0
	fs := make([]code.Func, len(w.Prog.Slots)) // in one piece, since there are many
	for i, f := range w.Prog.Slots {
		fs[i] = code.Func{Name: f.Name, Params: f.Params, Region: f.Region, Source: f.Source}
		w.Prog.Slots[i] = &fs[i]
	}
}

// link links a function when it is first called.
func (w *World) link(mf *code.Func) error { return w.linker(w, mf) }

// linkHere resolves and generates a function.
func (w *World) linkHere(mf *code.Func) error {
	src := mf.Source.(*fnSource)
	f := newFn(w, src.module)
	body := src.body(f)
	if len(f.diags) > 0 {
		return errors.New(f.diags[0].Message + " (in " + mf.Name + ", " + f.diags[0].Span.Src.Name + ")")
	}
	w.generate(mf, f, body)
	return nil
}

// catalogue gives the index of a catalogue id as cited in module m, -1 when
// there is none.
func (w *World) catalogue(m *Module, id string) int {
	for ; m != nil; m = w.module(m.Base) {
		if i, ok := w.ids[m.Name+"."+id]; ok {
			return i
		}
	}
	if i, ok := w.ids[id]; ok {
		return i
	}
	return -1
}

func (w *World) module(name string) *Module {
	for _, m := range w.Modules {
		if m.Name == name {
			return m
		}
	}
	return nil
}
