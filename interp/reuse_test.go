package interp

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"setpiece/lang"
	"setpiece/stdlib"
)

// traced makes the same text ready twice: one reuses traces, and does not look for whole
// states that it knows, the other executes everything.
func traced(t *testing.T, cfg Config, setup, text string) (fast, slow *Prepared) {
	t.Helper()
	var of [2]*Prepared
	for i := range of {
		s := NewSession(cfg)
		if err := s.Exec(context.Background(), lang.NewSource("", setup)); err != nil {
			t.Fatal(err)
		}
		p, err := s.Prepare(lang.NewSource("", text))
		if err != nil {
			t.Fatal(err)
		}
		p.apart, p.plain = i == 0, i == 1
		of[i] = p
	}
	return of[0], of[1]
}

// sameRuns makes n runs of both and compares each: the error, with its place, every word
// of the state, and the dice that would fall next.
func sameRuns(t *testing.T, fast, slow *Prepared, n int) {
	t.Helper()
	ctx := context.Background()
	for i := range n {
		for _, p := range []*Prepared{fast, slow} {
			p.s.m.Seed(TrialSeed(7, int64(i)))
		}
		e1, e2 := fast.Run(ctx, 1), slow.Run(ctx, 1)
		if said(e1) != said(e2) {
			t.Fatalf("run %d: %s, but plainly %s", i, said(e1), said(e2))
		}
		if d := differences(fast.s, slow.s); d != "" && e1 == nil {
			t.Fatalf("run %d: the state differs\n%s", i, d)
		}
		if fast.s.m.Generator() != slow.s.m.Generator() || fast.s.m.Thrown != slow.s.m.Thrown {
			t.Fatalf("run %d: other dice were thrown", i)
		}
		if fast.s.m.Steps != slow.s.m.Steps {
			t.Fatalf("run %d: %d steps, but plainly %d", i, fast.s.m.Steps, slow.s.m.Steps)
		}
	}
}

// said is an error with its place and what the script was doing.
func said(err error) string {
	var re *RunError
	if errors.As(err, &re) {
		return re.At() + re.Diag.Error()
	}
	if err != nil {
		return err.Error()
	}
	return "no error"
}

// With traces every encounter goes as it goes without: each run has the same state in the
// end, the same dice and the same number of steps.
func TestTracesOfEncounters(t *testing.T) {
	files, err := filepath.Glob("../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("no encounters: ", err)
	}
	for _, file := range Some(files, 3) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fast, slow := traced(t, Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))}, "", string(text))
			sameRuns(t, fast, slow, Many(400, 60))
			if fast.reuse.Reused() == 0 {
				t.Error("no trace has been reused")
			}
		})
	}
}

// Random scripts go with traces as they go without.
func TestTracesOfRandomScripts(t *testing.T) {
	for seed := range uint64(Many(2000, 80)) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 15))}
		text := r.script()
		fast, slow := traced(t, Config{Modules: stdlib.FS, Limits: Limits{Steps: 5000}}, beings, text)
		if sameRuns(t, fast, slow, 40); t.Failed() {
			t.Fatal(text)
		}
	}
}

// What nearly always holds the same is taken as known until it is something else: here in
// one run of a hundred, long after the first traces; and what is refused, or goes on
// without end, is so in every run.
func TestTracesForgetWhatChanges(t *testing.T) {
	for _, tt := range []struct{ name, setup, text string }{
		{"a rare change", beings, `
rule worth(x) { let n = 0
  for k in 1..40 { if x.luck > 0 { n += k } else { n -= k } }
  return n }
if (throw d100).face == 77 { Bob.luck = -1 }
a = worth(Bob) + (throw d6).face
b = worth(Ada) + worth(Bob)`},
		{"records in a loop", beings + `
rule go() { for k in 1..6 {
  let r = new blow(n: (throw d4).face)
  let s = new blow(n: strike(Ada, r.n), m: r)
  if s.n > 1 { Bob.log = Bob.log + [s.n] }
  b += s.m.n
} }
`, `go()`},
		{"records that are kept", beings + `
rule go() { let held = []
for k in 1..5 {
  let r = new blow(n: (throw d4).face)
  if r.n > 2 { held = held + [r] }
  strike(Bob, k)
}
for r in held { a += r.n } }
`, `go()`},
		{"a refusal", beings, `if (throw d4).face == 1 { Bob.luck = Bob.luck + 30 + 10 * (throw d2).face }
a = twice(Bob.luck)`},
		{"no end", beings, `while (throw d6).face < 6 { a += 1 }
if a > 3 { while yes { a += 1 } }`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fast, slow := traced(t, Config{Modules: stdlib.FS, Limits: Limits{Steps: 20_000}}, tt.setup, tt.text)
			sameRuns(t, fast, slow, 400)
		})
	}
}
