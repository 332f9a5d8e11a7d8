package repl

import (
	"context"
	"slices"
	"strings"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/interp"
)

// query is what a rule asks for: dice, a decision or a command. Two sources answer it, the
// desk and a rerun, and both treat the three alike; only what is said here differs.
type query struct {
	place   string
	title   string
	open    []*interp.Event // what has led to it
	event   *interp.Event   // it itself, to be shown
	options []string        // of a decision
	turn    *interp.Turn    // of a command
	dice    bool            // it asks for dice
	asked   func() bool     // whether whoever answers was not handed to their tactics meanwhile; nil: they were not

	fits  func(journal.Entry) bool                                    // whether that can be an answer
	ask   func(context.Context, *player.Table) (journal.Entry, error) // asks the person
	reply func(journal.Entry) reply
	words func(journal.Entry) string               // by which an answer is known again; nil for dice, which course knows
	read  func(line string) (journal.Entry, error) // an answer that the person types in its place
	again func(words string) (journal.Entry, bool) // the answer with these words, if it can still be given
}

func answered(a interp.Answer) journal.Entry { return journal.Entry{Answer: a} }

// throwQuery asks for dice.
func throwQuery(r interp.Request) *query {
	return &query{
		dice: true, place: r.Place, title: player.DiceTitle(r), open: r.Open, event: &interp.Event{Kind: interp.EventThrow, Request: &r},
		fits: func(e journal.Entry) bool { return len(e.Faces) == len(r.Sizes) },
		ask: func(ctx context.Context, t *player.Table) (journal.Entry, error) {
			faces, err := t.Throw(ctx, r)
			return answered(interp.Answer{Faces: faces, By: interp.ByTable}), err
		},
		reply: func(e journal.Entry) reply { return diceReply(r, e.Faces) },
	}
}

// choiceQuery asks for a decision.
func choiceQuery(q interp.Question) *query {
	return &query{
		place: q.Place, title: player.Title(q), open: q.Open, event: &interp.Event{Kind: interp.EventQuestion, Question: &q}, options: q.Options, asked: q.Asked,
		fits: func(e journal.Entry) bool { return e.Option != nil && *e.Option >= 0 && *e.Option < len(q.Options) },
		ask: func(ctx context.Context, t *player.Table) (journal.Entry, error) {
			i, err := t.Choose(ctx, q)
			return answered(interp.Answer{Option: &i, By: interp.ByPerson}), err
		},
		reply: func(e journal.Entry) reply { return choiceReply(q, *e.Option) },
		words: func(e journal.Entry) string { return q.Options[*e.Option] },
		read: func(line string) (journal.Entry, error) {
			i, err := player.Read(line, q)
			return answered(interp.Answer{Option: &i, By: interp.ByPerson}), err
		},
		again: func(words string) (journal.Entry, bool) {
			i := slices.Index(q.Options, words)
			return answered(interp.Answer{Option: &i, By: interp.ByPerson}), i >= 0
		},
	}
}

// turnQuery asks for a command.
func turnQuery(t interp.Turn) *query {
	command := func(text string) journal.Entry { return answered(interp.Answer{Command: &text, By: interp.ByPerson}) }
	return &query{
		place: t.Place, title: turnTitle(t), open: t.Open, event: &interp.Event{Kind: interp.EventTurn, Turn: &t}, turn: &t, asked: t.Asked,
		fits: func(e journal.Entry) bool { return e.Command != nil },
		ask: func(ctx context.Context, table *player.Table) (journal.Entry, error) {
			text, err := table.Turn(ctx, t)
			return command(text), err
		},
		reply: func(e journal.Entry) reply { return turnReply(t, *e.Command) },
		words: func(e journal.Entry) string {
			if strings.TrimSpace(*e.Command) == "" {
				return t.Default
			}
			return *e.Command
		},
		read:  func(line string) (journal.Entry, error) { return command(line), t.Check(line) },
		again: func(words string) (journal.Entry, bool) { return command(words), t.Check(words) == nil },
	}
}

// turnTitle says whose turn it is.
func turnTitle(t interp.Turn) string {
	return "what " + strings.Trim(t.Who, `"`) + " does"
}

// Throw implements interp.Chance.
func (d *desk) Throw(ctx context.Context, r interp.Request) ([]int, error) {
	e, err := d.answer(ctx, throwQuery(r))
	return e.Faces, err
}

// Choose implements interp.Choice.
func (d *desk) Choose(ctx context.Context, q interp.Question) (int, error) {
	e, err := d.answer(ctx, choiceQuery(q))
	if err != nil {
		return 0, err
	}
	return *e.Option, nil
}

// Command implements interp.Player.
func (d *desk) Command(ctx context.Context, t interp.Turn) (string, error) {
	e, err := d.answer(ctx, turnQuery(t))
	if err != nil {
		return "", err
	}
	return *e.Command, nil
}
