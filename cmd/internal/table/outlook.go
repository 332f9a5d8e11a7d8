package table

import (
	"encoding/json"
	"time"

	"setpiece/cmd/internal/serve"
	"setpiece/interp/evening"
)

// How the scene goes is worked out for the game master while nobody does anything. It ends as soon as
// somebody does, and begins anew where the evening stands then.
const (
	stillFor      = 600 * time.Millisecond
	outlookTrials = 2000
	outlookID     = "outlook"
)

// going is how the scene goes, as the game master's page shows it: a record of advice with one option.
type going struct {
	Record json.RawMessage `json:"record"`
	Now    bool            `json:"now"` // it is that of the question that is open
	More   bool            `json:"more,omitempty"`
}

// lookOut has the outlook worked out in a while.
func (h *Hub) lookOut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.later != nil {
		h.later.Stop()
	}
	h.later = time.AfterFunc(stillFor, h.outlook)
}

func (h *Hub) outlook() {
	h.mu.Lock()
	q, busy := h.where.Question, len(h.thought) > 0
	if q == nil || q.Aside || q.Kind == evening.Dice || busy || h.ctx.Err() != nil {
		h.mu.Unlock()
		return
	}
	h.thought[outlookID] = true
	h.mu.Unlock()
	var r serve.Records
	err := h.thinking(outlookID, "outlook", serve.Outlook{On: on, Question: q.ID, Trials: outlookTrials, Progress: true}, &r)
	if err == nil && len(r.Records) > 0 {
		h.goes(r.Records[0], false)
	}
}

// goes shows the outlook, as far as it is known.
func (h *Hub) goes(record json.RawMessage, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.going = &going{record, true, more}
	h.gm.part("going", h.going)
}

// quick calls what takes no time, behind nothing that does.
func (h *Hub) quick(method string, params, result any) error {
	h.cancel(outlookID)
	defer h.lookOut()
	return h.conn.Call(h.ctx, method, params, result)
}
