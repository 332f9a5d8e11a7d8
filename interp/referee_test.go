package interp_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/internal/longtest"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A second referee. The rules of a game are told once more, slowly and plainly, in Go,
// from its book and not from its scripts; random commands are played by both, with
// the same dice, and all that came of them is compared. What all games share
// stands here: playing a command with the scripts (arena), what came of it
// (verdict), comparing. A game brings its generator and its own telling.

// thrown is one throw as it fell.
type thrown struct{ sizes, faces []int }

func (t thrown) String() string {
	var s []string
	for i := range t.sizes {
		s = append(s, fmt.Sprintf("d%d:%d", t.sizes[i], t.faces[i]))
	}
	return strings.Join(s, " ")
}

// verdict is what came of one command.
type verdict struct {
	refused string              // why nothing came of it; "" when it was played
	fields  map[string]string   // "outcome" and the fields of the outermost check
	state   map[string]string   // "Nova.pp" → "3"
	changes map[string][]string // "Nova.pp" → the values it took, in their order; nil: nobody has looked
}

// change notes that a field took a value.
func (v *verdict) change(field, to string) {
	if v.changes == nil {
		v.changes = map[string][]string{}
	}
	v.changes[field] = append(v.changes[field], to)
}

// notAllowed is how a referee refuses: it is thrown, and judged catches it.
type notAllowed string

// scribe is what a referee notes of one command: which dice are still to be read, and what came of it.
type scribe struct {
	throws []thrown
	last   map[string]string       // how everything stood when it was looked at last
	secret func(field string) bool // nobody hears of its changes; nil: of all
	v      verdict
}

// touch notes what has changed since it was looked at last.
func (s *scribe) touch(now map[string]string) {
	for k, v := range now {
		if s.last[k] != v && (s.secret == nil || !s.secret(k)) {
			s.v.change(k, v)
		}
	}
	s.last = now
}

// judged plays a command by the book. What is left of the table afterwards is only right when
// the command was not refused.
func (s *scribe) judged(throws []thrown, now func() map[string]string, play func()) (v verdict) {
	before := now()
	s.last, s.throws, s.v = before, throws, verdict{changes: map[string][]string{}}
	defer func() {
		switch no := recover().(type) {
		case nil:
		case notAllowed:
			v = verdict{refused: string(no), state: before}
		default:
			panic(no)
		}
	}()
	play()
	s.touch(now())
	if len(s.throws) > 0 {
		s.v.refused = fmt.Sprintf("dice that nobody should have thrown: %v", s.throws)
	}
	s.v.state = now()
	return s.v
}

// arena is a session in which bouts are fought: each begins from the same state.
type arena struct {
	t      *testing.T
	s      *interp.Session
	events []*interp.Event
	corner *interp.Snapshot
	r      *rand.Rand
	throws []thrown
	deal   func(interp.Request) []int    // which faces fall; nil: any
	hears  func(*verdict, *interp.Event) // takes up what else counts; nil: nothing
}

// newArena declares who takes part.
func newArena(t *testing.T, r *rand.Rand, text string) *arena {
	t.Helper()
	g := &arena{t: t, r: r}
	g.s = interp.NewSession(interp.Config{Modules: stdlib.FS, Chance: g})
	if err := g.s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
		t.Fatalf("%s\n%s", text, failed(err))
	}
	g.s.SetEvents(func(e *interp.Event) { g.events = append(g.events, e) })
	g.corner = g.s.Snapshot()
	return g
}

// Throw lets dice fall, and ones more often than they should.
func (g *arena) Throw(_ context.Context, q interp.Request) ([]int, error) {
	t := thrown{sizes: slices.Clone(q.Sizes)}
	if g.deal != nil {
		t.faces = g.deal(q)
	} else {
		t = g.fall(q.Sizes)
	}
	g.throws = append(g.throws, t)
	return t.faces, nil
}

func (g *arena) fall(sizes []int) thrown {
	t := thrown{sizes: slices.Clone(sizes)}
	for _, size := range sizes {
		face := 1 + g.r.IntN(size)
		if g.r.IntN(8) == 0 {
			face = 1
		}
		t.faces = append(t.faces, face)
	}
	return t
}

