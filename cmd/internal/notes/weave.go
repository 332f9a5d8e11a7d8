package notes

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"setpiece/lang"
)

// Weaver makes what Weave writes.
type Weaver struct {
	// Result makes a result in Markdown.
	Result func(*Job) (string, error)

	// Made names what a result was made with that is not in the note: systems from elsewhere, each a
	// word. A result stays as it is where only that has changed. It may be nil.
	Made func(*Job) []string

	// Gets says whether a fence of a script gets a result that the front matter asks for.
	Gets func(s *Script, f *Fence, what string) (bool, error)

	// Fill gives what should stand in fences of other kinds, by kind: in those with
	// commands and what they print. A kind that is not there is prose.
	Fill map[string]func(n *Note, f *Fence) (string, error)
}

// Job is one result that a fence asks for.
type Job struct {
	Note   *Note
	Script *Script
	Fence  *Fence
	What   string // one of Results
	at     lang.Extent
}

// Option gives what the fence, or else the front matter, says for a word.
func (j *Job) Option(key string) (value string, ok bool) {
	for _, list := range [][]Word{j.Fence.Words, j.Note.Front.Words} {
		if i := slices.IndexFunc(list, func(w Word) bool { return w.Key == key }); i >= 0 {
			return list[i].Value, true
		}
	}
	return "", false
}

// Options are the words that say how a result is made, as they were written.
func (j *Job) Options() string {
	var words []string
	for _, key := range optionsOf(j.What) {
		if v, ok := j.Option(key); ok {
			words = append(words, key+"="+v)
		}
	}
	return strings.Join(words, " ")
}

// Wrong is an error with the place where the fence asks for the result.
func (j *Job) Wrong(format string, args ...any) error {
	return lang.Diagnostics{j.Note.wrong(j.at, "", "", format, args...)}
}

// Woven is a note with its results.
type Woven struct {
	Text  string
	Stale lang.Diagnostics // what was not as it should be, in words; empty where Text is the note as it was
}

// Weave gives a note with the results that it asks for. What could not be made, or is not
// to be touched, is among the diagnostics and stays as it was.
func (n *Note) Weave(w *Weaver) (*Woven, lang.Diagnostics) {
	p := &weaving{Weaver: w, note: n, of: map[*Fence]*Script{}}
	for _, s := range n.Scripts() {
		for _, f := range s.Fences {
			p.of[f] = s
		}
	}
	regions := n.regions
	for i, f := range n.Fences {
		end := len(n.Text)
		if i+1 < len(n.Fences) {
			end = n.Fences[i+1].Open.Start
		}
		for len(regions) > 0 && regions[0].Start < f.Open.Start {
			p.orphan(regions[0])
			regions = regions[1:]
		}
		var below []region
		at := f.Close.End
		for len(regions) > 0 && regions[0].End <= end && strings.Trim(n.Text[at:regions[0].Start], " \t\r\n>") == "" {
			below, at, regions = append(below, regions[0]), regions[0].End, regions[1:]
		}
		if f.Kind == language {
			p.under(f, below, lang.Extent{Start: f.Close.End, End: at})
			continue
		}
		for _, r := range below {
			p.orphan(r)
		}
		p.inside(f)
	}
	for _, r := range regions {
		p.orphan(r)
	}
	p.diags.Sort()
	p.stale.Sort()
	return &Woven{p.out.String() + n.Text[p.at:], p.stale}, p.diags
}

type weaving struct {
	*Weaver
	note  *Note
	of    map[*Fence]*Script
	out   strings.Builder
	at    int // up to here the note has been taken over
	stale lang.Diagnostics
	diags lang.Diagnostics
}

// replace puts a text in place of a stretch of the note, behind all others.
func (p *weaving) replace(x lang.Extent, text string) {
	p.out.WriteString(p.note.Text[p.at:x.Start] + text)
	p.at = x.End
}

func (p *weaving) old(at lang.Extent, format string, args ...any) {
	p.stale = append(p.stale, p.note.wrong(at, "", "", format, args...))
}

// fail adds an error; one without a place is about what stands at at.
func (p *weaving) fail(at lang.Extent, err error) {
	var ds lang.Diagnostics
	if errors.As(err, &ds) {
		for _, d := range ds {
			if !slices.ContainsFunc(p.diags, func(e *lang.Diagnostic) bool { return e.Error() == d.Error() }) {
				p.diags = append(p.diags, d)
			}
		}
		return
	}
	p.diags = append(p.diags, p.note.wrong(at, "", "", "%s", err.Error()))
}

// changed is told where a person wrote between marks. That is theirs.
func (p *weaving) changed(r region) {
	p.diags = append(p.diags, p.note.wrong(r.open, "SP0819", "move your words out of the marks, or delete both marks", "weave did not write all that stands below this mark, so it changes nothing here"))
}

// orphan takes away a result that no fence asks for.
func (p *weaving) orphan(r region) {
	if !p.note.intact(r) {
		p.changed(r)
		return
	}
	p.old(r.open, "no fence asks for this result")
	start := r.Start
	if before := p.note.lineAt(max(start-1, 0)); start > 0 && before.Start >= p.at && strings.Trim(p.note.Text[before.Start:before.End], " \t\r\n>") == "" {
		start = before.Start
	}
	p.replace(lang.Extent{Start: start, End: r.End}, "")
}

