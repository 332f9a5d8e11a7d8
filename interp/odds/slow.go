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
	"setpiece/lang/late"
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
		text := decl.Text(r.At)
		if m := listOfLoop().FindStringSubmatch(text); r.At == l.At && m != nil {
			return fmt.Sprintf("read nothing in it but its dice and what is known before the throw, as in  count d in %s where d >= 4", m[1])
		}
		if m := listOfIndex().FindStringSubmatch(text); m != nil && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
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

// They find the name of a list in what reads its elements.
var (
	listOfIndex = late.Regexp(`^([a-z_]+).*\[`)
	listOfLoop  = late.Regexp(`\bin ([a-z_]+)`)
)
