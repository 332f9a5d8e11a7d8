package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
	"setpiece/lang/late"
)

func (a *app) rulesCommand() *cobra.Command {
	var asJSON, decisions bool
	cmd := &cobra.Command{
		Use:   "rules [SYSTEM | FILE.rules]",
		Short: "List the systems, the rules of one, or what a variant changes",
		Long: `List the systems and where "use" looks for them, the rules of one, or what a variant
changes. A system is named by its name, or by its first file.`,
		Args: needs("at most one SYSTEM", 0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.modules().SystemNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if decisions {
					return wrong("--decisions", "--decisions needs a SYSTEM", "there are: "+strings.Join(a.modules().SystemNames(), ", "))
				}
				return a.listModules(asJSON)
			}
			cfg, name, err := a.systemCalled(args[0])
			if err != nil {
				return err
			}
			s := interp.NewSession(cfg)
			switch {
			case decisions:
				return a.listDecisions(s, name, asJSON)
			case !asJSON && isVariant(s, name):
				return a.helpOn(cmd.Root(), s, name) // which says what it changes
			}
			return a.listRules(s, name, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, usageJSON)
	cmd.Flags().BoolVar(&decisions, "decisions", false, "list its decisions instead")
	return cmd
}

// isVariant says whether a name is that of a variant, and of nothing else that has rules.
func isVariant(s *interp.Session, name string) bool {
	i := slices.IndexFunc(s.Installed(), func(x interp.System) bool { return x.Name == name })
	return i >= 0 && s.Installed()[i].Base != ""
}

// systemCalled finds a system or variant by its name or by its first file, with how to make a
// session that knows it.
func (a *app) systemCalled(called string) (interp.Config, string, error) {
	if strings.HasSuffix(called, ".rules") {
		x, err := a.read(called)
		if err != nil {
			return interp.Config{}, "", err
		}
		name := strings.TrimSuffix(filepath.Base(called), ".rules")
		cfg := library(x.folder, a.places())
		for _, there := range interp.NewSession(cfg).Installed() {
			if there.Name == name && there.Place == interp.Here {
				return cfg, name, nil
			}
		}
		return cfg, "", wrong(called, called+" declares neither a system nor a variant", "name the file that begins with  system NAME  or  variant NAME of BASE")
	}
	cfg := library(a.folder("."), a.places())
	here := interp.NewSession(cfg).Available()
	if slices.Contains(here, called) {
		return cfg, called, nil
	}
	if folder := a.folder("."); folder != nil && fs.ValidPath(called) {
		if _, err := fs.ReadFile(folder, called+".rules"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cfg, "", badFile(called, err)
		}
	}
	help := didYouMean(called, here)
	if help == "" {
		help = "there are: " + strings.Join(a.modules().SystemNames(), ", ")
	}
	return cfg, "", wrong(called, "there is no system "+called, help)
}

// listModules lists the systems with their variants, and where they are looked for. What has no
// rules of its own is there for others to include.
func (a *app) listModules(asJSON bool) error {
	all := a.modules().Installed()
	var rows [][]string
	for i, x := range all {
		same := func(y interp.System) bool { return y.Name == x.Name }
		if x.Base != "" || slices.IndexFunc(all, same) < i {
			continue // a variant, or one that another place has first
		}
		rules, err := assist.Rules(a.modules(), x.Name)
		if err != nil {
			return err
		}
		if len(rules) == 0 {
			continue
		}
		variants := []string{}
		for _, y := range all {
			if y.Base == x.Name && !slices.Contains(variants, y.Name) {
				variants = append(variants, y.Name)
			}
		}
		if asJSON {
			a.object(jsonSystem{transcript.Record{Event: "system"}, x.Name, x.Title, variants, len(rules), x.Version, x.Place})
		}
		title := x.Title
		if len(variants) > 0 {
			title += "; variants: " + strings.Join(variants, ", ")
		}
		if x.Place != interp.BuiltIn && x.Place != interp.Here {
			title += "; in " + x.Place
		}
		rows = append(rows, []string{strings.TrimSpace(x.Name + " " + x.Version), fmt.Sprintf("%d rules", len(rules)), title})
	}
	if !asJSON {
		render.Table(a.out, rows)
		fmt.Fprintln(a.out, style.On(a.palette().Faint, "use looks in: "+strings.Join(a.looksIn(), "; ")))
	}
	return nil
}

// looksIn names the places in which use looks, in order.
func (a *app) looksIn() []string {
	names := []string{interp.Here}
	for _, p := range a.places() {
		names = append(names, p.Name)
	}
	return append(names, interp.BuiltIn)
}

func (a *app) listRules(s *interp.Session, module string, asJSON bool) error {
	rules, err := assist.Rules(s, module)
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

func (a *app) listDecisions(s *interp.Session, module string, asJSON bool) error {
	list, err := assist.Decisions(s, module)
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
		Short: "Print a rule or what a message means: what it says, and a script",
		Long: `Print a rule. Output names rules by their ids. The beginning of an id, up to a dot,
lists the rules whose ids begin with it. A code such as SP0101 is that of a message:
setpiece explains what it means, with a script that shows it and one that does not.`,
		Example: "  setpiece explain SYSTEM.check.roll\n  setpiece explain SYSTEM.check\n  setpiece explain SP0101",
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
		rules, err := assist.Rules(a.modules(), name)
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
	if isCode().MatchString(id) {
		return a.explainCode(strings.ToUpper(id), asJSON)
	}
	module, _, _ := strings.Cut(id, ".")
	cfg, _, err := a.systemCalled(module)
	if err != nil {
		if ids := a.rulesNamed(id); len(ids) > 0 {
			return wrong(id, "there is no system "+module, "rules of that name: "+strings.Join(ids, ", "))
		}
		return err
	}
	rules, err := assist.Rules(interp.NewSession(cfg), module)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(rules, func(r assist.RuleInfo) bool { return r.ID == id }); i >= 0 {
		return a.explainRule(rules[i], asJSON)
	}
	under := slices.DeleteFunc(slices.Clone(rules), func(r assist.RuleInfo) bool {
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

var isCode = late.Regexp(`(?i)^sp\d+$`)

func (a *app) explainCode(code string, asJSON bool) error {
	p, ok := lang.PageOf(code)
	switch {
	case !ok:
		return wrong(code, "no message has the code "+code, "setpiece doc codes lists all")
	case asJSON:
		a.object(jsonCode{transcript.Record{Event: "code"}, p.Code, p.Title, p.Text})
	default:
		fmt.Fprint(a.out, p.Page())
	}
	return nil
}

func (a *app) explainRule(r assist.RuleInfo, asJSON bool) error {
	if asJSON {
		a.object(ruleObject(r))
		return nil
	}
	render.Rule(a.out, a.palette(), r)
	return nil
}
