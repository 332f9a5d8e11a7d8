package interp_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

var wolves = fstest.MapFS{
	"wood/wood.rules": {Data: []byte(`system wood "Wood"
sheet wolf { size number 0..9 = 1; teeth tooth many as CAPS; hunts truth = no; killed number = 0 }
sheet tooth { rating number }
feature fierce "bites more" on wolf { }
verb bite (n number) "bite 2" { do { who.killed += n } }
verb hunt "everybody acts" without actor { do { for w in instances(wolf) { act w } } }
stock from "stock.rules"
stock wolf Cub "small"
`)},
	"wood/stock.rules": {Data: []byte(`stock wolf "Old Grey" "the leader" [fierce] {
  size 5; FANG 3, CLAW 2
  tactics self { when size > 5: bite 9; otherwise: bite size }
}
`)},
}

// What is in stock is taken with its sheet and its tactics, once or several times, under its own
// name or another, and with other entries in the place of its own.
func TestTakeStock(t *testing.T) {
	s := interp.NewSession(interp.Config{Folder: wolves})
	script := `use wood
stock "Old Grey"
stock Cub x3
stock Pale as "Old Grey" x2 { size 6; CLAW 4 }
stock wolf Red "of this script" { size 2; tactics self { otherwise: bite 1 } }
stock Red
tactics Red { otherwise: bite 7 }
hunt
expect (count w in instances(wolf)) == 7
expect "Old Grey".size == 5 and "Old Grey".has(fierce) and "Old Grey".FANG.rating == 3
expect Cub.size == 3 and "Cub 3".size == 1 and "Cub 3".killed == 0
expect "Pale 2".size == 6 and "Pale 2".has(fierce)
expect "Pale 2".CLAW.rating == 4 and "Pale 2".FANG.rating == 3
expect "Old Grey".killed == 5 and "Pale 1".killed == 9 and Red.killed == 7
`
	if err := s.Exec(context.Background(), lang.NewSource("a.scene", script)); err != nil {
		t.Error(err)
	}
	for text, declares := range map[string]bool{"stock Cub x2": true, `stock wolf Blue { size 2 }`: true, "hunt": false} {
		if s.Declares(text) != declares {
			t.Errorf("%s declares somebody: %v", text, !declares)
		}
	}
	ds := interp.NewSession(interp.Config{Modules: stdlib.FS}).Check(lang.NewSource("", "use marvel\nvillains \"Armored Enforcer\""))
	if len(ds) != 1 || ds[0].Help != `write  stock "Armored Enforcer"  first` {
		t.Errorf("somebody in stock comes in: %v", ds)
	}
	var names []string
	for _, x := range assist.Stock(s) {
		names = append(names, x.Name+" "+strings.Join(x.Of, "")+" "+x.Module+" "+x.Doc)
	}
	if got, want := strings.Join(names, "; "), "Cub wolf wood small; Red wolf  of this script; Old Grey wolf wood the leader"; got != want {
		t.Errorf("in stock: %s\nwant %s", got, want)
	}
	for line, want := range map[string]string{"stock Ol": `"Old Grey"`, "stock Mine as C": "Cub", "sto": "stock"} {
		if _, list := assist.Complete(s, line, len(line)); !slices.ContainsFunc(list, func(c assist.Completion) bool { return c.Text == want }) {
			t.Errorf("%s does not offer %s: %v", line, want, list)
		}
	}
}

// A word of a system's own comes first, and a file of stock is opened with its system and parsed
// only for who asks.
func TestStockIsReadLate(t *testing.T) {
	broken := fstest.MapFS{
		"own.rules":   {Data: []byte("system own\nsheet shelf { }\nverb stock (n number) \"fills\" without actor { do { print n } }\n")},
		"late.rules":  {Data: []byte("system late\nsheet wolf { }\nstock from \"stock.rules\"\n")},
		"stock.rules": {Data: []byte("stock wolf { {\n")},
	}
	for script, want := range map[string]string{
		"use own; stock 3":     "",
		"use late; wolf Grey":  "stock.rules:1:",
		"use late; stock Grey": "stock.rules:1:",
	} {
		err := interp.NewSession(interp.Config{Folder: broken}).Exec(context.Background(), lang.NewSource("a.scene", script))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
	loaded := interp.NewSession(interp.Config{Modules: stdlib.FS})
	if err := loaded.Exec(context.Background(), lang.NewSource("", "use marvel")); err != nil {
		t.Fatal(err)
	}
	if x := loaded.InUse()[0]; !slices.Contains(x.Files, "stock.rules") {
		t.Errorf("the files of marvel are %v, without its stock", x.Files)
	}
}
