package render

import (
	"fmt"
	"io"
	"strings"

	"setpiece/cmd/internal/style"
	"setpiece/interp/transcript"
)

// Difference is in what two courses of events differ.
type Difference struct {
	transcript.WhatIf
	Was, Would []string // what happened, line by line
}

// The marks of lines that are on one side only, and the room that lines on both sides get.
const (
	markWas   = "was  "
	markWould = "if   "
	markBoth  = "     "
)

// Show writes what differs: lines of what happened, below the lines that they belong to,
// then fields, then which dice were thrown anew.
func (d Difference) Show(w io.Writer, p style.Palette) {
	fmt.Fprintf(w, "instead of: %s\n", transcript.Visible(d.Instead))
	same := true
	shown := map[int]bool{}
	for _, h := range joinHunks(d.Was, hunks(d.Was, d.Would)) {
		same = false
		for _, i := range above(d.Was, h) {
			if !shown[i] {
				fmt.Fprintln(w, style.On(p.Faint, markBoth+d.Was[i]))
				shown[i] = true
			}
		}
		for i, line := range d.Was[h.was:h.wasEnd] {
			shown[h.was+i] = true
			fmt.Fprintln(w, strings.TrimRight(style.On(p.Faint, markWas)+line, " "))
		}
		for _, line := range d.Would[h.would:h.wouldEnd] {
			fmt.Fprintln(w, strings.TrimRight(style.On(p.Title, markWould)+line, " "))
		}
	}
	if len(d.State) > 0 {
		rows := [][]string{{"  how it stands", "was", "if"}}
		for _, f := range d.State {
			rows = append(rows, []string{"  " + transcript.Visible(f.Who+" "+strings.ReplaceAll(f.Field, "_", " ")), orNone(f.Was), orNone(f.Would)})
		}
		Table(w, rows)
	}
	for _, r := range d.Refused {
		fmt.Fprintf(w, "left out, as the rules refuse it then: %s (%s)\n", transcript.Visible(r.Line), transcript.Visible(r.Why))
	}
	switch {
	case same && len(d.State)+len(d.Refused) == 0:
		fmt.Fprintln(w, "nothing differs: the same happens, and everybody stands as before")
	case len(d.State) == 0:
		fmt.Fprintln(w, "everybody stands as before")
	}
	if text := d.dice(); text != "" {
		fmt.Fprintln(w, transcript.Visible(text))
	}
}

func orNone(value *string) string {
	if value == nil {
		return "-"
	}
	return transcript.Visible(*value)
}

// dice says which dice are those that had fallen.
func (d Difference) dice() string {
	text := ""
	switch {
	case d.Again == 1:
		text = "1 die as before"
	case d.Again > 1:
		text = fmt.Sprintf("%d dice as before", d.Again)
	case len(d.Anew) == 0:
		return ""
	default:
		text = "no die that had fallen"
	}
	const most = 6
	switch n := len(d.Anew); {
	case n > most:
		text += fmt.Sprintf("; new dice: %s and %d more", strings.Join(d.Anew[:most], ", "), n-most)
	case n > 0:
		text += "; new dice: " + strings.Join(d.Anew, ", ")
	}
	return text
}

// hunk is a stretch of lines that differ.
type hunk struct{ was, wasEnd, would, wouldEnd int }

// maxLines bounds the square of what is compared line by line.
const maxLines = 4 << 20

// hunks finds where two texts differ: what is left of both beside a longest common
// subsequence of their lines.
func hunks(a, b []string) []hunk {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	n, m := endA-start, endB-start
	if n == 0 && m == 0 {
		return nil
	}
	if n*m > maxLines {
		return []hunk{{start, endA, start, endB}}
	}
	// common[i][j] is how long a common subsequence of what is left from i and j on is.
	common := make([][]int32, n+1)
	for i := range common {
		common[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[start+i] == b[start+j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []hunk
	i, j := 0, 0
	for i < n || j < m {
		h := hunk{was: start + i, would: start + j}
		for i < n || j < m {
			switch {
			case i < n && j < m && a[start+i] == b[start+j]:
			case j == m || i < n && common[i+1][j] >= common[i][j+1]:
				i++
				continue
			default:
				j++
				continue
			}
			break
		}
		h.wasEnd, h.wouldEnd = start+i, start+j
		if h.was < h.wasEnd || h.would < h.wouldEnd {
			out = append(out, h)
		}
		for i < n && j < m && a[start+i] == b[start+j] {
			i++
			j++
		}
	}
	return out
}

// joinHunks makes one of hunks that belong to the same few lines.
func joinHunks(a []string, list []hunk) []hunk {
	var out []hunk
	for _, h := range list {
		if n := len(out); n > 0 && near(a[out[n-1].wasEnd:h.was]) {
			out[n-1].wasEnd, out[n-1].wouldEnd = h.wasEnd, h.wouldEnd
			continue
		}
		out = append(out, h)
	}
	return out
}

// near says whether lines between two hunks are so few that they are shown with both:
// they are rows of one table.
func near(between []string) bool {
	for _, line := range between {
		if indented(line) == 0 || !strings.Contains(strings.TrimSpace(line), "   ") {
			return false
		}
	}
	return len(between) <= 2
}

// above gives the lines that the first of a hunk belongs to, the outermost first: each is
// indented less than what stands below it.
func above(lines []string, h hunk) []int {
	depth := 0
	if h.was < h.wasEnd {
		depth = indented(lines[h.was])
	}
	if h.was == h.wasEnd && h.was > 0 {
		depth = max(indented(lines[h.was-1]), 1)
	}
	var out []int
	for i := h.was - 1; i >= 0 && depth > 0; i-- {
		if k := indented(lines[i]); k < depth && strings.TrimSpace(lines[i]) != "" {
			out = append([]int{i}, out...)
			depth = k
		}
	}
	return out
}

func indented(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
