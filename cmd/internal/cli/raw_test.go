package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/lang"
)

// evil is everything that steers a terminal or hides on it: the screen's title,
// colours, clearing, carriage return, NUL, backspace, DEL, C1, both ways of
// turning the direction of text, what takes no room, a line separator.
const evil = "\x1b]0;owned\a\x1b[31m\x1b[2J\r\x00\b\x7f\u009b1mA\u202eB\u2066C\u200bD\u2028E\ufeff"

// raw are those of its letters that no terminal may get.
var raw = strings.NewReplacer("]0;owned", "", "[31m", "", "[2J", "", "1mA", "", "B", "", "C", "", "D", "", "E", "").Replace(evil)

var colour = regexp.MustCompile(`\x1b\[[0-9;]{1,5}m`)

// Whatever a script, a file, a name, an argument, a log or a part holds, no call
// lets anything of it steer the terminal.
func TestNothingRaw(t *testing.T) {
	tiny, err := os.ReadFile("../../../testdata/cli/tiny.rules")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	name := strings.NewReplacer("\x00", "", "/", "").Replace(evil)
	lit := `"` + evil + `"`
	put := func(file, text string) string {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	put("tiny.rules", string(tiny))
	put("odd.rules", "system odd "+lit+"\n@a.b "+lit+"\nrule f(x) {\n  @c.d "+lit+"\n  if x > 1 { return 1 }\n  return 2\n}\nrecorded @e.f "+lit+"\n")
	scripts := map[string]string{
		"print":   "print " + lit + "\n",
		"report":  "report " + lit + "\nreport throw 2d6\n",
		"columns": "let x = " + lit + "\nreport x, (throw d6).face, x + \"2\"\n",
		"refuse":  "refuse " + lit + "\n",
		"expect":  "expect " + lit + " == \"b\"\n",
		"include": "include " + lit + "\n",
		"test":    "test " + lit + " { expect 1 == 1 }\ntest \"b" + evil + "\" { expect " + lit + " == 1 }\n",
		"names":   "use tiny\nperson " + lit + " { luck 3 }\n" + lit + ": roll\n" + lit + ".luck\nprint " + lit + ".nothing\n",
		"play":    "use tiny\nperson " + lit + " { luck 3 }\n" + lit + ": roll\n" + lit + ": double\nreport " + lit + ".n\n",
		"scene":   "scene " + lit + "\nnote " + lit + "\n",
		"wrong":   "use tiny\nrol " + lit + " " + evil + "\nroll { " + evil + " }\n# " + evil + "\nprint " + evil + "\n",
		"die":     "print throw d" + evil + "\n",
		"use":     "use " + lit + "\nuse odd\nf(2)\n",
		"deep":    "rule r(n) = r(n + 1)\nprint r(0), " + lit + "\n",
		"last":    "use tiny\nroll\nreport last.outcome, " + lit + "\n",
	}
	var calls [][]string
	for k, text := range scripts {
		file := put(k+name+".scene", text)
		for _, cmd := range []string{"run", "check", "test", "fmt", "odds", "sim", "why", "tune", "run --trace", "run --json", "run --quiet", "odds --json", "odds --csv", "sim --json", "test --json", "check --json", "run --color=always", "odds --color=always", "fmt --diff", "odds --at-least", "sim --csv", "play"} {
			words := append(strings.Fields(cmd), file)
			switch words[0] {
			case "sim":
				words = append(words, "-n", "40")
			case "tune":
				words = append(words, "--vary", "x"+name+"=1..2", "--want", "50%")
			}
			calls = append(calls, words)
		}
		calls = append(calls, []string{"run", "--log", k + ".log", file}, []string{"replay", k + ".log"}, []string{"replay", "--json", k + ".log"},
			[]string{"odds", "--svg", k + ".svg", file}, []string{"odds", "--with", name, file}, []string{"odds", "--compare", "print " + name, file},
			[]string{"odds", "--columns", name, file}, []string{"odds", "--best", name, file}, []string{"odds", "--tactics", name, file}, []string{"why", "--goal", name, file},
			[]string{"sim", "-n", "20", "--part", k + ".part", file}, []string{"merge", k + ".part"}, []string{"merge", "--json", k + ".part"},
			[]string{"run", "--set", name + "=" + name, file}, []string{"sim", "-n", name, file}, []string{"run", "--dice", name, file})
	}
	forged := func(file string, v any) string {
		data, err := journal.Seal(v)
		if err != nil {
			t.Fatal(err)
		}
		return put(file, string(data))
	}
	o := aPart(t)
	o.Columns[0], o.Ends[0].Shown[0], o.Ends[2].Stops = evil, evil, evil
	forged("forged.part", partFile{partVersion, partMark, Version, o})
	forged("other.part", partFile{partVersion, partMark, evil, o})
	o.Ends[0].Count++
	forged("bad.part", partFile{partVersion, partMark, Version, o})
	var log bytes.Buffer
	(&journal.Log{Program: evil, Set: map[string]string{evil: evil}, Source: journal.Text{Name: evil, Text: "print 1\nprnt " + lit + "\n"}, Files: []journal.Text{{Name: evil, Text: evil}}}).Write(&log)
	put("forged.log", log.String())
	log.Reset()
	(&journal.Log{Source: journal.Text{Name: evil, Text: "rule r(n) = r(n + 1)\nprint r(0)\n"}}).Write(&log)
	put("deep.log", log.String())
	calls = append(calls,
		[]string{"merge", "forged.part"}, []string{"merge", "--json", "forged.part"}, []string{"merge", "--csv", "forged.part"}, []string{"merge", "--svg", "forged.svg", "forged.part"},
		[]string{"merge", "bad.part"}, []string{"merge", "other.part"}, []string{"merge", name},
		[]string{"replay", "forged.log"}, []string{"replay", "deep.log"}, []string{"replay", name},
		[]string{"rules", "odd"}, []string{"rules", "--json", "odd"}, []string{"explain", "odd.c.d"}, []string{"explain", "odd"}, []string{"explain", "odd.a.b"}, []string{"explain", name}, []string{"rules", name},
		[]string{name}, []string{"--" + name}, []string{"run", "--" + name + "=1"}, []string{"run", name}, []string{"help", name}, []string{"completion", name}, []string{"run", "-e", "print " + lit},
		[]string{"__complete", "rules", name}, []string{"__complete", "explain", name}, []string{"__complete", "run", name},
	)
	said := 0
	for _, call := range calls {
		var out, errs bytes.Buffer
		Main(call, strings.NewReader("1\n"+evil+"\n\n\n"), &out, &errs)
		said += out.Len() + errs.Len()
		toPipe := call[0] == "fmt" // exact, for another program
		for what, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
			if toPipe && what == "stdout" {
				continue
			}
			if len(call) > 1 && call[1] == "--color=always" {
				text = colour.ReplaceAllString(text, "")
			}
			if strings.ContainsAny(text, raw) || lang.Visible(text) != text {
				t.Errorf("setpiece %q, %s:\n%q", call, what, text)
			}
		}
		if len(call) > 1 && call[1] == "--json" {
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("setpiece %q is no JSON: %q", call, line)
				}
			}
		}
	}
	if said < 100_000 {
		t.Errorf("only %d bytes were said", said)
	}
	drawn, _ := filepath.Glob("*.svg")
	if len(drawn) < 3 {
		t.Errorf("only %v were drawn", drawn)
	}
	for _, file := range drawn {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != lang.Visible(string(text)) {
			t.Errorf("%s: %q", file, text)
		}
		dec := xml.NewDecoder(bytes.NewReader(text))
		for err == nil {
			_, err = dec.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What JSON says is what the script says, letter by letter, though no letter of
// it steers a terminal.
func TestJSONKeepsLetters(t *testing.T) {
	var out, errs bytes.Buffer
	Main([]string{"run", "--json", "-e", `print "` + evil + `"`}, strings.NewReader(""), &out, &errs)
	var e struct{ Value string }
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &e); err != nil || e.Value != evil {
		t.Errorf("%v: %q\n%s%s", err, e, out.String(), errs.String())
	}
}
