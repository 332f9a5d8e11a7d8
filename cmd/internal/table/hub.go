// Package table is an evening on pages: the game master's, a phone for each player, a second screen.
// It is a client of the protocol of package serve and holds nothing of the evening but who sits where:
// no rules, no state, no truth. What it is told it shows to the game master; what players are told
// goes through one function, known.public, that lists what may go.
package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/interp/evening"
)

// Config is an evening and how it is shown.
type Config struct {
	Serve serve.Config
	Kept  serve.Kept
	Title string
	Text  string // of the script, for the game master
	Seats string // the file of who sits where; "": nobody keeps it
	Page  string // the note that the script stands in, "" for none
	Open  bool   // players see what the game master's side rolls and how it stands

	Report   func(context.Context) ([]byte, error)            // a page on how dangerous the script is; nil: none
	Handbook func(context.Context) (map[string][]byte, error) // its pages by their files; nil: none
}

// name is what the only evening is called.
const name = "table"

// Hub is an evening with its readers.
type Hub struct {
	cfg   Config
	ctx   context.Context
	conn  *jsonrpc2.Conn
	epoch string // of its messages
	heard *queue

	answering sync.Mutex // held while somebody moves the evening

	mu      sync.Mutex
	log     []entry
	base    int // of the log, where the entry that goes on begins
	fresh   []json.RawMessage
	anew    bool // fresh takes the place of what stands behind base
	begun   bool // what was before has been told
	played  bool // there was a scene
	where   serve.Where
	dice    string   // who throws
	pauses  []string // where the evening waits
	who     known
	gm      *view
	screen  *view
	seats   *seats
	thought map[string]bool // calls that work something out, by their ids
	turn    string          // whose turn it is
	order   *interp.Order   // who acts when
	undoes  string          // what would be taken back
	back    int             // how many answers can be
	wanted  []*wanted       // by whom it is asked for
	last    string          // who answered last
	reply   string          // to what the game master said last
	calls   int
	join    *Join
	going   *going
	decided serve.Decisions
	turned  bool        // what is called only has somebody asked otherwise: the question may be the same under another id
	later   *time.Timer // when it is worked out
	books   *books
}

// entry is a record, and what players see of it.
type entry struct{ all, public json.RawMessage }

// Open begins the evening, or takes it up. An error is that of its script.
func Open(ctx context.Context, cfg Config) (*Hub, error) {
	h := &Hub{cfg: cfg, ctx: ctx, epoch: secret(4), heard: newQueue(), thought: map[string]bool{}}
	h.books = newBooks(cfg, ctx)
	h.who = known{met: map[string]bool{}, open: cfg.Open}
	h.gm, h.screen = newView(h.epoch), newView(h.epoch)
	var err error
	if h.seats, err = openSeats(cfg.Seats, h.epoch); err != nil {
		return nil, err
	}
	h.conn = serve.Join(ctx, cfg.Serve, cfg.Kept, jsonrpc2.HandlerWithError(h.hear))
	go h.listen()
	if err := h.move("", "open", serve.Open{V: serve.Version, Evening: name, Forms: true}); err != nil {
		return nil, err
	}
	go h.watch()
	return h, nil
}

// hear queues what the evening tells.
func (h *Hub) hear(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	h.heard.put(func() { h.told(req.Method, *req.Params) })
	return nil, nil
}

// listen takes one thing after the other, as it was told.
func (h *Hub) listen() {
	for {
		do := h.heard.take(h.ctx)
		if do == nil {
			return
		}
		do()
	}
}

func (h *Hub) told(method string, params json.RawMessage) {
	switch method {
	case "event":
		var e serve.Event
		json.Unmarshal(params, &e)
		h.event(e.Record)
	case "question":
		var q serve.Asked
		json.Unmarshal(params, &q)
		h.still(&q.Question)
	case "reply":
		var r serve.Reply
		json.Unmarshal(params, &r)
		h.mu.Lock()
		h.reply += r.Text
		h.mu.Unlock()
	case "notice":
		var n serve.Notice
		json.Unmarshal(params, &n)
		h.gm.tell("notice", n.Text)
	case "progress":
		var p serve.Progress
		if json.Unmarshal(params, &p); string(p.ID) == `"`+outlookID+`"` {
			h.goes(p.Record, true)
			return
		}
		h.gm.tell("progress", params)
	}
}

// event takes a record. It is shown when the evening stands still.
func (h *Hub) event(raw json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var head struct{ Event, Name string }
	json.Unmarshal(raw, &head)
	h.played = h.played || head.Event == "span" && head.Name == "scene"
	switch head.Event {
	case "begin", "script", "question", "throw", "turn":
	case "what_if":
		h.gm.tell("what_if", raw)
	case "again":
		if !h.begun {
			h.begun = true
			h.merge()
			h.base = len(h.log)
			return
		}
		h.anew, h.fresh = true, nil
	default:
		h.fresh = append(h.fresh, raw)
	}
}

