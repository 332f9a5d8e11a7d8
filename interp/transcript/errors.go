package transcript

import (
	"errors"

	"setpiece/interp"
	"setpiece/lang"
)

type jsonError struct {
	jsonHead
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
}

// Error writes what was wrong with a script, or what stopped it: an object for
// each message.
func (j *JSON) Error(err error) {
	var ds lang.Diagnostics
	var run *interp.RunError
	switch {
	case errors.As(err, &ds):
		for _, d := range ds {
			j.write(diagnostic(d, "script"))
		}
	case errors.As(err, &run):
		j.write(diagnostic(run.Diag, kindName(run.Kind)))
	case err != nil:
		j.write(jsonError{jsonHead: errorHead, Severity: "error", Kind: "failed", Message: err.Error()})
	}
}

var errorHead = jsonHead{V: Version, Event: "error"}

func diagnostic(d *lang.Diagnostic, kind string) jsonError {
	e := jsonError{jsonHead: errorHead, Severity: "error", Kind: kind, Message: d.Message, Help: d.Help}
	if d.Severity == lang.Warning {
		e.Severity = "warning"
	}
	if d.Src != nil {
		at := d.Src.Position(int(d.Start))
		e.File, e.Line, e.Column = d.Src.Name, at.Line, at.Rune
	}
	return e
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
