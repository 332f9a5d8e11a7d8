package evening_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/lang"
	"setpiece/stdlib"
)

// handed types lines at the first command prompt of each name, and Enter at everything else.
type handed struct {
	v      *evening.Evening
	says   []string // what the game master says at the first command prompts, one at each
	asked  []string // whose prompts they were
	notes  []string
	ends   []string // of spans
	after  []string // who was asked for commands after that
	t      *testing.T
	failed []string
	hand   []string // what the game master does at the first decision behind a command
	places []string // of that question, before and after it
	taken  []string // what was told to be taken back
}

// atDecision does what the game master does by hand, and gives no other answer than the usual one.
func (h *handed) atDecision(q *evening.Query) (interp.Answer, error) {
	if len(h.places) == 1 {
		h.places = append(h.places, q.Place)
	}
	if len(h.hand) > 0 && len(h.asked) > 0 {
		text := h.hand[0]
		h.hand, h.places = h.hand[1:], []string{q.Place}
		if h.v.Declares(text) {
			return interp.Answer{}, h.v.Declare(text)
		}
		return interp.Answer{}, h.v.Meanwhile(text)
	}
	return q.Read("")
}

func (h *handed) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	line := ""
	if q.Kind == evening.Decision {
		return h.atDecision(q)
	}
	if q.Kind == evening.Command {
		if q.Refused != nil {
			h.failed = append(h.failed, q.Refused.Error())
		}
		if len(h.says) == 0 {
			h.after = append(h.after, q.Who)
		} else {
			h.asked = append(h.asked, q.Who)
			line, h.says = h.says[0], h.says[1:]
		}
		switch {
		case h.v.Declares(line):
			return interp.Answer{}, h.v.Declare(line)
		case line == "^C":
			return interp.Answer{}, context.Canceled
		case line == ":undo":
			return interp.Answer{}, h.v.TakeBack(1)
		}
	}
	a, err := q.Read(line)
	if err != nil {
		h.failed = append(h.failed, fmt.Sprintf("%s: %v", line, err))
		return q.Read("")
	}
	return a, nil
}

func (h *handed) Event(e *interp.Event, again bool) {
	if !again && e.Kind == interp.EventNote {
		h.notes = append(h.notes, e.Text)
	}
	if e.Kind == interp.EventSpan && e.End {
		h.ends = append(h.ends, e.Verb)
	}
}
func (h *handed) Tell(n evening.Notice) {
	if x, ok := n.(evening.NotDeclared); ok {
		h.failed = append(h.failed, "not declared: "+x.Text)
	}
	if x, ok := n.(evening.TakenBack); ok {
		for _, said := range x.Said {
			h.taken = append(h.taken, said.Answer)
		}
	}
}
func (h *handed) Settle() error { return nil }

// atTable has in each system a fight of Ann's, who has no tactics, and how somebody comes late; it
// begins with a scene of a block, in which something follows the fight.
var atTable = []struct {
	system, script, give, given string // given reads what give has changed
	late, joins, acts           string
}{
	{"cah", "hero Ann { star 3; FIST 3 }\nvillain Rex { star 4; CLAW 3 }\ntactics Rex { otherwise: attack Ann with CLAW }",
		"give 1 oomph to Ann", "oomph", "hero Bob { star 2; FIST 2 }", "heroes Bob", "Bob acts from the next round on"},
	{"firefly", "crew Ann { MENTAL d8; FIGHT d6; pp 1 }\ngmc Rex { MENTAL d8; FIGHT d6 }\ntactics Rex { otherwise: roll MENTAL + FIGHT vs Ann MENTAL + FIGHT }",
		"give 1 pp to Ann", "pp", "crew Bob { MENTAL d6; FIGHT d8 }", "heroes Bob", "Bob can act in this round"},
	{"marvel", "hero Ann { solo d8; pp 1 }\nwatcher Rex { solo d8 }\ntactics Rex { otherwise: attack Ann with solo }",
		"give 1 pp to Ann", "pp", "hero Bob { solo d6 }", "heroes Bob", "Bob can act in this round"},
	{"unisystem", "cast Ann { STRENGTH 2; DEXTERITY 3; KUNG_FU 3; base 5; life 90; drama 1 }\nadversary Rex { combat 12; base 5; life 90 }\ntactics Rex { otherwise: attack Ann }",
		"give 1 drama to Ann", "drama", "cast Bob { STRENGTH 2; DEXTERITY 3; KUNG_FU 3; base 5; life 40 }", "heroes Bob", "Bob acts from the next Turn on, and can be attacked in this one"},
	{"clichenimatic", "hero Ann { FIST +3; KICK +2; resolve 3 }\nvillain Rex { CLAW +2; BITE +2; essence 60 }\ntactics Rex { otherwise: attack Ann }",
		"give 1 resolve to Ann", "resolve", "hero Bob { FIST +2 }", "heroes Bob", "Bob takes part from the next Round on"},
}

