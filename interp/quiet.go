package interp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Rules ask about everything that a book leaves to somebody. A table does not: nobody says aloud
// that they take the usual dice. So a decision has a manner, and Config.Quiet says from which
// manner on people are asked. What they are not asked takes its default, as in a run without
// people, and the event of it says ByUsual. Nothing else differs: a clause, an answers statement
// and tactics come first, and a record of the answers replays without knowing any of this.

// Manner says how a decision is put to people. A module says it in a line "decision NAME … offers";
// where it does not, what a die decides asks, and the rest offers. What costs something is not usual by that
// word alone, only where the question itself says when it is: "usual when CONDITION".
type Manner string

const (
	Asks   Manner = "asks"   // only a person can know
	Offers Manner = "offers" // another answer than the default spends or gains something
	Usual  Manner = "usual"  // the default is what nobody at a table says aloud
)

// Quiet says which decisions people are asked.
type Quiet string

const (
	QuietOff   Quiet = ""      // all
	QuietUsual Quiet = "usual" // what asks and what offers; of the game master's side only what asks the game master
	QuietMust  Quiet = "must"  // what asks
)

// Words that Hand and Config.Ask take beside people and decisions. To be asked for Everything is
// QuietOff, not to be asked QuietUsual; to be asked for Costs is QuietUsual, not to be asked QuietMust.
const (
	Everything = "everything"
	Costs      = "costs"
)

// quietOf gives how quiet it is when somebody is asked for one of these words, or not.
func quietOf(word string, asked bool) (q Quiet, ok bool) {
	switch {
	case word != Everything && word != Costs:
		return q, false
	case word == Costs && !asked:
		return QuietMust, true
	case word == Everything && asked:
		return QuietOff, true
	}
	return QuietUsual, true
}

// Quiet says which decisions people are asked.
func (s *Session) Quiet() Quiet { return Quiet(s.run.Quiet) }

// aboutOf takes apart what Hand was given: a decision, "" for commands and all of them, and who has
// to make it.
func (s *Session) aboutOf(word string) (decision, who string) {
	says, _, _ := strings.Cut(word, ":")
	first, rest, _ := strings.Cut(strings.TrimSpace(says), " ")
	if s.run.World.DecisionNames()[first] {
		return first, cmp.Or(strings.TrimSpace(rest), Everyone)
	}
	return "", word
}

// DecisionWords lists the decisions of the rules in use, in order.
func (s *Session) DecisionWords() []string {
	return slices.Sorted(maps.Keys(s.run.World.DecisionNames()))
}

// mannerOf says how a decision is put to people.
func (s *Session) mannerOf(q *machine.Question) Manner {
	info := q.Info
	d := s.run.World.Decided[info.Name]
	switch {
	case q.Usual:
		return Usual
	case d != nil && d.Manner != nil && (d.Manner.Name != string(Usual) || info.Cost == ""):
		return Manner(d.Manner.Name)
	case info.Random:
		return Asks
	}
	return Offers
}

// heard says whether a decision of this manner is put to people.
func (m Manner) heard(q Quiet) bool {
	switch q {
	case QuietUsual:
		return m != Usual
	case QuietMust:
		return m == Asks
	}
	return true
}

// put says whether a decision is put to whoever has to make it.
func (s *Session) put(q *machine.Question) bool {
	if h, ok := s.cfg.Player.(Holder); ok && q.Who.Kind() == value.Ref && h.Insists(q.Info.Name, s.run.M.NameOf(q.Who)) {
		return true
	}
	if s.over(q) {
		return false
	}
	manner := s.mannerOf(q)
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		decision, who := s.aboutOf(h.Who)
		switch {
		case decision != "" && decision != q.Info.Name || !s.meant(who, q.Who) || decision != "" && isAhead(h.Who):
		case h.Asked && h.Who == decision && s.ofOpponents(q.Who): // whoever is asked at all
		case decision == "" && h.Asked: // somebody plays them, whichever side they are on
			return manner.heard(s.Quiet())
		default:
			return h.Asked
		}
	}
	switch side := s.sideOf(q.Who); {
	case s.Quiet() == QuietOff || side == ByPlayers:
		return manner.heard(s.Quiet())
	case side == ByMaster:
		return manner == Asks
	}
	return false
}

