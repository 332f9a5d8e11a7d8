package interp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// A run can wait for three things: dice, decisions, and commands. When it is
// somebody's turn ("act WHO" in the rules), whoever has no tactics of their own is
// given to the Player, who returns a command as text. The text is compiled for that
// character and runs in the middle of the run that asked for it, behind a savepoint:
// when the rules refuse it, everything is as it was, and the Player is asked again.
// Without a Player, and in odds, simulations and advice, tactics act in every turn.

// Pass is what a Player answers to do nothing more in a turn. Where the rules have a
// verb of that name it is a command like any other.
const Pass = "pass"

// Everyone stands for all characters in Config.Auto, Config.Ask and Hand.
const Everyone = "all"

// Players stands for all whom players play in Config.Ask: whatever Config.Auto says comes before it.
const Players = "the players"

// Player says what somebody does in their turn.
type Player interface {
	// Command returns a command for the turn: "" for what Turn.Default says, Pass for
	// nothing. The Player is asked again while a command is refused, and until the
	// turn is over. An error ends the run.
	Command(ctx context.Context, t Turn) (string, error)
}

// Turn is somebody's turn.
type Turn struct {
	Who      string     // as written in a command: Nova, "Sludge Lord"
	On       []string   // what is on and has a title, the outermost first: "scene At the dam", "round 2"
	Standing []Standing // how everybody stands: see Session.Status
	Default  string     // what they do when nobody is asked, as a command; "" when there is no way to write it
	Idle     bool       // and then nothing is done
	Done     []string   // the commands of this turn so far
	Refused  error      // why the command given last was taken back: lang.Diagnostics or *RunError
	Tried    string     // that command

	Open []*Event // what has happened and is not sent as an event yet: see Question.Open

	Place string // see Question.Place

	// Asked says whether somebody is still asked, and not handed to their tactics.
	Asked func() bool
	// Check says what is wrong with a command, as far as that can be known before
	// dice fall or somebody decides. Nothing happens.
	Check func(text string) error
	// Session asks: see Question.Session.
	Session *Session

	who value.V
}

// Can is what somebody can do in their turn.
type Can struct {
	Verbs  []string // that the rules allow them now, what the scene needs first
	Models []string // commands that can be given as they stand, where nothing is done unasked
}

// ErrTakeBack is what Chance and Choice return when whoever is asked wants to take
// back the command that asks. The turn is then asked for again, with the same dice to
// fall. Where no command is being done the run is cancelled.
var ErrTakeBack = errors.New("the command is taken back")

// turn is what a session knows of a turn that is being taken.
type turn struct {
	depth   int // of calls, where it was asked for
	done    []string
	text    string   // the command at work
	by      By       // who gave it
	acts    bool     // it has a command in it
	hand    bool     // by hand, in whoever's turn
	table   bool     // it is what a game master does, in nobody's turn
	usual   bool     // it is what their tactics do
	idle    bool     // and it changed nothing, so that there is nothing left to do
	before  *fortune // to go back to
	refused error
}

// fortune is what chance and choice have in store, and what was noted of them.
type fortune struct {
	rng      machine.Generator
	faces    []machine.GivenFace
	answers  []machine.GivenAnswer
	commands []machine.GivenCommand
	picks    []int
	noted    int // in the log
	course   courseMark
}

func (s *Session) fortune() *fortune {
	m := s.run.M
	return &fortune{
		m.Generator(), m.Faces, m.Answers, m.Commands, m.Picks, len(s.run.Log), s.along().mark(),
	}
}

// rewind takes back what fell and was answered since.
func (s *Session) rewind(f *fortune) {
	m := s.run.M
	m.SetGenerator(f.rng)
	m.Faces, m.Answers, m.Commands, m.Picks = f.faces, f.answers, f.commands, f.picks
	s.run.Log = s.run.Log[:f.noted]
	s.along().rewind(f.course)
}

// span notes that a span begins or ends, with those inside it.
func (s *Session) span(x *ir.SpanInfo, title string) {
	if !x.End {
		s.run.On = append(slices.Clip(s.run.On), core.Span{Name: x.Name, Title: title})
		return
	}
	for i := len(s.run.On) - 1; i >= 0; i-- {
		if s.run.On[i].Name == x.Name {
			s.run.On = s.run.On[:i]
			return
		}
	}
}

// SetPlayer says who is asked for commands from now on; nil: nobody.
func (s *Session) SetPlayer(p Player) { s.cfg.Player = p }

