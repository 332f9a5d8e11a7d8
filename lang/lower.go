package lang

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// This file makes the plain tree of the grammar's structs.

func (p *parser) ident(t lexer.Token) Ident {
	return Ident{Span: p.tokSpan(&t), Name: composed(t.Value)}
}

func (p *parser) idents(list []lexer.Token) []Ident {
	var out []Ident
	for _, t := range names(list) {
		out = append(out, p.ident(t))
	}
	return out
}

// names leaves the separators out of a captured list. (To capture each name on
// its own is no way out: participle keeps the last one only.)
func names(list []lexer.Token) []lexer.Token {
	var out []lexer.Token
	for _, t := range list {
		if t.Type != kindOp {
			out = append(out, t)
		}
	}
	return out
}

func (p *parser) optIdent(t *lexer.Token) *Ident {
	if t == nil {
		return nil
	}
	id := p.ident(*t)
	return &id
}

// newName is an ident that becomes a name of the author's own.
func (p *parser) newName(t lexer.Token, what string) Ident {
	if reserved[t.Value] {
		p.add(p.reservedName(&t, what))
	}
	return p.ident(t)
}

func (p *parser) newNames(list []lexer.Token) []Ident {
	var out []Ident
	for _, t := range names(list) {
		out = append(out, p.newName(t, "a parameter"))
	}
	return out
}

func (p *parser) optText(t *lexer.Token) *Text {
	if t == nil {
		return nil
	}
	return p.text(t)
}

// who is a name, a quoted name or a word.
func (p *parser) who(t lexer.Token) Expr {
	switch t.Type {
	case kindText:
		return p.text(&t)
	case kindName:
		return &Name{Span: p.tokSpan(&t), Name: composed(t.Value)}
	}
	return &Word{Span: p.tokSpan(&t), Name: composed(t.Value)}
}

func body(b block) *Block {
	if b == nil {
		return nil
	}
	return b.block()
}

func cover(a, b Span) Span { return Span{Src: a.Src, Start: a.Start, End: max(a.End, b.End)} }

// ---- declarations -------------------------------------------------------

func (g *useG) lower(p *parser, s Span) Stmt {
	u := &Use{Span: s, Name: p.ident(g.Name), Version: g.Version.ident(p)}
	for _, w := range g.With {
		set := Setting{Name: p.ident(w.Name), Value: w.Value}
		for _, id := range p.idents(w.ID) { // an option by its id, as in  tiny.opt.bonus = 1
			set.Name = Ident{Span: cover(set.Name.Span, id.Span), Name: set.Name.Name + "." + id.Name}
		}
		set.Span = set.Name.Span
		if w.Value != nil {
			set.Span = cover(set.Span, w.Value.Range())
		}
		u.With = append(u.With, set)
	}
	return u
}

func (g *includeG) lower(p *parser, s Span) Stmt { return &Include{Span: s, Path: p.text(&g.Path)} }
func (g *castG) lower(p *parser, s Span) Stmt    { return &Cast{Span: s, Path: p.text(&g.Path)} }

func (g *systemG) lower(p *parser, s Span) Stmt {
	return p.facts(&System{Span: s, Name: p.ident(g.Name), Doc: p.optText(g.Doc)}, g.Facts)
}

func (g *variantG) lower(p *parser, s Span) Stmt {
	return p.facts(&System{Span: s, Name: p.ident(g.Name), Base: p.optIdent(&g.Base), Of: g.Of.ident(p), Doc: p.optText(g.Doc)}, g.Facts)
}

// facts puts into the head of a file what it says of itself. What is said twice counts as said last.
func (p *parser) facts(s *System, facts []*factG) Stmt {
	for _, f := range facts {
		switch {
		case f.Version != nil:
			s.Version = f.Version.ident(p)
		case f.By != nil:
			s.By = p.text(f.By)
		case f.Licence != nil:
			s.Licence = p.text(f.Licence)
		case f.Needs != nil:
			s.Needs = f.Needs.ident(p)
		}
	}
	return s
}

