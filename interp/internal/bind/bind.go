package bind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Binding fits the arguments of a command to the pattern and clauses of its
// verb. The parser knows only that a command is a row of operands; which of
// them are clause words, and what each clause takes, is looked up here.
//
// The row is read from left to right. A word that begins a clause begins that
// clause: the clauses of the clause just read are tried first, then those
// around it; after `against DODGE` the word `spend` belongs to the defence.
// Anything else is a further operand, where the verb has a repeated one.

// Binding is how commands are read.
type Binding struct{}

// Command resolves a command.
func (Binding) Command(f *resolve.Fn, s *lang.Command) *ir.Node { return command(f, s) }

// Tactics resolves a block of tactics.
func (Binding) Tactics(f *resolve.Fn, s *lang.Tactics) *ir.Node { return tactics(f, s) }

// ctx collects the values for one set of variables: of the verb, of a clause
// set, of one record of a group.
type ctx struct {
	vars   []decl.Variable
	rec    *decl.Sheet // nil for the verb itself
	vals   map[string]*ir.Node
	lists  map[string][]*ir.Node
	uses   map[string]*ctx
	groups map[string][]*ir.Node
	at     lang.Span

	// For the conditions of clauses, see needs.go.
	Who    *ir.Node            // whoever the verb or set is about
	module *decl.Module        // that declares the clauses
	outer  *ctx                // what is around a set or a record
	set    *decl.ClauseSet     // of a set
	args   []lang.Named        // of a set
	each   *each               // of a record: made for each instance that an operand names
	whole  map[string]*ir.Node // variables that are worked out before the command
}

// scope is a row of clauses that can be given now, each with where its values go.
type scope struct {
	of      *lang.Clause // that these are inside, nil for those of the verb
	Clauses []scoped
	Targets []target // one, or one for each instance an operand names
}

type scoped struct {
	cl    *lang.Clause
	Path  []string // through uses, from the target's ctx
	needs []*lang.Needs
	set   *decl.ClauseSet // that it is of, nil where the verb itself has it
}

// target is a ctx with the instance that nested sheets are looked up on.
type target struct {
	Ctx   *ctx
	Actor *ir.Node
}

type binder struct {
	f        *resolve.Fn
	verb     *decl.Verb
	items    []lang.Expr
	commas   []bool
	places   map[string]lang.Span // of clauses and of operands, by name
	operands map[string]lang.Span // of operands alone: a clause may have the name of its operand
	Scopes   []*scope
	Asleep   []*scope                       // groups that can be gone back to
	odd      map[*lang.Diagnostic]lang.Expr // the items that mistakes are about
	needs    map[*lang.Diagnostic][]string  // what a mistake says was expected
	passed   bool                           // the operand that was wrong has been read past
	before   []*ir.Node                     // what is worked out before the command, see once
	nobody   map[int]*ir.Node               // refuses the command if what is in a register is none
	Later    []func()                       // builds group records once everything was read
	given    []given                        // what has conditions
	nested   []nested                       // what another side could have been given, see whose.go

	pooled  int  // the item behind the pool that was read last
	several bool // the clause being read takes several where it names one
	unread  bool // one of several readings is being tried, see fitting
}

// command resolves a command: the declaration of an instance, a statement of
// the language itself, or a verb.
func command(f *resolve.Fn, cmd *lang.Command) *ir.Node {
	head, ok := cmd.Head.(*lang.Word)
	if !ok {
		d := decl.ErrAt(cmd.Head.Range(), "SP0301", "a command begins with a verb")
		if ways := traitVerbs(f.W, "terms"); cmd.Who != nil && len(ways) == 1 {
			d.Help = "write  " + decl.Text(cmd.Who.Range()) + ": " + ways[0] + " " + decl.Text(cmd.Head.Range()) + " …"
		} else if help := f.W.Instead(cmd, len(f.Selves) > 0); help != "" {
			d.Help = help
		}
		f.Err(d)
		return resolve.Nothing(cmd.Span)
	}
	if v := f.W.Verbs[head.Name]; v != nil {
		f.W.Refers(head.Span, v.Decl.Span)
		n := bind(f, v, cmd)
		if k := f.Coll.MarkOf(cmd); k > 0 {
			mark := f.Mk(ir.NMark, cmd.Span)
			mark.A = k
			n = f.Mk(ir.NSeq, cmd.Span, n, mark)
		}
		if f.Script {
			moment := f.Mk(ir.NMoment, cmd.Span)
			if v.Decl.NoActor && len(v.Decl.Pattern) > 0 {
				moment.A = code.Arranging
			}
			n = f.Mk(ir.NSeq, cmd.Span, moment, f.UnlessLeft(cmd.Span, n))
		}
		return n
	}
	if sh := f.W.Sheets[head.Name]; sh != nil && f.Script {
		if n, ok := f.W.Laid[cmd]; ok {
			return n
		}
		return f.Instances(sh, cmd)
	}
	if n, ok := f.W.Laid[cmd]; ok {
		return fromStock(f, cmd, n)
	}
	switch head.Name {
	case "dice", "answers", "commands", "picks":
		return give(f, head.Name, cmd)
	case "refused", "faults", "warns":
		if cmd.Block != nil {
			return mustFail(f, head.Name, cmd)
		}
	}
	if cmd.Who == nil && cmd.Block == nil {
		if n := valueCommand(f, head, cmd); n != nil {
			return n
		}
	}
	d := decl.ErrVerb(f.W, head.Span, head.Name)
	if len(cmd.Args) > 0 {
		if joined := head.Name + "_" + decl.WordOf(cmd.Args[0].Expr); f.W.Verbs[joined] != nil {
			d.Help = "its words are joined by _:  " + joined
		}
	}
	if d.Help == "" || cmd.Block != nil && cmd.Who == nil && f.W.Sheets[strings.TrimSuffix(strings.TrimPrefix(d.Help, "did you mean "), "?")] == nil {
		if help := f.W.Instead(cmd, len(f.Selves) > 0); help != "" {
			d.Help = help
		}
	}
	f.Err(d)
	if decl.Declares(cmd) {
		f.Coll.Undeclared(cmd)
	}
	return resolve.Nothing(cmd.Span)
}

