package mutants

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

var (
	systems   = flag.String("systems", "", "which systems' mutants to try, with commas between them")
	drawn     = flag.Int("draw", 100, "how many mutants of each system")
	seed      = flag.Uint64("seed", 1, "which mutants")
	interplay = flag.Bool("interplay", false, "change how rules meet, and not what each of them says")
	only      = flag.String("only", "", "no drawing: try every change of the files or rules that match this pattern")
)

// TestMutants tries mutants and prints those that survive; with -v those that were caught, too, and by
// which test.
func TestMutants(t *testing.T) {
	if *systems == "" {
		t.Skip("-systems says of which: ", strings.Join(folders(), ", "))
	}
	b := newBench(t)
	for system := range strings.SplitSeq(*systems, ",") {
		if err := b.system(system); err != nil {
			t.Fatal(err)
		}
	}
}

// newBench builds the tests, and puts the rules where they can be changed.
func newBench(t *testing.T) *bench {
	work := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{root: root, rules: filepath.Join(work, "stdlib"), binary: filepath.Join(work, "interp.test"), find: places, catchers: map[string][]string{}}
	if *interplay {
		b.find = meetings
	}
	if err := os.CopyFS(b.rules, stdlib.FS); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "test", "-c", "-o", b.binary, "./interp")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		t.Fatal(err)
	}
	return b
}

func folders() []string {
	heads, _ := fs.Glob(stdlib.FS, "*/*.rules")
	var all []string
	for _, h := range heads {
		all = append(all, filepath.Dir(h))
	}
	return slices.Compact(all)
}

// bench is where mutants are tried: a folder of rules, and the tests that read it.
type bench struct {
	root, rules, binary string
	find                func(*lang.Source) []place
	catchers            map[string][]string // of a file of rules: the scenes that caught its mutants last
}

// system draws mutants of a system, tries them and prints what came of it.
func (b *bench) system(system string) error {
	known, err := equivalents(b.root, system)
	if err != nil {
		return err
	}
	tests, err := b.tests(system)
	if err != nil {
		return err
	}
	for i := range tests {
		begun := time.Now()
		tests[i].limit = time.Minute
		if failed := b.fails(tests[i]); failed != "" {
			return fmt.Errorf("%s fails without any change", failed)
		}
		tests[i].limit = 10*time.Second + 3*time.Since(begun)
	}
	list, err := mutants(system, b.find)
	if err != nil {
		return err
	}
	caught, late, same, alive := 0, 0, 0, 0
	for m := range list {
		if *only == "" && caught+same+alive == *drawn {
			break
		}
		failed, compiles, err := b.try(system, m, tests)
		switch {
		case err != nil:
			return err
		case !compiles:
		case failed != "":
			caught++
			if failed == unended {
				late++
			}
			if testing.Verbose() || failed == unended {
				fmt.Printf("caught by %s\n%s\n", failed, m)
			}
			if known[m.key()] != "" {
				fmt.Printf("caught, though it is listed as one that changes nothing:\n%s\n", m)
			}
		case known[m.key()] != "":
			same++
		default:
			alive++
			fmt.Println(m)
		}
	}
	fmt.Printf("%s: of %d mutants (seed %d) %d caught (%d of them because a test did not end), %d change nothing, %d survive\n",
		system, caught+same+alive, *seed, caught, late, same, alive)
	return nil
}

// mutants gives changes in random order, or all changes of some rules in order.
func mutants(system string, find func(*lang.Source) []place) (func(func(mutant) bool), error) {
	files, err := fs.Glob(stdlib.FS, system+"/*.rules")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no system %s; there are %s", system, strings.Join(folders(), ", "))
	}
	var all []place
	for _, file := range files {
		text, err := fs.ReadFile(stdlib.FS, file)
		if err != nil {
			return nil, err
		}
		all = append(all, find(lang.NewSource(file, string(text)))...)
	}
	if *only != "" {
		pattern, err := regexp.Compile(*only)
		return func(yield func(mutant) bool) {
			for _, p := range all {
				for _, e := range p.edits {
					if pattern.MatchString(p.src.Name+": "+p.rule) && !yield(p.mutant(e)) {
						return
					}
				}
			}
		}, err
	}
	r := rand.New(rand.NewPCG(*seed, 1978))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return func(yield func(mutant) bool) {
		for _, p := range all {
			if !yield(p.draw(r)) {
				return
			}
		}
	}, nil
}