// ident gives a version as it is written.
func (g *versionG) ident(p *parser) Ident {
	if g == nil {
		return Ident{}
	}
	v := p.ident(g.Number)
	if g.Patch != nil {
		v.Span, v.Name = cover(v.Span, p.tokSpan(g.Patch)), v.Name+"."+g.Patch.Value
	}
	return v
}

func (g *spansG) lower(p *parser, s Span) Stmt { return &Spans{Span: s, Names: p.idents(g.Names)} }

func (g *standInG) lower(p *parser, s Span) Stmt {
	return &StandIn{Span: s, Sheet: p.ident(g.Sheet), Name: p.who(g.Name)}
}

func (g *optionG) lower(p *parser, s Span) Stmt {
	o := &Option{Span: s, Name: p.newName(g.Name, "an option"), Doc: p.optText(g.Doc)}
	for _, v := range g.Values {
		o.Values = append(o.Values, v)
	}
	body := g.Body
	if g.Asked != nil {
		o.Doc = p.optText(g.Asked)
	} else if body == nil {
		body = g.Bare
	}
	list, _ := body.(choiceList)
	for _, c := range list {
		o.Block = true
		o.Values = append(o.Values, c.Value)
		o.Docs = append(o.Docs, p.optText(c.Doc))
	}
	return o
}

func (g *wordsG) lower(p *parser, s Span) Stmt {
	w := &Words{Span: s, Name: p.newName(g.Name, "words"), Doc: p.optText(g.Doc)}
	list, _ := g.Body.(choiceList)
	for _, c := range list {
		w.Values, w.Docs = append(w.Values, c.Value), append(w.Docs, p.optText(c.Doc))
	}
	return w
}

func (g *removeG) lower(p *parser, s Span) Stmt {
	return &Remove{Span: s, Kind: p.ident(g.Kind), Name: p.ident(g.Name), Of: p.optIdent(g.Of)}
}

func (g *tableG) lower(p *parser, s Span) Stmt {
	return &Table{
		Span: s, Name: p.newName(g.Name, "a table"), Params: p.newNames(g.Params), Doc: p.optText(g.Doc),
		Rows: g.Rows.(rowList),
	}
}

func (g *sheetG) lower(p *parser, s Span) Stmt {
	body := g.Body.(*sheetParts)
	return &Sheet{
		Span: s, Name: p.newName(g.Name, "a sheet"), Base: p.optIdent(g.Base), Doc: p.optText(g.Doc), Players: g.Mine != nil, Out: g.Out,
		Fields: body.fields, Summary: body.summary, Reserves: body.reserves, AtHand: body.atHand,
	}
}

func (g *summaryG) lower(p *parser, s Span) *Summary {
	sum := &Summary{Span: s, When: g.When}
	for _, e := range g.List {
		n := Named{Span: p.tokSpan(&e.Name), Name: p.ident(e.Name), Value: e.Value}
		if e.Value != nil {
			n.Span = cover(n.Name.Span, e.Value.Range())
		}
		sum.Entries = append(sum.Entries, n)
	}
	return sum
}

func (g *fieldG) lower(p *parser, s Span) *Field {
	f := &Field{Span: s, Name: p.newName(g.Name, "a field"), Type: *g.Type.typ(), Doc: p.optText(g.Doc)}
	for _, part := range g.Parts {
		switch {
		case part.Default != nil:
			p.once(f.Default != nil, part.Default.Range(), "a default")
			f.Default = part.Default
		case part.Per != nil:
			p.once(f.Per != nil, p.tokSpan(part.Per), "a span")
			f.Per = p.optIdent(part.Per)
		case part.Needed != nil:
			p.once(f.Needed != nil, p.tokSpan(&part.Needed[0]), "needed by")
			f.Needed = p.idents(part.Needed)
		default:
			p.once(f.As != nil, p.tokSpan(part.As), "as")
			f.As, f.Until = p.optIdent(part.As), part.Until
		}
	}
	return f
}

