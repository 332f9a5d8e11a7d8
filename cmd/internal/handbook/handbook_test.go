package handbook

import (
	"context"
	"html"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"setpiece/cmd/internal/cases"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

var (
	href = regexp.MustCompile(` href="([^"]*)"`)
	id   = regexp.MustCompile(` id="([^"]*)"`)
)

// The handbook has a page for each word that help knows and for each rule, with an
// example of each meaning; every link leads somewhere.
func TestHandbook(t *testing.T) {
	b, err := Build(context.Background(), Source{
		Modules: stdlib.FS, Cases: cases.Shipped,
		Guides: []Guide{{"guide", "GUIDE.md", "The guide", "", stdlib.Guide}, {"language", "LANGUAGE.md", "The language", "", lang.Guide}, {"authors", "AUTHORS.md", "Rules", "", stdlib.Authors}},
		Topics: []interp.Topic{{Name: "run", Kind: "command of the program", Form: "setpiece run", Doc: "Runs.", Example: "setpiece run x"}},
		Play:   os.Getenv("SETPIECE_LONG") != "",
	})
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	if err := b.WriteHTML(context.Background(), func(file string, data []byte) error {
		if _, twice := written[strings.ToLower(file)]; twice {
			t.Errorf("%s is written twice", file)
		}
		written[strings.ToLower(file)] = string(data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, system := range []string{"cah", "grim", "mooks", "saturday", "clichenimatic", "summary", "firefly", "marvel", "unisystem", "nightmare"} {
		if written[system+".html"] == "" {
			t.Errorf("%s has no page", system)
		}
		s := interp.NewSession(interp.Config{Modules: stdlib.FS})
		if err := s.Exec(context.Background(), lang.NewSource("", "use "+system)); err != nil {
			t.Fatal(err)
		}
		rules, err := s.Rules(system)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			if written["rule/"+r.ID+".html"] == "" {
				t.Errorf("the rule %s has no page", r.ID)
			}
		}
		for _, word := range s.HelpWords() {
			// What rules declare for themselves, such as the table, begins with a capital.
			if b.Rules[word] == nil && b.Names[word] == nil && word[0] >= 'a' && word != "cortex" && !strings.Contains(word, ".opt.") {
				t.Errorf("%s: %s has no page", system, word)
			}
		}
	}
	for word, n := range b.Names {
		for _, topic := range n.Topics {
			if topic.Sample.Text == "" && topic.Example == "" && topic.Kind != "term" {
				t.Errorf("%s: the %s %s of %s has no example: %s", topic.Module, topic.Kind, word, topic.Of, topic.Form)
			}
		}
	}
	for file, text := range written {
		if !strings.HasSuffix(file, ".html") {
			continue
		}
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			to, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil || to.Scheme != "" {
				if err != nil {
					t.Errorf("%s links to %s: %v", file, m[1], err)
				}
				continue
			}
			target := file
			if to.Path != "" {
				target = path.Join(path.Dir(file), to.Path)
			}
			there, ok := written[strings.ToLower(target)]
			if !ok {
				t.Errorf("%s links to %s, which is not there", file, m[1])
				continue
			}
			if to.Fragment != "" && !hasID(there, to.Fragment) {
				t.Errorf("%s links to %s, which has no such part", file, m[1])
			}
		}
	}
}

func hasID(text, want string) bool {
	for _, m := range id.FindAllStringSubmatch(text, -1) {
		if html.UnescapeString(m[1]) == want {
			return true
		}
	}
	return false
}
