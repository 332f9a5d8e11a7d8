package compile

import (
	"cmp"
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/lint"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/sheetfile"
	"setpiece/lang"
)

// findReports notes what a script reports where, so that the columns can be told apart.
func (c *collector) findReports(file *lang.File) {
	c.Reports = map[string][]resolve.ReportAt{}
	c.Titled = nil
	f := &resolve.Fn{}
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Test:
			return false
		case *lang.Command:
			if n.Block == nil {
				break
			}
			for _, a := range n.Args {
				if t, ok := a.Expr.(*lang.Text); ok {
					c.Titled = append(c.Titled, resolve.Titled{Block: n.Block.Span, Title: decl.Plain(t)})
					break
				}
			}
		case *lang.Reported:
			name := f.ReportName(n)
			c.Reports[name] = append(c.Reports[name], resolve.ReportAt{At: n.Start, Scene: c.TitleAround(n.Span)})
		}
		return true
	})
}

// Statement is a statement of a script ready to run.
type Statement struct {
	Func *code.Func
	At   lang.Span
	Init bool // sets up what was declared

	// Plays says that the statement belongs to what is played, so that tests do not
	// begin behind it: a command with a block, such as a scene, or any behind it.
	Plays bool

	Last bool // a command, such as a scene, behind which the script has none
}

// Loaded is a module that a source took into use.
type Loaded struct {
	Module *decl.Module
	At     lang.Span
}

