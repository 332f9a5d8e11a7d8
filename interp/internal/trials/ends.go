package trials

import (
	"cmp"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/dist"
)

// End is one way in which trials ended.
type End struct {
	Shown []string       `json:"shown"` // by column, "" where there is nothing
	Data  []interp.Value `json:"data"`  // the same as values
	Stops string         `json:"stops,omitempty"`
	Count int64          `json:"count"`
	First int64          `json:"first"` // the number of the first trial that ended so
}

// Sum gives the columns of all that workers have counted, each behind those that stand before it somewhere, and
// the ends by these columns.
func Sum(all []*Worker) (columns []string, ends []End) {
	order := map[string]int{}
	for _, t := range all {
		for _, y := range t.Ends {
			for i, c := range y.Columns {
				if _, known := order[c]; !known {
					columns = append(columns, c)
				}
				order[c] = max(order[c], i)
			}
		}
	}
	slices.SortFunc(columns, func(a, b string) int {
		return cmp.Or(cmp.Compare(order[a], order[b]), strings.Compare(a, b))
	})
	for _, t := range all {
		for _, y := range t.Ends {
			e := y.End
			e.Shown, e.Data = make([]string, len(columns)), make([]interp.Value, len(columns))
			for i, c := range y.Columns {
				at := slices.Index(columns, c)
				e.Shown[at], e.Data[at] = y.Shown[i], y.Data[i]
			}
			ends = append(ends, e)
		}
	}
	return columns, MergeEnds(ends)
}

// Tactics gives the commands of tactics that were refused, and the turns taken by tactics, in the trials of all
// workers.
func Tactics(all []*Worker) []dist.RefusedCount {
	var counts []dist.RefusedCount
	for _, t := range all {
		counts = append(counts, t.Tactics...)
		if t.P != nil {
			counts = append(counts, dist.Counted(t.P.Run, t.P.Run.M.Notes.List, t.noted, t.first)...)
		}
	}
	return dist.MergeRefused(counts)
}

// MergeEnds adds up equal ends and puts the most frequent first.
func MergeEnds(ends []End) []End {
	at := map[string]int{}
	var out []End
	for _, e := range ends {
		key := strings.Join(e.Shown, "\x00") + "\x01" + e.Stops
		if i, ok := at[key]; ok {
			out[i].Count += e.Count
			out[i].First = min(out[i].First, e.First)
			continue
		}
		at[key] = len(out)
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b End) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Stops, b.Stops), slices.Compare(a.Shown, b.Shown))
	})
	return out
}
