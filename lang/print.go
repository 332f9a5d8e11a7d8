package lang

import (
	"fmt"
	"strings"
)

// Print gives a file back in the one form that setpiece fmt writes: two blanks
// a level, one statement a line, at most one empty line in a row. The author
// keeps the say in three things: empty lines, a block that stands on one line,
// and a line broken behind a comma or an operator stay as they are.
//
// Printing twice gives the same as printing once, parsing what was printed
// gives the same tree, and no comment is lost. A statement that could not be
// parsed is given back as it stands.
func Print(f *File) string {
	p := &printer{src: f.Src, comments: f.Comments, lastLine: -1}
	items := make([]item, len(f.Stmts))
	for i, s := range f.Stmts {
		items[i] = p.stmtItem(s)
	}
	p.items(items, int32(1<<31-1))
	return p.out.String()
}

// The printer writes token after token on the current line. Comments are not in
// the tree; they wait, in source order, until a line ends behind their place:
//
//	let x = [1,     # one       at the break behind the comma
//	  2]            # two       at the end of the statement
//
// A comment at a place where the printed text has no line end is written at the
// next one.
type printer struct {
	out      strings.Builder
	src      *Source
	comments []Comment // those still to be written
	indent   int       // of the statement
	at       int       // the indent of the line being written
	base     int       // the indent of the line where the innermost ( or [ stands
	brackets int       // ( and [ open here: a line may break anywhere
	midLine  bool      // something stands on the current line
	lastLine int       // the source line of what was written last, -1 at the start of a block
}

// item is one of the things that stand below each other in a body.
type item struct {
	span  Span
	print func()
	// apart says that an empty line has to follow, whatever the source says.
	apart bool
}

// ---- lines --------------------------------------------------------------

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		if s == "" {
			continue
		}
		if !p.midLine {
			p.tab(p.indent)
		}
		p.out.WriteString(s)
	}
}

// tab begins a line.
func (p *printer) tab(indent int) {
	p.out.WriteString(strings.Repeat("  ", indent))
	p.at, p.midLine = indent, true
}

func (p *printer) newline() {
	if p.midLine {
		p.out.WriteByte('\n')
	}
	p.midLine = false
}

// line is the source line of an offset, -1 when the tree comes from no source.
func (p *printer) line(off int32) int {
	if p.src == nil {
		return -1
	}
	return p.src.lineOf(int(off))
}

// broken says whether the source has a line end between two offsets.
func (p *printer) broken(from, to int32) bool { return p.line(from) < p.line(to) }

// gap writes a blank, or the line end that the source has at this place. Only
// where the language allows a line to end may it be called.
func (p *printer) gap(from, to int32) {
	if !p.broken(from, to) {
		p.put(" ")
		return
	}
	p.breakLine(from, to, 1)
}

// orElse writes the word behind a block: on a line of its own if it stands there
// in the source behind a block of one line.
func (p *printer) orElse(then Span, next int32) {
	if p.broken(then.End, next) && !p.broken(then.Start, then.End) {
		p.breakLine(then.End, next, 0)
	} else {
		p.put(" ")
	}
	p.put("else ")
}

// loose is gap at a place where a line may end inside of brackets only.
func (p *printer) loose(from, to int32) {
	if p.brackets > 0 {
		p.gap(from, to)
		return
	}
	p.put(" ")
}

// breakLine ends the line, with the comments between from and to, and indents
// the next one by so many levels more than the line where the bracket stands.
func (p *printer) breakLine(from, to int32, levels int) {
	p.trailing(from, to)
	p.newline()
	for len(p.comments) > 0 && p.comments[0].Start < to {
		p.tab(p.base + levels)
		p.comment()
		p.newline()
	}
	p.tab(p.base + levels)
}

// trailing writes the next comment behind what stands on the line if it is one
// that stands there in the source, or one that is late.
func (p *printer) trailing(end, limit int32) {
	if len(p.comments) == 0 {
		return
	}
	c := p.comments[0]
	if c.Start >= limit || c.Start >= end && p.line(c.Start) != p.line(end) {
		return
	}
	if p.midLine {
		p.put("  ")
	}
	p.comment()
}

func (p *printer) comment() {
	c := p.comments[0]
	p.comments = p.comments[1:]
	p.put("#", c.Text)
	p.lastLine = max(p.lastLine, p.line(c.Start))
}

