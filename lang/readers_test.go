package lang

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	diff "github.com/google/go-cmp/cmp"
)

// readers.go is generated from the tags of the grammar (grammar.go): a function for each
// struct, without reflection. Every alternative can be told by its first token, so the
// functions never go back. A new struct is named in grammarG or in statementKinds, and
// readers.go written anew, before other code uses its function.

// TestReaders generates readers.go and compares it with the file.
func TestReaders(t *testing.T) {
	g := &generator{done: map[reflect.Type]bool{}}
	g.line("// Code generated from grammar.go by go test ./lang -run Readers -update. DO NOT EDIT.\n")
	g.line("package lang\n")
	g.line(`import "github.com/alecthomas/participle/v2"`)
	root := reflect.TypeFor[grammarG]()
	for i := range root.NumField() {
		if f := root.Field(i).Type; f.Kind() == reflect.Pointer {
			g.later(f.Elem())
		} else {
			for _, member := range statementKinds {
				g.later(member)
			}
		}
	}
	for len(g.queue) > 0 {
		next := g.queue[0]
		g.queue = g.queue[1:]
		g.reader(next)
	}
	code, err := format.Source(g.out.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, g.out.Bytes())
	}
	for _, name := range structsOf(t, "grammar.go") {
		if strings.HasSuffix(name, "G") && name != "grammarG" && !bytes.Contains(code, []byte("g *"+name+")")) {
			t.Errorf("nothing reads %s: a statement is named in statementKinds (here), and in newParser and grammar of parser.go", name)
		}
	}
	if *update {
		if err := os.WriteFile("readers.go", code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now, err := os.ReadFile("readers.go")
	if err != nil {
		t.Fatal(err)
	}
	if changed := diff.Diff(string(now), string(code)); changed != "" {
		t.Errorf("the grammar has changed (-readers.go +grammar.go); go test ./lang -run Readers -update writes the file anew\n%s", changed)
	}
}

// statementKinds and patternKinds are the members of the unions in the grammar.
var (
	statementKinds = []reflect.Type{
		reflect.TypeFor[useG](), reflect.TypeFor[includeG](), reflect.TypeFor[castG](), reflect.TypeFor[systemG](), reflect.TypeFor[variantG](),
		reflect.TypeFor[spansG](), reflect.TypeFor[standInG](), reflect.TypeFor[optionG](), reflect.TypeFor[wordsG](), reflect.TypeFor[removeG](),
		reflect.TypeFor[tableG](), reflect.TypeFor[sheetG](), reflect.TypeFor[ruleG](), reflect.TypeFor[verbG](),
		reflect.TypeFor[clauseSetG](), reflect.TypeFor[featureG](), reflect.TypeFor[hookG](), reflect.TypeFor[decisionG](),
		reflect.TypeFor[handlerG](), reflect.TypeFor[goalG](), reflect.TypeFor[checkG](), reflect.TypeFor[testG](),
		reflect.TypeFor[tacticsG](), reflect.TypeFor[letG](), reflect.TypeFor[ifG](), reflect.TypeFor[forG](),
		reflect.TypeFor[whileG](), reflect.TypeFor[repeatG](), reflect.TypeFor[jumpG](), reflect.TypeFor[returnG](),
		reflect.TypeFor[sayG](), reflect.TypeFor[offerG](), reflect.TypeFor[signalG](), reflect.TypeFor[showG](),
		reflect.TypeFor[outcomeG](), reflect.TypeFor[boundaryG](), reflect.TypeFor[runG](), reflect.TypeFor[actG](),
		reflect.TypeFor[expectG](), reflect.TypeFor[reportG](), reflect.TypeFor[commandG](), reflect.TypeFor[actedG](),
		reflect.TypeFor[assignG](),
	}
	patternKinds = []reflect.Type{reflect.TypeFor[patWordG](), reflect.TypeFor[patSlotG](), reflect.TypeFor[patOptG]()}
)

// handWritten names the methods that parse the types that participle is given functions for.
var handWritten = map[reflect.Type]string{
	reflect.TypeFor[statements]():  "parseStatements",
	reflect.TypeFor[block]():       "parseBlock",
	reflect.TypeFor[rowsBody]():    "parseRows",
	reflect.TypeFor[choicesBody](): "parseChoices",
	reflect.TypeFor[sheetBody]():   "parseSheet",
	reflect.TypeFor[verbBody]():    "parseVerbBody",
	reflect.TypeFor[clauseBody]():  "parseClauses",
	reflect.TypeFor[featureBody](): "parseFeature",
	reflect.TypeFor[tacticBody]():  "parseTactics",
	reflect.TypeFor[slotsBody]():   "parseSlots",
	reflect.TypeFor[typeRef]():     "parseType",
	reflect.TypeFor[command]():     "parseCommand",
	reflect.TypeFor[argList]():     "parseArgs",
	reflect.TypeFor[choice]():      "parseChoice",
	reflect.TypeFor[entryValue]():  "parseEntryValue",
	reflect.TypeFor[question]():    "parseQuestion",
	reflect.TypeFor[Expr]():        "parseExpr",
}

// ebnf is a piece of the grammar.
type ebnf struct {
	kind  byte    // ' a word as it stands, t a kind of token, @ a capture, s a sequence, | alternatives, and ? * +
	text  string  // of ' and t
	of    []*ebnf // of @ what is captured, nothing where the type of the field says it
	field reflect.StructField
}

// notation reads the tags of a struct. What begins in one tag may end in another.
type notation struct {
	words  []string
	fields []reflect.StructField
}

func grammarOf(t reflect.Type) *ebnf {
	n := &notation{}
	for i := range t.NumField() {
		f := t.Field(i)
		for tag := strings.TrimSpace(f.Tag.Get("parser")); tag != ""; tag = strings.TrimSpace(tag) {
			end := 1
			switch {
			case tag[0] == '\'':
				end = 2 + strings.IndexByte(tag[1:], '\'')
			case strings.HasPrefix(tag, "@@"):
				end = 2
			case isLower(tag[0]) || isUpper(tag[0]):
				for end < len(tag) && (isLower(tag[end]) || isUpper(tag[end])) {
					end++
				}
			}
			n.words, n.fields = append(n.words, tag[:end]), append(n.fields, f)
			tag = tag[end:]
		}
	}
	return n.alternatives()
}

func (n *notation) next() string {
	if len(n.words) == 0 {
		return ""
	}
	return n.words[0]
}

func (n *notation) take() (string, reflect.StructField) {
	w, f := n.words[0], n.fields[0]
	n.words, n.fields = n.words[1:], n.fields[1:]
	return w, f
}

func (n *notation) alternatives() *ebnf {
	x := &ebnf{kind: '|', of: []*ebnf{n.sequence()}}
	for n.next() == "|" {
		n.take()
		x.of = append(x.of, n.sequence())
	}
	if len(x.of) == 1 {
		return x.of[0]
	}
	return x
}

func (n *notation) sequence() *ebnf {
	x := &ebnf{kind: 's'}
	for w := n.next(); w != "" && w != "|" && w != ")"; w = n.next() {
		x.of = append(x.of, n.term())
	}
	if len(x.of) == 1 {
		return x.of[0]
	}
	return x
}

func (n *notation) term() *ebnf {
	x := n.bare()
	if w := n.next(); w == "?" || w == "*" || w == "+" {
		n.take()
		x = &ebnf{kind: w[0], of: []*ebnf{x}}
	}
	return x
}

func (n *notation) bare() *ebnf {
	switch w, f := n.take(); w[0] {
	case '\'':
		return &ebnf{kind: '\'', text: strings.Trim(w, "'")}
	case '(':
		x := n.alternatives()
		n.take()
		return x
	case '@':
		if w == "@@" {
			return &ebnf{kind: '@', field: f}
		}
		return &ebnf{kind: '@', field: f, of: []*ebnf{n.bare()}}
	default:
		return &ebnf{kind: 't', text: w}
	}
}

// generator writes the functions.
type generator struct {
	out   bytes.Buffer
	queue []reflect.Type
	done  map[reflect.Type]bool
}

func (g *generator) line(s string, args ...any) { fmt.Fprintf(&g.out, s+"\n", args...) }

// later writes the function for a type when its turn comes.
func (g *generator) later(t reflect.Type) {
	if !g.done[t] {
		g.done[t] = true
		g.queue = append(g.queue, t)
	}
}

func readerOf(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "G")
	return "read" + strings.ToUpper(name[:1]) + name[1:]
}

