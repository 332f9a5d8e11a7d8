package compile

import (
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// stmt follows a statement.
func (p *pe) stmt(n *node, env []av) flow {
	if n == nil {
		return goesOn
	}
	p.look()
	switch n.op {
	case nSeq:
		for _, k := range n.kids {
			if p.stmt(k, env) == ended {
				return ended
			}
		}
	case nNothing:
	case nSet:
		env[n.a] = p.force(p.expr(n.kids[0], env))
	case nSetCell:
		v := p.leaf(p.expr(n.kids[0], env), n.at)
		p.emit(&node{op: nSetCell, a: n.a, kids: []*node{v}, at: n.at, rule: n.rule})
		delete(p.mem, n.a)
	case nSetField:
		x := p.force(p.expr(n.kids[0], env))
		v := p.expr(n.kids[1], env)
		p.setField(x, n.a, v, n)
	case nIf:
		return p.ifStmt(n, env)
	case nFor:
		return p.forLoop(n, env)
	case nWhile:
		return p.while(n, env, 0)
	case nReturn:
		v := constAv(value.None, n.at)
		if len(n.kids) > 0 {
			v = p.expr(n.kids[0], env)
		}
		if len(p.exits) == 0 {
			p.giveUp("a return outside a rule")
		}
		exit := p.exits[len(p.exits)-1]
		exit.paths = append(exit.paths, track{p.snapshot(env), p.out, v})
		return ended
	case nFail:
		t := p.failText(n, env)
		p.emit(&node{op: nFail, kids: []*node{t}, info: n.info, at: n.at, rule: n.rule})
		return ended
	case nOffer:
		return p.offer(n, env)
	case nSignal:
		return p.signal(n, env)
	case nEvent:
		if s, ok := n.info.(*SayInfo); ok && (s.Kind == "fault" || s.Kind == "warn") {
			p.emit(p.residualAll(n, env))
		}
	case nOutcome:
		p.outcome(n, env)
	case nExpect:
		p.giveUp("an expectation")
	case nBoundary, nTactics, nGive:
		if n.op == nGive {
			p.giveUp("dice that are given")
		}
		p.emit(p.residualAll(n, env))
	case nRunBlock, nAct:
		p.emit(p.residualAll(n, env))
	case nShow:
		return p.stmt(n.kids[2], env)
	case nExpr:
		v := p.expr(n.kids[0], env)
		_ = v
	default:
		p.giveUp("a statement that is not followed")
	}
	return goesOn
}

// residualAll leaves a statement with its operands worked out.
func (p *pe) residualAll(n *node, env []av) *node {
	kids := make([]av, len(n.kids))
	for i, k := range n.kids {
		kids[i] = p.force(p.expr(k, env))
	}
	r := p.residual(n, kids)
	p.forget()
	if n.op == nBoundary {
		r.info = p.regs
		p.regs += 3
	}
	if n.op == nRunBlock && r.kids[0].op == nConst {
		reg := p.reg(n.at)
		p.emit(&node{op: nSet, a: reg.a, kids: r.kids, at: n.at, rule: n.rule})
		r.kids = []*node{reg}
	}
	return r
}

// failText is the message of a refusal; it is worked out only when refused, so
// a record in it must not stop anything.
func (p *pe) failText(n *node, env []av) *node {
	t := p.expr(n.kids[0], env)
	return p.leaf(t, n.at)
}

// follow follows a statement on a path that may come to a dead end.
func (p *pe) follow(n *node, env []av) flow {
	_, fl := p.alive(env, func(env []av) (av, flow) { return av{}, p.stmt(n, env) })
	return fl
}

// alive takes a way; when it comes to a dead end it has ended.
func (p *pe) alive(env []av, way func([]av) (av, flow)) (val av, fl flow) {
	depth, exits := p.depth, len(p.exits)
	busy := map[int]int{}
	for k, v := range p.busy {
		busy[k] = v
	}
	out := p.out
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(deadEnd); !ok {
				panic(r)
			}
			p.depth, p.exits, p.busy, p.out = depth, p.exits[:exits], busy, out
			fl = ended
		}
	}()
	return way(env)
}

func (p *pe) ifStmt(n *node, env []av) flow {
	c := p.expr(n.kids[0], env)
	if yes, ok := p.truth(c); ok {
		if yes {
			return p.stmt(n.kids[1], env)
		}
		return p.stmt(n.kids[2], env)
	}
	none := constAv(value.None, n.at)
	_, fl := p.branch(c.n, env, n.at,
		func(env []av) (av, flow) { return none, p.follow(n.kids[1], env) },
		func(env []av) (av, flow) { return none, p.follow(n.kids[2], env) })
	return fl
}

