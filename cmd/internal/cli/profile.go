package cli

import (
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/render"
	"setpiece/interp/sim"
)

// dearest is how many rules the table of a profile shows.
const dearest = 20

// tellProfile writes a profile to a file, or prints the rules that take most where the file is "-".
func (a *app) tellProfile(path string, p *sim.Profile) error {
	if path == "-" {
		profileTable(a.errTo, p)
		return nil
	}
	err := files.Write(path, &a.seen, func(f *files.Output) error { return pprofOf(p).Write(f) })
	if err != nil {
		return badFile(path, err)
	}
	a.note(path + ": go tool pprof shows it")
	return nil
}

// profileTable prints the rules that take most, from the dearest down.
func profileTable(w io.Writer, p *sim.Profile) {
	fmt.Fprintf(w, "%s trials, %s instructions each\n", render.Thousands(p.Trials), render.Thousands(p.Instructions/max(p.Trials, 1)))
	share := func(n int64) string { return render.Percent(float64(n)/float64(max(p.Instructions, 1)), false) }
	rows := [][]string{{"own", "with calls", "instructions a trial", "rule"}}
	rules := p.Rules()
	for _, r := range rules[:min(len(rules), dearest)] {
		rows = append(rows, []string{share(r.Own), share(r.All), render.Thousands(r.Own / max(p.Trials, 1)), fmt.Sprintf("%s   %s:%d", r.Rule, r.File, r.Line)})
	}
	render.Table(w, rows)
}

// pprofOf gives a profile in the format of pprof.
func pprofOf(p *sim.Profile) *pprof.Profile {
	out := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: "instructions", Unit: "count"}}}
	type name struct{ rule, file string }
	functions, lines := map[name]*pprof.Function{}, map[sim.ProfilePlace]*pprof.Location{}
	at := func(x sim.ProfilePlace) *pprof.Location {
		if l := lines[x]; l != nil {
			return l
		}
		f := functions[name{x.Rule, x.File}]
		if f == nil {
			f = &pprof.Function{ID: uint64(len(functions) + 1), Name: x.Rule, SystemName: x.Rule, Filename: x.File}
			functions[name{x.Rule, x.File}], out.Function = f, append(out.Function, f)
		}
		l := &pprof.Location{ID: uint64(len(lines) + 1), Line: []pprof.Line{{Function: f, Line: int64(x.Line)}}}
		lines[x], out.Location = l, append(out.Location, l)
		return l
	}
	for _, s := range p.Samples {
		x := &pprof.Sample{Value: []int64{s.Count}}
		for _, place := range s.Places {
			x.Location = append(x.Location, at(place))
		}
		out.Sample = append(out.Sample, x)
	}
	return out
}
