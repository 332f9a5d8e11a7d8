package editor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

const yard = `use cah with natural = any

hero Nova { star 3; AIM 4; STRONG 2 }
villain "Sludge Lord" { star 4; OOZE 4 }

# how hard the
# door is
let gate = 10
rule twice(n) = n * 2

print twice(gate)
Nova: attack "Sludge Lord" with AIM

scene "Yard" action {
  heroes Nova
  villains "Sludge Lord"
  tactics heroes { otherwise: attack any foe with best trait }
  tactics villains { otherwise: attack any hero with best trait }
  fight rounds 3
}

test "nothing" { expect Nova.star == 3 }
`

// desk opens texts in a folder of their own; the first is what the functions are about.
func desk(t testing.TB, texts ...string) (w *Workspace, dir string) {
	t.Helper()
	w, dir = New(interp.Config{Modules: stdlib.FS}), filepath.ToSlash(t.TempDir())
	for i := 0; i < len(texts); i += 2 {
		w.Set(dir+"/"+texts[i], texts[i+1])
	}
	return w, dir
}

// find is the byte behind the | of a piece of a text, which holds the piece without it once.
func find(t testing.TB, text, piece string) int {
	t.Helper()
	before, after, ok := strings.Cut(piece, "|")
	if n := strings.Count(text, before+after); !ok || n != 1 {
		t.Fatalf("%q stands %d times in the text", piece, n)
	}
	return strings.Index(text, before+after) + len(before)
}

func shown(w *Workspace, places []Place) string {
	var out []string
	for _, p := range places {
		text := w.Open(p.File).Text
		line := strconv.Itoa(strings.Count(text[:p.Start], "\n") + 1)
		if strings.HasPrefix(p.File, Shipped) {
			line = "…" // rules grow
		}
		out = append(out, fmt.Sprintf("%s:%s:%s", filepath.Base(p.File), line, text[p.Start:p.End]))
	}
	return strings.Join(out, " ")
}

// TestCompletion types behind a script that has a mistake, and looks for some of what may follow
// and of what may not.
func TestCompletion(t *testing.T) {
	for _, c := range []struct{ typed, has, not string }{
		{"Nova: at", "attack", "roll Nova"},
		{"Nova: attack ", `"Sludge Lord" against`, "AIM"},
		{`Nova: attack "Sludge Lord" with `, "AIM STRONG best", "OOZE"},
		{"hero Bram {\n  ", "star role AIM", "attack otherwise"},
		{"hero Bram { star 2; ro", "role", "star"},
		{"hero Bram { role ", "pc gmc", "star"},
		{"tactics Nova {\n  ", "when on otherwise", "attack"},
		{"tactics Nova {\n  otherwise: attack any foe with ", "AIM best", "OOZE"},
		{"tactics heroes { on ", "reroll", "attack"},
		{"use ", "cah firefly marvel", "attack"},
		{"use cah with ", "natural mooks", "attack"},
		{"use cah with natural = ", "kept any regular", "mooks"},
		{"option nat", "natural", "attack"},
		{"option natural = ", "kept regular", "natural"},
		{"let y = tw", "twice", "attack"},
		{"print ga", "gate", "twice"},
		{"scene \"Z\" action {\n  fi", "fight", "attack"},
		{`"Sl`, `"Sludge Lord":`, "Nova:"},
		{"Nova.", "AIM star", "OOZE"},
		{"hero ", "", "attack floor( Nova"},
		{"hero Bram { star 2; ", "role AIM", "star"},
		{"hero Bram { AIM 3 [", "action_feature", "star any"},
		{"# Nova at", "", "attack"},
		{"hero Bram { AI", "AIM", "AI"},
		{"wizard ", "", "attack floor( Nova"},
		{"wizard Zed {\n", "", "attack floor( Nova"},
	} {
		text := yard + "let broken = nosuch(\n" + c.typed
		w, dir := desk(t, "a.scene", text)
		_, list := w.Complete(dir+"/a.scene", len(text))
		var got []string
		for _, x := range list {
			got = append(got, x.Text)
		}
		for _, word := range words2(c.has) {
			if !slices.Contains(got, word) {
				t.Errorf("%q is not completed by %s: %s", c.typed, word, got)
			}
		}
		for _, word := range words2(c.not) {
			if slices.Contains(got, word) {
				t.Errorf("%q is completed by %s", c.typed, word)
			}
		}
		if once := slices.Compact(slices.Sorted(slices.Values(got))); len(once) != len(got) {
			t.Errorf("%q is completed twice by a word: %s", c.typed, got)
		}
	}
}

