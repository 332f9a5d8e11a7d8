package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/lang"
)

// action does what a reader calls for, with its parameters.
type action func(who *reader, body json.RawMessage) (any, error)

// problem is an error with a status.
type problem struct {
	status  int
	message string
}

func (p *problem) Error() string { return p.message }

var errOver = &problem{http.StatusConflict, "that question is over"}

// refused answers with an error of an action.
func refused(w http.ResponseWriter, err error) {
	if p, ok := err.(*problem); ok {
		fail(w, p.status, p.message, nil)
		return
	}
	e := asError(err)
	status := http.StatusUnprocessableEntity
	switch e.Code {
	case serve.CodeOver:
		status = http.StatusConflict
	case jsonrpc2.CodeInvalidParams:
		status = http.StatusBadRequest
	case serve.CodeNoEvening, serve.CodeFault:
		status = http.StatusInternalServerError
	}
	fail(w, status, e.Message, e.Data)
}

// read reads parameters; what they do not have is refused.
func read[P any](body json.RawMessage) (p P, err error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return p, &problem{http.StatusBadRequest, strings.TrimPrefix(err.Error(), "json: ")}
	}
	return p, nil
}

var on = serve.On{Evening: name}

// reply is an answer to a form, as pages send it.
type reply struct {
	Form   string  `json:"form"`
	Text   *string `json:"text,omitempty"`
	Option *int    `json:"option,omitempty"`
	Faces  []int   `json:"faces,omitempty"`
	Also   []*int  `json:"also,omitempty"`
}

// answer answers the question of a form.
func (s *Server) answer(who *reader, body json.RawMessage) (any, error) {
	p, err := read[reply](body)
	if err != nil {
		return nil, err
	}
	h := s.hub
	h.answering.Lock() // of two who press at once the second is told that it is over
	defer h.answering.Unlock()
	id, ok := h.answers(who.view, p.Form)
	if !ok {
		return nil, h.over()
	}
	a := serve.Answer{On: on, Question: id, Text: p.Text, Option: p.Option, Faces: p.Faces, Also: p.Also}
	by := gameMaster
	if who.seat != nil {
		by, a.Plain = who.seat.Name, true
		if p.Text != nil && len(*p.Text) > maxCommand {
			return nil, &problem{http.StatusUnprocessableEntity, fmt.Sprintf("a command has at most %d letters", maxCommand)}
		}
	}
	if p.Text != nil {
		text := h.withHeroes(*p.Text)
		a.Text = &text
	}
	err = h.move(by, "answer", a)
	if err != nil && who.seat != nil && p.Text != nil && h.names(*p.Text, err) {
		err = &problem{http.StatusUnprocessableEntity, noCommand}
	}
	return nil, err
}

// withHeroes is a line with heroes in the place of whoever plays them: give 1 pp to Ann. A name that belongs to somebody in the
// story, or to a part of one, is theirs; so is one where somebody is declared.
func (h *Hub) withHeroes(line string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if strings.Contains(line, "{") {
		return line
	}
	for _, s := range h.seats.Seats {
		first, size := utf8.DecodeRuneInString(s.Name)
		told := slices.ContainsFunc(h.who.people, func(p serve.Person) bool { return strings.Contains(" "+p.Who+" ", " "+s.Name+" ") })
		if s.Name != "" && !told {
			line = renamed(line, s.Name, s.Who)
			line = renamed(line, string(unicode.ToUpper(first))+s.Name[size:], s.Who)
		}
	}
	return line
}

// renamed puts a name in the place of another, in quotes or not, but not within a text.
func renamed(line, from, to string) string {
	as := regexp.MustCompile(`(^|[^\pL\d_])` + regexp.QuoteMeta(from) + `($|[^\pL\d_])`)
	named := to
	if strings.Contains(to, " ") {
		named = `"` + to + `"`
	}
	parts := strings.Split(line, `"`)
	for i, part := range parts {
		switch {
		case i%2 == 1 && part == from:
			parts[i] = to
		case i%2 == 0:
			for range 2 { // what parts two names belongs to the first
				part = as.ReplaceAllString(part, "${1}"+strings.ReplaceAll(named, "$", "$$")+"${2}")
			}
			parts[i] = part
		}
	}
	return strings.Join(parts, `"`)
}

