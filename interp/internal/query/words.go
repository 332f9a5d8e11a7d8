package query

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/value"
)

// What was read of a pool, in words for a person: "the two highest total 9 and one die shows 1".

// Span is an answer in several throws, from its least to its greatest value.
type Span struct {
	Least, Most V
	total       [2]int64 // of lists: from the least to the greatest sum of what the dice show
}

// SpanOf is an answer in one throw.
func SpanOf(h *value.Heap, v V) Span {
	n := total(h, v)
	return Span{v, v, [2]int64{n, n}}
}

// Widen makes a span contain the answer in another throw.
func (s *Span) Widen(h *value.Heap, v V) {
	if h.Compare(v, s.Least) < 0 {
		s.Least = v
	} else if h.Compare(v, s.Most) > 0 {
		s.Most = v
	}
	n := total(h, v)
	s.total = [2]int64{min(s.total[0], n), max(s.total[1], n)}
}

// total adds up what dice show, or faces.
func total(h *value.Heap, v V) (sum int64) {
	if v.Kind() != value.List {
		return 0
	}
	for _, x := range h.Elems(v) {
		switch {
		case x.Kind() == value.Die:
			sum += int64(x.DieFace())
		case x.IsInt():
			sum += x.Int()
		}
	}
	return sum
}

// Words says for a person what the answers to a reading are, in the order in which they
// were asked; an answer that says nothing, such as an empty list, is left out, and so is what
// was said already or follows from a total.
func (r *Query) Words(h *value.Heap, answers []Span) string {
	var out []string
	for i, a := range r.Asked {
		if i < len(answers) && !r.follows(i, answers) {
			if said := r.words(h, a, answers[i]); said != "" && !slices.Contains(out, said) {
				out = append(out, said)
			}
		}
	}
	return strings.Join(out, " and ")
}

// rank gives the place of the die that the highest of a stage is in its pool, 1 for the
// highest of all; 0 where that depends on how the dice fall.
func (r *Query) rank(stage int) int {
	s := r.Stages[stage]
	switch {
	case s.Op == Whole:
		return 1
	case s.Op == First || s.Op == Spared:
		return r.rank(s.From)
	case s.Op == Behind && r.rank(s.From) > 0:
		return r.rank(s.From) + s.N
	}
	return 0
}

// follows says whether an answer is what a die shows, and follows from a total of its pool
// that is said as well.
func (r *Query) follows(i int, answers []Span) bool {
	a, of := r.Asked[i], answers[i]
	rank := r.rank(a.Stage)
	if a.What != TopFace || rank == 0 || !of.Least.IsInt() || !of.Most.IsInt() {
		return false
	}
	pool := r.Pools[r.Pool(a.Stage)]
	n := int64(len(pool.Sizes))
	if n == 0 || len(pool.Given) > 0 || pool.Made != nil || slices.Min(pool.Sizes) != slices.Max(pool.Sizes) {
		return false
	}
	size, k := int64(pool.Sizes[0]), int64(rank)
	for j, b := range r.Asked {
		if j >= len(answers) || b.What != Sum || r.Stages[b.Stage].Op != Whole || r.Pool(b.Stage) != r.Pool(a.Stage) ||
			!answers[j].Least.IsInt() || !answers[j].Most.IsInt() {
			continue
		}
		rest := answers[j].Least.Int() - (k-1)*size // with those above it at their best
		least := max(1, (rest+n-k)/(n-k+1))
		most := min(size, (answers[j].Most.Int()-(n-k))/k) // with those below it at 1
		return of.Least.Int() <= least && of.Most.Int() >= most
	}
	return false
}

// ranks name the places of the dice of a pool.
var ranks = []string{"", "the highest", "the second highest", "the third highest"}

// ranked names a die by its place in a pool of so many dice.
func ranked(rank, dice int) string {
	switch {
	case rank == dice && rank > 1:
		return "the lowest"
	case rank < len(ranks):
		return ranks[rank]
	}
	return fmt.Sprintf("the %dth highest", rank)
}

// Dice names the dice of a pool, as d8 + 2d10.
func Dice(sizes []int) string {
	sizes = slices.Sorted(slices.Values(sizes))
	var out []string
	for len(sizes) > 0 {
		n := 1
		for n < len(sizes) && sizes[n] == sizes[0] {
			n++
		}
		text := fmt.Sprintf("d%d", sizes[0])
		if n > 1 {
			text = fmt.Sprintf("%d%s", n, text)
		}
		out, sizes = append(out, text), sizes[n:]
	}
	return strings.Join(out, " + ")
}

