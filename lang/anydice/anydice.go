// Package anydice reads dice questions as AnyDice (Flick, 2009) has them, a calculator for dice with a language of
// its own, and writes them in the words of this language, by recursive descent over its grammar. A variable of
// AnyDice is a die that is thrown anew wherever it stands, so its definition is put in its place; so is each
// value of a loop.
package anydice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/lang/late"
)

// reader reads a program.
type reader struct {
	tokens []string
	vars   map[string][]string // what each variable stands for
	depth  string              // how often dice explode at most, "" where nothing says so
	out    []string            // what it prints, in our words
}

// Unread is why a program cannot be read: what is wrong, and, if somebody knows, a line that can be.
type Unread struct{ Wrong, Help string }

func (u *Unread) String() string {
	if u.Help == "" {
		return u.Wrong
	}
	return u.Wrong + "   " + u.Help
}

var token = late.Regexp(`\d+|[A-Z_]+|[a-z]+|\.\.|!=|<=|>=|"[^"]*"|\S`)

// Read gives what a program prints in our words, one after the other.
func Read(text string) (out []string, wrong *Unread) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Unread:
			out, wrong = nil, &r
		default:
			panic(r)
		}
	}()
	p := &reader{tokens: token().FindAllString(text, -1), vars: map[string][]string{}}
	for len(p.tokens) > 0 {
		p.statement()
	}
	return p.out, nil
}

// Line gives what a line in the words of AnyDice asks for in ours, with no where it is none or cannot be read.
func Line(text string) (ours string, ok bool) {
	tokens := token().FindAllString(text, -1)
	its := len(tokens) > 1 && functions[tokens[0]] && (tokens[0] == "explode" || slices.Contains(tokens, "of"))
	for i, t := range tokens {
		its = its || t == "@" || t == "contains" || t == "[" && i+1 < len(tokens) && functions[tokens[i+1]]
	}
	if !its {
		return "", false
	}
	out, wrong := Read(text)
	if wrong != nil || len(out) != 1 {
		return "", false
	}
	return out[0], true
}

// IsProgram says whether a text is a program of AnyDice: it puts something out, or loops, or has a function.
func IsProgram(text string) bool {
	for line := range strings.Lines(text) {
		w := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(line), "odds "), ":", " : "))
		if len(w) < 2 {
			continue
		}
		switch {
		case w[0] == "output", w[0] == "loop" && isUpper(w[1]), w[0] == "function" && w[1] == ":", w[0] == "set" && w[1][0] == '"':
			return true
		case isUpper(w[0]) && w[1] == ":" && slices.Contains(w, "output"):
			return true
		}
	}
	return false
}

// stop ends the reading.
func stop(help, wrong string, args ...any) { panic(Unread{fmt.Sprintf(wrong, args...), help}) }

func (p *reader) peek() string {
	for len(p.tokens) > 0 {
		def, ok := p.vars[p.tokens[0]]
		if !ok {
			return p.tokens[0]
		}
		p.tokens = slices.Concat(def, p.tokens[1:])
	}
	return ""
}

func (p *reader) next() string {
	t := p.peek()
	if t == "" {
		stop("", "more is expected at the end")
	}
	p.tokens = p.tokens[1:]
	return t
}

