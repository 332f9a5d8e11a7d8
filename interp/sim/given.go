package sim

import (
	"setpiece/interp/goals"
	"slices"
)

// given leaves out the ends that do not meet the condition, and its column.
func (o *Sim) given() *Sim {
	at := slices.Index(o.Columns, goals.Condition)
	if at < 0 {
		return o
	}
	var kept []End
	o.Trials = 0
	for _, e := range o.Ends {
		if e.Stops == "" && e.Shown[at] != "yes" {
			continue
		}
		if e.Stops == "" {
			e.Shown, e.Data = slices.Delete(slices.Clone(e.Shown), at, at+1), slices.Delete(slices.Clone(e.Data), at, at+1)
		}
		o.Trials += e.Count
		kept = append(kept, e)
	}
	o.Ends, o.Columns = kept, slices.Delete(slices.Clone(o.Columns), at, at+1)
	return o
}
