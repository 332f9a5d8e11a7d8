// Package report shows what package interp finds out of an encounter: as text for a
// terminal, and as a page of HTML that needs no network and no script. Both show the
// same sections, which are made here once: a figure stands in one as in the other.
package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/interp/danger"
	"setpiece/interp/dist"
)

// Part is a report with what it is called: the script, or the script with something else.
type Part struct {
	Name   string
	Report *danger.Report
	Ends   []string // the transcripts of its ends
	Run    string   // the options and the file with which  setpiece run  plays it; "": it cannot
}

// Page is what a reader sees.
type Page struct {
	Title  string
	Files  []string
	Intro  string
	Beside *Section // of several parts: their figures beside each other
	Parts  []PagePart
	Foot   string
}

// PagePart is one script.
type PagePart struct {
	Letter, Name string // "" where there is one part
	ID           string // begins the ids of its sections
	Lead         []Lead
	Sections     []*Section
}

// Lead is a figure that stands at the top.
type Lead struct {
	Key, Words, Figure, Note string
	P                        float64 // -1: it is no chance
	Low, High                float64 // its interval
}

// Section is one subject.
type Section struct {
	ID, Title, Intro string
	Blocks           []Block
}

// Block is a table, a chart or a text.
type Block struct {
	Caption string
	Head    []string
	Rows    []Row
	Fan     []danger.SwingStep // drawn above the rows
	Tornado bool               // the rows have bars on both sides of Middle
	Middle  float64
	Text    string   // a transcript, or a script
	Command string   // that shows the same
	Words   []string // paragraphs
	Small   bool     // it is there to be looked up
}

// Row is a line of a table. A bar belongs to its last cell.
type Row struct {
	Cells  []string
	Bar    float64 // 0 to 1, -1 where there is none
	From   float64 // of a tornado: the bar is from here to Bar
	Strong bool    // it stands out among the others
	Key    string  // names the figure, for those who read the page by program
	Value  float64

	Figures []*danger.Estimate // of scripts beside each other: what the cells behind the first show, nil where that is nothing
}

// Make makes a page. Of several parts pairs has what came of trials with the same dice.
func Make(parts []Part, pairs *danger.Beside) *Page {
	first := parts[0].Report
	p := &Page{Title: titleOf(first)}
	for _, x := range parts {
		if name := filepath.Base(x.Report.Source.Name); !slices.Contains(p.Files, name) {
			p.Files = append(p.Files, name)
		}
	}
	for i, x := range parts {
		part := PagePart{Name: x.Name, Lead: lead(x.Report)}
		if len(parts) > 1 {
			part.Letter = string(rune('A' + i))
			part.ID = strings.ToLower(part.Letter) + "-"
		}
		for _, s := range sections(x) {
			if s != nil {
				s.ID = part.ID + s.ID
				part.Sections = append(part.Sections, s)
			}
		}
		p.Parts = append(p.Parts, part)
	}
	if len(parts) > 1 {
		p.Beside = beside(parts, pairs)
	}
	p.Foot = foot(parts)
	return p
}

// Pairs makes trials of several parts with the same dice.
func Pairs(ctx context.Context, parts []Part) (*danger.Beside, error) {
	var list []*danger.Report
	for _, p := range parts {
		list = append(list, p.Report)
	}
	return danger.PairReports(ctx, list)
}