func (g *generator) reader(t reflect.Type) {
	g.line("")
	if t.Kind() == reflect.Interface {
		g.line("func (p *parser) %s(lex stream) (%s, match) {\nswitch t := lex.Peek(); {", readerOf(t), t.Name())
		for _, member := range patternKinds {
			first, _, _ := firstOf(grammarOf(member))
			g.line("case %s:\ng := &%s{}\nreturn g, p.%s(lex, g)", condition(first), member.Name(), readerOf(member))
			g.later(member)
		}
		g.line("}\nreturn nil, absent\n}")
		return
	}
	g.line("func (p *parser) %s(lex stream, g *%s) match {", readerOf(t), t.Name())
	x := grammarOf(t)
	if x.kind == 's' {
		g.need(x.of[0], "absent")
		g.needAll(x.of[1:])
	} else {
		g.need(x, "absent")
	}
	g.line("return matched\n}")
}

// condition says whether the token t is one of those.
func condition(first []string) string { return strings.Join(first, " || ") }

// firstOf gives the conditions of the tokens that x can begin with, and whether it can be
// empty. They are not known where it begins with a hand-written type.
func firstOf(x *ebnf) (first []string, empty, known bool) {
	switch x.kind {
	case '\'':
		return []string{fmt.Sprintf("t.Value == %q", x.text)}, false, true
	case 't':
		return []string{"t.Type == kind" + x.text}, false, true
	case '@':
		if len(x.of) > 0 {
			return firstOf(x.of[0])
		}
		switch t := element(x.field.Type); {
		case handWritten[t] != "":
			return nil, false, false
		case t == reflect.TypeFor[pattern]():
			return firstOf(&ebnf{kind: '|', of: grammarsOf(patternKinds)})
		default:
			return firstOf(grammarOf(t))
		}
	case 's':
		for _, y := range x.of {
			f, e, k := firstOf(y)
			first = append(first, f...)
			if !e || !k {
				return first, false, k
			}
		}
		return first, true, true
	case '|':
		known = true
		for _, y := range x.of {
			f, e, k := firstOf(y)
			first, empty, known = append(first, f...), empty || e, known && k
		}
		return first, empty, known
	default:
		first, _, known = firstOf(x.of[0])
		return first, x.kind != '+', known
	}
}

