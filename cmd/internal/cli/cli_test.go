package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // as main does
	os.Exit(m.Run())
}

// call calls the program as main does.
func call(args ...string) (status int, out, errs string) {
	var o, e strings.Builder
	status = Main(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// corpus is every scene that ships or is a test.
func corpus(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"testdata/*/*.scene", "scripts/*/*.scene"} {
		paths, err := filepath.Glob(filepath.Join("../../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, paths...)
	}
	if len(all) == 0 {
		t.Fatal("there is no scene")
	}
	return all
}

// Whatever runs also replays, to the same bytes and the same status, as text and as JSON:
// each encounter that ships, and of the cases one in ten.
func TestReplayCorpus(t *testing.T) {
	step := every
	if os.Getenv("SETPIECE_LONG") == "" {
		step = max(step, 10)
	}
	for i, path := range corpus(t) {
		if i%step != 0 && !strings.Contains(path, "/scripts/") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			for _, view := range []string{"--trace", "--json"} {
				replaysTo(t, path, view)
			}
		})
	}
}

func replaysTo(t *testing.T, path, view string) {
	log := filepath.Join(t.TempDir(), "log")
	status, out, errs := call("run", "--seed", "3", view, "--log", log, path)
	if status == statusWrong {
		t.Skip("it is not for running")
	}
	again, outAgain, errsAgain := call("replay", view, log)
	if again != status {
		t.Errorf("%s: status %d, then %d: %s", view, status, again, errsAgain)
	}
	if diff := cmp.Diff(out, outAgain); diff != "" {
		t.Errorf("%s: -run +replay\n%s", view, diff)
	}
	if diff := cmp.Diff(errs, errsAgain); diff != "" {
		t.Errorf("%s: -run +replay\n%s", view, diff)
	}
}

// A session of the program leaves nothing behind in the next.
func TestCallsAreIndependent(t *testing.T) {
	for range 2 {
		if status, out, _ := call("run", "--quiet", "-e", "print 1"); status != 0 || out != "1\n" {
			t.Errorf("%d, %q", status, out)
		}
		if status, _, errs := call("run", "--nonsense"); status != statusWrong || !strings.Contains(errs, "unknown flag") {
			t.Errorf("%d, %q", status, errs)
		}
	}
}
