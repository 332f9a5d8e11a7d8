package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// MaxMessage bounds a message, in bytes: a whole evening has to fit into one.
const MaxMessage = 64 << 20

// lines is a stream of messages, each a JSON object on a line of its own. What is none is answered
// here, with an error that has no id, and the next line is read.
type lines struct {
	in    *bufio.Reader
	ended func() // is called at the end of the input, before anybody is told

	mu  sync.Mutex
	out io.Writer
}

var errLong = fmt.Errorf("this message is longer than %d MiB", MaxMessage>>20)

// ReadObject implements jsonrpc2.ObjectStream.
func (l *lines) ReadObject(v any) error {
	for {
		line, err := l.next()
		code := int64(jsonrpc2.CodeInvalidRequest)
		switch {
		case errors.Is(err, errLong):
		case len(bytes.TrimSpace(line)) > 0:
			if code, err = decode(line, v); err == nil {
				return nil
			}
		case err != nil:
			l.ended()
			return err
		default:
			continue
		}
		l.WriteObject(struct {
			Version string          `json:"jsonrpc"`
			ID      *int            `json:"id"`
			Error   *jsonrpc2.Error `json:"error"`
		}{"2.0", nil, &jsonrpc2.Error{Code: code, Message: err.Error()}})
	}
}

// decode reads a message.
func decode(line []byte, v any) (code int64, err error) {
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	json.Unmarshal(line, &head)
	err = json.Unmarshal(line, v)
	switch {
	case !json.Valid(line):
		return jsonrpc2.CodeParseError, err
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		return jsonrpc2.CodeInvalidRequest, errors.New("a message is an object: there are no batches")
	case len(head.ID) > 0 && head.ID[0] != '"' && (len(head.ID) > 18 || strings.Trim(string(head.ID), "0123456789") != ""):
		return jsonrpc2.CodeInvalidRequest, errors.New("an id is a text, or a whole number of at most 18 digits")
	}
	return jsonrpc2.CodeInvalidRequest, err
}

// next reads a line. Of one that is too long nothing is kept.
func (l *lines) next() (line []byte, err error) {
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errLong
		default:
			return line, err
		}
	}
}

// WriteObject implements jsonrpc2.ObjectStream.
func (l *lines) WriteObject(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(b.Bytes())
	return err
}

// Close implements jsonrpc2.ObjectStream.
func (l *lines) Close() error { return nil }
