package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/interp"
	"setpiece/interp/advice"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// What an evening does, on its goroutine. Whoever gives no result has moved it, or may have.

func exec(t *table, _ *call, p Exec) (any, error) {
	return nil, t.enter(func(ctx context.Context) error { return t.evening.Enter(ctx, p.Text) })
}

func answer(t *table, _ *call, p Answer) (any, error) {
	q := t.evening.Open()
	if q == nil || q.ID != p.Question {
		return nil, over(q)
	}
	a := interp.Answer{Option: p.Option, Faces: p.Faces}
	var err error
	switch given := p.Text != nil; {
	case given && (p.Option != nil || p.Faces != nil), p.Option != nil && p.Faces != nil:
		return nil, invalid("answer takes one of text, option and faces")
	case given:
		if a, err = q.Read(*p.Text); err == nil && p.Plain && !plain(t.evening.Session(), q, *p.Text) {
			err = errPlain
		}
		if err == nil && p.Plain && q.Kind == evening.Command {
			if part, who := q.Masters(*p.Text); part != "" {
				return nil, noAnswer(fmt.Errorf("%s decides that: leave out  %s", who, part))
			}
		}
		if err != nil && q.Kind == evening.Command {
			return nil, t.heard(q, *p.Text, err, p.Plain)
		}
	default:
		err = q.Takes(a)
	}
	if err == nil {
		err = also(q, p.Also)
	}
	if err != nil {
		return nil, noAnswer(err)
	}
	t.said = &a
	return nil, nil
}

var errPlain = errors.New("type one command of your own, such as the one that is shown")

// heard says what is wrong with a line at a turn, or what it means.
func (t *table) heard(q *evening.Query, line string, err error, onlyPlain bool) error {
	h := q.Hear(line, err)
	unfit := func(command string) bool {
		part, _ := q.Masters(command)
		return onlyPlain && (part != "" || !plain(t.evening.Session(), q, command))
	}
	if h.Which = slices.DeleteFunc(h.Which, unfit); h.Command != "" && unfit(h.Command) {
		h.Command = ""
	}
	switch {
	case h.Wrong:
	case h.Command != "":
		err = fmt.Errorf("did you mean  %s", h.Command)
	case len(h.Which) > 0:
		err = errors.New("which one do you mean?")
	case h.Refused != nil:
		err = h.Refused
	default:
		err = fmt.Errorf("not understood. %s can: %s", q.Who, strings.Join(q.Can().Verbs, ", "))
	}
	e := noAnswer(err)
	var message *jsonrpc2.Error
	if errors.As(e, &message) {
		message.SetError(Trouble{Problems: transcript.Problems(err), Meant: h.Command, Which: h.Which})
	}
	return e
}

// plain says whether a text is one verb of the rules, with its clauses, and nothing else of the
// language: no other statement, nobody else's command, no block. What cannot be read is left to whoever
// says what is wrong with it.
func plain(s *interp.Session, q *evening.Query, text string) bool {
	file, ds := lang.Parse(lang.NewSource("", text))
	if q.Kind != evening.Command || len(ds) > 0 || len(file.Stmts) == 0 {
		return true
	}
	c, ok := file.Stmts[0].(*lang.Command)
	if !ok || len(file.Stmts) > 1 || c.Who != nil || c.Block != nil {
		return false
	}
	head, ok := c.Head.(*lang.Word)
	return ok && (head.Name == interp.Pass || assist.WordKind(s, head.Name) == "verb")
}

// also says the rest of a form, or none of it.
func also(q *evening.Query, rows []*int) error {
	if len(rows) > len(q.Also) {
		return fmt.Errorf("the form has %d decisions besides, not %d", len(q.Also), len(rows))
	}
	said := make([]*interp.Answer, len(rows))
	for i, option := range rows {
		if option == nil {
			continue
		}
		said[i] = &interp.Answer{Option: option}
		if err := q.Also[i].Takes(*said[i]); err != nil {
			return fmt.Errorf("%s: %w", q.Also[i].Name, err)
		}
	}
	for i, a := range said {
		q.Also[i].Said = a
	}
	return nil
}

