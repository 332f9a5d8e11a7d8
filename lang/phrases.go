package lang

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"setpiece/lang/anydice"
	"setpiece/lang/late"
)

// phrase is a way to say something of dice, and what it is in our words; behind OR is what else it may mean.
//
// Its fields stand one behind the other: words or signs of which one stands there, and in capitals what one of
// readers reads. One that ends in ? may be left out. One that begins with _ stands right behind what is before
// it; a phrase that begins so is read anywhere, others only in a statement about dice.
type phrase [2]string

// does is what dice may do, and reads what is read of them; both stand right behind the dice.
var (
	does = []phrase{
		{"_!|e|x _!? _ON?", ".explode($ON)"},
		{"_. explode ( depth|max_depth = NUM )", ".explode($SIZE, $NUM)"},
		{"explode|explodes|exploding TIMES", ".explode($SIZE, $TIMES)"},
		{"explode|explodes|exploding on? FACE TIMES", ".explode($FACE, $TIMES)"},
		{"explode|explodes|exploding on? FACE?", ".explode($FACE)"},
		{"_ro _ON", ".reroll($ON, 1)"},
		{"_r|rr _ON", ".reroll($ON)"},
		{"reroll|rerolls|rerolling FACE TIMES", ".reroll($FACE, $TIMES)"},
		{"reroll|rerolls|rerolling FACE", ".reroll($FACE)"}, {"reroll|rerolls|rerolling TIMES on? FACE", ".reroll($FACE, $TIMES)"},
	}
	reads = []phrase{
		{"_k|kh _NUM", ".highest($K)"}, {"_kh", ".highest"}, {"_kl _NUM?", ".lowest($K)"},
		{"kh NUM?", ".highest($K)"}, {"kl NUM?", ".lowest($K)"}, {"dl NUM?", ".drop_lowest($K)"}, {"dh NUM?", ".drop_highest($K)"},
		{"_d|dl _NUM", ".drop_lowest($K)"}, {"_dl", ".drop_lowest"}, {"_dh _NUM?", ".drop_highest($K)"},
		{"keep|keeping the? NUM? RANK NUM? die|dice?", ".$RANK($K)"}, {"keep|keeping NUM?", ".highest($K)"},
		{"drop|dropping the? NUM? RANK NUM? die|dice?", ".drop_$RANK($K)"}, {"drop|dropping NUM?", ".drop_lowest($K)"},
		{"_cs|cf|f _ON", ".count($ON)"}, {"_t _NUM", ".count($NUM..)"},
		{"count|counting on? FACE", ".count($FACE)"},
		{"success|successes|target on|at? NUM +?", ".count($NUM..)"},
		{"PLACE highest|best", ".highest($PLACE).lowest"}, {"PLACE lowest|worst", ".lowest($PLACE).highest"},
		{"_sd|sa|s", ".sum"},
		{"push|pushed", ".reroll(2..$BELOW, 1).count($SIZE)"},
	}
	// asked is what may be asked of dice, before or behind them: full house in 5d6, 4d6 at least two 5+.
	asked = []phrase{
		{"full house", "let dice = throw $DICE; dice.largest_set == 3 and dice.pairs == 2"},
		{"small straight", "$DICE.straight >= 4"}, {"large straight", "$DICE.straight >= 5"}, {"straight", "$DICE.straight"},
		{"yahtzee", "$DICE.largest_set == $MANY"}, {"all the? same|equal", "$DICE.largest_set == $MANY"},
		{"N of a kind", "$DICE.largest_set >= $N"}, {"largest set", "$DICE.largest_set"}, {"largest_set", "$DICE.largest_set"},
		{"a? pair|double|doubles", "$DICE.largest_set >= 2"}, {"two pairs|pair", "$DICE.pairs >= 2"}, {"pairs", "$DICE.pairs"},
		{"sum|total", "$DICE.sum"}, {"middle|median", "$DICE.middle"}, {"the? RANK NUM?", "$DICE.$RANK($K)"},
		{"has|have|contains|shows|with? HOW? N FACE", "$DICE.count($FACE) $HOW $N"},
		{"has|have|contains|shows|any FACE", "$DICE.count($FACE) >= 1"}, {"with NUM END", "$DICE.count($NUM) >= 1"},
		{"no FACE", "$DICE.count($FACE) == 0"},
		{"count|number|hits|successes of? FACE", "$DICE.count($FACE)"},
	}
	// phrases may stand anywhere in a statement about dice.
	phrases = []phrase{
		{"ASKED in|on|of|with|from DICE", "$ASKED"}, {"sum|total of ASKED in|on|of|with|from DICE", "$ASKED"}, {"sum|total of DICE", "$DICE.sum"},
		{"HOW N hits|successes|dice of|on|at? FACE in|on|of|with DICE", "$DICE.count($FACE) $HOW $N"},
		{"max|maximum of DICE THEN", "$DICE.highest"}, {"min|minimum of DICE THEN", "$DICE.lowest"}, {"is? between N and NUM", "in $N..$NUM"},
		{"DICE is? even END", "mod($DICE, 2) == 0"}, {"DICE is? odd END", "mod($DICE, 2) == 1"},
		{"FEW DIE", "$FEW$DIE"}, {"half of? DICE THEN", "$DICE / 2 OR floor($DICE / 2)  rounds down"},
		{"a? FACE in|on|with DICE SUM?", "$SHOWS"},
		{"hits|successes|count DICE FACE", "$DICE.count($FACE)"},
		{"exploding|explode DICE", "$DICE.explode"}, {"N dice|die with|of NUM sides|faces", "${N}d$NUM"},
		{"DIE twice ,? and? take|keep the? higher|highest|better|best", "2$DIE.highest"}, {"DIE twice ,? and? take|keep the? lower|lowest|worse|worst", "2$DIE.lowest"},
		{"DICE crits|crit on FACE", "$SHOWS"}, {"DICE SIGN SMALL count|hits|successes", "$DICE.count($RANGE)"},
		{"DICE _! _p", "(sum d - floor((d - 1) / $SIZE) for d in throw ${MANY}d$SIZE.explode)"},
		{"DICE penetrating", "(sum d - floor((d - 1) / $SIZE) for d in throw ${MANY}d$SIZE.explode)"},
		{"DIE . RANK ( NUM , N )", "$NUM$DIE.$RANK($K)"}, {"DIE . RANK ( NUM )", "$NUM$DIE.$RANK"}, {"DIE . middle ( NUM )", "$NUM$DIE.middle"},
		{"DIE . pool ( N ) [ NUM : ]", "$N$DIE.drop_lowest($NUM)"}, {"DIE . pool ( N ) [ - NUM : ]", "$N$DIE.highest($NUM)"},
		{"DIE . pool ( N ) [ : NUM ]", "$N$DIE.lowest($NUM)"}, {"DIE . pool ( N ) [ : - NUM ]", "$N$DIE.drop_highest($NUM)"},
		{"DIE . pool ( NUM )", "$NUM$DIE"}, {"NUM @ DIE", "$NUM$DIE"}, {"NUM @ ( DIE FACE )", "$NUM$DIE.count($FACE)"},
		{". largest_count", ".largest_set"}, {". largest_straight", ".straight"}, {", depth|max_depth = NUM", ", $NUM"}, {". mean|average|mode ( )", " "},
		{"highest|max ( SOME )", "max($SOME)"}, {"lowest|min ( SOME )", "min($SOME)"}, {"pool ( [ SOME ] )", "($POOL)"},
		{"DICE _ms _<|<= _NUM", "$NUM - $DICE"}, {"DICE _ms _>|>=? _NUM", "$DICE - $NUM"},
		{"DICE _mi|min _NUM", "(sum max(d, $NUM) for d in throw $DICE)"}, {"DICE _ma|max _NUM", "(sum min(d, $NUM) for d in throw $DICE)"},
		{"_[ LABEL ]", " "}, {"wild DIE", "max($DIE.explode, d6.explode)"}, {"DIE with|and? a? wild die?", "max($DIE.explode, d6.explode)"},
		{"DICE SIGN NUM limit|cap|max N", "min($DICE.count($RANGE), $N)"},
		{"DICE _SIGN SMALL _f NUM", "let dice = throw $DICE; dice.count($RANGE) - dice.count($NUM)"},
		{"DICE _> SMALL END", "$DICE.count($RANGE) OR $DICE.count($SMALL..)  counts those that show $SMALL, too"},
		{"DICE _SIGN SMALL END", "$DICE.count($RANGE)"},
		{"DICE SIGN SMALL END", "$DICE.sum $SIGN $SMALL OR $DICE.count($RANGE)  counts dice"},
		{"DICE ASKED", "$ASKED"},
		{"DICE MORE", "$SHOWS"},
		{"DICE", "$DICE"},
		{"advantage|adv on? DIE", "2$DIE.highest"}, {"disadvantage|disadv on? DIE", "2$DIE.lowest"},
		{"advantage|adv THEN", "2d20.highest"}, {"disadvantage|disadv|dis THEN", "2d20.lowest"},
		{"{ LIST } _k|kh _NUM?", "max($LIST)"}, {"{ LIST } _kl _NUM?", "min($LIST)"},
		{"HOW NEXT", "$HOW"}, {"= NEXT", "=="},
		{"vs|v|versus|against|dc|ac|hits|beats .? dc|ac|tn? NUM", ">= $NUM"}, {"vs|v|versus|against .? NEXT", ">"},
		{"MORE END", "$FITS"},
	}
	// favours change a die that stands alone before them, favours100 one with 100 faces.
	favours = []phrase{
		{"with|at? advantage|adv", "2$DIE.highest"}, {"with|at? disadvantage|disadv|dis", "2$DIE.lowest"},
	}
	favours100 = []phrase{
		{"with? a|one|1? bonus die", "2d10.lowest * 10 - 10 + d10"}, {"with? a|one|1? penalty die", "2d10.highest * 10 - 10 + d10"},
		{"with? two|2 bonus dice", "3d10.lowest * 10 - 10 + d10"}, {"with? two|2 penalty dice", "3d10.highest * 10 - 10 + d10"},
	}
	// wholes are statements of their own.
	wholes = []phrase{
		{"FEW DIE END", "$FEW$DIE"},
		{"N x|#|times? DICE END", "[$THROWN for i in 1..$N].sorted"}, {"DICE x NUM END", "[$THROWN for i in 1..$NUM].sorted OR $DICE * $NUM  multiplies"},
		{"DICE N times END", "[$THROWN for i in 1..$N].sorted"},
	}
)

