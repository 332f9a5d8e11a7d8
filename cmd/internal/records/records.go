// Package records writes odds as records, one a line: what commands print with --json and what
// serve answers. Package transcript writes the records of what happens in a run; its schema.json
// describes all of them.
package records

import (
	"math/big"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/sim"
	"setpiece/interp/transcript"
)

type (
	distribution struct {
		transcript.Record
		Column    string        `json:"column"`
		Numbers   bool          `json:"numbers"`
		Beyond    string        `json:"beyond,omitempty"`
		Points    []Point       `json:"points"`
		Remainder float64       `json:"remainder,omitempty"`
		Mean      *float64      `json:"mean,omitempty"`
		ExactMean *interp.Value `json:"exact_mean,omitempty"`
		Deviation *float64      `json:"deviation,omitempty"`
		Quantiles []quantile    `json:"quantiles,omitempty"`
	}
	// quantile is the least value with at least a share of all cases up to it.
	quantile struct {
		Share float64      `json:"share"`
		Value interp.Value `json:"value"`
	}
	// Point is a value of a distribution with its chance.
	Point struct {
		Value interp.Value  `json:"value"`
		P     float64       `json:"p"`
		Exact *interp.Value `json:"exact,omitempty"`
		Half  *float64      `json:"half,omitempty"`
		Least *float64      `json:"least,omitempty"`
		Most  *float64      `json:"most,omitempty"`
	}
	odd struct {
		transcript.Record
		Columns   []string  `json:"columns"`
		Ends      []end     `json:"ends"`
		Remainder float64   `json:"remainder"`
		Sampled   *Sampled  `json:"sampled,omitempty"`
		Apart     bool      `json:"apart,omitempty"`
		Stopped   bool      `json:"stopped,omitempty"`
		States    int       `json:"states"`
		Merged    int       `json:"merged"`
		Goal      *float64  `json:"goal,omitempty"`
		Half      float64   `json:"half,omitempty"`
		Least     *float64  `json:"least,omitempty"`
		Most      *float64  `json:"most,omitempty"`
		Decisions []decided `json:"decisions,omitempty"`
		Tactics   []Refused `json:"tactics,omitempty"`
	}
	// Sampled says which share of odds was estimated, over how many trials and for want of what.
	Sampled struct {
		Share  float64     `json:"share"`
		Trials int64       `json:"trials"`
		Over   interp.Over `json:"over"`
	}
	end struct {
		Values []interp.Value `json:"values,omitempty"`
		Stops  string         `json:"stops,omitempty"`
		Rule   string         `json:"rule,omitempty"`
		P      float64        `json:"p"`
		Exact  *interp.Value  `json:"exact,omitempty"`
	}
	decided struct {
		Who     string   `json:"who,omitempty"`
		Prompt  string   `json:"prompt"`
		Cost    string   `json:"cost,omitempty"`
		When    string   `json:"when,omitempty"`
		Share   float64  `json:"share"`
		Options []played `json:"options"`
	}
	played struct {
		Option string   `json:"option"`
		Value  *float64 `json:"value"`
		Stops  float64  `json:"stops,omitempty"`
		Taken  bool     `json:"taken"`
	}
	simulation struct {
		transcript.Record
		Columns  []string    `json:"columns"`
		Ends     []counted   `json:"ends"`
		Trials   int64       `json:"trials"`
		Planned  int64       `json:"planned"`
		Seed     uint64      `json:"seed,string"`
		Stopped  bool        `json:"stopped,omitempty"`
		Over     interp.Over `json:"over,omitempty"`
		Tactics  []Refused   `json:"tactics,omitempty"`
		Examples []example   `json:"examples,omitempty"`
	}
	counted struct {
		Values []interp.Value `json:"values,omitempty"`
		Stops  string         `json:"stops,omitempty"`
		Count  int64          `json:"count"`
		Seed   uint64         `json:"seed,string"`
	}
	example struct {
		What string `json:"what"`
		Seed uint64 `json:"seed,string"`
	}
	// Refused is a line of tactics that the rules refused.
	Refused struct {
		Who     string  `json:"who"`
		Command string  `json:"command"`
		Refused string  `json:"refused"`
		Rule    string  `json:"rule,omitempty"`
		Share   float64 `json:"share"`
		transcript.Place
	}
)

// Fraction is an exact number, nil where there is none.
func Fraction(r *big.Rat) *interp.Value {
	if r == nil {
		return nil
	}
	return &interp.Value{Is: interp.NumberOf(r)}
}

// All writes all that is known of what a text can lead to.
func All(w *transcript.JSON, l *odds.Law) {
	if len(l.Slow) > 0 {
		w.Error(l.Slow)
	}
	if l.Sim != nil {
		Distributions(w, all(l.Sim.Columns, l.Sim.Distribution), 0)
		Sim(w, l.Sim, l.Over)
		return
	}
	Distributions(w, all(l.Odds.Columns, l.Odds.Distribution), l.Odds.Remainder)
	Odds(w, l.Odds, false)
}

