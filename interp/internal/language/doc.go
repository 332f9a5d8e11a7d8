// Package language answers what an editor or a prompt asks of a world: help, completion,
// members, outlines, what somebody may do and what they want. It only reads.
package language