// valueCommand is a command that is really an expression: a lone word, or a
// builtin with one operand (keep d).
func valueCommand(f *resolve.Fn, head *lang.Word, cmd *lang.Command) *ir.Node {
	if len(cmd.Args) == 0 {
		n := f.KnownWord(head)
		if n == nil {
			return nil
		}
		if f.Script {
			return f.Shown(cmd.Span, n)
		}
		return f.Mk(ir.NExpr, cmd.Span, n)
	}
	if b := code.BuiltinIndex(head.Name); b >= 0 && len(cmd.Args) == 1 && !f.Script {
		return f.Mk(ir.NExpr, cmd.Span, f.Builtin(b, []*ir.Node{f.Expr(cmd.Args[0].Expr)}, cmd.Span))
	}
	return nil
}

// give is dice 7 8, answers yes no 2, dice once 7 8 or answers once over reroll yes.
func give(f *resolve.Fn, word string, cmd *lang.Command) *ir.Node {
	args, how := cmd.Args, &code.Giving{Word: word}
	if len(args) > 0 && decl.WordOf(args[0].Expr) == "once" {
		args, how.Once = args[1:], true
		if len(args) > 1 && word == "answers" && decl.WordOf(args[0].Expr) == "over" {
			args, how.Over = args[2:], decl.WordOf(args[1].Expr)
		}
	}
	if at := map[string]string{"commands": "at", "answers": "after"}[word]; len(args) > 2 && decl.WordOf(args[0].Expr) == at && (at == "at" || how.Over != "") {
		told := len(f.Diags)
		n := f.Expr(args[1].Expr)
		switch {
		case len(f.Diags) > told:
			return resolve.Nothing(cmd.Span)
		case n.Op != ir.NConst || !n.V.IsInt() || n.V.Int() < 1:
			f.Err(decl.ErrAt(args[1].Expr.Range(), "SP0329", "%s needs a number from 1 after it, as in  commands at 2 \"cut\"", at))
			return resolve.Nothing(cmd.Span)
		}
		args, how.At = args[2:], int(n.V.Int())
	}
	if len(args) == 0 || cmd.Who != nil || cmd.Block != nil {
		f.Err(decl.ErrAt(cmd.Span, "SP0302", "%s needs at least one value after it, as in  dice 7 8,  answers yes no 2  or  commands \"attack Fang\"", word))
		return resolve.Nothing(cmd.Span)
	}
	l := f.Mk(ir.NList, cmd.Span)
	for _, a := range args {
		l.Kids = append(l.Kids, f.Expr(a.Expr))
	}
	n := f.Mk(ir.NGive, cmd.Span, ir.Fold(&f.W.Unit, l))
	n.Info = how
	return n
}

// mustFail is  refused ["part of the message"] { … },  faults … and  warns …:
// the block must be refused, or break a rule, or be warned of.
func mustFail(f *resolve.Fn, word string, cmd *lang.Command) *ir.Node {
	f.Refusable++
	n := f.Mk(ir.NMustFail, cmd.Span, f.Block(cmd.Block))
	f.Refusable--
	info := &ir.MustFailInfo{Word: word}
	switch len(cmd.Args) {
	case 0:
	case 1:
		t, ok := cmd.Args[0].Expr.(*lang.Text)
		if !ok {
			f.Err(decl.ErrAt(cmd.Args[0].Expr.Range(), "SP0303", "expected a part of the message, in quotes"))
		}
		info.Part = decl.Plain(t)
	default:
		f.Err(decl.ErrAt(cmd.Args[1].Expr.Range(), "SP0304", "%s takes one text and a block", word))
	}
	n.Info = info
	return n
}

// bind resolves a command of a verb.
func bind(f *resolve.Fn, v *decl.Verb, cmd *lang.Command) *ir.Node {
	b, top := ReadCommand(f, v, cmd)
	for _, fin := range slices.Backward(b.Later) {
		fin()
	}
	guards := append(b.guards(), b.warnOfNested()...) // first: what they and the verb both need is worked out once
	n := f.Mk(ir.NCall, cmd.Span, top.Who)
	n.A = v.Slot
	n.Kids = append(n.Kids, b.values(top)...)
	blockArg(f, v, cmd, n)
	f.W.Spans[decl.SpanKey{Src: cmd.Src, Start: cmd.Start}] = b.places
	body := f.Mk(ir.NExpr, cmd.Span, n)
	if len(guards) > 0 {
		body = f.Mk(ir.NSeq, cmd.Span, append(guards, body)...)
	}
	for _, set := range slices.Backward(b.before) {
		if uses(body, set.A) {
			if refuse := b.nobody[set.A]; refuse != nil {
				body = f.Mk(ir.NSeq, cmd.Span, refuse, body)
			}
			body = f.Mk(ir.NSeq, cmd.Span, set, body)
		}
	}
	return body
}

