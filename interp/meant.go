package interp

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
	"setpiece/lang/late"
)

// A person may say what they do as they would say it at a table: "I hit the guy with my sword". No
// grammar is guessed at. Of the commands that could be given (language/moves.go) the one is meant
// that has most of the words in it; where the words leave something open it is what would be done
// unasked.

// meantTries is how many commands are tried for whether the rules allow them.
const meantTries = 40

// reading is a command that a sentence may mean, with how much speaks for it.
type reading struct {
	text string
	fits int
}

// Meant gives the command that a sentence of whoever has the turn means, none where no word of it says so, one for each of
// those who may be meant by  the big one; the verbs that there are for them; and why whoever has the turn may not do the
// likeliest, where all are refused. Nothing happens.
func Meant(t *Turn, said string) (commands, verbs []string, why error) {
	s, usual, who := t.Session, t.Default, t.who
	moves, aside := s.moves(usual, who)
	for _, mv := range moves {
		verbs = append(verbs, mv.Verb)
	}
	if text := s.spelled(said, who); text != said && s.try(text, who) == nil {
		return []string{text}, verbs, nil
	}
	words, unasked, there := wordsIn(said), wordsIn(usual), s.run.Strangers(who)
	var list []reading
	for _, mv := range moves {
		if !named(mv.Verb, words) { // nobody is meant to harm a friend, nor to do what has words, without a word for it
			mv.Heads = slices.DeleteFunc(atStrangers(mv.Heads, there), func(h language.Head) bool {
				return len(h.Words) > 0 && !says(words, h.Words, false)
			})
		}
		list = append(list, readings(mv, words, unasked, aside, there)...)
	}
	slices.SortStableFunc(list, func(a, b reading) int { return b.fits - a.fits })
	for _, r := range list[:min(len(list), meantTries)] {
		all := s.pointed(r.text, words, who)
		if no := s.tryUsual(all[0], who); no != nil {
			if strings.Contains(no.Error(), ": "+strings.Trim(t.Who, `"`)+" ") { // what is wrong with others may be a secret
				why = cmp.Or(why, no)
			}
			continue
		}
		if len(all) == 1 && all[0] == r.text {
			all = s.which(r.text, words, there, who)
		}
		return all, verbs, nil
	}
	return nil, verbs, why
}

// which gives a command for each of those who may be meant, where it is aimed at somebody whom no word names: a bystander, or
// where the words mean a certain one: that one, the tall one, the one in the back.
func (s *Session) which(text string, words []string, there map[int]bool, who value.V) (all []string) {
	foes, some := s.run.Foes(who), []int(nil)
	written := func(off int) string {
		name, _ := language.Written(s.run.World, off)
		return " " + name + " "
	}
	for _, e := range language.Instances(s.run.World) {
		if _, here := there[e.Off]; here {
			some = append(some, e.Off)
		}
	}
	at := slices.IndexFunc(some, func(off int) bool {
		return (certain(words) || s.anyOfThem(words, who) || there[off] && !slices.Contains(foes, off)) && fits(written(off), words) == 0 && strings.Contains(" "+text+" ", written(off))
	})
	if at < 0 {
		return []string{text}
	}
	for _, off := range some {
		other := strings.TrimSpace(strings.ReplaceAll(" "+text+" ", written(some[at]), written(off)))
		if there[off] == there[some[at]] && slices.Contains(foes, off) == slices.Contains(foes, some[at]) && s.tryUsual(other, who) == nil {
			all = append(all, other)
		}
	}
	return all
}

// certain says whether the words speak of a certain one.
func certain(words []string) bool {
	for i, w := range words {
		if w == "one" && slices.ContainsFunc(words[max(0, i-3):i], func(x string) bool { return slices.Contains([]string{"the", "that", "this"}, x) }) {
			return true
		}
	}
	return false
}

