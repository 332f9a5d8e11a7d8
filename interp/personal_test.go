package interp_test

import (
	"context"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// penny answers every question with its last option, and says who was asked what.
type penny struct{ asked []string }

func (p *penny) Choose(_ context.Context, q interp.Question) (int, error) {
	p.asked = append(p.asked, q.Who+" "+q.Name)
	return len(q.Options) - 1, nil
}

// TestPersonBeforeTactics: what somebody's tactics would answer is asked of whoever plays them;
// and a record of the answers needs no word of that to give the same again.
func TestPersonBeforeTactics(t *testing.T) {
	const scene = `use cah
hero Nova { star 3; QUICK 3 }
hero Bram { star 3; QUICK 3 }
tactics Nova, Bram { on extra_effort: no; on reroll: no }
dice 5 9 5
Nova: roll QUICK vs DN 14
Bram: roll QUICK vs DN 14
report Nova.oomph, Bram.oomph`
	run := func(cfg interp.Config, given interp.Record) (interp.Record, map[string]string) {
		got := map[string]string{}
		cfg.Modules = stdlib.FS
		cfg.Events = func(e *interp.Event) {
			if e.Kind == interp.EventReport {
				got[e.Text] = e.Value
			}
		}
		s := interp.NewSession(cfg)
		s.Give(given)
		if err := s.Exec(context.Background(), lang.NewSource("x", scene)); err != nil {
			t.Fatal(err)
		}
		return s.Record(), got
	}
	p := &penny{}
	record, got := run(interp.Config{Choice: p, Ask: []string{"Nova"}}, nil)
	if len(p.asked) == 0 {
		t.Fatal("nobody was asked")
	}
	for _, q := range p.asked {
		if q[:4] != "Nova" {
			t.Errorf("asked %s, whom tactics play", q)
		}
	}
	if got["Nova.oomph"] == "3" || got["Bram.oomph"] != "3" {
		t.Errorf("Nova has %s of 3 and spent some, Bram %s and spent nothing", got["Nova.oomph"], got["Bram.oomph"])
	}
	if _, again := run(interp.Config{}, record); again["Nova.oomph"] != got["Nova.oomph"] || again["Bram.oomph"] != "3" {
		t.Errorf("the record gives %v, not %v", again, got)
	}
}
