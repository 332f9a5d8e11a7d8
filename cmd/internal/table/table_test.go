package table

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/repl"
	"setpiece/cmd/internal/serve"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// sitting is an evening on pages, as a test sees it.
type sitting struct {
	t      testing.TB
	hub    *Hub
	server *Server
	url    string
	close  func()
}

// sit begins an evening. The journal and the seats stay in dir.
func sit(t testing.TB, dir, text string, more func(*journal.Head)) *sitting {
	t.Helper()
	return sitIn(t, dir, lang.NewSource("test.scene", text), nil, more)
}

// sitIn is sit for a script that includes from a folder.
func sitIn(t testing.TB, dir string, script *lang.Source, folder fs.FS, more func(*journal.Head)) *sitting {
	t.Helper()
	head := journal.Head{Seed: 7, Asks: interp.QuietUsual, ByHand: []string{"heroes"}}
	if more != nil {
		more(&head)
	}
	j, err := journal.Create(filepath.Join(dir, "session-1.jsonl"), head)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, serve.Kept{Head: head, Journal: j, Script: script, Folder: folder})
}

// again takes the evening of a folder up.
func again(t testing.TB, dir string) *sitting {
	t.Helper()
	j, past, err := journal.Reopen(filepath.Join(dir, "session-1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, serve.Kept{Head: past.Head, Journal: j, Past: past.Entries})
}

func open(t testing.TB, dir string, k serve.Kept) *sitting {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h, err := Open(ctx, Config{
		Serve: serve.Config{Session: interp.Config{Modules: stdlib.FS}, Say: atPrompt}, Kept: k, Title: "test", Seats: filepath.Join(dir, "seats"),
	})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewUnstartedServer(nil)
	host := web.Listener.Addr().String()
	s := NewServer(h, []string{host})
	s.perSecond = 1000 // no person
	web.Config.Handler = s
	web.Start()
	x := &sitting{t: t, hub: h, server: s, url: web.URL, close: func() { cancel(); web.Close(); k.Journal.Close() }}
	t.Cleanup(x.close)
	return x
}

func atPrompt(ctx context.Context, v *evening.Evening, line string, out io.Writer) (bool, error) {
	return repl.Say(ctx, v, line, out, nil)
}

// call calls a method with a token.
func (s *sitting) call(token, method string, params any) (status int, result map[string]any) {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.url+"/api/"+method, bytes.NewReader(encode(params)))
	r.Header.Set("Authorization", "Bearer "+token)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	json.NewDecoder(a.Body).Decode(&result)
	return a.StatusCode, result
}

// take takes a seat.
func (s *sitting) take(who, name string) (token string) {
	s.t.Helper()
	status, r := s.call("", "sit", map[string]string{"code": s.hub.seats.Code, "who": who, "name": name})
	if status != 200 {
		s.t.Fatal(status, r)
	}
	return r["result"].(map[string]any)["token"].(string)
}

// page is what a page knows: the messages of its stream, put together as the page does.
type page struct {
	s     *sitting
	token string
	id    string
	raw   strings.Builder // all bytes of the streams
	log   []any
	now   map[string]any
	lines *bufio.Reader
	stop  func()
}

func (s *sitting) page(token string) *page {
	p := &page{s: s, token: token, now: map[string]any{}}
	p.connect()
	return p
}

// connect begins the stream, behind the last message that was read.
func (p *page) connect() {
	p.s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.s.t.Cleanup(cancel)
	r, _ := http.NewRequestWithContext(ctx, "GET", p.s.url+"/api/stream", nil)
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Header.Set("Last-Event-ID", p.id)
	a, err := http.DefaultClient.Do(r)
	if err != nil || a.StatusCode != 200 {
		p.s.t.Fatal(err, a)
	}
	p.lines, p.stop = bufio.NewReader(a.Body), cancel
}

// read reads messages until something holds, or fails.
func (p *page) read(until func() bool) {
	p.s.t.Helper()
	late := time.AfterFunc(time.Minute, p.stop)
	defer late.Stop()
	for !until() {
		line, err := p.lines.ReadString('\n')
		if err != nil {
			p.s.t.Fatalf("%v; the page knows %v", err, p.now)
		}
		p.raw.WriteString(line)
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			p.id = strings.TrimSpace(id)
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			p.s.t.Fatal(err)
		}
		p.apply(m)
	}
}

func (p *page) apply(m map[string]any) {
	if cut, ok := m["cut"].(float64); ok {
		p.log = p.log[:int(cut)]
	}
	if add, ok := m["add"].([]any); ok {
		p.log = append(p.log, add...)
	}
	for k, v := range m {
		p.now[k] = v
	}
}