// ReadCommand reads the operands and clauses of a command.
func ReadCommand(f *resolve.Fn, v *decl.Verb, cmd *lang.Command) (*binder, *ctx) {
	b := &binder{f: f, verb: v, places: map[string]lang.Span{}, operands: map[string]lang.Span{}}
	for _, a := range cmd.Args {
		b.items = append(b.items, a.Expr)
		b.commas = append(b.commas, a.Comma)
	}
	who := actor(f, v, cmd)
	top := b.newCtx(v.Vars, nil, cmd.Span, nil)
	top.Who, top.module = who, v.Module
	faults := len(f.Diags)
	sc := &scope{Targets: []target{{top, who}}}
	b.addClauses(sc, v.Decl.Clauses, nil, nil, nil)
	b.Scopes = []*scope{sc}
	i := 0
	if len(v.Decl.Pattern) > 0 {
		next, d := b.pattern(sc.Targets, nil, v.Decl.Pattern, 0, false)
		if d != nil {
			b.err(d)
			if !b.passed {
				next = b.resume(max(next, 0))
			}
			b.passed = false
		}
		i = next
	}
	for i < len(b.items) {
		i = b.clause(i)
	}
	// What a command lacks as a whole is told only if nothing in it could not be read.
	if needs := NeedsOf(v.Decl.Clauses); len(needs) > 0 && len(f.Diags) == faults {
		b.given = slices.Insert(b.given, 0, given{needs: needs, word: v.Name, env: top, at: cmd.Head.Range()})
	}
	return b, top
}

// blockArg compiles the block of a command and hands it to the verb.
func blockArg(f *resolve.Fn, v *decl.Verb, cmd *lang.Command, n *ir.Node) {
	if !v.Block {
		if cmd.Block != nil {
			f.Err(decl.ErrAt(lang.Span{Src: cmd.Block.Src, Start: cmd.Block.Start, End: cmd.Block.Start + 1}, "SP0305", "%s takes no block { … }", v.Name))
		}
		return
	}
	if cmd.Block == nil {
		n.Kids = append(n.Kids, f.Constant(value.None, cmd.Span))
		return
	}
	for i, x := range v.Vars {
		if x.Name == "block" {
			n.Kids[1+i] = f.Constant(value.Yes, cmd.Span)
		}
	}
	params := 0
	g := resolve.NewFn(f.W, f.Module)
	if v.Each {
		params = 1
		g.Declare("who")
	}
	// The block is resolved once, here, where its names are known; its code may be
	// generated again.
	body := resolve.Nothing(cmd.Span)
	slot := resolve.AddFunc(f.W, "block", params, &resolve.FnSource{Module: f.Module, Body: func(h *resolve.Fn) *ir.Node {
		h.Regs = g.Regs
		return body
	}})
	g.Script, g.Coll, g.Cite, g.Selves, g.Refusable, g.Untils = f.Script, f.Coll, f.Cite, f.Selves, f.Refusable, slices.Clip(f.Untils)
	if v.Until > 0 {
		g.Untils = append(g.Untils, v.Until)
	}
	if !f.Script {
		g.Selves = nil
	}
	inner := commandBlock(g, cmd.Block)
	g.ResolvedBody(inner)
	f.Encloses(g)
	if len(g.Diags) == 0 {
		body = inner
	}
	n.Kids = append(n.Kids, f.Constant(value.OfRule(slot), cmd.Block.Span))
}

// takesSomebody says whether the first operand of a verb is somebody or something declared.
func takesSomebody(w *decl.World, v *decl.Verb) bool {
	if len(v.Decl.Pattern) == 0 {
		return false
	}
	first, ok := v.Decl.Pattern[0].(*lang.PatSlot)
	return ok && w.Sheets[first.Type.Name.Name] != nil
}

// actor finds out who acts.
func actor(f *resolve.Fn, v *decl.Verb, cmd *lang.Command) *ir.Node {
	if cmd.Who != nil && v.Decl.NoActor {
		d := decl.ErrAt(cmd.Who.Range(), "SP0306", "%s takes no name before it", v.Name)
		if d.Help = "write it without the name:  " + withoutActor(cmd); alone(v) && len(cmd.Args) > 0 {
			d.Help = standsAlone(f.W, v)
		} else if len(cmd.Args) == 0 && takesSomebody(f.W, v) {
			d.Help = "write the name after it:  " + withoutActor(cmd) + " " + decl.Text(cmd.Who.Range())
		}
		f.Err(d)
		return f.Constant(value.None, cmd.Who.Range())
	}
	switch x := cmd.Who.(type) {
	case nil:
	case *lang.Name, *lang.Text, *lang.Caps:
		return actorNamed(f, decl.NameOf(x), x.Range())
	default:
		return f.Expr(x)
	}
	if !v.Who {
		return f.Constant(value.None, cmd.Span)
	}
	if l := f.Lookup("who"); l != nil {
		n := f.Mk(ir.NLocal, cmd.Span)
		n.A = l.Reg
		return n
	}
	if len(f.Selves) > 0 {
		return f.SelfNode(&f.Selves[len(f.Selves)-1], cmd.Span)
	}
	if !f.Script {
		f.Err(decl.ErrAt(cmd.Span, "SP0307", "who does this? write  (x): %s …", v.Name))
		return f.Constant(value.None, cmd.Span)
	}
	e := f.ActingStandIn(cmd.Head.Range())
	if e == nil {
		return f.Constant(value.None, cmd.Span)
	}
	return resolve.ConstRef(e, cmd.Span)
}

