// Package resolve turns syntax trees into nodes of ir: each name becomes a place. It lays out
// instances, and infers which kinds of value an expression can have. How commands are read
// it leaves to whoever implements Commands.
package resolve