func jumps(n *node) bool {
	if n == nil {
		return false
	}
	switch n.op {
	case nJump:
		return true
	case nFor, nWhile, nRepeat:
		return false
	}
	return slices.ContainsFunc(n.kids, jumps)
}

func (p *pe) forLoop(n *node, env []av) flow {
	l, ok := p.elements(p.force(p.expr(n.kids[0], env)))
	if ok && len(l) == 0 {
		return goesOn
	}
	if !ok || len(l) > maxUnroll || n.a < 0 || jumps(n.kids[2]) {
		p.giveUp("a loop over a list that is not known")
	}
	none := constAv(value.None, n.at)
	for _, e := range l {
		env[n.a] = e
		if n.kids[1] == nil {
			if p.stmt(n.kids[2], env) == ended {
				return ended
			}
			continue
		}
		c := p.expr(n.kids[1], env)
		if yes, ok := p.truth(c); ok {
			if yes && p.stmt(n.kids[2], env) == ended {
				return ended
			}
			continue
		}
		_, fl := p.branch(c.n, env, n.at,
			func(env []av) (av, flow) { return none, p.follow(n.kids[2], env) },
			func([]av) (av, flow) { return none, goesOn })
		if fl == ended {
			return ended
		}
	}
	return goesOn
}

// while unrolls a loop; open counts the turns whose condition was not known.
func (p *pe) while(n *node, env []av, open int) flow {
	if jumps(n.kids[1]) {
		p.giveUp("a loop that is left in its middle")
	}
	for range maxUnroll {
		c := p.expr(n.kids[0], env)
		if yes, ok := p.truth(c); ok {
			if !yes {
				return goesOn
			}
			if p.stmt(n.kids[1], env) == ended {
				return ended
			}
			continue
		}
		if open >= maxOpen {
			p.giveUp("a loop that may go on for long")
		}
		none := constAv(value.None, n.at)
		_, fl := p.branch(c.n, env, n.at,
			func(env []av) (av, flow) {
				if p.follow(n.kids[1], env) == ended {
					return none, ended
				}
				return none, p.while(n, env, open+1)
			},
			func([]av) (av, flow) { return none, goesOn })
		return fl
	}
	p.giveUp("a loop that goes on for long")
	return goesOn
}

func (p *pe) outcome(n *node, env []av) {
	r := *n
	r.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		if k.op == nText {
			r.kids[i] = &node{op: nConst, v: value.None, at: k.at, rule: -1}
			continue
		}
		// a call that only makes a text for the reader is left out too
		if k.op == nCall && p.textOnly(k.a) {
			r.kids[i] = &node{op: nConst, v: value.None, at: k.at, rule: -1}
			continue
		}
		r.kids[i] = p.leaf(p.force(p.expr(k, env)), n.at)
	}
	p.emit(&r)
}

// textOnly says whether a rule is one expression that makes a text.
func (p *pe) textOnly(slot int) bool {
	b := p.body(slot)
	if b == nil || b.body.op != nReturn || len(b.body.kids) == 0 {
		return false
	}
	return makesText(b.body.kids[0])
}

func makesText(n *node) bool {
	switch n.op {
	case nText:
		return true
	case nCond:
		return makesText(n.kids[1]) && makesText(n.kids[2])
	case nConst:
		return n.v.Kind() == value.Text
	}
	return false
}