// once reports a part that has stood there before.
func (p *parser) once(before bool, s Span, what string) {
	if before {
		p.add(p.partTwice(s, what))
	}
}

func (g *ruleG) lower(p *parser, s Span) Stmt {
	return &Rule{
		Span: s, Name: p.newName(g.Name, "a rule"), Parens: g.Params != nil, Params: p.params(g.Params),
		Doc: p.optText(g.Doc), Value: g.Value, Body: body(g.Body),
	}
}

func (p *parser) params(g *paramsG) []Param {
	if g == nil {
		return nil
	}
	var list []Param
	for _, gp := range g.List {
		par := Param{Name: p.newName(gp.Name, "a parameter"), Default: gp.Default}
		par.Span = par.Name.Span
		if gp.Default != nil {
			par.Span = cover(par.Span, gp.Default.Range())
		}
		list = append(list, par)
	}
	return list
}

func (g *verbG) lower(p *parser, s Span) Stmt {
	b := g.Body.(*verbParts)
	v := &Verb{
		Span: s, Name: p.newName(g.Name, "a verb"), Pattern: p.pattern(g.Pattern), Doc: p.optText(g.Doc),
		Clauses: b.clauses, Do: b.do, NoActor: g.Nobody != nil, BetweenTurns: g.Between != nil, As: p.optIdent(g.As),
	}
	// Without a text between them, "without actor" reads like two words of the pattern.
	if n := len(v.Pattern); n >= 2 && isPatWord(v.Pattern[n-2], "without") && isPatWord(v.Pattern[n-1], "actor") {
		v.Pattern, v.NoActor = v.Pattern[:n-2], true
	}
	if n := len(v.Pattern); n >= 2 && v.Doc == nil && isPatWord(v.Pattern[n-2], "as") {
		if told, ok := v.Pattern[n-1].(*PatWord); ok {
			v.Pattern, v.As = v.Pattern[:n-2], &Ident{Span: told.Span, Name: told.Word}
		}
	}
	return v
}

func isPatWord(p Pat, word string) bool {
	w, ok := p.(*PatWord)
	return ok && w.Word == word
}

func (g *clauseSetG) lower(p *parser, s Span) Stmt {
	return &ClauseSet{Span: s, Name: p.ident(g.Name), Params: p.params(g.Params), Base: p.optIdent(g.Base), Doc: p.optText(g.Doc), Clauses: g.Body.(clauseList)}
}

func (g *clauseG) lower(p *parser, s Span) *Clause {
	c := &Clause{
		Span: s, Name: p.ident(g.Name), Doc: p.optText(g.Doc), Pattern: p.pattern(g.Pattern), Repeat: g.Repeat,
		Braces: g.Nested != nil,
	}
	if n := len(c.Pattern); n > 1 {
		if w, ok := c.Pattern[n-1].(*PatWord); ok && w.Word == "repeat" {
			c.Pattern, c.Repeat = c.Pattern[:n-1], true
		}
	}
	if g.Nested != nil {
		c.Nested = g.Nested.(clauseList)
	}
	return c
}

func (g *needsG) lower(p *parser, s Span) *Needs {
	n := &Needs{Span: s, Cond: g.Cond, Text: g.Text, Excludes: p.idents(g.Excludes), At: p.optIdent(g.At)}
	if g.Why != nil {
		n.Text = p.text(g.Why)
	}
	if g.Doubt != nil {
		n.Cond, n.Text, n.Warns = g.Doubt, g.Say, true
	}
	return n
}

func (g *usesG) lower(p *parser, s Span) *Uses {
	u := &Uses{Span: s, Set: p.ident(g.Set), As: p.newName(g.As, "a variable")}
	if g.Args != nil {
		u.Args = g.Args.(slotList)
	}
	return u
}

func (p *parser) pattern(list []pattern) []Pat {
	var out []Pat
	for _, g := range list {
		out = append(out, g.lower(p))
	}
	return out
}

