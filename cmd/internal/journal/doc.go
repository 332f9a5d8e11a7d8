// Package journal keeps what happened on disk, as JSON lines that begin with a
// version.
//
// A Log is one run of one script with all it needs to happen again: the texts,
// the seed, the faces that fell and the answers that were given. "run --log"
// writes it, "replay" reads it.
//
// A Journal is a session at the prompt while it goes on. Each accepted line is
// on disk before it is evaluated, each answer of a person before it is used,
// so that a killed session can be taken up with nothing lost.
package journal

// Version is the version of both formats.
const Version = 1
