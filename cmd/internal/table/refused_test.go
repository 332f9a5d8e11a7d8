package table

import (
	"fmt"
	"strings"
	"testing"
)

// A command may be refused only behind a question that somebody else answers: then whoever gave it is told why, and has it
// in hand again, as the game master has. Of somebody whom players do not know nothing is said.
func TestRefusedLate(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4; drama 1 }
scene "The yard" { heroes Pia; turn }`, nil)
	gm, pia := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann"))
	first := pia.asked(nil)["id"]
	if pia.ask()["refused"] != nil {
		t.Error("nothing was refused:", pia.ask())
	}
	_, r := s.call(pia.token, "answer", map[string]any{"form": first, "text": "break_free"})
	if e, _ := r["error"].(map[string]any); e["message"] != "nobody holds Pia" { // without where that stands in a line
		t.Error(e)
	}
	for typed, want := range map[string]string{ // by the rules the game master says how hard something is
		"roll STRENGTH vs easy 5":                      "the Game Master decides that: leave out  vs easy 5",
		"roll DEXTERITY + ACROBATICS unskilled simple": "the Game Master decides that: leave out  unskilled simple",
		"full_defense 3":                               "the Game Master decides that: leave out  3",
	} {
		status, r := s.call(pia.token, "answer", map[string]any{"form": first, "text": typed})
		if e, _ := r["error"].(map[string]any); status != 422 || e["message"] != want {
			t.Errorf("%s: %d, %v", typed, status, e)
		}
	}
	_, r = s.call(pia.token, "complete", map[string]any{"text": "roll STRENGTH vs "})
	for _, x := range r["result"].(map[string]any)["list"].([]any) {
		switch x := x.(map[string]any)["text"]; x {
		case "easy", "difficult", "challenging":
			t.Errorf("%s is offered, which the game master decides", x)
		}
	}
	const typed = "roll DEXTERITY + ACROBATICS spend drama unlock spend drama bonus 3" // two points
	if status, r := s.call(pia.token, "answer", map[string]any{"form": first, "text": typed}); status != 200 {
		t.Fatal(status, r)
	}
	gm.read(func() bool { return gm.ask()["kind"] == "decision" })
	if status, r := s.call(gm.token, "answer", map[string]any{"form": gm.ask()["id"], "text": "challenging"}); status != 200 {
		t.Fatal(status, r)
	}
	pia.read(func() bool { return pia.ask() != nil && pia.ask()["id"] != first })
	why, _ := pia.ask()["refused"].(map[string]any)
	if text, _ := why["message"].(string); text != "Pia has no Drama Point left" || pia.ask()["tried"] != typed {
		t.Errorf("the player is asked %v", pia.ask())
	}
	gm.read(func() bool { return gm.ask()["kind"] == "command" })
	turn, _ := gm.ask()["record"].(map[string]any)
	why, _ = turn["refused"].(map[string]any)
	if text, _ := why["message"].(string); text != "Pia has no Drama Point left" || turn["tried"] != typed {
		t.Errorf("the game master is asked %v", turn)
	}
	if status, r := s.call(pia.token, "answer", map[string]any{"form": pia.ask()["id"], "text": "pass"}); status != 200 {
		t.Error(status, r)
	}
}

// Whom a command can be aimed at: those who are out come last, and are said to be.
func TestOutComesLast(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4 }
adversary "The Cantor" { combat 9; life 12 }
adversary Rat x2 { combat 9; life 12 }
scene "The yard" { heroes Pia; villains "The Cantor", Rat; turn; knock_out "The Cantor"; turn }`, nil)
	pia := s.page(s.take("Pia", "Ann"))
	first := pia.asked(nil)["id"]
	s.call(pia.token, "answer", map[string]any{"form": first, "text": "pass"})
	pia.asked(first)
	_, r := s.call(pia.token, "complete", map[string]any{"text": "attack "})
	var got []string
	for _, x := range r["result"].(map[string]any)["list"].([]any) {
		if x := x.(map[string]any); x["kind"] == "character" {
			size, _ := x["size"].(string)
			got = append(got, x["text"].(string)+" "+size)
		}
	}
	if text := strings.Join(got, ", "); text != `"Rat 1" , "Rat 2" , "The Cantor" out` {
		t.Error(text)
	}
}

