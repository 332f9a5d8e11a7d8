package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/stdlib"
)

const luck = `sheet person { luck number 0.. = 2 }
person Ann {}
verb try { do {
  let d = throw d6 for "a try"
  repeat 2 { offer again to Ann "Throw the {d.face} again?" costs 1 luck { d = throw d6 for "another" } }
  print "a {d.face}, luck {Ann.luck}"
} }
`

// code is the code of an error, 0 for a result.
func code(m map[string]any) int {
	if e, ok := m["error"].(map[string]any); ok {
		return int(e["code"].(float64))
	}
	return 0
}

// member gives what stands at a path in a message.
func member(m map[string]any, path ...string) any {
	var x any = m
	for _, name := range path {
		in, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		x = in[name]
	}
	return x
}

// What cannot be is refused with its own code, and changes nothing.
func TestRefused(t *testing.T) {
	c := dial(t)
	open := c.call(1, "open", object{"v": 7, "text": luck + "try", "seed": "5", "evening": "friday"}, nil)
	if member(open, "result", "v") != 1.0 || member(open, "result", "question", "id") != 1.0 {
		t.Fatalf("opened: %v", open)
	}
	for _, x := range []struct {
		method string
		params object
		want   int
	}{
		{"open", object{"v": 1, "evening": "friday"}, -32602},
		{"open", object{"v": 1, "file": "../setpiece/go.mod"}, -32602},
		{"open", object{"v": 1, "file": "/etc/passwd"}, -32602},
		{"open", object{"v": 1, "file": "scripts/nosuch.scene"}, -32602},
		{"open", object{"v": 1, "file": "scripts"}, -32602},
		{"open", object{"v": 1, "text": "include \"go.mod\""}, CodeScript},
		{"open", object{"v": 1, "text": "use cah\nnosuch"}, CodeScript},
		{"open", object{"v": 1, "text": "1", "file": "README.md"}, -32602},
		{"open", object{"v": 1, "dice": "throw"}, -32602},
		{"open", object{"v": 1, "seed": "-1"}, -32602},
		{"open", object{}, CodeVersion},
		{"load", object{"v": 1, "data": ""}, -32602},
		{"load", object{"v": 1, "data": "{}\n"}, -32602},
		{"state", object{"evening": "friday", "who": "Nobody"}, CodeScript},
		{"exec", object{"evening": "friday", "text": "try"}, CodeRefused},
		{"odds", object{"evening": "friday", "text": "try"}, CodeRefused},
		{"undo", object{"evening": "friday"}, CodeRefused},
		{"redo", object{"evening": "friday", "times": 3}, CodeRefused},
		{"keep", object{"evening": "friday"}, CodeRefused},
		{"what_if", object{"evening": "friday", "back": 9, "line": "yes"}, CodeRefused},
		{"complete", object{"evening": "friday", "text": "y", "at": 2}, -32602},
		{"complete", object{"evening": "friday", "text": "y", "at": -1}, -32602},
		{"advise", object{"evening": "friday", "question": 0}, CodeOver},
		{"answer", object{"evening": "friday", "question": 0, "text": ""}, CodeOver},
		{"answer", object{"evening": "friday", "question": 2, "text": ""}, CodeOver},
		{"answer", object{"evening": "friday", "question": 1}, CodeNoAnswer},
		{"answer", object{"evening": "friday", "question": 1, "option": 2}, CodeNoAnswer},
		{"answer", object{"evening": "friday", "question": 1, "faces": []int{1}}, CodeNoAnswer},
		{"answer", object{"evening": "friday", "question": 1, "option": 1, "text": "yes"}, -32602},
		{"close", object{"evening": "e1"}, CodeNoEvening},
		{"nosuch", object{}, -32601},
	} {
		if got := code(c.call(2, x.method, x.params, nil)); got != x.want {
			t.Errorf("%s %v: %d, not %d", x.method, x.params, got, x.want)
		}
	}
	for line, want := range map[string]int{"{": -32700, "[1]": -32600, `{"id":-1,"method":"open"}`: -32600, `{"id":null,"method":"open"}`: -32600, `"open"`: -32600} {
		c.send(line)
		if m := c.read(); code(m) != want || m["id"] != nil {
			t.Errorf("%s: %v", line, m)
		}
	}
	if m := c.call(3, "state", object{"evening": "friday", "who": "Ann"}, nil); member(m, "result", "question", "id") != 1.0 {
		t.Errorf("the question is gone: %v", m)
	}
	// A 4 with this seed: see the page. Two times no leaves it.
	c.call(4, "answer", object{"evening": "friday", "question": 1, "text": "no"}, nil)
	said := ""
	c.call(5, "answer", object{"evening": "friday", "question": 2, "option": 0}, func(m map[string]any) {
		if member(m, "params", "record", "event") == "print" {
			said, _ = member(m, "params", "record", "value").(string)
		}
	})
	if said != "a 4, luck 2" {
		t.Errorf("at the end: %q", said)
	}
}

