package table

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// keptMessages is how many messages a view keeps for whoever comes back; after more they get all anew.
const keptMessages = 400

// view is what one reader is shown: the game master, the players' second screen, or a seat. It is a
// log and a few parts, sent as messages that say what has changed.
type view struct {
	epoch string

	mu       sync.Mutex
	log      []json.RawMessage
	parts    map[string]json.RawMessage
	messages []json.RawMessage // the last ones
	count    int               // of all messages so far
	news     chan struct{}     // closed when there is one
	streams  []*stream
	left     time.Time // when the last stream ended

	asked  int             // the id of the question that it shows, 0 for none
	forms  int             // how many it has shown
	record json.RawMessage // of that question
}

// stream is somebody who reads.
type stream struct{ cut func() }

func newView(epoch string) *view {
	return &view{epoch: epoch, parts: map[string]json.RawMessage{}, news: make(chan struct{}), left: time.Now()}
}

// show makes the log what it is now, and the parts those that are given; what has not changed is not sent.
func (v *view) show(log []json.RawMessage, parts map[string]any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	message := map[string]any{}
	same := 0
	for same < len(log) && same < len(v.log) && string(log[same]) == string(v.log[same]) {
		same++
	}
	if same < len(v.log) {
		message["cut"] = same
	}
	if same < len(log) {
		message["add"] = log[same:]
	}
	v.log = log
	for name, part := range parts {
		if now := encode(part); string(now) != string(v.parts[name]) {
			v.parts[name], message[name] = now, now
		}
	}
	if len(message) > 0 {
		v.send(message)
	}
}

// part shows one part anew.
func (v *view) part(name string, what any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.parts[name] = encode(what)
	v.send(map[string]any{name: what})
}

// tell sends something that holds for the moment only.
func (v *view) tell(name string, what any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.send(map[string]any{name: what})
}

func (v *view) send(message any) {
	if len(v.messages) == keptMessages {
		v.messages = append([]json.RawMessage(nil), v.messages[keptMessages/2:]...)
	}
	v.messages, v.count = append(v.messages, encode(message)), v.count+1
	close(v.news)
	v.news = make(chan struct{})
}

// since gives the messages behind the one of that id, or all that there is in one message, and the
// number of the first; news is closed when there are more.
func (v *view) since(id string) (list []json.RawMessage, first int, news chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	if _, err := fmt.Sscanf(id, v.epoch+".%d", &n); err == nil && n <= v.count && v.count-n <= len(v.messages) {
		return v.messages[len(v.messages)-(v.count-n):], n + 1, v.news
	}
	all := map[string]any{"cut": 0, "add": v.log}
	if v.log == nil {
		all["add"] = []int{}
	}
	for name, part := range v.parts {
		all[name] = part
	}
	return []json.RawMessage{encode(all)}, v.count, v.news
}

// join counts a stream; of too many the oldest ends.
func (v *view) join(s *stream) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.streams = append(v.streams, s); len(v.streams) > seatStreams {
		v.streams[0].cut()
		v.streams = v.streams[1:]
	}
}

func (v *view) leave(s *stream) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, x := range v.streams {
		if x == s {
			v.streams = append(v.streams[:i:i], v.streams[i+1:]...)
		}
	}
	v.left = time.Now()
}

// end ends all streams: whoever reads has to show their token again.
func (v *view) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.streams {
		s.cut()
	}
}

// here says whether somebody reads, or did a moment ago.
func (v *view) here() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.streams) > 0 || time.Since(v.left) < awayAfter
}
