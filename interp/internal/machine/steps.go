package machine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
	"setpiece/lang/late"
)

// This file holds what single instructions do when it takes more than a line.

func (m *Machine) noField(v V, in *code.Ins) Status {
	name := m.Prog.FieldName(int(in.C))
	switch v.Kind() {
	case value.Ref:
		return m.fail(code.Failed, "%s (%s) has no %s", m.NameOf(v), m.TypeOf(v.Off()).Name, name)
	case value.Special:
		if v == value.None {
			return m.fail(code.Failed, "there is nobody here, so there is no %s to read", name)
		}
	}
	return m.fail(code.Failed, "%s has no %s", m.Show(v), name)
}

func (m *Machine) noTruth(v V) Status {
	return m.fail(code.Failed, "%s must be yes or no", m.Show(v))
}

// tooLong ends a slice before the instruction at hand, or the run, which may
// also have used up its memory.
func (m *Machine) tooLong() Status {
	if m.Heap.Used > m.MaxHeap && m.Heap.TooNested() {
		return m.fail(code.Limit, "more than %s lists inside one another", Grouped(value.MaxNested))
	}
	if m.Heap.Used > m.MaxHeap {
		return m.exceeds("memory", "the script needs more than %s of memory", shownBytes(m.MaxHeap-m.heapFrom))
	}
	if m.Steps <= m.StepLimit {
		m.Frames[len(m.Frames)-1].PC--
		return Yield
	}
	return m.exceeds("steps", "the script has taken more than %s steps", Grouped(int64(m.StepLimit)))
}

// failed makes the error of a function of the language.
func (m *Machine) failed(err error) Status {
	s := m.fail(kindOf(err), "%v", err)
	var e *Error
	if errors.As(err, &e) {
		m.Err.Bound = e.Bound
	}
	return s
}

// shownBytes shows a number of bytes.
func shownBytes(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

func kindOf(err error) code.Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return code.Failed
}

func (e *Error) Error() string { return e.Msg }

func (m *Machine) arith(op func(a, b V) (V, error), verb string, a, b V) (V, bool) {
	v, err := op(a, b)
	if errors.Is(err, value.ErrKind) {
		v, err = op(Shown(a), Shown(b))
	}
	switch {
	case err == nil:
		if v.Kind() == value.Rat {
			r := m.Heap.RatOf(v)
			m.countWork(r.Num().BitLen() + r.Denom().BitLen())
		}
		return v, true
	case errors.Is(err, value.ErrKind):
		if Shown(a).IsNumber() {
			a = b
		}
		if m.unthrown(a) {
			m.fail(code.Failed, "cannot %s with %s before it is thrown: write  throw  before the dice", verb, m.quoted(a))
			break
		}
		m.fail(code.Failed, "cannot %s with %s: it is not a number", verb, m.quoted(a))
		if m.isThrown(a) {
			m.noNumber()
		}
	default:
		m.fail(code.Failed, "%v", err)
	}
	return 0, false
}

// isThrown says whether a value is a list of dice that have been thrown.
func (m *Machine) isThrown(v V) bool {
	return v.Kind() == value.List && len(m.Heap.Elems(v)) > 0 && !slices.ContainsFunc(m.Heap.Elems(v), func(d V) bool { return Shown(d) == d })
}

// noNumber says of the mistake at hand that a pool of dice that were thrown is no number, and what to write.
func (m *Machine) noNumber() {
	m.Err.Msg, m.Err.Help = "a pool of dice is no number", "a pool counts with  .sum  after it"
	if at := m.Err.At.Shown(); at.Src != nil {
		if p := poolFirst().FindStringSubmatch(at.Src.Text[at.Start:at.End]); p != nil {
			m.Err.Help = "write  " + p[1] + ".sum" + p[2]
		}
	}
}

var poolFirst = late.Regexp(`^([a-z]\w*)(\s*(?:[-+*/]|[<>]=?)[^\n]*)$`)

// Shown gives the face of a die that has been thrown, and anything else as it is: beside a number, a die
// counts as what it shows.
func Shown(v V) V {
	if v.Kind() == value.Die && v.DieFace() > 0 {
		return value.OfInt(int64(v.DieFace()))
	}
	return v
}