// withoutActor is a command as it was written, without who acts and without its block.
func withoutActor(cmd *lang.Command) string {
	at := cmd.Head.Range()
	if n := len(cmd.Args); n > 0 {
		at.End = cmd.Args[n-1].Expr.Range().End
	}
	if cmd.Block != nil {
		return decl.Text(at) + " { … }"
	}
	return decl.Text(at)
}

func actorNamed(f *resolve.Fn, name string, at lang.Span) *ir.Node {
	if e := f.W.Entities[name]; e != nil {
		f.W.Refers(at, e.At)
		return resolve.ConstRef(e, at)
	}
	if g := f.W.Groups[name]; g != nil {
		d := decl.ErrAt(at, "SP0308", "which of the %d %s?", len(g), name)
		d.Help = fmt.Sprintf("write  \"%s\": …  or  for x in %s { (x): … }", g[0].Name, strings.ReplaceAll(name, " ", "_"))
		f.Err(d)
		return resolve.ConstRef(g[0], at)
	}
	var found *decl.Entity
	for _, e := range f.W.Order {
		if e.Owner != nil && code.SameName(strings.ToLower(e.Name), strings.ToLower(name)) {
			found = e
		}
	}
	if found != nil {
		return resolve.ConstRef(found, at)
	}
	if f.Coll.IsUndeclared(name) {
		return f.Constant(value.None, at)
	}
	d := decl.ErrAt(at, "SP0309", "nobody is called %s", name)
	decl.SuggestName(d, name, resolve.Everybody(f.W))
	f.Err(d)
	return f.Constant(value.None, at)
}

func (b *binder) newCtx(vars []decl.Variable, rec *decl.Sheet, at lang.Span, outer *ctx) *ctx {
	c := &ctx{vars: vars, rec: rec, at: at, vals: map[string]*ir.Node{}, lists: map[string][]*ir.Node{}, uses: map[string]*ctx{}, groups: map[string][]*ir.Node{}, outer: outer}
	if outer != nil {
		c.Who, c.module = outer.Who, outer.module
	}
	for _, v := range vars {
		if v.Kind == decl.UsesVar {
			set := b.f.W.Sets[v.Uses.Set.Name]
			in := b.newCtx(set.Vars, set.Rec, at, c)
			in.set, in.args, in.module = set, v.Uses.Args, set.Module
			c.uses[v.Name] = in
		}
	}
	return c
}

// addClauses makes clauses available in a scope, those of the sets it uses too. all are
// the conditions of every one of them.
func (b *binder) addClauses(sc *scope, items []lang.ClauseItem, path []string, all []*lang.Needs, of *decl.ClauseSet) {
	for i, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			sc.Clauses = append(sc.Clauses, scoped{it, path, append(slices.Clone(all), NeedsOf(items[i+1:])...), of})
		case *lang.Uses:
			if set := b.f.W.Sets[it.Set.Name]; set != nil {
				b.addClauses(sc, set.Decl.Clauses, append(slices.Clone(path), it.As.Name), NeedsOf(set.Decl.Clauses), set)
			}
		}
	}
}

// Follow gives the values of a set within a set.
func (c *ctx) Follow(path []string) *ctx {
	for _, p := range path {
		c = c.uses[p]
	}
	return c
}

// unrated gives an operand without the word it begins with.
func unrated(e lang.Expr) lang.Expr {
	switch x := e.(type) {
	case *lang.Binary:
		n := *x
		n.X = unrated(x.X)
		return &n
	case *lang.Rated:
		return x.Rating
	}
	return e
}

// wordOfClause is what a clause is called in messages: the word it begins with.
func wordOfClause(cl *lang.Clause) string {
	if w := decl.FirstWord(cl); w != "" {
		return w
	}
	return strings.ReplaceAll(cl.Name.Name, "_", " ")
}

// clause reads the clause or operand at item i and gives where the next begins.
func (b *binder) clause(i int) int {
	word := decl.WordOf(b.items[i])
	for s := len(b.Scopes) - 1; s >= 0; s-- {
		if cands := b.Scopes[s].beginning(word); len(cands) > 0 {
			if b.spelt(cands, i) < b.speltFurtherOut(s, word, i) {
				continue
			}
			b.sleep(s + 1)
			next := b.read(b.Scopes[s], cands, i)
			b.noteNested(s, cands, i, next)
			return next
		}
	}
	for s := len(b.Asleep) - 1; s >= 0; s-- {
		if cands := b.Asleep[s].beginning(word); len(cands) > 0 {
			sc := b.Asleep[s]
			b.Scopes = append(b.Scopes, sc)
			return b.read(sc, cands, i)
		}
	}
	for s := len(b.Scopes) - 1; s >= 0 && b.couldName(b.items[i]); s-- {
		if cands := b.Scopes[s].operands(); len(cands) > 0 {
			b.sleep(s + 1)
			return b.read(b.Scopes[s], cands, i)
		}
	}
	b.f.Err(b.errClause(i))
	return b.resume(i + 1)
}