func (p *page) ask() map[string]any {
	a, _ := p.now["ask"].(map[string]any)
	return a
}

// asked reads until another question than that of an id is open for the page, or it is all over.
func (p *page) asked(but any) map[string]any {
	p.s.t.Helper()
	p.read(func() bool { return p.ask() != nil && p.ask()["id"] != but })
	return p.ask()
}

const duel = `use cah
hero Nova { star 3; PUNCH 3; QUICK 2 }
villain Fang { star 2; CLAW 4; SECRETIVE 3 }
tactics Fang { otherwise: attack any foe with CLAW }
scene "The roof" action {
  heroes Nova
  villains Fang
  fight
}
`

// usual takes the usual answer, and does the usual command.
type usual struct{}

func (usual) Choose(_ context.Context, q interp.Question) (int, error) { return q.Default, nil }
func (usual) Command(context.Context, interp.Turn) (string, error)     { return "", nil }

// ran is what happens in a script where everybody takes the usual answer, as records.
func ran(t testing.TB, text string) (list []any) {
	t.Helper()
	var b bytes.Buffer
	j := transcript.NewJSON(&b, false)
	j.Briefs()
	cfg := interp.Config{Modules: stdlib.FS, Seed: 7, Ask: []string{"heroes"}, Quiet: interp.QuietUsual, Choice: usual{}, Player: usual{}, Events: j.Event}
	if err := interp.NewSession(cfg).Exec(t.Context(), lang.NewSource("test.scene", text)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		switch r["event"] {
		case "begin", "question", "throw", "turn":
		default:
			list = append(list, r)
		}
	}
	return list
}

// recorded is a log without what only pages are told.
func recorded(log []any) []any {
	return slices.DeleteFunc(slices.Clone(log), func(r any) bool { return r.(map[string]any)["event"] == "moved" })
}

// A game master and a player play a fight to its end; it is the fight that run plays with these answers.
func TestPlay(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	gm, nova := s.page(s.hub.seats.Gm), s.page(s.take("Nova", "Ana"))
	var last any
	for n := 0; ; n++ {
		gm.read(func() bool { return n == 0 && gm.ask() != nil || gm.ask()["id"] != last || gm.ask() == nil && n > 0 })
		if gm.ask() == nil {
			break
		}
		last = gm.ask()["id"]
		who, page := s.hub.seats.Gm, gm
		if gm.ask()["hero"] == "Nova" {
			page, who = nova, nova.token
			nova.asked(nil)
		}
		status, r := s.call(who, "answer", map[string]any{"form": page.ask()["id"], "text": ""})
		if status != 200 {
			t.Fatal(status, r)
		}
		if status, _ := s.call(who, "answer", map[string]any{"form": page.ask()["id"], "text": ""}); status != http.StatusConflict {
			t.Errorf("a second answer to the same form: %d", status)
		}
		if page == nova {
			nova.now["ask"] = nil
		}
	}
	want := ran(t, duel)
	all := len(gm.log)
	if d := cmp.Diff(want, recorded(gm.log)); d != "" {
		t.Error(d)
	}
	if status, r := s.call(s.hub.seats.Gm, "undo", map[string]any{}); status != 200 {
		t.Error(status, r)
	}
	gm.read(func() bool { return len(gm.log) == 0 })
	s.call(s.hub.seats.Gm, "redo", map[string]any{})
	gm.read(func() bool { return len(gm.log) == all })
}

// What a player says in plain words gets the command that it means, as at the terminal; a name needs no quotes. Of somebody
// whom players do not know nothing is said.
func TestSentence(t *testing.T) {
	text := strings.Replace(duel, "scene", "villain \"Old Fox\" { star 1; BITE 2 }\nscene", 1)
	text = strings.NewReplacer("villain Fang", "villain \"Iron Fang\"", "tactics Fang", "tactics \"Iron Fang\"", "villains Fang", "villains \"Iron Fang\"").Replace(text)
	s := sit(t, t.TempDir(), text, nil)
	nova := s.page(s.take("Nova", "Ana"))
	form := nova.asked(nil)["id"]
	for said, want := range map[string]string{
		"I hit the iron fang":         `attack "Iron Fang" with PUNCH`,
		"attack iron fang with PUNCH": `attack "Iron Fang" with PUNCH`,
		"I wonder about the weather":  "",
		"I bite the old fox":          "",
	} {
		status, r := s.call(nova.token, "answer", map[string]any{"form": form, "text": said})
		e, _ := r["error"].(map[string]any)
		data, _ := e["data"].(map[string]any)
		if meant, _ := data["meant"].(string); status != 422 || meant != want || strings.Contains(fmt.Sprint(e), "colon") {
			t.Errorf("%s: %d, %q, %v", said, status, meant, e)
		}
		if strings.Contains(fmt.Sprint(r), "Old Fox") {
			t.Errorf("%s: %v", said, r)
		}
	}
	if status, r := s.call(nova.token, "answer", map[string]any{"form": form, "text": `attack "Iron Fang" with PUNCH`}); status != 200 {
		t.Error(status, r)
	}
}

