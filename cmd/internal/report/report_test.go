package report

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/lang"
)

func made(t *testing.T, script string) Part {
	t.Helper()
	rules, err := os.ReadFile("../../../testdata/report/coins.rules") // who has lost two tosses is out
	if err != nil {
		t.Fatal(err)
	}
	cfg := interp.Config{Modules: fstest.MapFS{"coins/coins.rules": {Data: rules}}}
	src := lang.NewSource("toss.scene", script)
	r, err := danger.MakeReport(context.Background(), cfg, src, danger.Config{Trials: 300})
	if err != nil {
		t.Fatal(err)
	}
	return Part{Name: "toss.scene", Report: r, Ends: Transcripts(context.Background(), cfg, src, r), Run: "toss.scene"}
}

func pages(t *testing.T, parts ...Part) (text, html string) {
	t.Helper()
	var pairs *danger.Beside
	if len(parts) > 1 {
		var err error
		if pairs, err = Pairs(context.Background(), parts); err != nil {
			t.Fatal(err)
		}
	}
	p := Make(parts, pairs)
	var a, b strings.Builder
	Text(&a, p, 80, style.Palette{})
	if err := HTML(&b, p); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

// Every figure of the text stands in the page.
func TestTextAndPageSayTheSame(t *testing.T) {
	text, html := pages(t, made(t, "use coins\nplayer Ann { }\nplayer Bob { }\nscene \"The toss\" { toss; report Ann.lost }\n"))
	if !strings.Contains(text, "The first wins  50.00 %   exact: 1/2\n") {
		t.Errorf("half of the games:\n%s", text)
	}
	figures := regexp.MustCompile(`\d+(\.\d+)? %( ± \d+\.\d)?`).FindAllString(text, -1)
	if len(figures) < 20 {
		t.Errorf("only %d figures", len(figures))
	}
	for _, f := range figures {
		if !strings.Contains(html, f) {
			t.Errorf("the page does not have %s", f)
		}
	}
	for _, want := range []string{"Who falls", "How long it takes", "How open it stays", "Three ways it goes", "<svg", "setpiece run --brief --seed"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d letters in a line: %s", n, line)
		}
	}
}

// The page loads nothing and runs nothing.
func TestPageNeedsNothing(t *testing.T) {
	_, html := pages(t, made(t, "use coins\nplayer Ann { }\nplayer Bob { }\ntoss\n"))
	for _, bad := range []string{"<script", "<link", "src=", "url(", "@import", "http:", "https:"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

// Names and texts of a script may hold anything: they are shown, and do nothing.
func TestHostileNames(t *testing.T) {
	name := "<script>alert(1)</script>\" onload=\"x' \u202eevil &amp; {{.}}"
	quoted := `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
	quoted = strings.ReplaceAll(quoted, "{", `\{`)
	text, html := pages(t, made(t, "use coins\nplayer "+quoted+" { }\nplayer Bob { }\nscene "+quoted+" { toss }\n"))
	if strings.Contains(html, "<script") || strings.Contains(html, `" onload="x`) {
		t.Error("a name is read as HTML")
	}
	if !strings.Contains(html, "&lt;script&gt;alert(1)") {
		t.Error("the name is not there")
	}
	for _, out := range []string{text, html} {
		for _, r := range out {
			if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Fatalf("%U is written", r)
			}
		}
	}
}

// Two encounters stand beside each other, with how they differ.
func TestBesideEachOther(t *testing.T) {
	a := made(t, "use coins\nplayer Ann { }\nplayer Bob { }\ntoss\n")
	b := made(t, "use coins\nplayer Ann { lost 1 }\nplayer Bob { }\ntoss\n")
	b.Name = "behind.scene"
	text, html := pages(t, a, b)
	// Who has lost one game already wins both of the next two: 1/4.
	for _, row := range []string{`The first wins +50\.0 % +25\.0 % +−25\.0\n`, `Ann is out +\d+\.\d % ± \d\.\d +7\d\.\d % ± \d\.\d +\+2\d\.\d ± \d\.\d\n`} {
		if !regexp.MustCompile(row).MatchString(text) {
			t.Errorf("half and a quarter, %s:\n%s", row, text)
		}
	}
	if !strings.Contains(html, "A is toss.scene. B is behind.scene.") || strings.Count(html, `id="b-falls"`) != 1 {
		t.Error("the page does not name both parts")
	}
}

func TestTitleOf(t *testing.T) {
	for name, want := range map[string]string{"évasion.scene": "Évasion", "the_bog-of doom.scene": "The bog of doom", "e": "Encounter"} {
		if got := titleOf(&danger.Report{Source: lang.NewSource(name, "")}); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}
