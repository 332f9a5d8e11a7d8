package repl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/lang"
	"setpiece/stdlib"
)

// TestSavedEvenings: what is saved is what was played. Somebody types the statements of a scene of
// each system, answers by chance, hands people over and takes them back, takes back and gives
// again, throws their own dice, gives some in blocks of which parts are refused, does by hand what a
// game master does, at turns and at questions, too, and saves, now and then and at the end; running what was saved gives the state of that moment, and tells the same.
func TestSavedEvenings(t *testing.T) {
	scenes, err := filepath.Glob("../../../scripts/*/*.scene")
	if err != nil || len(scenes) < 14 {
		t.Fatalf("%v: %q", err, scenes)
	}
	rounds := 1
	if longTests {
		rounds = 60
	}
	system := ""
	for i, path := range scenes {
		if !longTests && filepath.Dir(path) == system {
			continue // one of each system
		}
		system = filepath.Dir(path)
		for k := range rounds {
			t.Run(fmt.Sprint(filepath.Base(path), k), func(t *testing.T) {
				t.Parallel()
				savedEvening(t, path, uint64(i*1000+k))
			})
		}
	}
}

func savedEvening(t *testing.T, path string, seed uint64) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	who := &whim{r: rand.New(rand.NewPCG(seed, 1)), entries: statements(string(text)), out: &out, left: 60, folder: t.TempDir(), hands: handsOf(filepath.Base(filepath.Dir(path)), string(text))}
	who.entries = append(slices.Insert(who.entries, 1, draws), who.save())
	l := New(Config{Lines: who, Out: &out, Session: interp.Config{Modules: stdlib.FS, Seed: seed}, Quiet: true})
	who.state = func() []assist.StateLine {
		state, _ := assist.State(l.Session(), "")
		return state
	}
	if err := l.Run(); err != nil {
		t.Fatal(err)
	}
	typed := "typed:\n" + strings.Join(who.typed, "\n")
	if strings.Contains(out.String(), "warning: running it") {
		if regexp.MustCompile(`(?m)^\w+ Late\d`).MatchString(typed) {
			return // in a script they are there from the start, which may count, and that is told
		}
		t.Fatalf("%s\n\n%s", typed, tail(out.String()))
	}
	for file, want := range who.saved {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		again := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := again.Exec(t.Context(), lang.NewSource("saved.scene", string(script))); !evening.Stays(err) {
			t.Fatal(err)
		}
		got, _ := assist.State(again, "")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\n%s\n%s", d, typed, script)
		}
	}
}

// draws declares what blocks do.
const draws = `sheet toy { drawn number }
toy Top { drawn 0 }
rule draws(who) {
  who.drawn = (throw d4).face * 5
  who.drawn = who.drawn + choose picked by who from [1, 2, 3] default random
  offer more to who "more?" { who.drawn = who.drawn * 3 + (throw d6).face }
}
rule flop(who) { draws(who); refuse "no" }`

// block gives statements in a block that give, draw, and draw what is then refused.
func (w *whim) block() string {
	parts := []string{"dice 3", "dice 1 2", "answers 2", "answers none yes", "picks 3", "draws(Top)"}
	var list func(depth int) string
	list = func(depth int) string {
		var out []string
		for range 1 + w.r.IntN(4) {
			p := parts[w.r.IntN(len(parts))]
			if depth < 2 && w.r.IntN(3) == 0 {
				p = "refused { " + list(depth+1) + "; flop(Top) }"
			}
			out = append(out, p)
		}
		return strings.Join(out, "; ")
	}
	return "if yes { " + list(0) + " }"
}