// withHeroesBefore is withHeroes up to the word that is being typed at a place, and what has to be added to places behind it.
func (h *Hub) withHeroesBefore(text string, at *int) (string, *int, int) {
	end := len(text)
	if at != nil {
		end = max(0, min(*at, end))
	}
	head := text[:strings.LastIndexByte(text[:end], ' ')+1]
	said := h.withHeroes(head)
	more := len(said) - len(head)
	end += more
	return said + text[len(head):], &end, more
}

// names says whether an error tells a player of somebody whom they neither know nor named.
func (h *Hub) names(text string, err error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := asError(err)
	data := ""
	if e.Data != nil {
		data = string(*e.Data)
	}
	return h.who.names(text, e.Message+data)
}

// names says whether a reason against a text names somebody whom players do not know, and the text does not.
func (k known) names(text, why string) bool {
	standing := k.standing()
	return slices.ContainsFunc(k.people, func(p serve.Person) bool {
		return p.Of == "" && p.Side != interp.ByMaster && !isKnown(standing, p.Who) && strings.Contains(why, p.Who) && !strings.Contains(strings.ToLower(text), strings.ToLower(p.Who))
	})
}

// noCommand is all that is said where the reason would name somebody.
const noCommand = "this is no command"

// over says that a question is over, and who has answered it.
func (h *Hub) over() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == "" {
		return errOver
	}
	return &problem{errOver.status, errOver.message + ": " + h.last + " has answered"}
}

// comes is what somebody does who has the code and no seat yet.
func (s *Server) comes(method string) action {
	return func(_ *reader, body json.RawMessage) (any, error) {
		p, err := read[struct {
			Code   string `json:"code"`
			Who    string `json:"who"`
			Name   string `json:"name"`
			Screen bool   `json:"screen"`
		}](body)
		if err != nil {
			return nil, err
		}
		if s.tried() {
			return nil, &problem{http.StatusTooManyRequests, "too many wrong codes: wait a minute"}
		}
		h := s.hub
		h.mu.Lock()
		defer h.mu.Unlock()
		if !same(letters(p.Code), letters(h.seats.Code)) {
			s.often("code", codesAMinute, time.Minute)
			return nil, &problem{http.StatusForbidden, "this is not the code of this table"}
		}
		name := strings.TrimSpace(lang.Visible(p.Name))
		switch {
		case method == "look":
			return map[string]any{"title": h.cfg.Title, "seats": h.seats.list(), "free": h.seats.free()}, nil
		case p.Screen:
			return map[string]string{"token": h.seats.Screen}, nil
		case name == "" || utf8.RuneCountInString(name) > maxName:
			return nil, &problem{http.StatusBadRequest, fmt.Sprintf("a name has 1 to %d letters", maxName)}
		}
		token, err := h.seats.claim(p.Who, name)
		if err != nil {
			return nil, &problem{http.StatusConflict, err.Error()}
		}
		h.show()
		return map[string]string{"token": token}, nil
	}
}

// letters are those of a code, however they are written: POPO BINA for popo-bina.
func letters(code string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(code), func(r rune) bool { return r < 'a' || r > 'z' }), "")
}

// tried says whether so many wrong codes were tried that none is taken for a while.
func (s *Server) tried() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.rates["code"]
	return x != nil && x.n >= codesAMinute && time.Since(x.since) < time.Minute
}

// players is what a player can do.
func (s *Server) players(method string) action {
	h := s.hub
	switch method {
	case "answer":
		return s.answer
	case "complete":
		return func(who *reader, body json.RawMessage) (any, error) {
			p, err := read[serve.Complete](body)
			if err != nil {
				return nil, err
			}
			if h.turnOf(who) == nil || len(p.Text) > maxCommand {
				return nil, errOver
			}
			var list serve.Completions
			more := 0
			p.Text, p.At, more = h.withHeroesBefore(p.Text, p.At)
			p.On, p.Plain = on, true
			if err := h.quick("complete", p, &list); err != nil {
				return nil, err
			}
			list.From -= more
			c, usual, err := h.can(who)
			if err != nil {
				return nil, err
			}
			return h.completions(who.seat, list, append([]string{usual}, c.Commands...), c.Verbs), nil
		}
	case "can":
		return s.can
	case "ahead":
		return func(who *reader, body json.RawMessage) (any, error) {
			p, err := read[struct {
				Decision string `json:"decision"`
				Answer   string `json:"answer"`
			}](body)
			if err != nil {
				return nil, err
			}
			return nil, h.sayAhead(who.seat.Who, p.Decision, p.Answer)
		}
	case "undo_wanted":
		return func(who *reader, _ json.RawMessage) (any, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.want(who.seat)
			return nil, nil
		}
	}
	return nil
}