// Hand gives somebody to the Player and the Choice (asked) or to their tactics from now on, whatever
// was said before: their commands and their decisions. Who is a name, a group, Everyone, or a word of
// the rules such as heroes; the name of a decision, with whoever makes it behind it or for everybody, and perhaps the answer that is
// said ahead: "NAME WHO: ANSWER when CONDITION", where no answer takes back what was said so; "dice WHO", who
// then throw their own dice, or not; or Everything or Costs, which say how quiet it is.
func (s *Session) Hand(who string, asked bool) error {
	if q, ok := quietOf(who, asked); ok {
		s.run.Quiet = string(q)
		return nil
	}
	if err := s.covers(who); err != nil {
		return err
	}
	if decision, _ := s.aboutOf(who); decision != "" && isAhead(who) {
		return s.sayAhead(who)
	}
	s.run.Hands = append(slices.Clip(s.run.Hands), core.Hand{Who: who, Asked: asked})
	s.seeds()
	return nil
}

// OwnDice is the word of Hand with which somebody throws their own dice.
func OwnDice(who string) string { return "dice " + who }

// diceOf gives whose dice a word of Hand is about.
func diceOf(word string) (who string, ok bool) { return strings.CutPrefix(word, "dice ") }

// HandWords lists whom Hand takes.
func (s *Session) HandWords() []string {
	return slices.Concat(language.WhoWords(s.run.World), []string{Everyone, Everything, Costs}, s.DecisionWords())
}

// covers looks whether a word stands for somebody.
func (s *Session) covers(who string) error {
	_, who = s.aboutOf(who)
	who, _, _ = strings.Cut(who, ":")
	who, _ = diceOf(who)
	if _, _, ok := language.Covers(s.run.World, who); ok || who == Everyone || who == Players {
		return nil
	}
	d := &lang.Diagnostic{Code: "SP0909", Message: "nobody is called " + who + ", and no decision"}
	if near, ok := lang.Nearest(who, s.HandWords()); ok {
		d.Help = "did you mean " + near + "?"
	}
	return lang.Diagnostics{d}
}

// asks says whether somebody's command is asked for.
func (s *Session) asks(who value.V) bool {
	if s.cfg.Player == nil || who.Kind() != value.Ref {
		return false
	}
	if h := s.handOf(who); h != nil {
		return h.Asked
	}
	if s.Quiet() != QuietOff && s.sideOf(who) == ByOpponents {
		if usual, _ := s.would(who); usual != "" {
			return false
		}
	}
	return !s.run.M.HasTurn(who)
}

// handOf gives what was said last of who acts for somebody; nil for nothing.
func (s *Session) handOf(who value.V) *core.Hand {
	for i := len(s.run.Hands) - 1; i >= 0; i-- {
		h := &s.run.Hands[i]
		if decision, whose := s.aboutOf(h.Who); decision == "" && s.meant(whose, who) {
			return h
		}
	}
	return nil
}

// handedOver says whether somebody was given to their tactics, and not taken back: then
// decisions that the tactics leave open take their defaults.
func (s *Session) handedOver(who value.V) bool {
	h := s.handOf(who)
	return h != nil && !h.Asked
}

// meant says whether a word stands for somebody now.
func (s *Session) meant(word string, who value.V) bool {
	switch word {
	case Everyone:
		return true
	case Players:
		return s.sideOf(who) == ByPlayers
	}
	if who.Kind() != value.Ref {
		return false
	}
	list, offs, ok := language.Covers(s.run.World, word)
	if !ok {
		return false
	}
	for _, off := range offs {
		if off == who.Off() {
			return true
		}
	}
	if list == nil {
		return false
	}
	v, ok := s.run.Pure(list, value.None)
	if !ok || v.Kind() != value.List {
		return ok && v == who
	}
	for _, e := range s.run.Heap.Elems(v) {
		if e == who {
			return true
		}
	}
	return false
}

// turn gives the turn that is asked for, or was, where the machine stands.
func (s *Session) turn() *turn {
	depth := s.run.M.Depth()
	n := len(s.turns)
	for n > 0 && s.turns[n-1].depth > depth {
		n--
	}
	s.turns = s.turns[:n]
	if n == 0 || s.turns[n-1].depth < depth {
		s.turns = append(s.turns, turn{depth: depth})
	}
	return &s.turns[len(s.turns)-1]
}

