package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// layOut puts an instance of a sheet into the store, with the defaults that
// are constants.
func layOut(w *decl.World, sh *decl.Sheet, name string, owner *decl.Entity, at lang.Span) *decl.Entity {
	e := &decl.Entity{Name: name, Sheet: sh, Off: len(*w.Store), Owner: owner, At: at}
	*w.Store = append(*w.Store, sh.Typ.Template...)
	s := (*w.Store)[e.Off:]
	s[code.AtName] = w.Heap.OfText(name)
	if owner != nil {
		s[code.AtOwner] = owner.Ref()
		owner.Parts = append(slices.Clip(owner.Parts), e)
	}
	w.ByOff[e.Off] = e
	w.Order = append(w.Order, e)
	w.Prog.Live = append(w.Prog.Live, e.Off)
	for _, f := range w.Every {
		if sh.Is(f.On) {
			Attach(w, e, f, nil)
		}
	}
	return e
}

// Attach puts a feature on an instance and gives the feature's own instance.
func Attach(w *decl.World, e *decl.Entity, f *decl.Sheet, init func(*decl.Entity)) *decl.Entity {
	fe := &decl.Entity{Name: f.Name, Sheet: f, Off: len(*w.Store), Owner: e, At: f.At}
	*w.Store = append(*w.Store, f.Typ.Template...)
	s := (*w.Store)[fe.Off:]
	s[code.AtName] = w.Heap.OfText(f.Name)
	if e != nil {
		s[code.AtOwner] = e.Ref()
	}
	w.ByOff[fe.Off] = fe
	w.Prog.Live = append(w.Prog.Live, fe.Off)
	if init != nil {
		init(fe)
	}
	if e != nil {
		at := e.Off + code.AtFeatures
		l := append(slices.Clone(w.Heap.Elems((*w.Store)[at])), fe.Ref())
		(*w.Store)[at] = w.Heap.OfList(l)
	}
	return fe
}

// Builder makes one instance from a declaration.
type Builder struct {
	F    *Fn
	W    *decl.World
	Init *ir.Node // what sets the values, run when the line is reached

	// Of a declaration of a script, see parameter.go:
	command *lang.Command
	root    *decl.Entity // the first of those that it declares
	label   string       // the name it gives them

	latest string // the word of the part that was read last
}

// Instances lays out what a command such as `hero Valorus { … }` or
// `wolves Grey x2 { … }` declares and gives what sets the values.
func (f *Fn) Instances(sh *decl.Sheet, cmd *lang.Command) *ir.Node {
	return f.instances(sh, cmd, cmd)
}

// instances is Instances of a command that stands for the one that is written.
func (f *Fn) instances(sh *decl.Sheet, cmd, written *lang.Command) *ir.Node {
	w := f.W
	w.Refers(cmd.Head.Range(), sh.At)
	args := cmd.Args
	if len(args) == 0 {
		f.Err(decl.ErrAt(cmd.Span, "SP0505", "%s needs a name", sh.Name))
		return Nothing(cmd.Span)
	}
	name := ""
	switch x := args[0].Expr.(type) {
	case *lang.Name:
		name = decl.Display(x.Name)
	case *lang.Text:
		name = decl.Plain(x)
	case *lang.Caps:
		name = x.Name
	default:
		d := decl.ErrAt(args[0].Expr.Range(), "SP0506", "expected the name of the %s: a Capitalised word or a \"text\"", sh.Name)
		if dotted, n := decl.NamePieces(exprsOf(args)); n > 0 && !isNumbered(args[0].Expr) {
			d.Help = decl.InQuotes(dotted)
			args = nil
		} else if x, ok := args[0].Expr.(*lang.Binary); ok && x.Op == "-" && decl.NameOf(x.X) != "" && decl.NameOf(x.Y) != "" {
			d.Help = decl.InQuotes(decl.Text(x.Range())) // Jean-Luc
		} else if x, ok := args[0].Expr.(*lang.Word); ok {
			d.Help = "write  " + sh.Name + " " + lang.Capitalised(x.Name)
		}
		for _, a := range args {
			e := a.Expr
			if r, ok := e.(*lang.Rated); ok {
				e = r.X
			}
			if _, ok := e.(*lang.Name); ok {
				d.Help = fmt.Sprintf("write what it has in braces, after its name:  %s %s { … }", sh.Name, decl.Text(e.Range()))
				break
			}
		}
		return f.notDeclared(cmd, d)
	}
	if strings.TrimSpace(name) == "" {
		return f.notDeclared(cmd, decl.ErrAt(args[0].Expr.Range(), "SP0507", "the name of the %s is empty", sh.Name))
	}
	if whole, n := decl.NamePieces(exprsOf(args)); n > 1 {
		at := args[0].Expr.Range()
		at.End = args[n-1].Expr.Range().End
		d := decl.ErrAt(at, "SP0508", "expected one name of the %s here", sh.Name)
		d.Help = decl.InQuotes(whole)
		return f.notDeclared(cmd, d)
	}
	if old := w.Entities[name]; old != nil {
		f.Err(decl.ErrTwice(name, args[0].Expr.Range(), old.At))
		return Nothing(cmd.Span)
	}
	n, rest, several := 1, args[1:], false
	count := args[0].Expr.Range()
	count.Start = count.End
	if len(rest) > 0 {
		k, ok, d := f.times(rest[0].Expr)
		if d != nil {
			f.Err(d)
			k = 1
		} else if ok && (k < 1 || k > 1000) {
			return f.notDeclared(cmd, decl.ErrAt(rest[0].Expr.Range(), "SP0509", "there can be 1 to 1000 of them"))
		}
		if ok {
			_, counted := rest[0].Expr.(*lang.Call)
			n, rest, count, several = k, rest[1:], rest[0].Expr.Range(), k > 1 || counted
		}
	}
	b := &Builder{F: f, W: w, Init: &ir.Node{Op: ir.NSeq, At: cmd.Span, Rule: -1}, label: name}
	if f.Coll != nil && f.Coll.IsScript {
		b.command = written
	}
	at := args[0].Expr.Range()
	w.Refers(at, at)
	var all []*decl.Entity
	wrong := false // with the first
	for i := 1; i <= n; i++ {
		shown := name
		if several {
			shown = fmt.Sprintf("%s %d", name, i)
		}
		e := layOut(w, sh, shown, nil, at)
		e.Script = b.command != nil
		all = append(all, e)
		w.Entities[shown] = e
		f.made = append(f.made, e)
		if b.root == nil {
			b.root = e
		}
		said := len(f.Diags)
		done := map[string]bool{}
		if i == 1 {
			w.Enters(decl.Entry{Who: e, Copies: copies(several, n), By: written})
		}
		entries := w.Entries
		if i > 1 {
			w.Entries = nil // they are as the first
		}
		b.fill(e, rest, cmd.Block, done)
		w.Entries = entries
		if i == 1 {
			b.lacking(e, at, done)
			wrong = len(f.Diags) > said
		} else if wrong {
			f.Diags = f.Diags[:said] // it has been said
		}
	}
	b.declares(count)
	if several {
		w.Groups[name] = all
		g := code.Group{Name: name}
		for _, e := range all {
			g.Offs = append(g.Offs, e.Off)
		}
		w.Prog.Groups = append(w.Prog.Groups, g)
		w.Entities[name] = nil
		delete(w.Entities, name)
	}
	return b.Init
}

