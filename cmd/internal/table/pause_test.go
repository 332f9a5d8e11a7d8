package table

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/lang"
)

const rooftop = `use cah
hero Nova { star 3; PUNCH 3 }
villain Fang { star 2; CLAW 4 }
tactics Nova { otherwise: attack any foe with PUNCH }
tactics Fang { otherwise: attack any foe with CLAW }
scene "The roof" action {
  heroes Nova
  villains Fang
  print "It rains."
  turn Nova
}
`

// waiting begins rooftop as serve begins an evening.
func waiting(t *testing.T) *sitting {
	t.Helper()
	dir := t.TempDir()
	head := journal.Head{Seed: 7, Asks: interp.QuietUsual, ByHand: []string{interp.Players}}
	j, err := journal.Create(filepath.Join(dir, "session-1.jsonl"), head)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, serve.Kept{Head: head, Journal: j, Script: lang.NewSource("roof.scene", rooftop), Pauses: []string{"beginning", "scene", "ending"}})
}

// pressed answers a pause of the game master.
func (p *page) pressed() {
	p.s.t.Helper()
	if status, r := p.s.call(p.token, "answer", map[string]any{"form": p.ask()["id"], "text": ""}); status != 200 {
		p.s.t.Fatal(status, r)
	}
}

// said has the game master say a line, and gives what is replied.
func (p *page) said(line string) string {
	p.s.t.Helper()
	status, r := p.s.call(p.token, "say", map[string]any{"text": line})
	if status != 200 {
		p.s.t.Fatal(line, status, r)
	}
	return r["result"].(map[string]any)["reply"].(string)
}

func (p *page) person(name string) map[string]any {
	for _, x := range p.now["people"].([]any) {
		if m := x.(map[string]any); m["who"] == name {
			return m
		}
	}
	return nil
}

// Nothing is played before the game master begins; who decides and whose dice are thrown is shown, and can be switched before.
// A hero with tactics is asked. The scene waits behind what it tells; the end waits, and its last answer can be taken back.
func TestWaits(t *testing.T) {
	s := waiting(t)
	gm, nova := s.page(s.hub.seats.Gm), s.page(s.take("Nova", "Ana"))
	ask := gm.asked(nil)
	nova.read(func() bool { return nova.now["stage"] == "beginning" })
	if ask["kind"] != "pause" || ask["title"] != "beginning" || len(nova.log) > 0 || nova.now["wait"] != gameMaster {
		t.Errorf("before it begins: %v; a phone knows %v, %v", ask, nova.log, nova.now)
	}
	if n, f := gm.person("Nova"), gm.person("Fang"); n["asked"] != true || n["throws"] != nil || f["asked"] != nil {
		t.Errorf("%v, %v", n, f)
	}
	if got := gm.said(":dice ask Nova"); got != "type what the dice of Nova show, from the next throw on\n" {
		t.Errorf("dice: %q", got)
	}
	gm.read(func() bool { return gm.person("Nova")["throws"] == true })
	for _, p := range nova.now["people"].([]any) {
		if m := p.(map[string]any); m["who"] == "Fang" || m["asked"] != nil || m["throws"] != nil {
			t.Errorf("a phone was told %v", m)
		}
	}
	gm.said(":auto Nova")
	gm.read(func() bool { return gm.person("Nova")["asked"] == nil })
	gm.said(":ask Nova")
	gm.read(func() bool { return gm.person("Nova")["asked"] == true })
	gm.pressed()
	nova.read(func() bool { return nova.now["stage"] == "scene" })
	if text, _ := nova.log[len(nova.log)-1].(map[string]any); len(nova.log) == 0 || text["event"] != "span" {
		t.Errorf("a phone was told of the scene: %v", nova.log)
	}
	gm.read(func() bool { return gm.ask()["title"] == "scene" })
	if !slices.ContainsFunc(gm.log, func(x any) bool { return x.(map[string]any)["value"] == "It rains." }) {
		t.Errorf("behind what it tells: %v", gm.log)
	}
	gm.pressed()
	if form := nova.asked(nil); form["kind"] != "command" {
		t.Errorf("then Nova is asked: %v", form)
	}
	if nova.person("Fang") == nil {
		t.Error("a phone does not know whom Nova meets")
	}
	gm.read(func() bool { return gm.ask()["kind"] == "command" })
	gm.said("pass")
	gm.read(func() bool { return gm.ask()["title"] == "ending" })
	nova.read(func() bool { return nova.now["ended"] == true })
	gm.said(":undo")
	gm.read(func() bool { return gm.ask()["kind"] == "command" })
}

