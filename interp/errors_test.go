package interp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Scripts and rules under testdata/errors say on the guilty line what has to be told of
// it, behind "# !". All mistakes of a file are found in one go, each with a
// caret on its line, and nothing runs.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("../testdata/errors/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	rules, err := filepath.Glob("../testdata/errors/*.rules")
	if err != nil || len(rules) == 0 {
		t.Fatal("there are no rules", err)
	}
	files = append(files, rules...)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := lang.NewSource(filepath.Base(file), string(text))
			s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS("../testdata/errors")})
			told := map[int][]string{}
			for _, d := range s.Check(src) {
				line := src.Position(int(d.Start)).Line
				if m := d.Message + "   " + d.Help; slices.Contains(told[line], m) {
					t.Errorf("line %d: %q is told twice", line, d.Message)
				} else {
					told[line] = append(told[line], m)
				}
				if d.End <= d.Start {
					t.Errorf("line %d: %q has no range", line, d.Message)
				}
				if strings.HasSuffix(d.Message, ".") || d.Message == "" {
					t.Errorf("line %d: %q is no message", line, d.Message)
				}
			}
			n := 0
			for line := range strings.Lines(string(text)) {
				n++
				_, want, wrong := strings.Cut(strings.TrimRight(line, "\n"), "# ! ")
				switch {
				case wrong && !regexp.MustCompile(want).MatchString(strings.Join(told[n], "\n")):
					t.Errorf("line %d: %q is not told; told is %q", n, want, told[n])
				case !wrong && len(told[n]) > 0:
					t.Errorf("line %d is fine, but %q is told", n, told[n])
				}
			}
		})
	}
}

// Two systems that mean different things by the same words cannot be used
// together, and that is all that is told.
func TestTwoSystems(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	diags := s.Check(lang.NewSource("", "use cah\nuse marvel\nroll X 3 vs DN 8\n"))
	if len(diags) != 1 || diags[0].Message != "a script uses one system, and this one uses cah already" || diags[0].Start != 12 {
		t.Error(diags)
	}
}

// What a sheet cannot work out of what it says is told where somebody is declared, not only in the rules.
func TestRefusedDeclaration(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	src := lang.NewSource("x.scene", "use cah\n\nsidekick Wuff { BITE 2 }\n")
	var re *interp.RunError
	if err := s.Exec(context.Background(), src); !errors.As(err, &re) {
		t.Fatalf("%v", err)
	}
	if at := src.Position(int(re.Diag.Start)); re.Diag.Src != src || at.Line != 3 || at.Column != 1 || !strings.HasPrefix(re.Diag.Message, "whose companion is this?") {
		t.Errorf("%s at %v of %s", re.Diag.Message, at, re.Diag.Src.Name)
	}
}
