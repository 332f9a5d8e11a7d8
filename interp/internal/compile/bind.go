package compile

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/code"
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

// binding is how commands are read.
type binding struct{}

func (binding) Command(f *fn, s *lang.Command) *node { return f.command(s) }
func (binding) Tactics(f *fn, s *lang.Tactics) *node { return f.tactics(s) }

// ctx collects the values for one set of variables: of the verb, of a clause
// set, of one record of a group.
type ctx struct {
	vars   []variable
	rec    *sheet // nil for the verb itself
	vals   map[string]*node
	lists  map[string][]*node
	uses   map[string]*ctx
	groups map[string][]*node
	at     lang.Span

	// For the conditions of clauses, see needs.go.
	who    *node            // whoever the verb or set is about
	module *Module          // that declares the clauses
	outer  *ctx             // what is around a set or a record
	set    *clauseSet       // of a set
	args   []lang.Named     // of a set
	each   *each            // of a record: made for each instance that an operand names
	whole  map[string]*node // variables that are worked out before the command
}

// scope is a row of clauses that can be given now, each with where its values go.
type scope struct {
	of      *lang.Clause // that these are inside, nil for those of the verb
	clauses []scoped
	targets []target // one, or one for each instance an operand names
}

type scoped struct {
	cl    *lang.Clause
	path  []string // through uses, from the target's ctx
	needs []*lang.Needs
	set   *clauseSet // that it is of, nil where the verb itself has it
}

// target is a ctx with the instance that nested sheets are looked up on.
type target struct {
	ctx   *ctx
	actor *node
}

type binder struct {
	f        *fn
	verb     *verb
	items    []lang.Expr
	commas   []bool
	places   map[string]lang.Span // of clauses and of operands, by name
	operands map[string]lang.Span // of operands alone: a clause may have the name of its operand
	scopes   []*scope
	asleep   []*scope                       // groups that can be gone back to
	odd      map[*lang.Diagnostic]lang.Expr // the items that mistakes are about
	needs    map[*lang.Diagnostic][]string  // what a mistake says was expected
	passed   bool                           // the operand that was wrong has been read past
	before   []*node                        // what is worked out before the command, see once
	nobody   map[int]*node                  // refuses the command if what is in a register is none
	later    []func()                       // builds group records once everything was read
	given    []given                        // what has conditions
	nested   []nested                       // what another side could have been given, see whose.go

	pooled  int  // the item behind the pool that was read last
	several bool // the clause being read takes several where it names one
}

// command resolves a command: the declaration of an instance, a statement of
// the language itself, or a verb.
func (f *fn) command(cmd *lang.Command) *node {
	head, ok := cmd.Head.(*lang.Word)
	if !ok {
		d := errAt(cmd.Head.Range(), "a command begins with a verb")
		if ways := f.w.traitVerbs("terms"); cmd.Who != nil && len(ways) == 1 {
			d.Help = "write  " + text(cmd.Who.Range()) + ": " + ways[0] + " " + text(cmd.Head.Range()) + " …"
		} else if help := f.w.instead(cmd, len(f.selves) > 0); help != "" {
			d.Help = help
		}
		f.err(d)
		return nothing(cmd.Span)
	}
	if v := f.w.verbs[head.Name]; v != nil {
		f.w.refers(head.Span, v.decl.Span)
		n := f.bind(v, cmd)
		if k := f.coll.markOf(cmd); k > 0 {
			mark := f.mk(nMark, cmd.Span)
			mark.a = k
			n = f.mk(nSeq, cmd.Span, n, mark)
		}
		return n
	}
	if sh := f.w.sheets[head.Name]; sh != nil && f.script {
		if n, ok := f.w.laid[cmd]; ok {
			return n
		}
		return f.instances(sh, cmd)
	}
	switch head.Name {
	case "dice", "answers", "commands":
		return f.give(head.Name, cmd)
	case "refused", "faults", "warns":
		if cmd.Block != nil {
			return f.mustFail(head.Name, cmd)
		}
	}
	if cmd.Who == nil && cmd.Block == nil {
		if n := f.valueCommand(head, cmd); n != nil {
			return n
		}
	}
	d := errVerb(f.w, head.Span, head.Name)
	if len(cmd.Args) > 0 {
		if joined := head.Name + "_" + wordOf(cmd.Args[0].Expr); f.w.verbs[joined] != nil {
			d.Help = "its words are joined by _:  " + joined
		}
	}
	if d.Help == "" || cmd.Block != nil && cmd.Who == nil && f.w.sheets[strings.TrimSuffix(strings.TrimPrefix(d.Help, "did you mean "), "?")] == nil {
		if help := f.w.instead(cmd, len(f.selves) > 0); help != "" {
			d.Help = help
		}
	}
	f.err(d)
	if declares(cmd) {
		f.coll.undeclared(cmd)
	}
	return nothing(cmd.Span)
}