// under writes what stands under a fence, in the place of what stands there now.
func (p *weaving) under(f *Fence, below []region, place lang.Extent) {
	for _, r := range below {
		if !p.note.intact(r) {
			p.changed(r)
			return
		}
	}
	jobs, err := p.jobs(f)
	if err != nil {
		p.fail(f.at, err)
		return
	}
	var out strings.Builder
	if p.note.Text[place.Start-1] != '\n' {
		out.WriteString(f.eol)
	}
	made := 0
	for _, j := range jobs {
		text, err := p.Result(j)
		if err != nil {
			p.fail(j.at, err)
		}
		i := slices.IndexFunc(below, func(r region) bool { return r.what == j.What })
		if text == "" && i < 0 {
			continue
		}
		made++
		if text == "" { // it stays as it was
			out.WriteString(f.line("") + strings.TrimRight(p.note.Text[below[i].Start:below[i].End], "\r\n") + f.eol)
			continue
		}
		text = "\n" + strings.Trim(text, "\n") + "\n\n"
		switch {
		case i < 0:
			p.old(j.at, "%s is not woven yet", j.What)
		case below[i].digest == digest(text):
			out.WriteString(f.line("") + strings.TrimRight(p.note.Text[below[i].Start:below[i].End], "\r\n") + f.eol)
			continue
		default:
			p.old(j.at, "%s is out of date", j.What)
		}
		out.WriteString(f.line(""))
		words := []string{j.What}
		if p.Made != nil {
			words = append(words, p.Made(j)...)
		}
		out.WriteString(f.line(fmt.Sprintf("%s%s %s -->", markOpens, strings.Join(words, " "), digest(text))))
		for line := range strings.Lines(text) {
			out.WriteString(f.line(strings.TrimRight(line, "\n")))
		}
		out.WriteString(f.line(markCloses))
	}
	for _, r := range below {
		if !slices.ContainsFunc(jobs, func(j *Job) bool { return j.What == r.what }) {
			p.old(r.open, "no fence asks for this result")
		}
	}
	if made > 0 && place.End == len(p.note.Text) && len(below) > 0 && !strings.HasSuffix(p.note.Text, "\n") {
		p.replace(place, strings.TrimSuffix(out.String(), f.eol))
		return
	}
	if made > 0 || len(below) > 0 {
		p.replace(place, out.String())
	}
}

// line is a line as it stands below the fence.
func (f *Fence) line(text string) string { return strings.TrimRight(f.prefix+text, " \t") + f.eol }

// jobs are the results that a fence asks for, by its own words or by those of the front
// matter.
func (p *weaving) jobs(f *Fence) (jobs []*Job, err error) {
	s := p.of[f]
	if s == nil {
		return nil, nil // its file begins anew further down
	}
	own := slices.ContainsFunc(f.Words, func(w Word) bool { return slices.Contains(Results, w.Key) })
	words := f.Words
	if !own && !s.Wrong && !s.File {
		words = p.note.Front.Words
	}
	for _, what := range Results {
		i := slices.IndexFunc(words, func(w Word) bool { return w.Key == what })
		if i < 0 {
			continue
		}
		j := &Job{Note: p.note, Script: s, Fence: f, What: what, at: words[i].At}
		if !own {
			j.at = f.at
			gets, err := p.Gets(s, f, what)
			if err != nil {
				return nil, err
			}
			if !gets {
				continue
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// inside writes what stands in a fence of another kind.
func (p *weaving) inside(f *Fence) {
	fill := p.Fill[f.Kind]
	if fill == nil {
		return
	}
	text, err := fill(p.note, f)
	if err != nil {
		p.fail(f.at, err)
		return
	}
	now := strings.ReplaceAll(p.note.Inside(f), "\r\n", "\n")
	if text == now {
		return
	}
	line := 0
	for line < len(f.Lines) && strings.HasPrefix(text, firstLines(now, line+1)) {
		line++
	}
	at := f.at
	if line < len(f.Lines) {
		l := f.Lines[line]
		at = lang.Extent{Start: l.Start, End: l.Start + len(strings.TrimRight(p.note.Text[l.Start:l.End], "\r\n"))}
	}
	p.old(at, "this is not what the command prints now")
	signs := p.note.Text[f.signs.Start:f.signs.End]
	place, longer := lang.Extent{Start: f.Open.End, End: f.Close.Start}, unclosed(signs, text)
	if longer != signs {
		p.replace(f.signs, longer)
		place.End = f.Close.End
	}
	var out strings.Builder
	for l := range strings.Lines(text) {
		out.WriteString(f.line(strings.TrimRight(l, "\n")))
	}
	if longer != signs {
		out.WriteString(f.line(longer))
	}
	p.replace(place, out.String())
}

// unclosed gives the signs of a fence, or so many more that no line of a text closes it.
func unclosed(signs, text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if n := len(line) - len(strings.TrimLeft(line, signs[:1])); n >= len(signs) {
			signs = strings.Repeat(signs[:1], n+1)
		}
	}
	return signs
}

// firstLines is a text up to the end of its line n.
func firstLines(text string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	return text[:at]
}

// digest is a short number that tells texts apart.
func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8] }

// intact says whether a result is as weave wrote it.
func (n *Note) intact(r region) bool {
	first := n.lineAt(r.Start)
	prefix := n.Text[first.Start:r.open.Start]
	var b strings.Builder
	for line := range strings.Lines(n.Text[r.body.Start:r.body.End]) {
		line = strings.TrimRight(line, "\r\n")
		inner, ok := strings.CutPrefix(line, prefix)
		switch {
		case ok:
			b.WriteString(inner)
		case line != strings.TrimRight(prefix, " \t"): // which is an empty line
			return false
		}
		b.WriteByte('\n')
	}
	return digest(b.String()) == r.digest
}
