package table

import (
	"fmt"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/interp"
)

const guarded = `use marvel
hero Saltwind { solo d8, buddy d10, team d6; distinction "Lighthouse Keeper"; power_set "Gale" { WIND_BLAST d10 }; pp 2 }
hero Ironbark { solo d6, buddy d8, team d10; distinction "Slow to Anger"; power_set "Oak" { STRENGTH d10 }; pp 1; limit "Dry Rot" condition "fire is near" }
watcher Guard { solo d6; distinction "Wants to Go Home" }
doom 2d6
group Saltwind, Ironbark as buddy
scene "The museum" {
  heroes Saltwind, Ironbark; bystanders Guard
  give asset HELP d12 to Ironbark
  turn Saltwind
}
scene "The roof" {
  heroes Saltwind, Ironbark; bystanders Guard
  turn Saltwind
}
`

// A push that was bought stands in the pool of whoever throws the dice for it.
func TestPushInPool(t *testing.T) {
	s := sit(t, t.TempDir(), guarded, func(h *journal.Head) { h.Ask, h.Asks = true, interp.QuietUsual })
	ann := s.page(s.take("Saltwind", "Ann"))
	s.call(ann.token, "answer", map[string]any{"form": ann.asked(nil)["id"], "text": `roll buddy + WIND_BLAST vs Guard`})
	form := ann.asked(nil)
	for form["kind"] != "dice" {
		last := form["id"]
		also := []any{}
		list, _ := form["also"].([]any)
		for _, x := range list {
			if x.(map[string]any)["name"] == "push" {
				also = append(also, 1)
			} else {
				also = append(also, nil)
			}
		}
		s.call(ann.token, "answer", map[string]any{"form": last, "option": 0, "also": also})
		form = ann.asked(last)
	}
	if got := fmt.Sprint(form["so"]); !strings.Contains(got, "push d6") {
		t.Errorf("%v: %s", form["dice"], got)
	}
}

// Between two scenes the evening is not over: what somebody is asked there, as whether an asset is kept, the others wait for.
func TestNotOver(t *testing.T) {
	s := sit(t, t.TempDir(), guarded, nil)
	gm, ann, ben, screen := s.page(s.hub.seats.Gm), s.page(s.take("Saltwind", "Ann")), s.page(s.take("Ironbark", "Ben")), s.page(s.hub.seats.Screen)
	first := ann.asked(nil)["id"]
	if ann.now["ended"] != false {
		t.Error("the end:", ann.now)
	}
	s.call(gm.token, "say", map[string]any{"text": "cut"})
	if ask := ben.asked(nil); !strings.Contains(ask["title"].(string), "Keep HELP") {
		t.Fatal(ask)
	}
	for _, p := range []*page{ann, screen, ben} {
		p.read(func() bool { return p.now["wait"] == "Ironbark" })
		if p.now["ended"] != false {
			t.Errorf("the end: %v", p.now)
		}
	}
	s.call(ben.token, "answer", map[string]any{"form": ben.ask()["id"], "option": 1})
	form := ann.asked(first)
	s.call(ann.token, "answer", map[string]any{"form": form["id"], "text": "pass"})
	for _, p := range []*page{ann, screen} {
		p.read(func() bool { return p.now["ended"] == true })
	}
}
