package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/cmd/internal/systems"
	"setpiece/interp"
	"setpiece/interp/transcript"
	"setpiece/interp/verify"
	"setpiece/lang"
)

func (a *app) systemCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "system",
		Short: "Begin, check, pack, add and list rule systems of your own",
		Long: `Begin a rule system, check it, pack it into one file to give away, and add systems that
others have packed. How a file comes from one to another is up to you: setpiece uses no
network. Systems that you add are in your own folder, and every scene can use them.`,
	}
	return group(cmd, a.systemNew(), a.systemCheck(), a.systemPack(), a.systemAdd(), a.systemList(), a.systemRemove())
}

// group makes a command one that has commands of its own and does nothing by itself.
func group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return wrong(args[0], cmd.Name()+" has no command "+args[0], cmp.Or(didYouMean(args[0], commandNames(cmd)), "there are: "+strings.Join(commandNames(cmd), ", ")))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// packageOf reads a package: a zip file, a folder, or a file of rules with those that it includes.
func (a *app) packageOf(path string) (*systems.Package, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, badFile(path, err)
	}
	library := library(nil, a.places())
	var p *systems.Package
	switch {
	case info.IsDir():
		p, err = systems.FromFolder(files.Folder(path, &a.seen), library)
	case strings.HasSuffix(path, ".rules"):
		p, err = a.packageFile(path)
	default:
		var data []byte
		if data, err = files.ReadFile(a.ctx, path, files.MaxScript, &a.seen); err != nil {
			return nil, badFile(path, err)
		}
		p, err = systems.FromZip(data, library)
	}
	return p, badPackage(path, err)
}

func badPackage(path string, err error) error {
	var refused *systems.Refused
	if errors.As(err, &refused) {
		return wrong(path, path+": "+refused.What, refused.Help)
	}
	return err
}

func (a *app) packageFile(file string) (*systems.Package, error) {
	cfg, name, err := a.systemCalled(file)
	if err != nil {
		return nil, err
	}
	return systems.FromFile(cfg, name)
}

