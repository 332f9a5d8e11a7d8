package editor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/lang/late"
)

// Action is a change that may be wanted at a place. Where Changes is nil, Work finds them, in any
// goroutine.
type Action struct {
	Title   string
	Problem *Problem // that it ends; nil for none
	Changes []Change
	Work    func(context.Context) []Change
}

// Actions lists the changes that may be wanted between two places of a document: for what is wrong in
// their lines, and for the number at the first of them.
func (w *Workspace) Actions(name string, start, end int) []Action {
	d := w.Open(name)
	if d == nil || strings.HasPrefix(name, Shipped) {
		return nil
	}
	var out []Action
	start = max(0, min(start, len(d.Text))) // what was asked for may be of another text
	end = max(start, min(end, len(d.Text)))
	from, to := strings.LastIndex(d.Text[:start], "\n")+1, len(d.Text)
	if i := strings.Index(d.Text[end:], "\n"); i >= 0 {
		to = end + i
	}
	for _, p := range w.Problems(name, false) {
		if p.End < from || p.Start > to {
			continue
		}
		problem := p
		if p.Fix != nil {
			out = append(out, Action{Title: titleOf(p.Fix.New), Problem: &problem, Changes: []Change{*p.Fix}})
		}
		for _, c := range w.choices(d, p) {
			out = append(out, Action{Title: titleOf(c.New), Problem: &problem, Changes: []Change{c}})
		}
		for _, c := range w.declaring(d, p) {
			out = append(out, Action{Title: "declare " + strings.TrimSpace(strings.TrimSuffix(c.New, "{ }\n\n")) + " here", Problem: &problem, Changes: []Change{c}})
		}
	}
	return append(out, w.tunings(d, start)...)
}

func titleOf(text string) string {
	if text = strings.TrimSpace(text); text == "}" {
		return "close the { with a }"
	}
	return "write " + text
}

// choices gives the changes of which a message leaves the choice to the writer: the words that name
// somebody who takes part, or the systems that know a word where none is in use.
func (w *Workspace) choices(d *Document, p Problem) (out []Change) {
	if _, list, ok := strings.Cut(p.Help, "to say who takes part write "); ok {
		for _, word := range kinds().FindAllStringSubmatch(list, -1) {
			out = append(out, Change{p.Place, word[1]})
		}
		return out
	}
	s := d.at(p.Start)
	if s == nil || !strings.HasSuffix(p.Help, "begin with  use NAME") {
		return nil
	}
	at := Place{d.Name, s.start(), s.start()}
	for _, t := range assist.Help(s.session(), d.Text[p.Start:p.End]) {
		c := Change{at, "use " + t.Module + "\n"}
		if kind, _, _ := strings.Cut(t.Kind, " "); (kind == "sheet" || kind == "verb") && t.Module != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// kinds is how a message lists words with what they are.
var kinds = late.Regexp(`([a-z_]+) \(`)

// declaring gives the changes that declare somebody whom a message misses: one for each sheet that they
// may have.
func (w *Workspace) declaring(d *Document, p Problem) (out []Change) {
	_, form, ok := strings.Cut(p.Help, "declare it first:  ")
	forms := []string{form}
	if _, after, several := strings.Cut(p.Help, "declare it first: write  "); several {
		var sheets string
		if sheets, form, ok = strings.Cut(after, "  before  "); ok {
			forms = nil
			for _, sheet := range strings.Split(strings.Replace(sheets, " or ", ", ", 1), ", ") {
				forms = append(forms, sheet+" "+form)
			}
		}
	}
	s := d.at(p.Start)
	if !ok || s == nil || !strings.Contains(form, "{ … }") {
		return nil
	}
	at := int32(p.Start - s.shift)
	tree, _ := lang.Parse(s.src)
	for _, st := range tree.Stmts {
		if r := st.Range(); r.Start <= at && at <= r.End {
			off := int(r.Start) + s.shift
			for _, form := range forms {
				out = append(out, Change{Place{d.Name, off, off}, strings.Replace(form, "{ … }", "{ }", 1) + "\n\n"})
			}
			return out
		}
	}
	return nil
}

// tuned are the chances to which a number can be tuned, in per cent.
var tuned = []int{40, 50, 60, 75}

// tunings offer to change a number so that the goal of the script gets a chance.
func (w *Workspace) tunings(d *Document, off int) []Action {
	s := d.at(off)
	if s == nil || s.wrong {
		return nil
	}
	word, ok := s.wordAt(int32(off - s.shift))
	if !ok || word.Kind != lang.NumberToken {
		return nil
	}
	now, err := strconv.Atoi(word.Text)
	if err != nil {
		return nil
	}
	src, config, shift := s.src, s.frozen(w), s.shift
	if s.check(); s.diags.Errors() {
		return nil
	}
	var out []Action
	for _, percent := range tuned {
		out = append(out, Action{Title: fmt.Sprintf("tune this number to %d %%", percent), Work: func(ctx context.Context) []Change {
			best, ok := tune(ctx, config, src, word, now, float64(percent)/100)
			if !ok {
				return nil
			}
			return []Change{{Place{d.Name, int(word.Start) + shift, int(word.End) + shift}, strconv.Itoa(best)}}
		}})
	}
	return out
}

// tuneTime is how long tuning a number may take.
const tuneTime = 6 * time.Second

// tune tries the numbers around one, the nearest first, and gives the one with which the chance of
// what the script is about comes nearest to the one wanted.
func tune(ctx context.Context, config interp.Config, src *lang.Source, word lang.Token, now int, wanted float64) (best int, ok bool) {
	const around = 8
	ctx, cancel := context.WithTimeout(ctx, tuneTime)
	defer cancel()
	least := math.Inf(1)
	for i := range 2*around + 1 {
		n := now + (i+1)/2*(1-2*(i%2))
		if n < 0 {
			continue
		}
		changed := src.Edited(lang.Edit{Span: word.Span, New: strconv.Itoa(n)})
		o, err := assist.OutlineOf(ctx, interp.NewSession(config), changed)
		if err != nil || len(o.Played) == 0 {
			continue
		}
		c := oddsAt(ctx, config, changed, int(o.Played[len(o.Played)-1].Start))
		if c == nil {
			continue
		}
		if far := math.Abs(c.Value - wanted); far < least {
			best, least, ok = n, far, true
		}
	}
	return best, ok
}
