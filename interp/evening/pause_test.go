package evening_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
	"setpiece/stdlib"
)

const twoScenes = `use cah
hero Nova { star 3; PUNCH 3 }
villain Fang { star 2; CLAW 4 }
print "welcome"
scene "The roof" {
  heroes Nova
  print "It rains."
  turn Nova
}
scene "The cellar" action {
  heroes Nova
  villains Fang
  print "It drips."
  turn Nova
}
print "home"
`

// pausing plays twoScenes with these lines, and gives what was told before each question.
func pausing(t *testing.T, kept *evening.Memory, at []string, lines ...string) (h *table, asked []string, err error) {
	t.Helper()
	h = &table{lines: lines}
	session := interp.Config{Modules: stdlib.FS, Seed: 5, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}
	h.e = evening.Begin(evening.Config{Host: h, Store: kept, Pauses: at, Session: session})
	err = h.e.Load(t.Context(), lang.NewSource("two.scene", twoScenes))
	return h, kinds(h), err
}

func kinds(h *table) (list []string) {
	for _, q := range h.asked {
		list = append(list, strings.TrimSpace(string(q.Kind)+" "+map[bool]string{true: q.Title}[q.Kind == evening.Pause]))
	}
	return list
}

// It waits before anything happens, behind what is told of a scene and before anybody acts in it, and when it is over;
// elsewhere nobody waits. What is answered is the same, with pauses and without.
func TestPauses(t *testing.T) {
	all := []string{evening.Beginning, evening.Scene, evening.Ending}
	h, _, err := pausing(t, &evening.Memory{}, all)
	if !errors.Is(err, evening.ErrLeft) || len(h.says) > 0 || len(h.asked) != 1 || h.asked[0].Title != evening.Beginning {
		t.Errorf("before it begins: %v, told %q, asked %q", err, h.says, kinds(h))
	}
	h, _, err = pausing(t, &evening.Memory{}, all, "")
	if !errors.Is(err, evening.ErrLeft) || !slices.Equal(h.says, []string{"welcome", "It rains."}) {
		t.Errorf("at the first scene: %v, told %q", err, h.says)
	}
	nobody, without, err := pausing(t, &evening.Memory{}, nil, "pass", "pass")
	if want := []string{"command", "command"}; err != nil || !slices.Equal(without, want) {
		t.Errorf("without: %v %q", err, without)
	}
	h, asked, err := pausing(t, &evening.Memory{}, all, "", "", "pass", "", "pass", "")
	if want := []string{"pause beginning", "pause scene", "command", "pause scene", "command", "pause ending"}; err != nil || !slices.Equal(asked, want) {
		t.Errorf("all: %v %q, not %q", err, asked, want)
	}
	if len(h.e.Happened()) != 1 || len(h.e.Happened()[0]) != len(nobody.e.Happened()[0]) {
		t.Errorf("%d events, %d without pauses", len(h.e.Happened()[0]), len(nobody.e.Happened()[0]))
	}
	if _, asked, err = pausing(t, &evening.Memory{}, []string{evening.Ending}, "pass", "pass", ""); err != nil || len(asked) != 3 || asked[2] != "pause ending" {
		t.Errorf("ending: %v %q", err, asked)
	}
}