// handsOf gives what a game master may do by hand in a scene of a system.
func handsOf(system, text string) (all []string) {
	of := map[string][]string{
		"cah":           {"hero Late# { star 2; FIST 2 }", "give 1 oomph to X", "give 1 setback to X", "X.oomph = 2", `award X "well said"`},
		"firefly":       {"crew Late# { MENTAL d6; FIGHT d8 }", "give 1 pp to X", "give complication SPRAIN d6 to X", "X.pp = 2"},
		"marvel":        {"hero Late# { solo d6 }", "give 1 pp to X", "give stress physical d6 to X", "give doom d6", "X.pp = 3"},
		"unisystem":     {"cast Late# { STRENGTH 2; DEXTERITY 3; KUNG_FU 3; base 5; life 40 }", "give 1 drama to X", "give 2 damage to X", "X.drama = 2", `award X "to the ghost"`},
		"clichenimatic": {"hero Late# { FIST +2 }", "give 1 resolve to X", "give 1 essence to X", "X.resolve = 2"},
	}[system]
	names := []string{"Late1", "Late2"}
	for _, m := range regexp.MustCompile(`(?m)^(?:hero|crew|cast) ("[^"]+"|\w+)`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	for _, name := range names {
		for _, line := range append(of[1:], "heroes X") {
			all = append(all, strings.ReplaceAll(line, "X", name))
		}
	}
	return append(all, `note "the lamp goes out"`, strings.ReplaceAll(of[0], "#", "1"), strings.ReplaceAll(of[0], "#", "2"))
}

func tail(s string) string { return s[max(0, len(s)-600):] }

// statements gives the statements of a script one by one.
func statements(text string) (out []string) {
	f, _ := lang.Parse(lang.NewSource("", text))
	for _, s := range f.Stmts {
		at := s.Range()
		out = append(out, text[at.Start:at.End])
	}
	return out
}

// whim types entries in order, and at questions whatever comes to mind.
type whim struct {
	r       *rand.Rand
	entries []string
	typed   []string
	out     *strings.Builder
	lines   []string // of the entry that is being typed
	left    int      // answers, then tactics go on alone

	hands  []string // what the game master may do by hand
	folder string
	saves  int
	state  func() []assist.StateLine
	saved  map[string][]assist.StateLine // by file, how everybody stood then
	last   string                        // the file that the line before saved to
}

// save is a line that saves to a file of its own.
func (w *whim) save() string {
	w.saves++
	return fmt.Sprintf(":save %s", filepath.Join(w.folder, fmt.Sprint("saved", w.saves, ".scene")))
}

func (w *whim) Remember(string) {}

func (w *whim) ReadLine(p string) (string, error) {
	if w.last != "" {
		if w.saved == nil {
			w.saved = map[string][]assist.StateLine{}
		}
		w.saved[w.last], w.last = w.state(), ""
	}
	if len(w.lines) == 0 {
		w.lines = strings.Split(w.next(p), "\n")
	}
	line := w.lines[0]
	w.lines = w.lines[1:]
	w.last, _ = strings.CutPrefix(line, ":save ")
	if w.last == line {
		w.last = ""
	}
	w.typed = append(w.typed, line)
	return line, nil
}

func (w *whim) next(p string) string {
	if strings.HasPrefix(p, prompt) {
		switch n := w.r.IntN(30); {
		case len(w.entries) == 1 || n > 8:
		case n > 6:
			return w.block()
		case n == 6:
			return w.hands[w.r.IntN(len(w.hands))]
		case n == 5:
			return w.save()
		default:
			return []string{":dice roll", ":auto all", ":ask all", ":undo\n:redo", ":seed 5"}[n]
		}
		if len(w.entries) == 0 {
			return ":quit"
		}
		e := w.entries[0]
		w.entries = w.entries[1:]
		return e
	}
	w.left--
	switch n := w.r.IntN(60); {
	case w.left <= 0 && w.left%2 == 0:
		return ":dice roll" // again and again, as :undo may have brought the question for dice back
	case w.left < 0:
		return ":auto all"
	case n == 0:
		return ":undo"
	case n == 1:
		return ":auto all"
	case n == 2:
		return ":ask all"
	case n == 3:
		return ":dice ask"
	case n == 4:
		return ":dice roll"
	case n < 11:
		return w.hands[w.r.IntN(len(w.hands))]
	case n < 20:
		return ""
	case n < 30:
		return "y"
	}
	var words []string
	for range 1 + strings.Count(p, " d") {
		words = append(words, fmt.Sprint(1+w.r.IntN(4)))
	}
	return words[0]
}

// Ann's tactics decide first, and she is handed over before she decides the same again: a saved script says which is which.
func TestSavedWhereTacticsDecidedFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.scene")
	out, _ := talk(t, func(c *Config) { c.Session.Modules = stdlib.FS }, "use unisystem", "cast Ann { DEXTERITY 3; drama 3; life 30 }", "tactics Ann { on drama: 4 }",
		":dice ask", "if yes { Ann: roll DEXTERITY once vs challenging; Ann: roll DEXTERITY once vs challenging }", ":ask all", "5", "", "6", ":save "+file)
	script, err := os.ReadFile(file)
	if err != nil || strings.Contains(out, "warning: running it") || !strings.Contains(string(script), "answers once over drama after 1 ") {
		t.Errorf("%v\n%s\n%s", err, out, script)
	}
}