func grammarsOf(types []reflect.Type) []*ebnf {
	var list []*ebnf
	for _, t := range types {
		list = append(list, grammarOf(t))
	}
	return list
}

// element is the type of one value of a field.
func element(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func (g *generator) needAll(list []*ebnf) {
	for _, x := range list {
		g.need(x, "mistaken")
	}
}

// need writes what reads x, and gives the result otherwise where something else stands: ""
// where it is known that x begins here.
func (g *generator) need(x *ebnf, otherwise string) {
	switch x.kind {
	case '\'', 't':
		g.look(x, otherwise)
		g.line("lex.Next()")
	case '@':
		g.capture(x, otherwise)
	case 's':
		g.need(x.of[0], otherwise)
		g.needAll(x.of[1:])
	case '|':
		for i, y := range x.of {
			g.where(y, i < len(x.of)-1 || otherwise == "absent")
			g.out.WriteString(" else ")
		}
		g.line("{\nreturn %s\n}", cmp.Or(otherwise, "mistaken"))
	case '?':
		g.where(x.of[0], true)
		g.line("")
	case '*', '+':
		if x.kind == '+' {
			g.need(x.of[0], otherwise)
		}
		first, _, known := firstOf(x.of[0])
		if !known {
			panic("a repetition begins with a hand-written type")
		}
		g.line("for t := lex.Peek(); %s; t = lex.Peek() {", condition(first))
		g.need(x.of[0], sure(x.of[0]))
		g.line("}")
	}
}

// look writes what gives the result otherwise where the next token is none that x can begin
// with.
func (g *generator) look(x *ebnf, otherwise string) {
	if otherwise == "" {
		return
	}
	first, _, _ := firstOf(x)
	for i, f := range first {
		if i > 0 {
			g.out.WriteString(" && ")
		} else {
			g.out.WriteString("if t := lex.Peek(); ")
		}
		g.out.WriteString(strings.Replace(f, "==", "!=", 1))
	}
	g.line(" {\nreturn %s\n}", otherwise)
}

// sure is what need is told of x where the next token is one that x begins with: it need not
// look again, unless x is a sequence that begins with something that may be left out.
func sure(x *ebnf) string {
	if x.kind == 's' {
		if _, empty, _ := firstOf(x.of[0]); empty {
			return "mistaken"
		}
	}
	return ""
}

// where writes an if that reads x where it begins here. With goesOn something else may
// stand here, too.
func (g *generator) where(x *ebnf, goesOn bool) {
	first, _, known := firstOf(x)
	if known {
		g.line("if t := lex.Peek(); %s {", condition(first))
		g.need(x, sure(x))
		g.out.WriteString("}")
		return
	}
	head, rest := x, []*ebnf(nil)
	if x.kind == 's' {
		head, rest = x.of[0], x.of[1:]
	}
	if head.kind != '@' {
		panic("something else than a capture begins with a hand-written type")
	}
	g.line("if x, err := p.%s(lex); err == nil {", handWritten[element(head.field.Type)])
	g.keep(head.field, "x")
	g.needAll(rest)
	if g.out.WriteString("}"); goesOn {
		g.out.WriteString(" else if err != participle.NextMatch {\nreturn mistaken\n}")
	}
}

// capture writes what reads the value of a field.
func (g *generator) capture(x *ebnf, otherwise string) {
	t := element(x.field.Type)
	switch {
	case x.field.Type == reflect.TypeFor[[]lexer.Token]():
		g.line("from := lex.RawCursor()")
		g.need(x.of[0], otherwise)
		g.line("g.%s = lex.Range(from, lex.RawCursor())", x.field.Name)
	case len(x.of) > 0:
		g.look(x, otherwise)
		g.keep(x.field, "lex.Next()")
	case handWritten[t] != "":
		result := "mistaken"
		if otherwise == "absent" {
			result = "missed(err)"
		}
		g.line("if x, err := p.%s(lex); err != nil {\nreturn %s\n} else {", handWritten[t], result)
		g.keep(x.field, "x")
		g.line("}")
	case t == reflect.TypeFor[pattern]():
		g.later(t)
		g.line("if x, m := p.%s(lex); m != matched {\nreturn mistaken\n} else {", readerOf(t))
		g.keep(x.field, "x")
		g.line("}")
	default:
		g.later(t)
		g.line("if x := new(%s); p.%s(lex, x) != matched {\nreturn mistaken\n} else {", t.Name(), readerOf(t))
		g.keep(x.field, "x")
		g.line("}")
	}
}

// keep writes what stores a value, or a token, in a field.
func (g *generator) keep(f reflect.StructField, value string) {
	switch {
	case f.Type.Kind() == reflect.Slice:
		g.line("g.%s = append(g.%s, %s)", f.Name, f.Name, value)
	case f.Type == reflect.TypeFor[lexer.Token]():
		g.line("g.%s = *%s", f.Name, value)
	case f.Type.Kind() == reflect.String:
		g.line("g.%s = %s.Value", f.Name, value)
	case f.Type.Kind() == reflect.Bool:
		g.line("%s\ng.%s = true", value, f.Name)
	default:
		g.line("g.%s = %s", f.Name, value)
	}
}

// inOneWay parses a text either by the functions of readers.go alone or by participle alone.
func inOneWay(text string, precise bool) (stmts stmtList, ok bool) {
	p := borrow()
	defer p.giveBack()
	p.precise = precise
	defer func() { p.precise = false }()
	lex := p.begin(NewSource("", text), p.scan(text, 0, len(text), false))
	tree, err := parse(p, lex, (*parser).readFile)
	if err == nil {
		stmts = tree.Stmts.(stmtList)
	}
	ok = err == nil && !p.mistaken && len(p.diags) == 0
	p.finish()
	return stmts, ok
}

// TestReadersAgree compares the trees of the generated functions with those of participle,
// spans and all, and wants them to stop where participle finds a mistake and nowhere else.
func TestReadersAgree(t *testing.T) {
	t.Parallel()
	patterns := []string{"../testdata/lang/*.*", "../stdlib/*/*.rules", "../scripts/*/*.scene"}
	if longTests {
		patterns = append(patterns, "../testdata/*/*.scene")
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no files match ", pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			readersAgree(t, string(text))
		}
	}
	for _, text := range mistakeCorpus(t) {
		readersAgree(t, text)
	}
}

