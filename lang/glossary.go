package lang

import "slices"

// Entry explains a word, a sign or a kind of value of the language: what help
// shows, and what the parser calls "expected" when a statement is malformed.
// Every word of the language has at least one entry, and a test sees to it.
type Entry struct {
	Name    string // as one types it
	Kind    string // "declaration", "statement", "expression", "operator", "value", "type" or "word", a part of one of these
	Form    string // how it is written; capitals stand for what one fills in
	Doc     string
	Example string
}

// Glossary lists the entries, those of one kind together.
func Glossary() []Entry {
	list := slices.Clone(glossary)
	for i := range list {
		list[i].form()
	}
	return list
}

// form fills in how a declaration or statement is written, which words.go says.
func (e *Entry) form() {
	if e.Form == "" {
		e.Form = forms[e.Name]
	}
}

// Lookup gives the entries of a word, in the order of the glossary.
func Lookup(word string) []Entry {
	var found []Entry
	for _, e := range glossary {
		if e.Name == word {
			e.form()
			found = append(found, e)
		}
	}
	return found
}

var glossary = []Entry{
	// What heads a file and takes rules into use.
	{"use", "declaration", "", "Selects a rule system, with the variants and options that your group plays with. A number after the name is the lowest version that will do.", "use tiny with harsh, edge = high"},
	{"cast", "declaration", "", "Reads sheets from a file of data in the same folder: YAML, JSON, or the tables of a page of Markdown. What setpiece sheet export writes can be read.", `cast from "party.yaml"`},
	{"include", "declaration", "", "Reads another file of the same folder, as if its lines were here.", `include "house.rules"`},
	{"system", "declaration", "", "Begins the file of a rule system. Scripts select the folder or file by its name, with use. What others need to know follows: its version, who it is by, the licence, and which setpiece it needs.", `system tiny "Tiny rules" version 1.2 by "Ada" licence "CC-BY-4.0" needs setpiece 0.1`},
	{"variant", "declaration", "", "Begins a file that changes a rule system, its base. Everything that the file does not name stays as in the base.", `variant harsh of tiny "wounds stay"`},
	{"spans", "declaration", "", "Names the spans of time in the rules, longest first. A field \"per scene\" is reset when a scene ends.", "spans episode > scene > round > turn"},
	{"standin", "declaration", "", "Says who acts when a command names nobody.", "standin hero Hero"},

	// What rules are made of.
	{"option", "declaration", "", "Declares an open question of a rule book and its possible values, the usual one first. A script or variant chooses with option NAME = VALUE.", `option edge = low | high "who wins a tie?"`},
	{"words", "declaration", "", "Declares words that are values, and after each how people read it, in an outcome and in texts. A field or operand whose type is NAME takes one of them.", `words result { strong "both dice are beaten"; weak; miss }`},
	{"remove", "declaration", "", "Removes something of the base: a rule, verb, option, feature, check, clause (of a verb or set of clauses) or handler (of a hook, or of one feature).", "remove clause careful of aim"},
	{"recorded", "declaration", "", "Marks a rule for the people at the table: setpiece prints it and computes nothing.", `recorded @talk.style "Say how it looks."`},
	{"table", "declaration", "", "Declares a table: the first row that fits gives the value.", `table damage(n) { 1..3 => 1; 4.. => 2; else => 0 }`},
	{"sheet", "declaration", "", "Declares what a kind of character or thing has. A field is NAME TYPE [many] [= DEFAULT] [per SPAN] [as WORD] [\"doc\"].", `sheet hero is character { luck number 0..3 = 3 per scene "luck" }`},
	{"rule", "declaration", "", "Declares a rule: a function with a name. In a variant it replaces the rule of the base, which it reaches as base.NAME(…).", `rule limit(who) "wounds one can take" = who.size + 1`},
	{"verb", "declaration", "", "Declares a verb: what may follow it in a command, and what it does.", `verb shove (whom hero) "pushes somebody" { do { print whom.name } }`},
	{"clauses", "declaration", "", "Declares a set of clauses that several verbs share.", `clauses aim { clause careful "takes time" }`},
	{"clause", "declaration", clauseForm, "Declares a named part of a command.", `clauses aim { clause with "the weapon": with (weapon text) }`},
	{"feature", "declaration", "", "Declares a special rule that a sheet can have in brackets, or with \"every\" all sheets of a kind have.", `feature lucky on hero { on total(side) { side.total += 1 } }`},
	{"hook", "declaration", "", "Names a moment in the rules at which special rules can act. The rules announce it with signal.", `hook dice(side) "before the throw"`},
	{"decision", "declaration", "", "Says a decision in plain words: who is asked, which answers there are, and what holds if nobody answers. Help and the handbook show them; the rules that ask for the decision stay as they are. A word at the end says whether a quiet table asks: asks (always), offers (another answer spends or gains something) or usual (not; the default is taken).", `decision flee "Run?" by "whoever is hurt" default "no" offers`},
	{"on", "declaration", "", "Says what happens at a hook: in a feature for everybody who has the feature, outside for all.", "on ends(span) when span == scene { Table.clock = 0 }"},
	{"goal", "declaration", "", "Says what people want, such as to win. At a question, ? shows what each answer is worth for that; before a command, ? lists the commands that are worth most.", `goal win(who) "your side wins" after fight = last.winner == who.side`},
	{"check", "declaration", "", "Declares what must hold of a finished sheet, such as a budget of points.", `check budget of hero { if traits.size > 5 { fault "too many Traits" } }`},
	{"test", "declaration", "", "Declares a test. setpiece test FILE runs it; it fails if an expect does not hold.", `test "she gets in" { Nova: climb LADDER; expect last.outcome == success }`},
	{"tactics", "declaration", "", "Says what somebody does when a fight gives them a turn, and how they answer decisions (on DECISION: ANSWER).", "tactics Nova { when hurt: flee; otherwise: attack any foe with PUNCH }"},

	// Statements.
	{"let", "statement", "", "Makes a variable.", "let wind = 3"},
	{"if", "statement", "", "Does one thing or another.", `if Nova.luck == 0 { print "none left" } else { print "go on" }`},
	{"for", "statement", "", "Does something for each element of a list.", `for h in heroes where h.luck > 0 { print h.name }`},
	{"while", "statement", "", "Repeats as long as a condition holds.", "while clock > 0 { clock -= 1 }"},
	{"repeat", "statement", "", "Repeats a number of times.", "repeat 3 { roll }"},
	{"stop", "statement", "", "Leaves the loop that it is in.", "repeat 9 { if done { stop } }"},
	{"next", "statement", "", "Goes on with the next pass of the loop that it is in.", "for h in heroes { if h.out { next } }"},
	{"return", "statement", "", "Ends a rule and gives its value.", "return 3"},
	{"refuse", "statement", "", "Refuses the current command and undoes all that it did.", `refuse "{who.name} is out"`},
	{"fault", "statement", "", "Reports a mistake on a sheet, in a check.", `fault "too many points"`},
	{"warn", "statement", "", "Warns about something doubtful on a sheet, in a check.", `warn "2 points are left"`},
	{"note", "statement", "", "Adds a remark to the transcript.", `note "the door is open"`},
	{"brief", "statement", `brief "what happens, in a word"`, "Gives the short text that --brief prints for a check.", `brief "hits {x.name}"`},
	{"print", "statement", "", "Prints a value.", `print "round {n}"`},
	{"offer", "statement", "", "Asks somebody yes or no, and does what follows if the answer is yes. A clause or tactics may answer in advance.", `offer reroll to who "Roll again?" costs 1 luck { total = throw d12 }`},
	{"signal", "statement", "", "Announces a hook: the special rules of WHOM that have a handler for it act.", "signal dice(me) to me.sources"},
	{"show", "statement", "", "Puts what happens inside under one heading of the transcript.", `show check "attack" by who { print 1 }`},
	{"outcome", "statement", "", "Gives the outcome of a command, and values that belong to it. Scripts read them as last.NAME; report and odds use them, too.", "outcome success total me.total, margin 3"},
	{"stands", "statement", "", "Says how a check stands so far, so that a person who decides or throws dice can see it.", "stands success total me.total, margin 3"},
	{"begin", "statement", "", "Begins a span of time, such as a scene.", `begin scene as "The bridge"`},
	{"end", "statement", "", "Ends a span of time: what lasts that long is cleared or refilled.", "end scene"},
	{"run", "statement", "", "Runs the block that was given to the command.", "run block for who"},
	{"act", "statement", "", "Lets somebody act as their tactics say. asked leaves it to a person: without one nothing is done.", "act x"},
	{"expect", "statement", "", "Checks that a condition holds. If it does not, setpiece says so, the script goes on, and in the end it has failed. In a test, the condition may use odds(CONDITION).", "expect last.outcome == success"},
	{"report", "statement", "", "Names the values that you want to know: odds and sim count them, and run prints them at the end.", "report last.winner, Nova.luck"},
	{"=", "statement", "TARGET = VALUE [as LABEL] [note TEXT]", "Changes a variable or a field. With a label it is a part of a total.", "Nova.luck = 2"},
	{"+=", "statement", "TARGET += VALUE [as LABEL] [note TEXT]", "Adds to a variable or a field. With a label the part is shown in the transcript.", `me.total += 2 as "high ground"`},
	{"-=", "statement", "TARGET -= VALUE [as LABEL] [note TEXT]", "Takes away from a variable or a field.", "Nova.luck -= 1"},

	// Expressions.
	{"throw", "expression", "throw DICE [for LABEL] [named NAMES]", "Throws dice and gives the pool with its faces: (throw 3d6).sum, (throw d12).face. LABEL says what they are for, NAMES what each stands for.", "throw 2d6"},
	{"choose", "expression", "choose NAME by WHO from LIST [TEXT] [answer VALUE] [default VALUE]", "Asks somebody to choose from a list, and gives what was chosen.", `choose target by who from foes(who) "Whom?"`},
	{"new", "expression", "new SHEET(NAME: VALUE, …)", "Makes a record that is not a declared character or thing.", "new side(who: who, total: 0)"},
	{"if", "expression", "if CONDITION then A else B", "Gives one value or another.", "if n > 3 then 2 else 1"},
	{"any", "expression", "any x in LIST where CONDITION", "Is yes if the condition holds for at least one element.", "any x in heroes where x.luck > 0"},
	{"all", "expression", "all x in LIST where CONDITION", "Is yes if the condition holds for every element.", "all x in villains where x.defeated"},
	{"count", "expression", "count x in LIST where CONDITION", "Says for how many elements the condition holds.", "count x in villains where x.defeated"},
	{"first", "expression", "first x in LIST where CONDITION", "Gives the first element for which the condition holds, or none.", "first x in heroes where x.luck > 0"},
	{"sum", "expression", "sum VALUE for x in LIST [where CONDITION]", "Adds up a value over a list.", "sum x.luck for x in heroes"},
	{"highest", "expression", "highest x in LIST [where CONDITION] by VALUE", "Gives the element with the greatest value; of equals, the first.", "highest t in Nova.traits by t.rating"},
	{"lowest", "expression", "lowest x in LIST [where CONDITION] by VALUE", "Gives the element with the least value; of equals, the first.", "lowest x in heroes by x.luck"},
	{"for", "expression", "[VALUE for x in LIST where CONDITION]", "Makes a list from another list.", "[x.name for x in heroes where x.luck > 0]"},
	{"odds", "expression", "odds(CONDITION)", "The exact chance of a condition or outcome; only in an expect of a test, as in odds(success). At the prompt, odds before a command shows all its outcomes.", `test "fair" { roll; expect odds(success) in 55%..75% }`},
	{"checks", "expression", "checks(SHEET)", "Lists the checks that apply to a sheet, as rules to call.", "for c in checks(Nova) { c(Nova) }"},

	// Operators, from loose to tight.
	{"or", "operator", "A or B", "Is yes if A or B is yes.", "n < 3 or n > 9"},
	{"and", "operator", "A and B", "Is yes if both are yes.", "n > 3 and n < 9"},
	{"not", "operator", "not A", "Turns yes into no and no into yes.", "not x.defeated"},
	{"==", "operator", "A == B", "Is yes if both are equal.", "last.outcome == success"},
	{"!=", "operator", "A != B", "Is yes if they are not equal.", "n != 0"},
	{"<", "operator", "A < B", "Is yes if A is less than B.", "n < 3"},
	{"<=", "operator", "A <= B", "Is yes if A is at most B.", "n <= 3"},
	{">", "operator", "A > B", "Is yes if A is greater than B.", "n > 3"},
	{">=", "operator", "A >= B", "Is yes if A is at least B.", "n >= 3"},
	{"in", "operator", "A in B", "Is yes if A is an element of a list, a key of a map, or a number of a range.", "n in 3..5"},
	{"..", "operator", "A..B, A.. or ..B", "Makes a range that includes both ends; you may leave out one end.", "1..4"},
	{"+", "operator", "A + B", "Adds numbers, joins lists and pools. After a verb it joins Traits and dice: DEXTERITY + GUNS.", "1 + 2"},
	{"-", "operator", "A - B", "Subtracts. As an operand of a verb, -5 without a space after the sign is a number.", "5 - 2"},
	{"*", "operator", "A * B", "Multiplies.", "2 * 3"},
	{"/", "operator", "A / B", "Divides exactly: 1 / 3 is a third. floor, ceil and round give whole numbers.", "(7 / 2).floor"},
	{".", "operator", "X.NAME", "Gives a field or a Trait of X, or calls a rule or function with X.", "Nova.luck"},
	{"[]", "operator", "X[I]", "Gives an element of a list by its number from 1, or of a map by its key: Nova.stress[physical], Nova.complications[\"SORE_FOOT\"].", "[4, 5, 6][1]"},

	// Values and how they are written.
	{"yes", "value", "yes", "The truth value of a condition that holds.", "true == yes"},
	{"no", "value", "no", "The truth value of a condition that does not hold.", "expect Nova.defeated == no"},
	{"none", "value", "none", "No value: an empty field, an operand that was left out.", "Nova.bond == none"},
	{"last", "value", "last.NAME", "The last outcome and the values it came with: last.outcome, last.total. At the prompt, last alone or _ is the last value shown.", "last.outcome"},
	{"_", "value", "_", "At the prompt: the last value that was shown.", "_ + 1"},
	{"self", "value", "self", "The sheet itself: in defaults, special rules, checks and tactics.", "rule brave(self) = self.size > 2"},
	{"owner", "value", "owner", "In a special rule: the character or thing that has it.", "owner.name"},
	{"base", "value", "base.NAME(…)", "In a variant: the rule that this one replaces.", "rule limit(x) = base.limit(x) + 1"},
	{"who", "value", "who", "In a verb: who acts.", "print who.name"},
	{"d6", "value", "d6, 3d6, d%", "A die, dice, percentile dice. A thrown die has a face. At the prompt, a line with only dice throws them.", "2d6 + 1"},
	{"dF", "value", "dF, 4dF", "A Fudge die, which shows -1, 0 or 1. d{1, 2, 2, 3} is a die with faces of its own.", "4dF + 1"},
	{"%", "value", "55%", "A number in hundredths.", `test "fair" { roll; expect odds(success) in 55%..75% }`},
	{`"`, "value", `"text {VALUE}"`, `A text; {VALUE} puts a value into it, and \" \\ \n \t \{ are special characters. A text that names a character is that character.`, `print "{Nova.name} has {Nova.luck}"`},
	{"{:", "value", "{KEY: VALUE, …}", "A map. A bare word is its own key, as are a word in CAPS, a number, a name and a text. On a sheet it gives a field its first entries: stress {physical: d8}.", `let marks = {physical: d8, "sore head": d6}`},
	{"[", "value", "[A, B, …]", "A list. After a Trait, brackets hold its special rules: PUNCH 4 [area].", "[1, 2, 3].sum"},
	{"#", "value", "# …", "A comment, to the end of the line.", "# the bridge is out"},
	{"@", "value", `@id "doc"`, "Gives the statement after it an id, for :explain and the transcript.", `@climb.wet "Wet walls are harder." if wet { total -= 2 }`},
	{":", "value", "WHO: VERB …", "Says who acts. At the prompt, a line that begins with a colon is a command of the prompt itself: :help.", "Nova: attack Fang with PUNCH"},
	{";", "value", "A; B", "Ends a statement, as the end of the line does.", "let a = 1; let b = 2"},

	// Kinds of fields and operands.
	{"number", "type", "number [A..B]", "A field or operand that is a number, perhaps in a range.", "sheet hero { luck number 0..3 = 3 }"},
	{"whole", "type", "whole [A..B]", "A field or operand that is a whole number, perhaps in a range.", "sheet hero { luck whole 0..3 = 3 }"},
	{"text", "type", "text", "A field or operand that is a text.", `sheet hero { motto text = "" }`},
	{"truth", "type", "truth", "A field that is yes or no.", "sheet hero { hurt truth }"},
	{"die", "type", "die", "A field or operand that is a die.", "sheet hero { edge die = d6 }"},
	{"dice", "type", "dice", "A field or operand that is a pool of dice.", "sheet hero { pool dice }"},
	{"list", "type", "list", "A field or operand that is a list.", "sheet hero { seen list }"},
	{"map", "type", "map", "A field that gives values for keys.", "sheet hero { stress map }"},
	{"until", "type", "until", "A field that holds a span and is cleared when that span ends.", "sheet hero { off until }"},
	{"one", "type", "one of (A, B, …)", "A field or operand that is one of these words.", "sheet hero { size one of (small, large) = small }"},
	{"any", "type", "any", "A field or operand of any kind.", "sheet hero { purse any = self }"},
	{"symbol", "type", "symbol", "A field or operand that is a word.", "sheet hero { mood symbol }"},
	{"word", "type", "word", "An operand that is a word.", "clauses talk { clause mood: mood (mood word) }"},
	{"condition", "type", "condition [of WHO]", "An operand that is a condition; the rules evaluate it later.", "clauses luck { clause again: again [if (wish condition of side)] }"},
	{"terms", "type", "terms [of WHO]", "An operand of Traits, dice and numbers joined with +.", "verb roll (pool terms) { do { print pool.size } }"},
	{"features", "type", "features", "A field or operand that holds special rules, in brackets.", "hero Nova { PUNCH 4 [area] }"},
	{"trait_list", "type", "trait_list", "A field that holds a list of Traits.", "sheet hero { kit trait_list }"},

	// Parts of declarations and statements.
	{"with", "word", "use SYSTEM with VARIANT, OPTION = VALUE", "Adds variants and options to a rule system.", "use tiny with harsh"},
	{"is", "word", "sheet NAME is BASE", "Makes a sheet that has all its base has.", "sheet henchman is villain { }"},
	{"out", "word", "sheet NAME … out when CONDITION", "Says when somebody is out of the fight.", "sheet hero out when hurt { hurt truth }"},
	{"players", "word", "sheet NAME … of players", "Says that players write these sheets: tune proposes no change of them unless you ask with --players.", "sheet hero of players { }"},
	{"actor", "word", "verb NAME … without actor", "Says that nobody acts in commands of this verb, such as those of a Game Master: a name before the command is refused.", `verb bless (whom hero many) without actor { do { for x in whom { x.luck += 1 } } }`},
	{"turns", "word", "verb NAME … between turns", "Says that a command of this verb, given at a question in the middle of somebody's command, waits until that is over.", `verb dawn "The night is over." without actor between turns { do { print "over" } }`},
	{"many", "word", "NAME TYPE many", "Makes a field or operand a list of such values.", "sheet hero { traits trait many as CAPS }"},
	{"summary", "word", "summary NAME [VALUE], … [when CONDITION]", "In a sheet: the values to show in the line that says how everybody stands.", "sheet hero { luck number; summary luck when luck > 0 }"},
	{"reserves", "word", "reserves NAME [VALUE], … [when CONDITION]", "In a sheet: what can be used up. setpiece report prints how much of it is left at the end.", "sheet hero { luck number; life number; damage number; reserves life (life - damage), luck }"},
	{"at_hand", "word", "at_hand NAME [VALUE], … [when CONDITION]", "In a sheet: what somebody decides with in a turn. People see it after the summary.", "sheet hero { pool dice; luck number; summary luck; at_hand dice pool }"},
	{"after", "word", "goal NAME(WHO) after VERB, … = VALUE", "Says after which verbs a goal counts.", `goal win(who) after fight = last.winner == who.side`},
	{"per", "word", "NAME TYPE per SPAN", "Resets a field to its default when such a span of time ends.", "sheet hero { luck number = 3 per scene }"},
	{"always", "word", `check NAME of SHEET ["doc"] always { … }`, "Has setpiece check and setpiece play do a check of their own accord: each fault that it finds is a warning at the sheet.", `check budget of hero always { if traits.size > 5 { fault "too many Traits" } }`},
	{"needed", "word", "NAME TYPE needed by VERB, …", "Says which verbs go by a field. check warns of a sheet that leaves it out in a script that uses one of them.", "sheet hero { life number needed by fight }"},
	{"as", "word", "NAME TYPE as WORD; … += N as LABEL; begin SPAN as TITLE", "Gives a field the word that sets it in a sheet (CAPS: Traits; hidden: setpiece does not show its changes; open, secret: who may see it), a part of a total its label, a span its title.", `me.total += 1 as "high ground"`},
	{"secret", "word", "NAME TYPE as secret [until CONDITION]; verb NAME … as secret; begin SPAN as TITLE secret when CONDITION", "Keeps from the pages of players a field, perhaps until something holds; what a verb does; or a title. as open shows them what they would not see.", `sheet foe { plan text as secret until unmasked; unmasked truth }`},
	{"of", "word", "variant NAME of BASE; one of (…); TYPE of WHO", "Says what something belongs to.", "variant harsh of tiny"},
	{"every", "word", "feature NAME on every SHEET", "Gives a special rule to all sheets of a kind.", "feature brave on every hero { }"},
	{"do", "word", "do { … }", "Begins the statements that a verb runs.", `verb wave { do { print "hello" } }`},
	{"uses", "word", "uses SET[(NAME: VALUE, …)] as NAME", "Adds a set of clauses to a verb; the rules read them from NAME. The values are for the conditions of its clauses.", "verb climb { uses effort as mine; do { print mine } }"},
	{"needs", "word", `needs CONDITION "text" [at NAME]`, "Says when the clause before it can count. If the condition does not hold, the command is refused with the text before anything is rolled. Before the first clause of a verb it is about the whole command.", `clauses aim { clause steady; clause long "takes two turns"; needs steady "long needs steady" }`},
	{"excludes", "word", `excludes CLAUSE, … ["text"]`, "Says which clauses cannot be given together with the clause before it.", `clauses aim { clause steady; clause hasty; excludes steady }`},
	{"block", "word", "block [until CONDITION]", "In a verb: the command may have a block in braces. run block runs it. With until it is left before the first command in it at which the condition holds.", "verb round { block; do { run block } }"},
	{"costs", "word", "costs N FIELD [of WHO]", "Says what an offer costs: setpiece asks only if there is enough, and subtracts it if the answer is yes. Of a choice it is what each answer but the default costs.", `offer reroll to who "Roll again?" costs 1 luck { total = throw d12 }`},
	{"answer", "word", "answer VALUE", "Answers an offer or choice in advance, unless the value is none.", `offer reroll to who "Roll again?" answer given.reroll { total = throw d12 }`},
	{"unasked", "word", "offer … unasked; choose … unasked", "Asks no person: a clause or tactics may still answer the offer or choice.", `offer lend to x "Lend a die?" default no unasked { total += (throw d6).face }`},
	{"notes", "word", "choose NAME by WHO from LIST notes LIST", "Says what each option is worth, a text for each, to people who are asked; \"\" says nothing.", `let n = choose duck by x from 0..2 notes ["{x.hurt} damage" for x in 0..2] default 0`},
	{"usual", "word", "offer … usual when CONDITION; choose … usual when CONDITION", "A quiet table is not asked while the condition holds: the default is taken as usual. :ask has it asked all the same.", `offer push to x "Push?" default no usual when total >= 8 { total += 2 }`},
	{"default", "word", "default VALUE; tactics default { … }", "The answer to an offer or choice if nobody answers; tactics default { … } are for everybody without tactics of their own.", `offer reroll to who "Roll again?" default no { total = throw d12 }`},
	{"when", "word", "when CONDITION", "The condition for an offer, for a handler of a hook, or for a line of tactics.", "tactics Nova { when luck > 1: attack any foe with PUNCH }"},
	{"otherwise", "word", "otherwise: COMMAND", "In tactics: what to do when no other entry fits.", "tactics Nova { otherwise: attack any foe with PUNCH }"},
	{"where", "word", "for x in LIST where CONDITION", "Keeps the elements of a list for which a condition holds.", "count x in heroes where x.luck > 0"},
	{"then", "word", "if CONDITION then A else B", "Separates a condition from its value.", "if n > 3 then 2 else 1"},
	{"else", "word", "if … { … } else { … }; if … then A else B; else => VALUE", "What to do, or which value to use, if the condition does not hold.", "if n > 3 { print n } else { print 3 }"},
	{"by", "word", "highest x in LIST by VALUE; choose NAME by WHO; show … by WHO", "Says by which value, or by whom.", "highest x in heroes by x.size"},
	{"from", "word", "choose NAME by WHO from LIST", "Gives the list to choose from.", "choose target by who from villains"},
	{"named", "word", "throw DICE named NAMES", "Says what each die of a throw stands for, for whoever reads the output: a list of [die, name] or [die, name, owner].", `let pool = throw [d8, d6] for "action" named [[d8, "SHOOT"], [d6, "COAT"]]`},
	{"to", "word", "offer NAME to WHO; signal HOOK(…) to WHOM", "Says to whom.", "signal dice(me) to me.sources"},
	{"at", "word", `refuse "why" at CLAUSE`, "Says which clause of the command a refusal is about.", `refuse "used up" at given.benefit`},
	{"=>", "word", "PATTERN => VALUE", "Separates the pattern from the value in a row of a table.", "table damage(n) { 1..3 => 1; else => 0 }"},
	{"{", "word", "{ … }", "Holds a block: of statements, clauses, fields or rows. At the prompt it continues on further lines until you close it.", "if yes { print 1 }"},
	{"(", "word", "( … )", "Groups an expression, and makes a variable an operand: (x): attack (y).", "(1 + 2) * 3"},

	// Who is ready.
	{"stock", "word", `stock "NAME" [xN] [{ … }], or stock OTHER as "NAME" [xN] [{ … }]; stock SHEET "NAME" ["doc"] { … }; stock from "FILE"`, "Takes somebody whom a system has ready, with a sheet and tactics; entries in braces replace those of the sheet. With a sheet before the name it says who is ready, with from in which file more of them are.", `stock wolf "Old Grey" "the leader" { size 3 }`},

	// What a script gives beforehand and tests.
	{"dice", "word", "dice FACE FACE …", "Gives the faces that the next dice show.", "dice 7 8"},
	{"answers", "word", "answers ANSWER …", "Gives the answers to the next decisions: yes, no, a name, a word, or the number of an answer. They stand for a person at the table: decisions that a clause or tactics answer take none of them. none has a decision take its default, as if nobody answered.", "answers yes none 2"},
	{"picks", "word", "picks NUMBER …", "Gives the results of the next random choices: the number of an option each. A die picks where nobody decides, and takes these first.", "picks 2"},
	{"commands", "word", `commands [at N] "COMMAND" …`, "Gives the commands for the next turns of those who have no tactics, as you would type them at the table. at 2: it is done by hand, before the second of the commands and spans that the script begins from here on.", `commands "attack Fang with PUNCH"`},
	{"once", "word", "dice once FACE …; answers once over DECISION ANSWER …", "Gives dice or answers that have fallen for good: a refused command does not give them again, and they come after all others. With over they answer a decision that tactics would make, with after 2 once tactics have made it twice.", "dice once 7 8"},
	{"refused", "word", `refused ["part of the message"] { COMMANDS }`, "In a test: the commands must be refused.", "refused { Nova: attack Fang with NOTHING }"},
	{"faults", "word", `faults ["part of the message"] { … }`, "In a test: the checks must report a fault.", "faults { hero Bo { size 9 } }"},
	{"warns", "word", `warns CONDITION "text" [at NAME]; warns ["part of the message"] { … }`, "After a clause or at the head of a verb: if the condition holds, setpiece warns with the text and goes on; check warns, too, if the script alone decides it. In a test: there must be a warning.", "warns { hero Bo { } }"},
}
