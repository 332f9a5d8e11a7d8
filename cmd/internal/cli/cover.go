package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/handbook"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp/transcript"
	"setpiece/interp/verify"
)

// jsonCover is what tests play of a system.
type jsonCover struct {
	transcript.Record
	System string          `json:"system"`
	Rules  []jsonCoverRule `json:"rules"`
	Files  []jsonCoverFile `json:"files"`
}

type jsonCoverRule struct {
	ID string   `json:"id"`
	By []string `json:"by"` // the scripts that play it
	transcript.Place
}

type jsonCoverFile struct {
	File   string `json:"file"`
	Wholly []int  `json:"played"` // lines
	Partly []int  `json:"partly"`
	Never  []int  `json:"never"`
}

// tellCover prints what tests have played, or writes it as a page.
func (a *app) tellCover(c *verify.Cover, to string, asJSON bool) error {
	if to != "-" {
		if err := files.Write(to, &a.seen, func(f *files.Output) error { return handbook.WriteCover(f, c, filepath.Dir(to)) }); err != nil {
			return badFile(to, err)
		}
	}
	for _, s := range c.Systems {
		switch {
		case len(s.Rules) == 0:
			// There for others to include.
		case asJSON:
			a.object(coverObject(s))
		default:
			a.coverText(s, to == "-")
		}
	}
	return nil
}

func coverObject(s *verify.SystemCover) jsonCover {
	out := jsonCover{Record: transcript.Record{Event: "cover"}, System: s.System, Rules: []jsonCoverRule{}, Files: []jsonCoverFile{}}
	for _, r := range s.Rules {
		out.Rules = append(out.Rules, jsonCoverRule{r.ID, append([]string{}, r.By...), transcript.PlaceOf(r.At)})
	}
	for _, f := range s.Files {
		out.Files = append(out.Files, jsonCoverFile{f.Source.Name, f.Which(verify.Wholly), f.Which(verify.Partly), f.Which(verify.Never)})
	}
	return out
}

// coverText prints how much is played of a system and, if all is to be told, what is not.
func (a *app) coverText(s *verify.SystemCover, all bool) {
	sum := s.Sum()
	fmt.Fprintf(a.out, "%s: %s of %s rules are played, %s of %s lines\n", s.System,
		render.Thousands(int64(sum.Rules)), render.Thousands(int64(sum.AllRules)), render.Thousands(int64(sum.Lines)), render.Thousands(int64(sum.AllLines)))
	if !all {
		return
	}
	var rules, lines [][]string
	for _, r := range s.Rules {
		if len(r.By) == 0 {
			rules = append(rules, []string{"  " + r.ID, style.On(a.palette().Faint, r.Doc)})
		}
	}
	for _, f := range s.Files {
		if never := f.Which(verify.Never); len(never) > 0 {
			lines = append(lines, []string{"  " + path.Base(f.Source.Name), lineRanges(never)})
		}
	}
	a.coverList("no test plays these rules:", rules)
	a.coverList("no test plays these lines:", lines)
}

func (a *app) coverList(title string, rows [][]string) {
	if len(rows) > 0 {
		fmt.Fprintln(a.out, title)
		render.Table(a.out, rows)
	}
}

// lineRanges writes numbers of lines, those that follow one another as a range.
func lineRanges(lines []int) string {
	var out []string
	for i := 0; i < len(lines); {
		j := i
		for j+1 < len(lines) && lines[j+1] == lines[j]+1 {
			j++
		}
		text := fmt.Sprint(lines[i])
		if j > i {
			text += fmt.Sprintf("-%d", lines[j])
		}
		out, i = append(out, text), j+1
	}
	return strings.Join(out, ", ")
}
