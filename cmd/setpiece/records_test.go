package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
	"setpiece/interp/transcript/transcripttest"
)

// recording are commands that write records of a scene, whatever becomes of it: with limits,
// since what takes long is told by the same records.
var recording = [][]string{
	{"run", "--seed", "1"},
	{"odds", "--time", "200ms", "--trials", "50"},
	{"sim", "-n", "20"},
	{"check"},
	{"run", "--trace", "--seed", "2"},
	{"test"},
	{"play", "--seed", "3"},
	{"odds", "--compare", "report 1", "--time", "200ms", "--trials", "50"},
}

// lasting are commands that ask for the odds of many changes or decisions: for some scenes.
var lasting = [][]string{
	{"why", "--time", "50ms", "--trials", "10"},
	{"odds", "--best", "everybody", "--goal", "1", "--time", "200ms", "--trials", "50"},
}

// TestRecordsOfCorpus: what each command writes of each scene with --json is records as the
// schema has them, the last of them too if the command stops. The short form tries one
// command on some scenes; the long form three on each, another three on the next, and on some
// all of them.
func TestRecordsOfCorpus(t *testing.T) {
	var scenes []string
	for _, pattern := range []string{"testdata/*/*.scene", "scripts/*/*.scene"} {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		scenes = append(scenes, paths...)
	}
	step := 29
	if longTests {
		step = 1
	}
	tried := 0
	for i := 0; i < len(scenes); i += step {
		var commands [][]string
		switch {
		case !longTests:
			commands = recording[tried%len(recording):][:1]
		case i%87 == 0:
			commands = slices.Concat(recording, lasting)
		default:
			for k := range 3 {
				commands = append(commands, recording[(i+3*k)%len(recording)])
			}
		}
		for _, args := range commands {
			tried++
			var out, errs bytes.Buffer
			args = append(append([]string{args[0], "--json"}, args[1:]...), scenes[i])
			status := cli.Main(args, strings.NewReader(""), &out, &errs)
			kinds, err := transcripttest.Check(out.String(), true)
			if err != nil {
				t.Errorf("setpiece %s: %v", strings.Join(args, " "), err)
			}
			if kinds["begin"] != 1 {
				t.Errorf("setpiece %s: %d first records, exit status %d\n%s", strings.Join(args, " "), kinds["begin"], status, errs.String())
			}
			if args[0] != "check" && args[0] != "test" && len(kinds) < 2 {
				t.Errorf("setpiece %s: nothing but the first record, exit status %d\n%s", strings.Join(args, " "), status, errs.String())
			}
		}
	}
	if tried == 0 {
		t.Fatal("there is no scene")
	}
}

// TestRecordsOfRules: rules, their text and the decisions of each system are records too.
func TestRecordsOfRules(t *testing.T) {
	lists, err := filepath.Glob("../../testdata/*/ids.txt")
	if err != nil || len(lists) == 0 {
		t.Fatal("there are no lists of rules", err)
	}
	for _, list := range lists {
		system := filepath.Base(filepath.Dir(list))
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		calls := [][]string{{"rules", "--json", system}, {"rules", "--json", "--decisions", system}}
		ids := strings.Fields(string(text))
		step := 40
		if longTests {
			step = 1
		}
		for i := 0; i < len(ids); i += step {
			calls = append(calls, []string{"explain", "--json", ids[i]})
		}
		for _, args := range calls {
			var out, errs bytes.Buffer
			status := cli.Main(args, strings.NewReader(""), &out, &errs)
			if kinds, err := transcripttest.Check(out.String(), true); err != nil || len(kinds) < 2 || status != 0 {
				t.Errorf("setpiece %s: %v, exit status %d\n%s", strings.Join(args, " "), err, status, errs.String())
			}
		}
	}
}
