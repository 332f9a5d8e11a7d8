package repl

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// hand gives somebody to the person or to their tactics.
func (l *Loop) hand(who string, asked bool) {
	err := l.evening.Hand(who, asked)
	if err != nil && !errors.Is(err, evening.ErrMoved) {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
		return
	}
	l.moved = err
	l.faint(handWords(who, asked, l.evening.Session()))
}

// handWords says what holds from now on.
func handWords(who string, asked bool, s *interp.Session) string {
	about, _, ahead := strings.Cut(who, ":")
	first, _, _ := strings.Cut(about, " ")
	switch {
	case who == interp.Everything || who == interp.Costs:
		return map[interp.Quiet]string{
			interp.QuietOff:   "you are asked about everything",
			interp.QuietUsual: "you are asked about what costs something and what only you can know; the rest is done as usual",
			interp.QuietMust:  "you are asked only what nobody else can know",
		}[s.Quiet()]
	case slices.Contains(s.DecisionWords(), first) && ahead:
		return "answered in advance from now on: " + who
	case slices.Contains(s.DecisionWords(), first) && asked:
		return "asked from now on: " + who
	case slices.Contains(s.DecisionWords(), first):
		return "not asked from now on: " + who
	case asked:
		return "you give the commands and decide: " + who
	}
	return "tactics act and decide: " + who
}

// sayAhead answers a decision ahead: "NAME ANSWER", or "NAME WHO: ANSWER when CONDITION".
func (l *Loop) sayAhead(arg string) {
	if !strings.Contains(arg, ":") {
		name, answer, _ := strings.Cut(arg, " ")
		arg = name + ": " + strings.TrimSpace(answer)
	}
	l.hand(arg, false)
}

// asked lists the decisions that came up, with how often which answer was given by whom, and what was
// said of who is asked.
func (l *Loop) asked(string) {
	count := map[[4]string]int{}
	var rows [][]string
	for _, told := range l.evening.Story() {
		for e := range decisionsIn(told.Event) {
			key := [4]string{e.Decision, cmp.Or(e.Who, "Game Master"), e.Answer, askedWords(e)}
			if count[key]++; count[key] == 1 {
				rows = append(rows, key[:])
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	for i, r := range rows {
		rows[i] = []string{"  " + r[0], lang.Visible(r[1]), lang.Visible(r[2]), "x" + strconv.Itoa(count[[4]string(r)]), r[3]}
	}
	if len(rows) == 0 {
		l.faint("nothing was asked yet")
		return
	}
	render.Table(l.cfg.Questions, rows)
	l.faint("  :ask DECISION has one asked, :quiet DECISION not; :ahead DECISION ANSWER answers it in advance")
}

// decisionsIn gives the decisions in what happened, the innermost, too.
func decisionsIn(e *interp.Event) iter.Seq[*interp.Event] {
	return func(yield func(*interp.Event) bool) {
		if e == nil || e.Kind == interp.EventDecision && !yield(e) {
			return
		}
		for _, in := range e.Events {
			for d := range decisionsIn(in) {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// askedWords says how a decision was answered.
func askedWords(e *interp.Event) string {
	switch {
	case e.Usual:
		return "as usual, without asking"
	case e.By == string(interp.ByPerson):
		return "at the table"
	}
	return "by " + e.By
}

// setQuiet says how much is asked.
func (l *Loop) setQuiet(arg string) {
	switch arg {
	case "", "on":
		l.hand(interp.Everything, false)
	case "off":
		l.hand(interp.Everything, true)
	case "must":
		l.hand(interp.Costs, false)
	default:
		l.hand(arg, false)
	}
}

// sayUsual says what was done as usual and not said in this evening yet, with the words that have
// it asked.
func (l *Loop) sayUsual() {
	var news []string
	for _, name := range l.usual {
		if !l.saidUsual[name] {
			l.saidUsual[name] = true
			news = append(news, name)
		}
	}
	if l.usual = nil; len(news) > 0 && !l.cfg.View.JSON {
		l.faint("  as usual, without asking: " + strings.Join(news, ", ") + "   :ask " + news[0])
	}
}

func handTitle(h evening.Hand) string {
	if h.Asked {
		return ":ask " + h.Who
	}
	return ":auto " + h.Who
}

func diceTitle(asked bool) string {
	if asked {
		return ":dice ask"
	}
	return ":dice roll"
}

// hands completes whom :auto and :ask take.
func (l *Loop) hands(string) []string { return l.evening.Session().HandWords() }
