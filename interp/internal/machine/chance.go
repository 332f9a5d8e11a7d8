package machine

import (
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
)

// Source says who threw a die, decided, or gave a command.
type Source string

const (
	BySeed    Source = "seed"    // the generator threw the die, or picked where a die decides
	ByScript  Source = "script"  // the script gave it
	ByGiven   Source = "given"   // a face that was given from outside
	ByLog     Source = "log"     // it was given from outside, and nobody said who it was
	ByTable   Source = "table"   // somebody threw the die when asked
	ByPerson  Source = "person"  // somebody decided when asked
	ByTactics Source = "tactics" // tactics acted in a turn
	ByDefault Source = "default" // nobody decided
	ByHanded  Source = "handed"  // its default, as whoever was asked was handed to their tactics
	ByUsual   Source = "usual"   // its default, as nobody wants to be asked
	ByNobody  Source = "nobody"  // a decision that no person is asked took its default
	ByUnknown Source = "unknown" // a record of before does not say
)

// Nobody among answers has a decision take its default, or has a die pick.
const Nobody = -1

// GivenFace is a face given from outside.
type GivenFace struct {
	Face int
	By   Source
}

// GivenAnswer is the option of a decision, given from outside.
type GivenAnswer struct {
	Option int
	By     Source
	Over   string
	After  int // see Answer
}

// GivenCommand is the command of a turn, given from outside; "" has tactics act.
type GivenCommand struct {
	Text string
	By   Source
	At   int // see Answer
}

// Answer is what was answered once: a face fell, a decision was made, a command was given.
type Answer struct {
	Kind  AnswerKind
	N     int    // the face, or the option from 0
	Text  string // the command
	By    Source
	Own   bool   // a statement of the script gave it
	Over  string // the decision, where a person made it in the place of tactics
	After int    // how often tactics had made it before
	At    int    // of a command that was done by hand: the moment, counted from 1; 0: it is that of a turn
}

// AnswerKind is what an Answer is to.
type AnswerKind uint8

const (
	Fell AnswerKind = iota
	Decided
	Commanded
)

// Note adds an answer to the log, if there is one.
func (m *Machine) Note(a Answer) {
	if m.Log != nil {
		if a.Over != "" {
			a.After = m.Tactical[a.Over]
		}
		*m.Log = append(*m.Log, a)
	}
}

// throw executes the Throw instruction in for the die or pool d: dice given
// beforehand fall first, then the generator throws, or Run returns to have
// somebody else do it.
func (m *Machine) throw(d V, in *code.Ins) Status {
	m.Sizes, m.MadePool = m.Sizes[:0], nil
	switch d.Kind() {
	case value.Made:
		return m.throwMade(d, in)
	case value.Die:
		m.Sizes = append(m.Sizes, d.DieSize())
	case value.List:
		for _, e := range m.Heap.Elems(d) {
			if e.Kind() == value.Made {
				return m.throwMade(d, in)
			}
			if e.Kind() != value.Die {
				return m.fail(code.Failed, "%s is not a die and cannot be thrown", m.quoted(e))
			}
			m.Sizes = append(m.Sizes, e.DieSize())
		}
	default:
		return m.fail(code.Failed, "%s is not a die and cannot be thrown", m.quoted(d))
	}
	for _, s := range m.Sizes {
		if s < 1 {
			return m.fail(code.BadDie, "a die needs at least one face")
		}
	}
	if m.Thrown += int64(len(m.Sizes)); m.Thrown > m.MaxDice {
		return m.exceeds("dice", "more than %s dice have been thrown", Grouped(int64(m.MaxDice)))
	}
	m.Fallen, m.from = m.Fallen[:0], m.from[:0]
	if m.streams != nil {
		what := ""
		if in.B >= 0 {
			what = m.ThrowLabel(m.Frames[len(m.Frames)-1].Fn.Infos[in.B])
		}
		m.streams.next(m, what)
	}
	m.askTrail(in)
	if m.Picking() {
		if m.Follows && len(m.Own.Picks) == 0 {
			return NeedChance
		}
		n, own := 0, len(m.Own.Picks) > 0
		switch {
		case own:
			n, m.Own.Picks = m.Own.Picks[0].N, m.Own.Picks[1:]
		case len(m.trailFaces) > 0:
			n = m.trailFaces[0] - 1
		case len(m.Picks) > 0:
			n, m.Picks = m.Picks[0], m.Picks[1:]
		case len(m.Answers) > 0:
			n, m.Answers = m.Answers[0].Option, m.Answers[1:]
		default:
			n = m.Rand.Pick(m.Sizes[0])
		}
		if n < 0 || n >= m.Sizes[0] {
			return m.fail(code.Failed, "answers gives number %d, but there are only %d to choose from", n+1, m.Sizes[0])
		}
		m.addFace(m.Sizes[0], n+1, BySeed)
		m.Note(Answer{Kind: Decided, N: n, By: BySeed, Own: own})
		m.finishThrow()
		return Done
	}
	for len(m.Fallen) < len(m.Sizes) {
		size := m.Sizes[len(m.Fallen)]
		switch {
		case len(m.Own.Faces) > 0:
			if !m.addGivenFace(size, m.Own.Faces[0].N, ByScript) {
				return Broken
			}
			m.Own.Faces = m.Own.Faces[1:]
		case len(m.Fallen) < len(m.trailFaces):
			m.addFace(size, m.trailFaces[len(m.Fallen)], ByLog)
		case len(m.Faces) > 0:
			f := m.Faces[0]
			if !m.addGivenFace(size, f.Face, f.By) {
				return Broken
			}
			m.Faces = m.Faces[1:]
		case m.Seeded:
			m.addFace(size, m.Rand.Face(size), BySeed)
		default:
			return NeedChance
		}
	}
	m.finishThrow()
	return Done
}

