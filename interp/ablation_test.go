//go:build ablate

package interp_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/internal/ablate"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/lang"
	"setpiece/stdlib"
)

var (
	ablated       = flag.String("ablate", "", "measure what parts of the engine buy: sim or odds")
	ablatedTrials = flag.Int64("ablate-trials", 2000, "of sim")
	ablatedScenes = flag.String("ablate-scenes", "../scripts/*/*.scene", "patterns of the scenes, with blanks between")
)

// TestAblation prints how much processor time each scene takes, and how many times as much with a part of
// the engine switched off: the least of a few runs of each.
func TestAblation(t *testing.T) {
	type part struct {
		name string
		off  *bool
	}
	var parts []part
	var do func(cfg interp.Config, src *lang.Source) error
	switch *ablated {
	case "sim":
		parts = []part{{"automaton", &ablate.Automaton}, {"states", &ablate.States}, {"queries", &ablate.Queries}, {"conditions", &ablate.Conditions}}
		do = func(cfg interp.Config, src *lang.Source) error {
			_, err := sim.Simulate(context.Background(), cfg, src, sim.Config{Trials: *ablatedTrials, Workers: 1})
			return err
		}
	case "odds":
		parts = []part{{"queries", &ablate.Queries}, {"symmetry", &ablate.Symmetry}, {"macro steps", &ablate.MacroSteps}}
		do = func(cfg interp.Config, src *lang.Source) error {
			_, err := odds.Of(context.Background(), interp.NewSession(cfg), src, odds.Config{Time: 10 * time.Second})
			return err
		}
	default:
		t.Skip("-ablate sim or -ablate odds measures")
	}
	var files []string
	for _, pattern := range strings.Fields(*ablatedScenes) {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	head := []string{"| scene", "as it is"}
	for _, p := range parts {
		head = append(head, "no "+p.name)
	}
	fmt.Println(strings.Join(head, " | "), "|")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg := interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))}
		least := func() (took time.Duration, failed error) {
			for range 2 {
				began := processorTime()
				failed = do(cfg, lang.NewSource(file, string(text)))
				if d := processorTime() - began; took == 0 || d < took {
					took = d
				}
			}
			return took, failed
		}
		least() // loads the rules
		all, err := least()
		row := []string{"| " + strings.TrimSuffix(filepath.Base(file), ".scene"), fmt.Sprint(all.Round(100*time.Microsecond), failure(err))}
		for _, p := range parts {
			*p.off = true
			took, err := least()
			*p.off = false
			row = append(row, fmt.Sprintf("%.2f%s", float64(took)/float64(all), failure(err)))
		}
		fmt.Println(strings.Join(row, " | "), "|")
	}
}

// failure says that something was too much.
func failure(err error) string {
	if err != nil {
		return " (too much)"
	}
	return ""
}