// Compiled is what became of a source.
type Compiled struct {
	Statements []Statement
	Loaded     []Loaded
	Tests      []*decl.Test
	Clauses    []lang.Span // of its commands
	Parameters []resolve.Parameter

	// Played are the statements of the file itself, at its top, that are played and do not
	// declare or set up; Set are those that change what the ones behind them find. Reported is
	// what it reports, by column.
	Played, Set []lang.Span
	Reported    []resolve.Reported

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
func Compile(w *decl.World, file *lang.File) (*Compiled, lang.Diagnostics) {
	before := len(w.Modules)
	tests := len(w.Tests)
	w.Warnings = nil
	c := &collector{Script: resolve.Script{W: w, IsScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.Module = &decl.Module{Name: "script", Script: true}
	c.findReports(file)
	if w.Fresh && len(file.Stmts) > 0 {
		c.opening = file.Stmts[0]
	}
	w.Fresh = false
	c.declare(file.Stmts)
	c.settle()
	if c.W.Spoilt {
		// what follows from a module that cannot be read is not worth telling
		return nil, slices.DeleteFunc(c.Diags, func(d *lang.Diagnostic) bool {
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
		w.Refresh()
	case c.deeper:
		w.Renew()
	}
	lint.FindReplaced(&c.Script, slices.Concat(c.included, file.Stmts))
	w.Laid = map[*lang.Command]*ir.Node{}
	c.layOutAll(c.Rest)
	var bodies []resolve.Resolved
	w.Watch = resolve.Watch{Bodies: &bodies}
	c.Marks = marksOf(c.Rest)
	plays, last := false, -1
	for _, s := range c.Rest {
		w.Poll()
		from := len(out.Statements)
		plays = plays || opens(&c.Script, s)
		switch at := s.Range(); {
		case at.Src != file.Src:
		case given(s):
			out.Set = append(out.Set, at)
		case lint.IsPlayed(&c.Script, s):
			out.Played = append(out.Played, at)
		case sets(s):
			out.Set = append(out.Set, at)
		}
		c.statement(s, out)
		for i := range out.Statements[from:] {
			st := &out.Statements[from+i]
			st.Plays = plays && !st.Init && lint.IsPlayed(&c.Script, s)
		}
		lint.EachCommand(&c.Script, s, func(*decl.Verb) { last = -1 })
		if _, ok := lang.Bare(s).(*lang.Command); ok && last < 0 {
			last = len(out.Statements) - 1
		}
	}
	if last >= 0 {
		out.Statements[last].Last = true
	}
	if len(c.fresh) > 0 {
		w.Watch = resolve.Watch{Bodies: &bodies, Deeds: &resolve.Deeds{In: resolve.Inference{Of: w}, Rules: map[int]*resolve.Deed{}}}
	}
	for _, r := range c.fresh {
		r()
	}
	w.Watch = nil
	c.Diags = saidOnce(append(c.Diags, resolve.CheckKinds(w, bodies, c.Ahead)...))
	if w.Varies {
		c.Parameters.Variables(file.Stmts)
		c.Parameters.Operands(w, file.Stmts)
		c.Parameters.Options(w, file.Stmts)
	}
	out.Reported = c.Columns
	out.Tests, out.Clauses, out.Parameters = w.Tests[tests:], c.Clauses, c.Parameters.List
	if len(c.Diags) > 0 {
		return out, c.Diags
	}
	all := slices.Concat(c.included, file.Stmts)
	var below lang.Diagnostics
	if !w.Prompt {
		below = lint.Below(&c.Script, file.Stmts)
	}
	replaced, others := lint.ReplacedTactics(&c.Script, all)
	c.Replaced = others
	out.Lacking = slices.Concat(lint.Lacking(&c.Script, all), lint.Overwritten(&c.Script, all), lint.Unbegun(&c.Script, all), lint.Namesakes(&c.Script), lint.Misspelt(&c.Script), replaced, below, c.Doubts, w.Warned(func(m *decl.Module) bool { return m.Script }))
	if w.Strict {
		out.Tactics, out.Unused = slices.DeleteFunc(resolve.TacticsIn(all), func(t *lang.Tactics) bool { return lint.IsReplaced(&c.Script, t) }), lint.Unused(&c.Script, all, true)
	}
	return out, c.Diags
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
	c.Ahead = map[string]int{}
	c.findLets(stmts)
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Let:
				if _, ok := c.W.Cells[n.Name.Name]; !ok {
					c.Ahead[n.Name.Name] = f.Cell(n.Name.Name)
				}
			case *lang.Command:
				head, ok := n.Head.(*lang.Word)
				switch {
				case !ok || c.W.Verbs[head.Name] != nil:
				case c.W.Sheets[head.Name] != nil:
					c.W.Laid[n] = f.Instances(c.W.Sheets[head.Name], n)
					return false
				case c.takesStock(n):
					c.W.Laid[n] = c.take(f, n)
					return false
				}
			}
			return true
		})
	}
	for name := range c.Ahead {
		delete(c.W.Cells, name) // until the line that sets it
	}
	c.Diags = append(c.Diags, f.Diags...)
	c.regs = f.Regs
}

// findLets finds where variables are set, and the values of those that are set once, at
// the top, to what is known before anything runs.
func (c *collector) findLets(stmts []lang.Stmt) {
	c.W.Lets = map[string]lang.Span{}
	times := map[string]int{}
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Check, *lang.Goal:
				return false // what a rule sets is its own
			case *lang.Let:
				if times[n.Name.Name]++; times[n.Name.Name] == 1 {
					c.W.Lets[n.Name.Name] = n.Name.Span
				}
			case *lang.Assign:
				if w, ok := n.Target.(*lang.Word); ok {
					times[w.Name] += 2
				}
			}
			return true
		})
	}
	c.Fixed = map[string]*lang.Let{}
	for _, s := range stmts {
		if l, ok := s.(*lang.Let); ok && times[l.Name.Name] == 1 {
			c.Fixed[l.Name.Name] = l
		}
	}
}

func (c *collector) scriptFn() *resolve.Fn {
	f := resolve.NewFn(c.W, c.Module)
	f.Script, f.Coll = true, &c.Script
	return f
}

