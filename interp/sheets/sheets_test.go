package sheets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"setpiece/interp"
	"setpiece/interp/internal/longtest"
	"setpiece/interp/sheets"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/stdlib"
)

// within is a folder with some more files.
type within struct {
	fs.FS
	more fstest.MapFS
}

func (w within) Open(name string) (fs.File, error) {
	if f, err := w.more.Open(name); err == nil && name != "." {
		return f, nil
	}
	return w.FS.Open(name)
}

// TestRoundTrip takes the sheets of each scene there is out of its script into a file. With the
// file the scene plays as it did, line by line, or does with all but those that are late; as JSON it
// gives the same file again, and both are what the schema says.
func TestRoundTrip(t *testing.T) {
	var files []string
	for _, pattern := range []string{"scripts/*/*.scene", "scripts/*/*/*.scene", "testdata/*/*.scene"} {
		found, _ := filepath.Glob("../../" + pattern)
		files = append(files, found...)
	}
	count := 0
	for _, file := range longtest.Some(files, 8) {
		name := strings.TrimPrefix(file, "../../")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			folder, src := os.DirFS(filepath.Dir(file)), lang.NewSource(filepath.Base(file), string(text))
			s := session(folder, nil)
			all, err := sheets.Of(t.Context(), s, src)
			if err != nil || len(all.Names()) == 0 {
				return // a scene of the tests that has mistakes
			}
			count += len(all.Names())
			party, data := as(t, all.YAML), as(t, all.JSON)
			with := func(file, data, json string) (fs.FS, *lang.Source) {
				rest := strings.Replace(without(t, src, json), "<party>", `cast from "`+file+`"`, 1)
				return within{folder, fstest.MapFS{file: {Data: []byte(data)}}}, lang.NewSource(src.Name, rest)
			}
			diff := cmp.Diff(played(folder, src), played(with("party.yaml", party, data)))
			if _, late := all.Late(); diff != "" && len(late) > 0 {
				early, _ := sheets.Of(t.Context(), s, src)
				early.Only(slices.DeleteFunc(early.Names(), func(name string) bool { return slices.Contains(late, name) })...)
				diff = cmp.Diff(played(folder, src), played(with("party.yaml", as(t, early.YAML), as(t, early.JSON))))
			}
			if diff != "" {
				t.Errorf("it plays another way (-script +file)\n%s\n%s", diff, party)
			}
			again, script := with("party.json", data, data)
			back, err := sheets.Of(t.Context(), session(again, nil), script)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if diff := cmp.Diff(party, as(t, back.YAML)); diff != "" {
				t.Errorf("the sheets are others (-script +file)\n%s", diff)
			}
			fits(t, again, script, data)
		})
	}
	if least := longtest.Many(1000, 100); count < least {
		t.Errorf("only %d sheets were tried, not %d", count, least)
	}
}

func as(t *testing.T, write func() ([]byte, error)) string {
	t.Helper()
	data, err := write()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// schemas are those that are compiled, by their text.
var schemas = map[string]*jsonschema.Schema{}

// fits looks whether sheets are as the schema of their systems says.
func fits(t *testing.T, folder fs.FS, src *lang.Source, data string) {
	t.Helper()
	made, err := sheets.Schema(t.Context(), session(folder, nil), src)
	if err != nil {
		t.Fatal(err)
	}
	text := string(made)
	if schemas[text] == nil {
		schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("sheets.json", schema); err != nil {
			t.Fatal(err)
		}
		if schemas[text], err = c.Compile("sheets.json"); err != nil {
			t.Fatal(err)
		}
	}
	compiled := schemas[text]
	file, _ := jsonschema.UnmarshalJSON(strings.NewReader(data))
	if err := compiled.Validate(file); err != nil {
		t.Errorf("the sheets are not as the schema says: %v\n%s", err, data)
	}
}

func session(folder fs.FS, events func(*interp.Event)) *interp.Session {
	return interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: folder, Seed: 7, Events: events})
}

// played gives what happens, and the error that ends it without its place.
func played(folder fs.FS, src *lang.Source) string {
	var out bytes.Buffer
	text := transcript.NewText(&out, transcript.Options{})
	err := session(folder, text.Event).Exec(context.Background(), src)
	text.Flush()
	if err != nil {
		_, said, _ := strings.Cut(err.Error(), ": ")
		out.WriteString("ends: " + said)
	}
	return out.String()
}

// without gives a script whose sheets are left out, with <party> where the first one stood, at the top.
func without(t *testing.T, src *lang.Source, data string) string {
	var file struct {
		Sheets []struct{ Sheet, Name, Stock string }
	}
	if err := json.Unmarshal([]byte(data), &file); err != nil {
		t.Fatal(err)
	}
	is := map[string]bool{}
	for _, s := range file.Sheets {
		if s.Stock != "" {
			s.Sheet = "stock"
		}
		is[s.Sheet+" "+s.Name] = true
	}
	said := func(n lang.Node) string { at := n.Range(); return src.Text[at.Start:at.End] }
	text, shift, party := src.Text, 0, false
	tree, _ := lang.Parse(src)
	for _, stmt := range tree.Stmts {
		lang.Walk(stmt, func(n lang.Node) bool {
			c, ok := n.(*lang.Command)
			if !ok || c.Who != nil || len(c.Args) == 0 || !is[said(c.Head)+" "+strings.ReplaceAll(strings.Trim(said(c.Args[0].Expr), `"`), "_", " ")] {
				return true
			}
			if !party {
				party = true
				at := int(stmt.Range().Start) + shift
				text, shift = text[:at]+"<party>\n"+text[at:], shift+len("<party>\n")
			}
			text, shift = text[:int(c.Start)+shift]+text[int(c.End)+shift:], shift-int(c.End-c.Start)
			return false
		})
	}
	return text
}

