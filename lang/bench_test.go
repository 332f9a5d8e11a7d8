package lang

import (
	"slices"
	"strings"
	"testing"
)

// bigScene is a thousand lines of ordinary scenes.
func bigScene(tb testing.TB) string {
	tb.Helper()
	files := corpus(tb)
	var names []string
	for name := range files {
		if strings.HasSuffix(name, ".scene") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for strings.Count(b.String(), "\n") < 1000 {
		for _, name := range names {
			b.WriteString(files[name])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func perLine(b *testing.B, text string, f func()) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f()
	}
	lines := float64(strings.Count(text, "\n")) * float64(b.N)
	b.ReportMetric(lines/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkParseScene(b *testing.B) {
	text := bigScene(b)
	perLine(b, text, func() { Parse(NewSource("big.scene", text)) })
}

func BenchmarkParseRules(b *testing.B) {
	text := strings.Repeat(corpus(b)["everything.rules"], 5)
	perLine(b, text, func() { Parse(NewSource("big.rules", text)) })
}

func BenchmarkLex(b *testing.B) {
	text := bigScene(b)
	perLine(b, text, func() { scan(text, 0, len(text), false, nil, nil) })
}

func BenchmarkPrint(b *testing.B) {
	text := bigScene(b)
	f, _ := Parse(NewSource("big.scene", text))
	perLine(b, text, func() { Print(f) })
}

// BenchmarkFirstParse is what a program pays that parses one line, BenchmarkFirstMistake
// what it pays if there is a mistake in it: most of that goes into the grammar.
func BenchmarkFirstParse(b *testing.B) {
	for b.Loop() {
		newParser().file(NewSource("", "roll DEMOLITIONS 4 vs DN 8"))
	}
}

func BenchmarkFirstMistake(b *testing.B) {
	for b.Loop() {
		newParser().file(NewSource("", "roll DEMOLITIONS 4 vs DN )"))
	}
}