// shownDice shows dice as what they show where all are of one size.
func shownDice(h *value.Heap, v V) string {
	var out []string
	size := 0
	for _, d := range h.Elems(v) {
		if d.Kind() != value.Die || size != 0 && d.DieSize() != size {
			return strings.Trim(h.Show(v, nil), "[]")
		}
		size = d.DieSize()
		out = append(out, fmt.Sprint(d.DieFace()))
	}
	return strings.Join(out, ", ")
}

var numerals = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func numeral(n int) string {
	if n >= 0 && n < len(numerals) {
		return numerals[n]
	}
	return fmt.Sprint(n)
}

// words says one answer. What is not a number is said where it is the same in all throws; of dice that
// are not, what they total.
func (r *Query) words(h *value.Heap, a Asked, of Span) string {
	if of.Least == value.None || of.Most == value.None || a.What == Folded {
		return ""
	}
	s := r.Stages[a.Stage]
	for s.Op == First && r.Stages[s.From].Op == Behind || s.Op == Spared {
		s = r.Stages[s.From]
	}
	if of.Least != of.Most && (a.What == AllDice || a.What == AllFaces) {
		a.What, of.Least, of.Most = Sum, value.OfInt(of.total[0]), value.OfInt(of.total[1])
	}
	v := of.Least
	shown := strings.Trim(h.Show(v, nil), "[]")
	if v != of.Most {
		if !v.IsNumber() {
			return ""
		}
		shown += ".." + h.Show(of.Most, nil)
	}
	one := v == of.Most && v == value.OfInt(1)
	switch {
	case shown == "":
		return ""
	case a.What == Count && v != of.Most && v == value.OfInt(0):
		return "" // it does not matter
	case a.What == Count:
		how := ""
		if len(r.Pools) > 0 && r.Pools[r.Pool(a.Stage)].Made != nil {
			return ""
		}
		switch s.Op {
		case Above:
			how = fmt.Sprintf("more than %d", s.N)
		case Below:
			how = fmt.Sprintf("less than %d", s.N)
		case Showing:
			how = fmt.Sprint(s.N)
		default:
			return "" // how many dice there are is no news
		}
		switch {
		case v == of.Most && v == value.OfInt(0):
			return "no die shows " + how
		case one:
			return "one die shows " + how
		}
		return shown + " dice show " + how
	}
	dice, many := "the dice", true
	if len(r.Pools) > 1 {
		dice = "the dice of the throw"
		if p := r.Pools[r.Pool(a.Stage)]; p.Made == nil {
			dice = Dice(p.Sizes)
		}
	}
	switch s.Op {
	case Above:
		dice = fmt.Sprintf("the dice above %d", s.N)
	case Below:
		dice = fmt.Sprintf("the dice below %d", s.N)
	case Showing:
		dice = fmt.Sprintf("the dice that show %d", s.N)
	case Behind:
		if dice = "the others"; s.Size == 1 {
			dice, many = "the other", false
		}
	case First:
		if dice = "the " + numeral(s.N) + " highest"; s.N == 1 {
			dice, many = "the highest", false
		}
	}
	if s.Size == 0 {
		return ""
	}
	if a.What == Exceeding {
		return shown + " of " + dice + " show more than the dice they are compared with"
	}
	verb := func(plural, singular string) string {
		if many {
			return dice + " " + plural + " " + shown
		}
		return dice + " " + singular + " " + shown
	}
	switch a.What {
	case Sum:
		return verb("total", "shows")
	case AllDice, AllFaces:
		if v.Kind() != value.List {
			return ""
		}
		shown = shownDice(h, v)
		return verb("show", "shows")
	case AllSizes:
		return verb("are", "is")
	case TopDie, TopFace:
		if rank := r.rank(a.Stage); rank > 0 && s.Op == Behind && s.Size > 0 {
			return ranked(rank, rank+s.Size-1) + " is " + shown
		}
		return "the highest of " + dice + " is " + shown
	case LowDie, LowFace:
		return "the lowest of " + dice + " is " + shown
	case Largest, Count, Exceeding, Folded:
	}
	if many {
		return "the largest of " + dice + " is a " + shown
	}
	return dice + " is a " + shown
}