// merge puts what was told into the log.
func (h *Hub) merge() {
	if h.anew {
		h.log = h.log[:h.base:h.base]
	}
	for _, raw := range h.fresh {
		h.log = append(h.log, entry{all: raw})
	}
	h.fresh, h.anew = nil, false
}

// still shows everything: the evening stands at a question, or, without one, between two entries.
func (h *Hub) still(q *serve.Question) {
	var s serve.State
	if h.conn.Call(h.ctx, "state", serve.Who{On: on}, &s) != nil {
		return
	}
	sheets := map[string][]serve.SheetLine{}
	for _, p := range s.People {
		if p.Of == "" && p.Side == interp.ByPlayers {
			var x serve.State
			h.conn.Call(h.ctx, "state", serve.Who{On: on, Who: p.Who}, &x)
			sheets[p.Who] = x.Sheet
		}
	}
	var decided serve.Decisions
	h.conn.Call(h.ctx, "asked", serve.Who{On: on}, &decided)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = true
	h.who.learn(s.People, q == nil || q.Kind == evening.Pause && !(len(q.On) > 0 && someAbsent(s.People)))
	h.decided = decided
	h.merge()
	h.order = s.Order
	h.where, h.dice, h.pauses, h.turn, h.undoes, h.back = s.Where, s.Dice, s.Pauses, display(s.Turn), s.Last, s.Back
	if h.where.Question = q; q == nil {
		h.base, h.back = len(h.log), 0
		h.going = nil
	}
	if h.going != nil {
		h.going = &going{Record: h.going.Record}
	}
	go h.lookOut()
	h.seats.hold(h.who, sheets)
	h.show()
}

// someAbsent says whether a scene has said who is in it: else nobody is absent.
func someAbsent(people []serve.Person) bool {
	return slices.ContainsFunc(people, func(p serve.Person) bool { return p.Of == "" && p.Side == interp.ByOpponents && !p.Here && !p.Out })
}

// show shows how things stand to all.
func (h *Hub) show() {
	all, public := []json.RawMessage{}, []json.RawMessage{}
	for i := range h.log {
		e := &h.log[i]
		if e.public == nil {
			e.public = json.RawMessage{}
			if r := h.who.public(parse(e.all)); r != nil {
				e.public = encode(r)
			}
		}
		all = append(all, e.all)
		if len(e.public) > 0 {
			public = append(public, e.public)
		}
	}
	q, seated := h.where.Question, h.seats.list()
	asked := h.asked(q)
	h.settleWanted()
	h.gm.show(all, map[string]any{
		"title": h.cfg.Title, "people": h.who.people, "seats": seated, "ask": h.gm.form(q, asked, h.turned),
		"steps": h.where.Steps, "course": h.where.Course, "dice": h.dice, "text": h.cfg.Text, "page": h.cfg.Page, "join": h.join,
		"going": h.going, "books": h.books.links(), "ahead": h.decided.Ahead, "usual": asUsual(h.decided), "pauses": h.pauses, "undo_wanted": h.wanted, "order": h.orderFor(nil, h.turn),
	})
	wait := h.waitFor(q)
	players := map[string]any{"title": h.cfg.Title, "people": h.who.standing(), "seats": seated, "wait": wait, "stage": stage(q), "ended": stage(q) == evening.Ending || q == nil && h.played, "turn": h.turnFor(asked), "order": h.orderFor(h.who.standing(), h.turnFor(asked)), "back": h.undoes != "", "ask": nil}
	h.screen.show(public, players)
	for _, s := range h.seats.Seats {
		mine := map[string]any{"me": s.Who, "name": s.Name, "sheet": s.sheet, "open": s.Token != ""}
		for k, v := range players {
			mine[k] = v
		}
		if asked == s.Who && s.Who != "" {
			mine["ask"] = h.who.form(s.view.form(q, asked, h.turned))
		} else {
			s.view.form(nil, "", false)
		}
		mine["ahead"], mine["wanted"] = h.ahead(s.Who), s.want.how
		s.view.show(public, mine)
	}
}

// asked is the hero who is asked, "" where it is not one of the players'.
func (h *Hub) asked(q *serve.Question) string {
	if q == nil || q.Aside {
		return ""
	}
	if who := h.who.root(q.Who); h.who.player(who) {
		return who
	}
	return ""
}

