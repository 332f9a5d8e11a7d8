package compile

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Statement is a statement of a script ready to run.
type Statement struct {
	Func *code.Func
	At   lang.Span
	Init bool // sets up what was declared

	// Plays says that the statement belongs to what is played, so that tests do not
	// begin behind it: a command with a block, such as a scene, or any behind it.
	Plays bool
}

// Loaded is a module that a source took into use.
type Loaded struct {
	Module *Module
	At     lang.Span
}

// Compiled is what became of a source.
type Compiled struct {
	Statements []Statement
	Loaded     []Loaded
	Tests      []*Test
	Clauses    []lang.Span // of its commands
	Parameters []Parameter

	// Played are the statements of the file itself, at its top, that are played and do not
	// declare or set up; Set are those that change what the ones behind them find. Reported is
	// what it reports, by column.
	Played, Set []lang.Span
	Reported    []Reported

	// Tactics are those of the script that hold in play, without those of tests.
	Tactics []*lang.Tactics
	// Lacking warns of what sheets leave out and a verb that the script uses needs, and of
	// what they say for nothing.
	Lacking lang.Diagnostics
	// Unused warns of what the script declares and nothing in it uses.
	Unused lang.Diagnostics
}

// Compile declares and resolves a script in w. With mistakes w is spoilt and
// must be thrown away, and the store cut back.
func (w *World) Compile(file *lang.File) (*Compiled, lang.Diagnostics) {
	before := len(w.Modules)
	tests := len(w.tests)
	w.warnings = nil
	c := &collector{Script: Script{w: w, isScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.module = &Module{Name: "script", script: true}
	c.findReports(file)
	if w.fresh && len(file.Stmts) > 0 {
		c.opening = file.Stmts[0]
	}
	w.fresh = false
	c.declare(file.Stmts)
	c.settle()
	if c.w.spoilt {
		// what follows from a module that cannot be read is not worth telling
		return nil, slices.DeleteFunc(c.diags, func(d *lang.Diagnostic) bool {
			return d.Src == file.Src && !inUse(file, d.Start)
		})
	}
	out := &Compiled{}
	for _, m := range w.Modules[before:] {
		if m.Name != "" {
			out.Loaded = append(out.Loaded, Loaded{Module: m, At: file.Span})
		}
	}
	switch {
	case c.changed:
		w.refresh()
	case c.deeper:
		w.renew()
	}
	c.findReplaced(slices.Concat(c.included, file.Stmts))
	w.laid = map[*lang.Command]*node{}
	c.layOutAll(c.rest)
	var bodies []resolved
	w.watch = watch{bodies: &bodies}
	c.marks = marksOf(c.rest)
	plays := false
	for _, s := range c.rest {
		w.poll()
		from := len(out.Statements)
		plays = plays || c.opens(s)
		switch at := s.Range(); {
		case at.Src != file.Src:
		case sets(s):
			out.Set = append(out.Set, at)
		case c.isPlayed(s):
			out.Played = append(out.Played, at)
		}
		c.statement(s, out)
		for i := range out.Statements[from:] {
			st := &out.Statements[from+i]
			st.Plays = plays && !st.Init && c.isPlayed(s)
		}
	}
	if len(c.fresh) > 0 {
		w.watch = watch{&bodies, &deeds{in: inference{of: w}, rules: map[int]*deed{}}}
	}
	for _, r := range c.fresh {
		r()
	}
	w.watch = nil
	c.diags = saidOnce(append(c.diags, w.checkKinds(bodies, c.ahead)...))
	c.parameters.variables(file.Stmts)
	c.parameters.operands(w, file.Stmts)
	c.parameters.options(w, file.Stmts)
	out.Reported = c.columns
	out.Tests, out.Clauses, out.Parameters = w.tests[tests:], c.clauses, c.parameters.list
	if len(c.diags) > 0 {
		return out, c.diags
	}
	all := slices.Concat(c.included, file.Stmts)
	replaced, others := c.replacedTactics(all)
	c.replaced = others
	out.Lacking = slices.Concat(c.lacking(all), c.overwritten(all), c.namesakes(), c.misspelt(), replaced, c.doubts, w.warned(func(m *Module) bool { return m.script }))
	if w.Strict {
		out.Tactics, out.Unused = slices.DeleteFunc(tacticsIn(all), func(t *lang.Tactics) bool { return c.isReplaced(t) }), c.unused(all, true)
	}
	return out, c.diags
}

// saidOnce leaves out what has been said of the same place: a default of an operand is resolved
// where it is declared, and at each command that leaves the operand out.
func saidOnce(diags lang.Diagnostics) lang.Diagnostics {
	type said struct {
		at      lang.Span
		message string
	}
	if len(diags) < 2 {
		return diags
	}
	before := map[said]bool{}
	return slices.DeleteFunc(diags, func(d *lang.Diagnostic) bool {
		key := said{d.Span, d.Message}
		again := before[key]
		before[key] = true
		return again
	})
}

// inUse says whether a place is in a statement that takes a module into use.
func inUse(file *lang.File, at int32) bool {
	return slices.ContainsFunc(file.Stmts, func(s lang.Stmt) bool {
		u, ok := s.(*lang.Use)
		return ok && u.Start <= at && at < u.End
	})
}

// layOutAll gives all instances of a script their places, so that any line may
// name any of them. A sheet may read a variable that the script sets further up.
func (c *collector) layOutAll(stmts []lang.Stmt) {
	f := c.scriptFn()
	c.ahead = map[string]int{}
	c.findLets(stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Let:
				if _, ok := c.w.cells[n.Name.Name]; !ok {
					c.ahead[n.Name.Name] = f.cell(n.Name.Name)
				}
			case *lang.Command:
				head, ok := n.Head.(*lang.Word)
				if ok && c.w.sheets[head.Name] != nil && c.w.verbs[head.Name] == nil {
					c.w.laid[n] = f.instances(c.w.sheets[head.Name], n)
					return false
				}
			}
			return true
		})
	}
	for name := range c.ahead {
		delete(c.w.cells, name) // until the line that sets it
	}
	c.diags = append(c.diags, f.diags...)
	c.regs = f.regs
}