// valueCommand is a command that is really an expression: a lone word, or a
// builtin with one operand (keep d).
func (f *fn) valueCommand(head *lang.Word, cmd *lang.Command) *node {
	if len(cmd.Args) == 0 {
		n := f.knownWord(head)
		if n == nil {
			return nil
		}
		if f.script {
			return f.shown(cmd.Span, n)
		}
		return f.mk(nExpr, cmd.Span, n)
	}
	if b := code.BuiltinIndex(head.Name); b >= 0 && len(cmd.Args) == 1 && !f.script {
		return f.mk(nExpr, cmd.Span, f.builtin(b, []*node{f.expr(cmd.Args[0].Expr)}, cmd.Span))
	}
	return nil
}

// give is dice 7 8 or answers yes no 2.
func (f *fn) give(word string, cmd *lang.Command) *node {
	if len(cmd.Args) == 0 || cmd.Who != nil || cmd.Block != nil {
		f.err(errAt(cmd.Span, "%s needs at least one value after it, as in  dice 7 8,  answers yes no 2  or  commands \"attack Fang\"", word))
		return nothing(cmd.Span)
	}
	l := f.mk(nList, cmd.Span)
	for _, a := range cmd.Args {
		l.kids = append(l.kids, f.expr(a.Expr))
	}
	n := f.mk(nGive, cmd.Span, fold(&f.w.Unit, l))
	n.a = slices.Index([]string{"dice", "answers", "commands"}, word)
	return n
}

// mustFail is  refused ["part of the message"] { … },  faults … and  warns …:
// the block must be refused, or break a rule, or be warned of.
func (f *fn) mustFail(word string, cmd *lang.Command) *node {
	f.refusable++
	n := f.mk(nMustFail, cmd.Span, f.block(cmd.Block))
	f.refusable--
	info := &MustFailInfo{Word: word}
	switch len(cmd.Args) {
	case 0:
	case 1:
		t, ok := cmd.Args[0].Expr.(*lang.Text)
		if !ok {
			f.err(errAt(cmd.Args[0].Expr.Range(), "expected a part of the message, in quotes"))
		}
		info.Part = plain(t)
	default:
		f.err(errAt(cmd.Args[1].Expr.Range(), "%s takes one text and a block", word))
	}
	n.info = info
	return n
}

// bind resolves a command of a verb.
func (f *fn) bind(v *verb, cmd *lang.Command) *node {
	b, top := f.readCommand(v, cmd)
	for _, fin := range slices.Backward(b.later) {
		fin()
	}
	guards := append(b.guards(), b.warnOfNested()...) // first: what they and the verb both need is worked out once
	n := f.mk(nCall, cmd.Span, top.who)
	n.a = v.slot
	n.kids = append(n.kids, b.values(top)...)
	f.blockArg(v, cmd, top, n)
	f.w.spans[spanKey{cmd.Src, cmd.Start}] = b.places
	body := f.mk(nExpr, cmd.Span, n)
	if len(guards) > 0 {
		body = f.mk(nSeq, cmd.Span, append(guards, body)...)
	}
	for _, set := range slices.Backward(b.before) {
		if body.uses(set.a) {
			if refuse := b.nobody[set.a]; refuse != nil {
				body = f.mk(nSeq, cmd.Span, refuse, body)
			}
			body = f.mk(nSeq, cmd.Span, set, body)
		}
	}
	return body
}

