package verify

import (
	"context"
	"errors"
	"maps"
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// sheetSteps bounds what a script may do before its sheets are checked, and each check.
const sheetSteps = 2_000_000

// Sheets does the checks of sheets that the rules want done always, such as a budget of points
// that creation may not overspend, for each sheet that a script declares. Each fault is a warning
// at the sheet: a scene may want it. What the script does before it first throws dice or asks
// somebody is done before that. The script is played in a session of its own with that Config.
func Sheets(ctx context.Context, cfg interp.Config, src *lang.Source) lang.Diagnostics {
	return slices.DeleteFunc(faults(ctx, cfg, src).Allowed(src, false), func(d *lang.Diagnostic) bool { return d.Code != overspent })
}

// overspent is the code of what the checks of sheets find.
const overspent = "SP0135"

func faults(ctx context.Context, cfg interp.Config, src *lang.Source) lang.Diagnostics {
	cfg.Chance, cfg.Choice, cfg.Player, cfg.Events, cfg.Statement = nobody{}, nobody{}, nil, nil, nil
	cfg.Limits.Steps = min(core.Or(cfg.Limits.Steps, interp.DefaultSteps), sheetSteps)
	x := interp.NewSession(cfg)
	s := core.Of(x)
	w, out, _, err := s.Compile(ctx, src, true)
	if err != nil || !slices.ContainsFunc(w.Checks, func(k decl.Check) bool { return k.Always }) {
		return nil
	}
	old := s.World
	s.World, s.M.Prog = w, w.Prog
	s.Begin()
	err = s.Started(ctx, old, out)
	for _, st := range out.Statements {
		if st.Init || err == nil {
			err = errors.Join(err, s.Statement(ctx, st.Func))
		}
	}
	var faults lang.Diagnostics
	var at lang.Span
	x.SetEvents(func(e *interp.Event) {
		if e.Kind == interp.EventFault {
			d := decl.WarnAt(at, overspent, "%s", e.Text)
			if e.Rule != "" {
				d.Notes = append(d.Notes, lang.Note{Message: "the rule is " + e.Rule})
			}
			faults = append(faults, d)
		}
	})
	for _, off := range slices.Sorted(maps.Keys(w.ByOff)) {
		e := w.ByOff[off]
		for _, k := range w.Checks {
			if k.Always && e.Script && e.Sheet.Is(k.Sheet.Name) {
				at = e.At
				s.Begin()
				_ = s.Call(ctx, s.World.Prog.Slots[k.Slot], e.Ref()) // what it could not look at is no fault
			}
		}
	}
	core.SortDiagnostics(faults, src)
	return faults
}

// nobody throws no dice and makes no decision.
type nobody struct{}

func (nobody) Throw(context.Context, interp.Request) ([]int, error) { return nil, errNobody }
func (nobody) Choose(context.Context, interp.Question) (int, error) { return 0, errNobody }

var errNobody = errors.New("nobody throws or decides")
