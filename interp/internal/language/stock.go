package language

import (
	"strings"

	"setpiece/interp/internal/decl"
)

// InStock is the kind of topic that somebody is whom a system has ready.
const InStock = "in stock"

// stockTopics explains somebody who is in stock, or lists all of them.
func stockTopics(w *decl.World, word string) []Topic {
	if word == decl.TakesStock {
		return stockLists(w)
	}
	var out []Topic
	for _, k := range w.Stocked() {
		if k.Name == decl.Display(strings.Trim(word, `"`)) {
			name := decl.QuoteName(k.Name)
			out = append(out, Topic{Name: k.Name, Kind: InStock, Module: moduleName(k.Module), Form: "stock " + name + ",  stock " + name + " x3,  stock Other as " + name, Doc: k.Doc, Of: []string{k.Sheet.Name}, At: k.Whole})
		}
	}
	return out
}

// stockLists lists what is in stock, a system at a time.
func stockLists(w *decl.World) []Topic {
	var out []Topic
	for _, k := range w.Stocked() {
		of := moduleName(k.Module)
		if len(out) == 0 || out[len(out)-1].Module != of {
			out = append(out, Topic{Name: decl.TakesStock, Kind: "list", Module: of, Doc: "who is ready to be taken"})
		}
		last := &out[len(out)-1]
		last.Parts = append(last.Parts, Part{"", decl.QuoteName(k.Name), k.Sheet.Name + ": " + k.Doc})
	}
	return out
}

// stockWords are the names of what is in stock.
func stockWords(w *decl.World) []decl.Word {
	var out []decl.Word
	for _, k := range w.Stocked() {
		out = append(out, decl.Word{Text: decl.QuoteName(k.Name), Doc: k.Doc, Kind: "character"})
	}
	return out
}
