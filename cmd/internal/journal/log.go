package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"setpiece/interp"
	"setpiece/interp/evening"
)

// Text is a named text: a script, or a file it includes.
type Text = evening.File

// View is how a run was told.
type View struct {
	JSON  bool `json:"json,omitempty"`
	Trace bool `json:"trace,omitempty"`
	Quiet bool `json:"quiet,omitempty"`
	Brief bool `json:"brief,omitempty"`
}

// Log is one run.
type Log struct {
	Program string
	Seed    uint64
	Set     map[string]string
	View    View
	LeftOK  bool // dice left over are no failure
	Asked   bool // a person decided, and not the defaults
	Threw   bool // a person threw the dice, but for the first
	Cut     bool // the run was left before it was over
	Source  Text
	Files   []Text // what the script took from its own folder
	Turns   bool   // a person was asked for commands
	Record  interp.Record
	Systems []evening.System // in use at its end
	Left    []int            // faces given from outside that were not used
}

type logHead struct {
	V       int               `json:"v"`
	Log     string            `json:"log"`
	Program string            `json:"program"`
	Seed    uint64            `json:"seed"`
	Set     map[string]string `json:"set,omitempty"`
	View    View              `json:"view"`
	LeftOK  bool              `json:"left_ok,omitempty"`
	Asked   bool              `json:"asked,omitempty"`
	Threw   bool              `json:"threw,omitempty"`
	Given   int               `json:"given,omitempty"` // dice from outside, of a log of before
	Turns   bool              `json:"turns,omitempty"`
}

type logLine struct {
	Source *Text   `json:"source,omitempty"`
	File   *Text   `json:"file,omitempty"`
	Fell   *logEnd `json:"fell,omitempty"`
}

type logEnd struct {
	lists
	Record  interp.Record    `json:"record,omitempty"`
	Left    []int            `json:"left,omitempty"`
	Cut     bool             `json:"cut,omitempty"`
	Systems []evening.System `json:"systems,omitempty"`
}

const program = "setpiece"

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	records := []any{
		logHead{Version, program, l.Program, l.Seed, l.Set, l.View, l.LeftOK, l.Asked, l.Threw, 0, l.Turns},
		logLine{Source: &l.Source},
	}
	for i := range l.Files {
		records = append(records, logLine{File: &l.Files[i]})
	}
	records = append(records, logLine{Fell: &logEnd{Record: l.Record, Left: l.Left, Cut: l.Cut, Systems: l.Systems}})
	var c chain
	for _, r := range records {
		line, next, err := c.next(r)
		if err == nil {
			_, err = w.Write(line)
		}
		if err != nil {
			return err
		}
		c = next
	}
	return nil
}

// ReadLog reads a log. Errors name the line at fault. The records stand in the
// order in which Write writes them: the head, the source, files, and what fell,
// which ends it.
func ReadLog(r io.Reader) (*Log, error) {
	data, err := readFile(r)
	if err != nil {
		return nil, err
	}
	line, rest, whole := bytes.Cut(data, []byte("\n"))
	var head logHead
	var c chain
	if err := readLogHead(line, whole, &head, &c); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	l := &Log{Program: head.Program, Seed: head.Seed, Set: head.Set, View: head.View, LeftOK: head.LeftOK, Asked: head.Asked, Threw: head.Threw, Turns: head.Turns}
	for n := 2; ; n++ {
		if len(rest) == 0 {
			return nil, errors.New("the log is cut off: its dice are missing")
		}
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		var r logLine
		err := c.read(line, &r)
		if err == nil {
			err = l.take(r, n, head.Given)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Fell == nil {
			continue
		}
		if len(rest) > 0 {
			return nil, fmt.Errorf("line %d: the log ends before it", n+1)
		}
		return l, nil
	}
}

// readLogHead reads the first line, as readHead does that of a journal.
func readLogHead(line []byte, whole bool, h *logHead, end *chain) error {
	var mark struct {
		V   int    `json:"v"`
		Log string `json:"log"`
	}
	if !whole || json.Unmarshal(line, &mark) != nil || mark.Log != program {
		return errors.New("this is not a log of a run")
	}
	if mark.V != Version {
		return fmt.Errorf("the log has version %d; this program reads version %d", mark.V, Version)
	}
	return end.read(line, h)
}

// take takes what line n of a log says.
func (l *Log) take(r logLine, n, given int) error {
	has := 0
	for _, set := range []bool{r.Source != nil, r.File != nil, r.Fell != nil} {
		if set {
			has++
		}
	}
	switch {
	case has != 1 || (r.Source != nil) != (n == 2):
		return errors.New("expected the script in line 2, then the files, then the dice")
	case r.Source != nil:
		l.Source = *r.Source
	case r.File != nil:
		l.Files = append(l.Files, *r.File)
	case given < 0:
		return fmt.Errorf("%d dice were given", given)
	case len(r.Fell.Faces) < given:
		return errors.New("fewer dice were thrown than given")
	default:
		l.Record, l.Left, l.Cut, l.Systems = r.Fell.Record, r.Fell.Left, r.Fell.Cut, r.Fell.Systems
		if l.Record == nil {
			l.Record = r.Fell.thrown(given, l.Left, l.Threw)
		}
	}
	return nil
}