// TestTheTablesHand: in each system the game master gives a point, declares somebody, has them join
// and cuts the scene at one and the same prompt of Ann's, whose turn is not spent; :undo takes each of
// it back by itself; the scene ends as it would; the evening is the same when it is taken up again.
func TestTheTablesHand(t *testing.T) {
	for _, c := range atTable {
		t.Run(c.system, func(t *testing.T) {
			script := "use " + c.system + "\n" + c.script + "\nscene \"The yard\" {\n  heroes Ann\n  villains Rex\n  fight\n  report last.winner\n}\nreport Ann." + c.given + "\n"
			var kept evening.Memory
			begin := func(says ...string) *handed {
				h := &handed{t: t, says: says}
				kept = nil
				h.v = evening.Begin(evening.Config{Host: h, Forms: true, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Quiet: interp.QuietUsual, Limits: interp.Limits{Steps: 3_000_000}}})
				if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil {
					t.Fatal(err)
				}
				return h
			}
			h := begin(c.give, ":undo", c.give, c.late, c.joins, ":undo", ":undo", c.late, c.joins, "exit Bob", ":undo", "order Bob", "Ann."+c.given+" = 2", "cut")
			for _, who := range h.asked {
				if who != h.asked[0] {
					t.Errorf("the turn is spent: asked %v", h.asked)
				}
			}
			if len(h.failed) > 0 || len(h.after) > 0 {
				t.Errorf("failed %q, asked after the cut: %v", h.failed, h.after)
			}
			if last := h.notes[len(h.notes)-1]; !strings.Contains(strings.Join(h.notes, "\n"), c.acts) {
				t.Errorf("says %q, not %q", last, c.acts)
			}
			if n := len(h.ends); n == 0 || h.ends[n-1] != "scene" {
				t.Errorf("the scene does not end: %q", h.ends)
			}
			lines, err := assist.State(h.v.Session(), "Bob")
			if err != nil || len(lines) == 0 {
				t.Error("Bob is not there", err)
			}
			var begun []evening.Entry // as if the power had gone when the scene was cut
			for _, e := range kept {
				if e.Answer.Command != nil && *e.Answer.Command == "cut" {
					break
				}
				begun = append(begun, e)
			}
			again := &handed{t: t, says: []string{"cut"}}
			cfg := evening.Config{Host: again, Forms: true, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Quiet: interp.QuietUsual}}
			again.v, _ = evening.Resume(context.Background(), cfg, begun)
			if err := again.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil && !errors.Is(err, evening.ErrLeft) {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(state(again.v)), fmt.Sprint(state(h.v)); got != want || len(again.asked) != 1 {
				t.Errorf("taken up again: %s\nnot %s", got, want)
			}
		})
	}
}