// What is taken back goes back to the pause, and then before it; at the end the last answer is asked again. Where the
// evening is taken up it pauses again only where it stood.
func TestPausesTakenBack(t *testing.T) {
	all := []string{evening.Beginning, evening.Scene, evening.Ending}
	_, asked, err := pausing(t, &evening.Memory{}, all, "", "", "pass", "", "!back", "!back", "pass", "", "pass", "!back", "pass", "")
	want := []string{"pause beginning", "pause scene", "command", "pause scene", "command", "pause scene", "command", "pause scene", "command", "pause ending", "command", "pause ending"}
	if err != nil || !slices.Equal(asked, want) {
		t.Errorf("%v\n%q, not\n%q", err, asked, want)
	}
	// Who is handed to tactics at a pause, and not again: it pauses still.
	if _, asked, _ = pausing(t, &evening.Memory{}, all, "", "!auto Fang", "!auto Nova", "!back"); !slices.Equal(asked, []string{"pause beginning", "pause scene", "pause scene"}) {
		t.Errorf("taken back at a pause: %q", asked)
	}
	var kept evening.Memory
	h, asked, err := pausing(t, &kept, all, "", "!auto Fang", "", "pass")
	if !errors.Is(err, evening.ErrLeft) || asked[len(asked)-1] != "pause scene" {
		t.Fatal(err, asked)
	}
	again := &table{lines: []string{"", "pass", ""}}
	v, r := evening.Resume(t.Context(), evening.Config{Host: again, Pauses: all, Session: interp.Config{Modules: stdlib.FS, Seed: 5, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}}, kept)
	again.e = v
	err = v.Continue(t.Context())
	if want := []string{"pause scene", "command", "pause ending"}; r.Open == nil || err != nil || !slices.Equal(kinds(again), want) {
		t.Errorf("taken up: %v %q, not %q", err, kinds(again), want)
	}
	if h.asked[len(h.asked)-1].ID != again.asked[0].ID {
		t.Errorf("question %d is %d", h.asked[len(h.asked)-1].ID, again.asked[0].ID)
	}
}

// Whom players play is asked for though there are tactics, but for those whom the tactics are said to play.
func TestPlayersAreAsked(t *testing.T) {
	script := "use cah\nhero Nova { star 3; PUNCH 3 }\nhero Mole { star 3; DIG 3 }\ntactics Nova { otherwise: recover }\ntactics Mole { otherwise: recover }\nscene \"The roof\" {\n  heroes Nova, Mole\n  turn Nova\n  turn Mole\n}\n"
	for auto, want := range map[string]string{"": "Nova Mole", "Nova": "Mole"} {
		h := &table{lines: []string{"pass", "pass"}}
		cfg := interp.Config{Modules: stdlib.FS, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}
		if auto != "" {
			cfg.Auto = []string{auto}
		}
		h.e = evening.Begin(evening.Config{Host: h, Session: cfg})
		err := h.e.Load(t.Context(), lang.NewSource("x.scene", script))
		var got []string
		for _, q := range h.asked {
			got = append(got, q.Who)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("--auto %s: %v %q, not %q", auto, err, got, want)
		}
	}
}

// Where a script stops with an error it waits, with the reason, and any answer takes the last one back. Taken up where nobody
// waits at all, it stops behind the last answer, which can be given otherwise.
func TestPausesWhereItStops(t *testing.T) {
	const script = `use unisystem
cast Nell { STRENGTH 2, life 26 }
scene "One" { heroes Nell; turn; knock_out Nell }
scene "Two" { heroes Nell
  Nell: roll STRENGTH vs average
}
`
	cfg := evening.Config{Pauses: []string{evening.Beginning, evening.Scene, evening.Ending, evening.Stop}, Session: interp.Config{Modules: stdlib.FS, Seed: 5, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}}
	var kept evening.Memory
	h := &table{lines: []string{"", "", "pass", "", ""}}
	cfg.Host, cfg.Store = h, &kept
	h.e = evening.Begin(cfg)
	err := h.e.Load(t.Context(), lang.NewSource("two.scene", script))
	if want := []string{"pause beginning", "pause scene", "command", "pause scene", "pause stopped", "pause scene"}; !errors.Is(err, evening.ErrLeft) || !slices.Equal(kinds(h), want) {
		t.Fatalf("%v, asked %q, not %q", err, kinds(h), want)
	}
	if why := h.asked[4].Refused; why == nil || !strings.Contains(why.Error(), "Nell is out of the fight") {
		t.Errorf("it stops: %v", why)
	}
	again := func(lines ...string) (*table, error) {
		h := &table{lines: lines}
		cfg.Host = h
		h.e, _ = evening.Resume(t.Context(), cfg, kept)
		return h, h.e.Play(t.Context(), nil)
	}
	if h, err = again(""); !errors.Is(err, evening.ErrLeft) || !slices.Equal(kinds(h), []string{"pause scene", "pause stopped"}) {
		t.Fatalf("taken up: %v, asked %q", err, kinds(h))
	}
	cfg.Pauses = nil
	h, err = again()
	if failed, ok := errors.AsType[*evening.Failed](err); !ok || failed.Redo != evening.ToAnswer || len(h.asked) > 0 {
		t.Errorf("where nobody waits: %v, asked %q", err, kinds(h))
	}
	if h, err = again(); !errors.Is(err, evening.ErrLeft) || !slices.Equal(kinds(h), []string{"command"}) {
		t.Errorf("then: %v, asked %q", err, kinds(h))
	}
}