// A command is put together from what a phone offers: whole commands, of which none names whom players do not know; then
// verbs, names with their quotes, words of clauses, and one's own traits with their sizes, the likeliest first.
func TestChips(t *testing.T) {
	s := sit(t, t.TempDir(), `use marvel
hero Ann { solo d8, buddy d10; distinction "Calm"; limit "Shy" condition "in a crowd"; power_set "Coat" { FLIGHT d8 }; JOKES_EXPERT d8 }
hero Ben { solo d8 }
watcher Lurker { solo d12; CLAWS_EXPERT d10 }
watcher "Old Pike" { solo d6; distinction "Salt" }
scene "The quay" { heroes Ann, Ben; bystanders "Old Pike"; turn Ann }`, nil)
	ann := s.page(s.take("Ann", "Nina"))
	ann.asked(nil)
	_, r := s.call(ann.token, "can", map[string]any{})
	if all := fmt.Sprint(r["result"]); !strings.Contains(all, `roll buddy + "Calm" + FLIGHT + JOKES_EXPERT vs "Old Pike"`) || strings.Contains(all, "Lurker") {
		t.Error(all)
	}
	if _, master := s.call(s.hub.seats.Gm, "can", map[string]any{}); !cmp.Equal(r, master) { // who answers for somebody away
		t.Error(cmp.Diff(r, master))
	}
	for typed, want := range map[string]string{
		"":                             "roll",
		"roll ":                        `solo d8, buddy d10, "Calm" d8, FLIGHT d8 of Coat, JOKES_EXPERT d8, "Shy"`,
		"roll solo ":                   "+, vs, for",
		"roll solo + ":                 `solo d8, buddy d10`,
		"roll solo vs ":                `"Old Pike", Ben`,
		"roll solo for ":               "asset, complication, stress",
		"support Ben ":                 "as",
		"support Ben as NET with solo": "",
		"recover stress physical ":     "of",
	} {
		_, r := s.call(ann.token, "complete", map[string]any{"text": typed})
		var got []string
		for _, c := range r["result"].(map[string]any)["list"].([]any) {
			c := c.(map[string]any)
			text := c["text"].(string)
			if c["size"] != nil {
				text += " " + c["size"].(string)
			}
			if c["of"] != nil {
				text += " of " + c["of"].(string)
			}
			got = append(got, text)
		}
		for part := range strings.SplitSeq(want, ", ") {
			if !slices.Contains(got, part) && part != "" {
				t.Errorf("%q: no %s in %q", typed, part, got)
			}
		}
		if slices.Contains(got, "Lurker") || slices.Contains(got, "lend") || slices.Contains(got, "CLAWS_EXPERT") || typed == "roll solo vs " && slices.Contains(got, "Ann") {
			t.Errorf("%q: %q", typed, got)
		}
		if first, _, _ := strings.Cut(want, ", "); len(got) > 0 && strings.Contains("roll , roll solo + ", typed) && typed != "" && got[0] != first {
			t.Errorf("%q: first comes %s", typed, got[0])
		}
	}
}

// While nobody does anything the chance that the heroes win is worked out for the game master, and for nobody
// else; what somebody does ends it.
func TestOutlook(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	gm, nova := s.page(s.hub.seats.Gm), s.page(s.take("Nova", "Ana"))
	form := nova.asked(nil)["id"]
	chance := func(g map[string]any) any {
		return g["record"].(map[string]any)["goals"].([]any)[0].(map[string]any)["doc"]
	}
	gm.read(func() bool { return gm.now["going"] != nil })
	if g := gm.now["going"].(map[string]any); chance(g) != "the heroes win" || g["now"] != true {
		t.Error(g)
	}
	began := time.Now()
	if status, r := s.call(nova.token, "answer", map[string]any{"form": form, "text": ""}); status != 200 {
		t.Fatal(status, r, s.hub.Where())
	}
	nova.asked(form)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("an answer took %v", took)
	}
	gm.read(func() bool { return gm.now["going"].(map[string]any)["now"] == false })
	if raw := nova.raw.String(); strings.Contains(raw, "heroes win") || strings.Contains(raw, "going") {
		t.Error("a player was sent the chance")
	}
}

