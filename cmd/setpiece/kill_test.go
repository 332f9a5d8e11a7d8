package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"setpiece/cmd/internal/journal"
)

var acknowledged = regexp.MustCompile(`(?m)^ack (\d+)$`)

// A prompt is killed at any moment, again and again, while somebody types. Each
// line whose answer was seen is in the journal, in order, no record is damaged,
// and the next prompt takes the session up with all of them. By default few are
// killed; SETPIECE_KILLS says how many.
func TestKillCampaign(t *testing.T) {
	kills := 12
	if n, err := strconv.Atoi(os.Getenv("SETPIECE_KILLS")); err == nil {
		kills = n
	}
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
	paths, _ := filepath.Glob(filepath.Join(dir, ".local", "state", "setpiece", "session-*.jsonl"))
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
