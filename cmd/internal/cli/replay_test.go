package cli

import (
	"bufio"
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
)

// FuzzReplay: whatever stands in a log, its replay ends within its limits, without a panic,
// and a second one says the same.
func FuzzReplay(f *testing.F) {
	f.Add("print throw 3d6", []byte{3, 4, 5}, int8(0), byte(0), "")
	f.Add("report (throw d6).face + (throw d8).face", []byte{3, 9}, int8(1), byte(4), "")
	f.Add("sheet person { luck number }\nperson A { luck 2 }\noffer more to A \"more?\" { print throw d6 }", []byte{2}, int8(3), byte(7), "A: more")
	f.Add("repeat 3 { let x = throw d6 }", []byte{}, int8(-1), byte(255), "roll")
	f.Add("while yes { let x = throw d6 }", []byte{1, 1, 1, 1}, int8(2), byte(6), "")
	f.Fuzz(func(t *testing.T, text string, fell []byte, given int8, flags byte, command string) {
		if len(text)+len(fell)+len(command) > 1000 {
			return
		}
		var faces []int
		for _, b := range fell {
			faces = append(faces, int(b))
		}
		is := func(bit int) bool { return flags>>bit&1 == 1 }
		log := &journal.Log{
			Program: Version, Seed: uint64(flags), LeftOK: is(0), Asked: is(1), Threw: is(2), Cut: is(3), Turns: is(4),
			View:   journal.View{JSON: is(5), Trace: is(6), Brief: is(7)},
			Source: journal.Text{Name: "a.scene", Text: text},
			Record: recordOf(faces, int(given), command), Left: faces[len(faces)/2:],
		}
		var b bytes.Buffer
		if err := log.Write(&b); err != nil {
			t.Fatal(err)
		}
		read, err := journal.ReadLog(&b)
		if err != nil {
			return
		}
		replay := func() string {
			var out strings.Builder
			to := style.NewWriter(&out)
			a := &app{out: bufio.NewWriter(to), outTo: to, errTo: to, limits: limits{Limits: interp.Limits{Steps: 3_000, Depth: 40, Size: 300, Dice: 300, Output: 1 << 13, Time: 2 * time.Second, Memory: 1 << 20}}}
			a.replay(context.Background(), read, read.View)
			a.out.Flush()
			to.Flush()
			return out.String()
		}
		if first, second := replay(), replay(); first != second {
			t.Errorf("%s\nand then\n%s", first, second)
		}
	})
}

// recordOf is a record of anything: the faces fall, by different ones from one place on, half of
// them are answers, too.
func recordOf(faces []int, from int, command string) (r interp.Record) {
	by := []interp.By{interp.BySeed, interp.ByGiven, interp.ByTable, interp.ByPerson, interp.ByDefault, interp.ByNobody, interp.ByLog, interp.ByUnknown}
	for i, f := range faces {
		if r = append(r, interp.Answer{Faces: []int{f}, By: by[(i+from)&7]}); i < len(faces)/2 {
			r = append(r, interp.Answer{Option: &f, By: by[(i*3+from)&7]})
		}
	}
	if tactics := ""; command != "" {
		r = append(r, interp.Answer{Command: &command}, interp.Answer{Command: &tactics, By: interp.ByTactics}, interp.Answer{Command: &command, By: interp.ByPerson})
	}
	return r
}