// anyOfThem says whether the words speak of the foe, the villain: as the rules call all of the foes.
func (s *Session) anyOfThem(words []string, who value.V) bool {
	foes := s.run.Foes(who)
	return slices.ContainsFunc(words, func(w string) bool {
		all := s.run.Listed(w, who)
		return len(foes) > 0 && !slices.ContainsFunc(foes, func(off int) bool { return !slices.Contains(all, off) })
	})
}

// pointed has a word of the rules, such as weakest, in the place of a foe whom nobody names, or those whom the word means of
// several who have the name that is said: the wounded ghoul. The ghoul that Nell hit may be each of them.
func (s *Session) pointed(text string, words []string, who value.V) []string {
	w := s.run.World
	foes := s.run.Foes(who)
	name := func(off int) string {
		name, _ := language.Written(w, off)
		return name
	}
	most := 0
	for _, off := range foes {
		most = max(most, fits(name(off), words))
	}
	among := slices.DeleteFunc(slices.Clone(foes), func(off int) bool { return fits(name(off), words) < most })
	at := slices.IndexFunc(among, func(off int) bool { return strings.Contains(" "+text+" ", " "+name(off)+" ") })
	if at < 0 {
		return []string{text}
	}
	for i, said := range words {
		if slices.Contains([]string{"hurt", "injured"}, said) {
			said = "wounded"
		}
		rule := language.TermsRule(w, "pick_"+said, 2)
		switch {
		case most > 0 && said == "that" && i+1 < len(words) && slices.ContainsFunc(language.Instances(w), func(e language.Instance) bool { return !slices.Contains(foes, e.Off) && named(e.Name, words[i+1:i+2]) }):
		case rule == nil || said == "any" || said == "all":
			continue
		case most == 0:
			return []string{strings.Replace(text, name(among[at]), said+" "+language.Aims(w)[0].Name, 1)}
		}
		var all []string
		for _, off := range among {
			if rule == nil || !slices.ContainsFunc(among, func(other int) bool {
				better, ok := s.run.Pure(rule, who, s.run.Heap.OfList([]value.V{value.OfRef(off), value.OfRef(other)}))
				return ok && better == value.OfRef(other) && other != off
			}) {
				all = append(all, strings.Replace(text, name(among[at]), name(off), 1))
			}
		}
		return all
	}
	return []string{text}
}

// moves lists what somebody could do, what the scene needs first: where there is no foe, what something or
// somebody may stand against, and last what is always aimed at somebody. aside are those who are no
// foes: friends, bystanders, and whoever is not there.
func (s *Session) moves(usual string, who value.V) (moves []*language.Move, aside map[int]bool) {
	foes, terms := s.run.Foes(who), s.run.Terms(who)
	terms.Sayings = s.run.Sayings(who)
	s.run.Aside(func(m *machine.Machine) { moves = language.Moves(s.run.World, m, who.Off(), usual, terms) })
	aside = map[int]bool{}
	for _, e := range language.Instances(s.run.World) {
		aside[e.Off] = !slices.Contains(foes, e.Off)
	}
	if len(foes) == 0 {
		slices.SortStableFunc(moves, func(a, b *language.Move) int { return needed(a) - needed(b) })
	}
	return moves, aside
}

// ofThings are words before the name of a thing: the guard, with help, Ann's help.
var ofThings = []string{"the", "with", "use", "using", "s", "my"}

// says says whether somebody says that they do one of these, or another form of it: helps, helping. to: not if that is done to
// a thing.
func says(said, words []string, to bool) bool {
	for i, x := range said {
		if i > 0 && slices.Contains(ofThings, said[i-1]) || to && i+1 < len(said) && (said[i+1] == "a" || said[i+1] == "an") {
			continue
		}
		for _, w := range words {
			if strings.HasPrefix(x, w) && slices.Contains([]string{"", "s", "es", "d", "ed", "ing"}, x[len(w):]) {
				return true
			}
		}
	}
	return false
}