// A player answers ahead what came up for their hero, with one of its options, and takes it back; whoever is asked meanwhile
// goes on with the form that they have. Nobody else's decisions, and no condition, are theirs to say.
func TestAhead(t *testing.T) {
	s := sit(t, t.TempDir(), strings.Replace(strings.Replace(duel, "villain Fang", "hero Mole { star 3; DIG 3 }\nvillain Fang", 1), "heroes Nova", "heroes Nova, Mole", 1), nil)
	nova, mole := s.page(s.take("Nova", "Ana")), s.page(s.take("Mole", "Ben"))
	list := func(p *page) (all []any) { // yes or no
		some, _ := p.now["ahead"].([]any)
		for _, d := range some {
			if d.(map[string]any)["options"].([]any)[0] == "no" {
				all = append(all, d)
			}
		}
		return all
	}
	pages := map[any]*page{"Nova": nova, "Mole": mole}
	gm := s.page(s.hub.seats.Gm)
	form := gm.asked(nil)
	for len(list(nova)) == 0 { // until something came up
		p := pages[form["hero"]]
		p.read(func() bool { return p.ask() != nil })
		s.call(p.token, "answer", map[string]any{"form": p.ask()["id"], "text": ""})
		p.now["ask"] = nil
		form = gm.asked(form["id"])
		nova.read(func() bool { return len(nova.log) == len(gm.log) || nova.now["wait"] != nil })
	}
	d := list(nova)[0].(map[string]any)
	for what, params := range map[string]map[string]any{
		"no option": {"decision": d["decision"], "answer": "perhaps"}, "no such decision": {"decision": "made_up", "answer": "no"},
		"a condition": {"decision": d["decision"], "answer": "no", "when": "Fang.star > 1"}, "somebody else's": {"decision": d["decision"], "answer": "no", "who": "Mole"},
	} {
		if status, _ := s.call(nova.token, "ahead", params); status < 400 {
			t.Errorf("%s: %d", what, status)
		}
	}
	open := s.hub.Where().Question.ID
	before := gm.ask()["id"]
	for _, answer := range []string{"no", ""} {
		if status, r := s.call(nova.token, "ahead", map[string]any{"decision": d["decision"], "answer": answer}); status != 200 {
			t.Fatal(status, r)
		}
		nova.read(func() bool { got, _ := list(nova)[0].(map[string]any)["answer"].(string); return got == answer })
		gm.read(func() bool { all, _ := gm.now["ahead"].([]any); return len(all) == len(answer)/2 })
	}
	if now := s.hub.Where().Question.ID; now == open {
		t.Error("the question has the id that it had: this test shows nothing")
	}
	if gm.ask()["id"] != before {
		t.Errorf("the form %v became %v", before, gm.ask()["id"])
	}
	if status, r := s.call(gm.token, "answer", map[string]any{"form": before, "text": ""}); status != 200 {
		t.Error(status, r)
	}
}

// The handbook is for all at the table, the report for whoever knows its address; each is made once, and runs no style but its own.
func TestBooks(t *testing.T) {
	made := 0
	b := newBooks(Config{
		Report: func(context.Context) ([]byte, error) { made++; return []byte("<style>p{}</style><p>danger"), nil },
		Handbook: func(context.Context) (map[string][]byte, error) {
			return map[string][]byte{"index.html": []byte("<p>rules")}, nil
		},
	}, t.Context())
	for address, want := range map[string]string{b.links()["report"]: "danger", b.links()["handbook"]: "rules", "/report/": "", "/handbook/../x": ""} {
		for range 2 {
			w := httptest.NewRecorder()
			if found := b.page(w, address); found != (want != "") || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %v %s", address, found, w.Body)
			}
			if csp := w.Header().Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || want == "danger" && !strings.Contains(csp, "style-src 'sha256-") {
				t.Errorf("%s: %s", address, csp)
			}
		}
	}
	if made != 1 {
		t.Errorf("the report was made %d times", made)
	}
}