// titleOf is the name of the file in words.
func titleOf(r *danger.Report) string {
	name := filepath.Base(r.Source.Name)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	words := strings.Join(strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' || c == ' ' }), " ")
	if words == "" || name == "e" {
		return "Encounter"
	}
	return upper(words)
}

func foot(parts []Part) string {
	r := parts[0].Report
	s := fmt.Sprintf("± holds in 95 of 100 cases. Seed %d. The same figures: setpiece report --trials %d", r.Seed, r.Trials)
	if r.Seed != 0 {
		s += fmt.Sprintf(" --seed %d", r.Seed)
	}
	if len(parts) == 1 && parts[0].Run != "" {
		s += " " + parts[0].Run
	}
	return s + ". More trials, or --time, make them more exact."
}

// ---- figures --------------------------------------------------------------

func percent(p float64) string { return strconv.FormatFloat(100*p, 'f', 1, 64) + " %" }

// figure shows a chance with what it is worth.
func figure(f danger.Estimate) string {
	if f.Over > 0 {
		return percent(f.P) + " ± " + strconv.FormatFloat(100*f.Half, 'f', 1, 64)
	}
	return render.Percent(f.P, f.P == 0 || f.P == 1)
}

// number shows a mean.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// atMost says how many trials shares are from, and how much each of them may be off.
func atMost(trials ...int64) string {
	least, most := slices.Min(trials), slices.Max(trials)
	from := render.Thousands(most)
	if least < most {
		from = render.Thousands(least) + " to " + from
	}
	return fmt.Sprintf("from %s trials, each share ± %.1f at most", from, 100*dist.Half(least/2, least))
}

// meanOf is a mean with what it is worth, which for no trials is that it is exact.
func meanOf(l *dist.Distribution, trials int64) string {
	if trials == 0 {
		return number(l.Mean())
	}
	return number(l.Mean()) + " ± " + number(l.MeanHalf(trials))
}

// scale is how a goal is written: a chance in percent and points, or a mean. What is from no
// trials is exact.
type scale struct{ number bool }

func scaleOf(g danger.ReportGoal) scale { return scale{g.Number} }

func (s scale) value(x, half float64, trials int64) string {
	if s.number {
		return number(x) + s.half(half, trials)
	}
	return percent(x) + s.half(half, trials)
}

// by is how far something moves it.
func (s scale) by(x, half float64, trials int64) string {
	show := fmt.Sprintf("%+.1f", 100*x)
	if s.number {
		show = fmt.Sprintf("%+.2f", x)
	}
	return strings.Replace(show, "-", "−", 1) + s.half(half, trials)
}

// between gives the 95 % interval of a value.
func (s scale) between(x, half float64, trials int64) string {
	switch {
	case trials == 0:
		return s.value(x, 0, 0)
	case s.number:
		return number(x-half) + " to " + number(x+half)
	}
	return fmt.Sprintf("%.0f to %.0f %%", 100*max(0, x-half), 100*min(1, x+half))
}

func (s scale) half(half float64, trials int64) string {
	switch {
	case trials == 0:
		return ""
	case s.number:
		return fmt.Sprintf(" ± %.2f", half)
	}
	return fmt.Sprintf(" ± %.1f", 100*half)
}

// name writes a name as a person would.
func name(s string) string { return strings.ReplaceAll(s, "_", " ") }

// upper begins with a capital.
func upper(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

func goalWords(g danger.ReportGoal) string {
	if g.Doc != "" {
		return g.Doc
	}
	switch g.Name {
	case "success":
		return "the last command succeeds"
	case "last.outcome":
		return "how the last command ends"
	}
	return g.Name
}

// ---- the top --------------------------------------------------------------

// lead gives the goals.
func lead(r *danger.Report) []Lead {
	var out []Lead
	for _, g := range r.Goals {
		x := Lead{Key: "goal " + g.Name, Words: upper(goalWords(g)), P: g.P, Low: max(0, g.P-g.Half), High: min(1, g.P+g.Half), Note: source(g.Estimate)}
		switch {
		case g.By != nil:
			var words []string
			for _, p := range g.By[:min(len(g.By), 4)] {
				words = append(words, name(p.Shown)+": "+percent(p.P))
			}
			x.P, x.Figure = -1, strings.Join(words, ", ")
		case g.Number:
			x.P, x.Figure = -1, number(g.P)
			if g.Over > 0 {
				x.Figure += " ± " + number(g.Half)
			}
		default:
			x.Figure = figure(g.Estimate)
		}
		out = append(out, x)
	}
	return out
}

// source says where a figure is from.
func source(f danger.Estimate) string {
	if f.Over > 0 {
		return "from " + render.Thousands(f.Over) + " trials"
	}
	if s := render.Fraction(f.Exact); s != "" && strings.Contains(s, "/") {
		return "exact: " + s
	}
	return "exact"
}

// ---- sections -------------------------------------------------------------

func sections(p Part) []*Section {
	r := p.Report
	return []*Section{
		noGoal(r), scenes(r), falls(r), rounds(r), reserves(r), swing(r), moves(r), changes(r), worth(r), ends(p), refused(r), columns(r), options(r), rules(r), script(r),
	}
}

// noGoal says how the script can say what it is about.
func noGoal(r *danger.Report) *Section {
	if r.NoGoal == nil {
		return nil
	}
	return &Section{ID: "goal", Title: "What counts as good?", Blocks: []Block{{Words: []string{
		"Nothing says which of these ends is the good one. If you do, the report counts how likely it is, and looks for what moves it: " + r.NoGoal.Help + ".",
	}}}}
}

// fewest is how many trials came to the scene that is reached least often.
func fewest(r *danger.Report) int64 {
	n := r.Looked
	for _, s := range r.Scenes {
		n = min(n, s.Over)
	}
	return max(n, 1)
}

func looked(r *danger.Report) string { return "from " + render.Thousands(r.Looked) + " trials" }

// scenes says how each scene goes, where there are several.
func scenes(r *danger.Report) *Section {
	if len(r.Scenes) < 2 {
		return nil
	}
	b := Block{Head: []string{"scene", "comes up", "how it ends", "rounds"}}
	for _, s := range r.Scenes {
		row := Row{Cells: []string{s.Title, "always", outcomes(s.Outcome), ""}, Bar: -1}
		if s.Reached.P < 1 {
			row.Cells[1] = figure(s.Reached)
		}
		if s.Rounds != nil {
			row.Cells[3] = rangeAndMean(s.Rounds, s.Over)
		}
		b.Rows = append(b.Rows, row)
	}
	return &Section{ID: "scenes", Title: "Scene by scene", Intro: "How each scene ends (the outcome of its last command), and how many rounds nine of ten take. " + upper(atMost(fewest(r), r.Looked)) + ".", Blocks: []Block{b}}
}

func rangeAndMean(l *dist.Distribution, trials int64) string {
	if len(l.Points) == 1 {
		return "always " + l.Points[0].Shown
	}
	return span(l, 0.05, 0.95) + ", mean " + meanOf(l, trials)
}

func outcomes(l *dist.Distribution) string {
	if l == nil {
		return ""
	}
	var words []string
	for _, p := range l.Points {
		words = append(words, p.Shown+": "+percent(p.P))
	}
	return strings.Join(words, ", ")
}

func falls(r *danger.Report) *Section {
	if len(r.Falls) == 0 && len(r.Never) == 0 {
		return nil
	}
	s := &Section{ID: "falls", Title: "Who falls", Intro: "Who is out when a scene ends: beaten, fled or gone; " + looked(r) + "."}
	for _, scene := range r.Scenes {
		b := Block{Head: []string{"who", "is out", ""}}
		if len(r.Scenes) > 1 {
			b.Caption = scene.Title
		}
		for _, f := range r.Falls {
			if f.Scene == scene.Title {
				b.Rows = append(b.Rows, Row{Cells: []string{name(f.Who), figure(f.Estimate), ""}, Bar: f.P, Key: "falls " + f.Scene + " " + f.Who, Value: f.P})
			}
		}
		if len(b.Rows) > 0 {
			s.Blocks = append(s.Blocks, b)
		}
	}
	if len(r.Never) > 0 {
		var names []string
		for _, n := range r.Never {
			names = append(names, name(n))
		}
		s.Blocks = append(s.Blocks, Block{Words: []string{"Never out in these trials: " + strings.Join(names, ", ") + "."}})
	}
	return s
}

func rounds(r *danger.Report) *Section {
	s := &Section{ID: "rounds", Title: "How long it takes", Intro: upper(atMost(fewest(r), r.Looked)) + "."}
	for _, scene := range r.Scenes {
		if scene.Rounds == nil {
			continue
		}
		b := Block{Head: []string{scene.Round + "s", "share", ""}}
		if len(r.Scenes) > 1 {
			b.Caption = scene.Title
		}
		most := 0.0
		for _, p := range scene.Rounds.Points {
			most = max(most, p.P)
		}
		for _, p := range scene.Rounds.Points {
			b.Rows = append(b.Rows, Row{Cells: []string{p.Shown, percent(p.P), ""}, Bar: p.P / most, Key: "rounds " + scene.Title + " " + p.Shown, Value: p.P})
		}
		b.Words = []string{quantiles(scene.Rounds, scene.Over)}
		s.Blocks = append(s.Blocks, b)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

func quantiles(l *dist.Distribution, trials int64) string {
	return fmt.Sprintf("Mean %s; half of them %s, nine of ten %s.", meanOf(l, trials), span(l, 0.25, 0.75), span(l, 0.05, 0.95))
}

// span says between which values a part of a distribution lies.
func span(l *dist.Distribution, lo, hi float64) string {
	a, b := l.Quantile(lo).Shown, l.Quantile(hi).Shown
	if a == b {
		return a
	}
	return a + " to " + b
}

func reserves(r *danger.Report) *Section {
	if len(r.Reserves) == 0 {
		return nil
	}
	b := Block{Head: []string{"who", "what", "before", "mean after", "how often"}}
	who := ""
	for _, x := range r.Reserves {
		if len(x.After.Points) == 1 && x.After.Points[0].Shown == x.Before {
			continue // nobody touches it
		}
		row := Row{Cells: []string{name(x.Who), x.Name, cmp.Or(x.Before, "–"), "", ""}, Bar: -1, Key: "left " + x.Who + " " + x.Name}
		if x.Who == who {
			row.Cells[0] = ""
		}
		who = x.Who
		var words []string
		if x.After.Numbers {
			row.Value = x.After.Mean()
			row.Cells[3] = meanOf(x.After, x.Over)
			if len(x.After.Points) > 5 {
				words = append(words, "half of them "+span(x.After, 0.25, 0.75))
				if p := x.After.Points[0]; p.Shown == "0" {
					words = append(words, "0 in "+percent(p.P))
				}
			}
		}
		if len(x.After.Points) == 1 {
			row.Cells[3], words = "", []string{"always " + cmp.Or(x.After.Points[0].Shown, "none")}
		}
		if words == nil {
			for _, p := range x.After.Points[:min(len(x.After.Points), 5)] {
				words = append(words, p.Shown+": "+percent(p.P))
			}
			if n := len(x.After.Points) - 5; n > 0 {
				words = append(words, fmt.Sprintf("%d more", n))
			}
		}
		row.Cells[4] = strings.Join(words, ", ")
		b.Rows = append(b.Rows, row)
	}
	if len(b.Rows) == 0 {
		return nil
	}
	return &Section{ID: "reserves", Title: "What is left", Intro: "At the end of the last scene that somebody takes part in, " + atMost(fewest(r), r.Looked) + ".", Blocks: []Block{b}}
}

// vague is how far a chance may be off at most to be printed in the table of swing.
const vague = 0.3

func swing(r *danger.Report) *Section {
	if r.Swing == nil || len(r.Swing.Steps) == 0 || r.Goals[0].Number || r.Goals[0].By != nil {
		return nil
	}
	b := Block{Fan: r.Swing.Steps, Head: []string{"after", "reached", "open", "5", "25", "50", "75", "95", "±"}}
	several, scene := len(r.Scenes) > 1, ""
	if several {
		b.Head = append([]string{"scene"}, b.Head...)
	}
	if len(b.Fan) < 2 {
		b.Fan = nil // the table says it
	}
	reached, open, unsaid := 0.0, 0.0, 0
	for _, x := range r.Swing.Steps {
		cells := []string{stepName(x), whole(x.Share.P), whole(x.Open.P)}
		if several {
			cells = append([]string{x.Scene}, cells...)
			if x.Scene == scene {
				cells[0] = ""
			}
			scene = x.Scene
		}
		half := slices.Max(x.Half[:])
		for _, q := range x.At {
			cells = append(cells, whole(q))
		}
		if half > vague {
			for i := range x.At {
				cells[len(cells)-1-i] = "–"
			}
			b.Fan, unsaid = nil, unsaid+1
		}
		cells = append(cells, fmt.Sprintf("%.0f", math.Ceil(100*half)))
		reached, open = max(reached, x.Share.Half), max(open, x.Open.Half)
		b.Rows = append(b.Rows, Row{Cells: cells, Bar: -1})
	}
	intro := fmt.Sprintf("The chance that %s, as things stand after each round. In the worst 5 of 100 evenings the chance is then at most what stands under 5, in 25 of them at most what stands under 25, and so on; under 50 is a usual evening. ± is how far these five may be off. Open is the share of evenings in which it can still go either way (± %.0f at most). From %d evenings, each played on %d times from every step; reached is from %s (± %.0f at most).",
		goalWords(r.Goals[0]), math.Ceil(100*open), r.Swing.Trials, r.Swing.Again, render.Thousands(r.Looked), math.Ceil(100*reached))
	switch {
	case unsaid == len(b.Rows):
		return nil
	case unsaid > 0:
		intro += " Where – stands there were too few evenings to say."
	}
	return &Section{ID: "swing", Title: "How open it stays", Intro: intro, Blocks: []Block{b}}
}

// whole is a chance in whole percent.
func whole(p float64) string { return fmt.Sprintf("%.0f %%", 100*p) }

// stepName names a step of the swing within its scene.
func stepName(x danger.SwingStep) string {
	if x.Round == 0 {
		return "its end"
	}
	return fmt.Sprintf("%s %d", cmp.Or(x.Word, "round"), x.Round)
}

// moves shows what moves the goal, one step up and one down.
func moves(r *danger.Report) *Section {
	w := r.Moves
	if w == nil || w.Tried == 0 {
		return nil
	}
	goal := r.Goals[0]
	in := scaleOf(goal)
	b := Block{Tornado: true, Middle: goal.P, Head: []string{"what", "change", "then", "by", ""}}
	what := ""
	for _, m := range w.List {
		row := Row{Cells: []string{name(m.What), m.From + " → " + m.To, in.between(m.Value, math.Hypot(goal.Half, m.Half), goal.Over+w.Trials), in.by(m.By, m.Half, w.Trials), ""}, From: goal.P, Bar: m.Value,
			Key: "moves " + m.What + " " + m.To, Value: m.By}
		if m.What == what {
			row.Cells[0] = ""
		}
		what = m.What
		b.Rows = append(b.Rows, row)
	}
	intro := "Each number of the script one step up and one down, "
	if in.number {
		intro += "and the mean then. "
	} else {
		intro += fmt.Sprintf("and the chance then that %s. ", goalWords(goal))
	}
	if w.Trials > 0 {
		intro += fmt.Sprintf("%d changes had %d trials each; those that did the most had %d others, and these count. The dice are the same with the change and without. A number is left out where neither change does more than luck.", w.Tried, w.Few, w.Trials)
	} else {
		intro += fmt.Sprintf("%d changes were tried; each difference is exact.", w.Tried)
	}
	s := &Section{ID: "moves", Title: "What moves it", Intro: intro}
	if len(b.Rows) == 0 {
		s.Blocks = []Block{{Words: []string{fmt.Sprintf("Nothing found that luck does not explain%s: %d changes were tried. More trials (--time) show smaller differences.", in.half(w.Within, w.Trials), w.Tried)}}}
		return s
	}
	s.Blocks = []Block{b}
	return s
}

// changes shows the smallest changes that give the chance wanted.
func changes(r *danger.Report) *Section {
	p := r.Proposals
	if p == nil {
		return nil
	}
	value := func(f dist.Figure) string {
		return figure(danger.Estimate{P: f.Value, Half: f.Half, Over: int64(f.Trials)})
	}
	s := &Section{ID: "changes", Title: "What to change", Intro: fmt.Sprintf("The smallest changes that give the chance you want, of foes and their sheets first. %d were tried; the players' sheets stay as they are.", p.Tried)}
	b := Block{Head: []string{"change", "then"}}
	for _, x := range p.List {
		then := value(x.Figure)
		if x.Luck {
			then += ", may be luck"
		}
		b.Rows = append(b.Rows, Row{Cells: []string{name(x.String()), then}, Bar: -1})
	}
	switch {
	case p.Fits:
		s.Intro = ""
		b.Words = []string{"The encounter is as you want it: " + value(p.Now) + "."}
	case len(p.List) == 0 && p.Nearest != nil:
		b.Words = []string{fmt.Sprintf("No small change gives it. The nearest: %s, %s.", name(p.Nearest.String()), value(p.Nearest.Figure))}
	case len(p.List) == 0:
		b.Words = []string{"No small change gives it."}
	}
	if len(p.List) == 0 && p.Late {
		b.Words = append(b.Words, "There was no time to try all; setpiece tune --want looks longer.")
	}
	s.Blocks = []Block{b}
	return s
}

func worth(r *danger.Report) *Section {
	if r.Goals[0].By != nil {
		return nil
	}
	s := &Section{ID: "worth", Title: "What decisions are worth"}
	in := scaleOf(r.Goals[0])
	b := Block{Caption: "Decisions that the script makes", Head: []string{"who", "decision", "worth"}}
	for _, x := range r.Worth {
		b.Rows = append(b.Rows, Row{Cells: []string{x.Who, x.What, in.by(x.Value, x.Half, r.WorthOver)}, Bar: -1})
	}
	if len(b.Rows) > 0 {
		b.Words = []string{"Worth: how much would be lost without it."}
		s.Blocks = append(s.Blocks, b)
	}
	o := Block{Caption: "Decisions that the script leaves open", Head: []string{"who", "decision", "usual", "instead", "for them", "worth"}}
	for _, d := range r.Open[:min(len(r.Open), maxOpen)] {
		better := "worse"
		if d.Better {
			better = "better"
		}
		o.Rows = append(o.Rows, Row{Cells: []string{name(d.Who), name(d.Prompt), name(d.Usual), name(d.Other), better, in.by(d.Value, d.Half, r.WorthOver)}, Bar: -1, Strong: d.Better})
	}
	if len(o.Rows) > 0 {
		o.Words = []string{"Worth: what it does to give this answer every time instead of the usual one, which the rules take if nobody decides."}
		s.Blocks = append(s.Blocks, o)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	s.Intro = fmt.Sprintf("How many points each adds to the chance that %s. ", goalWords(r.Goals[0]))
	if in.number {
		s.Intro = "How much each adds to the mean. "
	}
	s.Intro += fmt.Sprintf("From %s trials with the same dice each. What does no more than luck is left out.", render.Thousands(r.WorthOver))
	return s
}

// maxOpen is how many open decisions are shown.
const maxOpen = 8

// reached says how an end is for the goal.
func reached(g danger.ReportGoal, e danger.ReportEnd) string {
	switch {
	case g.By != nil:
		return ""
	case g.Number:
		return fmt.Sprintf(" (%s: %s)", goalWords(g), number(e.Goal))
	case e.Goal == 1:
		return fmt.Sprintf(" (%s: yes)", goalWords(g))
	}
	return fmt.Sprintf(" (%s: no)", goalWords(g))
}

func ends(p Part) *Section {
	if len(p.Report.Ends) == 0 {
		return nil
	}
	s := &Section{ID: "ends", Title: "Three ways it goes", Intro: "The commonest end, the one in the middle, and the worst for those whose goal it is, " + looked(p.Report) + "."}
	if p.Report.NoGoal != nil {
		s.Title, s.Intro = "How it goes", "The commonest ends, "+looked(p.Report)+"."
	}
	if p.Run != "" {
		s.Intro += " The command below each shows it."
	}
	for i, e := range p.Report.Ends {
		b := Block{Caption: fmt.Sprintf("%s%s: %s", upper(e.What), reached(p.Report.Goals[0], e), e.Words), Words: []string{figure(e.Share) + " of the trials end like this."}}
		if p.Run != "" {
			b.Command = fmt.Sprintf("setpiece run --brief --seed %d %s", e.Seed, p.Run)
		}
		if i < len(p.Ends) {
			b.Text = p.Ends[i]
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

func refused(r *danger.Report) *Section {
	if len(r.Refused) == 0 && r.StopShare == 0 {
		return nil
	}
	s := &Section{ID: "refused", Title: "What does not work", Intro: "Exact."}
	share := func(p float64) string { return percent(p) }
	if !r.Exact {
		s.Intro = "From " + render.Thousands(r.Trials) + " trials."
		share = func(p float64) string { // turns of one trial are alike, so that trials count
			return figure(danger.Estimate{P: p, Half: dist.Half(int64(math.Round(p*float64(r.Trials))), r.Trials), Over: r.Trials})
		}
	}
	b := Block{Head: []string{"tactics of", "command", "refused", "why"}}
	for _, x := range r.Refused {
		b.Rows = append(b.Rows, Row{Cells: []string{x.Who, x.Command, share(x.Share) + " of their turns", x.Why}, Bar: -1})
	}
	if len(b.Rows) > 0 {
		s.Blocks = append(s.Blocks, b)
	}
	if r.StopShare > 0 {
		s.Blocks = append(s.Blocks, Block{Words: []string{fmt.Sprintf("%s of the trials stop with an error: %s", share(r.StopShare), r.StopWhat)}})
	}
	return s
}

// maxRows is how many values of a column are shown.
const maxRows = 12

func columns(r *danger.Report) *Section {
	s := &Section{ID: "columns", Title: "What the script reports"}
	from, over := "from "+render.Thousands(r.Trials)+" trials", r.Trials
	if r.Exact {
		from, over = "exact", 0
	}
	s.Intro = upper(from) + "."
	for _, l := range r.Columns {
		if len(l.Points) == 0 {
			continue
		}
		b := Block{Caption: l.Name, Head: []string{"value", "chance", ""}, Small: true}
		most := 0.0
		for _, p := range l.Points {
			most = max(most, p.P)
		}
		shown := l.Points
		if len(shown) > maxRows && !l.Numbers {
			shown = shown[:maxRows]
		}
		for _, p := range shown {
			f := danger.Estimate{P: p.P, Exact: p.Exact}
			if !r.Exact {
				f.Half, f.Over = dist.Half(int64(math.Round(p.P*float64(r.Trials))), r.Trials), r.Trials
			}
			b.Rows = append(b.Rows, Row{Cells: []string{cmp.Or(p.Shown, "–"), figure(f), ""}, Bar: p.P / most, Key: "column " + l.Name + " " + p.Shown, Value: p.P})
		}
		if n := len(l.Points) - len(shown); n > 0 {
			rarer := "rarer values"
			if n == 1 {
				rarer = "rarer value"
			}
			b.Words = append(b.Words, fmt.Sprintf("and %d %s", n, rarer))
		} else if l.Numbers && len(l.Points) > 1 {
			b.Words = append(b.Words, quantiles(l, over))
		}
		s.Blocks = append(s.Blocks, b)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

func options(r *danger.Report) *Section {
	if len(r.Options) == 0 {
		return nil
	}
	b := Block{Head: []string{"option", "is", "what it settles"}, Small: true}
	for _, o := range r.Options {
		b.Rows = append(b.Rows, Row{Cells: []string{o.Name, o.Value, o.Doc}, Bar: -1, Strong: slices.Contains(r.Chosen, o.Name)})
	}
	intro := "System: " + strings.Join(r.Modules, " with ") + ". "
	switch n := len(r.Chosen); n {
	case 0:
		intro += "Every option is as the system has it."
	default:
		intro += "Not as the system has it: " + strings.Join(r.Chosen, ", ") + "."
	}
	return &Section{ID: "options", Title: "Options", Intro: intro, Blocks: []Block{b}}
}

func rules(r *danger.Report) *Section {
	if len(r.Rules) == 0 {
		return nil
	}
	b := Block{Head: []string{"rule", "in", "what it says"}, Small: true}
	for _, x := range r.Rules {
		b.Rows = append(b.Rows, Row{Cells: []string{x.ID, percent(x.Share), x.Doc}, Bar: -1})
	}
	return &Section{ID: "rules", Title: "Rules that spoke", Intro: "In what share of the trials a rule had something to say, " + atMost(r.Looked) + ".", Blocks: []Block{b}}
}

func script(r *danger.Report) *Section {
	return &Section{ID: "script", Title: "The script", Blocks: []Block{{Text: r.Source.Text, Small: true}}}
}

// beside puts the figures of several parts beside each other. The first part is what the
// others are compared with.
func beside(parts []Part, pairs *danger.Beside) *Section {
	head := []string{""}
	for i := range parts {
		letter := string(rune('A' + i))
		head = append(head, letter)
		if i > 0 {
			head = append(head, letter+" − A")
		}
	}
	b := Block{Head: head}
	add := func(what string, in scale, key danger.BesideKey) {
		row := Row{Cells: []string{what}, Bar: -1}
		cell := func(e danger.Estimate, show func(x, half float64, trials int64) string) {
			row.Cells, row.Figures = append(row.Cells, show(e.P, e.Half, e.Over)), append(row.Figures, &e)
		}
		none := func(text string) { row.Cells, row.Figures = append(row.Cells, text), append(row.Figures, nil) }
		some := false
		for i := range parts {
			e, ok := pairs.Figure(i, key)
			first, exact := exactly(parts[0], key)
			now, too := exactly(parts[i], key)
			switch {
			case !ok:
				none("–")
			case too:
				cell(danger.Estimate{P: now}, in.value)
			default:
				cell(danger.Estimate{P: e.P, Half: e.Half, Over: pairs.Trials}, in.value)
			}
			if some = some || ok; i == 0 {
				continue
			}
			switch by, half, ok := pairs.Difference(i, key); {
			case !ok:
				none("")
			case exact && too:
				cell(danger.Estimate{P: now - first}, in.by)
			default:
				cell(danger.Estimate{P: by, Half: half, Over: pairs.Trials}, in.by)
			}
		}
		if some {
			b.Rows = append(b.Rows, row)
		}
	}
	var done []danger.BesideKey
	once := func(key danger.BesideKey) bool {
		if slices.Contains(done, key) {
			return false
		}
		done = append(done, key)
		return true
	}
	chance, mean := scale{}, scale{number: true}
	for _, p := range parts {
		for _, g := range p.Report.Goals {
			if key := (danger.BesideKey{Kind: danger.BesideGoal, Name: g.Name}); g.By == nil && once(key) {
				add(upper(goalWords(g)), scaleOf(g), key)
			}
		}
	}
	for _, p := range parts {
		for _, s := range p.Report.Scenes {
			if key := (danger.BesideKey{Kind: danger.BesideRounds, Scene: s.Title}); s.Rounds != nil && once(key) {
				add(strings.TrimSuffix(upper(cmp.Or(s.Round, "round"))+"s: "+s.Title, ": "), mean, key)
			}
		}
	}
	for _, p := range parts {
		for _, f := range p.Report.Falls {
			key := danger.BesideKey{Kind: danger.BesideOut, Scene: f.Scene, Who: f.Who}
			if !once(key) {
				continue
			}
			what := name(f.Who) + " is out"
			if len(p.Report.Scenes) > 1 {
				what += " after " + f.Scene
			}
			add(what, chance, key)
		}
	}
	for _, p := range parts {
		for _, v := range p.Report.Reserves {
			if key := (danger.BesideKey{Kind: danger.BesideReserve, Who: v.Who, Name: v.Name}); v.After.Numbers && once(key) {
				add(name(v.Who)+": "+v.Name+" at the end", mean, key)
			}
		}
	}
	var names []string
	for i, p := range parts {
		names = append(names, string(rune('A'+i))+" is "+p.Name)
	}
	intro := strings.Join(names, ". ") + ". " + fmt.Sprintf("From %s trials of each with the same dice, so that luck does the same for all; where there is no ±, it is exact. Rounds and what is left are means. The parts below have trials of their own.", render.Thousands(pairs.Trials))
	return &Section{ID: "beside", Title: "Beside each other", Intro: intro, Blocks: []Block{b}}
}

// exactly gives the figure of a part if it is known exactly.
func exactly(p Part, key danger.BesideKey) (float64, bool) {
	for _, g := range p.Report.Goals {
		if key.Kind == danger.BesideGoal && g.Name == key.Name && g.Over == 0 {
			return g.P, true
		}
	}
	return 0, false
}