// waitFor says to players whom everybody waits for: of the other side it never says whom.
func (h *Hub) waitFor(q *serve.Question) string {
	switch who := h.asked(q); {
	case who != "":
		return who
	case q != nil:
		return gameMaster
	}
	return ""
}

// turnFor says to players whose turn it is: an opponent's only where one of theirs is asked in it, and nobody's where the
// evening waits for the game master to go on.
func (h *Hub) turnFor(asked string) string {
	if stage(h.where.Question) != "" {
		return ""
	}
	if h.who.player(h.turn) || asked != "" && isKnown(h.who.standing(), h.turn) {
		return h.turn
	}
	return ""
}

// orderFor says who acts when, of those who are known, nil: of all.
func (h *Hub) orderFor(known []serve.Person, now string) *interp.Order {
	if h.order == nil || stage(h.where.Question) != "" || h.where.Question == nil {
		return nil
	}
	shown := func(list []string) (out []string) {
		for _, who := range list {
			if who = display(who); known == nil || isKnown(known, who) {
				out = append(out, who)
			}
		}
		return out
	}
	return &interp.Order{Now: now, Then: shown(h.order.Then), Left: shown(h.order.Left), Says: h.order.Says}
}

// at tells where the evening stands by its question.
func at(q *serve.Question) int {
	if q == nil {
		return -1
	}
	return q.ID
}

// stage says what everybody waits for the game master to begin, or to end: see evening.Config.Pauses.
func stage(q *serve.Question) string {
	if q == nil || q.Kind != evening.Pause {
		return ""
	}
	return q.Title
}

// asUsual are the decisions that nobody was asked, as they came up.
func asUsual(all serve.Decisions) []unasked {
	list := []unasked{}
	for _, d := range all.Decisions {
		for _, g := range d.Given {
			if g.By == string(interp.ByUsual) {
				list = append(list, unasked{d.Decision, d.Prompt, d.Who, g.Answer, g.Times})
			}
		}
	}
	return list
}

// unasked is a decision that was answered as usual so many times.
type unasked struct {
	Decision string `json:"decision"`
	Prompt   string `json:"prompt,omitempty"`
	Who      string `json:"who,omitempty"`
	Answer   string `json:"answer"`
	Times    int    `json:"times"`
}

const gameMaster = "the game master"

// asking is a question as a page shows it. Its id counts what this view was asked, and nothing else.
type asking struct {
	ID string `json:"id"`
	serve.Question
	Hero string `json:"hero,omitempty"` // who is asked, of the players'
}

// ahead are the decisions of a hero that came up, with what is said ahead of each for them alone.
func (h *Hub) ahead(who string) []decision {
	list := []decision{}
	for _, d := range h.decided.Decisions {
		if d.Who != who || who == "" || d.Told == secretly || len(d.Options) == 0 {
			continue
		}
		x := decision{Decision: d.Decision, Prompt: d.Prompt, Options: d.Options}
		for _, a := range h.decided.Ahead {
			if a.Decision == d.Decision && a.Who == who && a.When == "" {
				x.Answer = a.Answer
			}
		}
		list = append(list, x)
	}
	return list
}

// decision is one that somebody can answer ahead.
type decision struct {
	Decision string   `json:"decision"`
	Prompt   string   `json:"prompt,omitempty"`
	Options  []string `json:"options"`
	Answer   string   `json:"answer,omitempty"` // that is said ahead
}

// form is the question as a view shows it, nil for none. Where it is the one that stood there, under another id,
// whoever answers it goes on with the form that they have.
func (v *view) form(q *serve.Question, hero string, turned bool) *asking {
	if q == nil {
		v.asked = 0
		return nil
	}
	if v.asked != q.ID+1 {
		if v.asked == 0 || !turned || !bytes.Equal(v.record, q.Record) {
			v.forms++
		}
		v.asked, v.record = q.ID+1, q.Record
	}
	return &asking{fmt.Sprint(v.epoch, "-", v.forms), *q, hero}
}

// form is a question without what players are not told.
func (k known) form(a *asking) map[string]any {
	r := parse(encode(a))
	open := []any{}
	if inner, ok := r["record"].(record); ok {
		if list, ok := inner["open"].([]any); ok {
			for _, x := range list {
				if seen := k.public(x.(record)); seen != nil {
					open = append(open, seen)
				}
			}
		}
	}
	if inner, ok := r["record"].(record); ok && inner["refused"] != nil {
		why := only(inner["refused"].(record), "message", "help")
		tried, _ := inner["tried"].(string)
		if k.names(tried, fmt.Sprint(why)) {
			why = record{"message": noCommand}
		}
		r["refused"], r["tried"] = without(why), tried
	}
	delete(r, "record")
	delete(r, "on") // titles may be secret
	r["so"] = open
	return r
}

