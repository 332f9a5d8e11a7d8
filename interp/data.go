package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"setpiece/interp/internal/value"
)

// Value is a value of a script as a program outside reads it. As JSON each kind of value
// has one shape, wherever it stands:
//
//	a number                 3, 2.5; one that no decimal says exactly {"fraction":"1/3"}
//	yes, no, none            true, false, null
//	a text, a word, a name   "success"
//	a die                    {"die":6}; one that has fallen {"die":6,"face":4}; d12+ {"die":12,"pluses":1}
//	a list                   [ … ]
//	a map                    {"map":{"physical":{"die":10}}}
//	a range                  {"range":[1,6]}, with null at an open end
//
// The keys of a map are texts: a key that is something else is written as a script writes
// it, and so is one that would read like a key before it.
type Value struct {
	// Is holds nil, a bool, a Number, a string, a Die, a MadeDie, a []Value, a Map or a RangeValue.
	Is any
}

// Number is an exact number, as 3, -2.5 or 1/3.
type Number string

// NumberOf writes a number.
func NumberOf(r *big.Rat) Number { return Number(value.ShowRat(r)) }

// Rat gives the number.
func (n Number) Rat() *big.Rat {
	r, _ := new(big.Rat).SetString(string(n))
	return r
}

// Die is a die; Face is 0 before it has fallen. Pluses is 1 of d12+.
type Die struct{ Size, Face, Pluses int }

// MadeDie is a die that is made of others or has faces of its own, before it falls: d6.explode(6).
type MadeDie string

// Map is a map, in its order.
type Map []MapEntry

// MapEntry is a key with its value.
type MapEntry struct {
	Key   string
	Value Value
}

// RangeValue is a range of numbers; an end that is open is the zero Value.
type RangeValue struct{ From, To Value }

// maxData bounds how many parts of a value are given. Lists of lists that are made of the
// same few lists can be longer than any memory.
const maxData = value.MaxShown / 8

// data gives a value to a program outside.
func (s *Session) data(v value.V) Value {
	d := dataOf{h: s.run.Heap, name: s.run.M.Show, left: maxData}
	return d.value(v)
}

// dataOf converts values until there have been too many.
type dataOf struct {
	h    *value.Heap
	name func(value.V) string
	left int
}

func (d *dataOf) value(v value.V) Value {
	if d.left--; d.left < 0 {
		return Value{"…"}
	}
	switch v.Kind() {
	case value.Int:
		return Value{Number(strconv.FormatInt(v.Int(), 10))}
	case value.Rat:
		return Value{Number(value.ShowRat(d.h.RatOf(v)))}
	case value.Special:
		switch v {
		case value.Yes:
			return Value{true}
		case value.No:
			return Value{false}
		}
		return Value{}
	case value.Text, value.Symbol:
		return Value{d.h.TextOf(v)}
	case value.Die:
		return Value{Die{v.DieSize(), v.DieFace(), v.Pluses()}}
	case value.Made:
		return Value{MadeDie(d.h.Show(v, nil))}
	case value.List:
		list := []Value{}
		for _, e := range d.h.Elems(v) {
			if list = append(list, d.value(e)); d.left < 0 {
				break
			}
		}
		return Value{list}
	case value.Map:
		return Value{d.pairs(d.h.Pairs(v))}
	case value.Range:
		lo, hi := d.h.Ends(v)
		return Value{RangeValue{d.value(lo), d.value(hi)}}
	case value.Ref, value.Rule:
	}
	return Value{d.name(v)}
}

// pairs gives a map, each key once.
func (d *dataOf) pairs(pairs []value.V) Map {
	out := Map{}
	seen := map[string]bool{}
	for i := 0; i < len(pairs) && d.left >= 0; i += 2 {
		k := pairs[i]
		key := d.name(k)
		if seen[key] && k.Kind() == value.Text {
			key = strconv.Quote(key)
		}
		for seen[key] {
			key += "'"
		}
		seen[key] = true
		out = append(out, MapEntry{key, d.value(pairs[i+1])})
	}
	return out
}

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) { return v.append(nil) }

