package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/cli"
)

// written are calls that write to standard output, at least one of each command, and those that
// write a file OUT besides. FILE, NOTE, LOG, PART and PART2 are there before.
var written = []string{
	"-e print~1", "run FILE", "run --json FILE", "run --log OUT FILE", "play --json FILE", "odds FILE", "odds --json FILE", "odds --csv FILE", "odds --svg OUT FILE",
	"why FILE", "sim -n 100 FILE", "sim -n 100 --csv FILE", "sim -n 100 --part OUT FILE", "merge PART PART2", "merge --csv PART PART2",
	"tune --vary n=1..3 --want 50% FILE", "check --json FILE", "weave -d NOTE", "fmt FILE", "fmt -d FILE", "fmt NOTE", "test TEST", "test --cover TEST", "test --cover=OUT TEST", "rules cah",
	"explain cah.token", "doc cah", "doc quick cah", "doc quick cah -o OUT", "doc glossary", "replay LOG", "completion bash", "version", "--version", "schema",
	"report --trials 100 FIGHT", "report --trials 100 -o OUT FIGHT", "graph FIGHT", "system pack RULES -o OUT", "help", "help run", "--help", "--prompt",
	"complete FIGHT:5:1", "hover FIGHT:2:2", "editor neovim", "serve --stdio", "share FILE", "sheet schema cah", "sheet export FIGHT", "sheet export FIGHT -o OUT",
}

// disk prepares what the calls read.
func disk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"FILE":      "let   n = 2\nlet x = (throw d6).face\nreport x > n\nprint \"" + strings.Repeat("long ", 2000) + "\"\n",
		"NOTE.md":   "```setpiece odds\nlet   x = (throw d6).face\nreport x\n```\n",
		"gap.rules": "system gap \"Gap\" version 1.0 licence \"CC0-1.0\"\n",
		"TEST":      "test \"one\" { expect 1 == 1 }\n",
		"FIGHT":     "use cah\nhero Juno { star 3; SLING 4 }\nvillain Fang { star 3; CLAW 4 }\nscene \"One\" action {\n  heroes Juno\n  villains Fang\n  tactics heroes { otherwise: attack any foe with SLING }\n  tactics villains { otherwise: attack any foe with CLAW }\n  fight\n  report winner\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"run --log LOG FILE", "sim -n 100 --shard 1/2 --part PART FILE", "sim -n 100 --shard 2/2 --part PART2 FILE"} {
		var out strings.Builder
		if status := cli.Main(inDisk(dir, "", args), strings.NewReader(""), &out, &out); status != 0 {
			t.Fatalf("%s: %s", args, out.String())
		}
	}
	return dir
}

// inDisk is a call with the files of dir, which writes OUT.
func inDisk(dir, out, args string) []string {
	list := strings.Fields(args)
	for i, arg := range list {
		switch {
		case arg == "NOTE":
			list[i] = filepath.Join(dir, "NOTE.md")
		case strings.HasSuffix(arg, "=OUT"):
			list[i] = strings.TrimSuffix(arg, "OUT") + out
		case arg == "RULES":
			list[i] = filepath.Join(dir, "gap.rules")
		case strings.HasPrefix(arg, "FIGHT:"):
			list[i] = filepath.Join(dir, arg)
		case arg == "OUT":
			list[i] = out
		case slices.Contains([]string{"FILE", "TEST", "FIGHT", "LOG", "PART", "PART2"}, arg):
			list[i] = filepath.Join(dir, arg)
		default:
			list[i] = strings.ReplaceAll(arg, "~", " ")
		}
	}
	return list
}

// What cannot be written is reported, and the exit status is not 0, for every command: nobody
// takes half of a script or of a table for the whole.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full: ", err)
	}
	defer full.Close()
	dir := disk(t)
	for _, args := range written {
		t.Run(args, func(t *testing.T) {
			var errs strings.Builder
			status := cli.Main(inDisk(dir, filepath.Join(dir, "OUT"), args), strings.NewReader("print 1\n"), full, &errs)
			if quiet := strings.Contains(args, "OUT") && errs.Len() == 0; status == 0 && !quiet {
				t.Errorf("status 0, and %q", errs.String())
			} else if !quiet && !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("status %d, and %q", status, errs.String())
			}
		})
	}
}

// The same of a disk that fills up: a tmpfs of one page, where one may be mounted. A file that
// cannot be written whole is not there.
func TestDiskThatFills(t *testing.T) {
	small := t.TempDir()
	if runtime.GOOS != "linux" || exec.Command("mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=20", "tmpfs", small).Run() != nil {
		t.Skip("only root may mount a small disk")
	}
	defer exec.Command("umount", small).Run()
	dir := disk(t)
	for _, args := range written {
		if out, status := filepath.Join(small, "OUT"), 0; strings.Contains(args, "OUT") {
			var errs strings.Builder
			status = cli.Main(inDisk(dir, out, args), strings.NewReader(""), &errs, &errs)
			info, err := os.Stat(out)
			if status == 0 && (err != nil || info.Size() == 0) || status != 0 && !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("%s: status %d, and %q", args, status, errs.String())
			}
			os.Remove(out)
		}
		fills(t, dir, small, args)
	}
}

// fills makes a call whose standard output is a file on a small disk.
func fills(t *testing.T, dir, small, args string) {
	t.Helper()
	to, err := os.Create(filepath.Join(small, "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(to.Name())
	defer to.Close()
	var whole, errs strings.Builder
	call := func(out *os.File) int {
		list := inDisk(dir, filepath.Join(t.TempDir(), "OUT"), args)
		if out == nil {
			return cli.Main(list, strings.NewReader("print 1\n"), &whole, &errs)
		}
		return cli.Main(list, strings.NewReader("print 1\n"), out, &errs)
	}
	before := call(nil)
	errs.Reset()
	after := call(to)
	if whole.Len() > 4096 && (after == 0 || !strings.Contains(errs.String(), "no space left on device")) {
		t.Errorf("%s > FILE: status %d, with room for it %d, and %q", args, after, before, errs.String())
	}
}

// Each command is among those that are tried, but for lsp, whose output is answers, and playground, which
// builds for a minute.
func TestEveryCommandWrites(t *testing.T) {
	for _, command := range commands(t) {
		if command != "lsp" && command != "playground" && !slices.ContainsFunc(written, func(args string) bool { return strings.HasPrefix(args+" ", command+" ") }) {
			t.Errorf("no call of %s is tried on a full disk", command)
		}
	}
}
