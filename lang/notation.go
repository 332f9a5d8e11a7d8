package lang

import (
	"regexp"
	"slices"
	"strings"

	"setpiece/lang/anydice"
	"setpiece/lang/late"
)

// People know other ways to write dice: 4d6kh3 and 3d6! from the bots of chat rooms, [highest 3 of 4d6] from
// AnyDice. A line in one of them is read as the same in this language, and whoever typed it is told how that
// is written.

// Reading is a piece of a line in another notation, and what it is in this language; Or is what else may have
// been meant, with its words.
type Reading struct{ Typed, Ours, Or string }

func (r Reading) String() string { return r.Typed + " is read as  " + r.Ours + r.Or }

// Notation gives a text with what is written in another notation in the words of this language. Texts and
// comments stay as they are. Of a program of AnyDice that cannot be read it says why.
func Notation(text string) (ours string, read []Reading, wrong *anydice.Unread) {
	if IsProgram(text) {
		text = asked().ReplaceAllString(text, "")
		out, wrong := anydice.Read(text)
		if wrong == nil {
			ours = strings.Join(out, "; ")
			return ours, []Reading{{Typed: strings.Join(strings.Fields(text), " "), Ours: ours}}, nil
		}
		m := anydiceOutput().FindStringSubmatch(text)
		if m == nil {
			return text, nil, wrong
		}
		ours, read = lineIn(m[1])
		if len(read) == 0 && !ourCall().MatchString(ours) {
			return text, nil, wrong
		}
		return ours, append(read, Reading{Typed: strings.TrimSpace(text), Ours: ours}), nil
	}
	if m := penetrating().FindStringSubmatch(text); m != nil {
		return text, nil, &anydice.Unread{Wrong: m[1] + ": dice that penetrate have no word of their own", Help: "lang/LANGUAGE.md shows a rule for them under What dice do; " + m[2] + ".explode  counts each die whole"}
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		var more []Reading
		lines[i], more = lineIn(line)
		read = append(read, more...)
	}
	return strings.Join(lines, ""), read, nil
}

// AsksOdds says whether a text asks for odds without the word: chance of 3d6 >= 10.
func AsksOdds(text string) bool { return askedOf().MatchString(text) || IsProgram(text) }

// IsProgram says whether a text is a program of AnyDice, which asks for odds.
func IsProgram(text string) bool { return anydiceProgram().MatchString(text) }

// lineIn is Notation of a line that is not a program.
func lineIn(line string) (ours string, read []Reading) {
	const unequal = "\x00"
	line = sheet().ReplaceAllString(line, "${1}${2}x $3")
	if strings.ContainsAny(line, "\"#"+unequal) {
		return line, nil
	}
	note := func(typed, ours, or string) {
		if typed != ours {
			read = append(read, Reading{strings.TrimSpace(typed), strings.TrimSpace(ours), or})
		}
	}
	swap := func(re *regexp.Regexp, by func(m []string) string) {
		line = re.ReplaceAllStringFunc(line, func(typed string) string {
			m := re.FindStringSubmatch(typed)
			ours := by(m)
			if typed != ours {
				note(typed[len(m[1]):], ours[len(m[1]):], "")
			}
			return ours
		})
	}
	for _, w := range said {
		swap(w.typed(), w.ours)
	}
	swap(anydiceLine(), func(m []string) string {
		if out, wrong := anydice.Read(m[2]); wrong == nil && len(out) == 1 {
			return m[1] + out[0]
		}
		return m[0]
	})
	swap(counting(), func(m []string) string { return m[1] + m[2] + ".count(" + anydice.FaceRange(m[3], m[4]) + ")" })
	if m := summing().FindStringSubmatch(line); m != nil && few(m[2], m[5]) {
		ours := m[2] + ".sum" + m[3] + m[5]
		note(m[2]+m[3]+m[5], ours, "   "+m[2]+".count("+anydice.FaceRange(m[4], m[5])+")  counts dice")
		line = m[1] + ours
	}
	line = strings.ReplaceAll(line, "!=", unequal)
	line = modified(line, note)
	for _, w := range saidLast {
		swap(w.typed(), w.ours)
	}
	return strings.ReplaceAll(line, unequal, "!="), read
}

// few says whether a number may be on the face of a die of a pool.
func few(dice, n string) bool {
	number, size, _ := strings.Cut(dice, "d")
	return number != "" && number != "1" && len(n) <= len(size) && (len(n) < len(size) || n <= size)
}