// Same says whether two values are equal: a die that has been thrown counts as the number that it shows.
func Same(a, b V) bool { return a == b || Shown(a) == Shown(b) }

// unthrown says whether a value is dice that have not been thrown.
func (m *Machine) unthrown(v V) bool {
	if v.Kind() == value.List {
		l := m.Heap.Elems(v)
		return len(l) > 0 && m.unthrown(l[0])
	}
	return v.Kind() == value.Made || v.Kind() == value.Die && v.DieFace() == 0
}

func (m *Machine) quoted(v V) string {
	if v.Kind() == value.Text {
		return `"` + m.Heap.TextOf(v) + `"`
	}
	return m.Show(v)
}

// add is + of numbers, texts, lists and dice.
func (m *Machine) add(a, b V) (V, bool) {
	if a.IsNumber() && b.IsNumber() {
		return m.arith(m.Heap.Add, "add", a, b)
	}
	if a.Kind() == value.Text && b.Kind() == value.Text {
		s, t := m.Heap.TextOf(a), m.Heap.TextOf(b)
		if len(s)+len(t) > m.MaxSize {
			return m.sized(0, len(s)+len(t))
		}
		m.countWork(len(s) + len(t))
		return m.Heap.OfConcat(a, []byte(t)), true
	}
	if x, y := Shown(a), Shown(b); x != a && y != b {
		return m.arith(m.Heap.Add, "add", x, y)
	}
	if pool(a) && pool(b) {
		e, f := m.AsList(a), m.AsList(b)
		n := len(e) + len(f)
		m.countWork(n)
		if n > m.MaxSize {
			return m.sized(0, n)
		}
		if a.Kind() == value.List {
			return m.Heap.Append(a, f), true
		}
		return m.Heap.OfJoined(e, f), true
	}
	return m.arith(m.Heap.Add, "add", a, b)
}

func (m *Machine) sized(v V, n int) (V, bool) {
	if n > m.MaxSize {
		m.exceeds("size", "more than %s elements or letters in one value", Grouped(int64(m.MaxSize)))
		return 0, false
	}
	return v, true
}

func pool(v V) bool { return v.IsDie() || v.Kind() == value.List }

func (m *Machine) AsList(v V) []V {
	if v.Kind() == value.List {
		return m.Heap.Elems(v)
	}
	return []V{v}
}

// mul is * of numbers, and of a number and a die or pool.
func (m *Machine) mul(a, b V) (V, bool) {
	if pool(a) && b.IsInt() {
		a, b = b, a
	}
	if !pool(b) {
		return m.arith(m.Heap.Mul, "multiply", a, b)
	}
	if !a.IsInt() || a.Int() < 0 {
		m.fail(code.Failed, "cannot take %s dice", m.Show(a))
		return 0, false
	}
	if b.Kind() == value.Die && b.DieSize() < 1 {
		m.fail(code.BadDie, "a die needs at least one face")
		return 0, false
	}
	e := m.AsList(b)
	if n := a.Int(); n*int64(len(e)) > int64(m.MaxSize) {
		m.exceeds("size", "more than %s dice in one pool", Grouped(int64(m.MaxSize)))
		return 0, false
	}
	return m.Heap.OfList(slices.Repeat(e, int(a.Int()))), true
}

func (m *Machine) compare(a, b V) (int, bool) {
	x, y := Shown(a), Shown(b)
	if x.IsNumber() && y.IsNumber() || x.Kind() == y.Kind() && (x.Kind() == value.Text || x.Kind() == value.Die) {
		return m.Heap.Compare(x, y), true
	}
	m.fail(code.Failed, "cannot compare %s with %s", m.quoted(a), m.quoted(b))
	for _, v := range []V{x, y} {
		switch {
		case v.Kind() == value.List && m.isThrown(v):
			m.noNumber()
		case (v == value.Yes || v == value.No) && (x.IsNumber() || y.IsNumber()):
			m.Err.Help = "yes and no are no numbers; dice that show 5 or more are counted by  .count(5..)"
		case v.Kind() == value.Die:
			m.Err.Help = "a die that has not been thrown has no number: write  throw " + m.Show(v) + "  where it falls"
		}
	}
	return 0, false
}

