package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"setpiece/cmd/internal/repl"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/stdlib"
)

// client is the other side of a server.
type client struct {
	t   testing.TB
	in  *io.PipeWriter
	out *bufio.Reader
}

// dial begins a server. Each message is held against the schema.
func dial(t testing.TB) *client {
	fromClient, in := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		Serve(context.Background(), fromClient, fromServer, Config{Dir: "../../..", Session: interp.Config{Modules: stdlib.FS}, Odds: oddsRecords, Say: atPrompt})
		fromServer.Close()
		close(ended)
	}()
	late := time.AfterFunc(5*time.Minute, func() { fromServer.CloseWithError(fmt.Errorf("no answer in five minutes")) })
	t.Cleanup(func() {
		late.Stop()
		in.Close()
		go io.Copy(io.Discard, out)
		<-ended
	})
	return &client{t, in, bufio.NewReaderSize(out, 1<<20)}
}

func atPrompt(ctx context.Context, v *evening.Evening, line string, out io.Writer) (bool, error) {
	return repl.Say(ctx, v, line, out, nil)
}

// faulty has oddsRecords fail as a fault of the program does.
var faulty bool

// oddsRecords stands for what the command line writes.
func oddsRecords(j *transcript.JSON, l *odds.Law) {
	if faulty {
		panic("out of order")
	}
	type object = map[string]any
	if l.Sim != nil {
		j.Write(object{"event": "sim", "columns": l.Sim.Columns, "ends": []object{}, "trials": l.Sim.Trials, "planned": l.Sim.Planned, "seed": "0", "over": l.Over})
		return
	}
	o := l.Odds
	var points []object
	for _, p := range o.Distribution(0).Points {
		points = append(points, object{"value": p.Data, "p": p.P, "exact": interp.Value{Is: interp.NumberOf(p.Exact)}})
	}
	j.Write(object{"event": "distribution", "column": "value", "numbers": false, "points": points})
	j.Write(object{"event": "odds", "columns": []string{}, "ends": []object{}, "remainder": o.Remainder, "states": o.States, "merged": o.Merged})
}

// read reads a message, as JSON.
func (c *client) read() (message map[string]any) {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &message)
	}
	if err == nil {
		err = valid(line)
	}
	if err != nil {
		c.t.Fatalf("%v: %s", err, line)
	}
	return message
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// call calls a method, and returns its answer; what is told meanwhile is seen by told, if
// that is not nil.
func (c *client) call(id any, method string, params any, told func(map[string]any)) map[string]any {
	c.t.Helper()
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(line))
	for {
		m := c.read()
		if m["method"] == nil {
			return m
		}
		if told != nil {
			told(m)
		}
	}
}

// fits says where a message differs from what the page shows. "…" stands for anything, and as the
// name of a member for all others.
func fits(shown, got any) error {
	switch shown := shown.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%v is no object", got)
		}
		for k, v := range shown {
			if err := fits(v, got[k]); err != nil && k != "…" {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
		for k := range got {
			if _, ok := shown[k]; !ok && shown["…"] == nil {
				return fmt.Errorf("%s is not shown", k)
			}
		}
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(shown) {
			return fmt.Errorf("not so many: %v", got)
		}
		for i := range shown {
			if err := fits(shown[i], got[i]); err != nil {
				return err
			}
		}
	case string:
		if shown == "…" && got != nil {
			return nil
		}
		if shown != got {
			return fmt.Errorf("%q, and the page says %q", got, shown)
		}
	default:
		if !reflect.DeepEqual(shown, got) {
			return fmt.Errorf("%v, and the page says %v", got, shown)
		}
	}
	return nil
}

// The page is a conversation: each message of the server is shown, and each method is called.
func TestProtocolPage(t *testing.T) {
	page, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t)
	saved, called := "", map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(block[1]) {
			var message map[string]any
			if err := json.Unmarshal([]byte(line[len("-> "):]), &message); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if strings.HasPrefix(line, "-> ") {
				params := message["params"].(map[string]any)
				if params["data"] == "…" {
					params["data"] = saved
				}
				called[message["method"].(string)] = true
				sent, _ := json.Marshal(message)
				if err := valid(string(sent)); err != nil {
					t.Errorf("%s: %v", sent, err)
				}
				c.send(string(sent))
				continue
			}
			got := c.read()
			if err := fits(message, got); err != nil {
				text, _ := json.Marshal(got)
				t.Fatalf("%v\npage:   %sserver: %s", err, line, text)
			}
			if r, ok := got["result"].(map[string]any); ok && r["data"] != nil {
				saved = r["data"].(string)
			}
		}
	}
	for method := range methods {
		if !called[method] {
			t.Errorf("the page has no example of %s", method)
		}
	}
}
