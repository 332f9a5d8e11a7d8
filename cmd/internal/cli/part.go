package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/interp/sim"
)

// partFile is the file of one part of a simulation: one record with a checksum.
type partFile struct {
	V       int      `json:"v"`
	Part    string   `json:"part"`
	Program string   `json:"program"`
	Sim     *sim.Sim `json:"sim"`
}

const (
	partVersion = 3
	partMark    = "setpiece"
)

// partPath is where a part is written: to the file that is named, or, into a
// folder, to a file named after the part, so that the same call serves them all.
func partPath(path string, sc sim.Config) (string, error) {
	info, err := os.Stat(path)
	if folder := err == nil && info.IsDir(); !folder && !strings.HasSuffix(path, "/") && !strings.HasSuffix(path, string(filepath.Separator)) {
		return path, nil
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return path, err
	}
	n := fmt.Sprint(sc.Shards)
	return filepath.Join(path, fmt.Sprintf("part-%0*d-of-%s.json", len(n), sc.Shard+1, n)), nil
}

func (a *app) writePart(path string, o *sim.Sim) error {
	data, err := journal.Seal(partFile{partVersion, partMark, Version, o})
	if err != nil {
		return err
	}
	err = files.Write(path, &a.seen, func(f *files.Output) error {
		_, err := f.Write(data)
		return err
	})
	if err != nil {
		return badFile(path, err)
	}
	return nil
}

func (a *app) readPart(path string) (*sim.Sim, error) {
	data, err := files.ReadFile(a.ctx, path, files.MaxData, &a.seen)
	if err != nil {
		return nil, badFile(path, err)
	}
	o, err := parsePart(data)
	if err != nil {
		return nil, wrong(path, path+" "+err.Error(), "sim --shard I/N --part FILE makes a part")
	}
	return o, nil
}

// parsePart reads a part. Its trials are only joined to others of the same
// version of the program: another one may have other rules.
func parsePart(data []byte) (*sim.Sim, error) {
	var mark struct {
		V       int    `json:"v"`
		Part    string `json:"part"`
		Program string `json:"program"`
	}
	if json.Unmarshal(data, &mark) != nil || mark.Part != partMark {
		return nil, fmt.Errorf("is not a part of a simulation")
	}
	if mark.V != partVersion || mark.Program != Version {
		return nil, fmt.Errorf("is a part by version %s of this program (format %d), and this is %s (format %d)", mark.Program, mark.V, Version, partVersion)
	}
	var f partFile
	if err := journal.Unseal(data, &f); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if f.Sim == nil {
		return nil, fmt.Errorf("is damaged: it has no trials")
	}
	return f.Sim, nil
}