// modified reads what stands behind dice: words only in a line that begins with dice.
func modified(line string, note func(typed, ours, or string)) string {
	words := beginsWithDice().MatchString(line)
	var b strings.Builder
	for {
		at := someDice().FindStringSubmatchIndex(line)
		if at == nil {
			return b.String() + line
		}
		does, reads, n := modifiersIn(line[at[3]:], words)
		end, dice := at[3]+n, line[at[2]:at[3]]
		b.WriteString(line[:at[2]] + dice + does + reads)
		note(line[at[2]:end], dice+does+reads, "")
		line = line[end:]
	}
}

// modifiersIn gives what the modifiers at the beginning of a text make of dice, what is read of those, and how long
// they are.
func modifiersIn(text string, words bool) (does, reads string, n int) {
next:
	for {
		for _, x := range modifiers {
			m := x.typed().FindStringSubmatch(text[n:])
			if m == nil || !words && strings.ContainsAny(m[0][:1], " eckdrst") && strings.Contains(m[0], " ") {
				continue
			}
			if x.reads {
				reads += x.ours(m)
			} else {
				does += x.ours(m)
			}
			n += len(m[0])
			continue next
		}
		if n > 0 && insideWord().MatchString(text[n:]) {
			return "", "", 0
		}
		return does, reads, n
	}
}

// begins is how a line begins that asks about dice.
const begins = `^(\s*(?:(?:odds|why|report|print)\s+)?)`

var (
	anydiceProgram = late.Regexp(`(?m)^\s*(?:odds\s+)?(?:output\s|loop\s+[A-Z]|function\s*:|set\s+"|[A-Z_]+\s*:.*\boutput\s)`)
	anydiceOutput  = late.Regexp(`^\s*output\s+(.*?)\s*(?:\snamed\s+"[^"]*"\s*)?$`)
	anydiceLine    = late.Regexp(begins + `(.*(?:[\d}]@|\[\s*(?:highest|lowest|middle|count|explode|absolute|maximum)\s|\bcontains\s).*|(?:highest|lowest|middle)\s+(?:\d+\s+)?of\s.*|explode\s+d\d.*)$`)

	asked   = late.Regexp(`^\s*odds\s`)
	ourCall = late.Regexp(`\w\.[a-z]`)

	penetrating = late.Regexp(`((\d*d\d+)!p)\b`)
	askedOf     = late.Regexp(begins + `(?i:(?:what(?:'s|\s+is|\s+are)\s+)?(?:the\s+)?(?:average|mean|probability|prob|chances?|p)(?:\s+(?:of|for|to\s+roll|to\s+get))?)[\s(]+((?:at least\s.*\s|an?\s|\d+\+?\s+(?:on|in)\s)?(?:exactly\s.*\s)?\d*d\d[^()]*?)\)?\s*\??\s*$`)
	compares    = late.Regexp(`\s*([<>]=?)\s*`)
	sheet       = late.Regexp(begins + `(\d+)#(\d*d\d)`)
	counting    = late.Regexp(begins + `(\d*[2-9]\d*d\d+|1\d+d\d+)(>=|>|<=|<)(\d+)\s*$`)
	summing     = late.Regexp(begins + `(\d+d\d+)(\s+(>=|>|<=|<)\s+)(\d+)\s*$`)

	beginsWithDice = late.Regexp(begins + `[(\[]*(?:\d*d(?:\d|%|F|\{)|(?:max|min|abs|sum)\(|if\s)`)
	someDice       = late.Regexp(`(?:^|[^\w.])(\d*d(?:\d+|%|F\b|\{[^{}]*\}))`)
	insideWord     = late.Regexp(`^\w`)
)

// modifier is what may stand behind dice: what they do, or what is read of them.
type modifier struct {
	typed func() *regexp.Regexp
	reads bool
	ours  func(m []string) string
}