// Picking says whether the throw at hand makes a choice.
func (m *Machine) Picking() bool {
	in, infos := m.waiting()
	if in.Op != code.Throw || in.B < 0 {
		return false
	}
	ti, ok := infos[in.B].(*code.ThrowInfo)
	return ok && ti.Pick
}

func (m *Machine) addFace(size, face int, by Source) {
	m.Fallen, m.from = append(m.Fallen, value.OfDie(size, face)), append(m.from, by)
	if !m.Picking() {
		m.Note(Answer{Kind: Fell, N: face, By: by, Own: by == ByScript})
	}
}

func (m *Machine) addGivenFace(size, f int, by Source) bool {
	if f < 1 || f > size {
		m.fail(code.BadDie, "a given die shows %d, which a d%d cannot show", f, size)
		return false
	}
	m.addFace(size, f, by)
	return true
}

// Pending gives the sizes of the dice that have to fall and what for, after
// Run returned NeedChance.
func (m *Machine) Pending() (sizes []int, what string) {
	in, infos := m.waiting()
	if in.Op == code.Throw && in.B >= 0 {
		what = m.ThrowLabel(infos[in.B])
	}
	return m.Sizes[len(m.Fallen):], what
}

func (m *Machine) waiting() (*code.Ins, []any) {
	top := &m.Frames[len(m.Frames)-1]
	return &top.Fn.Code[top.PC-1], top.Fn.Infos
}

// GiveFaces answers NeedChance: one face for each pending die, each within
// its size. Run goes on from there.
func (m *Machine) GiveFaces(faces []int) {
	for _, f := range faces {
		m.addFace(m.Sizes[len(m.Fallen)], f, ByTable)
	}
	m.finishThrow()
}

// RollFaces answers NeedChance by the built-in generator. Run goes on from there.
func (m *Machine) RollFaces() {
	for _, size := range m.Sizes[len(m.Fallen):] {
		m.addFace(size, m.Rand.Face(size), BySeed)
	}
	m.finishThrow()
}

// finishThrow puts the thrown dice where the instruction wants them: a die as a
// die, a pool sorted from the highest face down, which makes it a multiset.
func (m *Machine) finishThrow() {
	top := &m.Frames[len(m.Frames)-1]
	in := &top.Fn.Code[top.PC-1]
	m.Drawn, m.NothingDrawn, m.PoolDrawn = true, false, m.PoolDrawn || len(m.Fallen) > 2
	if m.Trail != nil {
		m.Trail.Record(m.Fallen, m.from)
	}
	if m.Out != nil && !m.Picking() {
		at, rule := m.position()
		var info any
		if in.Op == code.Throw && in.B >= 0 {
			info = top.Fn.Infos[in.B]
		}
		m.Out.Thrown(m, info, m.Fallen, m.from, at, rule)
	}
	r := &m.Stack[top.Base+in.A]
	if r.Kind() == value.Die {
		*r = m.Fallen[0]
		return
	}
	slices.SortFunc(m.Fallen, func(a, b V) int { return m.Heap.Compare(b, a) })
	*r = m.Heap.OfList(m.Fallen)
}

