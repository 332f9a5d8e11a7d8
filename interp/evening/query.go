package evening

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
)

// Kind is what a Query asks for.
type Kind string

// What is asked for.
const (
	Dice     Kind = "dice"     // faces, one for each of Sizes
	Decision Kind = "decision" // one of Options
	Command  Kind = "command"  // what somebody does in their turn
	Pause    Kind = "pause"    // that it goes on: see Config.Pauses
)

// A Query is a question as data. It stays open until it is answered, in another process perhaps.
type Query struct {
	// ID tells questions apart: it is another one as soon as anything was entered, answered or
	// taken back, and the same when the evening is resumed at this question.
	ID    int    `json:"id"`
	Kind  Kind   `json:"kind"`
	Who   string `json:"who,omitempty"` // is asked, if that is known
	Title string `json:"title"`         // the question in a line
	// Place is where it stands: the same question that comes again when answers were taken back
	// has the same one. It is "" where no course goes along; see interp.Course.
	Place string `json:"place,omitempty"`

	Sizes []int  `json:"sizes,omitempty"` // of the dice to throw
	For   string `json:"for,omitempty"`   // what they are for

	Name    string         `json:"name,omitempty"` // of the decision, as the rules declare it
	Options []string       `json:"options,omitempty"`
	Data    []interp.Value `json:"data,omitempty"`  // the same as values
	Notes   []string       `json:"notes,omitempty"` // what is said of each of them
	Default int            `json:"default"`         // an index into Options
	Must    bool           `json:"must,omitempty"`  // a person has to say it: the default is only for who does not ask
	Cost    string         `json:"cost,omitempty"`  // of a yes, or of an answer that is not the default
	Left    string         `json:"left,omitempty"`  // after it

	Manner interp.Manner `json:"manner,omitempty"` // of the decision
	// Also are the decisions that come next to the same person, who can make all of them now: a
	// form. What the host puts into Said of one is the answer to it when it comes; the others take
	// their defaults then. An answer to this one that is not its default may bring others.
	Also []*Query       `json:"also,omitempty"`
	Said *interp.Answer `json:"-"`

	On       []string          `json:"on,omitempty"` // scene and round, the outermost first
	Standing []interp.Standing `json:"standing,omitempty"`
	Usual    string            `json:"usual,omitempty"` // the command that "" stands for
	Done     []string          `json:"done,omitempty"`  // the commands of this turn so far
	Refused  error             `json:"-"`               // why the last one was taken back

	// Open is what has led to the question and is not told as an event yet.
	Open []*interp.Event `json:"-"`
	// Event is the question as an event.
	Event *interp.Event `json:"-"`
	// Aside is set when another course asks that is only tried out: see Evening.WhatIf.
	Aside *Aside `json:"-"`

	turn  *interp.Turn
	asked func() bool // whether whoever answers was not handed to their tactics meanwhile; nil: they were not
}

// Aside is what has happened in a course that is tried out since the last question in it.
type Aside struct {
	First  bool // it is the first question of its entry
	Events []*interp.Event
}

// DiceQuery is the question for the dice of a throw.
func DiceQuery(r interp.Request) *Query {
	return &Query{
		Kind: Dice, Who: r.Who, Title: diceTitle(&r), Place: r.Place, Sizes: r.Sizes, For: r.For, Open: r.Open, asked: r.Asked,
		Event: &interp.Event{Kind: interp.EventThrow, Request: &r},
	}
}

// DecisionQuery is the question for a decision.
func DecisionQuery(q interp.Question) *Query {
	var also []*Query
	for _, a := range q.Ahead {
		also = append(also, DecisionQuery(a))
	}
	return &Query{
		Manner: q.Manner, Also: also,
		Kind: Decision, Who: q.Who, Title: choiceTitle(&q), Place: q.Place, Name: q.Name, Options: q.Options, Data: q.Data, Notes: q.Notes, Default: q.Default, Must: q.Must,
		Cost: q.Cost, Left: q.Left, Open: q.Open, Event: &interp.Event{Kind: interp.EventQuestion, Question: &q}, asked: q.Asked,
	}
}

