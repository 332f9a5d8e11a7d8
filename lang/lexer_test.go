package lang

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
)

func TestLexer(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"# only a comment", ""},
		{"roll X", "Word:roll Name:X EOL"},
		{"AB A Ab A_b A1 AB_1 a_B", "Caps:AB Name:A Name:Ab Name:A_b Name:A1 Caps:AB_1 Bad:a_B EOL"},
		{"Élan ÉTÉ été", "Name:Élan Caps:ÉTÉ Word:été EOL"},
		{"d6 3d6 d% 2d% d6x d", "Dice:d6 Dice:3d6 Dice:d% Dice:2d% Word:d6x Word:d EOL"},
		{"1 0.25 55% 1..4 3.x 3x 2d", "Num:1 Num:0.25 Num:55% Num:1 Op:.. Num:4 Num:3 Op:. Word:x Bad:3x Bad:2d EOL"},
		{"d12+, d12++, d12+} d12+;", "Dice:d12+ Op:, Dice:d12++ Op:, Dice:d12+ Op:} Dice:d12+ EOL;"},
		{"d12+\nb", "Dice:d12+ EOL Word:b EOL"},
		{"d12+ to X == d12+", "Dice:d12+ Word:to Name:X Op:== Dice:d12+ EOL"},
		{"d12+3 d12+ 3 d12+d6 d12+ d6", "Dice:d12 Op:+ Num:3 Dice:d12 Op:+ Num:3 Dice:d12 Op:+ Dice:d6 Dice:d12 Op:+ Dice:d6 EOL"},
		{"d12+n d12+(n) d12+ FLY d12+-3 d12++3", "Dice:d12 Op:+ Word:n Dice:d12 Op:+ Op:( Word:n Op:) Dice:d12 Op:+ Caps:FLY Dice:d12 Op:+ Op:- Num:3 Dice:d12 Op:+ Op:+ Num:3 EOL"},
		{"d12+ + 3 d12 + 3", "Dice:d12+ Op:+ Num:3 Dice:d12 Op:+ Num:3 EOL"},
		{"3d6+ d%+", "Dice:3d6 Op:+ Dice:d% Op:+"},
		{`"a {b("c")} \" d" "x`, `Text:"a {b("c")} \" d" Bad:"x EOL`},
		{"f(x) f (x) x[1] x [1]", "Word:f Call:( Word:x Op:) Word:f Op:( Word:x Op:) Word:x Index:[ Num:1 Op:] Word:x Op:[ Num:1 Op:] EOL"},
		{"a -5 a - 5 a-5 -5", "Word:a Sign:- Num:5 Word:a Op:- Num:5 Word:a Op:- Num:5 Sign:- Num:5 EOL"},
		{"9.. x 1 .. 2 1..2 ..3", "Num:9 Open:.. Word:x Num:1 Op:.. Num:2 Num:1 Op:.. Num:2 Op:.. Num:3 EOL"},
		{"a\nb", "Word:a EOL Word:b EOL"},
		{"a\n\n\nb\n", "Word:a EOL* Word:b EOL"},
		{"a\n# c\nb", "Word:a EOL Word:b EOL"},
		{"a\n# c\n\nb", "Word:a EOL* Word:b EOL"},
		{"a; b", "Word:a EOL; Word:b EOL"},
		{"a,\nb +\nc =\nd and\ne", "Word:a Op:, Word:b Op:+ Word:c Op:= Word:d Word:and Word:e EOL"},
		{"9..\na", "Num:9 Open:.. EOL Word:a EOL"},
		{"f(\na\n)\n[\n1]", "Word:f Call:( Word:a Op:) EOL Op:[ Num:1 Op:] EOL"},
		{"x\nelse y", "Word:x Word:else Word:y EOL"},
		{"x\nelse => y", "Word:x EOL Word:else Op:=> Word:y EOL"},
		{"x\nelsewhere", "Word:x EOL Word:elsewhere EOL"},
		{"f(\nlet x = 1", "Word:f Call:( EOL Word:let Word:x Op:= Num:1 EOL"},
		{"f(a {\nb }", "Word:f Call:( Word:a Op:{ EOL Word:b Op:} EOL"},
		{"{ f(a }\nb", "Op:{ Word:f Call:( Word:a Op:} EOL Word:b EOL"},
		{"(a]\nb", "Op:( Word:a Op:] EOL Word:b EOL"},
		{"a,", "Word:a Op:,"},
		{"a\r\nb\r\n", "Word:a EOL Word:b EOL"},
		{"\uFEFFa", "Word:a EOL"},
		{"a \xff b", "Word:a Bad:\xff Word:b EOL"},
		{"@a.b", "Op:@ Word:a Op:. Word:b EOL"},
	}
	names := lexer.SymbolsByRune(lexicon{})
	for _, tt := range tests {
		var got []string
		for _, tok := range scan(tt.text, 0, len(tt.text), false, nil, nil).list {
			switch {
			case tok.EOF():
			case tok.Type != kindEOL:
				got = append(got, names[tok.Type]+":"+tok.Value)
			case tok.Value == "\n":
				got = append(got, "EOL")
			case tok.Value == "\n\n":
				got = append(got, "EOL*")
			default:
				got = append(got, "EOL"+tok.Value)
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, s, tt.want)
		}
	}
}

func TestLexiconServesParticiple(t *testing.T) {
	lex, err := lexicon{}.Lex("x", strings.NewReader("roll d6 # c"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := lexer.ConsumeAll(lex)
	if err != nil || len(list) != 4 || list[1].Type != kindDice || list[1].Pos.Column != 6 {
		t.Errorf("got %v, %v", list, err)
	}
}