// findLets finds where variables are set, and the values of those that are set once, at
// the top, to what is known before anything runs.
func (c *collector) findLets(stmts []lang.Stmt) {
	c.w.lets = map[string]lang.Span{}
	times := map[string]int{}
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Check, *lang.Goal:
				return false // what a rule sets is its own
			case *lang.Let:
				if times[n.Name.Name]++; times[n.Name.Name] == 1 {
					c.w.lets[n.Name.Name] = n.Name.Span
				}
			case *lang.Assign:
				if w, ok := n.Target.(*lang.Word); ok {
					times[w.Name] += 2
				}
			}
			return true
		})
	}
	c.fixed = map[string]*lang.Let{}
	for _, s := range stmts {
		if l, ok := s.(*lang.Let); ok && times[l.Name.Name] == 1 {
			c.fixed[l.Name.Name] = l
		}
	}
}

// known gives the value of an expression that is made of numbers and of variables that
// are set once, above it.
func (c *Script) known(e lang.Expr) (V, *lang.Diagnostic) {
	f := newFn(c.w, c.module)
	f.coll, f.fixed = c, true
	n := f.expr(e)
	switch {
	case len(f.diags) > 0:
		return value.None, f.diags[0]
	case n.op != nConst:
		d := errAt(e.Range(), "this must be known before the script runs")
		d.Help = "a number, or a variable that one line above sets to a number:  let n = 3"
		return value.None, d
	}
	return n.v, nil
}

func (c *collector) scriptFn() *fn {
	f := newFn(c.w, c.module)
	f.script, f.coll = true, &c.Script
	return f
}

// statement compiles one statement of a script.
func (c *collector) statement(s lang.Stmt, out *Compiled) {
	f := c.scriptFn()
	f.regs = c.regs
	f.cite = int32(-1)
	if i, ok := c.cites[s]; ok {
		f.cite = int32(i)
	}
	body := f.stmt(s)
	f.resolvedBody(body)
	c.diags = append(c.diags, f.diags...)
	c.doubt(f.doubts)
	if len(f.diags) > 0 {
		return
	}
	if body.op == nNothing && len(f.before) == 0 {
		return
	}
	if len(f.before) > 0 {
		out.add(c.w, f, &node{op: nSeq, at: s.Range(), rule: -1, kids: f.before}, true)
	}
	switch {
	case body.op == nNothing:
	case !isInstance(c.w, s):
		out.add(c.w, f, body, false)
	default:
		// What depends on variables is set when the line is reached, the rest before.
		fixed, open := *body, *body
		fixed.kids = slices.DeleteFunc(slices.Clone(body.kids), readsVariable)
		open.kids = slices.DeleteFunc(slices.Clone(body.kids), func(k *node) bool { return !readsVariable(k) })
		out.add(c.w, f, &fixed, true)
		if len(open.kids) > 0 {
			out.add(c.w, f, &open, false)
		}
	}
}

