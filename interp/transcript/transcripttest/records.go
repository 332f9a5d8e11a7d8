// Package transcripttest holds records of package transcript against their JSON Schema,
// for tests.
package transcripttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"setpiece/interp/transcript"
)

// Records holds lines against the schema, and counts the records of each kind. With whole
// the first line must be the first record.
func Records(t testing.TB, lines string, whole bool) map[string]int {
	t.Helper()
	kinds, err := Check(lines, whole)
	if err != nil {
		t.Error(err)
	}
	return kinds
}

// Check does what Records does where there is no testing.TB. It gives the first mistake.
func Check(lines string, whole bool) (kinds map[string]int, err error) {
	kinds = map[string]int{}
	for line := range strings.Lines(lines) {
		kind, bad := record(line)
		if bad == nil && whole && (len(kinds) == 0) != (kind == "begin") {
			bad = fmt.Errorf("%s, and the first record is begin", kind)
		}
		kinds[kind]++
		if bad != nil && err == nil {
			err = fmt.Errorf("%w\n%s", bad, line)
		}
	}
	return kinds, err
}

// Kinds lists the kinds of records that the schema has.
func Kinds(t testing.TB) (kinds []string) {
	t.Helper()
	var schema struct {
		OneOf []struct {
			Ref string `json:"$ref"`
		}
	}
	if err := json.Unmarshal(transcript.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	for _, x := range schema.OneOf {
		kinds = append(kinds, strings.TrimPrefix(x.Ref, "#/$defs/event_"))
	}
	return kinds
}

// record holds a line against the schema of its kind. That is all the whole schema does,
// since kinds exclude each other, and it takes a tenth of the time.
func record(line string) (kind string, err error) {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return "", err
	}
	object, _ := v.(map[string]any)
	kind, _ = object["event"].(string)
	s, err := schema(kind)
	if err == nil {
		err = s.Validate(v)
	}
	return kind, err
}

var (
	compiled = map[string]*jsonschema.Schema{}
	mutex    sync.Mutex
)

func schema(kind string) (*jsonschema.Schema, error) {
	mutex.Lock()
	defer mutex.Unlock()
	if s := compiled[kind]; s != nil {
		return s, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(transcript.Schema))
	if err != nil {
		return nil, err
	}
	const name = "urn:records" // not a file's: that would be looked for in the folder of whoever runs
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	s, err := c.Compile(name + "#/$defs/event_" + kind)
	if err != nil {
		return nil, fmt.Errorf("the schema has no record %q: %w", kind, err)
	}
	compiled[kind] = s
	return s, nil
}
