package table

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/interp/transcript/transcripttest"
	"setpiece/lang"
)

// apart are the records that are no events of an evening, or are shown by other messages than the log's.
var apart = []string{
	"begin", "script", "question", "throw", "turn", "advice", "what_if", "reply", "again", "error", "distribution", "odds", "sim", "agreement", "comparison",
	"why", "tune", "danger", "beside", "test", "cover", "completion", "hover", "topic", "rule", "system", "code", "decision_kind",
}

func table() known {
	k := known{met: map[string]bool{}}
	k.learn([]serve.Person{{Who: "Ann", Side: interp.ByPlayers}, {Who: "EDGE", Of: "Ann", Side: interp.ByPlayers}, {Who: "Fang", Side: interp.ByOpponents, Here: true}, {Who: "EDGE", Of: "Fang", Side: interp.ByOpponents}, {Who: "Eve", Side: interp.ByOpponents}, {Who: "Watcher", Side: interp.ByMaster}}, false)
	return k
}

// canary is a record of that kind in which each member that there may be is a secret, but for names.
func canary(kind, who, told string) record {
	r := record{"event": kind, "who": who}
	if told != "" {
		r["told"] = told
	}
	for _, m := range []string{"text", "rule", "file", "line", "field", "from", "to", "command", "refused", "prompt", "options", "answer", "by", "value", "total", "against", "margin", "default", "done", "on", "title", "open", "place", "made up"} {
		r[m] = "SECRET " + m
	}
	r["dice"] = []any{record{"die": 8, "face": 3, "who": who, "name": "SECRET name", "for": "SECRET for", "rule": "SECRET rule", "made up": "SECRET"}}
	r["parts"] = []any{record{"value": 4, "label": "SECRET label", "note": "SECRET note", "rule": "SECRET rule"}}
	r["fields"] = record{"versus": "SECRET"}
	if kind == "group" {
		r["open"] = true
	}
	return r
}

// silent are the events of which players are told nothing, whatever they say.
var silent = map[string]bool{
	"tactics": true, "warn": true, "fault": true, "report": true, "value": true, "expect": true, "module": true,
}

// Each kind of event has a row: what players get of it, or that they get nothing. What is no kind, or says
// nothing of whom it is about, stays with the game master, and so does all that is said to be secret.
func TestEveryKind(t *testing.T) {
	k := table()
	for _, kind := range transcripttest.Kinds(t) {
		passes := k.public(canary(kind, "Ann", "open")) != nil
		if n := btoi(passes) + btoi(silent[kind]) + btoi(slices.Contains(apart, kind)); n != 1 {
			t.Errorf("%s: it has %d rows", kind, n)
		}
		if got := string(encode(k.public(canary(kind, "Ann", "secret")))); strings.Contains(got, "SECRET") {
			t.Errorf("%s, secret: %v", kind, got)
		}
	}
	for _, who := range []string{"Fang", "Watcher", "", "Nobody", "EDGE", "Fang.EDGE", "Fang.Ann", "ann"} {
		for _, kind := range append(transcripttest.Kinds(t), "made up") {
			if kind == "span" {
				continue // titles are open
			}
			if got := string(encode(k.public(canary(kind, who, "")))); strings.Contains(got, "SECRET") {
				t.Errorf("%s of %q: %s", kind, who, got)
			}
		}
	}
	if got := string(encode(k.public(canary("change", "Ann.EDGE", "")))); !strings.Contains(got, "SECRET from") || strings.Contains(got, "SECRET rule") {
		t.Errorf("one's own: %s", got)
	}
	if got := k.standing(); len(got) != 2 || got[1].Who != "Fang" {
		t.Errorf("whom players know: %v", got)
	}
}

