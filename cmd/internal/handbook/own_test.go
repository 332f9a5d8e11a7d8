package handbook

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/cmd/internal/cases"
)

// Systems and variants of somebody's own have pages like those that come with setpiece.
func TestOwnSystems(t *testing.T) {
	folder := fstest.MapFS{
		"night.rules": {Data: []byte(`system night "Night: one die"
standin soul You
sheet soul "somebody who is awake" { hours whole 0.. = 3 "before dawn" }
decision nap "A short nap?" by "whoever watches"
hook bell(n) "the bell rings n times"
@watch.long "A watch costs an hour."
verb watch "until the next bell" {
  do {
    who.hours -= 1
    offer nap to who { signal bell(1) to who }
  }
}
`)},
		"long.rules": {Data: []byte(`variant long of night "Night, and a long one"
@watch.cold "A cold watch costs two."
verb watch "until it is too cold" { do { who.hours -= 2 } }
`)},
	}
	b, err := Build(context.Background(), Source{Modules: fstest.MapFS{}, Cases: cases.New(fstest.MapFS{}), Own: []Own{{Name: "night", Folder: folder}, {Name: "long", Base: "night", Folder: folder}}})
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	if err := b.WriteHTML(context.Background(), func(file string, data []byte) error {
		written[file] = string(data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"night.html": "A short nap?", "long.html": "Night, and a long one", "rule/night.watch.long.html": "A watch costs an hour.",
		"rule/long.watch.cold.html": "A cold watch costs two.", "name/bell.html": "the bell rings n times", "name/soul.html": "somebody who is awake",
	} {
		if !strings.Contains(written[file], want) {
			t.Errorf("%s does not say %q", file, want)
		}
	}
	if page := written["night.html"]; !strings.Contains(page, "before dawn") || strings.Contains(page, "Sheets that the rules make") {
		t.Error("the sheet of night is not among those that scripts write")
	}
}
