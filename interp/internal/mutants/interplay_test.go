package mutants

import (
	"cmp"
	"regexp"
	"strings"

	"setpiece/lang"
)

// meetings finds what can be changed of how rules meet. Each of them alone is right then: those
// who answer to a hook do so in another order, or one of them does not while something else is on; an
// option has another value; a field keeps its value, or a span does not end; a default picks another.
func meetings(src *lang.Source) []place {
	tree, _ := lang.Parse(src)
	var all []place
	hooks := map[string]*lang.Handler{}
	for _, s := range tree.Stmts {
		f := finder{src: src, rule: cmp.Or(lang.Declares(s), "file")}
		if h, ok := lang.Bare(s).(*lang.Handler); ok {
			if other := hooks[h.Hook.Name]; other != nil {
				f.exchange(other, h)
			}
			hooks[h.Hook.Name] = h
			f.remove(h)
		}
		lang.Walk(s, f.meeting)
		all = append(all, f.places...)
	}
	return all
}

func (f *finder) meeting(n lang.Node) bool {
	switch n := n.(type) {
	case *lang.Test, *lang.Goal:
		return false
	case *lang.Signal:
		if d, ok := n.To.(*lang.Dot); ok && (d.Name.Name == "sources" || d.Name.Name == "own") {
			f.behind(n.To, ".reversed")
		}
	case *lang.Feature:
		for _, s := range n.Body {
			if h, ok := lang.Bare(s).(*lang.Handler); ok {
				f.remove(h)
				f.alone(h)
			}
		}
	case *lang.Option:
		f.values(n)
	case *lang.Field:
		if n.Per != nil {
			at := n.Per.Span
			at.Start = int32(strings.LastIndex(f.src.Text[:at.Start], "per"))
			f.swap(at, "")
		}
	case *lang.Block:
		for _, s := range n.Stmts {
			if at := s.Range(); strings.HasPrefix(f.src.Text[at.Start:], "end ") {
				f.remove(s)
			}
		}
	case *lang.Choose:
		if n.Default != nil && n.From != nil {
			f.choice(n)
		}
	case *lang.Offer:
		if n.Default != nil {
			f.behindBoth("not (", n.Default, ")")
		}
	case *lang.Tactics:
		f.tactics(n)
	}
	return true
}

// alone has a handler of a special rule answer only where there is no other special rule.
func (f *finder) alone(h *lang.Handler) {
	const only = "owner.features.size < 2"
	if h.When != nil {
		f.behindBoth("(", h.When, ") and "+only)
		return
	}
	at := h.Body.Start
	f.add([]edit{{at, at, "when " + only + " "}})
}

// choice has a choice that nobody makes fall on the last or the first of the list, unless the rule names it.
func (f *finder) choice(n *lang.Choose) {
	list, usual := f.text(n.From), f.text(n.Default)
	first, last := "", ""
	if l, ok := n.From.(*lang.List); ok {
		first, last = f.text(l.Elems[0]), f.text(l.Elems[len(l.Elems)-1])
	} else if at, _, ok := strings.Cut(strings.TrimLeft(list, "("), ".."); ok {
		first = at
	}
	for _, sorted := range []string{list, strings.TrimSuffix(list, ".distinct")} { // the same in other words
		switch usual {
		case sorted + ".first":
			first = usual
		case sorted + ".last":
			last = usual
		}
	}
	var with []string
	if usual != last {
		with = append(with, "("+list+").last")
	}
	if usual != first {
		with = append(with, "("+list+").first")
	}
	f.swap(n.Default.Range(), with...)
}

func (f *finder) text(n lang.Node) string {
	at := n.Range()
	return f.src.Text[at.Start:at.End]
}

func (f *finder) behind(x lang.Expr, with string) { f.behindBoth("", x, with) }

func (f *finder) behindBoth(before string, x lang.Expr, after string) {
	at := x.Range()
	f.add([]edit{{at.Start, at.Start, before}, {at.End, at.End, after}})
}

// exchange puts each of two statements in the other's place.
func (f *finder) exchange(a, b lang.Node) {
	x, y := a.Range(), b.Range()
	f.add([]edit{{x.Start, x.End, f.src.Text[y.Start:y.End]}, {y.Start, y.End, f.src.Text[x.Start:x.End]}})
}

// values makes each further value of an option the usual one.
func (f *finder) values(n *lang.Option) {
	var all [][]edit
	if len(n.Values) == 0 {
		return
	}
	first := n.Values[0].Range()
	for _, x := range n.Values[1:] {
		at := x.Range()
		all = append(all, []edit{{first.Start, first.End, f.src.Text[at.Start:at.End]}, {at.Start, at.End, f.src.Text[first.Start:first.End]}})
	}
	f.add(all...)
}

// others are the words that point at somebody else than the first of each two does.
var others = map[string]string{"any": "strongest", "strongest": "weakest", "weakest": "strongest", "wounded": "strongest"}

var pointer = regexp.MustCompile(`\b(any|strongest|weakest|wounded) (foe|hero|villain)\b`)

// tactics changes what those do whom nobody directs: two of their actions change places, one is never
// taken, or is taken when it should not be, or meets somebody else.
func (f *finder) tactics(n *lang.Tactics) {
	for i, e := range n.Entries {
		if i > 0 && e.Do != nil && n.Entries[i-1].Do != nil {
			f.exchange(n.Entries[i-1].Do, e.Do)
		}
		if e.When != nil {
			f.negate(e.When)
		}
		if e.Do == nil {
			continue
		}
		f.add([]edit{{e.Start, e.Do.Start, "when no: "}})
		if at := pointer.FindStringSubmatchIndex(f.src.Text[e.Do.Start:e.Do.End]); at != nil {
			word := lang.Span{Start: e.Do.Start + int32(at[2]), End: e.Do.Start + int32(at[3])}
			f.swap(word, others[f.src.Text[word.Start:word.End]])
		}
	}
}
