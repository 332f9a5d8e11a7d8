package resolve

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// KnowDecision reports a decision that no rule in use offers.
func (c *Script) KnowDecision(name lang.Ident) {
	known := c.W.DecisionNames()
	if len(known) == 0 || known[name.Name] {
		return
	}
	d := decl.ErrUnknown("decision", name, decl.KeysOf(known))
	if d.Help == "" {
		d.Help = ":decisions at the prompt lists them"
	}
	c.Err(d)
}

// Script is what is known of a source ahead of resolving it, and what resolving it has
// found.
type Script struct {
	W        *decl.World
	Module   *decl.Module
	IsScript bool // not a module
	Diags    lang.Diagnostics
	Rest     []lang.Stmt // what is neither declared nor taken into use

	Fixed      map[string]*lang.Let    // variables that the script sets once, at the top
	Ahead      map[string]int          // places of variables that the script sets further on
	Marks      map[string]int          // by title of a scene behind which tests begin
	unnamed    map[string]bool         // names in declarations that were refused
	Unread     bool                    // a file that it names cannot be read: what is in it nobody knows
	Successors map[lang.Span]Successor // of tactics
	Reports    map[string][]ReportAt   // where the script reports what
	Titled     []Titled                // the blocks with a title, outer ones before inner ones
	Columns    []Reported              // what it reports, by column
	Clauses    []lang.Span             // of the commands of a script
	Parameters parameters

	defaults      map[sheetField]bool // computed defaults that have been resolved
	Lacks         []lack              // fields that sheets of the script leave out
	UnratedTraits lang.Diagnostics    // traits without a rating
	Stated        []stated            // what its sheets say
	Doubts        lang.Diagnostics    // what rules warn of, see bind/needs.go
	Replaced      lang.Diagnostics    // of tactics, in strict checks
}

// Err notes a mistake.
func (c *Script) Err(d *lang.Diagnostic) { c.Diags = append(c.Diags, d) }

// LastKey gives the cell of a value that outcomes have.
func (c *Script) LastKey(id lang.Ident) int {
	w := c.W
	if at, ok := w.LastKeys[id.Name]; ok {
		return at
	}
	at := w.Prog.Last[0] + len(w.LastKeys)
	if len(w.LastKeys) >= decl.LastRoom {
		c.Err(decl.ErrAt(id.Span, "SP0456", "outcomes have more than %d different values", decl.LastRoom))
		return w.Prog.Last[0]
	}
	w.LastKeys[id.Name] = at
	w.LastModules[id.Name] = c.Module
	w.Prog.Last[1] = at + 1
	if w.Prompt {
		w.Kept(id.Name) // a line may ask for what the rules said before it was typed
	}
	return at
}

// One constructor for each mistake that the compiler finds.

// sheetField is a field as a sheet has it.
type sheetField struct {
	sheet *decl.Sheet
	field *decl.Field
}

// hasDefault says whether the default of a field has been asked for before.
func (c *Script) hasDefault(sh *decl.Sheet, fd *decl.Field) bool {
	if c == nil {
		return false
	}
	if c.defaults == nil {
		c.defaults = map[sheetField]bool{}
	}
	had := c.defaults[sheetField{sh, fd}]
	c.defaults[sheetField{sh, fd}] = true
	return had
}

// Undeclared notes the name that a refused declaration would have declared: that it is
// unknown needs no second message.
func (c *Script) Undeclared(cmd *lang.Command) {
	if c == nil {
		return
	}
	if c.unnamed == nil {
		c.unnamed = map[string]bool{}
	}
	all := exprsOf(cmd.Args)
	if name, n := decl.NamePieces(all); n > 1 || n == 1 && decl.NameOf(all[0]) == "" {
		c.unnamed[name] = true
		all = all[n:]
	}
	for _, e := range all {
		if name := decl.NameOf(e); name != "" {
			c.unnamed[name] = true
		}
	}
}

// IsUndeclared says whether the declaration of a name was refused, or may stand in a file that
// cannot be read.
func (c *Script) IsUndeclared(name string) bool { return c != nil && (c.Unread || c.unnamed[name]) }

// InCapitals gives the text of an expression with words that nobody knows in capitals, if one
// of them names a trait so; otherwise "".
func (f *Fn) InCapitals(e lang.Expr) string {
	at := e.Range()
	var s strings.Builder
	from, found := at.Start, false
	lang.Walk(e, func(x lang.Node) bool {
		if x, ok := x.(*lang.Word); ok && f.KnownWord(x) == nil && !f.W.IsEntry(x.Name) {
			name := strings.ToUpper(x.Name)
			if begun := f.W.PartBegun(name); begun != "" && !f.W.IsPartName(name) {
				name = begun
			}
			s.WriteString(at.Src.Text[from:x.Start] + name)
			from = x.End
			found = found || f.W.IsPartName(name)
		}
		return true
	})
	if !found {
		return ""
	}
	return s.String() + at.Src.Text[from:at.End]
}

// lack is a field that a declaration leaves out.
type lack struct {
	Field *decl.Field
	Name  string
	Usual string // what it has then, where this does not depend on the instance
	At    lang.Span
}