// In each system the game master gives a point, declares somebody and brings them in at a question in the
// middle of Ann's command: the same question comes again, with the same dice, and the point and they are there. The same evening is taken up again.
func TestTheTablesHandAtAQuestion(t *testing.T) {
	for _, c := range atTable {
		t.Run(c.system, func(t *testing.T) {
			script := "use " + c.system + "\n" + c.script + "\nif 1 < 2 {\n  scene \"The yard\" { heroes Ann; villains Rex; fight }\n}\n"
			play := func(kept *evening.Memory, hand ...string) *handed {
				h := &handed{t: t, hand: hand, says: []string{"", "cut"}}
				h.v = evening.Begin(evening.Config{Host: h, Store: kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Limits: interp.Limits{Steps: 3_000_000}}})
				if err := h.v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil {
					t.Fatal(err, h.failed)
				}
				return h
			}
			var kept evening.Memory
			hand := []string{c.give, c.late, c.joins}
			counted := c.system == "firefly" // what the scene began with counts the crew: nobody can come at its first question
			if counted {
				hand = hand[:1]
			}
			h := play(&kept, hand...)
			if len(h.failed) > 0 || len(h.places) < 2 || h.places[0] != h.places[1] {
				t.Errorf("failed %q; asked at %q", h.failed, h.places)
			}
			if with, without := fmt.Sprint(state(h.v)), fmt.Sprint(state(play(&evening.Memory{}).v)); with == without {
				t.Error("nothing is given")
			}
			if lines, err := assist.State(h.v.Session(), "Bob"); !counted && (err != nil || !strings.Contains(fmt.Sprint(lines), "present")) {
				t.Error("Bob did not come:", lines, err)
			}
			again := &handed{t: t}
			v, _ := evening.Resume(context.Background(), evening.Config{Host: again, Session: interp.Config{Modules: stdlib.FS, Seed: 3}}, kept)
			again.v = v
			if err := v.Play(context.Background(), lang.NewSource("x.scene", script)); err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(state(v)), fmt.Sprint(state(h.v)); got != want {
				t.Errorf("taken up again: %s\nnot %s", got, want)
			}
		})
	}
}

// A scene that is cut at a question in the middle of Ann's command ends when that is over: what is open
// is settled as usual, her blow stays, and Rex, whose turn is next, has none. :undo takes it back as one
// answer, and the evening is the same when it is taken up again.
func TestCutAtAQuestion(t *testing.T) {
	for _, c := range atTable {
		t.Run(c.system, func(t *testing.T) {
			yard := "scene \"The yard\" {\n  heroes Ann\n  villains Rex\n  fight\n}\nscene \"The hall\" {\n  heroes Ann\n  report Ann.name\n}\n"
			src := lang.NewSource("x.scene", "use "+c.system+"\n"+c.script+"\n"+yard)
			var kept evening.Memory
			h := &handed{t: t, hand: []string{"cut"}, says: []string{""}}
			cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Limits: interp.Limits{Steps: 3_000_000}}}
			h.v = evening.Begin(cfg)
			if err := h.v.Play(context.Background(), src); err != nil {
				t.Fatal(err)
			}
			if len(h.taken)+len(h.after) > 0 || len(h.asked) != 1 || len(h.hand) > 0 {
				t.Errorf("taken back %q; asked %q, then %q", h.taken, h.asked, h.after)
			}
			last := ""
			for _, told := range h.v.Story() {
				if e := told.Event; e != nil && e.Verb != "" && e.Who != "" {
					last = e.Who
				}
			}
			if last != "Ann" {
				t.Errorf("%s acted last", last)
			}
			again := &handed{t: t}
			cfg.Host, cfg.Store = again, nil
			again.v, _ = evening.Resume(context.Background(), cfg, kept)
			if err := again.v.Play(context.Background(), src); err != nil || fmt.Sprint(state(again.v)) != fmt.Sprint(state(h.v)) {
				t.Errorf("taken up again: %v %v\nnot %v", err, state(again.v), state(h.v))
			}
		})
	}
}