// add compiles one more statement to run.
func (out *Compiled) add(w *World, f *fn, body *node, init bool) {
	mf := &code.Func{Name: "script", Region: true, Source: &fnSource{}}
	w.generate(mf, f, body)
	out.Statements = append(out.Statements, Statement{Func: mf, At: body.at, Init: init})
}

// readsVariable says whether a node reads a variable of the script.
func readsVariable(n *node) bool {
	return n != nil && (n.op == nCell || slices.ContainsFunc(n.kids, readsVariable))
}

// isInstance says whether a statement declares an instance.
func isInstance(w *World, s lang.Stmt) bool {
	cmd, ok := bare(s).(*lang.Command)
	if !ok {
		return false
	}
	_, laid := w.laid[cmd]
	return laid
}

// use takes a module into use, with its base and settings.
func (c *collector) use(s *lang.Use) {
	before, mistakes := slices.Clone(c.w.Modules), len(c.diags)
	var m *Module
	if c.opening == lang.Stmt(s) {
		m = c.begin(s.Name)
	}
	if m == nil {
		m = c.load(s.Name)
	}
	if m == nil {
		return
	}
	kind := "system"
	if m.Base != "" {
		kind = "variant"
	}
	c.w.refersTo(kind, s.Name.Name, s.Name.Span)
	if m.Base == "" && len(before) > 0 && len(c.diags) > mistakes && !slices.Contains(before, m) {
		c.diags = append(c.diags[:mistakes], errTogether(s.Name, before, c.diags[mistakes:]))
		return
	}
	for _, set := range s.With {
		o := c.w.option(set.Name.Name)
		if set.Value == nil && o != nil && c.w.module(set.Name.Name) == nil {
			c.err(errNoChoice(c.w, o, set.Name))
			continue
		}
		if set.Value == nil {
			if c.w.module(set.Name.Name) == nil {
				c.load(set.Name)
			}
			c.w.refersTo("variant", set.Name.Name, set.Name.Span)
			continue
		}
		if o == nil {
			c.err(c.w.errNoOption(set.Name))
			continue
		}
		c.w.refersToOption(o, set.Name.Span, set.Value)
		c.w.words(set.Value)
		if v, ok := c.constant(set.Value); ok {
			c.choose(o, v, set.Value.Range())
		} else {
			c.err(errAt(set.Value.Range(), "an option takes a word, a number or a text"))
		}
	}
}

// option finds an option by its name or its id.
func (w *World) option(name string) *Option {
	if o := w.optionNamed[name]; o != nil {
		return o
	}
	module, name, _ := strings.Cut(name, ".opt.")
	if o := w.optionNamed[name]; o != nil && o.Module == module {
		return o
	}
	return nil
}

// optionName gives the short name of an option that was named by its id.
func (w *World) optionName(name string) string {
	if o := w.option(name); o != nil {
		return o.Name
	}
	return name
}

