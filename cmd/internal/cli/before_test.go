package cli

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/style"
)

// A log of before, whose answers do not say who gave them, is replayed as it was played.
func TestLogOfBefore(t *testing.T) {
	f, err := os.Open("testdata/before.log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := journal.ReadLog(f)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/before.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out, told strings.Builder
	to := style.NewWriter(&out)
	a := &app{out: bufio.NewWriter(to), outTo: to, errTo: style.NewWriter(&told)}
	a.replay(context.Background(), log, log.View)
	a.out.Flush()
	to.Flush()
	if out.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s\n%s", out.String(), want, told.String())
	}
}
