package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/handbook"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/stdlib"
)

// helpCommand is cobra's, but a command that does not exist is an error.
func (a *app) helpCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "help [COMMAND | WORD]",
		Short: "Explain a command, or a word of the language and the rules",
		Long: `Explain a command of the program, or any word: of the language (tactics, highest),
of a rule system (attack, star, action_feature), an id, or the text of an error.`,
		Example: "  setpiece help run\n  setpiece help tactics\n  setpiece help scene",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				return a.helpRecords(cmd.Root(), strings.Join(args, " "))
			}
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			for _, c := range cmd.Root().Commands() {
				if c.Name() == args[0] && len(args) == 1 {
					c.InitDefaultHelpFlag()
					return a.helpOnCommand(c)
				}
			}
			return a.helpOn(cmd.Root(), a.modules(), strings.Join(args, " "))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, usageJSON)
	return cmd
}

// helpOnCommand explains a command, and the word where the language or the rules have it, too.
func (a *app) helpOnCommand(c *cobra.Command) error {
	if err := c.Help(); err != nil {
		return err
	}
	if s := a.modules(); len(assist.Help(s, c.Name())) > 0 {
		fmt.Fprintln(a.out)
		render.Help(a.out, a.palette(), s, c.Name(), style.Width(a.outTo))
	}
	return nil
}

// helpRecords writes what a word means as records, one for each meaning.
func (a *app) helpRecords(root *cobra.Command, word string) error {
	s := a.modules()
	topics := assist.Help(s, word)
	if len(topics) == 0 {
		return a.noHelp(root, s, word)
	}
	for _, t := range topics {
		a.object(topicObject(t))
	}
	return nil
}

// helpOn explains a word of the language or of the rule systems.
func (a *app) helpOn(root *cobra.Command, s *interp.Session, word string) error {
	found := false
	err := a.paged(func() error {
		found = render.FindHelp(a.out, a.palette(), s, word, more(root), style.Width(a.outTo))
		return nil
	})
	if found || err != nil {
		return err
	}
	return a.noHelp(root, s, word)
}

func (a *app) noHelp(root *cobra.Command, s *interp.Session, word string) error {
	near := didYouMean(word, append(commandNames(root), assist.NearestHelp(s, word)...))
	if near == "" {
		near = "setpiece help lists the commands; setpiece rules lists the systems"
	}
	return wrong(word, "no help on "+word, near)
}

// more are the topics that neither the language nor the rules have: what the program has
// names for, and the terms of the guides.
func more(root *cobra.Command) []assist.Topic {
	return append(programTopics(root), handbook.Terms(stdlib.Glossary)...)
}

func (a *app) more() []assist.Topic { return more(a.root()) }

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

func unknownCommand(root *cobra.Command, word string) error {
	help := didYouMean(word, commandNames(root))
	if help == "" {
		help = "setpiece help lists the commands"
	}
	return wrong(word, "there is no command "+word, help)
}

var shells = []string{"bash", "fish", "powershell", "zsh"}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Let Tab complete commands in your shell",
		Long: `Write a completion script for a shell: bash, fish, powershell or zsh.

  bash        source <(setpiece completion bash)
  zsh         setpiece completion zsh > "${fpath[1]}/_setpiece"
  fish        setpiece completion fish > ~/.config/fish/completions/setpiece.fish
  powershell  setpiece completion powershell | Out-String | Invoke-Expression`,
		Args:              needs("a SHELL", 1, 1),
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			case "zsh":
				return root.GenZshCompletion(a.out)
			}
			help := didYouMean(args[0], shells)
			if help == "" {
				help = "there are: " + strings.Join(shells, ", ")
			}
			return wrong(args[0], fmt.Sprintf("no completion for the shell %s", args[0]), help)
		},
	}
}
