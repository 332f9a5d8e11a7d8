package cli

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/lang/late"
)

// limits is the value of --limit: what a script may use, by name.
type limits struct {
	interp.Limits
	set []string // as they were given
}

// limit is one of them. Each is named in the error of a script that reaches it.
type limit struct {
	name, what, value string
	least, most       int64
	put               func(*interp.Limits, int64)
}

// theLimits are all limits, with the values that hold unless others are chosen.
func theLimits() []limit {
	return []limit{
		{"steps", "instructions", render.Thousands(interp.DefaultSteps), 1, 1e15, func(l *interp.Limits, n int64) { l.Steps = n }},
		{"time", "as 90s or 10m", "10m", int64(time.Millisecond), int64(1000 * time.Hour), func(l *interp.Limits, n int64) { l.Time = time.Duration(n) }},
		{"memory", "of values, and of odds", "512MiB", 1 << 16, 1 << 40, func(l *interp.Limits, n int64) { l.Memory = n }},
		{"source", "of a script and what it includes", "1MiB", 1, 1 << 28, func(l *interp.Limits, n int64) { l.Source = int(n) }},
		{"output", "of text printed", "16MiB", 1, 1 << 40, func(l *interp.Limits, n int64) { l.Output = int(n) }},
		{"depth", "calls inside calls", render.Thousands(interp.DefaultDepth), 1, 1e6, func(l *interp.Limits, n int64) { l.Depth = int(n) }},
		{"size", "elements of a list, letters of a text", render.Thousands(interp.DefaultSize), 1, 1e9, func(l *interp.Limits, n int64) { l.Size = int(n) }},
		{"dice", "dice thrown", render.Thousands(interp.DefaultDice), 1, 1e15, func(l *interp.Limits, n int64) { l.Dice = n }},
	}
}

// limitsHelp lists them for the help of the program.
func limitsHelp() string {
	var b strings.Builder
	for _, l := range theLimits() {
		fmt.Fprintf(&b, "  %-8s %-13s %s\n", l.name, l.value, l.what)
	}
	return b.String()
}

func (l *limits) String() string { return strings.Join(l.set, ",") }
func (l *limits) Type() string   { return "NAME=VALUE" }

// Set takes one limit, or several with commas.
func (l *limits) Set(arg string) error {
	for _, word := range limitWords(arg) {
		x, n, err := limitOf(word)
		if err != nil {
			return err
		}
		x.put(&l.Limits, n)
		if x.name == "memory" && n > softMemory/2 {
			holdMemory(2 * n)
		}
		l.set = append(l.set, word)
	}
	return nil
}

// limitOf reads NAME=VALUE.
func limitOf(word string) (x limit, n int64, err error) {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		return x, 0, errors.New("type --limit NAME=VALUE, as --limit steps=1e9")
	}
	all := theLimits()
	at := slices.IndexFunc(all, func(x limit) bool { return x.name == name })
	if at < 0 {
		var names []string
		for _, x := range all {
			names = append(names, x.name)
		}
		if near, ok := lang.Nearest(name, names); ok {
			return x, 0, fmt.Errorf("there is no limit %s; did you mean %s?", name, near)
		}
		return x, 0, fmt.Errorf("there is no limit %s; the limits are %s", name, strings.Join(names, ", "))
	}
	x = all[at]
	n, err = amount(name, value)
	if err != nil || n < x.least || n > x.most {
		return x, 0, fmt.Errorf("%s is not a value for the limit %s (default: %s)", value, name, x.value)
	}
	return x, n, nil
}

// raises gives what --limit would raise above its default, in words; "" for nothing.
func raises(arg string) string {
	for _, word := range limitWords(arg) {
		x, n, err := limitOf(word)
		if most, _ := amount(x.name, strings.ReplaceAll(x.value, ",", "")); err == nil && n > most {
			return x.name + " is at most " + x.value
		}
	}
	return ""
}

// limitWords parts what --limit takes at its commas, but not at those within a number:
// steps=200,000,000,dice=500 are two limits.
func limitWords(arg string) []string {
	var words []string
	for _, word := range strings.Split(arg, ",") {
		if n := len(words); n > 0 && threeDigits().MatchString(word) && grouped().MatchString(words[n-1]) {
			words[n-1] += "," + word
			continue
		}
		words = append(words, word)
	}
	for i, word := range words {
		if grouped().MatchString(word) {
			words[i] = strings.ReplaceAll(word, ",", "")
		}
	}
	return words
}

var (
	threeDigits = late.Regexp(`^\d{3}[A-Za-z]*$`)
	grouped     = late.Regexp(`^\w+=\d{1,3}(,\d{3})*[A-Za-z]*$`)
)

// softMemory is how much memory the process takes unless it is allowed more.
const softMemory = 1 << 30

// holdMemory has the garbage collector work so hard that the process takes no more than
// that, as long as what is in use leaves it some room.
func holdMemory(bytes int64) { debug.SetMemoryLimit(bytes - bytes/8) }

// units of bytes.
var units = []struct {
	name string
	of   int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}

// amount reads the value of a limit: a number, also as 1e9, with a unit for bytes;
// or a time.
func amount(name, s string) (int64, error) {
	if name == "time" {
		d, err := time.ParseDuration(s)
		return int64(d), err
	}
	times := int64(1)
	if name == "memory" || name == "output" || name == "source" {
		for _, u := range units {
			if number, ok := strings.CutSuffix(s, u.name); ok {
				s, times = number, u.of
				break
			}
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e18/float64(times) {
		return 0, errors.New("not a whole number")
	}
	return int64(f) * times, nil
}