func (g *patWordG) lower(p *parser) Pat {
	return &PatWord{Span: p.tokSpan(&g.Word), Word: composed(g.Word.Value)}
}

func (g *patSlotG) lower(p *parser) Pat {
	return &PatSlot{
		Span: p.span(g.Open.Pos.Offset, tokEnd(&g.Close)), Name: p.newName(g.Name, "an operand"), Type: *g.Type.typ(),
		Default: g.Default,
	}
}

func (g *patOptG) lower(p *parser) Pat {
	return &PatOpt{Span: p.span(g.Open.Pos.Offset, tokEnd(&g.Close)), Pattern: p.pattern(g.Pattern)}
}

func (g *featureG) lower(p *parser, s Span) Stmt {
	b := g.Body.(*featureParts)
	return &Feature{
		Span: s, Name: p.newName(g.Name, "a feature"), Params: p.params(g.Params), Doc: p.optText(g.Doc), Every: g.Every,
		On: p.ident(g.On), Fields: b.fields, Body: b.handlers,
	}
}

func (g *hookG) lower(p *parser, s Span) Stmt {
	return &Hook{Span: s, Name: p.ident(g.Name), Params: p.newNames(g.Params), Doc: p.optText(g.Doc)}
}

func (g *decisionG) lower(p *parser, s Span) Stmt {
	return &Decision{Span: s, Name: p.ident(g.Name), Doc: p.optText(g.Doc), By: p.optText(g.By), From: p.optText(g.From), Default: p.optText(g.Default), Manner: p.optIdent(g.Manner)}
}

func (g *handlerG) lower(p *parser, s Span) Stmt {
	return &Handler{
		Span: s, Hook: p.ident(g.Hook), Params: p.newNames(g.Params), When: g.When, Body: body(g.Body),
	}
}

func (g *goalG) lower(p *parser, s Span) Stmt {
	goal := &Goal{Span: s, Name: p.newName(g.Name, "a goal"), Params: p.newNames(g.Params), Doc: p.optText(g.Doc), Value: g.Value}
	goal.After = p.idents(g.After)
	return goal
}

func (g *checkG) lower(p *parser, s Span) Stmt {
	return &Check{Span: s, Name: p.ident(g.Name), Of: p.ident(g.Of), Doc: p.optText(g.Doc), Always: g.Always != nil, Body: body(g.Body)}
}

func (g *testG) lower(p *parser, s Span) Stmt {
	return &Test{Span: s, Name: p.text(&g.Name), After: p.optText(g.After), Body: body(g.Body)}
}

func (g *tacticsG) lower(p *parser, s Span) Stmt {
	t := &Tactics{Span: s, Entries: g.Body.(tacticList)}
	for _, w := range names(g.Who) {
		t.Who = append(t.Who, p.who(w))
	}
	return t
}

func (g *answerG) lower(p *parser, s Span) Tactic {
	t := Tactic{Span: s, When: g.Cond, On: p.optIdent(g.On), Answer: g.Answer}
	if g.Do != nil {
		t.Do = g.Do.command()
	}
	if g.On != nil {
		t.When = g.When
	}
	return t
}

// ---- statements ---------------------------------------------------------

func (g *commandG) lower(p *parser, s Span) Stmt {
	c := &Command{Span: s, Block: body(g.Body)}
	if g.Head.Type == kindCaps {
		c.Head = &Caps{Span: p.tokSpan(&g.Head), Name: composed(g.Head.Value)}
	} else {
		c.Head = &Word{Span: p.tokSpan(&g.Head), Name: composed(g.Head.Value)}
	}
	if g.Args != nil {
		c.Args = g.Args.args()
	}
	return c
}

func (g *actedG) lower(_ *parser, s Span) Stmt {
	c := g.Command.command()
	c.Span, c.Who = s, g.Who
	return c
}

func (g *letG) lower(p *parser, s Span) Stmt {
	return &Let{Span: s, Name: p.newName(g.Name, "a variable"), Value: g.Value}
}