// lacking notes the fields of an instance that verbs need and its declaration leaves out.
func (b *Builder) lacking(e *decl.Entity, at lang.Span, done map[string]bool) {
	if b.command == nil {
		return
	}
	for _, fd := range e.Sheet.Fields {
		if fd.Decl != nil && fd.Decl.Needed != nil && !done[fd.Name] {
			l := lack{Field: fd, Name: b.label, At: at}
			if mf := &e.Sheet.Typ.Fields[fd.Index]; mf.Const && mf.Default != value.None {
				l.Usual = b.W.Heap.Show(mf.Default, nil)
			}
			b.F.Coll.Lacks = append(b.F.Coll.Lacks, l)
		}
	}
}

// unrated notes a trait without a rating where nothing else rates it.
func (b *Builder) unrated(p *decl.Entity) {
	fd := p.Sheet.ByName["rating"]
	if b.command == nil || fd == nil {
		return
	}
	mf := &p.Sheet.Typ.Fields[fd.Index]
	switch {
	case !mf.Const && (p.Owner.Owner != nil || len(b.W.Heap.Elems((*b.W.Store)[p.Off+code.AtFeatures])) > 0):
		return // it may have the rating of what it belongs to, or be used otherwise
	case fd.Def != nil && mf.Const && mf.Default != value.None && mf.Default != value.OfInt(0):
		return
	}
	d := decl.WarnAt(p.At, "SP0117", "%s has no rating", p.Name)
	d.Help = "write its rating after it:  " + p.Name + " 2"
	if mf.Check == code.IsDie {
		d.Help = "write its rating after it:  " + p.Name + " d6"
	}
	b.F.Coll.UnratedTraits = append(b.F.Coll.UnratedTraits, d)
}

// known gives the value of an expression that is made of numbers and of variables that
// are set once, above it.
func (c *Script) known(e lang.Expr) (ir.V, *lang.Diagnostic) {
	f := NewFn(c.W, c.Module)
	f.Coll, f.fixed = c, true
	n := f.Expr(e)
	switch {
	case len(f.Diags) > 0:
		return value.None, f.Diags[0]
	case n.Op != ir.NConst:
		d := decl.ErrAt(e.Range(), "SP0457", "this must be known before the script runs")
		d.Help = "a number, or a variable that one line above sets to a number:  let n = 3"
		return value.None, d
	}
	return n.V, nil
}

// MarkOf gives the number of the mark behind a command: one with a block and a title
// behind which a test begins; 0 for none.
func (c *Script) MarkOf(cmd *lang.Command) int {
	if c == nil || len(c.Marks) == 0 || cmd.Block == nil || len(cmd.Args) == 0 {
		return 0
	}
	t, ok := cmd.Args[0].Expr.(*lang.Text)
	if !ok {
		return 0
	}
	return c.Marks[decl.Plain(t)]
}

// checkAfter reports a test that begins behind a scene that the script does not have.
func (c *Script) checkAfter(t *lang.Test, stmts []lang.Stmt) {
	var titles []string
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			if cmd, ok := n.(*lang.Command); ok && cmd.Block != nil && len(cmd.Args) > 0 {
				if title, ok := cmd.Args[0].Expr.(*lang.Text); ok {
					titles = append(titles, decl.Plain(title))
				}
			}
			_, test := n.(*lang.Test)
			return !test
		})
	}
	if slices.Contains(titles, decl.Plain(t.After)) {
		return
	}
	d := decl.ErrAt(t.After.Span, "SP0458", "there is no scene %q with braces in this script", decl.Plain(t.After))
	decl.Suggest(d, decl.Plain(t.After), titles)
	c.Err(d)
}

// Doubt notes warnings; code that is made twice says them once.
func (c *Script) Doubt(ds lang.Diagnostics) {
	for _, d := range ds {
		if !slices.ContainsFunc(c.Doubts, func(o *lang.Diagnostic) bool { return o.Span == d.Span && o.Message == d.Message }) {
			c.Doubts = append(c.Doubts, d)
		}
	}
}

// stated is a constant that a declaration of a script gives to a field, other than its default.
type stated struct {
	Sheet *decl.Sheet
	Field *decl.Field
	Name  string // the field as a script names it: Ann.luck
	At    lang.Span
}

// Successor is what takes the place of tactics that were not used yet.
type Successor struct {
	Name string
	At   lang.Span // the name in the later tactics
	Old  lang.Span // and in the earlier ones
}

// SameFile says whether both tactics stand in one file.
func (r Successor) SameFile() bool { return r.At.Src == r.Old.Src }

// Succession is what a run says of it.
func (f *Fn) Succession(s *lang.Tactics) []*ir.Node {
	var out []*ir.Node
	for _, x := range s.Who {
		r, ok := f.Coll.Successors[x.Range()]
		if !ok || !r.SameFile() {
			continue
		}
		text := fmt.Sprintf("the tactics of %s in line %d replace all of those in line %d: write the entries of both in one block",
			r.Name, r.At.Src.Position(int(r.At.Start)).Line, r.Old.Src.Position(int(r.Old.Start)).Line)
		n := f.Mk(ir.NEvent, x.Range(), f.Constant(f.W.Heap.OfText(text), x.Range()))
		n.Info = &ir.SayInfo{Kind: "warn", Stated: true}
		out = append(out, n)
	}
	return out
}

// TacticsIn lists the tactics among statements, without those of tests and those that
// whoever has none follows.
func TacticsIn(stmts []lang.Stmt) []*lang.Tactics {
	var out []*lang.Tactics
	for _, s := range stmts {
		lang.Walk(s, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Tactics:
				if !decl.IsWord(n.Who[0], "default") {
					out = append(out, n)
				}
			}
			return true
		})
	}
	return out
}