// How lines begin that throw, or that ask for odds without the word.
const (
	throwing = "/|! roll|r|gmroll|gmr|rr"
	asking   = "what|what's|whats|how? is|are|likely? the|is? standard|std? average|mean|expected|expectation|deviation|dev|variance|stddev|probability|prob|chance|chances value? of|for|to|that? get|roll|rolling|getting?"
)

var (
	numbers = []phrase{{"a|an|any|one|ones", "1"}, {"two|twos", "2"}, {"three|threes", "3"}, {"four|fours", "4"}, {"five|fives", "5"},
		{"six|sixes", "6"}, {"seven", "7"}, {"eight", "8"}, {"nine", "9"}, {"ten|tens", "10"}, {"twenty|twenties", "20"}}
	times = []phrase{{"once", "1"}, {"twice", "2"}, {"at? most? N times", "$N"}}
	signs = []phrase{{"is? at least", ">="}, {"is? at most", "<="}, {"is? exactly|equals", "=="},
		{"is? more|greater|higher than", ">"}, {"over|above|beats", ">"}, {"is? less|fewer|lower than", "<"}, {"under|below", "<"}}
	ranks  = []phrase{{"highest|best|top", "highest"}, {"lowest|worst|bottom", "lowest"}}
	places = []phrase{{"second", "2"}, {"2 _nd", "2"}, {"third", "3"}, {"3 _rd", "3"}}
	faces  = []phrase{{"SIGN N", "$RANGE"}, {"N _+", "$N.."}, {"N or more|better|higher|above|greater", "$N.."}, {"N or less|lower|fewer|below|under", "..$N"},
		{"N .. NUM", "$N..$NUM"}, {"N _- _NUM", "$N..$NUM"}, {"N _s|'s? ,|or|and NUM _s|'s?", "[$N, $NUM]"}, {"N _s|'s?", "$N"}}
	pools = []phrase{{"NUM @ DIE", "$NUM$DIE"}, {"DICE", "$DICE"}}
	on    = []phrase{{"SIGN _NUM", "$RANGE"}, {"NUM", "$NUM"}}
)

