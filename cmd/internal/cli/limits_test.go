package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"setpiece/interp"
)

func TestLimitsTakeCommas(t *testing.T) {
	for arg, want := range map[string]struct {
		steps int64
		dice  int64
		depth int
	}{
		"steps=200,000,000":             {200_000_000, 0, 0},
		"steps=1,500,dice=20,000":       {1500, 20_000, 0},
		"steps=1500,depth=50,dice=2000": {1500, 2000, 50},
		"depth=1,000":                   {0, 0, 1000},
		"steps=1e9":                     {1_000_000_000, 0, 0},
	} {
		var l limits
		if err := l.Set(arg); err != nil || l.Steps != want.steps || l.Dice != want.dice || l.Depth != want.depth {
			t.Errorf("%s gives steps %d, dice %d, depth %d, error %v", arg, l.Steps, l.Dice, l.Depth, err)
		}
	}
	for _, arg := range []string{"steps=20,00", "steps=2000,000", "steps=,500", "500", "steps=1,000,"} {
		var l limits
		if l.Set(arg) == nil {
			t.Errorf("%s is taken as steps %d", arg, l.Steps)
		}
	}
}

// The example of each limit, on its page and in help, is one that works.
func TestExamplesOfLimits(t *testing.T) {
	n := 0
	for _, topic := range programTopics((&app{}).root()) {
		if topic.Kind != "limit" {
			continue
		}
		n++
		_, arg, ok := strings.Cut(topic.Example, "--limit ")
		arg, _, _ = strings.Cut(arg, " ")
		var l limits
		if err := l.Set(arg); !ok || err != nil {
			t.Errorf("%s: %v", topic.Example, err)
		}
	}
	if n != len(theLimits()) {
		t.Errorf("%d of %d limits have a page", n, len(theLimits()))
	}
}

// The defaults are those that the program, its help and PROMISES.md say.
func TestDefaultsOfLimits(t *testing.T) {
	promises, err := os.ReadFile("../../PROMISES.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown limits
	for _, l := range theLimits() {
		if err := shown.Set(l.name + "=" + l.value); err != nil {
			t.Error(err)
		}
		row := regexp.MustCompile("(?m)^\\| `" + l.name + "`[^|]*\\| " + regexp.QuoteMeta(l.value) + " \\|")
		if !row.Match(promises) {
			t.Errorf("no row of PROMISES.md says that %s is %s", l.name, l.value)
		}
	}
	want := interp.Limits{
		Steps: interp.DefaultSteps, Depth: interp.DefaultDepth, Size: interp.DefaultSize, Dice: interp.DefaultDice,
		Output: interp.DefaultOutput, Time: interp.DefaultTime, Source: interp.DefaultSource, Memory: interp.DefaultMemory,
	}
	if shown.Limits != want {
		t.Errorf("help says %+v, and what holds is %+v", shown.Limits, want)
	}
}

// The error of a limit says what it is and how to change it, whatever runs the script.
func TestErrorsOfLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.scene")
	for _, tt := range []struct{ limit, text, want string }{
		{"steps=1000", "while yes { let x = 1 }", "more than 1,000 steps"},
		{"time=1ms", "while yes { let x = 1 }", "more than 1ms"},
		{"memory=64KiB", "let l = []\nwhile yes { l = [l, 1] }\nreport l", "more than 64 KiB of memory"},
		{"source=10", "print 1 + 2", "longer than 10 bytes"},
		{"output=10", "while yes { print \"abc\" }", "more than 10 bytes"},
		{"depth=10", "rule r(n) = r(n + 1) + 1\nreport r(0)", "more than 10 deep"},
		{"size=10", "let l = [1]\nwhile yes { l = l + l }\nreport l", "more than 10 elements"},
		{"dice=10", "let n = 0\nwhile yes { n = n + (throw 2d6).sum }\nreport n", "more than 10 dice"},
	} {
		if err := os.WriteFile(path, []byte(tt.text+"\ntest \"it\" { expect 1 == 1 }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(tt.limit, "=")
		commands := []string{"run", "play", "sim", "test"}
		switch name {
		case "source":
			commands = append(commands, "check", "fmt", "odds", "why", "report")
		case "steps":
			commands = append(commands, "odds")
		}
		for _, cmd := range commands {
			status, out, errs := call(cmd, "--limit", tt.limit, path)
			if said := out + errs; status == statusDone || !strings.Contains(said, tt.want) || !strings.Contains(said, "--limit "+name+"=VALUE changes this limit") {
				t.Errorf("%s --limit %s: %d, %s", cmd, tt.limit, status, said)
			}
		}
	}
}
