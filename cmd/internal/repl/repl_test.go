package repl

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/stdlib"
)

// typing is a Lines that types what it holds, and shows it as a terminal
// would. "^C" drops the line.
type typing struct {
	lines      []string
	out        io.Writer
	remembered []string
	onEnd      func() error // called when the lines are used up
}

func (t *typing) ReadLine(prompt string) (string, error) {
	io.WriteString(t.out, prompt)
	if len(t.lines) == 0 {
		io.WriteString(t.out, "\n")
		if t.onEnd != nil {
			return "", t.onEnd()
		}
		return "", io.EOF
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	io.WriteString(t.out, line+"\n")
	if strings.HasSuffix(line, "^C") {
		return "", ErrInterrupt
	}
	return line, nil
}

func (t *typing) Remember(entry string) { t.remembered = append(t.remembered, entry) }

// table is a folder with the rules the tests play by.
func table(t *testing.T) string {
	t.Helper()
	rules, err := os.ReadFile("../../../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tiny.rules"), rules, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// talk types lines into a new loop and returns all that was shown after the banner.
func talk(t *testing.T, change func(*Config), lines ...string) (string, *typing) {
	t.Helper()
	var out strings.Builder
	in := &typing{lines: lines, out: &out}
	cfg := Config{
		Lines:   in,
		Out:     &out,
		Session: interp.Config{Folder: os.DirFS(table(t)), Seed: 1},
		Version: "test",
	}
	if change != nil {
		change(&cfg)
	}
	if err := New(cfg).Run(); err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(out.String(), "\n")
	return shown, in
}

// said compares what was shown with what is wanted, which begins with a newline.
func said(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEntries(t *testing.T) {
	got, _ := talk(t, nil, "", "# nothing", "1 + 2", `print "hello"`, ":quit")
	said(t, got, `
> 
> # nothing
> 1 + 2
3
> print "hello"
hello
> :quit
`)
}

func TestBlocks(t *testing.T) {
	got, in := talk(t, nil, "if yes {", `  print "one"`, "", "}", "if yes {", "^C", "print [1,", "2]", `if no { 5`, "}}")
	said(t, got, `
> if yes {
.   print "one"
. 
. }
one
> if yes {
. ^C
> print [1,
. 2]
[1, 2]
> if no { 5
. }}
2:2: `+rest(got, "2:2: "))
	want := []string{"if yes {\n  print \"one\"\n\n}", "print [1,\n2]", "if no { 5\n}}"}
	if diff := cmp.Diff(want, in.remembered); diff != "" {
		t.Errorf("history: -want +got\n%s", diff)
	}
}

// rest is what follows a text: words that are no business of the test at hand.
func rest(s, after string) string {
	_, r, _ := strings.Cut(s, after)
	return r
}

func TestUndoRedo(t *testing.T) {
	got, _ := talk(t, nil,
		"use tiny", "dice 5 6 7", "roll", "roll", "Hero.n", ":undo", "Hero.n", ":redo", "Hero.n", ":undo 9", ":redo 3", "Hero.n", "roll", ":redo", ":undo 0")
	for _, want := range []string{
		"> Hero.n\n11\n> :undo\nundone: roll\n> Hero.n\n5\n> :redo\nredone: roll\n> Hero.n\n11\n",
		"> :undo 9\nundone: roll\nundone: roll\nundone: dice 5 6 7\nundone: use tiny\n> :redo 3\n",
		"redone: roll\n> Hero.n\n5\n> roll\n",
		"> :redo\nthere is nothing to redo\n> :undo 0\na number from 1, not 0\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// To look at something is no step.
func TestLooks(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "let x = 2", "x", "x + 1", `print "x"`, "report x", "throw d6", ":undo", ":undo", ":undo", ":undo")
	if !strings.HasSuffix(got, "> :undo\nundone: throw d6\n> :undo\nundone: let x = 2\n> :undo\nundone: use tiny\n> :undo\nthere is nothing to undo\n> \n") {
		t.Error(got)
	}
}

// What is too much for exact odds is simulated from where the session is, which stays
// as it is.
func TestOddsByTrials(t *testing.T) {
	got, _ := talk(t, nil, "let n = 15", "odds --states 3 if (throw d20).face > n then yes else no", "n", "odds --states 3 --columns nonsense (throw d20).face", "odds --states 3 if (throw d20).face > n then yes else no, if (throw d20).face > n - 1 then yes else no")
	for _, want := range []string{
		"too many possibilities for exact odds: estimated from 2000 trials\n",
		// Of two, the dice are the same: what 16 of 20 is not and 15 is, is the one face.
		"A         B         difference\n", "% ±0.",
		// 5 of 20
		"yes   25.", "± 1.9", "> n\n15\n", "there is no column nonsense",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// An entry is all or nothing.
func TestFailure(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "dice 5", "roll; sulk", "roll", "Hero.n", "rol", "Hero.n")
	for _, want := range []string{
		"nobody sulks here",
		"this entry changed nothing\n> roll\n  d12                      5\n",
		"> Hero.n\n5\n> rol\n",
		"did you mean roll",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

func TestAsking(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", ":dice ask", "roll twice", "13 1", "4 5", "double", "maybe", "y", "roll", "^C", "Hero.n", ":dice roll", ":dice", ":dice ask Hero", ":dice 7")
	for _, want := range []string{
		"2d12 for count (Hero): 13 1\n  a d12 shows 1 to 12, not 13\n2d12 for count (Hero): 4 5\n",
		"Hero: Double it? 1 luck, 1 left after it. [y/N] maybe\n  type yes or no; ? shows what each is worth, :help what else you can type\nHero: Double it? 1 luck, 1 left after it. [y/N] y\n",
		"d12 for count (Hero): ^C\nstopped; this entry changed nothing\n> Hero.n\n18\n",
		"> :dice roll\nsetpiece throws the dice\n> :dice\nsetpiece throws the dice\n> :dice ask Hero\ntype what the dice of Hero show, from the next throw on\n> :dice 7\n:dice ask or :dice roll   to give the next faces, type: dice 7",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

func TestSeed(t *testing.T) {
	a, _ := talk(t, nil, "use tiny", ":seed 7", "roll", "roll", ":seed", ":undo 3", ":seed")
	b, _ := talk(t, nil, "use tiny", "roll", ":seed 7", "roll", "roll", ":seed x")
	faces := regexp.MustCompile(`(?m)^  d12 +(\d+)$`)
	x, y := faces.FindAllString(a, -1), faces.FindAllString(b, -1)
	if len(x) != 2 || len(y) != 3 || x[0] != y[1] || x[1] != y[2] {
		t.Errorf("the same seed gives %q and then %q", x, y)
	}
	if !strings.HasSuffix(a, "> :seed\nseed 1\n> \n") {
		t.Errorf("undoing a seed does not bring the old one back:\n%s", a)
	}
	if !strings.Contains(b, "a seed is a whole number from 0, not x") {
		t.Error(b)
	}
}

// A saved session is a script that gives the same state, whatever threw the
// dice and decided.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "friday.scene")
	other := filepath.Join(dir, "other.scene")
	if err := os.WriteFile(other, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _ := talk(t, func(c *Config) { c.Session.Options = map[string]string{"ones": "lost"} },
		"use tiny", "roll", "roll twice", "sulk", "Hero.n", "double", "y", ":dice ask", "roll", "1", "if yes {", "roll", "roll }", "4", "5", ":undo", ":seed 3",
		":dice roll", "roll", ":save "+file, ":save "+file, ":save "+other, "n", ":state Hero")
	if strings.Contains(got, "warning") {
		t.Fatalf("the script does not give the state:\n%s", got)
	}
	if !strings.Contains(got, "other.scene is left as it was") {
		t.Errorf("another's file was written over:\n%s", got)
	}
	state := rest(got, "> :state Hero\n")
	again, _ := talk(t, nil, ":load "+file, ":state Hero")
	if diff := cmp.Diff(state, rest(again, "> :state Hero\n")); diff != "" {
		script, _ := os.ReadFile(file)
		t.Errorf("-saved +loaded\n%s\n%s", diff, script)
	}
}

func TestWrongSet(t *testing.T) {
	got, _ := talk(t, func(c *Config) { c.Session.Options = map[string]string{"onse": "lost"} }, "1", "use tiny", "2")
	if strings.Count(got, "--set: there is no option onse   did you mean ones?") != 1 {
		t.Error(got)
	}
}

func TestBriefOnAndOff(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", ":brief on", "roll", ":brief", "roll")
	if !regexp.MustCompile(`> :brief on\nbrief on\n> roll\n  Hero: roll, \d+, counted\n> :brief\nbrief off\n> roll\n  d12  `).MatchString(got) {
		t.Error(got)
	}
}

func TestCommands(t *testing.T) {
	got, _ := talk(t, nil, ":hlep", ":xyzzy", ":quit now", ":explain", ":load none.scene", "quit", ":trace", ":trace off", ":trace maybe", ":time on   # a comment", ":help :undo", ":options")
	for _, want := range []string{
		"there is no :hlep   did you mean :help?\n",
		"there is no :xyzzy   :help lists the commands\n",
		":quit takes nothing after it\n",
		":explain needs ID\n",
		"there is no file none.scene\n",
		"the prompt's own commands begin with a colon: :quit\n",
		"> :trace\ntrace on\n> :trace off\ntrace off\n> :trace maybe\non or off, not maybe\n",
		"\ntime on\n",
		"  :undo [N]   take back the last N entries\n",
		"the rules in use have no options\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(helpText(t), ":"+c.name) {
			t.Errorf(":help does not tell of :%s", c.name)
		}
	}
}

func helpText(t *testing.T) string {
	got, _ := talk(t, nil, ":help")
	return got
}

func TestRules(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", ":explain tiny.count.face", ":explain tiny.count.fce", ":options", ":help roll", ":help rol", ":state Hero", ":state Hreo")
	for _, want := range []string{
		"tiny.count.face   computed\n  What a die shows is added to the count.\n",
		"@count.face",
		"tiny.opt.ones",
		"kept | lost",
		"throws a d12 and adds it up",
		"no help on rol   did you mean roll?",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

func TestJSONPrompt(t *testing.T) {
	got, _ := talk(t, func(c *Config) { c.View.JSON = true }, "1 + 2", "oops")
	if !strings.Contains(got, `> 1 + 2`+"\n"+`{"event":"begin","version":2}`+"\n"+`{"event":"value","value":3}`+"\n> oops\n"+`{"event":"error",`) {
		t.Error(got)
	}
}

// An interrupt stops an evaluation and nothing else.
func TestInterrupt(t *testing.T) {
	got, _ := talk(t, func(c *Config) {
		c.Interrupt = func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		}
	}, "let x = 1", "while yes { x += 1 }", "x")
	said(t, got, `
> let x = 1
> while yes { x += 1 }

stopped; this entry changed nothing
> x
1
> 
`)
}

// So does one while a saved script is checked; the script is there.
func TestInterruptSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.scene")
	begun := 0
	got, _ := talk(t, func(c *Config) {
		c.Interrupt = func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			if begun++; begun > 3 { // of the line, and of what it does
				cancel()
			}
			return ctx, cancel
		}
	}, "let x = 1", ":save "+file)
	if !strings.Contains(got, "saved: "+file+", 1 entry\nstopped: whether running it gives this state was not checked") {
		t.Error(got)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "let x = 1") {
		t.Errorf("%v: %s", err, text)
	}
}

// Answers in a journal that do not fit the questions any more end nothing: the person goes on
// behind those that do, and the journal as it was stays.
func TestResumeMisfit(t *testing.T) {
	const script = `sheet guest { n number }
guest Ann {}
verb ask { do {
  let a = choose first by Ann from [1, 2] "First?" default 1
  let b = choose second by Ann from [1, 2] "Second?" default 1
  print "{a} {b}"
} }
ask`
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	j, err := journal.Create(path, journal.Head{Kind: journal.Play})
	if err != nil {
		t.Fatal(err)
	}
	one, nine := 1, 9
	j.Append(evening.Entry{Input: script, Name: "a.scene"})
	j.Append(evening.Entry{Answer: interp.Answer{Option: &one}})
	j.Append(evening.Entry{Answer: interp.Answer{Option: &nine}})
	j.Append(evening.Entry{Answer: interp.Answer{Option: &one}})
	j.Close()
	j, c, err := journal.Reopen(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in := &typing{lines: []string{":undo", "1", "1"}, out: &out}
	left, err := New(Config{Lines: in, Out: &out, Journal: j, Resume: c, Script: true}).Play(nil)
	if left || err != nil {
		t.Fatal(left, err, out.String())
	}
	for _, want := range []string{"a.scene, after 3 answers", "your answers do not fit", "taken back: 2 answers\n", "taken back: 1 answer: 2", "1 1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	kept, _ := filepath.Glob(path + ".*")
	if len(kept) != 1 {
		t.Errorf("kept: %v", kept)
	}
}

// killed is a session of which only the journal is left: the loop is cut off
// when its lines are used up.
func killed(t *testing.T, path string, change func(*Config), lines ...string) {
	t.Helper()
	cut := make(chan struct{})
	defer close(cut)
	done := make(chan struct{})
	var once sync.Once
	in := &typing{lines: lines, out: io.Discard, onEnd: func() error {
		once.Do(func() { close(done) })
		<-cut
		return io.ErrUnexpectedEOF
	}}
	j, err := journal.Create(path, journal.Head{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Lines: in, Out: io.Discard, Journal: j, Session: interp.Config{Folder: os.DirFS(table(t)), Seed: 1}}
	if change != nil {
		change(&cfg)
	}
	go New(cfg).Run()
	<-done
	j.Close()
}

func takeUp(t *testing.T, path string, change func(*Config), lines ...string) string {
	t.Helper()
	j, past, err := journal.Reopen(path)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := talk(t, func(c *Config) {
		c.Journal, c.Resume, c.Ask = j, past, past.Head.Ask
		if change != nil {
			change(c)
		}
	}, lines...)
	return got
}

// Whatever was going on when a session was killed, taking it up loses nothing:
// it goes on as the session that was not killed does.
func TestResume(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []string
	}{
		{"dice", []string{"use tiny", "roll", "roll", "Hero.n"}, []string{"Hero.n", "roll", "Hero.n"}},
		{"nothing yet", []string{}, []string{"1 + 1"}},
		{"undone", []string{"use tiny", "roll", "roll", ":undo"}, []string{"Hero.n", ":redo", "Hero.n", "roll", "Hero.n"}},
		{"undone and gone on", []string{"use tiny", "roll", "roll", ":undo", "roll"}, []string{"Hero.n", ":redo", ":undo 2", "Hero.n"}},
		{"seeds", []string{"use tiny", "roll", ":seed 5", "roll"}, []string{":seed", "roll", "Hero.n", ":undo 2", ":seed"}},
		{"failures", []string{"use tiny", "roll; sulk", "oops", "roll"}, []string{"roll", "Hero.n"}},
		{"answers", []string{"use tiny", ":dice ask", "roll", "7", "double", "y"}, []string{"Hero.n", "roll", "3", "Hero.n", ":dice roll", "roll", "Hero.n"}},
		{"dice handed over", []string{"use tiny", ":dice ask", "roll; roll; double; roll", "5", ":dice roll", ":dice ask", "n", "7", "roll", "3"}, []string{"Hero.n", ":undo", "Hero.n", ":redo", "roll", "8", "Hero.n", ":what-if 2 roll", "2", ":drop"}},
		{"dropped with dice", []string{"use tiny", ":dice ask", "roll; roll; double", "5", ":dice roll", "^C", "^C"}, []string{"Hero.luck", ":redo", "y", "Hero.n", "roll"}},
		{"dropped", []string{"use tiny", ":dice ask", "roll; double; roll", "5", "y", "^C", "^C"}, []string{"Hero.n", ":redo", "6", "Hero.n", ":redo", ":undo", ":redo"}},
		{"dropped, and others undone", []string{"use tiny", ":dice ask", "roll", "4", "roll", "5", ":undo", "roll; double", "7", "^C", "^C", ":undo"}, []string{"Hero.n", ":redo", ":redo", "y", "Hero.n", ":redo"}},
		{"dropped, and gone on", []string{"use tiny", ":dice ask", "roll; roll", "4", "^C", "^C", ":redo", "5"}, []string{"Hero.n", ":redo", ":undo", ":redo", "Hero.n"}},
		{"given dice", []string{"use tiny", "dice 3 4", "roll"}, []string{"roll", "Hero.n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "session-1.jsonl")
			killed(t, path, nil, c.before...)
			got := takeUp(t, path, nil, c.after...)
			whole, _ := talk(t, nil, append(append([]string(nil), c.before...), c.after...)...)
			_, got, found := strings.Cut(got, "> ")
			if !found || !strings.HasSuffix(whole, "> "+got) {
				t.Errorf("taken up:\n> %s\nnever killed:\n%s", got, whole)
			}
		})
	}
}

// The log says what was undone or stopped, and is there again when a session is taken up.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	entries := []string{"use tiny", "roll", "roll; sulk", "roll", ":undo", ":what-if roll twice", ":keep"}
	whole, _ := talk(t, nil, append(entries, ":log all")...)
	killed(t, path, nil, entries...)
	up := takeUp(t, path, nil, ":log all")
	for _, got := range []string{whole, up} {
		_, log, _ := strings.Cut(got, "> :log all")
		rolls, marks := 4, []string{"(stopped, and changed nothing: roll; sulk)\n", "(undone: roll)\n", "(:what-if roll twice)\n"}
		if got == up {
			rolls, marks = 2, marks[2:] // what was stopped, or cannot be redone any more, is not done again
		}
		for _, mark := range marks {
			if !strings.Contains(log, mark) {
				t.Errorf("no %q in\n%s", mark, log)
			}
		}
		if n := strings.Count(log, "Hero: roll"); n != rolls {
			t.Errorf("%d rolls in\n%s", n, log)
		}
	}
}

// Killed in the middle of an entry, a session asks on where it was.
func TestResumeInside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	killed(t, path, nil, "use tiny", ":dice ask", "if yes {", "roll", "roll", "}", "7")
	for range 2 { // and once more
		j, past, err := journal.Reopen(path)
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
		if n := len(past.Entries); past.Entries[n-1].Faces == nil {
			t.Fatalf("the journal ends with %+v", past.Entries[n-1])
		}
	}
	got := takeUp(t, path, nil, "5", "Hero.n")
	for _, want := range []string{
		"continued: 1 entry, the last: use tiny\nand what was going on: if yes { …\n",
		"d12 for count (Hero): 5\n",
		"> Hero.n\n12\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// A command may leave its colon out at a question, too; who types one of the shell is told what to type.
func TestWithoutColon(t *testing.T) {
	got, _ := talk(t, func(c *Config) { c.Shell = []string{"sim", "play"} }, "use tiny", ":dice ask", "roll", "help", "odds roll", "undo 2", "5", "sim Hero: roll", "double", "quit", "roll")
	for _, want := range []string{
		"help\n  Enter                 take the answer that is marked\n",
		"odds roll\noutcome  counted  always\n",
		"undo 2\nthere is no answer to take back;",
		"   setpiece sim is for the shell; here odds and why can stand before a command\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
	if !strings.HasSuffix(strings.TrimSpace(got), "[y/N] quit") {
		t.Errorf("quit does not leave in\n%s", got)
	}
	got, _ = talk(t, func(c *Config) { c.Session.Modules = stdlib.FS }, "use marvel", "hero Ann { solo d8; pp 0 }", "watcher Fang { solo d6 }", "scene \"S\" { heroes Ann; villains Fang; turn Ann }", "odds", "pass")
	if !strings.Contains(got, "odds\noutcome") { // of what she would do unasked
		t.Errorf("no odds of what is usual in\n%s", got)
	}
}

// Who throws the dice can change at a question, and at a throw itself. It is taken back with the
// answers, is there again with them, and holds on after the entry.
func TestDiceAtAQuestion(t *testing.T) {
	before := []string{"use tiny", ":dice ask", "roll; roll; double; roll", "5", ":dice roll"}
	after := []string{":dice ask", ":undo", "n", ":dice", "Hero.n", "roll", ":what-if 2 double", ":keep", "Hero.n"}
	got, _ := talk(t, nil, append(before, after...)...)
	for _, want := range []string{
		"d12 for count (Hero): :dice roll\nsetpiece throws the dice\n  d12                      7\n",
		"[y/N] :dice ask\nyou throw the dice and type what they show\n",
		"[y/N] :undo\ntaken back: :dice ask\nHero: Double it?",
		"[y/N] n\n  d12                      7\n",
		"> :dice\nsetpiece throws the dice\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	killed(t, path, nil, before...)
	up := takeUp(t, path, nil, after...)
	if a, b := rest(got, "> :dice\n"), rest(up, "> :dice\n"); a != b {
		t.Errorf("taken up:\n%s\nnever killed:\n%s", b, a)
	}
}

// Where a session cannot be saved the reason is told.
func TestSaveNowhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "away")
	got, _ := talk(t, nil, "let x = 1", ":save "+filepath.Join(dir, "x.scene"))
	if !strings.Contains(got, "there is no folder "+dir+"\n") {
		t.Error(got)
	}
}

// Ctrl-C at a question warns where answers would go. What it then drops comes back with them, and
// so does what failed, without the answer that led there.
func TestDropped(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", ":dice ask", "roll", "^C", "roll; roll", "5", "^C", "^C", "1 + 1", ":redo", "^C", "^C", ":undo", ":redo 9", "6",
		"Hero.n", ":redo", "roll; roll; sulk", "1", "2", ":redo", "^C", "3", ":redo")
	for _, want := range []string{
		"> roll\nHero: roll\nd12 for count (Hero): ^C\nstopped; this entry changed nothing\n> roll; roll\n",
		"d12 for count (Hero): ^C\n  Ctrl-C again drops this command; :redo then comes back to this question\nd12 for count (Hero): ^C\n" +
			"stopped; this entry changed nothing   :redo comes back to this question, after other entries as well\n> 1 + 1\n2\n> :redo\ngoes on: roll; roll, after 1 answer\n",
		"> :undo\nundone: use tiny\n> :redo 9\nredone: use tiny\ngoes on: roll; roll, after 1 answer\n",
		"  Hero: n 5 -> 11   tiny.count.face\n> Hero.n\n11\n> :redo\nthere is nothing to redo\n",
		"nobody sulks here",
		"this entry changed nothing   :redo comes back to your last answer\n> :redo\ngoes on: roll; roll; sulk, after 1 answer\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// Should the rules roll otherwise than they did, the dice that fell then count.
func TestResumeElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-1.jsonl")
	killed(t, path, nil, "use tiny", "roll", "roll", "Hero.n")
	want, _ := talk(t, nil, "use tiny", "roll", "roll", "Hero.n")
	got := takeUp(t, path, func(c *Config) { c.Session.Seed = 99 }, "Hero.n")
	if a, b := rest(want, "Hero.n\n"), rest(got, "Hero.n\n"); a != b {
		t.Errorf("%q, not %q", b, a)
	}
}

func TestCompletion(t *testing.T) {
	l := New(Config{Lines: &typing{out: io.Discard}, Out: io.Discard, Session: interp.Config{Folder: os.DirFS(table(t))}})
	l.enter("use tiny\nperson Hero {}\nperson \"Prof. Ö\" {}\nHero: roll")
	for _, c := range []struct{ line, want string }{
		{":un", ":undo"},
		{":trace o", "on off"},
		{":state He", "Hero"},
		{":explain tiny.c", "tiny.count.face"},
		{":undo 1", ""},
		{"rol", "roll"},
		{"roll tw", "twice"},
		{"Prof", `"Prof. Ö":`},
	} {
		from, list := l.Complete(c.line, len(c.line))
		var words []string
		for _, w := range list {
			words = append(words, w.Text)
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q: from %d, %q; want %q", c.line, from, got, c.want)
		}
	}
	l.cfg.Lines.(*typing).onEnd = func() error {
		_, verbs := l.Complete("rol", 3)
		if _, list := l.Complete("y", 1); len(verbs) > 0 || len(list) != 1 || list[0].Text != "yes" {
			t.Errorf("at a question: %v, %v", verbs, list)
		}
		return io.EOF
	}
	l.enter("dice 5; Hero: roll; Hero: double")
	if !l.quit {
		t.Error("nothing was asked")
	}
}

func TestMerge(t *testing.T) {
	got := merge([]assist.Completion{{Text: "spend", Doc: "a"}, {Text: "vs"}, {Text: "spend", Doc: "b"}, {Text: "spend", Doc: "a"}, {Text: "vs", Doc: "c"}})
	want := []assist.Completion{{Text: "spend", Doc: "a; b"}, {Text: "vs", Doc: "c"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestShared(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""}, {[]string{"roll"}, "roll"}, {[]string{"roll", "role"}, "rol"}, {[]string{"a", "b"}, ""}, {[]string{"DÉ", "DÈ"}, "D"},
	} {
		var list []assist.Completion
		for _, w := range c.words {
			list = append(list, assist.Completion{Text: w})
		}
		if got := shared(list); got != c.want {
			t.Errorf("%q: %q, not %q", c.words, got, c.want)
		}
	}
}

var refusedDice = regexp.MustCompile(`refused "[^"]*" \{ dice `)

// Every scene there is can be loaded at the prompt and saved as a script that
// gives the same state.
func TestSaveCorpus(t *testing.T) {
	var scenes []string
	for _, pattern := range []string{"testdata/*/*.scene", "scripts/*/*.scene"} {
		paths, _ := filepath.Glob(filepath.Join("../../..", pattern))
		scenes = append(scenes, paths...)
	}
	if len(scenes) == 0 {
		t.Fatal("there is no scene")
	}
	for i, path := range scenes {
		if i%part != 0 { // all of them in the long form
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "saved.scene")
			got, _ := talk(t, func(c *Config) {
				c.Session.Modules, c.Session.Folder = stdlib.FS, os.DirFS(filepath.Dir(path))
				c.View.Quiet = true
			}, ":load "+path, ":save "+file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if refusedDice.Match(text) {
				return // dice of a block that is refused fall again, those that fell at the table do not: it warns
			}
			if strings.Contains(got, "saved: ") && strings.Contains(got, "warning: running it") {
				t.Error(got[strings.Index(got, "warning: running it"):])
			}
		})
	}
}

// Wherever a session is cut off, at any line of its journal or in the middle
// of one, what is taken up and goes on ends where the whole session ended. The short form
// does one of the two at each line.
func TestResumeAnywhere(t *testing.T) {
	lines := []string{
		"use tiny", "roll", "roll twice", ":undo", "double", "y", ":seed 7", "roll", ":dice ask", "if yes { roll; roll twice; double }",
		"5", "6 7", "y", "roll", "13", "3", ":undo 2", ":redo", "roll; sulk", "4", "let x = Hero.n", ":dice roll", "roll", "dice 3 4", "roll",
	}
	final := []string{"Hero.n", "Hero.luck", "x", "roll", ":undo 2", "Hero.n", ":redo", "Hero.n"}
	dir := t.TempDir()
	path := filepath.Join(dir, "whole.jsonl")
	j, err := journal.Create(path, journal.Head{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := talk(t, func(c *Config) { c.Journal = j }, append(lines[:len(lines):len(lines)], final...)...)
	want := whole[strings.LastIndex(whole, "> dice 3 4\n"):]
	want = rest(want, "> Hero.n\n")
	if !strings.Contains(want, "> :redo\nredone: roll\n> Hero.n\n") {
		t.Fatalf("the whole session ends otherwise:\n%s", whole)
	}

	journal, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries := strings.SplitAfter(strings.TrimSuffix(string(journal), "\n"), "\n")
	typed := 0 // lines of the session that the journal so far stands for
	for n := 1; n < len(entries) && typed < len(lines); n++ {
		for i, torn := range []string{"", entries[n][:len(entries[n])/2]} {
			if n%2 != i && !longTests {
				continue
			}
			cut := filepath.Join(dir, "cut.jsonl")
			if err := os.WriteFile(cut, []byte(strings.Join(entries[:n], "")+torn), 0o600); err != nil {
				t.Fatal(err)
			}
			more := append(lines[typed:len(lines):len(lines)], final...)
			got := takeUp(t, cut, func(c *Config) { c.Session.Seed = 1 }, more...)
			if i := strings.LastIndex(got, "> Hero.luck\n"); i >= 0 {
				got = got[strings.LastIndex(got[:i], "> Hero.n\n"):]
			}
			if rest(got, "> Hero.n\n") != want {
				t.Errorf("cut behind %s(and %q), gone on with %q:\n%s\nnot\n%s", entries[n-1], torn, more[0], got, want)
			}
		}
		switch e := entries[n]; {
		case strings.HasPrefix(e, `{"done"`), strings.HasPrefix(e, `{"nothing"`), strings.Contains(e, `"dropped":true`), strings.HasPrefix(e, `{"file"`):
		case strings.Contains(e, `"faces":[3]`) && lines[typed] == "13":
			typed += 2 // the first answer was nonsense
		default:
			typed++
		}
	}
	if typed < len(lines) {
		t.Errorf("the journal tells of %d of %d lines:\n%s", typed, len(lines), journal)
	}
}

// Odds at the prompt change nothing, stand side by side, and tell of mistakes.
func TestOdds(t *testing.T) {
	got, _ := talk(t, nil, "let x = 4", "odds (throw 2d6).sum >= 11", "odds let y = (throw d6).face; report y > x", "x", "odds", "odds y", "use tiny", "odds roll, roll twice", ":undo",
		"odds --at-least (throw 2d6).sum", "odds --at-lest 3", "odds --columns z (throw d6).face")
	for _, want := range []string{
		"  no    91.67 %   11/12             ",
		"  yes    8.33 %    1/12   1 in 12   ",
		"  no    66.67 %   2/3 ",
		"odds needs a command",
		"A  roll\nB  roll twice\n",
		"undone: use tiny\n",
		"  12    2.78 %    1/36    1 in 36 ",
		"  11    8.33 %    1/12    1 in 12 ",
		"unknown flag: --at-lest",
		"there is no column z; there is: (throw d6).face",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
	if !strings.Contains(got, "1:1: ") {
		t.Errorf("y is still known:\n%s", got)
	}
}

// A long block is read to its end without being parsed after each line, and what is
// longer than an entry may be is refused as a whole.
func TestLongEntry(t *testing.T) {
	block := func(lines int) []string {
		out := []string{"let n = 0", "repeat 2 {"}
		for range lines {
			out = append(out, `  n = n + size([1, "}"]) # one } more`)
		}
		return append(out, "}", "n")
	}
	for _, tt := range []struct {
		lines int
		want  string
	}{
		{100, "400\n"},
		{2000, "8000\n"}, // some 70 KiB
		{9000, "this entry is longer than 256 KiB: put it in a file, and type  :load FILE\n> n\n0\n"},
	} {
		got, _ := talk(t, nil, block(tt.lines)...)
		if _, after, _ := strings.Cut(got, ". }\n"); !strings.HasPrefix(strings.TrimPrefix(after, "> n\n"), tt.want) {
			t.Errorf("%d lines: %q, want %q", tt.lines, after, tt.want)
		}
	}
}

// What was taken as usual is said below the command that it belongs to, for whom it was, and once.
func TestWhatWasTakenAsUsual(t *testing.T) {
	quiet := func(c *Config) { c.Session.Quiet = interp.QuietUsual }
	got, _ := talk(t, quiet, "use tiny", "decision how from \"1, 2\" usual\nrule shout(x) = choose how by x from [1, 2] \"How loud?\"",
		"person Ann { }", "person Bea { }", "print shout(Ann); print 1", "print shout(Bea)", ":ask how Ann, how Bea")
	_, got, _ = strings.Cut(got, "print 1\n")
	said(t, got, `
  not asked: Ann: how 1   :ask how
1
1
> print shout(Bea)
1
> :ask how Ann, how Bea
asked from now on: how Ann
asked from now on: how Bea
> 
`)
}
