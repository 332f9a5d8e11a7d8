package interp_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript/transcripttest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// What is still wrong lives where a few options meet. A covering array is a list of rows, each a value for
// every option, in which any values of any two options, or three, stand together in some row (D. Cohen and
// others, The AETG System, 1997: each row is built greedily around values that have not met yet).

// cell is a value of an option.
type cell struct{ option, value int }

// meetings gives all ways in which values of n options from one on can stand together with those chosen.
func meetings(sizes []int, from, n int, chosen []cell, yield func([]cell)) {
	if n == 0 {
		yield(chosen)
		return
	}
	for i := from; i < len(sizes); i++ {
		for a := range sizes[i] {
			meetings(sizes, i+1, n-1, append(chosen, cell{i, a}), yield)
		}
	}
}

// among adds up any n of some marks, and what they add to.
func among(marks []uint64, n int, sum uint64, yield func(uint64)) {
	if n == 0 {
		yield(sum)
		return
	}
	for i, m := range marks {
		among(marks[i+1:], n-1, sum+m, yield)
	}
}

// coveringArray gives rows of numbers of values in which any n options meet: sizes[i] is how many option i has.
func coveringArray(sizes []int, n int, r *rand.Rand) [][]int {
	mark := map[cell]uint64{} // what stands together is known by the sum of its marks
	for i, size := range sizes {
		for a := range size {
			mark[cell{i, a}] = r.Uint64()
		}
	}
	missing := map[uint64]bool{}
	var order [][]cell
	meetings(sizes, 0, n, nil, func(cells []cell) {
		sum := uint64(0)
		for _, c := range cells {
			sum += mark[c]
		}
		missing[sum] = true
		order = append(order, slices.Clone(cells))
	})
	var rows [][]int
	for _, first := range order {
		sum := uint64(0)
		row := slices.Repeat([]int{-1}, len(sizes))
		var marks []uint64
		for _, c := range first {
			sum += mark[c]
			row[c.option] = c.value
			marks = append(marks, mark[c])
		}
		if !missing[sum] {
			continue
		}
		for _, i := range r.Perm(len(sizes)) {
			if row[i] >= 0 {
				continue
			}
			most := -1
			for _, a := range r.Perm(sizes[i]) {
				met := 0
				among(marks, n-1, mark[cell{i, a}], func(sum uint64) {
					if missing[sum] {
						met++
					}
				})
				if met > most {
					most, row[i] = met, a
				}
			}
			marks = append(marks, mark[cell{i, row[i]}])
		}
		among(marks, n, 0, func(sum uint64) { delete(missing, sum) })
		rows = append(rows, row)
	}
	return rows
}

func TestCoveringArray(t *testing.T) {
	sizes := []int{2, 3, 2, 4, 2, 2}
	for n, most := range map[int]int{2: 20, 3: 50} { // 3 * 4 values are the most that two have, and 2 * 3 * 4 that three have
		rows := coveringArray(sizes, n, rand.New(rand.NewPCG(1, 1)))
		meetings(sizes, 0, n, nil, func(cells []cell) {
			if !slices.ContainsFunc(rows, func(row []int) bool {
				return !slices.ContainsFunc(cells, func(c cell) bool { return row[c.option] != c.value })
			}) {
				t.Errorf("%v do not meet", cells)
			}
		})
		if len(rows) > most {
			t.Errorf("%d rows for any %d", len(rows), n)
		}
	}
}