// items writes the items of a body that ends at end, and the comments in it.
func (p *printer) items(list []item, end int32) {
	apart := false
	for i, it := range list {
		limit := end
		if i+1 < len(list) {
			limit = list[i+1].span.Start
		}
		p.ownLines(it.span.Start, &apart)
		p.empty(it.span.Start, &apart)
		p.base = p.indent
		it.print()
		p.lastLine = max(p.lastLine, p.line(it.span.End))
		p.trailing(it.span.End, limit)
		p.newline()
		apart = it.apart
	}
	p.ownLines(end, &apart)
}

// ownLines writes the comments before limit, each on a line of its own.
func (p *printer) ownLines(limit int32, apart *bool) {
	for len(p.comments) > 0 && p.comments[0].Start < limit {
		p.empty(p.comments[0].Start, apart)
		p.comment()
		p.newline()
	}
}

// empty writes an empty line where the source has one or the item before needs one.
func (p *printer) empty(next int32, apart *bool) {
	if *apart || p.lastLine >= 0 && p.line(next) > p.lastLine+1 {
		p.out.WriteByte('\n')
	}
	*apart = false
}

// body writes "{ … }", on one line if it stands on one in the source.
func (p *printer) body(s Span, list []item) {
	if len(list) == 0 && !p.commentsBefore(s.End) {
		p.put("{ }")
		return
	}
	if s.Src != nil && !p.broken(s.Start, s.End) && !p.commentsBefore(s.End) {
		p.put("{ ")
		for i, it := range list {
			if i > 0 {
				p.put("; ")
			}
			it.print()
		}
		p.put(" }")
		return
	}
	base := p.base
	p.put("{")
	p.indent++
	limit := s.End
	if len(list) > 0 {
		limit = list[0].span.Start
	}
	p.trailing(s.Start+1, limit)
	p.newline()
	p.lastLine = -1
	p.items(list, s.End)
	p.indent--
	p.put("}")
	p.base = base
}

func (p *printer) commentsBefore(off int32) bool {
	return len(p.comments) > 0 && p.comments[0].Start < off
}

func (p *printer) block(b *Block) {
	list := make([]item, len(b.Stmts))
	for i, s := range b.Stmts {
		list[i] = p.stmtItem(s)
	}
	p.body(b.Span, list)
}

// then writes a block behind what stands on the line.
func (p *printer) then(b *Block) {
	p.put(" ")
	p.block(b)
}

func (p *printer) stmtItem(s Stmt) item {
	return item{span: s.Range(), print: func() { p.stmt(s) }, apart: alone(s)}
}

// alone says whether s ends with an annotation that explains nothing: what
// follows on the next line would become what it explains.
func alone(s Stmt) bool {
	for {
		a, ok := s.(*Annotated)
		if !ok {
			return false
		}
		if a.Stmt == nil {
			return true
		}
		s = a.Stmt
	}
}

// braces writes the body of a declaration that is no list of statements. Where
// it stands in the source is known from the declaration's end and its parts.
func (p *printer) braces(decl Span, list []item) {
	s := decl
	if s.Src != nil {
		first := s.End - 1
		if len(list) > 0 {
			first = list[0].span.Start
		}
		s.Start = p.openBefore(first)
	}
	p.body(s, list)
}

// openBefore finds the brace before an item: white space and comments only
// stand in between.
func (p *printer) openBefore(off int32) int32 {
	for _, c := range p.comments {
		if c.Start >= off {
			break
		}
		if text := p.src.Text[:c.Start]; strings.HasSuffix(strings.TrimRight(text, " \t\r\n"), "{") {
			return int32(strings.LastIndexByte(text, '{'))
		}
	}
	return max(0, int32(strings.LastIndexByte(p.src.Text[:off], '{')))
}

func (p *printer) version(word string, v Ident) {
	if v.Name != "" {
		p.put(word, v.Name)
	}
}

func (p *printer) fact(word string, t *Text) {
	if t != nil {
		p.put(word)
		p.expr(t)
	}
}

