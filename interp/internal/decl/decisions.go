package decl

import (
	"slices"
	"strings"

	"setpiece/lang"
)

// Decision is a decision that the rules leave to somebody, as the script writes it.
type Decision struct {
	Name    string
	Module  string // where it is declared, "" for a script
	Who     string // who decides
	Prompt  string
	Options string
	Default string
	Cost    string
	When    string // when it is offered, "" for always
	Unasked bool   // no person is asked; clauses and tactics may answer
	In      string // the rule, verb, handler or feature that offers it
	Rule    int    // the catalogue id that it belongs to, -1
	Words   DecisionWords
	At      lang.Span
}

// Declared is what a module or a script declares, kept to be read again.
type Declared struct {
	Module *Module
	Stmts  []lang.Stmt
}

// DecisionNames gives the names of all decisions that rules in use offer.
func (w *World) DecisionNames() map[string]bool {
	if w.DecisionSet != nil {
		return w.DecisionSet
	}
	w.DecisionSet = map[string]bool{}
	for _, d := range w.Declared {
		for _, s := range d.Stmts {
			for _, n := range Notable(s) {
				switch n := n.(type) {
				case *lang.Offer:
					w.DecisionSet[n.Name.Name] = true
				case *lang.Choose:
					w.DecisionSet[n.Name.Name] = true
				case *lang.Block:
					for _, name := range n.Decisions() {
						w.DecisionSet[name] = true
					}
				}
			}
		}
	}
	return w.DecisionSet
}

// Decisions lists the decisions that rules in use offer, by module and name.
func (w *World) Decisions() []Decision {
	if w.DecisionList == nil {
		w.DecisionList = []Decision{}
		for _, d := range w.Declared {
			for _, s := range d.Stmts {
				w.DecisionList = append(w.DecisionList, w.decisionsIn(d.Module, s)...)
			}
		}
		slices.SortStableFunc(w.DecisionList, func(a, b Decision) int { return strings.Compare(a.Name, b.Name) })
	}
	return slices.Clone(w.DecisionList)
}

// decisionsIn lists the decisions in a declaration.
func (w *World) decisionsIn(m *Module, s lang.Stmt) []Decision {
	var cites []*lang.Annotated
	var out []Decision
	say := w.Phrases(lang.Bare(s))
	add := func(d Decision, name lang.Ident, at lang.Span) {
		d.Words = d.Words.said(w.Decided[name.Name])
		d.Name, d.Module, d.At, d.In, d.Rule = name.Name, m.Name, at, lang.Declares(s), -1
		if m.Script {
			d.Module = ""
		}
		for _, a := range cites {
			if a.Src == at.Src && a.Start <= at.Start && at.End <= a.End {
				d.Rule = w.Catalogue(m, a.ID)
			}
		}
		out = append(out, d)
	}
	var visit func(n lang.Node) bool
	visit = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Annotated:
			cites = append(cites, n)
		case *lang.Block:
			if read, _ := n.Read(); read != n {
				lang.Walk(read, visit)
				return false
			}
		case *lang.Offer:
			d := Decision{Who: Source(n.To), Prompt: prompt(n.Prompt), Options: "no, yes", Default: "no", When: Source(n.When), Unasked: n.Unasked, Words: say.offer(n)}
			if n.Default != nil {
				d.Default = Source(n.Default)
			}
			d.Cost = costs(n.Cost, n.Field)
			add(d, n.Name, n.Span)
		case *lang.Choose:
			d := Decision{Who: Source(n.By), Prompt: prompt(n.Prompt), Options: Source(n.From), Default: "the first", Cost: costs(n.Cost, n.Field), Unasked: n.Unasked, Words: say.choose(n)}
			if n.Default != nil {
				d.Default = Source(n.Default)
			}
			add(d, n.Name, n.Span)
		}
		return true
	}
	lang.Walk(s, visit)
	return out
}

func costs(n lang.Expr, field *lang.Ident) string {
	if n == nil {
		return ""
	}
	return Source(n) + " " + field.Name
}

// Source gives an expression as it is written, on one line.
func Source(e lang.Expr) string {
	if e == nil {
		return ""
	}
	return strings.Join(strings.Fields(Text(e.Range())), " ")
}

// prompt gives a prompt without its quotation marks, or as the expression that it is.
func prompt(e lang.Expr) string {
	s := Source(e)
	if _, ok := e.(*lang.Text); ok && len(s) > 1 {
		return s[1 : len(s)-1]
	}
	return s
}