// sayAhead answers a decision of a hero ahead, or with "" takes that back. It has to be one that came up, and one of its
// options: what a player says reaches no further.
func (h *Hub) sayAhead(who, name, answer string) error {
	h.answering.Lock()
	defer h.answering.Unlock()
	h.mu.Lock()
	mine := h.ahead(who)
	h.mu.Unlock()
	at := slices.IndexFunc(mine, func(d decision) bool { return d.Decision == name })
	if at < 0 || answer != "" && !slices.Contains(mine[at].Options, answer) {
		return &problem{http.StatusUnprocessableEntity, "you have no such decision to answer in advance"}
	}
	return h.move("", "ahead", serve.Ahead{On: on, Decision: name, Who: who, Answer: answer})
}

// turnOf is the question for a command that a player is asked, or anybody in front of the game master, nil for none.
func (h *Hub) turnOf(who *reader) *serve.Question {
	h.mu.Lock()
	defer h.mu.Unlock()
	if q := h.where.Question; q != nil && q.Kind == "command" && (who.seat == nil || h.asked(q) == who.seat.Who) {
		return q
	}
	return nil
}

// can is what whoever is asked can do.
func (s *Server) can(who *reader, _ json.RawMessage) (any, error) {
	c, _, err := s.hub.can(who)
	return c, err
}