// ---- statements ---------------------------------------------------------

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Use:
		p.put("use ", s.Name.Name)
		p.version(" ", s.Version)
		for i, w := range s.With {
			if i == 0 {
				p.put(" with ")
			} else {
				p.comma(s.With[i-1].End, w.Start)
			}
			p.put(w.Name.Name)
			if w.Value != nil {
				p.equals(w.Name.End, w.Value)
			}
		}
	case *Include:
		p.with("include ", s.Path)
	case *Cast:
		p.with("cast from ", s.Path)
	case *System:
		if s.Base != nil {
			p.put("variant ", s.Name.Name, " of ", s.Base.Name)
			p.version(" ", s.Of)
		} else {
			p.put("system ", s.Name.Name)
		}
		p.doc(s.Doc)
		p.version(" version ", s.Version)
		p.fact(" by ", s.By)
		p.fact(" licence ", s.Licence)
		p.version(" needs setpiece ", s.Needs)
	case *Spans:
		p.put("spans ")
		for i, n := range s.Names {
			if i > 0 {
				p.put(" >")
				p.gap(s.Names[i-1].End, n.Start)
			}
			p.put(n.Name)
		}
	case *StandIn:
		p.put("standin ", s.Sheet.Name, " ")
		p.expr(s.Name)
	case *Option:
		p.put("option ", s.Name.Name)
		if s.Block {
			p.doc(s.Doc)
			p.put(" ")
			p.braces(s.Span, p.choices(s))
			return
		}
		p.put(" =")
		end := s.Name.End
		for i, v := range s.Values {
			if i > 0 {
				p.put(" |")
			}
			p.gap(end, v.Range().Start)
			p.expr(v)
			end = v.Range().End
		}
		p.doc(s.Doc)
	case *Words:
		p.put("words ", s.Name.Name)
		p.doc(s.Doc)
		p.put(" ")
		p.braces(s.Span, p.choices(&Option{Values: s.Values, Docs: s.Docs}))
	case *Remove:
		p.put("remove ", s.Kind.Name, " ", s.Name.Name)
		p.ident(" of ", s.Of)
	case *Annotated:
		p.annotated(s)
	case *Table:
		p.put("table ", s.Name.Name)
		p.names(s.Params)
		p.doc(s.Doc)
		p.put(" ")
		list := make([]item, len(s.Rows))
		for i := range s.Rows {
			row := &s.Rows[i]
			list[i] = item{span: row.Span, print: func() { p.row(row) }}
		}
		p.braces(s.Span, list)
	case *Sheet:
		p.put("sheet ", s.Name.Name)
		p.ident(" is ", s.Base)
		p.doc(s.Doc)
		if s.Players {
			p.put(" of players")
		}
		p.word("out when", s.Out)
		p.put(" ")
		p.braces(s.Span, p.sheet(s))
	case *Rule:
		p.put("rule ", s.Name.Name)
		if s.Parens {
			p.params(s.Params)
		}
		p.doc(s.Doc)
		if s.Body != nil {
			p.then(s.Body)
			return
		}
		p.equals(p.headEnd(s), s.Value)
	case *Verb:
		p.put("verb ", s.Name.Name)
		p.pattern(" ", s.Pattern)
		p.doc(s.Doc)
		if s.NoActor {
			p.put(" without actor")
		}
		if s.BetweenTurns {
			p.put(" between turns")
		}
		p.ident(" as ", s.As)
		p.put(" ")
		list := p.clauses(s.Clauses)
		if s.Do != nil {
			do := item{span: s.Do.Span, print: func() {
				p.put("do ")
				p.block(s.Do)
			}}
			at := len(list)
			for at > 0 && list[at-1].span.Start > do.span.Start {
				at--
			}
			list = append(list[:at:at], append([]item{do}, list[at:]...)...)
		}
		p.braces(s.Span, list)
	case *ClauseSet:
		p.put("clauses ", s.Name.Name)
		if len(s.Params) > 0 {
			p.params(s.Params)
		}
		p.ident(" is ", s.Base)
		p.doc(s.Doc)
		p.put(" ")
		p.braces(s.Span, p.clauses(s.Clauses))
	case *Feature:
		p.feature(s)
	case *Hook:
		p.put("hook ", s.Name.Name)
		p.names(s.Params)
		p.doc(s.Doc)
	case *Decision:
		p.put("decision ", s.Name.Name)
		p.doc(s.Doc)
		for _, part := range []struct {
			word string
			text *Text
		}{{"by", s.By}, {"from", s.From}, {"default", s.Default}} {
			if part.text != nil {
				p.put(" ", part.word)
				p.doc(part.text)
			}
		}
		if s.Manner != nil {
			p.put(" ", s.Manner.Name)
		}
	case *Handler:
		p.put("on ", s.Hook.Name)
		p.names(s.Params)
		p.word("when", s.When)
		p.then(s.Body)
	case *Goal:
		p.put("goal ", s.Name.Name)
		p.names(s.Params)
		p.doc(s.Doc)
		for i, v := range s.After {
			if i == 0 {
				p.put(" after ")
			} else {
				p.comma(s.After[i-1].End, v.Start)
			}
			p.put(v.Name)
		}
		p.equals(s.headEnd(), s.Value)
	case *Check:
		p.put("check ", s.Name.Name, " of ", s.Of.Name)
		p.doc(s.Doc)
		if s.Always {
			p.put(" always")
		}
		p.then(s.Body)
	case *Test:
		p.with("test ", s.Name)
		if s.After != nil {
			p.with(" after ", s.After)
		}
		p.then(s.Body)
	case *Tactics:
		p.put("tactics ")
		p.list(s.Who)
		p.put(" ")
		list := make([]item, len(s.Entries))
		for i := range s.Entries {
			t := &s.Entries[i]
			list[i] = item{span: t.Span, print: func() { p.tactic(t) }}
		}
		p.braces(s.Span, list)
	case *Command:
		p.command(s)
	case *Let:
		p.put("let ", s.Name.Name, " =")
		p.gap(s.Name.End, s.Value.Range().Start)
		p.expr(s.Value)
	case *Assign:
		p.expr(s.Target)
		p.put(" ", s.Op)
		p.gap(s.Target.Range().End, s.Value.Range().Start)
		p.expr(s.Value)
		p.word("as", s.As)
		p.word("note", s.Note)
	case *If:
		p.with("if ", s.Cond)
		p.then(s.Then)
		if s.Else != nil {
			p.orElse(s.Then.Span, s.Else.Range().Start)
			p.stmt(s.Else)
		}
	case *For:
		p.put("for ", s.Var.Name, " in")
		p.gap(s.Var.End, s.In.Range().Start)
		p.expr(s.In)
		p.word("where", s.Where)
		p.then(s.Body)
	case *While:
		p.with("while ", s.Cond)
		p.then(s.Body)
	case *Repeat:
		p.with("repeat ", s.Count)
		p.then(s.Body)
	case *Jump:
		if s.Next {
			p.put("next")
		} else {
			p.put("stop")
		}
	case *Return:
		p.put("return")
		if s.Value != nil {
			p.with(" ", s.Value)
		}
	case *Say:
		p.put(s.Kind, " ")
		p.expr(s.Text)
		p.word("at", s.At)
		if s.Players {
			p.put(" to players")
		}
	case *Offer:
		p.offer(s)
	case *Signal:
		p.put("signal ", s.Hook.Name)
		if len(s.Args) > 0 {
			p.put("(")
			p.inBrackets(s.Hook.End, s.Args, s.To.Range().Start)
			p.put(")")
		}
		p.word("to", s.To)
	case *Show:
		p.put("show ", s.Kind.Name, " ")
		p.expr(s.Label)
		p.word("by", s.By)
		p.then(s.Body)
	case *Outcome:
		if s.SoFar {
			p.put("stands ")
		} else {
			p.put("outcome ")
		}
		p.expr(s.Value)
		for i, n := range s.Fields {
			if i == 0 {
				p.put(" ")
			} else {
				p.comma(s.Fields[i-1].End, n.Start)
			}
			p.put(n.Name.Name, " ")
			p.expr(n.Value)
		}
	case *Boundary:
		if s.End {
			p.put("end ", s.Name.Name)
		} else {
			p.put("begin ", s.Name.Name)
		}
		p.word("as", s.Title)
		p.word("secret when", s.Secret)
	case *RunBlock:
		p.put("run block")
		p.word("for", s.For)
	case *Act:
		p.with("act ", s.Who)
		if s.Asked {
			p.put(" asked")
		}
		p.word("until", s.Until)
	case *Expect:
		p.with("expect ", s.Cond)
		p.doc(s.Text)
	case *Report:
		p.put("report ")
		for i, v := range s.Values {
			if i > 0 {
				p.comma(s.Values[i-1].End, v.Start)
			}
			p.expr(v.Value)
			p.word("as", v.As)
		}
	case *ExprStmt:
		p.expr(s.X)
	case *Block:
		p.block(s)
	case *Bad:
		p.verbatim(s.Span)
	default:
		panic(fmt.Sprintf("lang: Print does not know %T", s))
	}
}

