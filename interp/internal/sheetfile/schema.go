package sheetfile

import (
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/value"
)

// Schema is the JSON schema of a file of sheets for the systems in use.
func Schema(w *decl.World) *Node {
	s := schema{w: w, defs: object(), done: map[string]bool{}}
	r := &reader{w: w}
	kinds, cases := &Node{Kind: List}, &Node{Kind: List}
	for _, name := range r.topSheets() {
		kinds.Kids = append(kinds.Kids, scalar(name))
		is := object("if", object("properties", object(keySheet, object("const", name))), "then", s.ref(w.Sheets[name], true))
		cases.Kids = append(cases.Kids, is)
	}
	title := "Sheets"
	for _, m := range w.Modules {
		if m.Base == "" && m.Title != "" {
			title = "Sheets of " + m.Title
		}
	}
	sheet := object("type", "object", "required", list(keySheet, keyName), "properties", object(
		keySheet, object("enum", kinds, "description", "which sheet it is"),
		keyName, object("type", "string", "minLength", bare("1"), "description", "who or what it is the sheet of"),
	), "allOf", cases)
	return object(
		"$schema", "https://json-schema.org/draft/2020-12/schema",
		"title", title,
		"type", "object",
		"required", list("sheets"),
		"properties", object(
			"$schema", object("type", "string"),
			"system", object("type", "string", "description", "the system that the sheets are for, and its version"),
			"sheets", object("type", "array", "items", sheet),
		),
		"additionalProperties", no(),
		"$defs", s.defs,
	)
}

// schema collects the definitions of sheets.
type schema struct {
	w    *decl.World
	defs *Node
	done map[string]bool
}

// object makes a map of keys and values; a text stands for itself.
func object(pairs ...any) *Node {
	n := &Node{Kind: Map}
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case string:
			n.put(pairs[i].(string), scalar(v))
		case *Node:
			n.put(pairs[i].(string), v)
		}
	}
	return n
}

func list(words ...string) *Node {
	n := &Node{Kind: List}
	for _, w := range words {
		n.Kids = append(n.Kids, scalar(w))
	}
	return n
}

func nodes(kids ...*Node) *Node   { return &Node{Kind: List, Kids: kids} }
func no() *Node                   { return bare("false") }
func either(kinds ...*Node) *Node { return object("anyOf", nodes(kinds...)) }

// ref gives a reference to what a sheet has; one at the top has a name, and copies, too.
func (s *schema) ref(sh *decl.Sheet, top bool) *Node {
	id := sh.Name
	if !top {
		id += ".part"
	}
	if !s.done[id] {
		s.done[id] = true
		properties, traits := object(), object()
		if top {
			properties.put(keySheet, object("const", sh.Name))
			properties.put(keyCopies, object("type", "integer", "minimum", bare("1"), "maximum", bare("1000"), "description", "how many there are"))
			properties.put(keyStock, object("type", "string", "description", "who in stock it is; the sheet says what is other, and the tactics are those in stock"))
		}
		properties.put(keyName, object("type", "string"))
		if features := s.features(sh); features != nil {
			properties.put(keyFeatures, features)
		}
		def := object("type", "object", "description", sh.Doc, "properties", properties)
		s.defs.put(id, def)
		for _, f := range sh.Fields {
			switch {
			case f.As == "CAPS":
				traits.put(traitKey, described(s.part(f), s.w.FieldDoc(sh, f)))
			case f.As != "" && f.As != "hidden":
				properties.replace(f.As, described(s.parts(f), s.w.FieldDoc(sh, f)))
			default:
				properties.replace(f.Name, described(s.field(sh, f), s.w.FieldDoc(sh, f)))
			}
		}
		if len(traits.Keys) > 0 {
			def.put("patternProperties", traits)
		}
		def.put("additionalProperties", no())
	}
	return object("$ref", "#/$defs/"+id)
}

// replace puts a value at a key, once.
func (n *Node) replace(key string, value *Node) {
	for i, k := range n.Keys {
		if k.Text == key {
			n.Kids[i] = value
			return
		}
	}
	n.put(key, value)
}

func described(n *Node, doc string) *Node {
	if doc != "" {
		n.put("description", scalar(doc))
	}
	return n
}

