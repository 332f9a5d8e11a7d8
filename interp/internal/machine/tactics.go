package machine

import (
	"maps"
	"slices"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Tactics are what somebody does unasked: entries for a turn, tried in their order, and
// answers to decisions. The header of an instance says which tactics it follows: the
// number of one block or, inside a scene with tactics of its own, a list of such
// numbers, the innermost first. Layers lie over one another entry by entry: an answer
// of the inner block hides only the outer answer to the same decision, all `when`
// entries count, the inner ones first, and the innermost `otherwise` replaces the
// others.

// refusal is the latest refusal that was come back from.
type refusal struct {
	why  string
	at   lang.Span // where it arose
	rule int32

	nobody bool // see code.FailInfo
}

// RefusedBy gives the rule that refused last, where a script went on.
func (m *Machine) RefusedBy() int32 { return m.refusal.rule }

// Nobody says whether what was refused last is about those of whom there is nobody: an entry of tactics
// does not fit then, as if its condition did not hold.
func (m *Machine) Nobody() bool { return m.refusal.nobody }

// TacticWords lists the words of the commands in the tactics that an instance follows,
// the default ones included.
func (m *Machine) TacticWords(off int) []string {
	var out []string
	for _, n := range m.layers(off) {
		out = append(out, m.tacticsOf(n).Words...)
	}
	if t := m.Prog.Default; t != nil {
		out = append(out, t.Words...)
	}
	return out
}

// layers gives the numbers of the tactics that the instance at off follows, the
// innermost first. They are good until the store is written.
func (m *Machine) layers(off int) []V {
	if m.Tracer != nil {
		m.Tracer.Look(off + code.AtTactics)
	}
	at := off + code.AtTactics
	switch v := m.Store[at]; v.Kind() {
	case value.Int:
		return m.Store[at : at+1 : at+1]
	case value.List:
		return m.Heap.Elems(v)
	}
	return nil
}

func (m *Machine) tacticsOf(n V) *code.Tactics { return m.Prog.Tactics[n.Int()] }

// turnOf gives the rule for the kth part of the turn of the instance at off, none when
// there are no more parts. Whoever has no entries for a turn follows the default.
func (m *Machine) turnOf(off, k int) V {
	layers := m.layers(off)
	rule := -1
	if len(layers) == 1 && k == 0 {
		rule = m.tacticsOf(layers[0]).Turn
	} else if len(layers) > 1 {
		rule = m.part(layers, k)
	}
	if rule >= 0 {
		if k == 0 {
			for _, n := range layers {
				m.note(m.tacticsOf(n), nil, refusal{})
			}
		}
		return value.OfRule(rule)
	}
	if t := m.Prog.Default; k == 0 && t != nil && t.Turn >= 0 {
		m.note(t, nil, refusal{})
		return value.OfRule(t.Turn)
	}
	return value.None
}

// part gives the kth of the rules that layers of tactics have for a turn, -1 behind the
// last.
func (m *Machine) part(layers []V, k int) int {
	last := -1
	for _, n := range layers {
		t := m.tacticsOf(n)
		if t.When >= 0 {
			if k == 0 {
				return t.When
			}
			k--
		}
		if last < 0 {
			last = t.Else
		}
	}
	if k == 0 {
		return last
	}
	return -1
}

// tacticOn gives the rule that answers a decision for somebody. Where a person decides in its
// place it is none, and the decision is given, too.
func (m *Machine) tacticOn(who V, decision string) (rule V, over string) {
	rule = m.tacticFor(who, decision)
	if rule != value.None && (m.givenFor(decision) || m.Attended && m.personal(who, decision)) {
		return value.None, decision
	}
	return rule, ""
}

// givenFor says whether the script gives the answer that tactics would give: it is the first that
// is given once.
func (m *Machine) givenFor(decision string) bool {
	at := firstOnce(m.Own.Answers)
	return at < len(m.Own.Answers) && m.Own.Answers[at].Text == decision && m.Tactical[decision] >= m.Own.Answers[at].From
}

// ownAnswer gives which of the answers that the script has given is to a question, -1 for none.
// Where a person is asked in the place of tactics they are none.
func (m *Machine) ownAnswer(q *Question) int {
	switch {
	case q.over != "" && m.givenFor(q.over):
		return firstOnce(m.Own.Answers)
	case q.Info.Unasked || q.over != "":
		return -1
	}
	return 0
}

// byTactics notes that tactics make a decision.
func (m *Machine) byTactics(decision string) {
	if m.Log != nil || len(m.Own.Answers)+len(m.Answers) > 0 {
		n := m.Tactical[decision]
		if m.Tactical = maps.Clone(m.Tactical); m.Tactical == nil {
			m.Tactical = map[string]int{}
		}
		m.Tactical[decision] = n + 1
	}
}

// personal says whether a person makes a decision that somebody's tactics would make: it is
// so now, or was when the answer that is given next was given.
func (m *Machine) personal(who V, decision string) bool {
	if len(m.Answers) > 0 && m.Answers[0].Over == decision && m.Tactical[decision] >= m.Answers[0].After {
		return true
	}
	return m.Silences != nil && m.Silences(who, decision)
}

// tacticFor gives the rule of the tactics of somebody that answers a decision, or none.
func (m *Machine) tacticFor(who V, decision string) V {
	if who.Kind() != value.Ref {
		return value.None
	}
	for _, n := range m.layers(who.Off()) {
		if rule, ok := m.tacticsOf(n).On[decision]; ok {
			return value.OfRule(rule)
		}
	}
	if t := m.Prog.Default; t != nil {
		if rule, ok := t.On[decision]; ok {
			return value.OfRule(rule)
		}
	}
	return value.None
}

// setTactics gives tactics to an instance, or to each of a list: in the place of those
// that it has for the same scope, over those of the scopes around.
func (m *Machine) setTactics(v V, n int) {
	switch v.Kind() {
	case value.Ref:
		t := m.Prog.Tactics[n]
		list := []V{value.OfInt(int64(n))}
		for _, old := range m.layers(v.Off()) {
			switch o := m.tacticsOf(old); {
			case o.Scope == t.Scope:
			case t.Scope == 0:
				list = slices.Insert(list, len(list)-1, old)
			default:
				list = append(list, old)
			}
		}
		m.follows(v.Off(), list)
	case value.List:
		for _, e := range m.Heap.Elems(v) {
			m.setTactics(e, n)
		}
	}
}

// endTactics takes the tactics of a scope from everybody.
func (m *Machine) endTactics(scope int) {
	for _, off := range m.Prog.Live {
		over := func(n V) bool { return m.tacticsOf(n).Scope == scope }
		if layers := m.layers(off); slices.ContainsFunc(layers, over) {
			m.follows(off, slices.DeleteFunc(slices.Clone(layers), over))
		}
	}
}

// follows sets which tactics an instance follows.
func (m *Machine) follows(off int, list []V) {
	v := value.None
	switch {
	case len(list) == 1:
		v = list[0]
	case len(list) > 1:
		v = m.Heap.OfList(list)
	}
	m.Write(off+code.AtTactics, v)
}

// Note is something that odds and simulations count and nobody reads while the script
// runs: a turn that somebody took by tactics, or an entry of them that was refused.
// Notes do not belong to the state, so that counting them tells no states apart.
type Note struct {
	Tactics *code.Tactics
	Refused *code.Tactic // nil of a turn
	At      lang.Span    // where it was refused
	Why     string       // the first reason that was given there
	Rule    int32        // the rule that gave it
}

type noteKey struct {
	tactics, scope int
	refused        *code.Tactic
	src            *lang.Source
	at             int32
}

// Noting says what is noted.
type Noting uint8

const (
	NoteNothing Noting = iota
	NoteRefusals
	NoteTurns // and refusals
)

// Notes are all notes that have been made, by number.
type Notes struct {
	List  []Note
	index map[noteKey]int32
}

// note adds a note to Noted.
func (m *Machine) note(t *code.Tactics, refused *code.Tactic, by refusal) {
	if m.Noting == NoteNothing || m.Noting == NoteRefusals && refused == nil {
		return
	}
	key := noteKey{t.ID, t.Scope, refused, by.at.Src, by.at.Start}
	n, ok := m.Notes.index[key]
	if !ok {
		if m.Notes.index == nil {
			m.Notes.index = map[noteKey]int32{}
		}
		n = int32(len(m.Notes.List))
		m.Notes.index[key] = n
		m.Notes.List = append(m.Notes.List, Note{t, refused, by.at, by.why, by.rule})
	}
	m.Noted = append(m.Noted, n)
}

// declined notes that an entry of tactics was refused just now.
func (m *Machine) declined(x *code.Tactic) {
	if m.Nobody() {
		return
	}
	if m.Refusals++; m.Refusals == 1 {
		m.firstRefusal = x.Text + ": " + m.refusal.why
	}
	m.note(x.Of, x, m.refusal)
}
