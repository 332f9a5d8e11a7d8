package interp_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A session in which much has been tried and taken back answers as a new one does. Random
// commands are run, refused, taken back, followed to all their ends and left in the middle
// of that, in any order and in one session; now and then the odds of one are those of a
// session that has done nothing but odds.
func TestWornSession(t *testing.T) {
	for _, module := range []string{"unisystem", "firefly", "cah", "marvel", "clichenimatic"} {
		t.Run(module, func(t *testing.T) {
			b, commands := newBoard(t, module, module+".txt")
			r := rand.New(rand.NewPCG(5, 6))
			var texts []string
			for _, command := range commands {
				tries := b.tries(t, command)
				for range longtest.Many(40, 3) {
					clauses := map[int]string{}
					for range 1 + r.IntN(2) {
						c := tries[r.IntN(len(tries))]
						clauses[c.place] = strings.TrimSpace(clauses[c.place] + " " + c.text)
					}
					texts = append(texts, filled(command, clauses))
				}
			}
			text := transcript.NewText(&bytes.Buffer{}, transcript.Options{})
			worn := interp.NewSession(interp.Config{Modules: stdlib.FS, Events: text.Event})
			b.setUp(t, module, worn)
			if longtest.Tests { // it takes long
				worn.ReleaseAlways()
			}
			start, compared := worn.Snapshot(), 0
			for range longtest.Many(800, 16) {
				text := texts[r.IntN(len(texts))]
				src := lang.NewSource("", text)
				worn.Seed(r.Uint64())
				switch r.IntN(6) {
				case 0:
					worn.Restore(start)
				case 1:
					worn.Exec(context.Background(), src)
				case 2:
					worn.Exec(context.Background(), src)
					worn.Compact()
				case 3: // left in the middle
					ctx, cancel := context.WithCancel(context.Background())
					n := r.IntN(40)
					worn.Observe(func(string, string) {
						if n--; n < 0 {
							cancel()
						}
					})
					odds.Of(ctx, worn, src, odds.Config{States: 3_000})
					worn.Observe(nil)
					cancel()
				case 4: // from wherever the others have led
					oddsOf(worn, src)
				default:
					worn.Restore(start)
					b.odds.Restore(b.first)
					got, want := oddsOf(worn, src), oddsOf(b.odds, src)
					if got != want {
						t.Fatalf("%s: in a worn session\n%s\nin another\n%s", text, got, want)
					}
					compared++
				}
			}
			if compared == 0 {
				t.Error("no odds were compared")
			}
		})
	}
}

// oddsOf gives the odds of a text, by ends.
func oddsOf(s *interp.Session, src *lang.Source) string {
	o, err := odds.Of(context.Background(), s, src, odds.Config{States: 3_000})
	if err != nil {
		return "error: " + err.Error()
	}
	var lines []string
	for _, e := range o.Ends {
		lines = append(lines, fmt.Sprintf("%v %.9f %v", e.Shown, e.P, e.Fault != nil))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// Odds that are asked after a command was refused begin afresh, not where the refused
// command stood.
func TestOddsAfterARefusal(t *testing.T) {
	s := interp.NewSession(interp.Config{})
	if err := run(s, "rule deep(n) { let l = [n, n]\nif n > 2 { refuse \"too deep\" }\ndeep(n + 1) }\nlet x = 5"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := run(s, "deep(0)"); err == nil || !strings.Contains(err.Error(), "too deep") {
			t.Fatal(err)
		}
		if got, want := oddsOf(s, lang.NewSource("", "report x + (throw d2).face")), "[6] 0.500000000 false\n[7] 0.500000000 false\n"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
