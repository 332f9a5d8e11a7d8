package serve

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

func invalid(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// over says that a question is not the one that is open.
func over(open *evening.Query) error {
	e := &jsonrpc2.Error{Code: CodeOver, Message: "that question is over"}
	if open != nil {
		e.SetError(Trouble{Question: &open.ID})
	} else {
		e.SetError(Trouble{})
	}
	return e
}

// noAnswer says why something is no answer to the question that is open.
func noAnswer(err error) error {
	t := Trouble{Problems: transcript.Problems(err)}
	e := &jsonrpc2.Error{Code: CodeNoAnswer, Message: t.says(err)}
	e.SetError(t)
	return e
}

// asError is an error as a message.
func asError(err error) *jsonrpc2.Error {
	var message *jsonrpc2.Error
	var refused *evening.Refused
	switch {
	case errors.As(err, &message):
		return message
	case errors.As(err, &refused):
		return &jsonrpc2.Error{Code: CodeRefused, Message: err.Error()}
	}
	t := Trouble{Problems: transcript.Problems(err), Stays: evening.Stays(err)}
	var failed *evening.Failed
	if errors.As(err, &failed) {
		t.Redo = failed.Redo == evening.ToQuestion || failed.Redo == evening.ToAnswer
	}
	code := int64(CodeScript)
	var run *interp.RunError
	if errors.As(err, &run) && run.Kind == interp.Cancelled || errors.Is(err, context.Canceled) {
		code = CodeCancelled
	}
	e := &jsonrpc2.Error{Code: code, Message: t.says(err)}
	e.SetError(t)
	return e
}

// says is an error in words, without where it is.
func (t Trouble) says(err error) string {
	if len(t.Problems) > 0 {
		return t.Problems[0].Message
	}
	return err.Error()
}