// Players hear that somebody whom they know is out and why, and how they stand as far as it is open: no number of a foe that is
// closed, and nothing of somebody whom they have not met.
func TestMoved(t *testing.T) {
	k := table()
	fact := func(name, value, told string) any {
		f := record{"value": value}
		if name != "" {
			f["name"] = name
		}
		if told != "" {
			f["told"] = told
		}
		return f
	}
	facts := []any{fact("", "stressed out", "open"), fact("stress", "d8", "open"), fact("life", "SECRET", ""), fact("plan", "SECRET", "secret")}
	for who, want := range map[string]string{
		"Fang": `{"event":"moved","facts":[{"value":"stressed out"},{"name":"stress","value":"d8"}],"out":true,"who":"Fang"}`,
		"Eve":  "null",
	} {
		if got := string(encode(k.public(record{"event": "moved", "who": who, "out": true, "facts": facts}))); got != want {
			t.Errorf("%s: %s", who, got)
		}
	}
	closed := record{"event": "moved", "who": "Fang", "facts": []any{fact("life", "SECRET", "")}}
	if got := k.public(closed); got != nil {
		t.Errorf("nothing open has moved: %v", got)
	}
	closed["who"] = "Ann"
	if got := string(encode(k.public(closed))); !strings.Contains(got, "SECRET") {
		t.Errorf("one's own: %s", got)
	}
}

// At the end of a fight players are told who fell, and which side won.
func TestFell(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	nova := s.take("Nova", "Ana")
	playUsual(t, s, map[string]string{"Nova": nova})
	got := whole(s.page(nova))
	for _, said := range []string{`"out":true,"who":"Fang"`, `"outcome":"heroes"`} {
		if !strings.Contains(got, said) {
			t.Errorf("no %s in %s", said, got)
		}
	}
	if strings.Contains(got, "CLAW") {
		t.Error("a trait of the foe was sent")
	}
}

