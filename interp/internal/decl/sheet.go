package decl

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Sheet is a declared sheet, feature, clause set or clause group.
type Sheet struct {
	Name    string
	Base    *Sheet
	Module  *Module
	Typ     *code.Type
	Fields  []*Field // with those of the base first
	ByName  map[string]*Field
	Doc     string
	At      lang.Span
	Players bool              // players fill it in
	Record  bool              // only made with new
	Out     lang.Expr         // when whoever has it is out, nil where nothing says it
	On      string            // of a feature
	Every   bool              // of a feature
	Params  []*Field          // of a feature: its first fields
	Answers map[int]lang.Span // of a feature: where it answers each hook
}

// Field is a field of a sheet.
type Field struct {
	Name  string
	Sym   int
	Index int // into Type.Fields
	Decl  *lang.Field
	Typ   lang.TypeRef
	Sheet string // of a reference or nested sheet
	Many  bool
	As    string
	Def   lang.Expr
	Owner *Module
}

// IsWord says whether an expression is a word.
func IsWord(e lang.Expr, name string) bool {
	w, ok := e.(*lang.Word)
	return ok && w.Name == name
}

// NameOf gives the name that an expression is, "" if it is none.
func NameOf(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Name:
		return strings.ReplaceAll(e.Name, "_", " ")
	case *lang.Caps:
		return e.Name
	case *lang.Text:
		return Plain(e)
	case *lang.Word:
		return e.Name
	case *lang.Rated:
		return NameOf(e.X)
	}
	return ""
}

// Plain gives the text of a Text without interpolation.
func Plain(t *lang.Text) string {
	if t == nil {
		return ""
	}
	if len(t.Parts) == 1 {
		if l, ok := t.Parts[0].(*lang.Lit); ok {
			return l.Value
		}
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if l, ok := p.(*lang.Lit); ok {
			b.WriteString(l.Value)
		}
	}
	return b.String()
}

// Params gives parameters without defaults.
func Params(ids []lang.Ident) []lang.Param {
	ps := make([]lang.Param, len(ids))
	for i, id := range ids {
		ps[i] = lang.Param{Span: id.Span, Name: id}
	}
	return ps
}

// Words makes symbols of the bare words of a table's patterns and results.
func (w *World) Words(e lang.Expr) {
	for _, name := range BareWords(e) {
		w.Symbols[name] = true
	}
}

// BareWords lists the bare words that an expression may be.
func BareWords(e lang.Expr) (out []string) {
	switch e := e.(type) {
	case *lang.Word:
		switch e.Name {
		case "yes", "no", "none", "self":
		default:
			return []string{e.Name}
		}
	case *lang.List:
		for _, x := range e.Elems {
			out = append(out, BareWords(x)...)
		}
	case *lang.Paren:
		return BareWords(e.X)
	case *lang.Cond:
		return append(BareWords(e.A), BareWords(e.B)...)
	}
	return out
}

// OptionNames lists the options of the systems in use.
func (w *World) OptionNames() []string {
	return KeysOf(w.OptionNamed)
}

// DeclareHook enters a hook.
func (w *World) DeclareHook(m *Module, s *lang.Hook) {
	h := &Hook{Id: len(w.Prog.Hooks), Name: s.Name.Name, Module: m, Params: len(s.Params), Doc: Plain(s.Doc), At: s.Span}
	h.Form = Signature(&Rule{Name: h.Name, Params: Params(s.Params)})
	if old := w.Hooks[h.Name]; old != nil {
		h.Id, h.Old = old.Id, old
		w.Hooks[h.Name] = h
		return
	}
	w.Hooks[h.Name] = h
	w.Prog.Hooks = append(w.Prog.Hooks, &code.Hook{Name: h.Name})
}

func hookNames(w *World) []string {
	return KeysOf(w.Hooks)
}

// KindsOfField gives the kinds of value that a field can hold.
func (w *World) KindsOfField(f *Field) ir.Kinds {
	if f.Many {
		return ir.IsList
	}
	switch f.Typ.Name.Name {
	case "number", "whole":
		return ir.IsNumber
	case "text":
		return ir.IsText
	case "truth":
		return ir.IsTruth
	case "die":
		return ir.IsDie
	case "list", "dice", "features":
		return ir.IsList
	case "map":
		return ir.IsMap
	case "one":
		return ir.IsWordKind | ir.IsTruth
	}
	if f.Sheet != "" && w.Sheets[f.Sheet] != nil {
		return ir.IsSheet
	}
	return ir.Anything
}

// Brief is an expression as it is written, if that is short.
func Brief(n *ir.Node) string {
	if n.Op == ir.NConst && n.V.Kind() == value.Text {
		return `"` + strings.Trim(Text(n.At), `"`) + `"`
	}
	if s := strings.Join(strings.Fields(Text(n.At)), " "); len(s) > 0 && len(s) <= 40 {
		return s
	}
	return "this"
}

// SheetNames lists the names of the sheets.
func SheetNames(w *World) []string { return KeysOf(w.Sheets) }

// FeatureNames lists the names of the features.
func FeatureNames(w *World) []string { return KeysOf(w.Features) }

// RuleNames lists the names of the rules.
func RuleNames(w *World) []string { return KeysOf(w.Rules) }

// VerbNames lists the names of the verbs.
func VerbNames(w *World) []string { return KeysOf(w.Verbs) }

// KeysOf gives the keys of a map in their order.
func KeysOf[T any](m map[string]T) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// sym gives the symbol of a field name, making one if need be.
func (w *World) sym(name string) int {
	if s, ok := w.FieldSyms[name]; ok {
		return s
	}
	s := len(w.Prog.Symbols)
	w.Prog.Symbols = append(w.Prog.Symbols, name)
	w.FieldSyms[name] = s
	return s
}