// headEnd is where the part of a rule before its "=" ends.
func (p *printer) headEnd(r *Rule) int32 {
	end := r.Name.End
	for _, par := range r.Params {
		end = par.End
	}
	if r.Doc != nil {
		end = r.Doc.End
	}
	return end
}

// headEnd is where the part of a goal before its "=" ends.
func (g *Goal) headEnd() int32 {
	end := g.Name.End
	if n := len(g.Params); n > 0 {
		end = g.Params[n-1].End
	}
	if g.Doc != nil {
		end = g.Doc.End
	}
	if n := len(g.After); n > 0 {
		end = g.After[n-1].End
	}
	return end
}

func (p *printer) annotated(s *Annotated) {
	if s.Recorded {
		p.put("recorded ")
	}
	p.put("@", s.ID)
	p.doc(s.Doc)
	if s.Stmt == nil {
		return
	}
	end := s.IDSpan.End
	if s.Doc != nil {
		end = s.Doc.End
	}
	next := s.Stmt.Range().Start
	if s.Src != nil && !p.broken(end, next) {
		p.put(" ")
	} else {
		p.breakLine(end, next, 0)
	}
	p.stmt(s.Stmt)
}

func (p *printer) choices(s *Option) []item {
	list := make([]item, len(s.Values))
	for i, v := range s.Values {
		at := v.Range()
		if s.Docs[i] != nil {
			at.End = s.Docs[i].End
		}
		list[i] = item{span: at, print: func() {
			p.expr(v)
			p.doc(s.Docs[i])
		}}
	}
	return list
}

