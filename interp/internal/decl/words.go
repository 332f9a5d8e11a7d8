package decl

import (
	"cmp"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/lang"
)

// A decision says who is asked, what they may answer and what happens if nobody does, as
// expressions of the rules: decider(h), h.who, fits.last. People at the table read words
// instead. They come from what the rules say of themselves: the doc string of the rule
// that is called, that of the field that is read, the value of a variable that stands
// before it. Where that is not enough, the rules declare the decision in their own words;
// without these the words are those of nobody in particular, and the script shows the rest.

// DecisionWords says a decision in words.
type DecisionWords struct {
	Who     string
	Prompt  string
	Options string // "" where only the script says them
	Default string
	When    string // when it is offered, "" for always
	Usual   string // when a quiet table is not asked, "" for never
}

// said puts what a declaration says of the decision in place of what its script tells.
func (d DecisionWords) said(s *lang.Decision) DecisionWords {
	if s == nil {
		return d
	}
	for _, x := range []struct {
		word *string
		text *lang.Text
	}{{&d.Prompt, s.Doc}, {&d.Who, s.By}, {&d.Options, s.From}, {&d.Default, s.Default}} {
		if x.text != nil {
			*x.word = (&phrases{}).prompt(x.text)
		}
	}
	return d
}

// phrases puts expressions of one declaration into words.
type phrases struct {
	w     *World
	in    lang.Stmt
	lets  map[string]lang.Expr // variables of the declaration, with the value they get first
	bound map[string]bool      // names that stand for what only a run knows
	depth int
}

// Phrases reads the prompts of a declaration in the words of the table.
func (w *World) Phrases(in lang.Stmt) *phrases {
	p := &phrases{w: w, in: in, lets: map[string]lang.Expr{}, bound: map[string]bool{}}
	var visit func(n lang.Node) bool
	visit = func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Block:
			if read, _ := n.Read(); read != n {
				lang.Walk(read, visit)
				return false
			}
		case *lang.Let:
			if p.lets[n.Name.Name] == nil {
				p.lets[n.Name.Name] = n.Value
			}
		case *lang.Param:
			p.bound[n.Name.Name] = true
		case *lang.Handler:
			for _, x := range n.Params {
				p.bound[x.Name] = true
			}
		case *lang.PatSlot:
			p.bound[n.Name.Name] = true
		case *lang.For:
			p.bound[n.Var.Name] = true
		case *lang.Comp:
			p.bound[n.Var.Name] = true
		}
		return true
	}
	lang.Walk(in, visit)
	return p
}

func (p *phrases) offer(n *lang.Offer) DecisionWords {
	d := DecisionWords{Who: p.person(n.To), Prompt: p.prompt(n.Prompt), Options: "yes or no", Default: "no", When: p.when(n.When, "only where the rules allow it"), Usual: p.when(n.Usual, "the rules say so")}
	if n.Default != nil {
		d.Default = p.answer(n.Default)
	}
	return d
}

// when says a condition by the docs of the rules that it is made of, or what is said where they have none.
func (p *phrases) when(e lang.Expr, unsaid string) string {
	if e == nil {
		return ""
	}
	if s := p.condition(e); s != "" {
		return s
	}
	return unsaid
}

func (p *phrases) condition(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Paren:
		return p.condition(e.X)
	case *lang.Binary:
		if e.Op != "and" && e.Op != "or" {
			return ""
		}
		if x, y := p.condition(e.X), p.condition(e.Y); x != "" && y != "" {
			return x + ", " + e.Op + " " + y
		}
	case *lang.Call:
		if fn, ok := e.Fn.(*lang.Word); ok {
			return p.call(fn.Name, e.Args)
		}
	case *lang.Word:
		return p.word(e.Name)
	}
	return ""
}

func (p *phrases) choose(n *lang.Choose) DecisionWords {
	d := DecisionWords{Who: p.person(n.By), Prompt: p.prompt(n.Prompt), Options: p.Say(n.From), Default: "the first", Usual: p.when(n.Usual, "the rules say so")}
	if n.Default != nil {
		d.Default = p.answer(n.Default)
	}
	return d
}

func (p *phrases) person(e lang.Expr) string {
	if s := p.Say(e); s != "" {
		return s
	}
	return "the one it is about"
}

func (p *phrases) answer(e lang.Expr) string {
	if s := p.Say(e); s != "" {
		return s
	}
	return "as the rules say"
}