func all(columns []string, of func(int) *dist.Distribution) (list []*dist.Distribution) {
	for i := range columns {
		list = append(list, of(i))
	}
	return list
}

// Distributions writes distributions. Each chance of exact odds with a remainder is
// too small by the remainder at most.
func Distributions(w *transcript.JSON, dists []*dist.Distribution, remainder float64) {
	for _, d := range dists {
		j := distribution{Record: transcript.Record{Event: "distribution"}, Column: d.Column, Numbers: d.Numbers, Beyond: d.Beyond, Points: []Point{}, Remainder: remainder}
		for _, pt := range d.Points {
			p := Point{Value: pt.Data, P: pt.P, Exact: Fraction(pt.Exact)}
			if d.Sampled != nil {
				half := d.Half(pt)
				p.Half = &half
				if d.Sampled.Weight < 1 {
					least, most := d.Bounds(pt)
					p.Least, p.Most = &least, &most
				}
			}
			j.Points = append(j.Points, p)
		}
		if d.Numbers && d.Beyond == "" && len(d.Points) > 0 {
			mean, dev := d.Mean(), d.Deviation()
			j.Mean, j.Deviation, j.ExactMean = &mean, &dev, Fraction(d.ExactMean())
			for _, share := range dist.Shares {
				j.Quantiles = append(j.Quantiles, quantile{share, d.Quantile(share).Data})
			}
		}
		w.Write(j)
	}
}

// Odds writes the ends of odds and how they were reached; best says that they are those of the best decisions
// for a goal.
func Odds(w *transcript.JSON, o *odds.Odds, best bool) {
	j := odd{Record: transcript.Record{Event: "odds"}, Columns: o.Columns, Ends: []end{}, Remainder: o.Remainder, Stopped: o.Stopped, Apart: o.ByColumn(), States: o.States, Merged: o.Merged, Tactics: RefusedOf(o.Refused)}
	if j.Columns == nil {
		j.Columns = []string{}
	}
	j.Sampled = SampledOf(o.Sampled)
	for _, e := range o.Ends {
		x := end{P: e.P, Exact: Fraction(e.Exact)}
		if e.Fault != nil {
			x.Stops, x.Rule = e.Fault.Diag.Message, e.Fault.Rule
		} else {
			for i := range o.Columns {
				x.Values = append(x.Values, o.Data(e, i))
			}
		}
		j.Ends = append(j.Ends, x)
	}
	if best {
		j.Goal = &o.Value
		if j.Half = o.Half; o.Least < o.Most {
			j.Least, j.Most = &o.Least, &o.Most
		}
	}
	for _, d := range o.Decisions {
		x := decided{Who: d.Who, Prompt: d.Prompt, Cost: d.Cost, When: d.When, Share: d.Weight}
		for k, option := range d.Options {
			p := played{Option: option, Value: &d.Values[k], Taken: k == d.Taken}
			if d.Stops != nil {
				p.Stops = d.Stops[k]
			}
			if p.Stops == 1 {
				p.Value = nil
			}
			x.Options = append(x.Options, p)
		}
		j.Decisions = append(j.Decisions, x)
	}
	w.Write(j)
}

// Sim writes a simulation; over says what exact odds had too much of, where it
// stands in for them.
func Sim(w *transcript.JSON, o *sim.Sim, over interp.Over) {
	j := simulation{Record: transcript.Record{Event: "sim"}, Columns: o.Columns, Ends: []counted{}, Trials: o.Trials, Planned: o.Planned, Seed: o.Seed, Stopped: o.Stopped, Over: over, Tactics: RefusedOf(o.Refused())}
	if j.Columns == nil {
		j.Columns = []string{}
	}
	for _, e := range o.Ends {
		x := counted{Stops: e.Stops, Count: e.Count, Seed: sim.TrialSeed(o.Seed, e.First)}
		if e.Stops == "" {
			x.Values = e.Data
		}
		j.Ends = append(j.Ends, x)
	}
	for _, x := range o.Examples() {
		j.Examples = append(j.Examples, example{x.What, x.Seed})
	}
	w.Write(j)
}

// RefusedOf gives lines of tactics that were refused.
func RefusedOf(list []dist.RefusedTactic) []Refused {
	var out []Refused
	for _, r := range list {
		out = append(out, Refused{r.Who, r.Command, r.Why, r.Rule, r.Share, transcript.PlaceOf(r.At)})
	}
	return out
}

// SampledOf gives what was estimated of odds, nil for nothing.
func SampledOf(x *dist.Sampled) *Sampled {
	if x == nil {
		return nil
	}
	return &Sampled{x.Weight, x.Trials, x.Over}
}
