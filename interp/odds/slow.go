package odds

import (
	"context"
	"fmt"
	"slices"

	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/odds"
	"setpiece/interp/internal/query"
	"setpiece/lang"
)

// manyStates is from how many states on, each as often as it was met, it is told what odds are slow for.
const manyStates = 5000

// Slow looks for loops of a text for which odds follow each throw of a pool, in the first few states, and gives a
// warning for each.
func Slow(ctx context.Context, s *core.Run, src *lang.Source, states int) (lang.Diagnostics, error) {
	p, err := s.Again(ctx, src)
	if err != nil {
		return nil, err
	}
	g, done := Graph(p, nil)
	defer done()
	g.Limit = states
	if err := g.Build(ctx); err != nil && OverOf(err) == "" {
		return nil, err
	}
	return slow(g), nil
}

func slow(g *odds.Graph) (out lang.Diagnostics) {
	for _, l := range g.Loops {
		if l.At.Src == nil {
			continue
		}
		d := decl.WarnAt(l.At, "SP0143", "odds follow the dice of this loop throw by throw, which is slow")
		d.Help = quick(l)
		out = append(out, d)
	}
	return out
}

// quick says how a loop like this would be quick.
func quick(l *query.Loop) string {
	var names []string
	size := 0
	for _, r := range l.Reads {
		of, index := readsOf(decl.Text(r.At))
		switch {
		case of == "":
		case !index && r.At == l.At:
			return fmt.Sprintf("read nothing in it but its dice and what is known before the throw, as in  count d in %s where d >= 4", of)
		case index && !slices.Contains(names, of):
			names = append(names, of)
			size = max(size, r.Size)
		}
	}
	const way = "read the dice from the highest down"
	switch len(names) {
	case 0:
		return way
	case 1:
		return fmt.Sprintf("%s, as in  count i in 1..%d where %[3]s[i] == %[3]s[i + 1]", way, size-1, names[0])
	}
	return fmt.Sprintf("%s, in both pools, as in  count i in 1..%d where %s[i] > %s[i]", way, size, names[0], names[1])
}

// readsOf gives the variable whose elements an expression or a loop reads, "" where it reads none or those of
// something longer; index says that it takes one of them.
func readsOf(text string) (of string, index bool) {
	var node lang.Node
	if e, diags := lang.ParseExpr(lang.NewSource("", text)); len(diags) == 0 {
		node = e
	} else if node, diags = lang.Parse(lang.NewSource("", text+" { }")); len(diags) > 0 {
		node, _ = lang.Parse(lang.NewSource("", text))
	}
	lang.Walk(node, func(n lang.Node) bool {
		switch n := n.(type) {
		case *lang.Index:
			of, index = variable(n.X), true
		case *lang.Comp:
			of = variable(n.In)
		case *lang.For:
			of = variable(n.In)
		default:
			return true
		}
		return false
	})
	return of, index
}

// variable gives the name of the variable of which an expression reads something:  a  and  a.sorted.
func variable(e lang.Expr) string {
	switch e := e.(type) {
	case *lang.Word:
		return e.Name
	case *lang.Dot:
		return variable(e.X)
	case *lang.Paren:
		return variable(e.X)
	case *lang.Call:
		if dot, ok := e.Fn.(*lang.Dot); ok {
			return variable(dot)
		}
	}
	return ""
}
