package transcript

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"setpiece/interp"
)

// boundaryWords says what the beginning or the end of a span has changed, in one line;
// "" where everything is as it was. Those of whom the same is to be said stand
// together.
//
//	end of scene: Ann luck 1 -> 3 · Goblin 1, Goblin 2 down yes -> no
func boundaryWords(list []*interp.Event) string {
	list = netChanges(list)
	if len(list) == 0 {
		return ""
	}
	type person struct{ who, what string }
	var people []person
	for _, e := range list {
		who, field := oneLine(e.Who), oneLine(e.Field+" "+e.From+" -> "+e.To)
		if i := slices.IndexFunc(people, func(p person) bool { return p.who == who }); i >= 0 {
			people[i].what += ", " + field
			continue
		}
		people = append(people, person{who, field})
	}
	var words []string
	for i, p := range people {
		if i > 0 && people[i-1].what == p.what {
			words[len(words)-1] += ", " + p.who
		} else {
			words = append(words, p.who)
		}
		if i == len(people)-1 || people[i+1].what != p.what {
			words[len(words)-1] += " " + p.what
		}
	}
	lead := "new " + list[0].Reset
	if list[0].End {
		lead = "end of " + list[0].Reset
	}
	lead += ": "
	widths := make([]int, len(words))
	for i, w := range words {
		widths[i] = runewidth.StringWidth(w)
	}
	return lead + flow(words, widths, indent+len(lead), 2*indent)
}

// lossWords says in brief which things somebody had until the end of a span:
//
//	end of scene: Ann has no more ROPE d6, COVER d8
//
// What is only counted is in the line that says how everybody stands.
func lossWords(list []*interp.Event) string {
	list = slices.DeleteFunc(netChanges(list), func(e *interp.Event) bool { return e.To != "{}" || !e.End })
	if len(list) == 0 {
		return ""
	}
	var words []string
	var widths []int
	for _, e := range list {
		w := oneLine(e.Who + " has no more " + plainMap.Replace(e.From))
		words, widths = append(words, w), append(widths, runewidth.StringWidth(w))
	}
	lead := "end of " + list[0].Reset + ": "
	return lead + flow(words, widths, indent+len(lead), 2*indent)
}

// plainMap writes {"ROPE": d6} as ROPE d6.
var plainMap = strings.NewReplacer("{", "", "}", "", `"`, "", ":", "", "_", " ")

// netChanges makes one change of several of the same field, and none of those that
// came back to where they began.
func netChanges(list []*interp.Event) []*interp.Event {
	var out []*interp.Event
	for _, e := range list {
		i := slices.IndexFunc(out, func(o *interp.Event) bool { return o.Who == e.Who && o.Field == e.Field })
		if i < 0 {
			one := *e
			out = append(out, &one)
			continue
		}
		out[i].To = e.To
	}
	return slices.DeleteFunc(out, func(e *interp.Event) bool { return e.From == e.To })
}
