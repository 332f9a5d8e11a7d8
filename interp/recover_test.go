package interp_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// said gives what Check reports of a file: the line and the message of each.
func said(name, text string, folder fs.FS) []string {
	s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: folder})
	src := lang.NewSource(name, text)
	var out []string
	for _, d := range s.Check(src) {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(d.Error(), name+":"), "\n"))
	}
	return out
}

// A statement that cannot be read does not hide the mistakes in the others, and what only
// follows from it is not reported: Fang is declared in a line that cannot be read, and so
// is the rule that the last line calls.
func TestSyntaxAndMeaning(t *testing.T) {
	got := said("x", `use cah
hero Nova { star 3; AIM 4 }
Nova: roll AMI vs DN 5
villain Fang { BITE 3 } 5
Nova: attack Fang with AIM
print 1 2
rule half(x) = = x
Nova: roll AIM vs DN "many"
print half(3)
`, nil)
	want := []string{
		"3:12: Nova has no trait AMI",
		"4:25: expected the end of the line after }, found 5",
		"6:9: expected the end of the line after 1, found 2",
		"7:16: expected a value after =, found =",
		`8:22: expected a whole number here`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An open bracket hides no mistake before it. What stands behind an open brace may belong
// into it; a line behind an open parenthesis is a line.
func TestSyntaxAndOpenBrackets(t *testing.T) {
	for text, want := range map[string][]string{
		"use cah\nhero Nova { AIM 4 }\nNova: rol AIM vs DN 5\nscene \"x\" {\nNova: roll AMI vs DN 5\n":       {"3:7: there is no verb rol", "4:11: { has no closing }"},
		"use cah\nhero Nova { AIM 4 }\nNova: rol AIM vs DN 5\nprint (8\nNova: roll AMI vs DN 5\n":            {"3:7: there is no verb rol", "4:9: expected ) after 8, found the end of the line", "5:12: Nova has no trait AMI"},
		"use cah\nhero Nova { AIM 4 }\nNova: roll AMI vs DN 5\nhero Brick { AMI 3\nNova: roll AIM vs DN 5\n": {"4:12: { has no closing }"},
		"use cah\nNova: roll AIM vs DN 5\nhero Nova { AIM 4\n":                                               {"3:11: { has no closing }"},
	} {
		if got := said("x", text, nil); !slices.Equal(got, want) {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// Where the system is not known, nothing else is worth telling.
func TestSyntaxAlone(t *testing.T) {
	if got := said("x", "use cah with\nNova: roll AIM vs DN 5\n", nil); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// The files of rules that ship pass, each checked by itself: a variant stands on its base.
func TestCheckModules(t *testing.T) {
	files, err := fs.Glob(stdlib.FS, "*/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no modules", err)
	}
	checked := 0
	for _, file := range files {
		text, err := fs.ReadFile(stdlib.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(strings.Split(string(text), "\n"), func(l string) bool {
			return strings.HasPrefix(l, "variant ") || strings.HasPrefix(l, "system ")
		}) {
			continue // a part of a module
		}
		checked++
		dir, name, _ := strings.Cut(file, "/")
		folder, err := fs.Sub(stdlib.FS, dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := said(name, string(text), folder); len(got) > 0 {
			t.Errorf("%s:\n%s", file, strings.Join(got, "\n"))
		}
	}
	if checked < 10 {
		t.Errorf("only %d modules and variants were found", checked)
	}
}

// What a variant gets wrong: names that nearly replace something, and calls of what it
// replaces. A helper of its own that is used is no mistake.
func TestCheckVariant(t *testing.T) {
	got := said("mine.rules", `variant mine of cah "mine"
rule token_limti(who) = 9
table base_dificulty(x) { else => 3 }
rule token_limit(who) = base.token_limt(who) + 1
rule flub_range = base.flub_range(1, 2)
rule added(x) = base.added(x)
rule token_limits(x) = 4
rule extra(x) = x + wrd + token_limits(x) + (if lateness == soon then 1 else 0)
option lateness = soon
option natural = odd
remove verb atack
on beginns(span) { }
`, nil)
	want := []string{
		"2:6: warning: token_limti is new and replaces nothing",
		"3:7: warning: base_dificulty is new and replaces nothing",
		"4:30: there is no rule token_limt",
		"5:19: flub_range takes no value, not 2",
		"6:22: added replaces no rule, so there is no base.added",
		"8:21: nothing here is called wrd",
		"9:8: there is no option lateness",
		"10:18: natural cannot be odd; choose kept, any or regular",
		"11:13: there is no verb atack",
		"12:4: there is no hook beginns",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
