package query

import (
	"cmp"
	"slices"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Answers gives what is read of one throw, one for each of Asked: the dice that had to fall
// show faces, those of the first pool first. (Package pool gives it of all throws.)
func (r *Query) Answers(m *machine.Machine, faces []int) []V {
	var x Reader
	return x.answersOf(m, r, faces)
}

// Reader reads one throw after the other, and takes its memory only once.
type Reader struct {
	dice            []V // of all stages
	stages          [][]V
	answers, values []V
}

// Values gives what all that waits gets where dice that had to fall show faces. It is good until
// the Reader is asked again.
func (x *Reader) Values(m *machine.Machine, r *Query, faces []int) []V {
	answers := x.answersOf(m, r, faces)
	x.values = r.AppendValues(x.values[:0], m, answers)
	return x.values
}

func (x *Reader) answersOf(m *machine.Machine, r *Query, faces []int) []V {
	x.dice, x.stages, x.answers = x.dice[:0], x.stages[:0], x.answers[:0]
	for i := range r.Stages {
		s := &r.Stages[i]
		if s.Op != Whole {
			x.stages = append(x.stages, x.taken(s, x.stages[s.From]))
			continue
		}
		n := 0
		for _, p := range r.Pools[:s.N] {
			n += len(p.Sizes)
		}
		x.stages = append(x.stages, x.thrown(&r.Pools[s.N], faces[n:]))
	}
	for _, a := range r.Asked {
		var other []V
		if a.What == Folded {
			f := r.Folds[a.Other]
			var lists [][]V
			for _, stage := range f.Of {
				lists = append(lists, x.stages[stage])
			}
			x.answers = append(x.answers, value.OfInt(int64(f.End(lists))))
			continue
		}
		if a.What == Exceeding {
			other = x.stages[a.Other]
		}
		x.answers = append(x.answers, a.What.of(m.Heap, x.stages[a.Stage], other))
	}
	return x.answers
}

// thrown gives the dice of a pool where they show faces, from the highest down.
func (x *Reader) thrown(p *Pool, faces []int) []V {
	from := len(x.dice)
	x.dice = append(x.dice, p.Given...)
	for i, size := range p.Sizes {
		x.dice = append(x.dice, value.OfDie(size, faces[i]))
	}
	out := x.dice[from:]
	slices.SortFunc(out, func(a, b V) int {
		return cmp.Or(b.DieFace()-a.DieFace(), b.DieSize()-a.DieSize(), b.Pluses()-a.Pluses())
	})
	return out
}

// taken gives the dice of a stage, of those of the stage before.
func (x *Reader) taken(s *Stage, dice []V) []V {
	switch s.Op {
	case First:
		return dice[:min(s.N, len(dice))]
	case Behind:
		return dice[min(s.N, len(dice)):]
	}
	from := len(x.dice)
	for i, d := range dice {
		face := d.DieFace()
		takes := true
		switch s.Op {
		case Above:
			takes = face > s.N
		case Below:
			takes = face < s.N
		case Showing:
			takes = face == s.N
		case OneEach:
			takes = i == 0 || face != dice[i-1].DieFace()
		}
		if takes {
			x.dice = append(x.dice, d)
		}
	}
	out := x.dice[from:]
	if s.Op == Spared {
		slices.SortFunc(out, func(a, b V) int {
			return cmp.Or(b.DieFace()-a.DieFace(), a.DieSize()-b.DieSize())
		})
	}
	return out
}

// of answers what is asked of a list of dice, which is compared to another of Exceeding.
func (w What) of(h *value.Heap, dice, other []V) V {
	number := func(n int) V { return value.OfInt(int64(n)) }
	sizes := func() []V {
		var out []V
		for _, d := range dice {
			out = append(out, value.OfDie(d.DieSize(), 0))
		}
		slices.SortFunc(out, func(a, b V) int { return b.DieSize() - a.DieSize() })
		return out
	}
	n := 0
	switch w {
	case Sum:
		for _, d := range dice {
			n += d.DieFace()
		}
		return number(n)
	case Count:
		return number(len(dice))
	case Exceeding:
		for i := range min(len(dice), len(other)) {
			if dice[i].DieFace() > other[i].DieFace() {
				n++
			}
		}
		return number(n)
	case AllDice:
		return h.OfList(dice)
	case AllSizes:
		return h.OfList(sizes())
	case AllFaces:
		var out []V
		for _, d := range dice {
			out = append(out, number(d.DieFace()))
		}
		return h.OfList(out)
	}
	if len(dice) == 0 {
		return value.None
	}
	switch w {
	case TopDie:
		return dice[0]
	case TopFace:
		return number(dice[0].DieFace())
	case LowDie:
		return dice[len(dice)-1]
	case LowFace:
		return number(dice[len(dice)-1].DieFace())
	}
	for _, d := range dice {
		n = max(n, d.DieSize())
	}
	return value.OfDie(n, 0)
}