// TestRulesTyped writes a variant: what its base has is offered, shown where it is replaced, and led to.
func TestRulesTyped(t *testing.T) {
	const text = "variant gothic of unisystem \"Gothic\"\n\nrule flight(row) = row == run\n"
	for _, c := range []struct{ typed, has, not string }{
		{"", "variant system", "attack answers"},
		{"# a house rule\nva", "variant", "system"},
		{"variant ", "", "attack"},
		{"variant x of ", "cah unisystem", "attack"},
		{text, "rule option on remove verb", "attack answers"},
		{text + "table ", "panic(total)", "flight(row)"},
		{text + "rule fl", "flight(row)", "panic(total) flight"},
		{text + "on ", "panicked(who, row)", "attack"},
		{text + "remove verb ", "attack", "flight(row)"},
		{text + "feature brave on ", "character every", "attack"},
		{text + "on panicked(who, row) {\n  ", "let return attack", "sheet"},
		{text + "option fear_mode = ", "heroic", "attack"},
	} {
		w, dir := desk(t, "gothic.rules", c.typed)
		_, list := w.Complete(dir+"/gothic.rules", len(c.typed))
		offered := func(word string) bool {
			return slices.ContainsFunc(list, func(x assist.Completion) bool { return x.Text == word })
		}
		for _, word := range strings.Fields(strings.ReplaceAll(c.has, ", ", ",")) {
			if !offered(strings.ReplaceAll(word, ",", ", ")) {
				t.Errorf("%q is not completed by %s", c.typed, word)
			}
		}
		for _, word := range strings.Fields(c.not) {
			if offered(word) {
				t.Errorf("%q is completed by %s", c.typed, word)
			}
		}
	}
	w, dir := desk(t, "gothic.rules", text)
	at := strings.Index(text, "flight")
	if got, _ := w.Hover(dir+"/gothic.rules", at); !strings.Contains(got, "takes the place of that of unisystem") || !strings.Contains(got, "row == total_terror") {
		t.Error(got)
	}
	for _, piece := range []string{"|row) =", "= |row =="} {
		if got, _ := w.Hover(dir+"/gothic.rules", find(t, text, piece)); got != "**row** · what flight takes" {
			t.Error(got)
		}
	}
	if got := w.Definition(dir+"/gothic.rules", at); len(got) != 1 || !strings.HasPrefix(got[0].File, Shipped+"unisystem/") {
		t.Errorf("%v", got)
	}
}

// TestSignature: what is being typed of a command or a call is told.
func TestSignature(t *testing.T) {
	for _, c := range []struct{ typed, form, part string }{
		{"Nova: attack ", "WHO: attack TARGET [", "TARGET"},
		{"Nova: attack Nova with AIM against ", "WHO: attack TARGET [", "against [DEFENCE]"},
		{"Nova: roll AIM vs DN ", "WHO: roll [T] [", "vs DN DN"},
		{"let x = twice(", "twice(n)", "n"},
		{"let x = between(twice(1, 2), ", "between(a, b)", "b"},
		{"hero Bram { ", "", ""},
	} {
		text := "use cah\nhero Nova { star 3; AIM 4 }\nrule twice(n) = n * 2\nrule between(a, b) = a + b\n" + c.typed
		w, dir := desk(t, "a.scene", text)
		g, _ := w.Signature(dir+"/a.scene", len(text))
		part := ""
		if len(g.Parts) > 0 {
			part = g.Parts[g.Part]
		}
		if !strings.HasPrefix(g.Form, c.form) || part != c.part || !strings.Contains(g.Form, part) {
			t.Errorf("%q: %s, at %s", c.typed, g.Form, part)
		}
	}
}