func dice(t *table, _ *call, p Dice) (any, error) {
	asked, err := asksDice(p.Dice)
	if err != nil {
		return nil, err
	}
	return nil, t.evening.Dice(asked)
}

func ask(t *table, _ *call, p Who) (any, error)  { return nil, t.evening.Hand(p.Who, true) }
func auto(t *table, _ *call, p Who) (any, error) { return nil, t.evening.Hand(p.Who, false) }

func ahead(t *table, _ *call, p Ahead) (any, error) {
	if !slices.Contains(t.evening.Session().DecisionWords(), p.Decision) {
		return nil, invalid("ahead: the rules in use have no decision %q", p.Decision)
	}
	said := interp.Advance{Decision: p.Decision, Who: p.Who, Answer: p.Answer, When: p.When}
	return nil, t.evening.Hand(said.String(), false)
}

func asked(t *table, _ *call, p Who) (any, error) {
	s := t.evening.Session()
	list := Decisions{[]Decided{}, []Advance{}}
	prompts := map[string]string{}
	known, _ := assist.Decisions(s, "")
	for _, d := range known {
		prompts[d.Name] = cmp.Or(prompts[d.Name], d.Words.Prompt)
	}
	for _, d := range t.evening.Decided() {
		if p.Who != "" && d.Who != p.Who {
			continue
		}
		given := []Given{}
		for _, g := range d.Given {
			if g.Usual {
				g.By = string(interp.ByUsual)
			}
			given = append(given, Given{g.Answer, g.By, g.Times})
		}
		list.Decisions = append(list.Decisions, Decided{d.Name, prompts[d.Name], d.Who, d.Options, given, d.Told})
	}
	for _, a := range s.InAdvance(p.Who) {
		list.Ahead = append(list.Ahead, Advance(a))
	}
	return list, nil
}

func undo(t *table, _ *call, p Times) (any, error) {
	if t.evening.Open() != nil {
		return nil, t.evening.TakeBack(max(p.Times, 1))
	}
	return nil, t.evening.Undo(max(p.Times, 1))
}

func redo(t *table, _ *call, p Times) (any, error) {
	if t.evening.Open() != nil {
		return nil, t.evening.GiveAgain(max(p.Times, 1))
	}
	return nil, t.enter(func(ctx context.Context) error { return t.evening.Redo(ctx, max(p.Times, 1)) })
}

func whatIf(t *table, _ *call, p WhatIf) (any, error) {
	if t.evening.Open() != nil {
		return nil, t.evening.WhatIf(t.ctx, p.Change)
	}
	return nil, t.enter(func(ctx context.Context) error { return t.evening.WhatIf(ctx, p.Change) })
}

func keep(t *table, _ *call, _ On) (any, error) { return nil, t.evening.Keep() }
func drop(t *table, _ *call, _ On) (any, error) { return nil, t.evening.Drop() }

func advise(t *table, c *call, p Advise) (any, error) {
	q := t.evening.Open()
	if q == nil || q.ID != p.Question {
		return nil, over(q)
	}
	return t.weigh(c, q, q.Data, advice.Config{Goal: p.Goal, Trials: p.Trials}, p.Progress, q.Advise)
}

func outlook(t *table, c *call, p Outlook) (any, error) {
	q := t.evening.Open()
	if q == nil || q.ID != p.Question {
		return nil, over(q)
	}
	usual := []interp.Value{{Is: q.Usual}}
	if q.Kind == evening.Decision {
		usual = q.Data[q.Default : q.Default+1]
	}
	return t.weigh(c, q, usual, advice.Config{Trials: p.Trials}, p.Progress, q.Outlook)
}