// asker reads a line of a question about dice.
type asker struct {
	in []piece
	at int

	head   string // what asks at its beginning: odds, report
	chance bool   // it asks for odds in words
	words  bool   // the statement is about dice: plain words are read
	dice   string // the dice that were read last
	shared string // what is thrown ahead of all, as dice
	or     string // what else it may mean, with its words

	out    []string // what has been read of the statement
	single int      // which of it is a die alone, -1 where none is
}

// readers read what stands for the capitals of a phrase, and give nothing where something else is there.
var readers map[string]func(*asker) string

func init() {
	one := func(rows []phrase) func(*asker) string { return func(a *asker) string { return a.read(rows) } }
	holds := func(when func(a *asker) bool) func(*asker) string {
		return func(a *asker) string {
			if when(a) {
				return " "
			}
			return ""
		}
	}
	readers = map[string]func(*asker) string{
		"NUM": (*asker).digits, "SMALL": (*asker).small, "N": func(a *asker) string { return cmp.Or(a.digits(), a.read(numbers)) },
		"FEW": one(numbers[1:]), "FACE": one(faces), "ON": one(on), "TIMES": one(times), "HOW": one(signs), "RANK": one(ranks), "PLACE": one(places), "ASKED": one(asked),
		"SIGN": func(a *asker) string { return a.one(">=", ">", "<=", "<", "=") },
		"MORE": (*asker).more, "DIE": (*asker).die, "SOME": (*asker).some, "LABEL": (*asker).label, "DICE": (*asker).pool, "SUM": (*asker).sum, "LIST": (*asker).list,
		"END": holds((*asker).ends), "THEN": holds(func(a *asker) bool { return a.done() || a.peek().kind == aSign }),
		"NEXT": holds(func(a *asker) bool { k := a.peek(); return k.kind == aNumber || k.kind == aDice || k.text == "(" }),
	}
}