func (g *assignG) lower(p *parser, s Span) Stmt {
	if g.Op == nil {
		return &ExprStmt{Span: s, X: g.Target}
	}
	switch g.Target.(type) {
	case *Word, *Dot, *Index:
	default:
		p.add(p.cannotAssign(g.Target, g.Value))
	}
	return &Assign{Span: s, Target: g.Target, Op: g.Op.Value, Value: g.Value, As: g.As, Note: g.Note}
}

func (g *ifG) lower(p *parser, s Span) Stmt {
	if g.A != nil {
		return &ExprStmt{Span: s, X: &Cond{Span: s, C: g.Cond, A: g.A, B: g.B}}
	}
	top := &If{Span: s, Cond: g.Cond, Then: body(g.Then)}
	at := top
	for i, e := range g.Else {
		if e.If == nil {
			at.Else = e.Body.block()
			if i+1 < len(g.Else) {
				p.add(p.secondElse(body(g.Else[i].Body).Span))
			}
			break
		}
		next := &If{Span: p.span(e.If.Pos.Offset, int(s.End)), Cond: e.Cond, Then: e.Then.block()}
		at.Else, at = next, next
		if i > maxChain {
			p.add(p.tooLong(p.tokSpan(e.If)))
			break
		}
	}
	return top
}

func (g *forG) lower(p *parser, s Span) Stmt {
	return &For{Span: s, Var: p.newName(g.Var, "a variable"), In: g.In, Where: g.Where, Body: body(g.Body)}
}

func (g *whileG) lower(_ *parser, s Span) Stmt {
	return &While{Span: s, Cond: g.Cond, Body: body(g.Body)}
}

func (g *repeatG) lower(_ *parser, s Span) Stmt {
	return &Repeat{Span: s, Count: g.Count, Body: body(g.Body)}
}

func (g *jumpG) lower(_ *parser, s Span) Stmt   { return &Jump{Span: s, Next: g.Word == "next"} }
func (g *returnG) lower(_ *parser, s Span) Stmt { return &Return{Span: s, Value: g.Value} }

func (g *sayG) lower(_ *parser, s Span) Stmt {
	return &Say{Span: s, Kind: g.Kind, Text: g.Text, At: g.At, Players: g.To}
}

func (g *offerG) lower(p *parser, s Span) Stmt {
	o := &Offer{
		Span: s, Name: p.ident(g.Name), To: g.To, Prompt: g.Prompt, Body: body(g.Body), Else: body(g.Else),
	}
	for _, part := range g.Parts {
		switch {
		case part.Cost != nil:
			p.once(o.Cost != nil, part.Cost.Range(), "costs")
			o.Cost, o.Field, o.Payer = part.Cost, p.optIdent(part.Field), part.Payer
		case part.When != nil:
			p.once(o.When != nil, part.When.Range(), "when")
			o.When = part.When
		case part.Answer != nil:
			p.once(o.Answer != nil, part.Answer.Range(), "answer")
			o.Answer = part.Answer
		case part.Unasked != nil:
			p.once(o.Unasked, p.ident(*part.Unasked).Span, "unasked")
			o.Unasked = true
		case part.Usual != nil:
			p.once(o.Usual != nil, part.Usual.Range(), "usual")
			o.Usual = part.Usual
		default:
			p.once(o.Default != nil, part.Default.Range(), "default")
			o.Default = part.Default
		}
	}
	return o
}

func (g *signalG) lower(p *parser, s Span) Stmt {
	return &Signal{Span: s, Hook: p.ident(g.Hook), Args: g.Args, To: g.To}
}

func (g *showG) lower(p *parser, s Span) Stmt {
	return &Show{Span: s, Kind: p.ident(g.Kind), Label: g.Label, By: g.By, Body: body(g.Body)}
}

func (g *outcomeG) lower(p *parser, s Span) Stmt {
	o := &Outcome{Span: s, SoFar: g.Word == "stands", Value: g.Value}
	for _, f := range g.Fields {
		o.Fields = append(o.Fields, p.named(f.Name, f.Value))
	}
	return o
}