// Where all throw their own dice, those of one hero can be thrown for them: then nobody is asked what they show.
func TestDiceOfOne(t *testing.T) {
	for _, thrown := range []bool{false, true} {
		s := sit(t, t.TempDir(), strings.Replace(rooftop, "turn Nova", "turn Nova; turn Nova", 1), func(h *journal.Head) { h.Ask, h.ByHand = true, []string{interp.Players} })
		gm := s.page(s.hub.seats.Gm)
		if ask := gm.asked(nil); ask["kind"] != "command" || gm.person("Nova")["throws"] != true {
			t.Fatal(ask, gm.person("Nova"))
		}
		if thrown {
			if status, r := s.call(gm.token, "auto", map[string]any{"who": "dice Nova"}); status != 200 {
				t.Fatal(status, r)
			}
			gm.read(func() bool { return gm.person("Nova")["throws"] == nil })
		}
		last := gm.ask()["id"]
		s.call(gm.token, "answer", map[string]any{"form": last, "text": "roll PUNCH vs DN 5"})
		for ask := gm.asked(last); ask["kind"] == "decision"; ask = gm.asked(last) {
			last = ask["id"]
			s.call(gm.token, "answer", map[string]any{"form": last, "option": 0})
		}
		if asked := gm.ask()["kind"] == "dice"; asked == thrown {
			t.Errorf("thrown for her: %v, asked: %v", thrown, gm.ask())
		}
	}
}

// What the game master types is done as beside a question at the terminal: words with a colon, odds, sheets, and what is done
// by hand, which is nobody's command. What is no such thing is an answer, and a sentence is told what it means.
func TestSaid(t *testing.T) {
	s := waiting(t)
	gm := s.page(s.hub.seats.Gm)
	gm.asked(nil)
	if _, r := s.call(gm.token, "say", map[string]any{"text": "cast Mole { star 3 }"}); !strings.Contains(fmt.Sprint(r["error"]), "to say who takes part write hero (a player's character)") {
		t.Errorf("a word for heroes that is none here: %v", r)
	}
	gm.said("hero Mole { star 3; DIG 3 }")
	gm.read(func() bool { return gm.person("Mole") != nil })
	for gm.ask()["kind"] == "pause" {
		last := gm.ask()["id"]
		gm.pressed()
		gm.asked(last)
	}
	for line, want := range map[string]string{
		":asked": "nothing was asked yet", "odds (throw d2).face > 0": "always", ":state Nova": "PUNCH 3", "help star": "star", ":quit": "that is for the terminal",
		":quiet must": "only what nobody else can know", ":bogus": "there is no :bogus",
	} {
		if got := gm.said(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q, without %q", line, got, want)
		}
	}
	gm.said("heroes Mole")
	gm.read(func() bool { return gm.person("Mole")["here"] == true })
	for _, x := range gm.log {
		if r := x.(map[string]any); r["event"] == "command" && (r["text"] != "heroes Mole" || r["who"] != nil && r["who"] != "") {
			t.Errorf("by hand: %v", r)
		}
	}
	if done := gm.ask()["record"].(map[string]any)["done"]; done != nil && len(done.([]any)) > 0 {
		t.Errorf("Nova did %v", done)
	}
	status, r := s.call(gm.token, "say", map[string]any{"text": "I hit the Fang"})
	data, _ := r["error"].(map[string]any)["data"].(map[string]any)
	if meant, _ := data["meant"].(string); status != 422 || !strings.HasPrefix(meant, "attack Fang") {
		t.Errorf("a sentence: %d %v", status, r)
	}
	gm.said(":undo")
	gm.read(func() bool { return gm.person("Mole")["here"] == nil })
}