// can is what whoever has the turn can do, of which no player's command names anybody whom players do not know, and what is
// usual. When the game master says whose dice are thrown, the same question comes again under another number.
func (h *Hub) can(who *reader) (c serve.Can, usual string, err error) {
	q := h.turnOf(who)
	for last := -1; ; q = h.turnOf(who) {
		if q == nil || q.ID == last {
			return c, "", errOver
		}
		if err = h.quick("can", serve.At{On: on, Question: q.ID}, &c); err == nil {
			break
		}
		if asError(err).Code != serve.CodeOver {
			return c, "", err
		}
		last = q.ID
		h.after(nil)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.who.standing()
	unfit := func(text string) bool {
		return text == q.Usual || h.asked(q) != "" && slices.ContainsFunc(h.who.people, func(p serve.Person) bool {
			return p.Of == "" && !isKnown(known, p.Who) && strings.Contains(strings.ReplaceAll(text, "_", " "), p.Who)
		})
	}
	rest := slices.DeleteFunc(slices.Clone(c.Commands[c.Likely:]), unfit)
	c.Commands = slices.DeleteFunc(c.Commands[:c.Likely], unfit)
	c.Likely, c.Commands = len(c.Commands), append(c.Commands, rest...)
	return c, q.Usual, nil
}

func isKnown(list []serve.Person, who string) bool {
	return slices.ContainsFunc(list, func(p serve.Person) bool { return p.Who == who })
}

// chip is a completion as a player's page shows it.
type chip struct {
	Text string `json:"text"`
	Kind string `json:"kind"`
	Of   string `json:"of,omitempty"`   // of which of their traits it is one
	Size string `json:"size,omitempty"` // of a trait
}

// chips are completions.
type chips struct {
	From int    `json:"from"`
	List []chip `json:"list"`
}

// completions are those that tell nothing: verbs and clauses, one's own traits, names that are known. What stands in
// commands that can be given comes first, traits as they stand on the sheet.
func (h *Hub) completions(x *seat, all serve.Completions, commands, verbs []string) chips {
	h.mu.Lock()
	defer h.mu.Unlock()
	people, out := map[string]bool{}, map[string]bool{}
	for _, p := range h.who.standing() {
		people[p.Who], out[p.Who] = p.Who != x.Who && (p.Here || p.Out), p.Out
	}
	type place struct {
		chip
		at int
	}
	own := map[string]place{}
	for i, l := range x.sheet {
		path := strings.Split(l.Who, ".")
		name := display(path[len(path)-1])
		t := own[name]
		t.at = i
		if len(path) > 2 {
			t.Of = display(path[len(path)-2])
		}
		if len(path) > 1 && l.Field == rating && l.Value != "none" {
			t.Size = l.Value
		}
		own[name] = t
		own[display(l.Field)] = place{at: i}
	}
	said := " " + strings.Join(commands, " ") + " "
	list := []place{}
	for _, w := range all.List {
		t, mine := own[display(w.Text)]
		t.Text, t.Kind = w.Text, w.Kind
		switch {
		case w.Kind == "verb" && !slices.Contains(verbs, w.Text) && len(verbs) > 0:
			t.at = 2000
		case slices.Contains([]string{"verb", "clause", "option", "word"}, w.Kind), w.Kind == "value" && w.Doc == "":
			if t.at = strings.Index(said, " "+w.Text+" "); t.at < 0 {
				t.at = 1000
			}
			t.Of, t.Size = "", ""
		case mine && w.Kind == "trait":
			if t.Size == "" {
				t.at += 1000
			}
		case w.Kind == "character" && !people[display(w.Text)]:
			continue
		case w.Kind == "character" && out[display(w.Text)]:
			t.at, t.Size = 1000, "out"
		case mine, people[display(w.Text)]:
		default:
			continue
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b place) int { return a.at - b.at })
	found := chips{From: all.From, List: []chip{}}
	for _, t := range list {
		if !slices.Contains(found.List, t.chip) {
			found.List = append(found.List, t.chip)
		}
	}
	return found
}

// rating is the field of a trait in which it says how good it is.
const rating = "rating"

// masters are the methods of the protocol that the game master's page calls: whether they may move
// the evening, and whether what was told between two entries is told anew then.
var masters = map[string]struct{ moves, anew bool }{
	"exec": {moves: true}, "pauses": {moves: true}, "dice": {moves: true}, "ahead": {moves: true}, "ask": {moves: true}, "auto": {moves: true}, "what_if": {moves: true}, "drop": {moves: true},
	"undo": {true, true}, "redo": {true, true}, "keep": {true, true},
	"advise": {}, "odds": {}, "state": {}, "rule": {},
}

// masters is what the game master can do.
func (s *Server) masters(method string) action {
	h := s.hub
	call, known := masters[method]
	switch {
	case method == "answer":
		return s.answer
	case method == "can":
		return s.can
	case method == "say":
		return func(_ *reader, body json.RawMessage) (any, error) {
			p, err := read[serve.Exec](body)
			if err != nil {
				return nil, err
			}
			p.On, p.Text = on, h.withHeroes(p.Text)
			h.mu.Lock()
			between := h.where.Question == nil
			h.reply = ""
			h.mu.Unlock()
			err = h.move(gameMaster, method, p)
			if err == nil && between && h.Where().Question == nil && strings.HasPrefix(p.Text, ":") {
				err = h.retell()
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			return map[string]string{"reply": h.reply}, err
		}
	case method == "complete":
		return func(_ *reader, body json.RawMessage) (any, error) {
			p, err := read[serve.Complete](body)
			if err != nil {
				return nil, err
			}
			more := 0
			p.Text, p.At, more = h.withHeroesBefore(p.Text, p.At)
			p.On = on
			var list serve.Completions
			err = h.think(method, p, &list)
			list.From -= more
			return list, err
		}
	case method == "free":
		return func(_ *reader, body json.RawMessage) (any, error) {
			p, err := read[struct {
				Who string `json:"who"`
			}](body)
			if err != nil {
				return nil, err
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			if err := h.seats.empty(p.Who); err != nil {
				return nil, &problem{http.StatusConflict, err.Error()}
			}
			h.show()
			return nil, nil
		}
	case method == "undo_wanted":
		return func(_ *reader, body json.RawMessage) (any, error) {
			p, err := read[struct {
				Who string `json:"who"`
				No  bool   `json:"no"`
			}](body)
			if err != nil {
				return nil, err
			}
			return nil, h.decideWanted(p.Who, p.No)
		}
	case !known:
		return nil
	}
	return func(who *reader, body json.RawMessage) (any, error) {
		params, err := read[map[string]any](body)
		if err != nil {
			return nil, err
		}
		if form, ok := params["form"].(string); ok {
			id, ok := h.answers(who.view, form)
			if !ok {
				return nil, h.over()
			}
			delete(params, "form")
			params["question"] = id
		}
		params["evening"] = name
		for _, x := range []string{"text", "line"} {
			if said, ok := params[x].(string); ok {
				params[x] = h.withHeroes(said)
			}
		}
		if !call.moves {
			var result json.RawMessage
			return result, h.think(method, params, &result)
		}
		h.answering.Lock()
		defer h.answering.Unlock()
		err = h.move(gameMaster, method, params)
		if err == nil && call.anew && h.Where().Question == nil {
			err = h.retell()
		}
		return nil, err
	}
}
