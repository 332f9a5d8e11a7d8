package lang

import (
	"slices"
	"strings"

	"setpiece/lang/late"
)

// CodePage explains a message: the form of it, and in Markdown what it means with a script that
// shows it and one that does not.
type CodePage struct{ Code, Title, Text string }

// CodePages lists the pages by their codes.
func CodePages() []CodePage {
	var out []CodePage
	for _, s := range strings.Split("\n"+Codes, "\n## SP")[1:] {
		head, text, _ := strings.Cut(s, "\n")
		number, title, _ := strings.Cut(head, " ")
		out = append(out, CodePage{"SP" + number, title, strings.TrimSpace(text)})
	}
	return out
}

// Page is the page of a code as a text of its own.
func (p CodePage) Page() string { return "# " + p.Code + ": " + p.Title + "\n\n" + p.Text + "\n" }

// PageOf gives the page of a code.
func PageOf(code string) (CodePage, bool) {
	all := CodePages()
	i := slices.IndexFunc(all, func(p CodePage) bool { return p.Code == code })
	if i < 0 {
		return CodePage{}, false
	}
	return all[i], true
}

// ---- warnings that a script allows ------------------------------------------

// A comment allows warnings on its line, or on the line below if it has its own:
//
//	let spare = 3   # allow SP0101: the second part reads it
//
// What is an error cannot be allowed.

// warnings begins the codes of all messages that are warnings.
const warnings = "SP01"

var allowing = late.Regexp(`^\s*allow((?:[\s,]+SP\w*)+)\s*(?::\s*(\S.*))?$`)

// Allows says whether the text of a comment allows warnings with a code, and says why.
func Allows(comment, code string) bool {
	m := allowing().FindStringSubmatch(comment)
	return m != nil && m[2] != "" && slices.Contains(codeIn().FindAllString(m[1], -1), code)
}

// allowance is a code that a comment allows, at the code, for a line.
type allowance struct {
	at   Span
	line int
	code string
	why  string
	used bool
}

// allowances lists what the comments of a source allow.
func allowances(src *Source) []*allowance {
	if src == nil || !strings.Contains(src.Text, "allow") {
		return nil
	}
	var out []*allowance
	toks, comments := Tokens(src)
	for _, c := range comments {
		m := allowing().FindStringSubmatchIndex(c.Text)
		if m == nil {
			continue
		}
		line := src.Position(int(c.Start)).Line
		if k, _ := slices.BinarySearchFunc(toks, c.Start, func(t Token, at int32) int { return int(t.Start - at) }); ownLine(src, c) && k < len(toks) {
			for k < len(toks) && toks[k].Kind == LineToken {
				k++
			}
			if k < len(toks) {
				line = src.Position(int(toks[k].Start)).Line
			}
		}
		start, why := int(c.End)-len(c.Text), ""
		if m[4] >= 0 {
			why = c.Text[m[4]:m[5]]
		}
		for _, at := range codeIn().FindAllStringIndex(c.Text[m[2]:m[3]], -1) {
			from := start + m[2] + at[0]
			span := Span{src, int32(from), int32(start + m[2] + at[1])}
			out = append(out, &allowance{at: span, line: line, code: src.Text[span.Start:span.End], why: why})
		}
	}
	return out
}

var codeIn = late.Regexp(`SP\w*`)

// ownLine says whether a comment has a line of its own.
func ownLine(src *Source, c Comment) bool {
	before := src.Text[:c.Start]
	return strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == ""
}

// Allowed leaves out the warnings that comments in their sources allow, and warns of comments of
// src that allow what cannot be allowed. strict also warns of those that allow nothing: the
// messages must be all that there are.
func (ds Diagnostics) Allowed(src *Source, strict bool) Diagnostics {
	all := map[*Source][]*allowance{src: allowances(src)}
	out := slices.DeleteFunc(slices.Clone(ds), func(d *Diagnostic) bool {
		if d.Severity == Error || d.Src == nil {
			return false
		}
		if _, ok := all[d.Src]; !ok {
			all[d.Src] = allowances(d.Src)
		}
		silent := false
		for _, a := range all[d.Src] {
			if a.code == d.Code && a.line == d.Src.Position(int(d.Start)).Line {
				a.used, silent = true, true
			}
		}
		return silent
	})
	for _, a := range all[src] {
		if d := a.wrong(strict); d != nil {
			d.Span, d.Severity = a.at, Warning
			out = append(out, d)
		}
	}
	return out
}

// ofOdds are the warnings that only odds give for sure: whether others come to them is a matter of effort.
const ofOdds = "SP0140 SP0141 SP0142"

// wrong says what is wrong with an allowance.
func (a *allowance) wrong(strict bool) *Diagnostic {
	_, known := PageOf(a.code)
	switch {
	case !known:
		var codes []string
		for _, p := range CodePages() {
			codes = append(codes, p.Code)
		}
		d := &Diagnostic{Code: "SP0138", Message: "there is no code " + a.code}
		if near, ok := Nearest(a.code, codes); ok {
			d.Help = "did you mean " + near + "?"
		}
		return d
	case !strings.HasPrefix(a.code, warnings):
		return &Diagnostic{Code: "SP0137", Message: a.code + " is an error, and only warnings can be allowed"}
	case a.why == "":
		return &Diagnostic{Code: "SP0139", Message: "this does not say why", Help: "write  # allow " + a.code + ": why it is meant"}
	case strict && !a.used && !strings.Contains(ofOdds, a.code):
		return &Diagnostic{Code: "SP0136", Message: "nothing here gives " + a.code, Help: "delete this comment"}
	}
	return nil
}
