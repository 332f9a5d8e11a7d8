//go:build unix

package main_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkOddsEncounter is the command odds for each encounter that ships, with its usual
// limits: its time, the most memory of the process, how much of the answer is exact, and the
// half width of the widest interval among the values of the first column.
func BenchmarkOddsEncounter(b *testing.B) {
	files, err := filepath.Glob("../../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		b.Fatal("no encounters: ", err)
	}
	exe := built(b)
	for _, file := range files {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".scene"), func(b *testing.B) {
			var memory, half float64
			exact := 100.0
			for b.Loop() {
				cmd := exec.Command(exe, "odds", "--json", file)
				out, err := cmd.Output()
				if err != nil {
					b.Fatal(err)
				}
				kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
				memory = max(memory, float64(kib)/1024)
				first := true
				for line := range strings.Lines(string(out)) {
					var e struct {
						Event   string
						Points  []struct{ Half float64 }
						Sampled struct{ Share float64 }
					}
					if err := json.Unmarshal([]byte(line), &e); err != nil {
						b.Fatal(err)
					}
					switch {
					case e.Event == "sim":
						exact = 0
					case e.Event == "odds":
						exact = 100 * (1 - e.Sampled.Share)
					case e.Event == "distribution" && first:
						for _, p := range e.Points {
							half = max(half, p.Half)
						}
						first = false
					}
				}
			}
			b.ReportMetric(memory, "MiB")
			b.ReportMetric(exact, "%exact")
			b.ReportMetric(100*half, "%width")
		})
	}
}