// What is wrong with a file is said at its place in it.
func TestMistakes(t *testing.T) {
	const people = `sheet hero { rank one of (low, high) = low; hurt whole 0..3; signature text; skills skill many as CAPS; habit habit many as habit }
sheet skill { rating whole 0..4 }
sheet habit { kept truth }
feature brave on hero { }
feature fears(what) on hero { }
stock hero Twin { hurt 1 }
`
	for _, c := range []struct{ file, data, want string }{
		{"a.yaml", "- sheet: hero\n  name: Ann\n  hart: 2", "a.yaml:3:3: a hero has no hart\ndid you mean hurt?"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  hurt: 9", "a.yaml:3:9: hurt of Ann: 9 is above 3"},
		{"a.yaml", "- {sheet: hero, name: Ann, rank: hihg}", "a.yaml:1:34: rank of Ann: hihg must be low or high"},
		{"a.json", `[{"sheet": "heor", "name": "Ann"}]`, "a.json:1:12: there is no sheet heor\ndid you mean hero?"},
		{"a.yaml", "- {sheet: habit, name: Ann, stock: Twin}", "a.yaml:1:11: Twin in stock has the sheet hero, not habit"},
		{"a.yaml", "- {sheet: hero, name: Ann, stock: Twn}", "a.yaml:1:35: Twn is not in stock\ndid you mean Twin?"},
		{"a.yaml", "- {sheet: hero, name: Ann, stock: [Twin]}", "a.yaml:1:35: expected a value here, in one line"},
		{"a.yaml", "- name: Ann", "a.yaml:1:3: which sheet is it?\nwrite  sheet: hero"},
		{"a.yaml", "- sheet: hero", "a.yaml:1:10: the hero needs a name\nwrite  name: Ann"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  name: Bob", "a.yaml:3:3: name is given twice"},
		{"a.yaml", "sheets: [{sheet: hero, name: Ann}, {sheet: hero, name: Ann}]", "a.yaml:1:56: Ann is declared twice"},
		{"a.yaml", "system: cah\nsheets: []", "a.yaml:1:9: these sheets are for cah, which is not in use\nuse cah"},
		{"a.yaml", "shets: []", "a.yaml:1:1: a file of sheets has no key shets\ndid you mean sheets?"},
		{"a.yaml", "- &a {sheet: hero, name: Ann}\n- *a", "a.yaml:1:3: & and * are not read in a file of sheets\nwrite the value itself"},
		{"a.yaml", "- sheet: hero\n name: Ann", "a.yaml:2:1: this is not YAML: did not find expected '-' indicator"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  CLIMB: {rating: 2, off: yes}", "a.yaml:3:22: a skill has no off\nit has rating"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  features: [braev]", "a.yaml:3:14: there is no feature braev\ndid you mean brave?"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  hurt: [1]", "a.yaml:3:9: hurt of Ann: [1] is not a number"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  hurt: |\n    1\n    2", "a.yaml:3:9: expected a value here, in one line"},
		{"a.yaml", "- {sheet: hero,\n- name: Ann}", "a.yaml:2:1: this is not YAML: did not find expected node content"},
		{"a.yaml", "- sheet: hero\n  name: Ann\n  skills: {a: 1\n", "a.yaml:3:1: this is not YAML: did not find expected ',' or '}'"},
		{"a.json", `[{"sheet": "hero" "name": "Ann"}]`, "a.json:1:19: this is not JSON: invalid character '\"' after object key:value pair"},
		{"a.yaml", strings.Repeat("[", 40), "a.yaml:1:1: this is not YAML: "},
		{"a.yaml", strings.Repeat("[", 40) + strings.Repeat("]", 40), "a.yaml:1:18: this is nested too deeply"},
		{"a.yaml", "# " + strings.Repeat("x", 300<<10), "a.yaml:1:1: a.yaml is longer than 256 KiB"},
		{"a.md", "| hero | hurt |\n| --- | --- |\n| Ann | 7 |", "a.md:3:9: hurt of Ann: 7 is above 3"},
		{"a.md", "| heroes | hurt |\n| --- | --- |\n| Ann | 7 |", "a.md:1:1: a.md has no table of sheets\nthe first column of such a table is headed by the name of a sheet:  | SHEET | … |"},
		{"a.txt", "", "main.scene:7:11: cast reads files of YAML or JSON and pages of Markdown: party.yaml, party.json, party.md"},
	} {
		s := session(fstest.MapFS{c.file: {Data: []byte(c.data)}}, nil)
		unreadable := strings.Contains(c.want, "this is not ")
		diags := s.Check(lang.NewSource("main.scene", people+`cast from "`+c.file+`"`+"\nprint Ann.hurt"))
		if unreadable && len(diags) != 1 {
			t.Errorf("%s: that nobody knows who is in it is told, too: %v", c.data[:min(len(c.data), 200)], diags)
		}
		got := ""
		if len(diags) > 0 {
			got = strings.TrimSpace(diags[0].Error() + "\n" + diags[0].Help)
		}
		if got != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s\nis  %s\nnot %s", c.data[:min(len(c.data), 200)], got, c.want)
		}
	}
}
