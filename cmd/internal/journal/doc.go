// Package journal keeps what happened on disk, as lines of JSON that each end
// with a checksum.
//
// A Log is one run of one script with all it needs to happen again: the texts,
// the seed, the faces that fell and the answers that were given. "run --log"
// writes it, "replay" reads it.
//
// A Journal is a session while it goes on. Each accepted line is on disk before
// it is evaluated, each answer of a person before it is used, each file that is
// included before it is compiled. A killed session is taken up with nothing lost.
//
// The files of both, and the parts of a simulation, are made of records; see
// record.go. Nothing here trusts a file because of its name: what is not
// recognised by its first record and its checksums is never changed.
package journal

// Version is the version of the formats of journals and logs.
const Version = 2
