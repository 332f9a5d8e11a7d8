// Package serve is an evening at the other end of a pipe, for a bot, a page or a virtual tabletop:
// package evening behind JSON-RPC 2.0, one object a line. PROTOCOL.md says each message with an
// example, schema.json what they look like.
//
// Each evening runs on a goroutine of its own, which takes one call after the other from a queue:
// between entries, and while it asks a question. A call that moves the evening is answered when it
// stands still again, at the next question or at the end of the entry. So a question is data that
// may stay open for as long as it likes: it costs its evening's memory and nothing else.
//
// The package holds no rules, no state of the game and no texts of its own: what happens are the
// records of package transcript, what an evening is stored as is a journal.
package serve
