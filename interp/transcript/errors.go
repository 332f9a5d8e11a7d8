package transcript

import (
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
		p := problem(run.Diag, kindName(run.Kind))
		p.Rule = run.Rule
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

func kindName(k interp.ErrorKind) string {
	switch k {
	case interp.Refused:
		return "refused"
	case interp.Expected:
		return "expect"
	case interp.Limit:
		return "limit"
	case interp.BadDie:
		return "dice"
	case interp.Cancelled:
		return "cancelled"
	case interp.Failed:
		return "failed"
	}
	panic("transcript: unknown kind of error")
}
