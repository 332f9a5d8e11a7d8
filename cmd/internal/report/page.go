// Package report shows what package interp finds out of an encounter: as text for a
// terminal, and as a page of HTML that needs no network and no script. Both show the
// same sections, which are made here once: a figure stands in one as in the other.
package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/render"
	"setpiece/interp"
)

// Part is a report with what it is called: the script, or the script with something else.
type Part struct {
	Name   string
	Report *interp.Report
	Ends   []string // the transcripts of its ends
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
	Fan     []interp.SwingStep // drawn above the rows
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
}

// Make makes a page.
func Make(parts []Part) *Page {
	first := parts[0].Report
	p := &Page{Title: titleOf(first)}
	for _, x := range parts {
		if name := x.Report.Source.Name; !slices.Contains(p.Files, name) {
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
		p.Beside = beside(parts)
	}
	p.Foot = foot(first)
	return p
}

// titleOf is the name of the file in words.
func titleOf(r *interp.Report) string {
	name := filepath.Base(r.Source.Name)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	words := strings.Join(strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '-' || c == ' ' }), " ")
	if words == "" || name == "e" {
		return "Encounter"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

func foot(r *interp.Report) string {
	s := fmt.Sprintf("± is half of the 95 %% interval. Seed %d. The same figures: setpiece report --trials %d", r.Seed, r.Trials)
	if r.Seed != 0 {
		s += fmt.Sprintf(" --seed %d", r.Seed)
	}
	return s + ". More trials, or --time, make them more exact."
}

// ---- figures --------------------------------------------------------------

func percent(p float64) string { return strconv.FormatFloat(100*p, 'f', 1, 64) + " %" }

// figure shows a chance with what it is worth.
func figure(f interp.Estimate) string {
	if f.Over > 0 {
		return percent(f.P) + " ± " + strconv.FormatFloat(100*f.Half, 'f', 1, 64)
	}
	return render.Percent(f.P, f.P == 0 || f.P == 1)
}

// number shows a mean.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func points(x float64) string { return strings.Replace(fmt.Sprintf("%+.1f", 100*x), "-", "−", 1) }

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

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func goalWords(g interp.ReportGoal) string {
	if g.Doc != "" {
		return g.Doc
	}
	if g.Name == "success" {
		return "the last command succeeds"
	}
	return g.Name
}

// ---- the top --------------------------------------------------------------

// lead gives the goals.
func lead(r *interp.Report) []Lead {
	var out []Lead
	for _, g := range r.Goals {
		x := Lead{Key: "goal " + g.Name, Words: upper(goalWords(g)), P: g.P, Low: max(0, g.P-g.Half), High: min(1, g.P+g.Half), Note: source(g.Estimate)}
		switch {
		case g.By != nil:
			var words []string
			for _, p := range g.By[:min(len(g.By), 4)] {
				words = append(words, p.Shown+": "+percent(p.P))
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
func source(f interp.Estimate) string {
	if f.Over > 0 {
		return "from " + thousands(f.Over) + " trials"
	}
	if s := render.Fraction(f.Exact); s != "" && strings.Contains(s, "/") {
		return "exact: " + s
	}
	return "exact"
}

// Line says in a line how dangerous an encounter is.
func Line(r *interp.Report) string {
	g := r.Goals[0]
	l := lead(r)[0]
	words := goalWords(g) + ": " + l.Figure + ", " + l.Note
	if at := slices.IndexFunc(r.Falls, func(f interp.Fall) bool { return f.Ours }); at >= 0 {
		worst := r.Falls[at]
		for _, f := range r.Falls {
			if f.Ours && f.P > worst.P {
				worst = f
			}
		}
		words += fmt.Sprintf("; %s is out in %s", name(worst.Who), figure(worst.Estimate))
	}
	return words
}

// ---- sections -------------------------------------------------------------

func sections(p Part) []*Section {
	r := p.Report
	return []*Section{
		scenes(r), falls(r), rounds(r), reserves(r), swing(r), moves(r), changes(r), worth(r), ends(p), refused(r), columns(r), options(r), rules(r), script(r),
	}
}

func looked(r *interp.Report) string { return "from " + thousands(r.Looked) + " trials" }

// scenes says how each scene goes, where there are several.
func scenes(r *interp.Report) *Section {
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
			row.Cells[3] = fmt.Sprintf("%s to %s, mean %s", s.Rounds.Quantile(0.05).Shown, s.Rounds.Quantile(0.95).Shown, number(s.Rounds.Mean()))
		}
		b.Rows = append(b.Rows, row)
	}
	return &Section{ID: "scenes", Title: "Scene by scene", Intro: "A scene ends as its last command does. Rounds: 5 to 95 of 100 fights. " + upper(looked(r)) + ".", Blocks: []Block{b}}
}

func outcomes(l *interp.Distribution) string {
	if l == nil {
		return ""
	}
	var words []string
	for _, p := range l.Points {
		words = append(words, p.Shown+": "+percent(p.P))
	}
	return strings.Join(words, ", ")
}

func falls(r *interp.Report) *Section {
	if len(r.Falls) == 0 && len(r.Never) == 0 {
		return nil
	}
	s := &Section{ID: "falls", Title: "Who falls", Intro: "Who is out of it when a scene ends, " + looked(r) + "."}
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
		s.Blocks = append(s.Blocks, Block{Words: []string{"In no trial: " + strings.Join(names, ", ") + "."}})
	}
	return s
}

func rounds(r *interp.Report) *Section {
	s := &Section{ID: "rounds", Title: "How long it takes", Intro: upper(looked(r)) + "."}
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
		b.Words = []string{quantiles(scene.Rounds)}
		s.Blocks = append(s.Blocks, b)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

func quantiles(l *interp.Distribution) string {
	return fmt.Sprintf("Mean %s; half of them %s to %s, nine of ten %s to %s.", number(l.Mean()),
		l.Quantile(0.25).Shown, l.Quantile(0.75).Shown, l.Quantile(0.05).Shown, l.Quantile(0.95).Shown)
}

func reserves(r *interp.Report) *Section {
	if len(r.Reserves) == 0 {
		return nil
	}
	b := Block{Head: []string{"who", "what", "before", "after", "how often"}}
	who := ""
	for _, x := range r.Reserves {
		row := Row{Cells: []string{name(x.Who), x.Name, cmp.Or(x.Before, "–"), "", ""}, Bar: -1, Key: "left " + x.Who + " " + x.Name}
		if x.Who == who {
			row.Cells[0] = ""
		}
		who = x.Who
		var words []string
		if x.After.Numbers {
			row.Value = x.After.Mean()
			row.Cells[3] = "mean " + number(row.Value)
			if len(x.After.Points) > 5 {
				words = append(words, fmt.Sprintf("half of them %s to %s", x.After.Quantile(0.25).Shown, x.After.Quantile(0.75).Shown))
				if p := x.After.Points[0]; p.Shown == "0" {
					words = append(words, "0 in "+percent(p.P))
				}
			}
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
	return &Section{ID: "reserves", Title: "What is left", Intro: "At the end of the last scene that somebody takes part in, " + looked(r) + ".", Blocks: []Block{b}}
}

func swing(r *interp.Report) *Section {
	if r.Swing == nil || len(r.Swing.Steps) == 0 || r.Goals[0].Number || r.Goals[0].By != nil {
		return nil
	}
	b := Block{Fan: r.Swing.Steps, Head: []string{"after", "gets there", "still open", "5 of 100", "25", "50", "75", "95"}}
	several, scene := len(r.Scenes) > 1, ""
	if several {
		b.Head = append([]string{"scene"}, b.Head...)
	}
	for _, x := range r.Swing.Steps {
		cells := []string{stepName(x), percent(x.Share), percent(x.Open)}
		if several {
			cells = append([]string{x.Scene}, cells...)
			if x.Scene == scene {
				cells[0] = ""
			}
			scene = x.Scene
		}
		for _, q := range x.At {
			cells = append(cells, percent(q))
		}
		b.Rows = append(b.Rows, Row{Cells: cells, Bar: -1})
	}
	intro := fmt.Sprintf("How likely it is that %s, as things stand after each round. The column 25, for example, says: in 25 of 100 evenings the chance is at most this. From %d trials, each played on %d times from each step.",
		goalWords(r.Goals[0]), r.Swing.Trials, r.Swing.Again)
	return &Section{ID: "swing", Title: "How open it stays", Intro: intro, Blocks: []Block{b}}
}

// stepName names a step of the swing within its scene.
func stepName(x interp.SwingStep) string {
	if x.Round == 0 {
		return "its end"
	}
	return fmt.Sprintf("%s %d", cmp.Or(x.Word, "round"), x.Round)
}

var instead = regexp.MustCompile(`^(.*?) ?(\S+) instead of (\S+)$`)

// maxMoves is how many things are shown that move the goal.
const maxMoves = 12

// moves shows what moves the goal, one up and one down.
func moves(r *interp.Report) *Section {
	w := r.Why
	if w == nil {
		return nil
	}
	b := Block{Tornado: true, Middle: w.Value, Head: []string{"what", "change", "then", "by", ""}}
	type group struct {
		what  string
		moves []interp.Move
		most  float64
	}
	var groups []*group
	for _, m := range w.Moves {
		if strings.HasPrefix(m.What, "without ") || strings.HasPrefix(m.What, "the best decisions") {
			continue
		}
		what := m.What
		if x := instead.FindStringSubmatch(m.What); x != nil {
			what = x[1] + "\x00" + x[3]
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.what == what })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{what: what})
		}
		groups[at].moves = append(groups[at].moves, m)
		groups[at].most = max(groups[at].most, math.Abs(m.Value-w.Value))
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.most, a.most) })
	for _, g := range groups[:min(len(groups), maxMoves)] {
		for i, m := range g.moves {
			what, _, _ := strings.Cut(g.what, "\x00")
			change := ""
			if x := instead.FindStringSubmatch(m.What); x != nil {
				change = x[3] + " → " + x[2]
			}
			if i > 0 {
				what = ""
			}
			by := points(m.Value - w.Value)
			if m.Half > 0 {
				by += fmt.Sprintf(" ± %.1f", 100*m.Half)
			}
			b.Rows = append(b.Rows, Row{Cells: []string{name(what), change, percent(m.Value), by, ""}, From: w.Value, Bar: m.Value})
		}
	}
	intro := fmt.Sprintf("Each number and die of the script one up and one down, and one more and one fewer of each kind: how likely it is then that %s. ", goalWords(r.Goals[0]))
	switch {
	case w.Trials > 0:
		intro += fmt.Sprintf("As it is: %s ± %.1f, from %d trials with the same dice for each change. %d changes were tried; only those are listed that move it by more than chance does.", percent(w.Value), 100*w.Half, w.Trials, w.Tried)
	default:
		intro += fmt.Sprintf("As it is: %s. The figures are exact; %d changes were tried.", render.Percent(w.Value, w.Value == 0 || w.Value == 1), w.Tried)
	}
	s := &Section{ID: "moves", Title: "What moves it", Intro: intro}
	if len(b.Rows) == 0 {
		s.Blocks = []Block{{Words: []string{"No change moves it by more than chance does. More trials show smaller differences."}}}
		return s
	}
	s.Blocks = []Block{b}
	return s
}

