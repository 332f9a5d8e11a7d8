package transcript

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each kind of event that package interp names has its words here: a kind that is forgotten is taken for a
// group that the rules show, and what it says is lost.
func TestEachKindIsTold(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	kinds := regexp.MustCompile(`(?m)^\t(Event\w+) +EventKind = `).FindAllStringSubmatch(read("../event.go"), -1)
	if len(kinds) == 0 {
		t.Fatal("there are no kinds")
	}
	for _, file := range []string{"group.go", "json.go"} {
		text := read(file)
		for _, k := range kinds {
			if !strings.Contains(text, "interp."+k[1]) {
				t.Errorf("%s does not tell of %s (isGroup in group.go, object in json.go, then schema.json)", file, k[1])
			}
		}
	}
}
