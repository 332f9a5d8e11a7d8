package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"setpiece/interp/sim"
)

func (a *app) mergeCommand() *cobra.Command {
	var c chart
	cmd := &cobra.Command{
		Use:   "merge FILE…",
		Short: "Join the parts of a simulation",
		Long: `Join the parts of a simulation that sim --shard made. The result is the same as that
of one simulation. A folder stands for the parts in it (its files that end in .json).
Parts that are missing are named, and those that belong to something else.`,
		Example: `  setpiece merge parts/`,
		Args:    needs("the FILEs of all parts, or their folder", 1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			paths, err := partsOf(args)
			if err != nil {
				return err
			}
			var parts []*sim.Sim
			for _, path := range paths {
				o, err := a.readPart(path)
				if err != nil {
					return err
				}
				parts = append(parts, o)
			}
			if err := c.mayDraw(&a.seen); err != nil {
				return err
			}
			o, err := sim.Merge(parts)
			if err != nil {
				return wrongParts(paths, err)
			}
			return a.tellSim(o, &c, "")
		},
	}
	c.flags(cmd)
	return cmd
}

// partsOf lists the files that are meant: folders stand for what is in them.
func partsOf(args []string) (paths []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, badFile(arg, err)
		}
		n := len(paths)
		for _, e := range entries {
			if !e.IsDir() && filepath.Ext(e.Name()) == ".json" && !strings.HasPrefix(e.Name(), ".") {
				paths = append(paths, filepath.Join(arg, e.Name()))
			}
		}
		if len(paths) == n {
			return nil, wrong(arg, "there is no part in the folder "+arg, "sim --shard I/N --part "+filepath.Clean(arg)+"/ makes one")
		}
	}
	return paths, nil
}

// wrongParts puts what Merge says into the names of files. One bad file that
// was named in the call is underlined; several are listed.
func wrongParts(paths []string, err error) error {
	const help = "merge takes all parts of one simulation, each once"
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return wrong("", err.Error(), help)
	}
	var lines []string
	word := ""
	for _, e := range joined.Unwrap() {
		var bad *sim.PartError
		if !errors.As(e, &bad) {
			lines = append(lines, e.Error())
			continue
		}
		if word == "" {
			word = paths[bad.Part]
		}
		if len(lines) == 10 {
			lines = append(lines, "…")
		} else if len(lines) < 10 {
			lines = append(lines, fmt.Sprintf("%s: %s", paths[bad.Part], bad.Reason))
		}
	}
	return wrong(word, strings.Join(lines, "\n   "), help)
}