// Who calls, from where, with what and how often, is looked at before anything is done.
func TestSecurity(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	gm, nova := s.hub.seats.Gm, s.take("Nova", "Ana")
	host := strings.TrimPrefix(s.url, "http://")
	for _, x := range []struct {
		name, method, path, token, body string
		head                            map[string]string
		want                            int
	}{
		{"a page", "GET", "/gm", "", "", nil, 200},
		{"no such page", "GET", "/../hub.go", "", "", nil, 404},
		{"files are no pages", "GET", "/pages/gm.html", "", "", nil, 404},
		{"an address that is not served", "GET", "/gm", "", "", map[string]string{"Host": "evil.example"}, 421},
		{"another port", "GET", "/gm", "", "", map[string]string{"Host": "127.0.0.1:1"}, 421},
		{"an address that begins as one that is served", "GET", "/gm", "", "", map[string]string{"Host": host + ".evil.example"}, 421},
		{"another page's call", "POST", "/api/undo", gm, "{}", map[string]string{"Origin": "http://evil.example"}, 403},
		{"a page without an origin", "POST", "/api/undo", gm, "{}", map[string]string{"Origin": "null"}, 403},
		{"https is another origin", "POST", "/api/undo", gm, "{}", map[string]string{"Origin": "https://" + host}, 403},
		{"its own page's call", "POST", "/api/state", gm, `{"who":""}`, map[string]string{"Origin": "http://" + host}, 200},
		{"no token", "POST", "/api/undo", "", "{}", nil, 401},
		{"no token to read", "GET", "/api/stream", "", "", nil, 401},
		{"a wrong token", "POST", "/api/undo", gm[1:] + "x", "{}", nil, 401},
		{"no JSON", "POST", "/api/state", gm, "{", nil, 400},
		{"a member too many", "POST", "/api/state", gm, `{"who":"","script":"x"}`, nil, 400},
		{"too long for a player", "POST", "/api/answer", nova, `{"form":"` + strings.Repeat("x", 9000) + `"}`, nil, 413},
		{"no such form", "POST", "/api/answer", nova, `{"form":"x-1","text":""}`, nil, 409},
		{"the other method", "GET", "/api/undo", gm, "", nil, 404},
		{"what only the game master does", "POST", "/api/undo", nova, "{}", nil, 403},
		{"a line of the language", "POST", "/api/exec", nova, `{"text":"Nova.star = 9"}`, nil, 403},
		{"somebody's sheet", "POST", "/api/state", nova, `{"who":"Fang"}`, nil, 403},
		{"the second screen only reads", "POST", "/api/answer", s.hub.seats.Screen, `{"form":"x"}`, nil, 403},
		{"a seat that is taken", "POST", "/api/sit", "", `{"code":"` + s.hub.seats.Code + `","who":"Nova","name":"Eve"}`, nil, 409},
		{"nobody's name", "POST", "/api/sit", "", `{"code":"` + s.hub.seats.Code + `","who":"Nova","name":" "}`, nil, 400},
		{"a foe's seat", "POST", "/api/sit", "", `{"code":"` + s.hub.seats.Code + `","who":"Fang","name":"Eve"}`, nil, 409},
		{"saving", "POST", "/api/save", gm, "{}", nil, 403},
		{"the code as it is heard", "POST", "/api/look", "", `{"code":" ` + strings.ToUpper(strings.Replace(s.hub.seats.Code, "-", " ", 1)) + `"}`, nil, 200},
		{"half a code", "POST", "/api/look", "", `{"code":"` + s.hub.seats.Code[:4] + `"}`, nil, 403},
	} {
		r, _ := http.NewRequest(x.method, s.url+x.path, strings.NewReader(x.body))
		r.URL.Opaque = ""
		if x.token != "" {
			r.Header.Set("Authorization", "Bearer "+x.token)
		}
		for k, v := range x.head {
			if r.Header.Set(k, v); k == "Host" {
				r.Host = v
			}
		}
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != x.want {
			t.Errorf("%s: %d, not %d", x.name, a.StatusCode, x.want)
		}
		if csp := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %s", x.name, csp)
		}
	}
	// What a player types is one command of their own.
	p := s.page(nova)
	form := p.asked(nil)["id"]
	for _, text := range []string{
		"Nova.star = 9", "Fang: attack Nova with CLAW", "dice 12 12", "answers yes", "commands \"pass\"", "print Fang.star", "let x = 1", "villain Eve { star 1 }",
		"attack Fang with PUNCH; give 5 oomph to Nova", "use marvel", "include \"x\"", "if yes { attack Fang with PUNCH }", "{ attack Fang with PUNCH }",
		"attack Fang with PUNCH" + strings.Repeat(" ", 200), "report Fang.star", "\"Fang\": pass", "star", "Fang.star",
	} {
		if status, r := s.call(nova, "answer", map[string]any{"form": form, "text": text}); status != 422 {
			t.Errorf("%q: %d %v", text, status, r)
		}
	}
	if status, r := s.call(nova, "answer", map[string]any{"form": form, "text": "attack Fang with PUNCH"}); status != 200 {
		t.Error(status, r)
	}
}