// readCommand reads the operands and clauses of a command.
func (f *fn) readCommand(v *verb, cmd *lang.Command) (*binder, *ctx) {
	b := &binder{f: f, verb: v, places: map[string]lang.Span{}, operands: map[string]lang.Span{}}
	for _, a := range cmd.Args {
		b.items = append(b.items, a.Expr)
		b.commas = append(b.commas, a.Comma)
	}
	who := f.actor(v, cmd)
	top := b.newCtx(v.vars, nil, cmd.Span, nil)
	top.who, top.module = who, v.module
	faults := len(f.diags)
	sc := &scope{targets: []target{{top, who}}}
	b.addClauses(sc, v.decl.Clauses, nil, nil, nil)
	b.scopes = []*scope{sc}
	i := 0
	if len(v.decl.Pattern) > 0 {
		next, d := b.pattern(sc.targets, nil, v.decl.Pattern, 0, false)
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
	if needs := needsOf(v.decl.Clauses, nil); len(needs) > 0 && len(f.diags) == faults {
		b.given = slices.Insert(b.given, 0, given{needs: needs, word: v.name, env: top, at: cmd.Head.Range()})
	}
	return b, top
}

// blockArg compiles the block of a command and hands it to the verb.
func (f *fn) blockArg(v *verb, cmd *lang.Command, top *ctx, n *node) {
	if !v.block {
		if cmd.Block != nil {
			f.err(errAt(lang.Span{Src: cmd.Block.Src, Start: cmd.Block.Start, End: cmd.Block.Start + 1}, "%s takes no block { … }", v.name))
		}
		return
	}
	if cmd.Block == nil {
		n.kids = append(n.kids, f.constant(value.None, cmd.Span))
		return
	}
	for i, x := range v.vars {
		if x.name == "block" {
			n.kids[1+i] = f.constant(value.Yes, cmd.Span)
		}
	}
	params := 0
	g := newFn(f.w, f.module)
	if v.each {
		params = 1
		g.declare("who")
	}
	// The block is resolved once, here, where its names are known; its code may be
	// generated again.
	body := nothing(cmd.Span)
	slot := f.w.addFunc("block", params, &fnSource{module: f.module, body: func(h *fn) *node {
		h.regs = g.regs
		return body
	}})
	g.script, g.coll, g.cite, g.selves, g.refusable = f.script, f.coll, f.cite, f.selves, f.refusable
	if !f.script {
		g.selves = nil
	}
	inner := g.commandBlock(cmd.Block)
	g.resolvedBody(inner)
	f.diags = append(f.diags, g.diags...)
	f.doubts = append(f.doubts, g.doubts...)
	f.before = append(f.before, g.before...)
	if len(g.diags) == 0 {
		body = inner
	}
	n.kids = append(n.kids, f.constant(value.OfRule(slot), cmd.Block.Span))
}

// actor finds out who acts.
func (f *fn) actor(v *verb, cmd *lang.Command) *node {
	if cmd.Who != nil && v.decl.NoActor {
		d := errAt(cmd.Who.Range(), "%s takes no name before it", v.name)
		if d.Help = "write it without the name:  " + withoutActor(cmd); v.alone() && len(cmd.Args) > 0 {
			d.Help = f.w.standsAlone(v)
		}
		f.err(d)
		return f.constant(value.None, cmd.Who.Range())
	}
	switch x := cmd.Who.(type) {
	case nil:
	case *lang.Name, *lang.Text, *lang.Caps:
		return f.actorNamed(nameOf(x), x.Range())
	default:
		return f.expr(x)
	}
	if !v.who {
		return f.constant(value.None, cmd.Span)
	}
	if l := f.lookup("who"); l != nil {
		n := f.mk(nLocal, cmd.Span)
		n.a = l.reg
		return n
	}
	if len(f.selves) > 0 {
		return f.selfNode(&f.selves[len(f.selves)-1], cmd.Span)
	}
	if !f.script {
		f.err(errAt(cmd.Span, "who does this? write  (x): %s …", v.name))
		return f.constant(value.None, cmd.Span)
	}
	e := f.actingStandIn(cmd.Head.Range())
	if e == nil {
		return f.constant(value.None, cmd.Span)
	}
	return constRef(e, cmd.Span)
}

// withoutActor is a command as it was written, without who acts and without its block.
func withoutActor(cmd *lang.Command) string {
	at := cmd.Head.Range()
	if n := len(cmd.Args); n > 0 {
		at.End = cmd.Args[n-1].Expr.Range().End
	}
	if cmd.Block != nil {
		return text(at) + " { … }"
	}
	return text(at)
}

func (f *fn) actorNamed(name string, at lang.Span) *node {
	if e := f.w.entities[name]; e != nil {
		return constRef(e, at)
	}
	if g := f.w.groups[name]; g != nil {
		d := errAt(at, "which of the %d %s?", len(g), name)
		d.Help = fmt.Sprintf("write  \"%s\": …  or  for x in %s { (x): … }", g[0].name, strings.ReplaceAll(name, " ", "_"))
		f.err(d)
		return constRef(g[0], at)
	}
	var found *entity
	for _, e := range f.w.order {
		if e.owner != nil && code.SameName(strings.ToLower(e.name), strings.ToLower(name)) {
			found = e
		}
	}
	if found != nil {
		return constRef(found, at)
	}
	if f.coll.isUndeclared(name) {
		return f.constant(value.None, at)
	}
	d := errAt(at, "nobody is called %s", name)
	suggestName(d, name, f.w.everybody())
	f.err(d)
	return f.constant(value.None, at)
}

func (b *binder) newCtx(vars []variable, rec *sheet, at lang.Span, outer *ctx) *ctx {
	c := &ctx{vars: vars, rec: rec, at: at, vals: map[string]*node{}, lists: map[string][]*node{}, uses: map[string]*ctx{}, groups: map[string][]*node{}, outer: outer}
	if outer != nil {
		c.who, c.module = outer.who, outer.module
	}
	for _, v := range vars {
		if v.kind == usesVar {
			set := b.f.w.sets[v.uses.Set.Name]
			in := b.newCtx(set.vars, set.rec, at, c)
			in.set, in.args, in.module = set, v.uses.Args, set.module
			c.uses[v.name] = in
		}
	}
	return c
}

// addClauses makes clauses available in a scope, those of the sets it uses too. all are
// the conditions of every one of them.
func (b *binder) addClauses(sc *scope, items []lang.ClauseItem, path []string, all []*lang.Needs, of *clauseSet) {
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			sc.clauses = append(sc.clauses, scoped{it, path, append(slices.Clone(all), needsOf(items, it)...), of})
		case *lang.Uses:
			if set := b.f.w.sets[it.Set.Name]; set != nil {
				b.addClauses(sc, set.decl.Clauses, append(slices.Clone(path), it.As.Name), needsOf(set.decl.Clauses, nil), set)
			}
		}
	}
}