func (p *printer) row(r *Row) {
	if r.Patterns == nil {
		p.put("else =>")
		p.gap(r.Start, r.Value.Range().Start)
	} else {
		p.list(r.Patterns)
		p.put(" =>")
		p.gap(r.Patterns[len(r.Patterns)-1].Range().End, r.Value.Range().Start)
	}
	p.expr(r.Value)
}

// sheet gives what stands in the body of a sheet, in the order of the source.
func (p *printer) sheet(s *Sheet) []item {
	var out []item
	for _, n := range s.parts() {
		out = append(out, item{span: n.Range(), print: func() {
			switch n := n.(type) {
			case *Field:
				p.field(n)
			case *Summary:
				word := "summary "
				switch n {
				case s.Reserves:
					word = "reserves "
				case s.AtHand:
					word = "at_hand "
				}
				p.summary(word, n)
			}
		}})
	}
	return out
}

func (p *printer) summary(word string, s *Summary) {
	p.put(word)
	for i, n := range s.Entries {
		if i > 0 {
			p.comma(s.Entries[i-1].End, n.Start)
		}
		p.put(n.Name.Name)
		if n.Value != nil {
			p.with(" ", n.Value)
		}
	}
	if s.When != nil {
		p.with(" when ", s.When)
	}
}

func (p *printer) fields(list []*Field) []item {
	out := make([]item, len(list))
	for i, f := range list {
		out[i] = item{span: f.Span, print: func() { p.field(f) }}
	}
	return out
}

func (p *printer) field(f *Field) {
	p.put(f.Name.Name, " ")
	p.typ(&f.Type)
	if f.Default != nil {
		p.equals(f.Type.End, f.Default)
	}
	p.ident(" per ", f.Per)
	p.ident(" as ", f.As)
	p.word("until", f.Until)
	if f.Needed != nil {
		p.put(" needed by ")
		for i, n := range f.Needed {
			if i > 0 {
				p.comma(f.Needed[i-1].End, n.Start)
			}
			p.put(n.Name)
		}
	}
	p.doc(f.Doc)
}

func (p *printer) typ(t *TypeRef) {
	if t.New {
		p.put("new ")
	}
	p.put(t.Name.Name)
	switch {
	case t.OneOf != nil:
		p.put(" of ")
		p.names(t.OneOf)
	case t.Of != nil:
		p.put(" of ", t.Of.Name)
	case t.Range != nil:
		p.with(" ", t.Range)
	}
	if t.Many {
		p.put(" many")
	}
}

