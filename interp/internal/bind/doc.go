// Package bind reads a command by the pattern of its verb: clauses, operands, terms. It
// compiles tactics, which are made of commands.
package bind