// copies is how many instances a group has, 0 for one that is none.
func copies(several bool, n int) int {
	if several {
		return n
	}
	return 0
}

// notDeclared tells why somebody could not be declared; whoever it was counts as known from
// here on.
func (f *Fn) notDeclared(cmd *lang.Command, d *lang.Diagnostic) *ir.Node {
	f.Err(d)
	f.Coll.Undeclared(cmd)
	return Nothing(cmd.Span)
}

// isNumbered says whether an expression is a name with a number behind it.
func isNumbered(e lang.Expr) bool {
	_, ok := e.(*lang.Rated)
	return ok
}

// times reads "x3" and "x(n)", where n is known before the script runs. What is counted
// with x( ) is a group, also of one, so that its names do not depend on the count.
func (f *Fn) times(e lang.Expr) (n int, ok bool, d *lang.Diagnostic) {
	switch e := e.(type) {
	case *lang.Word:
		if len(e.Name) < 2 || e.Name[0] != 'x' {
			return 0, false, nil
		}
		n, err := strconv.Atoi(e.Name[1:])
		return n, err == nil, nil
	case *lang.Call:
		if !decl.IsWord(e.Fn, "x") || len(e.Args) != 1 || f.Coll == nil {
			return 0, false, nil
		}
		v, d := f.Coll.known(e.Args[0])
		if d == nil && !v.IsInt() {
			d = decl.ErrAt(e.Args[0].Range(), "SP0510", "expected a whole number here, not %s", f.W.Heap.Show(v, nil))
		}
		if d != nil {
			return 0, true, d
		}
		return int(v.Int()), true, nil
	}
	return 0, false, nil
}

// fill sets the fields of an instance from the arguments behind its name and
// from its block. done are fields that are set already.
func (b *Builder) fill(e *decl.Entity, args []lang.Arg, block *lang.Block, done map[string]bool) {
	if done == nil {
		done = map[string]bool{}
	}
	b.pairs(e, exprsOf(args), done)
	if block != nil {
		for _, st := range block.Stmts {
			b.stmt(e, st, done)
		}
	}
	b.defaults(e, e.Sheet.Fields, done)
}

// defaults sets those fields of an instance to their defaults that are computed and not done. They say
// the same of each instance of a sheet: where nothing will run, once is enough.
func (b *Builder) defaults(e *decl.Entity, fields []*decl.Field, done map[string]bool) {
	for _, fd := range fields {
		if e.Sheet.Typ.Fields[fd.Index].Const || done[fd.Name] || fd.Def == nil || b.W.Unrun && b.F.Coll.hasDefault(e.Sheet, fd) {
			continue
		}
		b.F.Selves = append(b.F.Selves, Self{Ent: e, Sheet: e.Sheet})
		n := b.F.SetDefault(fd, ConstRef(e, fd.Decl.Span))
		n.B = 1
		b.F.Selves = b.F.Selves[:len(b.F.Selves)-1]
		b.Init.Kids = append(b.Init.Kids, n)
	}
}

// ConstRef gives an instance as a constant.
func ConstRef(e *decl.Entity, at lang.Span) *ir.Node {
	return &ir.Node{Op: ir.NConst, V: e.Ref(), At: at, Rule: -1}
}

func exprsOf(args []lang.Arg) []lang.Expr {
	es := make([]lang.Expr, len(args))
	for i, a := range args {
		es[i] = a.Expr
	}
	return es
}

