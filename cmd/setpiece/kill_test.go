package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"setpiece/cmd/internal/journal"
)

var acknowledged = regexp.MustCompile(`(?m)^ack (\d+)$`)

// killed is how many programs a campaign kills: as many as SETPIECE_KILLS says, or as usual.
func killed(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("SETPIECE_KILLS")); err == nil {
		return n
	}
	return usual
}

// A prompt is killed at any moment, again and again, while somebody types. Each
// line whose answer was seen is in the journal, in order, no record is damaged,
// and the next prompt takes the session up with all of them. By default few are
// killed; SETPIECE_KILLS says how many.
func TestKillCampaign(t *testing.T) {
	kills := killed(12)
	const perSession = 40 // then a new one is begun, so that taking up stays quick
	r := rand.New(rand.NewPCG(1, 2))
	dir, line, seen, inside := "", 0, 0, 0
	for k := range kills {
		args := []string{"--resume"}
		if k%perSession == 0 {
			dir, line = home(t), 0
		}
		if line == 0 {
			args = nil // there is nothing to take up
		}
		p := sit(t, dir, args...)
		p.prompted(-1)
		first := line
		typed := make(chan struct{})
		go func() {
			defer close(typed)
			for range 6 {
				line++
				if _, err := fmt.Fprintf(p.pty, "let x = %d; print \"ack {x}\"\r", line); err != nil {
					return
				}
			}
		}()
		time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond)
		p.cmd.Process.Signal(syscall.SIGKILL)
		<-typed
		p.leaves()
		last := first
		for _, m := range acknowledged.FindAllStringSubmatch(p.shown(), -1) {
			n, _ := strconv.Atoi(m[1])
			last = max(last, n)
		}
		seen += last - first
		line = kept(t, dir, k, first, last)
		if line > last {
			inside++
		}
	}
	t.Logf("%d killed, %d lines acknowledged and none lost; %d were killed behind the journal and before the answer", kills, seen, inside)
}

// kept checks the journal of a session whose lines are numbered, up to first of
// them from before and those up to last acknowledged, and gives the number of the
// last that it has.
func kept(t *testing.T, dir string, kill, first, last int) int {
	t.Helper()
	paths := evenings(dir)
	if len(paths) == 0 && last == 0 {
		return 0
	}
	if len(paths) != 1 {
		t.Fatalf("kill %d: journals: %v", kill, paths)
	}
	c, err := journal.Read(paths[0])
	if err != nil || c.Damage != nil {
		t.Fatalf("kill %d: %v, %v", kill, err, c)
	}
	n := 0
	for _, e := range c.Entries {
		if e.Input == "" {
			continue
		}
		n++
		if want := fmt.Sprintf("let x = %d; print \"ack {x}\"", n); e.Input != want {
			t.Fatalf("kill %d: line %d of the journal is %q", kill, n, e.Input)
		}
	}
	if n < last {
		t.Fatalf("kill %d: line %d was acknowledged, and the journal ends with %d", kill, last, n)
	}
	return max(n, first)
}

// questions is a script with a die before each question, and a line behind each answer.
const questions = `sheet guest { n number }
guest Ann {}
let n = 0
while n < 500 {
  n += 1
  let d = (throw d1000).face
  let a = choose answer by Ann from [1, 2, 3, 4, 5, 6, 7] "Question {n} after {d}:" default 1
  print "ack {n} {d} {a}"
}
`

var (
	questionOpen = regexp.MustCompile(`Question (\d+) after (\d+):[^\n]*\) $`)
	questionDone = regexp.MustCompile(`(?m)^ack \d+ \d+ \d+$`)
)

// answerTo is what the person says to a question.
func answerTo(question int) int { return 1 + question*question%7 }

