package odds

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/internal/machine"
	replay "setpiece/interp/internal/sim"
	"setpiece/interp/internal/trials"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

// endsOfTrials makes trials of a text, plainly or by an automaton that goes on however
// often it meets something new and has room for so many words, and gives what each ended
// with.
func endsOfTrials(t *testing.T, cfg interp.Config, text string, n int64, plain bool, room int) []string {
	t.Helper()
	src, err := sim.Aimed(context.Background(), nil, lang.NewSource("", text), "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := trials.New(context.Background(), cfg, src, machine.NoteTurns)
	if err != nil {
		t.Fatal(err)
	}
	w.Made = func(int64) {}
	if w.P.Plain = plain; !plain {
		m := w.P.Run.M
		m.Store = append(m.Store[:0], w.P.State.Store...)
		w.P.Auto = replay.NewAutomaton(m, w.P.Funcs, true)
		w.P.Auto.Patient, w.P.Auto.Room = true, room
		w.P.Auto.Close()
	}
	var out []string
	counted := make([]int64, 0, 64)
	for k := range n {
		if err := w.Make(context.Background(), k, k+1, 3); err != nil {
			t.Fatal(err)
		}
		for i := range w.Ends {
			if i == len(counted) {
				counted = append(counted, 0)
			}
			if e := w.Ends[i].End; e.Count > counted[i] {
				counted[i]++
				out = append(out, e.Stops+" "+strings.Join(e.Shown, " "))
			}
		}
	}
	if int64(len(out)) != n {
		t.Fatalf("%d ends of %d trials", len(out), n)
	}
	return out
}

func equalTrials(t *testing.T, cfg interp.Config, text string, n int64) {
	t.Helper()
	slow := endsOfTrials(t, cfg, text, n, true, 0)
	for _, room := range []int{1 << 24, 1 << 15, 0} {
		fast := endsOfTrials(t, cfg, text, n, false, room)
		for k := range slow {
			if fast[k] != slow[k] {
				t.Fatalf("with room for %d words trial %d ended with %q, but plainly with %q", room, k, fast[k], slow[k])
			}
		}
	}
}

// A trial that follows what others have done ends as one that executes everything.
func TestTrialsOfEncounters(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("no encounters: ", err)
	}
	for _, file := range longtest.Some(files, 4) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			equalTrials(t, interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))}, string(text), int64(longtest.Many(400, 30)))
		})
	}
}

// What is read of a pool, in whatever way, leads a trial where the pool itself leads it.
func TestTrialsOfPools(t *testing.T) {
	for _, read := range []string{
		"p.sum", "p.size", "p.take(2).sum", "p.drop(2).sum", "p.last.face", "p.first", "p.above(3).sum",
		"p.below(3).size", "p.showing(2).size", "p.faces", "p.sizes", "p.sizes.max", "p.drop(1).sizes.max", "p.distinct.size",
		"p.sparing.take(2)", "p.sparing.drop(2).sizes.max", "p.take(2).sum - p.drop(2).take(1).sum", "p", "p.last", "p.above(9).last", "p.exceeding(q)", "p.sum - q.sum", "[p.first, q]",
	} {
		t.Run(read, func(t *testing.T) {
			throws := "let p = throw 2d4 + 3d6 + d8 + d10\nlet q = throw 7d6\n"
			equalTrials(t, interp.Config{}, "{ "+throws+"report "+read+" }", 50)
			equalTrials(t, interp.Config{}, `let n = 0
for i in 1..3 {
  `+throws+`
  let x = `+read+`
  if q.first.face > 4 { n += 1 }
  if i == 3 { report n, x }
}`, 50)
		})
	}
}