// statement compiles one statement of a script.
func (c *collector) statement(s lang.Stmt, out *Compiled) {
	f := c.scriptFn()
	f.Regs = c.regs
	f.Cite = int32(-1)
	if i, ok := c.cites[s]; ok {
		f.Cite = int32(i)
	}
	body := f.Stmt(s)
	f.ResolvedBody(body)
	c.Diags = append(c.Diags, f.Diags...)
	c.Doubt(f.Doubts)
	if len(f.Diags) > 0 || c.W.Unrun {
		return
	}
	if body.Op == ir.NNothing && len(f.Before) == 0 {
		return
	}
	if len(f.Before) > 0 {
		out.add(c.W, f, &ir.Node{Op: ir.NSeq, At: s.Range(), Rule: -1, Kids: f.Before}, s, true)
	}
	switch {
	case body.Op == ir.NNothing:
	case !isInstance(c.W, s):
		out.add(c.W, f, body, s, false)
	default:
		// What depends on variables is set when the line is reached, the rest before.
		fixed, open := *body, *body
		fixed.Kids = slices.DeleteFunc(slices.Clone(body.Kids), readsVariable)
		open.Kids = slices.DeleteFunc(slices.Clone(body.Kids), func(k *ir.Node) bool { return !readsVariable(k) })
		out.add(c.W, f, &fixed, s, true)
		if len(open.Kids) > 0 {
			out.add(c.W, f, &open, s, false)
		}
	}
}

// add compiles one more statement to run, or what is set before it.
func (out *Compiled) add(w *decl.World, f *resolve.Fn, body *ir.Node, s lang.Stmt, init bool) {
	mf := &code.Func{Name: "script", Region: true, Source: &resolve.FnSource{}}
	resolve.Generate(w, mf, f, body)
	out.Statements = append(out.Statements, Statement{Func: mf, At: s.Range(), Init: init})
}

// readsVariable says whether a node reads a variable of the script.
func readsVariable(n *ir.Node) bool {
	return n != nil && (n.Op == ir.NCell || slices.ContainsFunc(n.Kids, readsVariable))
}

// isInstance says whether a statement declares an instance.
func isInstance(w *decl.World, s lang.Stmt) bool {
	cmd, ok := lang.Bare(s).(*lang.Command)
	if !ok {
		return false
	}
	_, laid := w.Laid[cmd]
	return laid
}

// use takes a module into use, with its base and settings.
func (c *collector) use(s *lang.Use) {
	before, mistakes := slices.Clone(c.W.Modules), len(c.Diags)
	var m *decl.Module
	if c.opening == lang.Stmt(s) && s.Version.Name == "" {
		m = c.begin(s.Name)
	}
	if m == nil {
		m = c.load(s.Name, s.Version, nil)
	}
	if m == nil {
		return
	}
	kind := "system"
	if m.Base != "" {
		kind = "variant"
	}
	c.W.RefersTo(kind, s.Name.Name, s.Name.Span)
	if m.Base == "" && len(before) > 0 && len(c.Diags) > mistakes && !slices.Contains(before, m) {
		c.Diags = append(c.Diags[:mistakes], decl.ErrTogether(s.Name, before, c.Diags[mistakes:]))
		return
	}
	for _, set := range s.With {
		o := c.W.Option(set.Name.Name)
		if set.Value == nil && o != nil && c.W.Module(set.Name.Name) == nil {
			c.Err(decl.ErrNoChoice(c.W, o, set.Name))
			continue
		}
		if set.Value == nil {
			if c.W.Module(set.Name.Name) == nil {
				c.load(set.Name, lang.Ident{}, nil)
			}
			c.W.RefersTo("variant", set.Name.Name, set.Name.Span)
			continue
		}
		if o == nil {
			c.Err(c.W.ErrNoOption(set.Name))
			continue
		}
		c.W.RefersToOption(o, set.Name.Span, set.Value)
		c.W.Words(set.Value)
		if v, ok := c.constant(set.Value); ok {
			c.choose(o, v, set.Value.Range())
		} else {
			c.Err(decl.ErrAt(set.Value.Range(), "SP0707", "an option takes a word, a number or a text"))
		}
	}
}