// try writes a mutant, runs the tests, and puts the file back.
func (b *bench) try(system string, m mutant, tests []suite) (failed string, compiles bool, err error) {
	file := filepath.Join(b.rules, filepath.FromSlash(m.file))
	original, err := fs.ReadFile(stdlib.FS, m.file)
	if err != nil {
		return "", false, err
	}
	if err := os.WriteFile(file, []byte(m.text), 0o644); err != nil {
		return "", false, err
	}
	defer func() {
		if e := os.WriteFile(file, original, 0o644); err == nil {
			err = e
		}
	}()
	if !b.compiles(system, m.text) {
		return "", false, nil
	}
	// What caught one change of a file often catches the next, in a tenth of the time.
	if names := b.catchers[m.file]; names != nil {
		scenes := "^TestCorpus$/^testdata$/^" + system + "$/^(" + strings.Join(names, "|") + ")$"
		tests = slices.Insert(slices.Clone(tests), 0, suite{scenes, tests[0].limit})
	}
	for _, some := range tests {
		if failed := b.fails(some); failed != "" {
			b.remember(m.file, failed)
			return failed, true, nil
		}
	}
	return "", true, nil
}

var variant = regexp.MustCompile(`(?m)^variant (\w+) of`)

// compiles tells whether a system can still be used, with what it has in stock; text is the file that
// was changed, which may be a variant of it.
func (b *bench) compiles(system, text string) bool {
	s := interp.NewSession(interp.Config{Modules: os.DirFS(b.rules)})
	if v := variant.FindStringSubmatch(text); v != nil {
		system = v[1]
	}
	if s.Exec(context.Background(), lang.NewSource("", "use "+system)) != nil {
		return false
	}
	for _, x := range assist.Stock(s) {
		return s.Exec(context.Background(), lang.NewSource("", "stock \""+x.Name+"\"")) == nil
	}
	return true
}

// remember puts a scene in front of those that are tried first for a file.
func (b *bench) remember(file, failed string) {
	const first = 8
	if !strings.HasPrefix(failed, "TestCorpus/testdata/") {
		return
	}
	scene := regexp.QuoteMeta(path.Base(failed))
	names := slices.DeleteFunc(b.catchers[file], func(s string) bool { return s == scene })
	names = slices.Insert(names, 0, scene)
	b.catchers[file] = names[:min(first, len(names))]
}

// suite is tests that run together, and how long they may take.
type suite struct {
	pattern string
	limit   time.Duration
}

// tests gives the tests that touch a system, the quickest first.
func (b *bench) tests(system string) ([]suite, error) {
	// What several systems share is tested where they are.
	users := []string{system}
	for _, f := range folders() {
		head, _ := fs.ReadFile(stdlib.FS, f+"/"+f+".rules")
		if regexp.MustCompile(`(?m)^use ` + system + `\b`).Match(head) {
			users = append(users, f)
		}
	}
	either := "(" + strings.Join(users, "|") + ")"
	var names []string
	for _, u := range users {
		files, err := filepath.Glob(filepath.Join(b.root, "interp", "*"+u+"*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, t := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				names = append(names, "^"+string(t[1])+"$")
			}
		}
	}
	return []suite{
		{pattern: "^TestCorpus$/^testdata$/^" + either + "$"},
		{pattern: "^TestClausesRefused$/^" + either + "$|^TestInBrief$/^" + either + "$|^TestDiceThatCount$/^" + either + "$|^TestTurnsByHand$/^" + either + "$"},
		{pattern: "^TestSpecialRuleBesideAnother$/^" + either + "$"},
		{pattern: strings.Join(names, "|")},
		{pattern: "^TestCorpus$/^scripts$/^" + either + "$|^TestOnScreen$/^" + either + "$"},
	}, nil
}

var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// unended stands for the name of the test that failed where a test ran longer than its limit.
const unended = "a test that did not end"

// fails runs the tests until one fails, and gives its name; "" when all pass. Tests that do not
// end in time get a second try with four times the limit: a busy machine catches no mutant.
func (b *bench) fails(tests suite) string {
	failed := b.failsWithin(tests, tests.limit)
	if failed == unended {
		failed = b.failsWithin(tests, 4*tests.limit)
	}
	return failed
}

func (b *bench) failsWithin(tests suite, limit time.Duration) string {
	cmd := exec.Command(b.binary, "-test.run", tests.pattern, "-test.failfast", "-test.parallel", "1", "-test.timeout", limit.String())
	cmd.Dir = filepath.Join(b.root, "interp")
	cmd.Env = append(os.Environ(), "SETPIECE_STDLIB="+b.rules)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if cmd.Run() == nil {
		return ""
	}
	if strings.Contains(out.String(), "panic: test timed out after") {
		return unended
	}
	found := failure.FindAllStringSubmatch(out.String(), -1)
	if len(found) == 0 {
		return "a test that crashed"
	}
	return found[len(found)-1][1]
}