// What is asked of a pool before the rest of it is read leads a trial behind the answer, whichever it is.
func TestTrialsBehindConditionsAboutPools(t *testing.T) {
	for _, read := range []string{
		"if p.showing(1).size > 1 { n = p.take(2).sum } else { n = p.drop(2).sizes.max.sides }",
		"if p.showing(1).size - 2 <= 0 - n { n = p.sum } else if p.first.face == p.last.face { n = 1 } else { n = p.size }",
		"if p.first.face == p.last.face + 5 { n = p.take(2).sum } else if p.showing(2).size != n { n += p.drop(3).sum } else { n = 0 - p.take(3).sum }",
		"if p.first == p.drop(1).first { n = p.drop(2).sum } else { n += p.take(1).sum }",
		"let low = p.below(3).first\nif low == none { n += p.take(3).sum } else { n -= low.face }\nif p.above(9).size == 0 { n += p.last.face }",
		"if p.take(1).sum >= q.sum { n = p.sum } else { n += q.take(2).sum }",
		"if p.sum > 20 {\n  let more = throw 3d6\n  n = p.take(2).sum + more.take(1).sum\n} else { n += p.take(2).sum }",
		"for k in 1..30 { if p.sum > k { n += 1 } }\nn += p.take(2).sum",
		"let d = p.take(2).sum\nif p.showing(1).size == 0 and n > 9 { d += p.drop(2).take(1).sum }\nn = d",
		"if n / 2 < p.showing(2).size { n = p.sparing.take(2).sum } else { n += p.drop(1).take(1).sum }",
	} {
		t.Run(read, func(t *testing.T) {
			throws := "let p = throw 2d4 + 3d6 + d8 + d10\n"
			if strings.Contains(read, "q") {
				throws += "let q = throw 7d6\n"
			}
			equalTrials(t, interp.Config{}, "{ let n = 0\n"+throws+read+"\nreport n }", 200)
			equalTrials(t, interp.Config{}, "{ let n = 0\nrepeat 4 {\n"+throws+read+"\n}\nreport n }", 200)
		})
	}
}

// What was reported, of whatever kind and however much of it, is there in the end, and what
// comes behind goes on in the same way.
func TestTrialsWithReports(t *testing.T) {
	for _, text := range []string{
		"repeat 3 { report throw d6 }\nreport throw 2d4",
		"repeat 40 { report throw d4 }", // more than there is room for
		"let n = 0\nrepeat 4 {\n  let d = throw d6\n  n += d.face\n  report n, n / 2, n > 9\n}",
		"report none\nlet p = throw 3d6\nreport p, p.faces, p.sum, \"{p.sum} in all\"\nlet d = throw d6\nif d.face > p.first.face { report \"more\" }",
		"let n = 5\nrepeat 6 {\n  let d = throw d6\n  if d.face <= 2 and n > 0 { n -= 1 }\n  report n\n}\nreport n == 0",
	} {
		equalTrials(t, interp.Config{}, "{\n"+text+"\n}", 60)
	}
}

// Of a list of faces it may matter only what the first is, how many there are, or what they
// come to. Whatever is done with it leads a trial, and odds, where it would lead without
// anything being remembered.
func TestTrialsOfFaces(t *testing.T) {
	for _, use := range []string{
		"if f.empty { n += 1 } else { n += f.first }",
		"if not f.empty and n + f.first > 9 { n = 0 }",
		"if f.size > 2 and f.last >= 3 { n += f[2] }",
		"n += f.sum",
		"n = if f.sum > 6 then 0 else n + 1",
		"for x in f { if x > n { n += 1 } }",
		"for x in f { n += x }",
		"f = f.take(n)\nn = f.size",
		"f = f.drop(n)\nif not f.empty { n = f.first }",
		"f = f.take(4).drop(1)\nn += f.sum",
		"while not f.empty and n < 12 {\n  let x = f.first\n  f = f.without(x)\n  n += x\n}",
		"f = f.without(2)\nn += f.size",
		"f = f.with(n)\nn += f.sum",
		"n = if 3 in f then n + 1 else 0",
		"if f == [4, 2] { n = 1 }",
		"A.seen = f.take(1)\nif n > 3 and not A.seen.empty { n = A.seen.first }",
		"A.seen = if A.seen.empty then f else A.seen.drop(1)\nn = A.seen.sum",
		"f = f.sorted\nif not f.empty { n += f.first }",
		"let g = f\nf = []\nif g.size > 1 { n = g.first - g.last }",
	} {
		t.Run(use, func(t *testing.T) {
			setup := "sheet person { n number; seen list }\nperson A { }\n"
			text := `let n = 0
repeat 2 {
  let p = throw 3d3
  let f = p.above(1).faces
  ` + use + `
  A.n = n
}
report n, A.seen`
			equalTrials(t, interp.Config{}, setup+"{ "+text+" }", int64(longtest.Many(60, 20)))
			if !sameDistributions(t, text, preparedFor(t, setup, text), 50_000) {
				t.Error("too many states")
			}
		})
	}
}

// What a register held before an expectation that compares nothing is no part of the state: in this
// scene it leads to a record that is gone.
func TestTrialsBehindExpectations(t *testing.T) {
	text, err := os.ReadFile("../../testdata/clichenimatic/c07_escapes.scene")
	if err != nil {
		t.Fatal(err)
	}
	equalTrials(t, interp.Config{Modules: stdlib.FS}, string(text), 4)
}
