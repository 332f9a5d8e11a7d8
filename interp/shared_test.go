package interp_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// notEmbedded hides that a file system is embedded, so that each session declares the
// systems anew.
type notEmbedded struct{ fs.FS }

// playText gives the transcript of texts that one session runs one after the other, with
// what went wrong.
func playText(modules fs.FS, texts ...string) string {
	var out bytes.Buffer
	text := transcript.NewText(&out, transcript.Options{})
	s := interp.NewSession(interp.Config{Modules: modules, Seed: 3, Events: text.Event})
	for _, x := range texts {
		err := s.Exec(context.Background(), lang.NewSource("a.scene", x))
		if err := errors.Join(err, text.Flush()); err != nil {
			out.WriteString(failed(err))
		}
	}
	return out.String()
}

// Sessions begin with what others have worked out of the same system, and do not see what
// those declare, replace or choose: neither one after the other nor at the same time.
func TestSessionsShareSystems(t *testing.T) {
	const (
		duel   = "hero Nova { DEXTROUS 3; SUNBLADE 4 }\nvillain Fang { OOZE 4 }\nNova: attack Fang with SUNBLADE\nNova: roll SUNBLADE link DEXTROUS vs DN 9\n"
		pilot  = "crew Mara { MENTAL d20, PHYSICAL d6, SOCIAL d8; FLY d8 }\nMara: roll MENTAL + FLY vs 2d6\n"
		nested = "scene \"One\" action { heroes Nova; villains Fang; tactics Nova { otherwise: attack any foe with SUNBLADE }; tactics Fang { when Fang.setbacks > 0: attack any foe with OOZE }; fight }\n"
		ladder = "rule ladder = [d4, d6, d8, d10, d12, d20]\n"
	)
	texts := [][]string{
		{"use cah\n" + duel},
		{"use cah\ntable tier_bonus(tier) { else => 7 }\n" + duel},
		{"use cah\n", "table tier_bonus(tier) { else => 8 }\n", duel},
		{"use cah with natural = any\n" + duel},
		{"use cah with grim, saturday\n" + duel},
		{"use grim\n" + duel},
		{"use cah\nfeature quick on every hero { on boost(s) { s.dice += 1 } }\n" + duel},
		{"use cah\nlet tier_bonus = 4\nlet tier = 2\n" + duel + "report tier + tier_bonus"},
		{"use cah\n" + duel + "print last.margin"},
		{"use cah\n" + duel + "goal heroes \"Nova stands\" = not Nova.defeated\n" + nested + "tactics Nova { otherwise: attack any foe with DEXTROUS }\n" + nested},
		{"use cah\n" + duel, "remove rule tier_bonus\n", duel},
		{"use firefly\n" + pilot},
		{"use firefly\n" + ladder + pilot},
		{"use firefly\n", ladder, pilot},
		{"use firefly\nuse cah\n"},
		{"use nothing\n"},
		{"use cah\nspans series > season > scene > episode > round > turn > check\nscene \"One\" action { print 1 }\n" + duel},
	}
	want := make([]string, len(texts))
	for i, x := range texts {
		want[i] = playText(notEmbedded{stdlib.FS}, x...)
	}
	for _, i := range []int{1, 2, 4, 5, 6} {
		if want[i] == want[0] {
			t.Errorf("%q changes nothing", texts[i])
		}
	}
	if !strings.Contains(want[11], "d20 must be one of these dice") || strings.Contains(want[12]+want[13], "must be") {
		t.Errorf("a ladder with a d20 makes no difference\n%s\n%s\n%s", want[11], want[12], want[13])
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range texts {
				i = (i*7 + k) % len(texts)
				if got := playText(stdlib.FS, texts[i]...); got != want[i] {
					t.Errorf("%q\n%s\nwithout other sessions\n%s", texts[i], got, want[i])
				}
			}
		})
	}
	all.Wait()
}