func (p *parser) named(name lexer.Token, value Expr) Named {
	n := Named{Name: p.ident(name), Value: value}
	n.Span = cover(n.Name.Span, value.Range())
	return n
}

func (g *boundaryG) lower(p *parser, s Span) Stmt {
	return &Boundary{Span: s, End: g.Word == "end", Name: p.ident(g.Name), Title: g.Title, Secret: g.Secret}
}

func (g *runG) lower(_ *parser, s Span) Stmt { return &RunBlock{Span: s, For: g.For} }
func (g *actG) lower(_ *parser, s Span) Stmt {
	return &Act{Span: s, Who: g.Who, Asked: g.Asked, Until: g.Until}
}

func (g *expectG) lower(p *parser, s Span) Stmt {
	return &Expect{Span: s, Cond: g.Cond, Text: p.optText(g.Text)}
}

func (g *reportG) lower(_ *parser, s Span) Stmt {
	r := &Report{Span: s}
	for _, v := range g.Values {
		one := &Reported{Span: v.Value.Range(), Value: v.Value, As: v.As}
		if v.As != nil {
			one.Span = cover(one.Span, v.As.Range())
		}
		r.Values = append(r.Values, one)
	}
	return r
}

// ---- operands -----------------------------------------------------------

func (g *chooseG) lower(p *parser, s Span) Expr {
	c := &Choose{Span: s, Name: p.ident(g.Name), By: g.By, From: g.From}
	if g.Prompt != nil {
		c.Prompt = p.text(g.Prompt)
	}
	for _, part := range g.Parts {
		switch {
		case part.Cost != nil:
			p.once(c.Cost != nil, part.Cost.Range(), "costs")
			c.Cost, c.Field, c.Payer = part.Cost, p.optIdent(part.Field), part.Payer
		case part.Notes != nil:
			p.once(c.Notes != nil, part.Notes.Range(), "notes")
			c.Notes = part.Notes
		case part.Answer != nil:
			p.once(c.Answer != nil, part.Answer.Range(), "answer")
			c.Answer = part.Answer
		case part.Unasked != nil:
			p.once(c.Unasked, p.ident(*part.Unasked).Span, "unasked")
			c.Unasked = true
		case part.Usual != nil:
			p.once(c.Usual != nil, part.Usual.Range(), "usual")
			c.Usual = part.Usual
		default:
			p.once(c.Default != nil, part.Default.Range(), "default")
			c.Default = part.Default
		}
	}
	return c
}

func (g *newG) lower(p *parser, s Span) Expr {
	return &New{Span: s, Sheet: p.ident(g.Sheet), Fields: g.Fields.(slotList)}
}

// ---- bodies -------------------------------------------------------------

type (
	rowsBody    interface{ rows() }
	choicesBody interface{ choices() }
	sheetBody   interface{ sheet() }
	clauseBody  interface{ clauses() }
	verbBody    interface{ verb() }
	featureBody interface{ feature() }
	tacticBody  interface{ tactics() }
	slotsBody   interface{ slots() }
	typeRef     interface{ typ() *TypeRef }

	rowList    []Row
	choiceList []*choiceG
	clauseList []ClauseItem
	tacticList []Tactic
	slotList   []Named
	verbParts  struct {
		clauses []ClauseItem
		do      *Block
	}
	sheetParts struct {
		fields                    []*Field
		summary, reserves, atHand *Summary
	}
	featureParts struct {
		fields   []*Field
		handlers []Stmt
	}
)

func (rowList) rows()            {}
func (choiceList) choices()      {}
func (*sheetParts) sheet()       {}
func (clauseList) clauses()      {}
func (tacticList) tactics()      {}
func (slotList) slots()          {}
func (*verbParts) verb()         {}
func (*featureParts) feature()   {}
func (t *TypeRef) typ() *TypeRef { return t }