// spelt says how many of the words that one of some clauses begins with are there
// from item i on, which is a lot where all are: "spend gold keep" begins like
// "spend wood", and is another clause.
func (b *binder) spelt(cands []scoped, i int) int {
	const all = 1 << 20
	far := 0
	for _, c := range cands {
		n := 0
		for k, p := range b.patternOf(c.cl) {
			word, ok := p.(*lang.PatWord)
			if !ok {
				n = all
				break
			}
			if i+k >= len(b.items) || decl.WordOf(b.items[i+k]) != word.Word {
				break
			}
			n++
		}
		if n == len(b.patternOf(c.cl)) {
			n = all
		}
		far = max(far, n)
	}
	return far
}

// speltFurtherOut says how many there are of a clause of the scopes around s.
func (b *binder) speltFurtherOut(s int, word string, i int) int {
	far := 0
	for _, sc := range b.Scopes[:s] {
		far = max(far, b.spelt(sc.beginning(word), i))
	}
	return far
}

// couldName says whether an item could be an operand at all: a bare word only
// when it picks somebody or is a variable.
func (b *binder) couldName(e lang.Expr) bool {
	w, ok := e.(*lang.Word)
	if !ok {
		return true
	}
	if b.isVerb(w) {
		return false
	}
	return b.f.W.Rules["pick_"+w.Name] != nil || b.f.Noun(w.Name) != nil || b.f.KnownWord(w) != nil
}

// isVerb says whether a word is a verb and names nobody:  target  in  attack Fang target NET.
func (b *binder) isVerb(w *lang.Word) bool {
	f := b.f
	return f.W.Verbs[w.Name] != nil && f.Lookup(w.Name) == nil && f.LookupCell(w) == nil && f.Noun(w.Name) == nil && f.W.Rules["pick_"+w.Name] == nil
}

// sleep ends the scopes from n on.
func (b *binder) sleep(n int) {
	b.Asleep = append(b.Asleep, b.Scopes[n:]...)
	b.Scopes = b.Scopes[:n]
}

func (sc *scope) beginning(word string) []scoped {
	if word == "" {
		return nil
	}
	var out []scoped
	for _, c := range sc.Clauses {
		if decl.FirstWord(c.cl) == word {
			out = append(out, c)
		}
	}
	return out
}

func (sc *scope) operands() []scoped {
	var out []scoped
	for _, c := range sc.Clauses {
		if len(c.cl.Pattern) > 0 && decl.FirstWord(c.cl) == "" {
			out = append(out, c)
		}
	}
	return out
}

// resume finds the next item that begins a clause.
func (b *binder) resume(i int) int {
	for ; i < len(b.items); i++ {
		word := decl.WordOf(b.items[i])
		for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
			if len(sc.beginning(word)) > 0 {
				return i
			}
		}
	}
	return i
}

// read reads one of several clauses that begin alike: the one that takes most.
func (b *binder) read(sc *scope, cands []scoped, i int) int {
	if d := b.smallLetters(cands, i); d != nil {
		b.err(d)
		return b.resume(i + 1)
	}
	if best := b.fitting(sc, cands, i); best >= 0 {
		return b.take(sc, cands[best], i)
	}
	bestBad := -1
	var worst *lang.Diagnostic
	var needs []string // what those that failed at bestBad expected
	for _, c := range cands {
		next, d := b.trial(sc, c, i)
		if next > bestBad {
			bestBad, worst, needs = next, nil, nil
		}
		if next == bestBad {
			if worst == nil || worst.Help == "" && d.Help != "" {
				worst = d
			}
			needs = merged(needs, b.needs[d])
		}
	}
	var first string
	if needs, first = b.needed(decl.WordOf(b.items[i]), i, bestBad, needs); first != "" {
		worst.Help = first
	}
	if b.needs[worst] != nil {
		help := worst.Help
		odd := b.odd[worst]
		worst = b.expected(bestBad, needs...)
		worst.Help = cmp.Or(help, worst.Help)
		if odd != nil {
			b.odd[worst] = odd
		}
	}
	b.err(worst)
	return b.resume(max(i+1, bestBad))
}

// fitting gives which of several clauses takes most, -1 if none fits. Nobody reads the
// messages about those that do not, so they name nothing that is spelt alike.
func (b *binder) fitting(sc *scope, cands []scoped, i int) int {
	b.unread = true
	defer func() { b.unread = false }()
	best, bestNext := -1, -1
	for k, c := range cands {
		if next, d := b.trial(sc, c, i); d == nil && next > bestNext {
			best, bestNext = k, next
		}
	}
	return best
}

// needed adds to what the clauses of one scope expected at item bad what those of all
// others expect there, which begin at i with the same word: what the actor may spend first,
// then what the other side may. It gives the first hint that one of them has.
func (b *binder) needed(word string, i, bad int, own []string) (all []string, help string) {
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, c := range sc.beginning(word) {
			if next, d := b.trial(sc, c, i); d != nil && next == bad {
				all = merged(all, b.needs[d])
				if help == "" {
					help = d.Help
				}
			}
		}
	}
	return merged(all, own), help
}

