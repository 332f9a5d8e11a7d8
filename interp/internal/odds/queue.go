package odds

import "math"

// Checkpoints are followed in the order of their weight, so that a bound on time or memory
// leaves the unlikely ones. Their weights grow while the graph does, so exact order would mean
// to move them all the time: a bucket queue has a bucket for each power of ten, and a checkpoint
// moves only when it comes into a heavier one (Dial, Algorithm 360: shortest-path forest with
// topological ordering, 1969, of buckets as a priority queue).

// decades is how many queues there are: of checkpoints with at least a tenth of all
// weight, with at least a hundredth, and so on.
const decades = 20

// decade has the least weight in each queue but the last.
var decade = func() (least [decades]float64) {
	for d := range least {
		least[d] = math.Pow10(-d - 1)
	}
	return least
}()

// enqueue puts a checkpoint among those of its weight, unless it is or was there: then
// too little more has become known.
func (g *Graph) enqueue(id int32) {
	r := g.Checkpoints[id]
	d := min(r.queued, decades-1)
	for d > 0 && r.weight >= decade[d-1] {
		d--
	}
	if d < r.queued {
		r.queued = d
		g.queue[d] = append(g.queue[d], id)
	}
}

// heaviest takes a checkpoint of which much weight is known, those met first before
// others. What is hardly ever met waits, for it may be met by a likelier way: a
// state should not be given up because its rarest way has the fewest macro steps.
//
// Another order solves no more within a bound. Where a macro step leads to hundreds of
// checkpoints that do not meet again, a few hundred macro steps reach the ends of the likeliest
// ways only, whose weight is the product of their parts; to follow the checkpoint met last
// first solved as little of such encounters, and less of those that are nearly done at the bound.
func (g *Graph) heaviest() (int32, bool) {
	for d := range g.queue {
		for len(g.queue[d]) > 0 {
			id := g.queue[d][0]
			g.queue[d] = g.queue[d][1:]
			if int(g.Checkpoints[id].queued) == d {
				return id, true
			}
		}
	}
	return 0, false
}

// requeue queues the checkpoints again of which much has become known since it was passed
// on, each time a little: along a path of many checkpoints it would add up.
func (g *Graph) requeue() bool {
	if g.Least == 0 {
		return false
	}
	any := false
	for id := range g.Checkpoints {
		if r := g.Checkpoints[id]; r.Kind == Transient && r.weight >= g.Least && r.weight-r.passedOn > r.weight/100 {
			any = true
			r.queued = decades
			g.enqueue(int32(id))
		}
	}
	return any
}
