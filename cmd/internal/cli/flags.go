package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/repl"
	"setpiece/interp"
)

// playing is what the commands that play a script have in common.
type playing struct {
	limits   *limits
	seed     uint64
	seeded   bool // somebody chose the seed
	dice     diceFlag
	leftOK   bool
	ask      bool
	advise   bool              // and told what options are worth
	goal     string            // for what
	auto     []string          // who acts by tactics
	byHand   []string          // who is asked for commands, tactics or not
	asks     interp.Quiet      // which decisions people are asked
	turns    bool              // whoever has no tactics is asked for commands
	kept     bool              // answers are kept in a journal
	log      *recorded         // answers come from a log
	versions map[string]string // of the systems that something was played with
	texts    []string          // scripts of -e
	set      setFlag
	let      letFlag
	view     journal.View
}

func (p *playing) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Uint64Var(&p.seed, "seed", 0, "seed of the dice, `N` from 0 (default 0; at the prompt a random one)")
	f.Var(&p.dice, "dice", usageDice+usageAsk)
	f.BoolVar(&p.leftOK, "dice-left-ok", false, "do not fail when given dice are left over")
	p.set.flag(cmd)
	p.let.flag(cmd)
	viewFlags(cmd, &p.view)
	cmd.RegisterFlagCompletionFunc("dice", cobra.FixedCompletions([]string{"ask"}, cobra.ShellCompDirectiveNoFileComp))
}

// scriptFlags are those of commands that work something out of a script.
func (p *playing) scriptFlags(cmd *cobra.Command) {
	p.set.flag(cmd)
	p.let.flag(cmd)
	cmd.Flags().StringArrayVarP(&p.texts, "expr", "e", nil, "use `TEXT` as the script; repeat for more lines")
}

// turnFlags are those that say whose commands are asked for.
func (p *playing) turnFlags(cmd *cobra.Command) {
	p.turns, p.asks = true, interp.QuietUsual
	f := cmd.Flags()
	f.StringSliceVar(&p.auto, "auto", nil, "who acts and decides by tactics and is not asked: `WHO`, a name, heroes, villains, all …")
	f.StringSliceVar(&p.byHand, "ask", nil, "ask for the commands and decisions of `WHO`, even if they have tactics; everything: see the guide")
}

// check looks for flags that do not go together.
func (p *playing) check(cmd *cobra.Command) error {
	p.seeded = cmd.Flags().Changed("seed")
	if p.leftOK && len(p.dice.faces) == 0 {
		return wrong("--dice-left-ok", "--dice-left-ok needs dice given by --dice", "")
	}
	return nil
}

func viewFlags(cmd *cobra.Command, v *journal.View) {
	f := cmd.Flags()
	f.BoolVar(&v.JSON, "json", false, usageJSON)
	f.BoolVar(&v.Brief, "brief", false, "print one line for each exchange, and how everybody stands after each round")
	f.BoolVar(&v.Trace, "trace", false, repl.UsageTrace)
	f.BoolVarP(&v.Quiet, "quiet", "q", false, "print only what the script prints and reports")
	cmd.MarkFlagsMutuallyExclusive("brief", "trace", "json")
}

// diceFlag is the value of --dice: faces, or "ask".
type diceFlag struct {
	faces []int
	ask   bool
}

func (d *diceFlag) String() string {
	words := make([]string, len(d.faces))
	for i, f := range d.faces {
		words[i] = strconv.Itoa(f)
	}
	if d.ask {
		words = append(words, "ask")
	}
	return strings.Join(words, ",")
}

// Set takes faces; given again it adds to them.
func (d *diceFlag) Set(s string) error {
	if s == "ask" {
		d.ask = true
		return nil
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	if len(words) == 0 {
		return errors.New("give faces, such as 7,8, or ask")
	}
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return fmt.Errorf("%s is not a face of a die; give faces, such as 7,8, or ask", w)
		}
		d.faces = append(d.faces, n)
	}
	return nil
}

func (d *diceFlag) Type() string { return "FACES" }

// setFlag is the value of --set: options by name.
type setFlag map[string]string

func (s *setFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(s, "set", "choose an option of the rules; may be repeated")
}

func (s *setFlag) String() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(*s)) {
		words = append(words, name+"="+(*s)[name])
	}
	return strings.Join(words, ",")
}

func (s *setFlag) Set(arg string) error {
	name, value, ok := strings.Cut(arg, "=")
	if !ok || name == "" || value == "" {
		return errors.New("write NAME=VALUE")
	}
	if *s == nil {
		*s = setFlag{}
	}
	if _, short, ok := strings.Cut(name, ".opt."); ok {
		name = short // by its id: cah.opt.natural
	}
	(*s)[strings.TrimSpace(name)] = strings.TrimSpace(value)
	return nil
}

func (s *setFlag) Type() string { return "NAME=VALUE" }

// scripts completes the names of scripts.
func scripts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"scene", "rules", "md"}, cobra.ShellCompDirectiveFilterFileExt
}

// What flags of several commands do.
const (
	usageJSON    = "print JSON, one object a line"
	usageLog     = "write a log for replay to `FILE`"
	usageTactics = "compare with the tactics in `TEXT`, such as 'Nova { otherwise: recover }'"
	usageTimed   = "without it, as many as --time leaves time for"
	usageRun     = "run `TEXT`; repeat for more lines"
	usageSeed    = "seed of the trials, `N` from 0"
	usageDice    = "faces of the first dice, such as 7,8"
	usageAsk     = "; or ask, to type what your own dice show"
	usageGoal    = "the goal: one of the rules, an outcome, or an `EXPR` that is yes or no, or a number whose mean counts"
	goalOfScript = "In a fight the goal is that the heroes win, else that the last check succeeds."
	usageBest    = "an outcome, or an `EXPR` whose mean counts (default success)"
)