func (m *Machine) IndexOf(x, i V) (V, bool) {
	switch x.Kind() {
	case value.List:
		e := m.Heap.Elems(x)
		if !i.IsInt() {
			m.fail(code.Failed, "%s is not a position in a list", m.quoted(i))
			return 0, false
		}
		if n := i.Int(); n >= 1 && n <= int64(len(e)) {
			return e[n-1], true
		}
		return value.None, true
	case value.Map:
		v, _ := m.Heap.Get(x, i)
		return v, true
	}
	m.fail(code.Failed, "%s has no entries to pick from", m.quoted(x))
	return 0, false
}

// TextOf makes a text of parts. It says no where that gets too long.
func (m *Machine) TextOf(parts []V) (V, bool) {
	var few [128]byte
	b, first, had := few[:0], value.None, 0
	if len(parts) > 0 && parts[0].Kind() == value.Text {
		first, had = parts[0], len(m.Heap.TextOf(parts[0]))
		parts = parts[1:]
		m.countWork(had)
	}
	for _, v := range parts {
		if b = append(b, m.Say(v)...); had+len(b) > m.MaxSize {
			return m.sized(value.None, had+len(b))
		}
	}
	if first != value.None {
		return m.Heap.OfConcat(first, b), true
	}
	return m.Heap.OfBytes(b), true
}

// Elements gives what a loop goes through: a list as it is, a range's numbers,
// a map's keys, nothing for none, and anything else as a list of itself.
func (m *Machine) Elements(v V) (V, bool) {
	switch v.Kind() {
	case value.Range:
		lo, hi := m.Heap.Ends(v)
		if !lo.IsInt() || !hi.IsInt() {
			m.fail(code.Failed, "cannot count through %s", m.Show(v))
			return 0, false
		}
		var e []V
		if hi.Int()-lo.Int() >= int64(m.MaxSize) {
			m.fail(code.Limit, "%s is too long to go through", m.Show(v))
			return 0, false
		}
		for n := lo.Int(); n <= hi.Int(); n++ {
			e = append(e, value.OfInt(n))
		}
		return m.Heap.OfList(e), true
	case value.Map:
		p := m.Heap.Pairs(v)
		e := make([]V, 0, len(p)/2)
		for i := 0; i < len(p); i += 2 {
			e = append(e, p[i])
		}
		return m.Heap.OfList(e), true
	case value.Special:
		if v == value.None {
			return value.EmptyList, true
		}
	case value.Ref, value.Die, value.Text, value.Symbol:
		return m.Heap.OfList([]V{v}), true
	}
	m.fail(code.Failed, "cannot go through %s", m.quoted(v))
	return 0, false
}

// features gives the features on an instance, or on each of a list.
func (m *Machine) features(v V) (V, bool) {
	switch v.Kind() {
	case value.Ref:
		return m.Store[v.Off()+code.AtFeatures], true
	case value.Special:
		return value.EmptyList, true
	case value.List:
		var all []V
		for _, e := range m.Heap.Elems(v) {
			if e.Kind() == value.Ref {
				all = append(all, m.Heap.Elems(m.Store[e.Off()+code.AtFeatures])...)
			}
		}
		return m.Heap.OfList(all), true
	}
	m.fail(code.Failed, "cannot signal to %s: it is not a sheet", m.quoted(v))
	return 0, false
}

// resetConst puts the fields whose span ends with span, and whose default is
// a constant, back to that default; at an end also what lasts until span. At the
// beginning what is as the sheet says stays.
func (m *Machine) resetConst(span int, end bool) {
	for _, c := range m.clearing(spanEdge{span, end}) {
		f := c.field
		switch {
		case f.Per >= span && f.Const:
			if end || !m.asStated(c.at) {
				m.change(c.off, c.at, f, f.Default)
			}
		case m.endsWith(m.Look(c.at), span):
			m.change(c.off, c.at, f, value.None)
		}
	}
}

// asStated says whether a word of the store is what a sheet says of it.
func (m *Machine) asStated(at int) bool {
	v, ok := m.Prog.Stated[at]
	return ok && m.Look(at) == v
}

// fieldAsStated says whether a field of an instance is what its sheet says of it.
func (m *Machine) fieldAsStated(x V, sym int) bool {
	if x.Kind() != value.Ref {
		return false
	}
	t := m.TypeOf(x.Off())
	return sym < len(t.Slots) && t.Slots[sym] != 0 && m.asStated(x.Off()+int(t.Slots[sym]))
}