// A damaged text is refused wherever it was damaged.
func TestDamaged(t *testing.T) {
	c := dial(t)
	c.call(1, "open", object{"v": 1, "text": luck + "try", "seed": "5"}, nil)
	data := member(c.call(2, "save", object{"evening": "e1"}, nil), "result", "data").(string)
	for i := range data[:len(data)-1] {
		bad := data[:i] + string(data[i]^1) + data[i+1:]
		if got := code(c.call(3, "load", object{"v": 1, "data": bad}, nil)); got != -32602 {
			t.Fatalf("byte %d changed: %d", i, got)
		}
	}
	if got := c.call(4, "load", object{"v": 1, "data": data}, nil); member(got, "result", "question", "id") != 1.0 {
		t.Error(got)
	}
}

// A call that takes too long is cancelled by its id: the entry changes nothing, and the evening goes on.
func TestCancel(t *testing.T) {
	c := dial(t)
	c.call(1, "open", object{"v": 1, "text": "let n = 0\nverb spin { do { while n >= 0 { n = n + 1 } } }"}, nil)
	for _, slow := range []string{
		`{"jsonrpc":"2.0","id":2,"method":"exec","params":{"evening":"e1","text":"spin"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"odds","params":{"evening":"e1","text":"spin","seconds":500}}`,
	} {
		c.send(slow)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":{"id":2}}`)
		if m := c.read(); m["id"] != 2.0 || code(m) != CodeCancelled {
			t.Errorf("%s: %v", slow, m)
		}
	}
	if m := c.call(3, "state", object{"evening": "e1", "who": ""}, nil); member(m, "result", "steps") != 1.0 {
		t.Errorf("afterwards: %v", m)
	}
}

// How a scene goes is worked out from the question that is open, exactly where that is little: here a six wins, and
// a yes, which is not usual, would win at once. It changes nothing, and what the game master does meanwhile counts.
func TestOutlook(t *testing.T) {
	c := dial(t)
	const duel = `sheet person { luck number 0.. = 1 }
person Ann {}
let need = 6
verb fight { do {
  let won = no
  offer cheat to Ann "Cheat?" default no { won = yes }
  if (throw d6).face >= need { won = yes }
  outcome yes winner won
} }
verb easier without actor { do { need -= 1 } }
goal ann "Ann wins" after fight = last.winner
fight`
	c.call(1, "open", object{"v": 1, "evening": "e", "text": duel}, nil)
	outlook := func(id int, share float64) {
		t.Helper()
		open := c.call(id, "state", object{"evening": "e", "who": ""}, nil)
		m := c.call(id+1, "outlook", object{"evening": "e", "question": member(open, "result", "question", "id"), "trials": 100}, nil)
		text, _ := json.Marshal(m["result"])
		if want := fmt.Sprintf(`"values":[%v`, share); !strings.Contains(string(text), want) || !strings.Contains(string(text), `"exact":true`) {
			t.Errorf("not exactly %g: %s %v", share, text, m["error"])
		}
	}
	outlook(2, 1.0/6)
	for i, text := range []string{"easier", "easier"} {
		if m := c.call(10+i, "meanwhile", object{"evening": "e", "text": text}, nil); m["error"] != nil {
			t.Error(m)
		}
	}
	outlook(4, 1.0/2) // a 4 wins, as it counts from before the fight
	if m := c.call(20, "meanwhile", object{"evening": "e", "text": "fight"}, nil); code(m) != CodeRefused {
		t.Error(m)
	}
}