// Of whom a sentence speaks without a name, players are asked which one.
func TestWhichOne(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4 }
adversary "The Cantor" { combat 9; life 60 }
adversary Rat x2 { combat 9; life 12 }
scene "The yard" { heroes Pia; villains Rat, "The Cantor"; turn }`, nil)
	pia := s.page(s.take("Pia", "Ann"))
	_, r := s.call(pia.token, "answer", map[string]any{"form": pia.asked(nil)["id"], "text": "I hit the big one"})
	e, _ := r["error"].(map[string]any)
	data, _ := e["data"].(map[string]any)
	if got := fmt.Sprint(e["message"], data["which"], data["meant"]); got != `which one do you mean?[attack "The Cantor" attack "Rat 1" attack "Rat 2"] <nil>` {
		t.Error(got)
	}
}

// Phones and the game master's page show who acts when.
func TestOrderIsShown(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Pia { DEXTERITY 4; life 30 }
cast "Old Tom" { DEXTERITY 4; life 30 }
adversary Rat { combat 9; life 12 }
scene "The yard" { heroes Pia, "Old Tom"; villains Rat; order Pia, Rat, "Old Tom"; fight }`, nil)
	gm, pia := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann"))
	pia.asked(nil)
	gm.read(func() bool { return gm.ask() != nil })
	for who, page := range map[string]*page{"phone": pia, "game master": gm} {
		if got := fmt.Sprint(page.now["order"]); got != "map[now:Pia then:[Rat Old Tom]]" && who == "phone" || who != "phone" && !strings.Contains(got, "then:[Rat Old Tom]") {
			t.Errorf("%s: %s", who, got)
		}
	}
}

// A player is known by name at a table: whoever says Ann means her hero. What the rules refuse is refused with why, not
// with another command.
func TestSaidOfPlayers(t *testing.T) {
	s := sit(t, t.TempDir(), `use marvel
hero Gale { buddy d8; power_set "Wind" { GUST d10 }; pp 0 }
hero "Old Oak" { buddy d8; pp 0 }
watcher Glass { solo d8 }
doom 2d6
scene "The roof" action { heroes "Old Oak", Gale; villains Glass; Glass.assets["ESCAPING"] = d12; turn "Old Oak"; turn "Old Oak" }`, nil)
	s.take("Gale", "Ann")
	ben := s.page(s.take("Old Oak", "Ben"))
	form := ben.asked(nil)["id"]
	for typed, want := range map[string]string{
		"I protect Ann":    "did you mean  support Gale as HELP",
		"I protect Annual": "did you mean  roll vs doom for asset COVER",
		"target ESCAPING of Glass with buddy vs Glass": "a d8 cannot touch a d12",
	} {
		_, r := s.call(ben.token, "answer", map[string]any{"form": form, "text": typed})
		e, _ := r["error"].(map[string]any)
		if text, _ := e["message"].(string); !strings.HasPrefix(text, want) {
			t.Errorf("%s: %v", typed, e)
		}
	}
	gm := s.page(s.hub.seats.Gm)
	pp := func(who string) func() bool {
		return func() bool {
			return gm.person(who) != nil && strings.Contains(fmt.Sprint(gm.person(who)["facts"]), "name:pp value:1")
		}
	}
	gm.asked(nil)
	gm.said("give 1 pp to Ann, Ben")
	gm.read(pp("Gale"))
	gm.read(pp("Old Oak"))
	for line, want := range map[string]string{":state Ann": "GUST d10", ":state Ben": "Old Oak", "odds Ann.pp == 1": "always"} {
		if got := gm.said(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
	status, r := s.call(gm.token, "complete", map[string]any{"text": "step Ben st", "by_hand": true})
	list := r["result"].(map[string]any)
	if status != 200 || list["from"] != 9.0 || !strings.Contains(fmt.Sprint(list["list"]), "text:stress") {
		t.Errorf("completed: %d %v", status, r)
	}
	last := gm.ask()["id"]
	if status, r := s.call(ben.token, "answer", map[string]any{"form": ben.asked(nil)["id"], "text": "support Ann as HELP"}); status != 200 {
		t.Error(status, r)
	}
	gm.asked(last)
	gm.said(`knock_out Ann "as Ann says"`)
	gm.read(func() bool { return strings.Contains(fmt.Sprint(gm.log), "knock_out Gale \"as Ann says\"") })
	gm.said("watcher Ann { solo d6 }") // from here on Ann is somebody else
	gm.read(func() bool { return gm.person("Ann") != nil })
	if got := gm.said(":state Ann"); strings.Contains(got, "GUST") {
		t.Errorf(":state Ann: %q", got)
	}
}

// Rules that name no figure have no usual one: what Full Defense adds the game master has to say, once in an evening.
func TestNothingIsUsual(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4; life 20 }
adversary Rat { combat 9; life 12 }
scene "The yard" { heroes Pia; villains Rat; turn; turn }`, nil)
	gm, pia := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann"))
	first := pia.asked(nil)["id"]
	s.call(pia.token, "answer", map[string]any{"form": first, "text": "full_defense"})
	gm.read(func() bool { return gm.ask()["kind"] == "decision" })
	if d, ok := gm.ask()["default"]; ok {
		t.Errorf("%v is usual", d)
	}
	if status, r := s.call(gm.token, "answer", map[string]any{"form": gm.ask()["id"], "text": ""}); status != 422 {
		t.Error("nothing is an answer:", status, r)
	}
	s.call(gm.token, "answer", map[string]any{"form": gm.ask()["id"], "text": "7"})
	pia.read(func() bool { return pia.ask() != nil && pia.ask()["id"] != first })
	s.call(pia.token, "answer", map[string]any{"form": pia.ask()["id"], "text": "full_defense"})
	gm.read(func() bool { return strings.Count(fmt.Sprint(gm.log), "+7 until the Turn ends") == 2 })
}