func (p *printer) clauses(list []ClauseItem) []item {
	out := make([]item, len(list))
	inClause := false // what it needs itself stands in front of all clauses
	for i, c := range list {
		out[i] = item{span: c.Range(), print: func() { p.clause(c) }}
		if n, ok := c.(*Needs); ok {
			further := inClause
			out[i].print = func() { p.needs(n, further) }
		} else {
			inClause = true
		}
	}
	return out
}

func (p *printer) clause(c ClauseItem) {
	switch c := c.(type) {
	case *Clause:
		p.put("clause ", c.Name.Name)
		p.doc(c.Doc)
		if c.Pattern != nil {
			p.put(":")
			p.pattern(" ", c.Pattern)
		}
		if c.Repeat {
			p.put(" repeat")
		}
		if c.Braces {
			p.put(" ")
			p.braces(c.Span, p.clauses(c.Nested))
		}
	case *Uses:
		p.put("uses ", c.Set.Name)
		for i, a := range c.Args {
			if i == 0 {
				p.put("(")
			} else {
				p.comma(c.Args[i-1].End, a.Start)
			}
			p.put(a.Name.Name, ": ")
			p.expr(a.Value)
		}
		if len(c.Args) > 0 {
			p.put(")")
		}
		p.put(" as ", c.As.Name)
	case *BlockClause:
		p.put("block")
		if c.Until != nil {
			p.put(" until ")
			p.expr(c.Until)
		}
	default:
		panic(fmt.Sprintf("lang: Print does not know %T", c))
	}
}

// needs writes a condition, further in than the clause it belongs to.
func (p *printer) needs(c *Needs, inClause bool) {
	if inClause && !p.midLine {
		p.tab(p.indent + 1)
	}
	switch {
	case c.Warns:
		p.with("warns ", c.Cond)
	case c.Cond != nil:
		p.with("needs ", c.Cond)
	default:
		p.put("excludes ", c.Excludes[0].Name)
		for i, x := range c.Excludes[1:] {
			p.comma(c.Excludes[i].End, x.Start)
			p.put(x.Name)
		}
	}
	if c.Text != nil {
		p.with(" ", c.Text)
	}
	p.ident(" at ", c.At)
}

func (p *printer) pattern(lead string, list []Pat) {
	for _, x := range list {
		p.put(lead)
		lead = " "
		switch x := x.(type) {
		case *PatWord:
			p.put(x.Word)
		case *PatSlot:
			p.put("(", x.Name.Name, " ")
			p.typ(&x.Type)
			if x.Default != nil {
				p.with(" = ", x.Default)
			}
			p.put(")")
		case *PatOpt:
			p.put("[")
			p.pattern("", x.Pattern)
			p.put("]")
		default:
			panic(fmt.Sprintf("lang: Print does not know %T", x))
		}
	}
}

func (p *printer) feature(s *Feature) {
	p.put("feature ", s.Name.Name)
	if len(s.Params) > 0 {
		p.params(s.Params)
	}
	p.doc(s.Doc)
	p.put(" on ")
	if s.Every {
		p.put("every ")
	}
	p.put(s.On.Name, " ")
	// Fields and handlers may be mixed in the source.
	list, fields := make([]item, 0, len(s.Fields)+len(s.Body)), p.fields(s.Fields)
	for _, b := range s.Body {
		h := p.stmtItem(b)
		for len(fields) > 0 && fields[0].span.Start <= h.span.Start {
			list, fields = append(list, fields[0]), fields[1:]
		}
		list = append(list, h)
	}
	p.braces(s.Span, append(list, fields...))
}

func (p *printer) tactic(t *Tactic) {
	switch {
	case t.On != nil:
		p.put("on ", t.On.Name, ": ")
		p.expr(t.Answer)
		p.word("when", t.When)
		return
	case t.When != nil:
		p.with("when ", t.When)
		p.put(": ")
	default:
		p.put("otherwise: ")
	}
	p.command(t.Do)
}

func (p *printer) command(c *Command) {
	if c.Who != nil {
		p.expr(c.Who)
		p.put(": ")
	}
	p.expr(c.Head)
	end := c.Head.Range().End
	for _, a := range c.Args {
		if a.Comma {
			p.comma(end, a.Expr.Range().Start)
		} else {
			p.put(" ")
		}
		p.expr(a.Expr)
		end = a.Expr.Range().End
	}
	if c.Block != nil {
		p.then(c.Block)
	}
}