// What is said aloud at a table of a hero's roll stands on phones: how well it went, and what damage it does. What a foe's
// damage is made of does not.
func TestSaidOfARoll(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Ann { DEXTERITY 4, STRENGTH 3, KUNG_FU 4; base 6; life 30 }
adversary Fang { muscle 10, combat 14; base 5; life 30 }
scene "The roof" {
  heroes Ann
  villains Fang
  dice 9 2
  Ann: attack Fang with DEXTERITY + KUNG_FU
  Fang: attack Ann
}
`, nil)
	ann := s.take("Ann", "Ana")
	playUsual(t, s, map[string]string{"Ann": ann})
	got, all := whole(s.page(ann)), whole(s.page(s.hub.seats.Gm))
	for _, said := range []string{`"note":"Excellent, 5 levels"`, `"depth":1,"event":"note","text":"damage 11: 6 and 5 for the levels"`} {
		if !strings.Contains(got, said) {
			t.Errorf("no %s in %s", said, got)
		}
	}
	if his := "damage 8: 5 and 3 for the levels"; strings.Contains(got, his) || !strings.Contains(all, his) {
		t.Errorf("what a foe's damage is made of: the game master is told %v, players %v", strings.Contains(all, his), strings.Contains(got, his))
	}
}

// What fear leaves a hero to do stands on phones; what it leaves a foe to do does not.
func TestFearIsTold(t *testing.T) {
	s := sit(t, t.TempDir(), `use unisystem
cast Ann { WILLPOWER 3; life 30 }
adversary Fang { WILLPOWER 3; life 30 }
scene "The crypt" {
  heroes Ann
  villains Fang
  dice 3 3
  Ann: fear hideous -4 sudden
  Fang: fear hideous -4 sudden
}
`, nil)
	ann := s.take("Ann", "Ana")
	playUsual(t, s, map[string]string{"Ann": ann})
	got, all := whole(s.page(ann)), whole(s.page(s.hub.seats.Gm))
	if said := `"text":"Ann can only defend"`; !strings.Contains(got, said) {
		t.Errorf("no %s in %s", said, got)
	}
	if his := "Fang can only defend"; strings.Contains(got, his) || !strings.Contains(all, his) {
		t.Errorf("what fear leaves a foe: the game master is told %v, players %v", strings.Contains(all, his), strings.Contains(got, his))
	}
}

// What lies on the table for all stands on all pages: the doom pool, and the plot points of the game master. What is not
// open of theirs is on no page of a player.
func TestPoolOfTheMaster(t *testing.T) {
	for _, x := range []struct{ script, fact, change string }{
		{"use marvel\nhero Ann { solo d6, buddy d6, team d6 }\ndoom d6 + d8\nscene \"The roof\" { heroes Ann; give doom d10 }",
			`{"who":"Watcher","side":"master","facts":[{"name":"doom","value":"d6 d8 d10","told":"open"}]}`, `"field":"doom"`},
		{"use firefly\ncrew Ann { PHYSICAL d8 }\nbank 4\nscene \"The deck\" { heroes Ann }",
			`{"who":"Game Master","side":"master","facts":[{"name":"pp","value":"4","told":"open"}]}`, `"field":"pp"`},
		{"use cah\nhero Ann { star 3; QUICK 3 }\nvillain Fang { star 4 }\nscene \"The roof\" action { heroes Ann; villains Fang; Ann: roll QUICK vs hard }",
			"", ""},
	} {
		s := sit(t, t.TempDir(), x.script, nil)
		ann := s.take("Ann", "Ana")
		playUsual(t, s, map[string]string{"Ann": ann})
		for name, token := range map[string]string{"phone": ann, "second screen": s.hub.seats.Screen} {
			got := whole(s.page(token))
			if x.fact == "" && strings.Contains(got, `"side":"master"`) || !strings.Contains(got, x.fact) || !strings.Contains(got, x.change) {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// What a roll leaves on anybody whom players have met lies on the table: it stands on the phones and the second screen in who is
// there and in the log, of a foe and of a friend. Traits of a foe do not.
func TestLeftByARoll(t *testing.T) {
	for _, x := range []struct {
		script string
		facts  []string
	}{
		{`use marvel
hero Ann { solo d8, buddy d8, team d6; distinction "Moth"; WIND d10; pp 1 }
hero Ben { solo d8, buddy d8, team d6 }
watcher Fang { solo d6; distinction "Sour"; CLAW d6 }
watcher Eve { solo d6 }
doom 2d6
scene "The roof" {
  heroes Ann, Ben; villains Fang
  dice 5 4 3 3 3 2
  Ann: attack Fang with solo + "Moth" + WIND for complication ROOTED
  dice 5 4 3 3 3
  Ann: support Ben as HELP with solo + "Moth" + WIND
  give asset LOFT d6 to Fang
  give complication DUST d6 to Fang
  dispel DUST of Fang
  give complication SNARE d6 to Eve
  turn Ann
}
`, []string{`"name":"complication","key":"ROOTED","value":"d10"`, `"name":"asset","key":"HELP","value":"d10"`, `"name":"asset","key":"LOFT","value":"d6"`}},
		{`use firefly
crew Ann { PHYSICAL d8 }
gmc Fang { CLAW d8 }
gmc Eve { PHYSICAL d8 }
scene "The deck" {
  heroes Ann; villains Fang
  give complication ROOTED d8 to Fang
  give asset LOFT d6 to Fang
  give complication SNARE d6 to Eve
  turn Ann
}
`, []string{`"name":"complication","key":"ROOTED","value":"d8"`, `"name":"asset","key":"LOFT","value":"d6"`}},
	} {
		s := sit(t, t.TempDir(), x.script, nil)
		ann := s.take("Ann", "Ana")
		for s.hub.Where().Question.Kind != "command" {
			s.call(s.hub.seats.Gm, "answer", map[string]any{"form": fmt.Sprint(s.hub.gm.epoch, "-", s.hub.gm.forms), "text": ""})
		}
		for name, token := range map[string]string{"phone": ann, "second screen": s.hub.seats.Screen} {
			got := whole(s.page(token))
			for _, f := range x.facts {
				if there := strings.Contains(got, "{"+f+`,"told":"open"}`); !there {
					t.Errorf("%s, who is there: no %s", name, f)
				}
				var fact record
				json.Unmarshal([]byte("{"+f+"}"), &fact)
				if said := string(encode(fact)); !strings.Contains(got, said) {
					t.Errorf("%s, the log: no %s", name, said)
				}
			}
			if strings.Contains(x.script, "dispel") && !strings.Contains(got, `{"name":"no complication DUST"}`) {
				t.Errorf("%s: what is gone: %s", name, got)
			}
			if strings.Contains(got, "CLAW") || strings.Contains(got, "SNARE") {
				t.Errorf("%s: a trait of a foe, or what is on somebody who is not here: %s", name, got)
			}
		}
	}
}

// An evening that is taken up tells players what it told before, also of a foe whom only an earlier scene has seen.
func TestToldAgain(t *testing.T) {
	dir := t.TempDir()
	s := sit(t, dir, `use marvel
