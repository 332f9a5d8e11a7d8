package sheetfile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"setpiece/lang/late"
)

// The keys of a sheet that are no entries. Where a sheet has a field of that name, the key is the field.
const (
	keySheet    = "sheet"    // which sheet it is
	keyName     = "name"     // who or what it is the sheet of
	keyCopies   = "copies"   // how many there are
	keyStock    = "stock"    // who in stock it is
	keyFeatures = "features" // what a script writes in brackets
)

// traitKey is the form of a key that is a trait, perhaps of one letter.
const traitKey = `^\p{Lu}[\p{Lu}\p{N}_]*$`

// Commands reads a file of sheets as the commands that declare them in a script. Those in lost
// cannot be declared; the mistakes say why.
func Commands(w *decl.World, src *lang.Source) (out, lost []*lang.Command, diags lang.Diagnostics) {
	r := &reader{w: w}
	if len(src.Page()) > maxFile {
		r.err(lang.Span{Src: src}, "SP0531", "%s is longer than %d KiB", src.Name, maxFile>>10)
		return nil, nil, r.diags
	}
	var nodes []*Node
	if isPage(path.Base(src.Name)) {
		nodes, r.diags = readTables(w, src)
	} else {
		nodes, r.diags = readYAML(src)
	}
	if r.diags.Errors() {
		return nil, nil, r.diags
	}
	for _, n := range nodes {
		for _, sheet := range r.sheets(n) {
			switch c, ok := r.sheet(sheet); {
			case ok:
				out = append(out, c)
			case c != nil:
				lost = append(lost, c)
			}
		}
	}
	return out, lost, r.diags
}

// reader makes commands of nodes.
type reader struct {
	w     *decl.World
	diags lang.Diagnostics
}

func (r *reader) err(at lang.Span, code, format string, args ...any) *lang.Diagnostic {
	d := decl.ErrAt(at, code, format, args...)
	r.diags = append(r.diags, d)
	return d
}

// sheets gives the sheets of a document: a list, a map with the key sheets, or one sheet.
func (r *reader) sheets(n *Node) []*Node {
	if n.Kind == List {
		return n.Kids
	}
	if n.Kind != Map || n.get(keySheet) != nil {
		return []*Node{n}
	}
	var all []*Node
	for i, k := range n.Keys {
		switch v := n.Kids[i]; k.Text {
		case "system":
			r.system(v)
		case "sheets":
			if v.Kind != List {
				r.err(v.Span, "SP0532", "expected a list of sheets here")
				continue
			}
			all = append(all, v.Kids...)
		case "$schema":
		default:
			d := r.err(k.Span, "SP0533", "a file of sheets has no key %s", k.Text)
			decl.Suggest(d, k.Text, []string{"system", "sheets", keySheet})
		}
	}
	return all
}

// system looks whether the sheets are for a system in use.
func (r *reader) system(n *Node) {
	name, version, _ := strings.Cut(n.Text, " ")
	for _, m := range r.w.Modules {
		if m.Name == name && (version == "" || decl.Fits(m.Version, version)) {
			return
		}
	}
	r.err(n.Span, "SP0534", "these sheets are for %s, which is not in use", n.Text).Help = "use " + n.Text
}

// sheet makes a command of a sheet. Where that is not possible there is perhaps one with the name only.
func (r *reader) sheet(n *Node) (c *lang.Command, ok bool) {
	if n.Kind != Map {
		r.err(n.Span, "SP0535", "expected a sheet here, as in  sheet: SHEET, name: NAME")
		return nil, false
	}
	kind, name := n.get(keySheet), n.get(keyName)
	if name != nil && name.Kind == Scalar {
		c = &lang.Command{Span: n.Span, Args: one(text(name, decl.Display(name.Text))), Block: &lang.Block{Span: n.Span}}
	}
	switch {
	case kind == nil || kind.Kind != Scalar:
		r.err(n.Span, "SP0536", "which sheet is it?").Help = "write  sheet: " + strings.Join(r.topSheets(), " or ")
		return c, false
	case r.w.Sheets[kind.Text] == nil:
		r.diags = append(r.diags, decl.ErrUnknown("sheet", ident(kind), r.topSheets()))
		return c, false
	case c == nil:
		r.err(kind.Span, "SP0537", "the %s needs a name", kind.Text).Help = "write  name: Ann"
		return nil, false
	}
	c.Head = &lang.Word{Span: kind.Span, Name: kind.Text}
	sh := r.w.Sheets[kind.Text]
	if stock := n.get(keyStock); stock != nil && sh.ByName[keyStock] == nil {
		if stock.Kind != Scalar {
			r.err(stock.Span, "SP0542", "expected a value here, in one line")
			return c, false
		}
		if k := r.w.InStock(stock.Text); k != nil && k.Sheet.Name != kind.Text {
			r.err(kind.Span, "SP0555", "%s in stock has the sheet %s, not %s", k.Name, k.Sheet.Name, kind.Text)
			return c, false
		}
		c.Head = &lang.Word{Span: stock.Span, Name: decl.TakesStock}
		if stock.Text != name.Text {
			c.Args = append(c.Args, lang.Arg{Expr: &lang.Word{Span: stock.Span, Name: "as"}}, lang.Arg{Expr: text(stock, decl.Display(stock.Text))})
		}
	}
	if copies := n.get(keyCopies); copies != nil && sh.ByName[keyCopies] == nil {
		c.Args = append(c.Args, r.copies(copies)...)
	}
	r.entries(c, sh, n, keySheet, keyName, keyCopies, keyStock)
	return c, true
}

