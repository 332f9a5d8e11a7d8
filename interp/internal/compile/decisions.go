package compile

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

// declared is what a module or a script declares, kept to be read again.
type declared struct {
	module *Module
	stmts  []lang.Stmt
}

// knowDecision reports a decision that no rule in use offers.
func (c *Script) knowDecision(name lang.Ident) {
	known := c.w.decisionNames()
	if len(known) == 0 || known[name.Name] {
		return
	}
	d := errUnknown("decision", name, keysOf(known))
	if d.Help == "" {
		d.Help = ":decisions at the prompt lists them"
	}
	c.err(d)
}

// decisionNames gives the names of all decisions that rules in use offer.
func (w *World) decisionNames() map[string]bool {
	if w.decisionSet != nil {
		return w.decisionSet
	}
	w.decisionSet = map[string]bool{}
	for _, d := range w.declared {
		for _, s := range d.stmts {
			for _, n := range notable(s) {
				switch n := n.(type) {
				case *lang.Offer:
					w.decisionSet[n.Name.Name] = true
				case *lang.Choose:
					w.decisionSet[n.Name.Name] = true
				case *lang.Block:
					for _, name := range n.Decisions() {
						w.decisionSet[name] = true
					}
				}
			}
		}
	}
	return w.decisionSet
}

// Decisions lists the decisions that rules in use offer, by module and name.
func (w *World) Decisions() []Decision {
	if w.decisionList == nil {
		w.decisionList = []Decision{}
		for _, d := range w.declared {
			for _, s := range d.stmts {
				w.decisionList = append(w.decisionList, w.decisionsIn(d.module, s)...)
			}
		}
		slices.SortStableFunc(w.decisionList, func(a, b Decision) int { return strings.Compare(a.Name, b.Name) })
	}
	return slices.Clone(w.decisionList)
}

// decisionsIn lists the decisions in a declaration.
func (w *World) decisionsIn(m *Module, s lang.Stmt) []Decision {
	var cites []*lang.Annotated
	var out []Decision
	say := w.phrases(bare(s))
	add := func(d Decision, name lang.Ident, at lang.Span) {
		d.Words = d.Words.said(w.decided[name.Name])
		d.Name, d.Module, d.At, d.In, d.Rule = name.Name, m.Name, at, lang.Declares(s), -1
		if m.script {
			d.Module = ""
		}
		for _, a := range cites {
			if a.Src == at.Src && a.Start <= at.Start && at.End <= a.End {
				d.Rule = w.catalogue(m, a.ID)
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
			d := Decision{Who: source(n.To), Prompt: prompt(n.Prompt), Options: "no, yes", Default: "no", When: source(n.When), Unasked: n.Unasked, Words: say.offer(n)}
			if n.Default != nil {
				d.Default = source(n.Default)
			}
			if n.Cost != nil {
				d.Cost = source(n.Cost) + " " + n.Field.Name
			}
			add(d, n.Name, n.Span)
		case *lang.Choose:
			d := Decision{Who: source(n.By), Prompt: prompt(n.Prompt), Options: source(n.From), Default: "the first", Unasked: n.Unasked, Words: say.choose(n)}
			if n.Default != nil {
				d.Default = source(n.Default)
			}
			add(d, n.Name, n.Span)
		}
		return true
	}
	lang.Walk(s, visit)
	return out
}

// source gives an expression as it is written, on one line.
func source(e lang.Expr) string {
	if e == nil {
		return ""
	}
	return strings.Join(strings.Fields(text(e.Range())), " ")
}

// prompt gives a prompt without its quotation marks, or as the expression that it is.
func prompt(e lang.Expr) string {
	s := source(e)
	if _, ok := e.(*lang.Text); ok && len(s) > 1 {
		return s[1 : len(s)-1]
	}
	return s
}
