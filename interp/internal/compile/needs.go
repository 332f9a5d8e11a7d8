package compile

import (
	"slices"

	"setpiece/interp/internal/bind"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/resolve"
	"setpiece/lang"
)

// When a clause can count.
//
// A clause that could make no difference, however the dice fall, is a mistake of
// whoever typed it, and must not pass in silence. So the declaration of a clause says
// when it can count: `needs CONDITION "what would make it count"`, and
// `excludes CLAUSE, …` for clauses that contradict it.
//
//   - A condition is an ordinary expression. It sees who acts, the operands and clauses
//     of its verb or set, the parameters of the set, and the rules and options of the
//     module. In a clause that repeats it is asked for each time, and an operand of the
//     clause is what stands there this time. A set is used in several places, by
//     whoever acts and by whoever resists; its parameters say which place it is.
//   - Before the first clause of a verb a condition is about the command, before the
//     first clause of a set about every clause of the set.
//   - The conditions of the clauses that a command gives, and no others, are resolved at
//     the command, with its operands put in for the names: a macro, not a function (as in
//     Kohlbecker et al., "Hygienic macro expansion", 1986: the names of a condition keep
//     the meaning they have in the module). So a command pays for no clause it leaves out,
//     and constant folding decides what the text alone decides: a mistake, at the clause.
//   - What the text does not decide becomes code in front of the call of the verb. It
//     refuses the command before anything of it has happened.
//   - `warns CONDITION "what is doubtful"` is read in the same way and refuses nothing. Where
//     the condition holds there is a warning in the run, and where the text alone decides it
//     already when the script is checked.
//   - Completion and hints ask the same conditions of the clauses that could come next
//     (see language/complete.go); what cannot count is not offered.

// Candidates gives the clauses with conditions that could stand next behind a command,
// which need not be complete. Conditions about operands that are not there yet are not
// asked. It belongs to a Clone, which is of no other use.
func Candidates(w *decl.World, file *lang.File) []bind.Candidate {
	v, cmd := verbOf(w, file)
	if v == nil {
		return nil
	}
	b, _ := bind.ReadCommand(outside(w), v, cmd)
	for _, fin := range slices.Backward(b.Later) {
		fin()
	}
	var out []bind.Candidate
	for _, sc := range slices.Concat(b.Scopes, b.Asleep) {
		for _, one := range sc.Clauses {
			env := sc.Targets[0].Ctx.Follow(one.Path)
			if len(one.Path) > 0 {
				env.Who = sc.Targets[0].Actor
			}
			out = append(out, b.Candidate(one, env))
		}
	}
	return out
}

// Places gives what says where a clause, or an operand, of a name stands in a command; nil for no command. It belongs
// to a Clone.
func Places(w *decl.World, file *lang.File) func(name string) (at lang.Span, ok bool) {
	v, cmd := verbOf(w, file)
	if v == nil {
		return nil
	}
	b, _ := bind.ReadCommand(outside(w), v, cmd)
	return b.Place
}

// verbOf gives the command that a text is, and its verb; nil for none.
func verbOf(w *decl.World, file *lang.File) (*decl.Verb, *lang.Command) {
	if len(file.Stmts) != 1 {
		return nil, nil
	}
	cmd, ok := file.Stmts[0].(*lang.Command)
	if !ok {
		return nil, nil
	}
	head, ok := cmd.Head.(*lang.Word)
	if !ok {
		return nil, nil
	}
	return w.Verbs[head.Name], cmd
}

// outside is where a command of a script is read.
func outside(w *decl.World) *resolve.Fn {
	c := &collector{Script: resolve.Script{W: w, IsScript: true}, cite: -1, cites: map[lang.Stmt]int{}}
	c.Module = &decl.Module{Name: "script", Script: true}
	return c.scriptFn()
}

// conditions has the conditions of a verb or set resolved where they are declared, so
// that their mistakes are found there, and the defaults of operands. The verb and the set call
// themselves the same.
func (c *collector) conditions(m *decl.Module, params []lang.Param, pattern []lang.Pat, vars []decl.Variable, items []lang.ClauseItem) {
	if !c.IsScript && !c.eager {
		return
	}
	c.fresh = append(c.fresh, func() {
		f := resolve.NewFn(c.W, m)
		f.Declare("who")
		for _, p := range params {
			f.DeclareAt(p.Name)
		}
		for _, v := range vars {
			f.DeclareAt(lang.Ident{Span: v.At, Name: v.Name})
		}
		for _, n := range bind.NeedsOf(items) {
			bind.CheckNeed(f, n, items)
		}
		c.checkDefaults(f, pattern)
		c.checkNeeds(f, items, true)
		c.Diags = append(c.Diags, f.Diags...)
	})
}

// checkDefaults finds defaults of operands that are none, or do not fit the operand.
func (c *collector) checkDefaults(f *resolve.Fn, pattern []lang.Pat) {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatOpt:
			c.checkDefaults(f, p.Pattern)
		case *lang.PatSlot:
			if p.Default == nil {
				continue
			}
			said := len(f.Diags)
			n := f.Expr(p.Default)
			if len(f.Diags) > said || n.Op != ir.NConst || p.Type.Many || p.Type.Of != nil {
				continue
			}
			var of code.Field
			before := len(c.Diags)
			c.typeOf(&decl.Field{Name: p.Name.Name, Typ: p.Type}, &of)
			c.Diags = c.Diags[:before] // of a range that is none
			m := &machine.Machine{Heap: c.W.Heap, Prog: c.W.Prog}
			if why := m.Misfit(&of, n.V); why != "" {
				f.Err(decl.ErrAt(p.Default.Range(), "SP0725", "the default of %s does not fit: %s", p.Name.Name, why))
			}
		}
	}
}

func (c *collector) checkNeeds(f *resolve.Fn, items []lang.ClauseItem, head bool) {
	orphan := !head
	for i, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			orphan = false
			depth := len(f.Names)
			if it.Repeat && it.Braces {
				for _, v := range decl.Variables(it.Pattern, it.Nested) {
					f.Declare(v.Name)
				}
			}
			for _, n := range bind.NeedsOf(items[i+1:]) {
				bind.CheckNeed(f, n, items)
			}
			c.checkDefaults(f, it.Pattern)
			c.checkNeeds(f, it.Nested, false)
			f.Names = f.Names[:depth]
		case *lang.Needs:
			if orphan {
				d := decl.ErrAt(it.Span, "SP0726", "this condition belongs to no clause")
				d.Help = "write it on the line below its clause, or before the first clause of a verb or set"
				f.Err(d)
			}
		case *lang.Uses:
			orphan = true
			bind.CheckArgs(f, f.W, it)
		default:
			orphan = true
		}
	}
}
