package resolve

import (
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// Parameters are the values of a script that somebody who prepares it may change:
// what a sheet says, how many there are of a kind, what a variable is set to, a number
// or the dice of a command, the options of a system. They are places in the text, so that a change is one of the
// text and everything that follows from it, defaults and checks, follows again.

// ParameterKind says what a parameter is.
type ParameterKind int

const (
	FieldParameter    ParameterKind = iota // a value on a sheet
	CountParameter                         // how many there are: x3
	VariableParameter                      // what let sets
	OptionParameter                        // an option of the system in use
	VariantParameter                       // a variant of it, or none
	OperandParameter                       // a number, a die or a pool in a command
)

// Parameter is a value in a script that may be changed.
type Parameter struct {
	Kind  ParameterKind
	Name  string // "Sludge Lord.star", "Ooze Men", "dn", "natural"
	Sheet string // of whom it is, for a field and a count
	Who   string // whose it is: the name that declares them, or who gives the command; "" for nobody's
	Own   bool   // players fill that sheet in, or pay for that operand

	at          []lang.Span // the value, once for each place that says it; an empty one where it would be written
	lead, trail string      // around a value that is not there yet
}

// Text gives the value as the script writes it, "" where it does not.
func (p *Parameter) Text() string { return p.at[0].Src.Text[p.at[0].Start:p.at[0].End] }

// At is the first place that says the value.
func (p *Parameter) At() lang.Span { return p.at[0] }

// Edits gives the changes of the script that put another value there.
func (p *Parameter) Edits(value string) []lang.Edit {
	if p.Kind == VariantParameter && value == "none" {
		return nil
	}
	if p.Text() == "" {
		value = p.lead + value + p.trail
	}
	var edits []lang.Edit
	for _, at := range p.at {
		edits = append(edits, lang.Edit{Span: at, New: value})
	}
	return edits
}

// parameters are those of a script that is being compiled.
type parameters struct {
	List  []Parameter
	named map[string]int // by name, in list
}

// add adds a parameter, or another place of one that is there already.
func (ps *parameters) add(p Parameter) {
	if i, ok := ps.named[p.Name]; ok {
		if old := &ps.List[i]; old.Text() != "" && old.Kind == VariableParameter && p.Kind == VariableParameter {
			old.at = append(old.at, p.at...)
		}
		return
	}
	if ps.named == nil {
		ps.named = map[string]int{}
	}
	ps.named[p.Name] = len(ps.List)
	ps.List = append(ps.List, p)
}

// wrote notes that the declaration of a script gives a value to a field of e.
func (b *Builder) wrote(e *decl.Entity, fd *decl.Field, at lang.Span) {
	if !b.F.W.Varies || b.command == nil || at.Src != b.command.Src || at.Start < b.command.Start || at.End > b.command.End {
		return
	}
	name := fd.Name
	for o := e; o.Owner != nil; o = o.Owner {
		if name == "rating" && o == e {
			name = o.Name
		} else {
			name = o.Name + "." + name
		}
	}
	b.F.Coll.Parameters.add(b.parameter(FieldParameter, b.label+"."+name, at))
}

// parameter is one of what b declares.
func (b *Builder) parameter(kind ParameterKind, name string, at lang.Span) Parameter {
	sh := b.root.Sheet
	return Parameter{Kind: kind, Name: name, Sheet: sh.Name, Who: b.label, Own: sh.Players, at: []lang.Span{at}}
}

// declares notes how many a declaration makes, and which fields it leaves out.
func (b *Builder) declares(times lang.Span) {
	if !b.F.W.Varies || b.command == nil {
		return
	}
	cmd, ps := b.command, &b.F.Coll.Parameters
	count := b.parameter(CountParameter, b.label, times)
	count.lead = " "
	ps.add(count)
	at, lead, trail := lang.Span{Src: cmd.Src, Start: cmd.End, End: cmd.End}, " { ", " }"
	if block := cmd.Block; block != nil {
		at.Start, at.End = block.Start+1, block.Start+1
		lead, trail = " ", ";"
		if strings.HasPrefix(strings.TrimLeft(cmd.Src.Text[at.Start:], " \t\r"), "\n") {
			lead, trail = "\n  ", ""
		}
	}
	for _, fd := range b.root.Sheet.Fields {
		if fd.As == "" && !fd.Many && fd.Sheet == "" {
			p := b.parameter(FieldParameter, b.label+"."+fd.Name, at)
			p.lead, p.trail = lead+fd.Name+" ", trail
			ps.add(p)
		}
	}
}

// Variables finds what let sets in a script: at its top level or, of a name that is not
// set there, in its scenes.
func (ps *parameters) Variables(stmts []lang.Stmt) {
	var inner []*lang.Let
	set := func(l *lang.Let) {
		ps.add(Parameter{Kind: VariableParameter, Name: l.Name.Name, at: []lang.Span{l.Value.Range()}})
	}
	top := map[string]bool{}
	for _, st := range stmts {
		if l, ok := st.(*lang.Let); ok {
			top[l.Name.Name] = true
			set(l)
			continue
		}
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Check, *lang.Test:
				return false // what a rule sets is its own
			case *lang.Let:
				inner = append(inner, n)
			}
			return true
		})
	}
	for _, l := range inner {
		if !top[l.Name.Name] {
			set(l)
		}
	}
}

