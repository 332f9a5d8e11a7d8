package table

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of what a reader may do.
const (
	maxMessage   = 4 << 10  // bytes of a player's
	maxMasters   = 64 << 10 // of the game master's, who may type a scene
	maxCommand   = 200      // bytes of a player's command
	maxName      = 40       // letters of a player's name
	perSecond    = 20
	codesAMinute = 5 // codes that are tried
	maxStreams   = 64
	seatStreams  = 8
	writeTime    = 5 * time.Second // for a message; whoever is slower comes back by its number
	pulse        = 5 * time.Second // of a stream in which nothing happens
)

//go:embed pages
var files embed.FS

// paths are the pages by their addresses.
var paths = map[string]string{
	"/": "player.html", "/gm": "gm.html", "/screen": "screen.html",
	"/gm.js": "gm.js", "/player.js": "player.js", "/screen.js": "screen.js", "/common.js": "common.js", "/table.css": "table.css",
}

// Serve answers at a listener until the context of the hub ends.
func (s *Server) Serve(l net.Listener) error {
	web := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	stop := context.AfterFunc(s.hub.ctx, func() { web.Close() })
	defer stop()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Server answers pages. Hosts are the addresses, with their ports, by which it can be called.
type Server struct {
	hub       *Hub
	hosts     []string
	perSecond int // messages of a seat; the game master's page may send five times as many
	writeTime time.Duration

	mu      sync.Mutex
	streams int
	rates   map[string]*rate
}

// NewServer makes the pages of a hub.
func NewServer(h *Hub, hosts []string) *Server {
	return &Server{hub: h, hosts: hosts, perSecond: perSecond, writeTime: writeTime, rates: map[string]*rate{}}
}

// ServeHTTP implements http.Handler. Who calls, and from which page, is looked at before anything else.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cache-Control", "no-store")
	if !slices.Contains(s.hosts, r.Host) {
		fail(w, http.StatusMisdirectedRequest, "this address is not served here", nil)
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		fail(w, http.StatusForbidden, "another page may not call this one", nil)
		return
	}
	switch {
	case r.URL.Path == "/api/stream" && r.Method == http.MethodGet:
		s.stream(w, r)
	case strings.HasPrefix(r.URL.Path, "/api/") && r.Method == http.MethodPost:
		s.post(w, r)
	case paths[r.URL.Path] != "" && r.Method == http.MethodGet:
		s.page(w, paths[r.URL.Path])
	case r.Method == http.MethodGet && s.hub.books.page(w, r.URL.Path):
	default:
		fail(w, http.StatusNotFound, "there is nothing here", nil)
	}
}

func (s *Server) page(w http.ResponseWriter, file string) {
	text, _ := fs.ReadFile(files, "pages/"+file)
	switch file[strings.LastIndexByte(file, '.'):] {
	case ".js":
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	case ".css":
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	w.Write(text)
}

// fail answers with an error, in words.
func fail(w http.ResponseWriter, status int, message string, data any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(encode(map[string]any{"error": map[string]any{"message": message, "data": data}}))
}

func answer(w http.ResponseWriter, result any) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(encode(map[string]any{"result": result}))
}

// reader is whoever calls: what they are shown, and as whom.
type reader struct {
	view   *view
	master bool
	seat   *seat // of a player
}

// reader finds who has a token; nil: nobody.
func (s *Server) reader(r *http.Request) *reader {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return nil
	}
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case same(token, h.seats.Gm):
		return &reader{view: h.gm, master: true}
	case same(token, h.seats.Screen):
		return &reader{view: h.screen}
	}
	for _, x := range h.seats.Seats {
		if same(token, x.Token) {
			return &reader{view: x.view, seat: x}
		}
	}
	return nil
}

// stream sends what a view shows, as server-sent events.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	who := s.reader(r)
	if who == nil {
		fail(w, http.StatusUnauthorized, "this link is not valid here", nil)
		return
	}
	if !s.count(1) {
		fail(w, http.StatusServiceUnavailable, "too many pages are open", nil)
		return
	}
	defer s.count(-1)
	ctx, cut := context.WithCancel(r.Context())
	defer cut()
	me := &stream{cut}
	who.view.join(me)
	defer who.view.leave(me)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	id := r.Header.Get("Last-Event-ID")
	for {
		list, first, news := who.view.since(id)
		out.SetWriteDeadline(time.Now().Add(s.writeTime))
		for i, m := range list {
			id = fmt.Sprint(who.view.epoch, ".", first+i)
			fmt.Fprintf(w, "id: %s\ndata: %s\n\n", id, m)
		}
		if len(list) == 0 {
			io.WriteString(w, ":\n\n")
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-news:
		case <-time.After(pulse):
		case <-ctx.Done():
			return
		case <-s.hub.ctx.Done():
			return
		}
	}
}

// count counts streams; there are not more than maxStreams.
func (s *Server) count(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > 0 && s.streams >= maxStreams {
		return false
	}
	s.streams += n
	return true
}

// rate is how often somebody has called in a span of time.
type rate struct {
	since time.Time
	n     int
}

// often says whether somebody has called more than so many times within a span.
func (s *Server) often(who string, most int, span time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if len(s.rates) > 1000 {
		clear(s.rates)
	}
	x := s.rates[who]
	if x == nil || now.Sub(x.since) > span {
		x = &rate{since: now}
		s.rates[who] = x
	}
	x.n++
	return x.n > most
}

func (s *Server) most(who *reader) int {
	if who.master {
		return 5 * s.perSecond
	}
	return s.perSecond
}

// post is a call: of a method that a reader may call, with its parameters.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/api/")
	who := s.reader(r)
	most := int64(maxMessage)
	if who != nil && who.master {
		most = maxMasters
	}
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(writeTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a message has at most %d bytes", most), nil)
		return
	}
	if !json.Valid(body) {
		fail(w, http.StatusBadRequest, "this is no JSON", nil)
		return
	}
	var do action
	switch {
	case method == "sit" || method == "look":
		do = s.comes(method)
	case who == nil:
		fail(w, http.StatusUnauthorized, "this link is not valid here", nil)
		return
	case s.often(who.key(), s.most(who), time.Second):
		fail(w, http.StatusTooManyRequests, "too many messages: wait a moment", nil)
		return
	case who.master:
		do = s.masters(method)
	case who.seat != nil:
		do = s.players(method)
	}
	if do == nil {
		fail(w, http.StatusForbidden, "you cannot do this from here", nil)
		return
	}
	result, err := do(who, body)
	if err != nil {
		refused(w, err)
		return
	}
	answer(w, result)
}

// key tells readers apart.
func (r *reader) key() string {
	switch {
	case r.master:
		return "gm"
	case r.seat != nil:
		return "seat " + r.seat.Who
	}
	return "screen"
}
