package cli

import (
	"io/fs"
	"path/filepath"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/systems"
	"setpiece/interp"
	"setpiece/stdlib"
)

// library says where use finds systems: in the script's folder, the places, and what is built in.
func library(folder fs.FS, places []interp.Place) interp.Config {
	return interp.Config{Modules: stdlib.FS, Folder: folder, Systems: places, Program: Version}
}

// places gives where systems are looked for besides.
func (a *app) places() []interp.Place {
	if a.found == nil {
		var named []fs.FS
		for _, path := range a.systems {
			named = append(named, a.systemsIn(path))
		}
		a.found = systems.Places(named, a.systems, &a.seen)
	}
	return a.found
}

// systemsIn opens a folder that the call names. A call in a note names one in the folder of the note.
func (a *app) systemsIn(path string) fs.FS {
	if a.page != nil {
		return files.Within(a.dir, path, &a.seen)
	}
	return files.Folder(filepath.Clean(path), &a.seen)
}

// checkSystems looks whether the folders of --systems are there.
func (a *app) checkSystems() error {
	for _, path := range a.systems {
		if a.systemsIn(path) == nil {
			return wrong(path, "there is no folder "+path, "--systems takes a folder with NAME/NAME.rules in it")
		}
	}
	return nil
}
