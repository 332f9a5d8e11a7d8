package cli

import (
	"bytes"
	"strings"
	"testing"
)

// A call that cannot be read says so in a record, if records are asked for: wherever the flag
// stands, and whatever else is wrong.
func TestWrongCallAsRecord(t *testing.T) {
	for _, c := range []struct {
		call    string
		records bool
	}{
		{"run --json --nope", true},
		{"run --nope --json", true},
		{"run --nope value --json=true x.scene", true},
		{"sim -q --json", true},
		{"rnu --json", true},
		{"run --json=false --nope", false},
		{"run --nope --json=false", false},
		{"run --nope", false},
		{"run --nope -- --json", false}, // a file of that name
	} {
		var out, errs bytes.Buffer
		status := Main(strings.Fields(c.call), strings.NewReader(""), &out, &errs)
		if status != statusWrong {
			t.Errorf("%s: status %d", c.call, status)
		}
		if got := strings.Contains(out.String(), `"event":"error"`); got != c.records {
			t.Errorf("%s: standard output is %q, a record of the mistake: %v", c.call, out.String(), c.records)
		}
		if errs.Len() == 0 {
			t.Errorf("%s: nothing on standard error", c.call)
		}
	}
}
