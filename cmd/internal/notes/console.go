package notes

import (
	"fmt"
	"strings"
)

// Console gives the text of a fence with commands, each behind "$ " on a line of its own,
// with what run says that they print. A status other than 0 stands on a last line.
func Console(text string, run func(call string) (out string, status int, err error)) (string, error) {
	var now strings.Builder
	for part := range strings.SplitSeq("\n"+strings.ReplaceAll(text, "\r\n", "\n"), "\n$ ") {
		call, _, _ := strings.Cut(part, "\n")
		if call == "" {
			continue
		}
		out, status, err := run(call)
		if err != nil {
			return "", fmt.Errorf("%s: %w", call, err)
		}
		if strings.Contains("\n"+out, "\n$ ") {
			return "", fmt.Errorf("%s: it prints a line that begins with $, which weave would take for a command", call)
		}
		if status != 0 {
			out += fmt.Sprintf("[exit status %d]\n", status)
		}
		now.WriteString("$ " + call + "\n")
		if out = strings.Trim(out, "\n"); out != "" {
			now.WriteString(out + "\n")
		}
	}
	return now.String(), nil
}
