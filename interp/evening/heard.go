package evening

import (
	"errors"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/lang"
)

// Heard is what a line at a turn comes to that is no command.
type Heard struct {
	Command string   // that can be given in its place, "" for none
	Which   []string // commands of which one can be given in its place: it does not say at whom
	Mended  bool     // it is the line with its only mistake mended
	Wrong   bool     // the line is a command, and what is wrong with it is worth saying
	Asks    bool     // it asks something in plain words
	Refused error    // why the rules do not allow what it means
}

// Hear says what a line means that was refused as a command, with why. Of a sentence, which begins with no verb of
// whoever has the turn or has no cure, nothing is said that is wrong with it as a command.
func (q *Query) Hear(line string, err error) Heard {
	var ds lang.Diagnostics
	commands, verbs, why := interp.Meant(q.turn, line)
	command := append(commands, "")[0]
	first, _, more := strings.Cut(line, " ")
	known := errors.As(err, &ds)
	sentence := known && more && !slices.Contains(verbs, first) && !q.OfTable(line) && !strings.ContainsAny(line, ":{=(")
	cured := slices.ContainsFunc(ds, func(d *lang.Diagnostic) bool { return d.Help != "" })
	respelled := command != "" && bare(command) == bare(line)
	switch {
	case sentence && Asks(line):
		return Heard{Asks: true}
	case command == "" && sentence:
		return Heard{Refused: why}
	case command == "" || !respelled && !sentence && (!more || cured || !known):
		return Heard{Command: q.mended(line, ds), Mended: true, Wrong: true}
	}
	if len(commands) > 1 {
		return Heard{Which: commands}
	}
	return Heard{Command: command, Wrong: !sentence && !respelled}
}

// mended is a command with the word that was meant in place of the one that its only mistake is about; "" for
// none, or if that is no command either.
func (q *Query) mended(line string, ds lang.Diagnostics) string {
	if len(ds) != 1 {
		return ""
	}
	fix, ok := ds[0].Fix()
	if !ok {
		return ""
	}
	wrong := ds[0].Src.Text[fix.Start:fix.End] // the line stands in a longer text, with who acts
	if wrong == "" || strings.Count(line, wrong) != 1 {
		return ""
	}
	line = strings.Replace(line, wrong, fix.New, 1)
	if _, err := q.Read(line); err != nil {
		return ""
	}
	return line
}

// bare is a command in small letters without quotes: what is left if names are not written as they are declared.
func bare(command string) string {
	return strings.ToLower(strings.NewReplacer(`"`, "", "_", " ").Replace(command))
}

// asking are words that questions begin with, in plain words.
var asking = []string{"what", "how", "who", "when", "where", "which", "can", "could", "should", "do", "does", "is", "are", "may", "must", "will", "would"}

// Asks says whether a line asks something in plain words.
func Asks(line string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(line), " ")
	return rest != "" && !strings.HasPrefix(line, "?") && (strings.HasSuffix(line, "?") || slices.Contains(asking, first))
}
