package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// A flag of a command that weave runs, whose value is a file, writes that file, but for the script of --vs: the command is refused.
func TestWeaveRunsNoFlagWithFile(t *testing.T) {
	n := 0
	for _, c := range new(app).root().Commands() {
		if !slices.Contains(woven, c.Name()) {
			continue
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); f.Name == "vs" || !strings.Contains(name, "FILE") && !strings.Contains(f.Usage, "FILE") {
				return
			}
			n++
			if err := mayRun([]string{"setpiece", c.Name(), "--" + f.Name + "=x", "a.scene"}); err == nil || !strings.Contains(err.Error(), "writes a file") {
				t.Errorf("%s --%s=x: %v", c.Name(), f.Name, err)
			}
		})
	}
	if n < 4 {
		t.Errorf("%d flags name a file", n)
	}
}

// A command of a note that has no end is ended, and the note says so.
func TestWeaveEndsLongCall(t *testing.T) {
	defer func(was time.Duration) { longestCall = was }(longestCall)
	longestCall = 200 * time.Millisecond
	file := filepath.Join(t.TempDir(), "long.md")
	if err := os.WriteFile(file, []byte("```console\n$ setpiece sim -n 1e12 -e 'print throw d6'\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := Main([]string{"weave", file}, strings.NewReader(""), &out, &errs)
	if want := "minutes at most"; status == 0 || !strings.Contains(errs.String(), want) {
		t.Errorf("status %d: %s", status, errs.String())
	}
}
