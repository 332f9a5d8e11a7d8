package render

import (
	"fmt"
	"io"
	"strings"

	"setpiece/interp/odds"
)

// flowText draws a flow in one of the two languages for graphs.
type flowText struct {
	w     io.Writer
	f     *odds.Flow
	open  func(i int, title string) // a stretch that holds scenes
	close string
	node  func(id, title string)
}

// id names a scene.
func id(scene int) string {
	switch scene {
	case odds.FlowStart:
		return "start"
	case odds.FlowEnd:
		return "end_"
	}
	return fmt.Sprintf("s%d", scene)
}

// nodes writes the scenes that stand in one, each stretch around its own.
func (t *flowText) nodes(in int) {
	for i, s := range t.f.Scenes {
		switch {
		case s.In != in:
		case s.Holds:
			t.open(i, s.Title)
			t.nodes(i)
			fmt.Fprintln(t.w, t.close)
		default:
			t.node(id(i), s.Title)
		}
	}
}

// stepLabel says how likely a step is, "" where it is sure.
func stepLabel(s *odds.Step) string {
	switch {
	case s.P == 1:
		return ""
	case s.Half > 0:
		return fmt.Sprintf("%.1f %% ± %.1f", 100*s.P, 100*s.Half)
	}
	return Percent(s.P, false)
}

// Mermaid draws how scenes follow one another, for a page in Markdown.
func Mermaid(w io.Writer, f *odds.Flow) {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer("&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "#", "#35;", "`", "#96;").Replace(oneLine(s)) + `"`
	}
	fmt.Fprintln(w, "flowchart TD")
	fmt.Fprintln(w, "  start((start))")
	t := &flowText{w: w, f: f, close: "  end"}
	t.open = func(i int, title string) { fmt.Fprintf(w, "  subgraph g%d [%s]\n", i, quoted(title)) }
	t.node = func(id, title string) { fmt.Fprintf(w, "  %s[%s]\n", id, quoted(title)) }
	t.nodes(-1)
	fmt.Fprintln(w, "  end_((end))")
	for _, s := range f.Steps {
		label := stepLabel(&s)
		if label != "" {
			label = "|" + quoted(label) + "|"
		}
		fmt.Fprintf(w, "  %s -->%s %s\n", id(s.From), label, id(s.To))
	}
}

// DOT draws how scenes follow one another, for Graphviz.
func DOT(w io.Writer, f *odds.Flow) {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(s)) + `"`
	}
	fmt.Fprintln(w, "digraph scenes {")
	fmt.Fprintln(w, "  node [shape=box, style=rounded]")
	fmt.Fprintln(w, "  start [shape=circle]")
	t := &flowText{w: w, f: f, close: "  }"}
	t.open = func(i int, title string) { fmt.Fprintf(w, "  subgraph cluster_%d {\n  label=%s\n", i, quoted(title)) }
	t.node = func(id, title string) { fmt.Fprintf(w, "  %s [label=%s]\n", id, quoted(title)) }
	t.nodes(-1)
	fmt.Fprintln(w, `  end_ [label="end", shape=circle]`)
	for _, s := range f.Steps {
		label := stepLabel(&s)
		if label != "" {
			label = " [label=" + quoted(label) + "]"
		}
		fmt.Fprintf(w, "  %s -> %s%s\n", id(s.From), id(s.To), label)
	}
	fmt.Fprintln(w, "}")
}

// Flow lists how scenes follow one another, for a terminal.
func Flow(w io.Writer, f *odds.Flow) {
	title := func(i int) string {
		switch i {
		case odds.FlowStart:
			return "start"
		case odds.FlowEnd:
			return "end"
		}
		return oneLine(f.Scenes[i].Title)
	}
	from := odds.FlowEnd
	for _, s := range f.Steps {
		if s.From != from {
			from = s.From
			come := ""
			if from >= 0 && f.Comes[from] < 1-1e-12 {
				come = "   comes up in " + Percent(f.Comes[from], false)
			}
			fmt.Fprintln(w, title(from)+come)
		}
		label := stepLabel(&s)
		if label == "" {
			label = "always"
		}
		fmt.Fprintf(w, "  -> %s   %s\n", title(s.To), label)
	}
}