// needed is the lower the more a verb has to do with a scene without foes.
func needed(mv *language.Move) int {
	switch {
	case mv.Aimed():
		return 3
	case !mv.Opposed():
		return 2
	case !mv.Says():
		return 1
	}
	return 0
}

// maxModels is how many commands Can gives as models.
const maxModels = 2

// WhatCan says what whoever has the turn can do. Nothing happens.
func WhatCan(t *Turn) (c Can) {
	s, usual, who := t.Session, t.Default, t.who
	moves, aside := s.moves(usual, who)
	there, says, unfit := s.run.Strangers(who), len(s.run.Sayings(who)) > 0, s.run.Terms(who).Unfit
	for _, mv := range moves {
		if slices.Contains(unfit, mv.Verb) {
			continue
		}
		if says {
			mv.Heads = atStrangers(mv.Heads, there)
		}
		model := ""
		for _, text := range models(mv, aside, there) {
			if s.tryUsual(text, who) == nil {
				model = text
				break
			}
		}
		if model == "" {
			continue
		}
		c.Verbs = append(c.Verbs, mv.Verb)
		if usual == "" && len(c.Models) < maxModels && needed(mv) == 0 {
			c.Models = append(c.Models, model)
		}
	}
	return c
}

// atStrangers leaves out what is aimed at a friend, but for what the rules say of friends.
func atStrangers(heads []language.Head, there map[int]bool) []language.Head {
	return slices.DeleteFunc(slices.Clone(heads), func(h language.Head) bool {
		stranger, here := there[h.Who]
		return here && !stranger && len(h.Words) == 0
	})
}

// models are commands of a verb, the best first: at somebody who is there, with what the example of the
// verb has, with a full pool.
func models(mv *language.Move, aside, there map[int]bool) []string {
	example := wordsIn(mv.Doc)
	heads := slices.Clone(mv.Heads)
	worth := func(h language.Head) (n int) {
		switch {
		case there[h.Who]:
			n = 20
		case h.Who != 0:
			n = -20
		}
		return n + fits(h.Operands, example)
	}
	slices.SortStableFunc(heads, func(a, b language.Head) int { return worth(b) - worth(a) })
	var tools []language.Choice
	for _, p := range mv.Pools {
		tools = append(tools, p.Of(p.Full(nil)))
	}
	tools = append(tools[:min(len(tools), 1)], append([]language.Choice{{}}, mv.Tools...)...)
	var out []string
	for _, tool := range tools[:min(len(tools), 3)] {
		for _, h := range heads {
			out = append(out, mv.Command(h, tool))
		}
	}
	return out[:min(len(out), meantTries)]
}

// spelled writes the names in a line as they are declared: "Drowned 1" for drowned 1, SONIC_BLAST for sonic blast.
func (s *Session) spelled(line string, who value.V) string {
	names := map[string]string{}
	for _, name := range language.NamesFor(s.run.World, who.Off()) {
		names[strings.Join(wordsIn(name), " ")] = name
	}
	var out strings.Builder
	for tokens := token().FindAllString(line, -1); len(tokens) > 0; {
		n, written := 1, tokens[0]
		for end := 1; end <= min(len(tokens), 2*maxWords); end += 2 {
			if name := names[strings.ToLower(strings.Join(tokens[:end], ""))]; name != "" {
				n, written = end, name
			}
			if end < len(tokens) && tokens[end] != " " {
				break
			}
		}
		out.WriteString(written)
		tokens = tokens[n:]
	}
	return out.String()
}

// maxWords is how many words of a line can be one name.
const maxWords = 6

// token is a text, a word, or what stands between two.
var token = late.Regexp(`"[^"]*"?|[\pL\d_]+|[^\pL\d_"]`)