// NewSheet starts a sheet that extends base.
func (w *World) NewSheet(name string, base *Sheet, m *Module, at lang.Span) *Sheet {
	s := &Sheet{Name: name, Base: base, Module: m, At: at, ByName: map[string]*Field{}}
	s.Typ = &code.Type{ID: len(w.Prog.Types), Name: name, Out: -1}
	w.Prog.Types = append(w.Prog.Types, s.Typ)
	s.Typ.Template = []ir.V{value.OfInt(int64(s.Typ.ID)), value.None, value.None, value.EmptyList, value.None}
	if base == nil {
		return s
	}
	s.Typ.Base = base.Typ
	s.Typ.Fields = slices.Clone(base.Typ.Fields)
	s.Typ.Slots = slices.Clone(base.Typ.Slots)
	s.Typ.Template = append(s.Typ.Template, base.Typ.Template[code.Header:]...)
	for _, f := range base.Fields {
		s.Fields = append(s.Fields, f)
		s.ByName[f.Name] = f
	}
	return s
}

// AddField gives s a field; one of the base's is changed where it is.
func (w *World) AddField(s *Sheet, f *Field) {
	f.Sym = w.sym(f.Name)
	if old := s.ByName[f.Name]; old != nil {
		f.Index = old.Index
		s.Fields[f.Index] = f
	} else {
		f.Index = len(s.Fields)
		s.Fields = append(s.Fields, f)
		s.Typ.Fields = append(s.Typ.Fields, code.Field{})
		s.Typ.Template = append(s.Typ.Template, value.None)
		for len(s.Typ.Slots) <= f.Sym {
			s.Typ.Slots = append(s.Typ.Slots, 0)
		}
		s.Typ.Slots[f.Sym] = int32(code.Header + f.Index)
	}
	s.ByName[f.Name] = f
	s.Typ.Fields[f.Index] = code.Field{Name: f.Name, Of: s.Typ.Name, Sym: f.Sym, Per: -1, Const: true, Default: value.None, Many: f.Many, Known: -1}
	w.FieldOf[f.Name] = append(slices.Clip(w.FieldOf[f.Name]), s)
}

// FieldNames lists the names of the fields of a sheet.
func FieldNames(sh *Sheet) []string {
	var names []string
	for _, f := range sh.Fields {
		names = append(names, f.Name)
	}
	return names
}

// FieldKinds are the types of fields that are no sheets.
var FieldKinds = []string{"number", "whole", "text", "truth", "die", "dice", "list", "map", "features", "until", "one", "symbol", "word", "any", "condition", "trait_list"}

// Shown writes values as messages show them.
func Shown(w *World, vs []ir.V) []string {
	var out []string
	for _, v := range vs {
		out = append(out, w.Heap.Show(v, nil))
	}
	return out
}

// SetDice says which dice a field of a sheet takes. Worlds share the types that they have not
// changed, so a type that changes is replaced, in this world only.
func (w *World) SetDice(sh *Sheet, f *Field, dice []ir.V) {
	old := w.Prog.Types[sh.Typ.ID]
	if slices.Equal(old.Fields[f.Index].Dice, dice) {
		return
	}
	t := *old
	t.Fields = slices.Clone(t.Fields)
	t.Fields[f.Index].Dice = dice
	w.Prog.Types[t.ID] = &t
}

// TypeField is what the machine knows of a field of a sheet.
func (w *World) TypeField(sh *Sheet, f *Field) code.Field {
	return w.Prog.Types[sh.Typ.ID].Fields[f.Index]
}

// OfWords says whether a field is a list whose elements are written without quotes:
// passed [physical]  for  passed list of word.
func (f *Field) OfWords() bool {
	return f.Typ.Name.Name == "list" && f.Typ.Of != nil && (f.Typ.Of.Name == "word" || f.Typ.Of.Name == "text")
}

// Is says whether s is the sheet of that name or extends it.
func (s *Sheet) Is(name string) bool {
	for ; s != nil; s = s.Base {
		if s.Name == name {
			return true
		}
	}
	return false
}

// AppendNew appends what is not in a list yet.
func AppendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Signature gives a rule with its parameters.
func Signature(r *Rule) string {
	if len(r.Params) == 0 {
		return r.Name
	}
	names := make([]string, len(r.Params))
	for i, p := range r.Params {
		names[i] = p.Name.Name
	}
	return r.Name + "(" + strings.Join(names, ", ") + ")"
}

// FieldForm writes a field with its type, as its declaration does.
func FieldForm(f *Field) string {
	if f.Decl == nil || f.Decl.Type.Span.Src == nil {
		return f.Name
	}
	end := f.Decl.End
	if f.Decl.Doc != nil {
		end = f.Decl.Doc.Start
	}
	return strings.Join(strings.Fields(f.Decl.Src.Text[f.Decl.Start:end]), " ")
}

// FieldDoc gives the doc string of a field, or of the one it replaces.
func (w *World) FieldDoc(sh *Sheet, f *Field) string {
	for f != nil {
		if f.Decl != nil && f.Decl.Doc != nil {
			return Plain(f.Decl.Doc)
		}
		for sh != nil && sh.ByName[f.Name] == f {
			sh = sh.Base
		}
		if sh == nil {
			return ""
		}
		f = sh.ByName[f.Name]
	}
	return ""
}

// SetOf says whether a sheet is made of the clauses of a set or group.
func (w *World) SetOf(sh *Sheet) bool {
	for _, s := range w.Sets {
		if s.Rec == sh {
			return true
		}
	}
	for _, r := range w.Records {
		if r == sh {
			return true
		}
	}
	return false
}
