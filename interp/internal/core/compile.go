package core

import (
	"cmp"
	"context"
	"slices"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/lang"
)

// Parse reads a source; the error is one of host.Uncompiled where the context has ended or the source
// is too long.
func (r *Run) Parse(ctx context.Context, src *lang.Source) (*lang.File, lang.Diagnostics, error) {
	if most := r.Most.Source; src.Size() > most {
		return nil, nil, r.Host.Uncompiled(src, &ir.TooLong{At: lang.Span{Src: src}, Most: most})
	}
	tree, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, nil, r.Host.Uncompiled(src, err)
	}
	return tree, diags, nil
}

// Compile gives the world as the source makes it, and what to run. The store
// has grown by what the source declares, unless keep is false. Mistakes are the error as
// well; it is a *RunError where the context has ended or the source is too long.
func (r *Run) Compile(ctx context.Context, src *lang.Source, keep bool) (*decl.World, *compile.Compiled, lang.Diagnostics, error) {
	tree, diags, err := r.Parse(ctx, src)
	if err != nil {
		return nil, nil, nil, err
	}
	return r.CompileTree(ctx, tree, diags, keep)
}

// CompileTree is compile of what parse gave.
func (r *Run) CompileTree(ctx context.Context, tree *lang.File, diags lang.Diagnostics, keep bool) (*decl.World, *compile.Compiled, lang.Diagnostics, error) {
	src, most := tree.Src, r.Most.Source
	saved := slices.Clone(r.M.Store)
	w := r.World.Clone()
	if Failed(diags) {
		if u := unreadIn(tree, diags); u != nil {
			_, more, err := compile.CompileWithin(w, ctx, tree, most)
			r.M.Store = saved
			if err != nil {
				return nil, nil, nil, r.Host.Uncompiled(src, err)
			}
			w.SettleFields(diags)
			diags = append(diags, u.without(more)...)
			SortDiagnostics(diags, src)
		}
		return nil, nil, diags, diags
	}
	out, more, err := compile.CompileWithin(w, ctx, tree, most)
	diags = append(diags, more...)
	if !keep || err != nil || Failed(diags) {
		r.M.Store = saved
	}
	if err != nil {
		return nil, nil, nil, r.Host.Uncompiled(src, err)
	}
	SortDiagnostics(diags, src)
	if Failed(diags) {
		return w, out, diags, diags
	}
	return w, out, diags, nil
}

// SortDiagnostics brings messages about src into source order; those about
// modules and other files come after them, by name.
func SortDiagnostics(diags lang.Diagnostics, src *lang.Source) {
	slices.SortStableFunc(diags, func(a, b *lang.Diagnostic) int {
		if (a.Src == src) != (b.Src == src) {
			if a.Src == src {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(SpotOf(a.Span).Name(), SpotOf(b.Span).Name()), cmp.Compare(a.Start, b.Start))
	})
}

func Failed(d lang.Diagnostics) bool {
	return slices.ContainsFunc(d, func(d *lang.Diagnostic) bool { return d.Severity == lang.Error })
}

// Spot is where something begins.
type Spot struct {
	src *lang.Source
	At  int32
}

func (s Spot) Name() string {
	if s.src == nil {
		return ""
	}
	return s.src.Name
}

func SpotOf(at lang.Span) Spot { return Spot{at.Src, at.Start} }