// stmt reads one statement of a sheet's block: an entry, or several with
// commas between them.
func (b *Builder) stmt(e *decl.Entity, st lang.Stmt, done map[string]bool) {
	switch st := st.(type) {
	case *lang.Annotated:
		if st.Stmt != nil {
			b.stmt(e, st.Stmt, done)
		}
		return
	case *lang.Bad:
		return
	case *lang.ExprStmt:
		b.entry(e, []lang.Expr{st.X}, nil, done)
		return
	case *lang.Command:
		if st.Who != nil {
			break
		}
		items := []lang.Expr{st.Head}
		for _, a := range st.Args {
			if a.Comma {
				b.entry(e, items, nil, done)
				items = nil
			}
			items = append(items, a.Expr)
		}
		b.entry(e, items, st.Block, done)
		return
	}
	d := decl.ErrAt(st.Range(), "SP0511", "expected an entry of the sheet, such as  star 3  or  AIM 4")
	if set, ok := st.(*lang.Assign); ok && set.Op == "=" {
		d.Help = "a sheet has no = between a word and its value:  " + decl.Text(set.Target.Range()) + " " + decl.Text(set.Value.Range())
	}
	b.F.Err(d)
}

// entry reads one entry: WORD values, or NAME rating [features] word value ….
func (b *Builder) entry(e *decl.Entity, items []lang.Expr, block *lang.Block, done map[string]bool) {
	if len(items) == 0 {
		return
	}
	switch head := items[0].(type) {
	case *lang.Caps, *lang.Rated:
		fd := e.Sheet.CapsField()
		if fd == nil {
			b.F.Err(b.untraited(e, head, items[1:]))
			return
		}
		if r, ok := head.(*lang.Rated); ok {
			items = append([]lang.Expr{r.X, r.Rating}, items[1:]...)
		}
		b.nested(e, fd, decl.NameOf(items[0]), items[0].Range(), items[1:], block)
	case *lang.Word:
		if fd := e.Sheet.ByName[head.Name]; fd != nil && !b.isNested(fd) {
			b.set(e, fd, head, items[1:], done)
			if block != nil {
				b.F.Err(decl.ErrAt(block.Span, "SP0305", "%s takes no block { … }", head.Name))
			}
			return
		}
		if fd := e.Sheet.AsField(head.Name); fd != nil {
			b.latest = head.Name
			b.part(e, fd, head, items[1:], block)
			return
		}
		d := decl.ErrEntry(e.Sheet, head, items[1:])
		if _, many, _ := b.F.times(head); many && e.Owner == nil {
			d.Help = "how many there are stands before the braces:  " + head.Name + " { … }"
		}
		b.F.Err(d)
	default:
		d := decl.ErrAt(items[0].Range(), "SP0513", "expected an entry of the sheet: %s", e.Sheet.EntryWords())
		d.Help = cmp.Or(ratingOf(e.Sheet, items[0]), b.again(items[0]))
		b.F.Err(d)
	}
}

func (b *Builder) isNested(fd *decl.Field) bool {
	return fd.Many && b.W.Sheets[fd.Sheet] != nil && fd.As != ""
}

// part reads an entry that makes a nested instance named by a text or word.
func (b *Builder) part(e *decl.Entity, fd *decl.Field, head *lang.Word, items []lang.Expr, block *lang.Block) {
	name := head.Name
	at := head.Span
	if len(items) > 0 {
		if small := decl.SmallDie(decl.NameOf(items[0])); small != "" {
			d := decl.ErrAt(items[0].Range(), "SP0514", "%s is no die", decl.NameOf(items[0]))
			d.Help = "dice are written small:  " + small
			b.F.Err(d)
			return
		}
		switch x := items[0].(type) {
		case *lang.Text, *lang.Caps, *lang.Name:
			name, at = decl.NameOf(x), x.Range()
			items = items[1:]
		case *lang.Rated:
			name, at = decl.NameOf(x.X), x.X.Range()
			items = append([]lang.Expr{x.Rating}, items[1:]...)
		}
	}
	b.nested(e, fd, name, at, items, block)
}

// nested makes a part of e in its field fd.
func (b *Builder) nested(e *decl.Entity, fd *decl.Field, name string, at lang.Span, items []lang.Expr, block *lang.Block) {
	sh := b.W.Sheets[fd.Sheet]
	if sh == nil {
		b.F.Err(decl.ErrAt(fd.Typ.Span, "SP0515", "there is no sheet %s", fd.Sheet))
		return
	}
	for _, old := range e.Parts {
		if old.Name == name && old.Sheet == sh {
			b.F.Err(decl.ErrTwice(name, at, old.At))
			return
		}
	}
	b.W.RefersToField(e.Sheet, fd.Name, at)
	b.W.Refers(at, sh.At)
	p := layOut(b.W, sh, name, e, at)
	b.W.Enters(decl.Entry{Who: p, Field: fd})
	slot := e.Off + code.Header + fd.Index
	if fd.Many {
		l := append(slices.Clone(b.W.Heap.Elems((*b.W.Store)[slot])), p.Ref())
		(*b.W.Store)[slot] = b.W.Heap.OfList(l)
	} else {
		(*b.W.Store)[slot] = p.Ref()
	}
	done := map[string]bool{}
	items = b.positional(p, items, done)
	b.pairs(p, items, done)
	b.fill(p, nil, block, done)
	if block == nil && !done["rating"] && (fd.As == "CAPS" || name == fd.As) {
		b.unrated(p)
	}
}