func (p *printer) costs(n Expr, field *Ident, payer Expr) {
	if n != nil {
		p.word("costs", n)
		p.put(" ", field.Name)
		p.word("of", payer)
	}
}

func (p *printer) offer(s *Offer) {
	p.put("offer ", s.Name.Name)
	p.word("to", s.To)
	if s.Prompt != nil {
		p.with(" ", s.Prompt)
	}
	p.costs(s.Cost, s.Field, s.Payer)
	p.word("when", s.When)
	p.word("answer", s.Answer)
	p.word("default", s.Default)
	if s.Unasked {
		p.put(" unasked")
	}
	p.word("usual when", s.Usual)
	p.then(s.Body)
	if s.Else != nil {
		p.put(" else ")
		p.block(s.Else)
	}
}

// verbatim gives back a stretch of the source, with the comments in it.
func (p *printer) verbatim(s Span) {
	if s.Src == nil {
		return
	}
	end := s.End
	for len(p.comments) > 0 && p.comments[0].Start < s.End {
		end = max(end, p.comments[0].End)
		p.comments = p.comments[1:]
	}
	p.put(strings.TrimSpace(s.Src.Text[s.Start:end]))
}

// ---- parts --------------------------------------------------------------

func (p *printer) doc(t *Text) {
	if t != nil {
		p.with(" ", t)
	}
}

// with writes something and what belongs to it.
func (p *printer) with(before string, x Expr) {
	p.put(before)
	p.expr(x)
}

// equals writes what a name that ends at from is set to.
func (p *printer) equals(from int32, x Expr) {
	p.put(" =")
	p.gap(from, x.Range().Start)
	p.expr(x)
}

// ident writes something and a name, if there is one.
func (p *printer) ident(before string, name *Ident) {
	if name != nil {
		p.put(before, name.Name)
	}
}

// word writes a word of the language and what belongs to it, if there is something.
func (p *printer) word(w string, x Expr) {
	if x != nil {
		p.put(" ", w, " ")
		p.expr(x)
	}
}

func (p *printer) comma(from, to int32) {
	p.put(",")
	p.gap(from, to)
}

func (p *printer) list(list []Expr) {
	for i, x := range list {
		if i > 0 {
			p.comma(list[i-1].Range().End, x.Range().Start)
		}
		p.expr(x)
	}
}

// inBrackets writes what stands in ( ) or [ ] opened right before from and
// closed before to. If the source breaks the line behind the opener, so does
// the printer, also before the closer.
func (p *printer) inBrackets(from int32, list []Expr, to int32) {
	if len(list) == 0 {
		return
	}
	defer p.bracket()()
	first, last := list[0].Range().Start, list[len(list)-1].Range().End
	if !p.broken(from, first) {
		p.list(list)
		return
	}
	p.breakLine(from, first, 1)
	p.list(list)
	p.breakLine(last, to, 0)
}

// bracket opens a bracket in which lines may break; its result closes it.
func (p *printer) bracket() func() {
	base := p.base
	p.base = p.at
	p.brackets++
	return func() {
		p.base = base
		p.brackets--
	}
}

// names writes parameters, if there are any.
func (p *printer) names(list []Ident) {
	if len(list) == 0 {
		return
	}
	p.put("(")
	for i, n := range list {
		if i > 0 {
			p.comma(list[i-1].End, n.Start)
		}
		p.put(n.Name)
	}
	p.put(")")
}

func (p *printer) params(list []Param) {
	p.put("(")
	for i, par := range list {
		if i > 0 {
			p.comma(list[i-1].End, par.Start)
		}
		p.put(par.Name.Name)
		if par.Default != nil {
			p.with(" = ", par.Default)
		}
	}
	p.put(")")
}

// ---- expressions --------------------------------------------------------

