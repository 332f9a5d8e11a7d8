package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/stdlib"
)

func (a *app) rulesCommand() *cobra.Command {
	var asJSON, decisions bool
	cmd := &cobra.Command{
		Use:   "rules [SYSTEM]",
		Short: "List the systems, the rules of one, or what a variant changes",
		Args:  needs("at most one SYSTEM", 0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return render.Modules(stdlib.FS), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !decisions && !asJSON && len(args) == 1 && a.isVariant(args[0]):
				return a.helpOn(cmd.Root(), args[0]) // which says what it changes
			case decisions && len(args) == 0:
				return wrong("--decisions", "--decisions needs a SYSTEM", "there are: "+strings.Join(render.Modules(stdlib.FS), ", "))
			case decisions:
				return a.listDecisions(args[0], asJSON)
			case len(args) == 0:
				return a.listModules(asJSON)
			}
			return a.listRules(args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, usageJSON)
	cmd.Flags().BoolVar(&decisions, "decisions", false, "list its decisions instead")
	return cmd
}

// isVariant says whether a name is that of a variant, and of nothing else that has rules.
func (a *app) isVariant(name string) bool {
	topics := a.modules().Help(name)
	return slices.ContainsFunc(topics, func(t interp.Topic) bool { return t.Kind == "variant" && t.Name == name })
}

func (a *app) rulesOf(module string) ([]interp.RuleInfo, error) {
	names := render.Modules(stdlib.FS)
	folder := a.folder(".")
	in := func(module string) error {
		if folder == nil {
			return fs.ErrNotExist
		}
		_, err := fs.ReadFile(folder, module+".rules")
		return err
	}
	beside := in(module)
	if !slices.Contains(names, module) && beside != nil {
		if !errors.Is(beside, fs.ErrNotExist) && !errors.Is(beside, fs.ErrInvalid) {
			return nil, badFile(module, beside)
		}
		here := a.modules().Available()
		help := didYouMean(module, here)
		if help == "" {
			own := slices.DeleteFunc(here, func(m string) bool { return in(m) != nil })
			help = "there are: " + strings.Join(append(names, own...), ", ")
		}
		return nil, wrong(module, "there is no system "+module, help)
	}
	return a.modules().Rules(module)
}

// listModules lists the systems with their variants. What has no rules of its own is
// there for others to include.
func (a *app) listModules(asJSON bool) error {
	var rows [][]string
	for _, name := range render.Modules(stdlib.FS) {
		rules, err := a.rulesOf(name)
		if err != nil {
			return err
		}
		if len(rules) == 0 {
			continue
		}
		title, variants := render.Titles(stdlib.FS, name)
		if asJSON {
			a.object(jsonSystem{transcript.Record{Event: "system"}, name, title, append([]string{}, variants...), len(rules)})
		}
		if len(variants) > 0 {
			title += "; variants: " + strings.Join(variants, ", ")
		}
		rows = append(rows, []string{name, fmt.Sprintf("%d rules", len(rules)), title})
	}
	if !asJSON {
		render.Table(a.out, rows)
	}
	return nil
}

func (a *app) listRules(module string, asJSON bool) error {
	rules, err := a.rulesOf(module)
	if err != nil {
		return err
	}
	p := a.palette()
	var rows [][]string
	for _, r := range rules {
		if asJSON {
			a.object(ruleObject(r))
		}
		kind := ""
		if r.Recorded {
			kind = render.Kind(r)
		}
		rows = append(rows, []string{r.ID, kind, style.On(p.Faint, r.Doc)})
	}
	if !asJSON {
		render.Table(a.out, rows)
	}
	return nil
}

func (a *app) listDecisions(module string, asJSON bool) error {
	if _, err := a.rulesOf(module); err != nil {
		return err
	}
	list, err := a.modules().Decisions(module)
	if err != nil {
		return err
	}
	if !asJSON {
		render.DecisionList(a.out, a.palette(), list)
		return nil
	}
	for _, d := range list {
		a.object(decisionKindObject(d))
	}
	return nil
}

func (a *app) explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Print a rule: what it says, and its script",
		Long: `Print a rule. Output names rules by their ids. The beginning of an id, up to a dot,
lists the rules whose ids begin with it.`,
		Example: "  setpiece explain SYSTEM.check.roll\n  setpiece explain SYSTEM.check",
		Args:    needs("an ID", 1, 1),
		ValidArgsFunction: func(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
			return a.ruleIDs(start), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explain(args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) ruleIDs(start string) []string {
	module, _, _ := strings.Cut(start, ".")
	var ids []string
	for _, name := range a.modules().Available() {
		if !strings.HasPrefix(name, module) {
			continue
		}
		rules, err := a.modules().Rules(name)
		if err != nil {
			continue
		}
		for _, r := range rules {
			if !slices.Contains(ids, r.ID) { // one that is cited in several places is listed once
				ids = append(ids, r.ID)
			}
		}
	}
	return ids
}

// rulesNamed gives the ids of the rules in all systems, those in this folder too, that end with
// a word or an id. The words of a name that are joined by _ are often joined by a dot in an id.
func (a *app) rulesNamed(word string) []string {
	end := "." + strings.ReplaceAll(word, "_", ".")
	return slices.DeleteFunc(a.ruleIDs(""), func(id string) bool { return !strings.HasSuffix(strings.ReplaceAll(id, "_", "."), end) })
}

func (a *app) explain(id string, asJSON bool) error {
	module, _, _ := strings.Cut(id, ".")
	rules, err := a.rulesOf(module)
	if err != nil {
		if ids := a.rulesNamed(id); len(ids) > 0 {
			return wrong(id, "there is no system "+module, "rules of that name: "+strings.Join(ids, ", "))
		}
		return err
	}
	if i := slices.IndexFunc(rules, func(r interp.RuleInfo) bool { return r.ID == id }); i >= 0 {
		return a.explainRule(rules[i], asJSON)
	}
	under := slices.DeleteFunc(slices.Clone(rules), func(r interp.RuleInfo) bool {
		return !strings.HasPrefix(r.ID, strings.TrimSuffix(id, ".")+".")
	})
	if len(under) == 0 {
		ids := make([]string, len(rules))
		for i, r := range rules {
			ids[i] = r.ID
		}
		help := didYouMean(id, ids)
		if named := a.rulesNamed(id); help == "" && len(named) > 0 {
			help = "did you mean " + strings.Join(named, " or ") + "?"
		}
		return wrong(id, "there is no rule "+id, help)
	}
	rows := make([][]string, len(under))
	for i, r := range under {
		if asJSON {
			a.object(ruleObject(r))
		}
		rows[i] = []string{r.ID, r.Doc}
	}
	if !asJSON {
		render.Table(a.out, rows)
	}
	return nil
}

func (a *app) explainRule(r interp.RuleInfo, asJSON bool) error {
	if asJSON {
		a.object(ruleObject(r))
		return nil
	}
	render.Rule(a.out, a.palette(), r)
	return nil
}
