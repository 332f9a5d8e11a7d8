package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/style"
	"setpiece/interp/sim"
)

func aPart(t testing.TB) *sim.Sim {
	t.Helper()
	return &sim.Sim{
		Seed: 3, Trials: 9, Planned: 9, Shards: 1, Text: "0123456789abcdef", Columns: []string{"outcome", "margin"},
		Ends: []sim.End{
			{Shown: []string{"success", "2"}, Count: 6, First: 0},
			{Shown: []string{"failure", "-1"}, Count: 2, First: 3},
			{Shown: []string{"", ""}, Stops: "more than 100 deep", Count: 1, First: 5},
		},
	}
}

// No byte of a part can change without that being noticed.
func TestDamagedPart(t *testing.T) {
	whole, err := journal.Seal(partFile{partVersion, partMark, Version, aPart(t)})
	if err != nil {
		t.Fatal(err)
	}
	if o, err := parsePart(whole); err != nil || !reflect.DeepEqual(o, aPart(t)) {
		t.Fatalf("%v, %+v", err, o)
	}
	for at := range whole {
		for _, bit := range []byte{1, 2, 0x80} {
			data := []byte(string(whole))
			data[at] ^= bit
			if _, err := parsePart(data); err == nil {
				t.Errorf("byte %d may be %q", at, data[at])
			}
		}
		if _, err := parsePart(whole[:at]); err == nil {
			t.Errorf("it may be cut off behind %d bytes", at)
		}
	}
	if _, err := parsePart(append(whole, whole...)); err == nil {
		t.Error("it may be there twice")
	}
}

// FuzzMerge: whatever a part says, it is refused or shown, and the chances that
// are shown come to no more than 1.
func FuzzMerge(f *testing.F) {
	b, err := json.Marshal(aPart(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(strings.Replace(string(b), `"count":6`, `"count":-5`, 1)))
	f.Add([]byte(strings.Replace(string(b), `["outcome","margin"]`, `[]`, 1)))
	f.Add([]byte(strings.Replace(string(b), `"trials":9`, `"trials":0`, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var o sim.Sim
		if json.Unmarshal(data, &o) != nil || o.Shards > 4 {
			return
		}
		parts := []*sim.Sim{&o}
		for len(parts) < int(o.Shards) {
			p := o
			p.Shard += int64(len(parts))
			parts = append(parts, &p)
		}
		whole, err := sim.Merge(parts)
		if err != nil {
			return
		}
		for i := range whole.Columns {
			sum := 0.0
			for _, p := range whole.Distribution(i).Points {
				sum += p.P
			}
			if !(sum < 1+1e-9) {
				t.Fatalf("%v of a chance in column %d", sum, i)
			}
		}
		for _, c := range []*chart{{}, {json: true}, {csv: true}} {
			a := &app{out: bufio.NewWriter(io.Discard), outTo: style.NewWriter(io.Discard), errTo: io.Discard}
			if err := a.tellSim(whole, c, ""); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Each flag that takes a number has a range, and says so to one outside of it.
func TestFlagsHaveRanges(t *testing.T) {
	a := &app{errTo: io.Discard, outTo: style.NewWriter(io.Discard), out: bufio.NewWriter(io.Discard)}
	ranges := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "int64", "int32", "uint", "uint32", "float64", "float32", "duration", "intSlice":
				t.Errorf("%s --%s takes any %s", cmd.Name(), f.Name, f.Value.Type())
			case "int":
				if _, ok := f.Value.(*ranged); !ok {
					t.Errorf("%s --%s takes any whole number", cmd.Name(), f.Name)
				}
				ranges++
				for _, bad := range []string{"-9223372036854775808", "9223372036854775807", "99999999999999999999", "1.5", "x", ""} {
					if err := f.Value.Set(bad); err == nil || !strings.Contains(err.Error(), "not a whole number from") {
						t.Errorf("%s --%s %q: %v", cmd.Name(), f.Name, bad, err)
					}
				}
			}
		})
		for _, c := range cmd.Commands() {
			look(c)
		}
	}
	look(a.root())
	if ranges < 4 {
		t.Errorf("only %d flags were looked at", ranges)
	}
}
