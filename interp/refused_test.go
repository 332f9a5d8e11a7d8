package interp_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/lang"
	"setpiece/stdlib"
)

// TestClausesRefused holds each module to a table of refusals: what is said of each clause
// that does not fit a command, and of two that contradict each other. The commands and
// the state they are played in are those of testdata/clauses/MODULE.txt and, with other
// options, MODULE_options.txt; the table of MODULE.txt is MODULE.refused. A clause that a
// command takes is not in the table. Where the dice decide, they fall as seed 0 has them.
func TestClausesRefused(t *testing.T) {
	for _, module := range []string{"unisystem", "firefly", "cah", "marvel", "clichenimatic"} {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			for _, file := range []string{module + ".txt", module + "_options.txt"} {
				if _, err := os.Stat(filepath.Join("..", "testdata", "clauses", file)); err == nil {
					table := tableOfRefusals(t, module, file)
					golden(t, filepath.Join("..", "testdata", "clauses", strings.TrimSuffix(file, ".txt")+".refused"), table)
				}
			}
		})
	}
}

// tableOfRefusals makes the table of a file of commands.
func tableOfRefusals(t *testing.T, module, file string) string {
	b, commands := newBoard(t, module, file)
	excluded := b.exclusions(t, module)
	var table strings.Builder
	for _, command := range commands {
		fmt.Fprintf(&table, "%s\n", command)
		for _, c := range b.tries(t, command) {
			b.row(&table, command, c.place, c.text)
		}
		for i, part := range strings.Split(command, "<")[1:] {
			set, _, _ := strings.Cut(part, ">")
			for _, both := range excluded[set] {
				b.row(&table, command, i+1, both)
			}
		}
		table.WriteByte('\n')
	}
	return table.String()
}

// row adds what is said of a clause that is refused: the message, and the line below it that
// says what would do.
func (b *board) row(table *strings.Builder, command string, place int, clause string) {
	text, refused := b.play(filled(command, map[int]string{place: clause}), 0)
	if !refused {
		return
	}
	message, rest, _ := strings.Cut(strings.TrimPrefix(text, "refused: "), "\n")
	if _, after, ok := strings.Cut(message, ": "); ok {
		message = after // behind the place
	}
	fmt.Fprintf(table, "  %d %-40s %s\n", place, clause, message)
	for line := range strings.Lines(rest) {
		if marks, help, ok := strings.Cut(line, "^ "); ok && strings.Trim(marks, " |^") == "" {
			fmt.Fprintf(table, "  %42s %s\n", "", strings.TrimSpace(help))
		}
	}
}

// exclusions gives, for each set of clauses and verb of a module, its clauses with one that
// they exclude behind them.
func (b *board) exclusions(t *testing.T, module string) map[string][]string {
	files, err := fs.Glob(stdlib.FS, module+"/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, file := range files {
		text, err := fs.ReadFile(stdlib.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := lang.Parse(lang.NewSource(file, string(text)))
		for _, s := range tree.Stmts {
			lang.Walk(s, func(n lang.Node) bool {
				switch n := n.(type) {
				case *lang.ClauseSet:
					all[n.Name.Name] = b.pairsOf(n.Clauses)
				case *lang.Verb:
					all[n.Name.Name] = b.pairsOf(n.Clauses)
				}
				return true
			})
		}
	}
	return all
}

func (b *board) pairsOf(items []lang.ClauseItem) []string {
	byName := map[string]string{} // a sample of each clause
	var last *lang.Clause
	var out []string
	for _, it := range items {
		if cl, ok := it.(*lang.Clause); ok {
			if s := b.samples(cl); len(s) > 0 {
				byName[cl.Name.Name] = s[0]
			}
		}
	}
	for _, it := range items {
		switch it := it.(type) {
		case *lang.Clause:
			last = it
			for _, inner := range b.pairsOf(it.Nested) {
				out = append(out, byName[it.Name.Name]+" "+inner)
			}
		case *lang.Needs:
			for _, other := range it.Excludes {
				if last != nil && byName[last.Name.Name] != "" && byName[other.Name] != "" {
					out = append(out, byName[last.Name.Name]+" "+byName[other.Name])
				}
			}
		}
	}
	return out
}