// An evening of play is killed while a question stands, while somebody types, and
// while it starts, again and again. It goes on with every answer whose consequence was
// on the screen, and with none that was never typed; a question that stood there comes
// again; and every die is the one of an evening that nobody kills.
func TestKillCampaignOfPlay(t *testing.T) {
	const perEvening = 60 // then a new one is begun
	r := rand.New(rand.NewPCG(3, 4))
	var dir string
	var dice []int // behind each question, from 1
	answered, stood := 0, 0
	open := 0 // the question that stood there at the last kill, with nothing typed
	seen, inside, starting := 0, 0, 0
	for k := range killed(12) {
		args := []string{"play", "--resume"}
		if k%perEvening == 0 {
			dir, dice = evening(t)
			answered, open = 0, 0
		}
		if paths := evenings(dir); len(paths) == 0 {
			args = []string{"play", "--seed", "1", "questions.scene"}
		}
		p := sit(t, dir, args...)
		if k%4 == 3 { // while it starts
			time.Sleep(time.Duration(r.IntN(25)) * time.Millisecond)
			p.kill()
			starting++
		} else {
			var m []string
			p.wait("a question", func(s *screen) bool {
				m = questionOpen.FindStringSubmatch(s.line())
				return m != nil
			})
			n, _ := strconv.Atoi(m[1])
			d, _ := strconv.Atoi(m[2])
			if n != answered+1 || d != dice[n] {
				t.Fatalf("kill %d: question %d after %d; %d are answered, and the die before the next is %d", k, n, d, answered, dice[answered+1])
			}
			if open > 0 {
				if n != open {
					t.Fatalf("kill %d: question %d stood there, and now %d", k, open, n)
				}
				stood++
			}
			open = n
			if k%4 != 0 {
				open = 0
				typed := make(chan struct{})
				go func() {
					defer close(typed)
					for i := range 6 {
						if _, err := fmt.Fprintf(p.pty, "%d\r", answerTo(n+i)); err != nil {
							return
						}
					}
				}()
				time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
				p.cmd.Process.Signal(syscall.SIGKILL)
				<-typed
				p.leaves()
			} else {
				p.kill()
			}
		}
		shown := answered
		for _, line := range questionDone.FindAllString(p.shown(), -1) {
			n, _ := strconv.Atoi(strings.Fields(line)[1])
			if want := fmt.Sprintf("ack %d %d %d", n, dice[n], answerTo(n)); line != want {
				t.Fatalf("kill %d: %q, not %q", k, line, want)
			}
			shown = max(shown, n) // a question is shown with what came just before it
		}
		seen += shown - answered
		kept := answersKept(t, dir, k)
		if kept < shown || open > 0 && kept != shown {
			t.Fatalf("kill %d: %d answers were acknowledged, and the journal has %d", k, shown, kept)
		}
		if kept > shown {
			inside++
		}
		answered = kept
	}
	t.Logf("%d killed, %d of them while they started; %d answers acknowledged and none lost; %d questions stood there and came again with the same dice; %d were killed behind the journal and before the screen", killed(12), starting, seen, stood, inside)
}