// What Ann decides is said ahead: it goes before her tactics, and she is not asked while its condition
// holds. What was said last counts. The evening is the same when it is taken up again.
func TestSaidAhead(t *testing.T) {
	var kept evening.Memory
	cfg := evening.Config{Host: &handed{t: t}, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Quiet: interp.QuietUsual}}
	v := evening.Begin(cfg)
	left := func(v *evening.Evening) string {
		lines, _ := assist.State(v.Session(), "Ann")
		for _, l := range lines {
			if l.Field == "drama" {
				return l.Value
			}
		}
		return "3"
	}
	var holds [7]string
	for i, c := range []struct{ ahead, entry, left string }{
		{"", "use unisystem\ncast Ann { DEXTERITY 3; KUNG_FU 3; drama 3 }\ntactics Ann { on drama: 5 }", "3"},
		{"", "Ann: roll DEXTERITY + KUNG_FU vs challenging", "2"},
		{"drama Ann: 0", "Ann: roll DEXTERITY + KUNG_FU vs challenging", "2"},
		{"drama: 4 when damage > 0", "Ann: roll DEXTERITY + KUNG_FU vs challenging", "2"},
		{"", "Ann.damage = 3; Ann: roll DEXTERITY + KUNG_FU vs challenging", "1"},
		{"drama:", "Ann: roll DEXTERITY + KUNG_FU vs challenging", "1"},         // taken back: what was said before holds
		{"drama \"Ann\":", "Ann: roll DEXTERITY + KUNG_FU vs challenging", "0"}, // and nothing does
	} {
		if c.ahead != "" {
			if err := v.Hand(c.ahead, false); err != nil {
				t.Fatal(err)
			}
		}
		if err := v.Enter(context.Background(), c.entry); err != nil || left(v) != c.left {
			t.Errorf("%d: %v, %s left, want %s", i, err, left(v), c.left)
		}
		holds[i] = fmt.Sprint(v.Session().InAdvance("Ann"))
	}
	both := "[drama Ann: 0 drama all: 4 when damage > 0]"
	if want := [...]string{"[]", "[]", "[drama Ann: 0]", both, both, "[drama Ann: 0]", "[]"}; holds != want {
		t.Errorf("what is said ahead: %q", holds)
	}
	for _, wrong := range []string{"drma: 4", "drama Bob: 4", "drama: 4 when dmage > 0", "drama:"} {
		if v.Hand(wrong, false) == nil {
			t.Errorf("%q is said ahead", wrong)
		}
	}
	if again, _ := evening.Resume(context.Background(), cfg, kept); left(again) != "0" {
		t.Errorf("taken up again: %s left", left(again))
	}
}

func state(v *evening.Evening) []assist.StateLine {
	lines, _ := assist.State(v.Session(), "")
	return lines
}

// A fight that is left at a question is not lost: after other entries it goes on at that question, also
// when the evening was taken up in between.
func TestLeftFightGoesOn(t *testing.T) {
	c := atTable[3]
	var kept evening.Memory
	h := &handed{t: t, says: []string{c.give, "attack Rex", "^C"}}
	cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3, Quiet: interp.QuietUsual}}
	h.v = evening.Begin(cfg)
	ctx := context.Background()
	for _, entry := range []string{"use " + c.system, c.script, "heroes Ann; villains Rex"} {
		if err := h.v.Enter(ctx, entry); err != nil {
			t.Fatal(err)
		}
	}
	var failed *evening.Failed
	if err := h.v.Enter(ctx, "fight"); !errors.As(err, &failed) || failed.Redo != evening.ToQuestion {
		t.Fatal(err)
	}
	if err := h.v.Enter(ctx, c.late); err != nil {
		t.Fatal(err)
	}
	again := &handed{t: t, says: []string{"heroes Bob", "cut"}}
	cfg.Host, cfg.Store = again, nil
	again.v, _ = evening.Resume(ctx, cfg, kept)
	if err := again.v.Redo(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(again.asked, " "); got != "Ann Ann" || len(again.after) > 0 || len(again.failed) > 0 {
		t.Errorf("asked %q and %v; %q", got, again.after, again.failed)
	}
	if lines := fmt.Sprint(state(again.v)); !strings.Contains(lines, "Rex damage") {
		t.Error("the blow that was struck is lost: " + lines)
	}
}