func (p *printer) expr(x Expr) {
	switch x := x.(type) {
	case *Num:
		p.put(x.Text)
	case *Text:
		p.put(x.Raw)
	case *Dice:
		p.put(x.Text)
	case *NoneRefused:
		p.put("no refused tactics")
	case *Word:
		p.put(x.Name)
	case *Caps:
		p.put(x.Name)
	case *Name:
		p.put(x.Name)
	case *Rated:
		p.expr(x.X)
		p.with(" ", x.Rating)
	case *Map:
		p.put("{")
		for i, k := range x.Keys {
			if i > 0 {
				p.put(", ")
			}
			p.expr(k)
			p.put(": ")
			p.expr(x.Values[i])
		}
		p.put("}")
	case *List:
		p.put("[")
		p.inBrackets(x.Start, x.Elems, x.End)
		p.put("]")
	case *Applied:
		p.expr(x.Head)
		end := x.Head.Range().End
		for _, a := range x.Args {
			p.loose(end, a.Range().Start)
			p.expr(a)
			end = a.Range().End
		}
	case *Range:
		if x.Lo != nil {
			p.expr(x.Lo)
		}
		p.put("..")
		if x.Hi != nil {
			p.expr(x.Hi)
		}
	case *Unary:
		p.put(x.Op)
		if x.Op == "not" {
			p.put(" ")
		}
		p.expr(x.X)
	case *Binary:
		p.expr(x.X)
		p.loose(x.X.Range().End, x.OpAt.Start)
		p.put(x.Op)
		p.gap(x.OpAt.End, x.Y.Range().Start)
		p.expr(x.Y)
	case *Cond:
		p.with("if ", x.C)
		p.loose(x.C.Range().End, x.A.Range().Start)
		p.with("then ", x.A)
		p.loose(x.A.Range().End, x.B.Range().Start)
		p.with("else ", x.B)
	case *Call:
		p.expr(x.Fn)
		p.put("(")
		p.inBrackets(x.Fn.Range().End, x.Args, x.End)
		p.put(")")
	case *Dot:
		p.expr(x.X)
		p.put(".", x.Name.Name)
	case *Index:
		p.expr(x.X)
		p.put("[")
		p.inBrackets(x.X.Range().End, []Expr{x.I}, x.End)
		p.put("]")
	case *Throw:
		p.with("throw ", x.Dice)
		p.word("for", x.For)
		p.word("named", x.Named)
	case *Choose:
		p.put("choose ", x.Name.Name)
		p.word("by", x.By)
		p.word("from", x.From)
		if x.Prompt != nil {
			p.with(" ", x.Prompt)
		}
		p.costs(x.Cost, x.Field, x.Payer)
		p.word("notes", x.Notes)
		p.word("answer", x.Answer)
		p.word("default", x.Default)
		if x.Unasked {
			p.put(" unasked")
		}
		p.word("usual when", x.Usual)
	case *Comp:
		p.comp(x)
	case *New:
		p.put("new ", x.Sheet.Name, "(")
		p.slots(x)
		p.put(")")
	case *Paren:
		p.put("(")
		p.inBrackets(x.Start, []Expr{x.X}, x.End)
		p.put(")")
	case *Lit: // it stands in a Text, which is given back as it is written
	default:
		panic(fmt.Sprintf("lang: Print does not know %T", x))
	}
}

func (p *printer) comp(c *Comp) {
	switch c.Kind {
	case "list":
		p.put("[")
		done := p.bracket()
		p.expr(c.Yield)
		p.loose(c.Yield.Range().End, c.Var.Start)
		p.reading("for ", c)
		done()
		p.put("]")
	case "sum":
		p.with("sum ", c.Yield)
		p.loose(c.Yield.Range().End, c.Var.Start)
		p.reading("for ", c)
	default:
		p.put(c.Kind, " ")
		p.reading("", c)
		p.word("by", c.Yield)
	}
}

func (p *printer) reading(lead string, c *Comp) {
	p.put(lead, c.Var.Name, " in")
	p.gap(c.Var.End, c.In.Range().Start)
	p.expr(c.In)
	if c.Where != nil {
		p.loose(c.In.Range().End, c.Where.Range().Start)
		p.with("where ", c.Where)
	}
}

func (p *printer) slots(x *New) {
	if len(x.Fields) == 0 {
		return
	}
	defer p.bracket()()
	first, last := x.Fields[0].Start, x.Fields[len(x.Fields)-1].End
	wide := p.broken(x.Sheet.End, first)
	if wide {
		p.breakLine(x.Sheet.End, first, 1)
	}
	for i, f := range x.Fields {
		if i > 0 {
			p.comma(x.Fields[i-1].End, f.Start)
		}
		p.put(f.Name.Name, ": ")
		p.expr(f.Value)
	}
	if wide {
		p.breakLine(last, x.End, 0)
	}
}
