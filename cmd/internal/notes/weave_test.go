package notes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain is a weaver whose results say what they are about.
func plain() *Weaver {
	about := func(j *Job) string {
		return strings.TrimSpace(strings.TrimSpace(j.Note.Inside(j.Fence)) + " " + j.Options())
	}
	return &Weaver{
		Gets: func(_ *Script, f *Fence, _ string) (bool, error) { return !f.Has("file"), nil },
		Result: func(j *Job) (string, error) {
			if strings.Contains(about(j), "fail") {
				return "", errors.New("it fails")
			}
			return "| " + about(j) + " |\n\n```text\n" + j.What + "\n```\n", nil
		},
		Fill: map[string]func(*Note, *Fence) (string, error){"console": func(n *Note, f *Fence) (string, error) {
			return Console(n.Inside(f), func(call string) (string, int, error) { return "did " + call + "\n", 2, nil })
		}},
	}
}

func weave(t *testing.T, page string, w *Weaver) (string, []string) {
	t.Helper()
	woven, ds := parse(t, page).Weave(w)
	var said []string
	for _, d := range append(woven.Stale, ds...) {
		said = append(said, d.Error())
	}
	return woven.Text, said
}

// Results stand under their fences, with the signs of the list or the quote around them.
func TestWeave(t *testing.T) {
	page := "- one\n\n  ```setpiece odds run columns=a,b\n  x\n  ```\n  two\n\n> ~~~setpiece sim\n> y\n> ~~~\n\n```setpiece\nz\n```"
	want := "- one\n\n  ```setpiece odds run columns=a,b\n  x\n  ```\n" +
		"\n  <!-- run -->\n\n  | x |\n\n  ```text\n  run\n  ```\n\n  <!-- /setpiece -->\n" +
		"\n  <!-- odds -->\n\n  | x columns=a,b |\n\n  ```text\n  odds\n  ```\n\n  <!-- /setpiece -->\n" +
		"  two\n\n> ~~~setpiece sim\n> y\n> ~~~\n" +
		">\n> <!-- sim -->\n>\n> | y |\n>\n> ```text\n> sim\n> ```\n>\n> <!-- /setpiece -->\n" +
		"\n```setpiece\nz\n```"
	digests := func(s string) string { // which are no business of a reader
		for _, what := range Results {
			for {
				i := strings.Index(s, markOpens+what+" ")
				if i < 0 {
					break
				}
				j := i + strings.Index(s[i:], "-->")
				s = s[:i] + "<!-- " + what + " " + s[j:]
			}
		}
		return s
	}
	got, said := weave(t, page, plain())
	if d := cmp.Diff(want, digests(got)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if want := []string{"n.md:3:15: odds is not woven yet", "n.md:3:20: run is not woven yet", "n.md:8:15: sim is not woven yet"}; !cmp.Equal(want, said) {
		t.Errorf("it says %q", said)
	}

	// A second time there is nothing to do.
	again, said := weave(t, got, plain())
	if again != got || len(said) > 0 {
		t.Errorf("%q; woven again:\n%s", said, cmp.Diff(got, again))
	}
	// A fence that changes, and not its result, leaves the note alone.
	other := strings.Replace(got, "```setpiece\nz", "```setpiece\nother", 1)
	if again, said := weave(t, other, plain()); again != other || len(said) > 0 {
		t.Errorf("%q; with another fence:\n%s", said, cmp.Diff(other, again))
	}
	// So do marks that have another number before the digest.
	older := strings.ReplaceAll(got, markOpens+"run ", markOpens+"run 01234567 ")
	if again, said := weave(t, older, plain()); again != older || len(said) > 0 {
		t.Errorf("%q; with older marks:\n%s", said, cmp.Diff(older, again))
	}
	// A change of one fence is a change of its results only.
	changed := strings.Replace(got, "> y\n> ~~~", "> yy\n> ~~~", 1)
	_, said = weave(t, changed, plain())
	if want := []string{"n.md:28:15: sim is out of date"}; !cmp.Equal(want, said) {
		t.Errorf("it says %q", said)
	}
	// Words that go take their results with them, and leave the note as it was.
	bare := strings.NewReplacer(" odds run columns=a,b", "", "~~~setpiece sim", "~~~setpiece").Replace
	if back, _ := weave(t, bare(got), plain()); back != bare(page) {
		t.Errorf("without words:\n%s", cmp.Diff(bare(page), back))
	}
	// So it is with line ends of another kind.
	dos := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	if got2, _ := weave(t, dos(page), plain()); got2 != dos(got) {
		t.Errorf("with CRLF:\n%s", cmp.Diff(dos(got), got2))
	}
	if again, said := weave(t, dos(got), plain()); again != dos(got) || len(said) > 0 {
		t.Errorf("with CRLF again: %q", said)
	}
}

// What a person wrote stays, wherever it stands.
func TestWeaveLeavesWords(t *testing.T) {
	woven, _ := weave(t, "```setpiece odds\nx\n```\n\nafter\n", plain())
	tests := map[string]struct {
		page string
		want []string
	}{
		"words between marks": {
			strings.Replace(woven, "| x |", "| x | Nova looks up.", 1),
			[]string{"n.md:5:1: weave did not write all that stands below this mark, so it changes nothing here"},
		},
		"a result that fails": {
			"```setpiece odds\nfail\n```\n",
			[]string{"n.md:1:13: it fails"},
		},
		"marks in a fence": {"```text\n" + markOpens + "odds 1 2 -->\n```\n", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, said := weave(t, tt.page, plain())
			if got != tt.page || !cmp.Equal(tt.want, said) {
				t.Errorf("it says %q\n%s", said, cmp.Diff(tt.page, got))
			}
		})
	}
	// A result whose fence is gone goes, too.
	_, result, _ := strings.Cut(woven, "```\n")
	if got, said := weave(t, "before\n"+result, plain()); got != "before\n\nafter\n" || len(said) != 1 {
		t.Errorf("without its fence: %q, %q", got, said)
	}
}

// The front matter asks for results under every fence that plays; a fence that asks for its
// own gets those.
func TestWeaveFrontMatter(t *testing.T) {
	page := "---\nsetpiece: run seed=7\n---\n```setpiece\na\n```\n```setpiece file=f\nb\n```\n```setpiece odds\nc\n```\n"
	got, _ := weave(t, page, plain())
	if n := strings.Count(got, markOpens+"run"); n != 1 || strings.Count(got, markOpens) != 2 || !strings.Contains(got, "| a seed=7 |") {
		t.Errorf("it is\n%s", got)
	}
}

// Commands are run, and what they print takes the place of what stood there.
func TestConsole(t *testing.T) {
	got, said := weave(t, "> ```console\n> $ a\n> old\n> $ b\n> ```\n> setpiece\n", plain())
	want := "> ```console\n> $ a\n> did a\n> [exit status 2]\n> $ b\n> did b\n> [exit status 2]\n> ```\n> setpiece\n"
	if got != want || fmt.Sprint(said) != "[n.md:3:3: this is not what the command prints now]" {
		t.Errorf("%q\n%s", said, cmp.Diff(want, got))
	}
}
