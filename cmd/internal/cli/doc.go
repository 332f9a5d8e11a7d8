package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/handbook"
	"setpiece/cmd/internal/playground"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/repl"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/lang"
	"setpiece/stdlib"
)

// written are the guides that somebody wrote as such.
var written = []handbook.Guide{
	{Name: "guide", File: "GUIDE.md", Title: "The game master's guide", About: "tactics, tests, notes, odds, reports, the prompt", Text: stdlib.Guide},
	{Name: "language", File: "LANGUAGE.md", Title: "The language", About: "how scripts are written", Text: lang.Guide},
	{Name: "authors", File: "AUTHORS.md", Title: "The rules author's guide", About: "a variant, a system of your own", Text: stdlib.Authors},
	{Name: "editor", File: "EDITOR.md", Title: "In your editor", About: "neovim, VS Code, helix, emacs: what they show of a script", Text: stdlib.Editor},
	{Name: "glossary", File: "GLOSSARY.md", Title: "Glossary", About: "the words of the guides and messages", Text: stdlib.Glossary},
	{Name: "figures", File: "FIGURES.md", Title: "Figures", About: "how fast it is", Text: interp.Figures},
}

// guides are all guides: those, and the one that is made of tables.
func guides(root *cobra.Command) []handbook.Guide {
	out := slices.Clone(written)
	return append(slices.Insert(out, 2, handbook.Reference(programTopics(root))), handbook.Codes())
}

