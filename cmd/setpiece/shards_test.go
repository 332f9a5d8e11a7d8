package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// answers is within what time Slurm says which nodes it has, where it runs; where it does not,
// it goes on trying for nine seconds.
const answers = 2 * time.Second

// The ways to spread a simulation over machines that cmd/shards keeps give what one
// call gives. What a machine does not have is skipped with the reason.
func TestShards(t *testing.T) {
	t.Parallel() // it mostly waits for a queue
	recipes, err := filepath.Abs("../shards")
	if err != nil {
		t.Fatal(err)
	}
	needs := func(t *testing.T, program, why string) {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: %s", program, why)
		}
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "setpiece")
	if err := os.Symlink(os.Args[0], bin); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dice.scene"), []byte("let both = (throw 2d6).sum\nreport both\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	whole := run(t, bin, "sim", "--trials", "4000", "dice.scene")

	t.Run("parallel", func(t *testing.T) {
		needs(t, "parallel", "GNU parallel is not tried")
		script := filepath.Join(recipes, "parallel.sh")
		for range 2 { // the second time everything is there
			if got := run(t, script, "dice.scene", "4000", "local"); got != whole {
				t.Errorf("in parts\n%s\nin one\n%s", got, whole)
			}
		}
		if err := os.Remove(filepath.Join(dir, "local", "part-07-of-16.json")); err != nil {
			t.Fatal(err)
		}
		if got := run(t, script, "dice.scene", "4000", "local"); got != whole {
			t.Errorf("with a part made again\n%s\nin one\n%s", got, whole)
		}
	})
	t.Run("slurm", func(t *testing.T) {
		needs(t, "sbatch", "Slurm is not tried")
		ctx, cancel := context.WithTimeout(t.Context(), answers)
		defer cancel()
		if out, err := exec.CommandContext(ctx, "sinfo", "--noheader", "--states=idle,mixed,allocated").CombinedOutput(); err != nil || len(out) == 0 {
			t.Skipf("Slurm has no node that works: %v %s", err, out)
		}
		run(t, "sbatch", "--wait", filepath.Join(recipes, "slurm.sh"), "dice.scene", "4000", "array")
		if got := run(t, bin, "merge", "array"); got != whole {
			t.Errorf("in parts\n%s\nin one\n%s", got, whole)
		}
	})
	t.Run("kubernetes", func(t *testing.T) {
		needs(t, "kubectl-validate", "go install sigs.k8s.io/kubectl-validate@v0.0.4 brings what checks the manifest")
		run(t, "kubectl-validate", "--version", "1.27", filepath.Join(recipes, "kubernetes.yaml"))
	})
}