// CommandQuery is the question for what somebody does in their turn.
func CommandQuery(t interp.Turn) *Query {
	return &Query{
		Kind: Command, Who: strings.Trim(t.Who, `"`), Title: "what " + strings.Trim(t.Who, `"`) + " does", Place: t.Place, On: t.On,
		Standing: t.Standing, Usual: t.Default, Done: t.Done, Refused: t.Refused, Open: t.Open,
		Event: &interp.Event{Kind: interp.EventTurn, Turn: &t}, turn: &t, asked: t.Asked,
	}
}

// Form is how a decision is put.
func (q *Query) Form() Form { return formOf(q.Options) }

// Read takes an answer as somebody types it, and says what could be typed if it is none. A command
// is checked as far as that is possible before dice fall.
func (q *Query) Read(line string) (interp.Answer, error) {
	switch q.Kind {
	case Pause:
		if line != "" {
			return interp.Answer{}, errors.New("nothing is asked here: go on")
		}
		return interp.Answer{}, nil
	case Dice:
		faces, err := readFaces(line, q.Sizes)
		return interp.Answer{Faces: faces, By: interp.ByTable}, err
	case Decision:
		if len(q.Also) > 0 {
			return q.readForm(line)
		}
		i, err := q.readOption(line)
		return option(i), err
	}
	err := q.turn.Check(line)
	if err != nil && q.turn.Session != nil && q.turn.Session.Room(line, true) != "" {
		err = nil // which the evening makes
	}
	return command(line), err
}

// Takes says what is wrong with an answer to this question: its kind, its number of faces.
func (q *Query) Takes(a interp.Answer) error {
	switch {
	case q.Kind == Dice && len(a.Faces) != len(q.Sizes):
		return fmt.Errorf("%s: %s, not %d", diceNames(q.Sizes), countFaces(len(q.Sizes)), len(a.Faces))
	case q.Kind == Dice:
		for i, f := range a.Faces {
			if err := checkFace(f, q.Sizes[i]); err != nil {
				return err
			}
		}
	case q.Kind == Decision && (a.Option == nil || *a.Option < 0 || *a.Option >= len(q.Options)):
		return errors.New(expected(q.Options, q.Form()))
	case q.Kind == Command && a.Command == nil:
		return errors.New("type a command")
	}
	return nil
}

// About says what the rules tell of a decision: the rule that it belongs to, and what holds if nobody
// answers; "" where they tell nothing.
func (q *Query) About() (rule, otherwise string) {
	if q.Event == nil || q.Event.Question == nil {
		return "", ""
	}
	all, err := assist.Decisions(q.Event.Question.Session, "")
	i := slices.IndexFunc(all, func(d assist.DecisionInfo) bool { return d.Name == q.Name })
	if err != nil || i < 0 {
		return "", ""
	}
	return all[i].Doc, all[i].Words.Default
}

// Can says what whoever has the turn can do.
func (q *Query) Can() interp.Can { return interp.WhatCan(q.turn) }

// Commands lists commands that whoever has the turn can give as they stand, the likeliest first.
func (q *Query) Commands() (all []string, likely int) { return assist.Commands(*q.turn) }

// Masters says which part of a command is the game master's to say, see assist.Masters.
func (q *Query) Masters(text string) (part, who string) { return assist.Masters(*q.turn, text) }

// Idle says that nothing is done in a turn where nobody types a command.
func (q *Query) Idle() bool { return q.turn.Idle }

// OfTable says whether a line at a turn is what a game master does by hand.
func (q *Query) OfTable(line string) bool {
	return q.turn.Session != nil && q.turn.Session.OfTable(line)
}

// Advise works out what each option is worth, or which commands are worth most. It may be called
// while Host.Ask runs, not later. Nobody can be advised about dice.
func (q *Query) Advise(ctx context.Context, cfg advice.Config) (*advice.Advice, error) {
	switch x := q.Event; {
	case x != nil && x.Question != nil:
		return advice.OfQuestion(ctx, *x.Question, cfg)
	case q.turn != nil:
		return advice.OfTurn(ctx, *q.turn, cfg)
	}
	return nil, ErrNoAdvice
}

// Outlook works out how the scene goes from here, if everybody does what is usual. It may be called as Advise.
func (q *Query) Outlook(ctx context.Context, cfg advice.Config) (*advice.Advice, error) {
	switch x := q.Event; {
	case x != nil && x.Question != nil:
		return advice.Outlook(ctx, x.Question.Session, false, cfg)
	case q.turn != nil:
		return advice.Outlook(ctx, q.turn.Session, true, cfg)
	}
	return nil, ErrNoAdvice
}