func (a *app) docCommand() *cobra.Command {
	var out string
	var live, asJSON bool
	cmd := &cobra.Command{
		Use:   "doc [NAME | GUIDE | quick SYSTEM | -o FOLDER [FILE…]]",
		Short: "Show the handbook's page on a name, or write the whole handbook",
		Long: `Show the handbook's page on a name, on a rule, or one of its guides; without a NAME, what
there is. With -o the whole handbook is written into a folder, as pages for a browser
that need no network; with a FILE of rules, yours is in it.

quick SYSTEM is a quick reference of two pages, to print for the table. With -o it goes into
a file: a page for a browser that prints on two sheets of A4 if the name ends in .html,
otherwise plain text.`,
		Example: "  setpiece doc attack\n  setpiece doc guide\n  setpiece doc -o handbook\n  setpiece doc -o handbook saturday.rules\n  setpiece doc quick SYSTEM -o quick.html",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, g := range guides(cmd.Root()) {
				names = append(names, g.Name)
			}
			return append(names, a.modules().SystemNames()...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1 && args[0] == "quick":
				return a.quick(cmd.Context(), strings.Join(args[1:], " "), out)
			case len(args) == 1 && args[0] == "quick" && out != "":
				return a.quick(cmd.Context(), "", out)
			case out != "":
				own, err := a.ownSystems(cmd.Root(), out, args)
				if err != nil {
					return err
				}
				return a.writeHandbook(cmd.Context(), cmd.Root(), out, own, live)
			case asJSON:
				return a.docRecords(cmd.Root(), strings.Join(args, " "))
			case len(args) == 0:
				return a.listHandbook(cmd.Root())
			}
			return a.paged(func() error { return a.showPage(cmd.Root(), strings.Join(args, " ")) })
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the handbook into `FOLDER`, or a quick reference into a file")
	cmd.Flags().BoolVar(&live, "live", false, "with a playground in the folder: the examples of the handbook can be tried")
	cmd.Flags().BoolVar(&asJSON, "json", false, usageJSON)
	return cmd
}

// docRecords writes a page as records: a guide, without a name all guides, a rule, or each meaning of a word.
func (a *app) docRecords(root *cobra.Command, name string) error {
	all := guides(root)
	if i := slices.IndexFunc(all, func(g handbook.Guide) bool { return g.Name == name }); name == "" || i >= 0 {
		for _, g := range all {
			switch name {
			case "":
				a.object(topicObject(assist.Topic{Name: g.Name, Kind: "guide", Doc: g.Title}))
			case g.Name:
				a.object(topicObject(assist.Topic{Name: g.Name, Kind: "guide", Doc: g.Text}))
			}
		}
		return nil
	}
	if r, _, err := assist.Explain(a.modules(), name); err == nil && strings.Contains(name, ".") {
		a.object(ruleObject(r))
		return nil
	}
	return a.helpRecords(root, name)
}

// listHandbook says what there is to read.
func (a *app) listHandbook(root *cobra.Command) error {
	p := a.palette()
	var rows [][]string
	for _, g := range guides(root) {
		rows = append(rows, []string{"setpiece doc " + g.Name, g.Title})
	}
	for _, x := range a.modules().Installed() {
		if x.Base == "" && x.Title != "" {
			rows = append(rows, []string{"setpiece doc " + x.Name, x.Title})
		}
	}
	rows = append(rows, []string{"setpiece doc quick SYSTEM", "a system on two pages, to print for the table"}, []string{"setpiece doc attack", "a word of the language or the rules"}, []string{"setpiece doc -o handbook", "all of it, as pages for a browser"})
	for i := range rows {
		rows[i][1] = style.On(p.Faint, rows[i][1])
	}
	render.Table(a.out, rows)
	return nil
}

// showPage prints a page: a guide, a rule, or a word with an example of each meaning.
func (a *app) showPage(root *cobra.Command, name string) error {
	for _, g := range guides(root) {
		if g.Name == name {
			fmt.Fprint(a.out, g.Text)
			return nil
		}
	}
	s := a.modules()
	if r, _, err := assist.Explain(s, name); err == nil && strings.Contains(name, ".") {
		render.Rule(a.out, a.palette(), r)
		for _, c := range cases.Shipped.Of(r.ID) {
			fmt.Fprintf(a.out, "\n%s\n", style.On(a.palette().Faint, c.System+"/"+c.Name+": "+c.Title))
			for line := range strings.Lines(c.Text) {
				fmt.Fprint(a.out, "  "+line)
			}
		}
		return nil
	}
	if len(assist.Help(s, name)) == 0 {
		return a.helpOn(root, s, name) // says what comes nearest
	}
	render.FullHelp(a.out, a.palette(), s, name, style.Width(a.outTo))
	return nil
}

// ownSystems reads what the files of rules declare that a handbook is to have.
func (a *app) ownSystems(root *cobra.Command, out string, paths []string) ([]handbook.Own, error) {
	var own []handbook.Own
	for _, path := range paths {
		if !strings.HasSuffix(path, ".rules") {
			return nil, wrong(path, "-o writes the whole handbook, and takes files of rules", "setpiece doc -o "+out+" my.rules")
		}
		x, err := a.read(path)
		if err != nil {
			return nil, err
		}
		file, diags := lang.Parse(x.src)
		if diags.Errors() {
			return nil, diags
		}
		of := handbook.Own{Folder: x.folder}
		for _, s := range file.Stmts {
			if s, ok := s.(*lang.System); ok {
				if of.Name = s.Name.Name; s.Base != nil {
					of.Base = s.Base.Name
				}
			}
		}
		taken := slices.Contains([]string{"index", "names"}, of.Name) || slices.Contains(builtIn(), of.Name) ||
			slices.ContainsFunc(guides(root), func(g handbook.Guide) bool { return g.Name == of.Name })
		switch {
		case of.Name == "":
			return nil, wrong(path, path+" declares neither a system nor a variant", "name the file that begins with  system NAME  or  variant NAME of BASE")
		case taken:
			return nil, wrong(path, "the handbook has a page "+of.Name+" already", "call the system otherwise")
		}
		base := func(o handbook.Own) bool { return o.Name == of.Base }
		if of.Base != "" && !slices.Contains(builtIn(), of.Base) && !slices.ContainsFunc(own, base) {
			own = append(own, handbook.Own{Name: of.Base, Folder: of.Folder})
		}
		if !slices.ContainsFunc(own, func(o handbook.Own) bool { return o.Name == of.Name }) {
			own = append(own, of)
		}
	}
	return own, nil
}

// onQuick are the commands of the prompt that every quick reference names.
var onQuick = []string{":help", ":state", ":undo", ":what-if"}

// builtIn lists the systems and variants that come with setpiece.
func builtIn() []string { return interp.NewSession(library(nil, nil)).Available() }

// quick prints the quick reference of a system, or writes it into a file.
func (a *app) quick(ctx context.Context, called, out string) error {
	if called == "" {
		return wrong("quick", "quick needs a SYSTEM", "there are: "+strings.Join(a.modules().SystemNames(), ", "))
	}
	cfg, system, err := a.systemCalled(called)
	switch {
	case err != nil:
		return err
	case isVariant(interp.NewSession(cfg), system):
		return wrong(called, system+" is a variant", "setpiece rules "+called+" says what it changes; there are quick references of the systems")
	}
	var prompt []assist.Topic
	for _, t := range repl.Topics() {
		if slices.Contains(onQuick, t.Name) {
			prompt = append(prompt, t)
		}
	}
	q, err := handbook.NewQuick(ctx, cfg, system, prompt)
	if err != nil {
		return err
	}
	if out == "" {
		return a.paged(func() error {
			q.WriteText(a.out, a.palette(), style.Width(a.outTo))
			return nil
		})
	}
	var page bytes.Buffer
	if strings.EqualFold(filepath.Ext(out), ".html") {
		data, err := q.HTML()
		if err != nil {
			return err
		}
		page.Write(data)
	} else {
		q.WriteText(&page, style.Palette{}, handbook.QuickWidth)
	}
	if err := files.Write(out, &a.seen, func(f *files.Output) error { _, err := page.WriteTo(f); return err }); err != nil {
		return badFile(out, err)
	}
	fmt.Fprintf(a.out, "%s: the quick reference of %s\n", out, q.Title)
	return nil
}

// writeHandbook writes all pages. A folder that holds something else is left alone.
func (a *app) writeHandbook(ctx context.Context, root *cobra.Command, folder string, own []handbook.Own, live bool) error {
	if err := mayHold(folder, handbookMark, "setpiece doc"); err != nil {
		return err
	}
	working := a.working("doc")
	defer working.stop()
	var try func(string) string
	if live {
		found, err := a.findPlayground(ctx)
		if err == nil {
			err = a.writePage(filepath.Join(folder, "playground.html"), found.Page())
		}
		if err != nil {
			return err
		}
		try = func(text string) string {
			link, err := playground.Link(text)
			if err != nil {
				return ""
			}
			return "playground.html" + link
		}
	}
	var book *handbook.Book
	if err := a.promptly(ctx, func() error {
		b, err := handbook.Build(ctx, handbook.Source{Modules: stdlib.FS, Cases: cases.Shipped, Guides: guides(root), Topics: more(root), Own: own, Play: true, Try: try})
		book = b
		return err
	}); err != nil {
		return err
	}
	n, write := 0, a.into(folder)
	err := book.WriteHTML(ctx, func(file string, data []byte) error {
		n++
		return write(file, data)
	})
	working.stop()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s: %s pages; begin with %s\n", folder, render.Thousands(int64(n)), filepath.Join(folder, "index.html"))
	return nil
}

// writePage writes a page, and the folder that it stands in.
func (a *app) writePage(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return badFile(path, err)
	}
	if err := files.WriteAgain(path, &a.seen, data); err != nil {
		return badFile(path, err)
	}
	return nil
}

