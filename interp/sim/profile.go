package sim

import (
	"cmp"
	"context"
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/profile"
	"setpiece/interp/internal/trials"
	"setpiece/lang"
)

// Profile says which rules the trials of a simulation spend their work on: how many
// instructions were executed, and where. The same script and seed give the same Profile on
// every machine.
type Profile struct {
	Trials       int64
	Instructions int64
	Samples      []ProfileSample
}

// ProfileSample is how many instructions were executed at one place, called along one way.
type ProfileSample struct {
	Count  int64
	Places []ProfilePlace // the innermost first
}

// ProfilePlace is a line of a rule.
type ProfilePlace struct {
	Rule, File string
	Line       int
}

// RuleCost is what one rule takes of a Profile.
type RuleCost struct {
	Rule, File string
	Line       int   // of the first that was executed
	Own        int64 // instructions of the rule itself
	All        int64 // with those of the rules that it calls
}

// MakeProfile is Simulate with one worker that executes each trial from its beginning to its
// end, and says what was executed.
func MakeProfile(ctx context.Context, cfg interp.Config, src *lang.Source, sc Config) (*Sim, *Profile, error) {
	var counts *profile.Profiler
	sc.Workers = 1
	sc.watch = func(t *trials.Worker) {
		counts = profile.New(t.P.Run.M)
		t.P.Run.M.Executor, t.P.Plain = counts, true
	}
	o, err := Simulate(ctx, cfg, src, sc)
	if err != nil {
		return nil, nil, err
	}
	out := &Profile{Trials: o.Trials}
	counts.Each(func(count int64, places []profile.Place) {
		s := ProfileSample{Count: count}
		for _, p := range places {
			s.Places = append(s.Places, lineAt(p))
		}
		out.Instructions += count
		out.Samples = append(out.Samples, s)
	})
	return o, out, nil
}

// lineAt gives the line of a place.
func lineAt(p profile.Place) ProfilePlace {
	if p.At.Src == nil {
		return ProfilePlace{Rule: p.Name}
	}
	return ProfilePlace{p.Name, p.At.Src.Name, p.At.Src.Position(int(p.At.Start)).Line}
}

// Rules gives what each rule takes, the dearest first.
func (p *Profile) Rules() []RuleCost {
	type key struct{ rule, file string }
	at := map[key]int{}
	var out []RuleCost
	for _, s := range p.Samples {
		seen := map[key]bool{}
		for i, x := range s.Places {
			k := key{x.Rule, x.File}
			n, ok := at[k]
			if !ok {
				n = len(out)
				at[k], out = n, append(out, RuleCost{Rule: x.Rule, File: x.File, Line: x.Line})
			}
			r := &out[n]
			r.Line = min(r.Line, x.Line)
			if i == 0 {
				r.Own += s.Count
			}
			if !seen[k] { // a rule that calls itself is counted once
				r.All += s.Count
			}
			seen[k] = true
		}
	}
	slices.SortStableFunc(out, func(a, b RuleCost) int { return cmp.Compare(b.Own, a.Own) })
	return out
}
