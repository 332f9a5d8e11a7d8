package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// master is the page of the game master, and the program that serves it.
type master struct {
	t         *testing.T
	cmd       *exec.Cmd
	url, code string
}

var masterLink = regexp.MustCompile(`(http://[^/\s]+)/gm#(\S+)`)

// serving begins an evening on pages, or takes it up.
func serving(t *testing.T, dir string, args ...string) *master {
	t.Helper()
	m := &master{t: t, cmd: exec.Command("setpiece", append([]string{"serve", "--port", "0"}, args...)...)}
	m.cmd.Dir, m.cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, ".local", "state"))
	var wrong bytes.Buffer
	m.cmd.Stderr = &wrong
	out, err := m.cmd.StdoutPipe()
	if err == nil {
		err = m.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.kill)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if link := masterLink.FindStringSubmatch(lines.Text()); link != nil {
			m.url, m.code = link[1], link[2]
			go io.Copy(io.Discard, out)
			return m
		}
	}
	t.Fatalf("no link: %s", &wrong)
	return nil
}

func (m *master) kill() {
	m.cmd.Process.Kill()
	m.cmd.Wait()
}

// question gives the question that is open when the page is loaded: its number, the die before it, and its form.
func (m *master) question() (n, die int, form string) {
	m.t.Helper()
	r, _ := http.NewRequestWithContext(m.t.Context(), http.MethodGet, m.url+"/api/stream", nil)
	r.Header.Set("Authorization", "Bearer "+m.code)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Fatal(err)
	}
	defer a.Body.Close()
	for lines := bufio.NewReaderSize(a.Body, 1<<20); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			m.t.Fatal(err)
		}
		var page struct{ Ask struct{ ID, Title string } }
		if data, ok := strings.CutPrefix(line, "data: "); !ok || json.Unmarshal([]byte(data), &page) != nil || page.Ask.ID == "" {
			continue
		}
		if page.Ask.Title == "beginning" {
			m.answer(page.Ask.ID, `"text":""`)
			return m.question()
		}
		if _, err := fmt.Sscanf(page.Ask.Title, "Ann: Question %d after %d:", &n, &die); err != nil {
			m.t.Fatalf("%q: %v", page.Ask.Title, err)
		}
		return n, die, page.Ask.ID
	}
}

// answer answers the form and says whether that was acknowledged.
func (m *master) answer(form, answer string) bool {
	body := fmt.Sprintf(`{"form":%q,%s}`, form, answer)
	r, _ := http.NewRequest(http.MethodPost, m.url+"/api/answer", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+m.code)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	io.Copy(io.Discard, a.Body)
	a.Body.Close()
	return a.StatusCode == http.StatusOK
}

// The program that serves an evening is killed while a question stands, while answers arrive, and while it
// starts, again and again. The pages go on by the link that they have: with every answer that was
// acknowledged, none that was never given, and the dice of an evening that nobody kills.
func TestKillCampaignOfPages(t *testing.T) {
	const perEvening = 60 // then a new one is begun
	r := rand.New(rand.NewPCG(7, 8))
	var dir, code string
	var dice []int
	answered, seen, inside, starting := 0, 0, 0, 0
	for k := range killed(12) {
		args := []string{"--resume"}
		if k%perEvening == 0 {
			dir, dice = evening(t)
			answered, code = 0, ""
		}
		if len(evenings(dir)) == 0 {
			args = []string{"--seed", "1", "--ask", "everything", "questions.scene"}
		}
		m := serving(t, dir, args...)
		if code != "" && code != m.code {
			t.Fatalf("kill %d: the game master's link has changed", k)
		}
		code = m.code
		if k%4 == 3 { // while the page is loaded
			m.kill()
			starting++
			continue
		}
		shown := answered
		n, die, form := m.question()
		if n != answered+1 || die != dice[n] {
			t.Fatalf("kill %d: question %d after %d; %d are answered, and the die before the next is %d", k, n, die, answered, dice[answered+1])
		}
		cut := strings.LastIndexByte(form, '-') + 1 // the numbers of forms follow one another
		first, err := strconv.Atoi(form[cut:])
		if err != nil {
			t.Fatal(form)
		}
		if k%4 != 0 {
			sent := make(chan int)
			go func() {
				for i := range 6 {
					if !m.answer(fmt.Sprint(form[:cut], first+i), fmt.Sprintf(`"option":%d`, answerTo(n+i)-1)) {
						break
					}
					shown = n + i
				}
				sent <- shown
			}()
			time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
			m.kill()
			shown = <-sent
		} else {
			m.kill()
		}
		kept := answersKept(t, dir, k)
		if kept < shown {
			t.Fatalf("kill %d: %d answers were acknowledged, and the journal has %d", k, shown, kept)
		}
		if kept > shown {
			inside++
		}
		seen += shown - answered
		answered = kept
	}
	t.Logf("%d killed, %d of them before anybody looked; %d answers acknowledged and none lost; %d were killed behind the journal and before the answer", killed(12), starting, seen, inside)
}

// Whoever takes an evening up can hand somebody over as they do, and is told of a name that nobody has.
func TestResumeHandsOver(t *testing.T) {
	dir := t.TempDir()
	script := "use cah\nhero Nova { star 3; PUNCH 3 }\ntactics Nova { otherwise: recover }\nscene \"The roof\" { heroes Nova; turn Nova }\n"
	if err := os.WriteFile(filepath.Join(dir, "roof.scene"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args          []string
		asked, throws bool
	}{
		{[]string{"roof.scene"}, true, false},
		{[]string{"--resume", "--auto", "Nova", "--ask", "dice Nova"}, false, true},
		{[]string{"--resume"}, false, true},
		{[]string{"--resume", "--ask", "Nova"}, true, true},
	} {
		m := serving(t, dir, c.args...)
		if asked, throws := m.hands("Nova"); asked != c.asked || throws != c.throws {
			t.Errorf("%q: asked %v, own dice %v", c.args, asked, throws)
		}
		m.kill()
	}
	cmd := exec.Command("setpiece", "serve", "--resume", "--port", "0", "--ask", "Mole")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, ".local", "state"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "nobody is called Mole") {
		t.Errorf("Mole: %v %s", err, out)
	}
}

// hands says whether somebody's commands are asked for, and whether they throw their own dice, when the page is loaded.
func (m *master) hands(who string) (asked, throws bool) {
	m.t.Helper()
	r, _ := http.NewRequestWithContext(m.t.Context(), http.MethodGet, m.url+"/api/stream", nil)
	r.Header.Set("Authorization", "Bearer "+m.code)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Fatal(err)
	}
	defer a.Body.Close()
	for lines := bufio.NewReaderSize(a.Body, 1<<20); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			m.t.Fatal(err)
		}
		var page struct {
			People []struct {
				Who           string
				Asked, Throws bool
			}
		}
		data, _ := strings.CutPrefix(line, "data: ")
		json.Unmarshal([]byte(data), &page)
		for _, p := range page.People {
			if p.Who == who {
				return p.Asked, p.Throws
			}
		}
	}
}
