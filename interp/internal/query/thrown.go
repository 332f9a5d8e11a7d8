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
	stages := make([][]V, len(r.Stages))
	for i, s := range r.Stages {
		if s.Op == Whole {
			n := 0
			for _, p := range r.Pools[:s.N] {
				n += len(p.Sizes)
			}
			stages[i] = r.Pools[s.N].thrown(m.Heap, faces[n:])
			continue
		}
		stages[i] = s.of(stages[s.From])
	}
	out := make([]V, len(r.Asked))
	for i, a := range r.Asked {
		var other []V
		if a.What == Exceeding {
			other = stages[a.Other]
		}
		out[i] = a.What.of(m.Heap, stages[a.Stage], other)
	}
	return out
}

// thrown gives the dice of a pool where they show faces, from the highest down.
func (p *Pool) thrown(h *value.Heap, faces []int) []V {
	dice := slices.Clone(p.Given)
	for i, size := range p.Sizes {
		dice = append(dice, value.OfDie(size, faces[i]))
	}
	slices.SortFunc(dice, func(a, b V) int { return h.Compare(b, a) })
	return dice
}

// of takes the dice of a stage from those of the stage before.
func (s *Stage) of(dice []V) []V {
	var out []V
	filter := func(takes func(i, face int) bool) {
		for i, d := range dice {
			if takes(i, d.DieFace()) {
				out = append(out, d)
			}
		}
	}
	switch s.Op {
	case Above:
		filter(func(_, face int) bool { return face > s.N })
	case Below:
		filter(func(_, face int) bool { return face < s.N })
	case Showing:
		filter(func(_, face int) bool { return face == s.N })
	case First:
		return dice[:min(s.N, len(dice))]
	case Behind:
		return dice[min(s.N, len(dice)):]
	case OneEach:
		filter(func(i, face int) bool { return i == 0 || face != dice[i-1].DieFace() })
	case Spared:
		out = slices.Clone(dice)
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
	return sizes()[0]
}
