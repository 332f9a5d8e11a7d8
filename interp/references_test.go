package interp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// The words luck, mark and edge mean several things each in these rules; a reference goes
// to the one that the compiler took.
const namesakes = `system twins
spans evening > mark

option edge = low | high "who wins a tie?"
option luck = open | hidden "is luck known?"

sheet rogue "somebody" {
  luck  whole 0.. = 1 per evening "points"
  nerve one of (low, steady) = low "how calm it is"
  marks list of word "where it was hurt"
}

sheet den "a place" {
  luck text "who is lucky there"
}

hook mark(who) "somebody is hit"

feature marked "is always hit" on rogue {
  on mark(who) { note "again" }
}

rule foe(self) "whoever is on the other side" = [x for x in instances(rogue) where x != self]
rule pick_any(self, list) "the first" = list.first
rule edge_of(x) = if edge == low then x.luck else 0

verb mark(victim rogue) "hits somebody" {
  clause luck "pays a point"
  do {
    signal mark(victim) to victim
    offer flinch to victim "Flinch?" default no { victim.luck -= 1 }
    outcome hit pain 1
  }
}
`

func TestReferences(t *testing.T) {
	mods := fstest.MapFS{"twins/twins.rules": {Data: []byte(namesakes)}}
	script := lang.NewSource("a.scene", `use twins with edge = high
rogue Ann [marked] { luck 2, nerve low }
rogue Bob { }
den Cellar { luck "Ann" }
tactics Bob { on flinch: yes; otherwise: mark any foe }
Ann: mark Bob luck
expect Ann.luck == 2 and Cellar.luck == "Ann" and last.pain == 1
end evening
`)
	s := interp.NewSession(interp.Config{Modules: mods})
	if d := s.Check(script); len(d) > 0 {
		t.Fatal(d)
	}
	var got []string
	for _, r := range assist.References(s, script) {
		if r.At.Src != script {
			continue
		}
		at := script.Position(int(r.At.Start))
		line := fmt.Sprintf("%d:%d ", at.Line, at.Column) + script.Text[r.At.Start:r.At.End] + ": "
		if r.Kind != "" {
			line += r.Kind + " " + r.Name + " "
		}
		if r.Declared.Src != nil {
			line += strings.TrimSpace(r.Declared.Src.Line(r.Declared.Src.Position(int(r.Declared.Start)).Line))
		}
		got = append(got, strings.TrimSpace(line))
	}
	want := `1:5 twins: system twins
1:16 edge: option edge = low | high "who wins a tie?"
1:23 high: word high option edge = low | high "who wins a tie?"
2:1 rogue: sheet rogue "somebody" {
2:7 Ann: rogue Ann [marked] { luck 2, nerve low }
2:12 marked: feature marked "is always hit" on rogue {
2:22 luck: luck  whole 0.. = 1 per evening "points"
2:30 nerve: nerve one of (low, steady) = low "how calm it is"
2:36 low: word low nerve one of (low, steady) = low "how calm it is"
3:1 rogue: sheet rogue "somebody" {
3:7 Bob: rogue Bob { }
4:1 den: sheet den "a place" {
4:5 Cellar: den Cellar { luck "Ann" }
4:14 luck: luck text "who is lucky there"
5:9 Bob: rogue Bob { }
5:18 flinch: decision flinch
5:42 mark: verb mark(victim rogue) "hits somebody" {
5:51 foe: word for somebody foe
5:51 foe: rule foe(self) "whoever is on the other side" = [x for x in instances(rogue) where x != self]
5:47 any: word for somebody any
5:47 any: rule pick_any(self, list) "the first" = list.first
6:6 mark: verb mark(victim rogue) "hits somebody" {
6:1 Ann: rogue Ann [marked] { luck 2, nerve low }
6:11 Bob: rogue Bob { }
6:15 luck: clause luck "pays a point"
7:8 Ann: rogue Ann [marked] { luck 2, nerve low }
7:12 luck: luck  whole 0.. = 1 per evening "points"
7:26 Cellar: den Cellar { luck "Ann" }
7:33 luck: luck text "who is lucky there"
7:41 "Ann": rogue Ann [marked] { luck 2, nerve low }
7:56 pain: value of the last outcome pain
8:5 evening: span evening`
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Error(diff)
	}
}

// A topic of the same session has the meaning of the references to it.
func TestMeanings(t *testing.T) {
	mods := fstest.MapFS{"twins/twins.rules": {Data: []byte(namesakes)}}
	s := interp.NewSession(interp.Config{Modules: mods})
	if err := s.Exec(t.Context(), lang.NewSource("", "use twins")); err != nil {
		t.Fatal(err)
	}
	script := lang.NewSource("a.scene", "rogue Ann { luck 2 }\nAnn: mark Ann luck\n")
	shown := map[assist.Meaning]bool{}
	for _, r := range assist.References(s, script) {
		shown[assist.MeaningOf(r)] = true
	}
	for _, word := range []string{"luck", "mark"} {
		for _, topic := range assist.Help(s, word) {
			got := shown[topic.Meanings()[0]]
			want := topic.Kind == "verb" || topic.Kind == "clause" || topic.Kind == "field" && topic.Of[0] == "rogue"
			if got != want {
				t.Errorf("%s, %s of %v: used is %v, want %v", word, topic.Kind, topic.Of, got, want)
			}
		}
	}
}

// What no script declares, as a term of the program, is not looked for in scripts.
func TestTermsHaveNoMeaning(t *testing.T) {
	if m := (assist.Topic{Name: "remainder", Kind: "term"}).Meanings(); len(m) > 0 {
		t.Errorf("a term means %v", m)
	}
	if m := (assist.Topic{Name: "scene", Kind: "span"}).Meanings(); len(m) != 1 {
		t.Errorf("a span is known by its name, and means %v", m)
	}
}