func (c *ctx) follow(path []string) *ctx {
	for _, p := range path {
		c = c.uses[p]
	}
	return c
}

// wordOf gives the clause word an item could be.
func wordOf(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Word:
		return e.Name
	case *lang.Caps:
		return e.Name
	case *lang.Rated:
		if c, ok := e.X.(*lang.Caps); ok {
			return c.Name
		}
	case *lang.Binary:
		if r := leftmost(e); r != nil {
			return wordOf(r)
		}
	}
	return ""
}

// leftmost gives the rated word that an operand such as  DN 8 + 2  begins with.
func leftmost(e lang.Expr) *lang.Rated {
	for {
		switch x := e.(type) {
		case *lang.Binary:
			e = x.X
		case *lang.Rated:
			return x
		default:
			return nil
		}
	}
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
	if w := firstWord(cl); w != "" {
		return w
	}
	return strings.ReplaceAll(cl.Name.Name, "_", " ")
}

func firstWord(cl *lang.Clause) string {
	if len(cl.Pattern) == 0 {
		return cl.Name.Name
	}
	if p, ok := cl.Pattern[0].(*lang.PatWord); ok {
		return p.Word
	}
	return ""
}

// clause reads the clause or operand at item i and gives where the next begins.
func (b *binder) clause(i int) int {
	word := wordOf(b.items[i])
	for s := len(b.scopes) - 1; s >= 0; s-- {
		if cands := b.scopes[s].beginning(word); len(cands) > 0 {
			if b.spelt(cands, i) < b.speltFurtherOut(s, word, i) {
				continue
			}
			b.sleep(s + 1)
			next := b.read(b.scopes[s], cands, i)
			b.noteNested(s, cands, i, next)
			return next
		}
	}
	for s := len(b.asleep) - 1; s >= 0; s-- {
		if cands := b.asleep[s].beginning(word); len(cands) > 0 {
			sc := b.asleep[s]
			b.scopes = append(b.scopes, sc)
			return b.read(sc, cands, i)
		}
	}
	for s := len(b.scopes) - 1; s >= 0 && b.couldName(b.items[i]); s-- {
		if cands := b.scopes[s].operands(); len(cands) > 0 {
			b.sleep(s + 1)
			return b.read(b.scopes[s], cands, i)
		}
	}
	b.f.err(b.errClause(i))
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
			if i+k >= len(b.items) || wordOf(b.items[i+k]) != word.Word {
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
	for _, sc := range b.scopes[:s] {
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
	return b.f.w.rules["pick_"+w.Name] != nil || b.f.noun(w.Name) != nil || b.f.knownWord(w) != nil
}

// isVerb says whether a word is a verb and names nobody:  target  in  attack Fang target NET.
func (b *binder) isVerb(w *lang.Word) bool {
	f := b.f
	return f.w.verbs[w.Name] != nil && f.lookup(w.Name) == nil && f.lookupCell(w) == nil && f.noun(w.Name) == nil && f.w.rules["pick_"+w.Name] == nil
}

// sleep ends the scopes from n on.
func (b *binder) sleep(n int) {
	b.asleep = append(b.asleep, b.scopes[n:]...)
	b.scopes = b.scopes[:n]
}

func (sc *scope) beginning(word string) []scoped {
	if word == "" {
		return nil
	}
	var out []scoped
	for _, c := range sc.clauses {
		if firstWord(c.cl) == word {
			out = append(out, c)
		}
	}
	return out
}

func (sc *scope) operands() []scoped {
	var out []scoped
	for _, c := range sc.clauses {
		if len(c.cl.Pattern) > 0 && firstWord(c.cl) == "" {
			out = append(out, c)
		}
	}
	return out
}

// resume finds the next item that begins a clause.
func (b *binder) resume(i int) int {
	for ; i < len(b.items); i++ {
		word := wordOf(b.items[i])
		for _, sc := range slices.Concat(b.scopes, b.asleep) {
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
	best, bestNext, bestBad := -1, -1, -1
	var worst *lang.Diagnostic
	var needs []string // what those that failed at bestBad expected
	for k, c := range cands {
		next, d := b.trial(sc, c, i)
		if d != nil {
			if next > bestBad {
				bestBad, worst, needs = next, nil, nil
			}
			if next == bestBad {
				if worst == nil || worst.Help == "" && d.Help != "" {
					worst = d
				}
				needs = merged(needs, b.needs[d])
			}
			continue
		}
		if next > bestNext {
			best, bestNext = k, next
		}
	}
	if best < 0 {
		var first string
		if needs, first = b.needed(wordOf(b.items[i]), i, bestBad, needs); first != "" {
			worst.Help = first
		}
		if b.needs[worst] != nil {
			help := worst.Help
			odd := b.odd[worst]
			worst = b.expected(bestBad, needs...)
			worst.Help = help
			if odd != nil {
				b.odd[worst] = odd
			}
		}
		b.err(worst)
		return b.resume(max(i+1, bestBad))
	}
	return b.take(sc, cands[best], i)
}

// needed adds to what the clauses of one scope expected at item bad what those of all
// others expect there, which begin at i with the same word: what the actor may spend first,
// then what the other side may. It gives the first hint that one of them has.
func (b *binder) needed(word string, i, bad int, own []string) (all []string, help string) {
	for _, sc := range slices.Concat(b.scopes, b.asleep) {
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
	return b.pattern(nil, sc.targets, b.patternOf(c.cl), i, true)
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
		b.f.w.refers(b.items[i].Range(), c.set.decl.Span)
	}
	defer b.takesSeveral(cl)()
	if cl.Repeat && cl.Braces {
		return b.takeGroup(sc, c, i)
	}
	targets := make([]target, len(sc.targets))
	for k, t := range sc.targets {
		targets[k] = target{t.ctx.follow(c.path), t.actor}
		if len(c.path) > 0 {
			targets[k].ctx.who = t.actor
		}
	}
	before := listed(cl, targets[0].ctx)
	if _, dup := b.places[cl.Name.Name]; dup && !cl.Repeat && targets[0].ctx.given(cl) {
		b.f.err(errAt(b.items[i].Range(), "%s is given twice", wordOfClause(cl)))
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
		t.ctx.vals[flagName(cl)] = b.f.constant(value.Yes, b.items[i].Range())
		b.note(c, t.ctx, before, b.places[cl.Name.Name])
	}
	if len(cl.Nested) > 0 {
		inner := &scope{of: cl}
		for k, t := range targets {
			inner.targets = append(inner.targets, target{sc.targets[k].ctx.follow(c.path), b.actorAfter(cl, t)})
		}
		b.addClauses(inner, cl.Nested, nil, nil, nil)
		b.scopes = append(b.scopes, inner)
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
	b.f.w.refers(at, cl.Span)
	if b.f.coll != nil {
		b.f.coll.clauses = append(b.f.coll.clauses, at)
	}
	for _, v := range slotVars(nil, cl.Pattern, false) {
		if own, ok := b.places[v.name]; !ok || own.Start < at.Start || own.End > at.End {
			b.places[v.name] = at
		}
	}
}

// actorAfter gives the instance that clauses inside cl look things up on.
func (b *binder) actorAfter(cl *lang.Clause, t target) *node {
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
			if n := t.ctx.vals[s.Type.Of.Name]; n != nil {
				return n
			}
		}
		if b.f.w.sheets[s.Type.Name.Name] != nil && !b.f.w.isPart(s.Type.Name.Name) {
			if n := t.ctx.vals[s.Name.Name]; n != nil {
				return n
			}
		}
	}
	return t.actor
}

// takeGroup reads an operand or clause that makes a record, or, where the
// operand names several instances, one record for each.
func (b *binder) takeGroup(sc *scope, c scoped, i int) int {
	f, cl := b.f, c.cl
	outer := sc.targets[0].ctx.follow(c.path)
	if len(c.path) > 0 {
		outer.who = sc.targets[0].actor
	}
	rec := f.w.groupRec(cl)
	vars := variables(cl.Pattern, cl.Nested)
	probe := target{b.newCtx(vars, rec, b.items[i].Range(), outer), sc.targets[0].actor}
	next, d := b.pattern([]target{probe}, nil, cl.Pattern, i, false)
	if d != nil {
		f.err(d)
		return b.resume(max(i+1, next))
	}
	b.place(cl, i, next)
	subject := firstSlot(cl)
	inner := &scope{of: cl}
	b.addClauses(inner, cl.Nested, nil, nil, nil)
	var made []*ctx
	val := probe.ctx.vals[subject]
	dynamic := -1
	switch {
	case val != nil && val.op == nConst && val.v.Kind() == value.List:
		for _, e := range f.w.Heap.Elems(val.v) {
			one := b.newCtx(vars, rec, probe.ctx.at, outer)
			for k, v := range probe.ctx.vals {
				one.vals[k] = v
			}
			one.vals[subject] = f.constant(e, val.at)
			made = append(made, one)
		}
	case val != nil && val.op != nConst && f.w.sheets[slotType(cl, subject)] != nil:
		dynamic = f.hidden(6)
		elem := f.mk(nLocal, val.at)
		elem.a = dynamic
		probe.ctx.vals[subject] = elem
		if len(c.needs) > 0 || f.w.hasNeeds(cl.Nested) {
			val = b.worked(val) // asked by the conditions as well
		}
		probe.ctx.each = &each{val, dynamic}
		made = append(made, probe.ctx)
	default:
		made = append(made, probe.ctx)
	}
	for _, m := range made {
		b.note(c, m, nil, b.places[cl.Name.Name])
		inner.targets = append(inner.targets, target{m, b.actorAfter(cl, target{m, sc.targets[0].actor})})
	}
	name := cl.Name.Name
	b.later = append(b.later, func() {
		var recs []*node
		for _, m := range made {
			recs = append(recs, b.record(m))
		}
		if dynamic >= 0 {
			all := f.mk(nComp, val.at, val, nil, recs[0])
			all.info, all.a, all.b = "list", dynamic, dynamic+1
			recs = []*node{all}
		}
		outer.groups[name] = append(recs, outer.groups[name]...)
	})
	b.scopes = append(b.scopes, inner)
	return next
}

func firstSlot(cl *lang.Clause) string {
	vs := slotVars(nil, cl.Pattern, false)
	if len(vs) == 0 {
		return ""
	}
	return vs[0].name
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
func (b *binder) values(c *ctx) []*node {
	out := make([]*node, len(c.vars))
	for i, v := range c.vars {
		out[i] = b.valueOf(c, v)
	}
	return out
}

func (b *binder) valueOf(c *ctx, v variable) *node {
	f := b.f
	if n := c.whole[v.name]; n != nil {
		return n
	}
	switch v.kind {
	case usesVar:
		return b.record(c.uses[v.name])
	case listVar:
		if l := c.lists[v.name]; len(l) > 0 {
			n := fold(&f.w.Unit, f.mk(nList, c.at, l...))
			if slices.ContainsFunc(l, func(x *node) bool { return x.op == nBuiltin && x.a == code.BuiltinIndex("only") }) {
				n = f.builtin(code.BuiltinIndex("flat"), []*node{n}, c.at) // a variable may hold several
			}
			return n
		}
	case groupVar:
		if g := c.groups[v.name]; len(g) > 0 {
			return b.concat(g, c.at)
		}
	case flagVar:
		if n := c.vals["\x00"+v.name]; n != nil {
			return n
		}
	case slotVar:
		if n := c.vals[v.name]; n != nil {
			return n
		}
		if v.def != nil {
			if w, ok := v.def.(*lang.Word); ok && f.lookup(w.Name) == nil && f.w.symbols[w.Name] {
				return f.constant(f.w.Heap.OfSymbol(w.Name), w.Span)
			}
			return f.expr(v.def)
		}
	}
	return f.constant(v.empty(), c.at)
}

// concat joins records and lists of records into one list.
func (b *binder) concat(g []*node, at lang.Span) *node {
	f := b.f
	var sum *node
	add := func(n *node) {
		if sum == nil {
			sum = n
			return
		}
		s := f.mk(nBin, at, sum, n)
		s.a = int(code.Add)
		sum = s
	}
	var run []*node
	flush := func() {
		if len(run) > 0 {
			add(f.mk(nList, at, run...))
			run = nil
		}
	}
	for _, n := range g {
		if n.op == nComp {
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
func (b *binder) record(c *ctx) *node {
	n := b.f.mk(nNew, c.at)
	n.a = c.rec.typ.ID
	n.b = b.f.hidden(1)
	sets := &newInfo{}
	for _, v := range c.vars {
		val := b.valueOf(c, v)
		if val.op == nConst && val.v == v.empty() {
			continue
		}
		n.kids = append(n.kids, val)
		sets.syms = append(sets.syms, c.rec.byName[v.name].sym)
		sets.headers = append(sets.headers, 0)
	}
	n.info = sets
	return n
}

// pattern reads a pattern from item i on. Values go to the targets; with none
// (a trial, or a look ahead) the actors in on are used for look-ups only.
func (b *binder) pattern(targets, on []target, ps []lang.Pat, i int, list bool) (int, *lang.Diagnostic) {
	for k, p := range ps {
		switch p := p.(type) {
		case *lang.PatWord:
			if i >= len(b.items) || wordOf(b.items[i]) != p.Word {
				return i, b.errExpected(i, ps, k)
			}
			if r := leftmost(b.items[i]); r != nil {
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
	if !ok || wordOf(b.items[i]) != word.Word || slot.Type.Name.Name != "whole" && slot.Type.Name.Name != "number" {
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
	if r := leftmost(b.items[i]); r != nil {
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
		return wordOf(b.items[i]) == w.Word
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
	_, d := b.pattern(nil, b.scopes[0].targets, ps, i, true)
	return d == nil
}