// endsWith says whether the span symbol v is over when span is.
func (m *Machine) endsWith(v V, span int) bool {
	if v.Kind() != value.Symbol {
		return false
	}
	return slices.Index(m.Prog.Spans, m.Heap.TextOf(v)) >= span
}

// change sets a store word and tells of it.
func (m *Machine) change(off, at int, f *code.Field, v V) {
	old := m.Store[at]
	if old == v {
		if m.Tracer != nil {
			m.Write(at, v) // it is v whatever it was
		}
		return
	}
	m.Write(at, v)
	if m.Out != nil && !f.Hidden {
		place, rule := m.position()
		m.Out.Changed(m, off, f, old, v, place, rule)
	}
}

func (m *Machine) refuse(text V, info *code.FailInfo) Status {
	s := m.fail(info.Kind, "%s", m.Show(text))
	m.Err.Clause, m.Err.Nobody = info.Clause, info.Nobody
	return s
}

// setField puts v into the field with symbol sym of the instance x.
func (m *Machine) setField(x V, sym int, v V, tell bool) bool {
	if x.Kind() != value.Ref {
		if x.Kind() == value.Text {
			m.fail(code.Failed, "%s is a text here and not somebody; to change what somebody has, write whose it is, as in  Ann.%s.%s", m.quoted(x), strings.ReplaceAll(m.Show(x), " ", "_"), m.Prog.FieldName(sym))
			return false
		}
		m.fail(code.Failed, "%s has no %s to set", m.quoted(x), m.Prog.FieldName(sym))
		return false
	}
	off := x.Off()
	t := m.TypeOf(off)
	if sym >= len(t.Slots) || t.Slots[sym] == 0 {
		m.fail(code.Failed, "%s (%s) has no %s", m.NameOf(x), t.Name, m.Prog.FieldName(sym))
		return false
	}
	at := off + int(t.Slots[sym])
	f := &t.Fields[int(t.Slots[sym])-code.Header]
	if f.Check != code.Anything {
		if !m.fits(f, &v) {
			m.fail(misfitKind(f, v), "%s of %s: %s", f.Name, m.NameOf(x), m.misfit(f, v))
			return false
		}
	}
	if tell && m.Out != nil && m.Store[off+code.AtName] != value.None {
		m.change(off, at, f, v)
	} else {
		m.Write(at, v)
	}
	return true
}

// fits checks v against what f holds; a value that only lacks its wrapping is
// mended (one element for a list, none for a truth).
func (m *Machine) fits(f *code.Field, v *V) bool {
	kind := v.Kind()
	switch f.Check {
	case code.IsTruth:
		if *v == value.None {
			*v = value.No
		}
		return *v == value.Yes || *v == value.No
	case code.IsList:
		if kind != value.List {
			if l, ok := m.Elements(*v); ok {
				*v = l
			}
			m.Err = nil
		}
		return v.Kind() == value.List && m.notTaken(f, *v) == value.None
	case code.IsMap:
		return kind == value.Map && m.notTaken(f, *v) == value.None
	case code.IsText:
		if kind == value.Symbol {
			*v = m.Heap.OfText(m.Heap.TextOf(*v))
		}
		kind = v.Kind()
	}
	if *v == value.None {
		return true
	}
	switch f.Check {
	case code.IsNumber:
		return v.IsNumber() && (v.IsInt() || !f.Whole)
	case code.InRange:
		return v.IsNumber() && (v.IsInt() || !f.Whole) &&
			(f.Lo == value.None || m.Heap.Compare(*v, f.Lo) >= 0) &&
			(f.Hi == value.None || m.Heap.Compare(*v, f.Hi) <= 0)
	case code.IsText:
		return kind == value.Text
	case code.IsDie:
		return v.IsDie() && f.TakesDie(*v)
	case code.InWords, code.IsSpan:
		return slices.Contains(f.OneOf, *v)
	case code.IsSheet:
		return f.Type == nil || kind == value.Ref && m.TypeOf(v.Off()).Is(f.Type)
	}
	return true
}