hero Ann { solo d8, buddy d8, team d6; distinction "Moth"; WIND d10 }
watcher Fang { solo d6; distinction "Sour" }
watcher Claw { solo d6; distinction "Sour" }
doom 2d6
scene "The roof" { heroes Ann; villains Fang; dice 5 4 3 3 3; Ann: attack Fang with solo + "Moth" + WIND for complication ROOTED }
scene "The yard" { heroes Ann; villains Claw; turn Ann }
`, nil)
	for s.hub.Where().Question.Kind != "command" {
		s.call(s.hub.seats.Gm, "answer", map[string]any{"form": fmt.Sprint(s.hub.gm.epoch, "-", s.hub.gm.forms), "text": ""})
	}
	s.close()
	if got := whole(again(t, dir).page(s.hub.seats.Screen)); !strings.Contains(got, `"name":"complication"`) || !strings.Contains(got, `"field":"complications"`) {
		t.Error(got)
	}
}

// A hero's action is complete before anybody reacts (rules 9, 30 and 49): what a phone is asked about it says nothing of the
// pool that is still to come, neither by its words nor by being asked.
func TestPoolNotSaid(t *testing.T) {
	var asked []string
	for _, claw := range []string{"d4", "d12"} {
		s := sit(t, t.TempDir(), `use marvel
hero Ann { solo d8, buddy d8, team d6; distinction "Moth"; WIND d10, FLY d6; pp 2 }
watcher Fang { solo d4; distinction "Sour"; CLAW `+claw+` }
doom 2d6
scene "The roof" { heroes Ann; villains Fang; dice 6 5 4 2; Ann: attack Fang with solo + "Moth" + WIND + FLY }
`, nil)
		ann := s.take("Ann", "Ana")
		for q := s.hub.Where().Question; q != nil && !strings.Contains(q.Title, "Add the 4"); q = s.hub.Where().Question {
			s.call(s.hub.seats.Gm, "answer", map[string]any{"form": fmt.Sprint(s.hub.gm.epoch, "-", s.hub.gm.forms), "text": ""})
		}
		asked = append(asked, strings.ReplaceAll(whole(s.page(ann)), s.hub.epoch, ""))
	}
	if asked[0] != asked[1] || !strings.Contains(asked[0], "Add the 4 for 1 plot point: 15 in place of 11; effect d6 in place of d10?") {
		t.Error(asked[0], cmp.Diff(asked[0], asked[1]))
	}
}

// The condition of a limit stands in the question that it leads to.
func TestLimitSaysWhen(t *testing.T) {
	s := sit(t, t.TempDir(), `use marvel