// words2 splits at blanks outside of quotes.
func words2(s string) (out []string) {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		quoted = quoted != (r == '"')
		return r == ' ' && !quoted
	})
}

func TestHover(t *testing.T) {
	w, dir := desk(t, "a.scene", yard)
	for _, c := range []struct{ piece, has string }{
		{"No|va: attack", "**Nova** · hero"},
		{"No|va: attack", "AIM rating `4`"},
		{"att|ack \"Sl", "against [DEFENCE]"},
		{"att|ack \"Sl", "cah.crucial.typical"},
		{"natu|ral =", "now: `any`"},
		{"natu|ral =", "use cah with natural = any"}, // of a case
		{"hero Nova { st|ar", "whole number 1..4"},
		{"print tw|ice", "twice(n)"},
		{"n |* 2", ""},
		{"fight ro|unds", "how many at most"},
		{"print twice(ga|te)", "let gate = 10"},
		{"te|st \"nothing\"", "test"},
	} {
		text, at := w.Hover(dir+"/a.scene", find(t, yard, c.piece))
		if !strings.Contains(text, c.has) || (c.has == "") != (text == "") && c.has == "" && at.End-at.Start > 1 {
			t.Errorf("%s: %q is not in\n%s", c.piece, c.has, text)
		}
	}
}

func TestNames(t *testing.T) {
	w, dir := desk(t, "a.scene", yard)
	name := dir + "/a.scene"
	for _, c := range []struct{ piece, definition, references string }{
		{"No|va: attack", "a.scene:3:Nova", "a.scene:3:Nova a.scene:12:Nova a.scene:15:Nova a.scene:22:Nova"},
		{"att|ack \"Sl", "verbs.rules:…:attack", ""},
		{"print twice(ga|te)", "a.scene:8:gate", "a.scene:8:gate a.scene:11:gate"},
		{"n| * 2", "a.scene:9:n", "a.scene:9:n a.scene:9:n"},
		{"print tw|ice", "a.scene:9:twice", "a.scene:9:twice a.scene:11:twice"},
		{"rule tw|ice", "", "a.scene:9:twice a.scene:11:twice"},
		{"use c|ah", "cah.rules:…:", ""},
	} {
		off := find(t, yard, c.piece)
		if got := shown(w, w.Definition(name, off)); got != c.definition {
			t.Errorf("%s is declared at %q, wanted %q", c.piece, got, c.definition)
		}
		if got := shown(w, w.References(name, off)); c.references != "" && got != c.references {
			t.Errorf("%s is named at %q, wanted %q", c.piece, got, c.references)
		}
	}
}

func TestRename(t *testing.T) {
	w, dir := desk(t, "a.scene", yard)
	name := dir + "/a.scene"
	for _, c := range []struct{ piece, to, want string }{
		{"No|va: attack", "Vega", "Vega"},
		{"No|va: attack", "Stella Vega", `"Stella Vega"`},
		{`"Slu|dge Lord" {`, "Ooze", `"Ooze"`},
		{"print twice(ga|te)", "dn", "dn"},
		{"n| * 2", "many", "many"},
	} {
		changes, err := w.Rename(name, find(t, yard, c.piece), c.to)
		if err != nil {
			t.Errorf("%s: %v", c.piece, err)
			continue
		}
		after := Apply(yard, changes, name)
		at := find(t, yard, c.piece)
		word, _ := w.docs[name].scripts[0].wordAt(int32(at))
		if got := strings.ReplaceAll(yard, word.Text, c.want); c.piece[0] != 'n' && after != got {
			t.Errorf("%s:\n%s", c.piece, cmp.Diff(got, after))
		}
		other, dir := desk(t, "a.scene", after)
		if p := other.Problems(dir+"/a.scene", false); len(p) > 0 {
			t.Errorf("%s: %s", c.piece, p[0].Message)
		}
	}
	for _, c := range []struct{ piece, to, why string }{
		{"att|ack \"Sl", "hit", "rules that come with setpiece"},
		{"No|va: attack", "Sludge Lord", "declared twice"},
		{"No|va: attack", "nova", "Capitalised"},
		{"print twice(ga|te)", "let", "word of the language"},
		{"n| * 2", "gate gate", "lower_case"},
		{"fight rounds |3", "x", "no name"},
	} {
		if changes, err := w.Rename(name, find(t, yard, c.piece), c.to); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s is renamed to %s: %v, %v", c.piece, c.to, changes, err)
		}
	}
}

