package lang

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// mistakes reads the pieces of a file of mistakes.
func mistakes(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n---\n")
}

func mistakeFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "lang", "errors", "*.*"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no files of mistakes", err)
	}
	return paths
}

// TestMistakes compares the messages with the comments on the guilty lines.
func TestMistakes(t *testing.T) {
	for _, path := range mistakeFiles(t) {
		line := 1
		for _, piece := range mistakes(t, path) {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(path), line), func(t *testing.T) { checkMistakes(t, piece) })
			line += strings.Count(piece, "\n") + 2
		}
	}
}

func checkMistakes(t *testing.T, piece string) {
	want := map[int]string{}
	for i, line := range strings.Split(piece, "\n") {
		if _, after, ok := strings.Cut(line, "# want: "); ok {
			want[i+1] = after
		}
	}
	_, diags := Parse(NewSource("piece", piece))
	for _, d := range diags {
		n := d.Src.Position(int(d.Start)).Line
		got := d.Message
		if strings.Contains(want[n], " (") && d.Help != "" {
			got += " (" + d.Help + ")"
		}
		if w, ok := want[n]; !ok || !strings.HasPrefix(got, w) {
			t.Errorf("unexpected message, wanted %q:\n%s", w, d.Format(Palette{}))
		}
		delete(want, n)
	}
	for n, w := range want {
		t.Errorf("line %d: no message %q", n, w)
	}
}

// TestMessages shows the messages as they are shown to people.
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, path := range mistakeFiles(t) {
		name := filepath.Base(path)
		for _, piece := range mistakes(t, path) {
			var lines []string
			for _, line := range strings.Split(piece, "\n") {
				before, _, _ := strings.Cut(line, "# want: ")
				lines = append(lines, strings.TrimRight(before, " "))
			}
			_, diags := Parse(NewSource(name, strings.Join(lines, "\n")))
			b.WriteString(diags.Format(Palette{}))
		}
	}
	golden(t, filepath.Join("..", "testdata", "lang", "messages.golden"), b.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", path, diff)
	}
}

// mistakeCorpus are all pieces of all files of mistakes.
func mistakeCorpus(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, path := range mistakeFiles(t) {
		out = slices.Concat(out, mistakes(t, path))
	}
	return out
}
