package odds

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"setpiece/interp"
	"setpiece/interp/dist"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/lang"
	"setpiece/lang/late"
)

// How scenes follow one another is a question about the run, not about the text: an if, a
// loop or a rule may stand between them. So a script is asked by changing it: before each
// scene it notes the number of that scene in a list, and at the end it reports the list. The
// distribution of that list, exact or simulated as that of any other column, gives the
// chance of each way, and the ways give the chance of each step from scene to scene.

// Scene is a scene of a script, or a longer stretch with scenes in it, such as an episode: a
// command with a title whose verb takes a block and has the name of a span.
type Scene struct {
	Title string
	Verb  string
	At    lang.Span
	In    int  // the index of the stretch that it stands in, -1 for none
	Holds bool // it holds other scenes
}

// Step is that one scene follows another.
type Step struct {
	From, To int      // indices of scenes; FlowStart and FlowEnd
	P        float64  // how likely To comes next when From is over
	Exact    *big.Rat // nil when only P is known
	Half     float64  // of an estimate: half of the 95 % interval
}

// FlowStart and FlowEnd stand for the beginning and the end of a script in a Step.
const (
	FlowStart = -1
	FlowEnd   = -2
)

// Flow is how the scenes of a script follow one another.
type Flow struct {
	Scenes []Scene
	Steps  []Step    // in the order of From and To, the start first and the end last
	Comes  []float64 // how likely each scene comes up at all
	Stops  float64   // how likely the script stops with an error; the steps leave that out
	Trials int64     // that it is estimated from; 0: it is exact, but for what Sampled says

	Sampled *dist.Sampled // where only a part is exact; see Odds
}

// FlowScript gives the scenes of a script, and the script changed so that its only column
// says which of them came up, for FlowOf. The session is not changed.
func FlowScript(ctx context.Context, s *interp.Session, src *lang.Source) ([]Scene, *lang.Source, error) {
	w, _, _, err := core.Of(s).Compile(ctx, src, false)
	if err != nil {
		return nil, nil, err
	}
	file, _, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, nil, core.Of(s).Host.Uncompiled(src, err)
	}
	f := flowing{world: w, src: src, edits: []lang.Edit{{Span: lang.Span{Src: src}, New: "let " + cameUp + " = []; "}}}
	for _, st := range file.Stmts {
		f.statement(st, -1)
	}
	f.edits = append(f.edits, lang.Edit{Span: lang.Span{Src: src, Start: int32(len(src.Text)), End: int32(len(src.Text))}, New: "\nreport " + cameUp + "\n"})
	return f.scenes, src.Edited(f.edits...), nil
}

// cameUp is the variable with the numbers of scenes. No script has one of that name.
const cameUp = "scenes_that_came_up"

// flowing finds scenes and changes the script.
type flowing struct {
	world  *decl.World
	src    *lang.Source
	scenes []Scene
	edits  []lang.Edit
}

func (f *flowing) statement(st lang.Node, in int) {
	before := st.Range().Start
	lang.Walk(st, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Test, *lang.Rule, *lang.Verb, *lang.Handler, *lang.Feature:
			return false
		case *lang.Report:
			f.edits = append(f.edits, lang.Edit{Span: n.Span}) // other columns would only make more ends
			return false
		case *lang.Block:
			for _, st := range n.Stmts {
				f.statement(st, in)
			}
			return false
		case *lang.Command:
			title, verb := f.title(n)
			if title == "" {
				return true
			}
			at := len(f.scenes)
			f.scenes = append(f.scenes, Scene{Title: title, Verb: verb, At: n.Span, In: in})
			if n.Block != nil {
				for _, st := range n.Block.Stmts {
					f.statement(st, at)
				}
			}
			for _, s := range f.scenes[at+1:] {
				f.scenes[at].Holds = f.scenes[at].Holds || s.In == at
			}
			if !f.scenes[at].Holds {
				f.edits = append(f.edits, lang.Edit{Span: lang.Span{Src: f.src, Start: before, End: before}, New: fmt.Sprintf("%s = %[1]s + [%d]; ", cameUp, at)})
			}
			return false
		}
		return true
	})
}