// Codes are tried five times a minute, and a seat calls twenty times a second; the game master goes on.
func TestRates(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	s.server.perSecond = perSecond
	nova := s.take("Nova", "Ana")
	for i := range 6 {
		status, _ := s.call("", "look", map[string]string{"code": "bamo-kefi"})
		if want := []int{403, 429}[i/5]; status != want {
			t.Errorf("code %d: %d", i, status)
		}
	}
	if status, _ := s.call("", "look", map[string]string{"code": s.hub.seats.Code}); status != 429 {
		t.Errorf("the right one behind them: %d", status)
	}
	s.server.perSecond = 3 // so that it does not matter how long the calls take
	got := map[int]int{}
	for range 30 {
		status, _ := s.call(nova, "complete", map[string]any{"text": ""})
		got[status]++
	}
	if got[429] == 0 {
		t.Error(got)
	}
	if status, r := s.call(s.hub.seats.Gm, "state", map[string]any{"who": ""}); status != 200 {
		t.Error(status, r)
	}
}

// Whoever does not read holds nobody up: an answer is on the other pages at once, and the stream of the one
// who does not read ends after the time for a message.
func TestSlowReader(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	s.server.writeTime = 200 * time.Millisecond
	nova := s.page(s.take("Nova", "Ana"))
	form := nova.asked(nil)["id"]
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "GET /api/stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", slow.RemoteAddr(), s.hub.seats.Gm)
	streams := func() int {
		s.server.mu.Lock()
		defer s.server.mu.Unlock()
		return s.server.streams
	}
	wait := func(n int) {
		t.Helper()
		for until := time.Now().Add(time.Minute); streams() != n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%d streams, not %d", streams(), n)
			}
		}
	}
	wait(2)
	s.hub.gm.tell("notice", strings.Repeat("x", 32<<20)) // more than the system keeps between the two
	s.call(nova.token, "answer", map[string]any{"form": form, "text": ""})
	nova.asked(form)
	wait(1)
}

// Of the streams of one seat the oldest ends where there are too many. A seat that is freed ends its
// streams, and its token.
func TestStreams(t *testing.T) {
	s := sit(t, t.TempDir(), duel, nil)
	nova := s.take("Nova", "Ana")
	var pages []*page
	for range seatStreams + 1 {
		p := s.page(nova)
		p.asked(nil)
		pages = append(pages, p)
	}
	ended := func(p *page) {
		t.Helper()
		late := time.AfterFunc(time.Minute, p.stop)
		defer late.Stop()
		for {
			if _, err := p.lines.ReadString('\n'); err != nil {
				if err != io.EOF {
					t.Error(err)
				}
				return
			}
		}
	}
	ended(pages[0])
	gm := s.page(s.hub.seats.Gm)
	gm.asked(nil)
	if status, r := s.call(s.hub.seats.Gm, "free", map[string]string{"who": "Nova"}); status != 200 {
		t.Fatal(status, r)
	}
	ended(pages[1])
	if status, _ := s.call(nova, "complete", map[string]any{"text": ""}); status != 401 {
		t.Errorf("the token of a seat that was freed: %d", status)
	}
	s.take("Nova", "Ben")
}

// A phone that slept comes back with the number of the last message, and gets what it missed, each once.
// One that slept too long, or came before the program was begun again, gets all anew.
func TestAsleep(t *testing.T) {
	dir := t.TempDir()
	s := sit(t, dir, duel, nil)
	awake, asleep := s.page(s.take("Nova", "Ana")), s.page(s.hub.seats.Screen)
	asleep.read(func() bool { return asleep.now["wait"] == "Nova" })
	asleep.stop()
	form := awake.asked(nil)["id"]
	for range 3 {
		s.call(awake.token, "answer", map[string]any{"form": form, "text": ""})
		form = awake.asked(form)["id"]
	}
	asleep.connect()
	asleep.read(func() bool { return len(asleep.log) == len(awake.log) })
	if d := cmp.Diff(awake.log, asleep.log); d != "" {
		t.Error(d)
	}
	s.close()
	s2 := again(t, dir)
	for _, p := range []*page{awake, asleep} {
		before := p.log
		p.s = s2
		p.now = map[string]any{}
		p.connect()
		p.read(func() bool { return p.now["wait"] != nil })
		if d := cmp.Diff(before, p.log); d != "" {
			t.Errorf("begun again: %s", d)
		}
	}
	if ask := awake.asked(form); ask["title"] == "" {
		t.Error(ask)
	}
}

