package decl

import (
	"io/fs"

	"golang.org/x/mod/semver"

	"setpiece/lang"
)

// Place is where systems are looked for: NAME.rules, NAME/NAME.rules or NAME/VERSION/NAME.rules of
// a folder, variants beside the first file of their system.
type Place struct {
	Name string // for people
	FS   fs.FS
}

// The names of the two places that no list has.
const (
	Here    = "the script's folder"
	BuiltIn = "built in"
)

// IsVersion says whether a text is a version: 1, 1.2 or 1.2.3, without zeros in front.
func IsVersion(v string) bool { return semver.IsValid("v" + v) }

// Later compares versions. One that is none comes before all.
func Later(a, b string) int { return semver.Compare("v"+a, "v"+b) }

// Reaches says whether a version is at least another; "" is any.
func Reaches(v, least string) bool { return least == "" || Later(v, least) >= 0 }

// Fits says whether a version will do where want is asked for: it is as late, and its first number,
// which changes where scripts would have to, is the same.
func Fits(v, want string) bool {
	return want == "" || Reaches(v, want) && semver.Major("v"+v) == semver.Major("v"+want)
}

// OrLater says in words what fits.
func OrLater(want string) string { return want + " or later" }

// ErrVersion says that a number is no version.
func ErrVersion(v lang.Ident) *lang.Diagnostic {
	d := ErrAt(v.Span, "SP0611", "%s is not a version", v.Name)
	d.Help = "write 1, 1.2 or 1.2.3, without zeros in front"
	return d
}
