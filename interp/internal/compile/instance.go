package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// entity is a declared instance of a sheet: a character, a trait, a feature.
type entity struct {
	name  string // as shown
	sheet *sheet
	off   int
	owner *entity
	parts []*entity
	at    lang.Span
	adhoc bool // made on the fly for the stand-in

	script bool // declared by a script
}

func (e *entity) ref() V { return value.OfRef(e.off) }

// part finds a part of e by name: its own, or else one of its parts' when
// there is just one of that name.
func (e *entity) part(name string) *entity {
	for _, p := range e.parts {
		if code.SameName(p.name, name) {
			return p
		}
	}
	var found *entity
	for _, p := range e.parts {
		for _, q := range p.parts {
			if code.SameName(q.name, name) {
				if found != nil {
					return nil
				}
				found = q
			}
		}
	}
	return found
}

// layOut puts an instance of a sheet into the store, with the defaults that
// are constants.
func (w *World) layOut(sh *sheet, name string, owner *entity, at lang.Span) *entity {
	e := &entity{name: name, sheet: sh, off: len(*w.store), owner: owner, at: at}
	*w.store = append(*w.store, sh.typ.Template...)
	s := (*w.store)[e.off:]
	s[code.AtName] = w.Heap.OfText(name)
	if owner != nil {
		s[code.AtOwner] = owner.ref()
		owner.parts = append(slices.Clip(owner.parts), e)
	}
	w.byOff[e.off] = e
	w.order = append(w.order, e)
	w.Prog.Live = append(w.Prog.Live, e.off)
	for _, f := range w.every {
		if sh.is(f.on) {
			w.attach(e, f, nil)
		}
	}
	return e
}

// attach puts a feature on an instance and gives the feature's own instance.
func (w *World) attach(e *entity, f *sheet, init func(*entity)) *entity {
	fe := &entity{name: f.name, sheet: f, off: len(*w.store), owner: e, at: f.at}
	*w.store = append(*w.store, f.typ.Template...)
	s := (*w.store)[fe.off:]
	s[code.AtName] = w.Heap.OfText(f.name)
	if e != nil {
		s[code.AtOwner] = e.ref()
	}
	w.byOff[fe.off] = fe
	w.Prog.Live = append(w.Prog.Live, fe.off)
	if init != nil {
		init(fe)
	}
	if e != nil {
		at := e.off + code.AtFeatures
		l := append(slices.Clone(w.Heap.Elems((*w.store)[at])), fe.ref())
		(*w.store)[at] = w.Heap.OfList(l)
	}
	return fe
}

// builder makes one instance from a declaration.
type builder struct {
	f    *fn
	w    *World
	init *node // what sets the values, run when the line is reached

	// Of a declaration of a script, see parameter.go:
	command *lang.Command
	root    *entity // the first of those that it declares
	label   string  // the name it gives them
}

func display(name string) string { return strings.ReplaceAll(name, "_", " ") }