var modifiers = []modifier{
	{late.Regexp(`^(?:(k|d)([hl])(\d*)|(k|d)(\d+))`), true, func(m []string) string { return keeps(m[1]+m[4], m[2], m[3]+m[5]) }},
	{late.Regexp(`^\s+(keep|drop)(?:\s+the)?(?:\s+(highest|best|lowest|worst))?\b\s*(\d*)`), true, func(m []string) string { return keeps(m[1], m[2], m[3]) }},
	{late.Regexp(`^\s+(?:(?:2nd|second)\s+(highest|best|lowest|worst))\b`), true, func(m []string) string {
		return keeps("keep", m[1], "2") + keeps("keep", map[string]string{"highest": "l", "best": "l"}[m[1]], "")
	}},
	{late.Regexp(`^!!?(?:(>=?|<=?)?(\d+))?`), false, func(m []string) string { return called(".explode", m[1], m[2], "") }},
	{late.Regexp(`^e(>=?|<=?)?(\d+)`), false, func(m []string) string { return called(".explode", m[1], m[2], "") }},
	{late.Regexp(`^\s*explod(?:es?|ing)(?:\s+on)?(?:\s*(\d+)(\+?))?`), false, func(m []string) string { return called(".explode", m[2], m[1], "") }},
	{late.Regexp(`^r(o?)(<=?|>=?)?(\d+)`), false, func(m []string) string { return called(".reroll", m[2], m[3], m[1]) }},
	{late.Regexp(`^\s*reroll(?:s|ing)?\s*(\d+)(?:s\b|(\+))?(\s+once)?`), false, func(m []string) string { return called(".reroll", m[2], m[1], m[3]) }},
	{late.Regexp(`^(?:c[sf]|f)(>=?|<=?)?=?(\d+)`), true, func(m []string) string { return called(".count", m[1], m[2], "") }},
	{late.Regexp(`^\s*(?:count|counting)(?:\s+on)?\s*(\d+)(\+?)`), true, func(m []string) string { return called(".count", m[2], m[1], "") }},
	{late.Regexp(`^\s*(?:success(?:es)?|target|t)(?:\s+(?:on|at))?\s*(\d+)\+?`), true, func(m []string) string { return called(".count", "+", m[1], "") }},
	{late.Regexp(`^\s+(?:has|have|contains?|shows?|with|any)\s+(?:an?\s+)?(\d+)s?(\+?)\s*$`), true, func(m []string) string { return called(".count", m[2], m[1], "") + " >= 1" }},
	{late.Regexp(`^\s+(pairs|straight|largest.set|sum)\b`), true, func(m []string) string { return "." + strings.ReplaceAll(m[1], " ", "_") }},
}

// keeps gives the function that keeps or drops dice.
func keeps(word, which, n string) string {
	drops, low := word[0] == 'd', which != "" && which[0] != 'h' && which[0] != 'b'
	name := "highest"
	switch {
	case drops && (low || which == ""):
		name = "drop_lowest"
	case drops:
		name = "drop_highest"
	case low:
		name = "lowest"
	}
	if n == "" || n == "1" {
		return "." + name
	}
	return "." + name + "(" + n + ")"
}

// called gives a function of faces: those from a sign with a number, "+" for so many or more; once where it says so.
func called(name, sign, n, once string) string {
	if n == "" {
		return name
	}
	if sign == "+" {
		sign = ">="
	}
	if once != "" {
		once = ", 1"
	}
	return name + "(" + anydice.FaceRange(sign, n) + once + ")"
}

// words are those of plain English in ours.
var words = map[string]string{"at least": ">=", "at most": "<=", "more than": ">", "over": ">", "less than": "<", "under": "<",
	"advantage": "highest", "adv": "highest", "disadvantage": "lowest", "disadv": "lowest", "dis": "lowest",
	"exactly": "==", "a": "1", "an": "1", "any": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}

// phrase is a way to ask, and what it is in our words. What begins the line is m[1].
type phrase struct {
	typed func() *regexp.Regexp
	ours  func(m []string) string
}

const (
	aDie  = `(\d*d(?:\d+|%))`
	howOf = `(at least|at most|exactly|more than|less than)`
)