// topSheets lists the sheets that scripts write, without the parts of others.
func (r *reader) topSheets() []string {
	return slices.DeleteFunc(decl.SheetNames(r.w), func(name string) bool {
		return r.w.IsPart(name) || r.w.Sheets[name].Record
	})
}

func (r *reader) copies(n *Node) []lang.Arg {
	if k, err := strconv.Atoi(n.Text); err != nil || k < 1 {
		r.err(n.Span, "SP0538", "expected how many there are: a whole number from 1 on")
		return nil
	} else if k == 1 { // a group all the same
		x := &lang.Call{Span: n.Span, Fn: &lang.Word{Span: n.Span, Name: "x"}, Args: []lang.Expr{&lang.Num{Span: n.Span, Text: "1"}}}
		return []lang.Arg{{Expr: x}}
	}
	return []lang.Arg{{Expr: &lang.Word{Span: n.Span, Name: "x" + n.Text}}}
}

// entries puts the entries of a node into a command, but for the keys besides.
func (r *reader) entries(c *lang.Command, sh *decl.Sheet, n *Node, besides ...string) {
	for i, k := range n.Keys {
		v := n.Kids[i]
		switch fd, as := sh.ByName[k.Text], sh.AsField(k.Text); {
		case fd != nil && !r.nests(fd):
			if v.Kind == Null {
				continue
			}
			said := len(r.diags)
			if args := r.values(fd, v); len(r.diags) == said {
				r.add(c, k, v, &lang.Word{Span: k.Span, Name: k.Text}, args)
			}
		case slices.Contains(besides, k.Text):
		case k.Text == keyFeatures:
			c.Args = append(c.Args, lang.Arg{Expr: r.features(v)})
		case as != nil:
			r.parts(c, k, as, v)
		case trait().MatchString(k.Text) && sh.CapsField() != nil:
			r.part(c, k, &lang.Caps{Span: k.Span, Name: k.Text}, nil, sh.CapsField(), v)
		default:
			r.add(c, k, v, &lang.Word{Span: k.Span, Name: k.Text}, nil)
		}
	}
}

var (
	trait   = late.Regexp(traitKey)
	capital = late.Regexp(`^\p{Lu}[\p{Lu}\p{N}_]+$`)
	word    = late.Regexp(`^[a-z][a-z0-9_]*$`)
)

// nests says whether a field holds what other entries make, and has none of its own name.
func (r *reader) nests(fd *decl.Field) bool {
	return fd.Many && r.w.Sheets[fd.Sheet] != nil && fd.As != ""
}

func (r *reader) add(c *lang.Command, k, v *Node, head lang.Expr, args []lang.Arg) *lang.Command {
	entry := &lang.Command{Span: covering(k.Span, v.Span), Head: head, Args: args}
	c.Block.Stmts = append(c.Block.Stmts, entry)
	return entry
}

// covering is from the start of one place to the end of another; that of a table's row where the
// first is above it.
func covering(from, to lang.Span) lang.Span {
	if from.Src == to.Src && from.Start < to.End {
		to.Start = from.Start
	}
	return to
}