// play plays a command in a situation, and gives what came of it and what fell.
func (g *arena) play(situation, command string, watched ...string) (verdict, []thrown) {
	g.t.Helper()
	g.s.Restore(g.corner)
	if err := g.s.Exec(context.Background(), lang.NewSource("", situation)); err != nil {
		g.t.Fatalf("%s\n%s", situation, failed(err))
	}
	g.events, g.throws = nil, nil
	var v verdict
	err := g.s.Exec(context.Background(), lang.NewSource("", command))
	if err != nil { // before it ran or while it did
		v.refused, _, _ = strings.Cut(failed(err), "\n")
	} else {
		for _, e := range g.events {
			v.hear(e)
			if g.hears != nil {
				g.hears(&v, e)
			}
		}
	}
	v.state = map[string]string{}
	for _, who := range watched {
		lines, err := assist.State(g.s, who)
		if err != nil {
			g.t.Fatal(err)
		}
		for _, l := range lines {
			v.state[l.Who+"."+l.Field] = l.Value
		}
	}
	return v, g.throws
}

// hear takes up an event; the outermost check that comes last is the one whose fields
// count. What happens inside a check comes as an event of its own.
func (v *verdict) hear(e *interp.Event) {
	if e.Kind == interp.EventChange {
		v.change(e.Who+"."+e.Field, e.To)
	}
	if e.Depth == 0 && e.Outcome != "" {
		v.fields = map[string]string{"outcome": e.Outcome}
		for _, f := range e.Fields {
			v.fields[f.Name] = f.Value
		}
	}
}

// differences tells in which of the things that both know two verdicts differ.
func differences(script, referee verdict) []string {
	if (script.refused == "") != (referee.refused == "") {
		return []string{fmt.Sprintf("refused: script %q, referee %q", script.refused, referee.refused)}
	}
	out := differ("", script.fields, referee.fields, func(s string) string { return s })
	out = append(out, differ("state of ", script.state, referee.state, func(s string) string { return s })...)
	if script.refused == "" && referee.changes != nil {
		for _, k := range union(script.changes, referee.changes) {
			if !slices.Equal(script.changes[k], referee.changes[k]) {
				out = append(out, unlike(k, script.changes[k], referee.changes[k]))
			}
		}
	}
	return out
}

// unlike tells where two lists begin to differ, and what came before.
func unlike(what string, script, referee []string) string {
	at := 0
	for at < min(len(script), len(referee)) && script[at] == referee[at] {
		at++
	}
	from := max(0, at-1)
	return fmt.Sprintf("changes of %s, from number %d:\n    script  %q\n    referee %q", what, from+1, script[from:min(at+1, len(script))], referee[from:min(at+1, len(referee))])
}

// differ compares what the referee says; what it does not speak of may be anything.
func differ[V comparable](what string, script, referee map[string]V, show func(V) string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(referee)) {
		if script[k] != referee[k] {
			out = append(out, fmt.Sprintf("%s%s: script %q, referee %q", what, k, show(script[k]), show(referee[k])))
		}
	}
	return out
}

func union[K cmp.Ordered, V any](a, b map[K]V) []K {
	return slices.Compact(slices.Sorted(func(yield func(K) bool) {
		for _, m := range []map[K]V{a, b} {
			for k := range m {
				if !yield(k) {
					return
				}
			}
		}
	}))
}

// refereed plays contests until there are n of them, a table of them in each arena, and stops at
// the third bout that is judged otherwise. A bout says how many contests it was: one, or the
// Actions of whole Rounds. In the long form there are n times long.
func refereed(t *testing.T, n, times, perArena int, table func(*testing.T, *rand.Rand) func() (told string, contests int, diff []string)) {
	t.Helper()
	if longtest.Tests {
		n *= times
	}
	wrong, played := 0, 0
	for seed := uint64(1); played < n; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		bout := table(t, r)
		for i := 0; i < perArena && played < n; i++ {
			told, contests, diff := bout()
			played += contests
			if len(diff) > 0 {
				t.Errorf("table %d\n%s\n  %s", seed, told, strings.Join(diff, "\n  "))
				if wrong++; wrong == 3 {
					t.FailNow()
				}
			}
		}
	}
	t.Logf("%d contests", played)
}

// seated has a referee watch many bouts, each table with its own people. A table is
// made by sit and gives, for each bout, what was played and where the two differ.
func seated(t *testing.T, game uint64, sit func(*testing.T, *rand.Rand) func() (string, []string)) {
	tables, bouts, wrong := 12, 40, 0
	if longtest.Tests {
		tables, bouts = 200, 100
	}
	for seed := range uint64(tables) {
		bout := sit(t, rand.New(rand.NewPCG(seed, game)))
		for range bouts {
			if told, diff := bout(); len(diff) > 0 {
				t.Errorf("%s\n  %s", told, strings.Join(diff, "\n  "))
				if wrong++; wrong == 5 {
					t.FailNow()
				}
			}
		}
	}
	t.Logf("%d contests", tables*bouts)
}
