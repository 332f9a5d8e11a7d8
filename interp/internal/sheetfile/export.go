package sheetfile

import (
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Sheets gives the sheets of a script, as a file of data has them, from what its declarations say.
// What no data can say is a mistake: a text that is made of other values.
func Sheets(w *decl.World, entries []decl.Entry) (*Node, lang.Diagnostics) {
	x := &exporter{w: w, of: map[*decl.Entity]*Node{}, parts: map[*decl.Entity][]held{}, ready: map[*decl.Entity]*decl.Stock{}}
	all := &Node{Kind: List}
	for _, e := range entries {
		x.entry(all, e)
	}
	for _, n := range x.order {
		x.hold(n)
	}
	file := &Node{Kind: Map}
	if system := x.system(); system != "" {
		file.put("system", scalar(system))
	}
	file.put("sheets", all)
	return file, x.diags
}

type exporter struct {
	w     *decl.World
	of    map[*decl.Entity]*Node
	parts map[*decl.Entity][]held
	ready map[*decl.Entity]*decl.Stock // what those from stock are there
	order []*decl.Entity
	diags lang.Diagnostics
}

// held is a part with the field that holds it.
type held struct {
	part *decl.Entity
	in   *decl.Field
}

// system names the system in use, with its version.
func (x *exporter) system() string {
	for _, m := range x.w.Modules {
		if m.Name != "" && m.Base == "" && m.Title != "" {
			return strings.TrimSpace(m.Name + " " + m.Version)
		}
	}
	return ""
}

func (x *exporter) entry(all *Node, e decl.Entry) {
	n := x.of[e.Who]
	switch {
	case n == nil && (e.Values != nil || e.Who.Owner != nil && x.of[e.Who.Owner] == nil):
		return // a command has made it for itself
	case n == nil:
		n = &Node{Kind: Map}
		x.of[e.Who], x.order = n, append(x.order, e.Who)
		if e.Who.Owner != nil {
			x.parts[e.Who.Owner] = append(x.parts[e.Who.Owner], held{e.Who, e.Field})
			return
		}
		n.put(keySheet, scalar(e.Who.Sheet.Name))
		n.put(keyName, scalar(NameOf(e)))
		if e.Copies > 0 {
			n.put(keyCopies, bare(strconv.Itoa(e.Copies)))
		}
		if k := x.stock(e); k != nil {
			x.ready[e.Who] = k
			n.put(keyStock, scalar(k.Name))
		}
		all.Kids = append(all.Kids, n)
	case e.Field == nil:
		if own := x.own(e); len(own) > 0 {
			x.more(n, keyFeatures, x.featureNodes(own))
		}
	case e.Field.Typ.Name.Name == "features":
		x.more(n, e.Field.Name, x.featureNodes(e.Values))
	default:
		x.field(n, e)
	}
}

// NameOf gives the name of an instance, or of the group that it is the first of.
func NameOf(e decl.Entry) string {
	if e.Copies > 0 {
		return strings.TrimSuffix(e.Who.Name, " 1")
	}
	return e.Who.Name
}

// stock gives what is in stock that a command has taken, nil for another command.
func (x *exporter) stock(e decl.Entry) *decl.Stock {
	if !decl.IsWord(e.By.Head, decl.TakesStock) || e.Who.Sheet.Name == decl.TakesStock {
		return nil
	}
	of := e.By.Args[0]
	if len(e.By.Args) > 2 && decl.IsWord(e.By.Args[1].Expr, "as") {
		of = e.By.Args[2]
	}
	return x.w.InStock(decl.NameOf(of.Expr))
}

// own leaves out the features that who is in stock brings along.
func (x *exporter) own(e decl.Entry) []lang.Expr {
	k := x.ready[e.Who]
	return slices.DeleteFunc(slices.Clone(e.Values), func(v lang.Expr) bool {
		at := v.Range()
		return k != nil && at.Src == k.Whole.Src && at.Start >= k.Whole.Start && at.End <= k.Whole.End
	})
}

// more puts values behind those that a key has.
func (x *exporter) more(n *Node, key string, kids []*Node) {
	old := n.get(key)
	if old == nil {
		old = &Node{Kind: List}
		n.put(key, old)
	}
	old.Kids = append(old.Kids, kids...)
}

// featureNodes gives features as a script writes them, those of lists one by one.
func (x *exporter) featureNodes(values []lang.Expr) (out []*Node) {
	for _, v := range values {
		if l, ok := v.(*lang.List); ok {
			out = append(out, x.featureNodes(l.Elems)...)
			continue
		}
		out = append(out, scalar(written(v)))
	}
	return out
}

func (x *exporter) field(n *Node, e decl.Entry) {
	f := e.Field
	if f.Typ.Name.Name == "list" || f.Typ.Name.Name == "dice" || f.Many {
		var kids []*Node
		for _, v := range e.Values {
			if l, ok := v.(*lang.List); ok {
				kids = append(kids, x.values(f, l.Elems)...)
			} else {
				kids = append(kids, x.value(f, v))
			}
		}
		if w, ok := e.Values[0].(*lang.Word); ok && len(e.Values) == 1 && !f.OfWords() {
			n.put(f.Name, scalar(w.Name)) // perhaps a variable that holds a list
			return
		}
		x.more(n, f.Name, kids)
		return
	}
	n.put(f.Name, x.value(f, e.Values[0]))
}

func (x *exporter) values(f *decl.Field, list []lang.Expr) []*Node {
	out := make([]*Node, len(list))
	for i, v := range list {
		out[i] = x.value(f, v)
	}
	return out
}

var numeral = late.Regexp(`^-?(0|[1-9]\d*)(\.\d+)?$`)

// value gives what an entry says as data where there is data for it, or else as script.
func (x *exporter) value(f *decl.Field, v lang.Expr) *Node {
	text := f.Typ.Name.Name == "text" || f.OfWords()
	switch v := v.(type) {
	case *lang.Word:
		if (v.Name == "yes" || v.Name == "no") && !text {
			return &Node{Kind: Scalar, Bare: true, Bool: true, Text: strconv.FormatBool(v.Name == "yes")}
		}
		if text || !computes[f.Typ.Name.Name] {
			return scalar(v.Name)
		}
	case *lang.Text:
		plain := len(v.Parts) == 0
		if len(v.Parts) == 1 {
			_, plain = v.Parts[0].(*lang.Lit)
		}
		if text && !plain {
			d := decl.ErrAt(v.Span, "SP0546", "this text is put together while the script runs, so it cannot be data")
			d.Help = "write it out"
			x.diags = append(x.diags, d)
		}
		if text {
			return scalar(decl.Plain(v))
		}
	case *lang.Caps, *lang.Name:
		if text {
			return scalar(decl.NameOf(v))
		}
	case *lang.List:
		return &Node{Kind: List, Kids: x.values(&decl.Field{}, v.Elems)}
	case *lang.Map:
		n := &Node{Kind: Map}
		for i, k := range v.Keys {
			n.put(decl.NameOf(k), x.value(&decl.Field{}, v.Values[i]))
		}
		return n
	case *lang.Num, *lang.Unary:
		if s := strings.TrimPrefix(written(v), "+"); numeral().MatchString(s) && !text {
			return bare(s)
		}
	}
	s := written(v)
	if _, die := v.(*lang.Dice); !die && computes[f.Typ.Name.Name] && !strings.HasPrefix(s, "(") {
		s = "(" + s + ")"
	}
	return scalar(s)
}

// computes are the types of fields whose values are put in parentheses where they are no data.
var computes = map[string]bool{"number": true, "whole": true, "truth": true, "die": true}

// written is an expression as a script writes it, in one line.
func written(v lang.Expr) string {
	s := decl.Text(v.Range())
	if strings.Contains(s, "\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

// hold puts the parts of an instance into its node.
func (x *exporter) hold(who *decl.Entity) {
	n, done := x.of[who], map[*decl.Field]bool{}
	x.featuresFirst(n)
	for _, h := range x.parts[who] {
		switch {
		case h.in.As == "CAPS":
			n.put(h.part.Name, x.contents(h.part))
		case !done[h.in]:
			done[h.in] = true
			var same []*decl.Entity
			for _, other := range x.parts[who] {
				if other.in == h.in {
					same = append(same, other.part)
				}
			}
			n.put(h.in.As, x.named(h.in, same))
		}
	}
}

// featuresFirst puts features before the entries, where a script has them.
func (x *exporter) featuresFirst(n *Node) {
	at := slices.IndexFunc(n.Keys, func(k *Node) bool { return k.Text == keyFeatures })
	to := slices.IndexFunc(n.Keys, func(k *Node) bool {
		return !slices.Contains([]string{keySheet, keyName, keyCopies, keyStock, "rating"}, k.Text)
	})
	if at > to {
		key, value := n.Keys[at], n.Kids[at]
		n.Keys = slices.Insert(slices.Delete(n.Keys, at, at+1), to, key)
		n.Kids = slices.Insert(slices.Delete(n.Kids, at, at+1), to, value)
	}
}

// named gives the parts of one word: what the only one has if it has no name of its own, a list of
// names, or what each has by its name.
func (x *exporter) named(f *decl.Field, parts []*decl.Entity) *Node {
	empty := !slices.ContainsFunc(parts, func(p *decl.Entity) bool { return len(x.of[p].Keys)+len(x.parts[p]) > 0 })
	fields := !slices.ContainsFunc(parts, func(p *decl.Entity) bool { return x.w.Sheets[f.Sheet].ByName[p.Name] == nil })
	switch out := (&Node{Kind: Map}); {
	case len(parts) == 1 && parts[0].Name == f.As:
		if n := x.contents(parts[0]); n.Kind != Scalar || n.Bare {
			return n
		}
		return x.of[parts[0]]
	case empty || fields: // a map of them would be read as that of one
		out.Kind = List
		for _, p := range parts {
			n := scalar(p.Name)
			if !empty {
				n = x.of[p]
				n.Keys, n.Kids = slices.Insert(n.Keys, 0, scalar(keyName)), slices.Insert(n.Kids, 0, scalar(p.Name))
			}
			out.Kids = append(out.Kids, n)
		}
		return out
	default:
		for _, p := range parts {
			out.put(p.Name, x.contents(p))
		}
		return out
	}
}

// contents gives what a part has: only its rating, or all as a map.
func (x *exporter) contents(p *decl.Entity) *Node {
	n := x.of[p]
	switch {
	case len(n.Keys)+len(x.parts[p]) == 0:
		return &Node{Kind: Null}
	case len(n.Keys) == 1 && len(x.parts[p]) == 0 && n.Keys[0].Text == "rating" && n.Kids[0].Kind == Scalar:
		return n.Kids[0]
	}
	return n
}

func scalar(text string) *Node { return &Node{Kind: Scalar, Text: text} }
func bare(text string) *Node   { return &Node{Kind: Scalar, Text: text, Bare: true} }

func (n *Node) put(key string, value *Node) {
	n.Keys, n.Kids = append(n.Keys, scalar(key)), append(n.Kids, value)
}

// Names gives the names of the sheets of a file that Sheets gave.
func (n *Node) Names() (names []string) {
	for _, sheet := range n.get("sheets").Kids {
		names = append(names, sheet.get(keyName).Text)
	}
	return names
}

// Only leaves the sheets of some names, and gives one that no sheet has, or "".
func (n *Node) Only(names []string) string {
	for _, name := range names {
		if !slices.Contains(n.Names(), decl.Display(name)) {
			return name
		}
	}
	all := n.get("sheets")
	all.Kids = slices.DeleteFunc(all.Kids, func(sheet *Node) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return decl.Display(name) == sheet.get(keyName).Text })
	})
	return ""
}
