package evening

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/assist"
)

// System is a system or variant that something was played with.
type System struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Hash    string `json:"hash"` // of its rules
}

// String is the system in words.
func (s System) String() string {
	return strings.TrimSpace(s.Name+" "+s.Version) + " (" + s.Hash + ")"
}

// Used is a list of systems as it is recorded: those in the script's folder are kept as they are,
// text by text, so there is nothing to compare.
func Used(list []interp.System) []System {
	var out []System
	for _, x := range list {
		if x.Place != interp.Here {
			out = append(out, System{x.Name, x.Version, x.Hash})
		}
	}
	return out
}

// Differ says of each system that is another one now than it was then, in a sentence.
func Differ(then, now []System) []string {
	var out []string
	for _, a := range then {
		for _, b := range now {
			if a.Name == b.Name && a != b {
				out = append(out, fmt.Sprintf("it was played with %s, and this is %s: it may come out differently", a, b))
			}
		}
	}
	return out
}

// Versions are the versions of systems, for interp.Config.Versions.
func Versions(systems []System) map[string]string {
	out := map[string]string{}
	for _, s := range systems {
		if s.Version != "" {
			out[s.Name] = s.Version
		}
	}
	return out
}

// lastUsed gives what an evening was played with, as the last entry that says so.
func lastUsed(entries []Entry) []System {
	var out []System
	for _, e := range entries {
		if e.Done != nil && e.Done.Systems != nil {
			out = e.Done.Systems
		}
	}
	return out
}

// done is the end of an entry, with the systems in use if there are others than before.
func (v *Evening) done(fell interp.Record) *Fell {
	out := &Fell{Record: fell}
	if names := assist.Modules(v.sess); !slices.Equal(names, v.noted) {
		v.noted, out.Systems = names, Used(v.sess.InUse())
	}
	return out
}