// Hand hands somebody over: "ask" to the table, "auto" to their tactics.
func (h *Hub) Hand(method, who string) error {
	err := h.move("", method, serve.Who{On: on, Who: who})
	if err != nil {
		return errors.New(asError(err).Message)
	}
	return nil
}

// answers says whether a form is the one that a view is asked, and gives the id of its question.
func (h *Hub) answers(v *view, form string) (int, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.asked == 0 || form != fmt.Sprint(v.epoch, "-", v.forms) {
		return 0, false
	}
	return v.asked - 1, true
}

// move calls what may move the evening, and shows where it stands then. What is being worked out ends.
func (h *Hub) move(by, method string, params any) error {
	h.stopThinking()
	h.mu.Lock()
	h.turned = slices.Contains([]string{"ahead", "ask", "auto", "dice", "say", "pauses"}, method)
	h.mu.Unlock()
	var w serve.Where
	call := func() error { return h.conn.Call(h.ctx, method, params, &w) }
	if method == "say" {
		call = func() error { return h.think(method, params, &w) }
	}
	if err := call(); err != nil {
		h.after(nil)
		return err
	}
	if by != "" {
		h.mu.Lock()
		h.last = by
		h.mu.Unlock()
	}
	h.after(&w)
	return nil
}

// after shows where the evening stands behind a call, and waits for it. Without a place it asks for it.
func (h *Hub) after(w *serve.Where) {
	done := make(chan struct{})
	h.heard.put(func() {
		defer close(done)
		if w == nil {
			w = new(serve.Where)
			var s serve.State
			if h.conn.Call(h.ctx, "state", serve.Who{On: on}, &s) != nil {
				return
			}
			*w = s.Where
		}
		h.mu.Lock()
		shown := h.where
		h.mu.Unlock()
		if q := w.Question; q == nil || shown.Question == nil || shown.Question.ID != q.ID || shown.Course != w.Course {
			h.still(q)
		}
	})
	select {
	case <-done:
	case <-h.ctx.Done():
	}
}

// retell has everything told once more: entries were taken back or done again.
func (h *Hub) retell() error {
	h.heard.put(func() {
		h.mu.Lock()
		h.base, h.anew, h.fresh = 0, true, nil
		h.mu.Unlock()
	})
	return h.move("", "retell", on)
}

// think calls what only works something out; it ends as soon as the evening moves.
func (h *Hub) think(method string, params, result any) error {
	h.stopThinking()
	h.mu.Lock()
	h.calls++
	id := fmt.Sprint("think", h.calls)
	h.thought[id] = true
	h.mu.Unlock()
	defer h.lookOut()
	return h.thinking(id, method, params, result)
}

// thinking calls what works something out, under an id by which it can be ended.
func (h *Hub) thinking(id, method string, params, result any) error {
	defer func() {
		h.mu.Lock()
		delete(h.thought, id)
		h.mu.Unlock()
	}()
	return h.conn.Call(h.ctx, method, params, result, jsonrpc2.PickID(jsonrpc2.ID{Str: id, IsString: true}))
}

func (h *Hub) stopThinking() {
	h.mu.Lock()
	var ids []string
	for id := range h.thought {
		ids = append(ids, id)
	}
	h.mu.Unlock()
	for _, id := range ids {
		h.cancel(id)
	}
}

func (h *Hub) cancel(id string) { h.conn.Call(h.ctx, "cancel", serve.Cancel{ID: encode(id)}, nil) }

// watch sees who comes and goes.
func (h *Hub) watch() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-tick.C:
			h.mu.Lock()
			if h.seats.moved() {
				h.show()
			}
			h.mu.Unlock()
		}
	}
}

// Where is where the evening stands, for whoever began it.
func (h *Hub) Where() serve.Where {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.where
}

// asError is an error of the protocol.
func asError(err error) *jsonrpc2.Error {
	var e *jsonrpc2.Error
	if errors.As(err, &e) {
		return e
	}
	return &jsonrpc2.Error{Code: serve.CodeFault, Message: err.Error()}
}

// queue is what was told and is not looked at yet, however much that is.
type queue struct {
	mu   sync.Mutex
	list []func()
	more chan struct{}
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

func (q *queue) put(do func()) {
	q.mu.Lock()
	q.list = append(q.list, do)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// take waits for the next; nil: it is over.
func (q *queue) take(ctx context.Context) (do func()) {
	for {
		q.mu.Lock()
		if len(q.list) > 0 {
			do, q.list = q.list[0], q.list[1:]
		}
		q.mu.Unlock()
		if do != nil {
			return do
		}
		select {
		case <-q.more:
		case <-ctx.Done():
			return nil
		}
	}
}
