package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Three kinds of pages in a browser play encounters, each question answered on the page of whoever is asked: what happens is
// what happens where somebody presses Enter at the terminal, and is asked as little. All pages can be read by all, ask nothing
// of the network elsewhere, and fit their screens. The short form plays one encounter, the long form all.
func TestTableInABrowser(t *testing.T) {
	chromium := needBrowser(t)
	scripts := []string{"../../scripts/cah/bog_of_doom.scene"}
	if longTests {
		scripts = nil
		for _, form := range []string{"../../scripts/*/*.scene", "../../scripts/*/*.md", "../../scripts/ironsworn/*/evening.scene"} {
			found, _ := filepath.Glob(form)
			scripts = append(scripts, found...)
		}
	}
	setpiece := program(t, t.TempDir())
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			got := tableOf(t, chromium, setpiece, script)
			want := happened(decoded(t, output(t, "\n", setpiece, "play", "--json", "--seed", "1", "--ask", "the players", "--auto", "everything", strings.TrimPrefix(script, "../../"))))
			for _, r := range got.Log {
				delete(r, "brief")
			}
			want = slices.DeleteFunc(want, func(r map[string]any) bool { return r["event"] == "begin" || r["event"] == "script" })
			var fallen []string
			for _, r := range got.Log {
				if r["event"] == "moved" && r["out"] == true && !longTests {
					who, state := r["who"].(string), r["facts"].([]any)[0].(map[string]any)["name"].(string)
					fallen = append(fallen, strings.ReplaceAll(who, "_", " ")+" "+state)
				}
			}
			got.Log = slices.DeleteFunc(got.Log, func(r map[string]any) bool { return r["event"] == "moved" })
			if d := cmp.Diff(want, happened(got.Log)); d != "" {
				t.Error(d)
			}
			if a, b, _ := strings.Cut(got.Turn, "|"); a != b || !strings.Contains(got.End, "The end") {
				t.Errorf("a command on a phone: %q; when it is over: %q", got.Turn, got.End)
			}
			if !regexp.MustCompile(`^(You are Player 1: go on as \w.*\|(You decide: .*)?|\|)$`).MatchString(got.Again+"|"+got.Call) || got.Call == "" && !longTests {
				t.Errorf("opened again: %q; out of sight: %q", got.Again, got.Call)
			}
			if !regexp.MustCompile(`\w \S*\d`).MatchString(got.You) {
				t.Errorf("no trait has its size: %q", got.You)
			}
			for _, list := range [][]string{got.Violations, got.Asked, got.Errors, got.Spilt} {
				for _, x := range list {
					t.Error(x)
				}
			}
			hand, there := "give cut ", ""
			if strings.Contains(script, "ironsworn") { // its rules have a word for foes, and none for heroes
				hand, there = "ask fight ", "Kara, Tor"
			}
			if got.Hand != "" && (!strings.HasPrefix(got.Hand, hand) || !strings.Contains(got.There, there) || strings.Contains(got.There, "Table") || got.There == "") {
				t.Errorf("the hand offers %q; there are %q", got.Hand, got.There)
			}
			if len(got.Back) == 2 && (got.Back[0] < 0 || got.Back[0] > got.Back[1]/2) {
				t.Errorf("the question that came is at %v", got.Back)
			}
			if got.Hand != "" && !regexp.MustCompile(`^(hero|crew|cast) Zoe \{ \}$`).MatchString(got.Declared) {
				t.Errorf("who comes late is declared with %q", got.Declared)
			}
			if len(got.Refused) > 0 && slices.Min(got.Refused) < 0 {
				t.Errorf("why a command is refused is off the screen, or what else there is stays open: %v", got.Refused)
			}
			if len(got.Reach) > 0 && slices.Min(got.Reach) < 0 || len(got.Reach) == 0 && !longTests {
				t.Errorf("what is asked next is out of the window: %v", got.Reach)
			}
			for _, m := range fallen {
				if !slices.ContainsFunc(got.Heads, func(head string) bool { return strings.HasSuffix(head, m) }) {
					t.Errorf("%s is not in the words of the last roll: %q", m, got.Heads)
				}
			}
			for page, wide := range got.Wide {
				t.Errorf("%s is %d pixels wide", page, wide)
			}
			if len(got.Together) == 2 && got.Together[0]+got.Together[1] != "" && !strings.Contains(got.Together[0]+got.Together[1], "that question is over") {
				t.Errorf("two who pressed at once were told %q", got.Together)
			}
		})
	}
}

// played is what testdata/browser/table.mjs saw.
type played struct {
	Questions                           int
	Violations, Asked, Errors, Together []string
	Wide                                map[string]int
	Spilt                               []string  // elements that do not fit their box
	Hand, There, Declared               string    // what the game master's hand offers, who is there, and what is written for a word that is none
	Back                                []float64 // where the question is that came while the page was scrolled down, and how high the window is
	Refused                             []float64 // how far above and below the answer to a command is from the edges, and less what was left open
	Reach                               []float64 // how far what is asked next is from the edges, after an answer from a page that was scrolled down
	Heads                               []string  // what the last roll was called at each question
	Turn                                string    // what a press on a whole command has put where it can be altered, and what it said; "" if nobody was asked
	You                                 string    // one's own traits, with their dice
	End                                 string    // what a phone shows when it is over
	Again                               string    // what a phone offers that is opened again
	Call                                string    // what it says of a question that is out of sight
	Log                                 []map[string]any
}

