package lang

import "testing"

func TestMentioned(t *testing.T) {
	for _, tt := range []struct{ command, message, want string }{
		{"Nova: attack Fang with CLAWS", "Fang is not in this scene", "Fang"},
		{"Nova: attack Fang with KUNG_FU", "Nova has lost KUNG FU", "KUNG_FU"},
		{"Nova: attack Fang with KUNG_FU", "KUNG_FU of Fang is shut down", "KUNG_FU"},
		{"Nova: attack Fang with CLAWS", "Nova cannot act", "Nova"},
		{`"Sludge Lord": attack Nova`, "Sludge Lord is out", `"Sludge Lord"`},
		{"Nova: attack Fang", "Novas attack Fangs", ""},
		{"attack Fang with CLAWS", "no such thing", ""},
		{`scene "Roof" { Nova: attack Fang }`, "Fang is out", ""},
		{"Nova: attack Nova", "Nova cannot react to Nova", "Nova"},
		{"Nova: attack Fang with NET", "Nova has no asset NET", "NET"},
		{"Nova: attack Fang", "Nova has no luck", ""},
		{"Nova: attack Fang", "Fang has left the scene", "Fang"},
		{"Nova: attack Fang", "that costs Nova 2 points", ""},
		{"Nova: attack Fang hard 3", "3 is not challenging", "3"},
		{"Nova: attack Fang hard 3", "that costs 3 points", ""},
		{"Nova: attack Fang with AB", "ABC or CAB", ""},
	} {
		src := NewSource("", "print 1\n"+tt.command+"\nprint 2")
		at, ok := Mentioned(Span{Src: src, Start: 8, End: int32(8 + len(tt.command))}, tt.message)
		got := ""
		if ok {
			got = src.Text[at.Start:at.End]
		}
		if got != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.command, tt.message, got, tt.want)
		}
	}
}