// over says whether nothing comes any more where what a decision is about would last: the last scene of a script has ended.
func (s *Session) over(q *machine.Question) bool { return len(s.run.On) == 0 && s.lasts(q) }

// lasts says whether a decision in the last command of a script is about what lasts beyond it.
func (s *Session) lasts(q *machine.Question) bool {
	rule := language.TermsRule(s.run.World, "lasting", 0)
	if !s.last || rule == nil {
		return false
	}
	names, ok := s.run.Pure(rule, value.None)
	return ok && slices.ContainsFunc(s.run.Heap.Elems(names), func(v value.V) bool { return s.run.M.Show(v) == q.Info.Name })
}

// ofOpponents says whether nobody plays somebody but their tactics.
func (s *Session) ofOpponents(who value.V) bool {
	h := s.handOf(who)
	return s.sideOf(who) == ByOpponents && (h == nil || !h.Asked)
}

// unheard says by whom an answer is that a person was not asked for: the game master was not, either,
// where they decide as such.
func (s *Session) unheard(who value.V) By {
	if h := s.handOf(who); h != nil && h.Asked || s.sideOf(who) != ByOpponents {
		return ByUsual
	}
	return ByDefault
}

// Side says who plays somebody where nobody said it.
type Side string

const (
	ByPlayers   Side = "players"
	ByMaster    Side = "master"    // the game master, whom the rules declare
	ByOpponents Side = "opponents" // whom the game master plays
)

// Person is somebody, or a part of somebody, with who plays them.
type Person struct {
	Name string
	Of   string // of whom they are a part, "" for nobody
	Side Side
	Here bool // a word of the rules that stands for people, such as heroes, stands for them now

	Asked  bool // a person gives their commands
	Throws bool // they throw their own dice
}

// People lists everybody there is, in the order of declaration, each before their parts.
func (s *Session) People() (list []Person) {
	here := s.here()
	for _, e := range language.Instances(s.run.World) {
		who := value.OfRef(e.Off)
		p := Person{Name: e.Name, Side: s.sideOf(who), Here: here[who], Asked: s.asksFor(who), Throws: s.thrower(s.run.M.NameOf(who)) != nil}
		if root := s.run.World.ByOff[e.Off].Root(); e.Part {
			p.Of = root.Name
		}
		list = append(list, p)
	}
	return list
}

// asksFor says whether somebody's commands are asked for, as far as that does not depend on the moment.
func (s *Session) asksFor(who value.V) bool {
	if h := s.handOf(who); h != nil {
		return h.Asked
	}
	return (s.Quiet() == QuietOff || s.sideOf(who) != ByOpponents) && !s.run.M.HasTurn(who)
}

// here are those whom the rules have a word for as things stand.
func (s *Session) here() map[value.V]bool {
	found := map[value.V]bool{}
	for _, word := range language.WhoWords(s.run.World) {
		list, _, _ := language.Covers(s.run.World, word)
		if list == nil {
			continue
		}
		if v, ok := s.run.Pure(list, value.None); ok && v.Kind() == value.List {
			for _, e := range s.run.Heap.Elems(v) {
				found[e] = true
			}
		}
	}
	return found
}

// sideOf goes by the sheets of players; a system that has none is played by players alone.
func (s *Session) sideOf(who value.V) Side {
	w := s.run.World
	if !w.Players {
		return ByPlayers
	}
	var e *decl.Entity
	if who.Kind() == value.Ref {
		e = w.ByOff[who.Off()]
	}
	for e != nil && e.Owner != nil {
		e = e.Owner
	}
	switch {
	case e == nil:
		return ByMaster
	case e.Adhoc || e.Sheet.Players || w.StandIn != nil && e == w.StandIn.Ent:
		return ByPlayers
	case !e.Script:
		return ByMaster
	}
	return ByOpponents
}