// variantsOf gives a system and the variants of it that come with setpiece.
func variantsOf(t *testing.T, system string) []string {
	t.Helper()
	files, err := fs.Glob(stdlib.FS, system+"/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	all := []string{system}
	for _, file := range files {
		text, err := fs.ReadFile(stdlib.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`(?m)^variant (\w+) of`).FindSubmatch(text); m != nil {
			all = append(all, string(m[1]))
		}
	}
	return all
}

// Random scenes under any values of two options (of three in the long form), variants and special rules, each there
// or not: they run, are recorded and played again to the same
// bytes, in text and as JSON, whether anybody listens or not; where odds are small, trials agree with them.
func TestOptionsThatMeet(t *testing.T) {
	for i := range sceneries {
		c := &sceneries[i]
		t.Run(c.system, func(t *testing.T) {
			t.Parallel()
			options := optionsOf(t, c.system)
			var sizes []int
			for _, o := range options {
				sizes = append(sizes, len(o.Choices))
			}
			variants := variantsOf(t, c.system)
			sizes = append(sizes, len(variants))
			sizes = append(sizes, slices.Repeat([]int{2}, len(c.features))...)
			r := mvDraw{rand.New(rand.NewPCG(uint64(i), 29))}
			rows := coveringArray(sizes, longtest.Many(3, 2), r.Rand)
			compared := 0
			for n, row := range rows {
				if n == longtest.Many(len(rows), 1) {
					break
				}
				var with []string
				for k, o := range options {
					with = append(with, o.Name+" = "+o.Choices[row[k]])
				}
				use := "use " + variants[row[len(options)]] + " with " + strings.Join(with, ", ")
				for range longtest.Many(2, 1) {
					g := newStage(t, c, r, use)
					for k, f := range c.features {
						if row[len(options)+1+k] == 1 {
							g.wanted = append(g.wanted, f)
						}
					}
					g.target()
					g.situation()
					g.plays(t)
					if g.agrees(t) {
						compared++
					}
				}
			}
			t.Logf("%d rows, %d odds compared", len(rows), compared)
		})
	}
}

// script is what stands on the stage, and more.
func (g *stage) script(more string) string {
	return g.use + "\n" + g.before + strings.Join(g.text, "\n") + "\n" + more + "\n"
}

// plays has everybody fight by their tactics.
func (g *stage) plays(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "random.scene")
	text := g.script(g.fight)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := play(t, file, g.r.Uint64(), nil)
	if p.err != nil {
		t.Errorf("%s\n%s", text, failed(p.err))
		return
	}
	transcripttest.Records(t, p.json, true)
	replays(t, file, p)
	if t.Failed() {
		t.Fatal(text)
	}
}

// agrees compares the odds of an attack with trials, where they are small.
func (g *stage) agrees(t *testing.T) bool {
	t.Helper()
	text := g.script(cmp.Or(g.small, fmt.Sprintf(g.attack, g.attacks[0])))
	src := lang.NewSource("", text)
	o, err := odds.Of(t.Context(), interp.NewSession(interp.Config{Modules: stdlib.FS}), src, odds.Config{States: 20_000, Time: time.Second})
	var bad *interp.RunError
	if errors.As(err, &bad) && bad.Kind != interp.Refused || err == nil && o.Remainder > 0 {
		return false // too many
	}
	if err != nil {
		return false // not allowed under these options: see TestUnnamedAnswersRefuseNothing
	}
	const trials = 2000
	sim, err := sim.Simulate(t.Context(), interp.Config{Modules: stdlib.FS, Seed: g.r.Uint64()}, src, sim.Config{Trials: trials, Workers: 1})
	if err != nil {
		t.Errorf("%s\n%s", text, failed(err))
		return true
	}
	share := map[string]float64{}
	for _, e := range sim.Ends {
		share[strings.Join(e.Shown, " ")+e.Stops] += float64(e.Count) / trials
	}
	chance := map[string]float64{}
	for _, e := range o.Ends {
		end := strings.Join(e.Shown, " ")
		if e.Fault != nil {
			end += e.Fault.Diag.Message
		}
		chance[end] += e.P
	}
	for _, end := range union(share, chance) {
		p := chance[end]
		if most := 5*math.Sqrt(p*(1-p)/trials) + 5./trials; math.Abs(share[end]-p) > most {
			t.Errorf("%s\n%q: chance %v, in %d trials %v", text, end, p, trials, share[end])
		}
	}
	return true
}
