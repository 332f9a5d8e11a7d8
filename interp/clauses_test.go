package interp_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
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

// No clause passes in silence.
//
// The clauses of each module are read from its rules, with sample operands for each, and
// put into the commands of testdata/clauses/MODULE.txt, one and two at a time (of the pairs,
// the short form tries a part). Each
// command is played with the same dice and the same answers with and without the clause.
// A clause may be refused, before the dice or by the rules; or for some dice and answers
// the transcript must differ. What does neither is listed in testdata/clauses/MODULE.idle
// with the reason why it may be said all the same.

var idleClauses = flag.Bool("idle", false, "write what does nothing to testdata/clauses/MODULE.idle")

// board is a module with a state and commands in which clauses are tried.
type board struct {
	state    string // as a script
	session  *interp.Session
	start    *interp.Snapshot
	odds     *interp.Session // the same state, for odds
	first    *interp.Snapshot
	text     *bytes.Buffer
	print    *transcript.Text
	dice     *biased
	played   map[string]map[uint64]string
	known    map[string]bool     // the commands of MODULE.idle
	reads    map[string][]string // the variables of the clauses of sets, by set and sample
	tried    int                 // how many clauses were tried so far
	pairs    int                 // how many pairs
	asked    int                 // and how many clauses that were not refused
	clauses  map[string][]string // samples, by set of clauses or verb
	operands map[string][]string // what may stand for an operand, by its name or type
}

// biased throws dice that often show the least and the greatest face, which rules look
// for; with odd seeds it answers questions at random too.
type biased struct {
	*rand.Rand
	answers bool
}

func (b *biased) Throw(_ context.Context, r interp.Request) ([]int, error) {
	faces := make([]int, len(r.Sizes))
	for i, d := range r.Sizes {
		switch b.IntN(4) {
		case 0:
			faces[i] = 1
		case 1:
			faces[i] = d
		default:
			faces[i] = 1 + b.IntN(d)
		}
	}
	return faces, nil
}

func (b *biased) Choose(_ context.Context, q interp.Question) (int, error) {
	if b.answers {
		return b.IntN(len(q.Options)), nil
	}
	return q.Default, nil
}

// idleTrials is how often a command is played until a clause is taken to do nothing.
const idleTrials = 600

// singleSlice, idleSlice and readSlice are which part of the clauses, of their pairs, and of
// the clauses that must be read, the short form tries: one of so many, and more of them where
// the rules are changed.
var singleSlice, idleSlice, readSlice = slicesOf(interp.RulesFolder != "")

func slicesOf(changedRules bool) (single, idle, read int) {
	if changedRules {
		return 3, 13, 7
	}
	return 5, 29, 13
}

// play plays a command and gives what came of it, and whether it was refused.
func (b *board) play(command string, seed uint64) (text string, refused bool) {
	if t, ok := b.played[command][seed]; ok {
		return t, strings.HasPrefix(t, "refused: ")
	}
	b.session.Restore(b.start)
	b.text.Reset()
	b.dice.Rand, b.dice.answers = rand.New(rand.NewPCG(seed, 1)), seed%2 == 1
	err := b.session.Exec(context.Background(), lang.NewSource("", command))
	b.print.Flush()
	text = b.text.String()
	if err != nil {
		text, refused = "refused: "+failed(err), true
	}
	if b.played[command] == nil {
		b.played[command] = map[uint64]string{}
	}
	b.played[command][seed] = text
	return text, refused
}

// differs says whether something more in a command makes a difference for some dice.
func (b *board) differs(with, without string) bool {
	trials := uint64(idleTrials)
	if b.known[with] {
		trials = 20 // it is in the list of what does nothing
	}
	for seed := range trials {
		more, refused := b.play(with, seed)
		if refused {
			return true
		}
		if less, _ := b.play(without, seed); more != less {
			return true
		}
	}
	return false
}

// read says whether the rules read a clause of a command, by its variables, in at least
// one of all the ways in which dice may fall and people may answer. Those ways are what
// odds go through, at first with everybody's defaults; they end where the first of the
// variables is read.
func (b *board) read(command, set string, names []string) bool {
	ctx, found := context.WithCancel(context.Background())
	defer found()
	read := false
	b.odds.Restore(b.first)
	b.odds.Observe(func(sheet, field string) {
		if sheet == set && slices.Contains(names, field) {
			read = true
			found()
		}
	})
	defer b.odds.Observe(nil)
	src := lang.NewSource("", command)
	if odds.Of(ctx, b.odds, src, odds.Config{States: 10_000}); !read {
		b.odds.Restore(b.first)
		odds.Of(ctx, b.odds, src, odds.Config{Best: []string{odds.Everybody}, Goal: "1", States: 10_000})
	}
	return read
}