// load reads a module unless it is in use already.
func (c *collector) load(name lang.Ident) *Module {
	if m := c.w.module(name.Name); m != nil {
		return m
	}
	if slices.Contains(c.w.loading, name.Name) {
		c.err(errAt(name.Span, "the system %s uses itself", name.Name))
		return nil
	}
	c.w.loading = append(c.w.loading, name.Name)
	defer func() { c.w.loading = c.w.loading[:len(c.w.loading)-1] }()
	src, fsys, file, beside, err := c.w.find(name.Name)
	if err != nil {
		c.w.spoilt = true
		c.err(errAt(name.Span, "the rules of %s cannot be read: %s", name.Name, reason(err)))
		return nil
	}
	if src == nil {
		c.w.spoilt = true
		names := c.w.moduleNames()
		d := errUnknown("module", name, names)
		switch {
		case d.Help != "":
		case len(names) == 1:
			d.Help = "there is " + names[0]
		case len(names) > 1:
			d.Help = "there are " + strings.Join(names, ", ")
		}
		c.err(d)
		return nil
	}
	read := outline
	if beside {
		c.w.take(name.Span, len(src.Text))
		read = func(src *lang.Source) (*lang.File, lang.Diagnostics) { return c.w.parse(src) }
	}
	tree, diags := read(src)
	if len(diags) > 0 {
		c.w.spoilt = true
		c.diags = append(c.diags, diags...)
		return nil
	}
	sys := c.head(tree, name, fsys, file)
	if sys == nil {
		c.w.spoilt = true
		return nil
	}
	m := &Module{Name: name.Name, Title: plain(sys.Doc)}
	if sys.Base != nil {
		m.Base = sys.Base.Name
		if c.load(*sys.Base) == nil {
			return nil
		}
	}
	c.w.Modules = append(c.w.Modules, m)
	inner := &collector{Script: Script{w: c.w, module: m}, cite: -1, cites: map[lang.Stmt]int{}, fsys: fsys, dir: path.Dir(file), eager: beside || c.w.References != nil}
	inner.files = map[string]bool{file: true}
	all := inner.gather(tree)
	inner.declare(all)
	inner.settle()
	c.w.laid = map[*lang.Command]*node{}
	inner.moduleInstances(c)
	c.changed = true
	c.diags = append(c.diags, inner.diags...)
	if len(inner.diags) > inner.slips {
		c.w.spoilt = true
	}
	if inner.eager {
		for _, r := range inner.fresh {
			c.fresh = append(c.fresh, func() {
				said := len(inner.diags)
				r()
				c.diags = append(c.diags, inner.diags[said:]...)
			})
		}
	}
	for o, v := range c.w.Set {
		c.set(o, v)
	}
	return m
}

// head gives the statement with which a file says which system or variant it is, nil if it
// says nothing. name is where it is taken into use.
func (c *collector) head(tree *lang.File, name lang.Ident, fsys fs.FS, file string) *lang.System {
	var head *lang.System
	for _, s := range tree.Stmts {
		sys, ok := bare(s).(*lang.System)
		switch {
		case !ok:
		case head == nil:
			head = sys
		default:
			d := errAt(sys.Name.Span, "a file is one system or variant, and this one is %s already", head.Name.Name)
			d.Notes = append(d.Notes, lang.Note{Span: head.Name.Span, Message: "first here"})
			c.err(d)
		}
	}
	called := strings.TrimSuffix(path.Base(file), ".rules")
	switch {
	case head == nil:
		d := errAt(name.Span, "%s does not say which system or variant it is", path.Base(file))
		if whole := partOf(fsys, file); whole != "" {
			d.Help = path.Base(file) + " is a part of " + whole + ":  use " + whole
		} else {
			d.Help = HeadOf(name.Name)
		}
		c.err(d)
	case head.Name.Name != called && strings.HasSuffix(file, ".rules"):
		d := errAt(head.Name.Span, "this file declares %s, not %s", head.Name.Name, called)
		d.Help = "call it " + head.Name.Name + ".rules, or write  "
		if head.Base == nil {
			d.Help += "system " + called
		} else {
			d.Help += "variant " + called + " of " + head.Base.Name
		}
		c.err(d)
	}
	return head
}

// HeadOf says how a file of rules begins.
func HeadOf(name string) string {
	return "write on top of it  system " + name + "  or, if it changes a system,  variant " + name + " of SYSTEM"
}

// PartOf gives the system in the folder of the script that includes a file of rules there, "" if
// there is none.
func (w *World) PartOf(file string) string {
	if w.Folder == nil || !strings.HasSuffix(file, ".rules") {
		return ""
	}
	return partOf(w.Folder, file)
}

// Included says whether a script or a file of rules in the folder includes a file.
func (w *World) Included(file string) bool {
	return w.Folder != nil && slices.ContainsFunc(filesIn(w.Folder, "."), func(name string) bool {
		return (strings.HasSuffix(name, ".rules") || strings.HasSuffix(name, ".scene")) && includes(w.Folder, name, file)
	})
}

// includes says whether the text of a file includes another one.
func includes(fsys fs.FS, name, file string) bool {
	text, err := fs.ReadFile(fsys, name)
	return err == nil && strings.Contains(string(text), "include \""+file+"\"")
}

// BaseOf gives the system that a variant in use changes, "" for a system.
func (w *World) BaseOf(module string) string {
	if m := w.module(module); m != nil {
		return m.Base
	}
	return ""
}

