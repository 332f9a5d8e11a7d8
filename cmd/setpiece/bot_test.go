package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"testing"
	"time"
)

// A bot at the other end of two pipes reads the record of what it wrote before it writes the next
// line: at the prompt, at a question, for ?, for commands and for what does not fit.
func TestBotThroughPipes(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(program(t, dir), "--prompt", "--json", "--seed", "1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer late.Stop()
	records := bufio.NewScanner(out)
	records.Buffer(nil, 1<<20)
	for _, x := range []struct{ line, event string }{
		{"use cah", "module"},
		{`hero Nova { star 3; PUNCH 4; QUICK 3 }; villain Sludge { star 4; OOZE 4 }`, ""},
		{`scene "Yard" action { heroes Nova; villains Sludge; tactics villains { otherwise: attack any hero with best trait }; tactics heroes { otherwise: attack any foe with best trait }; fight rounds 1 }`, "question"},
		{"99", "reply"}, {":state Nova", "reply"}, {":help", "reply"}, {":log", "reply"}, {":nosuch", "reply"},
		{"?", "advice"},
		{":auto all", "group"},
		{":state", "reply"}, {"odds (throw 3d6).sum >= 15", "reply"}, {"why (throw 2d6).sum > 7", "reply"}, {"nonsense here", "error"},
	} {
		if _, err := io.WriteString(in, x.line+"\n"); err != nil {
			t.Fatal(err)
		}
		var r struct{ Event, Typed string }
		for x.event != "" && r.Event != x.event {
			if !records.Scan() {
				t.Fatalf("no %s after %s", x.event, x.line)
			}
			if err := json.Unmarshal(records.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
		}
		if x.event == "reply" && r.Typed != x.line {
			t.Errorf("%s is answered with what was said to %s", x.line, r.Typed)
		}
	}
}