// The program is ended at each question, and begun again: the pages go on with the tokens that they have, and
// what happens is what would have happened.
func TestBegunAgain(t *testing.T) {
	dir := t.TempDir()
	s := sit(t, dir, duel, nil)
	nova := s.take("Nova", "Ana")
	n := 0
	for ; s.hub.Where().Question != nil; n++ {
		x := s.hub.seats.of("Nova")
		form := fmt.Sprint(x.view.epoch, "-", x.view.forms)
		if status, r := s.call(nova, "answer", map[string]any{"form": form, "text": ""}); status != 200 {
			t.Fatal(status, r)
		}
		s.close()
		s = again(t, dir)
		if status, _ := s.call(nova, "answer", map[string]any{"form": form, "text": ""}); status != http.StatusConflict {
			t.Errorf("an answer that has arrived already: %d", status)
		}
	}
	gm := s.page(s.hub.seats.Gm)
	gm.read(func() bool { return gm.now["people"] != nil })
	if d := cmp.Diff(ran(t, duel), recorded(gm.log)); d != "" || n < 3 {
		t.Errorf("%d questions: %s", n, d)
	}
}

// BenchmarkAnswer is an answer until it is on every page, and a page until it is ready, beside a call of a handler that does nothing.
func BenchmarkAnswer(b *testing.B) {
	b.Run("empty", func(b *testing.B) {
		s := sit(b, b.TempDir(), duel, nil)
		for b.Loop() {
			s.call(s.hub.seats.Gm, "nothing", map[string]any{})
		}
	})
	b.Run("page", func(b *testing.B) { // all that a game master's page needs until it shows how things stand
		s := sit(b, b.TempDir(), duel, nil)
		for b.Loop() {
			for _, file := range []string{"/gm", "/table.css", "/gm.js", "/common.js"} {
				if a, err := http.Get(s.url + file); err == nil {
					io.Copy(io.Discard, a.Body)
					a.Body.Close()
				}
			}
			p := s.page(s.hub.seats.Gm)
			p.read(func() bool { return p.now["people"] != nil })
			p.stop()
		}
	})
	b.Run("answer", func(b *testing.B) {
		long := "use cah\nhero Nova { star 3; PUNCH 3 }\nrepeat 100000 { Nova: roll PUNCH vs DN 30 }\n"
		s := sit(b, b.TempDir(), long, nil)
		nova := s.take("Nova", "Ana")
		pages := []*page{s.page(s.hub.seats.Gm), s.page(nova), s.page(s.hub.seats.Screen)}
		pages[1].asked(nil)
		form := pages[1].ask()["id"]
		for b.Loop() {
			s.call(nova, "answer", map[string]any{"form": form, "option": 0})
			form = pages[1].asked(form)["id"]
			n := len(pages[1].log)
			pages[2].read(func() bool { return len(pages[2].log) == n })
		}
	})
}

const cellar = `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4; KUNG_FU 4; base 8; life 40; drama 2 }
cast Gus { DEXTERITY 3; GUN_FU 4; base 3; life 30; drama 0 }
adversary Count { STRENGTH 6, DEXTERITY 4; fighting 4; base 5; life 45 }
adversary Bat { DEXTERITY 2; life 5 }
tactics villains { otherwise: attack Gus }
scene "The cellar" {
  heroes Pia, Gus
  villains Count
  order Pia, Gus, Count
  fight turns 2
}
`

