package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

var update = flag.Bool("update", false, "write schema.json anew")

// calls are the parameters and the result of each method, notices those of what the server tells.
var (
	calls = map[string][2]any{
		"open": {Open{}, Opened{}}, "load": {Load{}, Opened{}}, "cancel": {Cancel{}, Nothing{}}, "close": {On{}, Nothing{}},
		"exec": {Exec{}, Where{}}, "answer": {Answer{}, Where{}}, "dice": {Dice{}, Where{}}, "ask": {Who{}, Where{}}, "auto": {Who{}, Where{}}, "ahead": {Ahead{}, Where{}}, "asked": {Who{}, Decisions{}},
		"undo": {Times{}, Where{}}, "redo": {Times{}, Where{}}, "what_if": {WhatIf{}, Where{}}, "keep": {On{}, Where{}}, "drop": {On{}, Where{}},
		"advise": {Advise{}, Records{}}, "odds": {Odds{}, Records{}}, "state": {Who{}, State{}}, "complete": {Complete{}, Completions{}}, "save": {On{}, Saved{}}, "rule": {Rule{}, Explained{}}, "retell": {On{}, Where{}}, "outlook": {Outlook{}, Records{}}, "can": {At{}, Can{}}, "meanwhile": {Exec{}, Where{}}, "say": {Exec{}, Where{}}, "pauses": {Pauses{}, Where{}},
	}
	notices = map[string]any{"event": Event{}, "transcript": Told{}, "question": Asked{}, "progress": Progress{}, "notice": Notice{}, "reply": Reply{}}
)

type object = map[string]any

// drawing writes types as a schema.
type drawing struct{ defs object }

func (d *drawing) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return object{}
	case reflect.TypeFor[evening.Kind]():
		return object{"enum": []string{"dice", "decision", "command", "pause"}}
	case reflect.TypeFor[interp.Quiet]():
		return object{"enum": []string{"", "usual", "must"}}
	case reflect.TypeFor[interp.Manner]():
		return object{"enum": []string{"asks", "offers", "usual"}}
	case reflect.TypeFor[interp.Side]():
		return object{"enum": []string{"players", "master", "opponents"}}
	case reflect.TypeFor[[]*int]():
		return object{"type": "array", "items": object{"type": []string{"integer", "null"}}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.of(t.Elem())
	case reflect.Struct:
		d.define(t)
		return object{"$ref": "#/$defs/" + t.Name()}
	case reflect.Slice:
		return object{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return object{"type": "integer"}
}

func (d *drawing) define(t reflect.Type) {
	if d.defs[t.Name()] != nil {
		return
	}
	members, required := object{}, []string{}
	x := object{"type": "object", "properties": members, "additionalProperties": false}
	d.defs[t.Name()] = x
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		members[name] = d.of(f.Type)
		switch {
		case strings.Contains(options, "string"):
			members[name] = object{"type": "string", "pattern": "^[0-9]+$"}
		case name == "record":
			members[name] = object{"$ref": "records.json"}
		case name == "records" && f.Type.Kind() == reflect.Slice:
			members[name] = object{"type": "array", "items": object{"$ref": "records.json"}}
		case name == "id" && f.Type.Kind() == reflect.Slice:
			members[name] = object{"$ref": "#/$defs/id"}
		}
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		x["required"] = required
	}
}

// message is what stands around a call, its answer, an error and a notification.
func message(members object, required ...string) object {
	members["jsonrpc"] = object{"const": "2.0"}
	return object{"type": "object", "properties": members, "required": append([]string{"jsonrpc"}, required...), "additionalProperties": false}
}

func drawn() []byte {
	id := object{"$ref": "#/$defs/id"}
	d := &drawing{object{"id": object{"type": []string{"integer", "string"}, "minimum": 0}}}
	any, results := []object{}, []object{}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		any = append(any, message(object{"id": id, "method": object{"const": name}, "params": d.of(reflect.TypeOf(calls[name][0]))}, "method", "params"))
		if r := d.of(reflect.TypeOf(calls[name][1])); !slices.ContainsFunc(results, func(x object) bool { return reflect.DeepEqual(x, r) }) {
			results = append(results, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(notices)) {
		any = append(any, message(object{"method": object{"const": name}, "params": d.of(reflect.TypeOf(notices[name]))}, "method", "params"))
	}
	any = append(any, message(object{"id": id, "result": object{"anyOf": results}}, "id", "result"))
	failed := object{"type": "object", "required": []string{"code", "message"}, "additionalProperties": false, "properties": object{
		"code": object{"type": "integer"}, "message": object{"type": "string"}, "data": d.of(reflect.TypeFor[Trouble]()),
	}}
	any = append(any, message(object{"id": object{"type": []string{"integer", "string", "null"}}, "error": failed}, "id", "error"))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	enc.Encode(object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "setpiece serve, version 1",
		"description": "One message, a line. PROTOCOL.md says what they mean; setpiece schema prints records.json.",
		"anyOf":       any, "$defs": d.defs,
	})
	return b.Bytes()
}

// schema.json is what the types say. With -update it is written anew.
func TestSchema(t *testing.T) {
	want := drawn()
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(got), string(want)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(methods)), slices.Sorted(maps.Keys(calls))); d != "" {
		t.Errorf("methods without types, or types without a method: %s", d)
	}
	for _, bad := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"open","params":{"text":""}}`,
		`{"jsonrpc":"2.0","id":1,"method":"nosuch","params":{}}`,
		`{"jsonrpc":"2.0","id":-1,"result":{}}`,
		`{"jsonrpc":"2.0","method":"event","params":{"evening":"e1","record":{"event":"nosuch"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"evening":"e1"}}`,
	} {
		if valid(bad) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	for name, text := range map[string][]byte{"messages.json": drawn(), "records.json": transcript.Schema} {
		x, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err == nil {
			err = c.AddResource("setpiece:///"+name, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.Compile("setpiece:///messages.json")
})

// valid holds a message against the schema.
func valid(line string) error {
	s, err := compiled()
	if err != nil {
		return err
	}
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(x)
}