// untraited says that a sheet takes no traits, and how the number behind one is written in it.
func (b *Builder) untraited(e *decl.Entity, head lang.Expr, rest []lang.Expr) *lang.Diagnostic {
	d := decl.ErrAt(head.Range(), "SP0512", "%s has no traits of its own", decl.AOrAn(e.Sheet.Name))
	if r, ok := head.(*lang.Rated); ok {
		rest = []lang.Expr{r.Rating}
	}
	if len(rest) > 0 && len(e.Sheet.Fields) > 0 {
		d.Help = "of " + decl.QuoteName(e.Name) + " itself write  " + e.Sheet.Fields[0].Name + " " + strings.TrimPrefix(decl.Text(rest[0].Range()), "+")
	}
	return d
}

// positional fills a part's fields with the arguments that come before any
// word: a rating goes to the field named rating, others to the first fields.
func (b *Builder) positional(p *decl.Entity, items []lang.Expr, done map[string]bool) []lang.Expr {
	next := 0
	for len(items) > 0 {
		switch items[0].(type) {
		case *lang.List:
			b.features(p, items[0].(*lang.List))
			items = items[1:]
			continue
		case *lang.Word:
			return items
		}
		fd := p.Sheet.ByName["rating"]
		if fd == nil || done["rating"] {
			for next < len(p.Sheet.Fields) && (done[p.Sheet.Fields[next].Name] || p.Sheet.Fields[next].Many) {
				next++
			}
			if next == len(p.Sheet.Fields) {
				b.F.Err(decl.ErrAt(items[0].Range(), "SP0516", "%s takes no more values", p.Name))
				return nil
			}
			fd = p.Sheet.Fields[next]
		}
		done[fd.Name] = true
		b.W.RefersToField(p.Sheet, fd.Name, items[0].Range())
		if r, ok := items[0].(*lang.Rated); ok && capsRated(r) && p.Name == strings.ToUpper(p.Name) {
			d := decl.ErrAt(r.Span, "SP0410", "%s with a rating can only be an operand of a verb", decl.NameOf(r.X))
			d.Help = "put a comma before it if it is an entry of its own; the words of one trait are joined by _:  " + p.Name + "_" + decl.Text(r.Span)
			b.F.Err(d)
			return nil
		}
		b.W.Enters(decl.Entry{Who: p, Field: fd, Values: items[:1]})
		b.assign(p, fd, items[0])
		items = items[1:]
	}
	return items
}

func capsRated(r *lang.Rated) bool {
	_, ok := r.X.(*lang.Caps)
	return ok
}

// pairs reads "word value word value …" and feature lists.
func (b *Builder) pairs(e *decl.Entity, items []lang.Expr, done map[string]bool) {
	for len(items) > 0 {
		if l, ok := items[0].(*lang.List); ok {
			b.features(e, l)
			items = items[1:]
			continue
		}
		head, ok := items[0].(*lang.Word)
		if !ok {
			d := decl.ErrAt(items[0].Range(), "SP0517", "expected one of: %s", e.Sheet.EntryWords())
			if d.Help = withoutColon(items[0]); d.Help == "" && e.Owner == nil && ratingOf(e.Sheet, items[0]) != "" {
				d.Help = "write what it has in braces, after its name:  { rating " + decl.Text(items[0].Range()) + " }"
			}
			b.F.Err(d)
			return
		}
		fd := e.Sheet.ByName[head.Name]
		if fd == nil {
			d := decl.ErrEntry(e.Sheet, head, items[1:])
			if feat := b.W.Features[head.Name]; feat != nil && e.Sheet.Is(feat.On) {
				d.Help = "write a feature in brackets:  [" + head.Name + "]"
			} else if e.Owner != nil && (e.Owner.Sheet.ByName[head.Name] != nil || e.Owner.Sheet.AsField(head.Name) != nil) {
				if d.Help = "it is an entry of its own: put a comma before it"; e.Owner.Sheet.AsField(e.Name) != nil {
					all := lang.Span{Src: head.Src, Start: head.Start, End: items[len(items)-1].Range().End}
					d.Help = "it is an entry of its own: leave " + e.Name + " out:  " + decl.Text(all)
				}
			}
			b.F.Err(d)
			return
		}
		items = items[1:]
		n := 0
		for n < len(items) {
			if w, ok := items[n].(*lang.Word); ok && e.Sheet.ByName[w.Name] != nil && !TakesWord(fd, w.Name) {
				break
			}
			n++
			if e.Sheet.Typ.Fields[fd.Index].Check != code.IsList {
				break
			}
		}
		if fd.Typ.Name.Name == "truth" && n > 0 && !isTruthWord(items[0]) {
			n = 0
		}
		b.set(e, fd, head, items[:n], done)
		items = items[n:]
	}
}

// TakesWord says whether a word is among those that a field takes.
func TakesWord(f *decl.Field, name string) bool {
	for _, id := range f.Typ.OneOf {
		if id.Name == name {
			return true
		}
	}
	return false
}

func isTruthWord(e lang.Expr) bool { return decl.IsWord(e, "yes") || decl.IsWord(e, "no") }