// read gives what the first of some phrases that stands here is in our words.
func (a *asker) read(rows []phrase) string {
	from := *a
	for _, row := range rows {
		if got := (values{}); (a.words || !unicode.IsLower(rune(row[0][0]))) && a.fits(row[0], got) {
			ours, other, _ := strings.Cut(row[1], " OR ")
			if other != "" {
				a.or = "   " + got.in(other)
			}
			ours = got.in(ours)
			if rest, shares := strings.CutPrefix(ours, "let dice = throw "); shares && !strings.Contains(rest, "$") {
				a.shared, ours, _ = strings.Cut(rest, "; ")
			}
			return ours
		}
		*a = from
	}
	return ""
}

// fits goes past the fields of a phrase, and notes what stands for capitals.
func (a *asker) fits(said string, got values) bool {
	for field := range strings.FieldsSeq(said) {
		field, maybe := strings.CutSuffix(field, "?")
		field, glued := strings.CutPrefix(field, "_")
		from := *a
		if glued && a.peek().blank != "" || !a.field(field, got) {
			if *a = from; !maybe {
				return false
			}
		}
	}
	return true
}

func (a *asker) field(field string, got values) bool {
	if read := readers[field]; read != nil {
		got[field] = read(a)
		return got[field] != ""
	}
	more := field == "+" && a.at+1 < len(a.in) && a.in[a.at+1].blank == "" && a.in[a.at+1].kind != aSign
	return !more && a.one(strings.Split(field, "|")...) != ""
}

// values are what stands for the capitals of a phrase.
type values map[string]string

// in puts values into a phrase in our words. What is worked out from dice stays where there are none yet.
func (v values) in(ours string) string {
	_, known := v["DICE"]
	ours = placeholder().ReplaceAllStringFunc(ours, func(name string) string {
		name = strings.Trim(name, "${}")
		switch make := derived[name]; {
		case v[name] != "" && name != "ASKED":
			return v[name]
		case make != nil && known:
			return make(v, diceOf(v["DICE"]))
		case make != nil || name == "DICE" && !known:
			return "$" + name
		case name == "K" && cmp.Or(v["N"], v["NUM"]) != "1":
			return cmp.Or(v["N"], v["NUM"])
		case name == "RANGE":
			return anydice.FaceRange(cmp.Or(v["SIGN"], ">"), cmp.Or(v["SMALL"], v["NUM"], v["N"]))
		case name == "POOL":
			return strings.ReplaceAll(v["SOME"], ", ", " + ")
		case name == "HOW":
			return cmp.Or(v[name], ">=")
		case name == "FITS":
			return strings.TrimSpace(compared("", v["MORE"]))
		case name == "ASKED" && known:
			return v.in(v[name])
		}
		return v[name]
	})
	return strings.ReplaceAll(ours, "()", "")
}