// parts reads what is written as a word: one without a name, a name, a list of names, or a map of
// names with what each has.
func (r *reader) parts(c *lang.Command, k *Node, fd *decl.Field, n *Node) {
	head := &lang.Word{Span: k.Span, Name: k.Text}
	sub := r.w.Sheets[fd.Sheet]
	named := func(name, v *Node) {
		r.part(c, k, head, []lang.Arg{{Expr: text(name, name.Text)}}, fd, v)
	}
	switch {
	case sub == nil || n.Kind == Null:
		r.part(c, k, head, nil, fd, n)
	case n.Kind == Scalar:
		for _, one := range n.split() {
			if r.isRating(one) {
				r.part(c, k, head, nil, fd, one)
			} else {
				named(one, &Node{Span: one.Span})
			}
		}
	case n.Kind == List:
		for _, kid := range n.Kids {
			switch name := kid.get(keyName); {
			case kid.Kind == Scalar:
				named(kid, &Node{Span: kid.Span})
			case kid.Kind == Map && name != nil && name.Kind == Scalar:
				named(name, kid)
			default:
				r.err(kid.Span, "SP0539", "expected a name here, or  name: …  with what it has")
			}
		}
	case slices.ContainsFunc(n.Keys, func(k *Node) bool { return k.Text != keyFeatures && sub.ByName[k.Text] == nil }):
		for i, name := range n.Keys {
			named(name, n.Kids[i])
		}
	default:
		r.part(c, k, head, nil, fd, n)
	}
}

// isRating says whether a scalar is a number or dice, and no name.
func (r *reader) isRating(n *Node) bool {
	if n.script.Src == nil {
		return false
	}
	args, diags := lang.ParseArgs(n.script.Src, int(n.script.Start), int(n.script.End))
	return len(diags) == 0 && decl.IsRating(args[0].Expr)
}

// part reads what a part of a sheet has: its rating, or a map of its entries.
func (r *reader) part(c *lang.Command, k *Node, head lang.Expr, args []lang.Arg, fd *decl.Field, n *Node) {
	p := r.add(c, k, n, head, args)
	switch n.Kind {
	case Scalar:
		p.Args = append(p.Args, r.script(n)...)
	case List:
		r.err(n.Span, "SP0540", "expected a rating here, or a map of what %s has", k.Text)
	case Map:
		sub := r.w.Sheets[fd.Sheet]
		if sub == nil {
			return
		}
		if rating := n.get("rating"); rating != nil && sub.ByName["rating"] != nil && rating.Kind != Null {
			p.Args = append(p.Args, r.values(sub.ByName["rating"], rating)...)
		}
		inner := &lang.Command{Block: &lang.Block{Span: n.Span}}
		r.entries(inner, sub, r.without(n, sub), keyName)
		if p.Args = append(p.Args, inner.Args...); len(inner.Block.Stmts) > 0 {
			p.Block = inner.Block
		}
	}
}

// without leaves out the rating, which stands behind the name.
func (r *reader) without(n *Node, sub *decl.Sheet) *Node {
	i := slices.IndexFunc(n.Keys, func(k *Node) bool { return k.Text == "rating" })
	if i < 0 || sub.ByName["rating"] == nil {
		return n
	}
	rest := *n
	rest.Keys, rest.Kids = slices.Delete(slices.Clone(n.Keys), i, i+1), slices.Delete(slices.Clone(n.Kids), i, i+1)
	return &rest
}

// values reads the value of a field.
func (r *reader) values(fd *decl.Field, n *Node) []lang.Arg {
	kind := fd.Typ.Name.Name
	switch {
	case n.Kind == Scalar && kind == "text":
		return one(text(n, n.Text))
	case fd.OfWords():
		return one(r.texts(n))
	case kind == "features":
		return one(r.features(n))
	case n.Kind == Map && kind == "map":
		return one(r.mapOf(n))
	case n.Kind == List:
		return one(r.list(fd, n))
	case n.Kind == Map:
		r.err(n.Span, "SP0541", "%s takes one value, and no map", fd.Name)
		return nil
	}
	return r.reference(fd, n)
}

func one(x lang.Expr) []lang.Arg { return []lang.Arg{{Expr: x}} }

// reference reads a scalar as script; a name of several words is one name.
func (r *reader) reference(fd *decl.Field, n *Node) []lang.Arg {
	if fd.Sheet != "" && n.script.Src != nil && !n.Bool {
		args, diags := lang.ParseArgs(n.script.Src, int(n.script.Start), int(n.script.End))
		if len(diags) > 0 || len(args) > 1 {
			return one(text(n, n.Text))
		}
		return args
	}
	return r.script(n)
}

// script reads a scalar as a script reads it.
func (r *reader) script(n *Node) []lang.Arg {
	if n.Bool {
		yes := map[bool]string{true: "yes", false: "no"}[strings.EqualFold(n.Text, "true")]
		return one(&lang.Word{Span: n.Span, Name: yes})
	}
	if n.script.Src == nil || n.Text == "" {
		r.err(n.Span, "SP0542", "expected a value here, in one line")
		return nil
	}
	args, diags := lang.ParseArgs(n.script.Src, int(n.script.Start), int(n.script.End))
	r.diags = append(r.diags, diags...)
	return args
}