// set puts the values of an entry into a field.
func (b *Builder) set(e *decl.Entity, fd *decl.Field, head *lang.Word, vals []lang.Expr, done map[string]bool) {
	mf := &e.Sheet.Typ.Fields[fd.Index]
	b.W.RefersToField(e.Sheet, fd.Name, head.Span)
	b.W.Enters(decl.Entry{Who: e, Field: fd, Values: saidOf(head, vals)})
	if fd.Typ.Name.Name == "features" {
		for _, v := range vals {
			l, ok := v.(*lang.List)
			if !ok {
				l = &lang.List{Span: v.Range(), Elems: []lang.Expr{v}}
			}
			at := e.Off + code.Header + fd.Index
			refs := slices.Clone(b.W.Heap.Elems((*b.W.Store)[at]))
			for _, x := range l.Elems {
				if fe := b.Feature(e, x); fe != nil {
					refs = append(refs, fe.Ref())
				}
			}
			(*b.W.Store)[at] = b.W.Heap.OfList(refs)
		}
		return
	}
	if mf.Check == code.IsList {
		b.setList(e, fd, vals, done)
		return
	}
	if done[fd.Name] {
		b.F.Err(decl.ErrAt(head.Span, "SP0518", "%s is given twice", fd.Name))
		return
	}
	done[fd.Name] = true
	switch {
	case len(vals) == 1:
		b.assign(e, fd, vals[0])
	case len(vals) == 0 && fd.Typ.Name.Name == "truth":
		b.store(e, fd, &ir.Node{Op: ir.NConst, V: value.Yes, At: head.Span, Rule: -1})
	case len(vals) == 0:
		b.F.Err(decl.ErrAt(head.Span, "SP0519", "%s needs a value", fd.Name))
	default:
		d := decl.ErrAt(vals[1].Range(), "SP0520", "%s takes one value", fd.Name)
		if way := fd.InMap(vals); way != "" {
			d.Help = "write  " + way
		} else if len(vals) == 2 && decl.WordOf(vals[0]) != "" && decl.IsRating(vals[1]) {
			d.Help = "leave " + decl.Text(vals[0].Range()) + " out:  " + fd.Name + " " + decl.Text(vals[1].Range())
		}
		b.F.Err(d)
	}
}

// saidOf gives the values of an entry: yes for a word that stands alone.
func saidOf(head *lang.Word, vals []lang.Expr) []lang.Expr {
	if len(vals) == 0 {
		return []lang.Expr{&lang.Word{Span: head.Span, Name: "yes"}}
	}
	return vals
}

func (b *Builder) setList(e *decl.Entity, fd *decl.Field, vals []lang.Expr, done map[string]bool) {
	list := &ir.Node{Op: ir.NList, At: e.At, Rule: -1}
	var all []*ir.Node
	for _, v := range vals {
		n := b.value(e, fd, v)
		if n.Op == ir.NList {
			all = append(all, n.Kids...)
		} else if n.Op == ir.NConst && n.V.Kind() == value.List {
			written, _ := v.(*lang.List)
			elems := b.W.Heap.Elems(n.V)
			for i, x := range elems {
				at := n.At
				if written != nil && len(written.Elems) == len(elems) {
					at = written.Elems[i].Range()
				}
				all = append(all, &ir.Node{Op: ir.NConst, V: x, At: at, Rule: -1})
			}
		} else {
			all = append(all, n)
		}
	}
	list.Kids = all
	obj := ConstRef(e, e.At)
	val := ir.Fold(&b.W.Unit, list)
	for _, n := range all {
		if n.Op != ir.NConst {
			continue
		}
		if msg := b.W.Misfit(e.Sheet, fd, b.W.Heap.OfList([]ir.V{n.V})); msg != "" {
			b.F.Err(decl.ErrAt(n.At, "SP0521", "%s of %s: %s", fd.Name, e.Name, msg))
			return
		}
	}
	if val.Op == ir.NConst {
		said := b.W.Prog.Stated[e.Off+code.Header+fd.Index] // by a line before, as in  bdh d8; bdh d10
		if all := val.V; !done[fd.Name] {
			b.states(e, fd, all)
		} else if said.Kind() == value.List {
			b.states(e, fd, b.W.Heap.OfList(slices.Concat(b.W.Heap.Elems(said), b.W.Heap.Elems(all))))
		}
	}
	if done[fd.Name] {
		val = &ir.Node{Op: ir.NBin, A: int(code.Add), At: e.At, Rule: -1, Kids: []*ir.Node{{Op: ir.NField, A: fd.Sym, Kids: []*ir.Node{obj}, At: e.At, Rule: -1}, val}}
	}
	done[fd.Name] = true
	b.Init.Kids = append(b.Init.Kids, &ir.Node{Op: ir.NSetField, A: fd.Sym, B: 1, Kids: []*ir.Node{obj, val}, At: e.At, Rule: -1})
}

// words resolves what an entry gives to a list of words or texts; nil if it is neither
// a list nor a word.
func (b *Builder) words(fd *decl.Field, x lang.Expr) *ir.Node {
	l, ok := x.(*lang.List)
	if !ok {
		l = &lang.List{Span: x.Range(), Elems: []lang.Expr{x}}
	}
	out := &ir.Node{Op: ir.NList, At: l.Span, Rule: -1}
	for _, x := range l.Elems {
		var word string
		switch x := x.(type) {
		case *lang.Word:
			if !ok && b.F.KnownWord(x) != nil {
				return nil // a variable that holds a list
			}
			word = x.Name
		case *lang.Caps, *lang.Name, *lang.Text:
			if word = decl.NameOf(x); fd.Typ.Of.Name == "word" {
				word = decl.AsWord(word)
			}
		case *lang.Num, *lang.Dice:
			b.F.Err(decl.ErrAt(x.Range(), "SP0522", "%s takes words, as in  %s [one, two]", fd.Name, fd.Name))
			return b.F.Constant(value.None, x.Range())
		}
		if word == "" {
			return nil
		}
		out.Kids = append(out.Kids, &ir.Node{Op: ir.NConst, V: b.W.Heap.OfText(word), At: x.Range(), Rule: -1})
	}
	return ir.Fold(&b.W.Unit, out)
}

