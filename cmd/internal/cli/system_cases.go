package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/systems"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/dist"
	"setpiece/interp/odds"
	"setpiece/interp/transcript"
	"setpiece/interp/verify"
	"setpiece/lang"
	"setpiece/stdlib"
)

// packageCalled finds a package by its path, or by the name of a system that is found from here.
func (a *app) packageCalled(called, version string) (*systems.Package, error) {
	if _, err := os.Stat(called); err == nil && version == "" {
		return a.packageOf(called)
	}
	here := interp.NewSession(library(a.folder("."), a.places())).Installed()
	for _, x := range here {
		if x.Name != called || version != "" && x.Version != version {
			continue
		}
		if x.Place == interp.Here && path.Dir(x.File) == "." {
			return a.packageOf(x.File)
		}
		folder, err := fs.Sub(a.placeOf(x), path.Dir(x.File))
		if err != nil {
			return nil, err
		}
		p, err := systems.FromFolder(folder, library(nil, a.places()))
		return p, badPackage(called, err)
	}
	var names []string
	for _, x := range here {
		names = append(names, x.Name)
	}
	return nil, wrong(called, strings.TrimSpace("there is no system "+called+" "+version), cmp.Or(didYouMean(called, names), "name a system, a FOLDER or a FILE; setpiece rules lists the systems"))
}

// placeOf gives the folder in which a system was found.
func (a *app) placeOf(x interp.System) fs.FS {
	switch x.Place {
	case interp.Here:
		return a.folder(".")
	case interp.BuiltIn:
		return stdlib.FS
	}
	i := slices.IndexFunc(a.places(), func(p interp.Place) bool { return p.Name == x.Place })
	return a.places()[i].FS
}

// scriptsOf gives files of a package as scripts that use the rules of a package.
func (a *app) scriptsOf(rules, cases *systems.Package, ending string) []script {
	var out []script
	for _, name := range slices.Sorted(maps.Keys(cases.Files)) {
		if path.Ext(name) != ending {
			continue
		}
		files := maps.Clone(cases.Files)
		maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return path.Ext(name) == ".rules" })
		for name, f := range rules.Files {
			if path.Ext(name) == ".rules" {
				files[name] = f
			}
		}
		folder, err := fs.Sub(files, path.Dir(name))
		if err != nil {
			continue // its name has been checked
		}
		out = append(out, script{
			src: lang.NewSource(path.Join(cases.Name, name), string(cases.Files[name].Data)), folder: folder,
			systems: append([]interp.Place{{Name: rules.Called(), FS: files}}, a.places()...),
		})
	}
	return out
}

// earlier finds the version of a package that came before it, nil if there is none.
func (a *app) earlier(p *systems.Package, against string) (*systems.Package, error) {
	if against != "" {
		if _, err := os.Stat(against); err == nil {
			return a.packageOf(against)
		}
		return a.packageCalled(p.Name, against)
	}
	best := ""
	for _, x := range interp.NewSession(library(nil, a.places())).Installed() {
		if x.Name == p.Name && interp.Later(p.Version, x.Version) && (best == "" || interp.Later(x.Version, best)) {
			best = x.Version
		}
	}
	if best == "" {
		return nil, nil
	}
	return a.packageCalled(p.Name, best)
}

// moved says what other rules make of the cases of a system: which of its scenes and tests have
// other odds, and which tests fail.
func (a *app) moved(ctx context.Context, p *playing, old, now *systems.Package, e *effort) error {
	cases, changed, failing := 0, 0, 0
	before, after := a.scriptsOf(old, old, ".scene"), a.scriptsOf(now, old, ".scene")
	titles := []string{old.Called(), now.Called()}
	if titles[0] == titles[1] {
		titles[0] += " (before)"
	}
	fmt.Fprintf(a.out, "\nthe cases of %s under the rules of %s:\n", titles[0], titles[1])
	for i := range before {
		results, err := verify.Tests(ctx, interp.NewSession(p.config(after[i])), after[i].src)
		if err != nil {
			a.fail(err)
			failing++
		}
		for _, r := range results {
			if r.Err != nil {
				failing++
				a.testLine(r, false)
			}
		}
		with, err := a.casesIn(ctx, p, before[i])
		if err != nil {
			return err
		}
		for _, c := range with {
			cases++
			differs, err := a.caseMoved(ctx, p, c, []script{before[i].with(c.src), after[i].with(c.src)}, titles, e)
			if err != nil {
				a.fail(err)
			}
			if differs {
				changed++
			}
		}
	}
	fmt.Fprintf(a.out, "%s: %d with other odds", transcript.Count(cases, "case"), changed)
	if failing > 0 {
		fmt.Fprintf(a.out, ", %s failed", transcript.Count(failing, "test"))
	}
	fmt.Fprintln(a.out)
	return nil
}