// thrower throws a 1 with each die that is asked of the host, and says once whose dice those are.
type thrower struct {
	v     *evening.Evening
	hands []string // before the first answers: who has their own dice, "-" before the name takes them away
	threw []string
}

func (h *thrower) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	if len(h.hands) > 0 && h.hands[0] == "" {
		h.hands = h.hands[1:]
	} else if len(h.hands) > 0 {
		who, not := strings.CutPrefix(h.hands[0], "-")
		h.hands = h.hands[1:]
		if err := h.v.Hand(interp.OwnDice(who), !not); err != nil {
			return interp.Answer{}, err
		}
	}
	if q.Kind != evening.Dice {
		return q.Read("")
	}
	h.threw = append(h.threw, q.Who)
	return q.Read("1")
}
func (h *thrower) Event(*interp.Event, bool) {}
func (h *thrower) Tell(evening.Notice)       {}
func (h *thrower) Settle() error             { return nil }

// One person throws real dice, the others do not, or all but one; at a question, too. Taken up again
// the evening is the same, and so is the script that it is written as.
func TestOwnDice(t *testing.T) {
	const script = "use cah\nhero Ann { star 3; FIST 3 }\nhero Bob { star 3; FIST 3 }\n"
	rolls := "Ann: roll FIST vs DN 30; Bob: roll FIST vs DN 30"
	for _, c := range []struct {
		all    bool
		before string   // between entries
		at     []string // at the first questions: extra effort, dice if they are asked, re-roll; of Ann, then of Bob
		threw  string
	}{
		{false, "Ann", nil, "Ann"},
		{false, "Ann", []string{"-Ann", "Bob"}, "Bob"},
		{false, "heroes", []string{"", "-Ann"}, "Bob"},
		{true, "-Ann", nil, "Bob"},
		{true, "", []string{"-Bob"}, "Ann"},
	} {
		var kept evening.Memory
		h := &thrower{hands: c.at}
		cfg := evening.Config{Host: h, Store: &kept, Dice: c.all, Session: interp.Config{Modules: stdlib.FS, Seed: 3}}
		h.v = evening.Begin(cfg)
		ctx := context.Background()
		entries := []string{script, "", rolls}
		for i, text := range entries {
			if who, not := strings.CutPrefix(c.before, "-"); i == 1 && who != "" {
				if err := h.v.Hand(interp.OwnDice(who), !not); err != nil {
					t.Fatal(err)
				}
			} else if err := h.v.Enter(ctx, text); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(h.threw, " "); got != c.threw {
			t.Errorf("%+v: %s threw", c, got)
		}
		if d, err := h.v.Differs(ctx, "x.scene", h.v.Script(false)); d != nil || err != nil {
			t.Errorf("%+v: the script differs: %v %v", c, d, err)
		}
		again, how := evening.Resume(ctx, cfg, kept)
		if got, want := fmt.Sprint(state(again)), fmt.Sprint(state(h.v)); got != want || how.Err != nil {
			t.Errorf("%+v: taken up again: %s\nnot %s %v", c, got, want, how.Err)
		}
	}
}

// Whoever is handed over at a question is so still when the game master then does something by hand, and the command
// of that question is given again: at the first question behind it, and at a later one.
func TestHandedOverBeforeTheTablesHand(t *testing.T) {
	for _, later := range []bool{false, true} {
		var kept evening.Memory
		h := &spotter{later: later}
		cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3}}
		h.v = evening.Begin(cfg)
		ctx := context.Background()
		if err := h.v.Enter(ctx, "use unisystem\ncast Ann { PERCEPTION 3; NOTICE 2; drama 3; life 30 }\nscene \"Talk\" { heroes Ann; turn }"); err != nil {
			t.Fatal(err)
		}
		if !h.threw {
			t.Errorf("later %t: Ann's die was thrown for her", later)
		}
		again, how := evening.Resume(ctx, cfg, kept)
		if got, want := fmt.Sprint(state(again)), fmt.Sprint(state(h.v)); got != want || how.Err != nil {
			t.Errorf("later %t: taken up again: %s\nnot %s %v", later, got, want, how.Err)
		}
	}
}