// TestFiles follows names into a file of rules beside a script, which is open and not saved.
func TestFiles(t *testing.T) {
	const rules = "system tiny \"Tiny\"\n\nsheet imp \"small\" {\n  luck whole 0.. = 1 \"points\"\n}\n\nverb poke (whom imp) \"pokes\" {\n  do { whom.luck -= 1 }\n}\n"
	const scene = "use tiny\nimp Bob { luck 2 }\nBob: poke Bob\n"
	w, dir := desk(t, "tiny.rules", rules, "a.scene", scene)
	a, r := dir+"/a.scene", dir+"/tiny.rules"
	if p := append(w.Problems(a, true), w.Problems(r, false)...); len(p) > 0 {
		t.Fatal(p[0].Message)
	}
	if got := shown(w, w.Definition(a, find(t, scene, "Bob: po|ke"))); got != "tiny.rules:7:poke" {
		t.Error(got)
	}
	changes, err := w.Rename(r, find(t, rules, "whole 0.. = 1 |\"points\"")-len("whole 0.. = 1 ")-3, "pluck")
	if err != nil {
		t.Fatal(err)
	}
	if got := Apply(scene, changes, a); got != strings.ReplaceAll(scene, "luck", "pluck") {
		t.Error(got)
	}
	if got := Apply(rules, changes, r); got != strings.ReplaceAll(rules, "luck", "pluck") {
		t.Error(got)
	}
	if others := w.Set(r, strings.Replace(rules, "verb poke", "verb prod", 1)); !slices.Equal(others, []string{a}) {
		t.Errorf("a change of the rules concerns %s", others)
	}
	if p := w.Problems(a, false); len(p) != 1 || !strings.Contains(p[0].Message, "poke") {
		t.Errorf("the script still knows the old verb: %v", p)
	}
}

const note = "---\ntitle: Evening\n---\n# Ünder the 🐉\n\n```setpiece\nuse cah\nhero Nova { star 3; AIM 4 }\n```\n\nprose { with a brace\n\n```setpiece\nNova: rool AIM vs DN 10\n```\n\n- item\n  ```setpiece alone\n  use cah\n  let x = nosuch\n  ```\n\n```setpiece wrong alone\nlet y = nosuch\n```\n"

