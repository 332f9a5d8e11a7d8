package table

import (
	"net/http"
	"strings"
	"testing"
)

// What a player can do in their turn is told while the game master says whose dice are thrown: their question is the same,
// under whatever number the evening has it.
func TestCanMeanwhile(t *testing.T) {
	s := sit(t, t.TempDir(), cellar, nil)
	gm, pia := s.page(s.hub.seats.Gm), s.page(s.take("Pia", "Ann"))
	form := pia.asked(nil)
	for i := range 12 {
		done := make(chan int)
		go func() {
			status, _ := s.call(gm.token, "dice", map[string]any{"dice": []string{"ask", "roll"}[i%2]})
			done <- status
		}()
		for _, method := range []string{"can", "complete"} {
			status, r := s.call(pia.token, method, map[string]any{})
			if status != http.StatusTooManyRequests && !strings.Contains(string(encode(r["result"])), "attack") {
				t.Error(method, status, r)
			}
		}
		if status := <-done; status != http.StatusOK {
			t.Fatal(status)
		}
	}
	if now := pia.asked(nil); now["id"] != form["id"] {
		t.Errorf("asked %v, and then %v", form, now)
	}
}
