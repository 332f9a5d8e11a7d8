package transcript

import (
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/lang/late"
)

// dice writes one row for each throw of a check, from a die on: the dice that
// stand together and fell for the same reason.
func (g *group) dice(e *interp.Event, from, depth int) {
	throws := split(e.Dice[min(from, len(e.Dice)):])
	for _, throw := range throws {
		label := sizes(throw)
		if throw[0].For != "" && (len(throws) > 1 || e.Kind == interp.EventDice || e.Open || from > 0 || g.opts.Trace) {
			label += " " + throw[0].For
		}
		row := line{depth: depth, label: cell{text: label}, value: g.faces(throw), rule: g.traced(throw[0].Rule)}
		if countByHand(throw) == len(throw) {
			row.note = []cell{{"by hand", g.opts.Palette.Faint}}
		}
		g.lines = append(g.lines, row)
	}
}

func split(dice []interp.DieEvent) [][]interp.DieEvent {
	var throws [][]interp.DieEvent
	for i, d := range dice {
		if i > 0 && d.For == dice[i-1].For && d.Rule == dice[i-1].Rule {
			last := len(throws) - 1
			throws[last] = append(throws[last], d)
			continue
		}
		throws = append(throws, []interp.DieEvent{d})
	}
	return throws
}

// sizes names the dice of a row: "d12", "2d6", "d10 d8 2d6". A die thrown several
// times, one throw after the other, of which one counts is one die: "d12".
func sizes(throw []interp.DieEvent) string {
	if kept(throw) == 1 && same(throw) && oneByOne(throw) {
		return Die(1, throw[0].Size)
	}
	var words []string
	for i := 0; i < len(throw); {
		n := 1
		for i+n < len(throw) && throw[i+n].Size == throw[i].Size {
			n++
		}
		words = append(words, Die(n, throw[i].Size))
		i += n
	}
	return strings.Join(words, " ")
}

// Die names n dice of a size as people write them: d8, 2d6, d%.
func Die(n, size int) string {
	s := "d" + strconv.Itoa(size)
	if size == 100 {
		s = "d%"
	}
	if n > 1 {
		s = strconv.Itoa(n) + s
	}
	return s
}

var listsDice = late.Regexp(`^\[(d\d+(, d\d+)*)?\]$`)

// pool writes a list of dice as people write them: 2d6 d8, or none.
func pool(list string) string {
	list = strings.Trim(list, "[]")
	if list == "" {
		return "none"
	}
	var words []string
	all := strings.Split(list, ", ")
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		size, _ := strconv.Atoi(all[i][1:])
		words = append(words, Die(n, size))
		i += n
	}
	return strings.Join(words, " ")
}

func same(throw []interp.DieEvent) bool {
	for _, d := range throw {
		if d.Size != throw[0].Size {
			return false
		}
	}
	return true
}

func oneByOne(throw []interp.DieEvent) bool {
	for i, d := range throw[1:] {
		if d.Throw == throw[i].Throw {
			return false
		}
	}
	return true
}

func kept(throw []interp.DieEvent) int {
	n := 0
	for _, d := range throw {
		if d.Kept {
			n++
		}
	}
	return n
}

// faces lists what fell. Where some dice count and some do not, these that do
// are marked, and so are some that somebody has set.
func (g *group) faces(throw []interp.DieEvent) []cell {
	n := kept(throw)
	mark := n > 0 && n < len(throw)
	hands := countByHand(throw)
	some := hands > 0 && hands < len(throw)
	var cs []cell
	for i, d := range throw {
		if i > 0 {
			cs = append(cs, cell{text: ", "})
		}
		c := cell{strconv.Itoa(d.Face), g.opts.Palette.Value}
		if mark && d.Kept {
			c.text += "*"
		} else if mark {
			c.color = g.opts.Palette.Faint
		}
		if some && byHand(d) {
			c.text += " by hand"
		}
		cs = append(cs, c)
	}
	return cs
}

// byHand says whether somebody has set a die from outside of the script.
func byHand(d interp.DieEvent) bool { return d.By == string(interp.ByGiven) }

func countByHand(throw []interp.DieEvent) int {
	n := 0
	for _, d := range throw {
		if byHand(d) {
			n++
		}
	}
	return n
}
