package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
)

// Bounds of what a client can have at once.
const (
	MaxEvenings = 2048
	MaxWaiting  = 64 // calls that wait for one evening
)

// Config is what a server needs.
type Config struct {
	Dir     string                            // the folder of which open may name files
	Session interp.Config                     // its Modules, Systems, Program and Limits are those of every evening
	Odds    func(*transcript.JSON, *odds.Law) // writes odds as records
	// Say does what a line says that somebody types at a prompt beside an evening: a word with a colon, odds, what a game
	// master does by hand. It is no answer; done says that it was one of these. What there is to tell goes to out. Nil: there is no prompt.
	Say    func(ctx context.Context, v *evening.Evening, line string, out io.Writer) (done bool, err error)
	Memory int // of odds, in bytes; 0: what package odds takes
}

// server is one connection with its evenings.
type server struct {
	cfg     Config
	kept    *Kept // the only evening, if it is not nil
	ctx     context.Context
	waiting sync.WaitGroup // calls that are not answered

	mu     sync.Mutex
	tables map[string]*table
	last   int // the number in the last name that was given
	calls  map[jsonrpc2.ID]*call
}

// Serve answers calls from in until it ends, those that are open by then as well.
func Serve(ctx context.Context, in io.Reader, out io.Writer, cfg Config) {
	(&server{cfg: cfg}).serve(ctx, in, out)
}

var quietly = jsonrpc2.SetLogger(log.New(io.Discard, "", 0))

func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx, s.tables, s.calls = ctx, map[string]*table{}, map[jsonrpc2.ID]*call{}
	stream := &lines{in: bufio.NewReader(in), out: out, ended: s.waiting.Wait}
	conn := jsonrpc2.NewConn(ctx, stream, s, quietly)
	select {
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
	}
}

// call is a call that is not answered yet.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	conn   *jsonrpc2.Conn
	req    *jsonrpc2.Request
	do     func(*table, *call) (any, error)
}

// Handle implements jsonrpc2.Handler. It only looks at a call; an evening does it.
func (s *server) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	c := &call{conn: conn, req: req}
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	s.waiting.Add(1)
	m, ok := methods[req.Method]
	if !ok {
		s.reply(c, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %s", req.Method)})
		return
	}
	if !s.enlist(c) {
		c.conn.ReplyWithError(s.ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "a call with this id is not answered yet"})
		s.waiting.Done()
		return
	}
	if err := m(s, c); err != nil {
		s.reply(c, nil, err)
	}
}

// enlist notes a call, so that it can be cancelled.
func (s *server) enlist(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.req.Notif {
		return true
	}
	if s.calls[c.req.ID] != nil {
		return false
	}
	s.calls[c.req.ID] = c
	return true
}

// reply answers a call.
func (s *server) reply(c *call, result any, err error) {
	defer s.waiting.Done()
	c.cancel()
	if c.req.Notif {
		return
	}
	s.mu.Lock()
	if s.calls[c.req.ID] == c {
		delete(s.calls, c.req.ID)
	}
	s.mu.Unlock()
	if err != nil {
		c.conn.ReplyWithError(s.ctx, c.req.ID, asError(err))
		return
	}
	c.conn.Reply(s.ctx, c.req.ID, result)
}

// methods are what can be called. Each reads its parameters, and hands the call to its evening. An
// error answers the call.
var methods map[string]func(*server, *call) error

func init() {
	methods = map[string]func(*server, *call) error{
		"open": begins(openTable), "load": begins(loadTable), "cancel": cancel, "close": leave,
		"answer": on(answer), "undo": on(undo), "advise": on(advise), "odds": on(oddsOf), "complete": on(complete), "save": on(save),
	}
	maps.Copy(methods, ofTables())
}

// params reads the parameters of a call. What they do not have is refused.
func params(c *call, to any) error {
	if c.req.Params == nil {
		return invalid("%s needs parameters", c.req.Method)
	}
	dec := json.NewDecoder(strings.NewReader(string(*c.req.Params)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return invalid("%s: %s", c.req.Method, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// name is what On says.
func (o On) name() string { return o.Evening }

// on is a method that its evening does.
func on[P interface{ name() string }](do func(*table, *call, P) (any, error)) func(*server, *call) error {
	return func(s *server, c *call) error {
		var p P
		if err := params(c, &p); err != nil {
			return err
		}
		c.do = func(t *table, c *call) (any, error) { return do(t, c, p) }
		t, err := s.table(p.name())
		if err != nil {
			return err
		}
		select {
		case t.calls <- c:
			return nil
		default:
			return &jsonrpc2.Error{Code: CodeLimit, Message: fmt.Sprintf("%d calls wait for this evening already", MaxWaiting)}
		}
	}
}

func (s *server) table(name string) (*table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tables[name]; t != nil {
		return t, nil
	}
	return nil, &jsonrpc2.Error{Code: CodeNoEvening, Message: fmt.Sprintf("there is no evening %q", name)}
}

// begins is a method that begins an evening: its goroutine, which lives until it is closed.
func begins[P any](prepare func(*server, P) (*table, error)) func(*server, *call) error {
	return func(s *server, c *call) error {
		var p P
		if err := params(c, &p); err != nil {
			return err
		}
		t, err := prepare(s, p)
		if err == nil {
			err = s.seat(t, c)
		}
		if err != nil {
			return err
		}
		go t.run(c)
		return nil
	}
}

// seat gives an evening its name.
func (s *server) seat(t *table, c *call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.tables) >= MaxEvenings:
		return &jsonrpc2.Error{Code: CodeLimit, Message: fmt.Sprintf("%d evenings are open: close one", MaxEvenings)}
	case s.tables[t.id] != nil:
		return invalid("an evening %q is open already", t.id)
	}
	for t.id == "" {
		s.last++
		if name := fmt.Sprint("e", s.last); s.tables[name] == nil {
			t.id = name
		}
	}
	t.conn, t.calls = c.conn, make(chan *call, MaxWaiting)
	t.ctx, t.leave = context.WithCancel(s.ctx)
	s.tables[t.id] = t
	return nil
}

// remove forgets an evening. Calls that wait for it are refused by its goroutine.
func (s *server) remove(t *table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[t.id] == t {
		delete(s.tables, t.id)
	}
	t.leave()
}

// leave closes an evening, whatever it does.
func leave(s *server, c *call) error {
	var p On
	if err := params(c, &p); err != nil {
		return err
	}
	t, err := s.table(p.Evening)
	if err != nil {
		return err
	}
	s.remove(t)
	s.reply(c, Nothing{}, nil)
	return nil
}

// cancel ends another call, which is then answered with an error.
func cancel(s *server, c *call) error {
	var p Cancel
	var id jsonrpc2.ID
	if err := params(c, &p); err != nil {
		return err
	}
	if err := json.Unmarshal(p.ID, &id); err != nil {
		return invalid("cancel: an id is a number or a text")
	}
	s.mu.Lock()
	if other := s.calls[id]; other != nil {
		other.cancel()
	}
	s.mu.Unlock()
	s.reply(c, Nothing{}, nil)
	return nil
}
