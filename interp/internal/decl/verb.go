package decl

import (
	"slices"
	"strings"

	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Verb is a declared verb.
type Verb struct {
	Name   string
	Decl   *lang.Verb
	Module *Module
	Slot   int
	Vars   []Variable
	Doc    string
	Who    bool // its rules ask who acts
	Each   bool // its block is run for somebody, who acts where nobody is named
	Block  bool
	Until  int // the function that says whether its block is left; 0 for none
}

// ClauseSet is a declared set of clauses; its record has the sheet rec.
type ClauseSet struct {
	Name   string
	Decl   *lang.ClauseSet
	Module *Module
	Rec    *Sheet
	Vars   []Variable
}

// Variable is what a clause or slot gives to the rules of its verb.
type Variable struct {
	Name string
	Kind varKind
	At   lang.Span    // its name
	Uses *lang.Uses   // of a set
	cl   *lang.Clause // of a group
	Def  lang.Expr    // of a slot
}

// Title is what messages call a variable.
func (v *Variable) Title() string {
	switch v.Kind {
	case SlotVar, ListVar:
		return "the operand " + v.Name
	case FlagVar, GroupVar:
		return "the clause " + v.Name
	case UsesVar:
	}
	return v.Name
}

type varKind uint8

const (
	SlotVar  varKind = iota // a value, none when absent
	ListVar                 // the values of a repeated slot
	FlagVar                 // whether a clause was given
	UsesVar                 // the record of a clause set
	GroupVar                // the records of a repeated clause with clauses of its own
)

// SortedVerbs lists the verbs in the order of their names.
func SortedVerbs(w *World) []*Verb {
	var vs []*Verb
	for _, n := range VerbNames(w) {
		vs = append(vs, w.Verbs[n])
	}
	return vs
}

// SortedSets lists the sets of clauses in the order of their names.
func SortedSets(w *World) []*ClauseSet {
	var ss []*ClauseSet
	for _, n := range KeysOf(w.Sets) {
		ss = append(ss, w.Sets[n])
	}
	return ss
}

// AllClauses lists the names of the clauses of all verbs and sets.
func AllClauses(w *World) []string {
	var names []string
	add := func(items []lang.ClauseItem) {
		for _, it := range items {
			if cl, ok := it.(*lang.Clause); ok {
				names = append(names, cl.Name.Name)
			}
		}
	}
	for _, v := range w.Verbs {
		add(v.Decl.Clauses)
	}
	for _, s := range w.Sets {
		add(s.Decl.Clauses)
	}
	return names
}

// Variables lists what a pattern and clauses give, in order.
func Variables(pattern []lang.Pat, items []lang.ClauseItem) []Variable {
	var vs []Variable
	vs = SlotVars(vs, pattern, false)
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Uses:
			vs = append(vs, Variable{Name: it.As.Name, Kind: UsesVar, At: it.As.Span, Uses: it})
		case *lang.BlockClause:
			vs = append(vs, Variable{Name: "block", Kind: FlagVar, At: it.Span})
		case *lang.Clause:
			if it.Repeat && it.Braces {
				vs = append(vs, Variable{Name: it.Name.Name, Kind: GroupVar, At: it.Name.Span, cl: it})
				continue
			}
			at := len(vs)
			vs = SlotVars(vs, it.Pattern, it.Repeat)
			named := slices.ContainsFunc(vs[at:], func(v Variable) bool { return v.Name == it.Name.Name })
			if !named {
				vs = append(vs, Variable{Name: it.Name.Name, Kind: FlagVar, At: it.Name.Span})
			}
			vs = append(vs, Variables(nil, it.Nested)...)
		}
	}
	return vs
}

// SlotVars adds the variables of the operands in a pattern.
func SlotVars(vs []Variable, pattern []lang.Pat, list bool) []Variable {
	for _, p := range pattern {
		switch p := p.(type) {
		case *lang.PatSlot:
			kind := SlotVar
			if list || p.Type.Many {
				kind = ListVar
			}
			vs = append(vs, Variable{Name: p.Name.Name, Kind: kind, At: p.Name.Span, Def: p.Default})
		case *lang.PatOpt:
			vs = SlotVars(vs, p.Pattern, list)
		}
	}
	return vs
}

// GroupRec gives the sheet of the records of a group.
func (w *World) GroupRec(cl *lang.Clause) *Sheet {
	return w.Records[cl]
}

// Empty is what a variable holds when nothing was given.
func (v Variable) Empty() ir.V {
	switch v.Kind {
	case FlagVar:
		return value.No
	case ListVar, GroupVar:
		return value.EmptyList
	}
	return value.None
}

// SetSheet gives the sheet of the records that a set of clauses makes.
func (w *World) SetSheet(s *ClauseSet) *Sheet { return s.Rec }

// ParamNames lists the names of parameters.
func ParamNames(ps []lang.Param) []string {
	var names []string
	for _, p := range ps {
		names = append(names, p.Name.Name)
	}
	return names
}

// Mentions says whether a word occurs in a tree.
func Mentions(n *lang.Block, word string) bool {
	return occurs(n, word, func(n lang.Node) bool {
		w, ok := n.(*lang.Word)
		return ok && w.Name == word
	})
}

// RunsFor says whether a verb runs its block for somebody.
func RunsFor(n *lang.Block) bool {
	return occurs(n, "block", func(n lang.Node) bool {
		r, ok := n.(*lang.RunBlock)
		return ok && r.For != nil
	})
}

// occurs says whether something is in a tree whose text has a word.
func occurs(n *lang.Block, word string, is func(lang.Node) bool) bool {
	if n == nil || !strings.Contains(n.Src.Text[n.Start:n.End], word) {
		return false // unread bodies are not read for nothing
	}
	n, _ = n.Read()
	found := false
	lang.Walk(n, func(n lang.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
}

// IsPart says whether sheets of that name are parts of others.
func (w *World) IsPart(name string) bool {
	if w.PartKinds == nil {
		w.PartKinds = map[string]bool{}
		for _, sh := range w.Sheets {
			for _, f := range sh.Fields {
				if f.Many && f.As != "" {
					w.PartKinds[f.Sheet] = true
				}
			}
		}
	}
	return w.Sheets[name] != nil && w.PartKinds[name]
}

// SlotKinds are the types that an operand can have.
var SlotKinds = []string{"number", "whole", "text", "word", "symbol", "truth", "die", "dice", "any", "condition", "features", "list", "one", "terms"}
