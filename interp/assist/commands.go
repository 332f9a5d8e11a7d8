package assist

import (
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
)

// A command is tried before it is offered; these bound how many are offered, of one verb, and tried.
const maxCommands, maxOfVerb, maxTried = 16, 6, 40

// offers lists the commands that somebody can give.
type offers struct {
	turn  interp.Turn
	there map[int]bool // who is there, and whether they are no friend
}

// Commands lists commands that can be given in a turn as they stand: what is done unasked at each foe, then what tactics
// say, then other verbs with what they are best done with. Of each verb there is one at each whom it can be aimed at,
// and none at a friend if there is one at somebody else.
func Commands(t interp.Turn) (out []string) {
	run := core.Of(t.Session)
	who, _ := run.M.Acting()
	var moves []*language.Move
	terms := run.Terms(who)
	run.Aside(func(m *machine.Machine) { moves = language.Moves(run.World, m, who.Off(), t.Default, terms) })
	said, first := run.M.TacticWords(who.Off()), strings.Fields(t.Default + " .")[0]
	rank := func(mv *language.Move) int {
		switch {
		case mv.Verb == first:
			return 0
		case slices.Contains(said, mv.Verb):
			return 1
		case len(run.Foes(who)) == 0 && mv.Opposed() && mv.Says():
			return 2
		case mv.Opposed() || mv.Aimed():
			return 3
		}
		return 4
	}
	slices.SortStableFunc(moves, func(a, b *language.Move) int { return rank(a) - rank(b) })
	o := offers{t, run.Strangers(who)}
	for _, mv := range moves {
		if mv.Verb != interp.Pass {
			out = append(out, o.of(mv)...)
		}
	}
	return out[:min(len(out), maxCommands)]
}

// of lists commands of a verb.
func (o offers) of(mv *language.Move) (out []string) {
	heads := slices.Clone(mv.Heads)
	far := func(h language.Head) int {
		switch {
		case o.there[h.Who]:
			return 0
		case h.Who == 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(heads, func(a, b language.Head) int { return far(a) - far(b) })
	done, tried := map[int]bool{}, 0
	for _, h := range heads {
		if done[h.Who] || len(out) == maxOfVerb || far(h) == 2 && len(out) > 0 {
			continue
		}
		for _, text := range append(o.again(mv, h), o.best(mv, h)...) {
			if tried++; tried > maxTried {
				return out
			}
			if o.turn.Check(text) == nil {
				out, done[h.Who] = append(out, text), true
				break
			}
		}
	}
	return out
}

// again is what is done unasked, at somebody else; none if that is another verb.
func (o offers) again(mv *language.Move, at language.Head) []string {
	words := func(h language.Head) []string {
		return slices.DeleteFunc([]string{h.Operands, h.Target}, func(s string) bool { return s == "" })
	}
	for _, h := range mv.Heads {
		from, to := words(h), words(at)
		out, all := o.turn.Default+" ", len(from) == len(to) && len(from) > 0
		all = all && strings.HasPrefix(out, strings.TrimSpace(mv.Verb+" "+h.Operands)+" ")
		for i := 0; all && i < len(from); i++ {
			all = strings.Contains(out, " "+from[i]+" ")
			out = strings.Replace(out, " "+from[i]+" ", " "+to[i]+" ", 1)
		}
		if all {
			return []string{strings.TrimSpace(out)}
		}
	}
	return nil
}

// best is a verb at somebody: with its usual pool, with what most is said of in the command that is given unasked, with nothing.
func (o offers) best(mv *language.Move, at language.Head) (out []string) {
	for _, p := range mv.Pools {
		out = append(out, mv.Command(at, p.Of(p.Full(nil))))
	}
	said := func(c language.Choice) (n int) {
		for _, w := range strings.Fields(c.Text) {
			if strings.Contains(" "+o.turn.Default+" ", " "+w+" ") {
				n++
			}
		}
		return n
	}
	tools := slices.Clone(mv.Tools)
	slices.SortStableFunc(tools, func(a, b language.Choice) int { return said(b) - said(a) })
	if len(tools) > 0 {
		out = append(out, mv.Command(at, tools[0]))
	}
	return append(out, mv.Command(at, language.Choice{}))
}