// notTaken gives the first value in a list, or the first key of a map, whose value is not one
// of the dice that a field takes; none when all are.
func (m *Machine) notTaken(f *code.Field, v V) V {
	if f.Dice == nil {
		return value.None
	}
	if v.Kind() == value.Map {
		pairs := m.Heap.Pairs(v)
		for i := 0; i < len(pairs); i += 2 {
			if !f.TakesDie(pairs[i+1]) {
				return pairs[i]
			}
		}
		return value.None
	}
	for _, e := range m.Heap.Elems(v) {
		if !f.TakesDie(e) {
			return e
		}
	}
	return value.None
}

// noDie says that v is none of the dice a field takes.
func (m *Machine) noDie(f *code.Field, v V) string {
	words := make([]string, len(f.Dice))
	for i, d := range f.Dice {
		words[i] = m.Show(d)
	}
	return fmt.Sprintf("%s must be one of these dice: %s", m.quoted(v), strings.Join(words, ", "))
}

// misfit says why v, which does not fit, does not.
func (m *Machine) misfit(f *code.Field, v V) string {
	if why := m.Heap.TooLarge(v); why != "" && f.Whole {
		return m.Show(v) + " is " + why
	}
	switch f.Check {
	case code.InRange:
		switch {
		case !v.IsNumber():
			return m.quoted(v) + " is not a number"
		case f.Whole && !v.IsInt():
			return m.Show(v) + " is not a whole number"
		case f.Lo != value.None && m.Heap.Compare(v, f.Lo) < 0:
			return m.Show(v) + " is below " + m.Show(f.Lo)
		}
		return m.Show(v) + " is above " + m.Show(f.Hi)
	case code.IsNumber:
		if v.IsNumber() {
			return m.Show(v) + " is not a whole number"
		}
		return m.quoted(v) + " is not a number"
	case code.IsText:
		return m.Show(v) + " is not a text"
	case code.IsTruth:
		return m.quoted(v) + " must be yes or no"
	case code.IsDie:
		if f.Dice != nil && v.Kind() == value.Die {
			return m.noDie(f, v)
		}
		return m.quoted(v) + " is not a die"
	case code.IsList:
		if v.Kind() == value.List {
			return m.noDie(f, m.notTaken(f, v))
		}
		return m.quoted(v) + " is not a list"
	case code.IsMap:
		if v.Kind() == value.Map {
			key := m.notTaken(f, v)
			at, _ := m.Heap.Get(v, key)
			return m.Show(key) + ": " + m.noDie(f, at)
		}
		return m.quoted(v) + " is not a map"
	case code.IsSheet:
		return m.quoted(v) + " is not a " + f.Type.Name
	case code.InWords, code.IsSpan, code.Anything:
	}
	words := make([]string, len(f.OneOf))
	for i, w := range f.OneOf {
		words[i] = m.Show(w)
	}
	return m.quoted(v) + " must be " + lang.OneOf(words)
}

// give puts what a statement of the script gives, a list or one value, at the end of what the
// script has given of that: see once.go.
func (m *Machine) give(v V, how *code.Giving) bool {
	var to *[]Ahead
	switch how.Word {
	case "dice":
		to = &m.Own.Faces
	case "answers":
		to = &m.Own.Answers
	case "picks":
		to = &m.Own.Picks
	default:
		return m.giveCommands(v, how)
	}
	for _, e := range m.AsList(v) {
		n, ok := givenNumber(e, how.Word)
		if !ok {
			m.fail(code.Failed, "%s cannot be given", m.quoted(e))
			return false
		}
		giveAhead(to, Ahead{N: n, Text: how.Over, From: m.Tactical[how.Over] + how.At, Once: how.Once})
	}
	return true
}

// givenNumber reads one value of what a statement gives: a face from 1, or an option, which
// counts from 0 inside.
func givenNumber(e V, word string) (n int, ok bool) {
	answers := word == "answers"
	switch {
	case answers && e == value.None:
		return Nobody, true
	case e == value.Yes:
		return 1, true
	case e == value.No:
		return 0, answers
	case !e.IsInt() || e.Int() < 0 || e.Int() > value.MaxFace:
		return 0, false
	case word == "dice":
		return int(e.Int()), e.Int() > 0
	}
	return int(e.Int()) - 1, e.Int() > 0
}