// handbookMark is a file that only a handbook has.
const handbookMark = "search-list.js"

// mayHold refuses a folder that has files of somebody's own.
func mayHold(folder, mark, maker string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return badFile(folder, err)
	case len(entries) == 0:
		return nil
	}
	if _, err := os.Stat(filepath.Join(folder, mark)); err != nil {
		return wrong(folder, "the folder "+folder+" holds other files", "name a new folder, or one that "+maker+" has made")
	}
	return nil
}

// programTopics explains what the program itself has names for: its commands, those of
// the prompt, and the limits of scripts.
func programTopics(root *cobra.Command) []assist.Topic {
	var out []assist.Topic
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		t := assist.Topic{Name: c.Name(), Kind: "command of the program", Form: "setpiece " + c.Use, Doc: c.Short + ".", Example: strings.ReplaceAll(strings.TrimLeft(c.Example, " "), "\n  ", "\n")}
		if c.Long != "" {
			t.Doc = strings.Join(strings.Fields(c.Long), " ")
		}
		if t.Example == "" {
			t.Example = "setpiece " + c.Name()
		}
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			name, usage := pflag.UnquoteUsage(f)
			t.Parts = append(t.Parts, assist.TopicPart{Text: strings.TrimSpace("--" + f.Name + " " + name), Doc: usage})
		})
		out = append(out, t)
	}
	for _, l := range theLimits() {
		out = append(out, assist.Topic{Name: l.name, Kind: "limit", Form: "--limit " + l.name + "=VALUE", Doc: "The most that a script may use (" + l.what + "): " + l.value + " unless you say otherwise. A script that reaches it stops with an error that names it.", Example: "setpiece run --limit " + l.name + "=" + l.value + " bog.scene"})
	}
	return append(out, repl.Topics()...)
}
