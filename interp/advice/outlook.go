package advice

import (
	"context"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Outlook works out how the evening goes from here: what the goals of the scene come to, if everybody goes
// on as is usual, from the question or the turn at which a session stands. It is advice with
// one option. Like that it may be called before the answer is given, not later.
func Outlook(ctx context.Context, session *interp.Session, turn bool, cfg Config) (*Advice, error) {
	s := core.Of(session)
	m := s.M
	a := &adviser{s: s, ctx: ctx, options: 1, begin: func() { m.GiveAnswer(m.Asked().Default, "default") }}
	if turn {
		a.begin = m.ByTactics
	}
	for _, at := range language.Moments(s.World, m, value.None) {
		x := moment{Moment: at}
		x.Goals = nil
		for _, g := range at.Goals {
			if g.Scene {
				x.Goals = append(x.Goals, g)
			}
		}
		a.moments = append(a.moments, x)
	}
	if a.drop(); len(a.moments) == 0 {
		return nil, lang.Diagnostics{{Message: "the rules say nothing of how this scene may end", Help: `rules declare one as in  goal heroes "the heroes win" after fight = CONDITION`}}
	}
	defer m.Resume(m.Suspend())
	a.prepare()
	m.Attended = false
	a.was = m.Suspend()
	return a.run(cfg)
}
