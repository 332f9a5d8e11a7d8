package transcript

import (
	"cmp"
	"errors"

	"setpiece/interp"
	"setpiece/interp/verify"
	"setpiece/lang"
)

type jsonError struct {
	Record
	Problem
}

// Problem is what was wrong with a script, or what stopped it.
type Problem struct {
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	EndLine  int    `json:"end_line,omitempty"`
	EndCol   int    `json:"end_column,omitempty"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Fix      *Fix   `json:"fix,omitempty"`
}

// Fix is a change that would help: text in the place of what stands in the file. Lines and
// columns count as those of a Problem.
type Fix struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_column"`
	Text    string `json:"text"`
}

// Error writes what was wrong with a script, or what stopped it: a record for each
// message.
func (j *JSON) Error(err error) {
	for _, p := range Problems(err) {
		j.Write(jsonError{Record{Event: "error"}, p})
	}
}

// Problems lists the messages of an error.
func Problems(err error) []Problem {
	if list := verify.Each(err); len(list) > 1 {
		var out []Problem
		for _, e := range list {
			out = append(out, Problems(e)...)
		}
		return out
	}
	var ds lang.Diagnostics
	var run *interp.RunError
	switch {
	case errors.As(err, &ds):
		var out []Problem
		for _, d := range ds {
			out = append(out, problem(d, "script"))
		}
		return out
	case errors.As(err, &run):
		kind, code := kindOf(run.Kind)
		p := problem(run.Diag, kind)
		p.Rule, p.Code = run.Rule, cmp.Or(p.Code, code)
		return []Problem{p}
	case err != nil:
		return []Problem{{Severity: "error", Kind: "failed", Message: err.Error()}}
	}
	return nil
}

func problem(d *lang.Diagnostic, kind string) Problem {
	p := Problem{Severity: "error", Kind: kind, Code: d.Code, Message: d.Message, Help: d.Help}
	if d.Severity == lang.Warning {
		p.Severity = "warning"
	}
	if s := d.Span.Shown(); s.Src != nil {
		at := s.Src.Position(int(s.Start))
		p.File, p.Line, p.Column = s.Src.Name, at.Line, at.Rune
		end := s.Src.Position(int(max(s.Start, s.End)))
		p.EndLine, p.EndCol = end.Line, end.Rune
	}
	if fix, ok := d.Fix(); ok && fix.Span.Shown() == fix.Span {
		from, to := fix.Src.Position(int(fix.Start)), fix.Src.Position(int(fix.End))
		p.Fix = &Fix{from.Line, from.Rune, to.Line, to.Rune, fix.New}
	}
	return p
}

// What stopped a run has the code of its kind: what a rule or a script says itself has no form.
const (
	codeRefused   = "SP0901"
	codeExpected  = "SP0902"
	codeLimit     = "SP0903"
	codeDice      = "SP0904"
	codeCancelled = "SP0905"
	codeFailed    = "SP0906"
)

// kindOf gives the name of a kind of error, and its code.
func kindOf(k interp.ErrorKind) (name, code string) {
	switch k {
	case interp.Refused:
		return "refused", codeRefused
	case interp.Expected:
		return "expect", codeExpected
	case interp.Limit:
		return "limit", codeLimit
	case interp.BadDie:
		return "dice", codeDice
	case interp.Cancelled:
		return "cancelled", codeCancelled
	case interp.Failed:
		return "failed", codeFailed
	}
	panic("transcript: unknown kind of error")
}