// load reads a module unless it is in use already. want is the version that is needed, without
// a name if any will do. A system may lie beside a variant of it.
func (c *collector) load(name, want lang.Ident, variant *Found) *decl.Module {
	if want.Name != "" && !decl.IsVersion(want.Name) {
		c.W.Spoilt = true
		c.Err(decl.ErrVersion(want))
		return nil
	}
	if m := c.W.Module(name.Name); m != nil {
		if !decl.Fits(m.Version, want.Name) {
			c.W.Spoilt = true
			d := decl.ErrAt(want.Span, "SP0708", "%s %s is in use here, which is not %s", name.Name, cmp.Or(m.Version, "without a version"), decl.OrLater(want.Name))
			d.Help = "write  use " + name.Name + " " + want.Name + "  where it is taken into use first"
			c.Err(d)
			return nil
		}
		return m
	}
	if slices.Contains(c.W.Loading, name.Name) {
		c.Err(decl.ErrAt(name.Span, "SP0709", "the system %s uses itself", name.Name))
		return nil
	}
	c.W.Loading = append(c.W.Loading, name.Name)
	defer func() { c.W.Loading = c.W.Loading[:len(c.W.Loading)-1] }()
	found, err := variant.base(name.Name, want.Name)
	if found == nil && err == nil {
		found, err = Find(c.W, name.Name, want.Name)
	}
	if err != nil {
		c.W.Spoilt = true
		c.Err(decl.ErrAt(name.Span, "SP0710", "the rules of %s cannot be read: %s", name.Name, reason(err)))
		return nil
	}
	if found == nil {
		c.W.Spoilt = true
		c.Err(notFound(c.W, name, want))
		return nil
	}
	read := decl.Outline
	if found.Beside {
		c.W.Take(name.Span, len(found.Src.Text))
	}
	if !found.Shipped {
		read = func(src *lang.Source) (*lang.File, lang.Diagnostics) { return parse(c.W, src) }
	}
	tree, diags := read(found.Src)
	if len(diags) > 0 {
		c.Diags = append(c.Diags, diags...)
		if c.W.Checked[name.Name+".rules"] != found.Src { // in what is checked the rest is looked at
			c.W.Spoilt = true
			return nil
		}
	}
	sys := c.head(tree, name, found.FS, found.File)
	if sys == nil || !c.suits(sys, name) {
		c.W.Spoilt = true
		return nil
	}
	m := &decl.Module{
		Name: name.Name, Title: decl.Plain(sys.Doc), Version: sys.Version.Name, By: decl.Plain(sys.By), Licence: decl.Plain(sys.Licence),
		Place: found.Place, Folder: decl.Place{Name: path.Dir(found.File), FS: found.FS}, Files: []*lang.Source{found.Src},
	}
	if sys.Base != nil {
		m.Base = sys.Base.Name
		base := c.load(*sys.Base, sys.Of, found)
		if base == nil {
			return nil
		}
		m.Version = cmp.Or(m.Version, base.Version)
	}
	c.W.Modules = append(c.W.Modules, m)
	inner := &collector{Script: resolve.Script{W: c.W, Module: m}, cite: -1, cites: map[lang.Stmt]int{}, fsys: found.FS, uncounted: !found.Beside, dir: path.Dir(found.File), eager: !found.Shipped || c.W.RefersAll}
	inner.files = map[string]bool{found.File: true}
	all := inner.gather(tree)
	inner.declare(all)
	inner.settle()
	c.W.Laid = map[*lang.Command]*ir.Node{}
	inner.moduleInstances()
	c.changed = true
	c.Diags = append(c.Diags, inner.Diags...)
	if len(inner.Diags) > inner.slips {
		c.W.Spoilt = true
	}
	if inner.eager {
		for _, r := range inner.fresh {
			c.fresh = append(c.fresh, func() {
				said := len(inner.Diags)
				r()
				c.Diags = append(c.Diags, inner.Diags[said:]...)
			})
		}
	}
	for o, v := range c.W.Set {
		c.set(o, v)
	}
	return m
}

// suits reports what a file says of versions and this program does not satisfy, or nobody can read.
func (c *collector) suits(sys *lang.System, name lang.Ident) bool {
	for _, v := range []lang.Ident{sys.Version, sys.Of, sys.Needs} {
		if v.Name != "" && !decl.IsVersion(v.Name) {
			c.Err(decl.ErrVersion(v))
			return false
		}
	}
	if c.W.Program == "" || decl.Reaches(c.W.Program, sys.Needs.Name) {
		return true
	}
	d := decl.ErrAt(name.Span, "SP0711", "%s needs setpiece %s, and this is setpiece %s", name.Name, decl.OrLater(sys.Needs.Name), c.W.Program)
	d.Help = "use a later setpiece, or an earlier version of " + name.Name
	d.Notes = append(d.Notes, lang.Note{Span: sys.Needs.Span, Message: "it says so here"})
	c.Err(d)
	return false
}

