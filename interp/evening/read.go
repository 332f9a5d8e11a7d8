package evening

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// A decision is put in one of four ways, by its options, so that what is typed can
// mean one thing only:
//
//   - yes or no, with what a yes costs and what is left after it;
//   - where all options are numbers, a number, with the range there is;
//   - a menu, of which the number of a row is typed, or the name of an option. Where
//     some options are numbers the rows have none.

// Form is how a decision is put.
type Form int

// The forms of decisions.
const (
	Offer  Form = iota // yes or no
	Number             // a number of a range
	Menu               // a row by its number, or a name
	Mixed              // a name; some of the names are numbers
)

func formOf(options []string) Form {
	if slices.Equal(options, []string{"no", "yes"}) {
		return Offer
	}
	n := 0
	for _, o := range options {
		if _, ok := parseNumber(o); ok {
			n++
		}
	}
	switch n {
	case 0:
		return Menu
	case len(options):
		return Number
	}
	return Mixed
}

func parseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// Range tells options that are numbers in a few words: "0 to 10", "1, 2 or 5".
func Range(options []string) string {
	last := len(options) - 1
	if last > 1 && inARow(options) {
		return options[0] + " to " + options[last]
	}
	return lang.OneOf(options)
}

// inARow says that numbers go up by one.
func inARow(options []string) bool {
	for i := 1; i < len(options); i++ {
		a, _ := parseNumber(options[i-1])
		if b, _ := parseNumber(options[i]); b != a+1 {
			return false
		}
	}
	return true
}

// choiceTitle is the question itself: "Nova: Re-roll? 1 luck, 2 left after it."
func choiceTitle(q *interp.Question) string {
	what := q.Prompt
	if what == "" {
		what = q.Name + "?"
	}
	if q.Who != "" {
		what = q.Who + ": " + what
	}
	if q.Cost != "" {
		what += " " + q.Cost
		if q.Left != "" {
			what += ", " + q.Left + " left after it"
		}
		what += "."
	}
	return lang.Visible(what)
}

// Other is what the number of a row turns its default into: of yes and no the other, and the largest of
// numbers that all cost the same. That is what yes means there.
func (q *Query) Other() (option int, ok bool) {
	switch q.Form() {
	case Offer:
		return 1 - q.Default, true
	case Number:
		return len(q.Options) - 1, q.Cost != "" && q.Default == 0
	}
	return 0, false
}

// readOption finds the option that was typed.
func (q *Query) readOption(line string) (int, error) {
	if most, ok := q.Other(); ok && q.Form() == Number && slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))) {
		return most, nil
	}
	if q.Must && strings.TrimSpace(line) == "" {
		return 0, errors.New(expected(q.Options, q.Form()))
	}
	return readOption(line, q.Options, q.Default)
}

// answerOf gives the yes or no of what somebody says: "no, not for a bicycle", "yes please".
func answerOf(word string) string {
	short := word
	for _, more := range []string{" thank you", " thanks", " please"} {
		short = strings.TrimSuffix(short, more)
	}
	if first, _, said := strings.Cut(short, ","); said && !strings.Contains(word, "?") {
		short = first
	}
	if slices.Contains([]string{"y", "n", "yes", "no"}, short) {
		return short
	}
	return word
}

// readOption finds the option that was typed; nothing is the default, no is 0 where numbers
// are asked for, and 1 turns an offer over.
func readOption(line string, options []string, usual int) (int, error) {
	word := strings.ToLower(strings.TrimSpace(line))
	if n := len(word); n > 2 && word[0] == '"' && word[n-1] == '"' {
		word = word[1 : n-1]
	}
	if word == "" {
		return usual, nil
	}
	f := formOf(options)
	if f == Offer || f == Number {
		word = answerOf(word)
	}
	switch {
	case f == Number && slices.Contains([]string{"n", "no", "none"}, word):
		word = "0"
	case f == Offer && word == "1":
		return 1 - usual, nil // as in a form of several rows
	}
	x, isNumber := parseNumber(word)
	switch {
	case f == Menu && isNumber:
		if i := int(x); float64(i) == x && i >= 1 && i <= len(options) {
			return i - 1, nil
		}
	case isNumber:
		for i, o := range options {
			if y, ok := parseNumber(o); ok && x == y {
				return i, nil
			}
		}
	default:
		if i := named(word, options); i >= 0 {
			return i, nil
		}
	}
	return 0, errors.New(expected(options, f))
}