// What the pages say of a question: whose roll of the script it is about, what is worth an answer, who was first, that what
// was wrong is not any more, and that a seat was freed. A whole command of the suggestions is sent at once.
func TestAskedInABrowser(t *testing.T) {
	chromium := needBrowser(t)
	dir := t.TempDir()
	script := filepath.Join(dir, "asked.scene")
	os.WriteFile(script, []byte(`use unisystem
cast Nell { INTELLIGENCE 4, WILLPOWER 3; OCCULTISM 4, INFLUENCE 3; life 28; drama 3 }
cast Ann { WILLPOWER 3; INFLUENCE 3 }
guest Clerk { WILLPOWER 2; brains 13 }
scene "The office" {
  heroes Nell, Ann
  bystanders Clerk
  dice 2
  Ann: attempt lie vs Clerk
  Nell: research "the choir" book "Songs" needs 2
  dice 3 4
  Ann: attempt lie vs Clerk
  Ann: roll WILLPOWER doubled
  exit Ann
  turn
}
`), 0o644)
	var got map[string]any
	pagesOf(t, chromium, program(t, dir), script, "asked.mjs", &got)
	want := map[string]any{
		"script": "Nell research | INTELLIGENCE + OCCULTISM", "drama": "Nell research", "worth": "no true",
		"offered": "Nousual | Yes, +101 drama, 2 left",
		"roll":    "8 against 13 failure by 5",
		"late":    "The game master was first: your answer did not count.",
		"wanted":  "Ben asks you to take back: Game Master: How hard is it? challenging Take it back No",
		"mine":    "Nell research: 14 against 9 failure",
		"asked":   "", "red": "", "hint": "a plain sentence will do", "alter": true, "whole": true,
		"own": "Nell research: 14 against 9 failure: the Game Master knows why", "columns": "roll",
		"once": "Ben stays | Free the seat of Ben", "freed": "Your seat was freed. Take it again, or another one. Nell,Ann",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What a player typed of their dice stays until there is news of it, also on a page that is opened again, and a die shows no more
// than it has. A scene clears what was told in the one before as soon as it goes on, and who is played and not in it can be
// brought in.
func TestStaleInABrowser(t *testing.T) {
	chromium := needBrowser(t)
	dir := t.TempDir()
	script := filepath.Join(dir, "stale.scene")
	os.WriteFile(script, []byte(`use marvel
hero Gale { solo d8; distinction "Loud"; power_set "Wind" { GUST d8 }; pp 0 }
hero "Old Oak" { solo d8; pp 1 }
watcher Moth { solo d6 }
watcher Wasp { solo d6 }
doom 2d6
scene "The roof" {
  heroes Gale, "Old Oak"
  villains Moth
  turn Gale
  print "The roof gives way."
}
scene "The cellar" {
  heroes Gale
  villains Wasp
  turn Gale
}
`), 0o644)
	var got map[string]any
	pagesOf(t, chromium, program(t, dir), script, "stale.mjs", &got)
	want := map[string]any{
		"pool": "the pool: solo d8 + Loud d8 + GUST d8", "no": "a d8 shows 1 to 8", "mended": "", "thrown": "7 | 1 | 5",
		"waits": "Gale hits Moth / ", "usual": "usual", "goes": " /  / ",
		"absent": `Old Oak is played by Ben and not in this scene: heroes "Old Oak" Not now`, "there": "Watcher | Gale | Old Oak | Wasp",
		"kept":   true,             // what stands in a list as before is not made anew
		"became": "Gale: startled", // a change does not say its value twice
		"said":   "Gale: a freak-out | led by Gale: 14 | Gale: fear of Moth | ", "sheet": true,
		"chase": "Gale, Moth | Moth | Gale, Moth",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func tableOf(t *testing.T, chromium, setpiece, script string) (got played) {
	t.Helper()
	pagesOf(t, chromium, setpiece, script, "table.mjs", &got)
	return got
}

// pagesOf serves a script, and takes what a program saw on its pages.
func pagesOf(t *testing.T, chromium, setpiece, script, looks string, got any) {
	t.Helper()
	serve := exec.Command(setpiece, "serve", "--seed", "1", script)
	serve.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { serve.Process.Kill(); serve.Wait() }()
	var links []string
	for lines := bufio.NewScanner(out); len(links) < 3 && lines.Scan(); {
		links = append(links, regexp.MustCompile(`http\S+#\S+`).FindAllString(lines.Text(), -1)...)
	}
	if len(links) < 3 {
		t.Fatalf("links: %v", links)
	}
	look := exec.Command("node", append([]string{"../../testdata/browser/" + looks}, links...)...)
	look.Env = append(os.Environ(), "SETPIECE_CHROMIUM="+chromium)
	var errs bytes.Buffer
	look.Stderr = &errs
	said, err := look.Output()
	if err == nil {
		err = json.Unmarshal(said, got)
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, said, errs.String())
	}
}