// body parses "{ … }" with one item after the other.
func (p *parser) body(lex stream, k itemKind, item func() error) error {
	k.inBlock = true
	return p.braces(lex, func() { p.items(lex, k, item, nil) })
}

// added puts what was parsed behind a list, if it was.
func added[T any](list *[]T, x T, err error) error {
	if err == nil {
		*list = append(*list, x)
	}
	return err
}

// lowered parses a production and makes the plain tree of it.
func lowered[G, T any](p *parser, lex stream, read func(*parser, stream, *G) match, lower func(*G, *parser, Span) T) (tree T, err error) {
	start := lex.Peek().Pos.Offset
	g, err := parse(p, lex, read)
	if err == nil {
		tree = lower(g, p, p.since(lex, start))
	}
	return tree, err
}

func (p *parser) parseChoices(lex stream) (choicesBody, error) {
	var list choiceList
	err := p.body(lex, itemKind{commas: true, form: choiceForm}, func() error {
		g, err := parse(p, lex, (*parser).readChoice)
		return added((*[]*choiceG)(&list), g, err)
	})
	return list, err
}

func (g *rowG) lower(_ *parser, s Span) Row {
	return Row{Span: s, Patterns: g.Patterns, Value: g.Value}
}

func (p *parser) parseRows(lex stream) (rowsBody, error) {
	var list rowList
	err := p.body(lex, itemKind{commas: true, form: rowForm}, func() error {
		r, err := lowered(p, lex, (*parser).readRow, (*rowG).lower)
		return added((*[]Row)(&list), r, err)
	})
	return list, err
}

func (p *parser) parseSheet(lex stream) (sheetBody, error) {
	b := &sheetParts{}
	err := p.body(lex, itemKind{commas: true, form: sheetForm}, func() error {
		switch t := lex.Peek(); {
		case isWord(t, "summary"):
			return p.summary(lex, &b.summary, "a summary")
		case isWord(t, "reserves"):
			return p.summary(lex, &b.reserves, "reserves")
		case isWord(t, "at_hand"):
			return p.summary(lex, &b.atHand, "at_hand")
		}
		f, err := lowered(p, lex, (*parser).readField, (*fieldG).lower)
		return added(&b.fields, f, err)
	})
	return b, err
}

func (p *parser) summary(lex stream, to **Summary, what string) error {
	s, err := lowered(p, lex, (*parser).readSummary, (*summaryG).lower)
	if err == nil {
		p.once(*to != nil, s.Span, what)
		*to = s
	}
	return err
}

func (p *parser) parseClauses(lex stream) (clauseBody, error) {
	var list clauseList
	err := p.body(lex, itemKind{commas: true, form: clauseForm}, func() error {
		c, err := p.clauseItem(lex, "clause, needs, excludes, warns, uses or block")
		return added((*[]ClauseItem)(&list), c, err)
	})
	return list, err
}

// clauseItem parses one of the things that want names.
func (p *parser) clauseItem(lex stream, want string) (ClauseItem, error) {
	t := lex.Peek()
	switch {
	case isWord(t, "clause"):
		return lowered(p, lex, (*parser).readClause, (*clauseG).lower)
	case isWord(t, "uses"):
		return lowered(p, lex, (*parser).readUses, (*usesG).lower)
	case isWord(t, "needs"), isWord(t, "excludes"), isWord(t, "warns"):
		return lowered(p, lex, (*parser).readNeeds, (*needsG).lower)
	case isWord(t, "block"):
		lex.Next()
		b := &BlockClause{Span: p.tokSpan(t)}
		if !isWord(lex.Peek(), "until") {
			return b, nil
		}
		lex.Next()
		x, err := p.parseExpr(lex)
		b.Until, b.Span = x, p.since(lex, t.Pos.Offset)
		return b, err
	}
	return nil, p.unexpected(t, want)
}

