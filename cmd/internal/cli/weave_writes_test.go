package cli

import (
	"slices"
	"strings"
	"testing"

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