// said is read before what stands behind dice is, and saidLast after that.
var said = []phrase{
	{late.Regexp(`^()\s*[/!](?:roll|r)\s+(.*d[\d%F].*)$`), func(m []string) string { return m[2] }},
	{askedOf, func(m []string) string { return m[1] + compares().ReplaceAllString(m[2], " $1 ") }},
	{late.Regexp(begins + `(\d*d\d[^=<>!"]*?)\s+=\s+(\d+|\d*d\d+)\s*$`), func(m []string) string { return m[1] + m[2] + " == " + m[3] }},
	{late.Regexp(begins + `(\d*d\d[^<>=]*?)\s+(?i:vs\.?|dc|against)\s*(?i:dc\s*|ac\s*)?(\d+)\s*$`), func(m []string) string { return m[1] + m[2] + " >= " + m[3] }},
	{late.Regexp(begins + `(\d*d\d[^<>=]*?)\s+(?i:vs?\.?|against)\s+(\d*d\d[^<>=]*)$`), func(m []string) string { return m[1] + m[2] + " > " + m[3] }},
	{late.Regexp(begins + `(\d*)d[fF](?:\.2)?\b([^.].*)?$`), func(m []string) string { return m[1] + m[2] + "dF" + m[3] }},
	{late.Regexp(begins + `(\d*)d[fF]\.1\b(.*)$`), func(m []string) string { return m[1] + m[2] + "d{-1, 0, 0, 0, 0, 1}" + m[3] }},
	{late.Regexp(begins + `\{([^{}]*d[^{}]*,[^{}]*)\}k([hl]?)1?\b(.*)$`), func(m []string) string {
		return m[1] + map[string]string{"": "max", "h": "max", "l": "min"}[m[3]] + "(" + m[2] + ")" + m[4]
	}},
	{late.Regexp(begins + `(\d*d\d.*?)\s+\?\s+(.*?)\s+:\s+(.*)$`), func(m []string) string { return m[1] + "if " + m[2] + " then " + m[3] + " else " + m[4] }},
	{late.Regexp(begins + `exploding\s+` + aDie), func(m []string) string { return m[1] + m[2] + ".explode" }},
	{late.Regexp(begins + `(?:` + howOf + `\s+)?(an?|any|one|two|three|four|five|\d+)\s+(\d+)(?:'?s\b|(\+))?\s+(?:in|on|of|with|from)\s+` + aDie + `\s*$`), func(m []string) string {
		return m[1] + m[6] + called(".count", m[5], m[4], "") + " " + or(words[m[2]], ">=") + " " + or(words[m[3]], m[3])
	}},
	{late.Regexp(begins + aDie + `\s+` + howOf + `\s+(an?|one|two|three|four|five|\d+)\s+(\d+)(?:'?s\b|(\+))?\s*$`), func(m []string) string {
		return m[1] + m[2] + called(".count", m[6], m[5], "") + " " + words[m[3]] + " " + or(words[m[4]], m[4])
	}},
	{late.Regexp(begins + `(?:an?\s+)?(\d+)(\+?)\s+(?:on|in)\s+` + aDie + `\s*$`), func(m []string) string { return m[1] + showing(m[4], m[2], m[3]) }},
	{late.Regexp(begins + aDie + `\s+(\d+)(\+)\s*$`), func(m []string) string { return m[1] + showing(m[2], m[3], m[4]) }},
	{late.Regexp(begins + `(?:count|number|hits|successes)\s+(?:of\s+)?(\d+)(\+?)\s+(?:in|on)\s+` + aDie + `\s*$`), func(m []string) string { return m[1] + m[4] + called(".count", m[3], m[2], "") }},
	{late.Regexp(begins + `(?:hits|successes|count)\s+` + aDie + `\s*(>=?|<=?)?\s*(\d+)(\+?)\s*$`), func(m []string) string { return m[1] + m[2] + called(".count", m[3]+m[5], m[4], "") }},
	{late.Regexp(begins + `(pairs|straight|largest set)\s+(?:in|of|on)\s+` + aDie), func(m []string) string { return m[1] + m[3] + "." + strings.ReplaceAll(m[2], " ", "_") }},
	{late.Regexp(begins + aDie + `\s+(?:yahtzee|all (?:the )?same)\s*$`), func(m []string) string { return m[1] + m[2] + ".largest_set == " + howMany(m[2]) }},
	{late.Regexp(begins + aDie + `\s+(small|large)\s+straight\s*$`), func(m []string) string {
		return m[1] + m[2] + ".straight >= " + map[string]string{"small": "4", "large": "5"}[m[3]]
	}},
	{late.Regexp(begins + aDie + `\s+full house\s*$`), func(m []string) string {
		return m[1] + "let dice = throw " + m[2] + "; dice.largest_set == 3 and dice.pairs == 2"
	}},
	{late.Regexp(begins + `1?(d\d+)\s*([-+]\s*\d+)?\s*(?:with\s+)?(advantage|disadvantage|disadv|dis|adv)\b`), func(m []string) string { return m[1] + "2" + m[2] + "." + words[m[4]] + m[3] }},
	{late.Regexp(begins + `1?(d\d+)\s*([-+]\s*\d+)?\s*([<>]=?\s*\d+)\s+(?:with\s+|at\s+)?(advantage|disadvantage|disadv|dis|adv)\s*$`), func(m []string) string {
		return m[1] + "2" + m[2] + "." + words[m[5]] + m[3] + " " + m[4]
	}},
	{late.Regexp(begins + `(advantage|disadvantage|disadv|adv)\s+(?:on\s+)?1?(d\d+)`), func(m []string) string { return m[1] + "2" + m[3] + "." + words[m[2]] }},
	{late.Regexp(begins + `(advantage|disadvantage|disadv|adv)\s*([-+<>=].*)?$`), func(m []string) string { return m[1] + "2d20." + words[m[2]] + m[3] }},
	{late.Regexp(begins + `(\d+d\d+)(>=?)(\d+)f(\d+)\s*$`), func(m []string) string {
		return m[1] + "let dice = throw " + m[2] + "; dice" + called(".count", m[3], m[4], "") + " - dice.count(" + m[5] + ")"
	}},
	{late.Regexp(begins + `(if\s[^{]*d\d[^{]*\sthen\s[^{]*)$`), func(m []string) string {
		if strings.Contains(m[2], " else ") {
			return m[0]
		}
		return m[1] + strings.TrimSpace(m[2]) + " else 0"
	}},
}

