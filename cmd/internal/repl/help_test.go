package repl

import (
	"fmt"
	"strings"
	"testing"

	"setpiece/cmd/internal/style"
	"setpiece/interp/assist"
)

// The colon may be left out before help, unless the rules have a verb of that name.
func TestHelpWithoutColon(t *testing.T) {
	with, _ := talk(t, nil, "use tiny", ":help roll")
	without, _ := talk(t, nil, "use tiny", "help roll")
	if want := strings.Replace(with, ":help roll", "help roll", 1); without != want {
		t.Errorf("help roll gives\n%s\nand :help roll\n%s", without, with)
	}
	all, _ := talk(t, nil, "help")
	if strings.Contains(all, "there is no verb") || !strings.Contains(all, ":undo [N]") {
		t.Errorf("help gives\n%s", all)
	}
	own, _ := talk(t, nil, `verb help (what word) { do { print "helped {what}" } }`, "help roll", "help roll again")
	if !strings.Contains(own, "helped roll") {
		t.Errorf("a verb of the rules is not used:\n%s", own)
	}
}

func TestHelpOnWords(t *testing.T) {
	got, _ := talk(t, nil, "use tiny", "person Ann { }", "let n = 3",
		":help roll", ":help luck", ":help ones", ":help Ann", ":help otherwise", ":help sorted", ":help n", ":help rol", ":options ones", ":options one")
	for _, want := range []string{
		":help roll\nroll   verb   tiny\n  WHO: roll …\n  throws a d12 and adds it up\n    twice   with two dice\n",
		":help luck\nluck   field of person   tiny\n  luck number 0.. = 2\n  pays for doubling\n",
		":help ones\nones   option   tiny\n  option ones = kept\n  whether a 1 counts\n  now: kept\n  values\n    kept   unless another is chosen\n    lost\n",
		":help Ann\nAnn   person\n  somebody who counts\n",
		":help otherwise\notherwise   word\n  otherwise: COMMAND\n",
		":help sorted\nsorted   function\n  list.sorted, or sorted(list)\n",
		"n   variable\n  a variable of the script\n  now: 3\n",
		":help rol\nno help on rol   did you mean roll?\n",
		":options ones\nones   option   tiny\n",
		":options one\nthere is no option one   did you mean ones?\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("never saw %q in\n%s", want, got)
		}
	}
}

// Completions that the screen has no room for are listed a page at a time: 23 of ten
// columns in 12 lines, of which 8 are for the list.
func TestMenuInPages(t *testing.T) {
	var list []assist.Completion
	for i := range 23 {
		list = append(list, assist.Completion{Text: fmt.Sprintf("word_%02d", i)})
	}
	first, page := menu(list, 0, style.Palette{}, 22, 12)
	if page != 16 || !strings.HasPrefix(first, "  word_00  word_08\n") || !strings.HasSuffix(first, "  word_07  word_15\n  and 7 more: Tab goes on to them; a letter or two of the word leaves fewer\n") {
		t.Errorf("%d of\n%s", page, first)
	}
	second, _ := menu(list, page, style.Palette{}, 22, 12)
	if second != "  word_16  word_20\n  word_17  word_21\n  word_18  word_22\n  word_19\n" {
		t.Error(second)
	}
	if all, n := menu(list[:8], 0, style.Palette{}, 22, 12); n != 8 || strings.Count(all, "\n") != 8 {
		t.Errorf("%d of\n%s", n, all)
	}
}