func (p *parser) parseVerbBody(lex stream) (verbBody, error) {
	v := &verbParts{}
	err := p.body(lex, itemKind{form: clauseForm}, func() error {
		t := lex.Peek()
		if !isWord(t, "do") {
			c, err := p.clauseItem(lex, "clause, needs, excludes, warns, uses, block or do")
			return added(&v.clauses, c, err)
		}
		lex.Next()
		b, err := p.parseBlock(lex)
		if err == participle.NextMatch {
			return p.unexpected(lex.Peek(), "{")
		}
		if v.do != nil {
			return p.secondDo(t)
		}
		v.do = b.block()
		return nil
	})
	return v, err
}

func (p *parser) parseFeature(lex stream) (featureBody, error) {
	b := &featureParts{}
	err := p.body(lex, itemKind{form: featureForm}, func() error {
		t := lex.Peek()
		if isWord(t, "on") || isWord(t, "recorded") || is(t, "@") {
			s, err := p.statement(lex)
			return added(&b.handlers, s, err)
		}
		f, err := lowered(p, lex, (*parser).readField, (*fieldG).lower)
		return added(&b.fields, f, err)
	})
	return b, err
}

func (p *parser) parseTactics(lex stream) (tacticBody, error) {
	var list tacticList
	err := p.body(lex, itemKind{form: tacticForm}, func() error {
		t, err := lowered(p, lex, (*parser).readAnswer, (*answerG).lower)
		return added((*[]Tactic)(&list), t, err)
	})
	return list, err
}

// parseSlots parses "(name: value, …)".
func (p *parser) parseSlots(lex stream) (slotsBody, error) {
	open := lex.Peek()
	if !is(open, "(") {
		return nil, participle.NextMatch
	}
	lex.Next()
	var list slotList
	err := p.commaList(lex, open, ")", func() error {
		g, err := parse(p, lex, (*parser).readSlot)
		if err == nil {
			list = append(list, p.named(g.Name, g.Value))
		}
		return err
	})
	return list, err
}

// parseType parses "number 1..4", "trait of target", "quality many" and
// "new trait" and "one of (a, b)".
func (p *parser) parseType(lex stream) (typeRef, error) {
	t := lex.Peek()
	if t.Type != kindWord {
		return nil, participle.NextMatch
	}
	start := t.Pos.Offset
	ref := &TypeRef{}
	if lex.Next(); t.Value == "new" && lex.Peek().Type == kindWord {
		t = lex.Next()
		ref.New = true
	}
	ref.Name = p.ident(*t)
	if t.Value == "one" && isWord(lex.Peek(), "of") {
		lex.Next()
		if err := p.oneOf(lex, ref); err != nil {
			return nil, err
		}
	} else if isWord(lex.Peek(), "of") {
		lex.Next()
		of := lex.Peek()
		if of.Type != kindWord {
			return nil, p.unexpected(of, "a name")
		}
		lex.Next()
		ref.Of = p.optIdent(of)
	} else if startsRange(lex) {
		x, err := p.climb(lex, precRange, 0)
		if err != nil {
			return nil, err
		}
		ref.Range = x
	}
	if isWord(lex.Peek(), "many") {
		lex.Next()
		ref.Many = true
	}
	ref.Span = p.since(lex, start)
	return ref, nil
}

func (p *parser) oneOf(lex stream, ref *TypeRef) error {
	open := lex.Peek()
	if !is(open, "(") {
		return p.unexpected(open, "(")
	}
	lex.Next()
	return p.commaList(lex, open, ")", func() error {
		t := lex.Peek()
		if t.Type != kindWord {
			return p.unexpected(t, "a word")
		}
		lex.Next()
		ref.OneOf = append(ref.OneOf, p.ident(*t))
		return nil
	})
}

func startsRange(lex stream) bool {
	t := lex.Peek()
	switch {
	case t.Type == kindNum, t.Type == kindSign, is(t, ".."), is(t, "-"):
		return true
	case t.Type == kindWord:
		next := peek(lex, 1)
		return is(next, "..") || next.Type == kindOpen
	}
	return false
}