// aCase is something that is played, with nothing thrown yet.
type aCase struct {
	title string
	src   *lang.Source
}

// casesIn gives what a script plays without its tests, and what each of its tests does. Dice that
// are given and what is expected are left out, so that both have odds.
func (a *app) casesIn(ctx context.Context, p *playing, s script) ([]aCase, error) {
	file, diags := lang.Parse(s.src)
	if diags.Errors() {
		return nil, diags
	}
	o, err := assist.OutlineOf(ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil {
		return nil, err
	}
	given := givenIn(file)
	var tests []*lang.Test
	var without []lang.Edit
	for _, st := range file.Stmts {
		if t, ok := st.(*lang.Test); ok {
			tests = append(tests, t)
			without = append(without, lang.Edit{Span: t.Span})
		}
	}
	var out []aCase
	if len(o.Played) > 0 {
		out = append(out, aCase{s.src.Name, s.src.Edited(append(without, outside(given, without)...)...)})
	}
	for _, t := range tests {
		var edits []lang.Edit
		for _, other := range tests {
			if other != t {
				edits = append(edits, lang.Edit{Span: other.Span})
			}
		}
		if t.After == nil {
			for _, at := range o.Played {
				edits = append(edits, lang.Edit{Span: at})
			}
		}
		edits = append(edits, lang.Edit{Span: lang.Span{Src: s.src, Start: t.Start, End: t.Body.Start + 1}}, lang.Edit{Span: lang.Span{Src: s.src, Start: t.End - 1, End: t.End}})
		out = append(out, aCase{fmt.Sprintf("%s, %q", s.src.Name, strings.Trim(t.Name.Raw, `"`)), s.src.Edited(append(edits, outside(given, edits)...)...)})
	}
	return out, nil
}

// givenIn finds what gives dice, and what is expected.
func givenIn(file *lang.File) []lang.Edit {
	var out []lang.Edit
	lang.Walk(file, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Expect:
			out = append(out, lang.Edit{Span: n.Span, New: "let _ = none"})
			return false
		case *lang.Command:
			if head, ok := n.Head.(*lang.Word); ok && slices.Contains([]string{"dice", "picks", "refused"}, head.Name) {
				out = append(out, lang.Edit{Span: n.Span, New: "let _ = none"})
				return false
			}
		}
		return true
	})
	return out
}

// outside gives the edits that are in none of some others.
func outside(edits, others []lang.Edit) []lang.Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e lang.Edit) bool {
		return slices.ContainsFunc(others, func(o lang.Edit) bool { return o.Start <= e.Start && e.End <= o.End })
	})
}

// caseMoved prints the odds of a case under two rules if they differ, and says whether they do.
func (a *app) caseMoved(ctx context.Context, p *playing, c aCase, both []script, titles []string, e *effort) (bool, error) {
	var dists [2][]*dist.Distribution
	for i, s := range both {
		l, err := a.lawOr(ctx, p, s, odds.Config{}, e, nil)
		if err != nil {
			return true, err
		}
		if l.Over != "" {
			fmt.Fprintln(a.out, c.title)
			return true, a.pairs(ctx, p, both, titles, odds.Config{}, false, e)
		}
		if f := l.Odds.Certain(); f != nil {
			return true, f
		}
		if dists[i], err = new(chart).dists(l.Odds.Columns, l.Odds.Distribution); err != nil {
			return true, err
		}
	}
	for _, x := range dists[0] {
		i := slices.IndexFunc(dists[1], func(y *dist.Distribution) bool { return y.Name == x.Name })
		if i < 0 || !x.Same(dists[1][i]) {
			fmt.Fprintln(a.out, c.title)
			if i >= 0 {
				render.Beside(a.out, a.palette(), titles, []*dist.Distribution{x, dists[1][i]}, true)
			}
			return true, nil
		}
	}
	return false, nil
}