// readBeside says the same of a clause beside one more, which decides something in advance
// that odds reach only among too many other decisions.
func (b *board) readBeside(command string, c tried, tries []tried, names []string) bool {
	for _, more := range tries {
		if more.place != c.place || more.text == c.text {
			continue
		}
		with := filled(command, map[int]string{c.place: c.text + " " + more.text})
		if !b.refusesAtOnce(with) && b.read(with, c.set, names) {
			return true
		}
	}
	return false
}

// samples gives what may be typed for a clause, a few ways.
func (b *board) samples(cl *lang.Clause) []string {
	pattern := cl.Pattern
	if len(pattern) == 0 {
		pattern = []lang.Pat{&lang.PatWord{Word: cl.Name.Name}}
	}
	return b.texts(pattern)
}

func (b *board) texts(pattern []lang.Pat) []string {
	all := []string{""}
	for _, p := range pattern {
		var next []string
		for _, s := range all {
			for _, t := range b.textsOf(p) {
				next = append(next, strings.TrimSpace(s+" "+t))
			}
		}
		all = next[:min(len(next), 6)]
	}
	return all
}

func (b *board) textsOf(p lang.Pat) []string {
	switch p := p.(type) {
	case *lang.PatWord:
		return []string{p.Word}
	case *lang.PatOpt:
		return append(b.texts(p.Pattern), "")
	case *lang.PatSlot:
		if list, ok := b.operands[p.Name.Name]; ok {
			return list
		}
		if len(p.Type.OneOf) > 0 {
			var list []string
			for _, id := range p.Type.OneOf {
				list = append(list, id.Name)
			}
			return list
		}
		if list, ok := b.operands[p.Type.Name.Name]; ok {
			return list
		}
	}
	return nil
}

// declared reads the clauses of a module's verbs and sets. Clauses inside a clause stand
// behind it; those of a set have a place of their own in the commands.
func (b *board) declared(t *testing.T, module string) {
	files, err := fs.Glob(stdlib.FS, module+"/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(stdlib.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nvariant ")) || bytes.HasPrefix(text, []byte("variant ")) {
			continue
		}
		tree, _ := lang.Parse(lang.NewSource(file, string(text)))
		for _, s := range tree.Stmts {
			lang.Walk(s, func(n lang.Node) bool {
				switch n := n.(type) {
				case *lang.ClauseSet:
					b.clauses[n.Name.Name] = b.all(n.Clauses)
					b.variables(n)
				case *lang.Verb:
					b.clauses[n.Name.Name] = b.all(n.Clauses)
				}
				return true
			})
		}
	}
}

// variables notes what the rules may read of each clause of a set.
func (b *board) variables(set *lang.ClauseSet) {
	for _, it := range set.Clauses {
		cl, ok := it.(*lang.Clause)
		if !ok {
			continue
		}
		names := []string{cl.Name.Name}
		lang.Walk(cl, func(n lang.Node) bool {
			if s, ok := n.(*lang.PatSlot); ok {
				names = append(names, s.Name.Name)
			}
			return true
		})
		for _, s := range b.samples(cl) {
			b.reads[set.Name.Name+" "+s] = names
		}
	}
}

func (b *board) all(items []lang.ClauseItem) []string {
	var out []string
	for _, it := range items {
		if cl, ok := it.(*lang.Clause); ok {
			for _, s := range b.samples(cl) {
				out = append(out, s)
				for _, inner := range b.all(cl.Nested) {
					out = append(out, s+" "+inner)
				}
			}
		}
	}
	return out
}

// newBoard reads a file of testdata/clauses: what operands there are, the state, and
// behind === the commands. <SET> in a command is where the clauses of a set, or of a
// verb, are tried.
func newBoard(t *testing.T, module, file string) (*board, []string) {
	text, err := os.ReadFile("../testdata/clauses/" + file)
	if err != nil {
		t.Fatal(err)
	}
	state, commands, _ := strings.Cut(string(text), "===\n")
	b := &board{text: &bytes.Buffer{}, dice: &biased{}, played: map[string]map[uint64]string{}, known: map[string]bool{}, reads: map[string][]string{}, clauses: map[string][]string{}, operands: map[string][]string{}}
	for line := range strings.Lines(state) {
		if name, list, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && strings.HasPrefix(name, "# ") {
			b.operands[strings.TrimPrefix(name, "# ")] = strings.Split(list, " | ")
		}
	}
	b.print = transcript.NewText(b.text, transcript.Options{Trace: true})
	b.session = interp.NewSession(interp.Config{Modules: stdlib.FS, Chance: b.dice, Choice: b.dice, Events: b.print.Event, Limits: interp.Limits{Steps: 300_000}})
	b.dice.Rand = rand.New(rand.NewPCG(1, 1))
	if err := b.session.Exec(context.Background(), lang.NewSource(file, state)); err != nil {
		t.Fatal(failed(err))
	}
	b.start = b.session.Snapshot()
	b.state = state
	b.odds = interp.NewSession(interp.Config{Modules: stdlib.FS})
	b.setUp(t, module, b.odds)
	b.first = b.odds.Snapshot()
	b.declared(t, module)
	list, err := os.ReadFile("../testdata/clauses/" + module + ".idle")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		c, _, _ := strings.Cut(strings.TrimSpace(line), "   #")
		b.known[c] = true
	}
	return b, strings.Split(strings.TrimSpace(commands), "\n")
}