// noSymbol reports a word in a field for words that no rule knows.
func (b *Builder) noSymbol(fd *decl.Field, w *lang.Word) *lang.Diagnostic {
	d := decl.ErrAt(w.Span, "SP0523", "%s: no rule knows the word %s", fd.Name, w.Name)
	decl.Suggest(d, w.Name, decl.KeysOf(b.W.Symbols))
	return d
}

// value resolves what an entry gives to a field; bare words are words.
func (b *Builder) value(e *decl.Entity, fd *decl.Field, x lang.Expr) *ir.Node {
	if fd.OfWords() {
		if n := b.words(fd, x); n != nil {
			return n
		}
	}
	if w, ok := x.(*lang.Word); ok {
		mf := &e.Sheet.Typ.Fields[fd.Index]
		if fd.Decl != nil && TakesWord(fd, w.Name) {
			b.W.RefersToWord(w.Name, w.Span, fd.Decl.Span)
		}
		switch {
		case mf.Check == code.InWords || mf.Check == code.IsSpan || fd.Typ.Name.Name == "symbol":
			switch w.Name {
			case "yes":
				return &ir.Node{Op: ir.NConst, V: value.Yes, At: w.Span, Rule: -1}
			case "no":
				return &ir.Node{Op: ir.NConst, V: value.No, At: w.Span, Rule: -1}
			case "none":
				return &ir.Node{Op: ir.NConst, V: value.None, At: w.Span, Rule: -1}
			}
			if fd.Typ.Name.Name == "symbol" && !b.W.Symbols[w.Name] {
				b.F.Err(b.noSymbol(fd, w))
			}
			return &ir.Node{Op: ir.NConst, V: b.W.Heap.OfSymbol(w.Name), At: w.Span, Rule: -1}
		case fd.Typ.Name.Name == "text" || fd.Typ.Name.Name == "word":
			return &ir.Node{Op: ir.NConst, V: b.W.Heap.OfText(w.Name), At: w.Span, Rule: -1}
		}
	}
	if m, ok := x.(*lang.Map); ok {
		b.F.Selves = append(b.F.Selves, Self{Ent: e, Sheet: e.Sheet})
		n := b.F.mapLiteral(m, true, fd.Typ.Of != nil)
		b.F.Selves = b.F.Selves[:len(b.F.Selves)-1]
		return n
	}
	if c, ok := x.(*lang.Caps); ok && fd.Sheet != "" {
		for o := e; o != nil; o = o.Owner {
			if p := o.Part(c.Name); p != nil {
				return ConstRef(p, c.Span)
			}
		}
	}
	if c, ok := x.(*lang.Caps); ok && fd.Sheet == "" {
		return &ir.Node{Op: ir.NConst, V: b.W.Heap.OfText(c.Name), At: c.Span, Rule: -1}
	}
	if t, ok := x.(*lang.Text); ok && fd.Sheet != "" && b.W.Entities[decl.Plain(t)] != nil {
		return b.F.Named(decl.Plain(t), t.Span)
	}
	b.F.Selves = append(b.F.Selves, Self{Ent: e, Sheet: e.Sheet})
	n := b.F.Expr(x)
	b.F.Selves = b.F.Selves[:len(b.F.Selves)-1]
	return n
}

func (b *Builder) assign(e *decl.Entity, fd *decl.Field, x lang.Expr) {
	b.wrote(e, fd, x.Range())
	b.store(e, fd, b.value(e, fd, x))
}

// store sets a field when the line is reached; a constant is checked now.
func (b *Builder) store(e *decl.Entity, fd *decl.Field, v *ir.Node) {
	if v.Op == ir.NConst {
		if msg := b.W.Misfit(e.Sheet, fd, v.V); msg != "" {
			d := decl.ErrAt(v.At, "SP0521", "%s of %s: %s", fd.Name, e.Name, msg)
			if mf := &e.Sheet.Typ.Fields[fd.Index]; mf.Check == code.IsDie && v.V.Kind() == value.List {
				d.Help = b.oneDie(e, v.V)
			} else if mf.Check == code.IsDie && v.V.IsInt() {
				d.Help = "a rating is a die here:  d" + b.W.Heap.Show(v.V, nil)
				if e.Owner != nil && e.Owner.Sheet.Described(e.Name) != nil {
					d.Help = "write  " + e.Owner.Sheet.Described(e.Name).Name + " " + b.W.Heap.Show(v.V, nil)
				}
			}
			b.F.Err(d)
			return
		}
		b.W.Initial[decl.FieldAt{Off: e.Off, Sym: fd.Sym}] = v.V
		b.states(e, fd, v.V)
		if mf := &e.Sheet.Typ.Fields[fd.Index]; b.command != nil && v.V != mf.Default && e.Owner == nil {
			b.F.Coll.Stated = append(b.F.Coll.Stated, stated{e.Sheet, fd, decl.QuoteName(e.Name) + "." + fd.Name, v.At})
		}
	}
	b.Init.Kids = append(b.Init.Kids, &ir.Node{Op: ir.NSetField, A: fd.Sym, B: 1, Kids: []*ir.Node{ConstRef(e, v.At), v}, At: v.At, Rule: -1})
}