// Whoever cancels what only works something out leaves the question open.
func TestCancelAtQuestion(t *testing.T) {
	c := dial(t)
	const endless = "sheet person { luck number }\nperson Ann {}\nlet n = 0\nverb fight { do { offer cheat to Ann \"Cheat?\" default no { n = 1 }; while n >= 0 { n = n + 1 }; outcome yes winner yes } }\ngoal ann \"Ann wins\" after fight = last.winner\ngoal win(who) \"you win\" after fight = last.winner\nfight"
	m := c.call(1, "open", object{"v": 1, "evening": "e", "text": endless}, nil)
	for i, method := range []string{"advise", "outlook"} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"evening":"e","question":1}}`, 30+i, method))
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"cancel","params":{"id":%d}}`, 30+i))
		if m := c.read(); code(m) != CodeCancelled {
			t.Errorf("%s: %v", method, m)
		}
		if open := c.call(40+i, "state", object{"evening": "e", "who": ""}, nil); member(open, "result", "question", "id") != member(m, "result", "question", "id") {
			t.Errorf("after %s: %v", method, open)
		}
	}
}

// Odds name whom only their text declares, and leave the evening as it was.
func TestOddsOfNames(t *testing.T) {
	c := dial(t)
	c.call(1, "open", object{"v": 1, "evening": "e"}, nil)
	m := c.call(2, "odds", object{"evening": "e", "text": "sheet person { luck number 0.. }\nperson Ann {}\nperson Bob {}\nreport if (throw d4).face == 1 then Ann else Bob"}, nil)
	text, _ := json.Marshal(m["result"])
	for _, want := range []string{"Ann", "Bob", `"p":0.75`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("odds without %s: %s", want, text)
		}
	}
	if m := c.call(3, "state", object{"evening": "e"}, nil); strings.Contains(fmt.Sprint(m), "Ann") {
		t.Errorf("Ann has stayed: %v", m)
	}
}

// Where exact odds are too much, and next to nothing of them is known, trials stand in.
func TestTrialsForOdds(t *testing.T) {
	c := dial(t)
	c.call(1, "open", object{"v": 1, "evening": "e"}, nil)
	many := "let xs = []\nlet n = 0\nwhile n < 12 { let d = (throw d20).face; xs = xs + [d * n]; n = n + 1 }\nreport xs"
	m := c.call(2, "odds", object{"evening": "e", "text": many, "seconds": 1}, nil)
	list, _ := member(m, "result", "records").([]any)
	if len(list) != 1 || member(list[0].(object), "event") != "sim" || member(list[0].(object), "over") != "time" {
		t.Fatal(m)
	}
}

// Calls in any order, with any numbers, are each answered once, and the server goes on.
func FuzzOrder(f *testing.F) {
	f.Add([]byte{1, 3, 2, 0, 5, 1, 9, 4, 7, 2})
	f.Add([]byte{2, 1, 2, 2, 2, 3, 6, 1, 7, 2, 3, 9, 1, 2, 4})
	f.Fuzz(func(t *testing.T, moves []byte) {
		moves = moves[:min(len(moves), 60)]
		c := dial(t)
		c.call(0, "open", object{"v": 1, "text": luck, "seed": "5", "evening": "e"}, nil)
		saved := ""
		for i, b := range moves {
			n := int(b / 16)
			on := func(more object) object { more["evening"] = "e"; return more }
			methods := []struct {
				name   string
				params object
			}{
				{"exec", on(object{"text": "try"})}, {"answer", on(object{"question": n, "text": ""})}, {"answer", on(object{"question": i + n, "option": n % 3})},
				{"undo", on(object{"times": n})}, {"redo", on(object{"times": n})}, {"what_if", on(object{"back": n % 3, "answer": n % 4, "line": "yes"})},
				{"keep", on(object{})}, {"drop", on(object{})}, {"dice", on(object{"dice": []string{"ask", "roll"}[n%2]})}, {"auto", on(object{"who": "all"})},
				{"ask", on(object{"who": "Ann"})}, {"save", on(object{})}, {"load", object{"v": 1, "evening": fmt.Sprint("loaded", i), "data": saved}},
				{"answer", on(object{"question": i, "faces": []int{n}})}, {"cancel", object{"id": n}}, {"state", on(object{"who": ""})},
			}
			m := c.call(i+1, methods[b%16].name, methods[b%16].params, nil)
			if m["id"] != float64(i+1) {
				t.Fatalf("%s is answered by %v", methods[b%16].name, m)
			}
			if data, ok := member(m, "result", "data").(string); ok {
				saved = data
				again := c.call("again", "load", object{"v": 1, "evening": fmt.Sprint("again", i), "data": data}, nil)
				now := c.call("now", "state", on(object{"who": ""}), nil)
				if a, b := member(again, "result", "question", "id"), member(now, "result", "question", "id"); a != b {
					t.Fatalf("loaded it asks %v, and it was %v", a, b)
				}
			}
		}
	})
}

