package cli

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/interp"
	"setpiece/interp/sheets"
	"setpiece/lang"
)

func (a *app) sheetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sheet",
		Short: "Write sheets for other programs, and read theirs",
		Long: `Write the sheets of a script as YAML or JSON, read such a file, and print a schema that
other programs check it with. A script reads the file with  cast from "party.yaml" . It reads
tables in a page of Markdown, too, whose first column is headed by the name of a sheet.`,
	}
	return group(cmd, a.sheetExport(), a.sheetImport(), a.sheetSchema())
}

// print writes a text to a file, or to the output where none is named.
func (a *app) print(out string, text []byte) error {
	if out == "" {
		_, err := a.out.Write(text)
		return err
	}
	if err := files.Write(out, &a.seen, func(o *files.Output) error { _, err := o.Write(text); return err }); err != nil {
		return badFile(out, err)
	}
	return nil
}

func (a *app) sheetExport() *cobra.Command {
	var out string
	var format string
	cmd := &cobra.Command{
		Use:   "export FILE [NAME]…",
		Short: "Write the sheets of a script as YAML or JSON",
		Long:  `Write the sheets of a script, all or those of some, as YAML or JSON. What a sheet says is written as it stands: the script is not run.`,
		Args:  needs("a FILE", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.read(args[0])
			if err != nil {
				return err
			}
			all, err := sheets.Of(cmd.Context(), interp.NewSession(library(s.folder, s.systems)), s.src)
			if err != nil {
				return err
			}
			if names := args[1:]; len(names) > 0 {
				had := all.Names()
				if unknown := all.Only(names...); unknown != "" {
					return wrong(unknown, "nobody in "+args[0]+" is called "+unknown, cmp.Or(didYouMean(unknown, had), "there are: "+strings.Join(had, ", ")))
				}
			}
			write := all.YAML
			switch format = cmp.Or(format, strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), "."), "yaml"); format {
			case "json":
				write = all.JSON
			case "yaml", "yml":
			default:
				return wrong(format, "--format must be yaml or json, not "+format, "")
			}
			text, err := write()
			if err != nil {
				return err
			}
			if verb, late := all.Late(); len(late) > 0 {
				a.note("declared after the first " + verb + " begins, and there from the start if the file is read at the top: " + strings.Join(late, ", "))
			}
			return a.print(out, text)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE` to write")
	cmd.Flags().StringVar(&format, "format", "", "yaml or json; without it the name of the output says it, or else it is YAML")
	return cmd
}

func (a *app) sheetImport() *cobra.Command {
	var out, system string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Print the sheets of a file of YAML, JSON or Markdown as a script",
		Long: `Print the sheets of a file of YAML or JSON, or of the tables in a page of Markdown, as a
script has them. A script can read the file itself:  cast from "party.yaml" .`,
		Args: needs("a FILE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.imported(cmd.Context(), args[0], system)
			if err != nil {
				return err
			}
			return a.print(out, text)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE` to write")
	cmd.Flags().StringVar(&system, "system", "", "the `SYSTEM` that the sheets are for, where the file does not say it")
	return cmd
}

func (a *app) imported(ctx context.Context, file, system string) ([]byte, error) {
	text, err := a.readFile(file)
	if err != nil {
		return nil, badFile(file, err)
	}
	src := lang.NewSource(file, string(text))
	system = cmp.Or(system, sheets.System(src))
	if system == "" {
		return nil, wrong(file, file+" does not say which system its sheets are for", "name it:  --system NAME")
	}
	session := interp.NewSession(library(a.folder(filepath.Dir(file)), a.places()))
	if err := session.Exec(ctx, lang.NewSource("", "use "+system)); err != nil {
		return nil, err
	}
	script, err := sheets.Script(ctx, session, src)
	return append([]byte("use "+system+"\n\n"), script...), err
}

func (a *app) sheetSchema() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "schema SYSTEM | FILE",
		Short: "Print the JSON schema of sheets",
		Long: `Print the JSON schema of the sheets of a system, or of those that a script or a file of
rules declares. Editors check a file with it, and offer what may stand there.`,
		Args: needs("a SYSTEM or FILE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			schema, err := a.schemaOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.print(out, schema)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE` to write")
	return cmd
}

// schemaOf gives the schema of what a system or a script declares.
func (a *app) schemaOf(ctx context.Context, called string) ([]byte, error) {
	if ext := filepath.Ext(called); ext != "" && ext != ".rules" {
		s, err := a.read(called)
		if err != nil {
			return nil, err
		}
		return sheets.Schema(ctx, interp.NewSession(library(s.folder, s.systems)), s.src)
	}
	cfg, name, err := a.systemCalled(called)
	if err != nil {
		return nil, err
	}
	return sheets.Schema(ctx, interp.NewSession(cfg), lang.NewSource("", "use "+name))
}
