package interp_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// Whatever a script puts into a field of a sheet, on the sheet or later: it is taken or it
// is a mistake on that line, in words, and nothing stops the compiler.
func TestAnyValueInAnyField(t *testing.T) {
	values := []string{
		"3", "-1", "2.5", "99999999999999999999", `"x"`, "yes", "none", "d8", "3d6", "d12+", "1..3", "1..", "Bo", "[1, 2]", `[d8, "x"]`, "[[1]]", "[Bo]",
		"{a: 1}", "{A: d8}", "{B: [d8]}", "({})", "(1/2)", "(throw d6)", "Bo.name",
	}
	for system, sheets := range map[string][]string{
		"cah": {"character", "hero"}, "firefly": {"bearer", "actor", "character", "crew"}, "unisystem": {"character", "cast"},
		"clichenimatic": {"character", "hero"}, "marvel": {"bearer", "character", "hero"},
	} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			sheet := sheets[len(sheets)-1]
			var fields []string
			for _, name := range sheets {
				fields = append(fields, fieldsOf(t, []string{system, "cortex"}, name)...)
			}
			if len(fields) < 10 {
				t.Fatalf("%s has only the fields %q", sheet, fields)
			}
			text := fmt.Sprintf("use %s\n%s Bo { }\n", system, sheet)
			for i, f := range fields {
				if !longtest.Tests && i%4 != 0 {
					continue
				}
				for k, v := range values {
					text += fmt.Sprintf("%s P%dx%d { %s %s }\nBo.%[4]s = %[5]s\nBo.%[4]s[\"A\"] = %[5]s\n", sheet, i, k, f, v)
				}
			}
			src := lang.NewSource(system, text)
			diags := interp.NewSession(interp.Config{Modules: stdlib.FS}).Check(src)
			if len(diags) < 3*len(fields) {
				t.Errorf("only %d mistakes with %d fields", len(diags), len(fields))
			}
			for _, d := range diags {
				if d.Src != src || d.End <= d.Start || d.Message == "" || strings.Contains(d.Message, "%!") {
					t.Errorf("%q has no place in the script", d.Message)
				}
			}
		})
	}
}

// fieldsOf reads the names of the fields that a sheet of its own has.
func fieldsOf(t *testing.T, systems []string, sheet string) []string {
	t.Helper()
	body := regexp.MustCompile(`(?ms)^sheet ` + sheet + `\b[^{]*\{\n(.*?)^\}`)
	field := regexp.MustCompile(`(?m)^  (\w+) +[a-z_]+\b`)
	var names []string
	for _, system := range systems {
		files, err := fs.Glob(stdlib.FS, system+"/*.rules")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(stdlib.FS, file)
			if err != nil {
				t.Fatal(err)
			}
			if m := body.FindSubmatch(text); m != nil {
				for _, f := range field.FindAllSubmatch(m[1], -1) {
					if name := string(f[1]); name != "summary" && name != "reserves" && name != "at_hand" && !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// A default that is none of the choices is an error as soon as the choices are known; none
// is no default, and then the first counts.
func TestDefaultThatIsNoChoice(t *testing.T) {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	text := "let n = 10\nlet l = [1, 2, n]\n"
	if err := run(s, text+"let w = choose side by none from l.take(2) \"Which?\" default n\n"); err == nil || !strings.Contains(err.Error(), "the default 10 is none of the choices [1, 2]") {
		t.Errorf("got %v", err)
	}
	for def, want := range map[string]int{"n": 10, "l[2]": 2, "none": 1} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := run(s, fmt.Sprintf("%slet w = choose side by none from l \"Which?\" default %s\nexpect w == %d\n", text, def, want)); err != nil {
			t.Errorf("default %s: %v", def, err)
		}
	}
}
