package interp

import (
	"context"
	"strings"

	"setpiece/interp/internal/compile"
	"setpiece/lang"
)

// GoalInfo describes a goal of a whole scene: one that rules declare, that asks for nobody
// and says after which verbs, as  goal heroes "the heroes win" after fight = …, or one that
// the script declares, as  goal home "they get home" after fight = home
type GoalInfo struct {
	Name, Doc string
	After     []string // the verbs that it is about; none where a script declares it
}

// SceneGoals lists the goals of whole scenes, and names the one that a script is about: the
// first that it declares itself, else the first of the rules for which it has a command,
// "success" where there is none.
// The session is not changed.
func (s *Session) SceneGoals(ctx context.Context, src *lang.Source) (list []GoalInfo, usual string, err error) {
	file, diags, err := lang.ParseContext(ctx, src)
	if err != nil {
		return nil, "", compileError(src, err)
	}
	if failed(diags) {
		return nil, "", diags
	}
	w, _, _, err := s.compile(ctx, src, false)
	if err != nil {
		return nil, "", err
	}
	usual = "success"
	heads := headsOf(file)
	for _, g := range w.SceneGoals() {
		list = append(list, GoalInfo{g.Name, g.Doc, g.After})
		if g.Script && usual == "success" {
			usual = g.Name
		}
		for _, verb := range g.After {
			if heads[verb] && usual == "success" {
				usual = g.Name
			}
		}
	}
	return list, usual, nil
}

// headsOf gives the verbs of a script's commands, those of its tests left out.
func headsOf(file *lang.File) map[string]bool {
	heads := map[string]bool{}
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			switch n := n.(type) {
			case *lang.Test:
				return false
			case *lang.Command:
				if w, ok := n.Head.(*lang.Word); ok {
					heads[w.Name] = true
				}
			}
			return true
		})
	}
	return heads
}

// aimOf gives a goal as an expression: what rules declare under that name, else what the
// caller wrote.
func (s *Session) aimOf(ctx context.Context, src *lang.Source, goal string) string {
	name := strings.TrimSpace(goal)
	if x, diags := lang.ParseExpr(lang.NewSource("goal", name)); failed(diags) {
		return goal
	} else if _, ok := x.(*lang.Word); !ok {
		return goal
	}
	find := func(w *compile.World) string {
		for _, g := range w.SceneGoals() {
			if g.Name == name {
				return "(" + g.Text + ")"
			}
		}
		return ""
	}
	if text := find(s.world); text != "" {
		return text
	}
	if w, _, _, err := s.compile(ctx, src, false); err == nil {
		if text := find(w); text != "" {
			return text
		}
	}
	return goal
}

// aimFor gives what somebody wants of a script, as an expression that rules declare: of
// its fight that their side wins, of a roll that it goes their way. "" where rules declare
// nothing of the kind.
func (s *Session) aimFor(ctx context.Context, src *lang.Source, who string) string {
	file, diags := lang.Parse(src)
	if failed(diags) {
		return ""
	}
	actor := ""
	for _, st := range file.Stmts {
		lang.Walk(st, func(n lang.Node) bool {
			c, ok := n.(*lang.Command)
			if ok && c.Who != nil {
				at := c.Who.Range()
				actor = at.Src.Text[at.Start:at.End]
			}
			return true
		})
	}
	heads := headsOf(file)
	w := s.world
	if c, _, _, err := s.compile(ctx, src, false); err == nil {
		w = c
	}
	if text := w.TextOf(strings.ReplaceAll(who, " ", "_"), actor, func(verb string) bool { return heads[verb] }); text != "" {
		return "(" + text + ")"
	}
	return ""
}
