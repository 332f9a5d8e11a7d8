package interp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
)

// strictly gives what CheckStrict reports of a script: the line, the text underlined and
// the message of each.
func strictly(t *testing.T, name, text string) []string {
	t.Helper()
	src := lang.NewSource(filepath.Base(name), text)
	ds, err := verify.Strict(context.Background(), interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(name))}, src)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range ds {
		under, _, _ := strings.Cut(d.Src.Text[d.Start:d.End], "\n")
		out = append(out, under+" | "+d.Message)
	}
	return out
}

// matches says whether each text matches the pattern at its place.
func matches(got, patterns []string) bool {
	if len(got) != len(patterns) {
		return false
	}
	for i, p := range patterns {
		if !regexp.MustCompile("^" + p + "$").MatchString(got[i]) {
			return false
		}
	}
	return true
}

// The two names that nothing reads, the answer behind one that always answers, the entry
// behind another `otherwise`, the tactics of somebody who is nowhere in a fight, and the
// command that is refused in each turn. Fang is harmless, so the fight has all three rounds.
func TestStrict(t *testing.T) {
	const script = `use cah
hero Nova { star 3; AIM 4; KICK 3; HAT 2 [action_feature] }
villain Fang { star 1; BITE 1 }
villain Idle { star 1; BITE 1 }
let used = 1
let idle = 2
let self_fed = 0
rule dead(x) = x + 1
rule live(x) = x + used
tactics Nova {
  otherwise: attack strongest foe with AIM link HAT
  otherwise: attack strongest foe with AIM
  otherwise: attack strongest foe with KICK
  on reroll: no
  on reroll: yes when setbacks >= 2
}
tactics Fang { otherwise: roll BITE vs DN 30 }
tactics Idle { otherwise: attack any hero with BITE }
scene "The den" action {
  heroes Nova
  villains Fang
  fight rounds 3
}
self_fed = self_fed + live(1)
`
	want := []string{
		"Nova \\| Nova is never out at the end of a scene",
		"idle \\| idle is set and never read",
		"self_fed \\| self_fed is set and never read",
		"dead \\| the rule dead is never used",
		"attack strongest foe with AIM link HAT \\| the rules refuse this \\d+ times in 100 trials: the Trait with the Action Feature must come first in a link",
		"attack strongest foe with KICK \\| no turn uses this entry in 100 trials: another one always comes first",
		"on reroll: yes when setbacks >= 2 \\| this answer is never used",
		"Idle \\| no turn uses these tactics in any run",
	}
	got := strictly(t, "x", script)
	if !matches(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A script that stops in half of its runs says so at the line.
func TestStrictStops(t *testing.T) {
	got := strictly(t, "x", "let n = 0\nif (throw d2).face == 1 { n = [1].first.name }\nprint n\n")
	if !matches(got, []string{`.* \| the script stops here in (4[0-9]|5[0-9]) of 100 trials: .*`}) {
		t.Errorf("got %q", got)
	}
}

// What a script only prints may stop it, too.
func TestStrictPrints(t *testing.T) {
	got := strictly(t, "x", "rule less(n) = less(n - 1)\nprint less(1)\n")
	if !matches(got, []string{`less.n - 1. \| less calls itself each time, and so never ends`, `.* \| the script stops here in 100 of 100 trials: rules call one another .*`}) {
		t.Errorf("got %q", got)
	}
}

// What cannot be wrong is not reported: names that are used only in a text, in a test, by
// the rules of the system, or in an entry of a sheet.
func TestStrictUsed(t *testing.T) {
	got := strictly(t, "x", `use cah
let shown = 1
let tested = 2
let rated = 3
hero Nova { star rated; AIM 3 }
rule flub_range = 1..1
print "{shown}"
test "t" { expect tested == 2 }
`)
	for _, g := range got {
		if strings.Contains(g, "shown") || strings.Contains(g, "tested") || strings.Contains(g, "rated") {
			t.Errorf("reported: %s", g)
		}
	}
}

// A mistake is all that is reported: nothing is played.
func TestStrictMistake(t *testing.T) {
	got := strictly(t, "x", "use cah\nhero Nova { AIM 4 }\nlet idle = 1\nNova: roll AMI vs DN 8\n")
	if len(got) != 1 || got[0] != "AMI | Nova has no trait AMI" {
		t.Errorf("got %q", got)
	}
}

// The encounters that ship pass.
func TestStrictScripts(t *testing.T) {
	files, err := filepath.Glob("../scripts/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scripts", err)
	}
	for _, file := range longtest.Some(files, 2) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := strictly(t, file, string(text)); len(got) > 0 {
				t.Errorf("reported:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// Tactics of the same hero take each other's place, with a fight between them or without;
// only without one are the first of no use. Those of a scene lie over the script's.
func TestStrictOnTacticsThatAreReplaced(t *testing.T) {
	const who = "use cah\nhero Nova { star 3; AIM 4 }\nvillain Fang { star 1; BITE 3 }\n"
	const one = "tactics Nova { on reroll: yes }\n"
	const two = "tactics Nova { otherwise: attack Fang with AIM }\n"
	const fang = "tactics Fang { otherwise: attack Nova with BITE }\n"
	const fight = "scene { heroes Nova; villains Fang; fight rounds 2 }\n"
	for text, want := range map[string][]string{
		one + two + fang + fight:         {"Nova | these tactics replace all of the earlier ones of Nova"},
		one + fang + fight + two + fight: nil,
		one + fang + "scene { " + one + two + "heroes Nova; villains Fang; fight rounds 2 }\n": {"Nova | these tactics replace all of the earlier ones of Nova"},
		one + fang + "scene { " + two + "heroes Nova; villains Fang; fight rounds 2 }\n":       nil,
	} {
		if got := strictly(t, "twice.scene", who+text); !slices.Equal(got, want) {
			t.Errorf("%s\ngives %q, want %q", text, got, want)
		}
	}
}

// What may stop in several files is told by file, in the same order each time.
func TestStrictInFiles(t *testing.T) {
	folder := fstest.MapFS{}
	text := ""
	for _, f := range []string{"c", "a", "b"} {
		folder[f+".rules"] = &fstest.MapFile{Data: []byte("let " + f + "x = (throw d6).face\nlet " + f + "y = 0\nif " + f + "x > 3 { " + f + "y = " + f + "x + \"a\" }\n")}
		text += "include \"" + f + ".rules\"\n"
	}
	for range 10 {
		ds, err := verify.Strict(context.Background(), interp.Config{Modules: stdlib.FS, Folder: folder}, lang.NewSource("x.scene", text))
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, d := range ds {
			if strings.Contains(d.Message, "stops here") {
				files = append(files, d.Src.Name)
			}
		}
		if want := []string{"a.rules", "b.rules", "c.rules"}; !slices.Equal(files, want) {
			t.Fatalf("%v, not %v", files, want)
		}
	}
}

// A variant is checked with its base, and all that come with setpiece are fine.
func TestStrictVariant(t *testing.T) {
	files, err := filepath.Glob("../stdlib/*/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	heads := regexp.MustCompile(`(?m)^(system|variant) `)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !heads.Match(text) {
			continue // a part of a system
		}
		if got := strictly(t, file, string(text)); len(got) > 0 {
			t.Errorf("%s: %q", file, got)
		}
	}
	got := strictly(t, "x.rules", "variant x of cah\nrule flub_range = base.flub_rnage\n")
	if !matches(got, []string{`flub_rnage \| there is no rule flub_rnage`}) {
		t.Errorf("got %q", got)
	}
}

// Scenes use what a file of rules declares. What nobody else can use is reported all the same.
func TestStrictRules(t *testing.T) {
	got := strictly(t, "x.rules", `system x "a system"
spans scene > check
hook idle(who) "nobody signals it"
hook heard(who) "somebody does"
clauses extras { clause loud "louder" }
sheet person "somebody" { skills skill many as CAPS; life whole 0..9 }
sheet skill "a skill" { rating whole 0..4 }
feature lucky on person { on heard(who) { who.life += 1 } }
rule bonus(who) = who.life
verb roll (s skill) "roll CLIMB" {
  do {
    let spare = 2
    show check "throw" by who {
      let total = (throw d6).sum + s.rating
      signal heard(who) to who
      outcome (if total > 4 then success else failure) total total
    }
  }
}
tactics default {
  otherwise: roll CLIMB
  on reroll: yes
  on reroll: no
}
`)
	want := []string{`idle \| the hook idle is never used`, `extras \| the clauses extras are never used`, `spare \| spare is set and never read`, `on reroll: no \| this answer is never used`}
	if !matches(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// idleFight never ends: the one line of tactics never holds.
const idleFight = `sheet person { hp number = 3 }
person Ann
verb hit { do { who.hp -= (throw d6).face } }
verb fight without actor { do { let rounds = 0
while Ann.hp > 0 { rounds += 1
act Ann } } }
tactics Ann { when hp > 5: hit }
fight
`

// A fight in which nobody does anything is given up long before its steps are used up.
func TestStrictIdle(t *testing.T) {
	got := strictly(t, "x", idleFight)
	if len(got) == 0 || !regexp.MustCompile(`the script stops here in (\d+) of (\d+) trials: it never ends, because nobody does anything$`).MatchString(got[len(got)-1]) {
		t.Errorf("got %q", got)
	}
	got = strictly(t, "x", strings.Replace(idleFight, "when hp > 5", "otherwise", 1))
	if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "never ends") }) {
		t.Errorf("got %q", got)
	}
}

// A run that is too long says so, too.
func TestIdleRun(t *testing.T) {
	s := interp.NewSession(interp.Config{Limits: interp.Limits{Steps: 2_000_000}})
	s.SetEvents(func(*interp.Event) {})
	err := s.Exec(context.Background(), lang.NewSource("x", idleFight))
	var re *interp.RunError
	if !errors.As(err, &re) || !strings.HasPrefix(re.Diag.Help, "nobody does anything any more") {
		t.Errorf("got %v", err)
	}
	err = s.Exec(context.Background(), lang.NewSource("x", "let n = 0\nwhile n < 1 { n -= 1 }\n"))
	if !errors.As(err, &re) || re.Diag.Help != "" {
		t.Errorf("got %v", err)
	}
}

// What no die can show is told where the odds are quick, and who is never out only beside somebody who may be.
func TestStrictNever(t *testing.T) {
	const script = `use cah
hero Nova { star 3; AIM 4 }
villain Fang { star 1; BITE 1 }
let n = (throw d6).face
if n > 6 { Fang.star = 2 }
scene { heroes Nova; villains Fang
  if n > 3 { Fang.defeated = yes }
}
`
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "", []string{"Nova \\| Nova is never out at the end of a scene", "n > 6 \\| this branch is never taken"}},
		{"Fang.defeated = yes", "print n", []string{"n > 6 \\| this branch is never taken"}},
		// whoever is asked may have a seven
		{"let n = (throw d6).face", "let n = (throw d6).face\noffer more to Nova \"One more?\" { n = n + 1 }", nil},
		{"let n = (throw d6).face", "let n = (throw d6).face\noffer more to Nova \"One more?\" answer no { n = n + 1 }",
			[]string{"Nova \\| Nova is never out at the end of a scene", "more \\| more is never accepted", "n > 6 \\| this branch is never taken"}},
	} {
		if got := strictly(t, "x.scene", strings.Replace(script, c.old, c.new, 1)); !matches(got, c.want) {
			t.Errorf("%s gives %q, want %q", c.new, got, c.want)
		}
	}
}

// A command of tactics that makes something for itself is fine, and played as often as it is used.
func TestStrictMakesSomethingNew(t *testing.T) {
	const text = `use cah
hero Nova { star 3; AIM 4; HAT 5 [versatile] { NET; ROPE; FIRE } }
villain Fang { star 1; BITE 1 }
tactics Nova {
  when slots_left(Nova.HAT) > 0: roll AIM link HAT as LENS vs DN 5
  otherwise: roll AIM vs DN 5
}
tactics Fang { otherwise: roll BITE vs DN 30 }
scene "The den" action { heroes Nova; villains Fang; fight rounds 5 }
`
	if got := strictly(t, "new.scene", text); got != nil {
		t.Error(got)
	}
}