// command answers NeedCommand.
func (s *Session) command(ctx context.Context) error {
	m := s.run.M
	who, done := m.Acting()
	t := s.turn()
	t.done = t.done[:min(done, len(t.done))]
	t.refused = nil
	s.beginMoment(false)
	if done == 0 && m.Refused() == nil && !s.repeats {
		t.idle = false // that was somebody else's turn
		s.along().turn(m, who)
	}
	s.repeats = false
	if e := m.Refused(); e != nil {
		s.rewind(t.before)
		t.refused = s.runError(e)
		switch {
		case t.hand:
			return s.notByHand(t.refused)
		case t.by != ByPerson:
			return t.refused
		}
	}
	for {
		before := s.fortune()
		given := len(s.run.M.Own.Commands)+len(s.run.M.Commands) > 0
		text, by, hand, err := s.nextByHand(who)
		if err != nil {
			return err
		}
		if !hand {
			if text, by, err = s.next(ctx, who); err != nil {
				return err
			}
		}
		text = strings.TrimSpace(text)
		if given || by != ByTactics || s.cfg.Player != nil {
			note := machine.Answer{Kind: machine.Commanded, Text: text, By: by, Own: by == ByScript}
			if hand {
				note.At = s.run.M.Moment
			}
			m.Note(note)
		}
		switch {
		case text == "":
			m.ByTactics()
			return nil
		case text == Pass && !language.HasVerb(s.run.World, Pass):
			m.Pass()
			return nil
		}
		fn, acts, err := s.compileCommand(text, who.Off())
		if err == nil {
			err = m.Command(fn)
		}
		if err == nil {
			t.text, t.by, t.hand, t.acts, t.before, t.table = text, by, hand, acts, before, acts && s.OfTable(text)
			if s.tell != nil && acts {
				if by == ByLog && s.cfg.Player != nil {
					by = ByPerson
				}
				name := m.NameOf(who)
				if t.table {
					name = "" // the game master does it
				}
				s.tell.emit(&Event{Kind: EventCommand, Who: name, Text: text, By: string(by), Told: string(language.Told(s.run.World, text))})
			}
			return nil
		}
		switch {
		case hand:
			return s.notByHand(err)
		case by != ByPerson:
			return err
		}
		s.rewind(before)
		t.text, t.refused = text, err
	}
}

// acted goes on behind a command that has been done.
func (s *Session) acted() {
	t := s.turn()
	if t.idle = t.usual && s.run.M.Unmoved(); !t.acts || s.run.M.Unmoved() {
		s.run.M.AskAgain()
		s.repeats = true
		return
	}
	if !t.table {
		t.done = append(t.done, t.text)
	}
}

// next gives the next command for somebody, and by whom: "script" (a commands
// statement), "log" (GiveCommands), "person", or "tactics" with no text.
func (s *Session) next(ctx context.Context, who value.V) (text string, by By, err error) {
	m := s.run.M
	switch {
	case len(m.Own.Commands) > 0 && m.Own.Commands[0].N == 0:
		text, m.Own.Commands = m.Own.Commands[0].Text, m.Own.Commands[1:]
		return text, ByScript, nil
	case len(m.Commands) > 0:
		text, by, m.Commands = m.Commands[0].Text, m.Commands[0].By, m.Commands[1:]
		if s.cfg.Player != nil && text != "" {
			t := s.turnOf(who)
			s.tellTurn(&t) // as when they were asked
		}
		return text, by, nil
	case !s.asks(who):
		return "", ByTactics, nil
	}
	t := s.turnOf(who)
	t.Place = s.along().place(m, "does", t.Who)
	s.tellTurn(&t)
	defer s.thinking(time.Now())
	text, err = s.cfg.Player.Command(ctx, t)
	if err == nil && strings.TrimSpace(text) == "" {
		text = t.Default
	}
	s.turn().usual = err == nil && strings.TrimSpace(text) == t.Default
	return text, ByPerson, err
}

// tellTurn tells whoever listens that somebody is asked, though not that they are asked
// again.
func (s *Session) tellTurn(t *Turn) {
	if s.tell != nil && t.Refused == nil {
		s.tell.turn(t)
	}
}

// On is what is going on, the outermost first: scene and round.
func (s *Session) On() (titles []string) {
	for _, x := range s.run.On {
		if x.Title != "" {
			titles = append(titles, x.Name+" "+x.Title)
		}
	}
	return titles
}

