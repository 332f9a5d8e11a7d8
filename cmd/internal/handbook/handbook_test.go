package handbook

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/handbook/handbooktest"
	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

var figure = regexp.MustCompile(`^-?[0-9.]+$`) // which says itself what it does

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
	written, folder := map[string]string{}, fstest.MapFS{}
	if err := b.WriteHTML(context.Background(), func(file string, data []byte) error {
		if _, twice := written[strings.ToLower(file)]; twice {
			t.Errorf("%s is written twice", file)
		}
		written[strings.ToLower(file)] = string(data)
		folder[file] = &fstest.MapFile{Data: bytes.Clone(data)}
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
	for _, sys := range b.Systems {
		for _, d := range sys.Decisions {
			if w := d.Words; w.Who == "the one it is about" || w.Options == "" || w.Default == "as the rules say" {
				t.Errorf("%s: say in plain words who is asked for %s, from what, and what holds by default: %+v", sys.Name, d.Name, w)
			}
		}
	}
	for word, n := range b.Names {
		for _, topic := range n.Topics {
			if topic.Kind == "option" {
				for _, v := range topic.Parts {
					if !figure.MatchString(v.Text) && (v.Doc == "" || strings.HasPrefix(v.Doc, "unless ")) {
						t.Errorf("%s: nothing says what %s = %s does", topic.Module, word, v.Text)
					}
				}
			}
			if topic.Sample.Text == "" && topic.Example == "" && topic.Kind != "term" {
				t.Errorf("%s: the %s %s of %s has no example: %s", topic.Module, topic.Kind, word, topic.Of, topic.Form)
			}
		}
	}
	handbooktest.Links(t, folder)
}