// derived is what is worked out from dice.
var derived = map[string]func(v values, d someDice) string{
	"DIE":   func(_ values, d someDice) string { return strings.TrimPrefix(d.text, "1") },
	"MANY":  func(_ values, d someDice) string { return strconv.Itoa(d.many) },
	"SIZE":  func(_ values, d someDice) string { return strconv.Itoa(d.size) },
	"BELOW": func(_ values, d someDice) string { return strconv.Itoa(d.size - 1) },
	"SHOWS": func(v values, d someDice) string { return d.showing(cmp.Or(v["FACE"], v["MORE"]), v["SUM"]) },
	"THROWN": func(_ values, d someDice) string {
		dice, reads, some := strings.Cut(d.text, ".")
		if some {
			reads = "." + reads
		}
		return "(throw " + dice + ")" + reads + ".sum"
	},
}

// someDice are dice as they are written; their size is 0 where something is read of them.
type someDice struct {
	text       string
	many, size int
}

func diceOf(text string) someDice {
	many, size, _ := strings.Cut(strings.Replace(text, "%", "100", 1), "d")
	d := someDice{text: text, many: 1}
	d.size, _ = strconv.Atoi(size)
	if n, err := strconv.Atoi(many); err == nil {
		d.many = n
	}
	return d
}

// few says whether a number may be on one of several dice.
func (d someDice) few(n string) bool {
	k, err := strconv.Atoi(n)
	return err == nil && d.many > 1 && k <= d.size
}

// showing asks whether dice show faces: so many of several dice as can show them, else their sum.
func (d someDice) showing(faces, bonus string) string {
	switch {
	case bonus != "" || !d.few(strings.Trim(faces, ".")):
		return compared(d.text+bonus, faces)
	case strings.Contains(faces, ".."):
		return d.text + ".count(" + faces + ")"
	}
	return d.text + ".count(" + faces + ") >= 1"
}

// compared gives a value that is compared with faces.
func compared(value, faces string) string {
	lo, hi, several := strings.Cut(faces, "..")
	switch {
	case faces[0] == '[' || lo != "" && hi != "":
		return value + " in " + faces
	case !several:
		return value + " == " + faces
	case hi == "":
		return value + " >= " + lo
	}
	return value + " <= " + hi
}

// ask reads a line, and gives it in our words.
func ask(line string) (ours string, a *asker) {
	a = &asker{in: pieces(line)}
	if strings.Contains(line, `"`) || !slices.ContainsFunc(a.in, func(x piece) bool {
		return x.kind == aDice || slices.Contains([]string{"advantage", "adv", "disadvantage", "disadv", "dis", "sides"}, x.text)
	}) {
		return line, a
	}
	if a.one("odds", "why", "report", "print") != "" && !a.done() {
		a.head = a.in[0].text + a.peek().blank
	} else {
		a.at = 0
	}
	if out, ok := anydice.Line(line[len(a.head):]); ok {
		return a.head + out, a
	}
	a.opening()
	for {
		ours += a.statement()
		if a.one(";") == "" {
			break
		}
		ours += ";"
	}
	ours = strings.TrimSpace(ours)
	if a.shared != "" {
		ours = "let dice = throw " + a.shared + "; " + ours
	}
	return a.head + sharing(ours), a
}

