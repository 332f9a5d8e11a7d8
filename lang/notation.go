package lang

import (
	"regexp"
	"strings"

	"setpiece/lang/anydice"
	"setpiece/lang/late"
)

// People know other ways to write dice: 4d6kh3 and 3d6! from the bots of chat rooms, [highest 3 of 4d6] from
// AnyDice. A line in one of them is read as the same in this language, and whoever typed it is told how that
// is written.

// Reading is a piece of a line in another notation, and what it is in this language.
type Reading struct{ Typed, Ours string }

// Notation gives a text with what is written in another notation in the words of this language. Texts and
// comments stay as they are. Of a program of AnyDice that cannot be read it says why.
func Notation(text string) (ours string, read []Reading, wrong *anydice.Unread) {
	if IsProgram(text) {
		text = asked().ReplaceAllString(text, "")
		out, wrong := anydice.Read(text)
		if wrong == nil {
			ours = strings.Join(out, "; ")
			return ours, []Reading{{strings.Join(strings.Fields(text), " "), ours}}, nil
		}
		m := anydiceOutput().FindStringSubmatch(text)
		if m == nil {
			return text, nil, wrong
		}
		ours, read = lineIn(m[1])
		if len(read) == 0 && !ourCall().MatchString(ours) {
			return text, nil, wrong
		}
		return ours, append(read, Reading{strings.TrimSpace(text), ours}), nil
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

// IsProgram says whether a text is a program of AnyDice, which asks for odds.
func IsProgram(text string) bool { return anydiceProgram().MatchString(text) }

// lineIn is Notation of a line that is not a program.
func lineIn(line string) (ours string, read []Reading) {
	const unequal = "\x00"
	line = sheet().ReplaceAllString(line, "${1}${2}x $3")
	if strings.ContainsAny(line, "\"#"+unequal) {
		return line, nil
	}
	swap := func(re *regexp.Regexp, by func(m []string) string) {
		line = re.ReplaceAllStringFunc(line, func(typed string) string {
			m := re.FindStringSubmatch(typed)
			ours := by(m)
			if ours == typed {
				return typed
			}
			read = append(read, Reading{strings.TrimSpace(typed[len(m[1]):]), strings.TrimSpace(ours[len(m[1]):])})
			return ours
		})
	}
	swap(askedOf(), func(m []string) string { return m[1] + compares().ReplaceAllString(m[2], " $1 ") })
	swap(equals(), func(m []string) string { return m[1] + m[2] + " == " + m[3] })
	swap(against(), func(m []string) string { return m[1] + m[2] + " >= " + m[3] })
	swap(fudge(), func(m []string) string { return m[1] + m[2] + "dF" + m[3] })
	for _, w := range said {
		swap(w.typed(), func(m []string) string {
			times := ""
			if m[5] != "" {
				times = ", 1"
			}
			if m[3] == "" {
				return m[1] + m[2] + w.ours
			}
			return m[1] + m[2] + w.ours + "(" + anydice.FaceRange(w.op(m[4]), m[3]) + times + ")"
		})
	}
	swap(compared(), func(m []string) string { return m[1] + m[2] + " " + words[m[3]] + " " + m[4] })
	swap(keeping(), func(m []string) string {
		if m[4] == "" {
			m[4] = "1"
		}
		return m[1] + suffixes(m[2], kept[m[3]]+m[4])
	})
	swap(advantage(), func(m []string) string { return m[1] + "2" + m[2] + "." + words[m[4]] + m[3] })
	swap(bare(), func(m []string) string { return m[1] + "2d20." + words[m[2]] + m[3] })
	swap(anydiceLine(), func(m []string) string {
		if out, wrong := anydice.Read(m[2]); wrong == nil && len(out) == 1 {
			return m[1] + out[0]
		}
		return m[0]
	})
	swap(counting(), func(m []string) string { return m[1] + m[2] + ".count(" + anydice.FaceRange(m[3], m[4]) + ")" })
	line = strings.ReplaceAll(line, "!=", unequal)
	swap(suffixed(), func(m []string) string {
		if ours := suffixes(m[2], m[3]); ours != "" {
			return ours
		}
		return m[0]
	})
	swap(several(), func(m []string) string {
		return m[1] + "[(throw " + m[3] + ")" + m[4] + ".sum for i in 1.." + m[2] + "].sorted"
	})
	return strings.ReplaceAll(line, unequal, "!="), read
}

// begins is how a line begins that asks about dice.
const begins = `^(\s*(?:(?:odds|why|report|print)\s+)?)`

var (
	anydiceProgram = late.Regexp(`(?m)^\s*(?:odds\s+)?(?:output\s|loop\s+[A-Z]|function\s*:|set\s+"|[A-Z_]+\s*:.*\boutput\s)`)
	anydiceOutput  = late.Regexp(`^\s*output\s+(.*?)\s*(?:\snamed\s+"[^"]*"\s*)?$`)
	anydiceLine    = late.Regexp(begins + `(.*(?:[\d}]@|\[\s*(?:highest|lowest|middle|count|explode|absolute|maximum)\s|\bcontains\s).*|(?:highest|lowest|middle)\s+(?:\d+\s+)?of\s.*|explode\s+d\d.*)$`)

	asked   = late.Regexp(`^\s*odds\s`)
	ourCall = late.Regexp(`\w\.[a-z]`)

	compared    = late.Regexp(begins + `(\d*d\d\S*(?:\s*[-+*]\s*\w+)*)\s+(at least|at most|more than|less than|over|under)\s+(\d+)\s*$`)
	keeping     = late.Regexp(begins + `(\d*d\d+)\s+(keep highest|keep lowest|drop highest|drop lowest|keep best|keep worst|keep|drop)\b\s*(\d*)`)
	advantage   = late.Regexp(begins + `1?(d\d+)\s*([-+]\s*\d+)?\s*(?:with\s+)?(advantage|disadvantage|disadv|dis|adv)\b`)
	penetrating = late.Regexp(`((\d*d\d+)!p)\b`)

	bare     = late.Regexp(begins + `(advantage|disadvantage|disadv|adv)\s*([-+<>=].*)?$`)
	askedOf  = late.Regexp(begins + `(?i:average|mean|probability|chance|p)(?:\s+of)?[\s(]+(\d*d\d[^()]*?)\)?\s*$`)
	compares = late.Regexp(`\s*([<>]=?)\s*`)
	equals   = late.Regexp(begins + `(\d*d\d[^=<>!"]*?)\s+=\s+(\d+)\s*$`)
	against  = late.Regexp(begins + `(\d*d\d[^<>=]*?)\s+(?i:vs\.?|dc|against)\s+(?i:dc\s+|ac\s+)?(\d+)\s*$`)
	fudge    = late.Regexp(begins + `(\d*)df\b(.*)$`)
	sheet    = late.Regexp(begins + `(\d+)#(\d*d\d)`)
	several  = late.Regexp(begins + `(\d+)x\s+(\d*d\d+)((?:\.\w+(?:\([^()]*\))?)*)\s*$`)
	counting = late.Regexp(begins + `(\d*[2-9]\d*d\d+|1\d+d\d+)(>=|>|<=|<)(\d+)\s*$`)
	suffixed = late.Regexp(`()\b(\d*d(?:\d+|%|F))((?:k[hl]?\d+|d[hl]?\d+|k[hl]|d[hl]|!!?(?:(?:>=?|<=?)?\d+)?|ro?(?:<=?|>=?)?\d+)+)`)
	suffix   = late.Regexp(`^(?:(kl|kh?|dh|dl?)(\d*)|(!)!?(?:(>=?|<=?)?(\d+))?|(ro?)(<=?|>=?)?(\d+))`)
)

// words are those of plain English in ours.
var words = map[string]string{"at least": ">=", "at most": "<=", "more than": ">", "over": ">", "less than": "<", "under": "<",
	"advantage": "highest", "adv": "highest", "disadvantage": "lowest", "disadv": "lowest", "dis": "lowest"}

// said are words behind dice that are functions of them here.
var said = []struct {
	typed func() *regexp.Regexp
	ours  string
	op    func(plus string) string
}{
	{behindDice(`explod(?:es?|ing)(?:\s+on)?`), ".explode", plus},
	{late.Regexp(begins + `(\d*d(?:\d+|%))\s+explod(?:es?|ing)()()()\s*$`), ".explode", plus},
	{behindDice(`reroll(?:s|ing)?`), ".reroll", plus},
	{behindDice(`(?:count|counting)`), ".count", plus},
	{behindDice(`(?:success(?:es)?|target|t)(?:\s+(?:on|at))?`), ".count", func(string) string { return ">=" }},
}

func behindDice(word string) func() *regexp.Regexp {
	return late.Regexp(begins + `(\d*d(?:\d+|%))\s*` + word + `\s*(\d+)(\+?)(\s+once)?\s*$`)
}

// plus reads 8+ as 8 or more.
func plus(sign string) string {
	if sign == "+" {
		return ">="
	}
	return ""
}

// kept are plain words in the notation of bots.
var kept = map[string]string{"keep highest": "kh", "keep best": "kh", "keep lowest": "kl", "keep worst": "kl", "drop highest": "dh", "drop lowest": "dl", "keep": "kh", "drop": "dl"}

// suffixes gives dice with what bots write behind them in our words: first what the dice do, then what is read.
func suffixes(dice, rest string) string {
	does, reads := "", ""
	for rest != "" {
		m := suffix().FindStringSubmatch(rest)
		if m == nil {
			return ""
		}
		rest = rest[len(m[0]):]
		switch {
		case m[1] != "":
			name := map[string]string{"k": "highest", "kh": "highest", "kl": "lowest", "dh": "drop_highest", "dl": "drop_lowest", "d": "drop_lowest"}[m[1]]
			reads += "." + name
			if m[2] != "" && m[2] != "1" {
				reads += "(" + m[2] + ")"
			}
		case m[3] != "" && m[5] == "":
			does += ".explode"
		case m[3] != "":
			does += ".explode(" + anydice.FaceRange(m[4], m[5]) + ")"
		case m[6] == "ro":
			does += ".reroll(" + anydice.FaceRange(m[7], m[8]) + ", 1)"
		default:
			does += ".reroll(" + anydice.FaceRange(m[7], m[8]) + ")"
		}
	}
	return dice + does + reads
}
