package assist

import (
	"cmp"
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
	foes  []int
	talks bool // the rules say what is said
}

// Commands lists commands that can be given in a turn as they stand: what is done unasked at each foe, then what tactics
// say, then other verbs with what they are best done with. Where nobody is a foe a table talks: what the rules say is said
// there, to whoever is there, comes first. Of each verb there is otherwise one at each whom it can be aimed at, and none at a friend
// if there is one at somebody else. The first so many are likely: what nobody would do to a bystander stands behind them.
func Commands(t interp.Turn) (out []string, likely int) {
	run := core.Of(t.Session)
	who, _ := run.M.Acting()
	var moves []*language.Move
	terms := run.Terms(who)
	terms.Sayings = run.Sayings(who)
	run.Aside(func(m *machine.Machine) { moves = language.Moves(run.World, m, who.Off(), t.Default, terms) })
	said, first := run.M.TacticWords(who.Off()), strings.Fields(t.Default + " .")[0]
	o := offers{turn: t, there: run.Strangers(who), foes: run.Foes(who)}
	aside := run.M.Aside()
	vain := func(h language.Head) bool { // against a friend, or somebody who is out
		stranger, here := o.there[h.Who]
		if !here || len(h.Words) > 0 {
			return false
		}
		sum, _, _ := aside.Summary(h.Who)
		return sum.Out && stranger || !stranger && (h.Resisted() || len(terms.Sayings) > 0)
	}
	for _, mv := range moves {
		mv.Heads = slices.DeleteFunc(mv.Heads, vain)
	}
	o.talks = slices.ContainsFunc(moves, func(mv *language.Move) bool { return slices.ContainsFunc(mv.Heads, o.talk) })
	rank := func(mv *language.Move) int {
		switch {
		case mv.Verb == first:
			return 0
		case slices.Contains(said, mv.Verb):
			return 1
		case len(o.foes) == 0 && slices.ContainsFunc(mv.Heads, o.talk):
			return 2
		case len(o.foes) == 0 && mv.Opposed() && mv.Says():
			return 3
		case mv.Opposed() || mv.Aimed():
			return 4
		}
		return 5
	}
	slices.SortStableFunc(moves, func(a, b *language.Move) int { return rank(a) - rank(b) })
	var unlikely []string
	for _, mv := range moves {
		if mv.Verb != interp.Pass && !slices.Contains(terms.Unfit, mv.Verb) {
			some, other := o.of(mv)
			if slices.Contains(terms.Late, mv.Verb) {
				some, other = nil, append(some, other...)
			}
			out, unlikely = append(out, some...), append(unlikely, other...)
		}
	}
	out = out[:min(len(out), maxCommands)]
	return append(out, unlikely[:min(len(unlikely), maxCommands-len(out))]...), len(out)
}

// talk says whether the rules list a command among what is said, against somebody who is there and no foe.
func (o offers) talk(h language.Head) bool {
	return len(h.Words) > 0 && h.Target != "" && o.there[h.Who] && !slices.Contains(o.foes, h.Who)
}

// of lists commands of a verb, and those that are unlikely.
func (o offers) of(mv *language.Move) (out, unlikely []string) {
	said := func(h language.Head) bool { return len(h.Words) > 0 && h.Target == "" && h.Who != 0 }
	mends := len(o.foes) > 0 && slices.ContainsFunc(mv.Heads, said) && !slices.ContainsFunc(mv.Heads, func(h language.Head) bool { return said(h) && slices.Contains(o.foes, h.Who) })
	var heads []language.Head
	bent := -1 // the first of what the rules say of a foe, and what it is for, beside what is done to them anyway
	made := -1 // the first of what they say of nobody, where there is a fight
	for i, h := range mv.Heads {
		switch {
		case len(h.Words) > 0 && slices.Contains(o.foes, h.Who) && slices.ContainsFunc(mv.Heads, func(x language.Head) bool { return x.Who == h.Who && len(x.Words) == 0 }):
			if bent < 0 && h.Target != "" {
				bent = i
			}
		case h.Who == 0 && h.Target != "" && len(h.Words) > 0 && len(o.foes) > 0:
			if made < 0 {
				made = i
			}
		case mends && h.Who != 0 && !said(h): // what the rules say of friends is done to nobody else
		case h.Who == 0 && slices.ContainsFunc(mv.Heads[:i], func(x language.Head) bool { return x.Target != "" && x.Operands == h.Operands }):
			// nor is said to nobody what they say at somebody first
		default:
			heads = append(heads, h)
		}
	}
	far := func(h language.Head) int {
		switch {
		case mends:
			return 0
		case slices.Contains(o.foes, h.Who), o.talk(h):
			return 0
		case h.Who == 0:
			return 1
		case o.there[h.Who]:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(heads, func(a, b language.Head) int {
		return cmp.Or(far(a)-far(b), min(len(b.Words), 1)-min(len(a.Words), 1))
	})
	done, tried := map[int]bool{}, 0
	for _, h := range heads {
		some := len(out) + len(unlikely)
		if done[h.Who] || some == maxOfVerb || far(h) == 3 && some > 0 {
			continue
		}
		texts := append(o.again(mv, h), o.best(mv, h)...)
		if len(h.Words) > 0 {
			texts = []string{mv.Command(h, language.Choice{})}
		}
		for _, text := range texts {
			if tried++; tried > maxTried {
				return out, unlikely
			}
			if slices.Contains(out, text) || o.turn.Check(text) != nil {
				continue
			}
			if done[h.Who] = !o.talk(h); far(h) == 2 && (mv.Aimed() || o.talks) {
				unlikely = append(unlikely, text)
			} else {
				out = append(out, text)
			}
			break
		}
	}
	if len(out) > 1 {
		if all := o.again(mv, language.Head{Operands: "all"}); all != nil && o.turn.Check(all[0]) == nil {
			out = append(out, all[0])
		}
	}
	for _, i := range []int{bent, made} {
		if i < 0 || len(out) == 0 {
			continue
		}
		if text := mv.Command(mv.Heads[i], language.Choice{}); o.turn.Check(text) == nil {
			out = append(out, text)
		}
	}
	return out, unlikely
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