// spotter has Ann look for something, takes her dice into her hand at a decision, and gives her a point then.
type spotter struct {
	v     *evening.Evening
	later bool // at the second decision
	given bool
	threw bool
}

func (h *spotter) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	switch {
	case q.Kind == evening.Command && !h.given:
		return q.Read("attempt spot")
	case q.Kind == evening.Dice:
		h.threw = true
		return q.Read("5")
	case q.Kind != evening.Decision || h.given:
	case h.later:
		h.later = false
	default:
		h.given = true
		if err := h.v.Hand(interp.OwnDice("Ann"), true); err != nil {
			return interp.Answer{}, err
		}
		return interp.Answer{}, h.v.Meanwhile("award Ann")
	}
	return q.Read("")
}

func (h *spotter) Event(*interp.Event, bool) {}
func (h *spotter) Tell(evening.Notice)       {}
func (h *spotter) Settle() error             { return nil }

// A fight is cut while Kid throws real dice: these are asked for once, what is decided is
// settled as usual, then the fight ends. :undo at the dice takes the cut back. The evening is the
// same when it is taken up again.
func TestCutWhileSomebodyThrows(t *testing.T) {
	const cast = `use clichenimatic
hero Dolly { cliche "Driver"; WHEEL +4, PISTOL +2 }
hero Kid { cliche "Cannonball"; TUMBLE +3, KICK +3 }
villain Baron { cliche "Gambler"; CAR +3, CHIPS +3 }
`
	const fight = `scene "The vault" action { heroes Dolly, Kid; villains Baron; fight }`
	for _, c := range []struct {
		question string   // at the first decision
		dice     []string // at Kid's dice, one each time they are asked for
		cut      bool
	}{
		{"cut", []string{"5 5"}, true},
		{"cut", []string{"cut", "5 5"}, true},
		{"", []string{"cut", "5 5"}, true},
		{"", []string{"cut", "cut", "5 5"}, true},
		{"", []string{"cut", ":undo", "5 5"}, false},
		{"cut", []string{":undo", "5 5"}, false},
	} {
		h := &cutter{dice: c.dice}
		if c.question != "" {
			h.question = []string{c.question}
		}
		var kept evening.Memory
		cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 3}}
		h.v = evening.Begin(cfg)
		ctx := context.Background()
		if err := h.v.Enter(ctx, cast); err != nil {
			t.Fatal(err)
		}
		if err := h.v.Hand(interp.OwnDice("Kid"), true); err != nil {
			t.Fatal(err)
		}
		if err := h.v.Enter(ctx, fight); err != nil && !errors.Is(err, evening.ErrLeft) {
			t.Fatal(c, err)
		}
		if len(h.dice) > 0 || h.turn == c.cut {
			t.Errorf("%+v: %d dice are not asked for, somebody's turn %t", c, len(h.dice), h.turn)
		}
		if !c.cut {
			continue
		}
		cfg.Host, cfg.Store = &cutter{}, nil
		again, how := evening.Resume(ctx, cfg, kept)
		if got, want := fmt.Sprint(state(again)), fmt.Sprint(state(h.v)); got != want || how.Err != nil {
			t.Errorf("%+v: taken up again: %s\nnot %s %v", c, got, want, how.Err)
		}
	}
}

// cutter types lines at the first decisions and dice, and leaves at a turn.
type cutter struct {
	v              *evening.Evening
	question, dice []string
	turn           bool
}

func (h *cutter) Ask(_ context.Context, q *evening.Query) (interp.Answer, error) {
	lines := &h.question
	switch q.Kind {
	case evening.Command:
		h.turn = true
		return interp.Answer{}, evening.ErrLeft
	case evening.Dice:
		if lines = &h.dice; len(h.dice) == 0 {
			return interp.Answer{}, errors.New("dice are asked for again")
		}
	}
	if len(*lines) == 0 {
		return q.Read("")
	}
	line := (*lines)[0]
	switch *lines = (*lines)[1:]; line {
	case "cut":
		return interp.Answer{}, h.v.Meanwhile(line)
	case ":undo":
		return interp.Answer{}, h.v.TakeBack(1)
	}
	return q.Read(line)
}

