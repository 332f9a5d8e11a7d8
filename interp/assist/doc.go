// Package assist answers what an editor or a prompt asks of a session: help, completion, references,
// outline, sheets, rules and options.
package assist