func (v Value) append(b []byte) ([]byte, error) {
	switch x := v.Is.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, x), nil
	case Number:
		if bytes.IndexByte([]byte(x), '/') >= 0 {
			return fmt.Appendf(b, `{"fraction":"%s"}`, x), nil
		}
		return append(b, x...), nil
	case string:
		return appendText(b, x)
	case MadeDie:
		return appendText(b, string(x))
	case Die:
		switch {
		case x.Pluses > 0:
			return fmt.Appendf(b, `{"die":%d,"pluses":%d}`, x.Size, x.Pluses), nil
		case x.Face == 0:
			return fmt.Appendf(b, `{"die":%d}`, x.Size), nil
		}
		return fmt.Appendf(b, `{"die":%d,"face":%d}`, x.Size, x.Face), nil
	case []Value:
		return appendList(b, x)
	case Map:
		return x.append(b)
	case RangeValue:
		b, err := appendList(append(b, `{"range":`...), []Value{x.From, x.To})
		return append(b, '}'), err
	}
	return b, fmt.Errorf("interp: a Value cannot hold a %T", v.Is)
}

func appendList(b []byte, list []Value) (_ []byte, err error) {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = e.append(b); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (m Map) append(b []byte) (_ []byte, err error) {
	b = append(b, `{"map":{`...)
	for i, e := range m {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendText(b, e.Key); err != nil {
			return b, err
		}
		if b, err = e.Value.append(append(b, ':')); err != nil {
			return b, err
		}
	}
	return append(b, "}}"...), nil
}

// appendText writes a text, with <, > and & as they are.
func appendText(b []byte, s string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...), err
}

// UnmarshalJSON implements json.Unmarshaler: it reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var err error
	*v, err = readValue(dec)
	return err
}

// readValue reads a value token by token: a map keeps its order.
func readValue(dec *json.Decoder) (Value, error) {
	t, err := dec.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := t.(type) {
	case nil:
		return Value{}, nil
	case bool, string:
		return Value{t}, nil
	case json.Number:
		n := Number(t)
		if r := n.Rat(); r == nil || value.ShowRat(r) != string(n) {
			return Value{}, fmt.Errorf("%s is not a number as setpiece writes it", n)
		}
		return Value{n}, nil
	case json.Delim:
		if t == '[' {
			list := []Value{}
			for dec.More() {
				e, err := readValue(dec)
				if err != nil {
					return Value{}, err
				}
				list = append(list, e)
			}
			_, err := dec.Token()
			return Value{list}, err
		}
		return readTagged(dec)
	}
	return Value{}, fmt.Errorf("%v is not a value", t)
}

// readTagged reads the rest of an object whose first key says what it is.
func readTagged(dec *json.Decoder) (Value, error) {
	members, err := readMembers(dec)
	if err != nil {
		return Value{}, err
	}
	get := func(i int, key string) any {
		if i < len(members) && members[i].Key == key {
			return members[i].Value.Is
		}
		return nil
	}
	switch {
	case len(members) == 1 && get(0, "fraction") != nil:
		text, _ := get(0, "fraction").(string)
		if r, ok := new(big.Rat).SetString(text); ok && value.ShowRat(r) == text {
			return Value{Number(text)}, nil
		}
	case len(members) <= 2 && get(0, "die") != nil:
		size, ok := integer(get(0, "die"))
		face, fell := integer(get(1, "face"))
		pluses, past := integer(get(1, "pluses"))
		if ok && past && pluses >= 1 && pluses <= value.MaxPluses {
			return Value{Die{Size: size, Pluses: pluses}}, nil
		}
		if ok && size > 0 && (len(members) == 1 || fell && face >= 1 && face <= size) {
			return Value{Die{Size: size, Face: face}}, nil
		}
	case len(members) == 1 && get(0, "range") != nil:
		if ends, ok := get(0, "range").([]Value); ok && len(ends) == 2 {
			return Value{RangeValue{ends[0], ends[1]}}, nil
		}
	case len(members) == 1 && members[0].Key == "map":
		if m, ok := members[0].Value.Is.(Map); ok {
			return Value{m}, nil
		}
	}
	return Value{}, fmt.Errorf("an object is a fraction, a die, a range or a map")
}

// readMembers reads an object up to its end. The members of "map" are a map.
func readMembers(dec *json.Decoder) (out Map, err error) {
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key := t.(string)
		var v Value
		if key == "map" && len(out) == 0 {
			v, err = readMap(dec)
		} else {
			v, err = readValue(dec)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, MapEntry{key, v})
	}
	_, err = dec.Token()
	return out, err
}

func readMap(dec *json.Decoder) (Value, error) {
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return Value{}, fmt.Errorf("a map is an object")
	}
	out := Map{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return Value{}, err
		}
		v, err := readValue(dec)
		if err != nil {
			return Value{}, err
		}
		out = append(out, MapEntry{t.(string), v})
	}
	_, err := dec.Token()
	return Value{out}, err
}

func integer(v any) (int, bool) {
	n, ok := v.(Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(string(n))
	return i, err == nil
}