func TestNote(t *testing.T) {
	w, dir := desk(t, "n.md", note)
	name := dir + "/n.md"
	var got []string
	for _, p := range w.Problems(name, false) {
		got = append(got, note[p.Start:p.End]+": "+p.Message)
	}
	want := []string{"rool: there is no verb rool", "nosuch: nothing here is called nosuch"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := shown(w, w.Definition(name, find(t, note, "No|va: rool"))); got != "n.md:8:Nova" {
		t.Error(got)
	}
	if text, _ := w.Hover(name, find(t, note, "pro|se")); text != "" {
		t.Error("prose is explained: " + text)
	}
	// A fence above grows: what stands alone below has moved, and was not checked again.
	alone := w.docs[name].scripts[1]
	longer := strings.Replace(note, "star 3", "star 3; role pc", 1)
	w.Set(name, longer)
	now := w.docs[name].scripts[1]
	if now.src != alone.src || now.shift != len(longer)-len(note) || !now.checked {
		t.Error("a fence that only moved is checked again")
	}
	for _, p := range w.Problems(name, false) {
		if !strings.Contains(p.Message, longer[p.Start:p.End]) {
			t.Errorf("%s is told of %q", p.Message, longer[p.Start:p.End])
		}
	}
	w.Set(name, note+"\n```setpiece\n") // a fence without an end
	if p := w.Problems(name, false); len(p) != 1 || p[0].Message != "this fence is never closed" {
		t.Errorf("%v", p)
	}
}

func TestOutline(t *testing.T) {
	w, dir := desk(t, "a.scene", yard)
	var got []string
	var list func(indent string, of []Symbol)
	list = func(indent string, of []Symbol) {
		for _, s := range of {
			got = append(got, indent+s.Kind+" "+s.Name)
			list(indent+"  ", s.Inner)
		}
	}
	list("", w.Symbols(dir+"/a.scene"))
	want := []string{"hero Nova", "villain Sludge Lord", "variable gate", "rule twice", "scene Yard", "  tactics heroes", "  tactics villains", "test nothing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var folded []string
	for _, f := range w.Folds(dir + "/a.scene") {
		first, _, _ := strings.Cut(yard[f.Start:f.End], "\n")
		folded = append(folded, first)
	}
	if diff := cmp.Diff([]string{"# how hard the", "{"}, folded); diff != "" {
		t.Error(diff)
	}
	if found := w.Find(dir+"/a.scene", "SLUDGE"); len(found) != 1 || found[0].Name != "Sludge Lord" {
		t.Errorf("%v", found)
	}
}

// TestOdds knows the chance of the attack from the rules: two d12, 4 against 4; and a fight's from
// setpiece odds of the same text.
func TestOdds(t *testing.T) {
	w, dir := desk(t, "a.scene", yard)
	name := dir + "/a.scene"
	var got []string
	for _, l := range w.Lenses(name) {
		line, _, _ := strings.Cut(yard[l.Start:l.End], " ")
		title := l.Title
		if l.Command == "odds" {
			title = w.Odds(name, l.Start)(context.Background())
			if strings.Contains(title, "heroes ") {
				title = "heroes"
			}
		}
		got = append(got, line+" "+title)
	}
	want := []string{"print run", "Nova: success 19/36", "scene heroes", "scene report", "test test"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// What has no outcome has no odds; what cannot succeed has.
	const idle = "use cah\nhero Nova { star 3; AIM 4 }\naudit Nova\nNova: roll AIM vs DN 40\n"
	w.Set(dir+"/b.scene", idle)
	for piece, want := range map[string]string{"|audit": "", "|Nova: roll": "success 0.00 %"} {
		if got := w.Odds(dir+"/b.scene", find(t, idle, piece))(context.Background()); got != want {
			t.Errorf("%s has the odds %q, not %q", piece, got, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := w.Odds(name, find(t, yard, "|Nova: attack"))(ctx); got != "" {
		t.Errorf("odds that nobody waits for: %s", got)
	}
	run := w.Run(name, 0, "run")(context.Background())
	if !strings.Contains(run, "20\n") || !strings.Contains(run, "Yard") {
		t.Error(run)
	}
	if got := w.Run(name, 0, "test")(context.Background()); got != "ok    nothing\n" {
		t.Error(got)
	}
}

func TestActions(t *testing.T) {
	const text = "use cah\nhero Nova { star 3; AIM 4 }\n\nNova: rol AIM vs DN 10\n"
	w, dir := desk(t, "a.scene", text)
	name := dir + "/a.scene"
	titles := func(piece string) (out []string) {
		at := find(t, w.docs[name].Text, piece)
		for _, a := range w.Actions(name, at, at) {
			out = append(out, a.Title)
		}
		return out
	}
	if got := titles("r|ol AIM"); !slices.Equal(got, []string{"write roll"}) {
		t.Errorf("%q", got)
	}
	fixed := Apply(text, w.Actions(name, find(t, text, "r|ol AIM"), find(t, text, "r|ol AIM"))[0].Changes, name)
	w.Set(name, fixed)
	if p := w.Problems(name, false); len(p) > 0 {
		t.Fatal(p[0].Message)
	}
	at := find(t, fixed, "DN 1|0")
	list := w.Actions(name, at, at)
	if len(list) != 4 || list[2].Title != "tune this number to 60 %" {
		t.Fatalf("%v", list)
	}
	// AIM 4 and a d12 against DN 10: 6 or more is 7/12; 58 % is nearest to 60 %.
	if changes := list[2].Work(context.Background()); len(changes) != 1 || changes[0].New != "10" {
		t.Errorf("%v", changes)
	}
	// 75 %: 4 or more is 9/12, exactly.
	if changes := list[3].Work(context.Background()); len(changes) != 1 || changes[0].New != "8" {
		t.Errorf("%v", changes)
	}
	w.Set(name, "use cah\nhero Nova { star 3\n  AIM 4\n\nhero Bram { star 2 }\n")
	if got := titles("hero Nova |{ star"); !slices.Equal(got, []string{"close the { with a }"}) {
		t.Errorf("%q", got)
	}

	// The word for who takes part is another in each system; where none is in use, those that know the
	// word are offered.
	w.Set(name, "use unisystem\n\nhero Nova { life 3 }\n")
	if got := titles("h|ero Nova"); !slices.Contains(got, "write cast") || !slices.Contains(got, "write adversary") {
		t.Errorf("%q", got)
	}
	w.Set(name, "adversary Nova { life 3 }\n")
	if got := titles("a|dversary Nova"); !slices.Equal(got, []string{"write use unisystem"}) {
		t.Errorf("%q", got)
	}

	// Whoever is not there yet can be declared above the line, with each sheet that a target may have.
	w.Set(name, "use cah\nhero Nova { star 3; AIM 4 }\nNova: attack Grub with AIM\n")
	got := titles("attack G|rub")
	if !slices.Contains(got, "declare villain Grub here") || slices.Contains(got, "declare hero Grub here") {
		t.Fatalf("%q", got)
	}
	at = find(t, w.docs[name].Text, "attack G|rub")
	w.Set(name, Apply(w.docs[name].Text, w.Actions(name, at, at)[slices.Index(got, "declare villain Grub here")].Changes, name))
	if p := w.Problems(name, false); len(p) > 0 {
		t.Error(p[0].Message)
	}
}

// TestShipped: rules that come with the program can be read, and not changed.
func TestShipped(t *testing.T) {
	w := New(interp.Config{Modules: stdlib.FS})
	name := Shipped + "cah/cah.rules"
	if d := w.Open(name); d == nil || !strings.Contains(d.Text, "system cah") {
		t.Fatal("the rules of cah cannot be read")
	}
	if len(w.Format(name)) > 0 || len(w.Lenses(name)) > 0 || len(w.Actions(name, 0, 1000)) > 0 {
		t.Error("something in the rules of cah can be changed")
	}
	if len(w.Symbols(name)) == 0 {
		t.Error("the rules of cah have no outline")
	}
}

// TestChecks: what the service tells of a file is what check tells.
func TestChecks(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/errors/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files[:min(len(files), 12)] {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w := New(interp.Config{Modules: stdlib.FS})
		abs, _ := filepath.Abs(file)
		w.Set(filepath.ToSlash(abs), string(text))
		var got, want []string
		for _, p := range w.Problems(filepath.ToSlash(abs), false) {
			got = append(got, fmt.Sprint(p.Place.Start, p.Message))
		}
		src := lang.NewSource(filepath.Base(file), string(text))
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Folder: os.DirFS(filepath.Dir(file))})
		for _, d := range s.Check(src) {
			if d.Src == src {
				want = append(want, fmt.Sprint(d.Start, d.Message))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// large is a script of at least n lines.
func large(n int) string {
	var b strings.Builder
	b.WriteString("use cah\n")
	for i := 0; strings.Count(b.String(), "\n") < n; i++ {
		fmt.Fprintf(&b, "\nhero Hero_%d {\n  star 3\n  AIM 4\n  STRONG 2\n}\n\nlet gate_%d = %d\nrule twice_%d(n) = n * 2\nHero_%d: roll AIM vs DN 10\n", i, i, i, i, i)
	}
	return b.String()
}

// BenchmarkKey is one key in a script of 2,000 lines, to the mistakes and names of its text.
func BenchmarkKey(b *testing.B) {
	text := large(2000)
	benchmarkKeys(b, "a.scene", text, strings.LastIndex(text, "DN 10"))
}

// BenchmarkKeyInNote is one in a note of 50 fences that stand alone.
func BenchmarkKeyInNote(b *testing.B) {
	text := ""
	for i := range 50 {
		text += fmt.Sprintf("# Scene %d\n\n```setpiece alone\nuse cah\nhero Nova { star 3; AIM 4 }\nNova: roll AIM vs DN %d\n```\n\n", i, i)
	}
	benchmarkKeys(b, "n.md", text, strings.Index(text, "DN 20"))
}

func benchmarkKeys(b *testing.B, file, text string, at int) {
	w, dir := desk(b, file, text)
	name := dir + "/" + file
	w.Problems(name, false)
	start := time.Now()
	for i := 0; b.Loop(); i++ {
		w.Set(name, text[:at]+fmt.Sprintf("DN %d", 10+i%80)+text[at+5:])
		if p := w.Problems(name, false); len(p) > 0 {
			b.Fatal(p[0].Message)
		}
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds())/float64(b.N), "ms/key")
}

// TestActionsAnywhere: places outside of the text, and an end before its start, are no reason to stop.
func TestActionsAnywhere(t *testing.T) {
	w, dir := desk(t, "a.scene", "use cah\nhero Nova { star 3 }\nNova: atack\n")
	for _, at := range []struct {
		start, end int
		fix        bool
	}{{-3, -1, false}, {1 << 20, 1 << 21, false}, {30, 2, true}, {0, 1 << 20, true}} {
		if got := w.Actions(dir+"/a.scene", at.start, at.end); len(got) > 0 != at.fix {
			t.Errorf("%+v: %d actions", at, len(got))
		}
	}
}

// TestManyFiles: of the files that are open, few have a session, whatever is asked of each of them. A
// script of a note that stays as it is while something else is typed keeps its own.
func TestManyFiles(t *testing.T) {
	w, dir := desk(t)
	name := func(i int) string { return fmt.Sprintf("%s/f%d.scene", dir, i) }
	for i := range 3 * mostSessions {
		w.Set(name(i), "use cah\nhero Nova { star 3; AIM 4 }\n")
		if _, at := w.Hover(name(i), 15); at.End == 0 {
			t.Fatal("nothing is said of Nova")
		}
	}
	has := 0
	for i := range 3 * mostSessions {
		if w.docs[name(i)].scripts[0].declared != nil {
			has++
		}
	}
	if has != mostSessions {
		t.Errorf("%d sessions, want %d", has, mostSessions)
	}
	note := "```setpiece alone\nuse cah\nhero Nova { star 3 }\n```\n\n"
	for i := range 3 * mostSessions {
		w.Set(dir+"/n.md", strings.Repeat("x", i)+"\n\n"+note)
		w.Hover(dir+"/n.md", strings.Index(note, "Nova")+i+3)
	}
	if s := w.docs[dir+"/n.md"].scripts[0]; !slices.Contains(w.known.of, s) || len(w.known.of) != mostSessions || s.declared == nil {
		t.Errorf("the note's script is not among the %d sessions", len(w.known.of))
	}
}
