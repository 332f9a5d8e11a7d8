package assist

import (
	"strings"
	"testing"
)

// Every mistake of the table is one, and its message leads back to it.
func TestMistakesAreExplained(t *testing.T) {
	for _, m := range mistakes {
		message := m.message()
		if message == "" {
			t.Errorf("%s is no mistake", m.script)
			continue
		}
		topic, ok := explanation("bog.scene:3:14: " + message)
		if !ok || topic.Doc != m.means+" "+m.do {
			t.Errorf("%s: %q is explained by %q", m.script, message, topic.Doc)
		}
	}
}

func TestMessageOfAnotherScript(t *testing.T) {
	for text, want := range map[string]string{
		"there is no verb atack":                       "The rules in use have no verb",
		`bog.scene:6:36: there is no verb wave`:        "The rules in use have no verb",
		"nothing here is called clown_rating":          "No variable, field or rule",
		"there is no verb atack and something besides": "The rules in use have no verb",
		"the moon is made of cheese":                   "",
	} {
		topic, _ := explanation(text)
		if !strings.HasPrefix(topic.Doc, want) || want == "" && topic.Doc != "" {
			t.Errorf("%q is explained by %q", text, topic.Doc)
		}
	}
}