// silences says whether a person decides in the place of somebody's tactics: it was said that
// they are asked.
func (s *Session) silences(who value.V, decision string) bool {
	if s.cfg.Choice == nil || len(s.run.Hands) == 0 {
		return false
	}
	m := s.run.M // which is at work
	s.run.M = m.Copy()
	defer func() { s.run.M = m }()
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		switch of, whose := s.aboutOf(h.Who); {
		case of != "" && of != decision || !s.meant(whose, who):
		case of == "" || !isAhead(h.Who):
			return h.Asked
		case s.holdsAhead(h.Who, who):
			return true
		}
	}
	return false
}

// ahead gives the questions that whoever is asked would be asked next if every answer is the
// default: until a die falls, somebody else is asked, or the command ends.
func (s *Session) ahead(q *machine.Question) (list []Question) {
	mark := s.along().mark()
	s.lookAhead(q, func(next *machine.Question) bool {
		ask := s.placed(next)
		ask.row = len(list) + 1
		list = append(list, ask)
		return len(list) < mostAhead
	})
	s.along().rewind(mark)
	return list
}

// lookAhead goes with a copy of the run to each of these questions for as long as there is more to
// see. Nothing of it stays.
func (s *Session) lookAhead(q *machine.Question, see func(next *machine.Question) (more bool)) {
	who := q.Who
	s.run.Aside(func(m *machine.Machine) {
		m.Attended, m.Seeded = true, false
		for next, more := q, true; more; {
			n, _ := s.saidAhead(next)
			m.GiveAnswer(n, ByDefault)
			if s.untilAsked(m) != machine.NeedChoice {
				return
			}
			next = m.Asked()
			switch {
			case s.isSaidAhead(next) || s.handedOver(next.Who) || !s.put(next) || s.lasts(next):
				continue
			case next.Who != who || next.Must:
				return
			}
			more = see(next)
		}
	})
}

// At runs something while the run stands at the question. For one of Ahead a copy of the run goes
// there first, and nothing of that stays.
func (q *Question) At(do func()) {
	if q.row == 0 {
		do()
		return
	}
	row := 0
	q.Session.lookAhead(q.Session.run.M.Asked(), func(*machine.Question) bool {
		if row++; row == q.row {
			do()
		}
		return row < q.row
	})
}

// mostAhead is how many questions are looked ahead for.
const mostAhead = 50

// untilAsked runs on for as long as the machine only computes.
func (s *Session) untilAsked(m *machine.Machine) machine.Status {
	for end := m.Steps + core.Slice; ; {
		m.MaxSteps = min(m.Steps+core.LooksAfter, m.StepLimit)
		if st := m.Run(); st != machine.Yield || m.Steps >= end || m.Steps >= m.StepLimit {
			return st
		}
	}
}

// What somebody decides may be said ahead, as in a line of tactics: "NAME WHO: ANSWER when CONDITION".
// It goes before their tactics, and they are not asked while its condition holds and its answer is
// one of those that there are.

// isAhead says whether a word of Hand that names a decision says its answer ahead, too.
func isAhead(word string) bool { return strings.Contains(word, ":") }

// aheadOf takes an answer that is said ahead apart.
func aheadOf(word string) (answer, when string) {
	_, says, _ := strings.Cut(word, ":")
	answer, when, _ = strings.Cut(says, " when ")
	return strings.TrimSpace(answer), strings.TrimSpace(when)
}

// saidAhead gives the answer that was said ahead to a question, or the default.
func (s *Session) saidAhead(q *machine.Question) (option int, ok bool) {
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		decision, who := s.aboutOf(h.Who)
		switch {
		case decision != "" && decision != q.Info.Name || !s.meant(who, q.Who):
			continue
		case decision == "" || !isAhead(h.Who):
			return q.Default, false
		}
		answer, _ := aheadOf(h.Who)
		options := []string{"no", "yes"}
		if !q.Info.Offer {
			options, _ = s.options(q.Options)
		}
		if n := slices.Index(options, answer); n >= 0 && s.holdsAhead(h.Who, q.Who) {
			return n, true
		}
	}
	return q.Default, false
}