// weigh works out what answers are worth, and tells how far it has come to whoever wants to know.
func (t *table) weigh(c *call, q *evening.Query, options []interp.Value, cfg advice.Config, progress bool, do func(context.Context, advice.Config) (*advice.Advice, error)) (any, error) {
	record := func(a *advice.Advice) []json.RawMessage {
		return recorded(func(j *transcript.JSON) { j.Advice(q.Who, options, a) })
	}
	if progress {
		id, _ := c.req.ID.MarshalJSON()
		cfg.Progress = func(a *advice.Advice) bool {
			t.notify("progress", Progress{t.id, id, record(a)[0]})
			return c.ctx.Err() == nil
		}
	}
	a, err := do(c.ctx, cfg)
	if err == nil {
		err = c.ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return Records{record(a)}, nil
}

// meanwhile does what is nobody's turn: at a command it is given in its place, which spends no turn; at another
// question behind a point to which the evening goes back; else as an entry.
func meanwhile(t *table, c *call, p Exec) (any, error) {
	q := t.evening.Open()
	switch {
	case q == nil:
		return exec(t, c, p)
	case t.evening.Declares(p.Text):
		return nil, t.evening.Declare(p.Text)
	case !t.evening.OfTable(p.Text):
		if ds := t.evening.Session().Check(lang.NewSource("", p.Text)); ds.Errors() && (q.Kind == evening.Pause || strings.Contains(p.Text, "{")) {
			return nil, ds // what is wrong with it, or with a declaration
		}
		return nil, &jsonrpc2.Error{Code: CodeRefused, Message: "while somebody is asked, the game master can only do what is nobody's turn, and declare whoever comes"}
	case q.Kind == evening.Command:
		return answer(t, c, Answer{On: p.On, Question: q.ID, Text: &p.Text})
	}
	return nil, t.evening.Meanwhile(p.Text)
}

// say does what somebody types beside a question, at a turn a line that spends nobody's turn, and between two entries an
// entry. Where it answers the question, that is what it does.
func say(t *table, c *call, p Exec) (any, error) {
	if t.server.cfg.Say == nil {
		return nil, &jsonrpc2.Error{Code: CodeRefused, Message: "there is no prompt here"}
	}
	var out strings.Builder
	done, err := t.server.cfg.Say(c.ctx, t.evening, p.Text, &out)
	if text := out.String(); text != "" {
		t.notify("reply", Reply{t.id, p.Text, text})
	}
	switch q := t.evening.Open(); {
	case done || err != nil:
		return nil, err
	case q == nil:
		return exec(t, c, p)
	case q.Kind == evening.Pause && p.Text != "", q.Kind != evening.Command && strings.Contains(p.Text, "{"):
		return meanwhile(t, c, p)
	default:
		return answer(t, c, Answer{On: p.On, Question: q.ID, Text: &p.Text})
	}
}

func pauses(t *table, _ *call, p Pauses) (any, error) {
	t.evening.Pause(p.At)
	return nil, nil
}

// What odds take where the caller says nothing else, and how many trials share out what is left, or stand
// in where that is too much.
const (
	oddsTime   = 10 * time.Second
	oddsTrials = 2000
)

func oddsOf(t *table, c *call, p Odds) (any, error) {
	if t.evening.Busy() {
		return nil, &evening.Refused{Why: evening.QuestionOpen}
	}
	cfg := odds.Config{Time: oddsTime, Trials: oddsTrials, Memory: t.server.cfg.Memory}
	if p.Seconds > 0 {
		cfg.Time = min(oddsTime*360, time.Duration(p.Seconds*float64(time.Second)))
	}
	sess := t.evening.Session()
	before := sess.Snapshot()
	defer sess.Restore(before) // values of the odds are told by their names, which the session has until then
	src := lang.NewSource("", p.Text)
	law, err := odds.LawOf(c.ctx, sess, src, cfg, func(spent time.Duration) (*sim.Sim, error) {
		sess.Restore(before)
		return trials(c.ctx, sess, src, max(cfg.Time/20*19-spent, cfg.Time/4))
	})
	if err == nil {
		err = c.ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return Records{recorded(func(j *transcript.JSON) { t.server.cfg.Odds(j, law) })}, nil
}

// trials makes as many trials as there is time for.
func trials(ctx context.Context, s *interp.Session, src *lang.Source, within time.Duration) (*sim.Sim, error) {
	limited, done := context.WithTimeout(ctx, within)
	defer done()
	o, err := sim.From(limited, s, src, sim.Config{Trials: oddsTrials})
	if err == nil && o.Trials == 0 && ctx.Err() == nil {
		return nil, &interp.RunError{Kind: interp.Limit, Diag: &lang.Diagnostic{Message: fmt.Sprintf("one trial takes longer than %v, so there are no odds of this", within.Round(time.Second/10))}}
	}
	return o, err
}

func state(t *table, _ *call, p Who) (any, error) {
	lines, err := assist.State(t.evening.Session(), p.Who)
	if err != nil {
		return nil, err
	}
	s := State{Where: t.where(), Seed: t.evening.Seed(), Dice: "roll", Done: []string{}, Sheet: []SheetLine{}, People: people(t.evening.Session()), Pauses: t.evening.Pauses(), Turn: t.evening.Session().InTurn(), Order: t.evening.Session().Order(), Last: t.evening.Last(), Back: t.evening.Back()}
	if t.evening.AsksDice() {
		s.Dice = "ask"
	}
	for _, step := range t.evening.Steps() {
		s.Done = append(s.Done, title(step))
	}
	for _, l := range lines {
		if !l.Hidden {
			s.Sheet = append(s.Sheet, SheetLine{l.Who, l.Field, l.Value, l.Usual, l.Points, l.Told})
		}
	}
	return s, nil
}

// people lists everybody with how they stand.
func people(s *interp.Session) []Person {
	list, at := []Person{}, map[string]int{}
	for _, p := range s.People() {
		if p.Of == "" {
			at[p.Name] = len(list)
		}
		list = append(list, Person{Who: p.Name, Of: p.Of, Side: p.Side, Here: p.Here, Asked: p.Asked, Throws: p.Throws})
	}
	for _, x := range s.Status() {
		p := &list[at[x.Who]]
		p.Out = x.Out
		for _, f := range x.Facts {
			p.Facts = append(p.Facts, Fact(f))
		}
	}
	return list
}

func retell(t *table, _ *call, _ On) (any, error) {
	if t.evening.Busy() {
		return nil, &evening.Refused{Why: evening.QuestionOpen}
	}
	t.retell()
	return nil, nil
}

func explain(t *table, _ *call, p Rule) (any, error) {
	r, _, err := assist.Explain(t.evening.Session(), p.ID)
	if err != nil {
		return nil, err
	}
	return Explained{r.ID, r.Doc}, nil
}

func complete(t *table, _ *call, p Complete) (any, error) {
	at := len(p.Text)
	if p.At != nil {
		at = *p.At
	}
	if at < 0 || at > len(p.Text) {
		return nil, invalid("complete: at is a byte of the text, 0 to %d", len(p.Text))
	}
	of := t.evening.Complete
	if p.ByHand {
		of = t.evening.CompleteByHand
	}
	from, list := of(p.Text, at)
	r := Completions{From: from, List: []Completion{}}
	q := t.evening.Open()
	for _, x := range list {
		if p.Plain && q != nil && q.Kind == evening.Command {
			if part, _ := q.Masters(p.Text[:from] + x.Text); part != "" {
				continue
			}
		}
		r.List = append(r.List, Completion{x.Text, x.Doc, x.Kind})
	}
	return r, nil
}

func can(t *table, _ *call, p At) (any, error) {
	q := t.evening.Open()
	if q == nil || q.ID != p.Question || q.Kind != evening.Command {
		return nil, over(q)
	}
	commands, likely := q.Commands()
	return Can{append([]string{}, q.Can().Verbs...), append([]string{}, commands...), likely}, nil
}

func save(t *table, _ *call, _ On) (any, error) {
	if t.saved == nil {
		return nil, &jsonrpc2.Error{Code: CodeRefused, Message: "this evening is saved by whoever began it"}
	}
	return Saved{t.saved.String()}, nil
}