// part is what a part has: its rating, or a map.
func (s *schema) part(f *decl.Field) *Node {
	sub := s.w.Sheets[f.Sheet]
	if sub == nil {
		return object()
	}
	kinds := []*Node{object("type", "null"), s.ref(sub, false)}
	if rating := sub.ByName["rating"]; rating != nil {
		kinds = append(kinds, s.field(sub, rating))
	}
	return either(kinds...)
}

// parts is what is written as a word: one, a list, or a map by name.
func (s *schema) parts(f *decl.Field) *Node {
	sub := s.w.Sheets[f.Sheet]
	if sub == nil {
		return object()
	}
	return either(s.part(f), object("type", "string"),
		object("type", "array", "items", either(object("type", "string"), s.ref(sub, false))),
		object("type", "object", "additionalProperties", s.part(f)))
}

// computed is what a script calculates, in parentheses.
func computed() *Node { return object("type", "string", "pattern", `^\(`) }

func (s *schema) field(sh *decl.Sheet, f *decl.Field) *Node {
	mf := s.w.TypeField(sh, f)
	texts := object("type", "array", "items", object("type", "string"))
	switch f.Typ.Name.Name {
	case "number", "whole":
		n := object("type", "number")
		if f.Typ.Name.Name == "whole" {
			n = object("type", "integer")
		}
		for _, end := range []struct {
			key string
			v   value.V
		}{{"minimum", mf.Lo}, {"maximum", mf.Hi}} {
			if mf.Check == code.InRange && end.v.IsInt() {
				n.put(end.key, bare(s.w.Heap.Show(end.v, nil)))
			}
		}
		return either(n, computed())
	case "truth":
		return either(object("type", "boolean"), computed())
	case "die":
		return either(s.die(mf.Dice), computed())
	case "dice":
		return either(object("type", "string"), texts)
	case "text":
		return object("type", "string")
	case "list":
		if f.OfWords() {
			return either(object("type", "string"), texts)
		}
		return either(object("type", "array"), object("type", "string"))
	case "map":
		return either(object("type", "object"), computed())
	case "features":
		if features := s.features(nil); features != nil {
			return features
		}
		return object()
	case "one":
		words := &Node{Kind: List}
		for _, v := range mf.OneOf {
			words.Kids = append(words.Kids, s.constant(v))
		}
		return either(object("enum", words), computed())
	case "until":
		return object("enum", list(s.w.Prog.Spans...))
	}
	if f.Many {
		return either(texts, object("type", "string"))
	}
	return object()
}

func (s *schema) constant(v value.V) *Node {
	if v == value.Yes || v == value.No {
		return bare(strconv.FormatBool(v == value.Yes))
	}
	return scalar(s.w.Heap.Show(v, nil))
}

// die is a die of those that there are; with d12++ among them, any further plus is one, too.
func (s *schema) die(dice []value.V) *Node {
	names := list(decl.Shown(s.w, dice)...)
	if len(dice) == 0 || slices.ContainsFunc(names.Kids, func(n *Node) bool { return strings.HasSuffix(n.Text, "++") }) {
		return object("type", "string", "pattern", `^d(\d+|%|\{.*\})\+*$`)
	}
	return object("enum", names)
}

// features are the features that a sheet can have, of any sheet for nil: a word, or with values as a
// script or as a map of one key. It gives nil where there are none.
func (s *schema) features(sh *decl.Sheet) *Node {
	words, others := list(), []string{}
	for _, name := range decl.FeatureNames(s.w) {
		if f := s.w.Features[name]; sh != nil && (!sh.Is(f.On) || f.Every) {
			continue
		} else if len(f.Params) == 0 {
			words.Kids = append(words.Kids, scalar(name))
		} else {
			others = append(others, name)
		}
	}
	var kinds []*Node
	if len(words.Kids) > 0 {
		kinds = append(kinds, object("enum", words))
	}
	if len(others) > 0 {
		kinds = append(kinds, object("type", "string", "pattern", "^("+strings.Join(others, "|")+")( .*|[(].*)?$"),
			object("type", "object", "propertyNames", object("enum", list(others...)), "maxProperties", bare("1")))
	}
	if kinds == nil {
		return nil
	}
	return object("type", "array", "items", either(kinds...))
}