// Say gives an expression in words, "" where nothing says them.
func (p *phrases) Say(e lang.Expr) string {
	if p.depth > 8 {
		return ""
	}
	p.depth++
	defer func() { p.depth-- }()
	switch e := e.(type) {
	case *lang.Paren:
		return p.Say(e.X)
	case *lang.Num, *lang.Dice, *lang.Text:
		return strings.Trim(Source(e), `"`)
	case *lang.Name:
		return Display(e.Name)
	case *lang.Word:
		return p.word(e.Name)
	case *lang.Dot:
		return p.dot(e)
	case *lang.Call:
		if fn, ok := e.Fn.(*lang.Word); ok {
			return p.call(fn.Name, e.Args)
		}
		if fn, ok := e.Fn.(*lang.Dot); ok {
			return p.call(fn.Name.Name, append([]lang.Expr{fn.X}, e.Args...))
		}
	case *lang.Cond:
		return p.cond(e)
	case *lang.Comp:
		switch e.Kind {
		case "highest", "lowest", "first":
			return "the " + e.Kind
		}
	case *lang.List:
		return p.list(e.Elems)
	case *lang.Binary:
		if x, y := p.Say(e.X), p.Say(e.Y); e.Op == "+" && x != "" && y != "" {
			return x + " or " + y
		}
	}
	return ""
}

func (p *phrases) word(name string) string {
	_, verb := p.in.(*lang.Verb)
	_, value := p.in.(*lang.ExprStmt)
	switch {
	case name == "self" && value: // of a default
		return "itself"
	case name == "who" && verb:
		return "who acts"
	case name == "owner":
		return "who has the special rule"
	case name == "self":
		return "who acts"
	case name == "random":
		return "a die decides"
	case name == "none":
		return "none"
	}
	if v := p.lets[name]; v != nil {
		return p.Say(v)
	}
	if p.bound[name] {
		return ""
	}
	switch r := p.w.Rules[name]; {
	case p.w.Symbols[name], name == "yes", name == "no":
		return name
	case r != nil && len(r.Params) == 0:
		return r.Doc
	}
	return ""
}

// dot says x.name: a field by what sheets say of it if they all say the same, the largest
// of a list.
func (p *phrases) dot(e *lang.Dot) string {
	if code.BuiltinIndex(e.Name.Name) >= 0 || p.w.Rules[e.Name.Name] != nil {
		return p.call(e.Name.Name, []lang.Expr{e.X})
	}
	said := ""
	for _, n := range SheetNames(p.w) {
		sh := p.w.Sheets[n]
		if f := sh.ByName[e.Name.Name]; f != nil && !p.w.SetOf(sh) {
			doc := p.w.FieldDoc(sh, f)
			if said != "" && doc != "" && doc != said {
				return "" // which of these sheets it is only a run knows
			}
			said = cmp.Or(said, doc)
		}
	}
	return said
}

func (p *phrases) call(name string, args []lang.Expr) string {
	switch name {
	case "max":
		return "the largest"
	case "min":
		return "the smallest"
	case "first", "last":
		return "the " + name
	case "draw":
		return "a die decides"
	case "distinct", "list", "apart", "sorted":
		return p.Say(args[0])
	}
	if r := p.w.Rules[name]; r != nil {
		return r.Doc
	}
	return ""
}

// cond says "if C then A else B". A condition on an option is said, too.
func (p *phrases) cond(e *lang.Cond) string {
	a, b := p.Say(e.A), p.Say(e.B)
	c, ok := e.C.(*lang.Binary)
	if ok && c.Op == "==" {
		if o, ok := c.X.(*lang.Word); ok && p.w.OptionNamed[o.Name] != nil {
			if b == "" {
				b = "the one it is about"
			}
			return a + " if the option " + o.Name + " is " + Source(c.Y) + ", else " + b
		}
	}
	if a == "" || b == "" {
		return ""
	}
	return a + ", or else " + b
}

func (p *phrases) list(elems []lang.Expr) string {
	var words []string
	for _, x := range elems {
		s := p.Say(x)
		if s == "" {
			return ""
		}
		words = append(words, s)
	}
	return lang.OneOf(words)
}

// prompt says a question with … for what only the moment knows.
func (p *phrases) prompt(e lang.Expr) string {
	t, ok := e.(*lang.Text)
	if !ok {
		return ""
	}
	var out strings.Builder
	for _, x := range t.Parts {
		switch x := x.(type) {
		case *lang.Lit:
			out.WriteString(x.Value)
		case *lang.Cond: // the s of more than one
			if s, ok := x.B.(*lang.Text); ok && len(s.Parts) == 1 {
				out.WriteString(s.Parts[0].(*lang.Lit).Value)
			}
		default:
			out.WriteString("…")
		}
	}
	return out.String()
}