func (s *Session) isSaidAhead(q *machine.Question) bool {
	_, ok := s.saidAhead(q)
	return ok
}

// holdsAhead says whether the condition of what was said ahead holds.
func (s *Session) holdsAhead(word string, who value.V) (holds bool) {
	_, when := aheadOf(word)
	if when == "" || who.Kind() != value.Ref {
		return when == ""
	}
	s.run.Aside(func(m *machine.Machine) {
		fn, _, err := s.compileCommand("expect "+when, who.Off())
		if err != nil || m.Start(fn) != nil {
			return
		}
		m.Failures, m.MaxSteps = nil, min(m.Steps+core.LooksAfter, m.StepLimit)
		holds = m.Run() == machine.Done && len(m.Failures) == 0
	})
	return holds
}

// Advance is an answer to a decision that was said ahead.
type Advance struct{ Decision, Who, Answer, When string }

// String is the word that Hand takes for it.
func (a Advance) String() string {
	word := a.Decision + " " + cmp.Or(a.Who, Everyone) + ": " + a.Answer
	if a.When != "" {
		word += " when " + a.When
	}
	return word
}

func (s *Session) advanceOf(word string) (a Advance) {
	a.Decision, a.Who = s.aboutOf(word)
	a.Answer, a.When = aheadOf(word)
	return a
}

// sayAhead takes an answer that is said ahead, in the place of the one that was said of the same case. No
// answer takes back all that were said of the decision for these people.
func (s *Session) sayAhead(word string) error {
	now := s.advanceOf(word)
	hands := slices.DeleteFunc(slices.Clone(s.run.Hands), func(h core.Hand) bool {
		was := s.advanceOf(h.Who)
		return isAhead(h.Who) && was.Decision == now.Decision && sameWho(was.Who, now.Who) && (now.Answer == "" || was.When == now.When)
	})
	if now.Answer != "" || len(hands) == len(s.run.Hands) {
		if err := s.checkAhead(word); err != nil {
			return err
		}
		hands = append(hands, core.Hand{Who: word})
	}
	s.run.Hands = hands
	return nil
}

// sameWho says whether two words are the same one, however it is written.
func sameWho(a, b string) bool {
	return decl.Display(strings.Trim(a, `"`)) == decl.Display(strings.Trim(b, `"`))
}

// InAdvance lists what is said ahead for somebody, or, with "", for anybody, in the order in which it was said.
func (s *Session) InAdvance(who string) (list []Advance) {
	holds := make([]bool, len(s.run.Hands))
	all := []value.V{value.None}
	for _, e := range language.Instances(s.run.World) {
		all = append(all, value.OfRef(e.Off))
	}
	for _, v := range all {
		if who == "" || s.meant(who, v) && who != Everyone {
			s.inForce(v, holds)
		}
	}
	for i, h := range s.run.Hands {
		if holds[i] {
			list = append(list, s.advanceOf(h.Who))
		}
	}
	return list
}

// inForce notes which of what was said ahead holds for somebody: nothing was said otherwise since.
func (s *Session) inForce(who value.V, holds []bool) {
	over := map[string]bool{}
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := s.run.Hands[i]
		switch decision, whose := s.aboutOf(h.Who); {
		case !s.meant(whose, who):
		case decision == "":
			return
		case isAhead(h.Who):
			holds[i] = holds[i] || !over[decision]
		default:
			over[decision] = true
		}
	}
}

// checkAhead says what is wrong with what is said ahead.
func (s *Session) checkAhead(word string) (err error) {
	decision, who := s.aboutOf(word)
	answer, when := aheadOf(word)
	if decision == "" || answer == "" {
		return lang.Diagnostics{{Message: "what is answered in advance is a decision and its answer, as in  :ahead " + cmp.Or(decision, "DECISION") + " yes"}}
	}
	for _, e := range language.Instances(s.run.World) {
		if v := value.OfRef(e.Off); when != "" && s.meant(who, v) {
			s.run.Aside(func(*machine.Machine) { _, _, err = s.compileCommand("expect "+when, v.Off()) })
			return err
		}
	}
	return nil
}
