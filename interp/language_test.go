package interp_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// values runs a script and gives what it prints, one value a line.
func values(t *testing.T, cfg interp.Config, text string) (string, error) {
	t.Helper()
	var out []string
	cfg.Events = func(e *interp.Event) {
		switch e.Kind {
		case interp.EventPrint, interp.EventValue, interp.EventReport:
			out = append(out, e.Value)
		}
	}
	s := interp.NewSession(cfg)
	err := s.Exec(t.Context(), lang.NewSource("", text))
	return strings.Join(out, "\n"), err
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"exact numbers", "1/4 + 1/4\n1/3 * 3\n-7/2\nfloor(-7/2)\nmod(-1, 3)\nmod(1, -3)\nmod(-6, 3)\nmod(7, 5)\nmod(-7, -5)\nmod(7/2, 2)", "0.5\n1\n-3.5\n-4\n2\n-2\n0\n2\n-2\n1.5"},
		{"percent", "55% * 2", "1.1"},
		{"comparisons", "3 in 1..4\n9 in 1..4\nlet die = d8\n(die > d6)\n\"a\" < \"b\"\nnot (1 == 2)", "yes\nno\nyes\nyes\nyes"},
		{"choosing", "if 2 > 1 then \"more\" else \"less\"", "more"},
		{"lists", "let l = [3, 1, 2]\nl.sorted\nl.with(9).last\nl.without(1)\nl[2]\nl[9]\nl + [4]\nl.index(2)", "[1, 2, 3]\n9\n[3, 2]\n1\n[3, 1, 2, 4]\n3"},
		{"comprehensions", "let l = [3, 1, 2]\n[x * x for x in l where x > 1]\nany x in l where x == 2\nall x in l where x > 0\ncount x in l where x > 1\nfirst x in l where x < 3\nsum x for x in l\nhighest x in l by x\nlowest x in l by x",
			"[9, 4]\nyes\nyes\n2\n1\n6\n3\n1"},
		{"maps", "let m = map()\nm[\"a\"] = 1\nm[\"b\"] = m[\"a\"] + 1\nm.keys\nm[\"b\"]\n\"a\" in m", "[\"a\", \"b\"]\n2\nyes"},
		{"texts", "let n = 3\n\"{n} dice, {n * 2} eyes\"\nupper(\"ab\") + \"c\"", "3 dice, 6 eyes\nABc"},
		{"dice", "dice 3 5 1\n(throw 3d6).faces\nd12.sides\ndice 4\n(throw d6).face\nprint [2d6 + d8]\nlet p = 2d6 + d8\np", "[5, 3, 1]\n12\n4\n[[d6, d6, d8]]\n[d6, d6, d8]"},
		{"loops", "let n = 0\nwhile n < 3 { n += 1 }\nn\nrepeat 2 { n += 10 }\nn\nfor x in 1..3 where x != 2 { n += x }\nn", "3\n23\n27"},
		{"stop and next", "rule r(l) { let s = 0\nfor x in l { if x == 2 { next }; if x == 4 { stop }; s += x }\nreturn s }\nr([1, 2, 3, 4, 5])", "4"},
		{"variables in their own values", "rule r(x, y) { x = y or x\nreturn x }\nrule s(x) { x = [x + n for n in 1..x]\nreturn x }\nrule t(x) { x = if x > 1 then count n in 1..5 where n > x else x\nreturn x }\nr(yes, no)\nr(no, no)\ns(2)\nt(2)", "yes\nno\n[3, 4]\n3"},
		{"rules", "rule double(n) = n * 2\nrule add(a, b = 10) = a + b\ndouble(4).double\nadd(1)\nadd(1, 2)", "16\n11\n3"},
		{"replaced rules", "rule cost(n) = n\nrule cost(n) = base.cost(n) + 1\ncost(4)", "5"},
		{"tables", "table size(n) { 0 => none; 1..3 => small; 4.. => large }\nsize(2)\nsize(40)\n2.size", "small\nlarge\nsmall"},
		{"sheets", "sheet hero { star number 1..4 = 2; oomph number = star * 2; tags list }\nhero Nova { star 3; tags \"a\" \"b\" }\nNova.oomph\nNova.tags\nNova.name\nNova.kind", "6\n[\"a\", \"b\"]\nNova\nhero"},
		{"numbers that cannot be 0", "sheet hero { tough whole 1..; low number ..-2; n number 0..4; both number -1..1 }\nhero Nova {}\n[Nova.tough, Nova.low, Nova.n, Nova.both]", "[1, -2, 0, 0]"},
		{"parts", "sheet hero { traits trait many as CAPS }\nsheet trait { rating number; mark text }\nhero Nova { AIM 4 mark \"far\"; RUN 2 }\nNova.AIM.rating\nNova.AIM.mark\nNova.traits.size\nNova.RUN.owner.name", "4\nfar\n2\nNova"},
		{"groups", "sheet mite { n number }\nmite Mites x3 { n 2 }\nfor m in Mites { m.n += 1 }\nsum m.n for m in Mites\n\"Mites 2\".n", "9\n3"},
		{"lifetimes", "spans session > scene > check\nsheet hero { luck number = 2 per session; hurt number per scene; off until }\nhero Nova {}\nverb play { block\ndo { begin session; run block; end session } }\nverb act_out { block\ndo { begin scene; run block; end scene } }\nplay { Nova.luck = 0; act_out { Nova.hurt = 3; Nova.off = scene; Nova.hurt }; Nova.hurt; Nova.luck; Nova.off }\nNova.luck",
			"3\n0\n0\n2"},
		{"features", "sheet hero { n number }\nhook struck(who, by) \"a blow\"\nfeature tough(less) on hero { used truth\non struck(who, by) when not used { used = yes; who.n += by - less } }\nhero Nova [tough 2] { }\nverb hit (x hero) { do { signal struck(x, 5) to x } }\nhit Nova\nhit Nova\nNova.n", "3"},
		{"features on every", "sheet hero { n number }\nhero Nova {}\nhook tick() \"\"\nfeature clock on every hero { on tick() { owner.n += 1 } }\nverb tock (x hero) { do { signal tick() to x } }\ntock Nova\nNova.n", "1"},
		{"clauses", "sheet hero { traits trait many as CAPS }\nsheet trait { rating number }\nhero Nova { AIM 4; RUN 2 }\nverb roll (t trait) { clause link: link (more trait) repeat\nclause twice\nclause dn: vs DN (dn number)\nclause by: by (steps number = 3)\ndo { print [t.rating, more.size, twice, dn, steps] } }\nNova: roll AIM\nNova: roll AIM link RUN twice vs DN 2 + 3", "[4, 0, no, none, 3]\n[4, 1, yes, 5, 3]"},
		{"nested clauses", "clauses extra { clause hard; clause add: add (n number) }\nsheet hero { hp number }\nhero A {}\nhero B {}\nverb hit (x hero) { uses extra as mine\nclause guard: guard (g number) { uses extra as theirs }\ndo { print [mine.hard, mine.n, g, theirs.hard, theirs.n] } }\nA: hit B hard guard 3 add 2", "[yes, none, 3, no, 2]"},
		{"clauses that begin alike", "clauses mine { clause keep: spend gold keep; clause cover: use cover }\nclauses theirs { clause hold: spend wood keep; clause mud: use mud }\nsheet hero { hp number }\nhero A {}\nverb hit { uses mine as mine\nclause vs: vs (n number) { uses theirs as theirs }\ndo { print [mine.keep, mine.cover, theirs.hold, theirs.mud] } }\nA: hit vs 3 spend gold keep\nA: hit vs 3 use mud spend wood keep use cover", "[yes, no, no, no]\n[no, yes, yes, yes]"},
		{"operand groups", "sheet hero { hp number }\nhero A {}\nhero B {}\nhero C {}\nrule pick_all(self, list) = instances(hero)\nverb hit { clause targets: (target hero) repeat { clause flat; clause at: at (n number) }\ndo { print [\"{x.target.name}{x.flat}{x.n}\" for x in targets] } }\nhit A flat, B at 3\nhit all at 1", "[\"Ayesnone\", \"Bno3\"]\n[\"Ano1\", \"Bno1\", \"Cno1\"]"},
		{"terms", "sheet hero { ways way many as way; traits trait many as CAPS }\nsheet trait { rating die }\nsheet way { rating die }\nhero Nova { way \"Alone\" d10; FLY d8, RUN d6 }\nhero Brick { LIFT d12 }\nhero Pebble { LIFT d4 }\nlet extra = d10\nrule hero(self) = [x for x in instances(hero) where x.name == \"Pebble\"]\nrule pick_any(self, list) = list[1]\nrule word_of(x) = if x == none then \"-\" else if x.is(trait) or x.is(way) then x.name else x\nrule told(l) = [\"{word_of(t[1])} {t[2]}\" for t in l].join(\", \")\nverb roll (pool terms) { clause vs: vs (foe hero) (theirs terms of foe)\ndo { print told(pool); if vs { print told(theirs) } } }\nNova: roll \"Alone\" + FLY d4 + 2d6 + DUST d8\nNova: roll RUN vs Brick LIFT + d8\nNova: roll extra + d4 vs any hero LIFT + MUD d6\nNova: roll d4 vs Brick 2d6 + LIFT",
			"Alone none, FLY d4, - d6, - d6, DUST d8\nRUN none\nLIFT none, - d8\nd10 none, - d4\nLIFT none, MUD d6\n- d4\n- d6, - d6, LIFT none"},
		{"terms that somebody else lends", "sheet hero { traits trait many as CAPS }\nsheet trait { rating number }\nhero Nova { RUN 3 }\nhero Beginner { SWIM 0 }\nrule other_part(x, name) = Beginner.part(name)\nverb roll (pool terms) { do { print [\"{t[1].name} {t[1].rating}\" for t in pool].join(\", \") } }\nNova: roll RUN + SWIM", "RUN 3, SWIM 0"},
		{"a block for somebody", "sheet hero { traits trait many as CAPS; n number }\nsheet trait { rating number }\nhero Nova { RUN 3 }\nhero Brick { RUN 1 }\nverb step (t trait) { do { who.n += t.rating } }\nverb everybody { block; do { for x in instances(hero) { run block for x } } }\nverb nobody_in_particular (x hero) { block; do { run block\nrun block for x } }\neverybody { step RUN; Brick: step RUN }\nprint [Nova.n, Brick.n]\nnobody_in_particular Nova { print (who == none) }", "[3, 3]\nyes\nno"},
		{"what new makes lasts until its statement ends", "sheet side { n number }\nlet s = new side(n: 3)\nprint (s == none)\nlet l = []\nrepeat 1 { let t = new side(n: 4); l = [t]; print t.n }\nprint (l == none)\nl = [1] + [new side()]\nprint (l == none)", "yes\n4\nyes\nyes"},
		{"offers", "sheet hero { oomph number 0.. = 1; n number }\nhero Nova {}\nverb try { do { offer again to Nova \"Again?\" costs 1 oomph default yes { Nova.n += 1 } else { Nova.n += 10 } } }\ntry\ntry\nNova.n\nNova.oomph", "11\n0"},
		{"answers", "sheet hero { n number }\nhero Nova {}\nverb try { do { offer again to Nova \"Again?\" { Nova.n += 1 }\nlet c = choose pick by Nova from [4, 5, 6]\nNova.n += c } }\nanswers yes 3\ntry\nNova.n", "7"},
		{"tactics", "sheet hero { n number }\nhero Nova {}\nverb bad { do { refuse \"no\" } }\nverb good { do { Nova.n += 1 } }\nverb go { do { act Nova } }\ntactics Nova { when n > 5: bad; otherwise: bad; otherwise: good; on pick: 6 }\nverb try { do { Nova.n += choose pick by Nova from [4, 5, 6] } }\ngo\ntry\nNova.n", "7"},
		{"tactics answer with an option or not at all", "sheet hero { n number }\nhero Nova {}\ntactics Nova { on pick: 6 }\nverb try { do { Nova.n += choose pick by Nova from [4, 5] default 5 } }\ntry\nNova.n", "5"},
		{"refused", "sheet hero { n number 0..3 }\nhero Nova {}\nrefused \"above 3\" { Nova.n = 2; Nova.n = 4 }\nNova.n", "0"},
		{"options", "option style = plain | fancy \"how\"\nstyle\noption style = fancy\nstyle", "fancy\nfancy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := values(t, interp.Config{}, c.text)
			if err != nil {
				t.Fatal(failed(err))
			}
			if got != c.want {
				t.Errorf("it prints\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestFilesBesideTheScript(t *testing.T) {
	folder := fstest.MapFS{
		"more.scene":  {Data: []byte("let gold = 5\nrule double(n) = n * 2")},
		"tiny.rules":  {Data: []byte("system tiny \"Tiny\"\noption bonus = 1 | 2 \"what is added\"\nrule plus(n) = n + bonus")},
		"harsh.rules": {Data: []byte("variant harsh of tiny \"Harsh\"\noption bonus = 2\nrule plus(n) = base.plus(n) * 10")},
	}
	for _, c := range []struct{ text, want, wrong string }{
		{"include \"more.scene\"\ndouble(gold)", "10", ""},
		{"use tiny\nplus(1)", "2", ""},
		// what a script calls its variables changes nothing in modules, but all it declares itself sees them
		{"use tiny\nlet bonus = 5\nlet n = 7\nplus(1)", "2", ""},
		{"use tiny\nlet gold = 5\nrule more(x) = x + gold\nmore(1)", "6", ""},
		{"use tiny\nlet gold = 5\nrule plus(n) = base.plus(n) + gold\nplus(1)", "7", ""},
		{"use tiny with bonus = 2\nplus(1)", "3", ""},
		{"use tiny with harsh\nplus(1)", "30", ""},
		{"use harsh\nplus(1)", "30", ""},
		{"include \"../secret\"", "", "folder of the script"},
		{"include \"/etc/passwd\"", "", "folder of the script"},
		{"include \"mroe.scene\"", "", "there is no file mroe.scene"},
		{"include \"more.scene\"\ninclude \"more.scene\"", "", "included already"},
		{"use tyni", "", "there is no system tyni"},
		{"use tiny with bonus = 7", "", "bonus cannot be 7"},
		{"use tiny with bnous = 1", "", "there is no option bnous"},
		{"use tiny with tiny.opt.bonus = 2\nplus(1)", "3", ""},
		{"use tiny with tiny.opt.bnous = 2", "", "there is no option tiny.opt.bnous"},
		{"use tiny with bonus", "", "bonus is an option and needs a value"},
	} {
		got, err := values(t, interp.Config{Folder: folder}, c.text)
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %s", c.text, failed(err))
		case c.wrong == "" && got != c.want:
			t.Errorf("%s: prints %s, want %s", c.text, got, c.want)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %v, want %q", c.text, err, c.wrong)
		}
	}
}

// A rule that returns, or a loop that is left, from within a group of the
// transcript closes the group.
func TestGroupsAreClosed(t *testing.T) {
	var out bytes.Buffer
	text := transcript.NewText(&out, transcript.Options{})
	s := interp.NewSession(interp.Config{Events: text.Event})
	err := s.Exec(context.Background(), lang.NewSource("", `rule f(x) { show check "f" { if x > 1 { return 2 }; outcome low } ; return 1 }
for i in [1, 2] { print f(i) }
for i in [1, 2] { show check "g" { if i == 1 { next } else { stop } } }
print "behind"
`))
	if err := errors.Join(err, text.Flush()); err != nil {
		t.Fatal(err)
	}
	const want = "f\n  outcome                low\n1\nf\n2\ng\ng\nbehind\n"
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What nobody reads is done all the same: values that a script works out, and
// what a module sets up when odds take it into use.
func TestUnreadIsDone(t *testing.T) {
	mods := fstest.MapFS{"tools/tools.rules": {Data: []byte(`system tools "Tools"
sheet box { nails nail many as CAPS; n number }
sheet nail { rating number }
box Chest { BIG 4 }
rule put_away(x) { Chest.n += x }
`)}}
	text := "use tools\ndice 5 3\nput_away(Chest.part(\"BIG\").rating)\nprint throw d6\nreport Chest.n, (throw d6).face"
	s := interp.NewSession(interp.Config{Modules: mods})
	o, err := odds.Of(t.Context(), s, lang.NewSource("", text), odds.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Ends) != 1 || strings.Join(o.Ends[0].Shown, " ") != "4 3" {
		t.Errorf("odds end with %v", o.Ends)
	}
}

// Odds know what blocks will read that a verb is still to be given, or runs again.
func TestOddsOfBlocks(t *testing.T) {
	mods := fstest.MapFS{"tools/tools.rules": {Data: []byte(`system tools "Tools"
spans scene > fight
sheet game { n number per scene; m number }
game Table { }
verb part {
  block
  do { begin fight; run block; end fight }
}
verb twice {
  block
  do { run block; run block }
}
`)}}
	for _, c := range []struct{ text, want string }{
		{"part { part { Table.m = 3; print throw d6 }; part { report Table.m } }", "3 1"},
		{"twice { Table.n += Table.m; Table.m = 1; print throw d6; Table.m = Table.m + (throw d2).face }\nreport Table.n", "2 1/2, 3 1/2"},
		{"outcome won margin 5\nfor i in 1..2 { part { print throw d4 } }\npart { report last.margin }", "5 1"},
	} {
		s := interp.NewSession(interp.Config{Modules: mods})
		o, err := odds.Of(t.Context(), s, lang.NewSource("", "use tools\n"+c.text), odds.Config{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range o.Ends {
			got = append(got, strings.Join(e.Shown, " ")+" "+e.Exact.RatString())
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.text, s, c.want)
		}
	}
}
