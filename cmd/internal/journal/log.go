package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Text is a named text: a script, or a file it includes.
type Text struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// View is how a run was told.
type View struct {
	JSON  bool `json:"json,omitempty"`
	Trace bool `json:"trace,omitempty"`
	Quiet bool `json:"quiet,omitempty"`
}

// Log is one run.
type Log struct {
	Program string
	Seed    uint64
	Set     map[string]string
	View    View
	LeftOK  bool // dice left over are no failure
	Asked   bool // a person decided, and not the defaults
	Source  Text
	Files   []Text // what the script took from its own folder
	Faces   []int  // that fell, in order, besides those the script itself gives
	Answers []int  // to decisions, likewise
	Left    []int  // faces given from outside that were not used
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
}

type logLine struct {
	Source *Text   `json:"source,omitempty"`
	File   *Text   `json:"file,omitempty"`
	Fell   *logEnd `json:"fell,omitempty"`
}

type logEnd struct {
	Faces   []int `json:"faces"`
	Answers []int `json:"answers"`
	Left    []int `json:"left,omitempty"`
}

const program = "setpiece"

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	lines := []any{
		logHead{Version, program, l.Program, l.Seed, l.Set, l.View, l.LeftOK, l.Asked},
		logLine{Source: &l.Source},
	}
	for i := range l.Files {
		lines = append(lines, logLine{File: &l.Files[i]})
	}
	lines = append(lines, logLine{Fell: &logEnd{l.Faces, l.Answers, l.Left}})
	for _, line := range lines {
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// ReadLog reads a log. Errors name the line at fault.
func ReadLog(r io.Reader) (*Log, error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	var head logHead
	if !s.Scan() || json.Unmarshal(s.Bytes(), &head) != nil || head.Log != program {
		return nil, errors.New("line 1: this is no log of a run")
	}
	if head.V != Version {
		return nil, fmt.Errorf("line 1: the log has version %d; this program reads version %d", head.V, Version)
	}
	l := &Log{Program: head.Program, Seed: head.Seed, Set: head.Set, View: head.View, LeftOK: head.LeftOK, Asked: head.Asked}
	complete := false
	for n := 2; s.Scan(); n++ {
		var line logLine
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		complete = l.take(line) || complete
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if !complete {
		return nil, errors.New("the log is cut off: what fell is missing")
	}
	return l, nil
}

func (l *Log) take(line logLine) (end bool) {
	switch {
	case line.Source != nil:
		l.Source = *line.Source
	case line.File != nil:
		l.Files = append(l.Files, *line.File)
	case line.Fell != nil:
		l.Faces, l.Answers, l.Left = line.Fell.Faces, line.Fell.Answers, line.Fell.Left
		return true
	}
	return false
}

// maxLine bounds a line of a log or a journal; a line holds a whole script.
const maxLine = 64 << 20