func (a *app) systemPack() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "pack FOLDER | FILE.rules",
		Short: "Put a system into one file to give away",
		Long: `Put a system with its variants, scenes, sheets and pages into one zip file. Its first line
says which version it is, and under which licence: system NAME "TITLE" version 1.0
licence "CC-BY-4.0". The same files give the same bytes.`,
		Args: needs("a FOLDER", 1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.packageOf(args[0])
			if err == nil {
				err = badPackage(args[0], p.Ready())
			}
			if err != nil {
				return err
			}
			data, err := p.Zip()
			if err != nil {
				return err
			}
			file := cmp.Or(out, p.FileName())
			if err := files.Write(file, &a.seen, func(o *files.Output) error { _, err := o.Write(data); return err }); err != nil {
				return badFile(file, err)
			}
			if len(p.Left) > 0 {
				a.note("left out: " + strings.Join(p.Left, ", "))
			}
			fmt.Fprintf(a.out, "%s: %s, %s\n%s\n", file, p.Called(), transcript.Count(len(p.Files), "file"), p.Hash)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE` to write, instead of NAME-VERSION.zip")
	return cmd
}

func (a *app) systemAdd() *cobra.Command {
	return &cobra.Command{
		Use:   "add FILE.zip | FOLDER | FILE.rules",
		Short: "Add a system to your own folder, for all scenes",
		Long: `Add a system to your own folder, where every scene finds it. Several versions of one
system can be there: a scene that says  use NAME 1.2  gets the lowest that will do, and one that
says  use NAME  the latest.`,
		Args: needs("a FILE or FOLDER", 1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.packageOf(args[0])
			if err == nil && p.Version == "" {
				err = badPackage(args[0], p.Ready())
			}
			if err != nil {
				return err
			}
			folder, err := p.Add()
			switch {
			case errors.Is(err, systems.ErrThere):
				fmt.Fprintf(a.out, "%s is there already, in %s\n", p.Called(), systems.Short(folder))
				return nil
			case err != nil:
				return badPackage(args[0], err)
			}
			fmt.Fprintf(a.out, "%s: %s, in %s\n%s\n", p.Called(), p.Title, systems.Short(folder), p.Hash)
			if slices.Contains(builtIn(), p.Name) {
				fmt.Fprintf(a.out, "use %s now takes this one, not the one that is built in; setpiece system remove %s gives that back\n", p.Name, p.Name)
			}
			return nil
		},
	}
}

func (a *app) systemList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the systems that are not built in, each version with its hash",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			var rows [][]string
			cfg := library(a.folder("."), a.places())
			for _, x := range interp.NewSession(cfg).Installed() {
				if x.Place == interp.BuiltIn {
					continue
				}
				rows = append(rows, append([]string{strings.TrimSpace(x.Name + " " + x.Version)}, a.listed(x)...))
			}
			if len(rows) == 0 {
				fmt.Fprintln(a.out, "there are none; setpiece system new NAME begins one, setpiece system add FILE adds one")
			}
			render.Table(a.out, rows)
			return nil
		},
	}
}

// listed gives what the list says of a system: its hash, where it is, and what it is.
func (a *app) listed(x interp.System) []string {
	cfg := library(nil, a.places())
	where, title := x.Place, x.Title
	if p := a.placeOf(x); p != nil {
		cfg.Folder = p
	}
	used, err := systems.Load(cfg, x.Name)
	if err != nil {
		used.Hash, title = "does not load", "setpiece check "+filepath.Join(where, x.File)+" says why"
	}
	if x.Base != "" {
		title += " (changes " + x.Base + ")"
	}
	return []string{used.Hash, where, style.On(a.palette().Faint, title)}
}

func (a *app) systemRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME [VERSION]",
		Short: "Remove a system from your own folder",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return wrong("", "remove needs the NAME of a system that you have added", called(cmd))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			versions, err := systems.Added(args[0])
			if err != nil {
				return err
			}
			version := ""
			switch {
			case len(versions) == 0:
				return wrong(args[0], "you have added no system "+args[0], cmp.Or(didYouMean(args[0], a.addedNames()), "setpiece system list says what there is"))
			case len(args) == 2:
				version = args[1]
			case len(versions) > 1:
				return wrong(args[0], "there are several versions of "+args[0], "say which: "+strings.Join(versions, ", "))
			default:
				version = versions[0]
			}
			if !slices.Contains(versions, version) {
				return wrong(version, "there is no "+args[0]+" "+version, "there is "+strings.Join(versions, ", "))
			}
			if err := systems.Remove(args[0], version); err != nil {
				return badFile(args[0], err)
			}
			fmt.Fprintf(a.out, "%s %s is removed\n", args[0], version)
			return nil
		},
	}
}

// addedNames lists the systems that are in places of the user, and variants of such.
func (a *app) addedNames() []string {
	var out []string
	for _, x := range interp.NewSession(library(nil, a.places())).Installed() {
		if x.Place != interp.BuiltIn {
			out = append(out, x.Name)
		}
	}
	return out
}

func (a *app) systemNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new NAME",
		Short: "Begin a system of your own: a small one that plays",
		Long: `Begin a system of your own in a folder NAME: rules with a sheet, a verb, a decision and a
fight, a scene, tests and a page, to change into yours.`,
		Args: needs("a NAME", 1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if slices.Contains(builtIn(), name) {
				return wrong(name, name+" is the name of a system that is built in", "choose another")
			}
			made, err := systems.New(name)
			if err != nil {
				return badPackage(name, err)
			}
			switch err := os.Mkdir(name, 0o777); {
			case errors.Is(err, fs.ErrExist):
				return wrong(name, "there is a "+name+" here already", "choose another name, or remove it first")
			case err != nil:
				return badFile(name, err)
			}
			for _, f := range made {
				if err := files.WriteAgain(filepath.Join(name, f.Name), &a.seen, []byte(f.Text)); err != nil {
					return badFile(name, err)
				}
				fmt.Fprintln(a.out, path.Join(name, f.Name))
			}
			fmt.Fprintf(a.out, "setpiece run %s/evening.scene plays it, setpiece system check %s tests it\n", name, name)
			return nil
		},
	}
}

func (a *app) systemCheck() *cobra.Command {
	p := playing{limits: &a.limits}
	var e effort
	against := ""
	cmd := &cobra.Command{
		Use:   "check NAME | FOLDER | FILE",
		Short: "Check a system, run its tests, and say what a new version changes",
		Long: `Check all files of a system strictly and run its tests. If there is an earlier version of
it, among those that you have added or as --against names it, setpiece takes the scenes and the
tests of the earlier version as cases, and prints the odds of each that differs: under the
earlier rules and under these.`,
		Args: needs("a system", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.promptly(cmd.Context(), func() error { return a.checkSystem(cmd.Context(), &p, args[0], against, &e) })
		},
	}
	e.flags(cmd)
	cmd.Flags().StringVar(&against, "against", "", "the earlier `VERSION`, or its folder or file")
	return cmd
}

func isTest(s lang.Stmt) bool {
	_, test := s.(*lang.Test)
	return test
}

func (a *app) checkSystem(ctx context.Context, p *playing, called, against string, e *effort) error {
	pkg, err := a.packageCalled(called, "")
	if err != nil {
		return err
	}
	fine := true
	for _, s := range a.scriptsOf(pkg, pkg, ".rules") {
		was := a.status
		a.check(ctx, p, s, true)
		fine = fine && a.status == was
	}
	for _, s := range a.scriptsOf(pkg, pkg, ".scene") {
		a.check(ctx, p, s, false)
		if file, _ := lang.Parse(s.src); slices.ContainsFunc(file.Stmts, isTest) {
			a.test(ctx, p, s, verify.Tests)
		}
	}
	old, err := a.earlier(pkg, against)
	if err != nil || old == nil || !fine {
		return err
	}
	return a.moved(ctx, p, old, pkg, e)
}
