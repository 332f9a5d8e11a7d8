package never_test

import (
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/never"
	"setpiece/lang"
	"setpiece/stdlib"
)

// In this script everything can happen: a d6 shows 3 or less or more, Fang has two tokens or not
// after a throw, and each of the two may be defeated.
const script = `use marvel
hero Nova { solo d8 }
watcher Fang { solo d8 }
tactics Nova {
  when Nova.pp > 1: roll 2d8 unopposed
  otherwise: roll 2d6 unopposed
}
tactics Fang { otherwise: roll 2d8 unopposed }
let n = (throw d6).face
Nova.pp = n
scene "A" action { heroes Nova; villains Fang; fight rounds 1 }
if n > 3 { print "high" } else { print "low" }
if (throw d4).face == n { print "the same" }
offer rest to Nova "Rest?" when n > 2 answer (throw d2).face == 1 { print "rests" } else { print "goes on" }
let way = [1 for i in 1..n]
for w in way { print w }
let left = n - 1
while left > 0 { left -= 1 }
repeat n - 1 { print "again" }
left = if n > 2 then 1 else 2
let side = choose way by Nova from ["low", "high"] "which?" default random
let never_1 = n
report never_1
`

// found lists the places that never happen: what stands there, and the code.
func found(t *testing.T, text string, c never.Config) (out []string) {
	t.Helper()
	ds, err := never.Find(t.Context(), interp.Config{Modules: stdlib.FS}, lang.NewSource("x.scene", text), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		if !strings.Contains(d.Message, " out at") { // one round of rolls defeats nobody
			out = append(out, d.Code+" "+d.Src.Text[d.Start:d.End])
		}
	}
	return out
}

// Each change makes something impossible, which is found and nothing else: exactly, or, where a
// single state is too much, by trials.
func TestNever(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"n > 3", "n > 6", "n > 6"},
		{"n > 3", "n > 0", "{"}, // of its else
		{"(throw d4).face == n", "(throw d4).face + 6 == n", "(throw d4).face + 6 == n"},
		{"Nova.pp > 1", "Nova.pp > 6", "when Nova.pp > 6: roll 2d8 unopposed"},
		{"Nova.pp > 1", "Nova.pp > 0", "otherwise: roll 2d6 unopposed"},
		{"when n > 2", "when n > 6", "n > 6"},
		{"(throw d2).face == 1 {", "no {", "rest"},
		{"when n > 2 answer (throw d2).face == 1", "answer yes", "{"},
		{"Nova.pp = n", "Nova.pp = 1", "when Nova.pp > 1: roll 2d8 unopposed"},
		{"if n > 2 then", "if n > 6 then", "n > 6"},
		{"if n > 2 then", "if n > 0 then", "2"},
		{"in way", "in []", "[]"},
		{"while left > 0", "while left > 6", "left > 6"},
		{"repeat n - 1", "repeat n - 6", "n - 6"},
		{"default random", `answer "low"`, `"high"`},
	} {
		text := strings.Replace(script, c.old, c.new, 1)
		var exact, sampled []string
		if c.want != "" {
			exact, sampled = []string{"SP0140 " + c.want}, []string{"SP0142 " + c.want}
		}
		if got := found(t, text, never.Config{Trials: 1000}); !slices.Equal(got, exact) {
			t.Errorf("%q: found %q, want %q", c.new, got, exact)
		}
		if got := found(t, text, never.Config{Trials: 1000, States: 1}); !slices.Equal(got, sampled) {
			t.Errorf("%q, by trials: found %q, want %q", c.new, got, sampled)
		}
	}
}

// What is rare is not what never happens: six sixes are in none of 100 trials, most likely.
func TestRare(t *testing.T) {
	const text = "if (throw 6d6).sum == 36 { print 1 }\nif (throw 6d6).sum == 37 { print 2 }\n"
	want := []string{"SP0140 (throw 6d6).sum == 37"}
	if got := found(t, text, never.Config{Trials: 100}); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// Three dice may hurt Ann three times, and Bob no more than once: Bob is never out.
func TestNeverOut(t *testing.T) {
	const text = `sheet person "somebody" out when fallen(self) { hurt whole = 0 }
rule fallen(p) = p.hurt > 2
person Ann
person Bob
repeat 3 { if (throw d6).face > 3 { Ann.hurt += 1 } else { Bob.hurt = 1 } }
`
	ds, err := never.Find(t.Context(), interp.Config{}, lang.NewSource("x.scene", text), never.Config{Trials: 1000})
	if err != nil || len(ds) != 1 || ds[0].Code != "SP0140" || ds[0].Message != "Bob is never out at the end of a scene" {
		t.Errorf("found %v, %v", ds, err)
	}
}

// Clauses with a condition, answers, and what is not asked: Nova misses DN 7 with a 2, rerolls by the clause while
// she has Oomph (3), and has the more left for the next roll the less she missed.
func TestNeverOfRules(t *testing.T) {
	const text = `use cah
hero Nova { star 3; AIM 4; STRONG 2 }
tactics Nova { on reroll: yes when oomph > 2; on reroll: no }
Nova: roll AIM vs DN 7 spend oomph reroll if failed
Nova: roll AIM vs DN 7
`
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "", nil},
		{"AIM vs DN 7 spend", "AIM vs DN 1 spend", []string{"on reroll: no", "failed"}},
		{"AIM vs DN 7\n", "AIM vs DN 1\n", []string{"Nova"}},
		{"oomph > 2", "oomph > 4", []string{"on reroll: yes when oomph > 4"}},
		{"oomph > 2", "oomph > 0", []string{"on reroll: no"}},
		{"on reroll: no", "on reroll: no; on lousy_shooting: no", []string{"lousy_shooting"}},
	} {
		var want []string
		for _, w := range c.want {
			want = append(want, "SP0140 "+w)
		}
		if got := found(t, strings.Replace(text, c.old, c.new, 1), never.Config{Trials: 1000}); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", c.new, got, want)
		}
	}
}