func (p *pe) offer(n *node, env []av) flow {
	to, cost, payer, when, answer, def, body, other := n.kids[0], n.kids[2], n.kids[3], n.kids[4], n.kids[5], n.kids[6], n.kids[7], n.kids[8]
	none := constAv(value.None, n.at)
	no := func(env []av) (av, flow) { return none, p.follow(other, env) }
	afterWhen := func(env []av) (av, flow) {
		var price, purse av
		obj := none
		if cost != nil {
			price = p.force(p.expr(cost, env))
			obj = p.force(p.expr(payer, env))
		}
		decide := func(env []av) (av, flow) {
			ans := none
			if answer != nil {
				ans = p.force(p.expr(answer, env))
			}
			yes := func(env []av) (av, flow) {
				if cost != nil {
					have := p.field(obj, &node{op: nField, a: n.a, at: n.at, rule: n.rule})
					left := p.bin(&node{op: nBin, a: int(machine.Sub), at: n.at, rule: n.rule}, have, price)
					p.setField(obj, n.a, left, n)
				}
				return none, p.follow(body, env)
			}
			if !ans.isConst() {
				if !ans.bool {
					p.giveUp("an answer that is not known")
				}
				return p.branch(ans.n, env, n.at, yes, no)
			}
			if ans.is(value.None) {
				who := p.force(p.expr(to, env))
				if !p.unattended || !p.noTactics(who, n.info.(*machine.AskInfo).Name) {
					p.giveUp("a decision that is open")
				}
				ans = constAv(value.No, n.at)
				if def != nil {
					ans = p.force(p.expr(def, env))
				}
				if !ans.isConst() {
					if !ans.bool {
						p.giveUp("a default that is not known")
					}
					return p.branch(ans.n, env, n.at, yes, no)
				}
			}
			if ans.is(value.Yes) {
				return yes(env)
			}
			return no(env)
		}
		if cost == nil {
			return decide(env)
		}
		purse = p.field(obj, &node{op: nField, a: n.a, at: n.at, rule: n.rule})
		enough := p.bin(&node{op: nBin, a: int(machine.Ge), at: n.at, rule: n.rule}, purse, price)
		if yes, ok := p.truth(enough); ok {
			if yes {
				return decide(env)
			}
			return no(env)
		}
		return p.branch(enough.n, env, n.at, decide, no)
	}
	if when == nil {
		_, fl := afterWhen(env)
		return fl
	}
	c := p.expr(when, env)
	if yes, ok := p.truth(c); ok {
		way := no
		if yes {
			way = afterWhen
		}
		_, fl := way(env)
		return fl
	}
	_, fl := p.branch(c.n, env, n.at, afterWhen, no)
	return fl
}

func (p *pe) signal(n *node, env []av) flow {
	target := p.force(p.expr(n.kids[0], env))
	args := p.exprs(n.kids[1:], env)
	for _, f := range p.featuresOf(target, n) {
		t := p.w.Prog.Types[(*p.w.store)[f.Off()].Int()]
		slot := -1
		for ; t != nil && slot < 0; t = t.Base {
			if s, ok := t.Handlers[n.a]; ok {
				slot = s
			}
		}
		if slot >= 0 {
			p.call(slot, append([]av{constAv(f, n.at)}, args...), n)
		}
	}
	for _, slot := range p.w.Prog.Hooks[n.a].Global {
		p.call(slot, args, n)
	}
	return goesOn
}

// featuresOf gives the features on a known instance or list of them.
func (p *pe) featuresOf(target av, n *node) []V {
	var out []V
	add := func(v V) {
		switch {
		case v.Kind() == value.Ref && v.Off() < len(*p.w.store):
			out = append(out, p.w.Heap.Elems((*p.w.store)[v.Off()+machine.AtFeatures])...)
		case v == value.None:
		default:
			p.giveUp("a signal to somebody not known")
		}
	}
	if l, ok := p.elements(target); ok {
		for _, e := range l {
			if !e.isConst() {
				p.giveUp("a signal to somebody not known")
			}
			add(e.n.v)
		}
		return out
	}
	if !target.isConst() {
		p.giveUp("a signal to somebody not known")
	}
	add(target.n.v)
	return out
}

// prune drops what sets registers that nobody reads. It goes through the code
// backwards; there are no loops in it.
func prune(out []*node) []*node {
	for range 4 {
		out = pruneList(out, map[int]bool{})
	}
	return tidy(out)
}

func pruneList(list []*node, used map[int]bool) []*node {
	var kept []*node
	for i := len(list) - 1; i >= 0; i-- {
		if n := pruneNode(list[i], used); n != nil {
			kept = append(kept, n)
		}
	}
	slices.Reverse(kept)
	return kept
}

func pruneNode(n *node, used map[int]bool) *node {
	switch n.op {
	case nSeq:
		n.kids = pruneList(n.kids, used)
		if len(n.kids) == 0 {
			return nil
		}
		return n
	case nRegion:
		n.kids = dropLeaves(n.kids, n)
		n.kids = pruneList(n.kids, used)
		if len(n.kids) == 0 {
			return nil
		}
		return n
	case nIf:
		for i := 1; i < 3; i++ {
			if n.kids[i] != nil {
				n.kids[i] = pruneNode(n.kids[i], used)
			}
		}
		if n.kids[1] == nil && n.kids[2] == nil {
			return nil
		}
		if n.kids[1] == nil {
			n.kids[1] = &node{op: nSeq, at: n.at, rule: -1}
		}
		reads(n.kids[0], used)
		return n
	case nSet:
		if !used[n.a] && harmless(n.kids[0]) {
			return nil
		}
		reads(n.kids[0], used)
		return n
	}
	for _, k := range n.kids {
		reads(k, used)
	}
	return n
}

