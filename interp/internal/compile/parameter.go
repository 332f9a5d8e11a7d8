package compile

import (
	"slices"
	"strings"

	"setpiece/lang"
)

// Parameters are the values of a script that somebody who prepares it may change:
// what a sheet says, how many there are of a kind, what a variable is set to, the
// options of a system. They are places in the text, so that a change is one of the
// text and everything that follows from it, defaults and checks, follows again.

// ParameterKind says what a parameter is.
type ParameterKind int

const (
	FieldParameter    ParameterKind = iota // a value on a sheet
	CountParameter                         // how many there are: x3
	VariableParameter                      // what let sets
	OptionParameter                        // an option of the system in use
	VariantParameter                       // a variant of it, or none
)

// Parameter is a value in a script that may be changed.
type Parameter struct {
	Kind  ParameterKind
	Name  string // "Sludge Lord.star", "Ooze Men", "dn", "natural"
	Sheet string // of whom it is, for a field and a count

	at          []lang.Span // the value, once for each place that says it; an empty one where it would be written
	lead, trail string      // around a value that is not there yet
}

// Text gives the value as the script writes it, "" where it does not.
func (p *Parameter) Text() string { return p.at[0].Src.Text[p.at[0].Start:p.at[0].End] }

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
	list  []Parameter
	named map[string]int // by name, in list
}

// add adds a parameter, or another place of one that is there already.
func (ps *parameters) add(p Parameter) {
	if i, ok := ps.named[p.Name]; ok {
		if old := &ps.list[i]; old.Text() != "" && old.Kind == VariableParameter && p.Kind == VariableParameter {
			old.at = append(old.at, p.at...)
		}
		return
	}
	if ps.named == nil {
		ps.named = map[string]int{}
	}
	ps.named[p.Name] = len(ps.list)
	ps.list = append(ps.list, p)
}

// wrote notes that the declaration of a script gives a value to a field of e.
func (b *builder) wrote(e *entity, fd *field, at lang.Span) {
	if b.command == nil || at.Src != b.command.Src || at.Start < b.command.Start || at.End > b.command.End {
		return
	}
	name := fd.name
	for o := e; o.owner != nil; o = o.owner {
		if name == "rating" && o == e {
			name = o.name
		} else {
			name = o.name + "." + name
		}
	}
	b.f.coll.parameters.add(Parameter{Kind: FieldParameter, Name: b.label + "." + name, Sheet: b.root.sheet.name, at: []lang.Span{at}})
}

// declares notes how many a declaration makes, and which fields it leaves out.
func (b *builder) declares(times lang.Span) {
	if b.command == nil {
		return
	}
	cmd, ps := b.command, &b.f.coll.parameters
	ps.add(Parameter{Kind: CountParameter, Name: b.label, Sheet: b.root.sheet.name, at: []lang.Span{times}, lead: " "})
	at, lead, trail := lang.Span{Src: cmd.Src, Start: cmd.End, End: cmd.End}, " { ", " }"
	if block := cmd.Block; block != nil {
		at.Start, at.End = block.Start+1, block.Start+1
		lead, trail = " ", ";"
		if strings.HasPrefix(strings.TrimLeft(cmd.Src.Text[at.Start:], " \t\r"), "\n") {
			lead, trail = "\n  ", ""
		}
	}
	for _, fd := range b.root.sheet.fields {
		if fd.as == "" && !fd.many && fd.sheet == "" {
			ps.add(Parameter{Kind: FieldParameter, Name: b.label + "." + fd.name, Sheet: b.root.sheet.name,
				at: []lang.Span{at}, lead: lead + fd.name + " ", trail: trail})
		}
	}
}

// variables finds what let sets in a script: at its top level or, of a name that is not
// set there, in its scenes.
func (ps *parameters) variables(stmts []lang.Stmt) {
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

// options finds the options that a script sets, or may set, where it takes a system into
// use.
func (ps *parameters) options(w *World, stmts []lang.Stmt) {
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
			ps.add(Parameter{Kind: OptionParameter, Name: s.Name.Name, at: []lang.Span{s.Value.Range()}})
		}
	}
	for _, o := range w.Options() {
		ps.add(Parameter{Kind: OptionParameter, Name: o.Name, at: []lang.Span{end}, lead: lead + o.Name + " = "})
	}
	ps.add(Parameter{Kind: VariantParameter, Name: "with", at: []lang.Span{end}, lead: lead})
}