// giveCommands takes commands for turns to come. Where tactics act in every turn
// they are not needed.
func (m *Machine) giveCommands(v V, how *code.Giving) bool {
	for _, e := range m.AsList(v) {
		if e.Kind() != value.Text {
			m.fail(code.Failed, "%s is not a command in quotes", m.quoted(e))
			return false
		}
		if m.Attended {
			at := how.At
			if at > 0 {
				at += m.Moment
			}
			giveAhead(&m.Own.Commands, Ahead{N: at, Text: m.Heap.TextOf(e), Once: how.Once})
		}
	}
	return true
}

// Misfit says why v does not fit a field, "" when it does.
func (m *Machine) Misfit(f *code.Field, v V) string {
	if f.Check == code.IsList && f.Dice == nil {
		return ""
	}
	if m.fits(f, &v) {
		return ""
	}
	return m.misfit(f, v)
}

// misfitKind: a number out of range and a die that the game does not have are the
// players' matter, anything else a bug in the rules.
func misfitKind(f *code.Field, v V) code.Kind {
	if (f.Check == code.InRange || f.Whole) && v.IsNumber() || f.Dice != nil {
		return code.Refused
	}
	return code.Failed
}

// OldWord is a store word as it was.
type OldWord struct {
	At  int
	Old V
}

// Write sets a store word.
func (m *Machine) Write(at int, v V) {
	if m.Logging {
		m.tidyLog()
		m.UndoLog = append(m.UndoLog, OldWord{at, m.Store[at]})
		if m.Tracer != nil {
			m.Tracer.Write(at)
		}
	}
	m.Store[at] = v
}

// Look reads a store word.
func (m *Machine) Look(at int) V {
	if m.Tracer != nil {
		m.Tracer.Look(at)
	}
	return m.Store[at]
}

// Journal says whether what is written is noted, for Undo.
func (m *Machine) Journal(on bool) {
	m.Journaled, m.Logging, m.UndoLog, m.PutBack = on, on, m.UndoLog[:0], m.PutBack[:0]
}

// putBack notes that a refusal has put a word back.
func (m *Machine) putBack(at int) {
	if len(m.PutBack) >= minJournal+len(m.Store) {
		slices.Sort(m.PutBack)
		m.PutBack = slices.Compact(m.PutBack)
	}
	m.PutBack = append(m.PutBack, at)
}

// minJournal is how many notes there are at least before those that are no longer
// needed are thrown away.
const minJournal = 1 << 14

// tidyLog throws away what is no longer needed once it is much.
func (m *Machine) tidyLog() {
	if len(m.UndoLog) >= minJournal && len(m.UndoLog) >= 2*m.compacted {
		m.compact()
	}
}

// compact throws away what need not be known of what was written: what a word held
// when it was written again under the same savepoint.
func (m *Machine) compact() {
	type key struct{ guard, at int }
	first := map[key]bool{}
	kept := m.UndoLog[:0]
	guard, loaded := 0, m.LogLoaded
	for i, u := range m.UndoLog {
		for guard < len(m.Savepoints) && m.Savepoints[guard].Log == i {
			m.Savepoints[guard].Log = len(kept)
			guard++
		}
		if i == m.LogLoaded {
			loaded = len(kept)
		}
		if k := (key{guard, u.At}); !first[k] {
			first[k] = true
			kept = append(kept, u)
		}
	}
	for ; guard < len(m.Savepoints); guard++ {
		m.Savepoints[guard].Log = len(kept)
	}
	m.UndoLog, m.compacted = kept, len(kept)
	m.LogLoaded = min(loaded, len(kept))
}

// Undo puts the store back to where it was when Journal was called.
func (m *Machine) Undo() {
	m.undo(0, m.Tracer != nil)
	m.PutBack = m.PutBack[:0]
}

// undo takes back what was written since the undo log was n long. With tell the Tracer is
// told of it.
func (m *Machine) undo(n int, tell bool) {
	for i := len(m.UndoLog) - 1; i >= n; i-- {
		if u := &m.UndoLog[i]; u.At < len(m.Store) {
			m.Store[u.At] = u.Old
			if m.Journaled {
				m.putBack(u.At)
			}
			if tell {
				m.Tracer.Depend(u.At)
				m.Tracer.Write(u.At)
			}
		}
	}
	m.UndoLog = m.UndoLog[:n]
}