// title is what a command calls the scene that it opens, "" if it opens none.
func (f *flowing) title(c *lang.Command) (title, verb string) {
	head, ok := c.Head.(*lang.Word)
	if !ok || !compile.Titles(f.world, head.Name) {
		return "", ""
	}
	for _, a := range c.Args {
		if t, ok := a.Expr.(*lang.Text); ok {
			return strings.ReplaceAll(strings.Trim(t.Src.Text[t.Start:t.End], `"`), `\"`, `"`), head.Name
		}
	}
	return "", ""
}

var numbers = late.Regexp(`\d+`)

// FlowOf makes a flow of the distribution of the column of a FlowScript: of exact odds, or,
// where trials is not 0, of so many trials. stops is the share of what stopped with an error.
func FlowOf(scenes []Scene, d *dist.Distribution, stops float64, trials int64) *Flow {
	f := &Flow{Scenes: scenes, Comes: make([]float64, len(scenes)), Stops: stops, Trials: trials, Sampled: d.Sampled}
	seen := map[*Step]int64{} // of what was sampled: how often trials came to it
	type pair struct{ from, to int }
	steps, left := map[pair]*Step{}, map[int]*Step{}
	add := func(s *Step, p dist.Point, times int64) {
		s.P += p.P * float64(times)
		seen[s] += p.Trials * times
		if s.Exact != nil && p.Exact != nil {
			s.Exact.Add(s.Exact, new(big.Rat).Mul(p.Exact, new(big.Rat).SetInt64(times)))
		} else {
			s.Exact = nil
		}
	}
	for _, p := range d.Points {
		from, met := FlowStart, map[int]bool{}
		next := func(to int) {
			if steps[pair{from, to}] == nil {
				steps[pair{from, to}] = &Step{From: from, To: to, Exact: new(big.Rat)}
			}
			if left[from] == nil {
				left[from] = &Step{Exact: new(big.Rat)}
			}
			add(steps[pair{from, to}], p, 1)
			add(left[from], p, 1)
			from = to
		}
		for _, n := range sceneNumbers(p.Shown) {
			if n >= len(scenes) {
				continue
			}
			next(n)
			if !met[n] {
				met[n] = true
				f.Comes[n] += p.P
			}
		}
		next(FlowEnd)
	}
	for _, s := range steps {
		all := left[s.From]
		switch {
		case d.Sampled != nil:
			s.Half = sampledStep(d, s.From, s.To, s.P/all.P, all.P, seen[s], seen[all])
		case trials > 0:
			seen := int64(all.P*float64(trials) + 0.5)
			s.Half, s.Exact = dist.Half(int64(s.P*float64(trials)+0.5), seen), nil
		}
		s.P /= all.P
		if s.Exact != nil && all.Exact != nil && all.Exact.Sign() > 0 {
			s.Exact.Quo(s.Exact, all.Exact)
			s.P, _ = s.Exact.Float64()
		} else {
			s.Exact = nil
		}
		f.Steps = append(f.Steps, *s)
	}
	slices.SortFunc(f.Steps, func(a, b Step) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return last(a.To) - last(b.To)
	})
	return f
}

// sampledStep gives half of the 95 % interval of a step whose chance is p, from a scene that is come
// to so often in the mean, where trials of a remainder took it so many times of so many. What a trial
// adds to the error of p is how often it took the step, less p for each time it was there; it is
// at least what as many throws of one coin would leave open.
func sampledStep(d *dist.Distribution, from, to int, p, comes float64, taken, times int64) float64 {
	n := float64(d.Sampled.Trials)
	var squares, mean float64
	for _, x := range d.Points {
		if x.Trials == 0 {
			continue
		}
		off, at := 0.0, FlowStart
		for _, next := range append(sceneNumbers(x.Shown), FlowEnd) {
			if at == from {
				if off -= p; next == to {
					off++
				}
			}
			at = next
		}
		squares, mean = squares+float64(x.Trials)/n*off*off, mean+float64(x.Trials)/n*off
	}
	return d.Sampled.Weight / comes * max(dist.Deviations*math.Sqrt(max(0, squares-mean*mean)/n), dist.Half(taken, max(times, 1))*float64(times)/n)
}

// sceneNumbers reads the list of scenes that a script reports.
func sceneNumbers(list string) (out []int) {
	for _, m := range numbers().FindAllString(list, -1) {
		if n, err := strconv.Atoi(m); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// last puts the end behind all scenes.
func last(scene int) int {
	if scene == FlowEnd {
		return 1 << 30
	}
	return scene
}
