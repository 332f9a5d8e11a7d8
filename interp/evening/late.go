package evening

import (
	"slices"

	"setpiece/interp"
	"setpiece/lang"
)

// Somebody comes who was not prepared: their sheet is declared at a question. A run cannot make room
// for a sheet, so the declaration is put before the statement that asks, and the entry begins again
// from its start, with the same dice and answers. If what has happened is then the same, up to the
// same question, the declaration stays; otherwise everything is as it was.

// Declares says whether a text declares somebody, or their tactics, and does nothing else, or sets what is new on a sheet.
func (v *Evening) Declares(text string) bool {
	return v.sess.Declares(text) || v.sess.Room(text, false) != ""
}

// Declare declares somebody at a question. The error is ErrMoved: the same question is put once more,
// or lang.Diagnostics, or a *Refused.
func (v *Evening) Declare(text string) error {
	then := ""
	if !v.busy {
		return &Refused{Why: NothingOpen}
	}
	if err := v.settled(); err != nil {
		return err
	}
	if room := v.sess.Room(text, false); room != "" { // it is made before, and the line is done where it was typed
		text, then = room, text
	}
	if ds := v.sess.Check(lang.NewSource("", text)); ds.Errors() {
		return ds
	}
	if v.at.Src != v.running {
		return &Refused{Why: Included}
	}
	v.desk.declare(late{Late: Late{Text: v.sess.Coming(text)}, typed: text, then: then})
	return ErrMoved
}

// declare has the entry begin again with a declaration before the statement that asks.
func (d *desk) declare(x late) {
	x.At, x.told, x.place = int(d.evening.at.Start), d.evening.happened(), d.open.Place
	d.late = &x
}

// roomFor says whether an answer makes something new, and has the entry begin again with the room for it.
func (d *desk) roomFor(q *Query, a interp.Answer) bool {
	if q.Kind != Command || d.evening.at.Src != d.evening.running {
		return false
	}
	room := d.evening.sess.Room(*a.Command, true)
	if room != "" {
		d.declare(late{Late: Late{Text: room}, typed: *a.Command, answer: &a})
	}
	return room != ""
}

// late is a declaration that is tried, with what has happened and the question at which it was made.
type late struct {
	Late
	told   []uint64
	place  string
	tried  bool           // the entry has begun again with it
	said   []Entry        // what had been said
	typed  string         // the declaration as it was typed
	then   string         // what is done by hand behind it
	answer *interp.Answer // or the answer to the question that it is for
}

// happened is short for what has happened in the entry that goes on, and led to the open question.
func (v *Evening) happened() []uint64 {
	told := slices.Clone(v.told)
	for _, e := range v.desk.open.Open {
		told = append(told, fingerprint(e)...)
	}
	return told
}

// settleLate notes a declaration if all was the same up to the question at which it was made; gone says
// that it was not, or that something is done by hand behind it.
func (d *desk) settleLate(q *Query) (gone bool) {
	x := d.late
	d.open = q
	defer func() { d.open = nil }()
	if q.Place != x.place || !slices.Equal(d.evening.happened(), x.told) {
		return true
	}
	d.late = nil
	d.take(Entry{Late: &x.Late})
	switch {
	case x.then != "":
		d.byHand(x.then, false)
		return true
	case x.answer != nil:
		return false
	}
	d.evening.host.Tell(Declared{x.typed})
	return false
}

// lates gives the declarations among what was said, those too that a course was kept behind.
func lates(said []Entry) (list []Entry) {
	if len(said) > 0 && said[0].Keep != nil {
		list = lates(said[0].Keep.Old)
	}
	for _, e := range said {
		if e.Late != nil {
			list = append(list, e)
		}
	}
	return list
}

// withLates gives a text with the declarations that were made while it ran.
func withLates(src *lang.Source, said []Entry) *lang.Source {
	text := src.Text
	for _, e := range lates(said) {
		if at := e.Late.At; at >= 0 && at <= len(text) {
			text = text[:at] + e.Late.Text + "\n" + text[at:]
		}
	}
	if text == src.Text {
		return src
	}
	return lang.NewSource(src.Name, text)
}

// watchStatements notes which statement of the text at the top is at work.
func (v *Evening) watchStatements(s *interp.Config) {
	told := s.Statement
	s.Statement = func(at lang.Span) error {
		v.at = at
		if told != nil {
			if err := told(at); err != nil {
				return err
			}
		}
		if v.desk.pausing == Beginning {
			return v.desk.PauseHere()
		}
		return nil
	}
}

// Declared says that somebody was declared at a question; NotDeclared that this would have changed
// what has happened, so that it was not done.
type (
	Declared    struct{ Text string }
	NotDeclared struct{ Text string }
)

func (Declared) notice()    {}
func (NotDeclared) notice() {}