// turnOf tells a Player of a turn.
func (s *Session) turnOf(who value.V) Turn {
	t := Turn{Who: s.run.M.NameOf(who), Done: slices.Clone(s.turn().done), Refused: s.turn().refused}
	if t.Refused != nil {
		t.Tried = s.turn().text
	}
	if name, ok := language.Written(s.run.World, who.Off()); ok {
		t.Who = name
	}
	t.On = s.On()
	t.Standing = s.Status()
	if t.Default, t.Idle = s.would(who); s.turn().idle && t.Default != "" {
		t.Default = Pass
	}
	t.Asked = func() bool { return s.asks(who) }
	t.Check = func(text string) error {
		if text = strings.TrimSpace(text); text == "" || text == Pass && !language.HasVerb(s.run.World, Pass) {
			return nil
		}
		return s.try(text, who)
	}
	t.Session, t.who = s, who
	return t
}

// would gives what somebody's tactics would do, as a command that is not refused at
// once; "" where they would do nothing (idle), or nothing that can be written.
func (s *Session) would(who value.V) (command string, idle bool) {
	idle = true
	for _, says := range s.run.M.Describe(who) {
		v, ok := s.run.Pure(says, who)
		if !ok || v.Kind() != value.List {
			idle = false
			continue
		}
		for _, e := range s.run.Heap.Elems(v) {
			text, ok := s.run.Written(s.run.Heap.Elems(e))
			if ok && s.try(text, who) == nil {
				return text, false
			}
			idle = idle && ok
		}
	}
	return "", idle
}

// Declares says whether a text declares somebody, or their tactics, and does nothing else.
func (s *Session) Declares(text string) bool {
	file, _ := lang.Parse(lang.NewSource("", text))
	return language.Declares(s.run.World, file)
}

// Remedies are commands by which what stopped a script can be mended by hand, and what each does, as the rules say it: about those whom
// the reason names, and anyway.
func (s *Session) Remedies(why string) (commands, does []string) {
	whom, said := []value.V{value.None}, wordsIn(why)
	for _, e := range language.Instances(s.run.World) {
		if !e.Part && inARow(e.Name, said) > 0 {
			whom = slices.Insert(whom, len(whom)-1, value.OfRef(e.Off))
		}
	}
	for _, who := range whom {
		some, do := s.run.Remedies(who)
		commands, does = append(commands, some...), append(does, do...)
	}
	return commands, does
}

// Coming gives the declarations of a text for those who come while all goes on: with the field on their sheets that a rule
// latecomers names, where the rules have one.
func (s *Session) Coming(text string) string {
	rule := language.TermsRule(s.run.World, "latecomers", 0)
	if rule == nil {
		return text
	}
	field, _ := s.run.Pure(rule, value.None)
	file, _ := lang.Parse(lang.NewSource("", text))
	for _, x := range slices.Backward(file.Stmts) {
		if c, ok := lang.Bare(x).(*lang.Command); ok && c.Block != nil {
			at, comes := c.Block.Start+1, " "+s.run.M.Show(field)+" yes;"
			if !strings.HasPrefix(text[at:], comes) { // given again
				text = text[:at] + comes + text[at:]
			}
		}
	}
	return text
}

// InTurn names whose turn it is where the session stands, "" for nobody's.
func (s *Session) InTurn() string {
	if who, ok := s.run.M.InTurn(); ok {
		return s.run.M.NameOf(who)
	}
	return ""
}

// Order is who acts when, as the rules say it.
type Order struct {
	Now  string   `json:"now"`
	Then []string `json:"then,omitempty"` // in order
	Left []string `json:"left,omitempty"` // who has still to act: somebody says who is next
	Says string   `json:"says,omitempty"` // where there is no order
}

// Order says who acts behind whoever has the turn where the session stands; nil where the rules say nothing of it.
func (s *Session) Order() *Order {
	who, ok := s.run.M.InTurn()
	rule := language.TermsRule(s.run.World, "upcoming", 1)
	if !ok || rule == nil {
		return nil
	}
	o := &Order{Now: s.run.M.NameOf(who)}
	if o.Then, o.Left, o.Says = s.run.Upcoming(rule, who); len(o.Then)+len(o.Left)+len(o.Says) == 0 {
		return nil
	}
	return o
}

// OfTable says whether a text has only commands in it that nobody acts in, as the rules declare it:
// what a game master does by hand.
func (s *Session) OfTable(text string) bool {
	file, ds := lang.Parse(lang.NewSource("", text))
	return !ds.Errors() && language.OfTable(s.run.World, file)
}