// head gives the statement with which a file says which system or variant it is, nil if it
// says nothing. name is where it is taken into use.
func (c *collector) head(tree *lang.File, name lang.Ident, fsys fs.FS, file string) *lang.System {
	var head *lang.System
	for _, s := range tree.Stmts {
		sys, ok := lang.Bare(s).(*lang.System)
		switch {
		case !ok:
		case head == nil:
			head = sys
		default:
			d := decl.ErrAt(sys.Name.Span, "SP0712", "a file is one system or variant, and this one is %s already", head.Name.Name)
			d.Notes = append(d.Notes, lang.Note{Span: head.Name.Span, Message: "first here"})
			c.Err(d)
		}
	}
	called := strings.TrimSuffix(path.Base(file), ".rules")
	switch {
	case head == nil:
		d := decl.ErrAt(name.Span, "SP0713", "%s does not say which system or variant it is", path.Base(file))
		if whole := partOf(fsys, file); whole != "" {
			d.Help = path.Base(file) + " is a part of " + whole + ":  use " + whole
		} else {
			d.Help = HeadOf(name.Name)
		}
		c.Err(d)
	case head.Name.Name != called && strings.HasSuffix(file, ".rules"):
		d := decl.ErrAt(head.Name.Span, "SP0714", "this file declares %s, not %s", head.Name.Name, called)
		d.Help = "call it " + head.Name.Name + ".rules, or write  "
		if head.Base == nil {
			d.Help += "system " + called
		} else {
			d.Help += "variant " + called + " of " + head.Base.Name
		}
		c.Err(d)
	}
	return head
}

// HeadOf says how a file of rules begins.
func HeadOf(name string) string {
	return "write on top of it  system " + name + "  or, if it changes a system,  variant " + name + " of SYSTEM"
}

// PartOf gives the system in the folder of the script that includes a file of rules there, "" if
// there is none.
func PartOf(w *decl.World, file string) string {
	if w.Folder == nil || !strings.HasSuffix(file, ".rules") {
		return ""
	}
	return partOf(w.Folder, file)
}

// Included says whether a script or a file of rules in the folder includes a file.
func Included(w *decl.World, file string) bool {
	return w.Folder != nil && slices.ContainsFunc(FilesIn(w.Folder, "."), func(name string) bool {
		return (strings.HasSuffix(name, ".rules") || strings.HasSuffix(name, ".scene")) && includes(w.Folder, name, file)
	})
}

// includes says whether the text of a file includes another one, or takes it as its stock.
func includes(fsys fs.FS, name, file string) bool {
	text, err := fs.ReadFile(fsys, name)
	return err == nil && (strings.Contains(string(text), "include \""+file+"\"") || strings.Contains(string(text), decl.TakesStock+" from \""+file+"\""))
}

// BaseOf gives the system that a variant in use changes, "" for a system.
func BaseOf(w *decl.World, module string) string {
	if m := w.Module(module); m != nil {
		return m.Base
	}
	return ""
}

// partOf gives the system whose first file, in the same folder, includes a file; "" if none does.
func partOf(fsys fs.FS, file string) string {
	for _, name := range FilesIn(fsys, path.Dir(file)) {
		whole, rules := strings.CutSuffix(name, ".rules")
		name = path.Join(path.Dir(file), name)
		if rules && heads(fsys, name) && includes(fsys, name, path.Base(file)) {
			return whole
		}
	}
	return ""
}

