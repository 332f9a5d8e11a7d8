package danger

import (
	"context"
	"setpiece/interp/internal/trials"
	"sync"
)

// Two reports beside each other differ by what was changed and by luck. So the difference is
// not taken from the figures of each: trials of both scripts are made in pairs, with the same dice
// for the same throws (see Compare), and what is compared is how the two of a pair went.

// Beside is what came of trials of several scripts with the same dice.
type Beside struct {
	Trials int64 // of each script
	sums   []map[BesideKey]*besideSums
}

// BesideKey names a figure that scripts have in common.
type BesideKey struct {
	Kind             BesideKind
	Scene, Who, Name string
}

// BesideKind says what a figure is of.
type BesideKind int

// What is compared: a goal by its Name, whether somebody is out at the end of a scene, how
// many rounds a scene has, and what somebody has left.
const (
	BesideGoal BesideKind = iota
	BesideOut
	BesideRounds
	BesideReserve
)

// besideSums are of one script, and of its pairs with the first.
type besideSums struct{ own, pairs trials.Sums }

// Figure gives the mean of a figure in the trials of a script.
func (b *Beside) Figure(script int, key BesideKey) (Estimate, bool) {
	s := b.sums[script][key]
	if s == nil {
		return Estimate{}, false
	}
	if s.own.Truth {
		_, own := s.own.Totals()
		return chanceIn(int64(own+0.5), s.own.N), true
	}
	return Estimate{P: s.own.By(), Half: s.own.Half(), Over: s.own.N}, true
}

// Difference gives by how much a figure of a script is above that of the first one, in the pairs
// that have it on both sides.
func (b *Beside) Difference(script int, key BesideKey) (by, half float64, ok bool) {
	s := b.sums[script][key]
	if s == nil || s.pairs.N == 0 {
		return 0, 0, false
	}
	return s.pairs.By(), s.pairs.Half(), true
}

// PairReports makes trials of the scripts of reports in pairs. What a script reports by words
// is left out.
func PairReports(ctx context.Context, reports []*Report) (*Beside, error) {
	out := &Beside{Trials: reports[0].Looked, sums: make([]map[BesideKey]*besideSums, len(reports))}
	for _, r := range reports {
		out.Trials = min(out.Trials, r.Looked)
	}
	watches := make([]*watch, len(reports))
	for i, r := range reports {
		w, err := newWatch(ctx, r.made)
		if err != nil {
			return nil, err
		}
		w.paired = true
		w.p.Run.Seed = reports[0].Seed // the dice are the same for all
		watches[i], out.sums[i] = w, map[BesideKey]*besideSums{}
	}
	seen, errs := make([]map[BesideKey]float64, len(reports)), make([]error, len(reports))
	for k := range out.Trials {
		var group sync.WaitGroup
		for i, r := range reports {
			group.Go(func() { seen[i], errs[i] = watches[i].figuresIn(ctx, k, r.Goals) })
		}
		group.Wait()
		for i := range reports {
			if errs[i] != nil {
				return nil, errs[i]
			}
			for key, x := range seen[i] {
				s := out.sums[i][key]
				if s == nil {
					truth := key.Kind == BesideOut || key.Kind == BesideGoal
					s = &besideSums{trials.Sums{Truth: truth}, trials.Sums{Truth: truth}}
					out.sums[i][key] = s
				}
				truth := x == 0 || x == 1
				s.own.Count(0, x, truth)
				if y, ok := seen[0][key]; ok && i > 0 {
					s.pairs.Count(y, x, truth)
				}
			}
		}
	}
	return out, nil
}

// figuresIn plays a trial and gives what is compared; nil where it stopped.
func (w *watch) figuresIn(ctx context.Context, k int64, goals []ReportGoal) (map[BesideKey]float64, error) {
	t, err := w.trial(ctx, k, nil)
	if err != nil || t.stops {
		return nil, err
	}
	out := map[BesideKey]float64{}
	for i, g := range goals {
		if g.By == nil {
			out[BesideKey{Kind: BesideGoal, Name: g.Name}] = t.goals[i]
		}
	}
	for _, s := range t.scenes {
		title := w.scenes[s.scene].title
		if s.rounds > 0 {
			out[BesideKey{Kind: BesideRounds, Scene: title}] = float64(s.rounds)
		}
		for _, p := range s.people {
			x := 0.0
			if p.out {
				x = 1
			}
			out[BesideKey{Kind: BesideOut, Scene: title, Who: w.names[p.who]}] = x
			for _, v := range p.reserves { // the last scene is the one that counts
				if v.number != nil {
					x, _ := v.number.Float64()
					out[BesideKey{Kind: BesideReserve, Who: w.names[p.who], Name: v.name}] = x
				}
			}
		}
	}
	return out, nil
}