// partOf gives the system whose first file, in the same folder, includes a file; "" if none does.
func partOf(fsys fs.FS, file string) string {
	for _, name := range filesIn(fsys, path.Dir(file)) {
		whole, rules := strings.CutSuffix(name, ".rules")
		name = path.Join(path.Dir(file), name)
		if rules && heads(fsys, name) && includes(fsys, name, path.Base(file)) {
			return whole
		}
	}
	return ""
}

// saysHead matches the line with which a file of rules says what it is.
var saysHead = regexp.MustCompile(`(?m)^[ \t]*(system|variant) `)

// set sets an option from outside, once it is declared.
func (c *collector) set(name, val string) {
	o := c.w.optionNamed[name]
	if o == nil {
		return
	}
	for _, x := range o.Values {
		if c.w.Heap.Show(x, nil) == val {
			c.choose(o, x, o.At)
			return
		}
	}
	if len(o.Values) == 1 {
		return
	}
	c.err(errChoice(c.w, o, c.w.Heap.OfText(val), o.At))
}

// embedded are the files of embedded systems that have been read, by embeddedFile. They
// never change.
var embedded sync.Map

type embeddedFile struct {
	fsys embed.FS
	name string
}

// readSource reads a source, an embedded one only once.
func readSource(fsys fs.FS, name string) (*lang.Source, error) {
	e, ok := fsys.(embed.FS)
	if !ok {
		return lang.ReadSource(fsys, name, name)
	}
	key := embeddedFile{e, name}
	if src, ok := embedded.Load(key); ok {
		return src.(*lang.Source), nil
	}
	src, err := lang.ReadSource(fsys, name, name)
	if err == nil {
		embedded.Store(key, src)
	}
	return src, err
}

// outlines are files of modules that have been parsed. Programs that open many
// sessions use the same few again and again; trees are not changed.
var outlines struct {
	sync.Mutex
	files    map[outlineKey]*lang.File
	notables map[*lang.Source]map[lang.Stmt][]lang.Node
}

type outlineKey struct{ name, text, page string }

// maxOutlines is how many files are kept.
const maxOutlines = 256

// outline is lang.Outline of a file that may have been parsed before.
func outline(src *lang.Source) (*lang.File, lang.Diagnostics) {
	key := outlineKey{src.Name, src.Text, src.Page()}
	outlines.Lock()
	defer outlines.Unlock()
	if f := outlines.files[key]; f != nil {
		return f, nil
	}
	f, diags := lang.Outline(src)
	if len(diags) > 0 {
		return f, diags
	}
	if outlines.files == nil || len(outlines.files) >= maxOutlines {
		outlines.files = map[outlineKey]*lang.File{}
		outlines.notables = map[*lang.Source]map[lang.Stmt][]lang.Node{}
	}
	outlines.files[key] = f
	notables := map[lang.Stmt][]lang.Node{}
	for _, s := range f.Stmts {
		notables[bare(s)] = findNotable(bare(s))
	}
	outlines.notables[f.Src] = notables
	return f, nil
}

// notable lists the nodes in a statement, without its annotation, that say which outcomes,
// annotations and decisions its bodies have.
func notable(s lang.Stmt) []lang.Node {
	s = bare(s)
	outlines.Lock()
	list, ok := outlines.notables[s.Range().Src][s]
	outlines.Unlock()
	if !ok {
		list = findNotable(s)
	}
	return list
}

