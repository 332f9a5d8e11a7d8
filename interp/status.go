package interp

import (
	"slices"
	"strings"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Standing says how somebody stands, in the words of the summary that the sheet
// declares.
type Standing struct {
	Who   string
	Out   bool   // they take no part any more
	Facts []Fact // what there is to say
}

// Fact is one thing to say of somebody: "shaken" (a name), "life 3" (a name and a
// value), "burden HEAVY PACK d6" (an entry of a map), or a remark (a value alone). Told
// is that of the field of this name: see Event.
type Fact struct{ Name, Key, Value, Told string }

// Status says how everybody stands whose sheet has a summary and lists them, the
// players' first, otherwise in order of declaration, with what they decide with in a turn. It may be called at any moment, in the middle of a
// command, too.
//
// A value is worth a word only if there is something: no, none and what is empty are
// left out. A truth is its name alone and a text is itself; the entries of a map
// stand one by one, with their keys.
func (s *Session) Status() []Standing { return s.stands(true) }

// stands says how everybody stands, with what is at hand or without it.
func (s *Session) stands(withHand bool) []Standing {
	var out []Standing
	aside := s.run.M.Aside()
	for _, e := range s.byPlayer(language.Instances(s.run.World)) {
		if e.Part {
			continue
		}
		sum, ok, err := aside.Summary(e.Off)
		switch {
		case err != nil:
			out = append(out, Standing{Who: e.Name, Facts: []Fact{{Value: "the summary fails: " + err.Msg}}})
		case ok:
			facts := summarised(aside, e.Off, sum)
			if hand, ok, err := aside.AtHand(e.Off); withHand && ok && err == nil {
				facts = append(facts, summarised(aside, e.Off, hand)...)
			}
			out = append(out, Standing{Who: e.Name, Out: sum.Out, Facts: facts})
		}
	}
	return out
}

// byPlayer puts those whom players play before the others, whenever they were declared.
func (s *Session) byPlayer(list []language.Instance) []language.Instance {
	rank := map[Side]int{ByMaster: 0, ByPlayers: 1, ByOpponents: 2}
	slices.SortStableFunc(list, func(a, b language.Instance) int {
		return rank[s.sideOf(value.OfRef(a.Off))] - rank[s.sideOf(value.OfRef(b.Off))]
	})
	return list
}

func summarised(m *machine.Machine, off int, sum machine.Summarised) []Fact {
	var out []Fact
	t := m.TypeOf(off)
	first := 0
	for i, v := range sum.Values {
		name := strings.ReplaceAll(sum.Names[i], "_", " ")
		switch v.Kind() {
		case value.Special:
			if v == value.Yes {
				out = append(out, Fact{Name: name})
			}
		case value.Text:
			if s := m.Show(v); s != "" {
				out = append(out, Fact{Value: s})
			}
		case value.List:
			var words []string
			for _, e := range m.Heap.Elems(v) {
				words = append(words, m.Show(e))
			}
			if len(words) > 0 {
				out = append(out, Fact{Name: name, Value: strings.Join(words, " ")})
			}
		case value.Map:
			p := m.Heap.Pairs(v)
			for i := 0; i < len(p); i += 2 {
				out = append(out, Fact{Name: name, Key: strings.ReplaceAll(m.Show(p[i]), "_", " "), Value: m.Show(p[i+1])})
			}
		default:
			out = append(out, Fact{Name: name, Value: m.Show(v)})
		}
		for at := slices.IndexFunc(t.Fields, func(f code.Field) bool { return f.Name == sum.Fields[i] }); at >= 0 && first < len(out); first++ {
			out[first].Told = string(m.Told(off, &t.Fields[at]))
		}
		for ; first < len(out) && sum.Out && v.Kind() == value.Text; first++ {
			out[first].Told = "open" // why they are out, as the rules work it out
		}
		first = len(out)
	}
	return out
}

// moved gives who stands otherwise in now than in was, with what is new: what was not
// to be said of them before, and what there is no more. Who was not listed before, or
// was out and still is, is not news.
func moved(was, now []Standing) []Standing {
	before := make(map[string]*Standing, len(was))
	for i := range was {
		before[was[i].Who] = &was[i]
	}
	var out []Standing
	for _, n := range now {
		w := before[n.Who]
		if w == nil || w.Out && n.Out {
			continue
		}
		var news []Fact
		for _, f := range w.Facts {
			if w.Out && f.Name == "" && !slices.Contains(n.Facts, f) {
				news = append(news, Fact{Name: "no longer " + f.Value, Told: f.Told})
			}
		}
		for _, f := range n.Facts {
			if !slices.Contains(w.Facts, f) {
				news = append(news, f)
			}
		}
		for _, f := range w.Facts {
			if f.Name != "" && !slices.ContainsFunc(n.Facts, func(g Fact) bool { return g.Name == f.Name && g.Key == f.Key }) {
				news = append(news, lost(f))
			}
		}
		if len(news) > 0 || w.Out != n.Out {
			out = append(out, Standing{Who: n.Who, Out: n.Out, Facts: news})
		}
	}
	return out
}

// lost says that there is something no more.
func lost(f Fact) Fact {
	if f.Value == "" {
		return Fact{Name: "no longer " + f.Name, Told: f.Told}
	}
	return Fact{Name: strings.TrimSpace("no " + f.Name + " " + f.Key), Told: f.Told}
}