// What would last beyond a scene is asked at its end, and not where no scene follows.
func TestNothingLastsBeyondTheEnd(t *testing.T) {
	const scene = "scene \"A roof\" action { heroes Nova; give asset HELP d8 to Nova }\n"
	for behind, want := range map[string]int{"": 0, scene: 1, "print \"home\"\nreport Nova.pp\n": 0, "if Nova.pp == 2 { " + scene + " }\n": 2, "give 1 pp to Nova\n": 1} {
		h := &table{lines: slices.Repeat([]string{"no"}, want)}
		h.e = evening.Begin(evening.Config{Host: h, Forms: true, Session: interp.Config{Modules: stdlib.FS, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}})
		err := h.e.Load(t.Context(), lang.NewSource("x.scene", "use marvel\nhero Nova { solo d8; pp 2 }\n"+scene+behind))
		if err != nil || len(h.asked) != want || want > 0 && h.asked[0].Name != "persist" {
			t.Errorf("before %q: %v %d questions", behind, err, len(h.asked))
		}
	}
	h := &table{lines: []string{"no"}}
	h.e = evening.Begin(evening.Config{Host: h, Forms: true, Session: interp.Config{Modules: stdlib.FS, Ask: []string{interp.Players}, Quiet: interp.QuietUsual}})
	if err := h.e.Enter(t.Context(), "use marvel\nhero Nova { solo d8; pp 2 }\n"+scene); err != nil || len(h.asked) != 1 {
		t.Errorf("typed: %v %d questions", err, len(h.asked))
	}
}

// What the rules of each system say helps where a script stops can be done there, and helps.
func TestRemedies(t *testing.T) {
	for system, hero := range map[string]string{
		"unisystem": "cast", "firefly": "crew", "marvel": "hero", "cah": "hero", "clichenimatic": "hero",
	} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		do := func(text string) {
			if err := s.Exec(t.Context(), lang.NewSource("", text)); err != nil {
				t.Errorf("%s, %s: %v", system, text, err)
			}
		}
		sheet := map[string]string{"unisystem": "life 20", "clichenimatic": "essence 5"}[system]
		do("use " + system + "\n" + hero + " \"Old Tom\" { " + sheet + " }\nscene \"A roof\"\nheroes \"Old Tom\"\n")
		if got, _ := s.Remedies("Old Tom cannot do that"); fmt.Sprint(got) != "[cut]" {
			t.Errorf("%s, while all is well: %q", system, got)
		}
		do(`knock_out "Old Tom"`)
		got, does := s.Remedies("Old Tom is out")
		if fmt.Sprint(got) != `[bring_back "Old Tom" cut]` || len(does) != 2 {
			t.Errorf("%s: %q %q", system, got, does)
			continue
		}
		if got, _ := s.Remedies("Bold Tomas is out, old Tomas"); fmt.Sprint(got) != "[cut]" {
			t.Errorf("%s, a name within another: %q", system, got)
		}
		do(got[0])
		if got, _ := s.Remedies("Old Tom is out"); len(got) != 1 {
			t.Errorf("%s, behind it: %q", system, got)
		}
		do(got[1])
		if got, _ := s.Remedies(""); len(got) > 0 {
			t.Errorf("%s, behind the scene: %q", system, got)
		}
	}
}