// evening is a home folder with the script, and the dice that it throws.
func evening(t *testing.T) (dir string, dice []int) {
	t.Helper()
	dir = home(t)
	if err := os.WriteFile(filepath.Join(dir, "questions.scene"), []byte(questions), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("setpiece", "run", "--seed", "1", "questions.scene")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dice = []int{0}
	for _, line := range questionDone.FindAll(out, -1) {
		d, _ := strconv.Atoi(string(bytes.Fields(line)[2]))
		dice = append(dice, d)
	}
	if len(dice) != 501 {
		t.Fatalf("%d dice", len(dice))
	}
	return dir, dice
}

// evenings are the journals of a home folder.
func evenings(dir string) []string {
	paths, _ := filepath.Glob(filepath.Join(dir, ".local", "state", "setpiece", "session-*.jsonl"))
	return paths
}

// answersKept checks the journal of an evening and says how many answers it has.
func answersKept(t *testing.T, dir string, kill int) int {
	t.Helper()
	paths := evenings(dir)
	if len(paths) == 0 {
		return 0
	}
	if len(paths) != 1 {
		t.Fatalf("kill %d: journals: %v", kill, paths)
	}
	c, err := journal.Read(paths[0])
	if err != nil || c.Damage != nil {
		t.Fatalf("kill %d: %v, %v", kill, err, c)
	}
	n := 0
	for _, e := range c.Entries {
		if e.Option == nil {
			continue
		}
		if n++; *e.Option != answerTo(n)-1 {
			t.Fatalf("kill %d: answer %d of the journal is number %d", kill, n, *e.Option)
		}
	}
	return n
}

var (
	tried  = regexp.MustCompile(`(?m)^ ?if +try (\d+)$`)
	taken  = regexp.MustCompile(`(?m)^ ?kept: x = (\d+)`)
	stands = regexp.MustCompile(`(?m)^ ?is (\d+)$`)
)

const courseOpen = "nothing has changed yet: :keep takes this course"

// A prompt is killed at any moment while somebody changes x to 10, 20, 30 …, tries each time
// with :what-if what 5 more had led to, and keeps or drops that. When the session is taken up
// the course is open as a whole or not at all, x is what it was before it or, once it was
// kept, what it made of it, and nothing whose answer was seen is lost.
func TestKillCampaignOfWhatIf(t *testing.T) {
	const perSession = 20 // then a new one is begun, so that taking up stays quick
	r := rand.New(rand.NewPCG(5, 6))
	ends := func(group int) (line string, x int) {
		if group%2 == 1 {
			return ":keep", 10*group + 5
		}
		return ":drop", 10 * group
	}
	number := func(re *regexp.Regexp, text string) int { // the last on the screen
		all := re.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return -1
		}
		n, _ := strconv.Atoi(all[len(all)-1][1])
		return n
	}
	dir, x, group := "", 0, 0
	reopened, kept, seen := 0, 0, 0
	kills := killed(4)
	for k := range kills {
		var p *person
		if k%perSession == 0 {
			dir, x = home(t), 0
			p = sit(t, dir)
			p.say("let x = 0")
		} else {
			p = sit(t, dir, "--resume")
		}
		p.prompted(-1)
		first := group + 1
		group += 2
		typed := make(chan struct{})
		go func() {
			defer close(typed)
			for g := first; g <= group; g++ {
				line, _ := ends(g)
				for _, line := range []string{fmt.Sprintf("x = %d; print \"ack {x}\"", 10*g), fmt.Sprintf(":what-if x = %d; print \"try {x}\"", 10*g+5), line} {
					if _, err := fmt.Fprintf(p.pty, "%s\r", line); err != nil {
						return
					}
				}
			}
		}()
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
		p.cmd.Process.Signal(syscall.SIGKILL)
		<-typed
		p.leaves()
		before := p.shown()

		p = sit(t, dir, "--resume")
		p.prompted(-1)
		open := strings.Contains(p.shown(), courseOpen)
		at := -1 // the group of the open course
		if open {
			reopened++
			at = number(tried, p.shown()) / 10
			line, _ := ends(at)
			p.say(line)
		}
		p.say("print \"is {x}\"")
		p.wait("x", func(s *screen) bool { return stands.MatchString(s.String()) })
		now := number(stands, p.shown())
		p.kill()

		allowed := map[int]bool{}
		if open {
			_, after := ends(at)
			allowed[after] = at >= first && at <= group
		} else {
			allowed[x] = true
			for g := first; g <= group; g++ {
				allowed[10*g] = true
				_, after := ends(g)
				allowed[after] = true
			}
		}
		if !allowed[now] {
			t.Fatalf("kill %d: x is %d, with a course open: %t (of group %d); before it was %d, and groups %d to %d were typed\n%s", k, now, open, at, x, first, group, before)
		}
		if n := max(number(acknowledged, before), number(taken, before)); n > now {
			t.Fatalf("kill %d: %d was acknowledged, and x is %d\n%s", k, n, now, before)
		} else if n >= 0 {
			seen++
		}
		if now%10 == 5 {
			kept++
		}
		x = now
	}
	t.Logf("%d killed; %d courses were open and came again, %d were kept; in %d evenings something had been acknowledged, and none of it was lost", kills, reopened, kept, seen)
}