// named gives the option of a name, or of the beginning of a name if only one
// begins so; -1 for none.
func named(word string, options []string) int {
	found := -1
	for i, o := range options {
		o = strings.ToLower(o)
		switch {
		case o == word:
			return i
		case strings.HasPrefix(o, word) && found >= 0:
			found = len(options)
		case strings.HasPrefix(o, word):
			found = i
		}
	}
	if found == len(options) {
		return -1
	}
	return found
}

// expected tells what can be typed.
func expected(options []string, f Form) string {
	what := ""
	switch f {
	case Offer:
		what = "type yes or no"
	case Number:
		what = "type a number: " + Range(options)
	case Menu:
		what = fmt.Sprintf("type a number from 1 to %d or an option's name", len(options))
	case Mixed:
		what = "type one of the options"
	}
	return what
}

// diceTitle says which dice somebody throws and what for.
func diceTitle(r *interp.Request) string {
	var b strings.Builder
	b.WriteString(diceNames(r.Sizes))
	if r.For != "" {
		b.WriteString(" for " + r.For)
	}
	if r.Who != "" {
		b.WriteString(" (" + r.Who + ")")
	}
	return lang.Visible(b.String())
}

func diceNames(sizes []int) string {
	var words []string
	for i := 0; i < len(sizes); {
		n := 1
		for i+n < len(sizes) && sizes[i+n] == sizes[i] {
			n++
		}
		words = append(words, transcript.Die(n, sizes[i]))
		i += n
	}
	return strings.Join(words, " ")
}

// readFaces reads the faces that dice of these sizes show.
func readFaces(line string, sizes []int) ([]int, error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(words) == 0 {
		return nil, errors.New(wantedFaces(sizes))
	}
	faces := make([]int, 0, len(sizes))
	for i, w := range words {
		if i == len(sizes) {
			break
		}
		f, err := readFace(w, sizes[i])
		if err != nil {
			return nil, err
		}
		faces = append(faces, f)
	}
	if len(words) != len(sizes) {
		return nil, fmt.Errorf("%s: %s, not %d", diceNames(sizes), countFaces(len(sizes)), len(words))
	}
	return faces, nil
}

// wantedFaces says what to type: "type the face of the d8 (1 to 8)".
func wantedFaces(sizes []int) string {
	if len(sizes) == 1 {
		return fmt.Sprintf("type the face of the %s (1 to %d)", transcript.Die(1, sizes[0]), sizes[0])
	}
	example := make([]string, len(sizes))
	for i, size := range sizes {
		example[i] = strconv.Itoa((size + 1) / 2)
	}
	return fmt.Sprintf("type the %d faces of %s, as in  %s", len(sizes), diceNames(sizes), strings.Join(example, " "))
}

func countFaces(n int) string {
	if n == 1 {
		return "type one face"
	}
	return fmt.Sprintf("type %d faces", n)
}

// readFace reads a face as dice show it: a d10 may show 0 for 10, percentile
// dice 00 for 100.
func readFace(word string, size int) (int, error) {
	if word == "0" && size == 10 || word == "00" && size == 100 {
		return size, nil
	}
	f, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is not a face of a %s; type what it shows, 1 to %d; :help what else you can type", word, transcript.Die(1, size), size)
	}
	return f, checkFace(f, size)
}

// checkFace says that a die does not show such a face.
func checkFace(f, size int) error {
	if f < 1 || f > size {
		return fmt.Errorf("a %s shows 1 to %d, not %d", transcript.Die(1, size), size, f)
	}
	return nil
}

// IsAnswer says whether a line looks like the answer to a question, typed ahead perhaps: a
// yes or no, numbers, or rows of a form.
func IsAnswer(line string) bool {
	switch strings.ToLower(line) {
	case "y", "yes", "n", "no":
		return true
	}
	return strings.Trim(line, "0123456789=, ") == ""
}
