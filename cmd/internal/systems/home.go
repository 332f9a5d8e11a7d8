package systems

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/semver"

	"setpiece/interp"
	"setpiece/lang"
)

// Load takes a system into use and says what it is. With mistakes it gives lang.Diagnostics.
func Load(library interp.Config, name string) (interp.System, error) {
	s := interp.NewSession(library)
	if err := s.Exec(context.Background(), lang.NewSource("", "use "+name)); err != nil {
		return interp.System{}, err
	}
	used := s.InUse()
	return used[slices.IndexFunc(used, func(x interp.System) bool { return x.Name == name })], nil
}

// ErrThere is the error of adding what is there already.
var ErrThere = errors.New("it is there already")

// Add puts a package into the user's own folder and says where. What is there under the
// same version stays.
func (p *Package) Add() (string, error) {
	home, err := Home()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(home, p.Name, p.Version)
	if _, err := os.Lstat(folder); err == nil {
		return folder, p.sameAs(folder)
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	made, err := os.MkdirTemp(home, ".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made)
	for name, f := range p.Files {
		path := filepath.Join(made, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o644)); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(made, 0o755); err != nil {
		return "", err
	}
	return folder, os.Rename(made, folder)
}

// sameAs compares a package with what is in a folder.
func (p *Package) sameAs(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if there, err := gatherIn(root.FS()); err == nil && hashOf(there.files) == hashOf(p.Files) {
		return ErrThere
	}
	return refuse("give the new one a higher version, or remove the old one: setpiece system remove "+p.Name+" "+p.Version, "another %s %s is there already", p.Name, p.Version)
}

// Remove takes a version of a system out of the user's own folder.
func Remove(name, version string) error {
	home, err := Home()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(home)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.RemoveAll(path.Join(name, version)); err != nil {
		return err
	}
	if left, err := fs.ReadDir(root.FS(), name); err == nil && len(left) == 0 {
		return root.Remove(name)
	}
	return nil
}

// Added lists the versions of a system in the user's own folder, the latest first.
func Added(name string) ([]string, error) {
	home, err := Home()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(home, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && semver.IsValid("v"+e.Name()) {
			out = append(out, e.Name())
		}
	}
	slices.SortFunc(out, func(a, b string) int { return semver.Compare("v"+b, "v"+a) })
	return out, nil
}
