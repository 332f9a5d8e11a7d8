package table

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"setpiece/cmd/internal/serve"
	"setpiece/interp"
)

// What players are told is a list of what may go. An event of a kind that stands in no row here, and
// a member that a row does not name, stay with the game master.

// The words of the rules.
const openly, secretly = "open", "secret"

// record is a record of package transcript.
type record = map[string]any

// public gives a record as players and the second screen get it, nil if they do not. The word told
// of a record is that of the rules: open or secret.
func (k known) public(r record) record {
	if r["told"] == secretly && r["event"] == "span" {
		return only(r, "name", "end") // the title is secret
	}
	if r["told"] == secretly {
		return nil
	}
	who, _ := r["who"].(string)
	if r["event"] == "group" && who != "" { // who rolls is there for all to see, also in an evening that is taken up later
		name, _, _ := strings.Cut(display(who), ".")
		k.met[name] = true
	}
	own, open := k.player(who), r["told"] == openly || k.open
	switch r["event"] {
	case "span":
		return only(r, "name", "text", "end")
	case "group":
		if own || open {
			return k.group(r, "depth", "kind", "who", "label", "outcome", "brief", "total", "against", "margin", "fields", "parts", "open", "so_far")
		}
		return k.group(r, "depth", "kind", "who", "label", "outcome", "brief", "open", "so_far")
	case "dice":
		if own || open {
			return k.group(r, "depth", "who", "verb")
		}
	case "change":
		if own || open && !k.unmet(who) {
			return only(r, "depth", "who", "field", "from", "to", "span")
		}
	case "moved":
		return k.moved(r)
	case "decision":
		if own {
			return only(r, "depth", "who", "name", "prompt", "answer")
		}
	case "command":
		if own {
			return only(r, "depth", "who", "text")
		}
		if who == "" {
			return nil // the game master's, by hand
		}
		return only(r, "depth", "who")
	case "note", "print":
		if r["told"] == openly {
			return only(r, "depth", "text", "value")
		}
	case "void":
		return only(r, "depth")
	}
	return nil
}

// moved says how somebody stands otherwise: what they may know of that, and whether somebody is out.
func (k known) moved(r record) record {
	who, _ := r["who"].(string)
	out, facts := only(r, "depth", "who", "out"), []any{}
	own := k.player(who) || k.open
	if !own && !k.met[display(who)] {
		return nil
	}
	list, _ := r["facts"].([]any)
	for _, f := range list {
		if f, ok := f.(record); ok && f["told"] != secretly && (own || f["told"] == openly) {
			facts = append(facts, without(only(f, "name", "key", "value")))
		}
	}
	if len(facts) == 0 && out["out"] != true {
		return nil
	}
	out["facts"] = facts
	return out
}

// only gives a record with no other members but its event.
func only(r record, members ...string) record {
	out := record{"event": r["event"]}
	for _, m := range members {
		if v, ok := r[m]; ok {
			out[m] = v
		}
	}
	return out
}

// group is a record with dice. They lie on the table; what they stand for belongs to whoever threw them.
func (k known) group(r record, members ...string) record {
	out := only(r, members...)
	if parts, ok := out["parts"].([]any); ok {
		out["parts"] = each(parts, func(p record) record { return without(only(p, "value", "label", "note")) })
	}
	if dice, ok := r["dice"].([]any); ok {
		thrower, _ := r["who"].(string)
		out["dice"] = each(dice, func(d record) record {
			who, _ := d["who"].(string)
			if k.open || k.player(who) || who == "" && k.player(thrower) {
				return without(only(d, "die", "face", "kept", "throw", "for", "name", "who"))
			}
			return without(only(d, "die", "face", "kept", "throw"))
		})
	}
	return out
}

// without takes the event out again, of what is none.
func without(r record) record {
	delete(r, "event")
	return r
}

func each(list []any, f func(record) record) []any {
	out := make([]any, 0, len(list))
	for _, x := range list {
		if r, ok := x.(record); ok {
			out = append(out, f(r))
		}
	}
	return out
}

// known is who there is.
type known struct {
	people  []serve.Person
	players map[string]bool // by name: whether everybody of that name is a player's
	met     map[string]bool // opponents of whom players know, by name
	open    bool            // everything but the words of the script is open
}

// learn takes over who there is, and whom the players meet now: nobody behind the end, or where the evening waits for a scene that has
// not said yet who is in it.
func (k *known) learn(people []serve.Person, waits bool) {
	k.people, k.players = people, map[string]bool{}
	for _, p := range people {
		was, had := k.players[p.Who]
		k.players[p.Who] = p.Side == interp.ByPlayers && (was || !had)
		if (p.Here || p.Out) && p.Side == interp.ByOpponents && !waits { // who is not in the scene is not out of it
			k.met[p.Who] = true
		}
	}
}

// player says whether somebody, or whoever they are a part of, is a player's.
func (k known) player(who string) bool {
	name, _, _ := strings.Cut(display(who), ".")
	return k.players[name]
}

// unmet says whether somebody is an opponent of whom players do not know.
func (k known) unmet(who string) bool {
	name, _, _ := strings.Cut(display(who), ".")
	return !k.met[name] && slices.ContainsFunc(k.people, func(p serve.Person) bool { return p.Who == name && p.Of == "" && p.Side == interp.ByOpponents })
}

// root is of whom somebody is a part, or they themselves.
func (k known) root(who string) string {
	who, _, _ = strings.Cut(display(who), ".")
	of := ""
	for _, p := range k.people {
		switch {
		case p.Who == who && p.Of == "":
			return who
		case p.Who == who && of == "":
			of = p.Of
		}
	}
	return of
}

// standing is who takes part, as players know them; the game master with what is open of theirs.
func (k known) standing() []serve.Person {
	list := []serve.Person{}
	for _, p := range k.people {
		switch {
		case p.Of != "":
		case p.Side == interp.ByPlayers, p.Side == interp.ByOpponents && k.met[p.Who]:
			open := p.Side == interp.ByPlayers || k.open
			p.Facts = slices.DeleteFunc(slices.Clone(p.Facts), func(f serve.Fact) bool { return f.Told == secretly || !open && f.Told != openly })
			p.Asked, p.Throws = false, false
			list = append(list, p)
		case p.Side == interp.ByMaster:
			p = serve.Person{Who: p.Who, Side: p.Side, Facts: slices.DeleteFunc(slices.Clone(p.Facts), func(f serve.Fact) bool { return f.Told != openly })}
			if len(p.Facts) > 0 {
				list = append(list, p)
			}
		}
	}
	return list
}

// display is a name as people read it.
func display(name string) string { return strings.ReplaceAll(strings.Trim(name, `"`), "_", " ") }

// parse reads a record; numbers stay as they are written.
func parse(raw json.RawMessage) record {
	var r record
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	dec.Decode(&r)
	return r
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
