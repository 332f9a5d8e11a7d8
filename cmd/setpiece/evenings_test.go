package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Whole evenings at a terminal, one for each game: two players and a game master play an
// encounter of their own from its first command to its report. They mistype, ask what an
// answer is worth, look at sheets, take answers back and type what some of the dice show;
// once the program is killed with a question open. An archive holds the scene, the
// arguments, the lines typed, each at a prompt, and the screen that the evening leaves
// behind. The line KILL kills the program and takes the evening up again.
func TestEvenings(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/evenings/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no evenings:", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { wholeEvening(t, path) })
	}
}

func wholeEvening(t *testing.T, path string) {
	archive(t, path, t.TempDir(), nil, func(dir string, args []string, typed string) string {
		return playEvening(t, dir, args, typed)
	})
}

// playEvening types lines, each at a prompt, until the scene ends, and gives what was on the
// screens of the evening, one behind the other.
func playEvening(t *testing.T, dir string, args []string, typed string) string {
	t.Helper()
	var screens strings.Builder
	p := sit(t, dir, append([]string{"play"}, args...)...)
	row := -1
	for line := range strings.Lines(typed) {
		line = strings.TrimSuffix(line, "\n")
		asked := p.questioned(row)
		if line == "KILL" {
			p.kill()
			screens.WriteString(estimated(asked) + "\n$ setpiece play --resume\n")
			p, row = sit(t, dir, "play", "--resume"), -1
			continue
		}
		row = p.row()
		p.enter(line)
		if strings.HasPrefix(line, "?") {
			p.enough(row)
		}
	}
	if err := p.leaves(); err != nil {
		t.Errorf("the evening ended with %v", err)
	}
	screens.WriteString(estimated(p.shown()))
	return screens.String()
}

// question is the line of a question with nothing typed yet: a prompt, or a turn with what
// Enter takes.
var question = regexp.MustCompile(`(: |\] |\) |> |^\. )$`)

// questioned waits for a question below row, and gives the screen as it is then. The line may
// be drawn once more after that.
func (p *person) questioned(row int) (shown string) {
	p.t.Helper()
	p.wait("a question", func(s *screen) bool {
		shown = s.String()
		return s.row > row && question.MatchString(s.line()) && state(p.t, p.pty) != p.lines
	})
	return shown
}

// enough stops figures that get better for as long as somebody watches them, by a key that
// leaves no mark on an empty line.
func (p *person) enough(row int) {
	p.t.Helper()
	watching := func(s *screen) bool { return strings.Contains(s.String(), "any key stops") }
	asks := func(s *screen) bool { return s.row > row && question.MatchString(s.line()) }
	p.wait("figures", func(s *screen) bool { return watching(s) || asks(s) })
	for p.see(watching) {
		p.press("\x15")
		time.Sleep(5 * time.Millisecond)
	}
}

// Estimates depend on how long somebody watched them, and with them what is said above and
// below, as the goal: one that is the same for each answer may be told or not, and where all
// are there is one line for all answers. That there are figures stays.
var (
	worth   = regexp.MustCompile(`(?m)^(  \S+) .*(?: %|[+-]\d+\.\d\d).*$`)
	judged  = regexp.MustCompile(`;\s+(\w+\s+hardly\s+differs,\s+so\s+)?best\s+goes\s+by\s+\w+`)
	sampled = regexp.MustCompile(`;\s+±\s+estimated\s+from\s+\d+\s+trials?\s+with\s+each\s+(answer|command),\s+later\s+decisions\s+as\s+usual`)
	same    = regexp.MustCompile(`(?m)^  (?:as .* sees it, )?every answer is worth.*\n(?:  .*\n)*`)
	table   = regexp.MustCompile(`(?m)^(?: +[a-z]+(?: {2,}[a-z]+)*\n)?((?:  \S+ N %\n)+)(?:  [a-z ]+(?:: .*)?\n)*`)
)

func estimated(shown string) string {
	shown = same.ReplaceAllString(shown, "  each N %\n")
	shown = judged.ReplaceAllString(shown, "")
	shown = sampled.ReplaceAllString(worth.ReplaceAllString(shown, "$1 N %"), "")
	return table.ReplaceAllString(shown, "  each N %\n")
}

// The same advice with two goals and with one, that was watched for longer.
func TestEstimatesInAnEvening(t *testing.T) {
	const want = "Ann: Duck? [y/N] ?\n  each N %\nAnn: Duck? [y/N] y\n  Ann: luck 2 -> 1\n"
	for _, table := range []string{
		"       roll      win\n  no   41 %      50 ± 3 %\n  yes  52 %      51 ± 3 %   best\n  roll: it goes your way; win: your side wins\n",
		"  no   50 ± 3 %\n  yes  51 ± 3 %   best\n  your side wins\n",
		"  no   50 ± 3 %\n  yes  51 ± 3 %   best\n",
		"  every answer is worth the same for roll and win, as far as 52\n  trials with each tell\n",
		"  every answer is worth the same for win: 50 ± 3 %, as far as 52 trials with each tell\n",
		"  every answer is worth the same for roll: 50 %\n  the answers differ in this:\n       luck\n  no   +2.00\n  yes  +1.00\n",
		"       margin\n  no   +3.50 ±0.49\n  yes  -1.25 ±0.10   best\n  margin: by how much it goes your way\n",
		"       roll      win\n  no   41 %      50 ± 3 %\n  yes  52 %      50 ± 3 %   best\n  roll: it goes your way; win: your side wins; win hardly\n  differs, so best goes by roll\n",
	} {
		shown := "Ann: Duck? [y/N] ?\n" + table + "Ann: Duck? [y/N] y\n  Ann: luck 2 -> 1\n"
		if got := estimated(shown); got != want {
			t.Errorf("%s\nis\n%s", shown, got)
		}
	}
}

// What is kept of an evening says nothing that depends on how long somebody watched.
func TestEveningsAreEstimatedOnce(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/evenings/*.txtar")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if again := estimated(string(text)); again != string(text) {
			t.Errorf("%s: -want +got\n%s", path, cmp.Diff(again, string(text)))
		}
	}
}