// opening reads how a line begins that throws or asks for odds, and how such a line ends.
func (a *asker) opening() {
	start := *a
	if !a.fits(throwing, values{}) {
		*a = start
	}
	inner := func(x piece) bool { return x.text == "[" || x.text == "]" }
	if last := len(a.in) - 2; last > a.at+1 && !slices.ContainsFunc(a.in[a.at+2:last], inner) && a.in[last].text+a.in[last+1].text == "]]" && a.in[a.at].text+a.in[a.at+1].text == "[[" {
		a.in, a.at = a.in[:last], a.at+2
	}
	if a.one("compare") != "" {
		a.compare()
		return
	}
	start = *a
	last := len(a.in) - 1
	asks := a.fits(asking, values{})
	if !asks {
		a.at = start.at
		asks = a.one("p") != "" && a.peek().text == "("
	}
	if a.in[last].text == "?" && last > a.at {
		a.in, last, asks = a.in[:last], last-1, true
		start.in = a.in
	}
	if asks && a.peek().text == "(" && a.in[last].text == ")" {
		a.in, a.at = a.in[:last], a.at+1
	} else if !asks && a.at == start.at && slices.Contains(tables, a.in[last].text) {
		a.in, asks = a.in[:last], true
	}
	if a.chance = asks && a.aboutDice(); !a.chance {
		*a = start
		return
	}
	for i, x := range a.in[1:] {
		if x.blank == "" && (strings.ContainsAny(x.text, "<>") || strings.ContainsAny(a.in[i].text, "<>")) {
			a.in[i+1].blank = " " // no bot
		}
	}
}

// tables are words behind a question that ask for its odds.
var tables = []string{"table", "odds", "chances", "distribution", "probabilities", "stats"}

// compare parts what stands side by side to be compared.
func (a *asker) compare() {
	a.chance = true
	parted := slices.Clone(a.in[:a.at+1])
	for _, x := range a.in[a.at+1:] {
		last := &parted[len(parted)-1]
		switch {
		case x.kind != aDice || x.blank == "":
		case slices.Contains([]string{",", "and", "with", "to", "vs", "or"}, last.text):
			*last = piece{text: ";"}
		case last.kind != aSign || last.text == ")":
			parted = append(parted, piece{text: ";"})
		}
		parted = append(parted, x)
	}
	a.in = parted
}

// aboutDice says whether a statement begins as those do that are about dice.
func (a *asker) aboutDice() bool {
	b := *a
	b.words = true
	for b.one("(", "[", "{", "-") != "" {
	}
	return b.peek().kind != aWord && b.peek().kind != aSign || b.one("max", "min", "abs", "sum") != "" || b.read(phrases) != "" ||
		b.one("if") != "" && slices.ContainsFunc(b.in[b.at:], func(x piece) bool { return x.text == "then" })
}

// statement reads up to a semicolon: phrase after phrase; what is none stays as it is.
func (a *asker) statement() string {
	a.out, a.single, a.words = nil, -1, a.aboutDice()
	blank := a.peek().blank
	if ours := a.read(wholes); ours != "" {
		return blank + ours
	}
	a.rest(";")
	ours := strings.Join(a.out, "")
	if a.words && strings.HasPrefix(strings.TrimSpace(ours), "if ") && strings.Contains(ours, " then ") && !strings.Contains(ours, " else ") {
		ours += " else 0"
	}
	return ours
}

// rest reads up to a sign.
func (a *asker) rest(end string) {
	for !a.done() && a.peek().text != end {
		next, ours := a.peek(), ""
		switch {
		case a.at > 0 && a.in[a.at-1].text == ".":
		case !a.words:
			ours = a.pool()
		case a.favoured(), a.choice():
			continue
		default:
			ours = a.read(phrases)
		}
		if ours == "" {
			ours = next.text
			a.at++
		}
		if d := diceOf(ours); next.kind == aDice && a.single < 0 && d.many == 1 && d.size > 0 {
			a.single = len(a.out)
		}
		a.out = append(a.out, next.blank+strings.TrimSpace(ours))
	}
}

// favoured reads what changes a die that stood alone before it: d20+5 with advantage.
func (a *asker) favoured() bool {
	if a.single < 0 {
		return false
	}
	die := strings.TrimSpace(a.out[a.single])
	rows := favours
	if diceOf(die).size == 100 {
		rows = slices.Concat(favours, favours100)
	}
	ours := values{"DICE": die}.in(a.read(rows))
	if ours != "" {
		a.out[a.single], a.single = strings.Replace(a.out[a.single], die, ours, 1), -1
	}
	return ours != ""
}

