package assist

import (
	"slices"

	"setpiece/interp"
	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/core"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/lang"
)

// DecisionInfo describes a decision that rules leave to somebody: an offer, or a choice
// among several. Clauses and tactics answer it by its name. Who, Options, Default and
// When are as the rules write them.
type DecisionInfo struct {
	Name    string
	Module  string // "" when the script itself declares it
	Rule    string // full id of the rule it belongs to, or ""
	Doc     string // what that rule says
	Who     string
	Prompt  string
	Options string
	Default string
	Cost    string // "1 luck", or ""
	When    string // "" for always
	Unasked bool   // no person is asked; clauses and tactics may answer
	Words   DecisionWords
	At      lang.Span
}

// DecisionWords says in words what the rules write as script: who is asked, the question
// with … for what only the moment knows, the answers ("" if only the script says them),
// what happens if nobody answers, when it is offered ("" for always), and when a quiet table is
// not asked ("" for never).
type DecisionWords struct{ Who, Prompt, Options, Default, When, Usual string }

// Decisions lists the decisions that a module offers, by name; with "" those of all
// modules in use and of the scripts that have run. The module need not be in use.
func Decisions(s *interp.Session, module string) ([]DecisionInfo, error) {
	w, err := knowing(core.Of(s), module)
	if err != nil {
		return nil, err
	}
	var out []DecisionInfo
	for _, d := range w.Decisions() {
		if module != "" && d.Module != module {
			continue
		}
		info := DecisionInfo{
			Name: d.Name, Module: d.Module, Rule: language.IDOf(w, d.Rule), Who: d.Who, Prompt: d.Prompt, Options: d.Options,
			Default: d.Default, Cost: d.Cost, When: d.When, Unasked: d.Unasked, Words: DecisionWords(d.Words), At: d.At,
		}
		if d.Rule >= 0 {
			info.Doc = w.IDs[d.Rule].Doc
		}
		out = append(out, info)
	}
	return out, nil
}

// knowing gives the world as it is or, if a module is not in use, as it would be with
// that module.
func knowing(s *core.Run, module string) (*decl.World, error) {
	if module == "" || slices.Contains(modulesOf(s), module) {
		return s.World, nil
	}
	if w := with(s, module); w != nil {
		return w, nil
	}
	d := &lang.Diagnostic{Code: "SP0705", Message: "there is no system " + module}
	if near, ok := lang.Nearest(module, compile.ModuleNames(s.World)); ok {
		d.Help = "did you mean " + near + "?"
	}
	return nil, lang.Diagnostics{d}
}