// A thousand evenings, each at a question of a fight, take less than 1 GiB.
func TestThousandEvenings(t *testing.T) {
	if os.Getenv("SETPIECE_LONG") == "" {
		t.Skip("takes long")
	}
	c := dial(t)
	for i := range 1000 {
		m := c.call(i, "open", object{"v": 1, "file": "scripts/cah/bog_of_doom.scene", "seed": fmt.Sprint(i)}, nil)
		if member(m, "result", "question") == nil {
			t.Fatal(m)
		}
	}
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	t.Logf("%d MiB in use, %d MiB taken", mem.HeapInuse>>20, mem.Sys>>20)
	if mem.Sys > 1<<30 {
		t.Errorf("%d MiB", mem.Sys>>20)
	}
}

// At the end of the input, calls that wait are answered. Links do not lead out of the folder.
func TestEndOfInput(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.scene")
	for path, text := range map[string]string{outside: "print 1", filepath.Join(dir, "in.scene"): "print 2"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.scene")); err != nil {
		t.Skip(err)
	}
	in := `{"jsonrpc":"2.0","id":1,"method":"open","params":{"v":1,"file":"in.scene"}}
{"jsonrpc":"2.0","id":2,"method":"open","params":{"v":1,"file":"link.scene"}}
`
	var out bytes.Buffer
	Serve(context.Background(), strings.NewReader(in), &out, Config{Dir: dir, Session: interp.Config{Modules: stdlib.FS}})
	codes := map[any]int{}
	for line := range strings.Lines(out.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m["id"] != nil {
			codes[m["id"]] = code(m)
		}
	}
	if len(codes) != 2 || codes[1.0] != 0 || codes[2.0] != -32602 {
		t.Errorf("%v\n%s", codes, out.String())
	}
}

// A fault of the program in one evening closes that one, and no other.
func TestFault(t *testing.T) {
	c := dial(t)
	faulty = true
	defer func() { faulty = false }()
	c.call(1, "open", object{"v": 1, "evening": "good", "text": luck, "seed": "5"}, nil)
	c.call(2, "open", object{"v": 1, "evening": "bad", "text": luck}, nil)
	if m := c.call(3, "odds", object{"evening": "bad", "text": "1"}, nil); code(m) != CodeFault {
		t.Error(m)
	}
	if m := c.call(4, "state", object{"evening": "bad", "who": ""}, nil); code(m) != CodeNoEvening {
		t.Error(m)
	}
	if m := c.call(5, "exec", object{"evening": "good", "text": "try"}, nil); member(m, "result", "question", "who") != "Ann" {
		t.Error(m)
	}
}

// A form holds what comes next to the same person. What is no answer to one of its rows is refused whole.
func TestForm(t *testing.T) {
	c := dial(t)
	two := "sheet person { luck number 0.. = 2; grit number 0.. = 1 }\nperson Ann {}\nverb dare { do {\n" +
		"offer bold to Ann \"Be bold?\" costs 1 luck { print \"bold\" }\noffer hard to Ann \"Be hard?\" costs 1 grit { print \"hard\" }\n} }\ndare"
	m := c.call(1, "open", object{"v": 1, "evening": "e", "text": two, "quiet": "usual", "forms": true}, nil)
	if got := member(m, "result", "question", "also"); fmt.Sprint(got) != "[map[cost:1 grit default:0 manner:offers name:hard options:[no yes] title:Ann: Be hard? 1 grit.]]" {
		t.Errorf("besides: %v", got)
	}
	for _, bad := range []any{[]int{2}, []int{0, 0}} {
		if m := c.call(2, "answer", object{"evening": "e", "question": 1, "option": 0, "also": bad}, nil); code(m) != CodeNoAnswer {
			t.Errorf("%v: %v", bad, m)
		}
	}
	var said []any
	c.call(3, "answer", object{"evening": "e", "question": 1, "option": 0, "also": []int{1}}, func(m map[string]any) {
		if member(m, "params", "record", "event") == "print" {
			said = append(said, member(m, "params", "record", "value"))
		}
	})
	if fmt.Sprint(said) != "[hard]" {
		t.Error(said)
	}
}
