package table

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/lang"
)

const fallen = `use unisystem
cast Nell { STRENGTH 2, DEXTERITY 4, life 26, base 4 }
cast Bram { STRENGTH 4, DEXTERITY 3, life 40, base 4 }
scene "One" { heroes Nell, Bram
  Bram: roll DEXTERITY vs average
}
scene "Two" { heroes Nell, Bram
  Nell: roll DEXTERITY vs average
}
scene "Three" { heroes Nell, Bram
  Bram: roll STRENGTH vs average
}
`

var everywhere = []string{"beginning", "scene", "ending", "stopped"}

// A script that stops says why to the game master, and nothing of it to players. The evening is not over: the last answer
// can be taken back, what is missing can be done by hand, and it stands at the same place when it is taken up.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	head := journal.Head{Seed: 7, Asks: interp.QuietUsual, ByHand: []string{interp.Players}}
	j, err := journal.Create(filepath.Join(dir, "session-1.jsonl"), head)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, serve.Kept{Head: head, Journal: j, Script: lang.NewSource("three.scene", fallen), Pauses: everywhere})
	gm, ann := s.page(s.hub.seats.Gm), s.page(s.take("Nell", "Ann"))
	to := func(title string) {
		t.Helper()
		gm.read(func() bool { return gm.ask() != nil && (gm.ask()["title"] == title || gm.ask()["kind"] == title) })
	}
	next := func(title string, last any) {
		t.Helper()
		for {
			gm.asked(last)
			if gm.ask()["title"] == title {
				return
			}
			last = gm.ask()["id"]
			gm.pressed()
		}
	}
	to("beginning")
	gm.pressed()
	to("scene")
	gm.said("knock_out Nell")
	next("stopped", nil)
	stands := func() {
		t.Helper()
		to("stopped")
		r := gm.ask()["record"].(map[string]any)
		if r["event"] != "error" || r["message"] != "Nell is out of the fight" || r["line"] != 8.0 || gm.ask()["line"] != "Nell: roll DEXTERITY vs average" {
			t.Errorf("why it stops: %v %v", r, gm.ask()["line"])
		}
		helps := fmt.Sprint(gm.ask()["options"], gm.ask()["notes"])
		if want := "[bring_back Nell cut] [Nell gets up again, with 1 Life Point leaves out the rest of the scene]"; helps != want {
			t.Errorf("what helps: %s, not %s", helps, want)
		}
		ann.read(func() bool { return ann.now["stage"] == "stopped" })
		if ann.now["ended"] != false || ann.now["wait"] != gameMaster || ann.ask() != nil {
			t.Errorf("a phone is told %v", ann.now)
		}
	}
	stands()
	gm.said(":undo")
	to("scene")
	ann.read(func() bool { return ann.now["stage"] == "scene" })
	gm.pressed()
	stands()
	s.close()
	token := ann.token

	j, past, err := journal.Reopen(filepath.Join(dir, "session-1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, serve.Kept{Head: past.Head, Journal: j, Past: past.Entries, Pauses: everywhere})
	gm, ann = s.page(s.hub.seats.Gm), s.page(token)
	stands()
	gm.pressed() // takes the last answer back
	to("scene")
	gm.pressed()
	stands()
	gm.said("cut") // the line is left out, with the rest of the scene
	to("scene")
	gm.said(":undo")
	stands()
	if status, r := s.call(gm.token, "say", map[string]any{"text": "bring Nell back"}); status == 200 || !strings.Contains(fmt.Sprint(r), "bring_back") {
		t.Errorf("in other words: %d %v", status, r)
	}
	last := gm.ask()["id"]
	gm.said("bring_back Nell")
	next("ending", last)
	scenes := 0
	for _, x := range gm.log {
		if r := x.(map[string]any); r["event"] == "span" && r["name"] == "scene" && r["end"] != true {
			scenes++
		}
	}
	if scenes != 3 {
		t.Errorf("%d scenes were played", scenes)
	}
}

const dawn = `use unisystem
cast Nell { STRENGTH 2, DEXTERITY 4, life 26, base 4 }
cast Bram { STRENGTH 4, DEXTERITY 3, life 40, base 4 }
guest Sexton { INTELLIGENCE 2, thinking 2 }
guest Abbot { INTELLIGENCE 2, thinking 2 }
adversary Ghoul { STRENGTH 3, fighting 2, base 4, life 5 }
scene "Crypt" { heroes Nell, Bram; villains Ghoul; turn; knock_out Ghoul, Bram }
scene "Dawn" { heroes Nell, Bram; bystanders Sexton
  Bram: roll STRENGTH vs average
}
`

// While a script has stopped it is told who is there now: not whoever was in the scene before, nor who is in none yet, and to
// players nobody where the scene has not said yet who is in it.
func TestThereWhereItStops(t *testing.T) {
	for script, there := range map[string][2]string{
		dawn: {"Nell Bram Sexton", "Nell Bram Sexton"},
		strings.Replace(dawn, "heroes Nell, Bram; bystanders Sexton", "", 1): {"Nell Bram Sexton Abbot Ghoul", "Nell Bram Ghoul"},
	} {
		dir := t.TempDir()
		head := journal.Head{Seed: 7, Asks: interp.QuietUsual, ByHand: []string{interp.Players}}
		j, err := journal.Create(filepath.Join(dir, "session-1.jsonl"), head)
		if err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, serve.Kept{Head: head, Journal: j, Script: lang.NewSource("dawn.scene", script), Pauses: everywhere})
		gm, ann := s.page(s.hub.seats.Gm), s.page(s.take("Nell", "Ann"))
		for last := gm.asked(nil); last["title"] != "stopped"; last = gm.asked(last["id"]) {
			if last["kind"] == "pause" {
				gm.pressed()
			} else {
				gm.said("pass")
			}
		}
		ann.read(func() bool { return ann.now["stage"] == "stopped" })
		for i, p := range []*page{gm, ann} {
			var names []string
			for _, x := range p.now["people"].([]any) {
				if m := x.(map[string]any); m["here"] == true || m["out"] == true {
					names = append(names, m["who"].(string))
				}
			}
			if got := strings.Join(names, " "); got != there[i] {
				t.Errorf("there are %s, not %s", got, there[i])
			}
		}
		if strings.Contains(ann.raw.String(), "Abbot") {
			t.Error("a phone was told of somebody who is in no scene")
		}
		last := gm.ask()["id"]
		gm.said("bring_back Bram")
		if gm.asked(last)["title"] == "stopped" {
			t.Error("it stops again:", gm.ask())
		}
	}
}

// Whoever was in no scene is not known to players, neither where somebody is asked between two scenes nor when all is over.
func TestNeverThere(t *testing.T) {
	s := sit(t, t.TempDir(), strings.Replace(guarded, "doom 2d6\n", "doom 2d6\nwatcher \"The Secret Traitor\" { solo d6 }\n", 1), nil)
	gm, ann, ben := s.page(s.hub.seats.Gm), s.page(s.take("Saltwind", "Ann")), s.page(s.take("Ironbark", "Ben"))
	first := ann.asked(nil)["id"]
	s.call(gm.token, "say", map[string]any{"text": "cut"})
	ask := ben.asked(nil)
	s.call(ben.token, "answer", map[string]any{"form": ask["id"], "option": 1})
	s.call(ann.token, "answer", map[string]any{"form": ann.asked(first)["id"], "text": "pass"})
	for _, p := range []*page{ann, ben} {
		p.read(func() bool { return p.now["ended"] == true })
		if strings.Contains(p.raw.String(), "Traitor") {
			t.Errorf("a phone was told %v", p.now["people"])
		}
		if p.person("Guard") == nil {
			t.Errorf("who was there is told: %v", p.now["people"])
		}
	}
}
