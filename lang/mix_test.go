package lang

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var mixtures = flag.Int("mixtures", 600, "how many mixtures of the corpus to print and parse")

// TestPrintLawsOnMixtures tears the corpus to tokens and puts stretches of it
// together again, with other spaces, line ends and comments in between. Byte
// after byte, a fuzzer seldom finds a text that parses; this does.
func TestPrintLawsOnMixtures(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var lines [][]string
	for _, name := range names {
		lines = append(lines, statementsOf(files[name])...)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range *mixtures {
		text := mixture(rnd, lines)
		if _, diags := Parse(NewSource("", text)); !diags.Errors() {
			valid++
		}
		printLaws(t, text)
		readersAgree(t, text)
	}
	if valid < *mixtures/10 {
		t.Errorf("only %d of %d mixtures parse", valid, *mixtures)
	}
}

// statementsOf gives the tokens of each top-level statement, as they stand and
// with the white space before them.
func statementsOf(text string) [][]string {
	f, _ := Parse(NewSource("", text))
	var out [][]string
	for _, s := range f.Stmts {
		r := s.Range()
		toks := scan(text, int(r.Start), int(r.End), false, nil, nil).list
		var list []string
		end := int(r.Start)
		for _, tok := range toks {
			if tok.Type == kindEOL || tok.EOF() {
				continue
			}
			list = append(list, text[end:tokEnd(&tok)])
			end = tokEnd(&tok)
		}
		out = append(out, list)
	}
	return out
}

func mixture(rnd *rand.Rand, lines [][]string) string {
	var b strings.Builder
	for range 1 + rnd.IntN(3) {
		list := slices.Clone(lines[rnd.IntN(len(lines))])
		for range rnd.IntN(4) {
			i := rnd.IntN(len(list))
			switch rnd.IntN(8) {
			case 0: // a token from elsewhere instead
				other := lines[rnd.IntN(len(lines))]
				list[i] = other[rnd.IntN(len(other))]
			case 1: // a stretch from elsewhere in between
				other := lines[rnd.IntN(len(lines))]
				from := rnd.IntN(len(other))
				to := min(len(other), from+1+rnd.IntN(6))
				list = slices.Insert(list, i, other[from:to]...)
			case 2:
				list = slices.Delete(list, i, i+1)
			case 3:
				list[i] = strings.TrimLeft(list[i], " \n")
			case 4:
				list[i] = " " + list[i]
			case 5:
				list[i] = "\n" + strings.Repeat(" ", rnd.IntN(4)) + list[i]
			case 6:
				list[i] = " # c" + string(rune('a'+rnd.IntN(26))) + "\n" + list[i]
			case 7:
				list[i] = []string{"\n\n", ";", "\n# own\n", "\n\n\n# x\n\n", " , ", " -", " ("}[rnd.IntN(7)] + list[i]
			}
			if len(list) == 0 {
				return ""
			}
		}
		b.WriteString(strings.Join(list, ""))
		b.WriteString([]string{"\n", "\n\n", "; ", " # end\n", "\n# own\n"}[rnd.IntN(5)])
	}
	return b.String()
}