// states notes what a sheet says of a field with a lifetime.
func (b *Builder) states(e *decl.Entity, fd *decl.Field, v ir.V) {
	if mf := &e.Sheet.Typ.Fields[fd.Index]; mf.Per >= 0 && v != mf.Default {
		b.W.Prog.Stated[e.Off+code.Header+fd.Index] = v
	}
}

// oneDie says what to write for several dice in a field for one: that die, and how many of
// it where the sheet counts them in the only field of its own for a number.
func (b *Builder) oneDie(e *decl.Entity, dice ir.V) string {
	all := b.W.Heap.Elems(dice)
	if len(all) == 0 || all[0].Kind() != value.Die {
		return ""
	}
	die := b.W.Heap.Show(all[0], nil)
	for _, fd := range e.Sheet.Fields {
		if name := fd.Typ.Name.Name; name == "whole" && !slices.ContainsFunc(all, func(d ir.V) bool { return d != all[0] }) {
			return fmt.Sprintf("write  %s %s %d", die, fd.Name, len(all))
		}
	}
	return "write one die:  " + die
}

// features attaches the features of a bracketed list.
func (b *Builder) features(e *decl.Entity, l *lang.List) {
	if len(l.Elems) > 0 {
		b.W.Enters(decl.Entry{Who: e, Values: l.Elems})
	}
	for _, x := range l.Elems {
		b.Feature(e, x)
	}
}

// example is what the value of a parameter could look like.
func example(p *decl.Field) string {
	switch p.Typ.Name.Name {
	case "number":
		return "2"
	case "text":
		return `"…"`
	}
	return "…"
}

// Feature lays out a feature of an instance.
func (b *Builder) Feature(e *decl.Entity, x lang.Expr) *decl.Entity {
	var head lang.Expr = x
	var args []lang.Expr
	switch y := x.(type) {
	case *lang.Applied:
		head, args = y.Head, y.Args
	case *lang.Call:
		head, args = y.Fn, y.Args
	}
	word, ok := head.(*lang.Word)
	if !ok {
		d := decl.ErrAt(x.Range(), "SP0524", "expected the name of a feature here")
		if low := strings.ToLower(decl.NameOf(x)); b.W.Features[low] != nil {
			d.Help = "did you mean " + low + "?"
		}
		if hyphened := strings.ReplaceAll(x.Range().Src.Text[x.Range().Start:x.Range().End], "-", "_"); b.W.Features[hyphened] != nil {
			d.Help = "did you mean " + hyphened + "?"
		}
		if y, ok := x.(*lang.Binary); ok && y.Op == "-" && b.W.Features[decl.NameOf(y.X)] != nil {
			d.Help = "write a number below 0 in brackets:  " + decl.NameOf(y.X) + "(-" + decl.Text(y.Y.Range()) + ")"
		}
		b.F.Err(d)
		return nil
	}
	sh := b.W.Features[word.Name]
	if sh == nil {
		d := b.noFeature(word, args)
		if d.Help == "" && e != nil {
			if names := b.featuresFor(e.Sheet); len(names) > 0 {
				d.Help = "features of a " + e.Sheet.Name + ": " + strings.Join(names, ", ")
			}
		}
		b.F.Err(d)
		return nil
	}
	if e != nil && !e.Sheet.Is(sh.On) {
		b.F.Err(decl.ErrAt(word.Span, "SP0429", "%s goes on a %s, and %s is a %s", word.Name, sh.On, e.Name, e.Sheet.Name))
		return nil
	}
	b.W.Refers(x.Range(), sh.At)
	if len(args) > len(sh.Params) {
		b.F.Err(decl.ErrAt(args[len(sh.Params)].Range(), "SP0525", "%s takes %s", word.Name, decl.Things(len(sh.Params))))
		return nil
	}
	return Attach(b.W, e, sh, func(fe *decl.Entity) {
		b.F.made = append(b.F.made, fe)
		for i, p := range sh.Params {
			switch {
			case i < len(args):
				b.assign(fe, p, args[i])
			case p.Def != nil:
				b.assign(fe, p, p.Def)
			default:
				d := decl.ErrAt(x.Range(), "SP0526", "%s needs its %s", word.Name, strings.ReplaceAll(p.Name, "_", " "))
				d.Help = "write  " + word.Name + " " + example(p)
				b.F.Err(d)
			}
		}
		b.defaults(fe, sh.Fields[len(sh.Params):], nil)
	})
}