// set sets an option from outside, once it is declared.
func (c *collector) set(name, val string) {
	o := c.W.OptionNamed[name]
	if o == nil {
		return
	}
	for _, x := range o.Values {
		if c.W.Heap.Show(x, nil) == val {
			c.choose(o, x, o.At)
			return
		}
	}
	if len(o.Values) == 1 {
		return
	}
	c.Err(decl.ErrChoice(c.W, o, c.W.Heap.OfText(val), o.At))
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
	if file := decl.Plain(inc.Path); sheetfile.IsData(file) {
		d := decl.ErrAt(inc.Path.Span, "SP0715", "%s is no script", file)
		d.Help = "a file of sheets is read with  cast from " + decl.Text(inc.Path.Span)
		c.Err(d)
		return nil
	}
	src := c.openFile(inc.Path, "include")
	if src == nil {
		return nil
	}
	read := decl.Outline
	if c.IsScript || c.eager {
		read = func(src *lang.Source) (*lang.File, lang.Diagnostics) { return parse(c.W, src) }
	}
	tree, diags := read(src)
	c.Diags = append(c.Diags, diags...)
	if c.W.Checked[src.Name] == src {
		c.slips += len(diags) // the rest is looked at
	}
	return c.gather(tree)
}

// openFile reads a file beside the one that names it, for a word such as include. It gives nil
// where it cannot be had.
func (c *collector) openFile(file *lang.Text, word string) *lang.Source {
	src := c.readFile(file, word)
	c.Unread = c.Unread || src == nil
	return src
}

func (c *collector) readFile(file *lang.Text, word string) *lang.Source {
	name := path.Join(c.dir, decl.Plain(file))
	if c.fsys == nil {
		c.Err(decl.ErrAt(file.Span, "SP0716", "%s works only in a file", word))
		return nil
	}
	if !fs.ValidPath(name) || path.IsAbs(decl.Plain(file)) {
		c.Err(decl.ErrAt(file.Span, "SP0717", "%s takes only files in the folder of the script", word))
		return nil
	}
	if c.files == nil {
		c.files = map[string]bool{}
	}
	if c.files[name] {
		c.Err(decl.ErrAt(file.Span, "SP0718", "%s is included already", decl.Plain(file)))
		return nil
	}
	c.files[name] = true
	src, err := c.W.Checked[name], error(nil)
	if src == nil {
		src, err = readSource(c.fsys, name)
	}
	if err != nil {
		d := decl.ErrAt(file.Span, "SP0719", "%s cannot be read: %s", decl.Plain(file), reason(err))
		if errors.Is(err, fs.ErrNotExist) {
			d = decl.ErrAt(file.Span, "SP0720", "there is no file %s", decl.Plain(file))
			decl.Suggest(d, path.Base(name), FilesIn(c.fsys, path.Dir(name)))
		}
		c.Err(d)
		return nil
	}
	if c.Module != nil {
		c.Module.Files = append(c.Module.Files, src)
	}
	if !c.uncounted {
		c.W.Take(file.Span, src.Size())
	}
	return src
}

// cast declares the sheets of a file of data, once all that a sheet may have is declared.
func (c *collector) cast(s *lang.Cast) {
	if c.fsys == nil {
		c.fsys, c.dir = c.W.Folder, "."
	}
	file := decl.Plain(s.Path)
	if !sheetfile.Is(file) {
		d := decl.ErrAt(s.Path.Span, "SP0721", "cast reads files of YAML or JSON and pages of Markdown: party.yaml, party.json, party.md")
		if path.Ext(file) == ".scene" || path.Ext(file) == ".rules" {
			d.Help = "a script is read with  include " + decl.Text(s.Path.Span)
		}
		c.Err(d)
		return
	}
	src := c.openFile(s.Path, "cast")
	if src == nil {
		return
	}
	commands, lost, diags := sheetfile.Commands(c.W, src)
	c.Unread = c.Unread || len(commands)+len(lost) == 0 && diags.Errors()
	for _, cmd := range lost {
		c.Undeclared(cmd)
	}
	for _, d := range diags {
		if d.Severity == lang.Error {
			c.Err(d)
		} else {
			c.Doubts = append(c.Doubts, d)
		}
	}
	var stmts []lang.Stmt
	for _, cmd := range commands {
		stmts = append(stmts, cmd)
		c.second(cmd)
	}
	c.included = append(c.included, stmts...)
	c.W.Declared = append(slices.Clip(c.W.Declared), decl.Declared{Module: c.Module, Stmts: stmts})
}