func readersAgree(t *testing.T, text string) {
	t.Helper()
	read, ok := inOneWay(text, false)
	parsed, correct := inOneWay(text, true)
	switch {
	case ok && !correct:
		t.Errorf("%s\nis read although there is a mistake", text)
	case !ok && correct:
		t.Errorf("%s\nhas no mistake, but is not read", text)
	case ok && dumpSpans(read) != dumpSpans(parsed):
		t.Errorf("%s\nis read as\n%s\nand parsed as\n%s", text, dumpSpans(read), dumpSpans(parsed))
	}
}

// dumpSpans shows all there is in a tree, with where it stands.
func dumpSpans(n any) string {
	var b strings.Builder
	var show func(v reflect.Value)
	show = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() || v.Type() == reflect.TypeFor[*Source]() {
				b.WriteString("-")
				return
			}
			show(v.Elem())
		case reflect.Slice:
			fmt.Fprintf(&b, "[%d:", v.Len())
			for i := range v.Len() {
				show(v.Index(i))
			}
			b.WriteString("]")
		case reflect.Struct:
			b.WriteString("(" + v.Type().Name())
			for i := range v.NumField() {
				b.WriteString(" ")
				show(v.Field(i))
			}
			b.WriteString(")")
		default:
			fmt.Fprintf(&b, "%v", v)
		}
	}
	show(reflect.ValueOf(n))
	return b.String()
}