// Room gives a line that does nothing but make what a text makes new, for which a run has no room; "" where it makes
// nothing. The text is of OfTable or, with turn, commands of whoever has the turn.
func (s *Session) Room(text string, turn bool) (room string) {
	file, parsed := lang.Parse(lang.NewSource("", text))
	off, who := -1, ""
	if turn {
		acting, _ := s.run.M.Acting()
		off = acting.Off()
		name, _ := language.Written(s.run.World, off)
		who = name + ": "
	}
	if parsed.Errors() || !turn && !language.OfTable(s.run.World, file) {
		return ""
	}
	var lines []string
	for _, x := range file.Stmts {
		at, line := x.Range(), ""
		switch c, ok := lang.Bare(x).(*lang.Command); {
		case ok && c.Who == nil:
			line = who
		case !ok && turn:
			return ""
		}
		lines = append(lines, line+text[at.Start:at.End])
	}
	s.run.Aside(func(*machine.Machine) {
		_, _, err := s.compileCommand(text, off)
		var ds lang.Diagnostics
		if errors.As(err, &ds) && slices.ContainsFunc(ds, func(d *lang.Diagnostic) bool { return d.Code == "SP0734" }) {
			room = "if no { " + strings.Join(lines, "; ") + " }"
		}
	})
	return room
}

// BetweenTurns says whether a text of OfTable, given at a question, waits until somebody has their turn.
func (s *Session) BetweenTurns(text string) bool {
	file, _ := lang.Parse(lang.NewSource("", text))
	return language.BetweenTurns(s.run.World, file)
}

// compileCommand compiles what whoever is at who does in their turn, or what is done by hand, see
// compile.CompileCommand. The session's world is
// then one in which it means something.
func (s *Session) compileCommand(text string, who int) (fn *code.Func, acts bool, err error) {
	file, diags := lang.Parse(lang.NewSource("", text))
	if core.Failed(diags) {
		return nil, false, diags
	}
	size := len(s.run.M.Store)
	w := s.run.World.Clone()
	fn, diags = compile.CompileCommand(w, file, who)
	if core.Failed(diags) {
		s.run.M.Store = s.run.M.Store[:size]
		return nil, false, diags
	}
	s.run.World, s.run.M.Prog = w, w.Prog
	return fn, language.Acts(w, file), nil
}

// try says why a command is refused, as far as it can be told before dice fall or
// somebody decides.
func (s *Session) try(text string, who value.V) error { return s.trial(text, who, false) }

// tryUsual goes on with the usual answers of whoever decides, until dice fall.
func (s *Session) tryUsual(text string, who value.V) error { return s.trial(text, who, true) }

func (s *Session) trial(text string, who value.V, usual bool) (err error) {
	var run *machine.Error
	s.run.Aside(func(m *machine.Machine) {
		m.Attended, m.Seeded = true, false
		var fn *code.Func
		if fn, _, err = s.compileCommand(text, who.Off()); err != nil {
			return
		}
		if err = m.Command(fn); err != nil {
			return
		}
		for {
			m.MaxSteps = min(m.Steps+core.LooksAfter, m.StepLimit)
			switch m.Run() {
			case machine.Yield:
				continue
			case machine.NeedChoice:
				if usual {
					m.GiveAnswer(m.Asked().Default, ByDefault)
					continue
				}
			case machine.NeedCommand:
				run = m.Refused()
			case machine.Broken:
				run = m.Err
			}
			break
		}
		if run != nil {
			err = s.runError(run)
		}
	})
	return err
}

// handsOf are those that Config.Auto and Config.Ask name.
func handsOf(cfg Config) (list []core.Hand, quiet Quiet) {
	quiet = cfg.Quiet
	add := func(who string, asked bool) {
		if q, ok := quietOf(who, asked); ok {
			quiet = q
			return
		}
		list = append(list, core.Hand{Who: who, Asked: asked})
	}
	if slices.Contains(cfg.Ask, Players) {
		add(Players, true)
	}
	for _, who := range cfg.Auto {
		add(who, false)
	}
	for _, who := range cfg.Ask {
		if who != Players {
			add(who, true)
		}
	}
	return list, quiet
}

// checkHands finds names in Config.Auto and Config.Ask that nobody has, as soon as
// there is somebody.
func (s *Session) checkHands() error {
	if s.named || len(language.Instances(s.run.World)) == 0 {
		return nil
	}
	hands, _ := handsOf(s.cfg)
	for _, h := range hands {
		if err := s.covers(h.Who); err != nil {
			return err
		}
	}
	s.named = true
	return nil
}
