package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const tenLines = `use cah
hero Valorus { DEMOLITIONS 4; STEADY_HANDS 2; DEXTROUS 3 }
villain "Sludge Lord" { OOZING_PUNCH 3 }
scene "The Bog" action
heroes Valorus
villains "Sludge Lord"
Valorus: roll DEMOLITIONS link STEADY_HANDS vs DN 8 spend oomph extra_effort
"Sludge Lord": attack Valorus with OOZING_PUNCH against DEXTROUS
Valorus: attack "Sludge Lord" with DEXTROUS against OOZING_PUNCH
print "done"
`

// BenchmarkColdRun is a process that runs a scene of ten lines on one core,
// from its start to its end.
func BenchmarkColdRun(b *testing.B) {
	scene := filepath.Join(b.TempDir(), "ten.scene")
	if err := os.WriteFile(scene, []byte(tenLines), 0o600); err != nil {
		b.Fatal(err)
	}
	processes(b, "run", "--seed", "1", scene)
}

// BenchmarkColdVersion is a process that does nothing but start, print a line and end.
func BenchmarkColdVersion(b *testing.B) { processes(b, "version") }

// processes starts the program again and again, each time on one core.
func processes(b *testing.B, args ...string) {
	exe := built(b)
	for b.Loop() {
		cmd := exec.Command(exe, args...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}

// built gives the program, built for this benchmark.
func built(b *testing.B) string {
	exe := filepath.Join(b.TempDir(), "setpiece")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return exe
}
