package lang

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestLimits wants an answer, and soon, for texts that are made to hurt.
func TestLimits(t *testing.T) {
	t.Parallel()
	chain := 99
	if longTests {
		chain = 999 // the longest that is read
	}
	const n = 8_000
	tests := map[string]struct {
		text string
		want string // the first message begins with it; "" if there is none
	}{
		"parentheses":        {strings.Repeat("(", n), "this is nested too deeply"},
		"lists":              {"roll " + strings.Repeat("[", n), "this is nested too deeply"},
		"blocks":             {strings.Repeat("{", n), "this is nested too deeply"},
		"blocks with heads":  {strings.Repeat("if a {\n", n), "this is nested too deeply"},
		"just deep enough":   {strings.Repeat("(", maxNesting) + "1" + strings.Repeat(")", maxNesting), ""},
		"signs":              {"1 " + strings.Repeat("- ", n) + "1", "this is nested too deeply"},
		"nots":               {strings.Repeat("not ", n) + "1", "this is nested too deeply"},
		"throws":             {strings.Repeat("throw ", n) + "d6", "this is nested too deeply"},
		"ifs":                {"let x = " + strings.Repeat("if a then ", n), "this is nested too deeply"},
		"elses":              {"let x = " + strings.Repeat("if a then b else ", n) + "c", "this is nested too deeply"},
		"else if":            {"if a { }" + strings.Repeat(" else if a { }", n), "more than 1000"},
		"sums":               {"let x = 1" + strings.Repeat(" + 1", n), "more than 1000"},
		"dots":               {"x" + strings.Repeat(".x", n), "more than 1000"},
		"calls":              {"x" + strings.Repeat(".x()", n), "more than 1000"},
		"annotations":        {strings.Repeat("@a ", n) + "x", "more than 1000"},
		"annotated lines":    {strings.Repeat("@a\n", n) + "x", "more than 1000"},
		"ranges":             {"let x = " + strings.Repeat("..", n) + "1", "this is nested too deeply"},
		"texts in texts":     {strings.Repeat(`"{`, n), `this text has no closing "`},
		"escaped quotes":     {`"{` + strings.Repeat(`\"`, n), `this text has no closing "`},
		"braces in a text":   {`"` + strings.Repeat(`{`, n) + `"`, `this text has no closing "`},
		"escapes":            {`print "` + strings.Repeat(`\q`, n) + `"`, `\q means nothing`},
		"parts of a text":    {`print "` + strings.Repeat(`{x}`, n) + `"`, ""},
		"arguments":          {"roll" + strings.Repeat(" x -1", n), ""},
		"elements":           {"[" + strings.Repeat("x, ", n) + "]", ""},
		"statements":         {strings.Repeat("roll x; ", n), ""},
		"mistakes":           {strings.Repeat("let = 3; ", n), "expected a name"},
		"mistakes in lines":  {strings.Repeat("x = = 3\n", n), "expected a value"},
		"stray closers":      {strings.Repeat(")\n", n), ") has no ( before it"},
		"stray braces":       {strings.Repeat("}", n), "} has no { before it"},
		"mismatches":         {strings.Repeat("f(]\n", n), ""},
		"open lists":         {strings.Repeat("let x = [\n", n), "expected a value"},
		"the deepest tree":   {strings.Repeat("(", maxNesting) + "1" + strings.Repeat(")"+strings.Repeat(".x", chain)+strings.Repeat("+1", chain), maxNesting), ""},
		"colons":             {strings.Repeat("(a", n/10) + strings.Repeat(": ", n), "this is nested too deeply"},
		"a long word":        {strings.Repeat("x", n) + " = = 1", "expected a value"},
		"empty lines":        {strings.Repeat("\n", n) + ")", ") has no ( before it"},
		"comments":           {strings.Repeat("# x\n", n) + "x", ""},
		"comments in a list": {"let x = [" + strings.Repeat("1, # x\n", n) + "]", ""},
		"a number":           {strings.Repeat("9", n) + "d" + strings.Repeat("9", n), ""},
		"garbage":            {strings.Repeat("\x00\xff!§", n), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, diags := Parse(NewSource("", tt.text))
			switch {
			case tt.want == "" && len(diags) > 0 && name != "mismatches" && name != "garbage":
				t.Errorf("unexpected: %s", diags[0])
			case tt.want != "" && (len(diags) == 0 || !strings.HasPrefix(diags[0].Message, tt.want)):
				t.Errorf("wanted %q, got %v", tt.want, diags)
			}
			if len(diags) > maxMistakes+1 {
				t.Errorf("%d messages", len(diags))
			}
			diags.Format(Palette{})
			Print(f)
			Walk(f, func(Node) bool { return true })
		})
	}
}

// A long source is given up wherever its context ends, and another one is parsed after it.
func TestParseStops(t *testing.T) {
	src := NewSource("", strings.Repeat("print 1\n", 60_000))
	for delay := time.Duration(0); delay < 60*time.Millisecond; delay += 3 * time.Millisecond {
		ctx, end := context.WithTimeout(context.Background(), delay)
		f, _, err := ParseContext(ctx, src)
		end()
		if err == nil && len(f.Stmts) != 60_000 {
			t.Errorf("%d statements after %v, and nothing stopped it", len(f.Stmts), delay)
		}
		if f, diags := Parse(NewSource("", "print 2\n")); len(f.Stmts) != 1 || len(diags) > 0 {
			t.Fatalf("the next is parsed to %d statements, with %v", len(f.Stmts), diags)
		}
	}
}