// What the game master does by hand, at somebody's turn and while they decide, is told as nobody's; a phone is told what came
// of it, and not that somebody acted.
func TestByHandIsNobodys(t *testing.T) {
	s := waiting(t)
	gm, nova := s.page(s.hub.seats.Gm), s.page(s.take("Nova", "Ana"))
	for gm.asked(nil)["kind"] == "pause" {
		last := gm.ask()["id"]
		gm.pressed()
		gm.asked(last)
	}
	commands := func(log []any) (list []string) {
		for _, x := range log {
			if r := x.(map[string]any); r["event"] == "command" {
				who, _ := r["who"].(string)
				text, _ := r["text"].(string)
				list = append(list, who+": "+text)
			}
		}
		return list
	}
	gm.said("give 1 setback to Nova")
	gm.said(":ask everything")
	gm.said("attack Fang with PUNCH")
	gm.read(func() bool { return gm.ask()["kind"] == "decision" })
	gm.said("give 1 setback to Nova")
	gm.read(func() bool { return len(commands(gm.log)) > 1 })
	if got, want := commands(gm.log), []string{": give 1 setback to Nova", ": give 1 setback to Nova"}; !slices.Equal(got, want) {
		t.Errorf("the game master reads %q, not %q", got, want)
	}
	nova.read(func() bool {
		return slices.ContainsFunc(nova.log, func(x any) bool { r := x.(map[string]any); return r["field"] == "setbacks" && r["to"] == 2.0 })
	})
	if got := commands(nova.log); len(got) > 0 {
		t.Errorf("a phone reads %q", got)
	}
}

// The head of a page says once where the evening is, also after lines by hand, at a turn and at a decision, and when they are
// taken back.
func TestHeadStays(t *testing.T) {
	s := waiting(t)
	gm, nova := s.page(s.hub.seats.Gm), s.page(s.take("Nova", "Ana"))
	for gm.asked(nil)["kind"] == "pause" {
		last := gm.ask()["id"]
		gm.pressed()
		gm.asked(last)
	}
	open := func(log []any) (list []string) {
		for _, x := range log {
			r := x.(map[string]any)
			if text, _ := r["text"].(string); r["event"] == "span" && r["end"] != true {
				list = append(list, strings.TrimSpace(r["name"].(string)+" "+text))
			} else if i := len(list) - 1; r["event"] == "span" && i >= 0 && strings.HasPrefix(list[i], r["name"].(string)) {
				list = list[:i]
			}
		}
		return list
	}
	given := func(p *page, n int) func() bool {
		return func() bool {
			last := -1.0
			for _, x := range p.log {
				if r := x.(map[string]any); r["event"] == "change" && r["field"] == "setbacks" {
					last = r["to"].(float64)
				}
			}
			return last == float64(n)
		}
	}
	want := open(gm.log)
	if len(want) == 0 || want[0] != "scene The roof" {
		t.Fatalf("at first: %q", want)
	}
	for i, line := range []string{"give 1 setback to Nova", "give 1 setback to Nova", "", "give 1 setback to Nova", ":undo"} {
		if line == "" {
			gm.said(":ask everything")
			gm.said("attack Fang with PUNCH")
			gm.read(func() bool { return gm.ask()["kind"] == "decision" })
			continue
		}
		gm.said(line)
		for name, p := range map[string]*page{"the game master's": gm, "a phone's": nova} {
			p.read(given(p, []int{1, 2, 0, 3, 2}[i]))
			if got := open(p.log); !slices.Equal(got, want) {
				t.Errorf("%s page behind %q: %q, not %q", name, line, got, want)
			}
		}
	}
}
