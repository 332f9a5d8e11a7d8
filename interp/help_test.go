package interp_test

import (
	"context"
	"slices"
	"testing"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

var systems = []string{"cah", "grim", "mooks", "saturday", "clichenimatic", "summary", "firefly", "rim", "marvel", "blockbuster", "unisystem", "nightmare"}

// Every word that help knows of is explained: with a form or a description, and
// verbs, clauses, fields, options and all that a game master types with a
// description. That holds for each system that ships.
func TestEveryWordHasHelp(t *testing.T) {
	for _, name := range systems {
		s := using(t, name)
		words := assist.HelpWords(s)
		if len(words) < 300 {
			t.Errorf("%s: only %d words", name, len(words))
		}
		for _, word := range words {
			topics := assist.Help(s, word)
			if len(topics) == 0 {
				t.Errorf("%s: no help on %s", name, word)
			}
			for _, topic := range topics {
				if topic.Kind == "word for somebody" {
					continue // picks of tactics
				}
				if topic.Doc == "" {
					t.Errorf("%s: the %s %s has no description (%s)", name, topic.Kind, word, declaredAt(topic.At))
				}
				for _, p := range topic.Parts {
					if p.Doc == "" && p.Group != "values" {
						t.Errorf("%s: the %s %s: %s has no description", name, topic.Kind, word, p.Text)
					}
				}
			}
		}
	}
}

func declaredAt(at lang.Span) string {
	if at.Src == nil {
		return ""
	}
	return at.Src.Name + " " + at.Src.Text[at.Start:min(at.End, at.Start+40)]
}

func using(t *testing.T, module string) *interp.Session {
	t.Helper()
	s := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := s.Exec(context.Background(), lang.NewSource("", "use "+module)); err != nil {
		t.Fatal(err)
	}
	return s
}

// A word that a verb takes is explained by that verb.
func TestWordsOfVerbs(t *testing.T) {
	topics := assist.Help(using(t, "unisystem"), "defend")
	if len(topics) != 1 || topics[0].Kind != "word" || topics[0].Form != "attempt defend" {
		t.Errorf("help defend: %+v", topics)
	}
}

// A word that a field may hold is explained by the rule of the book that it is the name of, where there is
// one, and by the field behind that.
func TestRuleBeforeWordOfField(t *testing.T) {
	s := using(t, "cah")
	var kinds []string
	for _, topic := range assist.Help(s, "flub") {
		kinds = append(kinds, topic.Kind)
	}
	if want := []string{"rule of the book", "word"}; !slices.Equal(kinds, want) {
		t.Errorf("help flub tells of %v, not of %v", kinds, want)
	}
	if topics := assist.Help(s, "setback"); len(topics) == 0 || topics[0].Kind == "rule of the book" {
		t.Errorf("help setback does not begin with the clause: %+v", topics)
	}
}