// merged adds what is new to a list.
func merged(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// trial reads a clause without consequences.
func (b *binder) trial(sc *scope, c scoped, i int) (int, *lang.Diagnostic) {
	defer b.takesSeveral(c.cl)()
	return b.pattern(nil, sc.Targets, b.patternOf(c.cl), i, true)
}

// takesSeveral notes whether a clause being read takes several where it names one, until
// what it gives is called.
func (b *binder) takesSeveral(cl *lang.Clause) func() {
	before := b.several
	b.several = cl.Repeat
	return func() { b.several = before }
}

func (b *binder) patternOf(cl *lang.Clause) []lang.Pat {
	if len(cl.Pattern) == 0 {
		return []lang.Pat{&lang.PatWord{Span: cl.Span, Word: cl.Name.Name}}
	}
	return cl.Pattern
}

// take reads a clause for good.
func (b *binder) take(sc *scope, c scoped, i int) int {
	cl := c.cl
	if c.set != nil {
		b.f.W.Refers(b.items[i].Range(), c.set.Decl.Span)
	}
	defer b.takesSeveral(cl)()
	if cl.Repeat && cl.Braces {
		return b.takeGroup(sc, c, i)
	}
	targets := make([]target, len(sc.Targets))
	for k, t := range sc.Targets {
		targets[k] = target{t.Ctx.Follow(c.Path), t.Actor}
		if len(c.Path) > 0 {
			targets[k].Ctx.Who = t.Actor
		}
	}
	before := listed(cl, targets[0].Ctx)
	if _, dup := b.places[cl.Name.Name]; dup && !cl.Repeat && targets[0].Ctx.given(cl) {
		b.f.Err(decl.ErrAt(b.items[i].Range(), "SP0310", "%s is given twice", wordOfClause(cl)))
	}
	next, d := b.pattern(targets, nil, b.patternOf(cl), i, cl.Repeat)
	if d != nil {
		b.err(d)
		if b.passed {
			b.passed = false
			return next
		}
		return b.resume(max(i+1, next))
	}
	b.place(cl, i, next)
	for _, t := range targets {
		t.Ctx.vals[flagName(cl)] = b.f.Constant(value.Yes, b.items[i].Range())
		b.note(c, t.Ctx, before, b.places[cl.Name.Name])
	}
	if len(cl.Nested) > 0 {
		inner := &scope{of: cl}
		for k, t := range targets {
			inner.Targets = append(inner.Targets, target{sc.Targets[k].Ctx.Follow(c.Path), b.actorAfter(cl, t)})
		}
		b.addClauses(inner, cl.Nested, nil, nil, nil)
		b.Scopes = append(b.Scopes, inner)
	}
	return next
}

func flagName(cl *lang.Clause) string { return "\x00" + cl.Name.Name }

func (c *ctx) given(cl *lang.Clause) bool { return c.vals[flagName(cl)] != nil }

// place remembers where a clause and its slots were written.
func (b *binder) place(cl *lang.Clause, i, next int) {
	from, to := b.items[i].Range(), b.items[max(i, next-1)].Range()
	at := lang.Span{Src: from.Src, Start: from.Start, End: to.End}
	b.places[cl.Name.Name] = at
	b.f.W.Refers(at, cl.Span)
	if b.f.Coll != nil {
		b.f.Coll.Clauses = append(b.f.Coll.Clauses, at)
	}
	for _, v := range decl.SlotVars(nil, cl.Pattern, false) {
		if own, ok := b.places[v.Name]; !ok || own.Start < at.Start || own.End > at.End {
			b.places[v.Name] = at
		}
	}
}

// Place says where a clause or an operand of that name was written.
func (b *binder) Place(name string) (at lang.Span, ok bool) {
	at, ok = b.places[name]
	return at, ok
}

// actorAfter gives the instance that clauses inside cl look things up on.
func (b *binder) actorAfter(cl *lang.Clause, t target) *ir.Node {
	for _, p := range cl.Pattern {
		s, ok := p.(*lang.PatSlot)
		if o, in := p.(*lang.PatOpt); in && len(o.Pattern) == 1 {
			// against [(defence trait of foe)]: the foe's, whether it is named or not
			if s, ok = o.Pattern[0].(*lang.PatSlot); ok && s.Type.Of == nil {
				continue
			}
		}
		if !ok {
			continue
		}
		if s.Type.Of != nil && s.Type.Of.Name != "who" {
			if n := t.Ctx.vals[s.Type.Of.Name]; n != nil {
				return n
			}
		}
		if b.f.W.Sheets[s.Type.Name.Name] != nil && !b.f.W.IsPart(s.Type.Name.Name) {
			if n := t.Ctx.vals[s.Name.Name]; n != nil {
				return n
			}
		}
	}
	return t.Actor
}

// takeGroup reads an operand or clause that makes a record, or, where the
// operand names several instances, one record for each.
func (b *binder) takeGroup(sc *scope, c scoped, i int) int {
	f, cl := b.f, c.cl
	outer := sc.Targets[0].Ctx.Follow(c.Path)
	if len(c.Path) > 0 {
		outer.Who = sc.Targets[0].Actor
	}
	rec := f.W.GroupRec(cl)
	vars := decl.Variables(cl.Pattern, cl.Nested)
	probe := target{b.newCtx(vars, rec, b.items[i].Range(), outer), sc.Targets[0].Actor}
	next, d := b.pattern([]target{probe}, nil, cl.Pattern, i, false)
	if d != nil {
		f.Err(d)
		return b.resume(max(i+1, next))
	}
	b.place(cl, i, next)
	subject := firstSlot(cl)
	inner := &scope{of: cl}
	b.addClauses(inner, cl.Nested, nil, nil, nil)
	var made []*ctx
	val := probe.Ctx.vals[subject]
	dynamic := -1
	switch {
	case val != nil && val.Op == ir.NConst && val.V.Kind() == value.List:
		for _, e := range f.W.Heap.Elems(val.V) {
			one := b.newCtx(vars, rec, probe.Ctx.at, outer)
			for k, v := range probe.Ctx.vals {
				one.vals[k] = v
			}
			one.vals[subject] = f.Constant(e, val.At)
			made = append(made, one)
		}
	case val != nil && val.Op != ir.NConst && f.W.Sheets[slotType(cl, subject)] != nil:
		dynamic = f.Hidden(6)
		elem := f.Mk(ir.NLocal, val.At)
		elem.A = dynamic
		probe.Ctx.vals[subject] = elem
		if len(c.needs) > 0 || hasNeeds(f.W, cl.Nested) {
			val = b.worked(val) // asked by the conditions as well
		}
		probe.Ctx.each = &each{val, dynamic}
		made = append(made, probe.Ctx)
	default:
		made = append(made, probe.Ctx)
	}
	for _, m := range made {
		b.note(c, m, nil, b.places[cl.Name.Name])
		inner.Targets = append(inner.Targets, target{m, b.actorAfter(cl, target{m, sc.Targets[0].Actor})})
	}
	name := cl.Name.Name
	b.Later = append(b.Later, func() {
		var recs []*ir.Node
		for _, m := range made {
			recs = append(recs, b.record(m))
		}
		if dynamic >= 0 {
			all := f.Mk(ir.NComp, val.At, val, nil, recs[0])
			all.Info, all.A, all.B = "list", dynamic, dynamic+1
			recs = []*ir.Node{all}
		}
		outer.groups[name] = append(recs, outer.groups[name]...)
	})
	b.Scopes = append(b.Scopes, inner)
	return next
}

func firstSlot(cl *lang.Clause) string {
	vs := decl.SlotVars(nil, cl.Pattern, false)
	if len(vs) == 0 {
		return ""
	}
	return vs[0].Name
}

func slotType(cl *lang.Clause, name string) string {
	for _, p := range cl.Pattern {
		if s, ok := p.(*lang.PatSlot); ok && s.Name.Name == name {
			return s.Type.Name.Name
		}
	}
	return ""
}

// values gives the nodes for the variables of a ctx, in order.
func (b *binder) values(c *ctx) []*ir.Node {
	out := make([]*ir.Node, len(c.vars))
	for i, v := range c.vars {
		out[i] = b.valueOf(c, v)
	}
	return out
}

// ofSeveral says whether an entry of a list may be several: what a variable holds, or those whom a word
// such as heroes stands for.
func ofSeveral(x *ir.Node) bool {
	return x.Op == ir.NLocal || x.Op == ir.NBuiltin && (x.A == code.BuiltinIndex("only") || x.A == code.BuiltinIndex("list"))
}

func (b *binder) valueOf(c *ctx, v decl.Variable) *ir.Node {
	f := b.f
	if n := c.whole[v.Name]; n != nil {
		return n
	}
	switch v.Kind {
	case decl.UsesVar:
		return b.record(c.uses[v.Name])
	case decl.ListVar:
		if l := c.lists[v.Name]; len(l) > 0 {
			n := ir.Fold(&f.W.Unit, f.Mk(ir.NList, c.at, l...))
			if slices.ContainsFunc(l, ofSeveral) {
				n = f.Builtin(code.BuiltinIndex("flat"), []*ir.Node{n}, c.at)
			}
			return n
		}
	case decl.GroupVar:
		if g := c.groups[v.Name]; len(g) > 0 {
			return b.concat(g, c.at)
		}
	case decl.FlagVar:
		if n := c.vals["\x00"+v.Name]; n != nil {
			return n
		}
	case decl.SlotVar:
		if n := c.vals[v.Name]; n != nil {
			return n
		}
		if v.Def != nil {
			if w, ok := v.Def.(*lang.Word); ok && f.Lookup(w.Name) == nil && f.W.Symbols[w.Name] {
				return f.Constant(f.W.Heap.OfSymbol(w.Name), w.Span)
			}
			return f.Expr(v.Def)
		}
	}
	return f.Constant(v.Empty(), c.at)
}

// concat joins records and lists of records into one list.
func (b *binder) concat(g []*ir.Node, at lang.Span) *ir.Node {
	f := b.f
	var sum *ir.Node
	add := func(n *ir.Node) {
		if sum == nil {
			sum = n
			return
		}
		s := f.Mk(ir.NBin, at, sum, n)
		s.A = int(code.Add)
		sum = s
	}
	var run []*ir.Node
	flush := func() {
		if len(run) > 0 {
			add(f.Mk(ir.NList, at, run...))
			run = nil
		}
	}
	for _, n := range g {
		if n.Op == ir.NComp {
			flush()
			add(n)
			continue
		}
		run = append(run, n)
	}
	flush()
	return sum
}

// record makes the record of a ctx; only what was given has to be set.
func (b *binder) record(c *ctx) *ir.Node {
	n := b.f.Mk(ir.NNew, c.at)
	n.A = c.rec.Typ.ID
	n.B = b.f.Hidden(1)
	sets := &ir.NewInfo{}
	for _, v := range c.vars {
		val := b.valueOf(c, v)
		if val.Op == ir.NConst && val.V == v.Empty() {
			continue
		}
		n.Kids = append(n.Kids, val)
		sets.Syms = append(sets.Syms, c.rec.ByName[v.Name].Sym)
		sets.Headers = append(sets.Headers, 0)
	}
	n.Info = sets
	return n
}

// pattern reads a pattern from item i on. Values go to the targets; with none
// (a trial, or a look ahead) the actors in on are used for look-ups only.
func (b *binder) pattern(targets, on []target, ps []lang.Pat, i int, list bool) (int, *lang.Diagnostic) {
	for k, p := range ps {
		switch p := p.(type) {
		case *lang.PatWord:
			if i >= len(b.items) || decl.WordOf(b.items[i]) != p.Word {
				return i, b.errExpected(i, ps, k)
			}
			if r := decl.Leftmost(b.items[i]); r != nil {
				b.split(i, r)
			}
			i++
		case *lang.PatOpt:
			if !b.begins(p.Pattern, i) {
				continue
			}
			if _, slot := p.Pattern[0].(*lang.PatSlot); slot && k > 0 && i < len(b.items) && b.commas[i] {
				continue // a comma begins something else
			}
			if b.nextBegins(ps[k+1:], i) {
				continue // it is a word of the pattern, and no name
			}
			next, d := b.pattern(targets, on, p.Pattern, i, list)
			if d != nil {
				// a bare word may well begin a clause; a name or a trait is meant
				_, lit := p.Pattern[0].(*lang.PatWord)
				if _, word := b.items[i].(*lang.Word); lit || !word {
					return next, d
				}
				continue
			}
			i = next
		case *lang.PatSlot:
			b.nameWithDie(ps[k:], i)
			if d := b.numberLeftOut(ps[k:], i); d != nil {
				return i, d
			}
			next, d := b.slot(targets, on, p, i, list)
			if d != nil {
				if d.Help == "" && next == i && i < len(b.items) {
					d.Help = b.kindFirst(ps[k:], i)
				}
				return next, d
			}
			i = next
		}
	}
	return i, nil
}

// numberLeftOut finds the word that stands behind a number where the number should be:
// give luck to Ann.
func (b *binder) numberLeftOut(ps []lang.Pat, i int) *lang.Diagnostic {
	if len(ps) < 2 || i >= len(b.items) {
		return nil
	}
	slot := ps[0].(*lang.PatSlot)
	word, ok := ps[1].(*lang.PatWord)
	if !ok || decl.WordOf(b.items[i]) != word.Word || slot.Type.Name.Name != "whole" && slot.Type.Name.Name != "number" {
		return nil
	}
	d := b.expected(i, b.wanted(slot)...)
	d.Help = "write  1 " + word.Word
	return d
}

// nextBegins says whether the word at item i is what the rest of a pattern goes on with.
func (b *binder) nextBegins(rest []lang.Pat, i int) bool {
	if len(rest) == 0 || i >= len(b.items) {
		return false
	}
	next := rest[0]
	if opt, ok := next.(*lang.PatOpt); ok && len(opt.Pattern) > 0 {
		next = opt.Pattern[0]
	}
	w, ok := next.(*lang.PatWord)
	here, bare := b.items[i].(*lang.Word)
	return ok && bare && here.Name == w.Word
}

// nameWithDie makes two items of a name and what stands behind it where a pattern has an
// operand for each:  give complication SPRAIN d8 to Ann.
func (b *binder) nameWithDie(ps []lang.Pat, i int) {
	if len(ps) < 2 || i >= len(b.items) {
		return
	}
	name, ok := ps[0].(*lang.PatSlot)
	next, ok2 := ps[1].(*lang.PatSlot)
	if !ok || !ok2 || name.Type.Name.Name != "word" || !slices.Contains([]string{"die", "dice", "number", "whole"}, next.Type.Name.Name) {
		return
	}
	if r := decl.Leftmost(b.items[i]); r != nil {
		b.split(i, r)
	}
}

// split makes two items of a rated word whose word is a word of the pattern.
func (b *binder) split(i int, r *lang.Rated) {
	b.items = slices.Concat(b.items[:i], []lang.Expr{r.X, unrated(b.items[i])}, b.items[i+1:])
	b.commas = slices.Concat(b.commas[:i+1], []bool{false}, b.commas[i+1:])
}

// begins says whether an optional pattern can begin at item i.
func (b *binder) begins(ps []lang.Pat, i int) bool {
	if i >= len(b.items) {
		return false
	}
	if w, ok := ps[0].(*lang.PatWord); ok {
		return decl.WordOf(b.items[i]) == w.Word
	}
	if _, ok := b.items[i].(*lang.Word); ok && b.isClause(i) {
		return b.readsOn(ps, i)
	}
	return true
}

// readsOn says whether an optional pattern of several operands fits from a word on that
// could begin a clause as well: in  counter complication SLOW  the last word
// cannot stand behind a clause  complication.
func (b *binder) readsOn(ps []lang.Pat, i int) bool {
	for k, p := range ps {
		if _, opt := p.(*lang.PatOpt); opt {
			break
		}
		if k > 0 && (i+k >= len(b.items) || b.isClause(i+k)) {
			return false
		}
	}
	if _, more := ps[min(1, len(ps)-1)].(*lang.PatSlot); len(ps) < 2 || !more {
		return false
	}
	_, d := b.pattern(nil, b.Scopes[0].Targets, ps, i, true)
	return d == nil
}
