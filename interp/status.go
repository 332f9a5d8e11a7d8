package interp

import (
	"strings"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// Standing says how somebody stands, in the words of the summary that the sheet
// declares.
type Standing struct {
	Who    string
	Out    bool         // they take no part any more
	Fields []FieldValue // what there is to say: a name, a value, or both
}

// Status says how everybody stands whose sheet has a summary and lists them, in order
// of declaration. It may be called at any moment, in the middle of a command, too.
//
// A value is worth a word only if there is something: no, none and what is empty are
// left out. A truth is its name alone and a text is itself; the entries of a map
// stand one by one, with their keys.
func (s *Session) Status() []Standing {
	var out []Standing
	for _, e := range s.world.Instances() {
		if e.Part {
			continue
		}
		sum, ok, err := s.m.Summary(e.Off)
		switch {
		case err != nil:
			out = append(out, Standing{Who: e.Name, Fields: []FieldValue{{Value: "the summary fails: " + err.Msg}}})
		case ok:
			out = append(out, Standing{Who: e.Name, Out: sum.Out, Fields: summarised(s.m, sum)})
		}
	}
	return out
}

func summarised(m *machine.Machine, sum machine.Summarised) []FieldValue {
	var out []FieldValue
	for i, v := range sum.Values {
		name := strings.ReplaceAll(sum.Names[i], "_", " ")
		switch v.Kind() {
		case value.Special:
			if v == value.Yes {
				out = append(out, FieldValue{Name: name})
			}
		case value.Text:
			if s := m.Show(v); s != "" {
				out = append(out, FieldValue{Value: s})
			}
		case value.List:
			var words []string
			for _, e := range m.Heap.Elems(v) {
				words = append(words, m.Show(e))
			}
			if len(words) > 0 {
				out = append(out, FieldValue{name, strings.Join(words, " ")})
			}
		case value.Map:
			p := m.Heap.Pairs(v)
			for i := 0; i < len(p); i += 2 {
				out = append(out, FieldValue{name + " " + strings.ReplaceAll(m.Show(p[i]), "_", " "), m.Show(p[i+1])})
			}
		default:
			out = append(out, FieldValue{name, m.Show(v)})
		}
	}
	return out
}
