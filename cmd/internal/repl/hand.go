package repl

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// hand gives somebody, or each of several decisions with commas between them, to the person or to their tactics.
func (l *Loop) hand(who string, asked bool) {
	l.moved = nil
	for _, word := range l.words(who) {
		l.handOne(word, asked)
	}
}

// words takes decisions with commas between them apart.
func (l *Loop) words(who string) []string {
	list := strings.Split(who, ",")
	for i, word := range list {
		list[i] = strings.TrimSpace(word)
		if name, _, _ := strings.Cut(list[i], " "); !slices.Contains(l.evening.Session().DecisionWords(), name) || strings.Contains(word, ":") {
			return []string{who}
		}
	}
	return list
}

func (l *Loop) handOne(who string, asked bool) {
	err := l.evening.Hand(who, asked)
	if err != nil && !errors.Is(err, evening.ErrMoved) {
		render.Error(l.cfg.Questions, l.cfg.Palette, err)
		return
	}
	l.moved = cmp.Or(l.moved, err)
	l.faint(handWords(who, asked, l.evening.Session()))
}

// handWords says what holds from now on.
func handWords(who string, asked bool, s *interp.Session) string {
	about, answer, ahead := strings.Cut(who, ":")
	first, rest, _ := strings.Cut(about, " ")
	switch {
	case first == "dice" && rest != "" && asked:
		return "type what the dice of " + rest + " show, from the next throw on"
	case first == "dice" && rest != "":
		return "setpiece throws the dice of " + rest
	case who == interp.Everything || who == interp.Costs:
		return map[interp.Quiet]string{
			interp.QuietOff:   "you are asked about everything",
			interp.QuietUsual: "you are asked about what costs something and what only you can know; the rest is done as usual",
			interp.QuietMust:  "you are asked only what nobody else can know",
		}[s.Quiet()]
	case slices.Contains(s.DecisionWords(), first) && ahead && strings.TrimSpace(answer) == "":
		return "not answered in advance any more: " + strings.TrimSpace(about)
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

// asked lists the decisions that came up, with how often which answer was given by whom, and what is
// answered in advance.
func (l *Loop) asked(string) {
	var rows [][]string
	for _, d := range l.evening.Decided() {
		for _, g := range d.Given {
			rows = append(rows, []string{"  " + d.Name, lang.Visible(cmp.Or(d.Who, "Game Master")), lang.Visible(g.Answer), "x" + strconv.Itoa(g.Times), askedWords(g)})
		}
	}
	ahead := l.evening.Session().InAdvance("")
	if len(rows)+len(ahead) == 0 {
		l.faint("nothing was asked yet")
		return
	}
	render.Table(l.cfg.Questions, rows)
	for _, a := range ahead {
		l.faint("  in advance: " + lang.Visible(a.String()))
	}
	l.faint("  :ask DECISION has one asked, :quiet DECISION not; :ahead DECISION ANSWER answers it in advance")
}

// askedWords says how a decision was answered.
func askedWords(g evening.Given) string {
	switch {
	case g.Usual:
		return "as usual, without asking"
	case g.By == string(interp.ByPerson):
		return "at the table"
	}
	return "by " + g.By
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

// sayUsual says in a line what was taken as usual, and the words that have one of it asked, once an evening
// for each decision: "not asked: Ann: reroll no, pip no   :ask reroll, pip". It stands below what they belong to.
func (l *Loop) sayUsual() {
	var words []string
	var decisions []string
	who := ""
	for _, e := range l.usual {
		if l.saidUsual[e.Decision] || l.cfg.View.JSON {
			continue
		}
		l.saidUsual[e.Decision] = true
		decisions = append(decisions, e.Decision)
		word := e.Decision + " " + e.Answer
		if e.Who != who {
			word = e.Who + ": " + word
		}
		words, who = append(words, word), e.Who
	}
	l.usual = nil
	if len(words) > 0 {
		l.release()
		l.flush()
		l.faint("  not asked: " + lang.Visible(strings.Join(words, ", ")) + "   :ask " + strings.Join(decisions, ", "))
	}
}

func diceTitle(asked bool) string {
	if asked {
		return ":dice ask"
	}
	return ":dice roll"
}

// hands completes whom :auto and :ask take.
func (l *Loop) hands(string) []string { return l.evening.Session().HandWords() }