hero Ann { solo d8; limit "Dry Rot" condition "fire is near"; limit "Shy" }
doom d6
scene "The roof" { heroes Ann; Ann: trigger "Dry Rot" }
`, nil)
	ann := s.page(s.take("Ann", "Ana"))
	if q := ann.asked(nil)["title"]; q != "Ann: Activate Dry Rot (fire is near), and gain a plot point?" {
		t.Error(q)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// masked is a story, told with other names, words and tactics on the side of the game master.
const masked = `use marvel
# %[1]s plans in a comment
hero Ana_Moth { solo d8, buddy d10, team d6; distinction "Moth"; power_set "Wings" { FLIGHT d8 }; pp 1 }
sheet schemer is watcher { hides text as secret until exposed; plan text as secret; exposed truth; summary hides, plan }
verb plot "plots" as secret { do { show check "%[1]s" by who { print throw d8; who.plan = "%[1]s" }; print "Footsteps." to players } }
schemer Broker { hides "the mayor of Gull Bay"; solo d8, buddy d6, team d10; distinction "%[1]s"; power_set "%[2]s" { %[3]s d10 }; %[4]s d8 }
doom 2d6
note "%[1]s is behind it"
scene "The house of %[2]s" secret { Broker: plot }
scene "The vault" action {
  heroes Ana_Moth
  villains Broker
  tactics Broker { otherwise: attack weakest foe with solo + "%[1]s" + %[3]s + %[4]s for stress physical }
  tactics Ana_Moth { otherwise: attack any foe with solo + FLIGHT for stress mental }
  print "A bell tolls." to players
  fight rounds 2
  print "%[1]s laughs"
  Broker.exposed = yes
}
villain_to_come = "%[1]s"
`

// The title of a scene, what a verb does and a field until something holds may be secret.
// What players are sent does not depend on what is secret: of two evenings that differ in secrets only, with
// the same dice and answers, all streams of players and of the second screen have equal bytes, and no
// secret word is in them.
func TestNonInterference(t *testing.T) {
	var before [2]string
	for i, words := range [][]any{{"Old Grudge", "Exo", "STRENGTH", "MENACE_EXPERT"}, {"Quiet Remorse", "Cloak of Night", "SHADOWPLAY", "COSMIC_MASTER"}} {
		text := strings.Replace(fmt.Sprintf(masked, words...), "villain_to_come =", "let villain_to_come =", 1)
		s := sit(t, t.TempDir(), text, nil)
		ana, screen := s.take("Ana Moth", "Ana"), s.hub.seats.Screen
		if early := whole(s.page(screen)); strings.Contains(early, "mayor") || strings.Contains(early, "house") || !strings.Contains(early, "Footsteps.") {
			t.Errorf("before anybody is exposed: %s", early)
		}
		played := playUsual(t, s, map[string]string{"Ana Moth": ana})
		streams := [2]string{whole(s.page(ana)), whole(s.page(screen))}
		if played < 3 {
			t.Errorf("only %d questions were asked", played)
		}
		for k, got := range streams {
			got = strings.ReplaceAll(got, s.hub.epoch, "EPOCH")
			for _, w := range words {
				if strings.Contains(got, w.(string)) || strings.Contains(got, strings.ReplaceAll(w.(string), "_", " ")) {
					t.Errorf("a player was sent %q", w)
				}
			}
			for _, said := range []string{"A bell tolls.", "Footsteps.", "The vault", "the mayor of Gull Bay"} {
				if !strings.Contains(got, said) {
					t.Errorf("players are not told %q", said)
				}
			}
			if i > 0 && got != before[k] {
				t.Errorf("the bytes differ: %s", cmp.Diff(before[k], got))
			}
			before[k] = got
		}
	}
}

// whole is all that a page is sent of an evening that stands still, in bytes.
func whole(p *page) string {
	p.read(func() bool { return p.now["people"] != nil })
	return p.raw.String()
}

// playUsual takes the usual answer at each question, as whoever is asked, until nobody is, and says how many there were.
func playUsual(t testing.TB, s *sitting, tokens map[string]string) (n int) {
	t.Helper()
	for ; s.hub.Where().Question != nil; n++ {
		s.hub.mu.Lock()
		asked := s.hub.asked(s.hub.where.Question)
		view, token := s.hub.gm, s.hub.seats.Gm
		if x := s.hub.seats.of(asked); x != nil && tokens[asked] != "" {
			view, token = x.view, tokens[asked]
		}
		form, kind := fmt.Sprint(view.epoch, "-", view.forms), s.hub.where.Question.Kind
		s.hub.mu.Unlock()
		params := map[string]any{"form": form, "text": ""}
		if kind == "dice" {
			t.Fatal("nobody throws dice here")
		}
		if status, r := s.call(token, "answer", params); status != 200 {
			t.Fatal(status, r, s.hub.Where().Question.Title)
		}
	}
	return n
}

// Of no encounter that comes with setpiece a word of the game master's side is sent to players: no trait of
// an opponent, no comment, no line of tactics.
func TestCanaries(t *testing.T) {
	paths, _ := filepath.Glob("../../../scripts/*/*.scene")
	more, _ := filepath.Glob("../../../scripts/*/*.md")
	paths = append(paths, more...)
	if len(paths) < 14 {
		t.Fatal(paths)
	}
	if os.Getenv("SETPIECE_LONG") == "" {
		paths = []string{paths[rand.IntN(len(paths))], "../../../scripts/cah/bog_of_doom.scene"}
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { canaries(t, path) })
	}
}

func canaries(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	script, folder := lang.NewSource(filepath.Base(path), string(text)), os.DirFS(filepath.Dir(path))
	if notes.Is(path) {
		n, _ := notes.Parse(path, string(text))
		x, err := n.Script("")
		if err != nil {
			t.Fatal(err)
		}
		script, folder = n.Excerpt(x), n.Over(folder)
	}
	s := sitIn(t, t.TempDir(), script, folder, func(h *journal.Head) { h.ByHand = nil })
	tokens := map[string]string{}
	for _, who := range s.hub.seats.free() {
		tokens[who] = s.take(who, "Player of "+who)
	}
	secrets := map[string]bool{}
	open := map[string]bool{}
	note := func(l serve.SheetLine, into map[string]bool) {
		for _, part := range strings.Split(l.Who, ".")[1:] {
			into[part] = true
		}
	}
	look := func() {
		for _, p := range s.hub.who.people {
			_, r := s.call(s.hub.seats.Gm, "state", map[string]any{"who": p.Who})
			var x struct{ Result serve.State }
			json.Unmarshal(encode(r), &x)
			for _, l := range x.Result.Sheet {
				if p.Side == interp.ByOpponents {
					note(l, secrets)
				} else {
					note(l, open)
				}
			}
		}
	}
	look()
	begun := whole(s.page(s.hub.seats.Gm))
	early := whole(s.page(s.hub.seats.Screen))
	for _, title := range regexp.MustCompile(`scene "([^"]+)"`).FindAllStringSubmatch(script.Text, -1) {
		if !strings.Contains(begun, title[1]) && strings.Contains(early, title[1]) {
			t.Errorf("players are told of a scene to come: %s", title[1])
		}
	}
	playUsual(t, s, tokens)
	look()
	for _, e := range s.hub.log { // a player may roll with what is nobody's, such as a ship
		dice, _ := parse(e.all)["dice"].([]any)
		for _, d := range dice {
			if who, _ := d.(record)["who"].(string); s.hub.who.player(who) {
				used, _ := d.(record)["name"].(string)
				open[used] = true
			}
		}
	}
	streams := []string{whole(s.page(s.hub.seats.Screen))}
	for _, who := range s.hub.seats.list() {
		if tokens[who.Who] != "" {
			streams = append(streams, whole(s.page(tokens[who.Who])))
		}
	}
	found := 0
	for secret := range secrets {
		if open[secret] || len(secret) < 4 || strings.ToUpper(secret) != secret {
			continue // players have one of that name, or it is a word of the rules
		}
		found++
		for _, got := range streams {
			if at := strings.Index(got, secret); at >= 0 {
				t.Errorf("a player was sent %s: …%s…", secret, got[max(0, at-300):min(len(got), at+60)])
				break
			}
		}
	}
	for line := range strings.Lines(script.Text) {
		if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok && len(comment) > 20 {
			for _, got := range streams {
				if strings.Contains(got, comment) {
					t.Errorf("a player was sent a comment: %s", comment)
				}
			}
		}
	}
	t.Logf("%d secrets in %d streams", found, len(streams))
}