// choice reads C ? A : B, whose condition has been read.
func (a *asker) choice() bool {
	chosen := len(a.out) > 0 && strings.HasPrefix(a.out[0], " if ")
	switch blank := a.peek().blank; {
	case a.one("?") != "":
		a.single = -1
		a.out = []string{" if " + strings.TrimSpace(strings.Join(a.out, "")) + blank + "then"}
	case chosen && a.one(":") != "":
		a.out = append(a.out, blank+"else")
	default:
		return false
	}
	return true
}

// pool reads dice, what they do and what is read of them: 4d6r1kh3, 4d6 drop lowest.
func (a *asker) pool() string {
	if a.peek().kind != aDice {
		return ""
	}
	dice := a.peek().text
	a.at++
	if at := strings.IndexAny(dice, "fF"); a.words && at >= 0 && !strings.Contains(dice, "{") {
		dice = dice[:at] + map[bool]string{true: "{-1, 0, 0, 0, 0, 1}", false: "F"}[strings.HasSuffix(dice, ".1")]
	}
	behind, do, read := a.at, "", ""
	for {
		more := a.read(does)
		if more == "" {
			if more = a.read(reads); more == "" {
				break
			}
			read += more
			continue
		}
		do += more
	}
	if next := a.peek(); a.at > behind && next.blank == "" && (next.kind == aWord || next.kind == aNumber) {
		a.at, do, read = behind, "", ""
	}
	a.dice = values{"DICE": dice}.in(dice + do + read)
	return a.dice
}

// small reads a number that may be on one of the dice before it, and sum what is added to dice.
func (a *asker) small() string {
	if n := a.digits(); diceOf(a.dice).few(n) {
		return n
	}
	return ""
}

// die reads one die, some several pools with commas between them, label the words that a bot shows beside a part.
func (a *asker) die() string {
	if dice := a.pool(); diceOf(dice).many == 1 && (diceOf(dice).size > 0 || strings.HasPrefix(dice, "d{") && strings.HasSuffix(dice, "}")) {
		return strings.TrimPrefix(dice, "1")
	}
	return ""
}

func (a *asker) some() string {
	var all []string
	for len(all) == 0 || a.one(",") != "" {
		dice := a.read(pools)
		if dice == "" {
			return ""
		}
		all = append(all, dice)
	}
	if len(all) < 2 {
		return ""
	}
	return strings.Join(all, ", ")
}

func (a *asker) label() (text string) {
	if a.at < 2 || a.in[a.at-2].kind != aNumber && a.in[a.at-2].kind != aDice {
		return ""
	}
	for ; a.peek().kind == aWord; a.at++ {
		text += a.peek().text
	}
	return text
}

func (a *asker) sum() (text string) {
	for sign := a.one("+", "-"); sign != ""; sign = a.one("+", "-") {
		text += sign + a.digits()
	}
	return text
}

// more reads faces of which there are several: 15+.
func (a *asker) more() string {
	if a.peek().kind == aSign || a.at == 0 || a.in[a.at-1].kind == aSign {
		return ""
	}
	if faces := a.read(faces); strings.HasSuffix(faces, "..") || strings.HasPrefix(faces, "..") {
		return faces
	}
	return ""
}

// list reads values with commas between them, and no list among them.
func (a *asker) list() string {
	if end := slices.IndexFunc(a.in[a.at:], func(x piece) bool { return x.text == "{" || x.text == "}" }); end < 0 || a.in[a.at+end].text == "{" {
		return ""
	}
	out, single := a.out, a.single
	a.out, a.single = nil, -1
	a.rest("}")
	inside := strings.Join(a.out, "")
	a.out, a.single = out, single
	if !strings.Contains(inside, ",") {
		return ""
	}
	return inside
}

func (a *asker) done() bool { return a.at >= len(a.in) }

func (a *asker) peek() piece {
	if a.done() {
		return piece{}
	}
	return a.in[a.at]
}

// one goes past a word or sign that is one of several, and gives it in small letters.
func (a *asker) one(of ...string) string {
	text := strings.ToLower(a.peek().text)
	if text == "" || !slices.Contains(of, text) {
		return ""
	}
	a.at++
	return text
}

// digits goes past a number.
func (a *asker) digits() string {
	if a.peek().kind != aNumber {
		return ""
	}
	a.at++
	return a.in[a.at-1].text
}