func (h *cutter) Event(*interp.Event, bool) {}
func (h *cutter) Tell(evening.Notice)       {}
func (h *cutter) Settle() error             { return nil }

// comer notes what it is told of declarations.
type comer struct {
	typist
	told []string
}

func (h *comer) Tell(n evening.Notice) {
	switch n := n.(type) {
	case evening.Declared:
		h.told = append(h.told, "declared "+n.Text)
	case evening.NotDeclared:
		h.told = append(h.told, "not declared "+n.Text)
	default:
		h.typist.Tell(n)
	}
}

// Somebody comes late to an evening that stands in one episode, at a roll of a scene that names nobody: they were in none of
// it, so that the Game Master has no point more, and are in the next scene when they are brought there.
func TestComesLateToAnEpisode(t *testing.T) {
	const late = "hero Bob { star 2; FIST 2 }"
	script := `use cah
hero Ann { star 3; FIST 3 }
villain Rex { star 4; CLAW 3 }
episode "One" {
  scene "The dam" { Ann: roll FIST vs DN 30 }
  scene "The yard" { heroes Ann; villains Rex; Ann: roll FIST vs DN 30; report count x in cast() where x.team == heroes }
}
`
	for _, c := range []struct{ lines, heroes string }{
		{late + "/////", "1"},
		{late + "///heroes Bob//", "2"},
		{"//" + late + "/heroes Bob//", "2"},
	} {
		h := &comer{typist: typist{lines: strings.Split(c.lines, "/")}}
		var kept evening.Memory
		cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 4}}
		h.v = evening.Begin(cfg)
		err := h.v.Play(context.Background(), lang.NewSource("x.scene", script))
		if told := strings.Join(h.typist.told, "\n"); err != nil || len(h.faults) > 0 || fmt.Sprint(h.told) != "[declared "+late+"]" || !strings.Contains(told, "x.team == heroes"+c.heroes) {
			t.Errorf("%s: %v %q %q, left %q\n%s", c.lines, err, h.faults, h.told, h.lines, told)
		}
	}
}

// What a command of a turn makes for itself, a Versatile Trait's free slot, has its room made before the scene. It can be taken
// back, and another made; one slot is spent, and an evening that is taken up later makes it again.
func TestMakesSomethingInATurn(t *testing.T) {
	script := `use cah
hero Nova { star 3; oomph 9; GIZMO 4 [versatile] }
villain Fang { star 2; BITE 3 }
scene "The yard" action { heroes Nova; villains Fang; turn Nova; report [Nova.GIZMO.feature(versatile).spent, last.total - Nova.GIZMO.rating]; turn Nova }
`
	h := &comer{typist: typist{lines: strings.Split("attack Fang with GIZMO as LASER/:undo/attack Fang with GIZMO as RAY [one_shot]/n", "/")}}
	var kept evening.Memory
	cfg := evening.Config{Host: h, Store: &kept, Session: interp.Config{Modules: stdlib.FS, Seed: 1}}
	h.v = evening.Begin(cfg)
	src := lang.NewSource("x.scene", script)
	if err := h.v.Play(context.Background(), src); !errors.Is(err, evening.ErrLeft) || len(h.faults) > 0 || len(h.told) > 0 {
		t.Fatal(err, h.faults, h.told)
	}
	again := &comer{}
	cfg.Host = again
	again.v, _ = evening.Resume(context.Background(), cfg, kept)
	again.lines = []string{"n", "n", "n", "pass"}
	err := again.v.Play(context.Background(), src)
	if told := strings.Join(again.typist.told, "\n"); err != nil || len(again.faults) > 0 || !strings.Contains(told, "rating][1, 7]") {
		t.Errorf("%v %q %q\n%s", err, again.faults, again.asked, told)
	}
}
