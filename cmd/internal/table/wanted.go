package table

import (
	"net/http"
	"slices"

	"setpiece/cmd/internal/serve"
)

// wanted is a player who asks to take something back. It stands, however many answers come meanwhile, until the game
// master has taken that back or has said no.
type wanted struct {
	Who   string `json:"who"`
	Name  string `json:"name"`
	What  string `json:"what,omitempty"`
	Since int    `json:"since,omitempty"` // answers that came behind it
	steps int    // where the evening stood
	back  int
}

// The words that say to a player what became of it.
const wantsBack, takenBack, saidNo = "asked", "taken back", "no"

// want notes that somebody asks to take back what was answered last.
func (h *Hub) want(s *seat) {
	if slices.ContainsFunc(h.wanted, func(w *wanted) bool { return w.Who == s.Who }) {
		return
	}
	h.wanted = append(h.wanted, &wanted{Who: s.Who, Name: s.Name, What: h.undoes, steps: h.where.Steps, back: h.back})
	s.want.how = wantsBack
	h.show()
}

// settleWanted finds what is not there any more, and forgets how that came out once something else is asked.
func (h *Hub) settleWanted() {
	now := at(h.where.Question)
	for _, s := range h.seats.Seats {
		if s.want.how != wantsBack && s.want.at != now {
			s.want.how = ""
		}
	}
	for _, w := range slices.Clone(h.wanted) {
		w.Since = 0
		switch same := h.where.Steps == w.steps; {
		case h.where.Steps < w.steps, same && h.back < w.back:
			h.ends(w.Who, takenBack)
		case same:
			w.Since = h.back - w.back
		}
	}
}

// ends says to whoever asked what became of it.
func (h *Hub) ends(who, how string) {
	h.wanted = slices.DeleteFunc(h.wanted, func(w *wanted) bool { return w.Who == who })
	for _, s := range h.seats.Seats {
		if s.Who == who {
			s.want.how, s.want.at = how, at(h.where.Question)
		}
	}
}

// decideWanted takes back what somebody asked for, with all that came behind it, or says no.
func (h *Hub) decideWanted(who string, no bool) error {
	h.answering.Lock()
	defer h.answering.Unlock()
	h.mu.Lock()
	at := slices.IndexFunc(h.wanted, func(w *wanted) bool { return w.Who == who })
	if at < 0 {
		h.mu.Unlock()
		return &problem{http.StatusConflict, "nobody asks for that any more"}
	}
	if no {
		h.ends(who, saidNo)
		h.show()
		h.mu.Unlock()
		return nil
	}
	w, times, between := h.wanted[at], 1, h.where.Question == nil
	if between {
		times += h.where.Steps - w.steps - min(w.back, 1)
	} else if times += h.back - w.back; h.where.Steps > w.steps {
		times = h.back
	}
	h.mu.Unlock()
	err := h.move(gameMaster, "undo", serve.Times{On: on, Times: times})
	if err == nil && h.Where().Question == nil {
		err = h.retell()
	}
	return err
}