// ends says whether a value can end here.
func (a *asker) ends() bool {
	return a.done() || slices.Contains([]string{";", ",", ")", "]", "}", "?", ":", "and", "or", "then", "else", "given"}, a.peek().text)
}

// piece is a word, a number, dice or a sign of a line, with the blanks before it.
type piece struct {
	blank, text string
	kind        pieceKind
}

type pieceKind byte

const (
	aSign pieceKind = iota
	aWord
	aNumber
	aDice
)

var (
	placeholder  = late.Regexp(`\$\{?\w+\}?`)
	wholeDice    = late.Regexp(`^\d*d(?:\d+|%|[fF](?:\.[12])?\b|\{[^{}]*\})`)
	constructors = late.Regexp(`^(?:d\((\d+)\)|z\((\d+)\)|coin\((\d+), *(\d+)\)|Die\((?:\[([-\d, ]+)\]|\{([-\d:, ]+)\})\))`)
	somePiece    = late.Regexp(`^(?:[\pL_'’]+|\d+|[<>=!]=|\.\.|\S)`)
)

// pieces takes a line apart. Dice do not begin within a word: 4d6d1 is dice, a word and a number.
func pieces(line string) (all []piece) {
	before := piece{}
	for {
		rest := strings.TrimLeftFunc(line, unicode.IsSpace)
		if rest == "" {
			return all
		}
		next := piece{blank: line[:len(line)-len(rest)], kind: aDice}
		if next.blank != "" || before.kind == aSign && before.text != "." || before.text == "x" {
			next.text = wholeDice().FindString(rest)
		}
		long := len(next.text)
		if next.text == "" {
			next.text, long = constructed(rest)
		}
		if next.text == "" {
			next.text, next.kind = somePiece().FindString(rest), aSign
			long = len(next.text)
			switch r, _ := utf8.DecodeRuneInString(rest); {
			case r == '_' || unicode.IsLetter(r):
				next.kind = aWord
			case '0' <= r && r <= '9':
				next.kind = aNumber
			}
		}
		all, line, before = append(all, next), rest[long:], next
	}
}

// constructed gives the die that a text begins with as icepool makes it, in our words, and how long that is there.
func constructed(text string) (die string, long int) {
	m := constructors().FindStringSubmatch(text)
	if m == nil {
		return "", 0
	}
	number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
	var faces []string
	switch {
	case m[1] != "":
		return "d" + m[1], len(m[0])
	case m[2] != "" && number(2) <= 100:
		for i := range number(2) {
			faces = append(faces, strconv.Itoa(i))
		}
	case m[3] != "" && 0 < number(3) && number(3) < number(4):
		faces = []string{"1: " + m[3], "0: " + strconv.Itoa(number(4)-number(3))}
	default:
		faces = []string{m[5] + m[6]}
	}
	return "d{" + strings.Join(faces, ", ") + "}", len(m[0])
}

var (
	sharedDice = late.Regexp(`\b(\d*d(?:\d+|%)(?:\.(?:explode|reroll)\b(?:\([^()]*\))?)*)((?:\.\w+(?:\([^()]*\))?)*)`)
	readNumber = late.Regexp(`\.(?:count|pairs|largest_set|straight|sum|exceeding|size)(?:\([^()]*\))?$`)
)

// sharing gives a line in our words. Dice of which both its condition and a value speak are thrown once.
func sharing(line string) string {
	values, condition, asks := strings.Cut(line, " given ")
	if !asks || strings.Contains(line, "throw") {
		return line
	}
	shared := sharedDice().FindStringSubmatch(condition)
	speak := func(m []string) bool { return m[1] == shared[1] }
	condition, others, _ := strings.Cut(condition, ";")
	if of := sharedDice().FindAllStringSubmatch(condition, -1); len(of) == 0 || len(slices.DeleteFunc(of, speak)) > 0 ||
		!slices.ContainsFunc(sharedDice().FindAllStringSubmatch(values+";"+others, -1), speak) {
		return line
	}
	return "let dice = throw " + shared[1] + "; " + sharedDice().ReplaceAllStringFunc(line, func(typed string) string {
		m := sharedDice().FindStringSubmatch(typed)
		if !speak(m) {
			return typed
		}
		if !readNumber().MatchString(m[2]) {
			m[2] += ".sum"
		}
		return "dice" + m[2]
	})
}