// instances lays out what a command such as `hero Valorus { … }` or
// `wolves Grey x2 { … }` declares and gives what sets the values.
func (f *fn) instances(sh *sheet, cmd *lang.Command) *node {
	w := f.w
	w.refers(cmd.Head.Range(), sh.at)
	args := cmd.Args
	if len(args) == 0 {
		f.err(errAt(cmd.Span, "%s needs a name", sh.name))
		return nothing(cmd.Span)
	}
	name := ""
	switch x := args[0].Expr.(type) {
	case *lang.Name:
		name = display(x.Name)
	case *lang.Text:
		name = plain(x)
	case *lang.Caps:
		name = x.Name
	default:
		d := errAt(args[0].Expr.Range(), "expected the name of the %s: a Capitalised word or a \"text\"", sh.name)
		if dotted, n := namePieces(exprsOf(args)); n > 0 && !isNumbered(args[0].Expr) {
			d.Help = inQuotes(dotted)
			args = nil
		} else if x, ok := args[0].Expr.(*lang.Binary); ok && x.Op == "-" && nameOf(x.X) != "" && nameOf(x.Y) != "" {
			d.Help = inQuotes(text(x.Range())) // Jean-Luc
		} else if x, ok := args[0].Expr.(*lang.Word); ok {
			d.Help = "write  " + sh.name + " " + lang.Capitalised(x.Name)
		}
		for _, a := range args {
			e := a.Expr
			if r, ok := e.(*lang.Rated); ok {
				e = r.X
			}
			if _, ok := e.(*lang.Name); ok {
				d.Help = fmt.Sprintf("write what it has in braces, after its name:  %s %s { … }", sh.name, text(e.Range()))
				break
			}
		}
		return f.notDeclared(cmd, d)
	}
	if strings.TrimSpace(name) == "" {
		return f.notDeclared(cmd, errAt(args[0].Expr.Range(), "the name of the %s is empty", sh.name))
	}
	if whole, n := namePieces(exprsOf(args)); n > 1 {
		at := args[0].Expr.Range()
		at.End = args[n-1].Expr.Range().End
		d := errAt(at, "expected one name of the %s here", sh.name)
		d.Help = inQuotes(whole)
		return f.notDeclared(cmd, d)
	}
	if old := w.entities[name]; old != nil {
		f.err(errTwice(name, args[0].Expr.Range(), old.at))
		return nothing(cmd.Span)
	}
	n, rest, several := 1, args[1:], false
	count := args[0].Expr.Range()
	count.Start = count.End
	if len(rest) > 0 {
		k, ok, d := f.times(rest[0].Expr)
		if d != nil {
			f.err(d)
			k = 1
		} else if ok && (k < 1 || k > 1000) {
			return f.notDeclared(cmd, errAt(rest[0].Expr.Range(), "there can be 1 to 1000 of them"))
		}
		if ok {
			_, counted := rest[0].Expr.(*lang.Call)
			n, rest, count, several = k, rest[1:], rest[0].Expr.Range(), k > 1 || counted
		}
	}
	b := &builder{f: f, w: w, init: &node{op: nSeq, at: cmd.Span, rule: -1}, label: name}
	if f.coll != nil && f.coll.isScript {
		b.command = cmd
	}
	at := args[0].Expr.Range()
	var all []*entity
	wrong := false // with the first
	for i := 1; i <= n; i++ {
		shown := name
		if several {
			shown = fmt.Sprintf("%s %d", name, i)
		}
		e := w.layOut(sh, shown, nil, at)
		e.script = b.command != nil
		all = append(all, e)
		w.entities[shown] = e
		f.made = append(f.made, e)
		if b.root == nil {
			b.root = e
		}
		said := len(f.diags)
		done := map[string]bool{}
		b.fill(e, rest, cmd.Block, done)
		if i == 1 {
			b.lacking(e, at, done)
			wrong = len(f.diags) > said
		} else if wrong {
			f.diags = f.diags[:said] // it has been said
		}
	}
	b.declares(count)
	if several {
		w.groups[name] = all
		g := code.Group{Name: name}
		for _, e := range all {
			g.Offs = append(g.Offs, e.off)
		}
		w.Prog.Groups = append(w.Prog.Groups, g)
		w.entities[name] = nil
		delete(w.entities, name)
	}
	return b.init
}

// notDeclared tells why somebody could not be declared; whoever it was counts as known from
// here on.
func (f *fn) notDeclared(cmd *lang.Command, d *lang.Diagnostic) *node {
	f.err(d)
	f.coll.undeclared(cmd)
	return nothing(cmd.Span)
}

// isNumbered says whether an expression is a name with a number behind it.
func isNumbered(e lang.Expr) bool {
	_, ok := e.(*lang.Rated)
	return ok
}