var saidLast = []phrase{
	{late.Regexp(begins + `((?:[(\[]*\d*d[\d%F]|max\(|min\().*?)\s+` + compared + `\s+(\d+)\s*$`), func(m []string) string { return m[1] + m[2] + " " + words[m[3]] + " " + m[4] }},
	{late.Regexp(begins + `(\d+)\s*(?:x|times)?\s+` + scored + `\s*$`), func(m []string) string { return m[1] + scores(m[2], m[3], m[4]) }},
	{late.Regexp(begins + scored + `\s+(?:x\s*(\d+)|(\d+)\s+times)\s*$`), func(m []string) string { return m[1] + scores(m[4]+m[5], m[2], m[3]) }},
	{late.Regexp(begins + `([^{]*?)\s+given\s+([^;{]*)((?:;[^{]*)?)$`), func(m []string) string {
		if ours := sharing(m[2], m[3], m[4]); ours != "" {
			return m[1] + ours
		}
		return m[0]
	}},
}

const (
	compared = `(at least|at most|more than|less than|over|under)`
	scored   = `(\d*d\d+)((?:\.\w+(?:\([^()]*\))?)*)`
)

func scores(n, dice, reads string) string {
	return "[(throw " + dice + ")" + reads + ".sum for i in 1.." + n + "].sorted"
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// howMany gives the number of dice as they are written.
func howMany(dice string) string {
	n, _, _ := strings.Cut(dice, "d")
	return or(n, "1")
}

// showing asks whether dice show a number, or that and more: so many of several dice as their faces have it, else
// their sum.
func showing(dice, n, sign string) string {
	switch {
	case sign == "+" && few(dice, n):
		return dice + called(".count", sign, n, "")
	case sign == "+":
		return dice + " >= " + n
	case few(dice, n):
		return dice + ".count(" + n + ") >= 1"
	}
	return dice + " == " + n
}

var (
	sharedDice = late.Regexp(`\b(\d*d(?:\d+|%)(?:\.(?:explode|reroll)\b(?:\([^()]*\))?)*)((?:\.\w+(?:\([^()]*\))?)*)`)
	readNumber = late.Regexp(`\.(?:count|pairs|largest_set|straight|sum|exceeding|size)(?:\([^()]*\))?$`)
)

// sharing gives values and their condition where both speak of the same dice, which are thrown once; "" where the
// condition speaks of several.
func sharing(values, condition, others string) string {
	asked := sharedDice().FindAllStringSubmatch(condition, -1)
	for _, m := range asked {
		if m[1] != asked[0][1] {
			return ""
		}
	}
	all := sharedDice().FindAllStringSubmatch(values+others, -1)
	if len(asked) == 0 || strings.Contains(values+others, "throw") || !slices.ContainsFunc(all, func(m []string) bool { return m[1] == asked[0][1] }) {
		return values + " given " + condition + others
	}
	read := func(text string) string {
		return sharedDice().ReplaceAllStringFunc(text, func(typed string) string {
			m := sharedDice().FindStringSubmatch(typed)
			reads := m[2]
			if m[1] != asked[0][1] {
				return typed
			}
			if !readNumber().MatchString(reads) {
				reads += ".sum"
			}
			return "dice" + reads
		})
	}
	return "let dice = throw " + asked[0][1] + "; " + read(values) + " given " + read(condition) + read(others)
}