// ErrNoAdvice says that a question is none of those about which there is advice.
var ErrNoAdvice = errors.New("there is no advice here")

// Complete lists what may stand at byte at of an answer that is being typed, and where the word
// begins that it would replace.
func (q *Query) Complete(line string, at int) (from int, list []assist.Completion) {
	if q.turn != nil {
		return assist.CompleteTurn(*q.turn, line, at)
	}
	start := strings.TrimLeft(line[:at], " ")
	for _, o := range q.Options {
		if strings.HasPrefix(strings.ToLower(o), strings.ToLower(start)) {
			list = append(list, assist.Completion{Text: o, Kind: "option"})
		}
	}
	return at - len(start), list
}

// Asked says whether whoever answers is still asked, and was not handed to their tactics.
func (q *Query) Asked() bool { return q.asked == nil || q.asked() }

// usual is the answer that is given where nobody gives one.
func (q *Query) usual() interp.Answer {
	if q.Kind == Command {
		return command("")
	}
	return option(q.Default)
}

// words are those by which an answer is known again; "" for dice, which a course knows.
func (q *Query) words(a interp.Answer) string {
	switch {
	case q.Kind == Decision:
		return q.Options[*a.Option]
	case q.Kind == Dice:
		return ""
	case strings.TrimSpace(*a.Command) == "":
		return q.Usual
	}
	return *a.Command
}

// again gives the answer with these words, if it can still be given.
func (q *Query) again(words string) (a interp.Answer, ok bool) {
	switch q.Kind {
	case Decision:
		i := slices.Index(q.Options, words)
		return option(i), i >= 0
	case Command:
		return command(words), q.turn.Check(words) == nil
	}
	return a, false
}

func option(i int) interp.Answer { return interp.Answer{Option: &i, By: interp.ByPerson} }

func command(text string) interp.Answer { return interp.Answer{Command: &text, By: interp.ByPerson} }

// Reply is a question that was answered, as it was put.
type Reply struct {
	Kind   Kind   `json:"kind"`
	Title  string `json:"title"`
	Answer string `json:"answer"`

	query  Query // what it takes to read another answer
	handed bool  // tactics gave the answer, as whoever was asked was handed to them
}

// line is the question with its answer.
func (p Reply) line() string {
	if p.Kind == Command {
		return p.query.Who + ": " + p.Answer
	}
	return p.Title + " " + p.Answer
}

func (q *Query) reply(a interp.Answer) Reply {
	p := Reply{Kind: q.Kind, Title: q.Title, query: Query{Kind: q.Kind, Who: q.Who, Sizes: slices.Clone(q.Sizes), Options: q.Options, Default: q.Default, Must: q.Must, Cost: q.Cost}}
	switch q.Kind {
	case Dice:
		p.Answer = facesWord(a.Faces)
	case Decision:
		p.Answer = q.Options[*a.Option]
	default:
		p.Answer = strings.TrimSpace(q.words(a))
	}
	return p
}

// read gives another answer in words.
func (p Reply) read(line string) (string, error) {
	if p.Kind == Command {
		if line = strings.TrimSpace(line); IsAnswer(line) {
			return "", fmt.Errorf("type a command, not %s", line)
		}
		return line, nil
	}
	a, err := p.query.Read(line)
	if err != nil {
		return "", err
	}
	if p.Kind == Dice {
		return facesWord(a.Faces), nil
	}
	return p.query.words(a), nil
}

// takes says whether a line is an answer to the question and could hardly be anything
// else.
func (p Reply) takes(line string) bool {
	line = strings.TrimSpace(line)
	if p.Kind == Command || line == "" {
		return false
	}
	answer, err := p.read(line)
	return err == nil && (IsAnswer(line) || strings.EqualFold(answer, line))
}

func facesWord(faces []int) string {
	words := make([]string, len(faces))
	for i, f := range faces {
		words[i] = strconv.Itoa(f)
	}
	return strings.Join(words, ", ")
}

// signed is an answer with whoever gives one to such a question.
func (q *Query) signed(a interp.Answer) interp.Answer {
	a.By = interp.ByPerson
	if q.Kind == Dice {
		a.By = interp.ByTable
	}
	return a
}