// Options finds the options that a script sets, or may set, where it takes a system into
// use.
func (ps *parameters) Options(w *decl.World, stmts []lang.Stmt) {
	i := slices.IndexFunc(stmts, func(s lang.Stmt) bool { _, ok := s.(*lang.Use); return ok })
	if i < 0 {
		return
	}
	use := stmts[i].(*lang.Use)
	end := lang.Span{Src: use.Src, Start: use.End, End: use.End}
	lead := " with "
	for _, s := range use.With {
		lead = ", "
		if s.Value != nil {
			ps.add(Parameter{Kind: OptionParameter, Name: w.OptionName(s.Name.Name), at: []lang.Span{s.Value.Range()}})
		}
	}
	for _, o := range w.Options() {
		ps.add(Parameter{Kind: OptionParameter, Name: o.Name, at: []lang.Span{end}, lead: lead + o.Name + " = "})
	}
	ps.add(Parameter{Kind: VariantParameter, Name: "with", at: []lang.Span{end}, lead: lead})
}

// Operands finds the numbers and dice that the commands of a script say. A parameter is
// named by its command: who acts, the verb, what it is about, and the word in front of
// the value, as in  trial Wall threshold.
func (ps *parameters) Operands(w *decl.World, stmts []lang.Stmt) {
	var found []Parameter
	times := map[string]int{}
	for _, st := range stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature, *lang.Check, *lang.Test, *lang.Tactics, *lang.Sheet:
				return false
			case *lang.Command:
				if head, ok := n.Head.(*lang.Word); ok && w.Verbs[head.Name] != nil {
					for _, p := range operandsOf(w, n, head.Name) {
						times[p.Name]++
						found = append(found, p)
					}
				}
			}
			return true
		})
	}
	seen := map[string]int{}
	for _, p := range found {
		if name := p.Name; times[name] > 1 {
			seen[name]++
			p.Name += " (" + strconv.Itoa(seen[name]) + ")"
		}
		ps.add(p)
	}
}

// operandsOf gives the parameters of a command. What follows the word spend is for
// whoever acts to choose, as in the moves of somebody's turn.
func operandsOf(w *decl.World, cmd *lang.Command, head string) []Parameter {
	var out []Parameter
	label, who, word, spent := head, "", "", false
	if cmd.Who != nil {
		who = decl.Display(decl.NameOf(cmd.Who))
		label = who + ": " + head
	}
	e := w.Entities[who]
	for i, arg := range cmd.Args {
		switch x := arg.Expr.(type) {
		case *lang.Word:
			word, spent = " "+x.Name, spent || x.Name == decl.Spends
		case *lang.Caps, *lang.Name, *lang.Text:
			if i == 0 {
				label += " " + decl.NameOf(x)
			}
		default:
			if measure(x) {
				own := spent && e != nil && e.Sheet.Players
				out = append(out, Parameter{Kind: OperandParameter, Name: label + word, Who: who, Own: own, at: []lang.Span{x.Range()}})
			}
		}
	}
	return out
}

// measure says whether an operand is a number, or dice and nothing else.
func measure(e lang.Expr) bool {
	switch x := e.(type) {
	case *lang.Num, *lang.Dice:
		return true
	case *lang.Unary:
		_, ok := x.X.(*lang.Num)
		return ok && x.Op != "not"
	case *lang.Binary:
		return x.Op == "+" && !isNum(x.X) && !isNum(x.Y) && measure(x.X) && measure(x.Y)
	}
	return false
}

func isNum(e lang.Expr) bool { _, ok := e.(*lang.Num); return ok }