// dropLeaves drops the jumps out of a region that stand at its end anyway.
func dropLeaves(list []*node, region *node) []*node {
	if len(list) == 0 {
		return list
	}
	last := list[len(list)-1]
	switch last.op {
	case nLeave:
		if last.info == any(region) {
			return list[:len(list)-1]
		}
	case nSeq, nRegion:
		last.kids = dropLeaves(last.kids, region)
	case nIf:
		for _, k := range last.kids[1:] {
			if k != nil {
				k.kids = dropLeaves(k.kids, region)
			}
		}
	}
	return list
}

func reads(n *node, used map[int]bool) {
	if n == nil {
		return
	}
	if n.op == nLocal {
		used[n.a] = true
	}
	for _, k := range n.kids {
		reads(k, used)
	}
}

// harmless says whether an expression only reads.
func harmless(n *node) bool {
	switch n.op {
	case nConst, nLocal, nCell, nField, nFieldOr, nBin, nNot, nNeg, nAnd, nOr, nCond, nList, nRange, nIndex, nText, nFace, nMake:
		return !slices.ContainsFunc(n.kids, func(k *node) bool { return !harmless(k) })
	case nBuiltin:
		return true
	}
	return false
}

// tidy joins what specialising leaves in two steps: a value that is only handed
// on to another register is worked out there, and a die of which only the face
// is read is thrown as a face.
func tidy(list []*node) []*node {
	count := map[int]int{}
	for _, n := range list {
		countReads(n, count)
	}
	return tidyList(list, count)
}

func countReads(n *node, count map[int]int) {
	if n == nil {
		return
	}
	if n.op == nLocal {
		count[n.a]++
	}
	for _, k := range n.kids {
		countReads(k, count)
	}
}

func tidyList(list []*node, count map[int]int) []*node {
	var out []*node
	for i := 0; i < len(list); i++ {
		n := list[i]
		if i+1 < len(list) && n.op == nSet && count[n.a] == 1 && stored(n.kids[0]) {
			if m := list[i+1]; m.op == nIf && testsFirst(m.kids[0], n.a) {
				put(m.kids[0], n.a, n.kids[0])
				continue
			}
		}
		if i+1 < len(list) && n.op == nSet && count[n.a] == 1 {
			if m := list[i+1]; m.op == nSet && feeds(n, m) {
				list[i+1] = merged(n, m)
				continue
			}
		}
		for k, x := range n.kids {
			if x != nil && (x.op == nSeq || x.op == nRegion || x.op == nIf) {
				n.kids[k] = tidyList([]*node{x}, count)[0]
			}
		}
		if n.op == nSeq || n.op == nRegion {
			n.kids = tidyList(n.kids, count)
		}
		out = append(out, n)
	}
	return out
}

// stored says whether an expression reads one known word of the store.
func stored(n *node) bool {
	return n.op == nCell || n.op == nField && n.kids[0].op == nConst
}

// testsFirst says whether a condition begins by looking at a register.
func testsFirst(n *node, reg int) bool {
	switch n.op {
	case nNot, nAnd, nOr:
		return testsFirst(n.kids[0], reg)
	case nBin:
		return n.kids[0].op == nLocal && n.kids[0].a == reg && n.kids[1].op == nConst
	}
	return n.op == nLocal && n.a == reg
}

// put puts an expression where a condition looks at a register.
func put(n *node, reg int, x *node) {
	if n.op == nLocal && n.a == reg {
		*n = *x
		return
	}
	// the node may stand in other places too
	k := *n.kids[0]
	n.kids[0] = &k
	put(n.kids[0], reg, x)
}

// feeds says whether m only hands on, or takes the face of, what n sets.
func feeds(n, m *node) bool {
	x := m.kids[0]
	if x.op == nFace {
		return n.kids[0].op == nThrow && n.kids[0].kids[0].op == nConst && n.kids[0].kids[0].v.Kind() == value.Die && x.kids[0].op == nLocal && x.kids[0].a == n.a
	}
	return x.op == nLocal && x.a == n.a
}

func merged(n, m *node) *node {
	v := n.kids[0]
	if m.kids[0].op == nFace {
		v = &node{op: nThrowFace, a: v.kids[0].v.DieSize(), at: v.at, rule: v.rule}
	}
	return &node{op: nSet, a: m.a, kids: []*node{v}, at: n.at, rule: n.rule}
}