// Whose turn it is stays so while somebody decides in it, on every phone. What a player asks to take back is said with what
// that is, and stands until the game master has taken it back, or says no.
func TestTurn(t *testing.T) {
	s := sit(t, t.TempDir(), cellar, nil)
	gm, pia, gus := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann")), s.page(s.take("Gus", "Ben"))
	turns := func(when, want string) {
		t.Helper()
		for _, p := range []*page{pia, gus} {
			p.read(func() bool { return p.now["wait"] == pia.now["wait"] })
			if p.now["turn"] != want {
				t.Errorf("%s: it is the turn of %v", when, p.now["turn"])
			}
		}
	}
	answer := func(p *page, params map[string]any) {
		t.Helper()
		params["form"] = p.ask()["id"]
		if status, r := s.call(p.token, "answer", params); status != 200 {
			t.Fatal(status, r)
		}
	}
	form := pia.asked(nil)
	turns("Pia is asked", "Pia")
	answer(pia, map[string]any{"text": "attack Count"})
	if form = pia.asked(form["id"]); form["kind"] != "decision" {
		t.Fatal(form)
	}
	turns("Pia decides", "Pia")
	answer(pia, map[string]any{"option": 0})
	gus.asked(nil)
	pia.read(func() bool { return pia.ask() == nil })
	turns("Gus is asked", "Gus")
	s.call(gus.token, "undo_wanted", map[string]any{})
	wants := func(want ...string) {
		t.Helper()
		gm.read(func() bool {
			got := []string{}
			list, _ := gm.now["undo_wanted"].([]any)
			for _, w := range list {
				w := w.(map[string]any)
				got = append(got, fmt.Sprint(w["name"], w["since"], w["what"]))
			}
			return slices.EqualFunc(got, want, strings.HasPrefix)
		})
	}
	stands := func(p *page, how string) {
		t.Helper()
		p.read(func() bool { return p.now["wanted"] == how })
	}
	wants("Ben<nil>Pia: Spend a Drama Point")
	stands(gus, "asked")
	second := gus.ask()
	answer(gus, map[string]any{"text": "pass"})
	wants("Ben1Pia: Spend a Drama Point") // it stands, whatever comes behind it
	form = pia.asked(form["id"])
	s.call(pia.token, "undo_wanted", map[string]any{})
	wants("Ben1", "Ann<nil>Gus: pass")
	s.call(gm.token, "undo_wanted", map[string]any{"who": "Pia", "no": true})
	wants("Ben1")
	stands(pia, "no")
	answer(pia, map[string]any{"text": "pass"})
	stands(pia, "")
	stands(gus, "asked")
	s.call(pia.token, "undo_wanted", map[string]any{})
	wants("Ben2", "Ann")
	if status, r := s.call(gm.token, "undo_wanted", map[string]any{"who": "Gus"}); status != 200 {
		t.Error(status, r)
	}
	wants()
	stands(gus, "taken back")
	stands(pia, "taken back")
	if ask := pia.asked(form["id"]); ask["kind"] != "decision" || !strings.Contains(fmt.Sprint(ask["title"]), "Spend a Drama Point") {
		t.Errorf("after that Pia is asked %v", ask)
	}
	if status, _ := s.call(gm.token, "undo_wanted", map[string]any{"who": "Gus"}); status != http.StatusConflict {
		t.Error("taken back twice:", status)
	}
	answer(pia, map[string]any{"option": 0})
	gus.asked(second["id"])
	stands(gus, "")
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for _, x := range []struct{ turn, asked, told string }{{"Pia", "", "Pia"}, {"Count", "Gus", "Count"}, {"Count", "", ""}, {"Bat", "Gus", ""}} {
		if s.hub.turn = x.turn; s.hub.turnFor(x.asked) != x.told {
			t.Errorf("in the turn of %s, while %q is asked, players hear %q", x.turn, x.asked, s.hub.turnFor(x.asked))
		}
	}
	s.hub.turn, s.hub.where.Question = "Pia", &serve.Question{Kind: evening.Pause, Title: evening.Scene}
	if got := s.hub.turnFor(""); got != "" {
		t.Errorf("where a scene begins it is the turn of %s", got)
	}
}

const lantern = `use unisystem
cast Pia { STRENGTH 4, DEXTERITY 4; drama 0 }
adversary Thief { DEXTERITY 2; combat 12 }
adversary Hound { DEXTERITY 2; combat 11 }
scene "Lantern Street" {
  heroes Pia
  villains Thief, Hound
  dice 8
  chase Thief from Pia lead 2 turns 1
  chase Thief from Hound lead 2 turns 1
}
`

// Players hear how far ahead somebody is whom a hero chases, what a roll did to that, and what the game master says of it; of
// a chase among opponents they hear nothing.
func TestChaseIsTold(t *testing.T) {
	s := sit(t, t.TempDir(), lantern, nil)
	gm, pia := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann"))
	form := pia.asked(nil)
	gm.asked(nil)
	gm.said(`lead 3 "a cart blocks her way"`)
	pia.read(func() bool { return pia.ask() != nil && pia.person("Pia") != nil && len(noted(pia.log)) == 2 })
	form = pia.ask()
	if status, r := s.call(pia.token, "answer", map[string]any{"form": form["id"], "text": "race"}); status != 200 {
		t.Fatal(status, r)
	}
	gm.read(func() bool { return len(noted(gm.log)) == 7 })
	pia.read(func() bool { return pia.ask() == nil })
	// 8 and Dexterity twice are 16, more than a Combat of 12: one less.
	want := []string{"Thief is 2 ahead of Pia", "lead 3: a cart blocks her way", "lead 2, one less"}
	if d := cmp.Diff(want, noted(pia.log)); d != "" {
		t.Error(d)
	}
}

// noted are the texts of notes.
func noted(log []any) (list []string) {
	for _, x := range log {
		if r := x.(map[string]any); r["event"] == "note" {
			list = append(list, r["text"].(string))
		}
	}
	return list
}