// reason is why a file cannot be read, without its name.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return err.Error()
}

// FilesIn lists the files in a folder.
func FilesIn(fsys fs.FS, dir string) []string {
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
		c.fsys, c.dir = c.W.Folder, "."
	}
	stmts := c.wordSets(c.includeFile(s))
	for _, st := range stmts {
		c.first(st)
	}
	c.included = append(c.included, stmts...)
}

// moduleInstances lays out the instances that a module declares.
func (c *collector) moduleInstances() {
	f := c.scriptFn()
	for _, s := range c.Rest {
		cmd, ok := lang.Bare(s).(*lang.Command)
		if ok && c.takesStock(cmd) {
			c.slip(decl.ErrAt(s.Range(), "SP0722", `a file of rules can only say what is in stock:  stock SHEET "Name" { … }`))
			continue
		}
		if !ok {
			if _, ok := lang.Bare(s).(*lang.Test); ok {
				continue
			}
			d := decl.ErrAt(s.Range(), "SP0723", "a file of rules can only declare things; put this into a rule or a verb")
			if _, ok := lang.Bare(s).(*lang.Let); ok {
				c.Err(d) // rules may read it
			} else {
				c.slip(d)
			}
			continue
		}
		head, ok := cmd.Head.(*lang.Word)
		if ok && c.W.Verbs[head.Name] != nil {
			c.slip(decl.ErrAt(s.Range(), "SP0724", "a file of rules can only declare things; put this into a scene, a rule or a verb"))
			continue
		}
		if !ok || c.W.Sheets[head.Name] == nil {
			c.Err(decl.ErrVerb(c.W, cmd.Head.Range(), decl.WordOf(cmd.Head)))
			continue
		}
		n := f.Instances(c.W.Sheets[head.Name], cmd)
		c.inits = append(c.inits, n)
	}
	c.Diags = append(c.Diags, f.Diags...)
	if len(c.inits) == 0 || len(f.Diags) > 0 {
		return
	}
	mf := &code.Func{Name: "module", Region: true, Source: &resolve.FnSource{}}
	resolve.Generate(c.W, mf, f, &ir.Node{Op: ir.NSeq, Kids: append(f.Before, c.inits...), Rule: -1, At: c.Rest[0].Range()})
	c.W.Start = append(slices.Clip(c.W.Start), mf)
}

// opens says whether a statement is a command that opens a scene or another stretch of
// play: its verb takes a block.
func opens(c *resolve.Script, s lang.Stmt) bool {
	found := false
	lint.EachCommand(c, s, func(v *decl.Verb) { found = found || v.Block })
	return found
}

// Titles says whether a verb gives a stretch of play a title: it takes a block, and has the
// name of a span, such as a scene.
func Titles(w *decl.World, name string) bool {
	v := w.Verbs[name]
	return v != nil && v.Block && slices.Contains(w.Prog.Spans, name)
}

// given says whether a statement gives dice, answers or commands to what comes next.
func given(s lang.Stmt) bool {
	cmd, ok := lang.Bare(s).(*lang.Command)
	return ok && slices.Contains(code.GivenWords, decl.WordOf(cmd.Head))
}

// sets says whether a statement changes something that was there before.
func sets(s lang.Stmt) bool {
	found := false
	lang.Walk(s, func(n lang.Node) bool {
		switch n.(type) {
		case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Test, *lang.Tactics:
			return false
		case *lang.Assign:
			found = true
		}
		return !found
	})
	return found
}

// marksOf numbers the scenes behind which tests begin, by title.
func marksOf(stmts []lang.Stmt) map[string]int {
	marks := map[string]int{}
	for _, s := range stmts {
		if t, ok := lang.Bare(s).(*lang.Test); ok && t.After != nil {
			if title := decl.Plain(t.After); marks[title] == 0 {
				marks[title] = len(marks) + 1
			}
		}
	}
	return marks
}
