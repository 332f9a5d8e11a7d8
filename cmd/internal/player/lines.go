package player

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// Lines is an Asker that writes prompts to one stream and reads answers from
// another, a line each. It reads ahead, so whatever else wants to read there
// has to be done.
type Lines struct {
	out   io.Writer
	in    io.Reader
	echo  bool
	lines chan string
}

// NewLines returns Lines. Nothing is read before the first question. With echo
// answers are written behind their questions, where no terminal does that.
func NewLines(in io.Reader, out io.Writer, echo bool) *Lines {
	return &Lines{out: out, in: in, echo: echo}
}

// Ask implements Asker.
func (l *Lines) Ask(ctx context.Context, prompt string) (string, error) {
	if l.lines == nil {
		l.lines = make(chan string)
		go l.read()
	}
	if _, err := fmt.Fprint(l.out, prompt); err != nil {
		return "", err
	}
	select {
	case line, ok := <-l.lines:
		if !ok {
			fmt.Fprintln(l.out)
			return "", ErrGone
		}
		if l.echo {
			fmt.Fprintln(l.out, line)
		}
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (l *Lines) read() {
	defer close(l.lines)
	s := bufio.NewScanner(l.in)
	for s.Scan() {
		l.lines <- s.Text()
	}
}