// readings are the commands of a verb that some of the words are in. A word counts for more than that
// something would be done unasked, the verb for more than what it takes; what is aimed at somebody who is
// no foe needs a word that says at whom, or that says what is done to a stranger.
func readings(mv *language.Move, words, unasked []string, aside, there map[int]bool) (list []reading) {
	verb := 0
	if named(mv.Verb, words) {
		verb = 100
	}
	if len(unasked) > 0 && unasked[0] == mv.Verb || len(unasked) == 0 && needed(mv) == 0 {
		verb += 20
	}
	tools := append([]language.Choice{{}}, mv.Tools...)
	for _, p := range mv.Pools {
		doing := slices.Clone(words)
		for i := 2; i < len(words); i++ { // the big one is somebody
			if words[i] == "one" && words[i-2] == "the" {
				doing[i-1] = ""
			}
		}
		parts := p.Best(func(part string) int {
			n := fits(part, doing)
			if n == 1 && strings.HasPrefix(part, `"`) && !named(part, doing) {
				return 0 // one word of a phrase says nothing of it
			}
			return 2*n + inARow(part, doing)
		})
		switch full := p.Of(p.Full(parts)); {
		case len(parts) > 0:
			tools = append(tools, full, p.Alone().Of(p.Full(parts)))
		case len(unasked) == 0:
			tools = slices.Insert(tools, 0, full)
		}
	}
	for _, h := range mv.Heads {
		verb, heard := verb, says(words, h.Words, h.Who != 0 && len(unasked) > 0 && unasked[0] != mv.Verb)
		if verb < 100 && heard {
			verb += 100
		}
		if at := fits(h.Operands+" "+h.Target, words); at == 0 && (aside[h.Who] && !(heard && there[h.Who]) || h.Who == 0 && h.Operands != "" && !heard) {
			continue
		}
		for _, tool := range tools {
			if len(unasked) == 0 && verb < 100 && fits(tool.Text, words) == 0 && !named(h.Operands, words) {
				continue // whom it is about says nothing of what is done
			}
			said := verb + 10*fits(h.Operands+" "+h.Target+" "+tool.Text, words)
			if said <= 20 {
				continue // no word says it
			}
			if h.Who != 0 && h.Target == "" && slices.Contains(words, "all") && slices.ContainsFunc(mv.Heads, func(x language.Head) bool { return x.Operands == h.Operands && len(x.Words) == 0 }) {
				every := h
				every.Operands = "all"
				list = append(list, reading{mv.Command(every, tool), said + 10})
			}
			text := mv.Command(h, tool)
			list = append(list, reading{text, said + min(9, fits(text, unasked))})
		}
	}
	return list
}

// telling gives the words of a text that are more than articles, and more than what joins others: with, vs, from.
func telling(text string) []string {
	return slices.DeleteFunc(wordsIn(text), func(w string) bool {
		return slices.Contains([]string{"the", "a", "an", "and", "with", "vs", "from", "to", "at", "on", "of", "for", "using", "against", "as", "in"}, w)
	})
}

// named says whether all words of a name are among some.
func named(name string, words []string) bool {
	n := fits(name, words)
	return n > 0 && n == len(telling(name))
}

// inARow is 1 where the words of a name are said one behind the other.
func inARow(name string, words []string) int {
	return min(1, strings.Count(" "+strings.Join(words, " ")+" ", " "+strings.Join(wordsIn(name), " ")+" "))
}

// fits counts the words of a text that are among some.
func fits(text string, words []string) (n int) {
	for _, w := range telling(text) {
		if slices.ContainsFunc(words, func(said string) bool { return sameWord(w, said) }) {
			n++
		}
	}
	return n
}

// sameWord says whether somebody who says one word may mean the other: attacks, attack; sword, swrod.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	if min(len(a), len(b)) < 3 || a[0] != b[0] {
		return false
	}
	if a+"s" == b || a == b+"s" {
		return true
	}
	if min(len(a), len(b)) < 4 {
		return false
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	near, ok := lang.Nearest(b, []string{a})
	return ok && near == a && min(len(a), len(b)) > 4 && a[len(a)-1] == b[len(b)-1] // not flare for flirt
}

// wordsIn gives the words of a text in lower case: SLING_SHOT is two.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