func (p *reader) take(t string) bool {
	if p.peek() != t {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *reader) want(t string) {
	if !p.take(t) {
		stop("", "expected %s, found %s", t, p.peek())
	}
}

// statement reads one statement. A line that is only an expression prints it.
func (p *reader) statement() {
	first := p.tokens[0]
	if len(p.tokens) > 1 && p.tokens[1] == ":" && isUpper(first) {
		p.tokens = p.tokens[2:]
		before := p.tokens
		p.expr()
		def := slices.Concat([]string{"("}, before[:len(before)-len(p.tokens)], []string{")"})
		p.vars[first] = p.resolved(def)
		return
	}
	switch first {
	case "loop":
		p.loop()
	case "set":
		p.next()
		if p.next() == `"explode depth"` {
			p.want("to")
			p.depth = p.next()
			return
		}
		p.want("to")
		p.next()
	case "function", "if", "result":
		stop("rule twice(n) = n * 2", "%s of AnyDice cannot be read: a function is a rule of this language", first)
	default:
		p.take("output")
		t := p.expr()
		if t.sequence != nil {
			stop("output d"+t.text, "%s is a sequence, and no dice", t.text)
		}
		p.out = append(p.out, t.text)
		if p.take("named") {
			p.next()
		}
	}
}

// resolved puts definitions in the place of variables that have one by now.
func (p *reader) resolved(tokens []string) []string {
	var out []string
	for _, t := range tokens {
		if def, ok := p.vars[t]; ok {
			out = append(out, def...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// maxUnrolled bounds how often the statements of loops are read.
const maxUnrolled = 100

func (p *reader) loop() {
	p.next()
	name := p.tokens[0]
	p.tokens = p.tokens[1:]
	p.want("over")
	values := p.expr().sequence
	p.want("{")
	body, open := 0, 1
	for ; body < len(p.tokens) && open > 0; body++ {
		switch p.tokens[body] {
		case "{":
			open++
		case "}":
			open--
		}
	}
	if open > 0 || len(values) == 0 {
		stop("loop N over {1..3} { output Nd6 }", "a loop goes over a sequence of numbers, and has a block")
	}
	block, rest := p.tokens[:body-1], p.tokens[body:]
	outer, shadowed := p.vars[name]
	for _, v := range values {
		p.vars[name] = []string{v}
		for p.tokens = block; len(p.tokens) > 0; {
			if p.statement(); len(p.out) > maxUnrolled {
				stop("", "a loop prints at most %d results", maxUnrolled)
			}
		}
	}
	if delete(p.vars, name); shadowed {
		p.vars[name] = outer
	}
	p.tokens = rest
}

func isUpper(s string) bool { return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" }

// term is a part of an expression in our words.
type term struct {
	text     string
	binds    int      // how tightly its last operator does
	number   int      // what it is, where constant
	constant bool     // it is a number as it is written
	sequence []string // its numbers, where it is a sequence
	truth    bool
	many     int    // how many dice it is, where it is dice
	die      string // what one of them is
	list     string // the list of which it is the sum
	shows    string // the faces for which it holds, where it says something of one die
}

// How tightly operators bind, in our language and in AnyDice.
const (
	bindsOr = iota
	bindsAnd
	bindsCompare
	bindsAdd
	bindsTimes
	bindsAll
)

// in gives a term as it stands beside an operator.
func (t term) in(binds int) string {
	if t.binds < binds {
		return "(" + t.text + ")"
	}
	return t.text
}

// value gives a term where a number is wanted: 1 for what holds.
func (t term) value(binds int) string {
	switch {
	case t.sequence != nil:
		stop("", "%s is a sequence, and a number is wanted", t.text)
	case t.truth:
		return "(if " + t.text + " then 1 else 0)"
	}
	return t.in(binds)
}

func (t term) holds(binds int) string {
	if t.truth {
		return t.in(binds)
	}
	return t.value(bindsCompare+1) + " != 0"
}

func constantly(n int) term {
	return term{text: strconv.Itoa(n), binds: bindsAll, number: n, constant: true}
}

func (p *reader) expr() term {
	t := p.and()
	for p.take("|") {
		t = term{text: t.holds(bindsOr) + " or " + p.and().holds(bindsOr), binds: bindsOr, truth: true}
	}
	return t
}

func (p *reader) and() term {
	t := p.compared()
	for p.take("&") {
		t = term{text: t.holds(bindsAnd) + " and " + p.compared().holds(bindsAnd), binds: bindsAnd, truth: true}
	}
	return t
}

func (p *reader) compared() term {
	t := p.sum()
	for slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, p.peek()) {
		op := p.next()
		if op == "=" {
			op = "=="
		}
		t = comparison(t, op, p.sum())
	}
	return t
}

func comparison(x term, op string, y term) term {
	if y.sequence != nil && op == "==" {
		return term{text: x.value(bindsCompare+1) + " in [" + strings.Join(y.sequence, ", ") + "]", binds: bindsCompare, truth: true}
	}
	t := term{text: x.value(bindsCompare+1) + " " + op + " " + y.value(bindsCompare+1), binds: bindsCompare, truth: true}
	if x.many == 1 && y.constant && op != "!=" {
		t.die, t.shows = x.die, FaceRange(op, y.text)
	}
	return t
}

func (p *reader) sum() term {
	t := p.product()
	for p.peek() == "+" || p.peek() == "-" {
		op, y := p.next(), p.product()
		if t.constant && y.constant {
			t = constantly(t.number + map[string]int{"+": y.number, "-": -y.number}[op])
			continue
		}
		t = term{text: t.value(bindsAdd) + " " + op + " " + y.value(bindsAdd+1), binds: bindsAdd}
	}
	return t
}

func (p *reader) product() term {
	t := p.picked()
	for p.peek() == "*" || p.peek() == "/" {
		op, y := p.next(), p.picked()
		switch {
		case op == "*" && t.constant && y.constant:
			t = constantly(t.number * y.number)
		case op == "*" && t.constant: // a number before dice would say how many there are
			t = term{text: y.value(bindsTimes) + " * " + t.text, binds: bindsTimes}
		case op == "*":
			t = term{text: t.value(bindsTimes) + " * " + y.value(bindsTimes+1), binds: bindsTimes}
		default:
			t = term{text: "floor(" + t.value(bindsTimes) + " / " + y.value(bindsTimes+1) + ")", binds: bindsAll}
		}
	}
	return t
}

// picked reads places of a pool: 1@3d6 is its highest die.
func (p *reader) picked() term {
	t := p.unary()
	if !p.take("@") {
		return t
	}
	of := p.unary()
	places := t.sequence
	if t.constant {
		places = []string{t.text}
	}
	first, last := 0, 0
	for i, s := range places {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > of.many || i > 0 && n != last+1 {
			stop("let p = throw 4d6; p[1] + p[3]", "%s@ cannot be read: it takes dice that lie side by side", strings.Join(places, ","))
		}
		if last = n; i == 0 {
			first = n
		}
	}
	switch {
	case last == 0 || of.many == 0:
		stop("1@3d6", "@ takes a place and dice")
	case first == 1:
		return ranked("highest", last, of)
	case last == of.many:
		return ranked("lowest", last-first+1, of)
	}
	of.text, of.list = pool(of)+fmt.Sprintf(".highest(%d)", last), ""
	return ranked("lowest", last-first+1, of)
}

// pool gives what can be ranked: dice, or the list of which they are the sum.
func pool(t term) string {
	if t.list != "" {
		return t.list
	}
	return t.text
}

// ranked gives the n highest or lowest of a pool.
func ranked(which string, n int, of term) term {
	if of.many == 0 {
		stop("4d6.highest(3)", "%s is not dice of which the %s could be taken", of.text, which)
	}
	text := pool(of) + "." + which
	if n != 1 {
		text += fmt.Sprintf("(%d)", n)
	}
	if n != 1 && of.list != "" {
		text += ".sum"
	}
	return term{text: text, binds: bindsAll}
}

func (p *reader) unary() term {
	switch {
	case p.take("-"):
		t := p.unary()
		if t.constant {
			return constantly(-t.number)
		}
		return term{text: "-" + t.value(bindsAll), binds: bindsTimes}
	case p.take("+"):
		return p.unary()
	case p.take("!"):
		return term{text: "not (" + p.unary().holds(bindsOr) + ")", binds: bindsAll, truth: true}
	case p.take("#"):
		t := p.unary()
		return constantly(max(t.many, len(t.sequence)))
	}
	return p.dice()
}

// dice reads one or more dice: d6, 3d6, 2d{0, 1, 1}, 3d[explode d6], 5d(d6 >= 5).
func (p *reader) dice() term {
	n := constantly(1)
	if p.peek() != "d" {
		n = p.primary()
	}
	for p.take("d") {
		n = several(n, p.faces())
	}
	return n
}

// faces reads what stands behind a d, as the die that it makes.
func (p *reader) faces() term {
	switch t := p.peek(); {
	case t == "%" || t == "F":
		p.next()
		return oneDie("d" + t)
	case t == "{":
		seq := p.primary()
		if len(seq.sequence) > 0 && seq.sequence[0] == "1" && slices.IsSortedFunc(seq.sequence, func(a, b string) int {
			x, _ := strconv.Atoi(a)
			y, _ := strconv.Atoi(b)
			return x + 1 - y
		}) && seq.sequence[len(seq.sequence)-1] == strconv.Itoa(len(seq.sequence)) {
			return oneDie(fmt.Sprintf("d%d", len(seq.sequence)))
		}
		return oneDie("d" + seq.text)
	}
	t := p.primary()
	switch {
	case t.constant && t.number > 0:
		return oneDie("d" + t.text)
	case t.sequence != nil:
		return oneDie("d" + t.text)
	}
	return t
}

func oneDie(die string) term { return term{text: die, binds: bindsAll, many: 1, die: die} }

// several throws something n times and adds it up.
func several(n, of term) term {
	switch {
	case n.constant && n.number == 1:
		return of
	case n.constant && of.shows != "":
		return term{text: fmt.Sprintf("%d%s.count(%s)", n.number, of.die, of.shows), binds: bindsAll}
	case n.constant && of.many == 1:
		return term{text: n.text + of.die, binds: bindsAll, many: n.number, die: of.die}
	case of.truth:
		return term{text: "(count i in 1.." + n.value(bindsAdd) + " where " + of.text + ")", binds: bindsAll, many: n.number}
	}
	list := "[" + of.value(bindsOr) + " for i in 1.." + n.value(bindsAdd) + "]"
	return term{text: list + ".sum", binds: bindsAll, list: list, many: n.number}
}

func (p *reader) primary() term {
	switch t := p.next(); {
	case t[0] >= '0' && t[0] <= '9':
		n, err := strconv.Atoi(t)
		if err != nil {
			stop("", "%s is too large", t)
		}
		return constantly(n)
	case t == "(":
		in := p.expr()
		p.want(")")
		return in
	case t == "{":
		return p.sequence()
	case t == "[":
		in := p.function(p.expr)
		p.want("]")
		return in
	case functions[t]:
		p.tokens = slices.Insert(p.tokens, 0, t)
		return p.function(p.picked)
	case isUpper(t):
		stop("", "there is no variable %s", t)
	case t[0] >= 'a' && t[0] <= 'z':
		help := "rule twice(n) = n * 2"
		if t == "reroll" {
			help = "2d6.reroll(1..2, 1)"
		}
		stop(help, "AnyDice has no function %s; one of your own is a rule of this language", t)
	default:
		stop("", "%s cannot stand here", t)
	}
	return term{}
}

// maxSequence bounds the numbers of a sequence.
const maxSequence = 1000

// sequence reads what stands in braces: {1, 2, 2}, {1..6}, {0:4, 1:2}.
func (p *reader) sequence() term {
	t := term{binds: bindsAll, sequence: []string{}}
	for !p.take("}") {
		lo := p.expr()
		hi, many := lo, constantly(1)
		if p.take("..") {
			hi = p.expr()
		}
		if p.take(":") {
			many = p.expr()
		}
		if !lo.constant || !hi.constant || !many.constant || hi.number-lo.number > maxSequence || many.number > maxSequence {
			stop("d{1, 2, 3..6}", "a sequence has numbers in it")
		}
		for range many.number {
			for k := lo.number; k <= hi.number; k++ {
				t.sequence = append(t.sequence, strconv.Itoa(k))
			}
		}
		p.take(",")
	}
	if len(t.sequence) > maxSequence {
		stop("", "a sequence has at most %d numbers", maxSequence)
	}
	t.text = "{" + strings.Join(t.sequence, ", ") + "}"
	return t
}

// functions are those that AnyDice has, by their first words.
var functions = map[string]bool{"highest": true, "lowest": true, "middle": true, "count": true, "explode": true, "absolute": true, "maximum": true}

// function reads a function without its brackets. What it is about is read by operand: all that stands in the
// brackets, or, where somebody left them out, no more than dice.
func (p *reader) function(operand func() term) term {
	name := p.peek()
	if !functions[name] {
		return p.containing()
	}
	switch p.next(); name {
	case "count":
		which := operand()
		p.want("in")
		return counted(which, operand())
	case "explode":
		return p.exploding(operand())
	case "absolute":
		return term{text: "abs(" + operand().value(bindsOr) + ")", binds: bindsAll}
	case "maximum":
		p.want("of")
		return term{text: operand().text + ".sides", binds: bindsAll}
	}
	n := constantly(1)
	if p.peek() != "of" {
		n = operand()
	}
	p.want("of")
	of := operand()
	switch {
	case p.take("and"):
		which := map[string]string{"highest": "max", "lowest": "min"}[name]
		return term{text: which + "(" + of.value(bindsOr) + ", " + operand().value(bindsOr) + ")", binds: bindsAll}
	case !n.constant:
		stop("", "%s takes a number as it is written", name)
	case name == "middle" && (of.list != "" || of.many%2 != 1):
		stop("3d20.middle", "the middle of %s cannot be read", of.text)
	}
	return ranked(name, n.number, of)
}

func (p *reader) containing() term {
	of := p.expr()
	p.want("contains")
	return term{text: counted(p.expr(), of).text + " > 0", binds: bindsCompare, truth: true}
}

func counted(which, of term) term {
	if of.many == 0 || of.list != "" {
		stop("6d6.count(5..)", "%s is not dice that could be counted", of.text)
	}
	text := which.text
	if s := which.sequence; len(s) > 1 {
		text = "[" + strings.Join(s, ", ") + "]"
		lo, _ := strconv.Atoi(s[0])
		if s[len(s)-1] == strconv.Itoa(lo+len(s)-1) && len(s) > 2 {
			text = s[0] + ".." + s[len(s)-1]
		}
	} else if len(s) == 1 {
		text = s[0]
	}
	return term{text: of.text + ".count(" + text + ")", binds: bindsAll}
}

func (p *reader) exploding(of term) term {
	if of.many != 1 {
		stop("3d6.explode", "[explode %s] cannot be read: one die explodes", of.text)
	}
	rest := ".explode"
	if p.depth != "" {
		rest = fmt.Sprintf(".explode(%s, %s)", strings.TrimPrefix(of.die, "d"), p.depth)
	}
	return oneDie(of.die + rest)
}

// FaceRange gives the faces that a comparison with n means.
func FaceRange(op, n string) string {
	k, err := strconv.Atoi(n)
	if err != nil {
		return n
	}
	switch op {
	case ">=":
		return fmt.Sprintf("%d..", k)
	case ">":
		return fmt.Sprintf("%d..", k+1)
	case "<=":
		return fmt.Sprintf("..%d", k)
	case "<":
		return fmt.Sprintf("..%d", k-1)
	}
	return n
}
