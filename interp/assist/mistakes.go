package assist

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/lang/late"
)

// A message can be looked up like a word: it is held against the messages of
// small scripts that make the mistakes below. What a script calls zz… may be
// anything in the message that is looked up, so the table cannot fall behind
// when messages are reworded.

type mistake struct{ script, means, do string }

// prelude declares what the scripts below use.
const prelude = `
sheet trait { rating number = 1 }
sheet hero { luck number 0..3; size one of (small, large); traits trait many as CAPS }
verb roll [(t trait of who)] { clause vs: vs (n number); do { print t.rating } }
verb wave { do { print who.name } }
hero Ann { PUNCH 4 }
hero Bob { PUNCH 4 }
`

var mistakes = []mistake{
	{`zzverb`, "The rules in use have no verb of that name, and there is no variable or rule of that name.", "Type use and the name of a system first. Tab at the beginning of a line lists the verbs, and so does :help with the name of a system."},
	{`Ann: roll PUNCH zzclause 2`, "The verb does not know this part of the command.", "Tab after the verb lists its clauses; :help VERB explains them."},
	{`Ann: roll ZZTRAIT`, "The character has no Trait of that name. Write Traits in capitals.", "Type the name of the character and a dot and press Tab, or add the Trait to the sheet."},
	{`Zz: roll PUNCH`, "No character, thing or group of that name is declared.", "Declare it first, as in hero Ann { PUNCH 4 }. A name with spaces needs quotes."},
	{`print zzword`, "No variable, field or rule that can be used here has that name.", "Make a variable with let, or write Name.field for the field of a character. A text needs quotes."},
	{`Ann: roll PUNCH vs Bob`, "A clause or verb has an operand of the wrong kind.", "The message says what is expected; :help VERB lists what each operand takes."},
	{`Ann: roll PUNCH vs`, "The clause is not complete.", "Add what the message asks for."},
	{`use zzmodule`, "There is no rule system or variant of that name, and no file NAME.rules beside the script.", "Tab after use lists the systems."},
	{`print zzrule(1)`, "There is no rule or function of that name to call.", "Tab lists the rules; :help FUNCTION explains the functions of the language."},
	{`print Ann.zzfield`, "Nothing has a field, rule or function of that name.", "Tab after the dot lists what there is."},
	{`hero Cid { zzentry 3 }`, "A sheet of that kind has no such field.", "The message lists the fields; :help and the kind of sheet explains them. Write Traits in capitals."},
	{`hero Cid { PUNCH 4, PUNCH 5 }`, "The sheet sets the same thing twice.", "Leave one of them out."},
	{`wave`, "Several characters could act, so the command must say who.", "Put the name before the command: Ann: roll PUNCH."},
	{`print [1 2]`, "Put commas between the elements of a list.", "Write [1, 2]."},
	{`hero Cid { size huge }`, "A field that must be one of several words has another one.", "The message lists the words."},
	{`Ann.luck = 9`, "A field has a number outside its range.", "The message says the range; :help and the name of the field too."},
	{`expect 1 == 2 "zz"`, "An expect did not hold: the state is not as the script expects.", "Look at the state with :state. The rules themselves have no mistake."},
	{`let n = 0; let zz = 1 / n`, "A number was divided by zero.", "Check the divisor first: if n != 0 { … }."},
	{`print d0`, "There is no such die.", "A die has at least one side, as in d6; 2d6 is two of them."},
	{`print "abc`, "A text does not end on its line.", `Close it with ". Write a quote inside a text as \".`},
	{`if yes { print 1`, "A block has no closing brace.", "Close it with }. At the prompt the block continues on further lines; Ctrl-C drops it."},
	{`let zz = 1; zz = [1].zzkind`, "Nothing has a field, rule or function of that name.", "Tab after the dot lists what there is."},
	{`while yes { }`, "The script passed a limit: it is probably in a loop that does not end.", "Look at the loop that the message shows. The limits make it safe to run a stranger's script."},
	{`print 100000d6`, "A pool has more dice than the program can throw.", "Throw fewer dice, or several pools."},
}

// explanation gives the topic of the message of a mistake.
func explanation(text string) (Topic, bool) {
	text = place().ReplaceAllString(strings.TrimSpace(text), "")
	for _, m := range mistakes {
		message := m.message()
		if message == "" {
			continue
		}
		if regexp.MustCompile("^" + zz().ReplaceAllString(regexp.QuoteMeta(message), ".+") + "$").MatchString(text) {
			return Topic{Name: text, Kind: "message", InUse: true, Doc: m.means + " " + m.do}, true
		}
	}
	return Topic{}, false
}

var (
	place = late.Regexp(`^(\S*:)?\d+:\d+: `)
	zz    = late.Regexp(`(?i)"?\bzz\w*"?|\bAnn\b|\bBob\b|\bCid\b|\bPUNCH\b|\bhero\b|\bsize\b|\bluck\b|\bhuge\b|\bsmall, large\b|\bwave\b|\bn\b|\bd?\d[\d/.]*(d6)?\b`)
)

// message makes the mistake and gives the first line of what is said of it.
func (m mistake) message() string {
	s := interp.NewSession(interp.Config{Limits: interp.Limits{Steps: 10_000}})
	if err := s.Exec(context.Background(), lang.NewSource("", prelude)); err != nil {
		return ""
	}
	err := s.Exec(context.Background(), lang.NewSource("", m.script+"\n"))
	var ds lang.Diagnostics
	var run *interp.RunError
	switch {
	case errors.As(err, &ds) && len(ds) > 0:
		return ds[0].Message
	case errors.As(err, &run):
		return run.Diag.Message
	}
	return ""
}
