package evening

import "testing"

func TestSpelled(t *testing.T) {
	for entry, want := range map[string]string{
		"d12":                 "(throw d12).sum",
		"2d6 + 1d4 - 1":       "(throw 2d6).sum + (throw 1d4).sum - 1",
		"(d6)":                "((throw d6).sum)",
		"throw 2d6":           "throw 2d6",
		"roll d6":             "roll d6",
		"d12.sides":           "d12.sides",
		"last":                "_",
		"last.total":          "last.total",
		"print last + 1":      "print _    + 1",
		"3":                   "3",
		"let a = 2d6":         "let a = 2d6",
		"d6\nd8":              "d6\nd8",
		`print "last {last}"`: `print "last {_   }"`,
	} {
		if got := Spelled(entry); got != want {
			t.Errorf("%q is spelled %q, not %q", entry, got, want)
		}
	}
}
