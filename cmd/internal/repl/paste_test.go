package repl

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// reads hands out what comes in one read each.
type reads []string

func (r *reads) Read(b []byte) (int, error) {
	if len(*r) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*r)[0])
	*r = (*r)[1:]
	return n, nil
}

// CR LF is one Enter, whether it was pasted or typed ahead; an Enter and a later Ctrl-J are
// two. What was typed ahead comes before what comes next.
func TestPasteReader(t *testing.T) {
	long := strings.Repeat("x\r\n", 500) + "y\r"
	for _, c := range []struct {
		reads []string
		ahead string
		want  string
	}{
		{[]string{"ab\r\ncd\r\n"}, "", "ab\rcd\r"},
		{[]string{"ab\r\n\r\ncd\n\n"}, "", "ab\r\rcd\n\n"},
		{[]string{"ab\r", "\n"}, "", "ab\r\n"},
		{[]string{long, "\nz\r\n"}, "", strings.ReplaceAll(long, "\n", "") + "z\r"},
		{[]string{"no\r"}, "y\r\nroll\r\n", "y\rroll\rno\r"},
		{[]string{"\r"}, "é\x1b[D", "é\x1b[D\r"},
	} {
		in := reads(c.reads)
		p := &pasteReader{r: &in}
		p.ahead(c.ahead)
		got, err := io.ReadAll(bufio.NewReader(p))
		if string(got) != c.want || err != nil {
			t.Errorf("%.40q ahead of %.40q is read as %.60q, %v", c.ahead, c.reads, got, err)
		}
	}
}