// featuresFor lists the features that a sheet can have.
func (b *Builder) featuresFor(sh *decl.Sheet) []string {
	var names []string
	for _, name := range decl.FeatureNames(b.W) {
		if sh.Is(b.W.Features[name].On) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// noFeature reports a feature that nobody has declared; its name may be several words that
// only lack their _.
func (b *Builder) noFeature(word *lang.Word, args []lang.Expr) *lang.Diagnostic {
	id := lang.Ident{Span: word.Span, Name: word.Name}
	joined := id
	for _, a := range args {
		next := decl.WordOf(a)
		if next == "" {
			break
		}
		joined.Name, joined.End = joined.Name+"_"+next, a.Range().End
		if b.W.Features[joined.Name] != nil {
			d := decl.ErrAt(joined.Span, "SP0527", "there is no feature %s", decl.Text(joined.Span))
			d.Help = "its words are joined by _:  " + joined.Name
			return d
		}
	}
	return decl.ErrUnknown("feature", id, decl.FeatureNames(b.W))
}

// withoutColon says how to write an entry that has a colon:  AIM: 3.
func withoutColon(x lang.Expr) string {
	name, value, ok := strings.Cut(strings.Trim(decl.Text(x.Range()), "{} "), ":")
	if !ok {
		return ""
	}
	return "without the colon:  " + strings.TrimSpace(name) + " " + strings.TrimSpace(value)
}

// ratingOf says how a sheet that has a rating of its own takes dice or a number that stand
// alone in it.
func ratingOf(s *decl.Sheet, e lang.Expr) string {
	if s.ByName["rating"] == nil || !decl.IsRating(e) {
		return ""
	}
	return "write  rating " + decl.Text(e.Range())
}

// again says how a name that stands alone behind a part of a sheet is the name of another.
func (b *Builder) again(e lang.Expr) string {
	if _, ok := e.(*lang.Text); !ok || b.latest == "" {
		return ""
	}
	return "each has its word before it:  " + b.latest + " " + decl.Text(e.Range())
}

// ActingStandIn gives the instance that acts when nobody was named, and what
// makes it if it is not there yet.
func (f *Fn) ActingStandIn(at lang.Span) *decl.Entity {
	w := f.W
	if w.StandIn == nil {
		f.Err(decl.ErrAt(at, "SP0528", "who does this? write  Name: …"))
		return nil
	}
	sh := w.Sheets[w.StandIn.Sheet.Name]
	if sh == nil {
		return nil // which has been reported
	}
	var all []*decl.Entity
	for _, e := range w.Order {
		if e.Sheet.Is(sh.Name) && e.Owner == nil && e != w.StandIn.Ent {
			all = append(all, e)
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		f.Err(decl.ErrWho(at, all))
		return all[0]
	}
	if w.StandIn.Ent != nil {
		return w.StandIn.Ent
	}
	e := layOut(w, sh, w.StandIn.Name, nil, at)
	e.Adhoc = true
	w.StandIn.Ent = e
	w.Entities[e.Name] = e
	b := &Builder{F: f, W: w, Init: &ir.Node{Op: ir.NSeq, At: at, Rule: -1}}
	b.fill(e, nil, nil, nil)
	f.Before = append(f.Before, b.Init)
	return e
}

// Fresh makes an instance that a command names and makes for itself. It is
// owner's, but not among owner's parts. A command of a turn takes one that a line before it made in
// the same words.
func (f *Fn) Fresh(owner *decl.Entity, sh *decl.Sheet, name string, rating lang.Expr, feats *lang.List, at lang.Span) *decl.Entity {
	if f.Again {
		for _, e := range f.W.Order {
			if e.Adhoc && e.Owner == owner && e.At == at {
				return e
			}
		}
		names := f.Names // self is whose tactics they are; what is made is made for all
		f.Names = nil
		defer func() { f.Names = names }()
	}
	words := name
	if rating != nil {
		words += " " + decl.Text(rating.Range())
	}
	if feats != nil {
		words += " " + decl.Text(feats.Span)
	}
	if f.Turn {
		for _, e := range f.W.Order {
			if e.Adhoc && e.Owner == owner && e.Sheet == sh && e.Words == words {
				f.Before = append(f.Before, e.Init)
				return e
			}
		}
	}
	e := layOut(f.W, sh, name, owner, at)
	owner.Parts = slices.Clip(owner.Parts[:len(owner.Parts)-1])
	e.Adhoc, e.Words = true, words
	b := &Builder{F: f, W: f.W, Init: &ir.Node{Op: ir.NSeq, At: at, Rule: -1}}
	var items []lang.Expr
	if rating != nil {
		items = append(items, rating)
	}
	if feats != nil {
		items = append(items, feats)
	}
	done := map[string]bool{}
	b.positional(e, items, done)
	b.fill(e, nil, nil, done)
	e.Init = b.Init
	f.Before = append(f.Before, b.Init)
	return e
}

// AdhocPart makes a part on the fly, for the stand-in.
func (f *Fn) AdhocPart(owner *decl.Entity, sh *decl.Sheet, name string, rating lang.Expr, feats *lang.List, at lang.Span) *decl.Entity {
	var fd *decl.Field
	for _, x := range owner.Sheet.Fields {
		if x.Sheet == sh.Name && x.Many {
			fd = x
		}
	}
	if fd == nil {
		f.Err(decl.ErrAt(at, "SP0529", "%s cannot have a %s", owner.Name, sh.Name))
		return nil
	}
	if old := owner.Part(name); old != nil && old.Adhoc {
		b := &Builder{F: f, W: f.W, Init: &ir.Node{Op: ir.NSeq, At: at, Rule: -1}}
		if r := sh.ByName["rating"]; r != nil && rating != nil {
			b.assign(old, r, rating)
		}
		f.Before = append(f.Before, b.Init)
		return old
	}
	b := &Builder{F: f, W: f.W, Init: &ir.Node{Op: ir.NSeq, At: at, Rule: -1}}
	var items []lang.Expr
	if rating != nil {
		items = append(items, rating)
	}
	if feats != nil {
		items = append(items, feats)
	}
	b.nested(owner, fd, name, at, items, nil)
	f.Before = append(f.Before, b.Init)
	if len(owner.Parts) == 0 {
		return nil
	}
	p := owner.Parts[len(owner.Parts)-1]
	p.Adhoc = true
	return p
}