// changes shows the smallest changes that give the chance wanted.
func changes(r *interp.Report) *Section {
	p := r.Proposals
	if p == nil {
		return nil
	}
	value := func(f interp.Figure) string {
		return figure(interp.Estimate{P: f.Value, Half: f.Half, Over: int64(f.Trials)})
	}
	s := &Section{ID: "changes", Title: "What to change", Intro: fmt.Sprintf("The smallest changes that give the chance you want, of foes and their sheets first. %d were tried; the players' sheets stay as they are.", p.Tried)}
	b := Block{Head: []string{"change", "then"}}
	for _, x := range p.List {
		b.Rows = append(b.Rows, Row{Cells: []string{name(x.String()), value(x.Figure)}, Bar: -1})
	}
	switch {
	case p.Fits:
		b.Words = []string{"The encounter is as you want it: " + value(p.Now) + "."}
	case len(p.List) == 0 && p.Nearest != nil:
		b.Words = []string{fmt.Sprintf("No small change gives it. The nearest: %s, %s.", name(p.Nearest.String()), value(p.Nearest.Figure))}
	case len(p.List) == 0:
		b.Words = []string{"No small change gives it."}
	}
	s.Blocks = []Block{b}
	return s
}

func worth(r *interp.Report) *Section {
	s := &Section{ID: "worth", Title: "What decisions are worth"}
	b := Block{Caption: "Decisions that the script makes", Head: []string{"who", "decision", "worth"}}
	for _, x := range r.Worth {
		b.Rows = append(b.Rows, Row{Cells: []string{x.Who, x.What, points(x.Value) + fmt.Sprintf(" ± %.1f", 100*x.Half)}, Bar: -1})
	}
	if len(b.Rows) > 0 {
		b.Words = []string{"By how many points the chance is lower without it."}
		s.Blocks = append(s.Blocks, b)
	}
	if r.Policy != nil {
		o := Block{Caption: "Decisions that the script leaves open", Head: []string{"who", "decision", "comes up", "answer", "worth"}}
		for _, d := range r.Policy.Decisions {
			for k, option := range d.Options {
				by := d.Values[k] - d.Values[d.Default]
				if k == d.Default || !d.Tried || math.IsNaN(by) || math.Abs(by) <= d.Half[k] {
					continue
				}
				o.Rows = append(o.Rows, Row{Cells: []string{name(d.Who), d.Prompt, percent(min(1, d.Weight)), option, points(by) + fmt.Sprintf(" ± %.1f", 100*d.Half[k])}, Bar: -1})
			}
		}
		if len(o.Rows) > 0 {
			o.Words = []string{"By how many points the chance is higher than with the answer that the rules give if nobody decides."}
			s.Blocks = append(s.Blocks, o)
		}
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	n := int64(0)
	if r.Policy != nil {
		n = int64(r.Policy.Trials)
	} else if r.Why != nil {
		n = int64(r.Why.Trials)
	}
	s.Intro = fmt.Sprintf("In points of the chance that %s; below 0 it harms.", goalWords(r.Goals[0]))
	if n > 0 {
		s.Intro += fmt.Sprintf(" From %d trials with the same dice each; what makes no more difference than chance does is left out.", n)
	}
	return s
}

func ends(p Part) *Section {
	if len(p.Report.Ends) == 0 {
		return nil
	}
	s := &Section{ID: "ends", Title: "Three ways it goes", Intro: "The commonest end, one in the middle, and the worst for those whose goal it is, " + looked(p.Report) + "."}
	for i, e := range p.Report.Ends {
		b := Block{Caption: fmt.Sprintf("%s: %s", upper(e.What), e.Words), Words: []string{figure(e.Share) + " of the trials end so."},
			Command: fmt.Sprintf("setpiece run --brief --seed %d %s", e.Seed, p.Report.Source.Name)}
		if i < len(p.Ends) {
			b.Text = p.Ends[i]
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

func refused(r *interp.Report) *Section {
	if len(r.Refused) == 0 && r.StopShare == 0 {
		return nil
	}
	s := &Section{ID: "refused", Title: "What does not work"}
	b := Block{Head: []string{"tactics of", "command", "refused", "why"}}
	for _, x := range r.Refused {
		b.Rows = append(b.Rows, Row{Cells: []string{x.Who, x.Command, percent(x.Share) + " of their turns", x.Why}, Bar: -1})
	}
	if len(b.Rows) > 0 {
		s.Blocks = append(s.Blocks, b)
	}
	if r.StopShare > 0 {
		s.Blocks = append(s.Blocks, Block{Words: []string{fmt.Sprintf("%s of the trials stop with an error: %s", percent(r.StopShare), r.StopWhat)}})
	}
	return s
}

// maxRows is how many values of a column are shown.
const maxRows = 12

func columns(r *interp.Report) *Section {
	s := &Section{ID: "columns", Title: "What the script reports"}
	from := "from " + thousands(r.Trials) + " trials"
	if r.Exact {
		from = "exact"
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
			f := interp.Estimate{P: p.P, Exact: p.Exact}
			if !r.Exact {
				lo, hi := interp.Interval(int64(math.Round(p.P*float64(r.Trials))), r.Trials)
				f.Half, f.Over = (hi-lo)/2, r.Trials
			}
			b.Rows = append(b.Rows, Row{Cells: []string{cmp.Or(p.Shown, "–"), figure(f), ""}, Bar: p.P / most, Key: "column " + l.Name + " " + p.Shown, Value: p.P})
		}
		if n := len(l.Points) - len(shown); n > 0 {
			b.Words = append(b.Words, fmt.Sprintf("and %d rarer values", n))
		} else if l.Numbers && len(l.Points) > 1 {
			b.Words = append(b.Words, quantiles(l))
		}
		s.Blocks = append(s.Blocks, b)
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return s
}

func options(r *interp.Report) *Section {
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

func rules(r *interp.Report) *Section {
	if len(r.Rules) == 0 {
		return nil
	}
	b := Block{Head: []string{"rule", "in", "what it says"}, Small: true}
	for _, x := range r.Rules {
		b.Rows = append(b.Rows, Row{Cells: []string{x.ID, percent(x.Share), x.Doc}, Bar: -1})
	}
	return &Section{ID: "rules", Title: "Rules that spoke", Intro: "In how many of the trials, " + looked(r) + ".", Blocks: []Block{b}}
}

func script(r *interp.Report) *Section {
	return &Section{ID: "script", Title: "The script", Blocks: []Block{{Text: r.Source.Text, Small: true}}}
}

// beside puts the figures of several parts beside each other.
func beside(parts []Part) *Section {
	head := []string{""}
	for i := range parts {
		letter := string(rune('A' + i))
		head = append(head, letter)
		if i > 0 {
			head = append(head, letter+" − A")
		}
	}
	b := Block{Head: head}
	add := func(what string, get func(r *interp.Report) (float64, string, bool), unit func(float64) string) {
		row := Row{Cells: []string{what}, Bar: -1}
		first, some := 0.0, false
		for i, p := range parts {
			v, said, ok := get(p.Report)
			if !ok {
				said = "–"
			}
			row.Cells = append(row.Cells, said)
			some = some || ok
			switch {
			case i == 0:
				first = v
				if !ok {
					first = math.NaN()
				}
			case !ok || math.IsNaN(first):
				row.Cells = append(row.Cells, "")
			default:
				row.Cells = append(row.Cells, unit(v-first))
			}
		}
		if some {
			b.Rows = append(b.Rows, row)
		}
	}
	mean := func(x float64) string { return strings.Replace(fmt.Sprintf("%+.2f", x), "-", "−", 1) }
	var goals, people, scenes, left []string
	once := func(list *[]string, s string) bool {
		if slices.Contains(*list, s) {
			return false
		}
		*list = append(*list, s)
		return true
	}
	for _, p := range parts {
		for _, g := range p.Report.Goals {
			if !once(&goals, g.Name) || g.By != nil {
				continue
			}
			unit := points
			if g.Number {
				unit = mean
			}
			add(upper(goalWords(g)), func(r *interp.Report) (float64, string, bool) {
				at := slices.IndexFunc(r.Goals, func(x interp.ReportGoal) bool { return x.Name == g.Name })
				if at < 0 {
					return 0, "", false
				}
				return r.Goals[at].P, lead(r)[at].Figure, true
			}, unit)
		}
	}
	for _, p := range parts {
		for _, s := range p.Report.Scenes {
			if s.Rounds == nil || !once(&scenes, s.Title) {
				continue
			}
			add(strings.TrimSpace(upper(s.Round)+"s "+s.Title), func(r *interp.Report) (float64, string, bool) {
				for _, x := range r.Scenes {
					if x.Title == s.Title && x.Rounds != nil {
						return x.Rounds.Mean(), number(x.Rounds.Mean()), true
					}
				}
				return 0, "", false
			}, mean)
		}
	}
	for _, p := range parts {
		for _, f := range p.Report.Falls {
			if !once(&people, f.Scene+"\x00"+f.Who) {
				continue
			}
			what := name(f.Who) + " is out"
			if len(p.Report.Scenes) > 1 {
				what += " after " + f.Scene
			}
			add(what, func(r *interp.Report) (float64, string, bool) {
				for _, x := range r.Falls {
					if x.Who == f.Who && x.Scene == f.Scene {
						return x.P, figure(x.Estimate), true
					}
				}
				return 0, percent(0), slices.Contains(r.Never, f.Who) || len(r.Falls) > 0
			}, points)
		}
	}
	for _, p := range parts {
		for _, v := range p.Report.Reserves {
			if !v.After.Numbers || !once(&left, v.Who+"\x00"+v.Name) {
				continue
			}
			add(name(v.Who)+": "+v.Name, func(r *interp.Report) (float64, string, bool) {
				for _, x := range r.Reserves {
					if x.Who == v.Who && x.Name == v.Name && x.After.Numbers {
						return x.After.Mean(), number(x.After.Mean()), true
					}
				}
				return 0, "", false
			}, mean)
		}
	}
	var names []string
	for i, p := range parts {
		names = append(names, string(rune('A'+i))+" is "+p.Name)
	}
	return &Section{ID: "beside", Title: "Beside each other", Intro: strings.Join(names, ". ") + ". The trials have the same seeds. Reserves and rounds are means.", Blocks: []Block{b}}
}
