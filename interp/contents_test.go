package interp_test

import (
	"context"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
)

// What pages and help say of a system is read off its declarations: fields with what
// they take and how long they last, decisions in words, and what a variant changes.
func TestContentsOfASystem(t *testing.T) {
	mods := fstest.MapFS{
		"toll/toll.rules": {Data: []byte(`system toll "The toll"
spans night > round
option mercy = low | high "how kind the keeper is"
sheet guest "somebody on the bridge" {
  coins whole 0..9 = 3 per night "what is in the purse"
  mood one of (calm, cross) "how it feels"
  marks map "name: why"
  friends list = [self] "who stands by it"
}
sheet lady is guest "a guest of rank" { coins whole 0..99 = 30 "what is in the purse" }
sheet side "one side of a throw" { who guest "whose throw it is; nobody's for the keeper" }
on ends(span) when span == night { Keeper.marks = ({}) }
guest Keeper { }
rule judge(s) "who decides for this side" = s.who
table toll(n) "what the bridge costs" { 1 => 2; else => 3 }
verb pay "pays" {
  do {
    let s = new side(who: who)
    let open = [x for x in instances(guest)]
    offer beg to s.who "Beg for {toll(1)} coin{if toll(1) == 1 then "" else "s"}?" default yes { print "please" }
    let h = choose helper by judge(s) from open.distinct "Who helps?" default open.last
    let free = choose first by (if mercy == low then Keeper else h) from [calm, cross] default calm
    choose lots by h from open default random
  }
}
`)},
		"toll/late.rules": {Data: []byte(`variant late of toll "Late at night"
option mercy = high
table toll(n) "what the bridge costs at night" { else => 9 }
remove verb pay
feature owl "sees at night" on guest { }
`)},
	}
	s := interp.NewSession(interp.Config{Modules: mods})
	if err := s.Exec(context.Background(), lang.NewSource("x", "use toll with late")); err != nil {
		t.Fatal(err)
	}
	var fields []string
	for _, f := range assist.Fields(s, "lady") {
		fields = append(fields, f.Name+": "+f.Takes+" | "+f.Default+" | "+f.Lasts+" | "+f.Sheet)
	}
	sameLines(t, fields, []string{
		"coins: whole number 0..99 | 30 | until it is changed | lady", "mood: calm or cross | none | until it is changed | guest",
		"marks: names with values | empty | as the rules say | guest", "friends: list | itself | until it is changed | guest",
	})
	if f := assist.Fields(s, "guest")[0]; f.Lasts != "night" || f.Default != "3" || f.Doc != "what is in the purse" {
		t.Errorf("coins of a guest: %+v", f)
	}
	var changes []string
	for _, o := range assist.Overrides(s, "late") {
		changes = append(changes, o.What+" "+o.Name+": "+o.Doc)
	}
	sameLines(t, changes, []string{
		"sets the option mercy to high mercy: how kind the keeper is", "replaces the table toll: what the bridge costs at night",
		"removes the verb pay: ", "adds the special rule owl: sees at night",
	})

	s = interp.NewSession(interp.Config{Modules: mods})
	list, err := assist.Decisions(s, "toll")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, d := range list {
		words = append(words, d.Name+": "+d.Words.Who+" | "+d.Words.Prompt+" | "+d.Words.Options+" | "+d.Words.Default)
	}
	sameLines(t, words, []string{
		"beg: whose throw it is; nobody's for the keeper | Beg for … coins? | yes or no | yes",
		"first: Keeper if the option mercy is low, else the one it is about |  | calm or cross | calm",
		"helper: who decides for this side | Who helps? |  | the last",
		"lots: the one it is about |  |  | a die decides",
	})
}

func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("got  %s\nwant %s", g, w)
		}
	}
}