// split parts what stands in the cell of a table at its commas; anything else stays whole.
func (n *Node) split() []*Node {
	if !n.Cell {
		return []*Node{n}
	}
	var all []*Node
	at := n.Start
	for piece := range strings.SplitSeq(n.Text, ",") {
		cell := *n
		cell.Text = strings.TrimSpace(piece)
		cell.Start = at + int32(strings.Index(piece, cell.Text))
		cell.End = cell.Start + int32(len(cell.Text))
		cell.script = cell.Span
		all = append(all, &cell)
		at += int32(len(piece)) + 1
	}
	return all
}

// texts reads a list of words or texts, which stand as they are.
func (r *reader) texts(n *Node) *lang.List {
	l := &lang.List{Span: n.Span}
	kids := n.Kids
	if n.Kind == Scalar {
		kids = n.split()
	}
	for _, kid := range kids {
		if kid.Kind != Scalar {
			r.err(kid.Span, "SP0543", "expected a word or a text here")
			continue
		}
		l.Elems = append(l.Elems, text(kid, kid.Text))
	}
	return l
}

func (r *reader) list(fd *decl.Field, n *Node) *lang.List {
	l := &lang.List{Span: n.Span}
	for _, kid := range n.Kids {
		switch kid.Kind {
		case Scalar:
			for _, a := range r.reference(fd, kid) {
				l.Elems = append(l.Elems, a.Expr)
			}
		case List:
			l.Elems = append(l.Elems, r.list(fd, kid))
		case Map:
			l.Elems = append(l.Elems, r.mapOf(kid))
		}
	}
	return l
}

func (r *reader) mapOf(n *Node) *lang.Map {
	m := &lang.Map{Span: n.Span}
	for i, k := range n.Keys {
		var value lang.Expr
		switch v := n.Kids[i]; v.Kind {
		case List:
			value = r.list(&decl.Field{}, v)
		case Map:
			value = r.mapOf(v)
		case Scalar:
			if args := r.script(v); len(args) == 1 {
				value = args[0].Expr
			} else if len(args) > 1 {
				r.err(v.Span, "SP0544", "expected one value here")
			}
		}
		if value == nil {
			continue
		}
		m.Keys, m.Values = append(m.Keys, keyOf(k)), append(m.Values, value)
	}
	return m
}

func keyOf(k *Node) lang.Expr {
	switch {
	case capital().MatchString(k.Text):
		return &lang.Caps{Span: k.Span, Name: k.Text}
	case word().MatchString(k.Text):
		return &lang.Word{Span: k.Span, Name: k.Text}
	}
	return text(k, k.Text)
}

// features reads features, as a list or as one; those with values as a map of one key, or as a
// script writes them.
func (r *reader) features(n *Node) *lang.List {
	l := &lang.List{Span: n.Span}
	kids := n.Kids
	if n.Kind == Scalar {
		kids = n.split()
	}
	for _, kid := range kids {
		if kid.Kind == Map && len(kid.Keys) == 1 {
			x := &lang.Applied{Span: kid.Span, Head: &lang.Word{Span: kid.Keys[0].Span, Name: kid.Keys[0].Text}}
			values := []*Node{kid.Kids[0]}
			if values[0].Kind == List {
				values = values[0].Kids
			}
			for _, v := range values {
				x.Args = append(x.Args, r.argument(v))
			}
			l.Elems = append(l.Elems, x)
			continue
		}
		if kid.Kind != Scalar {
			r.err(kid.Span, "SP0545", "expected a feature here")
			continue
		}
		args := r.script(kid)
		if len(args) == 0 {
			continue
		}
		if len(args) == 1 {
			l.Elems = append(l.Elems, args[0].Expr)
			continue
		}
		x := &lang.Applied{Span: kid.script, Head: args[0].Expr}
		for _, a := range args[1:] {
			x.Args = append(x.Args, a.Expr)
		}
		l.Elems = append(l.Elems, x)
	}
	return l
}

// argument reads what a feature takes: script where it can be, or else a text.
func (r *reader) argument(n *Node) lang.Expr {
	if n.Bool || n.Kind == Scalar && n.Bare {
		if args := r.script(n); len(args) == 1 {
			return args[0].Expr
		}
	}
	return text(n, n.Text)
}

func text(n *Node, value string) *lang.Text { return lang.NewText(n.Span, value) }

func ident(n *Node) lang.Ident { return lang.Ident{Span: n.Span, Name: n.Text} }