// ask executes an Ask: who, prompt and default (of an offer), or who, prompt,
// list and default (of a choice) are in the registers from A: see code.AskInfo.Registers.
func (m *Machine) ask(r []V, in *code.Ins) Status {
	top := &m.Frames[len(m.Frames)-1]
	info := top.Fn.Infos[in.B].(*code.AskInfo)
	q := &m.asked
	at, rule := m.position()
	*q = Question{Info: info, Who: r[in.A], Prompt: r[in.A+1], Options: value.None, Price: value.None, Notes: value.None, Left: value.None, Count: 2, At: at, Rule: rule, over: m.silenced,
		Usual: info.Usual && r[in.A+5] == value.Yes}
	m.silenced = ""
	if info.Offer {
		q.Price = r[in.A+3]
		if m.Out != nil && info.Cost != "" {
			q.Left = r[in.A+4]
		}
		if r[in.A+2] == value.Yes {
			q.Default = 1
		}
	} else {
		q.Options = r[in.A+2]
		if info.Notes {
			q.Notes = r[in.A+6]
		}
		if info.Priced {
			q.Price, q.Left = r[in.A+7], r[in.A+8]
		}
		e := m.Heap.Elems(q.Options)
		q.Count = len(e)
		if q.Notes != value.None && len(m.Heap.Elems(q.Notes)) != len(e) {
			return m.fail(code.Failed, "there are %d choices, and notes has %d", len(e), len(m.Heap.Elems(q.Notes)))
		}
		k := slices.Index(e, r[in.A+3])
		if k < 0 && r[in.A+3] != value.None && len(e) > 0 {
			return m.fail(code.Failed, "the default %s is none of the choices %s", m.quoted(r[in.A+3]), m.Show(q.Options))
		}
		q.Default, q.Must = max(0, k), k < 0 && info.Said
		if len(e) < 2 {
			m.answered(q.Default, "")
			return Done
		}
	}
	switch {
	case len(m.Own.Answers) > 0 && m.ownAnswer(q) >= 0:
		return m.answerGiven(GivenAnswer{Option: m.Own.takeAnswer(m.ownAnswer(q)), By: ByScript})
	case len(m.Answers) > 0 && (!info.Unasked || m.Answers[0].fitsNobody()):
		a := m.Answers[0]
		m.Answers = m.Answers[1:]
		return m.answerGiven(a)
	}
	return NeedChoice
}

// nobodyIsAsked says whether only tactics decide.
func (m *Machine) nobodyIsAsked() bool {
	return m.Unasked && m.Log == nil && len(m.Own.Answers)+len(m.Answers) == 0
}

// fitsNobody says whether an answer can be one to a decision that no person is asked.
func (a GivenAnswer) fitsNobody() bool { return a.By == ByNobody || a.By == ByLog || a.By == ByUnknown }

func (m *Machine) answerGiven(a GivenAnswer) Status {
	n, by := a.Option, a.By
	if n == Nobody {
		m.giveAnswer(m.asked.Default, ByDefault, by == ByScript)
		return Done
	}
	if n < 0 || n >= m.asked.Count {
		return m.fail(code.Failed, "answers gives number %d, but there are only %d to choose from", n+1, m.asked.Count)
	}
	m.Note(Answer{Kind: Decided, N: n, By: by, Own: by == ByScript, Over: a.Over})
	m.answered(n, by)
	return Done
}

// Asked gives the question to be answered, after Run returned NeedChoice.
func (m *Machine) Asked() *Question { return &m.asked }

// GiveAnswer answers NeedChoice with the number of an option; by says who
// answered, for those who listen. A default could have been known before.
func (m *Machine) GiveAnswer(n int, by Source) { m.giveAnswer(n, by, false) }

func (m *Machine) giveAnswer(n int, by Source, own bool) {
	info, over := m.asked.Info, m.asked.over
	switch {
	case by != ByDefault && by != ByHanded && by != ByUsual:
		m.Drawn, m.NothingDrawn = true, false
	case info.Unasked:
		by = ByNobody
		fallthrough
	default:
		if info.Random {
			m.Note(Answer{Kind: Decided, N: Nobody, By: by, Own: own, Over: over})
			m.Stack[m.askedAt()] = value.None // it is picked next
			return
		}
	}
	m.Note(Answer{Kind: Decided, N: n, By: by, Own: own, Over: over})
	m.answered(n, by)
}

func (m *Machine) answered(n int, by Source) {
	if by != "" && m.Out != nil {
		m.Out.Answered(m, &m.asked, n, string(by))
	}
	r := &m.Stack[m.askedAt()]
	switch {
	case m.asked.Info.Offer:
		*r = value.OfBool(n == 1)
	case m.asked.Count == 0:
		*r = value.None
	default:
		*r = m.Heap.Elems(m.asked.Options)[n]
	}
}

// askedAt gives the place in the stack that takes the answer.
func (m *Machine) askedAt() int32 {
	top := &m.Frames[len(m.Frames)-1]
	return top.Base + top.Fn.Code[top.PC-1].A
}

// ThrowLabel says what the dice being thrown are for; info is that of the
// throw being executed.
func (m *Machine) ThrowLabel(info any) string {
	ti, ok := info.(*code.ThrowInfo)
	if !ok {
		return ""
	}
	if ti.Reg == 0 {
		return ti.For
	}
	top := &m.Frames[len(m.Frames)-1]
	return m.Show(m.Stack[int(top.Base)+int(top.Fn.Code[top.PC-1].A)+ti.Reg])
}