// setUp brings a session into the state.
func (b *board) setUp(t *testing.T, module string, s *interp.Session) {
	if err := s.Exec(context.Background(), lang.NewSource(module+".txt", b.state)); err != nil {
		t.Fatal(failed(err))
	}
}

// filled puts clauses into the places of a command: clause k into place k, "" elsewhere.
func filled(command string, clauses map[int]string) string {
	var out strings.Builder
	for i, part := range strings.Split(command, "<") {
		if i > 0 {
			_, rest, _ := strings.Cut(part, ">")
			out.WriteString(clauses[i] + " ")
			part = rest
		}
		out.WriteString(part)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// tried is a clause at a place of a command.
type tried struct {
	place int
	set   string
	text  string
}

func (b *board) tries(t *testing.T, command string) []tried {
	var out []tried
	for i, part := range strings.Split(command, "<")[1:] {
		set, _, _ := strings.Cut(part, ">")
		if b.clauses[set] == nil {
			t.Fatalf("there is no set of clauses %s: %s", set, command)
		}
		for _, s := range b.clauses[set] {
			out = append(out, tried{i + 1, set, s})
		}
	}
	return out
}

func (b *board) refusesAtOnce(command string) bool {
	_, refused := b.play(command, 0)
	return refused
}

func TestNoClauseIsIdle(t *testing.T) {
	for _, module := range []string{"unisystem", "firefly", "cah", "marvel", "clichenimatic"} {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			b, commands := newBoard(t, module, module+".txt")
			var idle []string
			for _, command := range commands {
				bare := filled(command, nil)
				if _, refused := b.play(bare, 0); refused {
					t.Fatalf("%s: %s", bare, b.played[bare][0])
				}
				var counts []tried
				tries := b.tries(t, command)
				for _, c := range tries {
					if b.tried++; !longtest.Tests && !*idleClauses && b.tried%singleSlice != 0 {
						continue
					}
					with := filled(command, map[int]string{c.place: c.text})
					if !b.differs(with, bare) {
						idle = append(idle, with)
					} else if !b.refusesAtOnce(with) {
						counts = append(counts, c)
						names := b.reads[c.set+" "+c.text]
						if b.asked++; names != nil && (longtest.Tests || b.asked%readSlice == 0) && !b.read(with, c.set, names) && !b.readBeside(command, c, tries, names) {
							t.Errorf("a clause is read after no throw of the dice and no answer: %s", with)
						}
					}
				}
				idle = append(idle, b.idlePairs(command, counts)...)
			}
			if *idleClauses {
				os.WriteFile("../testdata/clauses/"+module+".idle", []byte(strings.Join(append(idle, ""), "\n")), 0o644)
				return
			}
			for _, c := range idle {
				if text, _, _ := strings.Cut(c, "   #"); b.known[text] {
					delete(b.known, text)
				} else {
					t.Errorf("a clause does nothing and is not refused: %s", c)
				}
			}
			for c := range b.known {
				if longtest.Tests {
					t.Errorf("testdata/clauses/%s.idle lists what counts, or is not tried: %s", module, c)
				}
			}
		})
	}
}

// idlePairs finds clauses that count alone and do nothing beside another.
func (b *board) idlePairs(command string, counts []tried) []string {
	var idle []string
	for i, x := range counts {
		alone := filled(command, map[int]string{x.place: x.text})
		for _, y := range counts[i+1:] {
			if b.pairs++; !longtest.Tests && b.pairs%idleSlice != 0 {
				continue
			}
			both := map[int]string{x.place: x.text, y.place: y.text}
			if x.place == y.place {
				both[x.place] = x.text + " " + y.text
			}
			with, other := filled(command, both), filled(command, map[int]string{y.place: y.text})
			switch {
			case b.refusesAtOnce(with):
			case !b.differs(with, alone):
				idle = append(idle, fmt.Sprintf("%s   # %s adds nothing", with, y.text))
			case !b.differs(with, other):
				idle = append(idle, fmt.Sprintf("%s   # %s adds nothing", with, x.text))
			}
		}
	}
	return idle
}