func findNotable(s lang.Stmt) []lang.Node {
	var list []lang.Node
	lang.Walk(s, func(n lang.Node) bool {
		switch b := n.(type) {
		case *lang.Outcome, *lang.Annotated, *lang.Offer, *lang.Choose:
			list = append(list, n)
		case *lang.Block:
			if len(b.Annotations()) > 0 || len(b.Decisions()) > 0 {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

func bare(s lang.Stmt) lang.Stmt {
	for {
		a, ok := s.(*lang.Annotated)
		if !ok || a.Stmt == nil {
			return s
		}
		s = a.Stmt
	}
}

// gather gives the statements of a file with those of the files it includes.
func (c *collector) gather(tree *lang.File) []lang.Stmt {
	var all []lang.Stmt
	for _, s := range tree.Stmts {
		inc, ok := s.(*lang.Include)
		if !ok {
			all = append(all, s)
			continue
		}
		all = append(all, c.includeFile(inc)...)
	}
	return all
}

func (c *collector) includeFile(inc *lang.Include) []lang.Stmt {
	name := path.Join(c.dir, plain(inc.Path))
	if c.fsys == nil {
		c.err(errAt(inc.Path.Span, "include works only in a file"))
		return nil
	}
	if !fs.ValidPath(name) || path.IsAbs(plain(inc.Path)) {
		c.err(errAt(inc.Path.Span, "include takes only files in the folder of the script"))
		return nil
	}
	if c.files == nil {
		c.files = map[string]bool{}
	}
	if c.files[name] {
		c.err(errAt(inc.Path.Span, "%s is included already", plain(inc.Path)))
		return nil
	}
	c.files[name] = true
	src, err := c.w.Checked[name], error(nil)
	if src == nil {
		src, err = readSource(c.fsys, name)
	}
	if err != nil {
		d := errAt(inc.Path.Span, "%s cannot be read: %s", plain(inc.Path), reason(err))
		if errors.Is(err, fs.ErrNotExist) {
			d = errAt(inc.Path.Span, "there is no file %s", plain(inc.Path))
			suggest(d, path.Base(name), filesIn(c.fsys, path.Dir(name)))
		}
		c.err(d)
		return nil
	}
	c.w.take(inc.Path.Span, src.Size())
	read := outline
	if c.isScript || c.eager {
		read = func(src *lang.Source) (*lang.File, lang.Diagnostics) { return c.w.parse(src) }
	}
	tree, diags := read(src)
	c.diags = append(c.diags, diags...)
	return c.gather(tree)
}

// reason is why a file cannot be read, without its name.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error()
}

func filesIn(fsys fs.FS, dir string) []string {
	var names []string
	list, _ := fs.ReadDir(fsys, dir)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// include in a script takes the statements of another file in its place.
func (c *collector) include(s *lang.Include) {
	if c.fsys == nil {
		c.fsys, c.dir = c.w.Folder, "."
	}
	stmts := c.includeFile(s)
	for _, st := range stmts {
		c.first(st)
	}
	c.included = append(c.included, stmts...)
}

// moduleInstances lays out the instances that a module declares.
func (c *collector) moduleInstances(outer *collector) {
	f := c.scriptFn()
	for _, s := range c.rest {
		cmd, ok := bare(s).(*lang.Command)
		if !ok {
			if _, ok := bare(s).(*lang.Test); ok {
				continue
			}
			d := errAt(s.Range(), "a file of rules can only declare things; put this into a rule or a verb")
			if _, ok := bare(s).(*lang.Let); ok {
				c.err(d) // rules may read it
			} else {
				c.slip(d)
			}
			continue
		}
		head, ok := cmd.Head.(*lang.Word)
		if ok && c.w.verbs[head.Name] != nil {
			c.slip(errAt(s.Range(), "a file of rules can only declare things; put this into a scene, a rule or a verb"))
			continue
		}
		if !ok || c.w.sheets[head.Name] == nil {
			c.err(errVerb(c.w, cmd.Head.Range(), wordOf(cmd.Head)))
			continue
		}
		n := f.instances(c.w.sheets[head.Name], cmd)
		c.inits = append(c.inits, n)
	}
	c.diags = append(c.diags, f.diags...)
	if len(c.inits) == 0 || len(f.diags) > 0 {
		return
	}
	mf := &code.Func{Name: "module", Region: true, Source: &fnSource{}}
	c.w.generate(mf, f, &node{op: nSeq, kids: append(f.before, c.inits...), rule: -1, at: c.rest[0].Range()})
	c.w.Start = append(slices.Clip(c.w.Start), mf)
}

// find looks for the file of a module: beside the script, then among the
// modules, as NAME/NAME.rules or BASE/NAME.rules.
func (w *World) find(name string) (src *lang.Source, fsys fs.FS, file string, beside bool, err error) {
	if src := w.Checked[name+".rules"]; src != nil {
		return src, w.Folder, path.Base(src.Name), true, nil
	}
	if w.Folder != nil {
		src, err := lang.ReadSource(w.Folder, name+".rules", name+".rules")
		if err == nil {
			return src, w.Folder, name + ".rules", true, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, "", true, err
		}
	}
	if w.FS == nil {
		return nil, nil, "", false, nil
	}
	for _, dir := range append([]string{name}, w.dirs()...) {
		file = path.Join(dir, name+".rules")
		if src, err := readSource(w.FS, file); err == nil {
			return src, w.FS, file, false, nil
		}
	}
	return nil, nil, "", false, nil
}

func (w *World) dirs() []string {
	var names []string
	list, _ := fs.ReadDir(w.FS, ".")
	for _, e := range list {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// moduleNames lists the modules and variants there are.
func (w *World) moduleNames() []string {
	var names []string
	if w.FS != nil {
		for _, dir := range w.dirs() {
			names = append(names, dir)
			for _, f := range filesIn(w.FS, dir) {
				if n, ok := strings.CutSuffix(f, ".rules"); ok && n != dir && heads(w.FS, path.Join(dir, f)) {
					names = append(names, n)
				}
			}
		}
	}
	if w.Folder != nil {
		for _, f := range filesIn(w.Folder, ".") {
			if n, ok := strings.CutSuffix(f, ".rules"); ok && heads(w.Folder, f) {
				names = append(names, n)
			}
		}
	}
	return names
}

// heads says whether a file is a system or a variant, not a part of one.
func heads(fsys fs.FS, file string) bool {
	text, err := fs.ReadFile(fsys, file)
	return err == nil && saysHead.Match(text)
}

// opens says whether a statement is a command that opens a scene or another stretch of
// play: its verb takes a block.
func (c *Script) opens(s lang.Stmt) bool {
	found := false
	c.eachCommand(s, func(v *verb) { found = found || v.block })
	return found
}

// Titles says whether a verb gives a stretch of play a title: it takes a block, and has the
// name of a span, such as a scene.
func (w *World) Titles(name string) bool {
	v := w.verbs[name]
	return v != nil && v.block && slices.Contains(w.Prog.Spans, name)
}

// isPlayed says whether there are commands or other things in a statement that belong to
// play, and not to what is set up.
func (c *Script) isPlayed(s lang.Stmt) bool {
	switch bare(s).(type) {
	case *lang.Expect, *lang.Report, *lang.ExprStmt, *lang.Say:
		return true
	}
	found := false
	c.eachCommand(s, func(*verb) { found = true })
	return found
}

// sets says whether a statement changes something, or gives dice, answers or commands to
// what comes next.
func sets(s lang.Stmt) bool {
	switch s := bare(s).(type) {
	case *lang.Assign:
		return true
	case *lang.Command:
		return slices.Contains([]string{"dice", "answers", "commands"}, wordOf(s.Head))
	}
	return false
}

func (c *Script) eachCommand(s lang.Stmt, f func(v *verb)) {
	lang.Walk(s, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Tactics, *lang.Test:
			return false
		case *lang.Command:
			if head, ok := n.Head.(*lang.Word); ok && c.w.verbs[head.Name] != nil {
				f(c.w.verbs[head.Name])
			}
		}
		return true
	})
}

// marksOf numbers the scenes behind which tests begin, by title.
func marksOf(stmts []lang.Stmt) map[string]int {
	marks := map[string]int{}
	for _, s := range stmts {
		if t, ok := bare(s).(*lang.Test); ok && t.After != nil {
			if title := plain(t.After); marks[title] == 0 {
				marks[title] = len(marks) + 1
			}
		}
	}
	return marks
}

// markOf gives the number of the mark behind a command: one with a block and a title
// behind which a test begins; 0 for none.
func (c *Script) markOf(cmd *lang.Command) int {
	if c == nil || len(c.marks) == 0 || cmd.Block == nil || len(cmd.Args) == 0 {
		return 0
	}
	t, ok := cmd.Args[0].Expr.(*lang.Text)
	if !ok {
		return 0
	}
	return c.marks[plain(t)]
}

// checkAfter reports a test that begins behind a scene that the script does not have.
func (c *Script) checkAfter(t *lang.Test, stmts []lang.Stmt) {
	var titles []string
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if cmd, ok := n.(*lang.Command); ok && cmd.Block != nil && len(cmd.Args) > 0 {
				if title, ok := cmd.Args[0].Expr.(*lang.Text); ok {
					titles = append(titles, plain(title))
				}
			}
			_, test := n.(*lang.Test)
			return !test
		})
	}
	if slices.Contains(titles, plain(t.After)) {
		return
	}
	d := errAt(t.After.Span, "there is no scene %q with braces in this script", plain(t.After))
	suggest(d, plain(t.After), titles)
	c.err(d)
}