// times reads "x3" and "x(n)", where n is known before the script runs. What is counted
// with x( ) is a group, also of one, so that its names do not depend on the count.
func (f *fn) times(e lang.Expr) (n int, ok bool, d *lang.Diagnostic) {
	switch e := e.(type) {
	case *lang.Word:
		if len(e.Name) < 2 || e.Name[0] != 'x' {
			return 0, false, nil
		}
		n, err := strconv.Atoi(e.Name[1:])
		return n, err == nil, nil
	case *lang.Call:
		if !isWord(e.Fn, "x") || len(e.Args) != 1 || f.coll == nil {
			return 0, false, nil
		}
		v, d := f.coll.known(e.Args[0])
		if d == nil && !v.IsInt() {
			d = errAt(e.Args[0].Range(), "expected a whole number here, not %s", f.w.Heap.Show(v, nil))
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
func (b *builder) fill(e *entity, args []lang.Arg, block *lang.Block, done map[string]bool) {
	if done == nil {
		done = map[string]bool{}
	}
	b.pairs(e, exprsOf(args), done)
	if block != nil {
		for _, st := range block.Stmts {
			b.stmt(e, st, done)
		}
	}
	for _, fd := range e.sheet.fields {
		if mf := &e.sheet.typ.Fields[fd.index]; !mf.Const && !done[fd.name] && fd.def != nil {
			b.f.selves = append(b.f.selves, self{ent: e, sheet: e.sheet})
			n := b.f.setDefault(fd, constRef(e, fd.decl.Span))
			n.b = 1
			b.f.selves = b.f.selves[:len(b.f.selves)-1]
			b.init.kids = append(b.init.kids, n)
		}
	}
}

func constRef(e *entity, at lang.Span) *node {
	return &node{op: nConst, v: e.ref(), at: at, rule: -1}
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
func (b *builder) stmt(e *entity, st lang.Stmt, done map[string]bool) {
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
	d := errAt(st.Range(), "expected an entry of the sheet, such as  star 3  or  AIM 4")
	if set, ok := st.(*lang.Assign); ok && set.Op == "=" {
		d.Help = "a sheet has no = between a word and its value:  " + text(set.Target.Range()) + " " + text(set.Value.Range())
	}
	b.f.err(d)
}

// entry reads one entry: WORD values, or NAME rating [features] word value ….
func (b *builder) entry(e *entity, items []lang.Expr, block *lang.Block, done map[string]bool) {
	if len(items) == 0 {
		return
	}
	switch head := items[0].(type) {
	case *lang.Caps, *lang.Rated:
		fd := e.sheet.capsField()
		if fd == nil {
			b.f.err(errAt(head.Range(), "%s has no traits of its own", aOrAn(e.sheet.name)))
			return
		}
		if r, ok := head.(*lang.Rated); ok {
			items = append([]lang.Expr{r.X, r.Rating}, items[1:]...)
		}
		b.nested(e, fd, nameOf(items[0]), items[0].Range(), items[1:], block)
	case *lang.Word:
		if fd := e.sheet.byName[head.Name]; fd != nil && !b.isNested(fd) {
			b.set(e, fd, head, items[1:], done)
			if block != nil {
				b.f.err(errAt(block.Span, "%s takes no block { … }", head.Name))
			}
			return
		}
		if fd := e.sheet.asField(head.Name); fd != nil {
			b.part(e, fd, head, items[1:], block)
			return
		}
		d := errEntry(e.sheet, head, items[1:])
		if _, many, _ := b.f.times(head); many && e.owner == nil {
			d.Help = "how many there are stands before the braces:  " + head.Name + " { … }"
		}
		b.f.err(d)
	default:
		d := errAt(items[0].Range(), "expected an entry of the sheet: %s", e.sheet.entryWords())
		d.Help = e.sheet.ratingOf(items[0])
		b.f.err(d)
	}
}

func (b *builder) isNested(fd *field) bool {
	return fd.many && b.w.sheets[fd.sheet] != nil && fd.as != ""
}

func (s *sheet) capsField() *field {
	for _, f := range s.fields {
		if f.as == "CAPS" {
			return f
		}
	}
	return nil
}

func (s *sheet) asField(word string) *field {
	for _, f := range s.fields {
		if f.as == word {
			return f
		}
	}
	return nil
}

// part reads an entry that makes a nested instance named by a text or word.
func (b *builder) part(e *entity, fd *field, head *lang.Word, items []lang.Expr, block *lang.Block) {
	name := head.Name
	at := head.Span
	if len(items) > 0 {
		if small := smallDie(nameOf(items[0])); small != "" {
			d := errAt(items[0].Range(), "%s is no die", nameOf(items[0]))
			d.Help = "dice are written small:  " + small
			b.f.err(d)
			return
		}
		switch x := items[0].(type) {
		case *lang.Text, *lang.Caps, *lang.Name:
			name, at = nameOf(x), x.Range()
			items = items[1:]
		case *lang.Rated:
			name, at = nameOf(x.X), x.X.Range()
			items = append([]lang.Expr{x.Rating}, items[1:]...)
		}
	}
	b.nested(e, fd, name, at, items, block)
}

// nested makes a part of e in its field fd.
func (b *builder) nested(e *entity, fd *field, name string, at lang.Span, items []lang.Expr, block *lang.Block) {
	sh := b.w.sheets[fd.sheet]
	if sh == nil {
		b.f.err(errAt(fd.typ.Span, "there is no sheet %s", fd.sheet))
		return
	}
	for _, old := range e.parts {
		if old.name == name && old.sheet == sh {
			b.f.err(errTwice(name, at, old.at))
			return
		}
	}
	b.w.refersToField(e.sheet, fd.name, at)
	b.w.refers(at, sh.at)
	p := b.w.layOut(sh, name, e, at)
	slot := e.off + code.Header + fd.index
	if fd.many {
		l := append(slices.Clone(b.w.Heap.Elems((*b.w.store)[slot])), p.ref())
		(*b.w.store)[slot] = b.w.Heap.OfList(l)
	} else {
		(*b.w.store)[slot] = p.ref()
	}
	done := map[string]bool{}
	items = b.positional(p, items, done)
	b.pairs(p, items, done)
	b.fill(p, nil, block, done)
	if block == nil && !done["rating"] && (fd.as == "CAPS" || name == fd.as) {
		b.unrated(p)
	}
}

// positional fills a part's fields with the arguments that come before any
// word: a rating goes to the field named rating, others to the first fields.
func (b *builder) positional(p *entity, items []lang.Expr, done map[string]bool) []lang.Expr {
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
		fd := p.sheet.byName["rating"]
		if fd == nil || done["rating"] {
			for next < len(p.sheet.fields) && (done[p.sheet.fields[next].name] || p.sheet.fields[next].many) {
				next++
			}
			if next == len(p.sheet.fields) {
				b.f.err(errAt(items[0].Range(), "%s takes no more values", p.name))
				return nil
			}
			fd = p.sheet.fields[next]
		}
		done[fd.name] = true
		b.w.refersToField(p.sheet, fd.name, items[0].Range())
		if r, ok := items[0].(*lang.Rated); ok && capsRated(r) && p.name == strings.ToUpper(p.name) {
			d := errAt(r.Span, "%s with a rating can only be an operand of a verb", nameOf(r.X))
			d.Help = "put a comma before it if it is an entry of its own; the words of one trait are joined by _:  " + p.name + "_" + text(r.Span)
			b.f.err(d)
			return nil
		}
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
func (b *builder) pairs(e *entity, items []lang.Expr, done map[string]bool) {
	for len(items) > 0 {
		if l, ok := items[0].(*lang.List); ok {
			b.features(e, l)
			items = items[1:]
			continue
		}
		head, ok := items[0].(*lang.Word)
		if !ok {
			d := errAt(items[0].Range(), "expected one of: %s", e.sheet.entryWords())
			if d.Help = withoutColon(items[0]); d.Help == "" && e.owner == nil && e.sheet.ratingOf(items[0]) != "" {
				d.Help = "write what it has in braces, after its name:  { rating " + text(items[0].Range()) + " }"
			}
			b.f.err(d)
			return
		}
		fd := e.sheet.byName[head.Name]
		if fd == nil {
			d := errEntry(e.sheet, head, items[1:])
			if feat := b.w.features[head.Name]; feat != nil && e.sheet.is(feat.on) {
				d.Help = "write a feature in brackets:  [" + head.Name + "]"
			} else if e.owner != nil && (e.owner.sheet.byName[head.Name] != nil || e.owner.sheet.asField(head.Name) != nil) {
				if d.Help = "it is an entry of its own: put a comma before it"; e.owner.sheet.asField(e.name) != nil {
					all := lang.Span{Src: head.Src, Start: head.Start, End: items[len(items)-1].Range().End}
					d.Help = "it is an entry of its own: leave " + e.name + " out:  " + text(all)
				}
			}
			b.f.err(d)
			return
		}
		items = items[1:]
		n := 0
		for n < len(items) {
			if w, ok := items[n].(*lang.Word); ok && e.sheet.byName[w.Name] != nil && !fd.takesWord(w.Name) {
				break
			}
			n++
			if e.sheet.typ.Fields[fd.index].Check != code.IsList {
				break
			}
		}
		if fd.typ.Name.Name == "truth" && n > 0 && !isTruthWord(items[0]) {
			n = 0
		}
		b.set(e, fd, head, items[:n], done)
		items = items[n:]
	}
}

func (f *field) takesWord(name string) bool {
	for _, id := range f.typ.OneOf {
		if id.Name == name {
			return true
		}
	}
	return false
}

func isTruthWord(e lang.Expr) bool { return isWord(e, "yes") || isWord(e, "no") }

// set puts the values of an entry into a field.
func (b *builder) set(e *entity, fd *field, head *lang.Word, vals []lang.Expr, done map[string]bool) {
	mf := &e.sheet.typ.Fields[fd.index]
	b.w.refersToField(e.sheet, fd.name, head.Span)
	if fd.typ.Name.Name == "features" {
		for _, v := range vals {
			l, ok := v.(*lang.List)
			if !ok {
				l = &lang.List{Span: v.Range(), Elems: []lang.Expr{v}}
			}
			at := e.off + code.Header + fd.index
			refs := slices.Clone(b.w.Heap.Elems((*b.w.store)[at]))
			for _, x := range l.Elems {
				if fe := b.feature(e, x); fe != nil {
					refs = append(refs, fe.ref())
				}
			}
			(*b.w.store)[at] = b.w.Heap.OfList(refs)
		}
		return
	}
	if mf.Check == code.IsList {
		b.setList(e, fd, vals, done)
		return
	}
	if done[fd.name] {
		b.f.err(errAt(head.Span, "%s is given twice", fd.name))
		return
	}
	done[fd.name] = true
	switch {
	case len(vals) == 1:
		b.assign(e, fd, vals[0])
	case len(vals) == 0 && fd.typ.Name.Name == "truth":
		b.store(e, fd, &node{op: nConst, v: value.Yes, at: head.Span, rule: -1})
	case len(vals) == 0:
		b.f.err(errAt(head.Span, "%s needs a value", fd.name))
	default:
		d := errAt(vals[1].Range(), "%s takes one value", fd.name)
		if d.Help = fd.inMap(vals); d.Help == "" && len(vals) == 2 && wordOf(vals[0]) != "" && isRating(vals[1]) {
			d.Help = "leave " + text(vals[0].Range()) + " out:  " + fd.name + " " + text(vals[1].Range())
		}
		b.f.err(d)
	}
}

func (b *builder) setList(e *entity, fd *field, vals []lang.Expr, done map[string]bool) {
	list := &node{op: nList, at: e.at, rule: -1}
	var all []*node
	for _, v := range vals {
		n := b.value(e, fd, v)
		if n.op == nList {
			all = append(all, n.kids...)
		} else if n.op == nConst && n.v.Kind() == value.List {
			written, _ := v.(*lang.List)
			elems := b.w.Heap.Elems(n.v)
			for i, x := range elems {
				at := n.at
				if written != nil && len(written.Elems) == len(elems) {
					at = written.Elems[i].Range()
				}
				all = append(all, &node{op: nConst, v: x, at: at, rule: -1})
			}
		} else {
			all = append(all, n)
		}
	}
	list.kids = all
	obj := constRef(e, e.at)
	val := fold(&b.w.Unit, list)
	for _, n := range all {
		if n.op != nConst {
			continue
		}
		if msg := b.w.misfit(e.sheet, fd, b.w.Heap.OfList([]V{n.v})); msg != "" {
			b.f.err(errAt(n.at, "%s of %s: %s", fd.name, e.name, msg))
			return
		}
	}
	if val.op == nConst {
		said := b.w.Prog.Stated[e.off+code.Header+fd.index] // by a line before, as in  bdh d8; bdh d10
		if all := val.v; !done[fd.name] {
			b.states(e, fd, all)
		} else if said.Kind() == value.List {
			b.states(e, fd, b.w.Heap.OfList(slices.Concat(b.w.Heap.Elems(said), b.w.Heap.Elems(all))))
		}
	}
	if done[fd.name] {
		val = &node{op: nBin, a: int(code.Add), at: e.at, rule: -1, kids: []*node{{op: nField, a: fd.sym, kids: []*node{obj}, at: e.at, rule: -1}, val}}
	}
	done[fd.name] = true
	b.init.kids = append(b.init.kids, &node{op: nSetField, a: fd.sym, b: 1, kids: []*node{obj, val}, at: e.at, rule: -1})
}

// words resolves what an entry gives to a list of words or texts; nil if it is neither
// a list nor a word.
func (b *builder) words(fd *field, x lang.Expr) *node {
	l, ok := x.(*lang.List)
	if !ok {
		l = &lang.List{Span: x.Range(), Elems: []lang.Expr{x}}
	}
	out := &node{op: nList, at: l.Span, rule: -1}
	for _, x := range l.Elems {
		var word string
		switch x := x.(type) {
		case *lang.Word:
			if !ok && b.f.knownWord(x) != nil {
				return nil // a variable that holds a list
			}
			word = x.Name
		case *lang.Caps, *lang.Name, *lang.Text:
			if word = nameOf(x); fd.typ.Of.Name == "word" {
				word = asWord(word)
			}
		case *lang.Num, *lang.Dice:
			b.f.err(errAt(x.Range(), "%s takes words, as in  %s [one, two]", fd.name, fd.name))
			return b.f.constant(value.None, x.Range())
		}
		if word == "" {
			return nil
		}
		out.kids = append(out.kids, &node{op: nConst, v: b.w.Heap.OfText(word), at: x.Range(), rule: -1})
	}
	return fold(&b.w.Unit, out)
}

// noSymbol reports a word in a field for words that no rule knows.
func (b *builder) noSymbol(fd *field, w *lang.Word) *lang.Diagnostic {
	d := errAt(w.Span, "%s: no rule knows the word %s", fd.name, w.Name)
	suggest(d, w.Name, keysOf(b.w.symbols))
	return d
}

// value resolves what an entry gives to a field; bare words are words.
func (b *builder) value(e *entity, fd *field, x lang.Expr) *node {
	if fd.ofWords() {
		if n := b.words(fd, x); n != nil {
			return n
		}
	}
	if w, ok := x.(*lang.Word); ok {
		mf := &e.sheet.typ.Fields[fd.index]
		if fd.decl != nil && fd.takesWord(w.Name) {
			b.w.refersToWord(w.Name, w.Span, fd.decl.Span)
		}
		switch {
		case mf.Check == code.InWords || mf.Check == code.IsSpan || fd.typ.Name.Name == "symbol":
			switch w.Name {
			case "yes":
				return &node{op: nConst, v: value.Yes, at: w.Span, rule: -1}
			case "no":
				return &node{op: nConst, v: value.No, at: w.Span, rule: -1}
			case "none":
				return &node{op: nConst, v: value.None, at: w.Span, rule: -1}
			}
			if fd.typ.Name.Name == "symbol" && !b.w.symbols[w.Name] {
				b.f.err(b.noSymbol(fd, w))
			}
			return &node{op: nConst, v: b.w.Heap.OfSymbol(w.Name), at: w.Span, rule: -1}
		case fd.typ.Name.Name == "text" || fd.typ.Name.Name == "word":
			return &node{op: nConst, v: b.w.Heap.OfText(w.Name), at: w.Span, rule: -1}
		}
	}
	if m, ok := x.(*lang.Map); ok {
		b.f.selves = append(b.f.selves, self{ent: e, sheet: e.sheet})
		n := b.f.mapLiteral(m, true)
		b.f.selves = b.f.selves[:len(b.f.selves)-1]
		return n
	}
	if c, ok := x.(*lang.Caps); ok && fd.sheet != "" {
		for o := e; o != nil; o = o.owner {
			if p := o.part(c.Name); p != nil {
				return constRef(p, c.Span)
			}
		}
	}
	if c, ok := x.(*lang.Caps); ok && fd.sheet == "" {
		return &node{op: nConst, v: b.w.Heap.OfText(c.Name), at: c.Span, rule: -1}
	}
	if t, ok := x.(*lang.Text); ok && fd.sheet != "" && b.w.entities[plain(t)] != nil {
		return constRef(b.w.entities[plain(t)], t.Span)
	}
	b.f.selves = append(b.f.selves, self{ent: e, sheet: e.sheet})
	n := b.f.expr(x)
	b.f.selves = b.f.selves[:len(b.f.selves)-1]
	return n
}

func (b *builder) assign(e *entity, fd *field, x lang.Expr) {
	b.wrote(e, fd, x.Range())
	b.store(e, fd, b.value(e, fd, x))
}

// store sets a field when the line is reached; a constant is checked now.
func (b *builder) store(e *entity, fd *field, v *node) {
	if v.op == nConst {
		if msg := b.w.misfit(e.sheet, fd, v.v); msg != "" {
			d := errAt(v.at, "%s of %s: %s", fd.name, e.name, msg)
			if mf := &e.sheet.typ.Fields[fd.index]; mf.Check == code.IsDie && v.v.Kind() == value.List {
				d.Help = b.oneDie(e, v.v)
			} else if mf.Check == code.IsDie && v.v.IsInt() {
				d.Help = "a rating is a die here:  d" + b.w.Heap.Show(v.v, nil)
				if e.owner != nil && e.owner.sheet.described(e.name) != nil {
					d.Help = "write  " + e.owner.sheet.described(e.name).name + " " + b.w.Heap.Show(v.v, nil)
				}
			}
			b.f.err(d)
			return
		}
		b.w.initial[fieldAt{e.off, fd.sym}] = v.v
		b.states(e, fd, v.v)
		if mf := &e.sheet.typ.Fields[fd.index]; b.command != nil && v.v != mf.Default && e.owner == nil {
			b.f.coll.stated = append(b.f.coll.stated, stated{e.sheet, fd, quoteName(e.name) + "." + fd.name, v.at})
		}
	}
	b.init.kids = append(b.init.kids, &node{op: nSetField, a: fd.sym, b: 1, kids: []*node{constRef(e, v.at), v}, at: v.at, rule: -1})
}

// states notes what a sheet says of a field with a lifetime.
func (b *builder) states(e *entity, fd *field, v V) {
	if mf := &e.sheet.typ.Fields[fd.index]; mf.Per >= 0 && v != mf.Default {
		b.w.Prog.Stated[e.off+code.Header+fd.index] = v
	}
}

// oneDie says what to write for several dice in a field for one: that die, and how many of
// it where the sheet counts them in the only field of its own for a number.
func (b *builder) oneDie(e *entity, dice V) string {
	all := b.w.Heap.Elems(dice)
	if len(all) == 0 || all[0].Kind() != value.Die {
		return ""
	}
	die := b.w.Heap.Show(all[0], nil)
	for _, fd := range e.sheet.fields {
		if name := fd.typ.Name.Name; name == "whole" && !slices.ContainsFunc(all, func(d V) bool { return d != all[0] }) {
			return fmt.Sprintf("write  %s %s %d", die, fd.name, len(all))
		}
	}
	return "write one die:  " + die
}

// misfit says why a constant does not fit a field, "" when it does.
func (w *World) misfit(sh *sheet, fd *field, v V) string {
	mf := w.typeField(sh, fd)
	if mf.Check == code.IsSheet {
		if s := w.sheets[fd.sheet]; s != nil {
			mf.Type = s.typ
		}
	}
	m := machine.Machine{Prog: w.Prog, Heap: w.Heap, Store: *w.store, MaxSize: 1 << 20}
	return m.Misfit(&mf, v)
}

// features attaches the features of a bracketed list.
func (b *builder) features(e *entity, l *lang.List) {
	for _, x := range l.Elems {
		b.feature(e, x)
	}
}

// example is what the value of a parameter could look like.
func example(p *field) string {
	switch p.typ.Name.Name {
	case "number":
		return "2"
	case "text":
		return `"…"`
	}
	return "…"
}

func (b *builder) feature(e *entity, x lang.Expr) *entity {
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
		d := errAt(x.Range(), "expected the name of a feature here")
		if low := strings.ToLower(nameOf(x)); b.w.features[low] != nil {
			d.Help = "did you mean " + low + "?"
		}
		if hyphened := strings.ReplaceAll(x.Range().Src.Text[x.Range().Start:x.Range().End], "-", "_"); b.w.features[hyphened] != nil {
			d.Help = "did you mean " + hyphened + "?"
		}
		b.f.err(d)
		return nil
	}
	sh := b.w.features[word.Name]
	if sh == nil {
		d := b.noFeature(word, args)
		if d.Help == "" && e != nil {
			if names := b.featuresFor(e.sheet); len(names) > 0 {
				d.Help = "features of a " + e.sheet.name + ": " + strings.Join(names, ", ")
			}
		}
		b.f.err(d)
		return nil
	}
	if e != nil && !e.sheet.is(sh.on) {
		b.f.err(errAt(word.Span, "%s goes on a %s, and %s is a %s", word.Name, sh.on, e.name, e.sheet.name))
		return nil
	}
	b.w.refers(x.Range(), sh.at)
	if len(args) > len(sh.params) {
		b.f.err(errAt(args[len(sh.params)].Range(), "%s takes %s", word.Name, things(len(sh.params))))
		return nil
	}
	return b.w.attach(e, sh, func(fe *entity) {
		b.f.made = append(b.f.made, fe)
		for i, p := range sh.params {
			switch {
			case i < len(args):
				b.assign(fe, p, args[i])
			case p.def != nil:
				b.assign(fe, p, p.def)
			default:
				d := errAt(x.Range(), "%s needs its %s", word.Name, strings.ReplaceAll(p.name, "_", " "))
				d.Help = "write  " + word.Name + " " + example(p)
				b.f.err(d)
			}
		}
		for _, fd := range sh.fields[len(sh.params):] {
			if mf := &sh.typ.Fields[fd.index]; !mf.Const && fd.def != nil {
				b.f.selves = append(b.f.selves, self{ent: fe, sheet: sh})
				n := b.f.setDefault(fd, constRef(fe, fd.decl.Span))
				n.b = 1
				b.f.selves = b.f.selves[:len(b.f.selves)-1]
				b.init.kids = append(b.init.kids, n)
			}
		}
	})
}

// featuresFor lists the features that a sheet can have.
func (b *builder) featuresFor(sh *sheet) []string {
	var names []string
	for _, name := range featureNames(b.w) {
		if sh.is(b.w.features[name].on) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// noFeature reports a feature that nobody has declared; its name may be several words that
// only lack their _.
func (b *builder) noFeature(word *lang.Word, args []lang.Expr) *lang.Diagnostic {
	id := lang.Ident{Span: word.Span, Name: word.Name}
	joined := id
	for _, a := range args {
		next := wordOf(a)
		if next == "" {
			break
		}
		joined.Name, joined.End = joined.Name+"_"+next, a.Range().End
		if b.w.features[joined.Name] != nil {
			d := errAt(joined.Span, "there is no feature %s", text(joined.Span))
			d.Help = "its words are joined by _:  " + joined.Name
			return d
		}
	}
	return errUnknown("feature", id, featureNames(b.w))
}

// withoutColon says how to write an entry that has a colon:  AIM: 3.
func withoutColon(x lang.Expr) string {
	name, value, ok := strings.Cut(strings.Trim(text(x.Range()), "{} "), ":")
	if !ok {
		return ""
	}
	return "without the colon:  " + strings.TrimSpace(name) + " " + strings.TrimSpace(value)
}

// ratingOf says how a sheet that has a rating of its own takes dice or a number that stand
// alone in it.
func (s *sheet) ratingOf(e lang.Expr) string {
	if s.byName["rating"] == nil || !isRating(e) {
		return ""
	}
	return "write  rating " + text(e.Range())
}

// entryWords lists what may be said of a sheet.
func (s *sheet) entryWords() string {
	var words []string
	for _, f := range s.fields {
		switch {
		case f.as == "CAPS":
			words = append(words, "TRAITS")
		case f.as != "":
			words = append(words, f.as)
		default:
			words = append(words, f.name)
		}
	}
	if len(words) > 12 {
		words = append(words[:12], "…")
	}
	return strings.Join(words, ", ")
}

// actingStandIn gives the instance that acts when nobody was named, and what
// makes it if it is not there yet.
func (f *fn) actingStandIn(at lang.Span) *entity {
	w := f.w
	if w.standIn == nil {
		f.err(errAt(at, "who does this? write  Name: …"))
		return nil
	}
	sh := w.sheets[w.standIn.sheet.Name]
	if sh == nil {
		return nil // which has been reported
	}
	var all []*entity
	for _, e := range w.order {
		if e.sheet.is(sh.name) && e.owner == nil && e != w.standIn.ent {
			all = append(all, e)
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		f.err(errWho(at, all))
		return all[0]
	}
	if w.standIn.ent != nil {
		return w.standIn.ent
	}
	e := w.layOut(sh, w.standIn.name, nil, at)
	e.adhoc = true
	w.standIn.ent = e
	w.entities[e.name] = e
	b := &builder{f: f, w: w, init: &node{op: nSeq, at: at, rule: -1}}
	b.fill(e, nil, nil, nil)
	f.before = append(f.before, b.init)
	return e
}

// fresh makes an instance that a command names and makes for itself. It is
// owner's, but not among owner's parts.
func (f *fn) fresh(owner *entity, sh *sheet, name string, rating lang.Expr, feats *lang.List, at lang.Span) *entity {
	e := f.w.layOut(sh, name, owner, at)
	owner.parts = slices.Clip(owner.parts[:len(owner.parts)-1])
	e.adhoc = true
	b := &builder{f: f, w: f.w, init: &node{op: nSeq, at: at, rule: -1}}
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
	f.before = append(f.before, b.init)
	return e
}

// adhocPart makes a part on the fly, for the stand-in.
func (f *fn) adhocPart(owner *entity, sh *sheet, name string, rating lang.Expr, feats *lang.List, at lang.Span) *entity {
	var fd *field
	for _, x := range owner.sheet.fields {
		if x.sheet == sh.name && x.many {
			fd = x
		}
	}
	if fd == nil {
		f.err(errAt(at, "%s cannot have a %s", owner.name, sh.name))
		return nil
	}
	if old := owner.part(name); old != nil && old.adhoc {
		b := &builder{f: f, w: f.w, init: &node{op: nSeq, at: at, rule: -1}}
		if r := sh.byName["rating"]; r != nil && rating != nil {
			b.assign(old, r, rating)
		}
		f.before = append(f.before, b.init)
		return old
	}
	b := &builder{f: f, w: f.w, init: &node{op: nSeq, at: at, rule: -1}}
	var items []lang.Expr
	if rating != nil {
		items = append(items, rating)
	}
	if feats != nil {
		items = append(items, feats)
	}
	b.nested(owner, fd, name, at, items, nil)
	f.before = append(f.before, b.init)
	if len(owner.parts) == 0 {
		return nil
	}
	p := owner.parts[len(owner.parts)-1]
	p.adhoc = true
	return p
}
